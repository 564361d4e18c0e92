// Plastic bending: rest angles that flow, by the closed form of their step and by what sheets with creases do; and rest values
// that an edit takes from another shape.
#include "helper_scene.h"

#include "base/thread.h"
#include "sim/state/state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PI 3.14159265358979323846
#define FLOW_LEAST 6.103515625e-5

static struct fault fault;

// ---------------------------------------------------------------------------------------------- one hinge

// Two triangles at the edge from particle 0 to particle 1, whose second wing is folded by the angle. Nothing moves by itself.
struct hinge {
    struct sim *sim;
    uint32_t body, id;
};

static const uint32_t hinge_triangles[] = {0, 1, 2, 1, 0, 3};

static void hinge_places(double angle, double x[4][3])
{
    const double places[4][3] = {
        {0, 0, 0}, {0, 0, 0.2}, {0.1, 0, 0.1}, {-0.1 * cos(angle), -0.1 * sin(angle), 0.1}};
    memcpy(x, places, sizeof places);
}

static struct sim_body_desc hinge_desc(const double *positions, struct sim_plastic plastic)
{
    static const double masses[4] = {0};
    return (struct sim_body_desc){.kind = SIM_CLOTH,
                                  .particle_count = 4,
                                  .positions = positions,
                                  .triangles = hinge_triangles,
                                  .triangle_count = 2,
                                  .masses = masses,
                                  .stretch = {.stiffness = -1},
                                  .bend_model = SIM_BEND_DEFAULT,
                                  .bend = {.compliance = 1, .stiffness = -1, .plastic = plastic},
                                  .volume = {.stiffness = -1}};
}

static void hinge_fold(const struct hinge *hinge, double angle)
{
    static const uint32_t all[] = {0, 1, 2, 3};
    double x[4][3];
    hinge_places(angle, x);
    assert_int_equal(sim_particles_set(hinge->sim, hinge->body, all, 4, x[0], NULL, NULL, &fault),
                     FAULT_NONE);
}

static struct hinge hinge_create(struct sim_settings settings, struct sim_plastic plastic, double angle)
{
    struct hinge hinge = {.sim = scene_create(settings)};
    double x[4][3];
    hinge_places(angle, x);
    const struct sim_body_desc desc = hinge_desc(x[0], plastic);
    const struct sim_body_added added = scene_add_all(hinge.sim, &desc);
    hinge.body = added.body;
    hinge.id = added.constraint_first[SIM_DIHEDRAL];
    assert_int_equal(added.constraint_count[SIM_DIHEDRAL], 1);
    return hinge;
}

static double rest_of(const struct sim *sim, uint32_t id)
{
    struct sim_constraint constraint;
    assert_true(sim_constraint_get(sim, id, &constraint));
    return constraint.rest;
}

// The rest angle after one step of the closed form.
static double step_of(double rest, double angle, struct sim_plastic plastic, double h)
{
    const double turn = remainder(angle - rest, 2 * PI), past = fabs(turn) - plastic.yield;
    const double next = rest + copysign(past, turn) * (h * plastic.rate / (1 + h * plastic.rate));
    const double high = fmax(plastic.greatest, rest), low = fmin(-plastic.greatest, rest);
    return past > FLOW_LEAST ? fmax(low, fmin(next, high)) : rest;
}

static void a_hinge_that_is_bent_past_its_yield_flows_as_the_closed_form_says(void **state)
{
    (void)state;
    static const double angles[] = {0.15, 0.5, 0.5, -0.3, 1.2, 0, 2.9, -3, -2.9, 3.1, 0.1};
    static const struct sim_plastic cases[] = {
        {0.2, 1e6, 2.5}, {0.2, 60, 2.967}, {0, 5, 1}, {0.5, 1e6, 0}, {0, 1e6, 2.967}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct hinge hinge = hinge_create(scene_still(60), cases[c], 0);
        double expected = 0;
        assert_near(rest_of(hinge.sim, hinge.id), 0, 0);
        for (size_t a = 0; a < sizeof angles / sizeof *angles; a++) {
            hinge_fold(&hinge, angles[a]);
            scene_run(hinge.sim, 1);
            expected = step_of(expected, angles[a], cases[c], 1.0 / 60);
            assert_near(rest_of(hinge.sim, hinge.id), expected, 1e-6 * (double)(a + 1));
        }
        sim_destroy(hinge.sim);
    }
}

