// Rings on rails: a curtain with friction on a rod of three segments that follows a collider, and beads on a free rope that they
// pull at. They touch each other, some reach the end of their rail, and they may sleep.

#include "scene.h"

#include <inttypes.h>
#include <stdio.h>

enum { SIDE = 16, ROPE = 12, ROD = 4, BEADS = 3, TICKS = 90 };

const uint32_t scene_rails_ticks = TICKS;

struct rails {
    struct sim *sim;
    struct sim_limits limits;
    struct scene_mesh curtain_mesh, rope_mesh, rod_mesh, beads_mesh;
    struct sim_body_added curtain, rope, rod, beads;
    uint32_t carrier;
};

static const struct sim_collider carrier = {.kind = SIM_SPHERE, .position = {-1, 3, -1}, .radius = 0.1};

static void add_bodies(struct rails *scene)
{
    static const uint32_t ends[ROD] = {0, 1, 2, 3};
    struct sim_body_desc desc = scene_desc(SIM_CLOTH, &scene->curtain_mesh);
    desc.density = 0.2;
    desc.bend.compliance = 200;
    desc.thickness = 0.008;
    desc.meeting = (struct sim_meeting){.self = true, .group = 1, .mask = 1, .friction = 0.3};
    scene->curtain = scene_add(scene->sim, &desc, &scene->limits);
    desc = scene_desc(SIM_ROPE, &scene->rope_mesh);
    desc.density = 0.05;
    desc.pins = ends;
    desc.pin_count = 1;
    scene->rope = scene_add(scene->sim, &desc, &scene->limits);
    for (uint32_t i = 0; i < ROD; i++) { // along the first row of the curtain, and beyond it
        scene->rod_mesh.positions[3 * i] = scene->curtain_mesh.positions[0] - 0.1 + 0.3 * i;
        scene->rod_mesh.positions[3 * i + 1] = scene->curtain_mesh.positions[1];
        scene->rod_mesh.positions[3 * i + 2] = scene->curtain_mesh.positions[2];
    }
    desc = scene_desc(SIM_ROPE, &scene->rod_mesh);
    desc.density = 1;
    desc.thickness = 0.01;
    desc.meeting = (struct sim_meeting){.group = 1, .mask = 1, .friction = 0.3};
    scene->rod = scene_add(scene->sim, &desc, &scene->limits);
    for (uint32_t i = 0; i < BEADS; i++) { // beside the rope
        for (uint32_t axis = 0; axis < 3; axis++) {
            scene->beads_mesh.positions[3 * i + axis] = scene->rope_mesh.positions[9 * i + 9 + axis];
        }
        scene->beads_mesh.positions[3 * i] += 0.01;
    }
    desc = scene_desc(SIM_POINTS, &scene->beads_mesh);
    desc.density = 0.2;
    scene->beads = scene_add(scene->sim, &desc, &scene->limits);
}

static void add_rails(struct rails *scene)
{
    uint32_t bodies[3 * SIDE], particles[3 * SIDE], id;
    double friction[SIDE];
    for (uint32_t i = 0; i < SIDE; i++) {
        bodies[3 * i] = scene->curtain.body;
        bodies[3 * i + 1] = bodies[3 * i + 2] = scene->rod.body;
        particles[3 * i] = i;
        particles[3 * i + 1] = 0;
        particles[3 * i + 2] = ROD - 1;
        friction[i] = 0.05 * (i % 4);
    }
    MUST(sim_constraints_add(scene->sim, SIM_SLIDE_RAIL, SIDE, bodies, particles,
                             &(struct sim_constraint_values){.friction = friction}, &id, &scene_fault));
    static const double compliance[BEADS] = {0, 1e-5, 0}, rub[BEADS] = {0, 0, 0.4};
    for (uint32_t i = 0; i < BEADS; i++) {
        bodies[3 * i] = scene->beads.body;
        bodies[3 * i + 1] = bodies[3 * i + 2] = scene->rope.body;
        particles[3 * i] = i;
        particles[3 * i + 1] = 0;
        particles[3 * i + 2] = ROPE - 1;
    }
    MUST(sim_constraints_add(scene->sim, SIM_SLIDE_RAIL, BEADS, bodies, particles,
                             &(struct sim_constraint_values){.friction = rub, .compliance = compliance}, &id,
                             &scene_fault));
}

static void edit(struct rails *scene, uint32_t tick)
{
    static const uint32_t all[ROD] = {0, 1, 2, 3};
    if (tick == 0) {
        add_rails(scene);
        MUST(sim_particles_pin_to(scene->sim, scene->rod.body, all, ROD, scene->carrier, &scene_fault));
    }
    if (tick >= 10 && tick < 60) {
        struct sim_collider moved = carrier;
        moved.id = scene->carrier;
        moved.position[0] += 0.006 * (tick - 9);
        moved.position[1] += 0.002 * (tick % 7);
        MUST(sim_collider_set(scene->sim, &moved, &scene_fault));
    }
}

static int run(struct rails *scene, const struct scene_options *options)
{
    for (uint32_t tick = 0; tick < options->ticks; tick++) {
        edit(scene, tick);
        if (!scene_tick(scene->sim, options, tick)) {
            return 2;
        }
    }
    struct sim_constraint ring = {0};
    uint32_t ended = 0;
    while (sim_constraint_next(scene->sim, SIM_SLIDE_RAIL, ring.id, &ring)) {
        ended += ring.along == (ring.bodies[1] == scene->rope.body ? ROPE : ROD) - 1;
    }
    fprintf(stderr, "%u rings are at the end of their rails\n", ended);
    printf("final %016" PRIx64 "\n", sim_hash(scene->sim));
    return 0;
}

int scene_rails(const struct scene_options *options)
{
    struct rails scene = {
        .limits = {.bodies = 8, .particles = 10000, .constraints = 20000, .colliders = 4, .grabs = 4}};
    const struct sim_settings settings = {.gravity = {0, -9.81, 0},
                                          .tick_rate = 60,
                                          .substeps = 8,
                                          .iterations = 2,
                                          .damping = 0.5,
                                          .resolution = 1.0 / (1 << 27),
                                          .extent = 1e6,
                                          .sleep = true};
    scene.sim = sim_create(&settings, &scene.limits);
    if (scene.sim == NULL) {
        return 2;
    }
    scene.curtain_mesh = scene_sheet(SIDE, 0.04);
    scene.rope_mesh = scene_rope(ROPE);
    scene.rod_mesh = scene_rope(ROD);
    scene.beads_mesh = scene_points(BEADS);
    add_bodies(&scene);
    MUST(sim_collider_add(scene.sim, &carrier, &scene.carrier, &scene_fault));
    int status = run(&scene, options);
    scene_mesh_deinit(&scene.curtain_mesh);
    scene_mesh_deinit(&scene.rope_mesh);
    scene_mesh_deinit(&scene.rod_mesh);
    scene_mesh_deinit(&scene.beads_mesh);
    sim_destroy(scene.sim);
    return status;
}
