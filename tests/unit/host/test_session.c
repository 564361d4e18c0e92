// The costs that a session may cause, those that cost it its connection, and the messages about them.
#include "helper_session.h"

#include "host/badge.h"

#include "base/buffer.h"
#include "helper_clock.h"
#include "host/session_internal.h"
#include "protocol/error.h"
#include "protocol/params.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct fixture fixture;

static void start(const struct fixture_options *options)
{
    session_fixture_create(&fixture, options);
    session_fixture_run(&fixture);
}

static bool are_sessions(struct fixture *all, void *argument)
{
    return host_sessions_count(all->sessions) == *(uint32_t *)argument;
}

static void wait_sessions(uint32_t count)
{
    session_wait(&fixture, are_sessions, &count);
}

static void call_count(struct fixture *all, void *argument)
{
    *(uint32_t *)argument = host_sessions_count(all->sessions);
}

// The same for those that end, for which as much time passes as it takes.
static void pass_sessions(uint32_t count)
{
    for (uint32_t i = 0, now = count + 1; i < 60000 && now != count; i++) {
        session_pass(&fixture, 1);
        session_call(&fixture, call_count, &now);
    }
    wait_sessions(count);
}

// In the order of their ids, so that the n-th to connect is session n.
static void connect_all(int *fds, uint32_t count, int receive_buffer)
{
    for (uint32_t i = 0; i < count; i++) {
        fds[i] = client_connect(&fixture, receive_buffer);
        wait_sessions(i + 1);
    }
}

static void call_stats(struct fixture *all, void *argument)
{
    struct net_stats net[2];
    host_sessions_stats(all->sessions, argument, net);
}

static struct host_sessions_stats stats_now(void)
{
    struct host_sessions_stats stats;
    session_call(&fixture, call_stats, &stats);
    return stats;
}

static void expect_words(int fd, const char *wanted)
{
    char text[256];
    client_last_words(fd, text, sizeof text);
    if (!strstr(text, wanted)) {
        fail_msg("\"%s\" is not in \"%s\"", wanted, text);
    }
    close(fd);
}

// ---------------------------------------------------------------------------------------------------------
// Frames

static uint32_t world_add(struct fixture *all)
{
    struct protocol_world_create_params settings;
    struct protocol_error error;
    protocol_defaults(&protocol_world_create_params_type, &settings);
    const struct host_world *world = host_registry_add(all->registry, &settings, &error);
    assert_non_null(world);
    return host_world_id(world);
}

// Larger than what kernels take, so that it is held while nobody reads.
static struct base_batch *batch_of(uint32_t session, uint32_t stream, uint64_t moment)
{
    const size_t size = 32 << 20;
    struct base_frame *frame = base_frame_create(1);
    struct base_buffer *bytes = base_buffer_create(size, NULL);
    struct base_batch *batch = base_batch_create(stream, session, moment, 1);
    struct base_buffer **buffers = malloc(sizeof(struct base_buffer *));
    assert_true(frame && bytes && batch && buffers);
    memset(bytes->data, 0, size);
    buffers[0] = bytes;
    frame->key_count = 4;
    frame->size = size;
    frame->parts[0] = (struct base_frame_part){.buffers = buffers, .buffer_count = 1, .size = size};
    batch->frames[0] = frame;
    return batch;
}

struct held {
    uint32_t session, world;
    uint64_t moment;
};

static void call_hold(struct fixture *all, void *argument)
{
    const struct held *held = argument;
    host_sessions_enter(all->sessions);
    struct host_session *session = host_session_find(all->sessions, held->session);
    assert_non_null(session);
    uint32_t stream = host_session_stream_add(session, held->world);
    assert_true(stream != 0);
    host_session_stream_opened(session, stream);
    host_sessions_publish(all->sessions, batch_of(held->session, stream, held->moment));
    host_sessions_leave(all->sessions);
}

static void call_world(struct fixture *all, void *argument)
{
    *(uint32_t *)argument = world_add(all);
}

static void call_starve(struct fixture *all, void *argument)
{
    struct host_world *world = host_registry_find_any(all->registry, *(uint32_t *)argument);
    host_sessions_starve(all->sessions, world);
}

