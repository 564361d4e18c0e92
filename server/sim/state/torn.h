// The mesh of a cloth that can tear, and what of it has torn (constraint/torn.h says how).
//
// The mesh as it was made has `own` particles, and each edge of it a number. What has torn is a set of cut edges. Particles
// beyond the own ones are spares: the first `used` of them came of splits, and the others lie on particle 0, static and in no
// element. Each spare has an origin, which is a particle before it; the own particle at the end of these is its root.
//
//     particles   | own ...           | used spares | spares that are left |       `most` spares in all
//     rows        | along a curve     | in the order of their indices      |
#ifndef WEFT_SIM_STATE_TORN_H
#define WEFT_SIM_STATE_TORN_H

#include "sim/sim.h"

#define SIM_NO_TORN UINT32_MAX

struct sim_torn_edge {
    uint32_t ends[2];      // own particles, the lower one first
    uint32_t triangles[2]; // the second one is SIM_NO_TORN at the border
    uint32_t bend;         // of the body's bending constraints; SIM_NO_TORN: none
    uint32_t stretch[2];   // of its distances, for the two triangles; SIM_NO_TORN: none
    bool cut;
};

struct sim_torn {
    struct sim_tear tear;
    uint32_t own, used;
    uint32_t *origins; // by spare
    uint32_t *roots;   // by spare: the own particle that it came of in the end
    uint64_t *since;   // by spare: the stamp of the sim when it was split (sim_stamp)
    struct sim_torn_edge *edges;
    uint32_t edge_count;
    uint32_t *cuts; // edges, in the order in which they were cut
    uint32_t cut_count;
    uint32_t *bends;  // by bending constraint of the body: its edge
    uint32_t *sides;  // by triangle: its three edges, the k-th one from corner k to corner k + 1
    uint32_t *firsts; // by own particle, and one more: where its triangles begin in `around`
    uint32_t *around;
    uint32_t *weaves; // by triangle: of the body's orthotropic constraints; SIM_NO_TORN: none
    double *areas;    // by triangle, m^2 at rest
    bool stale;       // what contact sees of the body is older than its last tear

    uint32_t first_cut, first_used; // when the last tick began
    uint32_t *changed;              // triangles that have other corners since, ascending
    uint32_t changed_count;

    // Scratch.
    double *ratios;  // by edge: the load over the threshold
    uint32_t *group; // by triangle: of a fan
    uint32_t *queue; // triangles
    uint8_t *marked; // by triangle
};

// The own particle that a spare came of in the end; an own particle itself.
static inline uint32_t sim_torn_root(const struct sim_torn *torn, uint32_t index)
{
    return index < torn->own ? index : torn->roots[index - torn->own];
}

#endif
