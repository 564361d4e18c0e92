// What the files of sessions share. Not for others.
//
//     session.c         life: accept, messages in, gone, stopping
//     session_send.c    bytes out: replies, notifications, being held, being cut
//     session_worlds.c  which worlds: membership, streams, frames
#ifndef WEFT_HOST_SESSION_INTERNAL_H
#define WEFT_HOST_SESSION_INTERNAL_H

#include "host/session.h"

#include "net/net.h"

enum { HOST_FAULTS_A_SECOND = 10 };

struct host_membership {
    uint32_t world;
    bool joined;
    enum protocol_arrays_mode arrays;      // of notices, while joined
    enum protocol_arrays_mode arrays_next; // of the world.join posted last
};

struct host_stream {
    uint32_t id;
    uint32_t world;
    bool open;          // the world has answered: frames may pass
    bool lagged;        // `dropped` is still to be told
    uint64_t dropped;   // frames, since it began
    uint64_t lagged_ns; // when it was told last
};

struct host_session {
    struct host_sessions *sessions;
    struct net_conn *conn; // NULL once gone
    struct world_asker asker;
    bool finishing; // nothing more is read or sent
    bool ended;     // the peer sends no more
    bool working;   // a worker decodes its message
    bool held;      // as the connection was told
    bool full;      // too many requests or replies are outstanding
    uint32_t unanswered;
    uint64_t notice_bytes;
    uint64_t faults_ns[HOST_FAULTS_A_SECOND]; // when the last ones were sent, a ring
    uint32_t fault_next;
    struct host_membership *memberships;
    uint32_t membership_count, membership_capacity;
    struct host_stream streams[PROTOCOL_LIMIT_STREAMS];
    uint32_t stream_count;
    struct net_timer *end_grace;
    struct host_session *next_gone;
};

struct host_sessions {
    struct host_sessions_options options;
    struct net_listener *listeners[2]; // TCP, HTTP; NULL where there is none (any more)
    uint32_t most;                     // sessions at a time
    struct host_session **items;
    uint32_t count, capacity;
    uint32_t last_id, last_stream;
    uint32_t depth;            // callbacks under way
    struct host_session *gone; // to be freed at depth 0
    struct protocol_scan_limits message_limits;
    struct net_stats net_stats[2]; // once the listeners are closed
    bool stopping;
    struct net_timer *grace;
    struct net_timer *lag;
    struct host_sessions_stats stats; // streams is counted when asked for
};

// session_table.c
bool host_session_put(struct host_sessions *sessions, struct host_session *session); // false without memory
void host_session_take_out(struct host_session *session); // freed when no callback is under way

// session_send.c
void host_session_settle(struct host_session *session);

// session_worlds.c
void host_session_lagged(struct host_session *session, uint32_t stream, uint64_t dropped);
void host_session_leave_worlds(struct host_session *session); // it is gone

#endif
