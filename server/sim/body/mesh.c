// Questions about meshes: unique edges, elements and vertices that stand twice, indices that make no sense.

#include "sim/body/mesh.h"
#include "sim/ground/ground.h"

#include <stdlib.h>

// Sides of an element as pairs of its corners; a rope's element is one edge.
static const uint8_t sides_of_edge[][2] = {{0, 1}};
static const uint8_t sides_of_triangle[][2] = {{0, 1}, {1, 2}, {2, 0}};
static const uint8_t sides_of_tet[][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

// For each side of each element the first side with the same ends (itself if none): malloc'd. Sides are listed
// by their lower end, so that finding the other one among them takes no search.
static uint32_t *first_sides(const uint32_t *elements, uint32_t corners, uint32_t count,
                             uint32_t particle_count, const uint8_t (*sides)[2], uint32_t side_count)
{
    size_t total = (size_t)count * side_count;
    if (total > UINT32_MAX) {
        return NULL;
    }
    uint32_t *first = malloc((total + 1) * sizeof *first);
    uint32_t *list = malloc((total + 1) * sizeof *list);
    uint32_t *starts = calloc((size_t)particle_count + 2, sizeof *starts);
    uint32_t *seen = malloc(((size_t)particle_count + 1) * 2 * sizeof *seen); // from where, as which side
    if (!first || !list || !starts || !seen) {
        free(first);
        first = NULL;
        goto cleanup;
    }
    for (size_t h = 0; h < total; h++) {
        const uint32_t *corner = elements + h / side_count * corners;
        uint32_t a = corner[sides[h % side_count][0]], b = corner[sides[h % side_count][1]];
        starts[(a < b ? a : b) + 2]++;
    }
    for (uint32_t p = 1; p <= particle_count; p++) {
        starts[p + 1] += starts[p];
    }
    for (size_t h = 0; h < total; h++) {
        const uint32_t *corner = elements + h / side_count * corners;
        uint32_t a = corner[sides[h % side_count][0]], b = corner[sides[h % side_count][1]];
        list[starts[(a < b ? a : b) + 1]++] = (uint32_t)h;
    }
    memset(seen, 0xff, (size_t)particle_count * 2 * sizeof *seen);
    for (uint32_t low = 0; low < particle_count; low++) {
        for (uint32_t i = starts[low]; i < starts[low + 1]; i++) {
            uint32_t h = list[i];
            const uint32_t *corner = elements + (size_t)(h / side_count) * corners;
            uint32_t a = corner[sides[h % side_count][0]], b = corner[sides[h % side_count][1]];
            uint32_t *other = seen + 2 * (size_t)(a < b ? b : a);
            if (other[0] != low) {
                other[0] = low;
                other[1] = h;
            }
            first[h] = other[1];
        }
    }
cleanup:
    free(list);
    free(starts);
    free(seen);
    return first;
}

bool sim_mesh_edges(const uint32_t *elements, uint32_t corners, uint32_t count, uint32_t particle_count,
                    uint32_t **edges, uint32_t *edge_count)
{
    const uint8_t(*sides)[2] = corners == 2 ? sides_of_edge : corners == 3 ? sides_of_triangle : sides_of_tet;
    uint32_t side_count = corners == 2 ? 1 : corners == 3 ? 3 : 6, used = 0;
    size_t total = (size_t)count * side_count;
    uint32_t *first = first_sides(elements, corners, count, particle_count, sides, side_count);
    uint32_t *found = malloc((total + 1) * 2 * sizeof *found);
    bool done = first && found;
    for (size_t h = 0; done && h < total; h++) {
        if (first[h] == h) {
            const uint32_t *corner = elements + h / side_count * corners;
            found[2 * (size_t)used] = corner[sides[h % side_count][0]];
            found[2 * (size_t)used + 1] = corner[sides[h % side_count][1]];
            used++;
        }
    }
    free(first);
    if (!done) {
        free(found);
        found = NULL;
    }
    *edges = found;
    *edge_count = used;
    return done;
}

static void sort_corners(uint32_t *corner, uint32_t corners)
{
    for (uint32_t i = 1; i < corners; i++) {
        for (uint32_t j = i; j > 0 && corner[j - 1] > corner[j]; j--) {
            uint32_t swap = corner[j];
            corner[j] = corner[j - 1];
            corner[j - 1] = swap;
        }
    }
}

bool sim_mesh_twin_elements(const uint32_t *elements, uint32_t corners, uint32_t count, uint32_t **first_of)
{
    uint32_t *first = malloc(((size_t)count + 1) * sizeof *first);
    uint32_t *sorted = malloc(((size_t)count + 1) * corners * sizeof *sorted);
    bool done = first && sorted;
    for (uint32_t e = 0; done && e < count; e++) {
        uint32_t *corner = sorted + (size_t)e * corners;
        memcpy(corner, elements + (size_t)e * corners, corners * sizeof *corner);
        sort_corners(corner, corners);
    }
    done = done && sim_first_equal(sorted, corners * sizeof *sorted, count, first);
    free(sorted);
    if (!done) {
        free(first);
        first = NULL;
    }
    *first_of = first;
    return done;
}

bool sim_mesh_hinges(const uint32_t *triangles, uint32_t count, uint32_t particle_count,
                     struct sim_hinge **hinges, uint32_t *hinge_count)
{
    size_t total = 3 * (size_t)count;
    uint32_t *first = first_sides(triangles, 3, count, particle_count, sides_of_triangle, 3), used = 0;
    struct sim_hinge *found = malloc((total + 1) * sizeof *found);
    bool done = first && found;
    for (size_t h = 0; done && h < total; h++) {
        const uint32_t *corner = triangles + h / 3 * 3, t = (uint32_t)(h / 3);
        uint32_t wing = corner[(h + 2) % 3];
        if (first[h] == h) {
            first[h] = used; // from here on: the hinge it became
            found[used++] = (struct sim_hinge){{corner[h % 3], corner[(h + 1) % 3], wing, wing}, {t, t}, 1};
            continue;
        }
        struct sim_hinge *hinge = &found[first[first[h]]];
        if (hinge->triangle_count++ == 1) {
            hinge->corners[3] = wing;
            hinge->triangles[1] = t;
        }
    }
    free(first);
    if (!done) {
        free(found);
        found = NULL;
    }
    *hinges = found;
    *hinge_count = used;
    return done;
}

// Faces of tetrahedron 0, 1, 2, 3 of positive volume, turning counter-clockwise seen from outside.
static const uint8_t faces_of_tet[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

bool sim_mesh_surface(const uint32_t *tets, const bool *inverted, uint32_t count, uint32_t **triangles,
                      uint32_t *triangle_count)
{
    *triangles = NULL;
    *triangle_count = 0;
    uint32_t *faces = malloc(((size_t)count * 4 + 1) * 3 * sizeof *faces), *first = NULL;
    uint8_t *shared = calloc((size_t)count * 4 + 1, 1);
    if (!faces || !shared) {
        free(faces);
        free(shared);
        return false;
    }
    for (size_t f = 0; f < (size_t)count * 4; f++) {
        const uint32_t *corner = tets + f / 4 * 4;
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t turned = inverted[f / 4] && k > 0 ? 3 - k : k;
            faces[3 * f + k] = corner[faces_of_tet[f % 4][turned]];
        }
    }
    bool done = sim_mesh_twin_elements(faces, 3, count * 4, &first);
    uint32_t used = 0;
    for (uint32_t f = 0; done && f < count * 4; f++) {
        shared[f] = shared[f] || first[f] != f;
        shared[first[f]] = shared[first[f]] || first[f] != f;
    }
    for (uint32_t f = 0; done && f < count * 4; f++) {
        if (!shared[f]) {
            memmove(faces + 3 * (size_t)used++, faces + 3 * (size_t)f, 3 * sizeof *faces);
        }
    }
    free(first);
    free(shared);
    if (!done) {
        free(faces);
        return false;
    }
    // Most faces lie inside. What cannot be made smaller is kept as it is.
    uint32_t *fitted = realloc(faces, ((size_t)used + 1) * 3 * sizeof *faces);
    *triangles = fitted ? fitted : faces;
    *triangle_count = used;
    return true;
}

enum fault_code sim_mesh_check(const char *field, const uint32_t *elements, uint32_t corners, uint32_t count,
                               uint32_t particle_count, struct fault *fault)
{
    for (uint32_t e = 0; e < count; e++) {
        const uint32_t *corner = elements + (size_t)e * corners;
        for (uint32_t k = 0; k < corners; k++) {
            if (corner[k] >= particle_count) {
                return fault_code_set(fault, FAULT_INVALID, field,
                                      "element %u names particle %u; the body has %u (0 to %u)", e, corner[k],
                                      particle_count, particle_count - 1);
            }
            for (uint32_t other = 0; other < k; other++) {
                if (corner[other] == corner[k]) {
                    return fault_code_set(fault, FAULT_INVALID, field, "element %u names particle %u twice",
                                          e, corner[k]);
                }
            }
        }
    }
    return FAULT_NONE;
}

uint32_t *sim_mesh_twins(const int64_t (*positions)[3], uint32_t count)
{
    uint32_t *twins = malloc(((size_t)count + 1) * sizeof *twins);
    if (twins && !sim_first_equal(positions, sizeof *positions, count, twins)) {
        free(twins);
        twins = NULL;
    }
    return twins;
}
