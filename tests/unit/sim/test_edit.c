// Edits that are taken: pins, grabs, particles, constraints, bodies, reset; and that ids are never reused.
#include "helper_scene.h"
#include "sim/state/state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double origin[3] = {0, 0, 0};
static struct fault fault;

static uint32_t add_row_of_points(struct sim *sim, uint32_t count)
{
    double positions[3 * 64] = {0};
    for (uint32_t i = 0; i < count; i++) {
        positions[3 * i] = i;
    }
    struct sim_body_desc desc = scene_points(positions, count, NULL);
    return scene_add(sim, &desc);
}

// ---------------------------------------------------------------------------------------------------- pins

static void a_pin_holds_moves_evenly_and_lets_go_with_its_velocity(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    uint32_t body = add_row_of_points(sim, 3), particle = 1;
    scene_run(sim, 6);
    double held[3], x[3];
    float v[3];
    scene_position(sim, body, 1, held);
    assert_true(held[1] < 0);
    assert_int_equal(sim_particles_pin(sim, body, &particle, 1, NULL, &fault), FAULT_NONE);
    scene_run(sim, 10);
    scene_position(sim, body, 1, x);
    assert_memory_equal(x, held, sizeof x);
    scene_velocity(sim, body, 1, v);
    assert_true(v[0] == 0 && v[1] == 0 && v[2] == 0);
    const double to[3] = {1.05, 0.02, -0.03};
    assert_int_equal(sim_particles_pin(sim, body, &particle, 1, to, &fault), FAULT_NONE);
    scene_position(sim, body, 1, x);
    assert_memory_equal(x, held, sizeof x);
    scene_run(sim, 1);
    scene_position(sim, body, 1, x);
    scene_velocity(sim, body, 1, v);
    for (int axis = 0; axis < 3; axis++) {
        assert_near(x[axis], to[axis], SCENE_Q / 2);
        assert_near(v[axis], 60 * (to[axis] - held[axis]), 2e-5);
    }
    // Let go at once it flies on.
    assert_int_equal(sim_particles_unpin(sim, body, &particle, 1, &fault), FAULT_NONE);
    double there[3];
    memcpy(there, x, sizeof x);
    scene_run(sim, 6);
    scene_position(sim, body, 1, x);
    double t = 0.1, h = 1.0 / 600;
    assert_near(x[0], there[0] + (double)v[0] * t, 1e-5);
    assert_near(x[1], there[1] + (double)v[1] * t - 9.81 * t * (t + h) / 2, 1e-5);
    sim_destroy(sim);
}

struct track {
    struct sim *sim;
    uint32_t body, count;
    double x[64];
};

static void track_substep(void *context, uint32_t substep)
{
    struct track *track = context;
    double x[3];
    assert_int_equal(substep, track->count + 1);
    scene_position(track->sim, track->body, 0, x);
    track->x[track->count++] = x[0];
}

static void a_pin_moves_in_equal_substeps(void **state)
{
    (void)state;
    struct track track = {.sim = scene_create(scene_settings())};
    track.body = add_row_of_points(track.sim, 1);
    uint32_t particle = 0;
    const double to[3] = {1, 0, 0};
    assert_int_equal(sim_particles_pin(track.sim, track.body, &particle, 1, to, &fault), FAULT_NONE);
    struct sim_failure failure;
    sim_step(track.sim, NULL, &(struct sim_hooks){.context = &track, .on_substep = track_substep}, &failure);
    assert_false(failure.failed);
    assert_int_equal(track.count, 10);
    for (int s = 0; s < 10; s++) {
        assert_near(track.x[s], (s + 1) / 10.0, SCENE_Q);
    }
    sim_destroy(track.sim);
}

