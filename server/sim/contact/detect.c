// A detection finds pairs for all rows, or for those that have left their tubes. Crossings of edges and triangles are found
// exactly, once a tick, where the tick begins.

#include "sim/contact/detect.h"

#include "sim/contact/chart.h"
#include "sim/contact/islands.h"
#include "sim/contact/search.h"
#include "sim/contact/slices.h"
#include "sim/contact/tube.h"

// ------------------------------------------------------------------------------------------------------ trees

// A row may be from least to most against where it was detected, quanta. Rounded outwards.
static void bounds_put(struct sim *sim, const struct sim_member *member, uint32_t row, const int32_t least[3],
                       const int32_t most[3])
{
    struct sim_meet *meet = sim->meet;
    const struct sim_island *island = &meet->islands[member->island];
    for (int axis = 0; axis < 3; axis++) {
        int64_t x = sim_whole(sim, row, (uint32_t)axis, meet->detected[row].x[axis]) - island->middle[axis];
        float low = (float)(x + least[axis]), high = (float)(x + most[axis]);
        meet->bounds[row].least[axis] = low - (low < 0 ? -low : low) * 0x1p-23f;
        meet->bounds[row].most[axis] = high + (high < 0 ? -high : high) * 0x1p-23f;
    }
}

static void bounds_make(struct sim *sim, const struct sim_member *member, uint32_t row)
{
    const int32_t(*box)[3] = (const int32_t(*)[3])sim->meet->boxes[row];
    int32_t around = (int32_t)member->thickness + 16, least[3], most[3];
    for (int axis = 0; axis < 3; axis++) {
        least[axis] = box[0][axis] - around;
        most[axis] = box[1][axis] + around;
    }
    bounds_put(sim, member, row, least, most);
}

// A member whose tree or chart is fitted again, for tasks of some of its rows or leaves each.
struct fitting {
    struct sim *sim;
    const struct sim_member *member;
    struct sim_split parts;
    bool all;   // or what is dirty
    bool stand; // boxes of where rows are, not of their tubes
};

static void fit(struct fitting *fitting, uint32_t count, uint32_t least, base_task task)
{
    fitting->parts = sim_split_of(count, least);
    sim_share_out(fitting->sim->meet->parallel, fitting->parts.count, task, fitting);
}

static void bounds_task(void *context, uint32_t part)
{
    static const int32_t where[3] = {0, 0, 0};
    const struct fitting *fitting = context;
    const struct sim_body *body = fitting->member->body;
    const uint32_t first = body->first_row + part * fitting->parts.size,
                   end = body->first_row + sim_split_end(&fitting->parts, part, body->count);
    for (uint32_t row = first; row < end; row++) {
        if (fitting->stand) {
            bounds_put(fitting->sim, fitting->member, row, where, where);
        } else if (fitting->all || fitting->sim->meet->dirty[row] != 0) {
            bounds_make(fitting->sim, fitting->member, row);
        }
    }
}

static void tree_task(void *context, uint32_t part)
{
    const struct fitting *fitting = context;
    const struct sim_meet *meet = fitting->sim->meet;
    const struct sim_body *body = fitting->member->body;
    meet->trees->refit(
        body->features, part * fitting->parts.size,
        sim_split_end(&fitting->parts, part, body->features->leaf_count), meet->bounds + body->first_row,
        fitting->stand || !fitting->member->dirty ? NULL : meet->dirty + body->first_row, fitting->all);
}

static void chart_task(void *context, uint32_t part)
{
    const struct fitting *fitting = context;
    const struct sim_meet *meet = fitting->sim->meet;
    const struct sim_body *body = fitting->member->body;
    sim_chart_refit_of(meet->isa)(body->features, part * fitting->parts.size,
                                  sim_split_end(&fitting->parts, part, body->features->leaf_count),
                                  meet->detected + body->first_row, meet->reaches + body->first_row,
                                  fitting->all);
}

static void chart_refit(struct sim *sim, const struct sim_member *member, bool all)
{
    const struct sim_body *body = member->body;
    struct fitting fitting = {.sim = sim, .member = member, .all = all};
    if (body->features->chart && !sim->meet->islands[member->island].idle) {
        fit(&fitting, body->features->leaf_count, SIM_PART_LEAVES, chart_task);
        sim_chart_gather(body->features, all);
    }
}

static void tree_fit(struct fitting *fitting)
{
    const struct sim_body *body = fitting->member->body;
    fit(fitting, body->count, SIM_PART_ROWS, bounds_task);
    fit(fitting, body->features->leaf_count, SIM_PART_LEAVES, tree_task);
    fitting->sim->meet->trees->gather(body->features);
}

