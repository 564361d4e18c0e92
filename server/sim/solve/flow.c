// Plastic rods: the rest of a joint that is bent or twisted past the yield flows towards its shape.
//
//   r = conj(q0 p0) q1 of one sign, |C| = 2 |r_v|;  |C| > y:   f = c (1 - y/|C|);   p0 = normalise(p0 (f r_v, 1 - f + f r_w))
//   c = rate h/(1 + rate h)
//
// y is 2 sin(yield/2). Bend and twist count alike. A rest goes no farther from that of the start than `greatest`: the rotation between
// both then keeps its axis, and has this angle.
//
// Rests flow when a substep begins, as creases do (creases.c), and in the orientations with which the one before it ended. Each
// joint reads two orientations and writes its own rest.

#include "sim/ground/ground.h"
#include "sim/solve/solve.h"
#include "sim/state/rod.h"
#include "sim/store/store.h"

static void times(const float a[4], const float b[4], float out[4])
{
    out[0] = ((a[3] * b[0] + a[0] * b[3]) + a[1] * b[2]) - a[2] * b[1];
    out[1] = ((a[3] * b[1] + a[1] * b[3]) + a[2] * b[0]) - a[0] * b[2];
    out[2] = ((a[3] * b[2] + a[2] * b[3]) + a[0] * b[1]) - a[1] * b[0];
    out[3] = ((a[3] * b[3] - a[0] * b[0]) - a[1] * b[1]) - a[2] * b[2];
}

// conj(a) b, of one sign.
static void between(const float a[4], const float b[4], float r[4])
{
    const float back[4] = {-a[0], -a[1], -a[2], a[3]};
    times(back, b, r);
    for (int i = 0, negative = r[3] < 0; i < 4; i++) {
        r[i] = negative ? -r[i] : r[i];
    }
}

static float sine_of(const float r[4])
{
    return __builtin_sqrtf((r[0] * r[0] + r[1] * r[1]) + r[2] * r[2]);
}

static void unit(float q[4])
{
    const float length2 = ((q[0] * q[0] + q[1] * q[1]) + q[2] * q[2]) + q[3] * q[3];
    const float by = length2 > 0 ? 1 / __builtin_sqrtf(length2) : 0;
    for (int i = 0; i < 4; i++) {
        q[i] *= by;
    }
}

static void orientation(const struct sim *sim, uint32_t row, float q[4])
{
    for (int i = 0; i < 4; i++) {
        q[i] = (float)sim->turns[row].q[i] * (float)SIM_TURN_QUANTUM;
    }
}

// Takes a rest back to the greatest angle from that of the start.
static void hold_back(const float start[4], float greatest, float rest[4])
{
    float r[4];
    between(start, rest, r);
    const float sine = sine_of(r), most = greatest * 0.5f;
    if (!(sine > most)) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        r[i] = r[i] * (most / sine);
    }
    const float left = 1 - most * most;
    r[3] = left > 0 ? __builtin_sqrtf(left) : 0;
    times(start, r, rest);
    unit(rest);
}

static void flow(struct sim *sim, const struct sim_body *body, float share, uint32_t a, uint32_t b)
{
    float *rest = sim->joints[a].rest, q[4], next[4], frame[4], r[4], moved[4];
    orientation(sim, a, q);
    orientation(sim, b, next);
    times(q, rest, frame);
    between(frame, next, r);
    const float c = 2 * sine_of(r);
    if (!(c > body->rod->yield + SIM_FLOW_LEAST)) {
        return;
    }
    const float f = share * (1 - body->rod->yield / c);
    const float by[4] = {f * r[0], f * r[1], f * r[2], (1 - f) + f * r[3]};
    times(rest, by, moved);
    unit(moved);
    hold_back(body->turned[body->index_of[a - body->first_row]].rest, body->rod->greatest, moved);
    memcpy(rest, moved, sizeof moved);
}

bool sim_flows(const struct sim_body *body)
{
    return body->rod && body->rod->given.plastic.rate > 0;
}

static void flow_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    const struct sim_tile *tile = sim->tiles[sim->stage->first_tile + index];
    const struct sim_store *store = &sim->stores[tile->kind];
    const struct sim_body *body = tile->order_count > 0 ? sim_body_find(sim, tile->body) : NULL;
    if (!body || !sim_flows(body)) {
        return;
    }
    const double inv_h = (double)sim->settings.tick_rate * sim->settings.substeps,
                 rate = body->rod->given.plastic.rate;
    const float share = (float)(rate / (inv_h + rate));
    for (uint32_t i = 0; i < tile->order_count; i++) {
        const uint32_t *ids = sim_batch_ids(store, tile->order[i]);
        const uint32_t *first = sim_batch_places(store, tile->order[i], 0);
        const uint32_t *second = sim_batch_places(store, tile->order[i], 1);
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            if (ids[lane] != 0) {
                flow(sim, body, share, first[lane] / SIM_ROW_BYTES, second[lane] / SIM_ROW_BYTES);
            }
        }
    }
}

void sim_rods_flow(struct sim *sim, struct base_parallel *parallel)
{
    for (uint32_t s = 0; s < sim->gust_stage; s++) {
        if (sim->stages[s].kind == SIM_ROD_BEND) {
            sim->stage = &sim->stages[s];
            sim_run_tasks(sim, parallel, sim->stage->tile_count, flow_task);
        }
    }
}
