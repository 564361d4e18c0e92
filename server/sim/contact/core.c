// Whether triangles reach into the cores of colliders.
//
// A sphere and a capsule: the distance between the triangle and the axis, which is a segment or a point (Ericson 2005, 5.1).
// A box, a hull and a cylinder: the triangle is cut off at each flat face (Sutherland, Hodgman 1974), and what is left of it
// is looked at. A plane: the lowest corner. A height field: its corners, the ridges above its edges, the peaks inside.

#include "sim/contact/core.h"

#include "sim/field/field.h"
#include "sim/ground/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { PIECE_MAX = 3 + SIM_HULL_TRIANGLES_MAX, FOOTPRINT_MAX = 4096 };

static double least(double a, double b)
{
    return a < b ? a : b;
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

double sim_inner_of(const struct sim_shape *shape)
{
    switch (shape->kind) {
    case SIM_BOX:
        return least(shape->half_extents[0], least(shape->half_extents[1], shape->half_extents[2]));
    case SIM_CYLINDER:
        return least(shape->radius, 0.5 * shape->length);
    case SIM_CONVEX:
        return shape->hull->inner;
    case SIM_PLANE:
    case SIM_HEIGHT_FIELD:
        return 0;
    default:
        return shape->radius;
    }
}

// ----------------------------------------------------------------------------------------------------- bounds

static void bound(struct sim_core *core, double x, double y, double z)
{
    const double half[3] = {x, y, z};
    for (int axis = 0; axis < 3; axis++) {
        core->low[axis] = -half[axis];
        core->most[axis] = half[axis];
    }
}

static void hull_bound(struct sim_core *core)
{
    const struct sim_hull *hull = core->hull;
    for (int axis = 0; axis < 3; axis++) {
        core->low[axis] = core->most[axis] = hull->vertices[0][axis];
        for (uint32_t i = 1; i < hull->vertex_count; i++) {
            core->low[axis] = least(core->low[axis], hull->vertices[i][axis]);
            core->most[axis] = most(core->most[axis], hull->vertices[i][axis]);
        }
    }
}

void sim_core_from(const struct sim_shape *shape, double thickness, double share, struct sim_core *core)
{
    *core = (struct sim_core){.kind = shape->kind, .hull = shape->hull, .field = shape->field};
    const double in = core->depth = share * sim_inner_of(shape);
    const double *half = shape->half_extents;
    switch (shape->kind) {
    case SIM_SPHERE:
    case SIM_CAPSULE:
        core->radius = shape->radius - in;
        core->half = shape->kind == SIM_CAPSULE ? 0.5 * shape->length : 0;
        bound(core, core->radius, core->half + core->radius, core->radius);
        return;
    case SIM_CYLINDER:
        core->radius = shape->radius - in;
        core->half = 0.5 * shape->length - in;
        bound(core, core->radius, core->half, core->radius);
        return;
    case SIM_BOX:
        bound(core, half[0] - in, half[1] - in, half[2] - in);
        return;
    case SIM_CONVEX:
        hull_bound(core);
        return;
    default:
        core->depth = thickness;
        bound(core, DBL_MAX, DBL_MAX, DBL_MAX);
        core->most[1] = -thickness;
        if (core->field) {
            bound(core, core->field->half[0], DBL_MAX, core->field->half[1]);
            core->most[1] = core->field->most - thickness;
        }
    }
}

static bool boxes_part(const struct sim_core *core, const double low[3], const double high[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (!(low[axis] < core->most[axis] && high[axis] > core->low[axis])) {
            return true;
        }
    }
    return false;
}

bool sim_core_near(const struct sim_core *core, const double middle[3], double radius)
{
    const double low[3] = {middle[0] - radius, middle[1] - radius, middle[2] - radius};
    const double high[3] = {middle[0] + radius, middle[1] + radius, middle[2] + radius};
    if (boxes_part(core, low, high)) {
        return false;
    }
    for (uint32_t f = 0; core->hull && f < core->hull->face_count; f++) {
        const struct sim_hull_face *face = &core->hull->faces[f];
        if (!(sim_dot(face->normal, middle) - radius < face->offset - core->depth)) {
            return false;
        }
    }
    return true;
}

// -------------------------------------------------------------------------------------------------- distances

static void along(const double a[3], const double b[3], double s, double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = a[axis] + s * (b[axis] - a[axis]);
    }
}

