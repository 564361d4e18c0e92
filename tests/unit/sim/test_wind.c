// Wind on triangles: what a plate feels, where it is smooth, how a cloth falls in air.
#include "base/thread.h"
#include "helper_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct sim_settings windy(double x, double y, double z, double drag, double lift, double density)
{
    struct sim_settings settings = scene_still(1000);
    settings.wind.velocity[0] = x;
    settings.wind.velocity[1] = y;
    settings.wind.velocity[2] = z;
    settings.wind.drag = drag;
    settings.wind.lift = lift;
    settings.wind.density = density;
    return settings;
}

// One triangle of half a square metre, turned by an angle about z from where its normal is +y, each corner 1 kg.
// Fills the force on all of it, from what one step gave.
static void force_on_a_triangle(const struct sim_settings *settings, double angle, double force[3])
{
    double c = cos(angle), s = sin(angle);
    const double x[9] = {0, 0, 0, 0, 0, 1, c, s, 0}, masses[3] = {1, 1, 1};
    const uint32_t triangle[3] = {0, 1, 2};
    struct sim_body_desc desc = {.kind = SIM_CLOTH,
                                 .particle_count = 3,
                                 .positions = x,
                                 .masses = masses,
                                 .triangles = triangle,
                                 .triangle_count = 1,
                                 .stretch = {.compliance = 1e10, .stiffness = -1}};
    struct sim *sim = scene_create(*settings);
    uint32_t body = scene_add(sim, &desc);
    float v[9];
    scene_run(sim, 1);
    sim_body_velocities(sim, body, 0, 3, v);
    for (int axis = 0; axis < 3; axis++) {
        force[axis] = 0;
        for (int p = 0; p < 3; p++) {
            force[axis] += (double)v[3 * p + axis] * settings->tick_rate;
            assert_near((double)v[3 * p + axis], (double)v[axis], 1e-7); // a third each
        }
    }
    sim_destroy(sim);
}

static void a_plate_that_faces_the_wind_feels_half_rho_a_cd_u2(void **state)
{
    (void)state;
    double force[3];
    for (double speed = 1; speed < 20; speed *= 2) {
        for (int lift = 0; lift < 2; lift++) {
            struct sim_settings settings = windy(0, speed, 0, 1.2, lift * 0.7, 1.225);
            force_on_a_triangle(&settings, 0, force);
            double expected = 0.5 * 1.225 * 0.5 * 1.2 * speed * speed;
            assert_near(force[1], expected, 1e-5 * expected);
            assert_near(force[0], 0, 1e-6);
            assert_near(force[2], 0, 1e-6);
            settings.wind.velocity[1] = -speed; // and from behind
            force_on_a_triangle(&settings, 0, force);
            assert_near(force[1], -expected, 1e-5 * expected);
        }
    }
}

static void the_force_at_any_angle_is_that_of_the_formula_and_lifts_to_the_lee_of_the_plate(void **state)
{
    (void)state;
    const double drag = 0.9, lift = 0.4, density = 1.2, speed = 6;
    struct sim_settings settings = windy(speed, 0, 0, drag, lift, density);
    for (double angle = -3; angle < 3.2; angle += 0.25) {
        double force[3], n[3] = {-sin(angle), cos(angle), 0}, facing = speed * n[0];
        double side = facing < 0 ? -1 : 1, pressure = 0.5 * density * 0.5 * fabs(facing);
        force_on_a_triangle(&settings, angle, force);
        for (int axis = 0; axis < 3; axis++) {
            double expected =
                pressure * ((drag - lift) * (axis == 0 ? speed : 0) + lift * speed * side * n[axis]);
            assert_near(force[axis], expected, 2e-5);
        }
        if (fabs(sin(angle)) > 0.1 && fabs(cos(angle)) > 0.1) {
            assert_true(force[1] * side * n[1] > 0); // across the wind, to where the normal points
        }
    }
}

