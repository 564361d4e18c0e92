// Servers in the process: several at a time, with several peers each, which come in both ways.
#include "local/local.h"

#include "base/log.h"
#include "helper_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TOLD_MOST = 64, TURNS = 1000, GRACE_S = 60 };

// Somebody who keeps what they are told.
struct visitor {
    struct local_server *server;
    struct local_peer *peer;
    msgpack_unpacked told[TOLD_MOST];
    uint32_t count;
    uint32_t end; // 0: the connection is there
};

static void on_sent(void *context, const struct local_part *parts, uint32_t count)
{
    struct visitor *visitor = context;
    msgpack_sbuffer bytes;
    size_t offset = 0;
    msgpack_sbuffer_init(&bytes);
    for (uint32_t i = 0; i < count; i++) {
        msgpack_sbuffer_write(&bytes, (const char *)parts[i].bytes, parts[i].size);
    }
    assert_true(visitor->count < TOLD_MOST);
    msgpack_unpacked *unpacked = &visitor->told[visitor->count++];
    msgpack_unpacked_init(unpacked);
    assert_int_equal(msgpack_unpack_next(unpacked, bytes.data, bytes.size, &offset), MSGPACK_UNPACK_SUCCESS);
    assert_int_equal(offset, bytes.size);
    msgpack_zone_push_finalizer(unpacked->zone, free,
                                msgpack_sbuffer_release(&bytes)); // what was read points into them
}

static void on_closed(void *context, uint32_t end, const char *reason)
{
    struct visitor *visitor = context;
    assert_non_null(reason);
    visitor->end = end;
}

static void forget(struct visitor *visitor)
{
    for (uint32_t i = 0; i < visitor->count; i++) {
        msgpack_unpacked_destroy(&visitor->told[i]);
    }
    visitor->count = 0;
}

static void come(struct visitor *visitor, struct local_server *server)
{
    *visitor = (struct visitor){.server = server};
    visitor->peer = local_peer_connect(
        server,
        &(struct local_peer_options){
            .address = "test", .loopback = true, .sent = on_sent, .closed = on_closed, .context = visitor});
    assert_non_null(visitor->peer);
}

static void go(struct visitor *visitor)
{
    local_peer_disconnect(visitor->peer);
    forget(visitor);
}

static void pack(msgpack_sbuffer *out, uint32_t id, const char *method, const char *notation)
{
    msgpack_packer packer;
    msgpack_sbuffer_init(out);
    msgpack_packer_init(&packer, out, msgpack_sbuffer_write);
    msgpack_pack_array(&packer, 4);
    msgpack_pack_int(&packer, 0);
    msgpack_pack_uint32(&packer, id);
    msgpack_pack_str_with_body(&packer, method, strlen(method));
    msgpack_pack_array(&packer, 1);
    helper_pack(out, notation);
}

static void turns(struct local_server *server, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        (void)local_server_turn(server);
    }
}

static void ask(struct visitor *visitor, uint32_t id, const char *method, const char *notation)
{
    msgpack_sbuffer message;
    pack(&message, id, method, notation);
    local_peer_feed(visitor->peer, (const uint8_t *)message.data, message.size);
    msgpack_sbuffer_destroy(&message);
}

// Finds the answer among the messages; NULL if there is none.
static const msgpack_object *answer(const struct visitor *visitor, uint32_t id)
{
    for (uint32_t i = 0; i < visitor->count; i++) {
        if (helper_number(&visitor->told[i].data, "#0") == 1 &&
            helper_number(&visitor->told[i].data, "#1") == id) {
            return &visitor->told[i].data;
        }
    }
    return NULL;
}

static const msgpack_object *call(struct visitor *visitor, uint32_t id, const char *method,
                                  const char *notation)
{
    ask(visitor, id, method, notation);
    for (uint32_t i = 0; i < TURNS && answer(visitor, id) == NULL; i++) {
        turns(visitor->server, 1);
    }
    const msgpack_object *told = answer(visitor, id);
    assert_non_null(told);
    if (helper_at(told, "#2")->type != MSGPACK_OBJECT_NIL) {
        msgpack_object_print(stderr, *told);
        fail_msg("%s: refused", method);
    }
    return helper_at(told, "#3");
}

