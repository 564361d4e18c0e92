// Clamps that turn with the collider that their pin follows.
//
// Such a clamp keeps its orientation g in the frame of its collider, whose rotation is r, in units of 2^-30. In each substep its frame
// is r g, found from the pose that the collider has then and never from the one before, so that it does not drift.

#include "sim/ground/ground.h"
#include "sim/motion/motion.h"
#include "sim/motion/turn.h"

static void doubles_of(const int32_t whole[4], double q[4])
{
    for (int i = 0; i < 4; i++) {
        q[i] = (double)whole[i] * SIM_TURN_QUANTUM;
    }
}

void sim_clamp_take(const struct sim *sim, struct sim_pin *pin)
{
    double rotation[4], q[4];
    doubles_of(pin->clamp.to, q);
    sim_shape_rotation(sim, sim_shape_find(sim, pin->collider), rotation);
    turn_undone(rotation, q, q);
    sim_turn_from(q, pin->clamp.held);
}

bool sim_clamp_place(const struct sim *sim, const struct sim_pin *pin, double q[4])
{
    const struct sim_shape *shape = sim_shape_find(sim, pin->collider);
    double rotation[4];
    if (!shape) {
        return false;
    }
    doubles_of(pin->clamp.held, q);
    sim_shape_rotation(sim, shape, rotation);
    turn_product(rotation, q, q);
    return true;
}

void sim_clamp_settle(const struct sim *sim, struct sim_pin *pin)
{
    double q[4];
    if (sim_clamp_place(sim, pin, q)) {
        sim_turn_from(q, pin->clamp.to);
        memcpy(pin->clamp.from, pin->clamp.to, sizeof pin->clamp.from);
    }
}
