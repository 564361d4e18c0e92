// Constraints by id, and what is read of them.

#include "base/search.h"
#include "sim/constraint/constraint.h"
#include "sim/ground/ground.h"
#include "sim/state/fabric.h"
#include "sim/state/kind.h"
#include "sim/store/store.h"

#include <stdlib.h>

uint32_t sim_stencil_size(enum sim_kind kind)
{
    return sim_kind_rows[kind]->stencil;
}

uint32_t sim_multiplier_size(enum sim_kind kind)
{
    return sim_kind_rows[kind]->multiplier_count;
}

uint32_t sim_shape_size(enum sim_kind kind)
{
    return sim_kind_rows[kind]->shape_count;
}

uint32_t sim_flow_size(enum sim_kind kind)
{
    return sim_shape_flows(kind) ? sim_kind_rows[kind]->flow_count : 0;
}

bool sim_joins(enum sim_kind kind)
{
    return sim_kind_rows[kind]->joins;
}

bool sim_slides(enum sim_kind kind)
{
    return sim_kind_rows[kind]->slides;
}

bool sim_goes_on(enum sim_kind kind)
{
    return sim_travels(kind) > 0;
}

enum sim_part sim_part_of(enum sim_kind kind)
{
    return sim_kind_rows[kind]->part;
}

uint32_t sim_constraint_count(const struct sim *sim)
{
    return sim->constraint_count;
}

struct sim_id_range *sim_range_of(const struct sim *sim, uint32_t id)
{
    uint32_t place;
    BASE_SEARCH(place, sim->range_count, sim->ranges[at].first <= id);
    if (place == 0 || id - sim->ranges[place - 1].first >= sim->ranges[place - 1].count) {
        return NULL;
    }
    return &sim->ranges[place - 1];
}

bool sim_slot_of(const struct sim *sim, uint32_t id, struct sim_id_range **range, uint32_t *slot)
{
    *range = sim_range_of(sim, id);
    *slot = !*range ? SIM_GONE : (*range)->slots[id - (*range)->first];
    return *slot != SIM_GONE;
}

enum fault_code sim_constraint_not_found(struct fault *fault, uint32_t id)
{
    return fault_code_set(fault, FAULT_NOT_FOUND, "constraints", "constraint %u does not exist", id);
}

// The strains of a triangle where it is, and its tensions by the multipliers: lam/h^2 is -A times what each of the three pulls
// (kinds/orthotropic.c), and the first one pulls r times as much at the weft.
static void weave_get(const struct sim *sim, const struct sim_values *values, const uint32_t *rows,
                      struct sim_constraint *constraint)
{
    const float *params = values->params;
    const double *lambda = constraint->multiplier;
    double f[2][3], length[2], product = 0;
    for (uint32_t yarn = 0; yarn < 2; yarn++) {
        double length2 = 0;
        for (uint32_t axis = 0; axis < 3; axis++) {
            const int64_t first = sim_whole(sim, rows[0], axis, sim->rows[rows[0]].x[axis]);
            f[yarn][axis] = 0;
            for (uint32_t k = 1; k < 3; k++) {
                const int64_t apart = sim_whole(sim, rows[k], axis, sim->rows[rows[k]].x[axis]) - first;
                f[yarn][axis] += (double)params[2 * yarn + k - 1] * ((double)apart * sim->q);
            }
            length2 += f[yarn][axis] * f[yarn][axis];
        }
        length[yarn] = __builtin_sqrt(length2);
        constraint->strain[yarn] = length[yarn] - 1;
    }
    for (uint32_t axis = 0; axis < 3; axis++) {
        product += f[0][axis] * f[1][axis];
    }
    for (uint32_t k = 0; k < 4; k++) {
        constraint->gradients[k] = (double)params[k];
    }
    constraint->strain[2] = length[0] > 0 && length[1] > 0 ? product / (length[0] * length[1]) : 0;
    constraint->tension[0] = 0 - lambda[0] * (double)params[SIM_WEAVE_DENSE];
    constraint->tension[1] = (double)params[SIM_WEAVE_DRAWS] * constraint->tension[0] -
                             lambda[1] * (double)params[SIM_WEAVE_DENSE];
    constraint->tension[2] = 0 - lambda[2] * (double)params[SIM_WEAVE_DENSE];
}

