// Worlds that untangle: what crosses at the start comes apart, and stays so; nothing of it is remembered from tick to tick.
#include "helper_sheet.h"

#include "base/thread.h"
#include "sim/contact/meet.h"
#include "sim/contact/untangle.h"
#include "sim/state/state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define EDGE SHEET_EDGE
#define THICK SHEET_THICK

static struct fault fault;

static struct sim_settings settings_of(bool untangle, double gravity)
{
    struct sim_settings settings = sheet_settings(20);
    settings.gravity[1] = gravity;
    settings.untangle = untangle;
    return settings;
}

// Two free sheets: one lies, the other stands in it.
static struct sim *crossed_pair(struct sim_settings settings, double x, double y, double far)
{
    struct sim *sim = scene_create(settings);
    struct sheet lies = sheet_of(11, 0, 2, far, 0, far),
                 stands = sheet_of(11, 0, 1, far + x, y, far + 0.1013);
    sheet_add(sim, &lies);
    sheet_add(sim, &stands);
    return sim;
}

// Puts the particles of a sheet where a function says, of those that it has across and along.
typedef void place(double across, double along, double x[3]);
static void sheet_put(struct sim *sim, uint32_t body, uint32_t side, place *where)
{
    uint32_t particles[400];
    double x[3 * 400];
    assert_true(side <= 20);
    for (uint32_t i = 0; i < side * side; i++) {
        particles[i] = i;
        where(i % side * EDGE, i / side * EDGE, x + 3 * (size_t)i);
    }
    assert_int_equal(sim_particles_set(sim, body, particles, side * side, x, NULL, NULL, &fault), FAULT_NONE);
}

static uint32_t block_add(struct sim *sim, uint32_t side, double x, double y, double z)
{
    const uint32_t cells[3] = {side, side, side};
    const double corner[3] = {x, y, z};
    struct scene_block block = scene_block(cells, EDGE, corner);
    struct sim_body_desc desc = scene_soft(&block);
    desc.thickness = THICK;
    desc.meeting = sheet_meets;
    desc.density = 100;
    desc.stretch.compliance = desc.volume.compliance = 1e-4;
    uint32_t body = scene_add(sim, &desc);
    scene_block_deinit(&block);
    return body;
}

// After so many ticks nothing crosses, and nothing does from then on. No particle is faster than `fast` meanwhile, m/s.
static void comes_apart(struct sim *sim, uint32_t ticks, double fast)
{
    assert_true(sim_crossings(sim) > 0);
    for (uint32_t t = 0; t < ticks; t++) {
        scene_run(sim, 1);
        for (uint32_t b = 0; b < sim_body_count(sim); b++) {
            struct sim_body_info info;
            assert_true(sim_body_info(sim, sim_body_id_at(sim, b), &info));
            for (uint32_t i = 0; i < info.particle_count; i++) {
                float v[3];
                scene_velocity(sim, info.body, i, v);
                assert_true(sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) < (float)fast);
            }
        }
    }
    sheet_run(sim, 60, 0);
    sim_destroy(sim);
}

// --------------------------------------------------------------------------------------------- what comes apart

static void sheets_that_cross_at_a_corner_a_side_and_in_the_middle(void **state)
{
    (void)state;
    comes_apart(crossed_pair(settings_of(true, 0), 0.1037, -0.0551, 0), 60, 2);
    comes_apart(crossed_pair(settings_of(true, 0), 0.0037, -0.0551, 0), 60, 2);
    comes_apart(crossed_pair(settings_of(true, 0), 0.0037, -0.1013, 0), 60, 2);
}

static void also_where_nothing_is_held_back(void **state)
{
    (void)state;
    struct sim_settings settings = settings_of(true, 0);
    settings.contact_quality = SIM_CONTACT_FAST;
    comes_apart(crossed_pair(settings, 0.1037, -0.0551, 0), 60, 2);
}

// Flat, round and back down through what is flat.
static void folded(double across, double along, double x[3])
{
    const double flat = 0.1, radius = 0.02, turn = 1.5 * 3.141592653589793;
    double angle = (across - flat) / radius, rest = across - flat - turn * radius;
    x[0] = across < flat ? across : angle < turn ? flat + radius * sin(angle) : flat - radius;
    x[1] = across < flat ? 0 : angle < turn ? radius - radius * cos(angle) : radius - rest;
    x[1] += 1e-4 * sin(37 * across + 23 * along);
    x[2] = along;
}

