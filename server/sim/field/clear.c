// This file tells how far the corners of an edge or a triangle may go before it can touch a height field. As long as they
// have not gone so far, edge.c and triangle.c find nothing.
//
// An edge of the surface counts together with all that is below it, as a wall. A peak counts as an upright line. A feature that
// is apart from all of these by more than the thickness touches none of them and lies below none of them. Any direction n
// with n_y >= 0 bounds that distance from below:
//
//     apart = least n.x over the feature - greatest n.x over the ridge or peak
//
// It changes by no more than the way of the corners. The ends of an edge are left out as edge.c leaves them out, because a
// particle touches there.
#include "sim/field/walk.h"

enum { CELLS_MOST = 64 }; // 0 is the answer for a feature over more cells

struct clearing {
    const struct sim_field *field;
    const double (*corners)[3];
    uint32_t count;
    double low[3], high[3];
    double thickness, reach,
        least; // reach: farther ones do not matter; least: the answer so far
};

static double outermost(const double n[3], const double (*points)[3], uint32_t count, double sign)
{
    double out = sign * field_dot(n, points[0]);
    for (uint32_t k = 1; k < count; k++) {
        out = field_most(out, sign * field_dot(n, points[k]));
    }
    return sign * out;
}

// Takes the way from a ridge or peak to the feature as the direction; only its level part if it points down.
static void apart_by(struct clearing *clearing, const double way[3], const double (*points)[3],
                     uint32_t count)
{
    const double n[3] = {way[0], field_most(way[1], 0), way[2]};
    double length = sqrt(field_dot(n, n));
    double apart = outermost(n, clearing->corners, clearing->count, -1) - outermost(n, points, count, 1);
    double left = apart / length - clearing->thickness;
    if (!(left >= clearing->least)) { // true if it is no number
        clearing->least = left > 0 ? left : 0;
    }
}

// Tells whether a box may be nearer than the reach.
static bool near(const struct clearing *clearing, const double low[3], const double high[3])
{
    return clearing->low[1] - high[1] < clearing->reach && //
           clearing->low[0] - high[0] < clearing->reach && low[0] - clearing->high[0] < clearing->reach &&
           clearing->low[2] - high[2] < clearing->reach && low[2] - clearing->high[2] < clearing->reach;
}

// Tells whether c and d, seen from above, lie on one side of the line through a and b, farther away than the reach.
static bool beside(const double a[3], const double b[3], const double c[3], const double d[3], double reach)
{
    double x = b[0] - a[0], z = b[2] - a[2];
    double first = x * (c[2] - a[2]) - z * (c[0] - a[0]), second = x * (d[2] - a[2]) - z * (d[0] - a[0]);
    double least = field_least(fabs(first), fabs(second));
    return (first > 0) == (second > 0) && least * least > reach * reach * (x * x + z * z);
}

// The direction is that between the nearest points of the two edges.
static void ridge_apart(struct clearing *clearing, const double ends[2][3])
{
    double d[3], e[3], u[3], way[3], s, t, low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = field_least(ends[0][axis], ends[1][axis]);
        high[axis] = field_most(ends[0][axis], ends[1][axis]);
    }
    if (!near(clearing, low, high) ||
        beside(clearing->corners[0], clearing->corners[1], ends[0], ends[1], clearing->reach) ||
        beside(ends[0], ends[1], clearing->corners[0], clearing->corners[1], clearing->reach)) {
        return;
    }
    field_apart(clearing->corners[1], clearing->corners[0], d);
    field_apart(ends[1], ends[0], e);
    field_apart(ends[0], clearing->corners[0], u);
    field_closest(d, u, e, &s, &t);
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = s * d[axis] - (u[axis] + t * e[axis]);
    }
    apart_by(clearing, way, ends, 2);
}

static void peak_apart(struct clearing *clearing, uint32_t column, uint32_t row)
{
    double at[3], u[3], v[3], p[3], way[3], parts[2];
    field_vertex(clearing->field, column, row, at);
    if (!near(clearing, at, at)) {
        return;
    }
    field_apart(clearing->corners[1], clearing->corners[0], u);
    field_apart(clearing->corners[2], clearing->corners[0], v);
    field_apart(at, clearing->corners[0], p);
    field_nearest_of_triangle(u, v, p, parts);
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = (parts[0] * u[axis] + parts[1] * v[axis]) - p[axis];
    }
    apart_by(clearing, way, (const double(*)[3])at, 1);
}

