// Sessions. A session is the state of a client's visit, and may outlive the connection that carries it (connection.h). Loop
// thread only.
//
// The cost of a session is bounded here: unanswered requests, unsent replies (beyond the bound the session is held, that
// is, its connection is not read), unsent notifications (beyond the bound the session is cut), streams, `error`
// notifications, the time until its first message, the time for a message to come in, and the number of sessions. A
// session that is cut is told why, if its peer still reads (enum host_cut).
//
// A pointer to a session is valid until the outermost callback of this module returns, even if the session ends before
// (then nothing more is sent). Across callbacks callers keep the id, not the pointer.
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

// Why the server ended a session. session_cut.c has what each means to the peer.
enum host_cut {
    HOST_CUT_PROTOCOL,      // it sent bytes that are no messages
    HOST_CUT_MESSAGE,       // it sent a message that exceeds a limit
    HOST_CUT_RECEIVE_BYTES, // unfinished messages are too large together, and it holds most of them
    HOST_CUT_OVERDUE,       // its message did not come in in time
    HOST_CUT_SILENT,        // it never said anything
    HOST_CUT_PLACE,         // it did nothing, and its place was needed
    HOST_CUT_NOTIFICATIONS, // it does not read its notifications
    HOST_CUT_FRAMES,        // it holds the oldest frames of a world whose budget is used up
    HOST_CUT_MEMORY,        // memory ran out for what it should be told
    HOST_CUT_HELLO,         // it has not shown a token in time
    HOST_CUT_ACCESS,        // its token, or its role in a world, was taken from it
    HOST_CUT_COUNT
};
const char *host_cut_name(enum host_cut cause); // returns one word, as in /metrics

// Why a connection did not become a session.
enum host_refusal { HOST_REFUSED_FULL, HOST_REFUSED_ADDRESS, HOST_REFUSAL_COUNT };
const char *host_refusal_name(enum host_refusal why);

struct host_sessions_options {
    struct net_loop *loop;
    struct host_registry *registry;
    uint32_t per_address;       // most sessions from one address; 0: PROTOCOL_LIMIT_SESSIONS_PER_ADDRESS
    bool loopback_too;          // also for loopback, which a proxy may use for many clients
    uint32_t grace_ms;          // how long sessions are kept without a connection, in ms; 0: they are not
    uint32_t away;              // most such sessions; 0: PROTOCOL_LIMIT_SESSIONS_AWAY
    uint32_t away_per_address;  // most for one address; 0: PROTOCOL_LIMIT_SESSIONS_AWAY_PER_ADDRESS
    struct access *access;      // tokens and roles; NULL: no tokens are asked for
    struct access_audit *audit; // NULL: no audit log
    uint32_t first_message_ms;  // time for the first message; 0: PROTOCOL_LIMIT_FIRST_MESSAGE_MS
    // A whole message has arrived. The bytes are malloc'd, and the receiver owns them.
    void (*on_message)(void *context, struct host_session *session, uint8_t *bytes, size_t size);
    // The same for a message that was taken before, because its world is at another server now. NULL: it is
    // refused.
    void (*on_again)(void *context, struct host_session *session, uint8_t *bytes, size_t size);
    void *message_context; // context of these two
    // A session has ended. NULL: not called.
    void (*on_end)(void *context, uint32_t session);
    // A session has lost its connection and is kept, or goes on with another connection; its streams have
    // ended. NULL: not called.
    void (*on_away)(void *context, uint32_t session, bool away);
    // The bytes to be sent to a session fell below half of their bound, after they exceeded it. NULL: not
    // called.
    void (*on_drained)(void *context, struct host_session *session);
    // The last session has ended after host_sessions_stop.
    void (*on_empty)(void *context);
    void *context;
};

// Creates the sessions. NULL, with a log line, if memory runs out.
struct host_sessions *host_sessions_create(const struct host_sessions_options *options);
void host_sessions_destroy(struct host_sessions *sessions); // All sessions must have ended. NULL is allowed.

