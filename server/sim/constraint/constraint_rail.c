// Rings on rails (kinds/slide_rail.c): what is checked of their particles, and where on its rail a ring is.
//
// The place of a ring on its rail is state. Substeps change it from one segment to the next, so a change of
// values keeps it. It is found from the present places of all segments when a ring is put on a rail, and when
// a reset puts the bodies back.

#include "sim/constraint/constraint.h"
#include "sim/ground/ground.h"
#include "sim/state/kind.h"
#include "sim/state/rail.h"
#include "sim/store/store.h"

enum fault_code sim_rail_particles(uint32_t element, const uint32_t *bodies, const uint32_t *particles,
                                   struct fault *fault)
{
    const uint32_t first = particles[1], last = particles[2];
    if (bodies[1] != bodies[2]) {
        return fault_code_set(fault, FAULT_INVALID, "bodies",
                              "the rail of constraint %u begins on body %u and ends on body %u; it must "
                              "be of one body",
                              element, bodies[1], bodies[2]);
    }
    if (first >= last || last - first > SIM_RAIL_SEGMENTS_MAX) {
        return fault_code_set(fault, FAULT_INVALID, "particles",
                              "the rail of constraint %u goes from particle %u to %u of body %u; the last "
                              "must be above the first, by %d at most",
                              element, first, last, bodies[1], SIM_RAIL_SEGMENTS_MAX);
    }
    if (bodies[0] == bodies[1] && particles[0] >= first && particles[0] <= last) {
        return fault_code_set(fault, FAULT_INVALID, "particles",
                              "constraint %u has particle %u of body %u on a rail that it is part of, "
                              "%u to %u; it must be another one",
                              element, particles[0], bodies[0], first, last);
    }
    return FAULT_NONE;
}

static uint64_t segments_there(const struct sim *sim)
{
    const struct sim_store *store = &sim->stores[SIM_SLIDE_RAIL];
    const struct sim_tile *tile = &sim->loose[SIM_SLIDE_RAIL];
    uint64_t segments = 0;
    for (uint32_t i = 0; i < tile->order_count; i++) {
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            if (sim_batch_ids(store, tile->order[i])[lane] != 0) {
                uint32_t rows[SIM_STENCIL_MAX];
                sim_store_rows(store, tile->order[i] * SIM_LANES + lane, rows);
                const struct sim_body *body = sim_body_of_row(sim, rows[1]);
                segments +=
                    body->index_of[rows[2] - body->first_row] - body->index_of[rows[1] - body->first_row];
            }
        }
    }
    return segments;
}

enum fault_code sim_rails_room(const struct sim *sim, uint32_t count, const uint32_t *particles,
                               const uint32_t *slots, struct fault *fault)
{
    uint64_t segments = segments_there(sim);
    for (size_t c = 0; c < count; c++) {
        const uint32_t *rail = particles + SIM_RAIL_CORNERS * c;
        segments += slots && slots[c] != SIM_GONE ? 0 : rail[2] - rail[1];
    }
    return segments <= SIM_RAILS_MAX
               ? FAULT_NONE
               : fault_code_set(fault, FAULT_LIMIT, "particles",
                                "the rails of all rings of the world would have %llu segments; at most %d",
                                (unsigned long long)segments, SIM_RAILS_MAX);
}

static void whole_apart(const struct sim *sim, uint32_t a, uint32_t b, double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = (double)(sim->positions[b][axis] - sim->positions[a][axis]);
    }
}

