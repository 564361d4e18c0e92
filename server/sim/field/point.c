// Points against a height field.
//
//     above    the nearest point of the triangles' (Ericson 2005, 5.1.5)
//     beside   of a wall where it is no higher than the rim next to it, else the same
//     below    the face of least depth, of the plane of the triangle above it and the walls
#include "sim/field/walk.h"

struct near {
    const struct sim_field *field;
    const double *p;
    double best2; // of what is found so far, or of the limit
    double way[3], face[3];
    uint32_t first[2]; // the cell below it
    bool found, on_face;
};

void field_nearest_of_triangle(const double u[3], const double v[3], const double p[3], double parts[2])
{
    double uu = field_dot(u, u), uv = field_dot(u, v), vv = field_dot(v, v);
    double pu = field_dot(p, u), pv = field_dot(p, v);
    double b = pu * vv - pv * uv, c = pv * uu - pu * uv, all = uu * vv - uv * uv;
    if (b >= 0 && c >= 0 && b + c <= all) {
        parts[0] = b / all;
        parts[1] = c / all;
        return;
    }
    // Takes the nearest point of each side, and the nearest of these.
    const double sides[3][2] = {{field_cut(pu / uu), 0}, {0, field_cut(pv / vv)}, {0, 0}};
    double third = field_cut(((pv - pu) + (uu - uv)) / ((uu - 2 * uv) + vv)), least = 0;
    for (int side = 0; side < 3; side++) {
        double s = side == 2 ? 1 - third : sides[side][0], t = side == 2 ? third : sides[side][1], d[3];
        for (int axis = 0; axis < 3; axis++) {
            d[axis] = p[axis] - (s * u[axis] + t * v[axis]);
        }
        double squared = field_dot(d, d);
        if (side == 0 || squared < least) {
            least = squared;
            parts[0] = s;
            parts[1] = t;
        }
    }
}

static void triangle_take(struct near *near, const double a[3], const double b[3], const double c[3])
{
    double u[3], v[3], p[3], way[3], parts[2];
    field_apart(b, a, u);
    field_apart(c, a, v);
    field_apart(near->p, a, p);
    field_nearest_of_triangle(u, v, p, parts);
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = p[axis] - (parts[0] * u[axis] + parts[1] * v[axis]);
    }
    double squared = field_dot(way, way);
    if (squared < near->best2) {
        near->best2 = squared;
        near->found = true;
        near->on_face = parts[0] > 0 && parts[1] > 0 && parts[0] + parts[1] < 1;
        field_cross(u, v, near->face);
        for (int axis = 0; axis < 3; axis++) {
            near->way[axis] = way[axis];
        }
    }
}

static inline bool near_may(void *context, const struct field_square *square)
{
    const struct near *near = context;
    const double *p = near->p;
    double x = field_most(field_most(square->low[0] - p[0], p[0] - square->high[0]), 0);
    double z = field_most(field_most(square->low[1] - p[2], p[2] - square->high[1]), 0);
    double y = field_most(p[1] - square->top, 0);
    return x * x + y * y + z * z < near->best2;
}

static void cell_take(struct near *near, uint32_t column, uint32_t row)
{
    double corners[4][3];
    for (uint32_t k = 0; k < 4; k++) {
        field_vertex(near->field, column + k % 2, row + k / 2, corners[k]);
    }
    triangle_take(near, corners[0], corners[2], corners[3]);
    triangle_take(near, corners[0], corners[3], corners[1]);
}

static inline void near_cell(void *context, uint32_t column, uint32_t row)
{
    struct near *near = context;
    if (column != near->first[0] || row != near->first[1]) {
        cell_take(near, column, row);
    }
}

