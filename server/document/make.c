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
#include "protocol/scan.h"

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
    if (given->has & PROTOCOL_HAS_WORLD_SETTINGS_WIND) {
        settings->wind = given->wind;
        settings->has |= PROTOCOL_HAS_WORLD_CREATE_PARAMS_WIND;
    }
    if (!sim_resolution_valid(settings->resolution)) {
        protocol_error_set(
            maker->error, PROTOCOL_CODE_INVALID, "settings.resolution",
            "%.17g is not a power of two in range; 2^-27 = 7.450580596923828e-09 is the default",
            settings->resolution);
        return document_maker_place(maker, NULL, 0);
    }
    maker->resolution = settings->resolution;
    maker->document->tick = maker->given->tick;
    document_settings_of(settings, &maker->image.settings);
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Colliders

static bool make_position(const struct document_reader *place, const char *field, const double metres[3],
                          const double remainder[3], int64_t out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (!document_maker_quantum(place, field, metres[axis], remainder[axis], &out[axis])) {
            return false;
        }
    }
    return true;
}

static bool make_collider(struct document_maker *maker, const struct protocol_document_collider *given,
                          uint32_t index, struct sim_image_collider *collider)
{
    const struct document_reader place = document_maker_at(maker, "colliders", index);
    bool rotation = given->has & PROTOCOL_HAS_DOCUMENT_COLLIDER_ROTATION;
    bool normal = given->has & PROTOCOL_HAS_DOCUMENT_COLLIDER_NORMAL;
    const double *turn = given->rotation;
    collider->collider = (struct sim_collider){
        .kind = (enum sim_collider_kind)given->kind,
        .normal = {0, 1, 0},
        .radius = given->radius,
        .length = given->length,
        .friction = given->friction,
    };
    memcpy(collider->collider.position, given->position, sizeof given->position);
    memcpy(collider->collider.half_extents, given->half_extents, sizeof given->half_extents);
    if (rotation && normal) {
        return document_reader_refuse(&place, PROTOCOL_CODE_INVALID, "normal",
                                      "must be absent where rotation is given");
    }
    if (rotation && turn[0] == 0 && turn[1] == 0 && turn[2] == 0 && turn[3] == 0) {
        return document_reader_refuse(&place, PROTOCOL_CODE_INVALID, "rotation",
                                      "has length 0; give a quaternion x, y, z, w");
    }
    if (rotation) {
        memcpy(collider->collider.rotation, turn, sizeof collider->collider.rotation);
    }
    if (normal) {
        memcpy(collider->collider.normal, given->normal, sizeof given->normal);
    }
    if (!document_maker_add(&place, &maker->document->colliders, given->collider, &given->name, 0,
                            &collider->collider.id)) {
        return false;
    }
    bool from = given->has & PROTOCOL_HAS_DOCUMENT_COLLIDER_FROM_POSITION;
    collider->exact = from || (given->has & (PROTOCOL_HAS_DOCUMENT_COLLIDER_COLLIDER |
                                             PROTOCOL_HAS_DOCUMENT_COLLIDER_FROM_ROTATION |
                                             PROTOCOL_HAS_DOCUMENT_COLLIDER_UNTURNED)) != 0;
    memcpy(collider->from_rotation, given->from_rotation, sizeof collider->from_rotation);
    collider->unturned = given->has & PROTOCOL_HAS_DOCUMENT_COLLIDER_UNTURNED;
    memcpy(collider->stands, given->unturned, sizeof collider->stands);
    return !collider->exact ||
           (make_position(&place, "position", given->position, given->remainder, collider->position) &&
            make_position(&place, from ? "from_position" : "position",
                          from ? given->from_position : given->position,
                          from ? given->from_remainder : given->remainder, collider->from_position));
}

static bool make_colliders(struct document_maker *maker)
{
    const struct protocol_list *list = &maker->given->colliders;
    if (!document_maker_length(maker, "colliders", list->count, PROTOCOL_LIMIT_COLLIDERS)) {
        return false;
    }
    struct sim_image_collider *colliders = document_maker_alloc(maker, list->count, sizeof *colliders);
    for (uint32_t i = 0; colliders && i < list->count; i++) {
        if (!make_collider(maker, (const struct protocol_document_collider *)list->items + i, i,
                           &colliders[i])) {
            return false;
        }
    }
    maker->image.colliders = colliders;
    maker->image.collider_count = list->count;
    return colliders != NULL;
}