static void the_force_is_smooth_where_the_wind_blows_along_the_plate(void **state)
{
    (void)state;
    struct sim_settings settings = windy(6, 0, 0, 0.9, 0.4, 1.2);
    double before[3], after[3];
    force_on_a_triangle(&settings, 0, before);
    for (int axis = 0; axis < 3; axis++) {
        assert_near(before[axis], 0, 1e-6);
    }
    for (double angle = 1e-2; angle > 1e-5; angle /= 4) {
        force_on_a_triangle(&settings, angle, before);
        force_on_a_triangle(&settings, -angle, after);
        double reach = 1.2 * 36 * angle; // it goes to zero with the angle
        for (int axis = 0; axis < 3; axis++) {
            assert_near(before[axis], 0, reach);
            assert_near(after[axis], 0, reach);
        }
    }
}

static void no_gust_gives_more_than_the_velocity_of_the_wind(void **state)
{
    (void)state;
    const double x[9] = {0, 0, 0, 0, 0, 1, 1, 0, 0}, masses[3] = {1e-6, 1, 0};
    const uint32_t triangle[3] = {0, 1, 2};
    struct sim_body_desc desc = {.kind = SIM_CLOTH,
                                 .particle_count = 3,
                                 .positions = x,
                                 .masses = masses,
                                 .triangles = triangle,
                                 .triangle_count = 1,
                                 .stretch = {.compliance = 1e10, .stiffness = -1}};
    struct sim *sim = scene_create(windy(0, 30, 0, 1, 0.5, 1.2));
    uint32_t body = scene_add(sim, &desc);
    scene_run(sim, 1);
    float v[9];
    sim_body_velocities(sim, body, 0, 3, v);
    assert_near((double)v[1], 30, 1e-4);
    assert_near((double)v[4], 1.2 * 0.25 * 900 / 3 / 1000, 1e-4);
    assert_true(v[6] == 0 && v[7] == 0 && v[8] == 0);
    // u is taken from the mean of the corners: the light one ends where that is the wind's velocity, without
    // swinging over.
    for (int step = 0; step < 60; step++) {
        scene_run(sim, 1);
        sim_body_velocities(sim, body, 0, 1, v);
        assert_true((double)v[1] >= 30 && (double)v[1] < 90.1);
    }
    sim_destroy(sim);
}

static void what_moves_with_the_wind_feels_none(void **state)
{
    (void)state;
    const double x[9] = {0, 0, 0, 0, 0, 1, 1, 0, 0}, masses[3] = {1, 1, 1};
    const float velocities[9] = {3, 4, 0, 3, 4, 0, 3, 4, 0};
    const uint32_t triangle[3] = {0, 1, 2};
    struct sim_body_desc desc = {.kind = SIM_CLOTH,
                                 .particle_count = 3,
                                 .positions = x,
                                 .velocities = velocities,
                                 .masses = masses,
                                 .triangles = triangle,
                                 .triangle_count = 1,
                                 .stretch = {.stiffness = -1}};
    struct sim *sim = scene_create(windy(3, 4, 0, 1, 0.5, 1.2));
    uint32_t body = scene_add(sim, &desc);
    scene_run(sim, 10);
    float v[9];
    sim_body_velocities(sim, body, 0, 3, v);
    for (int k = 0; k < 9; k++) {
        assert_near((double)v[k], (double)velocities[k], 1e-4);
    }
    sim_destroy(sim);
}

static void a_cloth_falls_at_its_terminal_velocity(void **state)
{
    (void)state;
    const double origin[3] = {0, 0, 0};
    struct sim_settings settings = scene_settings();
    settings.wind.drag = 1.1;
    settings.wind.density = 1.2;
    struct sim *sim = scene_create(settings);
    struct scene_mesh mesh = scene_grid(6, 6, 0.2, origin);
    struct sim_body_desc desc = scene_cloth(&mesh);
    double masses[36];
    for (int i = 0; i < 36; i++) {
        int sides = (i % 6 == 0 || i % 6 == 5) + (i / 6 == 0 || i / 6 == 5);
        masses[i] = 0.2 * 0.04 / (1 << sides); // its share of the area
    }
    // A third of each triangle's force is not quite a corner's share of mass: bending keeps it flat.
    desc.masses = masses;
    desc.bend_model = SIM_BEND_QUADRATIC;
    desc.bend = (struct sim_material){.compliance = 1e-3, .stiffness = -1};
    uint32_t body = scene_add(sim, &desc);
    scene_run(sim, 300);
    float v[3 * 36];
    double mean = 0, terminal = sqrt(2 * 0.2 * 9.81 / (1.2 * 1.1));
    sim_body_velocities(sim, body, 0, 36, v);
    for (int i = 0; i < 36; i++) {
        mean += masses[i] * (double)v[3 * i + 1] / 0.2;
    }
    assert_near(mean, -terminal, 0.02 * terminal);
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
}

