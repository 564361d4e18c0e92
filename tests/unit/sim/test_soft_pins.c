// Soft pins, and pins that take their time: against closed forms, held against each other and against hard ones, through images,
// undo and ticks that fail, and in all instruction sets.
#include "base/thread.h"
#include "helper_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct fault fault;
static const uint32_t first_particle = 0;

struct dot {
    struct sim *sim;
    uint32_t body;
};

// One particle at the origin, held as said.
static struct dot dot_of(struct sim_settings settings, double mass, const double velocity[3],
                         const struct sim_hold *hold)
{
    const double x[3] = {0, 0, 0};
    const float v[3] = {(float)velocity[0], (float)velocity[1], (float)velocity[2]};
    struct dot dot = {.sim = scene_create(settings)};
    struct sim_body_desc desc = scene_points(x, 1, &mass);
    desc.velocities = v;
    dot.body = scene_add(dot.sim, &desc);
    if (hold) {
        assert_int_equal(sim_particles_hold(dot.sim, dot.body, &first_particle, 1, hold, &fault), FAULT_NONE);
    }
    return dot;
}

static const double nowhere[3] = {0, 0, 0};

// The only pin of the body that is told of.
static void told_of(const struct dot *dot, double target[3], double force[3])
{
    double compliance, distance;
    sim_body_pins_tell(dot->sim, dot->body, &(struct sim_pins_told){&compliance, &distance, target, force});
}

static void hold(const struct dot *dot, const struct sim_hold *hold)
{
    assert_int_equal(sim_particles_hold(dot->sim, dot->body, &first_particle, 1, hold, &fault), FAULT_NONE);
}

static void a_weight_hangs_as_deep_as_its_spring_says(void **state)
{
    (void)state;
    static const double compliances[] = {1e-4, 1e-2, 0.3};
    for (int i = 0; i < 3; i++) {
        struct sim_settings settings = scene_settings();
        settings.damping = 6;
        settings.iterations = i == 1 ? 3 : 1;
        struct dot dot = dot_of(settings, 0.1, nowhere, &(struct sim_hold){.compliance = &compliances[i]});
        double x[3], target[3], force[3];
        scene_run(dot.sim, 600);
        scene_position(dot.sim, dot.body, 0, x);
        told_of(&dot, target, force);
        const double sag = 0.1 * 9.81 * compliances[i];
        assert_near(x[1], -sag,
                    2e-7 + 2e-6 * sag); // a steady speed of less than half a quantum a substep stays
        assert_near(x[0], 0, 1e-8);
        assert_near(force[1], 0.1 * 9.81, 0.1 * 9.81 * 2e-3);
        assert_near(target[1], 0, 0);
        sim_destroy(dot.sim);
    }
}

// x(n + 1) (1 + w^2 h^2) = 2 x(n) - x(n - 1): what the scheme makes of a spring, with the angle atan(w h) a substep.
static void a_mass_on_a_spring_swings_at_its_period(void **state)
{
    (void)state;
    const double mass = 1, compliance = 0.01, speed = 0.5, omega = 1 / sqrt(mass * compliance);
    struct sim_settings settings = scene_still(2000);
    struct dot dot =
        dot_of(settings, mass, (const double[3]){speed, 0, 0}, &(struct sim_hold){.compliance = &compliance});
    const double h = 1.0 / 2000, share = 1 + omega * omega * h * h;
    double before = -speed * h, now = 0, last = 0, crossed = 0, period = 0;
    for (uint32_t n = 1; n <= 2600; n++) {
        const double next = (2 * now - before) / share;
        double x[3];
        before = now;
        now = next;
        scene_run(dot.sim, 1);
        scene_position(dot.sim, dot.body, 0, x);
        assert_near(x[0], now, 2e-7);
        if (last < 0 && x[0] >= 0) { // upwards through the middle
            const double at = (n - x[0] / (x[0] - last)) * h;
            period = crossed > 0 ? at - crossed : 0;
            crossed = at;
        }
        last = x[0];
    }
    assert_near(period, 2 * acos(-1) * h / atan(omega * h), 2e-6);
    assert_near(period, 2 * acos(-1) / omega, 1e-5);
    sim_destroy(dot.sim);
}

struct kept {
    const struct dot *dot;
    double most, farthest;
};

