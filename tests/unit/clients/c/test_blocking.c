// The blocking client against a peer over real sockets, well-behaved and not.
#include "helper_peer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <weft.h>

struct heard {
    int notifications, frames, replies, errors;
    uint64_t value;
    double last_position;
    char method[64];
};

static void on_notification(void *context, struct weft_client *client, const char *method,
                            const msgpack_object *params)
{
    (void)client;
    struct heard *heard = context;
    heard->notifications++;
    heard->value = weft_u64(weft_get(params, "n"), 0);
    snprintf(heard->method, sizeof heard->method, "%s", method);
}

static void on_frame(void *context, struct weft_client *client, struct weft_frame *frame)
{
    (void)client;
    struct heard *heard = context;
    struct weft_frame_body body;
    while (weft_frame_next(frame, &body, NULL) == 1) {
        heard->last_position = (double)body.positions[3 * body.count - 1];
    }
    heard->frames++;
}

static struct weft_client *connect_to(struct peer *peer, int timeout_ms, struct heard *heard)
{
    struct weft_error error;
    struct weft_client *client = weft_connect(peer->address, timeout_ms, &error);
    assert_non_null(client);
    memset(heard, 0, sizeof *heard);
    weft_on_notification(client, on_notification, heard);
    weft_on_frame(client, on_frame, heard);
    return client;
}

// ---------------------------------------------------------------------------------------------------------

static void script_answer_in_bytes(struct peer *peer)
{
    msgpack_sbuffer out;
    msgpack_sbuffer_init(&out);
    peer_expect(peer, peer_read(peer) && peer_method_is(peer, "world.create"));
    const msgpack_object *params = &peer->message.data.via.array.ptr[3];
    peer_expect(peer, weft_string_is(weft_get(weft_at(params, 0), "name"), "flag"));
    peer_pack_notification_u64(&out, "world.changed", "n", 5);
    peer_pack_frame(&out, 1, 7);
    peer_pack_result_u64(&out, 99, "world", 1); // nobody asked
    peer_pack_result_u64(&out, peer_msgid(peer), "world", 3);
    peer_write_split(peer, out.data, out.size);
    peer_expect(peer, peer_read(peer) && peer_method_is(peer, "server.ping"));
    peer_expect(peer, peer->message.data.via.array.ptr[3].via.array.size == 0);
    msgpack_sbuffer_clear(&out);
    peer_pack_result_u64(&out, peer_msgid(peer), "time_us", 42);
    peer_write(peer, out.data, out.size);
    peer_read(peer);
    msgpack_sbuffer_destroy(&out);
}

static void script_ping(struct peer *peer)
{
    msgpack_sbuffer out;
    msgpack_sbuffer_init(&out);
    peer_expect(peer, peer_read(peer) && peer_method_is(peer, "server.ping"));
    peer_pack_result_u64(&out, peer_msgid(peer), "time_us", 42);
    peer_write(peer, out.data, out.size);
    peer_read(peer);
    msgpack_sbuffer_destroy(&out);
}

static void a_program_that_names_no_server_takes_that_of_the_environment(void **state)
{
    (void)state;
    struct peer peer;
    struct weft_error error;
    peer_start(&peer, script_ping);
    setenv("WEFT_SERVER", peer.address, 1);
    struct weft_client *client = weft_connect(NULL, 5000, &error);
    assert_non_null(client);
    assert_true(weft_call(client, "server.ping", NULL, NULL, &error));
    weft_close(client);
    peer_join(&peer);
    setenv("WEFT_SERVER", "127.0.0.1:99999", 1);
    assert_null(weft_connect("", 5000, &error));
    assert_string_equal(error.code, "USAGE");
    assert_non_null(strstr(error.text, "127.0.0.1:99999"));
    unsetenv("WEFT_SERVER");
}

