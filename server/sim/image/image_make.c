// A sim made of an image: bodies as body.add makes them, under the ids that they had, then what has become of them.
//
//   bodies (plan, attach, state, history) -> colliders -> loose constraints that have ids -> those that get some
//   -> motions -> grabs -> next ids
//
// An image is input from outside like any other: everything is checked, and the half-made sim is thrown away at the
// first fault.

#include "base/array.h"
#include "base/assert.h"
#include "sim/body/plan.h"
#include "sim/body/pull.h"
#include "sim/body/rigid.h"
#include "sim/body/rod.h"
#include "sim/constraint/constraint.h"
#include "sim/constraint/torn.h"
#include "sim/edit/edit.h"
#include "sim/ground/ground.h"
#include "sim/image/image.h"
#include "sim/motion/motion.h"
#include "sim/state/kind.h"
#include "sim/store/store.h"

#include <stdlib.h>

struct maker {
    struct sim *sim;
    const struct sim_image *image;
    const struct sim_limits *limits;
    struct sim_image_place *place;
    struct fault *fault;
};

// The id that a thing asks for becomes the next one.
static enum fault_code take_id(struct maker *maker, const char *field, uint32_t id, uint32_t *next)
{
    if (id == 0) {
        return FAULT_NONE;
    }
    if (id < *next || id == UINT32_MAX) {
        return fault_code_set(maker->fault, FAULT_INVALID, field,
                              "%u; must be at least %u, above all ids before it", id, *next);
    }
    *next = id;
    return FAULT_NONE;
}

static enum fault_code check_quanta(const struct sim *sim, const char *field, const int64_t *x, size_t count,
                                    struct fault *fault)
{
    int64_t most = (int64_t)(SIM_EXTENT_MAX * sim->inv_q);
    for (size_t i = 0; i < count; i++) {
        if (x[i] > most || x[i] < -most) {
            return fault_code_set(fault, FAULT_INVALID, field, "element %u lies at %g m; at most %g m",
                                  (unsigned)i, (double)x[i] * sim->q, SIM_EXTENT_MAX);
        }
    }
    return FAULT_NONE;
}

// -------------------------------------------------------------------------------------------------- bodies

// Whether these are whole quanta, so many at most.
static enum fault_code check_ways(const char *field, const double *ways, size_t count, double most,
                                  struct fault *fault)
{
    for (size_t i = 0; ways && i < count; i++) {
        if (!(ways[i] >= -most && ways[i] <= most) || ways[i] != (double)(int64_t)ways[i]) {
            return fault_code_set(fault, FAULT_INVALID, field,
                                  "element %u is %g; must be a whole number of quanta in [-%g, %g]",
                                  (unsigned)i, ways[i], most, most);
        }
    }
    return FAULT_NONE;
}

static enum fault_code check_pins(const struct maker *maker, const struct sim_image_body *given)
{
    const uint32_t count = given->desc.pin_count;
    enum fault_code status =
        check_ways("state.pin_starts", given->pin_starts, 3 * (size_t)count, SIM_MOVE_MAX, maker->fault);
    if (status == FAULT_NONE) {
        status = check_ways("state.pin_ends", given->pin_ends, 3 * (size_t)count,
                            (double)SIM_MOVE_MAX * SIM_PIN_TICKS_MAX, maker->fault);
    }
    if (status == FAULT_NONE &&
        (!given->pin_compliances != !given->pin_distances || !given->pin_ends != !given->pin_ticks)) {
        status =
            fault_code_set(maker->fault, FAULT_INVALID, "state.pin_distances",
                           "pin_compliances and pin_distances come together, as pin_ends and pin_ticks do");
    }
    for (uint32_t p = 0; status == FAULT_NONE && p < count; p++) {
        const double compliance = given->pin_compliances ? given->pin_compliances[p] : 0;
        const double distance = given->pin_compliances ? given->pin_distances[p] : 0;
        status = sim_pin_check(maker->sim, compliance, distance, given->pin_ticks ? given->pin_ticks[p] : 0,
                               given->desc.pins[p], maker->fault);
    }
    return status;
}

