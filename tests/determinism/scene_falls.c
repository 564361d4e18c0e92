// Few edits, each one meant: more than 10,000 particles, all kinds of bodies, constraints and colliders, wind, a
// welded seam, and edits of every kind in mid-run.

#include "scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 100, CLOTH = SIDE * SIDE, ROPE = 200, POINTS = 500, CELLS = 6, TICKS = 300 };
enum { FLAG = 12 };

const uint32_t scene_falls_ticks = TICKS;

static uint32_t collider(struct sim *sim, enum sim_collider_kind kind, double x, double y, double radius,
                         double friction)
{
    struct sim_collider made = {.kind = kind,
                                .position = {x, y, 0},
                                .normal = {0.05, 1, 0.02},
                                .radius = radius,
                                .length = 0.5,
                                .half_extents = {0.4, 0.1, 0.3},
                                .friction = friction};
    uint32_t id;
    MUST(sim_collider_add(sim, &made, &id, &scene_fault));
    return id;
}

struct falls {
    struct sim *sim;
    struct sim_limits limits;
    struct sim_body_desc rope_desc;
    struct sim_body_added cloth, rope, points, block, flag;
    uint32_t ball, box, capsule, grabs[2], links, fours[4];
};

static const double soft[32] = {0.01, [3] = 0.001, [7] = 0.02, [24] = 1, 0.1, 0.3, 2, 0.5, 1, 1, 1},
                    damp[32] = {[2] = 1, [3] = 2, [11] = 0.5};

// Kinds of four particles: between bodies, changed and removed again; wind that turns.
static void edit_fours(struct falls *scene, uint32_t tick)
{
    static const enum sim_kind kinds[4] = {SIM_DIHEDRAL, SIM_ISOMETRIC, SIM_QUADRATIC, SIM_VOLUME};
    struct sim *sim = scene->sim;
    struct sim_settings settings = *sim_settings_of(sim);
    uint32_t bodies[32], particles[32];
    if (tick == 30) {
        for (uint32_t i = 0; i < 32; i++) {
            uint32_t k = i % 4;
            bodies[i] = i % 8 < 3 ? scene->block.body : scene->flag.body;
            particles[i] = i % 8 < 3 ? 17 * (i / 4) + k * k + k : 5 * (i / 4) + k * (k + 3) + 40;
        }
        for (int k = 0; k < 4; k++) {
            MUST(
                sim_constraints_add(sim, kinds[k], 8, bodies, particles,
                                    &(struct sim_constraint_values){.compliance = &soft[24], .damping = damp},
                                    &scene->fours[k], &scene_fault));
        }
    }
    for (int k = 0; tick == 70 && k < 4; k++) {
        const uint32_t ids[3] = {scene->fours[k], scene->fours[k] + 3, scene->fours[k] + 5};
        const double stiffness[3] = {0.25, 0.5, 0.125};
        MUST(sim_constraints_set(sim, ids, 3, &(struct sim_constraint_values){.stiffness = stiffness},
                                 &scene_fault));
    }
    for (int k = 0; tick == 150 && k < 4; k++) {
        const uint32_t ids[2] = {scene->fours[k] + 1, scene->fours[k] + 5};
        MUST(sim_constraints_remove(sim, ids, 2, &scene_fault));
    }
    if (tick % 25 == 10) {
        settings.wind.velocity[0] = 0.05 * tick - 3;
        settings.wind.velocity[2] = 2 - 0.02 * tick;
        MUST(sim_settings_set(sim, &settings, &scene_fault));
    }
    if (tick == 110) {
        const struct sim_material bend = {.compliance = 2, .damping = 1e-3, .stiffness = -1},
                                  volume = {.stiffness = 0.5};
        MUST(sim_body_set(sim, scene->flag.body, &(struct sim_body_change){.bend = &bend}, &scene_fault));
        MUST(
            sim_body_set(sim, scene->block.body, &(struct sim_body_change){.volume = &volume}, &scene_fault));
    }
    double turn = 0.01 * tick;
    struct sim_collider box = {.id = scene->box,
                               .kind = SIM_BOX,
                               .half_extents = {0.4, 0.1, 0.3},
                               .position = {0.45, 0.9, 0.45},
                               .rotation = {0.1 * turn, turn, 0, 1},
                               .friction = 0.8};
    MUST(sim_collider_set(sim, &box, &scene_fault));
    struct sim_collider capsule = {.id = scene->capsule,
                                   .kind = SIM_CAPSULE,
                                   .radius = 0.1,
                                   .length = 0.5,
                                   .position = {-0.8 + 0.002 * tick, 0.3, -0.2},
                                   .rotation = {0, 0, 1, turn},
                                   .friction = 0.3};
    MUST(sim_collider_set(sim, &capsule, &scene_fault));
}

