// Bodies that fall as a whole count as still for contact; and a body that hits the floor fast does not cross itself.
#include "helper_count.h"
#include "helper_obstacle.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define EDGE SHEET_EDGE
#define THICK SHEET_THICK

enum { LAYERS = 5, SIDE = 8, TICKS = 12 };
enum around { ALONE, UNMET, BESIDE_STATIC_ONES, AROUNDS };

static struct fault fault;

// Two static specks, far from everything: their common box holds all that falls, so the frame stays where it is.
static void specks_add(struct sim *sim)
{
    double positions[18] = {-40, -40, -40, -40.1, -40, -40, -40, -40, -40.1,
                            40,  40,  40,  40.1,  40,  40,  40,  40,  40.1};
    uint32_t triangles[6] = {0, 1, 2, 3, 4, 5};
    double masses[6] = {0};
    struct scene_mesh mesh = {
        .particle_count = 6, .triangle_count = 2, .positions = positions, .triangles = triangles};
    struct sim_body_desc desc = scene_cloth(&mesh);
    desc.masses = masses;
    desc.thickness = THICK;
    desc.meeting = sheet_meets;
    scene_add(sim, &desc);
}

struct fallen {
    double x[LAYERS][3 * SIDE * SIDE];
    uint32_t pairs, pushing;
};

// Layers that are nearly in reach of each other.
static struct fallen layers_fall(double speed, enum around around)
{
    static const struct sim_meeting nothing = {0};
    struct fallen fallen = {.pairs = 0};
    struct sim *sim = scene_create(sheet_settings(20));
    for (int i = 0; i < LAYERS; i++) {
        struct sheet sheet = sheet_of(SIDE, 0, 2, 0.11 * EDGE * i, 2.06 * THICK * i, 0.07 * EDGE * i);
        sheet.meeting = around == UNMET ? nothing : sheet_meets;
        sheet.speed[1] = -speed;
        sheet.speed[0] = 0.3 * speed;
        sheet_add(sim, &sheet);
    }
    if (around == BESIDE_STATIC_ONES) {
        specks_add(sim);
    }
    for (int t = 0; t < TICKS; t++) {
        struct sim_meetings told;
        scene_run(sim, 1);
        sim_meetings_of(sim, &told);
        fallen.pairs = told.pairs > fallen.pairs ? told.pairs : fallen.pairs;
        fallen.pushing += told.pushing;
        assert_int_equal(told.held, 0);
        assert_int_equal(told.dropped, 0);
    }
    for (uint32_t i = 0; i < LAYERS; i++) {
        sim_body_positions64(sim, i + 1, 0, SIDE * SIDE, fallen.x[i]);
    }
    sim_destroy(sim);
    return fallen;
}

static void layers_that_fall_fall_as_if_nothing_met(void **state)
{
    (void)state;
    static const double speeds[] = {0, 12, 30};
    uint32_t slow = 0;
    for (int s = 0; s < 3; s++) {
        struct fallen fallen[AROUNDS];
        for (int around = 0; around < AROUNDS; around++) {
            fallen[around] = layers_fall(speeds[s], (enum around)around);
            assert_memory_equal(fallen[around].x, fallen[0].x, sizeof fallen[0].x);
            assert_int_equal(fallen[around].pushing, 0);
        }
        slow = s == 0 ? fallen[ALONE].pairs : slow;
        assert_true(slow > 1000 && fallen[UNMET].pairs == 0);
        // However fast they are, and beside what stands still as well: tubes go along.
        assert_true(fallen[ALONE].pairs < 1.05 * slow && fallen[BESIDE_STATIC_ONES].pairs < 1.05 * slow);
    }
}

