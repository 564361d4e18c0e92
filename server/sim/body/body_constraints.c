// The constraints of a body: distances along unique edges, or strains of triangles along warp and weft; bending across inner edges;
// volumes of tetrahedra (body_solid.c has those of a solid); and its surface triangles, batched for the wind.

#include "sim/body/bend_yarns.h"
#include "sim/body/body.h"
#include "sim/body/fabric.h"
#include "sim/body/mesh.h"
#include "sim/body/plan.h"
#include "sim/body/rigidity.h"
#include "sim/body/rod.h"
#include "sim/ground/ground.h"
#include "sim/state/kind.h"
#include "sim/store/store.h"

#include <stdlib.h>

#define FLAT_ANGLE 1e-3f // rad; a rest shape folded less than this everywhere is flat

// Finds the mean length of the edges, and refuses those that are too long.
static enum fault_code measure_edges(struct sim_body_plan *plan, const uint32_t *edges, uint32_t count,
                                     struct fault *fault)
{
    struct sim_body *body = plan->body;
    double sum = 0;
    for (uint32_t e = 0; e < count; e++) {
        uint32_t a = edges[2 * (size_t)e], b = edges[2 * (size_t)e + 1];
        double d[3];
        for (int axis = 0; axis < 3; axis++) {
            d[axis] = (double)(body->rest[a][axis] - body->rest[b][axis]);
        }
        double length = __builtin_sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        if (length > SIM_REST_MAX) {
            return fault_code_set(fault, FAULT_INVALID, "positions",
                                  "the edge from %u to %u is %g m long; at most %g m; " SIM_COARSER, a, b,
                                  length * plan->resolution, SIM_REST_MAX * plan->resolution);
        }
        if (length == 0 && body->stretch_model == SIM_STRETCH_DISTANCE) {
            sim_body_warn(plan, SIM_ZERO_LENGTH, e,
                          "%u edge has no length (%u); it pulls only once its ends part",
                          "%u edges have no length (the first is %u); they pull only once their ends part");
        }
        sum += length;
    }
    body->edge = count > 0 ? sum / count * plan->resolution : 0;
    return FAULT_NONE;
}

// Makes the distance constraints of edges.
static enum fault_code make_distances(struct sim_body_plan *plan, uint32_t *edges, uint32_t count,
                                      const struct sim_limits *limits, struct fault *fault)
{
    struct sim_values *values = malloc(((size_t)count + 1) * sizeof *values);
    enum fault_code status = !values ? sim_fault_memory(fault) : measure_edges(plan, edges, count, fault);
    for (uint32_t e = 0; status == FAULT_NONE && e < count; e++) {
        sim_body_values(plan, SIM_DISTANCE, edges + 2 * (size_t)e, &values[e]);
    }
    if (status == FAULT_NONE) {
        status = sim_body_lay_out(plan, SIM_DISTANCE, count, edges, values, limits, fault);
    }
    free(values);
    return status;
}

