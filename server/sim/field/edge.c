// Edges a + s d against a height field. What is nearest of an edge, and neither of its ends, is so to an edge of the surface
// that stands out: to none where the surface is hollow or flat.
//
//     seen from above both cross, d lies lower there   phi = gap n_y,  n = d x e upwards: out is past that edge
//     else                                             the distance of the two (Ericson 2005, 5.1.9), if d is outside there
//
// and the least phi counts. On its way an edge goes on by as much as keeps it apart (conservative advancement, Mirtich 1996).
#include "sim/field/walk.h"

struct edge {
    const struct sim_field *field;
    const double *a;
    double d[3];
    double phi, normal[3], s; // the least so far; or the limit
    bool found, whole;        // whole: the ends count as well
};

static void edge_take(struct edge *edge, double phi, const double n[3], double length, double s)
{
    edge->phi = phi;
    edge->s = s;
    edge->found = true;
    for (int axis = 0; axis < 3; axis++) {
        edge->normal[axis] = n[axis] / length;
    }
}

static bool counts(const struct edge *edge, double s)
{
    return edge->whole || (s > FIELD_AT_END && s < 1 - FIELD_AT_END);
}

// Whether a part of b is one in [0, 1].
static bool is_part(double a, double b)
{
    return b > 0 ? a >= 0 && a <= b : a <= 0 && a >= b;
}

// Whether they cross, seen from above, with the edge lower. It is told even if another place is deeper. w: u, seen from a.
static bool crosses_below(struct edge *edge, const double w[3], const double e[3])
{
    const double *d = edge->d;
    double turn = d[0] * e[2] - d[2] * e[0], n[3];
    double s = w[0] * e[2] - w[2] * e[0], t = w[0] * d[2] - w[2] * d[0]; // times turn
    if (turn == 0 || !is_part(s, turn) || !is_part(t, turn)) {
        return false;
    }
    s /= turn;
    double gap = s * d[1] - (w[1] + t / turn * e[1]);
    if (!(gap < 0)) {
        return false;
    }
    field_cross(d, e, n);
    double length = sqrt(field_dot(n, n)) * (turn < 0 ? 1 : -1); // n_y is -turn
    double phi = gap * (n[1] / length);
    if (phi < edge->phi && counts(edge, s)) {
        edge_take(edge, phi, n, length, s);
    }
    return true;
}

// Both ends of w + t e, seen from a, are beyond all of the edge along an axis, by more than counts.
static bool apart(const struct edge *edge, const double w[3], const double e[3])
{
    const double *d = edge->d;
    double reach = field_most(edge->phi, 0);
    for (int axis = 0; axis < 3; axis++) {
        double low = field_least(w[axis], w[axis] + e[axis]), high = field_most(w[axis], w[axis] + e[axis]);
        if (high + reach < field_least(d[axis], 0) || (axis != 1 && low - reach > field_most(d[axis], 0))) {
            return true;
        }
    }
    return false;
}

static void pair(struct edge *edge, const double u[3], const double v[3])
{
    double e[3], w[3], p[3], way[3], s, t;
    field_apart(v, u, e);
    field_apart(u, edge->a, w);
    if (apart(edge, w, e) || crosses_below(edge, w, e) || edge->phi <= 0) {
        return;
    }
    field_closest(edge->d, w, e, &s, &t);
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = s * edge->d[axis] - (w[axis] + t * e[axis]);
    }
    double squared = field_dot(way, way);
    if (!(squared < edge->phi * edge->phi && squared > 0) || !counts(edge, s)) {
        return;
    }
    field_along(edge->a, s, edge->d, p);
    if (!field_inside(edge->field, p)) {
        double length = sqrt(squared);
        edge_take(edge, length, way, length, s);
    }
}

// Whether a part of the edge is near enough to the square, seen from above, and how high the lowest point of that part is.
static inline bool edge_may(void *context, const struct field_square *square)
{
    const struct edge *edge = context;
    double reach = field_most(edge->phi, 0) + FIELD_HAIR * edge->field->spacing, from = 0, to = 1;
    for (int side = 0; side < 2; side++) {
        double a = edge->a[2 * side], d = edge->d[2 * side];
        double low = square->low[side] - reach - a, high = square->high[side] + reach - a;
        if (fabs(d) < 1e-30) {
            if (low > 0 || high < 0) {
                return false;
            }
            continue;
        }
        double first = low / d, second = high / d;
        from = field_most(from, field_least(first, second));
        to = field_least(to, field_most(first, second));
    }
    double lowest = edge->a[1] + (edge->d[1] < 0 ? to : from) * edge->d[1];
    return from <= to && lowest - square->top < edge->phi;
}

static void cell_edge(struct edge *edge, uint32_t column, uint32_t row, uint8_t which)
{
    double u[3], v[3];
    if ((edge->field->ridges[row * edge->field->columns + column] & which) == 0) {
        return;
    }
    field_vertex(edge->field, column, row, u);
    field_vertex(edge->field, column + (which != SIM_RIDGE_Z), row + (which != SIM_RIDGE_X), v);
    pair(edge, u, v);
}

