#include "helper_fixture.h"

#include "base/assert.h"
#include "protocol/array/reserve.h"
#include "protocol/frame.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

bool fixture_over_websocket;

// ---------------------------------------------------------------------------------------------------------
// Handlers, on the loop thread

void fixture_echo(struct fixture_peer *peer, uint8_t *bytes, size_t size)
{
    struct base_buffer *copy = base_buffer_create(size, NULL);
    BASE_ASSERT(copy);
    memcpy(copy->data, bytes, size);
    free(bytes);
    net_conn_send(peer->conn, copy);
    base_buffer_unref(copy);
}

static void peer_on_message(void *context, struct net_conn *conn, uint8_t *bytes, size_t size)
{
    struct fixture_peer *peer = context;
    BASE_ASSERT(peer->conn == conn && peer->closed == 0);
    peer->messages++;
    if (peer->fixture->options.on_message) {
        peer->fixture->options.on_message(peer, bytes, size);
    } else {
        fixture_echo(peer, bytes, size);
    }
}

static void peer_on_bad_stream(void *context, struct net_conn *conn, enum protocol_scan_status status)
{
    struct fixture_peer *peer = context;
    BASE_ASSERT(peer->conn == conn && peer->closed == 0);
    peer->bad++;
    peer->bad_status = status;
    if (peer->fixture->options.on_bad) {
        peer->fixture->options.on_bad(peer);
    }
}

static void peer_on_overfull(void *context, struct net_conn *conn)
{
    struct fixture_peer *peer = context;
    BASE_ASSERT(peer->conn == conn && peer->closed == 0);
    peer->overfull++;
    if (peer->fixture->options.on_bad) {
        peer->fixture->options.on_bad(peer);
    }
}

static void peer_on_end(void *context, struct net_conn *conn)
{
    struct fixture_peer *peer = context;
    BASE_ASSERT(peer->conn == conn && peer->closed == 0);
    peer->ended++;
}

static void peer_on_closed(void *context, struct net_conn *conn, const char *reason)
{
    struct fixture_peer *peer = context;
    BASE_ASSERT(peer->conn == conn && peer->closed == 0);
    peer->closed++;
    peer->conn = NULL;
    snprintf(peer->reason, sizeof peer->reason, "%s", reason);
}

static void peer_on_drained(void *context, struct net_conn *conn)
{
    struct fixture_peer *peer = context;
    BASE_ASSERT(peer->conn == conn && peer->closed == 0);
    peer->drained++;
}

static void peer_on_moving(void *context, struct net_conn *conn, uint32_t stream)
{
    struct fixture_peer *peer = context;
    BASE_ASSERT(peer->conn == conn && stream > 0);
    peer->moving++;
}

static void peer_on_behind(void *context, struct net_conn *conn, uint32_t stream)
{
    struct fixture_peer *peer = context;
    BASE_ASSERT(peer->conn == conn && stream > 0);
    peer->behind++;
}

static void peer_on_lagged(void *context, struct net_conn *conn, uint32_t stream, uint64_t dropped_total,
                           bool blocked)
{
    struct fixture_peer *peer = context;
    (void)stream;
    BASE_ASSERT(peer->conn == conn && peer->closed == 0);
    peer->lagged = dropped_total;
    peer->blocked = blocked;
}

static void *fixture_on_accept(void *context, struct net_conn *conn)
{
    struct fixture *fixture = context;
    BASE_ASSERT(fixture->peer_count < FIXTURE_PEERS_MAX);
    struct fixture_peer *peer = &fixture->peers[fixture->peer_count];
    peer->fixture = fixture;
    peer->conn = conn;
    if (fixture->options.on_accept && !fixture->options.on_accept(peer, fixture->options.context)) {
        return NULL;
    }
    fixture->peer_count++;
    return peer;
}

// ---------------------------------------------------------------------------------------------------------
// The loop's thread