static double apart2(const double a[3], const double b[3])
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sim_dot(d, d);
}

static double cut(double s)
{
    return s > 0 ? (s < 1 ? s : 1) : 0;
}

// The square of the distance from a point to an edge.
static double point_edge2(const double p[3], const double a[3], const double b[3])
{
    const double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    const double from[3] = {p[0] - a[0], p[1] - a[1], p[2] - a[2]};
    double length2 = sim_dot(d, d), at[3];
    along(a, b, length2 > 0 ? cut(sim_dot(from, d) / length2) : 0, at);
    return apart2(p, at);
}

// The square of the distance between the axis from (0, -half, 0) to (0, half, 0) and an edge.
static double axis_edge2(double half, const double a[3], const double b[3])
{
    const double ends[2][3] = {{0, -half, 0}, {0, half, 0}};
    const double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    double best = least(point_edge2(ends[0], a, b), point_edge2(ends[1], a, b));
    // The infinite lines come nearest where the edge comes nearest to the y axis seen along it.
    double across2 = d[0] * d[0] + d[2] * d[2];
    double s = across2 > 0 ? cut(-(a[0] * d[0] + a[2] * d[2]) / across2) : 0, at[3];
    along(a, b, s, at);
    best = least(best, point_edge2(at, ends[0], ends[1]));
    best = least(best, point_edge2(a, ends[0], ends[1]));
    return least(best, point_edge2(b, ends[0], ends[1]));
}

struct flat {
    double n[3], n2; // normal and its square: 0 if it has no area
    double sides[3][3];
};

static void flat_from(const double x[3][3], struct flat *flat)
{
    double edges[3][3];
    for (int k = 0; k < 3; k++) {
        for (int axis = 0; axis < 3; axis++) {
            edges[k][axis] = x[(k + 1) % 3][axis] - x[k][axis];
        }
    }
    sim_cross(edges[0], edges[1], flat->n);
    flat->n2 = sim_dot(flat->n, flat->n);
    for (int k = 0; k < 3; k++) {
        sim_cross(flat->n, edges[k], flat->sides[k]);
    }
}

// Whether the foot of p on the plane lies in the triangle.
static bool above_inside(const double x[3][3], const struct flat *flat, const double p[3])
{
    for (int k = 0; k < 3; k++) {
        const double from[3] = {p[0] - x[k][0], p[1] - x[k][1], p[2] - x[k][2]};
        if (!(sim_dot(flat->sides[k], from) >= 0)) {
            return false;
        }
    }
    return flat->n2 > 0;
}

// How far p is from the plane, times the length of the normal.
static double height_of(const double x[3][3], const struct flat *flat, const double p[3])
{
    const double from[3] = {p[0] - x[0][0], p[1] - x[0][1], p[2] - x[0][2]};
    return sim_dot(flat->n, from);
}

// Whether the axis comes nearer to the triangle than the radius.
static bool axis_pierces(const struct sim_core *core, const double x[3][3])
{
    const double ends[2][3] = {{0, -core->half, 0}, {0, core->half, 0}};
    const double reach2 = core->radius * core->radius;
    for (int k = 0; k < 3; k++) {
        if (axis_edge2(core->half, x[k], x[(k + 1) % 3]) < reach2) {
            return true;
        }
    }
    struct flat flat;
    double heights[2], at[3];
    flat_from(x, &flat);
    for (int k = 0; k < 2; k++) {
        heights[k] = height_of(x, &flat, ends[k]);
        if (heights[k] * heights[k] < reach2 * flat.n2 && above_inside(x, &flat, ends[k])) {
            return true;
        }
    }
    if (!((heights[0] < 0) != (heights[1] < 0))) {
        return false;
    }
    along(ends[0], ends[1], heights[0] / (heights[0] - heights[1]), at);
    return above_inside(x, &flat, at);
}