// Moments count a world's publications: those of another world say nothing about this one's.
static void who_holds_the_oldest_frames_of_the_world_is_cut_and_nobody_else(void **state)
{
    (void)state;
    start(&(struct fixture_options){0});
    int fds[4];
    uint32_t busy, other;
    session_call(&fixture, call_world, &busy);
    session_call(&fixture, call_world, &other);
    connect_all(fds, 4, 4096);
    struct held held[] = {
        {1, other, 1}, {1, busy, 9}, // the least number of all, but the newest frame of the world
        {2, busy, 5},  {3, busy, 5}, // one publication
        {4, other, 5},               // the same number, of another world
    };
    for (size_t i = 0; i < sizeof held / sizeof held[0]; i++) {
        session_call(&fixture, call_hold, &held[i]);
    }
    session_call(&fixture, call_starve, &busy);
    session_call(&fixture, call_starve, &busy); // too soon: what was cut has not let go yet
    pass_sessions(2);
    assert_int_equal(stats_now().cut[HOST_CUT_FRAMES], 2);
    session_pass(&fixture, 200);
    session_call(&fixture, call_starve, &busy);
    pass_sessions(1);
    session_pass(&fixture, 200);
    session_call(&fixture, call_starve, &busy); // nobody holds any
    assert_int_equal(stats_now().cut[HOST_CUT_FRAMES], 3);
    for (int i = 0; i < 4; i++) {
        close(fds[i]);
    }
    session_fixture_destroy(&fixture);
}

// ---------------------------------------------------------------------------------------------------------
// Words

static void call_cut(struct fixture *all, void *argument)
{
    host_sessions_enter(all->sessions);
    for (uint32_t cause = HOST_CUT_RECEIVE_BYTES; cause < HOST_CUT_MEMORY; cause++) {
        host_session_cut(host_session_find(all->sessions, cause), (enum host_cut)cause);
    }
    struct host_session *session = host_session_find(all->sessions, HOST_CUT_MEMORY);
    host_session_fail(session, "an answer");
    host_session_cut(session, HOST_CUT_SILENT); // it is cut already
    host_session_reply(session, NULL);          // and gets nothing more
    host_session_cut(host_session_find(all->sessions, HOST_CUT_HELLO), HOST_CUT_HELLO);
    host_session_expel(host_session_find(all->sessions, HOST_CUT_ACCESS), "this token was revoked");
    host_sessions_leave(all->sessions);
    (void)argument;
}

static void whoever_is_cut_is_told_why(void **state)
{
    (void)state;
    start(&(struct fixture_options){0});
    static const char *const words[HOST_CUT_COUNT] = {
        [HOST_CUT_RECEIVE_BYTES] = "(limit receive_bytes = 67108864)",
        [HOST_CUT_OVERDUE] = "(limit message_ms = 30000)",
        [HOST_CUT_SILENT] = "(limit first_message_ms = 30000)",
        [HOST_CUT_PLACE] = "(limit sessions = 16)",
        [HOST_CUT_NOTIFICATIONS] = "(limit notification_bytes = 8388608)",
        [HOST_CUT_FRAMES] = "(limit frame_bytes = 268435456)",
        [HOST_CUT_MEMORY] = "MEMORY: there is no memory for an answer",
        [HOST_CUT_HELLO] = "(limit hello_ms = 2000)",
        [HOST_CUT_ACCESS] = "DENIED: this token was revoked",
    };
    int fds[HOST_CUT_COUNT];
    connect_all(fds, HOST_CUT_ACCESS, 0); // ids are 1 to HOST_CUT_ACCESS
    session_call(&fixture, call_cut, NULL);
    for (uint32_t cause = HOST_CUT_RECEIVE_BYTES; cause <= HOST_CUT_ACCESS; cause++) {
        expect_words(fds[cause - 1], words[cause]);
    }
    close(fds[HOST_CUT_MESSAGE - 1]);
    pass_sessions(0);
    struct host_sessions_stats stats = stats_now();
    for (uint32_t cause = 0; cause < HOST_CUT_COUNT; cause++) {
        assert_int_equal(stats.cut[cause], cause >= HOST_CUT_RECEIVE_BYTES);
    }
    session_fixture_destroy(&fixture);
}

