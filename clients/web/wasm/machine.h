// The document as a module of WebAssembly: what it exports, and src/lib/machine.ts calls. The same code that the server runs
// comes to the same hash at each tick here.
//
// Parameters and results are plain numbers to who calls: pointers are places in the module's memory, and a machine is one too.
// What fails answers false or NULL and says why in one text, "CODE: text", which holds until the next call. A module is one thread's.
#ifndef WEFT_WASM_MACHINE_H
#define WEFT_WASM_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct document;
struct machine_mark;

#if defined(__wasm__)
#define MACHINE_EXPORT(name) __attribute__((export_name(#name))) name
#define MACHINE_IMPORT(name) __attribute__((import_module("weft"), import_name(#name))) name
#else
#define MACHINE_EXPORT(name) name
#define MACHINE_IMPORT(name) name
#endif

const char *MACHINE_EXPORT(machine_text)(void);

// For bytes that come in and go out. NULL without memory, and no text.
void *MACHINE_EXPORT(machine_alloc)(size_t size);
void MACHINE_EXPORT(machine_free)(void *bytes);

// Of bytes that may come from anywhere, and may go afterwards.
enum machine_kind { MACHINE_IMAGE, MACHINE_DOCUMENT };
struct document *MACHINE_EXPORT(machine_open)(const void *bytes, size_t size, uint32_t kind);
void MACHINE_EXPORT(machine_close)(struct document *document);

// One record of the tick that the document stands at. Where it came to another result than the record's, the document is of no use
// any more.
bool MACHINE_EXPORT(machine_apply)(struct document *document, const void *bytes, size_t size);
// One tick. False if it failed, or one before it did: edit.undo and world.reset mend it. If it is watched, machine_substep is called
// after each substep s = 1, 2, …; what is asked of arrays and parts then is of that moment.
bool MACHINE_EXPORT(machine_step)(struct document *document, uint32_t watched);
bool MACHINE_EXPORT(machine_failed)(const struct document *document);
void MACHINE_IMPORT(machine_substep)(uint32_t substep);
// Whether the ticks that begin from now on remember where bodies met (MACHINE_CONTACTS). The state does not depend on it.
void MACHINE_EXPORT(machine_show_contacts)(struct document *document, uint32_t wanted);

// Running ahead: from a mark on the document may be stepped and held with the hands below, as what comes may be, and then goes back
// to the mark, bit for bit. No record is applied in between, and one mark is taken at a time.
//
//     mark ─▶ hold, pull, let go, step … ─▶ arrays, parts ─▶ back
//
// NULL with a text: no memory, or the document failed.
struct machine_mark *MACHINE_EXPORT(machine_mark)(struct document *document);
void MACHINE_EXPORT(machine_back)(struct document *document, struct machine_mark *mark); // which is gone then
// A new grab of a particle, begun where that is. 0 with a text: it cannot be held.
uint32_t MACHINE_EXPORT(machine_hold)(struct document *document, uint32_t body, uint32_t particle,
                                      double compliance);
bool MACHINE_EXPORT(machine_pull)(struct document *document, uint32_t grab, double x, double y, double z);
bool MACHINE_EXPORT(machine_let_go)(struct document *document, uint32_t grab);
// Who holds a particle: the id of the grab; 0: nobody.
uint32_t MACHINE_EXPORT(machine_grab_of)(const struct document *document, uint32_t body, uint32_t particle);

uint64_t MACHINE_EXPORT(machine_hash)(const struct document *document);
double MACHINE_EXPORT(machine_tick)(const struct document *document);
double MACHINE_EXPORT(machine_revision)(const struct document *document);

uint32_t MACHINE_EXPORT(machine_bodies)(const struct document *document); // how many there are
// The id of one, in ascending order; 0 where there are no more.
uint32_t MACHINE_EXPORT(machine_body)(const struct document *document, uint32_t position);
// Particles of a body, by its id; 0 where there is none.
uint32_t MACHINE_EXPORT(machine_particles)(const struct document *document, uint32_t body);

// Numbers of a body as they are, of four bytes each: x, y, z of each particle, or of each vertex of its skin, as floats in the
// order in which they were given; indices of particles, or of a skin's vertices, as unsigned integers.
//
// They lie in memory of the module until the next call of machine_array or machine_part, and machine_size says how many bytes
// they are. NULL with a text: there is no such body, or no memory.
enum machine_array {
    MACHINE_POSITIONS,
    MACHINE_VELOCITIES,
    MACHINE_NORMALS,
    MACHINE_SKIN,
    MACHINE_TRIANGLES,
    MACHINE_EDGES,
    MACHINE_TETS,
    MACHINE_SKIN_TRIANGLES,
    MACHINE_ARRAYS,
};
const void *MACHINE_EXPORT(machine_array)(const struct document *document, uint32_t body, uint32_t array);
uint32_t MACHINE_EXPORT(machine_size)(void);

// What the wire says of a moment, as MessagePack: measures (without times), contact, contacts, grabs (without who holds them)
// and the poses of the colliders that motions move as in stream.frame, settings as the parameters of world.create. As of
// machine_array. NULL with a text: no memory.
enum machine_part {
    MACHINE_MEASURES,
    MACHINE_CONTACT,
    MACHINE_CONTACTS,
    MACHINE_GRABS,
    MACHINE_COLLIDERS,
    MACHINE_SETTINGS,
    MACHINE_PARTS,
};
const void *MACHINE_EXPORT(machine_part)(const struct document *document, uint32_t part, uint32_t substep);

#endif