static void edit(struct falls *scene, uint32_t tick)
{
    struct sim *sim = scene->sim;
    uint32_t cloth = scene->cloth.body, rope = scene->rope.body, ids[2000], bodies[64], particles[64];
    struct sim_settings settings = *sim_settings_of(sim);
    double x[3];
    switch (tick) {
    case 20: // links between bodies, soft and damped
        for (uint32_t i = 0; i < 32; i++) {
            bodies[2 * i] = cloth;
            bodies[2 * i + 1] = rope;
            particles[2 * i] = SIDE * (SIDE / 2) + i;
            particles[2 * i + 1] = 3 * i;
        }
        MUST(sim_constraints_add(sim, SIM_DISTANCE, 32, bodies, particles,
                                 &(struct sim_constraint_values){.compliance = soft, .damping = damp},
                                 &scene->links, &scene_fault));
        break;
    case 40:
        MUST(sim_grab_begin(sim, cloth, CLOTH - 1, NULL, 1e-4, &scene->grabs[0], &scene_fault));
        MUST(sim_grab_begin(sim, rope, 100, NULL, 0, &scene->grabs[1], &scene_fault));
        break;
    case 60: { // tears: more than a quarter of the rope, less of the cloth
        uint32_t count = scene->rope.constraint_count[SIM_DISTANCE];
        for (uint32_t i = 0; i < count / 3; i++) {
            ids[i] = scene->rope.constraint_first[SIM_DISTANCE] + 3 * i;
        }
        MUST(sim_constraints_remove(sim, ids, count / 3, &scene_fault));
        for (uint32_t i = 0; i < 2000; i++) {
            ids[i] = scene->cloth.constraint_first[SIM_DISTANCE] + 11 * i;
        }
        MUST(sim_constraints_remove(sim, ids, 2000, &scene_fault));
        break;
    }
    case 80: { // single materials, then new links where old ones went
        double stiff[500], slow[500];
        for (uint32_t i = 0; i < 500; i++) {
            ids[i] = scene->cloth.constraint_first[SIM_DISTANCE] + 11 * i + 1;
        }
        for (uint32_t i = 0; i < 500; i++) {
            stiff[i] = 1e-6 * i;
            slow[i] = i % 2 ? 0.25 * i : 0;
        }
        MUST(sim_constraints_set(sim, ids, 500,
                                 &(struct sim_constraint_values){.compliance = stiff, .damping = slow},
                                 &scene_fault));
        ids[0] = scene->links + 5;
        MUST(sim_constraints_remove(sim, ids, 1, &scene_fault));
        break;
    }
    case 100:
        particles[0] = 0;
        particles[1] = SIDE - 1;
        MUST(sim_particles_pin(sim, cloth, particles, 2, NULL, &scene_fault));
        settings.iterations = 2;
        settings.damping = 0.1;
        MUST(sim_settings_set(sim, &settings, &scene_fault));
        break;
    case 140: {
        uint32_t *gone, gone_count;
        MUST(sim_grab_end(sim, scene->grabs[1], &scene_fault));
        MUST(sim_body_remove(sim, scene->points.body, &gone, &gone_count, &scene_fault));
        free(gone);
        break;
    }
    case 160: { // in the rows that have become free
        scene->rope_desc.stretch.stiffness = 0.8;
        scene->rope_desc.density = 0.3;
        struct sim_body_added second = scene_add(sim, &scene->rope_desc, &scene->limits);
        bodies[0] = second.body;
        bodies[1] = cloth;
        particles[0] = 0;
        particles[1] = SIDE - 1;
        MUST(sim_constraints_add(sim, SIM_DISTANCE, 1, bodies, particles,
                                 &(struct sim_constraint_values){.compliance = soft}, &ids[0], &scene_fault));
        break;
    }
    case 200: {
        const struct sim_material material = {.compliance = 2e-5, .damping = 3, .stiffness = -1};
        const double thickness = 0.01;
        MUST(sim_body_set(sim, cloth,
                          &(struct sim_body_change){.stretch = &material, .thickness = &thickness},
                          &scene_fault));
        particles[0] = 0;
        MUST(sim_particles_unpin(sim, cloth, particles, 1, &scene_fault));
        break;
    }
    case 240:
        settings.iterations = 1;
        settings.gravity[0] = 1.5;
        MUST(sim_settings_set(sim, &settings, &scene_fault));
        break;
    default:
        break;
    }
    if (tick >= 45 && tick < 120) { // a hand that draws a circle of sorts
        for (int axis = 0; axis < 3; axis++) {
            x[axis] = (axis == 0 ? 0.9 - 0.005 * (tick - 45) : axis == 1 ? 0.6 + 0.01 * (tick % 20) : 0.9);
        }
        MUST(sim_grab_move(sim, scene->grabs[0], x, &scene_fault));
    }
    if (tick > 100 && tick < 130) {
        double at[3];
        sim_body_positions64(sim, cloth, SIDE - 1, 1, at);
        at[1] += 0.004;
        particles[0] = SIDE - 1;
        MUST(sim_particles_pin(sim, cloth, particles, 1, at, &scene_fault));
    }
    if (tick % 3 == 0 && tick > 150) {
        struct sim_collider moved = {.id = scene->ball, .kind = SIM_SPHERE, .radius = 0.4, .friction = 0.5};
        moved.position[0] = 0.001 * (tick - 150);
        moved.position[1] = 0.1;
        MUST(sim_collider_set(sim, &moved, &scene_fault));
    }
}

