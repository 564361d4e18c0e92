// Meshes of static particles that are moved and turned, and what they are pushed against.
#ifndef WEFT_TESTS_UNIT_SIM_HELPER_OBSTACLE_H
#define WEFT_TESTS_UNIT_SIM_HELPER_OBSTACLE_H

#include "helper_sheet.h"

struct obstacle {
    struct sim *sim;
    uint32_t body;
    struct scene_mesh mesh; // about its own origin
    uint32_t *all;
};

// A surface of turns x rings quads around an axis: y of a ball, z of a ring.
struct obstacle obstacle_ball(struct sim *sim, uint32_t turns, uint32_t rings, double radius,
                              const double at[3]);
struct obstacle obstacle_ring(struct sim *sim, uint32_t turns, uint32_t rings, double radius, double thick,
                              const double at[3]);
// Teeth side by side along x, each a prism along y from 0 to length.
struct obstacle obstacle_comb(struct sim *sim, uint32_t teeth, double apart, double thick, double length,
                              const double at[3]);
// In the course of the next tick: turned about y, then put there.
void obstacle_move(const struct obstacle *obstacle, double angle, const double at[3]);
void obstacle_deinit(struct obstacle *obstacle);

// Scenes are as large as WEFT_SCENES=large asks for, or small enough for a check.
bool obstacle_large(void);

// Moves particles of a body linearly over the next tick. Fails where that is refused.
void obstacle_pin(struct sim *sim, uint32_t body, const uint32_t *particles, uint32_t count,
                  const double *positions);

#endif
