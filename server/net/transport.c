// Bytes leave and enter here: plain, or through TLS.
//
//                 plain                            TLS
//     in          handed up as they came           opened, into the loop's scratch; handed up
//     out         libuv gets the outbox's buffers  sealed piece by piece: record record record | ... the next piece
//                                                  when the kernel has this one
//
// Plain costs nothing here. With TLS a write holds at most a piece of ciphertext beside the outbox's own buffers, however
// long it is; small buffers that follow each other share a record. A read gives at most NET_PLAIN_BYTES, whose opening counts
// to the connection's share of the turn like all that it costs.
//
// Bytes of OpenSSL's own (tickets, alerts, changes of keys) go out at once, in front of the next piece. A connection that makes it
// talk and does not read is closed.
#include "net/net_internal.h"

#include "base/assert.h"
#include "protocol/array/reserve.h"

#include <stdlib.h>
#include <string.h>

enum {
    TRANSPORT_PIECE_BYTES = 128 * 1024,
    TRANSPORT_TALK_BYTES = 64 * 1024, // unsent
};

struct sealed {
    uv_write_t uv;
    struct net_conn *conn;
    bool is_piece;
    uint8_t *bytes;
};

static const char no_memory[] = "the server has run out of memory";

// ---------------------------------------------------------------------------------------------------------
// Out

static int next_piece(struct net_conn *conn);

static void written(struct net_conn *conn, int status)
{
    struct net_secure *secure = conn->secure;
    uv_write_t *request = secure->request;
    secure->request = NULL;
    secure->on_written(request, status);
}

static void on_sealed_written(uv_write_t *uv, int status)
{
    struct sealed *sealed = uv->data;
    struct net_conn *conn = sealed->conn;
    const bool is_piece = sealed->is_piece;
    free(sealed->bytes);
    free(sealed);
    if (!is_piece) {
        return; // one that fails is told by the next that is read or written
    }
    conn->outbox.written_ms = uv_now(&conn->loop->uv);
    if (status == 0 && conn->state == NET_CONN_CLOSING) {
        status = UV_ECANCELED;
    }
    if (status == 0 && conn->secure->left > 0) {
        status = next_piece(conn);
        if (status == 0) {
            return;
        }
    }
    written(conn, status);
}

// Takes the bytes. There is a callback only where 0 is returned.
static int send_sealed(struct net_conn *conn, struct net_tls_bytes *bytes, bool is_piece)
{
    struct net_tls_bytes mine = *bytes;
    *bytes = (struct net_tls_bytes){0};
    if (mine.size == 0) {
        free(mine.data);
        return 0;
    }
    struct sealed *sealed = malloc(sizeof *sealed);
    if (!sealed) {
        free(mine.data);
        return UV_ENOMEM;
    }
    *sealed = (struct sealed){.conn = conn, .is_piece = is_piece, .bytes = mine.data};
    sealed->uv.data = sealed;
    uv_buf_t buffer = uv_buf_init((char *)mine.data, (unsigned)mine.size);
    int status = uv_write(&sealed->uv, (uv_stream_t *)&conn->tcp, &buffer, 1, on_sealed_written);
    if (status) {
        free(mine.data);
        free(sealed);
    }
    return status;
}

// Sends what TLS has to say by itself. False if the connection is closing.
static bool talk(struct net_conn *conn, struct net_tls_bytes *out)
{
    const char *reason = NULL;
    const size_t queue = uv_stream_get_write_queue_size((uv_stream_t *)&conn->tcp);
    const size_t most = TRANSPORT_TALK_BYTES + (conn->secure->request ? 2 * TRANSPORT_PIECE_BYTES : 0);
    if (out->size > 0 && queue + out->size > most) {
        free(out->data);
        *out = (struct net_tls_bytes){0};
        reason = "the peer does not read what it asks for";
    } else {
        int status = send_sealed(conn, out, false);
        reason = status ? uv_strerror(status) : NULL;
    }
    if (reason) {
        conn->secure->owner->fail(conn, reason);
    }
    return conn->state != NET_CONN_CLOSING;
}

