// Finds the leaves of two trees that overlap. The walk remembers what it has still to look at, so it can be left and gone on with.

#include "sim/contact/chart.h"

#include "base/assert.h"

static bool overlap(const struct sim_box *a, const struct sim_box *b)
{
    return (a->least[0] <= b->most[0]) & (b->least[0] <= a->most[0]) & (a->least[1] <= b->most[1]) &
           (b->least[1] <= a->most[1]) & (a->least[2] <= b->most[2]) & (b->least[2] <= a->most[2]);
}

static bool is_empty(const struct sim_box *box)
{
    return box->least[0] > box->most[0];
}

static void put(struct sim_walk *walk, uint32_t a, uint32_t b)
{
    BASE_ASSERT(walk->count < SIM_WALK_NODES);
    walk->nodes[walk->count][0] = a;
    walk->nodes[walk->count++][1] = b;
}

// Two nodes of which neither is above the other come next, if they overlap.
static inline void put_across(struct sim_walk *walk, uint32_t a, uint32_t b)
{
    if (!(walk->only_moved && walk->one->moved[a] == 0 && walk->other->moved[b] == 0) &&
        overlap(&walk->one->nodes[a], &walk->other->nodes[b])) {
        put(walk, a, b);
    }
}

// Two nodes that overlap, of which neither is above the other. True if they are leaves; else their children come next.
static bool across(struct sim_walk *walk, uint32_t a, uint32_t b)
{
    const struct sim_features *one = walk->one, *other = walk->other;
    bool ends_a = a >= one->leaf_count, ends_b = b >= other->leaf_count;
    if (ends_a && ends_b) {
        return !walk->limited ||
               !sim_chart_clears_leaves(one, a - one->leaf_count, b - other->leaf_count, &walk->limit);
    }
    for (uint32_t i = ends_a ? 1 : 2; i-- > 0;) {
        for (uint32_t k = ends_b ? 1 : 2; k-- > 0;) {
            put_across(walk, ends_a ? a : 2 * a + i, ends_b ? b : 2 * b + k);
        }
    }
    return false;
}

// A node with itself. True if it is a leaf.
static bool within(struct sim_walk *walk, uint32_t a)
{
    const struct sim_features *one = walk->one;
    if ((walk->only_moved && one->moved[a] == 0) || is_empty(&one->nodes[a]) ||
        (walk->limited && sim_chart_clears_node(one, a, &walk->limit))) {
        return false;
    }
    if (a >= one->leaf_count) {
        return true;
    }
    put_across(walk, 2 * a, 2 * a + 1);
    put(walk, 2 * a + 1, 2 * a + 1);
    put(walk, 2 * a, 2 * a);
    return false;
}

void sim_walk_begin(struct sim_walk *walk, const struct sim_features *one, uint32_t a,
                    const struct sim_features *other, uint32_t b, bool only_moved,
                    const struct sim_chart_limit *limit)
{
    walk->one = one;
    walk->other = other;
    walk->only_moved = only_moved;
    walk->limited = limit && one == other;
    walk->limit = limit ? *limit : (struct sim_chart_limit){0};
    walk->count = 0;
    if (one == other && a == b) {
        put(walk, a, b);
    } else {
        put_across(walk, a, b);
    }
}

bool sim_walk_next(struct sim_walk *walk, uint32_t leaves[2])
{
    while (walk->count > 0) {
        const uint32_t *top = walk->nodes[--walk->count], a = top[0], b = top[1];
        if (walk->one == walk->other && a == b ? within(walk, a) : across(walk, a, b)) {
            leaves[0] = a - walk->one->leaf_count;
            leaves[1] = b - walk->other->leaf_count;
            return true;
        }
    }
    return false;
}

void sim_tree_walk(const struct sim_features *one, uint32_t a, const struct sim_features *other, uint32_t b,
                   bool only_moved, const struct sim_chart_limit *limit, sim_leaves_meet *meets,
                   void *context)
{
    struct sim_walk walk;
    uint32_t leaves[2];
    sim_walk_begin(&walk, one, a, other, b, only_moved, limit);
    while (sim_walk_next(&walk, leaves)) {
        meets(context, leaves[0], leaves[1]);
    }
}