static void watch_distance(void *context, uint32_t substep)
{
    (void)substep;
    struct kept *kept = context;
    double x[3], target[3], force[3];
    told_of(kept->dot, target, force);
    scene_position(kept->dot->sim, kept->dot->body, 0, x);
    const double away = sqrt(pow(x[0] - target[0], 2) + pow(x[1] - target[1], 2) + pow(x[2] - target[2], 2));
    kept->farthest = fmax(kept->farthest, away);
    assert_near(fmax(away, kept->most), kept->most, 2 * SCENE_Q + 2e-7 * kept->most);
}

// Whatever pulls: 300 times the weight on earth, a grab 4 m away, both springs.
static void nothing_takes_a_particle_out_of_its_distance(void **state)
{
    (void)state;
    static const double distance = 0.05, compliance = 10;
    for (int i = 0; i < 8; i++) {
        struct sim_settings settings = scene_settings();
        const double far[3] = {3, 2, -2};
        uint32_t grab;
        settings.gravity[0] = i & 1 ? 3000 : 0;
        settings.iterations = i & 2 ? 4 : 1;
        struct dot dot =
            dot_of(settings, 0.01, (const double[3]){2, 1, 0.5},
                   &(struct sim_hold){.compliance = i & 4 ? &compliance : NULL, .distance = &distance});
        if (!(i & 1)) {
            assert_int_equal(sim_grab_begin(dot.sim, dot.body, 0, far, 0, &grab, &fault), FAULT_NONE);
        }
        struct kept kept = {.dot = &dot, .most = distance};
        const struct sim_hooks hooks = {.context = &kept, .on_substep = watch_distance};
        struct sim_failure failure;
        for (int t = 0; t < 60; t++) {
            assert_true(sim_step(dot.sim, NULL, &hooks, &failure));
            assert_false(failure.failed);
        }
        assert_near(kept.farthest, distance, 1e-7);
        sim_destroy(dot.sim);
    }
}

// m (v1 - v0) = h (F + m g), of springs and limits, at rest and on the way.
static void what_is_told_is_what_acts(void **state)
{
    (void)state;
    static const double compliance = 0.02, distance = 0.03;
    for (int i = 0; i < 6; i++) {
        struct sim_settings settings = scene_still(600);
        settings.gravity[1] = -9.81;
        settings.iterations = i % 2 == 0 ? 1 : 5;
        struct dot dot = dot_of(settings, 0.2, (const double[3]){1, -0.5, 0.25},
                                &(struct sim_hold){.compliance = i < 4 ? &compliance : NULL,
                                                   .distance = i >= 2 ? &distance : NULL});
        double sum = 0;
        for (int t = 0; t < 200; t++) {
            float before[3], after[3];
            double target[3], force[3];
            scene_velocity(dot.sim, dot.body, 0, before);
            scene_run(dot.sim, 1);
            scene_velocity(dot.sim, dot.body, 0, after);
            told_of(&dot, target, force);
            for (int axis = 0; axis < 3; axis++) {
                const double given = 0.2 * ((double)after[axis] - (double)before[axis]) * 600;
                assert_near(force[axis], given - 0.2 * settings.gravity[axis], 1e-4);
                sum += fabs(force[axis]);
            }
        }
        assert_true(sum > 10);
        sim_destroy(dot.sim);
    }
}

// A ball that is 5 m away comes 2 m nearer in a tick, and the world does not fail.
static void a_limit_that_is_far_away_comes_nearer(void **state)
{
    (void)state;
    static const double distance = 0.5, soft = 1e10, away[3] = {0, 3, 4};
    struct dot dot = dot_of(scene_still(60), 0.2, nowhere, &(struct sim_hold){.compliance = &soft});
    double x[3];
    hold(&dot, &(struct sim_hold){.positions = away, .ticks = 2});
    scene_run(dot.sim, 2);
    hold(&dot, &(struct sim_hold){.distance = &distance});
    scene_run(dot.sim, 1);
    scene_position(dot.sim, dot.body, 0, x);
    assert_near(sqrt(x[1] * x[1] + x[2] * x[2]), 2, 1e-6);
    scene_run(dot.sim, 3);
    scene_position(dot.sim, dot.body, 0, x);
    assert_true(sqrt(pow(x[1] - 3, 2) + pow(x[2] - 4, 2)) < 0.5 + 1e-6);
    sim_destroy(dot.sim);
}

