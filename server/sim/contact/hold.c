// Rows that would cross something are held back, in rounds.
//
// Pairs that are not in the lists are apart as long as rows are in their tubes when a substep begins and when it ends. A row
// that is held back stops elsewhere on its way. If it stops out of its tube, pairs that it could meet there may be missing from
// the lists. So it gets a standing tube, which holds all its way, its pairs are found, and all rows are truncated again from
// their starts and ends.
//
// Candidates are picked by how far rows are off their paths, at both ends of the substep. A row that is held back is no farther off
// the end of its path than its start or its end is. So once a row was held for which that is more than what pairs were sifted
// by, they are sifted again with the greater of both distances, until no other such row is held. What is jammed is held in
// one substep after the other. So rows that were held in the last one are sifted by the greater distance at once.
//
// In each round at least one more row is held or gets a standing tube. After ROUNDS of them all have one, and the next round is
// the last.

#include "sim/contact/hold.h"

#include "sim/contact/detect.h"
#include "sim/contact/momentum.h"
#include "sim/contact/rims.h"
#include "sim/contact/slices.h"
#include "sim/contact/truncate.h"
#include "sim/contact/tube.h"
#include "sim/ground/ground.h"

#include <math.h>

enum { ROUNDS = 8 };

// ---------------------------------------------------------------------------------------------------- candidates

// Ways of the rows of a body, for tasks of some of them each.
struct going {
    const struct sim_meet *meet;
    const struct sim_body *body;
    const struct sim_ways *ways;
    float *out;
    struct sim_split parts;
    float most[SIM_PARTS_MOST];
};

static void ways_task(void *context, uint32_t part)
{
    struct going *going = context;
    const uint32_t first = part * going->parts.size,
                   end = sim_split_end(&going->parts, part, going->body->count);
    going->most[part] =
        going->meet->kernels->ways(going->ways, going->body->first_row + first, end - first, going->out);
}

float sim_ways_find(struct sim *sim, const struct sim_island *island, struct sim_ways *ways,
                    enum sim_ways_when when, float *out)
{
    struct sim_meet *meet = sim->meet;
    float greatest = 0;
    out[0] = 0; // that holes point at
    for (int axis = 0; axis < 3; axis++) {
        int32_t now = sim_wrap_add(island->since[axis], island->frame[axis]);
        ways->end_frame[axis] = when == SIM_WAYS_SINCE ? 0 : now;
        ways->start_frame[axis] = when == SIM_WAYS_SINCE    ? sim_wrap_sub(0, island->frame[axis])
                                  : when == SIM_WAYS_AT_END ? now
                                                            : island->since[axis];
    }
    for (uint32_t m = island->first; m < island->first + island->count; m++) {
        struct going going;
        going.meet = meet;
        going.body = meet->members[meet->by_island[m]].body;
        going.ways = ways;
        going.out = out;
        going.parts = sim_split_of(going.body->count, SIM_PART_LIGHT_ROWS);
        sim_share_out(meet->parallel, going.parts.count, ways_task, &going);
        for (uint32_t part = 0; part < going.parts.count; part++) {
            greatest = going.most[part] > greatest ? going.most[part] : greatest;
        }
    }
    return greatest;
}

// A row that was held may be as far off as its start is from the end of its path.
static float off_if_stopped(const struct sim *sim, const struct sim_island *island, uint32_t row)
{
    float off = 0;
    for (int axis = 0; axis < 3; axis++) {
        int32_t start = sim_wrap_sub(sim->previous[row].x[axis], sim->meet->expected[1][row].x[axis]);
        float along = (float)sim_wrap_sub(start, island->since[axis]);
        off += along * along;
    }
    return sqrtf(off) * (1 + 0x1p-20f) + 1;
}

// Rows that were held, in this substep or in the one before it.
static void ways_stop(struct sim *sim, const struct sim_island *island, float *ways)
{
    const struct sim_meet *meet = sim->meet;
    for (uint32_t m = island->first; m < island->first + island->count; m++) {
        const struct sim_body *body = meet->members[meet->by_island[m]].body;
        for (uint32_t row = body->first_row; row < body->first_row + body->count; row++) {
            if (meet->stopped[row] != SIM_STOPPED_NOT) {
                const float off = off_if_stopped(sim, island, row);
                ways[row] = off > ways[row] ? off : ways[row];
            }
        }
    }
}

