// Memory of contact. It is had when a body comes that meets something, and given back with the sim; what of it no tick has
// come to costs addresses alone.

#include "sim/contact/meet.h"

#include "base/grow.h"
#include "sim/contact/search.h"
#include "sim/contact/truncate.h"
#include "sim/contact/untangle.h"

#include <stdlib.h>

// Room for each vertex of the bodies that meet: three times what measured scenes needed.
enum {
    PAIRS_VT = 50,
    PAIRS_EE = 100,
    PLANES = 8,
    EXEMPT = 8,
    LEAST_VERTICES = 256,
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
        {(void **)&meet->ways, sizeof *meet->ways},
        {(void **)&meet->went, sizeof *meet->went},
        {(void **)&meet->crossing, sizeof *meet->crossing},
        {(void **)&meet->reaches, sizeof *meet->reaches},
        {(void **)&meet->within, sizeof *meet->within},
        {(void **)&meet->t, sizeof *meet->t},
        {(void **)&meet->t_next, sizeof *meet->t_next},
        {(void **)&meet->colors.used, sizeof *meet->colors.used},
        {(void **)&meet->show.marks, sizeof *meet->show.marks},
        {(void **)&meet->pieces, sizeof *meet->pieces},
    };
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        if (!base_grow(arrays[i].items, rows * arrays[i].size)) {
            return false;
        }
    }
    return true;
}

static bool pairs_reserve(struct sim_meet *meet, enum sim_pair_kind kind, uint64_t pairs)
{
    struct sim_pair_list *list = &meet->lists[kind];
    struct sim_near_list *near = &meet->near[kind];
    uint64_t batches = pairs / SIM_LANES + 1;
    return pairs <= UINT32_MAX / 2 && base_grow((void **)&list->lanes, batches * sizeof *list->lanes) &&
           base_grow((void **)&list->rest, batches * sizeof *list->rest) &&
           base_grow((void **)&near->lanes, batches * sizeof *near->lanes) &&
           base_grow((void **)&meet->active[kind], pairs * sizeof *meet->active[kind]) &&
           base_grow((void **)&meet->candidates[kind], pairs * sizeof *meet->candidates[kind]);
}

// Everything is grown before anything says so.
static bool vertices_reserve(struct sim_meet *meet, uint32_t vertices)
{
    const uint64_t vt = (uint64_t)vertices * PAIRS_VT, ee = (uint64_t)vertices * PAIRS_EE;
    const uint64_t tangles = vertices < SIM_UNTANGLE_MAX ? vertices : SIM_UNTANGLE_MAX;
    const uint64_t batches = SIM_PUSH_STACKS + (vt + ee) / SIM_LANES;
    if (vertices <= meet->vertex_count) {
        return true;
    }
    if (!pairs_reserve(meet, SIM_PAIR_VT, vt) || !pairs_reserve(meet, SIM_PAIR_EE, ee) ||
        !base_grow((void **)&meet->batches, batches * sizeof *meet->batches) ||
        !base_grow((void **)&meet->planes, (uint64_t)vertices * PLANES * sizeof *meet->planes) ||
        !base_grow((void **)&meet->exempt, (uint64_t)vertices * EXEMPT * sizeof *meet->exempt) ||
        !base_grow((void **)&meet->tangles, tangles * sizeof *meet->tangles) ||
        !base_grow((void **)&meet->tangle_keys, tangles * sizeof *meet->tangle_keys) ||
        !base_grow((void **)&meet->cuts, tangles * sizeof *meet->cuts)) {
        return false;
    }
    meet->tangle_capacity = (uint32_t)tangles;
    meet->lists[SIM_PAIR_VT].capacity = meet->near[SIM_PAIR_VT].capacity = (uint32_t)vt;
    meet->lists[SIM_PAIR_EE].capacity = meet->near[SIM_PAIR_EE].capacity = (uint32_t)ee;
    meet->batch_capacity = (uint32_t)batches;
    meet->plane_capacity = vertices * PLANES;
    meet->exempt_capacity = vertices * EXEMPT;
    meet->vertex_count = vertices;
    return true;
}

static bool members_reserve(struct sim_meet *meet, uint32_t count)
{
    return base_grow((void **)&meet->search, sizeof *meet->search) &&
           base_grow((void **)&meet->visits, SIM_VISITS * sizeof *meet->visits) &&
           base_grow((void **)&meet->finds, (size_t)SIM_MEET_CHUNKS * SIM_FINDS * sizeof *meet->finds) &&
           base_grow((void **)&meet->members, count * sizeof *meet->members) &&
           base_grow((void **)&meet->sleepers, count * sizeof(struct sim_body *)) &&
           base_grow((void **)&meet->by_island, count * sizeof *meet->by_island) &&
           base_grow((void **)&meet->roots, (count + 1) * sizeof *meet->roots) &&
           base_grow((void **)&meet->islands, count * sizeof *meet->islands) &&
           base_grow((void **)&meet->spans, count * sizeof *meet->spans);
}

bool sim_meet_reserve(struct sim *sim, const struct sim_features *coming)
{
    uint64_t vertices = coming ? coming->vertex_count : 0;
    uint32_t members = coming ? 1 : 0;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        const struct sim_features *features = sim->bodies[b]->features;
        vertices += features ? features->vertex_count : 0;
        members += features != NULL;
    }
    if (members == 0) {
        return true;
    }
    if (!sim->meet) {
        sim->meet = calloc(1, sizeof *sim->meet);
        if (!sim->meet) {
            return false;
        }
        sim->meet->isa = sim->isa;
        sim->meet->slack = 1;
        sim->meet->kernels = sim_contact_kernels_of(sim->isa);
        sim->meet->trees = sim_tree_kernels_of(sim->isa);
        sim->meet->colliders = sim_collide_kernels_of(sim->isa);
    }
    struct sim_meet *meet = sim->meet;
    vertices = vertices < LEAST_VERTICES ? LEAST_VERTICES : vertices;
    if (vertices > UINT32_MAX / 2 || !rows_reserve(meet, sim->row_capacity) ||
        !sim_joined_reserve(&meet->joined, sim->row_capacity) ||
        !vertices_reserve(meet, (uint32_t)vertices) || !members_reserve(meet, members) ||
        !base_grow((void **)&sim->previous, sim->row_capacity * sizeof *sim->previous)) {
        return false;
    }
    meet->row_capacity = meet->colors.row_count = sim->row_capacity;
    return true;
}

void sim_meet_destroy(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    if (!meet) {
        return;
    }
    void *arrays[] = {meet->members,     meet->by_island,  meet->roots,    meet->islands,
                      meet->spans,       meet->detected,   meet->measured, meet->rest,
                      meet->boxes,       meet->bounds,     meet->dirty,    meet->island_of,
                      meet->ways,        meet->t,          meet->t_next,   meet->colors.used,
                      meet->batches,     meet->planes,     meet->exempt,   meet->crossing,
                      meet->reaches,     meet->visits,     meet->finds,    meet->within,
                      meet->went,        meet->show.marks, meet->tangles,  meet->tangle_keys,
                      meet->cuts,        meet->pieces,     meet->search,   meet->expected[0],
                      meet->expected[1], meet->paths,      meet->stopped,  (void *)meet->sleepers};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        base_grow_free(arrays[i]);
    }
    sim_joined_deinit(&meet->joined);
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        base_grow_free(meet->lists[kind].lanes);
        base_grow_free(meet->lists[kind].rest);
        base_grow_free(meet->near[kind].lanes);
        base_grow_free(meet->active[kind]);
        base_grow_free(meet->candidates[kind]);
    }
    free(meet);
    sim->meet = NULL;
}
