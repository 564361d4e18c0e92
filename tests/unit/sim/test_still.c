// Stills: what a sim was at a boundary, read by another thread while several threads step it on.
#include "helper_scene.h"

#include "base/thread.h"
#include "sim/state/state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 80, TICKS_AFTER = 50 };

static struct fault fault;

struct scene {
    struct sim *sim;
    struct base_team *team;
    uint32_t grabs[3];
    uint32_t pauses; // iterations until the tick rests
    struct sim_still *still;
    uint64_t seed;
};

static uint32_t some(struct scene *scene, uint32_t count)
{
    return (uint32_t)(scene_random(&scene->seed) % count);
}

static void grab(struct scene *scene, uint32_t g)
{
    const double target[3] = {scene_uniform(&scene->seed), 0.3, scene_uniform(&scene->seed)};
    uint32_t particle;
    do {
        particle = SIDE + some(scene, SIDE * (SIDE - 1));
    } while (sim_grab_begin(scene->sim, 1, particle, target, 1e-4, &scene->grabs[g], &fault) != FAULT_NONE);
}

// Two cloths, pinned, one of them driven; a collider that turns; constraints that were changed, removed and added.
static struct scene create(uint64_t seed)
{
    struct scene scene = {.sim = scene_create(scene_settings()), .team = base_team_create(3), .seed = seed};
    const double origins[2][3] = {{0, 0, 0}, {1, 0.5, 0.1}}, center[3] = {0.5, -0.4, 0.5};
    uint32_t id, pins[4] = {0, SIDE - 1, SIDE / 2, 7};
    struct sim_body_added added;
    assert_non_null(scene.team);
    for (int c = 0; c < 2; c++) {
        struct scene_mesh mesh = scene_grid(SIDE, SIDE, 0.02, origins[c]);
        struct sim_body_desc desc = scene_cloth(&mesh);
        desc.bend_model = c == 0 ? SIM_BEND_QUADRATIC : SIM_BEND_DIHEDRAL;
        desc.bend.compliance = 1e3;
        desc.pins = pins;
        desc.pin_count = 4;
        added = scene_add_all(scene.sim, &desc);
        scene_mesh_deinit(&mesh);
    }
    for (uint32_t i = 0; i < 40; i++) {
        id = added.constraint_first[SIM_DISTANCE] + some(&scene, added.constraint_count[SIM_DISTANCE]);
        const double damping = 0.1, compliance = 1e-6;
        const struct sim_constraint_values values = {.compliance = &compliance, .damping = &damping};
        if (i % 2 == 0) {
            (void)sim_constraints_set(scene.sim, &id, 1, &values, &fault);
        } else {
            (void)sim_constraints_remove(scene.sim, &id, 1, &fault);
        }
    }
    scene_link(scene.sim, 1, 100, 900, 0.3, 1e-4, 0);
    scene_plane(scene.sim, (const double[3]){0, -0.7, 0}, (const double[3]){0, 1, 0}, 0.4);
    uint32_t ball = scene_sphere(scene.sim, center, 0.3, 0.3);
    const double times[2] = {0, 0.5}, offsets[6] = {0, 0, 0, 0.1, 0.05, 0};
    const struct sim_motion of_ball = {
        .collider = ball, .key_count = 2, .times = times, .offsets = offsets, .loop = true};
    assert_int_equal(sim_motion_add(scene.sim, &of_ball, &id, &fault), FAULT_NONE);
    const uint32_t led[2] = {0, 7};
    static const float poses[12] = {[8] = 0.05F};
    const struct sim_motion of_pins = {.body = 2,
                                       .particles = led,
                                       .particle_count = 2,
                                       .key_count = 2,
                                       .times = times,
                                       .offsets = offsets,
                                       .poses = poses,
                                       .loop = true};
    assert_int_equal(sim_motion_add(scene.sim, &of_pins, &id, &fault), FAULT_NONE);
    for (uint32_t g = 0; g < 3; g++) {
        grab(&scene, g);
    }
    return scene;
}

static void destroy(struct scene *scene)
{
    sim_destroy(scene->sim);
    base_team_destroy(scene->team);
}

// Rests now and then, and copies a little where it does.
static bool rests(void *context)
{
    struct scene *scene = context;
    if (scene->still != NULL && scene->seed % 3 == 0) {
        sim_still_go_on(scene->still, 100);
    }
    return scene->pauses > 0 && --scene->pauses % 4 == 0;
}

