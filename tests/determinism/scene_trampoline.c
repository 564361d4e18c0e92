// A world of rigid pieces on surfaces. A ball, a box and a capsule fall onto two pinned sheets, one above the other, a rope and loose
// points, bounce, rub and roll; one of them hits the border fast. Friction changes on the way, and the world is saved and made again.

#include "scene.h"

#include <inttypes.h>
#include <stdio.h>

enum { SIDE = 17, ROPE = 30, POINTS = 12, PIECES = 3, TICKS = 90 };

const uint32_t scene_trampoline_ticks = TICKS;

struct trampoline {
    struct sim *sim;
    struct sim_limits limits;
    struct scene_mesh sheets[2], rope, points;
    struct sim_body_added bodies[4], pieces[PIECES];
};

static const struct sim_meeting meets = {.self = true, .group = 1, .mask = 1, .friction = 0.4};

static void surfaces_add(struct trampoline *scene)
{
    for (int b = 0; b < 2; b++) {
        static uint32_t pins[4 * SIDE];
        scene->sheets[b] = scene_sheet(SIDE, 0.05);
        scene_mesh_shift(&scene->sheets[b], 0, 0.05 * b, 0.01 * b);
        struct sim_body_desc desc = scene_desc(SIM_CLOTH, &scene->sheets[b]);
        for (uint32_t i = 0; i < SIDE * SIDE; i++) {
            const uint32_t column = i % SIDE, row = i / SIDE;
            if (b == 0 && (column == 0 || row == 0 || column + 1 == SIDE || row + 1 == SIDE)) {
                pins[desc.pin_count++] = i;
            }
        }
        desc.pins = pins;
        desc.thickness = 0.005;
        desc.meeting = meets;
        scene->bodies[b] = scene_add(scene->sim, &desc, &scene->limits);
    }
    scene->rope = scene_rope(ROPE);
    scene->points = scene_points(POINTS);
    struct sim_body_desc rope = scene_desc(SIM_ROPE, &scene->rope);
    struct sim_body_desc points = scene_desc(SIM_POINTS, &scene->points);
    rope.thickness = points.thickness = 0.006;
    rope.meeting = points.meeting = meets;
    scene->bodies[2] = scene_add(scene->sim, &rope, &scene->limits);
    scene->bodies[3] = scene_add(scene->sim, &points, &scene->limits);
}

static void pieces_add(struct trampoline *scene)
{
    static const struct sim_rigid_shape shapes[PIECES] = {
        {.form = SIM_RIGID_SPHERE, .radius = 0.05f},
        {.form = SIM_RIGID_BOX, .half_extents = {0.06f, 0.03f, 0.04f}},
        {.form = SIM_RIGID_CAPSULE, .radius = 0.03f, .half_height = 0.06f}};
    static const struct sim_turned turned[PIECES] = {{.q = {0, 0, 0, 1 << 30}},
                                                     {.q = {209572945, 104786472, 0, 1047864724}},
                                                     {.q = {759250125, 0, 0, 759250125}}};
    static const float velocities[PIECES][3] = {{0.3f, 0, 0.1f}, {-0.5f, -12, 0.2f}, {0, -2, 0.5f}};
    static const double masses[PIECES] = {1, 0.3, 0.02};
    for (int b = 0; b < PIECES; b++) {
        const double *from = scene->sheets[0].positions;
        const double at[3] = {from[0] + 0.25 + 0.15 * b, from[1] + 0.2, from[2] + 0.4 - 0.1 * b};
        const struct sim_body_desc desc = {
            .kind = SIM_RIGID,
            .particle_count = 1,
            .positions = at,
            .velocities = velocities[b],
            .rigid = &shapes[b],
            .turned = &turned[b],
            .masses = &masses[b],
            .meeting = {.group = 1, .mask = 1, .friction = 0.6, .restitution = 0.4 * b}};
        scene->pieces[b] = scene_add(scene->sim, &desc, &scene->limits);
    }
}

static void edit(struct trampoline *scene, uint32_t tick)
{
    struct sim_meeting smoother = meets;
    smoother.friction = 0.1;
    if (tick == 40) {
        MUST(sim_body_set(scene->sim, scene->bodies[0].body, &(struct sim_body_change){.meeting = &smoother},
                          &scene_fault));
    }
    if (tick == 55) {
        scene_save(&scene->sim, &scene->limits);
    }
}

int scene_trampoline(const struct scene_options *options)
{
    struct trampoline scene = {
        .limits = {.bodies = 8, .particles = 10000, .constraints = 20000, .colliders = 4, .grabs = 4}};
    const struct sim_settings settings = {.gravity = {0, -9.81, 0},
                                          .tick_rate = 60,
                                          .substeps = 12,
                                          .iterations = 1,
                                          .damping = 0.1,
                                          .resolution = 1.0 / (1 << 27),
                                          .extent = 1e6};
    int status = 0;
    uint32_t pierced = 0;
    scene.sim = sim_create(&settings, &scene.limits);
    MUST(scene.sim ? FAULT_NONE : FAULT_MEMORY);
    surfaces_add(&scene);
    pieces_add(&scene);
    for (uint32_t tick = 0; tick < options->ticks && status == 0; tick++) {
        struct sim_meetings told;
        edit(&scene, tick);
        status = scene_tick(scene.sim, options, tick) ? 0 : 2;
        sim_meetings_of(scene.sim, &told);
        pierced = told.pierced > pierced ? told.pierced : pierced;
    }
    fprintf(stderr, "pieces pierced %u triangles, edges and points at most\n", pierced);
    if (status == 0) {
        printf("final %016" PRIx64 "\n", sim_hash(scene.sim));
    }
    for (int b = 0; b < 2; b++) {
        scene_mesh_deinit(&scene.sheets[b]);
    }
    scene_mesh_deinit(&scene.rope);
    scene_mesh_deinit(&scene.points);
    sim_destroy(scene.sim);
    return status;
}
