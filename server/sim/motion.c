// What particles do by themselves in a substep: they set out, and in the end take the velocity that came of it.
//
//     predict   v = (v + h g)/(1 + c h);  x += v h                    free ones only
//     finish    v += (x - predicted)/h
//     go on     both, the end of one substep and the beginning of the next
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

// What a substep sets out with.
struct start {
    float kick[16]; // one row, or what of it one lane has (at % 4)
    wf keep, h_over_q;
};

SIM_INLINE struct start start_of(const struct sim_times *times)
{
    const float *g = times->kick;
    return (struct start){
        .kick = {g[0], g[1], g[2], 0, g[0], g[1], g[2], 0, g[0], g[1], g[2], 0, g[0], g[1], g[2], 0},
        .keep = w_set(times->keep),
        .h_over_q = w_set(times->h_over_q),
    };
}

// Returns how far the lanes go.
SIM_INLINE wf set_out(struct sim *sim, const struct start *start, size_t at, wm free, wi x, wf v)
{
    v = w_select(free, (v + w_load(start->kick + at % 4)) * start->keep, v);
    wf way = w_where(free, v * start->h_over_q);
    if (sim->previous != NULL) {
        w_store_int((uint32_t *)(void *)sim->previous + at, x);
    }
    x = x + w_round(way);
    w_store((float *)(void *)sim->velocities + at, v);
    w_store_int((uint32_t *)(void *)sim->rows + at, x);
    w_store_int((uint32_t *)(void *)sim->predicted + at, x);
    return w_abs(way);
}

// Puts the velocity into *v; returns how far the lanes were moved since they set out.
SIM_INLINE wf arrive(const struct sim *sim, size_t at, wm free, wi x, wf *v)
{
    // |v| < 2^-60 becomes 0, so that no subnormal ever slows a substep or meets a machine that flushes it.
    const wf zero = w_set(0), least = w_set(8.6736174e-19f), q_over_h = w_set(sim->times.q_over_h);
    wf change = w_apart(x, w_load_int((const uint32_t *)(const void *)sim->predicted + at));
    wf changed = *v + change * q_over_h;
    changed = w_select(w_below(w_abs(changed), least), zero, changed);
    *v = w_select(free, changed, *v);
    return w_abs(change);
}

// The three passes. Of one that both ends a substep and begins the next, each row is read and written once.
SIM_INLINE void pass(struct sim *sim, struct sim_chunk *chunk, bool arrives, bool sets_out)
{
    const struct start start = start_of(&sim->times);
    const uint32_t *rows = (const uint32_t *)(const void *)sim->rows;
    float *velocities = (float *)(void *)sim->velocities;
    wf moved = w_set(0), step = w_set(0);
    for (size_t at = 4 * (size_t)chunk->first_row; at < end_of(chunk); at += WIDE) {
        wi x = w_load_int(rows + at);
        wf v = w_load(velocities + at);
        wm free = w_below(w_set(0), w_weights(sim->rows, at));
        if (arrives) {
            moved = w_max(arrive(sim, at, free, x, &v), moved);
        }
        if (sets_out) {
            step = w_max(set_out(sim, &start, at, free, x, v), step);
        } else {
            w_store(velocities + at, v);
        }
    }
    chunk->reach += arrives ? w_greatest(moved) : 0;
    if (sets_out) {
        chunk->step = w_greatest(step);
        chunk->reach += chunk->step;
    }
}

void SIM_ISA(sim_predict)(struct sim *sim, struct sim_chunk *chunk)
{
    pass(sim, chunk, false, true);
}

void SIM_ISA(sim_finish)(struct sim *sim, struct sim_chunk *chunk)
{
    pass(sim, chunk, true, false);
}

void SIM_ISA(sim_go_on)(struct sim *sim, struct sim_chunk *chunk)
{
    pass(sim, chunk, true, true);
}
