// Restitution. A point p = sum c x of a feature that hits a collider gets the speed that it lacks when it is pushed, and a pair of
// bodies where the substep ends:
//
//   v0 = -n . (p_predicted - p_start - u) / h + h g . n             the speed of arrival; without g between bodies
//   m = max(e v0 - v.n, 0);  f = min(|v_t|, mu m);  v_i += w_i c_i (m n - f v_t/|v_t|) / W
//
// v = sum c v_i is what the substep's end makes of the positions now, against the material. A pair has c, n and W of its last push
// (push.c), and e is the greater one of both sides. What comes no faster than 2 |g| h and four quanta a substep does not bounce, as a
// particle does not (kernels/contact.c), so that stacks rest.
//
// A bar may land on two others at once. It would tip if the first pair gave it all the speed that it lacks, because the second pair
// adds more. So each pair gives half of that speed, in passes there and back.
//
// A batch has what touches (near.c). Pairs come one after the other in the order of the batches, which no number of threads changes.

#include "sim/contact/bounce.h"

#include "sim/contact/core.h"
#include "sim/ground/ground.h"
#include "sim/ground/vector.h"
#include "sim/state/rub.h"

#include <math.h>

enum { PASSES = 8 };

// ------------------------------------------------------------------------------------------------------ points

// How far the point is from where its rows were in `from`, m. What is held is predicted to be where it is led.
static void point_off(const struct sim *sim, const struct sim_bounce *bounce, const struct sim_row *from,
                      double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = 0;
        for (uint32_t k = 0; k < bounce->count; k++) {
            const uint32_t row = bounce->rows[k];
            out[axis] += bounce->c[k] * (double)sim_wrap_sub(sim->rows[row].x[axis], from[row].x[axis]);
        }
        out[axis] *= sim->q;
    }
}

// The velocity of the point, m/s. What is held goes as it is led.
static void velocity_of(const struct sim *sim, const struct sim_bounce *bounce, double v[3])
{
    for (int axis = 0; axis < 3; axis++) {
        v[axis] = 0;
        for (uint32_t k = 0; k < bounce->count; k++) {
            const uint32_t row = bounce->rows[k];
            const bool free = sim->rows[row].w > 0;
            const struct sim_row *from = free ? &sim->predicted[row] : &sim->previous[row];
            const double way = (double)sim_wrap_sub(sim->rows[row].x[axis], from->x[axis]);
            const double before = free ? (double)sim->velocities[row].v[axis] : 0;
            v[axis] += bounce->c[k] * (before + way * (double)sim->times.q_over_h);
        }
    }
}

void sim_bounce_comes(const struct sim *sim, const double way[3], struct sim_bounce *bounce)
{
    const double rate = (double)sim->times.inv_h;
    double gone[3], ahead[3];
    point_off(sim, bounce, sim->previous, gone);
    point_off(sim, bounce, sim->predicted, ahead);
    bounce->comes = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double before = (way[axis] - ahead[axis]) * rate - (double)sim->times.kick[axis];
        bounce->material[axis] = (gone[axis] - way[axis]) * rate;
        bounce->comes -= before * bounce->n[axis];
    }
}

void sim_bounce_take(struct sim *sim, const struct sim_bounce *bounce, double part)
{
    if (!(bounce->comes > (double)sim->times.bounce)) {
        return;
    }
    double v[3];
    velocity_of(sim, bounce, v);
    for (int axis = 0; axis < 3; axis++) {
        v[axis] -= bounce->material[axis];
    }
    const double lacks = part * (bounce->e * bounce->comes - sim_dot(v, bounce->n));
    if (!(lacks > 0)) {
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        v[axis] -= bounce->belt[axis];
    }
    const double along = sim_dot(v, bounce->n);
    for (int axis = 0; axis < 3; axis++) {
        v[axis] -= along * bounce->n[axis];
    }
    const double slide = sqrt(sim_dot(v, v)), holds = bounce->friction * lacks;
    const bool slips = slide > SIM_STICKS * holds + (double)sim->times.q_over_h;
    const double most = slips ? bounce->slides * lacks : holds;
    const double share = slide > 0 ? (slide < most ? slide : most) / slide : 0;
    for (uint32_t k = 0; k < bounce->count; k++) {
        const uint32_t row = bounce->rows[k];
        const double takes = (double)sim->rows[row].w * bounce->c[k] / bounce->weight;
        for (int axis = 0; axis < 3 && sim->rows[row].w > 0; axis++) {
            sim->velocities[row].v[axis] += (float)(takes * (lacks * bounce->n[axis] - share * v[axis]));
        }
    }
}

