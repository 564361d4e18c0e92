// A world in which all holds something: long edges and tethers, bending that is solved, contact with heavy points, joins that
// sew and part, slides with and without friction, pins that follow a collider, and sleep.

#include "scene.h"

#include <inttypes.h>
#include <stdio.h>

enum { SIDE = 24, CLOTH = SIDE * SIDE, ROPE = 30, POINTS = 5, JOINS = 6, SLIDES = 2, TICKS = 120 };

const uint32_t scene_holds_ticks = TICKS;

struct holds {
    struct sim *sim;
    struct sim_limits limits;
    struct scene_mesh lower_mesh, upper_mesh, rope_mesh, points_mesh;
    struct sim_body_added lower, upper, rope, points;
    uint32_t carrier;
};

static const struct sim_collider carrier = {.kind = SIM_SPHERE, .position = {-1, 3, -1}, .radius = 0.1};

static void add_bodies(struct holds *scene)
{
    static const uint32_t corners[4] = {0, SIDE - 1, CLOTH - SIDE, CLOTH - 1}, first = 0;
    double masses[ROPE];
    struct sim_body_desc desc = scene_desc(SIM_CLOTH, &scene->lower_mesh);
    desc.density = 0.2;
    desc.bend.compliance = 200;
    desc.thickness = 0.008;
    desc.meeting = (struct sim_meeting){.self = true, .group = 1, .mask = 1, .friction = 0.3};
    desc.pins = corners;
    desc.pin_count = 4;
    scene->lower = scene_add(scene->sim, &desc, &scene->limits);
    desc.positions = scene->upper_mesh.positions;
    desc.pin_count = 0;
    scene->upper = scene_add(scene->sim, &desc, &scene->limits);
    desc = scene_desc(SIM_ROPE, &scene->rope_mesh);
    for (uint32_t i = 0; i < ROPE; i++) {
        masses[i] = i + 1 < ROPE ? 0.001 : 5;
    }
    desc.masses = masses;
    desc.pins = &first;
    desc.pin_count = 1;
    scene->rope = scene_add(scene->sim, &desc, &scene->limits);
    desc = scene_desc(SIM_POINTS, &scene->points_mesh);
    desc.density = 2;
    desc.thickness = 0.03;
    desc.meeting = (struct sim_meeting){.group = 1, .mask = 1, .friction = 0.3};
    scene->points = scene_add(scene->sim, &desc, &scene->limits);
}

// Points of the upper cloth to triangles of the lower one. The first half is sewn, the others part.
static void add_joins(struct holds *scene)
{
    uint32_t bodies[JOINS * SIM_STENCIL_MAX], particles[JOINS * SIM_STENCIL_MAX], id;
    double weights[JOINS * SIM_STENCIL_MAX], end[JOINS], seconds[JOINS], limit[JOINS];
    static const double shares[SIM_STENCIL_MAX] = {1, 0, 0, 0.25, 0.25, 0.5};
    for (uint32_t j = 0; j < JOINS; j++) {
        const uint32_t at = SIDE * (4 + 3 * j) + 5 + 2 * j;
        const uint32_t named[SIM_STENCIL_MAX] = {at + 1, at + 1, at + 1, at, at + SIDE, at + SIDE + 1};
        for (uint32_t k = 0; k < SIM_STENCIL_MAX; k++) {
            bodies[j * SIM_STENCIL_MAX + k] = k < SIM_JOIN_SIDE ? scene->upper.body : scene->lower.body;
            particles[j * SIM_STENCIL_MAX + k] = named[k];
            weights[j * SIM_STENCIL_MAX + k] = shares[k];
        }
        end[j] = j < JOINS / 2 ? 0.01 : 0.05;
        seconds[j] = 0.5;
        limit[j] = j < JOINS / 2 ? 0 : 0.1 * j;
    }
    const struct sim_constraint_values values = {
        .weights = weights, .rest_end = end, .seconds = seconds, .force_limit = limit};
    MUST(sim_constraints_add(scene->sim, SIM_JOIN, JOINS, bodies, particles, &values, &id, &scene_fault));
}

