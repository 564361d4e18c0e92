// Cloths and a soft body in the jets of two fans and in a box of wind, in gusty air and in none, with coefficients of their own. A fan
// swings. The world is saved and made again on the way.
#include "scene.h"

#include <inttypes.h>
#include <stdio.h>

enum { TICKS = 110, SIDE = 24, AIR_ENDS = 40, SAVED = 60, FIELDS = 4 };
const uint32_t scene_fans_ticks = TICKS;

struct fans {
    struct sim *sim;
    struct sim_limits limits;
    struct scene_mesh meshes[3];
    struct sim_body_added bodies[3];
};

static void add(struct fans *scene)
{
    static const uint32_t held[2] = {0, SIDE - 1};
    for (int b = 0; b < 2; b++) {
        scene->meshes[b] = scene_sheet(SIDE, 0.04);
        scene_mesh_shift(&scene->meshes[b], 1.5 * b, 0, 0);
        struct sim_body_desc cloth = scene_desc(SIM_CLOTH, &scene->meshes[b]);
        cloth.pins = held;
        cloth.pin_count = 2;
        if (b == 1) {
            cloth.wind = (struct sim_own_wind){.drag_own = true, .lift_own = true, .drag = 1.3, .lift = 0.6};
        }
        scene->bodies[b] = scene_add(scene->sim, &cloth, &scene->limits);
    }
    scene->meshes[2] = scene_block(3);
    scene_mesh_shift(&scene->meshes[2], 0, 1.5, 0);
    struct sim_body_desc soft = scene_desc(SIM_SOFT, &scene->meshes[2]);
    soft.wind = (struct sim_own_wind){.lift_own = true, .lift = 0.2};
    scene->bodies[2] = scene_add(scene->sim, &soft, &scene->limits);
}

static int run(struct fans *scene, const struct scene_options *options)
{
    for (uint32_t tick = 0; tick < options->ticks; tick++) {
        if (tick % 8 == 7) {
            struct sim_settings settings = *sim_settings_of(scene->sim);
            settings.forces.items[0].axis[2] = tick % 16 == 7 ? 0.3 : -0.3;
            settings.wind.density = tick < AIR_ENDS ? 1.2 : 0;
            MUST(sim_settings_set(scene->sim, &settings, &scene_fault));
        }
        if (tick == SAVED) {
            scene_save(&scene->sim, &scene->limits);
        }
        if (tick == SAVED + 10) {
            const struct sim_own_wind none = {0};
            MUST(sim_body_set(scene->sim, scene->bodies[1].body, &(struct sim_body_change){.wind = &none},
                              &scene_fault));
        }
        if (!scene_tick(scene->sim, options, tick)) {
            return 2;
        }
    }
    printf("final %016" PRIx64 "\n", sim_hash(scene->sim));
    return 0;
}

int scene_fans(const struct scene_options *options)
{
    struct fans scene = {
        .limits = {.bodies = 4, .particles = 10000, .constraints = 20000, .colliders = 4, .grabs = 4}};
    struct sim_settings settings = {.gravity = {0, -9.81, 0},
                                    .tick_rate = 60,
                                    .substeps = 8,
                                    .iterations = 1,
                                    .damping = 0.1,
                                    .resolution = 1.0 / (1 << 27),
                                    .extent = 1e6,
                                    .wind = {.velocity = {0.5, 0, 0.2},
                                             .drag = 1,
                                             .density = 1.2,
                                             .gusts = 0.4,
                                             .gust_length = 0.5,
                                             .gust_seed = 3}};
    const struct sim_force fan = {
        .kind = SIM_FORCE_FAN, .axis = {1, 0.1, 0}, .strength = 9, .distance = 1, .core = 0.01, .width = 0.4};
    settings.forces =
        (struct sim_force_fields){.count = FIELDS, .next = FIELDS + 1, .items = {fan, fan, fan, fan}};
    struct sim_force *fields = settings.forces.items;
    for (uint32_t f = 0; f < FIELDS; f++) {
        fields[f].id = f + 1;
    }
    fields[0].position[0] = -1;
    fields[1].position[1] = -1;
    fields[1].axis[0] = 0.2;
    fields[1].axis[1] = 2;
    fields[1].radius = 3;
    fields[1].margin = 0.5;
    fields[1].body_count = 2;
    fields[1].bodies[0] = 1;
    fields[1].bodies[1] = 3;
    fields[2].kind = SIM_FORCE_DRAG; // between the two kinds of fields
    fields[2].strength = 0.1;
    fields[3].kind = SIM_FORCE_WIND;
    fields[3].velocity[1] = 3;
    fields[3].velocity[2] = -4;
    fields[3].position[0] = 1.5;
    fields[3].half_extents[0] = fields[3].half_extents[1] = 0.8;
    fields[3].half_extents[2] = 2;
    fields[3].margin = 0.3;
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
