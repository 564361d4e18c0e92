// Meshes: edges, hinges, twins, surfaces, what is closed, what is welded.
#ifndef WEFT_SIM_BODY_MESH_H
#define WEFT_SIM_BODY_MESH_H

#include "sim/state/state.h"

// mesh.c
// Unique edges of the elements in the order in which they first appear, whatever the winding: malloc'd pairs.
bool sim_mesh_edges(const uint32_t *elements, uint32_t corners, uint32_t count, uint32_t particle_count,
                    uint32_t **edges, uint32_t *edge_count);
// For each element the first one with the same corners in any order (itself if none): malloc'd.
bool sim_mesh_twin_elements(const uint32_t *elements, uint32_t corners, uint32_t count, uint32_t **first_of);
struct sim_hinge {
    uint32_t corners[4]; // the edge as the first triangle turns, then its wing and that of the second one
    uint32_t triangles[2];
    uint32_t triangle_count; // a stencil where it is 2
};
// One for each unique edge, in the order of sim_mesh_edges: malloc'd.
bool sim_mesh_hinges(const uint32_t *triangles, uint32_t count, uint32_t particle_count,
                     struct sim_hinge **hinges, uint32_t *hinge_count);
// Faces that only one tetrahedron has, turning outwards: malloc'd.
bool sim_mesh_surface(const uint32_t *tets, const bool *inverted, uint32_t count, uint32_t **triangles,
                      uint32_t *triangle_count);
// Checks indices and that none stands twice in an element.
enum fault_code sim_mesh_check(const char *field, const uint32_t *elements, uint32_t corners, uint32_t count,
                               uint32_t particle_count, struct fault *fault);
// For each position the first index with the same one (itself if none): malloc'd; NULL without memory.
uint32_t *sim_mesh_twins(const int64_t (*positions)[3], uint32_t count);

// closed.c
// The sides of triangles that the air touches: both, or of a closed part of the mesh the one outside.
enum sim_side { SIM_BOTH_SIDES, SIM_FRONT, SIM_BACK };
bool sim_mesh_sides(const uint32_t *triangles, uint32_t count, uint32_t particle_count,
                    const int64_t (*positions)[3], enum sim_side *sides);

// weld.c
// Gives each vertex the number of the first kept one within `distance` m, or a new number: welded[count],
// *kept.
bool sim_mesh_weld(const double *positions, uint32_t count, double distance, uint32_t *welded,
                   uint32_t *kept);

#endif
