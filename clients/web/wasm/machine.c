// The document as a module of WebAssembly: what src/lib/machine.ts calls. The same code that the server runs comes to the same
// hash at each tick here.
//
// Parameters and results are plain numbers; pointers are places in the module's memory, and a machine is one too, 0 where there
// is none. Whatever fails says why in one text, which holds until the next call. A tick past 2^53 is no concern.
#include "document/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name))) name

// What the bytes are that a machine is made of.
enum { MACHINE_IMAGE, MACHINE_DOCUMENT };

// Sizes have 32 bits here: of no more than so many bytes is anything made whose size would not fit.
enum { MACHINE_BYTES_MAX = 1 << 27 };

static char text[PROTOCOL_TEXT_MAX + 32];

static void say(const struct protocol_error *error)
{
    snprintf(text, sizeof text, "%s: %s", protocol_codes[error->code].name, error->text);
}

static bool fits(size_t size)
{
    if (size > MACHINE_BYTES_MAX) {
        snprintf(text, sizeof text, "LIMIT: %lu bytes; in a browser at most %d", (unsigned long)size,
                 MACHINE_BYTES_MAX);
    }
    return size <= MACHINE_BYTES_MAX;
}

const char *EXPORT(machine_text)(void);
const char *EXPORT(machine_text)(void)
{
    return text;
}

// For bytes that come in and go out; 0 without memory.
void *EXPORT(machine_alloc)(size_t size);
void *EXPORT(machine_alloc)(size_t size)
{
    return malloc(size > 0 ? size : 1);
}

void EXPORT(machine_free)(void *bytes);
void EXPORT(machine_free)(void *bytes)
{
    free(bytes);
}

struct document *EXPORT(machine_open)(const void *bytes, size_t size, uint32_t kind);
struct document *EXPORT(machine_open)(const void *bytes, size_t size, uint32_t kind)
{
    struct protocol_error error = {0};
    if (!fits(size)) {
        return NULL;
    }
    struct document *document =
        kind == MACHINE_IMAGE ? document_image_read(bytes, size, &error) : document_from(bytes, size, &error);
    if (document == NULL) {
        say(&error);
    }
    return document;
}

void EXPORT(machine_close)(struct document *document);
void EXPORT(machine_close)(struct document *document)
{
    document_destroy(document);
}

// One record. Where the document came to another result than it, false, and the document is of no use any more.
bool EXPORT(machine_apply)(struct document *document, const void *bytes, size_t size);
bool EXPORT(machine_apply)(struct document *document, const void *bytes, size_t size)
{
    struct document_record record;
    struct protocol_error error = {0};
    msgpack_zone zone;
    if (!fits(size)) {
        return false;
    }
    if (!msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE)) {
        snprintf(text, sizeof text, "MEMORY: no memory for a record");
        return false;
    }
    const bool applied = document_record_read(bytes, size, &zone, &record, &error) &&
                         document_replay(document, &record, &zone, &error);
    msgpack_zone_destroy(&zone);
    if (!applied) {
        say(&error);
    }
    return applied;
}

// One tick. False where it failed, or one before it did: world.reset mends it.
bool EXPORT(machine_step)(struct document *document);
bool EXPORT(machine_step)(struct document *document)
{
    if (!document->failed) {
        document_step(document, NULL, NULL);
    }
    if (document->failed) {
        snprintf(text, sizeof text, "FAILED: %s", document->reason);
    }
    return !document->failed;
}

uint64_t EXPORT(machine_hash)(const struct document *document);
uint64_t EXPORT(machine_hash)(const struct document *document)
{
    return document_hash(document);
}

double EXPORT(machine_tick)(const struct document *document);
double EXPORT(machine_tick)(const struct document *document)
{
    return (double)document->tick;
}

double EXPORT(machine_revision)(const struct document *document);
double EXPORT(machine_revision)(const struct document *document)
{
    return (double)document->revision;
}

uint32_t EXPORT(machine_bodies)(const struct document *document);
uint32_t EXPORT(machine_bodies)(const struct document *document)
{
    return document->bodies.count;
}

// By ascending id; 0 where there are no more.
uint32_t EXPORT(machine_body)(const struct document *document, uint32_t position);
uint32_t EXPORT(machine_body)(const struct document *document, uint32_t position)
{
    return position < document->bodies.count ? document->bodies.items[position].id : 0;
}

// Of a body; 0 where there is none.
uint32_t EXPORT(machine_particles)(const struct document *document, uint32_t body);
uint32_t EXPORT(machine_particles)(const struct document *document, uint32_t body)
{
    const struct document_thing *thing = document_things_by_id(&document->bodies, body);
    return thing != NULL ? thing->particle_count : 0;
}

// x, y, z of each of these: room for 3 machine_particles.
void EXPORT(machine_positions)(const struct document *document, uint32_t body, float *out);
void EXPORT(machine_positions)(const struct document *document, uint32_t body, float *out)
{
    const uint32_t count = machine_particles(document, body);
    if (count > 0) {
        sim_body_positions(document->sim, body, 0, count, out);
    }
}