static void within_its_distance_a_particle_is_free(void **state)
{
    (void)state;
    static const double distance = 0.5;
    const double velocity[3] = {0.3, 2, 0.1};
    struct dot held = dot_of(scene_settings(), 0.2, velocity, &(struct sim_hold){.distance = &distance});
    struct dot loose = dot_of(scene_settings(), 0.2, velocity, NULL);
    for (int t = 0; t < 40; t++) {
        double a[3], b[3];
        float v[3], w[3];
        scene_run(held.sim, 1);
        scene_run(loose.sim, 1);
        scene_position(held.sim, held.body, 0, a);
        scene_position(loose.sim, loose.body, 0, b);
        scene_velocity(held.sim, held.body, 0, v);
        scene_velocity(loose.sim, loose.body, 0, w);
        const bool within = sqrt(b[0] * b[0] + b[1] * b[1] + b[2] * b[2]) < 0.49;
        assert_true(!within || t > 25 || (memcmp(a, b, sizeof a) == 0 && memcmp(v, w, sizeof v) == 0));
    }
    sim_destroy(held.sim);
    sim_destroy(loose.sim);
}

static void with_a_compliance_or_distance_of_0_a_pin_is_hard(void **state)
{
    (void)state;
    static const double none = 0, some = 0.5;
    const struct sim_hold holds[] = {
        {0}, {.compliance = &none}, {.distance = &none}, {.compliance = &some, .distance = &none}};
    uint64_t hash = 0;
    for (int i = 0; i < 4; i++) {
        struct dot dot = dot_of(scene_settings(), 0.2, nowhere, &holds[i]);
        scene_run(dot.sim, 3);
        hash = i == 0 ? sim_hash(dot.sim) : hash;
        assert_true(sim_hash(dot.sim) == hash);
        assert_false(sim_body_pins_softly(dot.sim, dot.body));
        sim_destroy(dot.sim);
    }
}

// ------------------------------------------------------------------------------------------------ targets

static void a_target_goes_evenly_and_arrives_to_the_quantum(void **state)
{
    (void)state;
    static const double compliance = 1e-6;
    for (int soft = 0; soft < 2; soft++) {
        const double there[3] = {1.25, -0.7, 8.125}, back[3] = {1, 0.1, 3};
        const struct sim_hold way = {.positions = there, .ticks = 30},
                              other = {.positions = back, .ticks = 7};
        struct dot dot = dot_of(scene_still(60), 0.2, nowhere,
                                &(struct sim_hold){.compliance = soft ? &compliance : NULL});
        double target[3], force[3], middle[3];
        hold(&dot, &way);
        for (int t = 1; t <= 12; t++) {
            scene_run(dot.sim, 1);
            told_of(&dot, target, force);
            for (int axis = 0; axis < 3; axis++) {
                assert_near(target[axis], there[axis] * t / 30, 8 * SCENE_Q);
            }
        }
        memcpy(middle, target, sizeof middle); // and from there on elsewhere
        hold(&dot, &other);
        for (int t = 1; t <= 9; t++) {
            const double part = t < 7 ? t / 7.0 : 1;
            scene_run(dot.sim, 1);
            told_of(&dot, target, force);
            for (int axis = 0; axis < 3; axis++) {
                assert_near(target[axis], middle[axis] + (back[axis] - middle[axis]) * part, 8 * SCENE_Q);
            }
        }
        double x[3];
        scene_position(dot.sim, dot.body, 0, x);
        for (int axis = 0; axis < 3; axis++) {
            assert_near(target[axis], back[axis], SCENE_Q / 2);
            assert_near(x[axis], back[axis], soft ? 0.2 : SCENE_Q / 2);
        }
        sim_destroy(dot.sim);
    }
}

static void a_pin_that_is_moved_stays_as_soft_as_it_is(void **state)
{
    (void)state;
    static const double compliance = 0.01, distance = 0.2, next[3] = {0.1, 0, 0};
    struct dot dot = dot_of(scene_settings(), 0.2, nowhere,
                            &(struct sim_hold){.compliance = &compliance, .distance = &distance});
    double target[3], c, d;
    scene_run(dot.sim, 5);
    hold(&dot, &(struct sim_hold){.positions = next});
    scene_run(dot.sim, 5);
    sim_body_pins_tell(dot.sim, dot.body, &(struct sim_pins_told){&c, &d, target, NULL});
    assert_true(fabs(c - compliance) < 1e-9 && fabs(d - distance) < 1e-8 && fabs(target[0] - 0.1) < SCENE_Q);
    hold(&dot, &(struct sim_hold){.compliance = &compliance}); // the limit goes, the target stays
    sim_body_pins_tell(dot.sim, dot.body, &(struct sim_pins_told){&c, &d, target, NULL});
    assert_true(c > 0 && d == SIM_PIN_NONE && fabs(target[0] - 0.1) < SCENE_Q);
    assert_int_equal(sim_particles_unpin(dot.sim, dot.body, &first_particle, 1, &fault), FAULT_NONE);
    double before[3], after[3];
    scene_position(dot.sim, dot.body, 0, before);
    scene_run(dot.sim, 30);
    scene_position(dot.sim, dot.body, 0, after);
    assert_true(after[1] < before[1] - 0.5);
    sim_destroy(dot.sim);
}

