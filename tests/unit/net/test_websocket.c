// WebSockets over real sockets: messages both ways, and ends with the right code. What they share with bare
// streams on the way out is in test_outbox.c; the rules of single frames are in test_ws_wire.c.
#include "helper_fixture.h"

#include "base/assert.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct fixture fixture;

static int setup(void **state)
{
    (void)state;
    fixture_over_websocket = true;
    return 0;
}

// A WebSocket whose handler the peer knows of.
static int open_socket(void)
{
    uint32_t before = fixture.peer_count;
    int fd = client_connect(&fixture);
    fixture_wait_peers(&fixture, before + 1);
    return fd;
}

static void expect_frame(int fd, uint8_t first, const void *data, size_t size)
{
    static uint8_t got[1 << 20];
    size_t got_size = sizeof got;
    assert_int_equal(client_receive_frame(fd, got, &got_size), first);
    assert_int_equal(got_size, size);
    if (size > 0) {
        assert_memory_equal(got, data, size);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Messages

static void messages_of_all_sizes_come_back(void **state)
{
    (void)state;
    static const size_t sizes[] = {5, 125, 126, 4096, 65535, 65536, 1000000};
    fixture_start(&fixture, NULL);
    int fd = open_socket();
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        uint8_t *message = client_message(sizes[i], (uint32_t)i);
        client_send_frame(fd, 0x82, message, sizes[i]);
        expect_frame(fd, 0x82, message, sizes[i]);
        free(message);
    }
    close(fd);
    fixture_wait_closed(&fixture, 1);
    assert_int_equal(fixture.peers[0].messages, sizeof sizes / sizeof sizes[0]);
    assert_string_equal(fixture.peers[0].reason, "the peer left");
    struct net_stats stats = fixture_stats(&fixture);
    assert_int_equal(stats.accepted, 1);
    assert_int_equal(stats.http_open, 0);
    assert_int_equal(stats.http_requests, 1);
    fixture_stop(&fixture);
}

static void a_message_in_fragments_comes_back_whole(void **state)
{
    (void)state;
    enum { SIZE = 100000 };
    fixture_start(&fixture, NULL);
    int fd = open_socket();
    uint8_t *message = client_message(SIZE, 3);
    for (size_t at = 0, piece = 1; at < SIZE; at += piece, piece = piece * 2 + 1) {
        size_t size = piece < SIZE - at ? piece : SIZE - at;
        client_send_frame(fd, (uint8_t)((at == 0 ? 0x02 : 0x00) | (at + size == SIZE ? 0x80 : 0)),
                          message + at, size);
        client_send_frame(fd, 0x89, &piece, 1);
        if (at + size == SIZE) {
            break;
        }
    }
    // Pings are answered on the way, though not each of them.
    static uint8_t got[SIZE];
    uint8_t first;
    size_t got_size;
    do {
        got_size = sizeof got;
        first = client_receive_frame(fd, got, &got_size);
    } while (first == 0x8a);
    assert_int_equal(first, 0x82);
    assert_int_equal(got_size, SIZE);
    assert_memory_equal(got, message, SIZE);
    // The message may end where the WebSocket's does not: an empty last fragment.
    client_send_frame(fd, 0x02, message, SIZE);
    client_send_frame(fd, 0x80, NULL, 0);
    do {
        got_size = sizeof got;
        first = client_receive_frame(fd, got, &got_size);
    } while (first == 0x8a);
    assert_memory_equal(got, message, SIZE);
    free(message);
    close(fd);
    fixture_stop(&fixture);
}

static void many_messages_in_any_pieces_come_back_in_order(void **state)
{
    (void)state;
    enum { COUNT = 3000, SIZE = 2 + 4 + 50 };
    static const uint8_t mask[4] = {1, 2, 3, 4};
    fixture_start(&fixture, NULL);
    int fd = open_socket();
    uint8_t *all = malloc(COUNT * SIZE);
    for (uint32_t i = 0; i < COUNT; i++) {
        uint8_t *frame = all + i * SIZE;
        uint8_t *message = client_message(50, i);
        frame[0] = 0x82;
        frame[1] = 0x80 | 50;
        memcpy(frame + 2, mask, 4);
        for (int b = 0; b < 50; b++) {
            frame[6 + b] = (uint8_t)(message[b] ^ mask[b % 4]);
        }
        free(message);
    }
    uint32_t seed = 5;
    for (size_t at = 0; at < COUNT * SIZE;) {
        seed = seed * 1664525 + 1013904223;
        size_t size = 1 + (seed >> 8) % 300;
        size = size < COUNT * SIZE - at ? size : COUNT * SIZE - at;
        client_send(fd, all + at, size);
        at += size;
    }
    free(all);
    for (uint32_t i = 0; i < COUNT; i++) {
        uint8_t *message = client_message(50, i);
        expect_frame(fd, 0x82, message, 50);
        free(message);
    }
    close(fd);
    fixture_stop(&fixture);
}

static void frames_may_follow_the_handshake_at_once(void **state)
{
    (void)state;
    static const char both[] =
        "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        "GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        "\x82\x81\x01\x01\x01\x01\x06"; // the message 7
    fixture_start(&fixture, NULL);
    fixture_over_websocket = false;
    int fd = client_connect(&fixture);
    fixture_over_websocket = true;
    client_send(fd, both, sizeof both - 1);
    char got[4096] = {0};
    size_t used = 0;
    while (!strstr(got, "xOo=\r\n\r\n")) {
        assert_true(used < sizeof got - 1);
        client_receive(fd, got + used++, 1);
    }
    assert_memory_equal(got, "HTTP/1.1 503", 12); // no files here
    expect_frame(fd, 0x82, "\x07", 1);
    close(fd);
    fixture_stop(&fixture);
}

// Holds itself after each message.
static void on_message_hold(struct fixture_peer *peer, uint8_t *bytes, size_t size)
{
    net_conn_hold(peer->conn, true);
    fixture_echo(peer, bytes, size);
}

static void call_let_go(struct fixture *all, void *argument)
{
    (void)argument;
    net_conn_hold(all->peers[0].conn, false);
}

static bool got_messages(struct fixture *all, void *argument)
{
    return all->peers[0].messages == *(uint64_t *)argument;
}

static void while_held_nothing_is_handed_up(void **state)
{
    (void)state;
    fixture_start(&fixture, &(struct fixture_options){.on_message = on_message_hold});
    int fd = open_socket();
    for (uint8_t i = 1; i <= 5; i++) {
        client_send_frame(fd, 0x82, &i, 1);
    }
    for (uint64_t i = 1; i <= 5; i++) {
        fixture_wait(&fixture, got_messages, &i);
        expect_frame(fd, 0x82, &i, 1);
        fixture_turns(&fixture);
        fixture_wait(&fixture, got_messages, &i); // and no more
        fixture_call(&fixture, call_let_go, NULL);
    }
    close(fd);
    fixture_stop(&fixture);
}

// ---------------------------------------------------------------------------------------------------------
// Pings

static void pings_are_answered_with_their_payload(void **state)
{
    (void)state;
    char payload[125];
    memset(payload, 'p', sizeof payload);
    fixture_start(&fixture, NULL);
    int fd = open_socket();
    client_send_frame(fd, 0x89, NULL, 0);
    expect_frame(fd, 0x8a, NULL, 0);
    client_send_frame(fd, 0x89, payload, sizeof payload);
    expect_frame(fd, 0x8a, payload, sizeof payload);
    client_send_frame(fd, 0x8a, "unasked", 7);
    client_send_frame(fd, 0x82, "\x01", 1);
    expect_frame(fd, 0x82, "\x01", 1);
    close(fd);
    fixture_stop(&fixture);
}

static void pings_of_a_peer_that_does_not_read_do_not_pile_up(void **state)
{
    (void)state;
    enum { PINGS = 200000 };
    char payload[125];
    memset(payload, 'p', sizeof payload);
    fixture_start(&fixture, NULL);
    int fd = open_socket();
    for (uint32_t i = 1; i <= PINGS; i++) {
        memcpy(payload, &i, sizeof i);
        client_send_frame(fd, 0x89, payload, sizeof payload);
    }
    uint32_t last = 0, pongs = 0;
    while (last != PINGS) {
        uint8_t got[125];
        size_t size = sizeof got;
        assert_int_equal(client_receive_frame(fd, got, &size), 0x8a);
        uint32_t number;
        memcpy(&number, got, sizeof number);
        assert_true(number > last);
        last = number;
        pongs++;
    }
    assert_true(pongs < PINGS);
    close(fd);
    fixture_stop(&fixture);
}

static bool has_come(struct fixture *all, void *argument)
{
    struct net_stats stats;
    net_listener_stats(all->listener, &stats);
    return stats.bytes_in >= *(uint64_t *)argument;
}

// A pong that has come before time goes on.
static void say_pong(int fd)
{
    uint64_t wanted = fixture_stats(&fixture).bytes_in + 6;
    client_send_frame(fd, 0x8a, NULL, 0);
    fixture_wait(&fixture, has_come, &wanted);
}

static void a_silent_peer_is_asked_and_then_taken_for_gone(void **state)
{
    (void)state;
    enum { STEP_MS = 25 };
    static const struct net_http_options times = {.ping_ms = 100, .dead_ms = 400};
    fixture_start(&fixture, &(struct fixture_options){.http = &times});
    int alive = open_socket();
    uint32_t asked = 0;
    for (int ms = 0; ms < 1000; ms += STEP_MS) {
        const uint64_t before = fixture_stats(&fixture).bytes_out;
        fixture_pass(&fixture, STEP_MS);
        if (fixture_stats(&fixture).bytes_out > before) {
            expect_frame(alive, 0x89, NULL, 0);
            say_pong(alive);
            asked++;
        }
    }
    assert_in_range(asked, 6, 9);
    int dead = open_socket();
    for (int ms = 0; ms <= 400; ms += STEP_MS) {
        assert_int_equal(fixture_stats(&fixture).open, 2);
        say_pong(alive);
        fixture_pass(&fixture, STEP_MS);
    }
    fixture_wait_closed(&fixture, 1);
    assert_string_equal(fixture.peers[1].reason, "the peer does not answer pings");
    assert_int_equal(fixture.peers[0].closed, 0);
    expect_frame(dead, 0x89, NULL, 0); // it was asked
    close(alive);
    close(dead);
    fixture_stop(&fixture);
}

static void call_say_much(struct fixture *all, void *argument)
{
    (void)argument;
    struct base_buffer *text = fixture_text(8 << 20, 't');
    net_conn_send(all->peers[0].conn, text);
    base_buffer_unref(text);
}

static void a_peer_that_reads_slowly_is_not_gone(void **state)
{
    (void)state;
    static const struct net_http_options times = {.ping_ms = 100, .dead_ms = 300};
    fixture_start(&fixture, &(struct fixture_options){.http = &times});
    int fd = open_socket();
    int few = 65536; // so that what it has not read is still here, and seen to move
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &few, sizeof few);
    fixture_call(&fixture, call_say_much, NULL);
    uint8_t *bytes = malloc(1 << 20);
    for (int i = 0; i < 16; i++) { // half a megabyte in 50 ms, no pong
        client_receive(fd, bytes, 1 << 19);
        fixture_pass(&fixture, 50);
    }
    free(bytes);
    assert_int_equal(fixture_stats(&fixture).open, 1);
    close(fd);
    fixture_stop(&fixture);
}

