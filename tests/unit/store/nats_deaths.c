// Brokers that die while a server writes: in the middle of appends, one or all of them, with or without their disks.
#include "nats_deaths.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "nats_server.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void a_killed_broker_loses_nothing(void **state)
{
    (void)state;
    enum { ROUNDS = 3, EACH = 200 };
    struct brokers brokers;
    struct server server, other;
    brokers_start(&brokers, 1, true);
    server_start(&server, &brokers);
    const uint32_t list = list_new(&server);
    uint64_t position = 1;
    append_from(&server, list, 1, 1, 1);
    assert_true(durable(&server, list, 1)); // so there is a stream: who waits ten seconds for one is refused
    for (int round = 0; round < ROUNDS; round++) {
        append_from(&server, list, 1, position + 1, position + EACH / 2);
        broker_kill(&brokers, 0);
        append_from(&server, list, 1, position + EACH / 2 + 1, position + EACH);
        position += EACH;
        if (round == 0) { // it is told when that takes a while
            for (int i = 0; i < 60000 && !heard_full(&server.heard); i++) {
                (void)usleep(1000);
            }
            assert_true(heard_full(&server.heard));
            struct store_pending pending;
            store_pending(server.store, list, &pending);
            assert_true(pending.away && pending.full && pending.bytes > 0);
        }
        broker_begin(&brokers, 0);
        assert_true(durable(&server, list, position));
    }
    assert_int_equal(told_lost(&server), 0);
    for (int i = 0; i < 60000 && heard_full(&server.heard); i++) {
        (void)usleep(1000);
    }
    assert_false(heard_full(&server.heard));
    broker_kill(&brokers, 0);
    broker_begin(&brokers, 0);
    server_start(&other, &brokers);
    entries_are(&other, list, position);
    entries_are(&server, list, position);
    server_stop(&other);
    server_stop(&server);
    brokers_stop(&brokers);
}

// One that hangs: its connection stays, and no answer is late enough yet to be looked for.
void why_the_store_takes_nothing_is_told(void **state)
{
    (void)state;
    struct brokers brokers;
    struct server server;
    char text[FAULT_TEXT_SIZE];
    brokers_start(&brokers, 1, true);
    server_start(&server, &brokers);
    const uint32_t list = list_new(&server);
    append_from(&server, list, 1, 1, 1);
    assert_true(durable(&server, list, 1));
    assert_int_equal(kill(brokers.processes[0], SIGSTOP), 0);
    append_from(&server, list, 1, 2, 2);
    for (int i = 0; i < 60000 && !heard_full(&server.heard); i++) {
        (void)usleep(1000);
    }
    base_mutex_lock(&server.heard.mutex);
    const bool full = server.heard.full;
    memcpy(text, server.heard.text, sizeof text);
    base_mutex_unlock(&server.heard.mutex);
    assert_int_equal(kill(brokers.processes[0], SIGCONT), 0);
    assert_true(full);
    assert_string_not_equal(text, "");
    assert_true(durable(&server, list, 2));
    server_stop(&server);
    brokers_stop(&brokers);
}

// While a broker comes back, and is not heard for a while, or has not all of it in hand yet.
void a_take_over_waits_for_brokers(void **state)
{
    (void)state;
    enum { ROUNDS = 2 };
    struct brokers brokers;
    struct server servers[2];
    struct store_error error = {0};
    brokers_start(&brokers, 1, true);
    server_start(&servers[0], &brokers);
    const uint32_t list = list_new(&servers[0]);
    append_from(&servers[0], list, 1, 1, 20);
    assert_true(durable(&servers[0], list, 20));
    server_start(&servers[1], &brokers);
    uint64_t before = 1;
    for (int round = 0; round < ROUNDS; round++) {
        struct server *next = &servers[(round + 1) % 2];
        const uint64_t from = 20 + 5 * (uint64_t)round;
        broker_kill(&brokers, 0);
        if (round % 2) {
            (void)usleep(300000); // until it is noticed
        }
        broker_begin(&brokers, 0);
        const uint64_t epoch = store_take_over(next->store, list, &error);
        if (epoch <= before) {
            fail_msg("it is not taken over: %s", error.fault.text);
        }
        before = epoch;
        append_from(next, list, epoch, from + 1, from + 5);
        assert_true(durable(next, list, from + 5));
        entries_are(next, list, from + 5);
    }
    server_stop(&servers[1]);
    server_stop(&servers[0]);
    brokers_stop(&brokers);
}