// Listens at an address. False with *reason (static text). The address as bound is written to `bound`.
// limits.connections is the number of all sessions.
bool host_sessions_listen(struct host_sessions *sessions, const char *address,
                          const struct net_limits *limits, char *bound, size_t bound_size,
                          const char **reason);
// Returns the most sessions at a time: the limit, or fewer if the system allows fewer open files.
uint32_t host_sessions_most(const struct host_sessions *sessions);
// Listens for WebSockets, and HTTP beside them. After host_sessions_listen.
bool host_sessions_listen_http(struct host_sessions *sessions, const char *address,
                               const struct net_limits *limits, const struct net_http_options *http,
                               char *bound, size_t bound_size, const char **reason);
// Accepts no more sessions, and closes each one once it has the answers for which it waits, or after grace_ms. Then
// on_empty is called.
void host_sessions_stop(struct host_sessions *sessions, uint64_t grace_ms);

// NULL: it has ended.
struct host_session *host_session_find(const struct host_sessions *sessions, uint32_t id);
// Does the same, faster if ids are asked for in their order.
struct host_session *host_session_find_next(struct host_sessions *sessions, uint32_t id);
uint32_t host_sessions_count(const struct host_sessions *sessions); // number of places that are taken

struct host_sessions_stats {
    uint64_t cut[HOST_CUT_COUNT], refused[HOST_REFUSAL_COUNT];
    uint64_t notifications_ignored, requests;
    uint64_t resumed;    // sessions that went on with another connection
    uint64_t away_ended; // sessions that ended because too many were away
    uint32_t away;
    size_t kept_bytes; // bytes of answers and notices kept for sessions that come back
    uint32_t streams;
    uint32_t unanswered;   // requests that worlds have, or that are answered later
    uint64_t unsent_bytes; // bytes of replies and notifications
};
// Fills *stats. net is an array of two: for TCP, and for HTTP and WebSockets.
void host_sessions_stats(const struct host_sessions *sessions, struct host_sessions_stats *stats,
                         struct net_stats *net);

// A callback that does not come from this module (a timer, finished work, output of worlds) must use sessions only between
// these two calls.
void host_sessions_enter(struct host_sessions *sessions);
void host_sessions_leave(struct host_sessions *sessions);

// ---------------------------------------------------------------------------------------------------------
// One session

struct host_sessions *host_session_owner(const struct host_session *session);
// Returns the upload of the session, a document in pieces. NULL if memory runs out.
struct host_upload *host_session_upload(struct host_session *session);
// Writes the address from which it comes, without the port: the same for all sessions of a machine.
void host_session_peer(const struct host_session *session, char *out, size_t size);
struct world_asker host_session_asker(const struct host_session *session);
// Sets what the session says of itself. An empty user becomes "session-ID".
void host_session_introduce(struct host_session *session, const struct protocol_string *client,
                            const struct protocol_string *user, enum protocol_arrays_mode arrays,
                            enum protocol_errors_mode errors);

// Sets whether the client goes to another server itself, when it is told that a world runs there.
void host_session_set_follows(struct host_session *session, bool follows);
// Sets whether others see the session as away although it has a connection. It is for a session through which another
// server passes on the calls of a session there.
void host_session_set_away(struct host_session *session, bool away);
// Whether the client goes to another server itself.
bool host_session_follows(const struct host_session *session);
// Whether it is in no world and has no stream, so that it loses nothing by going elsewhere.
bool host_session_is_free(const struct host_session *session);

// Makes the session outlive its connection from now on, and makes the key with which another connection resumes it. msgid
// is the id of the request that asks for that. False if sessions are not kept.
bool host_session_keep(struct host_session *session, uint32_t msgid);
// Makes the session end with its connection again.
void host_session_keep_no_more(struct host_session *session);
const char *host_session_key(const struct host_session *session); // empty: it is not kept
// Returns how long sessions are kept without a connection, in seconds.
uint32_t host_sessions_grace_s(const struct host_sessions *sessions);
// Notes a request that came. repeatable: it changes nothing, so the client may send it again.
void host_session_asked(struct host_session *session, uint32_t msgid, bool repeatable);
// Ends a session that leaves, and its connection when that has sent what it has.
void host_session_leave(struct host_session *session);

