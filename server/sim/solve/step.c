// One tick: the small-steps loop (Macklin et al. 2019).
//
//   for each substep:
//     flow        rest angles and solids of plastic bodies follow what is past the yield (creases.c)
//     sleep       bodies that sleep have no part in any of this, but for those that a collider wakes (sleep.h)
//     wind        what each triangle gives its corners, summed
//     predict     v += h a;  x += v h;            rigid pieces turn (rigid.c); pins and colliders move to where they are in this substep
//     bend        x += d;  v += d / h             solved bending, of the whole body at once (plate/plate.h)
//     project     iteration -> kind -> tile colour -> tile -> colour -> batch, then pressure (pressure.c), then shape matching (match.c), then grabs, then soft pins, then
//                 contacts of rigid pieces, then all other contacts; every second iteration takes the colours of bending from the last to the first
//     finish      v += (x - predicted) / h
//     damp        v by each damped constraint, in the same order
//   commit        whole coordinates take over the low words; a tick that breaks a limit gives back what was instead
//
// A sweep from the first constraint to the last one is no symmetric operator. If it does not resolve stiff bending, it
// feeds energy into bodies, whatever the precision. There and back it is symmetric and feeds none: docs/internals/sim.md. So
// edges of calm bodies are swept so (calm.c).
//
// A tick may rest after any iteration, and while contact finds pairs in one: where it is stands in the sim (substep, iteration,
// ahead; meet->left_at and what it names), not on the stack.
//
// Where nothing comes between, a finish and the next prediction are one pass over the particles.
//
// The prediction v h is rounded to quanta once and the same rounded move is compared with in the end, so a
// free particle's velocity never passes through a rounded position.
//
// Tasks of a pass touch rows of their own, and write what they find (broken limits, contacts) to their own
// chunk or tile; those are looked through in order afterwards. Nothing depends on which thread did what.

#include "base/assert.h"
#include "base/parallel.h"
#include "sim/bear/bear.h"
#include "sim/constraint/constraint.h"
#include "sim/contact/meet.h"
#include "sim/contact/pieces.h"
#include "sim/contact/pierced.h"
#include "sim/ground/ground.h"
#include "sim/long/long.h"
#include "sim/motion/motion.h"
#include "sim/plate/plate.h"
#include "sim/rigid/touching.h"
#include "sim/solve/air.h"
#include "sim/solve/push.h"
#include "sim/solve/sleep.h"
#include "sim/solve/solve.h"
#include "sim/state/kind.h"
#include "sim/state/rub.h"
#include "sim/store/store.h"
#include "sim/tell/still.h"

#include <math.h>
#include <stdio.h>

// Particles below which handing out tasks of contact costs more than it gives.
enum { PARALLEL_MIN_MEET = 512 };

// Sweeps more, in a substep, where colliders press cloth.
enum { PRESS_SWEEPS = 8 };

static void times_set(struct sim *sim)
{
    const struct sim_settings *settings = &sim->settings;
    double inv_h = (double)settings->tick_rate * settings->substeps;
    const double h = 1 / inv_h, *g = settings->gravity;
    sim->times = (struct sim_times){
        .h = (float)h,
        .inv_h = (float)inv_h,
        .inv_h2 = (float)(inv_h * inv_h),
        .h_over_q = (float)(h * sim->inv_q),
        .q_over_h = (float)(sim->q * inv_h),
        .q = (float)sim->q,
        .inv_q = (float)sim->inv_q,
        .half_density = (float)(0.5 * settings->wind.density),
        .keep = (float)(1 / (1 + settings->damping * h)),
        .loss = (float)(settings->damping * h / (1 + settings->damping * h)),
        .reach = (float)(0.5 * SIM_MOVE_MAX / ((double)settings->substeps * settings->iterations)),
        .v_out = (float)(h * sim->inv_q),
        .bounce = (float)(2 * h * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) + 4 * (sim->q * inv_h)),
    };
    for (int axis = 0; axis < 3; axis++) {
        sim->times.kick[axis] = (float)(h * settings->gravity[axis]);
        sim->times.spare[axis] =
            (float)(settings->damping * h / (1 + settings->damping * h) * h * settings->gravity[axis]);
        sim->times.wind[axis] = (float)settings->wind.velocity[axis];
    }
}

