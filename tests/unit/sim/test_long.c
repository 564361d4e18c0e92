// Long edges and tethers in the solver: what does not stretch keeps its length, what is soft stays soft, and they are no
// state: the same bits on any thread and instruction set, after edits that are taken back, and in a copy.
#include "base/thread.h"
#include "helper_scene.h"
#include "sim/state/state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct fault fault;

enum { SIDE = 30 };

static struct sim_settings settings_of(bool long_edges)
{
    struct sim_settings settings = scene_settings();
    settings.substeps = 20;
    settings.damping = 1;
    settings.long_edges = long_edges;
    return settings;
}

// A square of 1 m from level, held at its first two corners.
static uint32_t hang(struct sim *sim, uint32_t side, double compliance, double limit)
{
    const double origin[3] = {0, 0, 0};
    struct scene_mesh mesh = scene_grid(side, side, 1.0 / (side - 1), origin);
    struct sim_body_desc desc = scene_cloth(&mesh);
    const uint32_t pins[2] = {0, side - 1};
    desc.density = 0.2;
    desc.bend_model = SIM_BEND_NONE;
    desc.stretch.compliance = compliance;
    desc.stretch.limit = limit;
    desc.pins = pins;
    desc.pin_count = 2;
    uint32_t body = scene_add(sim, &desc);
    scene_mesh_deinit(&mesh);
    return body;
}

static double strain_ever(struct sim *sim, uint32_t ticks)
{
    double worst = 0;
    for (uint32_t tick = 0; tick < ticks; tick++) {
        scene_run(sim, 1);
        worst = fmax(worst, scene_strain(sim));
    }
    return worst;
}

static void a_hung_cloth_keeps_its_length(void **state)
{
    (void)state;
    for (int long_edges = 0; long_edges <= 1; long_edges++) {
        struct sim *sim = scene_create(settings_of(long_edges));
        hang(sim, SIDE, 0, 0);
        double ever = strain_ever(sim, 240), rest = scene_strain(sim);
        print_message("%s: ever %.4f, at rest %.4f\n", long_edges ? "long" : "short", ever, rest);
        assert_true(long_edges ? ever < 0.05 && rest < 0.01 : ever > 0.2 && rest > 0.05);
        sim_destroy(sim);
    }
}

static void a_heavy_load_on_a_light_rope_does_not_lengthen_it(void **state)
{
    (void)state;
    enum { LINKS = 20 };
    double positions[3 * (LINKS + 1)], masses[LINKS + 1];
    uint32_t edges[2 * LINKS];
    for (uint32_t i = 0; i <= LINKS; i++) {
        positions[3 * i] = positions[3 * i + 2] = 0;
        positions[3 * i + 1] = -0.05 * i;
        masses[i] = i == 0 ? 0 : i == LINKS ? 10 : 0.001;
        edges[2 * (i < LINKS ? i : 0)] = i < LINKS ? i : 0;
        edges[2 * (i < LINKS ? i : 0) + 1] = i < LINKS ? i + 1 : 1;
    }
    struct sim *sim = scene_create(settings_of(true));
    struct sim_body_desc desc = scene_rope(positions, LINKS + 1, edges, LINKS, masses);
    uint32_t rope = scene_add(sim, &desc);
    double end[3];
    scene_run(sim, 120);
    scene_position(sim, rope, LINKS, end);
    assert_near(end[1], -1, 0.01);
    sim_destroy(sim);
}

// The height of the lowest corner over two seconds.
static void fall(bool long_edges, double compliance, double limit, double *heights, uint32_t ticks)
{
    struct sim *sim = scene_create(settings_of(long_edges));
    uint32_t body = hang(sim, 12, compliance, limit);
    for (uint32_t tick = 0; tick < ticks; tick++) {
        double x[3];
        scene_run(sim, 1);
        scene_position(sim, body, 12 * 12 - 1, x);
        heights[tick] = x[1];
    }
    sim_destroy(sim);
}

static void what_is_soft_stays_soft(void **state)
{
    (void)state;
    double without[120], with[120], limited[120];
    fall(false, 1e-2, 0, without, 120);
    fall(true, 1e-2, 0, with, 120);
    assert_memory_equal(without, with, sizeof with); // no limit: nothing is there
    fall(false, 2e-3, 0, without, 120);
    fall(true, 2e-3, 2.0, limited, 120); // a limit that it does not come to
    assert_memory_equal(without, limited, sizeof limited);
}

