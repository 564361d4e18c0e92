// Reading, holding, ending: over real sockets.
#include "helper_fixture.h"

#include "base/assert.h"
#include "base/clock.h"
#include "net/net_internal.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct fixture fixture;

static uint32_t random_next(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

// ---------------------------------------------------------------------------------------------------------
// Messages

// Many messages back to back, of 1 to about 300 bytes.
struct pipeline {
    uint8_t *bytes;
    size_t size;
    uint32_t count;
    int fd;
    uint32_t seed;
    bool sent;
};

static void pipeline_init(struct pipeline *pipeline, uint32_t count, uint32_t seed)
{
    memset(pipeline, 0, sizeof *pipeline);
    pipeline->bytes = malloc((size_t)count * 320);
    pipeline->count = count;
    pipeline->seed = seed;
    for (uint32_t i = 0; i < count; i++) {
        if (i % 3 == 0) {
            pipeline->bytes[pipeline->size++] = (uint8_t)(i % 128);
            continue;
        }
        size_t size = 5 + random_next(&seed) % 300;
        uint8_t *message = client_message(size, i);
        memcpy(pipeline->bytes + pipeline->size, message, size);
        pipeline->size += size;
        free(message);
    }
}

static void pipeline_send(void *context)
{
    struct pipeline *pipeline = context;
    uint32_t seed = pipeline->seed;
    for (size_t at = 0; at < pipeline->size;) {
        // Mostly a few bytes, now and then tens of thousands.
        size_t size = random_next(&seed) % 4 == 0 ? random_next(&seed) % 50000 : random_next(&seed) % 1000;
        size = size + 1 > pipeline->size - at ? pipeline->size - at : size + 1;
        if (!client_try_send(pipeline->fd, pipeline->bytes + at, size)) {
            return;
        }
        at += size;
    }
    pipeline->sent = true;
}

// Sends on another thread while this one receives, and compares.
static void pipeline_exchange(struct pipeline *pipeline)
{
    struct base_thread sender;
    assert_true(base_thread_start(&sender, "sender", pipeline_send, pipeline));
    uint8_t *back = malloc(pipeline->size);
    client_receive(pipeline->fd, back, pipeline->size);
    base_thread_join(&sender);
    assert_true(pipeline->sent);
    assert_memory_equal(back, pipeline->bytes, pipeline->size);
    free(back);
}

static void messages_in_random_splits_come_back_in_order(void **state)
{
    (void)state;
    fixture_start(&fixture, NULL);
    struct pipeline pipeline;
    pipeline_init(&pipeline, 10000, 1);
    pipeline.fd = client_connect(&fixture);
    pipeline_exchange(&pipeline);
    close(pipeline.fd);
    fixture_wait_closed(&fixture, 1);
    assert_int_equal(fixture.peers[0].messages, 10000);
    assert_string_equal(fixture.peers[0].reason, "the peer left");
    struct net_stats stats = fixture_stats(&fixture);
    assert_int_equal(stats.bytes_in, pipeline.size);
    assert_int_equal(stats.bytes_out, pipeline.size);
    free(pipeline.bytes);
    fixture_stop(&fixture);
}

static void bytes_that_drip_in_are_put_together(void **state)
{
    (void)state;
    fixture_start(&fixture, NULL);
    int fd = client_connect(&fixture);
    uint8_t *message = client_message(2000, 5);
    for (size_t i = 0; i < 2000; i++) {
        client_send(fd, message + i, 1);
    }
    uint8_t back[2000];
    client_receive(fd, back, sizeof back);
    assert_memory_equal(back, message, sizeof back);
    free(message);
    close(fd);
    fixture_stop(&fixture);
}

static void a_message_of_megabytes_is_handed_up_whole(void **state)
{
    (void)state;
    fixture_start(&fixture, NULL);
    struct pipeline big = {.size = 9000001, .seed = 3};
    big.bytes = client_message(big.size, 7);
    big.fd = client_connect(&fixture);
    pipeline_exchange(&big);
    close(big.fd);
    free(big.bytes);
    fixture_wait_closed(&fixture, 1);
    assert_int_equal(fixture.peers[0].messages, 1);
    fixture_stop(&fixture);
}

static void a_hundred_connections_are_served_at_once(void **state)
{
    (void)state;
    enum { MANY = 100 };
    fixture_start(&fixture, NULL);
    static struct pipeline pipelines[MANY];
    for (uint32_t i = 0; i < MANY; i++) {
        pipeline_init(&pipelines[i], 50, i);
        pipelines[i].fd = client_connect(&fixture);
    }
    // All half sent, then all the rest, so that each has an unfinished message at the same time.
    for (uint32_t i = 0; i < MANY; i++) {
        client_send(pipelines[i].fd, pipelines[i].bytes, pipelines[i].size / 2);
    }
    fixture_wait_peers(&fixture, MANY);
    assert_int_equal(fixture_stats(&fixture).open, MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        size_t half = pipelines[i].size / 2;
        client_send(pipelines[i].fd, pipelines[i].bytes + half, pipelines[i].size - half);
    }
    for (uint32_t i = 0; i < MANY; i++) {
        uint8_t *back = malloc(pipelines[i].size);
        client_receive(pipelines[i].fd, back, pipelines[i].size);
        assert_memory_equal(back, pipelines[i].bytes, pipelines[i].size);
        free(back);
        free(pipelines[i].bytes);
        close(pipelines[i].fd);
    }
    fixture_wait_closed(&fixture, MANY);
    assert_int_equal(fixture_stats(&fixture).open, 0);
    fixture_stop(&fixture);
}

// ---------------------------------------------------------------------------------------------------------
// Holding

static void echo_and_hold_at_times(struct fixture_peer *peer, uint8_t *bytes, size_t size)
{
    struct net_conn *conn = peer->conn;
    fixture_echo(peer, bytes, size);
    if (peer->messages % 7 == 0) {
        net_conn_hold(conn, true);
    }
    if (peer->messages % 14 == 0) {
        net_conn_hold(conn, false); // at once: as if it had never been
    }
}

struct held {
    uint64_t before, after;
};

static void call_look_then_release(struct fixture *all, void *argument)
{
    struct held *held = argument;
    struct fixture_peer *peer = &all->peers[0];
    held->before = peer->messages;
    net_conn_hold(peer->conn, false);
    held->after = peer->messages; // nothing is handed up from inside a call
}

static void a_held_connection_stops_at_once_and_goes_on_where_it_was(void **state)
{
    (void)state;
    fixture_start(&fixture, &(struct fixture_options){.on_message = echo_and_hold_at_times});
    struct pipeline pipeline;
    pipeline_init(&pipeline, 2000, 11);
    pipeline.fd = client_connect(&fixture);
    struct base_thread sender;
    assert_true(base_thread_start(&sender, "sender", pipeline_send, &pipeline));
    fixture_wait_peers(&fixture, 1);
    uint64_t handed_up = 0;
    uint64_t deadline = base_now_ns() + UINT64_C(60000000000);
    while (handed_up < 2000 - 14 && base_now_ns() < deadline) {
        struct held held;
        fixture_call(&fixture, call_look_then_release, &held);
        assert_int_equal(held.before, held.after);
        assert_true(held.before - handed_up <= 14); // never past the message that held it
        handed_up = held.before;
    }
    struct held held;
    fixture_call(&fixture, call_look_then_release, &held);
    uint8_t *back = malloc(pipeline.size);
    for (size_t at = 0; at < pipeline.size;) {
        ssize_t got = recv(pipeline.fd, back + at, pipeline.size - at, MSG_DONTWAIT);
        at += got > 0 ? (size_t)got : 0;
        fixture_call(&fixture, call_look_then_release, &held);
        assert_true(base_now_ns() < deadline);
    }
    assert_memory_equal(back, pipeline.bytes, pipeline.size);
    base_thread_join(&sender);
    close(pipeline.fd);
    free(back);
    free(pipeline.bytes);
    fixture_wait_closed(&fixture, 1);
    assert_int_equal(fixture.peers[0].messages, 2000);
    fixture_stop(&fixture);
}

static void call_hold(struct fixture *all, void *argument)
{
    net_conn_hold(all->peers[0].conn, *(bool *)argument);
}

static void a_held_connection_is_not_read(void **state)
{
    (void)state;
    fixture_start(&fixture, NULL);
    int fd = client_connect(&fixture);
    fixture_wait_peers(&fixture, 1);
    bool hold = true;
    fixture_call(&fixture, call_hold, &hold);
    // More than the kernel keeps for a socket: if it were read, all of it would go out.
    struct timeval soon = {.tv_usec = 300000};
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &soon, sizeof soon);
    uint8_t *zeros = calloc(1, 64 << 20);
    assert_false(client_try_send(fd, zeros, 64 << 20));
    assert_int_equal(fixture_stats(&fixture).bytes_in, 0);
    free(zeros);
    close(fd);
    hold = false;
    fixture_call(&fixture, call_hold, &hold); // and its end is noticed
    fixture_wait_closed(&fixture, 1);
    assert_true(fixture.peers[0].messages > 0);
    fixture_stop(&fixture);
}

