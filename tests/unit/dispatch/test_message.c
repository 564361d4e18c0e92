// From bytes of a socket to answers: what is answered, what is not, what ends the connection, and in which order.
#include "../host/helper_session.h"

#include "base/buffer.h"
#include "base/clock.h"
#include "dispatch/admin/admin.h"
#include "dispatch/call.h"
#include "dispatch/dispatch.h"
#include "host/delivery.h"
#include "host/slots.h"
#include "host/world_internal.h"
#include "protocol/generated/api.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct fixture fixture;
static struct dispatch *dispatch;
static msgpack_unpacker from;
static msgpack_unpacked message;

static const struct dispatch_limits limits = {
    .message_bytes = 1 << 20, .sessions = 17, .sessions_per_address = 18, .worlds = 4};

static int setup(void **state)
{
    session_fixture_create(&fixture, &(struct fixture_options){0});
    dispatch = dispatch_create(fixture.loop, fixture.registry, 1, &limits);
    assert_non_null(dispatch);
    fixture.on_message = dispatch_message;
    fixture.context = dispatch;
    session_fixture_run(&fixture);
    msgpack_unpacked_init(&message);
    assert_true(msgpack_unpacker_init(&from, 1 << 16));
    *state = NULL;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    session_fixture_destroy(&fixture);
    dispatch_destroy(dispatch);
    msgpack_unpacked_destroy(&message);
    msgpack_unpacker_destroy(&from);
    return 0;
}

// The next message is an answer to msgid. Its error's text; empty, and *result, if it is a result.
static void expect_answer(int fd, uint32_t msgid, char text[256], const msgpack_object **result)
{
    assert_true(client_message(fd, &from, &message));
    const msgpack_object *items = message.data.via.array.ptr;
    assert_int_equal(message.data.via.array.size, 4);
    assert_int_equal(items[0].via.u64, 1);
    assert_int_equal(items[1].via.u64, msgid);
    text[0] = 0;
    *result = &items[3];
    if (items[2].type == MSGPACK_OBJECT_ARRAY) {
        const msgpack_object_str *words = &items[2].via.array.ptr[1].via.str;
        snprintf(text, 256, "%.*s", (int)words->size, words->ptr);
    }
}

static void expect_result(int fd, uint32_t msgid)
{
    char text[256];
    const msgpack_object *result;
    expect_answer(fd, msgid, text, &result);
    assert_string_equal(text, "");
    assert_int_equal(result->type, MSGPACK_OBJECT_MAP);
}

static void expect_refusal(int fd, uint32_t msgid, const char *wanted)
{
    char text[256];
    const msgpack_object *result;
    expect_answer(fd, msgid, text, &result);
    if (!strstr(text, wanted)) {
        fail_msg("\"%s\" is not in \"%s\"", wanted, text);
    }
}

static uint64_t number_of(const msgpack_object *map, const char *name)
{
    for (uint32_t i = 0; i < map->via.map.size; i++) {
        const msgpack_object_kv *entry = &map->via.map.ptr[i];
        if (entry->key.via.str.size == strlen(name) &&
            memcmp(entry->key.via.str.ptr, name, strlen(name)) == 0) {
            return entry->val.via.u64;
        }
    }
    fail_msg("no %s", name);
    return 0;
}

static void requests_are_answered_in_their_order(void **state)
{
    (void)state;
    int fd = client_connect(&fixture, 0);
    client_ask(fd, 1, "server.ping", NULL, 0);
    client_ask(fd, 2, "world.create", NULL, 0);
    client_ask(fd, 3, "world.get", "world", 1);
    expect_result(fd, 1);
    expect_result(fd, 2);
    expect_result(fd, 3);
    client_ask(fd, 4, "no.such", NULL, 0);
    client_ask(fd, 5, "world.get", "world", 77);
    client_ask(fd, 6, "server.ping", "more", 1);
    client_ask(fd, 7, "world.get", NULL, 0);
    client_ask(fd, 8, "stream.unsubscribe", "stream", 5);
    expect_refusal(fd, 4, "NOT_FOUND: no method \"no.such\"");
    expect_refusal(fd, 5, "NOT_FOUND: no world 77");
    expect_refusal(fd, 6, "INVALID: ");
    expect_refusal(fd, 7, "INVALID: ");
    expect_refusal(fd, 8, "NOT_FOUND: no stream 5");
    close(fd);
}

