// Pressure in closed surfaces: worked vectors, balloons at rest by the law of their edges, and momenta.
#include "base/thread.h"
#include "helper_ball.h"
#include "helper_pressure.h"
#include "helper_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct fault fault;

static double volume_of(const double *x, const uint32_t *triangles, uint32_t count)
{
    double sum = 0;
    for (uint32_t t = 0; t < count; t++) {
        const double *a = x + 3 * (size_t)triangles[3 * t], *b = x + 3 * (size_t)triangles[3 * t + 1],
                     *c = x + 3 * (size_t)triangles[3 * t + 2];
        sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
               a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    return sum / 6;
}

// ------------------------------------------------------------------------------------------------------- vectors

struct vector {
    const char *name;
    double after[3 * CORNERS];
    double part; // of the way that these have come: a step changes the volume by a fifth of it at most
    struct sim_pressure pressure;
    double lambda; // whole
};

#define V0 0.149625
#define YIELD 0.197380122
static const struct vector vectors[] = {
    {"kept, rigid",
     {0.779582676, 0.000295854683, 0.0053253843, -1.00916535, -0.000591709366, -0.0106507686, 0, 0.695115047,
      0, 0, -0.647557523, 0.05, 0, 0.0140530975, 0.802955754, 0.02, -0.0421592924, -1.25886726},
     0.2 * V0 / (YIELD * 1.7751281),
     {.model = SIM_PRESSURE_VOLUME, .end = 0.5 / V0},
     1.7751281},
    {"kept, soft",
     {0.723073957, 0.000236057097, 0.00424902775, -0.896147913, -0.000472114194, -0.00849805549, 0,
      0.635466954, 0, 0, -0.617733477, 0.05, 0, 0.0112127121, 0.751828818, 0.02, -0.0336381363, -1.10548645},
     0.2 * V0 / (YIELD * 1.41634258),
     {.model = SIM_PRESSURE_VOLUME, .end = 0.5 / V0, .compliance = 0.05 / 360000},
     1.41634258},
    {"gas",
     {0.536981586, 3.91339533e-5, 0.00070441116, -0.523963172, -7.82679066e-5, -0.00140882232, 0, 0.439036118,
      0, 0, -0.519518059, 0.05, 0, 0.00185886278, 0.58345953, 0.02, -0.00557658835, -0.60037859},
     1,
     {.model = SIM_PRESSURE_GAS, .end = 4e4 / V0 - 1e5, .ambient = 1e5},
     0.23480372},
};

static void the_vectors_come_out_in_every_instruction_set(void **state)
{
    (void)state;
    const enum sim_isa chosen = sim_isa_chosen();
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        const struct vector *vector = &vectors[i];
        uint64_t first = 0;
        for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
            if (!sim_isa_available((enum sim_isa)isa)) {
                continue;
            }
            sim_isa_choose((enum sim_isa)isa);
            double masses[CORNERS], x[3];
            struct sim *sim = scene_create(scene_still(600));
            const struct sim_body_desc desc = octahedron(masses, vector->pressure);
            const uint32_t body = scene_add(sim, &desc);
            scene_run(sim, 1);
            for (uint32_t p = 0; p < CORNERS; p++) {
                scene_position(sim, body, p, x);
                for (uint32_t axis = 0; axis < 3; axis++) {
                    const double from = corners[3 * p + axis], to = vector->after[3 * p + axis];
                    scene_near(x[axis], from + vector->part * (to - from), 2e-8, vector->name, __FILE__,
                               __LINE__);
                }
            }
            if (vector->pressure.model == SIM_PRESSURE_VOLUME) {
                assert_near(told_of(sim, body).pressure / (vector->part * vector->lambda * 360000), 1, 1e-7);
            } else {
                assert_near(told_of(sim, body).volume, 0.20072775, 1e-7);
                assert_near(told_of(sim, body).pressure, 99274.8884, 0.05);
            }
            first = first == 0 ? sim_hash(sim) : first;
            assert_true(sim_hash(sim) == first);
            sim_destroy(sim);
        }
    }
    sim_isa_choose(chosen);
}

