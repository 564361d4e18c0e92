// Fields of force: point, vortex and drag do what their equations say, end where their regions end, act on whom they should, have the
// same bits in every instruction set, and are state.
#include "helper_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct fault fault;

static struct sim_force field_of(enum sim_force_kind kind, double strength)
{
    return (struct sim_force){
        .id = 1, .kind = kind, .axis = {0, 0, 2}, .strength = strength, .distance = 1, .core = 1e-4};
}

static void put(struct sim *sim, const struct sim_force *force, uint32_t count)
{
    struct sim_settings settings = *sim_settings_of(sim);
    settings.forces = (struct sim_force_fields){.count = count, .next = count + 1};
    for (uint32_t f = 0; f < count; f++) {
        settings.forces.items[f] = force[f];
        settings.forces.items[f].id = f + 1;
    }
    assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_NONE);
}

// One particle at x, that goes with v.
static struct sim *one(double x, float v)
{
    const double at[3] = {x, 0, 0}, mass = 3;
    const float speed[3] = {0, v, 0};
    struct sim_settings settings = scene_settings();
    settings.gravity[1] = 0;
    struct sim *sim = scene_create(settings);
    struct sim_body_desc desc = scene_points(at, 1, &mass);
    desc.velocities = speed;
    scene_add(sim, &desc);
    return sim;
}

// The acceleration of a particle at rest at x in the first tick, m/s^2 along an axis.
static double pull_at(double x, const struct sim_force *force, int axis)
{
    struct sim *sim = one(x, 0);
    put(sim, force, 1);
    scene_run(sim, 1);
    float v[3];
    scene_velocity(sim, 1, 0, v);
    sim_destroy(sim);
    return 60 * (double)v[axis];
}

static void strength_falls_off_as_it_should(void **state)
{
    (void)state;
    struct sim_force point = field_of(SIM_FORCE_POINT, 0.5), vortex = field_of(SIM_FORCE_VORTEX, 0.5);
    for (uint32_t p = 0; p < 3; p++) {
        point.falloff = vortex.falloff = (enum sim_falloff)p;
        assert_near(pull_at(2, &point, 0), -0.5 * pow(0.5, p), 2e-4);
        assert_near(pull_at(-2, &point, 0), 0.5 * pow(0.5, p), 2e-4);
        assert_near(pull_at(2, &vortex, 1), 0.5 * pow(0.5, p), 2e-4);
        assert_near(pull_at(-2, &vortex, 1), -0.5 * pow(0.5, p), 2e-4);
        assert_near(pull_at(2, &vortex, 0), 0, 2e-4);
    }
    point.strength = -0.5; // away
    point.position[0] = 1;
    assert_near(pull_at(2, &point, 0), 0.5, 2e-4);
    assert_near(pull_at(1, &point, 0), 0, 0); // in its middle
}

static void a_planet_goes_round_its_star(void **state)
{
    (void)state;
    struct sim_force star = field_of(SIM_FORCE_POINT, 1);
    star.falloff = SIM_FALLOFF_INVERSE_SQUARE;
    struct sim *sim = one(1, 1);
    put(sim, &star, 1);
    scene_run(sim, 377); // 2 pi seconds
    double at[3];
    scene_position(sim, 1, 0, at);
    assert_near(at[0], 1, 0.01);
    assert_near(sqrt(at[0] * at[0] + at[1] * at[1]), 1, 2e-3);
    sim_destroy(sim);
}

