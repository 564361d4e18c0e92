// Bodies from meshes: edges, rest lengths, masses, warnings, order; what holds of them while they move.
#include "helper_scene.h"
#include "sim/body/mesh.h"
#include "sim/body/plan.h"
#include "sim/ground/ground.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double origin[3] = {0, 0, 0};

static struct sim_body_plan *prepare(const struct sim_body_desc *desc, struct fault *fault)
{
    return sim_body_prepare(desc, SCENE_Q, 1e6, &scene_limits, fault);
}

// ---------------------------------------------------------------------------------------------------- edges

static void a_grid_has_each_edge_once_with_its_rest_length(void **state)
{
    (void)state;
    struct scene_mesh mesh = scene_grid(7, 5, 0.25, origin);
    struct sim *sim = scene_create(scene_settings());
    struct sim_body_desc desc = scene_cloth(&mesh);
    struct sim_body_added added = scene_add_all(sim, &desc);
    uint32_t expected = 6 * 5 + 7 * 4 + 6 * 4; // Euler: along, across, diagonals
    assert_int_equal(added.constraint_count[SIM_DISTANCE], expected);
    assert_int_equal(added.constraint_first[SIM_DISTANCE], 1);
    uint8_t seen[35][35] = {{0}};
    for (uint32_t id = 1; id <= expected; id++) {
        struct sim_constraint c;
        assert_true(sim_constraint_get(sim, id, &c));
        assert_int_equal(c.bodies[0], added.body);
        assert_int_equal(c.bodies[1], added.body);
        uint32_t a = c.particles[0], b = c.particles[1];
        assert_int_equal(seen[a][b], 0);
        seen[a][b] = seen[b][a] = 1;
        double d[3];
        for (int axis = 0; axis < 3; axis++) {
            d[axis] = mesh.positions[3 * a + axis] - mesh.positions[3 * b + axis];
        }
        assert_near(c.rest, sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), 3e-8);
    }
    // In the order in which they first appear in the elements.
    uint32_t id = 1;
    uint8_t named[35][35] = {{0}};
    for (uint32_t t = 0; t < mesh.triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            uint32_t a = mesh.triangles[3 * t + k], b = mesh.triangles[3 * t + (k + 1) % 3];
            if (!named[a][b]) {
                struct sim_constraint c;
                assert_true(sim_constraint_get(sim, id++, &c));
                assert_true((c.particles[0] == a && c.particles[1] == b) ||
                            (c.particles[0] == b && c.particles[1] == a));
                named[a][b] = named[b][a] = 1;
            }
        }
    }
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
}

static int compare_pairs(const void *a, const void *b)
{
    return memcmp(a, b, 2 * sizeof(uint32_t));
}

static void edges_are_the_same_whatever_the_winding(void **state)
{
    (void)state;
    struct scene_mesh mesh = scene_grid(20, 20, 0.1, origin);
    uint64_t seed = 9;
    uint32_t *sets[2], counts[2];
    for (int turned = 0; turned < 2; turned++) {
        for (uint32_t t = 0; turned && t < mesh.triangle_count; t++) {
            uint32_t *corner = mesh.triangles + 3 * t, first = corner[0];
            if (scene_random(&seed) % 2) { // flipped
                corner[0] = corner[1];
                corner[1] = first;
            }
            for (uint64_t turns = scene_random(&seed) % 3; turns > 0; turns--) {
                first = corner[0];
                corner[0] = corner[1];
                corner[1] = corner[2];
                corner[2] = first;
            }
        }
        assert_true(sim_mesh_edges(mesh.triangles, 3, mesh.triangle_count, mesh.particle_count, &sets[turned],
                                   &counts[turned]));
        for (uint32_t e = 0; e < counts[turned]; e++) {
            uint32_t *pair = sets[turned] + 2 * e;
            if (pair[0] > pair[1]) {
                uint32_t swap = pair[0];
                pair[0] = pair[1];
                pair[1] = swap;
            }
        }
        qsort(sets[turned], counts[turned], 2 * sizeof(uint32_t), compare_pairs);
    }
    assert_int_equal(counts[0], counts[1]);
    assert_memory_equal(sets[0], sets[1], counts[0] * 2 * sizeof(uint32_t));
    free(sets[0]);
    free(sets[1]);
    scene_mesh_deinit(&mesh);
}

