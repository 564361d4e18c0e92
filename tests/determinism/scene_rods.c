// Rods: hair of many strands, some of which curl, clamped at its roots and turned by them, over a sphere; a plain rope among it; and a
// free wire that is twisted. Constraints of the hair change and go on the way.

#include "scene.h"

#include <inttypes.h>
#include <stdio.h>

enum { STRANDS = 180, POINTS = 26, WIRE = 12, TICKS = 60 };

const uint32_t scene_rods_ticks = TICKS;

struct rods {
    struct sim *sim;
    struct sim_limits limits;
    struct scene_mesh hair_mesh, wire_mesh;
    struct sim_body_added hair, wire;
    uint32_t roots[STRANDS];
};

static void add_hair(struct rods *scene)
{
    static const struct sim_rod rod = {.radius = 0.002,
                                       .young = 2e7,
                                       .poisson = 0.4,
                                       .damping = 0.004,
                                       .curved = true,
                                       .curvature = {6, 2},
                                       .rest_twist = 1,
                                       .twist = 1};
    struct scene_mesh *mesh = &scene->hair_mesh;
    mesh->particle_count = STRANDS * POINTS;
    mesh->element_count = STRANDS * (POINTS - 1);
    mesh->positions = scene_array(3 * mesh->particle_count, sizeof *mesh->positions);
    mesh->elements = scene_array(2 * mesh->element_count, sizeof *mesh->elements);
    for (uint32_t s = 0; s < STRANDS; s++) {
        scene->roots[s] = s * POINTS;
        for (uint32_t i = 0; i < POINTS; i++) {
            double *x = mesh->positions + 3 * (s * POINTS + i);
            x[0] = 0.01 * (s % 20);
            x[1] = 1 + 0.02 * i;
            x[2] = 0.01 * (s / 20) + 0.0003 * i * (s % 3);
            if (i + 1 < POINTS) {
                mesh->elements[2 * (s * (POINTS - 1) + i)] = s * POINTS + i;
                mesh->elements[2 * (s * (POINTS - 1) + i) + 1] = s * POINTS + i + 1;
            }
        }
    }
    struct sim_body_desc desc = scene_desc(SIM_ROPE, mesh);
    desc.rod = &rod;
    desc.density = 0.01;
    desc.pins = desc.clamps = scene->roots;
    desc.pin_count = desc.clamp_count = STRANDS;
    scene->hair = scene_add(scene->sim, &desc, &scene->limits);
}

static void add_wire(struct rods *scene)
{
    static const struct sim_rod rod = {
        .radius = 0.004, .young = 1e8, .poisson = 0.3, .bend_stiffness = 0.02, .curved = true, .twist = 30};
    scene->wire_mesh = scene_rope(WIRE);
    struct sim_body_desc desc = scene_desc(SIM_ROPE, &scene->wire_mesh);
    desc.rod = &rod;
    desc.density = 0.1;
    desc.thickness = 0.004;
    desc.meeting = (struct sim_meeting){.self = true, .group = 1, .mask = 1, .friction = 0.3};
    scene->wire = scene_add(scene->sim, &desc, &scene->limits);
}

static void edit(struct rods *scene, uint32_t tick)
{
    double rotations[4 * STRANDS];
    for (uint32_t s = 0; s < STRANDS; s++) { // back and forth, about axes that differ
        rotations[4 * s] = 0.1 * (tick % 20 < 10 ? tick % 10 : 10 - tick % 10);
        rotations[4 * s + 1] = 0.002 * s;
        rotations[4 * s + 2] = 0.05 * (tick % 10);
        rotations[4 * s + 3] = 1;
    }
    if (tick >= 10 && tick < 40) {
        MUST(sim_particles_clamp(scene->sim, scene->hair.body, scene->roots, STRANDS, true, rotations,
                                 &scene_fault));
    }
    if (tick == 45) {
        MUST(sim_particles_clamp(scene->sim, scene->hair.body, scene->roots, STRANDS / 2, false, NULL,
                                 &scene_fault));
    }
    const uint32_t first = scene->hair.constraint_first[SIM_ROD_BEND],
                   some[] = {first + 3, first + 90, first + 91};
    if (tick == 20) {
        static const double softer[] = {1e5, 1e6, 1e4}, damping[] = {0, 1e-6, 1e-5};
        MUST(sim_constraints_set(scene->sim, some, 3,
                                 &(struct sim_constraint_values){.compliance = softer, .damping = damping},
                                 &scene_fault));
    }
    if (tick == 30) {
        const uint32_t cut[] = {scene->hair.constraint_first[SIM_ROD_STRETCH] + 60, some[1]};
        MUST(sim_constraints_remove(scene->sim, cut, 2, &scene_fault));
    }
}

static int run(struct rods *scene, const struct scene_options *options)
{
    for (uint32_t tick = 0; tick < options->ticks; tick++) {
        edit(scene, tick);
        if (!scene_tick(scene->sim, options, tick)) {
            return 2;
        }
    }
    printf("final %016" PRIx64 "\n", sim_hash(scene->sim));
    return 0;
}

int scene_rods(const struct scene_options *options)
{
    struct rods scene = {
        .limits = {.bodies = 8, .particles = 10000, .constraints = 20000, .colliders = 4, .grabs = 4}};
    const struct sim_settings settings = {.gravity = {0, -9.81, 0},
                                          .tick_rate = 60,
                                          .substeps = 10,
                                          .iterations = 2,
                                          .damping = 0.5,
                                          .resolution = 1.0 / (1 << 27),
                                          .extent = 1e6};
    static const struct sim_collider ball = {
        .kind = SIM_SPHERE, .position = {0.1, 1.2, 0.1}, .radius = 0.1, .friction = 0.3};
    uint32_t id;
    scene.sim = sim_create(&settings, &scene.limits);
    if (scene.sim == NULL) {
        return 2;
    }
    add_hair(&scene);
    add_wire(&scene);
    MUST(sim_collider_add(scene.sim, &ball, &id, &scene_fault));
    int status = run(&scene, options);
    scene_mesh_deinit(&scene.hair_mesh);
    scene_mesh_deinit(&scene.wire_mesh);
    sim_destroy(scene.sim);
    return status;
}
