#include "sim/contact/tiles.h"

#include "base/assert.h"
#include "sim/contact/slices.h"
#include "sim/ground/ground.h"

#include <math.h>

enum { ALONE = SIM_TILE_COLORS - 1 }; // the colour of tiles that are pushed one after the other

// ------------------------------------------------------------------------------------------------------ colours

static float friction_of(const struct sim *sim, enum sim_pair_kind kind, uint32_t pair)
{
    const struct sim_pair_list *list = &sim->meet->lists[kind];
    const struct sim_body *one = sim_body_of_row(sim, sim_pair_row(list, pair, 0)),
                          *other =
                              sim_body_of_row(sim, sim_pair_row(list, pair, kind == SIM_PAIR_VT ? 1 : 2));
    return sqrtf((float)(one->meeting.friction * other->meeting.friction));
}

// Pairs that touch for the first time get their colours, in the order of the lists.
static void colors_take(struct sim *sim, enum sim_pair_kind kind, uint32_t index)
{
    struct sim_meet *meet = sim->meet;
    const struct sim_near_list near = sim_slice_near(meet, kind, index);
    const uint32_t *active = sim_slice_active(meet, kind, index);
    for (uint32_t i = 0; i < meet->slices[kind][index].active; i++) {
        struct sim_near_lanes *lanes = &near.lanes[active[i] / SIM_LANES];
        uint32_t lane = active[i] % SIM_LANES;
        if (sim_pair_color(lanes->tag[lane]) == SIM_PAIR_UNCOLORED) {
            const uint32_t pair = lanes->pair[lane];
            lanes->tag[lane] = sim_pair_touches(&meet->colors, &meet->lists[kind], sim->rows, pair,
                                                friction_of(sim, kind, pair));
        }
    }
    meet->slices[kind][index].fresh = 0;
}

// --------------------------------------------------------------------------------------------------------- tiles

// The most batches that contacts take: one for each colour is not full.
static uint32_t batches_of(const struct sim_meet *meet, uint32_t active)
{
    uint32_t colors = meet->colors.count;
    return active / SIM_LANES + (active < colors ? active : colors);
}

static void tile_end(struct sim_meet *meet, struct sim_push_tile *tile, uint32_t *batches)
{
    tile->first_batch = *batches;
    *batches += batches_of(meet, tile->active);
    meet->tile_count += tile->active > 0;
}

// Tiles of so many contacts at least. False if they or their batches do not fit.
static bool tiles_part(struct sim_meet *meet, uint32_t least)
{
    uint32_t batches = 0;
    meet->tile_count = 0;
    for (uint32_t kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        struct sim_push_tile *tile = &meet->tiles[meet->tile_count];
        *tile = (struct sim_push_tile){.kind = kind};
        for (uint32_t s = 0; s < meet->near_slices[kind]; s++) {
            tile->active += meet->slices[kind][s].active;
            tile->slice_count++;
            if (tile->active >= least && meet->tile_count + 2 * SIM_PAIR_KINDS < meet->tile_capacity) {
                tile_end(meet, tile, &batches);
                tile = &meet->tiles[meet->tile_count];
                *tile = (struct sim_push_tile){.kind = kind, .first_slice = s + 1};
            }
        }
        tile_end(meet, tile, &batches);
    }
    return batches <= meet->batch_capacity;
}

// ------------------------------------------------------------------------------------------------------- dealing

// Blocks of the free rows of a tile, each once: most often a row is of a block that was met just before.
static void blocks_list(const struct sim *sim, struct sim_push_tile *tile, uint32_t *blocks)
{
    enum { SEEN = 256 };
    const struct sim_meet *meet = sim->meet;
    uint32_t seen[SEEN] = {0}; // one more than the last block there
    tile->block_count = 0;
    for (uint32_t b = tile->first_batch; b < tile->first_batch + tile->batch_count; b++) {
        const struct sim_push_lanes *batch = &meet->batches[b];
        for (uint32_t i = 0; i < 4 * batch->count; i++) {
            const uint32_t row = batch->at[i % 4][i / 4] / SIM_ROW_BYTES, block = row / SIM_BLOCK_ROWS;
            if (seen[block % SEEN] == block + 1 || !(sim->rows[row].w > 0)) {
                continue;
            }
            seen[block % SEEN] = block + 1;
            if (tile->block_count == meet->tile_blocks_most) {
                tile->block_count++;
                return;
            }
            blocks[tile->block_count++] = block;
        }
    }
}

