#include "helper_session.h"

#include "helper_clock.h"
#include "host/delivery.h"
#include "host/runner.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { WAIT_S = 60 };

static void on_message(void *context, struct host_session *session, uint8_t *bytes, size_t size)
{
    struct fixture *fixture = context;
    fixture->messages++;
    if (fixture->on_message) {
        fixture->on_message(fixture->context, session, bytes, size);
    } else {
        free(bytes);
    }
}

static void on_worlds(void *context)
{
    struct fixture *fixture = context;
    host_deliver(fixture->registry, fixture->sessions);
}

static void on_empty(void *context)
{
    struct fixture *fixture = context;
    atomic_store(&fixture->emptied, true);
    net_loop_stop(fixture->loop);
}

static void on_wake(void *context)
{
    struct fixture *fixture = context;
    atomic_fetch_add(&fixture->wakes, 1);
    base_mutex_lock(&fixture->mutex);
    if (fixture->call) {
        fixture->call(fixture, fixture->argument);
        fixture->call = NULL;
        base_cond_broadcast(&fixture->cond);
    }
    base_mutex_unlock(&fixture->mutex);
}

void session_fixture_create(struct fixture *fixture, const struct fixture_options *options)
{
    *fixture = (struct fixture){0};
    base_mutex_init(&fixture->mutex);
    base_cond_init(&fixture->cond);
    fixture->loop = net_loop_create();
    fixture->runner = host_runner_create(1);
    fixture->registry = host_registry_create(
        fixture->loop, fixture->runner,
        &(struct host_registry_limits){.worlds = 4, .sessions = 64, .store = options->store}, on_worlds,
        fixture);
    fixture->wake = net_wake_create(fixture->loop, on_wake, fixture);
    fixture->sessions = host_sessions_create(&(struct host_sessions_options){
        .loop = fixture->loop,
        .registry = fixture->registry,
        .per_address = options->per_address,
        .loopback_too = options->per_address > 0,
        .first_message_ms = options->first_message_ms,
        .grace_ms = options->grace_ms,
        .on_message = on_message,
        .message_context = fixture,
        .on_empty = on_empty,
        .context = fixture,
    });
    assert_non_null(fixture->sessions);
    const struct net_limits limits = {
        .message = {.bytes = 64 << 20, .depth = 16, .nodes = 1 << 20},
        .receive_bytes = 64 << 20,
        .connections = options->sessions ? options->sessions : 16,
        .message_ms = options->message_ms,
    };
    char bound[64];
    const char *reason = NULL;
    assert_true(
        host_sessions_listen(fixture->sessions, "127.0.0.1:0", &limits, bound, sizeof bound, &reason));
    fixture->port = (uint16_t)atoi(strrchr(bound, ':') + 1);
}

static void run(void *context)
{
    struct fixture *fixture = context;
    net_loop_run(fixture->loop);
}

void session_fixture_run(struct fixture *fixture)
{
    assert_true(base_thread_start(&fixture->thread, "loop", run, fixture));
}

static void call_stop(struct fixture *fixture, void *argument)
{
    (void)argument;
    host_registry_shutdown(fixture->registry);
    host_sessions_stop(fixture->sessions, 2000);
}

void session_fixture_destroy(struct fixture *fixture)
{
    const uint64_t deadline_ns = clock_real_ns() + WAIT_S * UINT64_C(1000000000);
    session_call(fixture, call_stop, NULL);
    for (fixture->ended_ms = 0; !atomic_load(&fixture->emptied); fixture->ended_ms += 10) {
        assert_true(clock_real_ns() < deadline_ns);
        const uint32_t wakes = atomic_load(&fixture->wakes);
        clock_pass(10000000);
        // Twice, since timers are called behind what wakes the loop.
        for (uint32_t i = 1; i <= 2 && !atomic_load(&fixture->emptied); i++) {
            net_wake_send(fixture->wake);
            while (atomic_load(&fixture->wakes) - wakes < i && !atomic_load(&fixture->emptied)) {
                usleep(100);
            }
        }
    }
    base_thread_join(&fixture->thread);
    assert_int_equal(host_sessions_count(fixture->sessions), 0);
    host_runner_destroy(fixture->runner);
    host_registry_destroy(fixture->registry);
    host_sessions_destroy(fixture->sessions);
    net_wake_destroy(fixture->wake);
    net_loop_destroy(fixture->loop);
    base_cond_deinit(&fixture->cond);
    base_mutex_deinit(&fixture->mutex);
}

