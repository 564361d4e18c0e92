// Particles pinned and let go.
//
// A particle with a hard pin has inverse mass 0 in its row, and its own inverse mass waits in the pin. A
// particle with a soft pin has its own in the row, and the pin has a copy. Pins of a body are sorted by
// index.

#include "base/array.h"
#include "sim/edit/edit.h"
#include "sim/ground/ground.h"
#include "sim/motion/motion.h"

#include <stdlib.h>

enum fault_code sim_pins_insert(struct sim *sim, struct sim_body *body, const uint32_t *particles,
                                uint32_t count, struct fault *fault)
{
    uint32_t fresh = 0, old = body->pin_count;
    uint64_t *keys = malloc(((size_t)count + 1) * sizeof *keys);
    uint32_t *order = malloc(((size_t)count + 1) * sizeof *order);
    enum fault_code status = FAULT_NONE;
    for (uint32_t i = 0; keys && order && i < count; i++) {
        if (!sim_pin_find(body, particles[i])) {
            order[fresh] = fresh;
            keys[fresh++] = particles[i];
        }
    }
    if (!keys || !order || !sim_sort(keys, order, fresh) ||
        !array_reserve(&body->pins, &body->pin_capacity, (uint64_t)old + fresh)) {
        status = sim_fault_memory(fault);
        goto cleanup;
    }
    body->pin_count += fresh;
    for (uint32_t place = body->pin_count; fresh > 0; place--) {
        if (old > 0 && body->pins[old - 1].index > keys[fresh - 1]) {
            body->pins[place - 1] = body->pins[--old];
            continue;
        }
        uint32_t index = (uint32_t)keys[--fresh];
        const float mass = sim->rows[body->first_row + body->row_of[index]].w;
        body->pins[place - 1] = (struct sim_pin){.index = index, .inverse_mass = mass};
        sim->masses_known = false;
    }
cleanup:
    free(keys);
    free(order);
    return status;
}

void sim_row_weigh(struct sim *sim, struct sim_body *body, uint32_t row, float inverse_mass)
{
    if (sim->rows[row].w != inverse_mass) {
        sim->rows[row].w = inverse_mass;
        sim->masses_known = false;
        sim_bend_edited(sim, body, 1);
    }
}

void sim_pin_soften(struct sim *sim, struct sim_body *body, struct sim_pin *pin, float compliance,
                    float distance)
{
    const bool hard = compliance == 0 || distance == 0;
    pin->compliance = hard ? 0 : compliance;
    pin->distance = hard ? 0 : distance;
    sim_row_weigh(sim, body, body->first_row + body->row_of[pin->index], hard ? 0 : pin->inverse_mass);
    memset(pin->multiplier, 0, sizeof pin->multiplier);
}

// ------------------------------------------------------------------------------------------------------ checking

static enum fault_code check_compliance(double compliance, uint32_t particle, struct fault *fault)
{
    return compliance >= 0 && compliance <= SIM_COMPLIANCE_MAX
               ? FAULT_NONE
               : fault_code_set(fault, FAULT_INVALID, "compliance",
                                "%g m/N for particle %u; must be in [0, %g]", compliance, particle,
                                SIM_COMPLIANCE_MAX);
}

static enum fault_code check_distance(const struct sim *sim, double distance, uint32_t particle,
                                      struct fault *fault)
{
    const double most = SIM_REST_MAX * sim->q;
    return distance >= 0 && distance <= most
               ? FAULT_NONE
               : fault_code_set(
                     fault, FAULT_INVALID, "distance",
                     "%g m for particle %u; must be in [0, %g], or absent for no limit; " SIM_COARSER,
                     distance, particle, most);
}

enum fault_code sim_pin_check(const struct sim *sim, double compliance, double distance, uint32_t left,
                              uint32_t particle, struct fault *fault)
{
    const bool draws = compliance != SIM_PIN_NONE, keeps = distance != SIM_PIN_NONE;
    enum fault_code status = draws ? check_compliance(compliance, particle, fault) : FAULT_NONE;
    if (status == FAULT_NONE && keeps) {
        status = check_distance(sim, distance, particle, fault);
    }
    if (status == FAULT_NONE && !draws && !keeps) {
        status =
            fault_code_set(fault, FAULT_INVALID, "compliance",
                           "neither it nor a distance for particle %u; a soft pin has one of them", particle);
    }
    if (status == FAULT_NONE && left >= SIM_PIN_TICKS_MAX) {
        status = fault_code_set(fault, FAULT_INVALID, "ticks", "%u for particle %u; must be below %d", left,
                                particle, SIM_PIN_TICKS_MAX);
    }
    return status;
}