static void a_soft_pin_follows_its_collider_until_that_goes(void **state)
{
    (void)state;
    static const double compliance = 1e-3, distance = 0.02;
    struct sim_collider box = {
        .kind = SIM_SPHERE, .radius = 0.01, .position = {1, 0, 0}, .rotation = {0, 0, 0, 1}};
    struct dot dot = dot_of(scene_settings(), 0.2, nowhere, NULL);
    assert_int_equal(sim_collider_add(dot.sim, &box, &box.id, &fault), FAULT_NONE);
    hold(&dot, &(struct sim_hold){.collider = box.id, .compliance = &compliance, .distance = &distance});
    double target[3], force[3], x[3];
    for (int t = 1; t <= 60; t++) {
        box.position[0] = 1 + 0.01 * t;
        box.rotation[1] = 0.01 * t;
        assert_int_equal(sim_collider_set(dot.sim, &box, &fault), FAULT_NONE);
        scene_run(dot.sim, 1);
    }
    // The sphere turned by 2 atan(0.6) about y: the place (-1, 0, 0) in its frame is at -cos, +sin.
    const double angle = 2 * atan(0.6);
    told_of(&dot, target, force);
    scene_position(dot.sim, dot.body, 0, x);
    assert_near(target[0], 1.6 - cos(angle), 1e-7);
    assert_near(target[2], sin(angle), 1e-7);
    assert_near(
        fmax(sqrt(pow(x[0] - target[0], 2) + pow(x[1] - target[1], 2) + pow(x[2] - target[2], 2)), 0.02),
        0.02, 1e-7);
    assert_true(x[1] < -1e-4 && force[1] > 0.5);
    assert_int_equal(sim_collider_remove(dot.sim, box.id, &fault), FAULT_NONE);
    scene_run(dot.sim, 30);
    double later[3];
    told_of(&dot, later, force);
    assert_memory_equal(later, target, sizeof later);
    sim_destroy(dot.sim);
}

// -------------------------------------------------------------------------------------------- a busy world

enum { SIDE = 9, COUNT = SIDE * SIDE, HELD = 40 };

// A cloth with pins of all kinds, among them many that go somewhere and some that follow a turning box.
static struct sim *busy(uint32_t iterations)
{
    struct sim_settings settings = scene_settings();
    const double origin[3] = {0.1, 1, 0.2};
    settings.iterations = iterations;
    settings.long_edges = settings.bending_solved = true;
    struct sim *sim = scene_create(settings);
    struct scene_mesh mesh = scene_grid(SIDE, SIDE, 0.05, origin);
    struct sim_body_desc desc = scene_cloth(&mesh);
    const uint32_t cloth = scene_add(sim, &desc);
    scene_mesh_deinit(&mesh);
    struct sim_collider box = {.kind = SIM_BOX,
                               .half_extents = {0.05, 0.05, 0.05},
                               .position = {0.6, 1.4, 0.2},
                               .rotation = {0, 0, 0, 1},
                               .friction = 0.4};
    assert_int_equal(sim_collider_add(sim, &box, &box.id, &fault), FAULT_NONE);
    static const double times[] = {0, 0.4, 1}, offsets[9] = {0, 0, 0, 0.2, 0.1, 0, 0, 0.1, 0.1},
                        turns[] = {0, 0, 0, 1, 0, 0.5, 0.1, 0.9, 0, 0, 0, 1};
    uint32_t particles[HELD], motion;
    double compliance[HELD], distance[HELD], x[3 * HELD];
    uint64_t random = 77;
    for (uint32_t i = 0; i < HELD; i++) {
        particles[i] = (7 * i + 3) % COUNT;
        compliance[i] = i % 5 == 0 ? 0 : pow(10, -5 * scene_uniform(&random));
        distance[i] = i % 7 == 0 ? 0 : 0.01 + 0.05 * scene_uniform(&random);
        scene_position(sim, cloth, particles[i], x + 3 * (size_t)i);
        x[3 * (size_t)i] += 0.3 * scene_uniform(&random);
    }
    const struct sim_hold both = {.compliance = compliance, .distance = distance},
                          springs = {.compliance = compliance, .collider = box.id},
                          limits = {.distance = distance, .positions = x, .ticks = 25};
    assert_int_equal(sim_particles_hold(sim, cloth, particles, 15, &both, &fault), FAULT_NONE);
    assert_int_equal(sim_particles_hold(sim, cloth, particles + 15, 12, &springs, &fault), FAULT_NONE);
    struct sim_hold some = limits;
    some.positions = x + 81;
    some.distance = distance + 27;
    assert_int_equal(sim_particles_hold(sim, cloth, particles + 27, 13, &some, &fault), FAULT_NONE);
    const struct sim_motion turn = {.collider = box.id,
                                    .key_count = 3,
                                    .times = times,
                                    .offsets = offsets,
                                    .rotations = turns,
                                    .loop = true};
    const struct sim_motion sway = {.body = cloth,
                                    .particles = particles,
                                    .particle_count = HELD,
                                    .key_count = 3,
                                    .times = times,
                                    .offsets = offsets,
                                    .loop = true};
    assert_int_equal(sim_motion_add(sim, &turn, &motion, &fault), FAULT_NONE);
    assert_int_equal(sim_motion_add(sim, &sway, &motion, &fault), FAULT_NONE);
    return sim;
}

