// Rows that would cross something are held back, in rounds.
//
// Pairs that are not in the lists are apart as long as rows are in their tubes when a substep begins and when it ends. A row
// that is held back stops elsewhere on its way. If it stops out of its tube, pairs that it could meet there may be missing from
// the lists. So it gets a standing tube, which holds all its way, its pairs are found, and all rows are truncated again from
// their starts and ends.
//
// Candidates are picked by how far rows are off their paths, at both ends of the substep. A row that is held back is no farther off
// the end of its path than its start or its end is. So once a row was held, pairs are sifted again with the greater of both
// distances, until no other row is held.
//
// In each round at least one more row is held or gets a standing tube. After ROUNDS of them all have one, and the next round is
// the last.

#include "sim/contact/hold.h"

#include "sim/contact/detect.h"
#include "sim/contact/momentum.h"
#include "sim/contact/truncate.h"
#include "sim/contact/tube.h"
#include "sim/ground/ground.h"

#include <math.h>

enum { ROUNDS = 8 };

// ---------------------------------------------------------------------------------------------------- candidates

float sim_ways_find(struct sim *sim, struct sim_ways *ways, enum sim_ways_when when, float *out)
{
    struct sim_meet *meet = sim->meet;
    float greatest = 0;
    out[0] = 0; // that holes point at
    for (uint32_t m = 0; m < meet->member_count; m++) {
        const struct sim_member *member = &meet->members[m];
        const struct sim_island *island = &meet->islands[member->island];
        for (int axis = 0; axis < 3; axis++) {
            int32_t now = sim_wrap_add(island->since[axis], island->frame[axis]);
            ways->end_frame[axis] = when == SIM_WAYS_SINCE ? 0 : now;
            ways->start_frame[axis] = when == SIM_WAYS_SINCE    ? sim_wrap_sub(0, island->frame[axis])
                                      : when == SIM_WAYS_AT_END ? now
                                                                : island->since[axis];
        }
        float most = meet->kernels->ways(ways, member->body->first_row, member->body->count, out);
        greatest = most > greatest ? most : greatest;
    }
    return greatest;
}

// A row that was held may be as far off as its start is from the end of its path.
static void ways_stop(struct sim *sim, float *ways)
{
    const struct sim_meet *meet = sim->meet;
    for (uint32_t m = 0; m < meet->member_count; m++) {
        const struct sim_body *body = meet->members[m].body;
        const struct sim_island *island = &meet->islands[meet->members[m].island];
        for (uint32_t row = body->first_row; row < body->first_row + body->count; row++) {
            float off = 0;
            for (int axis = 0; axis < 3 && meet->stopped[row] != 0; axis++) {
                int32_t start = sim_wrap_sub(sim->previous[row].x[axis], meet->expected[1][row].x[axis]);
                float along = (float)sim_wrap_sub(start, island->since[axis]);
                off += along * along;
            }
            off = sqrtf(off) * (1 + 0x1p-20f) + 1;
            ways[row] = meet->stopped[row] != 0 && off > ways[row] ? off : ways[row];
        }
    }
}

// Finds the pairs that might cross in this substep: of near ones, unless rows have gone so far since these were looked for
// that others might. Near ones are held against where they were measured, and so is where they stop. Returns whether it was all.
static bool candidates_find(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    float gap = 2 * meet->thickest * SIM_GAP_SHARE;
    gap = gap > meet->floor ? gap : meet->floor;
    bool all = meet->stale || !(2 * meet->way <= SIM_NEAR_SHARE * 2 * meet->thinnest - gap);
    struct sim_sieve sieve = {.ways = meet->went, .share = SIM_GAP_SHARE, .floor = meet->floor};
    if (all) {
        struct sim_ways ways = {.start_from = meet->expected[0],
                                .end_from = meet->expected[1],
                                .starts = sim->previous,
                                .ends = sim->rows};
        sim_ways_find(sim, &ways, SIM_WAYS_AT_BOTH, meet->went);
        if (meet->rounds > 0) {
            ways_stop(sim, meet->went);
        }
        sieve.since = (float)(sim->substep - 1);
        sieve.until = (float)sim->substep;
    }
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        const uint32_t pairs = all ? meet->lists[kind].count : meet->near[kind].count,
                       batches = sim_pair_batches(pairs);
        meet->candidate_count[kind] = all ? meet->kernels->sift_all[kind](&meet->lists[kind], 0, batches,
                                                                          &sieve, meet->candidates[kind])
                                          : meet->kernels->sift_near[kind](&meet->near[kind], 0, batches,
                                                                           &sieve, meet->candidates[kind]);
        meet->tested += pairs;
    }
    return all;
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

// ---------------------------------------------------------------------------------------------------- islands

// Takes the candidates of an island from `first` on. False if nothing in it can be held.
static bool truncation_of(struct sim *sim, const struct sim_island *island, uint32_t first[SIM_PAIR_KINDS],
                          struct sim_truncation *truncation)
{
    struct sim_meet *meet = sim->meet;
    const uint32_t index = (uint32_t)(island - meet->islands);
    *truncation = (struct sim_truncation){.rows = sim->rows,
                                          .starts = sim->previous,
                                          .spans = meet->spans,
                                          .span_count = island->count,
                                          .within = meet->halved ? meet->within : NULL,
                                          .expected = meet->expected[1],
                                          .lists = meet->lists,
                                          .floor = meet->floor,
                                          .planes = meet->planes,
                                          .plane_capacity = meet->plane_capacity,
                                          .t = meet->t,
                                          .t_next = meet->t_next};
    memcpy(truncation->frame, island->frame, sizeof truncation->frame);
    memcpy(truncation->since, island->since, sizeof truncation->since);
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
        truncation->candidates[kind] = meet->candidates[kind] + first[kind];
        truncation->candidate_count[kind] = end - first[kind];
        any |= end > first[kind];
        first[kind] = end;
    }
    return any;
}

