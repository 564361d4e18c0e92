// What the files of a server in the process share.
//
//     local.c     puts it together, and is its face
//     loop.c      net/net.h: the loop, what wakes it, timers, work
//     conn.c      net/net.h: connections
//     dial.c      net/net.h: those that the server makes
//     runner.c    host/runner.h on the one thread
//     thread.c    base/thread.h where there is one thread
#ifndef WEFT_LOCAL_PARTS_H
#define WEFT_LOCAL_PARTS_H

#include "local/local.h"
#include "net/net.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct host_runner;
struct net_work;

// It accepts peers, or (net_dialer_create) has the connections that the server makes.
struct net_listener {
    struct net_listener *next; // of all of the loop's
    struct net_loop *loop;
    struct net_limits limits;
    void *(*on_accept)(void *context, struct net_conn *conn);
    const struct net_conn_handler *handler;
    void *context;
    struct net_stats stats;
    bool closed; // it accepts no more
};

struct net_loop {
    struct net_wake *wakes;
    struct net_timer *timers;
    struct net_work *work, *work_last; // that is not begun
    struct net_work *under_way;        // on threads, where there are any
    struct net_listener *listeners;    // with dialers; freed with the loop, for connections stay
    struct net_listener *listener;     // that accepts; NULL: it does not listen
    bool (*dial)(void *context, const char *address, struct local_peer *peer,
                 struct local_peer_options *other); // of local_options; NULL: it connects to nobody
    void *dial_context;
    struct net_conn *conns;  // open, the oldest first
    struct net_conn *graves; // over, whose handles somebody has
    bool gathering;
    struct local_part *parts; // room for those of one message
    uint32_t parts_capacity;
};

// loop.c: one of the loop's. NULL without memory.
struct net_listener *local_listener_create(struct net_loop *loop, const struct net_limits *limits,
                                           const struct net_conn_handler *handler);

// conn.c
// A connection of that listener's, which is not told of. NULL without memory.
struct net_conn *local_conn_create(struct net_listener *listener);
// Names its peer. It is open from now on, with the handler's context.
void local_conn_begin(struct net_conn *conn, const struct local_peer_options *peer, void *context);
void local_conn_drop(struct net_conn *conn); // one that has not begun
struct local_peer *local_conn_open(struct net_loop *loop, const struct local_peer_options *options);
void local_conns_end(struct net_loop *loop); // those that are over are told of
void local_conns_take(struct net_loop *loop);
bool local_conns_wait(const struct net_loop *loop); // for a turn
void local_conns_gathered(struct net_loop *loop);
void local_conns_leave(struct net_loop *loop); // all peers do
void local_conns_destroy(struct net_loop *loop);

// loop.c: all that is due on the loop. Returns the monotonic time in ns of what comes next: 0 at once, UINT64_MAX: nothing.
uint64_t local_loop_turn(struct net_loop *loop);

// runner.c: one turn of the world that is due first, if one is. Returns as above.
uint64_t local_runner_turn(struct host_runner *runner);

#endif
