#include "sim/contact/tiles.h"

#include "base/assert.h"
#include "sim/contact/slices.h"
#include "sim/ground/ground.h"
#include "sim/state/rub.h"

enum { ALONE = SIM_TILE_COLORS - 1 }; // the colour of tiles that are pushed one after the other

// ------------------------------------------------------------------------------------------------------ colours

static struct sim_rubs rubs_of(const struct sim *sim, const struct sim_pair_list *list,
                               enum sim_pair_kind kind, uint32_t pair)
{
    const struct sim_body *one = sim_body_of_row(sim, sim_pair_row(list, pair, 0)),
                          *other =
                              sim_body_of_row(sim, sim_pair_row(list, pair, kind == SIM_PAIR_VT ? 1 : 2));
    const struct sim_rub rub = sim_rub_of_features(sim, one, other);
    return (struct sim_rubs){.holds = (float)rub.holds, .slides = (float)rub.slides};
}

// Pairs that touch for the first time get their colours, in the order of the lists.
static void colors_take(struct sim *sim, struct sim_island *island, enum sim_pair_kind kind, uint32_t index)
{
    const struct sim_near_list near = sim_slice_near(island, kind, index);
    const uint32_t *active = sim_slice_active(island, kind, index);
    struct sim_pair_list *list = &island->lists[kind];
    for (uint32_t i = 0; i < island->slices[kind][index].active; i++) {
        struct sim_near_lanes *lanes = &near.lanes[active[i] / SIM_LANES];
        uint32_t lane = active[i] % SIM_LANES;
        if (sim_pair_color(lanes->tag[lane]) == SIM_PAIR_UNCOLORED) {
            const uint32_t pair = lanes->pair[lane];
            lanes->tag[lane] =
                sim_pair_touches(&island->colors, list, sim->rows, pair, rubs_of(sim, list, kind, pair));
        }
    }
    island->slices[kind][index].fresh = 0;
}

// --------------------------------------------------------------------------------------------------------- tiles

// The most batches that contacts take: one for each colour is not full.
static uint32_t batches_of(const struct sim_island *island, uint32_t active)
{
    const uint32_t some = active / SIM_LANES + island->colors.count;
    return active < some ? active : some;
}

static void tile_end(struct sim_island *island, struct sim_push_tile *tile, uint32_t *batches)
{
    tile->first_batch = *batches;
    *batches += batches_of(island, tile->active);
    island->tile_count += tile->active > 0;
}

// Tiles of so many contacts at least. False if they or their batches do not fit.
static bool tiles_part(struct sim_island *island, uint32_t least)
{
    uint32_t batches = 0;
    island->tile_count = 0;
    for (uint32_t kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        struct sim_push_tile *tile = &island->tiles[island->tile_count];
        *tile = (struct sim_push_tile){.kind = kind};
        for (uint32_t s = 0; s < island->near_slices[kind]; s++) {
            tile->active += island->slices[kind][s].active;
            tile->slice_count++;
            if (tile->active >= least && island->tile_count + 2 * SIM_PAIR_KINDS < island->tile_capacity) {
                tile_end(island, tile, &batches);
                tile = &island->tiles[island->tile_count];
                *tile = (struct sim_push_tile){.kind = kind, .first_slice = s + 1};
            }
        }
        tile_end(island, tile, &batches);
    }
    return batches <= island->batch_capacity;
}

// ------------------------------------------------------------------------------------------------------- dealing

// A tile remembers which blocks it has met: seen[block % BLOCKS_SEEN] is one more than the last one there.
enum { BLOCKS_SEEN = 256 };

// Adds the block of a row to those of a tile, if the row is free. Returns false if the tile has too many of them.
static bool block_take(const struct sim *sim, struct sim_push_tile *tile, uint32_t *blocks, uint32_t row,
                       uint32_t seen[BLOCKS_SEEN])
{
    const struct sim_meet *meet = sim->meet;
    const uint32_t block = meet->block_of[row];
    if (!(sim->rows[row].w > 0)) {
        return true;
    }
    seen[block % BLOCKS_SEEN] = block + 1;
    if (tile->block_count == meet->tile_blocks_most) {
        tile->block_count++;
        return false;
    }
    blocks[tile->block_count++] = block;
    return true;
}