static void many_pins_in_any_order_stand_ascending(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    uint32_t body = add_row_of_points(sim, 64), pins[64];
    const uint32_t some[] = {40, 3, 63, 17}, more[] = {62, 0, 41, 3, 18, 16}, gone[] = {63, 0, 17, 5};
    assert_int_equal(sim_particles_pin(sim, body, some, 4, NULL, &fault), FAULT_NONE);
    assert_int_equal(sim_particles_pin(sim, body, more, 6, NULL, &fault), FAULT_NONE);
    struct sim_body_info info;
    sim_body_info(sim, body, &info);
    assert_int_equal(info.pin_count, 9);
    const uint32_t all[] = {0, 3, 16, 17, 18, 40, 41, 62, 63}, left[] = {3, 16, 18, 40, 41, 62};
    sim_body_pins(sim, body, pins);
    assert_memory_equal(pins, all, sizeof all);
    assert_int_equal(sim_particles_unpin(sim, body, gone, 4, &fault), FAULT_NONE);
    sim_body_info(sim, body, &info);
    assert_int_equal(info.pin_count, 6);
    sim_body_pins(sim, body, pins);
    assert_memory_equal(pins, left, sizeof left);
    float w[64];
    sim_body_inverse_masses(sim, body, 0, 64, w);
    for (uint32_t i = 0; i < 64; i++) {
        bool held = i == 3 || i == 16 || i == 18 || i == 40 || i == 41 || i == 62;
        assert_true(held ? w[i] == 0 : fabs(w[i] - 100) < 1e-3);
    }
    sim_destroy(sim);
}

static void a_placed_pin_is_held_where_it_was_placed_and_gets_its_new_mass_later(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    uint32_t body = add_row_of_points(sim, 1), particle = 0;
    assert_int_equal(sim_particles_pin(sim, body, &particle, 1, NULL, &fault), FAULT_NONE);
    const double to[3] = {500, 20, 30};
    const float w = 4;
    assert_int_equal(sim_particles_set(sim, body, &particle, 1, to, NULL, &w, &fault), FAULT_NONE);
    scene_run(sim, 5);
    double x[3], mass;
    scene_position(sim, body, 0, x);
    assert_true(x[0] == 500 && x[1] == 20 && x[2] == 30);
    sim_body_masses(sim, body, &mass);
    assert_near(mass, 0.25, 1e-9);
    assert_int_equal(sim_particles_unpin(sim, body, &particle, 1, &fault), FAULT_NONE);
    float now;
    sim_body_inverse_masses(sim, body, 0, 1, &now);
    assert_true(now == 4);
    sim_destroy(sim);
}

static void particles_take_positions_velocities_and_masses(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_still(60));
    uint32_t body = add_row_of_points(sim, 4);
    const uint32_t particles[2] = {2, 0};
    const double positions[6] = {1, 2, 3, -4, -5, -6};
    const float velocities[6] = {60, 0, 0, 0, 0, -30}, w[2] = {5, 0};
    assert_int_equal(sim_particles_set(sim, body, particles, 2, positions, velocities, w, &fault),
                     FAULT_NONE);
    double x[12];
    float v[12], masses[4];
    sim_body_positions64(sim, body, 0, 4, x);
    sim_body_velocities(sim, body, 0, 4, v);
    sim_body_inverse_masses(sim, body, 0, 4, masses);
    assert_true(x[6] == 1 && x[7] == 2 && x[8] == 3 && x[0] == -4 && x[1] == -5 && x[2] == -6 && x[3] == 1);
    assert_true(v[6] == 60 && v[2] == -30 && v[3] == 0);
    assert_true(masses[2] == 5 && masses[0] == 0);
    scene_run(sim, 1);
    sim_body_positions64(sim, body, 0, 4, x);
    assert_near(x[6], 2, SCENE_Q);
    assert_true(x[2] == -6); // static now
    sim_destroy(sim);
}

// ---------------------------------------------------------------------------------------------------- grabs

static void a_rigid_grab_brings_its_particle_to_the_target(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    uint32_t body = add_row_of_points(sim, 2), grab;
    const double target[3] = {0.5, 1, -0.25};
    assert_int_equal(sim_grab_begin(sim, body, 0, target, 0, &grab, &fault), FAULT_NONE);
    scene_run(sim, 1);
    double x[3];
    scene_position(sim, body, 0, x);
    for (int axis = 0; axis < 3; axis++) {
        assert_near(x[axis], target[axis], 2e-7);
    }
    scene_run(sim, 10);
    // It carries the weight now.
    struct sim_grab held;
    sim_grab_at(sim, 0, &held);
    assert_int_equal(held.id, grab);
    assert_near(held.force[0], 0, 1e-4);
    assert_near(held.force[1], 0.01 * 9.81, 1e-4);
    sim_destroy(sim);
}

