// A substep pushes in several sweeps if something is pressed, and each sweep leaves out what cannot touch. That comes to the same bits
// as sweeps that leave nothing out, and counts as many tests.
#include "helper_sheet.h"

#include "sim/contact/meet.h"
#include "sim/state/state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 13, TICKS = 20 };

// A sheet between a static one and a collider that goes down into it, beside a wall that it touches.
static struct sim *press_make(const struct sim_collider *press, bool thorough)
{
    struct sim *sim = scene_create(sheet_settings(12));
    struct sheet below = sheet_of(SIDE, 0, 2, 0, 0, 0), middle = sheet_of(SIDE, 0, 2, 0.005, 0.01, 0.003),
                 above = sheet_of(SIDE, 0, 2, -0.004, 0.018, 0.002);
    const struct sim_collider wall = {.kind = SIM_BOX,
                                      .position = {-0.05, 0, 0.16},
                                      .half_extents = {0.045, 0.1, 0.3},
                                      .rotation = {0, 0, 0, 1},
                                      .friction = 0.3};
    struct fault fault;
    uint32_t id;
    below.is_static = true;
    sheet_add(sim, &below);
    sheet_add(sim, &middle);
    sheet_add(sim, &above);
    sim->meet->thorough = thorough;
    assert_int_equal(sim_collider_add(sim, press, &id, &fault), FAULT_NONE);
    assert_int_equal(sim_collider_add(sim, &wall, &id, &fault), FAULT_NONE);
    return sim;
}

// A sheet between boxes that overlap, as those of a round table, and a collider that goes down onto it. A box pushes rows of leaves
// that stood until then, in the midst of a sweep.
static struct sim *table_make(const struct sim_collider *press, bool thorough)
{
    struct sim *sim = scene_create(sheet_settings(12));
    struct sheet sheet = sheet_of(SIDE, 0, 2, 0.004, 0.012, 0.003);
    struct fault fault;
    uint32_t id;
    sheet_add(sim, &sheet);
    sim->meet->thorough = thorough;
    assert_int_equal(sim_collider_add(sim, press, &id, &fault), FAULT_NONE);
    for (int k = 0; k < 5; k++) {
        const double half = 0.5 * k * 0.628;
        const struct sim_collider box = {.kind = SIM_BOX,
                                         .position = {0.15, -0.02, 0.17},
                                         .half_extents = {0.08, 0.02, 0.025},
                                         .rotation = {0, sin(half), 0, cos(half)},
                                         .friction = 0.5};
        assert_int_equal(sim_collider_add(sim, &box, &id, &fault), FAULT_NONE);
    }
    return sim;
}

typedef struct sim *make(const struct sim_collider *press, bool thorough);

// Returns in how many ticks something was pressed.
static uint32_t press_both(const struct sim_collider *press, make *made)
{
    struct sim *sims[2] = {made(press, false), made(press, true)};
    struct sim_collider now = *press;
    uint32_t pressed = 0;
    now.id = 1;
    for (int t = 0; t < TICKS; t++) {
        struct sim_meetings told[2];
        now.position[1] -= 0.0045;
        for (int s = 0; s < 2; s++) {
            struct fault fault;
            assert_int_equal(sim_collider_set(sims[s], &now, &fault), FAULT_NONE);
            scene_run(sims[s], 1);
            sim_meetings_of(sims[s], &told[s]);
        }
        pressed += sim_meet_pressed(sims[0], NULL);
        assert_true(sim_hash(sims[0]) == sim_hash(sims[1]));
        assert_true(told[0].tested == told[1].tested && told[0].pushing == told[1].pushing);
    }
    sim_destroy(sims[0]);
    sim_destroy(sims[1]);
    return pressed;
}

static void sweeps_that_leave_out_come_to_the_same_bits(void **state)
{
    (void)state;
    const struct sim_collider presses[] = {
        {.kind = SIM_SPHERE, .radius = 0.04, .position = {0.15, 0.09, 0.17}, .friction = 0.3},
        {.kind = SIM_BOX,
         .half_extents = {0.06, 0.03, 0.05},
         .rotation = {0.05, 0.2, 0.1, 0.9},
         .position = {0.15, 0.1, 0.17},
         .friction = 0.3},
        {.kind = SIM_CAPSULE,
         .radius = 0.03,
         .length = 0.1,
         .rotation = {0, 0, 0.7071, 0.7071},
         .position = {0.15, 0.08, 0.17},
         .friction = 0.3},
    };
    for (size_t p = 0; p < sizeof presses / sizeof presses[0]; p++) {
        assert_true(press_both(&presses[p], press_make) > TICKS / 4);
        assert_true(press_both(&presses[p], table_make) > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sweeps_that_leave_out_come_to_the_same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