// Lists the blocks of the free rows of a tile. Nearly all rows are of a block that the tile has met, so the inner loop does
// nothing else than find that out.
static void blocks_list(const struct sim *sim, const struct sim_island *island, struct sim_push_tile *tile,
                        uint32_t *blocks)
{
    const uint32_t *block_of = sim->meet->block_of;
    uint32_t seen[BLOCKS_SEEN] = {0};
    tile->block_count = 0;
    for (uint32_t b = tile->first_batch; b < tile->first_batch + tile->batch_count; b++) {
        const struct sim_push_lanes *batch = &island->batches[b];
        for (uint32_t lane = 0; lane < batch->count; lane++) {
            for (uint32_t k = 0; k < 4; k++) {
                const uint32_t row = batch->at[k][lane] / SIM_ROW_BYTES, block = block_of[row];
                if (seen[block % BLOCKS_SEEN] != block + 1 && !block_take(sim, tile, blocks, row, seen)) {
                    return;
                }
            }
        }
    }
}

// An island, for a task.
struct tiling {
    struct sim *sim;
    struct sim_island *island;
    struct sim_push_times times;
    uint32_t first; // of tile_order, while it is pushed
};

static void deal_task(void *context, uint32_t index)
{
    const struct tiling *tiling = context;
    struct sim_island *island = tiling->island;
    struct sim_push_tile *tile = &island->tiles[index];
    const enum sim_pair_kind kind = tile->kind;
    tile->batch_count = sim_push_deal(&island->lists[kind], island->colors.slips.items, kind,
                                      island->hands[kind] + tile->first_slice, tile->slice_count,
                                      island->batches + tile->first_batch, batches_of(island, tile->active));
    blocks_list(tiling->sim, island, tile, island->tile_blocks[index]);
}

static void hands_make(struct sim_island *island)
{
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        for (uint32_t s = 0; s < island->near_slices[kind]; s++) {
            island->hands[kind][s] = (struct sim_push_hand){.near = sim_slice_near(island, kind, s).lanes,
                                                            .active = sim_slice_active(island, kind, s),
                                                            .count = island->slices[kind][s].active};
        }
    }
}

// -------------------------------------------------------------------------------------------------- tile colours

// The lowest colour that no tile has that shares a block with it.
static void tile_color(struct sim_meet *meet, struct sim_push_tile *tile, const uint32_t *blocks)
{
    uint64_t used = (uint64_t)1 << ALONE;
    tile->color = ALONE;
    if (tile->block_count > meet->tile_blocks_most) {
        return;
    }
    for (uint32_t i = 0; i < tile->block_count; i++) {
        used |= meet->block_colors[blocks[i]];
    }
    if (~used == 0) {
        return;
    }
    tile->color = (uint32_t)__builtin_ctzll(~used);
    for (uint32_t i = 0; i < tile->block_count; i++) {
        meet->block_colors[blocks[i]] |= (uint64_t)1 << tile->color;
    }
}

// By colour, then in their order.
static void tiles_sort(struct sim_island *island)
{
    uint32_t *first = island->tile_first;
    memset(first, 0, sizeof island->tile_first);
    for (uint32_t t = 0; t < island->tile_count; t++) {
        first[island->tiles[t].color + 1]++;
    }
    for (uint32_t color = 0; color < SIM_TILE_COLORS; color++) {
        first[color + 1] += first[color];
    }
    uint32_t next[SIM_TILE_COLORS];
    memcpy(next, first, sizeof next);
    for (uint32_t t = 0; t < island->tile_count; t++) {
        island->tile_order[next[island->tiles[t].color]++] = t;
    }
}