// ---------------------------------------------------------------------------------------------------------
// Ends

static void on_bad_say(struct fixture_peer *peer)
{
    struct base_buffer *text = fixture_text(20, 'x');
    net_conn_send(peer->conn, text);
    base_buffer_unref(text);
}

static void messages_that_are_wrong_are_told_and_closed_with_a_code(void **state)
{
    (void)state;
    static uint8_t deep[40];
    memset(deep, 0x91, sizeof deep);
    static const struct {
        const void *data;
        size_t size;
        enum protocol_scan_status status;
        uint32_t code;
    } cases[] = {
        {"\xc1", 1, PROTOCOL_SCAN_BAD, 1007},
        {"\x01\x02", 2, PROTOCOL_SCAN_DONE, 1007},         // two messages
        {"\x92\x01\x02\x03", 4, PROTOCOL_SCAN_DONE, 1007}, // one and some
        {"\x92\x01", 2, PROTOCOL_SCAN_MORE, 1007},         // half of one
        {"", 0, PROTOCOL_SCAN_MORE, 1007},                 // none
        {"\xc6\x7f\xff\xff\xff", 5, PROTOCOL_SCAN_TOO_LARGE, 1009},
        {deep, sizeof deep, PROTOCOL_SCAN_TOO_DEEP, 1009},
        {"\xdd\x00\x10\x00\x00", 5, PROTOCOL_SCAN_TOO_WIDE, 1009},
    };
    fixture_start(&fixture, &(struct fixture_options){.on_bad = on_bad_say});
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int fragmented = 0; fragmented < 2; fragmented++) {
            int fd = open_socket();
            if (fragmented) {
                for (size_t at = 0; at < cases[i].size; at++) {
                    client_send_frame(fd, at == 0 ? 0x02 : 0x00, (const uint8_t *)cases[i].data + at, 1);
                }
                client_send_frame(fd, cases[i].size > 0 ? 0x80 : 0x82, NULL, 0);
            } else {
                client_send_frame(fd, 0x82, cases[i].data, cases[i].size);
            }
            client_send_frame(fd, 0x82, "\x01", 1); // thrown away
            uint8_t got[64];
            size_t size = sizeof got;
            assert_int_equal(client_receive_frame(fd, got, &size), 0x82);
            assert_int_equal(size, 20);
            client_expect_close(fd, cases[i].code);
            close(fd);
            const struct fixture_peer *peer = &fixture.peers[fixture.peer_count - 1];
            fixture_wait_closed(&fixture, fixture.peer_count);
            assert_int_equal(peer->bad, 1);
            assert_int_equal(peer->bad_status, cases[i].status);
            assert_int_equal(peer->messages, 0);
        }
    }
    fixture_stop(&fixture);
}

