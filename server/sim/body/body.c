// A body made ready aside: what sim_body_attach then only copies.
//
//   desc -> checked -> welded -> quantised rest shape -> order in memory -> masses
//        -> constraints by kind (body_constraints.c): places, batches in order of solving
//
// Masses (PBD 2007, section 3.1): an element's mass goes to its corners in equal parts. They are masses, not
// inverse masses, that add up.

#include "sim/body/body.h"
#include "base/array.h"
#include "sim/body/balloon.h"
#include "sim/body/match.h"
#include "sim/body/mesh.h"
#include "sim/body/plan.h"
#include "sim/body/rigid.h"
#include "sim/body/rod.h"
#include "sim/body/steady.h"
#include "sim/body/torn.h"
#include "sim/contact/features.h"
#include "sim/ground/ground.h"

#include <stdio.h>
#include <stdlib.h>

// ------------------------------------------------------------------------------------------------- welding

static bool copy(void *to_pointer, const void *from, size_t size)
{
    void **to = to_pointer;
    *to = NULL;
    if (!from || size == 0) {
        return true;
    }
    *to = malloc(size);
    if (*to) {
        memcpy(*to, from, size);
    }
    return *to != NULL;
}

// Arrays of a body after welding: owned copies.
struct input {
    uint32_t count;
    double *positions;
    float *velocities;
    double *masses;
    uint32_t *pins;
    uint32_t *elements;
    uint32_t *given; // of each element: its place in the list that was given
    uint32_t corners, element_count;
};

static void input_deinit(struct input *input)
{
    free(input->positions);
    free(input->velocities);
    free(input->masses);
    free(input->pins);
    free(input->elements);
    free(input->given);
}

static bool input_init(struct input *input, const struct sim_body_desc *desc)
{
    const uint32_t *elements[] = {[SIM_CLOTH] = desc->triangles,
                                  [SIM_ROPE] = desc->edges,
                                  [SIM_POINTS] = NULL,
                                  [SIM_SOFT] = desc->tets,
                                  [SIM_RIGID] = NULL};
    static const uint32_t corners[] = {
        [SIM_CLOTH] = 3, [SIM_ROPE] = 2, [SIM_POINTS] = 1, [SIM_SOFT] = 4, [SIM_RIGID] = 1};
    uint32_t counts[] = {[SIM_CLOTH] = desc->triangle_count,
                         [SIM_ROPE] = desc->edge_count,
                         [SIM_POINTS] = 0,
                         [SIM_SOFT] = desc->tet_count,
                         [SIM_RIGID] = 0};
    size_t count = desc->particle_count;
    *input = (struct input){
        .count = desc->particle_count, .corners = corners[desc->kind], .element_count = counts[desc->kind]};
    input->given = malloc(((size_t)input->element_count + 1) * sizeof *input->given);
    for (uint32_t e = 0; input->given && e < input->element_count; e++) {
        input->given[e] = e;
    }
    return input->given && copy(&input->positions, desc->positions, count * 3 * sizeof(double)) &&
           copy(&input->velocities, desc->velocities, count * 3 * sizeof(float)) &&
           copy(&input->masses, desc->masses, count * sizeof(double)) &&
           copy(&input->pins, desc->pins, (size_t)desc->pin_count * sizeof(uint32_t)) &&
           copy(&input->elements, elements[desc->kind],
                (size_t)input->element_count * input->corners * sizeof(uint32_t));
}

// Renumbers everything by the kept vertices; masses add up (what is static stays so), the first vertex gives
// place and velocity.
// Elements that have a vertex twice now are left out.
static bool weld(struct sim_body_plan *plan, struct input *input, const struct sim_body_desc *desc)
{
    uint32_t *welded = malloc(((size_t)input->count + 1) * sizeof *welded), kept = 0;
    if (!welded || !sim_mesh_weld(input->positions, input->count, *desc->weld, welded, &kept)) {
        free(welded);
        return false;
    }
    plan->welded = welded;
    plan->vertex_count = input->count;
    uint32_t next = 0;
    for (uint32_t i = 0; i < input->count; i++) {
        uint32_t to = welded[i];
        if (to < next) {
            if (input->masses) {
                bool is_static = input->masses[to] == 0 || input->masses[i] == 0;
                input->masses[to] = is_static ? 0 : input->masses[to] + input->masses[i];
            }
            continue;
        }
        memmove(input->positions + 3 * (size_t)to, input->positions + 3 * (size_t)i, 3 * sizeof(double));
        if (input->velocities) {
            memmove(input->velocities + 3 * (size_t)to, input->velocities + 3 * (size_t)i, 3 * sizeof(float));
        }
        if (input->masses) {
            input->masses[to] = input->masses[i];
        }
        next++;
    }
    input->count = kept;
    for (uint32_t p = 0; p < desc->pin_count; p++) {
        input->pins[p] = welded[input->pins[p]];
    }
    uint32_t left = 0, corners = input->corners;
    for (uint32_t e = 0; e < input->element_count; e++) {
        uint32_t *corner = input->elements + (size_t)e * corners;
        bool collapsed = false;
        for (uint32_t k = 0; k < corners; k++) {
            corner[k] = welded[corner[k]];
            for (uint32_t other = 0; other < k; other++) {
                collapsed = collapsed || corner[other] == corner[k];
            }
        }
        if (collapsed) {
            sim_body_warn(
                plan, SIM_COLLAPSED, input->given[e],
                "%u element collapsed when vertices were welded (%u); it is left out",
                "%u elements collapsed when vertices were welded (the first is %u); they are left out");
            continue;
        }
        input->given[left] = input->given[e];
        memmove(input->elements + (size_t)left++ * corners, corner, corners * sizeof *corner);
    }
    input->element_count = left;
    return true;
}

