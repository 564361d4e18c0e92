// A document on its way out: an image of the sim, with names, as the generated struct.
//
// Coordinates leave as metres. A double holds 2^53 quanta; what it loses of more (a world at the limits of its extent)
// goes beside it as a remainder, so that a document is exact in every encoding.
#include "document/parts.h"

#include "base/assert.h"
#include "protocol/params.h"

#include <stdio.h>
#include <string.h>

struct saver {
    msgpack_zone *zone; // of what the document refers to
    const struct sim_image *image;
    const struct document_things *bodies, *colliders;
    uint64_t tick;
};

static void *saver_alloc(const struct saver *saver, size_t count, size_t item_size)
{
    size_t size;
    bool fits = !__builtin_mul_overflow(count, item_size, &size) && size < SIZE_MAX / 4;
    return fits ? msgpack_zone_malloc(saver->zone, size > 0 ? size : 1) : NULL;
}

// ---------------------------------------------------------------------------------------------------------
// Numbers

static struct protocol_array u32s_of(const uint32_t *items, uint32_t count)
{
    return (struct protocol_array){PROTOCOL_ARRAY_U32, count, items};
}

static struct protocol_array f32s_of(const float *items, uint32_t count)
{
    return (struct protocol_array){PROTOCOL_ARRAY_F32, count, items};
}

static struct protocol_array f64s_of(const double *items, uint32_t count)
{
    return (struct protocol_array){PROTOCOL_ARRAY_F64, count, items};
}

// What the double nearest to so many quanta has lost of them.
static int64_t remainder_of(int64_t quanta)
{
    return quanta - (int64_t)(double)quanta;
}

// Remainders only where there are some; *lost says so. False without memory.
static bool fill_metres(struct saver *saver, const int64_t *quanta, uint32_t count,
                        struct protocol_array *metres, struct protocol_array *remainders, bool *lost)
{
    double *out = saver_alloc(saver, count, sizeof *out), *left = NULL;
    *lost = false;
    for (uint32_t i = 0; out && i < count; i++) {
        out[i] = (double)quanta[i] * saver->image->settings.resolution;
        *lost = *lost || remainder_of(quanta[i]) != 0;
    }
    if (out && *lost) {
        left = saver_alloc(saver, count, sizeof *left);
        for (uint32_t i = 0; left && i < count; i++) {
            left[i] = (double)remainder_of(quanta[i]);
        }
    }
    *metres = f64s_of(out, count);
    *remainders = f64s_of(left, left ? count : 0);
    return out && (!*lost || left);
}

static void fill_place(const struct saver *saver, const int64_t quanta[3], double metres[3],
                       double remainder[3], bool *lost)
{
    *lost = false;
    for (int axis = 0; axis < 3; axis++) {
        metres[axis] = (double)quanta[axis] * saver->image->settings.resolution;
        remainder[axis] = (double)remainder_of(quanta[axis]);
        *lost = *lost || remainder[axis] != 0;
    }
}

// ---------------------------------------------------------------------------------------------------------
// Bodies

static void fill_kind_history(const struct sim_image_history *history,
                              struct protocol_constraint_history *out)
{
    *out = (struct protocol_constraint_history){
        .has = PROTOCOL_HAS_CONSTRAINT_HISTORY_BUILT | PROTOCOL_HAS_CONSTRAINT_HISTORY_REMOVED |
               PROTOCOL_HAS_CONSTRAINT_HISTORY_CHANGED | PROTOCOL_HAS_CONSTRAINT_HISTORY_COMPLIANCE |
               PROTOCOL_HAS_CONSTRAINT_HISTORY_DAMPING | PROTOCOL_HAS_CONSTRAINT_HISTORY_STIFFNESS,
        .built = history->built,
        .removed = u32s_of(history->removed, history->removed_count),
        .changed = u32s_of(history->changed, history->changed_count),
        .compliance = f64s_of(history->compliance, history->changed_count),
        .damping = f64s_of(history->damping, history->changed_count),
        .stiffness = f64s_of(history->stiffness, history->changed_count),
    };
    if (history->rest) {
        out->rest = f64s_of(history->rest, history->changed_count);
        out->has |= PROTOCOL_HAS_CONSTRAINT_HISTORY_REST;
    }
    if (history->colors) {
        out->colors = u32s_of(history->colors, history->color_count);
        out->tile_colors = u32s_of(history->tile_colors, history->tile_count);
        out->has |= PROTOCOL_HAS_CONSTRAINT_HISTORY_COLORS | PROTOCOL_HAS_CONSTRAINT_HISTORY_TILE_COLORS;
    }
}