static void tick(struct scene *scene)
{
    const struct sim_hooks hooks = {.context = scene, .on_pause = rests};
    struct sim_failure failure;
    scene->pauses = some(scene, 20);
    while (!sim_step(scene->sim, base_team_parallel(scene->team), &hooks, &failure)) {
    }
    assert_false(failure.failed);
}

// Edits of people while an image is made.
static void drag(struct scene *scene)
{
    const double target[3] = {scene_uniform(&scene->seed), 0.2, 0};
    uint32_t g = some(scene, 3);
    if (some(scene, 3) == 0) {
        assert_int_equal(sim_grab_end(scene->sim, scene->grabs[g], &fault), FAULT_NONE);
        grab(scene, g);
    } else {
        assert_int_equal(sim_grab_move(scene->sim, scene->grabs[g], target, &fault), FAULT_NONE);
    }
}

struct reader {
    struct sim_still *still;
    uint64_t hash, ungrabbed;
    struct sim *made;
    atomic_bool done;
};

static void read_all(void *context)
{
    struct reader *reader = context;
    struct sim *sim = sim_still_sim(reader->still);
    struct sim_image image;
    struct sim_image_place place;
    struct fault wrong;
    reader->hash = sim_hash(sim);
    reader->ungrabbed = sim_hash_ungrabbed(sim);
    if (sim_image_take(sim, &image)) {
        if (sim_image_take_grabs(sim, &image)) {
            reader->made = sim_image_make(&image, &scene_limits, &place, &wrong);
        }
        sim_image_deinit(&image);
    }
    atomic_store(&reader->done, true);
}

// The scene's own future from the boundary is run again by a copy that was made the plain way.
static void what_is_read_is_the_boundary(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct scene scene = create(seed);
        for (uint32_t t = 0; t < seed; t++) {
            tick(&scene);
            drag(&scene);
        }
        struct sim_still *still = sim_still_create(scene.sim);
        assert_non_null(still);
        uint64_t hash = sim_hash(scene.sim), ungrabbed = sim_hash_ungrabbed(scene.sim);
        sim_still_begin(still, scene.sim);
        scene.still = still;
        bool whole = false;
        for (uint64_t slice = 0; slice < seed && !whole; slice++) { // none, some or all of it before the tick
            whole = sim_still_go_on(still, (uint32_t)(1000 * seed * seed));
        }
        if (!whole) {
            drag(&scene);
            tick(&scene);
            assert_true(sim_still_go_on(still, 0));
        }
        scene.still = NULL;
        sim_still_end(still);
        struct reader reader = {.still = still};
        struct base_thread thread;
        assert_true(base_thread_start(&thread, "reader", read_all, &reader));
        for (uint32_t ticks = 0; ticks < 3 || !atomic_load(&reader.done); ticks++) {
            drag(&scene);
            tick(&scene);
        }
        base_thread_join(&thread);
        assert_int_equal(reader.hash, hash);
        assert_int_equal(reader.ungrabbed, ungrabbed);
        assert_true(sim_hash(scene.sim) != hash);
        assert_non_null(reader.made);
        assert_int_equal(sim_hash(reader.made), hash);
        sim_still_destroy(still);
        sim_destroy(reader.made);
        destroy(&scene);
    }
}

static void what_is_made_of_it_has_the_same_future(void **state)
{
    (void)state;
    struct scene scene = create(11);
    tick(&scene);
    struct sim_still *still = sim_still_create(scene.sim);
    assert_non_null(still);
    sim_still_begin(still, scene.sim);
    uint64_t hash = sim_hash(scene.sim);
    tick(&scene);
    sim_still_end(still);
    struct reader reader = {.still = still};
    read_all(&reader);
    sim_still_destroy(still);
    assert_non_null(reader.made);
    assert_int_equal(sim_hash(reader.made), hash);
    for (uint32_t t = 0; t < TICKS_AFTER; t++) {
        struct sim_failure failure;
        if (t > 0) {
            tick(&scene);
        }
        sim_step(reader.made, NULL, NULL, &failure);
        assert_int_equal(sim_hash(reader.made), sim_hash(scene.sim));
    }
    sim_destroy(reader.made);
    destroy(&scene);
}

