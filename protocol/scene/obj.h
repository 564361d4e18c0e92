// Reads Wavefront OBJ from memory: the statements v, f and, on request, l. Others are skipped. It needs libc and faults only,
// because libweft uses it too. Any thread may call it.
#ifndef WEFT_PROTOCOL_SCENE_OBJ_H
#define WEFT_PROTOCOL_SCENE_OBJ_H

#include "protocol/fault/fault.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scene_obj {
    double *positions; // x, y, z of each vertex, in the order of the file; malloc'd
    uint32_t vertex_count;
    uint32_t *triangles; // three vertex indices each, from 0; malloc'd
    uint32_t triangle_count;
    uint32_t *lines; // two vertex indices each; malloc'd, NULL if they are not wanted or there are none
    uint32_t line_count;
    uint32_t uncut_count; // polygons that stayed fans, whose triangles may overlap (polygon_cut)
};

// Polygons are cut into triangles (polygon.h). Negative indices count back from the last vertex so far. Error texts show `name` as
// the file. At most 4194304 vertices, 16777216 triangles and 512 MiB. A fault is INVALID, LIMIT or MEMORY
// and names the file and the line; then there is nothing to free.
bool scene_obj_parse(const char *name, const char *text, size_t size, struct scene_obj *obj,
                     struct fault *fault);

// The same, with l statements as lines: at most 16777216.
bool scene_obj_parse_lines(const char *name, const char *text, size_t size, struct scene_obj *obj,
                           struct fault *fault);

#endif
