// How well the solver converged: strains above limits of states made by hand, and the share of a material's forces that one
// sweep does not resolve, against statics and over meshes and substeps.
#include "helper_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double origin[3] = {0, 0, 0};

// The sim must have one body.
static struct sim_convergence converged(struct sim *sim)
{
    struct sim_convergence found;
    assert_int_equal(sim_body_count(sim), 1);
    assert_true(sim_converged(sim, &found));
    return found;
}

// ------------------------------------------------------------------------------------------------- strain

enum { LINKS = 2 };

// A rope of two edges of 1 m that lies along x; loose particles, no gravity.
static struct sim *rope(struct sim_material stretch)
{
    const double positions[3 * (LINKS + 1)] = {0, 0, 0, 1, 0, 0, 2, 0, 0};
    const uint32_t edges[2 * LINKS] = {0, 1, 1, 2};
    struct sim *sim = scene_create(scene_still(60));
    struct sim_body_desc desc = scene_rope(positions, LINKS + 1, edges, LINKS, NULL);
    desc.stretch = stretch;
    scene_add(sim, &desc);
    return sim;
}

static void place(struct sim *sim, double second, double third)
{
    const double positions[3 * (LINKS + 1)] = {0, 0, 0, second, 0, 0, third, 0, 0};
    const uint32_t particles[LINKS + 1] = {0, 1, 2};
    struct fault fault;
    assert_int_equal(sim_particles_set(sim, 1, particles, LINKS + 1, positions, NULL, NULL, &fault),
                     FAULT_NONE);
}

static void strains_are_those_above_the_limit(void **state)
{
    (void)state;
    const struct {
        struct sim_material stretch;
        double second, third, most, rms; // where particles are, and what is told
    } cases[] = {
        {{.stiffness = -1}, 1, 2, 0, 0},
        {{.stiffness = -1}, 1.2, 2.1, 0.2, 0.2 / sqrt(2)}, // one edge 20 % longer, one 10 % shorter
        {{.stiffness = -1}, 1.25, 2.75, 0.5, sqrt((0.0625 + 0.25) / 2)},
        {{.stiffness = -1, .limit = 0.05}, 1.2, 2.23, 0.15, 0.15 / sqrt(2)},
        {{.compliance = 1e-3, .stiffness = -1, .limit = 0.05}, 1.2, 2.23, 0.15, 0.15 / sqrt(2)},
        {{.compliance = 1e-3, .stiffness = -1}, 1.2, 2.1, 0, 0}, // springs have no limit
        {{.stiffness = 0.5}, 1.2, 2.1, 0, 0},                    // nor has plain PBD
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct sim *sim = rope(cases[c].stretch);
        place(sim, cases[c].second, cases[c].third);
        struct sim_convergence found = converged(sim);
        assert_int_equal(found.body, 1);
        assert_near(found.strain_max, cases[c].most, 1e-7);
        assert_near(found.strain_rms, cases[c].rms, 1e-7);
        sim_destroy(sim);
    }
}

// A rope so long that low words alone would tell a shorter one.
static void an_edge_of_more_than_16_m_is_told_whole(void **state)
{
    (void)state;
    struct sim *sim = rope((struct sim_material){.stiffness = -1});
    place(sim, 41, 42);
    assert_near(converged(sim).strain_max, 40, 1e-6);
    sim_destroy(sim);
}

static void edges_between_pins_and_bodies_without_edges_are_no_error(void **state)
{
    (void)state;
    struct fault fault;
    const uint32_t pins[] = {0, 1};
    struct sim *sim = rope((struct sim_material){.stiffness = -1});
    place(sim, 1.5, 2.4);
    assert_int_equal(sim_particles_pin(sim, 1, pins, 2, NULL, &fault), FAULT_NONE);
    assert_true(converged(sim).strain_max == 0); // nothing can shorten the first one
    sim_destroy(sim);

    sim = scene_create(scene_settings());
    struct sim_body_desc desc = scene_points(origin, 1, NULL);
    scene_add(sim, &desc);
    scene_run(sim, 2);
    struct sim_convergence found = converged(sim);
    assert_true(found.strain_max == 0 && found.strain_rms == 0 && found.unresolved[SIM_PART_STRETCH] == 0);
    sim_destroy(sim);
}