static void a_limit_holds_what_is_soft(void **state)
{
    (void)state;
    struct sim *sim = scene_create(settings_of(true));
    hang(sim, SIDE, 1e-1, 0.1);
    assert_true(strain_ever(sim, 240) < 0.16);
    assert_true(scene_strain(sim) < 0.12 && scene_strain(sim) > 0.05); // soft below the limit
    sim_destroy(sim);
}

// Edits of all kinds that change what long edges are made from. Returns the hash at the end.
static uint64_t program(enum sim_isa isa, struct base_parallel *parallel)
{
    sim_isa_choose(isa);
    struct sim *sim = scene_create(settings_of(true));
    uint32_t body = hang(sim, 80, 0, 0), small = hang(sim, 9, 1e-3, 0.2), pin = 80 * 79, cut[40];
    for (uint32_t tick = 0; tick < 40; tick++) {
        struct sim_failure failure;
        const double to[3] = {0.1, -0.1, 0.9};
        if (tick == 10) {
            assert_int_equal(sim_particles_pin(sim, body, &pin, 1, NULL, &fault), FAULT_NONE);
        } else if (tick == 15) {
            assert_int_equal(sim_particles_pin(sim, body, &pin, 1, to, &fault), FAULT_NONE);
        } else if (tick == 20) {
            struct sim_body_info info;
            assert_true(sim_body_info(sim, body, &info));
            for (uint32_t i = 0; i < 40; i++) {
                cut[i] = info.constraint_first[SIM_DISTANCE] + 7000 + i;
            }
            assert_int_equal(sim_constraints_remove(sim, cut, 40, &fault), FAULT_NONE);
        } else if (tick == 25) {
            const struct sim_material softer = {.compliance = 1e-4, .stiffness = -1, .limit = 0.05};
            assert_int_equal(sim_body_set(sim, small, &(struct sim_body_change){.stretch = &softer}, &fault),
                             FAULT_NONE);
        } else if (tick == 30) {
            assert_int_equal(sim_particles_unpin(sim, body, &pin, 1, &fault), FAULT_NONE);
        }
        assert_true(sim_step(sim, parallel, NULL, &failure));
        assert_false(failure.failed);
    }
    uint64_t hash = sim_hash(sim);
    sim_destroy(sim);
    return hash;
}

static void threads_and_instruction_sets_give_the_same_bits(void **state)
{
    (void)state;
    enum sim_isa best = sim_isa_chosen();
    uint64_t hash = program(best, NULL);
    for (uint32_t threads = 1; threads <= 3; threads++) {
        struct base_team *team = base_team_create(threads);
        assert_non_null(team);
        assert_true(program(best, base_team_parallel(team)) == hash);
        base_team_destroy(team);
    }
    for (enum sim_isa isa = 0; isa < SIM_ISA_COUNT; isa++) {
        assert_true(!sim_isa_available(isa) || program(isa, NULL) == hash);
    }
    sim_isa_choose(best);
}

static void a_copy_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    struct sim *sim = scene_create(settings_of(true)), *copy;
    struct sim_image image;
    struct sim_image_place place;
    hang(sim, SIDE, 0, 0);
    hang(sim, 10, 1e-3, 0.1);
    scene_run(sim, 20);
    assert_true(sim_image_take(sim, &image));
    copy = sim_image_make(&image, &scene_limits, &place, &fault);
    sim_image_deinit(&image);
    assert_non_null(copy);
    assert_true(sim_hash(copy) == sim_hash(sim));
    scene_run(sim, 20);
    scene_run(copy, 20);
    assert_true(sim_hash(copy) == sim_hash(sim));
    sim_destroy(sim);
    sim_destroy(copy);
}

