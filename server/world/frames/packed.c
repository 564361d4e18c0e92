// Encodes chunks of frames with compact positions.
//
//     body ─ gather ─▶ floats ─▶ | tile | tile | tile |      those that the box has, on as many threads as there are
//                                    │ codec
//                                    ├──▶ bytes ─▶ picks                  for all: builds on the frame before
//                                    └──▶ the same as a key ─▶ keys       for new streams, and for those that missed a frame
//
// Frames of delta have numbers, which rise within a world over all of its streams. So a stream never takes
// another frame for the one that it should build on. net/streams.c knows what was sent before, so it decides
// which of both variants a stream is sent. It leaves out what cannot be used, and asks for a key.
//
// If the stream is sparse, a tile in which nothing has changed is left out, and its encoder stays as it is: for both sides the next
// chunk builds on the last one that was made. The frame builds on the one before in any case, because what it leaves out
// has to be there.
//
// Chunks of q16 stand alone. If the stream is sparse, one that has the bytes of the last one is left out as well, and the frame
// builds on the one before.
//
// A body that has no encoders (tier.h) is sent as it is, which stands alone as well. A tile that the box has
// left is forgotten, and comes back as a key.
#include "world/frames/packed.h"

#include "base/assert.h"
#include "base/parallel.h"
#include "document/document.h"
#include "protocol/array/reserve.h"
#include "world/frames/chain.h"
#include "world/frames/effort.h"
#include "world/frames/gather.h"

#include <stdlib.h>
#include <string.h>

enum packing_way {
    PACKING_Q16,
    PACKING_NEXT,         // builds on the frame before
    PACKING_NEXT_AND_KEY, // the same, and once more as a key
    PACKING_LAST,         // the moment of the frame before, as a key
};

// A tile of the body under way. It has its own output memory, so that tiles are independent.
struct world_tile {
    bool wanted;
    bool may_stay; // it is left out if it is as in the frame before
    bool stays;    // it is left out
    uint32_t count;
    const uint32_t *vertices; // NULL: all, in their order
    const float *from;        // positions of the body
    float *positions;         // positions of the tile
    struct codec_encoder *encoder;
    enum packing_way way;
    uint64_t number;
    float tolerance;
    uint8_t *bytes, *key;
    size_t size, key_size; // key_size 0: `bytes` stands alone, or no key is wanted
};

// Any chunk of the codec fits into a part of a frame.
_Static_assert(48 + 12 * CODEC_TILE_MAX <= WORLD_RANGE_BYTES, "tiles");

struct packing {
    struct world_snapshot *snapshot;
    struct world_selection *selection;
    enum world_purpose purpose;
    struct world_packed *out;
    struct world_chain chain;
    uint64_t *sums; // of the body under way (tier.h)
};

void world_packed_let_go(struct world_snapshot *snapshot)
{
    struct world_picks *all[2] = {&snapshot->picks, &snapshot->keys};
    for (int i = 0; i < 2; i++) {
        for (size_t c = 0; all[i]->owned && c < all[i]->count; c++) {
            base_buffer_unref(all[i]->items[c]);
        }
        all[i]->count = all[i]->left_out = 0;
        all[i]->owned = false;
    }
}

// ---------------------------------------------------------------------------------------------------------
// Tiles

static size_t key_of(const struct world_tile *tile, uint8_t *out)
{
    const size_t size = tile->encoder ? codec_delta_key(tile->encoder, out) : 0;
    return size > 0 ? size : codec_delta_plain(tile->positions, tile->count, tile->number, out);
}

static void encode(struct world_tile *tile)
{
    tile->stays = tile->may_stay && tile->encoder &&
                  codec_delta_unchanged(tile->encoder, tile->positions, tile->tolerance);
    if (tile->stays) {
        tile->key_size = tile->way == PACKING_NEXT_AND_KEY ? key_of(tile, tile->key) : 0;
        return;
    }
    switch (tile->way) {
    case PACKING_Q16:
        tile->size = codec_q16_encode(tile->positions, tile->count, tile->bytes);
        break;
    case PACKING_NEXT:
    case PACKING_NEXT_AND_KEY:
        tile->size = tile->encoder
                         ? codec_delta_encode(tile->encoder, tile->positions, tile->number, tile->tolerance,
                                              tile->bytes)
                         : codec_delta_plain(tile->positions, tile->count, tile->number, tile->bytes);
        if (tile->way == PACKING_NEXT_AND_KEY && !codec_delta_stands_alone(tile->bytes)) {
            tile->key_size = key_of(tile, tile->key);
        }
        break;
    case PACKING_LAST:
        tile->size = key_of(tile, tile->bytes);
        break;
    }
}

