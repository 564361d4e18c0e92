// What carries a session: one connection, from its first byte to its last. Not for others than the files of this module.
//
//     accept ─▶ carries a session: messages in, bytes out ─▶ its session ends ─▶ what was queued, last words ─▶ closed
//
// A connection has a place among `sessions` (and among those of its address) until it is closed. It outlives its
// session by what is still on its way to a peer: nothing more is read then, and nothing queued.
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
    bool held;             // not read
    bool cleared;          // cut for its place, which another has
    bool spoke;            // a whole message came
    uint64_t said_ns;      // when the last one came; before: when it was accepted
    uint64_t since_ns;     // accepted
    uint64_t notice_bytes; // of notifications that are not sent, at most (session_send.c)
    struct net_timer *end_grace;
    struct host_connection *next, *previous; // from the youngest to the oldest
};

// As listeners want them; context is the sessions.
void *host_connection_accept(void *context, struct net_conn *conn);
extern const struct net_conn_handler host_connection_handler;

// session_cut.c: each ends the session that it carries. What is queued is sent first; or the connection is closed at once;
// or it is closed already.
void host_connection_finish(struct host_connection *connection, enum net_end end, const char *reason);
void host_connection_drop(struct host_connection *connection, enum net_end end, const char *reason);
void host_connection_leave(struct host_connection *connection, const char *reason);

// connection_watch.c
void host_connections_watch(void *context); // once a second, or more often; context is the sessions
bool host_connections_room(struct host_sessions *sessions); // for one more; somebody may go for it
bool host_connections_room_for(const struct host_sessions *sessions,
                               const struct net_conn *conn); // of its address

#endif
