// Least squares over a sample of the vertices:
//
//     minimise sum (v - s - w1 D1 - w2 D2 - wE E)^2      (predict.h)
//
// The sums are of integers and the three equations are solved in double, so the same rows give the same weights
// everywhere.
#include "protocol/codec/fit.h"

enum { SAMPLE = 512, TERMS = 3, FAR = 1 << 14 }; // FAR: what is torn apart tells nothing of the rest

struct sums {
    int64_t squares[TERMS][TERMS], products[TERMS];
};

static void add(struct sums *sums, const int32_t terms[TERMS], int32_t value)
{
    for (int i = 0; i < TERMS; i++) {
        if (terms[i] > FAR || terms[i] < -FAR) {
            return;
        }
    }
    if (value > FAR || value < -FAR) {
        return;
    }
    for (int i = 0; i < TERMS; i++) {
        for (int j = 0; j < TERMS; j++) {
            sums->squares[i][j] += (int64_t)terms[i] * terms[j];
        }
        sums->products[i] += (int64_t)terms[i] * value;
    }
}

static void gather(const struct codec_plan *plan, const uint32_t (*rows)[4], const uint32_t (*past)[4],
                   struct sums *sums)
{
    uint32_t stride = plan->count / SAMPLE + 1;
    for (uint32_t place = stride - 1; place < plan->count; place += stride) {
        const uint32_t *from = plan->from[place], *s = rows[from[PLAN_S]];
        const uint32_t *o1 = rows[from[PLAN_O1]], *o2 = rows[from[PLAN_O2]];
        const uint32_t *p1 = rows[from[PLAN_P1]], *p2 = rows[from[PLAN_P2]];
        for (int axis = 0; axis < 3; axis++) {
            const int32_t terms[TERMS] = {(int32_t)(o1[axis] + o2[axis] - 2 * s[axis]),
                                          (int32_t)(p1[axis] + p2[axis] - 2 * s[axis]),
                                          past != NULL ? (int32_t)past[place][axis] : 0};
            add(sums, terms, (int32_t)(rows[place][axis] - s[axis]));
        }
    }
}

// Gauss' elimination; what is added to the diagonal keeps a term that says nothing at 0.
static void solve(const struct sums *sums, double weights[TERMS])
{
    double m[TERMS][TERMS + 1];
    for (int i = 0; i < TERMS; i++) {
        for (int j = 0; j < TERMS; j++) {
            m[i][j] = (double)sums->squares[i][j];
        }
        m[i][i] += 1 + m[i][i] / 1024;
        m[i][TERMS] = (double)sums->products[i];
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

static int8_t rounded(double weight, double scale)
{
    double scaled = weight * scale + (weight < 0 ? -0.5 : 0.5);
    return (int8_t)(scaled > 127 ? 127 : scaled < -127 ? -127 : scaled);
}

struct weights fit_weights(const struct codec_plan *plan, const uint32_t (*rows)[4],
                           const uint32_t (*past)[4])
{
    struct sums sums = {0};
    double weights[TERMS];
    gather(plan, rows, past, &sums);
    solve(&sums, weights);
    return (struct weights){.outer = rounded(weights[0], 64),
                            .opposite = rounded(weights[1], 64),
                            .past = past != NULL ? rounded(weights[2], 64) : 0};
}
