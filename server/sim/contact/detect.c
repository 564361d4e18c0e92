// Pairs are found by the trees of bodies that share an island, two bodies after the other by their ids. What an edge and a
// triangle are to each other is looked at once a tick, exactly, where it begins: features about a crossing are left alone
// for as long as it lasts, since nothing says which way they should go.

#include "sim/contact/detect.h"

#include "sim/contact/exact.h"
#include "sim/contact/islands.h"

#include <math.h>
#include <stdlib.h>

// Two members, or one and itself.
struct search {
    struct sim *sim;
    struct sim_meet *meet;
    const struct sim_member *members[2];
    const struct sim_features *features[2];
    uint32_t first[2]; // rows
    bool all;          // else only pairs that have a dirty row
    bool fixed;        // there are static rows
    sim_leaves_meet *meets;
    float friction;
    struct sim_candidates candidates[SIM_PAIR_KINDS];
    sim_narrow *narrow[SIM_PAIR_KINDS];
};

// -------------------------------------------------------------------------------------------------- exemption

static int by_rows(const void *a, const void *b)
{
    const struct sim_exempt *x = a, *y = b;
    if (x->first != y->first) {
        return x->first < y->first ? -1 : 1;
    }
    return x->second < y->second ? -1 : x->second > y->second;
}