// A free surface of random corners and masses: each particle goes w dV/dx, with the gradient by finite differences.
static void it_moves_along_the_gradient(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int n = 0; n < 20; n++) {
        double masses[CORNERS], x[3 * CORNERS], after[3], ratio = 0;
        struct sim_body_desc desc = octahedron(masses, kept(n % 2 == 0 ? 1.02 : 0.98, 0));
        uint32_t turned[24];
        for (int k = 0; k < 3 * CORNERS; k++) {
            x[k] = floor((corners[k] + 0.1 * scene_uniform(&seed)) / SCENE_Q) * SCENE_Q;
        }
        for (int k = 0; k < 24; k++) { // the same surface, whose triangles look inwards
            turned[k] = faces[k % 3 == 0 ? k : k % 3 == 1 ? k + 1 : k - 1];
        }
        desc.positions = x;
        desc.triangles = n % 4 < 2 ? faces : turned;
        struct sim *sim = scene_create(scene_still(600));
        const uint32_t body = scene_add(sim, &desc);
        scene_run(sim, 1);
        for (uint32_t k = 0; k < 3 * CORNERS; k++) {
            double there[3 * CORNERS], back[3 * CORNERS];
            memcpy(there, x, sizeof x);
            memcpy(back, x, sizeof x);
            there[k] += 1e-4;
            back[k] -= 1e-4;
            const double slope = (volume_of(there, faces, 8) - volume_of(back, faces, 8)) / 2e-4;
            scene_position(sim, body, k / 3, after);
            const double gone = after[k % 3] - x[k];
            ratio = k == 0 ? gone / (weights[0] * slope) : ratio;
            assert_near(gone, ratio * weights[k / 3] * slope, 2e-8);
        }
        assert_true(n % 2 == 0 ? ratio > 0 : ratio < 0);
        assert_near(told_of(sim, body).volume / told_of(sim, body).reference, n % 2 == 0 ? 1.02 : 0.98, 2e-4);
        sim_destroy(sim);
    }
}

// ------------------------------------------------------------------------------------------------------ balloons

static struct sim_settings quiet(uint32_t substeps, double damping)
{
    struct sim_settings settings = scene_settings();
    memset(settings.gravity, 0, sizeof settings.gravity);
    settings.substeps = substeps;
    settings.damping = damping;
    return settings;
}

// The sum of L^2 over the edges of a ball, and its area.
static double edges2_of(uint32_t cuts, double *area)
{
    struct scene_mesh mesh = ball(cuts, RADIUS, (const double[3]){0, 0, 0});
    double sum = 0;
    *area = 0;
    for (uint32_t t = 0; t < mesh.triangle_count; t++) {
        double d[2][3], n2 = 0;
        for (int k = 0; k < 3; k++) {
            const double *a = mesh.positions + 3 * (size_t)mesh.triangles[3 * t + (uint32_t)k];
            const double *b = mesh.positions + 3 * (size_t)mesh.triangles[3 * t + (uint32_t)(k + 1) % 3];
            for (int axis = 0; axis < 3; axis++) {
                sum += (a[axis] - b[axis]) * (a[axis] - b[axis]) / 2; // each edge has two triangles
                if (k < 2) {
                    d[k][axis] = b[axis] - a[axis];
                }
            }
        }
        for (int axis = 0; axis < 3; axis++) {
            const int u = (axis + 1) % 3, v = (axis + 2) % 3;
            n2 += pow(d[0][u] * d[1][v] - d[0][v] * d[1][u], 2);
        }
        *area += sqrt(n2) / 2;
    }
    scene_mesh_deinit(&mesh);
    return sum;
}