static void a_frame_larger_than_a_message_may_be_is_refused_at_its_header(void **state)
{
    (void)state;
    fixture_start(&fixture, &(struct fixture_options){.message_bytes = 1000, .on_bad = on_bad_say});
    int fd = open_socket();
    client_send(fd, "\x82\xff\x00\x00\x00\x10\x00\x00\x00\x00mask", 14); // 64 GiB to come
    uint8_t got[64];
    size_t size = sizeof got;
    assert_int_equal(client_receive_frame(fd, got, &size), 0x82);
    client_expect_close(fd, 1009);
    fixture_wait_closed(&fixture, 1);
    assert_int_equal(fixture.peers[0].bad_status, PROTOCOL_SCAN_TOO_LARGE);
    close(fd);
    fixture_stop(&fixture);
}

static void frames_that_are_wrong_are_closed_with_a_code(void **state)
{
    (void)state;
    fixture_start(&fixture, NULL);
    static const struct {
        const char *bytes;
        size_t size;
        uint32_t code;
    } cases[] = {
        {"\x82\x01\x01", 3, 1002},                 // not masked
        {"\x81\x82mask\x8e\xc3", 8, 1003},         // text, of whatever bytes
        {"\x83\x80mask", 6, 1002},                 // no such opcode
        {"\xf2\x80mask", 6, 1002},                 // reserved bits
        {"\x80\x80mask", 6, 1002},                 // a continuation of nothing
        {"\x88\x81mask\x00", 7, 1002},             // half a close code
        {"\x88\x83\0\0\0\0\x03\xe8\xff", 9, 1007}, // a reason that is no UTF-8
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int fd = open_socket();
        client_send(fd, cases[i].bytes, cases[i].size);
        client_expect_close(fd, cases[i].code);
        close(fd);
    }
    fixture_wait_closed(&fixture, fixture.peer_count);
    assert_string_equal(fixture.peers[0].reason, "a client must mask its frames");
    assert_int_equal(fixture.peers[0].bad, 0);
    fixture_stop(&fixture);
}

