// Constraints of which some values become what they were: the others are read from where they stand.
#include "sim/constraint/constraint.h"
#include "sim/ground/ground.h"
#include "sim/image/image.h"
#include "sim/restore/restore.h"
#include "sim/state/join.h"
#include "sim/state/jointed.h"
#include "sim/state/kind.h"
#include "sim/state/rail.h"
#include "sim/store/store.h"

// The params that a value is.
static const struct {
    enum sim_kind kind;
    uint32_t field, first, count;
} params[] = {
    {SIM_JOIN, SIM_FIELD_REST_END, SIM_JOIN_END, 2},
    {SIM_JOIN, SIM_FIELD_FORCE_LIMIT, SIM_JOIN_LIMIT, 2},
    {SIM_JOINT, SIM_FIELD_TURN_COMPLIANCE, SIM_JOINTED_TURN_GIVE, 1},
    {SIM_JOINT, SIM_FIELD_LIMITS, SIM_JOINTED_LIMITED, SIM_JOINTED_MOTOR - SIM_JOINTED_LIMITED},
    {SIM_JOINT, SIM_FIELD_MOTOR, SIM_JOINTED_MOTOR, 1},
    {SIM_JOINT, SIM_FIELD_MOTOR_TARGET, SIM_JOINTED_TARGET, SIM_JOINTED_MOST - SIM_JOINTED_TARGET},
    {SIM_JOINT, SIM_FIELD_MOTOR_MOST, SIM_JOINTED_MOST, 1},
    {SIM_JOINT, SIM_FIELD_MOTOR_COMPLIANCE, SIM_JOINTED_MOTOR_GIVE, 1},
    {SIM_JOINT, SIM_FIELD_FORCE_LIMIT, SIM_JOINTED_FORCE, 2},
    {SIM_SLIDE_RAIL, SIM_FIELD_FRICTION, SIM_RAIL_FRICTION, 1},
};
_Static_assert(SIM_JOIN_LEFT == SIM_JOIN_END + 1 && SIM_JOIN_PARTED == SIM_JOIN_LIMIT + 1 &&
                   SIM_JOINTED_PARTED == SIM_JOINTED_FORCE + 1,
               "what is restored together stands together");

static bool is_named(enum sim_kind kind, uint32_t param, uint32_t fields)
{
    bool named = false;
    for (size_t p = 0; p < sizeof params / sizeof *params && !named; p++) {
        named = params[p].kind == kind && (fields & params[p].field) && param >= params[p].first &&
                param < params[p].first + params[p].count;
    }
    return named;
}

// The values of constraints as they are now, with those that are named as given. False if memory runs out; slots: of each.
static bool merge_values(const struct sim *sim, struct sim_image *image, enum sim_kind kind, uint32_t count,
                         const uint32_t *slots, uint32_t fields, struct sim_constraint_values *values,
                         uint32_t **colors)
{
    const double *given[SIM_IMAGE_VALUES] = {values->rest,      values->compliance, values->damping,
                                             values->stiffness, values->ratio,      values->friction,
                                             values->side};
    struct sim_constraint_values now;
    double *out[SIM_IMAGE_VALUES];
    *colors = sim_image_block(image, count, sizeof **colors);
    if (!*colors || !sim_image_values_block(image, kind, count, &now, out)) {
        return false;
    }
    for (uint32_t c = 0; c < count; c++) {
        (*colors)[c] = sim_batch_meta(&sim->stores[kind], slots[c] / SIM_LANES)->color;
        sim_image_values_take(sim, kind, slots[c], c, out);
        for (uint32_t v = 0; v < SIM_IMAGE_VALUES; v++) {
            if (out[v] && given[v] && (fields & 1u << v)) {
                out[v][c] = given[v][c];
            }
        }
    }
    *values = now;
    return true;
}

static enum fault_code find_slots(const struct sim *sim, struct sim_image *image, uint32_t body,
                                  enum sim_kind kind, const uint32_t *ids, uint32_t count, uint32_t **slots,
                                  struct fault *fault)
{
    *slots = sim_image_block(image, count, sizeof **slots);
    if (!*slots) {
        return sim_fault_memory(fault);
    }
    for (uint32_t c = 0; c < count; c++) {
        struct sim_id_range *range;
        if (!sim_slot_of(sim, ids[c], &range, &(*slots)[c]) || range->body != body || range->kind != kind) {
            return fault_code_set(fault, FAULT_NOT_FOUND, "constraints",
                                  "element %u is %u, which is gone, or is another constraint by now", c,
                                  ids[c]);
        }
    }
    return FAULT_NONE;
}

enum fault_code sim_own_merge(const struct sim *sim, struct sim_image *image, struct sim_own *own,
                              struct fault *fault)
{
    uint32_t *slots, *colors;
    if ((uint32_t)own->kind >= SIM_KIND_COUNT || !own->ids) {
        return FAULT_NONE; // it is refused as it is
    }
    const enum fault_code status =
        find_slots(sim, image, own->body, own->kind, own->ids, own->count, &slots, fault);
    if (status != FAULT_NONE) {
        return status;
    }
    if (!merge_values(sim, image, own->kind, own->count, slots, own->fields, &own->values, &colors)) {
        return sim_fault_memory(fault);
    }
    own->colors = colors;
    own->rests_stay = own->rests_stay || !(own->fields & SIM_FIELD_REST);
    return FAULT_NONE;
}

enum fault_code sim_loose_merge(const struct sim *sim, struct sim_image *image,
                                struct sim_image_constraints *batch, struct fault *fault)
{
    const uint32_t size = sim_shape_size(batch->kind), first = sim_kind_rows[batch->kind]->shape_first;
    const struct sim_store *store = &sim->stores[batch->kind];
    uint32_t *slots, *colors;
    const enum fault_code status =
        find_slots(sim, image, 0, batch->kind, batch->ids, batch->count, &slots, fault);
    if (status != FAULT_NONE) {
        return status;
    }
    float *shapes = sim_image_block(image, (uint64_t)size * batch->count, sizeof *shapes);
    if (!shapes ||
        !merge_values(sim, image, batch->kind, batch->count, slots, batch->fields, &batch->values, &colors)) {
        return sim_fault_memory(fault);
    }
    for (uint32_t c = 0; c < batch->count; c++) {
        for (uint32_t p = 0; p < size; p++) {
            const size_t at = (size_t)size * c + p;
            shapes[at] = batch->shapes && is_named(batch->kind, first + p, batch->fields)
                             ? batch->shapes[at]
                             : sim_batch_params(store, slots[c] / SIM_LANES, first + p)[slots[c] % SIM_LANES];
        }
    }
    batch->shapes = size > 0 ? shapes : NULL;
    batch->colors = colors;
    return FAULT_NONE;
}
