// Ticks that rest come to the same bits, and none may be longer than the limit.
#include "helper_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct sim *make_sim(uint32_t iterations, double wind)
{
    struct sim_settings settings = scene_settings();
    settings.substeps = 6;
    settings.iterations = iterations;
    settings.wind = (struct sim_wind){.velocity = {3, 0, 1}, .drag = 1, .lift = 0.5, .density = wind};
    struct sim *sim = scene_create(settings);
    const double above[3] = {-0.5, 1, -0.5};
    struct scene_mesh mesh = scene_grid(20, 20, 0.05, above);
    struct sim_body_desc desc = scene_cloth(&mesh);
    const uint32_t pins[1] = {0};
    desc.pins = pins;
    desc.pin_count = 1;
    scene_add(sim, &desc);
    scene_mesh_deinit(&mesh);
    return sim;
}

struct rest {
    uint32_t asked, every;
};

static bool rests(void *context)
{
    struct rest *rest = context;
    return ++rest->asked % rest->every == 0;
}

static void nothing(void *context, uint32_t substep)
{
    (void)context;
    (void)substep;
}

static void a_tick_that_rests_comes_to_the_same_bits(void **state)
{
    (void)state;
    for (uint32_t variant = 0; variant < 8; variant++) {
        uint32_t iterations = variant & 1 ? 3 : 1;
        double wind = variant & 2 ? 1.2 : 0;
        struct sim *whole = make_sim(iterations, wind), *parts = make_sim(iterations, wind);
        struct rest rest = {.every = 1 + variant % 3};
        const struct sim_hooks hooks = {
            .context = &rest, .on_pause = rests, .on_substep = variant & 4 ? nothing : NULL};
        for (uint32_t tick = 0; tick < 20; tick++) {
            struct sim_failure failure;
            uint32_t calls = 1;
            assert_true(sim_step(whole, NULL, NULL, &failure));
            while (!sim_step(parts, NULL, &hooks, &failure)) {
                calls++;
            }
            assert_false(failure.failed);
            assert_int_equal(calls, 1 + rest.asked / rest.every);
            rest.asked = 0;
            assert_true(sim_hash(whole) == sim_hash(parts));
        }
        sim_destroy(whole);
        sim_destroy(parts);
    }
}

static void a_tick_that_is_dropped_leaves_a_sim_to_destroy(void **state)
{
    (void)state;
    struct sim *sim = make_sim(2, 0);
    struct rest rest = {.every = 3};
    const struct sim_hooks hooks = {.context = &rest, .on_pause = rests};
    struct sim_failure failure;
    assert_true(sim_at_boundary(sim));
    assert_false(sim_step(sim, NULL, &hooks, &failure));
    assert_false(sim_at_boundary(sim));
    sim_step_drop(sim);
    assert_false(sim_at_boundary(sim)); // for good
    sim_destroy(sim);
}

static void work_past_the_limit_is_refused_whatever_would_bring_it(void **state)
{
    (void)state;
    struct sim_settings settings = scene_settings();
    settings.substeps = 10;
    settings.iterations = 10;
    // With 4 particles and 3 constraints: 10 (4 + 10 · 3) = 340; a collider adds 10 · 10 · 4.
    const struct sim_limits limits = {
        .bodies = 4, .particles = 100, .constraints = 100, .colliders = 4, .grabs = 4, .work = 800};
    struct sim *sim = scene_create_limited(settings, limits);
    const double corner[3] = {0, 0, 0};
    struct scene_mesh mesh = scene_grid(2, 2, 1, corner);
    mesh.triangle_count = 1; // and one particle in none
    struct sim_body_desc desc = scene_cloth(&mesh);
    scene_add(sim, &desc);
    struct sim_collider floor = {.kind = SIM_PLANE, .rotation = {0, 0, 0, 1}};
    struct fault fault;
    uint32_t id;
    assert_int_equal(sim_collider_add(sim, &floor, &id, &fault), FAULT_NONE); // 740
    assert_int_equal(sim_collider_add(sim, &floor, &id, &fault), FAULT_LIMIT);
    assert_non_null(strstr(fault.text, "1140"));
    assert_non_null(strstr(fault.text, "800 (limit tick_work)"));
    settings.substeps = 11;
    assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_LIMIT); // 814
    assert_string_equal(fault.field, "substeps");
    assert_int_equal(sim_settings_of(sim)->substeps, 10);
    settings.substeps = 5;
    settings.iterations = 21;
    assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_NONE); // 755
    uint32_t grab;
    assert_int_equal(sim_grab_begin(sim, 1, 2, NULL, 0, &grab, &fault), FAULT_LIMIT);
    struct sim_body_plan *plan =
        sim_body_prepare(&desc, settings.resolution, settings.extent, &limits, &fault);
    assert_non_null(plan);
    assert_true(sim_body_plan_bytes(plan) > 3 * 64);
    struct sim_body_added added;
    assert_int_equal(sim_body_attach(sim, plan, &added, &fault), FAULT_LIMIT);
    sim_body_plan_destroy(plan);
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
}

