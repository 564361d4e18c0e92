// Pressure: the volume that a closed surface encloses and how it changes with each particle, and the push along that.
//
//   g_i = sum over the ring (b - x_i) x (c - x_i)        six times the gradient; b, c: neighbours that follow each other
//   18 V = sum (x_i - x_0) . g_i                         the volume is of third degree
//
// Differences are exact integers, and products and sums are doubles. While neighbours are closer than 2^26
// quanta (0.5 m), each g is an exact integer. Then the gradients of a closed surface add up to exactly zero,
// and pressure gives no momentum. A push is rounded to whole quanta with a nudge that changes, as corrections
// of constraints are.
//
// Each lane of a batch adds to sums of its own, and the lanes are added in order at the end. So sums do not
// depend on how many lanes a vector has.

#include "sim/ground/ground.h"
#include "sim/kernels/wide_double.h"

struct lanes {
    double g[3][SIM_LANES], x[3][SIM_LANES], v[3][SIM_LANES], w[SIM_LANES];
};

// The sum over the rings of WIDE rows, and their inverse masses.
SIM_INLINE void gradients_of(const struct sim_row *rows, const uint32_t *slots, uint32_t slot_count,
                             uint32_t lane, struct lanes *out)
{
    const struct w_rows own = w_rows_at(rows, slots + lane);
    struct wd_vec sum[PARTS], last[PARTS];
    memset(sum, 0, sizeof sum);
    memset(last, 0, sizeof last);
    for (uint32_t s = 1; s < slot_count; s++) {
        const struct w_rows next = w_rows_at(rows, slots + (size_t)s * SIM_LANES + lane);
        for (int part = 0; part < PARTS; part++) {
            struct wd_vec way, *total = &sum[part];
            const struct wd_vec before = last[part];
            for (int axis = 0; axis < 3; axis++) {
                way.x[axis] = wd_of_int(next.x[axis] - own.x[axis], part);
            }
            total->x[0] = total->x[0] + (before.x[1] * way.x[2] - before.x[2] * way.x[1]);
            total->x[1] = total->x[1] + (before.x[2] * way.x[0] - before.x[0] * way.x[2]);
            total->x[2] = total->x[2] + (before.x[0] * way.x[1] - before.x[1] * way.x[0]);
            last[part] = way;
        }
    }
    for (int part = 0; part < PARTS; part++) {
        const uint32_t at = lane + (uint32_t)part * DOUBLES;
        wd_store(out->w + at, wd_of_float(own.w, part));
        for (int axis = 0; axis < 3; axis++) {
            wd_store(out->g[axis] + at, sum[part].x[axis]);
        }
    }
}

// Whole coordinates from those of `origin` on, and velocities. Lanes without a row hold 0.
SIM_INLINE void matter_of(const struct sim *sim, uint32_t first_row, uint32_t count, const int64_t origin[3],
                          struct lanes *out)
{
    for (uint32_t axis = 0; axis < 3; axis++) {
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            const uint32_t row = first_row + (lane < count ? lane : 0);
            const int64_t x = sim_whole(sim, row, axis, sim->rows[row].x[axis]);
            out->x[axis][lane] = lane < count ? (double)(x - origin[axis]) : 0;
            out->v[axis][lane] = lane < count ? (double)sim->velocities[row].v[axis] : 0;
        }
    }
}

struct totals {
    double volume[SIM_LANES], yield[SIM_LANES], area[SIM_LANES], flow[SIM_LANES], most[SIM_LANES];
};

SIM_INLINE wd dot_at(const double a[3][SIM_LANES], const double b[3][SIM_LANES], uint32_t at)
{
    return (wd_load(a[0] + at) * wd_load(b[0] + at) + wd_load(a[1] + at) * wd_load(b[1] + at)) +
           wd_load(a[2] + at) * wd_load(b[2] + at);
}

