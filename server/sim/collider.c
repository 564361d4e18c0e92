// Colliders: what they are, where they are, and how they move over a tick.

#include "base/assert.h"
#include "base/grow.h"
#include "sim/internal.h"

#include <stdlib.h>

struct sim_shape *sim_shape_find(struct sim *sim, uint32_t id)
{
    for (uint32_t s = 0; s < sim->shape_count; s++) {
        if (sim->shapes[s].id == id) {
            return &sim->shapes[s];
        }
    }
    return NULL;
}

bool sim_contacts_reserve(struct sim *sim, uint32_t iterations, uint32_t shapes)
{
    bool needed = iterations > 1 && shapes > 0;
    if (!needed) {
        base_grow_free(sim->contacts);
        sim->contacts = NULL;
    }
    return (!needed || base_grow((void **)&sim->contacts, sim->row_capacity * sizeof *sim->contacts)) &&
           (shapes == 0 || sim_previous_reserve(sim));
}

// ------------------------------------------------------------------------------------------------- poses

static void rotate(const double q[4], const double v[3], double out[3])
{
    // v + 2 w (u x v) + 2 u x (u x v), u = (x, y, z)
    double t[3] = {2 * (q[1] * v[2] - q[2] * v[1]), 2 * (q[2] * v[0] - q[0] * v[2]),
                   2 * (q[0] * v[1] - q[1] * v[0])};
    out[0] = v[0] + q[3] * t[0] + (q[1] * t[2] - q[2] * t[1]);
    out[1] = v[1] + q[3] * t[1] + (q[2] * t[0] - q[0] * t[2]);
    out[2] = v[2] + q[3] * t[2] + (q[0] * t[1] - q[1] * t[0]);
}

// False if it has no length to speak of.
static bool normalize(double *v, int count)
{
    double length2 = 0;
    for (int i = 0; i < count; i++) {
        length2 += v[i] * v[i];
    }
    if (!(length2 > 1e-24 && length2 < 1e24)) {
        return false;
    }
    double length = __builtin_sqrt(length2);
    for (int i = 0; i < count; i++) {
        v[i] /= length;
    }
    return true;
}

