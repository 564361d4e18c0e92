// Trouble in meshes, and the welding of vertices: what is reported under which name, and what becomes of it.
#include "helper_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct sim_body_plan *prepare(const struct sim_body_desc *desc)
{
    struct fault fault = {0};
    struct sim_body_plan *plan = sim_body_prepare(desc, SCENE_Q, 1e6, &scene_limits, &fault);
    if (plan == NULL) {
        fail_msg("%s: %s", fault.field, fault.text);
    }
    return plan;
}

static const struct sim_warning *warning_of(const struct sim_body_plan *plan, enum sim_warning_code code)
{
    const struct sim_warning *warnings;
    uint32_t count = sim_body_plan_warnings(plan, &warnings);
    for (uint32_t i = 0; i < count; i++) {
        if (warnings[i].code == code) {
            assert_true(strlen(warnings[i].text) > 10);
            return &warnings[i];
        }
    }
    return NULL;
}

static void assert_warning(const struct sim_body_plan *plan, enum sim_warning_code code, uint32_t count,
                           const uint32_t *elements)
{
    const struct sim_warning *warning = warning_of(plan, code);
    assert_non_null(warning);
    assert_int_equal(warning->count, count);
    for (uint32_t i = 0; i < count && i < SIM_WARNING_ELEMENTS; i++) {
        assert_int_equal(warning->elements[i], elements[i]);
    }
}

static uint32_t warning_count(const struct sim_body_plan *plan)
{
    const struct sim_warning *warnings;
    return sim_body_plan_warnings(plan, &warnings);
}

static struct sim_body_desc mesh_of(enum sim_body_kind kind, const double *positions, uint32_t count,
                                    const uint32_t *elements, uint32_t element_count)
{
    struct sim_body_desc desc = scene_points(positions, count, NULL);
    desc.kind = kind;
    desc.bend.stiffness = desc.volume.stiffness = -1;
    desc.bend_model = SIM_BEND_DEFAULT;
    if (kind == SIM_CLOTH) {
        desc.triangles = elements;
        desc.triangle_count = element_count;
    } else if (kind == SIM_ROPE) {
        desc.edges = elements;
        desc.edge_count = element_count;
    } else if (kind == SIM_SOFT) {
        desc.tets = elements;
        desc.tet_count = element_count;
    }
    return desc;
}

static struct sim_body_added attach(struct sim *sim, struct sim_body_plan *plan)
{
    struct sim_body_added added;
    struct fault fault;
    assert_int_equal(sim_body_attach(sim, plan, &added, &fault), FAULT_NONE);
    return added;
}

// ------------------------------------------------------------------------------------------------- warnings

static const double square[15] = {0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0.5, 1, 0.5};

static void elements_that_stand_again_count_once_whatever_their_winding(void **state)
{
    (void)state;
    const uint32_t once[6] = {0, 1, 2, 0, 2, 3}, again[15] = {0, 1, 2, 2, 0, 1, 0, 2, 3, 3, 2, 0, 1, 0, 2};
    double masses[2][4], x[2][12];
    for (int i = 0; i < 2; i++) {
        struct sim_body_desc desc = mesh_of(SIM_CLOTH, square, 4, i ? again : once, i ? 5 : 2);
        struct sim_body_plan *plan = prepare(&desc);
        if (i == 0) {
            assert_int_equal(warning_count(plan), 0);
        } else {
            assert_int_equal(warning_count(plan), 1);
            assert_warning(plan, SIM_DUPLICATE, 3, (const uint32_t[]){1, 3, 4});
        }
        struct sim *sim = scene_create(scene_settings());
        struct sim_body_added added = attach(sim, plan);
        assert_int_equal(added.constraint_count[SIM_DISTANCE], 5);
        assert_int_equal(added.constraint_count[SIM_QUADRATIC], 1);
        sim_body_masses(sim, added.body, masses[i]);
        scene_run(sim, 20);
        sim_body_positions64(sim, added.body, 0, 4, x[i]);
        sim_destroy(sim);
    }
    assert_memory_equal(masses[0], masses[1], sizeof masses[0]);
    assert_memory_equal(x[0], x[1], sizeof x[0]);
    const uint32_t edges[6] = {0, 1, 1, 2, 1, 0};
    struct sim_body_desc rope = mesh_of(SIM_ROPE, square, 3, edges, 3);
    struct sim_body_plan *plan = prepare(&rope);
    assert_warning(plan, SIM_DUPLICATE, 1, (const uint32_t[]){2});
    sim_body_plan_destroy(plan);
}