// ------------------------------------------------------------------------------------------- closed surfaces

// The force on a body of the wind, N, from what one step gave: particles are free of each other.
static void force_on(const struct sim_settings *settings, struct sim_body_desc *desc, double force[3])
{
    double masses[64];
    float v[192];
    for (uint32_t i = 0; i < desc->particle_count; i++) {
        masses[i] = 1;
    }
    desc->masses = masses;
    desc->stretch.compliance = desc->volume.compliance = 1e10;
    struct sim *sim = scene_create(*settings);
    uint32_t body = scene_add(sim, desc);
    scene_run(sim, 1);
    sim_body_velocities(sim, body, 0, desc->particle_count, v);
    memset(force, 0, 3 * sizeof *force);
    for (uint32_t k = 0; k < 3 * desc->particle_count; k++) {
        force[k % 3] += (double)v[k] * settings->tick_rate;
    }
    sim_destroy(sim);
}

static const double cube_corners[24] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0,
                                        0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1};
static const uint32_t cube_faces[36] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                        1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};

// 1/2 rho Cd |u| u times what faces the wind: of a cube of one metre, sum |u_i|/|u| square metres.
static void a_closed_body_is_pushed_where_it_faces_the_wind_alone(void **state)
{
    (void)state;
    const double winds[3][3] = {{10, 0, 0}, {0, 0, -10}, {6, -8, 4}};
    for (int w = 0; w < 3; w++) {
        const double *u = winds[w];
        struct sim_settings settings = windy(u[0], u[1], u[2], 1, 0, 1.2);
        double faces = fabs(u[0]) + fabs(u[1]) + fabs(u[2]), force[3];
        for (int turned = 0; turned < 5; turned++) {
            // A soft block, and cloths whose triangles turn out, in, or as it comes.
            struct scene_block block =
                scene_block((const uint32_t[]){2, 2, 2}, 0.5, (const double[]){1, 2, 3});
            struct sim_body_desc desc = scene_soft(&block);
            uint32_t triangles[36];
            for (int t = 0; t < 12; t++) {
                for (int k = 0; k < 3; k++) {
                    bool inwards = turned == 2 || (turned == 3 && t % 3 == 1);
                    triangles[3 * t + k] = cube_faces[3 * t + (inwards ? 2 - k : k)];
                }
            }
            if (turned > 0) {
                desc = (struct sim_body_desc){.kind = SIM_CLOTH,
                                              .particle_count = 8,
                                              .positions = cube_corners,
                                              .triangles = triangles,
                                              .triangle_count = turned == 4 ? 10 : 12,
                                              .stretch = {.stiffness = -1}};
            }
            force_on(&settings, &desc, force);
            // Without its last face it is an open box, and all sheets are pushed from both sides.
            double pushed = turned == 4 ? 2 * faces - fabs(u[0]) : faces;
            for (int axis = 0; axis < 3; axis++) {
                assert_near(force[axis], 0.6 * pushed * u[axis], 1e-3);
            }
            scene_block_deinit(&block);
        }
    }
}

// ---------------------------------------------------------------------------------------------- still air

