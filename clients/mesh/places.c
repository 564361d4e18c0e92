// A hash table of cells, open addressing. A point stands in the slot of its cell or in one after it; a look-up goes
// through the 27 cells around the point.
#include "places.h"

#include "mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool mesh_places_init(struct mesh_places *places, const double *positions, uint32_t count, double distance)
{
    uint32_t size = 64;
    while (size < 2 * (uint64_t)count) {
        size *= 2;
    }
    *places = (struct mesh_places){.positions = positions, .distance = distance, .mask = size - 1};
    places->slots = calloc(size, sizeof *places->slots);
    return places->slots != NULL;
}

void mesh_places_deinit(struct mesh_places *places)
{
    free(places->slots);
    places->slots = NULL;
}

// Adding 0 makes one number of 0 and -0.
static void cell_of(const struct mesh_places *places, const double point[3], double cell[3])
{
    for (int axis = 0; axis < 3; axis++) {
        cell[axis] = places->distance > 0 ? floor(point[axis] / places->distance) + 0.0 : point[axis] + 0.0;
    }
}

static uint32_t slot_of(const struct mesh_places *places, const double cell[3])
{
    uint64_t hash = 0x9e3779b97f4a7c15;
    for (int axis = 0; axis < 3; axis++) {
        uint64_t bits;
        memcpy(&bits, &cell[axis], sizeof bits);
        hash = (hash ^ bits) * 0xbf58476d1ce4e5b9;
        hash ^= hash >> 31;
    }
    return (uint32_t)(hash >> 13) & places->mask;
}

void mesh_places_add(struct mesh_places *places, uint32_t index)
{
    double cell[3];
    cell_of(places, places->positions + 3 * (size_t)index, cell);
    uint32_t slot = slot_of(places, cell);
    while (places->slots[slot]) {
        slot = (slot + 1) & places->mask;
    }
    places->slots[slot] = index + 1;
}

static double distance_between(const double *a, const double *b)
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

uint32_t mesh_places_find(const struct mesh_places *places, const double point[3], bool lowest)
{
    double middle[3];
    uint32_t best = MESH_NONE;
    double best_distance = places->distance;
    const int reach = places->distance > 0 ? 1 : 0;
    cell_of(places, point, middle);
    for (int dx = -reach; dx <= reach; dx++) {
        for (int dy = -reach; dy <= reach; dy++) {
            for (int dz = -reach; dz <= reach; dz++) {
                const double cell[3] = {middle[0] + dx, middle[1] + dy, middle[2] + dz};
                for (uint32_t slot = slot_of(places, cell); places->slots[slot];
                     slot = (slot + 1) & places->mask) {
                    const uint32_t index = places->slots[slot] - 1;
                    const double distance = distance_between(point, places->positions + 3 * (size_t)index);
                    if (distance > places->distance) {
                        continue;
                    }
                    const bool better = lowest ? index < best
                                               : distance < best_distance || best == MESH_NONE ||
                                                     (distance == best_distance && index < best);
                    if (better) {
                        best = index;
                        best_distance = distance;
                    }
                }
            }
        }
    }
    return best;
}
