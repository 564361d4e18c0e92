// Square blocks of lanes, turned: w_turn of WIDE vectors of floats, wd_turn of DOUBLES vectors of doubles. Lane i of
// vector k becomes lane k of vector i.
//
// Pairs of vectors that are 1, 2, 4 ... apart swap the lanes that are on the wrong side:
//
//     a0 a1 a2 a3   ->   a0 b0 a2 b2
//     b0 b1 b2 b3        a1 b1 a3 b3
#ifndef WEFT_SIM_KERNELS_WIDE_TURN_H
#define WEFT_SIM_KERNELS_WIDE_TURN_H

#include "sim/kernels/wide_double.h"

// The lanes of the first and of the second vector of a pair, by how many lanes there are and how far apart it is.
#define TURN_A_2_1 0, 2
#define TURN_B_2_1 1, 3
#define TURN_A_4_1 0, 4, 2, 6
#define TURN_B_4_1 1, 5, 3, 7
#define TURN_A_4_2 0, 1, 4, 5
#define TURN_B_4_2 2, 3, 6, 7
#define TURN_A_8_1 0, 8, 2, 10, 4, 12, 6, 14
#define TURN_B_8_1 1, 9, 3, 11, 5, 13, 7, 15
#define TURN_A_8_2 0, 1, 8, 9, 4, 5, 12, 13
#define TURN_B_8_2 2, 3, 10, 11, 6, 7, 14, 15
#define TURN_A_8_4 0, 1, 2, 3, 8, 9, 10, 11
#define TURN_B_8_4 4, 5, 6, 7, 12, 13, 14, 15
#define TURN_A_16_1 0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30
#define TURN_B_16_1 1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31
#define TURN_A_16_2 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29
#define TURN_B_16_2 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31
#define TURN_A_16_4 0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27
#define TURN_B_16_4 4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31
#define TURN_A_16_8 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23
#define TURN_B_16_8 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31

#define TURN(vector, count, apart)                                                     \
    for (int k = 0; k < (count); k++) {                                                \
        if ((k & (apart)) == 0) {                                                      \
            const vector a = rows[k], b = rows[k + (apart)];                           \
            rows[k] = __builtin_shufflevector(a, b, TURN_A_##count##_##apart);         \
            rows[k + (apart)] = __builtin_shufflevector(a, b, TURN_B_##count##_##apart); \
        }                                                                              \
    }

SIM_INLINE void w_turn(wf rows[WIDE])
{
#if WIDE == 16
    TURN(wf, 16, 1)
    TURN(wf, 16, 2)
    TURN(wf, 16, 4)
    TURN(wf, 16, 8)
#elif WIDE == 8
    TURN(wf, 8, 1)
    TURN(wf, 8, 2)
    TURN(wf, 8, 4)
#elif WIDE == 4
    TURN(wf, 4, 1)
    TURN(wf, 4, 2)
#else
    (void)rows;
#endif
}

SIM_INLINE void wd_turn(wd rows[DOUBLES])
{
#if DOUBLES == 8
    TURN(wd, 8, 1)
    TURN(wd, 8, 2)
    TURN(wd, 8, 4)
#elif DOUBLES == 4
    TURN(wd, 4, 1)
    TURN(wd, 4, 2)
#elif DOUBLES == 2
    TURN(wd, 2, 1)
#else
    (void)rows;
#endif
}

#endif
