// Joins the parts of a world. Each room (a folder of server/world) has one part. Its struct is in part.h of the room. Only files of
// the room and world.c, which runs the turn, include that. All others have a pointer to it, which they pass to functions of the
// room. An arrow points to a room that the other one may call:
//
//     people ◀─ answers ◀─ frames ◀─ keep ◀─ twins ◀─ time ◀─ edits ◀─ turns ◀─ world.c
//                  │          │        │       │
//                  └──────────┴────────┴───────┴──▶ what all may ask of time and keep: clock.h, durable.h
//
// Members that are not parts belong to the simulation thread that runs the turn, unless a comment says otherwise.
#ifndef WEFT_WORLD_STATE_H
#define WEFT_WORLD_STATE_H

#include "base/thread.h"
#include "document/document.h"
#include "protocol/bytes.h"
#include "world/world.h"

struct world_people;
struct world_answers;
struct world_frames;
struct world_keep;
struct world_twins;
struct world_time;
struct world_edits;
struct world_turns;

// Functions and threads that the host lends the world, as in struct world_options. They never change.
struct world_hooks {
    struct base_parallel *parallel;
    void (*on_output)(void *context);
    void (*on_input)(void *context);
    bool (*others_wait)(void *context);
    bool (*name_reserve)(void *context, const struct protocol_string *name, uint32_t *id,
                         struct protocol_error *error);
    void *context;
};

// The outside of the world as of the last turn. Any thread may read it, under face_mutex.
struct world_outside {
    struct world_face face;
    struct protocol_world_get_result get;
    char name[DOCUMENT_NAME_SIZE], reason[SIM_TEXT_MAX], read_only[WORLD_READ_ONLY_SIZE];
};

struct world {
    uint32_t id;
    struct document *document;
    struct document_constants constants; // any thread
    struct world_hooks hooks;            // any thread
    struct protocol_bytes scratch[5];    // for packing, within one function and those that it calls
    struct base_mutex face_mutex;
    struct world_outside outside; // under face_mutex

    struct world_people *people;
    struct world_answers *answers;
    struct world_frames *frames;
    struct world_keep *keep;
    struct world_twins *twins;
    struct world_time *time;
    struct world_edits *edits;
    struct world_turns *turns;
};

#endif