static void hold_every(struct fixture_peer *peer, uint8_t *bytes, size_t size)
{
    struct net_conn *conn = peer->conn;
    fixture_echo(peer, bytes, size);
    net_conn_hold(conn, true);
}

static void call_release_and_hold(struct fixture *all, void *argument)
{
    (void)argument;
    net_conn_hold(all->peers[0].conn, false);
    net_conn_hold(all->peers[0].conn, true);
}

static bool has_message(struct fixture *all, void *argument)
{
    return all->peers[0].messages == *(uint64_t *)argument;
}

static void a_release_taken_back_hands_nothing_up(void **state)
{
    (void)state;
    fixture_start(&fixture, &(struct fixture_options){.on_message = hold_every});
    int fd = client_connect(&fixture);
    client_send(fd, "\1\2\3", 3);
    uint64_t messages = 1;
    fixture_wait(&fixture, has_message, &messages);
    fixture_call(&fixture, call_release_and_hold, NULL);
    fixture_turns(&fixture);
    fixture_wait(&fixture, has_message, &messages);
    bool hold = false;
    for (messages = 2; messages <= 3; messages++) {
        fixture_call(&fixture, call_hold, &hold);
        fixture_wait(&fixture, has_message, &messages);
    }
    uint8_t back[3];
    client_receive(fd, back, sizeof back);
    assert_memory_equal(back, "\1\2\3", 3);
    close(fd);
    fixture_stop(&fixture);
}

