// The functions of the room of time for all rooms: whether a world runs, how fast, and whether it ends. Simulation thread, unless
// stated.
#ifndef WEFT_WORLD_CLOCK_H
#define WEFT_WORLD_CLOCK_H

#include "world/world.h"

struct world_pace;
struct world_time;

// Wall time of a tick by phase, without capturing frames. It is not part of the world's state.
struct world_times {
    uint64_t mark_ns; // when the present phase began
    double phase_us[SIM_PHASE_COUNT];
    double tick_us;    // sum of phase_us
    double capture_us; // time that making its frames took
};

// How lossless streams hold a world (lossless.h).
struct world_holding {
    bool allowed; // lossless streams may hold it
    bool holds;   // the next tick waits for one
    uint32_t by;  // session that holds the world, or did in the last second; 0: none
};

// ---------------------------------------------------------------------------------------------------------
// The present turn

uint64_t world_now_ns(const struct world_time *time);      // when it began
uint64_t world_turn_number(const struct world_time *time); // its number, or that of the last one
void world_turn_count(struct world_time *time);            // begins the next one

// ---------------------------------------------------------------------------------------------------------
// Whether it runs

int world_state(const struct world_time *time); // as in world_face
void world_state_set(struct world_time *time, int state);
bool world_runs(const struct world_time *time); // whether it plays or steps
// Returns the pace at which it plays.
struct world_pace *world_pace_of(struct world_time *time);
double world_rate(const struct world_time *time); // rate of that pace
// Returns the request of the step under way. NULL: no step runs.
struct world_request *world_step_request(const struct world_time *time);
// Whether a step of this session is under way.
bool world_steps_for(const struct world_time *time, uint32_t session);
bool world_is_slowed(const struct world_time *time); // whether its ticks take longer than they may
struct world_holding *world_holding_of(struct world_time *time);
// Returns the times of the last whole tick.
const struct world_times *world_times_of(const struct world_time *time);

// ---------------------------------------------------------------------------------------------------------
// Whether it ends

bool world_is_deleted(const struct world_time *time);
void world_delete(struct world_time *time);        // pauses it for good
bool world_is_shut(const struct world_time *time); // whether the server goes down
void world_shut(struct world_time *time);
// Whether it goes on at another server. Any thread.
bool world_is_leaving(const struct world_time *time);
// Returns the server where a world that leaves goes on.
const struct protocol_home *world_home_of(const struct world_time *time);
// A tick, a batch or an undo that is running when the world ends has a grace of 250 ms, and is then abandoned.
//
// Begins the grace, because this session deletes the world; 0: because the server goes down. Loop thread.
void world_time_limit(struct world_time *time, uint32_t session);
bool world_time_is_over(const struct world_time *time); // whether the grace is over, whoever works
// Whether the grace is over for work of this session; 0: work of no session. A deletion does not end work
// that its own session asked for before.
bool world_time_is_up(const struct world_time *time, uint32_t session);
// Returns the session that deletes the world. 0: the server goes down.
uint32_t world_time_limited_by(const struct world_time *time);

// ---------------------------------------------------------------------------------------------------------
// Whether it shows the past of another (view.h)

uint32_t world_view_of(const struct world_time *time);      // id of the other world; 0: it is no view
uint32_t world_view_session(const struct world_time *time); // session that looks
bool world_view_moves(const struct world_time *time);       // whether a document waits to be shown
// Returns why a view takes no edits.
const char *world_view_read_only(const struct world_time *time);

#endif
