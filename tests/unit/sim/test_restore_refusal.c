// A state that is restored is checked as input from outside: contradictions are refused and change nothing. So is a
// failed allocation.
#include "helper_heap.h"
#include "helper_restore.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct fault fault;

// ---------------------------------------------------------------------------------------------------------
// A heap with so many more pieces in it

static uint64_t pieces = UINT64_MAX;

#ifndef OTHERS_OWN_THE_HEAP
static bool heap_gives(void)
{
    pieces -= pieces != UINT64_MAX && pieces > 0;
    return pieces > 0;
}

#include "helper_heap_take.h"
#endif

// ---------------------------------------------------------------------------------------------------------
// Lies

struct world {
    struct sim *sim, *twin;
    uint64_t hash;
};

static struct world make_world(void)
{
    struct world world = {.sim = restore_scene(77), .twin = restore_scene(77)};
    world.hash = sim_hash(world.sim);
    return world;
}

// Neither now nor later is anything to be seen.
static void unchanged(const struct world *world)
{
    assert_true(sim_hash(world->sim) == world->hash);
}

static void done(struct world *world)
{
    unchanged(world);
    scene_run(world->sim, 20);
    scene_run(world->twin, 20);
    assert_true(sim_hash(world->sim) == sim_hash(world->twin));
    sim_destroy(world->sim);
    sim_destroy(world->twin);
}

static void refused(const struct world *world, enum fault_code status, int wrong)
{
    if (status == FAULT_NONE || status == FAULT_MEMORY || status != fault.code) {
        fail_msg("lie %d: %d", wrong, (int)status);
    }
    unchanged(world);
}

static void remove_body(struct sim *sim, uint32_t body)
{
    uint32_t *removed, count;
    assert_int_equal(sim_body_remove(sim, body, &removed, &count, &fault), FAULT_NONE);
    free(removed);
}

static enum fault_code restore_body(struct sim *sim, const struct sim_image_body *given)
{
    struct sim_image_place place;
    struct sim_body_plan *plan =
        sim_body_prepare_again(given, sim_settings_of(sim)->resolution, &scene_limits, &place, &fault);
    enum fault_code status = plan == NULL ? fault.code : sim_body_restore(sim, plan, &fault);
    if (plan != NULL && status != FAULT_NONE) {
        sim_body_plan_destroy(plan);
    }
    return status;
}

static void lies_about_bodies(void **state)
{
    (void)state;
    struct world world = make_world();
    struct sim_image image;
    const uint32_t cloth = 1;
    const struct sim_parts parts = {.bodies = &cloth, .body_count = 1};
    struct sim_body_info info;
    for (uint32_t b = 0; b < 6; b++) { // a cloth, which has all there is to lie about
        assert_true(sim_body_info(world.sim, b + 1, &info));
        if (info.kind == SIM_CLOTH) {
            break;
        }
    }
    assert_int_equal(info.body, cloth);
    assert_true(sim_image_take_parts(world.sim, &parts, &image));
    refused(&world, restore_body(world.sim, &image.bodies[0]), -1); // it is there
    assert_int_equal(fault.code, FAULT_CONFLICT);
    remove_body(world.sim, cloth);
    remove_body(world.twin, cloth);
    world.hash = sim_hash(world.sim);
    size_t count = image.bodies[0].desc.particle_count;
    float *floats = malloc(3 * count * sizeof *floats);
    int64_t *quanta = malloc(3 * count * sizeof *quanta);
    uint32_t *corners = malloc(3 * (size_t)image.bodies[0].desc.triangle_count * sizeof *corners);
    uint32_t pins[] = {0, 3, 2}, gone[] = {5, 5};
    assert_true(floats != NULL && quanta != NULL && corners != NULL);
    for (int wrong = 0; wrong < 14; wrong++) {
        struct sim_image_body given = image.bodies[0];
        struct sim_image_history *history = &given.history[SIM_DISTANCE];
        memcpy(floats, given.velocities, 3 * count * sizeof *floats);
        memcpy(quanta, given.positions, 3 * count * sizeof *quanta);
        memcpy(corners, given.desc.triangles, 3 * (size_t)given.desc.triangle_count * sizeof *corners);
        switch (wrong) {
        case 0:
            given.body = 0;
            break;
        case 1:
            given.body = 2; // another one's
            break;
        case 2:
            given.body = 100; // nobody's yet
            break;
        case 3:
            given.first_constraint = 0;
            break;
        case 4:
            given.first_constraint += 5; // reaches into those of the next one
            break;
        case 5:
            given.first_constraint = 100000;
            break;
        case 6:
            given.first_constraint = UINT32_MAX - 3;
            break;
        case 7:
            floats[4] = NAN;
            given.velocities = floats;
            break;
        case 8:
            quanta[5] = INT64_MAX;
            given.positions = quanta;
            break;
        case 9:
            memset(floats, 0xff, count * sizeof *floats);
            given.inverse_masses = floats;
            break;
        case 10:
            corners[7] = 81;
            given.desc.triangles = corners;
            break;
        case 11:
            given.desc.pins = pins;
            given.desc.pin_count = 3;
            given.targets = quanta;
            break;
        case 12:
            history->edited = true;
            history->removed = gone;
            history->removed_count = 2;
            break;
        default:
            given.desc.thickness = NAN;
            break;
        }
        refused(&world, restore_body(world.sim, &given), wrong);
    }
    assert_int_equal(restore_body(world.sim, &image.bodies[0]), FAULT_NONE);
    remove_body(world.sim, cloth);
    free(floats);
    free(quanta);
    free(corners);
    sim_image_deinit(&image);
    done(&world);
}