static enum fault_code check_forces(const struct maker *maker, const struct sim_image_body *given)
{
    enum fault_code status = FAULT_NONE;
    for (uint32_t f = 0; status == FAULT_NONE && f < given->force_count; f++) {
        const uint32_t particle = given->force_particles[f];
        if (particle >= given->desc.particle_count || (f > 0 && particle <= given->force_particles[f - 1])) {
            return fault_code_set(maker->fault, FAULT_INVALID, "state.force_particles",
                                  "element %u is %u; must be above the one before it, and below %u", f,
                                  particle, given->desc.particle_count);
        }
        status = sim_force_check(given->forces + 3 * (size_t)f,
                                 given->force_ticks ? given->force_ticks[f] : 0, particle, maker->fault);
    }
    return status;
}

static enum fault_code check_state(const struct maker *maker, const struct sim_image_body *given)
{
    size_t count = given->desc.particle_count;
    enum fault_code status = !given->positions ? FAULT_NONE
                                               : check_quanta(maker->sim, "state.positions", given->positions,
                                                              3 * count, maker->fault);
    if (status == FAULT_NONE && given->targets) {
        status = check_quanta(maker->sim, "state.targets", given->targets, 3 * (size_t)given->desc.pin_count,
                              maker->fault);
    }
    const bool ordered = given->targets || given->pin_colliders || given->pin_compliances ||
                         given->pin_ticks || given->pin_clamps || given->pin_held;
    if (status == FAULT_NONE && ordered) {
        status = check_pins(maker, given);
    }
    status = status != FAULT_NONE ? status : check_forces(maker, given);
    for (uint32_t p = 1; status == FAULT_NONE && ordered && p < given->desc.pin_count; p++) {
        if (given->desc.pins[p] <= given->desc.pins[p - 1]) {
            status = fault_code_set(
                maker->fault, FAULT_INVALID, "pins",
                "element %u is %u; must be above the one before it where a state says how pins hold", p,
                given->desc.pins[p]);
        }
    }
    for (size_t i = 0; status == FAULT_NONE && given->pin_places && i < 3 * (size_t)given->desc.pin_count;
         i++) {
        if (!sim_place_is_good(given->pin_places[i])) {
            status = fault_code_set(maker->fault, FAULT_INVALID, "state.pin_places",
                                    "element %u is %g m; at most %g m", (unsigned)i, given->pin_places[i],
                                    SIM_PLACE_MAX);
        }
    }
    for (size_t i = 0; status == FAULT_NONE && given->velocities && i < 3 * count; i++) {
        if (!sim_finite((double)given->velocities[i])) {
            status = fault_code_set(maker->fault, FAULT_INVALID, "state.velocities",
                                    "that of particle %u is not finite", (unsigned)(i / 3));
        }
    }
    if (status == FAULT_NONE && given->turned) {
        status = (given->desc.rigid ? sim_rigid_turned_check : sim_turned_check)(
            "state.turned", given->turned, given->desc.particle_count, maker->fault);
    }
    for (size_t i = 0; status == FAULT_NONE && given->inverse_masses && i < count; i++) {
        float w = given->inverse_masses[i];
        if (!(w == 0 || (w >= (float)SIM_INVERSE_MASS_MIN && w <= (float)SIM_INVERSE_MASS_MAX))) {
            status = fault_code_set(maker->fault, FAULT_INVALID, "state.inverse_masses",
                                    "%g 1/kg for particle %u; must be 0 (static) or in [%g, %g]", (double)w,
                                    (unsigned)i, SIM_INVERSE_MASS_MIN, SIM_INVERSE_MASS_MAX);
        }
    }
    return status;
}