// ------------------------------------------------------------------------------------- forces not resolved

enum { CHAIN = 20 };
#define CHAIN_MASS 0.01 // kg each
#define CHAIN_EDGE 0.05 // m

// A chain of springs that hangs by its first particle and has come to rest.
static struct sim *chain(uint32_t links, double compliance, uint32_t substeps, uint32_t iterations)
{
    double positions[3 * (CHAIN + 1)] = {0}, masses[CHAIN + 1];
    uint32_t edges[2 * CHAIN];
    const uint32_t pin = 0;
    struct sim_settings settings = scene_settings();
    settings.substeps = substeps;
    settings.iterations = iterations;
    settings.damping = 20;
    for (uint32_t i = 0; i <= links; i++) {
        positions[3 * i + 1] = -CHAIN_EDGE * i;
        masses[i] = CHAIN_MASS;
    }
    for (uint32_t i = 0; i < links; i++) {
        edges[2 * i] = i;
        edges[2 * i + 1] = i + 1;
    }
    struct sim *sim = scene_create(settings);
    struct sim_body_desc desc = scene_rope(positions, links + 1, edges, links, masses);
    desc.stretch.compliance = compliance;
    desc.pins = &pin;
    desc.pin_count = 1;
    scene_add(sim, &desc);
    scene_run(sim, 1200);
    return sim;
}

// At rest each spring carries the weight below it, whatever its length. So what it asks for and does not get is known:
// C - alpha F.
static double share_of(const struct sim *sim, uint32_t links, double compliance)
{
    double asked = 0, missed = 0;
    for (uint32_t i = 0; i < links; i++) {
        double upper[3], lower[3], weight = 9.81 * CHAIN_MASS * (links - i), least = 0.01 * CHAIN_EDGE;
        scene_position(sim, 1, i, upper);
        scene_position(sim, 1, i + 1, lower);
        double c = upper[1] - lower[1] - CHAIN_EDGE;
        missed += c * (c - compliance * weight);
        asked += c * c + least * least;
    }
    return missed / asked;
}

// The root of the mean square.
static double strain_of(const struct sim *sim, uint32_t links)
{
    double sum = 0;
    for (uint32_t i = 0; i < links; i++) {
        double upper[3], lower[3];
        scene_position(sim, 1, i, upper);
        scene_position(sim, 1, i + 1, lower);
        double strain = (upper[1] - lower[1]) / CHAIN_EDGE - 1;
        sum += strain * strain;
    }
    return sqrt(sum / links);
}

static void the_share_is_that_of_statics(void **state)
{
    (void)state;
    const double compliance = 1e-4;
    double before = 1;
    for (uint32_t substeps = 2; substeps <= 128; substeps *= 4) {
        struct sim *sim = chain(CHAIN, compliance, substeps, 1);
        double told = converged(sim).unresolved[SIM_PART_STRETCH],
               expected = share_of(sim, CHAIN, compliance);
        print_message("chain at %3u substeps: %.4f not resolved, %.4f by statics\n", substeps, told,
                      expected);
        assert_near(told, expected, 0.001);
        assert_near(converged(sim).apart[SIM_PART_STRETCH], strain_of(sim, CHAIN), 1e-6);
        assert_true(told < before);
        before = told;
        sim_destroy(sim);
    }
    assert_true(before < 0.02);
}

static void iterations_resolve_what_one_sweep_does_not(void **state)
{
    (void)state;
    const double compliance = 1e-4;
    struct sim *once = chain(CHAIN, compliance, 4, 1), *often = chain(CHAIN, compliance, 4, 64);
    double one = converged(once).unresolved[SIM_PART_STRETCH];
    double many = converged(often).unresolved[SIM_PART_STRETCH];
    print_message("chain at 4 substeps: %.4f not resolved by one sweep, %.4f by 64\n", one, many);
    assert_true(one > 0.1 && many < one / 4);
    sim_destroy(once);
    sim_destroy(often);
}

// One sweep solves a constraint that has no neighbours exactly, however stiff it is.
static void one_constraint_alone_is_resolved(void **state)
{
    (void)state;
    struct sim *sim = chain(1, 1e-3, 1, 1);
    assert_near(converged(sim).unresolved[SIM_PART_STRETCH], 0, 1e-3);
    sim_destroy(sim);
}