static void fixture_on_wake(void *context)
{
    struct fixture *fixture = context;
    base_mutex_lock(&fixture->mutex);
    if (fixture->call) {
        fixture->call(fixture, fixture->argument);
        fixture->call = NULL;
        base_cond_broadcast(&fixture->cond);
    }
    base_mutex_unlock(&fixture->mutex);
}

static void fixture_run(void *context)
{
    struct fixture *fixture = context;
    net_loop_run(fixture->loop);
}

void fixture_start(struct fixture *fixture, const struct fixture_options *options)
{
    memset(fixture, 0, sizeof *fixture);
    if (options) {
        fixture->options = *options;
    }
    const struct fixture_options *wanted = &fixture->options;
    const uint64_t plenty = UINT64_C(64) << 20;
    struct net_limits limits = {
        .message = {.bytes = wanted->message_bytes ? wanted->message_bytes : plenty,
                    .depth = 16,
                    .nodes = 1000000},
        .receive_bytes = wanted->receive_bytes ? wanted->receive_bytes : plenty,
        .connections = wanted->connections ? wanted->connections : FIXTURE_PEERS_MAX,
        .message_ms = wanted->message_ms,
    };
    struct net_conn_handler handler = {
        .on_message = peer_on_message,
        .on_bad_stream = peer_on_bad_stream,
        .on_overfull = peer_on_overfull,
        .on_end = wanted->handle_end ? peer_on_end : NULL,
        .on_closed = peer_on_closed,
        .on_drained = peer_on_drained,
        .on_lagged = peer_on_lagged,
        .on_moving = peer_on_moving,
        .on_behind = peer_on_behind,
    };
    base_mutex_init(&fixture->mutex);
    base_cond_init(&fixture->cond);
    fixture->loop = net_loop_create();
    assert_non_null(fixture->loop);
    const char *loops = getenv("WEFT_TEST_LOOPS");
    assert_true(net_loop_spread(fixture->loop, wanted->loops ? wanted->loops
                                               : loops       ? (uint32_t)atoi(loops)
                                                             : 1));
    fixture->wake = net_wake_create(fixture->loop, fixture_on_wake, fixture);
    assert_non_null(fixture->wake);
    const char *reason = NULL;
    const struct net_http_options plain = {0};
    const struct net_http_options *http = wanted->http             ? wanted->http
                                          : fixture_over_websocket ? &plain
                                                                   : NULL;
    fixture->listener = http ? net_listen_http(fixture->loop, "127.0.0.1:0", &limits, http, fixture_on_accept,
                                               &handler, fixture, &reason)
                             : net_listen(fixture->loop, "127.0.0.1:0", &limits, fixture_on_accept, &handler,
                                          fixture, &reason);
    assert_null(reason);
    assert_non_null(fixture->listener);
    net_listener_address(fixture->listener, fixture->address, sizeof fixture->address);
    fixture->port = (uint16_t)atoi(strrchr(fixture->address, ':') + 1);
    assert_true(base_thread_start(&fixture->thread, "loop", fixture_run, fixture));
}

static void call_stop(struct fixture *fixture, void *argument)
{
    (void)argument;
    net_loop_stop(fixture->loop);
}

void fixture_stop(struct fixture *fixture)
{
    fixture_call(fixture, call_stop, NULL);
    base_thread_join(&fixture->thread);
    // Everything was closed before the loop returned, and everybody was told once.
    for (uint32_t i = 0; i < fixture->peer_count; i++) {
        assert_int_equal(fixture->peers[i].closed, 1);
        assert_true(fixture->peers[i].reason[0] != 0);
    }
    struct net_stats stats;
    net_listener_stats(fixture->listener, &stats);
    assert_int_equal(stats.open, 0);
    assert_int_equal(stats.accepted, fixture->peer_count);
    net_wake_send(fixture->wake); // of no effect, and harmless
    net_wake_destroy(fixture->wake);
    net_loop_destroy(fixture->loop); // takes the listener along
    base_cond_deinit(&fixture->cond);
    base_mutex_deinit(&fixture->mutex);
}

