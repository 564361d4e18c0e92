// Islands, frames and safe boxes.
#ifndef WEFT_SIM_CONTACT_ISLANDS_H
#define WEFT_SIM_CONTACT_ISLANDS_H

#include "sim/contact/meet.h"

// Islands, with boxes for the rest of the tick or until they expire, which say where members may be until then.
void sim_islands_find(struct sim *sim);
// Marks all rows of islands that expire in this substep as dirty, and says when they do the next time. True if any do.
bool sim_islands_expire(struct sim *sim);
// Makes the bounds of a member hold the box of one of its rows. True if they had to become wider.
bool sim_bounds_take(struct sim *sim, struct sim_member *member, uint32_t row);
// Do the bounds of a member overlap those of one of another island that it meets?
bool sim_is_near_others(const struct sim_meet *meet, const struct sim_member *member);
// How frames go in this substep; an island that leaves its sweep says so.
void sim_frames_move(struct sim *sim);
bool sim_members_near(const struct sim_member *a, const struct sim_member *b);

// The safe box of a row that is where it is now, until its island expires.
void sim_box_make(struct sim *sim, const struct sim_member *member, uint32_t row);
// Boxes of free rows that were made in this substep half as large, about where rows were when it began; those of others as
// they are, since nothing holds them.
void sim_boxes_halve(struct sim *sim);

#endif