float sim_nudge(uint32_t substep, uint32_t substeps)
{
    // The step through the parts is next to the golden section of their number, and has no factor with it.
    uint64_t step = (uint64_t)(0.6180339887498949 * substeps + 0.5);
    for (uint64_t rest = 0; rest != 1; step += rest != 1) {
        uint64_t a = substeps, b = step;
        while (b != 0) {
            uint64_t left = a % b;
            a = b;
            b = left;
        }
        rest = a;
    }
    uint64_t part = (substep - 1) * step % substeps;
    return (float)((double)(2 * part + 1) / (2.0 * substeps) - 0.5);
}

static uint32_t turn_of(const struct sim *sim, uint32_t substep)
{
    double nudge = (double)sim_nudge(substep, sim->settings.substeps);
    return (uint32_t)(int32_t)(nudge * 4294967296.0);
}

// The way that a row set out to go in this substep, quanta.
static float way_of(const struct sim *sim, uint32_t row, uint32_t axis)
{
    const struct sim_times *times = &sim->times;
    float v = sim->velocities[row].v[axis] * times->keep + times->spare[axis];
    return sim->rows[row].w > 0 ? v * times->h_over_q : 0;
}

// Constraints may pull it back in this very substep: what it set out to do counts.
static void has_set_out(const struct sim *sim, struct sim_chunk *chunk)
{
    if (sim->contacts) {
        memset(sim->contacts[chunk->first_row], 0, chunk->count * sizeof *sim->contacts);
    }
    chunk->contacts = 0;
    chunk->far_row = UINT32_MAX;
    bool far = chunk->step > (float)SIM_MOVE_MAX;
    for (uint32_t row = chunk->first_row; far && row < chunk->first_row + chunk->count; row++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            if (!(sim_abs(way_of(sim, row, axis)) <= (float)SIM_MOVE_MAX) && row < chunk->far_row) {
                chunk->far_row = row;
            }
        }
    }
    if (far && chunk->far_row == UINT32_MAX) {
        chunk->far_row = chunk->first_row; // it was the wind, whose share in a damped way is not kept
    }
}

static void predict_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    struct sim_chunk *chunk = &sim->chunks[index];
    if (chunk->asleep) {
        return;
    }
    const bool blows = sim_air_blows(sim);
    if (chunk->body->pushed) {
        sim->kernels->predict_pushed[blows](sim, chunk);
    } else {
        (blows ? sim->kernels->predict_blown : sim->kernels->predict)(sim, chunk);
    }
    sim_turns_predict(sim, chunk);
    has_set_out(sim, chunk);
}

static void calm_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    const struct sim_chunk *chunk = &sim->chunks[index];
    if (chunk->asleep) {
        return;
    }
    memset(sim->predicted + chunk->first_row, 0, chunk->count * sizeof *sim->predicted);
}

static void contacts_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    if (!sim->chunks[index].asleep && !sim->chunks[index].body->rigid) {
        sim->kernels->contact(sim, &sim->chunks[index]);
    }
}

static void contacts_again_task(void *context, uint32_t index)
{
    if (sim_meet_pressed(context, ((const struct sim *)context)->chunks[index].body)) {
        contacts_task(context, index);
    }
}

static void phase_ends(const struct sim_hooks *hooks, enum sim_phase phase)
{
    if (hooks && hooks->on_phase) {
        hooks->on_phase(hooks->context, phase);
    }
}

// `ahead`: rows have set out again since.
static void has_arrived(const struct sim *sim, struct sim_chunk *chunk, bool ahead)
{
    if (!(chunk->reach > 0.999f * SIM_MOVE_MAX) && !sim->far_pins) {
        return; // none can have gone too far in this tick
    }
    for (uint32_t row = chunk->first_row; row < chunk->first_row + chunk->count; row++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            int32_t start = (int32_t)(uint32_t)(uint64_t)sim->positions[row][axis];
            int32_t since = ahead ? sim_round(way_of(sim, row, axis)) : 0;
            int32_t moved = sim_wrap_sub(sim_wrap_sub(sim->rows[row].x[axis], since), start);
            if ((moved > SIM_MOVE_MAX || moved < -SIM_MOVE_MAX) && row < chunk->bad_row) {
                chunk->bad_row = row;
            }
        }
    }
}

static void finish_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    struct sim_chunk *chunk = &sim->chunks[index];
    if (chunk->asleep) {
        return;
    }
    chunk->bad_row = chunk->far_row;
    sim->kernels->finish(sim, chunk);
    sim_turns_finish(sim, chunk);
    has_arrived(sim, chunk, false);
}

