// Constraints of a body that come back, or become what they were.
//
// Values alone are set where the constraints stand. Where one comes back its kind is made again aside, from the mesh,
// with what is gone, what has values of its own, and the places (image_history.c checks them): that of the given ones
// and of those that live. What comes of it takes the place of the kind's batches in the body.
//
//   places   all as given                   where the given ones know of all that live
//            as the body was made           where it was never coloured again
//            present ones and given colours where that fits
//            new ones                       otherwise

#include "base/assert.h"
#include "sim/body/plan.h"
#include "sim/constraint/constraint.h"
#include "sim/constraint/torn.h"
#include "sim/edit/edit.h"
#include "sim/ground/ground.h"
#include "sim/image/image.h"
#include "sim/restore/restore.h"
#include "sim/store/store.h"

#include <stdlib.h>

// All of the kind that will live.
struct kin {
    struct sim_body *body;
    struct sim_id_range *range;
    const struct sim_own *own;
    uint32_t live, gone;
    uint32_t *ids, *removed;
    uint32_t *colors; // UINT32_MAX where nothing is known
    bool placed;      // the given places hold for all
};

static bool find(const uint32_t *ids, uint32_t count, uint32_t id, uint32_t *place)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (ids[middle] < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *place = low;
    return low < count && ids[low] == id;
}

static enum fault_code check_ascending(const char *field, const uint32_t *ids, uint32_t count,
                                       struct fault *fault)
{
    for (uint32_t i = 1; i < count; i++) {
        if (ids[i] <= ids[i - 1]) {
            return fault_code_set(fault, FAULT_INVALID, field,
                                  "element %u is %u; must be above the one before it", i, ids[i]);
        }
    }
    return FAULT_NONE;
}

static enum fault_code check(const struct sim *sim, const struct sim_own *own, struct sim_body **body,
                             struct fault *fault)
{
    const struct sim_constraint_values *values = &own->values;
    *body = sim_body_find(sim, own->body);
    if (!*body) {
        return fault_code_set(fault, FAULT_NOT_FOUND, "body", "body %u does not exist", own->body);
    }
    if ((uint32_t)own->kind >= SIM_KIND_COUNT || (*body)->constraint_count[own->kind] == 0) {
        return fault_code_set(fault, FAULT_INVALID, "kind", "body %u has no constraints of it", own->body);
    }
    bool rest = sim_kind_has_rest(own->kind);
    bool placed = own->place_count == 0 || (own->place_ids && own->place_colors && own->tile_colors);
    if (!own->ids || !own->colors || !values->compliance || !values->damping || !values->stiffness ||
        (values->rest != NULL) != rest || !placed) {
        return fault_code_set(fault, FAULT_INVALID, "constraints",
                              "need compliance, damping, stiffness, colors and %s",
                              rest ? "rest" : "no rest");
    }
    const uint32_t size = sim_flow_size(own->kind);
    const float *shapes = size > 0 ? own->shapes : NULL;
    uint32_t first = (*body)->constraint_first[own->kind], count = (*body)->constraint_count[own->kind];
    for (uint32_t c = 0; c < own->count; c++) {
        struct sim_values unused;
        enum fault_code status = sim_values_from(sim, own->kind, c, values, &unused, fault);
        if (status != FAULT_NONE) {
            return status;
        }
        if (own->ids[c] - first >= count) {
            return fault_code_set(fault, FAULT_INVALID, "constraints",
                                  "element %u names constraint %u; body %u has %u of this kind, from %u on",
                                  c, own->ids[c], own->body, count, first);
        }
        struct sim_id_range *range;
        uint32_t slot;
        if (shapes && sim_slot_of(sim, own->ids[c], &range, &slot)) { // of others the mesh is made first
            status = sim_flow_check(sim, own->kind, c, shapes + (size_t)size * c, slot, fault);
        }
        if (status != FAULT_NONE) {
            return status;
        }
        if ((*body)->torn && sim_torn_off(sim, *body, own->ids[c])) {
            return fault_code_set(fault, FAULT_CONFLICT, "constraints",
                                  "element %u names constraint %u, which is gone because body %u tore there",
                                  c, own->ids[c], own->body);
        }
        if (own->colors[c] > SIM_SERIAL) {
            return fault_code_set(fault, FAULT_INVALID, "colors", "element %u is %u; must be at most %d", c,
                                  own->colors[c], SIM_SERIAL);
        }
    }
    enum fault_code status = check_ascending("constraints", own->ids, own->count, fault);
    return status != FAULT_NONE ? status : check_ascending("places", own->place_ids, own->place_count, fault);
}

