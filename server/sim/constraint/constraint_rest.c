// Rest values that follow from a shape: from the one that a body was made with, or from another that an edit names.

#include "sim/constraint/constraint.h"
#include "sim/ground/ground.h"
#include "sim/state/kind.h"
#include "sim/store/store.h"

#include <stdlib.h>

// Finds the place of a particle in a shape, quanta.
static void place_in(const struct sim *sim, const struct sim_body *body, const struct sim_rest_shape *shape,
                     uint32_t row, int64_t x[3])
{
    const uint32_t index = body->index_of[row - body->first_row];
    if (!shape) {
        sim_rest_of(body, index, x);
        return;
    }
    for (size_t axis = 0; axis < 3; axis++) {
        x[axis] = shape->positions ? sim_quantize(shape->positions[3 * (size_t)index + axis], sim->inv_q)
                                   : sim->positions[row][axis];
    }
}

// The params of a constraint of the body that rests in a shape; shape NULL: in the one that it was made with.
static void params_in(const struct sim *sim, const struct sim_body *body, const struct sim_rest_shape *shape,
                      enum sim_kind kind, const uint32_t *rows, float params[SIM_PARAMS_MAX])
{
    int64_t x[SIM_STENCIL_MAX][3];
    double offsets[SIM_STENCIL_MAX - 1][3] = {{0}};
    for (uint32_t k = 0; k < sim_stencil_size(kind); k++) {
        place_in(sim, body, shape, rows[k], x[k]);
        for (int axis = 0; k > 0 && axis < 3; axis++) {
            offsets[k - 1][axis] = (double)(x[k][axis] - x[0][axis]);
        }
    }
    sim_kind_rows[kind]->at_rest((const double(*)[3])offsets, sim->q, params);
}

static float rest_in(const struct sim *sim, const struct sim_body *body, const struct sim_rest_shape *shape,
                     enum sim_kind kind, const uint32_t *rows)
{
    float params[SIM_PARAMS_MAX];
    params_in(sim, body, shape, kind, rows, params);
    return params[0];
}

void sim_own_params(const struct sim *sim, const struct sim_body *body, enum sim_kind kind,
                    const uint32_t *rows, float params[SIM_PARAMS_MAX])
{
    params_in(sim, body, NULL, kind, rows, params);
}

// ------------------------------------------------------------------------------------------ another shape

static bool is_set(const struct sim_rest_shape *shape, enum sim_kind kind)
{
    const struct sim_kind_row *row = sim_kind_rows[kind];
    return row->rest_most && (row->part == SIM_PART_BEND ? shape->angles : shape->lengths);
}

static enum fault_code check_shape(const struct sim *sim, const struct sim_body *body,
                                   const struct sim_rest_shape *shape, uint32_t count, bool matched,
                                   struct fault *fault)
{
    if (count == 0 && !(shape->places && matched)) {
        return fault_code_set(fault, FAULT_INVALID, "rest_shape",
                              "body %u has nothing that it could set; angles need bending of model dihedral, "
                              "lengths need edges, and places need shape matching",
                              body->id);
    }
    for (size_t i = 0; shape->positions && i < 3 * (size_t)body->count; i++) {
        const double x = shape->positions[i];
        if (!(x >= -sim->settings.extent && x <= sim->settings.extent)) {
            return fault_code_set(fault, FAULT_INVALID, "rest_shape.positions",
                                  "particle %u lies at %g m; at most %g m (extent)", (unsigned)(i / 3), x,
                                  sim->settings.extent);
        }
    }
    return FAULT_NONE;
}

// Fills the ids and rest values of the living constraints of one kind. Refuses one that is too long.
static enum fault_code take_kind(const struct sim *sim, const struct sim_body *body,
                                 const struct sim_rest_shape *shape, enum sim_kind kind,
                                 struct sim_rests *rests, struct fault *fault)
{
    const struct sim_id_range *range = sim_range_of(sim, body->constraint_first[kind]);
    const struct sim_kind_row *row = sim_kind_rows[kind];
    const double scale = row->in_quanta ? sim->q : 1, most = row->rest_most(sim->q);
    for (uint32_t i = 0; i < range->count; i++) {
        uint32_t rows[SIM_STENCIL_MAX];
        if (range->slots[i] == SIM_GONE) {
            continue;
        }
        sim_store_rows(&sim->stores[kind], range->slots[i], rows);
        const double rest = (double)rest_in(sim, body, shape, kind, rows) * scale;
        if (!(rest <= most && rest >= -most)) {
            return fault_code_set(fault, FAULT_INVALID, "rest_shape",
                                  "%s constraint %u would rest at %g %s; at most %g", row->name,
                                  range->first + i, rest, row->rest_unit, most);
        }
        rests->ids[rests->count] = range->first + i;
        rests->values[rests->count++] = rest;
    }
    return FAULT_NONE;
}

enum fault_code sim_rests_find(const struct sim *sim, const struct sim_body *body,
                               const struct sim_rest_shape *shape, bool matched, struct sim_rests *rests,
                               struct fault *fault)
{
    uint32_t count = 0;
    *rests = (struct sim_rests){0};
    for (int kind = 0; shape && kind < SIM_KIND_COUNT; kind++) {
        count += is_set(shape, (enum sim_kind)kind) ? body->live_count[kind] : 0;
    }
    enum fault_code status = !shape ? FAULT_NONE : check_shape(sim, body, shape, count, matched, fault);
    if (!shape || status != FAULT_NONE || count == 0) {
        return status;
    }
    rests->ids = malloc(count * sizeof *rests->ids);
    rests->values = malloc(count * sizeof *rests->values);
    status = rests->ids && rests->values ? FAULT_NONE : sim_fault_memory(fault);
    for (int kind = 0; status == FAULT_NONE && kind < SIM_KIND_COUNT; kind++) {
        if (is_set(shape, (enum sim_kind)kind) && body->live_count[kind] > 0) {
            status = take_kind(sim, body, shape, (enum sim_kind)kind, rests, fault);
        }
    }
    if (status != FAULT_NONE) {
        sim_rests_deinit(rests);
    }
    return status;
}

enum fault_code sim_rests_set(struct sim *sim, const struct sim_rests *rests, struct fault *fault)
{
    const struct sim_constraint_values values = {.rest = rests->values};
    return rests->count == 0 ? FAULT_NONE
                             : sim_constraints_set(sim, rests->ids, rests->count, &values, fault);
}

void sim_rests_deinit(struct sim_rests *rests)
{
    free(rests->ids);
    free(rests->values);
    *rests = (struct sim_rests){0};
}
