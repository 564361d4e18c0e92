// The work of a substep, laid out flat: chunks of rows for the particle passes, and for each kind its tile
// colours in order as stages, with the loose constraints of the kind as its last stage.
//
//   stages:  distance 0 | distance 1 | ... | distance, loose | dihedral 0 | ... | volume, loose | wind 0 |
//   ... tiles:   t t t t    | t t t      | ... | t               | t t t ...            those of one stage
//   share no particle

#include "base/array.h"
#include "sim/ground/ground.h"
#include "sim/store/store.h"

bool sim_plan_reserve(struct sim *sim, uint32_t more_tiles, uint32_t more_chunks)
{
    uint64_t tiles = (uint64_t)more_tiles + SIM_KIND_COUNT, chunks = more_chunks;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        const struct sim_body *body = sim->bodies[b];
        chunks += sim_tiles_of(body->count);
        for (int kind = 0; kind < SIM_STORE_COUNT; kind++) {
            tiles += body->tile_count[kind];
        }
    }
    return array_reserve(&sim->tiles, &sim->tile_capacity, tiles) &&
           array_reserve(&sim->stages, &sim->stage_capacity, tiles) &&
           array_reserve(&sim->color_starts, &sim->color_starts_capacity, tiles) &&
           array_reserve(&sim->chunks, &sim->chunk_capacity, chunks);
}

// Tiles of a kind with something to do, by colour and then by body and tile. A body has no more colours than tiles.
static void add_stages(struct sim *sim, uint32_t kind)
{
    uint32_t *starts = sim->color_starts, colors = 0, end = sim->tile_count;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t b = 0; b < sim->body_count; b++) {
            struct sim_body *body = sim->bodies[b];
            for (uint32_t t = 0; t < body->tile_count[kind]; t++) {
                struct sim_tile *tile = &body->tiles[kind][t];
                while (colors <= tile->color) {
                    starts[colors++] = 0;
                }
                if (tile->order_count > 0 && pass == 0) {
                    starts[tile->color]++;
                } else if (tile->order_count > 0) {
                    sim->tiles[starts[tile->color]++] = tile;
                }
            }
        }
        for (uint32_t color = 0; pass == 0 && color < colors; color++) {
            uint32_t count = starts[color];
            if (count > 0) {
                sim->stages[sim->stage_count++] =
                    (struct sim_stage){.kind = kind, .first_tile = end, .tile_count = count};
            }
            starts[color] = end;
            end += count;
        }
    }
    sim->tile_count = end;
}

void sim_plan_rebuild(struct sim *sim)
{
    sim->chunk_count = sim->tile_count = sim->stage_count = 0;
    sim->derived_known = false;
    bool rigid = sim->rigids.count > 0;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        const struct sim_body *body = sim->bodies[b];
        uint32_t rows = sim_tile_rows(body->count);
        rigid = rigid || body->rigid;
        for (uint32_t first = 0; first < body->count; first += rows) {
            uint32_t left = body->count - first;
            sim->chunks[sim->chunk_count++] = (struct sim_chunk){
                .body = body,
                .first_row = body->first_row + first,
                .count = left < rows ? left : rows,
            };
        }
    }
    if (rigid) {
        sim_rigids_find(sim);
    }
    for (uint32_t kind = 0; kind < SIM_STORE_COUNT; kind++) {
        if (kind == SIM_GUSTS) {
            sim->gust_stage = sim->stage_count;
        }
        add_stages(sim, kind);
        if (kind < SIM_KIND_COUNT && sim->loose[kind].order_count > 0) {
            sim->stages[sim->stage_count++] =
                (struct sim_stage){.kind = kind, .first_tile = sim->tile_count, .tile_count = 1};
            sim->tiles[sim->tile_count++] = &sim->loose[kind];
        }
    }
}
