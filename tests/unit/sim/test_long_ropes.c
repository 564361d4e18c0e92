// Ropes that move as ropes do, with long edges: a whip, a lasso, a folded rope that a falling load pulls taut, and 100 kg on
// 20 g. Links keep their length, what is slack neither pushes nor pulls, and no rope gains energy.
#include "helper_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { COUNT_MAX = 64 };

#define TAU 6.283185307179586
#define GRAVITY 9.81

// ------------------------------------------------------------------------------------------------ ropes

// Particle 0 is held. Edges join particles that follow each other; a last one may close a loop.
struct rope {
    struct sim *sim;
    uint32_t body, count;
    double positions[3 * COUNT_MAX], masses[COUNT_MAX];
    float velocities[3 * COUNT_MAX];
    uint32_t edges[2 * COUNT_MAX], edge_count;
};

// Appends a particle so far from the last one in a direction, which has a length of 1.
static void go(struct rope *rope, const double way[3], double length, double mass)
{
    const uint32_t last = rope->count++ - 1;
    for (uint32_t axis = 0; axis < 3; axis++) {
        rope->positions[3 * (last + 1) + axis] = rope->positions[3 * last + axis] + length * way[axis];
    }
    rope->masses[last + 1] = mass;
    rope->edges[2 * (size_t)rope->edge_count] = last;
    rope->edges[2 * (size_t)rope->edge_count++ + 1] = last + 1;
}

static void begin(struct rope *rope)
{
    *rope = (struct rope){.count = 1, .masses = {0.001}};
}

static void put(struct rope *rope, double gravity)
{
    static const uint32_t pin = 0;
    struct sim_settings settings = scene_settings();
    settings.gravity[1] = -gravity;
    settings.substeps = 20;
    settings.long_edges = true;
    rope->sim = scene_create(settings);
    struct sim_body_desc desc =
        scene_rope(rope->positions, rope->count, rope->edges, rope->edge_count, rope->masses);
    desc.velocities = rope->velocities;
    desc.pins = &pin;
    desc.pin_count = 1;
    rope->body = scene_add(rope->sim, &desc);
}

// Two links at a time go out and come back, each pair in another direction, and come down by a part of their length.
static void fold(struct rope *rope, uint32_t links, double length, double down, double load)
{
    const double out = sqrt(1 - down * down);
    for (uint32_t i = 0; i < links; i++) {
        const double angle = TAU * (0.381966 * (i / 2) + 0.5 * (i % 2));
        const double way[3] = {out * cos(angle), -down, out * sin(angle)};
        go(rope, way, length, i + 1 == links ? load : 0.001);
    }
}

// ------------------------------------------------------------------------------------------------ measures

struct course {
    double strain;  // the greatest of an edge in all ticks
    double gain;    // J: the most that the energy rose in the ticks that count
    double least;   // J: the least energy of those ticks
    double fastest; // m/s, of the last particle
    bool counts;    // from now on nothing drives the rope
    bool begun;     // a tick has counted
};

static double energy(const struct rope *rope)
{
    double x[3 * COUNT_MAX], sum = 0;
    float v[3 * COUNT_MAX];
    sim_body_positions64(rope->sim, rope->body, 0, rope->count, x);
    sim_body_velocities(rope->sim, rope->body, 0, rope->count, v);
    for (uint32_t i = 1; i < rope->count; i++) {
        const float *u = v + 3 * (size_t)i;
        const double square = (double)u[0] * u[0] + (double)u[1] * u[1] + (double)u[2] * u[2];
        sum += rope->masses[i] * (0.5 * square + GRAVITY * x[3 * i + 1]);
    }
    return sum;
}

static void step(const struct rope *rope, struct course *course)
{
    float v[3];
    scene_run(rope->sim, 1);
    const double strain = scene_strain(rope->sim), now = energy(rope);
    assert_true(isfinite(now));
    scene_velocity(rope->sim, rope->body, rope->count - 1, v);
    course->fastest = fmax(course->fastest, sqrt((double)(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])));
    course->strain = fmax(course->strain, strain);
    if (course->counts) {
        course->least = course->begun ? fmin(course->least, now) : now;
        course->gain = fmax(course->gain, now - course->least);
        course->begun = true;
    }
}

static void hold(const struct rope *rope, double x, double z)
{
    static const uint32_t pin = 0;
    struct fault fault = {0};
    const double place[3] = {x, 0, z};
    assert_int_equal(sim_particles_pin(rope->sim, rope->body, &pin, 1, place, &fault), FAULT_NONE);
}

// Ends the world. The gain is allowed to be a part of the weight times 1 m, which is about what each of these ropes may fall.
static void judge(struct rope *rope, const struct course *course, const char *what, double strain,
                  double gain)
{
    double scale = 0;
    for (uint32_t i = 1; i < rope->count; i++) {
        scale += rope->masses[i] * GRAVITY;
    }
    print_message("%s: strain %.3f %%, energy gained %.6f %%, end %.1f m/s\n", what, 100 * course->strain,
                  100 * course->gain / scale, course->fastest);
    assert_true(course->strain < strain);
    assert_true(course->gain < gain * scale);
    sim_destroy(rope->sim);
}

// ------------------------------------------------------------------------------------------------ tests