// Keeps only the first of several elements with the same corners.
static bool drop_duplicates(struct sim_body_plan *plan, struct input *input)
{
    uint32_t *first = NULL, left = 0, corners = input->corners;
    if (!sim_mesh_twin_elements(input->elements, corners, input->element_count, &first)) {
        return false;
    }
    for (uint32_t e = 0; e < input->element_count; e++) {
        if (first[e] != e) {
            sim_body_warn(plan, SIM_DUPLICATE, input->given[e],
                          "%u element stands in the list again (%u); it counts once",
                          "%u elements stand in the list again (the first is %u); they count once");
            continue;
        }
        input->given[left] = input->given[e];
        memmove(input->elements + (size_t)left++ * corners, input->elements + (size_t)e * corners,
                corners * sizeof *input->elements);
    }
    input->element_count = left;
    free(first);
    return true;
}

// Puts the first `from` bytes of an array into memory of `to` bytes, the others being 0.
static bool widen(void *items_pointer, size_t from, size_t to)
{
    void **items = items_pointer;
    void *wide = *items ? calloc(1, to) : NULL;
    const bool done = wide || !*items;
    if (wide) {
        memcpy(wide, *items, from);
        free(*items);
        *items = wide;
    }
    return done;
}

// Adds the particles that splits will need, which an image has already. They lie on the first particle.
static bool spares_add(struct input *input, uint32_t spares)
{
    const size_t from = input->count, to = from + spares, place = 3 * sizeof *input->positions;
    const size_t velocity = 3 * sizeof *input->velocities, mass = sizeof *input->masses;
    if (!widen(&input->positions, from * place, to * place) ||
        !widen(&input->velocities, from * velocity, to * velocity) ||
        !widen(&input->masses, from * mass, to * mass)) {
        return false;
    }
    for (size_t i = from; i < to; i++) {
        memcpy(input->positions + 3 * i, input->positions, place);
    }
    input->count = (uint32_t)to;
    return true;
}

// -------------------------------------------------------------------------------------------------- masses

static double element_measure(const struct sim_body *body, const uint32_t *corner, uint32_t corners, double q)
{
    double d[3][3] = {{0}};
    for (uint32_t k = 1; k < corners; k++) {
        for (int axis = 0; axis < 3; axis++) {
            d[k - 1][axis] = (double)(body->rest[corner[k]][axis] - body->rest[corner[0]][axis]) * q;
        }
    }
    if (corners == 2) {
        return __builtin_sqrt(d[0][0] * d[0][0] + d[0][1] * d[0][1] + d[0][2] * d[0][2]);
    }
    double n[3] = {d[0][1] * d[1][2] - d[0][2] * d[1][1], d[0][2] * d[1][0] - d[0][0] * d[1][2],
                   d[0][0] * d[1][1] - d[0][1] * d[1][0]};
    if (corners == 3) {
        return 0.5 * __builtin_sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    }
    return (n[0] * d[2][0] + n[1] * d[2][1] + n[2] * d[2][2]) / 6;
}

