// Answers that come after their method has returned: counted, in order where that matters, and to nobody who has gone.
#include "../host/helper_session.h"

#include "dispatch/call.h"
#include "dispatch/later.h"
#include "protocol/error.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LATERS_MAX = 400 };

static struct fixture fixture;
static struct dispatch_server server;
static bool in_order, notifications, torn_down;
static struct dispatch_later *laters[LATERS_MAX]; // the n-th message's has msgid n
static uint32_t later_count;
static msgpack_unpacker from;
static msgpack_unpacked message;

// Every message is server.ping, and stays unanswered.
static void begin_later(void *context, struct host_session *session, uint8_t *bytes, size_t size)
{
    (void)context;
    struct world_packet *packet = calloc(1, sizeof *packet);
    assert_non_null(packet);
    assert_true(msgpack_zone_init(&packet->zone, MSGPACK_ZONE_CHUNK_SIZE));
    packet->bytes = bytes;
    packet->size = size;
    struct protocol_error error;
    struct dispatch_call call = {
        .server = &server,
        .session = session,
        .method = PROTOCOL_METHOD_SERVER_PING,
        .wants_answer = !notifications,
        .msgid = later_count,
        .packet = &packet,
        .error = &error,
    };
    assert_true(later_count < LATERS_MAX);
    laters[later_count] = dispatch_later_begin(&call, in_order);
    assert_non_null(laters[later_count]);
    assert_true(call.later);
    assert_null(packet);
    later_count++;
}

static int setup(void **state)
{
    session_fixture_create(&fixture, &(struct fixture_options){0});
    fixture.on_message = begin_later;
    server = (struct dispatch_server){.loop = fixture.loop};
    in_order = notifications = torn_down = false;
    later_count = 0;
    session_fixture_run(&fixture);
    msgpack_unpacked_init(&message);
    assert_true(msgpack_unpacker_init(&from, 1 << 16));
    *state = NULL;
    return 0;
}

static void teardown_fixture(void)
{
    if (!torn_down) {
        session_fixture_destroy(&fixture);
    }
    torn_down = true;
}

static int teardown(void **state)
{
    (void)state;
    teardown_fixture();
    msgpack_unpacked_destroy(&message);
    msgpack_unpacker_destroy(&from);
    return 0;
}

static bool are_begun(struct fixture *all, void *argument)
{
    (void)all;
    return later_count == *(uint32_t *)argument;
}

static bool are_unanswered(struct fixture *all, void *argument)
{
    struct host_sessions_stats stats;
    struct net_stats net[2];
    host_sessions_stats(all->sessions, &stats, net);
    return stats.unanswered == *(uint32_t *)argument;
}

static bool is_empty(struct fixture *all, void *argument)
{
    (void)argument;
    return host_sessions_count(all->sessions) == 0;
}

static void call_answer(struct fixture *all, void *argument)
{
    (void)all;
    const uint32_t which = *(uint32_t *)argument;
    dispatch_later_answer(laters[which],
                          &(struct protocol_server_ping_result){.has = UINT64_MAX, .time_us = 1000 + which});
}

static void call_refuse(struct fixture *all, void *argument)
{
    (void)all;
    struct protocol_error error;
    protocol_error_set(&error, PROTOCOL_CODE_CONFLICT, NULL, "too late");
    dispatch_later_refuse(laters[*(uint32_t *)argument], &error);
}

static void expect_answer(int fd, uint32_t msgid, bool refused)
{
    assert_true(client_message(fd, &from, &message));
    const msgpack_object *items = message.data.via.array.ptr;
    assert_int_equal(message.data.via.array.size, 4);
    assert_int_equal(items[1].via.u64, msgid);
    assert_int_equal(items[2].type == MSGPACK_OBJECT_ARRAY, refused);
    if (!refused) {
        assert_int_equal(items[3].via.map.ptr[0].val.via.u64, 1000 + msgid);
    }
}

