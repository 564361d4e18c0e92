// Vertices that lie in one place become one, and what makes no sense any more is left out.
//
// A vertex goes into the first one that stays and is near enough; those that went into others attract nobody, so that
// a chain of small steps does not run together. The outcome depends on the order of vertices alone.
#include "internal.h"
#include "places.h"

#include <stdlib.h>
#include <string.h>

static bool weld_vertices(struct mesh *mesh, double tolerance, uint32_t *target, uint32_t *welded)
{
    struct mesh_places places;
    if (!mesh_places_init(&places, mesh->positions, mesh->vertex_count, tolerance)) {
        return false;
    }
    *welded = 0;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        const uint32_t found = mesh_places_find(&places, mesh->positions + 3 * (size_t)i, true);
        target[i] = found == MESH_NONE ? i : found;
        *welded += found != MESH_NONE;
        if (found == MESH_NONE) {
            mesh_places_add(&places, i);
        }
    }
    mesh_places_deinit(&places);
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Elements: those of `corners` vertices each

static bool is_collapsed(const uint32_t *element, int corners)
{
    for (int a = 0; a < corners; a++) {
        for (int b = a + 1; b < corners; b++) {
            if (element[a] == element[b]) {
                return true;
            }
        }
    }
    return false;
}

static void sorted(const uint32_t *element, int corners, uint32_t *out)
{
    for (int a = 0; a < corners; a++) {
        int b = a;
        for (; b > 0 && out[b - 1] > element[a]; b--) {
            out[b] = out[b - 1];
        }
        out[b] = element[a];
    }
}

// Leaves out collapsed elements, and those with the same corners as one before: lines (2 corners), triangles (3) or tets (4).
static bool clean(struct mesh *mesh, int corners, struct mesh_welding *welding)
{
    uint32_t *elements = corners == 2 ? mesh->lines : corners == 3 ? mesh->triangles : mesh->tets;
    uint32_t *count = corners == 2   ? &mesh->line_count
                      : corners == 3 ? &mesh->triangle_count
                                     : &mesh->tet_count;
    uint32_t size = 64, kept = 0;
    while (size < 2 * (uint64_t)*count) {
        size *= 2;
    }
    uint32_t *slots = calloc(size, sizeof *slots); // index of an element that stays + 1
    if (!slots) {
        return false;
    }
    for (uint32_t i = 0; i < *count; i++) {
        const uint32_t *element = elements + (size_t)corners * i;
        uint32_t key[4], other[4];
        if (is_collapsed(element, corners)) {
            welding->collapsed++;
            continue;
        }
        sorted(element, corners, key);
        uint64_t hash = 0x9e3779b97f4a7c15;
        for (int k = 0; k < corners; k++) {
            hash = (hash ^ key[k]) * 0xbf58476d1ce4e5b9;
            hash ^= hash >> 29;
        }
        uint32_t slot = (uint32_t)(hash >> 17) & (size - 1);
        bool repeated = false;
        for (; slots[slot] && !repeated; slot = (slot + 1) & (size - 1)) {
            sorted(elements + (size_t)corners * (slots[slot] - 1), corners, other);
            repeated = memcmp(key, other, (size_t)corners * sizeof *key) == 0;
        }
        if (repeated) {
            welding->repeated++;
            continue;
        }
        if (corners == 3) {
            mesh_look_move(mesh, kept, i, 1);
        }
        memmove(elements + (size_t)corners * kept, element, (size_t)corners * sizeof *element);
        slots[slot] = ++kept;
    }
    *count = kept;
    free(slots);
    return true;
}

static void rename_corners(uint32_t *elements, size_t count, const uint32_t *target)
{
    for (size_t i = 0; i < count; i++) {
        elements[i] = target[elements[i]];
    }
}

// Vertices that no element has are left out; target becomes what each is from now on. welded ones are not counted.
static void compact(struct mesh *mesh, uint32_t *target, uint8_t *used, struct mesh_welding *welding)
{
    uint32_t kept = 0;
    for (size_t i = 0; i < 2 * (size_t)mesh->line_count; i++) {
        used[mesh->lines[i]] = 1;
    }
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++) {
        used[mesh->triangles[i]] = 1;
    }
    for (size_t i = 0; i < 4 * (size_t)mesh->tet_count; i++) {
        used[mesh->tets[i]] = 1;
    }
    // target[i] <= i, so what it leads to has been renamed before.
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        if (target[i] != i) {
            target[i] = target[target[i]];
        } else if (used[i]) {
            memmove(mesh->positions + 3 * (size_t)kept, mesh->positions + 3 * (size_t)i,
                    3 * sizeof *mesh->positions);
            target[i] = kept++;
        } else {
            target[i] = MESH_NONE;
            welding->unused++;
        }
    }
    mesh->vertex_count = kept;
}

bool mesh_weld(struct mesh *mesh, double tolerance, struct mesh_welding *welding, struct fault *fault)
{
    bool ok = false;
    memset(welding, 0, sizeof *welding);
    uint32_t *target = malloc(((size_t)mesh->vertex_count + 1) * sizeof *target);
    uint8_t *used = calloc((size_t)mesh->vertex_count + 1, 1);
    const bool has_elements = mesh->triangle_count || mesh->tet_count || mesh->line_count;
    if (!target || !used || !weld_vertices(mesh, tolerance, target, &welding->welded)) {
        goto cleanup;
    }
    rename_corners(mesh->triangles, 3 * (size_t)mesh->triangle_count, target);
    rename_corners(mesh->tets, 4 * (size_t)mesh->tet_count, target);
    rename_corners(mesh->lines, 2 * (size_t)mesh->line_count, target);
    if (!clean(mesh, 2, welding) || !clean(mesh, 3, welding) || !clean(mesh, 4, welding)) {
        goto cleanup;
    }
    memset(used, !has_elements, mesh->vertex_count);
    compact(mesh, target, used, welding);
    rename_corners(mesh->triangles, 3 * (size_t)mesh->triangle_count, target);
    rename_corners(mesh->tets, 4 * (size_t)mesh->tet_count, target);
    rename_corners(mesh->lines, 2 * (size_t)mesh->line_count, target);
    for (uint32_t i = 0; i < mesh->file_vertex_count; i++) {
        if (mesh->vertex_of[i] != MESH_NONE) {
            mesh->vertex_of[i] = target[mesh->vertex_of[i]];
        }
    }
    ok = true;

cleanup:
    free(target);
    free(used);
    return ok || mesh_fail_memory(fault);
}
