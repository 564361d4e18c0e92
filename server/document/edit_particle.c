// Particles: particle.set, particle.pin, particle.unpin.
#include "document/scope.h"

static const char *const per_axis = "x, y, z of each particle";

struct ready {
    uint32_t body, count;
    const uint32_t *particles;
    const double *positions;
    const float *velocities, *inverse_masses;
    struct sim_hold hold; // of pins
    const float *spins;   // of pieces, as rotations are
    bool clamps, clamp;   // whether pins clamp is said, and whether they do
    bool led, turn;       // whether it is said that clamps turn with the collider, and whether they do
    const double *rotations;
};

// The body and its particles, which all three have.
static struct ready *ready_of(const struct document *document, struct document_edit *edit,
                              struct protocol_ref *body, const struct protocol_array *particles)
{
    const struct document_reader reader = document_edit_reader(edit);
    struct ready *ready = edit->ready = document_edit_alloc(edit, 1, sizeof *ready);
    if (!ready || !document_find_body(document, edit, body, &ready->body) ||
        !document_reader_u32s(&reader, "particles", particles, &ready->particles)) {
        return NULL;
    }
    ready->count = particles->count;
    return ready;
}

bool document_check_particle_set(const struct document *document, struct document_edit *edit)
{
    struct protocol_particle_set_params *params = edit->resolved;
    const struct document_reader reader = document_edit_reader(edit);
    struct ready *ready = ready_of(document, edit, &params->body, &params->particles);
    if (!ready) {
        return false;
    }
    const uint32_t count = ready->count;
    return (!(params->has & PROTOCOL_HAS_PARTICLE_SET_PARAMS_ROTATIONS) ||
            document_reader_f64s(&reader, "rotations", &params->rotations, 4 * count,
                                 "x, y, z, w of each piece", &ready->rotations)) &&
           (!(params->has & PROTOCOL_HAS_PARTICLE_SET_PARAMS_ANGULAR_VELOCITIES) ||
            document_reader_f32s(&reader, "angular_velocities", &params->angular_velocities, 3 * count,
                                 "x, y, z of each piece", &ready->spins)) &&
           (!(params->has & PROTOCOL_HAS_PARTICLE_SET_PARAMS_POSITIONS) ||
            document_reader_f64s(&reader, "positions", &params->positions, 3 * count, per_axis,
                                 &ready->positions)) &&
           (!(params->has & PROTOCOL_HAS_PARTICLE_SET_PARAMS_VELOCITIES) ||
            (document_velocities_fit(document, edit, &params->velocities) &&
             document_reader_f32s(&reader, "velocities", &params->velocities, 3 * count, per_axis,
                                  &ready->velocities))) &&
           (!(params->has & PROTOCOL_HAS_PARTICLE_SET_PARAMS_INVERSE_MASSES) ||
            document_reader_f32s(&reader, "inverse_masses", &params->inverse_masses, count, "one a particle",
                                 &ready->inverse_masses));
}

void document_scope_particle_set(const struct document *document, const struct document_edit *edit,
                                 struct document_scope *scope)
{
    (void)document;
    const struct ready *ready = edit->ready;
    document_scope_of_particles(scope, ready->body, ready->particles, ready->count,
                                (ready->positions ? SIM_RESTORE_POSITIONS : 0) |
                                    (ready->velocities ? SIM_RESTORE_VELOCITIES : 0) |
                                    (ready->inverse_masses ? SIM_RESTORE_INVERSE_MASSES : 0) |
                                    (ready->rotations || ready->spins ? SIM_RESTORE_TURNS : 0));
}

bool document_change_particle_set(struct document *document, struct document_edit *edit)
{
    const struct ready *ready = edit->ready;
    struct protocol_particle_set_result *result = edit->result;
    struct fault fault;
    const bool turns = ready->rotations || ready->spins;
    if ((turns && sim_particles_turn_check(document->sim, ready->body, ready->particles, ready->count,
                                           ready->rotations, ready->spins, &fault) != FAULT_NONE) ||
        sim_particles_set(document->sim, ready->body, ready->particles, ready->count, ready->positions,
                          ready->velocities, ready->inverse_masses, &fault) != FAULT_NONE ||
        (turns && sim_particles_turn(document->sim, ready->body, ready->particles, ready->count,
                                     ready->rotations, ready->spins, &fault) != FAULT_NONE)) {
        return document_refuse_fault(edit, &fault);
    }
    *result = (struct protocol_particle_set_result){
        .has = PROTOCOL_HAS_ALL, .revision = document_commit(document), .tick = document->tick};
    document_touch(document, edit, &document->bodies, ready->body);
    return true;
}

