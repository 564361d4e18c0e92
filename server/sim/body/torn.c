// The mesh of a cloth that can tear, as cuts need it. All of it follows from the mesh as it was made.

#include "sim/body/torn.h"
#include "sim/body/mesh.h"
#include "sim/ground/ground.h"
#include "sim/state/kind.h"
#include "sim/store/store.h"

#include <stdlib.h>

enum fault_code sim_tear_limits_check(const struct sim_tear *tear, bool has_yarns, struct fault *fault)
{
    if (!(tear->force == 0 || (tear->force >= SIM_TEAR_FORCE_MIN && tear->force <= SIM_TEAR_FORCE_MAX))) {
        return fault_code_set(fault, FAULT_INVALID, "tear.force", "%g N/m; must be 0 (none) or in [%g, %g]",
                              tear->force, SIM_TEAR_FORCE_MIN, SIM_TEAR_FORCE_MAX);
    }
    if (!(tear->strain == 0 ||
          (tear->strain >= SIM_TEAR_STRAIN_MIN && tear->strain <= SIM_TEAR_STRAIN_MAX))) {
        return fault_code_set(fault, FAULT_INVALID, "tear.strain", "%g; must be 0 (none) or in [%g, %g]",
                              tear->strain, SIM_TEAR_STRAIN_MIN, SIM_TEAR_STRAIN_MAX);
    }
    if (tear->force > 0 && !has_yarns) {
        return fault_code_set(fault, FAULT_INVALID, "tear.force",
                              "%g N/m; needs a cloth with orthotropic stretch, whose tension is known; "
                              "without it use strain",
                              tear->force);
    }
    return FAULT_NONE;
}

enum fault_code sim_tear_check(const struct sim_body_desc *desc, struct fault *fault)
{
    if (desc->tear.most == 0) {
        return !desc->torn ? FAULT_NONE
                           : fault_code_set(fault, FAULT_INVALID, "torn", "must be absent without tear.most");
    }
    if (desc->torn && (desc->torn->own == 0 || desc->weld ||
                       (uint64_t)desc->torn->own + desc->tear.most != desc->particle_count)) {
        return fault_code_set(
            fault, FAULT_INVALID, "torn.own",
            "%u; with %u spares it must come to the body's %u particles, and none may be welded",
            desc->torn->own, desc->tear.most, desc->particle_count);
    }
    if (desc->kind != SIM_CLOTH) {
        return fault_code_set(fault, FAULT_INVALID, "tear", "must be absent; it is for kind cloth");
    }
    if (desc->pressure.model != SIM_PRESSURE_NONE) {
        return fault_code_set(fault, FAULT_INVALID, "tear",
                              "tear: must be absent; a body with pressure inside does not tear");
    }
    if (desc->matching.model != SIM_MATCH_NONE || desc->bend.warp > 0) {
        return fault_code_set(fault, FAULT_INVALID, "tear",
                              "tear: must be absent; a body with %s does not tear",
                              desc->bend.warp > 0 ? "bend.warp" : "shape");
    }
    return sim_tear_limits_check(&desc->tear, desc->stretch_model == SIM_STRETCH_ORTHOTROPIC, fault);
}

void sim_torn_destroy(struct sim_torn *torn)
{
    if (!torn) {
        return;
    }
    void *arrays[] = {torn->origins, torn->roots,  torn->bends,  torn->since,  torn->edges, torn->cuts,
                      torn->sides,   torn->firsts, torn->around, torn->weaves, torn->areas, torn->changed,
                      torn->ratios,  torn->group,  torn->queue,  torn->marked};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        free(arrays[i]);
    }
    free(torn);
}

uint32_t *sim_torn_mesh(const struct sim_body *body)
{
    const size_t corners = 3 * (size_t)body->triangle_count;
    uint32_t *mesh = malloc((corners + 1) * sizeof *mesh);
    for (size_t i = 0; mesh && i < corners; i++) {
        mesh[i] = sim_torn_root(body->torn, body->triangles[i]);
    }
    return mesh;
}

