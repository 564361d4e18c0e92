// Segments of rods as joints to rigid pieces hold them (kinds/joint.c). Everything is in double, one segment at a time.
//
// A segment has one inverse inertia u about all axes. A torque impulse t turns it by the vector u t, and the pass that reads spins when
// a substep is over (kernels/turn.c) finds u t/h of it. So the segment takes the angular momentum t/h.

#include "sim/ground/segment.h"
#include "sim/ground/ground.h"
#include "sim/ground/vector.h"
#include "sim/state/rod.h"
#include "sim/state/state.h"
#include "sim/state/turn.h"

// As in kernels/turn.h and kernels/turn.c.
#define TURN_MOST 1e12
#define LEAST_COSINE 0.25

void sim_segment_gives(const struct sim *sim, uint32_t row, double share, double gives[2])
{
    const struct sim_body *body = sim_body_of_row(sim, row);
    const struct sim_material *bend = &body->materials[SIM_PART_BEND];
    const double span = (double)body->rod->ends[body->index_of[row - body->first_row]].span;
    const double from_middle = share < 0.5 ? 1 - 2 * share : 2 * share - 1;
    gives[0] = bend->compliance * (from_middle * span);
    gives[1] = gives[0] * bend->poisson;
}

void sim_segment_twist(struct sim *sim, uint32_t row, const double torque[3])
{
    const double weight = (double)sim->spins[row].w;
    const double half[4] = {0.5 * weight * torque[0], 0.5 * weight * torque[1], 0.5 * weight * torque[2], 0};
    const double u = sim_dot(half, half), r = __builtin_sqrt(1 + u);
    double q[4], added[4];
    if (!(u > 0 && u < TURN_MOST)) {
        return;
    }
    for (int i = 0; i < 4; i++) {
        q[i] = (double)sim->turns[row].q[i] * SIM_TURN_QUANTUM;
    }
    sim_turn_product(half, q, added);
    for (uint32_t i = 0; i < 4; i++) {
        // The point at which it is rounded moves from substep to substep.
        const double nudge = (double)(int32_t)(sim->times.turn + i * 0x9e3779b1u) * 0x1p-32;
        const double way = (added[i] / r - q[i] * (u / (r * (1 + r)))) * (double)SIM_TURN_ONE;
        sim->turns[row].q[i] = sim_wrap_add(sim->turns[row].q[i], sim_round((float)(way + nudge)));
    }
}

void sim_segment_kick(struct sim *sim, uint32_t row, const double momentum[3])
{
    struct sim_spin *spin = &sim->spins[row];
    for (int axis = 0; axis < 3; axis++) {
        spin->v[axis] = (float)((double)spin->v[axis] + (double)spin->w * momentum[axis]);
    }
}

void sim_segment_spin(const struct sim *sim, uint32_t row, bool over, double spin[3])
{
    double apart[4], back[4], b[4], scale = 0;
    for (int i = 0; i < 4; i++) {
        const int32_t from = sim->turned[row].q[i];
        apart[i] = (double)sim_wrap_sub(sim->turns[row].q[i], from) * SIM_TURN_QUANTUM;
        back[i] = (double)(i < 3 ? -(double)from : (double)from) * SIM_TURN_QUANTUM;
    }
    sim_turn_product(apart, back, b);
    if (!over && sim->spins[row].w > 0) {
        const double cosine = 1 + b[3], size = cosine < 0 ? -cosine : cosine;
        scale = 2 * (double)sim->times.inv_h / (size > LEAST_COSINE ? size : LEAST_COSINE);
        scale = cosine < 0 ? -scale : scale;
    }
    for (int axis = 0; axis < 3; axis++) {
        spin[axis] = (double)sim->spins[row].v[axis] + b[axis] * scale;
    }
}
