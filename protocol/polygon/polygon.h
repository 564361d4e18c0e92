// Cuts a polygon into triangles. libc only, because libweft reads meshes with it as well.
#ifndef WEFT_PROTOCOL_POLYGON_POLYGON_H
#define WEFT_PROTOCOL_POLYGON_POLYGON_H

#include <stdbool.h>
#include <stdint.h>

// The time of a cut grows with the square of the corners. A polygon with more corners stays a fan.
enum { POLYGON_CORNERS_MAX = 4096 };

// Cuts a polygon of `count` corners (3 or more, finite, given as x, y, z one after another, in turn) into count - 2 triangles
// without overlap. They are written to `triangles` as three numbers of corners each, and turn as the polygon turns.
//
// A polygon whose fan around corner 0 has no overlap becomes that fan. Every other one is cut by ears (G. H. Meisters, "Polygons
// have ears", 1975): the corners are seen along the axis that is nearest to the polygon's normal, and each decision there is the
// exact sign of an area. It is exact for coordinates that are 0 or between 1e-140 and 1e100 in size.
//
// False if that is impossible: the polygon crosses itself as it is seen, has no area, or has more corners than
// POLYGON_CORNERS_MAX, or memory runs out. `triangles` is the fan then.
bool polygon_cut(const double *corners, uint32_t count, uint32_t *triangles);

// Cuts a polygon of `count` corners that stands as a fan of count - 2 triangles in a list of three vertices each. Readers
// push fans, because a file may give vertices after the faces that name them. *cut: as polygon_cut returns it. False if
// memory runs out; the fan is as it was then.
bool polygon_cut_fan(const double *positions, uint32_t *fan, uint32_t count, bool *cut);

#endif