static void an_edge_of_three_triangles_does_not_bend_and_is_named_by_its_first_as_given(void **state)
{
    (void)state;
    // The first triangle stands twice, so that the list that is left is not the caller's. Edge 02 has three.
    const uint32_t triangles[15] = {0, 1, 3, 1, 3, 0, 0, 2, 1, 0, 2, 3, 0, 2, 4};
    struct sim_body_desc desc = mesh_of(SIM_CLOTH, square, 5, triangles, 5);
    struct sim_body_plan *plan = prepare(&desc);
    assert_warning(plan, SIM_NONMANIFOLD, 1, (const uint32_t[]){2});
    assert_warning(plan, SIM_DUPLICATE, 1, (const uint32_t[]){1});
    struct sim *sim = scene_create(scene_settings());
    struct sim_body_added added = attach(sim, plan);
    struct sim_body_info info;
    assert_true(sim_body_info(sim, added.body, &info));
    uint32_t id = 0, bending = 0;
    struct sim_constraint constraint;
    enum sim_kind kind = info.bend_model == SIM_BEND_DIHEDRAL ? SIM_DIHEDRAL : SIM_QUADRATIC;
    while (sim_constraint_next(sim, kind, id, &constraint)) {
        id = constraint.id;
        bending++;
        uint32_t a = constraint.particles[0], b = constraint.particles[1];
        assert_false((a == 0 && b == 2) || (a == 2 && b == 0));
    }
    assert_int_equal(bending, 2); // across 01 and 03
    sim_destroy(sim);
}

static void triangles_without_area_carry_no_mass_and_do_not_bend(void **state)
{
    (void)state;
    const double positions[12] = {0, 0, 0, 1, 0, 0, 0.5, 0, 1, 0.5, 0, 0};
    const uint32_t triangles[6] = {0, 1, 2, 1, 0, 3};
    struct sim_body_desc desc = mesh_of(SIM_CLOTH, positions, 4, triangles, 2);
    struct sim_body_plan *plan = prepare(&desc);
    assert_warning(plan, SIM_ZERO_AREA, 1, (const uint32_t[]){1});
    assert_string_equal(warning_of(plan, SIM_ZERO_AREA)->text,
                        "1 triangle has no area (1); it carries no mass and does not bend");
    assert_warning(plan, SIM_LIGHT, 1, (const uint32_t[]){3});
    struct sim *sim = scene_create(scene_settings());
    struct sim_body_added added = attach(sim, plan);
    for (int kind = SIM_DIHEDRAL; kind <= SIM_QUADRATIC; kind++) {
        assert_int_equal(added.constraint_count[kind], 0);
    }
    scene_run(sim, 60);
    double x[12];
    sim_body_positions64(sim, added.body, 0, 4, x);
    for (int i = 0; i < 4; i++) {
        assert_true(x[3 * i + 1] < -1 && x[3 * i + 1] > -20); // nothing of it stays in the air
    }
    sim_destroy(sim);
}