// ------------------------------------------------------------------------------------------------ made aside

static bool kin_init(struct kin *kin, const struct sim *sim, struct sim_image *image, struct sim_body *body,
                     const struct sim_own *own)
{
    struct sim_id_range *range = sim_range_of(sim, body->constraint_first[own->kind]);
    *kin = (struct kin){.body = body,
                        .range = range,
                        .own = own,
                        .ids = sim_image_block(image, range->count, sizeof *kin->ids),
                        .removed = sim_image_block(image, range->count, sizeof *kin->removed),
                        .colors = sim_image_block(image, range->count, sizeof *kin->colors),
                        .placed = own->place_count > 0};
    if (!kin->ids || !kin->removed || !kin->colors) {
        return false;
    }
    for (uint32_t i = 0; i < range->count; i++) {
        uint32_t id = range->first + i, place, slot = range->slots[i];
        bool named = find(own->ids, own->count, id, &place);
        if (slot == SIM_GONE && !named) {
            kin->removed[kin->gone++] = id;
            continue;
        }
        kin->colors[kin->live] = slot == SIM_GONE
                                     ? own->colors[place]
                                     : sim_batch_meta(&sim->stores[own->kind], slot / SIM_LANES)->color;
        kin->ids[kin->live++] = id;
        kin->placed = kin->placed && find(own->place_ids, own->place_count, id, &place);
    }
    return true;
}

// Fills what flows of one of them: as given at that place, or as it is (UINT32_MAX).
static void kin_shape(const struct kin *kin, const struct sim *sim, uint32_t c, uint32_t place, float *flows)
{
    const struct sim_own *own = kin->own;
    const uint32_t size = sim_flow_size(own->kind);
    memset(flows, 0, size * sizeof *flows); // as the body was made
    if (place == UINT32_MAX) {
        sim_image_flow_take(sim, own->kind, kin->range->slots[kin->ids[c] - kin->range->first], flows);
    } else if (own->shapes) {
        memcpy(flows, own->shapes + (size_t)size * place, size * sizeof *flows);
    }
}

// Values of all, as they are or as given.
static bool kin_values(const struct kin *kin, const struct sim *sim, struct sim_image *image,
                       struct sim_image_history *history)
{
    const struct sim_own *own = kin->own;
    const double *given[4] = {own->values.rest, own->values.compliance, own->values.damping,
                              own->values.stiffness};
    struct sim_constraint_values values;
    double *out[SIM_IMAGE_VALUES];
    const uint32_t size = sim_flow_size(own->kind);
    float *flows = sim_image_block(image, (uint64_t)size * kin->live, sizeof *flows);
    if (!flows || !sim_image_values_block(image, own->kind, kin->live, &values, out)) {
        return false;
    }
    for (uint32_t c = 0; c < kin->live; c++) {
        uint32_t place;
        bool named = find(own->ids, own->count, kin->ids[c], &place);
        if (!named) {
            sim_image_values_take(sim, own->kind, kin->range->slots[kin->ids[c] - kin->range->first], c, out);
        }
        const uint32_t slot = kin->range->slots[kin->ids[c] - kin->range->first];
        const bool stays = named && own->rests_stay && slot != SIM_GONE;
        if (stays) {
            sim_image_values_take(sim, own->kind, slot, c, out);
        }
        for (int v = 0; named && v < 4; v++) {
            if (out[v] && !(v == 0 && stays && size == 0)) {
                out[v][c] = given[v][place];
            }
        }
        if (size > 0) {
            kin_shape(kin, sim, c, named && !stays ? place : UINT32_MAX, flows + (size_t)size * c);
        }
    }
    *history = (struct sim_image_history){.edited = true,
                                          .built = UINT32_MAX,
                                          .removed_count = kin->gone,
                                          .removed = kin->removed,
                                          .changed_count = kin->live,
                                          .changed = kin->ids,
                                          .rest = values.rest,
                                          .compliance = values.compliance,
                                          .damping = values.damping,
                                          .stiffness = values.stiffness,
                                          .shapes = size > 0 ? flows : NULL};
    return true;
}

