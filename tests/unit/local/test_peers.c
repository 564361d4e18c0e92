// Servers in the process: several at a time, with several peers each, which come in both ways.
#include "local/local.h"

#include "access/access.h"
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

#include <unistd.h>

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

static const msgpack_object *wait_for(struct visitor *visitor, uint32_t id)
{
    for (uint32_t i = 0; i < TURNS && answer(visitor, id) == NULL; i++) {
        turns(visitor->server, 1);
    }
    const msgpack_object *told = answer(visitor, id);
    assert_non_null(told);
    return told;
}

static const msgpack_object *call(struct visitor *visitor, uint32_t id, const char *method,
                                  const char *notation)
{
    ask(visitor, id, method, notation);
    const msgpack_object *told = wait_for(visitor, id);
    if (helper_at(told, "#2")->type != MSGPACK_OBJECT_NIL) {
        msgpack_object_print(stderr, *told);
        fail_msg("%s: refused", method);
    }
    return helper_at(told, "#3");
}

static void refuse(struct visitor *visitor, uint32_t id, const char *method, const char *notation,
                   const char *words)
{
    ask(visitor, id, method, notation);
    const msgpack_object *told = wait_for(visitor, id);
    if (helper_at(told, "#2")->type != MSGPACK_OBJECT_ARRAY) {
        fail_msg("%s %s: done", method, notation);
    }
    const msgpack_object_str *text = &helper_at(told, "#2.#1")->via.str;
    if (!memmem(text->ptr, text->size, words, strlen(words))) {
        fail_msg("%s: \"%.*s\" does not say \"%s\"", method, (int)text->size, text->ptr, words);
    }
}

static uint32_t notices_heard(const struct visitor *visitor, const char *name)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < visitor->count; i++) {
        const msgpack_object *message = &visitor->told[i].data;
        if (helper_number(message, "#0") != 2) {
            continue;
        }
        const msgpack_object_str *method = &helper_at(message, "#1")->via.str;
        count += method->size == strlen(name) && memcmp(method->ptr, name, method->size) == 0;
    }
    return count;
}

