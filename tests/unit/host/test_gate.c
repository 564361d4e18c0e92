// Answers that wait for their records, answers that pass them, their order, and their cost.
#include "base/buffer.h"
#include "host/gate.h"
#include "protocol/generated/api.h"
#include "world/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// An answer for one session, or for all, with this many bytes.
static struct world_event *event_of(enum world_event_kind kind, uint64_t position, uint32_t session,
                                    size_t bytes, struct base_budget *budget)
{
    struct world_event *event = calloc(1, sizeof *event);
    assert_non_null(event);
    event->kind = kind;
    event->position = position;
    event->session = session;
    event->bytes[0] = bytes > 0 ? base_buffer_create(bytes, budget) : NULL;
    return event;
}

static void expect_pass(struct host_gate *gate, enum world_event_kind kind, uint64_t position)
{
    struct world_event *event = event_of(kind, position, 1, 0, NULL);
    assert_ptr_equal(host_gate_pass(gate, event), event);
    world_event_destroy(event);
}

static void hold(struct host_gate *gate, enum world_event_kind kind, uint64_t position, uint32_t session)
{
    assert_null(host_gate_pass(gate, event_of(kind, position, session, 10, NULL)));
}

static void expect_next(struct host_gate *gate, enum world_event_kind kind, uint32_t session)
{
    struct world_event *event = host_gate_next(gate);
    assert_non_null(event);
    assert_int_equal(event->kind, kind);
    assert_int_equal(event->session, session);
    assert_null(event->next);
    world_event_destroy(event);
}

static void an_open_gate_lets_all_pass(void **state)
{
    (void)state;
    struct host_gate gate;
    host_gate_init(&gate, HOST_GATE_OPEN);
    for (uint32_t kind = WORLD_REPLY; kind <= WORLD_DELETED; kind++) {
        expect_pass(&gate, (enum world_event_kind)kind, UINT64_MAX);
    }
    assert_null(host_gate_next(&gate));
    host_gate_deinit(&gate);
}

static void what_waits_keeps_its_order_and_frames_pass_it(void **state)
{
    (void)state;
    struct host_gate gate;
    host_gate_init(&gate, 0);
    expect_pass(&gate, WORLD_REPLY, 0); // depends on no record
    assert_false(host_gate_holds(&gate, 0));
    hold(&gate, WORLD_REPLY, 1, 7);
    hold(&gate, WORLD_NOTICE, 1, 0);
    expect_pass(&gate, WORLD_PUBLICATION, 1);
    expect_pass(&gate, WORLD_LACK, 1);
    hold(&gate, WORLD_FAULT, 2, 8);
    assert_int_equal(gate.answers, 2);
    assert_true(host_gate_holds(&gate, 0)); // it would overtake
    assert_null(host_gate_next(&gate));

    host_gate_open(&gate, 1);
    host_gate_open(&gate, 0); // takes nothing back
    hold(&gate, WORLD_REPLY, 2, 9);
    expect_next(&gate, WORLD_REPLY, 7);
    expect_next(&gate, WORLD_NOTICE, 0);
    assert_null(host_gate_next(&gate));

    host_gate_open(&gate, 2);
    hold(&gate, WORLD_REPLY, 2, 10);  // durable already, but others have waited longer
    hold(&gate, WORLD_DELETED, 1, 0); // made before them, and the last all the same
    expect_next(&gate, WORLD_FAULT, 8);
    expect_next(&gate, WORLD_REPLY, 9);
    expect_next(&gate, WORLD_REPLY, 10);
    expect_next(&gate, WORLD_DELETED, 0);
    assert_null(host_gate_next(&gate));
    assert_int_equal(gate.answers, 0);
    assert_int_equal(gate.notice_bytes, 0);
    expect_pass(&gate, WORLD_REPLY, 2);
    host_gate_deinit(&gate);
}

