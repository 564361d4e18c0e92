// A document on its way out: an image of the sim, with names, as the generated struct.
#include "document/filler.h"

#include "protocol/params.h"

#include <string.h>

static bool fill_colliders(const struct document_filler *filler, const struct sim_image *image,
                           struct protocol_list *out)
{
    const uint32_t count = image->collider_count;
    struct protocol_document_collider *items = document_fill_alloc(filler, count, sizeof *items);
    for (uint32_t i = 0; items && i < count; i++) {
        document_fill_collider(filler, &image->colliders[i], &items[i]);
    }
    *out = (struct protocol_list){.items = items, .count = count};
    return items != NULL;
}

static bool fill_motions(const struct document_filler *filler, const struct sim_image *image,
                         struct protocol_list *out)
{
    const uint32_t count = image->motion_count;
    struct protocol_document_motion *items = document_fill_alloc(filler, count, sizeof *items);
    for (uint32_t i = 0; items && i < count; i++) {
        document_fill_motion(&image->motions[i], &items[i]);
    }
    *out = (struct protocol_list){.items = items, .count = count};
    return items != NULL;
}

// False without memory.
static bool fill_settings(const struct document_filler *filler, const struct sim_settings *settings,
                          struct protocol_world_settings *out)
{
    struct protocol_force_field *fields = document_fill_alloc(filler, SIM_FORCES_MAX, sizeof *fields);
    struct protocol_surface_pair *rows = document_fill_alloc(filler, SIM_SURFACES_MAX, sizeof *rows);
    if (!fields || !rows) {
        return false;
    }
    *out = (struct protocol_world_settings){
        .has = PROTOCOL_HAS_ALL,
        .tick_rate = settings->tick_rate,
        .substeps = settings->substeps,
        .iterations = settings->iterations,
        .damping = settings->damping,
        .resolution = settings->resolution,
        .extent = settings->extent,
        .contact_quality = (int)settings->contact_quality,
        .untangle = settings->untangle,
        .long_edges = settings->long_edges,
        .bending = settings->bending_solved ? PROTOCOL_WORLD_SETTINGS_BENDING_SOLVED
                                            : PROTOCOL_WORLD_SETTINGS_BENDING_SWEPT,
        .loads = settings->loads_solved ? PROTOCOL_WORLD_SETTINGS_LOADS_SOLVED
                                        : PROTOCOL_WORLD_SETTINGS_LOADS_SWEPT,
        .sleep = settings->sleep,
        .calm = settings->calm,
    };
    // A world without long edges, solved bending, solved loads, sleep or calm has the document that it had before there was a choice.
    if (!settings->long_edges) {
        out->has &= ~PROTOCOL_HAS_WORLD_SETTINGS_LONG_EDGES;
    }
    if (!settings->bending_solved) {
        out->has &= ~PROTOCOL_HAS_WORLD_SETTINGS_BENDING;
    }
    if (!settings->loads_solved) {
        out->has &= ~PROTOCOL_HAS_WORLD_SETTINGS_LOADS;
    }
    if (!settings->sleep) {
        out->has &= ~PROTOCOL_HAS_WORLD_SETTINGS_SLEEP;
    }
    if (!settings->calm) {
        out->has &= ~PROTOCOL_HAS_WORLD_SETTINGS_CALM;
    }
    memcpy(out->gravity, settings->gravity, sizeof out->gravity);
    document_wind_fill(settings, &out->wind);
    document_forces_fill(&settings->forces, fields, &out->forces);
    if (settings->forces.next <= 1) {
        out->has &= ~PROTOCOL_HAS_WORLD_SETTINGS_FORCES;
    }
    document_surfaces_fill(&settings->surfaces, rows, &out->surfaces);
    if (settings->surfaces.count == 0) {
        out->has &= ~PROTOCOL_HAS_WORLD_SETTINGS_SURFACES;
    }
    return true;
}

static bool fill_document(const struct document_filler *filler, const struct sim_image *image, uint64_t tick,
                          struct protocol_document *out)
{
    *out = (struct protocol_document){
        .has = PROTOCOL_HAS_ALL & ~PROTOCOL_HAS_DOCUMENT_GRABS,
        .format = 1,
        .tick = tick,
        .next_body = image->next_body,
        .next_constraint = image->next_constraint,
        .next_grab = image->next_grab,
        .next_collider = image->next_collider,
        .next_motion = image->next_motion,
    };
    if (!fill_settings(filler, &image->settings, &out->settings)) {
        return false;
    }
    return document_fill_bodies(filler, image, &out->bodies) &&
           fill_colliders(filler, image, &out->colliders) &&
           document_fill_all_constraints(filler, image, &out->constraints) &&
           fill_motions(filler, image, &out->motions);
}

bool document_save(const struct document *document, msgpack_zone *zone, struct sim_image *image,
                   struct protocol_document *out)
{
    if (!document_stands(document) || !sim_image_take(document->sim, image)) {
        return false;
    }
    const struct document_filler filler = {.zone = zone,
                                           .resolution = image->settings.resolution,
                                           .bodies = &document->bodies,
                                           .colliders = &document->colliders};
    if (fill_document(&filler, image, document->tick, out)) {
        return true;
    }
    sim_image_deinit(image);
    return false;
}

bool document_pack_to(const struct document *document, bool grabs, msgpack_packer *packer)
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
            protocol_encode(&protocol_document_type, &packed, PROTOCOL_ARRAYS_EXT, packer);
        }
        sim_image_deinit(&image);
    }
    msgpack_zone_destroy(&zone);
    return done;
}

static bool pack(const struct document *document, bool grabs, struct protocol_bytes *out)
{
    msgpack_packer packer;
    msgpack_packer_init(&packer, out, protocol_bytes_write);
    return document_pack_to(document, grabs, &packer) && !out->failed;
}

bool document_pack(const struct document *document, struct protocol_bytes *out)
{
    return pack(document, false, out);
}

bool document_pack_image(const struct document *document, struct protocol_bytes *out)
{
    return pack(document, true, out);
}