// Nothing can be found in it, and nobody else is there: no search goes below the root of its tree.
static bool is_clear(const struct sim *sim, const struct sim_member *member,
                     const struct sim_chart_limit *limit)
{
    return sim->meet->islands[member->island].count == 1 &&
           sim_chart_clears_node(member->body->features, 1, limit);
}

static void tree_refit(struct sim *sim, struct sim_member *member, bool all)
{
    if (sim->meet->islands[member->island].idle) {
        return;
    }
    const struct sim_chart_limit limit = {2 * member->thickness, true};
    if (all && is_clear(sim, member, &limit)) {
        member->unfitted = true;
        return;
    }
    all |= member->unfitted;
    member->unfitted = false;
    tree_fit(&(struct fitting){.sim = sim, .member = member, .all = all});
}

// ------------------------------------------------------------------------------------------------- detections

static void lists_clear(struct sim_meet *meet, struct sim_island *island)
{
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        struct sim_pair_list *list = &island->lists[kind];
        list->count = list->holes = list->first_hole = 0;
    }
    for (uint32_t m = island->first; m < island->first + island->count; m++) {
        const struct sim_body *body = meet->members[meet->by_island[m]].body;
        memset(meet->colors.used + body->first_row, 0, body->count * sizeof *meet->colors.used);
    }
    sim_pair_colors_clear(&island->colors);
}

static void crossings_look_for(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    memset(meet->crossing, 0, meet->row_capacity * sizeof *meet->crossing);
    for (uint32_t m = 0; m < meet->member_count; m++) {
        const struct sim_chart_limit limit = {0, false};
        if (meet->islands[meet->members[m].island].idle || is_clear(sim, &meet->members[m], &limit)) {
            continue;
        }
        // detected is where the substep began, because no frame has moved yet.
        tree_fit(&(struct fitting){.sim = sim, .member = &meet->members[m], .all = true, .stand = true});
    }
    sim_search_crossings(sim);
}

static void island_begin(struct sim *sim, struct sim_island *island)
{
    struct sim_meet *meet = sim->meet;
    lists_clear(meet, island);
    island->halved = island->halvings > 0;
    for (uint32_t m = island->first; m < island->first + island->count; m++) {
        struct sim_member *member = &meet->members[meet->by_island[m]];
        memset(meet->dirty + member->body->first_row, 0, member->body->count);
        member->dirty = member->moved = false;
        chart_refit(sim, member, true);
    }
}

static enum sim_detecting islands_look(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    const bool first = !meet->found;
    if (first) {
        memset(meet->dirty, 0, meet->row_capacity); // row 0 as well, which holes have
    }
    sim_islands_find(sim);
    meet->found = true;
    for (uint32_t i = 0; i < meet->island_count; i++) {
        if (meet->islands[i].look == SIM_LOOK_TREES) {
            island_begin(sim, &meet->islands[i]);
        }
    }
    if (first) {
        crossings_look_for(sim);
    }
    return first ? SIM_DETECT_CROSSINGS : SIM_DETECT_TREES;
}

static enum sim_detecting pairs_look_for(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    for (uint32_t i = 0; i < meet->island_count; i++) {
        meet->islands[i].full &= meet->islands[i].look == SIM_LOOK_NOT;
    }
    sim_search_pairs(sim);
    return SIM_DETECT_PAIRS;
}

// Says of rows which island and which block of it they are in. Blocks are counted within an island, so that they do not depend on where
// the rows of a body begin.
static void rows_place(struct sim_meet *meet, struct sim_island *island)
{
    island->block_count = 0;
    for (uint32_t m = island->first; m < island->first + island->count; m++) {
        const struct sim_body *body = meet->members[meet->by_island[m]].body;
        for (uint32_t i = 0; i < body->count; i++) {
            meet->island_of[body->first_row + i] = (uint32_t)(island - meet->islands);
            meet->block_of[body->first_row + i] = island->block_count + i / SIM_BLOCK_ROWS;
        }
        island->block_count += body->count / SIM_BLOCK_ROWS + 1;
    }
}

static enum sim_detecting trees_look(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    for (uint32_t i = 0; i < meet->island_count; i++) {
        rows_place(meet, &meet->islands[i]);
    }
    for (uint32_t m = 0; m < meet->member_count; m++) {
        struct sim_member *member = &meet->members[m];
        if (meet->islands[member->island].look == SIM_LOOK_TREES) {
            tree_refit(sim, member, true);
        }
    }
    return pairs_look_for(sim);
}

static void pairs_count(struct sim *sim)
{
    const struct sim_meet *meet = sim->meet;
    uint32_t pairs = 0;
    for (uint32_t i = 0; i < meet->island_count; i++) {
        for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
            pairs += meet->islands[i].lists[kind].count - meet->islands[i].lists[kind].holes;
        }
    }
    sim->meetings.pairs = pairs > sim->meetings.pairs ? pairs : sim->meetings.pairs;
}

