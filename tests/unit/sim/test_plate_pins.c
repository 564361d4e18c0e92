// Pins and masses change a part of the factor of a solved body: nodes that they do not reach keep their numbers, and all are
// the bits of a factor that is made from nothing.
#include "base/thread.h"
#include "helper_scene.h"
#include "sim/plate/plate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct fault fault;

enum { EDITS = 24 };

static struct sim *hung(uint32_t side, double compliance, uint32_t *body)
{
    const double origin[3] = {0, 0, 0};
    struct sim_settings settings = scene_settings();
    settings.substeps = 20;
    settings.bending_solved = true;
    struct sim *sim = scene_create(settings);
    struct scene_mesh mesh = scene_grid(side, side, 0.3 / (side - 1), origin);
    struct sim_body_desc desc = scene_cloth(&mesh);
    const uint32_t pins[2] = {0, side - 1};
    desc.density = 0.2;
    desc.bend_model = SIM_BEND_QUADRATIC;
    desc.bend = (struct sim_material){.compliance = compliance, .stiffness = -1};
    desc.pins = pins;
    desc.pin_count = 2;
    *body = scene_add(sim, &desc);
    scene_mesh_deinit(&mesh);
    return sim;
}

static void settle(struct sim *sim, struct base_parallel *parallel)
{
    assert_true(sim_plates_settle(sim, parallel));
    assert_true(sim->bodies[0]->plate && sim->bodies[0]->plate->solved);
    sim->derived_known = sim->masses_known = true;
}

static size_t bytes_of(const struct sim_plate *plate)
{
    return plate->entry_count * (plate->fine ? sizeof(double) : sizeof(float));
}

// Makes the factor from nothing, and compares it with the one that edits made.
static void compare_with_new(struct sim *sim)
{
    struct sim_plate *edited = sim->bodies[0]->plate;
    sim->bodies[0]->plate = NULL;
    settle(sim, NULL);
    const struct sim_plate *made = sim->bodies[0]->plate;
    assert_int_equal(made->entry_count, edited->entry_count);
    assert_int_equal(made->free, edited->free);
    assert_int_equal(made->fine, edited->fine);
    assert_true(made->sources == edited->sources);
    assert_memory_equal(made->masses, edited->masses, made->count * sizeof *made->masses);
    assert_memory_equal(made->entries, edited->entries, bytes_of(made));
    sim_plate_destroy(sim->bodies[0]->plate);
    sim->bodies[0]->plate = edited;
}

static uint32_t draw(uint64_t *random, uint32_t below)
{
    const uint32_t drawn = (uint32_t)(scene_uniform(random) * below);
    return drawn < below ? drawn : below - 1;
}

// Pins, unpins, masses and what takes an edit back, at places all over a square.
static void edit_and_compare(uint32_t side, double compliance, struct base_parallel *parallel)
{
    uint64_t random = side;
    uint32_t body;
    struct sim *sim = hung(side, compliance, &body);
    settle(sim, parallel);
    for (int edit = 0; edit < EDITS; edit++) {
        const uint32_t count = edit % 6 == 5 ? 40 : 1 + draw(&random, 3), step = side * side / count;
        struct sim_restore_particles states;
        uint32_t indices[40];
        float masses[40];
        for (uint32_t i = 0; i < count; i++) {
            indices[i] = i * step + draw(&random, step);
            masses[i] = 1e4f + 1e5f * (float)scene_uniform(&random);
        }
        const bool weighs = edit % 4 == 3;
        assert_int_equal(sim_restore_particles_take(sim, body, indices, count,
                                                    weighs ? SIM_RESTORE_INVERSE_MASSES : SIM_RESTORE_PINS,
                                                    &states, &fault),
                         FAULT_NONE);
        const enum fault_code code =
            weighs          ? sim_particles_set(sim, body, indices, count, NULL, NULL, masses, &fault)
            : edit % 3 == 1 ? sim_particles_unpin(sim, body, indices, count, &fault)
                            : sim_particles_pin(sim, body, indices, count, NULL, &fault);
        assert_int_equal(code, FAULT_NONE);
        settle(sim, parallel);
        compare_with_new(sim);
        if (edit % 5 < 2) {
            assert_int_equal(sim_restore_particles_apply(sim, &states, &fault), FAULT_NONE);
            settle(sim, parallel);
            compare_with_new(sim);
        }
        sim_restore_particles_deinit(&states);
    }
    sim_destroy(sim);
}