// Edges of compliance a store (s - 1)^2 L^2/2a each when the surface is s times as large, so p dV = dU gives
// p = (s - 1) sum L^2/(3 a V0 s^2). Their tension per length is N = (s - 1) sum L^2/(2 a A0) over s, and Laplace says p = 2 N/r.
static void a_balloon_follows_laplace(void **state)
{
    (void)state;
    static const struct {
        double over, ambient;
    } gases[] = {{90, 0}, {200, 0}, {3000, 10132.5}};
    double area;
    const double edges2 = edges2_of(2, &area);
    for (size_t i = 0; i < sizeof gases / sizeof gases[0]; i++) {
        struct sim *sim = scene_create(quiet(80, 5));
        const uint32_t body = add_balloon(sim, 2, gas(gases[i].over, gases[i].ambient));
        scene_run(sim, 180);
        const struct sim_pressure_told told = told_of(sim, body);
        const double s = cbrt(told.volume / told.reference);
        // Bisection finds the size at which the gas and the edges agree.
        double low = 1, high = 3;
        for (int k = 0; k < 60; k++) {
            const double at = (low + high) / 2,
                         law = (at - 1) * edges2 / (3 * SOFT * told.reference * at * at);
            const double inside = (gases[i].over + gases[i].ambient) / (at * at * at) - gases[i].ambient;
            *(inside > law ? &low : &high) = at;
        }
        const double tension = (s - 1) * edges2 / (2 * SOFT * area) / s;
        assert_near(s, low, 4e-3); // twelve particles have five neighbours, so it does not grow quite evenly
        if (gases[i].ambient == 0) { // else 1 Pa is a hundred thousandth of the volume
            assert_near(told.pressure / (2 * tension / (s * RADIUS)), 1, 0.01);
        }
        sim_destroy(sim);
    }
}

struct momenta {
    double centre[3], speed[3], spin[3];
};

