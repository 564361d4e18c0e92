// What frames of delta build on.
//
//     items:   | 1 | 1 skin | 4 | 9 |      the last frame
//                │               ╳         in none of the frame under way: freed
//     coming:  | 1 | 1 skin | 7 | 9 |      7 has come: its first chunk is a key
//
// Both are in the order of ids, so that a frame passes over them once. A body that is left out of a frame is forgotten, for
// who comes meanwhile would have nothing of it to build on. One that comes back under its id with other elements is another.
//
// Memory of all tiers of a world is bounded: what finds no room has no encoder, and is sent as it is.
#include "world/tier.h"

#include "base/assert.h"
#include "protocol/generated/api.h"

#include <stdlib.h>

static void body_deinit(struct world_tier_body *body, size_t *bytes)
{
    codec_encoder_destroy(body->encoder);
    codec_plan_destroy(body->plan);
    *bytes -= body->bytes;
}

static void bodies_deinit(struct world_tier_body *bodies, uint32_t count, size_t *bytes)
{
    for (uint32_t i = 0; i < count; i++) {
        body_deinit(&bodies[i], bytes);
    }
}

struct world_tier *world_tier_create(void)
{
    return calloc(1, sizeof(struct world_tier));
}

void world_tier_destroy(struct world_tier *tier, size_t *bytes)
{
    if (tier) {
        bodies_deinit(tier->items, tier->count, bytes);
        free(tier->items);
        free(tier->coming);
        free(tier);
    }
}

void world_tier_mesh(const struct document *document, uint32_t body, bool skin, uint32_t nth,
                     struct world_tier_mesh *out)
{
    struct document_surface surface;
    struct sim_body_info info;
    *out = (struct world_tier_mesh){0};
    if (skin) {
        document_surface(document, body, &surface);
        *out = (struct world_tier_mesh){surface.vertex_count, 3, surface.triangles, surface.triangle_count};
    } else if (sim_body_info(document->sim, body, &info)) {
        switch (info.kind) {
        case SIM_CLOTH:
            *out = (struct world_tier_mesh){info.particle_count, 3, info.triangles, info.triangle_count};
            break;
        case SIM_SOFT:
            *out = (struct world_tier_mesh){info.particle_count, 4, info.tets, info.tet_count};
            break;
        case SIM_ROPE:
            *out = (struct world_tier_mesh){info.particle_count, 2, info.edges, info.edge_count};
            break;
        case SIM_POINTS:
            *out = (struct world_tier_mesh){.count = info.particle_count};
            break;
        }
    }
    if (nth > 1) {
        *out = (struct world_tier_mesh){.count = out->count / nth + (out->count % nth != 0)};
    }
}

static bool reserve(struct world_tier_body **items, uint32_t *capacity, uint32_t count)
{
    if (count <= *capacity) {
        return true;
    }
    struct world_tier_body *grown = realloc(*items, count * sizeof *grown);
    if (!grown) {
        return false;
    }
    *items = grown;
    *capacity = count;
    return true;
}

bool world_tier_begin(struct world_tier *tier, uint32_t count, const struct document *document)
{
    BASE_ASSERT(tier->coming_count == 0 && tier->next == 0);
    if (tier->looked != document->revision || tier->sim != document->sim) {
        tier->looked = UINT64_MAX; // until all of them were
    }
    return reserve(&tier->coming, &tier->coming_capacity, count);
}

static uint64_t shape_of(const struct world_tier_mesh *mesh, struct base_hash *hash)
{
    base_hash_reset(hash);
    base_hash_u32(hash, mesh->corners);
    base_hash_bytes(hash, mesh->indices, sizeof *mesh->indices * (size_t)mesh->corners * mesh->element_count);
    return base_hash_digest(hash);
}

static void body_make(struct world_tier_body *body, const struct world_tier_mesh *mesh, size_t *bytes)
{
    const size_t needed = codec_plan_bytes(mesh->count) + codec_encoder_bytes(mesh->count);
    if (*bytes > PROTOCOL_LIMIT_STREAM_TIER_BYTES || needed > PROTOCOL_LIMIT_STREAM_TIER_BYTES - *bytes ||
        codec_plan_create(mesh->count, mesh->corners, mesh->indices, mesh->element_count, &body->plan) !=
            CODEC_OK) {
        return;
    }
    body->encoder = codec_encoder_create(body->plan);
    if (!body->encoder) {
        codec_plan_destroy(body->plan);
        body->plan = NULL;
        return;
    }
    body->bytes = needed;
    *bytes += needed;
}

struct world_tier_body *world_tier_take(struct world_tier *tier, const struct world_tier_mesh *mesh,
                                        uint32_t body, bool skin, struct base_hash *hash, size_t *bytes)
{
    BASE_ASSERT(tier->coming_count < tier->coming_capacity);
    struct world_tier_body *coming = &tier->coming[tier->coming_count++], *item = NULL;
    for (; tier->next < tier->count; tier->next++) {
        item = &tier->items[tier->next];
        if (item->body > body || (item->body == body && item->skin >= skin)) {
            break;
        }
        body_deinit(item, bytes);
    }
    const bool same = tier->next < tier->count && item->body == body && item->skin == skin;
    const bool looks = !same || tier->looked == UINT64_MAX;
    const uint64_t shape = looks ? shape_of(mesh, hash) : item->shape;
    if (same) {
        tier->next++;
        *coming = *item;
        if (item->encoder && item->shape == shape && item->count == mesh->count) {
            return coming;
        }
        body_deinit(item, bytes);
    }
    *coming = (struct world_tier_body){.body = body, .skin = skin, .count = mesh->count, .shape = shape};
    body_make(coming, mesh, bytes);
    return coming;
}

static void exchange(struct world_tier *tier, size_t *bytes)
{
    bodies_deinit(tier->items + tier->next, tier->count - tier->next, bytes);
    struct world_tier_body *items = tier->items;
    const uint32_t capacity = tier->capacity;
    tier->items = tier->coming;
    tier->count = tier->coming_count;
    tier->capacity = tier->coming_capacity;
    tier->coming = items;
    tier->coming_capacity = capacity;
    tier->coming_count = tier->next = 0;
}

void world_tier_end(struct world_tier *tier, const struct document *document, size_t *bytes)
{
    exchange(tier, bytes);
    tier->looked = document->revision;
    tier->sim = document->sim;
}

void world_tier_drop(struct world_tier *tier, size_t *bytes)
{
    if (tier->next > 0 || tier->coming_count > 0) {
        exchange(tier, bytes);
    }
    for (uint32_t i = 0; i < tier->count; i++) {
        if (tier->items[i].encoder) {
            codec_encoder_forget(tier->items[i].encoder);
        }
    }
    tier->number = 0;
}
