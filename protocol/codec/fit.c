// Weights for a sample of the vertices, by two rounds of weighted least squares:
//
//     minimise sum c (v - s - w1 D1 - w2 D2 - wE E)^2      (predict.h)
//
// with c = 1 in the first round and 1 / (1 + r^2) in the second, r being what the first left. Bits grow with the
// logarithm of a residual, not with its square: a few vertices that are badly predicted anyway, at borders or
// where a mesh turns, should not spoil it for the others. Everything is added up in a fixed order, so the same rows give the
// same weights everywhere.
#include "protocol/codec/predict.h"

#include <stddef.h>

enum {
    SAMPLE = 256,
    ROUNDS = 3,
    TERMS = 3,
    FAR = 1 << 14
}; // FAR: what is torn apart tells nothing of the rest

struct sums {
    double squares[TERMS][TERMS], products[TERMS];
};

static bool is_far(int32_t value)
{
    return value > FAR || value < -FAR;
}

static void add(struct sums *sums, const int32_t terms[TERMS], int32_t value, const double weights[TERMS])
{
    double rest = value, share = 1;
    if (is_far(terms[0]) || is_far(terms[1]) || is_far(terms[2]) || is_far(value)) {
        return;
    }
    if (weights) {
        rest -= weights[0] * terms[0] + weights[1] * terms[1] + weights[2] * terms[2];
        share = 1 / (1 + rest * rest);
    }
    for (int i = 0; i < TERMS; i++) {
        for (int j = i; j < TERMS; j++) {
            sums->squares[i][j] += share * terms[i] * terms[j];
        }
        sums->products[i] += share * terms[i] * value;
    }
}

static void gather(const struct codec_plan *plan, const uint32_t (*rows)[4], const uint32_t (*past)[4],
                   const double weights[TERMS], struct sums *sums)
{
    uint32_t stride = plan->count / SAMPLE + 2;
    for (uint32_t place = stride - 1; place < plan->count; place += stride) {
        const uint32_t *from = plan->from[place], *s = rows[from[PLAN_S]];
        const uint32_t *o1 = rows[from[PLAN_O1]], *o2 = rows[from[PLAN_O2]];
        const uint32_t *p1 = rows[from[PLAN_P1]], *p2 = rows[from[PLAN_P2]];
        for (int axis = 0; axis < 3; axis++) {
            const int32_t terms[TERMS] = {(int32_t)(o1[axis] + o2[axis] - 2 * s[axis]),
                                          (int32_t)(p1[axis] + p2[axis] - 2 * s[axis]),
                                          past ? (int32_t)past[place][axis] : 0};
            add(sums, terms, (int32_t)(rows[place][axis] - s[axis]), weights);
        }
    }
}

// Gauss' elimination; what is added to the diagonal keeps a term that says nothing at 0.
static void solve(const struct sums *sums, double weights[TERMS])
{
    double m[TERMS][TERMS + 1];
    for (int i = 0; i < TERMS; i++) {
        for (int j = 0; j < TERMS; j++) {
            m[i][j] = i < j ? sums->squares[i][j] : sums->squares[j][i];
        }
        m[i][i] += 0.01 + m[i][i] / 1024;
        m[i][TERMS] = sums->products[i];
    }
    for (int i = 0; i < TERMS; i++) {
        for (int below = i + 1; below < TERMS; below++) {
            double factor = m[below][i] / m[i][i];
            for (int j = i; j <= TERMS; j++) {
                m[below][j] -= factor * m[i][j];
            }
        }
    }
    for (int i = TERMS - 1; i >= 0; i--) {
        weights[i] = m[i][TERMS];
        for (int j = i + 1; j < TERMS; j++) {
            weights[i] -= m[i][j] * weights[j];
        }
        weights[i] /= m[i][i];
    }
}

static int8_t in_64ths(double weight)
{
    double scaled = weight * 64 + (weight < 0 ? -0.5 : 0.5);
    return (int8_t)(scaled > 127 ? 127 : scaled < -127 ? -127 : scaled);
}

struct weights fit_weights(const struct codec_plan *plan, const uint32_t (*rows)[4],
                           const uint32_t (*past)[4])
{
    double weights[TERMS];
    for (int round = 0; round < ROUNDS; round++) {
        struct sums sums = {0};
        gather(plan, rows, past, round > 0 ? weights : NULL, &sums);
        solve(&sums, weights);
    }
    return (struct weights){.outer = in_64ths(weights[0]),
                            .opposite = in_64ths(weights[1]),
                            .past = past ? in_64ths(weights[2]) : 0};
}
