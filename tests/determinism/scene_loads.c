// Loads that are solved with the edges that hold them: a heavy point on a sheet that is pinned by its corners, and another one on a
// sheet that lies over two capsules. An edge is cut, a load gets lighter, and the world is saved and made again on the way.

#include "scene.h"

#include <inttypes.h>
#include <stdio.h>

enum { SIDE = 8, TICKS = 40, CLOTHS = 1, LOADS = 2 };

const uint32_t scene_loads_ticks = TICKS;

struct loads {
    struct sim *sim;
    struct sim_limits limits;
    struct sim_body_added sheets[2], balls[2];
};

static const double ASIDE[2] = {0, 1}; // m along x

static struct sim_body_added add_sheet(struct loads *scene, double x, bool pinned)
{
    static const uint32_t corners[4] = {0, SIDE - 1, SIDE * (SIDE - 1), SIDE * SIDE - 1};
    struct scene_mesh mesh = scene_sheet(SIDE, 0.04);
    scene_mesh_shift(&mesh, x, 0, 0);
    struct sim_body_desc desc = scene_desc(SIM_CLOTH, &mesh);
    desc.density = 0.1;
    desc.thickness = 0.004;
    desc.bend_model = SIM_BEND_NONE;
    desc.meeting = (struct sim_meeting){.group = CLOTHS, .mask = LOADS, .friction = 0.6f};
    desc.pins = corners;
    desc.pin_count = pinned ? 4 : 0;
    const struct sim_body_added sheet = scene_add(scene->sim, &desc, &scene->limits);
    scene_mesh_deinit(&mesh);
    return sheet;
}

static struct sim_body_added add_ball(struct loads *scene, double x, double mass)
{
    static const double above[3] = {-0.85, 0.765, -0.87};
    struct scene_mesh mesh = scene_points(1);
    for (int axis = 0; axis < 3; axis++) {
        mesh.positions[axis] = above[axis] + (axis == 0 ? x : 0);
        mesh.velocities[axis] = axis == 1 ? -0.5f : 0;
    }
    struct sim_body_desc desc = scene_desc(SIM_POINTS, &mesh);
    desc.density = 0;
    desc.masses = &mass;
    desc.thickness = 0.06;
    desc.meeting = (struct sim_meeting){.group = LOADS, .mask = CLOTHS, .friction = 0.4f};
    const struct sim_body_added ball = scene_add(scene->sim, &desc, &scene->limits);
    scene_mesh_deinit(&mesh);
    return ball;
}

static void add_bars(struct loads *scene)
{
    struct sim_collider bar = {
        .kind = SIM_CAPSULE, .radius = 0.03, .length = 0.6, .rotation = {1, 0, 0, 1}, .friction = 0.8};
    for (int side = 0; side < 2; side++) {
        bar.position[0] = ASIDE[1] + (side == 0 ? -0.96 : -0.76);
        bar.position[1] = 0.66;
        bar.position[2] = -0.86;
        MUST(sim_collider_add(scene->sim, &bar, &bar.id, &scene_fault));
    }
}

static void edit(struct loads *scene, uint32_t tick)
{
    if (tick == 15) {
        const uint32_t cut[] = {scene->sheets[0].constraint_first[SIM_DISTANCE] + 40,
                                scene->sheets[1].constraint_first[SIM_DISTANCE] + 3};
        MUST(sim_constraints_remove(scene->sim, cut, 2, &scene_fault));
    }
    if (tick == 22) {
        scene_save(&scene->sim, &scene->limits);
    }
}

int scene_loads(const struct scene_options *options)
{
    struct loads scene = {
        .limits = {.bodies = 8, .particles = 1000, .constraints = 20000, .colliders = 4, .grabs = 4}};
    const struct sim_settings settings = {.gravity = {0, -9.81, 0},
                                          .tick_rate = 60,
                                          .substeps = 10,
                                          .iterations = 1,
                                          .damping = 0.5,
                                          .resolution = 1.0 / (1 << 27),
                                          .extent = 1e6,
                                          .long_edges = true,
                                          .loads_solved = true};
    int status = 0;
    scene.sim = sim_create(&settings, &scene.limits);
    if (scene.sim == NULL) {
        return 2;
    }
    for (int i = 0; i < 2; i++) {
        scene.sheets[i] = add_sheet(&scene, ASIDE[i], i == 0);
        scene.balls[i] = add_ball(&scene, ASIDE[i], i == 0 ? 0.9 : 0.3);
    }
    add_bars(&scene);
    for (uint32_t tick = 0; tick < options->ticks && status == 0; tick++) {
        edit(&scene, tick);
        status = scene_tick(scene.sim, options, tick) ? 0 : 2;
    }
    if (status == 0) {
        printf("final %016" PRIx64 "\n", sim_hash(scene.sim));
    }
    sim_destroy(scene.sim);
    return status;
}
