// The part of a world that knows its time: state and pace, the present step, view and tick. Only files of this room and world.c see
// it. Simulation thread, unless stated.
#ifndef WEFT_WORLD_TIME_PART_H
#define WEFT_WORLD_TIME_PART_H

#include "protocol/error.h"
#include "world/time/clock.h"
#include "world/time/pace.h"
#include "world/world.h"

#include <stdatomic.h>

// The time that a world may take (pace.h).
struct world_allowance {
    uint64_t tick_ns;       // time that a tick may take; 0: no bound
    uint64_t rest_until_ns; // no tick begins before this time
    bool slowed;            // whether the world is slowed, as members were last told
};

// The present step (step.h).
struct world_step {
    struct world_request *request; // the request of world.step, owned; NULL: no step runs
    uint32_t left;                 // ticks that it still has to run
};

// A world that shows the past of another (view.h).
struct world_view {
    uint32_t of;                          // the world whose past it shows; 0: this world is not a view
    uint32_t session;                     // the session that it is for
    char read_only[WORLD_READ_ONLY_SIZE]; // why a view takes no edits
    bool moving; // a document has come, and waits until the image of the present one is finished

    // Under the world's face_mutex.
    struct document *coming, *gone; // the next document; one that is not shown any more; NULL: none
    bool stale;                     // the published state is of an earlier document
};

struct world_time {
    int state;                         // as in world_face
    bool deleted, shut;                // the world is deleted; the server goes down
    struct protocol_home home;         // the server that runs it from now on; written before `leaving` is set
    bool stands;                       // it is frozen, because another server is about to take it over
    atomic_bool stand_wanted, leaving; // set by the loop
    struct world_pace pace;
    struct world_allowance allowance;
    struct world_convergence
        *convergence; // what was found of the solver's errors (convergence.h); NULL: nothing yet
    struct world_step step;
    struct world_view view;
    struct world_holding holding;

    uint64_t now_ns; // when the present turn began
    uint64_t turn;   // number of the present turn, or of the last one
    // When the present tick has to end, finished or not; UINT64_MAX: never. Set by the loop.
    atomic_uint_least64_t tick_end_ns;
    atomic_uint tick_end_session; // session that deletes the world; 0: the server goes down
    uint64_t slice_end_ns;        // when the present tick may be asked to rest
    bool ticking;                 // a tick has begun and rests
    uint64_t ticks_run;
    // Times of the last whole tick. A tick's last substep is captured before the tick's sum is known.
    struct world_times times;
    struct world_times times_now;      // times of the present tick
    double phase_s[WORLD_PHASE_COUNT]; // seconds since the world was made
};

#endif