static void cut_on_third(struct fixture_peer *peer, uint8_t *bytes, size_t size)
{
    struct net_conn *conn = peer->conn;
    fixture_echo(peer, bytes, size);
    if (peer->messages == 3) {
        net_conn_cut(conn, NET_END_POLICY, "three are enough");
        net_conn_cut(conn, NET_END_POLICY, "again");
        net_conn_finish(conn, NET_END_NORMAL, "again");
        net_conn_hold(conn, true);
        net_conn_hold(conn, false);
        BASE_ASSERT(peer->closed == 0); // not from inside a call
    }
}

static void nothing_is_handed_up_after_a_cut(void **state)
{
    (void)state;
    fixture_start(&fixture, &(struct fixture_options){.on_message = cut_on_third});
    int fd = client_connect(&fixture);
    client_send(fd, "\1\2\3\4\5\6\7", 7);
    fixture_wait_closed(&fixture, 1);
    assert_int_equal(fixture.peers[0].messages, 3);
    assert_string_equal(fixture.peers[0].reason, "three are enough");
    close(fd);
    fixture_stop(&fixture);
}

// ---------------------------------------------------------------------------------------------------------
// Ends

static void replies_reach_a_peer_that_sends_no_more(void **state)
{
    (void)state;
    fixture_start(&fixture, NULL);
    struct pipeline pipeline;
    pipeline_init(&pipeline, 5000, 13);
    pipeline.fd = client_connect(&fixture);
    pipeline_send(&pipeline);
    assert_int_equal(shutdown(pipeline.fd, SHUT_WR), 0);
    uint8_t *back = malloc(pipeline.size + 1);
    assert_int_equal(client_receive_all(pipeline.fd, back, pipeline.size + 1), pipeline.size);
    assert_memory_equal(back, pipeline.bytes, pipeline.size);
    close(pipeline.fd);
    free(back);
    free(pipeline.bytes);
    fixture_wait_closed(&fixture, 1);
    assert_string_equal(fixture.peers[0].reason, "the peer left");
    fixture_stop(&fixture);
}

static bool peer_ended(struct fixture *all, void *argument)
{
    (void)argument;
    return all->peers[0].ended == 1;
}

static void call_reply_and_finish(struct fixture *all, void *argument)
{
    (void)argument;
    struct base_buffer *text = fixture_text(3000000, 'r');
    net_conn_send(all->peers[0].conn, text);
    base_buffer_unref(text);
    net_conn_finish(all->peers[0].conn, NET_END_NORMAL, "all is answered");
}

static void a_late_reply_reaches_a_peer_that_sends_no_more(void **state)
{
    (void)state;
    fixture_start(&fixture, &(struct fixture_options){.handle_end = true});
    int fd = client_connect(&fixture);
    assert_int_equal(shutdown(fd, SHUT_WR), 0);
    fixture_wait(&fixture, peer_ended, NULL);
    fixture_pass(&fixture, 400); // longer than a connection lingers by itself
    assert_int_equal(fixture_stats(&fixture).open, 1);
    fixture_call(&fixture, call_reply_and_finish, NULL);
    uint8_t *back = malloc(4000000);
    assert_int_equal(client_receive_all(fd, back, 4000000), 3000000);
    free(back);
    close(fd);
    fixture_wait_closed(&fixture, 1);
    fixture_stop(&fixture);
}

