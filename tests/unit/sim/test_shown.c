// Contact points: recorded for the ticks that asked for them, bounded, and without any effect on the results.
#include "helper_sheet.h"

#include "sim/contact/meet.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define THICK SHEET_THICK

// A sheet above a larger one that stands: only the middle of the larger one is touched.
static struct sim *two_sheets(uint32_t side, double apart)
{
    struct sim *sim = scene_create(sheet_settings(20));
    struct sheet table = sheet_of(side, 0, 2, 0, 0, 0);
    struct sheet cloth = sheet_of(5, 0, 2, 0.071, apart, 0.073);
    table.is_static = true;
    sheet_add(sim, &table);
    sheet_add(sim, &cloth);
    return sim;
}

static uint32_t count_of(const struct sim_shown *shown, enum sim_shown_kind kind, uint32_t body)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < shown->count[kind]; i++) {
        count += shown->bodies[kind][i] == body;
    }
    return count;
}

static void nothing_is_known_that_was_not_asked(void **state)
{
    (void)state;
    struct sim *sim = two_sheets(13, 2 * THICK);
    struct sim_shown shown;
    scene_run(sim, 2);
    sim_shown_of(sim, &shown);
    assert_false(shown.known);
    sim_shown_want(sim, true);
    sim_shown_of(sim, &shown);
    assert_false(shown.known);
    scene_run(sim, 1);
    sim_shown_of(sim, &shown);
    assert_true(shown.known);
    sim_reset(sim);
    sim_shown_of(sim, &shown);
    assert_false(shown.known);
    sim_shown_want(sim, false);
    scene_run(sim, 1);
    sim_shown_of(sim, &shown);
    assert_false(shown.known);
    sim_destroy(sim);
}

static void what_lies_on_a_sheet_touches_it_where_it_lies(void **state)
{
    (void)state;
    struct sim *sim = two_sheets(13, 2 * THICK);
    struct sim_shown shown;
    sim_shown_want(sim, true);
    scene_run(sim, 30);
    sim_shown_of(sim, &shown);
    struct sim_meetings told;
    sim_meetings_of(sim, &told);
    assert_true(told.pushing > 0);
    assert_int_equal(count_of(&shown, SIM_SHOWN_TOUCHING, 2), 25);
    const uint32_t below = count_of(&shown, SIM_SHOWN_TOUCHING, 1);
    assert_in_range(below, 25, 49);
    assert_int_equal(shown.count[SIM_SHOWN_TOUCHING], below + 25);
    assert_int_equal(shown.count[SIM_SHOWN_CROSSED], 0);
    for (uint32_t i = 0; i < below; i++) {
        double at[3];
        scene_position(sim, 1, shown.particles[SIM_SHOWN_TOUCHING][i], at);
        assert_true(at[0] > 0.04 && at[0] < 0.18 && at[2] > 0.04 && at[2] < 0.18);
        assert_true(i == 0 ||
                    shown.particles[SIM_SHOWN_TOUCHING][i] > shown.particles[SIM_SHOWN_TOUCHING][i - 1]);
    }
    sim_destroy(sim);
}

static void who_is_held_back_is_listed(void **state)
{
    (void)state;
    struct sim *sim = sheet_pile(11, -12, &sheet_meets, 0);
    uint32_t held = 0;
    sim_shown_want(sim, true);
    for (uint32_t t = 0; t < 6; t++) {
        struct sim_meetings told;
        struct sim_shown shown;
        scene_run(sim, 1);
        sim_meetings_of(sim, &told);
        sim_shown_of(sim, &shown);
        // told.held is the most of one substep; the list has those of all.
        assert_true(shown.count[SIM_SHOWN_HELD] >= told.held);
        assert_int_equal(shown.count[SIM_SHOWN_HELD] > 0, told.held > 0);
        held += told.held;
    }
    assert_true(held > 0);
    sim_destroy(sim);
}

// One sheet stands in the other.
static struct sim *crossed_sheets(uint32_t side)
{
    struct sim *sim = scene_create(sheet_settings(20));
    struct sheet lies = sheet_of(side, 0, 2, 0, 0, 0), stands = sheet_of(side, 0, 1, 0.003, 0, 0);
    stands.corner[1] = -0.5 * side * SHEET_EDGE + 0.007;
    stands.corner[2] = 0.5 * side * SHEET_EDGE - 0.004;
    sheet_add(sim, &lies);
    sheet_add(sim, &stands);
    return sim;
}

