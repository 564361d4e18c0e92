// The search through squares of cells that all questions share. What they ask of a square and of a cell are constants that the
// compiler sees.
#ifndef WEFT_SIM_FIELD_WALK_H
#define WEFT_SIM_FIELD_WALK_H

#include "sim/field/field.h"

#include <math.h>
#include <string.h>

// Seen from above, and the greatest height of what is looked for in it.
struct field_square {
    double low[2], high[2], top;
};

// First column and row of cells, and of those behind the last one.
struct field_range {
    uint32_t from[2], to[2];
};

typedef bool field_may(void *context, const struct field_square *square);
typedef void field_cell(void *context, uint32_t column, uint32_t row);

static inline double field_dot(const double a[3], const double b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

static inline void field_apart(const double a[3], const double b[3], double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = a[axis] - b[axis];
    }
}

static inline void field_along(const double a[3], double s, const double d[3], double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = a[axis] + s * d[axis];
    }
}

static inline void field_cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double field_least(double a, double b)
{
    return a < b ? a : b;
}

static inline double field_most(double a, double b)
{
    return a > b ? a : b;
}

// To [0, 1]; 0 for what is no number.
static inline double field_cut(double s)
{
    return s > 0 ? (s < 1 ? s : 1) : 0;
}

// Parts of both edges, u being seen from the first one's beginning.
static inline void field_closest(const double d[3], const double u[3], const double e[3], double *s,
                                 double *t)
{
    double dd = field_dot(d, d), ee = field_dot(e, e), de = field_dot(d, e);
    double du = field_dot(d, u), eu = field_dot(e, u), all = dd * ee - de * de;
    *s = all > 0 ? field_cut((du * ee - eu * de) / all) : 0;
    double at = (de * *s - eu) / ee;
    *t = field_cut(at);
    if (at != *t) {
        *s = field_cut((du + de * *t) / dd);
    }
}

// The cell at a place along x (side 0) or z; one that is outside is in the first or last.
static inline uint32_t field_cell_at(const struct sim_field *field, int side, double place)
{
    uint32_t last = (side == 0 ? field->columns : field->rows) - 2;
    double at = (place + field->half[side]) / field->spacing;
    uint32_t cell = at > 0 ? (at < (double)last ? (uint32_t)at : last) : 0;
    return cell;
}

static inline void field_vertex(const struct sim_field *field, uint32_t column, uint32_t row, double out[3])
{
    out[0] = (double)column * field->spacing - field->half[0];
    out[1] = field->heights[row * field->columns + column];
    out[2] = (double)row * field->spacing - field->half[1];
}

// Cells that what lies between low and high, along x and z, may touch. False where that is beside the field.
static inline bool field_range_of(const struct sim_field *field, const double low[2], const double high[2],
                                  struct field_range *range)
{
    for (int side = 0; side < 2; side++) {
        if (!(high[side] >= -field->half[side] && low[side] <= field->half[side])) {
            return false;
        }
        range->from[side] = field_cell_at(field, side, low[side]);
        range->to[side] = field_cell_at(field, side, high[side]) + 1;
    }
    return true;
}

static inline void field_square_of(const struct sim_field *field, enum sim_field_tops tops, uint32_t level,
                                   uint32_t i, uint32_t j, struct field_square *square)
{
    const uint32_t at[2] = {i, j}, cells[2] = {field->columns - 1, field->rows - 1};
    for (int side = 0; side < 2; side++) {
        uint32_t end = (at[side] + 1) << level;
        square->low[side] = (double)(at[side] << level) * field->spacing - field->half[side];
        square->high[side] =
            (double)(end < cells[side] ? end : cells[side]) * field->spacing - field->half[side];
    }
    square->top = (double)field->tops[tops][level][j * field->level_columns[level] + i];
}

struct field_node {
    uint32_t level, i, j;
};