void session_call(struct fixture *fixture, void (*call)(struct fixture *fixture, void *argument),
                  void *argument)
{
    uint64_t deadline_ns = clock_real_ns() + WAIT_S * UINT64_C(1000000000);
    base_mutex_lock(&fixture->mutex);
    fixture->call = call;
    fixture->argument = argument;
    net_wake_send(fixture->wake);
    while (fixture->call) {
        assert_true(clock_real_wait_until(&fixture->cond, &fixture->mutex, deadline_ns) || !fixture->call);
    }
    base_mutex_unlock(&fixture->mutex);
}

static void call_nothing(struct fixture *fixture, void *argument)
{
    (void)fixture;
    (void)argument;
}

void session_turns(struct fixture *fixture)
{
    for (int turn = 0; turn < 5; turn++) {
        session_call(fixture, call_nothing, NULL);
    }
}

void session_pass(struct fixture *fixture, uint64_t ms)
{
    clock_pass(ms * 1000000);
    session_call(fixture, call_nothing, NULL); // timers are called behind it
    session_call(fixture, call_nothing, NULL);
}

struct question {
    bool (*holds)(struct fixture *fixture, void *argument);
    void *argument;
    bool answer;
};

static void call_ask(struct fixture *fixture, void *argument)
{
    struct question *question = argument;
    question->answer = question->holds(fixture, question->argument);
}

void session_wait(struct fixture *fixture, bool (*holds)(struct fixture *fixture, void *argument),
                  void *argument)
{
    struct question question = {holds, argument, false};
    uint64_t deadline_ns = clock_real_ns() + WAIT_S * UINT64_C(1000000000);
    for (;;) {
        session_call(fixture, call_ask, &question);
        if (question.answer) {
            return;
        }
        assert_true(clock_real_ns() < deadline_ns);
        usleep(2000);
    }
}

int client_connect(const struct fixture *fixture, int receive_buffer)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(fd >= 0);
    if (receive_buffer) {
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    }
    struct timeval patience = {.tv_sec = WAIT_S};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(fixture->port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

void client_send(int fd, const void *data, size_t size)
{
    for (size_t sent = 0; sent < size;) {
        ssize_t some = send(fd, (const char *)data + sent, size - sent, MSG_NOSIGNAL);
        assert_true(some > 0);
        sent += (size_t)some;
    }
}

void client_ask(int fd, uint32_t msgid, const char *method, const char *field, uint64_t number)
{
    msgpack_sbuffer bytes;
    msgpack_packer packer;
    msgpack_sbuffer_init(&bytes);
    msgpack_packer_init(&packer, &bytes, msgpack_sbuffer_write);
    msgpack_pack_array(&packer, msgid ? 4 : 3);
    msgpack_pack_int(&packer, msgid ? 0 : 2);
    if (msgid) {
        msgpack_pack_uint32(&packer, msgid);
    }
    msgpack_pack_str_with_body(&packer, method, strlen(method));
    msgpack_pack_array(&packer, field ? 1 : 0);
    if (field) {
        msgpack_pack_map(&packer, 1);
        msgpack_pack_str_with_body(&packer, field, strlen(field));
        msgpack_pack_uint64(&packer, number);
    }
    client_send(fd, bytes.data, bytes.size);
    msgpack_sbuffer_destroy(&bytes);
}

bool client_message(int fd, msgpack_unpacker *from, msgpack_unpacked *message)
{
    while (msgpack_unpacker_next(from, message) != MSGPACK_UNPACK_SUCCESS) {
        assert_true(msgpack_unpacker_reserve_buffer(from, 1 << 16));
        ssize_t some = recv(fd, msgpack_unpacker_buffer(from), 1 << 16, 0);
        if (some <= 0) {
            return false;
        }
        msgpack_unpacker_buffer_consumed(from, (size_t)some);
    }
    return true;
}

void client_last_words(int fd, char *text, size_t size)
{
    msgpack_unpacker from;
    msgpack_unpacked message;
    msgpack_unpacked_init(&message);
    assert_true(msgpack_unpacker_init(&from, 1 << 16));
    text[0] = 0;
    while (client_message(fd, &from, &message)) {
        const msgpack_object *items = message.data.via.array.ptr;
        if (message.data.type != MSGPACK_OBJECT_ARRAY || message.data.via.array.size != 3 ||
            items[1].via.str.size != 5 || memcmp(items[1].via.str.ptr, "error", 5) != 0) {
            continue;
        }
        // [2, "error", [{"error": [kind, text], "method": ""}]]
        const msgpack_object *error = &items[2].via.array.ptr[0].via.map.ptr[0].val;
        const msgpack_object_str *words = &error->via.array.ptr[1].via.str;
        snprintf(text, size, "%.*s", (int)words->size, words->ptr);
    }
    msgpack_unpacked_destroy(&message);
    msgpack_unpacker_destroy(&from);
}
