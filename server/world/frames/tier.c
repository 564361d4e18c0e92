// Remembers what a selection's frames need of its bodies.
//
//     items:   | 1 | 1 skin | 4 | 9 |      the last frame
//                │               ╳         in none of the frame under way: freed
//     coming:  | 1 | 1 skin | 7 | 9 |      7 has come: its first chunk is a key
//
// Both lists are in the order of ids, so that a frame goes through them once. A body that is left out of a
// frame is forgotten, because a stream that begins meanwhile would have nothing of it to build on. A body
// that comes back under its id with other elements is a new one.
//
// The memory of all tiers of a world is bounded. A body for which there is no room has no encoders, and is
// sent as it is.
#include "world/frames/tier.h"

#include "base/assert.h"
#include "protocol/array/reserve.h"

#include <stdlib.h>

void world_encoders_destroy(struct codec_encoder **encoders, const struct world_cut *cut)
{
    for (uint32_t tile = 0; encoders && tile < codec_tiles_count(cut->tiles); tile++) {
        codec_encoder_destroy(encoders[tile]);
    }
    free((void *)encoders);
}

struct codec_encoder **world_encoders_create(const struct world_cut *cut)
{
    const uint32_t count = codec_tiles_count(cut->tiles);
    struct codec_encoder **encoders = calloc(count, sizeof(struct codec_encoder *));
    for (uint32_t tile = 0; encoders && tile < count; tile++) {
        encoders[tile] = codec_encoder_create(codec_tile_plan(cut->tiles, tile));
        if (!encoders[tile]) {
            world_encoders_destroy(encoders, cut);
            return NULL;
        }
    }
    return encoders;
}

static void body_deinit(struct world_tier_body *body, struct world_cuts *cuts)
{
    world_encoders_destroy(body->encoders, body->cut);
    world_cut_put(cuts, body->cut);
    free(body->sums);
    cuts->bytes -= body->bytes;
}

static void bodies_deinit(struct world_tier_body *bodies, uint32_t count, struct world_cuts *cuts)
{
    for (uint32_t i = 0; i < count; i++) {
        body_deinit(&bodies[i], cuts);
    }
}

struct world_tier *world_tier_create(void)
{
    return calloc(1, sizeof(struct world_tier));
}

void world_tier_destroy(struct world_tier *tier, struct world_cuts *cuts)
{
    if (tier) {
        bodies_deinit(tier->items, tier->count, cuts);
        free(tier->items);
        free(tier->coming);
        free(tier->sums);
        free(tier);
    }
}

void world_tier_mesh(const struct document *document, uint32_t body, bool skin, uint32_t nth,
                     struct world_mesh *out)
{
    struct document_surface surface;
    struct sim_body_info info;
    *out = (struct world_mesh){.body = body, .skin = skin};
    if (skin) {
        document_surface(document, body, &surface);
        *out = (struct world_mesh){
            body, true, surface.vertex_count, 3, surface.triangles, surface.triangle_count};
    } else if (sim_body_info(document->sim, body, &info)) {
        switch (info.kind) {
        case SIM_CLOTH:
            *out =
                (struct world_mesh){body, false, info.particle_count, 3, info.triangles, info.triangle_count};
            break;
        case SIM_SOFT:
            *out = (struct world_mesh){body, false, info.particle_count, 4, info.tets, info.tet_count};
            break;
        case SIM_ROPE:
            *out = (struct world_mesh){body, false, info.particle_count, 2, info.edges, info.edge_count};
            break;
        case SIM_POINTS:
        case SIM_RIGID:
            out->count = info.particle_count;
            break;
        }
    }
    if (nth > 1) {
        *out = (struct world_mesh){
            .body = body, .skin = skin, .count = out->count / nth + (out->count % nth != 0)};
    }
}

bool world_tier_begin(struct world_tier *tier, uint32_t count, const struct document *document)
{
    BASE_ASSERT(tier->coming_count == 0 && tier->next == 0);
    if (tier->looked != document->revision + document->tears || tier->sim != document->sim) {
        tier->looked = UINT64_MAX; // until the frame has looked at all of them
    }
    tier->document = document;
    return array_reserve(&tier->coming, &tier->coming_capacity, count);
}

uint64_t world_tier_shape(const struct world_mesh *mesh, struct base_hash *hash)
{
    base_hash_reset(hash);
    base_hash_u32(hash, mesh->corners);
    base_hash_bytes(hash, mesh->indices, sizeof *mesh->indices * (size_t)mesh->corners * mesh->element_count);
    return base_hash_digest(hash);
}

