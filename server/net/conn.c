// A connection's life, its reading side, and the messages that it reads.
//
//   (SHAKING, where TLS has to begin first)
//       |
//     OPEN --- end of the peer's stream ---> ENDED
//       |                                     |
//       +----------- net_conn_finish ---------+--> FINISHING --- all is sent, or 2 s have passed --+
//       |                                                                                         v
//       +----------- net_conn_cut, or the socket fails (from any state) --------------------> CLOSING
//
// CLOSING ends in the close callbacks of the two uv handles; there, and nowhere else, on_closed is called and
// the memory is freed. So nothing here becomes invalid while a caller, or a handler that was called from
// here, is still at work: after each call of a handler only `state` has to be looked at again.
//
// Finishing is done in the order that lets the peer read our last words: send, shut our side down, then throw
// away what still comes until the peer ends too. Closing with bytes unread would make the kernel send a
// reset, which destroys what the peer has not read yet.
//
// Reading:
//
//     socket -> loop's read buffer -> framing -> scan -+-> whole message within it: copied out, handed up
//                                                      +-> its end is missing: appended to `partial`
//                                                      +-> held meanwhile: the rest is copied to `kept`
//
// `partial` grows with what has arrived, never with what a header claims. The memory of partial and kept is
// charged to the loop; the limit bounds the sum over all connections. Who goes when it is passed is who holds most, not
// who came last: of those first that fell behind with their message.
//
// A socket is read once in a turn of the loop; what is handed up of it at once, and what waits in `kept`, share.c says.
#include "net/net_internal.h"

#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MESSAGE_PARTIAL_MIN = 4096,
    MESSAGE_SLACK_MAX = 4096, // unused bytes that a message may keep
};

static const char no_memory[] = "the server has run out of memory";

static void conn_on_timer(uv_timer_t *timer);
static void conn_on_read(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buffer);

// ---------------------------------------------------------------------------------------------------------
// Death

static void conn_charge(struct net_conn *conn, size_t bytes)
{
    conn->loop->unfinished += bytes;
    conn->loop->unfinished -= conn->charged;
    conn->charged = bytes;
}

static void conn_drop_received(struct net_conn *conn)
{
    free(conn->partial);
    free(conn->kept);
    conn->partial = NULL;
    conn->kept = NULL;
    conn->partial_size = conn->partial_capacity = 0;
    conn->kept_at = conn->kept_size = 0;
    conn->due_ms = 0;
    net_share_leave(conn);
    conn_charge(conn, 0);
}

void net_conn_release(struct net_conn *conn)
{
    conn->handles_open--;
    if (conn->handles_open > 0) {
        return;
    }
    struct net_listener *listener = conn->listener;
    if (conn->accepted) {
        listener->stats.open--;
        conn->handler->on_closed(conn->context, conn, conn->reason[0] ? conn->reason : "closed");
    }
    if (conn->prev) {
        conn->prev->next = conn->next;
    } else {
        conn->loop->conns = conn->next;
    }
    if (conn->next) {
        conn->next->prev = conn->prev;
    }
    net_outbox_deinit(&conn->outbox);
    atomic_fetch_sub_explicit(&conn->loop->connections, 1, memory_order_relaxed);
    if (conn->begun && listener->service->gone) {
        listener->service->gone(conn);
    }
    net_transport_deinit(conn);
    free(conn);
    net_owned_unuse(&listener->owned);
}

static void conn_on_handle_closed(uv_handle_t *handle)
{
    net_conn_release(handle->data);
}

void net_conn_set_reason(struct net_conn *conn, const char *reason)
{
    if (conn->reason[0] == 0 && reason) {
        snprintf(conn->reason, sizeof conn->reason, "%s", reason);
    }
}

void net_conn_close(struct net_conn *conn, const char *reason)
{
    if (conn->state == NET_CONN_CLOSING) {
        return;
    }
    conn->state = NET_CONN_CLOSING;
    net_conn_set_reason(conn, reason);
    conn_drop_received(conn);
    net_outbox_shut(&conn->outbox);
    net_handshake_delist(conn);
    uv_close((uv_handle_t *)&conn->tcp, conn_on_handle_closed);
    uv_close((uv_handle_t *)&conn->timer, conn_on_handle_closed);
}