// A ring between the rope's load and the lower cloth, and one with friction between points.
static void add_slides(struct holds *scene)
{
    const uint32_t points = scene->points.body,
                   bodies[3 * SLIDES] = {scene->rope.body, points, scene->lower.body, points, points, points},
                   particles[3 * SLIDES] = {ROPE - 1, 0, 5, 1, 2, 3};
    static const double ratio[SLIDES] = {2, 1}, friction[SLIDES] = {0, 0.3}, compliance[SLIDES] = {1e-6, 0};
    const struct sim_constraint_values values = {
        .ratio = ratio, .friction = friction, .compliance = compliance};
    uint32_t id;
    MUST(sim_constraints_add(scene->sim, SIM_SLIDE, SLIDES, bodies, particles, &values, &id, &scene_fault));
}

static void edit(struct holds *scene, uint32_t tick)
{
    static const uint32_t followers[2] = {0, SIDE - 1};
    if (tick == 5) {
        add_joins(scene);
        add_slides(scene);
    }
    if (tick == 10) {
        MUST(sim_particles_pin_to(scene->sim, scene->lower.body, followers, 2, scene->carrier, &scene_fault));
    }
    if (tick >= 10 && tick < 60) {
        struct sim_collider moved = carrier;
        moved.id = scene->carrier;
        moved.position[0] += 0.004 * (tick - 9);
        moved.position[1] += 0.002 * (tick % 7);
        MUST(sim_collider_set(scene->sim, &moved, &scene_fault));
    }
}

static int run(struct holds *scene, const struct scene_options *options)
{
    for (uint32_t tick = 0; tick < options->ticks; tick++) {
        edit(scene, tick);
        if (!scene_tick(scene->sim, options, tick)) {
            return 2;
        }
    }
    struct sim_constraint join = {0};
    struct sim_meetings meetings;
    uint32_t parted = 0;
    while (sim_constraint_next(scene->sim, SIM_JOIN, join.id, &join)) {
        parted += join.parted;
    }
    sim_meetings_of(scene->sim, &meetings);
    fprintf(stderr, "%u of %u joins parted, %u pairs touch\n", parted, JOINS, meetings.pushing);
    printf("final %016" PRIx64 "\n", sim_hash(scene->sim));
    return 0;
}

int scene_holds(const struct scene_options *options)
{
    struct holds scene = {
        .limits = {.bodies = 8, .particles = 10000, .constraints = 20000, .colliders = 4, .grabs = 4}};
    const struct sim_settings settings = {.gravity = {0, -9.81, 0},
                                          .tick_rate = 60,
                                          .substeps = 4,
                                          .iterations = 1,
                                          .damping = 0.5,
                                          .resolution = 1.0 / (1 << 27),
                                          .extent = 1e6,
                                          .long_edges = true,
                                          .bending_solved = true,
                                          .sleep = true};
    scene.sim = sim_create(&settings, &scene.limits);
    if (scene.sim == NULL) {
        return 2;
    }
    scene.lower_mesh = scene_sheet(SIDE, 0.04);
    scene.upper_mesh = scene_sheet(SIDE, 0.04);
    scene_mesh_shift(&scene.upper_mesh, 0.01, 0.05, 0.02);
    scene.rope_mesh = scene_rope(ROPE);
    scene.points_mesh = scene_points(POINTS);
    scene_mesh_shift(&scene.points_mesh, -0.5, -0.3, -0.5);
    add_bodies(&scene);
    MUST(sim_collider_add(scene.sim, &carrier, &scene.carrier, &scene_fault));
    int status = run(&scene, options);
    scene_mesh_deinit(&scene.lower_mesh);
    scene_mesh_deinit(&scene.upper_mesh);
    scene_mesh_deinit(&scene.rope_mesh);
    scene_mesh_deinit(&scene.points_mesh);
    sim_destroy(scene.sim);
    return status;
}
