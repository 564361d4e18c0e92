// Rods: ropes whose segments have an orientation each, so that they bend and twist (concepts/rods.md).
//
// The orientation of a segment stands at the particle at which the segment begins. Two kinds of constraints hold a rod:
//
//     x0 ----- x1 ----- x2 ----- x3      particles
//     q0       q1       q2               orientations, at the rows of x0, x1 and x2
//     [  s0  ] [  s1  ] [  s2  ]         rod_stretch, of x0 and x1: they also turn q0
//     [      b0      ]                   rod_bend, of x0 and x1: they turn q0 and q1, and no position
//              [      b1      ]
#ifndef WEFT_SIM_STATE_ROD_H
#define WEFT_SIM_STATE_ROD_H

#include "sim/sim.h"

// Params of rod_stretch. Its compliance is 1/EA in 1/N, and that of the constraint is so many times LENGTH.
enum sim_rod_stretch_param {
    SIM_ROD_LENGTH, // m
    SIM_ROD_SHEAR,  // EA/kGA: how much more it gives to shear than to stretch
    SIM_ROD_STRETCH_PARAMS
};

// Params of rod_bend. Its compliance is 1/EI in 1/(N m^2), and that of the constraint is so many times SPAN.
enum sim_rod_bend_param {
    SIM_ROD_SPAN,  // m: half of both segments
    SIM_ROD_TWIST, // EI/GJ: how much more it gives to twist than to bending
    SIM_ROD_BEND_PARAMS
};

// A clamp at a particle holds this segment.
struct sim_rod_end {
    // Index of the particle that has the orientation: of the segment that begins here, or else ends here. UINT32_MAX: there is none.
    uint32_t holder;
    float span; // m: half of that segment
};

struct sim_rod_direct; // solve/rod_direct.c

// A body keeps this of its rod.
struct sim_rod_own {
    struct sim_rod given;
    struct sim_rod_direct *direct; // its chains, in one block of memory; NULL: segments and joints are swept
    struct sim_rod_end *ends;      // by index
    // Sines of half angles, doubled, as joints measure theirs: from which on they flow, and how far their rests may go.
    float yield, greatest;
};

#endif
