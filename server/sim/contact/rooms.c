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
//
// Batches. An island of S pairs takes min(S, 257 + S / 16): one for each stack, and one more for each 16 pairs and the rest. A body
// makes room for as many of its own pairs, but one without edges, such as a single particle, for 9 (v + t) instead of 257. That is
// enough. If a body with edges brings 257, it is plain. If none does, those with edges bring a batch for each of their pairs, of
// which 57 (v + t) are VT at least. Pairs VT of the island are no more than s^2 / 4, so min(VT, 257) <= sqrt(257) s / 2 < 9 s.

#include "sim/contact/rooms.h"

#include "base/assert.h"

static const uint64_t each[SIM_PAIR_KINDS] = {50,
                                              100}; // of a vertex: what scenes were seen to need, threefold

enum { LEAST_VERTICES = 256, OF_ELEMENTS = 57, OF_EDGES = 114, BATCHES_OF_ELEMENTS = 9 };

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

static uint64_t pairs_of_body(const struct sim_features *features, enum sim_pair_kind kind)
{
    struct sim_room_for alone = {0};
    sim_room_add(&alone, features);
    const uint64_t vertices = alone.vertices[kind];
    const uint64_t few =
        kind == SIM_PAIR_VT ? OF_ELEMENTS * (vertices + alone.elements) : OF_EDGES * alone.edges;
    return most(vertices * each[kind], least(LEAST_VERTICES * each[kind], few));
}

// What so many pairs of each kind take. That of an island is no more than those of its bodies together: halves of a number of pairs
// take as much as all of it at least.
static struct sim_room room_of(const uint64_t pairs[SIM_PAIR_KINDS])
{
    struct sim_room room = {.slips = pairs[SIM_PAIR_VT] + pairs[SIM_PAIR_EE]};
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        room.lanes[kind] = pairs[kind] / SIM_LANES + 1; // and what is written past them
        room.slices[kind] = pairs[kind] / SIM_SLICE_PAIRS + 1;
    }
    // A pair takes a batch at most, and all but the last one of a stack are full.
    room.batches = least(room.slips, SIM_PUSH_STACKS + room.slips / SIM_LANES + 1);
    room.tiles = room.slips / SIM_TILE_ACTIVE + 2 * SIM_PAIR_KINDS;
    return room;
}

static void room_grow(struct sim_room *room, const struct sim_room *by)
{
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        room->lanes[kind] += by->lanes[kind];
        room->slices[kind] += by->slices[kind];
    }
    room->slips += by->slips;
    room->batches += by->batches;
    room->tiles += by->tiles;
}

void sim_room_of_body(const struct sim_features *features, struct sim_room *room)
{
    const uint64_t pairs[SIM_PAIR_KINDS] = {pairs_of_body(features, SIM_PAIR_VT),
                                            pairs_of_body(features, SIM_PAIR_EE)};
    struct sim_room of_body = room_of(pairs);
    if (features->edge_count == 0) {
        const uint64_t few = BATCHES_OF_ELEMENTS * ((uint64_t)features->vertex_count + features->count);
        of_body.batches = least(of_body.batches, few + of_body.slips / SIM_LANES + 1);
    }
    room_grow(room, &of_body);
}

// --------------------------------------------------------------------------------------------------- sharing

static bool is_kept(const struct sim_island *island)
{
    return island->look != SIM_LOOK_TREES;
}

// Everything points to where the island's room is.
static void place_point(struct sim_meet *meet, struct sim_island *island)
{
    const struct sim_room *place = &island->place;
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        island->lists[kind].lanes = meet->lists[kind].lanes + place->lanes[kind];
        island->lists[kind].rest = meet->lists[kind].rest + place->lanes[kind];
        island->near[kind].lanes = meet->near[kind].lanes + place->lanes[kind];
        island->near[kind].capacity = island->lists[kind].capacity;
        island->active[kind] = meet->active[kind] + place->lanes[kind] * SIM_LANES;
        island->bounds[kind] = meet->pair_bounds[kind] + place->lanes[kind] * SIM_LANES;
        island->candidates[kind] = meet->candidates[kind] + place->lanes[kind] * SIM_LANES;
        island->slices[kind] = meet->slices[kind] + place->slices[kind];
        island->hands[kind] = meet->hands[kind] + place->slices[kind];
    }
    island->colors.slips.items = meet->colors.slips.items + place->slips;
    island->batches = meet->batches + place->batches;
    island->tiles = meet->tiles + place->tiles;
    island->tile_blocks = meet->tile_blocks + place->tiles;
    island->tile_order = meet->tile_order + place->tiles;
}

