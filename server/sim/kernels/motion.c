// The motion of single particles in a substep: they set out, and at its end take the velocity that came of it.
//
//     predict   x += (v/(1 + c h) + h g) h;  v += h g                 free ones only; the wind as gravity (wind.c), and in
//                                                                     place of h g what a body is pushed by (solve/push.c)
//     finish    v += (x - predicted)/h;      v -= c h v/(1 + c h)
//     go on     both, the end of one substep and the beginning of the next
//
// Damping c divides what gravity and the constraints came to together: a load that hangs still sets out with all of
// its weight, and what falls does so at g/c in the end. Of the way, v/(1 + c h) + h g is found as (v + h g)/(1 + c h)
// and what that lacks (`spare`).
//
// Gravity and damping change v very little in a substep. Rounded to the nearest float, the same change is rounded
// the same way again and again, and a falling body comes out wrong by up to a thousandth of its way. So the point at
// which these two changes are rounded moves evenly through the last place of v from substep to substep, as that of
// corrections moves through the quantum (sim_nudge). The mean is then right, and no remainder has to be stored.
// Where it starts follows from the body's velocities when the tick began, so that ticks do not add up.
//
// Rows stand side by side, so lanes go through memory as it lies: x y z w of one row, of the next, ... The
// fourth entry of a velocity is zero and stays so, and with it the inverse mass. Rows of a body come in fours
// (those past its particles are static).
//
// The greatest steps of a chunk bound how far any of its particles can have gone in this tick: only where that
// comes near the limit are they looked at one by one (step.c).

#include "sim/kernels/wide.h"

SIM_INLINE size_t end_of(const struct sim_chunk *chunk)
{
    return 4 * (size_t)(chunk->first_row + (chunk->count + 3) / 4 * 4);
}

// The numbers with which a substep begins.
struct start {
    float kick[16]; // one row, or what of it one lane has (at % 4)
    float spare[16];
    float shares[16]; // 1, and 0 for the fourth
    float rises[16];  // the dither of what gravity gives, 2^-23 to the last place of v
    float fades[16];  // and of what damping takes
    wf keep, loss, h_over_q;
    bool slows; // damping takes a part that is dithered
};

// turn: 2^32 to the last place.
SIM_INLINE float dither_of(uint32_t turn)
{
    return (float)(int32_t)turn * (1.0f / 4294967296.0f / 8388608.0f);
}

// pushes: no axis is known to get nothing.
SIM_INLINE void dithers_set(struct start *start, const struct sim *sim, const struct sim_chunk *chunk,
                            bool pushes)
{
    const struct sim_times *times = &sim->times;
    uint32_t from = chunk->seed * 0x85ebca6bu;
    for (uint32_t axis = 0; axis < 3; axis++) {
        from = (from ^ from >> 15) * 0xc2b2ae35u;
        const uint32_t turn = from ^ from >> 16, golden = sim->substep * 0x9e3779b1u;
        // Gravity gives the same in each substep of a tick, so equal parts suit it best. Damping takes slowly less or more:
        // equal parts may keep step with that, and those of the golden section do not.
        const float rise = times->kick[axis] != 0 || pushes ? dither_of(times->next_turn + turn) : 0;
        const float fade = dither_of(golden - turn);
        for (uint32_t lane = axis; lane < 16; lane += 4) {
            start->rises[lane] = rise;
            start->fades[lane] = fade;
        }
    }
}

SIM_INLINE struct start start_of(const struct sim *sim, const struct sim_chunk *chunk, bool pushes)
{
    const struct sim_times *times = &sim->times;
    const float *g = times->kick, *s = times->spare;
    struct start start = {
        .kick = {g[0], g[1], g[2], 0, g[0], g[1], g[2], 0, g[0], g[1], g[2], 0, g[0], g[1], g[2], 0},
        .spare = {s[0], s[1], s[2], 0, s[0], s[1], s[2], 0, s[0], s[1], s[2], 0, s[0], s[1], s[2], 0},
        .shares = {1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0},
        .keep = w_set(times->keep),
        .loss = w_set(times->loss),
        .h_over_q = w_set(times->h_over_q),
        // A greater loss takes so much of v that rounding matters no more.
        .slows = times->loss > 0 && times->loss < 0.5f,
    };
    dithers_set(&start, sim, chunk, pushes);
    return start;
}

// v + change, rounded to one of the two floats beside it: to the nearest one of what `dither` moves it to.
SIM_INLINE wf dithered(wf v, wf change, wf dither)
{
    const wi exponent = w_bits(w_set(__builtin_inff()));
    return v + (change + w_of_bits(w_bits(v) & exponent) * dither);
}

