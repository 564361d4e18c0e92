// The body as a whole: how corrections moved and turned it, and what is taken back of that (solve/steady.c).

#include "sim/ground/ground.h"
#include "sim/kernels/wide_double.h"

// Rows of a batch in lanes: places before this substep, quanta from the first row's prediction on, and corrections.
struct moved {
    double m[SIM_LANES], r[3][SIM_LANES], d[3][SIM_LANES];
};

// Places of particles when the substep began, before they moved with their velocities. The angular momentum
// of a step x -> y is sum m x x y/h, so corrections must not turn the body about these places.
SIM_INLINE void places_of(const struct sim *sim, const struct sim_body *body, uint32_t first_row,
                          uint32_t count, double r[3][SIM_LANES])
{
    const int32_t *origin = sim->predicted[body->first_row].x;
    const double h_over_q = (double)(sim->times.keep * sim->times.h_over_q);
    for (uint32_t axis = 0; axis < 3; axis++) {
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            const uint32_t row = first_row + (lane < count ? lane : 0);
            const double way = (double)sim->velocities[row].v[axis] * h_over_q;
            r[axis][lane] = (double)sim_wrap_sub(sim->predicted[row].x[axis], origin[axis]) - way;
        }
    }
}

SIM_INLINE uint32_t moved_of(const struct sim *sim, const struct sim_body *body, uint32_t first_row,
                             uint32_t count, struct moved *out)
{
    const struct sim_row *before = body->steady->before;
    uint32_t held = 0;
    places_of(sim, body, first_row, count, out->r);
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        const uint32_t row = first_row + (lane < count ? lane : 0);
        const float w = sim->rows[row].w;
        const bool counts = lane < count && w > 0;
        held += lane < count && !(w > 0);
        out->m[lane] = counts ? 1 / (double)w : 0;
        for (uint32_t axis = 0; axis < 3; axis++) {
            const int32_t from = before[row - body->first_row].x[axis];
            out->d[axis][lane] = counts ? (double)sim_wrap_sub(sim->rows[row].x[axis], from) : 0;
        }
    }
    return held;
}

// Sums by lane, in the order of struct sim_steady_moments.
enum { MOMENTS = 16 };

SIM_INLINE void add_moments(const struct moved *rows, double sums[MOMENTS][SIM_LANES])
{
    const double(*r)[SIM_LANES] = rows->r, (*d)[SIM_LANES] = rows->d;
    for (int lane = 0; lane < SIM_LANES; lane++) {
        const double m = rows->m[lane];
        sums[0][lane] += m;
        for (int axis = 0; axis < 3; axis++) {
            const int b = (axis + 1) % 3, c = (axis + 2) % 3;
            sums[1 + axis][lane] += m * r[axis][lane];
            sums[4 + axis][lane] += m * (r[axis][lane] * r[axis][lane]);
            sums[7 + axis][lane] += m * (r[axis][lane] * r[b][lane]);
            sums[10 + axis][lane] += m * d[axis][lane];
            sums[13 + axis][lane] += m * (r[b][lane] * d[c][lane] - r[c][lane] * d[b][lane]);
        }
    }
}

void SIM_ISA(sim_steady_weigh)(struct sim *sim, const struct sim_chunk *chunk)
{
    const struct sim_body *body = chunk->body;
    struct sim_steady_moments *moments =
        &body->steady->moments[(chunk->first_row - body->first_row) / sim_tile_rows(body->count)];
    double sums[MOMENTS][SIM_LANES] = {{0}}, all[MOMENTS] = {0};
    struct moved rows;
    uint32_t held = 0;
    for (uint32_t first = 0; first < chunk->count; first += SIM_LANES) {
        held += moved_of(sim, body, chunk->first_row + first, chunk->count - first, &rows);
        add_moments(&rows, sums);
    }
    for (int i = 0; i < MOMENTS; i++) {
        for (int lane = 0; lane < SIM_LANES; lane++) {
            all[i] += sums[i][lane];
        }
    }
    *moments = (struct sim_steady_moments){.mass = all[0], .held = held};
    memcpy(moments->at, all + 1, sizeof moments->at);
    memcpy(moments->squares, all + 4, sizeof moments->squares);
    memcpy(moments->moved, all + 10, sizeof moments->moved);
    memcpy(moments->turned, all + 13, sizeof moments->turned);
}

// Moves to take back from the rows of a batch: whole quanta, and what is left of them. A move is below 2^30
// (solve/steady.c), so adding 1.5 x 2^52 leaves the nearest integer in the low bits.
struct taken {
    int32_t whole[3][SIM_LANES];
    float left[3][SIM_LANES];
};

SIM_INLINE void taken_of(const struct sim_steady *steady, double r[3][SIM_LANES], float scale,
                         struct taken *out)
{
    for (int axis = 0; axis < 3; axis++) {
        const int b = (axis + 1) % 3, c = (axis + 2) % 3;
        const double shift =
            steady->shift[axis] + (steady->turn[c] * steady->centre[b] - steady->turn[b] * steady->centre[c]);
        const double along = steady->turn[b], across = steady->turn[c];
        for (int lane = 0; lane < SIM_LANES; lane++) {
            const double way = -(shift + (along * r[c][lane] - across * r[b][lane]));
            const double shifted = way + 6755399441055744.0;
            uint64_t bits;
            memcpy(&bits, &shifted, sizeof bits);
            out->whole[axis][lane] = (int32_t)(uint32_t)bits;
            out->left[axis][lane] = (float)(way - (shifted - 6755399441055744.0)) * scale;
        }
    }
}

void SIM_ISA(sim_steady_take)(struct sim *sim, const struct sim_chunk *chunk, bool keeps)
{
    const struct sim_body *body = chunk->body;
    const float scale = keeps ? sim->times.q_over_h : 0;
    struct moved rows;
    struct taken taken;
    for (uint32_t first = 0; first < chunk->count; first += SIM_LANES) {
        const uint32_t row = chunk->first_row + first, left = chunk->count - first;
        places_of(sim, body, row, left, rows.r);
        taken_of(body->steady, rows.r, scale, &taken);
        for (uint32_t lane = 0; lane < SIM_LANES && lane < left; lane++) {
            for (uint32_t axis = 0; axis < 3; axis++) {
                int32_t *x = &sim->rows[row + lane].x[axis];
                *x = sim_wrap_add(*x, taken.whole[axis][lane]);
                sim->velocities[row + lane].v[axis] += taken.left[axis][lane];
            }
        }
    }
}