static void limits_are_told_as_the_options_made_them(void **state)
{
    (void)state;
    struct base_buffer *bytes = dispatch_admin_limits(&limits);
    assert_non_null(bytes);
    msgpack_unpacked all;
    msgpack_unpacked_init(&all);
    assert_int_equal(msgpack_unpack_next(&all, (const char *)bytes->data, bytes->size, NULL),
                     MSGPACK_UNPACK_SUCCESS);
    assert_int_equal(number_of(&all.data, "message_bytes"), 1 << 20);
    assert_int_equal(number_of(&all.data, "sessions"), 17);
    assert_int_equal(number_of(&all.data, "sessions_per_address"), 18);
    assert_int_equal(number_of(&all.data, "worlds"), 4);
    assert_int_equal(number_of(&all.data, "bodies"), PROTOCOL_LIMIT_BODIES);
    msgpack_unpacked_destroy(&all);
    base_buffer_unref(bytes);
}

static void notifications_are_obeyed_and_not_answered(void **state)
{
    (void)state;
    int fd = client_connect(&fixture, 0);
    client_ask(fd, 0, "server.info", NULL, 0);
    client_ask(fd, 0, "world.create", NULL, 0);
    client_ask(fd, 0, "no.such", NULL, 0);
    client_send(fd, "\x94\x01\x07\xc0\xc0", 5); // a response that nobody awaits
    client_ask(fd, 1, "server.stats", NULL, 0);
    char text[256];
    const msgpack_object *stats;
    expect_answer(fd, 1, text, &stats);
    assert_int_equal(number_of(stats, "worlds"), 1);
    assert_int_equal(number_of(stats, "requests"), 1);
    assert_int_equal(number_of(stats, "notifications_ignored"), 2);
    // A fault in one part is reported, even if nothing would have come of the call.
    client_ask(fd, 0, "server.info", "more", 1);
    client_ask(fd, 2, "server.ping", NULL, 0);
    assert_true(client_message(fd, &from, &message));
    assert_int_equal(message.data.via.array.size, 3);
    assert_memory_equal(message.data.via.array.ptr[1].via.str.ptr, "error", 5);
    expect_result(fd, 2);
    close(fd);
}

static void what_is_no_message_ends_the_connection_behind_its_answers(void **state)
{
    (void)state;
    static const char *const wrong[] = {"\xc0", "\x93\x00\x01\x02", "\x94\x05\x01\xa1x\x90", "\xc1"};
    static const size_t sizes[] = {1, 4, 6, 1};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        int fd = client_connect(&fixture, 0);
        client_ask(fd, 9, "server.ping", NULL, 0);
        client_send(fd, wrong[i], sizes[i]);
        client_ask(fd, 10, "server.ping", NULL, 0);
        expect_result(fd, 9);
        assert_true(client_message(fd, &from, &message));
        const msgpack_object *error = &message.data.via.array.ptr[2].via.array.ptr[0].via.map.ptr[0].val;
        assert_memory_equal(error->via.array.ptr[1].via.str.ptr, "PROTOCOL: ", 10);
        assert_false(client_message(fd, &from, &message));
        close(fd);
    }
}

// [0, msgid, "server.ping", [{"more": bytes}]], which a worker takes apart.
static void ask_large(int fd, uint32_t msgid, uint32_t size)
{
    msgpack_sbuffer bytes;
    msgpack_packer packer;
    msgpack_sbuffer_init(&bytes);
    msgpack_packer_init(&packer, &bytes, msgpack_sbuffer_write);
    msgpack_pack_array(&packer, 4);
    msgpack_pack_int(&packer, 0);
    msgpack_pack_uint32(&packer, msgid);
    msgpack_pack_str_with_body(&packer, "server.ping", 11);
    msgpack_pack_array(&packer, 1);
    msgpack_pack_map(&packer, 1);
    msgpack_pack_str_with_body(&packer, "more", 4);
    char *zeros = calloc(1, size);
    msgpack_pack_bin_with_body(&packer, zeros, size);
    client_send(fd, bytes.data, bytes.size);
    free(zeros);
    msgpack_sbuffer_destroy(&bytes);
}

static void what_comes_behind_a_large_message_waits_for_it(void **state)
{
    (void)state;
    int fd = client_connect(&fixture, 0);
    for (uint32_t msgid = 1; msgid < 40; msgid += 2) {
        ask_large(fd, msgid, 300000);
        client_ask(fd, msgid + 1, "server.ping", NULL, 0);
    }
    for (uint32_t msgid = 1; msgid < 40; msgid += 2) {
        expect_refusal(fd, msgid, "INVALID: ");
        expect_result(fd, msgid + 1);
    }
    ask_large(fd, 41, 300000);
    close(fd); // leaves while a worker has its message
}

static void call_stop(struct fixture *all, void *argument)
{
    (void)all;
    dispatch_stop(argument);
}

static void call_health(struct fixture *all, void *argument)
{
    struct base_buffer *bytes = dispatch_health(dispatch, argument);
    assert_non_null(bytes);
    base_buffer_unref(bytes);
    bytes = dispatch_metrics(dispatch, all->sessions);
    assert_non_null(bytes);
    assert_non_null(memmem(bytes->data, bytes->size, "\nweft_sessions_cut_total{reason=\"frames\"} 0\n", 44));
    base_buffer_unref(bytes);
}

