// Knows which people are in a world and what others see of them: names, cameras, cursors, selections, grabs,
// whether their connection is lost. Loop thread only. No world knows of it, so it delays no edit and is part
// of no state.
//
//     presence.set ─▶ the person, version n ──every 1/30 s──▶ each member that has seen less than n (presence_tell.c)
//
// A reader that has much unsent is skipped. Only its version is remembered, so when it has read it gets the
// newest of each person and nothing in between. Nothing is queued for it.
#ifndef WEFT_HOST_PRESENCE_H
#define WEFT_HOST_PRESENCE_H

#include "protocol/generated/api.h"

#include <stdbool.h>
#include <stdint.h>

struct base_buffer;
struct protocol_error;

enum { HOST_COLOR_SIZE = 8 }; // #rrggbb

// Describes a person. Unless a token vouches for it, this is what the client says of itself, and each visit is a person of
// its own.
enum { HOST_PERSON_NAME_SIZE = 65 };

struct host_person {
    uint32_t id; // id of the session with which it came
    char name[HOST_PERSON_NAME_SIZE];
    char program[HOST_PERSON_NAME_SIZE];
};

// A person in a world.
struct host_present {
    uint32_t session;
    uint64_t version; // version of the data below; the greatest is the newest
    struct host_person person;
    char name[HOST_PERSON_NAME_SIZE];
    char color[HOST_COLOR_SIZE];
    struct protocol_presence_camera camera;
    struct protocol_presence_cursor cursor;
    struct protocol_presence_thing things[PROTOCOL_LIMIT_PRESENCE_SELECTION];
    uint32_t thing_count;
    uint32_t *grabs;
    uint32_t grab_count, grab_capacity;
    uint64_t away_ns;              // since when it is away; 0: it is here
    bool hidden;                   // it was told as gone
    bool left;                     // it is to be told as gone, and then forgotten
    struct base_buffer *packed[3]; // by arrays mode, of this version
};

// All people in a world.
struct host_presence {
    struct host_present **items; // by ascending session
    uint32_t count, capacity;
    uint64_t version; // version of the newest person
    uint64_t flushed; // all members that could be told were told up to this version
    bool behind;      // a reader was skipped
    uint64_t holds;   // version of the holds that the world told (world_holds)
    uint64_t lines;   // number of lines that were said
};

void host_presence_destroy(struct host_presence *presence); // NULL is allowed
// Finds the person of a session, unless they have left. NULL: there is none. presence may be NULL.
struct host_present *host_presence_find(const struct host_presence *presence, uint32_t session);
// Finds the person of a session, or adds one. NULL if memory runs out.
struct host_present *host_presence_come(struct host_presence *presence, uint32_t session);
void host_presence_forget(struct host_presence *presence,
                          uint32_t position); // forgets a person who has left, when that was told
// Gives the person a new version, so that it is told.
void host_presence_changed(struct host_presence *presence, struct host_present *present);
// Sets the grabs that the person holds.
void host_presence_holds(struct host_presence *presence, struct host_present *present, const uint32_t *grabs,
                         uint32_t count);
// Applies presence.set. False with *error: INVALID.
bool host_presence_set(struct host_presence *presence, struct host_present *present,
                       const struct protocol_presence_set_params *params, struct protocol_error *error);
const char *host_present_name(const struct host_present *present); // returns the name to show
// Makes world.presence of a person. NULL if memory runs out.
struct base_buffer *host_presence_pack(uint32_t world, const struct host_present *present,
                                       enum protocol_arrays_mode arrays, bool gone);

#endif
