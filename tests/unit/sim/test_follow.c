// Pins that follow colliders: where they are in each substep, and what becomes of them when colliders go, jump and come back.
#include "helper_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 6, COUNT = SIDE * SIDE, HELD = 3 };

static const uint32_t held[HELD] = {0, 3, 5};
static struct fault fault;

struct hung {
    struct sim *sim;
    uint32_t body;
    struct sim_collider box;
};

// A cloth that hangs from a turned box by three particles.
static struct hung hang(struct sim_settings settings)
{
    struct hung hung = {.sim = scene_create(settings),
                        .box = {.kind = SIM_BOX,
                                .half_extents = {0.2, 0.1, 0.3},
                                .position = {0.3, 0.5, -0.2},
                                .rotation = {0.1, 0.3, -0.2, 0.9},
                                .friction = 0.3}};
    const double origin[3] = {0, 0, 0};
    struct scene_mesh mesh = scene_grid(SIDE, SIDE, 0.1, origin);
    struct sim_body_desc desc = scene_cloth(&mesh);
    hung.body = scene_add(hung.sim, &desc);
    scene_mesh_deinit(&mesh);
    assert_int_equal(sim_collider_add(hung.sim, &hung.box, &hung.box.id, &fault), FAULT_NONE);
    assert_int_equal(sim_particles_pin_to(hung.sim, hung.body, held, HELD, hung.box.id, &fault), FAULT_NONE);
    return hung;
}

static void rotate(const double q[4], const double v[3], double out[3])
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), u[4];
    for (int i = 0; i < 4; i++) {
        u[i] = q[i] / length;
    }
    const double t[3] = {2 * (u[1] * v[2] - u[2] * v[1]), 2 * (u[2] * v[0] - u[0] * v[2]),
                         2 * (u[0] * v[1] - u[1] * v[0])};
    out[0] = v[0] + u[3] * t[0] + u[1] * t[2] - u[2] * t[1];
    out[1] = v[1] + u[3] * t[1] + u[2] * t[0] - u[0] * t[2];
    out[2] = v[2] + u[3] * t[2] + u[0] * t[1] - u[1] * t[0];
}

// Finds the places of the held particles in the frame of a collider.
static void places_find(const struct sim *sim, uint32_t body, const struct sim_collider *box,
                        double out[HELD][3])
{
    const double back[4] = {-box->rotation[0], -box->rotation[1], -box->rotation[2], box->rotation[3]};
    for (int i = 0; i < HELD; i++) {
        double x[3];
        scene_position(sim, body, held[i], x);
        for (int axis = 0; axis < 3; axis++) {
            x[axis] -= box->position[axis];
        }
        rotate(back, x, out[i]);
    }
}

struct watch {
    const struct hung *hung;
    double places[HELD][3];
    double worst; // quanta off
    uint32_t seen;
};

static void look(void *context, uint32_t substep)
{
    struct watch *watch = context;
    struct sim_collider now;
    double places[HELD][3];
    sim_collider_during(watch->hung->sim, 0, substep, &now);
    places_find(watch->hung->sim, watch->hung->body, &now, places);
    for (int k = 0; k < 3 * HELD; k++) {
        watch->worst = fmax(watch->worst, fabs(places[k / 3][k % 3] - watch->places[k / 3][k % 3]) / SCENE_Q);
    }
    watch->seen++;
}

static void run_watched(struct watch *watch, uint32_t ticks)
{
    const struct sim_hooks hooks = {.context = watch, .on_substep = look};
    struct sim_failure failure;
    for (uint32_t t = 0; t < ticks; t++) {
        assert_true(sim_step(watch->hung->sim, NULL, &hooks, &failure));
        assert_false(failure.failed);
    }
}

static uint32_t turn_and_go(const struct hung *hung)
{
    static const double times[] = {0, 0.3, 0.7, 1}, offsets[12] = {0, 0, 0, 0.5, 0.2, 0, 0.1, 0.6, 0.3},
                        rotations[] = {0, 0, 0, 1, 0, 0.3, 0.1, 0.9, 0.2, 0.7, 0, 0.6, 0, 0, 0, 1};
    const struct sim_motion motion = {.collider = hung->box.id,
                                      .key_count = 4,
                                      .times = times,
                                      .offsets = offsets,
                                      .rotations = rotations,
                                      .cubic = true,
                                      .loop = true};
    uint32_t id;
    assert_int_equal(sim_motion_add(hung->sim, &motion, &id, &fault), FAULT_NONE);
    return id;
}

