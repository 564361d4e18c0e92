// The order of a body's vertices and their stencils, from the body's elements alone.
//
//     o1 ── v ── o2      v is predicted from two triangles that share the edge v s, and from
//      \   / \   /       what lies opposite across their far edges. Where the mesh has less,
//       \ /   \ /        one of the five stands for another.
//     p1 ─ s ─── p2
//
// Breadth first along elements; then, stably, by depth: that of a vertex is one more than the deepest that it is
// predicted from, so that neighbours in the order do not wait for each other. Every vertex looks at each of its
// own elements and at a bounded number of others', so all of it is linear in the elements.
#include "protocol/codec/plan.h"

#include <stdlib.h>
#include <string.h>

enum { PAIRS_MAX = 6, OPPOSITE_MAX = 16, CORNERS_MAX = 4 };

static const uint32_t NONE = UINT32_MAX;

struct pair {
    uint32_t a, b, opposite; // opposite: NONE if there is none before the vertex
};

struct making {
    uint32_t count, corners;
    const uint32_t *indices;
    uint32_t *begin;    // count + 1: where a vertex's elements begin in `elements`
    uint32_t *elements; // in the order of the body; a vertex that an element names twice has it twice
    uint32_t *rank;     // by vertex: its place breadth first
    uint32_t *order;    // by rank
    uint32_t *depth;    // by rank
    uint32_t (*from)[PLAN_FROM]; // by rank: ranks
};

// ------------------------------------------------------------------------------------------------ breadth first

static void list_elements(struct making *making, uint32_t element_count)
{
    uint32_t total = element_count * making->corners;
    for (uint32_t i = 0; i < total; i++) {
        making->begin[making->indices[i] + 1]++;
    }
    for (uint32_t v = 0; v < making->count; v++) {
        making->begin[v + 1] += making->begin[v];
    }
    // Filled from the end, which leaves begin[v + 1] where the elements of v begin; then moved back by one.
    for (uint32_t i = total; i-- > 0;) {
        making->elements[--making->begin[making->indices[i] + 1]] = i / making->corners;
    }
    memmove(making->begin, making->begin + 1, making->count * sizeof *making->begin);
    making->begin[making->count] = total;
}

static void walk(struct making *making)
{
    uint32_t reached = 0, done = 0;
    for (uint32_t seed = 0; seed < making->count; seed++) {
        if (making->rank[seed] != NONE) {
            continue;
        }
        making->rank[seed] = reached;
        making->order[reached++] = seed;
        for (; done < reached; done++) {
            uint32_t v = making->order[done];
            for (uint32_t i = making->begin[v]; i < making->begin[v + 1]; i++) {
                const uint32_t *element = making->indices + (size_t)making->elements[i] * making->corners;
                for (uint32_t c = 0; c < making->corners; c++) {
                    if (making->rank[element[c]] == NONE) {
                        making->rank[element[c]] = reached;
                        making->order[reached++] = element[c];
                    }
                }
            }
        }
    }
}

// -------------------------------------------------------------------------------------------------- stencils

// All in ranks from here on. What lies across the edge a b from `rank`, and before it: the first such corner of the
// first elements of a that have b.
static uint32_t find_opposite(const struct making *making, uint32_t a, uint32_t b, uint32_t rank)
{
    uint32_t v = making->order[a], begin = making->begin[v], end = making->begin[v + 1];
    if (end - begin > OPPOSITE_MAX) {
        end = begin + OPPOSITE_MAX;
    }
    for (uint32_t i = begin; i < end; i++) {
        const uint32_t *element = making->indices + (size_t)making->elements[i] * making->corners;
        uint32_t found = NONE;
        bool has_b = false;
        for (uint32_t c = 0; c < making->corners; c++) {
            uint32_t at = making->rank[element[c]];
            has_b = has_b || at == b;
            if (at != a && at != b && at < rank && found == NONE) {
                found = at;
            }
        }
        if (has_b && found != NONE) {
            return found;
        }
    }
    return NONE;
}