static void drag_brakes_and_carries_however_strong_it_is(void **state)
{
    (void)state;
    struct sim_force drag = field_of(SIM_FORCE_DRAG, 2);
    struct sim *sim = one(0, 4);
    put(sim, &drag, 1);
    scene_run(sim, 60);
    float v[3];
    scene_velocity(sim, 1, 0, v);
    assert_near((double)v[1], 4 * pow(1 + 2.0 / 600, -600), 1e-4);
    // Three of them at once, far beyond 1/h, with a medium that flows and a gravity against it.
    struct sim_force strong[3] = {field_of(SIM_FORCE_DRAG, 1e6), field_of(SIM_FORCE_DRAG, 1e6),
                                  field_of(SIM_FORCE_DRAG, 1e6)};
    for (int i = 0; i < 3; i++) {
        strong[i].velocity[0] = 0.5;
    }
    put(sim, strong, 3);
    scene_run(sim, 5);
    scene_velocity(sim, 1, 0, v);
    assert_near((double)v[0], 0.5, 1e-5);
    assert_near((double)v[1], 0, 1e-5);
    sim_destroy(sim);
    // A falling particle comes to g/k.
    struct sim_settings settings = scene_settings();
    settings.forces = (struct sim_force_fields){.count = 1, .next = 2, .items = {drag}};
    settings.forces.items[0].strength = 10;
    sim = scene_create(settings);
    const double x[3] = {0, 0, 0}, mass = 1;
    struct sim_body_desc desc = scene_points(x, 1, &mass);
    scene_add(sim, &desc);
    scene_run(sim, 180);
    scene_velocity(sim, 1, 0, v);
    assert_near((double)v[1], -0.981, 1e-5);
    sim_destroy(sim);
}

static void fields_end_at_their_regions_and_fade_in_their_margins(void **state)
{
    (void)state;
    struct sim_force ball = field_of(SIM_FORCE_POINT, 0.5), box = ball;
    ball.radius = 2;
    box.half_extents[0] = 2;
    box.half_extents[1] = box.half_extents[2] = 1;
    assert_near(pull_at(1.99, &ball, 0), -0.5, 1e-3);
    assert_near(pull_at(2.01, &ball, 0), 0, 0);
    assert_near(pull_at(1.99, &box, 0), -0.5, 1e-3);
    assert_near(pull_at(2.01, &box, 0), 0, 0);
    ball.margin = box.margin = 1;
    assert_near(pull_at(0.9, &ball, 0), -0.5, 1e-3);
    assert_near(pull_at(1.5, &ball, 0), -0.25, 1e-3);
    assert_near(pull_at(1.5, &box, 0), -0.25, 1e-3);
    assert_near(pull_at(2, &ball, 0), 0, 1e-4);
    ball.position[0] = 5;
    assert_near(pull_at(2, &ball, 0), 0, 1e-4);
    assert_near(pull_at(4.5, &ball, 0), 0.5, 1e-3);
}

static void fields_act_on_the_bodies_that_they_name(void **state)
{
    (void)state;
    struct sim_force drag = field_of(SIM_FORCE_DRAG, 5);
    drag.velocity[2] = 1;
    drag.body_count = 1;
    drag.bodies[0] = 2;
    struct sim *sim = one(0, 1), *plain = one(0, 1);
    const double x[3] = {3, 0, 0}, mass = 1;
    struct sim_body_desc desc = scene_points(x, 1, &mass);
    scene_add(sim, &desc);
    put(sim, &drag, 1);
    scene_run(sim, 30);
    scene_run(plain, 30);
    float v[3], other[3];
    scene_velocity(sim, 1, 0, v);
    scene_velocity(plain, 1, 0, other);
    assert_memory_equal(v, other, sizeof v);
    scene_velocity(sim, 2, 0, v);
    assert_true(v[2] > 0.8F);
    sim_destroy(sim);
    sim_destroy(plain);
}

static uint64_t first_hash;

static struct sim *cloth(void)
{
    const double origin[3] = {100, 0, -50};
    struct scene_mesh mesh = scene_grid(9, 7, 0.05, origin);
    struct sim_settings settings = scene_settings();
    settings.damping = 0.5;
    settings.wind = (struct sim_wind){.velocity = {1, 0, 0}, .drag = 1, .density = 1.2};
    struct sim *sim = scene_create(settings);
    struct sim_body_desc desc = scene_cloth(&mesh);
    scene_add(sim, &desc);
    struct sim_force fields[3] = {field_of(SIM_FORCE_POINT, 3), field_of(SIM_FORCE_VORTEX, -2),
                                  field_of(SIM_FORCE_DRAG, 4)};
    for (int f = 0; f < 3; f++) {
        memcpy(fields[f].position, origin, sizeof origin);
        fields[f].radius = 0.3;
        fields[f].margin = 0.1;
        fields[f].falloff = (enum sim_falloff)f;
    }
    put(sim, fields, 3);
    scene_mesh_deinit(&mesh);
    return sim;
}