// Ended halfway, or destroyed: the sim steps on without it, and takes another.
static void one_that_is_given_up(void **state)
{
    (void)state;
    struct scene scene = create(5), twin = create(5);
    for (int round = 0; round < 3; round++) {
        struct sim_still *still = sim_still_create(scene.sim);
        assert_non_null(still);
        sim_still_begin(still, scene.sim);
        sim_still_go_on(still, 500);
        if (round == 1) {
            sim_still_end(still);
        }
        sim_still_destroy(still);
        assert_null(scene.sim->still);
        uint64_t seed = scene.seed;
        tick(&scene);
        twin.seed = seed;
        tick(&twin);
        assert_int_equal(sim_hash(scene.sim), sim_hash(twin.sim));
    }
    destroy(&scene);
    destroy(&twin);
}

static void begin_whole(struct sim_still *still, struct sim *sim)
{
    sim_still_begin(still, sim);
    while (!sim_still_go_on(still, UINT32_MAX)) {
    }
    sim_still_end(still);
}

static void measures_equal(const struct sim *sim, const struct sim_measures *before)
{
    struct sim_measures now;
    sim_measure(sim, &now);
    assert_memory_equal(&now, before, sizeof now);
}

// It ran ahead, with somebody dragging, and went back: the same hash and measures, and the future of one that never did.
static void a_sim_that_went_back(void **state)
{
    (void)state;
    struct scene scene = create(7), twin = create(7);
    const uint32_t held[3] = {scene.grabs[0], scene.grabs[1], scene.grabs[2]};
    struct sim_still *still = sim_still_create(scene.sim);
    assert_non_null(still);
    for (uint32_t round = 0; round < 12; round++) {
        struct sim_measures before;
        const uint64_t hash = sim_hash(scene.sim), seed = scene.seed;
        const uint32_t grabs = sim_grab_count(scene.sim);
        sim_measure(scene.sim, &before);
        begin_whole(still, scene.sim);
        for (uint32_t t = 0; t < round % 5; t++) {
            drag(&scene);
            tick(&scene);
        }
        assert_true(round % 5 == 0 || sim_hash(scene.sim) != hash);
        sim_still_give_back(still, scene.sim);
        memcpy(scene.grabs, held, sizeof held);
        scene.seed = seed;
        assert_int_equal(sim_hash(scene.sim), hash);
        assert_int_equal(sim_grab_count(scene.sim), grabs);
        measures_equal(scene.sim, &before);
        tick(&scene);
        tick(&twin);
        assert_int_equal(sim_hash(scene.sim), sim_hash(twin.sim));
    }
    sim_still_destroy(still);
    destroy(&scene);
    destroy(&twin);
}

// A body thrown out of the world fails there: first in a prediction that is discarded, and then really, with the same
// text.
static void a_sim_that_failed_and_went_back(void **state)
{
    (void)state;
    struct scene scene = create(8);
    struct sim_failure guessed, failure;
    struct sim_measures before;
    const uint32_t particle = SIDE * SIDE - 1;
    const float thrown[3] = {1e6F, 0, 0};
    struct sim_still *still = sim_still_create(scene.sim);
    assert_non_null(still);
    tick(&scene);
    assert_int_equal(sim_particles_set(scene.sim, 1, &particle, 1, NULL, thrown, NULL, &fault), FAULT_NONE);
    const uint64_t hash = sim_hash(scene.sim);
    sim_measure(scene.sim, &before);
    begin_whole(still, scene.sim);
    assert_true(sim_step(scene.sim, NULL, NULL, &guessed));
    assert_true(guessed.failed);
    sim_still_give_back(still, scene.sim);
    assert_int_equal(sim_hash(scene.sim), hash);
    measures_equal(scene.sim, &before);
    assert_true(sim_step(scene.sim, NULL, NULL, &failure));
    assert_string_equal(failure.text, guessed.text);
    sim_still_destroy(still);
    destroy(&scene);
}

static void fails(struct scene *scene)
{
    const struct sim_hooks hooks = {.context = scene, .on_pause = rests};
    const uint64_t hash = sim_hash(scene->sim), seed = scene->seed;
    struct sim_failure failure;
    scene->pauses = some(scene, 20);
    while (!sim_step(scene->sim, base_team_parallel(scene->team), &hooks, &failure)) {
    }
    scene->seed = seed;
    assert_true(failure.failed);
    assert_int_equal(sim_hash(scene->sim), hash);
}