// A corner that only a sliver has would weigh less than there is; as one of a body that weighs enough it gets the least
// mass and is named. A body that is too light as a whole is refused (test_refusal.c).
static void a_sliver_leaves_its_corner_the_least_mass(void **state)
{
    (void)state;
    const double positions[12] = {0, 0, 0, 1, 0, 0, 0.5, 0, 1, 0.5, 0, -1e-8};
    const uint32_t triangles[6] = {0, 1, 2, 1, 0, 3};
    struct sim_body_desc desc = mesh_of(SIM_CLOTH, positions, 4, triangles, 2);
    struct sim_body_plan *plan = prepare(&desc);
    assert_warning(plan, SIM_LIGHT, 1, (const uint32_t[]){3});
    assert_non_null(strstr(warning_of(plan, SIM_LIGHT)->text, "1 particle would"));
    struct sim *sim = scene_create(scene_settings());
    struct sim_body_added added = attach(sim, plan);
    double masses[4], x[12];
    sim_body_masses(sim, added.body, masses);
    assert_true(fabs(masses[3] - 1e-9) < 1e-15 && masses[0] > 1e-3);
    scene_run(sim, 60);
    sim_body_positions64(sim, added.body, 0, 4, x);
    for (int i = 0; i < 4; i++) {
        assert_true(x[3 * i + 1] < -1 && x[3 * i + 1] > -20); // it falls with the others
    }
    sim_destroy(sim);
}

static void tetrahedra_without_volume_or_inside_out_are_named(void **state)
{
    (void)state;
    const double positions[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1};
    const uint32_t tets[12] = {0, 1, 2, 3, 0, 1, 2, 4, 1, 2, 3, 5}, over[4] = {0, 2, 1, 3};
    struct sim_body_desc desc = mesh_of(SIM_SOFT, positions, 6, tets, 3);
    struct sim_body_plan *plan = prepare(&desc);
    assert_warning(plan, SIM_ZERO_VOLUME, 1, (const uint32_t[]){1});
    assert_null(warning_of(plan, SIM_INVERTED));
    sim_body_plan_destroy(plan);
    desc = mesh_of(SIM_SOFT, positions, 4, over, 1);
    plan = prepare(&desc);
    assert_warning(plan, SIM_INVERTED, 1, (const uint32_t[]){0});
    struct sim *sim = scene_create(scene_settings());
    struct sim_body_added added = attach(sim, plan);
    struct sim_constraint constraint;
    assert_true(sim_constraint_get(sim, added.constraint_first[SIM_VOLUME], &constraint));
    assert_near(constraint.rest, -1.0 / 6, 1e-8); // at rest as it is
    double masses[4];
    sim_body_masses(sim, added.body, masses);
    assert_near(masses[0], 1000.0 / 24, 1e-4);
    // Its normals point outwards all the same.
    float normals[12];
    sim_body_normals(sim, added.body, normals);
    assert_true(normals[0] < 0 && normals[1] < 0 && normals[2] < 0);
    assert_true(normals[3] > 0);
    sim_destroy(sim);
}

static void edges_without_length_and_lonely_particles_are_named(void **state)
{
    (void)state;
    const double positions[15] = {0, 0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 5, 5, 5};
    const uint32_t edges[6] = {2, 3, 0, 1, 1, 2};
    struct sim_body_desc desc = mesh_of(SIM_ROPE, positions, 5, edges, 3);
    struct sim_body_plan *plan = prepare(&desc);
    assert_warning(plan, SIM_ZERO_LENGTH, 1, (const uint32_t[]){1});
    assert_warning(plan, SIM_COINCIDENT, 1, (const uint32_t[]){1});
    assert_warning(plan, SIM_LIGHT, 1, (const uint32_t[]){0}); // it has an edge without length only
    assert_warning(plan, SIM_ISOLATED, 1, (const uint32_t[]){4});
    sim_body_plan_destroy(plan);
}

static void an_element_that_names_a_particle_twice_is_refused(void **state)
{
    (void)state;
    static const uint32_t bad[3][4] = {{0, 1, 1, 0}, {2, 2, 0, 0}, {0, 1, 2, 0}};
    const enum sim_body_kind kinds[3] = {SIM_CLOTH, SIM_ROPE, SIM_SOFT};
    const char *const fields[3] = {"triangles", "edges", "tets"};
    for (int i = 0; i < 3; i++) {
        struct sim_body_desc desc = mesh_of(kinds[i], square, 5, bad[i], 1);
        struct fault fault = {0};
        assert_null(sim_body_prepare(&desc, SCENE_Q, 1e6, &scene_limits, &fault));
        assert_int_equal(fault.code, FAULT_INVALID);
        assert_string_equal(fault.field, fields[i]);
        assert_non_null(strstr(fault.text, "twice"));
    }
}

