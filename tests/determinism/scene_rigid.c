// Rigid bodies: pieces of all shapes that spin and fall, some of them pinned, static, pushed by forces or tied to each other and to a
// cloth. They are turned, weighed again and saved on the way.

#include "scene.h"

#include <inttypes.h>
#include <stdio.h>

enum { PIECES = 60, BODIES = 3, TICKS = 90 };

const uint32_t scene_rigid_ticks = TICKS;

struct rigid {
    struct sim *sim;
    struct sim_limits limits;
    struct scene_mesh sheet, places;
    struct sim_body_added cloth, bodies[BODIES];
};

static void add_pieces(struct rigid *scene, uint32_t form)
{
    static const struct sim_rigid_shape shapes[BODIES] = {
        {.form = SIM_RIGID_SPHERE, .radius = 0.05f},
        {.form = SIM_RIGID_CAPSULE, .radius = 0.03f, .half_height = 0.08f},
        {.form = SIM_RIGID_BOX, .half_extents = {0.02f, 0.05f, 0.09f}}};
    struct sim_turned turned[PIECES] = {{.w = 0}};
    static const uint32_t pins[] = {3, 17};
    for (uint32_t i = 0; i < PIECES; i++) {
        const double q[4] = {0.1 * (i % 7), 0.2 * (i % 3) - 0.1, 0.05 * (i % 5), 1};
        sim_turn_from(q, turned[i].q);
        turned[i].spin[0] = 0.5f * (float)(i % 9);
        turned[i].spin[1] = 10.0f - (float)i;
        turned[i].spin[2] = i % 11 == 0 ? 300.0f : 0.25f;
    }
    scene_mesh_shift(&scene->places, 0, 1.5, 0);
    struct sim_body_desc desc = scene_desc(SIM_RIGID, &scene->places);
    desc.rigid = &shapes[form];
    desc.turned = turned;
    desc.density = 300 + 100 * form;
    if (form == 1) {
        desc.pins = pins;
        desc.pin_count = 2;
        desc.force = (struct sim_body_force){.value = {2, 1, 0}, .ticks = 30};
    }
    scene->bodies[form] = scene_add(scene->sim, &desc, &scene->limits);
}

static void tie(struct rigid *scene)
{
    const uint32_t bodies[] = {scene->bodies[0].body, scene->cloth.body, scene->bodies[2].body,
                               scene->bodies[2].body};
    const uint32_t particles[] = {4, 0, 7, 8};
    const double compliance[] = {1e-4, 1e-5}, damping[] = {0.1, 0};
    uint32_t first;
    MUST(sim_constraints_add(scene->sim, SIM_DISTANCE, 2, bodies, particles,
                             &(struct sim_constraint_values){.compliance = compliance, .damping = damping},
                             &first, &scene_fault));
}

static void edit(struct rigid *scene, uint32_t tick)
{
    static const uint32_t some[] = {2, 17, 40};
    static const double turns[] = {1, 0, 0, 1, 0, 0.5, 0, -1, 0.1, 0.2, 0.3, 0.4};
    static const float spins[] = {0, 40, 0, 1, 2, 3, -5, 0, 0.001f}, weights[] = {0.5f, 3, 0};
    for (uint32_t b = 0; b < BODIES && tick == 20; b++) {
        MUST(sim_particles_turn(scene->sim, scene->bodies[b].body, some, 3, b < 2 ? turns : NULL,
                                b > 0 ? spins : NULL, &scene_fault));
    }
    if (tick == 30) {
        MUST(
            sim_particles_set(scene->sim, scene->bodies[0].body, some, 3, NULL, NULL, weights, &scene_fault));
        MUST(sim_particles_unpin(scene->sim, scene->bodies[1].body, some + 1, 1, &scene_fault));
    }
    if (tick == 45 || tick == 70) {
        scene_save(&scene->sim, &scene->limits);
    }
}

static int run(struct rigid *scene, const struct scene_options *options)
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

int scene_rigid(const struct scene_options *options)
{
    struct rigid scene = {
        .limits = {.bodies = 8, .particles = 10000, .constraints = 20000, .colliders = 4, .grabs = 4}};
    const struct sim_settings settings = {.gravity = {0, -9.81, 0},
                                          .tick_rate = 60,
                                          .substeps = 15,
                                          .iterations = 2,
                                          .damping = 0.1,
                                          .resolution = 1.0 / (1 << 27),
                                          .extent = 1e6};
    scene.sim = sim_create(&settings, &scene.limits);
    if (scene.sim == NULL) {
        return 2;
    }
    scene.sheet = scene_sheet(20, 0.05);
    struct sim_body_desc cloth = scene_desc(SIM_CLOTH, &scene.sheet);
    scene.cloth = scene_add(scene.sim, &cloth, &scene.limits);
    scene.places = scene_points(PIECES);
    for (uint32_t form = 0; form < BODIES; form++) {
        add_pieces(&scene, form);
    }
    tie(&scene);
    int status = run(&scene, options);
    scene_mesh_deinit(&scene.sheet);
    scene_mesh_deinit(&scene.places);
    sim_destroy(scene.sim);
    return status;
}
