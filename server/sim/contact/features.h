// The surface of a body as contact sees it, and the tree over it.
//
// An element is a triangle or, of what no triangle has, an edge (a b b) or a particle (a a a). Elements stand in a fixed
// order, near ones near each other; each particle and each edge is owned by the first element that has it, so that what
// goes through pairs of elements comes upon each pair of features once.
//
// The tree is binary above leaves of 16 elements, without pointers: node i has 2 i and 2 i + 1, leaf l is node
// leaf_count + l. It depends on the mesh alone; its boxes are refitted.
#ifndef WEFT_SIM_CONTACT_FEATURES_H
#define WEFT_SIM_CONTACT_FEATURES_H

#include "sim/contact/record.h"
#include "sim/state/state.h"

enum {
    SIM_LEAF = 16,             // elements of a leaf
    SIM_ELEMENT_TRIANGLE = 64, // beside SIM_PAIR_OWNS: it has an inside
};

// Least x y z, greatest x y z, in units that the caller chose; both ends belong to it. Empty: least > greatest.
struct sim_box {
    int32_t least[3], most[3];
};

struct sim_leaf {
    int32_t least[3][SIM_LEAF], most[3][SIM_LEAF];
};

struct sim_features {
    uint32_t count;         // elements
    uint32_t (*corners)[3]; // rows from the body's first one
    uint8_t *owns;          // SIM_PAIR_OWNS, SIM_ELEMENT_TRIANGLE
    uint32_t vertex_count, edge_count;
    uint32_t leaf_count; // a power of two
    struct sim_leaf *leaves;
    struct sim_box *nodes; // 2 leaf_count
    uint8_t *moved;        // by node: below it are elements of which a row was dirty when it was refitted
    uint16_t *moved_lanes; // by leaf: which
};

// NULL without memory. body: its surface, edges, row_of.
struct sim_features *sim_features_make(const struct sim_body *body);
void sim_features_destroy(struct sim_features *features); // NULL is allowed

// Is there anything that it meets?
static inline bool sim_meeting_any(const struct sim_meeting *meeting)
{
    return meeting->self || (meeting->group != 0 && meeting->mask != 0);
}

// Do features of both meet? a may be b.
bool sim_bodies_meet(const struct sim_body *a, const struct sim_body *b);

// Element a of one side, and those elements of a leaf of the other whose boxes overlap that of a: bit i is element
// SIM_LEAF * leaf + i.
typedef void sim_tree_meets(void *context, uint32_t a, uint32_t leaf, uint32_t lanes);

struct sim_tree_kernels {
    // boxes and dirty by row from the body's first one; dirty NULL: all are.
    void (*refit)(struct sim_features *features, const struct sim_box *boxes, const uint8_t *dirty);
    // Below node a of one tree and node b of another, or of the same: then a = b, or neither holds the other, and of a pair
    // of elements only one order comes. In an order that depends on nothing but the boxes. only_moved: pairs of which
    // one is moved.
    void (*walk)(const struct sim_features *one, uint32_t a, const struct sim_features *other, uint32_t b,
                 bool only_moved, sim_tree_meets *meets, void *context);
};

const struct sim_tree_kernels *sim_tree_kernels_of(enum sim_isa isa);

#endif
