// The poses of colliders, and how they move over a tick.

#include "sim/ground/vector.h"
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

bool sim_shape_is_led(const struct sim_shape *shape)
{
    return !same_pose(&shape->from, &shape->to);
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

void sim_shape_rotation(const struct sim *sim, const struct sim_shape *shape, double rotation[4])
{
    struct sim_pose pose = shape->now;
    if (!sim->under_way) {
        pose_between(shape, 0, 1, &pose);
    }
    memcpy(rotation, pose.rotation, sizeof pose.rotation);
}

void sim_shapes_begin(struct sim *sim)
{
    for (uint32_t s = 0; s < sim->shape_count; s++) {
        struct sim_shape *shape = &sim->shapes[s];
        pose_between(shape, 0, 1, &shape->now);
        frame_from(&shape->now, &shape->end);
    }
}

// How far from its origin a shape has something that a rotation moves, m. A plane goes on for ever: 1 m of it counts.
static double arm_of(const struct sim_shape *shape)
{
    const double *half = shape->half_extents;
    switch (shape->kind) {
    case SIM_PLANE:
        return 1;
    case SIM_BOX:
        return __builtin_sqrt(half[0] * half[0] + half[1] * half[1] + half[2] * half[2]);
    case SIM_CONVEX:
        return __builtin_sqrt(sim_dot(shape->hull->middle, shape->hull->middle)) + shape->hull->radius;
    case SIM_HEIGHT_FIELD:
        return __builtin_sqrt(shape->field->half[0] * shape->field->half[0] +
                              shape->field->half[1] * shape->field->half[1]);
    case SIM_SPHERE:
        return shape->radius;
    default:
        return shape->radius + 0.5 * shape->length;
    }
}

// The share of a way that is left if it is cut to the limit.
static double share_of(double way, double limit)
{
    return way > limit ? limit / way : 1;
}

// The farthest that contact sees a shape go in a substep, m.
static double way_limit(const struct sim *sim)
{
    const double most = (0.5 * SIM_MOVE_MAX) * sim->q / sim->settings.substeps;
    const double fast = SIM_COLLIDER_SPEED_MAX / ((double)sim->settings.tick_rate * sim->settings.substeps);
    return fast < most ? fast : most;
}

// How the surface of a shape that runs goes on in a substep. The axes turn by omega x axis, because only directions along the
// surface count, and these are those at the substep's end.
static void belt_move(const struct sim *sim, struct sim_shape *shape)
{
    const double h = 1 / ((double)sim->settings.tick_rate * sim->settings.substeps);
    const double *v = shape->surface_velocity, *w = shape->surface_spin;
    const double way = h * (__builtin_sqrt(sim_dot(v, v)) + __builtin_sqrt(sim_dot(w, w)) * arm_of(shape));
    const double part = h * share_of(way, way_limit(sim));
    double spin[3];
    for (int axis = 0; axis < 3; axis++) {
        double(*const axes)[3] = shape->end.axes;
        shape->belt[axis] = part * ((v[0] * axes[0][axis] + v[1] * axes[1][axis]) + v[2] * axes[2][axis]);
        spin[axis] = part * ((w[0] * axes[0][axis] + w[1] * axes[1][axis]) + w[2] * axes[2][axis]);
    }
    for (int i = 0; i < 3; i++) {
        const double *e = shape->end.axes[i];
        shape->belt_turn[i][0] = spin[1] * e[2] - spin[2] * e[1];
        shape->belt_turn[i][1] = spin[2] * e[0] - spin[0] * e[2];
        shape->belt_turn[i][2] = spin[0] * e[1] - spin[1] * e[0];
    }
}

// A shape that goes too far in a substep jumps, and then goes the rest of its way: it starts so much nearer to its end.
static void start_bound(const struct sim *sim, struct sim_shape *shape, const struct sim_pose *before)
{
    const double limit = way_limit(sim);
    const double *a = before->rotation, *b = shape->now.rotation;
    double way[3], turn2 = 0;
    const double sign = turn_dot(a, b) < 0 ? -1 : 1;
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = (double)(shape->end.position[axis] - before->position[axis]) * sim->q;
    }
    for (int i = 0; i < 4; i++) {
        turn2 += (b[i] - sign * a[i]) * (b[i] - sign * a[i]);
    }
    const double goes = share_of(__builtin_sqrt(sim_dot(way, way)), limit);
    const double turns = share_of(2 * __builtin_sqrt(turn2) * arm_of(shape), limit);
    if (!(goes < 1 || turns < 1)) {
        return;
    }
    struct sim_pose start = *before;
    for (int axis = 0; goes < 1 && axis < 3; axis++) {
        start.position[axis] = shape->end.position[axis] - (int64_t)(goes * way[axis] * sim->inv_q);
    }
    for (int i = 0; turns < 1 && i < 4; i++) {
        start.rotation[i] = b[i] - turns * (b[i] - sign * a[i]);
    }
    if (!turn_unit(start.rotation, 4)) {
        memcpy(start.rotation, b, sizeof start.rotation);
    }
    frame_from(&start, &shape->start);
}

void sim_shapes_move(struct sim *sim, uint32_t substep, uint32_t substeps)
{
    for (uint32_t s = 0; s < sim->shape_count; s++) {
        struct sim_shape *shape = &sim->shapes[s];
        struct sim_pose before = shape->now;
        shape->start = shape->end;
        pose_between(shape, substep, substeps, &shape->now);
        frame_from(&shape->now, &shape->end);
        start_bound(sim, shape, &before);
        shape->moves = !same_pose(&before, &shape->now);
        shape->turns = !turn_same(before.rotation, shape->now.rotation);
        shape->carries = shape->moves || shape->runs;
        if (shape->runs) {
            belt_move(sim, shape);
        }
    }
}
