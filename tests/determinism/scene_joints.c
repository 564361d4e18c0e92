// Joints: a door with a motor and limits, a lift on a slider, a chain of pieces between balls and hinges, a plank on two ropes, and a
// mast on springs with a cloth tied to it by its triangles. Some joints break, are changed or go, and the world is saved on the way.

#include "scene.h"

#include <inttypes.h>
#include <stdio.h>

enum { LINKS = 6, KNOTS = 6, PIECES = 4, SIDE = 8, TICKS = 90 };

const uint32_t scene_joints_ticks = TICKS;

struct joints {
    struct sim *sim;
    struct sim_limits limits;
    struct sim_body_added door, lift, chain, plank, mast, ropes[2], flag;
    struct scene_mesh rope_meshes[2], flag_mesh;
    uint32_t hinge, slider, first_link, spring, weak;
};

static struct sim_body_added add_pieces(struct joints *scene, uint32_t count, const double first[3],
                                        const double step[3], const double half[3])
{
    double positions[3 * LINKS], masses[LINKS];
    struct sim_turned turned[LINKS] = {0};
    const struct sim_rigid_shape shape = {.form = SIM_RIGID_BOX,
                                          .half_extents = {(float)half[0], (float)half[1], (float)half[2]}};
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            positions[3 * i + axis] = first[axis] + step[axis] * i;
            turned[i].spin[axis] = 0.25f * (float)(i + axis);
        }
        turned[i].q[3] = 1 << 30;
        masses[i] = 0.5 + 0.25 * i;
    }
    const struct sim_body_desc desc = {.kind = SIM_RIGID,
                                       .particle_count = count,
                                       .positions = positions,
                                       .masses = masses,
                                       .turned = turned,
                                       .rigid = &shape};
    return scene_add(scene->sim, &desc, &scene->limits);
}

static uint32_t add_joint(struct joints *scene, const uint32_t bodies[4], const uint32_t particles[4],
                          const struct sim_constraint_values *values)
{
    uint32_t id;
    MUST(sim_constraints_add(scene->sim, SIM_JOINT, 1, bodies, particles, values, &id, &scene_fault));
    return id;
}

static void add_driven(struct joints *scene)
{
    static const double limits[2] = {-0.9, 1.25}, speed = 3, most = 0.5, damping = 0.05,
                        lifts[2] = {-0.5, 0.25};
    static const double axis[3] = {0.1, 1, 0}, place = 0.125, force = 40, give = 1e-3;
    const double hung[6] = {-2.5, 1, 0, -2.5, 1, 0};
    scene->door = add_pieces(scene, 1, (const double[3]){-2, 1, 0}, (const double[3]){0, 0, 0},
                             (const double[3]){0.5, 0.75, 0.03});
    const uint32_t door[4] = {scene->door.body, scene->door.body, scene->door.body, scene->door.body},
                   none[4] = {0};
    const struct sim_joint_values hinge = {.model = SIM_JOINT_HINGE,
                                           .anchors = hung,
                                           .axes = axis,
                                           .limits = limits,
                                           .motor_given = true,
                                           .motor = SIM_MOTOR_SPEED,
                                           .motor_target = &speed,
                                           .motor_most = &most};
    scene->hinge =
        add_joint(scene, door, none, &(struct sim_constraint_values){.joint = &hinge, .damping = &damping});
    scene->lift = add_pieces(scene, 1, (const double[3]){2, 1, 0}, (const double[3]){0, 0, 0},
                             (const double[3]){0.25, 0.1, 0.25});
    const uint32_t lift[4] = {scene->lift.body, scene->lift.body, scene->lift.body, scene->lift.body};
    const struct sim_joint_values slider = {.model = SIM_JOINT_SLIDER,
                                            .axes = axis,
                                            .limits = lifts,
                                            .turn_compliance = &give,
                                            .motor_given = true,
                                            .motor = SIM_MOTOR_TARGET,
                                            .motor_target = &place,
                                            .motor_most = &force};
    scene->slider = add_joint(scene, lift, none, &(struct sim_constraint_values){.joint = &slider});
}

