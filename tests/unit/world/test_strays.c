// Grabs of a world that goes on at another server.
#include "base/buffer.h"
#include "helper_world.h"
#include "past/past.h"
#include "world/edit/strays.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WORLD = 1 };

static struct store *store_in_memory(void)
{
    struct store_error error;
    struct store *store = store_open(
        &(struct store_options){.keep_seconds = UINT64_MAX, .keep_bytes = UINT64_MAX, .bin_seconds = 60},
        &error);
    assert_non_null(store);
    return store;
}

// The host does this where a world is made.
static void begin_list(struct store *store)
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

static void end_of(struct store *store, struct past_end *end)
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

// Ann holds particle 3, bob 5 and 7, and somebody without a name 9; then the world goes on elsewhere.
static struct helper *moved_elsewhere(struct store *store)
{
    struct helper *helper = helper_create_kept(NULL, store, NULL, NULL);
    helper_cloth(helper, HELPER_ANN, 4, 1, "cloth");
    static const struct {
        uint32_t session;
        const char *grab;
    } grabs[] = {
        {HELPER_ANN, "{'world': 1, 'body': 1, 'particle': 3, 'target': [0, 2, 0]}"},
        {HELPER_BOB, "{'world': 1, 'body': 1, 'particle': 5, 'target': [0, 2, 0]}"},
        {HELPER_BOB, "{'world': 1, 'body': 1, 'particle': 7, 'target': [0, 2, 0]}"},
        {HELPER_EVE, "{'world': 1, 'body': 1, 'particle': 9, 'target': [0, 2, 0]}"},
    };
    for (size_t i = 0; i < sizeof grabs / sizeof *grabs; i++) {
        helper_call(helper, grabs[i].session, "grab.begin", grabs[i].grab);
    }
    helper_destroy(helper);

    struct past_end end;
    struct store_error store_error;
    struct protocol_error error = {0};
    struct store_reader *reader = store_reader_open(store, &store_error);
    struct past *past = past_open(reader, WORLD, &error);
    assert_true(past && past_end(past, &end, &error));
    struct world_kept kept = {.epoch = store_take_over(store, WORLD, &store_error),
                              .position = end.position,
                              .sequence = end.sequence};
    struct world_held *held = world_held_of(past, end.document, &kept.held_count);
    assert_int_equal(kept.held_count, 4);
    assert_string_equal(held[0].user, "ann");
    assert_string_equal(held[2].user, "bob");
    assert_int_equal(held[2].session, HELPER_BOB);
    snprintf(held[3].user, sizeof held[3].user, "session-%u", held[3].session);
    kept.held = held;
    past_close(past);
    store_reader_close(reader);
    helper = helper_create_kept(NULL, store, end.document, &kept);
    document_destroy(end.document);
    free(held);
    helper_turn(helper);
    assert_int_equal(sim_grab_count(helper->world->document->sim), 4);
    return helper;
}

static uint32_t holder_of(const struct helper *helper, uint32_t grab)
{
    const struct world_holder *holder = world_holders_find(helper->world->people, grab);
    return holder ? holder->session : UINT32_MAX;
}

static void what_is_held_goes_on_where_the_world_moves(void **state)
{
    (void)state;
    struct store *store = store_in_memory();
    begin_list(store);
    struct helper *helper = moved_elsewhere(store);
    const char *denied =
        helper_error(helper, HELPER_BOB, "grab.move", "{'world': 1, 'grab': 1, 'target': [0, 3, 0]}");
    assert_string_equal(denied, "DENIED: grab 1 belongs to ann");
    const struct world_holder *unnamed = world_holders_find(helper->world->people, 4);
    assert_true(world_stray_is_of(unnamed, &(struct world_asker){.session = 77, .user = "session-77"}));
    assert_false(world_stray_is_of(unnamed, &(struct world_asker){.session = 77, .user = "session-3"}));
    assert_false(world_stray_is_of(unnamed, &(struct world_asker){.session = 77, .user = "ann"}));
    helper_call(helper, HELPER_BOB, "grab.move", "{'world': 1, 'grab': 2, 'target': [0, 3, 0]}");
    assert_int_equal(holder_of(helper, 2), HELPER_BOB);
    // A client that begins again has released its grabs.
    const msgpack_object *begun = helper_call(helper, HELPER_BOB, "grab.begin",
                                              "{'world': 1, 'body': 1, 'particle': 7, 'target': [0, 3, 0]}");
    assert_true(helper_number(begun, "grab") == 5);
    assert_int_equal(holder_of(helper, 3), UINT32_MAX);
    // Ann has joined, and holds still for as long as she likes; nobody comes for what is left.
    helper_call(helper, HELPER_ANN, "world.join", "{'world': 1}");
    helper->now_ns += UINT64_C(9000000000);
    helper_turn(helper);
    assert_int_equal(sim_grab_count(helper->world->document->sim), 4);
    helper->now_ns += UINT64_C(2000000000);
    helper_turn(helper);
    assert_int_equal(sim_grab_count(helper->world->document->sim), 3);
    assert_int_equal(holder_of(helper, 4), UINT32_MAX);
    assert_int_equal(holder_of(helper, 1), 0);
    helper_call(helper, HELPER_ANN, "grab.end", "{'world': 1, 'grab': 1}");
    helper_call(helper, HELPER_BOB, "grab.end", "{'world': 1, 'grab': 2}");
    helper_call(helper, HELPER_BOB, "grab.end", "{'world': 1, 'grab': 5}");
    struct past_end end; // all of that is in its records
    end_of(store, &end);
    assert_int_equal(sim_grab_count(end.document->sim), 0);
    assert_true(document_hash(end.document) == document_hash(helper->world->document));
    document_destroy(end.document);
    helper_destroy(helper);
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_held_goes_on_where_the_world_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