static struct momenta momenta_of(const struct sim *sim, uint32_t body, uint32_t count)
{
    struct momenta m = {0};
    double *masses = malloc(count * sizeof *masses), total = 0, x[3];
    float v[3];
    sim_body_masses(sim, body, masses);
    for (uint32_t p = 0; p < count; p++) {
        scene_position(sim, body, p, x);
        scene_velocity(sim, body, p, v);
        total += masses[p];
        for (int axis = 0; axis < 3; axis++) {
            m.centre[axis] += masses[p] * x[axis];
            m.speed[axis] += masses[p] * (double)v[axis];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        m.centre[axis] /= total;
        m.speed[axis] /= total;
    }
    for (uint32_t p = 0; p < count; p++) {
        scene_position(sim, body, p, x);
        scene_velocity(sim, body, p, v);
        for (int axis = 0; axis < 3; axis++) {
            const int b = (axis + 1) % 3, c = (axis + 2) % 3;
            m.spin[axis] += masses[p] / total *
                            ((x[b] - m.centre[b]) * (double)v[c] - (x[c] - m.centre[c]) * (double)v[b]);
        }
    }
    free(masses);
    return m;
}

// Nothing holds it, and it stays where it is for ten seconds.
static void a_free_balloon_stays_where_it_is(void **state)
{
    (void)state;
    static const double overs[] = {1000, 30000};
    for (size_t i = 0; i < sizeof overs / sizeof overs[0]; i++) {
        struct sim *sim = scene_create(quiet(20, 0));
        const uint32_t body = add_balloon(sim, 2, gas(overs[i], SIM_PRESSURE_AMBIENT));
        const struct momenta begun = momenta_of(sim, body, 162);
        scene_run(sim, 600);
        const struct momenta m = momenta_of(sim, body, 162);
        for (int axis = 0; axis < 3; axis++) {
            assert_near(m.centre[axis], begun.centre[axis], 1e-5);
            assert_near(m.spin[axis], 0, 1e-7);
        }
        sim_destroy(sim);
    }
}

// It spins on as it began, however great the tension.
static void a_balloon_that_spins_keeps_its_spin(void **state)
{
    (void)state;
    struct scene_mesh mesh = ball(2, RADIUS, (const double[3]){0, 1, 0});
    struct sim_body_desc desc = surface_of(&mesh);
    float velocities[3 * 162];
    for (uint32_t p = 0; p < 162; p++) { // 10 rad/s about y, and 0.5 m/s along x
        velocities[3 * p] = 0.5f + (float)(10 * mesh.positions[3 * p + 2]);
        velocities[3 * p + 1] = 0;
        velocities[3 * p + 2] = (float)(-10 * mesh.positions[3 * p]);
    }
    desc.stretch.compliance = SOFT;
    desc.velocities = velocities;
    desc.pressure = gas(3000, 10000);
    struct sim *sim = scene_create(quiet(20, 0));
    const uint32_t body = scene_add(sim, &desc);
    const struct momenta begun = momenta_of(sim, body, 162);
    scene_run(sim, 60);
    const struct momenta m = momenta_of(sim, body, 162);
    assert_near(m.centre[0] - begun.centre[0], 0.5, 1e-4);
    assert_near(m.centre[1] - begun.centre[1], 0, 1e-4);
    assert_near(m.spin[0], 0, 1e-4 * begun.spin[1]);
    assert_near(m.spin[1] / begun.spin[1], 1, 1e-3);
    assert_near(m.spin[2], 0, 1e-4 * begun.spin[1]);
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
}

// A constraint of constraint.add moves a body as ever: a balloon that hangs by one falls no farther, and swings.
static void a_balloon_on_a_string_hangs_and_swings(void **state)
{
    (void)state;
    struct sim_settings settings = scene_settings();
    struct sim *sim = scene_create(settings);
    const uint32_t body = add_balloon(sim, 2, gas(500, 0));
    const double hook[3] = {0.3, 1.6, 0}, none = 0;
    const struct sim_body_desc point = scene_points(hook, 1, &none);
    const uint32_t bodies[2] = {body, scene_add(sim, &point)}, particles[2] = {0, 0};
    const struct sim_constraint_values values = {0};
    uint32_t id;
    assert_int_equal(sim_constraints_add(sim, SIM_DISTANCE, 1, bodies, particles, &values, &id, &fault),
                     FAULT_NONE);
    double least = 2, most = -2;
    for (int tick = 0; tick < 120; tick++) {
        scene_run(sim, 1);
        const struct momenta m = momenta_of(sim, body, 162);
        assert_true(m.centre[1] > 0.5);
        least = m.centre[0] < least ? m.centre[0] : least;
        most = m.centre[0] > most ? m.centre[0] : most;
    }
    assert_true(least < 0.05 && most > 0.5);
    sim_destroy(sim);
}

// A plane comes down on a bag of liquid that lies on another one, to three quarters of its height.
static void a_kept_volume_is_kept_under_a_squeeze(void **state)
{
    (void)state;
    struct sim *sim = scene_create(quiet(20, 2));
    const uint32_t body = add_balloon(sim, 2, kept(1, 0));
    scene_plane(sim, (const double[3]){0, 1 - RADIUS, 0}, (const double[3]){0, 1, 0}, 0);
    const uint32_t press =
        scene_plane(sim, (const double[3]){0, 1 + RADIUS, 0}, (const double[3]){0, -1, 0}, 0);
    const double times[2] = {0, 1}, offsets[6] = {0, 0, 0, 0, -RADIUS / 2, 0};
    const struct sim_motion motion = {.collider = press, .times = times, .offsets = offsets, .key_count = 2};
    uint32_t id;
    assert_int_equal(sim_motion_add(sim, &motion, &id, &fault), FAULT_NONE);
    for (int tick = 0; tick < 120; tick++) {
        scene_run(sim, 1);
        assert_near(told_of(sim, body).volume / told_of(sim, body).reference, 1, 0.01);
    }
    struct sim_body_info info;
    double low = 2, high = 0, x[3];
    assert_true(sim_body_info(sim, body, &info));
    for (uint32_t p = 0; p < 162; p++) {
        scene_position(sim, body, p, x);
        low = x[1] < low ? x[1] : low;
        high = x[1] > high ? x[1] : high;
    }
    assert_near(high - low, 1.5 * RADIUS - 2 * info.thickness, 0.001);
    assert_true(told_of(sim, body).pressure > 10);
    sim_destroy(sim);
}

// The same squeeze of a bag that gives way, and of one that does not: the volume is less by the pressure times the compliance.
static void a_soft_volume_gives_way_by_its_compliance(void **state)
{
    (void)state;
    struct sim *sim = scene_create(quiet(80, 5));
    const uint32_t body = add_balloon(sim, 2, kept(1.3, 1e-6));
    scene_run(sim, 180);
    const struct sim_pressure_told told = told_of(sim, body);
    assert_true(told.volume < 1.29 * told.reference);
    assert_near((1.3 * told.reference - told.volume) / (1e-6 * told.pressure), 1, 0.01);
    sim_destroy(sim);
}

// ------------------------------------------------------------------------------------------- time, state and threads

static struct sim_pressure changing(double from, double to, double seconds)
{
    struct sim_pressure pressure = gas(to, SIM_PRESSURE_AMBIENT);
    pressure.now = from;
    pressure.seconds = seconds;
    return pressure;
}

static double present(const struct sim *sim, uint32_t body, double *seconds)
{
    struct sim_body_info info;
    assert_true(sim_body_info(sim, body, &info));
    *seconds = info.pressure.seconds;
    return info.pressure.seconds > 0 ? info.pressure.now : info.pressure.end;
}

static void a_pressure_changes_evenly_and_stays(void **state)
{
    (void)state;
    struct sim *sim = scene_create(quiet(10, 5));
    const uint32_t body = add_balloon(sim, 1, changing(0, 3000, 0.5));
    double left;
    for (int tick = 0; tick < 40; tick++) {
        assert_near(present(sim, body, &left), tick < 30 ? 100.0 * tick : 3000, 1e-9);
        assert_near(left, tick < 30 ? (30 - tick) / 60.0 : 0, 1e-12);
        scene_run(sim, 1);
    }
    const struct sim_pressure less = changing(3000, 1000, 0.25);
    assert_int_equal(sim_body_set(sim, body, &(struct sim_body_change){.pressure = &less}, &fault),
                     FAULT_NONE);
    scene_run(sim, 3);
    assert_near(present(sim, body, &left), 2600, 1e-9);
    const struct sim_pressure none = {0};
    assert_int_equal(sim_body_set(sim, body, &(struct sim_body_change){.pressure = &none}, &fault),
                     FAULT_NONE);
    struct sim_pressure_told told;
    assert_false(sim_body_pressure(sim, body, &told));
    scene_run(sim, 3);
    sim_destroy(sim);
}

static bool sleeps(const struct sim *sim, uint32_t body)
{
    struct sim_body_info info;
    assert_true(sim_body_info(sim, body, &info));
    return info.asleep;
}

static void a_balloon_at_rest_sleeps_until_its_pressure_changes(void **state)
{
    (void)state;
    struct sim_settings settings = quiet(20, 5);
    settings.sleep = true;
    struct sim *sim = scene_create(settings);
    const uint32_t body = add_balloon(sim, 1, gas(1000, SIM_PRESSURE_AMBIENT));
    scene_run(sim, 300);
    assert_true(sleeps(sim, body));
    const struct sim_pressure more = changing(1000, 1001, 8);
    assert_int_equal(sim_body_set(sim, body, &(struct sim_body_change){.pressure = &more}, &fault),
                     FAULT_NONE);
    for (int tick = 0; tick < 480; tick++) {
        scene_run(sim, 1);
        assert_false(sleeps(sim, body));
    }
    struct sim_image image;
    struct sim_image_place place;
    assert_true(sim_image_take(sim, &image));
    struct sim *again = sim_image_make(&image, &scene_limits, &place, &fault);
    assert_non_null(again);
    scene_run(sim, 180);
    scene_run(again, 180);
    assert_true(sleeps(sim, body));
    assert_true(sim_hash(again) == sim_hash(sim));
    sim_destroy(again);
    sim_image_deinit(&image);
    sim_destroy(sim);
}

static void an_image_and_a_still_have_the_same_future(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    const uint32_t body = add_balloon(sim, 1, changing(200, 8000, 1));
    scene_plane(sim, (const double[3]){0, 0.7, 0}, (const double[3]){0.1, 1, 0}, 0.5);
    scene_run(sim, 20);
    struct sim_image image;
    struct sim_image_place place;
    assert_true(sim_image_take(sim, &image));
    struct sim *again = sim_image_make(&image, &scene_limits, &place, &fault);
    assert_non_null(again);
    const uint64_t before = sim_hash(sim);
    assert_true(sim_hash(again) == before);
    struct sim_still *still = sim_still_create(sim);
    assert_non_null(still);
    sim_still_begin(still, sim);
    while (!sim_still_go_on(still, 1000)) {
    }
    sim_still_end(still);
    scene_run(sim, 60);
    scene_run(again, 60);
    const uint64_t after = sim_hash(sim);
    assert_true(sim_hash(again) == after);
    assert_true(sim_hash(sim_still_sim(still)) == before);
    sim_still_give_back(still, sim);
    double left;
    assert_near(present(sim, body, &left), 2800, 1e-9);
    assert_true(sim_hash(sim) == before);
    scene_run(sim, 60);
    assert_true(sim_hash(sim) == after);
    sim_still_destroy(still);
    sim_destroy(again);
    sim_image_deinit(&image);
    sim_destroy(sim);
}

// A body that was removed comes back with its pressure, and with what is left of its time.
static void a_body_comes_back_with_its_pressure(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    const uint32_t body = add_balloon(sim, 1, changing(200, 8000, 1));
    scene_run(sim, 20);
    const uint64_t before = sim_hash(sim);
    const struct sim_parts parts = {.bodies = &body, .body_count = 1};
    struct sim_image image;
    struct sim_image_place place;
    struct sim_next_ids next;
    uint32_t *removed = NULL, removed_count = 0;
    sim_next_ids(sim, &next);
    assert_true(sim_image_take_parts(sim, &parts, &image));
    assert_int_equal(sim_body_remove(sim, body, &removed, &removed_count, &fault), FAULT_NONE);
    free(removed);
    struct sim_body_plan *plan =
        sim_body_prepare_again(&image.bodies[0], SCENE_Q, &scene_limits, &place, &fault);
    assert_non_null(plan);
    assert_int_equal(sim_body_restore(sim, plan, &fault), FAULT_NONE);
    assert_int_equal(sim_next_ids_set(sim, &next, &fault), FAULT_NONE);
    assert_true(sim_hash(sim) == before);
    sim_image_deinit(&image);
    sim_destroy(sim);
}

static uint64_t outcome(enum sim_isa isa, struct base_parallel *parallel)
{
    sim_isa_choose(isa);
    struct sim_settings settings = scene_settings();
    settings.iterations = 2;
    struct sim *sim = scene_create(settings);
    add_balloon(sim, 5, gas(3000, SIM_PRESSURE_AMBIENT)); // 10,242 particles in eleven chunks
    add_balloon(sim, 1, kept(1.2, 1e-7));
    for (int tick = 0; tick < 2; tick++) {
        struct sim_failure failure;
        assert_true(sim_step(sim, parallel, NULL, &failure));
        assert_false(failure.failed);
    }
    const uint64_t hash = sim_hash(sim);
    sim_destroy(sim);
    return hash;
}

static void threads_and_instruction_sets_come_to_the_same_bits(void **state)
{
    (void)state;
    const enum sim_isa chosen = sim_isa_chosen();
    struct base_team *team = base_team_create(3);
    assert_non_null(team);
    const uint64_t first = outcome(chosen, NULL);
    assert_true(outcome(chosen, base_team_parallel(team)) == first);
    base_team_destroy(team);
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        if (isa != (int)chosen && sim_isa_available((enum sim_isa)isa)) {
            assert_true(outcome((enum sim_isa)isa, NULL) == first);
        }
    }
    sim_isa_choose(chosen);
}