static void sink(struct sim_exempt *heap, uint32_t at, uint32_t count)
{
    struct sim_exempt item = heap[at];
    for (uint32_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        child += child + 1 < count && by_rows(&heap[child], &heap[child + 1]) < 0;
        if (by_rows(&item, &heap[child]) >= 0) {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = item;
}

// In place: the library's may ask for memory.
static void exempt_sort(struct sim_exempt *items, uint32_t count)
{
    for (uint32_t at = count / 2; at > 0; at--) {
        sink(items, at - 1, count);
    }
    for (uint32_t left = count; left > 1; left--) {
        struct sim_exempt greatest = items[0];
        items[0] = items[left - 1];
        items[left - 1] = greatest;
        sink(items, 0, left - 1);
    }
}

static uint64_t both(uint32_t a, uint32_t b)
{
    return (uint64_t)a << 32 | b;
}

// Rows of a pair: a triangle's in its own order, those of edges and the edges themselves by their rows. Rows are below
// 2^28, so a bit says of which kind it is.
static struct sim_exempt exempt_of(enum sim_pair_kind kind, const uint32_t rows[4])
{
    if (kind == SIM_PAIR_VT) {
        return (struct sim_exempt){both(rows[0] | 1U << 31, rows[1]), both(rows[2], rows[3])};
    }
    uint64_t e = rows[0] < rows[1] ? both(rows[0], rows[1]) : both(rows[1], rows[0]);
    uint64_t f = rows[2] < rows[3] ? both(rows[2], rows[3]) : both(rows[3], rows[2]);
    return e < f ? (struct sim_exempt){e, f} : (struct sim_exempt){f, e};
}

static bool is_exempt(const struct sim_meet *meet, enum sim_pair_kind kind, const uint32_t at[4])
{
    const uint32_t rows[4] = {at[0] / SIM_ROW_BYTES, at[1] / SIM_ROW_BYTES, at[2] / SIM_ROW_BYTES,
                              at[3] / SIM_ROW_BYTES};
    const struct sim_exempt key = exempt_of(kind, rows);
    return bsearch(&key, meet->exempt, meet->exempt_count, sizeof key, by_rows) != NULL;
}

static void exempt_add(struct search *search, enum sim_pair_kind kind, uint32_t a, uint32_t b, uint32_t c,
                       uint32_t d)
{
    struct sim_meet *meet = search->meet;
    if (meet->exempt_count == meet->exempt_capacity) {
        search->sim->meetings.dropped++;
        return;
    }
    meet->exempt[meet->exempt_count++] = exempt_of(kind, (const uint32_t[4]){a, b, c, d});
}

// An edge of one element and the triangle of another, by their rows.
static void cross(struct search *search, const uint32_t edge[2], const uint32_t t[3])
{
    const struct sim_row *rows = search->sim->previous;
    uint32_t a = edge[0], b = edge[1];
    if (a == t[0] || a == t[1] || a == t[2] || b == t[0] || b == t[1] || b == t[2]) {
        return;
    }
    int32_t ends[2][3], corners[3][3];
    for (int axis = 0; axis < 3; axis++) {
        ends[0][axis] = rows[a].x[axis];
        ends[1][axis] = rows[b].x[axis];
        for (int corner = 0; corner < 3; corner++) {
            corners[corner][axis] = rows[t[corner]].x[axis];
        }
    }
    bool free = rows[a].w > 0 || rows[b].w > 0 || rows[t[0]].w > 0 || rows[t[1]].w > 0 || rows[t[2]].w > 0;
    if (!free || !sim_edge_crosses((const int32_t(*)[3])ends, (const int32_t(*)[3])corners)) {
        return;
    }
    search->sim->meetings.crossed++;
    for (int k = 0; k < 5; k++) {
        search->meet->crossing[k < 2 ? edge[k] : t[k - 2]] = 1;
    }
    exempt_add(search, SIM_PAIR_VT, a, t[0], t[1], t[2]);
    exempt_add(search, SIM_PAIR_VT, b, t[0], t[1], t[2]);
    for (int corner = 0; corner < 3; corner++) {
        exempt_add(search, SIM_PAIR_EE, a, b, t[corner], t[(corner + 1) % 3]);
    }
}

// -------------------------------------------------------------------------------------------------- candidates

// Next to a crossing nothing is pushed, since it could not go where it is pushed to, but nothing more crosses either.
static bool is_by_a_crossing(const struct sim_meet *meet, enum sim_pair_kind kind, const uint32_t at[4])
{
    uint8_t sides[2] = {0, 0};
    for (uint32_t k = 0; k < 4; k++) {
        sides[sim_pair_first_side(kind, k)] |= meet->crossing[at[k] / SIM_ROW_BYTES];
    }
    return sides[0] != 0 && sides[1] != 0;
}

static void candidates_sift(struct search *search, enum sim_pair_kind kind)
{
    struct sim_meet *meet = search->meet;
    struct sim_candidates *candidates = &search->candidates[kind];
    float reach[SIM_LANES], low[SIM_LANES];
    if (candidates->count == 0) {
        return;
    }
    for (uint32_t lanes = search->narrow[kind](meet, candidates, reach, low); lanes != 0;
         lanes &= lanes - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        struct sim_pair pair = {.reach = reach[lane],
                                .low = low[lane],
                                .friction = search->friction,
                                .owns = candidates->owns[lane] & SIM_PAIR_OWNS};
        for (int k = 0; k < 4; k++) {
            pair.at[k] = candidates->at[k][lane];
        }
        if (meet->exempt_count > 0 && is_exempt(meet, kind, pair.at)) {
            continue;
        }
        if (meet->exempt_count > 0 && is_by_a_crossing(meet, kind, pair.at)) {
            pair.reach = 0;
        }
        meet->full |=
            sim_pairs_add(&meet->colors, &meet->lists[kind], search->sim->rows, &pair) == UINT32_MAX;
    }
    candidates->count = 0;
}

// Has it a row that needs looking at, and one that can go?
static bool is_wanted(const struct search *search, const uint32_t rows[4])
{
    const uint8_t *dirty = search->meet->dirty;
    const struct sim_row *x = search->sim->rows;
    if (!search->all && (dirty[rows[0]] | dirty[rows[1]] | dirty[rows[2]] | dirty[rows[3]]) == 0) {
        return false;
    }
    return !search->fixed || x[rows[0]].w > 0 || x[rows[1]].w > 0 || x[rows[2]].w > 0 || x[rows[3]].w > 0;
}

static inline void candidate_add(struct search *search, enum sim_pair_kind kind, uint32_t a, uint32_t b,
                                 uint32_t c, uint32_t d, uint8_t owns)
{
    struct sim_candidates *candidates = &search->candidates[kind];
    const uint32_t rows[4] = {a, b, c, d};
    if ((!search->all || search->fixed) && !is_wanted(search, rows)) {
        return;
    }
    for (int k = 0; k < 4; k++) {
        candidates->at[k][candidates->count] = rows[k] * SIM_ROW_BYTES;
    }
    candidates->owns[candidates->count] = owns;
    if (++candidates->count == SIM_LANES) {
        candidates_sift(search, kind);
    }
}

static void corners_of(const struct search *search, int side, uint32_t element, uint32_t rows[3])
{
    for (int k = 0; k < 3; k++) {
        rows[k] = search->first[side] + search->features[side]->corners[element][k];
    }
}

static void edge_of(const struct search *search, int side, uint32_t block, uint32_t lane, uint32_t rows[2])
{
    for (int k = 0; k < 2; k++) {
        rows[k] = search->first[side] + search->features[side]->edges[block][k][lane];
    }
}

static void vertex_hit(struct search *search, const struct sim_hit *hit, int side)
{
    const struct sim_features *features = search->features[side];
    uint32_t v = search->first[side] + features->vertices[hit->block][hit->lane];
    for (uint32_t lanes = hit->lanes; lanes != 0; lanes &= lanes - 1) {
        uint32_t element = hit->other * SIM_LANES + (uint32_t)__builtin_ctz(lanes), t[3];
        corners_of(search, 1 - side, element, t);
        if (v != t[0] && v != t[1] && v != t[2]) {
            candidate_add(search, SIM_PAIR_VT, v, t[0], t[1], t[2],
                          search->features[1 - side]->owns[element]);
        }
    }
}

static void edge_hit(struct search *search, const struct sim_hit *hit)
{
    uint32_t a[2], b[2];
    edge_of(search, 0, hit->block, hit->lane, a);
    for (uint32_t lanes = hit->lanes; lanes != 0; lanes &= lanes - 1) {
        edge_of(search, 1, hit->other, (uint32_t)__builtin_ctz(lanes), b);
        if (a[0] != b[0] && a[0] != b[1] && a[1] != b[0] && a[1] != b[1]) {
            candidate_add(search, SIM_PAIR_EE, a[0], a[1], b[0], b[1], 0);
        }
    }
}

static void leaves_meet(void *context, uint32_t a, uint32_t b)
{
    struct search *search = context;
    struct sim_hit hits[SIM_HITS_MAX];
    uint32_t count =
        search->meet->trees->meet(search->features[0], a, search->features[1], b, !search->all, hits);
    for (uint32_t i = 0; i < count; i++) {
        if (hits[i].kind == SIM_HIT_EDGE) {
            edge_hit(search, &hits[i]);
        } else {
            vertex_hit(search, &hits[i], hits[i].kind == SIM_HIT_VERTEX_BACK);
        }
    }
}

static void leaves_cross(void *context, uint32_t a, uint32_t b)
{
    struct search *search = context;
    struct sim_hit hits[SIM_HITS_MAX];
    uint32_t count = search->meet->trees->cross(search->features[0], a, search->features[1], b, hits);
    for (uint32_t i = 0; i < count; i++) {
        int side = hits[i].kind == SIM_HIT_CROSS_BACK;
        uint32_t edge[2], triangle[3];
        edge_of(search, side, hits[i].block, hits[i].lane, edge);
        for (uint32_t lanes = hits[i].lanes; lanes != 0; lanes &= lanes - 1) {
            corners_of(search, 1 - side, hits[i].other * SIM_LANES + (uint32_t)__builtin_ctz(lanes),
                       triangle);
            cross(search, edge, triangle);
        }
    }
}

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

static void tree_refit(struct sim *sim, struct sim_member *member, bool all)
{
    struct sim_meet *meet = sim->meet;
    const struct sim_body *body = member->body;
    if (meet->islands[member->island].idle) {
        return;
    }
    for (uint32_t row = body->first_row; row < body->first_row + body->count; row++) {
        if (all || meet->dirty[row] != 0) {
            bounds_make(sim, member, row);
        }
    }
    meet->trees->refit(body->features, meet->bounds + body->first_row,
                       all ? NULL : meet->dirty + body->first_row);
}

static void members_search(struct search *search, const struct sim_member *a, const struct sim_member *b)
{
    const struct sim_meeting *one = &a->body->meeting, *other = &b->body->meeting;
    search->members[0] = a;
    search->members[1] = b;
    search->features[0] = a->body->features;
    search->features[1] = b->body->features;
    search->first[0] = a->body->first_row;
    search->first[1] = b->body->first_row;
    search->fixed = a->fixed || b->fixed;
    search->friction = sqrtf((float)(one->friction * other->friction));
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        search->candidates[kind].reach = a->thickness + b->thickness;
        search->candidates[kind].same = a == b;
    }
    sim_tree_walk(search->features[0], 1, search->features[1], 1, !search->all, search->meets, search);
    candidates_sift(search, SIM_PAIR_VT);
    candidates_sift(search, SIM_PAIR_EE);
}

static void search_islands(struct search *search)
{
    struct sim_meet *meet = search->meet;
    for (uint32_t i = 0; i < meet->island_count; i++) {
        const struct sim_island *island = &meet->islands[i];
        for (uint32_t m = 0; m < island->count && !island->idle; m++) {
            const struct sim_member *a = &meet->members[meet->by_island[island->first + m]];
            for (uint32_t n = m; n < island->count; n++) {
                const struct sim_member *b = &meet->members[meet->by_island[island->first + n]];
                if ((search->all || a->dirty || b->dirty) && sim_bodies_meet(a->body, b->body)) {
                    members_search(search, a, b);
                }
            }
        }
    }
}

static void search_pairs(struct sim *sim, bool all, sim_leaves_meet *meets)
{
    struct sim_meet *meet = sim->meet;
    struct search search = {.sim = sim, .meet = meet, .all = all, .meets = meets};
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        search.narrow[kind] = sim_narrow_of(meet->isa, (enum sim_pair_kind)kind);
    }
    search_islands(&search);
}