static void what_waits_for_a_list_of_another_server_is_refused(void **state)
{
    (void)state;
    struct host_gate gate;
    host_gate_init(&gate, 1);
    hold(&gate, WORLD_REPLY, 2, 7);
    hold(&gate, WORLD_NOTICE, 2, 0);
    hold(&gate, WORLD_RECORDS, 2, 0);
    hold(&gate, WORLD_DELETED, 3, 0);
    host_gate_lose(&gate);
    struct world_event *event = host_gate_next(&gate);
    assert_non_null(event);
    assert_int_equal(event->session, 7);
    assert_true(host_gate_is_vain(&gate, event));
    world_event_destroy(event);
    expect_next(&gate, WORLD_DELETED, 0); // nobody hears of what may never have been
    assert_null(host_gate_next(&gate));
    assert_int_equal(gate.notice_bytes, 0);
    // And so from now on.
    expect_pass(&gate, WORLD_REPLY, 3);
    hold(&gate, WORLD_NOTICE, 3, 0);
    assert_null(host_gate_next(&gate));
    assert_null(gate.first);
    event = event_of(WORLD_NOTICE, 3, 0, 0, NULL);
    event->unbound = true;
    assert_ptr_equal(host_gate_pass(&gate, event), event);
    world_event_destroy(event);
    event = event_of(WORLD_REPLY, 1, 7, 0, NULL);
    assert_ptr_equal(host_gate_pass(&gate, event), event);
    assert_false(host_gate_is_vain(&gate, event)); // that is durable
    world_event_destroy(event);
    host_gate_deinit(&gate);
}

static void what_is_durable_in_a_world_that_may_not_stay_waits(void **state)
{
    (void)state;
    struct host_gate gate;
    for (int stays = 0; stays < 2; stays++) {
        host_gate_init(&gate, 0);
        host_gate_hold(&gate, true);
        expect_pass(&gate, WORLD_REPLY, 0); // nothing was recorded
        hold(&gate, WORLD_REPLY, 1, 7);
        hold(&gate, WORLD_DELETED, 2, 0);
        host_gate_open(&gate, 2);
        assert_null(host_gate_next(&gate));
        if (stays) {
            host_gate_hold(&gate, false);
        } else {
            host_gate_lose(&gate);
        }
        struct world_event *event = host_gate_next(&gate);
        assert_non_null(event);
        assert_int_equal(event->session, 7);
        assert_int_equal(host_gate_is_vain(&gate, event), !stays);
        world_event_destroy(event);
        expect_next(&gate, WORLD_DELETED, 0);
        host_gate_deinit(&gate);
    }
}

static void who_goes_lets_its_answers_go(void **state)
{
    (void)state;
    struct host_gate gate;
    struct base_budget *budget = base_budget_create(SIZE_MAX);
    host_gate_init(&gate, 0);
    hold(&gate, WORLD_REPLY, 1, 8);
    assert_null(host_gate_pass(&gate, event_of(WORLD_REPLY, 1, 7, 1000, budget)));
    struct world_event *renames = event_of(WORLD_REPLY, 1, 7, 1000, budget);
    renames->claim.held = true;
    assert_null(host_gate_pass(&gate, renames));
    hold(&gate, WORLD_NOTICE, 1, 0);
    assert_null(host_gate_pass(&gate, event_of(WORLD_REPLY, 1, 7, 1000, budget)));
    assert_true(base_budget_used(budget) >= 3000);

    host_gate_forget(&gate, 7);
    assert_int_equal(base_budget_used(budget), 0);
    assert_int_equal(gate.answers, 2);
    hold(&gate, WORLD_REPLY, 2, 9); // behind the others, as before
    host_gate_open(&gate, 2);
    expect_next(&gate, WORLD_REPLY, 8);
    expect_next(&gate, WORLD_REPLY, 7); // its claim is still to be settled, in its turn
    expect_next(&gate, WORLD_NOTICE, 0);
    expect_next(&gate, WORLD_REPLY, 9);
    hold(&gate, WORLD_REPLY, 3, 7);
    host_gate_forget(&gate, 7);
    expect_pass(&gate, WORLD_REPLY, 2); // nothing is left to be overtaken
    hold(&gate, WORLD_REPLY, 3, 8);
    host_gate_deinit(&gate);
    base_budget_release(budget);
}