bool sim_constraint_get(const struct sim *sim, uint32_t id, struct sim_constraint *constraint)
{
    struct sim_id_range *range;
    uint32_t slot, rows[SIM_STENCIL_MAX];
    if (!sim_slot_of(sim, id, &range, &slot)) {
        return false;
    }
    const struct sim_kind_row *row = sim_kind_rows[range->kind];
    const double scale = row->in_quanta ? sim->q : 1;
    const struct sim_store *store = &sim->stores[range->kind];
    const struct sim_batch_meta *meta = sim_batch_meta(store, slot / SIM_LANES);
    struct sim_values values;
    sim_store_values(store, slot, &values);
    sim_store_rows(store, slot, rows);
    *constraint = (struct sim_constraint){
        .id = id,
        .kind = range->kind,
        .rest = row->rest_most ? (double)values.params[0] * scale : 0,
        .material = {.compliance = values.compliance,
                     .damping = values.damping,
                     .stiffness = values.stiffness},
        .tile_color = meta->tile->color,
        .tile = meta->tile->tile,
        .color = meta->color,
    };
    if (row->slides) {
        constraint->ratio = (double)values.params[SIM_SLIDE_RATIO];
        constraint->friction = (double)values.params[SIM_SLIDE_FRICTION];
        constraint->side = (double)values.params[SIM_SLIDE_SIDE] * scale;
    }
    for (uint32_t m = 0; store->keeps && m < store->multiplier_count; m++) {
        constraint->multiplier[m] =
            (double)sim_multipliers_of(store, slot / SIM_LANES, m)[slot % SIM_LANES] * scale;
    }
    if (row->force && store->keeps) {
        double offsets[SIM_STENCIL_MAX - 1][3] = {{0}};
        for (uint32_t k = 1; k < store->stencil; k++) {
            for (uint32_t axis = 0; axis < 3; axis++) {
                offsets[k - 1][axis] =
                    (double)(sim->positions[rows[k]][axis] - sim->positions[rows[0]][axis]) * sim->q;
            }
        }
        constraint->multiplier[0] =
            row->force((const double(*)[3])offsets, values.params, constraint->multiplier);
    }
    if (row->joins) {
        sim_join_get(sim, &values, constraint);
    }
    if (range->kind == SIM_SLIDE_RAIL) {
        sim_rail_get(&values, constraint);
    }
    if (range->kind == SIM_JOINT) {
        sim_joint_get(sim, slot, rows, constraint);
    }
    if (range->kind == SIM_ORTHOTROPIC) {
        weave_get(sim, &values, rows, constraint);
    }
    if (sim->carried && range->kind == SIM_DISTANCE) {
        constraint->carried = 0 - sim->carried[slot] * scale; // never -0
    }
    for (uint32_t k = 0; k < store->stencil; k++) {
        const struct sim_body *body = sim_body_of_row(sim, rows[k]);
        constraint->bodies[k] = body->id;
        constraint->particles[k] = body->index_of[rows[k] - body->first_row];
    }
    return true;
}

bool sim_constraint_next(const struct sim *sim, enum sim_kind kind, uint32_t after,
                         struct sim_constraint *constraint)
{
    uint32_t place; // of the first range that ends behind `after`
    BASE_SEARCH(place, sim->range_count, sim->ranges[at].first + (sim->ranges[at].count - 1) <= after);
    for (; place < sim->range_count; place++) {
        const struct sim_id_range *range = &sim->ranges[place];
        if (range->kind != kind) {
            continue;
        }
        for (uint32_t i = after >= range->first ? after - range->first + 1 : 0; i < range->count; i++) {
            if (range->slots[i] != SIM_GONE) {
                return sim_constraint_get(sim, range->first + i, constraint);
            }
        }
    }
    return false;
}

static int by_first(const void *a, const void *b)
{
    uint32_t first = ((const struct sim_id_range *)a)->first, other = ((const struct sim_id_range *)b)->first;
    return first < other ? -1 : first > other;
}

void sim_ranges_sort(struct sim *sim)
{
    if (sim->range_count > 0) {
        qsort(sim->ranges, sim->range_count, sizeof *sim->ranges, by_first);
    }
}
