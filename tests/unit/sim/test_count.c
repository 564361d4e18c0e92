// The exact count of crossings is what everyone tested with everyone comes to: of crumpled cloths that went through
// themselves, of ropes and points, of what is pinned or static, of bodies far away and of those that meet nobody.
#include "helper_count.h"
#include "helper_sheet.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct fault fault;
static uint64_t seed;

static double between(double least, double most)
{
    return least + (most - least) * scene_uniform(&seed);
}

static void any_rope(struct sim *sim, double far)
{
    double x[3 * 8];
    uint32_t edges[2 * 7];
    for (uint32_t i = 0; i < 8; i++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            x[3 * i + axis] = (axis == 0 ? far : 0) + between(0, 0.12);
        }
        edges[2 * (i < 7 ? i : 0)] = i < 7 ? i : 0;
        edges[2 * (i < 7 ? i : 0) + 1] = i < 7 ? i + 1 : 1;
    }
    struct sim_body_desc desc = scene_rope(x, 8, edges, 7, NULL);
    desc.thickness = SHEET_THICK;
    desc.meeting = sheet_meets;
    scene_add(sim, &desc);
}

// Sheets, some of which meet, and ropes between them.
static struct sim *any_world(double far)
{
    static const uint32_t pins[] = {0, 1, 2, 3, 10, 11, 12};
    struct sim_settings settings = sheet_settings(20);
    settings.gravity[1] = 0;
    struct sim *sim = scene_create(settings);
    for (int i = 0; i < 6; i++) {
        struct sheet sheet = sheet_of(5 + (uint32_t)(i % 3), i % 3, (i + 1 + i / 3) % 3,
                                      far + between(0, 0.05), between(0, 0.05), between(0, 0.05));
        sheet.wavy = between(0, 40);
        sheet.meeting.self = i != 2;
        sheet.meeting.mask = i == 1 ? 0 : 1;
        sheet.is_static = i == 3;
        sheet.pins = pins;
        sheet.pin_count = i == 4 ? 7 : 0;
        sheet_add(sim, &sheet);
    }
    any_rope(sim, far);
    return sim;
}

// Particles at random: many edges cross and few touch. On coarse places: many touch and lie in planes.
static void stir(struct sim *sim, double far, bool coarse)
{
    struct sim_body_info info;
    for (uint32_t body = 1; sim_body_info(sim, body, &info); body++) {
        double x[3 * 49];
        uint32_t all[49];
        for (uint32_t i = 0; i < info.particle_count; i++) {
            all[i] = i;
            scene_position(sim, body, i, x + 3 * (size_t)i);
            for (uint32_t axis = 0; axis < 3; axis++) {
                double moved = x[3 * (size_t)i + axis] - (axis == 0 ? far : 0) + between(-0.01, 0.01);
                moved = coarse ? 0.0078125 * (int)(moved / 0.0078125) : moved;
                x[3 * (size_t)i + axis] = moved + (axis == 0 ? far : 0);
            }
        }
        assert_int_equal(sim_particles_set(sim, body, all, info.particle_count, x, NULL, NULL, &fault),
                         FAULT_NONE);
    }
}

static void it_is_what_everyone_with_everyone_comes_to(void **state)
{
    (void)state;
    static const double fars[] = {0, 1024, 15.9375};
    uint64_t all = 0;
    for (int round = 0; round < 9; round++) {
        seed = 5 + (uint64_t)round;
        double far = fars[round % 3];
        struct sim *sim = any_world(far);
        for (int turn = 0; turn < 4; turn++) {
            uint64_t expected = count_crossings(sim);
            assert_true(sim_crossings(sim) == expected);
            all += expected;
            stir(sim, far, round / 3 == 1 || turn == 2);
        }
        sim_destroy(sim);
    }
    assert_true(all > 5000);
}

// The counts for a cloth that fell through itself, and for one that could not.
static void it_is_right_of_what_fell(void **state)
{
    (void)state;
    for (int meets = 0; meets < 2; meets++) {
        const struct sim_meeting nothing = {0};
        struct sim *sim = sheet_pile(13, -3, meets ? &sheet_meets : &nothing, 0);
        for (int t = 0; t < 8; t++) {
            scene_run(sim, 5);
            if (!meets) { // so that it counts; for no tick
                assert_int_equal(sim_body_set(sim, 1,
                                              &(struct sim_body_change){.meeting = &sheet_meets,
                                                                        .thickness = &(double){SHEET_THICK}},
                                              &fault),
                                 FAULT_NONE);
            }
            uint64_t expected = count_crossings(sim);
            assert_true(sim_crossings(sim) == expected);
            assert_true(meets == 0 || expected == 0);
            assert_true(meets == 1 || t < 7 || expected > 10);
            if (!meets) {
                assert_int_equal(sim_body_set(sim, 1, &(struct sim_body_change){.meeting = &nothing}, &fault),
                                 FAULT_NONE);
            }
        }
        sim_destroy(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_what_everyone_with_everyone_comes_to),
        cmocka_unit_test(it_is_right_of_what_fell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
