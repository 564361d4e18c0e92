// A document made ready: the generated struct becomes an image of the sim, and that a sim.
//
//   message ──protocol_decode──▶ struct protocol_document ──▶ struct sim_image ──sim_image_make──▶ sim, names
//
// The decoder has checked types and ranges; lengths and names are checked here, and all that is physics by the sim.
// Faults name their place: bodies[3].triangles.
#include "document/maker.h"

#include "base/assert.h"
#include "protocol/error.h"
#include "protocol/params.h"
#include "protocol/unpack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------
// Settings

static bool make_settings(struct document_maker *maker)
{
    const struct protocol_world_settings *given = &maker->given->settings;
    struct protocol_world_create_params made, *settings = &made;
    protocol_defaults(&protocol_world_create_params_type, settings);
    memcpy(settings->gravity, given->gravity, sizeof settings->gravity);
    settings->tick_rate = given->tick_rate;
    settings->substeps = given->substeps;
    settings->iterations = given->iterations;
    settings->damping = given->damping;
    settings->resolution = given->resolution;
    settings->extent = given->extent;
    settings->contact_quality = given->contact_quality;
    settings->untangle = given->untangle;
    settings->long_edges = given->has & PROTOCOL_HAS_WORLD_SETTINGS_LONG_EDGES ? given->long_edges : false;
    settings->bending = (given->has & PROTOCOL_HAS_WORLD_SETTINGS_BENDING) &&
                                given->bending == PROTOCOL_WORLD_SETTINGS_BENDING_SOLVED
                            ? PROTOCOL_WORLD_CREATE_PARAMS_BENDING_SOLVED
                            : PROTOCOL_WORLD_CREATE_PARAMS_BENDING_SWEPT;
    settings->loads = (given->has & PROTOCOL_HAS_WORLD_SETTINGS_LOADS) &&
                              given->loads == PROTOCOL_WORLD_SETTINGS_LOADS_SOLVED
                          ? PROTOCOL_WORLD_CREATE_PARAMS_LOADS_SOLVED
                          : PROTOCOL_WORLD_CREATE_PARAMS_LOADS_SWEPT;
    settings->sleep = given->has & PROTOCOL_HAS_WORLD_SETTINGS_SLEEP ? given->sleep : false;
    settings->calm = given->has & PROTOCOL_HAS_WORLD_SETTINGS_CALM ? given->calm : false;
    if (given->has & PROTOCOL_HAS_WORLD_SETTINGS_WIND) {
        settings->wind = given->wind;
        settings->has |= PROTOCOL_HAS_WORLD_CREATE_PARAMS_WIND;
    }
    if (given->has & PROTOCOL_HAS_WORLD_SETTINGS_FORCES) {
        settings->forces = given->forces;
        settings->has |= PROTOCOL_HAS_WORLD_CREATE_PARAMS_FORCES;
    }
    if (given->has & PROTOCOL_HAS_WORLD_SETTINGS_SURFACES) {
        settings->surfaces = given->surfaces;
        settings->has |= PROTOCOL_HAS_WORLD_CREATE_PARAMS_SURFACES;
    }
    if (!sim_resolution_valid(settings->resolution)) {
        protocol_error_set(
            maker->error, PROTOCOL_CODE_INVALID, "settings.resolution",
            "%.17g is not a power of two in range; 2^-27 = 7.450580596923828e-09 is the default",
            settings->resolution);
        return document_maker_place(maker, NULL, 0);
    }
    if (!document_settings_check(settings, maker->error)) {
        const struct document_reader place = document_maker_at(maker, NULL, 0);
        char field[PROTOCOL_FIELD_MAX], text[sizeof maker->error->text];
        const size_t name = strlen(maker->error->field) + 2; // and ": "
        snprintf(field, sizeof field, "settings.%.80s", maker->error->field);
        snprintf(text, sizeof text, "%s", maker->error->text + name);
        return document_reader_refuse(&place, PROTOCOL_CODE_INVALID, field, "%s", text);
    }
    maker->resolution = settings->resolution;
    maker->document->tick = maker->given->tick;
    document_settings_of(settings, &maker->image.settings);
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Colliders, loose constraints, motions

static bool make_colliders(struct document_maker *maker)
{
    const struct protocol_list *list = &maker->given->colliders;
    if (!document_maker_length(maker, "colliders", list->count, PROTOCOL_LIMIT_COLLIDERS)) {
        return false;
    }
    struct sim_image_collider *colliders = document_maker_alloc(maker, list->count, sizeof *colliders);
    for (uint32_t i = 0; colliders && i < list->count; i++) {
        const struct protocol_document_collider *given =
            (const struct protocol_document_collider *)list->items + i;
        const struct document_reader place = document_maker_at(maker, "colliders", i);
        if (!document_maker_collider(&place, given, &colliders[i]) ||
            !document_maker_add(&place, &maker->document->colliders, given->collider, &given->name, 0,
                                &colliders[i].collider.id)) {
            return false;
        }
    }
    maker->image.colliders = colliders;
    maker->image.collider_count = list->count;
    return colliders != NULL;
}

static bool make_batches(struct document_maker *maker)
{
    const struct protocol_list *list = &maker->given->constraints;
    if (!document_maker_length(maker, "constraints", list->count, DOCUMENT_BATCHES_MAX)) {
        return false;
    }
    struct sim_image_constraints *batches = document_maker_alloc(maker, list->count, sizeof *batches);
    for (uint32_t i = 0; batches && i < list->count; i++) {
        const struct document_reader place = document_maker_at(maker, "constraints", i);
        if (!document_maker_batch(&place, (const struct protocol_document_constraints *)list->items + i,
                                  &batches[i])) {
            return false;
        }
    }
    maker->image.batches = batches;
    maker->image.batch_count = list->count;
    return batches != NULL;
}

static bool make_motions(struct document_maker *maker)
{
    const struct protocol_list *list = &maker->given->motions;
    if (!document_maker_length(maker, "motions", list->count, PROTOCOL_LIMIT_MOTIONS)) {
        return false;
    }
    struct sim_motion *motions = document_maker_alloc(maker, list->count, sizeof *motions);
    for (uint32_t i = 0; motions && i < list->count; i++) {
        const struct document_reader place = document_maker_at(maker, "motions", i);
        if (!document_maker_motion(&place, (const struct protocol_document_motion *)list->items + i,
                                   &motions[i])) {
            return false;
        }
    }
    maker->image.motions = motions;
    maker->image.motion_count = list->count;
    return motions != NULL;
}

// ---------------------------------------------------------------------------------------------------------
// All of it

// Welding leaves fewer particles than the document gives.
static void things_measure(struct document *document)
{
    struct document_things *bodies = &document->bodies;
    for (uint32_t i = 0; i < bodies->count; i++) {
        struct sim_body_info info;
        bool found = sim_body_info(document->sim, bodies->items[i].id, &info);
        BASE_ASSERT(found);
        bodies->items[i].particle_count = info.particle_count;
    }
}

static bool make_sim(struct document_maker *maker)
{
    const struct protocol_document *given = maker->given;
    struct sim_image_place place;
    struct fault fault = {0};
    maker->image.next_body = given->next_body;
    maker->image.next_constraint = given->next_constraint;
    maker->image.next_grab = given->next_grab;
    maker->image.next_collider = given->next_collider;
    maker->image.next_motion = given->next_motion;
    maker->document->sim = sim_image_make(&maker->image, &document_limits, &place, &fault);
    if (maker->document->sim) {
        things_measure(maker->document);
        return true;
    }
    return document_maker_refuse(maker, &place, &fault);
}

struct document *document_make(const struct protocol_document *given, const char *prefix, msgpack_zone *zone,
                               struct protocol_error *error)
{
    struct document_maker maker = {.given = given, .prefix = prefix, .zone = zone, .error = error};
    maker.document = calloc(1, sizeof *maker.document);
    bool done = false;
    if (!maker.document) {
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for the document; nothing changed");
        return NULL;
    }
    maker.document->bodies.noun = "body";
    maker.document->colliders.noun = "collider";
    done = make_settings(&maker) && document_maker_bodies(&maker) && make_colliders(&maker) &&
           make_batches(&maker) && make_motions(&maker) && document_maker_grabs(&maker) && make_sim(&maker) &&
           document_maker_skins(&maker);
    if (done && !document_coarse_document(maker.document)) {
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for the document; nothing changed");
        done = false;
    }
    for (uint32_t i = 0; maker.arrays && i < given->bodies.count; i++) {
        document_body_arrays_deinit(&maker.arrays[i]);
    }
    free(maker.arrays);
    if (!done) {
        document_destroy(maker.document);
        return NULL;
    }
    return maker.document;
}

struct document *document_of_map(const msgpack_object *map, msgpack_zone *zone, struct protocol_error *error)
{
    struct protocol_document *given = msgpack_zone_malloc(zone, sizeof *given);
    if (!given) {
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for the document; nothing changed");
        return NULL;
    }
    return protocol_decode(&protocol_document_type, map, zone, given, error)
               ? document_make(given, "", zone, error)
               : NULL;
}

struct document *document_from(const void *bytes, size_t size, struct protocol_error *error)
{
    msgpack_zone zone;
    msgpack_object map;
    struct document *document = NULL;
    if (!msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE)) {
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for the document; nothing changed");
        return NULL;
    }
    if (!protocol_unpack(bytes, size, &zone, &map) || map.type != MSGPACK_OBJECT_MAP) {
        protocol_error_set(error, PROTOCOL_CODE_INVALID, NULL, "the document is no MessagePack map");
    } else {
        document = document_of_map(&map, &zone, error);
    }
    msgpack_zone_destroy(&zone);
    return document;
}