static bool arrays_make(struct sim_torn *torn, uint32_t triangles)
{
    const size_t edges = (size_t)torn->edge_count + 1, sides = (size_t)triangles + 1;
    torn->origins = calloc((size_t)torn->tear.most + 1, sizeof *torn->origins);
    torn->roots = calloc((size_t)torn->tear.most + 1, sizeof *torn->roots);
    torn->since = calloc((size_t)torn->tear.most + 1, sizeof *torn->since);
    torn->bends = calloc(edges, sizeof *torn->bends);
    torn->edges = calloc(edges, sizeof *torn->edges);
    torn->cuts = calloc(edges, sizeof *torn->cuts);
    torn->ratios = calloc(edges, sizeof *torn->ratios);
    torn->sides = calloc(3 * sides, sizeof *torn->sides);
    torn->firsts = calloc((size_t)torn->own + 2, sizeof *torn->firsts);
    torn->around = calloc(3 * sides, sizeof *torn->around);
    torn->weaves = calloc(sides, sizeof *torn->weaves);
    torn->areas = calloc(sides, sizeof *torn->areas);
    torn->changed = calloc(sides, sizeof *torn->changed);
    torn->group = calloc(sides, sizeof *torn->group);
    torn->queue = calloc(sides, sizeof *torn->queue);
    torn->marked = calloc(sides, sizeof *torn->marked);
    return torn->origins && torn->roots && torn->bends && torn->since && torn->edges && torn->cuts &&
           torn->ratios && torn->sides && torn->firsts && torn->around && torn->weaves && torn->areas &&
           torn->changed && torn->group && torn->queue && torn->marked;
}

static void around_find(struct sim_torn *torn, const struct sim_body *body)
{
    uint32_t *const ends = torn->firsts + 1;
    for (size_t i = 0; i < 3 * (size_t)body->triangle_count; i++) {
        torn->firsts[body->triangles[i] + 2]++;
    }
    for (uint32_t p = 0; p < torn->own; p++) {
        torn->firsts[p + 2] += torn->firsts[p + 1];
    }
    for (size_t i = 0; i < 3 * (size_t)body->triangle_count; i++) {
        torn->around[ends[body->triangles[i]]++] = (uint32_t)(i / 3);
    }
}

static void areas_find(struct sim_torn *torn, const struct sim_body *body, double q)
{
    for (uint32_t t = 0; t < body->triangle_count; t++) {
        const uint32_t *corners = body->triangles + 3 * (size_t)t;
        double d[2][3];
        for (int k = 0; k < 6; k++) {
            d[k / 3][k % 3] =
                (double)(body->rest[corners[k / 3 + 1]][k % 3] - body->rest[corners[0]][k % 3]) * q;
        }
        const double n[3] = {d[0][1] * d[1][2] - d[0][2] * d[1][1], d[0][2] * d[1][0] - d[0][0] * d[1][2],
                             d[0][0] * d[1][1] - d[0][1] * d[1][0]};
        torn->areas[t] = 0.5 * __builtin_sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    }
}

// Whether the constraint `at` of the plan has these corners, in some order.
static bool stands_at(const struct sim_body_plan *plan, enum sim_kind kind, uint32_t at,
                      const uint32_t *corners)
{
    const uint32_t size = sim_kind_rows[kind]->stencil;
    uint32_t rows[SIM_STENCIL_MAX], found = 0;
    if (at >= plan->body->constraint_count[kind]) {
        return false;
    }
    sim_store_rows(&plan->stores[kind], plan->slots[kind][at], rows);
    for (uint32_t k = 0; k < size; k++) {
        for (uint32_t other = 0; other < size; other++) {
            found += rows[other] == plan->body->row_of[corners[k]] ? 1 : 0;
        }
    }
    return found == size;
}