static void a_pin_is_at_its_place_in_each_substep_however_the_collider_moves(void **state)
{
    (void)state;
    struct hung hung = hang(scene_settings());
    struct watch watch = {.hung = &hung};
    struct sim_collider start;
    sim_collider_at(hung.sim, 0, &start);
    places_find(hung.sim, hung.body, &start, watch.places);
    run_watched(&watch, 3);
    hung.box.position[0] += 0.7;
    hung.box.rotation[1] = -0.4;
    assert_int_equal(sim_collider_set(hung.sim, &hung.box, &fault), FAULT_NONE);
    run_watched(&watch, 3);
    turn_and_go(&hung);
    run_watched(&watch, 90);
    assert_int_equal(watch.seen, 96 * 10);
    assert_near(watch.worst, 0, 1); // rounding: half a quantum along each axis
    sim_destroy(hung.sim);
}

static void a_loop_ends_where_it_began_to_the_bit(void **state)
{
    (void)state;
    struct hung hung = hang(scene_settings());
    double first[3], last[3];
    turn_and_go(&hung);
    scene_run(hung.sim, 60);
    scene_position(hung.sim, hung.body, held[1], first);
    scene_run(hung.sim, 600);
    scene_position(hung.sim, hung.body, held[1], last);
    assert_memory_equal(first, last, sizeof first);
    sim_destroy(hung.sim);
}

static void a_pin_that_is_let_go_has_the_velocity_of_its_collider(void **state)
{
    (void)state;
    struct hung hung = hang(scene_settings());
    float v[3];
    for (int t = 0; t < 2; t++) {
        hung.box.position[1] += 0.05;
        assert_int_equal(sim_collider_set(hung.sim, &hung.box, &fault), FAULT_NONE);
        scene_run(hung.sim, 1);
    }
    assert_int_equal(sim_particles_unpin(hung.sim, hung.body, held, HELD, &fault), FAULT_NONE);
    scene_velocity(hung.sim, hung.body, held[0], v);
    assert_near((double)v[1], 0.05 * 60, 1e-3);
    sim_destroy(hung.sim);
}

static void a_teleport_takes_pins_along_without_velocity(void **state)
{
    (void)state;
    struct hung hung = hang(scene_settings());
    double before[3], after[3];
    float v[3];
    scene_run(hung.sim, 1);
    scene_position(hung.sim, hung.body, held[1], before);
    hung.box.position[0] += 0.25;
    hung.box.teleport = true;
    assert_int_equal(sim_collider_set(hung.sim, &hung.box, &fault), FAULT_NONE);
    scene_position(hung.sim, hung.body, held[1], after);
    assert_near(after[0] - before[0], 0.25, 2 * SCENE_Q);
    scene_run(hung.sim, 1);
    scene_velocity(hung.sim, hung.body, held[1], v);
    assert_true(v[0] == 0 && v[1] == 0 && v[2] == 0);
    sim_destroy(hung.sim);
}

static void pins_hold_where_they_are_when_their_collider_goes(void **state)
{
    (void)state;
    struct hung hung = hang(scene_settings());
    double before[3], after[3];
    uint32_t colliders[HELD];
    hung.box.position[2] += 0.1;
    assert_int_equal(sim_collider_set(hung.sim, &hung.box, &fault), FAULT_NONE);
    scene_run(hung.sim, 1);
    scene_position(hung.sim, hung.body, held[2], before);
    assert_true(sim_body_follows(hung.sim, hung.body));
    assert_int_equal(sim_collider_remove(hung.sim, hung.box.id, &fault), FAULT_NONE);
    assert_false(sim_body_follows(hung.sim, hung.body));
    sim_body_pin_colliders(hung.sim, hung.body, colliders);
    assert_true(colliders[0] == 0 && colliders[1] == 0 && colliders[2] == 0);
    scene_run(hung.sim, 20);
    scene_position(hung.sim, hung.body, held[2], after);
    assert_memory_equal(before, after, sizeof before);
    sim_destroy(hung.sim);
}