// The field's walls meet in four upright edges, which are no ridges. The answer is 0 near them.
static bool at_a_corner(const struct clearing *clearing, const struct field_range *range)
{
    const struct sim_field *field = clearing->field;
    const uint32_t columns = field->columns, rows = field->rows;
    if ((range->from[0] > 0 && range->to[0] + 1 < columns) ||
        (range->from[1] > 0 && range->to[1] + 1 < rows)) {
        return false;
    }
    for (uint32_t k = 0; k < 4; k++) {
        double top[3];
        field_vertex(field, k % 2 * (columns - 1), k / 2 * (rows - 1), top);
        if (near(clearing, top, top)) {
            return true;
        }
    }
    return false;
}

// Looks at the ridges or peaks that the bit names, of vertices from `first` to `last`.
static void bits_apart(struct clearing *clearing, uint8_t bit, const uint32_t first[2],
                       const uint32_t last[2])
{
    const struct sim_field *field = clearing->field;
    for (uint32_t row = first[1]; row <= last[1] && clearing->least > 0; row++) {
        const uint8_t *ridges = field->ridges + row * field->columns;
        for (uint32_t column = first[0]; column <= last[0]; column++) {
            if ((ridges[column] & bit) == 0) {
                continue;
            }
            if (bit == SIM_RIDGE_PEAK) {
                peak_apart(clearing, column, row);
                continue;
            }
            double ends[2][3];
            field_vertex(field, column, row, ends[0]);
            field_vertex(field, column + (bit != SIM_RIDGE_Z), row + (bit != SIM_RIDGE_X), ends[1]);
            ridge_apart(clearing, (const double(*)[3])ends);
        }
    }
}

static double clear(struct clearing *clearing)
{
    const struct sim_field *field = clearing->field;
    double low[2], high[2];
    struct field_range range;
    if (!(clearing->low[1] - field->most < clearing->reach)) {
        return clearing->least;
    }
    for (int side = 0; side < 2; side++) {
        low[side] = clearing->low[2 * side] - clearing->reach;
        high[side] = clearing->high[2 * side] + clearing->reach;
    }
    if (!field_range_of(field, low, high, &range)) {
        return clearing->least;
    }
    if ((range.to[0] - range.from[0]) * (range.to[1] - range.from[1]) > CELLS_MOST ||
        (clearing->count == 2 && at_a_corner(clearing, &range))) {
        return 0;
    }
    // Ridges along the rim of the range are as far as the reach, except at the rim of the field.
    uint32_t inner[2], outer[2], before[2] = {range.to[0] - 1, range.to[1] - 1};
    for (int side = 0; side < 2; side++) {
        uint32_t end = (side == 0 ? field->columns : field->rows) - 1;
        inner[side] = range.from[side] + (range.from[side] > 0);
        outer[side] = range.to[side] - (range.to[side] < end);
    }
    if (clearing->count == 3) {
        bits_apart(clearing, SIM_RIDGE_PEAK, inner, outer);
        return clearing->least;
    }
    bits_apart(clearing, SIM_RIDGE_X, (const uint32_t[]){range.from[0], inner[1]},
               (const uint32_t[]){before[0], outer[1]});
    bits_apart(clearing, SIM_RIDGE_Z, (const uint32_t[]){inner[0], range.from[1]},
               (const uint32_t[]){outer[0], before[1]});
    bits_apart(clearing, SIM_RIDGE_DIAGONAL, range.from, before);
    return clearing->least;
}

static void clearing_from(struct clearing *clearing, const struct sim_field *field,
                          const double (*corners)[3], uint32_t count, double thickness, double most)
{
    *clearing = (struct clearing){.field = field,
                                  .corners = corners,
                                  .count = count,
                                  .thickness = thickness,
                                  .reach = thickness + most,
                                  .least = most};
    for (int axis = 0; axis < 3; axis++) {
        clearing->low[axis] = field_least(corners[0][axis], corners[1][axis]);
        clearing->high[axis] = field_most(corners[0][axis], corners[1][axis]);
        if (count == 3) {
            clearing->low[axis] = field_least(clearing->low[axis], corners[2][axis]);
            clearing->high[axis] = field_most(clearing->high[axis], corners[2][axis]);
        }
    }
}

double sim_field_edge_clear(const struct sim_field *field, const double corners[3][3], double thickness,
                            double most)
{
    struct clearing clearing;
    double inner[2][3], d[3];
    field_apart(corners[1], corners[0], d);
    field_along(corners[0], FIELD_AT_END, d, inner[0]);
    field_along(corners[0], 1 - FIELD_AT_END, d, inner[1]);
    clearing_from(&clearing, field, (const double(*)[3])inner, 2, thickness, most);
    return clear(&clearing);
}

double sim_field_triangle_clear(const struct sim_field *field, const double corners[3][3], double thickness,
                                double most)
{
    struct clearing clearing;
    clearing_from(&clearing, field, corners, 3, thickness, most);
    return clear(&clearing);
}