// Whole coordinates enter the volume alone, from the body's own first particle on.
static void a_balloon_moves_the_same_100_km_from_the_origin(void **state)
{
    (void)state;
    const double shift[3] = {100000, -3, 7};
    struct sim *sims[2];
    uint32_t bodies[2];
    for (int far = 0; far < 2; far++) {
        struct scene_mesh mesh = ball(1, RADIUS, (const double[3]){0, 1, 0});
        for (uint32_t k = 0; k < 3 * mesh.particle_count; k++) {
            mesh.positions[k] = floor(mesh.positions[k] / SCENE_Q) * SCENE_Q + (far ? shift[k % 3] : 0);
        }
        struct sim_body_desc desc = surface_of(&mesh);
        desc.stretch.compliance = SOFT;
        desc.pressure = gas(3000, 10000);
        sims[far] = scene_create(scene_settings());
        bodies[far] = scene_add(sims[far], &desc);
        scene_run(sims[far], 30);
        scene_mesh_deinit(&mesh);
    }
    for (uint32_t p = 0; p < 42; p++) {
        double near[3], there[3];
        scene_position(sims[0], bodies[0], p, near);
        scene_position(sims[1], bodies[1], p, there);
        for (int axis = 0; axis < 3; axis++) {
            assert_true(there[axis] - shift[axis] == near[axis]);
        }
    }
    assert_true(told_of(sims[0], bodies[0]).volume == told_of(sims[1], bodies[1]).volume);
    sim_destroy(sims[0]);
    sim_destroy(sims[1]);
}

