// Bodies in contact: nothing crosses, stacks rest, friction holds.
#include "helper_sheet.h"

#include "sim/contact/meet.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define EDGE SHEET_EDGE
#define THICK SHEET_THICK

static struct fault fault;

// ----------------------------------------------------------------------------------------------- crossing

static void a_sheet_that_falls_edge_on_never_crosses_itself(void **state)
{
    (void)state;
    for (int fast = 0; fast < 2; fast++) {
        struct sim *sim = sheet_pile(fast ? 11 : 15, fast ? -12 : 0, &sheet_meets, 0);
        struct sim_meetings sum = sheet_run(sim, fast ? 6 : 30, 0);
        assert_true(sum.pushing > 0);
        assert_int_equal(sum.crossed, 0);
        assert_int_equal(sum.dropped, 0);
        sim_destroy(sim);
    }
}

static void without_contact_it_does(void **state)
{
    (void)state;
    struct sim *sim = sheet_pile(15, 0, &(struct sim_meeting){.group = 1, .mask = 2}, 0);
    scene_run(sim, 40);
    assert_true(sim_crossings(sim) == 0); // it does not meet itself, so nothing is counted
    sim_destroy(sim);
    sim = sheet_pile(15, 0, &(struct sim_meeting){0}, 0);
    scene_run(sim, 40);
    struct sim_body_change change = {.meeting = &sheet_meets, .thickness = &(double){THICK}};
    assert_int_equal(sim_body_set(sim, 1, &change, &fault), FAULT_NONE);
    assert_true(sim_crossings(sim) > 20);
    sim_destroy(sim);
}

// Memory for so few pairs that boxes have to be halved: slower, never crossed.
static void too_many_pairs_cost_speed_and_nothing_else(void **state)
{
    (void)state;
    struct sim *sim = sheet_pile(11, -12, &sheet_meets, 0);
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        sim->meet->pairs_most[kind] = 4 * 11 * 11;
    }
    struct sim_meetings sum = sheet_run(sim, 6, 0);
    assert_true(sum.shrunk > 0);
    assert_int_equal(sum.dropped, 0);
    sim_destroy(sim);
}

// A pair that is found twice, because it did not fit the first time, crosses once.
static void crossings_are_told_once_however_often_pairs_are_looked_for(void **state)
{
    (void)state;
    struct sim *sim = scene_create(sheet_settings(20));
    struct sheet upright = sheet_of(9, 0, 1, 0, 0, 0.0613), flat = sheet_of(9, 0, 2, 0.0037, 0.0551, 0);
    upright.speed[0] = flat.speed[2] = 9;
    sheet_add(sim, &upright);
    sheet_add(sim, &flat);
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        sim->meet->pairs_most[kind] = 320;
    }
    const uint64_t before = sim_crossings(sim);
    struct sim_meetings told;
    scene_run(sim, 1);
    sim_meetings_of(sim, &told);
    assert_true(before > 4 && told.shrunk > 0);
    assert_int_equal(told.crossed, before);
    sim_destroy(sim);
}

struct pushed {
    const struct sim *sim;
    uint32_t serial; // most contacts without a colour of their own, in a push of the tick
};

static void pushed_look(void *context, enum sim_meeting_part part)
{
    struct pushed *pushed = context;
    const uint32_t serial = pushed->sim->meet->islands[0].colors.serial;
    pushed->serial = part == SIM_MEET_PUSH && serial > pushed->serial ? serial : pushed->serial;
}

// A sheet that is put together so closely that many of its contacts find no colour of their own.
static void so_many_may_touch_one_that_colours_run_out(void **state)
{
    (void)state;
    enum { SIDE = 12, COUNT = SIDE * SIDE };
    struct sim *sim = sheet_pile(SIDE, 0, &sheet_meets, 0);
    uint32_t all[COUNT];
    double places[3 * COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        all[i] = i;
        scene_position(sim, 1, i, places + 3 * (size_t)i);
        for (uint32_t axis = 0; axis < 3; axis++) {
            places[3 * i + axis] *= 0.14;
        }
        places[3 * i + 1] += 0.5;
    }
    assert_int_equal(sim_particles_set(sim, 1, all, COUNT, places, NULL, NULL, &fault), FAULT_NONE);
    struct sim_meetings told;
    struct sim_failure failure;
    struct pushed pushed = {.sim = sim};
    const struct sim_hooks hooks = {.context = &pushed, .on_meeting = pushed_look};
    assert_true(sim_step(sim, NULL, &hooks, &failure) && !failure.failed && sim_crossings(sim) == 0);
    sim_meetings_of(sim, &told);
    assert_int_equal(told.dropped, 0);
    assert_true(pushed.serial > 1000);
    assert_true(told.pushing > sim->meet->islands[0].batch_capacity);
    sim_destroy(sim);
}