uint32_t world_tier_elements_hash(const struct document *document, uint32_t body, struct base_hash *hash)
{
    const struct document_thing *thing = document_things_by_id(&document->bodies, body);
    uint64_t shapes[2] = {0};
    for (int skin = 0; skin <= (thing && thing->skin); skin++) {
        struct world_mesh mesh;
        world_tier_mesh(document, body, skin, 1, &mesh);
        shapes[skin] = world_tier_shape(&mesh, hash) + mesh.count;
    }
    base_hash_reset(hash);
    base_hash_u64(hash, shapes[0]);
    base_hash_u64(hash, shapes[1]);
    return (uint32_t)base_hash_digest(hash);
}

static size_t encoders_bytes(uint32_t count)
{
    return codec_tiles_expected(count) * (sizeof(struct codec_encoder *) + codec_encoder_bytes(0)) +
           codec_encoder_bytes(count);
}

static void body_make(struct world_tier_body *body, const struct world_mesh *mesh, bool encodes,
                      struct world_cuts *cuts)
{
    const size_t needed = encoders_bytes(mesh->count);
    body->cut = world_cut_get(cuts, mesh, body->shape, encodes);
    if (encodes && body->cut && body->cut->with_plans && world_cuts_fit(cuts, needed)) {
        body->encoders = world_encoders_create(body->cut);
    }
    body->bytes = body->encoders ? needed : 0;
    cuts->bytes += body->bytes;
}

struct world_tier_body *world_tier_take(struct world_tier *tier, const struct world_mesh *mesh, bool encodes,
                                        struct base_hash *hash, struct world_cuts *cuts)
{
    BASE_ASSERT(tier->coming_count < tier->coming_capacity);
    struct world_tier_body *coming = &tier->coming[tier->coming_count++], *item = NULL;
    for (; tier->next < tier->count; tier->next++) {
        item = &tier->items[tier->next];
        if (item->body > mesh->body || (item->body == mesh->body && item->skin >= mesh->skin)) {
            break;
        }
        body_deinit(item, cuts);
    }
    const bool same = tier->next < tier->count && item->body == mesh->body && item->skin == mesh->skin;
    const bool looks = !same || tier->looked == UINT64_MAX;
    const uint64_t shape = looks ? world_tier_shape(mesh, hash) : item->shape;
    const uint32_t elements_hash =
        looks ? world_tier_elements_hash(tier->document, mesh->body, hash) : item->elements_hash;
    if (same) {
        tier->next++;
        *coming = *item;
        if (item->cut && (item->encoders || !encodes) && item->shape == shape && item->count == mesh->count) {
            coming->elements_hash = elements_hash;
            return coming;
        }
    }
    *coming = (struct world_tier_body){.body = mesh->body,
                                       .skin = mesh->skin,
                                       .count = mesh->count,
                                       .shape = shape,
                                       .elements_hash = elements_hash};
    body_make(coming, mesh, encodes, cuts);
    if (same) { // only now, because both may share one cut
        body_deinit(item, cuts);
    }
    return coming;
}

static void exchange(struct world_tier *tier, struct world_cuts *cuts)
{
    bodies_deinit(tier->items + tier->next, tier->count - tier->next, cuts);
    struct world_tier_body *items = tier->items;
    const uint32_t capacity = tier->capacity;
    tier->items = tier->coming;
    tier->count = tier->coming_count;
    tier->capacity = tier->coming_capacity;
    tier->coming = items;
    tier->coming_capacity = capacity;
    tier->coming_count = tier->next = 0;
}

void world_tier_end(struct world_tier *tier, const struct document *document, struct world_cuts *cuts)
{
    exchange(tier, cuts);
    tier->looked = document->revision + document->tears;
    tier->sim = document->sim;
}

void world_tier_drop(struct world_tier *tier, struct world_cuts *cuts)
{
    if (tier->next > 0 || tier->coming_count > 0) {
        exchange(tier, cuts);
    }
    for (uint32_t i = 0; i < tier->count; i++) {
        const struct world_tier_body *body = &tier->items[i];
        for (uint32_t tile = 0; body->encoders && tile < codec_tiles_count(body->cut->tiles); tile++) {
            codec_encoder_forget(body->encoders[tile]);
        }
    }
    tier->number = 0;
}
