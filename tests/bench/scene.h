// The timed bodies: square cloths and cubes, and the worlds that hold them.
#ifndef WEFT_BENCH_SCENE_H
#define WEFT_BENCH_SCENE_H

#include "sim/sim.h"

enum bench_kind {
    BENCH_EDGES,
    BENCH_QUADRATIC,
    BENCH_ISOMETRIC,
    BENCH_DIHEDRAL,
    BENCH_TETS,
    BENCH_LATTICE, // the edges of BENCH_TETS without the volumes
    BENCH_KIND_COUNT,
};

enum { BENCH_TICK_RATE = 60, BENCH_SUBSTEPS = 20 };

extern const char *const bench_kind_names[BENCH_KIND_COUNT];

// The kind without bending or volumes, which what they cost is told from.
enum bench_kind bench_kind_base(enum bench_kind kind);
// The constraints that a kind has and its base does not; SIM_DISTANCE where it is its own base.
enum sim_kind bench_kind_added(enum bench_kind kind);

// Elements are triangles, tetrahedra or edges: `corners` indices each.
struct bench_mesh {
    double *positions;
    uint32_t *elements;
    uint32_t particle_count, element_count, corners;
    uint32_t pins[4];
};

// A cloth of width x width particles, or a cube of width^3 cells. False, with nothing left behind, without memory.
bool bench_mesh_init(struct bench_mesh *mesh, enum bench_kind kind, uint32_t width);
void bench_mesh_deinit(struct bench_mesh *mesh);

struct bench_times {
    double prepare_ms, attach_ms;
};

// The differences from a world at 60 ticks a second with 20 substeps of one iteration, undamped, without wind.
struct bench_world {
    uint32_t substeps, iterations; // 0: 20 and 1
    double compliance;             // m/N, of the edges
    double damping;                // N s/m, of the edges
    enum sim_contact_quality quality;
};

extern const struct bench_world bench_world_usual;

struct sim *bench_world_create(const struct bench_world *world, enum sim_isa isa);
// The mesh as a body of the world, held at its corners. False, with a line on stderr, if it is refused.
bool bench_body_add(struct sim *sim, const struct bench_mesh *mesh, enum bench_kind kind,
                    const struct bench_world *world, struct bench_times *times, uint32_t *body);
// A plan of that body, to attach it later.
struct sim_body_plan *bench_body_prepare(const struct bench_mesh *mesh, enum bench_kind kind,
                                         const struct bench_world *world);
// Both. NULL, with a line on stderr, if it cannot be had.
struct sim *bench_scene_create(enum bench_kind kind, uint32_t width, enum sim_isa isa);

// Adds a height field of 64 x 64, 1.26 m wide, whose hills are 0.05 m high at most. False, with a line on stderr, if it is refused.
bool bench_hills_add(struct sim *sim, const double middle[3]);

// One tick; false, with a line on stderr, if the world fails.
struct base_parallel;
bool bench_tick(struct sim *sim, struct base_parallel *parallel, const struct sim_hooks *hooks);

enum sim_isa bench_isa_best(void);

#endif
