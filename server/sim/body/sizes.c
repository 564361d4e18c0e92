// The thickness of a body beside the lengths of its edges. Only what contact sees counts: the surface, or the edges of a rope.
#include "base/sizing.h"
#include "sim/body/body.h"
#include "sim/ground/ground.h"

#include <stdio.h>
#include <stdlib.h>

// The mesh that contact sees, at rest. False if memory runs out.
static bool seen(const struct sim_body_plan *plan, double **positions, struct sizing_mesh *mesh)
{
    const struct sim_body *body = plan->body;
    const size_t numbers = 3 * (size_t)body->count;
    const bool rope = body->surface_count == 0;
    *positions = malloc((numbers + 1) * sizeof **positions);
    for (size_t i = 0; *positions && i < numbers; i++) {
        // From a particle of the body, so that a body far away measures the same.
        (*positions)[i] = (double)(body->rest[i / 3][i % 3] - body->rest[0][i % 3]) * plan->resolution;
    }
    *mesh = (struct sizing_mesh){.positions = *positions,
                                 .elements = rope ? body->edges : body->surface,
                                 .vertex_count = body->count,
                                 .element_count = rope ? body->edge_count : body->surface_count,
                                 .corners = rope ? 2 : 3};
    return *positions != NULL;
}

// Writes the warning.
static bool tell(struct sim_body_plan *plan, const struct sizing_mesh *mesh, const struct sizing *sizes,
                 double right)
{
    const struct sim_body *body = plan->body;
    const double distance = 2 * body->thickness;
    struct sim_warning *warning = &plan->warnings[plan->warning_count++];
    double pairs = 0;
    bool more = false;
    *warning = (struct sim_warning){.code = SIM_THICK};
    if (body->meeting.self && !sizing_pairs(mesh, distance, &pairs, &more)) {
        return false;
    }
    const int used = snprintf(
        warning->text, sizeof warning->text,
        "thickness is %.2g of the mean edge, %.3g m; %.2g %% of the edges are shorter than twice that "
        "thickness (median %.3g m, least %.3g m)",
        body->thickness / sizes->mean, sizes->mean, 100 * sizing_share_below(sizes, distance), sizes->median,
        sizes->least);
    int end = used;
    if (pairs > 0 && used < (int)sizeof warning->text) {
        end += snprintf(warning->text + used, sizeof warning->text - (size_t)used,
                        "; %s%.2g pairs are near at rest", more ? "more than " : "about ", pairs);
    }
    if (end < (int)sizeof warning->text) {
        snprintf(warning->text + end, sizeof warning->text - (size_t)end, "; %.3g m would suit it", right);
    }
    return true;
}

enum fault_code sim_body_size(struct sim_body_plan *plan, const struct sim_body_desc *desc,
                              struct fault *fault)
{
    struct sim_body *body = plan->body;
    const bool open = body->thickness != body->thickness;
    const double floor = SIM_THICKNESS_QUANTA_MIN * plan->resolution;
    if (!sim_meets(&body->meeting) || body->kind == SIM_POINTS || body->rigid || (!open && desc->again)) {
        body->thickness = open ? 0 : body->thickness;
        return FAULT_NONE;
    }
    double *positions = NULL;
    struct sizing_mesh mesh;
    struct sizing sizes = {0};
    bool good = seen(plan, &positions, &mesh) && sizing_init(&sizes, &mesh);
    const double right = good ? sizing_thickness(&sizes, floor) : 0;
    enum fault_code status = FAULT_NONE;
    if (good && open) {
        body->thickness = right;
        status = sim_meeting_check(right, &body->meeting, plan->resolution, fault);
    } else if (good && sizes.count > 0 &&
               (body->thickness > SIM_THICKNESS_EDGES * body->edge || 2 * body->thickness > sizes.small)) {
        good = tell(plan, &mesh, &sizes, right);
    }
    sizing_deinit(&sizes);
    free(positions);
    return good ? status : sim_fault_memory(fault);
}