// All loose ones of a kind, as the sim has them.
static void take_links(const struct sim *sim, enum sim_kind kind, struct sim_image *image,
                       struct sim_image_constraints *batch)
{
    assert_true(sim_image_take(sim, image));
    *batch = (struct sim_image_constraints){0};
    for (uint32_t b = 0; b < image->batch_count; b++) {
        if (image->batches[b].kind == kind) {
            *batch = image->batches[b];
        }
    }
}

static void lies_about_loose_constraints(void **state)
{
    (void)state;
    struct world world = make_world();
    uint32_t bodies[] = {1, 1, 1, 2}, particles[] = {0, 10, 3, 1}, first;
    const double rest[] = {0.5, 0.6}, compliance[] = {1e-3, 1e-3};
    for (int s = 0; s < 2; s++) {
        const struct sim_constraint_values values = {.rest = rest, .compliance = compliance};
        assert_int_equal(sim_constraints_add(s == 0 ? world.sim : world.twin, SIM_DISTANCE, 2, bodies,
                                             particles, &values, &first, &fault),
                         FAULT_NONE);
    }
    struct sim_image image;
    struct sim_image_constraints all;
    take_links(world.sim, SIM_DISTANCE, &image, &all);
    assert_true(all.count >= 2);
    // The last two are what is lied about.
    struct sim_image_constraints batch = all;
    uint32_t skip = all.count - 2, ids[2], colors[2];
    double numbers[4][2];
    for (int s = 0; s < 2; s++) {
        for (uint32_t i = 0; i < 2; i++) {
            uint32_t id = first + i;
            assert_int_equal(sim_constraints_remove(s == 0 ? world.sim : world.twin, &id, 1, &fault),
                             FAULT_NONE);
        }
    }
    world.hash = sim_hash(world.sim);
    struct sim_next_ids next;
    sim_next_ids(world.sim, &next);
    for (int wrong = 0; wrong < 18; wrong++) {
        uint32_t own_bodies[4], own_particles[4];
        memcpy(own_bodies, bodies, sizeof bodies);
        memcpy(own_particles, particles, sizeof particles);
        memcpy(ids, all.ids + skip, sizeof ids);
        memcpy(colors, all.colors + skip, sizeof colors);
        memcpy(numbers[0], all.values.rest + skip, sizeof numbers[0]);
        memcpy(numbers[1], all.values.compliance + skip, sizeof numbers[0]);
        memcpy(numbers[2], all.values.damping + skip, sizeof numbers[0]);
        memcpy(numbers[3], all.values.stiffness + skip, sizeof numbers[0]);
        batch = (struct sim_image_constraints){
            .kind = SIM_DISTANCE,
            .count = 2,
            .bodies = own_bodies,
            .particles = own_particles,
            .values = {numbers[0], numbers[1], numbers[2], numbers[3]},
            .ids = ids,
            .colors = colors,
        };
        switch (wrong) {
        case 0:
            ids[1] = ids[0];
            break;
        case 1:
            ids[0] = 0;
            break;
        case 2:
            ids[1] = next.constraint;
            break;
        case 3:
            ids[0] = 2; // a body's
            break;
        case 4:
            own_bodies[3] = 9;
            break;
        case 5:
            own_particles[3] = 4000;
            break;
        case 6:
            own_particles[1] = own_particles[0];
            break;
        case 7:
            numbers[0][1] = NAN;
            break;
        case 8:
            numbers[1][1] = NAN;
            break;
        case 9:
            numbers[2][1] = -1;
            break;
        case 10:
            numbers[3][1] = 2;
            break;
        case 11:
            colors[1] = 65;
            break;
        case 12:
            batch.values.rest = NULL;
            break;
        case 13:
            batch.colors = NULL;
            break;
        case 14:
            batch.ids = NULL;
            break;
        case 15:
            batch.kind = (enum sim_kind)SIM_KIND_COUNT;
            break;
        case 16:
            numbers[3][1] = NAN;
            break;
        default:
            numbers[0][1] = 9; // m: longer than any
            break;
        }
        refused(&world, sim_loose_restore(world.sim, &batch, &fault), wrong);
    }
    memcpy(ids, all.ids + skip, sizeof ids);
    memcpy(numbers[0], all.values.rest + skip, sizeof numbers[0]);
    memcpy(numbers[3], all.values.stiffness + skip, sizeof numbers[0]);
    batch.bodies = bodies;
    batch.particles = particles;
    uint32_t others[] = {0, 11, 3, 1};
    assert_int_equal(sim_loose_restore(world.sim, &batch, &fault), FAULT_NONE);
    uint64_t back = sim_hash(world.sim);
    batch.particles = others; // they live, elsewhere
    assert_int_equal(sim_loose_restore(world.sim, &batch, &fault), FAULT_CONFLICT);
    assert_true(sim_hash(world.sim) == back);
    assert_int_equal(sim_constraints_remove(world.sim, ids, 2, &fault), FAULT_NONE);
    sim_image_deinit(&image);
    done(&world);
}