static bool kin_places(struct kin *kin, struct sim_image *image, struct sim_image_history *history)
{
    const struct sim_own *own = kin->own;
    uint32_t tiles = kin->body->tile_count[own->kind], built = kin->body->built_count[own->kind];
    uint32_t *tile_colors = sim_image_block(image, tiles, sizeof *tile_colors), place;
    if (!tile_colors) {
        return false;
    }
    if (kin->body->torn || (!kin->placed && built == kin->range->count)) {
        return true; // each has the place that it had when the body was made
    }
    for (uint32_t c = 0; kin->placed && c < kin->live; c++) {
        find(own->place_ids, own->place_count, kin->ids[c], &place);
        kin->colors[c] = own->place_colors[place];
    }
    for (uint32_t t = 0; t < tiles; t++) {
        tile_colors[t] = kin->body->tiles[own->kind][t].color;
    }
    history->colors = kin->colors;
    history->color_count = kin->live;
    history->tile_colors = kin->placed ? own->tile_colors : tile_colors;
    history->tile_count = kin->placed ? own->tile_count : tiles;
    history->built = kin->placed ? own->built : built > kin->live ? built : kin->live;
    return true;
}

// The body with this history of its constraints and nothing else that it has become.
static struct sim_body_plan *make_aside(const struct sim *sim, const struct sim_image_body *taken,
                                        enum sim_kind kind, const struct sim_image_history *history,
                                        struct fault *fault)
{
    struct sim_image_place place;
    struct sim_image_body given = *taken;
    struct sim_limits limits = sim->limits;
    given.positions = NULL;
    given.velocities = NULL;
    given.targets = NULL;
    given.desc.pins = NULL;
    given.desc.pin_count = 0;
    for (int k = 0; k < SIM_KIND_COUNT; k++) {
        given.history[k] = (struct sim_image_history){0};
    }
    given.history[kind] = *history;
    limits.constraints = UINT32_MAX; // what comes back is counted where it goes
    return sim_body_prepare_again(&given, sim->q, &limits, &place, fault);
}

// Makes the kind as history has it. If present places and the colours of what comes back do not go together, it is coloured again.
static struct sim_body_plan *make_kind(const struct sim *sim, struct sim_image *image, struct kin *kin,
                                       struct fault *fault)
{
    enum sim_kind kind = kin->own->kind;
    struct sim_image_body taken;
    struct sim_image_history history;
    if (!sim_image_body_take(sim, image, kin->body, &taken) || !kin_values(kin, sim, image, &history) ||
        !kin_places(kin, image, &history)) {
        sim_fault_memory(fault);
        return NULL;
    }
    struct sim_body_plan *plan = make_aside(sim, &taken, kind, &history, fault);
    if (plan || fault->code == FAULT_MEMORY || !history.colors || kin->placed) {
        return plan;
    }
    history.colors = NULL;
    history.tile_colors = NULL;
    history.color_count = history.tile_count = 0;
    plan = make_aside(sim, &taken, kind, &history, fault);
    if (plan && !sim_recolor(plan->aside,
                             sim_range_of(plan->aside, plan->aside->bodies[0]->constraint_first[kind]))) {
        sim_fault_memory(fault);
        sim_body_plan_destroy(plan);
        plan = NULL;
    }
    return plan;
}

// -------------------------------------------------------------------------------------------- taking over

static bool reserve(struct sim *sim, struct sim_store *store, struct sim_store *from)
{
    return (!from->damped || sim_store_damping_reserve(store)) &&
           sim_store_append_reserve(store, from, from->shelf_count) && sim_plan_reserve(sim, 0, 0);
}

static void take_over(struct sim *sim, struct sim *aside, struct kin *kin)
{
    enum sim_kind kind = kin->own->kind;
    struct sim_body *body = kin->body, *made = aside->bodies[0];
    struct sim_id_range *range = kin->range, *other = sim_range_of(aside, range->first);
    BASE_ASSERT(other->count == range->count && made->tile_count[kind] == body->tile_count[kind]);
    for (uint32_t t = 0; t < body->tile_count[kind]; t++) {
        sim_tile_clear(&sim->stores[kind], &body->tiles[kind][t]);
    }
    struct sim_tile *tiles = body->tiles[kind];
    body->tiles[kind] = made->tiles[kind];
    made->tiles[kind] = tiles; // goes with what was made aside
    uint32_t base =
        sim_attach_store(sim, &aside->stores[kind], body, kind, body->first_row - made->first_row, 0) *
        SIM_LANES;
    for (uint32_t i = 0; i < range->count; i++) {
        range->slots[i] = other->slots[i] == SIM_GONE ? SIM_GONE : other->slots[i] + base;
    }
    sim->constraint_count += kin->live - range->live;
    range->live = body->live_count[kind] = kin->live;
    body->built_count[kind] = made->built_count[kind];
    sim_bend_edited(sim, body, kind == SIM_QUADRATIC ? UINT32_MAX : 0);
    sim->solved = sim->derived_known = false;
    sim_edited(body);
    sim->placed = true;
    sim_stores_trim(sim);
    sim_plan_rebuild(sim);
}