static void what_is_taken_back_leaves_no_trace(void **state)
{
    (void)state;
    struct sim *sims[2];
    uint32_t body = 0, pins[2] = {SIDE * SIDE - 1, 400};
    for (int edited = 0; edited < 2; edited++) {
        sims[edited] = scene_create(settings_of(true));
        body = hang(sims[edited], SIDE, 0, 0);
        scene_run(sims[edited], 10);
    }
    // A pin and a material come, the long edges are made of them in a copy of the moment, and both go again.
    struct sim_restore_particles states;
    assert_int_equal(sim_restore_particles_take(sims[1], body, pins, 2, SIM_RESTORE_PINS, &states, &fault),
                     FAULT_NONE);
    struct sim_still *still = sim_still_create(sims[1]);
    sim_still_begin(still, sims[1]);
    while (!sim_still_go_on(still, 1000)) {
    }
    sim_still_end(still);
    assert_int_equal(sim_particles_pin(sims[1], body, pins, 2, NULL, &fault), FAULT_NONE);
    scene_run(sims[1], 3);
    assert_true(sims[1]->bodies[0]->longs->held != sims[0]->bodies[0]->longs->held);
    assert_int_equal(sim_restore_particles_apply(sims[1], &states, &fault), FAULT_NONE);
    sim_restore_particles_deinit(&states);
    struct sim_settings off = settings_of(false), on = settings_of(true);
    assert_int_equal(sim_settings_set(sims[1], &off, &fault), FAULT_NONE);
    assert_true(sim_hash(sims[0]) != sim_hash(sims[1]));
    assert_int_equal(sim_settings_set(sims[1], &on, &fault), FAULT_NONE);
    sim_still_give_back(still, sims[1]);
    sim_still_destroy(still);
    assert_true(sim_hash(sims[0]) == sim_hash(sims[1]));
    for (int tick = 0; tick < 10; tick++) {
        scene_run(sims[0], 1);
        scene_run(sims[1], 1);
        assert_true(sim_hash(sims[0]) == sim_hash(sims[1]));
    }
    sim_destroy(sims[0]);
    sim_destroy(sims[1]);
}

static void tethers_follow_what_is_held(void **state)
{
    (void)state;
    struct sim *sim = scene_create(settings_of(true));
    uint32_t body = hang(sim, SIDE, 0, 0), both[2] = {0, SIDE - 1}, other = SIDE * SIDE / 2;
    scene_run(sim, 1);
    const struct sim_long *longs = sim->bodies[0]->longs;
    assert_int_equal(longs->tether_count, 2);
    assert_int_equal(longs->tether_batches, (SIDE * SIDE - 2 + SIM_LANES - 1) / SIM_LANES);
    assert_int_equal(sim_particles_unpin(sim, body, both, 2, &fault), FAULT_NONE);
    scene_run(sim, 1);
    assert_int_equal(sim->bodies[0]->longs->tether_batches, 0);
    assert_true(sim->bodies[0]->longs->edge_count > 0);
    assert_int_equal(sim_particles_pin(sim, body, &other, 1, NULL, &fault), FAULT_NONE);
    scene_run(sim, 1);
    assert_int_equal(sim->bodies[0]->longs->tether_count, 1);
    const float none = 0;
    assert_int_equal(sim_particles_set(sim, body, both, 1, NULL, NULL, &none, &fault),
                     FAULT_NONE); // static is held as well
    scene_run(sim, 1);
    assert_int_equal(sim->bodies[0]->longs->tether_count, 2);
    sim_destroy(sim);
}

static void they_count_as_work_of_a_tick(void **state)
{
    (void)state;
    struct sim_limits limits = scene_limits;
    limits.work = 20 * (100 + 261) + 1; // 20 substeps, 100 particles, 261 edges
    struct sim *sim = scene_create_limited(settings_of(false), limits);
    hang(sim, 10, 0, 0);
    const struct sim_settings with = settings_of(true);
    assert_int_equal(sim_settings_set(sim, &with, &fault), FAULT_LIMIT);
    assert_string_equal(fault.field, "long_edges");
    sim_destroy(sim);
}

static void a_limit_is_a_share(void **state)
{
    (void)state;
    struct sim *sim = scene_create(settings_of(true));
    uint32_t body = hang(sim, 5, 0, 0);
    const struct sim_material wrong = {.stiffness = -1, .limit = -0.1};
    assert_int_equal(sim_body_set(sim, body, &(struct sim_body_change){.stretch = &wrong}, &fault),
                     FAULT_INVALID);
    assert_string_equal(fault.text, "-0.1; must be in [0, 10]");
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hung_cloth_keeps_its_length),
        cmocka_unit_test(a_heavy_load_on_a_light_rope_does_not_lengthen_it),
        cmocka_unit_test(what_is_soft_stays_soft),
        cmocka_unit_test(a_limit_holds_what_is_soft),
        cmocka_unit_test(threads_and_instruction_sets_give_the_same_bits),
        cmocka_unit_test(a_copy_goes_on_with_the_same_bits),
        cmocka_unit_test(what_is_taken_back_leaves_no_trace),
        cmocka_unit_test(tethers_follow_what_is_held),
        cmocka_unit_test(a_limit_is_a_share),
        cmocka_unit_test(they_count_as_work_of_a_tick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
