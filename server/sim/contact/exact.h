// Tells exactly on which side of a plane or an edge a point lies, by the sign of a volume of points with integer coordinates.
//
// Coordinates are low words, all within 2^31 quanta of each other. So differences, which wrap, are exact.
#ifndef WEFT_SIM_CONTACT_EXACT_H
#define WEFT_SIM_CONTACT_EXACT_H

#include <stdbool.h>
#include <stdint.h>

// The sign of ((b - a) x (c - a)).(d - a): +1 where a b c turns to the left seen from d, -1 where to the right, 0 in one
// plane.
int sim_orientation(const int32_t a[3], const int32_t b[3], const int32_t c[3], const int32_t d[3]);

// Does the edge pass or touch the triangle? An edge in the triangle's plane does not, nor does anything pass a triangle
// without an area.
bool sim_edge_crosses(const int32_t edge[2][3], const int32_t triangle[3][3]);

#endif
