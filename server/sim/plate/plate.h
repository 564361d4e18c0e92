// Bending that is solved: all of a body's quadratic bending as one linear step of each substep.
//
// The energy of quadratic bending, E = 1/2 sum (1/alpha) |s K x|^2 = 1/2 x' Q x, has a constant matrix. With the
// prediction x^ = x + h v + h^2 g, implicit Euler asks for (M + h^2 Q) y = M x^. The solver looks for the difference
// d = y - x^ instead, because then the right-hand side comes from exact differences of integers:
//
//     (M + h^2 Q) d = -h^2 Q x^           d = 0 for what is held
//
// It adds d to the prediction and to the velocity, and then sweeps the edges as ever. One sweep over the stencils
// carries bending a few edges far, so a fine mesh would droop more than a coarse one; the linear step carries it
// through the whole body.
//
//     dissect.c   the order of elimination: nested dissection of the rest shape
//     tree.c      the tree of the factor: what is below each node, and where its numbers stand
//     factor.c    the numbers (in double; sums in a fixed order), of all nodes or of those that what has changed reaches
//     making.c    the same over several ticks
//     plate.c     which bodies are solved, and when a factor is made again
//
// A body is solved if all of its own quadratic constraints have a compliance and none a stiffness, if its factor is not
// too large (PLATE_ENTRIES_MAX, PLATE_WORK_MAX), and if bending is not so stiff that doubles cannot tell it from rigid
// (PLATE_STIFF_MAX). All other bending is swept: isometric, whose energy has no linear part at rest, dihedral, whose rest
// shape may be curved, what is rigid, and constraints that constraint.add made.
//
// A factor is no state. It follows from the mesh, the rest shape, the masses, what is held, the compliances and h, so it
// is neither hashed nor in a file. An edit marks it (sim.derived_known, sim.masses_known), and the next tick makes it
// again. If masses or weights alone have changed, as a pin changes them, it makes what they reach, to the same bits.
//
// The factor of a large body is made over several ticks if an edit has changed much of it (ground/bends.c). Until it is
// attached, bending is swept. When that is, is state: bend_due of the body. How far the factor is made, is not.
//
// Sources: Bergou et al. 2006 (the energy), George 1973 (nested dissection), Duff and Reid 1983 (multifrontal).
#ifndef WEFT_SIM_PLATE_PLATE_H
#define WEFT_SIM_PLATE_PLATE_H

#include "base/parallel.h"
#include "sim/state/state.h"

// The condition number of M + h^2 Q over M, at most: above FINE a factor has doubles in place of floats; above STIFF
// bending is swept.
#define PLATE_FINE_MIN 2e3
#define PLATE_STIFF_MAX 1e11
#define PLATE_ENTRIES_MAX (UINT64_C(1) << 26) // numbers of a factor
#define PLATE_WORK_MAX 2e10                   // multiplications that make one
enum { PLATE_FRONT_MAX = 4096 };              // rows of a front

// Makes what the edits since the last call have changed. False without memory: then the body has none, and the next
// call tries again. It allocates only where something has changed. Threads of `parallel` (NULL: none) help.
bool sim_plates_settle(struct sim *sim, struct base_parallel *parallel);
// Does the part of this tick of factors that are spread over several, and attaches those that are due. A tick in which
// sim_plates_settle has nothing to do begins with it. False without memory: then a body has lost its plate, and
// sim_plates_settle is to make it again.
bool sim_plates_go_on(struct sim *sim, struct base_parallel *parallel);
void sim_plate_destroy(struct sim_plate *plate); // NULL is allowed

// How the bending of a body is solved. Until a tick has run since the last edit, a body counts as solved if only its size
// or its stiffness could keep it from that.
enum sim_bending sim_plate_bending(const struct sim *sim, const struct sim_body *body);

// ---------------------------------------------------------------------------------------------------- dissect.c

// An undirected graph: neighbours of v are ways[starts[v]] ... ways[starts[v + 1] - 1].
struct sim_graph {
    uint32_t count;
    uint32_t *starts, *ways;
};

struct sim_plate_stencil;