static uint32_t edits_heard(const struct visitor *visitor)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < visitor->count; i++) {
        const msgpack_object *message = &visitor->told[i].data;
        if (helper_number(message, "#0") != 2) {
            continue;
        }
        const msgpack_object_str *method = &helper_at(message, "#1")->via.str;
        count += method->size == 12 && memcmp(method->ptr, "world.edited", 12) == 0;
    }
    return count;
}

static struct local_server *create(void)
{
    char text[LOCAL_TEXT_SIZE];
    struct local_server *server = local_server_create(
        &(struct local_options){
            .limits = {.sessions = 8, .sessions_per_address = 8, .worlds = 4, .session_grace = GRACE_S},
            .keep_seconds = UINT64_MAX,
            .keep_bytes = 1 << 20,
        },
        text);
    if (server == NULL) {
        fail_msg("%s", text);
    }
    return server;
}

static void servers_know_nothing_of_each_other(void **state)
{
    (void)state;
    struct local_server *one = create(), *other = create();
    struct visitor ann, bob;
    come(&ann, one);
    come(&bob, other);
    assert_int_equal(helper_number(call(&ann, 1, "world.create", "{'name': 'flag'}"), "world"), 1);
    assert_int_equal(helper_number(call(&ann, 2, "world.create", "{'name': 'sail'}"), "world"), 2);
    assert_int_equal(helper_number(call(&bob, 1, "world.create", "{'name': 'flag'}"), "world"), 1);
    go(&ann);
    local_server_destroy(one);
    call(&bob, 2, "world.set", "{'world': 'flag', 'damping': 0.5}");
    struct local_counts counts;
    local_server_counts(other, &counts);
    assert_int_equal(counts.worlds, 1);
    assert_int_equal(counts.sessions, 1);
    go(&bob);
    local_server_destroy(other);
}

static void messages_come_in_pieces_of_any_size(void **state)
{
    (void)state;
    struct local_server *server = create();
    struct visitor ann;
    msgpack_sbuffer first, second;
    pack(&first, 1, "world.create", "{'name': 'flag'}");
    pack(&second, 2, "world.get", "{'world': 'flag'}");
    msgpack_sbuffer_write(&first, second.data, second.size);
    for (size_t piece = 1; piece <= first.size; piece += piece < 4 ? 1 : 13) {
        come(&ann, server);
        for (size_t at = 0; at < first.size; at += piece) {
            const size_t left = first.size - at;
            local_peer_feed(ann.peer, (const uint8_t *)first.data + at, left < piece ? left : piece);
            turns(server, 2);
        }
        turns(server, 20);
        assert_non_null(answer(&ann, 1));
        assert_non_null(answer(&ann, 2));
        go(&ann);
    }
    msgpack_sbuffer_destroy(&first);
    msgpack_sbuffer_destroy(&second);
    local_server_destroy(server);
}

static void whoever_joined_hears_of_edits_by_both_ways_in(void **state)
{
    (void)state;
    struct local_server *server = create();
    struct visitor ann, bob;
    come(&ann, server);
    come(&bob, server);
    call(&ann, 1, "world.create", "{'name': 'flag'}");
    call(&ann, 2, "world.join", "{'world': 'flag'}");
    msgpack_sbuffer message;
    pack(&message, 1, "world.set", "{'world': 'flag', 'damping': 0.5}");
    uint8_t *bytes = malloc(message.size);
    memcpy(bytes, message.data, message.size);
    local_peer_receive(bob.peer, bytes, message.size); // as a WebSocket has it
    turns(server, 20);
    assert_non_null(answer(&bob, 1));
    assert_int_equal(edits_heard(&ann), 1);
    assert_int_equal(edits_heard(&bob), 0);
    msgpack_sbuffer_destroy(&message);
    go(&ann);
    go(&bob);
    local_server_destroy(server);
}

