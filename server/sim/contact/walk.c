// Which leaves of two trees overlap.

#include "sim/contact/chart.h"

// Two nodes of the trees at hand.
struct walk {
    const struct sim_features *one, *other;
    bool only_moved;
    const struct sim_chart_limit *limit; // within one tree, or NULL
    sim_leaves_meet *meets;
    void *context;
};

static bool overlap(const struct sim_box *a, const struct sim_box *b)
{
    return (a->least[0] <= b->most[0]) & (b->least[0] <= a->most[0]) & (a->least[1] <= b->most[1]) &
           (b->least[1] <= a->most[1]) & (a->least[2] <= b->most[2]) & (b->least[2] <= a->most[2]);
}

static bool is_empty(const struct sim_box *box)
{
    return box->least[0] > box->most[0];
}

// As deep as both trees.
static void across(const struct walk *walk, uint32_t a, uint32_t b) // NOLINT(misc-no-recursion)
{
    const struct sim_features *one = walk->one, *other = walk->other;
    if ((walk->only_moved && one->moved[a] == 0 && other->moved[b] == 0) ||
        !overlap(&one->nodes[a], &other->nodes[b])) {
        return;
    }
    bool ends_a = a >= one->leaf_count, ends_b = b >= other->leaf_count;
    if (ends_a && ends_b) {
        if (walk->limit != NULL &&
            sim_chart_clears_leaves(one, a - one->leaf_count, b - other->leaf_count, walk->limit)) {
            return;
        }
        walk->meets(walk->context, a - one->leaf_count, b - other->leaf_count);
        return;
    }
    for (uint32_t i = 0; i < (ends_a ? 1 : 2); i++) {
        for (uint32_t k = 0; k < (ends_b ? 1 : 2); k++) {
            across(walk, ends_a ? a : 2 * a + i, ends_b ? b : 2 * b + k);
        }
    }
}

static void within(const struct walk *walk, uint32_t a) // NOLINT(misc-no-recursion)
{
    const struct sim_features *one = walk->one;
    if ((walk->only_moved && one->moved[a] == 0) || is_empty(&one->nodes[a]) ||
        (walk->limit != NULL && sim_chart_clears_node(one, a, walk->limit))) {
        return;
    }
    if (a >= one->leaf_count) {
        walk->meets(walk->context, a - one->leaf_count, a - one->leaf_count);
        return;
    }
    within(walk, 2 * a);
    within(walk, 2 * a + 1);
    across(walk, 2 * a, 2 * a + 1);
}

void sim_tree_walk(const struct sim_features *one, uint32_t a, const struct sim_features *other, uint32_t b,
                   bool only_moved, const struct sim_chart_limit *limit, sim_leaves_meet *meets,
                   void *context)
{
    const struct walk walk = {one, other, only_moved, one == other ? limit : NULL, meets, context};
    if (one == other && a == b) {
        within(&walk, a);
    } else {
        across(&walk, a, b);
    }
}