static enum fault_code bring_back(struct sim *sim, struct sim_body *body, const struct sim_own *own,
                                  struct fault *fault)
{
    struct sim_image image = {0};
    struct sim_body_plan *plan = NULL;
    struct kin kin;
    enum fault_code status = kin_init(&kin, sim, &image, body, own) ? FAULT_NONE : sim_fault_memory(fault);
    uint32_t more = status == FAULT_NONE ? kin.live - kin.range->live : 0;
    if (status == FAULT_NONE && (uint64_t)sim->constraint_count + more > sim->limits.constraints) {
        status = fault_code_set(fault, FAULT_LIMIT, "constraints",
                                "%u constraints more than the %u there are would pass %u", more,
                                sim->constraint_count, sim->limits.constraints);
    }
    if (status == FAULT_NONE) {
        const bool edges = own->kind == SIM_DISTANCE && (body->kind == SIM_CLOTH || body->kind == SIM_ROPE);
        const struct sim_more work = {.constraints = more, .edges = edges ? more : 0};
        status = sim_work_check(sim, NULL, &sim->settings, &work, fault);
    }
    if (status == FAULT_NONE) {
        plan = make_kind(sim, &image, &kin, fault);
        status = !plan ? fault->code : FAULT_NONE;
    }
    if (status == FAULT_NONE && !reserve(sim, &sim->stores[own->kind], &plan->aside->stores[own->kind])) {
        status = sim_fault_memory(fault);
    }
    if (status == FAULT_NONE) {
        take_over(sim, plan->aside, &kin);
    }
    sim_body_plan_destroy(plan);
    sim_image_deinit(&image);
    return status;
}

// Sets values where the constraints stand, which all live.
static enum fault_code put(struct sim *sim, const struct sim_body *body, const struct sim_own *own,
                           struct fault *fault)
{
    const uint32_t size = sim_flow_size(own->kind);
    struct sim_constraint_values values = own->values;
    values.rest = own->rests_stay && size == 0 ? NULL : values.rest;
    enum fault_code status = sim_constraints_put(sim, own->kind, own->ids, own->count, &values, fault);
    for (uint32_t c = 0; status == FAULT_NONE && size > 0 && !own->rests_stay && c < own->count; c++) {
        struct sim_id_range *range;
        uint32_t slot;
        bool lives = sim_slot_of(sim, own->ids[c], &range, &slot);
        BASE_ASSERT(lives);
        sim_flow_put(sim, body, own->kind, slot, own->shapes ? own->shapes + (size_t)size * c : NULL);
    }
    return status;
}

static enum fault_code restore(struct sim *sim, const struct sim_own *own, struct fault *fault)
{
    struct sim_body *body;
    if (own->count == 0) {
        return FAULT_NONE;
    }
    enum fault_code status = check(sim, own, &body, fault);
    if (status != FAULT_NONE) {
        return status;
    }
    bool all_live = own->place_count == 0; // places are made again with the kind
    for (uint32_t c = 0; all_live && c < own->count; c++) {
        struct sim_id_range *range;
        uint32_t slot;
        all_live = sim_slot_of(sim, own->ids[c], &range, &slot);
    }
    return all_live ? put(sim, body, own, fault) : bring_back(sim, body, own, fault);
}

enum fault_code sim_own_restore(struct sim *sim, const struct sim_own *own, struct fault *fault)
{
    if (own->fields == 0 || own->count == 0) {
        return restore(sim, own, fault);
    }
    struct sim_own whole = *own;
    struct sim_image image = {0};
    enum fault_code status = sim_own_merge(sim, &image, &whole, fault);
    status = status != FAULT_NONE ? status : restore(sim, &whole, fault);
    sim_image_deinit(&image);
    return status;
}
