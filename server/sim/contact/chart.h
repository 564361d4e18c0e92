// Charts tell which parts of a surface are bent so little that no two features of them can meet.
//
// A chart lays a surface on a plane, by its rest shape, where that can be done without folds and overlap. If the straight
// way on the chart between two points x and y is covered by surface, then for their places f and any matrix A,
//
//     |f(x) - f(y)| >= (s - e) |x - y|        s: least singular value of A, e: greatest |grad f - A| along the way
//
// since f(x) - f(y) is the integral of grad f along it. grad f is one matrix for each triangle; A is the middle of the box of
// those of a region that holds the way, e half of that box's diagonal. Two features that share no row are at least as far
// apart on the chart as the least height of a triangle on the way: it has to leave all the triangles about a vertex.
//
// So a search need not look at a target, a node of the tree with itself or two leaves that share a row, where (s - e) times
// that height is more than what would be found, and more than how far the boxes of their tubes let rows go against each other.
#ifndef WEFT_SIM_CONTACT_CHART_H
#define WEFT_SIM_CONTACT_CHART_H

#include "sim/contact/features.h"

// Bounds of a region. least and most bound the derivatives of position by both coordinates of the chart. from and to are the box
// around the tubes of its rows. A leaf counts the triangles in it and the rows that it owns.
struct sim_spread {
    float least[6], most[6];
    float from[3], to[3]; // quanta
};

static inline void sim_spread_take(struct sim_spread *spread, const struct sim_spread *other)
{
    for (int i = 0; i < 6; i++) {
        spread->least[i] = other->least[i] < spread->least[i] ? other->least[i] : spread->least[i];
        spread->most[i] = other->most[i] > spread->most[i] ? other->most[i] : spread->most[i];
    }
    for (int axis = 0; axis < 3; axis++) {
        spread->from[axis] = other->from[axis] < spread->from[axis] ? other->from[axis] : spread->from[axis];
        spread->to[axis] = other->to[axis] > spread->to[axis] ? other->to[axis] : spread->to[axis];
    }
}

struct sim_chart {
    float (*inverse)[4][SIM_LANES]; // by leaf: of the matrix of two sides of a triangle, on the chart
    struct sim_spread *spreads;     // by node
    // Two leaves that share a row are a target: of leaf a those after it, in order.
    uint32_t *pair_first, *pair_other;
    // Targets: nodes, then pairs of leaves. The nodes that make up the region of each; none: its leaves are not in one piece,
    // or not all that lies between them is covered.
    uint32_t *region_first, *regions;
    float *height; // by target: least of a triangle in its region, quanta
};

// A search either looks for pairs that may come as near as reach while rows are in their tubes (moving), or for crossings where rows
// are now (reach 0, not moving).
struct sim_chart_limit {
    float reach;
    bool moving;
};

// A walk over the leaves of two trees that overlap (walk.c), as sim_tree_walk, which may be left after each of them. Nodes that
// are still to be looked at: a level of both trees adds three at most.
enum { SIM_WALK_NODES = 256 };
struct sim_walk {
    const struct sim_features *one, *other;
    bool only_moved, limited;
    struct sim_chart_limit limit; // where limited
    uint32_t nodes[SIM_WALK_NODES][2], count;
};
void sim_walk_begin(struct sim_walk *walk, const struct sim_features *one, uint32_t a,
                    const struct sim_features *other, uint32_t b, bool only_moved,
                    const struct sim_chart_limit *limit);
bool sim_walk_next(struct sim_walk *walk, uint32_t leaves[2]); // false: there are no more

// For features that are made. *chart is NULL where the surface cannot be laid out. False without memory.
bool sim_chart_make(const struct sim_features *features, const struct sim_body *body,
                    struct sim_chart **chart);
void sim_chart_destroy(struct sim_chart *chart); // NULL is allowed

// Can nothing within the node be found? Nor between the leaves? a < b.
bool sim_chart_clears_node(const struct sim_features *features, uint32_t node,
                           const struct sim_chart_limit *limit);
bool sim_chart_clears_leaves(const struct sim_features *features, uint32_t a, uint32_t b,
                             const struct sim_chart_limit *limit);

// Takes spreads of leaves first ... end - 1 from where rows were detected, and the boxes of their tubes: of all, or of those that
// moved at the last refit of the tree. Both by row from the body's first one.
typedef void sim_chart_refit(struct sim_features *features, uint32_t first, uint32_t end,
                             const struct sim_row *detected, const struct sim_reach *reaches, bool all);
sim_chart_refit *sim_chart_refit_of(enum sim_isa isa);
// Then those of all nodes above leaves, or of those that moved.
void sim_chart_gather(struct sim_features *features, bool all);

#endif
