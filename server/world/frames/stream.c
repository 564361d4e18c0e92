// Keeps streams by ascending id, and the selections that they share.
//
// Two streams that ask for the same (struct world_stream_options) refer to one selection, so that a frame is
// made once for both. Each stream has its own rate, except that for delta the rate is a part of the options.
//
// Invariant: a selection's `streams` is the number of streams that refer to it; at 0 it is freed.
#include "world/frames/stream.h"

#include "base/assert.h"
#include "base/search.h"
#include "protocol/array/reserve.h"
#include "world/frames/lossless.h"
#include "world/frames/tier.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------
// Selections

static int id_compare(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

static uint32_t ids_unique(uint32_t *ids, uint32_t count)
{
    if (count == 0) {
        return 0;
    }
    qsort(ids, count, sizeof *ids, id_compare);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < count; i++) {
        if (ids[i] != ids[kept - 1]) {
            ids[kept++] = ids[i];
        }
    }
    return kept;
}

static void selection_destroy(struct world_streams *streams, struct world_selection *selection)
{
    BASE_ASSERT(selection->shot_count == 0);
    world_tier_destroy(selection->tier, &streams->cuts);
    for (uint32_t f = 0; f < sizeof selection->own / sizeof *selection->own; f++) {
        BASE_ASSERT(!selection->own[f].begun);
        free(selection->own[f].first);
        free((void *)selection->own[f].chunks);
    }
    free(selection->options.bodies);
    free(selection->shots);
    free(selection);
}

bool world_stream_options_unshared(const struct world_stream_options *options)
{
    return options->encoding != WORLD_F32 || options->nth > 1 || options->boxed;
}

static bool differ(double one, double other)
{
    return one < other || one > other;
}

static bool boxes_equal(const double one[6], const double other[6])
{
    for (int i = 0; i < 6; i++) {
        if (differ(one[i], other[i])) {
            return false;
        }
    }
    return true;
}

static bool options_equal(const struct world_stream_options *one, const struct world_stream_options *other)
{
    return one->arrays == other->arrays && one->encoding == other->encoding &&
           !differ((double)one->tolerance, (double)other->tolerance) && one->fields == other->fields &&
           one->nth == other->nth && one->boxed == other->boxed && boxes_equal(one->box, other->box) &&
           one->sparse == other->sparse && one->every == other->every && one->substeps == other->substeps &&
           one->all == other->all && one->body_count == other->body_count &&
           (one->body_count == 0 ||
            memcmp(one->bodies, other->bodies, one->body_count * sizeof *one->bodies) == 0);
}

static struct world_selection *find_equal(const struct world_streams *streams,
                                          struct world_stream_options *options)
{
    options->body_count = ids_unique(options->bodies, options->body_count);
    for (uint32_t i = 0; i < streams->selection_count; i++) {
        if (options_equal(&streams->selections[i]->options, options)) {
            return streams->selections[i];
        }
    }
    return NULL;
}

// Counts for each selection how many streams the session has of it.
static void count_streams(struct world_streams *streams, uint32_t session)
{
    for (uint32_t i = 0; i < streams->selection_count; i++) {
        streams->selections[i]->counted = 0;
    }
    for (uint32_t i = 0; i < streams->count; i++) {
        streams->items[i].selection->counted += streams->items[i].session == session;
    }
}

bool world_streams_full(struct world_streams *streams, uint32_t session, struct world_stream_options *options,
                        const struct world_selection *leaves)
{
    uint32_t count = 0, alone = 0;
    if (!world_stream_options_unshared(options) || find_equal(streams, options)) {
        return false;
    }
    count_streams(streams, session);
    for (uint32_t i = 0; i < streams->selection_count; i++) {
        const struct world_selection *selection = streams->selections[i];
        if (world_stream_options_unshared(&selection->options) &&
            (selection != leaves || selection->streams > 1)) {
            count++;
            alone += selection->counted == selection->streams;
        }
    }
    return count + alone >= PROTOCOL_LIMIT_STREAM_TIERS;
}