static void notices_that_wait_are_bounded(void **state)
{
    (void)state;
    enum { PIECE = 1 << 20, PIECES = PROTOCOL_LIMIT_NOTIFICATION_BYTES / PIECE };
    struct host_gate gate;
    struct base_budget *budget = base_budget_create(SIZE_MAX);
    host_gate_init(&gate, 0);
    for (uint32_t i = 0; i < 3 * PIECES; i++) {
        assert_null(host_gate_pass(&gate, event_of(WORLD_NOTICE, 1 + i, 0, PIECE, budget)));
    }
    assert_true(base_budget_used(budget) <= PROTOCOL_LIMIT_NOTIFICATION_BYTES);
    host_gate_open(&gate, HOST_GATE_OPEN);
    uint32_t whole = 0;
    struct world_event *event = host_gate_next(&gate);
    for (; event != NULL && !event->lost; event = host_gate_next(&gate), whole++) {
        world_event_destroy(event);
    }
    assert_int_equal(whole, PIECES - 1); // events take memory themselves
    // One says of all the others that they are lost, as soon as the last of them would have passed.
    assert_non_null(event);
    assert_null(event->bytes[0]);
    assert_int_equal(event->position, 3 * PIECES);
    world_event_destroy(event);
    assert_null(host_gate_next(&gate));
    assert_int_equal(gate.notice_bytes, 0);
    assert_int_equal(base_budget_used(budget), 0);
    host_gate_deinit(&gate);
    base_budget_release(budget);
}

static void where_there_is_no_room_what_promises_nothing_passes(void **state)
{
    (void)state;
    struct host_gate gate;
    host_gate_init(&gate, 3);
    hold(&gate, WORLD_REPLY, 4, 1);
    for (uint32_t session = 2; session <= 3; session++) {
        struct world_event *query = event_of(WORLD_REPLY, 4, session, 10, NULL);
        query->unbound = true;
        assert_null(host_gate_pass(&gate, query));
    }
    hold(&gate, WORLD_NOTICE, 5, 0);
    assert_null(host_gate_next(&gate));
    host_gate_full(&gate, true, false);
    expect_next(&gate, WORLD_REPLY, 2);
    expect_next(&gate, WORLD_REPLY, 3);
    assert_null(host_gate_next(&gate));
    assert_int_equal(gate.answers, 1);
    struct world_event *refusal = event_of(WORLD_FAULT, 5, 4, 0, NULL);
    refusal->unbound = true;
    assert_ptr_equal(host_gate_pass(&gate, refusal), refusal);
    world_event_destroy(refusal);
    hold(&gate, WORLD_DELETED, 6, 0); // at the end of the line, though the one before it went
    host_gate_full(&gate, false, false);
    host_gate_open(&gate, 6);
    expect_next(&gate, WORLD_REPLY, 1);
    expect_next(&gate, WORLD_NOTICE, 0);
    expect_next(&gate, WORLD_DELETED, 0);
    assert_null(host_gate_next(&gate));
    host_gate_deinit(&gate);
}

// An answer that says that it is not durable.
static struct world_event *marked(uint64_t position)
{
    static const uint8_t bytes[] = "\x94\x01\x07\xc0\x83\xa4tick\x05\xb0"
                                   "durable_revision\x01\xa7"
                                   "durable\xc2";
    struct world_event *event = event_of(WORLD_REPLY, position, 1, sizeof bytes - 1, NULL);
    assert_non_null(event->bytes[0]);
    memcpy(event->bytes[0]->data, bytes, sizeof bytes - 1);
    event->unbound = true;
    event->label_size = sizeof "durable_revision" + 1 + sizeof "durable" + 1;
    return event;
}

