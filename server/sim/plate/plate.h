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
//     factor.c    the tree of the factor, and its numbers (in double; sums in a fixed order)
//     plate.c     which bodies are solved, and when a factor is made again
//
// A body is solved if all of its own quadratic constraints have a compliance and none a stiffness, if its factor is not
// too large (PLATE_ENTRIES_MAX, PLATE_WORK_MAX), and if bending is not so stiff that doubles cannot tell it from rigid
// (PLATE_STIFF_MAX). All other bending is swept: isometric, whose energy has no linear part at rest, dihedral, whose rest
// shape may be curved, what is rigid, and constraints that constraint.add made.
//
// A factor is no state. It follows from the mesh, the rest shape, the masses, what is held, the compliances and h, so it
// is neither hashed nor in a file. An edit marks it (sim.derived_known), and the next tick makes it again.
//
// Sources: Bergou et al. 2006 (the energy), George 1973 (nested dissection), Duff and Reid 1983 (multifrontal).
#ifndef WEFT_SIM_PLATE_PLATE_H
#define WEFT_SIM_PLATE_PLATE_H

#include "sim/state/state.h"

// The condition number of M + h^2 Q over M, at most: above FINE a factor has doubles in place of floats; above STIFF
// bending is swept.
#define PLATE_FINE_MIN 2e3
#define PLATE_STIFF_MAX 1e11
#define PLATE_ENTRIES_MAX (UINT64_C(1) << 26) // numbers of a factor
#define PLATE_WORK_MAX 2e10                   // multiplications that make one
enum { PLATE_FRONT_MAX = 4096 };              // rows of a front

// Makes what the edits since the last call have changed. False without memory: then the body has none, and the next
// call tries again. It allocates only where something has changed.
bool sim_plates_settle(struct sim *sim);
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

// ----------------------------------------------------------------------------------------------------- factor.c

// One stencil. It adds weight weights[i] weights[j] to the matrix, between its unknowns i and j.
struct sim_plate_stencil {
    uint32_t unknowns[4];
    double weights[4], weight;
};

// Fills nodes, parts and top of a plate, and makes room for its vectors. count, lanes and `fine` are given. False without
// memory.
bool sim_plate_shape(struct sim_plate *plate, const struct sim_dissection *dissection);

// Makes the factor of masses and stencils of a plate that has a shape. Held unknowns have a mass of 0, and stay where they
// are. Returns false without memory. The plate is `solved` afterwards unless its factor is too large, or rounding made
// a pivot that is not positive.
bool sim_plate_factor(struct sim_plate *plate, const struct sim_plate_stencil *stencils,
                      uint32_t stencil_count);

void sim_plate_empty(struct sim_plate *plate); // frees what it has

#endif
