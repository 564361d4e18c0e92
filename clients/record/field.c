// Height fields as meshes: only the surface, because sides and bottom are not visible.
#include "record/record.h"

#include <math.h>
#include <stdlib.h>

static void put_cell(uint32_t *corners, uint32_t at, uint32_t columns)
{
    const uint32_t next = at + columns;
    const uint32_t two[6] = {at, next, next + 1, at, next + 1, at + 1};
    for (int k = 0; k < 6; k++) {
        corners[k] = two[k];
    }
}

bool record_field_mesh(const double *heights, uint32_t count, uint32_t columns, double spacing,
                       struct record_collider *out)
{
    const uint32_t rows = columns > 0 ? count / columns : 0;
    if (columns < 2 || rows < 2 || columns > RECORD_FIELD_SIDE_MAX || rows > RECORD_FIELD_SIDE_MAX ||
        !isfinite(spacing)) {
        return true;
    }
    out->vertices = calloc(3 * (size_t)columns * rows, sizeof *out->vertices);
    out->triangles = calloc(6 * (size_t)(columns - 1) * (rows - 1), sizeof *out->triangles);
    if (!out->vertices || !out->triangles) {
        return false;
    }
    for (uint32_t at = 0; at < columns * rows; at++) {
        float *vertex = out->vertices + 3 * (size_t)at;
        vertex[0] = (float)((at % columns - 0.5 * (columns - 1)) * spacing);
        vertex[1] = isfinite(heights[at]) ? (float)heights[at] : 0;
        vertex[2] = (float)((at / columns - 0.5 * (rows - 1)) * spacing);
    }
    for (uint32_t cell = 0; cell < (columns - 1) * (rows - 1); cell++) {
        put_cell(out->triangles + 6 * (size_t)cell, cell / (columns - 1) * columns + cell % (columns - 1),
                 columns);
    }
    out->vertex_count = columns * rows;
    out->triangle_count = 2 * (columns - 1) * (rows - 1);
    return true;
}
