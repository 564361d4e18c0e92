// Which bodies come near each other, and how their frames move.
//
// At first each body is an island of its own. Then islands are joined whose bodies may meet, and whose boxes overlap. The boxes are
// swept by the ways that the frames are expected to go. A frame may leave its sweep later. Then its island is made again, and so are
// the islands that its bodies may come near now. The other islands are kept as they are.

#include "sim/contact/islands.h"

#include "sim/contact/rooms.h"
#include "sim/contact/search.h"
#include "sim/contact/slices.h"
#include "sim/contact/truncate.h"
#include "sim/contact/tube.h"
#include "sim/ground/ground.h"

#include <math.h>

static float length(const float v[3])
{
    return sqrtf((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]);
}

// ---------------------------------------------------------------------------------------------------- frames

// The way of a row along an axis, quanta: in this substep, or as its velocity would take it.
static int32_t way_along(const struct sim *sim, uint32_t row, int axis, bool by_velocity)
{
    const float most = SIM_MOVE_MAX;
    if (!by_velocity) {
        return sim_wrap_sub(sim->rows[row].x[axis], sim->previous[row].x[axis]);
    }
    float way = sim->velocities[row].v[axis] * sim->times.h_over_q;
    way = way > -most ? way : -most; // what is no number as well
    return (int32_t)(way < most ? way : most);
}

// Sums of ways of the rows of a body, for tasks of some of them each.
struct summing {
    const struct sim *sim;
    const struct sim_body *body;
    bool by_velocity;
    struct sim_split parts;
    int64_t sums[SIM_PARTS_MOST][3];
};

static void sum_task(void *context, uint32_t part)
{
    struct summing *summing = context;
    const struct sim_body *body = summing->body;
    const uint32_t end = body->first_row + sim_split_end(&summing->parts, part, body->count);
    int64_t sum[3] = {0};
    for (uint32_t row = body->first_row + part * summing->parts.size; row < end; row++) {
        for (int axis = 0; axis < 3; axis++) {
            sum[axis] += way_along(summing->sim, row, axis, summing->by_velocity);
        }
    }
    memcpy(summing->sums[part], sum, sizeof sum);
}

// The mean way of all rows of an island, quanta; 0 if the island is fixed.
static void mean_way(const struct sim *sim, const struct sim_island *island, bool by_velocity,
                     int64_t mean[3])
{
    const struct sim_meet *meet = sim->meet;
    int64_t sum[3] = {0}, count = 0;
    for (uint32_t m = island->first; !island->fixed && m < island->first + island->count; m++) {
        struct summing summing;
        summing.sim = sim;
        summing.by_velocity = by_velocity;
        summing.body = meet->members[meet->by_island[m]].body;
        summing.parts = sim_split_of(summing.body->count, SIM_PART_LIGHT_ROWS);
        sim_share_out(meet->parallel, summing.parts.count, sum_task, &summing);
        for (uint32_t part = 0; part < summing.parts.count; part++) {
            for (int axis = 0; axis < 3; axis++) {
                sum[axis] += summing.sums[part][axis];
            }
        }
        count += summing.body->count;
    }
    for (int axis = 0; axis < 3; axis++) {
        mean[axis] = count > 0 ? sum[axis] / count : 0;
    }
}

static void frame_move(const struct sim *sim, struct sim_island *island)
{
    int64_t mean[3];
    mean_way(sim, island, false, mean);
    for (int axis = 0; axis < 3; axis++) {
        island->frame[axis] = (int32_t)mean[axis];
        int32_t now = sim_wrap_add(island->since[axis], island->frame[axis]);
        island->left |= now < island->sweep[0][axis] || now > island->sweep[1][axis];
    }
}

void sim_frames_move(struct sim *sim)
{
    for (uint32_t i = 0; i < sim->meet->island_count; i++) {
        frame_move(sim, &sim->meet->islands[i]);
    }
}

void sim_frame_drift(const struct sim *sim, struct sim_island *island)
{
    int64_t mean[3];
    mean_way(sim, island, true, mean);
    for (int axis = 0; axis < 3; axis++) {
        island->drift[axis] = (float)mean[axis];
    }
}

static void sweep_expect(struct sim_island *island, uint32_t left)
{
    for (int axis = 0; axis < 3; axis++) {
        float e = (float)island->frame[axis], end = e * (float)(left + 1), way = e < 0 ? -end : end;
        float slack = island->fixed ? 0 : island->thinnest + 0.25f * way;
        island->sweep[0][axis] = sim_outwards(end < 0 ? end : 0, slack, 0);
        island->sweep[1][axis] = sim_outwards(end > 0 ? end : 0, slack, 1);
    }
}

// --------------------------------------------------------------------------------------------------- islands

