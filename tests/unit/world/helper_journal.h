// A store in memory for a world of a test, and what comes of the records in it.
#ifndef WEFT_TESTS_UNIT_WORLD_HELPER_JOURNAL_H
#define WEFT_TESTS_UNIT_WORLD_HELPER_JOURNAL_H

#include "base/buffer.h"
#include "helper_world.h"
#include "past/past.h"
#include "protocol/bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { WORLD = 1, TICK_NS = 16666667 };

static inline struct store *store_in_memory(void)
{
    struct store_error error;
    struct store *store = store_open(
        &(struct store_options){.keep_seconds = UINT64_MAX, .keep_bytes = UINT64_MAX, .bin_seconds = 60},
        &error);
    assert_non_null(store);
    return store;
}

// The host does this where a world is made.
static inline void begin_list(struct store *store)
{
    struct protocol_world_create_params settings;
    struct protocol_bytes bytes = {0};
    protocol_defaults(&protocol_world_create_params_type, &settings);
    settings.substeps = 4;
    struct document *document = document_create(&settings);
    assert_non_null(document);
    assert_true(document_image_pack(document, &bytes));
    struct base_buffer *buffer = base_buffer_create(bytes.size, NULL);
    assert_non_null(buffer);
    memcpy(buffer->data, bytes.data, bytes.size);
    const struct store_image head = {.hash = document_hash(document), .maker = sim_solver_version()};
    assert_true(store_create(store, WORLD, "flag", &head, buffer));
    base_buffer_unref(buffer);
    protocol_bytes_deinit(&bytes);
    document_destroy(document);
}

static inline void end_of(struct store *store, struct past_end *end)
{
    struct store_error store_error;
    struct protocol_error error = {0};
    struct store_reader *reader = store_reader_open(store, &store_error);
    assert_non_null(reader);
    struct past *past = past_open(reader, WORLD, &error);
    assert_non_null(past);
    if (!past_end(past, end, &error)) {
        fail_msg("%s", error.text);
    }
    past_close(past);
    store_reader_close(reader);
}

static inline void play(struct helper *helper, uint32_t ticks)
{
    for (uint32_t i = 0; i < ticks; i++) {
        helper->now_ns += TICK_NS;
        helper_turn(helper);
    }
}

static inline void assert_durable(struct helper *helper, uint64_t position, uint64_t revision,
                                  uint64_t records)
{
    struct world_durable durable;
    world_durable(helper->world, position, &durable);
    assert_true(durable.revision == revision);
    assert_true(durable.records == records);
}

#endif