// --------------------------------------------------------------------------------------------------- flat faces

struct piece {
    double at[PIECE_MAX][3];
    uint32_t count;
};

// Cuts off all that does not have n . p < offset.
static void piece_cut(struct piece *piece, const double n[3], double offset)
{
    struct piece left;
    left.count = 0;
    for (uint32_t i = 0; i < piece->count; i++) {
        const double *a = piece->at[i], *b = piece->at[(i + 1) % piece->count];
        const double above = sim_dot(n, a) - offset, next = sim_dot(n, b) - offset;
        if (above < 0 && left.count < PIECE_MAX) {
            memcpy(left.at[left.count++], a, sizeof left.at[0]);
        }
        if ((above < 0) != (next < 0) && left.count < PIECE_MAX) {
            along(a, b, above / (above - next), left.at[left.count++]);
        }
    }
    memcpy(piece->at, left.at, left.count * sizeof left.at[0]);
    piece->count = left.count;
}

// Whether all corners are on the far side of a face.
static bool all_beyond(const double x[3][3], const double n[3], double offset)
{
    return !(sim_dot(n, x[0]) < offset || sim_dot(n, x[1]) < offset || sim_dot(n, x[2]) < offset);
}

static void piece_from(struct piece *piece, const double x[3][3])
{
    memcpy(piece->at, x, 3 * sizeof piece->at[0]);
    piece->count = 3;
}

static void sides_cut(struct piece *piece, const struct sim_core *core, int axis)
{
    double n[3] = {0, 0, 0};
    n[axis] = 1;
    piece_cut(piece, n, core->most[axis]);
    n[axis] = -1;
    piece_cut(piece, n, -core->low[axis]);
}

static bool box_pierces(const struct sim_core *core, const double x[3][3])
{
    struct piece piece;
    piece_from(&piece, x);
    for (int axis = 0; axis < 3 && piece.count > 0; axis++) {
        sides_cut(&piece, core, axis);
    }
    return piece.count > 0;
}

static bool hull_pierces(const struct sim_core *core, const double x[3][3])
{
    const struct sim_hull *hull = core->hull;
    struct piece piece;
    for (uint32_t f = 0; f < hull->face_count; f++) {
        if (all_beyond(x, hull->faces[f].normal, hull->faces[f].offset - core->depth)) {
            return false;
        }
    }
    piece_from(&piece, x);
    for (uint32_t f = 0; f < hull->face_count && piece.count > 0; f++) {
        piece_cut(&piece, hull->faces[f].normal, hull->faces[f].offset - core->depth);
    }
    return piece.count > 0;
}

// Cuts the triangle by the flat ends, and looks at the rest along the axis. That polygon pierces if it holds the axis or comes near it.
static bool cylinder_pierces(const struct sim_core *core, const double x[3][3])
{
    static const double axis[3] = {0, 0, 0};
    struct piece piece;
    bool left = true, right = true;
    piece_from(&piece, x);
    sides_cut(&piece, core, 1);
    for (uint32_t i = 0; i < piece.count; i++) {
        piece.at[i][1] = 0;
    }
    for (uint32_t i = 0; i < piece.count; i++) {
        const double *a = piece.at[i], *b = piece.at[(i + 1) % piece.count];
        const double turns = a[0] * b[2] - a[2] * b[0];
        if (point_edge2(axis, a, b) < core->radius * core->radius) {
            return true;
        }
        left &= turns > 0;
        right &= turns < 0;
    }
    return piece.count > 0 && (left || right);
}

// ------------------------------------------------------------------------------------------------ height fields

