// A tick that asks too much of contact is given up: nothing of it has been, whoever computed it, and the world goes on once it
// is mended.
#include "helper_sheet.h"

#include "base/thread.h"
#include "sim/contact/search.h"
#include "sim/state/state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct fault fault;

// Five edges thick: nearly everything is near everything. What motions, pins, grabs and edits move is about to move.
static struct sim *thick_create(uint32_t side)
{
    struct sim *sim = scene_create(sheet_settings(20));
    const uint32_t pin = 0, moved = 3;
    struct sheet sheet = sheet_of(side, 0, 2, 0, 0.3, 0);
    sheet.wavy = 0.1;
    sheet.thickness = 5 * SHEET_EDGE;
    sheet.pins = &pin;
    sheet.pin_count = 1;
    const uint32_t body = sheet_add(sim, &sheet);
    sheet_floor(sim);
    const double times[2] = {0, 1}, offsets[6] = {0, 0, 0, 0, 0.5, 0},
                 rotations[8] = {0, 0, 0, 1, 0, 1, 0, 1};
    const struct sim_motion drives[2] = {
        {.body = body,
         .particles = &pin,
         .particle_count = 1,
         .times = times,
         .offsets = offsets,
         .key_count = 2},
        {.collider = 1, .times = times, .offsets = offsets, .rotations = rotations, .key_count = 2},
    };
    uint32_t id;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(sim_motion_add(sim, &drives[i], &id, &fault), FAULT_NONE);
    }
    const double target[3] = {0.1, 0.4, 0.1}, place[3] = {0.06, 0.31, 0};
    assert_int_equal(sim_grab_begin(sim, body, 30, target, 1e-4, &id, &fault), FAULT_NONE);
    assert_int_equal(sim_particles_pin(sim, body, &moved, 1, place, &fault), FAULT_NONE);
    return sim;
}

static struct sim_failure step(struct sim *sim, struct base_parallel *parallel, const struct sim_hooks *hooks)
{
    struct sim_failure failure;
    while (!sim_step(sim, parallel, hooks, &failure)) {
    }
    return failure;
}

static void make_thin(struct sim *sim)
{
    const double thickness = SHEET_THICK;
    const struct sim_body_change change = {.thickness = &thickness};
    assert_int_equal(sim_body_set(sim, 1, &change, &fault), FAULT_NONE);
}

static void nothing_of_a_tick_that_is_given_up_has_been(void **state)
{
    (void)state;
    struct sim *sim = thick_create(11), *twin = thick_create(11);
    sim->limits.tests = 1000;
    const uint64_t before = sim_hash(sim);
    const struct sim_failure failure = step(sim, NULL, NULL);
    assert_true(failure.failed && failure.given_up);
    assert_int_equal(failure.body, 1);
    assert_non_null(strstr(failure.text, "thickness of 0.1 m"));
    assert_non_null(strstr(failure.text, "2048000 tests"));
    assert_true(sim_hash(sim) == before);
    assert_true(step(sim, NULL, NULL).given_up); // until it is mended
    assert_true(sim_hash(sim) == before);
    sim->limits.tests = 0; // what follows is the same as if it had not been tried
    make_thin(sim);
    make_thin(twin);
    for (int tick = 0; tick < 10; tick++) {
        assert_false(step(sim, NULL, NULL).failed);
        assert_false(step(twin, NULL, NULL).failed);
        assert_true(sim_hash(sim) == sim_hash(twin));
    }
    sim_destroy(sim);
    sim_destroy(twin);
}

static void a_still_of_its_start_is_whole(void **state)
{
    (void)state;
    struct sim *sim = thick_create(11);
    sim->limits.tests = 1000;
    const uint64_t before = sim_hash(sim);
    struct sim_still *still = sim_still_create(sim);
    assert_non_null(still);
    sim_still_begin(still, sim);
    assert_true(step(sim, NULL, NULL).given_up);
    while (!sim_still_go_on(still, 64)) {
    }
    sim_still_end(still);
    assert_true(sim_hash(sim_still_sim(still)) == before);
    sim_still_destroy(still);
    sim_destroy(sim);
}

