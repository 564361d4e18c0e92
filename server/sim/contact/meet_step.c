// What contact does in a substep.

#include "sim/contact/detect.h"
#include "sim/contact/islands.h"
#include "sim/contact/search.h"
#include "sim/contact/truncate.h"
#include "sim/contact/untangle.h"
#include "sim/ground/ground.h"

#include <math.h>

// Of R: pairs so near are measured in a substep.
#define SIM_NEAR_SHARE 1.02f

// -------------------------------------------------------------------------------------------------- a tick

// Nothing is held back, and pairs are found once.
static bool is_fast(const struct sim *sim)
{
    return sim->settings.contact_quality == SIM_CONTACT_FAST;
}

static void weights_look(const struct sim *sim, struct sim_member *member)
{
    const struct sim_body *body = member->body;
    for (uint32_t row = body->first_row; row < body->first_row + body->count; row++) {
        bool is_free = sim->rows[row].w > 0;
        member->fixed |= !is_free;
        member->free |= is_free;
    }
}

// Where its rows are at rest, and its longest edge then; a row that is stretched to twice of that loses nothing yet.
static void rest_find(struct sim *sim, const struct sim_body *body)
{
    struct sim_meet *meet = sim->meet;
    for (uint32_t i = 0; i < body->count; i++) {
        uint32_t row = body->first_row + body->row_of[i], bits[3];
        int64_t x[3];
        sim_rest_of(body, i, x);
        for (int axis = 0; axis < 3; axis++) {
            meet->rest[row].x[axis] = (int32_t)(uint32_t)(uint64_t)x[axis];
        }
        memcpy(bits, sim->velocities[row].v, sizeof bits);
        meet->seed += bits[0] + bits[1] + bits[2];
    }
    float longest = 2 * body->features->longest;
    meet->longest = longest > meet->longest ? longest : meet->longest;
}

void sim_meet_begin(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    uint64_t particles = 0;
    sim->meetings = (struct sim_meetings){0};
    if (!meet) {
        return;
    }
    meet->member_count = 0;
    meet->thinnest = SIM_PAIR_FAR;
    meet->thickest = meet->longest = 0;
    meet->seed = 0;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        if (!body->features) {
            continue;
        }
        struct sim_member *member = &meet->members[meet->member_count++];
        *member = (struct sim_member){.body = body,
                                      .thickness = (float)(body->thickness * sim->inv_q),
                                      .cap = (float)(body->edge * sim->inv_q) * 0.25f};
        weights_look(sim, member);
        particles += body->features->vertex_count;
        member->cap = member->cap > member->thickness ? member->cap : member->thickness;
        meet->thinnest = member->thickness < meet->thinnest ? member->thickness : meet->thinnest;
        meet->thickest = member->thickness > meet->thickest ? member->thickness : meet->thickest;
        rest_find(sim, body);
    }
    meet->floor = meet->longest * (float)SIM_GAP_OF_LENGTH;
    meet->floor = meet->floor > SIM_GAP_LEAST ? meet->floor : SIM_GAP_LEAST;
    meet->found = meet->brief = meet->pressed = false;
    meet->visits_most = SIM_VISITS_LEAST;
    meet->detecting = SIM_DETECT_NOTHING;
    meet->left_at = SIM_MEET_GOES;
    particles = particles > SIM_MEET_PARTICLES ? particles : SIM_MEET_PARTICLES;
    meet->tests_max = particles * sim->limits.tests;
    meet->tested = 0;
    sim_show_begin(sim);
}

// -------------------------------------------------------------------------------------------------- pushing

// For each member's rows.
static float ways_find(struct sim *sim, struct sim_ways *ways, bool since_detection, bool from_start,
                       float *out)
{
    struct sim_meet *meet = sim->meet;
    float greatest = 0;
    out[0] = 0; // that holes point at
    for (uint32_t m = 0; m < meet->member_count; m++) {
        const struct sim_member *member = &meet->members[m];
        const struct sim_island *island = &meet->islands[member->island];
        for (int axis = 0; axis < 3; axis++) {
            int32_t now = sim_wrap_add(island->since[axis], island->frame[axis]);
            ways->end_frame[axis] = since_detection ? now : 0;
            ways->start_frame[axis] = since_detection ? (from_start ? island->since[axis] : now)
                                                      : sim_wrap_sub(0, island->frame[axis]);
        }
        float most = meet->kernels->ways(ways, member->body->first_row, member->body->count, out);
        greatest = most > greatest ? most : greatest;
    }
    return greatest;
}

static void ways_since_detection(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    struct sim_ways ways = {.from = meet->detected, .starts = sim->rows, .ends = sim->rows};
    ways_find(sim, &ways, true, false, meet->ways);
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
    ways_since_detection(sim);
    if (is_fast(sim)) {
        return; // whoever left its box is looked at in the next tick
    }
    bool outside = sim_detect_outside(sim, NULL);
    if (sim_islands_expire(sim) || outside) {
        sim_detect_again(sim);
    }
}

