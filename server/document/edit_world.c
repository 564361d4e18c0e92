// The world itself: world.set, world.reset.
#include "document/scope.h"

#include <string.h>

bool document_check_world_set(const struct document *document, struct document_edit *edit)
{
    struct protocol_world_set_params *params = edit->resolved;
    struct sim_settings *settings = edit->ready = document_edit_alloc(edit, 1, sizeof *settings);
    if (!settings) {
        return false;
    }
    *settings = *sim_settings_of(document->sim);
    if ((params->has & PROTOCOL_HAS_WORLD_SET_PARAMS_NAME) && params->name.size == 0) {
        return document_refuse(edit, PROTOCOL_CODE_INVALID, "name", "name: empty; a world needs one");
    }
    if (params->has & PROTOCOL_HAS_WORLD_SET_PARAMS_GRAVITY) {
        memcpy(settings->gravity, params->gravity, sizeof settings->gravity);
    }
    if (params->has & PROTOCOL_HAS_WORLD_SET_PARAMS_SUBSTEPS) {
        settings->substeps = params->substeps;
    }
    if (params->has & PROTOCOL_HAS_WORLD_SET_PARAMS_ITERATIONS) {
        settings->iterations = params->iterations;
    }
    if (params->has & PROTOCOL_HAS_WORLD_SET_PARAMS_DAMPING) {
        settings->damping = params->damping;
    }
    if (params->has & PROTOCOL_HAS_WORLD_SET_PARAMS_WIND) {
        if (settings->wind.density == 0 && !(params->wind.has & PROTOCOL_HAS_WIND_DENSITY)) {
            params->wind.has |= PROTOCOL_HAS_WIND_DENSITY; // it turns the wind on, and the record says so
            params->wind.density = document_wind_density();
        }
        document_wind_merge(&params->wind, &settings->wind);
    }
    if (params->has & PROTOCOL_HAS_WORLD_SET_PARAMS_EXTENT) {
        settings->extent = params->extent;
    }
    if (params->has & PROTOCOL_HAS_WORLD_SET_PARAMS_CONTACT_QUALITY) {
        settings->contact_quality = (enum sim_contact_quality)params->contact_quality;
    }
    if (params->has & PROTOCOL_HAS_WORLD_SET_PARAMS_UNTANGLE) {
        settings->untangle = params->untangle;
    }
    if (params->has & PROTOCOL_HAS_WORLD_SET_PARAMS_LONG_EDGES) {
        settings->long_edges = params->long_edges;
    }
    if (params->has & PROTOCOL_HAS_WORLD_SET_PARAMS_BENDING) {
        settings->bending_solved = params->bending == PROTOCOL_WORLD_SET_PARAMS_BENDING_SOLVED;
    }
    if (params->has & PROTOCOL_HAS_WORLD_SET_PARAMS_LOADS) {
        settings->loads_solved = params->loads == PROTOCOL_WORLD_SET_PARAMS_LOADS_SOLVED;
    }
    if (params->has & PROTOCOL_HAS_WORLD_SET_PARAMS_SLEEP) {
        settings->sleep = params->sleep;
    }
    if (params->has & PROTOCOL_HAS_WORLD_SET_PARAMS_CALM) {
        settings->calm = params->calm;
    }
    if (params->has & PROTOCOL_HAS_WORLD_SET_PARAMS_SURFACES) {
        document_surfaces_take(&params->surfaces, &settings->surfaces);
    }
    return true;
}

void document_scope_world_set(const struct document *document, const struct document_edit *edit,
                              struct document_scope *scope)
{
    const struct protocol_world_set_params *params = edit->resolved;
    const struct protocol_struct *type = &protocol_restore_settings_type;
    struct protocol_restore_settings before = {0}, after = {0};
    document_wind_fill(sim_settings_of(document->sim), &before.wind);
    document_wind_fill(edit->ready, &after.wind);
    document_fields_given(&protocol_world_set_params_type, params, type, &scope->settings);
    document_fields_changed(type, PROTOCOL_HAS_RESTORE_SETTINGS_WIND, &before, &after, &scope->settings);
    scope->name = params->has & PROTOCOL_HAS_WORLD_SET_PARAMS_NAME;
}

