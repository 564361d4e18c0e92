// A body made ready aside: what sim_body_attach then only copies.
//
//   desc -> quantised rest shape -> order in memory -> unique edges, rest lengths, masses
//        -> places (tile colour, tile, colour) -> batches in order of solving
//
// Masses (PBD 2007, section 3.1): a third of each triangle's mass to its corners, half of each edge's to its
// ends. They are masses, not inverse masses, that add up.

#include "sim/internal.h"

#include <stdio.h>
#include <stdlib.h>

#define MASS_MIN (1 / SIM_INVERSE_MASS_MAX) // kg
#define MASS_MAX (1 / SIM_INVERSE_MASS_MIN)

const struct sim_kind_shape sim_kind_shapes[SIM_KIND_COUNT] = {
    [SIM_DISTANCE] = {.stencil = 2, .param_count = 1},
};

void sim_tiles_destroy(struct sim_tile *tiles, uint32_t count)
{
    for (uint32_t t = 0; t < count; t++) {
        free(tiles[t].order);
    }
    free(tiles);
}

void sim_body_destroy(struct sim_body *body)
{
    if (body == NULL) {
        return;
    }
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        sim_tiles_destroy(body->tiles[kind], body->tile_count[kind]);
    }
    free(body->row_of);
    free(body->index_of);
    free(body->rest);
    free(body->velocities);
    free(body->triangles);
    free(body->edges);
    free(body->pins);
    free(body);
}

void sim_body_plan_destroy(struct sim_body_plan *plan)
{
    if (plan == NULL) {
        return;
    }
    sim_body_destroy(plan->body);
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        sim_store_deinit(&plan->stores[kind]);
        free(plan->slots[kind]);
    }
    free(plan->inverse_masses);
    free(plan);
}

uint32_t sim_body_plan_warnings(const struct sim_body_plan *plan, const struct sim_warning **warnings)
{
    *warnings = plan->warnings;
    return plan->warning_count;
}

bool sim_body_layout(enum sim_kind kind, uint32_t body, uint32_t count, const uint32_t *rows,
                     const struct sim_values *values, uint32_t row_count, struct sim_store *store,
                     struct sim_tile **tiles, uint32_t *tile_count, uint32_t *slots)
{
    const struct sim_kind_shape *shape = &sim_kind_shapes[kind];
    struct sim_coloring coloring;
    *tiles = NULL;
    *tile_count = 0;
    sim_store_init(store, kind, shape->stencil, shape->param_count);
    if (!sim_color(shape->stencil, count, rows, row_count, &coloring)) {
        return false;
    }
    uint64_t *keys = malloc(((size_t)count + 1) * sizeof *keys);
    uint32_t *order = malloc(((size_t)count + 1) * sizeof *order);
    *tiles = calloc((size_t)coloring.tile_count + 1, sizeof **tiles);
    bool done = keys != NULL && order != NULL && *tiles != NULL;
    for (uint32_t c = 0; done && c < count; c++) {
        keys[c] = (uint64_t)coloring.tiles[c] << 8 | coloring.colors[c];
        order[c] = c;
    }
    done = done && sim_sort(keys, order, count);
    for (uint32_t t = 0; done && t < coloring.tile_count; t++) {
        (*tiles)[t] =
            (struct sim_tile){.kind = kind, .body = body, .tile = t, .color = coloring.tile_colors[t]};
    }
    *tile_count = done ? coloring.tile_count : 0;
    for (uint32_t i = 0; done && i < count; i++) {
        uint32_t c = order[i];
        struct sim_tile *tile = &(*tiles)[coloring.tiles[c]];
        done = sim_store_reserve(store, 1) && sim_tile_reserve(tile, 1);
        if (done) {
            slots[c] = sim_store_place(store, tile, coloring.colors[c], c + 1,
                                       rows + (size_t)c * shape->stencil, &values[c], 1);
        }
    }
    if (!done) {
        sim_tiles_destroy(*tiles, *tile_count);
        sim_store_deinit(store);
        *tiles = NULL;
        *tile_count = 0;
    }
    free(keys);
    free(order);
    sim_coloring_deinit(&coloring);
    return done;
}