// Finds how soft the pin of particle i is going to be.
static void softness_of(const struct sim_hold *hold, uint32_t i, const struct sim_pin *pin, float *compliance,
                        float *distance)
{
    if (!hold->compliance && !hold->distance) {
        *compliance = pin ? pin->compliance : 0;
        *distance = pin ? pin->distance : 0;
        return;
    }
    *compliance = hold->compliance ? (float)hold->compliance[i] : (float)SIM_PIN_NONE;
    *distance = hold->distance ? (float)hold->distance[i] : (float)SIM_PIN_NONE;
    if (*distance == 0) {
        *compliance = 0;
    }
}

// Whether the pin of particle i stays soft, so that it has a target beside its particle.
static bool stays_soft(const struct sim_hold *hold, uint32_t i, const struct sim_pin *pin)
{
    float compliance, distance;
    softness_of(hold, i, pin, &compliance, &distance);
    return pin && sim_pin_is_soft(pin) && compliance != 0;
}

static enum fault_code check_softness(const struct sim *sim, const struct sim_body *body,
                                      const uint32_t *particles, uint32_t count, const struct sim_hold *hold,
                                      struct fault *fault)
{
    enum fault_code status = FAULT_NONE;
    uint32_t more = 0;
    for (uint32_t i = 0; status == FAULT_NONE && i < count; i++) {
        const struct sim_pin *pin = sim_pin_find(body, particles[i]);
        float compliance, distance;
        status = hold->compliance ? check_compliance(hold->compliance[i], particles[i], fault) : FAULT_NONE;
        if (status == FAULT_NONE && hold->distance) {
            status = check_distance(sim, hold->distance[i], particles[i], fault);
        }
        if (status == FAULT_NONE) {
            softness_of(hold, i, pin, &compliance, &distance);
            more += compliance != 0 && !(pin && sim_pin_is_soft(pin));
        }
    }
    return status != FAULT_NONE || more == 0
               ? status
               : sim_work_check(sim, NULL, &sim->settings, &(struct sim_more){.grabs = more}, fault);
}

static const int64_t *start_of(const struct sim *sim, const struct sim_body *body, uint32_t particle,
                               const struct sim_hold *hold, uint32_t i)
{
    const struct sim_pin *pin = sim_pin_find(body, particle);
    return stays_soft(hold, i, pin) ? pin->from : sim->positions[body->first_row + body->row_of[particle]];
}

static enum fault_code check_ways(const struct sim *sim, const struct sim_body *body,
                                  const uint32_t *particles, uint32_t count, const struct sim_hold *hold,
                                  struct fault *fault)
{
    const uint32_t ticks = hold->ticks > 0 ? hold->ticks : 1;
    if (ticks > SIM_PIN_TICKS_MAX) {
        return fault_code_set(fault, FAULT_INVALID, "seconds", "%u ticks; at most %d", ticks,
                              SIM_PIN_TICKS_MAX);
    }
    const int64_t most = (int64_t)SIM_MOVE_MAX * ticks;
    for (size_t i = 0; hold->positions && i < (size_t)count * 3; i++) {
        const int64_t *start = start_of(sim, body, particles[i / 3], hold, (uint32_t)(i / 3));
        const int64_t way = sim_quantize(hold->positions[i], sim->inv_q) - start[i % 3];
        if (way > most || way < -most) {
            return fault_code_set(
                fault, FAULT_INVALID, "positions",
                "%g m is %g m from where particle %u is; at most %g m in a tick; " SIM_COARSER,
                hold->positions[i], (double)way * sim->q, particles[i / 3], SIM_MOVE_MAX * sim->q);
        }
    }
    return FAULT_NONE;
}

static enum fault_code check_collider(const struct sim *sim, uint32_t collider, struct fault *fault)
{
    const struct sim_shape *shape = sim_shape_find(sim, collider);
    if (!shape) {
        return fault_code_set(fault, FAULT_NOT_FOUND, "collider", "collider %u does not exist", collider);
    }
    for (int axis = 0; axis < 3; axis++) {
        const double at = (double)shape->to.position[axis] * sim->q;
        if (!(at >= -SIM_EXTENT_MAX && at <= SIM_EXTENT_MAX)) {
            return fault_code_set(fault, FAULT_INVALID, "collider",
                                  "collider %u is at %g m; to be followed it may be at most at %g m",
                                  collider, at, SIM_EXTENT_MAX);
        }
    }
    return FAULT_NONE;
}

