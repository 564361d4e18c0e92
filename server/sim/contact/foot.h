// Closest points of a pair in double: what planes are made of (lanes.h says what a foot is).
#ifndef WEFT_SIM_CONTACT_FOOT_H
#define WEFT_SIM_CONTACT_FOOT_H

#include "sim/contact/record.h"

// x: four points; g: from side 2 to side 1, between two points of the features. Returns |g|, which is never
// less than the distance, except for rounding.
// The same with the coefficients of the four points: g = sum c x.
double sim_foot_of(enum sim_pair_kind kind, const double x[4][3], double g[3], double c[4]);
double sim_foot(enum sim_pair_kind kind, const double x[4][3], double g[3]);

#endif