// Finds the pairs of an island that might cross in this substep: of near ones, unless rows have gone so far since these were
// looked for that others might. Near ones are held against where they were measured, and so is where they stop. Returns whether
// it was all.
static bool candidates_find(struct sim *sim, struct sim_island *island)
{
    struct sim_meet *meet = sim->meet;
    float gap = 2 * island->thickest * SIM_GAP_SHARE;
    gap = gap > island->floor ? gap : island->floor;
    bool all = island->stale || !(2 * island->way <= SIM_NEAR_SHARE * 2 * island->thinnest - gap);
    struct sim_sieve sieve = {.ways = meet->went, .share = SIM_GAP_SHARE, .floor = island->floor};
    if (all) {
        struct sim_ways ways = {.start_from = meet->expected[0],
                                .end_from = meet->expected[1],
                                .starts = sim->previous,
                                .ends = sim->rows};
        sim_ways_find(sim, island, &ways, SIM_WAYS_AT_BOTH, meet->went);
        ways_stop(sim, island, meet->went);
        sieve.since = (float)(sim->substep - 1);
        sieve.until = (float)sim->substep;
    }
    if (!all) {
        sim_slices_complete(sim, island);
    }
    struct sim_staying staying = {
        .rows = sim->rows, .starts = sim->previous, .share = SIM_GAP_SHARE, .floor = island->floor};
    memcpy(staying.frame, island->frame, sizeof staying.frame);
    sim_slices_sift(sim, island, &sieve, &staying, all);
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        meet->tested += all ? island->lists[kind].count : island->near[kind].count;
    }
    return all;
}

// ---------------------------------------------------------------------------------------------------- islands

// False if nothing in the island can be held.
static bool truncation_of(struct sim *sim, const struct sim_island *island, struct sim_truncation *truncation)
{
    struct sim_meet *meet = sim->meet;
    *truncation = (struct sim_truncation){.rows = sim->rows,
                                          .starts = sim->previous,
                                          .spans = meet->spans,
                                          .span_count = island->count,
                                          .within = island->halved ? meet->within : NULL,
                                          .expected = meet->expected[1],
                                          .lists = island->lists,
                                          .floor = island->floor,
                                          .planes = meet->planes,
                                          .plane_capacity = meet->plane_capacity,
                                          .t = meet->t,
                                          .t_next = meet->t_next,
                                          .bind = meet->torn ? sim_rims_bind : NULL,
                                          .sim = sim};
    memcpy(truncation->frame, island->frame, sizeof truncation->frame);
    memcpy(truncation->since, island->since, sizeof truncation->since);
    for (uint32_t m = 0; m < island->count; m++) {
        const struct sim_body *body = meet->members[meet->by_island[island->first + m]].body;
        meet->spans[m] = (struct sim_span){body->first_row, body->count};
    }
    bool any = island->halved;
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        truncation->candidates[kind] = island->candidates[kind];
        truncation->candidate_count[kind] = island->candidate_count[kind];
        any |= island->candidate_count[kind] > 0;
    }
    return any;
}

// Marks rows of an island that are held as stopped, and those that stop out of their tubes as dirty.
struct stops {
    uint32_t more;    // rows that no round before held, for which candidates have not been picked yet
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
            stops->more +=
                meet->stopped[row] != SIM_STOPPED && off_if_stopped(sim, island, row) > meet->went[row];
            meet->stopped[row] = SIM_STOPPED;
            meet->dirty[row] = sim_tube_is_left(meet, row, x, way);
            member->dirty |= meet->dirty[row] != 0;
            stops->outside += meet->dirty[row];
        }
    }
}

// ----------------------------------------------------------------------------------------------------- rounds

// Finds how far rows of an island go. Nothing moves yet.
static struct stops truncate(struct sim *sim, struct sim_island *island)
{
    struct sim_meet *meet = sim->meet;
    struct stops stops = {0};
    struct sim_truncation truncation;
    island->truncated = truncation_of(sim, island, &truncation);
    if (!island->truncated) {
        return stops;
    }
    const struct sim_truncated told = sim_truncate(&truncation);
    meet->tested += (uint64_t)told.passes *
                    (truncation.candidate_count[SIM_PAIR_VT] + truncation.candidate_count[SIM_PAIR_EE]);
    island->truncated = told.boxed + told.bound > 0;
    if (island->truncated) {
        for (uint32_t m = 0; m < island->count; m++) {
            memset(meet->dirty + meet->spans[m].first, 0, meet->spans[m].count);
        }
        stops_look(sim, island, &truncation, &stops);
    }
    return stops;
}

