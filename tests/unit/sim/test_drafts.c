// Winds and fans: what a plate feels in them is what their equations say, they are smooth, end at their regions, bring their own air
// where the world has none, and have the same bits in every instruction set. Bodies feel the air by coefficients of their own.
#include "base/thread.h"
#include "helper_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SIDE 0.01 // m, of the triangle that feels the air

static struct fault fault;

static struct sim_force fan_of(double speed, double width)
{
    return (struct sim_force){.kind = SIM_FORCE_FAN,
                              .axis = {3, 0, 0},
                              .strength = speed,
                              .distance = 1,
                              .core = 0.01,
                              .width = width};
}

static struct sim_force wind_of(double x, double y)
{
    return (struct sim_force){.kind = SIM_FORCE_WIND,
                              .axis = {0, 1, 0},
                              .velocity = {x, y, 0},
                              .strength = 1,
                              .distance = 1,
                              .core = 0.01,
                              .width = 1};
}

// A world with drag 1 in air of this density and with these fields.
static struct sim_settings breezy(const struct sim_force *fields, uint32_t count, double density)
{
    struct sim_settings settings = scene_still(1000);
    settings.wind.drag = 1;
    settings.wind.density = density;
    settings.forces = (struct sim_force_fields){.count = count, .next = count + 1};
    for (uint32_t f = 0; f < count; f++) {
        settings.forces.items[f] = fields[f];
        settings.forces.items[f].id = f + 1;
    }
    return settings;
}

// A small triangle across x whose middle is at a place, of this mass.
static uint32_t add_plate(struct sim *sim, const double at[3], double mass, const struct sim_own_wind *own)
{
    const double x[9] = {at[0], at[1] - SIDE / 3,     at[2] - SIDE / 3,
                         at[0], at[1] + 2 * SIDE / 3, at[2] - SIDE / 3,
                         at[0], at[1] - SIDE / 3,     at[2] + 2 * SIDE / 3};
    const double masses[3] = {mass / 3, mass / 3, mass / 3};
    const uint32_t triangle[3] = {0, 1, 2};
    const struct sim_body_desc desc = {.kind = SIM_CLOTH,
                                       .particle_count = 3,
                                       .positions = x,
                                       .masses = masses,
                                       .triangles = triangle,
                                       .triangle_count = 1,
                                       .wind = own ? *own : (struct sim_own_wind){0},
                                       .stretch = {.compliance = 1e10, .stiffness = -1}};
    return scene_add(sim, &desc);
}

// The momentum that a tick gives a plate at rest, over the time: a force in N.
static void force_of(struct sim *sim, uint32_t body, double mass, double force[3])
{
    float v[9];
    scene_run(sim, 1);
    sim_body_velocities(sim, body, 0, 3, v);
    for (int axis = 0; axis < 3; axis++) {
        force[axis] = 1000 * mass / 3 * ((double)v[axis] + (double)v[3 + axis] + (double)v[6 + axis]);
    }
}

// The speed along x of the air at a place, from what the plate feels: F = 1/2 rho A u |u|.
static double speed_at(const struct sim_settings *settings, double x, double y, double z, double density)
{
    const double at[3] = {x, y, z};
    struct sim *sim = scene_create(*settings);
    double force[3];
    force_of(sim, add_plate(sim, at, 1, NULL), 1, force);
    sim_destroy(sim);
    assert_near(force[1], 0, 1e-7);
    assert_near(force[2], 0, 1e-7);
    const double square = fabs(force[0]) / (0.5 * density * 0.5 * SIDE * SIDE);
    return copysign(sqrt(square), force[0]);
}

static void a_fan_blows_as_the_profile_of_a_jet_says(void **state)
{
    (void)state;
    const double speed = 8, width = 0.5;
    const struct sim_force fan = fan_of(speed, width);
    for (int airless = 0; airless < 2; airless++) {
        const struct sim_settings settings = breezy(&fan, 1, airless ? 0 : 1.2);
        for (double s = 0.1; s < 8; s *= 1.7) {
            for (double q = 0; q < 1; q += 0.3) {
                const double l = fmax(width / 2, 0.094 * s), part = 1 + 0.414 * q * q / (l * l);
                const double expected = speed * fmin(1, 6 * width / s) / (part * part);
                assert_near(speed_at(&settings, s, q, 0, 1.2), expected, 0.002 * speed);
                assert_near(speed_at(&settings, s, 0, -q, 1.2), expected, 0.002 * speed);
            }
        }
        assert_near(speed_at(&settings, 0.3, width / 2, 0, 1.2), speed / 2,
                    0.002 * speed);                                   // at half its width
        assert_near(speed_at(&settings, -width, 0, 0, 1.2), 0, 1e-3); // behind it
    }
}