void fixture_call(struct fixture *fixture, void (*call)(struct fixture *fixture, void *argument),
                  void *argument)
{
    uint64_t deadline = clock_real_ns() + FIXTURE_WAIT_S * UINT64_C(1000000000);
    base_mutex_lock(&fixture->mutex);
    fixture->call = call;
    fixture->argument = argument;
    net_wake_send(fixture->wake);
    bool late = false;
    while (fixture->call && !late) {
        late = !clock_real_wait_until(&fixture->cond, &fixture->mutex, deadline);
    }
    base_mutex_unlock(&fixture->mutex);
    assert_false(late);
}

struct wait_call {
    bool (*holds)(struct fixture *fixture, void *argument);
    void *argument;
    bool held;
};

static void call_wait(struct fixture *fixture, void *argument)
{
    struct wait_call *wait = argument;
    wait->held = wait->holds(fixture, wait->argument);
}

void fixture_wait(struct fixture *fixture, bool (*holds)(struct fixture *fixture, void *argument),
                  void *argument)
{
    uint64_t deadline = clock_real_ns() + FIXTURE_WAIT_S * UINT64_C(1000000000);
    struct wait_call wait = {.holds = holds, .argument = argument};
    for (;;) {
        fixture_call(fixture, call_wait, &wait);
        if (wait.held) {
            return;
        }
        assert_true(clock_real_ns() < deadline);
        usleep(1000);
    }
}

static void call_nothing(struct fixture *fixture, void *argument)
{
    (void)fixture;
    (void)argument;
}

int fixture_hold_clock(void **state)
{
    (void)state;
    clock_hold();
    return 0;
}

int fixture_release_clock(void **state)
{
    (void)state;
    clock_release();
    return 0;
}

// The loop looks at the clock and calls timers behind what wakes it, so a second call finds them called.
void fixture_pass(struct fixture *fixture, uint64_t ms)
{
    clock_pass(ms * 1000000);
    fixture_call(fixture, call_nothing, NULL);
    fixture_call(fixture, call_nothing, NULL);
}

void fixture_turns(struct fixture *fixture)
{
    for (int turn = 0; turn < 5; turn++) {
        fixture_call(fixture, call_nothing, NULL);
    }
}

static bool peers_accepted(struct fixture *fixture, void *argument)
{
    return fixture->peer_count >= *(uint32_t *)argument;
}

void fixture_wait_peers(struct fixture *fixture, uint32_t count)
{
    fixture_wait(fixture, peers_accepted, &count);
}

static bool peers_closed(struct fixture *fixture, void *argument)
{
    uint32_t closed = 0;
    for (uint32_t i = 0; i < fixture->peer_count; i++) {
        closed += fixture->peers[i].closed;
    }
    return closed >= *(uint32_t *)argument;
}

void fixture_wait_closed(struct fixture *fixture, uint32_t count)
{
    fixture_wait(fixture, peers_closed, &count);
}

void fixture_pass_closed(struct fixture *fixture, uint32_t count)
{
    const uint64_t deadline = clock_real_ns() + FIXTURE_WAIT_S * UINT64_C(1000000000);
    struct wait_call wait = {.holds = peers_closed, .argument = &count};
    while (!wait.held && clock_real_ns() < deadline) {
        fixture_pass(fixture, 10);
        fixture_call(fixture, call_wait, &wait);
    }
    assert_true(wait.held);
}

static void call_stats(struct fixture *fixture, void *argument)
{
    net_listener_stats(fixture->listener, argument);
}

struct net_stats fixture_stats(struct fixture *fixture)
{
    struct net_stats stats;
    fixture_call(fixture, call_stats, &stats);
    return stats;
}

struct base_buffer *fixture_text(size_t size, char letter)
{
    struct base_buffer *text = base_buffer_create(size, NULL);
    BASE_ASSERT(text && size >= 5);
    size_t payload = size - 5;
    text->data[0] = 0xdb;
    for (int i = 0; i < 4; i++) {
        text->data[1 + i] = (uint8_t)(payload >> (24 - 8 * i));
    }
    memset(text->data + 5, letter, payload);
    return text;
}