static void edited_factors_have_the_bits_of_new_ones(void **state)
{
    (void)state;
    edit_and_compare(17, 1e4, NULL);
    edit_and_compare(17, 1e-1, NULL); // in doubles
    edit_and_compare(50, 1e4, NULL);  // cut into parts
}

static void so_they_have_on_threads(void **state)
{
    (void)state;
    struct base_team *team = base_team_create(3);
    assert_non_null(team);
    edit_and_compare(50, 1e4, base_team_parallel(team));
    base_team_destroy(team);
}

// Numbers of a factor that differ.
static size_t differing(const struct sim_plate *plate, const float *before)
{
    const float *now = plate->entries;
    size_t count = 0;
    for (size_t i = 0; i < plate->entry_count; i++) {
        count += memcmp(&now[i], &before[i], sizeof now[i]) != 0;
    }
    return count;
}

static void a_pin_changes_few_numbers_and_computes_no_others(void **state)
{
    (void)state;
    uint32_t body, pin = 50 * 13 + 11;
    struct sim *sim = hung(50, 1e4, &body);
    settle(sim, NULL);
    struct sim_plate *plate = sim->bodies[0]->plate;
    float *before = malloc(bytes_of(plate));
    memcpy(before, plate->entries, bytes_of(plate));
    assert_int_equal(sim_particles_pin(sim, body, &pin, 1, NULL, &fault), FAULT_NONE);
    settle(sim, NULL);
    assert_ptr_equal(sim->bodies[0]->plate, plate);
    const size_t changed = differing(plate, before);
    assert_true(changed > 0 && changed < plate->entry_count / 4);
    // Numbers that the pin does not reach stay, even if they are wrong: nobody computes them.
    memset(plate->entries, 0xff, bytes_of(plate));
    assert_int_equal(sim_particles_unpin(sim, body, &pin, 1, &fault), FAULT_NONE);
    settle(sim, NULL);
    const size_t kept = plate->entry_count - differing(plate, before);
    assert_true(kept > changed && kept < plate->entry_count / 2);
    free(before);
    sim_destroy(sim);
}

static void weigh(struct sim *sim, uint32_t body, float inverse_mass)
{
    const uint32_t one = 100;
    assert_int_equal(sim_particles_set(sim, body, &one, 1, NULL, NULL, &inverse_mass, &fault), FAULT_NONE);
}

static void a_light_particle_makes_a_factor_of_doubles(void **state)
{
    (void)state;
    uint32_t body;
    struct sim *sim = hung(17, 1e4, &body);
    settle(sim, NULL);
    assert_false(sim->bodies[0]->plate->fine);
    weigh(sim, body, 9e8f);
    settle(sim, NULL);
    assert_true(sim->bodies[0]->plate->fine);
    compare_with_new(sim);
    weigh(sim, body, 2e4f);
    settle(sim, NULL);
    assert_false(sim->bodies[0]->plate->fine);
    compare_with_new(sim);
    sim_destroy(sim);
}

static void a_light_particle_makes_bending_too_stiff(void **state)
{
    (void)state;
    uint32_t body;
    struct sim *sim = hung(17, 1e-4, &body);
    settle(sim, NULL);
    assert_true(sim->bodies[0]->plate->fine);
    weigh(sim, body, 9e8f);
    assert_true(sim_plates_settle(sim, NULL));
    assert_false(sim->bodies[0]->plate->solved);
    sim->derived_known = sim->masses_known = true;
    weigh(sim, body, 2e4f);
    settle(sim, NULL);
    compare_with_new(sim);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edited_factors_have_the_bits_of_new_ones),
        cmocka_unit_test(so_they_have_on_threads),
        cmocka_unit_test(a_pin_changes_few_numbers_and_computes_no_others),
        cmocka_unit_test(a_light_particle_makes_a_factor_of_doubles),
        cmocka_unit_test(a_light_particle_makes_bending_too_stiff),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
