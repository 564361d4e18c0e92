// Joints to segments of rods: cables that hang from a beam that turns, with hooks at their ends, a bell on a hinge that a motor drives, and
// a ring that slides along a segment. Some are changed, broken or go, and the world is saved on the way.

#include "scene.h"

#include <inttypes.h>
#include <stdio.h>

enum { CABLES = 4, POINTS = 12, PIECES = 2 + CABLES, TICKS = 90 };

const uint32_t scene_hooks_ticks = TICKS;

struct hooks {
    struct sim *sim;
    struct sim_limits limits;
    struct sim_body_added pieces, cables;
    uint32_t clamps[CABLES], ends[CABLES];
};

// The beam is the first piece, the bell the last one, and between them is a hook for each cable.
static void add_pieces(struct hooks *scene)
{
    double positions[3 * PIECES], masses[PIECES];
    struct sim_turned turned[PIECES] = {0};
    const struct sim_rigid_shape shape = {.form = SIM_RIGID_BOX, .half_extents = {0.03f, 0.02f, 0.04f}};
    for (uint32_t i = 0; i < PIECES; i++) {
        positions[3 * i] = i == 0 ? 0.3 : i == PIECES - 1 ? 1.2 : 0.2 * (i - 1);
        positions[3 * i + 1] = i == 0 ? 2.05 : i == PIECES - 1 ? 1.7 : 1.4;
        positions[3 * i + 2] = 0.01 * i;
        turned[i].q[3] = 1 << 30;
        turned[i].spin[1] = 0.5f * (float)i;
        masses[i] = i == 0 ? 4 : 0.05 + 0.02 * i;
    }
    const struct sim_body_desc desc = {.kind = SIM_RIGID,
                                       .particle_count = PIECES,
                                       .positions = positions,
                                       .masses = masses,
                                       .turned = turned,
                                       .rigid = &shape};
    scene->pieces = scene_add(scene->sim, &desc, &scene->limits);
}

static void add_cables(struct hooks *scene)
{
    static const struct sim_rod rod = {
        .radius = 0.004, .young = 1e8, .poisson = 0.3, .bend_stiffness = 0.02, .damping = 0.002, .twist = 3};
    struct scene_mesh mesh = {.particle_count = CABLES * POINTS, .element_count = CABLES * (POINTS - 1)};
    mesh.positions = scene_array(3 * mesh.particle_count, sizeof *mesh.positions);
    mesh.elements = scene_array(2 * mesh.element_count, sizeof *mesh.elements);
    for (uint32_t c = 0, e = 0; c < CABLES; c++) {
        for (uint32_t i = 0; i < POINTS; i++) {
            double *x = mesh.positions + 3 * (c * POINTS + i);
            x[0] = 0.2 * c + 0.002 * i;
            x[1] = 2 - 0.05 * i;
            x[2] = 0.001 * (i % 3);
            if (i + 1 < POINTS) {
                mesh.elements[e++] = c * POINTS + i;
                mesh.elements[e++] = c * POINTS + i + 1;
            }
        }
    }
    struct sim_body_desc desc = scene_desc(SIM_ROPE, &mesh);
    desc.rod = &rod;
    desc.density = 0.05;
    scene->cables = scene_add(scene->sim, &desc, &scene->limits);
    scene_mesh_deinit(&mesh);
}

static uint32_t add_joint(struct hooks *scene, uint32_t piece, uint32_t begins,
                          const struct sim_constraint_values *values)
{
    uint32_t id;
    const uint32_t rope = scene->cables.body, bodies[4] = {scene->pieces.body, rope, rope, rope},
                   particles[4] = {piece, begins, begins + 1, begins};
    MUST(sim_constraints_add(scene->sim, SIM_JOINT, 1, bodies, particles, values, &id, &scene_fault));
    return id;
}

