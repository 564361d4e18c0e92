// Memory of contact. It is had when a body comes that meets something, and given back with the sim; what of it no tick has
// come to costs addresses alone.

#include "sim/contact/meet.h"

#include "base/grow.h"
#include "sim/contact/rooms.h"
#include "sim/contact/search.h"
#include "sim/contact/truncate.h"
#include "sim/contact/untangle.h"

#include <stdlib.h>

// Room for each vertex of the bodies that meet: three times what measured scenes needed. Room for pairs is in rooms.h.
enum {
    PLANES = 8,
    EXEMPT = 8,
    LEAST_VERTICES = 256,
    READ_PAST = 3, // bytes past the last row's that vectors may read
};

static bool rows_reserve(struct sim_meet *meet, uint32_t rows)
{
    struct {
        void **items;
        size_t size;
    } arrays[] = {
        {(void **)&meet->detected, sizeof *meet->detected},
        {(void **)&meet->expected[0], sizeof *meet->expected[0]},
        {(void **)&meet->expected[1], sizeof *meet->expected[1]},
        {(void **)&meet->paths, sizeof *meet->paths},
        {(void **)&meet->stopped, sizeof *meet->stopped},
        {(void **)&meet->measured, sizeof *meet->measured},
        {(void **)&meet->rest, sizeof *meet->rest},
        {(void **)&meet->boxes, sizeof *meet->boxes},
        {(void **)&meet->bounds, sizeof *meet->bounds},
        {(void **)&meet->dirty, sizeof *meet->dirty},
        {(void **)&meet->island_of, sizeof *meet->island_of},
        {(void **)&meet->block_of, sizeof *meet->block_of},
        {(void **)&meet->ways, sizeof *meet->ways},
        {(void **)&meet->went, sizeof *meet->went},
        {(void **)&meet->crossing, sizeof *meet->crossing},
        {(void **)&meet->reaches, sizeof *meet->reaches},
        {(void **)&meet->within, sizeof *meet->within},
        {(void **)&meet->t, sizeof *meet->t},
        {(void **)&meet->t_next, sizeof *meet->t_next},
        {(void **)&meet->colors.used, sizeof *meet->colors.used},
        {(void **)&meet->show.marks, sizeof *meet->show.marks},
    };
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        if (!base_grow(arrays[i].items, (uint64_t)rows * arrays[i].size + READ_PAST)) {
            return false;
        }
    }
    return base_grow_sparse((void **)&meet->pieces,
                            (uint64_t)rows * sizeof *meet->pieces) && // where things cross
           base_grow_sparse((void **)&meet->stood,
                            (uint64_t)rows * sizeof *meet->stood) && // where something is pressed
           base_grow_sparse((void **)&meet->unsettled, (uint64_t)rows * sizeof *meet->unsettled);
}

// How much of everything there has to be.
struct needs {
    uint64_t vertices, members;
    struct sim_room room;
};

static void needs_add(struct needs *needs, const struct sim_features *features)
{
    needs->members++;
    needs->vertices += features->vertex_count;
    sim_room_of_body(features, &needs->room);
}

static bool pairs_reserve(struct sim_meet *meet, enum sim_pair_kind kind, const struct sim_room *room)
{
    struct sim_pair_list *list = &meet->lists[kind];
    struct sim_near_list *near = &meet->near[kind];
    const uint64_t batches = room->lanes[kind], pairs = batches * SIM_LANES, slices = room->slices[kind];
    return pairs <= UINT32_MAX / 2 &&
           base_grow_sparse((void **)&list->lanes, batches * sizeof *list->lanes) &&
           base_grow_sparse((void **)&list->rest, batches * sizeof *list->rest) &&
           base_grow_sparse((void **)&near->lanes, batches * sizeof *near->lanes) &&
           base_grow((void **)&meet->slices[kind], slices * sizeof *meet->slices[kind]) &&
           base_grow((void **)&meet->hands[kind], slices * sizeof *meet->hands[kind]) &&
           base_grow_sparse((void **)&meet->active[kind], pairs * sizeof *meet->active[kind]) &&
           base_grow_sparse((void **)&meet->pair_bounds[kind], pairs * sizeof *meet->pair_bounds[kind]) &&
           base_grow_sparse((void **)&meet->candidates[kind], pairs * sizeof *meet->candidates[kind]);
}

// Everything is grown before anything says so.
static bool rooms_reserve(struct sim_meet *meet, const struct needs *needs)
{
    const struct sim_room *room = &needs->room;
    if (!pairs_reserve(meet, SIM_PAIR_VT, room) || !pairs_reserve(meet, SIM_PAIR_EE, room) ||
        !base_grow_sparse((void **)&meet->colors.slips.items,
                          room->slips * sizeof *meet->colors.slips.items) ||
        !base_grow_sparse((void **)&meet->batches, room->batches * sizeof *meet->batches) ||
        !base_grow((void **)&meet->tiles, room->tiles * sizeof *meet->tiles) ||
        !base_grow_sparse((void **)&meet->tile_blocks, room->tiles * sizeof *meet->tile_blocks) ||
        !base_grow((void **)&meet->tile_order, room->tiles * sizeof *meet->tile_order)) {
        return false;
    }
    meet->room = *room;
    return true;
}