static void answer_hello(struct peer *peer, const char *user, const char *resume)
{
    msgpack_sbuffer out;
    msgpack_sbuffer_init(&out);
    peer_expect(peer, peer_read(peer) && peer_method_is(peer, "session.hello"));
    const msgpack_object *said = weft_at(&peer->message.data.via.array.ptr[3], 0);
    peer_expect(peer, weft_string_is(weft_get(said, "user"), user));
    peer_expect(peer, weft_string_is(weft_get(said, "token"), "t"));
    peer_expect(peer, weft_string_is(weft_get(said, "errors"), "map"));
    peer_expect(peer, weft_bool(weft_get(said, "follow"), false));
    peer_expect(peer, resume ? weft_string_is(weft_get(said, "resume"), resume) : !weft_get(said, "resume"));
    peer_pack_result_u64(&out, peer_msgid(peer), "session", 1);
    peer_write(peer, out.data, out.size);
    msgpack_sbuffer_destroy(&out);
}

static void script_hellos(struct peer *peer)
{
    answer_hello(peer, "before", "key");
    answer_hello(peer, "x", NULL);
    peer_read(peer);
}

static void what_a_hello_does_not_say_anew_is_as_it_was(void **state)
{
    (void)state;
    struct peer peer;
    struct heard heard;
    struct weft_error error;
    struct weft_params params;
    peer_start(&peer, script_hellos);
    struct weft_client *client = connect_to(&peer, 60000, &heard);
    weft_params_init(&params);
    weft_params_string(&params, "token", "t");
    weft_params_string(&params, "user", "before");
    weft_params_string(&params, "resume", "key");
    assert_true(weft_call(client, "session.hello", &params, NULL, &error));
    weft_params_deinit(&params);
    weft_params_init(&params);
    weft_params_string(&params, "user", "x");
    assert_true(weft_call(client, "session.hello", &params, NULL, &error));
    weft_params_deinit(&params);
    weft_close(client);
    peer_join(&peer);
}

static void script_lossless(struct peer *peer)
{
    msgpack_sbuffer out;
    msgpack_sbuffer_init(&out);
    peer_pack_frame(&out, 7, 3);
    peer_write(peer, out.data, out.size);
    peer_expect(peer, peer_read(peer));
    const msgpack_object *message = peer->message.data.via.array.ptr;
    peer_expect(peer, weft_string_is(&message[1], "stream.ack"));
    const msgpack_object *fields = weft_at(&message[2], 0);
    peer_expect(peer, weft_u64(weft_get(fields, "stream"), 0) == 1);
    peer_expect(peer, weft_u64(weft_get(fields, "seq"), 0) == 7);
    msgpack_sbuffer_destroy(&out);
}

static void on_frame_taken(void *context, struct weft_client *client, struct weft_frame *frame)
{
    struct heard *heard = context;
    heard->frames++;
    // Parts before the last one say nothing.
    frame->parts = 2;
    assert_true(weft_frame_ack(client, frame, NULL));
    frame->parts = 1;
    assert_true(weft_frame_ack(client, frame, NULL));
}

static void a_frame_that_was_taken_is_acknowledged(void **state)
{
    (void)state;
    struct peer peer;
    struct heard heard;
    struct weft_error error;
    peer_start(&peer, script_lossless);
    struct weft_client *client = connect_to(&peer, 60000, &heard);
    weft_on_frame(client, on_frame_taken, &heard);
    assert_int_equal(weft_poll(client, 60000, &error), 1);
    assert_int_equal(heard.frames, 1);
    peer_join(&peer);
    weft_close(client);
}

static void an_answer_comes_through_split_bytes_and_what_lies_between(void **state)
{
    (void)state;
    struct peer peer;
    struct heard heard;
    struct weft_error error;
    struct weft_params params;
    struct weft_reply reply, ping;
    struct weft_stats stats;
    peer_start(&peer, script_answer_in_bytes);
    struct weft_client *client = connect_to(&peer, 60000, &heard);
    weft_params_init(&params);
    weft_params_string(&params, "name", "flag");
    assert_true(weft_call(client, "world.create", &params, &reply, &error));
    assert_true(weft_call(client, "server.ping", NULL, &ping, &error));
    // The first answer is still whole after the second came.
    assert_int_equal(weft_u64(weft_get(&reply.result, "world"), 0), 3);
    assert_int_equal(weft_u64(weft_get(&ping.result, "time_us"), 0), 42);
    assert_int_equal(heard.notifications, 1);
    assert_int_equal(heard.value, 5);
    assert_string_equal(heard.method, "world.changed");
    assert_int_equal(heard.frames, 1);
    assert_true(heard.last_position == 20);
    weft_stats(client, &stats);
    assert_int_equal(stats.messages_in, 5);
    assert_int_equal(stats.frames, 1);
    assert_int_equal(stats.ignored, 1);
    assert_int_equal(stats.calls_under_way, 0);
    weft_reply_destroy(&reply);
    weft_reply_destroy(&ping);
    weft_params_deinit(&params);
    weft_close(client);
    peer_join(&peer);
}