// No step of a millimetre changes the air by more than the steepest slope there is.
static void look_along(const struct sim_settings *settings, const double from[3], const double way[3],
                       double slope)
{
    double before = NAN;
    for (int i = 0; i <= 120; i++) {
        const double t = (double)i / 120;
        const double now =
            speed_at(settings, from[0] + t * way[0], from[1] + t * way[1], from[2] + t * way[2], 1.2);
        const double step = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]) / 120;
        assert_true(i == 0 || fabs(now - before) < slope * step + 0.02);
        before = now;
    }
}

static void the_air_is_continuous_everywhere(void **state)
{
    (void)state;
    struct sim_force fan = fan_of(8, 0.4), box = wind_of(6, 0);
    fan.radius = 3;
    fan.margin = 0.5;
    struct sim_settings settings = breezy(&fan, 1, 1.2);
    look_along(&settings, (const double[3]){-0.4, 0.02, 0}, (const double[3]){0.6, 0, 0}, 8 * 1.875 / 0.2);
    look_along(&settings, (const double[3]){2.3, 0.02, 0}, (const double[3]){0.8, 0, 0}, 8 * 1.875 / 0.5 + 4);
    look_along(&settings, (const double[3]){1, -0.7, 0}, (const double[3]){0, 1.4, 0}, 8 * 1.2 / 0.2);
    box.half_extents[0] = 1;
    box.half_extents[1] = box.half_extents[2] = 0.5;
    box.margin = 0.3;
    settings = breezy(&box, 1, 1.2);
    look_along(&settings, (const double[3]){0.6, 0, 0}, (const double[3]){0.5, 0, 0}, 6 * 1.875 / 0.3);
    look_along(&settings, (const double[3]){0, 0.1, 0}, (const double[3]){0, 0.5, 0}, 6 * 1.875 / 0.3);
    assert_near(speed_at(&settings, 0.65, 0, 0, 1.2), 6, 1e-3);
    assert_near(speed_at(&settings, 0.85, 0, 0, 1.2), 3, 5e-3);
    assert_near(speed_at(&settings, 1.01, 0, 0, 1.2), 0, 1e-4);
}

// A jet upwards carries a plate at the height where its speed is that at which the plate falls.
static void a_plate_hovers_over_a_fan_and_falls_against_a_wind_at_its_terminal_velocity(void **state)
{
    (void)state;
    const double mass = 0.5 * SIDE * SIDE * 0.3, fall = sqrt(2 * 0.3 * 9.81 / 1.2); // 0.3 kg/m^2
    struct sim_force fan = fan_of(6, 0.2), wind = wind_of(0, 5);
    fan.axis[0] = 0;
    fan.axis[1] = 1;
    for (int which = 0; which < 2; which++) {
        struct sim_settings settings = breezy(which == 0 ? &fan : &wind, 1, 1.2);
        settings.gravity[1] = -9.81;
        const double height = 6 * 0.2 * 6 / fall, at = which == 0 ? 1.2 * height : 0;
        const double x[9] = {-SIDE / 3,    at,           -SIDE / 3, -SIDE / 3, at,
                             2 * SIDE / 3, 2 * SIDE / 3, at,        -SIDE / 3};
        const double masses[3] = {mass / 3, mass / 3, mass / 3};
        const uint32_t triangle[3] = {0, 1, 2};
        const struct sim_body_desc desc = {.kind = SIM_CLOTH,
                                           .particle_count = 3,
                                           .positions = x,
                                           .masses = masses,
                                           .triangles = triangle,
                                           .triangle_count = 1,
                                           .stretch = {.compliance = 0, .stiffness = -1}};
        struct sim *sim = scene_create(settings);
        const uint32_t body = scene_add(sim, &desc);
        scene_run(sim, which == 0 ? 6000 : 2000);
        double place[3];
        float v[3];
        scene_position(sim, body, 0, place);
        scene_velocity(sim, body, 0, v);
        if (which == 0) {
            assert_near(place[1], height, 0.01 * height);
            assert_near((double)v[1], 0, 0.02);
        } else {
            assert_near((double)v[1], 5 - fall, 5e-3);
        }
        sim_destroy(sim);
    }
}