static void fill_history(const struct sim_image_body *body, struct protocol_document_body *out)
{
    const struct {
        uint64_t bit;
        struct protocol_constraint_history *out;
    } kinds[SIM_KIND_COUNT] = {
        [SIM_DISTANCE] = {PROTOCOL_HAS_BODY_HISTORY_DISTANCE, &out->history.distance},
        [SIM_DIHEDRAL] = {PROTOCOL_HAS_BODY_HISTORY_DIHEDRAL, &out->history.dihedral},
        [SIM_ISOMETRIC] = {PROTOCOL_HAS_BODY_HISTORY_ISOMETRIC, &out->history.isometric},
        [SIM_QUADRATIC] = {PROTOCOL_HAS_BODY_HISTORY_QUADRATIC, &out->history.quadratic},
        [SIM_VOLUME] = {PROTOCOL_HAS_BODY_HISTORY_VOLUME, &out->history.volume},
    };
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        if (body->history[kind].edited) {
            fill_kind_history(&body->history[kind], kinds[kind].out);
            out->history.has |= kinds[kind].bit;
            out->has |= PROTOCOL_HAS_DOCUMENT_BODY_HISTORY;
        }
    }
}

static void fill_elements(const struct sim_body_desc *desc, struct protocol_document_body *out)
{
    switch (desc->kind) {
    case SIM_CLOTH:
        out->triangles = u32s_of(desc->triangles, 3 * desc->triangle_count);
        out->has |= PROTOCOL_HAS_DOCUMENT_BODY_TRIANGLES;
        break;
    case SIM_ROPE:
        out->edges = u32s_of(desc->edges, 2 * desc->edge_count);
        out->has |= PROTOCOL_HAS_DOCUMENT_BODY_EDGES;
        break;
    case SIM_SOFT:
        out->tets = u32s_of(desc->tets, 4 * desc->tet_count);
        out->has |= PROTOCOL_HAS_DOCUMENT_BODY_TETS;
        break;
    case SIM_POINTS:
        break;
    }
}

static bool fill_state(struct saver *saver, const struct sim_image_body *body,
                       struct protocol_document_state *out)
{
    uint32_t count = body->desc.particle_count;
    bool lost;
    out->has = PROTOCOL_HAS_DOCUMENT_STATE_POSITIONS | PROTOCOL_HAS_DOCUMENT_STATE_VELOCITIES |
               PROTOCOL_HAS_DOCUMENT_STATE_INVERSE_MASSES;
    out->velocities = f32s_of(body->velocities, 3 * count);
    out->inverse_masses = f32s_of(body->inverse_masses, count);
    if (!fill_metres(saver, body->positions, 3 * count, &out->positions, &out->remainders, &lost)) {
        return false;
    }
    out->has |= lost ? PROTOCOL_HAS_DOCUMENT_STATE_REMAINDERS : 0;
    if (body->targets) {
        if (!fill_metres(saver, body->targets, 3 * body->desc.pin_count, &out->targets,
                         &out->target_remainders, &lost)) {
            return false;
        }
        out->has |=
            PROTOCOL_HAS_DOCUMENT_STATE_TARGETS | (lost ? PROTOCOL_HAS_DOCUMENT_STATE_TARGET_REMAINDERS : 0);
    }
    return true;
}