static uint32_t cell_of(double x, double half, double spacing, uint32_t cells)
{
    double cell = (x + half) / spacing;
    return cell > 0 ? (cell < (double)cells ? (uint32_t)cell : cells - 1) : 0;
}

// Whether p is deeper below the surface than that.
static bool is_below(const struct sim_field *field, const double p[3], double depth)
{
    if (!(fabs(p[0]) <= field->half[0] && fabs(p[2]) <= field->half[1])) {
        return false;
    }
    const uint32_t column = cell_of(p[0], field->half[0], field->spacing, field->columns - 1);
    const uint32_t row = cell_of(p[2], field->half[1], field->spacing, field->rows - 1);
    const double *low = field->heights + (size_t)row * field->columns + column, *far = low + field->columns;
    const double u = (p[0] + field->half[0]) / field->spacing - column;
    const double v = (p[2] + field->half[1]) / field->spacing - row;
    const double rise_x = u > v ? low[1] - low[0] : far[1] - far[0];
    const double rise_z = u > v ? far[1] - low[1] : far[0] - low[0];
    const double under = (low[0] + u * rise_x + v * rise_z) - p[1];
    const double slope2 = (rise_x * rise_x + rise_z * rise_z) / (field->spacing * field->spacing);
    return under > 0 && under * under > depth * depth * (1 + slope2);
}

// The greatest height below a rectangle.
static double highest_in(const struct sim_field *field, const double low[3], const double high[3])
{
    const uint32_t columns = field->columns - 1, rows = field->rows - 1;
    const uint32_t left = cell_of(low[0], field->half[0], field->spacing, columns);
    const uint32_t right = cell_of(high[0], field->half[0], field->spacing, columns) + 1;
    const uint32_t first = cell_of(low[2], field->half[1], field->spacing, rows);
    const uint32_t last = cell_of(high[2], field->half[1], field->spacing, rows) + 1;
    double highest = -DBL_MAX;
    if ((right - left + 1) * (last - first + 1) > FOOTPRINT_MAX) {
        return field->most;
    }
    for (uint32_t row = first; row <= last; row++) {
        for (uint32_t column = left; column <= right; column++) {
            highest = most(highest, field->heights[(size_t)row * field->columns + column]);
        }
    }
    return highest;
}

static bool field_pierces(const struct sim_core *core, const double x[3][3], const double low[3],
                          const double high[3])
{
    struct sim_field_touch touch;
    if (!(low[1] < highest_in(core->field, low, high) - core->depth)) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        if (is_below(core->field, x[k], core->depth)) {
            return true;
        }
    }
    for (int k = 0; k < 3; k++) {
        double edge[3][3];
        memcpy(edge[0], x[k], sizeof edge[0]);
        memcpy(edge[1], x[(k + 1) % 3], sizeof edge[1]);
        memcpy(edge[2], edge[1], sizeof edge[2]);
        const bool has_length =
            edge[0][0] != edge[1][0] || edge[0][1] != edge[1][1] || edge[0][2] != edge[1][2];
        if (has_length && sim_field_edge(core->field, (const double(*)[3])edge, -core->depth, &touch)) {
            return true;
        }
    }
    return sim_field_triangle(core->field, x, -core->depth, &touch);
}

bool sim_core_pierces(const struct sim_core *core, const double x[3][3])
{
    double low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = least(x[0][axis], least(x[1][axis], x[2][axis]));
        high[axis] = most(x[0][axis], most(x[1][axis], x[2][axis]));
    }
    if (boxes_part(core, low, high)) {
        return false;
    }
    switch (core->kind) {
    case SIM_PLANE:
        return true;
    case SIM_HEIGHT_FIELD:
        return field_pierces(core, x, low, high);
    case SIM_BOX:
        return box_pierces(core, x);
    case SIM_CYLINDER:
        return cylinder_pierces(core, x);
    case SIM_CONVEX:
        return hull_pierces(core, x);
    default:
        return axis_pierces(core, x);
    }
}