// If the image gives masses, these hold in the end, so the plan may have any.
static struct sim_body_plan *prepare(const struct maker *maker, const struct sim_image_body *given)
{
    struct sim_body_desc desc = given->desc;
    desc.again = true;
    double *ones = NULL;
    if (given->inverse_masses) {
        ones = malloc(((size_t)desc.particle_count + 1) * sizeof *ones);
        for (uint32_t i = 0; ones && i < desc.particle_count; i++) {
            ones[i] = 1;
        }
        desc.masses = ones;
        if (!ones) {
            sim_fault_memory(maker->fault);
            return NULL;
        }
    }
    struct sim_body_plan *plan = sim_body_prepare(
        &desc, maker->sim->q, given->positions ? SIM_EXTENT_MAX : maker->image->settings.extent,
        maker->limits, maker->fault);
    free(ones);
    if (!plan) {
        return NULL;
    }
    bool stated = given->turned || given->positions || given->velocities || given->inverse_masses ||
                  given->targets || given->pin_colliders || given->pin_compliances || given->pin_ticks ||
                  given->pin_clamps || given->force_count > 0;
    const bool by_particle = given->positions || given->velocities || given->inverse_masses || given->anchors;
    if (by_particle && desc.tear.most > 0 && !desc.torn) {
        fault_code_set(maker->fault, FAULT_INVALID, "torn", "missing; a body with tear and a state needs it");
        sim_body_plan_destroy(plan);
        return NULL;
    }
    if (stated && desc.weld) {
        fault_code_set(maker->fault, FAULT_INVALID, "weld", "must be absent where there is a state");
        sim_body_plan_destroy(plan);
        return NULL;
    }
    if (given->welded && plan->welded) {
        memcpy(given->welded, plan->welded, desc.particle_count * sizeof *given->welded);
    }
    if (given->inverse_masses) {
        memcpy(plan->inverse_masses, given->inverse_masses,
               desc.particle_count * sizeof *plan->inverse_masses);
        for (uint32_t p = 0; p < plan->body->pin_count; p++) {
            struct sim_pin *pin = &plan->body->pins[p];
            pin->inverse_mass = given->inverse_masses[pin->index];
        }
    }
    if (given->inverse_masses && plan->body->rod) {
        sim_rod_weigh(plan->body, plan->inverse_masses); // a state without orientations has these
    }
    for (uint32_t p = 0; given->pin_compliances && p < plan->body->pin_count; p++) {
        struct sim_pin *pin = &plan->body->pins[p];
        const bool hard = given->pin_compliances[p] == 0 || given->pin_distances[p] == 0;
        pin->compliance = hard ? 0 : (float)given->pin_compliances[p];
        pin->distance = hard ? 0 : (float)given->pin_distances[p];
    }
    return plan;
}

// Gives a pin of an image the place that it comes from, and the one that it goes to.
static void place_ways(struct sim_pin *pin, uint32_t p, const struct sim_image_body *given)
{
    pin->left = given->pin_ticks ? given->pin_ticks[p] : 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        const size_t at = 3 * (size_t)p + axis;
        pin->end[axis] = pin->to[axis] + (given->pin_ends ? (int64_t)given->pin_ends[at] : 0);
        if (sim_pin_is_soft(pin)) {
            pin->from[axis] = pin->to[axis] + (given->pin_starts ? (int64_t)given->pin_starts[at] : 0);
        }
    }
}

static void place_state(struct sim *sim, struct sim_body *body, const struct sim_image_body *given)
{
    for (uint32_t i = 0; i < body->count; i++) {
        uint32_t row = body->first_row + body->row_of[i];
        if (given->positions) {
            sim_place(sim, row, given->positions + 3 * (size_t)i);
        }
        if (given->velocities) {
            memcpy(sim->velocities[row].v, given->velocities + 3 * (size_t)i, sizeof sim->velocities[row].v);
        }
        if (given->turned && body->turned) {
            sim_turned_put(sim, row, &given->turned[i]);
        }
    }
    for (uint32_t p = 0; p < body->pin_count; p++) {
        struct sim_pin *pin = &body->pins[p];
        const int64_t *at = sim->positions[body->first_row + body->row_of[pin->index]];
        memcpy(pin->from, at, sizeof pin->from);
        memcpy(pin->to, given->targets ? given->targets + 3 * (size_t)p : at, sizeof pin->to);
        place_ways(pin, p, given);
        if (given->pin_clamps) {
            memcpy(pin->clamp.from, given->pin_clamps + 8 * (size_t)p, sizeof pin->clamp.from);
            memcpy(pin->clamp.to, given->pin_clamps + 8 * (size_t)p + 4, sizeof pin->clamp.to);
        }
        if (given->pin_held) {
            memcpy(pin->clamp.held, given->pin_held + 4 * (size_t)p, sizeof pin->clamp.held);
        }
        pin->collider = given->pin_colliders ? given->pin_colliders[p] : 0;
        if (given->pin_places) {
            memcpy(pin->place, given->pin_places + 3 * (size_t)p, sizeof pin->place);
        }
    }
}