// The cell below first: mostly no other comes near.
static void near_look(struct near *near, uint32_t *looks)
{
    double low[2], high[2];
    struct field_range range;
    for (int side = 0; side < 2; side++) {
        near->first[side] = field_cell_at(near->field, side, near->p[2 * side]);
    }
    cell_take(near, near->first[0], near->first[1]);
    double limit = sqrt(near->best2);
    for (int side = 0; side < 2; side++) {
        low[side] = near->p[2 * side] - limit;
        high[side] = near->p[2 * side] + limit;
    }
    if (field_range_of(near->field, low, high, &range) &&
        (range.from[0] + 1 < range.to[0] || range.from[1] + 1 < range.to[1])) {
        field_walk(near->field, SIM_TOPS_ALL, &range, looks, near, near_may, near_cell);
    }
}

static void up(double normal[3])
{
    normal[0] = normal[2] = 0;
    normal[1] = 1;
}

static double below(const struct sim_field *field, const double p[3], double depth, const double slope[2],
                    double normal[3])
{
    double steep = sqrt(1 + (slope[0] * slope[0] + slope[1] * slope[1])), phi = depth / steep;
    normal[0] = -slope[0] / steep;
    normal[1] = 1 / steep;
    normal[2] = -slope[1] / steep;
    for (int side = 0; side < 2; side++) {
        double wall = fabs(p[2 * side]) - field->half[side];
        if (wall > phi) {
            phi = wall;
            up(normal);
            normal[1] = 0;
            normal[2 * side] = p[2 * side] < 0 ? -1 : 1;
        }
    }
    return phi;
}

// No higher than the rim next to it.
static double beside(const double away[2], double distance, double normal[3])
{
    normal[0] = away[0] / distance;
    normal[1] = 0;
    normal[2] = away[1] / distance;
    return distance;
}

double field_distance(const struct sim_field *field, const double p[3], double limit, double normal[3],
                      uint32_t *looks)
{
    double foot[2], away[2], slope[2];
    up(normal);
    for (int side = 0; side < 2; side++) {
        double half = field->half[side], at = p[2 * side];
        foot[side] = at > half ? half : (at < -half ? -half : at);
        away[side] = at - foot[side];
    }
    double aside = sqrt(away[0] * away[0] + away[1] * away[1]);
    if (!(p[1] - field->most < limit) || !(aside < limit)) {
        return limit;
    }
    double height = p[1] - field_height(field, foot[0], foot[1], slope);
    if (height <= 0) {
        return aside > 0 ? beside(away, aside, normal) : below(field, p, height, slope, normal);
    }
    struct near near = {.field = field, .p = p, .best2 = limit * limit, .way = {away[0], height, away[1]}};
    double squared = field_dot(near.way, near.way); // of what is right below it, if not found to be nearer
    near.found = squared < near.best2;
    near.best2 = field_least(squared, near.best2);
    near_look(&near, looks);
    if (!near.found) {
        return limit;
    }
    double distance = sqrt(near.best2);
    const double *way = near.on_face ? near.face : near.way;
    double length = near.on_face ? sqrt(field_dot(way, way)) : distance;
    for (int axis = 0; axis < 3 && length > 0; axis++) {
        normal[axis] = way[axis] / length;
    }
    return distance;
}

double sim_field_distance(const struct sim_field *field, const double p[3], double limit, double normal[3])
{
    uint32_t looks = SIM_FIELD_LOOKS;
    return field_distance(field, p, limit, normal, &looks);
}

// --------------------------------------------------------------------------------------------------- reach

static inline void reached(void *context, uint32_t column, uint32_t row)
{
    struct near *near = context;
    (void)column;
    (void)row;
    near->found = true;
    near->best2 = 0; // nothing else matters
}

bool sim_field_reaches(const struct sim_field *field, enum sim_field_tops tops, const double p[3],
                       double radius)
{
    const double low[2] = {p[0] - radius, p[2] - radius}, high[2] = {p[0] + radius, p[2] + radius};
    struct near near = {.field = field, .p = p, .best2 = radius * radius};
    struct field_range range;
    uint32_t looks = SIM_FIELD_LOOKS;
    if (!(p[1] - field->most < radius) || !field_range_of(field, low, high, &range)) {
        return false;
    }
    field_walk(field, tops, &range, &looks, &near, near_may, reached);
    return near.found || looks == 0;
}
