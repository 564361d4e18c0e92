#include "helper_piece.h"

#include "sim/state/state.h"

#include <math.h>
#include <string.h>

struct sim_rigid_shape piece_sphere(float radius)
{
    return (struct sim_rigid_shape){.form = SIM_RIGID_SPHERE, .radius = radius};
}

struct sim_rigid_shape piece_capsule(float radius, float half_height)
{
    return (struct sim_rigid_shape){.form = SIM_RIGID_CAPSULE, .radius = radius, .half_height = half_height};
}

struct sim_rigid_shape piece_box(float x, float y, float z)
{
    return (struct sim_rigid_shape){.form = SIM_RIGID_BOX, .half_extents = {x, y, z}};
}

uint32_t piece_add(struct sim *sim, const struct piece *piece)
{
    static const double none[4] = {0, 0, 0, 1};
    struct sim_turned turned = {0};
    double q[4], length2 = 0;
    for (int i = 0; i < 4; i++) {
        length2 += piece->q[i] * piece->q[i];
    }
    for (int i = 0; i < 4; i++) {
        q[i] = length2 > 0 ? piece->q[i] / sqrt(length2) : none[i];
    }
    sim_turn_from(q, turned.q);
    memcpy(turned.spin, piece->spin, sizeof turned.spin);
    const struct sim_body_desc desc = {
        .kind = SIM_RIGID,
        .particle_count = 1,
        .positions = piece->x,
        .velocities = piece->v,
        .masses = &piece->mass,
        .rigid = &piece->shape,
        .turned = &turned,
        .meeting = {.group = piece->alone ? 0 : 1,
                    .mask = piece->alone ? 0 : 1,
                    .friction = piece->friction,
                    .restitution = piece->restitution},
    };
    return scene_add(sim, &desc);
}

void piece_spin(const struct sim *sim, uint32_t body, float spin[3])
{
    const struct sim_body *at = NULL;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        at = sim->bodies[b]->id == body ? sim->bodies[b] : at;
    }
    sim_rigid_spin(sim, at, 0, spin);
}

void piece_axis(const struct sim *sim, uint32_t body, int axis, double out[3])
{
    double q[4];
    sim_body_rotations64(sim, body, 0, 1, q);
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double axes[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                               {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                               {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
    memcpy(out, axes[axis], 3 * sizeof *out);
}

double piece_lowest(const struct sim *sim, uint32_t body, const struct sim_rigid_shape *shape)
{
    double at[3], axis[3];
    scene_position(sim, body, 0, at);
    double lowest = at[1];
    if (shape->form != SIM_RIGID_BOX) {
        piece_axis(sim, body, 1, axis);
        return lowest - (double)shape->radius -
               (shape->form == SIM_RIGID_CAPSULE ? (double)shape->half_height * fabs(axis[1]) : 0);
    }
    for (int i = 0; i < 3; i++) {
        piece_axis(sim, body, i, axis);
        lowest -= (double)shape->half_extents[i] * fabs(axis[1]);
    }
    return lowest;
}