static void edges_that_cross_are_listed_once_each(void **state)
{
    (void)state;
    struct sim *sim = crossed_sheets(7);
    struct sim_shown shown;
    sim_shown_want(sim, true);
    scene_run(sim, 1);
    sim_shown_of(sim, &shown);
    const uint32_t count = shown.count[SIM_SHOWN_CROSSED], *ends = shown.particles[SIM_SHOWN_CROSSED];
    struct sim_meetings told;
    sim_meetings_of(sim, &told);
    assert_in_range(count, 7, told.crossed);
    assert_true(count_of(&shown, SIM_SHOWN_CROSSED, 2) >= 6);
    assert_int_equal(shown.more[SIM_SHOWN_CROSSED], 0);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(ends[2 * i] < ends[2 * i + 1] && ends[2 * i + 1] < 49);
        if (i > 0 && shown.bodies[SIM_SHOWN_CROSSED][i] == shown.bodies[SIM_SHOWN_CROSSED][i - 1]) {
            assert_true(ends[2 * i] > ends[2 * i - 2] ||
                        (ends[2 * i] == ends[2 * i - 2] && ends[2 * i + 1] > ends[2 * i - 1]));
        }
    }
    // Each edge of the standing sheet that is told of goes from one side of the lying one to the other.
    for (uint32_t i = count - count_of(&shown, SIM_SHOWN_CROSSED, 2); i < count; i++) {
        double a = 0.007 - 3.5 * SHEET_EDGE + SHEET_EDGE * (ends[2 * i] / 7);
        double b = 0.007 - 3.5 * SHEET_EDGE + SHEET_EDGE * (ends[2 * i + 1] / 7);
        assert_true((a < 0) != (b < 0));
    }
    sim_destroy(sim);
}

static void lists_are_bounded_and_say_so(void **state)
{
    (void)state;
    struct sim *sim = crossed_sheets(7);
    struct sim_shown shown;
    sim_shown_want(sim, true);
    scene_run(sim, 1);
    struct sim_show *show = &sim->meet->show;
    uint32_t first[2] = {sim->bodies[0]->first_row, sim->bodies[0]->first_row + 1};
    for (uint32_t i = 0; i < SIM_SHOWN_MAX + 5; i++) {
        sim_show_crossed(sim, first);
    }
    assert_int_equal(show->lists[SIM_SHOWN_CROSSED].count, SIM_SHOWN_MAX);
    assert_true(show->lists[SIM_SHOWN_CROSSED].more >= 5);
    scene_run(sim, 1);
    sim_shown_of(sim, &shown);
    assert_int_equal(shown.more[SIM_SHOWN_CROSSED], 0);
    sim_destroy(sim);

    // More particles than there is room for lie on one sheet.
    const uint32_t side = 66;
    sim = scene_create(sheet_settings(20));
    struct sheet table = sheet_of(side, 0, 2, 0, 0, 0), cloth = sheet_of(side, 0, 2, 0, 2 * THICK, 0);
    table.is_static = true;
    sheet_add(sim, &table);
    sheet_add(sim, &cloth);
    sim_shown_want(sim, true);
    scene_run(sim, 1);
    sim_shown_of(sim, &shown);
    assert_int_equal(shown.count[SIM_SHOWN_TOUCHING], SIM_SHOWN_MAX);
    assert_int_equal(shown.more[SIM_SHOWN_TOUCHING], 2 * side * side - SIM_SHOWN_MAX);
    sim_destroy(sim);
}

static void asking_changes_no_bit(void **state)
{
    (void)state;
    for (int scene = 0; scene < 2; scene++) {
        uint64_t hashes[2];
        for (int asked = 0; asked < 2; asked++) {
            struct sim *sim = scene == 0 ? sheet_pile(11, -12, &sheet_meets, 0) : crossed_sheets(7);
            sim_shown_want(sim, asked);
            scene_run(sim, 12);
            hashes[asked] = sim_hash(sim);
            sim_destroy(sim);
        }
        assert_int_equal(hashes[0], hashes[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_known_that_was_not_asked),
        cmocka_unit_test(what_lies_on_a_sheet_touches_it_where_it_lies),
        cmocka_unit_test(who_is_held_back_is_listed),
        cmocka_unit_test(edges_that_cross_are_listed_once_each),
        cmocka_unit_test(lists_are_bounded_and_say_so),
        cmocka_unit_test(asking_changes_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
