// Particles that stay outside of colliders.
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
//
// Rows that follow each other lie close together. A distance grows no faster than one goes, so where the middle
// of a block of rows is farther from a surface than its corners are from the middle, none of them is looked at.

#include "base/grow.h"
#include "sim/internal.h"

enum { BLOCK = 32 }; // rows

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

// Distance of a point to the surface, m, and the unit normal there; d is the point seen from the frame, m.
static double distance_to(const struct sim *sim, const struct sim_shape *shape, const struct sim_frame *frame,
                          double d[3], double normal[3])
{
    const double *up = frame->axes[1];
    switch (shape->kind) {
    case SIM_PLANE:
        memcpy(normal, up, 3 * sizeof *normal);
        return d[0] * up[0] + d[1] * up[1] + d[2] * up[2];
    case SIM_BOX: {
        double local[3], n[3];
        for (int i = 0; i < 3; i++) {
            const double *axis = frame->axes[i];
            local[i] = d[0] * axis[0] + d[1] * axis[1] + d[2] * axis[2];
        }
        double distance = distance_to_box(local, shape->half_extents, n);
        for (int i = 0; i < 3; i++) {
            normal[i] = n[0] * frame->axes[0][i] + n[1] * frame->axes[1][i] + n[2] * frame->axes[2][i];
        }
        return distance;
    }
    case SIM_CAPSULE: {
        // The foot on the segment: its parameter is clamped, then the capsule is a sphere there.
        double half = 0.5 * shape->length;
        double along = d[0] * up[0] + d[1] * up[1] + d[2] * up[2];
        along = along > half ? half : along < -half ? -half : along;
        for (int axis = 0; axis < 3; axis++) {
            d[axis] -= along * up[axis];
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

static double row_distance(const struct sim *sim, const struct sim_shape *shape,
                           const struct sim_frame *frame, uint32_t row, const int32_t low[3],
                           double normal[3])
{
    double d[3];
    for (uint32_t axis = 0; axis < 3; axis++) {
        d[axis] = (double)(sim_whole(sim, row, axis, low[axis]) - frame->position[axis]) * sim->q;
    }
    return distance_to(sim, shape, frame, d, normal);
}

// Displacement in this substep of the collider's material where the particle is, quanta.
static void material_moves(const struct sim *sim, const struct sim_shape *shape, uint32_t row,
                           const int32_t low[3], double u[3])
{
    double d[3];
    for (uint32_t axis = 0; axis < 3; axis++) {
        u[axis] = (double)(shape->end.position[axis] - shape->start.position[axis]);
        d[axis] = (double)(sim_whole(sim, row, axis, low[axis]) - shape->end.position[axis]);
    }
    for (int i = 0; shape->turns && i < 3; i++) {
        const double *after = shape->end.axes[i], *before = shape->start.axes[i];
        double local = d[0] * after[0] + d[1] * after[1] + d[2] * after[2];
        for (int axis = 0; axis < 3; axis++) {
            u[axis] += local * (after[axis] - before[axis]);
        }
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
    double phi = row_distance(sim, shape, &shape->end, row, x->x, normal);
    if (phi >= thickness) {
        return false; // C is at least phi - r
    }
    double old = row_distance(sim, shape, &shape->start, row, before, unused) - thickness +
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

struct block {
    uint32_t first, count;
    int64_t middle[3];
    double radius; // m: no particle is farther from the middle
};

static void block_from(const struct sim *sim, uint32_t first, uint32_t count, struct block *block)
{
    const struct sim_row *reference = &sim->rows[first];
    int32_t low[3] = {0}, high[3] = {0};
    double radius2 = 0;
    for (uint32_t row = first; row < first + count; row++) {
        for (int axis = 0; axis < 3; axis++) {
            int32_t o = sim_wrap_sub(sim->rows[row].x[axis], reference->x[axis]);
            low[axis] = o < low[axis] ? o : low[axis];
            high[axis] = o > high[axis] ? o : high[axis];
        }
    }
    *block = (struct block){.first = first, .count = count};
    for (uint32_t axis = 0; axis < 3; axis++) {
        int64_t half = ((int64_t)high[axis] - low[axis]) / 2 + 1;
        block->middle[axis] = sim_whole(sim, first, axis, reference->x[axis]) + low[axis] + half;
        radius2 += (double)half * (double)half;
    }
    block->radius = __builtin_sqrt(radius2) * sim->q;
}

// Whether a particle of the block may touch. The margin is far more than what rounding in double can do.
static bool block_is_near(const struct sim *sim, const struct sim_shape *shape, const struct block *block,
                          double thickness)
{
    double d[3], unused[3], margin = 1e-6 + 1e-13 * sim->settings.extent;
    for (int axis = 0; axis < 3; axis++) {
        d[axis] = (double)(block->middle[axis] - shape->end.position[axis]) * sim->q;
    }
    return !(distance_to(sim, shape, &shape->end, d, unused) > block->radius + thickness + margin);
}

void sim_contacts_solve(struct sim *sim, struct sim_chunk *chunk)
{
    double thickness = chunk->body->thickness;
    for (uint32_t done = 0; done < chunk->count; done += BLOCK) {
        struct block block;
        uint32_t left = chunk->count - done;
        block_from(sim, chunk->first_row + done, left < BLOCK ? left : BLOCK, &block);
        for (uint32_t s = 0; s < sim->shape_count; s++) {
            const struct sim_shape *shape = &sim->shapes[s];
            bool near = block_is_near(sim, shape, &block, thickness);
            for (uint32_t row = block.first; near && row < block.first + block.count; row++) {
                if (sim->rows[row].w > 0) {
                    chunk->contacts += solve_contact(sim, shape, row, thickness);
                }
            }
        }
    }
}