// Makes the orthotropic constraints of a cloth's triangles, of those that have an area.
static enum fault_code make_weaves(struct sim_body_plan *plan, const uint32_t *given,
                                   const struct sim_limits *limits, struct fault *fault)
{
    const struct sim_body *body = plan->body;
    const uint32_t count = body->triangle_count;
    uint32_t kept = 0, stands = 0, first = 0;
    double turn[2];
    struct sim_values *values = malloc(((size_t)count + 1) * sizeof *values);
    uint32_t *corners = malloc(((size_t)count + 1) * 3 * sizeof *corners);
    enum fault_code status = !values || !corners ? sim_fault_memory(fault) : FAULT_NONE;
    sim_turn_of(body->yarns.angle, turn);
    for (uint32_t t = 0; status == FAULT_NONE && t < count; t++) {
        const uint32_t *of = body->triangles + 3 * (size_t)t;
        double offsets[2][3], along[3];
        bool upright = false;
        sim_body_values(plan, SIM_ORTHOTROPIC, of, &values[kept]);
        sim_weave_material(&body->materials[SIM_PART_STRETCH], values[kept].params);
        for (size_t k = 0; k < 6; k++) {
            offsets[k / 3][k % 3] = (double)(body->rest[of[k / 3 + 1]][k % 3] - body->rest[of[0]][k % 3]);
        }
        const bool runs = sim_warp_along(body, t, (const double(*)[3])offsets, along);
        if (sim_weave_at_rest((const double(*)[3])offsets, plan->resolution, along, turn, values[kept].params,
                              &upright)) {
            if (!runs) {
                status =
                    fault_code_set(fault, FAULT_INVALID, "yarn_uvs",
                                   "those of triangle %u lie on a line; must span an area, because they say "
                                   "where the warp runs",
                                   given[t]);
            }
            memcpy(corners + 3 * (size_t)kept++, of, 3 * sizeof *corners);
        }
        first = upright && stands == 0 ? given[t] : first;
        stands += upright ? 1 : 0;
    }
    if (status == FAULT_NONE && (uint64_t)stands * 10 > kept) {
        status = fault_code_set(fault, FAULT_INVALID, "stretch.direction",
                                "(%g, %g, %g) stands upright on %u of %u triangles (the first is %u); must "
                                "lie in the cloth",
                                body->yarns.direction[0], body->yarns.direction[1], body->yarns.direction[2],
                                stands, kept, first);
    }
    if (status == FAULT_NONE && kept > 0) {
        status = sim_body_lay_out(plan, SIM_ORTHOTROPIC, kept, corners, values, limits, fault);
    }
    free(values);
    free(corners);
    return status;
}

// Stencils that can bend: two triangles at an edge, both with an area, and two different wings. Fills in their corners
// and, as of `kind`, their values; returns how many there are.
static uint32_t make_stencils(struct sim_body_plan *plan, const uint32_t *given,
                              const struct sim_hinge *hinges, uint32_t count, enum sim_kind kind,
                              uint32_t *corners, struct sim_values *values)
{
    uint32_t kept = 0;
    for (uint32_t h = 0; h < count; h++) {
        const struct sim_hinge *hinge = &hinges[h];
        if (hinge->triangle_count > 2) {
            sim_body_warn(
                plan, SIM_NONMANIFOLD, given[hinge->triangles[0]],
                "%u edge belongs to more than two triangles (at triangle %u); it does not bend",
                "%u edges belong to more than two triangles (the first at triangle %u); they do not bend");
        }
        if (hinge->triangle_count != 2 || hinge->corners[2] == hinge->corners[3]) {
            continue;
        }
        if (sim_body_values(plan, kind, hinge->corners, &values[kept])) {
            memcpy(corners + 4 * (size_t)kept++, hinge->corners, 4 * sizeof *corners);
        }
    }
    return kept;
}

static bool is_flat(const struct sim_body_plan *plan, const uint32_t *corners, uint32_t count)
{
    bool flat = true;
    for (uint32_t c = 0; flat && c < count; c++) {
        struct sim_values folded;
        sim_body_values(plan, SIM_DIHEDRAL, corners + 4 * (size_t)c, &folded);
        flat = folded.params[0] < FLAT_ANGLE && folded.params[0] > -FLAT_ANGLE;
    }
    return flat;
}