static void expect_marked(struct world_event *event, bool says)
{
    static const uint8_t plain[] = "\x94\x01\x07\xc0\x81\xa4tick\x05";
    assert_non_null(event);
    assert_int_equal(event->bytes[0]->data[4], says ? 0x83 : 0x81);
    if (!says) {
        assert_int_equal(event->bytes[0]->size, sizeof plain - 1);
        assert_memory_equal(event->bytes[0]->data, plain, sizeof plain - 1);
    }
    world_event_destroy(event);
}

static void only_what_passes_before_it_is_durable_says_so(void **state)
{
    (void)state;
    struct host_gate gate;
    host_gate_init(&gate, HOST_GATE_OPEN);
    expect_marked(host_gate_pass(&gate, marked(5)), false); // nothing has to become durable
    host_gate_deinit(&gate);

    host_gate_init(&gate, 3);
    expect_marked(host_gate_pass(&gate, marked(3)), false); // became so since it was made
    assert_null(host_gate_pass(&gate, marked(4)));
    assert_null(host_gate_pass(&gate, marked(5)));
    host_gate_open(&gate, 4);
    expect_marked(host_gate_next(&gate), false); // while it waited
    assert_null(host_gate_next(&gate));
    host_gate_full(&gate, true, false);
    expect_marked(host_gate_next(&gate), true); // nobody knows when
    expect_marked(host_gate_pass(&gate, marked(6)), true);
    host_gate_lose(&gate);
    expect_marked(host_gate_pass(&gate, marked(6)), true); // never
    host_gate_deinit(&gate);
}

// Nobody knows how long it would be: an answer is given out to say so, and what others are told waits.
static void without_any_room_answers_are_given_out(void **state)
{
    (void)state;
    struct host_gate gate;
    host_gate_init(&gate, 3);
    hold(&gate, WORLD_REPLY, 4, 1);
    hold(&gate, WORLD_NOTICE, 4, 0);
    struct world_event *deletion = event_of(WORLD_REPLY, 5, 2, 10, NULL);
    deletion->method = PROTOCOL_METHOD_WORLD_DELETE;
    assert_null(host_gate_pass(&gate, deletion));
    host_gate_full(&gate, true, false);
    assert_null(host_gate_next(&gate));
    host_gate_full(&gate, true, true);
    struct world_event *answer = host_gate_next(&gate);
    assert_non_null(answer);
    assert_int_equal(answer->session, 1);
    assert_true(host_gate_is_doubtful(&gate, answer));
    world_event_destroy(answer);
    assert_null(host_gate_next(&gate));
    answer = event_of(WORLD_REPLY, 6, 3, 10, NULL);
    assert_ptr_equal(host_gate_pass(&gate, answer), answer);
    assert_true(host_gate_is_doubtful(&gate, answer));
    host_gate_full(&gate, false, false);
    assert_false(host_gate_is_doubtful(&gate, answer));
    world_event_destroy(answer);
    host_gate_open(&gate, 6);
    expect_next(&gate, WORLD_NOTICE, 0);
    expect_next(&gate, WORLD_REPLY, 2);
    host_gate_deinit(&gate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_open_gate_lets_all_pass),
        cmocka_unit_test(what_waits_keeps_its_order_and_frames_pass_it),
        cmocka_unit_test(what_waits_for_a_list_of_another_server_is_refused),
        cmocka_unit_test(what_is_durable_in_a_world_that_may_not_stay_waits),
        cmocka_unit_test(who_goes_lets_its_answers_go),
        cmocka_unit_test(notices_that_wait_are_bounded),
        cmocka_unit_test(where_there_is_no_room_what_promises_nothing_passes),
        cmocka_unit_test(only_what_passes_before_it_is_durable_says_so),
        cmocka_unit_test(without_any_room_answers_are_given_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
