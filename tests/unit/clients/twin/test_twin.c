// Streams of records and twins: random programs in a world with several sessions, and beside it twins that came at different
// times and know nothing but what was streamed to them.
#include "helper_program.h"
#include "helper_wire.h"

#include "base/buffer.h"
#include "document/document.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { TWINS = 3, EDITS = PROGRAM_EDITS, TICK_NS = 17 * 1000 * 1000 };

// At a boundary of which all was told.
static void same(const struct wire *wire, const struct helper *helper)
{
    const struct document *world = helper->world->document, *twin = twin_document(wire->twin);
    const struct twin_state state = twin_state(wire->twin);
    if (state.lost || state.differences > 0) {
        fail_msg("twin %u: %s", wire->stream, state.text);
    }
    assert_non_null(twin);
    if (state.tick != world->tick || state.told_tick != world->tick ||
        state.sequence != helper->world->keep->records.next) {
        fail_msg("twin %u stands at tick %llu, was told %llu, record %llu; the world is at %llu, record %llu",
                 wire->stream, (unsigned long long)state.tick, (unsigned long long)state.told_tick,
                 (unsigned long long)state.sequence, (unsigned long long)world->tick,
                 (unsigned long long)helper->world->keep->records.next);
    }
    assert_true(twin->failed == world->failed);
    if (!world->failed) {
        assert_true(document_hash(twin) == document_hash(world));
    }
}

static void take(struct wire *wires, struct helper *helper)
{
    for (int i = 0; i < TWINS; i++) {
        wire_take(&wires[i], helper);
    }
    helper_forget(helper);
}

// Until nothing is owed.
static void settle(struct wire *wires, struct helper *helper)
{
    const struct world_twins *twins = helper->world->twins;
    bool owes = true;
    for (int tries = 0; owes && tries < 100000; tries++) {
        helper->now_ns += helper->world->time->state == WORLD_PLAYING ? TICK_NS : 0;
        helper_turn(helper);
        take(wires, helper);
        owes = twins->pending_count > 0 || twins->told.tick != helper->world->document->tick;
        for (uint32_t i = 0; i < twins->count; i++) {
            owes = owes || twins->items[i].stage != WORLD_TWIN_RUNS;
        }
        if (owes) {
            usleep(500); // images are made beside, and rest
        }
    }
    for (int i = 0; i < TWINS; i++) {
        if (wires[i].twin && !helper->world->document->failed) {
            same(&wires[i], helper);
        }
    }
}

static void random_turn(struct wire *wires, struct helper *helper)
{
    struct program_input input;
    program_choose(&input);
    helper_post(helper, program_below(2) ? HELPER_ANN : HELPER_BOB, input.method, input.notation);
    if (program_below(12) == 0) {
        helper_post(helper, HELPER_ANN, program_below(2) ? "world.play" : "world.pause", "{'world': 1}");
    } else if (program_below(4) == 0) {
        helper_post(helper, HELPER_EVE, "world.step", "{'world': 1, 'ticks': 2}");
    } else if (program_below(16) == 0) {
        world_post_gone(helper->world, HELPER_BOB);
    } else if (program_below(8) == 0) {
        helper_post(helper, HELPER_ANN, program_below(3) ? "edit.undo" : "edit.redo", "{'world': 1}");
    }
    helper->now_ns += TICK_NS;
    helper_turns(helper, 1 + program_below(3));
    // Now and then the loop is late.
    if (program_below(3) > 0) {
        take(wires, helper);
    }
}

static void live(uint32_t program, uint64_t *hashes, uint64_t *records)
{
    struct wire wires[TWINS] = {{0}};
    program_begin(program + program % 2 * 101); // every other one with all kinds, or pressure
    struct helper *helper = helper_create(NULL);
    helper->world->twins->hash_ns = 0;
    if (program % 8 == 7) {
        helper_cloth(helper, HELPER_ANN, 50, 1, "large"); // images are made beside it
    }
    wire_begin(&wires[0], helper, HELPER_EVE);
    for (uint32_t i = 0; i < EDITS; i++) {
        random_turn(wires, helper);
        if (i == EDITS / 3) {
            wire_begin(&wires[1], helper, HELPER_ANN);
        }
        if (i == EDITS / 2 && !helper->world->document->failed) {
            settle(wires, helper);
        }
        if (i == EDITS / 2 && wires[1].twin) {
            wire_end(&wires[1]);
            wire_begin(&wires[2], helper, HELPER_EVE + 1);
        }
    }
    helper_post(helper, HELPER_EVE, "world.pause", "{'world': 1}");
    helper_turns(helper, 2);
    helper_post(helper, HELPER_EVE, "world.reset", "{'world': 1}"); // mends what failed
    settle(wires, helper);
    for (int i = 0; i < TWINS; i++) {
        if (wires[i].twin) {
            *hashes += twin_state(wires[i].twin).hashes;
            *records += twin_state(wires[i].twin).applied;
            wire_end(&wires[i]);
        }
    }
    helper_destroy(helper);
}