struct strip {
    uint32_t cells; // along 0.1 m
    uint32_t substeps;
    enum sim_bend model;
};

// A strip of fabric that sticks out of its clamp and has come to rest. Returns how far its end hangs down.
static double strip_share(const struct strip *strip, double *droop)
{
    struct sim_settings settings = scene_settings();
    settings.substeps = strip->substeps;
    settings.damping = 5;
    const double edge = 0.1 / strip->cells;
    const uint32_t columns = strip->cells + 2, rows = 3;
    uint32_t pins[6];
    struct sim *sim = scene_create(settings);
    struct scene_mesh mesh = scene_grid(columns, rows, edge, origin);
    struct sim_body_desc desc = scene_cloth(&mesh);
    for (uint32_t row = 0; row < rows; row++) {
        pins[2 * row] = row * columns;
        pins[2 * row + 1] = row * columns + 1;
    }
    desc.density = 0.15;
    desc.pins = pins;
    desc.pin_count = 6;
    desc.bend_model = strip->model;
    desc.bend = (struct sim_material){.compliance = 1 / 2e-5, .stiffness = -1};
    scene_add(sim, &desc);
    scene_run(sim, 180);
    double end[3];
    scene_position(sim, 1, columns - 1, end);
    *droop = -end[1];
    double share = converged(sim).unresolved[SIM_PART_BEND];
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
    return share;
}

static void check_strips(enum sim_bend model, const char *name)
{
    const uint32_t substeps[] = {5, 20, 80};
    double shares[2][3];
    for (uint32_t m = 0; m < 2; m++) {
        for (uint32_t s = 0; s < 3; s++) {
            double droop;
            shares[m][s] = strip_share(
                &(struct strip){.cells = 10 << m, .substeps = substeps[s], .model = model}, &droop);
            print_message("%s, %u cells, %2u substeps: %.3f not resolved, end %.1f mm down\n", name, 10u << m,
                          substeps[s], shares[m][s], 1e3 * droop);
        }
    }
    for (uint32_t m = 0; m < 2; m++) {
        assert_true(shares[m][0] > shares[m][1] && shares[m][1] > shares[m][2]);
    }
    for (uint32_t s = 0; s < 3; s++) {
        assert_true(shares[1][s] > shares[0][s]);
    }
    assert_true(shares[1][0] > 0.5 && shares[0][2] < 0.02);
}

static void bending_is_resolved_by_substeps_and_less_on_a_finer_mesh(void **state)
{
    (void)state;
    check_strips(SIM_BEND_QUADRATIC, "quadratic");
    check_strips(SIM_BEND_DIHEDRAL, "dihedral");
}

static void a_flat_cloth_on_the_floor_is_no_error(void **state)
{
    (void)state;
    const double up[3] = {0, 1, 0}, low[3] = {0, -0.05, 0};
    struct sim *sim = scene_create(scene_settings());
    struct scene_mesh mesh = scene_grid(12, 12, 0.01, origin);
    struct sim_body_desc desc = scene_cloth(&mesh);
    desc.thickness = 0.002;
    desc.bend = (struct sim_material){.compliance = 1, .stiffness = -1}; // a sheet of plastic
    scene_add(sim, &desc);
    scene_plane(sim, low, up, 0.5);
    for (int tick = 0; tick < 120; tick++) {
        scene_run(sim, 1);
        struct sim_convergence found = converged(sim);
        assert_true(found.unresolved[SIM_PART_BEND] < 0.02 && found.strain_max < 0.01);
    }
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
}

static void before_a_tick_and_after_an_edit_no_force_is_known(void **state)
{
    (void)state;
    struct sim *sim = chain(CHAIN, 1e-4, 2, 1);
    const struct sim_material softer = {.compliance = 2e-4, .stiffness = -1};
    struct fault fault;
    assert_true(converged(sim).unresolved[SIM_PART_STRETCH] > 0.1);
    assert_int_equal(sim_body_set(sim, 1, &(struct sim_body_change){.stretch = &softer}, &fault), FAULT_NONE);
    assert_true(converged(sim).unresolved[SIM_PART_STRETCH] == 0);
    scene_run(sim, 1);
    assert_true(converged(sim).unresolved[SIM_PART_STRETCH] > 0.1);
    sim_destroy(sim);
}