// Asks of squares whether they may be nearer, from ones on that the range lies in four of, and then of their parts; gives the
// cells of those that may. *looks: how many more squares may be asked of.
static inline void field_walk(const struct sim_field *field, enum sim_field_tops tops,
                              const struct field_range *range, uint32_t *looks, void *context, field_may *may,
                              field_cell *cell)
{
    struct field_node stack[4 + 3 * SIM_FIELD_LEVELS];
    uint32_t level = 0, depth = 0;
    while ((range->to[0] - 1) >> level > (range->from[0] >> level) + 1 ||
           (range->to[1] - 1) >> level > (range->from[1] >> level) + 1) {
        level++;
    }
    for (uint32_t part = 4; part-- > 0;) {
        uint32_t i = (range->from[0] >> level) + part % 2, j = (range->from[1] >> level) + part / 2;
        if (i <= (range->to[0] - 1) >> level && j <= (range->to[1] - 1) >> level) {
            stack[depth++] = (struct field_node){level, i, j};
        }
    }
    while (depth > 0 && *looks > 0) {
        const struct field_node node = stack[--depth];
        struct field_square square;
        --*looks;
        field_square_of(field, tops, node.level, node.i, node.j, &square);
        if (!may(context, &square)) {
            continue;
        }
        if (node.level == 0) {
            cell(context, node.i, node.j);
            continue;
        }
        for (uint32_t part = 4; part-- > 0;) {
            uint32_t below = node.level - 1, i = 2 * node.i + part % 2, j = 2 * node.j + part / 2;
            if (i >= range->from[0] >> below && i <= (range->to[0] - 1) >> below &&
                j >= range->from[1] >> below && j <= (range->to[1] - 1) >> below) {
                stack[depth++] = (struct field_node){below, i, j};
            }
        }
    }
}

// The surface above or below a place of the rectangle: how high, and how it slopes along x and z.
static inline double field_height(const struct sim_field *field, double x, double z, double slope[2])
{
    uint32_t i = field_cell_at(field, 0, x), j = field_cell_at(field, 1, z);
    const double *h = field->heights + j * field->columns + i, *next = h + field->columns;
    double across = field_cut((x + field->half[0]) / field->spacing - (double)i);
    double along = field_cut((z + field->half[1]) / field->spacing - (double)j);
    bool first = along >= across; // of the cell's two triangles
    double dx = first ? next[1] - next[0] : h[1] - h[0], dz = first ? next[0] - h[0] : next[1] - h[1];
    slope[0] = dx / field->spacing;
    slope[1] = dz / field->spacing;
    return h[0] + (across * dx + along * dz);
}

static inline bool field_above(const struct sim_field *field, double x, double z)
{
    return x >= -field->half[0] && x <= field->half[0] && z >= -field->half[1] && z <= field->half[1];
}

static inline bool field_inside(const struct sim_field *field, const double p[3])
{
    double slope[2];
    return field_above(field, p[0], p[2]) && p[1] < field_height(field, p[0], p[2], slope);
}

// point.c
// As sim_field_distance, with what is left of looks.
double field_distance(const struct sim_field *field, const double p[3], double limit, double normal[3],
                      uint32_t *looks);
// The nearest point of a triangle a, a + u, a + v to p, p being seen from a: u's and v's parts of it.
void field_nearest_of_triangle(const double u[3], const double v[3], const double p[3], double parts[2]);

// How often what passes is looked at on its way, and squares for it in all of that; how near is touching, of the thickness, and
// then at last.
enum { FIELD_ADVANCES = 32, FIELD_LOOKS_PASSING = 4 * SIM_FIELD_LOOKS };
#define FIELD_TOUCHED 1.05
#define FIELD_TOUCHED_LAST 2.0
#define FIELD_AT_END 0x1p-10 // of an edge: so near its end it is a particle that touches
#define FIELD_HAIR \
    0x1p-20 // of the spacing: squares are wider by that, so that rounding loses nothing on their sides

#endif