void sim_tiles_make(struct sim *sim, struct sim_island *island)
{
    struct sim_meet *meet = sim->meet;
    for (uint32_t kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        for (uint32_t s = 0; s < island->near_slices[kind]; s++) {
            if (island->slices[kind][s].fresh > 0) {
                colors_take(sim, island, (enum sim_pair_kind)kind, s);
            }
        }
    }
    hands_make(island);
    // If contacts have so many colours that small tiles take too many batches, there is one tile of each kind.
    bool fits = tiles_part(island, meet->tile_least) || tiles_part(island, UINT32_MAX);
    BASE_ASSERT(fits);
    struct tiling tiling = {.sim = sim, .island = island};
    sim_share_out(meet->parallel, island->tile_count, deal_task, &tiling);
    memset(meet->block_colors, 0, island->block_count * sizeof *meet->block_colors);
    for (uint32_t t = 0; t < island->tile_count; t++) {
        tile_color(meet, &island->tiles[t], island->tile_blocks[t]);
    }
    tiles_sort(island);
}

// ------------------------------------------------------------------------------------------------------- pushing

static void push_task(void *context, uint32_t index)
{
    const struct tiling *tiling = context;
    const struct sim_island *island = tiling->island;
    const struct sim_push_tile *tile = &island->tiles[island->tile_order[tiling->first + index]];
    tiling->sim->meet->kernels->push(tiling->sim->rows, tiling->sim->previous, island->batches,
                                     tile->first_batch, tile->first_batch + tile->batch_count,
                                     &tiling->times);
}

static bool any_slides(const struct sim *sim, const struct sim_island *island)
{
    const struct sim_meet *meet = sim->meet;
    bool any = sim->settings.surfaces.count > 0;
    for (uint32_t m = island->first; m < island->first + island->count && !any; m++) {
        const struct sim_meeting *meeting = &meet->members[meet->by_island[m]].body->meeting;
        any = sim_rub_slides(meeting) < meeting->friction;
    }
    return any;
}

static bool any_tethers(const struct sim *sim, const struct sim_island *island)
{
    const struct sim_meet *meet = sim->meet;
    for (uint32_t m = island->first; m < island->first + island->count; m++) {
        if (sim_has_tethers(meet->members[meet->by_island[m]].body)) {
            return true;
        }
    }
    return false;
}

void sim_tiles_push(struct sim *sim, struct sim_island *island, uint32_t passes)
{
    struct base_parallel *parallel = sim->meet->parallel;
    const struct sim_tethered *tethered = any_tethers(sim, island) ? sim->tethered : NULL;
    struct tiling tiling = {.sim = sim,
                            .island = island,
                            .times = {.beta = 0.2f,
                                      .v_out = sim->times.v_out,
                                      .seed = island->seed,
                                      .turn = sim->times.turn,
                                      .tethered = tethered,
                                      .slides = any_slides(sim, island)}};
    for (uint32_t pass = 0; pass < passes; pass++) {
        tiling.times.keeps = pass + 1 == passes;
        for (uint32_t color = 0; color < SIM_TILE_COLORS; color++) {
            tiling.first = island->tile_first[color];
            sim_share_out(color == ALONE ? NULL : parallel, island->tile_first[color + 1] - tiling.first,
                          push_task, &tiling);
        }
    }
}

static void remember_task(void *context, uint32_t index)
{
    const struct tiling *tiling = context;
    struct sim_island *island = tiling->island;
    const struct sim_push_tile *tile = &island->tiles[index];
    tiling->sim->meet->kernels->remember(tiling->sim->rows, tiling->sim->previous, island->batches,
                                         tile->first_batch, tile->first_batch + tile->batch_count,
                                         island->colors.slips.items);
}

void sim_tiles_remember(struct sim *sim, struct sim_island *island)
{
    struct tiling tiling = {.sim = sim, .island = island};
    sim_share_out(sim->meet->parallel, island->tile_count, remember_task, &tiling);
}