static bool vertices_reserve(struct sim_meet *meet, uint32_t vertices)
{
    const uint64_t tangles = vertices < SIM_UNTANGLE_MAX ? vertices : SIM_UNTANGLE_MAX;
    if (vertices <= meet->vertex_count) {
        return true;
    }
    if (!base_grow_sparse((void **)&meet->planes, (uint64_t)vertices * PLANES * sizeof *meet->planes) ||
        !base_grow_sparse((void **)&meet->exempt, (uint64_t)vertices * EXEMPT * sizeof *meet->exempt) ||
        !base_grow_sparse((void **)&meet->tangles, tangles * sizeof *meet->tangles) ||
        !base_grow_sparse((void **)&meet->tangle_keys, tangles * sizeof *meet->tangle_keys) ||
        !base_grow_sparse((void **)&meet->cuts, tangles * sizeof *meet->cuts)) {
        return false;
    }
    meet->tangle_capacity = (uint32_t)tangles;
    meet->plane_capacity = vertices * PLANES;
    meet->exempt_capacity = vertices * EXEMPT;
    meet->vertex_count = vertices;
    return true;
}

static bool members_reserve(struct sim_meet *meet, uint64_t count)
{
    return base_grow((void **)&meet->search, sizeof *meet->search) &&
           base_grow((void **)&meet->visits, SIM_VISITS * sizeof *meet->visits) &&
           base_grow_sparse((void **)&meet->places,
                            (size_t)SIM_MEET_CHUNKS * SIM_FINDS * sizeof *meet->places) &&
           base_grow_sparse((void **)&meet->finds,
                            (size_t)SIM_MEET_CHUNKS * SIM_FINDS * sizeof *meet->finds) &&
           base_grow((void **)&meet->members, count * sizeof *meet->members) &&
           base_grow((void **)&meet->sleepers, count * sizeof(struct sim_body *)) &&
           base_grow((void **)&meet->by_island, count * sizeof *meet->by_island) &&
           base_grow((void **)&meet->islands, count * sizeof *meet->islands) &&
           base_grow((void **)&meet->kept, count * sizeof *meet->kept) &&
           base_grow((void **)&meet->spans, count * sizeof *meet->spans);
}

static bool meet_create(struct sim *sim)
{
    sim->meet = calloc(1, sizeof *sim->meet);
    if (!sim->meet) {
        return false;
    }
    sim->meet->isa = sim->isa;
    sim->meet->slack = 1;
    sim->meet->batches_most = UINT32_MAX;
    sim->meet->tile_least = SIM_TILE_ACTIVE;
    sim->meet->tile_blocks_most = SIM_TILE_BLOCKS;
    sim->meet->pairs_most[SIM_PAIR_VT] = sim->meet->pairs_most[SIM_PAIR_EE] = UINT32_MAX / 2;
    sim->meet->kernels = sim_contact_kernels_of(sim->isa);
    sim->meet->trees = sim_tree_kernels_of(sim->isa);
    sim->meet->colliders = sim_collide_kernels_of(sim->isa);
    return true;
}

bool sim_meet_reserve(struct sim *sim, const struct sim_features *coming)
{
    struct needs needs = {0};
    for (uint32_t b = 0; b < sim->body_count; b++) {
        if (sim->bodies[b]->features) {
            needs_add(&needs, sim->bodies[b]->features);
        }
    }
    if (coming) {
        needs_add(&needs, coming);
    }
    if (needs.members == 0) {
        return true;
    }
    if (!sim->meet && !meet_create(sim)) {
        return false;
    }
    struct sim_meet *meet = sim->meet;
    const uint64_t vertices = needs.vertices < LEAST_VERTICES ? LEAST_VERTICES : needs.vertices;
    const uint64_t blocks = sim->row_capacity / SIM_BLOCK_ROWS + needs.members;
    if (vertices > UINT32_MAX / 2 || !rows_reserve(meet, sim->row_capacity) ||
        !base_grow((void **)&meet->block_colors, blocks * sizeof *meet->block_colors) ||
        !sim_joined_reserve(&meet->joined, sim->row_capacity) || !rooms_reserve(meet, &needs) ||
        !vertices_reserve(meet, (uint32_t)vertices) || !members_reserve(meet, needs.members) ||
        !base_grow((void **)&sim->previous, sim->row_capacity * sizeof *sim->previous)) {
        return false;
    }
    meet->row_capacity = sim->row_capacity;
    return true;
}

void sim_meet_destroy(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    if (!meet) {
        return;
    }
    void *arrays[] = {meet->members,
                      meet->by_island,
                      meet->kept,
                      meet->islands,
                      meet->spans,
                      meet->detected,
                      meet->measured,
                      meet->rest,
                      meet->boxes,
                      meet->bounds,
                      meet->dirty,
                      meet->island_of,
                      meet->ways,
                      meet->t,
                      meet->t_next,
                      meet->colors.used,
                      meet->batches,
                      meet->planes,
                      meet->exempt,
                      meet->crossing,
                      meet->reaches,
                      meet->visits,
                      meet->finds,
                      meet->within,
                      meet->places,
                      meet->went,
                      meet->show.marks,
                      meet->tangles,
                      meet->tangle_keys,
                      meet->cuts,
                      meet->pieces,
                      meet->search,
                      meet->expected[0],
                      meet->expected[1],
                      meet->paths,
                      meet->stopped,
                      (void *)meet->sleepers,
                      meet->block_of,
                      meet->tiles,
                      meet->tile_blocks,
                      meet->tile_order,
                      meet->block_colors,
                      meet->colors.slips.items};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        base_grow_free(arrays[i]);
    }
    base_grow_free(meet->stood);
    base_grow_free(meet->unsettled);
    sim_joined_deinit(&meet->joined);
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        base_grow_free(meet->lists[kind].lanes);
        base_grow_free(meet->lists[kind].rest);
        base_grow_free(meet->near[kind].lanes);
        base_grow_free(meet->slices[kind]);
        base_grow_free(meet->hands[kind]);
        base_grow_free(meet->active[kind]);
        base_grow_free(meet->pair_bounds[kind]);
        base_grow_free(meet->candidates[kind]);
    }
    free(meet);
    sim->meet = NULL;
}