// ------------------------------------------------------------------------------------------------- detections

static void lists_clear(struct sim_meet *meet)
{
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        meet->lists[kind].count = meet->lists[kind].holes = meet->lists[kind].first_hole = 0;
    }
    memset(meet->colors.used, 0, meet->colors.row_count * sizeof *meet->colors.used);
    meet->colors.serial = 0;
    meet->full = false;
}

// Boxes are halved until pairs fit. Those that still do not are dropped.
static void search_fitting(struct sim *sim, bool all)
{
    enum { HALVINGS = 8 };
    struct sim_meet *meet = sim->meet;
    meet->full = false;
    search_pairs(sim, all, leaves_meet);
    for (uint32_t halved = 0; meet->full && halved < HALVINGS; halved++) {
        sim->meetings.shrunk++;
        meet->halved = true;
        sim_boxes_halve(sim, halved == 0);
        lists_clear(meet);
        for (uint32_t m = 0; m < meet->member_count; m++) {
            tree_refit(sim, &meet->members[m], true);
        }
        search_pairs(sim, true, leaves_meet);
    }
    sim->meetings.dropped += meet->full;
    meet->stale = true;
    uint32_t pairs = 0;
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        pairs += meet->lists[kind].count - meet->lists[kind].holes;
    }
    sim->meetings.pairs = pairs > sim->meetings.pairs ? pairs : sim->meetings.pairs;
}