static void a_plain_pin_ends_that_it_follows_and_motions_leave_it_alone(void **state)
{
    (void)state;
    static const double times[] = {0, 1}, offsets[] = {0, 0, 0, 1, 0, 0};
    struct hung hung = hang(scene_settings());
    const struct sim_motion motion = {.body = hung.body,
                                      .particles = held,
                                      .particle_count = HELD,
                                      .key_count = 2,
                                      .times = times,
                                      .offsets = offsets};
    double before[3], after[3];
    uint32_t id;
    scene_position(hung.sim, hung.body, held[1], before);
    assert_int_equal(sim_motion_add(hung.sim, &motion, &id, &fault), FAULT_NONE);
    scene_run(hung.sim, 5);
    scene_position(hung.sim, hung.body, held[1], after);
    assert_memory_equal(before, after, sizeof before);
    assert_int_equal(sim_particles_pin(hung.sim, hung.body, held, HELD, NULL, &fault), FAULT_NONE);
    scene_run(hung.sim, 5);
    scene_position(hung.sim, hung.body, held[1], after);
    assert_near(after[0] - before[0], 5.0 / 60, 2 * SCENE_Q);
    sim_destroy(hung.sim);
}

static void a_particle_that_is_placed_has_a_new_place(void **state)
{
    (void)state;
    struct hung hung = hang(scene_settings());
    double x[3];
    const double there[3] = {0.05, 0.025, -0.0625};
    assert_int_equal(sim_particles_set(hung.sim, hung.body, held, 1, there, NULL, NULL, &fault), FAULT_NONE);
    hung.box.position[1] += 0.125;
    assert_int_equal(sim_collider_set(hung.sim, &hung.box, &fault), FAULT_NONE);
    scene_run(hung.sim, 1);
    scene_position(hung.sim, hung.body, held[0], x);
    assert_near(x[0], there[0], 2 * SCENE_Q);
    assert_near(x[1], there[1] + 0.125, 2 * SCENE_Q);
    sim_destroy(hung.sim);
}

static void a_reset_takes_places_again_where_the_body_begins(void **state)
{
    (void)state;
    struct hung hung = hang(scene_settings());
    double x[3];
    hung.box.position[1] += 0.25;
    assert_int_equal(sim_collider_set(hung.sim, &hung.box, &fault), FAULT_NONE);
    scene_run(hung.sim, 5);
    sim_reset(hung.sim);
    scene_run(hung.sim, 5);
    scene_position(hung.sim, hung.body, 0, x);
    assert_near(x[1], 0, SCENE_Q);
    sim_destroy(hung.sim);
}

static void what_does_not_exist_is_not_followed(void **state)
{
    (void)state;
    struct hung hung = hang(scene_settings());
    uint64_t before = sim_hash(hung.sim);
    assert_int_equal(sim_particles_pin_to(hung.sim, hung.body, held, HELD, 7, &fault), FAULT_NOT_FOUND);
    assert_string_equal(fault.field, "collider");
    assert_int_equal(sim_particles_pin_to(hung.sim, 9, held, HELD, hung.box.id, &fault), FAULT_NOT_FOUND);
    const uint32_t beyond = COUNT;
    assert_int_equal(sim_particles_pin_to(hung.sim, hung.body, &beyond, 1, hung.box.id, &fault),
                     FAULT_INVALID);
    assert_true(before == sim_hash(hung.sim));
    sim_destroy(hung.sim);
}

// --------------------------------------------------------------------------------- images, taking back

static struct sim *copy_of(const struct sim *sim)
{
    struct sim_image image;
    struct sim_image_place place;
    assert_true(sim_image_take(sim, &image));
    struct sim *copy = sim_image_make(&image, &scene_limits, &place, &fault);
    assert_non_null(copy);
    sim_image_deinit(&image);
    return copy;
}

static void an_image_has_the_hash_and_the_future(void **state)
{
    (void)state;
    struct hung hung = hang(scene_settings());
    turn_and_go(&hung);
    scene_run(hung.sim, 17);
    struct sim *copy = copy_of(hung.sim);
    assert_true(sim_hash(hung.sim) == sim_hash(copy));
    scene_run(hung.sim, 40);
    scene_run(copy, 40);
    assert_true(sim_hash(hung.sim) == sim_hash(copy));
    sim_destroy(copy);
    sim_destroy(hung.sim);
}

