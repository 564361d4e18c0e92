// Heights are rounded to a grid of which the greatest has 2^24 steps at most, as many as a float tells apart, and as the points
// of a hull are: heights that were rounded stay as they are.
#include "sim/field/field.h"

#include "sim/ground/ground.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEPS 16777216.0 // of the grid, from 0 to the greatest height
#define LEAST 1e-6       // m: heights that are smaller have the steps of this

static double step_of(double most)
{
    double reach = 1;
    most = most > LEAST ? most : LEAST;
    for (; most > reach; reach *= 2) {
    }
    for (; most <= 0.5 * reach; reach *= 0.5) {
    }
    return reach / STEPS;
}

// -------------------------------------------------------------------------------------------------- checks

static enum fault_code grid_check(const struct sim_collider *collider, double extent, struct fault *fault)
{
    uint32_t columns = collider->columns, count = collider->heights ? collider->height_count : 0;
    if (columns < 2 || columns > SIM_FIELD_SIDE_MAX) {
        return fault_code_set(fault, FAULT_INVALID, "columns", "%u; a height field needs 2 to %d", columns,
                              SIM_FIELD_SIDE_MAX);
    }
    if (count % columns != 0 || count / columns < 2 || count / columns > SIM_FIELD_SIDE_MAX) {
        return fault_code_set(fault, FAULT_INVALID, "heights",
                              "%u heights; must be 2 to %d whole rows of %u columns", count,
                              SIM_FIELD_SIDE_MAX, columns);
    }
    uint32_t rows = count / columns;
    double longest = collider->spacing * 0.5 * (double)((columns > rows ? columns : rows) - 1);
    if (!(collider->spacing >= LEAST && longest <= extent)) {
        return fault_code_set(
            fault, FAULT_INVALID, "spacing",
            "%g m; must be 1e-06 m or more, and no side may reach farther than %g m (extent)",
            collider->spacing, extent);
    }
    return FAULT_NONE;
}

static enum fault_code heights_check(const struct sim_collider *collider, double extent, double *most,
                                     struct fault *fault)
{
    *most = 0;
    for (uint32_t i = 0; i < collider->height_count; i++) {
        double size = fabs(collider->heights[i]);
        if (!(size <= extent)) {
            return fault_code_set(fault, FAULT_INVALID, "heights", "[%u] is %g m; at most %g m (extent)", i,
                                  collider->heights[i], extent);
        }
        *most = size > *most ? size : *most;
    }
    return FAULT_NONE;
}

bool sim_field_is_of(const struct sim_field *field, const struct sim_collider *collider)
{
    return field && collider->heights == field->heights && collider->columns == field->columns &&
           collider->height_count == field->columns * field->rows && collider->spacing == field->spacing;
}

// -------------------------------------------------------------------------------------------------- ridges

// Whether the edge from `from` to `to` is a ridge. `left` and `right` lie across from it, and the four make a parallelogram seen
// from above: at a ridge the middle of the edge is higher than the middle between left and right. On the rim one side is missing.
static bool stands_out(const struct sim_field *field, uint32_t from, uint32_t to, uint32_t left,
                       uint32_t right)
{
    const double *h = field->heights;
    return h[from] + h[to] > h[left] + h[right];
}

static uint8_t edges_of(const struct sim_field *field, uint32_t x, uint32_t z)
{
    uint32_t columns = field->columns, at = z * columns + x;
    bool next_x = x + 1 < columns, next_z = z + 1 < field->rows;
    uint8_t out = 0;
    if (next_x && (z == 0 || !next_z || stands_out(field, at, at + 1, at - columns, at + columns + 1))) {
        out |= SIM_RIDGE_X;
    }
    if (next_z && (x == 0 || !next_x || stands_out(field, at, at + columns, at - 1, at + columns + 1))) {
        out |= SIM_RIDGE_Z;
    }
    if (next_x && next_z && stands_out(field, at, at + columns + 1, at + 1, at + columns)) {
        out |= SIM_RIDGE_DIAGONAL;
    }
    return out;
}

// A vertex that lies on or below the middle of two opposite ones is no peak: what touches it touches one of these.
static bool peak(const struct sim_field *field, uint32_t x, uint32_t z)
{
    uint32_t columns = field->columns, at = z * columns + x;
    bool inner_x = x > 0 && x + 1 < columns, inner_z = z > 0 && z + 1 < field->rows;
    const double *h = field->heights;
    return !(inner_x && 2 * h[at] <= h[at - 1] + h[at + 1]) &&
           !(inner_z && 2 * h[at] <= h[at - columns] + h[at + columns]) &&
           !(inner_x && inner_z && 2 * h[at] <= h[at - columns - 1] + h[at + columns + 1]);
}

static void ridges_fill(struct sim_field *field)
{
    for (uint32_t z = 0; z < field->rows; z++) {
        for (uint32_t x = 0; x < field->columns; x++) {
            uint8_t out = edges_of(field, x, z);
            field->ridges[z * field->columns + x] = out | (peak(field, x, z) ? SIM_RIDGE_PEAK : 0);
        }
    }
}

// -------------------------------------------------------------------------------------------------- squares