// Asking for forces solves the last substep again, and changes nothing.
static void asking_for_forces_changes_nothing(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    const uint32_t body = add_balloon(sim, 1, kept(1.2, 0));
    scene_run(sim, 5);
    const uint64_t before = sim_hash(sim);
    const double pressure = told_of(sim, body).pressure;
    struct sim_forces found;
    assert_int_equal(sim_forces_find(sim, &body, 1, true, &found, &fault), FAULT_NONE);
    sim_multipliers_drop(sim);
    assert_true(sim_hash(sim) == before && told_of(sim, body).pressure == pressure);
    scene_run(sim, 1);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_vectors_come_out_in_every_instruction_set),
        cmocka_unit_test(it_moves_along_the_gradient),
        cmocka_unit_test(a_balloon_follows_laplace),
        cmocka_unit_test(a_free_balloon_stays_where_it_is),
        cmocka_unit_test(a_balloon_that_spins_keeps_its_spin),
        cmocka_unit_test(a_balloon_on_a_string_hangs_and_swings),
        cmocka_unit_test(a_kept_volume_is_kept_under_a_squeeze),
        cmocka_unit_test(a_soft_volume_gives_way_by_its_compliance),
        cmocka_unit_test(a_pressure_changes_evenly_and_stays),
        cmocka_unit_test(a_balloon_at_rest_sleeps_until_its_pressure_changes),
        cmocka_unit_test(an_image_and_a_still_have_the_same_future),
        cmocka_unit_test(a_body_comes_back_with_its_pressure),
        cmocka_unit_test(threads_and_instruction_sets_come_to_the_same_bits),
        cmocka_unit_test(a_balloon_moves_the_same_100_km_from_the_origin),
        cmocka_unit_test(asking_for_forces_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
