// Edits of particles and settings that are taken back: at once nothing is left of them; later what they speak of is as
// it was, and another body has the bits that it has without.
#include "helper_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { NAMED = 5 };

static const double origin[3] = {0, 0, 0}, apart[3] = {20, 0, 0};
static struct fault fault;

// Two cloths that never meet, of which the first is edited.
static struct sim *two_cloths(void)
{
    static const uint32_t held[] = {0, 5, 7};
    struct sim *sim = scene_create(scene_settings());
    struct scene_mesh near = scene_grid(6, 6, 0.1, origin), far = scene_grid(6, 6, 0.1, apart);
    struct sim_body_desc desc = scene_cloth(&near), other = scene_cloth(&far);
    desc.pins = other.pins = held;
    desc.pin_count = other.pin_count = 3;
    assert_int_equal(scene_add(sim, &desc), 1);
    assert_int_equal(scene_add(sim, &other), 2);
    scene_mesh_deinit(&near);
    scene_mesh_deinit(&far);
    return sim;
}

static void name_particles(uint64_t *random, uint32_t particles[NAMED])
{
    uint32_t first = (uint32_t)(scene_random(random) % 36);
    for (uint32_t i = 0; i < NAMED; i++) {
        particles[i] = (first + 7 * i) % 36;
    }
}

// One of set, pin where they are, pin with targets, unpin; tells what it overwrites.
static uint32_t fields_of(uint32_t choice)
{
    static const uint32_t fields[] = {SIM_RESTORE_POSITIONS,
                                      SIM_RESTORE_VELOCITIES,
                                      SIM_RESTORE_INVERSE_MASSES,
                                      SIM_RESTORE_POSITIONS | SIM_RESTORE_VELOCITIES |
                                          SIM_RESTORE_INVERSE_MASSES,
                                      SIM_RESTORE_PINS,
                                      SIM_RESTORE_PINS,
                                      SIM_RESTORE_PINS};
    return fields[choice];
}

static void edit(struct sim *sim, uint32_t choice, const uint32_t particles[NAMED], uint64_t seed)
{
    double x[3 * NAMED];
    float v[3 * NAMED], w[NAMED];
    double now[3];
    for (uint32_t i = 0; i < NAMED; i++) {
        scene_position(sim, 1, particles[i], now);
        w[i] = (float)(1 + scene_uniform(&seed));
        for (uint32_t axis = 0; axis < 3; axis++) {
            x[3 * i + axis] = now[axis] + 0.01 * scene_uniform(&seed);
            v[3 * i + axis] = (float)scene_uniform(&seed);
        }
    }
    uint32_t fields = fields_of(choice);
    enum fault_code status =
        choice < 4   ? sim_particles_set(sim, 1, particles, NAMED, fields & SIM_RESTORE_POSITIONS ? x : NULL,
                                       fields & SIM_RESTORE_VELOCITIES ? v : NULL,
                                       fields & SIM_RESTORE_INVERSE_MASSES ? w : NULL, &fault)
        : choice < 6 ? sim_particles_pin(sim, 1, particles, NAMED, choice == 4 ? NULL : x, &fault)
                     : sim_particles_unpin(sim, 1, particles, NAMED, &fault);
    assert_int_equal(status, FAULT_NONE);
}

static void taken_back_at_once_nothing_is_left(void **state)
{
    (void)state;
    uint64_t random = 14;
    struct sim *sim = two_cloths(), *twin = two_cloths();
    for (uint32_t round = 0; round < 56; round++) {
        uint32_t particles[NAMED], choice = round % 7;
        struct sim_restore_particles states;
        name_particles(&random, particles);
        uint64_t before = sim_hash(sim), seed = scene_random(&random) | 1;
        assert_int_equal(
            sim_restore_particles_take(sim, 1, particles, NAMED, fields_of(choice), &states, &fault),
            FAULT_NONE);
        edit(sim, choice, particles, seed);
        assert_int_equal(sim_restore_particles_apply(sim, &states, &fault), FAULT_NONE);
        sim_restore_particles_deinit(&states);
        assert_true(sim_hash(sim) == before);
        if (round % 3 == 0) { // go on from pins that are under way and particles that were moved
            edit(sim, choice, particles, seed);
            edit(twin, choice, particles, seed);
        }
        assert_true(sim_hash(sim) == sim_hash(twin));
        scene_run(sim, round % 7 == 6 ? 20 : round % 2);
        scene_run(twin, round % 7 == 6 ? 20 : round % 2);
        assert_true(sim_hash(sim) == sim_hash(twin));
    }
    sim_destroy(sim);
    sim_destroy(twin);
}

static void assert_as_it_was(const struct sim_restore_particle *a, const struct sim_restore_particle *b,
                             uint32_t fields)
{
    bool held = (fields & SIM_RESTORE_PINS) && a->pinned;
    if (held || (fields & SIM_RESTORE_POSITIONS)) {
        assert_memory_equal(a->position, b->position, sizeof a->position);
    }
    if (held || (fields & SIM_RESTORE_VELOCITIES)) {
        assert_memory_equal(a->velocity, b->velocity, sizeof a->velocity);
    }
    if (held) {
        assert_memory_equal(a->from, b->from, sizeof a->from);
        assert_memory_equal(a->to, b->to, sizeof a->to);
    }
    if (fields & (SIM_RESTORE_INVERSE_MASSES | SIM_RESTORE_PINS)) {
        assert_true(a->inverse_mass == b->inverse_mass);
    }
    assert_int_equal(a->pinned, b->pinned);
}