static inline void edge_cell(void *context, uint32_t column, uint32_t row)
{
    struct edge *edge = context;
    cell_edge(edge, column, row, SIM_RIDGE_X);
    cell_edge(edge, column, row, SIM_RIDGE_Z);
    cell_edge(edge, column, row, SIM_RIDGE_DIAGONAL);
    if (column + 2 == edge->field->columns) {
        cell_edge(edge, column + 1, row, SIM_RIDGE_Z);
    }
    if (row + 2 == edge->field->rows) {
        cell_edge(edge, column, row + 1, SIM_RIDGE_X);
    }
}

// The walls meet in four upright edges, without end.
static void corners_look(struct edge *edge, const double low[2], const double high[2])
{
    const struct sim_field *field = edge->field;
    for (uint32_t k = 0; k < 4; k++) {
        double top[3], foot[3];
        field_vertex(field, k % 2 * (field->columns - 1), k / 2 * (field->rows - 1), top);
        double lowest = field_least(edge->a[1], edge->a[1] + edge->d[1]) - edge->phi;
        if (lowest < top[1] && top[0] >= low[0] && top[0] <= high[0] && top[2] >= low[1] &&
            top[2] <= high[1]) {
            foot[0] = top[0];
            foot[1] = lowest;
            foot[2] = top[2];
            pair(edge, top, foot);
        }
    }
}

static void edge_look(struct edge *edge, uint32_t *looks)
{
    double low[2], high[2], lowest = field_least(edge->a[1], edge->a[1] + edge->d[1]);
    struct field_range range;
    if (!(lowest - edge->field->most < edge->phi)) {
        return;
    }
    for (int side = 0; side < 2; side++) {
        double from = edge->a[2 * side], to = from + edge->d[2 * side];
        low[side] = field_least(from, to) - field_most(edge->phi, 0);
        high[side] = field_most(from, to) + field_most(edge->phi, 0);
    }
    if (field_range_of(edge->field, low, high, &range)) {
        corners_look(edge, low, high);
        field_walk(edge->field, SIM_TOPS_EDGES, &range, looks, edge, edge_may, edge_cell);
    }
}

static struct edge edge_of(const struct sim_field *field, const double corners[3][3], double limit)
{
    struct edge edge = {.field = field, .a = corners[0], .phi = limit};
    field_apart(corners[1], corners[0], edge.d);
    return edge;
}

static void touch_from(const struct edge *edge, struct sim_field_touch *touch)
{
    *touch = (struct sim_field_touch){
        .phi = edge->phi, .normal = {edge->normal[0], edge->normal[1], edge->normal[2]}, .c = {edge->s, 0}};
}

bool sim_field_edge(const struct sim_field *field, const double corners[3][3], double limit,
                    struct sim_field_touch *touch)
{
    struct edge edge = edge_of(field, corners, limit);
    uint32_t looks = SIM_FIELD_LOOKS;
    edge_look(&edge, &looks);
    if (!edge.found) {
        return false;
    }
    touch_from(&edge, touch);
    if (edge.phi > 0) { // what that point is nearest to is more than the edges that were looked at
        double p[3], normal[3];
        field_along(edge.a, edge.s, edge.d, p);
        double phi = sim_field_distance(field, p, edge.phi, normal);
        if (phi < edge.phi) {
            touch->phi = phi;
            memcpy(touch->normal, normal, sizeof normal);
        }
    }
    return true;
}

// Finds the nearest point of the whole edge, its ends as well. A distance beyond the limit counts as the limit.
static void edge_nearest(struct edge *edge, const double corners[3][3], uint32_t *looks)
{
    edge->whole = true;
    for (uint32_t k = 0; k < 2; k++) {
        double normal[3];
        double phi = field_distance(edge->field, corners[k], edge->phi, normal, looks);
        if (phi < edge->phi) {
            edge_take(edge, phi, normal, 1, k);
        }
    }
    if (field_dot(edge->d, edge->d) > 0) { // both ends of a point are one
        edge_look(edge, looks);
    }
}

bool sim_field_edge_passes(const struct sim_field *field, const double starts[3][3], const double ends[3][3],
                           double thickness, struct sim_field_touch *touch, double *moment)
{
    double ways[2][3], corners[3][3];
    uint32_t looks = FIELD_LOOKS_PASSING;
    field_apart(ends[0], starts[0], ways[0]);
    field_apart(ends[1], starts[1], ways[1]);
    double way = sqrt(field_most(field_dot(ways[0], ways[0]), field_dot(ways[1], ways[1])));
    *moment = 0;
    for (int i = 0; i < FIELD_ADVANCES && *moment < 1; i++) {
        field_along(starts[0], *moment, ways[0], corners[0]);
        field_along(starts[1], *moment, ways[1], corners[1]);
        double near = (i + 1 < FIELD_ADVANCES ? FIELD_TOUCHED : FIELD_TOUCHED_LAST) * thickness;
        struct edge edge = edge_of(field, (const double(*)[3])corners, near + (1 - *moment) * way);
        edge_nearest(&edge, (const double(*)[3])corners, &looks);
        if (edge.phi < near) {
            touch_from(&edge, touch);
            return true;
        }
        if (!edge.found) {
            return false; // too far to come near
        }
        *moment += (edge.phi - thickness) / way;
    }
    return false;
}