static bool fill_body(struct saver *saver, const struct sim_image_body *body,
                      struct protocol_document_body *out)
{
    const struct sim_body_desc *desc = &body->desc;
    const struct sim_body_info info = {.bend_model = desc->bend_model, .bend = desc->bend};
    *out = (struct protocol_document_body){
        .has = PROTOCOL_HAS_DOCUMENT_BODY_BODY | PROTOCOL_HAS_DOCUMENT_BODY_STATE |
               (desc->pin_count > 0 ? PROTOCOL_HAS_DOCUMENT_BODY_PINS : 0) |
               (body->first_constraint > 0 ? PROTOCOL_HAS_DOCUMENT_BODY_FIRST_CONSTRAINT : 0),
        .body = body->body,
        .name = document_thing_name(document_things_by_id(saver->bodies, body->body)),
        .kind = (int)desc->kind,
        .positions = f64s_of(desc->positions, 3 * desc->particle_count),
        .thickness = desc->thickness,
        .pins = u32s_of(desc->pins, desc->pin_count),
        .first_constraint = body->first_constraint,
    };
    if (desc->velocities) {
        out->velocities = f32s_of(desc->velocities, 3 * desc->particle_count);
        out->has |= PROTOCOL_HAS_DOCUMENT_BODY_VELOCITIES;
    }
    document_material_fill(&desc->stretch, &out->stretch);
    if (desc->kind == SIM_CLOTH) {
        document_bend_fill(&info, &out->bend);
        out->has |= PROTOCOL_HAS_DOCUMENT_BODY_BEND;
    }
    if (desc->kind == SIM_SOFT) {
        document_material_fill(&desc->volume, &out->volume);
        out->has |= PROTOCOL_HAS_DOCUMENT_BODY_VOLUME;
    }
    const struct document_skin *skin = document_things_by_id(saver->bodies, body->body)->skin;
    if (skin) {
        document_skin_fill(skin, &out->skin);
        out->has |= PROTOCOL_HAS_DOCUMENT_BODY_SKIN;
    }
    const struct document_look *look = document_things_by_id(saver->bodies, body->body)->look;
    if (look) {
        document_look_fill(look, &out->look);
        out->has |= PROTOCOL_HAS_DOCUMENT_BODY_LOOK;
    }
    fill_elements(desc, out);
    fill_history(body, out);
    return fill_state(saver, body, &out->state);
}

static bool fill_bodies(struct saver *saver, struct protocol_list *out)
{
    uint32_t count = saver->image->body_count;
    struct protocol_document_body *items = saver_alloc(saver, count, sizeof *items);
    for (uint32_t i = 0; items && i < count; i++) {
        if (!fill_body(saver, &saver->image->bodies[i], &items[i])) {
            return false;
        }
    }
    *out = (struct protocol_list){.items = items, .count = count};
    return items != NULL;
}

// ---------------------------------------------------------------------------------------------------------
// Everything else

// To the last bit: the hash tells zeros of different signs apart.
static bool same_bits(const double a[4], const double b[4])
{
    uint64_t of_a[4], of_b[4];
    memcpy(of_a, a, sizeof of_a);
    memcpy(of_b, b, sizeof of_b);
    return memcmp(of_a, of_b, sizeof of_a) == 0;
}

