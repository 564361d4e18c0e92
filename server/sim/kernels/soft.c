// Soft pins: particles that keep their mass, and that are drawn to targets and kept near them.
//
//   C = x - t in R^3        t: the target in this substep
//   spring      dlam = -(C + alpha~ lam) / (w + alpha~),  dx = w dlam        alpha~ = alpha / h^2
//   limit       if |C + dx| > d:  dx += (C + dx) (d - |C + dx|) / |C + dx|,  so that |x - t| = d
//
// A particle is drawn first and then kept within d. So the limit holds at the end of each iteration, whatever
// else pulls. lam has the springs' part alone. The limit's part is no elastic force, and is summed up apart.
//
// Targets are low words, cut to 8 m by axis from where the particle was when the tick began (solve/pins.c). A
// particle goes 4 m in a tick at most, so differences never wrap. In a tick a spring moves its particle at
// most half as far as would fail a world, as a grab does. A limit takes back all that others did. A ball that
// is far away comes no nearer than that in a tick: d is greater until it is there. The velocity gets what
// rounding to quanta leaves, as with grabs and contacts, and the iterations that follow count it as gone. No
// two pins hold the same particle, so their order is free, and each is a lane.
//
// Sources: XPBD (Macklin, Mueller, Chentanez 2016), eq. 17 and 18, for a vector C; the limit is the projection of Position Based
// Dynamics (Mueller et al. 2007) for a distance that may be no longer. Cloth solvers of games know it as a max distance.

#include "sim/kernels/wide.h"

static void draw(struct sim *sim, struct sim_softs *softs, uint32_t lane)
{
    const wf zero = w_set(0), reach = w_set(sim->times.reach), q_over_h = w_set(sim->times.q_over_h);
    const uint32_t *places = softs->places + lane;
    struct w_rows x = w_rows_at(sim->rows, places), v = w_rows_at(sim->velocities, places);
    const wf give = w_load(softs->compliance + lane), most = w_load(softs->distance + lane);
    const wf alpha = give * w_set(sim->times.inv_h2);
    const wm springs = w_below(zero, give);
    struct w_vec c, pull, way, stop, left;
    for (int axis = 0; axis < 3; axis++) {
        left.x[axis] = w_load(softs->left[axis] + lane);
        c.x[axis] = w_apart(x.x[axis], w_load_int(softs->goal[axis] + lane)) + left.x[axis];
        wf held = alpha * w_load(softs->multiplier[axis] + lane);
        pull.x[axis] = w_where(springs, w_negative(c.x[axis] + held) / (x.w + alpha));
        way.x[axis] = x.w * pull.x[axis];
    }
    const wf far = w_sqrt(w_dot(way, way));
    const wf share = w_select(w_below(reach, far), reach / far, w_set(1));
    for (int axis = 0; axis < 3; axis++) {
        pull.x[axis] = pull.x[axis] * share;
        way.x[axis] = way.x[axis] * share;
        stop.x[axis] = c.x[axis] + way.x[axis];
    }
    const wf length = w_sqrt(w_dot(stop, stop));
    const wm over = w_below(most, length);
    const wm moves = w_and(w_below(zero, x.w), w_or(springs, over));
    const wf back = w_where(over, (most - length) / length);
    for (int axis = 0; axis < 3; axis++) {
        float *multiplier = softs->multiplier[axis] + lane, *limit = softs->limit[axis] + lane;
        stop.x[axis] = stop.x[axis] * back;
        w_store(multiplier, w_load(multiplier) + w_where(moves, pull.x[axis]));
        w_store(limit, w_load(limit) + w_where(moves, stop.x[axis] / x.w));
        wf exact = (way.x[axis] + stop.x[axis]) + left.x[axis];
        wi quanta = w_where_int(moves, w_round(exact));
        wf rest = w_select(moves, exact - w_float(quanta), left.x[axis]);
        w_store(softs->left[axis] + lane, rest);
        x.x[axis] = x.x[axis] + quanta;
        wf speed = w_of_bits(v.x[axis]);
        v.x[axis] = w_bits(w_select(moves, speed + (rest - left.x[axis]) * q_over_h, speed));
    }
    w_rows_put(sim->rows, places, &x);
    w_rows_put(sim->velocities, places, &v);
}

void SIM_ISA(sim_softs_solve)(struct sim *sim, struct sim_softs *softs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
            draw(sim, &softs[i], lane);
        }
    }
}