static void a_soft_grab_hangs_by_its_compliance_and_its_force_is_lambda_over_h2(void **state)
{
    (void)state;
    for (uint32_t iterations = 1; iterations <= 5; iterations += 2) {
        struct sim_settings settings = scene_settings();
        settings.damping = 8;
        settings.iterations = iterations;
        struct sim *sim = scene_create(settings);
        const double positions[3] = {0, 0, 0}, mass = 2;
        struct sim_body_desc desc = scene_points(positions, 1, &mass);
        uint32_t body = scene_add(sim, &desc), grab;
        assert_int_equal(sim_grab_begin(sim, body, 0, NULL, 0.01, &grab, &fault), FAULT_NONE);
        scene_run(sim, 900);
        double x[3];
        scene_position(sim, body, 0, x);
        struct sim_grab held;
        sim_grab_at(sim, 0, &held);
        // The weight stretches it by m g alpha, to the step of the damped kick.
        double stretch = 2 * 9.81 * 0.01;
        assert_near(x[1], -stretch, 0.02 * stretch);
        assert_near(held.force[1], -x[1] / 0.01, 1e-3);
        assert_near(held.compliance, 0.01, 1e-9);
        sim_destroy(sim);
    }
}

static void grabs_end_move_and_are_found(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    uint32_t body = add_row_of_points(sim, 3), first, second, third, found;
    assert_int_equal(sim_grab_begin(sim, body, 0, NULL, 0, &first, &fault), FAULT_NONE);
    assert_int_equal(sim_grab_begin(sim, body, 2, NULL, 0, &second, &fault), FAULT_NONE);
    assert_true(sim_grab_of(sim, body, 2, &found));
    assert_int_equal(found, second);
    assert_false(sim_grab_of(sim, body, 1, &found));
    assert_int_equal(sim_grab_begin(sim, body, 0, NULL, 0, &third, &fault), FAULT_CONFLICT);
    assert_string_equal(fault.field, "particle");
    const double target[3] = {0, 0.5, 0};
    assert_int_equal(sim_grab_move(sim, first, target, &fault), FAULT_NONE);
    assert_int_equal(sim_grab_end(sim, second, &fault), FAULT_NONE);
    assert_int_equal(sim_grab_end(sim, second, &fault), FAULT_NOT_FOUND);
    assert_int_equal(sim_grab_move(sim, second, target, &fault), FAULT_NOT_FOUND);
    assert_int_equal(sim_grab_begin(sim, body, 2, NULL, 0, &third, &fault), FAULT_NONE);
    assert_int_equal(third, second + 1);
    scene_run(sim, 2);
    double x[3];
    scene_position(sim, body, 0, x);
    assert_near(x[1], 0.5, 2e-7);
    assert_int_equal(sim_grab_count(sim), 2);
    sim_destroy(sim);
}

static void a_pinned_particle_cannot_be_grabbed_and_a_pin_wins_over_a_grab(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    uint32_t body = add_row_of_points(sim, 2), particle = 0, grab;
    assert_int_equal(sim_particles_pin(sim, body, &particle, 1, NULL, &fault), FAULT_NONE);
    assert_int_equal(sim_grab_begin(sim, body, 0, NULL, 0, &grab, &fault), FAULT_CONFLICT);
    const double target[3] = {3, 3, 3};
    assert_int_equal(sim_grab_begin(sim, body, 1, target, 0, &grab, &fault), FAULT_NONE);
    particle = 1;
    assert_int_equal(sim_particles_pin(sim, body, &particle, 1, NULL, &fault), FAULT_NONE);
    scene_run(sim, 3);
    double x[3];
    scene_position(sim, body, 1, x);
    assert_true(x[0] == 1 && x[1] == 0 && x[2] == 0);
    sim_destroy(sim);
}

// ---------------------------------------------------------------------------------------------- constraints