// ---------------------------------------------------------------------------------------------------------
// Clients

int client_connect(const struct fixture *fixture)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0);
    struct timeval limit = {.tv_sec = FIXTURE_WAIT_S};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    int one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(fixture->port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    if (fixture_over_websocket) {
        client_upgrade(fd);
    }
    return fd;
}

// Asked again where a signal came between: a ring of libuv's interrupts the thread that made it, as signals do.
static ssize_t receive_some(int fd, void *data, size_t size)
{
    ssize_t got;
    do {
        got = recv(fd, data, size, 0);
    } while (got < 0 && errno == EINTR);
    return got;
}

bool client_try_send(int fd, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    while (size > 0) {
        ssize_t sent = send(fd, bytes, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent <= 0) {
            return false;
        }
        bytes += sent;
        size -= (size_t)sent;
    }
    return true;
}

void client_send(int fd, const void *data, size_t size)
{
    assert_true(client_try_send(fd, data, size));
}

void client_receive(int fd, void *data, size_t size)
{
    uint8_t *bytes = data;
    while (size > 0) {
        ssize_t got = receive_some(fd, bytes, size);
        assert_true(got > 0);
        bytes += got;
        size -= (size_t)got;
    }
}

size_t client_receive_all(int fd, uint8_t *data, size_t size)
{
    size_t used = 0;
    for (;;) {
        assert_true(used < size);
        ssize_t got = receive_some(fd, data + used, size - used);
        assert_true(got >= 0);
        if (got == 0) {
            return used;
        }
        used += (size_t)got;
    }
}

bool client_at_end(int fd)
{
    uint8_t byte;
    ssize_t got = receive_some(fd, &byte, 1);
    return got == 0 || (got < 0 && errno == ECONNRESET);
}

void client_reset(int fd)
{
    struct linger abrupt = {.l_onoff = 1, .l_linger = 0};
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &abrupt, sizeof abrupt);
    close(fd);
}

void client_upgrade(int fd)
{
    // Key and answer are those of RFC 6455, 1.3.
    static const char request[] = "GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
                                  "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                                  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    static const char answer[] = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                                 "Connection: Upgrade\r\n"
                                 "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";
    _Static_assert(sizeof answer - 1 == FIXTURE_HANDSHAKE_SIZE, "as long as it says");
    char back[sizeof answer] = {0};
    client_send(fd, request, sizeof request - 1);
    client_receive(fd, back, sizeof answer - 1);
    assert_string_equal(back, answer);
}

void client_send_frame(int fd, uint8_t first, const void *data, size_t size)
{
    static const uint8_t mask[4] = {0x37, 0xfa, 0x21, 0x3d};
    uint8_t *bytes = malloc(size + 14);
    assert_non_null(bytes);
    size_t at = 2, length_bytes = size <= 125 ? 0 : size <= UINT16_MAX ? 2 : 8;
    bytes[0] = first;
    bytes[1] = (uint8_t)(0x80 | (length_bytes == 0 ? size : length_bytes == 2 ? 126 : 127));
    for (size_t i = 0; i < length_bytes; i++) {
        bytes[at++] = (uint8_t)((uint64_t)size >> (8 * (length_bytes - 1 - i)));
    }
    memcpy(bytes + at, mask, sizeof mask);
    at += sizeof mask;
    for (size_t i = 0; i < size; i++) {
        bytes[at++] = (uint8_t)(((const uint8_t *)data)[i] ^ mask[i % 4]);
    }
    client_try_send(fd, bytes, at);
    free(bytes);
}

