// Wires whose chains are solved directly: many at once that hang over a ball, a twisted ring, and one clamped to a box that turns it. A
// segment is cut, and the world is saved and made again on the way.

#include "scene.h"

#include <inttypes.h>
#include <stdio.h>

enum { STRANDS = 24, POINTS = 30, RING = 16, TICKS = 60 };

const uint32_t scene_wires_ticks = TICKS;

struct wires {
    struct sim *sim;
    struct sim_limits limits;
    struct sim_body_added strands, ring;
    struct sim_collider box;
    uint32_t roots[STRANDS];
};

static void add_strands(struct wires *scene)
{
    static const struct sim_rod rod = {
        .radius = 0.001, .young = 2e10, .poisson = 0.3, .damping = 0.001, .direct = true, .twist = 2};
    struct scene_mesh mesh = {.particle_count = STRANDS * POINTS, .element_count = STRANDS * (POINTS - 1)};
    mesh.positions = scene_array(3 * mesh.particle_count, sizeof *mesh.positions);
    mesh.elements = scene_array(2 * mesh.element_count, sizeof *mesh.elements);
    for (uint32_t s = 0, e = 0; s < STRANDS; s++) {
        scene->roots[s] = s * POINTS;
        for (uint32_t i = 0; i < POINTS; i++) {
            double *x = mesh.positions + 3 * (s * POINTS + i);
            x[0] = 0.02 * i;
            x[1] = 1 + 0.0004 * i * (s % 5);
            x[2] = 0.02 * s;
            if (i + 1 < POINTS) {
                mesh.elements[e++] = s * POINTS + i;
                mesh.elements[e++] = s * POINTS + i + 1;
            }
        }
    }
    struct sim_body_desc desc = scene_desc(SIM_ROPE, &mesh);
    desc.rod = &rod;
    desc.density = 0.02;
    desc.pins = desc.clamps = scene->roots;
    desc.pin_count = desc.clamp_count = STRANDS;
    scene->strands = scene_add(scene->sim, &desc, &scene->limits);
    scene_mesh_deinit(&mesh);
}

// Around a square, so that no sine is needed.
static void add_ring(struct wires *scene)
{
    static const double sides[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    static const struct sim_rod rod = {
        .radius = 0.002, .young = 1e9, .poisson = 0.3, .curved = true, .twist = 9, .direct = true};
    struct scene_mesh mesh = {.particle_count = RING, .element_count = RING};
    mesh.positions = scene_array(3 * mesh.particle_count, sizeof *mesh.positions);
    mesh.elements = scene_array(2 * mesh.element_count, sizeof *mesh.elements);
    double at[2] = {1, 0};
    for (uint32_t i = 0; i < RING; i++) {
        mesh.positions[3 * i] = at[0];
        mesh.positions[3 * i + 1] = 2 + at[1];
        mesh.positions[3 * i + 2] = 0.001 * (i % 3);
        at[0] += 0.05 * sides[i / (RING / 4)][0];
        at[1] += 0.05 * sides[i / (RING / 4)][1];
        mesh.elements[2 * i] = i;
        mesh.elements[2 * i + 1] = (i + 1) % RING;
    }
    struct sim_body_desc desc = scene_desc(SIM_ROPE, &mesh);
    desc.rod = &rod;
    desc.density = 0.05;
    scene->ring = scene_add(scene->sim, &desc, &scene->limits);
    scene_mesh_deinit(&mesh);
}

static void edit(struct wires *scene, uint32_t tick)
{
    if (tick == 5) {
        MUST(sim_particles_pin_to(scene->sim, scene->strands.body, scene->roots, STRANDS / 2, scene->box.id,
                                  &scene_fault));
        MUST(sim_particles_clamp_turns(scene->sim, scene->strands.body, scene->roots, STRANDS / 2, true,
                                       &scene_fault));
    }
    if (tick >= 10 && tick < 40) {
        scene->box.rotation[2] = 0.02 * (tick - 9);
        scene->box.position[1] += 0.003;
        MUST(sim_collider_set(scene->sim, &scene->box, &scene_fault));
    }
    if (tick == 25) {
        const uint32_t cut[] = {scene->strands.constraint_first[SIM_ROD_STRETCH] + 40,
                                scene->strands.constraint_first[SIM_ROD_BEND] + 70,
                                scene->ring.constraint_first[SIM_ROD_STRETCH] + 5};
        MUST(sim_constraints_remove(scene->sim, cut, 3, &scene_fault));
    }
    if (tick == 32) {
        scene_save(&scene->sim, &scene->limits);
    }
}

int scene_wires(const struct scene_options *options)
{
    struct wires scene = {
        .limits = {.bodies = 8, .particles = 10000, .constraints = 20000, .colliders = 4, .grabs = 4},
        .box = {.kind = SIM_BOX,
                .half_extents = {0.02, 0.02, 0.5},
                .position = {-0.1, 1, 0},
                .rotation = {0, 0, 0, 1}}};
    const struct sim_settings settings = {.gravity = {0, -9.81, 0},
                                          .tick_rate = 60,
                                          .substeps = 20,
                                          .iterations = 1,
                                          .damping = 0.5,
                                          .resolution = 1.0 / (1 << 27),
                                          .extent = 1e6};
    static const struct sim_collider ball = {
        .kind = SIM_SPHERE, .position = {0.35, 0.75, 0.2}, .radius = 0.2, .friction = 0.3};
    uint32_t id;
    int status = 0;
    scene.sim = sim_create(&settings, &scene.limits);
    if (scene.sim == NULL) {
        return 2;
    }
    add_strands(&scene);
    add_ring(&scene);
    MUST(sim_collider_add(scene.sim, &ball, &id, &scene_fault));
    MUST(sim_collider_add(scene.sim, &scene.box, &scene.box.id, &scene_fault));
    for (uint32_t tick = 0; tick < options->ticks && status == 0; tick++) {
        edit(&scene, tick);
        status = scene_tick(scene.sim, options, tick) ? 0 : 2;
    }
    if (status == 0) {
        printf("final %016" PRIx64 "\n", sim_hash(scene.sim));
    }
    sim_destroy(scene.sim);
    return status;
}
