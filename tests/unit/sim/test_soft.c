// Bodies of tetrahedra, and which bending a cloth gets.
#include "helper_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double origin[3] = {0, 0, 0};
static struct fault fault;

static double volume_of(const double *x, const uint32_t *tet)
{
    double d[3][3];
    for (int k = 0; k < 9; k++) {
        d[k / 3][k % 3] = x[3 * tet[k / 3 + 1] + (uint32_t)(k % 3)] - x[3 * tet[0] + (uint32_t)(k % 3)];
    }
    return (d[2][0] * (d[0][1] * d[1][2] - d[0][2] * d[1][1]) +
            d[2][1] * (d[0][2] * d[1][0] - d[0][0] * d[1][2]) +
            d[2][2] * (d[0][0] * d[1][1] - d[0][1] * d[1][0])) /
           6;
}

static void a_block_has_each_edge_once_and_a_volume_for_each_tetrahedron(void **state)
{
    (void)state;
    struct scene_block block = scene_block((const uint32_t[]){3, 2, 2}, 0.25, origin);
    struct sim_body_desc desc = scene_soft(&block);
    struct sim *sim = scene_create(scene_settings());
    struct sim_body_added added = scene_add_all(sim, &desc);
    // Edges along axes, one diagonal of each face of the grid, one of each cell.
    uint32_t axes = 3 * 3 * 3 + 4 * 2 * 3 + 4 * 3 * 2, faces = 3 * 2 * 3 + 3 * 2 * 3 + 2 * 2 * 4, cells = 12;
    assert_int_equal(added.constraint_count[SIM_DISTANCE], axes + faces + cells);
    assert_int_equal(added.constraint_count[SIM_VOLUME], block.tet_count);
    assert_true(added.constraint_first[SIM_DISTANCE] < added.constraint_first[SIM_VOLUME]);
    struct sim_constraint constraint;
    uint32_t id = 0, found = 0;
    double sum = 0;
    while (sim_constraint_next(sim, SIM_VOLUME, id, &constraint)) {
        id = constraint.id;
        assert_memory_equal(constraint.particles, desc.tets + 4 * (size_t)found++,
                            4 * sizeof *constraint.particles);
        sum += constraint.rest;
    }
    assert_near(sum, 12 * 0.25 * 0.25 * 0.25, 1e-8);
    struct sim_body_info info;
    assert_true(sim_body_info(sim, added.body, &info));
    assert_int_equal(info.bend_model, SIM_BEND_NONE);
    assert_int_equal(info.tet_count, block.tet_count);
    assert_memory_equal(info.tets, block.tets, (size_t)block.tet_count * 4 * sizeof *block.tets);
    scene_block_deinit(&block);
    sim_destroy(sim);
}

static void masses_are_a_quarter_of_each_tetrahedron_and_more_of_them_weigh_more(void **state)
{
    (void)state;
    struct scene_block block = scene_block((const uint32_t[]){2, 2, 2}, 0.1, origin);
    struct sim_body_desc desc = scene_soft(&block);
    desc.density = 500;
    struct sim *sim = scene_create(scene_settings());
    uint32_t body = scene_add(sim, &desc), elements[27] = {0};
    double masses[27], expected[27] = {0}, sum = 0;
    sim_body_masses(sim, body, masses);
    for (uint32_t c = 0; c < 4 * block.tet_count; c++) {
        expected[block.tets[c]] += 500 * volume_of(block.positions, block.tets + c / 4 * 4) / 4;
        elements[block.tets[c]]++;
    }
    for (int i = 0; i < 27; i++) {
        assert_near(masses[i], expected[i], 1e-6 * expected[i]);
        sum += masses[i];
    }
    assert_near(sum, 500 * 0.008, 1e-6);
    for (int i = 0; i < 27; i++) {
        for (int k = 0; k < 27; k++) {
            assert_true(elements[i] <= elements[k] || masses[i] > masses[k]); // equal tetrahedra
        }
    }
    scene_block_deinit(&block);
    sim_destroy(sim);
}