static void a_sheet_that_pokes_through_itself(void **state)
{
    (void)state;
    struct sim *sim = scene_create(settings_of(true, 0));
    struct sheet sheet = sheet_of(15, 0, 2, 0, 0, 0);
    sheet_put(sim, sheet_add(sim, &sheet), 15, folded);
    comes_apart(sim, 120, 3);
}

static void a_jelly_half_sunk_in_a_cloth(void **state)
{
    (void)state;
    struct sim *sim = scene_create(settings_of(true, -9.81));
    const uint32_t corners[4] = {0, 14, 210, 224};
    struct sheet sheet = sheet_of(15, 0, 2, 0, 0.1, 0);
    sheet.pins = corners;
    sheet.pin_count = 4;
    sheet_add(sim, &sheet);
    block_add(sim, 4, 0.103, 0.1 - 0.031, 0.1041);
    comes_apart(sim, 90, 4);
}

static void jellies_in_each_other(void **state)
{
    (void)state;
    struct sim *sim = scene_create(settings_of(true, -9.81));
    sheet_floor(sim);
    for (int i = 0; i < 4; i++) {
        block_add(sim, 4, 0.0532 * (i % 2) + 0.001 * i, 0.01 + 0.065 * (i / 2), 0.0023 * i);
    }
    comes_apart(sim, 90, 6);
}

static void tilted(double across, double along, double x[3])
{
    x[0] = 0.0037 + across;
    x[1] = 0.15 - 0.3 * along;
    x[2] = 0.0513 + 0.954 * along;
}

static void cloths_through_an_obstacle(void **state)
{
    (void)state;
    static const uint32_t pins[2] = {110, 120};
    struct sheet obstacle = sheet_of(11, 0, 2, 0, 0.12, 0);
    obstacle.is_static = true;
    // One hangs over its edge and through it, from two pins that stay where they are.
    struct sim *sim = scene_create(settings_of(true, -9.81));
    struct sheet hangs = sheet_of(11, 2, 1, 0.1013, 0.0551, 0.1713);
    hangs.wavy = 1;
    hangs.pins = pins;
    hangs.pin_count = 2;
    sheet_add(sim, &obstacle);
    sheet_add(sim, &hangs);
    comes_apart(sim, 60, 3);
    // Another one lies through it.
    sim = scene_create(settings_of(true, -9.81));
    struct sheet lies = sheet_of(11, 0, 2, 0, 0, 0);
    sheet_add(sim, &obstacle);
    sheet_put(sim, sheet_add(sim, &lies), 11, tilted);
    comes_apart(sim, 60, 12); // it slides off and falls
}

static void a_rope_through_a_cloth(void **state)
{
    (void)state;
    struct sim *sim = scene_create(settings_of(true, 0));
    struct sheet sheet = sheet_of(11, 0, 2, 0, 0, 0);
    double x[3 * 12];
    uint32_t edges[2 * 11];
    for (uint32_t i = 0; i < 12; i++) {
        x[3 * i] = 0.1013;
        x[3 * i + 1] = -0.0513 + EDGE * i;
        x[3 * i + 2] = 0.0987;
        edges[2 * (i < 11 ? i : 10)] = i < 11 ? i : 10;
        edges[2 * (i < 11 ? i : 10) + 1] = i < 11 ? i + 1 : 11;
    }
    sheet_add(sim, &sheet);
    struct sim_body_desc desc = scene_rope(x, 12, edges, 11, NULL);
    desc.thickness = THICK;
    desc.meeting = sheet_meets;
    desc.density = 0.01;
    scene_add(sim, &desc);
    comes_apart(sim, 60, 3);
}

// ------------------------------------------------------------------------------------------------- bounds

// Sums of mass times velocity.
static void momentum_of(const struct sim *sim, double sum[3])
{
    double masses[400];
    sum[0] = sum[1] = sum[2] = 0;
    for (uint32_t b = 0; b < sim_body_count(sim); b++) {
        struct sim_body_info info;
        assert_true(sim_body_info(sim, sim_body_id_at(sim, b), &info) && info.particle_count <= 400);
        sim_body_masses(sim, info.body, masses);
        for (uint32_t i = 0; i < info.particle_count; i++) {
            float v[3];
            scene_velocity(sim, info.body, i, v);
            for (int axis = 0; axis < 3; axis++) {
                sum[axis] += masses[i] * (double)v[axis];
            }
        }
    }
}