// Makes the bending constraints of the hinges that can bend.
static enum fault_code make_bending(struct sim_body_plan *plan, const uint32_t *given,
                                    const struct sim_hinge *hinges, uint32_t count,
                                    const struct sim_limits *limits, struct fault *fault)
{
    struct sim_body *body = plan->body;
    struct sim_values *values = malloc(((size_t)count + 1) * sizeof *values);
    uint32_t *corners = malloc(((size_t)count + 1) * 4 * sizeof *corners);
    enum fault_code status = FAULT_NONE;
    if (!values || !corners) {
        status = sim_fault_memory(fault);
        goto cleanup;
    }
    enum sim_kind kind = body->bend_model == SIM_BEND_ISOMETRIC ? SIM_ISOMETRIC : SIM_QUADRATIC;
    count = make_stencils(plan, given, hinges, count, kind, corners, values);
    if (body->bend_model == SIM_BEND_DEFAULT) {
        const bool flows = body->materials[SIM_PART_BEND].plastic.rate > 0;
        body->bend_model = !flows && is_flat(plan, corners, count) ? SIM_BEND_QUADRATIC : SIM_BEND_DIHEDRAL;
    }
    if (body->bend_model == SIM_BEND_DIHEDRAL) {
        kind = SIM_DIHEDRAL;
        for (uint32_t c = 0; c < count; c++) {
            sim_body_values(plan, kind, corners + 4 * (size_t)c, &values[c]);
        }
    }
    status = sim_body_rigidity(body, plan->resolution, &body->materials[SIM_PART_BEND], fault);
    if (status == FAULT_NONE && sim_bends_by_yarns(&body->materials[SIM_PART_BEND])) {
        status =
            sim_bend_yarns(body, plan->resolution, &body->materials[SIM_PART_BEND], &body->bend_own, fault);
    }
    for (uint32_t c = 0; status == FAULT_NONE && c < count; c++) {
        values[c].compliance =
            body->bend_own ? body->bend_own[c] : (float)body->materials[SIM_PART_BEND].compliance;
    }
    if (status == FAULT_NONE && body->bend_model != SIM_BEND_NONE && count > 0) {
        status = sim_body_lay_out(plan, kind, count, corners, values, limits, fault);
    }
cleanup:
    free(values);
    free(corners);
    return status;
}

static enum fault_code make_edges(struct sim_body_plan *plan, const uint32_t *elements, uint32_t corners,
                                  uint32_t element_count, const struct sim_limits *limits,
                                  struct fault *fault)
{
    uint32_t *edges = NULL, count = 0;
    enum fault_code status =
        sim_mesh_edges(elements, corners, element_count, plan->body->count, &edges, &count)
            ? make_distances(plan, edges, count, limits, fault)
            : sim_fault_memory(fault);
    free(edges);
    return status;
}

// Fills in the edges between two triangles. In a cloth that can tear each triangle has a distance of its own there, so that a
// tear adds none.
static uint32_t inner_edges(const struct sim_hinge *hinges, uint32_t count, uint32_t *edges)
{
    uint32_t inner = 0;
    for (uint32_t h = 0; h < count; h++) {
        if (hinges[h].triangle_count == 2) {
            memcpy(edges + 2 * (size_t)inner++, hinges[h].corners, 2 * sizeof *edges);
        }
    }
    return inner;
}

// A hinge stands at each edge, whether it bends or not.
static enum fault_code make_cloth(struct sim_body_plan *plan, const uint32_t *given,
                                  const struct sim_limits *limits, struct fault *fault)
{
    const struct sim_body *body = plan->body;
    struct sim_hinge *hinges = NULL;
    uint32_t count = 0, *edges = NULL;
    enum fault_code status = FAULT_NONE;
    if (!sim_mesh_hinges(body->triangles, body->triangle_count, body->count, &hinges, &count) ||
        !(edges = malloc((2 * (size_t)count + 1) * 2 * sizeof *edges))) {
        status = sim_fault_memory(fault);
    }
    for (uint32_t h = 0; status == FAULT_NONE && h < count; h++) {
        memcpy(edges + 2 * (size_t)h, hinges[h].corners, 2 * sizeof *edges);
    }
    if (status == FAULT_NONE && body->stretch_model == SIM_STRETCH_DISTANCE) {
        const uint32_t second = plan->spares > 0 ? inner_edges(hinges, count, edges + 2 * (size_t)count) : 0;
        status = make_distances(plan, edges, count + second, limits, fault);
    } else if (status == FAULT_NONE) {
        status = measure_edges(plan, edges, count, fault);
        status = status == FAULT_NONE ? make_weaves(plan, given, limits, fault) : status;
    }
    if (status == FAULT_NONE) {
        status = make_bending(plan, given, hinges, count, limits, fault);
    }
    free(hinges);
    free(edges);
    return status;
}