static void few_planes_are_as_good_as_many(void **state)
{
    (void)state;
    uint64_t hashes[2];
    for (int few = 0; few < 2; few++) {
        struct sim *sim = sheet_pile(9, -30, &sheet_meets, 0);
        sim->meet->plane_capacity = few ? 5 : sim->meet->plane_capacity;
        assert_true(sheet_run(sim, 2, 0).held > 0);
        hashes[few] = sim_hash(sim);
        sim_destroy(sim);
    }
    assert_int_equal(hashes[0], hashes[1]);
}

static void a_moving_obstacle_passes_nothing(void **state)
{
    (void)state;
    struct sim *sim = scene_create(sheet_settings(20));
    uint32_t top[11];
    for (uint32_t i = 0; i < 11; i++) {
        top[i] = 10 * 11 + i;
    }
    struct sheet curtain = sheet_of(11, 0, 1, 0, 0, 0), plate = sheet_of(5, 0, 1, 0.06, 0.05, -0.03);
    curtain.pins = top;
    curtain.pin_count = 11;
    plate.is_static = true;
    sheet_add(sim, &curtain);
    uint32_t pusher = sheet_add(sim, &plate), all[25];
    double places[75];
    for (uint32_t t = 0; t < 20; t++) {
        for (uint32_t i = 0; i < 25; i++) {
            all[i] = i;
            scene_position(sim, pusher, i, places + 3 * (size_t)i);
            places[3 * (size_t)i + 2] += 1.0 / 60 * 0.4;
        }
        assert_int_equal(sim_particles_pin(sim, pusher, all, 25, places, &fault), FAULT_NONE);
        assert_int_equal(sheet_run(sim, 1, 0).dropped, 0);
    }
    double last[3];
    scene_position(sim, 1, 5 * 11 + 5, last);
    assert_true(last[2] > 0.08); // it was pushed along
    sim_destroy(sim);
}

static void crossed_sheets_are_told_left_alone_and_free_once_pulled_apart(void **state)
{
    (void)state;
    struct sim_settings settings = sheet_settings(20);
    settings.gravity[1] = 0;
    struct sim *sim = scene_create(settings);
    struct sheet upright = sheet_of(7, 0, 1, 0, 0, 0.0613), flat = sheet_of(7, 0, 2, 0.0037, 0.0551, 0);
    const uint32_t corners[4] = {0, 6, 42, 48};
    upright.pins = corners;
    upright.pin_count = 4;
    sheet_add(sim, &upright);
    uint32_t moves = sheet_add(sim, &flat), all[49];
    uint64_t before = sim_crossings(sim);
    assert_true(before > 4);
    struct sim_measures measures;
    for (uint32_t t = 0; t < 30; t++) {
        struct sim_meetings told;
        scene_run(sim, 1);
        sim_meetings_of(sim, &told);
        assert_true(told.crossed > 0);
        sim_measure(sim, &measures);
        assert_true(measures.kinetic < 1e-9);
    }
    // Taken along its own plane, out of the other one's.
    double places[3 * 49];
    for (uint32_t t = 0; t < 30; t++) {
        for (uint32_t i = 0; i < 49; i++) {
            all[i] = i;
            scene_position(sim, moves, i, places + 3 * (size_t)i);
            places[3 * (size_t)i + 2] += 0.006;
        }
        assert_int_equal(sim_particles_pin(sim, moves, all, 49, places, &fault), FAULT_NONE);
        scene_run(sim, 1);
    }
    assert_int_equal(sim_particles_unpin(sim, moves, all, 49, &fault), FAULT_NONE);
    sheet_run(sim, 20, 0);
    sim_destroy(sim);
}

// ------------------------------------------------------------------------------------------- other bodies

static void ropes_and_points_come_to_lie_on_a_sheet(void **state)
{
    (void)state;
    struct sim *sim = scene_create(sheet_settings(20));
    struct sheet table = sheet_of(8, 0, 2, 0, 0, 0);
    table.is_static = true;
    sheet_add(sim, &table);
    double rope[3 * 6], points[3 * 4];
    uint32_t edges[2 * 5];
    for (uint32_t i = 0; i < 6; i++) {
        rope[3 * i] = 0.025 + 0.016 * i;
        rope[3 * i + 1] = 0.02;
        rope[3 * i + 2] = 0.033 + 0.004 * i;
        edges[2 * (i < 5 ? i : 4)] = i < 5 ? i : 4;
        edges[2 * (i < 5 ? i : 4) + 1] = i < 5 ? i + 1 : 5;
    }
    for (uint32_t i = 0; i < 4; i++) {
        points[3 * i] = 0.031 + 0.02 * i;
        points[3 * i + 1] = 0.05;
        points[3 * i + 2] = 0.091;
    }
    struct sim_body_desc desc = scene_rope(rope, 6, edges, 5, NULL);
    desc.thickness = THICK;
    desc.meeting = sheet_meets;
    uint32_t lies[2] = {scene_add(sim, &desc), 0};
    desc = scene_points(points, 4, NULL);
    desc.thickness = THICK;
    desc.meeting = sheet_meets;
    lies[1] = scene_add(sim, &desc);
    scene_run(sim, 90);
    for (int b = 0; b < 2; b++) {
        assert_near(sheet_mean(sim, lies[b], 1), 2 * THICK, 0.1 * THICK);
    }
    sim_destroy(sim);
}