// theta0 = theta (1 - (1 + h r)^-n) for a hinge without a yield that is held at theta.
static void a_hinge_that_is_held_creeps_at_its_rate(void **state)
{
    (void)state;
    struct sim_settings settings = scene_still(60);
    settings.substeps = 20;
    struct hinge hinge = hinge_create(settings, (struct sim_plastic){0, 2, 2.967}, 0);
    hinge_fold(&hinge, 1);
    scene_run(hinge.sim, 60);
    assert_near(rest_of(hinge.sim, hinge.id), 0.864439221, 1e-5);
    sim_destroy(hinge.sim);
}

static void no_rest_angle_flows_past_the_greatest_but_one_that_is_there_may_come_back(void **state)
{
    (void)state;
    const struct sim_plastic plastic = {0.1, 100, 0.5};
    struct hinge hinge = hinge_create(scene_still(60), plastic, 0);
    hinge_fold(&hinge, 1.5);
    scene_run(hinge.sim, 30);
    assert_true(rest_of(hinge.sim, hinge.id) == 0.5);
    sim_destroy(hinge.sim);
    hinge = hinge_create(scene_still(60), plastic, 1); // made with a crease of 1
    hinge_fold(&hinge, 1.5);
    scene_run(hinge.sim, 30);
    assert_near(rest_of(hinge.sim, hinge.id), 1, 1e-6);
    hinge_fold(&hinge, 0.7);
    scene_run(hinge.sim, 30);
    assert_near(rest_of(hinge.sim, hinge.id), 0.8, 1e-4);
    hinge_fold(&hinge, -1.5);
    scene_run(hinge.sim, 30);
    assert_true(rest_of(hinge.sim, hinge.id) == -0.5);
    sim_destroy(hinge.sim);
}

// ------------------------------------------------------------------------------------------------- sheets

enum { SIDE = 3 };

struct sheet {
    struct sim *sim;
    uint32_t body, first, count; // ids of its hinges
};

static struct sheet sheet_create(struct sim_settings settings, uint32_t side, struct sim_plastic plastic,
                                 enum sim_bend model)
{
    struct sheet sheet = {.sim = scene_create(settings)};
    struct scene_mesh mesh = scene_grid(side, side, 0.02, (const double[]){0, 0, 0});
    struct sim_body_desc desc = scene_cloth(&mesh);
    desc.density = 0.2;
    desc.bend_model = model;
    desc.bend = (struct sim_material){.compliance = 1e5, .stiffness = -1, .plastic = plastic};
    const struct sim_body_added added = scene_add_all(sheet.sim, &desc);
    sheet.body = added.body;
    sheet.first = added.constraint_first[SIM_DIHEDRAL];
    sheet.count = added.constraint_count[SIM_DIHEDRAL];
    scene_mesh_deinit(&mesh);
    return sheet;
}

// Leads the last column of a sheet of three columns round the middle one to an angle, in so many ticks.
static void sheet_fold(const struct sheet *sheet, double from, double to, uint32_t ticks)
{
    static const uint32_t last[SIDE] = {2, 5, 8};
    for (uint32_t t = 1; t <= ticks; t++) {
        const double angle = from + (to - from) * t / ticks;
        double x[SIDE][3];
        for (int r = 0; r < SIDE; r++) {
            x[r][0] = 0.02 * (1 + cos(angle));
            x[r][1] = 0.02 * sin(angle);
            x[r][2] = 0.02 * r;
        }
        assert_int_equal(sim_particles_pin(sheet->sim, sheet->body, last, SIDE, x[0], &fault), FAULT_NONE);
        scene_run(sheet->sim, 1);
    }
}

