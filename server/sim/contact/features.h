// The surface of a body as contact sees it, and the tree over it.
//
// An element is a triangle, or an edge (a b b) or a particle (a a a) that belongs to no triangle. Elements stand in a fixed
// order, near ones near each other. The first element that has a particle or an edge owns it. So a search through the features
// that leaves own comes upon each pair of features once.
//
// The tree is binary above leaves of 16 elements, and has no pointers: below node i are 2 i and 2 i + 1, and leaf l is node
// leaf_count + l. The tree depends on the mesh alone, and its boxes are refitted. The particles and edges that a leaf owns
// stand in blocks of 16 lanes. These are tested against each other; elements never are.
#ifndef WEFT_SIM_CONTACT_FEATURES_H
#define WEFT_SIM_CONTACT_FEATURES_H

#include "sim/contact/record.h"
#include "sim/state/state.h"

enum {
    SIM_ELEMENT_TRIANGLE = 64, // beside SIM_PAIR_OWNS: it has an inside
    SIM_NO_FEATURE = UINT32_MAX,
    SIM_LEAF_BLOCKS = 3, // of particles, or of edges, at most
};

// Least x y z, greatest x y z; both ends belong to it. Quanta, from a point that the caller chose. Empty: least > most.
struct sim_box {
    float least[3], most[3];
};

// A box in the layout of two rows: the fourth numbers mean nothing.
struct sim_reach {
    float least[4], most[4];
};

// SIM_LANES boxes.
struct sim_boxes {
    float least[3][SIM_LANES], most[3][SIM_LANES];
};

struct sim_features {
    uint32_t count;         // elements
    uint32_t (*corners)[3]; // rows from the body's first one
    uint8_t *owns;          // SIM_PAIR_OWNS, SIM_ELEMENT_TRIANGLE
    uint32_t vertex_count, edge_count;
    uint32_t leaf_count; // a power of two
    float longest;       // side of an element at rest, quanta
    float *spans; // by row from the body's first one: the longest of its elements' sides; NULL: not rested

    // Blocks of what leaf l owns: first[l] ... first[l + 1] - 1.
    uint32_t *vertex_first, *edge_first;
    uint32_t (*vertices)[SIM_LANES]; // rows from the body's first one; SIM_NO_FEATURE past the end
    uint32_t (*edges)[2][SIM_LANES];

    uint32_t (*elements)[3][SIM_LANES]; // corners by leaf, as edges are

    struct sim_boxes *element_boxes; // by leaf
    struct sim_boxes *vertex_boxes, *edge_boxes;
    struct sim_box *nodes;   // 2 leaf_count
    struct sim_chart *chart; // NULL where the surface cannot be laid on a plane (chart.h)
    struct sim_balls
        *balls; // of SIM_LANES leaves each, as they were when features last met colliders (collide.h)
    struct sim_clears *clears; // of leaves near height fields (clear.h)

    // What has a row that was dirty at the last refit.
    uint8_t *moved;                                          // by node: something below it
    uint16_t *moved_elements, *moved_vertices, *moved_edges; // by leaf or block: lanes
};

// NULL without memory. body: its surface, edges, row_of; rested: with what follows from its rest shape.
struct sim_features *sim_features_make(const struct sim_body *body, bool rested);
void sim_features_destroy(struct sim_features *features); // NULL is allowed

// Corners of the triangles of a leaf, rows from the body's first one; SIM_NO_FEATURE where an element is none.
void sim_leaf_triangles(const struct sim_features *features, uint32_t leaf, uint32_t corners[3][SIM_LANES]);

// Do features of both meet? a may be b.
bool sim_bodies_meet(const struct sim_body *a, const struct sim_body *b);

// ------------------------------------------------------------------------------------------------------ tree.c

// One feature of a leaf, and those that its box overlaps of a block of the other leaf: none that share a row with it.
enum sim_hit_kind {
    SIM_HIT_VERTEX,      // a vertex of leaf a with elements of leaf b
    SIM_HIT_VERTEX_BACK, // a vertex of leaf b with elements of leaf a
    SIM_HIT_EDGE,        // an edge of leaf a with edges of leaf b
    // Likewise, told from the other side: of it one that moved, of this side those that did not.
    SIM_HIT_ELEMENT,      // an element of leaf b with vertices of leaf a
    SIM_HIT_ELEMENT_BACK, // an element of leaf a with vertices of leaf b
    SIM_HIT_EDGE_BACK,    // an edge of leaf b with edges of leaf a
    SIM_HIT_CROSS,        // an edge of leaf a with elements of leaf b
    SIM_HIT_CROSS_BACK,   // an edge of leaf b with elements of leaf a
};

struct sim_hit {
    uint32_t kind;
    uint32_t block, lane; // of vertices or edges; the leaf whose element it is
    uint32_t other;       // block of vertices or edges; the leaf whose elements they are
    uint32_t lanes;       // bit i: lane i
};

// Each side asks about what moved in it.
enum { SIM_HITS_MAX = 2 * (2 * SIM_LEAF_BLOCKS + SIM_LEAF_BLOCKS * SIM_LEAF_BLOCKS) * SIM_LANES };

struct sim_tree_kernels {
    // Leaves first ... end - 1. boxes by row from the body's first one, at a multiple of 16
    // bytes. What has a dirty row moved; dirty NULL: none has. all: of
    // all leaves, not of those alone that moved.
    void (*refit)(struct sim_features *features, uint32_t first, uint32_t end, const struct sim_reach *boxes,
                  const uint8_t *dirty, bool all);
    // Then all nodes above leaves.
    void (*gather)(struct sim_features *features);
    // Of leaf a of one tree and leaf b of another, or of the same; a = b of one tree: each pair once. Returns how many
    // hits there are. only_moved: those of which one side is moved.
    uint32_t (*meet)(const struct sim_features *one, uint32_t a, const struct sim_features *other, uint32_t b,
                     bool only_moved, struct sim_hit hits[SIM_HITS_MAX]);
    // Edges with elements alone.
    uint32_t (*cross)(const struct sim_features *one, uint32_t a, const struct sim_features *other,
                      uint32_t b, struct sim_hit hits[SIM_HITS_MAX]);
};

const struct sim_tree_kernels *sim_tree_kernels_of(enum sim_isa isa);

// walk.c
// Leaves whose boxes overlap, below node a of one tree and node b of another, or of the same: then a = b, or neither holds
// the other, and of two leaves only one order comes. In an order that depends on nothing but the boxes. only_moved: those
// of which one side is moved. limit, or NULL: but for those of one tree between which nothing can be found (chart.h).
struct sim_chart_limit;
typedef void sim_leaves_meet(void *context, uint32_t leaf_a, uint32_t leaf_b);
void sim_tree_walk(const struct sim_features *one, uint32_t a, const struct sim_features *other, uint32_t b,
                   bool only_moved, const struct sim_chart_limit *limit, sim_leaves_meet *meets,
                   void *context);

#endif
