// Materials by name: turns measured values of laboratories into compliances for this mesh. docs/concepts/materials.md
// has the formulas and the sources of the numbers.
#include "load.h"

#include "protocol/scene/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------
// Measures of a mesh

static const double *at(const struct mesh *mesh, uint32_t vertex)
{
    return mesh->positions + 3 * (size_t)vertex;
}

static double square_between(const double *a, const double *b)
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

static double area_of(const struct mesh *mesh, uint32_t triangle)
{
    const uint32_t *corners = mesh->triangles + 3 * (size_t)triangle;
    const double *a = at(mesh, corners[0]), *b = at(mesh, corners[1]), *c = at(mesh, corners[2]);
    const double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]},
                 v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
    const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    return 0.5 * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

// Sum of L^2 divided by the sum of (A0 + A1), over the edges. Each triangle adds its own area to each of its three
// edges; half of an edge that two triangles share is counted for each.
static double edges_over_areas(const struct mesh *mesh)
{
    double squares = 0, areas = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *corners = mesh->triangles + 3 * (size_t)t;
        for (int k = 0; k < 3; k++) {
            squares += 0.5 * square_between(at(mesh, corners[k]), at(mesh, corners[(k + 1) % 3]));
        }
        areas += 3 * area_of(mesh, t);
    }
    return areas > 0 ? squares / areas : 1.15;
}

static bool is_flat(const struct mesh *mesh)
{
    // Takes the plane of the largest triangle.
    uint32_t largest = 0;
    double area = -1;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const double one = area_of(mesh, t);
        if (one > area) {
            area = one;
            largest = t;
        }
    }
    const uint32_t *corners = mesh->triangles + 3 * (size_t)largest;
    const double *a = at(mesh, corners[0]), *b = at(mesh, corners[1]), *c = at(mesh, corners[2]);
    const double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]},
                 v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
    const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    double farthest = 0, size = 0;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        const double *p = at(mesh, i);
        const double d[3] = {p[0] - a[0], p[1] - a[1], p[2] - a[2]};
        farthest = fmax(farthest, fabs(d[0] * n[0] + d[1] * n[1] + d[2] * n[2]));
        size = fmax(size, sqrt(square_between(p, a)));
    }
    return length > 0 && farthest / length < 1e-6 * size;
}

static int edge_compare(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

// Sum of L^2 over the edges of the tetrahedra, each counted once. False if memory runs out.
static bool sum_squares(const struct mesh *mesh, double *squares)
{
    const size_t count = 6 * (size_t)mesh->tet_count;
    uint64_t *edges = malloc((count + 1) * sizeof *edges);
    size_t used = 0;
    *squares = 0;
    if (!edges) {
        return false;
    }
    for (uint32_t t = 0; t < mesh->tet_count; t++) {
        const uint32_t *corners = mesh->tets + 4 * (size_t)t;
        for (int i = 0; i < 4; i++) {
            for (int j = i + 1; j < 4; j++) {
                const uint64_t a = corners[i], b = corners[j];
                edges[used++] = a < b ? a << 32 | b : b << 32 | a;
            }
        }
    }
    qsort(edges, count, sizeof *edges, edge_compare);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || edges[i] != edges[i - 1]) {
            *squares += square_between(at(mesh, (uint32_t)(edges[i] >> 32)), at(mesh, (uint32_t)edges[i]));
        }
    }
    free(edges);
    return true;
}

static double tets_volume(const struct mesh *mesh)
{
    double sum = 0;
    for (uint32_t t = 0; t < mesh->tet_count; t++) {
        const uint32_t *corners = mesh->tets + 4 * (size_t)t;
        const double *first = at(mesh, corners[0]);
        double e[3][3];
        for (int k = 0; k < 3; k++) {
            for (int axis = 0; axis < 3; axis++) {
                e[k][axis] = at(mesh, corners[k + 1])[axis] - first[axis];
            }
        }
        sum += fabs((e[0][1] * e[1][2] - e[0][2] * e[1][1]) * e[2][0] +
                    (e[0][2] * e[1][0] - e[0][0] * e[1][2]) * e[2][1] +
                    (e[0][0] * e[1][1] - e[0][1] * e[1][0]) * e[2][2]) /
               6;
    }
    return sum;
}

// ---------------------------------------------------------------------------------------------------------
// Values

static void take_sheet(struct load *load, const struct scene_sheet *sheet)
{
    const double ratio = edges_over_areas(load->body);
    const bool flat = is_flat(load->body);
    load->values.density = sheet->density;
    load->values.stretch = ratio / sheet->membrane;
    // Somebody who says how stretchy it is need not be told where it stops.
    if (isnan(load->given.stretch) && sheet->limit > 0) {
        load->values.limit = sheet->limit;
    }
    load->values.bend_model = flat ? "quadratic" : "dihedral";
    load->values.bend = flat ? 3 / sheet->bending : 1 / (ratio * sheet->bending);
}

// A lattice is larger than the surface that it carries: its density is reduced so that it has the mass of the volume
// inside the surface.
static double lattice_share(const struct load *load)
{
    return load->cells ? fabs(load->shape.volume) / load->lattice.volume : 1;
}

static bool take_solid(struct load *load, const struct scene_solid *solid)
{
    const double volume = tets_volume(load->body);
    double squares;
    if (!sum_squares(load->body, &squares)) {
        return false;
    }
    load->values.density = solid->density * lattice_share(load);
    load->values.stretch = squares / (15 * solid->shear * volume);
    load->values.volume = volume / load->body->tet_count / (SCENE_BULK_OVER_SHEAR * solid->shear);
    return true;
}

