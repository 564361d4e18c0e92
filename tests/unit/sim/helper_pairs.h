// Particles with triangles and edges with edges, made by hand: wherever their closest points may lie, and such as have
// no direction or no area. How far they are apart, by other formulas than the solver's.
#ifndef WEFT_TESTS_UNIT_SIM_HELPER_PAIRS_H
#define WEFT_TESTS_UNIT_SIM_HELPER_PAIRS_H

#include "sim/contact/record.h"

enum { PAIRS_REGIONS = 9 };

// Four rows `height` apart, of features as large as `size`. Returns in which region the closest points of both lines, or
// the foot in the triangle's plane, are: before, within or behind each of its two coordinates.
uint32_t pairs_place(uint64_t *seed, enum sim_pair_kind kind, const double from[3], double size,
                     double height, struct sim_row rows[4]);

// The least distance of any two points of both, quanta.
double pairs_distance(enum sim_pair_kind kind, const struct sim_row rows[4]);

#endif
