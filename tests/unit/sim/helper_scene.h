// Small worlds to test: settings, bodies and time without ceremony. Everything here fails the running test
// when something that must work does not.
#ifndef WEFT_TESTS_UNIT_SIM_HELPER_SCENE_H
#define WEFT_TESTS_UNIT_SIM_HELPER_SCENE_H

#include "sim/sim.h"

#include <stdbool.h>
#include <stdint.h>

#define SCENE_Q (1.0 / (1 << 27)) // m, the default resolution

extern const struct sim_limits scene_limits;

// Gravity 9.81 down, 60 ticks a second of 10 substeps, one iteration, no damping.
struct sim_settings scene_settings(void);
// No gravity, one substep of 1/tick_rate seconds a tick.
struct sim_settings scene_still(uint32_t tick_rate);
struct sim *scene_create(struct sim_settings settings);
struct sim *scene_create_limited(struct sim_settings settings, struct sim_limits limits);

// A triangle mesh; arrays are the mesh's own.
struct scene_mesh {
    uint32_t particle_count, triangle_count;
    double *positions;
    uint32_t *triangles;
};
// columns x rows particles in the plane y = origin y, alternating diagonals.
struct scene_mesh scene_grid(uint32_t columns, uint32_t rows, double spacing, const double origin[3]);
void scene_mesh_deinit(struct scene_mesh *mesh);

// Cells of a block, six tetrahedra each, all positive; arrays are the block's own.
struct scene_block {
    uint32_t particle_count, tet_count;
    double *positions;
    uint32_t *tets;
};
struct scene_block scene_block(const uint32_t cells[3], double spacing, const double origin[3]);
void scene_block_deinit(struct scene_block *block);
struct sim_body_desc scene_soft(const struct scene_block *block); // rigid materials, density 1000

struct sim_body_desc scene_points(const double *positions, uint32_t count, const double *masses);
struct sim_body_desc scene_rope(const double *positions, uint32_t count, const uint32_t *edges,
                                uint32_t edge_count, const double *masses);
struct sim_body_desc scene_cloth(const struct scene_mesh *mesh);

uint32_t scene_add(struct sim *sim, const struct sim_body_desc *desc);
struct sim_body_added scene_add_all(struct sim *sim, const struct sim_body_desc *desc);
// A loose distance between particles a and b of one body.
uint32_t scene_link(struct sim *sim, uint32_t body, uint32_t a, uint32_t b, double rest, double compliance,
                    double damping);
uint32_t scene_plane(struct sim *sim, const double position[3], const double normal[3], double friction);
uint32_t scene_sphere(struct sim *sim, const double center[3], double radius, double friction);

// All constraints of a kind, up to 64, in the order of solving.
uint32_t scene_listed(const struct sim *sim, enum sim_kind kind, struct sim_constraint list[64]);

void scene_run(struct sim *sim, uint32_t ticks); // none of them may fail
void scene_position(const struct sim *sim, uint32_t body, uint32_t particle, double out[3]);
void scene_velocity(const struct sim *sim, uint32_t body, uint32_t particle, float out[3]);
double scene_strain(const struct sim *sim); // greatest l/L - 1 of all distances; 0 if none is too long

// |actual - expected| <= tolerance, or the test fails and says by how much.
#define assert_near(actual, expected, tolerance) \
    scene_near((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)
void scene_near(double actual, double expected, double tolerance, const char *what, const char *file,
                int line);

// A generator that gives the same numbers everywhere (xorshift64*).
uint64_t scene_random(uint64_t *state);
double scene_uniform(uint64_t *state); // [0, 1)

#endif