// The format takes the count and the first element.
static void warn(struct sim_body_plan *plan, const struct sim_warning *found, const char *format)
{
    if (found->count == 0) {
        return;
    }
    struct sim_warning *warning = &plan->warnings[plan->warning_count++];
    *warning = *found;
    snprintf(warning->text, sizeof warning->text, format, found->count, found->elements[0]);
}

static void note(struct sim_warning *warning, uint32_t element)
{
    if (warning->count < SIM_WARNING_ELEMENTS) {
        warning->elements[warning->count] = element;
    }
    warning->count++;
}

enum sim_status sim_material_check(const struct sim_material *material, struct sim_fault *fault)
{
    if (!(material->compliance >= 0 && material->compliance <= SIM_COMPLIANCE_MAX)) {
        return sim_fault_set(fault, SIM_INVALID, "stretch.compliance", "%g m/N; must be in [0, %g]",
                             material->compliance, SIM_COMPLIANCE_MAX);
    }
    if (!(material->damping >= 0 && material->damping <= SIM_DAMPING_MAX)) {
        return sim_fault_set(fault, SIM_INVALID, "stretch.damping", "%g N s/m; must be in [0, %g]",
                             material->damping, SIM_DAMPING_MAX);
    }
    if (!(material->stiffness <= 1)) {
        return sim_fault_set(fault, SIM_INVALID, "stretch.stiffness", "%g; must be in [0, 1]",
                             material->stiffness);
    }
    return SIM_OK;
}

enum sim_status sim_thickness_check(double thickness, struct sim_fault *fault)
{
    if (!(thickness >= 0 && thickness <= 1)) {
        return sim_fault_set(fault, SIM_INVALID, "thickness", "%g m; must be in [0, 1]", thickness);
    }
    return SIM_OK;
}

static enum sim_status check_desc(const struct sim_body_desc *desc, double extent,
                                  const struct sim_limits *limits, struct sim_fault *fault)
{
    if (desc->particle_count == 0) {
        return sim_fault_set(fault, SIM_INVALID, "positions", "no particle; at least one is needed");
    }
    if (desc->particle_count > limits->particles) {
        return sim_fault_set(fault, SIM_LIMIT, "positions", "%u particles; a world may hold %u",
                             desc->particle_count, limits->particles);
    }
    for (size_t i = 0; i < (size_t)desc->particle_count * 3; i++) {
        if (!(desc->positions[i] >= -extent && desc->positions[i] <= extent)) {
            return sim_fault_set(fault, SIM_INVALID, "positions",
                                 "particle %u lies at %g m; at most %g m (extent)", (unsigned)(i / 3),
                                 desc->positions[i], extent);
        }
        if (desc->velocities != NULL && !sim_finite(desc->velocities[i])) {
            return sim_fault_set(fault, SIM_INVALID, "velocities", "that of particle %u is not finite",
                                 (unsigned)(i / 3));
        }
    }
    for (uint32_t i = 0; desc->masses != NULL && i < desc->particle_count; i++) {
        if (!(desc->masses[i] == 0 || (desc->masses[i] >= MASS_MIN && desc->masses[i] <= MASS_MAX))) {
            return sim_fault_set(fault, SIM_INVALID, "masses",
                                 "particle %u weighs %g kg; must be 0 (static) or in [%g, %g]", i,
                                 desc->masses[i], MASS_MIN, MASS_MAX);
        }
    }
    if (desc->masses == NULL && !(desc->density >= 0 && sim_finite(desc->density))) {
        return sim_fault_set(fault, SIM_INVALID, "density", "%g; must be above 0, and finite", desc->density);
    }
    for (uint32_t i = 0; i < desc->pin_count; i++) {
        if (desc->pins[i] >= desc->particle_count) {
            return sim_fault_set(fault, SIM_INVALID, "pins",
                                 "element %u names particle %u; the body has %u (0 to %u)", i, desc->pins[i],
                                 desc->particle_count, desc->particle_count - 1);
        }
    }
    if (desc->kind == SIM_CLOTH && desc->triangle_count == 0) {
        return sim_fault_set(fault, SIM_INVALID, "triangles", "a cloth needs at least one triangle");
    }
    if (desc->kind == SIM_ROPE && desc->edge_count == 0) {
        return sim_fault_set(fault, SIM_INVALID, "edges", "a rope needs at least one edge");
    }
    enum sim_status status = sim_thickness_check(desc->thickness, fault);
    status = status != SIM_OK ? status : sim_material_check(&desc->stretch, fault);
    status = status != SIM_OK ? status
                              : sim_mesh_check("triangles", desc->triangles, 3, desc->triangle_count,
                                               desc->particle_count, fault);
    return status != SIM_OK
               ? status
               : sim_mesh_check("edges", desc->edges, 2, desc->edge_count, desc->particle_count, fault);
}

