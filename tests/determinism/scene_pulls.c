// A world in which bodies are pulled. A rag hangs in the wind and tears; its thresholds fall on the way. A fabric that bends otherwise
// along its warp and its weft slides over a plane with less friction than what holds it. Points orbit a field that draws them, in a
// vortex and in drag, one with a force of its own. The world is saved and made again after the first tears.

#include "scene.h"

#include <inttypes.h>
#include <stdio.h>

enum { SIDE = 13, POINTS = 24, SPARES = 120, TICKS = 120, FIELDS = 3 };

const uint32_t scene_pulls_ticks = TICKS;

struct pulls {
    struct sim *sim;
    struct sim_limits limits;
    struct scene_mesh meshes[3];
    struct sim_body_added rag, fabric, points;
};

static void add_cloths(struct pulls *scene)
{
    const struct sim_material stretch = {
        .warp = 900, .weft = 500, .shear = 40, .poisson = 0.2, .stiffness = -1};
    const uint32_t corners[2] = {0, SIDE - 1};
    scene->meshes[0] = scene_sheet(SIDE, 0.04);
    struct sim_body_desc rag = scene_desc(SIM_CLOTH, &scene->meshes[0]);
    rag.stretch_model = SIM_STRETCH_ORTHOTROPIC;
    rag.stretch = stretch;
    rag.yarns = (struct sim_yarns){.direction = {1, 0, 0}, .angle = 0.2};
    rag.pins = corners;
    rag.pin_count = 2;
    rag.tear = (struct sim_tear){.force = 12, .most = SPARES};
    scene->rag = scene_add(scene->sim, &rag, &scene->limits);

    scene->meshes[1] = scene_sheet(SIDE, 0.04);
    scene_mesh_shift(&scene->meshes[1], 2, -0.69, 0);
    struct sim_body_desc fabric = scene_desc(SIM_CLOTH, &scene->meshes[1]);
    fabric.stretch_model = SIM_STRETCH_ORTHOTROPIC;
    fabric.stretch = stretch;
    fabric.yarns = rag.yarns;
    fabric.bend = (struct sim_material){.warp = 4e-5, .weft = 1e-5, .stiffness = -1};
    fabric.thickness = 0.01;
    fabric.meeting = (struct sim_meeting){
        .self = true, .group = 1, .mask = 1, .friction = 0.5, .friction_kinetic = 0.2, .kinetic = true};
    scene->fabric = scene_add(scene->sim, &fabric, &scene->limits);
}

static void add(struct pulls *scene)
{
    static const struct sim_collider floor = {
        .kind = SIM_PLANE, .normal = {0.1, 1, 0}, .friction = 0.6, .friction_kinetic = 0.3, .kinetic = true};
    uint32_t id;
    MUST(sim_collider_add(scene->sim, &floor, &id, &scene_fault));
    add_cloths(scene);
    scene->meshes[2] = scene_points(POINTS);
    scene_mesh_shift(&scene->meshes[2], -3, 1, 0);
    struct sim_body_desc points = scene_desc(SIM_POINTS, &scene->meshes[2]);
    points.gravity = (struct sim_own_gravity){.own = true, .value = {0, -0.1, 0}};
    scene->points = scene_add(scene->sim, &points, &scene->limits);
    const struct sim_body_force sideways = {.value = {3, 1, 0.5}, .ticks = 70};
    MUST(sim_body_set(scene->sim, scene->fabric.body, &(struct sim_body_change){.force = &sideways},
                      &scene_fault));
    const uint32_t first[1] = {0};
    const double up[3] = {0, 0.04, 0.01};
    MUST(sim_particles_force(scene->sim, scene->points.body, first, 1, up, 40, &scene_fault));
}

static int run(struct pulls *scene, const struct scene_options *options)
{
    const struct sim_tear weaker = {.force = 6};
    for (uint32_t tick = 0; tick < options->ticks; tick++) {
        if (tick == 30) {
            MUST(sim_body_set(scene->sim, scene->rag.body, &(struct sim_body_change){.tear = &weaker},
                              &scene_fault));
        }
        if (tick == 60) {
            scene_save(&scene->sim, &scene->limits);
        }
        if (!scene_tick(scene->sim, options, tick)) {
            return 2;
        }
    }
    struct sim_tears tears;
    if (sim_body_tears(scene->sim, scene->rag.body, &tears)) {
        fprintf(stderr, "%u edges are cut, %u particles have split off\n", tears.cut_count, tears.used);
    }
    printf("final %016" PRIx64 "\n", sim_hash(scene->sim));
    return 0;
}

int scene_pulls(const struct scene_options *options)
{
    struct pulls scene = {
        .limits = {.bodies = 4, .particles = 10000, .constraints = 20000, .colliders = 4, .grabs = 4}};
    struct sim_settings settings = {.gravity = {0, -9.81, 0},
                                    .tick_rate = 60,
                                    .substeps = 10,
                                    .iterations = 1,
                                    .damping = 0.1,
                                    .resolution = 1.0 / (1 << 27),
                                    .extent = 1e6,
                                    .wind = {.velocity = {0, 0, 4}, .drag = 1, .lift = 0.5, .density = 1.2}};
    settings.forces = (struct sim_force_fields){.count = FIELDS,
                                                .next = FIELDS + 1,
                                                .items = {{.id = 1,
                                                           .kind = SIM_FORCE_POINT,
                                                           .position = {-3, 1.5, 0},
                                                           .strength = 3,
                                                           .distance = 1,
                                                           .core = 0.1,
                                                           .falloff = SIM_FALLOFF_INVERSE},
                                                          {.id = 2,
                                                           .kind = SIM_FORCE_VORTEX,
                                                           .position = {-3, 1, 0},
                                                           .axis = {0, 1, 0.2},
                                                           .strength = 2,
                                                           .distance = 1,
                                                           .core = 0.2,
                                                           .falloff = SIM_FALLOFF_INVERSE_SQUARE,
                                                           .radius = 2,
                                                           .margin = 0.5},
                                                          {.id = 3,
                                                           .kind = SIM_FORCE_DRAG,
                                                           .position = {0, 0, 0},
                                                           .strength = 0.4,
                                                           .distance = 1,
                                                           .core = 0.1,
                                                           .velocity = {0.2, 0, 0},
                                                           .half_extents = {4, 2, 2},
                                                           .margin = 0.3}}};
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
