// Loads that only touch light cloth, with long edges: balls much heavier than the cloth that they lie on, meet or swing into.
// A ball is a point as thick as its radius.
#include "helper_scene.h"

#include "base/thread.h"
#include "sim/state/state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { SIDE = 31, CLOTH_GROUP = 1, BALL_GROUP = 2 };

#define HEAVY 8.0 // kg

static struct sim *world(bool gravity)
{
    struct sim_settings settings = scene_settings();
    settings.substeps = 20;
    settings.damping = gravity ? 1 : 0;
    settings.gravity[1] = gravity ? settings.gravity[1] : 0;
    settings.long_edges = true;
    return scene_create(settings);
}

static const struct sim_meeting ball_meets = {.group = BALL_GROUP, .mask = CLOTH_GROUP, .friction = 0.3},
                                cloth_meets = {.group = CLOTH_GROUP, .mask = BALL_GROUP, .friction = 0.5};

static uint32_t add_ball(struct sim *sim, const double position[3], const float *velocity)
{
    const double mass = HEAVY;
    struct sim_body_desc desc = scene_points(position, 1, &mass);
    desc.thickness = 0.05;
    desc.meeting = ball_meets;
    desc.velocities = velocity;
    return scene_add(sim, &desc);
}

enum held { NOWHERE, ABOVE, ALL_ROUND };

static bool is_held(uint32_t i, enum held held)
{
    const uint32_t column = i % SIDE, row = i / SIDE;
    return (held == ABOVE && row == 0) ||
           (held == ALL_ROUND && (column == 0 || column == SIDE - 1 || row == 0 || row == SIDE - 1));
}

// A square of 30 cm and 18 g with its middle at a point. It lies level, or stands across z with row 0 above.
static uint32_t add_cloth(struct sim *sim, const double middle[3], bool stands, enum held held, float speed)
{
    const double origin[3] = {middle[0] - 0.15, middle[1], middle[2] - 0.15};
    struct scene_mesh mesh = scene_grid(SIDE, SIDE, 0.01, origin);
    uint32_t pins[SIDE * SIDE], count = 0;
    float velocities[3 * SIDE * SIDE] = {0};
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        double *x = mesh.positions + 3 * (size_t)i;
        if (stands) {
            x[1] = middle[1] + 0.15 - 0.01 * (i / SIDE);
            x[2] = middle[2];
        }
        velocities[3 * i + 2] = speed;
        if (is_held(i, held)) {
            pins[count++] = i;
        }
    }
    struct sim_body_desc desc = scene_cloth(&mesh);
    desc.density = 0.2;
    desc.thickness = 0.002;
    desc.bend_model = SIM_BEND_NONE;
    desc.meeting = cloth_meets;
    desc.pins = pins;
    desc.pin_count = count;
    desc.velocities = velocities;
    const uint32_t id = scene_add(sim, &desc);
    scene_mesh_deinit(&mesh);
    return id;
}

// The greatest strain of all ticks, and that of the last one.
struct strains {
    double ever, rest;
};

static struct strains run(struct sim *sim, uint32_t ticks, const char *what)
{
    struct strains strains = {0};
    for (uint32_t tick = 0; tick < ticks; tick++) {
        scene_run(sim, 1);
        strains.rest = scene_strain(sim);
        strains.ever = fmax(strains.ever, strains.rest);
    }
    print_message("%s: ever %.2f %%, at the end %.2f %%\n", what, 100 * strains.ever, 100 * strains.rest);
    return strains;
}

static const double nowhere[3] = {0, 0, 0};

static void a_cloth_that_is_held_all_round_carries_a_heavy_ball(void **state)
{
    (void)state;
    struct sim *sim = world(true);
    double x[3];
    add_cloth(sim, nowhere, false, ALL_ROUND, 0);
    const uint32_t ball = add_ball(sim, (const double[]){0, 0.06, 0}, NULL);
    const struct strains strains = run(sim, 240, "8 kg on 18 g");
    scene_position(sim, ball, 0, x);
    assert_true(strains.ever < 0.15);
    assert_true(strains.rest < 0.03);
    assert_true(x[1] > 0.02);
    sim_destroy(sim);
}