// Constraints were made in the order of triangles and hinges, and some of these have none.
static void constraints_match(struct sim_torn *torn, const struct sim_body_plan *plan,
                              const struct sim_hinge *hinges)
{
    static const enum sim_kind kinds[] = {[SIM_BEND_QUADRATIC] = SIM_QUADRATIC,
                                          [SIM_BEND_DIHEDRAL] = SIM_DIHEDRAL,
                                          [SIM_BEND_ISOMETRIC] = SIM_ISOMETRIC};
    const struct sim_body *body = plan->body;
    const bool bends = body->bend_model != SIM_BEND_NONE;
    const bool distances = body->stretch_model == SIM_STRETCH_DISTANCE;
    uint32_t weave = 0, bend = 0, second = torn->edge_count;
    for (uint32_t t = 0; t < body->triangle_count; t++) {
        const bool is =
            !distances && stands_at(plan, SIM_ORTHOTROPIC, weave, body->triangles + 3 * (size_t)t);
        torn->weaves[t] = is ? weave++ : SIM_NO_TORN;
    }
    for (uint32_t e = 0; e < torn->edge_count; e++) {
        struct sim_torn_edge *edge = &torn->edges[e];
        const bool inner = hinges[e].triangle_count == 2;
        const bool is = bends && inner && stands_at(plan, kinds[body->bend_model], bend, hinges[e].corners);
        torn->bends[is ? bend : torn->edge_count] = e; // the last place is spare
        const uint32_t a = hinges[e].corners[0], b = hinges[e].corners[1];
        *edge = (struct sim_torn_edge){
            .ends = {a < b ? a : b, a < b ? b : a},
            .triangles = {hinges[e].triangles[0], inner ? hinges[e].triangles[1] : SIM_NO_TORN},
            .bend = is ? bend++ : SIM_NO_TORN,
            .stretch = {distances ? e : SIM_NO_TORN, distances && inner ? second++ : SIM_NO_TORN}};
    }
}

static void sides_find(struct sim_torn *torn, const struct sim_body *body)
{
    for (uint32_t e = 0; e < torn->edge_count; e++) {
        const struct sim_torn_edge *edge = &torn->edges[e];
        for (uint32_t s = 0; s < 2 && edge->triangles[s] != SIM_NO_TORN; s++) {
            const uint32_t t = edge->triangles[s], *corners = body->triangles + 3 * (size_t)t;
            for (uint32_t k = 0; k < 3; k++) {
                const uint32_t a = corners[k], b = corners[(k + 1) % 3];
                if ((a == edge->ends[0] && b == edge->ends[1]) ||
                    (a == edge->ends[1] && b == edge->ends[0])) {
                    torn->sides[3 * (size_t)t + k] = e;
                }
            }
        }
    }
}

static enum fault_code check_hinges(const struct sim_hinge *hinges, uint32_t count, struct fault *fault)
{
    for (uint32_t h = 0; h < count; h++) {
        if (hinges[h].triangle_count > 2) {
            return fault_code_set(
                fault, FAULT_INVALID, "tear",
                "tear: the edge from %u to %u belongs to %u triangles; in a cloth that tears, at most 2",
                hinges[h].corners[0], hinges[h].corners[1], hinges[h].triangle_count);
        }
    }
    return FAULT_NONE;
}

enum fault_code sim_torn_make(struct sim_body_plan *plan, const struct sim_body_desc *desc,
                              struct fault *fault)
{
    struct sim_body *body = plan->body;
    struct sim_hinge *hinges = NULL;
    uint32_t count = 0;
    if (!sim_mesh_hinges(body->triangles, body->triangle_count, body->count, &hinges, &count)) {
        return sim_fault_memory(fault);
    }
    enum fault_code status = check_hinges(hinges, count, fault);
    struct sim_torn *torn = status == FAULT_NONE ? calloc(1, sizeof *torn) : NULL;
    if (torn) {
        *torn =
            (struct sim_torn){.tear = desc->tear, .own = body->count - desc->tear.most, .edge_count = count};
        body->torn = torn;
    }
    if (status == FAULT_NONE && (!torn || !arrays_make(torn, body->triangle_count))) {
        status = sim_fault_memory(fault);
    }
    if (status == FAULT_NONE) {
        around_find(torn, body);
        areas_find(torn, body, plan->resolution);
        constraints_match(torn, plan, hinges);
        sides_find(torn, body);
    }
    free(hinges);
    return status;
}
