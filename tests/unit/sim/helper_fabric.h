// Cloths with warp and weft to test: a square that is pulled, and a strip that hangs.
#ifndef WEFT_TESTS_UNIT_SIM_HELPER_FABRIC_H
#define WEFT_TESTS_UNIT_SIM_HELPER_FABRIC_H

#include "sim/sim.h"

enum { CELLS = 4, SIDE = CELLS + 1, SQUARE = SIDE * SIDE };
#define CELL 0.05

enum diagonals { ONE_WAY, OTHER_WAY, CROSSWISE };

void fabric_square(enum diagonals diagonals, double positions[3 * SQUARE],
                   uint32_t triangles[6 * CELLS * CELLS]);
// A cloth of 2000, 1000 and 50 N/m with a Poisson's ratio of 0.3. Arrays stay the caller's.
struct sim_body_desc fabric_desc(const double *positions, const uint32_t *triangles, double angle);
// Pulls the borders at x = 0 and x = end apart by N newtons for each metre, with springs so long and soft that their force hardly
// changes. Returns by how much the square is longer and narrower.
void fabric_pull(enum diagonals diagonals, double angle, double N, uint32_t substeps, double *along,
                 double *across);
// Hangs a strip of 40 x 4 cells of 2.5 cm from one end, with a limit of 0.01, in a world with long edges or in one without. Returns
// the greatest strain of a yarn, and the greatest sine of the shear.
void fabric_hang(bool long_edges, double angle, double *stretch, double *shear);

#endif
