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

#if defined(__wasm__)
#define MACHINE_EXPORT(name) __attribute__((export_name(#name))) name
#else
#define MACHINE_EXPORT(name) name
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
// One tick. False where it failed, or one before it did: world.reset mends it.
bool MACHINE_EXPORT(machine_step)(struct document *document);

uint64_t MACHINE_EXPORT(machine_hash)(const struct document *document);
double MACHINE_EXPORT(machine_tick)(const struct document *document);
double MACHINE_EXPORT(machine_revision)(const struct document *document);

uint32_t MACHINE_EXPORT(machine_bodies)(const struct document *document); // how many there are
// The id of one, in ascending order; 0 where there are no more.
uint32_t MACHINE_EXPORT(machine_body)(const struct document *document, uint32_t position);
// Particles of a body, by its id; 0 where there is none.
uint32_t MACHINE_EXPORT(machine_particles)(const struct document *document, uint32_t body);
// x, y, z of each of them, in the order in which they were given: room for 3 machine_particles.
void MACHINE_EXPORT(machine_positions)(const struct document *document, uint32_t body, float *out);

#endif
