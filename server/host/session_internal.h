// Declares what the files of sessions share. No other file includes this.
//
// Each calls those below it:
//
//     sessions.c           all sessions: listening, stopping, numbers
//     presence_tell.c      tells people what they see of each other
//     connection.c         accepts a connection, takes messages in, ends
//     connection_watch.c   ends connections that take a place and do nothing with it
//     session_resume.c     sessions that go on with another connection
//     session_away.c       sessions whose connection is lost
//     session_worlds.c     the worlds of a session: membership, streams, frames
//     session_send.c       bytes out: replies, notifications, being held
//     session_cut.c        how sessions end, and why one is cut
//     badge_audit.c        what the audit log has of it
//     session.c            the life of each
//     badge.c              what vouches for it
//     session_people.c     people who come and go, for others to see
//     person.c             the person
//
// The session has what belongs to a visit. The connection has what belongs to the wire, and to a place in
// this server. Nothing is sent through a session without a connection. Answers and notices for it are kept if
// they may be (kept.h, notices.h), and frames are dropped. Its requests still count, and what it has stays as
// it is. It ends when the server goes down. A session that said hello outlives a lost connection
// (session_away.c). Any other ends with its connection, or before it: if it is cut, or has nothing more to be
// told.
#ifndef WEFT_HOST_SESSION_INTERNAL_H
#define WEFT_HOST_SESSION_INTERNAL_H

#include "host/session.h"

#include "host/badge.h"
#include "host/connection.h"
#include "host/kept.h"
#include "host/notices.h"
#include "host/presence.h"
#include "host/upload.h"
#include "net/net.h"

enum { HOST_FAULTS_A_SECOND = 10, HOST_KEY_BYTES = 16, HOST_KEY_SIZE = 48 };

struct host_membership {
    uint32_t world;
    bool joined;
    bool rejoins;                     // it is told to join again whenever it goes on, until it has
    enum protocol_arrays_mode arrays; // mode of its notices while joined
    uint64_t told;                    // number of notices of the world that were told before it joined
    uint64_t presence;                // version of the presence that it was told (presence.c)
};

struct host_stream {
    uint32_t id;
    uint32_t world;
    bool open; // the world's answer has passed, so frames may too
    // Newest batch that came before, or all batches of a lossless stream; NULL: none.
    struct base_batch *early;
    size_t credit;      // for a lossless stream: bytes that may be unacknowledged; 0: it is live
    bool lagged;        // `dropped` is still to be told
    uint64_t dropped;   // frames since it began for which its client was too slow
    uint64_t missed;    // frames that could not be made
    uint32_t lags;      // times in a row that a batch replaced another, and nothing was written
    bool rests;         // the world makes no frames for it
    const char *reason; // reason of the last ones
    uint64_t lagged_ns; // when it was told last
    uint64_t slow_ns;   // when its world was last told that it is slow
};

struct host_session {
    struct host_sessions *sessions;
    struct host_connection *connection; // NULL: no connection carries it
    uint32_t id;
    uint32_t visit; // how many connections have carried it before this one
    struct host_person person;
    struct host_badge badge;
    enum protocol_arrays_mode arrays;
    enum protocol_errors_mode errors;
    bool follows;     // its client goes where a world is
    bool seen_away;   // as set by host_session_set_away
    uint32_t working; // number of things for which its next message waits
    bool full;        // too many requests or replies are outstanding
    uint32_t unanswered;
    size_t waiting_bytes; // bytes of these requests
    struct world_account *account;
    uint64_t faults_ns[HOST_FAULTS_A_SECOND]; // when the last ones were sent; a ring
    uint32_t fault_next;
    struct host_membership *memberships;
    uint32_t membership_count, membership_capacity;
    struct host_stream streams[PROTOCOL_LIMIT_STREAMS];
    uint32_t stream_count;
    struct host_upload *upload; // NULL: never asked for
    bool keeps;                 // it said hello, so it outlives a lost connection
    // Key with which another connection goes on with it: its id, and bytes that cannot be guessed.
    char key[HOST_KEY_SIZE];
    struct host_kept kept;
    uint64_t away_ns;                                 // since when it has no connection; 0: it has one
    uint64_t origin;                                  // origin of its last connection (net_conn_origin)
    bool loopback;                                    // whether that was on loopback
    uint64_t said_ns[PROTOCOL_LIMIT_SAID_PER_SECOND]; // when the last lines were said; a ring
    uint32_t said_next;
    struct host_session *next_gone;
};