// The last edit of a world that a client had seen.
struct host_seen {
    uint32_t world;
    uint64_t revision; // revision of the last world.edited that came
};
// The client's account of what it has, from session.hello {resume}.
struct host_missed {
    const uint32_t *unanswered; // ids of requests
    uint32_t unanswered_count;
    const struct host_seen *seen;
    uint32_t seen_count;
};
struct host_session *host_session_of_key(const struct host_sessions *sessions,
                                         const struct protocol_string *key); // NULL: no session has it
// Whether the client of `fresh` may go on with this session.
bool host_session_may_resume(const struct host_session *session, const struct host_session *fresh);
bool host_session_is_fresh(const struct host_session *session); // whether nothing was asked of it yet
// Gives this session the connection of the session `fresh`, which ends. Closes the old connection.
void host_session_resume(struct host_session *session, struct host_session *fresh);
// host_session_lost writes to lost[] those of the `count` requests that the client must send again: they never arrived, or
// changed nothing and have no answer kept. host_session_rejoins writes to worlds[] the worlds that must be joined again; it needs room for
// missed->seen_count + host_session_worlds. Both return the number.
uint32_t host_session_lost(const struct host_session *session, const uint32_t *msgids, uint32_t count,
                           uint32_t *lost);
uint32_t host_session_worlds(const struct host_session *session);
uint32_t host_session_rejoins(const struct host_session *session, const struct host_missed *missed,
                              uint32_t *worlds);
// Sends the answers and notices that the session missed. Called after the answer that says that it goes on.
void host_session_catch_up(struct host_session *session, const struct host_missed *missed);

// Count a request, and a notification that was ignored, for /metrics.
void host_session_count_request(struct host_session *session);
void host_session_count_ignored(struct host_session *session);

// Returns the account to which its answers are charged.
struct world_account *host_session_account(const struct host_session *session);
// Returns the bytes of its requests that worlds have.
size_t host_session_waiting_bytes(const struct host_session *session);
// Whether so many more bytes may wait in worlds for this session. False with *error: BUSY.
bool host_session_has_room(const struct host_session *session, size_t bytes, struct protocol_error *error);
// Returns the number of its requests that are not answered.
uint32_t host_session_unanswered(const struct host_session *session);
// Note that a request of so many bytes is unanswered from now on, and that it was answered.
void host_session_request_begin(struct host_session *session, size_t bytes);
void host_session_request_end(struct host_session *session, size_t bytes);
// Make later messages of this session wait from begin to end, while a worker decodes a message or an answer must come first.
void host_session_work_begin(struct host_session *session);
void host_session_work_end(struct host_session *session);

// Sends a reply; takes a reference of its own. If bytes is NULL memory ran out for them, and the session is cut.
void host_session_reply(struct host_session *session, struct base_buffer *bytes);
// Returns the session's presence in a world. NULL with *error (NOT_FOUND) if it has not joined.
struct host_present *host_session_present(const struct host_session *session, const struct host_world *world,
                                          struct protocol_error *error);
// Sends a line of text to all members. It may be shown as it is. False with *error: NOT_FOUND, LIMIT, MEMORY.
bool host_session_say(struct host_session *session, struct host_world *world,
                      const struct protocol_string *text, uint64_t *line, struct protocol_error *error);
// Sends a notification. The session is cut if too many are unsent, or if bytes is NULL: memory ran out.
void host_session_notify(struct host_session *session, struct base_buffer *bytes);
// Sends a message of another server as it came. It is not counted, so the caller must stop when
// host_session_is_filled. It is dropped while no connection carries the session.
void host_session_pass(struct host_session *session, struct base_buffer *bytes);
// Whether as much is unsent as may be. If so on_drained follows.
bool host_session_is_filled(const struct host_session *session);
// Closes the connection once the queued bytes are sent, as if it had broken. The client may resume the session, and is then
// told what to begin again.
void host_session_break(struct host_session *session, const char *reason);
// Sends `error` for something that expects no answer. At most ten a second are sent; the others are dropped.
void host_session_fault(struct host_session *session, const struct protocol_error *error, const char *method,
                        uint32_t method_size);