static void normals_of_the_surface_point_outwards(void **state)
{
    (void)state;
    const double low[3] = {-0.5, -0.5, -0.5};
    struct scene_block block = scene_block((const uint32_t[]){4, 4, 4}, 0.25, low);
    struct sim_body_desc desc = scene_soft(&block);
    struct sim *sim = scene_create(scene_settings());
    uint32_t body = scene_add(sim, &desc);
    float n[3 * 125];
    sim_body_normals(sim, body, n);
    for (uint32_t i = 0; i < 125; i++) {
        const double *x = block.positions + 3 * (size_t)i;
        bool inside = fabs(x[0]) < 0.5 && fabs(x[1]) < 0.5 && fabs(x[2]) < 0.5;
        double length = 0, outwards = 0;
        for (uint32_t axis = 0; axis < 3; axis++) {
            length += (double)n[3 * i + axis] * (double)n[3 * i + axis];
            outwards += (double)n[3 * i + axis] * (fabs(x[axis]) == 0.5 ? x[axis] : 0);
        }
        assert_near(length, inside ? 0 : 1, 1e-5);
        assert_true(inside || outwards > 0.4);
    }
    scene_block_deinit(&block);
    sim_destroy(sim);
}

static struct sim *block_in_space(struct scene_block *block, uint32_t *body, double distance, double volume)
{
    struct sim_settings settings = scene_settings();
    settings.gravity[1] = 0;
    settings.damping = 5;
    settings.substeps = 20;
    *block = scene_block((const uint32_t[]){2, 2, 2}, 0.1, origin);
    struct sim_body_desc desc = scene_soft(block);
    desc.stretch.compliance = distance;
    desc.volume.compliance = volume;
    struct sim *sim = scene_create(settings);
    *body = scene_add(sim, &desc);
    return sim;
}

// All particles to where a matrix takes them from their middle.
static void deform(struct sim *sim, uint32_t body, const struct scene_block *block, const double scale[3])
{
    uint32_t all[27];
    double x[81];
    for (uint32_t i = 0; i < 27; i++) {
        all[i] = i;
        for (uint32_t axis = 0; axis < 3; axis++) {
            x[3 * i + axis] = 0.1 + (block->positions[3 * i + axis] - 0.1) * scale[axis];
        }
    }
    assert_int_equal(sim_particles_set(sim, body, all, 27, x, NULL, NULL, &fault), FAULT_NONE);
}

static void a_squeezed_block_recovers(void **state)
{
    (void)state;
    const double scales[3][3] = {{0.5, 0.5, 0.5}, {1, 0.1, 1}, {1.6, 0.7, 1}};
    for (int s = 0; s < 3; s++) {
        struct scene_block block;
        uint32_t body;
        struct sim *sim = block_in_space(&block, &body, 1e-6, 1e-12);
        deform(sim, body, &block, scales[s]);
        struct sim_measures measures;
        sim_measure(sim, &measures);
        assert_true(measures.error_max[SIM_DISTANCE] > 0.2 && measures.error_max[SIM_VOLUME] > 0.1);
        scene_run(sim, 300);
        sim_measure(sim, &measures);
        assert_near(measures.error_max[SIM_DISTANCE], 0, 1e-3);
        assert_near(measures.error_max[SIM_VOLUME], 0, 1e-3);
        scene_block_deinit(&block);
        sim_destroy(sim);
    }
}

static void an_inverted_tetrahedron_turns_right_side_out_again(void **state)
{
    (void)state;
    const double x[12] = {0, 0, 0, 0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1}, pushed[3] = {0.02, 0.02, -0.06};
    const uint32_t tet[4] = {0, 1, 2, 3}, tip = 3;
    struct sim_settings settings = scene_settings();
    settings.gravity[1] = 0;
    settings.damping = 5;
    struct sim_body_desc desc = {.kind = SIM_SOFT,
                                 .particle_count = 4,
                                 .positions = x,
                                 .tets = tet,
                                 .tet_count = 1,
                                 .stretch = {.compliance = 1e-6, .stiffness = -1},
                                 .volume = {.stiffness = -1}};
    struct sim *sim = scene_create(settings);
    uint32_t body = scene_add(sim, &desc);
    assert_int_equal(sim_particles_set(sim, body, &tip, 1, pushed, NULL, NULL, &fault), FAULT_NONE);
    scene_run(sim, 300);
    double after[12];
    sim_body_positions64(sim, body, 0, 4, after);
    assert_near(volume_of(after, tet), 1e-3 / 6, 1e-6);
    struct sim_measures measures;
    sim_measure(sim, &measures);
    assert_near(measures.error_max[SIM_DISTANCE], 0, 1e-3);
    sim_destroy(sim);
}