static void call_lost_notice(struct fixture *all, void *argument)
{
    uint32_t world = *(uint32_t *)argument;
    host_sessions_enter(all->sessions);
    struct host_session *joined = host_session_find(all->sessions, 1);
    assert_true(host_session_reserve(joined));
    host_session_visit(joined, world);
    host_session_joined(joined, world, host_session_asker(joined).arrays);
    struct host_session *other = host_session_find(all->sessions, 2); // asked, did not join
    assert_true(host_session_reserve(other));
    host_session_visit(other, world);
    host_sessions_notice(all->sessions, world, (struct base_buffer *[3]){0}, true);
    host_sessions_leave(all->sessions);
}

static void a_notice_that_is_lost_ends_the_connections_of_those_who_joined(void **state)
{
    (void)state;
    start(&(struct fixture_options){0});
    int fds[2];
    uint32_t world;
    session_call(&fixture, call_world, &world);
    connect_all(fds, 2, 0);
    session_call(&fixture, call_lost_notice, &world);
    expect_words(fds[0], "MEMORY: ");
    pass_sessions(1);
    close(fds[1]);
    session_fixture_destroy(&fixture);
}

static void call_broken_line(struct fixture *all, void *argument)
{
    const uint32_t world = *(uint32_t *)argument;
    struct host_session *session = host_session_find(all->sessions, 1);
    assert_non_null(session);
    host_sessions_enter(all->sessions);
    assert_true(host_session_keep(session, 0));
    const uint32_t stream = host_session_stream_add(session, world);
    net_conn_cut(session->connection->conn, NET_END_NORMAL, "the line breaks");
    host_session_stream_opened(session, stream);
    host_sessions_leave(all->sessions);
    assert_int_equal(host_session_stream_world(session, stream), 0);
}

static void a_stream_that_comes_when_the_line_breaks_ends_and_its_session_stays(void **state)
{
    (void)state;
    start(&(struct fixture_options){.grace_ms = 60000});
    int fd;
    uint32_t world;
    session_call(&fixture, call_world, &world);
    connect_all(&fd, 1, 0);
    session_call(&fixture, call_broken_line, &world);
    const struct host_sessions_stats stats = stats_now();
    assert_int_equal(stats.cut[HOST_CUT_MEMORY], 0);
    assert_int_equal(stats.away, 1);
    close(fd);
    session_fixture_destroy(&fixture);
}

// ---------------------------------------------------------------------------------------------------------
// Sessions that nothing carries

static void call_bare(struct fixture *all, void *argument)
{
    const uint32_t world = *(uint32_t *)argument;
    char peer[64];
    host_sessions_enter(all->sessions);
    struct host_session *session = host_session_create(all->sessions);
    assert_non_null(session);
    const struct world_asker asker = host_session_asker(session);
    assert_ptr_equal(host_session_find(all->sessions, asker.session), session);
    assert_string_equal(asker.user, "session-1");
    assert_int_equal(host_sessions_count(all->sessions), 0); // it takes no connection's place
    host_session_peer(session, peer, sizeof peer);
    assert_string_equal(peer, "");

    assert_true(host_session_reserve(session));
    host_session_visit(session, world);
    host_session_joined(session, world, asker.arrays);
    uint32_t stream = host_session_stream_add(session, world);
    assert_int_equal(host_session_stream_world(session, stream), world);
    host_session_stream_opened(session, stream); // nobody would see its frames: it ends
    assert_false(host_sessions_publish(all->sessions, batch_of(asker.session, stream, 1)));
    host_sessions_starve(all->sessions, host_registry_find_any(all->registry, world));
    struct base_buffer *bytes = base_buffer_create(10, NULL);
    host_session_request_begin(session, 100);
    host_session_reply(session, bytes);
    host_sessions_notice(all->sessions, world, (struct base_buffer *[3]){bytes, bytes, bytes}, false);
    host_sessions_notice(all->sessions, world, (struct base_buffer *[3]){0}, true);
    host_session_fault(session, &(struct protocol_error){.code = PROTOCOL_CODE_BUSY}, "", 0);
    host_session_cut(session, HOST_CUT_PLACE);
    base_buffer_unref(bytes);
    assert_int_equal(host_session_unanswered(session), 1);
    host_session_request_end(session, 100);
    assert_int_equal(host_session_waiting_bytes(session), 0);
    host_sessions_leave(all->sessions);

    session = host_session_find(all->sessions, asker.session); // it has what it had
    assert_non_null(session);
    host_sessions_enter(all->sessions);
    host_sessions_forget_world(all->sessions, world, "the world is gone");
    assert_int_equal(host_session_stream_world(session, stream), 0);
    host_session_end(session);
    assert_null(host_session_find(all->sessions, 1));
    host_sessions_leave(all->sessions);
}