// ---------------------------------------------------------------------------------------------------------
// Loose constraints, motions

static bool bodies_of(const struct document_maker *maker, const struct document_reader *place,
                      const struct protocol_document_constraints *given, const uint32_t **out)
{
    bool one = given->has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_BODY;
    if (one == ((given->has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_BODIES) != 0)) {
        return document_reader_refuse(place, PROTOCOL_CODE_INVALID, "body",
                                      "give body (of all particles) or bodies (of each), one of them");
    }
    if (!one) {
        return document_reader_count(place, "bodies", given->bodies.count, given->particles.count, NULL) &&
               document_reader_u32s(place, "bodies", &given->bodies, out);
    }
    uint32_t body = 0, *bodies = document_reader_alloc(place, given->particles.count, sizeof *bodies);
    if (!bodies || !document_maker_find(place, &maker->document->bodies, &given->body, &body)) {
        return false;
    }
    for (uint32_t i = 0; i < given->particles.count; i++) {
        bodies[i] = body;
    }
    *out = bodies;
    return true;
}

static bool make_batch(struct document_maker *maker, const struct protocol_document_constraints *given,
                       uint32_t index, struct sim_image_constraints *batch)
{
    const struct document_reader place = document_maker_at(maker, "constraints", index);
    struct sim_constraint_values *values = &batch->values;
    batch->kind = (enum sim_kind)given->type;
    uint32_t stencil = sim_stencil_size(batch->kind), count = given->particles.count / stencil;
    if (given->particles.count % stencil != 0) {
        return document_reader_refuse(&place, PROTOCOL_CODE_INVALID, "particles",
                                      "length %u; must be a multiple of %u", given->particles.count, stencil);
    }
    batch->count = count;
    return bodies_of(maker, &place, given, &batch->bodies) &&
           document_reader_u32s(&place, "particles", &given->particles, &batch->particles) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_REST) ||
            document_reader_f64s(&place, "rest", &given->rest, count, NULL, &values->rest)) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_COMPLIANCE) ||
            document_reader_f64s(&place, "compliance", &given->compliance, count, NULL,
                                 &values->compliance)) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_DAMPING) ||
            document_reader_f64s(&place, "damping", &given->damping, count, NULL, &values->damping)) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_STIFFNESS) ||
            document_reader_f64s(&place, "stiffness", &given->stiffness, count, NULL, &values->stiffness)) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_CONSTRAINTS) ||
            (document_reader_count(&place, "constraints", given->constraints.count, count, NULL) &&
             document_reader_u32s(&place, "constraints", &given->constraints, &batch->ids))) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_COLORS) ||
            (document_reader_count(&place, "colors", given->colors.count, count, NULL) &&
             document_reader_u32s(&place, "colors", &given->colors, &batch->colors))) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_SHAPES) ||
            document_reader_f32s(&place, "shapes", &given->shapes, 4 * count, NULL, &batch->shapes));
}

static bool make_batches(struct document_maker *maker)
{
    const struct protocol_list *list = &maker->given->constraints;
    if (!document_maker_length(maker, "constraints", list->count, DOCUMENT_BATCHES_MAX)) {
        return false;
    }
    struct sim_image_constraints *batches = document_maker_alloc(maker, list->count, sizeof *batches);
    for (uint32_t i = 0; batches && i < list->count; i++) {
        if (!make_batch(maker, (const struct protocol_document_constraints *)list->items + i, i,
                        &batches[i])) {
            return false;
        }
    }
    maker->image.batches = batches;
    maker->image.batch_count = list->count;
    return batches != NULL;
}

