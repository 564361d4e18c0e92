// Connections whose socket is with another loop than their owner.
//
//     home: the loop whose thread calls net.h           a lane: a loop beside it, with a thread of its own
//
//     net_far  ◀── messages, a ring for each ────────── net_conn: socket, TLS, framing, scanner
//        │     ◀── what happened: flags ──────────────     │
//        │     ─── what is to be done: flags ─────────▶    │
//        └──────── the outbox, under a mutex ──────────────┘
//
// To its owner a net_far is the net_conn. Messages come in a ring of its own: while that is full, or holds NET_FAR_BYTES, the
// connection is not read, and the others of the loop are. Everything else that either side tells is a flag or a figure, set
// under `mutex`, so that nothing has to be queued; each side has a list of those that have news, in which one stands at most
// once (crew.h). What is to be sent goes into the connection's own outbox: which batch takes whose place is decided there at
// once, by what is being written, wherever that happens. No thread waits for another but for that mutex, under which nothing is
// sealed, written or called.
//
// Life: the lane makes it when a connection is about to be a session's, and forgets it with the connection; home is told that
// last, and forgets it then. Who holds it counts in refs: both sides, and the lists.
#ifndef WEFT_NET_FAR_H
#define WEFT_NET_FAR_H

#include "net/net_internal.h"

#include "base/ring.h"
#include "base/thread.h"

enum {
    NET_FAR_MESSAGES = 32,
    NET_FAR_BYTES = 256 * 1024,
};

struct net_far_message {
    uint8_t *bytes;
    size_t size;
};

// Orders for the lane.
struct net_far_orders {
    bool admit, refuse; // the owner has decided
    bool trust;
    bool go_on; // its messages are taken
    bool finish, dismiss, cut;
    enum net_end end, cut_end;
    uint32_t grace_ms;
    struct base_buffer *words; // of refuse or dismiss; NULL: none
    char reason[NET_REASON_MAX], cut_reason[NET_REASON_MAX];
};

// News for home.
struct net_far_news {
    bool waits; // for go_on
    bool drained, moving;
    bool bad, overfull, ended, closed;
    enum protocol_scan_status bad_status;
    char reason[NET_REASON_MAX]; // of closed
};

struct net_far {
    struct net_face face; // the first
    struct net_lane *lane;
    struct net_listener *listener;   // home's, which is there as long as its shadows are
    struct net_conn_handler handler; // the owner's
    uint64_t origin;
    bool loopback;
    int file; // while `conn` is not over
    char peer[NET_PEER_MAX];

    struct base_ring *messages; // of struct net_far_message
    atomic_size_t message_bytes;
    atomic_uint taken; // messages
    struct net_mirror mirror;
    atomic_uint refs;

    struct base_mutex mutex; // of these, and of conn's outbox
    struct net_conn *conn;   // NULL: it is gone
    struct net_far_orders orders;
    struct net_far_news news;

    // The lane's thread.
    uint32_t given; // messages

    // Home's thread.
    void *context; // the handler's
    bool met;      // on_accept was asked
    bool left;     // nothing is told of it any more
    bool over;     // its owner ended it
    bool held;
    uint64_t window, spent_ns; // as net_share has it
    bool in_line, in_orders;
    struct net_far *next_in_line, *next_in_orders;

    bool in_up, in_down; // the lane's mutex
    struct net_far *next_up, *next_down;
};

static inline struct net_far *net_far_of(const struct net_conn *conn)
{
    return ((const struct net_face *)(const void *)conn)->is_far ? (struct net_far *)(void *)(uintptr_t)conn
                                                                 : NULL;
}

void net_far_ref(struct net_far *far); // any thread, and so the next
void net_far_unref(struct net_far *far);

// ---------------------------------------------------------------------------------------------------------
// far_lane.c: on the lane's thread

// A listener's, on a lane: context is the shadow. It is held until its owner has decided.
void *net_far_accept(void *shadow, struct net_conn *conn);
extern const struct net_conn_handler net_far_handler;
void net_far_obey(struct net_far *far); // orders came

// ---------------------------------------------------------------------------------------------------------
// far_home.c: on home's thread

// Hands up what came, for at most a share; true if there is more.
bool net_far_serve(struct net_far *far);
bool net_far_is_light(const struct net_far *far, uint64_t now_ms);

// net.h's calls.
void net_far_tell(struct net_far *far, struct base_buffer *bytes);
void net_far_send(struct net_far *far, struct base_buffer *bytes);
size_t net_far_unsent(struct net_far *far);
void net_far_hold(struct net_far *far, bool hold);
void net_far_drain_mark(struct net_far *far, size_t bytes);
void net_far_trust(struct net_far *far);
bool net_far_stream_open(struct net_far *far, uint32_t stream);
uint64_t net_far_stream_close(struct net_far *far, uint32_t stream);
void net_far_stream_push(struct net_far *far, struct base_batch *batch);
bool net_far_stream_limit(struct net_far *far, uint32_t stream, size_t bytes);
bool net_far_stream_ack(struct net_far *far, uint32_t stream, uint32_t seq);
size_t net_far_stream_waiting(struct net_far *far, uint32_t stream);
uint64_t net_far_stream_moment(struct net_far *far, uint32_t stream);
uint64_t net_far_quiet_ms(const struct net_far *far);
bool net_far_is_over(struct net_far *far);
bool net_far_has_begun(const struct net_far *far);
bool net_far_overdue(const struct net_far *far);
enum net_peer net_far_look(struct net_far *far);
void net_far_finish(struct net_far *far, enum net_end end, const char *reason);
void net_far_cut(struct net_far *far, enum net_end end, const char *reason);
void net_far_dismiss(struct net_far *far, enum net_end end, const char *reason, struct base_buffer *words,
                     uint32_t grace_ms);

#endif