static uint32_t batches_of(uint32_t count)
{
    return (count + SIM_LANES - 1) / SIM_LANES;
}

bool sim_meet_find(struct sim *sim, struct base_parallel *parallel)
{
    struct sim_meet *meet = sim->meet;
    meet->parallel = parallel;
    if (sim->iteration > 0) {
        ways_since_detection(sim);
        return true;
    }
    if (meet->left_at == SIM_MEET_GOES) {
        if (meet->found) {
            sim_frames_move(sim);
        }
        look(sim);
    }
    const bool detects = meet->detecting != SIM_DETECT_NOTHING;
    meet->left_at = sim_detect_go_on(sim) ? SIM_MEET_GOES : SIM_MEET_FINDS;
    if (meet->left_at == SIM_MEET_GOES && detects) {
        ways_since_detection(sim);
    }
    return meet->left_at == SIM_MEET_GOES;
}

void sim_meet_push(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    const struct sim_sieve sieve = {
        .ways = meet->ways, .share = SIM_NEAR_SHARE, .floor = SIM_NEAR_SHARE * 2 * meet->thinnest};
    for (uint32_t m = 0; m < meet->member_count; m++) {
        const struct sim_body *body = meet->members[m].body;
        memcpy(meet->measured + body->first_row, sim->rows + body->first_row,
               body->count * sizeof *meet->measured);
    }
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        struct sim_near_list *near = &meet->near[kind];
        near->count = 0;
        meet->kernels->scan[kind](&meet->lists[kind], 0, batches_of(meet->lists[kind].count), &sieve, near);
        meet->active_count[kind] =
            meet->kernels->measure[kind](sim->rows, near, 0, batches_of(near->count), meet->active[kind]);
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
    ways_since_detection(sim);
    sim_meet_push(sim);
}

// ------------------------------------------------------------------------------------------------ holding back

// Of pairs that were near when the last substep pushed, where rows are now. Before pushing, constraints may have pressed them far into
// each other: that is undone where the substep ends, and nobody ever sees it.
static float deepest_of(const struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    float deepest = 0;
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        struct sim_near_list *near = &meet->near[kind];
        uint32_t count =
            meet->kernels->measure[kind](sim->rows, near, 0, batches_of(near->count), meet->active[kind]);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t pair = meet->active[kind][i];
            const struct sim_pair_lanes *lanes = &near->lanes[pair / SIM_LANES].pairs;
            float deep = 1 - lanes->low[pair % SIM_LANES] / lanes->reach[pair % SIM_LANES];
            deepest = deep > deepest ? deep : deepest;
        }
    }
    return deepest < 1 ? deepest : 1;
}

// The pairs that might cross in this substep: of near ones, unless rows have gone so far since these were looked for
// that others might.
static void candidates_find(struct sim *sim, float way)
{
    struct sim_meet *meet = sim->meet;
    float gap = 2 * meet->thickest * SIM_GAP_SHARE;
    gap = gap > meet->floor ? gap : meet->floor;
    bool all = meet->stale || !(2 * way <= SIM_NEAR_SHARE * 2 * meet->thinnest - gap);
    if (all) {
        struct sim_ways ways = {.from = meet->detected, .starts = sim->previous, .ends = sim->rows};
        ways_find(sim, &ways, true, true, meet->went);
    }
    const struct sim_sieve sieve = {.ways = meet->went, .share = SIM_GAP_SHARE, .floor = meet->floor};
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        meet->candidate_count[kind] =
            all ? meet->kernels->sift_all[kind](&meet->lists[kind], 0, batches_of(meet->lists[kind].count),
                                                &sieve, meet->candidates[kind])
                : meet->kernels->sift_near[kind](&meet->near[kind], 0, batches_of(meet->near[kind].count),
                                                 &sieve, meet->candidates[kind]);
        meet->tested += all ? meet->lists[kind].count : meet->near[kind].count;
    }
}

// Puts candidates of one kind into the order of their islands. Most often there is one.
static void candidates_by_island(struct sim *sim, enum sim_pair_kind kind)
{
    struct sim_meet *meet = sim->meet;
    uint32_t *next = meet->roots, *sorted = meet->active[kind], count = meet->candidate_count[kind];
    memset(next, 0, (meet->island_count + 1) * sizeof *next);
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < count; i++) {
            uint32_t pair = meet->candidates[kind][i];
            uint32_t island = meet->island_of[sim_pair_row(&meet->lists[kind], pair, 0)];
            if (pass == 0) {
                next[island + 1]++;
            } else {
                sorted[next[island]++] = pair;
            }
        }
        for (uint32_t i = 0; pass == 0 && i < meet->island_count; i++) {
            next[i + 1] += next[i];
        }
    }
    memcpy(meet->candidates[kind], sorted, count * sizeof *sorted);
}

