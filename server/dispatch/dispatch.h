// From a message to its answer, or to the inbox of the world it is for. Loop thread only.
#ifndef WEFT_DISPATCH_DISPATCH_H
#define WEFT_DISPATCH_DISPATCH_H

#include <stddef.h>
#include <stdint.h>

struct base_buffer;
struct dispatch;
struct dispatch_server;
struct host_lease;
struct host_registry;
struct host_session;
struct host_sessions;
struct net_loop;

// What the options made of the limits of api.json.
struct dispatch_limits {
    uint64_t message_bytes, lossless_bytes, server_frame_bytes;
    uint32_t sessions, sessions_per_address, worlds, tick_ms, hold_ms, session_grace;
    uint64_t person_messages, person_bytes, person_edits, person_worlds, person_bodies, person_particles,
        person_constraints, person_poses;
};

// NULL, with a log line, without memory.
struct dispatch *dispatch_create(struct net_loop *loop, struct host_registry *registry, uint32_t threads,
                                 const struct dispatch_limits *limits);
void dispatch_destroy(struct dispatch *dispatch); // when the loop has ended; NULL is allowed

// This server is one of several that share worlds.
void dispatch_join(struct dispatch *dispatch, struct host_lease *lease);
// For dispatch_access_start.
struct dispatch_server *dispatch_server_of(struct dispatch *dispatch);

// One message of a session; takes the bytes (malloc'd). context is the dispatch. As
// host_sessions_options.on_message wants it.
void dispatch_message(void *context, struct host_session *session, uint8_t *bytes, size_t size);

// The same of one that came before, and is not answered: it was for another server then.
void dispatch_again(void *context, struct host_session *session, uint8_t *bytes, size_t size);

// Texts of /metrics and /healthz. One reference; NULL without memory. *status is 503 when the server goes
// down.
struct base_buffer *dispatch_metrics(const struct dispatch *dispatch, const struct host_sessions *sessions);
struct base_buffer *dispatch_health(const struct dispatch *dispatch, int *status);

// Of a session that has ended: what is done for it is given up.
void dispatch_session_ended(struct dispatch *dispatch, uint32_t session);

// No world is made from now on.
void dispatch_stop(struct dispatch *dispatch);

#endif
