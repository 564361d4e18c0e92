// Before TLS has begun: how many may be at it, and the workers that compute for them.
//
//     accepted -> enlisted -> bytes -+-> in line for a worker -> at work -> its outcome, on the loop -+-> delisted
//                    ^               |                                                                |
//                    |               +-- not TLS: delisted                                            |
//                    +---------------------- more has to come -----------------------------------------+
//
// A handshake costs a signature and a key exchange: up to milliseconds with RSA. So it is done on workers, at most
// HANDSHAKE_WORKERS at a time, which leaves workers to others; the loop only passes bytes. While a worker has a connection the
// socket is not read, and the connection's memory stays (handles_open).
//
// A peer that connects and says nothing costs a place for as long as net_limits.handshake_ms. Where there are
// too many, of one address or of all, the oldest goes: who means it is done in a few round trips.
#include "net/net_internal.h"

#include "base/log.h"

#include <stdlib.h>
#include <string.h>

enum {
    HANDSHAKE_COUNT_MAX = 512, // of all loops
    HANDSHAKE_ADDRESS_MAX = 64,
    HANDSHAKE_WORKERS = 2,
};

// ---------------------------------------------------------------------------------------------------------
// In the log

// The log itself bounds how often a kind of line is written.
void net_handshake_tell(struct net_conn *conn, const char *reason)
{
    conn->listener->stats.handshakes_failed++;
    base_log(BASE_LOG_INFO, "TLS did not begin with %s: %s", conn->peer, reason);
}

// ---------------------------------------------------------------------------------------------------------
// Who is at it

void net_handshake_delist(struct net_conn *conn)
{
    struct net_secure *secure = conn->secure;
    struct net_handshakes *handshakes = &conn->loop->handshakes;
    if (!secure || !secure->enlisted) {
        return;
    }
    secure->enlisted = false;
    handshakes->count--;
    if (secure->prev) {
        secure->prev->secure->next = secure->next;
    } else {
        handshakes->first = secure->next;
    }
    if (secure->next) {
        secure->next->secure->prev = secure->prev;
    } else {
        handshakes->last = secure->prev;
    }
}

// The one that goes for one more from this address; NULL where there is room.
static struct net_conn *one_too_many(const struct net_loop *loop, uint64_t origin)
{
    const struct net_handshakes *handshakes = &loop->handshakes;
    struct net_conn *oldest = NULL;
    uint32_t count = 0;
    for (struct net_conn *conn = handshakes->first; conn; conn = conn->secure->next) {
        if (conn->origin == origin) {
            oldest = oldest ? oldest : conn;
            count++;
        }
    }
    if (count >= HANDSHAKE_ADDRESS_MAX / loop->loops) {
        return oldest;
    }
    return handshakes->count >= HANDSHAKE_COUNT_MAX / loop->loops ? handshakes->first : NULL;
}

void net_handshake_enlist(struct net_conn *conn)
{
    struct net_handshakes *handshakes = &conn->loop->handshakes;
    struct net_secure *secure = conn->secure;
    struct net_conn *other = one_too_many(conn->loop, conn->origin);
    if (other) {
        net_handshake_tell(other, "others need its place");
        other->secure->owner->fail(other, NULL); // and is delisted there
    }
    secure->enlisted = true;
    handshakes->count++;
    secure->prev = handshakes->last;
    if (handshakes->last) {
        handshakes->last->secure->next = conn;
    } else {
        handshakes->first = conn;
    }
    handshakes->last = conn;
}

// ---------------------------------------------------------------------------------------------------------
// Work

static void next_work(struct net_handshakes *handshakes);

static void work(void *context)
{
    const struct net_conn *conn = context;
    struct net_secure *secure = conn->secure;
    secure->outcome =
        net_tls_shake(secure->side, secure->in, secure->in_size, &secure->in_used, &secure->out);
}

// It has been at work, or was not taken.
static void leave(struct net_conn *conn, bool done)
{
    struct net_secure *secure = conn->secure;
    secure->busy = false;
    if (conn->state != NET_CONN_CLOSING && done) {
        secure->on_work(conn);
    } else if (conn->state != NET_CONN_CLOSING) {
        secure->owner->fail(conn, "the server has no worker for it");
    }
    secure->owner->release(conn);
}

static void work_done(void *context)
{
    struct net_conn *conn = context;
    struct net_handshakes *handshakes = &conn->loop->handshakes;
    handshakes->working--;
    leave(conn, true);
    next_work(handshakes);
}

static void next_work(struct net_handshakes *handshakes)
{
    while (handshakes->work_first && handshakes->working < HANDSHAKE_WORKERS) {
        struct net_conn *conn = handshakes->work_first;
        handshakes->work_first = conn->secure->work_next;
        if (conn->state != NET_CONN_CLOSING && net_work(conn->loop, work, work_done, conn)) {
            handshakes->working++;
        } else {
            leave(conn, false);
        }
    }
}

bool net_handshake_work(struct net_conn *conn, const uint8_t *data, size_t size,
                        void (*on_work)(struct net_conn *conn))
{
    struct net_handshakes *handshakes = &conn->loop->handshakes;
    struct net_secure *secure = conn->secure;
    free(secure->in);
    secure->in = malloc(size > 0 ? size : 1);
    if (!secure->in) {
        return false;
    }
    if (size > 0) {
        memcpy(secure->in, data, size);
    }
    secure->in_size = size;
    secure->in_used = 0;
    secure->on_work = on_work;
    secure->busy = true;
    secure->work_next = NULL;
    conn->handles_open++;
    if (handshakes->work_first) {
        handshakes->work_last->secure->work_next = conn;
    } else {
        handshakes->work_first = conn;
    }
    handshakes->work_last = conn;
    next_work(handshakes);
    return true;
}
