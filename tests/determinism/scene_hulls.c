// Rigid pieces that are hulls: on a floor, on a hull that turns, on a pinned sheet, on a cylinder, on a height field, and on boxes, balls and
// capsules, until some sleep. The world is saved on the way.

#include "scene.h"

#include <inttypes.h>
#include <stdio.h>

enum { SIDE = 10, FORMS = 5, EACH = 4, GRID = 7, TICKS = 100 };

const uint32_t scene_hulls_ticks = TICKS;

struct hulls {
    struct sim *sim;
    struct sim_limits limits;
    struct scene_mesh sheet;
    uint32_t table;
};

static const double rock[] = {0, 0, 0, .18, 0, .02, .15, .01, .13, .02, 0, .14, .05, .1, .06, .12, .08, .07};
static const double brick[] = {0, 0, 0,   .2, 0, 0,   0, .1, 0,   .2, .1, 0,
                               0, 0, .15, .2, 0, .15, 0, .1, .15, .2, .1, .15};
static const double top[] = {-.6, 0,   -.5, .6,  0,  -.5, .6,  0, .5,  -.6, 0,
                             .5,  -.5, -.3, -.4, .5, -.3, -.4, 0, -.5, .4};

static struct sim_collider table_of(double x, double z)
{
    return (struct sim_collider){.kind = SIM_CONVEX,
                                 .position = {1.8, 0.5, 0},
                                 .rotation = {x, 0, z, 1},
                                 .points = top,
                                 .point_count = 7,
                                 .friction = 0.5,
                                 .restitution = 0.1};
}

static void surroundings_add(struct hulls *scene)
{
    static uint32_t pins[4 * SIDE];
    const struct sim_collider floor = {.kind = SIM_PLANE, .normal = {0, 1, 0}, .friction = 0.5};
    const struct sim_collider table = table_of(0.02, -0.03);
    static double heights[GRID * GRID];
    const struct sim_collider roll = {.kind = SIM_CYLINDER,
                                      .position = {1.8, 0.2, 1.8},
                                      .rotation = {0.5, 0.1, 0.5, 0.5},
                                      .radius = 0.3,
                                      .length = 1,
                                      .friction = 0.5};
    const struct sim_collider hills = {.kind = SIM_HEIGHT_FIELD,
                                       .position = {1.8, 0.1, -1.8},
                                       .rotation = {0, 0, 0, 1},
                                       .heights = heights,
                                       .height_count = GRID * GRID,
                                       .columns = GRID,
                                       .spacing = 0.25,
                                       .friction = 0.5};
    uint32_t id;
    for (uint32_t i = 0; i < GRID * GRID; i++) {
        heights[i] = 0.04 * (i * 7 % 5);
    }
    MUST(sim_collider_add(scene->sim, &floor, &id, &scene_fault));
    MUST(sim_collider_add(scene->sim, &roll, &id, &scene_fault));
    MUST(sim_collider_add(scene->sim, &hills, &id, &scene_fault));
    MUST(sim_collider_add(scene->sim, &table, &scene->table, &scene_fault));
    scene->sheet = scene_sheet(SIDE, 0.05);
    struct sim_body_desc desc = scene_desc(SIM_CLOTH, &scene->sheet);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const uint32_t column = i % SIDE, row = i / SIDE;
        if (column == 0 || row == 0 || column + 1 == SIDE || row + 1 == SIDE) {
            pins[desc.pin_count++] = i;
        }
    }
    desc.pins = pins;
    desc.thickness = 0.005;
    desc.meeting = (struct sim_meeting){.group = 1, .mask = 1, .friction = 0.4};
    scene_add(scene->sim, &desc, &scene->limits);
}