void sim_rotation_to(const double from[4], const double normal[3], double rotation[4])
{
    static const double up[3] = {0, 1, 0};
    double n[3] = {normal[0], normal[1], normal[2]}, now[3], turn[4];
    if (!normalize(n, 3)) {
        memset(rotation, 0, 4 * sizeof *rotation); // refused where it is used
        return;
    }
    rotate(from, up, now);
    // Half-way quaternion: (now x n, 1 + now.n). Opposite directions turn about any axis across.
    turn[0] = now[1] * n[2] - now[2] * n[1];
    turn[1] = now[2] * n[0] - now[0] * n[2];
    turn[2] = now[0] * n[1] - now[1] * n[0];
    turn[3] = 1 + (now[0] * n[0] + now[1] * n[1] + now[2] * n[2]);
    if (turn[3] < 1e-9) {
        bool along_x = now[0] > 0.5 || now[0] < -0.5;
        turn[0] = along_x ? -now[1] : 0;
        turn[1] = along_x ? now[0] : -now[2];
        turn[2] = along_x ? 0 : now[1];
        turn[3] = 0;
    }
    normalize(turn, 4);
    const double *a = turn, *b = from;
    rotation[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    rotation[1] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    rotation[2] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    rotation[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
    normalize(rotation, 4);
}

// Fills all of *shape but its id and where it comes from.
static enum sim_status shape_from(const struct sim *sim, const struct sim_collider *collider,
                                  struct sim_shape *shape, struct sim_fault *fault)
{
    double extent = sim->settings.extent;
    enum sim_collider_kind kind = collider->kind;
    for (int axis = 0; axis < 3; axis++) {
        if (!(collider->position[axis] >= -extent && collider->position[axis] <= extent)) {
            return sim_fault_set(fault, SIM_INVALID, "position", "%g m; at most %g m (extent)",
                                 collider->position[axis], extent);
        }
        if (kind == SIM_BOX &&
            !(collider->half_extents[axis] > 0 && collider->half_extents[axis] <= extent)) {
            return sim_fault_set(fault, SIM_INVALID, "half_extents",
                                 "%g m; must be above 0 and at most %g m (extent)",
                                 collider->half_extents[axis], extent);
        }
        shape->to.position[axis] = sim_quantize(collider->position[axis], sim->inv_q);
    }
    static const double identity[4] = {0, 0, 0, 1};
    const double *given = collider->rotation;
    bool absent = given[0] == 0 && given[1] == 0 && given[2] == 0 && given[3] == 0;
    memcpy(shape->to.rotation, absent ? identity : given, sizeof shape->to.rotation);
    if (absent && kind == SIM_PLANE) {
        const double *n = collider->normal;
        double length = __builtin_sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        if (!(length > 1e-12 && length < 1e12)) {
            return sim_fault_set(fault, SIM_INVALID, "normal",
                                 "its length is %g; must be between 1e-12 and 1e12", length);
        }
        sim_rotation_to(identity, collider->normal, shape->to.rotation);
    }
    if (!normalize(shape->to.rotation, 4)) {
        return sim_fault_set(fault, SIM_INVALID, "rotation", "its length must be between 1e-12 and 1e12");
    }
    if ((kind == SIM_SPHERE || kind == SIM_CAPSULE) &&
        !(collider->radius > 0 && collider->radius <= extent)) {
        return sim_fault_set(fault, SIM_INVALID, "radius", "%g m; must be above 0 and at most %g m (extent)",
                             collider->radius, extent);
    }
    if (kind == SIM_CAPSULE && !(collider->length >= 0 && collider->length <= extent)) {
        return sim_fault_set(fault, SIM_INVALID, "length", "%g m; must be in [0, %g] (extent)",
                             collider->length, extent);
    }
    if (!(collider->friction >= 0 && sim_finite((float)collider->friction))) {
        return sim_fault_set(fault, SIM_INVALID, "friction", "%g; must be 0 or more, and finite",
                             collider->friction);
    }
    shape->kind = kind;
    shape->radius = collider->radius;
    shape->length = collider->length;
    memcpy(shape->half_extents, collider->half_extents, sizeof shape->half_extents);
    shape->friction = (float)collider->friction;
    return SIM_OK;
}

enum sim_status sim_collider_add(struct sim *sim, const struct sim_collider *collider, uint32_t *id,
                                 struct sim_fault *fault)
{
    struct sim_shape shape = {0};
    enum sim_status status = shape_from(sim, collider, &shape, fault);
    if (status != SIM_OK) {
        return status;
    }
    if (sim->shape_count >= sim->limits.colliders || sim->next_collider == UINT32_MAX) {
        return sim_fault_set(fault, SIM_LIMIT, NULL, "the world has %u colliders, as many as it may",
                             sim->shape_count);
    }
    if (!sim_reserve((void **)&sim->shapes, &sim->shape_capacity, (uint64_t)sim->shape_count + 1,
                     sizeof *sim->shapes) ||
        !sim_contacts_reserve(sim, sim->settings.iterations, sim->shape_count + 1)) {
        return sim_fault_memory(fault);
    }
    shape.id = *id = sim->next_collider++;
    shape.from = shape.to;
    sim->shapes[sim->shape_count++] = shape;
    return SIM_OK;
}

enum sim_status sim_collider_set(struct sim *sim, const struct sim_collider *collider,
                                 struct sim_fault *fault)
{
    struct sim_shape *shape = sim_shape_find(sim, collider->id);
    if (shape == NULL) {
        return sim_fault_set(fault, SIM_NOT_FOUND, "collider", "collider %u does not exist", collider->id);
    }
    struct sim_shape changed = *shape;
    struct sim_collider same_kind = *collider;
    same_kind.kind = shape->kind;
    enum sim_status status = shape_from(sim, &same_kind, &changed, fault);
    if (status == SIM_OK) {
        *shape = changed;
    }
    return status;
}

enum sim_status sim_collider_remove(struct sim *sim, uint32_t id, struct sim_fault *fault)
{
    struct sim_shape *shape = sim_shape_find(sim, id);
    if (shape == NULL) {
        return sim_fault_set(fault, SIM_NOT_FOUND, "collider", "collider %u does not exist", id);
    }
    sim_drives_forget(sim, id, 0);
    size_t place = (size_t)(shape - sim->shapes);
    memmove(shape, shape + 1, (sim->shape_count - place - 1) * sizeof *shape);
    sim->shape_count--;
    return SIM_OK;
}

uint32_t sim_collider_count(const struct sim *sim)
{
    return sim->shape_count;
}

void sim_collider_at(const struct sim *sim, uint32_t position, struct sim_collider *collider)
{
    static const double up[3] = {0, 1, 0};
    BASE_ASSERT(position < sim->shape_count);
    const struct sim_shape *shape = &sim->shapes[position];
    *collider = (struct sim_collider){
        .id = shape->id,
        .kind = shape->kind,
        .radius = shape->radius,
        .length = shape->length,
        .friction = (double)shape->friction,
    };
    for (int axis = 0; axis < 3; axis++) {
        collider->position[axis] = (double)shape->to.position[axis] * sim->q;
        collider->half_extents[axis] = shape->half_extents[axis];
    }
    memcpy(collider->rotation, shape->to.rotation, sizeof collider->rotation);
    rotate(shape->to.rotation, up, collider->normal);
}

static bool same_rotation(const double a[4], const double b[4])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3];
}

