// A document, and time.
#include "document/parts.h"

#include "base/assert.h"
#include "protocol/params.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct sim_limits document_limits = {
    .bodies = PROTOCOL_LIMIT_BODIES,
    .particles = PROTOCOL_LIMIT_PARTICLES,
    .constraints = PROTOCOL_LIMIT_CONSTRAINTS,
    .colliders = PROTOCOL_LIMIT_COLLIDERS,
    .grabs = PROTOCOL_LIMIT_GRABS,
    .work = PROTOCOL_LIMIT_TICK_WORK,
    .tests = PROTOCOL_LIMIT_CONTACT_TESTS,
};
_Static_assert((int)PROTOCOL_LIMIT_HEIGHTS == (int)SIM_FIELD_HEIGHTS_MAX &&
                   (int)PROTOCOL_LIMIT_MOTIONS == (int)SIM_MOTIONS_MAX &&
                   (int)PROTOCOL_LIMIT_MOTION_KEYS == (int)SIM_MOTION_KEYS_MAX &&
                   (int)PROTOCOL_LIMIT_MOTION_POSES == (int)SIM_MOTION_POSES_MAX,
               "heights and motions have the same limits on the wire and in the sim");

bool document_settings_check(const struct protocol_world_create_params *settings,
                             struct protocol_error *error)
{
    struct sim_settings sim_settings;
    struct fault fault;
    document_settings_of(settings, &sim_settings);
    if (sim_settings_check(&sim_settings, &fault) != FAULT_NONE) {
        protocol_error_fault(error, &fault);
        return false;
    }
    return true;
}

struct document *document_create(const struct protocol_world_create_params *settings)
{
    struct sim_settings sim_settings;
    struct document *document = calloc(1, sizeof *document);
    if (!document) {
        return NULL;
    }
    document_settings_of(settings, &sim_settings);
    document->sim = sim_create(&sim_settings, &document_limits);
    document->bodies.noun = "body";
    document->colliders.noun = "collider";
    if (!document->sim) {
        document_destroy(document);
        return NULL;
    }
    return document;
}

struct document *document_take(struct document *from)
{
    struct document *document = calloc(1, sizeof *document);
    if (document) {
        *document = *from;
        document->warnings = NULL;
        document->kept = NULL;
        document->warning_count = 0;
        from->sim = NULL;
        from->bodies = from->colliders = (struct document_things){0};
    }
    return document;
}

enum protocol_code document_failed_code(const struct document *document)
{
    return document->given_up ? PROTOCOL_CODE_LIMIT : PROTOCOL_CODE_CONFLICT;
}

const char *document_mended_by(const struct document *document)
{
    return document->given_up ? "make it thinner, or take it apart: any edit lets it try again"
                              : "edit.undo or world.reset mends it";
}

void document_destroy(struct document *document)
{
    if (document) {
        sim_destroy(document->sim);
        document_things_deinit(&document->bodies);
        document_things_deinit(&document->colliders);
        free(document->warnings);
        free(document->kept);
        free(document);
    }
}

void document_settings(const struct document *document, struct protocol_world_create_params *out)
{
    const struct sim_settings *settings = sim_settings_of(document->sim);
    protocol_defaults(&protocol_world_create_params_type, out);
    memcpy(out->gravity, settings->gravity, sizeof out->gravity);
    out->tick_rate = settings->tick_rate;
    out->substeps = settings->substeps;
    out->iterations = settings->iterations;
    out->damping = settings->damping;
    out->resolution = settings->resolution;
    out->extent = settings->extent;
    out->contact_quality = (int)settings->contact_quality;
    out->untangle = settings->untangle;
    out->long_edges = settings->long_edges;
    out->bending = settings->bending_solved ? PROTOCOL_WORLD_CREATE_PARAMS_BENDING_SOLVED
                                            : PROTOCOL_WORLD_CREATE_PARAMS_BENDING_SWEPT;
    out->loads = settings->loads_solved ? PROTOCOL_WORLD_CREATE_PARAMS_LOADS_SOLVED
                                        : PROTOCOL_WORLD_CREATE_PARAMS_LOADS_SWEPT;
    out->sleep = settings->sleep;
    out->calm = settings->calm;
    document_wind_fill(settings, &out->wind);
    out->has |= PROTOCOL_HAS_WORLD_CREATE_PARAMS_WIND;
}