// The first edges before `rank` that a triangle joins to it. *neighbour: the first vertex before it, NONE if none.
static uint32_t find_pairs(const struct making *making, uint32_t rank, struct pair pairs[PAIRS_MAX],
                           uint32_t *neighbour)
{
    uint32_t v = making->order[rank], count = 0;
    *neighbour = NONE;
    for (uint32_t i = making->begin[v]; i < making->begin[v + 1] && count < PAIRS_MAX; i++) {
        const uint32_t *element = making->indices + (size_t)making->elements[i] * making->corners;
        uint32_t before[CORNERS_MAX], before_count = 0;
        for (uint32_t c = 0; c < making->corners; c++) {
            uint32_t at = making->rank[element[c]];
            if (at < rank) {
                before[before_count++] = at;
                *neighbour = *neighbour == NONE ? at : *neighbour;
            }
        }
        for (uint32_t x = 0; x < before_count; x++) {
            for (uint32_t y = x + 1; y < before_count && count < PAIRS_MAX; y++) {
                if (before[x] != before[y]) {
                    pairs[count++] = (struct pair){before[x], before[y], NONE};
                }
            }
        }
    }
    return count;
}

// The vertex that two different edges share, NONE if they share none.
static uint32_t shared(const struct pair *one, const struct pair *two)
{
    bool a = one->a == two->a || one->a == two->b, b = one->b == two->a || one->b == two->b;
    return a == b ? NONE : a ? one->a : one->b;
}

static void set_from(uint32_t from[PLAN_FROM], uint32_t s, const struct pair *one, const struct pair *two)
{
    from[PLAN_S] = s;
    from[PLAN_O1] = one->a == s ? one->b : one->a;
    from[PLAN_O2] = two->a == s ? two->b : two->a;
    from[PLAN_P1] = one->opposite == NONE ? s : one->opposite;
    from[PLAN_P2] = two->opposite == NONE ? s : two->opposite;
}

// Two triangles that share an edge at the vertex; `whole`: both with what is opposite.
static bool find_two(const struct pair *pairs, uint32_t count, bool whole, uint32_t from[PLAN_FROM])
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = i + 1; j < count; j++) {
            uint32_t s = shared(&pairs[i], &pairs[j]);
            bool has_both = pairs[i].opposite != NONE && pairs[j].opposite != NONE;
            if (s != NONE && (has_both || !whole)) {
                set_from(from, s, &pairs[i], &pairs[j]);
                return true;
            }
        }
    }
    return false;
}

static bool find_one(const struct pair *pairs, uint32_t count, bool whole, uint32_t from[PLAN_FROM])
{
    for (uint32_t i = 0; i < count; i++) {
        if (pairs[i].opposite != NONE || !whole) {
            set_from(from, pairs[i].a, &pairs[i], &pairs[i]);
            return true;
        }
    }
    return false;
}

static void find_stencil(struct making *making, uint32_t rank)
{
    uint32_t *from = making->from[rank], neighbour;
    struct pair pairs[PAIRS_MAX];
    uint32_t count = find_pairs(making, rank, pairs, &neighbour);
    for (uint32_t i = 0; i < count; i++) {
        pairs[i].opposite = find_opposite(making, pairs[i].a, pairs[i].b, rank);
    }
    if (find_two(pairs, count, true, from) || find_one(pairs, count, true, from) ||
        find_two(pairs, count, false, from) || find_one(pairs, count, false, from)) {
        return;
    }
    // A line goes on as it went; what hangs on nothing follows the one before it; the first has only zeros.
    uint32_t s = neighbour != NONE ? neighbour : rank > 0 ? rank - 1 : making->count;
    uint32_t p = neighbour != NONE && neighbour > 0 ? making->from[neighbour][PLAN_S] : s;
    from[PLAN_S] = from[PLAN_O1] = from[PLAN_O2] = s;
    from[PLAN_P1] = from[PLAN_P2] = p;
}

// ----------------------------------------------------------------------------------------------------- order