// ---------------------------------------------------------------------------------------------------------

static void pack_text(msgpack_packer *p, const char *text)
{
    msgpack_pack_str_with_body(p, text, strlen(text));
}

static void script_refuse(struct peer *peer)
{
    for (int shape = 0; shape < 4 && peer_read(peer); shape++) {
        msgpack_sbuffer out;
        msgpack_packer p;
        msgpack_sbuffer_init(&out);
        msgpack_packer_init(&p, &out, msgpack_sbuffer_write);
        msgpack_pack_array(&p, 4);
        msgpack_pack_int(&p, 1);
        msgpack_pack_uint32(&p, peer_msgid(peer));
        if (shape == 0) {
            msgpack_pack_array(&p, 2);
            msgpack_pack_int(&p, 1);
            pack_text(&p, "NOT_FOUND: there is no world 'x'");
        } else if (shape == 1) {
            msgpack_pack_map(&p, 4);
            pack_text(&p, "kind");
            msgpack_pack_int(&p, 0);
            pack_text(&p, "code");
            pack_text(&p, "MEMORY");
            pack_text(&p, "text");
            pack_text(&p, "out of\033[2J memory");
            pack_text(&p, "field");
            pack_text(&p, "positions");
        } else if (shape == 2) {
            pack_text(&p, "just words");
        } else {
            msgpack_pack_int(&p, 7);
        }
        msgpack_pack_nil(&p);
        peer_write(peer, out.data, out.size);
        msgpack_sbuffer_destroy(&out);
    }
}

static void refusals_of_every_shape_become_errors(void **state)
{
    (void)state;
    static const struct weft_error expected[4] = {
        {.kind = WEFT_KIND_CALLER, .code = "NOT_FOUND", .text = "there is no world 'x'"},
        {.kind = WEFT_KIND_SERVER, .code = "MEMORY", .text = "out of?[2J memory", .field = "positions"},
        {.kind = WEFT_KIND_CALLER, .code = "UNKNOWN", .text = "just words"},
        {.kind = WEFT_KIND_CALLER, .code = "UNKNOWN", .text = "the server refused without saying why"},
    };
    struct peer peer;
    struct heard heard;
    peer_start(&peer, script_refuse);
    struct weft_client *client = connect_to(&peer, 60000, &heard);
    for (int i = 0; i < 4; i++) {
        struct weft_error error;
        struct weft_reply reply;
        assert_false(weft_call(client, "world.get", NULL, &reply, &error));
        assert_int_equal(error.kind, expected[i].kind);
        assert_string_equal(error.code, expected[i].code);
        assert_string_equal(error.text, expected[i].text);
        assert_string_equal(error.field, expected[i].field);
        assert_null(reply.bytes);
    }
    weft_close(client);
    peer_join(&peer);
}

// ---------------------------------------------------------------------------------------------------------

static void script_close_in_reply(struct peer *peer)
{
    msgpack_sbuffer out;
    msgpack_sbuffer_init(&out);
    peer_expect(peer, peer_read(peer));
    peer_pack_result_u64(&out, peer_msgid(peer), "world", 3);
    peer_write(peer, out.data, out.size - 3);
    msgpack_sbuffer_destroy(&out);
}

static void a_server_that_closes_in_the_middle_is_closed(void **state)
{
    (void)state;
    struct peer peer;
    struct heard heard;
    struct weft_error error;
    struct weft_reply reply;
    peer_start(&peer, script_close_in_reply);
    struct weft_client *client = connect_to(&peer, 60000, &heard);
    assert_false(weft_call(client, "world.get", NULL, &reply, &error));
    assert_string_equal(error.code, "CLOSED");
    assert_int_equal(error.kind, WEFT_KIND_TRANSPORT);
    assert_non_null(strstr(error.text, peer.address));
    assert_int_equal(weft_fd(client), -1);
    assert_false(weft_call(client, "world.get", NULL, &reply, &error));
    assert_string_equal(error.code, "CLOSED");
    assert_false(weft_notify(client, "grab.move", NULL, &error));
    assert_int_equal(weft_poll(client, 10, &error), -1);
    weft_close(client);
    peer_join(&peer);
}

