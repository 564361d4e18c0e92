// A tick: what its parts share.
#ifndef WEFT_SIM_SOLVE_SOLVE_H
#define WEFT_SIM_SOLVE_SOLVE_H

#include "base/parallel.h"
#include "sim/state/state.h"

// Particles below which handing out tasks of the solver costs more than it gives.
enum { SIM_PARALLEL_MIN = 4096 };

// limits.c
// Each fills *failure and returns true where a limit is broken: by a row that its chunk holds for bad; by a
// constraint of a tile, as lengths were in this substep; by one whose particles were placed since the last tick.
bool sim_gone_too_far(const struct sim *sim, const char *what, double limit, struct sim_failure *failure);
bool sim_stretched_too_far(const struct sim *sim, struct sim_failure *failure);
bool sim_placed_too_far(struct sim *sim, struct sim_failure *failure);

// give_up.c
// A tick has tested too many pairs, and fails: says which body is to blame.
void sim_tick_give_up(struct sim *sim, struct sim_failure *failure);

// tear.c
// Each of these is for worlds in which some body can tear. They begin and end a tick; bodies tear when it ends.
void sim_tears_begin(struct sim *sim);
void sim_tears_end(struct sim *sim);
// Makes what contact sees of torn bodies again. False without memory.
bool sim_tears_settle(struct sim *sim);

static inline bool sim_any_tears(const struct sim *sim)
{
    bool any = false;
    for (uint32_t b = 0; b < sim->body_count && !any; b++) {
        any = sim->bodies[b]->torn != NULL;
    }
    return any;
}

// sweep.c
// Solves all constraints once, in their order. again: forces are found again, and this is the last substep's sweep once more.
void sim_sweep(struct sim *sim, struct base_parallel *parallel, bool again);
bool sim_damped_find(struct sim *sim); // whether anything is damped in this tick
// Takes from velocities what damped constraints take, after a call of sim_damped_find in this tick.
void sim_damp(struct sim *sim, struct base_parallel *parallel);
void sim_gusts_blow(struct sim *sim, struct base_parallel *parallel); // wind of the triangles in this substep
void sim_rails_again(struct sim *sim); // puts rings that grabs have pulled off their rails back
void sim_solve_once(struct sim *sim);  // forces are found again, by this thread

// calm.c
void sim_calm_begin(struct sim *sim); // finds which bodies are calm in the tick that begins

// stretch.c
// If settings.long_edges is set, these run before and after the sweep over all constraints, in each iteration.
void sim_long_solve(struct sim *sim, struct base_parallel *parallel);
void sim_long_turn(struct sim *sim,
                   struct base_parallel *parallel); // of calm bodies, between both ways of a sweep
void sim_limits_solve(struct sim *sim, struct base_parallel *parallel);

// bend.c
// If settings.bending_solved is set, this adds to the prediction what the bending of whole bodies does to it.
void sim_bend_solve(struct sim *sim, struct base_parallel *parallel);

// pressure.c
// Each function here that has a twin named _all costs next to nothing in a world without pressure.
void sim_pressure_clear_all(struct sim *sim);
void sim_pressure_solve_all(struct sim *sim, struct base_parallel *parallel);

// Begins a tick.
static inline void sim_pressure_begin(struct sim *sim)
{
    sim->pressed_count = 0;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        sim->pressed_count += sim->bodies[b]->pressure.model != SIM_PRESSURE_NONE;
    }
}

// Begins a substep.
static inline void sim_pressure_clear(struct sim *sim)
{
    if (sim->pressed_count > 0) {
        sim_pressure_clear_all(sim);
    }
}

// After the sweep over all constraints, in each iteration.
static inline void sim_pressure_solve(struct sim *sim, struct base_parallel *parallel)
{
    if (sim->pressed_count > 0) {
        sim_pressure_solve_all(sim, parallel);
    }
}

// These are for worlds with pressure. The first ends a tick that did not fail: what changes over a time goes on. The others come
// before and after forces are found again: multipliers of the last substep are kept.
void sim_pressure_end(struct sim *sim);
void sim_pressure_again(struct sim *sim);
void sim_pressure_again_over(struct sim *sim);