static bool make_motion(struct document_maker *maker, const struct protocol_document_motion *given,
                        uint32_t index, struct sim_motion *motion)
{
    const struct document_reader place = document_maker_at(maker, "motions", index);
    *motion = (struct sim_motion){
        .id = given->motion,
        .particle_count = given->particles.count,
        .key_count = given->times.count,
        .loop = given->loop,
        .cubic = given->interpolation == PROTOCOL_DOCUMENT_MOTION_INTERPOLATION_CUBIC,
        .age = given->age,
        .pivot = given->has & PROTOCOL_HAS_DOCUMENT_MOTION_PIVOT ? given->pivot : NULL,
    };
    bool turns = given->has & PROTOCOL_HAS_DOCUMENT_MOTION_ROTATIONS;
    bool arms = given->has & PROTOCOL_HAS_DOCUMENT_MOTION_ARMS;
    return (!(given->has & PROTOCOL_HAS_DOCUMENT_MOTION_COLLIDER) ||
            document_maker_find(&place, &maker->document->colliders, &given->collider, &motion->collider)) &&
           (!(given->has & PROTOCOL_HAS_DOCUMENT_MOTION_BODY) ||
            document_maker_find(&place, &maker->document->bodies, &given->body, &motion->body)) &&
           document_reader_u32s(&place, "particles", &given->particles, &motion->particles) &&
           document_reader_f64s(&place, "times", &given->times, given->times.count, NULL, &motion->times) &&
           document_reader_count(&place, "offsets", given->offsets.count, 3 * given->times.count, NULL) &&
           document_reader_f64s(&place, "offsets", &given->offsets, given->offsets.count, NULL,
                                &motion->offsets) &&
           (!turns || (document_reader_count(&place, "rotations", given->rotations.count,
                                             4 * given->times.count, NULL) &&
                       document_reader_f64s(&place, "rotations", &given->rotations, given->rotations.count,
                                            NULL, &motion->rotations))) &&
           (!arms ||
            (document_reader_count(&place, "arms", given->arms.count, 3 * given->particles.count, NULL) &&
             document_reader_f64s(&place, "arms", &given->arms, given->arms.count, NULL, &motion->arms)));
}

static bool make_motions(struct document_maker *maker)
{
    const struct protocol_list *list = &maker->given->motions;
    if (!document_maker_length(maker, "motions", list->count, PROTOCOL_LIMIT_MOTIONS)) {
        return false;
    }
    struct sim_motion *motions = document_maker_alloc(maker, list->count, sizeof *motions);
    for (uint32_t i = 0; motions && i < list->count; i++) {
        if (!make_motion(maker, (const struct protocol_document_motion *)list->items + i, i, &motions[i])) {
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
    struct sim_fault fault = {0};
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
    document_error_fault(maker->error, &fault);
    if (place.part) { // as if the field were called so
        char field[PROTOCOL_FIELD_MAX];
        const char *text = fault.field && strncmp(maker->error->text, fault.field, strlen(fault.field)) == 0
                               ? maker->error->text + strlen(fault.field)
                               : maker->error->text;
        snprintf(field, sizeof field, "%s%s%s", place.part, fault.field ? "." : "",
                 fault.field ? fault.field : "");
        const struct document_reader at = document_maker_at(maker, place.list, place.index);
        return document_reader_refuse(&at, maker->error->code, field, "%s", text + strspn(text, ": "));
    }
    return document_maker_place(maker, place.list, place.index);
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

// The scanner first, as for bytes from a socket: it says what may be unpacked.
static bool unpack(const void *bytes, size_t size, msgpack_zone *zone, msgpack_object *map,
                   struct protocol_error *error)
{
    const struct protocol_scan_limits limits = {
        .bytes = UINT32_MAX, .depth = PROTOCOL_LIMIT_MESSAGE_DEPTH, .nodes = PROTOCOL_LIMIT_MESSAGE_NODES};
    struct protocol_scan scan;
    size_t consumed = 0, offset = 0;
    protocol_scan_init(&scan, &limits);
    if (protocol_scan_feed(&scan, bytes, size, &consumed) != PROTOCOL_SCAN_DONE || consumed != size ||
        msgpack_unpack(bytes, size, &offset, zone, map) < 0 || map->type != MSGPACK_OBJECT_MAP) {
        protocol_error_set(error, PROTOCOL_CODE_INVALID, NULL, "the document is no MessagePack map");
        return false;
    }
    return true;
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
    struct protocol_document *given = msgpack_zone_malloc(&zone, sizeof *given);
    if (!given) {
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for the document; nothing changed");
    } else if (unpack(bytes, size, &zone, &map, error) &&
               protocol_decode(&protocol_document_type, &map, &zone, given, error)) {
        document = document_make(given, "", &zone, error);
    }
    msgpack_zone_destroy(&zone);
    return document;
}