static enum fault_code make_body(struct maker *maker, const struct sim_image_body *given)
{
    struct sim *sim = maker->sim;
    struct sim_body_added added;
    enum fault_code status = take_id(maker, "body", given->body, &sim->next_body);
    if (status == FAULT_NONE) {
        status = take_id(maker, "first_constraint", given->first_constraint, &sim->next_constraint);
    }
    status = status != FAULT_NONE ? status : check_state(maker, given);
    if (status != FAULT_NONE) {
        return status;
    }
    struct sim_body_plan *plan = prepare(maker, given);
    if (!plan) {
        return maker->fault->code;
    }
    status = sim_body_attach(sim, plan, &added, maker->fault);
    if (status != FAULT_NONE) {
        sim_body_plan_destroy(plan);
        return status;
    }
    struct sim_body *body = sim_body_find(sim, added.body);
    if (given->turned && !body->turned) {
        return fault_code_set(maker->fault, FAULT_INVALID, "state.turned",
                              "must be absent of a body whose particles have no orientations");
    }
    for (uint32_t p = 0; status == FAULT_NONE && given->pin_clamps && p < given->desc.pin_count; p++) {
        status = sim_clamp_given(body, given->desc.pins[p], given->pin_clamps + 8 * (size_t)p, maker->fault);
    }
    for (uint32_t p = 0; status == FAULT_NONE && given->pin_held && p < given->desc.pin_count; p++) {
        static const int32_t none[8];
        status = sim_clamp_held_given(
            given->pin_held + 4 * (size_t)p, given->pin_clamps ? given->pin_clamps + 8 * (size_t)p : none,
            given->pin_colliders ? given->pin_colliders[p] : 0, given->desc.pins[p], maker->fault);
    }
    if (status != FAULT_NONE) {
        return status;
    }
    place_state(sim, body, given);
    if (given->force_count > 0 && !sim_loads_reserve(sim, body, given->force_count)) {
        return sim_fault_memory(maker->fault);
    }
    for (uint32_t f = 0; f < given->force_count; f++) {
        sim_load_set(body, given->force_particles[f], given->forces + 3 * (size_t)f,
                     given->force_ticks ? given->force_ticks[f] : 0);
    }
    status = given->desc.torn ? sim_torn_put(sim, body, given->desc.torn, maker->fault) : FAULT_NONE;
    // A spare rests where the first particle is, whatever a state written by hand says of it.
    for (uint32_t i = sim_nameable(body); status == FAULT_NONE && i < body->count; i++) {
        const uint32_t row = body->first_row + body->row_of[i], first = body->first_row + body->row_of[0];
        memcpy(sim->positions[row], sim->positions[first], sizeof sim->positions[row]);
        memset(sim->velocities[row].v, 0, sizeof sim->velocities[row].v);
    }
#define PART(NAME, name) "history." #name,
    static const char *const parts[SIM_KIND_COUNT] = {SIM_KINDS(PART)};
#undef PART
    for (uint32_t kind = 0; status == FAULT_NONE && kind < SIM_KIND_COUNT; kind++) {
        maker->place->part = parts[kind];
        status = sim_history_apply(sim, body, (enum sim_kind)kind, &given->history[kind], maker->fault);
    }
    maker->place->part = status == FAULT_NONE ? NULL : maker->place->part;
    return status;
}

// ----------------------------------------------------------------------------------------------- colliders

static bool is_unit(const double q[4])
{
    double length2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    return length2 > 1 - 1e-12 && length2 < 1 + 1e-12;
}

enum fault_code sim_image_poses(const struct sim *sim, const struct sim_image_collider *given,
                                struct sim_shape *shape, struct fault *fault)
{
    enum fault_code status = check_quanta(sim, "position", given->position, 3, fault);
    status =
        status != FAULT_NONE ? status : check_quanta(sim, "from_position", given->from_position, 3, fault);
    if (status != FAULT_NONE) {
        return status;
    }
    memcpy(shape->to.position, given->position, sizeof shape->to.position);
    memcpy(shape->from.position, given->from_position, sizeof shape->from.position);
    if (given->unturned && !is_unit(given->stands)) {
        return fault_code_set(fault, FAULT_INVALID, "unturned", "must be of length 1");
    }
    const double *stands = given->unturned ? given->stands : given->collider.rotation;
    if (is_unit(stands)) {
        memcpy(shape->to.rotation, stands, sizeof shape->to.rotation);
    }
    bool absent = given->from_rotation[0] == 0 && given->from_rotation[1] == 0 &&
                  given->from_rotation[2] == 0 && given->from_rotation[3] == 0;
    if (!absent && !is_unit(given->from_rotation)) {
        return fault_code_set(fault, FAULT_INVALID, "from_rotation", "must be of length 1");
    }
    memcpy(shape->from.rotation, absent ? shape->to.rotation : given->from_rotation,
           sizeof shape->from.rotation);
    return FAULT_NONE;
}