// A triangle turned over names its edges in another order; where that leaves the list of new edges as it is,
// nothing that moves may change.
static void a_triangle_turned_over_moves_the_same(void **state)
{
    (void)state;
    double after[2][12];
    for (int flipped = 0; flipped < 2; flipped++) {
        const double positions[12] = {0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1};
        // Either way 13 comes before 23 among the new edges, each named from its other end.
        const uint32_t plain[6] = {0, 1, 2, 1, 3, 2}, turned[6] = {0, 1, 2, 3, 1, 2};
        struct sim *sim = scene_create(scene_settings());
        struct sim_body_desc desc = scene_points(positions, 4, NULL);
        const uint32_t pin = 0;
        desc.kind = SIM_CLOTH;
        desc.triangles = flipped ? turned : plain;
        desc.triangle_count = 2;
        desc.pins = &pin;
        desc.pin_count = 1;
        uint32_t body = scene_add(sim, &desc);
        scene_run(sim, 30);
        sim_body_positions64(sim, body, 0, 4, after[flipped]);
        sim_destroy(sim);
    }
    assert_memory_equal(after[0], after[1], sizeof after[0]);
    assert_true(after[0][10] < -0.1);
}

// ----------------------------------------------------------------------------------------------------- mass

static void masses_add_up_to_density_times_area(void **state)
{
    (void)state;
    struct scene_mesh mesh = scene_grid(11, 6, 0.1, origin);
    struct sim *sim = scene_create(scene_settings());
    struct sim_body_desc desc = scene_cloth(&mesh);
    desc.density = 0.7;
    uint32_t body = scene_add(sim, &desc);
    double *masses = malloc(mesh.particle_count * sizeof *masses), sum = 0;
    uint32_t *triangles_at = calloc(mesh.particle_count, sizeof *triangles_at);
    sim_body_masses(sim, body, masses);
    for (uint32_t t = 0; t < 3 * mesh.triangle_count; t++) {
        triangles_at[mesh.triangles[t]]++;
    }
    for (uint32_t i = 0; i < mesh.particle_count; i++) {
        sum += masses[i];
        // All triangles are alike: a vertex weighs as many thirds as it has triangles.
        assert_near(masses[i], triangles_at[i] * 0.7 * 0.005 / 3, 1e-9);
    }
    assert_near(sum, 0.7 * 1.0 * 0.5, 1e-7);
    float w[66];
    sim_body_inverse_masses(sim, body, 0, 66, w);
    for (uint32_t i = 0; i < 66; i++) {
        assert_near(w[i] * masses[i], 1, 1e-6);
    }
    free(masses);
    free(triangles_at);
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
}

static void a_rope_weighs_its_length_and_points_weigh_the_same_each(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    const double positions[9] = {0, 0, 0, 1, 0, 0, 1, 3, 0};
    const uint32_t edges[4] = {0, 1, 1, 2};
    double masses[3];
    struct sim_body_desc desc = scene_rope(positions, 3, edges, 2, NULL);
    desc.density = 0.5;
    sim_body_masses(sim, scene_add(sim, &desc), masses);
    assert_near(masses[0], 0.25, 1e-7);
    assert_near(masses[1], 1, 1e-7);
    assert_near(masses[2], 0.75, 1e-7);
    desc.density = 0;
    sim_body_masses(sim, scene_add(sim, &desc), masses);
    assert_near(masses[0], 0.05, 1e-7);
    desc = scene_points(positions, 3, NULL);
    sim_body_masses(sim, scene_add(sim, &desc), masses);
    assert_near(masses[2], 0.01, 1e-8);
    desc.density = 4;
    sim_body_masses(sim, scene_add(sim, &desc), masses);
    assert_near(masses[0], 4, 1e-6);
    sim_destroy(sim);
}

