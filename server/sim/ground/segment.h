// A segment of a rod as a joint to a rigid piece holds it (kinds/joint.c). row: of the particle at which the segment begins, which has
// its orientation.
#ifndef WEFT_SIM_GROUND_SEGMENT_H
#define WEFT_SIM_GROUND_SEGMENT_H

#include <stdbool.h>
#include <stdint.h>

struct sim;

// Fills what a segment gives when it is held at so much of its length, rad/(N m): to bending and to twist. What bends is the part
// from there to its middle.
void sim_segment_gives(const struct sim *sim, uint32_t row, double share, double gives[2]);
// Turns the segment by a torque impulse, kg m^2. One that is held stays.
void sim_segment_twist(struct sim *sim, uint32_t row, const double torque[3]);
// Changes how fast the segment turns, by an angular momentum.
void sim_segment_kick(struct sim *sim, uint32_t row, const double momentum[3]);
// Fills how fast it is going to turn, rad/s. over: the substep is.
void sim_segment_spin(const struct sim *sim, uint32_t row, bool over, double spin[3]);

#endif