static double sheet_angle(const struct sheet *sheet)
{
    double x[3];
    scene_position(sheet->sim, sheet->body, 5, x);
    return atan2(x[1], x[0] - 0.02);
}

static void a_strip_that_is_folded_and_let_go_keeps_all_but_its_yield(void **state)
{
    (void)state;
    static const uint32_t held[] = {0, 1, 3, 4, 6, 7}, last[] = {2, 5, 8};
    struct sim_settings settings = scene_still(60);
    settings.substeps = 20;
    settings.damping = 10;
    struct sheet sheet =
        sheet_create(settings, SIDE, (struct sim_plastic){0.4, 1e6, 2.967}, SIM_BEND_DIHEDRAL);
    assert_int_equal(sim_particles_pin(sheet.sim, sheet.body, held, 6, NULL, &fault), FAULT_NONE);
    sheet_fold(&sheet, 0, 1.5, 60);
    sheet_fold(&sheet, 1.5, 1.5, 2); // so that it is let go without a velocity
    assert_near(sheet_angle(&sheet), 1.5, 1e-6);
    assert_int_equal(sim_particles_unpin(sheet.sim, sheet.body, last, 3, &fault), FAULT_NONE);
    scene_run(sheet.sim, 300);
    assert_near(sheet_angle(&sheet), 1.1, 2e-4);
    sim_destroy(sheet.sim);
}

static void momentum_of(const struct sheet *sheet, double linear[3], double angular[3])
{
    double masses[SIDE * SIDE];
    sim_body_masses(sheet->sim, sheet->body, masses);
    memset(linear, 0, 3 * sizeof *linear);
    memset(angular, 0, 3 * sizeof *angular);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        double x[3];
        float v[3];
        scene_position(sheet->sim, sheet->body, i, x);
        scene_velocity(sheet->sim, sheet->body, i, v);
        for (int a = 0; a < 3; a++) {
            const int b = (a + 1) % 3, c = (a + 2) % 3;
            linear[a] += masses[i] * (double)v[a];
            angular[a] += masses[i] * (x[b] * (double)v[c] - x[c] * (double)v[b]);
        }
    }
}

// The wings of a free sheet fold by themselves, so that it creases in flight.
static void a_free_sheet_keeps_momentum_and_angular_momentum_while_it_creases(void **state)
{
    (void)state;
    uint32_t all[SIDE * SIDE];
    struct sim_settings settings = scene_still(60);
    settings.substeps = 20;
    struct sheet sheet =
        sheet_create(settings, SIDE, (struct sim_plastic){0.05, 50, 2.967}, SIM_BEND_DIHEDRAL);
    float v[SIDE * SIDE][3];
    double before[2][3], after[2][3];
    for (int i = 0; i < SIDE * SIDE; i++) {
        all[i] = (uint32_t)i;
        v[i][0] = 0.05f;
        v[i][1] = i % SIDE == 0 ? 0.1f : i % SIDE == 2 ? 0.15f : 0;
        v[i][2] = -0.02f;
    }
    assert_int_equal(sim_particles_set(sheet.sim, sheet.body, all, SIDE * SIDE, NULL, v[0], NULL, &fault),
                     FAULT_NONE);
    momentum_of(&sheet, before[0], before[1]);
    scene_run(sheet.sim, 30);
    momentum_of(&sheet, after[0], after[1]);
    double creased = 0, mass = 0, masses[SIDE * SIDE];
    for (uint32_t i = 0; i < sheet.count; i++) {
        creased = fmax(creased, fabs(rest_of(sheet.sim, sheet.first + i)));
    }
    sim_body_masses(sheet.sim, sheet.body, masses);
    for (int i = 0; i < SIDE * SIDE; i++) {
        mass += masses[i];
    }
    assert_true(creased > 0.1);
    for (int a = 0; a < 3; a++) {
        assert_near(after[0][a], before[0][a], mass * 2e-4); // m/s, of rounding
        assert_near(after[1][a], before[1][a], mass * 0.02 * 4e-4);
    }
    sim_destroy(sheet.sim);
}

