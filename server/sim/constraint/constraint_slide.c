// Values that only kinds that slide have: a ratio, a friction, and a side.
//
// The side is state. Ticks change it, so a change of values keeps it while friction lasts, cut to the rest length. Only where
// friction begins is it found from the present lengths. Without friction nothing reads it, and it is 0.

#include "base/array.h"
#include "sim/constraint/constraint.h"
#include "sim/ground/ground.h"
#include "sim/state/kind.h"
#include "sim/store/store.h"

static enum fault_code check_range(const char *field, uint32_t element, double value, double least,
                                   double most, struct fault *fault)
{
    if (value >= least && value <= most) {
        return FAULT_NONE;
    }
    return fault_code_set(fault, FAULT_INVALID, field, "element %u is %g; must be in [%g, %g]", element,
                          value, least, most);
}

enum fault_code sim_slide_check(enum sim_kind kind, uint32_t element,
                                const struct sim_constraint_values *given, struct fault *fault)
{
    const bool rubs = given->friction && kind != SIM_SLIDE_RAIL;
    const char *field = given->ratio ? "ratio" : rubs ? "friction" : given->side ? "side" : NULL;
    if (field && !sim_kind_rows[kind]->slides) {
        return fault_code_set(fault, FAULT_INVALID, field,
                              "%s constraints have none; only slide%s constraints do",
                              sim_kind_rows[kind]->name, rubs ? " and slide_rail" : "");
    }
    enum fault_code status = FAULT_NONE;
    if (given->ratio) {
        status = check_range("ratio", element, given->ratio[element], 1, SIM_RATIO_MAX, fault);
    }
    if (status == FAULT_NONE && given->friction) {
        status = check_range("friction", element, given->friction[element], 0, SIM_SLIDE_FRICTION_MAX, fault);
    }
    return status;
}

void sim_slide_apply(uint32_t i, const struct sim_constraint_values *given, struct sim_values *values)
{
    if (given->ratio) {
        values->params[SIM_SLIDE_RATIO] = (float)given->ratio[i];
    }
    if (given->friction) {
        values->params[SIM_SLIDE_FRICTION] = (float)given->friction[i];
    }
}

enum fault_code sim_slide_fits(uint32_t element, const struct sim_values *values, struct fault *fault)
{
    if (!(values->params[SIM_SLIDE_FRICTION] > 0) || values->params[SIM_SLIDE_RATIO] == 1) {
        return FAULT_NONE;
    }
    return fault_code_set(fault, FAULT_INVALID, "friction",
                          "element %u is %g with a ratio of %g; must be 0 where the ratio is not 1", element,
                          (double)values->params[SIM_SLIDE_FRICTION],
                          (double)values->params[SIM_SLIDE_RATIO]);
}

enum fault_code sim_slide_side_given(const struct sim *sim, uint32_t element, double side,
                                     struct sim_values *values, struct fault *fault)
{
    // Rounding may have taken a stored value just past the range.
    const double rest = (double)values->params[SIM_SLIDE_REST] * sim->q;
    const double most = values->params[SIM_SLIDE_FRICTION] > 0 ? rest : 0;
    enum fault_code status = side <= most * (1 + 1e-7) ? FAULT_NONE : FAULT_INVALID;
    if (!(side >= 0) || status != FAULT_NONE) {
        return fault_code_set(fault, FAULT_INVALID, "side",
                              "element %u is %g; must be in [0, %g], the rest length, and 0 without friction",
                              element, side, most);
    }
    values->params[SIM_SLIDE_SIDE] = (float)(side * sim->inv_q);
    return FAULT_NONE;
}

static double length_between(const struct sim *sim, uint32_t a, uint32_t b)
{
    double length2 = 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        double d = (double)(sim->positions[a][axis] - sim->positions[b][axis]);
        length2 += d * d;
    }
    return __builtin_sqrt(length2);
}

void sim_slide_side(const struct sim *sim, const uint32_t *rows, struct sim_values *values)
{
    const double a = length_between(sim, rows[0], rows[1]), b = length_between(sim, rows[2], rows[1]);
    const double share = a + b > 0 ? a / (a + b) : 0.5;
    values->params[SIM_SLIDE_SIDE] =
        values->params[SIM_SLIDE_FRICTION] > 0 ? (float)((double)values->params[SIM_SLIDE_REST] * share) : 0;
}

// The side stays where friction has moved it, as a body keeps its place. A side that is the whole rest length may have been cut by a
// change of that length, and what comes back may be longer: so a change that is taken back at once leaves no trace.
void sim_slide_goes_on(const struct sim_values *now, struct sim_values *values)
{
    const float was = now->params[SIM_SLIDE_SIDE], rest = values->params[SIM_SLIDE_REST];
    float *side = &values->params[SIM_SLIDE_SIDE];
    if (now->params[SIM_SLIDE_FRICTION] > 0 && values->params[SIM_SLIDE_FRICTION] > 0) {
        const bool cut = was >= now->params[SIM_SLIDE_REST];
        *side = cut && *side > was ? *side : was;
        *side = *side < rest ? *side : rest;
    }
}

void sim_slides_reset(struct sim *sim)
{
    const struct sim_store *store = &sim->stores[SIM_SLIDE];
    const struct sim_tile *tile = &sim->loose[SIM_SLIDE];
    for (uint32_t i = 0; i < tile->order_count; i++) {
        const uint32_t batch = tile->order[i];
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            uint32_t rows[SIM_STENCIL_MAX];
            struct sim_values values;
            if (sim_batch_ids(store, batch)[lane] != 0) {
                sim_store_values(store, batch * SIM_LANES + lane, &values);
                sim_store_rows(store, batch * SIM_LANES + lane, rows);
                sim_slide_side(sim, rows, &values);
                sim_batch_params(store, batch, SIM_SLIDE_SIDE)[lane] = values.params[SIM_SLIDE_SIDE];
            }
        }
    }
}

size_t sim_slides_floats(const struct sim *sim)
{
    size_t floats = 0;
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        const struct sim_store *store = &sim->stores[kind];
        const size_t params = sim_travels((uint32_t)kind);
        for (uint32_t s = 0; params > 0 && s < store->shelf_count; s++) {
            floats += params * store->shelves[s].used * SIM_LANES;
        }
    }
    return floats;
}

bool sim_slides_reserve(struct sim *sim)
{
    return array_reserve(&sim->sides, &sim->side_capacity,
                         SIM_SIDE_COPIES * (uint64_t)sim_slides_floats(sim));
}
