// What sessions ask of a world that is about to go on at another server, until it is gone from here. Loop thread only.
//
//     asked before it left ──refused by the world──▶ first ─┐
//     asked since ──────────────────────────────────▶ then ─┴─ the world is gone ──▶ asked again, in this order
//
// So what a session asks keeps its order. Only for sessions that do not go to the other server themselves.
#ifndef WEFT_HOST_LEAVING_H
#define WEFT_HOST_LEAVING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct host_session;
struct host_sessions;
struct host_world;

struct host_left {
    struct host_left *next;
    uint32_t session;
    size_t charged; // that the session is charged for it
    uint8_t *bytes; // the message, owned
    size_t size;
};

struct host_leaving {
    struct host_left *first, *first_last, *then, *then_last;
};

// Takes the bytes (malloc'd); the session stays charged for its request until it is asked again. False without memory: the
// bytes are gone.
bool host_leaving_refused(struct host_leaving *leaving, uint32_t session, uint8_t *bytes, size_t size,
                          size_t charged);
// Takes the bytes of what was asked since, likewise.
bool host_leaving_keep(struct host_leaving *leaving, uint32_t session, uint8_t *bytes, size_t size);
// The same of a copy, and charges the session for them. False: no memory, or the session has no room.
bool host_leaving_asked(struct host_leaving *leaving, struct host_session *session, const uint8_t *bytes,
                        size_t size);
// All of it is asked again. The world must be out of the registry.
void host_leaving_ask(struct host_leaving *leaving, struct host_sessions *sessions);
void host_leaving_deinit(struct host_leaving *leaving);

#endif
