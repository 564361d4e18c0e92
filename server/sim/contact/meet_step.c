// The parts of contact in a substep: finding pairs, pushing, and holding back.

#include "sim/contact/bounce.h"
#include "sim/contact/copies.h"
#include "sim/contact/detect.h"
#include "sim/contact/hold.h"
#include "sim/contact/islands.h"
#include "sim/contact/rims.h"
#include "sim/contact/search.h"
#include "sim/contact/slices.h"
#include "sim/contact/tiles.h"
#include "sim/contact/truncate.h"
#include "sim/contact/tube.h"
#include "sim/contact/untangle.h"
#include "sim/ground/ground.h"
#include "sim/state/rub.h"

#include <math.h>

// Nothing is held back, and pairs are found once.
static bool is_fast(const struct sim *sim)
{
    return sim->settings.contact_quality == SIM_CONTACT_FAST;
}

// -------------------------------------------------------------------------------------------------- pushing

static void ways_off_paths(struct sim *sim, const struct sim_island *island)
{
    struct sim_meet *meet = sim->meet;
    struct sim_ways ways = {.end_from = meet->expected[1], .ends = sim->rows};
    sim_ways_find(sim, island, &ways, SIM_WAYS_AT_END, meet->ways);
}

static void all_off_paths(struct sim *sim)
{
    const struct sim_meet *meet = sim->meet;
    for (uint32_t i = 0; i < meet->island_count; i++) {
        ways_off_paths(sim, &meet->islands[i]);
    }
}

// Begins to find what has to be found. In fast contact rows that left their tubes are looked at in the next tick.
static void look(struct sim *sim)
{
    const bool found = sim->meet->found;
    if (found) {
        all_off_paths(sim);
    }
    if (found && is_fast(sim)) {
        return;
    }
    if (found) {
        sim_detect_outside(sim, NULL);
        sim_islands_expire(sim);
    }
    sim_detect_again(sim);
}

bool sim_meet_find(struct sim *sim, struct base_parallel *parallel)
{
    struct sim_meet *meet = sim->meet;
    meet->parallel = parallel;
    if (sim->iteration > 0) {
        all_off_paths(sim);
        return true;
    }
    if (meet->left_at == SIM_MEET_GOES) {
        if (meet->found) {
            sim_frames_move(sim);
            sim_tubes_move(sim);
        }
        look(sim);
    }
    const bool detects = meet->detecting != SIM_DETECT_NOTHING;
    meet->left_at = sim_detect_go_on(sim) ? SIM_MEET_GOES : SIM_MEET_FINDS;
    if (meet->left_at == SIM_MEET_GOES && detects) {
        all_off_paths(sim);
    }
    return meet->left_at == SIM_MEET_GOES;
}

// Remembers where the rows of an island are, because its pairs are measured there.
static void rows_measure(struct sim *sim, const struct sim_island *island)
{
    struct sim_meet *meet = sim->meet;
    for (uint32_t m = island->first; m < island->first + island->count; m++) {
        const struct sim_body *body = meet->members[meet->by_island[m]].body;
        memcpy(meet->measured + body->first_row, sim->rows + body->first_row,
               body->count * sizeof *meet->measured);
    }
}

static void tests_count(struct sim_meet *meet, const struct sim_island *island)
{
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        meet->tested +=
            (uint64_t)island->lists[kind].count + island->near[kind].count + island->active_count[kind];
    }
}

// Finds which pairs of an island touch. If it pushes again later, bounds are found as well.
static void island_scan(struct sim *sim, struct sim_island *island)
{
    const struct sim_sieve sieve = sim_sieve_near(sim, island);
    rows_measure(sim, island);
    island->bounded = island->pressed && !sim->meet->thorough;
    sim_slices_scan(sim, island, &sieve, sim->rows, island->bounded);
    tests_count(sim->meet, island);
    island->stale = island->partial = false;
}

// The same later in the substep. By the bounds, most of its pairs cannot touch.
static void island_scan_again(struct sim *sim, struct sim_island *island)
{
    struct sim_meet *meet = sim->meet;
    if (!island->bounded) {
        island_scan(sim, island);
        return;
    }
    const struct sim_sieve sieve = sim_sieve_near(sim, island);
    struct sim_ways ways = {.end_from = meet->measured, .ends = sim->rows};
    sim_ways_find(sim, island, &ways, SIM_WAYS_SINCE, meet->went);
    rows_measure(sim, island);
    sim_slices_scan_bounded(sim, island, &sieve);
    tests_count(meet, island);
    island->partial = true;
}

static void pushing_count(struct sim *sim)
{
    const struct sim_meet *meet = sim->meet;
    sim->meetings.pushing = 0;
    for (uint32_t i = 0; i < meet->island_count; i++) {
        const uint32_t *count = meet->islands[i].active_count;
        sim->meetings.pushing += count[SIM_PAIR_VT] + count[SIM_PAIR_EE];
    }
}