static enum fault_code make_collider(struct maker *maker, const struct sim_image_collider *given)
{
    struct sim *sim = maker->sim;
    struct sim_collider collider = given->collider;
    uint32_t id;
    enum fault_code status = take_id(maker, "collider", collider.id, &sim->next_collider);
    for (int axis = 0; given->exact && axis < 3; axis++) {
        collider.position[axis] = (double)given->position[axis] * sim->q;
    }
    sim->settings.extent = given->exact ? SIM_EXTENT_MAX : maker->image->settings.extent;
    status = status != FAULT_NONE ? status : sim_collider_add(sim, &collider, &id, maker->fault);
    return status != FAULT_NONE || !given->exact
               ? status
               : sim_image_poses(sim, given, sim_shape_find(sim, id), maker->fault);
}

// ------------------------------------------------------------------------------------- loose constraints

enum fault_code sim_image_batch_check(const struct sim_image_constraints *batch, struct fault *fault)
{
    const struct sim_constraint_values *values = &batch->values;
    const uint32_t shape = sim_shape_size(batch->kind);
    const bool rests = sim_kind_has_rest(batch->kind);
    const bool slides = sim_slides(batch->kind);
    if ((values->ratio != NULL) != slides || (values->friction != NULL) != slides ||
        (values->side != NULL) != slides) {
        return fault_code_set(fault, FAULT_INVALID, "constraints",
                              slides ? "ids of slides need ratio, friction and side"
                                     : "only slides have ratio, friction and side");
    }
    if (!values->compliance || !values->damping || !values->stiffness || !batch->colors ||
        (values->rest != NULL) != rests || (batch->shapes != NULL) != (shape > 0)) {
        return fault_code_set(fault, FAULT_INVALID, "constraints",
                              "ids need compliance, damping, stiffness, colors and %s",
                              !rests      ? "shapes"
                              : shape > 0 ? "rest and shapes"
                                          : "rest");
    }
    for (uint32_t c = 0; c < batch->count; c++) {
        if (batch->ids[c] == 0 || batch->ids[c] == UINT32_MAX ||
            (c > 0 && batch->ids[c] <= batch->ids[c - 1])) {
            return fault_code_set(fault, FAULT_INVALID, "constraints",
                                  "element %u is %u; must be above 0 and the one before it", c,
                                  batch->ids[c]);
        }
        if (sim_kind_rows[batch->kind]->serial && batch->colors[c] != SIM_SERIAL) {
            return fault_code_set(fault, FAULT_INVALID, "colors",
                                  "element %u is %u; must be %d for a %s constraint", c, batch->colors[c],
                                  SIM_SERIAL, sim_kind_rows[batch->kind]->name);
        }
        if (batch->colors[c] > SIM_SERIAL) {
            return fault_code_set(fault, FAULT_INVALID, "colors", "element %u is %u; must be at most %d", c,
                                  batch->colors[c], SIM_SERIAL);
        }
    }
    for (size_t i = 0; i < shape * (size_t)batch->count; i++) {
        if (!sim_finite((double)batch->shapes[i])) {
            return fault_code_set(fault, FAULT_INVALID, "shapes", "element %u is not finite", (unsigned)i);
        }
    }
    return FAULT_NONE;
}

// A run of ids that follow each other. Ranges are put in order when all of them are there.
static enum fault_code add_range(struct maker *maker, const struct sim_image_constraints *batch,
                                 uint32_t first, uint32_t end, const uint32_t *slots)
{
    struct sim *sim = maker->sim;
    uint32_t count = end - first, *own = malloc(count * sizeof *own);
    if (!own || !array_reserve(&sim->ranges, &sim->range_capacity, sim->range_count + 1)) {
        free(own);
        return sim_fault_memory(maker->fault);
    }
    memcpy(own, slots + first, count * sizeof *own);
    sim->ranges[sim->range_count++] = (struct sim_id_range){.first = batch->ids[first],
                                                            .count = count,
                                                            .capacity = count,
                                                            .live = count,
                                                            .kind = batch->kind,
                                                            .slots = own};
    return FAULT_NONE;
}