static void go_on_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    struct sim_chunk *chunk = &sim->chunks[index];
    if (chunk->asleep) {
        return;
    }
    chunk->bad_row = chunk->far_row;
    sim->kernels->go_on(sim, chunk);
    sim_turns_finish(sim, chunk);
    sim_turns_predict(sim, chunk);
    has_arrived(sim, chunk, true);
    has_set_out(sim, chunk);
}

// Before coordinates are committed: those of a tick that fails are not.
static void extent_task(void *context, uint32_t index)
{
    const struct sim *sim = context;
    struct sim_chunk *chunk = &sim->chunks[index];
    if (chunk->asleep) {
        return;
    }
    const int64_t extent = (int64_t)(sim->settings.extent * sim->inv_q);
    for (uint32_t row = chunk->first_row; row < chunk->first_row + chunk->count; row++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            const int64_t x = sim_whole(sim, row, axis, sim->rows[row].x[axis]);
            if ((x > extent || x < -extent) && row < chunk->bad_row) {
                chunk->bad_row = row;
            }
        }
    }
}

static void commit_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    const struct sim_chunk *chunk = &sim->chunks[index];
    if (sim->still) {
        sim_still_positions(sim, chunk->first_row, chunk->count);
    }
    if (chunk->asleep) {
        return;
    }
    sim_turns_commit(sim, chunk);
    for (uint32_t row = chunk->first_row; row < chunk->first_row + chunk->count; row++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            sim->positions[row][axis] = sim_whole(sim, row, axis, sim->rows[row].x[axis]);
        }
    }
}

static void give_back_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    const struct sim_chunk *chunk = &sim->chunks[index];
    if (chunk->asleep) {
        return;
    }
    memcpy(sim->velocities + chunk->first_row, sim->began + chunk->first_row,
           chunk->count * sizeof *sim->began);
    sim_turns_give_back(sim, chunk);
    for (uint32_t row = chunk->first_row; row < chunk->first_row + chunk->count; row++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            sim->rows[row].x[axis] = (int32_t)(uint32_t)(uint64_t)sim->positions[row][axis];
        }
    }
}

static void grabs_clear(struct sim *sim)
{
    for (uint32_t g = 0; g < sim->grab_count; g++) {
        memset(sim->grabs[g].multiplier, 0, sizeof sim->grabs[g].multiplier);
        memset(sim->grabs[g].left, 0, sizeof sim->grabs[g].left);
    }
}

static void substep_begins(struct sim *sim, struct base_parallel *parallel, const struct sim_hooks *hooks)
{
    sim_multipliers_clear(sim);
    sim_sides_substep(sim);
    sim_creases_flow(sim, parallel);
    sim_pressure_clear(sim);
    sim_clamps_clear(sim);
    grabs_clear(sim);
    if (!sim->ahead) {
        sim->times.next_turn = turn_of(sim, sim->substep);
    }
    sim->times.turn = sim->times.next_turn;
    sim->times.gone = (float)((double)sim->substep / sim->settings.substeps);
    sim_drives_move(sim);
    sim_shapes_move(sim, sim->substep, sim->settings.substeps);
    if (sim_air_blows(sim)) {
        sim_run_tasks(sim, parallel, sim->chunk_count, calm_task);
        sim_gusts_blow(sim, parallel);
    }
    sim_push_substep(sim, parallel);
    phase_ends(hooks, SIM_WIND);
    if (!sim->ahead) {
        sim_run_tasks(sim, parallel, sim->chunk_count, predict_task);
    }
    sim_rigid_predict(sim);
    sim_sleep_substep(sim);
    sim_pins_move(sim);
    sim_bend_solve(sim, parallel);
    phase_ends(hooks, SIM_PREDICT);
}

static void part_ends(const struct sim_hooks *hooks, enum sim_meeting_part part)
{
    if (hooks && hooks->on_meeting) {
        hooks->on_meeting(hooks->context, part);
    }
}

