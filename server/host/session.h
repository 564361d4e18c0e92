// Sessions: what belongs to a person's visit, whatever carries it (connection.h). Loop thread only.
//
// What a session may cost is bounded here: requests without an answer, unsent replies (it is held: not read),
// unsent notifications (it is cut), streams, `error` notifications; time until it says something, and for a message to
// come in; places. Whoever is cut is told why, if it still reads (enum host_cut).
//
// A session is valid until the outermost callback of this module that is under way returns, also when it ends in between
// (nothing more is sent then). Across callbacks keep its id.
#ifndef WEFT_HOST_SESSION_H
#define WEFT_HOST_SESSION_H

#include "protocol/types.h"
#include "world/world.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct access;
struct access_audit;
struct base_batch;
struct base_buffer;
struct host_present;
struct host_registry;
struct host_session;
struct host_upload;
struct host_sessions;
struct host_world;
struct net_http_options;
struct net_limits;
struct net_loop;
struct net_stats;
struct protocol_error;
struct protocol_home;

// Why a session was ended by the server. What each means to its peer stands in session_cut.c.
enum host_cut {
    HOST_CUT_PROTOCOL,      // what it sent are no messages
    HOST_CUT_MESSAGE,       // or one past a limit
    HOST_CUT_RECEIVE_BYTES, // unfinished messages are too much, and it holds most
    HOST_CUT_OVERDUE,       // its message did not come in
    HOST_CUT_SILENT,        // it never said anything
    HOST_CUT_PLACE,         // it did nothing, and its place was needed
    HOST_CUT_NOTIFICATIONS, // it does not read them
    HOST_CUT_FRAMES,        // it holds the oldest of a world whose budget is used up
    HOST_CUT_MEMORY,        // the server had none for what it should be told
    HOST_CUT_HELLO,         // it has shown no token in time
    HOST_CUT_ACCESS,        // its token, or its role in a world, was taken from it
    HOST_CUT_COUNT
};
const char *host_cut_name(enum host_cut cause); // one word, as /metrics has it

// Why a connection did not become a session.
enum host_refusal { HOST_REFUSED_FULL, HOST_REFUSED_ADDRESS, HOST_REFUSAL_COUNT };
const char *host_refusal_name(enum host_refusal why);

struct host_sessions_options {
    struct net_loop *loop;
    struct host_registry *registry;
    uint32_t per_address;       // sessions from one address; 0: PROTOCOL_LIMIT_SESSIONS_PER_ADDRESS
    bool loopback_too;          // the same for loopback, where a proxy may stand for many
    uint32_t grace_ms;          // that sessions are kept without a connection; 0: they are not
    uint32_t away;              // of these at a time; 0: PROTOCOL_LIMIT_SESSIONS_AWAY
    uint32_t away_per_address;  // 0: PROTOCOL_LIMIT_SESSIONS_AWAY_PER_ADDRESS
    struct access *access;      // tokens are asked for; NULL: they are not
    struct access_audit *audit; // NULL: nothing is written down
    uint32_t first_message_ms;  // 0: PROTOCOL_LIMIT_FIRST_MESSAGE_MS
    // A whole message arrived; bytes are malloc'd and the receiver's.
    void (*on_message)(void *context, struct host_session *session, uint8_t *bytes, size_t size);
    // The same once more, of a message that was taken before: its world is at another server now. NULL: it is refused.
    void (*on_again)(void *context, struct host_session *session, uint8_t *bytes, size_t size);
    // A session has ended; NULL: nobody wants to know.
    void (*on_end)(void *context, uint32_t session);
    // Its connection is lost and it is kept, or goes on with another: its streams have ended. NULL: nobody wants to know.
    void (*on_away)(void *context, uint32_t session, bool away);
    // What is to be sent to it fell below half of what it may be, after it was more. NULL: nobody wants to know.
    void (*on_drained)(void *context, struct host_session *session);
    // After host_sessions_stop: the last session is gone.
    void (*on_empty)(void *context);
    void *context;
};

// NULL, with a log line, without memory.
struct host_sessions *host_sessions_create(const struct host_sessions_options *options);
void host_sessions_destroy(struct host_sessions *sessions); // when all are gone; NULL is allowed

// False with *reason (static text). The address as bound goes to `bound`. limits.connections is that of all
// sessions.
bool host_sessions_listen(struct host_sessions *sessions, const char *address,
                          const struct net_limits *limits, char *bound, size_t bound_size,
                          const char **reason);
uint32_t host_sessions_most(const struct host_sessions *sessions); // at a time, as the system's files allow
// The same for WebSockets, and HTTP beside them. After host_sessions_listen.
bool host_sessions_listen_http(struct host_sessions *sessions, const char *address,
                               const struct net_limits *limits, const struct net_http_options *http,
                               char *bound, size_t bound_size, const char **reason);
// Accepts no more, lets each session have the answers it waits for, then closes it; after grace_ms all are closed,
// whatever they wait for. on_empty follows.
void host_sessions_stop(struct host_sessions *sessions, uint64_t grace_ms);

