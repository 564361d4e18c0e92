// How far points are from the surface of a collider, and the unit normal there, in double lanes.
//
// The kind is a constant that the compiler sees. A point is given as seen from the frame, in m. Beyond `limit` a convex
// hull may tell less than the distance, but not less than the limit: how far its farthest face is. Of a height field all that
// is farther is as far as the limit.
#ifndef WEFT_SIM_KERNELS_SURFACE_H
#define WEFT_SIM_KERNELS_SURFACE_H

#include "sim/kernels/surface_field.h"

#include <float.h>

// The browser loads its module over a network, so that has each of these once.
#ifdef SIM_WIDE_SIMD128
#define SURFACE static __attribute__((noinline, unused))
#else
#define SURFACE SIM_LONG
#endif

// Box of half extents e in its frame: outside |max(|p| - e, 0)|, inside the face of least depth, ties x < y < z.
SURFACE wd distance_to_box(struct wd_vec p, const double e[3], struct wd_vec *normal)
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
SURFACE wd distance_to_cylinder(struct wd_vec d, const struct wd_vec axes[3], const struct sim_shape *shape,
                                double q, struct wd_vec *normal)
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

struct hull_planes {
    wd most, open; // the greatest distance from a plane; 0 where the foot on a face lies within that
    struct wd_vec normal;
};

// A point that is before a face, with its foot within that, is as far as that plane; no other is farther then.
SIM_INLINE struct hull_planes hull_planes_of(const struct sim_hull *hull, struct wd_vec p)
{
    const wd zero = wd_set(0);
    struct hull_planes planes = {.open = wd_set(1), .normal = wd_vec_of(hull->faces[0].normal)};
    planes.most = wd_dot(p, planes.normal) - wd_set(hull->faces[0].offset);
    for (uint32_t f = 0; f < hull->face_count; f++) {
        const struct sim_hull_face *face = &hull->faces[f];
        const struct wd_vec normal = wd_vec_of(face->normal);
        wd height = wd_dot(p, normal) - wd_set(face->offset);
        wdm higher = wd_below(planes.most, height), within = wd_below(zero, height);
        planes.most = wd_select(higher, height, planes.most);
        for (int axis = 0; axis < 3; axis++) {
            planes.normal.x[axis] = wd_select(higher, normal.x[axis], planes.normal.x[axis]);
        }
        for (int k = 0; k < 3 && wd_any(within); k++) {
            wd inner = wd_dot(p, wd_vec_of(face->sides[k])) - wd_set(face->side_offsets[k]);
            within = wd_and(within, wd_below(zero, inner));
        }
        planes.open = wd_select(within, zero, planes.open);
    }
    return planes;
}

// Convex hull in its frame: outside, the plane of a face that has the foot of p, or the nearest edge; inside, the face of
// least depth.
SURFACE wd distance_to_hull(struct wd_vec p, const struct sim_hull *hull, double q, double limit,
                            struct wd_vec *normal)
{
    const wd zero = wd_set(0);
    struct hull_planes planes = hull_planes_of(hull, p);
    struct wd_vec way = {{zero, zero, zero}};
    wdm edges = wd_and(wd_below(zero, planes.most), wd_below(planes.most, wd_set(limit)));
    edges = wd_and(edges, wd_below(zero, planes.open));
    *normal = planes.normal;
    if (!wd_any(edges)) {
        return planes.most;
    }
    wd least2 = wd_set(DBL_MAX);
    for (uint32_t e = 0; e < hull->edge_count; e++) {
        const struct sim_hull_edge *edge = &hull->edges[e];
        struct wd_vec d = wd_vec_of(edge->way), from;
        for (int axis = 0; axis < 3; axis++) {
            from.x[axis] = p.x[axis] - wd_set(edge->from[axis]);
        }
        wd s = wd_cut(wd_dot(from, d) * wd_set(edge->once));
        for (int axis = 0; axis < 3; axis++) {
            from.x[axis] = from.x[axis] - s * d.x[axis];
        }
        wd squared = wd_dot(from, from);
        wdm nearer = wd_below(squared, least2);
        least2 = wd_select(nearer, squared, least2);
        for (int axis = 0; axis < 3; axis++) {
            way.x[axis] = wd_select(nearer, from.x[axis], way.x[axis]);
        }
    }
    wd length = wd_sqrt(least2);
    edges = wd_and(edges, wd_below(wd_set(0.0625 * q), length));
    for (int axis = 0; axis < 3; axis++) {
        normal->x[axis] = wd_select(edges, way.x[axis] / length, normal->x[axis]);
    }
    return wd_select(edges, length, planes.most);
}

SIM_LONG wd distance_to(const struct sim_shape *shape, const struct sim_frame *frame,
                        const enum sim_collider_kind kind, double q, double limit, struct wd_vec d,
                        struct wd_vec *normal)
{
    struct wd_vec axes[3] = {wd_vec_of(frame->axes[0]), wd_vec_of(frame->axes[1]), wd_vec_of(frame->axes[2])};
    const struct wd_vec up = axes[1];
    if (kind == SIM_PLANE) {
        *normal = up;
        return wd_dot(d, up);
    }
    if (kind == SIM_BOX || kind == SIM_CONVEX || kind == SIM_HEIGHT_FIELD) {
        struct wd_vec local, n;
        for (int i = 0; i < 3; i++) {
            local.x[i] = wd_dot(d, axes[i]);
        }
        wd distance = kind == SIM_BOX      ? distance_to_box(local, shape->half_extents, &n)
                      : kind == SIM_CONVEX ? distance_to_hull(local, shape->hull, q, limit, &n)
                                           : distance_to_field(&local, shape->field, limit, &n);
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
