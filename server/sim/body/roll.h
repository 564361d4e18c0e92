// Hinges of a cloth unfolded into a plane, and how far they fold if the cloth is rolled up.
#ifndef WEFT_SIM_BODY_ROLL_H
#define WEFT_SIM_BODY_ROLL_H

#include "sim/body/mesh.h"
#include "sim/state/state.h"

struct sim_roll {
    const uint32_t *corners;
    double at[4][2]; // m, unfolded: the edge from the origin along +x, the first wing above, the second below
    double along[3],
        across[2][3];  // unit vectors at rest: of the edge, and in each triangle from the edge to its wing
    double k[4];       // K
    double cots[2][3]; // of each triangle: facing the edge, at its end, at its beginning
    double areas[2];
    double weight; // w of its energy w t^2/(2 alpha) (body/rigidity.c)
};

// Unfolds a hinge of the rest shape. False if it does not bend. q: metres of a quantum.
bool sim_roll_of(const struct sim_body *body, double q, const struct sim_hinge *hinge, bool dihedral,
                 struct sim_roll *roll);
// The fold on a cylinder of curvature 1 that curves along a direction of any length in that plane; NULL: on a sphere.
double sim_roll_fold(const struct sim_roll *roll, const double *direction);

#endif