static void a_close_is_answered_with_its_code_and_nothing_else(void **state)
{
    (void)state;
    static const struct {
        const char *payload;
        size_t size;
        uint32_t code;
    } cases[] = {{"", 0, 0}, {"\x03\xe8", 2, 1000}, {"\x0f\xa0gone", 6, 4000}};
    fixture_start(&fixture, NULL);
    for (size_t i = 0; i < 3; i++) {
        int fd = open_socket();
        client_send_frame(fd, 0x88, cases[i].payload, cases[i].size);
        client_send_frame(fd, 0x82, "\x01", 1); // too late
        client_expect_close(fd, cases[i].code);
        close(fd);
    }
    fixture_wait_closed(&fixture, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_string_equal(fixture.peers[i].reason, "the peer closed the WebSocket");
        assert_int_equal(fixture.peers[i].messages, 0);
    }
    fixture_stop(&fixture);
}

static void call_finish(struct fixture *all, void *argument)
{
    struct net_conn *conn = all->peers[0].conn;
    struct base_buffer *text = fixture_text(6, 't');
    net_conn_send(conn, text);
    net_conn_finish(conn, *(enum net_end *)argument, "the server goes down");
    net_conn_send(conn, text); // still before the close frame, which is the last
    base_buffer_unref(text);
}

