// Chunks of frames whose positions are made small.
//
//     body ─ gather ─▶ floats ─ codec ─▶ bytes ─ pieces ─▶ picks         for all: builds on the frame before
//                                  └ the same moment as a key ─▶ keys    for who comes, and for who missed a frame
//
// Frames of delta have numbers, which rise within a world over all of its streams: so no stream ever takes a frame of another for
// the one that it should build on. Which of both variants a stream is sent is known where it is known what was sent
// before (net/streams.c); what cannot be used is left out there, and a key asked for.
//
// A body that has no encoder (tier.h) is sent as it is, which stands alone as well.
#include "world/packed.h"

#include "base/assert.h"
#include "document/document.h"
#include "world/gather.h"

#include <stdlib.h>

struct packing {
    struct world_snapshot *snapshot;
    struct world_selection *selection;
    enum world_purpose purpose;
    struct world_packed *out;
    bool of_last; // FOR_SOME: the present is what the last frame was of
};

static bool reserve(void **items, size_t *capacity, size_t count, size_t item_size)
{
    if (count <= *capacity) {
        return true;
    }
    const size_t grown_capacity = count + count / 2;
    void *grown = realloc(*items, grown_capacity * item_size);
    if (!grown) {
        return false;
    }
    *items = grown;
    *capacity = grown_capacity;
    return true;
}

void world_packed_let_go(struct world_snapshot *snapshot)
{
    struct world_picks *all[2] = {&snapshot->picks, &snapshot->keys};
    for (int i = 0; i < 2; i++) {
        for (size_t c = 0; all[i]->owned && c < all[i]->count; c++) {
            base_buffer_unref(all[i]->items[c]);
        }
        all[i]->count = 0;
        all[i]->owned = false;
    }
}

// ---------------------------------------------------------------------------------------------------------
// Pieces

static bool add(struct world_picks *picks, struct base_buffer *chunk)
{
    if (!chunk ||
        !reserve((void **)&picks->items, &picks->capacity, picks->count + 1, sizeof(struct base_buffer *))) {
        base_buffer_unref(chunk);
        return false;
    }
    picks->items[picks->count++] = chunk;
    return true;
}

// The bytes of one chunk of the codec as chunks of the frame, none larger than a part.
static bool add_pieces(struct packing *packing, struct world_picks *picks, uint32_t body, bool skin,
                       uint32_t count, size_t size)
{
    struct world_snapshot *snapshot = packing->snapshot;
    const uint32_t most = WORLD_RANGE_BYTES, pieces = (uint32_t)((size + most - 1) / most);
    for (uint32_t piece = 0; piece < pieces; piece++) {
        const size_t from = (size_t)piece * most, left = size - from;
        const struct codec_packed packed = {
            .body = body,
            .count = count,
            .skin = skin,
            .piece = piece,
            .pieces = pieces,
            .data = snapshot->packed + from,
            .size = (uint32_t)(left < most ? left : most),
        };
        const size_t bytes = codec_size_packed(&packed);
        struct base_buffer *buffer = base_buffer_create(bytes, snapshot->budget);
        snapshot->unfit = !buffer && !base_budget_fits(snapshot->budget, bytes);
        if (buffer) {
            codec_encode_packed(&packed, buffer->data);
        }
        if (!add(picks, buffer)) {
            return false;
        }
    }
    return true;
}