static void an_image_names_the_pin_whose_collider_it_lacks(void **state)
{
    (void)state;
    struct hung hung = hang(scene_settings());
    struct sim_image image;
    struct sim_image_place place;
    assert_true(sim_image_take(hung.sim, &image));
    image.collider_count = 0;
    assert_null(sim_image_make(&image, &scene_limits, &place, &fault));
    assert_string_equal(fault.field, "state.pin_colliders");
    assert_string_equal(place.list, "bodies");
    image.collider_count = 1;
    ((double *)(uintptr_t)image.bodies[0].pin_places)[4] = NAN;
    assert_null(sim_image_make(&image, &scene_limits, &place, &fault));
    assert_string_equal(fault.field, "state.pin_places");
    sim_image_deinit(&image);
    sim_destroy(hung.sim);
}

// Numbers of an image may be anything. A place where nothing may be is followed no more; sanitizers look at the sums.
static void places_far_beyond_all_worlds_are_let_go(void **state)
{
    (void)state;
    struct sim_settings settings = scene_settings();
    settings.resolution = 1.0 / (1 << 30);
    settings.extent = 1e9;
    struct hung hung = hang(settings);
    struct sim_image image;
    struct sim_image_place place;
    uint32_t colliders[HELD];
    assert_true(sim_image_take(hung.sim, &image));
    for (int axis = 0; axis < 3; axis++) {
        ((double *)(uintptr_t)image.bodies[0].pin_places)[axis] = 4e9;
    }
    struct sim *copy = sim_image_make(&image, &scene_limits, &place, &fault);
    assert_non_null(copy);
    sim_body_pin_colliders(copy, hung.body, colliders);
    assert_true(colliders[0] == 0 && colliders[1] != 0 && colliders[2] != 0);
    scene_run(copy, 1);
    sim_image_deinit(&image);
    sim_destroy(copy);
    sim_destroy(hung.sim);
}

static void hand_written_images_pin_where_things_stand(void **state)
{
    (void)state;
    struct hung hung = hang(scene_settings());
    struct sim_image image;
    struct sim_image_place place;
    assert_true(sim_image_take(hung.sim, &image));
    ((struct sim_image_body *)(uintptr_t)image.bodies)[0].pin_places = NULL;
    struct sim *copy = sim_image_make(&image, &scene_limits, &place, &fault);
    assert_non_null(copy);
    assert_true(sim_hash(copy) == sim_hash(hung.sim));
    sim_image_deinit(&image);
    sim_destroy(copy);
    sim_destroy(hung.sim);
}

static void edits_of_pins_that_follow_are_taken_back_to_the_hash(void **state)
{
    (void)state;
    const double x[3 * HELD] = {0.1, 0.1, 0.1, 0.2, 0.1, 0, 0.4, 0, 0};
    for (int choice = 0; choice < 4; choice++) {
        struct hung hung = hang(scene_settings());
        turn_and_go(&hung);
        scene_run(hung.sim, 12);
        struct sim_restore_particles states;
        const uint64_t before = sim_hash(hung.sim);
        assert_int_equal(sim_restore_particles_take(hung.sim, hung.body, held, HELD,
                                                    choice == 0 ? SIM_RESTORE_POSITIONS : SIM_RESTORE_PINS,
                                                    &states, &fault),
                         FAULT_NONE);
        enum fault_code done =
            choice == 0   ? sim_particles_set(hung.sim, hung.body, held, HELD, x, NULL, NULL, &fault)
            : choice == 1 ? sim_particles_pin(hung.sim, hung.body, held, HELD, NULL, &fault)
            : choice == 2 ? sim_particles_unpin(hung.sim, hung.body, held, HELD, &fault)
                          : sim_particles_pin(hung.sim, hung.body, held, HELD, x, &fault);
        assert_int_equal(done, FAULT_NONE);
        assert_true(before != sim_hash(hung.sim));
        assert_int_equal(sim_restore_particles_apply(hung.sim, &states, &fault), FAULT_NONE);
        sim_pins_settle(hung.sim);
        assert_true(before == sim_hash(hung.sim));
        sim_restore_particles_deinit(&states);
        sim_destroy(hung.sim);
    }
}

