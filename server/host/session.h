// Sessions: one for each connection, from its first byte to its last. Loop thread only.
//
// What a session may cost is bounded here: requests without an answer, unsent replies (it is held: not read),
// unsent notifications (it is cut), streams, `error` notifications.
//
// A session is valid until the outermost callback of this module that is under way returns, also when its
// connection goes in between (nothing more is sent then). Across callbacks keep its id.
#ifndef WEFT_HOST_SESSION_H
#define WEFT_HOST_SESSION_H

#include "protocol/types.h"
#include "world/world.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct base_batch;
struct base_buffer;
struct host_registry;
struct host_session;
struct host_sessions;
struct host_world;
struct net_http_options;
struct net_limits;
struct net_loop;
struct net_stats;
struct protocol_error;

struct host_sessions_options {
    struct net_loop *loop;
    struct host_registry *registry;
    // A whole message arrived; bytes are malloc'd and the receiver's.
    void (*on_message)(void *context, struct host_session *session, uint8_t *bytes, size_t size);
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
// The same for WebSockets, and HTTP beside them. After host_sessions_listen.
bool host_sessions_listen_http(struct host_sessions *sessions, const char *address,
                               const struct net_limits *limits, const struct net_http_options *http,
                               char *bound, size_t bound_size, const char **reason);
// Accepts no more, lets each session have the answers it waits for, then closes it; after grace_ms closes
// the rest. on_empty follows.
void host_sessions_stop(struct host_sessions *sessions, uint64_t grace_ms);

struct host_session *host_session_find(const struct host_sessions *sessions, uint32_t id); // NULL if gone
uint32_t host_sessions_count(const struct host_sessions *sessions);

struct host_sessions_stats {
    uint64_t cut, notifications_ignored, requests;
    uint32_t streams;
    uint32_t unanswered;   // requests that worlds have
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
const struct world_asker *host_session_asker(const struct host_session *session);
// Empty user: "session-ID".
void host_session_introduce(struct host_session *session, const struct protocol_string *client,
                            const struct protocol_string *user, enum protocol_arrays_mode arrays,
                            enum protocol_errors_mode errors);

void host_session_count_request(struct host_session *session);
void host_session_count_ignored(struct host_session *session);

// A request was given to a world, or that world is done with it.
void host_session_request_begin(struct host_session *session);
void host_session_request_end(struct host_session *session);
// While a worker decodes a message of this session, later ones wait.
void host_session_work_begin(struct host_session *session);
void host_session_work_end(struct host_session *session);

// Take a reference of bytes (NULL: there was no memory for them, the session is cut).
void host_session_reply(struct host_session *session, struct base_buffer *bytes);
void host_session_notify(struct host_session *session, struct base_buffer *bytes);
// `error` for something that expects no answer; at most ten a second, the rest is dropped.
void host_session_fault(struct host_session *session, const struct protocol_error *error, const char *method,
                        uint32_t method_size);
// The stream itself is at fault: one last `error`, then the connection closes.
void host_session_refuse(struct host_session *session, const struct protocol_error *error);
void host_session_cut(struct host_session *session, const char *reason); // it is too much, or too slow
void host_session_fail(struct host_session *session,
                       const char *reason); // cut, but the fault is the server's

// The world must hear of it when this session goes. False without memory.
bool host_session_touch(struct host_session *session, uint32_t world);
// world.join is about to be posted, in the arrays mode of now; it was answered; it ended.
void host_session_join_begin(struct host_session *session, uint32_t world);
void host_session_joined(struct host_session *session, uint32_t world, bool joined);
// bytes by arrays mode, to everyone who joined.
void host_sessions_notice(struct host_sessions *sessions, uint32_t world, struct base_buffer *const bytes[3]);

// A stream from stream.subscribe on. 0 where the session has as many as it may have.
uint32_t host_session_stream_add(struct host_session *session, uint32_t world);
void host_session_stream_opened(struct host_session *session, uint32_t stream);
void host_session_stream_remove(struct host_session *session, uint32_t stream); // unknown ones are ignored
// World of a stream of this session, 0 if it has no such stream.
uint32_t host_session_stream_world(const struct host_session *session, uint32_t stream);
// Takes the batch. Those for streams that are gone are dropped.
void host_sessions_publish(struct host_sessions *sessions, struct base_batch *batch);
// Closes connections that hold the oldest frame of a world whose frame budget is used up.
void host_sessions_starve(struct host_sessions *sessions, struct host_world *world);
// The world is gone: streams close with a reason, membership ends.
void host_sessions_forget_world(struct host_sessions *sessions, uint32_t world, const char *reason);

#endif