// The meshes of the bodies; they must last as long as rope_desc is used.
struct meshes {
    struct scene_mesh sheet, rope, points, block, flag;
};

static void add_bodies(struct falls *scene, struct meshes *meshes)
{
    struct sim *sim = scene->sim;
    struct sim_body_desc desc = scene_desc(SIM_CLOTH, &meshes->sheet);
    desc.stretch.compliance = 1e-6;
    desc.bend.compliance = 1;
    desc.thickness = 0.005;
    scene->cloth = scene_add(sim, &desc, &scene->limits);
    scene->rope_desc = scene_desc(SIM_ROPE, &meshes->rope);
    scene->rope_desc.stretch.compliance = 1e-5;
    scene->rope_desc.stretch.damping = 2;
    scene->rope_desc.thickness = 0.01;
    scene->rope = scene_add(sim, &scene->rope_desc, &scene->limits);
    desc = scene_desc(SIM_POINTS, &meshes->points);
    desc.thickness = 0.02;
    scene->points = scene_add(sim, &desc, &scene->limits);
    desc = scene_desc(SIM_SOFT, &meshes->block);
    desc.stretch = (struct sim_material){.compliance = 1e-5, .damping = 1, .stiffness = -1};
    desc.volume = (struct sim_material){.compliance = 1e-9, .damping = 1e5, .stiffness = -1};
    desc.thickness = 0.01;
    scene->block = scene_add(sim, &desc, &scene->limits);
    const double weld = 0.001;
    const uint32_t pole[3] = {0, 5 * FLAG, (FLAG - 1) * FLAG};
    desc = scene_desc(SIM_CLOTH, &meshes->flag);
    desc.stretch.compliance = 1e-5;
    desc.bend_model = SIM_BEND_DIHEDRAL;
    desc.bend = (struct sim_material){.compliance = 5, .damping = 1e-3, .stiffness = -1};
    desc.weld = &weld;
    desc.pins = pole;
    desc.pin_count = 3;
    desc.thickness = 0.005;
    scene->flag = scene_add(sim, &desc, &scene->limits);
    desc.bend_model = SIM_BEND_ISOMETRIC;
    desc.bend = (struct sim_material){.compliance = 0.1, .stiffness = -1};
    scene_mesh_shift(&meshes->flag, 0, 0, 0.5);
    scene_add(sim, &desc, &scene->limits);
}

static int run(struct falls *scene, const struct scene_options *options)
{
    struct sim *sim = scene->sim;
    for (uint32_t tick = 0; tick < options->ticks; tick++) {
        edit(scene, tick);
        edit_fours(scene, tick);
        if (!scene_tick(sim, options, tick)) {
            return 2;
        }
    }
    struct sim_measures measures;
    sim_measure(sim, &measures);
    fprintf(stderr, "strain %g, contacts %u, kinetic %g J\n", measures.error_max[SIM_DISTANCE],
            measures.contacts, measures.kinetic);
    printf("final %016" PRIx64 "\n", sim_hash(sim));
    return 0;
}

int scene_falls(const struct scene_options *options)
{
    struct falls scene = {
        .limits = {.bodies = 16, .particles = 100000, .constraints = 100000, .colliders = 16, .grabs = 16}};
    const struct sim_settings settings = {
        .gravity = {0, -9.81, 0},
        .tick_rate = 60,
        .substeps = 2,
        .iterations = 1,
        .resolution = 1.0 / (1 << 27),
        .extent = 1e6,
        .wind = {.velocity = {2, 0.5, 1}, .drag = 1, .lift = 0.4, .density = 1.2}};
    scene.sim = sim_create(&settings, &scene.limits);
    if (scene.sim == NULL) {
        return 2;
    }
    struct meshes meshes = {scene_sheet(SIDE, 0.02), scene_rope(ROPE), scene_points(POINTS),
                            scene_block(CELLS), scene_flag(FLAG)};
    add_bodies(&scene, &meshes);
    scene.box = collider(scene.sim, SIM_BOX, 0.45, 0.9, 0, 0.8);
    scene.capsule = collider(scene.sim, SIM_CAPSULE, -0.8, 0.3, 0.1, 0.3);
    scene.ball = collider(scene.sim, SIM_SPHERE, 0, 0.1, 0.4, 0.5);
    collider(scene.sim, SIM_PLANE, 0, -0.5, 0, 0.6);
    int status = run(&scene, options);
    scene_mesh_deinit(&meshes.sheet);
    scene_mesh_deinit(&meshes.rope);
    scene_mesh_deinit(&meshes.points);
    scene_mesh_deinit(&meshes.block);
    scene_mesh_deinit(&meshes.flag);
    sim_destroy(scene.sim);
    return status;
}