SIM_INLINE void add_lanes(const struct lanes *lanes, struct totals *totals)
{
    for (uint32_t at = 0; at < SIM_LANES; at += DOUBLES) {
        const wd w = wd_load(lanes->w + at), size2 = dot_at(lanes->g, lanes->g, at), size = wd_sqrt(size2);
        wd_store(totals->volume + at, wd_load(totals->volume + at) + dot_at(lanes->x, lanes->g, at));
        wd_store(totals->yield + at, wd_load(totals->yield + at) + w * size2);
        wd_store(totals->area + at, wd_load(totals->area + at) + size);
        wd_store(totals->flow + at, wd_load(totals->flow + at) + dot_at(lanes->v, lanes->g, at));
        wd_store(totals->most + at, wd_max(wd_load(totals->most + at), w * size));
    }
}

SIM_INLINE void sum_up(const struct totals *totals, struct sim_balloon_sums *sums)
{
    *sums = (struct sim_balloon_sums){0};
    for (int lane = 0; lane < SIM_LANES; lane++) {
        sums->volume += totals->volume[lane];
        sums->yield += totals->yield[lane];
        sums->area += totals->area[lane];
        sums->flow += totals->flow[lane];
        sums->most = totals->most[lane] > sums->most ? totals->most[lane] : sums->most;
    }
}

void SIM_ISA(sim_pressure_look)(struct sim *sim, const struct sim_chunk *chunk)
{
    const struct sim_body *body = chunk->body;
    const struct sim_balloon *balloon = body->balloon;
    const uint32_t offset = chunk->first_row - body->first_row;
    struct totals totals = {0};
    struct lanes lanes;
    int64_t origin[3];
    for (uint32_t axis = 0; axis < 3; axis++) {
        origin[axis] = sim_whole(sim, body->first_row, axis, sim->rows[body->first_row].x[axis]);
    }
    for (uint32_t first = 0; first < chunk->count; first += SIM_LANES) {
        const uint32_t batch = (offset + first) / SIM_LANES, left = chunk->count - first;
        const uint32_t *slots = balloon->slots + (size_t)balloon->starts[batch] * SIM_LANES;
        const uint32_t slot_count = balloon->starts[batch + 1] - balloon->starts[batch];
        for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
            gradients_of(sim->rows + body->first_row, slots, slot_count, lane, &lanes);
        }
        matter_of(sim, chunk->first_row + first, left, origin, &lanes);
        add_lanes(&lanes, &totals);
        for (uint32_t lane = 0; lane < SIM_LANES && lane < left; lane++) {
            for (uint32_t axis = 0; axis < 3; axis++) {
                balloon->gradients[offset + first + lane][axis] = lanes.g[axis][lane];
            }
        }
    }
    sum_up(&totals, &balloon->sums[offset / sim_tile_rows(body->count)]);
}

// Rows stand side by side, so lanes go through memory as it lies, x y z w of one row after another (motion.c).
void SIM_ISA(sim_pressure_push)(struct sim *sim, const struct sim_chunk *chunk)
{
    const struct sim_body *body = chunk->body;
    const struct sim_balloon *balloon = body->balloon;
    const struct w_nudges nudges = w_nudges_from(sim->times.turn, chunk->seed, 0, W_PRESSURE);
    const double *gradients = balloon->gradients[0];
    const wd give = wd_set(balloon->push);
    const wf zero = w_set(0);
    const size_t end = 4 * (size_t)(chunk->first_row + (chunk->count + 3) / 4 * 4);
    uint32_t *rows = (uint32_t *)(void *)sim->rows;
    float steps[WIDE + 4];
    for (uint32_t lane = 0; lane < WIDE + 4; lane++) {
        steps[lane] = lane % 4 < 3 ? nudges.x[lane % 4] : 0;
    }
    for (size_t at = 4 * (size_t)chunk->first_row; at < end; at += WIDE) {
        const wf w = w_weights(sim->rows, at);
        const double *g = gradients + (at - 4 * (size_t)body->first_row);
        wd way[PARTS];
        for (int part = 0; part < PARTS; part++) {
            way[part] = (wd_of_float(w, part) * give) * wd_load(g + part * DOUBLES);
        }
        const wf moved = w_where(w_below(zero, w), wd_to_float(way) + w_load(steps + at % 4));
        w_store_int(rows + at, w_load_int(rows + at) + w_round(moved));
    }
}