// Adds a body to a sim of no more work than `work`.
static enum fault_code add_within(struct sim_settings settings, const struct sim_body_desc *desc,
                                  uint64_t work)
{
    const struct sim_limits limits = {.bodies = 4, .particles = 100, .constraints = 100, .work = work};
    struct sim *sim = scene_create_limited(settings, limits);
    struct fault fault;
    struct sim_body_added added;
    struct sim_body_plan *plan =
        sim_body_prepare(desc, settings.resolution, settings.extent, &limits, &fault);
    assert_non_null(plan);
    const enum fault_code code = sim_body_attach(sim, plan, &added, &fault);
    assert_true(code == FAULT_NONE || strstr(fault.text, "limit tick_work"));
    assert_true((code != FAULT_NONE && (settings.long_edges || settings.bending_solved)) ==
                (code != FAULT_NONE && strstr(fault.text, "without long_edges")));
    // A setting that comes later counts as much.
    if (code == FAULT_NONE) {
        assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_NONE);
    } else {
        sim_body_plan_destroy(plan); // it is the sim's otherwise
    }
    sim_destroy(sim);
    return code;
}

static void check_work(struct sim_settings settings, const struct sim_body_desc *desc, uint64_t work)
{
    assert_int_equal(add_within(settings, desc, work), FAULT_NONE);
    assert_int_equal(add_within(settings, desc, work - 1), FAULT_LIMIT);
}

static void long_edges_and_solved_bending_count_for_the_bodies_that_have_them(void **state)
{
    (void)state;
    struct sim_settings settings = scene_settings();
    settings.substeps = 10;
    settings.iterations = 2;
    const double corner[3] = {0, 0, 0};
    struct scene_mesh mesh = scene_grid(2, 2, 1, corner);
    struct sim_body_desc desc = scene_cloth(&mesh);
    desc.bend_model = SIM_BEND_QUADRATIC;
    desc.bend = (struct sim_material){.compliance = 1, .stiffness = -1};
    // 4 particles, 5 edges, and a bend: 10 (4 + 2 (5 + 1)).
    check_work(settings, &desc, 160);
    settings.long_edges = true; // 10 (4 + 2 (6 5 + 1 + 3 4))
    check_work(settings, &desc, 900);
    settings.bending_solved = true; // 10 (4 + 8 4 + 2 (6 5 + 1 + 3 4))
    check_work(settings, &desc, 1220);
    desc.bend_model = SIM_BEND_DIHEDRAL;
    check_work(settings, &desc, 900);
    // A soft body has neither: 10 (4 + 2 (6 + 1)).
    const uint32_t tets[4] = {0, 1, 2, 3};
    const double places[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const struct sim_body_desc soft = {.kind = SIM_SOFT,
                                       .positions = places,
                                       .particle_count = 4,
                                       .tets = tets,
                                       .tet_count = 1,
                                       .stretch = {.compliance = 1, .stiffness = -1},
                                       .volume = {.compliance = 1, .stiffness = -1},
                                       .density = 1,
                                       .thickness = 0.01};
    check_work(settings, &soft, 180);
    scene_mesh_deinit(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tick_that_rests_comes_to_the_same_bits),
        cmocka_unit_test(a_tick_that_is_dropped_leaves_a_sim_to_destroy),
        cmocka_unit_test(work_past_the_limit_is_refused_whatever_would_bring_it),
        cmocka_unit_test(long_edges_and_solved_bending_count_for_the_bodies_that_have_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
