// The mesh after remeshing: what is left of the halfedges, and the look of its triangles.
//
// The corners of a vertex between two features have one uv and one normal. They are found once for each such sector, at a place
// a little way into it, so that both sides of a seam keep their own.
#include "halves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double INTO = 0.05; // of the way to the middle of a sector's triangles

struct remade {
    const struct remesh *r;
    const struct near_tree *surface;
    const struct mesh *old;
    struct mesh mesh;
    uint32_t *number; // by vertex of r
    uint32_t *place;  // by triangle of r
};

static void number_vertices(struct remade *made)
{
    const struct remesh *r = made->r;
    for (uint32_t v = 0; v < r->vertex_count; v++) {
        const bool split = v < r->first_count && r->original[v] != v;
        made->number[v] = r->vertices[v].out == MESH_NONE ? MESH_NONE
                          : split                         ? made->number[r->original[v]]
                                                          : made->mesh.vertex_count++;
        if (made->number[v] != MESH_NONE && !split) {
            memcpy(made->mesh.positions + 3 * (size_t)made->number[v], r->vertices[v].at,
                   sizeof r->vertices[v].at);
        }
    }
    for (uint32_t t = 0; 3 * t < r->half_count; t++) {
        made->place[t] = r->halves[3 * (size_t)t].from == MESH_NONE ? MESH_NONE : made->mesh.triangle_count++;
    }
}

// A halfedge's corner in the new mesh.
static size_t corner_of(const struct remade *made, uint32_t half)
{
    return 3 * (size_t)made->place[half / 3] + half % 3;
}

// uvs of one place of the surface as it was.
static void uv_at(const struct remade *made, uint32_t vertex, const double into[3], uint32_t patch,
                  float uv[2])
{
    struct near_place near, own;
    const double *at = remesh_at(made->r, vertex);
    near_find(made->surface, into, patch, NULL, MESH_NONE, &near);
    if (near.item == MESH_NONE) {
        uv[0] = uv[1] = 0;
        return;
    }
    // The place of the vertex itself on that triangle counts.
    near_on(made->surface, near.item, at, &own);
    for (int i = 0; i < 2; i++) {
        double sum = 0;
        for (size_t k = 0; k < 3; k++) {
            sum += own.weights[k] * (double)made->old->uvs[6 * (size_t)near.item + 2 * k + (size_t)i];
        }
        uv[i] = (float)sum;
    }
}

// One sector: from `half` on, up to the halfedge before `end` (MESH_NONE: the border, or all around).
static void look_of_sector(struct remade *made, uint32_t vertex, uint32_t half, uint32_t end)
{
    const struct remesh *r = made->r;
    const double *at = remesh_at(r, vertex);
    double normal[3] = {0}, into[3] = {0}, count = 0;
    uint32_t h = half;
    do {
        const double *b = remesh_at(r, remesh_to(r, h)), *c = remesh_at(r, r->halves[remesh_prev(h)].from);
        double n[3];
        remesh_normal(at, b, c, n);
        for (int i = 0; i < 3; i++) {
            normal[i] += n[i];
            into[i] += (b[i] + c[i] + at[i]) / 3;
        }
        count++;
        h = remesh_around(r, h);
    } while (h != MESH_NONE && h != end && h != half);
    for (int i = 0; i < 3; i++) {
        into[i] = at[i] + INTO * (into[i] / count - at[i]);
    }
    const double length = sqrt(remesh_dot(normal, normal));
    float uv[2] = {0};
    if (made->mesh.uvs) {
        uv_at(made, vertex, r->vertices[vertex].kind == REMESH_INNER ? at : into, r->patches[half / 3], uv);
    }
    h = half;
    do {
        const size_t corner = corner_of(made, h);
        for (size_t i = 0; made->mesh.uvs && i < 2; i++) {
            made->mesh.uvs[2 * corner + i] = uv[i];
        }
        for (size_t i = 0; made->mesh.normals && i < 3; i++) {
            made->mesh.normals[3 * corner + i] = length > 0 ? (float)(normal[i] / length) : 0;
        }
        h = remesh_around(r, h);
    } while (h != MESH_NONE && h != end && h != half);
}