static void without_air_a_field_brings_its_own_and_only_where_it_is(void **state)
{
    (void)state;
    struct sim_force box = wind_of(3, 0);
    box.half_extents[0] = box.half_extents[1] = box.half_extents[2] = 1;
    box.body_count = 1;
    box.bodies[0] = 2;
    const struct sim_settings settings = breezy(&box, 1, 0), none = breezy(NULL, 0, 0);
    struct sim *sim = scene_create(settings), *plain = scene_create(none);
    const double inside[3] = {0.2, 0, 0}, outside[3] = {1.2, 0, 0};
    double force[3];
    add_plate(sim, inside, 1, NULL); // the field does not name it
    force_of(sim, 1, 1, force);
    assert_true(force[0] == 0);
    add_plate(sim, inside, 1, NULL);
    add_plate(sim, outside, 1e-4, NULL);
    force_of(sim, 2, 1, force);
    assert_near(force[0], 0.5 * 1.2 * 0.5 * SIDE * SIDE * 9, 1e-6);
    // Outside all is as without the field, to the bit.
    struct sim_settings falls = settings, freely = none;
    falls.gravity[0] = freely.gravity[0] = 3; // so that they go across themselves
    falls.forces.items[0].body_count = 0;
    assert_int_equal(sim_settings_set(sim, &falls, &fault), FAULT_NONE);
    assert_int_equal(sim_settings_set(plain, &freely, &fault), FAULT_NONE);
    add_plate(plain, outside, 1e-4, NULL);
    scene_run(sim, 20);
    scene_run(plain, 20);
    float v[9], other[9];
    sim_body_velocities(sim, 3, 0, 3, v);
    sim_body_velocities(plain, 1, 0, 3, other);
    assert_memory_equal(v, other, sizeof v);
    sim_body_velocities(sim, 1, 0, 3, v);
    assert_true(v[0] > 0);
    sim_destroy(sim);
    sim_destroy(plain);
}

static void fields_add_up_with_the_wind_of_the_world_and_its_gusts(void **state)
{
    (void)state;
    const struct sim_force two[2] = {wind_of(2, 0), fan_of(3, 1)};
    struct sim_settings settings = breezy(two, 2, 1.2);
    settings.wind.velocity[0] = 4;
    assert_near(speed_at(&settings, 1, 0, 0, 1.2), 9, 0.01);
    assert_near(speed_at(&settings, -2, 0, 0, 1.2), 6, 0.01);
    settings.forces = (struct sim_force_fields){0};
    settings.wind.velocity[0] = 5;
    settings.wind.gusts = 0.5;
    settings.wind.gust_length = 1;
    const double at[3] = {1, 0, 0};
    double force[3], more[3];
    struct sim *sim = scene_create(settings);
    force_of(sim, add_plate(sim, at, 1, NULL), 1, force);
    sim_destroy(sim);
    const struct sim_force wind = wind_of(0, 0);
    settings.forces = breezy(&wind, 1, 1.2).forces;
    sim = scene_create(settings);
    force_of(sim, add_plate(sim, at, 1, NULL), 1, more);
    sim_destroy(sim);
    assert_true(fabs(force[1]) > 1e-7); // it is gusty
    for (int axis = 0; axis < 3; axis++) {
        assert_near(more[axis], force[axis], 1e-6 * fabs(force[0]));
    }
}