struct host_session *host_session_find(const struct host_sessions *sessions, uint32_t id); // NULL if gone
// The same, faster where ids are asked for in their order.
struct host_session *host_session_find_next(struct host_sessions *sessions, uint32_t id);
uint32_t host_sessions_count(const struct host_sessions *sessions); // places that are taken

struct host_sessions_stats {
    uint64_t cut[HOST_CUT_COUNT], refused[HOST_REFUSAL_COUNT];
    uint64_t notifications_ignored, requests;
    uint64_t resumed,
        away_ended; // sessions that went on with another connection; that too many were away for
    uint32_t away;
    size_t kept_bytes; // of answers and notices, for sessions that come back
    uint32_t streams;
    uint32_t unanswered;   // requests that worlds have, or others that answer later
    uint64_t unsent_bytes; // of replies and notifications
};
// net is an array of two: of TCP, of HTTP and WebSockets.
void host_sessions_stats(const struct host_sessions *sessions, struct host_sessions_stats *stats,
                         struct net_stats *net);

// Callbacks of others that use sessions (timers, finished work, drained worlds) stand between these.
void host_sessions_enter(struct host_sessions *sessions);
void host_sessions_leave(struct host_sessions *sessions);

// ---------------------------------------------------------------------------------------------------------
// One session

struct host_sessions *host_session_owner(const struct host_session *session);
// The document that it brings in pieces; NULL without memory.
struct host_upload *host_session_upload(struct host_session *session);
// Where it comes from: the address without the port, the same for all sessions of a machine.
void host_session_peer(const struct host_session *session, char *out, size_t size);
struct world_asker host_session_asker(const struct host_session *session);
// Empty user: "session-ID".
void host_session_introduce(struct host_session *session, const struct protocol_string *client,
                            const struct protocol_string *user, enum protocol_arrays_mode arrays,
                            enum protocol_errors_mode errors);

// Whether it goes where a world is, when it is told.
void host_session_set_follows(struct host_session *session, bool follows);
// Whether others see it as away, though it has a connection: one of another server, which passes on what a session there asks.
void host_session_set_away(struct host_session *session, bool away);
bool host_session_follows(const struct host_session *session);
// Whether it is in no world and has no stream: it loses nothing where it goes elsewhere.
bool host_session_is_free(const struct host_session *session);

// It is kept from now on when its connection is lost, and has a key with which another goes on with it; msgid is of the
// request that asks for that. False: sessions are not kept.
bool host_session_keep(struct host_session *session, uint32_t msgid);
void host_session_keep_no_more(struct host_session *session);
const char *host_session_key(const struct host_session *session); // empty: it is not kept
uint32_t host_sessions_grace_s(const struct host_sessions *sessions);
// A request came; repeatable: it changes nothing.
void host_session_asked(struct host_session *session, uint32_t msgid, bool repeatable);
// Ends it, and its connection once that has sent what it has. It left.
void host_session_leave(struct host_session *session);

// Going on with a session whose connection was lost, or hangs.
struct host_seen {
    uint32_t world;
    uint64_t revision; // of the last world.edited of it
};
struct host_missed {
    const uint32_t *unanswered; // ids of requests
    uint32_t unanswered_count;
    const struct host_seen *seen;
    uint32_t seen_count;
};
struct host_session *host_session_of_key(const struct host_sessions *sessions,
                                         const struct protocol_string *key); // NULL: none has it
// Whether who holds `fresh` is who may go on with it.
bool host_session_may_resume(const struct host_session *session, const struct host_session *fresh);
bool host_session_is_fresh(const struct host_session *session); // nothing was asked of it yet
// The connection of `fresh`, which ends, carries this one from now on; its old one is closed.
void host_session_resume(struct host_session *session, struct host_session *fresh);
// Of these requests, those that are to be sent again, into lost[count]; and the worlds that are to be joined again, into
// worlds[]: as many as were seen, and host_session_worlds. Returns how many.
uint32_t host_session_lost(const struct host_session *session, const uint32_t *msgids, uint32_t count,
                           uint32_t *lost);
uint32_t host_session_worlds(const struct host_session *session);
uint32_t host_session_rejoins(const struct host_session *session, const struct host_missed *missed,
                              uint32_t *worlds);
// Sends what it missed, after it was told that it goes on.
void host_session_catch_up(struct host_session *session, const struct host_missed *missed);

void host_session_count_request(struct host_session *session);
void host_session_count_ignored(struct host_session *session);

// What its answers are charged to.
struct world_account *host_session_account(const struct host_session *session);
size_t host_session_waiting_bytes(const struct host_session *session);
// Whether as many bytes more may wait in worlds for this session. False with *error: BUSY.
bool host_session_has_room(const struct host_session *session, size_t bytes, struct protocol_error *error);
uint32_t host_session_unanswered(const struct host_session *session);
// A request of so many bytes was given to a world, or that world is done with it.
void host_session_request_begin(struct host_session *session, size_t bytes);
void host_session_request_end(struct host_session *session, size_t bytes);
// Between these later messages of this session wait: a worker decodes one, or an answer comes that must come first.
void host_session_work_begin(struct host_session *session);
void host_session_work_end(struct host_session *session);

