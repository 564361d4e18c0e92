// Islands, frames and safe boxes.
#ifndef WEFT_SIM_CONTACT_ISLANDS_H
#define WEFT_SIM_CONTACT_ISLANDS_H

#include "sim/contact/meet.h"

// Islands, with boxes for this substep and so many more, which say where members may be until then.
void sim_islands_find(struct sim *sim, uint32_t left);
// How frames go in this substep; an island that leaves its sweep says so.
void sim_frames_move(struct sim *sim);
bool sim_members_near(const struct sim_member *a, const struct sim_member *b);

// The safe box of a row that is where it is now, for so many substeps to come.
void sim_box_make(struct sim *sim, const struct sim_member *member, uint32_t row, uint32_t left);
// Of all rows, for fewer substeps than islands were found for.
void sim_boxes_shorten(struct sim *sim, uint32_t left);
// Boxes of free rows half as large, about where rows were when the substep began; those of others as they are, since
// nothing holds them. first: for the first time since they were made.
void sim_boxes_halve(struct sim *sim, bool first);

#endif