// How much higher one particle is than another, of a level cloth that fell for a while.
static double ripple(uint32_t columns, double mass, uint32_t substeps, double bend, uint32_t ticks)
{
    const double origin[3] = {0, 0, 0};
    struct sim_settings settings = scene_settings();
    settings.substeps = substeps;
    settings.wind = (struct sim_wind){.drag = 1, .density = 1.2};
    struct sim *sim = scene_create(settings);
    struct scene_mesh mesh = scene_grid(columns, columns, 1.0 / (columns - 1), origin);
    struct sim_body_desc desc = scene_cloth(&mesh);
    double x[3 * 32 * 32], low = INFINITY, high = -INFINITY;
    desc.density = mass;
    desc.bend_model = bend > 0 ? SIM_BEND_QUADRATIC : SIM_BEND_NONE;
    desc.bend = (struct sim_material){.compliance = bend, .stiffness = -1};
    uint32_t body = scene_add(sim, &desc);
    scene_run(sim, ticks);
    sim_body_positions64(sim, body, 0, columns * columns, x);
    for (uint32_t i = 0; i < columns * columns; i++) {
        low = fmin(low, x[3 * i + 1]);
        high = fmax(high, x[3 * i + 1]);
    }
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
    return high - low;
}

static void a_level_cloth_in_still_air_stays_level(void **state)
{
    (void)state;
    const uint32_t substeps[3] = {5, 20, 80};
    for (int i = 0; i < 3; i++) {
        double light = ripple(21, 0.05, substeps[i], 10, 90), loose = ripple(21, 0.2, substeps[i], 0, 90);
        print_message("%2u substeps: %.1e and %.1e m\n", substeps[i], light, loose);
        assert_true(light < 1e-3 && loose < 3e-6); // what bending makes of roundings, and without it
    }
}

// Air as heavy as it may be, on a cloth that is as light: whatever moves in it comes to rest.
static void still_air_gives_nothing(void **state)
{
    (void)state;
    const double origin[3] = {0, 0, 0}, densities[3] = {1.2, 1000, 1e6};
    for (int i = 0; i < 6; i++) {
        struct sim_settings settings = scene_settings();
        settings.gravity[1] = 0;
        settings.substeps = 1;
        settings.wind = (struct sim_wind){.drag = 1, .lift = i % 2, .density = densities[i / 2]};
        struct sim *sim = scene_create(settings);
        struct scene_mesh mesh = scene_grid(6, 6, 0.1, origin);
        struct sim_body_desc desc = scene_cloth(&mesh);
        float v[108];
        uint64_t seed = 3;
        for (int k = 0; k < 108; k++) {
            v[k] = (float)(scene_uniform(&seed) - 0.5);
        }
        desc.velocities = v;
        desc.density = 0.01;
        desc.stretch.compliance = 1e10;
        scene_add(sim, &desc);
        struct sim_measures measures;
        sim_measure(sim, &measures);
        double start = measures.kinetic;
        for (int tick = 0; tick < 300; tick++) {
            scene_run(sim, 1);
            sim_measure(sim, &measures);
            assert_true(measures.kinetic < start);
        }
        // The remaining torque turns triangles about their middles: the mean velocity of their corners is that of the
        // air.
        assert_true(measures.kinetic < 0.5 * start);
        scene_mesh_deinit(&mesh);
        sim_destroy(sim);
    }
}

// Damping of the world slows what moves; what is held against the wind feels all of it.
static void damping_takes_nothing_from_the_wind(void **state)
{
    (void)state;
    const double x[12] = {0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0}, masses[4] = {1, 1, 1, 0};
    const uint32_t triangle[3] = {0, 1, 2};
    struct sim_body_desc desc = {.kind = SIM_CLOTH,
                                 .particle_count = 4,
                                 .positions = x,
                                 .masses = masses,
                                 .triangles = triangle,
                                 .triangle_count = 1,
                                 .stretch = {.compliance = 1e10, .stiffness = -1}};
    struct sim_settings settings = windy(-10, 0, 0, 1, 0, 1.2);
    settings.damping = 200;
    struct sim *sim = scene_create(settings);
    uint32_t body = scene_add(sim, &desc);
    struct fault fault;
    uint32_t link = scene_link(sim, body, 0, 3, 1, 1e-4, 0);
    struct sim_constraint constraint;
    assert_int_equal(sim_multipliers_keep(sim, true, &fault), FAULT_NONE);
    scene_run(sim, 1);
    assert_true(sim_constraint_get(sim, link, &constraint));
    // C = h^2 w F, lambda/h^2 = C/(w h^2 + alpha), to a second order of h.
    double force = 0.6 * 100 * 0.5 / 3;
    assert_near(-constraint.multiplier[0] * 1e6, force * 1e-6 / (1e-6 + 1e-4), 1e-3 * force);
    sim_destroy(sim);
}

