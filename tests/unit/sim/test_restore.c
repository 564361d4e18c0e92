// Edits of every kind that are taken back. At once nothing is left of them, now or later; ten ticks later what they
// spoke of is as it was, and what is apart has the bits that it has without.
#include "helper_restore.h"
#include "sim/internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { PROGRAMS = 4, ROUNDS = 48 };
#else
enum { PROGRAMS = 24, ROUNDS = 96 };
#endif

static struct sim_fault fault;

static void assert_back(struct sim *sim, const struct restore_edit *edit, const struct restore_undo *undo)
{
    enum sim_status status = restore_back(sim, edit, undo, &fault);
    if (status != SIM_OK) {
        fail_msg("edit %d: %d %s %s", (int)edit->choice, (int)status, fault.field, fault.text);
    }
}

// A world that has failed begins again.
static void step_both(struct sim *a, struct sim *b, uint32_t ticks)
{
    for (uint32_t t = 0; t < ticks; t++) {
        struct sim_failure failed_a, failed_b;
        sim_step(a, NULL, NULL, &failed_a);
        sim_step(b, NULL, NULL, &failed_b);
        assert_int_equal(failed_a.failed, failed_b.failed);
        if (failed_a.failed) {
            sim_reset(a);
            sim_reset(b);
        }
    }
}

static void taken_back_at_once_nothing_is_left(void **state)
{
    (void)state;
    uint32_t changed[RESTORE_CHOICES] = {0};
    for (uint32_t program = 0; program < PROGRAMS; program++) {
        uint64_t random = 1000 + program;
        struct sim *sim = restore_scene(random), *twin = restore_scene(random);
        if (program % 2 == 1) {
            assert_int_equal(sim_multipliers_keep(sim, true, &fault), SIM_OK);
        }
        assert_true(sim_hash(sim) == sim_hash(twin));
        for (uint32_t round = 0; round < ROUNDS; round++) {
            enum restore_choice choice = (enum restore_choice)(scene_random(&random) % RESTORE_CHOICES);
            struct restore_edit edit = restore_choose(sim, choice, scene_random(&random));
            struct restore_undo undo;
            uint64_t before = sim_hash(sim);
            restore_take(sim, &edit, &undo);
            restore_do(sim, &edit);
            changed[choice] += sim_hash(sim) != before;
            assert_back(sim, &edit, &undo);
            restore_undo_deinit(&undo);
            if (sim_hash(sim) != before) {
                fail_msg("program %u, round %u: edit %d leaves something", program, round, (int)choice);
            }
            bool last_but = choice == RESTORE_BODY_REMOVE && sim_body_count(sim) < 4;
            if (scene_random(&random) % 2 == 0 && !last_but && sim_body_count(sim) < RESTORE_BODIES - 1) {
                restore_do(sim, &edit);
                restore_do(twin, &edit);
            }
            step_both(sim, twin, (uint32_t)(scene_random(&random) % 3));
            if (sim_hash(sim) != sim_hash(twin)) {
                fail_msg("program %u, round %u: edit %d has another future", program, round, (int)choice);
            }
        }
        step_both(sim, twin, 20);
        assert_true(sim_hash(sim) == sim_hash(twin));
        sim_destroy(sim);
        sim_destroy(twin);
    }
    for (uint32_t choice = 0; choice < RESTORE_CHOICES; choice++) {
        assert_true(changed[choice] > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(taken_back_at_once_nothing_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
