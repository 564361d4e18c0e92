// How far points are from the surface of a collider, and the unit normal there, in double lanes.
//
// The kind is a constant that the compiler sees. A point is given as seen from the frame, in m.
#ifndef WEFT_SIM_KERNELS_SURFACE_H
#define WEFT_SIM_KERNELS_SURFACE_H

#include "sim/kernels/wide_double.h"

// Box of half extents e in its frame: outside |max(|p| - e, 0)|, inside the face of least depth, ties x < y < z.
SIM_INLINE wd distance_to_box(struct wd_vec p, const double e[3], struct wd_vec *normal)
{
    const wd zero = wd_set(0), one = wd_set(1);
    struct wd_vec out, face = {{one, zero, zero}};
    wd outside2 = zero, least = zero;
    for (int axis = 0; axis < 3; axis++) {
        wd depth = wd_abs(p.x[axis]) - wd_set(e[axis]);
        wdm negative = wd_below(p.x[axis], zero);
        out.x[axis] = wd_where(wd_below(zero, depth), wd_select(negative, -depth, depth));
        outside2 = outside2 + out.x[axis] * out.x[axis];
        wd sign = wd_select(negative, -one, one);
        if (axis == 0) {
            least = depth;
            face.x[0] = sign;
            continue;
        }
        wdm nearer = wd_below(least, depth);
        least = wd_select(nearer, depth, least);
        for (int other = 0; other < axis; other++) {
            face.x[other] = wd_select(nearer, zero, face.x[other]);
        }
        face.x[axis] = wd_where(nearer, sign);
    }
    wdm is_outside = wd_below(zero, outside2);
    wd outside = wd_sqrt(outside2);
    for (int axis = 0; axis < 3; axis++) {
        normal->x[axis] = wd_select(is_outside, out.x[axis] / outside, face.x[axis]);
    }
    return wd_select(is_outside, outside, least);
}

// Cylinder about its frame's y: a box whose two ways are along the axis and across it. Inside, the side before a cap
// where both are as deep. On the axis the way across is the frame's x.
SIM_INLINE wd distance_to_cylinder(struct wd_vec d, const struct wd_vec axes[3],
                                   const struct sim_shape *shape, double q, struct wd_vec *normal)
{
    const wd zero = wd_set(0), one = wd_set(1);
    struct wd_vec ring;
    wd along = wd_dot(d, axes[1]);
    for (int axis = 0; axis < 3; axis++) {
        ring.x[axis] = d.x[axis] - along * axes[1].x[axis];
    }
    wd across = wd_sqrt(wd_dot(ring, ring));
    wd side = across - wd_set(shape->radius), cap = wd_abs(along) - wd_set(0.5 * shape->length);
    wd out_side = wd_where(wd_below(zero, side), side), out_cap = wd_where(wd_below(zero, cap), cap);
    wd outside2 = out_side * out_side + out_cap * out_cap, outside = wd_sqrt(outside2);
    wdm is_outside = wd_below(zero, outside2), capped = wd_below(side, cap);
    wd to_side = wd_select(is_outside, out_side / outside, wd_select(capped, zero, one));
    wd to_cap = wd_select(is_outside, out_cap / outside, wd_where(capped, one));
    to_cap = wd_select(wd_below(along, zero), -to_cap, to_cap);
    wdm centre = wd_below(across, wd_set(0.0625 * q));
    for (int axis = 0; axis < 3; axis++) {
        wd way = wd_select(centre, axes[0].x[axis], ring.x[axis] / across);
        normal->x[axis] = to_side * way + to_cap * axes[1].x[axis];
    }
    return wd_select(is_outside, outside, wd_max(side, cap));
}

SIM_INLINE wd distance_to(const struct sim_shape *shape, const struct sim_frame *frame,
                          const enum sim_collider_kind kind, double q, struct wd_vec d, struct wd_vec *normal)
{
    struct wd_vec axes[3] = {wd_vec_of(frame->axes[0]), wd_vec_of(frame->axes[1]), wd_vec_of(frame->axes[2])};
    const struct wd_vec up = axes[1];
    if (kind == SIM_PLANE) {
        *normal = up;
        return wd_dot(d, up);
    }
    if (kind == SIM_BOX) {
        struct wd_vec local, n;
        for (int i = 0; i < 3; i++) {
            local.x[i] = wd_dot(d, axes[i]);
        }
        wd distance = distance_to_box(local, shape->half_extents, &n);
        for (int i = 0; i < 3; i++) {
            normal->x[i] = (n.x[0] * axes[0].x[i] + n.x[1] * axes[1].x[i]) + n.x[2] * axes[2].x[i];
        }
        return distance;
    }
    if (kind == SIM_CYLINDER) {
        return distance_to_cylinder(d, axes, shape, q, normal);
    }
    if (kind == SIM_CAPSULE) {
        // The foot on the segment: its parameter is clamped, then the capsule is a sphere there.
        wd half = wd_set(0.5 * shape->length), along = wd_dot(d, up);
        along = wd_select(wd_below(half, along), half, wd_max(along, -half));
        for (int axis = 0; axis < 3; axis++) {
            d.x[axis] = d.x[axis] - along * up.x[axis];
        }
    }
    wd length = wd_sqrt(wd_dot(d, d));
    // At the centre, up. On the axis of a capsule that lies askew d is what rounding left, not a direction.
    wdm centre = wd_below(length, wd_set(0.0625 * q));
    for (int axis = 0; axis < 3; axis++) {
        normal->x[axis] = wd_select(centre, wd_set(axis == 1), d.x[axis] / length);
    }
    return length - wd_set(shape->radius);
}

#endif