// Only if nothing is slowed down, which takes momentum. Rounding a push to quanta leaves half a quantum a substep for
// each particle.
static void what_one_side_gains_the_other_one_loses(void **state)
{
    (void)state;
    struct sim_settings settings = settings_of(true, 0);
    settings.damping = 0;
    settings.contact_quality = SIM_CONTACT_FAST;
    struct sim *sim = crossed_pair(settings, 0.1037, -0.0551, 0);
    struct sim_body_info info;
    double masses[121], most = 0;
    assert_true(sim_body_info(sim, 1, &info));
    sim_body_masses(sim, 1, masses);
    for (int i = 0; i < 121; i++) {
        most += 2 * masses[i]; // both are alike
    }
    for (int t = 0; t < 30; t++) {
        double sum[3];
        struct sim_measures measures;
        scene_run(sim, 1);
        momentum_of(sim, sum);
        sim_measure(sim, &measures);
        assert_true(t > 10 || measures.kinetic > 1e-6);
        for (int axis = 0; axis < 3; axis++) {
            assert_near(sum[axis] / most, 0, 1e-3);
        }
    }
    sim_destroy(sim);
}

static void one_side_alone_gives_way_where_the_other_stands(void **state)
{
    (void)state;
    struct sim *sim = scene_create(settings_of(true, 0));
    struct sheet lies = sheet_of(11, 0, 2, 0, 0, 0), stands = sheet_of(11, 0, 1, 0.1037, -0.0551, 0.1013);
    stands.is_static = true;
    sheet_add(sim, &lies);
    sheet_add(sim, &stands);
    double before[3], after[3];
    scene_position(sim, 2, 5, before);
    scene_run(sim, 3);
    scene_position(sim, 2, 5, after);
    assert_memory_equal(before, after, sizeof before);
    comes_apart(sim, 60, 3);
}

// Everything through everything: no more crossings are dealt with than there is room for, and a push is bounded.
static void crumpled(double across, double along, double x[3])
{
    uint64_t seed = (uint64_t)(across / EDGE + 0.5) * 131 + (uint64_t)(along / EDGE + 0.5) * 7919 + 1;
    for (int axis = 0; axis < 3; axis++) {
        x[axis] = 0.06 * scene_uniform(&seed);
    }
}

static void the_worst_is_bounded(void **state)
{
    (void)state;
    struct sim *sim = scene_create(settings_of(true, 0));
    struct sheet sheet = sheet_of(15, 0, 2, 0, 0, 0);
    for (int i = 0; i < 2; i++) {
        sheet_put(sim, sheet_add(sim, &sheet), 15, crumpled);
    }
    scene_run(sim, 1);
    const struct sim_meet *meet = sim->meet;
    assert_true(meet->tangle_seen > 8 * meet->tangle_capacity);
    assert_true(meet->tangle_count > meet->tangle_capacity / 2 &&
                meet->tangle_count <= meet->tangle_capacity);
    assert_true(meet->tangle_seen / meet->tangle_stride <= meet->tangle_count);
    assert_true(meet->tangle_capacity <= SIM_UNTANGLE_MAX);
    for (uint32_t i = 0; i < meet->tangle_count; i++) {
        double h = 1.0 / 1200;
        assert_true((double)meet->tangles[i].way * SCENE_Q <= 1.001 * h);
    }
    sim_destroy(sim);
}

// ----------------------------------------------------------------------------------------------- the same

enum how { PLAINLY, FROM_AN_IMAGE, BY_THREADS, BESIDE_OTHERS, HOWS };

static struct sim *from_an_image(struct sim *sim)
{
    struct sim_image image;
    struct sim_image_place where;
    assert_true(sim_image_take(sim, &image));
    struct sim *made = sim_image_make(&image, &scene_limits, &where, &fault);
    assert_non_null(made);
    sim_image_deinit(&image);
    sim_destroy(sim);
    return made;
}