// Each of three is killed in the midst of appends, in turns; WEFT_ROUNDS says how often. Where it does not, another broker
// comes to lead the stream, which is done at once, and one that leads nothing is killed: after the death of one that does the
// others wait some four to nine seconds before they choose another.
void one_of_three_may_be_killed(void **state)
{
    (void)state;
    enum { EACH = 60 };
    struct brokers brokers;
    struct server server, other;
    struct store_error error;
    const char *asked = getenv("WEFT_ROUNDS");
    const int rounds = asked ? atoi(asked) : 1;
    brokers_start(&brokers, BROKERS_MAX, true);
    server_start(&server, &brokers);
    const uint32_t list = list_new(&server);
    uint64_t position = 0;
    for (int round = 0; round < rounds; round++) {
        append_from(&server, list, 1, position + 1, position + EACH / 3);
        if (!asked) {
            assert_true(durable(&server, list, 1)); // so there is a stream
            assert_true(brokers_step_down(&brokers, list));
        }
        append_from(&server, list, 1, position + EACH / 3 + 1, position + 2 * EACH / 3);
        const int victim = asked ? round % BROKERS_MAX : brokers_follower(&brokers, list);
        broker_kill(&brokers, victim);
        append_from(&server, list, 1, position + 2 * EACH / 3 + 1, position + EACH);
        position += EACH;
        assert_true(durable(&server, list, position)); // two are enough
        const uint32_t another = list_new(&server);    // also for a new list
        append_from(&server, another, 1, 1, 3);
        assert_true(durable(&server, another, 3));
        broker_begin(&brokers, victim);
    }
    assert_int_equal(told_lost(&server), 0);
    server_start(&other, &brokers);
    const uint64_t epoch =
        store_take_over(other.store, list, &error); // brokers may still be electing a leader
    if (epoch < 2) {
        fail_msg("it is not taken over: %s", error.fault.text);
    }
    entries_are(&other, list, position);
    append_from(&other, list, epoch, position + 1, position + 10);
    assert_true(durable(&other, list, position + 10));
    server_stop(&other);
    server_stop(&server);
    brokers_stop(&brokers);
}

// The disk of a broker as it was a while ago: what it acknowledged since is not on it. Who writes the list finds that with the next
// entry, and who has the folder gives back what is missing.
void brokers_of_an_old_copy_are_found_out(void **state)
{
    (void)state;
    struct brokers brokers;
    struct server server, other;
    struct store_error error = {0};
    brokers_start(&brokers, 1, true);
    server_start(&server, &brokers);
    const uint32_t list = list_new(&server);
    append_from(&server, list, 1, 1, 20);
    assert_true(durable(&server, list, 20));
    broker_kill(&brokers, 0);
    broker_put_aside(&brokers, 0);
    broker_begin(&brokers, 0);
    append_from(&server, list, 1, 21, 40);
    assert_true(durable(&server, list, 40));
    broker_kill(&brokers, 0);
    broker_put_back(&brokers, 0);
    broker_begin(&brokers, 0);
    append_from(&server, list, 1, 41, 41);
    assert_true(lost(&server, list));
    assert_true(told_soon(&server, "the brokers have lost messages"));
    assert_true(told_soon(&server, "which they had acknowledged; the folder has what was in them"));
    server_again(&server, &brokers);
    const uint64_t epoch = store_take_over(server.store, list, &error);
    if (epoch < 2) {
        fail_msg("it is not taken over: %s", error.fault.text);
    }
    append_from(&server, list, epoch, 41, 45);
    assert_true(durable(&server, list, 45));
    server_start(&other, &brokers);
    entries_are(&other, list, 45);
    server_stop(&other);
    server_stop(&server);
    brokers_stop(&brokers);
}

// ---------------------------------------------------------------------------------------------------------
// In the midst of large appends

// Some are acknowledged, some on their way, and some wait when brokers die: one of them, or all (-1).
static void kill_amid_appends(struct brokers *brokers, int which, struct server *server, uint32_t list,
                              uint64_t from, uint64_t to)
{
    struct store_pending pending;
    append_large(server, list, 1, from, from + 3);
    assert_true(durable(server, list, from));
    append_large(server, list, 1, from + 4, to);
    for (int i = 0; i < brokers->count; i++) {
        if (which < 0 || i == which) {
            broker_kill(brokers, i);
        }
    }
    store_pending(server->store, list, &pending);
    assert_in_range(pending.durable, from, to - 1);
}

void large_appends_outlive_their_brokers(void **state)
{
    (void)state;
    enum { EACH = 20 };
    struct brokers brokers;
    struct server server, other;
    struct store_error error = {0};
    brokers_start(&brokers, BROKERS_MAX, true);
    server_start(&server, &brokers);
    const uint32_t list = list_new(&server);

    append_large(&server, list, 1, 1, 1);
    assert_true(durable(&server, list, 1) && brokers_agree(&brokers, list));

    // The stream's leader is killed, and has an empty disk when it comes back.
    const int leader = brokers_leader(&brokers, list);
    assert_in_range(leader, 0, BROKERS_MAX - 1);
    kill_amid_appends(&brokers, leader, &server, list, 2, EACH);
    assert_true(durable(&server, list, EACH));
    broker_wipe(&brokers, leader);
    broker_begin(&brokers, leader);
    assert_true(brokers_agree(&brokers, list));

    // All at once. Two of them are enough then, of which one is that.
    kill_amid_appends(&brokers, -1, &server, list, EACH + 1, 2 * EACH);
    broker_begin(&brokers, leader);
    broker_begin(&brokers, (leader + 1) % BROKERS_MAX);
    assert_true(durable(&server, list, 2 * EACH));
    assert_int_equal(told_lost(&server), 0);
    large_are(&server, list, 1, 2 * EACH);

    server_start(&other, &brokers);
    const uint64_t epoch = store_take_over(other.store, list, &error);
    if (epoch < 2) {
        fail_msg("it is not taken over: %s", error.fault.text);
    }
    large_are(&other, list, 1, 2 * EACH);
    append_large(&other, list, epoch, 2 * EACH + 1, 2 * EACH + 2);
    assert_true(durable(&other, list, 2 * EACH + 2));
    server_stop(&other);
    server_stop(&server);
    brokers_stop(&brokers);
}