uint8_t client_receive_frame(int fd, uint8_t *data, size_t *size)
{
    uint8_t header[10];
    client_receive(fd, header, 2);
    assert_int_equal(header[1] & 0x80, 0); // a server does not mask
    uint64_t length = header[1];
    size_t length_bytes = length == 126 ? 2 : length == 127 ? 8 : 0;
    if (length_bytes > 0) {
        client_receive(fd, header + 2, length_bytes);
        length = 0;
        for (size_t i = 0; i < length_bytes; i++) {
            length = length << 8 | header[2 + i];
        }
        assert_true(length >= (length_bytes == 2 ? 126 : 65536)); // as short as can be
    }
    assert_true(length <= *size);
    *size = (size_t)length;
    if (length > 0) {
        client_receive(fd, data, (size_t)length);
    }
    return header[0];
}

void client_expect_close(int fd, uint32_t code)
{
    uint8_t data[125];
    size_t size = sizeof data;
    assert_int_equal(client_receive_frame(fd, data, &size), 0x88);
    if (code == 0) {
        assert_int_equal(size, 0);
    } else {
        assert_true(size >= 2);
        assert_int_equal(data[0] << 8 | data[1], code);
    }
    assert_true(client_at_end(fd));
}

uint8_t *client_message(size_t size, uint32_t seed)
{
    uint8_t *bytes = malloc(size);
    assert_non_null(bytes);
    assert_true(size >= 5);
    size_t payload = size - 5;
    bytes[0] = 0xc6;
    for (int i = 0; i < 4; i++) {
        bytes[1 + i] = (uint8_t)(payload >> (24 - 8 * i));
    }
    for (size_t i = 5; i < size; i++) {
        seed = seed * 1664525 + 1013904223;
        bytes[i] = (uint8_t)(seed >> 24);
    }
    return bytes;
}

void client_reader_init(struct client_reader *reader, int fd)
{
    memset(reader, 0, sizeof *reader);
    reader->fd = fd;
}

void client_reader_deinit(struct client_reader *reader)
{
    free(reader->bytes);
}

static const uint8_t *reader_next_frame(struct client_reader *reader, size_t *size)
{
    if (reader->capacity == 0) {
        reader->capacity = (size_t)32 << 20;
        reader->bytes = malloc(reader->capacity);
        assert_non_null(reader->bytes);
    }
    *size = reader->capacity;
    uint8_t first = client_receive_frame(reader->fd, reader->bytes, size);
    if (first == 0x88) {
        assert_true(client_at_end(reader->fd));
        return NULL;
    }
    assert_int_equal(first, 0x82);
    const struct protocol_scan_limits limits = {.bytes = UINT64_C(1) << 30, .depth = 16, .nodes = 1000};
    struct protocol_scan scan;
    protocol_scan_init(&scan, &limits);
    size_t consumed = 0;
    assert_int_equal(protocol_scan_feed(&scan, reader->bytes, *size, &consumed), PROTOCOL_SCAN_DONE);
    assert_int_equal(consumed, *size);
    return reader->bytes;
}

const uint8_t *client_reader_next(struct client_reader *reader, size_t *size)
{
    if (fixture_over_websocket) {
        return reader_next_frame(reader, size);
    }
    const struct protocol_scan_limits limits = {.bytes = UINT64_C(1) << 30, .depth = 16, .nodes = 1000};
    struct protocol_scan scan;
    protocol_scan_init(&scan, &limits);
    if (reader->at > 0) {
        memmove(reader->bytes, reader->bytes + reader->at, reader->used - reader->at);
    }
    reader->used -= reader->at;
    reader->at = 0;
    for (;;) {
        size_t consumed = 0;
        enum protocol_scan_status status = PROTOCOL_SCAN_MORE;
        if (reader->at < reader->used) {
            status =
                protocol_scan_feed(&scan, reader->bytes + reader->at, reader->used - reader->at, &consumed);
        }
        reader->at += consumed;
        if (status == PROTOCOL_SCAN_DONE) {
            *size = reader->at;
            return reader->bytes;
        }
        assert_int_equal(status, PROTOCOL_SCAN_MORE);
        assert_true(array_reserve(&reader->bytes, &reader->capacity, reader->used + 65536));
        ssize_t got = receive_some(reader->fd, reader->bytes + reader->used, reader->capacity - reader->used);
        assert_true(got >= 0);
        if (got == 0) {
            assert_int_equal(reader->used, 0); // nothing ends in the middle of a message
            return NULL;
        }
        reader->used += (size_t)got;
    }
}