static void wind_without_air_changes_no_bit_and_with_it_the_hash(void **state)
{
    (void)state;
    uint64_t hashes[3];
    for (int i = 0; i < 3; i++) {
        const double origin[3] = {0, 0, 0};
        struct sim_settings settings = scene_settings();
        settings.wind.velocity[0] = i == 0 ? 0 : 5;
        settings.wind.drag = i == 0 ? 0 : 1;
        settings.wind.density = i == 2 ? 1.2 : 0;
        struct sim *sim = scene_create(settings);
        struct scene_mesh mesh = scene_grid(8, 8, 0.1, origin);
        struct sim_body_desc desc = scene_cloth(&mesh);
        uint32_t body = scene_add(sim, &desc);
        scene_run(sim, 20);
        float v[3 * 64];
        sim_body_velocities(sim, body, 0, 64, v);
        hashes[i] = 14695981039346656037u;
        for (size_t b = 0; b < sizeof v; b++) {
            hashes[i] = (hashes[i] ^ ((const unsigned char *)v)[b]) * 1099511628211u;
        }
        scene_mesh_deinit(&mesh);
        sim_destroy(sim);
    }
    assert_true(hashes[0] == hashes[1]);
    assert_true(hashes[1] != hashes[2]);
}

static void wind_gives_the_same_bits_on_any_number_of_threads(void **state)
{
    (void)state;
    uint64_t hashes[3];
    const uint32_t counts[3] = {1, 2, 4};
    for (int i = 0; i < 3; i++) {
        const double origin[3] = {0, 0, 0};
        struct sim_settings settings = scene_settings();
        settings.substeps = 2;
        settings.wind = (struct sim_wind){.velocity = {4, 1, 3}, .drag = 1, .lift = 0.5, .density = 1.2};
        struct sim *sim = scene_create(settings);
        struct scene_mesh mesh = scene_grid(80, 80, 0.02, origin);
        struct sim_body_desc desc = scene_cloth(&mesh);
        const uint32_t pins[2] = {0, 79};
        desc.pins = pins;
        desc.pin_count = 2;
        desc.bend_model = SIM_BEND_DEFAULT;
        desc.bend = (struct sim_material){.compliance = 10, .damping = 1e-3, .stiffness = -1};
        scene_add(sim, &desc);
        struct base_team *team = base_team_create(counts[i]);
        assert_non_null(team);
        for (int tick = 0; tick < 40; tick++) {
            struct sim_failure failure;
            sim_step(sim, base_team_parallel(team), NULL, &failure);
            assert_false(failure.failed);
        }
        hashes[i] = sim_hash(sim);
        base_team_destroy(team);
        scene_mesh_deinit(&mesh);
        sim_destroy(sim);
    }
    assert_true(hashes[0] == hashes[1] && hashes[1] == hashes[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plate_that_faces_the_wind_feels_half_rho_a_cd_u2),
        cmocka_unit_test(the_force_at_any_angle_is_that_of_the_formula_and_lifts_to_the_lee_of_the_plate),
        cmocka_unit_test(the_force_is_smooth_where_the_wind_blows_along_the_plate),
        cmocka_unit_test(no_gust_gives_more_than_the_velocity_of_the_wind),
        cmocka_unit_test(what_moves_with_the_wind_feels_none),
        cmocka_unit_test(a_cloth_falls_at_its_terminal_velocity),
        cmocka_unit_test(a_closed_body_is_pushed_where_it_faces_the_wind_alone),
        cmocka_unit_test(a_level_cloth_in_still_air_stays_level),
        cmocka_unit_test(still_air_gives_nothing),
        cmocka_unit_test(damping_takes_nothing_from_the_wind),
        cmocka_unit_test(wind_without_air_changes_no_bit_and_with_it_the_hash),
        cmocka_unit_test(wind_gives_the_same_bits_on_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