static void lies_about_constraints_of_bodies(void **state)
{
    (void)state;
    struct world world = make_world();
    struct restore_edit edit = restore_choose(world.sim, RESTORE_REMOVE_MANY, 3);
    struct sim_body_info info;
    struct sim_image image;
    assert_true(sim_body_info(world.sim, 1, &info) && info.kind == SIM_CLOTH);
    edit.id_count = 0;
    for (uint32_t c = 0; c < info.constraint_count[SIM_DISTANCE]; c += 3) {
        edit.ids[edit.id_count++] = info.constraint_first[SIM_DISTANCE] + c;
    }
    const struct sim_parts parts = {
        .constraints = edit.ids, .constraint_count = edit.id_count, .going = true};
    assert_true(sim_image_take_parts(world.sim, &parts, &image));
    assert_int_equal(image.own_count, 1);
    const struct sim_own *own = image.owns;
    assert_true(own->place_count > 0);
    for (int s = 0; s < 2; s++) {
        assert_int_equal(
            sim_constraints_remove(s == 0 ? world.sim : world.twin, edit.ids, edit.id_count, &fault),
            FAULT_NONE);
    }
    world.hash = sim_hash(world.sim);
    uint32_t ids[RESTORE_IDS], colors[RESTORE_IDS], places[RESTORE_IDS], tile_colors[1];
    double numbers[RESTORE_IDS];
    for (int wrong = 0; wrong < 18; wrong++) {
        struct sim_own given = *own;
        memcpy(ids, own->ids, own->count * sizeof *ids);
        memcpy(colors, own->colors, own->count * sizeof *colors);
        memcpy(numbers, own->values.compliance, own->count * sizeof *numbers);
        memcpy(places, own->place_colors, own->place_count * sizeof *places);
        tile_colors[0] = own->tile_colors[0];
        given.ids = ids;
        given.colors = colors;
        given.values.compliance = numbers;
        given.place_colors = places;
        given.tile_colors = tile_colors;
        switch (wrong) {
        case 0:
            given.body = 9;
            break;
        case 1:
            given.kind = SIM_VOLUME; // it has none
            break;
        case 2:
            given.kind = (enum sim_kind)SIM_KIND_COUNT;
            break;
        case 3:
            ids[3] = ids[2];
            break;
        case 4:
            ids[0] = 0;
            break;
        case 5:
            ids[own->count - 1] = info.constraint_first[SIM_DISTANCE] + info.constraint_count[SIM_DISTANCE];
            break;
        case 6:
            numbers[5] = NAN;
            break;
        case 7:
            numbers[5] = -1;
            break;
        case 8:
            colors[4] = 65;
            break;
        case 9:
            memset(places, 0, own->place_count * sizeof *places); // all share one
            break;
        case 10:
            places[9] = 65;
            break;
        case 11:
            places[9] = 64; // that of none with so few neighbours
            break;
        case 12:
            tile_colors[0] = 7;
            break;
        case 13:
            given.tile_count = 0;
            break;
        case 14:
            given.built = 3;
            break;
        case 15:
            given.built = UINT32_MAX - 1;
            break;
        case 16:
            given.values.rest = NULL;
            break;
        default:
            given.place_colors = NULL;
            break;
        }
        refused(&world, sim_own_restore(world.sim, &given, &fault), wrong);
    }
    sim_image_deinit(&image);
    done(&world);
}