void sim_meet_scan(struct sim *sim, struct sim_island *island)
{
    ways_off_paths(sim, island);
    island_scan(sim, island);
}

static void islands_push(struct sim *sim, bool only_pressed)
{
    struct sim_meet *meet = sim->meet;
    for (uint32_t i = 0; i < meet->island_count; i++) {
        if (!only_pressed) {
            island_scan(sim, &meet->islands[i]);
        } else if (meet->islands[i].pressed) {
            island_scan_again(sim, &meet->islands[i]);
        }
    }
    if (meet->tangle_count > 0) {
        sim_untangle_push(sim, only_pressed);
    }
    // Islands at rest are pushed three times. Friction comes through a stack one layer at a time, and slip that it has not held when
    // the tick ends is forgiven.
    for (uint32_t i = 0; i < meet->island_count; i++) {
        struct sim_island *island = &meet->islands[i];
        if (island->pressed || !only_pressed) {
            sim_tiles_make(sim, island);
            sim_tiles_push(sim, island, island->calm && !is_fast(sim) ? 3 : 1);
        }
    }
    pushing_count(sim);
}

void sim_meet_moved(struct sim *sim)
{
    all_off_paths(sim);
}

void sim_meet_push(struct sim *sim)
{
    islands_push(sim, false);
}

void sim_meet_push_again(struct sim *sim)
{
    all_off_paths(sim);
    islands_push(sim, true);
}

// -------------------------------------------------------------------------------------------- the end of a substep

// Finds how deep pairs are now that were near when the last substep pushed. Before pushing, constraints may have pressed them far into
// each other. That is undone when the substep ends, and nobody ever sees it.
static float deepest_in(const struct sim_island *island, int kind, uint32_t slice)
{
    const struct sim_near_list near = sim_slice_near(island, kind, slice);
    const uint32_t *active = sim_slice_active(island, kind, slice);
    float deepest = 0;
    for (uint32_t i = 0; i < island->slices[kind][slice].active; i++) {
        const struct sim_pair_lanes *lanes = &near.lanes[active[i] / SIM_LANES].pairs;
        float deep = 1 - lanes->low[active[i] % SIM_LANES] / lanes->reach[active[i] % SIM_LANES];
        deepest = deep > deepest ? deep : deepest;
    }
    return deepest;
}

static float deepest_of(struct sim *sim, struct sim_island *island)
{
    float deepest = 0;
    sim_slices_measure(sim, island);
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        for (uint32_t s = 0; s < island->near_slices[kind]; s++) {
            float deep = deepest_in(island, kind, s);
            deepest = deep > deepest ? deep : deepest;
        }
    }
    return deepest < 1 ? deepest : 1;
}

static bool any_bounces(const struct sim *sim, const struct sim_island *island)
{
    const struct sim_meet *meet = sim->meet;
    bool any = sim_rub_bounces(sim);
    for (uint32_t m = island->first; m < island->first + island->count && !any; m++) {
        any = meet->members[meet->by_island[m]].body->meeting.restitution > 0;
    }
    return any;
}

static void island_ends(struct sim *sim, struct sim_island *island)
{
    sim_tiles_remember(sim, island);
    if (any_bounces(sim, island)) {
        sim_island_bounce(sim, island);
    }
    for (int axis = 0; axis < 3; axis++) {
        island->since[axis] = sim_wrap_add(island->since[axis], island->frame[axis]);
    }
    if (sim->substep == sim->settings.substeps) {
        const double deepest = (double)deepest_of(sim, island);
        sim->meetings.deepest = deepest > sim->meetings.deepest ? deepest : sim->meetings.deepest;
    }
}

bool sim_meet_hold_back(struct sim *sim, struct base_parallel *parallel)
{
    struct sim_meet *meet = sim->meet;
    meet->parallel = parallel;
    if (sim->substep == sim->settings.substeps && meet->left_at == SIM_MEET_GOES) {
        for (uint32_t i = 0; i < meet->island_count; i++) {
            sim_slices_complete(sim, &meet->islands[i]); // the tick's end measures all that is near
        }
        sim_show_touching(sim);
    }
    if (meet->left_at == SIM_MEET_GOES) {
        sim_copies_part(sim);
        if (meet->torn) {
            sim_rims_hold(sim);
        }
    }
    if (!is_fast(sim) && !sim_hold_back(sim)) {
        return false;
    }
    sim->meetings.tested = meet->tested;
    for (uint32_t i = 0; i < meet->island_count; i++) {
        island_ends(sim, &meet->islands[i]);
    }
    if (sim->substep == sim->settings.substeps) {
        sim_show_end(sim);
    }
    return true;
}
