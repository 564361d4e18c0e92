// Gusts: the noise has its bits in every instruction set, the air has the mean and the strength that is asked for, and what it
// does is state: hashed, in images, in stills, begun again by a reset.
#include "helper_scene.h"
#include "sim/solve/air.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct fault fault;

static struct sim_settings gusty(double speed, double gusts, double length, uint32_t seed)
{
    struct sim_settings settings = scene_settings();
    settings.extent = 1e9;
    settings.gravity[1] = 0;
    settings.wind = (struct sim_wind){.velocity = {speed, 0, 0},
                                      .drag = 1,
                                      .density = 1.2,
                                      .gusts = gusts,
                                      .gust_length = length,
                                      .gust_seed = seed};
    return settings;
}

// ------------------------------------------------------------------------------------------------- the noise

static uint32_t octave_seed(uint32_t seed, uint32_t octave)
{
    uint32_t x = seed + 0x9e3779b9u * (octave + 1);
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

enum { POINTS = 6 };

// Quanta of 2^-27 m.
static const int64_t places[POINTS][3] = {
    {0, 0, 0},
    {1 << 26, 1 << 26, 1 << 26},
    {5 << 25, -(3 << 25), INT64_C(5) << 26},
    {-(INT64_C(25) << 24), 1 << 23, INT64_C(807) << 24},
    {123456789, -987654321, 5555555555},
    {(INT64_C(1) << 40) + 1, -(INT64_C(1) << 41) + 77, 3},
};

static void air_at_places(enum sim_isa isa, const struct sim_air *gale, float out[POINTS][3])
{
    double x[3 * POINTS], masses[POINTS];
    for (uint32_t i = 0; i < POINTS; i++) {
        for (int axis = 0; axis < 3; axis++) {
            x[3 * i + (uint32_t)axis] = (double)places[i][axis] * SCENE_Q;
        }
        masses[i] = 1;
    }
    sim_isa_choose(isa);
    struct sim *sim = scene_create(gusty(1, 1, 10, 0));
    struct sim_body_desc desc = scene_points(x, POINTS, masses);
    scene_add(sim, &desc);
    scene_run(sim, 1); // makes the chunks; nothing moves
    assert_int_equal(sim->chunk_count, 1);
    sim->gale = *gale;
    sim->kernels->air(sim, &sim->chunks[0]);
    for (uint32_t i = 0; i < POINTS; i++) {
        const uint32_t row = sim->bodies[0]->first_row + sim->bodies[0]->row_of[i];
        assert_memory_equal(sim->positions[row], places[i], sizeof places[i]);
        memcpy(out[i], sim->air[row].v, sizeof out[i]);
    }
    sim_destroy(sim);
}

static void each_isa(void (*look)(enum sim_isa isa))
{
    const enum sim_isa chosen = sim_isa_chosen();
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        if (sim_isa_available((enum sim_isa)isa)) {
            look((enum sim_isa)isa);
        }
    }
    sim_isa_choose(chosen);
}

static void look_at_one_octave(enum sim_isa isa)
{
    // One octave with cells of 1 m and the seed 1.
    static const float curls[POINTS][3] = {
        {-0x1.928p-1f, -0x1.d88p-1f, 0x1.02p-3f},
        {0x1.0546p-1f, -0x1.0acp-2f, 0x1.0c2p-5f},
        {0x1.06575ap-4f, 0x1.a57136p-3f, -0x1.a972a8p-2f},
        {0x1.0a6fb4p-1f, -0x1.6f12e2p-4f, -0x1.87830ep-1f},
        {0x1.cb3bbep-4f, -0x1.a8d606p-2f, -0x1.1bbdb6p-3f},
        {0x1.d9p-2f, 0x1.2d8p-1f, 0x1.cap-3f},
    };
    struct sim_air gale = {.octaves = {{.shift = 27, .seed = 1, .weight = 1}}};
    float air[POINTS][3];
    air_at_places(isa, &gale, air);
    assert_memory_equal(air, curls, sizeof air);
    // A pattern that has moved by whole cells and a bit is another part of the same one.
    for (uint32_t i = 0; i < POINTS; i++) {
        for (int axis = 0; axis < 3; axis++) {
            gale.octaves[0].drift[axis] = places[i][axis];
        }
        air_at_places(isa, &gale, air);
        assert_memory_equal(air[i], curls[0], sizeof air[i]);
    }
}

static void the_noise_has_its_bits_in_every_instruction_set(void **state)
{
    (void)state;
    assert_int_equal(octave_seed(1, 0), 0x9f505634u);
    assert_int_equal(octave_seed(1, 1), 0x43c5316au);
    each_isa(look_at_one_octave);
}