static void script_last_words(struct peer *peer)
{
    msgpack_sbuffer out;
    msgpack_packer p;
    msgpack_sbuffer_init(&out);
    msgpack_packer_init(&p, &out, msgpack_sbuffer_write);
    peer_expect(peer, peer_read(peer));
    msgpack_pack_array(&p, 3);
    msgpack_pack_int(&p, 2);
    pack_text(&p, "error");
    msgpack_pack_array(&p, 1);
    msgpack_pack_map(&p, 2);
    pack_text(&p, "error");
    msgpack_pack_array(&p, 2);
    msgpack_pack_int(&p, 1);
    pack_text(&p, "LIMIT: the message is too large");
    pack_text(&p, "method");
    pack_text(&p, "");
    peer_write(peer, out.data, out.size);
    msgpack_sbuffer_destroy(&out);
}

static void what_the_server_said_before_closing_is_the_reason(void **state)
{
    (void)state;
    struct peer peer;
    struct heard heard;
    struct weft_error error;
    peer_start(&peer, script_last_words);
    struct weft_client *client = connect_to(&peer, 60000, &heard);
    assert_false(weft_call(client, "world.get", NULL, NULL, &error));
    assert_string_equal(error.code, "CLOSED");
    assert_non_null(strstr(error.text, "the message is too large"));
    weft_close(client);
    peer_join(&peer);
}

// ---------------------------------------------------------------------------------------------------------

static const char *hostile_bytes;
static size_t hostile_size;

static void script_hostile(struct peer *peer)
{
    peer_read(peer);
    peer_write(peer, hostile_bytes, hostile_size);
    // The client must go by itself.
    while (peer_read(peer)) {
    }
}

static void streams_that_are_no_rpc_end_the_connection(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
    } cases[] = {
        {"\xc1", 1},                          // never used
        {"\xdd\x3b\x9a\xca\x00", 5},          // a billion elements
        {"\xdf\xff\xff\xff\xff", 5},          // four billion pairs
        {"\xc6\x7f\xff\xff\xff", 5},          // two gigabytes
        {"\xc9\xff\xff\xff\xff\x17", 6},      // a typed array of four
        {"HTTP/1.1 400 Bad Request\r\n", 26}, // small numbers, as MessagePack has it
        {"\x94\x01\x00\xc0", 4},              // cut, then closed: see below
        {"\x93\x02\xa1x\x01", 5},             // params are no array
        {"\x93\x02\x05\x90", 4},              // method is no text
        {"\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91"
         "\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91",
         40},
        {"\x93\x02\xac"
         "stream.frame\x91\x80",
         17}, // a frame without fields
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct peer peer;
        struct heard heard;
        struct weft_error error;
        hostile_bytes = cases[i].bytes;
        hostile_size = cases[i].size;
        const bool is_cut = hostile_size == 4 && hostile_bytes[0] == '\x94';
        peer_start(&peer, script_hostile);
        struct weft_client *client = connect_to(&peer, 60000, &heard);
        weft_set_timeout(client, is_cut ? 100 : 60000);
        assert_false(weft_call(client, "world.get", NULL, NULL, &error));
        assert_int_equal(error.kind, WEFT_KIND_TRANSPORT);
        assert_string_equal(error.code, is_cut ? "TIMEOUT" : "PROTOCOL");
        weft_close(client);
        peer_join(&peer);
    }
}

static void script_large(struct peer *peer)
{
    peer_expect(peer, peer_read(peer));
    msgpack_sbuffer out;
    msgpack_sbuffer_init(&out);
    peer_pack_frame(&out, 1, 40000);
    peer_write(peer, out.data, out.size);
    msgpack_sbuffer_clear(&out);
    peer_pack_result_u64(&out, peer_msgid(peer), "n", 1);
    peer_write(peer, out.data, out.size);
    msgpack_sbuffer_destroy(&out);
    peer_read(peer);
}