struct host_sessions {
    struct host_sessions_options options;
    struct net_listener *listeners[2]; // TCP, HTTP; NULL if there is none (any more)
    uint32_t most;                     // sessions at a time
    struct host_session **items;
    uint32_t count, capacity;
    uint32_t found;                      // index of the session that was found last
    struct host_connection *connections; // the youngest first
    uint32_t connection_count;
    uint32_t cleared; // number of connections whose place another has
    uint32_t last_id, last_stream;
    uint32_t depth;            // callbacks under way
    struct host_session *gone; // to be freed at depth 0
    struct net_limits limits;
    struct net_stats net_stats[2]; // set when the listeners are closed
    struct base_budget *answers;   // budget of all sessions' answers that are made and not sent
    bool stopping;
    struct net_timer *grace;
    struct net_timer *lag;
    struct net_timer *watch;
    struct net_timer *presence;         // NULL: no world has two members
    void (*on_presence)(void *context); // called by host_sessions_tell_presence
    uint64_t starved_ns;                // when connections were last cut for the frames of all worlds
    size_t notice_bytes;                // bytes kept of all worlds
    uint64_t last_quarter_ms;           // last quarter of the grace, in ms, when stopping
    struct host_sessions_stats stats;   // its `streams` is counted when asked for
};

// From session.c.
struct host_session *host_session_create(struct host_sessions *sessions); // NULL if memory runs out
void host_session_end(struct host_session *session);                      // its connection stays

// From session_away.c.
// Handles the loss of its connection: the session stays, or ends. The connection stays.
void host_session_lose(struct host_session *session);
// Ends all its streams.
void host_session_end_streams(struct host_session *session);
void host_sessions_watch_away(struct host_sessions *sessions,
                              uint64_t now_ns); // ends sessions that have been away for too long

// From session_people.c.
// It joined, or did so again by another name.
void host_session_come(struct host_session *session, uint32_t world);
// Notes that its person has left a world.
void host_session_go(struct host_session *session, uint32_t world);
// Notes in each world whether its person is away.
void host_session_seen_away(struct host_session *session, bool away);

// From presence_tell.c.
void host_sessions_tell_presence(void *context); // the context is the sessions

// Finds what the session has to do with a world; NULL: it has nothing to do with it.
static inline struct host_membership *host_membership_of(const struct host_session *session, uint32_t world)
{
    for (uint32_t i = 0; i < session->membership_count; i++) {
        if (session->memberships[i].world == world) {
            return &session->memberships[i];
        }
    }
    return NULL;
}

// The same if it has joined the world; NULL: it has not.
static inline struct host_membership *host_session_member(const struct host_session *session, uint32_t world)
{
    struct host_membership *membership = host_membership_of(session, world);
    return membership && membership->joined ? membership : NULL;
}

// From session_cut.c.
void host_session_cut_for(struct host_session *session, enum host_cut cause,
                          const struct protocol_error *error);
// Makes the message that tells why a connection is refused. NULL if memory runs out.
struct base_buffer *host_refusal_words(const struct host_sessions *sessions, enum host_refusal why);

// From session_send.c.
void host_session_settle(struct host_session *session);

// From session_worlds.c.
// Notes that frames of a stream were left out: `dropped` since it began. blocked: its peer took nothing
// meanwhile.
void host_session_lagged(struct host_session *session, uint32_t stream, uint64_t dropped, bool blocked);
void host_session_moving(struct host_session *session,
                         uint32_t stream); // notes that a stream which lagged is written again
void host_session_behind(const struct host_session *session,
                         uint32_t stream); // notes that a stream needs a frame that stands alone
void host_session_nudge_worlds(const struct host_session *session); // it takes answers again

#endif