// -------------------------------------------------------------------------------------------------- state

// The hinge that is creased most.
static uint32_t crease_of(const struct sheet *sheet)
{
    uint32_t most = sheet->first;
    for (uint32_t i = 1; i < sheet->count; i++) {
        const uint32_t id = sheet->first + i;
        most = fabs(rest_of(sheet->sim, id)) > fabs(rest_of(sheet->sim, most)) ? id : most;
    }
    return most;
}

// A sheet that swings and creases, some ticks on.
static struct sheet creasing(enum sim_bend model)
{
    static const uint32_t held[] = {0, 1, 3, 4, 6, 7};
    struct sim_settings settings = scene_still(60);
    settings.gravity[1] = -9.81;
    settings.substeps = 10;
    settings.damping = 5;
    settings.sleep = true;
    struct sheet sheet = sheet_create(settings, SIDE, (struct sim_plastic){0.1, 20, 2.967}, model);
    assert_int_equal(sim_particles_pin(sheet.sim, sheet.body, held, 6, NULL, &fault), FAULT_NONE);
    return sheet;
}

static void rest_angles_are_in_hash_and_image_and_a_reset_takes_creases_out(void **state)
{
    (void)state;
    struct sheet sheet = creasing(SIM_BEND_DEFAULT);
    struct sim_body_info info;
    struct sim_image image;
    struct sim_image_place place;
    assert_true(sim_body_info(sheet.sim, sheet.body, &info));
    assert_int_equal(info.bend_model, SIM_BEND_DIHEDRAL); // although the sheet is flat
    scene_run(sheet.sim, 1);
    sim_reset(sheet.sim);
    const uint64_t began = sim_hash(sheet.sim);
    scene_run(sheet.sim, 10);
    const uint64_t ran = sim_hash(sheet.sim);
    assert_true(sim_image_take(sheet.sim, &image));
    struct sim *made = sim_image_make(&image, &scene_limits, &place, &fault);
    assert_non_null(made);
    assert_true(sim_hash(made) == ran);
    // Forces that are asked for change nothing.
    bool hold;
    assert_int_equal(sim_multipliers_find(sheet.sim, &hold, &fault), FAULT_NONE);
    sim_multipliers_drop(sheet.sim);
    assert_true(sim_hash(sheet.sim) == ran);
    scene_run(sheet.sim, 15);
    scene_run(made, 15);
    assert_true(sim_hash(sheet.sim) == sim_hash(made));
    sim_image_deinit(&image);
    sim_destroy(made);
    sim_reset(sheet.sim);
    for (uint32_t i = 0; i < sheet.count; i++) {
        assert_true(rest_of(sheet.sim, sheet.first + i) == 0);
    }
    assert_true(sim_hash(sheet.sim) == began);
    scene_run(sheet.sim, 10);
    assert_true(sim_hash(sheet.sim) == ran);
    // Another yield alone makes another state, and so do other rest angles.
    const struct sim_material bend = {.compliance = 1e5, .stiffness = -1, .plastic = {0.2, 20, 2.967}};
    assert_int_equal(sim_body_set(sheet.sim, sheet.body, &(struct sim_body_change){.bend = &bend}, &fault),
                     FAULT_NONE);
    const uint64_t stiffer = sim_hash(sheet.sim);
    assert_true(stiffer != ran);
    const double rest = 0.25;
    assert_int_equal(sim_constraints_set(sheet.sim, &sheet.first, 1,
                                         &(struct sim_constraint_values){.rest = &rest}, &fault),
                     FAULT_NONE);
    assert_true(sim_hash(sheet.sim) != stiffer);
    sim_destroy(sheet.sim);
}