// The highest of a cell's ridges and peaks that `which` names. The last cell of a row or column has those of the rim as well.
static float top_of_cell(const struct sim_field *field, uint32_t column, uint32_t row, uint8_t which)
{
    double top = -(double)FLT_MAX;
    for (uint32_t k = 0; k < 4; k++) {
        uint32_t x = column + k % 2, z = row + k / 2, at = z * field->columns + x;
        bool own = (k % 2 == 0 || x + 1 == field->columns) && (k / 2 == 0 || z + 1 == field->rows);
        uint8_t has = own ? field->ridges[at] & which : 0;
        bool edges = which != SIM_RIDGE_PEAK;
        double height = field->heights[at];
        if (edges && (has & SIM_RIDGE_X) != 0) {
            height = fmax(height, field->heights[at + 1]);
        }
        if (edges && (has & SIM_RIDGE_Z) != 0) {
            height = fmax(height, field->heights[at + field->columns]);
        }
        if (edges && (has & SIM_RIDGE_DIAGONAL) != 0) {
            height = fmax(height, field->heights[at + field->columns + 1]);
        }
        if (which == 0 || has != 0) {
            top = fmax(top, height);
        }
    }
    return (float)top; // heights have no more places than that
}

static void tops_gather(const struct sim_field *field, enum sim_field_tops tops, uint32_t level)
{
    uint32_t columns = field->level_columns[level], below = field->level_columns[level - 1];
    uint32_t rows = field->level_rows[level], last = field->level_rows[level - 1];
    const float *from = field->tops[tops][level - 1];
    for (uint32_t at = 0; at < columns * rows; at++) {
        uint32_t x = 2 * (at % columns), z = 2 * (at / columns);
        uint32_t next_x = x + 1 < below ? x + 1 : x, next_z = z + 1 < last ? z + 1 : z;
        float top = fmaxf(from[z * below + x], from[z * below + next_x]);
        field->tops[tops][level][at] =
            fmaxf(top, fmaxf(from[next_z * below + x], from[next_z * below + next_x]));
    }
}

static void tops_fill(struct sim_field *field)
{
    static const uint8_t which[SIM_FIELD_TOPS] = {0, SIM_RIDGE_X | SIM_RIDGE_Z | SIM_RIDGE_DIAGONAL,
                                                  SIM_RIDGE_PEAK};
    for (int tops = 0; tops < SIM_FIELD_TOPS; tops++) {
        uint32_t columns = field->level_columns[0];
        for (uint32_t at = 0; at < columns * field->level_rows[0]; at++) {
            field->tops[tops][0][at] = top_of_cell(field, at % columns, at / columns, which[tops]);
        }
        for (uint32_t level = 1; level < field->levels; level++) {
            tops_gather(field, (enum sim_field_tops)tops, level);
        }
    }
    field->most = (double)field->tops[SIM_TOPS_ALL][field->levels - 1][0];
}

// ------------------------------------------------------------------------------------------------- all of it

// Without heights. The arrays lie behind it in one block. NULL without memory.
static struct sim_field *room_for(const struct sim_collider *collider)
{
    struct sim_field shape = {.columns = collider->columns,
                              .rows = collider->height_count / collider->columns,
                              .spacing = collider->spacing};
    uint32_t columns = shape.columns - 1, rows = shape.rows - 1, first[SIM_FIELD_LEVELS], squares = 0;
    shape.half[0] = 0.5 * (double)columns * shape.spacing;
    shape.half[1] = 0.5 * (double)rows * shape.spacing;
    for (bool more = true; more; columns = (columns + 1) / 2, rows = (rows + 1) / 2) {
        first[shape.levels] = squares;
        shape.level_columns[shape.levels] = columns;
        shape.level_rows[shape.levels++] = rows;
        squares += columns * rows;
        more = columns > 1 || rows > 1;
    }
    size_t heights = collider->height_count * sizeof(double);
    size_t tops = (size_t)SIM_FIELD_TOPS * squares * sizeof(float);
    struct sim_field *field = calloc(1, sizeof *field + heights + tops + collider->height_count);
    if (field) {
        *field = shape;
        field->heights = (double *)(void *)(field + 1);
        float *behind = (float *)(void *)(field->heights + collider->height_count);
        for (uint32_t of = 0; of < SIM_FIELD_TOPS; of++) {
            for (uint32_t level = 0; level < field->levels; level++) {
                field->tops[of][level] = behind + of * squares + first[level];
            }
        }
        field->ridges = (uint8_t *)(behind + (size_t)SIM_FIELD_TOPS * squares);
    }
    return field;
}

enum fault_code sim_field_make(const struct sim_collider *collider, double extent, struct sim_field **out,
                               struct fault *fault)
{
    double most;
    *out = NULL;
    enum fault_code status = grid_check(collider, extent, fault);
    status = status != FAULT_NONE ? status : heights_check(collider, extent, &most, fault);
    if (status != FAULT_NONE) {
        return status;
    }
    struct sim_field *field = room_for(collider);
    if (!field) {
        return sim_fault_memory(fault);
    }
    const double step = step_of(most);
    for (uint32_t i = 0; i < collider->height_count; i++) {
        field->heights[i] = rint(collider->heights[i] / step) * step + 0.0; // no zero with a sign
    }
    ridges_fill(field);
    tops_fill(field);
    *out = field;
    return FAULT_NONE;
}
