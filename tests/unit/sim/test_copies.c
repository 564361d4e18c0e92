// Two copies of a mesh in exactly the same place: they are counted as touching, and contact parts them by their ids.
#include "helper_count.h"
#include "helper_sheet.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define THICK SHEET_THICK

enum { SIDE = 8 };

// Runs for a second. From the first tick on nothing crosses, and nothing is thrown.
static void run_apart(struct sim *sim)
{
    const uint64_t touching = sim_crossings(sim);
    assert_true(touching > 0);
    assert_int_equal(touching, count_crossings(sim));
    for (int t = 0; t < 60; t++) {
        struct sim_measures measures;
        scene_run(sim, 1);
        assert_int_equal(sim_crossings(sim), 0);
        sim_measure(sim, &measures);
        assert_true(isfinite(measures.kinetic));
    }
}

static void sheets_part_by_their_ids(void **state)
{
    (void)state;
    for (int copies = 2; copies <= 4; copies++) {
        struct sim_settings settings = sheet_settings(20);
        settings.gravity[1] = 0;
        struct sim *sim = scene_create(settings);
        const struct sheet sheet = sheet_of(SIDE, 0, 2, 0, 0.1, 0);
        for (int i = 0; i < copies; i++) {
            sheet_add(sim, &sheet);
        }
        run_apart(sim);
        // They lie above each other in the order of their ids, all to the same side.
        const double first = sheet_mean(sim, 2, 1) - sheet_mean(sim, 1, 1);
        for (uint32_t b = 1; b < (uint32_t)copies; b++) {
            const double way = sheet_mean(sim, b + 1, 1) - sheet_mean(sim, b, 1);
            assert_true((way > 0) == (first > 0));
            assert_true(fabs(way) > 1.8 * THICK);
        }
        sim_destroy(sim);
    }
}

static void sheets_on_a_floor_and_hung_by_the_same_corner_part(void **state)
{
    (void)state;
    static const uint32_t corner[1] = {0};
    for (int hung = 0; hung < 2; hung++) {
        struct sim *sim = scene_create(sheet_settings(20));
        struct sheet sheet = sheet_of(SIDE, 0, 2, 0, hung ? 0.5 : THICK, 0);
        sheet.pins = corner;
        sheet.pin_count = hung ? 1 : 0;
        sheet.wavy = hung;
        sheet_floor(sim);
        sheet_add(sim, &sheet);
        sheet_add(sim, &sheet);
        for (int t = 0; t < 60; t++) {
            scene_run(sim, 1);
            assert_true(sim_crossings(sim) <= (hung ? 40 : 0)); // what the pins hold in one place touches
        }
        if (!hung) {
            assert_true(fabs(sheet_mean(sim, 2, 1) - sheet_mean(sim, 1, 1)) > 1.8 * THICK);
        }
        sim_destroy(sim);
    }
}

// One of them goes into the other one, all around.
static void soft_blocks_part(void **state)
{
    (void)state;
    struct sim_settings settings = sheet_settings(20);
    settings.gravity[1] = 0;
    struct sim *sim = scene_create(settings);
    struct scene_block block = scene_block((const uint32_t[3]){2, 2, 2}, 0.02, (const double[3]){0, 0, 0});
    struct sim_body_desc desc = scene_soft(&block);
    desc.thickness = 0.001;
    desc.meeting = sheet_meets;
    desc.stretch.compliance = 1e-4;
    desc.volume.compliance = 1e-4;
    scene_add(sim, &desc);
    scene_add(sim, &desc);
    run_apart(sim);
    scene_block_deinit(&block);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sheets_part_by_their_ids),
        cmocka_unit_test(sheets_on_a_floor_and_hung_by_the_same_corner_part),
        cmocka_unit_test(soft_blocks_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