static void no_more_than_sixteen_elements_are_listed(void **state)
{
    (void)state;
    double positions[3 * 40] = {0};
    for (int i = 0; i < 40; i++) {
        positions[3 * i] = i / 2;
    }
    struct sim_body_desc desc = scene_points(positions, 40, NULL);
    struct sim_body_plan *plan = prepare(&desc);
    const struct sim_warning *warning = warning_of(plan, SIM_COINCIDENT);
    assert_non_null(warning);
    assert_int_equal(warning->count, 20);
    for (uint32_t i = 0; i < SIM_WARNING_ELEMENTS; i++) {
        assert_int_equal(warning->elements[i], 2 * i + 1);
    }
    sim_body_plan_destroy(plan);
}

// -------------------------------------------------------------------------------------------------- welding

// Two squares side by side, each with its own copies of the seam's vertices (1 = 4, 2 = 7).
static const double seam[24] = {0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 2, 0, 0, 2, 0, 1, 1, 0, 1};
static const uint32_t seam_triangles[12] = {0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7};

static void a_seam_of_coincident_vertices_becomes_one_cloth(void **state)
{
    (void)state;
    struct sim_body_desc desc = mesh_of(SIM_CLOTH, seam, 8, seam_triangles, 4);
    struct sim_body_plan *plan = prepare(&desc);
    uint32_t count;
    assert_null(sim_body_plan_welded(plan, &count));
    assert_warning(plan, SIM_COINCIDENT, 2, (const uint32_t[]){4, 7});
    sim_body_plan_destroy(plan);
    const double nothing = 0;
    const uint32_t pins[2] = {0, 7};
    desc.weld = &nothing;
    desc.pins = pins;
    desc.pin_count = 2;
    plan = prepare(&desc);
    assert_int_equal(warning_count(plan), 0);
    const uint32_t *welded = sim_body_plan_welded(plan, &count), expected[8] = {0, 1, 2, 3, 1, 4, 5, 2};
    assert_int_equal(count, 8);
    assert_memory_equal(welded, expected, sizeof expected);
    struct sim *sim = scene_create(scene_settings());
    struct sim_body_added added = attach(sim, plan);
    assert_int_equal(added.constraint_count[SIM_DISTANCE], 9);
    assert_int_equal(added.constraint_count[SIM_QUADRATIC], 3);
    struct sim_body_info info;
    assert_true(sim_body_info(sim, added.body, &info));
    assert_int_equal(info.particle_count, 6);
    const uint32_t triangles[12] = {0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2};
    assert_memory_equal(info.triangles, triangles, sizeof triangles);
    uint32_t held[2];
    assert_int_equal(info.pin_count, 2);
    sim_body_pins(sim, added.body, held);
    assert_int_equal(held[0], 0);
    assert_int_equal(held[1], 2);
    double masses[6], sum = 0;
    sim_body_masses(sim, added.body, masses);
    for (int i = 0; i < 6; i++) {
        sum += masses[i];
    }
    assert_near(sum, 0.2 * 2, 1e-7);
    sim_destroy(sim);
}

static void vertices_within_the_distance_weld_and_others_do_not(void **state)
{
    (void)state;
    // 1 mm apart, at the border of a cell of 2 mm and across it, and 3 mm off.
    const double positions[15] = {0.0019, 0, 0, 0.0021, 0, 0, 0.0029, 0, 0, 0.0079, 0, 0, -0.0001, 0, 0};
    const double distance = 0.002;
    struct sim_body_desc desc = scene_points(positions, 5, NULL);
    desc.weld = &distance;
    struct sim_body_plan *plan = prepare(&desc);
    uint32_t count;
    const uint32_t *welded = sim_body_plan_welded(plan, &count), expected[5] = {0, 0, 0, 1, 0};
    assert_memory_equal(welded, expected, sizeof expected);
    sim_body_plan_destroy(plan);
}

