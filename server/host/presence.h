// Who is in a world, and what others see of them: names, cameras, cursors, selections, what they hold, whether their
// connection is lost. Loop thread only; no world knows of it, so it delays no edit and reaches no state.
//
//     presence.set ─▶ the person, version n ──every 1/30 s──▶ whoever joined and has seen less than n (presence_tell.c)
//
// A reader that has much unsent is passed over: its place is its version, so when it has read it gets the newest of each, and
// nothing in between. Nothing is queued for it.
#ifndef WEFT_HOST_PRESENCE_H
#define WEFT_HOST_PRESENCE_H

#include "host/person.h"
#include "protocol/generated/api.h"

#include <stdbool.h>
#include <stdint.h>

struct base_buffer;
struct protocol_error;

enum { HOST_COLOR_SIZE = 8 }; // #rrggbb

// Somebody in a world.
struct host_present {
    uint32_t session;
    uint64_t version; // of what is here; the greatest is the newest
    struct host_person who;
    char name[HOST_PERSON_NAME_SIZE];
    char color[HOST_COLOR_SIZE];
    struct protocol_presence_camera camera;
    struct protocol_presence_cursor cursor;
    struct protocol_presence_thing things[PROTOCOL_LIMIT_PRESENCE_SELECTION];
    uint32_t thing_count;
    uint32_t *grabs;
    uint32_t grab_count, grab_capacity;
    uint64_t away_ns;              // since when; 0: it is here
    bool hidden;                   // told as gone
    bool left;                     // to be told as gone, and then forgotten
    struct base_buffer *packed[3]; // by arrays mode, of this version
};

// All that are in a world.
struct host_presence {
    struct host_present **items; // by session
    uint32_t count, capacity;
    uint64_t version; // of the newest
    uint64_t flushed; // all that could be told were told up to here
    bool behind;      // some reader was passed over
    uint64_t holds;   // version of what the world says (world_holds)
    uint64_t lines;   // said
};

void host_presence_destroy(struct host_presence *presence); // NULL is allowed
// Who is there, and has not left. NULL: nobody of that session; presence may be NULL.
struct host_present *host_presence_find(const struct host_presence *presence, uint32_t session);
// The same, who comes if there is nobody. NULL without memory.
struct host_present *host_presence_come(struct host_presence *presence, uint32_t session);
void host_presence_forget(struct host_presence *presence,
                          uint32_t position); // who has left, and that was told
// Something is to be told of somebody.
void host_presence_changed(struct host_presence *presence, struct host_present *present);
void host_presence_holds(struct host_presence *presence, struct host_present *present, const uint32_t *grabs,
                         uint32_t count);
// What presence.set asks for. False with *error: INVALID.
bool host_presence_set(struct host_presence *presence, struct host_present *present,
                       const struct protocol_presence_set_params *params, struct protocol_error *error);
const char *host_present_name(const struct host_present *present); // to show
// world.presence of somebody; NULL without memory.
struct base_buffer *host_presence_pack(uint32_t world, const struct host_present *present,
                                       enum protocol_arrays_mode arrays, bool gone);

#endif