static void a_still_keeps_the_rest_angles_and_gives_them_back(void **state)
{
    (void)state;
    struct sheet sheet = creasing(SIM_BEND_DIHEDRAL);
    scene_run(sheet.sim, 8);
    const uint64_t before = sim_hash(sheet.sim);
    struct sim_still *still = sim_still_create(sheet.sim);
    assert_non_null(still);
    sim_still_begin(still, sheet.sim);
    scene_run(sheet.sim, 7);
    assert_true(sim_still_go_on(still, 1000));
    sim_still_end(still);
    const uint64_t after = sim_hash(sheet.sim);
    assert_true(after != before);
    assert_true(sim_hash(sim_still_sim(still)) == before);
    sim_still_give_back(still, sheet.sim);
    assert_true(sim_hash(sheet.sim) == before);
    scene_run(sheet.sim, 7);
    assert_true(sim_hash(sheet.sim) == after);
    sim_still_destroy(still);
    sim_destroy(sheet.sim);
}

static void a_tick_that_fails_gives_the_rest_angles_back(void **state)
{
    (void)state;
    struct sheet sheet = creasing(SIM_BEND_DIHEDRAL);
    const double masses[] = {1};
    struct sim_body_desc desc = scene_points((const double[]){0, 0, 9}, 1, masses);
    const uint32_t other = scene_add(sheet.sim, &desc), first = 0;
    const float away[3] = {0, 0, 300}; // farther than any particle may go in a tick
    struct sim_failure failure;
    scene_run(sheet.sim, 8);
    const uint32_t hinge = crease_of(&sheet);
    const double rest = rest_of(sheet.sim, hinge);
    assert_true(rest != 0);
    assert_int_equal(sim_particles_set(sheet.sim, other, &first, 1, NULL, away, NULL, &fault), FAULT_NONE);
    const uint64_t before = sim_hash(sheet.sim);
    assert_true(sim_step(sheet.sim, NULL, NULL, &failure));
    assert_true(failure.failed);
    assert_true(sim_hash(sheet.sim) == before && rest_of(sheet.sim, hinge) == rest);
    sim_destroy(sheet.sim);
}

static bool is_asleep(const struct sim *sim, uint32_t body)
{
    struct sim_body_info info;
    assert_true(sim_body_info(sim, body, &info));
    return info.asleep;
}

// Nothing moves, and the rest angle alone flows: 5/s over ln(1/FLOW_LEAST) = 9.7 takes 1.94 s.
static void a_body_does_not_sleep_before_its_rest_angles_have_come_to_an_end(void **state)
{
    (void)state;
    struct sim_settings settings = scene_still(60);
    settings.sleep = true;
    struct hinge hinge = hinge_create(settings, (struct sim_plastic){0, 5, 2.967}, 0);
    hinge_fold(&hinge, 1);
    scene_run(hinge.sim, 116 + 58);
    assert_false(is_asleep(hinge.sim, hinge.body));
    scene_run(hinge.sim, 20);
    assert_true(is_asleep(hinge.sim, hinge.body));
    const double rest = rest_of(hinge.sim, hinge.id);
    assert_near(rest, 1, FLOW_LEAST + 1e-6);
    const uint64_t asleep = sim_hash(hinge.sim);
    scene_run(hinge.sim, 5);
    assert_true(sim_hash(hinge.sim) == asleep);
    // A sim made of its image sleeps on, and another rest angle wakes both.
    struct sim_image image;
    struct sim_image_place place;
    const double flat = 0;
    assert_true(sim_image_take(hinge.sim, &image));
    struct sim *sims[] = {hinge.sim, sim_image_make(&image, &scene_limits, &place, &fault)};
    assert_non_null(sims[1]);
    scene_run(sims[1], 1);
    assert_true(sim_hash(sims[1]) == asleep);
    for (int s = 0; s < 2; s++) {
        assert_int_equal(sim_constraints_set(sims[s], &hinge.id, 1,
                                             &(struct sim_constraint_values){.rest = &flat}, &fault),
                         FAULT_NONE);
        scene_run(sims[s], 3);
        assert_false(is_asleep(sims[s], hinge.body));
        assert_true(rest_of(sims[s], hinge.id) > 0.1);
    }
    assert_true(sim_hash(sims[0]) == sim_hash(sims[1]));
    sim_image_deinit(&image);
    sim_destroy(sims[1]);
    sim_destroy(hinge.sim);
}

