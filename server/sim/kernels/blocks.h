// Blocks of rows, and which of them are so far from a collider that no particle of theirs can touch it (contact.c).
#ifndef WEFT_SIM_KERNELS_BLOCKS_H
#define WEFT_SIM_KERNELS_BLOCKS_H

#include "sim/kernels/surface.h"

enum { BLOCK = 32, BLOCKS = SIM_TILE_ROWS / BLOCK }; // rows of a block, blocks of a chunk

// Rows side by side, and what else is known of them; WIDE of them can be read and written.
struct rows {
    struct sim_row *x;
    const struct sim_row *previous, *predicted;
    struct sim_velocity *velocities;
    const int64_t (*positions)[3];
    struct sim_contact (*contacts)[SIM_CONTACT_SLOTS]; // of those that are particles; NULL where not kept
};

struct blocks {
    uint32_t count;
    int64_t middle[3][BLOCKS];
    double radius[BLOCKS]; // m: no particle is farther from the middle
    double far[BLOCKS];    // from the collider at hand: not 0
};

// A copy of what pushes, so that the compiler knows that no store changes it.
struct pusher {
    struct sim_shape shape;
    double thickness, q, inv_q, v_out;
    double way[3], turn[3][3]; // of the material: of the origin, quanta, and of the axes
    float q_over_h;
    float restitution, least, kick[3]; // least: m/s below which nothing bounces; kick: h g
};

// Offsets of the first `count` rows from the first of them, at least and at most. A block has room for BLOCK rows,
// and those past `count` are like the last one.
SIM_INLINE void bounds(const struct sim_row *rows, uint32_t count, int32_t low[3], int32_t high[3])
{
    // Words side by side: x y z w of one row, of the next, ...; one lane has one of these four.
    enum { PERIOD = WIDE < 4 ? 4 / WIDE : 1, WORDS = WIDE < 4 ? 4 : WIDE };
    const int32_t *o = rows->x;
    const int32_t origin[16] = {o[0], o[1], o[2], 0, o[0], o[1], o[2], 0,
                                o[0], o[1], o[2], 0, o[0], o[1], o[2], 0};
    const uint32_t *words = (const uint32_t *)(const void *)rows;
    wi least[PERIOD], most[PERIOD];
    int32_t lows[WORDS], highs[WORDS];
    for (int k = 0; k < PERIOD; k++) {
        least[k] = most[k] = w_bits(w_set(0));
    }
    for (uint32_t at = 0; at < 4 * count; at += WORDS) {
        for (int k = 0; k < PERIOD; k++) {
            wi offset = w_load_int(words + at + k * WIDE) - w_load_int(origin + k * WIDE);
            least[k] = w_min_int(offset, least[k]);
            most[k] = w_max_int(offset, most[k]);
        }
    }
    for (int k = 0; k < PERIOD; k++) {
        w_store_int(lows + k * WIDE, least[k]);
        w_store_int(highs + k * WIDE, most[k]);
    }
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = lows[axis];
        high[axis] = highs[axis];
        for (int i = axis + 4; i < WORDS; i += 4) {
            low[axis] = lows[i] < low[axis] ? lows[i] : low[axis];
            high[axis] = highs[i] > high[axis] ? highs[i] : high[axis];
        }
    }
}

SIM_INLINE void block_measure(struct blocks *blocks, const struct rows *rows, uint32_t count, double q)
{
    int32_t low[3], high[3];
    double radius2 = 0;
    uint32_t b = blocks->count++;
    bounds(rows->x, count, low, high);
    for (uint32_t axis = 0; axis < 3; axis++) {
        int64_t half = ((int64_t)high[axis] - low[axis]) / 2 + 1, start = rows->positions[0][axis];
        start += sim_wrap_sub(rows->x->x[axis], (int32_t)(uint32_t)(uint64_t)start);
        blocks->middle[axis][b] = start + low[axis] + half;
        radius2 += (double)half * (double)half;
    }
    blocks->radius[b] = __builtin_sqrt(radius2) * q;
}

static void blocks_sift_field(struct blocks *blocks, const struct pusher *p, double margin)
{
    for (uint32_t b = 0; b < blocks->count; b++) {
        double seen[3], local[3];
        for (int axis = 0; axis < 3; axis++) {
            seen[axis] = (double)(blocks->middle[axis][b] - p->shape.end.position[axis]) * p->q;
        }
        for (int i = 0; i < 3; i++) {
            const double *along = p->shape.end.axes[i];
            local[i] = (seen[0] * along[0] + seen[1] * along[1]) + seen[2] * along[2];
        }
        double reach = (blocks->radius[b] + p->thickness) + margin;
        blocks->far[b] = sim_field_reaches(p->shape.field, SIM_TOPS_ALL, local, reach) ? 0 : 1;
    }
}

// Which blocks have no particle that may touch. The margin is far more than what rounding in double can do.
SIM_INLINE void blocks_sift(struct blocks *blocks, const struct pusher *p, double extent,
                            const enum sim_collider_kind kind)
{
    if (kind == SIM_HEIGHT_FIELD) {
        blocks_sift_field(blocks, p, 1e-6 + 1e-13 * extent);
        return;
    }
    const wd q = wd_set(p->q), thickness = wd_set(p->thickness), margin = wd_set(1e-6 + 1e-13 * extent);
    for (uint32_t b = 0; b < blocks->count; b += DOUBLES) {
        struct wd_vec d, unused;
        for (int axis = 0; axis < 3; axis++) {
            wl way = wl_load(blocks->middle[axis] + b) - wl_set(p->shape.end.position[axis]);
            d.x[axis] = wd_of_long(way) * q;
        }
        wd distance = distance_to(&p->shape, &p->shape.end, kind, p->q, 0, d, &unused);
        wdm far = wd_below((wd_load(blocks->radius + b) + thickness) + margin, distance);
        wd_store(blocks->far + b, wd_where(far, wd_set(1)));
    }
}

#endif