static void a_session_needs_no_connection(void **state)
{
    (void)state;
    start(&(struct fixture_options){0});
    uint32_t world;
    session_call(&fixture, call_world, &world);
    session_call(&fixture, call_bare, &world);
    struct host_sessions_stats stats = stats_now();
    assert_int_equal(stats.streams + stats.unanswered, 0);
    for (int cause = 0; cause < HOST_CUT_COUNT; cause++) {
        assert_int_equal(stats.cut[cause], 0);
    }
    session_fixture_destroy(&fixture);
}

static void call_create(struct fixture *all, void *argument)
{
    struct host_session *session = host_session_create(all->sessions);
    assert_non_null(session);
    assert_true(host_session_reserve(session));
    host_session_visit(session, *(uint32_t *)argument);
}

// Stopping waits for no connection that will not come.
static void a_session_that_nothing_carries_ends_with_the_server(void **state)
{
    (void)state;
    start(&(struct fixture_options){0});
    uint32_t world;
    session_call(&fixture, call_world, &world);
    session_call(&fixture, call_create, &world);
    session_fixture_destroy(&fixture);
}

// ---------------------------------------------------------------------------------------------------------
// Held

static void begin_a_request(void *context, struct host_session *session, uint8_t *bytes, size_t size)
{
    (void)context;
    (void)size;
    free(bytes);
    host_session_request_begin(session, 0);
}

static void call_end_requests(struct fixture *all, void *argument)
{
    host_sessions_enter(all->sessions);
    struct host_session *session = host_session_find(all->sessions, 1);
    for (uint32_t left = *(uint32_t *)argument; left > 0; left--) {
        host_session_request_end(session, 0);
    }
    host_sessions_leave(all->sessions);
}

static bool are_messages(struct fixture *all, void *argument)
{
    return all->messages == *(uint32_t *)argument;
}

static void expect_messages(uint32_t count)
{
    session_wait(&fixture, are_messages, &count);
    session_turns(&fixture);
    session_wait(&fixture, are_messages, &count); // and no more
}

static void who_waits_for_many_answers_is_not_read(void **state)
{
    (void)state;
    session_fixture_create(&fixture, &(struct fixture_options){0});
    fixture.on_message = begin_a_request;
    session_fixture_run(&fixture);
    uint8_t messages[1000] = {0};
    int fd = client_connect(&fixture, 0);
    client_send(fd, messages, sizeof messages);
    expect_messages(256);
    session_call(&fixture, call_end_requests, &(uint32_t){128});
    expect_messages(256);
    session_call(&fixture, call_end_requests, &(uint32_t){1}); // below half
    expect_messages(256 + 129);
    close(fd);
    pass_sessions(0); // held or not, its end is noticed
    session_fixture_destroy(&fixture);
}

