// Solids in double, by F and P as the papers have them: the law, one projection, and the static equilibrium of a block.
#ifndef WEFT_TESTS_UNIT_SIM_HELPER_SOLID_H
#define WEFT_TESTS_UNIT_SIM_HELPER_SOLID_H

#include "helper_scene.h"

#include <stdbool.h>

struct solid_element {
    double p[3][3]; // D0^-1
    double volume;
};

struct solid_law {
    double mu, ratio; // mu/Lam
};

struct solid_rows {
    double c_d, c_h, j, d[4][3], h[4][3]; // C, J, and gradients
};

// A block with what holds and loads it, in double.
struct solid_still {
    const struct scene_block *block;
    struct solid_element *elements;
    struct solid_law law;
    bool *held;
    double *x, *force, *velocity, *mass;
};

struct solid_law solid_law(double young, double poisson);
double solid_det(const double m[3][3]);
// Columns are x1 - x0, x2 - x0, x3 - x0.
void solid_columns(const double *x[4], double out[3][3]);
struct solid_element solid_element(const double *x[4]);
struct solid_rows solid_rows(const struct solid_element *element, double ratio, const double *x[4]);
// One projection of both rows, with compliances over h^2. Of the part of the step along r a share is taken: it counts that much in the
// matrix, and moves that much.
void solid_project(const struct solid_element *element, double ratio, double a_d, double a_h,
                   const double w[4], double x[4][3], double lambda[2]);
struct solid_still solid_still_create(const struct scene_block *block, double young, double poisson,
                                      double density);
// Comes to rest by FIRE (Bitzek and others 2006): it goes along its velocity, and stops where that is uphill. All
// particles count as equally heavy. Returns the greatest force that is left on a particle.
double solid_come_to_rest(struct solid_still *still, double gravity, double step, int steps);
void solid_still_destroy(struct solid_still *still);

#endif
