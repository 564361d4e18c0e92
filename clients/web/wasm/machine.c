// The calls of machine.h: each is one of the document's.
#include "machine.h"
#include "crew.h"

#include "document/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

const char *machine_text(void)
{
    return text;
}

void *machine_alloc(size_t size)
{
    return malloc(size > 0 ? size : 1);
}

void machine_free(void *bytes)
{
    free(bytes);
}

struct document *machine_open(const void *bytes, size_t size, uint32_t kind)
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

void machine_close(struct document *document)
{
    document_destroy(document);
}

bool machine_apply(struct document *document, const void *bytes, size_t size)
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

bool machine_step(struct document *document)
{
    if (!document->failed) {
        document_step(document, machine_crew(), NULL);
    }
    if (document->failed) {
        snprintf(text, sizeof text, "FAILED: %s", document->reason);
    }
    return !document->failed;
}

uint64_t machine_hash(const struct document *document)
{
    return document_hash(document);
}

double machine_tick(const struct document *document)
{
    return (double)document->tick;
}

double machine_revision(const struct document *document)
{
    return (double)document->revision;
}

uint32_t machine_bodies(const struct document *document)
{
    return document->bodies.count;
}

uint32_t machine_body(const struct document *document, uint32_t position)
{
    return position < document->bodies.count ? document->bodies.items[position].id : 0;
}

uint32_t machine_particles(const struct document *document, uint32_t body)
{
    const struct document_thing *thing = document_things_by_id(&document->bodies, body);
    return thing != NULL ? thing->particle_count : 0;
}

void machine_positions(const struct document *document, uint32_t body, float *out)
{
    const uint32_t count = machine_particles(document, body);
    if (count > 0) {
        sim_body_positions(document->sim, body, 0, count, out);
    }
}