// An undo puts values of constraints back, and rest angles only where the edit overwrote them.
static void an_undo_takes_no_crease_back_that_the_edit_did_not_make(void **state)
{
    (void)state;
    const double soft = 5, rest = -0.3;
    for (int rests = 0; rests < 2; rests++) {
        struct sheet sheet = creasing(SIM_BEND_DIHEDRAL);
        struct sim_image image;
        scene_run(sheet.sim, 8);
        const uint32_t hinge = crease_of(&sheet);
        const struct sim_parts parts = {.constraints = &hinge, .constraint_count = 1, .rests = rests != 0};
        const struct sim_constraint_values values = {.compliance = &soft, .rest = rests ? &rest : NULL};
        const double was = rest_of(sheet.sim, hinge);
        const uint64_t before = sim_hash(sheet.sim);
        assert_true(sim_image_take_parts(sheet.sim, &parts, &image));
        assert_int_equal(sim_constraints_set(sheet.sim, &hinge, 1, &values, &fault), FAULT_NONE);
        assert_int_equal(sim_own_restore(sheet.sim, &image.owns[0], &fault), FAULT_NONE);
        assert_true(sim_hash(sheet.sim) == before); // at once, it leaves no trace
        scene_run(sheet.sim, 8);
        const double now = rest_of(sheet.sim, hinge);
        assert_true(now != was);
        assert_int_equal(sim_own_restore(sheet.sim, &image.owns[0], &fault), FAULT_NONE);
        assert_true(rest_of(sheet.sim, hinge) == (rests ? was : now));
        sim_image_deinit(&image);
        sim_destroy(sheet.sim);
    }
}

// ------------------------------------------------------------------------------------------------ the same

enum { LARGE = 66 }; // so many a side that a tick uses threads

static uint64_t life(enum sim_isa isa, uint32_t threads)
{
    const enum sim_isa before = sim_isa_chosen();
    struct sim_settings settings = scene_settings();
    settings.substeps = 4;
    sim_isa_choose(isa);
    struct sheet sheet = sheet_create(settings, LARGE, (struct sim_plastic){0.01, 50, 1}, SIM_BEND_DIHEDRAL);
    struct base_team *team = threads > 1 ? base_team_create(threads) : NULL;
    uint64_t seed = 7, sum = 0;
    static float v[LARGE * LARGE][3];
    static uint32_t all[LARGE * LARGE];
    for (uint32_t i = 0; i < LARGE * LARGE; i++) {
        all[i] = i;
        v[i][1] = (float)(scene_uniform(&seed) - 0.5);
    }
    assert_int_equal(sim_particles_set(sheet.sim, sheet.body, all, LARGE * LARGE, NULL, v[0], NULL, &fault),
                     FAULT_NONE);
    for (int t = 0; t < 4; t++) {
        struct sim_failure failure;
        sim_step(sheet.sim, team ? base_team_parallel(team) : NULL, NULL, &failure);
        assert_false(failure.failed);
        sum = sum * 31 + sim_hash(sheet.sim);
    }
    uint32_t flowed = 0;
    for (uint32_t i = 0; i < sheet.count; i++) {
        flowed += rest_of(sheet.sim, sheet.first + i) != 0;
    }
    assert_true(flowed > sheet.count / 4);
    base_team_destroy(team);
    sim_destroy(sheet.sim);
    sim_isa_choose(before);
    return sum;
}