// Marks rows of an island that are held as stopped, and those that stop out of their tubes as dirty.
struct stops {
    uint32_t more;    // rows that no round before held
    uint32_t outside; // rows that stop out of their tubes
};

static void stops_look(struct sim *sim, const struct sim_island *island,
                       const struct sim_truncation *truncation, struct stops *stops)
{
    struct sim_meet *meet = sim->meet;
    int32_t way[3], x[3];
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = sim_wrap_add(island->since[axis], island->frame[axis]);
    }
    for (uint32_t m = 0; m < island->count; m++) {
        struct sim_member *member = &meet->members[meet->by_island[island->first + m]];
        for (uint32_t row = meet->spans[m].first; row < meet->spans[m].first + meet->spans[m].count; row++) {
            if (!sim_truncate_stop(truncation, row, x)) {
                continue;
            }
            stops->more += meet->stopped[row] == 0;
            meet->stopped[row] = 1;
            meet->dirty[row] = sim_tube_is_left(meet, row, x, way);
            member->dirty |= meet->dirty[row] != 0;
            stops->outside += meet->dirty[row];
        }
    }
}

// ----------------------------------------------------------------------------------------------------- rounds

// Before anything stops in a round.
static void stops_forget(struct sim_meet *meet)
{
    memset(meet->dirty, 0, meet->row_capacity);
    for (uint32_t m = 0; m < meet->member_count; m++) {
        meet->members[m].dirty = false;
    }
    if (meet->rounds == 0) {
        memset(meet->stopped, 0, meet->row_capacity);
    }
}

// Finds how far rows go. Nothing moves yet.
static struct stops truncate(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    struct stops stops = {0};
    bool any = false;
    uint32_t first[SIM_PAIR_KINDS] = {0, 0};
    for (int kind = 0; kind < SIM_PAIR_KINDS && meet->island_count > 1; kind++) {
        candidates_by_island(sim, (enum sim_pair_kind)kind);
    }
    for (uint32_t i = 0; i < meet->island_count; i++) {
        struct sim_island *island = &meet->islands[i];
        struct sim_truncation truncation;
        island->truncated = truncation_of(sim, island, first, &truncation);
        if (!island->truncated) {
            continue;
        }
        const struct sim_truncated told = sim_truncate(&truncation);
        meet->tested += (uint64_t)told.passes *
                        (truncation.candidate_count[SIM_PAIR_VT] + truncation.candidate_count[SIM_PAIR_EE]);
        island->truncated = told.boxed + told.bound > 0;
        if (island->truncated) {
            if (!any) {
                stops_forget(meet);
            }
            any = true;
            stops_look(sim, island, &truncation, &stops);
        }
    }
    return stops;
}

// All rows are to stand.
static void everyone_stops(struct sim_meet *meet)
{
    for (uint32_t m = 0; m < meet->member_count; m++) {
        const struct sim_body *body = meet->members[m].body;
        memset(meet->stopped + body->first_row, 1, body->count);
        memset(meet->dirty + body->first_row, 1, body->count);
        meet->members[m].dirty = true;
    }
}

// Moves the rows back to the places where they were found to stop.
static void stop(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    uint32_t first[SIM_PAIR_KINDS] = {0, 0}, held = 0;
    for (uint32_t i = 0; i < meet->island_count; i++) {
        const struct sim_island *island = &meet->islands[i];
        struct sim_truncation truncation;
        truncation_of(sim, island, first, &truncation);
        if (!island->truncated) {
            continue;
        }
        const struct sim_stopped stopped = sim_truncate_rows(&truncation);
        held += stopped.held;
        if (stopped.held > 0 && !island->fixed) {
            sim_momentum_give_back(sim, meet->spans, island->count, &stopped);
        }
        for (uint32_t m = 0; stopped.held > 0 && m < island->count; m++) {
            sim_show_held(sim, &meet->spans[m]);
        }
    }
    meet->held = held;
    sim->meetings.held = held > sim->meetings.held ? held : sim->meetings.held;
}

// Finds the pairs of rows that left their tubes, before it is known which might cross.
static void find_again(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    struct sim_ways ways = {
        .start_from = meet->measured, .end_from = meet->measured, .starts = sim->previous, .ends = sim->rows};
    meet->way = sim_ways_find(sim, &ways, SIM_WAYS_SINCE, meet->went);
    meet->rounds = 0;
    if (sim_detect_outside(sim, meet->went)) {
        sim_detect_again(sim);
        meet->batch_count = 0; // pairs that they name may be others now
    }
}

bool sim_hold_back(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    if (meet->left_at == SIM_MEET_GOES) {
        find_again(sim);
    }
    for (;;) {
        meet->left_at = sim_detect_go_on(sim) ? SIM_MEET_GOES : SIM_MEET_HOLDS;
        if (meet->left_at == SIM_MEET_HOLDS) {
            return false;
        }
        const bool all = candidates_find(sim);
        const struct stops stops = truncate(sim);
        if (meet->rounds == ROUNDS || (stops.outside == 0 && !(all && stops.more > 0))) {
            break;
        }
        if (++meet->rounds == ROUNDS) {
            everyone_stops(meet);
        }
        if (stops.outside > 0 || meet->rounds == ROUNDS) {
            meet->standing = true;
            sim_detect_again(sim);
            meet->batch_count = 0;
        }
    }
    stop(sim);
    return true;
}
