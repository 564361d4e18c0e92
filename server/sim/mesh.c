// Questions about meshes: unique edges, coincident vertices, indices that make no sense.

#include "sim/internal.h"

#include <stdlib.h>

static uint64_t mix(uint64_t x)
{
    x ^= x >> 31;
    x *= UINT64_C(0x9e3779b97f4a7c15);
    x ^= x >> 29;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    return x ^ (x >> 32);
}

// Open addressing with room for twice the items: at most half full, a power of two.
static size_t table_size(uint64_t items)
{
    size_t size = 16;
    while (size < items * 2) {
        size *= 2;
    }
    return size;
}

bool sim_mesh_edges(const uint32_t *elements, uint32_t corners, uint32_t count, uint32_t **edges,
                    uint32_t *edge_count)
{
    uint32_t sides = corners == 2 ? 1 : corners; // a rope's element is one edge, a triangle has three
    size_t size = table_size((uint64_t)count * sides);
    uint64_t *table = calloc(size, sizeof *table); // low + 1 in the upper half, high in the lower; 0 is free
    uint32_t *found = malloc(((size_t)count * sides + 1) * 2 * sizeof *found);
    *edges = found;
    *edge_count = 0;
    if (table == NULL || found == NULL) {
        free(table);
        free(found);
        *edges = NULL;
        return false;
    }
    uint32_t used = 0;
    for (uint32_t e = 0; e < count; e++) {
        const uint32_t *corner = elements + (size_t)e * corners;
        for (uint32_t s = 0; s < sides; s++) {
            uint32_t a = corner[s], b = corner[(s + 1) % corners];
            uint32_t low = a < b ? a : b, high = a < b ? b : a;
            uint64_t key = ((uint64_t)low + 1) << 32 | high;
            size_t place = mix(key) & (size - 1);
            while (table[place] != 0 && table[place] != key) {
                place = (place + 1) & (size - 1);
            }
            if (table[place] == 0) {
                table[place] = key;
                found[2 * (size_t)used] = a;
                found[2 * (size_t)used + 1] = b;
                used++;
            }
        }
    }
    free(table);
    *edge_count = used;
    return true;
}

enum sim_status sim_mesh_check(const char *field, const uint32_t *elements, uint32_t corners, uint32_t count,
                               uint32_t particle_count, struct sim_fault *fault)
{
    for (uint32_t e = 0; e < count; e++) {
        const uint32_t *corner = elements + (size_t)e * corners;
        for (uint32_t k = 0; k < corners; k++) {
            if (corner[k] >= particle_count) {
                return sim_fault_set(fault, SIM_INVALID, field,
                                     "element %u names particle %u; the body has %u (0 to %u)", e, corner[k],
                                     particle_count, particle_count - 1);
            }
            for (uint32_t other = 0; other < k; other++) {
                if (corner[other] == corner[k]) {
                    return sim_fault_set(fault, SIM_INVALID, field, "element %u names particle %u twice", e,
                                         corner[k]);
                }
            }
        }
    }
    return SIM_OK;
}

uint32_t *sim_mesh_twins(const int64_t (*positions)[3], uint32_t count)
{
    size_t size = table_size(count);
    uint32_t *table = malloc(size * sizeof *table);
    uint32_t *twins = malloc(((size_t)count + 1) * sizeof *twins);
    if (table == NULL || twins == NULL) {
        free(table);
        free(twins);
        return NULL;
    }
    memset(table, 0xff, size * sizeof *table);
    for (uint32_t i = 0; i < count; i++) {
        const int64_t *x = positions[i];
        uint64_t key = mix((uint64_t)x[0] + mix((uint64_t)x[1] + mix((uint64_t)x[2])));
        size_t place = key & (size - 1);
        while (table[place] != UINT32_MAX && memcmp(positions[table[place]], x, sizeof positions[0]) != 0) {
            place = (place + 1) & (size - 1);
        }
        if (table[place] == UINT32_MAX) {
            table[place] = i;
        }
        twins[i] = table[place];
    }
    free(table);
    return twins;
}
