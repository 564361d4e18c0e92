// Small worlds to test.
#include "helper_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

const struct sim_limits scene_limits = {
    .bodies = 4096, .particles = 4194304, .constraints = 33554432, .colliders = 256, .grabs = 1024};

struct sim_settings scene_settings(void)
{
    return (struct sim_settings){
        .gravity = {0, -9.81, 0},
        .tick_rate = 60,
        .substeps = 10,
        .iterations = 1,
        .resolution = SCENE_Q,
        .extent = 1e6,
    };
}

struct sim_settings scene_still(uint32_t tick_rate)
{
    struct sim_settings settings = scene_settings();
    settings.gravity[1] = 0;
    settings.tick_rate = tick_rate;
    settings.substeps = 1;
    return settings;
}

struct sim *scene_create_limited(struct sim_settings settings, struct sim_limits limits)
{
    struct sim *sim = sim_create(&settings, &limits);
    assert_non_null(sim);
    return sim;
}

struct sim *scene_create(struct sim_settings settings)
{
    return scene_create_limited(settings, scene_limits);
}

struct scene_mesh scene_grid(uint32_t columns, uint32_t rows, double spacing, const double origin[3])
{
    struct scene_mesh mesh = {
        .particle_count = columns * rows,
        .triangle_count = 2 * (columns - 1) * (rows - 1),
    };
    mesh.positions = malloc((size_t)mesh.particle_count * 3 * sizeof *mesh.positions);
    mesh.triangles = malloc(((size_t)mesh.triangle_count * 3 + 1) * sizeof *mesh.triangles);
    assert_non_null(mesh.positions);
    assert_non_null(mesh.triangles);
    for (uint32_t r = 0; r < rows; r++) {
        for (uint32_t c = 0; c < columns; c++) {
            double *x = mesh.positions + 3 * ((size_t)r * columns + c);
            x[0] = origin[0] + c * spacing;
            x[1] = origin[1];
            x[2] = origin[2] + r * spacing;
        }
    }
    uint32_t *t = mesh.triangles;
    for (uint32_t r = 0; r + 1 < rows; r++) {
        for (uint32_t c = 0; c + 1 < columns; c++, t += 6) {
            uint32_t a = r * columns + c, b = a + 1, d = a + columns, e = d + 1;
            bool odd = (r + c) % 2;
            uint32_t two[6] = {a, d, odd ? b : e, odd ? d : a, e, b};
            for (int k = 0; k < 6; k++) {
                t[k] = two[k];
            }
        }
    }
    return mesh;
}

void scene_mesh_deinit(struct scene_mesh *mesh)
{
    free(mesh->positions);
    free(mesh->triangles);
}

