// What the files of sessions share. Not for others.
//
// Each calls those below it:
//
//     sessions.c           all of them: listening, stopping, numbers
//     presence_tell.c      what people see of each other, told
//     connection.c         what carries one: accept, messages in, closed
//     connection_watch.c   which takes a place and does nothing with it
//     session_resume.c     sessions that go on with another connection
//     session_away.c       sessions whose connection is lost
//     session_worlds.c     which worlds: membership, streams, frames
//     session_send.c       bytes out: replies, notifications, being held
//     session_cut.c        how they end, and why one is cut
//     badge_audit.c        what is written down of it
//     session.c            life of each
//     badge.c              what vouches for it
//     session_people.c     who comes and goes, for others to see
//     person.c             whose it is
//
// What is of a visit is the session's; what is of the wire, and of a place in this server, is the connection's. Nothing
// is sent through a session without a connection: answers and notices for it are kept where they may be (kept.h, notices.h),
// frames are dropped, its requests are counted on, what it has stays as it is, and where the server goes down it ends. A
// session that said hello outlives a connection that is lost (session_away.c); any other ends with it, or before it: where it
// is cut, or has nothing more to be told.
#ifndef WEFT_HOST_SESSION_INTERNAL_H
#define WEFT_HOST_SESSION_INTERNAL_H

#include "host/session.h"

#include "host/badge.h"
#include "host/connection.h"
#include "host/kept.h"
#include "host/notices.h"
#include "host/person.h"
#include "host/upload.h"
#include "net/net.h"

enum { HOST_FAULTS_A_SECOND = 10, HOST_KEY_BYTES = 16, HOST_KEY_SIZE = 48 };

struct host_membership {
    uint32_t world;
    bool joined;
    bool rejoins;                     // it is told to join anew whenever it goes on, until it has
    enum protocol_arrays_mode arrays; // of notices, while joined
    uint64_t told;                    // notices of the world that were told before: they are not for it
    uint64_t presence;                // version of the presence that it was told (presence.c)
};

struct host_stream {
    uint32_t id;
    uint32_t world;
    bool open;                // the world's answer has passed: frames may
    struct base_batch *early; // the newest that came before, or all of what loses nothing; NULL: none
    size_t credit;            // of what loses nothing: bytes that may be unacknowledged; 0: it is live
    bool lagged;              // `dropped` is still to be told
    uint64_t dropped;         // frames that this client was too slow for, since it began
    uint64_t missed;          // frames that could not be made
    uint32_t lags;      // times in a row that a batch took the place of another, and nothing was written
    bool rests;         // the world makes none for it
    const char *reason; // of the last ones
    uint64_t lagged_ns; // when it was told last
    uint64_t slow_ns;   // when its world was told last that it is slow
};

struct host_session {
    struct host_sessions *sessions;
    struct host_connection *connection; // NULL: nothing carries it
    uint32_t id;
    struct host_person person;
    struct host_badge badge;
    enum protocol_arrays_mode arrays;
    enum protocol_errors_mode errors;
    bool follows;     // goes where a world is
    bool seen_away;   // as host_session_set_away has it
    uint32_t working; // what its next message has to wait for
    bool full;        // too many requests or replies are outstanding
    uint32_t unanswered;
    size_t waiting_bytes; // of them
    struct world_account *account;
    uint64_t faults_ns[HOST_FAULTS_A_SECOND]; // when the last ones were sent, a ring
    uint32_t fault_next;
    struct host_membership *memberships;
    uint32_t membership_count, membership_capacity;
    struct host_stream streams[PROTOCOL_LIMIT_STREAMS];
    uint32_t stream_count;
    struct host_upload *upload; // NULL: never asked for
    bool keeps;                 // it said hello: it outlives a connection that is lost
    char key[HOST_KEY_SIZE];    // with which another goes on with it: its id, and bytes that nobody can guess
    struct host_kept kept;
    uint64_t away_ns;                                 // since when it has no connection; 0: it has one
    uint64_t origin;                                  // of its last connection (net_conn_origin)
    bool loopback;                                    // the same
    uint64_t said_ns[PROTOCOL_LIMIT_SAID_PER_SECOND]; // when the last lines were said, a ring
    uint32_t said_next;
    struct host_session *next_gone;
};

struct host_sessions {
    struct host_sessions_options options;
    struct net_listener *listeners[2]; // TCP, HTTP; NULL where there is none (any more)
    uint32_t most;                     // sessions at a time
    struct host_session **items;
    uint32_t count, capacity;
    uint32_t found;                      // the place that was found last
    struct host_connection *connections; // the youngest first
    uint32_t connection_count;
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
    struct net_timer *presence;         // NULL: nobody is together with others
    void (*on_presence)(void *context); // host_sessions_tell_presence: what it calls
    uint64_t starved_ns;                // when connections were last cut for the frames of all worlds
    size_t notice_bytes;                // kept of all worlds
    uint64_t last_quarter_ms;           // of the grace when stopping
    struct host_sessions_stats stats;   // streams is counted when asked for
};

// session.c
struct host_session *host_session_create(struct host_sessions *sessions); // NULL without memory
void host_session_end(struct host_session *session);                      // what carries it stays

// session_away.c
void host_session_lose(
    struct host_session *session); // its connection is lost: it stays, or ends; what carries it stays
void host_session_end_streams(struct host_session *session);
void host_sessions_watch_away(struct host_sessions *sessions,
                              uint64_t now_ns); // who is away for too long ends

// session_people.c
void host_session_come(struct host_session *session, uint32_t world); // it joined, or did so by another name
void host_session_go(struct host_session *session, uint32_t world);
void host_session_seen_away(struct host_session *session, bool away);

// presence_tell.c
void host_sessions_tell_presence(void *context); // the sessions

// session_cut.c
void host_session_cut_for(struct host_session *session, enum host_cut cause,
                          const struct protocol_error *error);
struct base_buffer *host_refusal_words(const struct host_sessions *sessions, enum host_refusal why);

// session_send.c
void host_session_settle(struct host_session *session);

// session_worlds.c
struct host_membership *host_session_member(const struct host_session *session,
                                            uint32_t world); // NULL: it has not joined
void host_session_lagged(struct host_session *session, uint32_t stream, uint64_t dropped, bool blocked);
void host_session_moving(struct host_session *session,
                         uint32_t stream); // what was being written of it is, since it lagged
void host_session_behind(const struct host_session *session,
                         uint32_t stream);                          // it needs a frame that stands alone
void host_session_nudge_worlds(const struct host_session *session); // it takes answers again

#endif