static void who_goes_down_makes_no_worlds(void **state)
{
    (void)state;
    int status = 0;
    session_call(&fixture, call_health, &status);
    assert_int_equal(status, 200);
    session_call(&fixture, call_stop, dispatch);
    session_call(&fixture, call_health, &status);
    assert_int_equal(status, 503);
    int fd = client_connect(&fixture, 0);
    client_ask(fd, 1, "world.create", NULL, 0);
    client_ask(fd, 2, "server.ping", NULL, 0);
    expect_refusal(fd, 1, "SHUTDOWN: ");
    expect_result(fd, 2);
    close(fd);
}

static bool have_come(struct fixture *all, void *argument)
{
    return all->messages >= *(uint32_t *)argument;
}

static struct base_mutex barrier;

static void work_behind_barrier(void *context)
{
    (void)context;
    base_mutex_lock(&barrier);
    base_mutex_unlock(&barrier);
}

static void on_worked(void *context)
{
    ++*(uint32_t *)context;
}

static void call_take_workers(struct fixture *all, void *argument)
{
    for (int i = 0; i < HOST_SLOTS; i++) {
        assert_true(net_work(all->loop, work_behind_barrier, on_worked, argument));
    }
}

static bool are_free(struct fixture *all, void *argument)
{
    (void)all;
    return *(uint32_t *)argument == HOST_SLOTS;
}

static void who_goes_down_does_not_wait_for_large_messages(void **state)
{
    (void)state;
    uint32_t freed = 0;
    base_mutex_init(&barrier);
    base_mutex_lock(&barrier);
    session_call(&fixture, call_take_workers, &freed);
    int fd = client_connect(&fixture, 0);
    const uint32_t before = fixture.messages;
    ask_large(fd, 1, 2 << 20); // an address has one worker for such
    session_wait(&fixture, have_come, &(uint32_t){before + 1});
    session_call(&fixture, call_stop, dispatch);
    ask_large(fd, 2, 2 << 20);
    ask_large(fd, 3, 300000);
    client_ask(fd, 4, "server.ping", NULL, 0);
    for (uint32_t msgid = 1; msgid < 4; msgid++) {
        expect_refusal(fd, msgid, "SHUTDOWN: ");
    }
    expect_result(fd, 4);
    base_mutex_unlock(&barrier);
    session_wait(&fixture, are_free, &freed);
    base_mutex_deinit(&barrier);
    close(fd);
}

// ---------------------------------------------------------------------------------------------------------
// Answers that wait for their records

static void call_shut_gate(struct fixture *all, void *argument)
{
    host_gate_init(&host_registry_find_any(all->registry, *(uint32_t *)argument)->gate, 0);
}

static void call_durable(struct fixture *all, void *argument)
{
    host_deliver_durable(host_registry_find_any(all->registry, 1), *(uint64_t *)argument);
}

static bool are_waiting(struct fixture *all, void *argument)
{
    return host_registry_find_any(all->registry, 1)->gate.answers == *(uint32_t *)argument;
}

static void expect_notice(int fd, msgpack_unpacker *unpacker, const char *method)
{
    assert_true(client_message(fd, unpacker, &message));
    const msgpack_object *items = message.data.via.array.ptr;
    assert_int_equal(message.data.via.array.size, 3);
    if (items[1].via.str.size != strlen(method) ||
        memcmp(items[1].via.str.ptr, method, strlen(method)) != 0) {
        fail_msg("%.*s, not %s", (int)items[1].via.str.size, items[1].via.str.ptr, method);
    }
}

static void answers_wait_until_their_records_are_durable(void **state)
{
    (void)state;
    msgpack_unpacker of_reader;
    assert_true(msgpack_unpacker_init(&of_reader, 1 << 16));
    int fd = client_connect(&fixture, 0), reader = client_connect(&fixture, 0);
    client_ask(fd, 1, "world.create", NULL, 0);
    client_ask(fd, 2, "world.create", NULL, 0);
    expect_result(fd, 1);
    expect_result(fd, 2);
    session_call(&fixture, call_shut_gate, &(uint32_t){1});
    client_ask(reader, 1, "world.join", "world", 1); // before there is a record
    assert_true(client_message(reader, &of_reader, &message));
    assert_int_equal(message.data.via.array.size, 4);

    client_ask(fd, 3, "world.reset", "world", 1);
    client_ask(fd, 4, "world.get", "world", 1);
    session_wait(&fixture, are_waiting, &(uint32_t){2});
    client_ask(fd, 5, "world.get", "world", 2);
    client_ask(fd, 6, "server.ping", NULL, 0);
    client_ask(reader, 2, "world.reset", "world", 1);
    session_wait(&fixture, are_waiting, &(uint32_t){3});
    for (int i = 0; i < 2; i++) { // of other worlds, and of none
        assert_true(client_message(fd, &from, &message));
        assert_in_range(message.data.via.array.ptr[1].via.u64, 5, 6);
    }
    session_call(&fixture, call_durable, &(uint64_t){1});
    expect_result(fd, 3);
    expect_result(fd, 4);
    expect_notice(reader, &of_reader, "world.edited");
    session_wait(&fixture, are_waiting, &(uint32_t){1});
    // The published state is after the second one, so it cannot answer earlier.
    client_ask(fd, 7, "world.get", "world", 1);
    session_wait(&fixture, are_waiting, &(uint32_t){2});
    session_call(&fixture, call_durable, &(uint64_t){2});
    expect_result(fd, 7);
    assert_true(client_message(reader, &of_reader, &message));
    assert_int_equal(message.data.via.array.size, 4);
    expect_notice(reader, &of_reader, "world.edited");
    client_ask(fd, 8, "world.get", "world", 1);
    expect_result(fd, 8);
    close(fd);
    close(reader);
    msgpack_unpacker_destroy(&of_reader);
}