static void bodies_feel_the_air_by_their_own_coefficients(void **state)
{
    (void)state;
    const struct sim_own_wind heavy = {.drag_own = true, .drag = 2.5},
                              sails = {.lift_own = true, .lift = 0.5};
    for (int drafty = 0; drafty < 2; drafty++) {
        const struct sim_force wind = wind_of(10, 0);
        struct sim_settings settings = breezy(&wind, drafty ? 1 : 0, 1.2);
        settings.wind.velocity[0] = drafty ? 0 : 10;
        const double pressure = 0.5 * 1.2 * 100 * 0.5 * SIDE * SIDE;
        const double at[3] = {0, 0, 0};
        double force[3];
        struct sim *sim = scene_create(settings);
        add_plate(sim, at, 1, NULL);
        add_plate(sim, at, 1, &heavy);
        add_plate(sim, at, 1, &sails);
        force_of(sim, 1, 1, force);
        assert_near(force[0], pressure, 1e-5 * pressure);
        struct sim_image image;
        struct sim_image_place place;
        assert_true(sim_image_take(sim, &image));
        struct sim *twin = sim_image_make(&image, &scene_limits, &place, &fault);
        sim_image_deinit(&image);
        assert_non_null(twin);
        assert_true(sim_hash(twin) == sim_hash(sim));
        for (uint32_t body = 1; body <= 3; body++) {
            float before[3], after[3], other[3];
            scene_velocity(twin, body, 0, before);
            scene_run(twin, 1);
            scene_velocity(twin, body, 0, after);
            const double gained = 1000 * ((double)after[0] - (double)before[0]);
            assert_near(gained, pressure * (body == 2 ? 2.5 : 1), 2e-3 * pressure);
            scene_velocity(sim, body, 0, other);
        }
        // Back to what the world says: the hash of a body that never had its own.
        const struct sim_own_wind none = {0};
        struct sim *bare = scene_create(settings), *given = scene_create(settings);
        add_plate(bare, at, 1, NULL);
        add_plate(given, at, 1, &heavy);
        assert_true(sim_hash(bare) != sim_hash(given));
        const struct sim_body_change change = {.wind = &none};
        assert_int_equal(sim_body_set(given, 1, &change, &fault), FAULT_NONE);
        assert_true(sim_hash(bare) == sim_hash(given));
        const struct sim_own_wind wrong = {.lift_own = true, .lift = 101},
                                  worse = {.drag_own = true, .drag = NAN};
        assert_int_equal(sim_body_set(given, 1, &(struct sim_body_change){.wind = &wrong}, &fault),
                         FAULT_INVALID);
        assert_string_equal(fault.field, "wind.lift");
        assert_int_equal(sim_body_set(given, 1, &(struct sim_body_change){.wind = &worse}, &fault),
                         FAULT_INVALID);
        sim_destroy(bare);
        sim_destroy(given);
        sim_destroy(twin);
        sim_destroy(sim);
    }
}

// Lift pushes a plate that stands at an angle across the wind, as the formula of the world's wind says.
static void a_lift_of_its_own_pushes_across_the_wind(void **state)
{
    (void)state;
    const double x[9] = {0, 0, 0, 0, 0, SIDE, SIDE, SIDE, 0}, masses[3] = {1, 1, 1};
    const uint32_t triangle[3] = {0, 1, 2};
    struct sim_body_desc desc = {.kind = SIM_CLOTH,
                                 .particle_count = 3,
                                 .positions = x,
                                 .masses = masses,
                                 .triangles = triangle,
                                 .triangle_count = 1,
                                 .wind = {.lift_own = true, .lift = 0.4},
                                 .stretch = {.compliance = 1e10, .stiffness = -1}};
    const struct sim_force wind = wind_of(6, 0);
    struct sim *sim = scene_create(breezy(&wind, 1, 0));
    double force[3];
    scene_add(sim, &desc);
    force_of(sim, 1, 3, force);
    // n = (1, -1, 0)/sqrt 2, A = SIDE^2/sqrt 2, u.n = 6/sqrt 2
    const double pressure = 0.5 * 1.2 * SIDE * SIDE * 0.5 * 6;
    assert_near(force[0], pressure * (0.6 * 6 + 0.4 * 6 / sqrt(2)), 1e-6);
    assert_near(force[1], pressure * -0.4 * 6 / sqrt(2), 1e-6);
    sim_destroy(sim);
}

static struct sim *flag(void)
{
    const double origin[3] = {100, 0, -50};
    struct scene_mesh mesh = scene_grid(40, 30, 0.03, origin);
    struct sim_settings settings = scene_settings();
    settings.wind = (struct sim_wind){
        .velocity = {0.3, 0, 0}, .drag = 1, .density = 1.2, .gusts = 0.2, .gust_length = 0.3};
    struct sim *sim = scene_create(settings);
    struct sim_body_desc desc = scene_cloth(&mesh);
    const uint32_t pins[2] = {0, 39};
    desc.pins = pins;
    desc.pin_count = 2;
    desc.wind = (struct sim_own_wind){.drag_own = true, .lift_own = true, .drag = 1.1, .lift = 0.3};
    scene_add(sim, &desc);
    struct sim_force fields[3] = {fan_of(5, 0.3), wind_of(1, 2), {0}};
    fields[2] = fields[0];
    fields[2].kind = SIM_FORCE_DRAG;
    fields[2].strength = 0.1;
    memcpy(fields[0].position, origin, sizeof origin);
    fields[0].position[0] -= 1;
    memcpy(fields[1].position, origin, sizeof origin);
    fields[1].radius = 0.6;
    fields[1].margin = 0.2;
    settings = *sim_settings_of(sim);
    settings.forces = breezy(fields, 3, 1.2).forces;
    assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_NONE);
    scene_mesh_deinit(&mesh);
    return sim;
}

