// No edit takes time out of proportion to what it names and what is there: the worst meshes and orders for each, eight
// times as much of them, and the time of the edit alone.
#include "helper_growth.h"
#include "helper_scene.h"
#include "sim/ground/ground.h"
#include "sim/store/store.h"

#include <stdlib.h>
#include <string.h>

static struct fault fault;

struct edited {
    struct sim *sim;
    uint32_t body, count;
    uint32_t *first;  // of pairs of particles, or ids
    uint32_t *bodies; // of all of them
};

static struct edited *edited_create(uint32_t particles, uint32_t pairs)
{
    struct edited *edited = calloc(1, sizeof *edited);
    double *positions = malloc(3 * (size_t)particles * sizeof *positions);
    for (uint32_t i = 0; i < particles; i++) {
        memcpy(positions + 3 * (size_t)i, (double[]){1e-6 * i, 0, 0}, 3 * sizeof *positions);
    }
    edited->sim = scene_create(scene_settings());
    struct sim_body_desc desc = scene_points(positions, particles, NULL);
    edited->body = scene_add(edited->sim, &desc);
    edited->first = malloc(2 * (size_t)pairs * sizeof *edited->first);
    edited->bodies = malloc(2 * (size_t)pairs * sizeof *edited->bodies);
    for (uint32_t i = 0; i < 2 * pairs; i++) {
        edited->bodies[i] = edited->body;
    }
    free(positions);
    return edited;
}

static void edited_destroy(void *made)
{
    struct edited *edited = made;
    sim_destroy(edited->sim);
    free(edited->first);
    free(edited->bodies);
    free(edited);
}

static uint32_t link_all(struct edited *edited, uint32_t count, double damping)
{
    double *dampings = malloc(count * sizeof *dampings);
    uint32_t first;
    for (uint32_t i = 0; i < count; i++) {
        dampings[i] = damping;
    }
    const struct sim_constraint_values values = {.damping = damping > 0 ? dampings : NULL};
    assert_int_equal(sim_constraints_add(edited->sim, SIM_DISTANCE, count, edited->bodies, edited->first,
                                         &values, &first, &fault),
                     FAULT_NONE);
    free(dampings);
    return first;
}

static void star(struct edited *edited, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        edited->first[2 * i] = 0;
        edited->first[2 * i + 1] = i + 1;
    }
}

static void pairs(struct edited *edited, uint32_t count)
{
    for (uint32_t i = 0; i < 2 * count; i++) {
        edited->first[i] = i + 1;
    }
}

// ---------------------------------------------------------------------------------------------- constraints

static void *make_star(uint32_t count)
{
    struct edited *edited = edited_create(2 * count + 1, count);
    star(edited, count);
    link_all(edited, count, 0);
    for (uint32_t i = 0; i < count / 2; i++) {
        edited->first[i] = 2 * i + 1;
    }
    return edited;
}

static void remove_half(void *made, uint32_t count)
{
    struct edited *edited = made;
    assert_int_equal(sim_constraints_remove(edited->sim, edited->first, count / 2, &fault), FAULT_NONE);
    assert_int_equal(sim_constraint_count(edited->sim), count - count / 2);
}

static void *make_particles(uint32_t count)
{
    struct edited *edited = edited_create(2 * count + 1, count);
    pairs(edited, count);
    return edited;
}

// All of one colour.
static void add_all(void *made, uint32_t count)
{
    link_all(made, count, 0);
}

// The body has another flavour and a lower colour than the present ones, and the world has a star.
static void *make_star_and_pairs(uint32_t count)
{
    struct edited *edited = make_star(count);
    pairs(edited, count);
    return edited;
}

static void add_damped(void *made, uint32_t count)
{
    link_all(made, count, 1);
}

static void *make_ids(uint32_t count)
{
    struct edited *edited = make_particles(count);
    link_all(edited, count, 0);
    for (uint32_t i = 0; i < 2 * count; i++) {
        edited->first[i] = i % count + 1; // each twice
    }
    return edited;
}