static void a_stream_whose_answer_waited_begins_with_what_came_last(void **state)
{
    (void)state;
    int fd = client_connect(&fixture, 0);
    client_ask(fd, 1, "world.create", NULL, 0);
    expect_result(fd, 1);
    session_call(&fixture, call_shut_gate, &(uint32_t){1});
    client_ask(fd, 2, "world.reset", "world", 1);
    client_ask(fd, 3, "stream.subscribe", "world", 1);
    client_ask(fd, 4, "world.step", "world", 1);
    // Frames of both moments are there, since the world made them before the last answer.
    session_wait(&fixture, are_waiting, &(uint32_t){3});
    session_call(&fixture, call_durable, &(uint64_t){1});
    expect_result(fd, 2);
    expect_result(fd, 3);
    bool stepped = false, framed = false; // a frame may pass an answer
    while (!stepped || !framed) {
        assert_true(client_message(fd, &from, &message));
        const msgpack_object *items = message.data.via.array.ptr;
        if (message.data.via.array.size == 4) {
            stepped = true;
            continue;
        }
        framed = true;
        assert_int_equal(number_of(&items[2].via.array.ptr[0], "tick"), 1);
    }
    close(fd);
}

static bool is_empty(struct fixture *all, void *argument)
{
    (void)argument;
    return host_sessions_count(all->sessions) == 0;
}

static void who_goes_leaves_nothing_at_the_gate(void **state)
{
    (void)state;
    int fd = client_connect(&fixture, 0);
    client_ask(fd, 1, "world.create", NULL, 0);
    expect_result(fd, 1);
    session_call(&fixture, call_shut_gate, &(uint32_t){1});
    for (uint32_t msgid = 2; msgid < 100; msgid++) {
        client_ask(fd, msgid, "world.reset", "world", 1);
    }
    session_wait(&fixture, are_waiting, &(uint32_t){98});
    const struct linger now = {.l_onoff = 1};
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close(fd);
    session_wait(&fixture, is_empty, NULL);
    session_wait(&fixture, are_waiting, &(uint32_t){0});
}

static void call_crowd(struct fixture *all, void *argument)
{
    host_registry_find_any(all->registry, 1)->gate.answers = *(uint32_t *)argument;
}

static void answers_that_wait_keep_their_places(void **state)
{
    (void)state;
    int fd = client_connect(&fixture, 0);
    client_ask(fd, 1, "world.create", NULL, 0);
    expect_result(fd, 1);
    session_call(&fixture, call_crowd, &(uint32_t){PROTOCOL_LIMIT_WORLD_REQUESTS});
    client_ask(fd, 2, "world.reset", "world", 1);
    expect_refusal(fd, 2, "BUSY: too many requests wait in world 1");
    session_call(&fixture, call_crowd, &(uint32_t){PROTOCOL_LIMIT_WORLD_REQUESTS - 1});
    client_ask(fd, 3, "world.reset", "world", 1);
    expect_result(fd, 3);
    session_call(&fixture, call_crowd, &(uint32_t){0});
    close(fd);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(requests_are_answered_in_their_order),
        TEST(limits_are_told_as_the_options_made_them),
        TEST(notifications_are_obeyed_and_not_answered),
        TEST(what_is_no_message_ends_the_connection_behind_its_answers),
        TEST(what_comes_behind_a_large_message_waits_for_it),
        TEST(who_goes_down_makes_no_worlds),
        TEST(who_goes_down_does_not_wait_for_large_messages),
        TEST(answers_wait_until_their_records_are_durable),
        TEST(a_stream_whose_answer_waited_begins_with_what_came_last),
        TEST(who_goes_leaves_nothing_at_the_gate),
        TEST(answers_that_wait_keep_their_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