static void answers_come_when_they_are_made(void **state)
{
    (void)state;
    int fd = client_connect(&fixture, 0);
    client_send(fd, "\xc0\xc0\xc0", 3);
    session_wait(&fixture, are_begun, &(uint32_t){3});
    session_wait(&fixture, are_unanswered, &(uint32_t){3});
    session_call(&fixture, call_answer, &(uint32_t){2});
    expect_answer(fd, 2, false);
    session_call(&fixture, call_refuse, &(uint32_t){0});
    session_call(&fixture, call_answer, &(uint32_t){1});
    expect_answer(fd, 0, true);
    expect_answer(fd, 1, false);
    session_wait(&fixture, are_unanswered, &(uint32_t){0});
    close(fd);
}

static void what_must_not_be_overtaken_is_not(void **state)
{
    (void)state;
    in_order = true;
    int fd = client_connect(&fixture, 0);
    client_send(fd, "\xc0\xc0\xc0", 3);
    for (uint32_t which = 0; which < 3; which++) {
        session_wait(&fixture, are_begun, &(uint32_t){which + 1});
        session_turns(&fixture);
        assert_int_equal(later_count, which + 1); // the next one is not read
        session_call(&fixture, call_answer, &which);
        expect_answer(fd, which, false);
    }
    close(fd);
}

static void there_are_so_many_of_a_session(void **state)
{
    (void)state;
    static const char messages[LATERS_MAX - 10];
    int fd = client_connect(&fixture, 0);
    client_send(fd, messages, sizeof messages);
    session_wait(&fixture, are_begun, &(uint32_t){PROTOCOL_LIMIT_REQUESTS_UNANSWERED});
    session_turns(&fixture);
    session_wait(&fixture, are_unanswered, &(uint32_t){PROTOCOL_LIMIT_REQUESTS_UNANSWERED});
    for (uint32_t which = 0; which < sizeof messages; which++) {
        session_call(&fixture, call_answer, &which);
        expect_answer(fd, which, false);
    }
    close(fd);
}

static void call_is_gone(struct fixture *all, void *argument)
{
    (void)all;
    (void)argument;
    assert_null(dispatch_later_session(laters[0]));
}