static void fill_collider(struct saver *saver, const struct sim_image_collider *collider,
                          struct protocol_document_collider *out)
{
    const struct sim_collider *shape = &collider->collider;
    bool lost;
    *out = (struct protocol_document_collider){
        .has = PROTOCOL_HAS_DOCUMENT_COLLIDER_COLLIDER | PROTOCOL_HAS_DOCUMENT_COLLIDER_ROTATION,
        .collider = shape->id,
        .name = document_thing_name(document_things_by_id(saver->colliders, shape->id)),
        .kind = (int)shape->kind,
        .radius = shape->radius,
        .length = shape->length,
        .friction = shape->friction,
    };
    memcpy(out->rotation, shape->rotation, sizeof out->rotation);
    memcpy(out->half_extents, shape->half_extents, sizeof out->half_extents);
    fill_place(saver, collider->position, out->position, out->remainder, &lost);
    out->has |= lost ? PROTOCOL_HAS_DOCUMENT_COLLIDER_REMAINDER : 0;
    if (memcmp(collider->position, collider->from_position, sizeof collider->position) != 0) {
        fill_place(saver, collider->from_position, out->from_position, out->from_remainder, &lost);
        out->has |= PROTOCOL_HAS_DOCUMENT_COLLIDER_FROM_POSITION |
                    (lost ? PROTOCOL_HAS_DOCUMENT_COLLIDER_FROM_REMAINDER : 0);
    }
    if (collider->unturned) {
        memcpy(out->unturned, collider->stands, sizeof out->unturned);
        out->has |= PROTOCOL_HAS_DOCUMENT_COLLIDER_UNTURNED;
    }
    if (!same_bits(collider->stands, collider->from_rotation)) {
        memcpy(out->from_rotation, collider->from_rotation, sizeof out->from_rotation);
        out->has |= PROTOCOL_HAS_DOCUMENT_COLLIDER_FROM_ROTATION;
    }
}

static bool fill_colliders(struct saver *saver, struct protocol_list *out)
{
    uint32_t count = saver->image->collider_count;
    struct protocol_document_collider *items = saver_alloc(saver, count, sizeof *items);
    for (uint32_t i = 0; items && i < count; i++) {
        fill_collider(saver, &saver->image->colliders[i], &items[i]);
    }
    *out = (struct protocol_list){.items = items, .count = count};
    return items != NULL;
}

static bool fill_constraints(struct saver *saver, struct protocol_list *out)
{
    uint32_t count = saver->image->batch_count;
    struct protocol_document_constraints *items = saver_alloc(saver, count, sizeof *items);
    for (uint32_t i = 0; items && i < count; i++) {
        const struct sim_image_constraints *batch = &saver->image->batches[i];
        uint32_t corners = batch->count * sim_stencil_size(batch->kind);
        items[i] = (struct protocol_document_constraints){
            .has = PROTOCOL_HAS_ALL & ~(PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_BODY |
                                        (batch->values.rest ? PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_SHAPES
                                                            : PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_REST)),
            .type = (int)batch->kind,
            .bodies = u32s_of(batch->bodies, corners),
            .particles = u32s_of(batch->particles, corners),
            .rest = f64s_of(batch->values.rest, batch->count),
            .compliance = f64s_of(batch->values.compliance, batch->count),
            .damping = f64s_of(batch->values.damping, batch->count),
            .stiffness = f64s_of(batch->values.stiffness, batch->count),
            .constraints = u32s_of(batch->ids, batch->count),
            .colors = u32s_of(batch->colors, batch->count),
            .shapes = f32s_of(batch->shapes, batch->shapes ? 4 * batch->count : 0),
        };
    }
    *out = (struct protocol_list){.items = items, .count = count};
    return items != NULL;
}

