// A world of materials. Two solids fall on a plane and on each other: their materials, rest volumes and iterations change on the
// way, and tetrahedra are added between them. One solid is flat at the start. An orthotropic cloth hangs from soft pins, whose
// targets go away and follow a collider. A plastic cloth falls over a sphere and keeps its creases.

#include "scene.h"

#include <inttypes.h>
#include <stdio.h>

enum { CELLS = 3, SIDE = 24, CLOTH = SIDE * SIDE, PINS = 4, TICKS = 120 };

const uint32_t scene_materials_ticks = TICKS;

struct materials {
    struct sim *sim;
    struct sim_limits limits;
    struct scene_mesh soft_mesh, stiff_mesh, flat_mesh, fabric_mesh, tin_mesh;
    struct sim_body_added soft, stiff, flat, fabric, tin;
    uint32_t sphere;
};

static const struct sim_collider sphere = {
    .kind = SIM_SPHERE, .position = {-2, 2.1, 0}, .radius = 0.15, .friction = 0.3};
static const uint32_t corners[PINS] = {0, SIDE - 1, CLOTH - SIDE, CLOTH - 1};

static void add_bodies(struct materials *scene)
{
    struct sim_body_desc desc = scene_desc(SIM_SOFT, &scene->soft_mesh);
    desc.solid_model = SIM_SOLID_NEO_HOOKEAN;
    desc.solid = (struct sim_material){.young = 2e4, .poisson = 0.3, .damping = 20};
    desc.thickness = 0.01;
    desc.meeting = (struct sim_meeting){.group = 1, .mask = 1, .friction = 0.4};
    scene->soft = scene_add(scene->sim, &desc, &scene->limits);
    desc.positions = scene->stiff_mesh.positions;
    desc.tets = scene->stiff_mesh.elements;
    desc.solid = (struct sim_material){.young = 5e5, .poisson = 0.45};
    scene->stiff = scene_add(scene->sim, &desc, &scene->limits);
    desc.positions = scene->flat_mesh.positions;
    desc.tets = scene->flat_mesh.elements;
    desc.solid.poisson = 0;
    desc.meeting = (struct sim_meeting){.friction = 0.4};
    scene->flat = scene_add(scene->sim, &desc, &scene->limits);
}

static void add_cloths(struct materials *scene)
{
    struct sim_body_desc desc = scene_desc(SIM_CLOTH, &scene->fabric_mesh);
    desc.density = 0.3;
    desc.stretch_model = SIM_STRETCH_ORTHOTROPIC;
    desc.yarns = (struct sim_yarns){.direction = {2, 0, 1}, .angle = 0.3};
    desc.stretch = (struct sim_material){
        .warp = 300, .weft = 150, .shear = 9, .poisson = 0.3, .damping = 0.01, .limit = 0.02};
    desc.stretch.stiffness = -1;
    scene->fabric = scene_add(scene->sim, &desc, &scene->limits);
    desc = scene_desc(SIM_CLOTH, &scene->tin_mesh);
    desc.density = 1;
    desc.bend_model = SIM_BEND_DIHEDRAL;
    desc.bend.compliance = 10;
    desc.bend.plastic = (struct sim_plastic){.yield = 0.02, .rate = 60, .greatest = 1};
    desc.thickness = 0.008;
    scene->tin = scene_add(scene->sim, &desc, &scene->limits);
}

// Puts every particle of the flat one into a plane.
static void flatten(struct materials *scene)
{
    for (uint32_t i = 0; i < scene->flat_mesh.particle_count; i++) {
        double x[3];
        for (uint32_t axis = 0; axis < 3; axis++) {
            x[axis] = scene->flat_mesh.positions[3 * (size_t)i + axis];
        }
        x[1] = 1.5;
        MUST(sim_particles_set(scene->sim, scene->flat.body, &i, 1, x, NULL, NULL, &scene_fault));
    }
}

// Springs, a limit and both; the last one goes with the sphere.
static void edit_pins(struct materials *scene, uint32_t tick)
{
    static const double compliance = 0.01, distance = 0.05;
    const struct sim_hold soft[3] = {{.compliance = &compliance},
                                     {.distance = &distance},
                                     {.compliance = &compliance, .distance = &distance}};
    const uint32_t fabric = scene->fabric.body;
    if (tick == 1) {
        for (uint32_t p = 0; p < PINS; p++) {
            MUST(sim_particles_hold(scene->sim, fabric, corners + p, 1, &soft[p % 3], &scene_fault));
        }
    }
    if (tick == 10) {
        const double *at = scene->fabric_mesh.positions;
        const double to[6] = {at[0] - 0.2, at[1] + 0.3, at[2], at[0] + 1, at[1] + 0.1, at[2] - 0.1};
        MUST(sim_particles_hold(scene->sim, fabric, corners, 2,
                                &(struct sim_hold){.positions = to, .ticks = 25}, &scene_fault));
        MUST(sim_particles_hold(scene->sim, fabric, corners + PINS - 1, 1,
                                &(struct sim_hold){.collider = scene->sphere}, &scene_fault));
    }
    if (tick >= 15 && tick < 40) {
        struct sim_collider moved = sphere;
        moved.id = scene->sphere;
        moved.position[1] += 0.004 * (tick - 14);
        MUST(sim_collider_set(scene->sim, &moved, &scene_fault));
    }
    if (tick == 50) {
        MUST(sim_particles_unpin(scene->sim, fabric, corners, 1, &scene_fault));
    }
    if (tick == 70) {
        const struct sim_rest_shape shape = {.angles = true, .lengths = true};
        MUST(sim_body_set(scene->sim, scene->tin.body, &(struct sim_body_change){.rest = &shape},
                          &scene_fault));
    }
}

