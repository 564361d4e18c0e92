// How pieces stand: the axes of an orientation, and what is computed of a piece whenever it has moved.
#include "sim/rigid/touching.h"

#include "sim/ground/ground.h"
#include "sim/ground/vector.h"

#include <string.h>

void sim_stand_read(const struct sim *sim, uint32_t row, struct sim_stand *stand)
{
    for (uint32_t axis = 0; axis < 3; axis++) {
        stand->x[axis] = (double)sim_whole(sim, row, axis, sim->rows[row].x[axis]) * sim->q;
    }
    sim_rigid_orientation(sim, row, stand->q);
    sim_axes_of(stand->q, stand->axes);
}

void sim_proxy_place(struct sim_proxy *proxy, const struct sim_stand *stand)
{
    memcpy(proxy->position, stand->x, sizeof proxy->position);
    memcpy(proxy->axes, stand->axes, sizeof proxy->axes);
}

void sim_toucher_read(const struct sim *sim, struct sim_toucher_now *piece)
{
    const struct sim_rigid *rigid = piece->rigid;
    const bool moves = rigid->w > 0 && !piece->body->asleep;
    sim_stand_read(sim, rigid->row, &piece->now);
    const double(*axes)[3] = (const double(*)[3])piece->now.axes;
    piece->w = moves ? (double)rigid->w : 0;
    if (rigid->skewed && moves) {
        sim_rigid_inverse(rigid, axes, piece->inverse);
        return;
    }
    for (int i = 0; i < 3; i++) {
        for (int k = i; k < 3; k++) {
            const double sum = ((double)rigid->inverse_inertia[0] * axes[0][i] * axes[0][k] +
                                (double)rigid->inverse_inertia[1] * axes[1][i] * axes[1][k]) +
                               (double)rigid->inverse_inertia[2] * axes[2][i] * axes[2][k];
            piece->inverse[i][k] = piece->inverse[k][i] = moves ? sum : 0;
        }
    }
}

void sim_stand_turn(const struct sim_stand *stand, const double v[3], double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = (v[0] * stand->axes[0][axis] + v[1] * stand->axes[1][axis]) + v[2] * stand->axes[2][axis];
    }
}
