// Pairs about crossings.
#ifndef WEFT_SIM_CONTACT_EXEMPT_H
#define WEFT_SIM_CONTACT_EXEMPT_H

#include "sim/contact/meet.h"

// Counts a crossing: rows of an edge and of the triangle that it passes through. Pairs of what they are made of are
// exempt once they are sorted.
void sim_exempt_crossing(struct sim *sim, const uint32_t rows[5]);
void sim_exempt_sort(struct sim_exempt *items, uint32_t count);
int sim_exempt_compare(const void *a, const void *b); // of two struct sim_exempt, in that order

// Whether a pair, named by its places, is to be left alone.
bool sim_exempt_is(const struct sim_meet *meet, enum sim_pair_kind kind, const uint32_t at[4]);
// Whether a pair has a crossing on both sides. Then nothing is pushed, because it could not go where it is pushed to, and nothing
// more crosses either.
bool sim_exempt_beside(const struct sim_meet *meet, enum sim_pair_kind kind, const uint32_t at[4]);

#endif
