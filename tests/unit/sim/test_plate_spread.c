// The factor of a large solved body is made over several ticks after an edit: to the same bits however its making is cut, with
// bending swept until it is attached, and with a bounded number of multiplications in each tick.
#include "base/thread.h"
#include "helper_heap.h"
#include "helper_scene.h"
#include "sim/ground/ground.h"
#include "sim/plate/plate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct fault fault;
static long heap_left; // allocations until one fails; 0: none does

#ifndef OTHERS_OWN_THE_HEAP
static bool heap_gives(void)
{
    return heap_left <= 0 || --heap_left > 0;
}

#include "helper_heap_take.h"
#endif

enum { SIDE = 68, PARTICLES = SIDE * SIDE, TICKS = 7, MOST = TICKS + 3 };

static struct sim *hung(uint32_t side, uint32_t *body)
{
    const double origin[3] = {0, 0, 0};
    struct sim_settings settings = scene_settings();
    settings.substeps = 4;
    settings.bending_solved = true;
    struct sim *sim = scene_create(settings);
    struct scene_mesh mesh = scene_grid(side, side, 0.3 / (side - 1), origin);
    struct sim_body_desc desc = scene_cloth(&mesh);
    const uint32_t pins[2] = {0, side - 1};
    desc.density = 0.2;
    desc.bend_model = SIM_BEND_QUADRATIC;
    desc.bend = (struct sim_material){.compliance = 1e4, .stiffness = -1};
    desc.pins = pins;
    desc.pin_count = 2;
    *body = scene_add(sim, &desc);
    scene_mesh_deinit(&mesh);
    return sim;
}

// One that has run for a tick, and whose factor is attached.
static struct sim *running(uint32_t *body)
{
    struct sim *sim = hung(SIDE, body);
    scene_run(sim, 1);
    assert_true(sim->bodies[0]->plate->solved);
    return sim;
}

static void bend(struct sim *sim, uint32_t body, double compliance)
{
    const struct sim_material material = {.compliance = compliance, .stiffness = -1};
    assert_int_equal(sim_body_set(sim, body, &(struct sim_body_change){.bend = &material}, &fault),
                     FAULT_NONE);
}

static void pin(struct sim *sim, uint32_t body, uint32_t first, uint32_t count, bool soft)
{
    uint32_t indices[PARTICLES];
    double compliances[PARTICLES];
    const struct sim_hold hold = {.compliance = soft ? compliances : NULL};
    for (uint32_t i = 0; i < count; i++) {
        indices[i] = first + i;
        compliances[i] = 1e-3;
    }
    assert_int_equal(sim_particles_hold(sim, body, indices, count, &hold, &fault), FAULT_NONE);
}

static struct sim *copy_of(const struct sim *sim)
{
    struct sim_image image;
    struct sim_image_place place;
    assert_true(sim_image_take(sim, &image));
    struct sim *copy = sim_image_make(&image, &scene_limits, &place, &fault);
    sim_image_deinit(&image);
    assert_non_null(copy);
    assert_true(sim_hash(copy) == sim_hash(sim));
    return copy;
}

static enum sim_bending bending(const struct sim *sim)
{
    return sim_plate_bending(sim, sim->bodies[0]);
}

static void ticks_grow_with_the_side_of_a_square(void **state)
{
    (void)state;
    assert_int_equal(sim_bend_ticks(4399), 0);
    assert_int_equal(sim_bend_ticks(PARTICLES), TICKS);
    assert_int_equal(sim_bend_ticks(10000), 10);
    assert_int_equal(sim_bend_ticks(10001), 11);
    assert_int_equal(sim_bend_ticks(40000), 20);
    assert_int_equal(sim_bend_ticks(160000), 40);
}

// Makes the factor of a square in as many parts, and compares it with the one that was made at once.
static void make_in_parts(struct sim *sim, const void *entries, size_t bytes, uint32_t parts)
{
    struct sim_plate *plate = sim->bodies[0]->plate;
    uint64_t total, before = 0, most = 0;
    uint32_t calls = 0;
    memset(plate->entries, 0xff, bytes);
    assert_true(sim_plate_making_begin(plate, sim->kernels));
    for (uint32_t part = 1; !plate->made; part++) {
        assert_true(part <= parts);
        assert_true(sim_plate_making_go_on(plate, part, parts));
        const uint64_t done = sim_plate_making_done(plate, &total);
        most = plate->making && done - before > most ? done - before : most;
        before = done;
        calls++;
        assert_true(!plate->making || most <= total / parts + total / 40);
    }
    assert_int_equal(calls, parts);
    assert_memory_equal(plate->entries, entries, bytes);
}