struct world_selection *world_selection_get(struct world_streams *streams,
                                            struct world_stream_options *options)
{
    struct world_selection *selection = find_equal(streams, options);
    if (selection) {
        selection->streams++;
        goto cleanup;
    }
    if (!array_reserve(&streams->selections, &streams->selection_capacity, streams->selection_count + 1)) {
        goto cleanup;
    }
    selection = calloc(1, sizeof *selection);
    if (!selection) {
        goto cleanup;
    }
    selection->streams = 1;
    selection->options = *options;
    options->bodies = NULL;
    streams->selections[streams->selection_count++] = selection;
cleanup:
    free(options->bodies);
    options->bodies = NULL;
    return selection;
}

void world_selection_put(struct world_streams *streams, struct world_selection *selection)
{
    BASE_ASSERT(selection->streams > 0);
    if (--selection->streams > 0) {
        return;
    }
    for (uint32_t i = 0; i < streams->selection_count; i++) {
        if (streams->selections[i] == selection) {
            streams->selections[i] = streams->selections[--streams->selection_count];
            break;
        }
    }
    selection_destroy(streams, selection);
}

// ---------------------------------------------------------------------------------------------------------
// Streams

// Returns the index of the first stream whose id is not less. Ids nearly always come in ascending order.
static uint32_t stream_place(const struct world_streams *streams, uint32_t id)
{
    uint32_t place;
    BASE_SEARCH(place, streams->count, streams->items[at].id < id);
    return place;
}

bool world_streams_reserve(struct world_streams *streams)
{
    return array_reserve(&streams->items, &streams->capacity, streams->count + 1);
}

void world_streams_add(struct world_streams *streams, const struct world_stream *stream)
{
    BASE_ASSERT(streams->count < streams->capacity);
    uint32_t place = stream_place(streams, stream->id);
    BASE_ASSERT(place == streams->count || streams->items[place].id != stream->id);
    memmove(streams->items + place + 1, streams->items + place,
            (streams->count - place) * sizeof *streams->items);
    streams->items[place] = *stream;
    streams->count++;
}

void world_stream_select(struct world_streams *streams, struct world_stream *stream,
                         struct world_selection *selection)
{
    world_selection_put(streams, stream->selection);
    stream->selection = selection;
    stream->fresh = true;
    stream->asks = false; // it had asked for a key of the old selection
    // Frames of the old selection were too large. That is still told, but it does not end a stream of the new
    // one.
    if (stream->lack == WORLD_LACK_SIZE) {
        stream->lack = WORLD_LACK_SUBSTEPS;
    }
}

struct world_stream *world_streams_find(const struct world_streams *streams, uint32_t id)
{
    uint32_t place = stream_place(streams, id);
    return place < streams->count && streams->items[place].id == id ? &streams->items[place] : NULL;
}

static void stream_deinit(struct world_streams *streams, struct world_stream *stream)
{
    world_lossless_destroy(stream->lossless);
    world_selection_put(streams, stream->selection);
    world_payer_put(stream->payer);
}

void world_streams_remove(struct world_streams *streams, uint32_t id)
{
    struct world_stream *stream = world_streams_find(streams, id);
    BASE_ASSERT(stream);
    stream_deinit(streams, stream);
    size_t after = (size_t)(streams->items + streams->count - (stream + 1));
    memmove(stream, stream + 1, after * sizeof *stream);
    streams->count--;
}

void world_streams_remove_session(struct world_streams *streams, uint32_t session)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < streams->count; i++) {
        if (streams->items[i].session == session) {
            stream_deinit(streams, &streams->items[i]);
        } else {
            streams->items[kept++] = streams->items[i];
        }
    }
    streams->count = kept;
}

void world_streams_deinit(struct world_streams *streams)
{
    for (uint32_t i = 0; i < streams->count; i++) {
        world_lossless_destroy(streams->items[i].lossless);
    }
    for (uint32_t i = 0; i < streams->selection_count; i++) {
        selection_destroy(streams, streams->selections[i]);
    }
    world_cuts_deinit(&streams->cuts);
    world_effort_deinit(&streams->effort);
    free((void *)streams->selections);
    free(streams->items);
    *streams = (struct world_streams){0};
}