static void given_masses_win_and_zero_is_static(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    const double positions[9] = {0, 0, 0, 1, 0, 0, 2, 0, 0}, given[3] = {0, 2, 0.5};
    const uint32_t edges[4] = {0, 1, 1, 2};
    struct sim_body_desc desc = scene_rope(positions, 3, edges, 2, given);
    desc.density = 77;
    uint32_t body = scene_add(sim, &desc);
    double masses[3], x[3];
    sim_body_masses(sim, body, masses);
    for (int i = 0; i < 3; i++) {
        assert_near(masses[i], given[i], 1e-7);
    }
    scene_run(sim, 60);
    scene_position(sim, body, 0, x);
    assert_true(x[0] == 0 && x[1] == 0 && x[2] == 0);
    scene_position(sim, body, 2, x);
    assert_true(x[1] < -0.5);
    sim_destroy(sim);
}

static void a_pinned_particle_keeps_its_mass(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    const double positions[6] = {0, 0, 0, 1, 0, 0}, given[2] = {3, 2};
    const uint32_t pins[2] = {1, 1};
    struct sim_body_desc desc = scene_points(positions, 2, given);
    desc.pins = pins;
    desc.pin_count = 2;
    uint32_t body = scene_add(sim, &desc), held[1];
    struct sim_body_info info;
    assert_true(sim_body_info(sim, body, &info));
    assert_int_equal(info.pin_count, 1);
    sim_body_pins(sim, body, held);
    assert_int_equal(held[0], 1);
    double masses[2];
    sim_body_masses(sim, body, masses);
    assert_near(masses[1], 2, 1e-6);
    float w[2];
    sim_body_inverse_masses(sim, body, 0, 2, w);
    assert_true(w[1] == 0);
    struct fault fault;
    assert_int_equal(sim_particles_unpin(sim, body, pins, 1, &fault), FAULT_NONE);
    sim_body_inverse_masses(sim, body, 0, 2, w);
    assert_near(w[1], 0.5, 1e-7);
    sim_destroy(sim);
}

// ------------------------------------------------------------------------------------------------- warnings

static void odd_meshes_are_accepted_reported_and_do_no_harm(void **state)
{
    (void)state;
    // 3 lies on 0; 4 on 1; triangle (0, 3, 1) has no area and its edge 03 no length; 5 belongs to nothing.
    const double positions[18] = {0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 1, 0, 1, 1, 0, 7, 1, 7};
    const uint32_t triangles[9] = {0, 1, 2, 0, 3, 1, 4, 2, 1};
    struct sim_body_desc desc = scene_points(positions, 6, NULL);
    desc.kind = SIM_CLOTH;
    desc.triangles = triangles;
    desc.triangle_count = 3;
    struct fault fault = {0};
    struct sim_body_plan *plan = prepare(&desc, &fault);
    assert_non_null(plan);
    const struct sim_warning *warnings;
    uint32_t count = sim_body_plan_warnings(plan, &warnings), seen = 0;
    for (uint32_t i = 0; i < count; i++) {
        seen |= 1u << warnings[i].code;
        assert_true(strlen(warnings[i].text) > 10);
        switch (warnings[i].code) {
        case SIM_COINCIDENT:
            assert_int_equal(warnings[i].count, 2);
            assert_int_equal(warnings[i].elements[0], 3);
            assert_int_equal(warnings[i].elements[1], 4);
            break;
        case SIM_ZERO_AREA:
            assert_int_equal(warnings[i].count, 2);
            assert_int_equal(warnings[i].elements[0], 1);
            assert_int_equal(warnings[i].elements[1], 2);
            break;
        case SIM_ZERO_LENGTH:
            assert_int_equal(warnings[i].count, 2); // 03 and 14
            break;
        case SIM_ISOLATED:
            assert_int_equal(warnings[i].count, 1);
            assert_int_equal(warnings[i].elements[0], 5);
            break;
        case SIM_LIGHT:
            assert_int_equal(warnings[i].count, 2);
            assert_int_equal(warnings[i].elements[0], 3);
            break;
        default:
            fail();
        }
    }
    assert_int_equal(seen, 15 | 1U << SIM_LIGHT);
    struct sim *sim = scene_create(scene_settings());
    struct sim_body_added added;
    assert_int_equal(sim_body_attach(sim, plan, &added, &fault), FAULT_NONE);
    const double floor_at[3] = {0, 0, 0}, up[3] = {0, 1, 0};
    scene_plane(sim, floor_at, up, 0.5);
    scene_run(sim, 300);
    double x[18];
    sim_body_positions64(sim, added.body, 0, 6, x);
    for (int k = 0; k < 18; k++) {
        assert_true(isfinite(x[k]) && fabs(x[k]) < 10);
    }
    sim_destroy(sim);
}