// One sweep hands on a push by one layer only. If a collider or a pin that moves presses layers together, what cannot follow is
// held back, and then pierced. So bodies and colliders push by turns, until half of the tests that a tick may make are made.
static void press(struct sim *sim, struct base_parallel *parallel, struct base_parallel *meeting)
{
    const struct sim_meet *meet = sim->meet;
    for (uint32_t sweep = 0; sweep < PRESS_SWEEPS; sweep++) {
        if (meet->tests_max > 0 && meet->tested > meet->tests_max / 2) {
            return;
        }
        sim_meet_push_again(sim);
        sim_run_tasks(sim, parallel, sim->chunk_count, contacts_again_task);
        sim_collide(sim, true, meeting);
        if (sim->rigids.count > 0) {
            sim_pieces_touch(sim, sweep + 1 == PRESS_SWEEPS);
        }
    }
}

// Bodies with each other and with colliders, in an iteration. False if the tick is to rest before that is done.
static bool touch(struct sim *sim, struct base_parallel *parallel, struct base_parallel *meeting,
                  const struct sim_hooks *hooks)
{
    const bool meets = sim_meet_any(sim), holds = meets && sim->meet->left_at == SIM_MEET_HOLDS;
    if (sim->settings.loads_solved && meets && !holds && sim->meet->left_at == SIM_MEET_GOES) {
        sim_bear_mark(sim, SIM_BEAR_ENDS);
    }
    if (meets && !holds) {
        if (!sim_meet_find(sim, meeting)) {
            return false;
        }
        part_ends(hooks, SIM_MEET_FIND);
        if (sim->settings.loads_solved) {
            sim_bear_solve(sim);
        }
        sim_meet_push(sim);
        part_ends(hooks, SIM_MEET_PUSH);
    }
    if (sim->shape_count > 0 && !holds) {
        sim_run_tasks(sim, parallel, sim->chunk_count, contacts_task);
        if (meets) {
            sim_collide(sim, false, meeting);
            sim_pressed_look(sim);
        }
    }
    if (meets && !holds && sim->rigids.count > 0) {
        sim_pieces_touch(sim, sim->iteration + 1 == sim->settings.iterations);
    }
    if (meets && !holds && sim_meet_pressed(sim, NULL) && sim->iteration + 1 == sim->settings.iterations) {
        press(sim, parallel, meeting);
    }
    if (meets && !holds) {
        part_ends(hooks, SIM_MEET_COLLIDE);
    }
    if (meets && sim->iteration + 1 == sim->settings.iterations) {
        if (!sim_meet_hold_back(sim, meeting)) {
            return false;
        }
        if (sim->rigids.count > 0) {
            sim_pieces_stay(sim);
        }
        if (sim->shape_count > 0 || sim->rigids.count > 0) {
            sim_pierced_look(sim);
        }
        sim_pressed_by_pins(sim);
        part_ends(hooks, SIM_MEET_HOLD);
    }
    return true;
}

// False if the tick is to rest.
static bool project(struct sim *sim, struct base_parallel *parallel, struct base_parallel *meeting,
                    const struct sim_hooks *hooks)
{
    while (sim->iteration < sim->settings.iterations) {
        if (!sim_meet_any(sim) || sim->meet->left_at == SIM_MEET_GOES) {
            sim_sweep(sim, parallel, false);
            sim->kernels->grab(sim);
            sim_rails_again(sim);
            sim_softs_solve(sim, parallel);
            if (sim->rigids.count > 0) {
                sim_rigid_meet(sim);
            }
            phase_ends(hooks, SIM_SOLVE);
        }
        const bool touched = touch(sim, parallel, meeting, hooks);
        phase_ends(hooks, SIM_CONTACTS);
        if (!touched) {
            return false;
        }
        sim->iteration++;
        if (sim_meet_over(sim)) {
            return true;
        }
        if (hooks && hooks->on_pause && hooks->on_pause(hooks->context)) {
            return false;
        }
    }
    return true;
}

// Ends a substep in which every body sleeps.
static void substep_rests(struct sim *sim, const struct sim_hooks *hooks)
{
    sim->ahead = false;
    if (hooks && hooks->on_substep) {
        hooks->on_substep(hooks->context, sim->substep);
    }
}