static void a_peer_that_sends_no_more_is_answered_before_it_goes(void **state)
{
    (void)state;
    struct local_server *server = create();
    struct visitor ann;
    come(&ann, server);
    ask(&ann, 1, "world.create", "{'name': 'flag'}");
    ask(&ann, 2, "world.step", "{'world': 'flag', 'ticks': 3}");
    local_peer_end(ann.peer);
    for (uint32_t i = 0; i < TURNS && ann.end == 0; i++) {
        turns(server, 1);
    }
    assert_non_null(answer(&ann, 1));
    assert_non_null(answer(&ann, 2));
    assert_int_not_equal(ann.end, 0);
    go(&ann);
    local_server_destroy(server);
}

static void garbage_ends_one_connection(void **state)
{
    (void)state;
    struct local_server *server = create();
    struct visitor ann, bob;
    come(&ann, server);
    come(&bob, server);
    local_peer_feed(ann.peer, (const uint8_t *)"\xc1", 1);
    turns(server, 4);
    assert_int_not_equal(ann.end, 0);
    local_peer_feed(ann.peer, (const uint8_t *)"\xc1", 1); // to nobody
    local_peer_taken(ann.peer, 5);
    call(&bob, 1, "world.create", "{'name': 'flag'}");
    go(&ann);
    go(&bob);
    local_server_destroy(server);
}

// The answer to world.join is lost, and so is the one that asks to join the world again.
static void a_world_to_be_joined_anew_is_told_until_that_was_heard(void **state)
{
    (void)state;
    struct local_server *server = create();
    struct visitor ann;
    char hello[256];
    come(&ann, server);
    const msgpack_object *key = helper_at(call(&ann, 1, "session.hello", "{'arrays': 'plain'}"), "resume");
    call(&ann, 2, "world.create", "{'name': 'flag'}");
    snprintf(hello, sizeof hello, "{'resume': '%.*s', 'unanswered': [3]}", (int)key->via.str.size,
             key->via.str.ptr);
    call(&ann, 3, "world.join", "{'world': 1}");
    for (uint32_t id = 4; id < 8; id++) { // each time it hears nothing of what came before
        go(&ann);
        come(&ann, server);
        const msgpack_object *told = call(&ann, id, "session.hello", hello);
        assert_true(helper_at(told, "resumed")->via.boolean);
        assert_int_equal(helper_at(told, "rejoin")->via.array.size, 1);
        assert_int_equal(helper_number(told, "rejoin.#0"), 1);
    }
    call(&ann, 8, "world.join", "{'world': 1}");
    call(&ann, 9, "world.set", "{'world': 1, 'damping': 0.5}");
    assert_int_equal(edits_heard(&ann), 1);
    go(&ann);
    local_server_destroy(server);
}

static void a_server_ends_with_work_and_peers_and_takes_them_along(void **state)
{
    (void)state;
    struct local_server *server = create();
    struct visitor ann, bob;
    come(&ann, server);
    come(&bob, server);
    call(&ann, 1, "world.create", "{'name': 'flag'}");
    call(&ann, 2, "body.add", "{'world': 1, 'kind': 'rope', 'positions': [0, 1, 0, 1, 1, 0], 'pins': [0]}");
    call(&ann, 3, "stream.subscribe", "{'world': 1}");
    call(&bob, 1, "session.hello", "{}");
    ask(&ann, 4, "world.step", "{'world': 1, 'ticks': 100000}");
    ask(&ann, 5, "world.seek", "{'world': 1, 'tick': 0}");
    ask(&bob, 2, "world.branch", "{'world': 1}");
    local_peer_feed(bob.peer, (const uint8_t *)"\x94\x00", 2); // half of something
    turns(server, 3);
    local_server_destroy(server);
    forget(&ann);
    forget(&bob);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(servers_know_nothing_of_each_other),
        cmocka_unit_test(messages_come_in_pieces_of_any_size),
        cmocka_unit_test(whoever_joined_hears_of_edits_by_both_ways_in),
        cmocka_unit_test(a_peer_that_sends_no_more_is_answered_before_it_goes),
        cmocka_unit_test(garbage_ends_one_connection),
        cmocka_unit_test(a_world_to_be_joined_anew_is_told_until_that_was_heard),
        cmocka_unit_test(a_server_ends_with_work_and_peers_and_takes_them_along),
    };
    base_log_set(BASE_LOG_ERROR, false);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
