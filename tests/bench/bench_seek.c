// How long it takes to come to a tick of a world's past: bench_seek [WIDTH [TICKS]].
//
// A square cloth that hangs at its corners, without contact and with it, and a store in memory with images as a server makes
// them: where coming here again from the last one would take 0.4 s. Random ticks, each from nothing; then as a person who scrubs: to and
// fro by a tick, and by a second. Wall time: median, ninth of ten, longest.
#include "base/buffer.h"
#include "base/clock.h"
#include "cloth_document.h"
#include "document/document.h"
#include "past/past.h"
#include "protocol/bytes.h"
#include "protocol/params.h"
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEKS = 40 };
static const double image_cost_s = 0.4;

static void image(struct store *store, const struct document *document, uint64_t position)
{
    struct protocol_bytes bytes = {0};
    if (!document_image_pack(document, &bytes)) {
        exit(1);
    }
    struct base_buffer *buffer = base_buffer_create(bytes.size, NULL);
    memcpy(buffer->data, bytes.data, bytes.size);
    protocol_bytes_deinit(&bytes);
    const struct store_image head = {.position = position,
                                     .tick = document->tick,
                                     .hash = document_hash(document),
                                     .maker = sim_solver_version()};
    if (position == 0 ? !store_create(store, 1, "cloth", &head, buffer)
                      : !store_image_add(store, 1, &head, buffer)) {
        exit(1);
    }
    base_buffer_unref(buffer);
}

static void mark(struct store *store, const struct document *document, uint64_t position)
{
    const struct past_mark told = {.kind = position == 1 ? PAST_MARK_BEGUN : PAST_MARK_TICKS,
                                   .solver = sim_solver_version()};
    struct protocol_bytes bytes = {0};
    msgpack_packer packer;
    msgpack_packer_init(&packer, &bytes, protocol_bytes_write);
    past_mark_pack(&told, &packer);
    const struct store_entry entry = {.position = position,
                                      .tick = document->tick,
                                      .kind = PAST_MARK,
                                      .bytes = bytes.data,
                                      .size = bytes.size};
    if (!store_append(store, 1, 1, &entry, 1)) {
        exit(1);
    }
    protocol_bytes_deinit(&bytes);
}

static uint32_t live(struct store *store, struct document *document, uint64_t ticks)
{
    uint64_t position = 0;
    uint32_t images = 1;
    double cost_s = 0;
    image(store, document, 0);
    mark(store, document, ++position);
    while (document->tick < ticks) {
        const uint64_t from_ns = base_now_ns();
        document_step(document, NULL, NULL);
        cost_s += (double)(base_now_ns() - from_ns) * 1e-9;
        if (document->tick % 6 == 0 || document->tick == ticks) {
            mark(store, document, ++position);
        }
        if (cost_s >= image_cost_s) {
            image(store, document, position);
            images++;
            cost_s = 0;
        }
    }
    return images;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void tell(const char *what, double *ms)
{
    qsort(ms, SEEKS, sizeof *ms, by_value);
    printf("  %-24s %8.1f %8.1f %8.1f ms\n", what, ms[SEEKS / 2], ms[SEEKS * 9 / 10], ms[SEEKS - 1]);
}

static double seek(struct past *past, uint64_t tick, struct document **document)
{
    struct protocol_error error;
    bool exact;
    const uint64_t from_ns = base_now_ns();
    if (!past_seek(past, tick, NULL, document, &exact, &error)) {
        fprintf(stderr, "bench_seek: %s\n", error.text);
        exit(1);
    }
    return (double)(base_now_ns() - from_ns) * 1e-6;
}

static void measure(uint32_t width, uint64_t ticks, bool contact)
{
    const struct store_options options = {.keep_seconds = UINT64_MAX, .keep_bytes = UINT64_MAX};
    struct store_error error;
    struct protocol_error refused;
    double ms[SEEKS];
    uint64_t seed = 16;
    struct store *store = store_open(&options, &error);
    struct document *document = bench_cloth_document(
                        &(struct bench_cloth){.width = width, .thickness = contact ? 0.0015 : 0}),
                    *at = NULL;
    if (!store || !document) {
        exit(1);
    }
    const uint64_t from_ns = base_now_ns();
    const uint32_t images = live(store, document, ticks);
    printf("%u x %u%s, %llu ticks of %.2f ms, %u images\n", width, width, contact ? " with contact" : "",
           (unsigned long long)ticks, (double)(base_now_ns() - from_ns) * 1e-6 / (double)ticks, images);
    struct store_reader *reader = store_reader_open(store, &error);
    for (int s = 0; s < SEEKS; s++) {
        struct past *past = past_open(reader, 1, &refused);
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
        ms[s] = seek(past, (seed >> 33) % (ticks + 1), &at);
        document_destroy(at);
        at = NULL;
        past_close(past);
    }
    tell("anywhere, from nothing", ms);
    struct past *past = past_open(reader, 1, &refused);
    seek(past, ticks * 3 / 4, &at);
    for (int s = 0; s < SEEKS; s++) {
        ms[s] = seek(past, ticks * 3 / 4 - 1 - (uint64_t)s, &at);
    }
    tell("back by a tick", ms);
    for (int s = 0; s < SEEKS; s++) {
        ms[s] = seek(past, ticks * 3 / 4 - 60 * (uint64_t)(s % 2), &at);
    }
    tell("to and fro by a second", ms);
    document_destroy(at);
    past_close(past);
    store_reader_close(reader);
    document_destroy(document);
    store_close(store);
}

int main(int argc, char **argv)
{
    const uint32_t width = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 100;
    const uint64_t ticks = argc > 2 ? strtoull(argv[2], NULL, 10) : 1800;
    measure(width, ticks, false);
    measure(width, ticks > 300 ? 300 : ticks, true);
    return 0;
}