static uint32_t edits_heard(const struct visitor *visitor)
{
    return notices_heard(visitor, "world.edited");
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

static void who_comes_back_is_told_nothing_from_before_they_joined(void **state)
{
    (void)state;
    struct local_server *server = create();
    struct visitor ann, bob;
    char hello[256];
    come(&ann, server);
    come(&bob, server);
    call(&ann, 1, "world.create", "{'name': 'flag'}");
    call(&ann, 2, "world.join", "{'world': 1}");
    call(&ann, 3, "presence.say", "{'world': 1, 'text': 'before'}");
    const msgpack_object *key = helper_at(call(&bob, 1, "session.hello", "{}"), "resume");
    snprintf(hello, sizeof hello, "{'resume': '%.*s', 'unanswered': [], 'revisions': {1: 0}}",
             (int)key->via.str.size, key->via.str.ptr);
    call(&bob, 2, "world.join", "{'world': 1}");
    go(&bob);
    call(&ann, 4, "presence.say", "{'world': 1, 'text': 'behind'}");
    come(&bob, server);
    assert_true(helper_at(call(&bob, 3, "session.hello", hello), "resumed")->via.boolean);
    call(&bob, 4, "server.ping", "{}");
    assert_int_equal(notices_heard(&bob, "world.said"), 1);
    go(&ann);
    go(&bob);
    local_server_destroy(server);
}

// ---------------------------------------------------------------------------------------------------------
// The limits of a person

static char book_path[64];

static int book_make(void **state)
{
    char error[ACCESS_ERROR_SIZE];
    snprintf(book_path, sizeof book_path, "/tmp/weft-peers-XXXXXX");
    const int file = mkstemp(book_path);
    assert_true(file >= 0);
    close(file);
    unlink(book_path);
    *state = access_open(book_path, false, error);
    return *state == NULL;
}

static int book_close(void **state)
{
    access_close(*state);
    return unlink(book_path);
}

static struct local_server *create_with_people(struct access *book)
{
    char text[LOCAL_TEXT_SIZE];
    struct local_server *server = local_server_create(
        &(struct local_options){
            .limits = {.sessions = 8, .sessions_per_address = 8, .worlds = 8},
            .quotas = {.worlds = 3,
                       .amounts = {.bodies = 2, .particles = 100, .constraints = 100, .poses = 100}},
            .keep_seconds = UINT64_MAX,
            .keep_bytes = 1 << 20,
            .bin_seconds = 600,
            .access = book,
        },
        text);
    if (server == NULL) {
        fail_msg("%s", text);
    }
    return server;
}

static void come_by_token(struct visitor *visitor, struct local_server *server, struct access *book)
{
    char secret[ACCESS_SECRET_SIZE], hello[128];
    uint32_t id;
    assert_int_equal(access_token_create(book, "Ann", PROTOCOL_ROLE_EDITOR, 0, 0, &id, secret), ACCESS_DONE);
    snprintf(hello, sizeof hello, "{'token': '%s'}", secret);
    come(visitor, server);
    call(visitor, 1, "session.hello", hello);
}

#define POINTS "'kind': 'points', 'positions': [0, 0, 0], 'masses': 1"

// A world comes whole by three methods, and none of them may bring more than there is room for.
static void whole_worlds_take_room(void **state)
{
    struct access *book = *state;
    struct local_server *server = create_with_people(book);
    struct visitor ann;
    come_by_token(&ann, server, book);
    call(&ann, 2, "world.create", "{'name': 'flag'}");
    call(&ann, 3, "body.add", "{'world': 1, " POINTS "}");
    call(&ann, 4, "body.add", "{'world': 1, " POINTS "}");
    refuse(&ann, 5, "body.add", "{'world': 1, " POINTS "}", "person_bodies = 2");
    refuse(&ann, 6, "world.branch", "{'world': 1, 'name': 'twig'}", "person_bodies = 2");
    refuse(&ann, 7, "world.open", "{'name': 'sail', 'document': {'bodies': [{" POINTS "}]}}",
           "person_bodies = 2");
    call(&ann, 8, "world.delete", "{'world': 1}"); // a world in the bin takes no room
    call(&ann, 9, "world.open", "{'name': 'sail', 'document': {'bodies': [{" POINTS "}]}}");
    refuse(&ann, 10, "world.restore", "{'world': 1}", "person_bodies = 2");
    call(&ann, 11, "world.delete", "{'world': 'sail'}");
    call(&ann, 12, "world.restore", "{'world': 1}");
    go(&ann);
    local_server_destroy(server);
}

// Before an edit.undo is made nobody knows what it brings back.
static void what_an_undo_brings_back_takes_room(void **state)
{
    struct access *book = *state;
    struct local_server *server = create_with_people(book);
    struct visitor ann;
    come_by_token(&ann, server, book);
    call(&ann, 2, "world.create", "{'name': 'flag'}");
    call(&ann, 3, "world.create", "{'name': 'sail'}");
    call(&ann, 4, "body.add", "{'world': 1, " POINTS "}");
    call(&ann, 5, "body.add", "{'world': 1, " POINTS "}");
    call(&ann, 6, "body.remove", "{'world': 1, 'body': 2}");
    call(&ann, 7, "body.add", "{'world': 2, " POINTS "}");
    refuse(&ann, 8, "edit.undo", "{'world': 1}", "person_bodies = 2");
    call(&ann, 9, "body.remove", "{'world': 2, 'body': 1}");
    call(&ann, 10, "edit.undo", "{'world': 1}");
    go(&ann);
    local_server_destroy(server);
}

// ---------------------------------------------------------------------------------------------------------

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
        cmocka_unit_test(who_comes_back_is_told_nothing_from_before_they_joined),
        cmocka_unit_test_setup_teardown(whole_worlds_take_room, book_make, book_close),
        cmocka_unit_test_setup_teardown(what_an_undo_brings_back_takes_room, book_make, book_close),
        cmocka_unit_test(a_server_ends_with_work_and_peers_and_takes_them_along),
    };
    base_log_set(BASE_LOG_ERROR, false);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