static void a_twin_is_where_its_world_is(void **state)
{
    (void)state;
    const uint32_t programs = program_count() / 4;
    uint64_t hashes = 0, records = 0;
    for (uint32_t program = 0; program < programs; program++) {
        live(program, &hashes, &records);
    }
    assert_true(hashes > programs && records > (uint64_t)programs * EDITS / 3);
}

// ---------------------------------------------------------------------------------------------------------

static void what_makes_no_sense_is_refused_by_name(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    const char *const given[][2] = {
        {"bodies", "[]"}, {"fields", "['positions']"}, {"every", "2"}, {"unit", "'tick'"}};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        char text[128], expected[64];
        snprintf(text, sizeof text, "{'world': 1, 'encoding': 'records', '%s': %s}", given[i][0],
                 given[i][1]);
        snprintf(expected, sizeof expected, "INVALID: %s: ", given[i][0]);
        const char *refused = helper_error(helper, HELPER_ANN, "stream.subscribe", text);
        assert_memory_equal(refused, expected, strlen(expected));
    }
    assert_int_equal(helper->world->twins->count, 0);
    helper_call(helper, HELPER_ANN, "stream.subscribe", "{'world': 1, 'encoding': 'records'}");
    char text[64];
    snprintf(text, sizeof text, "{'stream': %u, 'every': 2}", helper->stream - 1);
    assert_non_null(strstr(helper_error(helper, HELPER_ANN, "stream.set", text), "has records"));
    assert_non_null(strstr(helper_error(helper, HELPER_BOB, "stream.unsubscribe", text + 0), "INVALID"));
    snprintf(text, sizeof text, "{'stream': %u}", helper->stream - 1);
    assert_non_null(strstr(helper_error(helper, HELPER_BOB, "stream.unsubscribe", text), "NOT_FOUND"));
    helper_call(helper, HELPER_ANN, "stream.unsubscribe", text);
    assert_int_equal(helper->world->twins->count, 0);
    helper_destroy(helper);
}

static void a_view_of_the_past_has_none(void **state)
{
    (void)state;
    struct helper *world = helper_create(NULL);
    struct protocol_world_create_params settings;
    document_settings(world->world->document, &settings);
    struct helper *view = helper_create_view(document_create(&settings));
    assert_non_null(
        strstr(helper_error(view, HELPER_ANN, "stream.subscribe", "{'world': 1, 'encoding': 'records'}"),
               "view of the past"));
    helper_destroy(view);
    helper_destroy(world);
}

static void a_resting_world_says_nothing(void **state)
{
    (void)state;
    struct wire wires[TWINS] = {{0}};
    struct helper *helper = helper_create(NULL);
    helper_cloth(helper, HELPER_ANN, 4, 1, "sail");
    wire_begin(&wires[0], helper, HELPER_ANN);
    settle(wires, helper);
    // Its hash is owed yet.
    helper->world->twins->hash_ns = 0;
    for (int tries = 0; helper->deadline != UINT64_MAX && tries < 100000; tries++) {
        usleep(100);
        helper_turn(helper);
    }
    take(wires, helper);
    assert_true(twin_state(wires[0].twin).same_tick == helper->world->document->tick);
    const uint64_t messages = wires[0].messages;
    for (int i = 0; i < 100; i++) {
        helper->now_ns += TICK_NS;
        helper_turn(helper);
        assert_true(helper->deadline == UINT64_MAX);
    }
    take(wires, helper);
    assert_true(wires[0].messages == messages);
    helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 3}");
    helper_turns(helper, 4);
    settle(wires, helper);
    assert_true(wires[0].messages > messages);
    wire_end(&wires[0]);
    helper_destroy(helper);
}