static void look_at_six_octaves(enum sim_isa isa)
{
    static const float winds[4][3] = {
        {0x1.064e3ep+3f, -0x1.11bcp+0f, -0x1.237fc4p-3f},
        {0x1.2302a6p+3f, -0x1.6b1eb6p-1f, -0x1.21d2c8p-2f},
        {0x1.07589ap+3f, 0x1.671afp-4f, 0x1.08cadap+1f},
        {0x1.381214p+2f, 0x1.f9833ep-1f, 0x1.fab15p+0f},
    };
    static const float weights[SIM_AIR_OCTAVES] = {2, 1.5f, 1.25f, 1, 0.75f, 0.625f};
    struct sim_air gale = {.mean = {8, 0, 2}};
    for (uint32_t o = 0; o < SIM_AIR_OCTAVES; o++) {
        gale.octaves[o] =
            (struct sim_air_octave){.shift = 31 - o, .seed = octave_seed(2026, o), .weight = weights[o]};
    }
    float air[POINTS][3];
    air_at_places(isa, &gale, air);
    assert_memory_equal(air[1], winds, sizeof winds);
}

static void six_octaves_have_their_bits_in_every_instruction_set(void **state)
{
    (void)state;
    each_isa(look_at_six_octaves);
}

// ------------------------------------------------------------------------------------------- what is asked for

static void what_a_tick_is_told_follows_from_the_settings(void **state)
{
    (void)state;
    struct sim *sim = scene_create(gusty(8, 1.5, 4, 2026));
    scene_run(sim, 60);
    const struct sim_wind *wind = &sim_settings_of(sim)->wind;
    // 8 m/s and 1.5 m/s in 60 ticks of 1/60 s, each rounded to whole quanta.
    assert_true(wind->gust_way[0] == 60 * 17895697.0 * SCENE_Q);
    assert_true(wind->gust_way[1] == 0 && wind->gust_way[2] == 0);
    assert_true(wind->gust_way[3] == 60 * 3355443.0 * SCENE_Q);
    sim_air_set(sim);
    assert_int_equal(sim->gale.octaves[0].shift, 31); // 16 m
    assert_int_equal(sim->gale.octaves[5].shift, 26);
    assert_int_equal(sim->gale.octaves[1].seed, octave_seed(2026, 1));
    assert_near((double)sim->gale.octaves[0].weight, 1.5 * 1.5208, 1e-6);
    assert_near((double)sim->gale.octaves[0].drift[0] * SCENE_Q, 8 + 1.5 * 9 / 16, 1e-5);
    assert_near((double)sim->gale.octaves[5].drift[2] * SCENE_Q, 1.5 * -8 / 16, 1e-5);
    int64_t sums[3] = {0, 0, 0};
    for (uint32_t o = 0; o < 4; o++) {
        for (int axis = 0; axis < 3; axis++) {
            sums[axis] += sim->gale.octaves[o].drift[axis] - (int64_t)(wind->gust_way[axis] * sim->inv_q);
        }
    }
    assert_true(sums[0] == 0 && sums[1] == 0 && sums[2] == 0);
    sim_destroy(sim);
}

enum { SIDE = 40 };

static void the_air_has_the_mean_and_the_strength_that_is_asked_for(void **state)
{
    (void)state;
    const double origin[3] = {-700, 3, 250}, gusts = 2, held = 0.944;
    struct scene_mesh mesh = scene_grid(SIDE, SIDE, 0.05, origin);
    // Places far apart from each other: samples that know nothing of each other.
    uint64_t seed = 7;
    struct sim *sim = scene_create(gusty(8, gusts, 1, 5));
    struct sim_body_desc desc = scene_cloth(&mesh);
    scene_add(sim, &desc);
    scene_run(sim, 1);
    double sum[3] = {0, 0, 0}, square[3] = {0, 0, 0}, cross = 0, greatest = 0;
    uint32_t count = 0;
    for (uint32_t round = 0; round < 20; round++) {
        for (uint32_t row = 0; row < sim->row_end; row++) {
            for (int axis = 0; axis < 3; axis++) {
                sim->positions[row][axis] = (int64_t)(scene_random(&seed) >> 20);
            }
        }
        for (uint32_t c = 0; c < sim->chunk_count; c++) {
            const struct sim_chunk *chunk = &sim->chunks[c];
            sim->kernels->air(sim, chunk);
            for (uint32_t row = chunk->first_row; row < chunk->first_row + chunk->count; row++, count++) {
                const float *air = sim->air[row].v;
                const double u[3] = {(double)air[0] - 8, (double)air[1], (double)air[2]};
                for (int axis = 0; axis < 3; axis++) {
                    sum[axis] += u[axis];
                    square[axis] += u[axis] * u[axis];
                    greatest = fmax(greatest, fabs(u[axis]));
                }
                cross += u[0] * u[1];
            }
        }
    }
    assert_true(count >= 20 * SIDE * SIDE);
    for (int axis = 0; axis < 3; axis++) {
        assert_near(sum[axis] / count, 0, 0.06); // 0.011 is one standard error
        assert_near(square[axis] / count, held * gusts * gusts, 0.15);
    }
    assert_near(cross / count, 0, 0.12);
    assert_true(greatest < 6 * gusts);
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
}

