// Cuts a polygon into triangles. It needs libc only, because libweft reads meshes with it too.
#ifndef WEFT_PROTOCOL_POLYGON_POLYGON_H
#define WEFT_PROTOCOL_POLYGON_POLYGON_H

#include <stdbool.h>
#include <stdint.h>

// The time of a cut grows with the square of the corners. A polygon with more corners stays a fan.
enum { POLYGON_CORNERS_MAX = 4096 };

// Cuts a polygon into count - 2 triangles without overlap. `corners` has x, y, z of each corner in order, count >= 3, all
// finite. `triangles` gets three corner indices for each triangle, with the polygon's orientation.
//
// A polygon whose fan around corner 0 has no overlap becomes that fan. Every other one is cut by ears (G. H. Meisters, "Polygons
// have ears", 1975). The corners are projected along the axis that is nearest to the polygon's normal, and each decision there
// is the exact sign of an area. It is exact for coordinates that are 0 or between 1e-140 and 1e100 in size.
//
// False if the projected polygon crosses itself, has no area, or has more corners than POLYGON_CORNERS_MAX, or if memory runs
// out. `triangles` is then the fan.
bool polygon_cut(const double *corners, uint32_t count, uint32_t *triangles);

// Cuts a polygon that already stands as a fan of count - 2 triangles in `fan`, as vertex indices into `positions`. Readers
// store fans first, because a file may give vertices after the faces that use them. *cut is what polygon_cut returned. False
// if memory runs out; the fan is then unchanged.
bool polygon_cut_fan(const double *positions, uint32_t *fan, uint32_t count, bool *cut);

#endif
