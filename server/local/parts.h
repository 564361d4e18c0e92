// Declares what the files of a server in the process share.
//
//     local.c     puts it together; has the public functions
//     loop.c      net/net.h: the loop, what wakes it, timers, work
//     conn.c      net/net.h: connections
//     dial.c      net/net.h: connections that the server makes
//     runner.c    host/runner.h on one thread
//     thread.c    base/thread.h for a process with one thread
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
    bool closed; // it accepts no more connections
};

struct net_loop {
    struct net_wake *wakes;
    struct net_timer *timers;
    struct net_work *work, *work_last; // not begun yet
    struct net_work *under_way;        // on threads, if there are any
    struct net_listener *listeners;    // with dialers; freed with the loop, because connections stay
    struct net_listener *listener;     // the one that accepts; NULL: it does not listen
    bool (*dial)(void *context, const char *address, struct local_peer *peer,
                 struct local_peer_options *other); // of local_options; NULL: it connects to no server
    void *dial_context;
    struct net_conn *conns;   // open ones, the oldest first
    struct net_conn *retired; // ended ones whose handles peers still have
    bool gathering;
    struct local_part *parts; // room for the parts of one message
    uint32_t parts_capacity;
};

// From loop.c: makes a listener of the loop. NULL if memory runs out.
struct net_listener *local_listener_create(struct net_loop *loop, const struct net_limits *limits,
                                           const struct net_conn_handler *handler);

// From conn.c: makes a connection of a listener, which is not told of it. NULL if memory runs out.
struct net_conn *local_conn_create(struct net_listener *listener);
// Names the peer of a connection, and opens it with the context of its handler.
void local_conn_begin(struct net_conn *conn, const struct local_peer_options *peer, void *context);
void local_conn_drop(struct net_conn *conn); // frees a connection that has not begun
struct local_peer *local_conn_open(struct net_loop *loop, const struct local_peer_options *options);
void local_conns_end(struct net_loop *loop); // reports connections that have ended
void local_conns_take(struct net_loop *loop);
bool local_conns_wait(const struct net_loop *loop); // whether messages wait for a turn
void local_conns_gathered(struct net_loop *loop);
void local_conns_leave(struct net_loop *loop); // makes all peers leave
void local_conns_destroy(struct net_loop *loop);

// From loop.c: does all that is due on the loop. Returns the monotonic time in ns of what comes next: 0: at
// once; UINT64_MAX: nothing.
uint64_t local_loop_turn(struct net_loop *loop);

// From runner.c: runs one turn of the world that is due first, if one is due. Returns the same.
uint64_t local_runner_turn(struct host_runner *runner);

#endif
