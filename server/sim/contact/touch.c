// Finds the points of edges and triangles that are nearest to a collider, in double lanes.
//
// Colliders are convex, so the distance phi along an edge is a convex function of its parameter s, and lies above each of
// its tangents. The search begins at the point that is nearest to the middle of the collider. It ends there if no tangent allows
// another point to be nearer by more than a tolerance. Else it looks at the end on the side to which phi falls, and then by
// turns at the place where the two tangents meet and at the middle between them (Kelley 1960, in one dimension):
//
//        \         /
//         \  phi  /                 lower bound: where the tangents meet
//     f0   *_   _*   f1
//            `v'
//
// A triangle touches in its inside where the outermost point of the collider along its normal n (Ericson 2005, 5.4) lies
// below its inside: gap = n.a - max over the collider of n.x, with n away from the collider's middle.
//
// Above one face of a box the distance is linear, so a feature that has all its corners there is nearest at a corner. Corners are
// particles, which are pushed by themselves (kernels/contact.c). Nothing of it has to be searched, and so with a feature that is
// beyond the plane of a face by the thickness.
//
// A feature that goes far in a substep is looked at when it first touches: an edge by conservative advancement (Mirtich 1996), which
// goes on by as much as keeps it apart; a triangle where its gap, followed from the start, is the thickness.
//
// Triangles that may reach into a core (pierced.c) are sifted first. A convex function lies above its tangents. So with m the
// middle of a triangle and n the normal there, no corner x and no point between corners is nearer than the least
// phi(m) + n.(x - m). And none is nearer than a plane that has all of the triangle on one side and all of the collider on the other.
//
// Lanes that are settled keep what they have, so that others, of which there are more or fewer, change nothing for them.

#include "sim/contact/collide.h"
#include "sim/contact/lanes.h"
#include "sim/kernels/surface.h"

#include <float.h>

enum { EDGE_LOOKS = 8, ADVANCES = 12, GAP_LOOKS = 3 };

#define SETTLED 0.01   // of the thickness: no point of an edge is nearer by more
#define TOUCHED 0.05   // of the thickness: so near is touching, on the way
#define AT_END 0x1p-10 // of an edge: so near its end it is the particle that touches
#define FLAT 1e-3      // slope below which a face of the collider has no outermost corner

// ---------------------------------------------------------------------------------------------------- lanes

SIM_INLINE struct wd_vec wd_apart(struct wd_vec a, struct wd_vec b)
{
    return (struct wd_vec){{a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2]}};
}

SIM_INLINE struct wd_vec wd_along(struct wd_vec a, wd s, struct wd_vec d)
{
    return (struct wd_vec){{a.x[0] + s * d.x[0], a.x[1] + s * d.x[1], a.x[2] + s * d.x[2]}};
}