// A graph of `count` unknowns, of which those that share a stencil are neighbours. False without memory; what it has is to be freed
// all the same.
bool sim_graph_init(struct sim_graph *graph, const struct sim_plate_stencil *stencils, uint32_t stencil_count,
                    uint32_t count);

struct sim_dissection {
    uint32_t *order; // all vertices
    uint32_t *ends;  // of each node in it; nodes are leaves and separators, children before parents
    uint32_t node_count;
    struct sim_plate_range parts[SIM_PLATE_PARTS]; // nodes: what is left after two cuts of a large graph
    uint32_t part_count;
};

// Fills a dissection whose order and ends have room for graph->count. It follows from the points (quanta) and the graph
// alone. False without memory.
bool sim_dissect(const struct sim_graph *graph, const int64_t (*points)[3],
                 struct sim_dissection *dissection);

// ------------------------------------------------------------------------------------------------------- tree.c

// One stencil. It adds weight weights[i] weights[j] to the matrix, between its unknowns i and j.
struct sim_plate_stencil {
    uint32_t unknowns[4];
    double weights[4], weight;
};

#define SIM_PLATE_NONE UINT32_MAX // no node

struct sim_plate_tree {
    uint32_t node_count;
    struct sim_plate_stencil *stencils; // by the node that holds the first of their unknowns
    uint32_t *starts;                   // of nodes in them
    uint32_t *node_of;                  // by unknown
    uint32_t *first_child, *sibling;    // by node
    uint32_t *below;                    // unknowns below all nodes
    uint32_t *below_starts;             // by node
    uint32_t below_count, below_capacity;
    uint32_t *local; // by unknown: scratch, and then its row in the fronts of nodes that hold it
    // By node: what its parent gets, the blocks below of its front. They are kept, because a parent that is computed again
    // asks all of its children, but not those of leaves, which are many and soon found.
    double **updates;
};

void sim_plate_tree_destroy(struct sim_plate_tree *tree); // NULL is allowed

// Fills nodes, parts and top of a plate, and makes room for its vectors. count, lanes and `fine` are given. False without
// memory.
bool sim_plate_shape(struct sim_plate *plate, const struct sim_dissection *dissection);
// Makes the tree of a plate that has a shape, and room for its numbers. *fits: its factor is not too large. False without
// memory.
bool sim_plate_grow(struct sim_plate *plate, const struct sim_plate_stencil *stencils, uint32_t stencil_count,
                    bool *fits);
// Gives a tree other weights of the same stencils in the same order. changed[unknown] becomes true if a stencil of its has
// another weight. False without memory, and then nothing has changed.
bool sim_plate_weigh(struct sim_plate *plate, const struct sim_plate_stencil *stencils,
                     uint32_t stencil_count, bool *changed);
void sim_plate_empty(struct sim_plate *plate); // frees what it has

// ----------------------------------------------------------------------------------------------------- factor.c

// Makes the factor of a plate that has a tree. Held unknowns have a mass of 0, and stay where they are. changed[unknown]:
// the plate was made, and the masses or stencils of these alone are other ones now; NULL: all is new. Only nodes that
// they reach are computed; all others would come to the same bits. Returns false without memory. The plate is `made`
// afterwards unless rounding made a pivot that is not positive.
bool sim_plate_factor(struct sim_plate *plate, const struct sim_kernels *kernels, const bool *changed,
                      struct base_parallel *parallel);

// ----------------------------------------------------------------------------------------------------- making.c

// Begins a factor of a plate that has a tree, which sim_plate_making_go_on makes up to a part of its work, at least; parts of
// parts: all of it. The bits are those of sim_plate_factor, however often it stops. False without memory, and then
// nothing is begun. At the end there is no making, and the plate is `made` as above.
bool sim_plate_making_begin(struct sim_plate *plate, const struct sim_kernels *kernels);
bool sim_plate_making_go_on(struct sim_plate *plate, uint32_t part, uint32_t parts);
void sim_plate_making_end(struct sim_plate *plate); // drops what is begun, if anything is
// Multiplications that are done, and those of the whole factor; 0 if nothing is begun.
uint64_t sim_plate_making_done(const struct sim_plate *plate, uint64_t *total);

#endif
