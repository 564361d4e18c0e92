// Multipliers of the last substep, found again when a caller asks for them.
//
// Where one iteration a substep is enough the solve neither needs nor keeps them. What it began with is still there:
// the positions that were predicted, and those before. So it is done once more, on rows aside, with the kernels that
// keep multipliers; of the sim nothing changes. Grabs and contacts come after the constraints of an iteration and
// have no part in it.
//
// With several iterations sleepers keep the multipliers of their last substep (ground/resting.c).
//
// What a body that sleeps was predicted to in its last substep is still there, too. If an image made it, there was none: then
// gravity alone says where it sets out to.

#include "base/grow.h"
#include "sim/constraint/constraint.h"
#include "sim/ground/ground.h"
#include "sim/long/carried.h"
#include "sim/solve/sleep.h"
#include "sim/solve/solve.h"
#include "sim/store/store.h"

#include <stdlib.h>

// Whether the body has taken no substep since it was made, by an image for example.
static bool is_fresh(const struct sim *sim, const struct sim_body *body)
{
    bool fresh = true;
    for (uint32_t row = body->first_row; row < body->first_row + body->count && fresh; row++) {
        fresh = memcmp(sim->predicted[row].x, sim->rows[row].x, sizeof sim->rows[row].x) == 0;
    }
    return fresh;
}

// Moves rows to where gravity would take them if their body woke. Wind is left out.
static void set_out(const struct sim *sim, const struct sim_body *body, struct sim_row *rows)
{
    for (uint32_t row = body->first_row; row < body->first_row + body->count; row++) {
        for (int axis = 0; axis < 3 && rows[row].w > 0; axis++) {
            const int32_t way = (int32_t)(sim->times.kick[axis] * sim->times.h_over_q);
            rows[row].x[axis] = sim_wrap_add(rows[row].x[axis], way);
        }
    }
}

// The bodies of which forces are asked for.
struct chosen {
    const uint32_t *bodies; // NULL: all
    uint32_t count;
    bool fresh; // only those that sleep and have taken no substep
};

// Bodies that loose constraints join are solved together: the one with the least id has their mark.
static struct sim_body *head_of(const struct sim *sim, struct sim_body *body)
{
    struct sim_body *head = body->tie != 0 ? sim_body_find(sim, body->tie) : NULL;
    return head ? head : body;
}

// Chosen bodies are awake for a while, and all others asleep. `slept` keeps what they are. Returns how many are chosen, and adds
// the visits that a solve of them takes.
static uint32_t choose(struct sim *sim, const struct chosen *chosen, bool *slept, uint64_t *visits)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        slept[b] = body->asleep;
        body->tie_mark = !chosen->bodies;
    }
    for (uint32_t i = 0; chosen->bodies && i < chosen->count; i++) {
        struct sim_body *body = sim_body_find(sim, chosen->bodies[i]);
        if (body) {
            head_of(sim, body)->tie_mark = true;
        }
    }
    // A body of fixed particles looks as if it had taken no substep, so what it is joined with decides as well.
    for (uint32_t b = 0; chosen->fresh && b < sim->body_count; b++) {
        struct sim_body *head = head_of(sim, sim->bodies[b]);
        head->tie_mark = head->tie_mark && slept[b] && is_fresh(sim, sim->bodies[b]);
    }
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        body->asleep = !head_of(sim, body)->tie_mark;
        count += !body->asleep;
        for (int kind = 0; !body->asleep && kind < SIM_KIND_COUNT; kind++) {
            *visits += (uint64_t)body->live_count[kind] * sim->settings.iterations;
        }
    }
    return count;
}

static void choose_end(struct sim *sim, const bool *slept)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        sim->bodies[b]->asleep = slept[b];
    }
    sim_rest_mark(sim);
}

// All iterations of the last substep, as if contact and grabs did nothing between them. Only bodies that are awake take part.
// turns: NULL if no body has orientations.
static void solve_again(struct sim *sim, struct sim_row *rows, struct sim_turn *turns, const bool *slept)
{
    struct sim_row *own = sim->rows;
    struct sim_turn *own_turns = sim->turns;
    const uint32_t substep = sim->substep, iteration = sim->iteration;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        const struct sim_body *body = sim->bodies[b];
        if (body->asleep) {
            continue;
        }
        memcpy(rows + body->first_row, sim->predicted + body->first_row, body->count * sizeof *rows);
        if (body->turned) {
            memcpy(turns + body->first_row, sim->turned + body->first_row, body->count * sizeof *turns);
        }
        if (slept[b] && is_fresh(sim, body)) {
            set_out(sim, body, rows);
        }
    }
    sim_rest_mark(sim);
    sim_multipliers_clear(sim);
    sim_clamps_clear(sim);
    if (sim->direct_count > 0) {
        sim_rods_begin(sim);
    }
    sim_sides_again(sim);
    sim_pressure_begin(sim);
    sim_match_begin(sim);
    if (sim->pressed_count > 0) {
        sim_pressure_again(sim);
    }
    if (sim->matched_count > 0) {
        sim_match_again(sim);
    }
    if (sim->rigids.count > 0) {
        sim_rigids_again(sim, true);
    }
    sim->turns = turns ? turns : own_turns;
    sim->rows = rows; // those that are not particles' are zero, as they are in the sim
    sim->substep = sim->settings.substeps;
    for (sim->iteration = 0; sim->iteration < sim->settings.iterations; sim->iteration++) {
        sim_solve_once(sim);
    }
    sim->substep = substep;
    sim->iteration = iteration;
    sim->rows = own;
    if (sim->matched_count > 0) {
        sim_match_again_over(sim);
    }
    sim->turns = own_turns;
    if (sim->rigids.count > 0) {
        sim_rigids_again(sim, false);
    }
    if (sim->pressed_count > 0) {
        sim_pressure_again_over(sim);
    }
    sim_sides_again_over(sim);
}

