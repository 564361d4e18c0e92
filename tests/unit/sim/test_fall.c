// Falling particles get as far as the scheme says, v += h g, x += h v, with exact numbers. Velocities are floats, and
// gravity and damping change them in a substep by little beside what they are. So this tests how changes are rounded.
#include "helper_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const uint32_t substeps[5] = {1, 5, 20, 100, 1000};

struct fall {
    double gravity, damping;
    float up;       // m/s, at the start
    double density; // of air that has no drag: wind takes the prediction another way
    double from[3];
};

// The scheme in double.
static double exact(const struct fall *fall, uint32_t count, uint32_t ticks)
{
    double h = 1 / (60.0 * count), v = (double)fall->up, x = 0, keep = 1 / (1 + fall->damping * h);
    for (uint32_t s = 0; s < ticks * count; s++) {
        x += (v * keep - h * fall->gravity) * h;
        v = (v - h * fall->gravity) * keep;
    }
    return x;
}

// Ten seconds of two particles that fall alike. Returns how far they are from where they ought to be, m.
static double error_of(const struct fall *fall, uint32_t count)
{
    struct sim_settings settings = scene_settings();
    settings.gravity[1] = -fall->gravity;
    settings.damping = fall->damping;
    settings.wind.density = fall->density;
    settings.substeps = count;
    struct sim *sim = scene_create(settings);
    double x[6], at[2][3];
    const double masses[2] = {1, 0.25};
    const float v[6] = {0, fall->up, 0, 0, fall->up, 0};
    for (int k = 0; k < 6; k++) {
        x[k] = fall->from[k % 3] + (k == 3 ? 0.5 : 0);
    }
    struct sim_body_desc desc = scene_points(x, 2, masses);
    desc.velocities = v;
    uint32_t body = scene_add(sim, &desc);
    scene_run(sim, 600);
    for (uint32_t i = 0; i < 2; i++) {
        scene_position(sim, body, i, at[i]);
        assert_true(at[i][0] == x[3 * i] && at[i][2] == x[3 * i + 2]);
    }
    assert_true(at[0][1] == at[1][1]);
    sim_destroy(sim);
    return at[0][1] - fall->from[1] - exact(fall, count, 600);
}

static void falls_as_it_should(const struct fall *fall, const char *what)
{
    for (int i = 0; i < 5; i++) {
        double error = error_of(fall, substeps[i]);
        print_message("%s, %4u substeps: %+.3f mm in 10 s\n", what, substeps[i], 1e3 * error);
        assert_near(error, 0, 1e-3);
    }
}

static void free_fall_keeps_to_the_exact_sum(void **state)
{
    (void)state;
    falls_as_it_should(&(struct fall){.gravity = 9.81}, "free fall");
    falls_as_it_should(&(struct fall){.gravity = 1.62}, "on the moon");
    falls_as_it_should(&(struct fall){.gravity = 9.81, .up = 60}, "thrown up");
    falls_as_it_should(&(struct fall){.gravity = 9.81, .from = {2000, 2000, -2000}}, "2 km away");
    falls_as_it_should(&(struct fall){.gravity = 9.81, .density = 1.2}, "with wind");
}

static void damping_takes_what_it_should_however_short_a_substep_is(void **state)
{
    (void)state;
    falls_as_it_should(&(struct fall){.gravity = 9.81, .damping = 0.1}, "damping 0.1/s");
    falls_as_it_should(&(struct fall){.gravity = 9.81, .damping = 0.001}, "damping 0.001/s");
    falls_as_it_should(&(struct fall){.gravity = 9.81, .damping = 2}, "damping 2/s");
    falls_as_it_should(&(struct fall){.damping = 0.05, .up = 10}, "damping 0.05/s alone");
}

// The dither of a velocity must not shake what lies still.
static void what_lies_on_a_plane_stays_to_the_bit(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        struct sim_settings settings = scene_settings();
        settings.substeps = substeps[i];
        struct sim *sim = scene_create(settings);
        const double x[3] = {0.3, 0, -0.2}, zero[3] = {0}, up[3] = {0, 1, 0}, masses[1] = {1};
        struct sim_body_desc desc = scene_points(x, 1, masses);
        uint32_t body = scene_add(sim, &desc);
        scene_plane(sim, zero, up, 0.3);
        scene_run(sim, 60);
        double before[3], after[3];
        scene_position(sim, body, 0, before);
        for (int tick = 0; tick < 300; tick++) {
            scene_run(sim, 1);
            scene_position(sim, body, 0, after);
            assert_memory_equal(before, after, sizeof before);
        }
        sim_destroy(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_fall_keeps_to_the_exact_sum),
        cmocka_unit_test(damping_takes_what_it_should_however_short_a_substep_is),
        cmocka_unit_test(what_lies_on_a_plane_stays_to_the_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