static float pace_of(const struct sim *sim, const struct sim_member *member)
{
    const struct sim_body *body = member->body;
    double paces = 0;
    for (uint32_t row = body->first_row; row < body->first_row + body->count; row++) {
        int32_t way[3];
        sim_way_in_frame(sim, &sim->meet->islands[member->island], row, way);
        paces += (double)length((float[3]){(float)way[0], (float)way[1], (float)way[2]});
    }
    return (float)(paces / body->count);
}

static void boxes_make(struct sim *sim, struct sim_member *member)
{
    struct sim_meet *meet = sim->meet;
    const struct sim_island *island = &meet->islands[member->island];
    const struct sim_body *body = member->body;
    int64_t around = (int64_t)member->thickness + 16;
    for (uint32_t row = body->first_row; row < body->first_row + body->count; row++) {
        sim_tube_make(sim, member, row);
        for (int axis = 0; axis < 3; axis++) {
            int64_t x = sim_whole(sim, row, (uint32_t)axis, meet->detected[row].x[axis]);
            int64_t least = x + meet->boxes[row][0][axis] + island->sweep[0][axis] - around;
            int64_t most = x + meet->boxes[row][1][axis] + island->sweep[1][axis] + around;
            bool first = row == body->first_row;
            member->bounds[0][axis] =
                first || least < member->bounds[0][axis] ? least : member->bounds[0][axis];
            member->bounds[1][axis] =
                first || most > member->bounds[1][axis] ? most : member->bounds[1][axis];
        }
    }
    member->pace = pace_of(sim, member);
}

bool sim_members_near(const struct sim_member *a, const struct sim_member *b)
{
    bool near = true;
    for (int axis = 0; axis < 3; axis++) {
        near = near && a->bounds[0][axis] <= b->bounds[1][axis] && b->bounds[0][axis] <= a->bounds[1][axis];
    }
    return near;
}

static bool is_near_sleeper(const struct sim_member *member, const struct sim_body *sleeper)
{
    bool near = sim_bodies_meet(member->body, sleeper);
    for (int axis = 0; axis < 3; axis++) {
        near = near && member->bounds[0][axis] <= sleeper->box[1][axis] &&
               sleeper->box[0][axis] <= member->bounds[1][axis];
    }
    return near;
}

static bool is_reached(const struct sim_meet *meet, const struct sim_body *sleeper)
{
    bool reached = false;
    for (uint32_t m = 0; m < meet->member_count && !reached; m++) {
        reached = is_near_sleeper(&meet->members[m], sleeper);
    }
    return reached;
}

// Adds a member to what is known of an island. The longest edge counts twice, so that edges may stretch to twice their length
// before anything is lost.
static void island_take(struct sim_island *island, const struct sim_member *member)
{
    const float longest = 2 * member->body->features->longest;
    island->count++;
    island->fixed |= member->fixed;
    island->seed += member->seed;
    island->thinnest = member->thickness < island->thinnest ? member->thickness : island->thinnest;
    island->thickest = member->thickness > island->thickest ? member->thickness : island->thickest;
    island->longest = longest > island->longest ? longest : island->longest;
    island->floor = island->longest * (float)SIM_GAP_OF_LENGTH;
    island->floor = island->floor > SIM_GAP_LEAST ? island->floor : SIM_GAP_LEAST;
}

// And what becomes of an island that some of them were of.
static void island_follow(struct sim_island *island, const struct sim_island *before)
{
    island->brief |= before->brief;
    island->standing |= before->standing;
    island->pressed |= before->pressed;
    island->halvings = before->halvings > island->halvings ? before->halvings : island->halvings;
    island->rounds = before->rounds > island->rounds ? before->rounds : island->rounds;
    island->held = before->held > island->held ? before->held : island->held;
    island->visits_most =
        before->visits_most > island->visits_most ? before->visits_most : island->visits_most;
}

// Gives each member of an island that has to be made again an island of its own.
static void islands_begin(struct sim_meet *meet)
{
    for (uint32_t i = 0; i < meet->kept_count; i++) {
        meet->kept[i].first = UINT32_MAX;
    }
    for (uint32_t m = 0; m < meet->member_count; m++) {
        struct sim_member *member = &meet->members[m];
        struct sim_island *was = member->was == SIM_NO_ISLAND ? NULL : &meet->kept[member->was];
        member->afresh = !was || was->look == SIM_LOOK_ISLANDS;
        member->root = m;
        if (!member->afresh) {
            was->first = was->first == UINT32_MAX ? m : was->first;
            member->root = was->first;
        }
    }
}

static void island_begin(const struct sim_meet *meet, struct sim_island *island,
                         const struct sim_member *member)
{
    if (member->afresh) {
        *island = (struct sim_island){.thinnest = SIM_PAIR_FAR,
                                      .look = SIM_LOOK_TREES,
                                      .stale = true,
                                      .rounds_go_on = true,
                                      .visits_most = SIM_VISITS_LEAST};
    } else {
        *island = meet->kept[member->was];
        island->count = 0;
    }
}

