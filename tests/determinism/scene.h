// The scenes that must come to the same bits from every compiler, instruction set and number of threads, and
// what they share. Only + - * / and square roots and integers go into them: what they ask for is the same
// everywhere as well.
#ifndef WEFT_TESTS_DETERMINISM_SCENE_H
#define WEFT_TESTS_DETERMINISM_SCENE_H

#include "sim/sim.h"

#include <stddef.h>
#include <stdint.h>

struct base_parallel;

struct scene_options {
    struct base_parallel *parallel;
    uint32_t ticks; // where to stop; at most the scene's own
    uint64_t seed;  // of scene_edits
};

// Each prints lines "TICK HASH ..." that begin alike however early it is stopped, last "final HASH". They
// return the program's status: 0, or 2 where something failed that must not.
#define SCENES(SCENE)                                                                     \
    SCENE(falls)      /* few edits, each one meant */                                     \
    SCENE(holds)      /* what holds bodies: long edges, joins, slides, pins */            \
    SCENE(rails)      /* rings on rails */                                                \
    SCENE(loads)      /* loads that are solved with the edges that hold them */           \
    SCENE(rods)       /* rods, clamped and free */                                        \
    SCENE(wires)      /* rods that are solved directly, and clamps that turn */           \
    SCENE(rigid)      /* rigid pieces in flight, held and turned */                       \
    SCENE(trampoline) /* rigid pieces on cloth, ropes and points */                       \
    SCENE(stack)      /* rigid pieces on each other and on colliders */                   \
    SCENE(hulls)      /* rigid pieces that are hulls, on all the rest */                  \
    SCENE(compounds)  /* rigid pieces that have parts, on all the rest */                 \
    SCENE(hammocks)   /* pieces that sleep on cloth */                                    \
    SCENE(joints)     /* joints of rigid pieces */                                        \
    SCENE(hooks)      /* joints to segments of rods */                                    \
    SCENE(pulls)      /* tears, bending along yarns, friction of what slides, forces */   \
    SCENE(fans)       /* winds and fans, and bodies with their own coefficients in air */ \
    SCENE(materials)  /* solids, fabrics, creases and soft pins */                        \
    SCENE(clay)       /* solids that flow, edited and saved on the way */                 \
    SCENE(inside)     /* balloons, and bags whose volume is kept */                       \
    SCENE(shapes)     /* bodies that are drawn to their shapes */                         \
    SCENE(edits)      /* ten thousand at random */                                        \
    SCENE(images)     /* the same, saved and made again on the way */
#define SCENE_DECLARE(name)                                \
    int scene_##name(const struct scene_options *options); \
    extern const uint32_t scene_##name##_ticks;
SCENES(SCENE_DECLARE)
#undef SCENE_DECLARE

// A refusal ends the program.
#define MUST(call) scene_must((call), __FILE__, __LINE__)
void scene_must(enum fault_code status, const char *file, int line);
extern struct fault scene_fault;
struct sim_body_added scene_add(struct sim *sim, const struct sim_body_desc *desc,
                                const struct sim_limits *limits);
// Runs one tick, and prints the hash after each tenth. False: the world failed, which it says.
bool scene_tick(struct sim *sim, const struct scene_options *options, uint32_t tick);
void scene_save(struct sim **sim, const struct sim_limits *limits); // saves a world, and makes it again

// Arrays are the mesh's own; memory is asked for with scene_array, which does not come back without.
struct scene_mesh {
    uint32_t particle_count, element_count;
    double *positions;
    float *velocities;  // NULL: at rest
    uint32_t *elements; // triangles, edges or tetrahedra
};
void *scene_array(uint64_t count, size_t item_size);
void scene_mesh_deinit(struct scene_mesh *mesh);
struct scene_mesh scene_sheet(uint32_t side, double spacing); // level, 0.7 m above the origin
struct scene_mesh scene_rope(uint32_t count);
struct scene_mesh scene_points(uint32_t count); // flying apart
struct scene_mesh scene_block(uint32_t cells);  // cells of five tetrahedra, every other one mirrored
// Two sheets of side x side; the second one begins where the first one ends: a seam of coincident vertices.
struct scene_mesh scene_flag(uint32_t side);
void scene_mesh_shift(struct scene_mesh *mesh, double x, double y, double z);

// As the kind has it; materials rigid, nothing pinned.
struct sim_body_desc scene_desc(enum sim_body_kind kind, const struct scene_mesh *mesh);

#endif