static void messages_pass_up_to_the_limit_and_not_beyond(void **state)
{
    (void)state;
    for (int small = 0; small < 2; small++) {
        struct peer peer;
        struct heard heard;
        struct weft_error error;
        peer_start(&peer, script_large);
        struct weft_client *client = connect_to(&peer, 60000, &heard);
        weft_set_message_max(client, small ? 100000 : 1000000, 1000);
        assert_int_equal(weft_call(client, "world.get", NULL, NULL, &error), !small);
        assert_int_equal(heard.frames, !small);
        if (small) {
            assert_string_equal(error.code, "PROTOCOL");
            assert_non_null(strstr(error.text, "larger"));
        } else {
            assert_true(heard.last_position == 3 * 40000 - 1);
        }
        weft_close(client);
        peer_join(&peer);
    }
}

// ---------------------------------------------------------------------------------------------------------

static void script_late(struct peer *peer)
{
    msgpack_sbuffer out;
    msgpack_sbuffer_init(&out);
    peer_expect(peer, peer_read(peer));
    const uint32_t first = peer_msgid(peer);
    peer_expect(peer, peer_read(peer));
    peer_pack_result_u64(&out, first, "n", 1);
    peer_pack_result_u64(&out, peer_msgid(peer), "n", 2);
    peer_write(peer, out.data, out.size);
    msgpack_sbuffer_destroy(&out);
    peer_read(peer);
}

static void after_a_timeout_the_late_answer_is_not_taken_for_the_next(void **state)
{
    (void)state;
    struct peer peer;
    struct heard heard;
    struct weft_error error;
    struct weft_reply reply;
    struct weft_stats stats;
    peer_start(&peer, script_late);
    struct weft_client *client = connect_to(&peer, 60000, &heard);
    weft_set_timeout(client, 60);
    assert_false(weft_call(client, "world.get", NULL, &reply, &error));
    assert_string_equal(error.code, "TIMEOUT");
    weft_set_timeout(client, 60000);
    assert_true(weft_call(client, "world.get", NULL, &reply, &error));
    assert_int_equal(weft_u64(weft_get(&reply.result, "n"), 0), 2);
    weft_stats(client, &stats);
    assert_int_equal(stats.ignored, 1);
    weft_reply_destroy(&reply);
    weft_close(client);
    peer_join(&peer);
}

// ---------------------------------------------------------------------------------------------------------

static void on_reply(void *context, struct weft_client *client, const struct weft_error *error,
                     struct weft_reply *reply)
{
    struct heard *heard = context;
    heard->errors += error != NULL;
    heard->replies += reply != NULL;
    if (reply) {
        heard->value = weft_u64(weft_get(&reply->result, "n"), 0);
    }
    struct weft_error usage;
    // Neither blocks nor confuses what lies behind this message.
    assert_false(weft_call(client, "server.ping", NULL, NULL, &usage));
    assert_int_equal(weft_poll(client, 0, &usage), -1);
    if (reply) {
        assert_string_equal(usage.code, "USAGE");
        assert_true(weft_notify(client, "grab.move", NULL, &usage));
    }
}

static void script_async(struct peer *peer)
{
    msgpack_sbuffer out;
    msgpack_sbuffer_init(&out);
    uint32_t ids[3];
    for (int i = 0; i < 3; i++) {
        peer_expect(peer, peer_read(peer));
        ids[i] = peer_msgid(peer);
    }
    // Backwards, and all but one.
    peer_pack_result_u64(&out, ids[2], "n", 30);
    peer_pack_result_u64(&out, ids[0], "n", 10);
    peer_write(peer, out.data, out.size);
    for (int i = 0; i < 2; i++) {
        peer_expect(peer, peer_read(peer) && peer_method_is(peer, "grab.move"));
    }
    msgpack_sbuffer_destroy(&out);
}

static void calls_without_waiting_are_each_answered_once(void **state)
{
    (void)state;
    struct peer peer;
    struct heard heard, last = {0};
    struct weft_error error;
    struct weft_stats stats;
    peer_start(&peer, script_async);
    struct weft_client *client = connect_to(&peer, 60000, &heard);
    assert_true(weft_call_async(client, "a", NULL, on_reply, &heard, &error));
    assert_true(weft_call_async(client, "b", NULL, on_reply, &last, &error));
    assert_true(weft_call_async(client, "c", NULL, on_reply, &heard, &error));
    int status;
    while ((status = weft_poll(client, 60000, &error)) > 0) {
    }
    assert_int_equal(status, -1);
    assert_string_equal(error.code, "CLOSED");
    assert_int_equal(heard.replies, 2);
    assert_int_equal(heard.errors, 0);
    assert_int_equal(heard.value, 10);
    assert_int_equal(last.errors, 1);
    assert_int_equal(last.replies, 0);
    weft_stats(client, &stats);
    assert_int_equal(stats.calls_under_way, 0);
    weft_close(client);
    peer_join(&peer);
}

