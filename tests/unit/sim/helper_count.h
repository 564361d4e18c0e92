// How many edges pass or touch triangles: every one against every other one, in whole numbers that do not round.
#ifndef WEFT_TESTS_UNIT_SIM_HELPER_COUNT_H
#define WEFT_TESTS_UNIT_SIM_HELPER_COUNT_H

#include "sim/sim.h"

// Of bodies that meet each other or themselves; of any that are static altogether: none.
uint64_t count_crossings(const struct sim *sim);

#endif