static void encode_task(void *context, uint32_t index)
{
    struct world_tile *tile = (struct world_tile *)context + index;
    if (!tile->wanted) {
        return;
    }
    for (uint32_t i = 0; tile->vertices && i < tile->count; i++) {
        memcpy(tile->positions + 3 * (size_t)i, tile->from + 3 * (size_t)tile->vertices[i],
               3 * sizeof *tile->positions);
    }
    encode(tile);
}

static bool is_in_box(const struct world_tile *tile, const double box[6])
{
    for (uint32_t i = 0; i < tile->count; i++) {
        const float *at = tile->from + 3 * (size_t)tile->vertices[i];
        if (world_box_has(box, (const double[3]){(double)at[0], (double)at[1], (double)at[2]})) {
            return true;
        }
    }
    return false;
}

static size_t bound_of(const struct packing *packing, uint32_t count)
{
    return packing->selection->options.encoding == WORLD_DELTA ? codec_delta_bound(count)
                                                               : codec_q16_bound(count);
}

static enum packing_way way_of(const struct packing *packing)
{
    if (packing->selection->options.encoding != WORLD_DELTA) {
        return PACKING_Q16;
    }
    return packing->chain.of_last                   ? PACKING_LAST
           : packing->purpose == WORLD_FOR_ALL_KEYS ? PACKING_NEXT_AND_KEY
                                                    : PACKING_NEXT;
}

static bool reserve_tiles(const struct packing *packing, uint32_t count, uint32_t tile_count)
{
    struct world_snapshot *snapshot = packing->snapshot;
    const size_t bound = tile_count * bound_of(packing, 0) + bound_of(packing, count);
    const size_t bytes = way_of(packing) == PACKING_NEXT_AND_KEY ? 2 * bound : bound;
    return array_reserve(&snapshot->tiles, &snapshot->tile_capacity, tile_count) &&
           array_reserve(&snapshot->packed, &snapshot->packed_capacity, bytes) &&
           (tile_count == 1 ||
            array_reserve(&snapshot->tiled, &snapshot->tiled_capacity, 3 * (uint64_t)count));
}

