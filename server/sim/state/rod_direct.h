// Chains of a rod that is solved directly (solve/rod_direct.c). A node is a particle and the orientation of the segment that begins there.
#ifndef WEFT_SIM_STATE_ROD_DIRECT_H
#define WEFT_SIM_STATE_ROD_DIRECT_H

#include "sim/sim.h"

// Unknowns of a node, and the most pins that clamp one orientation.
enum { SIM_ROD_SIX = 6, SIM_ROD_CLAMPS = 2 };

struct sim_rod_segment {
    double axes[3][3], d[3], c[3], length;
    double arms[3][3]; // gradients of C by the orientation
    double k[3];       // stiffness times h^2
};

struct sim_rod_joint {
    double c[3], j[3][3]; // C, and its gradient by the second orientation; that by the first is the opposite
    double k[3];
};

struct sim_rod_node {
    uint32_t particle, row;
    uint32_t segment, joint;         // slots of those that begin here; SIM_GONE: there is none
    uint32_t clamps[SIM_ROD_CLAMPS]; // pins that hold its orientation; UINT32_MAX: none does
    double held[2];                  // 1: its particle, and its orientation, stays
    double taut;                     // pull of its segment, times h^2; below 0: it is pressed
    double stretch[3], bend[3];      // multipliers
    struct sim_rod_segment s;
    struct sim_rod_joint j;
    // Only what stands at and below the diagonal of D_i is read. B_i has nothing where rows of the particle meet columns of the
    // orientation.
    double diagonal[SIM_ROD_SIX][SIM_ROD_SIX], beside[SIM_ROD_SIX][SIM_ROD_SIX],
        far[SIM_ROD_SIX][SIM_ROD_SIX], way[SIM_ROD_SIX];
};

struct sim_rod_chain {
    uint32_t first, count; // nodes
    bool ring;
};

struct sim_rod_direct {
    uint32_t chain_count;
    struct sim_rod_chain *chains;
    struct sim_rod_node *nodes;
    uint32_t *node_of; // by particle; UINT32_MAX: it is in no chain
};

#endif
