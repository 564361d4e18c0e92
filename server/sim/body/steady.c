#include "sim/body/steady.h"
#include "sim/ground/ground.h"

#include <stdlib.h>

struct sim_steady *sim_steady_make(uint32_t particle_count)
{
    struct sim_steady *steady = calloc(1, sizeof *steady);
    if (!steady) {
        return NULL;
    }
    steady->chunk_count = sim_tiles_of(particle_count);
    steady->moments = calloc((size_t)steady->chunk_count + 1, sizeof *steady->moments);
    steady->before = calloc((size_t)particle_count + 1, sizeof *steady->before);
    steady->aside = calloc((size_t)particle_count + 1, sizeof *steady->aside);
    if (!steady->moments || !steady->before || !steady->aside) {
        sim_steady_destroy(steady);
        return NULL;
    }
    return steady;
}

void sim_steady_destroy(struct sim_steady *steady)
{
    if (steady) {
        free(steady->moments);
        free(steady->before);
        free(steady->aside);
        free(steady);
    }
}