static void crossings_find(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    const int32_t where[3] = {0, 0, 0}; // detected is where the substep began: no frame has moved yet
    meet->exempt_count = 0;
    memset(meet->crossing, 0, meet->row_capacity * sizeof *meet->crossing);
    for (uint32_t m = 0; m < meet->member_count; m++) {
        const struct sim_body *body = meet->members[m].body;
        if (meet->islands[meet->members[m].island].idle) {
            continue;
        }
        for (uint32_t row = body->first_row; row < body->first_row + body->count; row++) {
            bounds_put(sim, &meet->members[m], row, where, where);
        }
        meet->trees->refit(body->features, meet->bounds + body->first_row, NULL);
    }
    search_pairs(sim, true, leaves_cross);
    exempt_sort(meet->exempt, meet->exempt_count);
}

void sim_detect_all(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    memset(meet->dirty, 0, meet->row_capacity);
    lists_clear(meet);
    sim_islands_find(sim);
    meet->found = true;
    meet->halved = false;
    if (sim->substep == 1) {
        crossings_find(sim);
    }
    for (uint32_t m = 0; m < meet->member_count; m++) {
        const struct sim_body *body = meet->members[m].body;
        meet->members[m].dirty = meet->members[m].moved = false;
        for (uint32_t row = body->first_row; row < body->first_row + body->count; row++) {
            meet->island_of[row] = meet->members[m].island;
        }
        tree_refit(sim, &meet->members[m], true);
    }
    search_fitting(sim, true);
}

bool sim_detect_outside(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    bool any = false;
    for (uint32_t m = 0; m < meet->member_count; m++) {
        struct sim_member *member = &meet->members[m];
        const struct sim_island *island = &meet->islands[member->island];
        uint32_t out = 0, end = member->body->first_row + member->body->count;
        int32_t frame[3];
        for (int axis = 0; axis < 3; axis++) {
            frame[axis] = sim_wrap_add(island->since[axis], island->frame[axis]);
        }
        for (uint32_t row = member->body->first_row; row < end; row++) {
            const int32_t *x = sim->rows[row].x, *from = meet->detected[row].x, *least = meet->boxes[row][0],
                          *most = meet->boxes[row][1];
            int32_t a = sim_wrap_sub(sim_wrap_sub(x[0], from[0]), frame[0]);
            int32_t b = sim_wrap_sub(sim_wrap_sub(x[1], from[1]), frame[1]);
            int32_t c = sim_wrap_sub(sim_wrap_sub(x[2], from[2]), frame[2]);
            uint8_t is_out = (a < least[0]) | (a > most[0]) | (b < least[1]) | (b > most[1]) |
                             (c < least[2]) | (c > most[2]);
            meet->dirty[row] = is_out;
            out += is_out;
        }
        member->dirty = out > 0;
        any |= out > 0;
    }
    return any;
}

void sim_detect_again(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    for (uint32_t m = 0; m < meet->member_count; m++) {
        struct sim_member *member = &meet->members[m];
        const struct sim_body *body = member->body;
        bool within = true;
        for (uint32_t row = body->first_row; member->dirty && row < body->first_row + body->count; row++) {
            if (meet->dirty[row] != 0) {
                sim_box_make(sim, member, row);
                within = within && sim_box_is_within(sim, member, row);
            }
        }
        if (!within) {
            sim_detect_all(sim); // it may come near others now
            return;
        }
        if (member->dirty || member->moved) {
            tree_refit(sim, member, false);
        }
        member->moved = member->dirty;
    }
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        sim_pairs_drop(&meet->colors, &meet->lists[kind], sim->rows, meet->dirty);
    }
    search_fitting(sim, false);
}