static enum fault_code place_batch(struct maker *maker, const struct sim_image_constraints *batch,
                                   const uint32_t *rows, uint32_t *slots)
{
    struct sim *sim = maker->sim;
    enum sim_kind kind = batch->kind;
    struct sim_store *store = &sim->stores[kind];
    struct sim_tile *tile = &sim->loose[kind];
    uint32_t stencil = sim_stencil_size(kind);
    for (uint32_t c = 0; c < batch->count; c++) {
        const uint32_t *corner = rows + (size_t)c * stencil;
        struct sim_values values = {.stiffness = -1};
        uint64_t bit = batch->colors[c] < SIM_SERIAL ? UINT64_C(1) << batch->colors[c] : 0;
        enum fault_code status = sim_shape_take(sim, kind, c, batch->shapes, corner, &values, maker->fault);
        status = status != FAULT_NONE ? status
                                      : sim_values_from(sim, kind, c, &batch->values, &values, maker->fault);
        for (uint32_t k = 0; status == FAULT_NONE && k < stencil; k++) {
            if ((sim->loose_colors[kind][corner[k]] & bit) != 0) {
                status =
                    fault_code_set(maker->fault, FAULT_INVALID, "colors",
                                   "element %u is %u, as that of another constraint at the same particle", c,
                                   batch->colors[c]);
            }
        }
        for (uint32_t k = 0; status == FAULT_NONE && k < stencil; k++) { // a corner may repeat another one
            sim->loose_colors[kind][corner[k]] |= bit;
        }
        if (status == FAULT_NONE &&
            (!sim_store_reserve(store, 1) || (kind == SIM_JOINT && !sim_jointed_reserve(sim, 1)) ||
             !sim_tile_edit_reserve(store, tile, 1))) {
            status = sim_fault_memory(maker->fault);
        }
        if (status != FAULT_NONE) {
            return status;
        }
        slots[c] = sim_store_place(store, tile, (uint16_t)batch->colors[c], batch->ids[c], corner, &values,
                                   sim->settings.iterations);
        sim->constraint_count++;
    }
    return FAULT_NONE;
}

static enum fault_code make_batch_with_ids(struct maker *maker, const struct sim_image_constraints *batch)
{
    struct sim *sim = maker->sim;
    enum fault_code status = sim_image_batch_check(batch, maker->fault);
    if (status != FAULT_NONE || batch->count == 0) {
        return status;
    }
    if ((uint64_t)sim->constraint_count + batch->count > maker->limits->constraints) {
        return fault_code_set(maker->fault, FAULT_LIMIT, "constraints",
                              "%u constraints more than the %u there are would pass %u", batch->count,
                              sim->constraint_count, maker->limits->constraints);
    }
    uint32_t *rows = malloc((size_t)batch->count * sim_stencil_size(batch->kind) * sizeof *rows);
    uint32_t *slots = malloc((size_t)batch->count * sizeof *slots);
    if (!rows || !slots) {
        status = sim_fault_memory(maker->fault);
    }
    if (status == FAULT_NONE) {
        status = sim_stencil_rows(sim, batch->kind, batch->count, batch->bodies, batch->particles, rows,
                                  maker->fault);
    }
    if (status == FAULT_NONE && batch->kind == SIM_SLIDE_RAIL) {
        status = sim_rails_room(sim, batch->count, batch->particles, NULL, maker->fault);
    }
    if (status == FAULT_NONE && !sim_loose_reserve(sim, batch->kind, true)) {
        status = sim_fault_memory(maker->fault);
    }
    status = status != FAULT_NONE ? status : place_batch(maker, batch, rows, slots);
    sim_stores_settle(sim);
    for (uint32_t first = 0, end; status == FAULT_NONE && first < batch->count; first = end) {
        for (end = first + 1; end < batch->count && batch->ids[end] == batch->ids[end - 1] + 1;) {
            end++;
        }
        status = add_range(maker, batch, first, end, slots);
    }
    free(rows);
    free(slots);
    return status;
}

