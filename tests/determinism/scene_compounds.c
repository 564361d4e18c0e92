// Rigid pieces that have parts: tables, dumbbells, hooks and crosses, on a floor, on a pinned sheet, on a cylinder, on a height field, and
// on each other. The world is saved on the way.

#include "scene.h"

#include <inttypes.h>
#include <stdio.h>

enum { SIDE = 10, FORMS = 4, EACH = 2, GRID = 7, TICKS = 100 };

const uint32_t scene_compounds_ticks = TICKS;

struct compounds {
    struct sim *sim;
    struct sim_limits limits;
    struct scene_mesh sheet;
};

static const double wedge[] = {0, 0, 0, .2, 0, .02, .18, .01, .15, .02, 0, .14, .05, .08, .06, .12, .07, .07};

static struct sim_rigid_part part_of(struct sim_rigid_shape shape, double x, double y, double z)
{
    return (struct sim_rigid_part){.shape = shape, .position = {x, y, z}, .turn = {0, 0, 0, 1 << 30}};
}

static struct sim_rigid_shape box(float x, float y, float z)
{
    return (struct sim_rigid_shape){.form = SIM_RIGID_BOX, .half_extents = {x, y, z}};
}

static struct sim_rigid_shape ball(float radius)
{
    return (struct sim_rigid_shape){.form = SIM_RIGID_SPHERE, .radius = radius};
}

// A table with four legs, a dumbbell, a hook of two boxes and a hull, and a cross of capsules.
static uint32_t parts_make(uint32_t form, struct sim_rigid_part parts[8])
{
    const struct sim_rigid_shape rod = {.form = SIM_RIGID_CAPSULE, .radius = 0.03f, .half_height = 0.1f};
    const struct sim_rigid_shape rock = {.form = SIM_RIGID_HULL, .points = wedge, .point_count = 6};
    switch (form) {
    case 0:
        parts[0] = part_of(box(0.15f, 0.02f, 0.1f), 0, 0.1, 0);
        for (uint32_t leg = 0; leg < 4; leg++) {
            parts[1 + leg] =
                part_of(box(0.02f, 0.05f, 0.02f), leg % 2 == 0 ? -0.12 : 0.12, 0.03, leg < 2 ? -0.07 : 0.07);
        }
        return 5;
    case 1:
        parts[0] = part_of(rod, 0, 0, 0);
        parts[1] = part_of(ball(0.06f), 0, 0.1, 0);
        parts[2] = part_of(ball(0.06f), 0, -0.1, 0);
        return 3;
    case 2:
        parts[0] = part_of(box(0.03f, 0.12f, 0.03f), 0, 0, 0);
        parts[1] = part_of(box(0.08f, 0.03f, 0.03f), 0.08, 0.1, 0);
        parts[2] = part_of(rock, -0.1, -0.1, -0.05);
        parts[2].turn[0] = 3 << 28;
        return 3;
    default:
        parts[0] = part_of(rod, 0, 0, 0);
        parts[1] = part_of(rod, 0, 0, 0);
        parts[1].turn[0] = 1 << 30;
        return 2;
    }
}

static void sheet_add(struct compounds *scene)
{
    static uint32_t pins[4 * SIDE];
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

static void surroundings_add(struct compounds *scene)
{
    const struct sim_collider floor = {.kind = SIM_PLANE, .normal = {0, 1, 0}, .friction = 0.5};
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
    sheet_add(scene);
}

static void add(struct compounds *scene, const struct sim_rigid_shape *shape, uint32_t count,
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

static void over_sheet(const struct scene_mesh *sheet, double height, double positions[3])
{
    const double *middle = sheet->positions + 3 * (size_t)(SIDE * SIDE / 2 + SIDE / 2);
    for (uint32_t axis = 0; axis < 3; axis++) {
        positions[axis] = middle[axis] + (axis == 1 ? height : 0);
    }
}

static void pieces_add(struct compounds *scene)
{
    double positions[3 * EACH];
    for (uint32_t form = 0; form < FORMS; form++) {
        struct sim_rigid_part parts[8];
        const uint32_t count = parts_make(form, parts);
        const struct sim_rigid_shape shape = {
            .form = SIM_RIGID_COMPOUND, .parts = parts, .part_count = count};
        for (uint32_t i = 0; i < EACH; i++) { // on the floor
            positions[3 * i] = -1 + 0.05 * form;
            positions[3 * i + 1] = 0.25 + 0.3 * form + 0.3 * i;
            positions[3 * i + 2] = -1;
        }
        add(scene, &shape, EACH, positions, false);
        for (uint32_t i = 0; i < EACH; i++) { // over the cylinder, and over the hills
            positions[3 * i] = 1.4 + 0.25 * form;
            positions[3 * i + 1] = 0.8;
            positions[3 * i + 2] = i % 2 == 0 ? 1.75 : -1.85;
        }
        add(scene, &shape, EACH, positions, true);
        if (form > 0) {
            over_sheet(&scene->sheet, 0.2 * form, positions);
            add(scene, &shape, 1, positions, true);
        }
    }
}

int scene_compounds(const struct scene_options *options)
{
    struct compounds scene = {
        .limits = {.bodies = 20, .particles = 1000, .constraints = 4000, .colliders = 4, .grabs = 4}};
    const struct sim_settings settings = {.gravity = {0, -9.81, 0},
                                          .tick_rate = 60,
                                          .substeps = 12,
                                          .iterations = 1,
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
        status = scene_tick(scene.sim, options, tick) ? 0 : 2;
    }
    if (status == 0) {
        printf("final %016" PRIx64 "\n", sim_hash(scene.sim));
    }
    scene_mesh_deinit(&scene.sheet);
    sim_destroy(scene.sim);
    return status;
}
