// Cuts bodies into tiles. All streams of a world share these cuts.
//
// A cut of a large body takes milliseconds and is the same for every stream, so it is found by body and
// shape. A body of one tile has hardly more to share than its plan, so each stream makes its own.
#include "world/frames/cuts.h"

#include "base/assert.h"
#include "protocol/array/reserve.h"
#include "protocol/codec/codec.h"
#include "protocol/generated/api.h"

#include <stdlib.h>

bool world_cuts_fit(const struct world_cuts *cuts, size_t bytes)
{
    return cuts->bytes <= PROTOCOL_LIMIT_STREAM_TIER_BYTES &&
           bytes <= PROTOCOL_LIMIT_STREAM_TIER_BYTES - cuts->bytes;
}

static struct world_cut *find(const struct world_cuts *cuts, const struct world_mesh *mesh, uint64_t shape,
                              bool with_plans)
{
    for (uint32_t i = 0; i < cuts->count; i++) {
        struct world_cut *cut = cuts->items[i];
        if (cut->body == mesh->body && cut->skin == mesh->skin && cut->count == mesh->count &&
            cut->shape == shape && (cut->with_plans || !with_plans)) {
            return cut;
        }
    }
    return NULL;
}

static bool list(struct world_cuts *cuts, struct world_cut *cut)
{
    if (!array_reserve(&cuts->items, &cuts->capacity, cuts->count + 1)) {
        return false;
    }
    cuts->items[cuts->count++] = cut;
    return true;
}

static bool is_shared(const struct world_cut *cut)
{
    return codec_tiles_expected(cut->count) > 1;
}

static bool tiles_make(struct world_cut *cut, const struct world_mesh *mesh)
{
    return codec_tiles_create(mesh->count, mesh->corners, mesh->indices, mesh->element_count, cut->with_plans,
                              &cut->tiles) == CODEC_OK;
}

static size_t plans_bytes(uint32_t count)
{
    return codec_tiles_expected(count) * codec_plan_bytes(0) + codec_plan_bytes(count);
}

struct world_cut *world_cut_get(struct world_cuts *cuts, const struct world_mesh *mesh, uint64_t shape,
                                bool with_plans)
{
    const size_t plain = sizeof(struct world_cut) + codec_tiles_bytes(mesh->count),
                 planned = plain + plans_bytes(mesh->count);
    struct world_cut *cut = find(cuts, mesh, shape, with_plans);
    const bool plans = with_plans && world_cuts_fit(cuts, planned);
    if (!cut && !plans) {
        cut = find(cuts, mesh, shape, false);
    }
    if (cut) {
        cut->references++;
        return cut;
    }
    cut = malloc(sizeof *cut);
    if (!cut) {
        return NULL;
    }
    *cut = (struct world_cut){.references = 1,
                              .body = mesh->body,
                              .skin = mesh->skin,
                              .with_plans = plans,
                              .count = mesh->count,
                              .shape = shape,
                              .bytes = plans ? planned : plain};
    if (!tiles_make(cut, mesh) || (is_shared(cut) && !list(cuts, cut))) {
        codec_tiles_destroy(cut->tiles);
        free(cut);
        return NULL;
    }
    cuts->bytes += cut->bytes;
    return cut;
}

void world_cut_put(struct world_cuts *cuts, struct world_cut *cut)
{
    if (!cut || --cut->references > 0) {
        return;
    }
    for (uint32_t i = 0; is_shared(cut) && i < cuts->count; i++) {
        if (cuts->items[i] == cut) {
            cuts->items[i] = cuts->items[--cuts->count];
            break;
        }
    }
    cuts->bytes -= cut->bytes;
    codec_tiles_destroy(cut->tiles);
    free(cut);
}

void world_cuts_deinit(struct world_cuts *cuts)
{
    BASE_ASSERT(cuts->count == 0 && cuts->bytes == 0);
    free((void *)cuts->items);
}
