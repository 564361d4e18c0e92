#include "sim/kernels/sum.h"

#include <math.h>

void sim_sum_init(struct sim_sum *sum)
{
    memset(sum, 0, sizeof *sum);
    sum->low = SIM_SUM_BINS;
}

// Each part but the last becomes 0 ... 2^32 - 1.
static void carry(int64_t parts[SIM_SUM_PARTS])
{
    for (int i = 0; i + 1 < SIM_SUM_PARTS; i++) {
        int64_t low = parts[i] & 0xffffffff;
        parts[i + 1] += (parts[i] - low) / 4294967296;
        parts[i] = low;
    }
}

// A part bears some 2^10 terms before its carries must be handed on; here they are at once.
static void add(int64_t parts[SIM_SUM_PARTS], uint64_t bits)
{
    uint64_t exponent = (bits >> 52) & 0x7ff, mantissa = bits & 0xfffffffffffff;
    mantissa |= (uint64_t)(exponent != 0) << 52;
    exponent += exponent == 0;
    int64_t sign = bits >> 63 != 0 ? -1 : 1, *part = parts + exponent / 32;
    uint64_t shift = exponent % 32;
    part[0] += sign * (int64_t)((mantissa << shift) & 0xffffffff);
    part[1] += sign * (int64_t)(mantissa >> (32 - shift));
}

static void add_term(int64_t parts[SIM_SUM_PARTS], double *odd, double term)
{
    uint64_t bits;
    memcpy(&bits, &term, sizeof bits);
    if (((bits >> 52) & 0x7ff) == 0x7ff) {
        *odd += term;
    } else {
        add(parts, bits);
    }
}

void sim_sum_term(struct sim_sum *sum, double term)
{
    add_term(sum->parts, &sum->odd, term);
    carry(sum->parts);
}

double sim_sum_value(const struct sim_sum *sum)
{
    int64_t parts[SIM_SUM_PARTS];
    double odd = sum->odd, sign = 1;
    memcpy(parts, sum->parts, sizeof parts);
    for (int b = sum->low; b < sum->end; b++) {
        for (int lane = 0; lane < SIM_LANES; lane++) {
            add_term(parts, &odd, sum->bins[b][lane]);
        }
        carry(parts);
    }
    if (odd != 0) { // also if it is not a number
        return odd == odd ? odd : (double)NAN;
    }
    if (parts[SIM_SUM_PARTS - 1] < 0) {
        sign = -1;
        for (int i = 0; i < SIM_SUM_PARTS; i++) {
            parts[i] = -parts[i];
        }
        carry(parts);
    }
    int top = SIM_SUM_PARTS - 1;
    while (top > 2 && parts[top] == 0) {
        top--;
    }
    // The three uppermost parts hold 65 bits at least; each is an integer below 2^32, so only the last sum rounds.
    double upper = (double)parts[top] * 4294967296.0 + (double)parts[top - 1];
    return sign * ldexp(upper * 4294967296.0 + (double)parts[top - 2], 32 * (top - 2) - 1075);
}