// Finds how many ticks targets take to get where they go.
static bool ticks_of(const struct document *document, struct document_edit *edit, uint32_t *ticks)
{
    const struct protocol_particle_pin_params *params = edit->resolved;
    const bool timed = params->has & PROTOCOL_HAS_PARTICLE_PIN_PARAMS_SECONDS;
    const bool dated = params->has & PROTOCOL_HAS_PARTICLE_PIN_PARAMS_AT_TICK;
    const char *field = timed ? "seconds" : "at_tick";
    *ticks = 1;
    if (timed && dated) {
        return document_refuse(
            edit, PROTOCOL_CODE_INVALID, "at_tick",
            "at_tick is given together with seconds; one of them says when targets are there");
    }
    if ((timed || dated) && !(params->has & PROTOCOL_HAS_PARTICLE_PIN_PARAMS_POSITIONS)) {
        return document_refuse(edit, PROTOCOL_CODE_INVALID, field,
                               "%s is given without positions, which say where targets go", field);
    }
    if (timed) {
        const uint32_t tick_rate = sim_settings_of(document->sim)->tick_rate;
        *ticks = (uint32_t)(params->seconds * tick_rate + 0.5);
    } else if (dated && params->at_tick > document->tick) {
        const uint64_t left = params->at_tick - document->tick;
        if (left > SIM_PIN_TICKS_MAX) {
            return document_refuse(
                edit, PROTOCOL_CODE_INVALID, field,
                "at_tick is %llu, which is %llu ticks after the present one, %llu; at most %d",
                (unsigned long long)params->at_tick, (unsigned long long)left,
                (unsigned long long)document->tick, SIM_PIN_TICKS_MAX);
        }
        *ticks = (uint32_t)left;
    }
    *ticks = *ticks > 0 ? *ticks : 1;
    return true;
}

bool document_check_particle_pin(const struct document *document, struct document_edit *edit)
{
    struct protocol_particle_pin_params *params = edit->resolved;
    const struct document_reader reader = document_edit_reader(edit);
    struct ready *ready = ready_of(document, edit, &params->body, &params->particles);
    const bool placed = params->has & PROTOCOL_HAS_PARTICLE_PIN_PARAMS_POSITIONS;
    const bool follows = params->has & PROTOCOL_HAS_PARTICLE_PIN_PARAMS_COLLIDER;
    if (!ready) {
        return false;
    }
    if (placed && follows) {
        return document_refuse(edit, PROTOCOL_CODE_INVALID, "positions",
                               "given together with collider; particle.set places what is to follow it");
    }
    struct sim_hold *hold = &ready->hold;
    const bool turns = params->has & PROTOCOL_HAS_PARTICLE_PIN_PARAMS_ROTATIONS;
    ready->clamps = (params->has & PROTOCOL_HAS_PARTICLE_PIN_PARAMS_CLAMP) != 0;
    ready->clamp = params->clamp;
    if (turns && !(ready->clamps && ready->clamp)) {
        return document_refuse(edit, PROTOCOL_CODE_INVALID, "rotations",
                               "rotations: must be absent without clamp true, which they turn");
    }
    if (turns && !document_reader_f64s(&reader, "rotations", &params->rotations, 4 * ready->count,
                                       "four a particle", &ready->rotations)) {
        return false;
    }
    ready->led = (params->has & PROTOCOL_HAS_PARTICLE_PIN_PARAMS_CLAMP_TURNS) != 0;
    ready->turn = params->clamp_turns;
    if (ready->led && ready->turn && (turns || !follows || (ready->clamps && !ready->clamp))) {
        return document_refuse(edit, PROTOCOL_CODE_INVALID, "clamp_turns",
                               turns ? "clamp_turns: must be absent or false with rotations; turn the clamp "
                                       "before it is to turn with a collider"
                               : !follows ? "clamp_turns: must be absent or false without collider, which "
                                            "clamps turn with"
                                          : "clamp_turns: must be absent or false with clamp false");
    }
    struct fault fault;
    if (ready->led && ready->turn && !ready->clamps &&
        sim_clamp_turns_check(document->sim, ready->body, ready->particles, ready->count, &fault) !=
            FAULT_NONE) {
        return document_refuse_fault(edit, &fault);
    }
    if (ready->clamps && ready->clamp &&
        sim_clamps_check(document->sim, ready->body, ready->particles, ready->count, ready->rotations,
                         &fault) != FAULT_NONE) {
        return document_refuse_fault(edit, &fault);
    }
    return ticks_of(document, edit, &hold->ticks) &&
           (!placed || document_reader_f64s(&reader, "positions", &params->positions, 3 * ready->count,
                                            per_axis, &hold->positions)) &&
           (!follows || document_find_collider(document, edit, &params->collider, &hold->collider)) &&
           (!(params->has & PROTOCOL_HAS_PARTICLE_PIN_PARAMS_COMPLIANCE) ||
            document_reader_f64s(&reader, "compliance", &params->compliance, ready->count, "one a particle",
                                 &hold->compliance)) &&
           (!(params->has & PROTOCOL_HAS_PARTICLE_PIN_PARAMS_DISTANCE) ||
            document_reader_f64s(&reader, "distance", &params->distance, ready->count, "one a particle",
                                 &hold->distance));
}

