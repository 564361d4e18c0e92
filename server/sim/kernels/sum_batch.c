// Adds a batch of terms to an exact sum, lane by lane (sum.h).

#include "sim/kernels/sum.h"
#include "sim/kernels/terms.h"

#include <math.h>

enum { VECTORS = SIM_LANES / DOUBLES };

SIM_INLINE int exponent_of(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return (int)((bits >> 52) & 0x7ff);
}

SIM_INLINE wd least_of(wd a, wd b)
{
    return wd_select(wd_below(a, b), a, b);
}

// Greatest size of all terms, and the least of those that are not 0. What is not a number counts as infinite.
SIM_INLINE void sizes_of(const wd terms[VECTORS], double *least, double *greatest)
{
    const wd zero = wd_set(0), none = wd_set(0x1p1000);
    double all_least[DOUBLES], all_greatest[DOUBLES];
    wd low = none, high = zero;
    for (int i = 0; i < VECTORS; i++) {
        wd size = wd_select(wd_equal(terms[i], terms[i]), wd_abs(terms[i]), wd_set(HUGE_VAL));
        low = least_of(wd_select(wd_below(zero, size), size, none), low);
        high = wd_max(size, high);
    }
    wd_store(all_least, low);
    wd_store(all_greatest, high);
    *least = all_least[0];
    *greatest = all_greatest[0];
    for (int i = 1; i < DOUBLES; i++) {
        *least = all_least[i] < *least ? all_least[i] : *least;
        *greatest = all_greatest[i] > *greatest ? all_greatest[i] : *greatest;
    }
}

void SIM_ISA(sim_sum_batch)(struct sim_sum *sum, const double terms[SIM_LANES])
{
    wd left[VECTORS];
    double least, greatest;
    for (int i = 0; i < VECTORS; i++) {
        left[i] = wd_load(terms + i * DOUBLES);
    }
    sizes_of(left, &least, &greatest);
    if (greatest == 0) {
        return;
    }
    // |term| < 2^(exponent - 1022) is 2^26 u_b at most in the uppermost bin; its last bit is 2^(exponent - 1075).
    int top = (exponent_of(greatest) + 43) / 26, low = (exponent_of(least) - 9) / 26;
    if (top >= SIM_SUM_BINS || exponent_of(least) < 9) {
        for (int i = 0; i < SIM_LANES; i++) {
            sim_sum_term(sum, terms[i]);
        }
        return;
    }
    sum->low = low < sum->low ? low : sum->low;
    sum->end = top + 1 > sum->end ? top + 1 : sum->end;
    for (int b = top; b >= low; b--) {
        uint64_t bits = (uint64_t)(26 * b + 9) << 52 | UINT64_C(1) << 51;
        double sigma;
        memcpy(&sigma, &bits, sizeof sigma);
        for (int i = 0; i < VECTORS; i++) {
            wd piece = (left[i] + wd_set(sigma)) - wd_set(sigma);
            double *bin = sum->bins[b] + i * DOUBLES;
            wd_store(bin, wd_load(bin) + piece);
            left[i] = left[i] - piece;
        }
    }
}
