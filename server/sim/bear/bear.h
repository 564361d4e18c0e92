// Loads that only touch, solved: the edges of a light body and what it touches as one system.
//
// Sweeps do not hold a load that is 10,000 times as heavy as a particle: the number of turns of edges and contacts that
// it needs is about that of the masses. So a body that touches something heavy is solved in each substep for the least of
//
//     E(x) = sum m |x - y|^2 / (2 h^2) + K/2 sum (l - L)^2 + K/2 sum max(0, R - d)^2 + friction          K = M/h^2
//
// y is where its particles and the loads would be without edges and contacts, M is the mass of the heaviest load, or of the
// body if that is more. A step of Newton solves (M/h^2 + E'') p = -E', without what makes E'' indefinite, and is halved until E
// falls. Momentum is kept by each step, because all terms but the first see only differences of places.
//
//     mark.c     y: places before a sweep, and what other constraints than edges add to them
//     settle.c   the order of elimination, and the edges: a function of the body's mesh and values
//     find.c     which bodies are solved in this substep, and what they touch
//     energy.c   E, E', and the blocks of E''
//     fronts.c   the factor of E'' and its two passes
//     solve.c    the steps of Newton, and where rows go
//     tell.c     whether loads of a body are swept, and why
//
// A body takes part if it is a cloth or a rope that has edges and cannot tear, if it has SIM_LOADS_PARTICLES_MAX particles at
// most, and if one of them touches, in this substep, a collider, a particle that is held, or one that is SIM_BEAR_RATIO
// times as heavy. Other constraints of the body are swept; long edges and tethers have no part in it. After the solve contacts
// push as ever, but there is little left to push.
//
// All of it follows from the state when the substep begins. Nothing is kept from one substep to the next.
#ifndef WEFT_SIM_BEAR_BEAR_H
#define WEFT_SIM_BEAR_BEAR_H

#include "sim/state/state.h"

enum {
    SIM_BEAR_LOADS = SIM_LOADS_MAX,
    SIM_BEAR_RATIO = 100, // a load is so many times as heavy as a particle
};

// Makes what the edits since the last call have changed. False without memory.
bool sim_bear_settle(struct sim *sim);
void sim_bear_destroy(struct sim *sim);
void sim_bearing_destroy(struct sim_bearing *bearing); // NULL is allowed

// The moments of a sweep.
enum sim_bear_moment {
    SIM_BEAR_BEGINS, // before long edges and edges
    SIM_BEAR_EDGES,  // edges have been swept
    SIM_BEAR_OTHERS, // and all other constraints
    SIM_BEAR_LIMITS, // and limits of length
    SIM_BEAR_ENDS    // contacts come next
};
void sim_bear_mark(struct sim *sim, enum sim_bear_moment moment);

// Whether the body's edges and loads can be one system, but for its size.
bool sim_bear_may(const struct sim_body *body);

// Tells, at a boundary, what becomes of the loads of a body. A load is a particle of another body that it may meet, without rigid
// pieces, which is so many times as heavy as the body's heaviest and lies within the body's box.
enum sim_loads sim_bear_loads(const struct sim *sim, const struct sim_body *body);

// Solves the bodies that bear loads. It comes after pairs are found and before they are pushed, in the last iteration.
void sim_bear_solve(struct sim *sim);

#endif
