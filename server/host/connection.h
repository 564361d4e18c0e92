// Handles connections, from their first byte to their last. A connection carries a session. Only files of
// this module include this.
//
//     accept ─▶ carries a session: messages in, bytes out ─▶ its session ends ─▶ what was queued, last words ─▶ closed
//
// A connection has a place among `sessions` (and among those of its address) until it is closed. It outlives
// its session while the last messages are on their way. Then nothing more is read or queued.
#ifndef WEFT_HOST_CONNECTION_H
#define WEFT_HOST_CONNECTION_H

#include "net/net.h"

#include <stdbool.h>
#include <stdint.h>

struct host_session;
struct host_sessions;

struct host_connection {
    struct host_sessions *sessions;
    struct host_session *session; // NULL: it has ended
    struct net_conn *conn;
    bool ended;            // the peer sends no more
    bool held;             // it is not read
    bool cleared;          // it was cut for its place, which another has
    bool spoke;            // a whole message came
    uint64_t said_ns;      // when the last message came, or before that, when it was accepted
    uint64_t since_ns;     // when it was accepted
    uint64_t notice_bytes; // upper bound of bytes of notifications that are not sent (session_send.c)
    struct net_timer *end_grace;
    struct host_connection *next, *previous; // from the youngest to the oldest
};

// Callbacks for listeners. The context is the sessions.
void *host_connection_accept(void *context, struct net_conn *conn);
extern const struct net_conn_handler host_connection_handler;

// From session_cut.c. Each ends the session that the connection carries. `finish` sends what is queued first,
// `drop` closes the connection at once, and `leave` is for a connection that is closed already.
void host_connection_finish(struct host_connection *connection, enum net_end end, const char *reason);
void host_connection_drop(struct host_connection *connection, enum net_end end, const char *reason);
void host_connection_leave(struct host_connection *connection, const char *reason);

// From connection_watch.c.
// Looks for connections to end, once a second or more often. The context is the sessions.
void host_connections_watch(void *context);
// Makes room for one more connection, which may end another. False: there is none.
bool host_connections_room(struct host_sessions *sessions);
// Whether there is room for one more connection of this address.
bool host_connections_room_for(const struct host_sessions *sessions, const struct net_conn *conn);

#endif
