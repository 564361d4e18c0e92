// Tethers: each particle to the nearest few of well separated particles that are held.
//
// At most SIM_ANCHORS of a body are chosen: the first one held, and then the one farthest from those chosen, as long as it is
// SEPARATION mean edges from them. A particle below the middle of a long row of pins is held by those beside it as well
// as by the one above: what lies off the line from it to an anchor enters both its way and its distance.

#include "sim/long/long.h"

#include <stdlib.h>

#define SEPARATION 4.0 // mean edges

// A particle's tether to an anchor, in its place among those that it has.
static void insert(struct sim_tether *tethers, uint32_t anchor, double way)
{
    float length = (float)way;
    uint32_t at = SIM_TETHERS_MAX;
    while (at > 0 && (tethers[at - 1].anchor == UINT32_MAX || length < tethers[at - 1].length)) {
        at--;
    }
    for (uint32_t k = SIM_TETHERS_MAX - 1; k > at; k--) {
        tethers[k] = tethers[k - 1];
    }
    if (at < SIM_TETHERS_MAX) {
        tethers[at] = (struct sim_tether){.anchor = anchor, .length = length};
    }
}

// The held particle that is farthest from all anchors so far; UINT32_MAX: none is far enough.
static uint32_t next_anchor(const struct sim_metric *metric, const bool *held, const double *nearest)
{
    uint32_t best = UINT32_MAX;
    double most = SEPARATION * metric->edge;
    for (uint32_t i = 0; i < metric->count; i++) {
        bool joined = metric->way_starts[i + 1] > metric->way_starts[i];
        if (held[i] && joined && nearest[i] > most) {
            best = i;
            most = nearest[i];
        }
    }
    return best;
}

bool sim_long_tethers(const struct sim_metric *metric, const bool *held, struct sim_tether **tethers,
                      uint32_t *most)
{
    struct sim_wave wave;
    size_t count = metric->count;
    struct sim_tether *list = malloc((count * SIM_TETHERS_MAX + 1) * sizeof *list);
    double *nearest = malloc((count + 1) * sizeof *nearest);
    bool good = sim_wave_init(&wave, metric) && list && nearest;
    for (size_t i = 0; good && i < count * SIM_TETHERS_MAX; i++) {
        list[i] = (struct sim_tether){.anchor = UINT32_MAX};
        nearest[i / SIM_TETHERS_MAX] = SIM_WAY_NONE;
    }
    *most = 0;
    for (uint32_t a = 0; good && a < SIM_ANCHORS; a++) {
        uint32_t anchor = next_anchor(metric, held, nearest);
        if (anchor == UINT32_MAX) {
            break;
        }
        good = sim_wave_run(&wave, anchor, SIM_REST_MAX);
        for (uint32_t r = 0; good && r < wave.reached_count; r++) {
            uint32_t particle = wave.reached[r];
            double way = wave.ways[particle];
            nearest[particle] = way < nearest[particle] ? way : nearest[particle];
            if (!held[particle]) {
                insert(list + (size_t)particle * SIM_TETHERS_MAX, anchor, way);
            }
        }
        *most = a + 1 < SIM_TETHERS_MAX ? a + 1 : SIM_TETHERS_MAX;
    }
    sim_wave_deinit(&wave);
    free(nearest);
    *tethers = good ? list : NULL;
    if (!good) {
        free(list);
    }
    return good;
}
