// What particles do by themselves in a substep: they set out, and in the end take the velocity that came of it.
//
//     predict   v = (v + h g)/(1 + c h);  x += v h                    free ones only
//     finish    v += (x - predicted)/h
//
// Rows stand side by side, so lanes go through memory as it lies: x y z w of one row, of the next, ... The
// fourth entry of a velocity is zero and stays so, and with it the inverse mass. Rows of a body come in fours
// (those past its particles are static).
//
// The greatest steps of a chunk bound how far any of its particles can have gone in this tick: only where that
// comes near the limit are they looked at one by one (step.c).

#include "sim/wide.h"

SIM_INLINE size_t end_of(const struct sim_chunk *chunk)
{
    return 4 * (size_t)(chunk->first_row + (chunk->count + 3) / 4 * 4);
}

void SIM_ISA(sim_predict)(struct sim *sim, struct sim_chunk *chunk)
{
    const struct sim_times *times = &sim->times;
    // One row, or what of it one lane has (at % 4).
    const float *g = times->kick;
    const float kick[16] = {g[0], g[1], g[2], 0, g[0], g[1], g[2], 0,
                            g[0], g[1], g[2], 0, g[0], g[1], g[2], 0};
    const wf zero = w_set(0), keep = w_set(times->keep), h_over_q = w_set(times->h_over_q);
    uint32_t *rows = (uint32_t *)(void *)sim->rows, *predicted = (uint32_t *)(void *)sim->predicted;
    uint32_t *previous = (uint32_t *)(void *)sim->previous;
    float *velocities = (float *)(void *)sim->velocities;
    wf greatest = zero;
    for (size_t at = 4 * (size_t)chunk->first_row; at < end_of(chunk); at += WIDE) {
        wi x = w_load_int(rows + at);
        wf v = w_load(velocities + at);
        wm free = w_below(zero, w_weights(sim->rows, at));
        v = w_select(free, (v + w_load(kick + at % 4)) * keep, v);
        wf way = w_where(free, v * h_over_q);
        greatest = w_max(w_abs(way), greatest);
        if (previous != NULL) {
            w_store_int(previous + at, x);
        }
        x = x + w_round(way);
        w_store(velocities + at, v);
        w_store_int(rows + at, x);
        w_store_int(predicted + at, x);
    }
    chunk->step = w_greatest(greatest);
    chunk->reach += chunk->step;
}

void SIM_ISA(sim_finish)(struct sim *sim, struct sim_chunk *chunk)
{
    // |v| < 2^-60 becomes 0, so that no subnormal ever slows a substep or meets a machine that flushes it.
    const wf zero = w_set(0), least = w_set(8.6736174e-19f), q_over_h = w_set(sim->times.q_over_h);
    const uint32_t *rows = (const uint32_t *)(const void *)sim->rows;
    const uint32_t *predicted = (const uint32_t *)(const void *)sim->predicted;
    float *velocities = (float *)(void *)sim->velocities;
    wf greatest = zero;
    for (size_t at = 4 * (size_t)chunk->first_row; at < end_of(chunk); at += WIDE) {
        wf change = w_apart(w_load_int(rows + at), w_load_int(predicted + at));
        wf v = w_load(velocities + at), changed = v + change * q_over_h;
        wm free = w_below(zero, w_weights(sim->rows, at));
        changed = w_select(w_below(w_abs(changed), least), zero, changed);
        w_store(velocities + at, w_select(free, changed, v));
        greatest = w_max(w_abs(change), greatest);
    }
    chunk->reach += w_greatest(greatest);
}