static void constraints_come_back_as_they_were_given(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    uint32_t a = add_row_of_points(sim, 5), b = add_row_of_points(sim, 5), first;
    const uint32_t bodies[6] = {a, b, b, b, a, a}, particles[6] = {0, 4, 1, 2, 3, 4};
    const double rest[3] = {0.5, 0.25, 8}, compliance[3] = {0, 0.5, 1e10}, damping[3] = {0, 2, 0};
    assert_int_equal(sim_constraints_add(sim, SIM_DISTANCE, 3, bodies, particles,
                                         &(struct sim_constraint_values){
                                             .rest = rest, .compliance = compliance, .damping = damping},
                                         &first, &fault),
                     FAULT_NONE);
    for (uint32_t i = 0; i < 3; i++) {
        struct sim_constraint c;
        assert_true(sim_constraint_get(sim, first + i, &c));
        assert_int_equal(c.id, first + i);
        assert_int_equal(c.kind, SIM_DISTANCE);
        for (uint32_t k = 0; k < 2; k++) {
            assert_int_equal(c.bodies[k], bodies[2 * i + k]);
            assert_int_equal(c.particles[k], particles[2 * i + k]);
        }
        assert_true(c.rest == rest[i]);
        assert_true(c.material.compliance == (double)(float)compliance[i]);
        assert_true(c.material.damping == damping[i]);
        assert_true(c.material.stiffness < 0);
    }
    // Without rest: the present distance. Without materials: rigid.
    assert_int_equal(sim_constraints_add(sim, SIM_DISTANCE, 1, bodies, particles,
                                         &(struct sim_constraint_values){0}, &first, &fault),
                     FAULT_NONE);
    struct sim_constraint c;
    assert_true(sim_constraint_get(sim, first, &c));
    assert_near(c.rest, 4, 1e-6);
    assert_true(c.material.compliance == 0 && c.material.damping == 0);
    // Nothing asked, nothing done.
    uint64_t before = sim_hash(sim);
    assert_int_equal(sim_constraints_add(sim, SIM_DISTANCE, 0, NULL, NULL, &(struct sim_constraint_values){0},
                                         &first, &fault),
                     FAULT_NONE);
    assert_true(sim_hash(sim) == before);
    sim_destroy(sim);
}

static void constraints_change_one_by_one_and_keep_the_rest(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    struct scene_mesh mesh = scene_grid(8, 8, 0.1, origin);
    struct sim_body_desc desc = scene_cloth(&mesh);
    desc.stretch.compliance = 1e-4;
    struct sim_body_added added = scene_add_all(sim, &desc);
    uint32_t first = added.constraint_first[0], count = added.constraint_count[0];
    for (uint32_t id = first; id < first + count; id += 3) { // every third: damped, others stay plain
        double damping = id;
        assert_int_equal(
            sim_constraints_set(sim, &id, 1, &(struct sim_constraint_values){.damping = &damping}, &fault),
            FAULT_NONE);
    }
    for (uint32_t id = first; id < first + count; id++) {
        struct sim_constraint c;
        assert_true(sim_constraint_get(sim, id, &c));
        assert_true(c.material.damping == ((id - first) % 3 == 0 ? id : 0));
        assert_true(c.material.compliance == (double)1e-4f);
        assert_true(c.rest > 0.09 && c.rest < 0.15);
    }
    scene_run(sim, 5);
    // A material for the whole body ends what was set one by one.
    struct sim_material stiff = {.stiffness = 0.75};
    assert_int_equal(sim_body_set(sim, added.body, &(struct sim_body_change){.stretch = &stiff}, &fault),
                     FAULT_NONE);
    for (uint32_t id = first; id < first + count; id++) {
        struct sim_constraint c;
        assert_true(sim_constraint_get(sim, id, &c));
        assert_true(c.material.stiffness == 0.75 && c.material.damping == 0 && c.material.compliance == 0);
    }
    struct sim_body_info info;
    sim_body_info(sim, added.body, &info);
    assert_true(info.stretch.stiffness == 0.75);
    // A compliance given to one of them makes it XPBD again.
    double compliance = 0.25;
    assert_int_equal(sim_constraints_set(sim, &first, 1,
                                         &(struct sim_constraint_values){.compliance = &compliance}, &fault),
                     FAULT_NONE);
    struct sim_constraint c;
    assert_true(sim_constraint_get(sim, first, &c));
    assert_true(c.material.stiffness < 0 && c.material.compliance == 0.25);
    scene_run(sim, 5);
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
}