SIM_INLINE struct wd_vec wd_cross(struct wd_vec a, struct wd_vec b)
{
    return (struct wd_vec){{a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2],
                            a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

SIM_INLINE struct wd_vec wd_vec_select(wdm m, struct wd_vec a, struct wd_vec b)
{
    return (struct wd_vec){
        {wd_select(m, a.x[0], b.x[0]), wd_select(m, a.x[1], b.x[1]), wd_select(m, a.x[2], b.x[2])}};
}

// -------------------------------------------------------------------------------------------------- leaves

SIM_INLINE wi w_offset(const struct w_rows *x, int axis, int32_t from)
{
    return x->x[axis] - (uint32_t)from;
}

// Corners of a leaf's elements; past the last one, of the last one.
static void places_of(const struct sim_features *features, uint32_t leaf, uint32_t places[3][SIM_LANES])
{
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        uint32_t e = leaf * SIM_LANES + lane;
        const uint32_t *corners = features->corners[e < features->count ? e : features->count - 1];
        for (int k = 0; k < 3; k++) {
            places[k][lane] = corners[k] * SIM_ROW_BYTES;
        }
    }
}

struct extent {
    int32_t least[3], most[3], way[3];
};

static void extent_take(struct extent *extent, int axis, wi least, wi most, wi forth, wi back)
{
    int32_t lanes[4][WIDE];
    w_store_int(lanes[0], least);
    w_store_int(lanes[1], most);
    w_store_int(lanes[2], forth);
    w_store_int(lanes[3], back);
    for (int lane = 0; lane < WIDE; lane++) {
        int32_t way = lanes[2][lane] > -lanes[3][lane] ? lanes[2][lane] : -lanes[3][lane];
        extent->least[axis] = lanes[0][lane] < extent->least[axis] ? lanes[0][lane] : extent->least[axis];
        extent->most[axis] = lanes[1][lane] > extent->most[axis] ? lanes[1][lane] : extent->most[axis];
        extent->way[axis] = way > extent->way[axis] ? way : extent->way[axis];
    }
}

// Finds the extent of rows now and when the substep began, seen from `low`.
static struct extent extent_of(const struct sim_row *rows, const struct sim_row *starts,
                               uint32_t (*places)[SIM_LANES], const int32_t low[3])
{
    const wi zero = w_bits(w_set(0));
    struct extent extent = {{0}, {0}, {0}};
    wi least[3] = {zero, zero, zero}, most[3] = {zero, zero, zero};
    wi forth[3] = {zero, zero, zero}, back[3] = {zero, zero, zero};
    for (uint32_t at = 0; at < 3 * SIM_LANES; at += WIDE) {
        const uint32_t *of = places[at / SIM_LANES] + at % SIM_LANES;
        struct w_rows x = w_rows_at(rows, of), before = w_rows_at(starts, of);
        for (int axis = 0; axis < 3; axis++) {
            wi a = w_offset(&x, axis, low[axis]), b = w_offset(&before, axis, low[axis]);
            least[axis] = w_min_int(w_min_int(a, b), least[axis]);
            most[axis] = w_max_int(w_max_int(a, b), most[axis]);
            forth[axis] = w_max_int(a - b, forth[axis]);
            back[axis] = w_min_int(a - b, back[axis]);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        extent_take(&extent, axis, least[axis], most[axis], forth[axis], back[axis]);
    }
    return extent;
}

static void balls_make(const struct sim_row *rows, const struct sim_row *starts,
                       const int64_t (*positions)[3], double q, bool moved, struct sim_features *features)
{
    const uint32_t leaves = (features->leaf_count + SIM_LANES - 1) / SIM_LANES * SIM_LANES;
    for (uint32_t leaf = 0; leaf < leaves; leaf++) {
        struct sim_balls *balls = &features->balls[leaf / SIM_LANES];
        uint32_t at = leaf % SIM_LANES, places[3][SIM_LANES];
        if (moved && (balls->stand >> at & 1) != 0) {
            continue;
        }
        balls->radius[at] = -1;
        if (leaf * SIM_LANES >= features->count) {
            continue;
        }
        places_of(features, leaf, places);
        uint32_t first = places[0][0] / SIM_ROW_BYTES;
        const int32_t *low = rows[first].x;
        struct extent extent = extent_of(rows, starts, places, low);
        double radius2 = 0, way2 = 0;
        for (int axis = 0; axis < 3; axis++) {
            int64_t half = ((int64_t)extent.most[axis] - extent.least[axis]) / 2 + 1;
            int64_t origin = positions[first][axis];
            origin += sim_wrap_sub(low[axis], (int32_t)(uint32_t)(uint64_t)origin);
            balls->middle[axis][at] = origin + extent.least[axis] + half;
            radius2 += (double)half * (double)half;
            way2 += (double)extent.way[axis] * (double)extent.way[axis];
        }
        balls->radius[at] = __builtin_sqrt(radius2) * q;
        balls->way[at] = __builtin_sqrt(way2) * q;
    }
}

SIM_INLINE uint32_t near_balls(const struct sim_toucher *t, const struct sim_balls *balls, uint32_t *fast,
                               const enum sim_collider_kind kind)
{
    const wd q = wd_set(t->q), thickness = wd_set(t->thickness);
    uint32_t touched = 0;
    *fast = 0;
    for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
        wdm touching[PARTS], going[PARTS];
        for (int part = 0; part < PARTS; part++) {
            uint32_t at = lane + (uint32_t)part * DOUBLES;
            struct wd_vec d, unused;
            for (int axis = 0; axis < 3; axis++) {
                wl way = wl_load(balls->middle[axis] + at) - wl_set(t->shape.end.position[axis]);
                d.x[axis] = wd_of_long(way) * q;
            }
            wd radius = wd_load(balls->radius + at);
            wd moves = wd_set(t->way) + wd_set(t->spin) * (wd_sqrt(wd_dot(d, d)) + radius);
            wd distance = distance_to(&t->shape, &t->shape.end, kind, t->q, 0, d, &unused);
            // Twice the thickness: rows are pushed after the balls are made.
            wd reach = (radius + wd_set(2) * thickness) + moves;
            wdm is = wd_below(wd_set(-0.5), radius);
            touching[part] = wd_and(is, wd_below(distance, reach));
            moves = moves + wd_load(balls->way + at);
            wd safe = wd_set(0.5) * (thickness + wd_set(t->inner));
            going[part] = wd_and(is, wd_below(safe, moves));
        }
        touched |= w_lanes_of(wd_mask_to(touching)) << lane;
        *fast |= w_lanes_of(wd_mask_to(going)) << lane;
    }
    return touched;
}

static uint32_t near(const struct sim_toucher *t, const struct sim_balls *balls, uint32_t *fast)
{
    switch (t->shape.kind) {
    case SIM_SPHERE:
        return near_balls(t, balls, fast, SIM_SPHERE);
    case SIM_CAPSULE:
        return near_balls(t, balls, fast, SIM_CAPSULE);
    case SIM_BOX:
        return near_balls(t, balls, fast, SIM_BOX);
    case SIM_CYLINDER:
        return near_balls(t, balls, fast, SIM_CYLINDER);
    case SIM_CONVEX:
        return near_balls(t, balls, fast, SIM_CONVEX);
    default:
        *fast = 0;
        return 0;
    }
}

// --------------------------------------------------------------------------------------------------- edges

// A point of an edge a + s d.
struct nearest {
    wd s, phi;
    struct wd_vec normal;
    wd lower; // no point of the edge is nearer than that
};

SIM_INLINE struct nearest look(const struct sim_toucher *t, struct wd_vec a, struct wd_vec d, wd s,
                               const enum sim_collider_kind kind)
{
    struct nearest at = {.s = s};
    at.phi = distance_to(&t->shape, &t->shape.end, kind, t->q, DBL_MAX, wd_along(a, s, d), &at.normal);
    return at;
}

SIM_INLINE void take(struct nearest *best, wdm m, const struct nearest *other)
{
    m = wd_and(m, wd_below(other->phi, best->phi));
    best->s = wd_select(m, other->s, best->s);
    best->phi = wd_select(m, other->phi, best->phi);
    best->normal = wd_vec_select(m, other->normal, best->normal);
}

// Nearer than `limit` is all that matters.
SIM_INLINE wdm unsettled(const struct sim_toucher *t, const struct nearest *best, wd limit)
{
    return wd_below(best->lower, wd_min(limit, best->phi - wd_set(SETTLED * t->thickness)));
}

SIM_INLINE struct nearest nearest_of(const struct sim_toucher *t, struct wd_vec a, struct wd_vec d, wd limit,
                                     const enum sim_collider_kind kind)
{
    const wd zero = wd_set(0), one = wd_set(1);
    struct wd_vec from = kind == SIM_CONVEX ? wd_apart(a, wd_vec_of(t->middle)) : a;
    struct nearest best = look(t, a, d, wd_cut((zero - wd_dot(from, d)) / wd_dot(d, d)), kind), at;
    wd slope = wd_dot(best.normal, d);
    best.lower = best.phi - wd_max(slope * best.s, (zero - slope) * (one - best.s));
    wdm live = unsettled(t, &best, limit);
    if (!wd_any(live)) {
        return best;
    }
    wdm up = wd_below(slope, zero);
    at = look(t, a, d, wd_where(up, one), kind);
    wd end = wd_dot(at.normal, d), s0 = wd_where(up, best.s), s1 = wd_select(up, one, best.s);
    // Tangents: base + slope s.
    wd slope0 = wd_select(up, slope, end), slope1 = wd_select(up, end, slope);
    wd here = best.phi - slope * best.s, there = at.phi - end * at.s;
    wd base0 = wd_select(up, here, there), base1 = wd_select(up, there, here);
    take(&best, live, &at);
    wdm falls =
        wd_below(zero, wd_select(up, end, zero - end)); // beyond the end it would go on falling, if not
    best.lower = wd_select(wd_and(live, falls), best.lower, wd_select(live, best.phi, best.lower));
    live = wd_and(live, falls);
    for (int i = 0; i < EDGE_LOOKS && wd_any(live); i++) {
        wd meet = (base1 - base0) / (slope0 - slope1);
        best.lower = wd_select(live, base0 + slope0 * meet, best.lower);
        live = wd_and(live, unsettled(t, &best, limit));
        at = look(t, a, d, i % 2 == 0 ? wd_min(wd_max(meet, s0), s1) : wd_set(0.5) * (s0 + s1), kind);
        take(&best, live, &at);
        slope = wd_dot(at.normal, d);
        here = at.phi - slope * at.s;
        wdm left = wd_below(slope, zero);
        s0 = wd_select(left, at.s, s0), s1 = wd_select(left, s1, at.s);
        slope0 = wd_select(left, slope, slope0), slope1 = wd_select(left, slope1, slope);
        base0 = wd_select(left, here, base0), base1 = wd_select(left, base1, here);
    }
    return best;
}

// Says which lanes touch, at which points, and at which part of the substep.
struct touch {
    wdm hits;
    wd c[2], phi, moment;
    struct wd_vec normal;
};

SIM_INLINE struct touch edge_ends(const struct sim_toucher *t, const struct wd_vec ends[3],
                                  const enum sim_collider_kind kind)
{
    const wd thickness = wd_set(t->thickness);
    struct nearest at = nearest_of(t, ends[0], wd_apart(ends[1], ends[0]), thickness, kind);
    wdm inside = wd_and(wd_below(wd_set(AT_END), at.s), wd_below(at.s, wd_set(1 - AT_END)));
    return (struct touch){.hits = wd_and(inside, wd_below(at.phi, thickness)),
                          .c = {at.s, wd_set(0)},
                          .phi = at.phi,
                          .moment = wd_set(1),
                          .normal = at.normal};
}

SIM_INLINE struct wd_vec between(struct wd_vec a, struct wd_vec b, wd part)
{
    return wd_along(a, part, wd_apart(b, a));
}

// Both ends may be one.
SIM_INLINE struct touch edge_passes(const struct sim_toucher *t, const struct wd_vec starts[3],
                                    const struct wd_vec ends[3], const enum sim_collider_kind kind)
{
    const wd zero = wd_set(0), one = wd_set(1), thickness = wd_set(t->thickness);
    struct wd_vec a = wd_apart(ends[0], starts[0]), b = wd_apart(ends[1], starts[1]);
    wd way = wd_sqrt(wd_max(wd_dot(a, a), wd_dot(b, b))), moment = zero;
    struct touch touch = {.c = {zero, zero}, .phi = zero, .moment = zero, .normal = {{zero, zero, zero}}};
    touch.hits = wd_below(one, zero);
    wdm live = wd_below(zero, one);
    for (int i = 0; i < ADVANCES && wd_any(live); i++) {
        struct wd_vec first = between(starts[0], ends[0], moment);
        struct wd_vec d = wd_apart(between(starts[1], ends[1], moment), first);
        struct nearest at = nearest_of(t, first, d, wd_set(DBL_MAX), kind);
        wd near = wd_set((i + 1 < ADVANCES ? 1 + TOUCHED : 2) * t->thickness);
        wdm now = wd_and(live, wd_below(at.phi, near));
        touch.hits = wd_or(touch.hits, now);
        touch.c[0] = wd_select(now, at.s, touch.c[0]);
        touch.phi = wd_select(now, at.phi, touch.phi);
        touch.moment = wd_select(now, moment, touch.moment);
        touch.normal = wd_vec_select(now, at.normal, touch.normal);
        live = wd_and(live, wd_below(near, at.phi));
        moment = wd_select(live, moment + wd_max(at.lower - thickness, zero) / way, moment);
        live = wd_and(live, wd_below(moment, one));
    }
    return touch;
}

// ----------------------------------------------------------------------------------------------- triangles

// Finds how far out a hull reaches along n, and the mean of the vertices that are nearly as far out, weighted by how far.
SIM_INLINE wd hull_outermost(const struct sim_toucher *t, struct wd_vec n, struct wd_vec *point)
{
    const wd zero = wd_set(0), one = wd_set(1);
    const struct sim_hull *hull = t->shape.hull;
    struct wd_vec local, mean = {{zero, zero, zero}};
    wd out = wd_set(-DBL_MAX), sum = zero;
    for (int i = 0; i < 3; i++) {
        local.x[i] = wd_dot(n, wd_vec_of(t->shape.end.axes[i]));
    }
    for (uint32_t v = 0; v < hull->vertex_count; v++) {
        out = wd_max(out, wd_dot(local, wd_vec_of(hull->vertices[v])));
    }
    for (uint32_t v = 0; v < hull->vertex_count; v++) {
        const struct wd_vec vertex = wd_vec_of(hull->vertices[v]);
        wd behind = (out - wd_dot(local, vertex)) * wd_set(1 / (FLAT * hull->radius));
        wd share = wd_max(one - behind, zero);
        sum = sum + share;
        mean = wd_along(mean, share, vertex);
    }
    *point = (struct wd_vec){{zero, zero, zero}};
    for (int i = 0; i < 3; i++) {
        *point = wd_along(*point, mean.x[i] / sum, wd_vec_of(t->shape.end.axes[i]));
    }
    return out;
}

// The collider's outermost point along n, and how far out it is. Of a face along n, a point that changes little with n.
SIM_LONG wd outermost(const struct sim_toucher *t, struct wd_vec n, struct wd_vec *point,
                      const enum sim_collider_kind kind)
{
    const wd zero = wd_set(0), one = wd_set(1), radius = wd_set(t->shape.radius);
    if (kind == SIM_CONVEX) {
        return hull_outermost(t, n, point);
    }
    struct wd_vec ring = n, axes[3];
    wd out = zero, round = one;
    *point = (struct wd_vec){{zero, zero, zero}};
    for (int i = 0; i < 3; i++) {
        axes[i] = wd_vec_of(t->shape.end.axes[i]);
        bool has = kind == SIM_BOX || (i == 1 && kind != SIM_SPHERE);
        if (!has) {
            continue;
        }
        wd half = wd_set(kind == SIM_BOX ? t->shape.half_extents[i] : 0.5 * t->shape.length);
        wd along = wd_dot(n, axes[i]), part = along * wd_set(1 / FLAT);
        out = out + wd_abs(along) * half;
        *point = wd_along(*point, wd_min(wd_max(part, zero - one), one) * half, axes[i]);
        if (kind == SIM_CYLINDER) {
            ring = wd_along(n, zero - along, axes[i]);
            round = wd_sqrt(wd_dot(ring, ring));
        }
    }
    if (kind != SIM_BOX) {
        out = out + round * radius;
        *point = wd_along(*point, radius / wd_max(round, wd_set(FLAT)), ring);
    }
    return out;
}

// side: 1, -1, or 0 for away from the collider's middle.
struct gap {
    wd gap, side, c[2];
    struct wd_vec normal;
    wdm inside;
};

SIM_INLINE struct gap gap_of(const struct sim_toucher *t, const struct wd_vec corners[3], wd side,
                             const enum sim_collider_kind kind)
{
    const wd zero = wd_set(0), one = wd_set(1);
    struct gap gap;
    struct wd_vec b = wd_apart(corners[1], corners[0]), c = wd_apart(corners[2], corners[0]), point;
    struct wd_vec n = wd_cross(b, c);
    wd squared = wd_dot(n, n), once = one / wd_sqrt(squared), height = wd_dot(n, corners[0]);
    wd way = kind == SIM_CONVEX ? wd_dot(n, wd_apart(corners[0], wd_vec_of(t->middle))) : height;
    gap.side = wd_select(wd_equal(side, zero), wd_select(wd_below(way, zero), zero - one, one), side);
    for (int axis = 0; axis < 3; axis++) {
        gap.normal.x[axis] = (gap.side * once) * n.x[axis];
    }
    gap.gap = (gap.side * once) * height - outermost(t, gap.normal, &point, kind);
    struct wd_vec v = wd_apart(point, corners[0]);
    gap.c[0] = wd_dot(wd_cross(v, c), n) / squared;
    gap.c[1] = wd_dot(wd_cross(b, v), n) / squared;
    gap.inside = wd_and(wd_and(wd_below(zero, gap.c[0]), wd_below(zero, gap.c[1])),
                        wd_below(gap.c[0] + gap.c[1], one));
    return gap;
}

SIM_INLINE struct touch touch_of_gap(const struct gap *gap, wdm hits, wd moment)
{
    return (struct touch){.hits = wd_and(hits, gap->inside),
                          .c = {gap->c[0], gap->c[1]},
                          .phi = gap->gap,
                          .moment = moment,
                          .normal = gap->normal};
}

SIM_INLINE struct touch triangle_ends(const struct sim_toucher *t, const struct wd_vec ends[3],
                                      const enum sim_collider_kind kind)
{
    struct gap gap = gap_of(t, ends, wd_set(0), kind);
    return touch_of_gap(&gap, wd_below(gap.gap, wd_set(t->thickness)), wd_set(1));
}

// Regula falsi (Illinois) for the moment when the gap is the thickness.
SIM_INLINE struct touch triangle_passes(const struct sim_toucher *t, const struct wd_vec starts[3],
                                        const struct wd_vec ends[3], const enum sim_collider_kind kind)
{
    const wd zero = wd_set(0), one = wd_set(1), thickness = wd_set(t->thickness);
    struct gap from = gap_of(t, starts, zero, kind), to = gap_of(t, ends, from.side, kind);
    wd low = zero, high = one, above = from.gap - thickness, below = to.gap - thickness, moment = zero;
    wdm passes = wd_below(below, zero), apart = wd_below(zero, above);
    if (!wd_any(passes)) {
        return touch_of_gap(&to, passes, one);
    }
    struct gap at = from;
    for (int i = 0; i < GAP_LOOKS; i++) {
        struct wd_vec corners[3];
        moment = wd_where(apart, low + (high - low) * (above / (above - below)));
        for (int k = 0; k < 3; k++) {
            corners[k] = between(starts[k], ends[k], moment);
        }
        at = gap_of(t, corners, from.side, kind);
        wd rest = at.gap - thickness;
        wdm still = wd_below(zero, rest);
        low = wd_select(still, moment, low), high = wd_select(still, high, moment);
        above = wd_select(still, rest, wd_set(0.5) * above);
        below = wd_select(still, wd_set(0.5) * below, rest);
    }
    return touch_of_gap(&at, passes, moment);
}

// -------------------------------------------------------------------------------------------------- blocks

SIM_INLINE struct wd_vec place_of(const struct sim_toucher *t, const struct sim_touch_origin *origin,
                                  const struct w_rows *x, const double from[3], int part)
{
    struct wd_vec p;
    for (int axis = 0; axis < 3; axis++) {
        wd offset = wd_of_int(w_offset(x, axis, origin->low[axis]), part);
        p.x[axis] = (offset + wd_set(from[axis])) * wd_set(t->q);
    }
    return p;
}

// Finds the place of a row at the substep's start, turned as the collider's material turns until the end.
SIM_INLINE struct wd_vec start_of(const struct sim_toucher *t, const struct sim_touch_origin *origin,
                                  const struct w_rows *x, int part)
{
    struct wd_vec p = place_of(t, origin, x, origin->start, part), turned;
    if (!t->shape.turns) {
        return p;
    }
    for (int axis = 0; axis < 3; axis++) {
        turned.x[axis] = wd_dot(wd_vec_of(t->turn[axis]), p);
    }
    return turned;
}

SIM_INLINE struct wd_vec point_of(const struct wd_vec corners[3], const struct touch *touch, uint32_t count)
{
    struct wd_vec p = wd_along(corners[0], touch->c[0], wd_apart(corners[1], corners[0]));
    return count < 3 ? p : wd_along(p, touch->c[1], wd_apart(corners[2], corners[0]));
}

SIM_INLINE void put(struct sim_touches *out, uint32_t at, const struct touch *touch,
                    const struct wd_vec starts[3], const struct wd_vec ends[3], uint32_t count, bool passes)
{
    struct wd_vec end = point_of(ends, touch, count), start = point_of(starts, touch, count);
    struct wd_vec way = wd_apart(end, start);
    wd along = wd_dot(touch->normal, way), phi = touch->phi;
    if (passes) {
        phi = phi + (wd_set(1) - touch->moment) * along;
    }
    wd_store(out->c[0] + at, touch->c[0]);
    wd_store(out->c[1] + at, touch->c[1]);
    wd_store(out->phi + at, phi);
    wd_store(out->before + at, phi - along);
    for (int axis = 0; axis < 3; axis++) {
        wd_store(out->normal[axis] + at, touch->normal.x[axis]);
        wd_store(out->at[axis] + at, end.x[axis]);
        wd_store(out->way[axis] + at, way.x[axis]);
    }
}

// Lanes whose features may touch a box in another point than a corner.
SIM_INLINE wdm may_touch_box(const struct sim_toucher *t, const struct wd_vec corners[3], uint32_t count)
{
    const wd zero = wd_set(0), thickness = wd_set(t->thickness);
    wd low[3],
        wide[3]; // by axis: the least height above the face that corner 0 is before, how far beyond both faces
    for (int axis = 0; axis < 3; axis++) {
        const struct wd_vec way = wd_vec_of(t->shape.end.axes[axis]);
        const wd extent = wd_set(t->shape.half_extents[axis]);
        wd first = wd_dot(corners[0], way), least = wd_abs(first), most = least;
        wdm negative = wd_below(first, zero);
        for (uint32_t k = 1; k < count; k++) {
            wd p = wd_dot(corners[k], way);
            least = wd_min(wd_select(negative, -p, p), least);
            most = wd_max(wd_abs(p), most);
        }
        low[axis] = least - extent;
        wide[axis] = most - extent;
    }
    wdm may = wd_below(low[0], thickness);
    for (int axis = 0; axis < 3; axis++) {
        const wd beside = wd_max(wide[(axis + 1) % 3], wide[(axis + 2) % 3]);
        may = wd_and(may, wd_below(low[axis], thickness));
        may = wd_and(may, wd_or(wd_below(low[axis], zero), wd_below(zero, beside)));
    }
    return may;
}

SIM_INLINE void starts_of(const struct sim_toucher *t, const struct sim_touch_origin *origin,
                          const struct sim_row *previous, const uint32_t (*places)[SIM_LANES], uint32_t lane,
                          int part, uint32_t count, struct wd_vec starts[3])
{
    for (uint32_t k = 0; k < count; k++) {
        const struct w_rows before = w_rows_at(previous, places[k] + lane);
        starts[k] = start_of(t, origin, &before, part);
    }
}

SIM_LONG uint32_t block(const struct sim_toucher *t, const struct sim_touch_origin *origin,
                        const struct sim_row *rows, const struct sim_row *previous,
                        const uint32_t (*places)[SIM_LANES], struct sim_touches *out,
                        const enum sim_collider_kind kind, const enum sim_touch_kind of, const bool passes)
{
    const uint32_t count = of == SIM_TOUCH_EDGE ? 2 : 3;
    uint32_t hits = 0;
    for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
        struct w_rows x[3];
        wdm touching[PARTS];
        for (uint32_t k = 0; k < count; k++) {
            x[k] = w_rows_at(rows, places[k] + lane);
        }
        for (int part = 0; part < PARTS; part++) {
            struct wd_vec ends[3], starts[3];
            struct touch touch;
            for (uint32_t k = 0; k < count; k++) {
                ends[k] = place_of(t, origin, &x[k], origin->end, part);
            }
            const bool sifts = kind == SIM_BOX && !passes;
            const wdm may = sifts ? may_touch_box(t, ends, count) : wd_below(wd_set(0), wd_set(1));
            touching[part] = may;
            if (sifts && !wd_any(may)) {
                continue;
            }
            if (passes) {
                starts_of(t, origin, previous, places, lane, part, count, starts);
            }
            if (of == SIM_TOUCH_EDGE) {
                touch = passes ? edge_passes(t, starts, ends, kind) : edge_ends(t, ends, kind);
            } else {
                touch = passes ? triangle_passes(t, starts, ends, kind) : triangle_ends(t, ends, kind);
            }
            touching[part] = wd_and(may, touch.hits);
            if (wd_any(touching[part])) {
                if (!passes) {
                    starts_of(t, origin, previous, places, lane, part, count, starts);
                }
                put(out, lane + (uint32_t)part * DOUBLES, &touch, starts, ends, count, passes);
            }
        }
        hits |= w_lanes_of(wd_mask_to(touching)) << lane;
    }
    return hits;
}