static void add(struct hulls *scene, const struct sim_rigid_shape *shape, uint32_t count,
                const double *positions, bool leaning)
{
    struct sim_turned turned[EACH] = {{.w = 0}};
    for (uint32_t i = 0; i < count; i++) {
        const double q[4] = {leaning ? 0.1 * (1 + i) : 0, 0, leaning ? -0.2 : 0, 1};
        sim_turn_from(q, turned[i].q);
        turned[i].spin[1] = leaning ? 3 : 0;
    }
    const struct sim_body_desc desc = {
        .kind = SIM_RIGID,
        .particle_count = count,
        .positions = positions,
        .density = 300,
        .rigid = shape,
        .turned = turned,
        .meeting = {.self = true, .group = 1, .mask = 1, .friction = 0.5, .restitution = leaning ? 0.3 : 0}};
    scene_add(scene->sim, &desc, &scene->limits);
}

static void pieces_add(struct hulls *scene)
{
    const struct sim_rigid_shape forms[FORMS] = {
        {.form = SIM_RIGID_HULL, .points = rock, .point_count = sizeof rock / sizeof rock[0] / 3},
        {.form = SIM_RIGID_HULL, .points = brick, .point_count = 8},
        {.form = SIM_RIGID_BOX, .half_extents = {0.05f, 0.08f, 0.06f}},
        {.form = SIM_RIGID_SPHERE, .radius = 0.06f},
        {.form = SIM_RIGID_CAPSULE, .radius = 0.05f, .half_height = 0.06f}};
    double positions[3 * EACH];
    for (uint32_t i = 0; i < EACH; i++) { // a stack
        positions[3 * i] = -1 + 0.02 * (i % 2);
        positions[3 * i + 1] = 0.05 + 0.1 * i;
        positions[3 * i + 2] = -1;
    }
    add(scene, &forms[1], EACH, positions, false);
    for (uint32_t form = 0; form < FORMS; form++) {
        for (uint32_t i = 0; i < EACH; i++) { // over the table
            positions[3 * i] = 1.4 + 0.25 * i;
            positions[3 * i + 1] = 0.75 + 0.2 * form;
            positions[3 * i + 2] = -0.1 + 0.04 * form + 0.05 * i;
        }
        add(scene, &forms[form], EACH, positions, true);
        for (uint32_t i = 0; i < EACH; i++) { // over the cylinder, and over the hills
            positions[3 * i] = 1.2 + 0.25 * form + 0.05 * i;
            positions[3 * i + 1] = 0.7 + 0.2 * (i / 2);
            positions[3 * i + 2] = i % 2 == 0 ? 1.75 : -1.85;
        }
        add(scene, &forms[form], EACH, positions, true);
    }
    for (uint32_t i = 0; i < 2; i++) { // over the sheet
        const double *middle = scene->sheet.positions + 3 * (size_t)(SIDE * SIDE / 2 + 2 * i);
        for (uint32_t axis = 0; axis < 3; axis++) {
            positions[3 * i + axis] = middle[axis] + (axis == 1 ? 0.2 + 0.2 * i : 0);
        }
    }
    add(scene, &forms[0], 2, positions, true);
}

int scene_hulls(const struct scene_options *options)
{
    struct hulls scene = {
        .limits = {.bodies = 16, .particles = 1000, .constraints = 2000, .colliders = 4, .grabs = 4}};
    const struct sim_settings settings = {.gravity = {0, -9.81, 0},
                                          .tick_rate = 60,
                                          .substeps = 12,
                                          .iterations = 1,
                                          .sleep = true,
                                          .resolution = 1.0 / (1 << 27),
                                          .extent = 1e6};
    int status = 0;
    scene.sim = sim_create(&settings, &scene.limits);
    MUST(scene.sim ? FAULT_NONE : FAULT_MEMORY);
    surroundings_add(&scene);
    pieces_add(&scene);
    for (uint32_t tick = 0; tick < options->ticks && status == 0; tick++) {
        if (tick == 15 || tick == 70) {
            scene_save(&scene.sim, &scene.limits);
        }
        if (tick == 30) {
            struct sim_collider table = table_of(0.1, 0.05);
            table.id = scene.table;
            MUST(sim_collider_set(scene.sim, &table, &scene_fault));
        }
        status = scene_tick(scene.sim, options, tick) ? 0 : 2;
    }
    if (status == 0) {
        printf("final %016" PRIx64 "\n", sim_hash(scene.sim));
    }
    scene_mesh_deinit(&scene.sheet);
    sim_destroy(scene.sim);
    return status;
}