// The next record: out of one buffer where that fills it, else out of several, one behind the other.
static bool next_record(struct net_conn *conn, struct net_tls_bytes *out)
{
    struct net_secure *secure = conn->secure;
    uint8_t *gathered = conn->loop->gathered;
    size_t size = 0;
    while (size < NET_TLS_RECORD_BYTES && secure->iov_at < secure->iov_count) {
        const uv_buf_t *buffer = &secure->iov[secure->iov_at];
        const char *from = buffer->base + secure->iov_offset;
        size_t left = buffer->len - secure->iov_offset;
        if (size == 0 && left >= NET_TLS_RECORD_BYTES) {
            secure->iov_offset += NET_TLS_RECORD_BYTES;
            secure->left -= NET_TLS_RECORD_BYTES;
            return net_tls_seal(secure->side, from, NET_TLS_RECORD_BYTES, out);
        }
        size_t room = NET_TLS_RECORD_BYTES - size;
        size_t step = left < room ? left : room;
        memcpy(gathered + size, from, step);
        size += step;
        secure->iov_offset += step;
        secure->left -= step;
        if (step == left) {
            secure->iov_at++;
            secure->iov_offset = 0;
        }
    }
    return size == 0 || net_tls_seal(secure->side, gathered, size, out);
}

static int next_piece(struct net_conn *conn)
{
    struct net_secure *secure = conn->secure;
    struct net_tls_bytes out = {0};
    const size_t piece = secure->left < TRANSPORT_PIECE_BYTES ? secure->left : TRANSPORT_PIECE_BYTES;
    if (!net_tls_reserve(&out, piece)) {
        return UV_ENOMEM;
    }
    const size_t rest = secure->left - piece;
    while (secure->left > rest) {
        if (!next_record(conn, &out)) {
            free(out.data);
            return UV_EPROTO;
        }
    }
    return out.size > 0 ? send_sealed(conn, &out, true) : UV_EINVAL;
}

size_t net_transport_try(struct net_conn *conn, const uv_buf_t *buffers, unsigned count)
{
    if (conn->secure) {
        return 0;
    }
    int taken = uv_try_write((uv_stream_t *)&conn->tcp, buffers, count);
    return taken > 0 ? (size_t)taken : 0; // why it takes none, the write that follows says
}

int net_transport_write(struct net_conn *conn, uv_write_t *request, const uv_buf_t *buffers, unsigned count,
                        uv_write_cb on_written)
{
    struct net_secure *secure = conn->secure;
    uv_stream_t *stream = (uv_stream_t *)&conn->tcp;
    if (!secure) {
        BASE_ASSERT(uv_stream_get_write_queue_size(stream) == 0);
        return uv_write(request, stream, buffers, count, on_written);
    }
    BASE_ASSERT(!secure->request);
    if (!array_reserve(&secure->iov, &secure->iov_capacity, count)) {
        return UV_ENOMEM;
    }
    memcpy(secure->iov, buffers, count * sizeof *buffers);
    secure->iov_count = count;
    secure->iov_at = secure->iov_offset = secure->left = 0;
    for (unsigned i = 0; i < count; i++) {
        secure->left += buffers[i].len;
    }
    int status = next_piece(conn);
    if (status == 0) {
        secure->request = request;
        secure->on_written = on_written;
    }
    return status;
}

void net_transport_say_last(struct net_conn *conn, const uv_buf_t *buffers, unsigned count)
{
    struct net_secure *secure = conn->secure;
    struct net_tls_bytes out = {0};
    if (!secure) {
        if (count > 0) {
            uv_try_write((uv_stream_t *)&conn->tcp, buffers, count);
        }
        return;
    }
    if (secure->request || secure->busy) {
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        for (size_t at = 0; at < buffers[i].len; at += NET_TLS_RECORD_BYTES) {
            size_t left = buffers[i].len - at;
            if (!net_tls_seal(secure->side, buffers[i].base + at,
                              left < NET_TLS_RECORD_BYTES ? left : NET_TLS_RECORD_BYTES, &out)) {
                goto cleanup;
            }
        }
    }
    net_tls_seal_end(secure->side, &out);
    if (out.size > 0) {
        uv_buf_t sealed = uv_buf_init((char *)out.data, (unsigned)out.size);
        uv_try_write((uv_stream_t *)&conn->tcp, &sealed, 1);
    }

cleanup:
    free(out.data);
}

int net_transport_shutdown(struct net_conn *conn, uv_shutdown_t *request, uv_shutdown_cb on_shutdown)
{
    if (conn->secure) {
        struct net_tls_bytes out = {0};
        net_tls_seal_end(conn->secure->side, &out);
        int status = send_sealed(conn, &out, false);
        if (status) {
            return status;
        }
    }
    return uv_shutdown(request, (uv_stream_t *)&conn->tcp, on_shutdown); // behind all that is being written
}

// ---------------------------------------------------------------------------------------------------------
// In