static void look_at(enum sim_isa isa)
{
    sim_isa_choose(isa);
    struct sim *sim = cloth();
    scene_run(sim, 20);
    const uint64_t hash = sim_hash(sim);
    assert_true(first_hash == 0 || hash == first_hash);
    first_hash = hash;
    sim_destroy(sim);
}

static void fields_have_the_same_bits_in_every_instruction_set(void **state)
{
    (void)state;
    const enum sim_isa chosen = sim_isa_chosen();
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        if (sim_isa_available((enum sim_isa)isa)) {
            look_at((enum sim_isa)isa);
        }
    }
    sim_isa_choose(chosen);
}

static void images_have_fields_and_a_world_without_them_has_its_old_bits(void **state)
{
    (void)state;
    struct sim *sim = cloth();
    scene_run(sim, 3);
    struct sim_image image;
    struct sim_image_place place;
    assert_true(sim_image_take(sim, &image));
    struct sim *twin = sim_image_make(&image, &scene_limits, &place, &fault);
    sim_image_deinit(&image);
    assert_non_null(twin);
    assert_true(sim_hash(twin) == sim_hash(sim));
    scene_run(sim, 5);
    scene_run(twin, 5);
    assert_true(sim_hash(twin) == sim_hash(sim));
    // Fields that came and went leave no bit but the next id.
    struct sim *plain = one(1, 1), *other = one(1, 1);
    const struct sim_force point = field_of(SIM_FORCE_POINT, 1);
    put(other, &point, 1);
    put(other, NULL, 0);
    scene_run(plain, 5);
    scene_run(other, 5);
    assert_true(sim_hash(plain) == sim_hash(other));
    sim_destroy(plain);
    sim_destroy(other);
    sim_destroy(twin);
    sim_destroy(sim);
}

static void hostile_fields_are_refused_or_fail_the_world(void **state)
{
    (void)state;
    struct sim *sim = one(1, 0);
    const uint64_t before = sim_hash(sim);
    for (int bad = 0; bad < 8; bad++) {
        struct sim_settings settings = *sim_settings_of(sim);
        struct sim_force force = field_of(bad % 2 == 0 ? SIM_FORCE_POINT : SIM_FORCE_DRAG, 1);
        double *numbers[] = {&force.strength, &force.distance, &force.core,    &force.radius,
                             &force.margin,   force.position,  &force.axis[1], &force.velocity[2]};
        *numbers[bad] = bad % 3 == 0 ? NAN : bad % 3 == 1 ? -INFINITY : 1e300;
        settings.forces = (struct sim_force_fields){.count = 1, .next = 2, .items = {force}};
        assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_INVALID);
        assert_true(sim_hash(sim) == before);
    }
    // The strongest there is, next to the middle.
    struct sim_force star = field_of(SIM_FORCE_POINT, -1e6);
    star.falloff = SIM_FALLOFF_INVERSE_SQUARE;
    star.distance = 1e6;
    star.core = 1e-6;
    star.position[0] = 1 + 1e-7;
    put(sim, &star, 1);
    struct sim_failure failure;
    sim_step(sim, NULL, NULL, &failure);
    assert_true(failure.failed && failure.body == 1);
    put(sim, NULL, 0);
    assert_true(sim_hash(sim) == before);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strength_falls_off_as_it_should),
        cmocka_unit_test(a_planet_goes_round_its_star),
        cmocka_unit_test(drag_brakes_and_carries_however_strong_it_is),
        cmocka_unit_test(fields_end_at_their_regions_and_fade_in_their_margins),
        cmocka_unit_test(fields_act_on_the_bodies_that_they_name),
        cmocka_unit_test(fields_have_the_same_bits_in_every_instruction_set),
        cmocka_unit_test(images_have_fields_and_a_world_without_them_has_its_old_bits),
        cmocka_unit_test(hostile_fields_are_refused_or_fail_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