static void warn_measure(struct sim_body_plan *plan, uint32_t corners, double measure, uint32_t element)
{
    if (corners == 3 && measure == 0) {
        sim_body_warn(plan, SIM_ZERO_AREA, element,
                      "%u triangle has no area (%u); it carries no mass and does not bend",
                      "%u triangles have no area (the first is %u); they carry no mass and do not bend");
    } else if (corners == 4 && measure == 0) {
        sim_body_warn(plan, SIM_ZERO_VOLUME, element, "%u tetrahedron has no volume (%u); it carries no mass",
                      "%u tetrahedra have no volume (the first is %u); they carry no mass");
    } else if (corners == 4 && measure < 0) {
        sim_body_warn(plan, SIM_INVERTED, element,
                      "%u tetrahedron is inverted (%u); it is kept as it is, at rest with a negative volume",
                      "%u tetrahedra are inverted (the first is %u); they are kept as they are, at rest with "
                      "a negative volume");
    }
}

// Slivers leave their corners next to nothing, or nothing. Where the body as a whole has a mass, such a particle gets the
// least one.
static double least_mass(struct sim_body_plan *plan, double mass, double mean, uint32_t particle)
{
    if (!(mass < SIM_MASS_MIN && mean >= SIM_MASS_MIN)) {
        return mass;
    }
    sim_body_warn(plan, SIM_LIGHT, particle,
                  "%u particle would weigh less than 1e-9 kg, as slivers make it (%u); it weighs that",
                  "%u particles would weigh less than 1e-9 kg, as slivers make them (the first is %u); they "
                  "weigh that");
    return SIM_MASS_MIN;
}

// Inverse masses by index; 0 for static particles, those that belong to no element, and all of a body without a mass.
static enum fault_code lump_masses(struct sim_body_plan *plan, const struct sim_body_desc *desc,
                                   const struct input *input, struct fault *fault)
{
    static const double density_default[] = {
        [SIM_CLOTH] = 0.2, [SIM_ROPE] = 0.1, [SIM_POINTS] = 0.01, [SIM_SOFT] = 1000, [SIM_RIGID] = 1000};
    struct sim_body *body = plan->body;
    double density = desc->density > 0 ? desc->density : density_default[desc->kind];
    double *masses = calloc(body->count, sizeof *masses);
    plan->inverse_masses = calloc(body->count, sizeof *plan->inverse_masses);
    double total = 0;
    enum fault_code status = FAULT_NONE;
    if (!masses || !plan->inverse_masses) {
        status = sim_fault_memory(fault);
        goto cleanup;
    }
    for (uint32_t i = 0; i < body->count; i++) {
        masses[i] = -1; // of no element yet
    }
    for (uint32_t e = 0; e < input->element_count; e++) {
        const uint32_t *corner = input->elements + (size_t)e * input->corners;
        double measure = element_measure(body, corner, input->corners, plan->resolution);
        warn_measure(plan, input->corners, measure, input->given[e]);
        for (uint32_t k = 0; k < input->corners; k++) {
            double *mass = &masses[corner[k]];
            *mass = (*mass > 0 ? *mass : 0) + density * (measure < 0 ? -measure : measure) / input->corners;
        }
        total += density * (measure < 0 ? -measure : measure);
    }
    for (uint32_t i = 0; i < body->count; i++) {
        double mass = input->masses              ? input->masses[i]
                      : body->kind == SIM_POINTS ? density
                      : body->rigid              ? density * body->rigid->volume
                                                 : masses[i];
        if (!input->masses && mass >= 0) {
            mass = least_mass(plan, mass, total / body->count, i);
        }
        if (!(mass > 0) && !input->masses && i < body->count - plan->spares) {
            sim_body_warn(plan, SIM_ISOLATED, i,
                          "%u particle belongs to no element with a mass (%u); it is static",
                          "%u particles belong to no element with a mass (the first is %u); they are static");
        }
        if (!(mass > 0)) {
            continue;
        }
        if (!(mass >= SIM_MASS_MIN && mass <= SIM_MASS_MAX)) {
            status = fault_code_set(fault, FAULT_INVALID, "density",
                                    "particle %u would weigh %g kg; must be in [%g, %g]", i, mass,
                                    SIM_MASS_MIN, SIM_MASS_MAX);
            goto cleanup;
        }
        plan->inverse_masses[i] = (float)(1 / mass);
    }
cleanup:
    free(masses);
    return status;
}

static enum fault_code warn_coincident(struct sim_body_plan *plan, struct fault *fault)
{
    const struct sim_body *body = plan->body;
    const uint32_t count = body->count - plan->spares;
    uint32_t *twins = sim_mesh_twins((const int64_t(*)[3])body->rest, count);
    if (!twins) {
        return sim_fault_memory(fault);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (twins[i] != i) {
            sim_body_warn(
                plan, SIM_COINCIDENT, i,
                "%u particle lies exactly where another one lies (%u); they are not joined, weld joins "
                "them",
                "%u particles lie exactly where another one lies (the first is %u); they are not "
                "joined, weld joins them");
        }
    }
    free(twins);
    return FAULT_NONE;
}