// Sends one last `error` and closes the connection, because its bytes are no valid stream.
void host_session_refuse(struct host_session *session, const struct protocol_error *error);
// Ends the session with a last message that tells the cause.
void host_session_cut(struct host_session *session, enum host_cut cause);
// Cuts it with HOST_CUT_MEMORY: memory ran out for what `reason` says.
void host_session_fail(struct host_session *session, const char *reason);

// The session knows the worlds that it visits. Before a request is posted, host_session_reserve must make
// room for one more (false: memory ran out). After it is posted, host_session_visit notes the world, which
// must be told when this session ends.
bool host_session_reserve(struct host_session *session);
void host_session_visit(struct host_session *session, uint32_t world);
// Notes that world.join was answered: notices come in this arrays mode, until world.leave is answered.
void host_session_joined(struct host_session *session, uint32_t world, enum protocol_arrays_mode arrays);
void host_session_left(struct host_session *session, uint32_t world);
// Sends a notice to every member, with bytes by arrays mode. lost: memory ran out for them; the members are
// cut, because a gap would be worse.
void host_sessions_notice(struct host_sessions *sessions, uint32_t world, struct base_buffer *const bytes[3],
                          bool lost);
// Keeps the notice for sessions that come back.
void host_sessions_keep_notice(struct host_sessions *sessions, struct host_world *world, uint64_t revision,
                               struct base_buffer *const bytes[3], bool lost);

// Adds a stream at stream.subscribe, and returns its id. 0: the session has as many as it may have.
uint32_t host_session_stream_add(struct host_session *session, uint32_t world);
// Makes a stream lossless that was just added. No frame is begun while `credit` bytes are not acknowledged.
void host_session_stream_lossless(struct host_session *session, uint32_t stream, size_t credit);
// Notes that its frames up to seq were taken. False: there is no such frame.
bool host_session_stream_ack(struct host_session *session, uint32_t stream, uint32_t seq);
// Lets frames of a stream be sent, because the answer to its subscription was sent.
void host_session_stream_opened(struct host_session *session, uint32_t stream);
void host_session_stream_remove(struct host_session *session, uint32_t stream); // unknown ones are ignored
// Takes the stream over from the world: the rest of its frames comes by host_session_pass. Returns how many were sent.
uint64_t host_session_stream_hand_over(struct host_session *session, uint32_t stream);
// Returns the world of a stream of this session. 0: it has no such stream.
uint32_t host_session_stream_world(const struct host_session *session, uint32_t stream);
// Queues a batch for its stream, and owns it. Batches for streams that are gone are dropped. False if the session exists
// and the stream does not.
bool host_sessions_publish(struct host_sessions *sessions, struct base_batch *batch);
// Returns the moment of the oldest batch that the stream holds. UINT64_MAX: it holds none.
uint64_t host_session_stream_moment(const struct host_session *session, uint32_t stream);
// Tells the session that frames of one of its streams could not be made, or that the stream has ended because
// of it.
void host_session_missed(struct host_session *session, const struct world_miss *miss);
// Cuts the sessions that hold the oldest frames of a world whose frame budget is used up.
void host_sessions_starve(struct host_sessions *sessions, struct host_world *world);
// Does the same for the world that holds most, when the budget of all worlds is used up.
void host_sessions_starve_most(struct host_sessions *sessions);
// Ends all streams and memberships of a world that is gone. Streams are closed with the reason.
void host_sessions_forget_world(struct host_sessions *sessions, uint32_t world, const char *reason);
// Tells all members and streams that the world runs at another server from here on, and forgets the world.
void host_sessions_moved(struct host_sessions *sessions, const struct host_world *world,
                         const struct protocol_home *home);

#endif
