// Frames that build on the one before: those of delta, and sparse ones of any encoding.
//
// Such frames have numbers, which rise within a world over all of its streams. A frame for only some streams of a selection
// stands alone, and the next one does not build on it, unless it shows the moment of the last one.
#include "world/frames/chain.h"

#include "base/hash.h"
#include "document/document.h"
#include "protocol/array/reserve.h"
#include "world/frames/effort.h"
#include "world/frames/gather.h"
#include "world/frames/tier.h"

// Whether the frame shows the bodies that the last one showed. After an edit all chunks are sent, so a chunk
// that such a frame lacks is gone.
static bool has_same_bodies(const struct world_tier *tier, const struct world_snapshot *snapshot)
{
    return tier->number != 0 && tier->revision == snapshot->moment.revision &&
           tier->sim == snapshot->document->sim;
}

static bool is_of(const struct world_tier *tier, const struct world_snapshot *snapshot)
{
    return has_same_bodies(tier, snapshot) && tier->tick == snapshot->moment.tick &&
           tier->substep == snapshot->moment.substep;
}

bool world_chain_begin(struct world_snapshot *snapshot, struct world_selection *selection,
                       enum world_purpose purpose, struct world_chain *chain, struct world_packed *out)
{
    *chain = (struct world_chain){false, false};
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
    if (world_stream_chained(&selection->options)) {
        chain->of_last = purpose == WORLD_FOR_SOME && is_of(selection->tier, snapshot);
        out->number = chain->of_last ? selection->tier->number : ++snapshot->number;
        chain->sparse = selection->options.sparse && purpose != WORLD_FOR_SOME &&
                        has_same_bodies(selection->tier, snapshot);
    }
    return true;
}

void world_chain_end(struct world_snapshot *snapshot, struct world_selection *selection,
                     enum world_purpose purpose, const struct world_chain *chain,
                     const struct world_packed *out, bool made)
{
    struct world_tier *tier = selection->tier;
    const bool chained = world_stream_chained(&selection->options);
    if (chained && purpose == WORLD_FOR_SOME && !chain->of_last) {
        return;
    }
    if (!made) {
        world_tier_drop(tier, snapshot->cuts);
        return;
    }
    world_tier_end(tier, snapshot->document, snapshot->cuts);
    tier->number = out->number;
    tier->tick = snapshot->moment.tick;
    tier->substep = snapshot->moment.substep;
    tier->revision = snapshot->moment.revision;
}

// Chunks begin with body, first and count, so their place in the list and their bytes say which ones they are.
static void leave_out(struct world_snapshot *snapshot, struct world_tier *tier, bool sparse)
{
    struct world_picks *picks = &snapshot->picks, *keys = &snapshot->keys;
    const bool compares = sparse && picks->count == tier->sum_count;
    size_t kept = 0;
    for (size_t c = 0; c < picks->count; c++) {
        struct base_buffer *chunk = picks->items[c];
        base_hash_reset(snapshot->hash);
        base_hash_bytes(snapshot->hash, chunk->data, chunk->size);
        const uint64_t sum = base_hash_digest(snapshot->hash);
        snapshot->work += chunk->size / 12 * WORLD_PRICE_READ;
        keys->items[c] = chunk;
        if (compares && sum == tier->sums[c]) {
            picks->left_out++;
        } else {
            picks->items[kept++] = chunk;
        }
        tier->sums[c] = sum;
    }
    keys->count = tier->sum_count = picks->count;
    picks->count = kept;
}

bool world_sparse_pick(struct world_snapshot *snapshot, struct world_selection *selection,
                       enum world_purpose purpose, struct world_packed *out)
{
    struct world_picks *picks = &snapshot->picks, *keys = &snapshot->keys;
    struct world_chain chain;
    *out = (struct world_packed){0};
    keys->count = keys->left_out = 0;
    keys->owned = false;
    if (!world_chain_begin(snapshot, selection, purpose, &chain, out)) {
        return false;
    }
    struct world_tier *tier = selection->tier;
    const bool made = array_reserve(&tier->sums, &tier->sum_capacity, picks->count) &&
                      array_reserve(&keys->items, &keys->capacity, picks->count);
    if (made && (purpose != WORLD_FOR_SOME || chain.of_last)) {
        leave_out(snapshot, tier, chain.sparse);
        out->builds_on = picks->left_out > 0 ? tier->number : 0;
    }
    world_chain_end(snapshot, selection, purpose, &chain, out, made);
    return made;
}