// Places of the first bodies of a world, relative to where it is, as sums of whole quanta.
static uint64_t outcome(enum how how, enum sim_isa isa, bool untangle, double far)
{
    enum sim_isa before = sim_isa_chosen();
    sim_isa_choose(isa);
    struct sim *sim = scene_create(settings_of(untangle, 0));
    uint32_t first = 1;
    if (how == BESIDE_OTHERS) { // rows are others
        struct sheet other = sheet_of(5, 0, 2, 7, 0, 0);
        sheet_add(sim, &other);
        first = 2;
    }
    struct sheet lies = sheet_of(17, 0, 2, far, 0, far),
                 stands = sheet_of(17, 0, 1, far + 0.0037, -0.1013, far + 0.1013);
    sheet_add(sim, &lies);
    sheet_add(sim, &stands);
    struct base_team *team = how == BY_THREADS ? base_team_create(3) : NULL;
    for (int t = 0; t < 15; t++) {
        struct sim_failure failure;
        sim = how == FROM_AN_IMAGE && t % 4 == 2 ? from_an_image(sim) : sim;
        sim_step(sim, team != NULL ? base_team_parallel(team) : NULL, NULL, &failure);
        assert_false(failure.failed);
    }
    uint64_t sum = 0;
    double x[3 * 17 * 17];
    for (uint32_t b = first; b < first + 2; b++) {
        sim_body_positions64(sim, b, 0, 17 * 17, x);
        for (int i = 0; i < 3 * 17 * 17; i++) {
            sum = sum * 31 + (uint64_t)llrint((x[i] - (i % 3 == 1 ? 0 : far)) / SCENE_Q);
        }
    }
    sim_destroy(sim);
    base_team_destroy(team);
    sim_isa_choose(before);
    return sum;
}

static void it_is_the_same_whatever_computes_it_and_from_wherever(void **state)
{
    (void)state;
    const uint64_t expected = 0x0051344d0bae3b16;
    for (int how = PLAINLY; how < HOWS; how++) {
        assert_int_equal(outcome((enum how)how, sim_isa_chosen(), true, 0), expected);
    }
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        if (sim_isa_available((enum sim_isa)isa)) {
            assert_int_equal(outcome(PLAINLY, (enum sim_isa)isa, true, 0), expected);
        }
    }
    static const double fars[] = {1024, -16384, 15.875}; // whole quanta; the last one wraps within the sheets
    for (int i = 0; i < 3; i++) {
        assert_int_equal(outcome(PLAINLY, sim_isa_chosen(), true, fars[i]), expected);
    }
}

// The sum of a world that knew nothing of it, and of this one.
static void off_it_changes_nothing(void **state)
{
    (void)state;
    assert_int_equal(outcome(PLAINLY, sim_isa_chosen(), false, 0), 0xbb5adaa1f35435d5);
}

static void on_it_changes_nothing_where_nothing_crosses(void **state)
{
    (void)state;
    double places[2][3 * 225];
    for (int on = 0; on < 2; on++) {
        struct sim *sim = sheet_pile(15, -2, &sheet_meets, 0);
        struct sim_settings settings = *sim_settings_of(sim);
        settings.untangle = on != 0;
        assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_NONE);
        sheet_run(sim, 20, 0);
        sim_body_positions64(sim, 1, 0, 225, places[on]);
        sim_destroy(sim);
    }
    assert_memory_equal(places[0], places[1], sizeof places[0]);
}

// Switched off between ticks, and on again.
static void it_is_switched_at_any_tick(void **state)
{
    (void)state;
    struct sim *sim = crossed_pair(settings_of(false, 0), 0.1037, -0.0551, 0);
    struct sim_measures measures;
    scene_run(sim, 5);
    sim_measure(sim, &measures);
    assert_true(measures.kinetic < 1e-9);
    uint64_t hash = sim_hash(sim);
    struct sim_settings settings = *sim_settings_of(sim);
    settings.untangle = true;
    assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_NONE);
    assert_true(sim_hash(sim) != hash);
    settings.untangle = false;
    assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_NONE);
    assert_true(sim_hash(sim) == hash);
    settings.untangle = true;
    assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_NONE);
    comes_apart(sim, 60, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sheets_that_cross_at_a_corner_a_side_and_in_the_middle),
        cmocka_unit_test(also_where_nothing_is_held_back),
        cmocka_unit_test(a_sheet_that_pokes_through_itself),
        cmocka_unit_test(a_jelly_half_sunk_in_a_cloth),
        cmocka_unit_test(jellies_in_each_other),
        cmocka_unit_test(cloths_through_an_obstacle),
        cmocka_unit_test(a_rope_through_a_cloth),
        cmocka_unit_test(what_one_side_gains_the_other_one_loses),
        cmocka_unit_test(one_side_alone_gives_way_where_the_other_stands),
        cmocka_unit_test(the_worst_is_bounded),
        cmocka_unit_test(it_is_the_same_whatever_computes_it_and_from_wherever),
        cmocka_unit_test(off_it_changes_nothing),
        cmocka_unit_test(on_it_changes_nothing_where_nothing_crosses),
        cmocka_unit_test(it_is_switched_at_any_tick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
