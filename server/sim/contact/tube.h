// Tubes: where rows may be in the substeps to come.
//
// The *path* of a row is a straight line in the frame of its island, which it follows with its velocity. Its *tube* is a ball
// about the path, which moves along it: when substep k ends, the row may be no farther from where its path has it than its
// slack. Between two ends of substeps rows go straight, and so do paths, so a row that is in its tube at both is in it all
// the while.
//
// Let h v be the way of a row in a substep by its velocity against the mean velocity of the island, e = X - X0 - frame, the way
// in this one, off = |e - path|, and n, the substeps until all rows are looked at again:
//
//     path  = (h v + e) / 2 a substep; e for a row that is static
//     grown = min(off (1.1 + n^2 / 20), n |path| + 1.1 off, 1.2 r)
//     slack = 0.5 r + max(1.1 off, grown)
//
// off n^2 / 20 is a tenth of what off in one substep comes to in n if the force that causes it goes on.
//
// A standing tube has no path. It is about the middle of the row's way in this substep, and holds all of it. If pairs do not
// fit, tubes stand about where the substep began and are halved. Then they no longer hold all of the way, and rows are held in
// them.
#ifndef WEFT_SIM_CONTACT_TUBE_H
#define WEFT_SIM_CONTACT_TUBE_H

#include "sim/contact/meet.h"

// Makes the tube of a row from its present place until its island expires, and the box that holds the tube.
void sim_tube_make(struct sim *sim, const struct sim_member *member, uint32_t row);
// Finds the places on the paths when this substep begins and ends. It is called once a substep, before any tube is made in it.
void sim_tubes_move(struct sim *sim);
// Is place x, when this substep ends, out of the tube of the row? way: of its frame since the detection.
bool sim_tube_is_left(const struct sim_meet *meet, uint32_t row, const int32_t x[3], const int32_t way[3]);
// To whole quanta, outwards (side 0: v - slack; 1: v + slack). What is no number, or too far, becomes as far as a coordinate
// may go in a tick.
int32_t sim_outwards(float v, float slack, int side);
// Way of a row in this substep against its frame.
void sim_way_in_frame(const struct sim *sim, const struct sim_island *island, uint32_t row, int32_t way[3]);

#endif
