// Sides of triangles, sorted by their vertices: what belongs to one edge stands together.
#include "edges.h"

#include <stdlib.h>

static int side_compare(const void *left, const void *right)
{
    const struct mesh_side *a = left, *b = right;
    if (a->low != b->low) {
        return a->low < b->low ? -1 : 1;
    }
    if (a->high != b->high) {
        return a->high < b->high ? -1 : 1;
    }
    return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

struct mesh_side *mesh_sides(const struct mesh *mesh)
{
    const size_t count = 3 * (size_t)mesh->triangle_count;
    struct mesh_side *sides = malloc((count + 1) * sizeof *sides);
    for (size_t i = 0; sides && i < count; i++) {
        const uint32_t a = mesh->triangles[i], b = mesh->triangles[i - i % 3 + (i + 1) % 3];
        sides[i] = (struct mesh_side){
            .low = a < b ? a : b, .high = a < b ? b : a, .triangle = (uint32_t)(i / 3), .upward = a < b};
    }
    if (sides) {
        qsort(sides, count, sizeof *sides, side_compare);
    }
    return sides;
}

size_t mesh_sides_of_edge(const struct mesh_side *sides, size_t count, size_t at)
{
    size_t end = at + 1;
    while (end < count && sides[end].low == sides[at].low && sides[end].high == sides[at].high) {
        end++;
    }
    return end - at;
}
