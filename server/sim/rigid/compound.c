// Compounds: contact of pieces that have several parts, with anything.
//
// Each part is tested against each part of the other side. Parts that lie flat on one face have manifolds of one normal, which are made
// one: solved apart, each would tip the piece over its own points. So manifolds are joined if their normals differ by less than 5
// degrees and their cores have the same radii. Of all their points the deepest stays, and the three that are farthest out.

#include "sim/rigid/touching.h"

#include "sim/ground/vector.h"

#include <string.h>

enum {
    FOUND_MAX = 32, // manifolds of parts; of more, the deepest stay
    POINTS_MAX = FOUND_MAX * SIM_MANIFOLD_POINTS,
};

#define SAME_WAY 0.9962 // cosine of 5 degrees
#define LEVEL 1e-4      // of the smaller part's radius inside: depths that differ by less are the same

struct found {
    struct sim_manifold manifold;
    double deepest;
    bool taken;
};

struct search {
    struct found found[FOUND_MAX];
    uint32_t count;
    double level; // m
};

// ------------------------------------------------------------------------------------------------------ searching

static void found_add(struct search *search, const struct sim_manifold *manifold)
{
    double deepest = manifold->gap[0];
    uint32_t at = search->count;
    for (uint32_t k = 1; k < manifold->count; k++) {
        deepest = manifold->gap[k] < deepest ? manifold->gap[k] : deepest;
    }
    if (at == FOUND_MAX) {
        at = 0;
        for (uint32_t i = 1; i < FOUND_MAX; i++) {
            at = search->found[i].deepest > search->found[at].deepest ? i : at;
        }
        if (!(deepest < search->found[at].deepest)) {
            return;
        }
    } else {
        search->count++;
    }
    search->found[at] = (struct found){.manifold = *manifold, .deepest = deepest};
}

static bool may_touch(const struct sim_proxy *a, double reach_a, const struct sim_proxy *b, double margin)
{
    const double far = (reach_a + sim_proxy_reach(b)) + margin;
    const double way[3] = {a->position[0] - b->position[0], a->position[1] - b->position[1],
                           a->position[2] - b->position[2]};
    return sim_dot(way, way) <= far * far;
}

static void parts_test(struct search *search, const struct sim_proxy *a, const struct sim_proxy *b,
                       double margin)
{
    struct sim_manifold manifolds[SIM_FIELD_MANIFOLDS];
    const bool bounded = b->form < SIM_PROXY_PLANE;
    uint32_t count = 0;
    if (bounded && !may_touch(a, sim_proxy_reach(a), b, margin)) {
        return;
    }
    if (b->form == SIM_PROXY_FIELD) {
        count = sim_manifold_field(a, b, margin, manifolds);
    } else {
        count = sim_manifold_find(a, b, margin, &manifolds[0]) ? 1 : 0;
    }
    const double one = sim_proxy_inner(a), other = sim_proxy_inner(b);
    const double level = LEVEL * (one < other ? one : other);
    search->level = level > search->level ? level : search->level;
    for (uint32_t m = 0; m < count; m++) {
        manifolds[m].radii[0] = a->radius;
        manifolds[m].radii[1] = b->radius;
        found_add(search, &manifolds[m]);
    }
}

// ------------------------------------------------------------------------------------------------------ joining

static bool is_alike(const struct sim_manifold *a, const struct sim_manifold *b)
{
    return a->radii[0] == b->radii[0] && a->radii[1] == b->radii[1] &&
           sim_dot(a->normal, b->normal) > SAME_WAY;
}

static void across_of(const double n[3], double across[2][3])
{
    const bool along = __builtin_fabs(n[0]) > 0.7;
    const double other[3] = {along ? 0 : 1, along ? 1 : 0, 0};
    sim_cross(n, other, across[0]);
    sim_cross(n, across[0], across[1]);
}

// Takes the deepest manifold that is left, with the points of those that are like it. False if none is left.
static bool manifold_take(struct search *search, double margin, struct sim_manifold *out)
{
    double points[POINTS_MAX][3], on_b[POINTS_MAX][3], across[2][3];
    int kept[SIM_MANIFOLD_POINTS], count = 0, likes = 0;
    struct found *best = NULL;
    for (uint32_t i = 0; i < search->count; i++) {
        struct found *found = &search->found[i];
        if (!found->taken && (!best || found->deepest < best->deepest - search->level)) {
            best = found;
        }
    }
    if (!best) {
        return false;
    }
    *out = best->manifold;
    across_of(out->normal, across);
    for (uint32_t i = 0; i < search->count; i++) {
        struct found *found = &search->found[i];
        if (found->taken || !is_alike(&found->manifold, out)) {
            continue;
        }
        found->taken = true;
        likes++;
        for (uint32_t k = 0; k < found->manifold.count; k++) {
            const double *a = found->manifold.on_a[k], *b = found->manifold.on_b[k];
            const double apart[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
            points[count][0] = sim_dot(across[0], b);
            points[count][1] = sim_dot(across[1], b);
            points[count][2] = sim_dot(out->normal, apart);
            memcpy(on_b[count++], b, sizeof *on_b);
        }
    }
    if (likes == 1) {
        return true;
    }
    count = sim_manifold_thin((const double(*)[3])points, count, search->level, 1e-6, kept);
    out->count = 0;
    for (int k = 0; k < count; k++) {
        sim_manifold_add(out, on_b[kept[k]], points[kept[k]][2], margin);
    }
    return true;
}

uint32_t sim_manifold_compound(const struct sim_proxy *a, const struct sim_proxy *b, double margin,
                               struct sim_manifold manifolds[SIM_COMPOUND_MANIFOLDS])
{
    struct sim_proxy ones[SIM_RIGID_PARTS_MAX], others[SIM_RIGID_PARTS_MAX];
    const uint32_t one_count = sim_proxy_parts(a, ones), other_count = sim_proxy_parts(b, others);
    struct search search;
    uint32_t count = 0;
    search.count = 0;
    search.level = 0;
    for (uint32_t i = 0; i < one_count; i++) {
        for (uint32_t k = 0; k < other_count; k++) {
            parts_test(&search, &ones[i], &others[k], margin);
        }
    }
    while (count < SIM_COMPOUND_MANIFOLDS && manifold_take(&search, margin, &manifolds[count])) {
        count += manifolds[count].count > 0;
    }
    return count;
}