static void lies_about_colliders_motions_and_next_ids(void **state)
{
    (void)state;
    struct world world = make_world();
    struct sim_image image;
    assert_true(sim_image_take(world.sim, &image));
    for (int wrong = 0; wrong < 10; wrong++) {
        struct sim_image_collider given = image.colliders[1];
        switch (wrong) {
        case 0:
            given.collider.id = 0;
            break;
        case 1:
            given.collider.id = image.next_collider;
            break;
        case 2:
            given.exact = false;
            break;
        case 3:
            given.collider.kind = (enum sim_collider_kind)9;
            break;
        case 4:
            given.position[1] = INT64_MIN;
            break;
        case 5:
            given.from_position[2] = INT64_MAX;
            break;
        case 6:
            given.from_rotation[0] = NAN;
            break;
        case 7:
            given.unturned = true;
            given.stands[3] = 2;
            break;
        case 8:
            given.collider.friction = NAN;
            break;
        default:
            given.collider.rotation[1] = INFINITY;
            break;
        }
        refused(&world, sim_collider_restore(world.sim, &given, &fault), wrong);
    }
    for (int wrong = 0; wrong < 8; wrong++) {
        struct sim_motion given = image.motions[0];
        const double times[] = {0, NAN, 1};
        const uint32_t particles[] = {0, 4000, 1};
        switch (wrong) {
        case 0:
            given.id = 0;
            break;
        case 1:
            given.id = image.next_motion;
            break;
        case 2:
            given.collider = given.body = 1;
            break;
        case 3:
            given.times = times;
            break;
        case 4:
            given.collider = 0;
            given.body = 1;
            given.particles = particles;
            given.particle_count = 3;
            break;
        case 5:
            given.age = UINT64_MAX;
            break;
        case 6:
            given.collider = 77;
            given.body = 0;
            break;
        default:
            given.key_count = 0;
            break;
        }
        refused(&world, sim_motion_restore(world.sim, &given, &fault), wrong);
    }
    struct sim_next_ids next;
    sim_next_ids(world.sim, &next);
    uint32_t *all[] = {&next.body, &next.constraint, &next.collider, &next.motion, &next.grab};
    for (int wrong = 0; wrong < 5; wrong++) {
        uint32_t was = *all[wrong];
        *all[wrong] = wrong == 4 ? 0 : was - 1; // the last one lives
        refused(&world, sim_next_ids_set(world.sim, &next, &fault), wrong);
        *all[wrong] = was;
    }
    sim_image_deinit(&image);
    done(&world);
}