static bool same_pose(const struct sim_pose *a, const struct sim_pose *b)
{
    return a->position[0] == b->position[0] && a->position[1] == b->position[1] &&
           a->position[2] == b->position[2] && same_rotation(a->rotation, b->rotation);
}

// Straight on in position, and along the shorter arc in rotation.
static void pose_between(const struct sim_shape *shape, uint32_t done, uint32_t steps, struct sim_pose *pose)
{
    const double *a = shape->from.rotation, *b = shape->to.rotation;
    for (int axis = 0; axis < 3; axis++) {
        pose->position[axis] = sim_between(shape->from.position[axis], shape->to.position[axis], done, steps);
    }
    if (same_rotation(a, b)) {
        memcpy(pose->rotation, a, sizeof pose->rotation);
        return;
    }
    double part = (double)done / steps;
    double sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
    for (int i = 0; i < 4; i++) {
        pose->rotation[i] = (1 - part) * a[i] + part * sign * b[i];
    }
    if (!normalize(pose->rotation, 4)) {
        memcpy(pose->rotation, b, sizeof pose->rotation);
    }
}

void sim_collider_during(const struct sim *sim, uint32_t position, uint32_t substep,
                         struct sim_collider *collider)
{
    static const double up[3] = {0, 1, 0};
    struct sim_pose pose;
    sim_collider_at(sim, position, collider);
    if (substep == 0 || substep >= sim->settings.substeps) {
        return;
    }
    pose_between(&sim->shapes[position], substep, sim->settings.substeps, &pose);
    for (int axis = 0; axis < 3; axis++) {
        collider->position[axis] = (double)pose.position[axis] * sim->q;
    }
    memcpy(collider->rotation, pose.rotation, sizeof collider->rotation);
    rotate(pose.rotation, up, collider->normal);
}

static void frame_from(const struct sim_pose *pose, struct sim_frame *frame)
{
    static const double units[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    memcpy(frame->position, pose->position, sizeof frame->position);
    for (int axis = 0; axis < 3; axis++) {
        rotate(pose->rotation, units[axis], frame->axes[axis]);
    }
}

void sim_shapes_move(struct sim *sim, uint32_t substep, uint32_t substeps)
{
    for (uint32_t s = 0; s < sim->shape_count; s++) {
        struct sim_shape *shape = &sim->shapes[s];
        struct sim_pose start, end;
        pose_between(shape, substep - 1, substeps, &start);
        pose_between(shape, substep, substeps, &end);
        frame_from(&start, &shape->start);
        frame_from(&end, &shape->end);
        shape->moves = !same_pose(&start, &end);
        shape->turns = !same_rotation(start.rotation, end.rotation);
    }
}
