// The motion of orientations in a substep (Mueller et al. 2020, with the Cayley map and its inverse in place of sines):
//
//     predict   q = turn(q, h w)                    of what is not held; its length is made 1 if rounding took it away from that
//     finish    b = q conj(q_pred);  w += 2 b_v/(b_w h);  w /= 1 + c h
//
// b_v is found from the difference of both quaternions, which is exact in quanta. It is 0 if no constraint acted, so a free
// orientation's spin never passes through a rounded one.
//
// Rows of a chunk stand side by side. If they are no whole vector, the last row stands in for those that lack. It is then stored
// several times with the same words.

#include "sim/kernels/turn.h"

// Error of |q|^2 from which on the length is made 1 again: above what floats tell of it.
#define LENGTH_NOISE 9.5367431640625e-7f // 2^-20
// |b_w| is no less than this where the spin is read, about 150 degrees in a substep.
#define LEAST_COSINE 0.25f
// h |w| is no more than this where an orientation sets out, a right angle in a substep.
#define FASTEST 2.0f

SIM_INLINE void places_of(const struct sim_chunk *chunk, uint32_t at, uint32_t places[WIDE])
{
    for (uint32_t lane = 0; lane < WIDE; lane++) {
        const uint32_t row = at + lane < chunk->count ? at + lane : chunk->count - 1;
        places[lane] = (chunk->first_row + row) * SIM_ROW_BYTES;
    }
}

SIM_INLINE struct w_vec spin_of(const struct w_rows *spin)
{
    return (struct w_vec){{w_of_bits(spin->x[0]), w_of_bits(spin->x[1]), w_of_bits(spin->x[2])}};
}

// The factor by which a spin that is too fast is slower.
SIM_INLINE wf slowed(struct w_vec spin, wf h)
{
    wf way2 = w_dot(spin, spin) * (h * h), most2 = w_set(FASTEST * FASTEST);
    return w_select(w_below(most2, way2), w_set(FASTEST) / w_sqrt(way2), w_set(1));
}

void SIM_ISA(sim_turn_predict)(struct sim *sim, const struct sim_chunk *chunk)
{
    const wf h = w_set(sim->times.h), one = w_set(1), zero = w_set(0);
    for (uint32_t at = 0; at < chunk->count; at += WIDE) {
        uint32_t places[WIDE];
        places_of(chunk, at, places);
        struct w_turn turn = w_turn_at(sim, places);
        struct w_rows spin = w_rows_at(sim->spins, places);
        struct w_vec theta = spin_of(&spin);
        wm free = w_below(zero, turn.weight);
        wf slower = slowed(theta, h);
        for (int axis = 0; axis < 3; axis++) {
            theta.x[axis] = theta.x[axis] * slower;
            spin.x[axis] = w_bits(theta.x[axis]);
            theta.x[axis] = theta.x[axis] * h;
        }
        wf length2 =
            ((turn.f[0] * turn.f[0] + turn.f[1] * turn.f[1]) + turn.f[2] * turn.f[2]) + turn.f[3] * turn.f[3];
        wm off = w_and(w_below(zero, length2), w_below(w_set(LENGTH_NOISE), w_abs(length2 - one)));
        wf mends = w_where(off, one / w_sqrt(length2) - one) * w_set(SIM_TURN_ONE), way[4];
        w_turn_way(turn.f, theta, way);
        for (int i = 0; i < 4; i++) {
            turn.q[i] = turn.q[i] + w_where_int(free, w_round(way[i] + turn.f[i] * mends));
        }
        w_rows_put(sim->spins, places, &spin);
        w_turn_put(sim->turns, places, &turn);
        w_turn_put(sim->turned, places, &turn);
    }
}

void SIM_ISA(sim_turn_finish)(struct sim *sim, const struct sim_chunk *chunk)
{
    // |w| < 2^-60 becomes 0, so that no subnormal ever slows a substep.
    const wf zero = w_set(0), least = w_set(8.6736174e-19f), keep = w_set(sim->times.keep);
    const wf twice = w_set(2 * sim->times.inv_h), quantum = w_set((float)SIM_TURN_QUANTUM);
    for (uint32_t at = 0; at < chunk->count; at += WIDE) {
        uint32_t places[WIDE];
        wi from[4];
        wf last, p[4], d[4], b[4];
        places_of(chunk, at, places);
        struct w_turn turn = w_turn_at(sim, places);
        struct w_rows spin = w_rows_at(sim->spins, places);
        struct w_vec v = spin_of(&spin);
        w_load_rows(sim->turned, places, from, &last);
        from[3] = w_bits(last);
        for (int i = 0; i < 4; i++) {
            d[i] = w_apart(turn.q[i], from[i]) * quantum;
            p[i] = w_float(from[i]) * (i < 3 ? w_negative(quantum) : quantum);
        }
        w_turn_times(d, p, b);
        wf cosine = w_set(1) + b[3];
        wm back = w_below(cosine, zero), free = w_below(zero, turn.weight);
        wf scale = twice / w_max(w_abs(cosine), w_set(LEAST_COSINE));
        scale = w_select(back, w_negative(scale), scale);
        for (int axis = 0; axis < 3; axis++) {
            wf now = (v.x[axis] + b[axis] * scale) * keep;
            now = w_where(w_and(free, w_below(least, w_abs(now))), now);
            spin.x[axis] = w_bits(now);
        }
        w_rows_put(sim->spins, places, &spin);
    }
}
