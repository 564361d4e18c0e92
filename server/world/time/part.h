// The part of a world that lets time pass: its state and pace, the step, the view and the tick under way. Only files of this
// room see it, and world.c.
#ifndef WEFT_WORLD_TIME_PART_H
#define WEFT_WORLD_TIME_PART_H

#include "protocol/error.h"
#include "world/time/clock.h"
#include "world/time/pace.h"
#include "world/world.h"

#include <stdatomic.h>

// The time that a world may take (allowance.h).
struct world_allowance {
    uint64_t tick_ns;       // time that a tick may take; 0: no bound
    uint64_t rest_until_ns; // no tick begins before this time
    bool slowed;            // whether the world is slowed, as members were last told
};

// The step under way (step.h).
struct world_step {
    struct world_request *request; // NULL: no step runs
    uint32_t left;
};

// A world that shows the past of another (view.h).
struct world_view {
    uint32_t of;      // world whose past it shows; 0: this world is no view
    uint32_t session; // session that looks
    char read_only[WORLD_READ_ONLY_SIZE];
    bool moving; // a document has come, and waits for an image that is made of this one

    // Under the world's face_mutex.
    struct document *coming, *gone;
    bool stale; // what the world has published is of an earlier document
};

struct world_time {
    int state; // as in world_face
    bool deleted, shut;
    struct protocol_home home;         // where it goes on; written before `leaving` is set
    bool stands;                       // it stands still, because another server is to go on with it
    atomic_bool stand_wanted, leaving; // set by the loop
    struct world_pace pace;
    struct world_allowance allowance;
    struct world_step step;
    struct world_view view;
    struct world_holding holding;

    uint64_t now_ns; // time of the turn under way
    uint64_t turn;   // number of the turn under way, or of the last one
    // When the tick under way has to end, finished or not; UINT64_MAX: never. Set by the loop.
    atomic_uint_least64_t tick_end_ns;
    atomic_uint tick_end_session; // session that deletes the world; 0: the server goes down
    uint64_t slice_end_ns;        // when the slice of the tick under way has to end
    bool ticking;                 // a tick has begun and rests
    uint64_t ticks_run;
    // Times of the last whole tick. A tick's last substep is captured before the tick's sum is known.
    struct world_times times;
    struct world_times times_now;      // times of the tick under way
    double phase_s[WORLD_PHASE_COUNT]; // seconds since the world was made
};

#endif
