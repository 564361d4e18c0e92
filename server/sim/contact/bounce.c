// Restitution between bodies: where a substep ends, pairs that hit get the speed that they lack.
//
//   v0 = -n . sum c (x_predicted - x_start) / h                     how fast the two came
//   m = max(e v0 - v.n, 0);  f = min(|v_t|, mu m);  v_i += w_i c_i (m n - f v_t/|v_t|) / W
//
// c, n and W are those of the last push (push.c), e is the greater one of both bodies, and v = sum c v_i is what the substep's end
// makes of the positions now. Positions come first, so nothing that contact promises changes. What comes no faster than 2 |g| h and four
// quanta a substep does not bounce, as off colliders (kernels/contact.c), so that stacks rest.
//
// What is pushed in several places, as a bar that lands on two others, would tip if the first of them took all that it lacks: what the
// others give then comes on top. So pairs take half of it, in passes there and back.
//
// A batch has what touches (near.c). Pairs come one after the other in the order of the batches, which no number of threads changes.

#include "sim/contact/bounce.h"

#include "sim/ground/ground.h"
#include "sim/ground/vector.h"

#include <math.h>

enum { PASSES = 8 };

// A pair that is looked at: its rows, and how its point is made of them.
struct hit {
    uint32_t rows[4];
    double c[4], n[3];
};

static double restitution_of(const struct sim *sim, const struct sim_push_lanes *batch, const struct hit *hit)
{
    const uint32_t from_other = batch->kind == SIM_PAIR_VT ? 1 : 2;
    const double one = sim_body_of_row(sim, hit->rows[0])->meeting.restitution;
    const double other = sim_body_of_row(sim, hit->rows[from_other])->meeting.restitution;
    return one > other ? one : other;
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

static void velocity_of(const struct sim *sim, const struct hit *hit, double v[3])
{
    for (int axis = 0; axis < 3; axis++) {
        v[axis] = 0;
        for (uint32_t k = 0; k < 4; k++) {
            const uint32_t row = hit->rows[k];
            const bool free = sim->rows[row].w > 0;
            const int32_t from = free ? sim->predicted[row].x[axis] : sim->previous[row].x[axis];
            const double way = (double)sim_wrap_sub(sim->rows[row].x[axis], from);
            const double before = free ? (double)sim->velocities[row].v[axis] : 0;
            v[axis] += hit->c[k] * (before + way * (double)sim->times.q_over_h);
        }
    }
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
    const double e = restitution_of(sim, batch, &hit), weight = weight_of(sim, &hit);
    if (!(e > 0) || !(weight > 1e-30) || !(sim_dot(hit.n, hit.n) > 0.5)) {
        return;
    }
    const double comes = comes_of(sim, &hit);
    if (!(comes > (double)sim->times.bounce)) {
        return;
    }
    double v[3];
    velocity_of(sim, &hit, v);
    const double along = sim_dot(v, hit.n), lacks = 0.5 * (e * comes - along);
    if (!(lacks > 0)) {
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        v[axis] -= along * hit.n[axis];
    }
    const double slide = sqrt(sim_dot(v, v)), holds = (double)batch->friction[lane] * lacks;
    const double share = slide > 0 ? (slide < holds ? slide : holds) / slide : 0;
    for (uint32_t k = 0; k < 4; k++) {
        const uint32_t row = hit.rows[k];
        const double takes = (double)sim->rows[row].w * hit.c[k] / weight;
        for (int axis = 0; axis < 3 && sim->rows[row].w > 0; axis++) {
            sim->velocities[row].v[axis] += (float)(takes * (lacks * hit.n[axis] - share * v[axis]));
        }
    }
}

static bool any_bounces(const struct sim *sim, const struct sim_island *island)
{
    const struct sim_meet *meet = sim->meet;
    bool any = false;
    for (uint32_t m = island->first; m < island->first + island->count && !any; m++) {
        any = meet->members[meet->by_island[m]].body->meeting.restitution > 0;
    }
    return any;
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
    const uint32_t passes = any_bounces(sim, island) ? PASSES : 0, tiles = island->tile_count;
    for (uint32_t pass = 0; pass < passes; pass++) {
        const bool back = pass % 2 == 1;
        for (uint32_t t = 0; t < tiles; t++) {
            tile_bounce(sim, island, &island->tiles[back ? tiles - 1 - t : t], back);
        }
    }
}