static void look_of_vertex(struct remade *made, uint32_t vertex)
{
    const struct remesh *r = made->r;
    const uint32_t first = r->vertices[vertex].out;
    uint32_t start = first, h = first;
    // The sectors of a vertex within the surface begin at some feature.
    do {
        if (r->halves[h].curve) {
            start = h;
            break;
        }
        h = remesh_around(r, h);
    } while (h != MESH_NONE && h != first);
    for (uint32_t from = start; from != MESH_NONE;) {
        uint32_t end = from;
        do {
            end = remesh_around(r, end);
        } while (end != MESH_NONE && end != start && !r->halves[end].curve);
        look_of_sector(made, vertex, from, end);
        from = end == start ? MESH_NONE : end;
    }
}

static bool remade_init(struct remade *made, const struct remesh *r, const struct near_tree *surface,
                        const struct mesh *old)
{
    const size_t corners = r->half_count, triangles = corners / 3;
    *made = (struct remade){.r = r, .surface = surface, .old = old};
    struct mesh *mesh = &made->mesh;
    made->number = malloc(((size_t)r->vertex_count + 1) * sizeof *made->number);
    made->place = malloc((triangles + 1) * sizeof *made->place);
    mesh->positions = malloc((3 * (size_t)r->vertex_count + 1) * sizeof *mesh->positions);
    mesh->triangles = malloc((corners + 1) * sizeof *mesh->triangles);
    mesh->vertex_of = malloc(((size_t)old->file_vertex_count + 1) * sizeof *mesh->vertex_of);
    mesh->uvs = old->uvs ? malloc((2 * corners + 1) * sizeof *mesh->uvs) : NULL;
    mesh->normals = old->normals ? malloc((3 * corners + 1) * sizeof *mesh->normals) : NULL;
    mesh->materials = old->materials ? malloc((triangles + 1) * sizeof *mesh->materials) : NULL;
    return made->number && made->place && mesh->positions && mesh->triangles && mesh->vertex_of &&
           (!old->uvs || mesh->uvs) && (!old->normals || mesh->normals) &&
           (!old->materials || mesh->materials);
}

// Only vertices that stayed where they were are still those of the file.
static void keep_numbers(struct remade *made)
{
    const struct remesh *r = made->r;
    struct mesh *mesh = &made->mesh;
    mesh->file_vertex_count = made->old->file_vertex_count;
    for (uint32_t i = 0; i < mesh->file_vertex_count; i++) {
        const uint32_t was = made->old->vertex_of ? made->old->vertex_of[i] : i;
        const bool stayed =
            was != MESH_NONE && was < r->first_count && r->vertices[was].kind == REMESH_CORNER;
        mesh->vertex_of[i] = stayed ? made->number[was] : MESH_NONE;
    }
}

bool remesh_finish(const struct remesh *r, const struct near_tree *surface, struct mesh *mesh)
{
    struct remade made;
    uint32_t *material_of = calloc((size_t)r->patch_count + 1, sizeof *material_of);
    const bool good = remade_init(&made, r, surface, mesh) && material_of;
    if (!good) {
        mesh_deinit(&made.mesh);
        free(made.number);
        free(made.place);
        free(material_of);
        return false;
    }
    number_vertices(&made);
    for (uint32_t t = 0; mesh->materials && t < mesh->triangle_count; t++) {
        material_of[near_group(surface, t)] = mesh->materials[t];
    }
    for (uint32_t h = 0; h < r->half_count; h++) {
        if (made.place[h / 3] != MESH_NONE) {
            made.mesh.triangles[corner_of(&made, h)] = made.number[r->halves[h].from];
        }
    }
    for (uint32_t t = 0; mesh->materials && 3 * t < r->half_count; t++) {
        if (made.place[t] != MESH_NONE) {
            made.mesh.materials[made.place[t]] = material_of[r->patches[t]];
        }
    }
    for (uint32_t v = 0; (mesh->uvs || mesh->normals) && v < r->vertex_count; v++) {
        if (r->vertices[v].out != MESH_NONE) {
            look_of_vertex(&made, v);
        }
    }
    keep_numbers(&made);
    free(made.number);
    free(made.place);
    free(material_of);
    mesh_deinit(mesh);
    *mesh = made.mesh;
    return true;
}