// Every second one becomes damped, then all of them stiff.
static void set_flavors(void *made, uint32_t count)
{
    struct edited *edited = made;
    double *values = calloc(2 * (size_t)count, sizeof *values);
    for (uint32_t i = 0; i < 2 * count; i += 2) {
        values[i] = 1;
    }
    assert_int_equal(sim_constraints_set(edited->sim, edited->first, 2 * count,
                                         &(struct sim_constraint_values){.damping = values}, &fault),
                     FAULT_NONE);
    assert_int_equal(sim_constraints_set(edited->sim, edited->first, 2 * count,
                                         &(struct sim_constraint_values){.stiffness = values}, &fault),
                     FAULT_NONE);
    free(values);
}

static void remove_body(void *made, uint32_t count)
{
    struct edited *edited = made;
    uint32_t *removed, removed_count;
    assert_int_equal(sim_body_remove(edited->sim, edited->body, &removed, &removed_count, &fault),
                     FAULT_NONE);
    assert_int_equal(removed_count, count);
    free(removed);
}

static void no_edit_of_constraints_is_quadratic(void **state)
{
    (void)state;
    growth_assert_gentle(&(struct growth){make_star, remove_half, edited_destroy}, 8000);
    growth_assert_gentle(&(struct growth){make_particles, add_all, edited_destroy}, 8000);
    growth_assert_gentle(&(struct growth){make_star_and_pairs, add_damped, edited_destroy}, 8000);
    growth_assert_gentle(&(struct growth){make_ids, set_flavors, edited_destroy}, 4000);
    growth_assert_gentle(&(struct growth){make_star, remove_body, edited_destroy}, 8000);
}

// A body's own constraints, all at one particle: most of them in the serial colour.
static void *make_wheel(uint32_t count)
{
    struct edited *edited = calloc(1, sizeof *edited);
    double *positions = malloc(3 * ((size_t)count + 1) * sizeof *positions);
    uint32_t *edges = malloc(2 * (size_t)count * sizeof *edges);
    for (uint32_t i = 0; i <= count; i++) {
        memcpy(positions + 3 * (size_t)i, (double[]){1e-5 * i, 0, 0}, 3 * sizeof *positions);
    }
    for (uint32_t i = 0; i < count; i++) {
        edges[2 * i] = 0;
        edges[2 * i + 1] = i + 1;
    }
    edited->sim = scene_create(scene_settings());
    struct sim_body_desc desc = scene_rope(positions, count + 1, edges, count, NULL);
    edited->body = scene_add(edited->sim, &desc);
    edited->first = malloc(2 * (size_t)count * sizeof *edited->first);
    for (uint32_t i = 0; i < count / 2; i++) {
        edited->first[i] = 2 * i + 1;
    }
    free(positions);
    free(edges);
    return edited;
}

static void remove_little_by_little(void *made, uint32_t count)
{
    struct edited *edited = made;
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(
            sim_constraints_remove(edited->sim, edited->first + i * count / 16, count / 16, &fault),
            FAULT_NONE);
    }
}

static void no_edit_of_a_body_s_own_constraints_is_quadratic(void **state)
{
    (void)state;
    growth_assert_gentle(&(struct growth){make_wheel, remove_half, edited_destroy}, 8000);
    growth_assert_gentle(&(struct growth){make_wheel, remove_little_by_little, edited_destroy}, 8000);
}

// ------------------------------------------------------------------------------------------------- particles

static void *make_backwards(uint32_t count)
{
    struct edited *edited = edited_create(2 * count, count);
    for (uint32_t i = 0; i < count; i++) {
        edited->first[i] = 2 * (count - 1 - i);
    }
    return edited;
}

static void pin_and_let_go(void *made, uint32_t count)
{
    struct edited *edited = made;
    assert_int_equal(sim_particles_pin(edited->sim, edited->body, edited->first, count / 2, NULL, &fault),
                     FAULT_NONE);
    assert_int_equal(sim_particles_pin(edited->sim, edited->body, edited->first, count, NULL, &fault),
                     FAULT_NONE);
    assert_int_equal(sim_particles_unpin(edited->sim, edited->body, edited->first, count, &fault),
                     FAULT_NONE);
}