// At once, in a later substep, or at its end: what was before is there, and what is mended has the future of one that never
// failed, with pins and colliders that motions lead, grabs and contact.
static void a_tick_that_fails_has_not_been(void **state)
{
    (void)state;
    struct scene scene = create(9), twin = create(9);
    static const float thrown[3] = {1e6F, 0, 0}, fast[3] = {0, 239.9F, 0};
    const double alone[3] = {0, 0.9, 0.9};
    const struct sim_body_desc desc = scene_points(alone, 1, NULL);
    const uint32_t body = scene_add(scene.sim, &desc), particle = 0;
    assert_int_equal(scene_add(twin.sim, &desc), body);
    for (uint32_t round = 0; round < 12; round++) {
        const uint64_t hash = sim_hash(scene.sim);
        struct sim_settings settings = *sim_settings_of(scene.sim);
        const double extent = settings.extent;
        float velocity[3];
        scene_velocity(scene.sim, body, particle, velocity);
        assert_int_equal(sim_particles_set(scene.sim, body, &particle, 1, NULL,
                                           round % 3 == 1 ? thrown : fast, NULL, &fault),
                         FAULT_NONE);
        settings.extent = round % 3 == 0 ? 1 : extent;
        settings.gravity[1] = round % 3 == 2 ? 1000 : settings.gravity[1]; // not in the first substep
        settings.substeps = 8;
        assert_int_equal(sim_settings_set(scene.sim, &settings, &fault), FAULT_NONE);
        fails(&scene);
        fails(&scene);
        settings = *sim_settings_of(twin.sim);
        settings.extent = extent;
        assert_int_equal(sim_settings_set(scene.sim, &settings, &fault), FAULT_NONE);
        assert_int_equal(sim_particles_set(scene.sim, body, &particle, 1, NULL, velocity, NULL, &fault),
                         FAULT_NONE);
        assert_int_equal(sim_hash(scene.sim), hash);
        tick(&scene);
        tick(&twin);
        assert_int_equal(sim_hash(scene.sim), sim_hash(twin.sim));
    }
    destroy(&scene);
    destroy(&twin);
}

static void an_empty_sim(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    struct sim_still *still = sim_still_create(sim);
    assert_non_null(still);
    assert_true(sim_still_bytes(sim) > 0);
    sim_still_begin(still, sim);
    while (!sim_still_go_on(still, 1)) {
    }
    assert_int_equal(sim_hash(sim_still_sim(still)), sim_hash(sim));
    sim_still_destroy(still);
    sim_destroy(sim);
}

// Grabs in an image are checked like all else.
static void grabs_that_cannot_be(void **state)
{
    (void)state;
    struct scene scene = create(3);
    struct sim_image image;
    struct sim_image_place place;
    assert_true(sim_image_take(scene.sim, &image));
    assert_true(sim_image_take_grabs(scene.sim, &image));
    assert_int_equal(image.grab_count, 3);
    struct sim_image_grab grabs[3];
    const struct sim_image_grab *taken = image.grabs;
    image.grabs = grabs;
    for (int lie = 0; lie < 8; lie++) {
        memcpy(grabs, taken, sizeof grabs);
        const char *field = NULL;
        switch (lie) {
        case 0:
            grabs[1].body = 9, field = "body";
            break;
        case 1:
            grabs[1].particle = SIDE * SIDE, field = "particle";
            break;
        case 2:
            grabs[1].particle = grabs[0].particle, field = "particle";
            break;
        case 3:
            grabs[1].compliance = -1, field = "compliance";
            break;
        case 4:
            grabs[1].compliance = (double)NAN, field = "compliance";
            break;
        case 5:
            grabs[1].target[2] = INT64_MIN, field = "target";
            break;
        case 6:
            grabs[1].id = grabs[0].id, field = "grab";
            break;
        default:
            grabs[2].id = image.next_grab + 5, field = "next_grab";
            break;
        }
        assert_null(sim_image_make(&image, &scene_limits, &place, &fault));
        assert_string_equal(fault.field, field);
    }
    sim_image_deinit(&image);
    destroy(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_read_is_the_boundary),
        cmocka_unit_test(what_is_made_of_it_has_the_same_future),
        cmocka_unit_test(one_that_is_given_up),
        cmocka_unit_test(a_sim_that_went_back),
        cmocka_unit_test(a_sim_that_failed_and_went_back),
        cmocka_unit_test(a_tick_that_fails_has_not_been),
        cmocka_unit_test(an_empty_sim),
        cmocka_unit_test(grabs_that_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
