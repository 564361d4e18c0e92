// What a substep runs, laid out flat: chunks of rows for the particle passes, and for each kind its tile
// colours in order as stages, with the loose constraints of the kind as its last stage.
//
//   stages:  distance 0 | distance 1 | ... | distance, loose | dihedral 0 | ... | volume, loose | wind 0 |
//   ... tiles:   t t t t    | t t t      | ... | t               | t t t ...            those of one stage
//   share no particle

#include "sim/internal.h"

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
    return sim_reserve((void **)&sim->tiles, &sim->tile_capacity, tiles, sizeof *sim->tiles) &&
           sim_reserve((void **)&sim->stages, &sim->stage_capacity, tiles, sizeof *sim->stages) &&
           sim_reserve((void **)&sim->chunks, &sim->chunk_capacity, chunks, sizeof *sim->chunks);
}

static void add_stage(struct sim *sim, uint32_t kind, uint32_t first_tile)
{
    if (sim->tile_count > first_tile) {
        sim->stages[sim->stage_count++] = (struct sim_stage){kind, first_tile, sim->tile_count - first_tile};
    }
}

void sim_plan_rebuild(struct sim *sim)
{
    sim->chunk_count = sim->tile_count = sim->stage_count = 0;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        const struct sim_body *body = sim->bodies[b];
        uint32_t rows = sim_tile_rows(body->count);
        for (uint32_t first = 0; first < body->count; first += rows) {
            uint32_t left = body->count - first;
            sim->chunks[sim->chunk_count++] = (struct sim_chunk){
                .body = body,
                .first_row = body->first_row + first,
                .count = left < rows ? left : rows,
            };
        }
    }
    for (uint32_t kind = 0; kind < SIM_STORE_COUNT; kind++) {
        bool more = true;
        if (kind == SIM_GUSTS) {
            sim->gust_stage = sim->stage_count;
        }
        for (uint32_t color = 0; more; color++) {
            uint32_t first_tile = sim->tile_count;
            more = false;
            for (uint32_t b = 0; b < sim->body_count; b++) {
                struct sim_body *body = sim->bodies[b];
                for (uint32_t t = 0; t < body->tile_count[kind]; t++) {
                    struct sim_tile *tile = &body->tiles[kind][t];
                    more = more || tile->color > color;
                    if (tile->color == color && tile->order_count > 0) {
                        sim->tiles[sim->tile_count++] = tile;
                    }
                }
            }
            add_stage(sim, kind, first_tile);
        }
        if (kind < SIM_KIND_COUNT && sim->loose[kind].order_count > 0) {
            sim->tiles[sim->tile_count++] = &sim->loose[kind];
            add_stage(sim, kind, sim->tile_count - 1);
        }
    }
}