static void the_way_materials_were_reached_does_not_reach_the_state(void **state)
{
    (void)state;
    uint64_t hashes[2];
    for (int roundabout = 0; roundabout < 2; roundabout++) {
        struct sim *sim = scene_create(scene_settings());
        struct scene_mesh mesh = scene_grid(20, 20, 0.1, origin);
        struct sim_body_desc desc = scene_cloth(&mesh);
        const uint32_t pin = 0;
        desc.pins = &pin;
        desc.pin_count = 1;
        desc.stretch.compliance = 1e-4;
        struct sim_body_added added = scene_add_all(sim, &desc);
        uint32_t first = added.constraint_first[0];
        const double none = 0, some = 3;
        for (uint32_t i = 0; roundabout && i < added.constraint_count[0]; i += 2) {
            uint32_t id = first + i;
            assert_int_equal(
                sim_constraints_set(sim, &id, 1, &(struct sim_constraint_values){.damping = &some}, &fault),
                FAULT_NONE);
        }
        for (uint32_t i = 0; roundabout && i < added.constraint_count[0]; i += 2) {
            uint32_t id = first + added.constraint_count[0] - 1 - i;
            assert_int_equal(
                sim_constraints_set(sim, &id, 1, &(struct sim_constraint_values){.damping = &none}, &fault),
                FAULT_NONE);
        }
        for (uint32_t i = 0; roundabout && i < added.constraint_count[0]; i++) {
            uint32_t id = first + i;
            assert_int_equal(
                sim_constraints_set(sim, &id, 1, &(struct sim_constraint_values){.damping = &none}, &fault),
                FAULT_NONE);
        }
        scene_run(sim, 20);
        hashes[roundabout] = sim_hash(sim);
        scene_mesh_deinit(&mesh);
        sim_destroy(sim);
    }
    assert_true(hashes[0] == hashes[1]);
}

static void of_a_constraint_named_twice_the_last_value_holds(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    uint32_t body = add_row_of_points(sim, 64), ids[400];
    double damping[400];
    for (uint32_t i = 0; i < 40; i++) {
        scene_link(sim, body, i, i + 1, 1, 0.01, 0);
    }
    for (uint32_t i = 0; i < 400; i++) { // there and back, ten times
        ids[i] = 1 + i % 40;
        damping[i] = i / 40 % 2 ? 0 : 1 + i;
    }
    assert_int_equal(
        sim_constraints_set(sim, ids, 400, &(struct sim_constraint_values){.damping = damping}, &fault),
        FAULT_NONE);
    struct sim_constraint c;
    for (uint32_t id = 1; id <= 40; id++) {
        assert_true(sim_constraint_get(sim, id, &c));
        assert_true(c.material.damping == 0 && c.material.compliance == (double)0.01f);
    }
    scene_run(sim, 2);
    sim_destroy(sim);
}

static void removed_constraints_are_gone_and_lists_skip_them(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    uint32_t body = add_row_of_points(sim, 10), ids[9];
    for (uint32_t i = 0; i < 9; i++) {
        ids[i] = scene_link(sim, body, i, i + 1, 1, 0, 0);
        assert_int_equal(ids[i], i + 1);
    }
    const uint32_t going[4] = {ids[8], ids[0], ids[4], ids[4]};
    assert_int_equal(sim_constraints_remove(sim, going, 4, &fault), FAULT_NONE);
    assert_int_equal(sim_constraint_count(sim), 6);
    struct sim_constraint c;
    const uint32_t left[6] = {2, 3, 4, 6, 7, 8};
    uint32_t after = 0, found = 0;
    while (sim_constraint_next(sim, SIM_DISTANCE, after, &c)) {
        assert_true(found < 6);
        assert_int_equal(c.id, left[found++]);
        after = c.id;
    }
    assert_int_equal(found, 6);
    assert_false(sim_constraint_get(sim, ids[4], &c));
    assert_false(sim_constraint_get(sim, 0, &c));
    assert_false(sim_constraint_get(sim, UINT32_MAX, &c));
    assert_false(sim_constraint_next(sim, SIM_DISTANCE, UINT32_MAX, &c));
    assert_int_equal(scene_link(sim, body, 0, 1, 1, 0, 0), 10); // a new id for the same place
    scene_run(sim, 2);
    sim_destroy(sim);
}

