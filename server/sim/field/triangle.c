// The insides of triangles against the peaks of a height field, n being a triangle's normal upwards.
//
//     a peak is above the triangle, seen from above within it   phi = gap n_y: out is over the peak
//     else                                                      its distance, if its foot is within and outside the field
//
// On its way a triangle goes on by as much as keeps it apart from all peaks. Where one comes near to its sides that is the
// business of edges, and the triangle is looked at where it ends.
#include "sim/field/walk.h"

#define UPRIGHT 0.05 // n_y below which a triangle has no side that is up

struct triangle {
    const struct sim_field *field;
    const double *a;
    double u[3], v[3], n[3];
    double low[3], high[3];
    double phi, normal[3], c[2]; // the least so far; or the limit
    double apart;                // from all peaks, or the limit
    bool found, goes;            // goes: on its way
};

// False of one without an area.
static bool triangle_from(struct triangle *t, const struct sim_field *field, const double corners[3][3],
                          double limit)
{
    *t = (struct triangle){.field = field, .a = corners[0], .phi = limit, .apart = limit};
    field_apart(corners[1], corners[0], t->u);
    field_apart(corners[2], corners[0], t->v);
    field_cross(t->u, t->v, t->n);
    double length = sqrt(field_dot(t->n, t->n)) * (t->n[1] < 0 ? -1 : 1);
    for (int axis = 0; axis < 3 && length != 0; axis++) {
        t->n[axis] /= length;
        t->low[axis] = field_least(corners[0][axis], field_least(corners[1][axis], corners[2][axis]));
        t->high[axis] = field_most(corners[0][axis], field_most(corners[1][axis], corners[2][axis]));
    }
    return length != 0;
}

static void triangle_take(struct triangle *t, double phi, double sign, const double c[2])
{
    t->phi = phi;
    t->found = true;
    for (int axis = 0; axis < 3; axis++) {
        t->normal[axis] = sign * t->n[axis];
    }
    t->c[0] = c[0];
    t->c[1] = c[1];
}

// Finds the parts of the point of the triangle that is right above or below p, which is seen from a. False if there is none.
static bool upright(const struct triangle *t, const double p[3], double c[2])
{
    double turn = t->u[0] * t->v[2] - t->u[2] * t->v[0];
    c[0] = turn != 0 ? (p[0] * t->v[2] - p[2] * t->v[0]) / turn : -1;
    c[1] = turn != 0 ? (t->u[0] * p[2] - t->u[2] * p[0]) / turn : -1;
    return c[0] >= 0 && c[1] >= 0 && c[0] + c[1] <= 1;
}

static void peak(struct triangle *t, uint32_t column, uint32_t row)
{
    double at[3], p[3], c[2], over[2], foot[3];
    if ((t->field->ridges[row * t->field->columns + column] & SIM_RIDGE_PEAK) == 0) {
        return;
    }
    field_vertex(t->field, column, row, at);
    field_apart(at, t->a, p);
    double height = field_dot(t->n, p);
    field_nearest_of_triangle(t->u, t->v, p, c);
    field_along(t->a, c[0], t->u, foot);
    field_along(foot, c[1], t->v, foot);
    bool within = c[0] > 0 && c[1] > 0 && c[0] + c[1] < 1;
    if (height > 0 && upright(t, p, over)) {
        if (-height < t->phi) {
            triangle_take(t, -height, 1, within ? c : over);
        }
        t->apart = field_least(t->apart, 0);
        return;
    }
    field_apart(foot, at, p);
    double distance = sqrt(field_dot(p, p));
    t->apart = field_least(t->apart, distance);
    if (within && distance < t->phi && distance > 0 && !field_inside(t->field, foot)) {
        triangle_take(t, distance, height > 0 ? -1 : 1, c);
    }
}

