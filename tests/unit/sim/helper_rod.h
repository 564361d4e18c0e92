// Rods to test: a straight one, a ring, and what is read of them.
#ifndef WEFT_TESTS_UNIT_SIM_HELPER_ROD_H
#define WEFT_TESTS_UNIT_SIM_HELPER_ROD_H

#include "helper_scene.h"

enum { ROD_MOST = 129 }; // particles

struct rod {
    struct sim *sim;
    struct sim_body_added added;
    uint32_t body, count; // particles
    double positions[ROD_MOST][3];
    uint32_t edges[2 * ROD_MOST], edge_count;
};

// Segments along x from the origin, or around it in the plane z = 0, of this length together. kg/m.
void rod_line(struct rod *rod, uint32_t segments, double length);
void rod_ring(struct rod *rod, uint32_t segments, double length);
void rod_add(struct rod *rod, struct sim_settings settings, const struct sim_rod *given, double density);
// Pins these particles and clamps the segments there as they are.
void rod_clamp(struct rod *rod, const uint32_t *particles, uint32_t count);
void rod_end(struct rod *rod);
double rod_fastest(const struct rod *rod); // m/s, of its particles
// EI and GJ, and a stretch that is stiff beside them.
struct sim_rod rod_given(double bend, double twist);

#endif