static void a_factor_has_the_same_bits_however_its_making_is_cut(void **state)
{
    (void)state;
    uint32_t body;
    struct sim *sim = running(&body);
    const struct sim_plate *plate = sim->bodies[0]->plate;
    const size_t bytes = plate->entry_count * sizeof(float);
    void *entries = malloc(bytes);
    memcpy(entries, plate->entries, bytes);
    make_in_parts(sim, entries, bytes, 1);
    make_in_parts(sim, entries, bytes, 2);
    make_in_parts(sim, entries, bytes, TICKS);
    make_in_parts(sim, entries, bytes, 100);
    free(entries);
    sim_destroy(sim);
}

// Hashes after each tick, of a world that has just been edited.
static void run_on(struct sim *sim, struct base_parallel *parallel, uint64_t hashes[MOST])
{
    for (uint32_t tick = 0; tick < MOST; tick++) {
        struct sim_failure failure;
        const bool waits = tick < TICKS;
        assert_int_equal(bending(sim), waits ? SIM_BENDING_SWEPT_WAITS : SIM_BENDING_SOLVED);
        assert_true(sim_step(sim, parallel, NULL, &failure));
        assert_false(failure.failed);
        assert_int_equal(sim->bodies[0]->plate->solved, !waits);
        hashes[tick] = sim_hash(sim);
    }
}

static void run_and_compare(struct sim *sim, const uint64_t hashes[MOST], uint32_t from)
{
    for (uint32_t tick = from; tick < MOST; tick++) {
        scene_run(sim, 1);
        assert_true(sim_hash(sim) == hashes[tick]);
    }
}

// Goes the same way from an image at each tick, on threads, and from a world that never ran between.
static void compare_ways(struct sim *sim)
{
    uint64_t hashes[MOST], again[MOST];
    struct sim *start = copy_of(sim), *threaded = copy_of(sim);
    struct base_team *team = base_team_create(4);
    assert_non_null(team);
    run_on(sim, NULL, hashes);
    run_on(threaded, base_team_parallel(team), again);
    assert_memory_equal(hashes, again, sizeof hashes);
    for (uint32_t tick = 0; tick < MOST; tick++) {
        struct sim *branch = copy_of(start);
        run_and_compare(branch, hashes, tick);
        sim_destroy(branch);
        scene_run(start, 1);
    }
    base_team_destroy(team);
    sim_destroy(start);
    sim_destroy(threaded);
}

static void all_ways_after_an_edit_of_compliances_are_one(void **state)
{
    (void)state;
    uint32_t body;
    struct sim *sim = running(&body);
    bend(sim, body, 3e3);
    compare_ways(sim);
    sim_destroy(sim);
}

static void all_ways_after_many_pins_are_one(void **state)
{
    (void)state;
    uint32_t body;
    struct sim *sim = running(&body);
    pin(sim, body, 1000, 1000, false);
    compare_ways(sim);
    sim_destroy(sim);
}

static void all_ways_after_other_substeps_are_one(void **state)
{
    (void)state;
    uint32_t body;
    struct sim *sim = running(&body);
    struct sim_settings settings = *sim_settings_of(sim);
    settings.substeps = 5;
    assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_NONE);
    compare_ways(sim);
    sim_destroy(sim);
}

static void the_factor_at_the_end_is_that_of_the_last_edit(void **state)
{
    (void)state;
    uint32_t body;
    struct sim *sim = running(&body), *other = running(&body);
    bend(sim, body, 3e3);
    scene_run(sim, 3);
    bend(sim, body, 1e3);
    pin(sim, body, 2000, 1, false);
    scene_run(sim, TICKS - 1);
    assert_int_equal(bending(sim), SIM_BENDING_SWEPT_WAITS);
    scene_run(sim, 2);
    assert_int_equal(bending(sim), SIM_BENDING_SOLVED);
    bend(other, body, 1e3);
    pin(other, body, 2000, 1, false);
    scene_run(other, TICKS + 1);
    const struct sim_plate *a = sim->bodies[0]->plate, *b = other->bodies[0]->plate;
    assert_int_equal(a->entry_count, b->entry_count);
    assert_memory_equal(a->entries, b->entries, a->entry_count * sizeof(float));
    sim_destroy(sim);
    sim_destroy(other);
}