static void take_open(struct net_conn *conn, const uint8_t *data, size_t size)
{
    struct net_secure *secure = conn->secure;
    struct net_tls_bytes out = {0};
    size_t plain_size = 0;
    net_share_begin(conn);
    enum net_tls_outcome outcome =
        net_tls_open(secure->side, data, size, conn->loop->plain, NET_PLAIN_BYTES, &plain_size, &out);
    net_share_end(conn);
    if (!talk(conn, &out)) {
        return;
    }
    // Everything that was whole before it went wrong is handed up: it came from the peer, in its order.
    if (plain_size > 0 && conn->state == NET_CONN_OPEN) {
        secure->owner->received(conn, conn->loop->plain, plain_size);
    }
    if (outcome == NET_TLS_FAILED && conn->state != NET_CONN_CLOSING) {
        conn->distrusted = true;
        secure->owner->fail(conn, net_tls_reason(secure->side));
    } else if (outcome == NET_TLS_ENDED && conn->state < NET_CONN_CLOSING && !conn->peer_ended) {
        secure->owner->ended(conn);
    }
}

static void on_shaken(struct net_conn *conn)
{
    struct net_secure *secure = conn->secure;
    uint8_t *in = secure->in;
    size_t used = secure->in_used;
    size_t size = secure->in_size;
    if (!talk(conn, &secure->out)) {
        return;
    }
    if (secure->outcome == NET_TLS_FAILED) {
        conn->distrusted = true;
        net_handshake_delist(conn);
        net_handshake_tell(conn, net_tls_reason(secure->side));
        secure->owner->refused(conn);
    } else if (secure->outcome == NET_TLS_DONE) {
        net_handshake_delist(conn);
        secure->owner->shaken(conn);
        secure->in = NULL;
        if (conn->state == NET_CONN_OPEN) {
            take_open(conn, in + used, size - used); // also what is in the pair already
        }
        free(in);
    }
    if (conn->state != NET_CONN_CLOSING) {
        secure->owner->settle(conn);
    }
}

static void drop_secure(struct net_conn *conn)
{
    struct net_secure *secure = conn->secure;
    net_handshake_delist(conn);
    conn->secure = NULL;
    BASE_ASSERT(!secure->busy && !secure->request);
    net_tls_side_destroy(secure->side);
    free(secure->in);
    free(secure->out.data);
    free(secure->iov);
    free(secure);
}

void net_transport_take(struct net_conn *conn, const uint8_t *data, size_t size)
{
    struct net_secure *secure = conn->secure;
    if (conn->state != NET_CONN_SHAKING) {
        take_open(conn, data, size);
        return;
    }
    if (!secure->began && data[0] != NET_TLS_FIRST_BYTE) {
        const struct net_transport_owner *owner = secure->owner;
        net_handshake_tell(conn, "the peer does not speak it");
        drop_secure(conn);
        owner->insecure(conn);
        return;
    }
    secure->began = true;
    if (!net_handshake_work(conn, data, size, on_shaken)) {
        secure->owner->fail(conn, no_memory);
        return;
    }
    secure->owner->settle(conn);
}

// ---------------------------------------------------------------------------------------------------------
// Life

bool net_transport_secure(struct net_conn *conn, const struct net_transport_owner *owner,
                          const char *protocol, const char *name)
{
    const struct net_tls *tls = conn->listener->limits.tls;
    struct net_loop *loop = conn->loop;
    if (!loop->plain) {
        loop->plain = malloc(NET_PLAIN_BYTES);
    }
    if (!loop->gathered) {
        loop->gathered = malloc(NET_TLS_RECORD_BYTES);
    }
    struct net_secure *secure = loop->plain && loop->gathered ? calloc(1, sizeof *secure) : NULL;
    if (!secure) {
        return false;
    }
    secure->owner = owner;
    secure->side = name ? net_tls_side_dial(tls, protocol, name) : net_tls_side_create(tls, protocol);
    if (!secure->side) {
        free(secure);
        return false;
    }
    conn->secure = secure;
    secure->began = name != NULL;
    if (!name) { // of those that are dialed there are as many as whoever dials wants
        net_handshake_enlist(conn);
    }
    return true;
}

void net_transport_begin(struct net_conn *conn)
{
    if (!net_handshake_work(conn, NULL, 0, on_shaken)) {
        conn->secure->owner->fail(conn, no_memory);
    }
}

void net_transport_deinit(struct net_conn *conn)
{
    if (conn->secure) {
        drop_secure(conn);
    }
}
