// Rigid pieces that touch: a stack, a heap of balls, capsules and boxes, a conveyor and a paddle that turns, until what rests sleeps. A
// ball then hits the stack, and the world is saved on the way.

#include "scene.h"

#include <inttypes.h>
#include <stdio.h>

enum { STACK = 5, HEAP = 27, FORMS = 3, TICKS = 150 };

const uint32_t scene_stack_ticks = TICKS;

struct stack {
    struct sim *sim;
    struct sim_limits limits;
    uint32_t paddle;
};

static uint32_t add(struct stack *scene, const struct sim_rigid_shape *shape, uint32_t count,
                    const double *positions, const double q[4], const float *velocities)
{
    struct sim_turned turned[HEAP] = {{.w = 0}};
    for (uint32_t i = 0; i < count; i++) {
        const double own[4] = {q[0] + 0.1 * (i % 4) * q[0], q[1], q[2] - 0.2 * (i % 3) * q[2], q[3]};
        sim_turn_from(own, turned[i].q);
    }
    const struct sim_body_desc desc = {
        .kind = SIM_RIGID,
        .particle_count = count,
        .positions = positions,
        .velocities = velocities,
        .density = 400,
        .rigid = shape,
        .turned = turned,
        .meeting = {.self = true,
                    .group = 1,
                    .mask = 1,
                    .friction = 0.6,
                    .friction_kinetic = 0.4,
                    .kinetic = true,
                    .restitution = shape->form == SIM_RIGID_SPHERE ? 0.5 : 0},
    };
    return scene_add(scene->sim, &desc, &scene->limits).body;
}

static void add_colliders(struct stack *scene)
{
    const struct sim_collider floor = {.kind = SIM_PLANE, .normal = {0, 1, 0}, .friction = 0.5};
    const struct sim_collider belt = {.kind = SIM_BOX,
                                      .position = {1.5, 0.1, 0},
                                      .rotation = {0, 0, 0, 1},
                                      .half_extents = {0.6, 0.1, 0.8},
                                      .friction = 0.7,
                                      .surface_velocity = {0, 0, 0.5}};
    const struct sim_collider paddle = {.kind = SIM_CAPSULE,
                                        .position = {1.3, 0.35, 0.4},
                                        .rotation = {0.5, 0.5, 0.5, 0.5},
                                        .radius = 0.05,
                                        .length = 0.8,
                                        .friction = 0.3,
                                        .restitution = 0.2};
    uint32_t id;
    MUST(sim_collider_add(scene->sim, &floor, &id, &scene_fault));
    MUST(sim_collider_add(scene->sim, &belt, &id, &scene_fault));
    MUST(sim_collider_add(scene->sim, &paddle, &scene->paddle, &scene_fault));
}

static void add_pieces(struct stack *scene)
{
    static const struct sim_rigid_shape brick = {.form = SIM_RIGID_BOX, .half_extents = {0.2f, 0.1f, 0.15f}};
    static const struct sim_rigid_shape forms[FORMS] = {
        {.form = SIM_RIGID_SPHERE, .radius = 0.08f},
        {.form = SIM_RIGID_CAPSULE, .radius = 0.05f, .half_height = 0.06f},
        {.form = SIM_RIGID_BOX, .half_extents = {0.05f, 0.08f, 0.06f}}};
    static const double straight[4] = {0, 0, 0, 1}, leaning[4] = {0.2, -0.1, 0.3, 1};
    double positions[3 * HEAP];
    for (uint32_t i = 0; i < STACK; i++) {
        positions[3 * i] = 0.02 * (i % 2);
        positions[3 * i + 1] = 0.1 + 0.2 * i;
        positions[3 * i + 2] = 0;
    }
    add(scene, &brick, STACK, positions, straight, NULL);
    for (uint32_t form = 0; form < FORMS; form++) {
        for (uint32_t i = 0; i < HEAP / FORMS; i++) {
            positions[3 * i] = 1.25 + 0.22 * (i % 3);
            positions[3 * i + 1] = 0.7 + 0.25 * form;
            positions[3 * i + 2] = -0.2 + 0.22 * (i / 3);
        }
        add(scene, &forms[form], HEAP / FORMS, positions, leaning, NULL);
    }
}

static void edit(struct stack *scene, uint32_t tick)
{
    static const struct sim_rigid_shape ball = {.form = SIM_RIGID_SPHERE, .radius = 0.1f};
    static const double from[3] = {-1.5, 0.9, 0.01}, straight[4] = {0, 0, 0, 1};
    static const float speed[3] = {40, 0, 0};
    if (tick == 15) {
        const struct sim_collider paddle = {.id = scene->paddle,
                                            .position = {1.3, 0.35, 0.3},
                                            .rotation = {0.7, 0.1, 0.5, 0.5},
                                            .radius = 0.05,
                                            .length = 0.8,
                                            .friction = 0.3,
                                            .restitution = 0.2};
        MUST(sim_collider_set(scene->sim, &paddle, &scene_fault));
    }
    if (tick == 40 || tick == 120) {
        scene_save(&scene->sim, &scene->limits);
    }
    if (tick == 100) {
        add(scene, &ball, 1, from, straight, speed);
    }
}

int scene_stack(const struct scene_options *options)
{
    struct stack scene = {
        .limits = {.bodies = 8, .particles = 1000, .constraints = 1000, .colliders = 4, .grabs = 4}};
    const struct sim_settings settings = {.gravity = {0, -9.81, 0},
                                          .tick_rate = 60,
                                          .substeps = 20,
                                          .iterations = 1,
                                          .sleep = true,
                                          .resolution = 1.0 / (1 << 27),
                                          .extent = 1e6};
    scene.sim = sim_create(&settings, &scene.limits);
    if (scene.sim == NULL) {
        return 2;
    }
    add_colliders(&scene);
    add_pieces(&scene);
    for (uint32_t tick = 0; tick < options->ticks; tick++) {
        edit(&scene, tick);
        if (!scene_tick(scene.sim, options, tick)) {
            sim_destroy(scene.sim);
            return 2;
        }
    }
    printf("final %016" PRIx64 "\n", sim_hash(scene.sim));
    sim_destroy(scene.sim);
    return 0;
}