// Take a reference of bytes (NULL: there was no memory for them, the session is cut).
void host_session_reply(struct host_session *session, struct base_buffer *bytes);
// What others in a world see of it. NULL with *error (NOT_FOUND): it has not joined.
struct host_present *host_session_present(const struct host_session *session, const struct host_world *world,
                                          struct protocol_error *error);
// A line to all who joined, which may be shown as it is. False with *error: NOT_FOUND, LIMIT, MEMORY.
bool host_session_say(struct host_session *session, struct host_world *world,
                      const struct protocol_string *text, uint64_t *line, struct protocol_error *error);
void host_session_notify(struct host_session *session, struct base_buffer *bytes);
// A message of another server, which is passed on as it came: nothing counts it, so whoever passes it on stops where so much is
// unsent that host_session_is_filled. What comes while nothing carries the session goes nowhere.
void host_session_pass(struct host_session *session, struct base_buffer *bytes);
bool host_session_is_filled(const struct host_session *session); // on_drained follows when it is no more
// Ends what carries it once what is queued is sent, as if that had broken: it may be gone on with, and is told then what to begin
// anew.
void host_session_break(struct host_session *session, const char *reason);
// `error` for something that expects no answer; at most ten a second, the rest is dropped.
void host_session_fault(struct host_session *session, const struct protocol_error *error, const char *method,
                        uint32_t method_size);
// The stream itself is at fault: one last `error`, then the connection closes.
void host_session_refuse(struct host_session *session, const struct protocol_error *error);
void host_session_cut(struct host_session *session, enum host_cut cause);
void host_session_fail(struct host_session *session,
                       const char *reason); // HOST_CUT_MEMORY: no memory for what

// It knows the worlds that it has to do with: before a request is posted there must be room for one more (false: no
// memory), and once it is the world must hear of it when this session ends.
bool host_session_reserve(struct host_session *session);
void host_session_visit(struct host_session *session, uint32_t world);
// world.join was answered: notices come in this arrays mode, until world.leave is.
void host_session_joined(struct host_session *session, uint32_t world, enum protocol_arrays_mode arrays);
void host_session_left(struct host_session *session, uint32_t world);
// bytes by arrays mode, to everyone who joined. Lost: there was no memory for them; who joined is cut, since a gap in
// what it is told would be worse.
void host_sessions_notice(struct host_sessions *sessions, uint32_t world, struct base_buffer *const bytes[3],
                          bool lost);
// Keeps the same for those who come back.
void host_sessions_keep_notice(struct host_sessions *sessions, struct host_world *world, uint64_t revision,
                               struct base_buffer *const bytes[3], bool lost);

// A stream from stream.subscribe on. 0 where the session has as many as it may have.
uint32_t host_session_stream_add(struct host_session *session, uint32_t world);
// Of one that was just added: it loses nothing, and no frame is begun while so many bytes are not acknowledged.
void host_session_stream_lossless(struct host_session *session, uint32_t stream, size_t credit);
// Its frames up to seq were taken. False: there is no such frame.
bool host_session_stream_ack(struct host_session *session, uint32_t stream, uint32_t seq);
void host_session_stream_opened(struct host_session *session, uint32_t stream);
void host_session_stream_remove(struct host_session *session, uint32_t stream); // unknown ones are ignored
// The rest of its frames comes by host_session_pass. Returns how many were sent.
uint64_t host_session_stream_hand_over(struct host_session *session, uint32_t stream);
// World of a stream of this session, 0 if it has no such stream.
uint32_t host_session_stream_world(const struct host_session *session, uint32_t stream);
// Takes the batch. Those for streams that are gone are dropped; false: the session is there, and its stream is not.
bool host_sessions_publish(struct host_sessions *sessions, struct base_batch *batch);
// Of the oldest batch that it holds; UINT64_MAX: of none.
uint64_t host_session_stream_moment(const struct host_session *session, uint32_t stream);
// Frames of one of its streams could not be made: says so, or that the stream has ended by it.
void host_session_missed(struct host_session *session, const struct world_miss *miss);
// Closes connections that hold the oldest frames of a world whose frame budget is used up.
void host_sessions_starve(struct host_sessions *sessions, struct host_world *world);
// The same of the world that holds most, where the budget of all worlds is used up.
void host_sessions_starve_most(struct host_sessions *sessions);
// The world is gone: streams close with a reason, membership ends.
void host_sessions_forget_world(struct host_sessions *sessions, uint32_t world, const char *reason);
// It runs elsewhere from here on: who joined is told where, and so is each stream, and the world is forgotten.
void host_sessions_moved(struct host_sessions *sessions, const struct host_world *world,
                         const struct protocol_home *home);

#endif
