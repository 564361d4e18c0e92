// Orientations in a tick: the passes over chunks of bodies that have some. kernels/turn.c has the arithmetic.
//
// The words of a row are the state itself, for they do not wrap as those of positions do. So a tick keeps them when it begins, for one
// that fails, and gives each its sign when it ends.

#include "sim/solve/solve.h"

void sim_turns_begin(struct sim *sim, const struct sim_chunk *chunk)
{
    if (chunk->body->turned) {
        memcpy(sim->turns_began + chunk->first_row, sim->turns + chunk->first_row,
               chunk->count * sizeof *sim->turns);
        memcpy(sim->spins_began + chunk->first_row, sim->spins + chunk->first_row,
               chunk->count * sizeof *sim->spins);
        memcpy(sim->joints_began + chunk->first_row, sim->joints + chunk->first_row,
               chunk->count * sizeof *sim->joints);
    }
}

void sim_turns_predict(struct sim *sim, const struct sim_chunk *chunk)
{
    if (chunk->body->turned && !chunk->body->rigid) {
        sim->kernels->turn_predict(sim, chunk);
    }
}

void sim_turns_finish(struct sim *sim, const struct sim_chunk *chunk)
{
    if (chunk->body->turned && !chunk->body->rigid) {
        sim->kernels->turn_finish(sim, chunk);
    }
}

void sim_turns_commit(struct sim *sim, const struct sim_chunk *chunk)
{
    for (uint32_t r = 0; chunk->body->turned && r < chunk->count; r++) {
        int32_t *q = sim->turns[chunk->first_row + r].q, before[4];
        memcpy(before, q, sizeof before);
        sim_turn_sign(q);
        // A piece's orientation lacks something, which has the sign of the orientation.
        const bool other = chunk->body->rigid && memcmp(before, q, sizeof before) != 0;
        for (int k = 0; other && k < 4; k++) {
            float *rest = &sim->joints[chunk->first_row + r].rest[k];
            *rest = 0 - *rest;
        }
    }
}

void sim_turns_give_back(struct sim *sim, const struct sim_chunk *chunk)
{
    if (chunk->body->turned) {
        memcpy(sim->turns + chunk->first_row, sim->turns_began + chunk->first_row,
               chunk->count * sizeof *sim->turns);
        memcpy(sim->spins + chunk->first_row, sim->spins_began + chunk->first_row,
               chunk->count * sizeof *sim->spins);
        memcpy(sim->joints + chunk->first_row, sim->joints_began + chunk->first_row,
               chunk->count * sizeof *sim->joints);
    }
}