// A block on the floor: how much lower its top lies, and by how much its volume has shrunk.
static void lie_on_the_floor(double distance, double volume, double *sag, double *shrunk)
{
    struct sim_settings settings = scene_settings();
    settings.damping = 3;
    settings.substeps = 20;
    struct sim *sim = scene_create(settings);
    struct scene_block block = scene_block((const uint32_t[]){3, 3, 3}, 0.1, origin);
    struct sim_body_desc desc = scene_soft(&block);
    desc.stretch.compliance = distance;
    desc.volume.compliance = volume;
    desc.thickness = 0;
    uint32_t body = scene_add(sim, &desc);
    scene_plane(sim, origin, (const double[]){0, 1, 0}, 1);
    scene_run(sim, 400);
    double x[3 * 64], whole = 0, height = 0;
    sim_body_positions64(sim, body, 0, 64, x);
    for (uint32_t t = 0; t < block.tet_count; t++) {
        whole += volume_of(x, block.tets + 4 * (size_t)t);
    }
    for (uint32_t i = 0; i < 64; i++) {
        height = x[3 * i + 1] > height ? x[3 * i + 1] : height;
    }
    *sag = 0.3 - height;
    *shrunk = 1 - whole / 0.027;
    scene_block_deinit(&block);
    sim_destroy(sim);
}

static void stretch_and_volume_have_compliances_of_their_own(void **state)
{
    (void)state;
    double hard[2], soft_edges[2], soft_both[2];
    lie_on_the_floor(1e-7, 1e-13, &hard[0], &hard[1]);
    lie_on_the_floor(2e-4, 1e-13, &soft_edges[0], &soft_edges[1]);
    lie_on_the_floor(2e-4, 1e-6, &soft_both[0], &soft_both[1]);
    assert_true(hard[0] < 1e-3 && hard[1] < 1e-3);
    assert_true(soft_edges[0] > 5 * hard[0]);
    assert_true(soft_edges[1] < 2e-3); // it bulges and keeps its volume
    assert_true(soft_both[1] > 5 * soft_edges[1]);
}

// -------------------------------------------------------------------------------------------------- bending

static struct sim_body_added add_cloth(struct sim *sim, enum sim_bend model, double fold)
{
    const double x[12] = {0, 0, 0, 0, 0, 1, -1, 0, 0.5, cos(fold), sin(fold), 0.5};
    const uint32_t triangles[6] = {0, 1, 2, 1, 0, 3};
    struct sim_body_desc desc = {.kind = SIM_CLOTH,
                                 .particle_count = 4,
                                 .positions = x,
                                 .triangles = triangles,
                                 .triangle_count = 2,
                                 .stretch = {.stiffness = -1},
                                 .bend_model = model,
                                 .bend = {.compliance = 1e-3, .damping = 2, .stiffness = -1}};
    return scene_add_all(sim, &desc);
}