static void few_rows_are_done_at_once(void **state)
{
    (void)state;
    uint32_t body;
    struct sim *sim = running(&body);
    pin(sim, body, 500, 64, false);
    pin(sim, body, 1500, 200, true); // their masses stay
    scene_run(sim, 1);
    assert_true(sim->bodies[0]->plate->solved);
    pin(sim, body, 700, 64, false);
    struct sim *copy = copy_of(sim);
    pin(sim, body, 800, 1, false);
    pin(copy, body, 800, 1, false);
    assert_int_equal(bending(sim), SIM_BENDING_SWEPT_WAITS);
    scene_run(sim, 1);
    scene_run(copy, 1);
    assert_false(sim->bodies[0]->plate->solved);
    assert_true(sim_hash(sim) == sim_hash(copy));
    sim_destroy(sim);
    sim_destroy(copy);
}

static void few_stencils_are_done_at_once(void **state)
{
    (void)state;
    uint32_t body, ids[17];
    double compliances[17];
    struct sim *sim = running(&body);
    struct sim_body_info info;
    assert_true(sim_body_info(sim, body, &info));
    for (uint32_t i = 0; i < 17; i++) {
        ids[i] = info.constraint_first[SIM_QUADRATIC] + 700 * i;
        compliances[i] = 1e3 + i;
    }
    const struct sim_constraint_values values = {.compliance = compliances};
    assert_int_equal(sim_constraints_set(sim, ids, 16, &values, &fault), FAULT_NONE);
    struct sim *copy = copy_of(sim);
    scene_run(sim, 1);
    scene_run(copy, 1);
    assert_true(sim->bodies[0]->plate->solved && copy->bodies[0]->plate->solved);
    assert_true(sim_hash(sim) == sim_hash(copy));
    const struct sim_plate *partly = sim->bodies[0]->plate, *whole = copy->bodies[0]->plate;
    assert_memory_equal(partly->entries, whole->entries, whole->entry_count * sizeof(float));
    compliances[0] = 5e2;
    assert_int_equal(sim_constraints_set(sim, ids, 17, &values, &fault), FAULT_NONE);
    scene_run(sim, 1);
    assert_false(sim->bodies[0]->plate->solved);
    sim_destroy(sim);
    sim_destroy(copy);
}

static void a_body_that_is_new_waits_for_nothing(void **state)
{
    (void)state;
    uint32_t body;
    struct sim *sim = hung(SIDE, &body);
    pin(sim, body, 1000, 1000, false);
    struct sim *copy = copy_of(sim);
    bend(sim, body, 3e3);
    bend(copy, body, 3e3);
    scene_run(sim, 1);
    scene_run(copy, 1);
    assert_true(sim->bodies[0]->plate->solved);
    assert_true(sim_hash(sim) == sim_hash(copy));
    sim_destroy(sim);
    sim_destroy(copy);
}

static void no_tick_has_more_than_its_part(void **state)
{
    (void)state;
    uint32_t body;
    uint64_t total = 0, before = 0;
    struct sim *sim = running(&body);
    bend(sim, body, 3e3);
    for (uint32_t tick = 1; tick < TICKS; tick++) {
        scene_run(sim, 1);
        const uint64_t done = sim_plate_making_done(sim->bodies[0]->plate, &total);
        assert_true(total > 10000000 && total < 200000000);
        assert_true(done > before && done - before <= total / TICKS + total / 40);
        before = done;
    }
    assert_true(total - before <= total / TICKS + TICKS);
    sim_destroy(sim);
}

static void a_body_may_go_while_it_waits(void **state)
{
    (void)state;
    uint32_t body;
    struct sim *sim = running(&body);
    bend(sim, body, 3e3);
    scene_run(sim, 2);
    uint32_t *removed, removed_count;
    assert_int_equal(sim_body_remove(sim, body, &removed, &removed_count, &fault), FAULT_NONE);
    free(removed);
    scene_run(sim, TICKS + 1);
    assert_int_equal(sim->body_count, 0);
    sim_destroy(sim);
}