// match.c
// Shape matching. Each function here that has a twin named _all costs next to nothing in a world without.
void sim_match_begin_all(struct sim *sim);
void sim_match_solve_all(struct sim *sim, struct base_parallel *parallel);
// For worlds with shape matching, before and after forces are found again: what bodies were drawn by in the last substep is kept.
void sim_match_again(struct sim *sim);
void sim_match_again_over(struct sim *sim);

// Begins a tick.
static inline void sim_match_begin(struct sim *sim)
{
    sim->matched_count = 0;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        sim->matched_count += sim->bodies[b]->matching.model != SIM_MATCH_NONE;
    }
    if (sim->matched_count > 0) {
        sim_match_begin_all(sim);
    }
}

// After the sweep over all constraints, and pressure, in each iteration.
static inline void sim_match_solve(struct sim *sim, struct base_parallel *parallel)
{
    if (sim->matched_count > 0) {
        sim_match_solve_all(sim, parallel);
    }
}

// steady.c
void sim_steady_sweep_all(struct sim *sim);
void sim_steady_loose(struct sim *sim, const struct sim_stage *stage, bool over);
void sim_steady_take_all(struct sim *sim, struct base_parallel *parallel, bool again);

// Before a sweep, around each of its stages, and at its end: takes back what it moved and turned a body by that nothing holds. A
// stage of loose constraints is left out of that, for it may well move a body. again: forces are found again, and velocities stay
// as they are.
static inline void sim_steady_sweep(struct sim *sim)
{
    if ((sim->pressed_count | sim->matched_count) > 0) {
        sim_steady_sweep_all(sim);
    }
}

static inline void sim_steady_stage(struct sim *sim, const struct sim_stage *stage, bool over)
{
    if ((sim->pressed_count | sim->matched_count) > 0) {
        sim_steady_loose(sim, stage, over);
    }
}

static inline void sim_steady_take(struct sim *sim, struct base_parallel *parallel, bool again)
{
    if ((sim->pressed_count | sim->matched_count) > 0) {
        sim_steady_take_all(sim, parallel, again);
    }
}

// Tasks 0 ... count - 1, on this thread if parallel is NULL.
static inline void sim_run_tasks(struct sim *sim, struct base_parallel *parallel, uint32_t count,
                                 base_task task)
{
    if (parallel && count > 1) {
        parallel->run(parallel, count, task, sim);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        task(sim, i);
    }
}

// join.c
// Begins a tick: forgets what joins carried, and tells bodies that they are sewn. The end of a tick that did not fail:
// moves the rest lengths of joins on, and lets those part whose force was above their limit.
void sim_joins_begin(struct sim *sim);
void sim_joins_end(struct sim *sim);

// seed.c
// Begins a tick: finds the seeds of bodies and of loose constraints, and keeps the velocities that it begins with.
void sim_seed(struct sim *sim, struct base_parallel *parallel);

// turn.c
// A chunk of a body that has orientations: keeps what the tick began with, sets out, arrives, gives each orientation the sign that it
// has between ticks, and gives back what was kept. Others do nothing.
void sim_turns_begin(struct sim *sim, const struct sim_chunk *chunk);
void sim_turns_predict(struct sim *sim, const struct sim_chunk *chunk);
void sim_turns_finish(struct sim *sim, const struct sim_chunk *chunk);
void sim_turns_commit(struct sim *sim, const struct sim_chunk *chunk);
void sim_turns_give_back(struct sim *sim, const struct sim_chunk *chunk);

// jointed.c
void sim_jointed_begin_all(struct sim *sim);
void sim_jointed_end_all(struct sim *sim);

// Before and after the substeps of a tick. A world without joints pays nothing.
static inline void sim_jointed_begin(struct sim *sim)
{
    if (sim->loose[SIM_JOINT].order_count > 0) {
        sim_jointed_begin_all(sim);
    } else {
        sim->jointed_count = 0;
    }
}

static inline void sim_jointed_end(struct sim *sim)
{
    if (sim->loose[SIM_JOINT].order_count > 0) {
        sim_jointed_end_all(sim);
    }
}

// rigid.c
void sim_rigid_predict_all(struct sim *sim);
void sim_rigid_finish_all(struct sim *sim);
// Before and after forces are found again: what orientations lack is kept.
void sim_rigids_again(struct sim *sim, bool begins);