static void those_who_are_late_begin_anew_and_nothing_is_lost(void **state)
{
    (void)state;
    struct wire wires[TWINS] = {{0}};
    struct helper *helper = helper_create(NULL);
    helper_cloth(helper, HELPER_ANN, 4, 1, "sail");
    wire_begin(&wires[0], helper, HELPER_EVE);
    settle(wires, helper);
    // The loop takes nothing, and records keep coming: more than have room.
    const uint32_t large = 2000;
    for (int edits = 0; edits < 60; edits++) {
        char *text = malloc(large * 32);
        size_t size = (size_t)sprintf(text, "{'world': 1, 'kind': 'points', 'masses': 1, 'positions': [");
        for (uint32_t i = 0; i < large; i++) {
            size += (size_t)sprintf(text + size, "%s%u.5, 9, %d", i ? ", " : "", i, edits);
        }
        sprintf(text + size, "]}");
        helper_post(helper, HELPER_ANN, "body.add", text);
        helper_turn_only(helper);
        free(text);
    }
    settle(wires, helper);
    assert_true(twin_state(wires[0].twin).images > 1);
    wire_end(&wires[0]);
    helper_destroy(helper);
}

static void messages_are_shared_and_packed_once(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_cloth(helper, HELPER_ANN, 4, 1, "sail");
    for (uint32_t i = 0; i < 20; i++) {
        helper_post(helper, 10 + i, "stream.subscribe", "{'world': 1, 'encoding': 'records'}");
    }
    helper_turns(helper, 3);
    helper_forget(helper);
    helper_call(helper, HELPER_ANN, "world.step", "{'world': 1}");
    helper_turn(helper);
    const struct world_event *event = helper_event(helper, WORLD_RECORDS, 0);
    assert_int_equal(event->batch_count, 20);
    for (uint32_t i = 1; i < event->batch_count; i++) {
        assert_ptr_equal(event->batches[i]->frames[0], event->batches[0]->frames[0]);
        assert_true(event->batches[i]->lossless && !event->batches[i]->anew);
    }
    helper_destroy(helper);
}

static void budget_set(struct helper *helper, size_t limit)
{
    base_budget_release(helper->world->frames->budget);
    helper->world->frames->budget = base_budget_create(limit);
    helper->world->frames->snapshot.budget = helper->world->frames->budget;
    assert_non_null(helper->world->frames->budget);
}

// Turns until something is told of what could not be made.
static const struct world_miss *lack_of(struct helper *helper)
{
    for (int tries = 0; helper_count(helper, WORLD_LACK) == 0 && tries < 100000; tries++) {
        usleep(1000);
        helper_turn(helper);
    }
    return &helper_event(helper, WORLD_LACK, 0)->misses[0];
}

static void an_image_larger_than_all_frames_ends_its_stream(void **state)
{
    (void)state;
    // One world's image is made within a turn, the other's beside it.
    for (uint32_t side = 10; side <= 50; side += 40) {
        struct helper *helper = helper_create(NULL);
        helper_cloth(helper, HELPER_ANN, side, 1, "sail");
        budget_set(helper, 1000);
        const uint32_t stream = helper->stream;
        helper_post(helper, HELPER_ANN, "stream.subscribe", "{'world': 1, 'encoding': 'records'}");
        const struct world_miss *miss = lack_of(helper);
        assert_int_equal(miss->stream, stream);
        assert_int_equal(miss->lack, WORLD_LACK_SIZE);
        assert_int_equal(helper->world->twins->count, 0);
        helper_destroy(helper);
    }
}

static void without_room_it_waits_and_who_holds_it_is_told_of(void **state)
{
    (void)state;
    struct wire wires[TWINS] = {{0}};
    struct helper *helper = helper_create(NULL);
    helper_cloth(helper, HELPER_ANN, 10, 1, "sail");
    budget_set(helper, 1 << 20);
    struct base_buffer *held = base_buffer_create((1 << 20) - 1000, helper->world->frames->budget);
    wire_begin(&wires[0], helper, HELPER_EVE);
    assert_int_equal(lack_of(helper)->lack, WORLD_LACK_ROOM);
    helper_forget(helper);
    base_buffer_unref(held);
    settle(wires, helper);
    // A twin that runs starts again from an image if a message finds no room.
    held = base_buffer_create((1 << 20) - base_budget_used(helper->world->frames->budget),
                              helper->world->frames->budget);
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'substeps': 7}");
    take(wires, helper);
    base_buffer_unref(held);
    settle(wires, helper);
    assert_int_equal(twin_state(wires[0].twin).images, 2);
    wire_end(&wires[0]);
    helper_destroy(helper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_twin_is_where_its_world_is),
        cmocka_unit_test(what_makes_no_sense_is_refused_by_name),
        cmocka_unit_test(a_view_of_the_past_has_none),
        cmocka_unit_test(a_resting_world_says_nothing),
        cmocka_unit_test(those_who_are_late_begin_anew_and_nothing_is_lost),
        cmocka_unit_test(messages_are_shared_and_packed_once),
        cmocka_unit_test(an_image_larger_than_all_frames_ends_its_stream),
        cmocka_unit_test(without_room_it_waits_and_who_holds_it_is_told_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