static bool fill_motions(struct saver *saver, struct protocol_list *out)
{
    uint32_t count = saver->image->motion_count;
    struct protocol_document_motion *items = saver_alloc(saver, count, sizeof *items);
    for (uint32_t i = 0; items && i < count; i++) {
        const struct sim_motion *motion = &saver->image->motions[i];
        items[i] = (struct protocol_document_motion){
            .has = PROTOCOL_HAS_DOCUMENT_MOTION_MOTION |
                   (motion->rotations ? PROTOCOL_HAS_DOCUMENT_MOTION_ROTATIONS : 0) |
                   (motion->arms ? PROTOCOL_HAS_DOCUMENT_MOTION_ARMS : 0) |
                   (motion->collider > 0
                        ? PROTOCOL_HAS_DOCUMENT_MOTION_COLLIDER
                        : PROTOCOL_HAS_DOCUMENT_MOTION_BODY | PROTOCOL_HAS_DOCUMENT_MOTION_PARTICLES),
            .motion = motion->id,
            .collider = {.id = motion->collider},
            .body = {.id = motion->body},
            .particles = u32s_of(motion->particles, motion->particle_count),
            .times = f64s_of(motion->times, motion->key_count),
            .offsets = f64s_of(motion->offsets, 3 * motion->key_count),
            .loop = motion->loop,
            .age = motion->age,
            .rotations = f64s_of(motion->rotations, motion->rotations ? 4 * motion->key_count : 0),
            .interpolation = motion->cubic ? PROTOCOL_DOCUMENT_MOTION_INTERPOLATION_CUBIC
                                           : PROTOCOL_DOCUMENT_MOTION_INTERPOLATION_LINEAR,
            .arms = f64s_of(motion->arms, motion->arms ? 3 * motion->particle_count : 0),
        };
    }
    *out = (struct protocol_list){.items = items, .count = count};
    return items != NULL;
}

static void fill_settings(const struct sim_settings *settings, struct protocol_world_settings *out)
{
    *out = (struct protocol_world_settings){
        .has = PROTOCOL_HAS_ALL,
        .tick_rate = settings->tick_rate,
        .substeps = settings->substeps,
        .iterations = settings->iterations,
        .damping = settings->damping,
        .resolution = settings->resolution,
        .extent = settings->extent,
    };
    memcpy(out->gravity, settings->gravity, sizeof out->gravity);
    document_wind_fill(settings, &out->wind);
}

static bool fill_document(struct saver *saver, struct protocol_document *out)
{
    const struct sim_image *image = saver->image;
    *out = (struct protocol_document){
        .has = PROTOCOL_HAS_ALL & ~PROTOCOL_HAS_DOCUMENT_GRABS,
        .format = 1,
        .tick = saver->tick,
        .next_body = image->next_body,
        .next_constraint = image->next_constraint,
        .next_grab = image->next_grab,
        .next_collider = image->next_collider,
        .next_motion = image->next_motion,
    };
    fill_settings(&image->settings, &out->settings);
    return fill_bodies(saver, &out->bodies) && fill_colliders(saver, &out->colliders) &&
           fill_constraints(saver, &out->constraints) && fill_motions(saver, &out->motions);
}

bool document_save(const struct document *document, msgpack_zone *zone, struct sim_image *image,
                   struct protocol_document *out)
{
    if (!sim_image_take(document->sim, image)) {
        return false;
    }
    struct saver saver = {.zone = zone,
                          .image = image,
                          .bodies = &document->bodies,
                          .colliders = &document->colliders,
                          .tick = document->tick};
    if (fill_document(&saver, out)) {
        return true;
    }
    sim_image_deinit(image);
    return false;
}

static bool pack(const struct document *document, bool grabs, struct protocol_bytes *out)
{
    struct sim_image image;
    msgpack_zone zone;
    struct protocol_document packed;
    if (!msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE)) {
        return false;
    }
    bool done = document_save(document, &zone, &image, &packed);
    if (done) {
        done = !grabs || document_save_grabs(document, &zone, &image, &packed);
        if (done) {
            msgpack_packer packer;
            msgpack_packer_init(&packer, out, protocol_bytes_write);
            protocol_encode(&protocol_document_type, &packed, PROTOCOL_ARRAYS_EXT, &packer);
            done = !out->failed;
        }
        sim_image_deinit(&image);
    }
    msgpack_zone_destroy(&zone);
    return done;
}

bool document_pack(const struct document *document, struct protocol_bytes *out)
{
    return pack(document, false, out);
}

bool document_pack_image(const struct document *document, struct protocol_bytes *out)
{
    return pack(document, true, out);
}