// The ball hangs by a rope of light links, so both are held by tethers.
static void a_ball_on_a_rope_swings_into_a_cloth_that_is_held_all_round(void **state)
{
    (void)state;
    enum { LINKS = 10 };
    struct sim *sim = world(true);
    double positions[3 * (LINKS + 1)] = {0}, masses[LINKS + 1], x[3];
    float velocities[3 * (LINKS + 1)] = {0};
    uint32_t edges[2 * LINKS];
    for (uint32_t i = 0; i <= LINKS; i++) {
        positions[3 * i + 1] = 0.05 * (LINKS - i);
        positions[3 * i + 2] = -0.1;
        masses[i] = i == 0 ? 0 : i == LINKS ? HEAVY : 0.001;
    }
    for (uint32_t i = 0; i < 2 * LINKS; i++) {
        edges[i] = (i + 1) / 2;
    }
    velocities[3 * LINKS + 2] = 1;
    add_cloth(sim, nowhere, true, ALL_ROUND, 0);
    struct sim_body_desc desc = scene_rope(positions, LINKS + 1, edges, LINKS, masses);
    desc.thickness = 0.05;
    desc.meeting = ball_meets;
    desc.velocities = velocities;
    const uint32_t rope = scene_add(sim, &desc);
    double farthest = -1;
    struct strains strains = {0};
    for (uint32_t tick = 0; tick < 60; tick++) {
        scene_run(sim, 1);
        scene_position(sim, rope, LINKS, x);
        farthest = fmax(farthest, x[2]);
        strains.ever = fmax(strains.ever, scene_strain(sim));
    }
    print_message("a ball on a rope: ever %.2f %%, as far as %.3f m\n", 100 * strains.ever, farthest);
    assert_true(strains.ever < 0.15);
    assert_true(farthest > -0.05 && farthest < 0.05);
    sim_destroy(sim);
}

// ------------------------------------------------------------------------------------------------ what gives way

// Returns the momentum of the first body along z, kg m/s.
static double momentum(const struct sim *sim)
{
    const struct sim_body *cloth = sim->bodies[0];
    double sum = 0;
    for (uint32_t row = cloth->first_row; row < cloth->first_row + cloth->count; row++) {
        sum += (double)sim->velocities[row].v[2] / (double)sim->rows[row].w;
    }
    return sum;
}

// Other cloth that is held far away makes no difference to what is free, to the bit.
static void a_free_cloth_gives_way_to_a_heavy_ball(void **state)
{
    (void)state;
    double ends[2][SIDE * SIDE][3];
    for (int also = 0; also < 2; also++) {
        struct sim *sim = world(false);
        float v[3];
        const uint32_t cloth = add_cloth(sim, (const double[]){0, 0, -0.1}, true, NOWHERE, 3),
                       ball = add_ball(sim, nowhere, NULL);
        if (also != 0) {
            add_cloth(sim, (const double[]){3, 0, 0}, false, ALL_ROUND, 0);
        }
        const double before = momentum(sim);
        scene_run(sim, 60);
        scene_velocity(sim, ball, 0, v);
        print_message("8 kg that a free cloth of 18 g met at 3 m/s: %.4f m/s\n", (double)v[2]);
        assert_true(v[2] > 0 && (double)v[2] < 0.054 / HEAVY);
        assert_true(momentum(sim) + HEAVY * (double)v[2] < 1.001 * before);
        assert_true((sim->tethered != NULL) == (also != 0));
        for (uint32_t i = 0; i < SIDE * SIDE; i++) {
            scene_position(sim, cloth, i, ends[also][i]);
        }
        sim_destroy(sim);
    }
    assert_memory_equal(ends[0], ends[1], sizeof ends[0]);
}

