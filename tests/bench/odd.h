// Cloths that are hard to keep apart: a towel that is wrung, and a closed mesh whose edges are uneven.
#ifndef WEFT_BENCH_ODD_H
#define WEFT_BENCH_ODD_H

#include "sim/sim.h"

// Each adds its cloth to a world, with its floor, and sets what the world needs. `meets`: bodies can meet. False, with a line on
// stderr, if memory runs out or something is refused.
//
// The gallery's towel, with 51 x 41 particles. Each end turns by 720 degrees in 6 s, from 0.5 s on, a third more than in the
// gallery.
bool bench_towel_add(struct sim *sim, bool meets);
// A limp closed surface of 9,770 particles, 1.4 m across, as scans of animals are: edges of 2 to 60 mm. It is 0.95 mm thick and
// falls by 6 cm.
bool bench_uneven_add(struct sim *sim, bool meets);

#endif