void net_near_cut(struct net_conn *conn, enum net_end end, const char *reason)
{
    if (conn->state < NET_CONN_FINISHING && conn->begun && !conn->outbox.writing) {
        conn->end = end;
        net_conn_set_reason(conn, reason);
        uint8_t words[NET_ASIDE_MAX];
        size_t size = conn->framing->farewell ? conn->framing->farewell(conn, words) : 0;
        uv_buf_t buffer = uv_buf_init((char *)words, (unsigned)size);
        net_transport_say_last(conn, &buffer, size > 0 ? 1 : 0); // all of it, or the peer has to guess
    }
    net_conn_close(conn, reason);
}

// ---------------------------------------------------------------------------------------------------------
// The end in good order

void net_conn_timer_start(struct net_conn *conn, uint64_t delay_ms)
{
    int status = uv_timer_start(&conn->timer, conn_on_timer, delay_ms, 0);
    BASE_ASSERT(status == 0); // it fails only on a closing handle
}

static void conn_on_shutdown(uv_shutdown_t *request, int status)
{
    struct net_conn *conn = request->data;
    if (conn->state == NET_CONN_CLOSING) {
        return;
    }
    conn->shutdown_done = true;
    if (status || conn->peer_ended) {
        net_conn_close(conn, NULL);
        return;
    }
    uint64_t now = uv_now(&conn->loop->uv);
    uint64_t left = conn->finish_deadline_ms > now ? conn->finish_deadline_ms - now : 0;
    net_conn_timer_start(conn, left < NET_PART_MS ? left : NET_PART_MS);
}

// A control queue ran empty, or the peer ended: a finishing connection may go on to its end.
static void finish_check(struct net_conn *conn)
{
    if (conn->state != NET_CONN_FINISHING || conn->lingering || !net_outbox_empty(&conn->outbox)) {
        return;
    }
    if (conn->framing->farewell && !conn->farewell_begun) {
        net_outbox_kick(conn); // and once more, when that is written
        return;
    }
    if (!conn->shutdown_begun) {
        conn->shutdown_begun = true;
        net_outbox_end(&conn->outbox);
        conn->shutdown.data = conn;
        if (net_transport_shutdown(conn, &conn->shutdown, conn_on_shutdown)) {
            net_conn_close(conn, NULL);
        }
    }
}

static void conn_finish(struct net_conn *conn, enum net_end end, const char *reason, uint64_t linger_ms,
                        uint64_t grace_ms)
{
    if (conn->state >= NET_CONN_FINISHING) {
        return;
    }
    conn->state = NET_CONN_FINISHING;
    conn->end = end;
    net_conn_set_reason(conn, reason);
    conn_drop_received(conn);
    net_outbox_drop_streams(&conn->outbox);
    uv_update_time(&conn->loop->uv);
    conn->finish_deadline_ms = uv_now(&conn->loop->uv) + grace_ms;
    conn->lingering = linger_ms > 0;
    net_conn_timer_start(conn, linger_ms ? linger_ms : grace_ms);
    net_conn_read_update(conn);
    net_outbox_kick(conn);
    finish_check(conn);
}

void net_near_finish(struct net_conn *conn, enum net_end end, const char *reason)
{
    if (conn->lingering) {
        // Its owner expects no more replies.
        conn->lingering = false;
        net_conn_timer_start(conn, NET_FINISH_MS);
        finish_check(conn);
    }
    conn_finish(conn, end, reason, 0, NET_FINISH_MS);
}

// As much as the kernel takes.
static void say_at_once(struct net_conn *conn, const struct base_buffer *bytes)
{
    uint8_t head[NET_FRAMING_HEAD_MAX];
    size_t head_size = conn->framing->head ? conn->framing->head(head, bytes->size) : 0;
    uv_buf_t buffers[2] = {uv_buf_init((char *)head, (unsigned)head_size),
                           uv_buf_init((char *)bytes->data, (unsigned)bytes->size)};
    net_transport_say_last(conn, buffers, 2);
}

void net_near_dismiss(struct net_conn *conn, enum net_end end, const char *reason, struct base_buffer *words,
                      uint32_t grace_ms)
{
    if (conn->state >= NET_CONN_FINISHING) {
        return;
    }
    net_outbox_drop_control(&conn->outbox);
    net_outbox_drop_streams(&conn->outbox);
    if (grace_ms == 0) {
        if (words && !conn->outbox.writing) {
            say_at_once(conn, words);
        }
        net_near_cut(conn, end, reason);
        return;
    }
    if (words) {
        net_near_send(conn, words);
    }
    conn_finish(conn, end, reason, 0, grace_ms);
}