static int refuse_material(const struct load *load, const char *name)
{
    char names[256] = "";
    if (!load->is_soft) {
        scene_material_names(names, sizeof names / 2);
    }
    for (size_t i = 0; !load->is_soft && i < SCENE_SHEETS; i++) {
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s, ", scene_sheets[i].name);
    }
    for (size_t i = 0; load->is_soft && i < SCENE_SOLIDS; i++) {
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s, ", scene_solids[i].name);
    }
    return cli_usage("there is no %s material '%s'; there is %snone", load->is_soft ? "solid" : "sheet", name,
                     names);
}

// A solid has neither edges nor volumes.
static int take_young(struct load *load)
{
    const struct load_values *given = &load->given;
    if (isnan(given->young)) {
        return isnan(given->poisson) ? CLI_OK : cli_usage("--poisson needs --young");
    }
    if (!load->is_soft) {
        return cli_usage("--young is for soft bodies; this is cloth");
    }
    if (!isnan(given->stretch) || !isnan(given->volume) || !isnan(given->damping)) {
        return cli_usage("--young makes a solid, which takes no --stretch, --volume or --damping");
    }
    load->values.stretch = load->values.volume = (double)NAN;
    return CLI_OK;
}

// Refuses options of the other kind of body, and two that say the same.
static int check_kind(const struct load *load)
{
    if (load->is_soft && (!isnan(load->given.bend) || load->given.bend_model)) {
        return cli_usage("--bend is for cloth; this is a soft body");
    }
    if (load->is_soft && !isnan(load->given.limit)) {
        return cli_usage("--limit is for cloth; this is a soft body");
    }
    if (load->is_soft && !isnan(load->given.rigidity)) {
        return cli_usage("--rigidity is for cloth; this is a soft body");
    }
    if (load->fabric.bends && (load->is_soft || !load->fabric.said || !isnan(load->given.bend))) {
        return cli_usage(load->is_soft ? "--rigidity is for cloth; this is a soft body"
                         : !load->fabric.said
                             ? "--rigidity along warp and weft needs --fabric"
                             : "--rigidity and --bend both say how stiff bending is; give one "
                               "of them");
    }
    if (load->fabric.said && (load->is_soft || !isnan(load->given.stretch))) {
        return cli_usage(load->is_soft
                             ? "--fabric is for cloth; this is a soft body"
                             : "--fabric and --stretch both say how cloth stretches; give one of them");
    }
    if (load->fabric.by_uvs && !load->body->uvs) {
        return cli_usage("--warp uv: the mesh has no uvs; give the direction x,y,z of the warp");
    }
    if (load->fabric.has_warp && !load->fabric.said) {
        return cli_usage("--warp says where the warp of --fabric runs; give both");
    }
    if (!isnan(load->given.rigidity) && !isnan(load->given.bend)) {
        return cli_usage("--rigidity and --bend both say how stiff bending is; give one of them");
    }
    if (!load->is_soft && !isnan(load->given.volume)) {
        return cli_usage("--volume is for soft bodies; this is cloth");
    }
    return CLI_OK;
}

static void override(double given, double *value)
{
    *value = isnan(given) ? *value : given;
}

int load_material(struct load *load)
{
    const char *name = load->material ? load->material : load->is_soft ? "jelly" : "cotton";
    bool found = strcmp(name, "none") == 0;
    load->values = (struct load_values){.density = (double)NAN,
                                        .thickness = load->given.thickness,
                                        .stretch = (double)NAN,
                                        .bend = (double)NAN,
                                        .volume = (double)NAN,
                                        .damping = load->given.damping,
                                        .limit = (double)NAN,
                                        .rigidity = load->given.rigidity,
                                        .young = load->given.young,
                                        .poisson = load->given.poisson};
    for (size_t i = 0; !load->is_soft && i < SCENE_SHEETS; i++) {
        if (strcmp(name, scene_sheets[i].name) == 0) {
            take_sheet(load, &scene_sheets[i]);
            found = true;
        }
    }
    for (size_t i = 0; load->is_soft && i < SCENE_SOLIDS; i++) {
        if (strcmp(name, scene_solids[i].name) == 0) {
            if (!take_solid(load, &scene_solids[i])) {
                fprintf(stderr, "weft: MEMORY: not enough memory to measure the mesh\n");
                return CLI_REFUSED;
            }
            found = true;
        }
    }
    if (strcmp(name, "none") != 0) {
        const int taken = load_named(load, name, &found);
        if (taken != CLI_OK) {
            return taken;
        }
    }
    if (!found) {
        return refuse_material(load, name);
    }
    if (load->is_static) {
        load->values.density = (double)NAN;
    }
    if (!load->contact.none && !load_sizes(load)) {
        fprintf(stderr, "weft: MEMORY: not enough memory to measure the mesh\n");
        return CLI_REFUSED;
    }
    int status = check_kind(load);
    if (status != CLI_OK) {
        return status;
    }
    if (!isnan(load->given.density)) {
        load->values.density = load->given.density * lattice_share(load);
    }
    override(load->given.stretch, &load->values.stretch);
    override(load->given.limit, &load->values.limit);
    override(load->given.bend, &load->values.bend);
    override(load->given.volume, &load->values.volume);
    if (load->given.bend_model) {
        const bool same =
            load->values.bend_model && strcmp(load->given.bend_model, load->values.bend_model) == 0;
        // The units differ between the models, so a number for one means nothing for the other.
        if (!same && isnan(load->given.bend)) {
            load->values.bend = strcmp(load->given.bend_model, "none") == 0 ? (double)NAN : 0;
        }
        load->values.bend_model = load->given.bend_model;
    }
    if (!isnan(load->values.rigidity) || load->fabric.bends) {
        load->values.bend = (double)NAN;
    }
    if (load->fabric.said) {
        load->values.stretch = (double)NAN;
    }
    return take_young(load);
}
