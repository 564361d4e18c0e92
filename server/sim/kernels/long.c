// Long edges and tethers (long/long.h): C = max(0, |x1 - x2| - L), without compliance, and solved as distances are.
//
//   d = x1 - x2;  l = |d|;  W = w1 + w2;  s = max(0, l - L)/(W l);  x1 -= w1 s d;  x2 += w2 s d
//
// The anchor of a tether is held, so of the particle alone x -= max(0, l - L)/l d. A particle goes through all its
// tethers before it is put back.

#include "sim/kernels/wide.h"

// Tethers take their nudges from a colour that no pass has.
enum { TETHER_COLOR = 63 };

SIM_INLINE struct w_nudges nudges_of(const struct sim *sim, const struct sim_long *longs, uint32_t color)
{
    return w_nudges_from(sim->times.turn, longs->seed, color, W_LONG);
}

// Fills the offset from b to a and its length. Returns by how much it is longer than `most`, at least 0.
SIM_INLINE wf too_long(const struct w_rows *a, const struct w_rows *b, wf most, struct w_vec *d, wf *l)
{
    for (int axis = 0; axis < 3; axis++) {
        d->x[axis] = w_apart(a->x[axis], b->x[axis]);
    }
    *l = w_sqrt(w_dot(*d, *d));
    wf past = w_past_noise(w_min(*l, w_set(SIM_STRETCH_MAX)) - most, most * w_set(SIM_NOISE));
    return w_max(past, w_set(0));
}

void SIM_ISA(sim_long_edges)(struct sim *sim, const struct sim_long *longs, uint32_t color, uint32_t first,
                             uint32_t end)
{
    const struct w_nudges nudges = nudges_of(sim, longs, color);
    for (uint32_t batch = first; batch < end; batch++) {
        const uint32_t *words = longs->edges + (size_t)batch * SIM_LONG_WORDS;
        for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
            const uint32_t *at = words + lane;
            struct w_rows a = w_rows_at(sim->rows, at), b = w_rows_at(sim->rows, at + SIM_LANES);
            struct w_vec d;
            wf l, w = a.w + b.w, past = too_long(&a, &b, w_load_float(at + 2 * SIM_LANES), &d, &l);
            wm moves = w_and(w_below(w_set(0), w), w_below(w_set(0), past));
            if (!w_any(moves)) {
                continue;
            }
            wf s = w_where(moves, past / (w * l)), sa = s * a.w, sb = s * b.w;
            for (int axis = 0; axis < 3; axis++) {
                const wf nudge = w_set(nudges.x[axis]);
                a.x[axis] = a.x[axis] - w_round(sa * d.x[axis] + nudge);
                b.x[axis] = b.x[axis] + w_round(sb * d.x[axis] + nudge);
            }
            w_rows_put(sim->rows, at, &a);
            w_rows_put(sim->rows, at + SIM_LANES, &b);
        }
    }
}

// The anchors of the batch under way, in all lanes. Anchors are held, so they stay where they are.
struct anchors {
    uint32_t places[SIM_TETHERS_MAX];
    uint32_t x[SIM_TETHERS_MAX][3][WIDE];
};

SIM_INLINE struct w_rows anchor_at(const struct sim *sim, struct anchors *anchors, uint32_t k, uint32_t place)
{
    if (anchors->places[k] != place) {
        const struct sim_row *row = &sim->rows[place / SIM_ROW_BYTES];
        anchors->places[k] = place;
        for (uint32_t i = 0; i < 3 * WIDE; i++) {
            anchors->x[k][i / WIDE][i % WIDE] = (uint32_t)row->x[i / WIDE];
        }
    }
    return (struct w_rows){
        .x = {w_load_int(anchors->x[k][0]), w_load_int(anchors->x[k][1]), w_load_int(anchors->x[k][2])},
        .w = w_set(0)};
}

void SIM_ISA(sim_tethers)(struct sim *sim, const struct sim_long *longs, uint32_t first, uint32_t end)
{
    const struct w_nudges nudges = nudges_of(sim, longs, TETHER_COLOR);
    const uint32_t size = sim_tether_words(longs), count = longs->tether_count;
    struct anchors anchors = {.places = {0}};
    for (uint32_t batch = first; batch < end; batch++) {
        const uint32_t *words = longs->tethers + (size_t)batch * size;
        const uint32_t *places = words + (1 + count) * SIM_LANES;
        for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
            struct w_rows x = w_rows_at(sim->rows, words + lane);
            bool any = false;
            for (uint32_t k = 0; k < count && places[k] != 0; k++) {
                struct w_rows anchor = anchor_at(sim, &anchors, k, places[k]);
                struct w_vec d;
                wf l, past = too_long(&x, &anchor, w_load_float(words + (1 + k) * SIM_LANES + lane), &d, &l);
                wm moves = w_and(w_below(w_set(0), x.w), w_below(w_set(0), past));
                if (!w_any(moves)) {
                    continue;
                }
                any = true;
                wf s = w_where(moves, past / l);
                for (int axis = 0; axis < 3; axis++) {
                    x.x[axis] = x.x[axis] - w_round(s * d.x[axis] + w_set(nudges.x[axis]));
                }
            }
            if (any) {
                w_rows_put(sim->rows, words + lane, &x);
            }
        }
    }
}