// ----------------------------------------------------------------------------------------------------- a world

static struct sim *flag_scene(struct sim_settings settings)
{
    const double origin[3] = {0, 2, 0};
    struct scene_mesh mesh = scene_grid(12, 8, 0.1, origin);
    struct sim_body_desc desc = scene_cloth(&mesh);
    const uint32_t pins[2] = {0, 12};
    desc.pins = pins;
    desc.pin_count = 2;
    struct sim *sim = scene_create(settings);
    scene_add(sim, &desc);
    scene_mesh_deinit(&mesh);
    return sim;
}

static uint64_t hash_after(struct sim_settings settings, uint32_t ticks)
{
    struct sim *sim = flag_scene(settings);
    scene_run(sim, ticks);
    const uint64_t hash = sim_hash(sim);
    sim_destroy(sim);
    return hash;
}

static uint64_t first_hash;

static void look_at_hash(enum sim_isa isa)
{
    sim_isa_choose(isa);
    const uint64_t hash = hash_after(gusty(5, 2, 1, 3), 20);
    assert_true(first_hash == 0 || hash == first_hash);
    first_hash = hash;
}

static void a_flag_in_gusts_has_the_same_bits_in_every_instruction_set(void **state)
{
    (void)state;
    first_hash = 0;
    each_isa(look_at_hash);
    assert_true(hash_after(gusty(5, 2, 1, 4), 20) != first_hash); // another seed
    assert_true(hash_after(gusty(5, 2, 2, 3), 20) != first_hash);
    assert_true(hash_after(gusty(5, 1, 1, 3), 20) != first_hash);
}

static void without_gusts_what_speaks_of_them_is_forgotten(void **state)
{
    (void)state;
    struct sim_settings settings = gusty(5, 0, 3, 8), plain = gusty(5, 0, 0, 0);
    settings.wind.gust_way[1] = 4;
    assert_true(hash_after(settings, 10) == hash_after(plain, 10));
    // Gusts of no air are as well no reason to do anything: the cloth stays where it is, whatever the drift.
    settings.wind.gusts = 3;
    settings.wind.density = 0;
    struct sim *sim = flag_scene(settings);
    scene_run(sim, 10);
    double x[3];
    scene_position(sim, 1, 50, x);
    assert_true(x[1] == 2);
    assert_true(sim_settings_of(sim)->wind.gust_way[1] == 4);
    sim_destroy(sim);
}

static void images_and_stills_and_resets_know_how_far_gusts_have_come(void **state)
{
    (void)state;
    const struct sim_settings settings = gusty(5, 2, 1, 3);
    struct sim *sim = flag_scene(settings);
    const uint64_t start = sim_hash(sim);
    scene_run(sim, 7);
    const uint64_t before = sim_hash(sim);
    struct sim_image image;
    struct sim_image_place place;
    assert_true(sim_image_take(sim, &image));
    struct sim *twin = sim_image_make(&image, &scene_limits, &place, &fault);
    assert_non_null(twin);
    sim_image_deinit(&image);
    struct sim_still *still = sim_still_create(sim);
    assert_non_null(still);
    sim_still_begin(still, sim);
    while (!sim_still_go_on(still, 1000)) {
    }
    sim_still_end(still);
    assert_true(sim_hash(sim_still_sim(still)) == before);
    scene_run(sim, 9);
    scene_run(twin, 9);
    const uint64_t after = sim_hash(sim);
    assert_true(after != before && sim_hash(twin) == after);
    sim_still_give_back(still, sim);
    assert_true(sim_hash(sim) == before);
    scene_run(sim, 9);
    assert_true(sim_hash(sim) == after);
    sim_still_destroy(still);
    sim_reset(sim);
    assert_true(sim_hash(sim) == start);
    scene_run(sim, 16);
    assert_true(sim_hash(sim) == after);
    sim_destroy(twin);
    sim_destroy(sim);
}

static bool sleeps_after(struct sim_settings settings, uint32_t ticks)
{
    settings.sleep = true;
    settings.damping = 100;
    struct sim *sim = flag_scene(settings);
    scene_run(sim, ticks);
    struct sim_body_info info;
    assert_true(sim_body_info(sim, 1, &info));
    const bool asleep = info.asleep;
    sim_destroy(sim);
    return asleep;
}

