// Colliders: what they are, how they come and go, and what is told of them.

#include "base/array.h"
#include "base/assert.h"
#include "base/grow.h"
#include "sim/field/field.h"
#include "sim/ground/ground.h"
#include "sim/motion/motion.h"
#include "sim/motion/turn.h"

#include <stdlib.h>

// ------------------------------------------------------------------------------------------------- poses

void sim_rotation_to(const double from[4], const double normal[3], double rotation[4])
{
    static const double up[3] = {0, 1, 0};
    double n[3] = {normal[0], normal[1], normal[2]}, now[3], turn[4];
    if (!turn_unit(n, 3)) {
        memset(rotation, 0, 4 * sizeof *rotation); // refused where it is used
        return;
    }
    turn_apply(from, up, now);
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
    turn_unit(turn, 4);
    turn_product(turn, from, rotation);
    turn_unit(rotation, 4);
}

bool sim_collider_runs(const struct sim_collider *collider)
{
    bool runs = false;
    for (int axis = 0; axis < 3; axis++) {
        runs = runs || collider->surface_velocity[axis] != 0 || collider->surface_spin[axis] != 0;
    }
    return runs;
}

static double length_of(const double v[3])
{
    return __builtin_sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static enum fault_code surface_from(const struct sim_collider *collider, struct sim_shape *shape,
                                    struct fault *fault)
{
    const double speed = length_of(collider->surface_velocity), spin = length_of(collider->surface_spin);
    if (!(speed <= SIM_COLLIDER_SPEED_MAX)) {
        return fault_code_set(fault, FAULT_INVALID, "surface_velocity",
                              "its length is %g m/s; must be at most %g m/s", speed, SIM_COLLIDER_SPEED_MAX);
    }
    if (!(spin <= SIM_SURFACE_SPIN_MAX)) {
        return fault_code_set(fault, FAULT_INVALID, "surface_spin",
                              "its length is %g rad/s; must be at most %g rad/s", spin, SIM_SURFACE_SPIN_MAX);
    }
    memcpy(shape->surface_velocity, collider->surface_velocity, sizeof shape->surface_velocity);
    memcpy(shape->surface_spin, collider->surface_spin, sizeof shape->surface_spin);
    shape->runs = sim_collider_runs(collider);
    return FAULT_NONE;
}

enum fault_code sim_shape_from(const struct sim *sim, const struct sim_collider *collider, double extent,
                               struct sim_shape *shape, struct fault *fault)
{
    enum sim_collider_kind kind = collider->kind;
    for (int axis = 0; axis < 3; axis++) {
        if (!(collider->position[axis] >= -extent && collider->position[axis] <= extent)) {
            return fault_code_set(fault, FAULT_INVALID, "position", "%g m; at most %g m (extent)",
                                  collider->position[axis], extent);
        }
        if (kind == SIM_BOX &&
            !(collider->half_extents[axis] > 0 && collider->half_extents[axis] <= extent)) {
            return fault_code_set(fault, FAULT_INVALID, "half_extents",
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
            return fault_code_set(fault, FAULT_INVALID, "normal",
                                  "its length is %g; must be between 1e-12 and 1e12", length);
        }
        sim_rotation_to(identity, collider->normal, shape->to.rotation);
    }
    if (!turn_unit(shape->to.rotation, 4)) {
        return fault_code_set(fault, FAULT_INVALID, "rotation", "its length must be between 1e-12 and 1e12");
    }
    if ((kind == SIM_SPHERE || kind == SIM_CAPSULE || kind == SIM_CYLINDER) &&
        !(collider->radius > 0 && collider->radius <= extent)) {
        return fault_code_set(fault, FAULT_INVALID, "radius",
                              "%g m; must be above 0 and at most %g m (extent)", collider->radius, extent);
    }
    if (kind == SIM_CAPSULE && !(collider->length >= 0 && collider->length <= extent)) {
        return fault_code_set(fault, FAULT_INVALID, "length", "%g m; must be in [0, %g] (extent)",
                              collider->length, extent);
    }
    if (kind == SIM_CYLINDER && !(collider->length > 0 && collider->length <= extent)) {
        return fault_code_set(fault, FAULT_INVALID, "length",
                              "%g m; must be above 0 and at most %g m (extent)", collider->length, extent);
    }
    if (!(collider->friction >= 0 && sim_finite((float)collider->friction))) {
        return fault_code_set(fault, FAULT_INVALID, "friction", "%g; must be 0 or more, and finite",
                              collider->friction);
    }
    if (collider->kinetic &&
        !(collider->friction_kinetic >= 0 && collider->friction_kinetic <= SIM_FRICTION_MAX)) {
        return fault_code_set(fault, FAULT_INVALID, "friction_kinetic", "%g; must be in [0, %g]",
                              collider->friction_kinetic, SIM_FRICTION_MAX);
    }
    if (!(collider->restitution >= 0 && collider->restitution <= 1)) {
        return fault_code_set(fault, FAULT_INVALID, "restitution", "%g; must be in [0, 1]",
                              collider->restitution);
    }
    enum fault_code surface = surface_from(collider, shape, fault);
    if (surface != FAULT_NONE) {
        return surface;
    }
    if (kind == SIM_HEIGHT_FIELD && !sim_field_is_of(shape->field, collider)) {
        enum fault_code status = sim_field_make(collider, extent, &shape->field, fault);
        if (status != FAULT_NONE) {
            return status;
        }
    }
    if (kind == SIM_CONVEX && (!shape->hull || collider->points != shape->hull->vertices[0])) {
        enum fault_code status =
            sim_hull_make(collider->points, collider->point_count, extent, &shape->hull, fault);
        if (status != FAULT_NONE) {
            return status;
        }
    }
    shape->kind = kind;
    shape->radius = collider->radius;
    shape->length = collider->length;
    memcpy(shape->half_extents, collider->half_extents, sizeof shape->half_extents);
    shape->friction = (float)collider->friction;
    shape->kinetic = collider->kinetic;
    shape->restitution = (float)collider->restitution;
    memcpy(shape->surface, collider->surface, sizeof shape->surface);
    shape->friction_kinetic = collider->kinetic ? (float)collider->friction_kinetic : 0;
    shape->slides = collider->kinetic && shape->friction_kinetic < shape->friction ? shape->friction_kinetic
                                                                                   : shape->friction;
    return FAULT_NONE;
}

static uint32_t heights_of(const struct sim_shape *shape)
{
    return shape->field ? shape->field->columns * shape->field->rows : 0;
}

enum fault_code sim_shape_heights_check(const struct sim *sim, const struct sim_shape *from,
                                        const struct sim_shape *to, struct fault *fault)
{
    uint32_t sum = heights_of(to);
    for (uint32_t s = 0; s < sim->shape_count; s++) {
        sum += &sim->shapes[s] == from ? 0 : heights_of(&sim->shapes[s]);
    }
    if (!to->field || sum <= SIM_FIELD_HEIGHTS_MAX) {
        return FAULT_NONE;
    }
    return fault_code_set(fault, FAULT_LIMIT, "heights",
                          "all height fields would have %u heights; at most %d", sum, SIM_FIELD_HEIGHTS_MAX);
}

enum fault_code sim_collider_add(struct sim *sim, const struct sim_collider *collider, uint32_t *id,
                                 struct fault *fault)
{
    struct sim_shape shape = {0};
    enum fault_code status = sim_shape_from(sim, collider, sim->settings.extent, &shape, fault);
    if (status != FAULT_NONE) {
        return status;
    }
    const struct sim_more more = {.colliders = sim_shape_visits(&shape)};
    if (sim->shape_count >= sim->limits.colliders || sim->next_collider == UINT32_MAX) {
        status = fault_code_set(fault, FAULT_LIMIT, NULL, "the world has %u colliders, as many as it may",
                                sim->shape_count);
    } else {
        status = sim_shape_heights_check(sim, NULL, &shape, fault);
        status = status != FAULT_NONE ? status : sim_work_check(sim, NULL, &sim->settings, &more, fault);
    }
    if (status == FAULT_NONE &&
        (!array_reserve(&sim->shapes, &sim->shape_capacity, sim->shape_count + 1) ||
         !sim_contacts_reserve(sim, sim->settings.iterations, sim->shape_count + 1))) {
        status = sim_fault_memory(fault);
    }
    if (status != FAULT_NONE) {
        free(shape.hull);
        free(shape.field);
        return status;
    }
    shape.id = *id = sim->next_collider++;
    shape.from = shape.to;
    sim->shapes[sim->shape_count++] = shape;
    sim->surroundings_known = false;
    return FAULT_NONE;
}

enum fault_code sim_collider_set(struct sim *sim, const struct sim_collider *collider, struct fault *fault)
{
    struct sim_shape *shape = sim_shape_find(sim, collider->id);
    if (!shape) {
        return fault_code_set(fault, FAULT_NOT_FOUND, "collider", "collider %u does not exist", collider->id);
    }
    struct sim_shape changed = *shape;
    struct sim_collider same_kind = *collider;
    double now[4];
    same_kind.kind = shape->kind;
    enum fault_code status = sim_shape_from(sim, &same_kind, sim->settings.extent, &changed, fault);
    if (status != FAULT_NONE) {
        return status;
    }
    if (changed.hull != shape->hull || changed.field != shape->field) {
        status = sim_shape_heights_check(sim, shape, &changed, fault);
        status = status != FAULT_NONE ? status : sim_shape_work_check(sim, shape, &changed, fault);
        const struct sim_shape *gone = status == FAULT_NONE ? shape : &changed;
        free(changed.hull != shape->hull ? gone->hull : NULL);
        free(changed.field != shape->field ? gone->field : NULL);
        if (status != FAULT_NONE) {
            return status;
        }
    }
    sim_shape_turn(shape, shape->to.rotation, now);
    // One that stays does so to the last bit: a length of 1 made so again may be another one.
    if (turn_same(collider->rotation, now)) {
        memcpy(changed.to.rotation, shape->to.rotation, sizeof changed.to.rotation);
    } else if (shape->turned) {
        sim_shape_undo(shape, changed.to.rotation);
    }
    if (collider->teleport) {
        changed.from = changed.to;
    }
    *shape = changed;
    sim->surroundings_known = false;
    if (collider->teleport) {
        sim_pins_settle(sim);
    }
    return FAULT_NONE;
}

enum fault_code sim_collider_remove(struct sim *sim, uint32_t id, struct fault *fault)
{
    struct sim_shape *shape = sim_shape_find(sim, id);
    if (!shape) {
        return fault_code_set(fault, FAULT_NOT_FOUND, "collider", "collider %u does not exist", id);
    }
    sim_drives_forget(sim, id, 0);
    sim_pins_let_go(sim, id);
    sim->surroundings_known = false;
    free(shape->hull);
    free(shape->field);
    size_t place = (size_t)(shape - sim->shapes);
    memmove(shape, shape + 1, (sim->shape_count - place - 1) * sizeof *shape);
    sim->shape_count--;
    return FAULT_NONE;
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
        .friction_kinetic = (double)shape->friction_kinetic,
        .kinetic = shape->kinetic,
        .restitution = (double)shape->restitution,
        .points = shape->hull ? shape->hull->vertices[0] : NULL,
        .point_count = shape->hull ? shape->hull->vertex_count : 0,
    };
    if (shape->field) {
        collider->heights = shape->field->heights;
        collider->height_count = heights_of(shape);
        collider->columns = shape->field->columns;
        collider->spacing = shape->field->spacing;
    }
    for (int axis = 0; axis < 3; axis++) {
        collider->position[axis] = (double)shape->to.position[axis] * sim->q;
        collider->half_extents[axis] = shape->half_extents[axis];
        collider->surface_velocity[axis] = shape->surface_velocity[axis];
        collider->surface_spin[axis] = shape->surface_spin[axis];
    }
    memcpy(collider->surface, shape->surface, sizeof collider->surface);
    sim_shape_turn(shape, shape->to.rotation, collider->rotation);
    turn_apply(collider->rotation, up, collider->normal);
}

const char *sim_collider_surface_name(const struct sim *sim, uint32_t position)
{
    BASE_ASSERT(position < sim->shape_count);
    return sim->shapes[position].surface;
}

uint32_t sim_collider_triangles(const struct sim *sim, uint32_t position, uint32_t *corners)
{
    BASE_ASSERT(position < sim->shape_count);
    const struct sim_hull *hull = sim->shapes[position].hull;
    for (uint32_t f = 0; hull && f < hull->face_count; f++) {
        memcpy(corners + 3 * (size_t)f, hull->faces[f].corners, sizeof hull->faces[f].corners);
    }
    return hull ? hull->face_count : 0;
}

// Half of what a hull takes along its own axes.
static void hull_extents(const struct sim_hull *hull, double half[3])
{
    for (int axis = 0; axis < 3; axis++) {
        double least = hull->vertices[0][axis], most = least;
        for (uint32_t i = 1; i < hull->vertex_count; i++) {
            double at = hull->vertices[i][axis];
            least = at < least ? at : least;
            most = at > most ? at : most;
        }
        half[axis] = 0.5 * (most - least);
    }
}

// Across a bar and across a plate seen flat: the middle one of a box's three, of a cylinder's and of a hull's.
static double width_of(const struct sim_shape *shape)
{
    double e[3];
    memcpy(e, shape->half_extents, sizeof e);
    if (shape->kind == SIM_CONVEX) {
        hull_extents(shape->hull, e);
    }
    double low = e[0] < e[1] ? e[0] : e[1], high = e[0] < e[1] ? e[1] : e[0];
    double middle = e[2] < low ? low : e[2] < high ? e[2] : high;
    return 2 * (shape->kind == SIM_BOX || shape->kind == SIM_CONVEX ? middle : shape->radius);
}

bool sim_collider_slips(const struct sim *sim, uint32_t position, uint32_t body, double *width, double *edge)
{
    const struct sim_body *at = sim_body_find(sim, body);
    BASE_ASSERT(position < sim->shape_count && at);
    const struct sim_shape *shape = &sim->shapes[position];
    *width = width_of(shape);
    *edge = at->edge;
    bool ground = shape->kind == SIM_PLANE || shape->kind == SIM_HEIGHT_FIELD;
    return !at->features && !ground && *width + 2 * at->thickness < *edge;
}

void sim_collider_during(const struct sim *sim, uint32_t position, uint32_t substep,
                         struct sim_collider *collider)
{
    static const double up[3] = {0, 1, 0};
    sim_collider_at(sim, position, collider);
    if (substep == 0 || substep >= sim->settings.substeps) {
        return;
    }
    const struct sim_pose *pose = &sim->shapes[position].now;
    for (int axis = 0; axis < 3; axis++) {
        collider->position[axis] = (double)pose->position[axis] * sim->q;
    }
    memcpy(collider->rotation, pose->rotation, sizeof collider->rotation);
    turn_apply(pose->rotation, up, collider->normal);
}
