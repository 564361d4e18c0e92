// The poses of colliders, and how they move over a tick.

#include "sim/motion/motion.h"
#include "sim/motion/turn.h"

#include <string.h>

void sim_shape_turn(const struct sim_shape *shape, const double rotation[4], double out[4])
{
    memcpy(out, rotation, 4 * sizeof *out);
    if (shape->turned) {
        turn_product(shape->turn, rotation, out);
        turn_unit(out, 4);
    }
}

void sim_shape_undo(const struct sim_shape *shape, double rotation[4])
{
    turn_undone(shape->turn, rotation, rotation);
    turn_unit(rotation, 4);
}

void sim_shape_unturn(struct sim_shape *shape)
{
    if (shape->turned) {
        sim_shape_undo(shape, shape->from.rotation);
        sim_shape_undo(shape, shape->to.rotation);
    }
}

static bool same_pose(const struct sim_pose *a, const struct sim_pose *b)
{
    return a->position[0] == b->position[0] && a->position[1] == b->position[1] &&
           a->position[2] == b->position[2] && turn_same(a->rotation, b->rotation);
}

// Straight on in position, and along the shorter arc in rotation; motions go their own way on top of it.
static void pose_between(const struct sim_shape *shape, uint32_t done, uint32_t steps, struct sim_pose *pose)
{
    const double *a = shape->from.rotation, *b = shape->to.rotation;
    for (int axis = 0; axis < 3; axis++) {
        int64_t from = shape->from.position[axis], to = shape->to.position[axis] - shape->driven[axis];
        pose->position[axis] = sim_between(from, to, done, steps) + shape->drift[axis];
    }
    double between[4];
    if (turn_same(a, b)) {
        sim_shape_turn(shape, a, pose->rotation);
        return;
    }
    double part = (double)done / steps;
    double sign = turn_dot(a, b) < 0 ? -1 : 1;
    for (int i = 0; i < 4; i++) {
        between[i] = (1 - part) * a[i] + part * sign * b[i];
    }
    sim_shape_turn(shape, turn_unit(between, 4) ? between : b, pose->rotation);
}

static void frame_from(const struct sim_pose *pose, struct sim_frame *frame)
{
    static const double units[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    memcpy(frame->position, pose->position, sizeof frame->position);
    for (int axis = 0; axis < 3; axis++) {
        turn_apply(pose->rotation, units[axis], frame->axes[axis]);
    }
}

void sim_shape_frame(const struct sim *sim, const struct sim_shape *shape, struct sim_frame *frame)
{
    struct sim_pose pose;
    if (sim->under_way) {
        *frame = shape->end;
        return;
    }
    pose_between(shape, 0, 1, &pose);
    frame_from(&pose, frame);
}

void sim_shapes_begin(struct sim *sim)
{
    for (uint32_t s = 0; s < sim->shape_count; s++) {
        struct sim_shape *shape = &sim->shapes[s];
        pose_between(shape, 0, 1, &shape->now);
        frame_from(&shape->now, &shape->end);
    }
}

void sim_shapes_move(struct sim *sim, uint32_t substep, uint32_t substeps)
{
    for (uint32_t s = 0; s < sim->shape_count; s++) {
        struct sim_shape *shape = &sim->shapes[s];
        struct sim_pose before = shape->now;
        shape->start = shape->end;
        pose_between(shape, substep, substeps, &shape->now);
        frame_from(&shape->now, &shape->end);
        shape->moves = !same_pose(&before, &shape->now);
        shape->turns = !turn_same(before.rotation, shape->now.rotation);
    }
}