static void ids_of_bodies_and_loose_constraints_interleave_and_are_listed_in_order(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    struct scene_mesh mesh = scene_grid(3, 3, 0.1, origin);
    struct sim_body_desc desc = scene_cloth(&mesh);
    uint32_t expected = 1;
    uint32_t points = add_row_of_points(sim, 4);
    for (int round = 0; round < 4; round++) {
        struct sim_body_added added = scene_add_all(sim, &desc);
        assert_int_equal(added.constraint_first[0], expected);
        expected += added.constraint_count[0];
        assert_int_equal(scene_link(sim, points, 0, 1, 1, 0, 0), expected++);
        assert_int_equal(scene_link(sim, added.body, 0, 8, 0.1, 0, 0), expected++);
    }
    struct sim_constraint c;
    uint32_t after = 0, count = 0;
    while (sim_constraint_next(sim, SIM_DISTANCE, after, &c)) {
        assert_int_equal(c.id, after + 1);
        after = c.id;
        count++;
    }
    assert_int_equal(count, sim_constraint_count(sim));
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
}

// --------------------------------------------------------------------------------------------------- bodies

static void a_body_takes_its_loose_constraints_and_grabs_with_it(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    uint32_t a = add_row_of_points(sim, 5), b = add_row_of_points(sim, 5), c = add_row_of_points(sim, 5),
             grab, first;
    const uint32_t bodies[8] = {a, b, a, c, b, c, b, b}, particles[8] = {0, 0, 1, 1, 2, 2, 3, 4};
    assert_int_equal(sim_constraints_add(sim, SIM_DISTANCE, 4, bodies, particles,
                                         &(struct sim_constraint_values){0}, &first, &fault),
                     FAULT_NONE);
    assert_int_equal(sim_grab_begin(sim, b, 0, NULL, 0, &grab, &fault), FAULT_NONE);
    assert_int_equal(sim_grab_begin(sim, c, 0, NULL, 0, &grab, &fault), FAULT_NONE);
    uint32_t *removed, removed_count;
    assert_int_equal(sim_body_remove(sim, b, &removed, &removed_count, &fault), FAULT_NONE);
    assert_int_equal(removed_count, 3);
    assert_int_equal(removed[0], first);
    assert_int_equal(removed[1], first + 2);
    assert_int_equal(removed[2], first + 3);
    free(removed);
    assert_int_equal(sim_constraint_count(sim), 1);
    assert_int_equal(sim_grab_count(sim), 1);
    assert_int_equal(sim_body_count(sim), 2);
    assert_int_equal(sim_particle_count(sim), 10);
    struct sim_constraint left;
    assert_true(sim_constraint_get(sim, first + 1, &left));
    assert_int_equal(left.bodies[0], a);
    assert_int_equal(left.bodies[1], c);
    assert_int_equal(sim_body_remove(sim, b, &removed, &removed_count, &fault), FAULT_NOT_FOUND);
    assert_string_equal(fault.field, "body");
    // The room is used again, the id is not.
    uint32_t d = add_row_of_points(sim, 5);
    assert_int_equal(d, c + 1);
    assert_int_equal(sim_body_id_at(sim, 0), a);
    assert_int_equal(sim_body_id_at(sim, 2), d);
    scene_run(sim, 10);
    double x[15], y[15];
    sim_body_positions64(sim, d, 0, 5, x);
    sim_body_positions64(sim, a, 0, 5, y);
    assert_true(x[1] < 0 && x[3] == 1);
    assert_true(x[7] == y[7]); // both fall freely
    sim_destroy(sim);
}

