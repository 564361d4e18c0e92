// Makes a world from its records alone, as anybody with the records can.
#include "simulator.h"

#include "document/document.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct document *begin(const struct known_world *world, char *text, size_t size)
{
    struct protocol_error error = {0};
    struct document *document;
    if (world->document.size > 0) {
        document = document_from(world->document.data, world->document.size, &error);
    } else {
        struct protocol_world_create_params settings;
        protocol_defaults(&protocol_world_create_params_type, &settings);
        settings.substeps = world->substeps;
        document = document_create(&settings);
    }
    if (document == NULL) {
        snprintf(text, size, "the first document cannot be made: %s", error.text);
    }
    return document;
}

// False if a tick failed before it: the one that comes to it may, since that is a world that failed there.
static bool step_to(struct document *document, uint64_t tick)
{
    while (document->tick < tick && !document->failed) {
        document_step(document, NULL, NULL);
    }
    return document->tick == tick;
}

bool replay_world(const struct known_world *world, const msgpack_object *records, uint64_t tick,
                  char hash[17], char *text, size_t size)
{
    struct document *document = begin(world, text, size);
    bool good = document != NULL;
    for (uint32_t i = 0; good && i < records->via.array.size; i++) {
        const msgpack_object_bin *bin = &records->via.array.ptr[i].via.bin;
        struct document_record record;
        struct protocol_error error = {0};
        msgpack_zone zone;
        msgpack_zone_init(&zone, 2048);
        good = document_record_read(bin->ptr, bin->size, &zone, &record, &error) &&
               record.sequence == i + 1 && step_to(document, record.tick) &&
               document_replay(document, &record, &zone, &error);
        if (!good) {
            snprintf(text, size, "record %" PRIu32 " (%s): %s", i + 1, protocol_methods[record.method].name,
                     document->failed ? document->reason : error.text);
        }
        msgpack_zone_destroy(&zone);
    }
    if (good && !step_to(document, tick)) {
        snprintf(text, size, "a tick failed that did not in the world: %s", document->reason);
        good = false;
    }
    if (good) {
        snprintf(hash, 17, "%016" PRIx64, document_hash(document));
    }
    document_destroy(document);
    return good;
}
