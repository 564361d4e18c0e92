// A block of cubes over a mesh, and which of them are taken.
#ifndef WEFT_MESH_GRID_H
#define WEFT_MESH_GRID_H

#include "mesh.h"

enum {
    GRID_IN = 1,   // taken
    GRID_NEAR = 2, // the surface may come through it
};

struct mesh_grid {
    double low[3]; // corner
    double cell;   // edge, m
    uint32_t size[3];
    uint8_t *marks;  // GRID_*, x fastest
    uint32_t *label; // of the group that hangs together by faces; MESH_NONE: not taken
    uint32_t taken;
};

struct mesh_grid_source {
    const struct mesh *mesh;
    const struct mesh_winding *winding;
    double sign;        // of the winding number inside
    uint32_t cells_max; // in the block
    const struct mesh_watch *watch;
};

// Takes the cells whose middle lies inside and those that hold a vertex; where a triangle's corners lie in groups of
// cells that do not hang together, those that it comes through as well. False with LIMIT if the block would be too
// large, or MEMORY, or CANCELLED.
bool mesh_grid_init(struct mesh_grid *grid, const struct mesh_grid_source *source, double cell,
                    struct fault *fault);
void mesh_grid_deinit(struct mesh_grid *grid);
// The cell that holds a point, 0 ... size - 1 by axis: points on its rim belong to it as well.
void mesh_grid_cell(const struct mesh_grid *grid, const double point[3], uint32_t cell[3]);
size_t mesh_grid_at(const struct mesh_grid *grid, uint32_t x, uint32_t y, uint32_t z);

#endif