void document_scope_particle_pin(const struct document *document, const struct document_edit *edit,
                                 struct document_scope *scope)
{
    (void)document;
    const struct ready *ready = edit->ready;
    document_scope_of_particles(scope, ready->body, ready->particles, ready->count, SIM_RESTORE_PINS);
}

bool document_change_particle_pin(struct document *document, struct document_edit *edit)
{
    const struct ready *ready = edit->ready;
    struct protocol_particle_pin_result *result = edit->result;
    struct fault fault;
    if (sim_particles_hold(document->sim, ready->body, ready->particles, ready->count, &ready->hold,
                           &fault) != FAULT_NONE ||
        (ready->clamps && sim_particles_clamp(document->sim, ready->body, ready->particles, ready->count,
                                              ready->clamp, ready->rotations, &fault) != FAULT_NONE) ||
        (ready->led && sim_particles_clamp_turns(document->sim, ready->body, ready->particles, ready->count,
                                                 ready->turn, &fault) != FAULT_NONE)) {
        return document_refuse_fault(edit, &fault);
    }
    *result = (struct protocol_particle_pin_result){
        .has = PROTOCOL_HAS_ALL, .revision = document_commit(document), .tick = document->tick};
    document_touch(document, edit, &document->bodies, ready->body);
    return true;
}

bool document_check_particle_unpin(const struct document *document, struct document_edit *edit)
{
    struct protocol_particle_unpin_params *params = edit->resolved;
    return ready_of(document, edit, &params->body, &params->particles) != NULL;
}

void document_scope_particle_unpin(const struct document *document, const struct document_edit *edit,
                                   struct document_scope *scope)
{
    (void)document;
    const struct ready *ready = edit->ready;
    document_scope_of_particles(scope, ready->body, ready->particles, ready->count, SIM_RESTORE_PINS);
}

bool document_change_particle_unpin(struct document *document, struct document_edit *edit)
{
    const struct ready *ready = edit->ready;
    struct protocol_particle_unpin_result *result = edit->result;
    struct fault fault;
    if (sim_particles_unpin(document->sim, ready->body, ready->particles, ready->count, &fault) !=
        FAULT_NONE) {
        return document_refuse_fault(edit, &fault);
    }
    *result = (struct protocol_particle_unpin_result){
        .has = PROTOCOL_HAS_ALL, .revision = document_commit(document), .tick = document->tick};
    document_touch(document, edit, &document->bodies, ready->body);
    return true;
}
