// Keeps what sessions ask of a world that is about to go on at another server, until it has left this one.
// Loop thread only.
//
//     asked before it left ──refused by the world──▶ first ─┐
//     asked since ──────────────────────────────────▶ then ─┴─ the world is gone ──▶ asked again, in this order
//
// So the requests of a session keep their order. This is only for sessions that do not go to the other server
// themselves.
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
    size_t charged; // bytes that the session is charged for it
    uint8_t *bytes; // the message, owned
    size_t size;
};

struct host_leaving {
    struct host_left *first, *first_last, *then, *then_last;
};

// Keeps a request that the world has refused, and takes its bytes (malloc'd). The session stays charged for
// it until it is asked again. False if memory runs out: the bytes are freed.
bool host_leaving_refused(struct host_leaving *leaving, uint32_t session, uint8_t *bytes, size_t size,
                          size_t charged);
// Does the same for a request that came later.
bool host_leaving_keep(struct host_leaving *leaving, uint32_t session, uint8_t *bytes, size_t size);
// Does the same with a copy, and charges the session for it. False: memory ran out, or the session has no
// room.
bool host_leaving_asked(struct host_leaving *leaving, struct host_session *session, const uint8_t *bytes,
                        size_t size);
// Asks all of them again. The world must be out of the registry.
void host_leaving_ask(struct host_leaving *leaving, struct host_sessions *sessions);
void host_leaving_deinit(struct host_leaving *leaving);

#endif