static void deal_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    struct sim_meet *meet = sim->meet;
    struct sim_push_tile *tile = &meet->tiles[index];
    const enum sim_pair_kind kind = tile->kind;
    tile->batch_count = sim_push_deal(&meet->lists[kind], meet->colors.slips.items, kind,
                                      meet->hands[kind] + tile->first_slice, tile->slice_count,
                                      meet->batches + tile->first_batch, batches_of(meet, tile->active));
    blocks_list(sim, tile, meet->tile_blocks[index]);
}

static void hands_make(struct sim_meet *meet)
{
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        for (uint32_t s = 0; s < meet->near_slices[kind]; s++) {
            meet->hands[kind][s] = (struct sim_push_hand){.near = sim_slice_near(meet, kind, s).lanes,
                                                          .active = sim_slice_active(meet, kind, s),
                                                          .count = meet->slices[kind][s].active};
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
static void tiles_sort(struct sim_meet *meet)
{
    uint32_t *first = meet->tile_first;
    memset(first, 0, sizeof meet->tile_first);
    for (uint32_t t = 0; t < meet->tile_count; t++) {
        first[meet->tiles[t].color + 1]++;
    }
    for (uint32_t color = 0; color < SIM_TILE_COLORS; color++) {
        first[color + 1] += first[color];
    }
    uint32_t next[SIM_TILE_COLORS];
    memcpy(next, first, sizeof next);
    for (uint32_t t = 0; t < meet->tile_count; t++) {
        meet->tile_order[next[meet->tiles[t].color]++] = t;
    }
}

void sim_tiles_make(struct sim *sim)
{
    struct sim_meet *meet = sim->meet;
    for (uint32_t kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        for (uint32_t s = 0; s < meet->near_slices[kind]; s++) {
            if (meet->slices[kind][s].fresh > 0) {
                colors_take(sim, (enum sim_pair_kind)kind, s);
            }
        }
    }
    hands_make(meet);
    // Where contacts have so many colours that small tiles take too many batches, there is one tile of each kind.
    bool fits = tiles_part(meet, meet->tile_least) || tiles_part(meet, UINT32_MAX);
    BASE_ASSERT(fits);
    sim_share_out(meet->parallel, meet->tile_count, deal_task, sim);
    memset(meet->block_colors, 0, (meet->row_capacity / SIM_BLOCK_ROWS + 1) * sizeof *meet->block_colors);
    for (uint32_t t = 0; t < meet->tile_count; t++) {
        tile_color(meet, &meet->tiles[t], meet->tile_blocks[t]);
    }
    tiles_sort(meet);
}

// ------------------------------------------------------------------------------------------------------- pushing

struct pushing {
    struct sim *sim;
    struct sim_push_times times;
    uint32_t first; // of tile_order
};

static void push_task(void *context, uint32_t index)
{
    const struct pushing *pushing = context;
    struct sim_meet *meet = pushing->sim->meet;
    const struct sim_push_tile *tile = &meet->tiles[meet->tile_order[pushing->first + index]];
    meet->kernels->push(pushing->sim->rows, pushing->sim->previous, meet->batches, tile->first_batch,
                        tile->first_batch + tile->batch_count, &pushing->times);
}

void sim_tiles_push(struct sim *sim, uint32_t passes)
{
    struct sim_meet *meet = sim->meet;
    struct pushing pushing = {
        .sim = sim,
        .times = {.beta = 0.2f, .v_out = sim->times.v_out, .seed = meet->seed, .turn = sim->times.turn}};
    for (uint32_t pass = 0; pass < passes; pass++) {
        pushing.times.keeps = pass + 1 == passes;
        for (uint32_t color = 0; color < SIM_TILE_COLORS; color++) {
            pushing.first = meet->tile_first[color];
            sim_share_out(color == ALONE ? NULL : meet->parallel, meet->tile_first[color + 1] - pushing.first,
                          push_task, &pushing);
        }
    }
}

static void remember_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    struct sim_meet *meet = sim->meet;
    const struct sim_push_tile *tile = &meet->tiles[index];
    meet->kernels->remember(sim->rows, sim->previous, meet->batches, tile->first_batch,
                            tile->first_batch + tile->batch_count, meet->colors.slips.items);
}

void sim_tiles_remember(struct sim *sim)
{
    sim_share_out(sim->meet->parallel, sim->meet->tile_count, remember_task, sim);
}