// Ids that were given back belong to what comes next, of whatever kind.
static void ids_that_are_given_back_are_new_again(void **state)
{
    (void)state;
    struct world world = make_world();
    struct sim_next_ids next;
    const uint32_t bodies[] = {1, 1, 1, 1}, particles[] = {0, 10, 20, 1};
    uint32_t first[2], other, body;
    sim_next_ids(world.sim, &next);
    for (int s = 0; s < 2; s++) {
        first[s] = scene_link(world.sim, 1, 5 + (uint32_t)s, 30, 0.5, 1, 0);
    }
    assert_int_equal(first[1], first[0] + 1);
    assert_int_equal(sim_constraints_remove(world.sim, &first[1], 1, &fault), FAULT_NONE);
    next.constraint = first[1];
    assert_int_equal(sim_next_ids_set(world.sim, &next, &fault), FAULT_NONE);
    assert_int_equal(sim_constraints_add(world.sim, SIM_ISOMETRIC, 1, bodies, particles,
                                         &(struct sim_constraint_values){0}, &other, &fault),
                     FAULT_NONE);
    assert_int_equal(other, first[1]);
    struct sim_constraint known;
    assert_true(sim_constraint_get(world.sim, other, &known) && known.kind == SIM_ISOMETRIC);
    assert_true(sim_constraint_get(world.sim, first[0], &known) && known.kind == SIM_DISTANCE);
    // And a body's constraints stand where loose ones were that are gone.
    assert_int_equal(sim_constraints_remove(world.sim, &first[0], 1, &fault), FAULT_NONE);
    assert_int_equal(sim_constraints_remove(world.sim, &other, 1, &fault), FAULT_NONE);
    next.constraint = first[0];
    assert_int_equal(sim_next_ids_set(world.sim, &next, &fault), FAULT_NONE);
    const double line[] = {0, 3, 0, 0.1, 3, 0};
    const uint32_t edge[] = {0, 1};
    struct sim_body_desc rope = scene_rope(line, 2, edge, 1, NULL);
    body = scene_add(world.sim, &rope);
    assert_true(sim_constraint_get(world.sim, first[0], &known) && known.bodies[0] == body);
    remove_body(world.sim, body);
    next.body = body;
    assert_int_equal(sim_next_ids_set(world.sim, &next, &fault), FAULT_NONE);
    done(&world);
}

// ---------------------------------------------------------------------------------------------------------
// Without memory

// A scene after an edit, and one part of what was there before.
static struct sim *edited(enum restore_choice choice, bool loose, struct restore_edit *edit,
                          struct restore_undo *undo)
{
    struct sim *sim = restore_scene(33);
    struct sim_image *image = &undo->image;
    for (uint64_t seed = 7;; seed++) { // until there is such a part
        *edit = restore_choose(sim, choice, seed);
        edit->body = choice == RESTORE_BODY_REMOVE ? 1 : edit->body;
        restore_take(sim, edit, undo);
        if (image->body_count + image->collider_count + image->motion_count +
                (loose ? image->batch_count : image->own_count) >
            0) {
            break;
        }
        restore_undo_deinit(undo);
    }
    restore_do(sim, edit);
    uint32_t *counts[] = {&image->body_count, loose ? &image->batch_count : &image->own_count,
                          &image->motion_count, &image->collider_count};
    uint32_t first = 0;
    image->batch_count = loose ? image->batch_count : 0;
    image->own_count = loose ? 0 : image->own_count;
    image->collider_count = choice == RESTORE_COLLIDER_REMOVE ? image->collider_count : 0;
    image->motion_count = choice == RESTORE_MOTION_REMOVE ? image->motion_count : 0;
    for (int i = 0; i < 4; i++) {
        *counts[i] = *counts[i] == 0 || first > 0 ? 0 : 1;
        first += *counts[i];
    }
    assert_int_equal(first, 1);
    if (choice == RESTORE_MOTION_REMOVE) { // the one that went
        for (uint32_t m = 0; image->motions[0].id != edit->motion; m++) {
            image->motions++;
        }
    }
    return sim;
}

static void without_memory(enum restore_choice choice, bool loose)
{
    struct restore_edit edit;
    struct restore_undo undo;
    struct sim *sim = edited(choice, loose, &edit, &undo);
    uint64_t after = sim_hash(sim);
    assert_int_equal(restore_back(sim, &edit, &undo, &fault), FAULT_NONE);
    uint64_t back = sim_hash(sim);
    assert_true(back != after);
    scene_run(sim, 20);
    uint64_t future = sim_hash(sim);
    restore_undo_deinit(&undo);
    sim_destroy(sim);
    enum fault_code status = FAULT_MEMORY;
    uint64_t allowed = 1;
    for (; status == FAULT_MEMORY; allowed++) {
        sim = edited(choice, loose, &edit, &undo);
        pieces = allowed; // the last one of which is none
        status = restore_back(sim, &edit, &undo, &fault);
        pieces = UINT64_MAX;
        if (status == FAULT_MEMORY) {
            assert_true(sim_hash(sim) == after);
            assert_int_equal(restore_back(sim, &edit, &undo, &fault), FAULT_NONE);
        }
        assert_true(sim_hash(sim) == back);
        scene_run(sim, 20);
        assert_true(sim_hash(sim) == future);
        restore_undo_deinit(&undo);
        sim_destroy(sim);
    }
    assert_int_equal(status, FAULT_NONE);
    assert_true(allowed > 2 || choice == RESTORE_COLLIDER_REMOVE); // which has its room still
}