// Whatever came and went before, the same world gives the same motion: the place in memory is not state.
static void holes_left_by_others_do_not_reach_the_motion(void **state)
{
    (void)state;
    enum { SIDE = 15, COUNT = SIDE * SIDE };
    struct scene_mesh mesh = scene_grid(SIDE, SIDE, 0.1, origin);
    double after[2][3 * COUNT];
    for (int holes = 0; holes < 2; holes++) {
        struct sim *sim = scene_create(scene_settings());
        struct sim_body_desc desc = scene_cloth(&mesh);
        desc.stretch.compliance = 1e-5;
        const uint32_t pins[2] = {0, SIDE - 1};
        desc.pins = pins;
        desc.pin_count = 2;
        uint32_t gone[5], *removed, removed_count;
        for (int i = 0; holes && i < 5; i++) {
            gone[i] = add_row_of_points(sim, 60);
            if (i % 2 == 0) { // links that stay may say where the nudges of others start
                scene_link(sim, gone[i], 0, 1, 1, 0, 0);
            }
        }
        for (int i = 4; holes && i >= 0; i -= 2) {
            assert_int_equal(sim_body_remove(sim, gone[i], &removed, &removed_count, &fault), FAULT_NONE);
            assert_int_equal(removed_count, 1);
            free(removed);
        }
        uint32_t body = scene_add(sim, &desc), ball = add_row_of_points(sim, 40);
        scene_link(sim, body, COUNT - 1, 0, 1, 1e-3, 0);
        (void)ball;
        scene_run(sim, 30);
        sim_body_positions64(sim, body, 0, COUNT, after[holes]);
        sim_destroy(sim);
    }
    assert_memory_equal(after[0], after[1], sizeof after[0]);
    scene_mesh_deinit(&mesh);
}

// ---------------------------------------------------------------------------------------------------- reset

static void reset_restores_positions_and_velocities_ends_grabs_and_keeps_the_rest(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    const double positions[6] = {0, 1, 0, 1, 1, 0};
    const float velocities[6] = {0, 1, 0, 0, 0, 2};
    struct sim_body_desc desc = scene_points(positions, 2, NULL);
    desc.velocities = velocities;
    uint32_t body = scene_add(sim, &desc), grab, link = scene_link(sim, body, 0, 1, 0.5, 0, 0), pin = 1;
    const double down[3] = {0, 0, 0}, up[3] = {0, 1, 0};
    scene_plane(sim, down, up, 0.5);
    assert_int_equal(sim_grab_begin(sim, body, 0, NULL, 0, &grab, &fault), FAULT_NONE);
    scene_run(sim, 20);
    assert_int_equal(sim_particles_pin(sim, body, &pin, 1, NULL, &fault), FAULT_NONE);
    sim_reset(sim);
    double x[6];
    float v[6];
    sim_body_positions64(sim, body, 0, 2, x);
    sim_body_velocities(sim, body, 0, 2, v);
    for (int k = 0; k < 6; k++) {
        assert_true(x[k] == positions[k]);
        assert_true(v[k] == velocities[k]);
    }
    assert_int_equal(sim_grab_count(sim), 0);
    assert_int_equal(sim_collider_count(sim), 1);
    struct sim_constraint c;
    assert_true(sim_constraint_get(sim, link, &c));
    struct sim_body_info info;
    sim_body_info(sim, body, &info);
    assert_int_equal(info.pin_count, 1);
    scene_run(sim, 3);
    scene_position(sim, body, 1, x);
    assert_true(x[0] == 1 && x[1] == 1 && x[2] == 0); // held at its start
    sim_destroy(sim);
}

static void the_same_run_follows_every_reset(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    struct scene_mesh mesh = scene_grid(10, 10, 0.1, origin);
    struct sim_body_desc desc = scene_cloth(&mesh);
    const uint32_t pin = 5;
    desc.pins = &pin;
    desc.pin_count = 1;
    scene_add(sim, &desc);
    uint64_t start = sim_hash(sim);
    scene_run(sim, 25);
    uint64_t end = sim_hash(sim);
    assert_true(start != end);
    for (int i = 0; i < 3; i++) {
        sim_reset(sim);
        assert_true(sim_hash(sim) == start);
        scene_run(sim, 25);
        assert_true(sim_hash(sim) == end);
    }
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
}