// ------------------------------------------------------------------------------------------------------- pairs

// A pair that is looked at: its rows, and how its point is made of them.
struct hit {
    uint32_t rows[4];
    double c[4], n[3];
};

static double restitution_of(const struct sim *sim, const struct sim_push_lanes *batch, const struct hit *hit)
{
    const uint32_t from_other = batch->kind == SIM_PAIR_VT ? 1 : 2;
    return sim_rub_of_features(sim, sim_body_of_row(sim, hit->rows[0]),
                               sim_body_of_row(sim, hit->rows[from_other]))
        .restitution;
}

static struct hit hit_of(const struct sim_push_lanes *batch, uint32_t lane)
{
    struct hit hit;
    hit.c[0] = 0;
    for (uint32_t k = 0; k < 4; k++) {
        hit.rows[k] = batch->at[k][lane] / SIM_ROW_BYTES;
        hit.c[k] = k > 0 ? (double)batch->foot[k - 1][lane] : 0;
    }
    hit.c[0] = -((hit.c[1] + hit.c[2]) + hit.c[3]);
    for (int axis = 0; axis < 3; axis++) {
        hit.n[axis] = (double)batch->normal[axis][lane];
    }
    return hit;
}

// How fast they come along n before anything pushed them, m/s. What is held goes as it is led.
static double comes_of(const struct sim *sim, const struct hit *hit)
{
    double sum = 0;
    for (uint32_t k = 0; k < 4; k++) {
        const struct sim_row *row = &sim->rows[hit->rows[k]], *start = &sim->previous[hit->rows[k]];
        const struct sim_row *sets_out = row->w > 0 ? &sim->predicted[hit->rows[k]] : row;
        for (int axis = 0; axis < 3; axis++) {
            sum -= hit->c[k] * (double)sim_wrap_sub(sets_out->x[axis], start->x[axis]) * hit->n[axis];
        }
    }
    return sum * (double)sim->times.q_over_h;
}

static double weight_of(const struct sim *sim, const struct hit *hit)
{
    double sum = 0, greatest = 0;
    for (uint32_t k = 0; k < 4; k++) {
        const double takes = (double)sim->rows[hit->rows[k]].w * fabs(hit->c[k]);
        sum += takes * fabs(hit->c[k]);
        greatest = takes > greatest ? takes : greatest;
    }
    return sum > 0.25 * greatest ? sum : 0.25 * greatest;
}

static void lane_bounce(struct sim *sim, const struct sim_push_lanes *batch, uint32_t lane)
{
    const struct hit hit = hit_of(batch, lane);
    const double mu = (double)batch->friction[lane];
    const struct sim_bounce bounce = {.rows = hit.rows,
                                      .c = hit.c,
                                      .n = hit.n,
                                      .count = 4,
                                      .e = restitution_of(sim, batch, &hit),
                                      .weight = weight_of(sim, &hit),
                                      .friction = mu,
                                      .slides = mu,
                                      .comes = comes_of(sim, &hit)};
    if (bounce.e > 0 && bounce.weight > 1e-30 && sim_dot(hit.n, hit.n) > 0.5) {
        sim_bounce_take(sim, &bounce, 0.5);
    }
}

static void tile_bounce(struct sim *sim, const struct sim_island *island, const struct sim_push_tile *tile,
                        bool back)
{
    for (uint32_t i = 0; i < tile->batch_count; i++) {
        const uint32_t b = tile->first_batch + (back ? tile->batch_count - 1 - i : i);
        const uint32_t count = island->batches[b].count;
        for (uint32_t lane = 0; lane < count; lane++) {
            lane_bounce(sim, &island->batches[b], back ? count - 1 - lane : lane);
        }
    }
}

void sim_island_bounce(struct sim *sim, const struct sim_island *island)
{
    const uint32_t passes = PASSES, tiles = island->tile_count;
    for (uint32_t pass = 0; pass < passes; pass++) {
        const bool back = pass % 2 == 1;
        for (uint32_t t = 0; t < tiles; t++) {
            tile_bounce(sim, island, &island->tiles[back ? tiles - 1 - t : t], back);
        }
    }
}