// Kuhn's six tetrahedra of a cell: paths from its lowest corner to its highest, one axis after the other.
struct scene_block scene_block(const uint32_t cells[3], double spacing, const double origin[3])
{
    static const int paths[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    uint32_t n[3] = {cells[0] + 1, cells[1] + 1, cells[2] + 1};
    const uint32_t stride[3] = {1, n[0], n[0] * n[1]};
    struct scene_block block = {.particle_count = n[0] * n[1] * n[2],
                                .tet_count = 6 * cells[0] * cells[1] * cells[2]};
    block.positions = malloc((size_t)block.particle_count * 3 * sizeof *block.positions);
    block.tets = malloc((size_t)block.tet_count * 4 * sizeof *block.tets);
    assert_non_null(block.positions);
    assert_non_null(block.tets);
    uint32_t *tet = block.tets;
    for (uint32_t i = 0; i < block.particle_count; i++) {
        const uint32_t at[3] = {i % n[0], i / n[0] % n[1], i / (n[0] * n[1])};
        for (int axis = 0; axis < 3; axis++) {
            block.positions[3 * (size_t)i + (uint32_t)axis] = origin[axis] + at[axis] * spacing;
        }
        bool cell = at[0] < cells[0] && at[1] < cells[1] && at[2] < cells[2];
        for (int p = 0; cell && p < 6; p++, tet += 4) {
            tet[0] = i;
            tet[1] = tet[0] + stride[paths[p][0]];
            tet[2] = tet[1] + stride[paths[p][1]];
            tet[3] = tet[2] + stride[paths[p][2]];
            if (p >= 3) { // an odd order of axes turns it over
                uint32_t swap = tet[1];
                tet[1] = tet[2];
                tet[2] = swap;
            }
        }
    }
    return block;
}

void scene_block_deinit(struct scene_block *block)
{
    free(block->positions);
    free(block->tets);
}

struct sim_body_desc scene_soft(const struct scene_block *block)
{
    return (struct sim_body_desc){
        .kind = SIM_SOFT,
        .particle_count = block->particle_count,
        .positions = block->positions,
        .tets = block->tets,
        .tet_count = block->tet_count,
        .stretch = {.stiffness = -1},
        .volume = {.stiffness = -1},
        .thickness = 0.005,
    };
}

struct sim_body_desc scene_points(const double *positions, uint32_t count, const double *masses)
{
    return (struct sim_body_desc){
        .kind = SIM_POINTS,
        .particle_count = count,
        .positions = positions,
        .masses = masses,
        .stretch = {.stiffness = -1},
    };
}

struct sim_body_desc scene_rope(const double *positions, uint32_t count, const uint32_t *edges,
                                uint32_t edge_count, const double *masses)
{
    struct sim_body_desc desc = scene_points(positions, count, masses);
    desc.kind = SIM_ROPE;
    desc.edges = edges;
    desc.edge_count = edge_count;
    return desc;
}

struct sim_body_desc scene_cloth(const struct scene_mesh *mesh)
{
    return (struct sim_body_desc){
        .kind = SIM_CLOTH,
        .particle_count = mesh->particle_count,
        .positions = mesh->positions,
        .triangles = mesh->triangles,
        .triangle_count = mesh->triangle_count,
        .stretch = {.stiffness = -1},
        .thickness = 0.005,
    };
}

struct sim_body_added scene_add_all(struct sim *sim, const struct sim_body_desc *desc)
{
    struct fault fault = {0};
    const struct sim_settings *settings = sim_settings_of(sim);
    struct sim_body_plan *plan =
        sim_body_prepare(desc, settings->resolution, settings->extent, &scene_limits, &fault);
    if (plan == NULL) {
        fail_msg("%s: %s", fault.field, fault.text);
    }
    struct sim_body_added added = {0};
    assert_int_equal(sim_body_attach(sim, plan, &added, &fault), FAULT_NONE);
    return added;
}

uint32_t scene_add(struct sim *sim, const struct sim_body_desc *desc)
{
    return scene_add_all(sim, desc).body;
}

uint32_t scene_link(struct sim *sim, uint32_t body, uint32_t a, uint32_t b, double rest, double compliance,
                    double damping)
{
    uint32_t bodies[2] = {body, body}, particles[2] = {a, b}, id = 0;
    struct fault fault = {0};
    if (sim_constraints_add(
            sim, SIM_DISTANCE, 1, bodies, particles,
            &(struct sim_constraint_values){.rest = &rest, .compliance = &compliance, .damping = &damping},
            &id, &fault) != FAULT_NONE) {
        fail_msg("%s: %s", fault.field, fault.text);
    }
    return id;
}

static uint32_t add_collider(struct sim *sim, const struct sim_collider *collider)
{
    struct fault fault = {0};
    uint32_t id = 0;
    if (sim_collider_add(sim, collider, &id, &fault) != FAULT_NONE) {
        fail_msg("%s: %s", fault.field, fault.text);
    }
    return id;
}

uint32_t scene_plane(struct sim *sim, const double position[3], const double normal[3], double friction)
{
    struct sim_collider plane = {.kind = SIM_PLANE, .friction = friction};
    for (int axis = 0; axis < 3; axis++) {
        plane.position[axis] = position[axis];
        plane.normal[axis] = normal[axis];
    }
    return add_collider(sim, &plane);
}

uint32_t scene_sphere(struct sim *sim, const double center[3], double radius, double friction)
{
    struct sim_collider sphere = {.kind = SIM_SPHERE, .radius = radius, .friction = friction};
    for (int axis = 0; axis < 3; axis++) {
        sphere.position[axis] = center[axis];
    }
    return add_collider(sim, &sphere);
}

static int by_place(const void *left, const void *right)
{
    const struct sim_constraint *a = left, *b = right;
    if (a->tile_color != b->tile_color) {
        return a->tile_color < b->tile_color ? -1 : 1;
    }
    return a->tile != b->tile ? (a->tile < b->tile ? -1 : 1) : (a->color > b->color) - (a->color < b->color);
}

uint32_t scene_listed(const struct sim *sim, enum sim_kind kind, struct sim_constraint list[64])
{
    uint32_t count = 0;
    for (uint32_t id = 0; count < 64 && sim_constraint_next(sim, kind, id, &list[count]); count++) {
        id = list[count].id;
    }
    qsort(list, count, sizeof *list, by_place);
    return count;
}

void scene_run(struct sim *sim, uint32_t ticks)
{
    for (uint32_t t = 0; t < ticks; t++) {
        struct sim_failure failure;
        sim_step(sim, NULL, NULL, &failure);
        if (failure.failed) {
            fail_msg("tick %u: %s", t, failure.text);
        }
    }
}

void scene_position(const struct sim *sim, uint32_t body, uint32_t particle, double out[3])
{
    sim_body_positions64(sim, body, particle, 1, out);
}

void scene_velocity(const struct sim *sim, uint32_t body, uint32_t particle, float out[3])
{
    sim_body_velocities(sim, body, particle, 1, out);
}

double scene_strain(const struct sim *sim)
{
    double worst = 0;
    struct sim_constraint edge = {.id = 0};
    while (sim_constraint_next(sim, SIM_DISTANCE, edge.id, &edge)) {
        double a[3], b[3], sum = 0;
        scene_position(sim, edge.bodies[0], edge.particles[0], a);
        scene_position(sim, edge.bodies[1], edge.particles[1], b);
        for (int axis = 0; axis < 3; axis++) {
            sum += (a[axis] - b[axis]) * (a[axis] - b[axis]);
        }
        worst = fmax(worst, sqrt(sum) / edge.rest - 1);
    }
    return worst;
}

void scene_near(double actual, double expected, double tolerance, const char *what, const char *file,
                int line)
{
    double difference = actual - expected;
    if (!(difference <= tolerance && difference >= -tolerance)) {
        print_error("%s is %.12g, expected %.12g: off by %.3g, allowed %.3g\n", what, actual, expected,
                    difference, tolerance);
        _fail(file, line);
    }
}

uint64_t scene_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(0x2545f4914f6cdd1d);
}

double scene_uniform(uint64_t *state)
{
    return (double)(scene_random(state) >> 11) / 9007199254740992.0;
}
