// Forces on particles, beside those on whole bodies (struct sim_body). They are sorted by index, and a tick counts down the time that
// each of them has left (solve/push.c).
#ifndef WEFT_SIM_STATE_PUSH_H
#define WEFT_SIM_STATE_PUSH_H

#include <stdint.h>

// A force on a particle of a body.
struct sim_load {
    uint32_t index;
    uint32_t left;  // ticks in which it still acts; 0: until it is changed
    float force[3]; // N; not all 0
};

// A field of force as the kernel reads it.
struct sim_force_now {
    uint32_t kind, falloff; // enum sim_force_kind, enum sim_falloff
    int64_t middle[3];      // quanta
    float axis[3], strength, distance, core2, velocity[3], width;
    float radius, half_extents[3]; // where it begins to fade, m; far beyond any place where there is no end
    float per_margin;              // 1/m; far above any number where it does not fade
};

#endif