double sim_rail_find(const struct sim *sim, const uint32_t *rows, float *params)
{
    const struct sim_body *body = sim_body_of_row(sim, rows[1]);
    const uint32_t first = body->index_of[rows[1] - body->first_row];
    const uint32_t segments = body->index_of[rows[2] - body->first_row] - first;
    struct sim_rail_near nearest = {0};
    for (uint32_t segment = 0; segment < segments; segment++) {
        const uint32_t start = sim_rail_row(body, first, segment);
        double p[3], d[3];
        whole_apart(sim, start, rows[0], p);
        whole_apart(sim, start, sim_rail_row(body, first, segment + 1), d);
        const struct sim_rail_near near = sim_rail_near(p, d);
        if (segment == 0 || near.square < nearest.square) {
            nearest = near;
            params[SIM_RAIL_SEGMENT] = (float)segment;
        }
    }
    sim_rail_part_set(nearest.t, &params[SIM_RAIL_PART], &params[SIM_RAIL_FINE]);
    return __builtin_sqrt(nearest.square);
}

// The longest segment of a rail, quanta.
static double longest_segment(const struct sim *sim, const uint32_t *rows)
{
    const struct sim_body *body = sim_body_of_row(sim, rows[1]);
    const uint32_t first = body->index_of[rows[1] - body->first_row];
    const uint32_t segments = body->index_of[rows[2] - body->first_row] - first;
    double longest2 = 0;
    for (uint32_t segment = 0; segment < segments; segment++) {
        double d[3];
        whole_apart(sim, sim_rail_row(body, first, segment), sim_rail_row(body, first, segment + 1), d);
        const double length2 = (d[0] * d[0] + d[1] * d[1]) + d[2] * d[2];
        longest2 = length2 > longest2 ? length2 : longest2;
    }
    return __builtin_sqrt(longest2);
}

enum fault_code sim_rail_fresh(const struct sim *sim, uint32_t element, const uint32_t *rows,
                               const struct sim_constraint_values *given, struct sim_values *values,
                               struct fault *fault)
{
    const double length = sim_present_length(sim, SIM_RAIL_CORNERS, rows),
                 segment = longest_segment(sim, rows);
    const double longest = length > segment ? length : segment;
    if (longest > SIM_REST_MAX) {
        return fault_code_set(fault, FAULT_INVALID, "particles",
                              "constraint %u: %s %g m; at most %g m; " SIM_COARSER, element,
                              length >= segment ? "the ring is away from an end of its rail by"
                                                : "a segment of the rail has a length of",
                              longest * sim->q, SIM_REST_MAX * sim->q);
    }
    sim_rail_apply(element, given, values);
    sim_rail_find(sim, rows, values->params);
    return FAULT_NONE;
}

void sim_rail_apply(uint32_t i, const struct sim_constraint_values *given, struct sim_values *values)
{
    if (given->friction) {
        values->params[SIM_RAIL_FRICTION] = (float)given->friction[i];
    }
}

void sim_rail_goes_on(const struct sim_values *now, struct sim_values *values)
{
    for (uint32_t p = SIM_RAIL_SEGMENT; p < SIM_RAIL_PARAMS; p++) {
        values->params[p] = now->params[p];
    }
}

void sim_rail_get(const struct sim_values *values, struct sim_constraint *constraint)
{
    const float *params = values->params;
    constraint->friction = (double)params[SIM_RAIL_FRICTION];
    constraint->along =
        (double)params[SIM_RAIL_SEGMENT] + sim_rail_part(params[SIM_RAIL_PART], params[SIM_RAIL_FINE]);
}

void sim_rails_reset(struct sim *sim)
{
    const struct sim_store *store = &sim->stores[SIM_SLIDE_RAIL];
    const struct sim_tile *tile = &sim->loose[SIM_SLIDE_RAIL];
    for (uint32_t i = 0; i < tile->order_count; i++) {
        const uint32_t batch = tile->order[i];
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            uint32_t rows[SIM_STENCIL_MAX];
            struct sim_values values;
            if (sim_batch_ids(store, batch)[lane] == 0) {
                continue;
            }
            sim_store_rows(store, batch * SIM_LANES + lane, rows);
            sim_rail_find(sim, rows, values.params);
            for (uint32_t p = SIM_RAIL_SEGMENT; p < SIM_RAIL_PARAMS; p++) {
                sim_batch_params(store, batch, p)[lane] = values.params[p];
            }
        }
    }
}
