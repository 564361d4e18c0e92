// Makes the body from the file: cleans, places, welds, orients and fills the mesh, and picks the pinned particles.
#include "load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SAME = 1e-6; // points closer than this share of the mesh's size are the same point

int load_fail(struct load *load, const struct fault *fault)
{
    cli_progress_clear(&load->progress);
    fflush(stdout);
    fprintf(stderr, "weft: %s: %s\n", fault_word(fault->code), fault->text);
    return CLI_REFUSED;
}

static bool report(void *context, const char *stage, double share)
{
    struct load *load = context;
    return cli_progress_report(&load->progress, stage, share);
}

static double size_of(const struct mesh *mesh)
{
    struct mesh_bounds bounds;
    double size = 0;
    mesh_bounds(mesh, &bounds);
    for (int axis = 0; axis < 3; axis++) {
        size = fmax(size, bounds.high[axis] - bounds.low[axis]);
    }
    return size;
}

// Finds the pinned vertices of the body. A vertex of a surface that a lattice carries stands for the particles that
// carry it; places select the lattice's own particles.
static bool pick_pins(struct load *load, struct fault *fault)
{
    const struct mesh *body = load->body, *surface = &load->file.mesh;
    uint8_t *marked = calloc((size_t)body->vertex_count + surface->vertex_count + 1, 1);
    uint8_t *carried = marked ? marked + body->vertex_count : NULL;
    bool ok = marked != NULL;
    load->pinned = malloc(((size_t)body->vertex_count + 1) * sizeof *load->pinned);
    if (!ok || !load->pinned) {
        fault_set(fault, FAULT_MEMORY, NULL, "there is no memory for the pins");
        ok = false;
    }
    for (uint32_t i = 0; ok && i < load->pin_texts; i++) {
        const bool by_index = load->cells && strncmp(load->pins[i], "index:", 6) == 0;
        ok = mesh_pick(by_index ? surface : body, load->pins[i], by_index ? carried : marked, fault);
    }
    for (uint32_t v = 0; ok && load->cells && v < surface->vertex_count; v++) {
        for (size_t k = 0; carried[v] && k < 4; k++) {
            marked[load->lattice.skin_particles[4 * (size_t)v + k]] = 1;
        }
    }
    for (uint32_t i = 0; ok && i < body->vertex_count; i++) {
        if (marked[i]) {
            load->pinned[load->pinned_count++] = i;
        }
    }
    free(marked);
    return ok;
}

static bool pick(struct load *load, const struct mesh_watch *watch, struct fault *fault)
{
    (void)watch;
    return pick_pins(load, fault);
}

static bool fill(struct load *load, const struct mesh_watch *watch, struct fault *fault)
{
    if (mesh_fill(&load->file.mesh, &load->shape, load->cells, watch, &load->lattice, fault)) {
        return true;
    }
    if (load->shape.hole_area > 0 && fault->code == FAULT_INVALID) {
        fault_set(fault, fault->code, NULL, "%s (a greater --weld closes seams that gape)", fault->text);
    }
    return false;
}

static bool make_body(struct load *load, const struct mesh_watch *watch, struct fault *fault)
{
    struct mesh *mesh = &load->file.mesh;
    load->body = mesh;
    load->is_soft = mesh->tet_count > 0 && !load->is_rigid;
    if (load->is_rigid) {
        return true;
    }
    if (load->cells) {
        if (mesh->tet_count && !mesh->triangle_count) {
            fault_set(fault, FAULT_INVALID, NULL, "%.180s has tetrahedra already; leave --soft away",
                      load->path);
            return false;
        }
        load->is_soft = true;
        load->body = &load->lattice.body;
        mesh->tet_count = 0;
        return fill(load, watch, fault);
    }
    const bool wants_soft = load->kind && strcmp(load->kind, "soft") == 0;
    const bool wants_cloth = load->kind && strcmp(load->kind, "cloth") == 0;
    if ((wants_soft && !mesh->tet_count) || (wants_cloth && !mesh->triangle_count)) {
        fault_set(fault, FAULT_INVALID, NULL, "%.180s has no %s", load->path,
                  wants_soft ? "tetrahedra; --soft N fills a closed surface" : "triangles");
        return false;
    }
    if (wants_cloth) {
        load->is_soft = false;
    }
    return true;
}

