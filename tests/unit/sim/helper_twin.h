// The small-steps loop in double precision, written straight from the equations (XPBD 2016 eq. 18, PBD 2007
// eq. 10 and 11, damping of Mueller et al. 2020, 3.5; gradients of four-particle constraints as their own files of server/sim have them in
// prose, not as they have them in code): what the solver is compared with.
#ifndef WEFT_TESTS_UNIT_SIM_HELPER_TWIN_H
#define WEFT_TESTS_UNIT_SIM_HELPER_TWIN_H

#include "sim/sim.h"

#include <stdint.h>

enum { TWIN_PARTICLES = 64, TWIN_DISTANCES = 64, TWIN_FOURS = 48 };

struct twin_distance {
    uint32_t a, b;
    double rest, compliance, damping;
    double stiffness; // negative: XPBD
    double lambda;
};

// A dihedral, isometric, quadratic or volume constraint.
struct twin_four {
    enum sim_kind kind;
    uint32_t p[4];
    double rest;    // theta0 or V0
    double scale;   // C is taken so many times; 0 as 1
    double k[4], f; // isometric, quadratic: K and 3/(A0 + A1)
    double compliance, damping;
    double stiffness; // negative: XPBD
    double lambda[3];
};

struct twin {
    double h, gravity[3];
    uint32_t iterations, particle_count, distance_count, four_count;
    double w[TWIN_PARTICLES];
    double x[TWIN_PARTICLES][3], v[TWIN_PARTICLES][3], previous[TWIN_PARTICLES][3];
    struct twin_distance distances[TWIN_DISTANCES];
    struct twin_four fours[TWIN_FOURS];
};

double twin_length(const struct twin *twin, const struct twin_distance *distance);
// One projection of one constraint; the multiplier is added up.
void twin_project(struct twin *twin, struct twin_distance *distance);
void twin_four_project(struct twin *twin, struct twin_four *four);
// Damps the velocities by one constraint.
void twin_four_damp(struct twin *twin, const struct twin_four *four);
// Predict, iterations sweeps in the order of the lists (distances, then fours), velocities, damping in that order.
void twin_substep(struct twin *twin);

// 1, or 3 of quadratic constraints.
uint32_t twin_four_components(enum sim_kind kind);
// C and its gradients for four places; four->p is not looked at.
void twin_four_value(const struct twin_four *four, const double x[4][3], double c[3], double grad[3][4][3]);
// K and 3/(A0 + A1) from a flat rest shape.
void twin_four_flatten(struct twin_four *four, const double rest[4][3]);
double twin_theta(const double x[4][3]); // signed dihedral angle

void twin_sub(double out[3], const double a[3], const double b[3]);
void twin_cross(double out[3], const double a[3], const double b[3]);
double twin_dot(const double a[3], const double b[3]);

#endif