static void drafts_have_the_same_bits_in_every_instruction_set_and_on_all_threads(void **state)
{
    (void)state;
    const enum sim_isa chosen = sim_isa_chosen();
    uint64_t first = 0;
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        for (uint32_t threads = 1; threads <= 3 && sim_isa_available((enum sim_isa)isa); threads += 2) {
            sim_isa_choose((enum sim_isa)isa);
            struct sim *sim = flag();
            struct base_team *team = base_team_create(threads);
            assert_non_null(team);
            for (int tick = 0; tick < 12; tick++) {
                struct sim_failure failure;
                sim_step(sim, base_team_parallel(team), NULL, &failure);
                assert_false(failure.failed);
            }
            const uint64_t hash = sim_hash(sim);
            assert_true(first == 0 || hash == first);
            first = hash;
            base_team_destroy(team);
            sim_destroy(sim);
        }
    }
    sim_isa_choose(chosen);
}

static void images_and_hashes_have_them(void **state)
{
    (void)state;
    struct sim *sim = flag();
    scene_run(sim, 3);
    struct sim_image image;
    struct sim_image_place place;
    assert_true(sim_image_take(sim, &image));
    struct sim *twin = sim_image_make(&image, &scene_limits, &place, &fault);
    sim_image_deinit(&image);
    assert_non_null(twin);
    scene_run(sim, 4);
    scene_run(twin, 4);
    assert_true(sim_hash(twin) == sim_hash(sim));
    struct sim_settings settings = *sim_settings_of(twin);
    settings.forces.items[0].width = 0.31;
    assert_int_equal(sim_settings_set(twin, &settings, &fault), FAULT_NONE);
    assert_true(sim_hash(twin) != sim_hash(sim));
    sim_destroy(twin);
    sim_destroy(sim);
}

static void what_is_out_of_range_is_refused(void **state)
{
    (void)state;
    struct sim *sim = scene_create(breezy(NULL, 0, 1.2));
    const struct {
        double strength, width, velocity;
        enum sim_force_kind kind;
        const char *field;
    } wrong[] = {
        {-1, 1, 0, SIM_FORCE_FAN, "field.strength"},         {301, 1, 0, SIM_FORCE_FAN, "field.strength"},
        {1, 1e-4, 0, SIM_FORCE_FAN, "field.width"},          {1, NAN, 0, SIM_FORCE_FAN, "field.width"},
        {NAN, 1, 0, SIM_FORCE_FAN, "field.strength"},        {1, 1, 301, SIM_FORCE_WIND, "field.velocity"},
        {1, 1, -INFINITY, SIM_FORCE_WIND, "field.velocity"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct sim_force force = fan_of(wrong[i].strength, wrong[i].width);
        force.kind = wrong[i].kind;
        force.velocity[1] = wrong[i].velocity;
        const struct sim_settings settings = breezy(&force, 1, 1.2);
        assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_INVALID);
        assert_string_equal(fault.field, wrong[i].field);
    }
    // The fastest of all, far away and in the middle, gives no number that is none.
    struct sim_force fan = fan_of(300, 1e-3);
    const struct sim_settings fast = breezy(&fan, 1, 1.2);
    assert_near(speed_at(&fast, 0, 1e5, 0, 1.2), 0, 0);
    assert_near(speed_at(&fast, 1e5, 0, 0, 1.2), 300 * 6e-3 / 1e5, 1e-3);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fan_blows_as_the_profile_of_a_jet_says),
        cmocka_unit_test(the_air_is_continuous_everywhere),
        cmocka_unit_test(a_plate_hovers_over_a_fan_and_falls_against_a_wind_at_its_terminal_velocity),
        cmocka_unit_test(without_air_a_field_brings_its_own_and_only_where_it_is),
        cmocka_unit_test(fields_add_up_with_the_wind_of_the_world_and_its_gusts),
        cmocka_unit_test(bodies_feel_the_air_by_their_own_coefficients),
        cmocka_unit_test(a_lift_of_its_own_pushes_across_the_wind),
        cmocka_unit_test(drafts_have_the_same_bits_in_every_instruction_set_and_on_all_threads),
        cmocka_unit_test(images_and_hashes_have_them),
        cmocka_unit_test(what_is_out_of_range_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