// Pieces turn when rows have set out; and they keep what turned them when rows have arrived. A world without pieces pays nothing.
static inline void sim_rigid_predict(struct sim *sim)
{
    if (sim->rigids.count > 0) {
        sim_rigid_predict_all(sim);
    }
}

static inline void sim_rigid_finish(struct sim *sim)
{
    if (sim->rigids.count > 0) {
        sim_rigid_finish_all(sim);
    }
}

// rigid_meet.c
void sim_rigid_meet(struct sim *sim);   // in an iteration, before contact of bodies: pieces push each other
void sim_rigid_bounce(struct sim *sim); // when a substep is over: what contact does to velocities and momenta

// flow.c
// Rests of plastic rods: whether there are some, and how they flow before a substep sets out.
bool sim_flows(const struct sim_body *body);
void sim_rods_flow(struct sim *sim, struct base_parallel *parallel);

// rod_direct.c: rods whose chains are solved directly
struct sim_pin;
void sim_rods_begin(struct sim *sim); // begins a tick, after sim_clamps_begin
void sim_rods_look(
    struct sim
        *sim); // finds the tensions with which the next substep begins, when constraints of this one are done
void sim_rods_solve_all(struct sim *sim, struct base_parallel *parallel);

// After the sweep over all other constraints, in each iteration.
static inline void sim_rods_solve(struct sim *sim, struct base_parallel *parallel)
{
    if (sim->direct_count > 0) {
        sim_rods_solve_all(sim, parallel);
    }
}

// clamps.c
// Fills the orientation that the pin's clamp has in this substep, x, y, z, w.
void sim_clamp_frame(const struct sim *sim, const struct sim_pin *pin, float frame[4]);
void sim_clamps_begin(struct sim *sim); // begins a tick; pins.c, because every world asks it
void sim_clamps_clear_all(struct sim *sim);
void sim_clamps_solve_all(struct sim *sim);
void sim_clamps_end(struct sim *sim); // ends a tick that did not fail

// Begins a substep.
static inline void sim_clamps_clear(struct sim *sim)
{
    if (sim->clamp_count > 0) {
        sim_clamps_clear_all(sim);
    }
}

// After the sweep over all constraints, in each iteration.
static inline void sim_clamps_solve(struct sim *sim)
{
    if (sim->clamp_count > 0) {
        sim_clamps_solve_all(sim);
    }
}

// creases.c
bool sim_creases_settle(struct sim *sim); // finds the bodies that are plastic; false without memory
void sim_creases_begin(struct sim *sim);  // a tick begins: keeps what may flow
void sim_creases_flow(struct sim *sim, struct base_parallel *parallel); // before a substep sets out
void sim_creases_end(struct sim *sim);                                  // of a tick that did not fail
void sim_creases_give_back(struct sim *sim);                            // as when the tick began
// pins.c
// Begins a tick: lays out the soft pins. False without memory.
bool sim_softs_begin(struct sim *sim);
// In a substep, after the prediction: hard pins go where their targets are, and soft ones learn where theirs are.
void sim_pins_move(struct sim *sim);
void sim_softs_solve(struct sim *sim,
                     struct base_parallel *parallel); // in an iteration, after constraints and grabs
void sim_pins_end(struct sim *sim);                   // the end of a tick that did not fail

// sides.c
void sim_sides_begin(struct sim *sim);      // keeps what the tick begins with,
void sim_sides_substep(struct sim *sim);    // and what the substep begins with
void sim_sides_give_back(struct sim *sim);  // as when the tick began
void sim_sides_again(struct sim *sim);      // as when the last substep began, until the next function
void sim_sides_again_over(struct sim *sim); // puts back what they were before that

// step.c
// What substep 1 ... substeps adds to a correction before it is rounded, quanta: the middles of as many equal
// parts of (-0.5, 0.5), in an order whose neighbours lie far apart (steps of the golden section of their
// number). They are the same in every tick, so that they are no state, and their sum is zero.
float sim_nudge(uint32_t substep, uint32_t substeps);

// carry.c
// Gathers, transposes and puts back the rows of all constraints, in the order of so many sweeps and with the
// threads of a tick, and changes nothing: what this machine needs for them without the arithmetic.
void sim_carry(struct sim *sim, struct base_parallel *parallel, uint32_t sweeps);

#endif