// Rows for that, of which all are zero. False without memory.
static bool rows_create(const struct sim *sim, struct sim_row **rows, struct sim_turn **turns)
{
    return base_grow((void **)rows, sim->row_capacity * sizeof **rows) &&
           (!sim->spins || base_grow((void **)turns, sim->row_capacity * sizeof **turns));
}

// With several iterations they are there, except those of sleepers that an image made.
static enum fault_code multipliers_find(struct sim *sim, const struct chosen *given, struct sim_forces *found,
                                        struct fault *fault)
{
    struct sim_row *rows = NULL;
    struct sim_turn *turns = NULL;
    found->hold = sim->solved;
    if (!sim->solved) {
        return FAULT_NONE;
    }
    const bool kept = sim->settings.iterations > 1;
    const struct chosen chosen = {given->bodies, given->count, kept};
    enum fault_code status = kept ? FAULT_NONE : sim_multipliers_keep(sim, true, fault);
    bool *slept = calloc(sim->body_count + (size_t)1, sizeof *slept);
    if (status == FAULT_NONE && !slept) {
        status = sim_fault_memory(fault);
    }
    if (status == FAULT_NONE && choose(sim, &chosen, slept, &found->visits) > 0) {
        if (rows_create(sim, &rows, &turns)) {
            solve_again(sim, rows, turns, slept);
        } else {
            status = sim_fault_memory(fault);
        }
    }
    if (slept) {
        choose_end(sim, slept);
    }
    if (status != FAULT_NONE) {
        sim_multipliers_drop(sim);
    }
    base_grow_free(rows);
    base_grow_free(turns);
    free(slept);
    return status;
}

enum fault_code sim_multipliers_find(struct sim *sim, bool *hold, struct fault *fault)
{
    struct sim_forces found = {0};
    const enum fault_code status = multipliers_find(sim, &(struct chosen){0}, &found, fault);
    *hold = found.hold;
    return status;
}

// Multipliers that are kept, aside: those of several iterations are more exact than what is found again.
static size_t kept_count(const struct sim *sim)
{
    size_t count = 0;
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        const struct sim_store *store = &sim->stores[kind];
        for (uint32_t s = 0; store->keeps && s < store->shelf_count; s++) {
            count += (size_t)store->shelves[s].used * store->multiplier_count * SIM_LANES;
        }
    }
    return count;
}

static void kept_copy(struct sim *sim, float *aside, bool back)
{
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        const struct sim_store *store = &sim->stores[kind];
        for (uint32_t s = 0; store->keeps && s < store->shelf_count; s++) {
            const size_t count = (size_t)store->shelves[s].used * store->multiplier_count * SIM_LANES;
            float *own = store->shelves[s].multipliers;
            if (count > 0) {
                memcpy(back ? own : aside, back ? aside : own, count * sizeof *own);
            }
            aside += count;
        }
    }
}

static enum fault_code carried_find(struct sim *sim, const struct chosen *chosen, struct sim_forces *found,
                                    struct fault *fault)
{
    if (!sim->solved || !sim->settings.long_edges || sim->carried) {
        return FAULT_NONE;
    }
    struct sim_row *rows = NULL;
    struct sim_turn *turns = NULL;
    struct sim_recorder *recorder = sim_recorder_create(sim);
    float *aside = malloc((kept_count(sim) + 1) * sizeof *aside);
    bool *slept = calloc(sim->body_count + (size_t)1, sizeof *slept);
    bool good = aside && recorder && slept && rows_create(sim, &rows, &turns);
    if (good) {
        kept_copy(sim, aside, false);
        choose(sim, chosen, slept, &found->visits);
        sim->recorder = recorder;
        solve_again(sim, rows, turns, slept);
        sim->recorder = NULL;
        choose_end(sim, slept);
        kept_copy(sim, aside, true);
        sim->carried = sim_recorder_share(sim, recorder);
        found->visits += recorder->visits;
        good = sim->carried;
    }
    sim_recorder_destroy(recorder);
    free(slept);
    free(aside);
    base_grow_free(rows);
    base_grow_free(turns);
    return good ? FAULT_NONE : sim_fault_memory(fault);
}

enum fault_code sim_carried_find(struct sim *sim, struct fault *fault)
{
    struct sim_forces found = {0};
    return carried_find(sim, &(struct chosen){0}, &found, fault);
}

enum fault_code sim_forces_find(struct sim *sim, const uint32_t *bodies, uint32_t count, bool carried,
                                struct sim_forces *found, struct fault *fault)
{
    const struct chosen chosen = {.bodies = bodies, .count = count};
    *found = (struct sim_forces){0};
    enum fault_code status = multipliers_find(sim, &chosen, found, fault);
    if (status == FAULT_NONE && carried &&
        (status = carried_find(sim, &chosen, found, fault)) != FAULT_NONE) {
        sim_multipliers_drop(sim);
    }
    return status;
}

void sim_multipliers_drop(struct sim *sim)
{
    free(sim->carried);
    sim->carried = NULL;
    sim->multipliers_wanted = false;
    sim_multipliers_reserve(sim, &sim->settings,
                            false); // gives back where one iteration needs none
}
