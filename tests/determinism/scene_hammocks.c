// Pieces that come to rest on cloth and sleep with it, until another one falls on them; and cloth that lies on a cylinder and on a height
// field and bears a heavy box. The edges of the cloths are swept there and back. The world is saved while they settle and while they sleep.

#include "scene.h"

#include <inttypes.h>
#include <stdio.h>

enum { SIDE = 9, PLACES = 3, GRID = 3, TICKS = 320, LATE = 260 };

const uint32_t scene_hammocks_ticks = TICKS;

struct hammocks {
    struct sim *sim;
    struct sim_limits limits;
    struct scene_mesh sheets[PLACES];
};

// The first one is held at its rim.
static void sheet_add(struct hammocks *scene, uint32_t which)
{
    static uint32_t pins[4 * SIDE];
    struct scene_mesh *sheet = &scene->sheets[which];
    *sheet = scene_sheet(SIDE, 0.05);
    scene_mesh_shift(sheet, 2.0 * which, which == 0 ? 0 : -0.69, 0);
    struct sim_body_desc desc = scene_desc(SIM_CLOTH, sheet);
    for (uint32_t i = 0; which == 0 && i < SIDE * SIDE; i++) {
        const uint32_t column = i % SIDE, row = i / SIDE;
        if (column == 0 || row == 0 || column + 1 == SIDE || row + 1 == SIDE) {
            pins[desc.pin_count++] = i;
        }
    }
    desc.pins = pins;
    desc.density = 0.3;
    desc.thickness = 0.005;
    desc.meeting = (struct sim_meeting){.self = which > 0, .group = 1, .mask = 1, .friction = 0.4};
    scene_add(scene->sim, &desc, &scene->limits);
}

static void piece_add(struct hammocks *scene, uint32_t which, double height, struct sim_rigid_shape shape,
                      double mass)
{
    const double *middle = scene->sheets[which].positions + 3 * (size_t)(SIDE * SIDE / 2);
    const double position[3] = {middle[0] + 0.01, middle[1] + height, middle[2] + 0.02};
    const struct sim_body_desc desc = {.kind = SIM_RIGID,
                                       .particle_count = 1,
                                       .positions = position,
                                       .masses = &mass,
                                       .rigid = &shape,
                                       .meeting = {.group = 1, .mask = 1, .friction = 0.5}};
    scene_add(scene->sim, &desc, &scene->limits);
}

static void all_add(struct hammocks *scene)
{
    static const double level[GRID * GRID] = {0};
    const double *roll_at, *field_at;
    const struct sim_rigid_shape ball = {.form = SIM_RIGID_SPHERE, .radius = 0.06f},
                                 box = {.form = SIM_RIGID_BOX, .half_extents = {0.05f, 0.05f, 0.05f}};
    uint32_t id;
    for (uint32_t which = 0; which < PLACES; which++) {
        sheet_add(scene, which);
    }
    roll_at = scene->sheets[1].positions + 3 * (size_t)(SIDE * SIDE / 2);
    field_at = scene->sheets[2].positions + 3 * (size_t)(SIDE * SIDE / 2);
    const struct sim_collider roll = {.kind = SIM_CYLINDER,
                                      .position = {roll_at[0], roll_at[1] - 0.1, roll_at[2]},
                                      .rotation = {0, 0, 0, 1},
                                      .radius = 0.4,
                                      .length = 0.18,
                                      .friction = 0.5};
    const struct sim_collider field = {.kind = SIM_HEIGHT_FIELD,
                                       .position = {field_at[0], field_at[1] - 0.01, field_at[2]},
                                       .rotation = {0, 0, 0, 1},
                                       .heights = level,
                                       .height_count = GRID * GRID,
                                       .columns = GRID,
                                       .spacing = 0.5,
                                       .friction = 0.5};
    MUST(sim_collider_add(scene->sim, &roll, &id, &scene_fault));
    MUST(sim_collider_add(scene->sim, &field, &id, &scene_fault));
    piece_add(scene, 0, 0.066, ball, 0.2);
    piece_add(scene, 1, 0.07, box, 4);
    piece_add(scene, 2, 0.07, box, 4);
}

int scene_hammocks(const struct scene_options *options)
{
    struct hammocks scene = {
        .limits = {.bodies = 8, .particles = 1000, .constraints = 4000, .colliders = 4, .grabs = 4}};
    const struct sim_settings settings = {.gravity = {0, -9.81, 0},
                                          .tick_rate = 60,
                                          .substeps = 12,
                                          .iterations = 1,
                                          .damping = 6,
                                          .long_edges = true,
                                          .calm = true,
                                          .sleep = true,
                                          .resolution = 1.0 / (1 << 27),
                                          .extent = 1e6};
    uint32_t slept = 0;
    int status = 0;
    scene.sim = sim_create(&settings, &scene.limits);
    MUST(scene.sim ? FAULT_NONE : FAULT_MEMORY);
    all_add(&scene);
    for (uint32_t tick = 0; tick < options->ticks && status == 0; tick++) {
        if (tick == 40 || tick == LATE - 10 || tick == LATE + 10) {
            scene_save(&scene.sim, &scene.limits);
        }
        if (tick == LATE) {
            const struct sim_rigid_shape small = {.form = SIM_RIGID_SPHERE, .radius = 0.03f};
            for (uint32_t b = 0; b < sim_body_count(scene.sim); b++) {
                struct sim_body_info info;
                slept += sim_body_info(scene.sim, sim_body_id_at(scene.sim, b), &info) && info.asleep;
            }
            piece_add(&scene, 0, 0.3, small, 0.1);
        }
        status = scene_tick(scene.sim, options, tick) ? 0 : 2;
    }
    if (status == 0 && options->ticks > LATE && slept < 2) {
        fprintf(stderr, "%u bodies fell asleep; at least 2 should\n", slept);
        status = 2;
    }
    if (status == 0) {
        printf("final %016" PRIx64 "\n", sim_hash(scene.sim));
    }
    for (uint32_t which = 0; which < PLACES; which++) {
        scene_mesh_deinit(&scene.sheets[which]);
    }
    sim_destroy(scene.sim);
    return status;
}