static void no_edit_of_particles_is_quadratic(void **state)
{
    (void)state;
    growth_assert_gentle(&(struct growth){make_backwards, pin_and_let_go, edited_destroy}, 20000);
}

// ---------------------------------------------------------------------------------------------------- bodies

// Some particles that all tiles touch, so that every tile meets every other.
enum { HUBS = 256 };

static void *make_hubs(uint32_t tiles)
{
    uint32_t *rows = malloc(2 * (size_t)tiles * HUBS * sizeof *rows), tile_rows = sim_tile_rows(tiles * 1024);
    for (uint32_t i = 0; i < tiles * HUBS; i++) {
        rows[2 * (size_t)i] = i / HUBS * tile_rows;
        rows[2 * (size_t)i + 1] = tiles * 1024 - 1 - i % HUBS;
    }
    return rows;
}

static void color_hubs(void *made, uint32_t tiles)
{
    struct sim_coloring coloring;
    assert_true(sim_color(2, tiles * HUBS, made, tiles * 1024, &coloring));
    assert_int_equal(coloring.tile_count, tiles);
    for (uint32_t t = 1; t < tiles; t++) {
        assert_int_equal(coloring.tile_colors[t], t);
    }
    sim_coloring_deinit(&coloring);
}

static void no_mesh_makes_colouring_quadratic(void **state)
{
    (void)state;
    growth_assert_gentle(&(struct growth){make_hubs, color_hubs, free}, 250);
}

// ----------------------------------------------------------------------------------------------------- ids

static uint64_t ids_remembered(const struct sim *sim)
{
    uint64_t slots = 0;
    for (uint32_t r = 0; r < sim->range_count; r++) {
        slots += sim->ranges[r].capacity;
    }
    return slots + sim->range_count;
}

static void ids_that_are_gone_are_forgotten(void **state)
{
    (void)state;
    struct edited *edited = edited_create(257, 128);
    struct sim *sim = edited->sim;
    pairs(edited, 128);
    uint64_t random = 7;
    uint32_t *living = calloc(100000, sizeof *living), living_count = 0;
    for (int round = 0; round < 4000; round++) {
        uint32_t count = 1 + (uint32_t)(scene_random(&random) % 16);
        uint32_t first = link_all(edited, count, round % 3 == 0 ? 1 : 0);
        for (uint32_t i = 0; i < count; i++) {
            living[living_count++] = first + i;
        }
        while (living_count > 20) {
            uint32_t at = (uint32_t)(scene_random(&random) % living_count);
            assert_int_equal(sim_constraints_remove(sim, &living[at], 1, &fault), FAULT_NONE);
            assert_int_equal(sim_constraints_remove(sim, &living[at], 1, &fault), FAULT_NOT_FOUND);
            memmove(living + at, living + at + 1, (--living_count - at) * sizeof *living);
        }
    }
    assert_true(sim->next_constraint > 20000);
    assert_int_equal(sim_constraint_count(sim), living_count);
    assert_true(ids_remembered(sim) < 100 * 20);
    struct sim_constraint constraint;
    uint32_t after = 0, found = 0;
    for (; sim_constraint_next(sim, SIM_DISTANCE, after, &constraint); after = constraint.id) {
        assert_int_equal(constraint.id, living[found++]);
        assert_true(sim_constraint_get(sim, constraint.id, &constraint));
    }
    assert_int_equal(found, living_count);
    // A removed body leaves no trace in the hash except the next id.
    assert_int_equal(sim_constraints_remove(sim, living, living_count, &fault), FAULT_NONE);
    assert_int_equal(sim->range_count, 0);
    struct edited *fresh = edited_create(257, 128);
    fresh->sim->next_constraint = sim->next_constraint;
    assert_true(sim_hash(fresh->sim) == sim_hash(sim));
    edited_destroy(fresh);
    edited_destroy(edited);
    free(living);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_edit_of_constraints_is_quadratic),
        cmocka_unit_test(no_edit_of_a_body_s_own_constraints_is_quadratic),
        cmocka_unit_test(no_edit_of_particles_is_quadratic),
        cmocka_unit_test(no_mesh_makes_colouring_quadratic),
        cmocka_unit_test(ids_that_are_gone_are_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
