// Rigid pieces to test contact by: each is a body of its own that meets all others.
#ifndef WEFT_TESTS_UNIT_SIM_HELPER_PIECE_H
#define WEFT_TESTS_UNIT_SIM_HELPER_PIECE_H

#include "helper_scene.h"

struct piece {
    struct sim_rigid_shape shape;
    double mass, x[3]; // kg; m
    double q[4];       // of any length; all 0: not turned
    float v[3], spin[3];
    double friction, restitution;
    bool alone; // it meets no other piece
};

struct sim_rigid_shape piece_sphere(float radius);
struct sim_rigid_shape piece_capsule(float radius, float half_height);
struct sim_rigid_shape piece_box(float x, float y, float z); // half extents
uint32_t piece_add(struct sim *sim, const struct piece *piece);
void piece_spin(const struct sim *sim, uint32_t body, float spin[3]);           // rad/s
void piece_axis(const struct sim *sim, uint32_t body, int axis, double out[3]); // in the world
// The lowest point of a box, m.
double piece_lowest(const struct sim *sim, uint32_t body, const struct sim_rigid_shape *shape);

#endif