static void every_isa_comes_to_the_same_hash(void **state)
{
    (void)state;
    const enum sim_isa chosen = sim_isa_chosen();
    for (uint32_t iterations = 1; iterations < 3; iterations++) {
        uint64_t first = 0;
        for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
            if (sim_isa_available((enum sim_isa)isa)) {
                sim_isa_choose((enum sim_isa)isa);
                struct sim *sim = busy(iterations);
                scene_run(sim, 60);
                const uint64_t hash = sim_hash(sim);
                first = first == 0 ? hash : first;
                assert_true(hash == first);
                sim_destroy(sim);
            }
        }
    }
    sim_isa_choose(chosen);
}

// So many that threads share them.
static void threads_come_to_the_same_hash(void **state)
{
    (void)state;
    enum { MANY = 5000 };
    double *x = malloc(3 * MANY * sizeof *x), *mass = malloc(MANY * sizeof *mass),
           *soft = malloc(MANY * sizeof *soft);
    uint32_t *all = malloc(MANY * sizeof *all);
    struct base_team *team = base_team_create(3);
    assert_true(x && mass && soft && all && team);
    uint64_t random = 9, hashes[2];
    for (uint32_t i = 0; i < MANY; i++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            x[3 * (size_t)i + axis] = scene_uniform(&random);
        }
        mass[i] = 0.1 + scene_uniform(&random);
        soft[i] = 0.02 * scene_uniform(&random);
        all[i] = i;
    }
    struct sim_body_desc desc = scene_points(x, MANY, mass);
    for (int threads = 0; threads < 2; threads++) {
        struct sim *sim = scene_create(scene_settings());
        const uint32_t body = scene_add(sim, &desc);
        const struct sim_hold both = {.compliance = soft, .distance = soft};
        struct sim_failure failure;
        assert_int_equal(sim_particles_hold(sim, body, all, MANY, &both, &fault), FAULT_NONE);
        for (int t = 0; t < 10; t++) {
            assert_true(sim_step(sim, threads ? base_team_parallel(team) : NULL, NULL, &failure));
            assert_false(failure.failed);
        }
        hashes[threads] = sim_hash(sim);
        sim_destroy(sim);
    }
    assert_true(hashes[0] == hashes[1]);
    base_team_destroy(team);
    free(x);
    free(mass);
    free(soft);
    free(all);
}

static void what_an_image_makes_has_the_same_hash_and_future(void **state)
{
    (void)state;
    struct sim *sim = busy(1);
    for (int t = 0; t < 40; t++) {
        struct sim_image image;
        struct sim_image_place place;
        assert_true(sim_image_take(sim, &image));
        struct sim *again = sim_image_make(&image, &scene_limits, &place, &fault);
        sim_image_deinit(&image);
        assert_non_null(again);
        assert_true(sim_hash(again) == sim_hash(sim));
        scene_run(again, 1);
        scene_run(sim, 1);
        assert_true(sim_hash(again) == sim_hash(sim));
        sim_destroy(sim);
        sim = again;
    }
    sim_destroy(sim);
}