// ------------------------------------------------------------------------------------------------------- pinning

// Sends a pin on its way to `end`, where it arrives after this many ticks.
static void set_out(struct sim_pin *pin, const int64_t end[3], uint32_t ticks)
{
    memcpy(pin->end, end, sizeof pin->end);
    pin->left = ticks;
    memcpy(pin->to, pin->from, sizeof pin->to);
    sim_pin_go_on(pin);
}

static void hold_one(struct sim *sim, struct sim_body *body, uint32_t particle, const struct sim_hold *hold,
                     uint32_t i)
{
    struct sim_pin *pin = sim_pin_find(body, particle);
    const bool soft = stays_soft(hold, i, pin);
    float compliance, distance;
    int64_t end[3];
    memmove(pin->from, start_of(sim, body, particle, hold, i), sizeof pin->from);
    for (int axis = 0; axis < 3; axis++) {
        end[axis] = !hold->positions ? pin->from[axis]
                                     : sim_quantize(hold->positions[3 * (size_t)i + axis], sim->inv_q);
    }
    if (hold->positions || hold->collider != 0 || !soft) { // else a soft pin goes on its way
        set_out(pin, end, hold->positions && hold->ticks > 0 ? hold->ticks : 1);
    }
    softness_of(hold, i, pin, &compliance, &distance);
    sim_pin_soften(sim, body, pin, compliance, distance);
    if (hold->collider == 0) {
        sim_pin_leave(pin);
        return;
    }
    sim_pin_take(sim, sim_shape_find(sim, hold->collider), pin->to, pin);
    if (sim_pin_turns(pin)) {
        sim_clamp_take(sim, pin);
    }
}

enum fault_code sim_particles_hold(struct sim *sim, uint32_t id, const uint32_t *particles, uint32_t count,
                                   const struct sim_hold *hold, struct fault *fault)
{
    struct sim_body *body;
    enum fault_code status = hold->collider != 0 ? check_collider(sim, hold->collider, fault) : FAULT_NONE;
    status = status != FAULT_NONE ? status : sim_particles_check(sim, id, particles, count, &body, fault);
    status =
        status != FAULT_NONE ? status : sim_positions_check(sim, hold->positions, particles, count, fault);
    status = status != FAULT_NONE ? status : check_softness(sim, body, particles, count, hold, fault);
    status = status != FAULT_NONE ? status : check_ways(sim, body, particles, count, hold, fault);
    status = status != FAULT_NONE ? status : sim_pins_insert(sim, body, particles, count, fault);
    for (uint32_t i = 0; status == FAULT_NONE && i < count; i++) {
        hold_one(sim, body, particles[i], hold, i);
    }
    if (status == FAULT_NONE) {
        sim_edited(body);
    }
    return status;
}

enum fault_code sim_particles_pin(struct sim *sim, uint32_t id, const uint32_t *particles, uint32_t count,
                                  const double *positions, struct fault *fault)
{
    const struct sim_hold hold = {.positions = positions};
    return sim_particles_hold(sim, id, particles, count, &hold, fault);
}

enum fault_code sim_particles_pin_to(struct sim *sim, uint32_t id, const uint32_t *particles, uint32_t count,
                                     uint32_t collider, struct fault *fault)
{
    const struct sim_hold hold = {.collider = collider};
    return collider != 0 ? sim_particles_hold(sim, id, particles, count, &hold, fault)
                         : fault_code_set(fault, FAULT_NOT_FOUND, "collider", "collider 0 does not exist");
}

void sim_pins_remove(struct sim *sim, struct sim_body *body, const uint32_t *particles, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct sim_pin *pin = sim_pin_find(body, particles[i]);
        if (pin) {
            sim_row_weigh(sim, body, body->first_row + body->row_of[particles[i]], pin->inverse_mass);
            pin->going = true;
            sim->masses_known = false;
        }
    }
    uint32_t kept = 0;
    for (uint32_t p = 0; p < body->pin_count; p++) {
        if (!body->pins[p].going) {
            body->pins[kept++] = body->pins[p];
        }
    }
    body->pin_count = kept;
}

enum fault_code sim_particles_unpin(struct sim *sim, uint32_t id, const uint32_t *particles, uint32_t count,
                                    struct fault *fault)
{
    struct sim_body *body;
    enum fault_code status = sim_particles_check(sim, id, particles, count, &body, fault);
    if (status == FAULT_NONE) {
        sim_pins_remove(sim, body, particles, count);
        sim_edited(body);
    }
    return status;
}