// If the pairs of an island do not fit, all of them are found again with tubes of this substep alone, and so in the rest of the
// tick. If that does not help, tubes stand and are halved, down to where rows are, until pairs fit. Pairs that still do not fit
// are dropped. Tubes of fast contact keep their paths, since they are for the whole tick and hold nothing.
static void island_fit(struct sim *sim, struct sim_island *island)
{
    enum { HALVINGS = 8 };
    const bool once = sim->settings.contact_quality == SIM_CONTACT_FAST,
               some = island->look != SIM_LOOK_TREES;
    if (!island->full || island->halvings == HALVINGS) {
        sim->meetings.dropped += island->full;
        island->stale = true;
        island->standing = false;
        island->halvings = 0;
        island->look = SIM_LOOK_NOT;
        return;
    }
    island->look = SIM_LOOK_ISLANDS;
    if (some || !(island->brief || once)) {
        island->brief = !once;
        return;
    }
    island->halvings++;
    sim->meetings.shrunk++;
    island->standing = !once;
}

// Once a search has ended.
static enum sim_detecting pairs_fit(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    bool again = false;
    for (uint32_t i = 0; i < meet->island_count; i++) {
        struct sim_island *island = &meet->islands[i];
        if (island->look != SIM_LOOK_NOT) {
            island_fit(sim, island);
        }
        again |= island->look == SIM_LOOK_ISLANDS;
    }
    for (uint32_t m = 0; m < meet->member_count; m++) {
        meet->members[m].dirty = false;
    }
    if (again) {
        return SIM_DETECT_ISLANDS;
    }
    pairs_count(sim);
    return SIM_DETECT_NOTHING;
}

bool sim_detect_go_on(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    while (meet->detecting != SIM_DETECT_NOTHING) {
        if (meet->detecting == SIM_DETECT_ISLANDS) {
            meet->detecting = islands_look(sim);
        } else if (meet->detecting == SIM_DETECT_TREES) {
            meet->detecting = trees_look(sim);
        } else if (!sim_search_go_on(sim)) {
            return false;
        } else {
            meet->detecting = meet->detecting == SIM_DETECT_CROSSINGS ? SIM_DETECT_TREES : pairs_fit(sim);
            if (meet->detecting != SIM_DETECT_NOTHING && sim_meet_rests(sim)) {
                return false;
            }
        }
    }
    return true;
}

// Marks rows that may be out of their tubes, and counts them: most often there are none.
static uint32_t may_be_outside(struct sim_meet *meet, const float *went, uint32_t first, uint32_t end)
{
    const float *restrict ways = meet->ways, *restrict within = meet->within;
    uint32_t out = 0;
    for (uint32_t row = first; row < end && !went; row++) {
        out += !(ways[row] <= within[row]);
    }
    for (uint32_t row = first; row < end && went; row++) {
        out += !(ways[row] + went[row] <= within[row]);
    }
    memset(meet->dirty + first, 0, end - first);
    for (uint32_t row = first; row < end && out > 0 && !went; row++) {
        meet->dirty[row] = !(ways[row] <= within[row]);
    }
    for (uint32_t row = first; row < end && out > 0 && went; row++) {
        meet->dirty[row] = !(ways[row] + went[row] <= within[row]);
    }
    return out;
}

// Rows of a member that may have left their tubes, for tasks of some of them each.
struct leaving {
    struct sim *sim;
    const struct sim_member *member;
    const float *went;
    struct sim_split parts;
    uint32_t out[SIM_PARTS_MOST]; // rows that left
};

static void leaving_task(void *context, uint32_t part)
{
    struct leaving *leaving = context;
    struct sim *sim = leaving->sim;
    struct sim_meet *meet = sim->meet;
    const struct sim_island *island = &meet->islands[leaving->member->island];
    const struct sim_body *body = leaving->member->body;
    const uint32_t first = body->first_row + part * leaving->parts.size,
                   end = body->first_row + sim_split_end(&leaving->parts, part, body->count);
    uint32_t out = may_be_outside(meet, leaving->went, first, end);
    int32_t frame[3];
    for (int axis = 0; axis < 3; axis++) {
        frame[axis] = sim_wrap_add(island->since[axis], island->frame[axis]);
    }
    for (uint32_t row = out > 0 ? first : end; row < end; row++) {
        if (meet->dirty[row] != 0 && !sim_tube_is_left(meet, row, sim->rows[row].x, frame)) {
            meet->dirty[row] = 0;
            out--;
        }
    }
    leaving->out[part] = out;
}

