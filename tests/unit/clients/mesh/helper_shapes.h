// Meshes for tests, made by formulas.
#ifndef WEFT_TESTS_MESH_HELPER_SHAPES_H
#define WEFT_TESTS_MESH_HELPER_SHAPES_H

#include "mesh.h"

// All asserts: a test that cannot get memory fails.
struct mesh shape_new(uint32_t vertices, uint32_t triangles,
                      uint32_t tets);                             // zeros, vertex_of as the identity
struct mesh shape_box(const double low[3], const double high[3]); // 8 vertices, 12 triangles, outwards
// A ball of the radius about a point: rings of quadrangles cut in two, outwards.
struct mesh shape_ball(double radius, const double middle[3], uint32_t rings);
struct mesh shape_sheet(uint32_t columns, uint32_t rows,
                        double spacing); // in x and y, upright, from the origin up
struct mesh shape_both(const struct mesh *a, const struct mesh *b);
void shape_turn(struct mesh *mesh, uint32_t triangle); // the other way round
struct mesh shape_soup(const struct mesh *mesh);       // each triangle with vertices of its own
double shape_volume(const struct mesh *mesh);          // by its triangles
double shape_tets_volume(const struct mesh *mesh, double *least);

char *shape_file(const char *name, const void *bytes, size_t size); // in a folder of the test's own; its path
void shape_files_remove(void);

#endif
