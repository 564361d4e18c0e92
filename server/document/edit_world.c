// The world itself: world.set, world.reset.
#include "document/parts.h"

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
        document_wind_merge(&params->wind, &settings->wind);
        document_wind_fill(settings, &params->wind); // what it comes to, also where that is not said
    }
    if (params->has & PROTOCOL_HAS_WORLD_SET_PARAMS_EXTENT) {
        settings->extent = params->extent;
    }
    return true;
}

bool document_change_world_set(struct document *document, struct document_edit *edit)
{
    const struct protocol_world_set_params *params = edit->resolved;
    const struct sim_settings *settings = edit->ready;
    struct protocol_world_set_result *result = edit->result;
    struct sim_fault fault;
    if (sim_settings_set(document->sim, settings, &fault) != SIM_OK) {
        return document_refuse_fault(edit, &fault);
    }
    if (params->has & PROTOCOL_HAS_WORLD_SET_PARAMS_NAME) {
        // That no other world has the name is its host's to know.
        memset(document->name, 0, sizeof document->name);
        memcpy(document->name, params->name.data, params->name.size);
    }
    *result = (struct protocol_world_set_result){
        .has = PROTOCOL_HAS_ALL, .revision = document_commit(document), .tick = document->tick};
    return true;
}

bool document_check_world_reset(const struct document *document, struct document_edit *edit)
{
    (void)document;
    (void)edit;
    return true;
}

bool document_change_world_reset(struct document *document, struct document_edit *edit)
{
    struct protocol_world_reset_result *result = edit->result;
    sim_reset(document->sim);
    document->failed = false;
    document->reason[0] = '\0';
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