// Picks from `from` on as keys as well.
static bool add_same(struct world_snapshot *snapshot, size_t from)
{
    for (size_t c = from; c < snapshot->picks.count; c++) {
        if (!add(&snapshot->keys, base_buffer_ref(snapshot->picks.items[c]))) {
            return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Delta

static size_t plain(const struct packing *packing, uint32_t count)
{
    const struct world_snapshot *snapshot = packing->snapshot;
    return codec_delta_plain(snapshot->gathered, count, packing->out->number, snapshot->packed);
}

static size_t key_of(const struct packing *packing, const struct world_tier_body *body)
{
    const size_t size = body->encoder ? codec_delta_key(body->encoder, packing->snapshot->packed) : 0;
    return size > 0 ? size : plain(packing, body->count);
}

// For all.
static bool pack_next(struct packing *packing, struct world_tier_body *body)
{
    struct world_snapshot *snapshot = packing->snapshot;
    const size_t from = snapshot->picks.count;
    const size_t size = body->encoder
                            ? codec_delta_encode(body->encoder, snapshot->gathered, packing->out->number,
                                                 packing->selection->wish.tolerance, snapshot->packed)
                            : plain(packing, body->count);
    const bool alone = codec_delta_stands_alone(snapshot->packed);
    if (!alone) {
        packing->out->builds_on = packing->selection->tier->number;
    }
    if (!add_pieces(packing, &snapshot->picks, body->body, body->skin, body->count, size)) {
        return false;
    }
    if (packing->purpose != WORLD_FOR_ALL_KEYS) {
        return true;
    }
    return alone ? add_same(snapshot, from)
                 : add_pieces(packing, &snapshot->keys, body->body, body->skin, body->count,
                              key_of(packing, body));
}

// For some, by an encoder that remembers nothing, unless the present is what the last frame was of.
static bool pack_alone(struct packing *packing, const struct world_tier_mesh *mesh, uint32_t body, bool skin)
{
    struct world_snapshot *snapshot = packing->snapshot;
    struct codec_plan *plan = NULL;
    struct codec_encoder *encoder = NULL;
    if (codec_plan_create(mesh->count, mesh->corners, mesh->indices, mesh->element_count, &plan) ==
        CODEC_OK) {
        encoder = codec_encoder_create(plan);
    }
    const size_t size = encoder ? codec_delta_encode(encoder, snapshot->gathered, packing->out->number,
                                                     packing->selection->wish.tolerance, snapshot->packed)
                                : plain(packing, mesh->count);
    codec_encoder_destroy(encoder);
    codec_plan_destroy(plan);
    return add_pieces(packing, &snapshot->picks, body, skin, mesh->count, size);
}

static bool pack_delta(struct packing *packing, uint32_t body, bool skin)
{
    struct world_snapshot *snapshot = packing->snapshot;
    struct world_selection *selection = packing->selection;
    struct world_tier_mesh mesh;
    world_tier_mesh(snapshot->document, body, skin, selection->wish.nth, &mesh);
    if (packing->purpose == WORLD_FOR_SOME && !packing->of_last) {
        return pack_alone(packing, &mesh, body, skin);
    }
    struct world_tier_body *item =
        world_tier_take(selection->tier, &mesh, body, skin, snapshot->hash, snapshot->tier_bytes);
    if (packing->purpose == WORLD_FOR_SOME) {
        return add_pieces(packing, &snapshot->picks, body, skin, mesh.count, key_of(packing, item));
    }
    return pack_next(packing, item);
}

// ---------------------------------------------------------------------------------------------------------
// Bodies

static bool pack(struct packing *packing, const struct document_thing *body, bool skin)
{
    struct world_snapshot *snapshot = packing->snapshot;
    const struct world_wish *wish = &packing->selection->wish;
    const uint32_t all = skin ? document_skin_count(body->skin) : body->particle_count;
    const uint32_t count = all / wish->nth + (all % wish->nth != 0);
    const bool delta = wish->encoding == WORLD_DELTA;
    if (count == 0) {
        return true;
    }
    if (!reserve((void **)&snapshot->gathered, &snapshot->gathered_capacity, 3 * (size_t)count,
                 sizeof *snapshot->gathered) ||
        !reserve((void **)&snapshot->packed, &snapshot->packed_capacity,
                 delta ? codec_delta_bound(count) : codec_q16_bound(count), 1) ||
        !world_gather(snapshot, body, skin ? WORLD_ARRAY_SKIN : WORLD_ARRAY_POSITIONS, 0, count, wish->nth,
                      snapshot->gathered)) {
        return false;
    }
    return delta ? pack_delta(packing, body->id, skin)
                 : add_pieces(packing, &snapshot->picks, body->id, skin, count,
                              codec_q16_encode(snapshot->gathered, count, snapshot->packed));
}

static bool pack_all(struct packing *packing)
{
    const struct world_snapshot *snapshot = packing->snapshot;
    const uint32_t count = world_gather_body_count(snapshot, packing->selection);
    const uint32_t fields = packing->selection->wish.fields;
    for (uint32_t i = 0; i < count; i++) {
        const struct document_thing *body = world_gather_body(snapshot, packing->selection, i);
        if (body &&
            (((fields & PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_POSITIONS) && !pack(packing, body, false)) ||
             ((fields & PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_SKIN) && !pack(packing, body, true)))) {
            return false;
        }
    }
    return true;
}

static bool is_of(const struct world_tier *tier, const struct world_snapshot *snapshot)
{
    return tier->number != 0 && tier->tick == snapshot->moment.tick &&
           tier->substep == snapshot->moment.substep && tier->revision == snapshot->moment.revision &&
           tier->sim == snapshot->document->sim;
}

static bool tier_begin(struct packing *packing)
{
    struct world_selection *selection = packing->selection;
    struct world_snapshot *snapshot = packing->snapshot;
    if (!selection->tier) {
        selection->tier = world_tier_create();
    }
    if (!snapshot->hash) {
        snapshot->hash = base_hash_create();
    }
    if (!selection->tier || !snapshot->hash ||
        !world_tier_begin(selection->tier, 2 * world_gather_body_count(snapshot, selection),
                          snapshot->document)) {
        return false;
    }
    packing->of_last = packing->purpose == WORLD_FOR_SOME && is_of(selection->tier, snapshot);
    packing->out->number = packing->of_last ? selection->tier->number : ++snapshot->number;
    return true;
}

static void tier_end(struct packing *packing, bool made)
{
    struct world_tier *tier = packing->selection->tier;
    struct world_snapshot *snapshot = packing->snapshot;
    if (packing->purpose == WORLD_FOR_SOME && !packing->of_last) {
        return;
    }
    if (!made) {
        world_tier_drop(tier, snapshot->tier_bytes);
        return;
    }
    world_tier_end(tier, snapshot->document, snapshot->tier_bytes);
    tier->number = packing->out->number;
    tier->tick = snapshot->moment.tick;
    tier->substep = snapshot->moment.substep;
    tier->revision = snapshot->moment.revision;
}

void world_packed_missed(struct world_snapshot *snapshot, struct world_selection *selection)
{
    if (selection->tier) {
        world_tier_drop(selection->tier, snapshot->tier_bytes);
    }
}

bool world_packed_pick(struct world_snapshot *snapshot, struct world_selection *selection,
                       enum world_purpose purpose, struct world_packed *out)
{
    struct packing packing = {snapshot, selection, purpose, out, false};
    const bool delta = selection->wish.encoding == WORLD_DELTA;
    *out = (struct world_packed){0};
    world_packed_let_go(snapshot);
    snapshot->picks.owned = snapshot->keys.owned = true;
    if (delta && !tier_begin(&packing)) {
        return false;
    }
    const bool made = pack_all(&packing);
    if (delta) {
        tier_end(&packing, made);
    }
    if (!made) {
        world_packed_let_go(snapshot);
    }
    return made;
}
