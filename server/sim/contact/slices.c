#include "sim/contact/slices.h"

#include "sim/contact/hold.h"

// A pair that touches is closer than SIM_PAIR_TOUCH of R. The rest is for what rounding may come to, beside 2^-19 of the longest side.
#define MAY_TOUCH 1.08f

// What a task makes of a slice.
enum work { SCAN, SCAN_BOUNDED, MEASURE, SIFT_NEAR, SIFT_ALL, DROP };

struct slicing {
    struct sim *sim;
    struct sim_island *island;
    const struct sim_sieve *sieve;
    const struct sim_staying *staying; // of a sift
    const struct sim_row *rows;        // where pairs are measured
    bool bounds;                       // a scan finds bounds as well
    enum work work;
    uint32_t counts[SIM_PAIR_KINDS]; // of slices
};

static uint32_t fresh_of(const struct sim_near_list *near, const uint32_t *active, uint32_t count)
{
    uint32_t fresh = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t tag = near->lanes[active[i] / SIM_LANES].tag[active[i] % SIM_LANES];
        fresh += sim_pair_color(tag) == SIM_PAIR_UNCOLORED;
    }
    return fresh;
}

static void slice_measure(const struct slicing *slicing, enum sim_pair_kind kind, uint32_t index)
{
    const struct sim_island *island = slicing->island;
    struct sim_near_list near = sim_slice_near(island, kind, index);
    struct sim_slice *slice = &island->slices[kind][index];
    slice->active = slicing->sim->meet->kernels->measure[kind](
        slicing->rows, &near, 0, sim_pair_batches(near.count), sim_slice_active(island, kind, index));
}

// Once near pairs have been found.
static void slice_look(const struct slicing *slicing, enum sim_pair_kind kind, uint32_t index)
{
    const struct sim_island *island = slicing->island;
    const struct sim_near_list near = sim_slice_near(island, kind, index);
    struct sim_slice *slice = &island->slices[kind][index];
    slice_measure(slicing, kind, index);
    slice->fresh = fresh_of(&near, sim_slice_active(island, kind, index), slice->active);
}

// The distances that were measured of near pairs are their bounds.
static void slice_bound(const struct slicing *slicing, enum sim_pair_kind kind, uint32_t index)
{
    const struct sim_near_list near = sim_slice_near(slicing->island, kind, index);
    float *bounds = slicing->island->bounds[kind];
    for (uint32_t i = 0; i < near.count; i++) {
        const struct sim_near_lanes *lanes = &near.lanes[i / SIM_LANES];
        bounds[lanes->pair[i % SIM_LANES]] = lanes->pairs.low[i % SIM_LANES];
    }
}

static struct sim_bounded bounded_of(const struct slicing *slicing, enum sim_pair_kind kind)
{
    const struct sim_island *island = slicing->island;
    return (struct sim_bounded){.bounds = island->bounds[kind],
                                .ways = slicing->sim->meet->went,
                                .share = MAY_TOUCH,
                                .wrong = island->longest * 0x1p-19f};
}

static void slice_work(const struct slicing *slicing, enum sim_pair_kind kind, uint32_t index)
{
    struct sim *sim = slicing->sim;
    struct sim_island *island = slicing->island;
    const struct sim_contact_kernels *kernels = sim->meet->kernels;
    struct sim_pair_list *list = &island->lists[kind];
    const uint32_t first = index * SIM_SLICE_BATCHES, all = sim_pair_batches(list->count),
                   end = first + SIM_SLICE_BATCHES < all ? first + SIM_SLICE_BATCHES : all;
    struct sim_slice *slice = &island->slices[kind][index];
    struct sim_near_list near = sim_slice_near(island, kind, index);
    uint32_t *candidates = island->candidates[kind] + (size_t)index * SIM_SLICE_PAIRS;
    switch (slicing->work) {
    case SCAN:
        near.count = 0;
        kernels->scan[kind](list, first, end, slicing->sieve, &near);
        slice->near = slice->picked = near.count;
        slice_look(slicing, kind, index);
        if (slicing->bounds) {
            kernels->bound[kind](list, first, end, slicing->sieve, island->bounds[kind]);
            slice_bound(slicing, kind, index);
        }
        return;
    case SCAN_BOUNDED: {
        const struct sim_bounded bounded = bounded_of(slicing, kind);
        near.count = 0;
        slice->picked = kernels->scan_bounded[kind](list, first, end, slicing->sieve, &bounded, &near);
        slice->near = near.count;
        slice_look(slicing, kind, index);
        slice_bound(slicing, kind, index);
        return;
    }
    case MEASURE:
        slice_measure(slicing, kind, index);
        return;
    case SIFT_NEAR:
        slice->found =
            kernels->sift_near[kind](&near, 0, sim_pair_batches(near.count), slicing->sieve, candidates);
        slice->found = kernels->stay[kind](slicing->staying, list, candidates, slice->found);
        return;
    case SIFT_ALL:
        slice->found = kernels->sift_all[kind](list, first, end, slicing->sieve, candidates);
        slice->found = kernels->stay[kind](slicing->staying, list, candidates, slice->found);
        return;
    case DROP: {
        const struct sim_dropped dropped =
            sim_pairs_drop(kernels, list, first, end, sim->meet->dirty, candidates);
        slice->found = dropped.colored;
        slice->holes = dropped.holes;
        slice->first_hole = dropped.first;
        return;
    }
    }
}