static void coincident_particles_that_are_joined_fall_together(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    const double positions[6] = {1, 2, 3, 1, 2, 3}, masses[2] = {1, 1}, longer = 0.5;
    const uint32_t edge[2] = {0, 1};
    struct sim_body_desc desc = scene_rope(positions, 2, edge, 1, masses);
    struct sim_body_added added = scene_add_all(sim, &desc);
    scene_run(sim, 60);
    double x[6];
    sim_body_positions64(sim, added.body, 0, 2, x);
    assert_memory_equal(x, x + 3, 3 * sizeof *x);
    assert_true(x[0] == 1 && x[2] == 3 && x[1] < -2);
    // Nor does a rest length that they cannot take up, for want of a direction.
    struct fault fault;
    assert_int_equal(sim_constraints_set(sim, &added.constraint_first[0], 1,
                                         &(struct sim_constraint_values){.rest = &longer}, &fault),
                     FAULT_NONE);
    scene_run(sim, 10);
    sim_body_positions64(sim, added.body, 0, 2, x);
    assert_memory_equal(x, x + 3, 3 * sizeof *x);
    sim_destroy(sim);
}

static void a_sound_mesh_has_no_warnings(void **state)
{
    (void)state;
    struct scene_mesh mesh = scene_grid(9, 9, 0.1, origin);
    struct sim_body_desc desc = scene_cloth(&mesh);
    struct fault fault;
    struct sim_body_plan *plan = prepare(&desc, &fault);
    const struct sim_warning *warnings;
    assert_int_equal(sim_body_plan_warnings(plan, &warnings), 0);
    sim_body_plan_destroy(plan);
    scene_mesh_deinit(&mesh);
}

// -------------------------------------------------------------------------------------- order and momentum

static void the_order_in_memory_is_a_bijection(void **state)
{
    (void)state;
    uint64_t seed = 21;
    const uint32_t counts[] = {1, 2, 3, 1000, 20011};
    for (int i = 0; i < 5; i++) {
        uint32_t count = counts[i];
        int64_t(*x)[3] = malloc(count * sizeof *x);
        uint32_t *row_of = malloc(count * sizeof *row_of), *index_of = malloc(count * sizeof *index_of);
        for (uint32_t p = 0; p < count; p++) {
            for (int axis = 0; axis < 3; axis++) {
                x[p][axis] =
                    (int64_t)(scene_random(&seed) % (i == 3 ? 5 : UINT64_C(1) << 58)) - (INT64_C(1) << 57);
            }
        }
        assert_true(sim_order((const int64_t(*)[3])x, count, row_of, index_of));
        for (uint32_t p = 0; p < count; p++) {
            assert_true(row_of[p] < count);
            assert_int_equal(index_of[row_of[p]], p);
        }
        free(x);
        free(row_of);
        free(index_of);
    }
}

static void neighbours_in_memory_are_neighbours_in_space(void **state)
{
    (void)state;
    uint64_t seed = 23;
    enum { SIDE = 64, COUNT = SIDE * SIDE };
    static int64_t x[COUNT][3];
    static uint32_t row_of[COUNT], index_of[COUNT], shuffled[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t j = (uint32_t)(scene_random(&seed) % (i + 1));
        shuffled[i] = shuffled[j];
        shuffled[j] = i;
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        x[i][0] = shuffled[i] % SIDE;
        x[i][2] = shuffled[i] / SIDE;
    }
    assert_true(sim_order((const int64_t(*)[3])x, COUNT, row_of, index_of));
    double way = 0;
    for (uint32_t row = 1; row < COUNT; row++) {
        const int64_t *a = x[index_of[row - 1]], *b = x[index_of[row]];
        way += hypot((double)(a[0] - b[0]), (double)(a[2] - b[2]));
    }
    assert_true(way / COUNT < 1.5); // a random order would give 33
}

