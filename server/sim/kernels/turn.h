// Quaternions in lanes: reading orientations, and turning them.
//
// A rotation vector theta of the world turns by the Cayley map, q + 1/2 (theta, 0) q, normalised. The angle is 2 atan(|theta|/2). The
// added part stands at a right angle to q, so its length gives the length of the sum, and no length is measured:
//
//   u = |theta|^2/4;  r = sqrt(1 + u);  q += (1/2 (theta, 0) q)/r - q u/(r (1 + r))
//
// A correction is rounded to 2^-30 once, with the nudge of its colour as corrections of positions are.
#ifndef WEFT_SIM_KERNELS_TURN_H
#define WEFT_SIM_KERNELS_TURN_H

#include "sim/kernels/wide.h"

struct w_turn {
    wi q[4];   // as in memory
    wf f[4];   // the same as numbers, of length 1
    wf weight; // inverse inertia; 0: held
};

// Four numbers, of which the solves take the first three for positions.
struct w_turn_nudges {
    float q[4];
};

SIM_INLINE struct w_turn_nudges w_turn_nudges_of(const struct sim *sim, const struct sim_tile *tile,
                                                 uint32_t color)
{
    const struct w_nudges first = w_nudges_of(sim, tile, color);
    const struct w_nudges second = w_nudges_of(sim, tile, color + SIM_SERIAL + 1);
    return (struct w_turn_nudges){{first.x[0], first.x[1], first.x[2], second.x[0]}};
}

SIM_INLINE void w_turn_read(struct w_turn *turn)
{
    for (int i = 0; i < 4; i++) {
        turn->f[i] = w_float(turn->q[i]) * w_set((float)SIM_TURN_QUANTUM);
    }
}

// The turns of these rows. `places` are those of positions, since rows of both kinds take as many bytes.
SIM_INLINE struct w_turn w_turn_at(const struct sim *sim, const uint32_t *places)
{
    struct w_turn turn;
    wi spin[3];
    wf last;
    _Static_assert(sizeof(struct sim_turn) == SIM_ROW_BYTES && sizeof(struct sim_spin) == SIM_ROW_BYTES,
                   "rows of orientations are as long as those of positions");
    w_load_rows(sim->turns, places, turn.q, &last);
    turn.q[3] = w_bits(last);
    w_load_rows(sim->spins, places, spin, &turn.weight);
    w_turn_read(&turn);
    return turn;
}

SIM_INLINE void w_turn_put(struct sim_turn *turns, const uint32_t *places, const struct w_turn *turn)
{
    w_store_rows(turns, places, turn->q, w_of_bits(turn->q[3]));
}

// The product of two quaternions. `out` may not be one of them.
SIM_INLINE void w_turn_times(const wf a[4], const wf b[4], wf out[4])
{
    out[0] = ((a[3] * b[0] + a[0] * b[3]) + a[1] * b[2]) - a[2] * b[1];
    out[1] = ((a[3] * b[1] + a[1] * b[3]) + a[2] * b[0]) - a[0] * b[2];
    out[2] = ((a[3] * b[2] + a[2] * b[3]) + a[0] * b[1]) - a[1] * b[0];
    out[3] = ((a[3] * b[3] - a[0] * b[0]) - a[1] * b[1]) - a[2] * b[2];
}

// The directors: columns of the rotation matrix of a unit quaternion.
SIM_INLINE void w_turn_axes(const wf q[4], struct w_vec d[3])
{
    const wf one = w_set(1), x2 = q[0] + q[0], y2 = q[1] + q[1], z2 = q[2] + q[2];
    const wf xx = q[0] * x2, yy = q[1] * y2, zz = q[2] * z2;
    const wf xy = q[0] * y2, xz = q[0] * z2, yz = q[1] * z2;
    const wf wx = q[3] * x2, wy = q[3] * y2, wz = q[3] * z2;
    d[0] = (struct w_vec){{one - (yy + zz), xy + wz, xz - wy}};
    d[1] = (struct w_vec){{xy - wz, one - (xx + zz), yz + wx}};
    d[2] = (struct w_vec){{xz + wy, yz - wx, one - (xx + yy)}};
}

// Greatest |theta|^2 that turns; what is beyond, or no number, turns nothing.
#define W_TURN_MOST 1e12f

// Adds a rotation vector to f: what is to be added, in units of 2^-30. theta is 0 in lanes that are to stay.
SIM_INLINE void w_turn_way(const wf f[4], struct w_vec theta, wf way[4])
{
    const wf half = w_set(0.5f), one = w_set(1);
    wf size2 = w_dot(theta, theta);
    wm good = w_below(size2, w_set(W_TURN_MOST));
    for (int axis = 0; axis < 3; axis++) {
        theta.x[axis] = w_where(good, theta.x[axis]) * half;
    }
    wf u = w_where(good, size2) * w_set(0.25f), r = w_sqrt(one + u);
    wf scale = w_set(SIM_TURN_ONE) / (r * (one + r));
    const wf by[4] = {theta.x[0], theta.x[1], theta.x[2], w_set(0)};
    wf added[4], along = (one + r) * scale, back = u * scale;
    w_turn_times(by, f, added);
    for (int i = 0; i < 4; i++) {
        way[i] = added[i] * along - f[i] * back;
    }
}

// Turns what is not held. back: nudges count the other way.
SIM_INLINE void w_turn_by(struct w_turn *turn, struct w_vec theta, const struct w_turn_nudges *nudges,
                          bool back)
{
    const wm free = w_below(w_set(0), turn->weight);
    wf way[4];
    w_turn_way(turn->f, theta, way);
    for (int i = 0; i < 4; i++) {
        wi added = w_round(way[i] + w_set(back ? -nudges->q[i] : nudges->q[i]));
        turn->q[i] = turn->q[i] + w_where_int(free, added);
    }
}

#endif