static void slice_task(void *context, uint32_t index)
{
    const struct slicing *slicing = context;
    const uint32_t vt = slicing->counts[SIM_PAIR_VT];
    slice_work(slicing, index < vt ? SIM_PAIR_VT : SIM_PAIR_EE, index < vt ? index : index - vt);
}

// Near pairs stay those that they were when the lists were scanned, whatever the lists are now.
static void slices_run(struct slicing *slicing)
{
    const enum work work = slicing->work;
    struct sim_island *island = slicing->island;
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        const uint32_t all = sim_slices_of(island->lists[kind].count);
        if (work == SCAN || work == SCAN_BOUNDED) {
            island->near_slices[kind] = all;
        }
        slicing->counts[kind] = work == MEASURE || work == SIFT_NEAR ? island->near_slices[kind] : all;
    }
    sim_share_out(slicing->sim->meet->parallel, slicing->counts[SIM_PAIR_VT] + slicing->counts[SIM_PAIR_EE],
                  slice_task, slicing);
}

static void active_count(struct sim_island *island)
{
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        island->near[kind].count = island->active_count[kind] = 0;
        for (uint32_t s = 0; s < island->near_slices[kind]; s++) {
            island->near[kind].count += island->slices[kind][s].picked;
            island->active_count[kind] += island->slices[kind][s].active;
        }
    }
}

struct sim_sieve sim_sieve_near(const struct sim *sim, const struct sim_island *island)
{
    return (struct sim_sieve){.ways = sim->meet->ways,
                              .share = SIM_NEAR_SHARE,
                              .floor = SIM_NEAR_SHARE * 2 * island->thinnest,
                              .since = (float)sim->substep,
                              .until = (float)sim->substep};
}

void sim_slices_scan(struct sim *sim, struct sim_island *island, const struct sim_sieve *sieve,
                     const struct sim_row *rows, bool bounds)
{
    slices_run(&(struct slicing){
        .sim = sim, .island = island, .sieve = sieve, .work = SCAN, .rows = rows, .bounds = bounds});
    active_count(island);
}

void sim_slices_scan_bounded(struct sim *sim, struct sim_island *island, const struct sim_sieve *sieve)
{
    slices_run(&(struct slicing){
        .sim = sim, .island = island, .sieve = sieve, .work = SCAN_BOUNDED, .rows = sim->rows});
    active_count(island);
}

void sim_slices_complete(struct sim *sim, struct sim_island *island)
{
    if (island->partial) {
        const struct sim_sieve sieve = sim_sieve_near(sim, island);
        sim_slices_scan(sim, island, &sieve, sim->meet->measured, false);
        island->partial = false;
    }
}

void sim_slices_measure(struct sim *sim, struct sim_island *island)
{
    slices_run(&(struct slicing){.sim = sim, .island = island, .work = MEASURE, .rows = sim->rows});
    active_count(island);
}

// Puts what slices have found one behind the other.
static void found_join(struct sim_island *island, int kind, uint32_t slices)
{
    uint32_t *candidates = island->candidates[kind], count = 0;
    for (uint32_t s = 0; s < slices; s++) {
        memmove(candidates + count, candidates + (size_t)s * SIM_SLICE_PAIRS,
                island->slices[kind][s].found * sizeof *candidates);
        count += island->slices[kind][s].found;
    }
    island->candidate_count[kind] = count;
}

void sim_slices_sift(struct sim *sim, struct sim_island *island, const struct sim_sieve *sieve,
                     const struct sim_staying *staying, bool all)
{
    slices_run(&(struct slicing){.sim = sim,
                                 .island = island,
                                 .sieve = sieve,
                                 .staying = staying,
                                 .work = all ? SIFT_ALL : SIFT_NEAR});
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        found_join(island, kind, all ? sim_slices_of(island->lists[kind].count) : island->near_slices[kind]);
    }
}

void sim_slices_drop(struct sim *sim, struct sim_island *island)
{
    slices_run(&(struct slicing){.sim = sim, .island = island, .work = DROP});
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        struct sim_pair_list *list = &island->lists[kind];
        for (uint32_t s = 0; s < sim_slices_of(list->count); s++) {
            const struct sim_slice *slice = &island->slices[kind][s];
            const struct sim_dropped dropped = {.holes = slice->holes, .first = slice->first_hole};
            const uint32_t *found = island->candidates[kind] + (size_t)s * SIM_SLICE_PAIRS;
            sim_pairs_dropped(list, &dropped);
            for (uint32_t i = 0; i < slice->found; i++) {
                sim_pair_drop(&island->colors, list, sim->rows, found[i]);
            }
        }
    }
}