// Removes vertices that only the other kind of elements used.
static bool drop_unused(struct load *load, struct fault *fault)
{
    struct mesh_welding welding;
    struct mesh *mesh = &load->file.mesh;
    if (load->cells || !mesh->tet_count || !mesh->triangle_count) {
        return true;
    }
    // Triangles beside tetrahedra are their surface, which clients compute by themselves.
    if (load->is_soft) {
        mesh->triangle_count = 0;
    } else {
        mesh->tet_count = 0;
    }
    return mesh_weld(mesh, 0, &welding, fault);
}

// Remeshes the surface. Vertices that --pin names by number stay where they are, so that they are still there to be pinned.
static bool remesh(struct load *load, const struct mesh_watch *watch, struct fault *fault)
{
    struct mesh *mesh = &load->file.mesh;
    if (isnan(load->remesh)) {
        return true;
    }
    if (load->is_soft) {
        return fault_set(fault, FAULT_INVALID, NULL, "%.180s is a soft body; --remesh is for cloth",
                         load->path);
    }
    uint8_t *kept = calloc((size_t)mesh->vertex_count + 1, 1);
    bool good = kept || fault_set(fault, FAULT_MEMORY, NULL, "there is no memory for the mesh");
    for (uint32_t i = 0; good && i < load->pin_texts; i++) {
        good = strncmp(load->pins[i], "index:", 6) != 0 || mesh_pick(mesh, load->pins[i], kept, fault);
    }
    const struct mesh_remeshing how = {.length = load->remesh, .kept = kept};
    good = good && mesh_remesh(mesh, &how, watch, &load->remeshed, fault);
    free(kept);
    return good || fault->code == FAULT_CANCELLED || fault->code == FAULT_MEMORY
               ? good
               : fault_set(fault, fault->code, NULL, "--remesh: %s", fault->text);
}

int load_mesh(struct load *load)
{
    const struct mesh_watch watch = {.report = report, .context = load};
    struct mesh *mesh = &load->file.mesh;
    struct fault fault = {0};
    if (!mesh_read_moving(load->path, load->part, load->plays ? &load->play : NULL, &watch, &load->file,
                          &fault) ||
        !report(load, "welding", -1) || !mesh_weld(mesh, 0, &load->exact, &fault) ||
        !mesh_place_mapped(mesh, &load->placement, load->map, &fault)) {
        return load_fail(load, &fault);
    }
    load->tolerance = isnan(load->weld) ? SAME * size_of(mesh) : load->weld;
    if (!mesh_weld(mesh, load->tolerance, &load->welding, &fault)) {
        return load_fail(load, &fault);
    }
    cli_progress_report(&load->progress, "turning", -1);
    if (!mesh_orient(mesh, &load->shape, &fault)) {
        return load_fail(load, &fault);
    }
    if (mesh->triangle_count == 0 && mesh->tet_count == 0) {
        fault_set(&fault, FAULT_INVALID, NULL, "%.180s: welding within %g m leaves nothing of it", load->path,
                  load->tolerance);
        return load_fail(load, &fault);
    }
    if (mesh->vertex_count > MESH_VERTICES_MAX) {
        fault_set(&fault, FAULT_LIMIT, NULL, "%.180s: %u vertices; a world takes at most %d", load->path,
                  mesh->vertex_count, MESH_VERTICES_MAX);
        return load_fail(load, &fault);
    }
    if (!make_body(load, &watch, &fault) || !drop_unused(load, &fault) || !remesh(load, &watch, &fault) ||
        !(load->is_rigid ? load_rigid_make : pick)(load, &watch, &fault)) {
        return load_fail(load, &fault);
    }
    if (!mesh_has_edges(mesh, &load->has_edges) || !mesh_file_use_materials(&load->file)) {
        fault_set(&fault, FAULT_MEMORY, NULL, "there is no memory for the mesh");
        return load_fail(load, &fault);
    }
    mesh_bounds(load->body, &load->bounds);
    return CLI_OK;
}