// Islands by their members, which say which is the least one of theirs.
static void islands_list(struct sim_meet *meet)
{
    meet->island_count = 0;
    for (uint32_t m = 0; m < meet->member_count; m++) {
        struct sim_member *member = &meet->members[m];
        if (member->root == m) {
            member->island = meet->island_count;
            island_begin(meet, &meet->islands[meet->island_count++], member);
        } else {
            member->island = meet->members[member->root].island; // the least one comes first
        }
        struct sim_island *island = &meet->islands[member->island];
        if (!member->afresh) {
            island->count++;
            continue;
        }
        island_take(island, member);
        if (member->was != SIM_NO_ISLAND) {
            island_follow(island, &meet->kept[member->was]);
        }
    }
    uint32_t first = 0;
    for (uint32_t i = 0; i < meet->island_count; i++) {
        meet->islands[i].first = first;
        first += meet->islands[i].count;
        meet->islands[i].count = 0;
    }
    for (uint32_t m = 0; m < meet->member_count; m++) {
        struct sim_island *island = &meet->islands[meet->members[m].island];
        meet->by_island[island->first + island->count++] = m;
    }
}

static void roots_join(struct sim_meet *meet, uint32_t a, uint32_t b)
{
    const uint32_t from = meet->members[a].root, to = meet->members[b].root;
    for (uint32_t m = 0; m < meet->member_count; m++) {
        if (meet->members[m].root == from || meet->members[m].root == to) {
            meet->members[m].root = from < to ? from : to;
        }
    }
}

// Joins islands of members that come near each other. Returns true if any were. An island that was kept is found again if a member of
// another one comes near. From then on its members are islands of their own, too.
static bool islands_join(struct sim_meet *meet)
{
    bool joined = false, opened = false;
    for (uint32_t a = 0; a < meet->member_count; a++) {
        for (uint32_t b = a + 1; b < meet->member_count; b++) {
            struct sim_member *one = &meet->members[a], *other = &meet->members[b];
            if (!(one->afresh || other->afresh) || one->root == other->root ||
                !sim_members_near(one, other) || !sim_bodies_meet(one->body, other->body)) {
                continue;
            }
            joined = true;
            if (one->afresh && other->afresh) {
                roots_join(meet, a, b);
                continue;
            }
            meet->kept[one->afresh ? other->was : one->was].look = SIM_LOOK_ISLANDS;
            opened = true;
        }
    }
    for (uint32_t m = 0; opened && m < meet->member_count; m++) {
        struct sim_member *member = &meet->members[m];
        if (!member->afresh && meet->kept[member->was].look == SIM_LOOK_ISLANDS) {
            member->afresh = true;
            member->root = m;
        }
    }
    return joined;
}

// From where boxes of an island are told.
static void middle_choose(const struct sim_meet *meet, struct sim_island *island)
{
    for (int axis = 0; axis < 3; axis++) {
        int64_t least = INT64_MAX, most = INT64_MIN;
        for (uint32_t m = island->first; m < island->first + island->count; m++) {
            const struct sim_member *member = &meet->members[meet->by_island[m]];
            least = member->bounds[0][axis] < least ? member->bounds[0][axis] : least;
            most = member->bounds[1][axis] > most ? member->bounds[1][axis] : most;
        }
        island->middle[axis] = least + (most - least) / 2;
    }
}

// Substeps until all rows of an island are looked at again: fewer if they go far against their thickness. Returns whether it
// is calm: its rows take more than half of the tick to go as far as they are thick.
static bool expiry_choose(struct sim *sim, struct sim_island *island)
{
    enum { LEAST = 4 };
    struct sim_meet *meet = sim->meet;
    const float substeps = (float)sim->settings.substeps;
    float least = substeps;
    const bool once = sim->settings.contact_quality == SIM_CONTACT_FAST; // for the whole tick
    for (uint32_t m = island->first; m < island->first + island->count && !island->idle && !once; m++) {
        const struct sim_member *member = &meet->members[meet->by_island[m]];
        float steps = member->thickness / (member->pace + 1);
        least = steps < least ? steps : least;
    }
    float steps = 1.5f * least < substeps ? 1.5f * least : substeps;
    steps = steps > LEAST ? steps : LEAST;
    island->expires = sim->substep + (island->brief ? 1 : (uint32_t)steps);
    return island->idle || (!island->brief && (uint32_t)least > sim->settings.substeps / 2);
}

