// Shared by the files of the scenario relay:
//
//     scenario_relay.c   the run: weathers, one after another, and what is looked at when all is well again
//     relay_weather.c    what goes wrong, and what is known of it
//     relay_people.c     people who ask any server for any world, several things at a time, and check what they are told
//     relay_wire.c       what is seen of the messages between servers
#ifndef WEFT_SIMULATOR_RELAY_SCENE_H
#define WEFT_SIMULATOR_RELAY_SCENE_H

#include "nodes.h"
#include "scenario.h"

#include "base/thread.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    RELAY_CALLERS = 3,
    RELAY_WORLDS = NODES, // each server has one at first
    RELAY_CALLS = 8,
    RELAY_STREAMS = 3,
    RELAY_EDITS = 1024,
    RELAY_WEATHERS = 8,
    RELAY_SEEN = 1 << 16,
    RELAY_MS = 1000000,
};

// An edit, which is sent again with its edit_id as long as nobody knows whether it was made.
struct relay_edit {
    uint32_t world, attempts;
    uint32_t crossings;     // that it was sent from one server to another
    bool unknown, answered; // of any attempt
    uint64_t revision;
    uint32_t in_log;
};

enum relay_kind {
    RELAY_CALM,   // worlds move, and nothing goes wrong
    RELAY_SILENT, // one server says nothing; the others and their worlds are well
    RELAY_STORM,  // anything
};

struct relay_weather {
    enum relay_kind kind;
    uint64_t begin_ns, end_ns; // end: UINT64_MAX, as long as it lasts
    uint32_t silent;           // server
    bool hangs;                // or its machine is gone; else only its connections to other servers are cut
    uint32_t owners[RELAY_WORLDS];   // at first: their servers
    uint64_t taken_ns[RELAY_WORLDS]; // by another server, as all but the silent one know; UINT64_MAX: not yet
};

struct relay_scene {
    struct node nodes[NODES];
    uint64_t random;
    uint32_t ids[RELAY_WORLDS];
    uint64_t moved_ns[RELAY_WORLDS]; // last
    struct relay_edit edits[RELAY_EDITS];
    uint32_t edit_count;
    struct relay_weather weathers[RELAY_WEATHERS];
    uint32_t weather; // that is now
    bool over;
    bool breaks;               // connections break under some of what is asked, and others beside them stay
    uint64_t seen[RELAY_SEEN]; // hashes of frames that passed between servers; 0: none
    uint32_t seen_count;
    uint64_t inputs, answered, refused, lost, crossed, hops, frames, passed_frames, taken;
    struct scenario_verdict verdict;
};

enum relay_what {
    RELAY_EDIT,
    RELAY_QUERY,
    RELAY_STEP,
    RELAY_SUBSCRIBE,
    RELAY_OF_STREAM, // set, unsubscribe
};

struct relay_call {
    uint32_t msgid;
    enum relay_what what;
    uint32_t world, weather;
    uint32_t kind; // SUBSCRIBE: of the stream
    uint64_t asked_ns, number;
    struct relay_edit *edit;
    bool again; // EDIT: not for the first time
};

struct relay_stream {
    uint32_t id; // 0: none
    uint32_t kind, world;
    bool passed, shared; // its frames come from another server; in its form for many
    uint32_t seq;
    uint64_t tick;
};

struct relay_caller {
    struct person person; // first
    struct relay_scene *scene;
    struct base_thread thread;
    uint64_t random;
    bool follows;
    bool
        watches; // it has, or asked for, a stream over this connection, which may be lost with another server
    uint32_t door;
    struct relay_call calls[RELAY_CALLS];
    uint32_t call_count;
    uint64_t asked;                   // calls, in their order
    uint64_t last_call[RELAY_WORLDS]; // whose result came
    uint64_t revisions[RELAY_WORLDS]; // that a result told
    struct relay_stream streams[RELAY_STREAMS];
    struct relay_edit *edit; // that is to be sent again
};

struct relay_weather *relay_weather_now(struct relay_scene *scene);
void relay_weather_run(struct relay_scene *scene, enum relay_kind kind);
bool relay_weather_settle(
    struct relay_scene *scene); // until every server answers for every world; false: it failed

void relay_caller_act(void *caller); // until the scene is over
// Whether it was told in time, and rightly. outcome: NOTHING: the connection was lost, or nothing came.
void relay_call_judge(struct relay_caller *caller, const struct relay_call *call, enum outcome outcome);

// As wires_start wants it.
bool relay_wire_look(void *scene, uint32_t from, uint32_t to, bool asks, const uint8_t *bytes, size_t size);
// A frame or records that a person was sent. Whether it passed between servers: as it is but for the stream's id; or (shared) but for
// its whole head.
bool relay_wire_saw(struct relay_scene *scene, const uint8_t *bytes, size_t size, bool shared);

#endif