static void a_finish_says_its_code_behind_what_was_to_be_sent(void **state)
{
    (void)state;
    fixture_start(&fixture, NULL);
    int fd = open_socket();
    enum net_end end = NET_END_AWAY;
    fixture_call(&fixture, call_finish, &end);
    expect_frame(fd, 0x82, "\xdb\0\0\0\1t", 6);
    expect_frame(fd, 0x82, "\xdb\0\0\0\1t", 6);
    expect_frame(fd, 0x88, "\x03\xe9the server goes down", 22);
    client_send_frame(fd, 0x88, "\x03\xe9", 2);
    assert_true(client_at_end(fd));
    close(fd);
    fixture_wait_closed(&fixture, 1);
    assert_string_equal(fixture.peers[0].reason, "the server goes down");
    fixture_stop(&fixture);
}

static void call_cut(struct fixture *all, void *argument)
{
    (void)argument;
    net_conn_cut(all->peers[0].conn, NET_END_POLICY, "too much");
}

static void a_cut_says_its_code_if_it_can(void **state)
{
    (void)state;
    fixture_start(&fixture, NULL);
    int fd = open_socket();
    fixture_call(&fixture, call_cut, NULL);
    expect_frame(fd, 0x88, "\x03\xf0too much", 10);
    assert_true(client_at_end(fd));
    close(fd);
    fixture_wait_closed(&fixture, 1);
    assert_string_equal(fixture.peers[0].reason, "too much");
    fixture_stop(&fixture);
}

static void a_peer_that_ends_without_a_word_is_let_go(void **state)
{
    (void)state;
    fixture_start(&fixture, NULL);
    int fd = open_socket();
    client_send_frame(fd, 0x82, "\x01", 1);
    shutdown(fd, SHUT_WR);
    expect_frame(fd, 0x82, "\x01", 1); // what it asked for
    client_expect_close(fd, 1000);
    close(fd);
    int torn = open_socket();
    client_send(torn, "\x82\x85ma", 4);
    close(torn);
    int reset = open_socket();
    client_reset(reset);
    fixture_wait_closed(&fixture, 3);
    fixture_stop(&fixture);
}

static void unfinished_messages_are_bounded_together(void **state)
{
    (void)state;
    enum { PEERS = 5, EACH = 30000 };
    fixture_start(&fixture, &(struct fixture_options){.receive_bytes = 100000});
    uint8_t *message = client_message(200000, 1);
    int fds[PEERS];
    for (int i = 0; i < PEERS; i++) {
        fds[i] = open_socket();
        client_send_frame(fds[i], 0x02, message, EACH);
    }
    fixture_wait_closed(&fixture, 2); // three hold 90,000
    uint32_t bad = 0;
    for (int i = 0; i < PEERS; i++) {
        bad += fixture.peers[i].overfull;
        close(fds[i]);
    }
    // A message in pieces may take up to twice as much memory as it has bytes.
    assert_in_range(bad, 2, PEERS - 1);
    free(message);
    fixture_stop(&fixture);
}

