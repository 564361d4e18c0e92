// Forces on bodies and their particles, their own gravity and how they feel the air: body.force, and how the wire tells of these.
#include "document/scope.h"

#include <string.h>

bool document_gravity_take(const struct document_reader *reader, const struct protocol_array *given,
                           struct sim_own_gravity *gravity)
{
    if (given->count != 0 && given->count != 3) {
        return document_reader_refuse(reader, PROTOCOL_CODE_INVALID, "gravity",
                                      "%u numbers; must be x, y, z, or none for the gravity of the world",
                                      given->count);
    }
    *gravity = (struct sim_own_gravity){.own = given->count == 3};
    for (uint32_t axis = 0; axis < given->count; axis++) {
        gravity->value[axis] = protocol_array_f64_at(given, axis);
    }
    return true;
}

struct sim_own_wind document_own_wind(const struct protocol_own_wind *given)
{
    const bool drag = given->has & PROTOCOL_HAS_OWN_WIND_DRAG, lift = given->has & PROTOCOL_HAS_OWN_WIND_LIFT;
    return (struct sim_own_wind){
        .drag_own = drag, .lift_own = lift, .drag = drag ? given->drag : 0, .lift = lift ? given->lift : 0};
}

bool document_own_wind_fill(const struct sim_own_wind *wind, struct protocol_own_wind *out)
{
    *out = (struct protocol_own_wind){.has = (wind->drag_own ? PROTOCOL_HAS_OWN_WIND_DRAG : 0) |
                                             (wind->lift_own ? PROTOCOL_HAS_OWN_WIND_LIFT : 0),
                                      .drag = wind->drag,
                                      .lift = wind->lift};
    return out->has != 0;
}

unsigned document_pull_fill(const struct sim_own_gravity *gravity, const struct sim_body_force *force,
                            double out_gravity[3], double out_force[3], uint32_t *out_ticks)
{
    memcpy(out_gravity, gravity->value, 3 * sizeof *out_gravity);
    memcpy(out_force, force->value, 3 * sizeof *out_force);
    *out_ticks = force->ticks;
    const bool acts = force->value[0] != 0 || force->value[1] != 0 || force->value[2] != 0;
    return (gravity->own ? 1u : 0u) | (acts ? 2u : 0u) | (force->ticks > 0 ? 4u : 0u);
}

uint64_t document_pull_has(unsigned filled, uint64_t gravity, uint64_t force, uint64_t ticks)
{
    return (filled & 1 ? gravity : 0) | (filled & 2 ? force : 0) | (filled & 4 ? ticks : 0);
}

bool document_forces_read(const struct document_reader *place, const struct protocol_document_state *given,
                          const uint32_t *particles, struct document_forces *forces)
{
    const bool timed = given->has & PROTOCOL_HAS_DOCUMENT_STATE_FORCES_TICKS;
    const bool named = given->has & PROTOCOL_HAS_DOCUMENT_STATE_FORCED;
    if (!(given->has & PROTOCOL_HAS_DOCUMENT_STATE_FORCES)) {
        forces->count = 0;
        return (!timed && !named) ||
               document_reader_refuse(place, PROTOCOL_CODE_INVALID, "state.forces",
                                      "missing; forced and forces_ticks tell of forces");
    }
    if (!particles) {
        forces->count = given->forced.count;
        if (!document_reader_u32s(place, "state.forced", &given->forced, &forces->forced)) {
            return false;
        }
    } else if (named) {
        return document_reader_refuse(place, PROTOCOL_CODE_INVALID, "state.forced",
                                      "must be absent; all particles of the entry have forces");
    }
    const uint32_t count = forces->count;
    return document_reader_count(place, "state.forces", given->forces.count, 3 * count, "three a particle") &&
           document_reader_f64s(place, "state.forces", &given->forces, 3 * count, NULL, &forces->values) &&
           (!timed ||
            (document_reader_count(place, "state.forces_ticks", given->forces_ticks.count, count,
                                   "one a particle") &&
             document_reader_u32s(place, "state.forces_ticks", &given->forces_ticks, &forces->ticks)));
}

// ---------------------------------------------------------------------------------------------------------
// body.force

struct ready {
    uint32_t body, count, ticks;
    const uint32_t *particles; // NULL: the body as a whole
    const double *forces;
};