// Pins by index, each once.
static bool make_pins(struct sim_body_plan *plan, const uint32_t *pins, uint32_t pin_count)
{
    struct sim_body *body = plan->body;
    uint64_t *keys = malloc(((size_t)pin_count + 1) * sizeof *keys);
    uint32_t *order = malloc(((size_t)pin_count + 1) * sizeof *order);
    bool done = keys && order && array_reserve(&body->pins, &body->pin_capacity, pin_count);
    for (uint32_t i = 0; done && i < pin_count; i++) {
        keys[i] = pins[i];
        order[i] = i;
    }
    done = done && sim_sort(keys, order, pin_count);
    for (uint32_t i = 0; done && i < pin_count; i++) {
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

// Takes the elements over; for soft bodies finds the surface that wind and normals need.
static bool take_elements(struct sim_body *body, struct input *input)
{
    uint32_t **to[] = {[SIM_CLOTH] = &body->triangles, [SIM_ROPE] = &body->edges, [SIM_SOFT] = &body->tets};
    uint32_t *counts[] = {
        [SIM_CLOTH] = &body->triangle_count, [SIM_ROPE] = &body->edge_count, [SIM_SOFT] = &body->tet_count};
    if (body->kind == SIM_POINTS || body->kind == SIM_RIGID) {
        return true;
    }
    *to[body->kind] = input->elements;
    *counts[body->kind] = input->element_count;
    input->elements = NULL;
    if (body->kind == SIM_CLOTH) {
        body->surface = body->triangles;
        body->surface_count = body->triangle_count;
        return true;
    }
    if (body->kind != SIM_SOFT) {
        return true;
    }
    bool *inverted = calloc((size_t)body->tet_count + 1, sizeof *inverted);
    for (uint32_t t = 0; inverted && t < body->tet_count; t++) {
        inverted[t] = element_measure(body, body->tets + 4 * (size_t)t, 4, 1) < 0;
    }
    bool done = inverted &&
                sim_mesh_surface(body->tets, inverted, body->tet_count, &body->surface, &body->surface_count);
    free(inverted);
    return done;
}

static bool body_init(struct sim_body *body, const struct sim_body_desc *desc, struct input *input,
                      uint32_t spares, double resolution)
{
    size_t count = input->count;
    body->kind = desc->kind;
    body->count = input->count;
    body->materials[SIM_PART_STRETCH] = desc->stretch;
    body->materials[SIM_PART_BEND] = desc->bend;
    body->materials[SIM_PART_VOLUMES] = desc->volume;
    body->stretch_model = desc->stretch_model;
    body->yarns = desc->yarns;
    body->bend_model = desc->bend_model;
    body->solid_model = desc->solid_model;
    body->materials[SIM_PART_SOLID] = desc->solid_model == SIM_SOLID_NONE
                                          ? (struct sim_material){.stiffness = -1}
                                          : sim_solid_made(&desc->solid);
    body->thickness = desc->thickness;
    body->meeting = desc->meeting;
    body->restless = desc->restless;
    body->pressure = desc->pressure;
    body->gravity = desc->gravity.own ? desc->gravity : (struct sim_own_gravity){0};
    body->wind = desc->wind;
    body->force = desc->force;
    if (body->force.value[0] == 0 && body->force.value[1] == 0 && body->force.value[2] == 0) {
        body->force = (struct sim_body_force){0};
    }
    body->matching = desc->matching;
    body->row_of = malloc(count * sizeof *body->row_of);
    body->index_of = malloc(count * sizeof *body->index_of);
    body->rest = malloc(count * sizeof *body->rest);
    if (!body->row_of || !body->index_of || !body->rest) {
        return false;
    }
    for (size_t i = 0; i < count * 3; i++) {
        body->rest[i / 3][i % 3] = sim_quantize(input->positions[i], 1 / resolution);
    }
    body->velocities = input->velocities;
    input->velocities = NULL;
    const uint32_t own = input->count - spares;
    for (uint32_t i = own; i < input->count; i++) {
        body->row_of[i] = body->index_of[i] = i;
    }
    return sim_order((const int64_t(*)[3])body->rest, own, body->row_of, body->index_of);
}

// Takes the uvs of the triangles that are left. False if memory runs out.
static bool take_uvs(struct sim_body *body, const struct sim_body_desc *desc, const struct input *input)
{
    if (!desc->uvs || desc->kind != SIM_CLOTH) {
        return true;
    }
    body->uvs = malloc(((size_t)input->element_count + 1) * 6 * sizeof *body->uvs);
    for (size_t t = 0; body->uvs && t < input->element_count; t++) {
        memcpy(body->uvs + 6 * t, desc->uvs + 6 * (size_t)input->given[t], 6 * sizeof *body->uvs);
    }
    return body->uvs != NULL;
}

// Half the memory for rest shapes that 32 bits can span.
static bool pack_rest(struct sim_body *body)
{
    memcpy(body->origin, body->rest[0], sizeof body->origin);
    for (size_t i = 0; i < (size_t)body->count * 3; i++) {
        int64_t offset = body->rest[i / 3][i % 3] - body->origin[i % 3];
        if (offset > INT32_MAX || offset < INT32_MIN) {
            return true;
        }
    }
    body->offsets = malloc(body->count * sizeof *body->offsets);
    if (!body->offsets) {
        return false;
    }
    for (size_t i = 0; i < (size_t)body->count * 3; i++) {
        body->offsets[i / 3][i % 3] = (int32_t)(body->rest[i / 3][i % 3] - body->origin[i % 3]);
    }
    free(body->rest);
    body->rest = NULL;
    return true;
}

struct sim_body_plan *sim_body_prepare(const struct sim_body_desc *desc, double resolution, double extent,
                                       const struct sim_limits *limits, struct fault *fault)
{
    struct input input = {0};
    enum fault_code status = sim_body_check(desc, resolution, extent, limits, fault);
    if (status != FAULT_NONE) {
        return NULL;
    }
    struct sim_body_plan *plan = calloc(1, sizeof *plan);
    if (!plan || !(plan->body = calloc(1, sizeof *plan->body)) || !input_init(&input, desc)) {
        status = sim_fault_memory(fault);
        goto cleanup;
    }
    plan->resolution = resolution;
    plan->spares = desc->tear.most;
    if ((desc->weld && !weld(plan, &input, desc)) || !drop_duplicates(plan, &input) ||
        !take_uvs(plan->body, desc, &input) ||
        (plan->spares > 0 && !desc->torn && !spares_add(&input, plan->spares)) ||
        !body_init(plan->body, desc, &input, plan->spares, resolution) ||
        !sim_body_turned_take(plan->body, desc->turned) ||
        (desc->rod && !sim_body_rod_take(plan->body, desc->rod)) ||
        (desc->rigid && !sim_body_rigid_take(plan->body, desc->rigid, resolution))) {
        status = sim_fault_memory(fault);
        goto cleanup;
    }
    status = lump_masses(plan, desc, &input, fault);
    if (status == FAULT_NONE) {
        status = warn_coincident(plan, fault);
    }
    if (status == FAULT_NONE &&
        (!make_pins(plan, input.pins, desc->pin_count) || !take_elements(plan->body, &input))) {
        status = sim_fault_memory(fault);
    }
    if (status == FAULT_NONE) {
        status = sim_body_constrain(plan, input.given, limits, fault);
    }
    if (status == FAULT_NONE && plan->spares > 0) {
        status = sim_torn_make(plan, desc, fault);
    }
    if (status == FAULT_NONE && desc->clamp_count > 0) {
        status = sim_body_clamp(plan->body, desc, fault);
    }
    if (status == FAULT_NONE) {
        sim_body_warnings_write(plan);
        sim_body_solid_warn(plan);
        status = sim_body_size(plan, desc, fault);
    }
    if (status == FAULT_NONE && desc->pressure.model != SIM_PRESSURE_NONE) {
        status = sim_balloon_make(plan->body, &desc->pressure, resolution, &plan->body->balloon, fault);
    }
    if (status == FAULT_NONE && desc->matching.model != SIM_MATCH_NONE) {
        status = sim_match_make(plan->body, &desc->matching, resolution, &plan->body->match, fault);
        plan->body->matching.places = status == FAULT_NONE ? plan->body->match->places : NULL;
    }
    if (status == FAULT_NONE && sim_is_steadied(plan->body) &&
        !(plan->body->steady = sim_steady_make(plan->body->count))) {
        status = sim_fault_memory(fault);
    }
    if (status == FAULT_NONE && !pack_rest(plan->body)) {
        status = sim_fault_memory(fault);
    }
    if (status == FAULT_NONE && sim_meets(&plan->body->meeting) && !plan->body->rigid &&
        !(plan->body->features = sim_features_make(plan->body, true))) {
        status = sim_fault_memory(fault);
    }
cleanup:
    input_deinit(&input);
    if (status != FAULT_NONE) {
        sim_body_plan_destroy(plan);
        plan = NULL;
    }
    return plan;
}
