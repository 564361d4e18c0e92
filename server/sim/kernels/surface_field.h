// This header tells how far points are from a height field, in double lanes. Results are those of field/point.c to the bit.
//
// A point above the field is measured against the cell below it, and against what may be nearer of up to three beside that.
// Points below the surface, and those that have more cells within their reach, are rare: point.c measures them.
#ifndef WEFT_SIM_KERNELS_SURFACE_FIELD_H
#define WEFT_SIM_KERNELS_SURFACE_FIELD_H

#include "sim/field/walk.h"
#include "sim/kernels/wide_double.h"

// Cells, one a lane. heights[k] is that of the vertex k % 2 columns and k / 2 rows on.
struct field_cells {
    uint32_t column[DOUBLES], row[DOUBLES];
    double x[2][DOUBLES], z[2][DOUBLES], heights[4][DOUBLES], tops[DOUBLES];
};

struct field_found {
    wd best2;          // the squared distance so far, or the squared limit
    wd on_face, found; // 1: yes
    struct wd_vec way, face;
};

SIM_INLINE struct wd_vec field_wd_apart(struct wd_vec a, struct wd_vec b)
{
    return (struct wd_vec){{a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2]}};
}

SIM_INLINE void field_wd_take(wd *into, wdm m, wd value)
{
    *into = wd_select(m, value, *into);
}

// As field_nearest_of_triangle.
SIM_INLINE void field_wd_nearest(struct wd_vec u, struct wd_vec v, struct wd_vec p, wd parts[2])
{
    const wd zero = wd_set(0), one = wd_set(1);
    wd uu = wd_dot(u, u), uv = wd_dot(u, v), vv = wd_dot(v, v);
    wd pu = wd_dot(p, u), pv = wd_dot(p, v);
    wd b = pu * vv - pv * uv, c = pv * uu - pu * uv, all = uu * vv - uv * uv;
    wdm beside = wd_or(wd_or(wd_below(b, zero), wd_below(c, zero)), wd_below(all, b + c));
    parts[0] = b / all;
    parts[1] = c / all;
    if (!wd_any(beside)) {
        return;
    }
    wd third = wd_cut(((pv - pu) + (uu - uv)) / ((uu - wd_set(2) * uv) + vv)), least = zero;
    wd sides[3][2] = {{wd_cut(pu / uu), zero}, {zero, wd_cut(pv / vv)}, {one - third, third}};
    wd found[2] = {sides[0][0], sides[0][1]};
    for (int side = 0; side < 3; side++) {
        struct wd_vec d;
        for (int axis = 0; axis < 3; axis++) {
            d.x[axis] = p.x[axis] - (sides[side][0] * u.x[axis] + sides[side][1] * v.x[axis]);
        }
        wd squared = wd_dot(d, d);
        wdm nearer = wd_below(squared, least);
        least = side == 0 ? squared : wd_select(nearer, squared, least);
        if (side > 0) {
            field_wd_take(&found[0], nearer, sides[side][0]);
            field_wd_take(&found[1], nearer, sides[side][1]);
        }
    }
    field_wd_take(&parts[0], beside, found[0]);
    field_wd_take(&parts[1], beside, found[1]);
}

SIM_INLINE void field_wd_triangle(struct field_found *found, wdm of, struct wd_vec at, struct wd_vec a,
                                  struct wd_vec b, struct wd_vec c)
{
    const wd zero = wd_set(0), one = wd_set(1);
    struct wd_vec u = field_wd_apart(b, a), v = field_wd_apart(c, a), p = field_wd_apart(at, a), way;
    wd parts[2];
    field_wd_nearest(u, v, p, parts);
    for (int axis = 0; axis < 3; axis++) {
        way.x[axis] = p.x[axis] - (parts[0] * u.x[axis] + parts[1] * v.x[axis]);
    }
    wd squared = wd_dot(way, way);
    wdm nearer = wd_and(of, wd_below(squared, found->best2));
    if (!wd_any(nearer)) {
        return;
    }
    wdm inside = wd_and(wd_and(wd_below(zero, parts[0]), wd_below(zero, parts[1])),
                        wd_below(parts[0] + parts[1], one));
    struct wd_vec face = {{u.x[1] * v.x[2] - u.x[2] * v.x[1], u.x[2] * v.x[0] - u.x[0] * v.x[2],
                           u.x[0] * v.x[1] - u.x[1] * v.x[0]}};
    field_wd_take(&found->best2, nearer, squared);
    field_wd_take(&found->found, nearer, one);
    field_wd_take(&found->on_face, nearer, wd_where(inside, one));
    for (int axis = 0; axis < 3; axis++) {
        field_wd_take(&found->way.x[axis], nearer, way.x[axis]);
        field_wd_take(&found->face.x[axis], nearer, face.x[axis]);
    }
}

