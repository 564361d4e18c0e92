// Predicts a row v (x, y, z) from five other rows and from the previous frame, and folds the residual into small numbers.
//
//     D1 = o1 + o2 - 2 s    D2 = p1 + p2 - 2 s    E = the value of 2 (v - s) - D1 + D2 in the previous frame
//     P  = w1 D1 + w2 D2 + wE E                   weights in 64ths
//     prediction = s + floor((P + 32) / 64)       f = (P + 32) mod 64 - 32, the part that was rounded off
//
// If f is negative the residual is written with the opposite sign, so that positive ones are likelier. Residuals with
// |f| >= 16 are less likely to be zero, so they are a class with frequencies of its own. w1 = 1/2, w2 = -1/2 continues
// two parallelograms; w1 = 1/4, w2 = 1/8 is a mean of the five, which repeats less of the noise of rounding.
#ifndef WEFT_PROTOCOL_CODEC_PREDICT_H
#define WEFT_PROTOCOL_CODEC_PREDICT_H

#include "protocol/codec/plan.h"
#include "protocol/codec/rows.h"

struct weights {
    int8_t outer, opposite, past; // w1, w2, wE
};

struct prediction {
    row at;     // the prediction
    row turned; // in each lane, all ones if the residual's sign is flipped
    row odd;    // in each lane, 1 if |f| >= 16: the residual's class
    row own;    // 2 s + D1 - D2; E for the next frame is 2 v - own
};

ROW_INLINE struct prediction predict(const uint32_t (*rows)[4], const uint32_t from[PLAN_FROM], row past,
                                     struct weights weights)
{
    row s = row_load(rows[from[PLAN_S]]), two_s = row_twice(s);
    row outer = row_add(row_load(rows[from[PLAN_O1]]), row_load(rows[from[PLAN_O2]]));
    row opposite = row_add(row_load(rows[from[PLAN_P1]]), row_load(rows[from[PLAN_P2]]));
    row sum = row_times(row_sub(outer, two_s), (uint32_t)(int32_t)weights.outer);
    sum = row_add(sum, row_times(row_sub(opposite, two_s), (uint32_t)(int32_t)weights.opposite));
    sum = row_add(sum, row_times(past, (uint32_t)(int32_t)weights.past));
    sum = row_less(sum, (uint32_t)-32);
    row rest = row_less(row_and(sum, 63), 32);
    struct prediction prediction;
    prediction.at = row_add(s, row_down(sum, 6));
    prediction.turned = row_down(rest, 31);
    // -32 .. -17 and 16 .. 31 are 16 .. 31 after the turn by xor.
    prediction.odd = row_and(row_down(row_xor(rest, prediction.turned), 4), 1);
    prediction.own = row_add(two_s, row_sub(outer, opposite));
    return prediction;
}

// Finds the weights with which the rows of one frame are predicted best. rows, past: plan->count, in the order of the plan. past
// is E of the head; if it is NULL its weight is 0.
struct weights fit_weights(const struct codec_plan *plan, const uint32_t (*rows)[4],
                           const uint32_t (*past)[4]);

// Folds 0, -1, 1, -2, 2 ... into 0, 1, 2, 3, 4 ...; residual_unfold is the inverse.
ROW_INLINE row residual_fold(row residual, row turned)
{
    row straight = row_sub(row_xor(residual, turned), turned);
    return row_xor(row_twice(straight), row_down(straight, 31));
}

ROW_INLINE row residual_unfold(row folded, row turned)
{
    row half = row_and(row_down(folded, 1), 0x7FFFFFFF);
    row minus = row_sub(row_of(0, 0, 0), row_and(folded, 1));
    row straight = row_xor(half, minus);
    return row_sub(row_xor(straight, turned), turned);
}

#endif