static void a_body_that_gusts_can_move_stays_awake(void **state)
{
    (void)state;
    // So faint that nobody would see it move in this time.
    assert_true(sleeps_after(gusty(0, 0, 0, 0), 70));
    assert_false(sleeps_after(gusty(0, 1e-7, 1, 0), 70));
    // Gusts wake what sleeps.
    struct sim_settings settings = gusty(0, 0, 0, 0);
    settings.sleep = true;
    struct sim *sim = flag_scene(settings);
    scene_run(sim, 70);
    struct sim_body_info info;
    assert_true(sim_body_info(sim, 1, &info) && info.asleep);
    settings = *sim_settings_of(sim);
    settings.wind.gusts = 1;
    settings.wind.gust_length = 1;
    assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_NONE);
    scene_run(sim, 1);
    assert_true(sim_body_info(sim, 1, &info) && !info.asleep);
    sim_destroy(sim);
}

static void no_free_sheet_gets_faster_than_the_air(void **state)
{
    (void)state;
    const double origin[3] = {0, 0, 0};
    struct scene_mesh mesh = scene_grid(6, 6, 0.05, origin);
    struct sim_body_desc desc = scene_cloth(&mesh);
    struct sim *sim = scene_create(gusty(3, 1, 1, 11));
    scene_add(sim, &desc);
    double greatest = 0;
    for (uint32_t tick = 0; tick < 120; tick++) {
        scene_run(sim, 1);
        double v[3] = {0, 0, 0};
        for (uint32_t row = sim->bodies[0]->first_row; row < sim->bodies[0]->first_row + 36; row++) {
            const float *air = sim->air[row].v;
            greatest = fmax(greatest, sqrt((double)(air[0] * air[0] + air[1] * air[1] + air[2] * air[2])));
            for (int axis = 0; axis < 3; axis++) {
                v[axis] += (double)sim->velocities[row].v[axis] / 36;
            }
        }
        assert_true(sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) <= greatest);
    }
    assert_true(greatest > 3);
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
}

static void hostile_gusts_are_refused(void **state)
{
    (void)state;
    const struct {
        double gusts, length, way;
        const char *field;
    } bad[] = {
        {-1, 1, 0, "wind.gusts"},      {NAN, 1, 0, "wind.gusts"},         {61, 1, 0, "wind.gusts"},
        {1, 0, 0, "wind.gust_length"}, {1, NAN, 0, "wind.gust_length"},   {1, 1e9, 0, "wind.gust_length"},
        {1, 1, NAN, "wind.gust_way"},  {1, 1, INFINITY, "wind.gust_way"}, {1, 1, -1e300, "wind.gust_way"}};
    struct sim *sim = flag_scene(gusty(5, 2, 1, 3));
    const uint64_t before = sim_hash(sim);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct sim_settings settings = *sim_settings_of(sim);
        settings.wind.gusts = bad[i].gusts;
        settings.wind.gust_length = bad[i].length;
        settings.wind.gust_way[3] = bad[i].way;
        assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_INVALID);
        assert_string_equal(fault.field, bad[i].field);
        assert_true(sim_hash(sim) == before);
    }
    // The least and greatest lengths, far out and after a way that no wind goes.
    for (double length = 1e-12; length < 2e4; length *= 1e4) {
        struct sim_settings settings = *sim_settings_of(sim);
        settings.wind.gust_length = length;
        settings.wind.gust_way[0] = SIM_GUST_WAY_MAX * SCENE_Q;
        settings.wind.gust_way[3] = -SIM_GUST_WAY_MAX * SCENE_Q;
        assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_NONE);
        scene_run(sim, 2);
        assert_true(fabs(sim_settings_of(sim)->wind.gust_way[0]) < 1);
    }
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_noise_has_its_bits_in_every_instruction_set),
        cmocka_unit_test(six_octaves_have_their_bits_in_every_instruction_set),
        cmocka_unit_test(what_a_tick_is_told_follows_from_the_settings),
        cmocka_unit_test(the_air_has_the_mean_and_the_strength_that_is_asked_for),
        cmocka_unit_test(a_flag_in_gusts_has_the_same_bits_in_every_instruction_set),
        cmocka_unit_test(without_gusts_what_speaks_of_them_is_forgotten),
        cmocka_unit_test(images_and_stills_and_resets_know_how_far_gusts_have_come),
        cmocka_unit_test(a_body_that_gusts_can_move_stays_awake),
        cmocka_unit_test(no_free_sheet_gets_faster_than_the_air),
        cmocka_unit_test(hostile_gusts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
