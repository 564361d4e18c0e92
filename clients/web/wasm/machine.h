// The document as a module of WebAssembly: the functions that it exports for src/lib/machine.ts. It is the server's own
// code, so it gets the same hash at each tick.
//
// The caller passes and gets plain numbers: pointers are offsets into the module's memory, and a machine is one too. A
// function that fails returns false or NULL, with a text "CODE: text" that is valid until the next call. A module
// belongs to one thread.
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

// Memory for bytes that go in and out. NULL if memory runs out, without a text.
void *MACHINE_EXPORT(machine_alloc)(size_t size);
void MACHINE_EXPORT(machine_free)(void *bytes);

// Blocks of memory for bytes, which the caller allocates and frees.
enum machine_kind { MACHINE_IMAGE, MACHINE_DOCUMENT };
struct document *MACHINE_EXPORT(machine_open)(const void *bytes, size_t size, uint32_t kind);
void MACHINE_EXPORT(machine_close)(struct document *document);

// Applies one record of the document's present tick. If the result is not the record's, the document must not be used
// further.
bool MACHINE_EXPORT(machine_apply)(struct document *document, const void *bytes, size_t size);
// Runs one tick. False if it failed, or an earlier one did: edit.undo and world.reset repair that. If it is watched,
// machine_substep is called after each substep s = 1, 2, …; arrays and parts that are read then belong to that moment.
bool MACHINE_EXPORT(machine_step)(struct document *document, uint32_t watched);
bool MACHINE_EXPORT(machine_failed)(const struct document *document);
void MACHINE_IMPORT(machine_substep)(uint32_t substep);
// Whether ticks from now on record contact points (MACHINE_CONTACTS). The state does not depend on it.
void MACHINE_EXPORT(machine_show_contacts)(struct document *document, uint32_t wanted);

// Running ahead: after a mark the document may be stepped, and held with the functions below, and then goes back to the
// mark, bit for bit. No record may be applied in between, and there is one mark at a time.
//
//     mark ─▶ hold, pull, let go, step … ─▶ arrays, parts ─▶ back
//
// NULL with a text: memory runs out, or the document failed.
struct machine_mark *MACHINE_EXPORT(machine_mark)(struct document *document);
void MACHINE_EXPORT(machine_back)(struct document *document, struct machine_mark *mark); // frees the mark
// Begins a grab of a particle at its present place. 0 with a text: it cannot be held.
uint32_t MACHINE_EXPORT(machine_hold)(struct document *document, uint32_t body, uint32_t particle,
                                      double compliance);
bool MACHINE_EXPORT(machine_pull)(struct document *document, uint32_t grab, double x, double y, double z);
bool MACHINE_EXPORT(machine_let_go)(struct document *document, uint32_t grab);
// Id of the grab that holds a particle; 0: none.
uint32_t MACHINE_EXPORT(machine_grab_of)(const struct document *document, uint32_t body, uint32_t particle);

uint64_t MACHINE_EXPORT(machine_hash)(const struct document *document);
double MACHINE_EXPORT(machine_tick)(const struct document *document);
double MACHINE_EXPORT(machine_revision)(const struct document *document);

uint32_t MACHINE_EXPORT(machine_bodies)(const struct document *document); // number of bodies
// Id of a body, in ascending order; 0 after the last.
uint32_t MACHINE_EXPORT(machine_body)(const struct document *document, uint32_t position);
// Number of particles of a body, by its id; 0 if it does not exist.
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
    MACHINE_ROTATIONS, // four floats for each particle; none of a body without orientations
    MACHINE_ARRAYS,
};
const void *MACHINE_EXPORT(machine_array)(const struct document *document, uint32_t body, uint32_t array);
uint32_t MACHINE_EXPORT(machine_size)(void);

// A part of a frame, as MessagePack on the wire: measures (without times), contact, contacts, grabs (without people)
enum machine_part {
    MACHINE_MEASURES,
    MACHINE_CONTACT,
    MACHINE_CONTACTS,
    MACHINE_GRABS,
    MACHINE_COLLIDERS,
    MACHINE_SETTINGS,
    MACHINE_ASLEEP, // ids of the bodies that sleep, ascending
    MACHINE_PARTS,
};
const void *MACHINE_EXPORT(machine_part)(const struct document *document, uint32_t part, uint32_t substep);

#endif