// What the island has goes to its place from where it was.
static void contents_move(struct sim_island *island, const struct sim_island *was)
{
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        struct sim_pair_list *list = &island->lists[kind];
        const size_t all = list->capacity / SIM_LANES + 1,
                     near = (size_t)island->near_slices[kind] * SIM_SLICE_BATCHES;
        const size_t pairs = list->count / SIM_LANES + 1;
        memmove(list->lanes, was->lists[kind].lanes, pairs * sizeof *list->lanes);
        memmove(list->rest, was->lists[kind].rest, pairs * sizeof *list->rest);
        memmove(island->near[kind].lanes, was->near[kind].lanes,
                least(near, all) * sizeof *island->near[kind].lanes);
        memmove(island->slices[kind], was->slices[kind],
                island->near_slices[kind] * sizeof *island->slices[kind]);
    }
    memmove(island->colors.slips.items, was->colors.slips.items,
            island->colors.slips.count * sizeof *island->colors.slips.items);
    for (uint32_t t = 0; t < island->tile_count; t++) {
        const struct sim_push_tile *tile = &was->tiles[t];
        memmove(island->batches + tile->first_batch, was->batches + tile->first_batch,
                tile->batch_count * sizeof *island->batches);
        island->tiles[t] = *tile;
    }
}

// Where the island has its room from now on. at: where that may begin, then where the next one may.
static void room_give(struct sim_meet *meet, struct sim_island *island, struct sim_room *at)
{
    const uint64_t pairs[SIM_PAIR_KINDS] = {island->lists[SIM_PAIR_VT].capacity,
                                            island->lists[SIM_PAIR_EE].capacity};
    const struct sim_room room = room_of(pairs);
    const struct sim_island was = *island;
    island->place = *at;
    island->batch_capacity = (uint32_t)least(room.batches, meet->batches_most);
    island->tile_capacity = (uint32_t)room.tiles;
    place_point(meet, island);
    if (is_kept(island) && at->lanes[SIM_PAIR_VT] != was.place.lanes[SIM_PAIR_VT]) {
        contents_move(island, &was);
    }
    room_grow(at, &room);
    BASE_ASSERT(at->lanes[SIM_PAIR_VT] <= meet->room.lanes[SIM_PAIR_VT] &&
                at->lanes[SIM_PAIR_EE] <= meet->room.lanes[SIM_PAIR_EE] &&
                at->slices[SIM_PAIR_VT] <= meet->room.slices[SIM_PAIR_VT] &&
                at->slices[SIM_PAIR_EE] <= meet->room.slices[SIM_PAIR_EE] && at->slips <= meet->room.slips &&
                at->batches <= meet->room.batches && at->tiles <= meet->room.tiles);
}

// The island that is kept and has its room next, from a place on; NULL: none.
static struct sim_island *kept_from(const struct sim_meet *meet, uint64_t place)
{
    struct sim_island *next = NULL;
    for (uint32_t i = 0; i < meet->island_count; i++) {
        struct sim_island *island = &meet->islands[i];
        const uint64_t begins = island->place.lanes[SIM_PAIR_VT];
        if (is_kept(island) && begins >= place && (!next || begins < next->place.lanes[SIM_PAIR_VT])) {
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
    island->colors = (struct sim_pair_colors){.used = meet->colors.used};
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        const uint64_t pairs = sim_room_of_island(&bodies, (enum sim_pair_kind)kind);
        island->lists[kind].capacity = (uint32_t)least(pairs, meet->pairs_most[kind]);
        island->colors.slips.capacity += island->lists[kind].capacity;
    }
}

// What is kept moves towards the beginning, in its order.
void sim_rooms_share(struct sim_meet *meet)
{
    struct sim_room at = {0};
    struct sim_island *kept = kept_from(meet, 0);
    while (kept) {
        const uint64_t next = kept->place.lanes[SIM_PAIR_VT] + 1;
        room_give(meet, kept, &at);
        kept = kept_from(meet, next);
    }
    for (uint32_t i = 0; i < meet->island_count; i++) {
        if (!is_kept(&meet->islands[i])) {
            island_fit(meet, &meet->islands[i]);
            room_give(meet, &meet->islands[i], &at);
        }
    }
}