// Finds in how many ticks the force acts; 0: until it is changed.
static bool ticks_of(const struct document *document, struct document_edit *edit, uint32_t *ticks)
{
    const struct protocol_body_force_params *params = edit->resolved;
    const bool timed = params->has & PROTOCOL_HAS_BODY_FORCE_PARAMS_SECONDS;
    const bool dated = params->has & PROTOCOL_HAS_BODY_FORCE_PARAMS_AT_TICK;
    *ticks = 0;
    if (timed && dated) {
        return document_refuse(
            edit, PROTOCOL_CODE_INVALID, "at_tick",
            "at_tick is given together with seconds; one of them says when the force ends");
    }
    uint64_t left = timed ? (uint64_t)(params->seconds * sim_settings_of(document->sim)->tick_rate + 0.5)
                    : dated && params->at_tick > document->tick ? params->at_tick - document->tick
                                                                : 0;
    if (left > SIM_FORCE_TICKS_MAX) { // not by seconds: their range ends there
        return document_refuse(edit, PROTOCOL_CODE_INVALID, "at_tick",
                               "at_tick is %llu, which is %llu ticks after the present one, %llu; at most %d",
                               (unsigned long long)params->at_tick, (unsigned long long)left,
                               (unsigned long long)document->tick, SIM_FORCE_TICKS_MAX);
    }
    left = left > 0 ? left : 1;
    *ticks = timed || dated ? (uint32_t)left : 0;
    return true;
}

static bool same_for_all(struct document_edit *edit, const double force[3], struct ready *ready)
{
    double *forces = document_edit_alloc(edit, ready->count, 3 * sizeof *forces);
    for (uint32_t i = 0; forces && i < ready->count; i++) {
        memcpy(forces + 3 * (size_t)i, force, 3 * sizeof *forces);
    }
    ready->forces = forces;
    return forces != NULL;
}

bool document_check_body_force(const struct document *document, struct document_edit *edit)
{
    struct protocol_body_force_params *params = edit->resolved;
    const struct document_reader reader = document_edit_reader(edit);
    struct ready *ready = edit->ready = document_edit_alloc(edit, 1, sizeof *ready);
    const bool some = params->has & PROTOCOL_HAS_BODY_FORCE_PARAMS_PARTICLES;
    const bool one = params->has & PROTOCOL_HAS_BODY_FORCE_PARAMS_FORCE;
    const bool each = params->has & PROTOCOL_HAS_BODY_FORCE_PARAMS_FORCES;
    if (!ready || !document_find_body(document, edit, &params->body, &ready->body) ||
        !ticks_of(document, edit, &ready->ticks)) {
        return false;
    }
    if (one == each) {
        return document_refuse(edit, PROTOCOL_CODE_INVALID, "force",
                               each ? "force is given together with forces; give one of them"
                                    : "force is missing; x, y, z in N, where 0 ends it");
    }
    if (each && !some) {
        return document_refuse(edit, PROTOCOL_CODE_INVALID, "forces",
                               "forces is given without particles; force acts on the body as a whole");
    }
    ready->count = some ? params->particles.count : 1;
    return (!some || document_reader_u32s(&reader, "particles", &params->particles, &ready->particles)) &&
           (one ? same_for_all(edit, params->force, ready)
                : document_reader_f64s(&reader, "forces", &params->forces, 3 * ready->count,
                                       "x, y, z of each particle", &ready->forces));
}

void document_scope_body_force(const struct document *document, const struct document_edit *edit,
                               struct document_scope *scope)
{
    (void)document;
    const struct ready *ready = edit->ready;
    if (ready->particles) {
        document_scope_of_particles(scope, ready->body, ready->particles, ready->count, SIM_RESTORE_FORCES);
    } else {
        document_scope_body_part(scope, ready->body, PROTOCOL_HAS_RESTORE_BODY_FORCE);
    }
}

bool document_change_body_force(struct document *document, struct document_edit *edit)
{
    const struct ready *ready = edit->ready;
    struct protocol_body_force_result *result = edit->result;
    struct fault fault;
    struct sim_body_force whole = {.ticks = ready->ticks};
    memcpy(whole.value, ready->forces, sizeof whole.value * (ready->count > 0));
    const enum fault_code status =
        ready->particles
            ? sim_particles_force(document->sim, ready->body, ready->particles, ready->count, ready->forces,
                                  ready->ticks, &fault)
            : sim_body_set(document->sim, ready->body, &(struct sim_body_change){.force = &whole}, &fault);
    if (status != FAULT_NONE) {
        return document_refuse_fault(edit, &fault);
    }
    *result = (struct protocol_body_force_result){
        .has = PROTOCOL_HAS_ALL, .revision = document_commit(document), .tick = document->tick};
    document_touch(document, edit, &document->bodies, ready->body);
    return true;
}
