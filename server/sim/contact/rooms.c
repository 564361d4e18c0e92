// An island of v vertices, t elements and e edges may have so many pairs:
//
//     VT   min(max(50 v, C), v t)              C = 50 * 256
//     EE   min(max(100 v, D), e (e - 1) / 2)   D = 100 * 256, v: of bodies that have edges
//
// The latter are all that there are. Small islands so have C and D where they have that many at all. A body that brings v, t and e
// to its island makes room for
//
//     VT   max(50 v, min(C, 57 (v + t)))       57 >= sqrt(C) / 2
//     EE   max(100 v, min(D, 114 e))           114 >= sqrt(D / 2)
//
// Rooms of all bodies of an island are enough for it. For 50 v and 100 v this is plain, and also if one body has C or D alone.
// Else they come to 57 (v + t). v t is no more than s^2 / 4, with s = v + t. Up to s = 2 sqrt(C) this is no more than 57 s, and from
// there on 57 s is more than C. EE likewise: e^2 / 2 is no more than 114 e up to e = sqrt(2 D), and from there on 114 e is more than D.

#include "sim/contact/rooms.h"

#include "base/assert.h"

static const uint64_t each[SIM_PAIR_KINDS] = {50,
                                              100}; // of a vertex: what scenes were seen to need, threefold

enum { LEAST_VERTICES = 256, OF_ELEMENTS = 57, OF_EDGES = 114 };

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

void sim_room_add(struct sim_room_for *bodies, const struct sim_features *features)
{
    bodies->vertices[SIM_PAIR_VT] += features->vertex_count;
    bodies->vertices[SIM_PAIR_EE] += features->edge_count > 0 ? features->vertex_count : 0;
    bodies->elements += features->count;
    bodies->edges += features->edge_count;
}

uint64_t sim_room_of_island(const struct sim_room_for *bodies, enum sim_pair_kind kind)
{
    const uint64_t all = kind == SIM_PAIR_VT ? bodies->vertices[SIM_PAIR_VT] * bodies->elements
                         : bodies->edges > 0 ? bodies->edges * (bodies->edges - 1) / 2
                                             : 0;
    return least(most(bodies->vertices[kind], LEAST_VERTICES) * each[kind], all);
}

uint64_t sim_room_of_body(const struct sim_features *features, enum sim_pair_kind kind)
{
    struct sim_room_for alone = {0};
    sim_room_add(&alone, features);
    const uint64_t vertices = alone.vertices[kind];
    const uint64_t few =
        kind == SIM_PAIR_VT ? OF_ELEMENTS * (vertices + alone.elements) : OF_EDGES * alone.edges;
    return most(vertices * each[kind], least(LEAST_VERTICES * each[kind], few));
}

// A pair takes a batch at most, and all but the last one of a stack are full.
uint64_t sim_room_batches(const struct sim_features *features)
{
    const uint64_t pairs = sim_room_of_body(features, SIM_PAIR_VT) + sim_room_of_body(features, SIM_PAIR_EE);
    return least(pairs, SIM_PUSH_STACKS + pairs / SIM_LANES + 1);
}

uint64_t sim_room_lanes(uint64_t pairs)
{
    return pairs / SIM_LANES + 1;
}

// --------------------------------------------------------------------------------------------------- sharing

static bool is_kept(const struct sim_island *island)
{
    return island->look != SIM_LOOK_TREES;
}

// Where the island has its room from now on. Returns where the next one may.
static uint32_t room_give(struct sim_meet *meet, struct sim_island *island, enum sim_pair_kind kind,
                          uint32_t at)
{
    struct sim_pair_list *list = &island->lists[kind];
    struct sim_near_list *near = &island->near[kind];
    struct sim_pair_lanes *lanes = meet->lists[kind].lanes + at;
    struct sim_pair_rest *rest = meet->lists[kind].rest + at;
    struct sim_near_lanes *near_lanes = meet->near[kind].lanes + at;
    if (is_kept(island) && at != island->place[kind]) {
        const size_t batches = sim_room_lanes(list->count), near_batches = sim_room_lanes(near->count);
        memmove(lanes, list->lanes, batches * sizeof *lanes);
        memmove(rest, list->rest, batches * sizeof *rest);
        memmove(near_lanes, near->lanes, near_batches * sizeof *near_lanes);
    }
    island->place[kind] = at;
    list->lanes = lanes;
    list->rest = rest;
    near->lanes = near_lanes;
    near->capacity = list->capacity;
    island->active[kind] = meet->active[kind] + (size_t)at * SIM_LANES;
    island->candidates[kind] = meet->candidates[kind] + (size_t)at * SIM_LANES;
    at += (uint32_t)sim_room_lanes(list->capacity);
    BASE_ASSERT(at <= meet->lists[kind].capacity);
    return at;
}

// The island that is kept and has its room next, from a place on; NULL: none.
static struct sim_island *kept_from(const struct sim_meet *meet, enum sim_pair_kind kind, uint32_t place)
{
    struct sim_island *next = NULL;
    for (uint32_t i = 0; i < meet->island_count; i++) {
        struct sim_island *island = &meet->islands[i];
        if (is_kept(island) && island->place[kind] >= place &&
            (!next || island->place[kind] < next->place[kind])) {
            next = island;
        }
    }
    return next;
}

static void island_fit(struct sim_meet *meet, struct sim_island *island)
{
    struct sim_room_for bodies = {0};
    for (uint32_t m = island->first; m < island->first + island->count; m++) {
        sim_room_add(&bodies, meet->members[meet->by_island[m]].body->features);
    }
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        const uint64_t pairs = sim_room_of_island(&bodies, (enum sim_pair_kind)kind);
        island->lists[kind].capacity = (uint32_t)least(pairs, meet->pairs_most[kind]);
    }
    island->colors = (struct sim_pair_colors){.used = meet->colors.used, .row_count = meet->colors.row_count};
}

// What is kept moves towards the beginning, in its order.
void sim_rooms_share(struct sim_meet *meet)
{
    for (uint32_t i = 0; i < meet->island_count; i++) {
        if (!is_kept(&meet->islands[i])) {
            island_fit(meet, &meet->islands[i]);
        }
    }
    for (int k = 0; k < SIM_PAIR_KINDS; k++) {
        const enum sim_pair_kind kind = (enum sim_pair_kind)k;
        uint32_t at = 0;
        struct sim_island *kept = kept_from(meet, kind, 0);
        while (kept) {
            const uint32_t next = kept->place[kind] + 1;
            at = room_give(meet, kept, kind, at);
            kept = kept_from(meet, kind, next);
        }
        for (uint32_t i = 0; i < meet->island_count; i++) {
            if (!is_kept(&meet->islands[i])) {
                at = room_give(meet, &meet->islands[i], kind, at);
            }
        }
    }
}