// How many pairs a tick tests, and where one is given up that may not: the same for all.
static void it_is_counted_the_same_whatever_computes_it(void **state)
{
    (void)state;
    uint64_t expected[2] = {0, 0};
    const enum sim_isa chosen = sim_isa_chosen();
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        for (uint32_t threads = 0; threads < 4 && sim_isa_available((enum sim_isa)isa); threads += 3) {
            struct base_team *team = threads > 0 ? base_team_create(threads) : NULL;
            struct base_parallel *parallel = team != NULL ? base_team_parallel(team) : NULL;
            sim_isa_choose((enum sim_isa)isa);
            for (int limited = 0; limited < 2; limited++) {
                struct sim *sim = sheet_pile(24, -2, &sheet_meets, 0); // enough particles for threads
                struct sim_meetings told;
                sim->limits.tests = limited ? 60 : 0;
                uint32_t ticks = 0;
                while (ticks < 8 && !step(sim, parallel, NULL).failed) {
                    ticks++;
                }
                sim_meetings_of(sim, &told);
                assert_true(limited ? ticks < 8 : ticks == 8);
                expected[limited] = expected[limited] > 0 ? expected[limited] : told.tested;
                assert_true(told.tested == expected[limited]);
                assert_true(told.tested > 0);
                sim_destroy(sim);
            }
            base_team_destroy(team);
        }
    }
    sim_isa_choose(chosen);
}

struct pauses {
    const struct sim *sim;
    uint64_t before, most;  // tests when it was last asked; and most between two times
    uint32_t count, within; // how often; while pairs were found
};

static bool always(void *context)
{
    struct pauses *pauses = context;
    const struct sim_meet *meet = pauses->sim->meet;
    const uint64_t since = meet->tested - pauses->before;
    pauses->most = since > pauses->most ? since : pauses->most;
    pauses->before = meet->tested;
    pauses->count++;
    pauses->within += meet->detecting != SIM_DETECT_NOTHING;
    return true;
}

// A tick may rest while pairs are found, before it has tested many more, and comes to the same.
static void it_rests_while_pairs_are_found(void **state)
{
    (void)state;
    for (int limited = 0; limited < 2; limited++) {
        struct sim *sims[2];
        for (int i = 0; i < 2; i++) {
            sims[i] = limited ? thick_create(26) : sheet_pile(26, -2, &sheet_meets, 0);
            sims[i]->limits.tests = limited ? 4000 : 0;
        }
        struct pauses pauses = {.sim = sims[0]};
        const struct sim_hooks hooks = {.context = &pauses, .on_pause = always};
        for (int tick = 0; tick < (limited ? 1 : 12); tick++) {
            pauses.before = 0;
            assert_int_equal(step(sims[0], NULL, &hooks).given_up, limited);
            assert_int_equal(step(sims[1], NULL, NULL).given_up, limited);
            assert_true(sim_hash(sims[0]) == sim_hash(sims[1]));
            assert_true(sims[0]->meet->tested == sims[1]->meet->tested);
        }
        assert_true(pauses.within > 10 && pauses.within <= pauses.count);
        assert_true(pauses.most < 4 * SIM_VISITS_TESTS);
        sim_destroy(sims[0]);
        sim_destroy(sims[1]);
    }
}

static void the_last_test_that_may_be_is_no_test_too_many(void **state)
{
    (void)state;
    struct sim_meetings told;
    struct sim *sim = thick_create(7);
    assert_false(step(sim, NULL, NULL).failed);
    sim_meetings_of(sim, &told);
    sim_destroy(sim);
    for (int less = 0; less < 2; less++) {
        sim = thick_create(7);
        sim->limits.tests = told.tested / SIM_MEET_PARTICLES + 1 - (uint64_t)less;
        assert_int_equal(step(sim, NULL, NULL).given_up, less);
        sim_destroy(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_of_a_tick_that_is_given_up_has_been),
        cmocka_unit_test(a_still_of_its_start_is_whole),
        cmocka_unit_test(it_is_counted_the_same_whatever_computes_it),
        cmocka_unit_test(it_rests_while_pairs_are_found),
        cmocka_unit_test(the_last_test_that_may_be_is_no_test_too_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