static bool lingers(struct fixture *all, void *argument)
{
    (void)argument;
    return all->peers[0].conn->lingering;
}

static void a_peer_that_sends_no_more_can_be_finished_before_its_time(void **state)
{
    (void)state;
    fixture_start(&fixture, &(struct fixture_options){.loops = 1}); // or it is on another thread
    int fd = client_connect(&fixture);
    client_send(fd, "\1", 1);
    uint8_t *back = malloc(4000000);
    client_receive(fd, back, 1);
    assert_int_equal(shutdown(fd, SHUT_WR), 0);
    fixture_wait(&fixture, lingers, NULL);
    fixture_pass(&fixture, 50);
    fixture_call(&fixture, call_reply_and_finish, NULL);
    fixture_pass(&fixture, 300); // and would have ended without reading
    assert_int_equal(client_receive_all(fd, back, 4000000), 3000000);
    free(back);
    close(fd);
    fixture_wait_closed(&fixture, 1);
    assert_string_equal(fixture.peers[0].reason, "the peer left");
    fixture_stop(&fixture);
}

static void finish_sends_what_is_queued_then_ends(void **state)
{
    (void)state;
    fixture_start(&fixture, NULL);
    int fd = client_connect(&fixture);
    fixture_wait_peers(&fixture, 1);
    fixture_call(&fixture, call_reply_and_finish, NULL);
    uint8_t *back = malloc(4000000);
    assert_int_equal(client_receive_all(fd, back, 4000000), 3000000);
    free(back);
    close(fd);
    fixture_wait_closed(&fixture, 1); // it had only waited for this, since no time has passed
    assert_string_equal(fixture.peers[0].reason, "all is answered");
    fixture_stop(&fixture);
}

static void call_endless_and_finish(struct fixture *all, void *argument)
{
    (void)argument;
    struct base_buffer *text = fixture_text(60 << 20, 'e');
    net_conn_send(all->peers[0].conn, text);
    base_buffer_unref(text);
    net_conn_finish(all->peers[0].conn, NET_END_NORMAL, "time is up");
}

static void finish_gives_up_on_a_peer_that_never_reads(void **state)
{
    (void)state;
    fixture_start(&fixture, NULL);
    int fd = client_connect(&fixture);
    fixture_wait_peers(&fixture, 1);
    fixture_call(&fixture, call_endless_and_finish, NULL);
    for (int ms = 0; ms < 2000; ms += 100) {
        assert_int_equal(fixture_stats(&fixture).open, 1);
        fixture_pass(&fixture, 100);
    }
    fixture_wait_closed(&fixture, 1);
    assert_string_equal(fixture.peers[0].reason, "time is up");
    close(fd);
    fixture_stop(&fixture);
}

static void call_check_peer_name(struct fixture *all, void *argument)
{
    net_conn_peer(all->peers[0].conn, argument, 64);
}

static void a_peer_has_an_address(void **state)
{
    (void)state;
    fixture_start(&fixture, NULL);
    int fd = client_connect(&fixture);
    fixture_wait_peers(&fixture, 1);
    char name[64];
    fixture_call(&fixture, call_check_peer_name, name);
    assert_memory_equal(name, "127.0.0.1:", 10);
    fixture_stop(&fixture); // with a connection open
    assert_string_equal(fixture.peers[0].reason, "the server stops");
    close(fd);
}
int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_in_random_splits_come_back_in_order),
        cmocka_unit_test(bytes_that_drip_in_are_put_together),
        cmocka_unit_test(a_message_of_megabytes_is_handed_up_whole),
        cmocka_unit_test(a_hundred_connections_are_served_at_once),
        cmocka_unit_test(a_held_connection_stops_at_once_and_goes_on_where_it_was),
        cmocka_unit_test(a_held_connection_is_not_read),
        cmocka_unit_test(a_release_taken_back_hands_nothing_up),
        cmocka_unit_test(nothing_is_handed_up_after_a_cut),
        cmocka_unit_test(replies_reach_a_peer_that_sends_no_more),
        cmocka_unit_test_setup_teardown(a_late_reply_reaches_a_peer_that_sends_no_more, fixture_hold_clock,
                                        fixture_release_clock),
        cmocka_unit_test_setup_teardown(a_peer_that_sends_no_more_can_be_finished_before_its_time,
                                        fixture_hold_clock, fixture_release_clock),
        cmocka_unit_test_setup_teardown(finish_sends_what_is_queued_then_ends, fixture_hold_clock,
                                        fixture_release_clock),
        cmocka_unit_test_setup_teardown(finish_gives_up_on_a_peer_that_never_reads, fixture_hold_clock,
                                        fixture_release_clock),
        cmocka_unit_test(a_peer_has_an_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