// ---------------------------------------------------------------------------------------------------------
// Frames

enum { PART_MAP_BYTES = 2 + 5 + 2 + 5 }; // "n" u32 "d" bin32

static void put_u32(uint8_t *out, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        out[i] = (uint8_t)(value >> (24 - 8 * i));
    }
}

static uint32_t get_u32(const uint8_t *in)
{
    return (uint32_t)in[0] << 24 | (uint32_t)in[1] << 16 | (uint32_t)in[2] << 8 | in[3];
}

bool client_frame_parse(const uint8_t *bytes, size_t size, struct client_frame *frame)
{
    if (size < PROTOCOL_FRAME_HEAD_SIZE + PART_MAP_BYTES || memcmp(bytes, "\x93\x02\xacstream.frame", 15)) {
        return false;
    }
    frame->stream = get_u32(bytes + 27);
    frame->seq = get_u32(bytes + 36);
    frame->dropped = get_u32(bytes + 49);
    frame->number = get_u32(bytes + PROTOCOL_FRAME_HEAD_SIZE + 3);
    uint8_t head[PROTOCOL_FRAME_HEAD_SIZE];
    protocol_frame_head(head, 6, frame->stream, frame->seq, frame->dropped);
    assert_memory_equal(bytes, head, sizeof head);
    for (size_t i = PROTOCOL_FRAME_HEAD_SIZE + PART_MAP_BYTES; i < size; i++) {
        if (bytes[i] != (uint8_t)frame->number) {
            fail_msg("byte %zu of frame %u is %u", i, (unsigned)frame->number, (unsigned)bytes[i]);
        }
    }
    return true;
}

static bool part_fill(struct base_frame_part *part, const struct fixture_batch *shape, uint32_t number)
{
    size_t size = shape->part_size - PROTOCOL_FRAME_HEAD_SIZE; // of the shared bytes
    size_t payload = size - PART_MAP_BYTES;
    part->size = size;
    part->buffers = calloc(shape->chunks, sizeof *part->buffers);
    BASE_ASSERT(part->buffers && shape->chunks > 0 && payload >= shape->chunks);
    for (uint32_t c = 0; c < shape->chunks; c++) {
        size_t prefix = c == 0 ? PART_MAP_BYTES : 0;
        size_t share =
            c + 1 == shape->chunks ? payload - payload / shape->chunks * c : payload / shape->chunks;
        struct base_buffer *buffer = base_buffer_create(prefix + share, shape->budget);
        if (!buffer) {
            return false;
        }
        memset(buffer->data, (uint8_t)number, buffer->size);
        if (prefix) {
            memcpy(buffer->data, "\xa1n\xce", 3);
            put_u32(buffer->data + 3, number);
            memcpy(buffer->data + 7,
                   "\xa1"
                   "d\xc6",
                   3);
            put_u32(buffer->data + 10, (uint32_t)payload);
        }
        part->buffers[part->buffer_count++] = buffer;
    }
    return true;
}

struct base_batch *fixture_batch_create(const struct fixture_batch *shape)
{
    struct base_batch *batch = base_batch_create(shape->stream, 1, shape->moment, shape->frames);
    BASE_ASSERT(batch);
    for (uint32_t f = 0; f < shape->frames; f++) {
        struct base_frame *frame = base_frame_create(shape->parts);
        BASE_ASSERT(frame);
        batch->frames[f] = frame;
        frame->key_count = PROTOCOL_FRAME_HEAD_KEYS + 2;
        for (uint32_t p = 0; p < shape->parts; p++) {
            if (!part_fill(&frame->parts[p], shape, shape->first + f)) {
                base_batch_destroy(batch);
                return NULL;
            }
        }
    }
    return batch;
}