static void field_cells_fill(const struct sim_field *field, struct field_cells *cells)
{
    for (int lane = 0; lane < DOUBLES; lane++) {
        const uint32_t column = cells->column[lane], row = cells->row[lane];
        const double *h = field->heights + row * field->columns + column;
        cells->x[0][lane] = (double)column * field->spacing - field->half[0];
        cells->x[1][lane] = (double)(column + 1) * field->spacing - field->half[0];
        cells->z[0][lane] = (double)row * field->spacing - field->half[1];
        cells->z[1][lane] = (double)(row + 1) * field->spacing - field->half[1];
        cells->heights[0][lane] = h[0];
        cells->heights[1][lane] = h[1];
        cells->heights[2][lane] = h[field->columns];
        cells->heights[3][lane] = h[field->columns + 1];
        cells->tops[lane] = (double)field->tops[SIM_TOPS_ALL][0][row * field->level_columns[0] + column];
    }
}

SIM_INLINE void field_wd_cell(struct field_found *found, wdm of, struct wd_vec at,
                              const struct field_cells *cells)
{
    struct wd_vec corners[4];
    for (int k = 0; k < 4; k++) {
        corners[k] =
            (struct wd_vec){{wd_load(cells->x[k % 2]), wd_load(cells->heights[k]), wd_load(cells->z[k / 2])}};
    }
    field_wd_triangle(found, of, at, corners[0], corners[2], corners[3]);
    field_wd_triangle(found, of, at, corners[0], corners[3], corners[1]);
}

// As near_may of point.c.
SIM_INLINE wdm field_wd_may(const struct field_found *found, struct wd_vec p, const struct field_cells *cells)
{
    const wd zero = wd_set(0);
    wd x = wd_max(wd_max(wd_load(cells->x[0]) - p.x[0], p.x[0] - wd_load(cells->x[1])), zero);
    wd z = wd_max(wd_max(wd_load(cells->z[0]) - p.x[2], p.x[2] - wd_load(cells->z[1])), zero);
    wd y = wd_max(p.x[1] - wd_load(cells->tops), zero);
    return wd_below(x * x + y * y + z * z, found->best2);
}

// Points, lane by lane. point.c measures those that are slow.
struct field_points {
    double at[2][DOUBLES]; // along x and z
    bool live[DOUBLES], slow[DOUBLES];
    uint32_t first[2][DOUBLES], from[2][DOUBLES], to[2][DOUBLES]; // the cell below, and those within reach
};

// Finds the cells within `reach` of the lanes. Returns 4 if there are others than the first, else 0.
static uint32_t field_points_range(const struct sim_field *field, struct field_points *points,
                                   const double reach[DOUBLES])
{
    uint32_t parts = 0;
    for (int lane = 0; lane < DOUBLES; lane++) {
        double low[2], high[2];
        struct field_range range;
        for (int side = 0; side < 2; side++) {
            low[side] = points->at[side][lane] - reach[lane];
            high[side] = points->at[side][lane] + reach[lane];
            points->from[side][lane] = points->to[side][lane] = points->first[side][lane];
        }
        if (!points->live[lane] || !field_range_of(field, low, high, &range)) {
            continue;
        }
        for (int side = 0; side < 2; side++) {
            points->slow[lane] |= range.to[side] > range.from[side] + 2;
            points->from[side][lane] = range.from[side];
            points->to[side][lane] = range.to[side] - 1;
        }
        bool wide = range.to[0] > range.from[0] + 1, long_ = range.to[1] > range.from[1] + 1;
        parts = wide || long_ ? 4 : parts;
    }
    return parts;
}

// Sets the cells of a part of the range, and in which lanes there is one. Returns whether there is any.
static bool field_part(const struct field_points *points, uint32_t part, struct field_cells *cells,
                       double of[DOUBLES])
{
    bool any = false;
    for (int lane = 0; lane < DOUBLES; lane++) {
        uint32_t column = points->from[0][lane] + part % 2, row = points->from[1][lane] + part / 2;
        bool is = points->live[lane] && !points->slow[lane] && column <= points->to[0][lane] &&
                  row <= points->to[1][lane] &&
                  (column != points->first[0][lane] || row != points->first[1][lane]);
        cells->column[lane] = is ? column : points->first[0][lane];
        cells->row[lane] = is ? row : points->first[1][lane];
        of[lane] = is;
        any |= is;
    }
    return any;
}

SIM_INLINE wd field_wd_foot(const struct sim_field *field, int side, wd at)
{
    const wd half = wd_set(field->half[side]), low = wd_set(-field->half[side]);
    return wd_select(wd_below(half, at), half, wd_select(wd_below(at, low), low, at));
}

// As field_height, for feet above the cells.
SIM_INLINE wd field_wd_height(const struct sim_field *field, const struct field_cells *cells,
                              const wd foot[2])
{
    wd parts[2], h[4];
    double first[2][DOUBLES];
    for (int lane = 0; lane < DOUBLES; lane++) {
        first[0][lane] = (double)cells->column[lane];
        first[1][lane] = (double)cells->row[lane];
    }
    for (int side = 0; side < 2; side++) {
        wd at = (foot[side] + wd_set(field->half[side])) / wd_set(field->spacing);
        parts[side] = wd_cut(at - wd_load(first[side]));
    }
    for (int k = 0; k < 4; k++) {
        h[k] = wd_load(cells->heights[k]);
    }
    wdm second = wd_below(parts[1], parts[0]);
    wd dx = wd_select(second, h[1] - h[0], h[3] - h[2]), dz = wd_select(second, h[3] - h[1], h[2] - h[0]);
    return h[0] + (parts[0] * dx + parts[1] * dz);
}