static void a_flat_cloth_bends_quadratically_a_creased_one_by_angles_and_none_not_at_all(void **state)
{
    (void)state;
    const struct {
        enum sim_bend model;
        double fold;
        enum sim_bend becomes;
        int kind;
    } cases[] = {
        {SIM_BEND_DEFAULT, 0, SIM_BEND_QUADRATIC, SIM_QUADRATIC},
        {SIM_BEND_DEFAULT, 0.4, SIM_BEND_DIHEDRAL, SIM_DIHEDRAL},
        {SIM_BEND_DIHEDRAL, 0, SIM_BEND_DIHEDRAL, SIM_DIHEDRAL},
        {SIM_BEND_ISOMETRIC, 0, SIM_BEND_ISOMETRIC, SIM_ISOMETRIC},
        {SIM_BEND_QUADRATIC, 0, SIM_BEND_QUADRATIC, SIM_QUADRATIC},
        {SIM_BEND_NONE, 0.4, SIM_BEND_NONE, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sim *sim = scene_create(scene_settings());
        struct sim_body_added added = add_cloth(sim, cases[i].model, cases[i].fold);
        struct sim_body_info info;
        assert_true(sim_body_info(sim, added.body, &info));
        assert_int_equal(info.bend_model, cases[i].becomes);
        for (int kind = SIM_DIHEDRAL; kind < SIM_KIND_COUNT; kind++) {
            assert_int_equal(added.constraint_count[kind], kind == cases[i].kind);
        }
        if (cases[i].kind >= 0) {
            struct sim_constraint constraint;
            assert_true(sim_constraint_get(sim, added.constraint_first[cases[i].kind], &constraint));
            assert_near(constraint.material.compliance, 1e-3, 1e-9);
            assert_near(constraint.material.damping, 2, 1e-6);
            assert_near(fabs(constraint.rest), cases[i].kind == SIM_DIHEDRAL ? cases[i].fold : 0, 1e-6);
        }
        sim_destroy(sim);
    }
}

static void a_crease_stays_a_crease(void **state)
{
    (void)state;
    struct sim_settings settings = scene_settings();
    settings.gravity[1] = 0;
    struct sim *sim = scene_create(settings);
    struct sim_body_added added = add_cloth(sim, SIM_BEND_DEFAULT, 0.7);
    double before[12], after[12];
    sim_body_positions64(sim, added.body, 0, 4, before);
    scene_run(sim, 120);
    sim_body_positions64(sim, added.body, 0, 4, after);
    for (int k = 0; k < 12; k++) {
        assert_near(after[k], before[k], 1e-5);
    }
    sim_destroy(sim);
}

// --------------------------------------------------------------------------- multipliers as forces, changes

static void the_multiplier_of_a_volume_is_its_pressure(void **state)
{
    (void)state;
    // A tetrahedron stands on three static corners under its tip's weight: V0 - V = alpha P, and P times a third
    // of the base's area carries it.
    const double x[12] = {0, 0, 0, 0, 0, 1, 1, 0, 0, 0.3, 1, 0.3}, masses[4] = {0, 0, 0, 2};
    const uint32_t tet[4] = {0, 1, 2, 3};
    struct sim_settings settings = scene_settings();
    settings.damping = 10;
    struct sim_body_desc desc = {.kind = SIM_SOFT,
                                 .particle_count = 4,
                                 .positions = x,
                                 .masses = masses,
                                 .tets = tet,
                                 .tet_count = 1,
                                 .stretch = {.compliance = 1e10, .stiffness = -1},
                                 .volume = {.compliance = 1e-4, .stiffness = -1}};
    struct sim *sim = scene_create(settings);
    struct sim_body_added added = scene_add_all(sim, &desc);
    assert_int_equal(sim_multipliers_keep(sim, true, &fault), FAULT_NONE);
    scene_run(sim, 600);
    double h = 1.0 / 600, pressure = 2 * 9.81 / (0.5 / 3);
    struct sim_constraint constraint;
    assert_true(sim_constraint_get(sim, added.constraint_first[SIM_VOLUME], &constraint));
    assert_near(constraint.multiplier[0] / (h * h), pressure, 2e-3 * pressure);
    double after[12];
    sim_body_positions64(sim, added.body, 0, 4, after);
    assert_near(1.0 / 6 - volume_of(after, tet), 1e-4 * pressure, 1e-5);
    sim_destroy(sim);
}

static void the_multiplier_of_a_bent_hinge_is_its_torque(void **state)
{
    (void)state;
    const double x[12] = {0, 0, 0, 0, 0, 1, -1, 0, 0.5, 1, 0, 0.5}, masses[4] = {0, 0, 0, 0.3};
    const uint32_t triangles[6] = {0, 1, 2, 1, 0, 3};
    struct sim_settings settings = scene_settings();
    settings.damping = 10;
    settings.substeps = 20;
    struct sim_body_desc desc = {.kind = SIM_CLOTH,
                                 .particle_count = 4,
                                 .positions = x,
                                 .masses = masses,
                                 .triangles = triangles,
                                 .triangle_count = 2,
                                 .stretch = {.stiffness = -1},
                                 .bend_model = SIM_BEND_DIHEDRAL,
                                 .bend = {.compliance = 1.0 / 60, .stiffness = -1}};
    struct sim *sim = scene_create(settings);
    struct sim_body_added added = scene_add_all(sim, &desc);
    assert_int_equal(sim_multipliers_keep(sim, true, &fault), FAULT_NONE);
    scene_run(sim, 600);
    double h = 1.0 / 1200, weight = 0.3 * 9.81, after[3];
    struct sim_constraint constraint;
    assert_true(sim_constraint_get(sim, added.constraint_first[SIM_DIHEDRAL], &constraint));
    scene_position(sim, added.body, 3, after);
    double torque = fabs(constraint.multiplier[0]) / (h * h);
    assert_near(torque, weight * after[0], 5e-3 * weight);
    assert_near(torque, 60 * atan2(-after[1], after[0]), 5e-3 * torque);
    sim_destroy(sim);
}

static void materials_change_by_body_and_one_by_one_at_any_tick(void **state)
{
    (void)state;
    struct scene_block block;
    uint32_t body;
    struct sim *sim = block_in_space(&block, &body, 1e-6, 1e-9);
    const struct sim_material volume = {.compliance = 1e-8, .damping = 3, .stiffness = -1},
                              stretch = {.stiffness = 0.5};
    struct sim_body_info info;
    assert_true(sim_body_info(sim, body, &info));
    uint32_t one = info.constraint_first[SIM_VOLUME] + 7;
    for (int tick = 0; tick < 6; tick++) {
        scene_run(sim, 1);
        assert_int_equal(sim_body_set(sim, body,
                                      &(struct sim_body_change){.stretch = &stretch, .volume = &volume},
                                      &fault),
                         FAULT_NONE);
        const double stiffness = 0.25, compliance = 1e-7;
        assert_int_equal(sim_constraints_set(sim, &one, 1,
                                             tick % 2
                                                 ? &(struct sim_constraint_values){.stiffness = &stiffness}
                                                 : &(struct sim_constraint_values){.compliance = &compliance},
                                             &fault),
                         FAULT_NONE);
        struct sim_constraint constraint;
        assert_true(sim_constraint_get(sim, one, &constraint));
        assert_near(constraint.material.stiffness, tick % 2 ? 0.25 : -1, 1e-7);
        assert_near(constraint.material.compliance, tick % 2 ? 0 : 1e-7, 1e-12);
        assert_true(sim_constraint_get(sim, one + 1, &constraint));
        assert_near(constraint.material.damping, 3, 1e-6);
        assert_true(sim_constraint_get(sim, info.constraint_first[SIM_DISTANCE] + 3, &constraint));
        assert_near(constraint.material.stiffness, 0.5, 1e-7);
    }
    scene_block_deinit(&block);
    sim_destroy(sim);
}

static void constraints_of_all_kinds_come_and_go_between_bodies_at_any_tick(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings()); // kinds from rods on are of bodies alone
    uint32_t bodies[SIM_STENCIL_MAX], first[SIM_ROD_STRETCH][5];
    for (int b = 0; b < SIM_STENCIL_MAX; b++) {
        // The second one has a particle more, so that it can be a rail.
        const double x[6] = {b == 1, b == 2, b == 3, 1, .5, 0}, masses[2] = {1 + b, 1};
        struct sim_body_desc desc = scene_points(x, b == 1 ? 2 : 1, masses);
        bodies[b] = scene_add(sim, &desc);
    }
    const uint32_t none[SIM_STENCIL_MAX] = {0}, on_rail[3] = {bodies[0], bodies[1], bodies[1]},
                   rail[3] = {0, 0, 1};
    const double compliance = 1e-3;
    for (int tick = 0; tick < 5; tick++) {
        for (int kind = 0; kind < SIM_ROD_STRETCH; kind++) {
            const bool slides = kind == SIM_SLIDE_RAIL;
            assert_int_equal(sim_constraints_add(sim, (enum sim_kind)kind, 1, slides ? on_rail : bodies,
                                                 slides ? rail : none,
                                                 &(struct sim_constraint_values){.compliance = &compliance},
                                                 &first[kind][tick], &fault),
                             FAULT_NONE);
        }
        scene_run(sim, 1);
    }
    assert_int_equal(sim_constraint_count(sim), 5 * SIM_ROD_STRETCH);
    for (int kind = 0; kind < SIM_ROD_STRETCH; kind++) {
        assert_int_equal(sim_constraints_remove(sim, first[kind], 4, &fault), FAULT_NONE);
        scene_run(sim, 1);
        struct sim_constraint constraint;
        assert_true(sim_constraint_next(sim, (enum sim_kind)kind, 0, &constraint));
        assert_int_equal(constraint.id, first[kind][4]);
        assert_int_equal(constraint.bodies[1], bodies[1]);
    }
    // A body that goes takes all that held it.
    uint32_t *removed, removed_count;
    assert_int_equal(sim_body_remove(sim, bodies[1], &removed, &removed_count, &fault), FAULT_NONE);
    assert_int_equal(removed_count, SIM_ROD_STRETCH);
    assert_int_equal(sim_constraint_count(sim), 0);
    scene_run(sim, 5);
    free(removed);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_has_each_edge_once_and_a_volume_for_each_tetrahedron),
        cmocka_unit_test(masses_are_a_quarter_of_each_tetrahedron_and_more_of_them_weigh_more),
        cmocka_unit_test(normals_of_the_surface_point_outwards),
        cmocka_unit_test(a_squeezed_block_recovers),
        cmocka_unit_test(an_inverted_tetrahedron_turns_right_side_out_again),
        cmocka_unit_test(stretch_and_volume_have_compliances_of_their_own),
        cmocka_unit_test(a_flat_cloth_bends_quadratically_a_creased_one_by_angles_and_none_not_at_all),
        cmocka_unit_test(a_crease_stays_a_crease),
        cmocka_unit_test(the_multiplier_of_a_volume_is_its_pressure),
        cmocka_unit_test(the_multiplier_of_a_bent_hinge_is_its_torque),
        cmocka_unit_test(materials_change_by_body_and_one_by_one_at_any_tick),
        cmocka_unit_test(constraints_of_all_kinds_come_and_go_between_bodies_at_any_tick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