// The wire's index keeps its meaning whatever the order in memory: the same cloth, shuffled.
static void a_shuffled_mesh_moves_like_the_plain_one(void **state)
{
    (void)state;
    enum { SIDE = 12, COUNT = SIDE * SIDE };
    struct scene_mesh mesh = scene_grid(SIDE, SIDE, 0.1, origin);
    uint64_t seed = 31;
    uint32_t place[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t j = (uint32_t)(scene_random(&seed) % (i + 1));
        place[i] = place[j];
        place[j] = i;
    }
    double plain[3 * COUNT], other[3 * COUNT];
    for (int shuffled = 0; shuffled < 2; shuffled++) {
        double moved[3 * COUNT];
        uint32_t pins[2] = {0, SIDE - 1};
        for (uint32_t i = 0; shuffled && i < COUNT; i++) {
            memcpy(moved + 3 * place[i], mesh.positions + 3 * i, 3 * sizeof *moved);
        }
        for (uint32_t t = 0; shuffled && t < 3 * mesh.triangle_count; t++) {
            mesh.triangles[t] = place[mesh.triangles[t]];
        }
        struct sim_body_desc desc = scene_cloth(&mesh);
        if (shuffled) {
            desc.positions = moved;
            pins[0] = place[pins[0]];
            pins[1] = place[pins[1]];
        }
        desc.pins = pins;
        desc.pin_count = 2;
        desc.stretch.compliance = 1e-5;
        struct sim *sim = scene_create(scene_settings());
        uint32_t body = scene_add(sim, &desc);
        double x[3 * COUNT];
        sim_body_positions64(sim, body, 0, COUNT, x);
        for (uint32_t k = 0; k < 3 * COUNT; k++) {
            assert_near(x[k], desc.positions[k], SCENE_Q);
        }
        scene_run(sim, 20);
        sim_body_positions64(sim, body, 0, COUNT, shuffled ? other : plain);
        sim_destroy(sim);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        for (int axis = 0; axis < 3; axis++) {
            // All particles stand in the same places of memory, since the order is that of space alone.
            assert_true(plain[3 * i + axis] == other[3 * place[i] + axis]);
        }
    }
    scene_mesh_deinit(&mesh);
}

static void momentum_is_kept_to_rounding_without_external_forces(void **state)
{
    (void)state;
    enum { SIDE = 16, COUNT = SIDE * SIDE };
    for (uint32_t iterations = 1; iterations <= 3; iterations += 2) {
        struct sim_settings settings = scene_settings();
        settings.gravity[1] = 0;
        settings.iterations = iterations;
        struct sim *sim = scene_create(settings);
        struct scene_mesh mesh = scene_grid(SIDE, SIDE, 0.1, origin);
        uint64_t seed = 41;
        float velocities[3 * COUNT];
        double given[COUNT], before[3] = {0}, after[3] = {0}, center[3] = {0}, later[3] = {0}, total = 0;
        for (uint32_t i = 0; i < COUNT; i++) {
            given[i] = 0.01 * (1 + scene_uniform(&seed));
            for (int axis = 0; axis < 3; axis++) {
                velocities[3 * i + axis] = (float)(scene_uniform(&seed) - 0.3);
                mesh.positions[3 * i + axis] += 0.02 * scene_uniform(&seed);
            }
        }
        struct sim_body_desc desc = scene_cloth(&mesh);
        desc.velocities = velocities;
        desc.masses = given;
        desc.stretch.compliance = 1e-6;
        desc.stretch.damping = 1;
        uint32_t body = scene_add(sim, &desc);
        double masses[COUNT], x[3 * COUNT];
        float v[3 * COUNT];
        sim_body_masses(sim, body, masses);
        for (int when = 0; when < 2; when++) {
            sim_body_positions64(sim, body, 0, COUNT, x);
            sim_body_velocities(sim, body, 0, COUNT, v);
            for (uint32_t k = 0; k < 3 * COUNT; k++) {
                (when ? after : before)[k % 3] += masses[k / 3] * (double)v[k];
                (when ? later : center)[k % 3] += masses[k / 3] * x[k];
                total += when || k % 3 ? 0 : masses[k / 3];
            }
            if (when == 0) {
                scene_run(sim, 120);
            }
        }
        for (int axis = 0; axis < 3; axis++) {
            // 3.5 million roundings of at most half a quantum, as a random walk: 1e-5 m/s.
            assert_near(after[axis] / total, before[axis] / total, 4e-5);
            assert_near((later[axis] - center[axis]) / total, 2 * before[axis] / total, 4e-5);
        }
        scene_mesh_deinit(&mesh);
        sim_destroy(sim);
    }
}