static void a_ball_pushes_a_curtain_aside(void **state)
{
    (void)state;
    static const float thrown[3] = {0, 0, 2};
    struct sim *sim = world(false);
    float v[3];
    add_cloth(sim, nowhere, true, ABOVE, 0);
    const uint32_t ball = add_ball(sim, (const double[]){0, -0.08, -0.1}, thrown);
    scene_run(sim, 30);
    scene_velocity(sim, ball, 0, v);
    print_message("8 kg through a curtain at 2 m/s: %.3f m/s\n", (double)v[2]);
    assert_true(v[2] > 1.9f);
    sim_destroy(sim);
}

// ------------------------------------------------------------------------------------------------ bits

static uint64_t outcome(enum sim_isa isa, struct base_parallel *parallel)
{
    sim_isa_choose(isa);
    struct sim *sim = world(true);
    add_cloth(sim, nowhere, false, ALL_ROUND, 0);
    add_ball(sim, (const double[]){0.003, 0.055, 0.001}, NULL);
    for (uint32_t tick = 0; tick < 25; tick++) {
        struct sim_failure failure;
        assert_true(sim_step(sim, parallel, NULL, &failure));
        assert_false(failure.failed);
    }
    const uint64_t hash = sim_hash(sim);
    sim_destroy(sim);
    return hash;
}

static void threads_and_instruction_sets_give_the_same_bits(void **state)
{
    (void)state;
    const enum sim_isa best = sim_isa_chosen();
    const uint64_t hash = outcome(best, NULL);
    for (uint32_t threads = 1; threads <= 3; threads++) {
        struct base_team *team = base_team_create(threads);
        assert_non_null(team);
        assert_true(outcome(best, base_team_parallel(team)) == hash);
        base_team_destroy(team);
    }
    for (enum sim_isa isa = 0; isa < SIM_ISA_COUNT; isa++) {
        if (sim_isa_available(isa)) {
            assert_true(outcome(isa, NULL) == hash);
        }
    }
    sim_isa_choose(best);
}

// The tethers that contact reads follow from the state: a sim that is made from an image after edits goes on to the same bits.
static void edits_change_what_resists(void **state)
{
    (void)state;
    struct sim *sim = world(true);
    const uint32_t away = add_cloth(sim, (const double[]){2, 0, 0}, false, ALL_ROUND, 0),
                   cloth = add_cloth(sim, nowhere, false, ALL_ROUND, 0);
    struct fault fault;
    double x[3];
    const uint32_t ball = add_ball(sim, (const double[]){0, 0.055, 0}, NULL);
    scene_run(sim, 20);
    uint32_t pins[SIDE * SIDE], count = 0, *removed = NULL, removed_count = 0;
    for (uint32_t i = SIDE; i < SIDE * SIDE; i++) {
        if (is_held(i, ALL_ROUND)) {
            pins[count++] = i;
        }
    }
    assert_int_equal(sim_body_remove(sim, away, &removed, &removed_count, &fault), FAULT_NONE);
    free(removed);
    assert_int_equal(sim_particles_unpin(sim, cloth, pins, count, &fault), FAULT_NONE);
    scene_run(sim, 2);
    struct sim_image image;
    struct sim_image_place place;
    assert_true(sim_image_take(sim, &image));
    struct sim *again = sim_image_make(&image, &scene_limits, &place, &fault);
    assert_non_null(again);
    sim_image_deinit(&image);
    scene_run(sim, 20);
    scene_run(again, 20);
    assert_true(sim_hash(sim) == sim_hash(again));
    scene_run(sim, 20);
    scene_position(sim, ball, 0, x);
    print_message("a ball on a cloth that one side holds still: %.3f m\n", x[1]);
    assert_true(x[1] < -0.1);
    sim_destroy(again);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cloth_that_is_held_all_round_carries_a_heavy_ball),
        cmocka_unit_test(a_ball_on_a_rope_swings_into_a_cloth_that_is_held_all_round),
        cmocka_unit_test(a_free_cloth_gives_way_to_a_heavy_ball),
        cmocka_unit_test(a_ball_pushes_a_curtain_aside),
        cmocka_unit_test(edits_change_what_resists),
        cmocka_unit_test(threads_and_instruction_sets_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