static enum fault_code order_ranges(struct maker *maker)
{
    struct sim *sim = maker->sim;
    sim_ranges_sort(sim);
    for (uint32_t r = 0; r < sim->range_count; r++) {
        const struct sim_id_range *range = &sim->ranges[r];
        uint32_t end = range->first + range->count;
        if (r + 1 < sim->range_count && sim->ranges[r + 1].first < end) {
            return fault_code_set(maker->fault, FAULT_INVALID, "constraints",
                                  "two constraints have the id %u", sim->ranges[r + 1].first);
        }
        sim->next_constraint = end > sim->next_constraint ? end : sim->next_constraint;
    }
    return FAULT_NONE;
}

// ---------------------------------------------------------------------------------------------- all of it

static enum fault_code make_motion(struct maker *maker, const struct sim_motion *motion)
{
    uint32_t id;
    enum fault_code status = take_id(maker, "motion", motion->id, &maker->sim->next_motion);
    return status != FAULT_NONE ? status : sim_motion_add(maker->sim, motion, &id, maker->fault);
}

static enum fault_code make_grabs(struct maker *maker)
{
    enum fault_code status = FAULT_NONE;
    for (uint32_t g = 0; status == FAULT_NONE && g < maker->image->grab_count; g++) {
        const struct sim_image_grab *given = &maker->image->grabs[g];
        maker->place->index = g;
        status = take_id(maker, "grab", given->id, &maker->sim->next_grab);
        status = status != FAULT_NONE ? status : sim_image_grab_make(maker->sim, given, maker->fault);
    }
    return status;
}

static enum fault_code make_next_ids(struct maker *maker)
{
    struct sim *sim = maker->sim;
    const struct sim_image *image = maker->image;
    const struct {
        const char *field;
        uint32_t given, *next;
    } ids[] = {
        {"next_body", image->next_body, &sim->next_body},
        {"next_constraint", image->next_constraint, &sim->next_constraint},
        {"next_grab", image->next_grab, &sim->next_grab},
        {"next_collider", image->next_collider, &sim->next_collider},
        {"next_motion", image->next_motion, &sim->next_motion},
    };
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        if (ids[i].given != 0 && ids[i].given < *ids[i].next) {
            return fault_code_set(maker->fault, FAULT_INVALID, ids[i].field, "%u; must be at least %u",
                                  ids[i].given, *ids[i].next);
        }
        *ids[i].next = ids[i].given != 0 ? ids[i].given : *ids[i].next;
    }
    return FAULT_NONE;
}

static enum fault_code make_batches(struct maker *maker, bool with_ids, uint32_t *at)
{
    const struct sim_image *image = maker->image;
    enum fault_code status = FAULT_NONE;
    for (uint32_t b = 0; status == FAULT_NONE && b < image->batch_count; b++) {
        const struct sim_image_constraints *batch = &image->batches[b];
        uint32_t first;
        *at = b;
        if ((batch->ids != NULL) != with_ids) {
            continue;
        }
        status = with_ids ? make_batch_with_ids(maker, batch)
                          : sim_constraints_add(maker->sim, batch->kind, batch->count, batch->bodies,
                                                batch->particles, &batch->values, &first, maker->fault);
    }
    return status;
}

// Bodies may rest although nothing sleeps any more: if the edit of the settings is taken back before the next tick, they sleep on.
static bool lay_to_sleep(const struct maker *maker)
{
    struct sim *sim = maker->sim;
    bool any = false;
    for (uint32_t b = 0; b < maker->image->body_count; b++) {
        sim->bodies[b]->bend_due = maker->image->bodies[b].bend_due;
        const struct sim_sleep *sleep = &maker->image->bodies[b].sleep;
        any = any || sleep->asleep || sleep->still > 0;
    }
    if (!sim_anchors_reserve(sim, any)) {
        return false;
    }
    for (uint32_t b = 0; b < maker->image->body_count && sim_has_sleep(sim); b++) {
        const struct sim_image_body *given = &maker->image->bodies[b];
        struct sim_body *body = sim->bodies[b];
        sim_sleep_put(body, &given->sleep);
        for (uint32_t i = 0; i < body->count && (body->asleep || body->still > 0); i++) {
            const uint32_t row = body->first_row + body->row_of[i];
            for (int axis = 0; axis < 3; axis++) {
                int32_t way = given->anchors ? given->anchors[3 * (size_t)i + (size_t)axis] : 0;
                sim->anchors[row][axis] = sim_wrap_add(sim->rows[row].x[axis], way);
            }
            if (body->asleep) {
                sim_rested(sim, row); // as if it had never set out (solve/forces.c)
            }
        }
    }
    return true;
}