static void particles_without_memory(void)
{
    const uint32_t particles[] = {1, 4, 9, 20};
    struct sim *sim = restore_scene(33);
    struct sim_restore_particles states;
    uint64_t before = sim_hash(sim), allowed = 1;
    enum fault_code status = FAULT_MEMORY;
    assert_int_equal(sim_restore_particles_take(
                         sim, 1, particles, 4,
                         SIM_RESTORE_POSITIONS | SIM_RESTORE_VELOCITIES | SIM_RESTORE_PINS, &states, &fault),
                     FAULT_NONE);
    assert_int_equal(sim_particles_pin(sim, 1, particles, 4, NULL, &fault), FAULT_NONE);
    uint64_t after = sim_hash(sim);
    for (; status == FAULT_MEMORY; allowed++) {
        assert_true(sim_hash(sim) == after);
        pieces = allowed;
        status = sim_restore_particles_apply(sim, &states, &fault);
        pieces = UINT64_MAX;
    }
    assert_int_equal(status, FAULT_NONE);
    assert_true(allowed > 4 && sim_hash(sim) == before);
    sim_restore_particles_deinit(&states);
    sim_destroy(sim);
}

static void without_memory_nothing_changes(void **state)
{
    (void)state;
#ifdef OTHERS_OWN_THE_HEAP
    skip();
#endif
    particles_without_memory();
    without_memory(RESTORE_BODY_REMOVE, false);
    without_memory(RESTORE_LINKS_SET, true);
    without_memory(RESTORE_OWN_SET, false);
    without_memory(RESTORE_REMOVE_SOME, true);
    without_memory(RESTORE_REMOVE_SOME, false);
    without_memory(RESTORE_REMOVE_MANY, false);
    without_memory(RESTORE_COLLIDER_REMOVE, false);
    without_memory(RESTORE_MOTION_REMOVE, false);
}

// An image is whole, or there is none and nothing left to release.
static void taking_without_memory(void **state)
{
    (void)state;
#ifdef OTHERS_OWN_THE_HEAP
    skip();
#endif
    struct sim *sim = restore_scene(33);
    struct restore_edit edit = restore_choose(sim, RESTORE_REMOVE_SOME, 7);
    const uint32_t bodies[] = {1, 2, 99}, colliders[] = {3, 1, 1};
    const struct sim_parts parts = {.bodies = bodies,
                                    .body_count = 3,
                                    .colliders = colliders,
                                    .collider_count = 3,
                                    .constraints = edit.ids,
                                    .constraint_count = edit.id_count,
                                    .going = true,
                                    .changed = bodies,
                                    .changed_count = 3};
    struct sim_image image;
    uint64_t allowed = 1;
    for (bool whole = false; !whole; allowed++) {
        pieces = allowed;
        whole = sim_image_take_parts(sim, &parts, &image);
        pieces = UINT64_MAX;
        assert_true(whole || (image.block_count == 0 && image.blocks == NULL));
    }
    assert_true(allowed > 20);
    assert_int_equal(image.body_count, 2);
    assert_int_equal(image.collider_count, 2);
    assert_int_equal(image.colliders[0].collider.id, 1);
    sim_image_deinit(&image);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lies_about_bodies),
        cmocka_unit_test(lies_about_loose_constraints),
        cmocka_unit_test(lies_about_constraints_of_bodies),
        cmocka_unit_test(lies_about_colliders_motions_and_next_ids),
        cmocka_unit_test(ids_that_are_given_back_are_new_again),
        cmocka_unit_test(without_memory_nothing_changes),
        cmocka_unit_test(taking_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