static double length_between(const struct sim_body *body, uint32_t a, uint32_t b)
{
    double d[3];
    for (int axis = 0; axis < 3; axis++) {
        d[axis] = (double)(body->rest[a][axis] - body->rest[b][axis]);
    }
    return __builtin_sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

static double triangle_area(const struct sim_body *body, const uint32_t *corner, double q)
{
    double u[3], v[3];
    for (int axis = 0; axis < 3; axis++) {
        u[axis] = (double)(body->rest[corner[1]][axis] - body->rest[corner[0]][axis]) * q;
        v[axis] = (double)(body->rest[corner[2]][axis] - body->rest[corner[0]][axis]) * q;
    }
    double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    return 0.5 * __builtin_sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

// Inverse masses by index; 0 for static particles and those that belong to no element.
static enum sim_status lump_masses(struct sim_body_plan *plan, const struct sim_body_desc *desc,
                                   struct sim_fault *fault)
{
    static const double density_default[] = {[SIM_CLOTH] = 0.2, [SIM_ROPE] = 0.1, [SIM_POINTS] = 0.01};
    struct sim_body *body = plan->body;
    double density = desc->density > 0 ? desc->density : density_default[desc->kind];
    double *masses = calloc(body->count, sizeof *masses);
    uint8_t *touched = calloc(body->count, 1);
    plan->inverse_masses = calloc(body->count, sizeof *plan->inverse_masses);
    enum sim_status status = SIM_OK;
    if (masses == NULL || touched == NULL || plan->inverse_masses == NULL) {
        status = sim_fault_memory(fault);
        goto cleanup;
    }
    struct sim_warning flat = {.code = SIM_ZERO_AREA}, isolated = {.code = SIM_ISOLATED};
    for (uint32_t t = 0; t < body->triangle_count; t++) {
        const uint32_t *corner = body->triangles + (size_t)t * 3;
        double area = triangle_area(body, corner, plan->resolution);
        if (area == 0) {
            note(&flat, t);
        }
        for (int k = 0; k < 3; k++) {
            masses[corner[k]] += density * area / 3;
            touched[corner[k]] = 1;
        }
    }
    for (uint32_t e = 0; e < body->edge_count; e++) {
        const uint32_t *end = body->edges + (size_t)e * 2;
        double length = length_between(body, end[0], end[1]) * plan->resolution;
        for (int k = 0; k < 2; k++) {
            masses[end[k]] += density * length / 2;
            touched[end[k]] = 1;
        }
    }
    for (uint32_t i = 0; i < body->count; i++) {
        double mass = desc->masses != NULL ? desc->masses[i] : body->kind == SIM_POINTS ? density : masses[i];
        if (mass == 0) {
            if (desc->masses == NULL) {
                note(&isolated, i); // nothing that has a mass touches it
            }
            continue;
        }
        if (!(mass >= MASS_MIN && mass <= MASS_MAX)) {
            status = sim_fault_set(fault, SIM_INVALID, "density",
                                   "particle %u would weigh %g kg; must be in [%g, %g]", i, mass, MASS_MIN,
                                   MASS_MAX);
            goto cleanup;
        }
        plan->inverse_masses[i] = (float)(1 / mass);
    }
    warn(plan, &flat, "%u triangles have no area (the first is %u); they carry no mass");
    warn(plan, &isolated, "%u particles belong to no element with a mass (the first is %u); they are static");
cleanup:
    free(masses);
    free(touched);
    return status;
}

static enum sim_status warn_coincident(struct sim_body_plan *plan, struct sim_fault *fault)
{
    const struct sim_body *body = plan->body;
    uint32_t *twins = sim_mesh_twins((const int64_t(*)[3])body->rest, body->count);
    if (twins == NULL) {
        return sim_fault_memory(fault);
    }
    struct sim_warning coincident = {.code = SIM_COINCIDENT};
    for (uint32_t i = 0; i < body->count; i++) {
        if (twins[i] != i) {
            note(&coincident, i);
        }
    }
    free(twins);
    warn(plan, &coincident,
         "%u particles lie exactly where another one lies (the first is %u); they are not joined");
    return SIM_OK;
}

static enum sim_status make_distances(struct sim_body_plan *plan, const struct sim_body_desc *desc,
                                      const struct sim_limits *limits, struct sim_fault *fault)
{
    struct sim_body *body = plan->body;
    uint32_t *edges = NULL, *rows = NULL, count = 0;
    struct sim_values *values = NULL;
    enum sim_status status = SIM_OK;
    const uint32_t *elements = body->kind == SIM_CLOTH ? body->triangles : body->edges;
    uint32_t element_count = body->kind == SIM_CLOTH ? body->triangle_count : body->edge_count;
    if (!sim_mesh_edges(elements, body->kind == SIM_CLOTH ? 3 : 2, element_count, &edges, &count)) {
        return sim_fault_memory(fault);
    }
    if (count > limits->constraints) {
        status = sim_fault_set(fault, SIM_LIMIT, NULL, "%u constraints; a world may hold %u", count,
                               limits->constraints);
        goto cleanup;
    }
    values = malloc(((size_t)count + 1) * sizeof *values);
    rows = malloc(((size_t)count + 1) * 2 * sizeof *rows);
    plan->slots[SIM_DISTANCE] = malloc(((size_t)count + 1) * sizeof(uint32_t));
    if (values == NULL || rows == NULL || plan->slots[SIM_DISTANCE] == NULL) {
        status = sim_fault_memory(fault);
        goto cleanup;
    }
    struct sim_warning short_edges = {.code = SIM_ZERO_LENGTH};
    for (uint32_t e = 0; e < count; e++) {
        uint32_t a = edges[2 * (size_t)e], b = edges[2 * (size_t)e + 1];
        double length = length_between(body, a, b);
        if (length > SIM_REST_MAX) {
            status = sim_fault_set(fault, SIM_INVALID, "positions",
                                   "the edge from %u to %u is %g m long; at most %g m", a, b,
                                   length * plan->resolution, SIM_REST_MAX * plan->resolution);
            goto cleanup;
        }
        if (length == 0) {
            note(&short_edges, e);
        }
        values[e] = (struct sim_values){
            .params = {(float)length},
            .compliance = (float)desc->stretch.compliance,
            .damping = (float)desc->stretch.damping,
            .stiffness = desc->stretch.stiffness >= 0 ? (float)desc->stretch.stiffness : -1,
        };
        rows[2 * (size_t)e] = body->row_of[a];
        rows[2 * (size_t)e + 1] = body->row_of[b];
    }
    if (!sim_body_layout(SIM_DISTANCE, 0, count, rows, values, body->count, &plan->stores[SIM_DISTANCE],
                         &body->tiles[SIM_DISTANCE], &body->tile_count[SIM_DISTANCE],
                         plan->slots[SIM_DISTANCE])) {
        status = sim_fault_memory(fault);
        goto cleanup;
    }
    body->constraint_count[SIM_DISTANCE] = body->built_count[SIM_DISTANCE] = body->live_count[SIM_DISTANCE] =
        count;
    warn(plan, &short_edges,
         "%u edges have no length (the first is %u); they pull only once their ends part");
cleanup:
    free(edges);
    free(rows);
    free(values);
    return status;
}

static bool copy(void *to_pointer, const void *from, size_t size)
{
    void **to = to_pointer;
    if (from == NULL || size == 0) {
        *to = NULL;
        return true;
    }
    *to = malloc(size);
    if (*to != NULL) {
        memcpy(*to, from, size);
    }
    return *to != NULL;
}

// Pins by index, each once.
static bool make_pins(struct sim_body_plan *plan, const struct sim_body_desc *desc)
{
    struct sim_body *body = plan->body;
    uint64_t *keys = malloc(((size_t)desc->pin_count + 1) * sizeof *keys);
    uint32_t *order = malloc(((size_t)desc->pin_count + 1) * sizeof *order);
    bool done = keys != NULL && order != NULL &&
                sim_reserve((void **)&body->pins, &body->pin_capacity, desc->pin_count, sizeof *body->pins);
    for (uint32_t i = 0; done && i < desc->pin_count; i++) {
        keys[i] = desc->pins[i];
        order[i] = i;
    }
    done = done && sim_sort(keys, order, desc->pin_count);
    for (uint32_t i = 0; done && i < desc->pin_count; i++) {
        uint32_t index = (uint32_t)keys[i];
        if (body->pin_count > 0 && body->pins[body->pin_count - 1].index == index) {
            continue;
        }
        struct sim_pin *pin = &body->pins[body->pin_count++];
        *pin = (struct sim_pin){.index = index, .inverse_mass = plan->inverse_masses[index]};
        memcpy(pin->from, body->rest[index], sizeof pin->from);
        memcpy(pin->to, body->rest[index], sizeof pin->to);
    }
    free(keys);
    free(order);
    return done;
}

struct sim_body_plan *sim_body_prepare(const struct sim_body_desc *desc, double resolution, double extent,
                                       const struct sim_limits *limits, struct sim_fault *fault)
{
    enum sim_status status = check_desc(desc, extent, limits, fault);
    if (status != SIM_OK) {
        return NULL;
    }
    struct sim_body_plan *plan = calloc(1, sizeof *plan);
    struct sim_body *body = calloc(1, sizeof *body);
    if (plan == NULL || body == NULL) {
        free(plan);
        free(body);
        sim_fault_memory(fault);
        return NULL;
    }
    plan->body = body;
    plan->resolution = resolution;
    size_t count = desc->particle_count;
    body->kind = desc->kind;
    body->count = desc->particle_count;
    body->triangle_count = desc->triangle_count;
    body->edge_count = desc->edge_count;
    body->stretch = desc->stretch;
    body->thickness = desc->thickness;
    body->row_of = malloc(count * sizeof *body->row_of);
    body->index_of = malloc(count * sizeof *body->index_of);
    body->rest = malloc(count * sizeof *body->rest);
    if (body->row_of == NULL || body->index_of == NULL || body->rest == NULL ||
        !copy(&body->velocities, desc->velocities, count * 3 * sizeof(float)) ||
        !copy(&body->triangles, desc->triangles, (size_t)desc->triangle_count * 3 * sizeof(uint32_t)) ||
        !copy(&body->edges, desc->edges, (size_t)desc->edge_count * 2 * sizeof(uint32_t))) {
        status = sim_fault_memory(fault);
        goto cleanup;
    }
    for (size_t i = 0; i < count * 3; i++) {
        body->rest[i / 3][i % 3] = sim_quantize(desc->positions[i], 1 / resolution);
    }
    if (!sim_order((const int64_t(*)[3])body->rest, body->count, body->row_of, body->index_of)) {
        status = sim_fault_memory(fault);
        goto cleanup;
    }
    status = lump_masses(plan, desc, fault);
    status = status != SIM_OK ? status : warn_coincident(plan, fault);
    status = status != SIM_OK ? status : make_distances(plan, desc, limits, fault);
    if (status == SIM_OK && !make_pins(plan, desc)) {
        status = sim_fault_memory(fault);
    }
cleanup:
    if (status != SIM_OK) {
        sim_body_plan_destroy(plan);
        plan = NULL;
    }
    return plan;
}