static void add_chain(struct joints *scene)
{
    static const double cone[2] = {0, 0.75}, x_axis[3] = {1, 0, 0}, slack[2] = {0, 0.0625}, limit = 60;
    scene->chain = add_pieces(scene, LINKS, (const double[3]){-0.5, 2, 1}, (const double[3]){0.25, 0, 0},
                              (const double[3]){0.125, 0.02, 0.03});
    for (uint32_t i = 0; i < LINKS; i++) {
        const double x = -0.625 + 0.25 * i;
        const double anchors[6] = {x, 2, 1, x, 2, 1};
        const uint32_t before = i == 0 ? 0 : i - 1, particles[4] = {i, before, before, before};
        const uint32_t body = scene->chain.body, bodies[4] = {body, body, body, body};
        const struct sim_joint_values joint = {.model = i % 3 == 1   ? SIM_JOINT_HINGE
                                                        : i % 3 == 2 ? SIM_JOINT_DISTANCE
                                                                     : SIM_JOINT_BALL,
                                               .anchors = anchors,
                                               .axes = i % 3 == 0 ? x_axis : NULL,
                                               .limits = i % 3 == 0   ? cone
                                                         : i % 3 == 2 ? slack
                                                                      : NULL};
        const uint32_t id = add_joint(
            scene, bodies, particles,
            &(struct sim_constraint_values){.joint = &joint, .force_limit = i == 4 ? &limit : NULL});
        scene->first_link = i == 0 ? id : scene->first_link;
        scene->weak = id;
    }
}

static void add_plank(struct joints *scene)
{
    scene->plank = add_pieces(scene, 1, (const double[3]){0, 1, -1}, (const double[3]){0, 0, 0},
                              (const double[3]){0.5, 0.02, 0.125});
    for (uint32_t side = 0; side < 2; side++) {
        static const uint32_t top = KNOTS - 1;
        struct scene_mesh *mesh = &scene->rope_meshes[side];
        *mesh = scene_rope(KNOTS);
        for (uint32_t i = 0; i < KNOTS; i++) {
            mesh->positions[3 * i] = side == 0 ? -0.375 : 0.375;
            mesh->positions[3 * i + 1] = 1 + 0.125 * i;
            mesh->positions[3 * i + 2] = -1 + 0.03125 * i;
        }
        struct sim_body_desc desc = scene_desc(SIM_ROPE, mesh);
        desc.density = 0.1;
        desc.pins = &top;
        desc.pin_count = 1;
        scene->ropes[side] = scene_add(scene->sim, &desc, &scene->limits);
        const uint32_t rope = scene->ropes[side].body, bodies[4] = {scene->plank.body, rope, rope, rope},
                       none[4] = {0};
        const struct sim_joint_values joint = {.model = SIM_JOINT_BALL};
        add_joint(scene, bodies, none, &(struct sim_constraint_values){.joint = &joint});
    }
}