static inline bool triangle_may(void *context, const struct field_square *square)
{
    const struct triangle *t = context;
    double limit = t->goes ? t->apart : t->phi, across = 0, deep = 0;
    double reach = field_most(limit, 0) + FIELD_HAIR * t->field->spacing;
    if (!(t->low[1] - square->top < limit)) {
        return false;
    }
    for (int side = 0; side < 2; side++) {
        if (t->low[2 * side] - reach > square->high[side] || t->high[2 * side] + reach < square->low[side]) {
            return false;
        }
        double n = t->n[2 * side], middle = 0.5 * (square->low[side] + square->high[side]);
        across += n * (middle - t->a[2 * side]);
        deep += fabs(n) * (0.5 * (square->high[side] - square->low[side]));
    }
    if (t->n[1] > UPRIGHT) { // all of the square is so far below the plane
        return -(across + deep + t->n[1] * (square->top - t->a[1])) < limit;
    }
    double low = t->low[1] - reach, high = field_least(square->top, t->high[1] + reach);
    across += t->n[1] * (0.5 * (low + high) - t->a[1]);
    deep += t->n[1] * fabs(0.5 * (high - low));
    return fabs(across) < deep + reach;
}

static inline void triangle_cell(void *context, uint32_t column, uint32_t row)
{
    struct triangle *t = context;
    bool last_x = column + 2 == t->field->columns, last_z = row + 2 == t->field->rows;
    peak(t, column, row);
    if (last_x) {
        peak(t, column + 1, row);
    }
    if (last_z) {
        peak(t, column, row + 1);
    }
    if (last_x && last_z) {
        peak(t, column + 1, row + 1);
    }
}

static void triangle_look(struct triangle *t, uint32_t *looks)
{
    struct field_range range;
    double low[2], high[2];
    for (int side = 0; side < 2; side++) {
        low[side] = t->low[2 * side] - field_most(t->phi, 0);
        high[side] = t->high[2 * side] + field_most(t->phi, 0);
    }
    if (t->low[1] - t->field->most < t->phi && field_range_of(t->field, low, high, &range)) {
        field_walk(t->field, SIM_TOPS_PEAKS, &range, looks, t, triangle_may, triangle_cell);
    }
}

static void touch_from(const struct triangle *t, struct sim_field_touch *touch)
{
    *touch = (struct sim_field_touch){
        .phi = t->phi, .normal = {t->normal[0], t->normal[1], t->normal[2]}, .c = {t->c[0], t->c[1]}};
}

bool sim_field_triangle(const struct sim_field *field, const double corners[3][3], double limit,
                        struct sim_field_touch *touch)
{
    struct triangle t;
    uint32_t looks = SIM_FIELD_LOOKS;
    if (!triangle_from(&t, field, corners, limit)) {
        return false;
    }
    triangle_look(&t, &looks);
    if (!t.found) {
        return false;
    }
    touch_from(&t, touch);
    if (t.phi > 0) { // what that point is nearest to may be no peak
        double p[3], normal[3];
        field_along(t.a, t.c[0], t.u, p);
        field_along(p, t.c[1], t.v, p);
        double phi = sim_field_distance(field, p, t.phi, normal);
        if (phi < t.phi) {
            touch->phi = phi;
            memcpy(touch->normal, normal, sizeof normal);
        }
    }
    return true;
}

bool sim_field_triangle_passes(const struct sim_field *field, const double starts[3][3],
                               const double ends[3][3], double thickness, struct sim_field_touch *touch,
                               double *moment)
{
    double ways[3][3], corners[3][3], way2 = 0;
    uint32_t looks = FIELD_LOOKS_PASSING;
    for (uint32_t k = 0; k < 3; k++) {
        field_apart(ends[k], starts[k], ways[k]);
        way2 = field_most(way2, field_dot(ways[k], ways[k]));
    }
    double way = sqrt(way2);
    *moment = 0;
    for (int i = 0; i < FIELD_ADVANCES && *moment < 1; i++) {
        struct triangle t;
        double near = (i + 1 < FIELD_ADVANCES ? FIELD_TOUCHED : FIELD_TOUCHED_LAST) * thickness;
        for (uint32_t k = 0; k < 3; k++) {
            field_along(starts[k], *moment, ways[k], corners[k]);
        }
        if (!triangle_from(&t, field, (const double(*)[3])corners, near + (1 - *moment) * way)) {
            return false;
        }
        t.goes = true;
        triangle_look(&t, &looks);
        if (t.found && t.phi < near) {
            touch_from(&t, touch);
            return true;
        }
        if (!(t.apart < near + (1 - *moment) * way)) {
            return false; // too far to come near
        }
        if (t.apart < near) {
            break;
        }
        *moment += (t.apart - thickness) / way;
    }
    *moment = 1;
    return sim_field_triangle(field, ends, thickness, touch);
}