// A heap from which the floor is taken away, and which all of a sudden goes as fast as it is asked to.
static void a_heap_that_falls_is_not_held(void **state)
{
    (void)state;
    static const double speeds[] = {0, 12, 30};
    uint32_t slow = 0;
    for (int s = 0; s < 3; s++) {
        enum { WIDE = 13 };
        uint32_t all[WIDE * WIDE], most = 0, pushing = 0;
        float velocities[3 * WIDE * WIDE];
        struct sim *sim = scene_create(sheet_settings(20));
        struct sheet sheet = sheet_of(WIDE, 0, 1, 0, 0.05, 0);
        sheet.wavy = 1;
        uint32_t floor = scene_plane(sim, (const double[3]){0, 0, 0}, (const double[3]){0, 1, 0}, 0.5);
        uint32_t body = sheet_add(sim, &sheet);
        sheet_run(sim, 60, 0);
        assert_int_equal(sim_collider_remove(sim, floor, &fault), FAULT_NONE);
        for (uint32_t i = 0; i < WIDE * WIDE; i++) {
            all[i] = i;
            memcpy(velocities + 3 * (size_t)i, (const float[3]){0, (float)-speeds[s], 0}, sizeof(float[3]));
        }
        assert_int_equal(sim_particles_set(sim, body, all, WIDE * WIDE, NULL, velocities, NULL, &fault),
                         FAULT_NONE);
        for (int t = 0; t < TICKS; t++) {
            struct sim_meetings told = sheet_run(sim, 1, 0);
            most = told.pushing > most ? told.pushing : most;
            pushing += told.pushing;
            assert_int_equal(told.held, 0);
            assert_int_equal(told.dropped, 0);
        }
        assert_true(pushing > 20);
        slow = s == 0 ? most : slow;
        assert_true(most <= slow + slow / 4 + 4); // what falls fast is pushed no more than what falls slowly
        sim_destroy(sim);
    }
}

// On its edge, onto a floor. Each tick is counted by everyone with everyone as well.
static void what_hits_the_floor_does_not_cross_itself(void **state)
{
    (void)state;
    static const struct {
        double speed;
        uint32_t substeps, ticks;
    } cases[] = {{12, 20, 40}, {30, 20, 25}, {12, 5, 40}, {30, 2, 20}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint32_t side = obstacle_large() ? 41 : 15;
        struct sim *sim = scene_create(sheet_settings(cases[i].substeps));
        struct sheet sheet = sheet_of(side, 0, 1, 0, 0.05, 0);
        sheet.wavy = 1;
        sheet.speed[1] = -cases[i].speed;
        sheet_floor(sim);
        sheet_add(sim, &sheet);
        uint32_t held = 0;
        for (uint32_t t = 0; t < (obstacle_large() ? 4 : 1) * cases[i].ticks; t++) {
            struct sim_meetings told = sheet_run(sim, 1, 0);
            held += told.held;
            assert_int_equal(told.dropped, 0);
            assert_true(obstacle_large() || t % 4 != 0 || count_crossings(sim) == 0);
        }
        assert_true(held > 0);
        sim_destroy(sim);
    }
}

// One upon the other, onto a ball that is a mesh.
static void cloths_that_fall_onto_a_ball_cross_nothing(void **state)
{
    (void)state;
    enum { CLOTHS = 5 };
    const uint32_t side = obstacle_large() ? 17 : 10, ticks = obstacle_large() ? 120 : 60;
    const double half = (side - 1) * EDGE / 2, radius = 0.7 * half;
    struct sim *sim = scene_create(sheet_settings(20));
    struct obstacle ball = obstacle_ball(sim, 20, 10, radius, (const double[3]){0, radius, 0});
    sheet_floor(sim);
    for (int i = 0; i < CLOTHS; i++) {
        struct sheet sheet = sheet_of(side, 0, 2, 0.3 * EDGE * i - half, 2 * radius + (2 + 4 * i) * THICK,
                                      0.2 * EDGE * i - half);
        sheet.speed[1] = -1;
        sheet_add(sim, &sheet);
    }
    uint32_t pushing = 0;
    for (uint32_t t = 0; t < ticks; t++) {
        struct sim_meetings told = sheet_run(sim, 1, 0);
        pushing = told.pushing;
        assert_int_equal(told.dropped, 0);
        assert_true(obstacle_large() || t % 12 != 11 || count_crossings(sim) == 0);
    }
    assert_true(pushing > 200); // they hang over it, on each other
    obstacle_deinit(&ball);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_that_fall_fall_as_if_nothing_met),
        cmocka_unit_test(a_heap_that_falls_is_not_held),
        cmocka_unit_test(what_hits_the_floor_does_not_cross_itself),
        cmocka_unit_test(cloths_that_fall_onto_a_ball_cross_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