// What rows were held back from goes to all of a free island alike, as a velocity: none comes nearer to another one by it, and
// together they go on as they went.
static void momentum_give_back(struct sim *sim, const struct sim_island *island, const double lost[3])
{
    double mass = 0;
    int32_t way[3];
    for (uint32_t m = 0; m < island->count; m++) {
        const struct sim_span *span = &sim->meet->spans[m];
        for (uint32_t row = span->first; row < span->first + span->count; row++) {
            mass += 1 / (double)sim->rows[row].w;
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = sim_round((float)(lost[axis] / mass));
    }
    for (uint32_t m = 0; m < island->count; m++) {
        const struct sim_span *span = &sim->meet->spans[m];
        for (uint32_t row = span->first; row < span->first + span->count; row++) {
            for (int axis = 0; axis < 3; axis++) {
                sim->predicted[row].x[axis] = sim_wrap_sub(sim->predicted[row].x[axis], way[axis]);
            }
        }
    }
}

static void island_hold_back(struct sim *sim, const struct sim_island *island, uint32_t first[SIM_PAIR_KINDS])
{
    struct sim_meet *meet = sim->meet;
    uint32_t index = (uint32_t)(island - meet->islands);
    struct sim_truncation truncation = {.rows = sim->rows,
                                        .starts = sim->previous,
                                        .spans = meet->spans,
                                        .span_count = island->count,
                                        .boxes = meet->halved ? (const int32_t(*)[2][3])meet->boxes : NULL,
                                        .detected = meet->detected,
                                        .lists = meet->lists,
                                        .floor = meet->floor,
                                        .planes = meet->planes,
                                        .plane_capacity = meet->plane_capacity,
                                        .t = meet->t,
                                        .t_next = meet->t_next};
    memcpy(truncation.frame, island->frame, sizeof truncation.frame);
    memcpy(truncation.since, island->since, sizeof truncation.since);
    for (uint32_t m = 0; m < island->count; m++) {
        const struct sim_body *body = meet->members[meet->by_island[island->first + m]].body;
        meet->spans[m] = (struct sim_span){body->first_row, body->count};
    }
    bool any = meet->halved;
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        uint32_t end = first[kind];
        while (end < meet->candidate_count[kind] &&
               meet->island_of[sim_pair_row(&meet->lists[kind], meet->candidates[kind][end], 0)] == index) {
            end++;
        }
        truncation.candidates[kind] = meet->candidates[kind] + first[kind];
        truncation.candidate_count[kind] = end - first[kind];
        any |= end > first[kind];
        first[kind] = end;
    }
    if (any) {
        struct sim_truncated told = sim_truncate(&truncation);
        meet->tested += (uint64_t)told.passes *
                        (truncation.candidate_count[SIM_PAIR_VT] + truncation.candidate_count[SIM_PAIR_EE]);
        meet->held += told.held;
        if (told.held > 0 && !island->fixed) {
            momentum_give_back(sim, island, told.lost);
        }
        for (uint32_t m = 0; told.held > 0 && m < island->count; m++) {
            sim_show_held(sim, &meet->spans[m]);
        }
    }
}

// Finds the pairs of rows that left their boxes, before it is known who might cross.
static bool find_again(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    if (meet->left_at == SIM_MEET_GOES) {
        struct sim_ways ways = {.from = meet->measured, .starts = sim->previous, .ends = sim->rows};
        meet->way = ways_find(sim, &ways, false, false, meet->went);
        meet->found_again = sim_detect_outside(sim, meet->went);
        if (meet->found_again) {
            sim_detect_again(sim);
        }
    }
    meet->left_at = sim_detect_go_on(sim) ? SIM_MEET_GOES : SIM_MEET_HOLDS;
    return meet->left_at == SIM_MEET_GOES;
}

// Who might cross is held.
static void hold_back(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    if (meet->found_again) {
        meet->batch_count = 0; // pairs that they name may be others now
    }
    candidates_find(sim, meet->way);
    uint32_t first[SIM_PAIR_KINDS] = {0, 0};
    for (int kind = 0; kind < SIM_PAIR_KINDS && meet->island_count > 1; kind++) {
        candidates_by_island(sim, (enum sim_pair_kind)kind);
    }
    meet->held = 0;
    for (uint32_t i = 0; i < meet->island_count; i++) {
        island_hold_back(sim, &meet->islands[i], first);
    }
    sim->meetings.held = meet->held > sim->meetings.held ? meet->held : sim->meetings.held;
}

bool sim_meet_hold_back(struct sim *sim, struct base_parallel *parallel)
{
    struct sim_meet *meet = sim->meet;
    meet->parallel = parallel;
    if (sim->substep == sim->settings.substeps && meet->left_at == SIM_MEET_GOES) {
        sim_show_touching(sim);
    }
    if (!is_fast(sim) && !find_again(sim)) {
        return false;
    }
    if (!is_fast(sim)) {
        hold_back(sim);
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
