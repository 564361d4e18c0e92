// Memory for pairs that few ticks needed goes back to the system, and what bodies do does not depend on when.
#include "helper_sheet.h"

#include "sim/contact/meet.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

enum { SIDE = 13, LAYERS = 5, PERIOD = 60 };

static struct fault fault;

// Sheets upon each other: the first `LAYERS` bodies.
static struct sim *layers_make(void)
{
    struct sim_settings settings = sheet_settings(10);
    settings.sleep = false;
    struct sim *sim = scene_create(settings);
    sheet_floor(sim);
    for (int n = 0; n < LAYERS; n++) {
        struct sheet sheet = sheet_of(SIDE, 0, 2, 0.002 * n, SHEET_THICK * (2 * n + 1) * 1.01, 0);
        sheet_add(sim, &sheet);
    }
    return sim;
}

static size_t resident(const void *items, size_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = (size + page - 1) / page;
    unsigned char *there = calloc(pages, 1);
    size_t count = 0;
    assert_int_equal(mincore((char *)items - (uintptr_t)items % page, pages * page, there), 0);
    for (size_t i = 0; i < pages; i++) {
        count += there[i] & 1;
    }
    free(there);
    return count * page;
}

// Resident bytes of pairs and batches.
static size_t resident_of(const struct sim *sim)
{
    const struct sim_meet *meet = sim->meet;
    size_t bytes = resident(meet->batches, meet->room.batches * sizeof *meet->batches);
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        const size_t lanes = meet->room.lanes[kind];
        bytes += resident(meet->lists[kind].lanes, lanes * sizeof *meet->lists[kind].lanes) +
                 resident(meet->lists[kind].rest, lanes * sizeof *meet->lists[kind].rest) +
                 resident(meet->near[kind].lanes, lanes * sizeof *meet->near[kind].lanes);
    }
    return bytes;
}

static void memory_of_a_peak_is_given_back(void **state)
{
    (void)state;
    struct sim *sim = layers_make();
    scene_run(sim, 2);
    const size_t peak = resident_of(sim);
    for (uint32_t body = 2; body <= LAYERS; body++) {
        uint32_t *removed = NULL, count = 0;
        assert_int_equal(sim_body_remove(sim, body, &removed, &count, &fault), FAULT_NONE);
        free(removed);
    }
    scene_run(sim, 2 * PERIOD + 2);
    assert_true(resident_of(sim) < peak / 4);
    sim_destroy(sim);
}

static void bodies_do_the_same_whenever_it_is(void **state)
{
    (void)state;
    struct sim *sims[2] = {layers_make(), layers_make()};
    for (int tick = 0; tick < 6; tick++) {
        sims[1]->meet->spare.ticks = PERIOD;
        sims[1]->meet->spare.touched = UINT64_MAX / 2;
        scene_run(sims[0], 1);
        scene_run(sims[1], 1);
        assert_true(sims[1]->meet->spare.touched < UINT64_MAX / 2); // it was given back
        assert_true(sim_hash(sims[0]) == sim_hash(sims[1]));
    }
    sim_destroy(sims[0]);
    sim_destroy(sims[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_of_a_peak_is_given_back),
        cmocka_unit_test(bodies_do_the_same_whenever_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