// Nothing of it is looked for again in this substep.
static void clean(struct sim_meet *meet, const struct sim_island *island)
{
    for (uint32_t m = island->first; m < island->first + island->count; m++) {
        meet->members[meet->by_island[m]].dirty = false;
    }
}

// Its rows stand, or are to: the next round is the last.
static void everyone_stops(struct sim_meet *meet, const struct sim_island *island, bool dirty)
{
    for (uint32_t m = island->first; m < island->first + island->count; m++) {
        struct sim_member *member = &meet->members[meet->by_island[m]];
        memset(meet->stopped + member->body->first_row, SIM_STOPPED, member->body->count);
        memset(meet->dirty + member->body->first_row, dirty, member->body->count);
        member->dirty = dirty;
    }
}

// A round of an island. Marks rows that need standing tubes as dirty, if there are any.
static void island_round(struct sim *sim, struct sim_island *island)
{
    if (island->rounds == ROUNDS) {
        everyone_stops(sim->meet, island, false);
    }
    const bool all = candidates_find(sim, island);
    const struct stops stops = truncate(sim, island);
    island->rounds_go_on = island->rounds < ROUNDS && (stops.outside > 0 || (all && stops.more > 0));
    if (!island->rounds_go_on) {
        clean(sim->meet, island);
        return;
    }
    if (++island->rounds == ROUNDS) {
        everyone_stops(sim->meet, island, true);
    }
    island->standing = stops.outside > 0 || island->rounds == ROUNDS;
    if (island->standing) {
        island->tile_count = 0; // likewise
    }
}

// Rows of an island stop where they were found to.
static void island_stop(struct sim *sim, struct sim_island *island)
{
    const struct sim_meet *meet = sim->meet;
    struct sim_truncation truncation;
    island->held = 0;
    if (!island->truncated) {
        return;
    }
    truncation_of(sim, island, &truncation);
    const struct sim_stopped stopped = sim_truncate_rows(&truncation);
    island->held = stopped.held;
    if (stopped.held > 0 && !island->fixed) {
        sim_momentum_give_back(sim, meet->spans, island->count, &stopped);
    }
    for (uint32_t m = 0; stopped.held > 0 && m < island->count; m++) {
        sim_show_held(sim, &meet->spans[m]);
    }
}

// Moves the rows back to the places where they were found to stop.
static void stop(struct sim *sim)
{
    const struct sim_meet *meet = sim->meet;
    uint32_t held = 0;
    for (uint32_t i = 0; i < meet->island_count; i++) {
        island_stop(sim, &meet->islands[i]);
        held += meet->islands[i].held;
    }
    sim->meetings.held = held > sim->meetings.held ? held : sim->meetings.held;
}

// Finds the pairs of rows that left their tubes, before it is known which might cross.
static void find_again(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    for (uint32_t row = 0; row < meet->row_capacity; row++) {
        meet->stopped[row] = meet->stopped[row] == SIM_STOPPED ? SIM_STOPPED_BEFORE : SIM_STOPPED_NOT;
    }
    for (uint32_t i = 0; i < meet->island_count; i++) {
        struct sim_island *island = &meet->islands[i];
        struct sim_ways ways = {.start_from = meet->measured,
                                .end_from = meet->measured,
                                .starts = sim->previous,
                                .ends = sim->rows};
        island->way = sim_ways_find(sim, island, &ways, SIM_WAYS_SINCE, meet->went);
        island->rounds = 0;
        island->rounds_go_on = true;
    }
    sim_detect_outside(sim, meet->went);
    sim_detect_again(sim);
    for (uint32_t i = 0; i < meet->island_count; i++) {
        struct sim_island *island = &meet->islands[i];
        if (island->look != SIM_LOOK_NOT) {
            island->tile_count = 0; // pairs that they name may be others now
        }
    }
}

bool sim_hold_back(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    bool goes_on = true;
    if (meet->left_at == SIM_MEET_GOES) {
        find_again(sim);
    }
    while (goes_on) {
        meet->left_at = sim_detect_go_on(sim) ? SIM_MEET_GOES : SIM_MEET_HOLDS;
        if (meet->left_at == SIM_MEET_HOLDS) {
            return false;
        }
        goes_on = false;
        for (uint32_t i = 0; i < meet->island_count; i++) {
            if (meet->islands[i].rounds_go_on) {
                island_round(sim, &meet->islands[i]);
            }
            goes_on |= meet->islands[i].rounds_go_on;
        }
        sim_detect_again(sim);
    }
    stop(sim);
    return true;
}