void net_near_tell(struct net_conn *conn, const struct base_buffer *bytes)
{
    if (conn->framing == &net_framing_messages) { // HTTP says it with a status
        say_at_once(conn, bytes);
    }
}

void net_conn_ended(struct net_conn *conn)
{
    if (conn->state == NET_CONN_OPEN && conn->kept) {
        conn->end_waits = true; // TLS may say so right behind what is kept
        return;
    }
    conn->peer_ended = true;
    if (conn->state == NET_CONN_SHAKING) {
        net_handshake_tell(conn, "the peer left before it began");
        net_conn_close(conn, "the peer left before TLS began");
        return;
    }
    if (conn->state == NET_CONN_FINISHING) {
        net_conn_read_update(conn);
        if (conn->shutdown_done) {
            net_conn_close(conn, NULL);
        }
        return;
    }
    net_conn_set_reason(conn, conn->partial_size > 0 ? "the peer left in the middle of a message"
                                                     : "the peer left");
    conn_drop_received(conn);
    conn->state = NET_CONN_ENDED;
    net_conn_read_update(conn);
    if (conn->handler->on_end) {
        conn->handler->on_end(conn->context, conn);
    } else {
        conn_finish(conn, NET_END_NORMAL, NULL, NET_LINGER_MS, NET_FINISH_MS);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Bytes that are not taken

// Whoever has it in another thread has to say its last words before it finishes: until then nothing is taken of it.
static void conn_ignore(struct net_conn *conn)
{
    conn->held = conn->ignored = true;
    conn_drop_received(conn);
    net_conn_read_update(conn);
}

void net_conn_bad(struct net_conn *conn, enum protocol_scan_status status)
{
    conn->handler->on_bad_stream(conn->context, conn, status);
    if (conn->far) {
        conn_ignore(conn);
    } else {
        net_near_finish(conn, net_bad_end(status), NET_BAD_TEXT);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Messages out of bytes: on TCP one right after the other; a WebSocket's payload comes through here as well. Nothing is
// unpacked before the scanner has seen the whole of it, and found it within its bounds.

// Nothing of the next message has been looked at.
void net_near_trust(struct net_conn *conn)
{
    conn->trusted = true;
    conn->scan.limits.bytes = conn->listener->limits.message.bytes;
}

static bool append(struct net_conn *conn, const uint8_t *data, size_t size)
{
    size_t needed = conn->partial_size + size;
    if (needed > conn->partial_capacity) {
        // Memory that is not used is held and charged as well, so this asks for little more than is needed.
        size_t capacity = conn->partial_size + conn->partial_size / 4;
        size_t most = conn->listener->limits.message.bytes; // more would be for nothing
        capacity = capacity > most ? most : capacity;
        capacity = capacity < needed ? needed : capacity;
        capacity = capacity < MESSAGE_PARTIAL_MIN ? MESSAGE_PARTIAL_MIN : capacity;
        uint8_t *bytes = realloc(conn->partial, capacity);
        if (!bytes) {
            return false;
        }
        conn->partial = bytes;
        conn->partial_capacity = capacity;
    }
    if (size > 0) {
        memcpy(conn->partial + conn->partial_size, data, size);
    }
    conn->partial_size = needed;
    return true;
}

// The message that ends with these bytes, as one allocation of its own. NULL without memory.
static uint8_t *take_whole(struct net_conn *conn, const uint8_t *data, size_t size, size_t *total)
{
    uint8_t *bytes;
    if (conn->partial_size == 0) {
        bytes = malloc(size);
        if (bytes) {
            memcpy(bytes, data, size);
        }
        *total = size;
        return bytes;
    }
    if (!append(conn, data, size)) {
        return NULL;
    }
    bytes = conn->partial;
    *total = conn->partial_size;
    if (conn->partial_capacity - conn->partial_size > MESSAGE_SLACK_MAX) {
        uint8_t *shrunk = realloc(bytes, conn->partial_size);
        bytes = shrunk ? shrunk : bytes;
    }
    conn->partial = NULL;
    conn->partial_size = conn->partial_capacity = 0;
    return bytes;
}

bool net_message_keep(struct net_conn *conn, const uint8_t *data, size_t size)
{
    if (append(conn, data, size)) {
        return true;
    }
    net_conn_close(conn, no_memory);
    return false;
}

enum protocol_scan_status net_message_scan(struct net_conn *conn, const uint8_t *data, size_t size,
                                           size_t *consumed)
{
    enum protocol_scan_status status = protocol_scan_feed(&conn->scan, data, size, consumed);
    if (status == PROTOCOL_SCAN_MORE) {
        net_message_keep(conn, data, *consumed);
    }
    return status;
}

void net_message_hand_up(struct net_conn *conn, const uint8_t *data, size_t size)
{
    size_t total;
    uint8_t *bytes = take_whole(conn, data, size, &total);
    if (!bytes) {
        net_conn_close(conn, no_memory);
        return;
    }
    net_message_begin(conn);
    conn->due_ms = 0; // the next one has a time of its own
    conn->handler->on_message(conn->context, conn, bytes, total);
}

static size_t messages_take(struct net_conn *conn, const uint8_t *data, size_t size)
{
    size_t consumed = 0;
    enum protocol_scan_status status = net_message_scan(conn, data, size, &consumed);
    if (status == PROTOCOL_SCAN_DONE) {
        net_message_hand_up(conn, data, consumed);
    } else if (status != PROTOCOL_SCAN_MORE) {
        net_conn_bad(conn, status);
    }
    return consumed;
}

const struct net_framing net_framing_messages = {.take = messages_take};

// ---------------------------------------------------------------------------------------------------------
// Reading

// Hands up the messages that are whole, until the connection is held or no longer open, or has had its share. Returns
// the bytes used: all of them, where nothing of that happened.
static size_t conn_deliver(struct net_conn *conn, const uint8_t *data, size_t size)
{
    size_t at = 0;
    conn->delivering = true;
    net_share_begin(conn);
    while (at < size && conn->state == NET_CONN_OPEN && !conn->held && net_share_goes_on(conn)) {
        at += conn->framing->take(conn, data + at, size - at);
    }
    net_share_end(conn);
    conn->delivering = false;
    return at;
}

static uint64_t message_ms(const struct net_conn *conn)
{
    uint32_t given = conn->listener->limits.message_ms;
    return given > 0 ? given : NET_MESSAGE_MS;
}

// Bytes buy time, but never more than there was at the start: who was fast and stops falls behind at once.
static void conn_due_update(struct net_conn *conn, size_t came)
{
    if (conn->partial_size == 0) {
        conn->due_ms = 0;
        return;
    }
    uint64_t most_ms = uv_now(&conn->loop->uv) + message_ms(conn);
    uint64_t due_ms = conn->due_ms == 0 ? most_ms : conn->due_ms + came / NET_MESSAGE_BYTES_MS;
    conn->due_ms = due_ms < most_ms ? due_ms : most_ms;
}

bool net_near_is_over(const struct net_conn *conn)
{
    return conn->state >= NET_CONN_FINISHING;
}

bool net_near_has_begun(const struct net_conn *conn)
{
    return conn->due_ms != 0;
}

bool net_near_overdue(const struct net_conn *conn)
{
    return conn->due_ms != 0 && conn->reading && uv_now(&conn->loop->uv) > conn->due_ms;
}

// Counts bytes that are held, also those that were handed up to another thread which has not taken them yet.
static uint64_t held_bytes(struct net_loop *loop)
{
    return loop->unfinished + atomic_load_explicit(&loop->handed, memory_order_relaxed);
}

static bool conn_is_behind(const struct net_conn *conn)
{
    uint64_t most_ms = uv_now(&conn->loop->uv) + message_ms(conn);
    return conn->due_ms != 0 && conn->reading && conn->due_ms + NET_BEHIND_MS < most_ms;
}

// The connection that has to end so that others have room.
static struct net_conn *conn_fullest(const struct net_loop *loop)
{
    struct net_conn *found = NULL;
    bool found_behind = false;
    for (struct net_conn *conn = loop->conns; conn; conn = conn->next) {
        bool behind = conn_is_behind(conn);
        if (conn->charged > 0 && (!found || (behind && !found_behind) ||
                                  (behind == found_behind && conn->charged > found->charged))) {
            found = conn;
            found_behind = behind;
        }
    }
    return found;
}

static void conn_relieve(struct net_loop *loop, uint64_t limit)
{
    struct net_conn *conn;
    while (held_bytes(loop) > limit && (conn = conn_fullest(loop))) {
        if (conn->handler->on_overfull) {
            conn->handler->on_overfull(conn->context, conn);
        }
        if (conn->far) {
            conn_ignore(conn);
            continue;
        }
        net_near_finish(conn, NET_END_TOO_LARGE, NET_OVERFULL_TEXT);
        if (conn->charged > 0) {
            net_conn_close(conn, NULL);
        }
    }
}

// After bytes were taken: charge what is left over, go on or stop reading, and send what was answered.
static void conn_settle(struct net_conn *conn)
{
    if (conn->state == NET_CONN_OPEN) {
        conn_charge(conn, conn->partial_capacity + conn->kept_size);
        conn_relieve(conn->loop, conn->listener->limits.receive_bytes);
    }
    if (conn->state == NET_CONN_OPEN && conn->kept && !conn->held) {
        net_share_wait(conn);
    }
    net_conn_read_update(conn);
    net_conn_mirror(conn);
    net_outbox_kick(conn);
    finish_check(conn);
}

void net_conn_received(struct net_conn *conn, const uint8_t *data, size_t size)
{
    size_t used = net_share_direct(conn) ? conn_deliver(conn, data, size) : 0;
    if (used < size && conn->state == NET_CONN_OPEN && !conn->ignored) {
        conn->kept = malloc(size - used);
        if (conn->kept) {
            memcpy(conn->kept, data + used, size - used);
            conn->kept_at = 0;
            conn->kept_size = size - used;
        } else {
            net_conn_close(conn, no_memory);
        }
    }
    conn_due_update(conn, size);
    conn_settle(conn);
}

// Its turn in the line.
static void conn_take_kept(struct net_conn *conn)
{
    if (conn->state != NET_CONN_OPEN || conn->held || !conn->kept) {
        return;
    }
    // Out of the connection's hands meanwhile: a handler may finish or cut it.
    uint8_t *bytes = conn->kept;
    size_t at = conn->kept_at;
    size_t size = conn->kept_size;
    conn->kept = NULL;
    conn->kept_at = conn->kept_size = 0;
    at += conn_deliver(conn, bytes + at, size - at);
    if (at < size && conn->state == NET_CONN_OPEN && !conn->ignored) {
        conn->kept = bytes;
        conn->kept_at = at;
        conn->kept_size = size;
    } else {
        free(bytes);
    }
    conn_due_update(conn, 0);
    conn_settle(conn);
    if (conn->end_waits && !conn->kept && conn->state < NET_CONN_FINISHING) {
        conn->end_waits = false;
        net_conn_ended(conn);
    }
}

static void conn_on_timer(uv_timer_t *timer)
{
    struct net_conn *conn = timer->data;
    if (conn->state == NET_CONN_FINISHING && conn->lingering) {
        conn->lingering = false;
        net_conn_timer_start(conn, NET_FINISH_MS - NET_LINGER_MS);
        finish_check(conn);
    } else if (conn->state == NET_CONN_FINISHING) {
        net_conn_close(conn, NULL);
    } else if (conn->state == NET_CONN_SHAKING) {
        net_handshake_tell(conn, "it took too long to begin");
        net_conn_close(conn, "TLS took too long to begin");
    }
}

static void conn_on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer)
{
    (void)suggested;
    struct net_conn *conn = handle->data;
    bool again = conn->share.read_turn == conn->loop->turns.number;
    conn->share.read_turn = conn->loop->turns.number;
    // No buffer: libuv asks again in the next turn.
    *buffer = uv_buf_init((char *)conn->loop->read_buffer, again ? 0 : NET_READ_BYTES);
}

static void conn_on_read(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buffer)
{
    struct net_conn *conn = stream->data;
    if (nread == 0 || nread == UV_ENOBUFS) {
        return;
    }
    if (nread == UV_EOF) {
        net_conn_ended(conn);
        return;
    }
    if (nread < 0) {
        net_conn_close(conn, uv_strerror((int)nread));
        return;
    }
    conn->listener->stats.bytes_in += (uint64_t)nread;
    conn->alive_ms = uv_now(&conn->loop->uv);
    net_conn_mirror(conn);
    if (conn->secure && conn->state < NET_CONN_FINISHING) {
        net_transport_take(conn, (const uint8_t *)buffer->base, (size_t)nread);
    } else if (conn->state == NET_CONN_OPEN) {
        net_conn_received(conn, (const uint8_t *)buffer->base, (size_t)nread);
    }
}

void net_conn_read_update(struct net_conn *conn)
{
    bool wanted = !conn->peer_ended && ((conn->state == NET_CONN_OPEN && !conn->held && !conn->kept) ||
                                        (conn->state == NET_CONN_SHAKING && !conn->secure->busy) ||
                                        conn->state == NET_CONN_FINISHING);
    if (conn->state == NET_CONN_CLOSING || wanted == conn->reading) {
        return;
    }
    conn->reading = wanted;
    net_conn_mirror(conn);
    if (!wanted) {
        uv_read_stop((uv_stream_t *)&conn->tcp);
        return;
    }
    int status = uv_read_start((uv_stream_t *)&conn->tcp, conn_on_alloc, conn_on_read);
    if (status) {
        net_conn_close(conn, uv_strerror(status));
    }
}

void net_near_hold(struct net_conn *conn, bool hold)
{
    if (conn->ignored) {
        return;
    }
    if (conn->held == hold || conn->state != NET_CONN_OPEN) {
        conn->held = hold;
        return;
    }
    conn->held = hold;
    if (conn->delivering) {
        return; // the loop there looks at it
    }
    if (!hold) {
        conn->due_ms = conn->due_ms == 0 ? 0 : uv_now(&conn->loop->uv) + message_ms(conn);
        if (conn->kept) {
            net_share_wait(conn); // from the loop, so that a handler is never entered from a call into net
        }
    }
    net_conn_read_update(conn);
}

// ---------------------------------------------------------------------------------------------------------
// Birth (accept.c)

static const struct net_outbox_owner outbox_owner = {.fail = net_conn_close, .written = finish_check};

struct net_conn *net_conn_create(struct net_listener *listener)
{
    struct net_loop *loop = listener->owned.loop;
    struct net_conn *conn = calloc(1, sizeof *conn);
    if (!conn || uv_tcp_init(&loop->uv, &conn->tcp)) {
        free(conn);
        return NULL;
    }
    loop->turns.serve = conn_take_kept;
    atomic_fetch_add_explicit(&loop->connections, 1, memory_order_relaxed);
    uv_timer_init(&loop->uv, &conn->timer);
    conn->tcp.data = conn;
    conn->timer.data = conn;
    conn->handles_open = 2;
    conn->loop = loop;
    conn->listener = listener;
    conn->state = NET_CONN_OPEN;
    listener->owned.users++;
    conn->next = loop->conns;
    if (conn->next) {
        conn->next->prev = conn;
    }
    loop->conns = conn;
    conn->handler = &listener->handler;
    net_message_begin(conn);
    net_outbox_init(&conn->outbox, &outbox_owner);
    return conn;
}

// ---------------------------------------------------------------------------------------------------------
// What others may know of it

void net_near_peer(const struct net_conn *conn, char *out, size_t size)
{
    snprintf(out, size, "%s", conn->peer);
}

uint64_t net_near_origin(const struct net_conn *conn, bool *loopback)
{
    *loopback = conn->loopback;
    return conn->origin;
}

uint64_t net_near_quiet_ms(const struct net_conn *conn)
{
    uint64_t now_ms = uv_now(&conn->loop->uv);
    uint64_t moved_ms = conn->alive_ms > conn->outbox.written_ms ? conn->alive_ms : conn->outbox.written_ms;
    return now_ms > moved_ms ? now_ms - moved_ms : 0;
}

enum net_peer net_near_look(const struct net_conn *conn)
{
    int fd = -1;
    enum net_peer peer = NET_PEER_THERE;
    if (uv_fileno((const uv_handle_t *)&conn->tcp, &fd) == 0) {
        peer = net_address_look(fd);
    }
    return peer == NET_PEER_THERE && conn->peer_ended ? NET_PEER_ENDED : peer;
}
