// Constraints of plastic bodies, which ticks change (solve/creases.c): puts them to the shape at which the body was made, or to the one
// that an image has, and tells how far they have flowed.

#include "sim/constraint/constraint.h"
#include "sim/ground/ground.h"
#include "sim/state/kind.h"
#include "sim/store/store.h"

bool sim_flow_given(enum sim_kind kind, const float *flows)
{
    bool given = false;
    for (uint32_t p = 0; p < sim_kind_rows[kind]->flow_count; p++) {
        given = given || flows[p] != 0;
    }
    return given;
}

enum fault_code sim_flow_check(const struct sim *sim, enum sim_kind kind, uint32_t c, const float *flows,
                               uint32_t slot, struct fault *fault)
{
    const struct sim_kind_row *row = sim_kind_rows[kind];
    struct sim_values values;
    uint32_t rows[SIM_STENCIL_MAX];
    bool good = true;
    sim_store_values(&sim->stores[kind], slot, &values);
    sim_store_rows(&sim->stores[kind], slot, rows);
    for (uint32_t p = 0; p < row->flow_count; p++) {
        good = good && sim_finite((double)flows[p]);
        values.params[row->flow_first + p] = flows[p];
    }
    if (!good || (sim_flow_given(kind, flows) && row->valid && !row->valid(rows, values.params, sim->q))) {
        return fault_code_set(fault, FAULT_INVALID, "shapes",
                              "that of element %u is none of a %s constraint between its particles", c,
                              row->name);
    }
    return FAULT_NONE;
}

void sim_flow_put(const struct sim *sim, const struct sim_body *body, enum sim_kind kind, uint32_t slot,
                  const float *flows)
{
    const struct sim_kind_row *row = sim_kind_rows[kind];
    uint32_t rows[SIM_STENCIL_MAX];
    float own[SIM_PARAMS_MAX];
    if (!flows || !sim_flow_given(kind, flows)) {
        sim_store_rows(&sim->stores[kind], slot, rows);
        sim_own_params(sim, body, kind, rows, own);
        flows = own + row->flow_first;
    }
    for (uint32_t p = 0; p < row->flow_count; p++) {
        sim_batch_params(&sim->stores[kind], slot / SIM_LANES, row->flow_first + p)[slot % SIM_LANES] =
            flows[p];
    }
}

void sim_creases_reset(struct sim *sim)
{
    for (uint32_t r = 0; r < sim->range_count; r++) {
        const struct sim_id_range *range = &sim->ranges[r];
        const struct sim_body *body = range->body != 0 ? sim_body_find(sim, range->body) : NULL;
        if (!body || sim_kind_rows[range->kind]->flow_count == 0 || !sim_is_plastic(body)) {
            continue;
        }
        for (uint32_t i = 0; i < range->count; i++) {
            if (range->slots[i] != SIM_GONE) {
                sim_flow_put(sim, body, range->kind, range->slots[i], NULL);
            }
        }
    }
}

bool sim_body_flowed(const struct sim *sim, uint32_t id, double *greatest, double *mean)
{
    const struct sim_body *body = sim_body_find(sim, id);
    double sum = 0, volumes = 0;
    *greatest = *mean = 0;
    for (uint32_t kind = 0; body && kind < SIM_KIND_COUNT; kind++) {
        const struct sim_kind_row *row = sim_kind_rows[kind];
        const struct sim_id_range *range = row->flowed && body->constraint_count[kind] > 0
                                               ? sim_range_of(sim, body->constraint_first[kind])
                                               : NULL;
        for (uint32_t i = 0; range && i < range->count; i++) {
            struct sim_values values;
            uint32_t rows[SIM_STENCIL_MAX];
            int64_t x[SIM_STENCIL_MAX][3];
            double offsets[3][3];
            if (range->slots[i] == SIM_GONE) {
                continue;
            }
            sim_store_values(&sim->stores[kind], range->slots[i], &values);
            sim_store_rows(&sim->stores[kind], range->slots[i], rows);
            for (uint32_t k = 0; k < 4; k++) {
                sim_rest_of(body, body->index_of[rows[k] - body->first_row], x[k]);
                for (int axis = 0; k > 0 && axis < 3; axis++) {
                    offsets[k - 1][axis] = (double)(x[k][axis] - x[0][axis]);
                }
            }
            const double strain = row->flowed(values.params, (const double(*)[3])offsets);
            const double volume =
                values.params[0] < 0 ? 0 - (double)values.params[0] : (double)values.params[0];
            *greatest = strain > *greatest ? strain : *greatest;
            sum += volume * strain;
            volumes += volume;
        }
    }
    *mean = volumes > 0 && sum < *greatest * volumes ? sum / volumes : *greatest;
    return body && body->solid_model != SIM_SOLID_NONE;
}
