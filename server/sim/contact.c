// Colliders, and particles that stay outside of them.
//
//   phi0 = distance of x at the substep's start to the surface at its pose then
//   phi  = distance of x now to the surface at its pose at the end
//   C = phi - r - min(0, phi0 - r + h v_out)          an old penetration leaves at v_out = 1 m/s at most
//   if C < 0:  d = -C;  D += d;  s = x + d n - x_start - u;  t = s - (s.n) n
//              f = min(|t|, mu D - F);  F += f;  x += d n - f t/|t|
//
// u is the displacement of the collider's material in this substep, so that what lies on it is carried.
// Friction acts on positions (Mueller et al. 2020): at the level of velocities a body creeps down a slope
// that must hold it. Push and friction enter the position in one rounding, so that a body at rest stays at
// its place. D and F are those of this substep; with several iterations a particle remembers them for as many
// colliders as it has slots, further ones start anew in each iteration.
//
// What rounding leaves over of a correction goes to the velocity: with very short substeps friction is less
// than a quantum each time, and would be lost.

#include "base/assert.h"
#include "base/grow.h"
#include "sim/internal.h"

#include <stdlib.h>

static struct sim_shape *shape_find(struct sim *sim, uint32_t id)
{
    for (uint32_t s = 0; s < sim->shape_count; s++) {
        if (sim->shapes[s].id == id) {
            return &sim->shapes[s];
        }
    }
    return NULL;
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

static void rotate_back(const double q[4], const double v[3], double out[3])
{
    double inverse[4] = {-q[0], -q[1], -q[2], q[3]};
    rotate(inverse, v, out);
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
    struct sim_shape *shape = shape_find(sim, collider->id);
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
    struct sim_shape *shape = shape_find(sim, id);
    if (shape == NULL) {
        return sim_fault_set(fault, SIM_NOT_FOUND, "collider", "collider %u does not exist", id);
    }
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

void sim_shapes_move(struct sim *sim, uint32_t substep, uint32_t substeps)
{
    for (uint32_t s = 0; s < sim->shape_count; s++) {
        struct sim_shape *shape = &sim->shapes[s];
        pose_between(shape, substep - 1, substeps, &shape->start);
        pose_between(shape, substep, substeps, &shape->end);
        shape->moves = !same_pose(&shape->start, &shape->end);
    }
}

// ---------------------------------------------------------------------------------------------- distances

// Box of half extents e in its frame: outside |max(|p| - e, 0)|, inside the face of least depth, ties x < y <
// z.
static double distance_to_box(const double p[3], const double e[3], double normal[3])
{
    double out[3], outside = 0, least = 0;
    int face = 0;
    for (int axis = 0; axis < 3; axis++) {
        double size = p[axis] < 0 ? -p[axis] : p[axis];
        double depth = size - e[axis];
        out[axis] = depth > 0 ? (p[axis] < 0 ? -depth : depth) : 0;
        outside += out[axis] * out[axis];
        if (axis == 0 || depth > least) {
            least = depth;
            face = axis;
        }
    }
    if (outside > 0) {
        outside = __builtin_sqrt(outside);
        for (int axis = 0; axis < 3; axis++) {
            normal[axis] = out[axis] / outside;
        }
        return outside;
    }
    for (int axis = 0; axis < 3; axis++) {
        normal[axis] = axis != face ? 0 : p[axis] < 0 ? -1 : 1;
    }
    return least;
}

// Distance of a point to the surface, m, and the unit normal there; both at the given pose.
static double distance_to(const struct sim *sim, const struct sim_shape *shape, const struct sim_pose *pose,
                          uint32_t row, const int32_t low[3], double normal[3])
{
    static const double up[3] = {0, 1, 0};
    double d[3], axis_y[3], local[3], local_normal[3];
    for (uint32_t axis = 0; axis < 3; axis++) {
        d[axis] = (double)(sim_whole(sim, row, axis, low[axis]) - pose->position[axis]) * sim->q;
    }
    switch (shape->kind) {
    case SIM_PLANE:
        rotate(pose->rotation, up, normal);
        return d[0] * normal[0] + d[1] * normal[1] + d[2] * normal[2];
    case SIM_BOX:
        rotate_back(pose->rotation, d, local);
        double distance = distance_to_box(local, shape->half_extents, local_normal);
        rotate(pose->rotation, local_normal, normal);
        return distance;
    case SIM_CAPSULE: {
        // The foot on the segment: its parameter is clamped, then the capsule is a sphere there.
        rotate(pose->rotation, up, axis_y);
        double half = 0.5 * shape->length;
        double along = d[0] * axis_y[0] + d[1] * axis_y[1] + d[2] * axis_y[2];
        along = along > half ? half : along < -half ? -half : along;
        for (int axis = 0; axis < 3; axis++) {
            d[axis] -= along * axis_y[axis];
        }
        break;
    }
    case SIM_SPHERE:
        break;
    }
    double length = __builtin_sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    // At the centre, up. On the axis of a capsule that lies askew d is what rounding left, not a direction.
    bool centre = length < 0.0625 * sim->q;
    for (int axis = 0; axis < 3; axis++) {
        normal[axis] = centre ? axis == 1 : d[axis] / length;
    }
    return length - shape->radius;
}

// Displacement in this substep of the collider's material where the particle is, quanta.
static void material_moves(const struct sim *sim, const struct sim_shape *shape, uint32_t row,
                           const int32_t low[3], double u[3])
{
    double d[3], local[3], before[3], after[3];
    for (uint32_t axis = 0; axis < 3; axis++) {
        u[axis] = (double)(shape->end.position[axis] - shape->start.position[axis]);
        d[axis] = (double)(sim_whole(sim, row, axis, low[axis]) - shape->end.position[axis]);
    }
    if (same_rotation(shape->start.rotation, shape->end.rotation)) {
        return;
    }
    rotate_back(shape->end.rotation, d, local);
    rotate(shape->start.rotation, local, before);
    rotate(shape->end.rotation, local, after);
    for (int axis = 0; axis < 3; axis++) {
        u[axis] += after[axis] - before[axis];
    }
}

// The slot that remembers this contact, a free one, or NULL.
static struct sim_contact *slot_for(struct sim *sim, uint32_t row, uint32_t collider)
{
    for (uint32_t s = 0; sim->contacts != NULL && s < SIM_CONTACT_SLOTS; s++) {
        struct sim_contact *slot = &sim->contacts[row][s];
        if (slot->collider == collider || slot->collider == 0) {
            slot->collider = collider;
            return slot;
        }
    }
    return NULL;
}

// True if it pushed for the first time in this substep.
static bool solve_contact(struct sim *sim, const struct sim_shape *shape, uint32_t row, double thickness)
{
    struct sim_row *x = &sim->rows[row];
    const int32_t *before = sim->previous[row].x;
    double normal[3], unused[3];
    double phi = distance_to(sim, shape, &shape->end, row, x->x, normal);
    if (phi >= thickness) {
        return false; // C is at least phi - r
    }
    double old = distance_to(sim, shape, &shape->start, row, before, unused) - thickness +
                 (double)sim->times.v_out * sim->q;
    double depth = -(phi - thickness - (old < 0 ? old : 0));
    if (!(depth > 0)) {
        return false;
    }
    struct sim_contact fresh = {0}, *contact = slot_for(sim, row, shape->id);
    contact = contact == NULL ? &fresh : contact;
    float push = (float)(depth * sim->inv_q), n[3], s[3], along = 0, slide = 0;
    double u[3] = {0};
    if (shape->moves) {
        material_moves(sim, shape, row, x->x, u);
    }
    bool first = contact->push == 0;
    contact->push += push;
    for (int axis = 0; axis < 3; axis++) {
        n[axis] = (float)normal[axis];
        s[axis] = (float)((double)sim_wrap_sub(x->x[axis], before[axis]) - u[axis]) + push * n[axis];
    }
    along = (s[0] * n[0] + s[1] * n[1]) + s[2] * n[2];
    for (int axis = 0; axis < 3; axis++) {
        s[axis] -= along * n[axis];
    }
    slide = __builtin_sqrtf((s[0] * s[0] + s[1] * s[1]) + s[2] * s[2]);
    float allowed = shape->friction * contact->push - contact->slip;
    float stop = slide < allowed ? slide : allowed;
    stop = stop > 0 ? stop : 0;
    contact->slip += stop;
    float share = slide > 0 ? stop / slide : 0;
    for (int axis = 0; axis < 3; axis++) {
        float way = push * n[axis] - share * s[axis];
        int32_t whole = sim_round(way);
        x->x[axis] = sim_wrap_add(x->x[axis], whole);
        sim->velocities[row].v[axis] += (way - (float)whole) * sim->times.q_over_h;
    }
    return first;
}

void sim_contacts_solve(struct sim *sim, struct sim_chunk *chunk)
{
    double thickness = chunk->body->thickness;
    for (uint32_t row = chunk->first_row; row < chunk->first_row + chunk->count; row++) {
        if (sim->rows[row].w == 0) {
            continue;
        }
        for (uint32_t s = 0; s < sim->shape_count; s++) {
            chunk->contacts += solve_contact(sim, &sim->shapes[s], row, thickness);
        }
    }
}
