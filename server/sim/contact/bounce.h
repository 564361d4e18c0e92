// Restitution of points of edges and triangles that hit a collider, and of pairs of bodies that hit each other. It changes velocities
// after positions, so it takes nothing from what contact promises.
#ifndef WEFT_SIM_CONTACT_BOUNCE_H
#define WEFT_SIM_CONTACT_BOUNCE_H

#include "sim/contact/meet.h"

// A point sum c x of some rows that hits something along n.
struct sim_bounce {
    const uint32_t *rows;
    const double *c, *n;
    uint32_t count;
    double e, weight, friction, slides; // weight: W; slides: mu of what slides
    double comes;                       // v0, m/s
    double material[3], belt[3];        // velocities of what it hits, and of what its surface runs on by, m/s
};

// Before the point is pushed, tells how fast it came. way: how far it has gone against the material in this substep, m.
void sim_bounce_comes(const struct sim *sim, const double way[3], struct sim_bounce *bounce);
// After it was pushed, gives it a part of the speed that it lacks, if it came fast enough.
void sim_bounce_take(struct sim *sim, const struct sim_bounce *bounce, double part);
// Gives what hit in an island the speed that it lacks, by the pairs that were pushed last, when a substep ends.
void sim_island_bounce(struct sim *sim, const struct sim_island *island);

#endif