// Lays the tiles of a gathered body out. cut: NULL if there is one tile and nothing of it is remembered.
static void lay_out(const struct packing *packing, uint32_t count, const struct world_cut *cut,
                    struct codec_encoder *const *encoders)
{
    struct world_snapshot *snapshot = packing->snapshot;
    const struct world_stream_options *options = &packing->selection->options;
    const uint32_t tile_count = codec_tiles_expected(count);
    uint8_t *bytes = snapshot->packed;
    float *positions = snapshot->tiled;
    for (uint32_t t = 0; t < tile_count; t++) {
        struct world_tile *tile = &snapshot->tiles[t];
        *tile = (struct world_tile){.wanted = true,
                                    .may_stay = packing->chain.sparse,
                                    .count = count,
                                    .from = snapshot->gathered,
                                    .positions = snapshot->gathered,
                                    .encoder = encoders ? encoders[t] : NULL,
                                    .way = way_of(packing),
                                    .number = packing->out->number,
                                    .tolerance = options->tolerance,
                                    .bytes = bytes};
        if (tile_count > 1) {
            tile->vertices = codec_tile_vertices(cut->tiles, t, &tile->count);
            tile->positions = positions;
            positions += 3 * (size_t)tile->count;
            tile->wanted = !options->boxed || is_in_box(tile, options->box);
        }
        bytes += bound_of(packing, tile->count);
        if (tile->way == PACKING_NEXT_AND_KEY) {
            tile->key = bytes;
            bytes += bound_of(packing, tile->count);
        }
        if (!tile->wanted && tile->encoder && tile->way != PACKING_LAST) {
            codec_encoder_forget(tile->encoder);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------
// Chunks

static bool add(struct world_picks *picks, struct base_buffer *chunk)
{
    if (!chunk || !array_reserve(&picks->items, &picks->capacity, picks->count + 1)) {
        base_buffer_unref(chunk);
        return false;
    }
    picks->items[picks->count++] = chunk;
    return true;
}

static bool add_chunk(struct packing *packing, struct world_picks *picks, const struct codec_packed *packed)
{
    struct world_snapshot *snapshot = packing->snapshot;
    const size_t bytes = codec_size_packed(packed);
    struct base_buffer *buffer = base_buffer_create(bytes, snapshot->budget);
    snapshot->unfit = !buffer && !base_budget_fits(snapshot->budget, bytes);
    if (buffer) {
        codec_encode_packed(packed, buffer->data);
    }
    return add(picks, buffer);
}

// Whether the chunk has the bytes of the last one, which the next one is compared with this.
static bool is_as_before(const struct packing *packing, const struct world_tile *tile, uint32_t index)
{
    struct base_hash *hash = packing->snapshot->hash;
    base_hash_reset(hash);
    base_hash_bytes(hash, tile->bytes, tile->size);
    const uint64_t sum = base_hash_digest(hash) | 1, before = packing->sums[index];
    packing->sums[index] = sum;
    return packing->chain.sparse && sum == before;
}

// Adds a tile of sparse q16 as a pick, unless it is as before, and as a key if keys are wanted.
static bool add_sparse(struct packing *packing, const struct world_tile *tile, struct codec_packed *packed)
{
    struct world_picks *picks = &packing->snapshot->picks, *keys = &packing->snapshot->keys;
    const bool with_key = packing->purpose == WORLD_FOR_ALL_KEYS;
    if (is_as_before(packing, tile, packed->tile)) {
        packing->out->builds_on = packing->selection->tier->number;
        picks->left_out++;
        return !with_key || add_chunk(packing, keys, packed);
    }
    return add_chunk(packing, picks, packed) &&
           (!with_key || add(keys, base_buffer_ref(picks->items[picks->count - 1])));
}

// Adds a tile as a pick, and as a key if keys are wanted. A chunk that stands alone but needs the body to be
// read tells the hash of its elements.
static bool add_tile(struct packing *packing, const struct world_tile *tile, struct codec_packed *packed)
{
    struct world_picks *picks = &packing->snapshot->picks, *keys = &packing->snapshot->keys;
    packed->count = tile->count;
    if (tile->stays) {
        packing->out->builds_on = packing->selection->tier->number;
        picks->left_out++;
        packed->hashed = true;
        packed->data = tile->key;
        packed->size = (uint32_t)tile->key_size;
        return tile->way != PACKING_NEXT_AND_KEY || add_chunk(packing, keys, packed);
    }
    const bool q16 = tile->way == PACKING_Q16;
    packed->hashed = q16 ? packed->tiles > 1 : codec_delta_stands_alone(tile->bytes);
    packed->data = tile->bytes;
    packed->size = (uint32_t)tile->size;
    if (q16 && packing->sums) {
        return add_sparse(packing, tile, packed);
    }
    if (!q16 && !packed->hashed) {
        packing->out->builds_on = packing->selection->tier->number;
    }
    if (!add_chunk(packing, picks, packed)) {
        return false;
    }
    if (tile->way != PACKING_NEXT_AND_KEY) {
        return true;
    }
    if (tile->key_size == 0) {
        return add(keys, base_buffer_ref(picks->items[picks->count - 1]));
    }
    packed->hashed = true;
    packed->data = tile->key;
    packed->size = (uint32_t)tile->key_size;
    return add_chunk(packing, keys, packed);
}

static void count_work(struct packing *packing, uint32_t tile_count)
{
    struct world_snapshot *snapshot = packing->snapshot;
    for (uint32_t t = 0; t < tile_count; t++) {
        const struct world_tile *tile = &snapshot->tiles[t];
        const uint64_t price = tile->way == PACKING_Q16            ? WORLD_PRICE_Q16
                               : tile->way == PACKING_NEXT_AND_KEY ? 2 * WORLD_PRICE_DELTA
                                                                   : WORLD_PRICE_DELTA;
        snapshot->work += tile->wanted ? WORLD_PRICE_CHUNK + tile->count * price : 0;
    }
}

static bool pack_tiles(struct packing *packing, const struct world_mesh *mesh, uint32_t elements_hash,
                       const struct world_cut *cut, struct codec_encoder *const *encoders)
{
    struct world_snapshot *snapshot = packing->snapshot;
    struct base_parallel *parallel = snapshot->parallel;
    const uint32_t tile_count = codec_tiles_expected(mesh->count);
    if ((tile_count > 1 && !cut) || !reserve_tiles(packing, mesh->count, tile_count)) {
        return false;
    }
    lay_out(packing, mesh->count, cut, encoders);
    count_work(packing, tile_count);
    if (tile_count > 1 && parallel && parallel->width > 1) {
        parallel->run(parallel, tile_count, encode_task, snapshot->tiles);
    } else {
        for (uint32_t t = 0; t < tile_count; t++) {
            encode_task(snapshot->tiles, t);
        }
    }
    for (uint32_t t = 0; t < tile_count; t++) {
        struct codec_packed packed = {.body = mesh->body,
                                      .skin = mesh->skin,
                                      .elements_hash = elements_hash,
                                      .tile = t,
                                      .tiles = tile_count};
        if (snapshot->tiles[t].wanted && !add_tile(packing, &snapshot->tiles[t], &packed)) {
            return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Bodies

// Counts the making of tiles, plans and encoders as work, by their bytes.
static void count_memory(struct world_snapshot *snapshot, size_t bytes_before)
{
    const size_t bytes = snapshot->cuts->bytes;
    snapshot->work += bytes > bytes_before ? (bytes - bytes_before) * WORLD_PRICE_MEMORY : 0;
}

// Encodes a body for some streams only, with encoders that are not kept.
static bool pack_alone(struct packing *packing, const struct world_mesh *mesh)
{
    struct world_snapshot *snapshot = packing->snapshot;
    const size_t bytes_before = snapshot->cuts->bytes;
    const bool delta = packing->selection->options.encoding == WORLD_DELTA;
    struct world_cut *cut =
        world_cut_get(snapshot->cuts, mesh, world_tier_shape(mesh, snapshot->hash), delta);
    count_memory(snapshot, bytes_before);
    struct codec_encoder **encoders = delta && cut && cut->with_plans ? world_encoders_create(cut) : NULL;
    const uint32_t elements_hash = world_tier_elements_hash(snapshot->document, mesh->body, snapshot->hash);
    const bool made = pack_tiles(packing, mesh, elements_hash, cut, encoders);
    world_encoders_destroy(encoders, cut);
    world_cut_put(snapshot->cuts, cut);
    return made;
}

static bool pack(struct packing *packing, const struct document_thing *body, bool skin)
{
    struct world_snapshot *snapshot = packing->snapshot;
    const struct world_selection *selection = packing->selection;
    const uint32_t nth = selection->options.nth,
                   all = skin ? document_skin_count(body->skin) : body->particle_count;
    const bool delta = selection->options.encoding == WORLD_DELTA;
    const bool chained = world_stream_chained(&selection->options);
    struct world_mesh mesh;
    packing->sums = NULL;
    if (all == 0) {
        return true;
    }
    world_tier_mesh(snapshot->document, body->id, skin, nth, &mesh);
    if (!array_reserve(&snapshot->gathered, &snapshot->gathered_capacity, 3 * (uint64_t)mesh.count) ||
        !world_gather(snapshot, body, skin ? WORLD_ARRAY_SKIN : WORLD_ARRAY_POSITIONS, 0, mesh.count, nth,
                      snapshot->gathered)) {
        return false;
    }
    if (!chained && codec_tiles_expected(mesh.count) == 1) {
        return pack_tiles(packing, &mesh, 0, NULL, NULL);
    }
    if (chained && packing->purpose == WORLD_FOR_SOME && !packing->chain.of_last) {
        return pack_alone(packing, &mesh);
    }
    const size_t bytes_before = snapshot->cuts->bytes;
    struct world_tier_body *item =
        world_tier_take(selection->tier, &mesh, delta, snapshot->hash, snapshot->cuts);
    count_memory(snapshot, bytes_before);
    if (chained && !delta && !item->sums) {
        item->sums = calloc(codec_tiles_expected(mesh.count), sizeof *item->sums);
    }
    packing->sums = item->sums;
    return pack_tiles(packing, &mesh, item->elements_hash, item->cut, item->encoders);
}

static bool pack_all(struct packing *packing)
{
    const struct world_snapshot *snapshot = packing->snapshot;
    const uint32_t count = world_gather_body_count(snapshot, packing->selection);
    const uint32_t fields = packing->selection->options.fields;
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

void world_packed_missed(struct world_snapshot *snapshot, struct world_selection *selection)
{
    if (selection->tier) {
        world_tier_drop(selection->tier, snapshot->cuts);
    }
}

bool world_packed_pick(struct world_snapshot *snapshot, struct world_selection *selection,
                       enum world_purpose purpose, struct world_packed *out)
{
    struct packing packing = {snapshot, selection, purpose, out, {false, false}, NULL};
    *out = (struct world_packed){0};
    world_packed_let_go(snapshot);
    if (!world_chain_begin(snapshot, selection, purpose, &packing.chain, out)) {
        return false;
    }
    // Set only here: from now on they are released whatever happens. Picks of frames that are not compact are
    // not owned.
    snapshot->picks.owned = snapshot->keys.owned = true;
    const bool made = pack_all(&packing);
    world_chain_end(snapshot, selection, purpose, &packing.chain, out, made);
    if (!made) {
        world_packed_let_go(snapshot);
    }
    return made;
}