void sim_detect_outside(struct sim *sim, const float *went)
{
    struct sim_meet *meet = sim->meet;
    for (uint32_t m = 0; m < meet->member_count; m++) {
        struct sim_member *member = &meet->members[m];
        struct leaving leaving;
        leaving.sim = sim;
        leaving.member = member;
        leaving.went = went;
        leaving.parts = sim_split_of(member->body->count, SIM_PART_LIGHT_ROWS);
        sim_share_out(meet->parallel, leaving.parts.count, leaving_task, &leaving);
        member->dirty = false;
        for (uint32_t part = 0; part < leaving.parts.count; part++) {
            member->dirty |= leaving.out[part] > 0;
        }
    }
}

// Rows of a member that get new tubes. What a task finds out is put together afterwards.
struct tubing {
    struct sim *sim;
    const struct sim_member *member;
    struct sim_split parts;
    struct {
        int64_t bounds[2][3];
        bool wider, everyone;
    } told[SIM_PARTS_MOST];
};

static void tubes_task(void *context, uint32_t part)
{
    struct tubing *tubing = context;
    struct sim *sim = tubing->sim;
    const struct sim_body *body = tubing->member->body;
    const uint32_t end = body->first_row + sim_split_end(&tubing->parts, part, body->count);
    int64_t bounds[2][3];
    bool wider = false, everyone = true;
    memcpy(bounds, tubing->member->bounds, sizeof bounds);
    for (uint32_t row = body->first_row + part * tubing->parts.size; row < end; row++) {
        everyone &= sim->meet->dirty[row] != 0;
        if (sim->meet->dirty[row] != 0) {
            sim_tube_make(sim, tubing->member, row);
            wider |= sim_bounds_take(sim, tubing->member, row, bounds);
        }
    }
    memcpy(tubing->told[part].bounds, bounds, sizeof bounds);
    tubing->told[part].wider = wider;
    tubing->told[part].everyone = everyone;
}

// Gives dirty rows of a member new tubes. False if it may come near other islands by that.
static bool tubes_make(struct sim *sim, struct sim_member *member, bool *everyone)
{
    struct tubing tubing = {
        .sim = sim, .member = member, .parts = sim_split_of(member->body->count, SIM_PART_ROWS)};
    bool wider = false;
    if (!member->dirty) {
        *everyone = false;
        return true;
    }
    sim_share_out(sim->meet->parallel, tubing.parts.count, tubes_task, &tubing);
    for (uint32_t part = 0; part < tubing.parts.count; part++) {
        for (int axis = 0; axis < 3; axis++) {
            const int64_t least = tubing.told[part].bounds[0][axis], most = tubing.told[part].bounds[1][axis];
            member->bounds[0][axis] = least < member->bounds[0][axis] ? least : member->bounds[0][axis];
            member->bounds[1][axis] = most > member->bounds[1][axis] ? most : member->bounds[1][axis];
        }
        wider |= tubing.told[part].wider;
        *everyone &= tubing.told[part].everyone;
    }
    return !(wider && sim_is_near_others(sim->meet, member));
}

static enum sim_look island_again(struct sim *sim, struct sim_island *island)
{
    struct sim_meet *meet = sim->meet;
    bool everyone = true;
    sim_frame_drift(sim, island);
    for (uint32_t m = island->first; m < island->first + island->count; m++) {
        struct sim_member *member = &meet->members[meet->by_island[m]];
        if (!tubes_make(sim, member, &everyone)) {
            return SIM_LOOK_ISLANDS;
        }
        if (member->dirty || member->moved) {
            tree_refit(sim, member, false);
            chart_refit(sim, member, false);
        }
        member->moved = member->dirty;
    }
    if (everyone) {
        island->halved = false;
        lists_clear(meet, island);
    }
    sim_slices_drop(sim, island);
    return everyone ? SIM_LOOK_ALL : SIM_LOOK_SOME;
}

static bool is_dirty(const struct sim_meet *meet, const struct sim_island *island)
{
    bool dirty = false;
    for (uint32_t m = island->first; m < island->first + island->count; m++) {
        dirty |= meet->members[meet->by_island[m]].dirty;
    }
    return dirty;
}

void sim_detect_again(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    bool some = false, anew = meet->woken || !meet->found;
    for (uint32_t i = 0; i < meet->island_count; i++) {
        struct sim_island *island = &meet->islands[i];
        if (island->left) {
            island->look = SIM_LOOK_ISLANDS;
        } else if (is_dirty(meet, island)) {
            island->look = island_again(sim, island);
        }
        some |= island->look != SIM_LOOK_NOT;
        anew |= island->look == SIM_LOOK_ISLANDS;
    }
    if (anew) {
        meet->detecting = SIM_DETECT_ISLANDS;
    } else if (some) {
        meet->detecting = pairs_look_for(sim);
    }
}