// ---------------------------------------------------------------------------------------------------------
// Handshakes that are refused

static void *accept_one(struct fixture_peer *peer, void *context)
{
    (void)context;
    return peer->fixture->peer_count == 0 ? peer : NULL;
}

static void refused(const char *fields, int status)
{
    char request[512];
    fixture_over_websocket = false;
    int fd = client_connect(&fixture);
    fixture_over_websocket = true;
    snprintf(request, sizeof request, "GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\n%s\r\n", fields);
    client_send(fd, request, strlen(request));
    char got[14] = {0};
    client_receive(fd, got, 13);
    if (atoi(got + 9) != status) {
        fail_msg("%s: %s", fields, got);
    }
    close(fd);
}

#define UPGRADE "Upgrade: websocket\r\nConnection: Upgrade\r\n"
#define VERSION "Sec-WebSocket-Version: 13\r\n"
#define KEY "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"

static void handshakes_that_are_wrong_are_refused(void **state)
{
    (void)state;
    static const struct net_http_options options = {.origins = "https://sim.example.org"};
    fixture_start(&fixture, &(struct fixture_options){.http = &options, .on_accept = accept_one});
    refused("", 426);
    refused(VERSION KEY, 426);
    refused("Upgrade: websocket\r\n" VERSION KEY, 426);
    refused(UPGRADE KEY, 426);
    refused(UPGRADE KEY "Sec-WebSocket-Version: 8\r\n", 426);
    refused(UPGRADE VERSION, 400);
    refused(UPGRADE VERSION "Sec-WebSocket-Key: short\r\n", 400);
    refused(UPGRADE VERSION KEY "Origin: http://evil.example\r\n", 403);
    refused(UPGRADE VERSION KEY "Origin: null\r\n", 403);
    assert_int_equal(fixture_stats(&fixture).accepted, 0);
    refused(UPGRADE VERSION KEY
            "Origin: https://sim.example.org\r\n"
            "Sec-WebSocket-Extensions: permessage-deflate\r\nSec-WebSocket-Protocol: weft\r\n",
            101);
    fixture_wait_closed(&fixture, 1);
    refused(UPGRADE VERSION KEY, 503); // the handler takes no more
    fixture_stop(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_of_all_sizes_come_back),
        cmocka_unit_test(a_message_in_fragments_comes_back_whole),
        cmocka_unit_test(many_messages_in_any_pieces_come_back_in_order),
        cmocka_unit_test(frames_may_follow_the_handshake_at_once),
        cmocka_unit_test(while_held_nothing_is_handed_up),
        cmocka_unit_test(pings_are_answered_with_their_payload),
        cmocka_unit_test(pings_of_a_peer_that_does_not_read_do_not_pile_up),
        cmocka_unit_test_setup_teardown(a_silent_peer_is_asked_and_then_taken_for_gone, fixture_hold_clock,
                                        fixture_release_clock),
        cmocka_unit_test_setup_teardown(a_peer_that_reads_slowly_is_not_gone, fixture_hold_clock,
                                        fixture_release_clock),
        cmocka_unit_test(messages_that_are_wrong_are_told_and_closed_with_a_code),
        cmocka_unit_test(a_frame_larger_than_a_message_may_be_is_refused_at_its_header),
        cmocka_unit_test(frames_that_are_wrong_are_closed_with_a_code),
        cmocka_unit_test(a_close_is_answered_with_its_code_and_nothing_else),
        cmocka_unit_test(a_finish_says_its_code_behind_what_was_to_be_sent),
        cmocka_unit_test(a_cut_says_its_code_if_it_can),
        cmocka_unit_test(a_peer_that_ends_without_a_word_is_let_go),
        cmocka_unit_test(unfinished_messages_are_bounded_together),
        cmocka_unit_test(handshakes_that_are_wrong_are_refused),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
