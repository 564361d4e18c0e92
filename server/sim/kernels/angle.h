// Angles without libm, whose bits differ from machine to machine.
#ifndef WEFT_SIM_KERNELS_ANGLE_H
#define WEFT_SIM_KERNELS_ANGLE_H

#include "sim/kernels/wide.h"

#define W_PI 3.14159265f

// Odd polynomial of atan on [-tan(pi/8), tan(pi/8)] (Cephes atanf, Moshier), the rest by identities: within
// 3e-7, and the same bits everywhere, which libm's is not. (0, 0) gives 0.
SIM_INLINE wf w_atan2(wf y, wf x)
{
    const wf zero = w_set(0), quarter_turn = w_set(1.57079633f);
    wf ax = w_abs(x), ay = w_abs(y);
    wf high = w_max(ax, ay), low = w_min(ax, ay);
    // atan t = pi/4 + atan((t - 1)/(t + 1)), with t = low/high: one division for both cases.
    wm steep = w_below(high * w_set(0.41421356f), low);
    wf t = w_select(steep, low - high, low) / w_select(steep, low + high, high);
    t = w_where(w_below(zero, high), t);
    wf z = t * t;
    wf p = w_set(8.05374449538e-2f) * z - w_set(1.38776856032e-1f);
    p = (p * z + w_set(1.99777106478e-1f)) * z - w_set(3.33329491539e-1f);
    p = (p * z) * t + t;
    wf angle = w_where(steep, w_set(0.785398163f)) + p;
    angle = w_select(w_below(ax, ay), quarter_turn - angle, angle);
    angle = w_select(w_below(x, zero), w_set(W_PI) - angle, angle);
    return w_select(w_below(y, zero), w_negative(angle), angle);
}

// e^x for 0 <= x <= W_EXP_MOST, within 4e-6: the Taylor polynomial of degree 4 at x/64, squared six times.
#define W_EXP_MOST 6.0f
SIM_INLINE wf w_exp(wf x)
{
    const wf one = w_set(1);
    wf y = x * w_set(1.0f / 64);
    wf p =
        one + y * (one + (y * w_set(1.0f / 2)) * (one + (y * w_set(1.0f / 3)) * (one + y * w_set(1.0f / 4))));
    for (int squared = 0; squared < 6; squared++) {
        p = p * p;
    }
    return p;
}

#endif