static void taken_back_later_the_thing_is_as_it_was_and_others_go_on(void **state)
{
    (void)state;
    uint64_t random = 41;
    for (uint32_t choice = 0; choice < 7; choice++) {
        struct sim *sim = two_cloths(), *twin = two_cloths();
        uint32_t particles[NAMED], all[36];
        struct sim_restore_particles states, now, other, others;
        name_particles(&random, particles);
        for (uint32_t i = 0; i < 36; i++) {
            all[i] = i;
        }
        scene_run(sim, 5);
        scene_run(twin, 5);
        uint32_t fields = fields_of(choice);
        assert_int_equal(sim_restore_particles_take(sim, 1, particles, NAMED, fields, &states, &fault),
                         FAULT_NONE);
        uint64_t seed = scene_random(&random) | 1;
        edit(sim, choice, particles, seed);
        edit(twin, choice, particles, seed);
        scene_run(sim, 10);
        scene_run(twin, 10);
        assert_int_equal(sim_restore_particles_apply(sim, &states, &fault), FAULT_NONE);
        assert_int_equal(sim_restore_particles_take(sim, 1, particles, NAMED, fields, &now, &fault),
                         FAULT_NONE);
        for (uint32_t i = 0; i < NAMED; i++) {
            assert_as_it_was(&states.particles[i], &now.particles[i], fields);
        }
        scene_run(sim, 10);
        scene_run(twin, 10);
        assert_int_equal(sim_restore_particles_take(sim, 2, all, 36, 0, &other, &fault), FAULT_NONE);
        assert_int_equal(sim_restore_particles_take(twin, 2, all, 36, 0, &others, &fault), FAULT_NONE);
        for (uint32_t i = 0; i < 36; i++) {
            const struct sim_restore_particle *a = &other.particles[i], *b = &others.particles[i];
            assert_memory_equal(a->position, b->position, sizeof a->position);
            assert_memory_equal(a->velocity, b->velocity, sizeof a->velocity);
        }
        sim_restore_particles_deinit(&states);
        sim_restore_particles_deinit(&now);
        sim_restore_particles_deinit(&other);
        sim_restore_particles_deinit(&others);
        sim_destroy(sim);
        sim_destroy(twin);
    }
}

static void what_a_file_may_say_is_refused_and_changes_nothing(void **state)
{
    (void)state;
    struct sim *sim = two_cloths();
    const uint32_t particles[] = {0, 1};
    uint64_t before = sim_hash(sim);
    for (int wrong = 0; wrong < 7; wrong++) {
        struct sim_restore_particles states;
        assert_int_equal(sim_restore_particles_take(sim, 1, particles, 2, 15, &states, &fault), FAULT_NONE);
        struct sim_restore_particle *last = &states.particles[1];
        states.particles[0].pinned = false; // would be let go, were the other one right
        switch (wrong) {
        case 0:
            states.body = 9;
            break;
        case 1:
            last->particle = 36;
            break;
        case 2:
            last->particle = 0;
            break;
        case 3:
            last->velocity[1] = NAN;
            break;
        case 4:
            last->inverse_mass = -1;
            break;
        case 5:
            last->position[2] = INT64_MAX;
            break;
        case 6:
            last->to[0] = last->from[0] + (INT64_C(1) << 40);
            break;
        }
        assert_int_equal(sim_restore_particles_apply(sim, &states, &fault),
                         wrong == 0 ? FAULT_NOT_FOUND : FAULT_INVALID);
        assert_true(sim_hash(sim) == before);
        sim_restore_particles_deinit(&states);
    }
    sim_destroy(sim);
}

static void settings_are_their_own_inverse(void **state)
{
    (void)state;
    struct sim *sim = two_cloths(), *twin = two_cloths();
    assert_int_equal(sim_multipliers_keep(sim, true, &fault), FAULT_NONE);
    assert_int_equal(sim_multipliers_keep(twin, true, &fault), FAULT_NONE);
    struct sim_settings before = *sim_settings_of(sim), after = before;
    after.extent = 50;
    after.substeps = 3;
    after.iterations = 4;
    after.wind.density = 1.2;
    after.wind.velocity[0] = 5;
    uint64_t hash = sim_hash(sim);
    assert_int_equal(sim_settings_set(sim, &after, &fault), FAULT_NONE);
    assert_true(sim_hash(sim) != hash);
    assert_int_equal(sim_settings_set(sim, &before, &fault), FAULT_NONE);
    assert_true(sim_hash(sim) == hash);
    scene_run(sim, 20);
    scene_run(twin, 20);
    assert_true(sim_hash(sim) == sim_hash(twin));
    sim_destroy(sim);
    sim_destroy(twin);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(taken_back_at_once_nothing_is_left),
        cmocka_unit_test(taken_back_later_the_thing_is_as_it_was_and_others_go_on),
        cmocka_unit_test(what_a_file_may_say_is_refused_and_changes_nothing),
        cmocka_unit_test(settings_are_their_own_inverse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