// The change of velocity that the wind gave.
SIM_INLINE wf blown(const struct sim *sim, const struct start *start, size_t at)
{
    const wf one = w_set(1), weight = w_weights(sim->rows, at);
    wf most = weight * w_weights(sim->predicted, at);
    wf given = weight * w_load((const float *)(const void *)sim->predicted + at);
    given = w_where(w_below(w_set(0), w_load(start->shares + at % 4)), given);
    return given * w_select(w_below(one, most), one / most, one);
}

// Returns how far the lanes go.
SIM_INLINE wf set_out(struct sim *sim, const struct start *start, size_t at, wm free, wi x, wf v, bool blows,
                      bool pushes)
{
    wf spare = w_load(start->spare + at % 4), kick = w_load(start->kick + at % 4);
    wf rise = w_load(start->rises + at % 4);
    if (pushes) {
        kick = w_load((const float *)(const void *)sim->pushes + at);
        spare = start->loss * kick;
        rise = w_select(w_equal(kick, w_set(0)), w_set(0), rise);
    }
    if (blows) {
        wf given = blown(sim, start, at);
        kick = kick + given;
        spare = spare + start->loss * given;
    }
    v = w_select(free, dithered(v, kick, rise), v);
    wf way = w_where(free, (v * start->keep + spare) * start->h_over_q);
    if (sim->previous) {
        w_store_int((uint32_t *)(void *)sim->previous + at, x);
    }
    x = x + w_round(way);
    w_store((float *)(void *)sim->velocities + at, v);
    w_store_int((uint32_t *)(void *)sim->rows + at, x);
    w_store_int((uint32_t *)(void *)sim->predicted + at, x);
    return w_abs(way);
}

// Puts the velocity into *v; returns how far the lanes were moved since they set out.
SIM_INLINE wf arrive(const struct sim *sim, const struct start *start, size_t at, wm free, wi x, wf *v)
{
    // |v| < 2^-60 becomes 0, so that no subnormal ever slows a substep or meets a machine that flushes it.
    const wf zero = w_set(0), least = w_set(8.6736174e-19f), q_over_h = w_set(sim->times.q_over_h);
    wf change = w_apart(x, w_load_int((const uint32_t *)(const void *)sim->predicted + at));
    wf changed = *v + change * q_over_h;
    if (start->slows) {
        changed = dithered(changed, w_negative(changed * start->loss), w_load(start->fades + at % 4));
    } else {
        changed = changed * start->keep;
    }
    changed = w_select(w_below(w_abs(changed), least), zero, changed);
    *v = w_select(free, changed, *v);
    return w_abs(change);
}

// The three passes. Of one that both ends a substep and begins the next, each row is read and written once.
SIM_INLINE void pass(struct sim *sim, struct sim_chunk *chunk, bool arrives, bool sets_out, bool blows,
                     bool pushes)
{
    const struct start start = start_of(sim, chunk, pushes);
    const uint32_t *rows = (const uint32_t *)(const void *)sim->rows;
    float *velocities = (float *)(void *)sim->velocities;
    wf moved = w_set(0), step = w_set(0);
    for (size_t at = 4 * (size_t)chunk->first_row; at < end_of(chunk); at += WIDE) {
        wi x = w_load_int(rows + at);
        wf v = w_load(velocities + at);
        wm free = w_below(w_set(0), w_weights(sim->rows, at));
        if (arrives) {
            moved = w_max(arrive(sim, &start, at, free, x, &v), moved);
        }
        if (sets_out) {
            step = w_max(set_out(sim, &start, at, free, x, v, blows, pushes), step);
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
    pass(sim, chunk, false, true, false, false);
}

void SIM_ISA(sim_predict_blown)(struct sim *sim, struct sim_chunk *chunk)
{
    pass(sim, chunk, false, true, true, false);
}

void SIM_ISA(sim_predict_pushed)(struct sim *sim, struct sim_chunk *chunk)
{
    pass(sim, chunk, false, true, false, true);
}

void SIM_ISA(sim_predict_pushed_blown)(struct sim *sim, struct sim_chunk *chunk)
{
    pass(sim, chunk, false, true, true, true);
}

void SIM_ISA(sim_finish)(struct sim *sim, struct sim_chunk *chunk)
{
    pass(sim, chunk, true, false, false, false);
}

void SIM_ISA(sim_go_on)(struct sim *sim, struct sim_chunk *chunk)
{
    pass(sim, chunk, true, true, false, false);
}