static void a_plain_pin_that_began_to_follow_is_a_plain_one_again(void **state)
{
    (void)state;
    for (int fields = 0; fields < 2; fields++) {
        struct hung hung = hang(scene_settings());
        struct sim_restore_particles states;
        scene_run(hung.sim, 3);
        assert_int_equal(sim_particles_pin(hung.sim, hung.body, held, HELD, NULL, &fault), FAULT_NONE);
        const uint64_t before = sim_hash(hung.sim);
        assert_int_equal(sim_restore_particles_take(hung.sim, hung.body, held, HELD,
                                                    fields == 0 ? SIM_RESTORE_PINS : SIM_RESTORE_POSITIONS,
                                                    &states, &fault),
                         FAULT_NONE);
        assert_int_equal(sim_particles_pin_to(hung.sim, hung.body, held, HELD, hung.box.id, &fault),
                         FAULT_NONE);
        assert_int_equal(sim_restore_particles_apply(hung.sim, &states, &fault), FAULT_NONE);
        sim_pins_settle(hung.sim);
        assert_int_equal(before == sim_hash(hung.sim), fields == 0); // placed only, it follows
        assert_int_equal(sim_body_follows(hung.sim, hung.body), fields == 1);
        sim_restore_particles_deinit(&states);
        sim_destroy(hung.sim);
    }
}

static void a_collider_comes_back_with_the_pins_that_followed_it(void **state)
{
    (void)state;
    struct hung hung = hang(scene_settings());
    turn_and_go(&hung);
    scene_run(hung.sim, 12);
    const struct sim_parts parts = {.colliders = &hung.box.id, .collider_count = 1};
    struct sim_image image;
    struct sim_restore_particles states;
    const uint64_t before = sim_hash(hung.sim);
    assert_true(sim_image_take_parts(hung.sim, &parts, &image));
    assert_int_equal(
        sim_restore_particles_take(hung.sim, hung.body, held, HELD, SIM_RESTORE_PINS, &states, &fault),
        FAULT_NONE);
    assert_int_equal(sim_collider_remove(hung.sim, hung.box.id, &fault), FAULT_NONE);
    // Particles come first, as in the document, and then what they follow.
    assert_int_equal(sim_restore_particles_apply(hung.sim, &states, &fault), FAULT_NONE);
    assert_int_equal(sim_collider_restore(hung.sim, &image.colliders[0], &fault), FAULT_NONE);
    assert_int_equal(sim_motion_restore(hung.sim, &image.motions[0], &fault), FAULT_NONE);
    assert_int_equal(sim_collider_restore(hung.sim, &image.colliders[0], &fault), FAULT_NONE);
    sim_pins_settle(hung.sim);
    assert_true(before == sim_hash(hung.sim));
    sim_image_deinit(&image);
    sim_restore_particles_deinit(&states);
    sim_destroy(hung.sim);
}

static void a_teleport_that_is_taken_back_takes_the_pins_back(void **state)
{
    (void)state;
    struct hung hung = hang(scene_settings());
    scene_run(hung.sim, 12);
    const struct sim_parts parts = {.colliders = &hung.box.id, .collider_count = 1};
    struct sim_image image;
    const uint64_t before = sim_hash(hung.sim);
    assert_true(sim_image_take_parts(hung.sim, &parts, &image));
    hung.box.position[0] += 0.3;
    hung.box.rotation[2] = 0.7;
    hung.box.teleport = true;
    assert_int_equal(sim_collider_set(hung.sim, &hung.box, &fault), FAULT_NONE);
    assert_true(before != sim_hash(hung.sim));
    assert_int_equal(sim_collider_restore(hung.sim, &image.colliders[0], &fault), FAULT_NONE);
    sim_pins_settle(hung.sim);
    assert_true(before == sim_hash(hung.sim));
    sim_image_deinit(&image);
    sim_destroy(hung.sim);
}

static void a_pin_whose_collider_is_gone_for_good_comes_back_as_a_plain_one(void **state)
{
    (void)state;
    struct hung hung = hang(scene_settings());
    struct sim_restore_particles states;
    assert_int_equal(
        sim_restore_particles_take(hung.sim, hung.body, held, HELD, SIM_RESTORE_PINS, &states, &fault),
        FAULT_NONE);
    assert_int_equal(sim_particles_unpin(hung.sim, hung.body, held, HELD, &fault), FAULT_NONE);
    assert_int_equal(sim_collider_remove(hung.sim, hung.box.id, &fault), FAULT_NONE);
    assert_int_equal(sim_restore_particles_apply(hung.sim, &states, &fault), FAULT_NONE);
    sim_pins_settle(hung.sim);
    assert_false(sim_body_follows(hung.sim, hung.body));
    scene_run(hung.sim, 3);
    sim_restore_particles_deinit(&states);
    sim_destroy(hung.sim);
}

