// A world of plastic solids. A block of clay falls onto a sphere on a plane, and is dented; another one creeps under its weight, and a
// third meets the bound of its flow. Their plasticity changes on the way, tetrahedra are removed and come back, and the world is saved
// and made again.

#include "scene.h"

#include <inttypes.h>
#include <stdio.h>

enum { CELLS = 4, REMOVED = 30, TICKS = 90 };

const uint32_t scene_clay_ticks = TICKS;

struct clays {
    struct sim *sim;
    struct sim_limits limits;
    struct scene_mesh meshes[3];
    struct sim_body_added bodies[3];
};

static void add(struct clays *scene)
{
    static const struct sim_material solids[3] = {
        {.young = 1e5, .poisson = 0.4, .damping = 20, .plastic = {0.02, 1000, 1}},
        {.young = 2e4, .poisson = 0.3, .plastic = {0, 2, 1}},
        {.young = 5e4, .poisson = 0.45, .damping = 5, .plastic = {0.005, 60, 0.05}}};
    static const struct sim_collider floor = {.kind = SIM_PLANE, .normal = {0.05, 1, 0}, .friction = 0.5};
    static const struct sim_collider sphere = {
        .kind = SIM_SPHERE, .position = {0.1, 0.1, 0.1}, .radius = 0.15, .friction = 0.3};
    uint32_t id;
    MUST(sim_collider_add(scene->sim, &floor, &id, &scene_fault));
    MUST(sim_collider_add(scene->sim, &sphere, &id, &scene_fault));
    for (int b = 0; b < 3; b++) {
        scene->meshes[b] = scene_block(CELLS);
        scene_mesh_shift(&scene->meshes[b], b == 1 ? 1 : 0, b == 2 ? 0.6 : 0.1, b == 1 ? 0.2 : 0);
        struct sim_body_desc desc = scene_desc(SIM_SOFT, &scene->meshes[b]);
        desc.solid_model = SIM_SOLID_NEO_HOOKEAN;
        desc.solid = solids[b];
        desc.thickness = 0.01;
        desc.meeting = (struct sim_meeting){.group = 1, .mask = 1, .friction = 0.4};
        scene->bodies[b] = scene_add(scene->sim, &desc, &scene->limits);
    }
}

// Takes a part of the second block away and puts it back.
static void remove_some(struct clays *scene)
{
    uint32_t ids[REMOVED];
    struct sim_image image;
    for (uint32_t i = 0; i < REMOVED; i++) {
        ids[i] = scene->bodies[1].constraint_first[SIM_NEO_HOOKEAN] + 3 * i;
    }
    const struct sim_parts parts = {.constraints = ids, .constraint_count = REMOVED, .going = true};
    if (!sim_image_take_parts(scene->sim, &parts, &image)) {
        MUST(FAULT_MEMORY);
    }
    MUST(sim_constraints_remove(scene->sim, ids, REMOVED, &scene_fault));
    MUST(sim_own_restore(scene->sim, &image.owns[0], &scene_fault));
    sim_image_deinit(&image);
}

static void edit(struct clays *scene, uint32_t tick)
{
    const struct sim_material harder = {
        .young = 8e4, .poisson = 0.4, .damping = 20, .plastic = {0.05, 100, 0.5}};
    if (tick == 30) {
        MUST(sim_body_set(scene->sim, scene->bodies[0].body, &(struct sim_body_change){.solid = &harder},
                          &scene_fault));
    }
    if (tick == 40) {
        remove_some(scene);
    }
    if (tick == 50) {
        scene_save(&scene->sim, &scene->limits);
    }
}

static int run(struct clays *scene, const struct scene_options *options)
{
    for (uint32_t tick = 0; tick < options->ticks; tick++) {
        edit(scene, tick);
        if (!scene_tick(scene->sim, options, tick)) {
            return 2;
        }
    }
    for (int b = 0; b < 3; b++) {
        double greatest, mean;
        sim_body_flowed(scene->sim, scene->bodies[b].body, &greatest, &mean);
        fprintf(stderr, "body %d has flowed by %g, %g in the mean\n", b, greatest, mean);
    }
    printf("final %016" PRIx64 "\n", sim_hash(scene->sim));
    return 0;
}

int scene_clay(const struct scene_options *options)
{
    struct clays scene = {
        .limits = {.bodies = 4, .particles = 10000, .constraints = 20000, .colliders = 4, .grabs = 4}};
    const struct sim_settings settings = {.gravity = {0, -9.81, 0},
                                          .tick_rate = 60,
                                          .substeps = 10,
                                          .iterations = 1,
                                          .damping = 0.1,
                                          .resolution = 1.0 / (1 << 27),
                                          .extent = 1e6,
                                          .wind = {.drag = 1}};
    scene.sim = sim_create(&settings, &scene.limits);
    MUST(scene.sim ? FAULT_NONE : FAULT_MEMORY);
    add(&scene);
    const int status = run(&scene, options);
    for (int b = 0; b < 3; b++) {
        scene_mesh_deinit(&scene.meshes[b]);
    }
    sim_destroy(scene.sim);
    return status;
}
