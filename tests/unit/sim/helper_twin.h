// The small-steps loop with distance constraints in double precision, written straight from the equations
// (XPBD 2016 eq. 18 and 26, PBD 2007 eq. 10 and 11): what the solver is compared with.
#ifndef WEFT_TESTS_UNIT_SIM_HELPER_TWIN_H
#define WEFT_TESTS_UNIT_SIM_HELPER_TWIN_H

#include <stdint.h>

enum { TWIN_PARTICLES = 64, TWIN_DISTANCES = 64 };

struct twin_distance {
    uint32_t a, b;
    double rest, compliance, damping;
    double stiffness; // negative: XPBD
    double lambda;
};

struct twin {
    double h, gravity[3];
    uint32_t iterations, particle_count, distance_count;
    double w[TWIN_PARTICLES];
    double x[TWIN_PARTICLES][3], v[TWIN_PARTICLES][3], previous[TWIN_PARTICLES][3];
    struct twin_distance distances[TWIN_DISTANCES];
};

double twin_length(const struct twin *twin, const struct twin_distance *distance);
// One projection of one constraint; the multiplier is added up.
void twin_project(struct twin *twin, struct twin_distance *distance);
// Predict, iterations sweeps in the order of the list, velocities.
void twin_substep(struct twin *twin);

#endif