// begin is done with, and counts vertices by depth; rank becomes the place of a rank.
static void sort_by_depth(struct making *making, struct codec_plan *plan)
{
    uint32_t count = making->count;
    memset(making->begin, 0, ((size_t)count + 1) * sizeof *making->begin);
    for (uint32_t r = 0; r < count; r++) {
        uint32_t depth = 0;
        for (int i = 0; i < PLAN_FROM; i++) {
            uint32_t at = making->from[r][i];
            if (at < count && making->depth[at] >= depth) {
                depth = making->depth[at] + 1;
            }
        }
        making->depth[r] = depth;
        making->begin[depth + 1]++;
        plan->level_count = depth >= plan->level_count ? depth + 1 : plan->level_count;
    }
    for (uint32_t d = 0; d < count; d++) {
        making->begin[d + 1] += making->begin[d];
    }
    for (uint32_t r = 0; r < count; r++) {
        uint32_t place = making->begin[making->depth[r]]++;
        making->rank[r] = place;
        plan->vertex[place] = making->order[r];
        for (int i = 0; i < PLAN_FROM; i++) {
            uint32_t at = making->from[r][i];
            plan->from[place][i] = at < count ? making->rank[at] : count;
        }
    }
    // The beginnings of the levels have moved to their ends.
    memcpy(plan->ends, making->begin, plan->level_count * sizeof *plan->ends);
}

static bool reserve(struct making *making, struct codec_plan *plan, uint32_t element_count)
{
    size_t count = making->count, total = (size_t)element_count * making->corners;
    making->begin = calloc(count + 1, sizeof *making->begin);
    making->elements = malloc((total + 1) * sizeof *making->elements);
    making->rank = malloc((count + 1) * sizeof *making->rank);
    making->order = malloc((count + 1) * sizeof *making->order);
    making->depth = malloc((count + 1) * sizeof *making->depth);
    making->from = malloc((count + 1) * sizeof *making->from);
    plan->ends = malloc((count + 1) * sizeof *plan->ends);
    plan->vertex = malloc((count + 1) * sizeof *plan->vertex);
    plan->from = malloc((count + 1) * sizeof *plan->from);
    return making->begin && making->elements && making->rank && making->order && making->depth &&
           making->from && plan->ends && plan->vertex && plan->from;
}

static enum codec_status check(uint32_t count, uint32_t corners, const uint32_t *indices,
                               size_t element_count)
{
    if (count > CODEC_COUNT_MAX || element_count > CODEC_ELEMENTS_MAX ||
        (element_count > 0 && (corners < 2 || corners > CORNERS_MAX))) {
        return CODEC_INVALID;
    }
    for (size_t i = 0; i < element_count * corners; i++) {
        if (indices[i] >= count) {
            return CODEC_INVALID;
        }
    }
    return CODEC_OK;
}

enum codec_status codec_plan_create(uint32_t count, uint32_t corners, const uint32_t *indices,
                                    size_t element_count, struct codec_plan **out)
{
    *out = NULL;
    enum codec_status status = check(count, corners, indices, element_count);
    if (status != CODEC_OK) {
        return status;
    }
    struct making making = {.count = count, .corners = element_count > 0 ? corners : 0, .indices = indices};
    struct codec_plan *plan = calloc(1, sizeof *plan);
    if (!plan || !reserve(&making, plan, (uint32_t)element_count)) {
        codec_plan_destroy(plan);
        status = CODEC_MEMORY;
        goto cleanup;
    }
    plan->count = count;
    memset(making.rank, 0xFF, ((size_t)count + 1) * sizeof *making.rank);
    list_elements(&making, (uint32_t)element_count);
    walk(&making);
    for (uint32_t rank = 0; rank < count; rank++) {
        find_stencil(&making, rank);
    }
    sort_by_depth(&making, plan);
    *out = plan;
cleanup:
    free(making.begin);
    free(making.elements);
    free(making.rank);
    free(making.order);
    free(making.depth);
    free(making.from);
    return status;
}

void codec_plan_destroy(struct codec_plan *plan)
{
    if (plan) {
        free(plan->ends);
        free(plan->vertex);
        free(plan->from);
        free(plan);
    }
}

size_t codec_plan_bytes(uint32_t count)
{
    return sizeof(struct codec_plan) + (2 + PLAN_FROM) * sizeof(uint32_t) * ((size_t)count + 1);
}

uint32_t codec_plan_count(const struct codec_plan *plan)
{
    return plan->count;
}