static void an_answer_to_nobody_goes_nowhere(void **state)
{
    (void)state;
    in_order = true;
    int fd = client_connect(&fixture, 0);
    client_send(fd, "\xc0", 1);
    session_wait(&fixture, are_begun, &(uint32_t){1});
    in_order = false;
    int other = client_connect(&fixture, 0);
    client_send(other, "\xc0", 1);
    session_wait(&fixture, are_begun, &(uint32_t){2});
    const struct linger now = {.l_onoff = 1};
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    setsockopt(other, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close(fd);
    close(other);
    session_wait(&fixture, is_empty, NULL);
    session_call(&fixture, call_is_gone, NULL);
    session_call(&fixture, call_answer, &(uint32_t){0});
    session_call(&fixture, call_refuse, &(uint32_t){1});
}

static void a_notification_that_is_refused_is_told_of(void **state)
{
    (void)state;
    notifications = true;
    int fd = client_connect(&fixture, 0);
    client_send(fd, "\xc0\xc0", 2);
    session_wait(&fixture, are_begun, &(uint32_t){2});
    session_call(&fixture, call_answer, &(uint32_t){0});
    session_call(&fixture, call_refuse, &(uint32_t){1});
    assert_true(client_message(fd, &from, &message));
    assert_int_equal(message.data.via.array.size, 3);
    assert_memory_equal(message.data.via.array.ptr[1].via.str.ptr, "error", 5);
    session_wait(&fixture, are_unanswered, &(uint32_t){0});
    close(fd);
}

static struct net_timer *timer;

static void on_time(void *context)
{
    net_timer_stop(timer);
    call_answer(NULL, context);
}

static void call_answer_soon(struct fixture *all, void *argument)
{
    timer = net_timer_start(all->loop, 300, 0, on_time, argument);
    assert_non_null(timer);
}

static void who_goes_down_waits_for_it(void **state)
{
    (void)state;
    int fd = client_connect(&fixture, 0);
    client_send(fd, "\xc0", 1);
    session_wait(&fixture, are_begun, &(uint32_t){1});
    session_call(&fixture, call_answer_soon, &(uint32_t){0});
    teardown_fixture();
    expect_answer(fd, 0, false);
    assert_false(client_message(fd, &from, &message)); // and that was all
    close(fd);
}

// ---------------------------------------------------------------------------------------------------------
// On a worker

static pthread_t loop_thread, work_thread;
static bool done, was_worked;

static void work(void *context)
{
    (void)context;
    work_thread = pthread_self();
}

static void on_done(void *context, bool worked)
{
    assert_true(pthread_equal(pthread_self(), loop_thread));
    done = true;
    was_worked = worked;
    call_answer(NULL, context);
}

static void call_work(struct fixture *all, void *argument)
{
    (void)all;
    loop_thread = work_thread = pthread_self();
    done = was_worked = false;
    dispatch_later_work(laters[*(uint32_t *)argument], false, work, on_done, argument);
}

static bool is_done(struct fixture *all, void *argument)
{
    (void)all;
    (void)argument;
    return done;
}

static void work_is_done_elsewhere_and_answered_here(void **state)
{
    (void)state;
    in_order = true;
    uint32_t which = 0;
    int fd = client_connect(&fixture, 0);
    client_send(fd, "\xc0\xc0", 2);
    session_wait(&fixture, are_begun, &(uint32_t){1});
    session_call(&fixture, call_work, &which);
    session_wait(&fixture, is_done, NULL);
    assert_true(was_worked);
    assert_false(pthread_equal(work_thread, loop_thread));
    expect_answer(fd, 0, false);
    // Not where the server goes down.
    session_wait(&fixture, are_begun, &(uint32_t){2});
    server.stopping = true;
    which = 1;
    session_call(&fixture, call_work, &which);
    session_wait(&fixture, is_done, NULL);
    assert_false(was_worked);
    assert_true(pthread_equal(work_thread, loop_thread));
    expect_answer(fd, 1, false);
    close(fd);
}

static pthread_mutex_t barrier = PTHREAD_MUTEX_INITIALIZER;

static void work_behind_barrier(void *context)
{
    (void)context;
    pthread_mutex_lock(&barrier);
    pthread_mutex_unlock(&barrier);
}

static void call_long_work(struct fixture *all, void *argument)
{
    (void)all;
    loop_thread = pthread_self();
    done = false;
    dispatch_later_work(laters[*(uint32_t *)argument], HOST_LONG, work_behind_barrier, on_done, argument);
}

static void call_stop(struct fixture *all, void *argument)
{
    (void)all;
    (void)argument;
    dispatch_later_stop(&server, 0);
}

static void who_goes_down_does_not_wait_for_long_work(void **state)
{
    (void)state;
    for (uint32_t which = 0; which < 2; which++) {
        in_order = which == 1;
        int fd = client_connect(&fixture, 0);
        client_send(fd, "\xc0", 1);
        session_wait(&fixture, are_begun, &(uint32_t){2 * which + 1});
        pthread_mutex_lock(&barrier);
        session_call(&fixture, call_long_work, &(uint32_t){2 * which});
        session_call(&fixture, call_stop, NULL);
        expect_answer(fd, 2 * which, true); // while its work goes on
        pthread_mutex_unlock(&barrier);
        session_wait(&fixture, is_done, NULL);
        client_send(fd, "\xc0", 1);
        session_wait(&fixture, are_begun, &(uint32_t){2 * which + 2});
        session_call(&fixture, call_answer, &(uint32_t){2 * which + 1});
        expect_answer(fd, 2 * which + 1, false); // what the work came to was told to nobody
        close(fd);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(answers_come_when_they_are_made),
        TEST(what_must_not_be_overtaken_is_not),
        TEST(there_are_so_many_of_a_session),
        TEST(an_answer_to_nobody_goes_nowhere),
        TEST(a_notification_that_is_refused_is_told_of),
        TEST(who_goes_down_waits_for_it),
        TEST(work_is_done_elsewhere_and_answered_here),
        TEST(who_goes_down_does_not_wait_for_long_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