static void add_joints(struct hooks *scene)
{
    static const double limits[2] = {-0.5, 0.75}, cone[2] = {0, 0.5}, along[2] = {-0.01, 0.02}, give = 1e-4,
                        damping = 0.001, force = 60, axis[3] = {1, 0.25, 0}, speed = 4, most = 0.02,
                        weights[3] = {0.25, 0.75, 0};
    for (uint32_t c = 0; c < CABLES; c++) {
        const uint32_t first = c * POINTS;
        const double top[6] = {0.2 * c, 2, 0, 0.2 * c, 2, 0};
        const struct sim_joint_values clamp = {
            .model = SIM_JOINT_FIXED, .anchors = top, .turn_compliance = c == 1 ? &give : NULL};
        const struct sim_joint_values hook = {.model = (enum sim_joint_model)c,
                                              .axes = axis,
                                              .limits = c == SIM_JOINT_BALL     ? cone
                                                        : c == SIM_JOINT_HINGE  ? limits
                                                        : c == SIM_JOINT_SLIDER ? along
                                                                                : NULL};
        scene->clamps[c] = add_joint(scene, 0, first, &(struct sim_constraint_values){.joint = &clamp});
        scene->ends[c] = add_joint(
            scene, 1 + c, first + POINTS - 2,
            &(struct sim_constraint_values){
                .joint = &hook, .damping = &damping, .force_limit = c == SIM_JOINT_SLIDER ? &force : NULL});
    }
    const struct sim_joint_values bell = {.model = SIM_JOINT_HINGE,
                                          .weights = weights,
                                          .axes = axis,
                                          .motor_given = true,
                                          .motor = SIM_MOTOR_SPEED,
                                          .motor_target = &speed,
                                          .motor_most = &most};
    add_joint(scene, PIECES - 1, 3 * POINTS + 5, &(struct sim_constraint_values){.joint = &bell});
}

static void edit(struct hooks *scene, uint32_t tick)
{
    static const uint32_t beam = 0;
    if (tick < 50) {
        const double rotation[4] = {0.002 * tick, 0.01 * tick, 0.004 * tick, 1};
        MUST(sim_particles_turn(scene->sim, scene->pieces.body, &beam, 1, rotation, NULL, &scene_fault));
    }
    if (tick == 30) {
        static const double less[2] = {-0.1, 0.1}, weak = 0.01;
        const struct sim_joint_values hinge = {.limits = less};
        MUST(sim_constraints_set(scene->sim, &scene->ends[SIM_JOINT_HINGE], 1,
                                 &(struct sim_constraint_values){.joint = &hinge}, &scene_fault));
        MUST(sim_constraints_set(scene->sim, &scene->clamps[3], 1,
                                 &(struct sim_constraint_values){.force_limit = &weak}, &scene_fault));
    }
    if (tick == 40) {
        scene_save(&scene->sim, &scene->limits);
    }
    if (tick == 60) {
        MUST(sim_constraints_remove(scene->sim, &scene->ends[1], 1, &scene_fault));
    }
}

static int run(struct hooks *scene, const struct scene_options *options)
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

int scene_hooks(const struct scene_options *options)
{
    static const uint32_t beam = 0;
    struct hooks scene = {
        .limits = {.bodies = 4, .particles = 1000, .constraints = 4000, .colliders = 4, .grabs = 4}};
    const struct sim_settings settings = {.gravity = {0, -9.81, 0},
                                          .tick_rate = 60,
                                          .substeps = 20,
                                          .iterations = 2,
                                          .damping = 0.125,
                                          .resolution = 1.0 / (1 << 27),
                                          .extent = 1e6};
    scene.sim = sim_create(&settings, &scene.limits);
    if (scene.sim == NULL) {
        return 2;
    }
    add_pieces(&scene);
    add_cables(&scene);
    add_joints(&scene);
    MUST(sim_particles_pin(scene.sim, scene.pieces.body, &beam, 1, NULL, &scene_fault));
    const int status = run(&scene, options);
    sim_destroy(scene.sim);
    return status;
}