// Looks for the colliders that pins follow, now that these are there.
static enum fault_code make_followers(struct maker *maker)
{
    struct sim *sim = maker->sim;
    enum fault_code status = FAULT_NONE;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        for (uint32_t p = 0; p < body->pin_count && status == FAULT_NONE; p++) {
            struct sim_pin *pin = &body->pins[p];
            const struct sim_shape *shape = sim_shape_find(sim, pin->collider);
            if (pin->collider != 0 && !shape) {
                maker->place->list = "bodies";
                maker->place->index = b;
                status = fault_code_set(maker->fault, FAULT_INVALID, "state.pin_colliders",
                                        "element %u is %u, and there is no such collider; 0 follows none", p,
                                        pin->collider);
            } else if (shape && !maker->image->bodies[b].pin_places) {
                sim_pin_take(sim, shape, pin->to, pin);
            }
        }
    }
    if (status == FAULT_NONE) {
        sim_pins_settle(sim);
    }
    return status;
}

static enum fault_code make_all(struct maker *maker)
{
    const struct sim_image *image = maker->image;
    struct sim_image_place *place = maker->place;
    enum fault_code status = FAULT_NONE;
    place->list = "bodies";
    for (uint32_t b = 0; status == FAULT_NONE && b < image->body_count; b++) {
        place->index = b;
        status = make_body(maker, &image->bodies[b]);
    }
    place->list = status == FAULT_NONE ? "colliders" : place->list;
    for (uint32_t c = 0; status == FAULT_NONE && c < image->collider_count; c++) {
        place->index = c;
        status = make_collider(maker, &image->colliders[c]);
    }
    maker->sim->settings.extent = image->settings.extent;
    place->list = status == FAULT_NONE ? "constraints" : place->list;
    status = status != FAULT_NONE ? status : make_batches(maker, true, &place->index);
    status = status != FAULT_NONE ? status : order_ranges(maker);
    status = status != FAULT_NONE ? status : make_batches(maker, false, &place->index);
    place->list = status == FAULT_NONE ? "motions" : place->list;
    for (uint32_t m = 0; status == FAULT_NONE && m < image->motion_count; m++) {
        place->index = m;
        status = make_motion(maker, &image->motions[m]);
    }
    place->list = status == FAULT_NONE ? "grabs" : place->list;
    status = status != FAULT_NONE ? status : make_grabs(maker);
    for (uint32_t c = 0; status == FAULT_NONE && c < image->collider_count; c++) {
        if (!image->colliders[c].unturned) {
            sim_shape_unturn(&maker->sim->shapes[c]);
        }
    }
    status = status != FAULT_NONE || image->alone ? status : make_followers(maker);
    place->list = status == FAULT_NONE ? NULL : place->list;
    status = status != FAULT_NONE ? status : make_next_ids(maker);
    // As a whole: on the way there may be constraints that the document leaves out.
    maker->sim->limits.work = maker->limits->work;
    return status != FAULT_NONE ? status
                                : sim_work_check(maker->sim, "settings.substeps", &maker->sim->settings,
                                                 &(struct sim_more){0}, maker->fault);
}

struct sim *sim_image_make(const struct sim_image *image, const struct sim_limits *limits,
                           struct sim_image_place *place, struct fault *fault)
{
    *place = (struct sim_image_place){0};
    struct maker maker = {.sim = sim_create(&image->settings, limits),
                          .image = image,
                          .limits = limits,
                          .place = place,
                          .fault = fault};
    if (!maker.sim) {
        sim_fault_memory(fault);
        return NULL;
    }
    maker.sim->limits.work = 0;
    if (make_all(&maker) != FAULT_NONE) {
        sim_destroy(maker.sim);
        return NULL;
    }
    sim_plan_rebuild(maker.sim);
    if (!lay_to_sleep(&maker)) {
        sim_fault_memory(fault);
        sim_destroy(maker.sim);
        return NULL;
    }
    maker.sim->placed = true; // the lengths of constraints have to be looked at as a whole once
    return maker.sim;
}