static void add_mast(struct joints *scene)
{
    static const double target = 0, give = 0.03125, damping = 0.25, z_axis[3] = {0, 0, 1}, stiff = 1e-5;
    scene->mast = add_pieces(scene, PIECES, (const double[3]){4, 0.25, 0}, (const double[3]){0, 0.5, 0},
                             (const double[3]){0.02, 0.25, 0.02});
    for (uint32_t i = 0; i < PIECES; i++) {
        const double anchors[6] = {4, 0.5 * i, 0, 4, 0.5 * i, 0};
        const uint32_t before = i == 0 ? 0 : i - 1, particles[4] = {i, before, before, before};
        const uint32_t body = scene->mast.body, bodies[4] = {body, body, body, body};
        const struct sim_joint_values spring = {.model = i == 0 ? SIM_JOINT_FIXED : SIM_JOINT_HINGE,
                                                .anchors = anchors,
                                                .axes = z_axis,
                                                .turn_compliance = &stiff,
                                                .motor_given = i > 0,
                                                .motor = SIM_MOTOR_TARGET,
                                                .motor_target = i > 0 ? &target : NULL,
                                                .motor_compliance = i > 0 ? &give : NULL};
        scene->spring = add_joint(scene, bodies, particles,
                                  &(struct sim_constraint_values){.joint = &spring, .damping = &damping});
    }
    scene->flag_mesh = scene_sheet(SIDE, 0.0625);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) { // upright, with its first column at the mast
        double *x = scene->flag_mesh.positions + 3 * (size_t)i;
        x[0] = 4.0625 + 0.0625 * (i % SIDE);
        x[1] = 1.5 + 0.0625 * (i / SIDE);
        x[2] = 0.015625 * (i % 3);
    }
    struct sim_body_desc desc = scene_desc(SIM_CLOTH, &scene->flag_mesh);
    desc.density = 0.25;
    scene->flag = scene_add(scene->sim, &desc, &scene->limits);
    for (uint32_t tie = 0; tie < 2; tie++) {
        static const double weights[3] = {0.5, 0.25, 0.25};
        const uint32_t at = tie * SIDE * (SIDE - 2), flag = scene->flag.body;
        const uint32_t bodies[4] = {scene->mast.body, flag, flag, flag},
                       particles[4] = {PIECES - 1, at, at + 1, at + SIDE};
        const struct sim_joint_values joint = {.model = SIM_JOINT_BALL, .weights = weights};
        add_joint(scene, bodies, particles,
                  &(struct sim_constraint_values){.joint = &joint, .compliance = &stiff});
    }
}

static void edit(struct joints *scene, uint32_t tick)
{
    if (tick == 30) {
        static const double back = -2, less[2] = {-0.5, 0.5};
        const struct sim_joint_values hinge = {.limits = less, .motor_target = &back};
        MUST(sim_constraints_set(scene->sim, &scene->hinge, 1,
                                 &(struct sim_constraint_values){.joint = &hinge}, &scene_fault));
    }
    if (tick == 40) {
        scene_save(&scene->sim, &scene->limits);
    }
    if (tick == 50) {
        MUST(sim_constraints_remove(scene->sim, &scene->weak, 1, &scene_fault));
    }
    if (tick == 60) {
        static const double none = 0;
        const struct sim_joint_values slider = {
            .motor_given = true, .motor = SIM_MOTOR_NONE, .motor_most = &none};
        MUST(sim_constraints_set(scene->sim, &scene->slider, 1,
                                 &(struct sim_constraint_values){.joint = &slider}, &scene_fault));
    }
}

static int run(struct joints *scene, const struct scene_options *options)
{
    for (uint32_t tick = 0; tick < options->ticks; tick++) {
        edit(scene, tick);
        if (!scene_tick(scene->sim, options, tick)) {
            return 2;
        }
    }
    struct sim_constraint joint = {0};
    uint32_t broken = 0;
    while (sim_constraint_next(scene->sim, SIM_JOINT, joint.id, &joint)) {
        broken += joint.parted;
    }
    fprintf(stderr, "%u joints have broken\n", broken);
    printf("final %016" PRIx64 "\n", sim_hash(scene->sim));
    return 0;
}

int scene_joints(const struct scene_options *options)
{
    struct joints scene = {
        .limits = {.bodies = 16, .particles = 10000, .constraints = 20000, .colliders = 4, .grabs = 4}};
    const struct sim_settings settings = {.gravity = {0, -9.81, 0},
                                          .tick_rate = 60,
                                          .substeps = 10,
                                          .iterations = 2,
                                          .damping = 0.125,
                                          .resolution = 1.0 / (1 << 27),
                                          .extent = 1e6};
    scene.sim = sim_create(&settings, &scene.limits);
    if (scene.sim == NULL) {
        return 2;
    }
    add_driven(&scene);
    add_chain(&scene);
    add_plank(&scene);
    add_mast(&scene);
    const int status = run(&scene, options);
    scene_mesh_deinit(&scene.rope_meshes[0]);
    scene_mesh_deinit(&scene.rope_meshes[1]);
    scene_mesh_deinit(&scene.flag_mesh);
    sim_destroy(scene.sim);
    return status;
}