// --------------------------------------------------------------------------------------------- the same bits

// Cloths that swing, with each kind of bending, and a soft block. All of them have compliance except the edges of the first.
static struct sim *mixed(uint32_t iterations)
{
    const double side[3] = {2, 0, 0};
    const uint32_t cells[3] = {2, 2, 2}, pins[2] = {0, 8};
    struct sim_settings settings = scene_settings();
    settings.iterations = iterations;
    struct sim *sim = scene_create(settings);
    const enum sim_bend models[] = {SIM_BEND_QUADRATIC, SIM_BEND_DIHEDRAL, SIM_BEND_ISOMETRIC};
    for (int m = 0; m < 3; m++) {
        const double at[3] = {0, 0, m};
        struct scene_mesh mesh = scene_grid(9, 9, 0.02, at);
        struct sim_body_desc desc = scene_cloth(&mesh);
        desc.pins = pins;
        desc.pin_count = 2;
        desc.stretch.compliance = m == 0 ? 0 : 1e-4;
        desc.bend_model = models[m];
        desc.bend = (struct sim_material){.compliance = 100, .stiffness = -1};
        scene_add(sim, &desc);
        scene_mesh_deinit(&mesh);
    }
    struct scene_block block = scene_block(cells, 0.1, side);
    struct sim_body_desc soft = scene_soft(&block);
    soft.pins = pins;
    soft.pin_count = 2;
    soft.stretch.compliance = 1e-6;
    soft.volume.compliance = 1e-12;
    scene_add(sim, &soft);
    scene_block_deinit(&block);
    return sim;
}

static void measuring_changes_nothing(void **state)
{
    (void)state;
    for (uint32_t iterations = 1; iterations <= 2; iterations++) {
        struct sim *looked = mixed(iterations), *alone = mixed(iterations);
        for (int tick = 0; tick < 20; tick++) {
            struct sim_convergence first[4], second[4];
            scene_run(looked, 1);
            scene_run(alone, 1);
            assert_true(sim_converged(looked, first) && sim_converged(looked, second));
            assert_memory_equal(first, second, sizeof first);
            assert_true(sim_hash(looked) == sim_hash(alone));
        }
        sim_destroy(looked);
        sim_destroy(alone);
    }
}

static void every_instruction_set_tells_the_same_bits(void **state)
{
    (void)state;
    const enum sim_isa chosen = sim_isa_chosen();
    struct sim_convergence told[4];
    bool first = true;
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        if (!sim_isa_available((enum sim_isa)isa)) {
            continue;
        }
        struct sim_convergence found[4];
        sim_isa_choose((enum sim_isa)isa);
        struct sim *sim = mixed(1);
        scene_run(sim, 20);
        assert_true(sim_converged(sim, found));
        if (!first) {
            assert_memory_equal(found, told, sizeof told);
        }
        memcpy(told, found, sizeof told);
        first = false;
        sim_destroy(sim);
    }
    for (int b = 1; b < 3; b++) { // there is something to compare
        assert_true(told[b].unresolved[SIM_PART_STRETCH] > 0 && told[b].unresolved[SIM_PART_BEND] > 0);
    }
    assert_true(told[0].strain_rms > 0 && told[3].unresolved[SIM_PART_VOLUMES] > 0);
    sim_isa_choose(chosen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strains_are_those_above_the_limit),
        cmocka_unit_test(an_edge_of_more_than_16_m_is_told_whole),
        cmocka_unit_test(edges_between_pins_and_bodies_without_edges_are_no_error),
        cmocka_unit_test(the_share_is_that_of_statics),
        cmocka_unit_test(iterations_resolve_what_one_sweep_does_not),
        cmocka_unit_test(one_constraint_alone_is_resolved),
        cmocka_unit_test(bending_is_resolved_by_substeps_and_less_on_a_finer_mesh),
        cmocka_unit_test(a_flat_cloth_on_the_floor_is_no_error),
        cmocka_unit_test(before_a_tick_and_after_an_edit_no_force_is_known),
        cmocka_unit_test(measuring_changes_nothing),
        cmocka_unit_test(every_instruction_set_tells_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