bool document_change_world_set(struct document *document, struct document_edit *edit)
{
    const struct protocol_world_set_params *params = edit->resolved;
    const struct sim_settings *settings = edit->ready;
    struct protocol_world_set_result *result = edit->result;
    struct fault fault;
    if (sim_settings_set(document->sim, settings, &fault) != FAULT_NONE) {
        return document_refuse_fault(edit, &fault);
    }
    if (params->has & PROTOCOL_HAS_WORLD_SET_PARAMS_NAME) {
        // That no other world has the name is its host's to know.
        memset(document->name, 0, sizeof document->name);
        memcpy(document->name, params->name.data, params->name.size);
    }
    *result = (struct protocol_world_set_result){
        .has = PROTOCOL_HAS_ALL, .revision = document_commit(document), .tick = document->tick};
    document_touch_set(document, edit, &document->settings_touched);
    return true;
}

bool document_check_world_reset(const struct document *document, struct document_edit *edit)
{
    (void)document;
    (void)edit;
    return true;
}

// Soft pins of a body: a reset moves their targets, which are not where their particles are.
static void scope_soft_pins(const struct document *document, uint32_t body, struct document_scope *scope)
{
    struct sim_body_info info;
    if (!sim_body_pins_softly(document->sim, body) || !sim_body_info(document->sim, body, &info)) {
        return;
    }
    const size_t count = info.pin_count;
    uint32_t *pins = msgpack_zone_malloc(scope->zone, count * sizeof *pins), soft = 0;
    const struct sim_pins_told told = {
        .compliances = msgpack_zone_malloc(scope->zone, count * sizeof *told.compliances),
        .distances = msgpack_zone_malloc(scope->zone, count * sizeof *told.distances),
    };
    if (!pins || !told.compliances || !told.distances) {
        scope->failed = true;
        return;
    }
    sim_body_pins(document->sim, body, pins);
    sim_body_pins_tell(document->sim, body, &told);
    for (size_t p = 0; p < count; p++) {
        pins[soft] = pins[p];
        soft += told.compliances[p] != 0;
    }
    document_scope_of_particles(scope, body, pins, soft, SIM_RESTORE_PINS);
}

void document_scope_world_reset(const struct document *document, const struct document_edit *edit,
                                struct document_scope *scope)
{
    (void)edit;
    const uint32_t sleep = sim_has_sleep(document->sim) ? SIM_RESTORE_SLEEP : 0;
    for (uint32_t b = 0; b < document->bodies.count; b++) {
        const struct document_thing *body = &document->bodies.items[b];
        struct sim_body_info info = {.turns = false};
        const bool found = sim_body_info(document->sim, body->id, &info);
        document_scope_of_particles(scope, body->id, NULL, document_nameable(document, body),
                                    SIM_RESTORE_POSITIONS | SIM_RESTORE_VELOCITIES | sleep |
                                        (info.turns ? SIM_RESTORE_TURNS : 0));
        if (found && info.bend.plastic.rate > 0) { // a reset takes creases out
            document_scope_rests(scope, document, body->id, true, false);
        }
        document_scope_shapes(scope, document, body->id); // and dents
        scope_soft_pins(document, body->id, scope);
    }
    for (uint32_t m = 0; m < sim_motion_count(document->sim); m++) {
        struct sim_motion motion;
        sim_motion_at(document->sim, m, &motion);
        document_scope_motion(scope, document, motion.id);
    }
    if (sim_settings_of(document->sim)->wind.gusts > 0) { // gusts begin again
        document_fields_add(&protocol_restore_settings_type, &scope->settings,
                            PROTOCOL_HAS_RESTORE_SETTINGS_WIND, PROTOCOL_HAS_WIND_GUST_WAY, 0);
    }
    struct sim_constraint slide = {0}; // a reset finds their sides again
    while (sim_constraint_next(document->sim, SIM_SLIDE, slide.id, &slide)) {
        if (slide.friction > 0) {
            document_scope_constraints(scope, &slide.id, 1);
        }
    }
    struct sim_constraint ring = {0}; // and where they are on their rails
    while (sim_constraint_next(document->sim, SIM_SLIDE_RAIL, ring.id, &ring)) {
        document_scope_constraints(scope, &ring.id, 1);
    }
}

bool document_change_world_reset(struct document *document, struct document_edit *edit)
{
    struct protocol_world_reset_result *result = edit->result;
    sim_reset(document->sim);
    document_mend(document);
    *result = (struct protocol_world_reset_result){
        .has = PROTOCOL_HAS_ALL, .revision = document_commit(document), .tick = document->tick};
    for (uint32_t b = 0; b < document->bodies.count; b++) {
        document_touch(document, edit, &document->bodies, document->bodies.items[b].id);
    }
    for (uint32_t c = 0; c < document->colliders.count; c++) {
        document_touch(document, edit, &document->colliders, document->colliders.items[c].id);
    }
    return true;
}
