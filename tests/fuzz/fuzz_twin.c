// Messages of a server to a twin: maps of stream.records, one after another, each behind its size (two bytes).
//
// Besides not crashing and not leaking: a refusal has a text and loses the twin; the twin never runs beyond its last
// mark; inputs that wait stay within their bounds.
#include "fuzz.h"

#include "document/document.h"
#include "protocol/unpack.h"
#include "twin/twin.h"

enum { FUZZ_BYTES_MAX = 65536, FUZZ_TICKS_MAX = 8, FUZZ_WORK_MAX = 20000 };

// Ticks that do not take long.
static void run(struct twin *twin)
{
    for (int ticks = 0; ticks < FUZZ_TICKS_MAX; ticks++) {
        const struct document *document = twin_document(twin);
        if (!document) {
            return;
        }
        const uint64_t work = (uint64_t)sim_settings_of(document->sim)->substeps *
                              (sim_particle_count(document->sim) + sim_constraint_count(document->sim));
        if (!twin_step(twin, work > FUZZ_WORK_MAX ? 0 : UINT64_MAX, NULL, NULL)) {
            return;
        }
        const struct twin_state state = twin_state(twin);
        FUZZ_ASSERT(state.lost || state.tick <= state.told_tick);
    }
}

static void take(struct twin *twin, const uint8_t *data, size_t size)
{
    msgpack_zone zone;
    msgpack_object params;
    struct protocol_error error = {0};
    FUZZ_ASSERT(msgpack_zone_init(&zone, 4096));
    if (protocol_unpack(data, size, &zone, &params) && !twin_take(twin, &params, 1000, &error)) {
        FUZZ_ASSERT(error.text[0] != '\0' && twin_state(twin).lost);
    }
    msgpack_zone_destroy(&zone);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct twin_bounds bounds = {.image_bytes = FUZZ_BYTES_MAX, .waiting_bytes = FUZZ_BYTES_MAX};
    if (size > FUZZ_BYTES_MAX) {
        return 0;
    }
    struct twin *twin = twin_create(&bounds);
    FUZZ_ASSERT(twin);
    while (size >= 2) {
        const size_t given = (size_t)data[0] | (size_t)data[1] << 8, left = size - 2;
        const size_t taken = given < left ? given : left;
        take(twin, data + 2, taken);
        run(twin);
        data += 2 + taken;
        size -= 2 + taken;
    }
    twin_destroy(twin);
    return 0;
}