static void particles_without_inverse_mass_keep_their_bits(void **state)
{
    (void)state;
    enum { SIDE = 10, COUNT = SIDE * SIDE };
    struct sim *sim = scene_create(scene_settings());
    const double place[3] = {0.123456789, 3, -5.4321};
    struct scene_mesh mesh = scene_grid(SIDE, SIDE, 0.1, place);
    double masses[COUNT], before[3 * COUNT], after[3 * COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        masses[i] = i % 7 == 0 ? 0 : 0.01;
    }
    const uint32_t pins[3] = {1, 50, 99};
    struct sim_body_desc desc = scene_cloth(&mesh);
    desc.masses = masses;
    desc.pins = pins;
    desc.pin_count = 3;
    uint32_t body = scene_add(sim, &desc);
    scene_sphere(sim, place, 0.5, 0.5);
    sim_body_positions64(sim, body, 0, COUNT, before);
    scene_run(sim, 100);
    sim_body_positions64(sim, body, 0, COUNT, after);
    for (uint32_t i = 0; i < COUNT; i++) {
        bool held = masses[i] == 0 || i == 1 || i == 50 || i == 99;
        bool same = memcmp(before + 3 * i, after + 3 * i, 3 * sizeof *before) == 0;
        assert_true(same == held);
    }
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
}

static void normals_are_unit_and_zero_without_triangles(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    struct scene_mesh mesh = scene_grid(5, 5, 0.1, origin);
    struct sim_body_desc desc = scene_cloth(&mesh);
    float normals[75];
    sim_body_normals(sim, scene_add(sim, &desc), normals);
    for (int i = 0; i < 25; i++) {
        assert_near(normals[3 * i], 0, 1e-6);
        assert_near(normals[3 * i + 1], 1, 1e-6);
        assert_near(normals[3 * i + 2], 0, 1e-6);
    }
    desc = scene_points(mesh.positions, 25, NULL);
    sim_body_normals(sim, scene_add(sim, &desc), normals);
    for (int k = 0; k < 75; k++) {
        assert_true(normals[k] == 0);
    }
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grid_has_each_edge_once_with_its_rest_length),
        cmocka_unit_test(edges_are_the_same_whatever_the_winding),
        cmocka_unit_test(a_triangle_turned_over_moves_the_same),
        cmocka_unit_test(masses_add_up_to_density_times_area),
        cmocka_unit_test(a_rope_weighs_its_length_and_points_weigh_the_same_each),
        cmocka_unit_test(given_masses_win_and_zero_is_static),
        cmocka_unit_test(a_pinned_particle_keeps_its_mass),
        cmocka_unit_test(odd_meshes_are_accepted_reported_and_do_no_harm),
        cmocka_unit_test(coincident_particles_that_are_joined_fall_together),
        cmocka_unit_test(a_sound_mesh_has_no_warnings),
        cmocka_unit_test(the_order_in_memory_is_a_bijection),
        cmocka_unit_test(neighbours_in_memory_are_neighbours_in_space),
        cmocka_unit_test(a_shuffled_mesh_moves_like_the_plain_one),
        cmocka_unit_test(momentum_is_kept_to_rounding_without_external_forces),
        cmocka_unit_test(particles_without_inverse_mass_keep_their_bits),
        cmocka_unit_test(normals_are_unit_and_zero_without_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