static void soft_bodies_stack(void **state)
{
    (void)state;
    struct sim *sim = scene_create(sheet_settings(20));
    sheet_floor(sim);
    const uint32_t cells[3] = {3, 3, 3};
    for (int i = 0; i < 2; i++) {
        const double corner[3] = {0.005 * i, 0.004 + 0.07 * i, 0.003 * i};
        struct scene_block block = scene_block(cells, EDGE, corner);
        struct sim_body_desc desc = scene_soft(&block);
        desc.thickness = THICK;
        desc.meeting = sheet_meets;
        scene_add(sim, &desc);
        scene_block_deinit(&block);
    }
    struct sim_meetings sum = sheet_run(sim, 60, 0);
    assert_true(sum.pushing > 0);
    assert_near(sheet_mean(sim, 2, 1) - sheet_mean(sim, 1, 1), 3 * EDGE + 2 * THICK, 0.2 * THICK);
    sim_destroy(sim);
}

static void contact_goes_on_and_off(void **state)
{
    (void)state;
    struct sim *sim = sheet_pile(9, 0, &(struct sim_meeting){0}, 0);
    struct sim_meetings told;
    scene_run(sim, 2);
    assert_null(sim->meet);
    struct sim_body_change change = {.meeting = &sheet_meets};
    assert_int_equal(sim_body_set(sim, 1, &change, &fault), FAULT_NONE);
    scene_run(sim, 20);
    sim_meetings_of(sim, &told);
    assert_true(told.pairs > 0);
    change.meeting = &(struct sim_meeting){0};
    assert_int_equal(sim_body_set(sim, 1, &change, &fault), FAULT_NONE);
    scene_run(sim, 2);
    sim_meetings_of(sim, &told);
    assert_int_equal(told.pairs, 0);
    sim_destroy(sim);
}

// A sheet that comes at 60 m/s: held back it never passes; without, it may, and that is told.
static uint64_t crossed_by(enum sim_contact_quality quality, uint32_t *held)
{
    uint64_t crossed = 0;
    struct sim *sim = sheet_pile(15, -60, &sheet_meets, 0);
    struct sim_settings settings = *sim_settings_of(sim);
    settings.contact_quality = quality;
    struct fault refusal;
    assert_int_equal(sim_settings_set(sim, &settings, &refusal), FAULT_NONE);
    *held = 0;
    for (int t = 0; t < 12; t++) {
        uint64_t before = sim_crossings(sim);
        struct sim_meetings told;
        scene_run(sim, 1);
        sim_meetings_of(sim, &told);
        assert_true(told.crossed == before);
        *held += told.held;
        crossed += before;
    }
    sim_destroy(sim);
    return crossed;
}

static void what_is_not_held_back_may_cross_and_is_told(void **state)
{
    (void)state;
    uint32_t held;
    assert_true(crossed_by(SIM_CONTACT_GUARANTEED, &held) == 0);
    assert_true(held > 0);
    assert_true(crossed_by(SIM_CONTACT_FAST, &held) > 0);
    assert_int_equal(held, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sheet_that_falls_edge_on_never_crosses_itself),
        cmocka_unit_test(without_contact_it_does),
        cmocka_unit_test(too_many_pairs_cost_speed_and_nothing_else),
        cmocka_unit_test(crossings_are_told_once_however_often_pairs_are_looked_for),
        cmocka_unit_test(so_many_may_touch_one_that_colours_run_out),
        cmocka_unit_test(few_planes_are_as_good_as_many),
        cmocka_unit_test(a_moving_obstacle_passes_nothing),
        cmocka_unit_test(crossed_sheets_are_told_left_alone_and_free_once_pulled_apart),
        cmocka_unit_test(ropes_and_points_come_to_lie_on_a_sheet),
        cmocka_unit_test(soft_bodies_stack),
        cmocka_unit_test(contact_goes_on_and_off),
        cmocka_unit_test(what_is_not_held_back_may_cross_and_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
