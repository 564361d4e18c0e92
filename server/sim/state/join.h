// The places of the params of a join (kinds/join.c says what they are).
#ifndef WEFT_SIM_STATE_JOIN_H
#define WEFT_SIM_STATE_JOIN_H

#include "sim/sim.h"

enum {
    SIM_JOIN_REST,   // quanta
    SIM_JOIN_WEIGHT, // of corners 1 and 2, then of 4 and 5; corners 0 and 3 have what is left of 1
    SIM_JOIN_END = SIM_JOIN_WEIGHT + 4, // quanta: the rest length that it comes to
    SIM_JOIN_LEFT,                      // ticks until it does; 0: it does not change
    SIM_JOIN_LIMIT,                     // N; 0: none
    SIM_JOIN_PARTED,                    // 1 if it has parted, else 0
    SIM_JOIN_PARAMS,
    SIM_JOIN_TALLY =
        SIM_JOIN_PARAMS, // scratch: the sum of its multipliers in this tick, three numbers, quanta kg
    SIM_JOIN_SCRATCH = 3,
    SIM_JOIN_GIVE = SIM_JOIN_TALLY + SIM_JOIN_SCRATCH, // its compliance, or k'
};

// Its rest length when the tick ends, quanta.
static inline float sim_join_rest_next(float rest, float end, float left)
{
    return left > 1 ? rest + (end - rest) / left : left > 0 ? end : rest;
}

#endif
