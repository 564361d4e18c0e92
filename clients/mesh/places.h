// Points by where they are: for welding, and for finding vertices again.
#ifndef WEFT_MESH_PLACES_H
#define WEFT_MESH_PLACES_H

#include <stdbool.h>
#include <stdint.h>

// Holds indices of points, in cells as wide as the distance that counts as the same place.
struct mesh_places {
    const double *positions; // of the points that are held, the caller's
    double distance;         // 0: only what is equal is the same
    uint32_t *slots;         // index + 1; 0: free
    uint32_t mask;
};

bool mesh_places_init(struct mesh_places *places, const double *positions, uint32_t count, double distance);
void mesh_places_deinit(struct mesh_places *places);
void mesh_places_add(struct mesh_places *places, uint32_t index);
// The held point no farther than the distance: the nearest one or, where lowest is set, the one of least index.
// MESH_NONE if there is none.
uint32_t mesh_places_find(const struct mesh_places *places, const double point[3], bool lowest);

#endif