static void a_tick_that_fails_has_not_been(void **state)
{
    (void)state;
    struct sim *sim = busy(1);
    const double x[3] = {9, 9, 9}, mass = 1;
    const float v[3] = {1e6f, 0, 0}, rest[3] = {0, 0, 0};
    struct sim_body_desc desc = scene_points(x, 1, &mass);
    struct sim_failure failure;
    const uint32_t body = scene_add(sim, &desc);
    scene_run(sim, 10);
    assert_int_equal(sim_particles_set(sim, body, &first_particle, 1, NULL, v, NULL, &fault), FAULT_NONE);
    const uint64_t before = sim_hash(sim);
    assert_true(sim_step(sim, NULL, NULL, &failure));
    assert_true(failure.failed);
    assert_true(sim_hash(sim) == before);
    // It goes on as one that never failed.
    struct sim_image image;
    struct sim_image_place place;
    assert_int_equal(sim_particles_set(sim, body, &first_particle, 1, x, rest, NULL, &fault), FAULT_NONE);
    assert_true(sim_image_take(sim, &image));
    struct sim *again = sim_image_make(&image, &scene_limits, &place, &fault);
    sim_image_deinit(&image);
    scene_run(sim, 20);
    scene_run(again, 20);
    assert_true(sim_hash(sim) == sim_hash(again));
    sim_destroy(sim);
    sim_destroy(again);
}

// Random edits of pins and particles, each taken back at once.
static void what_is_taken_back_leaves_nothing(void **state)
{
    (void)state;
    struct sim *sim = busy(1);
    uint64_t random = 5;
    for (int round = 0; round < 60; round++) {
        enum { SOME = 12 };
        uint32_t particles[SOME];
        double x[3 * SOME], compliance[SOME], distance[SOME];
        float w[SOME];
        struct sim_restore_particles states;
        const uint64_t draw = scene_random(&random);
        for (uint32_t i = 0; i < SOME; i++) {
            particles[i] = ((uint32_t)(draw % COUNT) + 5 * i) % COUNT;
            scene_position(sim, 1, particles[i], x + 3 * (size_t)i);
            x[3 * (size_t)i + 1] += 0.2 * scene_uniform(&random);
            compliance[i] = scene_uniform(&random) < 0.2 ? 0 : 0.1 * scene_uniform(&random);
            distance[i] = scene_uniform(&random) < 0.2 ? 0 : 0.1 * scene_uniform(&random);
            w[i] = (float)(50 + 10 * scene_uniform(&random));
        }
        const uint32_t choice = (uint32_t)(draw >> 32);
        const struct sim_hold given = {.compliance = choice & 1 ? compliance : NULL,
                                       .distance = choice & 2 ? distance : NULL,
                                       .positions = choice & 4 ? x : NULL,
                                       .ticks = choice & 8 ? 17 : 0,
                                       .collider = choice % 16 == 1 || choice % 16 == 2 ? 1 : 0};
        const uint32_t fields = choice % 5 == 0   ? SIM_RESTORE_POSITIONS
                                : choice % 5 == 1 ? SIM_RESTORE_INVERSE_MASSES
                                                  : SIM_RESTORE_PINS;
        const uint64_t before = sim_hash(sim);
        assert_int_equal(sim_restore_particles_take(sim, 1, particles, SOME, fields, &states, &fault),
                         FAULT_NONE);
        assert_int_equal(fields != SIM_RESTORE_PINS
                             ? sim_particles_set(sim, 1, particles, SOME, choice % 5 == 0 ? x : NULL, NULL,
                                                 choice % 5 == 1 ? w : NULL, &fault)
                         : choice % 3 == 0 ? sim_particles_unpin(sim, 1, particles, SOME, &fault)
                                           : sim_particles_hold(sim, 1, particles, SOME, &given, &fault),
                         FAULT_NONE);
        const uint64_t edited = sim_hash(sim);
        assert_int_equal(sim_restore_particles_apply(sim, &states, &fault), FAULT_NONE);
        assert_true(sim_hash(sim) == before);
        sim_restore_particles_deinit(&states);
        if (fields == SIM_RESTORE_PINS) {
            assert_int_equal(choice % 3 == 0 ? sim_particles_unpin(sim, 1, particles, SOME, &fault)
                                             : sim_particles_hold(sim, 1, particles, SOME, &given, &fault),
                             FAULT_NONE);
            assert_true(sim_hash(sim) == edited);
        }
        scene_run(sim, 2);
    }
    sim_destroy(sim);
}