#define TOUCH(name, kind, of, passes)                                                        \
    static uint32_t name(const struct sim_toucher *t, const struct sim_touch_origin *origin, \
                         const struct sim_row *rows, const struct sim_row *starts,           \
                         const uint32_t(*places)[SIM_LANES], struct sim_touches *out)        \
    {                                                                                        \
        return block(t, origin, rows, starts, places, out, kind, of, passes);                \
    }
#if defined(SIM_FEW_LOOPS)
// A small program has one of these for both, which asks at run time whether material passes.
#define TOUCHES(name, kind)                                  \
    TOUCH_ANY(name##_edge_any, kind, SIM_TOUCH_EDGE)         \
    TOUCH_ANY(name##_triangle_any, kind, SIM_TOUCH_TRIANGLE) \
    TOUCH_ASK(name##_edge, name##_edge_any, false)           \
    TOUCH_ASK(name##_edge_passes, name##_edge_any, true)     \
    TOUCH_ASK(name##_triangle, name##_triangle_any, false)   \
    TOUCH_ASK(name##_triangle_passes, name##_triangle_any, true)
#define TOUCH_ANY(name, kind, of)                                                                       \
    static __attribute__((noinline)) uint32_t name(                                                     \
        const struct sim_toucher *t, const struct sim_touch_origin *origin, const struct sim_row *rows, \
        const struct sim_row *starts, const uint32_t(*places)[SIM_LANES], struct sim_touches *out,      \
        const bool passes)                                                                              \
    {                                                                                                   \
        return block(t, origin, rows, starts, places, out, kind, of, passes);                           \
    }
#define TOUCH_ASK(name, any, passes)                                                         \
    static uint32_t name(const struct sim_toucher *t, const struct sim_touch_origin *origin, \
                         const struct sim_row *rows, const struct sim_row *starts,           \
                         const uint32_t(*places)[SIM_LANES], struct sim_touches *out)        \
    {                                                                                        \
        return any(t, origin, rows, starts, places, out, passes);                            \
    }
#else
#define TOUCHES(name, kind)                                 \
    TOUCH(name##_edge, kind, SIM_TOUCH_EDGE, false)         \
    TOUCH(name##_edge_passes, kind, SIM_TOUCH_EDGE, true)   \
    TOUCH(name##_triangle, kind, SIM_TOUCH_TRIANGLE, false) \
    TOUCH(name##_triangle_passes, kind, SIM_TOUCH_TRIANGLE, true)
#endif
TOUCHES(sphere, SIM_SPHERE)
TOUCHES(capsule, SIM_CAPSULE)
TOUCHES(box, SIM_BOX)
TOUCHES(cylinder, SIM_CYLINDER)
TOUCHES(convex, SIM_CONVEX)
#define TOUCHED_BY(name)                            \
    {                                               \
        {name##_edge, name##_edge_passes},          \
        {                                           \
            name##_triangle, name##_triangle_passes \
        }                                           \
    }

// ---------------------------------------------------------------------------------------------------- sieve

// A browser has to fetch the code, so there is none of this in it: there all triangles are looked at exactly.
#ifndef SIM_WIDE_SIMD128
// A triangle as the collider sees it: at the substep's end, and if `passes` where material was that is there now (start_of).
struct seen {
    struct wd_vec ends[3], starts[3], middle;
};

SIM_INLINE struct seen seen_from(const struct sim_toucher *t, const struct sim_touch_origin *origin,
                                 const struct w_rows x[3], const struct w_rows before[3], int part,
                                 const bool passes)
{
    struct seen seen = {.middle = {{wd_set(0), wd_set(0), wd_set(0)}}};
    const wd share = wd_set(passes ? 1.0 / 6 : 1.0 / 3);
    for (int k = 0; k < 3; k++) {
        seen.ends[k] = place_of(t, origin, &x[k], origin->end, part);
        seen.middle = wd_along(seen.middle, share, seen.ends[k]);
        if (passes) {
            seen.starts[k] = start_of(t, origin, &before[k], part);
            seen.middle = wd_along(seen.middle, share, seen.starts[k]);
        }
    }
    return seen;
}

// The least n . x of all corners. It is not a number if n is not.
SIM_INLINE wd least_along(const struct seen *seen, struct wd_vec n, const bool passes)
{
    wd least = wd_dot(n, seen->ends[0]);
    for (int k = 0; k < 3; k++) {
        least = wd_min(wd_dot(n, seen->ends[k]), least);
        if (passes) {
            least = wd_min(wd_dot(n, seen->starts[k]), least);
        }
    }
    return least;
}

// Bounds the distance from below by its tangent at the middle.
SIM_INLINE wd tangent_bound(const struct sim_toucher *t, const struct seen *seen,
                            const enum sim_collider_kind kind, const bool passes)
{
    struct wd_vec n;
    wd phi = distance_to(&t->shape, &t->shape.end, kind, t->q, 0, seen->middle, &n);
    return phi + (least_along(seen, n, passes) - wd_dot(n, seen->middle));
}

// Bounds it by the side of the triangle's plane on which the collider's middle is not.
SIM_INLINE wd plane_bound(const struct sim_toucher *t, const struct seen *seen,
                          const enum sim_collider_kind kind, const bool passes)
{
    struct wd_vec n =
        wd_cross(wd_apart(seen->ends[1], seen->ends[0]), wd_apart(seen->ends[2], seen->ends[0]));
    struct wd_vec unused;
    wd way = wd_dot(n, wd_apart(seen->ends[0], wd_vec_of(t->middle))),
       once = wd_set(1) / wd_sqrt(wd_dot(n, n));
    once = wd_select(wd_below(way, wd_set(0)), -once, once);
    for (int axis = 0; axis < 3; axis++) {
        n.x[axis] = once * n.x[axis];
    }
    return least_along(seen, n, passes) - outermost(t, n, &unused, kind);
}

SIM_LONG uint32_t reaching(const struct sim_toucher *t, const struct sim_touch_origin *origin,
                           const struct sim_row *rows, const struct sim_row *previous,
                           const uint32_t (*places)[SIM_LANES], double reach,
                           const enum sim_collider_kind kind, const bool passes)
{
    const uint32_t all = (uint32_t)((1ULL << WIDE) - 1);
    const wd limit = wd_set(reach);
    uint32_t may = 0;
    for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
        struct w_rows x[3], before[3];
        struct seen seen[PARTS];
        wdm beyond[PARTS];
        for (int k = 0; k < 3; k++) {
            x[k] = w_rows_at(rows, places[k] + lane);
            before[k] = passes ? w_rows_at(previous, places[k] + lane) : x[k];
        }
        for (int part = 0; part < PARTS; part++) {
            seen[part] = seen_from(t, origin, x, before, part, passes);
            beyond[part] = wd_below(limit, tangent_bound(t, &seen[part], kind, passes));
        }
        uint32_t clear = w_lanes_of(wd_mask_to(beyond));
        if (clear != all) {
            for (int part = 0; part < PARTS; part++) {
                beyond[part] = wd_below(limit, plane_bound(t, &seen[part], kind, passes));
            }
            clear |= w_lanes_of(wd_mask_to(beyond));
        }
        may |= (all & ~clear) << lane;
    }
    return may;
}

#define REACHING(name, kind)                                                                            \
    static uint32_t name##_reaching(const struct sim_toucher *t, const struct sim_touch_origin *origin, \
                                    const struct sim_row *rows, const struct sim_row *starts,           \
                                    const uint32_t(*places)[SIM_LANES], double reach)                   \
    {                                                                                                   \
        return starts ? reaching(t, origin, rows, starts, places, reach, kind, true)                    \
                      : reaching(t, origin, rows, rows, places, reach, kind, false);                    \
    }
REACHING(sphere, SIM_SPHERE)
REACHING(capsule, SIM_CAPSULE)
REACHING(box, SIM_BOX)
REACHING(cylinder, SIM_CYLINDER)
REACHING(convex, SIM_CONVEX)
#define REACHING_OF(name) name##_reaching
#else
#define REACHING_OF(name) NULL
#endif

extern sim_clear_way SIM_ISA(sim_clear_way_of);
extern const struct sim_collide_kernels SIM_ISA(sim_collide_kernels);
const struct sim_collide_kernels SIM_ISA(sim_collide_kernels) = {
    .balls = balls_make,
    .near = near,
    .way = SIM_ISA(sim_clear_way_of),
    .touch = {[SIM_SPHERE] = TOUCHED_BY(sphere),
              [SIM_CAPSULE] = TOUCHED_BY(capsule),
              [SIM_BOX] = TOUCHED_BY(box),
              [SIM_CYLINDER] = TOUCHED_BY(cylinder),
              [SIM_CONVEX] = TOUCHED_BY(convex)},
    .reaching = {[SIM_SPHERE] = REACHING_OF(sphere),
                 [SIM_CAPSULE] = REACHING_OF(capsule),
                 [SIM_BOX] = REACHING_OF(box),
                 [SIM_CYLINDER] = REACHING_OF(cylinder),
                 [SIM_CONVEX] = REACHING_OF(convex)}};