static void island_boxes_make(struct sim *sim, const struct sim_island *island)
{
    struct sim_meet *meet = sim->meet;
    for (uint32_t m = island->first; m < island->first + island->count; m++) {
        const struct sim_member *member = &meet->members[meet->by_island[m]];
        const struct sim_body *body = member->body;
        for (uint32_t row = body->first_row; row < body->first_row + body->count; row++) {
            sim_tube_make(sim, member, row);
        }
    }
}

// Wakes what awake bodies may reach. If there is any, bodies are islands of their own again.
static bool sleepers_wake(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    bool any = false;
    for (uint32_t s = 0; s < meet->sleeper_count; s++) {
        if (meet->sleepers[s]->asleep && is_reached(meet, meet->sleepers[s])) {
            sim_wake_within(sim, meet->sleepers[s]);
            any = true;
        }
    }
    if (any) {
        sim_meet_take_woken(sim);
        islands_begin(meet);
    }
    return any;
}

// Puts islands aside that are left as they are.
static void islands_keep(struct sim_meet *meet)
{
    struct sim_island *kept = meet->islands;
    meet->islands = meet->kept;
    meet->kept = kept;
    meet->kept_count = meet->island_count;
    for (uint32_t m = 0; m < meet->member_count; m++) {
        meet->members[m].was = meet->members[m].island;
    }
}

static void islands_sweep(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    const uint32_t end = sim->settings.substeps + 1;
    for (uint32_t i = 0; i < meet->island_count; i++) {
        struct sim_island *island = &meet->islands[i];
        if (island->look == SIM_LOOK_TREES) {
            frame_move(sim, island);
            sim_frame_drift(sim, island);
            island->expires = end;
            island->left = false;
            sweep_expect(island, end - 1 - sim->substep);
        }
    }
    for (uint32_t m = 0; m < meet->member_count; m++) {
        if (meet->members[m].afresh) {
            boxes_make(sim, &meet->members[m]);
        }
    }
}

void sim_islands_find(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    islands_keep(meet);
    sim_meet_take_woken(sim);
    islands_begin(meet);
    do {
        islands_list(meet);
        islands_sweep(sim);
    } while (sleepers_wake(sim) || islands_join(meet));
    for (uint32_t i = 0; i < meet->island_count; i++) {
        struct sim_island *island = &meet->islands[i];
        if (island->look != SIM_LOOK_TREES) {
            continue;
        }
        middle_choose(meet, island);
        island->idle =
            island->count == 1 && !meet->members[meet->by_island[island->first]].body->meeting.self;
        island->calm = expiry_choose(sim, island);
        if (island->expires <= sim->settings.substeps) {
            island_boxes_make(sim, island);
        }
    }
    meet->woken = false;
    sim_rooms_share(meet);
}

void sim_islands_expire(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    for (uint32_t i = 0; i < meet->island_count; i++) {
        struct sim_island *island = &meet->islands[i];
        if (island->idle || island->left || sim->substep < island->expires) {
            continue;
        }
        for (uint32_t m = island->first; m < island->first + island->count; m++) {
            struct sim_member *member = &meet->members[meet->by_island[m]];
            const struct sim_body *body = member->body;
            memset(meet->dirty + body->first_row, 1, body->count);
            member->dirty = true;
            member->pace = pace_of(sim, member);
        }
        expiry_choose(sim, island); // who was calm stays so until islands are found again
    }
}

bool sim_bounds_take(struct sim *sim, const struct sim_member *member, uint32_t row, int64_t bounds[2][3])
{
    const struct sim_meet *meet = sim->meet;
    const struct sim_island *island = &meet->islands[member->island];
    int64_t around = (int64_t)member->thickness + 16;
    bool wider = false;
    for (int axis = 0; axis < 3; axis++) {
        int64_t x = sim_whole(sim, row, (uint32_t)axis, meet->detected[row].x[axis]);
        int64_t least = x + meet->boxes[row][0][axis] + island->sweep[0][axis] - around;
        int64_t most = x + meet->boxes[row][1][axis] + island->sweep[1][axis] + around;
        wider |= least < bounds[0][axis] || most > bounds[1][axis];
        bounds[0][axis] = least < bounds[0][axis] ? least : bounds[0][axis];
        bounds[1][axis] = most > bounds[1][axis] ? most : bounds[1][axis];
    }
    return wider;
}

bool sim_is_near_others(const struct sim_meet *meet, const struct sim_member *member)
{
    for (uint32_t m = 0; m < meet->member_count; m++) {
        const struct sim_member *other = &meet->members[m];
        if (other->island != member->island && sim_members_near(member, other) &&
            sim_bodies_meet(member->body, other->body)) {
            return true;
        }
    }
    for (uint32_t s = 0; s < meet->sleeper_count; s++) {
        if (is_near_sleeper(member, meet->sleepers[s])) {
            return true;
        }
    }
    return false;
}