// ---------------------------------------------------------------------------------------------------------

// Sends megabytes before it reads any: both sides' buffers are full.
static void script_flood(struct peer *peer)
{
    msgpack_sbuffer out;
    msgpack_sbuffer_init(&out);
    for (uint32_t i = 0; i < 40; i++) {
        peer_pack_frame(&out, i, 20000);
    }
    peer_write(peer, out.data, out.size);
    peer_expect(peer, peer_read(peer));
    const msgpack_object *params = weft_at(&peer->message.data.via.array.ptr[3], 0);
    const msgpack_object *positions = weft_get(params, "positions");
    peer_expect(peer,
                positions && positions->type == MSGPACK_OBJECT_EXT && positions->via.ext.size == 8u << 20);
    msgpack_sbuffer_clear(&out);
    peer_pack_result_u64(&out, peer_msgid(peer), "n", 1);
    peer_write(peer, out.data, out.size);
    msgpack_sbuffer_destroy(&out);
    peer_read(peer);
}

static void a_large_request_passes_a_server_that_is_sending(void **state)
{
    (void)state;
    struct peer peer;
    struct heard heard;
    struct weft_error error;
    struct weft_params params;
    double *positions = calloc(1 << 20, sizeof *positions);
    assert_non_null(positions);
    peer_start(&peer, script_flood);
    struct weft_client *client = connect_to(&peer, 60000, &heard);
    weft_params_init(&params);
    weft_params_f64_array(&params, "positions", positions, 1 << 20);
    assert_true(weft_call(client, "body.add", &params, NULL, &error));
    assert_int_equal(heard.frames, 40);
    weft_params_deinit(&params);
    free(positions);
    weft_close(client);
    peer_join(&peer);
}

static void connecting_names_the_address_that_failed(void **state)
{
    (void)state;
    struct weft_error error;
    // A port that was free a moment ago.
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    char text[64];
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
    snprintf(text, sizeof text, "127.0.0.1:%u", ntohs(address.sin_port));
    assert_null(weft_connect(text, 2000, &error));
    close(fd);
    assert_string_equal(error.code, "CONNECT");
    assert_int_equal(error.kind, WEFT_KIND_TRANSPORT);
    assert_non_null(strstr(error.text, text));

    static const char *const bad[] = {"127.0.0.1:",   "127.0.0.1:0",      "127.0.0.1:65536",
                                      "127.0.0.1:x",  "[::1:9338",        "[::1]9338",
                                      "127.0.0.1:1 ", "127.0.0.1:000001", "localhost:99999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_null(weft_connect(bad[i], 1000, &error));
        assert_string_equal(error.code, "USAGE");
        assert_non_null(strstr(error.text, bad[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_comes_through_split_bytes_and_what_lies_between),
        cmocka_unit_test(a_program_that_names_no_server_takes_that_of_the_environment),
        cmocka_unit_test(what_a_hello_does_not_say_anew_is_as_it_was),
        cmocka_unit_test(a_frame_that_was_taken_is_acknowledged),
        cmocka_unit_test(refusals_of_every_shape_become_errors),
        cmocka_unit_test(a_server_that_closes_in_the_middle_is_closed),
        cmocka_unit_test(what_the_server_said_before_closing_is_the_reason),
        cmocka_unit_test(streams_that_are_no_rpc_end_the_connection),
        cmocka_unit_test(messages_pass_up_to_the_limit_and_not_beyond),
        cmocka_unit_test(after_a_timeout_the_late_answer_is_not_taken_for_the_next),
        cmocka_unit_test(calls_without_waiting_are_each_answered_once),
        cmocka_unit_test(a_large_request_passes_a_server_that_is_sending),
        cmocka_unit_test(connecting_names_the_address_that_failed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