static void who_dies_while_it_is_held_is_noticed(void **state)
{
    (void)state;
    for (int abrupt = 0; abrupt < 2; abrupt++) {
        session_fixture_create(&fixture, &(struct fixture_options){0});
        fixture.on_message = begin_a_request;
        session_fixture_run(&fixture);
        uint8_t messages[100000] = {0}; // more than is read ahead
        int fd = client_connect(&fixture, 0);
        client_send(fd, messages, sizeof messages);
        expect_messages(256);
        if (abrupt) {
            setsockopt(fd, SOL_SOCKET, SO_LINGER, &(struct linger){.l_onoff = 1}, sizeof(struct linger));
        }
        close(fd);
        pass_sessions(0);
        session_fixture_destroy(&fixture);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Places

static void the_oldest_that_never_spoke_goes_for_who_comes(void **state)
{
    (void)state;
    start(&(struct fixture_options){.sessions = 3});
    int fds[3];
    connect_all(fds, 3, 0);
    client_send(fds[0], "\xc0", 1);
    session_wait(&fixture, are_messages, &(uint32_t){1});
    int fourth = client_connect(&fixture, 0);
    expect_words(fds[1], "(limit sessions = 3)");
    client_send(fds[2], "\xc0", 1);
    client_send(fourth, "\xc0", 1);
    session_wait(&fixture, are_messages, &(uint32_t){3});
    // All said something a moment ago: who comes is refused.
    expect_words(client_connect(&fixture, 0), "(limit sessions = 3)");
    struct host_sessions_stats stats = stats_now();
    assert_int_equal(stats.cut[HOST_CUT_PLACE], 1);
    assert_int_equal(stats.refused[HOST_REFUSED_FULL], 1);
    close(fds[0]);
    close(fds[2]);
    close(fourth);
    session_fixture_destroy(&fixture);
}

static void an_address_has_so_many(void **state)
{
    (void)state;
    start(&(struct fixture_options){.per_address = 2});
    int fds[2];
    connect_all(fds, 2, 0);
    expect_words(client_connect(&fixture, 0), "(limit sessions_per_address = 2)");
    assert_int_equal(stats_now().refused[HOST_REFUSED_ADDRESS], 1);
    close(fds[0]);
    pass_sessions(1);
    int again = client_connect(&fixture, 0);
    wait_sessions(2);
    close(again);
    close(fds[1]);
    session_fixture_destroy(&fixture);
}

static void who_says_nothing_and_who_does_not_go_on_are_cut(void **state)
{
    (void)state;
    start(&(struct fixture_options){.first_message_ms = 400, .message_ms = 400});
    int fds[3];
    connect_all(fds, 3, 0);
    client_send(fds[1], "\xc0", 1);
    client_send(fds[2], "\xc0\x92", 2); // and half of another
    session_wait(&fixture, are_messages, &(uint32_t){2});
    session_pass(&fixture, 300);
    assert_int_equal(stats_now().cut[HOST_CUT_SILENT] + stats_now().cut[HOST_CUT_MESSAGE], 0);
    for (int ms = 0; ms < 400; ms += 50) {
        session_pass(&fixture, 50);
    }
    expect_words(fds[0], "(limit first_message_ms = 400)");
    expect_words(fds[2], "(limit message_ms = 400)");
    pass_sessions(1);
    close(fds[1]);
    session_fixture_destroy(&fixture);
}

// ---------------------------------------------------------------------------------------------------------
// Ending

static void call_begin(struct fixture *all, void *argument)
{
    (void)argument;
    host_sessions_enter(all->sessions);
    host_session_request_begin(host_session_find(all->sessions, 1), 0);
    host_sessions_leave(all->sessions);
}

// An answer that never comes, and one that is never read.
static void stopping_takes_no_longer_than_it_may(void **state)
{
    (void)state;
    start(&(struct fixture_options){0});
    int fds[2];
    uint32_t world;
    session_call(&fixture, call_world, &world);
    connect_all(fds, 2, 4096);
    session_call(&fixture, call_begin, NULL);
    session_call(&fixture, call_hold, &(struct held){2, world, 1});
    session_fixture_destroy(&fixture);
    assert_in_range(fixture.ended_ms, 1500, 2050);
    close(fds[0]);
    close(fds[1]);
}

static int hold_clock(void **state)
{
    (void)state;
    clock_hold();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_holds_the_oldest_frames_of_the_world_is_cut_and_nobody_else),
        cmocka_unit_test(whoever_is_cut_is_told_why),
        cmocka_unit_test(a_notice_that_is_lost_ends_the_connections_of_those_who_joined),
        cmocka_unit_test(a_stream_that_comes_when_the_line_breaks_ends_and_its_session_stays),
        cmocka_unit_test(a_session_needs_no_connection),
        cmocka_unit_test(a_session_that_nothing_carries_ends_with_the_server),
        cmocka_unit_test(who_waits_for_many_answers_is_not_read),
        cmocka_unit_test(who_dies_while_it_is_held_is_noticed),
        cmocka_unit_test(the_oldest_that_never_spoke_goes_for_who_comes),
        cmocka_unit_test(an_address_has_so_many),
        cmocka_unit_test(who_says_nothing_and_who_does_not_go_on_are_cut),
        cmocka_unit_test(stopping_takes_no_longer_than_it_may),
    };
    return cmocka_run_group_tests(tests, hold_clock, NULL);
}