static void creases_are_the_same_whatever_computes_them(void **state)
{
    (void)state;
    const uint64_t sum = life(SIM_ISA_SCALAR, 1);
    for (int isa = 1; isa < SIM_ISA_COUNT; isa++) {
        if (sim_isa_available((enum sim_isa)isa)) {
            assert_true(life((enum sim_isa)isa, 1) == sum);
        }
    }
    assert_true(life(sim_isa_chosen(), 3) == sum);
}

// An elastic body whose plastic numbers say nothing goes as before, and so does one that never yields.
static void a_body_that_does_not_yield_moves_as_an_elastic_one(void **state)
{
    (void)state;
    double x[2][3];
    for (int yields = 0; yields < 2; yields++) {
        struct sheet sheet = creasing(SIM_BEND_DIHEDRAL);
        const struct sim_material bend = {.compliance = 1e5,
                                          .stiffness = -1,
                                          .plastic = {SIM_YIELD_MAX, yields ? 20 : 0, yields ? 2.967 : 0}};
        assert_int_equal(
            sim_body_set(sheet.sim, sheet.body, &(struct sim_body_change){.bend = &bend}, &fault),
            FAULT_NONE);
        scene_run(sheet.sim, 20);
        scene_position(sheet.sim, sheet.body, 5, x[yields]);
        sim_destroy(sheet.sim);
    }
    assert_memory_equal(x[0], x[1], sizeof x[0]);
}

// -------------------------------------------------------------------------------------------- other shapes

static enum fault_code shape_set(const struct sheet *sheet, struct sim_rest_shape shape)
{
    return sim_body_set(sheet->sim, sheet->body, &(struct sim_body_change){.rest = &shape}, &fault);
}

static void a_body_rests_at_the_shape_that_it_is_given(void **state)
{
    (void)state;
    static const uint32_t held[] = {0, 1, 3, 4, 6, 7};
    struct sim_settings settings = scene_still(60);
    struct sheet sheet = sheet_create(settings, SIDE, (struct sim_plastic){0}, SIM_BEND_DIHEDRAL);
    assert_int_equal(sim_particles_pin(sheet.sim, sheet.body, held, 6, NULL, &fault), FAULT_NONE);
    sheet_fold(&sheet, 0, 1.2, 20);
    assert_int_equal(shape_set(&sheet, (struct sim_rest_shape){.angles = true}), FAULT_NONE);
    double greatest = 0;
    for (uint32_t i = 0; i < sheet.count; i++) {
        greatest = fmax(greatest, fabs(rest_of(sheet.sim, sheet.first + i)));
    }
    assert_near(greatest, 1.2, 1e-5);
    // A shape twice as large has the same angles, and edges twice as long.
    double positions[SIDE * SIDE][3];
    struct sim_constraint edge;
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        scene_position(sheet.sim, sheet.body, i, positions[i]);
        for (int axis = 0; axis < 3; axis++) {
            positions[i][axis] *= 2;
        }
    }
    assert_int_equal(
        shape_set(&sheet,
                  (struct sim_rest_shape){.positions = positions[0], .angles = true, .lengths = true}),
        FAULT_NONE);
    double longest = 0;
    for (edge.id = 0; sim_constraint_next(sheet.sim, SIM_DISTANCE, edge.id, &edge);) {
        longest = fmax(longest, edge.rest);
    }
    assert_near(longest, 0.04 * sqrt(2), 1e-7);
    sim_destroy(sheet.sim);
}