static enum fault_code make_volumes(struct sim_body_plan *plan, const struct sim_limits *limits,
                                    struct fault *fault)
{
    const struct sim_body *body = plan->body;
    uint32_t count = body->tet_count;
    struct sim_values *values = malloc(((size_t)count + 1) * sizeof *values);
    uint32_t *corners = malloc(((size_t)count + 1) * 4 * sizeof *corners);
    enum fault_code status = FAULT_NONE;
    if (!values || !corners) {
        status = sim_fault_memory(fault);
    } else {
        for (uint32_t t = 0; t < count; t++) {
            memcpy(corners + 4 * (size_t)t, body->tets + 4 * (size_t)t, 4 * sizeof *corners);
            sim_body_values(plan, SIM_VOLUME, corners + 4 * (size_t)t, &values[t]);
        }
        status = sim_body_lay_out(plan, SIM_VOLUME, count, corners, values, limits, fault);
    }
    free(values);
    free(corners);
    return status;
}

// A closed surface is laid out with its triangles turning outwards, and with a 1 for a compliance.
static enum fault_code make_gusts(struct sim_body_plan *plan, const struct sim_limits *limits,
                                  struct fault *fault)
{
    const struct sim_body *body = plan->body;
    uint32_t count = body->surface_count;
    struct sim_values *values = calloc((size_t)count + 1, sizeof *values);
    uint32_t *corners = malloc(((size_t)count + 1) * 3 * sizeof *corners);
    enum sim_side *sides = malloc(((size_t)count + 1) * sizeof *sides);
    enum fault_code status = FAULT_NONE;
    if (!values || !corners || !sides ||
        !sim_mesh_sides(body->surface, count, body->count, (const int64_t(*)[3])body->rest, sides)) {
        status = sim_fault_memory(fault);
    } else {
        for (size_t t = 0; t < count; t++) {
            for (uint32_t k = 0; k < 3; k++) {
                corners[3 * t + k] = body->surface[3 * t + (sides[t] == SIM_BACK ? 2 - k : k)];
            }
            values[t].compliance = sides[t] == SIM_BOTH_SIDES ? 0 : 1;
            values[t].stiffness = -1;
        }
        status = sim_body_lay_out(plan, SIM_GUSTS, count, corners, values, limits, fault);
    }
    free(sides);
    free(values);
    free(corners);
    return status;
}

enum fault_code sim_body_constrain(struct sim_body_plan *plan, const uint32_t *given,
                                   const struct sim_limits *limits, struct fault *fault)
{
    struct sim_body *body = plan->body;
    enum fault_code status = sim_fabric_check(body->kind, body->stretch_model, &body->yarns,
                                              &body->materials[SIM_PART_STRETCH], fault);
    if (status != FAULT_NONE) {
        return status;
    }
    switch (body->kind) {
    case SIM_CLOTH:
        status = make_cloth(plan, given, limits, fault);
        break;
    case SIM_ROPE:
        status = body->rod ? sim_body_rod(plan, given, limits, fault)
                           : make_edges(plan, body->edges, 2, body->edge_count, limits, fault);
        break;
    case SIM_SOFT:
        if (body->solid_model != SIM_SOLID_NONE) {
            status = sim_body_solids(plan, given, limits, fault);
            break;
        }
        status = make_edges(plan, body->tets, 4, body->tet_count, limits, fault);
        if (status == FAULT_NONE) {
            status = make_volumes(plan, limits, fault);
        }
        break;
    case SIM_POINTS:
    case SIM_RIGID:
        break;
    }
    if (body->kind != SIM_CLOTH) {
        body->bend_model = SIM_BEND_NONE;
    }
    return status != FAULT_NONE || body->surface_count == 0 ? status : make_gusts(plan, limits, fault);
}