static void edit(struct materials *scene, uint32_t tick)
{
    edit_pins(scene, tick);
    const uint32_t first = scene->soft.constraint_first[SIM_NEO_HOOKEAN];
    if (tick == 20) {
        const struct sim_material softer = {.young = 1e4, .poisson = 0.4, .damping = 5};
        MUST(sim_body_set(scene->sim, scene->soft.body, &(struct sim_body_change){.solid = &softer},
                          &scene_fault));
    }
    if (tick == 30) {
        const uint32_t ids[3] = {first, first + 7, first + 20};
        static const double rest[3] = {4e-5, 1e-5, 2.2e-5}, compliance[3] = {1e-5, 1e-4, 1e-3};
        const struct sim_constraint_values values = {.rest = rest, .compliance = compliance};
        MUST(sim_constraints_set(scene->sim, ids, 3, &values, &scene_fault));
    }
    if (tick == 40) {
        const uint32_t bodies[4] = {scene->soft.body, scene->soft.body, scene->stiff.body, scene->stiff.body};
        static const uint32_t particles[4] = {0, 5, 1, 9};
        static const double compliance = 1e-3;
        uint32_t id;
        MUST(sim_constraints_add(scene->sim, SIM_NEO_HOOKEAN, 1, bodies, particles,
                                 &(struct sim_constraint_values){.compliance = &compliance}, &id,
                                 &scene_fault));
    }
    if (tick == 60) {
        struct sim_settings settings = *sim_settings_of(scene->sim);
        settings.iterations = 3;
        MUST(sim_settings_set(scene->sim, &settings, &scene_fault));
    }
}

static int run(struct materials *scene, const struct scene_options *options)
{
    for (uint32_t tick = 0; tick < options->ticks; tick++) {
        edit(scene, tick);
        if (!scene_tick(scene->sim, options, tick)) {
            return 2;
        }
    }
    struct sim_measures measures;
    struct sim_meetings meetings;
    sim_measure(scene->sim, &measures);
    sim_meetings_of(scene->sim, &meetings);
    struct sim_constraint hinge;
    double sharp = 0;
    for (uint32_t i = 0;
         sim_constraint_get(scene->sim, scene->tin.constraint_first[SIM_DIHEDRAL] + i, &hinge) &&
         hinge.kind == SIM_DIHEDRAL;
         i++) {
        sharp = hinge.rest * hinge.rest > sharp ? hinge.rest * hinge.rest : sharp;
    }
    fprintf(stderr,
            "volumes are off by %g, %u pairs touch, %u contacts, the sharpest crease has a square of %g\n",
            measures.error_rms[SIM_NEO_HOOKEAN], meetings.pushing, measures.contacts, sharp);
    printf("final %016" PRIx64 "\n", sim_hash(scene->sim));
    return 0;
}

int scene_materials(const struct scene_options *options)
{
    static const struct sim_collider floor = {
        .kind = SIM_PLANE, .position = {0, 1.25, 0}, .normal = {0.05, 1, 0}, .friction = 0.5};
    struct materials scene = {
        .limits = {.bodies = 8, .particles = 10000, .constraints = 20000, .colliders = 4, .grabs = 4}};
    const struct sim_settings settings = {.gravity = {0, -9.81, 0},
                                          .tick_rate = 60,
                                          .substeps = 10,
                                          .iterations = 1,
                                          .damping = 0.1,
                                          .resolution = 1.0 / (1 << 27),
                                          .extent = 1e6,
                                          .sleep = true};
    uint32_t id;
    scene.sim = sim_create(&settings, &scene.limits);
    if (scene.sim == NULL) {
        return 2;
    }
    scene.soft_mesh = scene_block(CELLS);
    scene.stiff_mesh = scene_block(CELLS);
    scene.flat_mesh = scene_block(CELLS);
    scene_mesh_shift(&scene.stiff_mesh, 0.05, 0.2, 0.03);
    scene.fabric_mesh = scene_sheet(SIDE, 0.04);
    scene.tin_mesh = scene_sheet(SIDE, 0.03);
    scene_mesh_shift(&scene.flat_mesh, 2, 0, 0);
    scene_mesh_shift(&scene.fabric_mesh, -2, 2.5, 2);
    scene_mesh_shift(&scene.tin_mesh, -2.1, 1.6, 0.1);
    add_bodies(&scene);
    add_cloths(&scene);
    flatten(&scene);
    MUST(sim_collider_add(scene.sim, &floor, &id, &scene_fault));
    MUST(sim_collider_add(scene.sim, &sphere, &scene.sphere, &scene_fault));
    int status = run(&scene, options);
    scene_mesh_deinit(&scene.soft_mesh);
    scene_mesh_deinit(&scene.stiff_mesh);
    scene_mesh_deinit(&scene.flat_mesh);
    scene_mesh_deinit(&scene.fabric_mesh);
    scene_mesh_deinit(&scene.tin_mesh);
    sim_destroy(scene.sim);
    return status;
}