// Long after the edit its target is back, and its particle is not thrown anywhere.
static void a_soft_pin_that_comes_back_leaves_its_particle_where_it_is(void **state)
{
    (void)state;
    static const double compliance = 0.01;
    struct dot dot = dot_of(scene_settings(), 0.2, nowhere, &(struct sim_hold){.compliance = &compliance});
    struct sim_restore_particles states;
    double before[3], after[3], target[3], force[3];
    scene_run(dot.sim, 7);
    assert_int_equal(
        sim_restore_particles_take(dot.sim, dot.body, &first_particle, 1, SIM_RESTORE_PINS, &states, &fault),
        FAULT_NONE);
    assert_int_equal(sim_particles_unpin(dot.sim, dot.body, &first_particle, 1, &fault), FAULT_NONE);
    scene_run(dot.sim, 20);
    scene_position(dot.sim, dot.body, 0, before);
    assert_int_equal(sim_restore_particles_apply(dot.sim, &states, &fault), FAULT_NONE);
    sim_restore_particles_deinit(&states);
    scene_position(dot.sim, dot.body, 0, after);
    assert_memory_equal(before, after, sizeof after);
    assert_true(before[1] < -0.3);
    scene_run(dot.sim, 1);
    told_of(&dot, target, force);
    assert_true(target[1] == 0 && force[1] > 10);
    sim_destroy(dot.sim);
}

static void a_reset_begins_again(void **state)
{
    (void)state;
    struct sim *sim = busy(1);
    sim_reset(sim);
    const uint64_t start = sim_hash(sim);
    scene_run(sim, 20);
    const uint64_t later = sim_hash(sim);
    sim_reset(sim);
    assert_true(sim_hash(sim) == start);
    scene_run(sim, 20);
    assert_true(sim_hash(sim) == later);
    sim_destroy(sim);
}

// With sleep a weight on a soft pin falls asleep, and wakes when its target goes.
static void a_body_sleeps_until_its_target_goes(void **state)
{
    (void)state;
    static const double compliance = 1e-3, up[3] = {0, 0.5, 0};
    struct sim_settings settings = scene_settings();
    settings.sleep = true;
    settings.damping = 20;
    struct dot dot = dot_of(settings, 0.1, nowhere, &(struct sim_hold){.compliance = &compliance});
    struct sim_body_info info;
    double x[3], target[3], force[3];
    scene_run(dot.sim, 600);
    assert_true(sim_body_info(dot.sim, dot.body, &info) && info.asleep);
    told_of(&dot, target, force);
    assert_near(force[1], 0.981, 0.01); // as it was when it fell asleep
    hold(&dot, &(struct sim_hold){.positions = up, .ticks = 40});
    for (int t = 0; t < 600; t++) { // what an image makes wakes and sleeps at the same ticks
        if (t % 50 == 13) {
            struct sim_image image;
            struct sim_image_place place;
            assert_true(sim_image_take(dot.sim, &image));
            struct sim *again = sim_image_make(&image, &scene_limits, &place, &fault);
            sim_image_deinit(&image);
            assert_true(sim_hash(again) == sim_hash(dot.sim));
            scene_run(again, 60);
            scene_run(dot.sim, 60);
            assert_true(sim_hash(again) == sim_hash(dot.sim));
            sim_destroy(again);
        }
        scene_run(dot.sim, 1);
    }
    scene_position(dot.sim, dot.body, 0, x);
    assert_near(x[1], 0.5 - 0.981e-3, 1e-4);
    assert_true(sim_body_info(dot.sim, dot.body, &info) && info.asleep);
    sim_destroy(dot.sim);
}

static void wrong_pins_are_refused(void **state)
{
    (void)state;
    static const double bad[] = {NAN, INFINITY, -1, -1e-300, 1e300};
    static const double far[3] = {5, 0, 0}, some = 0.1;
    struct dot dot = dot_of(scene_settings(), 1, nowhere, NULL);
    const uint64_t before = sim_hash(dot.sim);
    for (int i = 0; i < 5; i++) {
        const struct sim_hold compliance = {.compliance = &bad[i]}, distance = {.distance = &bad[i]},
                              both = {.compliance = &some, .distance = &bad[i]};
        assert_int_equal(sim_particles_hold(dot.sim, dot.body, &first_particle, 1, &compliance, &fault),
                         FAULT_INVALID);
        assert_string_equal(fault.field, "compliance");
        assert_int_equal(sim_particles_hold(dot.sim, dot.body, &first_particle, 1, &distance, &fault),
                         FAULT_INVALID);
        assert_string_equal(fault.field, "distance");
        assert_int_equal(sim_particles_hold(dot.sim, dot.body, &first_particle, 1, &both, &fault),
                         FAULT_INVALID);
    }
    const struct sim_hold fast = {.positions = far, .compliance = &some},
                          slow = {.positions = far, .ticks = 2},
                          long_way = {.positions = far, .ticks = SIM_PIN_TICKS_MAX + 1},
                          gone = {.collider = 9};
    assert_int_equal(sim_particles_hold(dot.sim, dot.body, &first_particle, 1, &fast, &fault), FAULT_INVALID);
    assert_string_equal(fault.field, "positions");
    assert_int_equal(sim_particles_hold(dot.sim, dot.body, &first_particle, 1, &long_way, &fault),
                     FAULT_INVALID);
    assert_string_equal(fault.field, "seconds");
    assert_int_equal(sim_particles_hold(dot.sim, dot.body, &first_particle, 1, &gone, &fault),
                     FAULT_NOT_FOUND);
    assert_true(sim_hash(dot.sim) == before);
    assert_int_equal(sim_particles_hold(dot.sim, dot.body, &first_particle, 1, &slow, &fault), FAULT_NONE);
    sim_destroy(dot.sim);
}