SIM_INLINE wd field_wd_told(const struct field_found *found, double limit, struct wd_vec *normal)
{
    const wd zero = wd_set(0), one = wd_set(1);
    wdm is = wd_below(zero, found->found), on_face = wd_below(zero, found->on_face);
    wd distance = wd_sqrt(found->best2);
    wd length = wd_select(on_face, wd_sqrt(wd_dot(found->face, found->face)), distance);
    wdm has = wd_and(is, wd_below(zero, length));
    for (int axis = 0; axis < 3; axis++) {
        wd way = wd_select(on_face, found->face.x[axis], found->way.x[axis]);
        normal->x[axis] = wd_select(has, way / length, axis == 1 ? one : zero);
    }
    return wd_select(is, distance, wd_set(limit));
}

// Lets point.c measure the slow lanes.
static void field_points_slow(const struct sim_field *field, const struct wd_vec *p, double limit,
                              const struct field_points *points, wd *distance, struct wd_vec *normal)
{
    double at[3][DOUBLES], ways[3][DOUBLES], distances[DOUBLES];
    for (int axis = 0; axis < 3; axis++) {
        wd_store(at[axis], p->x[axis]);
        wd_store(ways[axis], normal->x[axis]);
    }
    wd_store(distances, *distance);
    for (int lane = 0; lane < DOUBLES; lane++) {
        const double place[3] = {at[0][lane], at[1][lane], at[2][lane]};
        double way[3];
        if (!points->slow[lane]) {
            continue;
        }
        distances[lane] = sim_field_distance(field, place, limit, way);
        for (int axis = 0; axis < 3; axis++) {
            ways[axis][lane] = way[axis];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        normal->x[axis] = wd_load(ways[axis]);
    }
    *distance = wd_load(distances);
}

static bool field_any(const bool lanes[DOUBLES])
{
    bool any = false;
    for (int lane = 0; lane < DOUBLES; lane++) {
        any |= lanes[lane];
    }
    return any;
}

static __attribute__((noinline)) wd distance_to_field(const struct wd_vec *p, const struct sim_field *field,
                                                      double limit, struct wd_vec *normal)
{
    const wd zero = wd_set(0), one = wd_set(1), far = wd_set(limit);
    const wd foot[2] = {field_wd_foot(field, 0, p->x[0]), field_wd_foot(field, 1, p->x[2])};
    const wd away[2] = {p->x[0] - foot[0], p->x[2] - foot[1]};
    wd aside = wd_sqrt(away[0] * away[0] + away[1] * away[1]);
    wdm near = wd_and(wd_below(p->x[1] - wd_set(field->most), far), wd_below(aside, far));
    *normal = (struct wd_vec){{zero, one, zero}};
    if (!wd_any(near)) {
        return far;
    }
    struct field_points points;
    struct field_cells cells;
    double lanes[DOUBLES], reach[DOUBLES];
    wd_store(points.at[0], p->x[0]);
    wd_store(points.at[1], p->x[2]);
    for (int lane = 0; lane < DOUBLES; lane++) {
        for (int side = 0; side < 2; side++) {
            points.first[side][lane] = field_cell_at(field, side, points.at[side][lane]);
        }
        cells.column[lane] = points.first[0][lane];
        cells.row[lane] = points.first[1][lane];
    }
    field_cells_fill(field, &cells);
    wd height = p->x[1] - field_wd_height(field, &cells, foot);
    struct field_found found = {.on_face = zero, .way = {{away[0], height, away[1]}}};
    found.face = found.way;
    wd squared = wd_dot(found.way, found.way), limit2 = far * far;
    wdm less = wd_below(squared, limit2), above = wd_and(near, wd_below(zero, height));
    found.found = wd_where(wd_and(less, above), one);
    found.best2 = wd_select(less, squared, limit2);
    wd_store(lanes, wd_where(near, wd_select(above, one, wd_set(2))));
    for (int lane = 0; lane < DOUBLES; lane++) {
        points.live[lane] = lanes[lane] == 1;
        points.slow[lane] = lanes[lane] == 2;
    }
    field_wd_cell(&found, above, *p, &cells);
    wd_store(reach, wd_sqrt(found.best2));
    for (uint32_t part = 0, parts = field_points_range(field, &points, reach); part < parts; part++) {
        if (field_part(&points, part, &cells, lanes)) {
            field_cells_fill(field, &cells);
            wdm may = wd_and(wd_below(zero, wd_load(lanes)), field_wd_may(&found, *p, &cells));
            if (wd_any(may)) {
                field_wd_cell(&found, may, *p, &cells);
            }
        }
    }
    wd distance = field_wd_told(&found, limit, normal);
    if (field_any(points.slow)) {
        field_points_slow(field, p, limit, &points, &distance, normal);
    }
    return distance;
}

#endif
