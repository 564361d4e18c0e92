// Height fields: made of heights, and how far points, edges and triangles are from what lies below them.
//
//     z ^  +---+---+     column x, row z of the grid is at ((x - (columns - 1) / 2) s, height, (z - (rows - 1) / 2) s), s being
//       |  | / | / |     the spacing. The diagonal of a cell goes from its least x and z to its greatest; the two triangles
//       |  +---+---+     beside it are the surface. Solid is all that is below the surface, without end; its sides are
//       |  | / | / |     walls, and beside these there is nothing.
//       +--+---+---+--> x
//
// Places are in the field's own frame, in m. What is asked of is double by double, in one order: it comes to the same bits in
// every instruction set.
//
// A search goes down through squares of cells and leaves out those that cannot be nearer than what is found: for a square
// its greatest height is enough, since all below it counts as solid. It looks at SIM_FIELD_LOOKS squares at most, and has
// then the nearest of what it saw, so that nothing costs more, however large against the spacing.
#ifndef WEFT_SIM_FIELD_FIELD_H
#define WEFT_SIM_FIELD_FIELD_H

#include "sim/state/state.h"

enum { SIM_FIELD_LOOKS = 256 };

// Ridges and peaks: only there can a body touch the field with something else than its own corners. The x and z edges and the
// diagonal of a vertex go to those with one more column, row, or both.
enum { SIM_RIDGE_X = 1, SIM_RIDGE_Z = 2, SIM_RIDGE_DIAGONAL = 4, SIM_RIDGE_PEAK = 8 };

// make.c
// Of heights that may be anything. The caller frees it.
enum fault_code sim_field_make(const struct sim_collider *collider, double extent, struct sim_field **out,
                               struct fault *fault);
// Whether the collider's heights are those of the field, and over the same grid.
bool sim_field_is_of(const struct sim_field *field, const struct sim_collider *collider);

// point.c
// How far p is from the surface, negative inside, and the way out. What is farther than the limit is as far as that.
double sim_field_distance(const struct sim_field *field, const double p[3], double limit, double normal[3]);
// Whether anything of it may be nearer to p than that: all, or of what stands out the edges or the peaks.
bool sim_field_reaches(const struct sim_field *field, enum sim_field_tops tops, const double p[3],
                       double radius);

// The point that is nearest to the field: sum c x of an edge's or a triangle's corners, with c0 = 1 - c1 - c2.
struct sim_field_touch {
    double phi, normal[3], c[2];
};

// edge.c
// Nearer than the limit, and at neither end.
bool sim_field_edge(const struct sim_field *field, const double corners[3][3], double limit,
                    struct sim_field_touch *touch);
// When it first comes as near as the thickness, of all of it, on its way from starts to ends; *moment: at what part of it.
bool sim_field_edge_passes(const struct sim_field *field, const double starts[3][3], const double ends[3][3],
                           double thickness, struct sim_field_touch *touch, double *moment);

// triangle.c
// Nearer than the limit, and inside.
bool sim_field_triangle(const struct sim_field *field, const double corners[3][3], double limit,
                        struct sim_field_touch *touch);
bool sim_field_triangle_passes(const struct sim_field *field, const double starts[3][3],
                               const double ends[3][3], double thickness, struct sim_field_touch *touch,
                               double *moment);

// clear.c
// They return how far each corner may go in the field's frame, m, 0 to `most`. As long as no corner has gone so far,
// sim_field_edge and sim_field_triangle find nothing nearer than the thickness. 0 means that nothing is known.
double sim_field_edge_clear(const struct sim_field *field, const double corners[3][3], double thickness,
                            double most);
double sim_field_triangle_clear(const struct sim_field *field, const double corners[3][3], double thickness,
                                double most);

#endif