static void masses_velocities_and_static_vertices_weld(void **state)
{
    (void)state;
    const double positions[15] = {0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0}, masses[5] = {1, 0, 2, 5, 7};
    const float velocities[15] = {1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0, 5, 0, 0};
    const double distance = 1e-6;
    struct sim_body_desc desc = scene_points(positions, 5, masses);
    desc.velocities = velocities;
    desc.weld = &distance;
    struct sim *sim = scene_create(scene_settings());
    struct sim_body_added added = attach(sim, prepare(&desc));
    double found[3];
    float v[9];
    sim_body_masses(sim, added.body, found);
    sim_body_velocities(sim, added.body, 0, 3, v);
    assert_near(found[0], 3, 1e-6);
    assert_true(found[1] == 0); // what is static holds what is welded to it
    assert_near(found[2], 7, 1e-6);
    assert_true(v[0] == 1 && v[6] == 5);
    sim_destroy(sim);
}

static void elements_that_welding_collapses_are_left_out_and_named_as_given(void **state)
{
    (void)state;
    const double positions[15] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 0.001, 0, 0, 1, 0, 1}, distance = 0.01;
    const uint32_t triangles[12] = {0, 3, 1, 0, 1, 2, 3, 1, 2, 1, 4, 2};
    struct sim_body_desc desc = mesh_of(SIM_CLOTH, positions, 5, triangles, 4);
    desc.weld = &distance;
    struct sim_body_plan *plan = prepare(&desc);
    assert_warning(plan, SIM_COLLAPSED, 1, (const uint32_t[]){0});
    assert_warning(plan, SIM_DUPLICATE, 1, (const uint32_t[]){2}); // became the same as triangle 1
    struct sim *sim = scene_create(scene_settings());
    struct sim_body_added added = attach(sim, plan);
    assert_int_equal(added.constraint_count[SIM_DISTANCE], 5);
    scene_run(sim, 10);
    sim_destroy(sim);
}

static void a_body_that_collapses_altogether_does_no_harm(void **state)
{
    (void)state;
    const double positions[9] = {0, 0, 0, 0.001, 0, 0, 0, 0, 0.001}, distance = 0.5;
    const uint32_t triangles[3] = {0, 1, 2};
    struct sim_body_desc desc = mesh_of(SIM_CLOTH, positions, 3, triangles, 1);
    desc.weld = &distance;
    struct sim_body_plan *plan = prepare(&desc);
    assert_warning(plan, SIM_COLLAPSED, 1, (const uint32_t[]){0});
    struct sim *sim = scene_create(scene_settings());
    struct sim_body_added added = attach(sim, plan);
    scene_run(sim, 10);
    uint32_t *removed, removed_count;
    struct fault fault;
    assert_int_equal(sim_body_remove(sim, added.body, &removed, &removed_count, &fault), FAULT_NONE);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_that_stand_again_count_once_whatever_their_winding),
        cmocka_unit_test(an_edge_of_three_triangles_does_not_bend_and_is_named_by_its_first_as_given),
        cmocka_unit_test(triangles_without_area_carry_no_mass_and_do_not_bend),
        cmocka_unit_test(a_sliver_leaves_its_corner_the_least_mass),
        cmocka_unit_test(tetrahedra_without_volume_or_inside_out_are_named),
        cmocka_unit_test(edges_without_length_and_lonely_particles_are_named),
        cmocka_unit_test(an_element_that_names_a_particle_twice_is_refused),
        cmocka_unit_test(no_more_than_sixteen_elements_are_listed),
        cmocka_unit_test(a_seam_of_coincident_vertices_becomes_one_cloth),
        cmocka_unit_test(vertices_within_the_distance_weld_and_others_do_not),
        cmocka_unit_test(masses_velocities_and_static_vertices_weld),
        cmocka_unit_test(elements_that_welding_collapses_are_left_out_and_named_as_given),
        cmocka_unit_test(a_body_that_collapses_altogether_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