static void wrong_images_and_restores_are_refused(void **state)
{
    (void)state;
    struct sim *sim = busy(1);
    const uint32_t all[2] = {3, 10};
    struct sim_image image;
    struct sim_image_place place;
    scene_run(sim, 3);
    assert_true(sim_image_take(sim, &image));
    struct sim_image_body *body = (struct sim_image_body *)(uintptr_t)image.bodies;
    const struct sim_image_body good = *body;
    const struct {
        const double *array;
        double value;
    } wrong[] = {
        {body->pin_compliances, NAN},    {body->pin_compliances, -0.5}, {body->pin_compliances, 2e10},
        {body->pin_distances, INFINITY}, {body->pin_distances, -2},     {body->pin_starts, 0.5},
        {body->pin_starts, NAN},         {body->pin_starts, 1e10},      {body->pin_ends, 1e300}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        double *at = (double *)(uintptr_t)wrong[i].array, was = *at;
        *at = wrong[i].value;
        assert_null(sim_image_make(&image, &scene_limits, &place, &fault));
        *at = was;
    }
    body->pin_distances = NULL;
    assert_null(sim_image_make(&image, &scene_limits, &place, &fault));
    *body = good;
    ((uint32_t *)(uintptr_t)body->pin_ticks)[0] = SIM_PIN_TICKS_MAX;
    assert_null(sim_image_make(&image, &scene_limits, &place, &fault));
    sim_image_deinit(&image);
    struct sim_restore_particles states;
    const uint64_t before = sim_hash(sim);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(sim_restore_particles_take(sim, 1, all, 2, SIM_RESTORE_PINS, &states, &fault),
                         FAULT_NONE);
        struct sim_restore_particle *at = &states.particles[1];
        at->compliance = i == 0 ? NAN : i == 1 ? -2 : 0.1f;
        at->distance = i == 2 ? -0.5f : 0.1f;
        at->left = i == 3 ? SIM_PIN_TICKS_MAX : 1;
        at->end[0] = i == 4 ? INT64_MAX : 0;
        assert_int_equal(sim_restore_particles_apply(sim, &states, &fault), FAULT_INVALID);
        sim_restore_particles_deinit(&states);
    }
    assert_true(sim_hash(sim) == before);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_weight_hangs_as_deep_as_its_spring_says),
        cmocka_unit_test(a_mass_on_a_spring_swings_at_its_period),
        cmocka_unit_test(nothing_takes_a_particle_out_of_its_distance),
        cmocka_unit_test(what_is_told_is_what_acts),
        cmocka_unit_test(a_limit_that_is_far_away_comes_nearer),
        cmocka_unit_test(within_its_distance_a_particle_is_free),
        cmocka_unit_test(with_a_compliance_or_distance_of_0_a_pin_is_hard),
        cmocka_unit_test(a_target_goes_evenly_and_arrives_to_the_quantum),
        cmocka_unit_test(a_pin_that_is_moved_stays_as_soft_as_it_is),
        cmocka_unit_test(a_soft_pin_follows_its_collider_until_that_goes),
        cmocka_unit_test(every_isa_comes_to_the_same_hash),
        cmocka_unit_test(threads_come_to_the_same_hash),
        cmocka_unit_test(what_an_image_makes_has_the_same_hash_and_future),
        cmocka_unit_test(a_tick_that_fails_has_not_been),
        cmocka_unit_test(what_is_taken_back_leaves_nothing),
        cmocka_unit_test(a_soft_pin_that_comes_back_leaves_its_particle_where_it_is),
        cmocka_unit_test(a_reset_begins_again),
        cmocka_unit_test(a_body_sleeps_until_its_target_goes),
        cmocka_unit_test(wrong_pins_are_refused),
        cmocka_unit_test(wrong_images_and_restores_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
