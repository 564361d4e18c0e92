// The parts of contact in a substep: finding pairs, pushing, and holding back.

#include "sim/contact/copies.h"
#include "sim/contact/detect.h"
#include "sim/contact/hold.h"
#include "sim/contact/islands.h"
#include "sim/contact/search.h"
#include "sim/contact/truncate.h"
#include "sim/contact/tube.h"
#include "sim/contact/untangle.h"
#include "sim/ground/ground.h"

#include <math.h>

// Nothing is held back, and pairs are found once.
static bool is_fast(const struct sim *sim)
{
    return sim->settings.contact_quality == SIM_CONTACT_FAST;
}

// -------------------------------------------------------------------------------------------------- pushing

static void ways_off_paths(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    struct sim_ways ways = {.end_from = meet->expected[1], .ends = sim->rows};
    sim_ways_find(sim, &ways, SIM_WAYS_AT_END, meet->ways);
}

// Begins to find what has to be found.
static void look(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    bool left = !meet->found;
    for (uint32_t i = 0; meet->found && !is_fast(sim) && i < meet->island_count; i++) {
        left |= meet->islands[i].left;
    }
    if (left) {
        sim_detect_all(sim);
        return;
    }
    ways_off_paths(sim);
    if (is_fast(sim)) {
        return; // rows that left their tubes are looked at in the next tick
    }
    bool outside = sim_detect_outside(sim, NULL);
    if (sim_islands_expire(sim) || outside) {
        sim_detect_again(sim);
    }
}

bool sim_meet_find(struct sim *sim, struct base_parallel *parallel)
{
    struct sim_meet *meet = sim->meet;
    meet->parallel = parallel;
    if (sim->iteration > 0) {
        ways_off_paths(sim);
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
        ways_off_paths(sim);
    }
    return meet->left_at == SIM_MEET_GOES;
}

void sim_meet_push(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    const struct sim_sieve sieve = {.ways = meet->ways,
                                    .share = SIM_NEAR_SHARE,
                                    .floor = SIM_NEAR_SHARE * 2 * meet->thinnest,
                                    .since = (float)sim->substep,
                                    .until = (float)sim->substep};
    for (uint32_t m = 0; m < meet->member_count; m++) {
        const struct sim_body *body = meet->members[m].body;
        memcpy(meet->measured + body->first_row, sim->rows + body->first_row,
               body->count * sizeof *meet->measured);
    }
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        struct sim_near_list *near = &meet->near[kind];
        near->count = 0;
        meet->kernels->scan[kind](&meet->lists[kind], 0, sim_pair_batches(meet->lists[kind].count), &sieve,
                                  near);
        meet->active_count[kind] = meet->kernels->measure[kind](
            sim->rows, near, 0, sim_pair_batches(near->count), meet->active[kind]);
        meet->tested += (uint64_t)meet->lists[kind].count + near->count + meet->active_count[kind];
    }
    sim_untangle_push(sim);
    meet->stale = false;
    meet->batch_count = sim_push_deal(meet->lists, meet->near, (const uint32_t *const *)meet->active,
                                      meet->active_count, meet->batches, meet->batch_capacity);
    struct sim_push_times times = {
        .beta = 0.2f, .v_out = sim->times.v_out, .seed = meet->seed, .turn = sim->times.turn};
    // What rests is pushed three times: friction comes through a stack one layer at a time, and what it has not held when the tick
    // ends is forgiven.
    for (uint32_t pass = 0; pass < (meet->calm && !is_fast(sim) ? 3 : 1); pass++) {
        meet->kernels->push(sim->rows, sim->previous, meet->batches, 0, meet->batch_count, &times);
    }
    sim->meetings.pushing = meet->active_count[0] + meet->active_count[1];
}

void sim_meet_push_again(struct sim *sim)
{
    ways_off_paths(sim);
    sim_meet_push(sim);
}

// -------------------------------------------------------------------------------------------- the end of a substep

// Of pairs that were near when the last substep pushed, where rows are now. Before pushing, constraints may have pressed them far into
// each other: that is undone where the substep ends, and nobody ever sees it.
static float deepest_of(const struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    float deepest = 0;
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        struct sim_near_list *near = &meet->near[kind];
        uint32_t count = meet->kernels->measure[kind](sim->rows, near, 0, sim_pair_batches(near->count),
                                                      meet->active[kind]);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t pair = meet->active[kind][i];
            const struct sim_pair_lanes *lanes = &near->lanes[pair / SIM_LANES].pairs;
            float deep = 1 - lanes->low[pair % SIM_LANES] / lanes->reach[pair % SIM_LANES];
            deepest = deep > deepest ? deep : deepest;
        }
    }
    return deepest < 1 ? deepest : 1;
}

bool sim_meet_hold_back(struct sim *sim, struct base_parallel *parallel)
{
    struct sim_meet *meet = sim->meet;
    meet->parallel = parallel;
    if (sim->substep == sim->settings.substeps && meet->left_at == SIM_MEET_GOES) {
        sim_show_touching(sim);
    }
    if (meet->left_at == SIM_MEET_GOES) {
        sim_copies_part(sim);
    }
    if (!is_fast(sim) && !sim_hold_back(sim)) {
        return false;
    }
    sim->meetings.tested = meet->tested;
    meet->kernels->remember(sim->rows, sim->previous, meet->batches, 0, meet->batch_count, meet->lists);
    for (uint32_t i = 0; i < meet->island_count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            meet->islands[i].since[axis] =
                sim_wrap_add(meet->islands[i].since[axis], meet->islands[i].frame[axis]);
        }
    }
    if (sim->substep == sim->settings.substeps) {
        sim->meetings.deepest = (double)deepest_of(sim);
        sim_show_end(sim);
    }
    return true;
}