struct protocol_list document_warnings(const struct document *document)
{
    return (struct protocol_list){.items = document->warnings, .count = document->warning_count};
}

static struct protocol_string name_of(const struct document_things *things, uint32_t id)
{
    const struct document_thing *thing = document_things_by_id(things, id);
    return thing ? document_thing_name(thing) : (struct protocol_string){.data = ""};
}

struct protocol_string document_body_name(const struct document *document, uint32_t body)
{
    return name_of(&document->bodies, body);
}

struct protocol_string document_collider_name(const struct document *document, uint32_t collider)
{
    return name_of(&document->colliders, collider);
}

bool document_surface(const struct document *document, uint32_t body, struct document_surface *surface)
{
    const struct document_thing *thing = document_things_by_id(&document->bodies, body);
    const struct document_skin *skin = thing ? thing->skin : NULL;
    *surface = (struct document_surface){0};
    if (skin) {
        *surface = (struct document_surface){skin->vertex_count, skin->triangle_count, skin->triangles};
    }
    return skin != NULL;
}

void document_surface_positions(const struct document *document, uint32_t body, double *scratch, float *out)
{
    const struct document_thing *thing = document_things_by_id(&document->bodies, body);
    BASE_ASSERT(thing && thing->skin);
    sim_body_positions64(document->sim, body, 0, thing->particle_count, scratch);
    document_skin_positions(thing->skin, scratch, 0, thing->skin->vertex_count, out);
}

bool document_skin(const struct document *document, uint32_t body, struct protocol_skin *skin)
{
    const struct document_thing *thing = document_things_by_id(&document->bodies, body);
    if (!thing || !thing->skin) {
        return false;
    }
    document_skin_fill(thing->skin, skin);
    return true;
}

bool document_look(const struct document *document, uint32_t body, struct protocol_look *look)
{
    const struct document_thing *thing = document_things_by_id(&document->bodies, body);
    if (!thing || !thing->look) {
        return false;
    }
    document_look_fill(thing->look, look);
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Time

static void fail(struct document *document, const struct sim_failure *failure)
{
    const struct document_thing *body = document_things_by_id(&document->bodies, failure->body);
    document->failed = true;
    document->given_up = failure->given_up;
    if (body && body->name_size > 0) {
        snprintf(document->reason, sizeof document->reason, "%.*s (body \"%s\")", SIM_TEXT_MAX - 80,
                 failure->text, body->name);
    } else {
        snprintf(document->reason, sizeof document->reason, "%s", failure->text);
    }
}

void document_mend(struct document *document)
{
    document->failed = document->given_up = false;
    document->reason[0] = '\0';
}

bool document_step(struct document *document, struct base_parallel *parallel, const struct sim_hooks *hooks)
{
    struct sim_failure failure;
    BASE_ASSERT(!document->failed && !document->broken);
    sim_stamp(document->sim, document->revision);
    if (!sim_step(document->sim, parallel, hooks, &failure)) {
        return false;
    }
    document->tick++;
    document->tears += sim_tore(document->sim) ? 1 : 0;
    if (failure.failed) {
        fail(document, &failure);
    }
    return true;
}

void document_step_drop(struct document *document)
{
    sim_step_drop(document->sim);
    document->broken = true;
}

void document_idle(struct document *document, uint64_t tick)
{
    BASE_ASSERT(document->failed && tick >= document->tick);
    document->tick = tick;
}

uint64_t document_hash(const struct document *document)
{
    BASE_ASSERT(!document->broken);
    return sim_hash(document->sim);
}

bool document_stands(const struct document *document)
{
    return !document->broken && sim_at_boundary(document->sim);
}

bool document_hash_now(const struct document *document, uint64_t *hash)
{
    const bool stands = document_stands(document);
    *hash = stands ? sim_hash(document->sim) : 0;
    return stands;
}