static void a_whip_keeps_its_links(void **state)
{
    (void)state;
    enum { LINKS = 40, DRIVEN = 15 };
    struct rope rope;
    struct course course = {0};
    double hand = 0, speed = 0;
    begin(&rope);
    for (uint32_t i = 0; i < LINKS; i++) {
        go(&rope, (const double[3]){i % 8 < 4 ? -0.96 : -1, i % 8 < 4 ? 0.28 : 0, 0}, 0.025,
           0.005 * pow(0.1, (double)i / (LINKS - 1)));
    }
    put(&rope, GRAVITY);
    for (uint32_t tick = 0; tick < 180; tick++) {
        // Faster for ten ticks, up to 6.4 m/s, then to a stop in five.
        speed = tick < 10 ? speed + 0.64 : tick < DRIVEN ? speed - 1.28 : 0;
        hand += speed / 60;
        hold(&rope, hand, 0);
        course.counts = tick >= DRIVEN;
        step(&rope, &course);
    }
    assert_true(course.fastest > 1.5 * 6.4); // the tip outruns the hand
    judge(&rope, &course, "whip", 0.05, 1e-3);
}

static void a_lasso_stays_whole(void **state)
{
    (void)state;
    enum { ROPE = 20, LOOP = 24 };
    struct rope rope;
    struct course course = {0};
    begin(&rope);
    for (uint32_t i = 0; i < ROPE; i++) {
        go(&rope, (const double[3]){0.8, -0.6, 0}, 0.05, i + 1 == ROPE ? 0.02 : 0.005);
    }
    for (uint32_t i = 0; i + 1 < LOOP; i++) {
        const double angle = TAU * (i + 0.5) / LOOP;
        go(&rope, (const double[3]){cos(angle), 0, sin(angle)}, 0.05, 0.005);
    }
    rope.edges[2 * (size_t)rope.edge_count] = rope.count - 1;
    rope.edges[2 * (size_t)rope.edge_count++ + 1] = ROPE;
    put(&rope, GRAVITY);
    double wide = 0, turn = 0;
    for (uint32_t tick = 0; tick < 240; tick++) {
        // Circles of 0.3 m, at up to 1.5 turns a second.
        wide = tick < 30 ? wide + 0.01 : wide;
        turn += tick < 30 ? TAU * 0.025 * tick / 30 : tick < 150 ? TAU * 0.025 : 0;
        hold(&rope, wide * sin(turn), wide * (1 - cos(turn)));
        course.counts = tick >= 150;
        step(&rope, &course);
    }
    judge(&rope, &course, "lasso", 0.03, 1e-3);
}

static void a_snatch_stops_the_load_and_does_not_throw_it(void **state)
{
    (void)state;
    for (double load = 1; load <= 100; load *= 10) {
        struct rope rope;
        struct course course = {.counts = true};
        double end[3], highest = -1;
        begin(&rope);
        fold(&rope, 20, 0.05, 0.5, load);
        put(&rope, GRAVITY);
        for (uint32_t tick = 1; tick <= 150; tick++) {
            step(&rope, &course);
            scene_position(rope.sim, rope.body, 20, end);
            if (tick <=
                18) { // the rope is taut after 0.5 m, which is 19.2 ticks; until then the load falls freely
                const double steps = 20 * tick, h = 1.0 / 1200;
                assert_near(end[1], -0.5 - 0.5 * GRAVITY * h * h * steps * (steps + 1), 1e-4);
            } else {
                highest = fmax(highest, end[1]);
            }
        }
        assert_true(highest < -0.9); // it bounces by less than a fifth of its fall
        judge(&rope, &course, "snatch", 0.03, 1e-3);
    }
}

static void a_hundred_kilograms_hang_on_20_particles_of_a_gram(void **state)
{
    (void)state;
    struct rope rope;
    struct course course = {.counts = true};
    uint64_t random = 1;
    double end[3];
    begin(&rope);
    for (uint32_t i = 0; i < 20; i++) {
        go(&rope, (const double[3]){0, -1, 0}, 0.05, i == 19 ? 100 : 0.001);
    }
    for (uint32_t i = 3; i < 60; i++) { // every particle but the load is kicked
        rope.velocities[i] = (float)(2 * scene_uniform(&random) - 1);
    }
    put(&rope, GRAVITY);
    for (uint32_t tick = 0; tick < 120; tick++) {
        step(&rope, &course);
    }
    scene_position(rope.sim, rope.body, 20, end);
    assert_near(end[1], -1, 0.001);
    judge(&rope, &course, "100 kg", 0.02, 1e-5);
}

// A folded rope without gravity is at rest, whatever the ways between its ends are along it.
static void what_is_slack_does_not_push(void **state)
{
    (void)state;
    struct rope rope;
    double before[3 * COUNT_MAX], after[3 * COUNT_MAX];
    begin(&rope);
    fold(&rope, 40, 0.05, 0.1, 10);
    put(&rope, 0);
    sim_body_positions64(rope.sim, rope.body, 0, rope.count, before);
    scene_run(rope.sim, 60);
    sim_body_positions64(rope.sim, rope.body, 0, rope.count, after);
    assert_memory_equal(before, after, 3 * (size_t)rope.count * sizeof *before);
    sim_destroy(rope.sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whip_keeps_its_links),
        cmocka_unit_test(a_lasso_stays_whole),
        cmocka_unit_test(a_snatch_stops_the_load_and_does_not_throw_it),
        cmocka_unit_test(a_hundred_kilograms_hang_on_20_particles_of_a_gram),
        cmocka_unit_test(what_is_slack_does_not_push),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
