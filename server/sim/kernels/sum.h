// Exact sums of doubles: what comes out does not depend on the order in which they were added.
//
// Each double is cut into pieces, one for each of the bins that its 53 bits reach into. Bin b holds multiples of
// u_b = 2^(26 b - 1066); a piece has 26 bits, so a lane of a bin bears 2^26 of them before its sum would round.
//
//     bins      ... | 26 bits | 26 bits | 26 bits | ...      sigma_b = 1.5 x 2^52 u_b
//     term              1 0110 11...                         piece = (term + sigma_b) - sigma_b, the multiple of
//     pieces            [  p2  |  p1   |  p0 ]               u_b next to it;  the rest goes on to bin b - 1
//
// (Rump, Ogita and Oishi 2008 extract so with a sigma of the terms; fixed bins are what Demmel, Ahrens and Nguyen
// 2016 use.) In the end the bins are added in one long fixed-point number that every finite double fits into, in words
// of 32 bits whose carries wait in the upper halves of int64 (Neal 2015):
//
//     value = sum part[i] 2^(32 i - 1075),   a double is mantissa 2^(exponent - 1075) and touches two parts
//
// Terms beyond the bins (from 2^988 on, or subnormal) and those that are no numbers go there at once.
#ifndef WEFT_SIM_KERNELS_SUM_H
#define WEFT_SIM_KERNELS_SUM_H

#include "sim/state/state.h"

enum {
    SIM_SUM_BINS = 79,
    SIM_SUM_PARTS = 67, // exponents up to 2046, and the carries of any number of terms
};

struct sim_sum {
    double bins[SIM_SUM_BINS][SIM_LANES];
    int low, end; // bins in use
    int64_t parts[SIM_SUM_PARTS];
    double odd; // the sum of terms that are infinite or not a number
};

void sim_sum_init(struct sim_sum *sum);
// One term, without bins.
void sim_sum_term(struct sim_sum *sum, double term);
double sim_sum_value(const struct sim_sum *sum); // correct to the last bit or its neighbour

#endif