// From where the tick is. False if it is to rest.
static bool substeps(struct sim *sim, struct base_parallel *all, const struct sim_hooks *hooks,
                     struct sim_failure *failure)
{
    struct base_parallel *parallel = sim->particle_count >= SIM_PARALLEL_MIN ? all : NULL;
    const struct sim_settings *settings = &sim->settings;
    // Rows may set out for the next substep at once, if nothing is to be done or looked at between the two.
    bool watched = hooks && hooks->on_substep;
    bool pauses =
        sim_damped_find(sim) || sim->plastic_count > 0 || sim->pushed_count > 0 || sim->rigids.count > 0;
    for (; sim->substep <= settings->substeps; sim->substep++) {
        if (sim->iteration == 0 && !(sim_meet_any(sim) && sim->meet->left_at != SIM_MEET_GOES)) {
            substep_begins(sim, parallel, hooks);
        }
        if (sim->awake_count == 0) {
            substep_rests(sim, hooks);
            continue;
        }
        if (!project(sim, parallel, all, hooks)) {
            return false;
        }
        if (sim_meet_over(sim)) {
            sim_tick_give_up(sim, failure);
            return true;
        }
        sim->iteration = 0;
        if (sim->direct_count > 0) {
            sim_rods_look(sim);
        }
        // A world past its limits is stopped at once: going on would wrap positions.
        bool failed = sim_stretched_too_far(sim, failure);
        bool ahead = !failed && sim->substep < settings->substeps && !sim_air_blows(sim) && !pauses;
        if (ahead) {
            sim->times.next_turn = turn_of(sim, sim->substep + 1);
        }
        sim_run_tasks(sim, parallel, sim->chunk_count, ahead && !watched ? go_on_task : finish_task);
        sim_damp(sim, parallel);
        sim_rigid_finish(sim);
        phase_ends(hooks, SIM_FINISH);
        failed =
            failed || sim_gone_too_far(sim, "moved, in one tick, more than", SIM_MOVE_MAX * sim->q, failure);
        if (watched && !failed) {
            hooks->on_substep(hooks->context, sim->substep);
        }
        // A watcher sees the end of each substep by itself. The outcome is the same, even if the world fails.
        if (watched && ahead) {
            sim_run_tasks(sim, parallel, sim->chunk_count, predict_task);
        }
        sim->ahead = ahead;
        if (failed) {
            return true;
        }
    }
    return true;
}

// Makes again what follows from constraints and held particles. False without memory.
static bool settle(struct sim *sim, struct base_parallel *parallel, struct sim_failure *failure)
{
    if (sim->derived_known && sim->masses_known && sim_plates_go_on(sim, parallel)) {
        return true;
    }
    if ((sim_any_tears(sim) && !sim_tears_settle(sim)) || !sim_slides_reserve(sim) ||
        !sim_creases_settle(sim) || !sim_long_settle(sim) ||
        ((sim->settings.loads_solved || sim->bear) && !sim_bear_settle(sim)) ||
        !sim_plates_settle(sim, parallel) || (!sim->derived_known && !sim_ties_find(sim))) {
        failure->failed = true;
        snprintf(
            failure->text, sizeof failure->text,
            "no memory for the long edges, the solved bending, the slides, the creases, the sleep or the "
            "torn surfaces of its bodies");
        return false;
    }
    sim->derived_known = sim->masses_known = true;
    return true;
}

static bool softs_begin(struct sim *sim, struct sim_failure *failure)
{
    failure->failed = !sim_softs_begin(sim);
    if (failure->failed) {
        snprintf(failure->text, sizeof failure->text, "no memory for the soft pins of its bodies");
    }
    return !failure->failed;
}

// False if there is nothing to run: the world has failed where it stands.
static bool tick_begins(struct sim *sim, struct base_parallel *parallel, struct sim_failure *failure)
{
    sim->solved = false;
    times_set(sim);
    sim_rub_begin(sim);
    for (uint32_t c = 0; c < sim->chunk_count; c++) {
        sim->chunks[c].far_row = sim->chunks[c].bad_row = UINT32_MAX;
        sim->chunks[c].reach = 0;
    }
    for (uint32_t t = 0; t < sim->tile_count; t++) {
        sim->tiles[t]->longest = 0;
    }
    sim->far_pins = false;
    if (sim_placed_too_far(sim, failure)) {
        return false;
    }
    if (!settle(sim, parallel, failure) || !softs_begin(sim, failure)) {
        return false;
    }
    if (sim->rigids.count > 0 && !sim_touching_reserve(sim)) {
        failure->failed = true;
        snprintf(failure->text, sizeof failure->text, "no memory for the contacts of its rigid pieces");
        return false;
    }
    sim_air_set(sim);
    sim_sides_begin(sim);
    sim_creases_begin(sim);
    sim_drives_run(sim);
    sim_joins_begin(sim);
    sim_jointed_begin(sim);
    if (sim_any_tears(sim)) {
        sim_tears_begin(sim);
    }
    sim_pressure_begin(sim);
    sim_match_begin(sim);
    sim_clamps_begin(sim);
    if (sim->direct_count > 0) {
        sim_rods_begin(sim);
    }
    if (sim->rigids.count > 0) {
        sim_rigids_fill(sim);
        sim_touching_start(sim);
    }
    sim_sleep_begin(sim);
    sim_calm_begin(sim);
    sim_meet_begin(sim);
    sim->under_way = sim->moving = true;
    sim->substep = 1;
    sim->iteration = 0;
    sim->ahead = false;
    return true;
}