// Puts back a body that was removed while it waited: it goes on as if it had stayed.
static void a_body_that_comes_back_waits_on(void **state)
{
    (void)state;
    uint32_t body, *removed, removed_count;
    uint64_t hashes[MOST];
    struct sim_image image;
    struct sim_image_place place;
    struct sim *sim = running(&body);
    bend(sim, body, 3e3);
    struct sim *other = copy_of(sim);
    run_on(other, NULL, hashes);
    scene_run(sim, 3);
    const struct sim_parts parts = {.bodies = &body, .body_count = 1};
    assert_true(sim_image_take_parts(sim, &parts, &image));
    assert_int_equal(sim_body_remove(sim, body, &removed, &removed_count, &fault), FAULT_NONE);
    free(removed);
    struct sim_body_plan *plan = sim_body_prepare_again(&image.bodies[0], sim_settings_of(sim)->resolution,
                                                        &scene_limits, &place, &fault);
    assert_non_null(plan);
    assert_int_equal(sim_body_restore(sim, plan, &fault), FAULT_NONE);
    sim_image_deinit(&image);
    assert_true(sim_hash(sim) == hashes[2]);
    run_and_compare(sim, hashes, 3);
    sim_destroy(sim);
    sim_destroy(other);
}

static void a_world_that_sweeps_waits_for_nothing(void **state)
{
    (void)state;
    uint32_t body;
    struct sim *sim = running(&body);
    struct sim_settings settings = *sim_settings_of(sim);
    bend(sim, body, 3e3);
    scene_run(sim, 2);
    settings.bending_solved = false;
    assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_NONE);
    assert_int_equal(sim->bodies[0]->bend_due, 0);
    assert_int_equal(bending(sim), SIM_BENDING_SWEPT_WORLD);
    scene_run(sim, 1);
    settings.bending_solved = true;
    assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_NONE);
    uint64_t hashes[MOST];
    run_on(sim, NULL, hashes);
    sim_destroy(sim);
}

static void ticks_that_are_taken_back_are_done_again(void **state)
{
    (void)state;
    uint32_t body;
    uint64_t hashes[MOST];
    struct sim *sim = running(&body);
    bend(sim, body, 3e3);
    struct sim *other = copy_of(sim);
    run_on(other, NULL, hashes);
    struct sim_still *still = sim_still_create(sim);
    assert_non_null(still);
    scene_run(sim, 3);
    sim_still_begin(still, sim);
    scene_run(sim, TICKS);
    while (!sim_still_go_on(still, 1000)) {
    }
    sim_still_end(still);
    assert_true(sim->bodies[0]->plate->solved);
    sim_still_give_back(still, sim);
    assert_true(sim_hash(sim) == hashes[2]);
    run_and_compare(sim, hashes, 3);
    sim_still_destroy(still);
    sim_destroy(sim);
    sim_destroy(other);
}

// A tick for which memory runs out fails, and the next one goes on.
static void memory_that_runs_out_changes_nothing(void **state)
{
    (void)state;
#ifdef OTHERS_OWN_THE_HEAP
    skip();
#endif
    uint32_t body;
    uint64_t hashes[MOST];
    struct sim *sim = running(&body);
    bend(sim, body, 3e3);
    struct sim *start = copy_of(sim);
    run_on(sim, NULL, hashes);
    bool failed = true;
    for (long n = 1; failed; n += n < 40 ? 1 : 47) {
        struct sim *copy = copy_of(start);
        failed = false;
        heap_left = n;
        for (uint32_t tick = 0; tick < MOST;) {
            struct sim_failure failure;
            assert_true(sim_step(copy, NULL, NULL, &failure));
            failed = failed || failure.failed;
            tick += failure.failed ? 0 : 1;
            assert_true(failure.failed || sim_hash(copy) == hashes[tick - 1]);
        }
        assert_true(copy->bodies[0]->plate->solved);
        failed = failed || heap_left == 0;
        heap_left = 0;
        sim_destroy(copy);
    }
    sim_destroy(start);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_grow_with_the_side_of_a_square),
        cmocka_unit_test(a_factor_has_the_same_bits_however_its_making_is_cut),
        cmocka_unit_test(all_ways_after_an_edit_of_compliances_are_one),
        cmocka_unit_test(all_ways_after_many_pins_are_one),
        cmocka_unit_test(all_ways_after_other_substeps_are_one),
        cmocka_unit_test(the_factor_at_the_end_is_that_of_the_last_edit),
        cmocka_unit_test(few_rows_are_done_at_once),
        cmocka_unit_test(few_stencils_are_done_at_once),
        cmocka_unit_test(a_body_that_is_new_waits_for_nothing),
        cmocka_unit_test(no_tick_has_more_than_its_part),
        cmocka_unit_test(a_body_may_go_while_it_waits),
        cmocka_unit_test(a_body_that_comes_back_waits_on),
        cmocka_unit_test(a_world_that_sweeps_waits_for_nothing),
        cmocka_unit_test(ticks_that_are_taken_back_are_done_again),
        cmocka_unit_test(memory_that_runs_out_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
