// What the files of sessions share. Not for others.
//
//     session.c         life: accept, messages in, gone, stopping
//     session_send.c    bytes out: replies, notifications, being held
//     session_cut.c     being cut, and why
//     session_watch.c   who takes a place and does nothing with it
//     session_worlds.c  which worlds: membership, streams, frames
#ifndef WEFT_HOST_SESSION_INTERNAL_H
#define WEFT_HOST_SESSION_INTERNAL_H

#include "host/session.h"

#include "host/upload.h"
#include "net/net.h"

enum { HOST_FAULTS_A_SECOND = 10 };

struct host_membership {
    uint32_t world;
    bool joined;
    enum protocol_arrays_mode arrays; // of notices, while joined
};

struct host_stream {
    uint32_t id;
    uint32_t world;
    bool open;          // the world has answered: frames may pass
    bool lagged;        // `dropped` is still to be told
    uint64_t dropped;   // frames that this client was too slow for, since it began
    uint64_t missed;    // frames that could not be made
    const char *reason; // of the last ones
    uint64_t lagged_ns; // when it was told last
};

struct host_session {
    struct host_sessions *sessions;
    struct net_conn *conn; // NULL once gone
    struct world_asker asker;
    bool finishing;   // nothing more is read or sent
    bool ended;       // the peer sends no more
    bool working;     // a worker decodes its message
    bool held;        // as the connection was told
    bool full;        // too many requests or replies are outstanding
    bool cleared;     // cut for its place, which another has
    bool spoke;       // a whole message came
    uint64_t said_ns; // when the last one came; before: when it was accepted
    uint32_t unanswered;
    size_t waiting_bytes; // of them
    struct world_account *account;
    uint64_t notice_bytes;
    uint64_t faults_ns[HOST_FAULTS_A_SECOND]; // when the last ones were sent, a ring
    uint32_t fault_next;
    struct host_membership *memberships;
    uint32_t membership_count, membership_capacity;
    struct host_stream streams[PROTOCOL_LIMIT_STREAMS];
    uint32_t stream_count;
    struct net_timer *end_grace;
    struct host_upload *upload; // NULL: never asked for
    struct host_session *next_gone;
};

struct host_sessions {
    struct host_sessions_options options;
    struct net_listener *listeners[2]; // TCP, HTTP; NULL where there is none (any more)
    uint32_t most;                     // sessions at a time
    struct host_session **items;
    uint32_t count, capacity;
    uint32_t cleared; // of them, that others have the place of
    uint32_t last_id, last_stream;
    uint32_t depth;            // callbacks under way
    struct host_session *gone; // to be freed at depth 0
    struct net_limits limits;
    struct net_stats net_stats[2]; // once the listeners are closed
    struct base_budget *answers;   // of all sessions, made and not sent
    bool stopping;
    struct net_timer *grace;
    struct net_timer *lag;
    struct net_timer *watch;
    uint64_t last_quarter_ms;         // of the grace when stopping
    struct host_sessions_stats stats; // streams is counted when asked for
};

// session_table.c
bool host_session_put(struct host_sessions *sessions, struct host_session *session); // false without memory
void host_session_take_out(struct host_session *session); // freed when no callback is under way

// session_cut.c
void host_session_cut_for(struct host_session *session, enum host_cut cause,
                          const struct protocol_error *error);
struct base_buffer *host_refusal_words(const struct host_sessions *sessions, enum host_refusal why);

// session_watch.c
void host_sessions_watch(void *context);                 // once a second, or more often
bool host_sessions_room(struct host_sessions *sessions); // for one more; somebody may go for it
bool host_sessions_room_for(const struct host_sessions *sessions,
                            const struct net_conn *conn); // of its address

// session_send.c
void host_session_settle(struct host_session *session);

// session_worlds.c
void host_session_lagged(struct host_session *session, uint32_t stream, uint64_t dropped);
void host_session_leave_worlds(struct host_session *session);       // it is gone
void host_session_nudge_worlds(const struct host_session *session); // it takes answers again

#endif