// A tick that fails has not been: all is as it was when it began, and lengths are looked at whole in the next.
static void tick_fails(struct sim *sim, struct base_parallel *parallel)
{
    sim_run_tasks(sim, parallel, sim->chunk_count, give_back_task);
    for (uint32_t t = 0; t < sim->tile_count; t++) {
        sim->tiles[t]->longest = 0;
    }
    for (uint32_t s = 0; s < sim->shape_count; s++) {
        sim->shapes[s].missed = sim->shapes[s].to;
        sim->shapes[s].has_missed = true;
    }
    grabs_clear(sim);
    sim_sides_give_back(sim);
    sim_creases_give_back(sim);
    sim_drives_give_back(sim);
    sim_sleep_give_back(sim);
    sim->solved = false;
    sim->placed = true;
    sim->times.gone = 0;
}

static void tick_ends(struct sim *sim)
{
    sim->solved = true;
    sim_pins_end(sim);
    if (sim->clamp_count > 0) {
        sim_clamps_end(sim);
    }
    for (uint32_t s = 0; s < sim->shape_count; s++) {
        sim->shapes[s].from = sim->shapes[s].to;
        sim->shapes[s].has_missed = false;
    }
    sim_drives_stop(sim);
    sim_joins_end(sim);
    sim_jointed_end(sim);
    if (sim_any_tears(sim)) {
        sim_tears_end(sim);
    }
    sim_creases_end(sim);
    if (sim->pressed_count > 0) {
        sim_pressure_end(sim);
    }
    sim_air_end(sim);
    sim_push_end(sim);
    sim_bends_end(sim);
    sim_sleep_end(sim);
}

static void finish_tick(struct sim *sim, struct base_parallel *parallel, struct sim_failure *failure)
{
    if (!failure->failed) {
        sim_run_tasks(sim, parallel, sim->chunk_count, extent_task);
        sim_gone_too_far(sim, "is farther out than the extent of", sim->settings.extent, failure);
    }
    if (failure->failed) {
        tick_fails(sim, parallel);
    } else {
        sim_run_tasks(sim, parallel, sim->chunk_count, commit_task);
        if (sim->still) {
            sim_still_positions_done(sim);
        }
        tick_ends(sim);
    }
    sim->under_way = sim->moving = false;
}

bool sim_step(struct sim *sim, struct base_parallel *parallel, const struct sim_hooks *hooks,
              struct sim_failure *failure)
{
    *failure = (struct sim_failure){0};
    BASE_ASSERT(!sim->dropped);
    bool begins = !sim->under_way;
    if (begins && !tick_begins(sim, parallel, failure)) {
        return true;
    }
    const uint32_t least = sim_meet_any(sim) ? PARALLEL_MIN_MEET : SIM_PARALLEL_MIN;
    parallel = sim->particle_count >= least ? parallel : NULL;
    if (parallel) {
        parallel->begin(parallel);
    }
    if (begins) {
        sim_seed(sim, parallel);
        sim_air_begin(sim, parallel);
        sim_push_begin(sim, parallel);
    }
    if (sim->meet) { // also if its bodies sleep: one may wake
        sim->meet->on_pause = hooks ? hooks->on_pause : NULL;
        sim->meet->pause = hooks ? hooks->context : NULL;
    }
    const bool done = substeps(sim, parallel, hooks, failure);
    if (done) {
        finish_tick(sim, parallel, failure);
    }
    if (parallel) {
        parallel->end(parallel);
    }
    return done;
}

void sim_step_drop(struct sim *sim)
{
    BASE_ASSERT(sim->under_way);
    sim->under_way = sim->moving = false;
    sim->dropped = true;
}

bool sim_at_boundary(const struct sim *sim)
{
    return !sim->under_way && !sim->dropped;
}
