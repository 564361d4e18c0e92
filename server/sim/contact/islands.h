// Islands and frames.
#ifndef WEFT_SIM_CONTACT_ISLANDS_H
#define WEFT_SIM_CONTACT_ISLANDS_H

#include "sim/contact/meet.h"

// Finds the islands that ask for it, those that they come near, and that of bodies that woke, with tubes for the rest of the tick
// or until they expire. They say where members may be until then. All other islands are kept. (The first time: all of them.)
void sim_islands_find(struct sim *sim);
// Marks all rows of islands that expire in this substep as dirty, and says when they do the next time.
void sim_islands_expire(struct sim *sim);
// Makes bounds hold the box of one of the member's rows. True if they had to become wider.
bool sim_bounds_take(struct sim *sim, const struct sim_member *member, uint32_t row, int64_t bounds[2][3]);
// Do the bounds of a member overlap those of one of another island that it meets?
bool sim_is_near_others(const struct sim_meet *meet, const struct sim_member *member);
// How frames go in this substep; an island that leaves its sweep says so.
void sim_frames_move(struct sim *sim);
// Finds the mean velocity of an island, before tubes are made.
void sim_frame_drift(const struct sim *sim, struct sim_island *island);
bool sim_members_near(const struct sim_member *a, const struct sim_member *b);

#endif
