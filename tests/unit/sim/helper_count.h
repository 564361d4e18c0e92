// Counts the edges that pass through or touch triangles: each against all others, in integers without rounding.
//
// Tests call it after each tick to prove that contact kept bodies apart. It is exact and slow: the time grows with the
// product of the numbers of edges and triangles.
#ifndef WEFT_TESTS_UNIT_SIM_HELPER_COUNT_H
#define WEFT_TESTS_UNIT_SIM_HELPER_COUNT_H

#include "sim/sim.h"

// Number of pairs of an edge and a triangle that cross, in bodies that have contact with each other or with themselves.
// Bodies that are static altogether are left out. 0 means that nothing crosses.
//
// It reads positions only, and does not change the sim.
uint64_t count_crossings(const struct sim *sim);

#endif