static void wrong_values_are_refused_by_their_names(void **state)
{
    (void)state;
    static const struct {
        struct sim_plastic plastic;
        const char *field;
    } wrong[] = {
        {{-0.1, 1, 1}, "bend.plastic.yield_angle"},     {{NAN, 1, 1}, "bend.plastic.yield_angle"},
        {{4, 1, 1}, "bend.plastic.yield_angle"},        {{0.1, -1, 1}, "bend.plastic.rate"},
        {{0.1, NAN, 1}, "bend.plastic.rate"},     {{0.1, 1e7, 1}, "bend.plastic.rate"},
        {{0.1, 1, 3.1}, "bend.plastic.greatest"}, {{0.1, 1, NAN}, "bend.plastic.greatest"},
    };
    struct sheet sheet = creasing(SIM_BEND_DIHEDRAL);
    const uint64_t before = sim_hash(sheet.sim);
    double x[4][3];
    hinge_places(0, x);
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        const struct sim_material bend = {.stiffness = -1, .plastic = wrong[w].plastic};
        const struct sim_body_desc desc = hinge_desc(x[0], wrong[w].plastic);
        assert_int_equal(
            sim_body_set(sheet.sim, sheet.body, &(struct sim_body_change){.bend = &bend}, &fault),
            FAULT_INVALID);
        assert_string_equal(fault.field, wrong[w].field);
        assert_null(sim_body_prepare(&desc, SCENE_Q, 1e6, &scene_limits, &fault));
        assert_string_equal(fault.field, wrong[w].field);
    }
    // Bending of other models rests flat.
    struct sim_body_desc desc = hinge_desc(x[0], (struct sim_plastic){0.1, 1, 1});
    desc.bend_model = SIM_BEND_QUADRATIC;
    assert_null(sim_body_prepare(&desc, SCENE_Q, 1e6, &scene_limits, &fault));
    assert_string_equal(fault.field, "bend.plastic");
    double far[SIDE * SIDE][3] = {{0}};
    far[0][0] = 9;
    assert_int_equal(shape_set(&sheet, (struct sim_rest_shape){.positions = far[0], .lengths = true}),
                     FAULT_INVALID);
    assert_string_equal(fault.field, "rest_shape");
    far[0][0] = NAN;
    assert_int_equal(shape_set(&sheet, (struct sim_rest_shape){.positions = far[0], .angles = true}),
                     FAULT_INVALID);
    assert_string_equal(fault.field, "rest_shape.positions");
    assert_int_equal(shape_set(&sheet, (struct sim_rest_shape){0}), FAULT_INVALID);
    assert_string_equal(fault.field, "rest_shape");
    assert_true(sim_hash(sheet.sim) == before);
    sim_destroy(sheet.sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hinge_that_is_bent_past_its_yield_flows_as_the_closed_form_says),
        cmocka_unit_test(a_hinge_that_is_held_creeps_at_its_rate),
        cmocka_unit_test(no_rest_angle_flows_past_the_greatest_but_one_that_is_there_may_come_back),
        cmocka_unit_test(a_strip_that_is_folded_and_let_go_keeps_all_but_its_yield),
        cmocka_unit_test(a_free_sheet_keeps_momentum_and_angular_momentum_while_it_creases),
        cmocka_unit_test(rest_angles_are_in_hash_and_image_and_a_reset_takes_creases_out),
        cmocka_unit_test(a_still_keeps_the_rest_angles_and_gives_them_back),
        cmocka_unit_test(a_tick_that_fails_gives_the_rest_angles_back),
        cmocka_unit_test(a_body_does_not_sleep_before_its_rest_angles_have_come_to_an_end),
        cmocka_unit_test(an_undo_takes_no_crease_back_that_the_edit_did_not_make),
        cmocka_unit_test(creases_are_the_same_whatever_computes_them),
        cmocka_unit_test(a_body_that_does_not_yield_moves_as_an_elastic_one),
        cmocka_unit_test(a_body_rests_at_the_shape_that_it_is_given),
        cmocka_unit_test(wrong_values_are_refused_by_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
