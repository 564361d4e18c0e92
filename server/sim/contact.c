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

#include "base/assert.h"
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

// Fills all of *shape but its id and where it comes from.
static enum sim_status shape_from(const struct sim *sim, const struct sim_collider *collider,
                                  struct sim_shape *shape, struct sim_fault *fault)
{
    double extent = sim->settings.extent, length2 = 0;
    for (int axis = 0; axis < 3; axis++) {
        if (!(collider->position[axis] >= -extent && collider->position[axis] <= extent)) {
            return sim_fault_set(fault, SIM_INVALID, "position", "%g m; at most %g m (extent)",
                                 collider->position[axis], extent);
        }
        shape->to[axis] = sim_quantize(collider->position[axis], sim->inv_q);
        length2 += collider->normal[axis] * collider->normal[axis];
    }
    if (collider->kind == SIM_PLANE && !(length2 > 1e-24 && length2 < 1e24)) {
        return sim_fault_set(fault, SIM_INVALID, "normal", "its length is %g; must be between 1e-12 and 1e12",
                             __builtin_sqrt(length2));
    }
    if (collider->kind == SIM_SPHERE && !(collider->radius > 0 && collider->radius <= extent)) {
        return sim_fault_set(fault, SIM_INVALID, "radius", "%g m; must be above 0 and at most %g m (extent)",
                             collider->radius, extent);
    }
    if (!(collider->friction >= 0 && sim_finite((float)collider->friction))) {
        return sim_fault_set(fault, SIM_INVALID, "friction", "%g; must be 0 or more, and finite",
                             collider->friction);
    }
    for (int axis = 0; axis < 3; axis++) {
        shape->normal[axis] =
            collider->kind == SIM_PLANE ? collider->normal[axis] / __builtin_sqrt(length2) : 0;
    }
    shape->kind = collider->kind;
    shape->radius = collider->radius;
    shape->friction = (float)collider->friction;
    return SIM_OK;
}

bool sim_contacts_reserve(struct sim *sim, uint32_t iterations, uint32_t shapes)
{
    bool needed = iterations > 1 && shapes > 0;
    if (!needed) {
        free(sim->contacts);
        sim->contacts = NULL;
    } else if (sim->contacts == NULL) {
        sim->contacts = calloc((size_t)sim->row_capacity + 1, sizeof *sim->contacts);
    }
    return !needed || sim->contacts != NULL;
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
    memcpy(shape.from, shape.to, sizeof shape.from);
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
    BASE_ASSERT(position < sim->shape_count);
    const struct sim_shape *shape = &sim->shapes[position];
    *collider = (struct sim_collider){
        .id = shape->id, .kind = shape->kind, .radius = shape->radius, .friction = (double)shape->friction};
    for (int axis = 0; axis < 3; axis++) {
        collider->position[axis] = (double)shape->to[axis] * sim->q;
        collider->normal[axis] = shape->normal[axis];
    }
}

void sim_shapes_move(struct sim *sim, uint32_t substep, uint32_t substeps)
{
    for (uint32_t s = 0; s < sim->shape_count; s++) {
        struct sim_shape *shape = &sim->shapes[s];
        for (int axis = 0; axis < 3; axis++) {
            shape->start[axis] = sim_between(shape->from[axis], shape->to[axis], substep - 1, substeps);
            shape->end[axis] = sim_between(shape->from[axis], shape->to[axis], substep, substeps);
        }
    }
}

// Distance of a point to the surface, m, and the unit normal there.
static double distance_to(const struct sim *sim, const struct sim_shape *shape, const int64_t center[3],
                          uint32_t row, const int32_t low[3], double normal[3])
{
    double d[3];
    for (uint32_t axis = 0; axis < 3; axis++) {
        d[axis] = (double)(sim_whole(sim, row, axis, low[axis]) - center[axis]) * sim->q;
    }
    if (shape->kind == SIM_PLANE) {
        memcpy(normal, shape->normal, sizeof shape->normal);
        return d[0] * normal[0] + d[1] * normal[1] + d[2] * normal[2];
    }
    double length = __builtin_sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    for (int axis = 0; axis < 3; axis++) {
        normal[axis] = length > 0 ? d[axis] / length : axis == 1; // at the centre: up
    }
    return length - shape->radius;
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
    double phi = distance_to(sim, shape, shape->end, row, x->x, normal);
    if (phi >= thickness) {
        return false; // C is at least phi - r
    }
    double old = distance_to(sim, shape, shape->start, row, before, unused) - thickness +
                 (double)sim->times.v_out * sim->q;
    double depth = -(phi - thickness - (old < 0 ? old : 0));
    if (!(depth > 0)) {
        return false;
    }
    struct sim_contact fresh = {0}, *contact = slot_for(sim, row, shape->id);
    contact = contact == NULL ? &fresh : contact;
    float push = (float)(depth * sim->inv_q), n[3], s[3], along = 0, slide = 0;
    bool first = contact->push == 0;
    contact->push += push;
    for (int axis = 0; axis < 3; axis++) {
        n[axis] = (float)normal[axis];
        int64_t moved = sim_wrap_sub(x->x[axis], before[axis]);
        s[axis] = (float)(double)(moved - (shape->end[axis] - shape->start[axis])) + push * n[axis];
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
        x->x[axis] = sim_wrap_add(x->x[axis], sim_round(push * n[axis] - share * s[axis]));
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