// Each thing that decides the future is in the hash.
static void the_hash_sees_every_kind_of_change(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    uint32_t body = add_row_of_points(sim, 4), link = scene_link(sim, body, 0, 1, 1, 0.001, 0), grab,
             particle = 3;
    uint32_t plane = scene_plane(sim, origin, (double[3]){0, 1, 0}, 0.5);
    assert_int_equal(sim_grab_begin(sim, body, 2, NULL, 0.5, &grab, &fault), FAULT_NONE);
    uint64_t seen[16] = {sim_hash(sim)};
    uint32_t count = 1;
    struct sim_settings settings = *sim_settings_of(sim);
    struct sim_collider collider;
    sim_collider_at(sim, 0, &collider);
    const double moved[3] = {3, 0, SCENE_Q}, thick = 0.1, rest = 1 + 1e-6, soft = 0.002, damp = 1;
    const float v[3] = {0, 1e-9f, 0}, w = 99;
    for (int change = 0; change < 12; change++) {
        switch (change) {
        case 0:
            assert_int_equal(sim_particles_set(sim, body, &particle, 1, moved, NULL, NULL, &fault),
                             FAULT_NONE);
            break;
        case 1:
            assert_int_equal(sim_particles_set(sim, body, &particle, 1, NULL, v, NULL, &fault), FAULT_NONE);
            break;
        case 2:
            assert_int_equal(sim_particles_set(sim, body, &particle, 1, NULL, NULL, &w, &fault), FAULT_NONE);
            break;
        case 3:
            assert_int_equal(sim_particles_pin(sim, body, &particle, 1, NULL, &fault), FAULT_NONE);
            break;
        case 4:
            assert_int_equal(sim_body_set(sim, body, &(struct sim_body_change){.thickness = &thick}, &fault),
                             FAULT_NONE);
            break;
        case 5:
            assert_int_equal(
                sim_constraints_set(sim, &link, 1, &(struct sim_constraint_values){.rest = &rest}, &fault),
                FAULT_NONE);
            break;
        case 6:
            assert_int_equal(sim_constraints_set(
                                 sim, &link, 1, &(struct sim_constraint_values){.compliance = &soft}, &fault),
                             FAULT_NONE);
            break;
        case 7:
            assert_int_equal(
                sim_constraints_set(sim, &link, 1, &(struct sim_constraint_values){.damping = &damp}, &fault),
                FAULT_NONE);
            break;
        case 8:
            assert_int_equal(sim_grab_move(sim, grab, moved, &fault), FAULT_NONE);
            break;
        case 9:
            collider.friction = 0.25;
            assert_int_equal(sim_collider_set(sim, &collider, &fault), FAULT_NONE);
            break;
        case 10:
            settings.gravity[0] = 1e-12;
            assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_NONE);
            break;
        case 11: // there and gone again: the next id is another one
            assert_int_equal(sim_collider_remove(sim, plane, &fault), FAULT_NONE);
            assert_int_equal(sim_collider_count(sim), 0);
            break;
        }
        uint64_t hash = sim_hash(sim);
        for (uint32_t i = 0; i < count; i++) {
            assert_true(hash != seen[i]);
        }
        seen[count++] = hash;
    }
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pin_holds_moves_evenly_and_lets_go_with_its_velocity),
        cmocka_unit_test(a_pin_moves_in_equal_substeps),
        cmocka_unit_test(many_pins_in_any_order_stand_ascending),
        cmocka_unit_test(a_placed_pin_is_held_where_it_was_placed_and_gets_its_new_mass_later),
        cmocka_unit_test(particles_take_positions_velocities_and_masses),
        cmocka_unit_test(a_rigid_grab_brings_its_particle_to_the_target),
        cmocka_unit_test(a_soft_grab_hangs_by_its_compliance_and_its_force_is_lambda_over_h2),
        cmocka_unit_test(grabs_end_move_and_are_found),
        cmocka_unit_test(a_pinned_particle_cannot_be_grabbed_and_a_pin_wins_over_a_grab),
        cmocka_unit_test(constraints_come_back_as_they_were_given),
        cmocka_unit_test(constraints_change_one_by_one_and_keep_the_rest),
        cmocka_unit_test(the_way_materials_were_reached_does_not_reach_the_state),
        cmocka_unit_test(of_a_constraint_named_twice_the_last_value_holds),
        cmocka_unit_test(removed_constraints_are_gone_and_lists_skip_them),
        cmocka_unit_test(ids_of_bodies_and_loose_constraints_interleave_and_are_listed_in_order),
        cmocka_unit_test(a_body_takes_its_loose_constraints_and_grabs_with_it),
        cmocka_unit_test(holes_left_by_others_do_not_reach_the_motion),
        cmocka_unit_test(reset_restores_positions_and_velocities_ends_grabs_and_keeps_the_rest),
        cmocka_unit_test(the_same_run_follows_every_reset),
        cmocka_unit_test(the_hash_sees_every_kind_of_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
