// The velocity of the air where particles are: the mean wind and its gusts (kernels/air.c).
#ifndef WEFT_SIM_STATE_AIR_H
#define WEFT_SIM_STATE_AIR_H

#include <stdint.h>

enum { SIM_AIR_OCTAVES = 6 };

// All that the kernel needs to know in a tick.
struct sim_air {
    float mean[3]; // m/s
    struct sim_air_octave {
        int64_t drift[3]; // quanta that the pattern has moved by
        uint32_t shift;   // a cell is 2^shift quanta wide
        uint32_t seed;
        float weight; // m/s
    } octaves[SIM_AIR_OCTAVES];
};

#endif