// ------------------------------------------------------------------------------------------------- sleep

static bool sleeps(const struct hung *hung)
{
    struct sim_body_info info;
    assert_true(sim_body_info(hung->sim, hung->body, &info));
    return info.asleep;
}

static struct hung hang_to_sleep(void)
{
    struct sim_settings settings = scene_settings();
    settings.sleep = true;
    settings.damping = 20;
    struct hung hung = hang(settings);
    for (int t = 0; t < 1200 && !sleeps(&hung); t++) {
        scene_run(hung.sim, 1);
    }
    assert_true(sleeps(&hung));
    return hung;
}

static void a_collider_that_is_set_wakes_what_follows_it(void **state)
{
    (void)state;
    for (int teleport = 0; teleport < 2; teleport++) {
        struct hung hung = hang_to_sleep();
        double before[3], after[3];
        scene_position(hung.sim, hung.body, held[1], before);
        hung.box.position[0] += 0.01;
        hung.box.teleport = teleport;
        assert_int_equal(sim_collider_set(hung.sim, &hung.box, &fault), FAULT_NONE);
        scene_run(hung.sim, 1);
        assert_false(sleeps(&hung));
        scene_position(hung.sim, hung.body, held[1], after);
        assert_near(after[0] - before[0], 0.01, 2 * SCENE_Q);
        sim_destroy(hung.sim);
    }
}

// A collider far from the body, that creeps: anchors alone would not tell for many seconds.
static void a_collider_that_creeps_wakes_and_keeps_awake(void **state)
{
    (void)state;
    static const double times[] = {0, 100}, offsets[] = {0, 0, 0, 0.0001, 0, 0};
    struct hung hung = hang_to_sleep();
    const struct sim_motion motion = {
        .collider = hung.box.id, .key_count = 2, .times = times, .offsets = offsets};
    uint32_t id;
    assert_int_equal(sim_motion_add(hung.sim, &motion, &id, &fault), FAULT_NONE);
    for (int t = 0; t < 200; t++) {
        scene_run(hung.sim, 1);
        assert_false(sleeps(&hung));
    }
    assert_int_equal(sim_motion_remove(hung.sim, id, &fault), FAULT_NONE);
    for (int t = 0; t < 1200 && !sleeps(&hung); t++) {
        scene_run(hung.sim, 1);
    }
    assert_true(sleeps(&hung));
    sim_destroy(hung.sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pin_is_at_its_place_in_each_substep_however_the_collider_moves),
        cmocka_unit_test(a_loop_ends_where_it_began_to_the_bit),
        cmocka_unit_test(a_pin_that_is_let_go_has_the_velocity_of_its_collider),
        cmocka_unit_test(a_teleport_takes_pins_along_without_velocity),
        cmocka_unit_test(pins_hold_where_they_are_when_their_collider_goes),
        cmocka_unit_test(a_plain_pin_ends_that_it_follows_and_motions_leave_it_alone),
        cmocka_unit_test(a_particle_that_is_placed_has_a_new_place),
        cmocka_unit_test(a_reset_takes_places_again_where_the_body_begins),
        cmocka_unit_test(what_does_not_exist_is_not_followed),
        cmocka_unit_test(an_image_has_the_hash_and_the_future),
        cmocka_unit_test(an_image_names_the_pin_whose_collider_it_lacks),
        cmocka_unit_test(places_far_beyond_all_worlds_are_let_go),
        cmocka_unit_test(hand_written_images_pin_where_things_stand),
        cmocka_unit_test(edits_of_pins_that_follow_are_taken_back_to_the_hash),
        cmocka_unit_test(a_plain_pin_that_began_to_follow_is_a_plain_one_again),
        cmocka_unit_test(a_collider_comes_back_with_the_pins_that_followed_it),
        cmocka_unit_test(a_teleport_that_is_taken_back_takes_the_pins_back),
        cmocka_unit_test(a_pin_whose_collider_is_gone_for_good_comes_back_as_a_plain_one),
        cmocka_unit_test(a_collider_that_is_set_wakes_what_follows_it),
        cmocka_unit_test(a_collider_that_creeps_wakes_and_keeps_awake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
