// Edits of every kind that are taken back. At once nothing is left of them, now or later; ten ticks later what they
// spoke of is as it was, and what is apart has the bits that it has without.
#include "helper_restore.h"
#include "sim/constraint/constraint.h"
#include "sim/state/rail.h"
#include "sim/state/state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { PROGRAMS = 4, ROUNDS = 48 };
#else
enum { PROGRAMS = 16, ROUNDS = 96 };
#endif

static struct fault fault;

static void assert_back(struct sim *sim, const struct restore_edit *edit, const struct restore_undo *undo)
{
    enum fault_code status = restore_back(sim, edit, undo, &fault);
    if (status != FAULT_NONE) {
        fail_msg("edit %d: %d %s %s", (int)edit->choice, (int)status, fault.field, fault.text);
    }
}

// A world that has failed begins again.
static void step_both(struct sim *a, struct sim *b, uint32_t ticks)
{
    for (uint32_t t = 0; t < ticks; t++) {
        struct sim_failure failed_a, failed_b;
        sim_step(a, NULL, NULL, &failed_a);
        sim_step(b, NULL, NULL, &failed_b);
        assert_int_equal(failed_a.failed, failed_b.failed);
        if (failed_a.failed) {
            sim_reset(a);
            sim_reset(b);
        }
    }
}

static void taken_back_at_once_nothing_is_left(void **state)
{
    (void)state;
    uint32_t changed[RESTORE_CHOICES] = {0};
    for (uint32_t program = 0; program < PROGRAMS; program++) {
        uint64_t random = 1000 + program;
        struct sim *sim = restore_scene(random), *twin = restore_scene(random);
        if (program % 2 == 1) {
            assert_int_equal(sim_multipliers_keep(sim, true, &fault), FAULT_NONE);
        }
        assert_true(sim_hash(sim) == sim_hash(twin));
        for (uint32_t round = 0; round < ROUNDS; round++) {
            enum restore_choice choice = (enum restore_choice)(scene_random(&random) % RESTORE_CHOICES);
            struct restore_edit edit = restore_choose(sim, choice, scene_random(&random));
            struct restore_undo undo;
            uint64_t before = sim_hash(sim);
            restore_take(sim, &edit, &undo);
            restore_do(sim, &edit);
            changed[choice] += sim_hash(sim) != before;
            assert_back(sim, &edit, &undo);
            restore_undo_deinit(&undo);
            if (sim_hash(sim) != before) {
                fail_msg("program %u, round %u: edit %d leaves something", program, round, (int)choice);
            }
            bool last_but = choice == RESTORE_BODY_REMOVE && sim_body_count(sim) < 4;
            if (scene_random(&random) % 2 == 0 && !last_but && sim_body_count(sim) < RESTORE_BODIES - 1) {
                restore_do(sim, &edit);
                restore_do(twin, &edit);
            }
            step_both(sim, twin, (uint32_t)(scene_random(&random) % 3));
            if (sim_hash(sim) != sim_hash(twin)) {
                fail_msg("program %u, round %u: edit %d has another future", program, round, (int)choice);
            }
        }
        step_both(sim, twin, 20);
        assert_true(sim_hash(sim) == sim_hash(twin));
        sim_destroy(sim);
        sim_destroy(twin);
    }
    for (uint32_t choice = 0; choice < RESTORE_CHOICES; choice++) {
        assert_true(changed[choice] > 0);
    }
}

// Grabs that an edit ends stay ended; those of other bodies hold on.
static void grabs_that_an_edit_ended_are_no_part_of_it(void **state)
{
    (void)state;
    for (int other = 0; other < 2; other++) {
        struct sim *sim = restore_scene(77), *twin = restore_scene(77);
        const struct restore_edit edit = {.choice = RESTORE_BODY_REMOVE, .body = 2};
        struct restore_undo undo;
        uint32_t grab, held = other == 0 ? 2 : 5;
        assert_int_equal(sim_grab_begin(sim, held, 30, NULL, 1e-3, &grab, &fault), FAULT_NONE);
        assert_int_equal(sim_grab_begin(twin, held, 30, NULL, 1e-3, &grab, &fault), FAULT_NONE);
        step_both(sim, twin, 3);
        restore_take(sim, &edit, &undo);
        restore_do(sim, &edit);
        assert_back(sim, &edit, &undo);
        restore_undo_deinit(&undo);
        assert_true(sim_hash_ungrabbed(sim) == sim_hash_ungrabbed(twin));
        assert_int_equal(sim_grab_count(sim), other);
        if (other == 0) {
            assert_int_equal(sim_grab_end(twin, grab, &fault), FAULT_NONE);
        }
        step_both(sim, twin, 20);
        assert_true(sim_hash(sim) == sim_hash(twin));
        sim_destroy(sim);
        sim_destroy(twin);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Later

static void assert_values(const struct sim_constraint_values *a, const struct sim_constraint_values *b,
                          uint32_t count)
{
    const double *all[4][2] = {{a->rest, b->rest},
                               {a->compliance, b->compliance},
                               {a->damping, b->damping},
                               {a->stiffness, b->stiffness}};
    for (int v = 0; v < 4; v++) {
        assert_true((all[v][0] == NULL) == (all[v][1] == NULL));
        if (all[v][0] != NULL && count > 0) {
            assert_memory_equal(all[v][0], all[v][1], count * sizeof(double));
        }
    }
}

static void assert_history(const struct sim_image_history *a, const struct sim_image_history *b)
{
    assert_int_equal(a->edited, b->edited);
    assert_int_equal(a->built, b->built);
    assert_int_equal(a->removed_count, b->removed_count);
    assert_int_equal(a->changed_count, b->changed_count);
    assert_int_equal(a->color_count, b->color_count);
    assert_int_equal(a->tile_count, b->tile_count);
    for (uint32_t i = 0; a->edited && i < a->removed_count; i++) {
        assert_int_equal(a->removed[i], b->removed[i]);
    }
    for (uint32_t i = 0; a->edited && i < a->changed_count; i++) {
        assert_int_equal(a->changed[i], b->changed[i]);
    }
    for (uint32_t i = 0; a->edited && i < a->color_count; i++) {
        assert_int_equal(a->colors[i], b->colors[i]);
    }
    for (uint32_t t = 0; a->edited && t < a->tile_count; t++) {
        assert_int_equal(a->tile_colors[t], b->tile_colors[t]);
    }
}

static void assert_body(const struct sim_image_body *a, const struct sim_image_body *b)
{
    size_t count = a->desc.particle_count;
    assert_int_equal(a->body, b->body);
    assert_int_equal(a->first_constraint, b->first_constraint);
    assert_int_equal(a->desc.kind, b->desc.kind);
    assert_int_equal(a->desc.bend_model, b->desc.bend_model);
    assert_int_equal(count, b->desc.particle_count);
    assert_memory_equal(&a->desc.stretch, &b->desc.stretch, sizeof a->desc.stretch);
    assert_memory_equal(&a->desc.bend, &b->desc.bend, sizeof a->desc.bend);
    assert_memory_equal(&a->desc.volume, &b->desc.volume, sizeof a->desc.volume);
    assert_true(a->desc.thickness == b->desc.thickness);
    assert_true(a->desc.meeting.self == b->desc.meeting.self &&
                a->desc.meeting.group == b->desc.meeting.group);
    assert_true(a->desc.meeting.mask == b->desc.meeting.mask);
    assert_true(a->desc.meeting.friction == b->desc.meeting.friction);
    assert_true(a->desc.meeting.kinetic == b->desc.meeting.kinetic &&
                a->desc.meeting.friction_kinetic == b->desc.meeting.friction_kinetic);
    assert_true(a->desc.meeting.restitution == b->desc.meeting.restitution);
    assert_memory_equal(a->desc.positions, b->desc.positions, 3 * count * sizeof(double));
    assert_memory_equal(a->positions, b->positions, 3 * count * sizeof(int64_t));
    assert_memory_equal(a->velocities, b->velocities, 3 * count * sizeof(float));
    assert_memory_equal(a->inverse_masses, b->inverse_masses, count * sizeof(float));
    assert_int_equal(a->desc.pin_count, b->desc.pin_count);
    for (uint32_t p = 0; p < a->desc.pin_count; p++) {
        assert_int_equal(a->desc.pins[p], b->desc.pins[p]);
    }
    assert_true((a->targets == NULL) == (b->targets == NULL));
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        assert_history(&a->history[kind], &b->history[kind]);
    }
}

static void assert_batch(const struct sim_image_constraints *a, const struct sim_image_constraints *b)
{
    size_t corners = (size_t)a->count * sim_stencil_size(a->kind);
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->ids, b->ids, a->count * sizeof *a->ids);
    assert_memory_equal(a->bodies, b->bodies, corners * sizeof *a->bodies);
    assert_memory_equal(a->particles, b->particles, corners * sizeof *a->particles);
    assert_memory_equal(a->colors, b->colors, a->count * sizeof *a->colors);
    assert_values(&a->values, &b->values, a->count);
    if (a->shapes != NULL && a->kind == SIM_SLIDE_RAIL) { // rings have slid on: only friction is as it was
        for (uint32_t i = SIM_RAIL_FRICTION; i < a->count * SIM_RAIL_PARAMS; i += SIM_RAIL_PARAMS) {
            assert_true(a->shapes[i] == b->shapes[i]);
        }
    } else if (a->shapes != NULL) {
        assert_memory_equal(a->shapes, b->shapes,
                            sim_shape_size(a->kind) * (size_t)a->count * sizeof *a->shapes);
    }
}

static void assert_own(const struct sim_own *a, const struct sim_own *b)
{
    assert_int_equal(a->body, b->body);
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->ids, b->ids, a->count * sizeof *a->ids);
    assert_memory_equal(a->colors, b->colors, a->count * sizeof *a->colors);
    struct sim_constraint_values own = a->values, other = b->values;
    assert_int_equal(a->rests_stay, b->rests_stay);
    if (a->rests_stay) { // they have flowed on
        own.rest = other.rest = NULL;
    }
    assert_values(&own, &other, a->count);
}

static void assert_collider(const struct sim_image_collider *a, const struct sim_image_collider *b)
{
    assert_int_equal(a->collider.id, b->collider.id);
    assert_int_equal(a->collider.kind, b->collider.kind);
    assert_true(a->collider.radius == b->collider.radius && a->collider.friction == b->collider.friction);
    assert_true(a->collider.kinetic == b->collider.kinetic &&
                a->collider.friction_kinetic == b->collider.friction_kinetic);
    assert_true(a->collider.restitution == b->collider.restitution);
    assert_memory_equal(a->collider.rotation, b->collider.rotation, sizeof a->collider.rotation);
    assert_memory_equal(a->position, b->position, sizeof a->position);
    assert_memory_equal(a->from_position, b->from_position, sizeof a->from_position);
    assert_memory_equal(a->from_rotation, b->from_rotation, sizeof a->from_rotation);
    assert_memory_equal(a->stands, b->stands, sizeof a->stands);
}

static void assert_motion(const struct sim_motion *a, const struct sim_motion *b)
{
    assert_int_equal(a->id, b->id);
    assert_int_equal(a->age, b->age);
    assert_int_equal(a->key_count, b->key_count);
    assert_int_equal(a->collider, b->collider);
    assert_int_equal(a->body, b->body);
    assert_int_equal(a->particle_count, b->particle_count);
    assert_memory_equal(a->offsets, b->offsets, 3 * (size_t)a->key_count * sizeof *a->offsets);
    assert_true((a->arms == NULL) == (b->arms == NULL));
    if (a->arms != NULL) {
        assert_memory_equal(a->arms, b->arms, 3 * (size_t)a->particle_count * sizeof *a->arms);
    }
    assert_true((a->poses == NULL) == (b->poses == NULL));
    if (a->poses != NULL) {
        assert_memory_equal(a->poses, b->poses,
                            3 * (size_t)a->particle_count * a->key_count * sizeof *a->poses);
    }
}

static void assert_as_it_was(const struct sim_image *a, const struct sim_image *b)
{
    assert_int_equal(a->body_count, b->body_count);
    assert_int_equal(a->batch_count, b->batch_count);
    assert_int_equal(a->own_count, b->own_count);
    assert_int_equal(a->collider_count, b->collider_count);
    assert_int_equal(a->motion_count, b->motion_count);
    for (uint32_t i = 0; i < a->body_count; i++) {
        assert_body(&a->bodies[i], &b->bodies[i]);
    }
    for (uint32_t i = 0; i < a->batch_count; i++) {
        assert_batch(&a->batches[i], &b->batches[i]);
    }
    for (uint32_t i = 0; i < a->own_count; i++) {
        assert_own(&a->owns[i], &b->owns[i]);
    }
    for (uint32_t i = 0; i < a->collider_count; i++) {
        assert_collider(&a->colliders[i], &b->colliders[i]);
    }
    for (uint32_t i = 0; i < a->motion_count; i++) {
        assert_motion(&a->motions[i], &b->motions[i]);
    }
}

enum { APART = 6 }; // the scene's last body, which nothing touches

static void assert_apart(const struct sim *a, const struct sim *b)
{
    struct sim_image one, other;
    const uint32_t apart = APART;
    const struct sim_parts parts = {.bodies = &apart, .body_count = 1};
    assert_true(sim_image_take_parts(a, &parts, &one));
    assert_true(sim_image_take_parts(b, &parts, &other));
    assert_int_equal(one.body_count, 1);
    assert_body(&one.bodies[0], &other.bodies[0]);
    sim_image_deinit(&one);
    sim_image_deinit(&other);
}

static void leave_apart(const struct sim *sim, struct restore_edit *edit)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < edit->id_count; i++) {
        struct sim_constraint known;
        assert_true(sim_constraint_get(sim, edit->ids[i], &known));
        if (known.bodies[0] != APART) {
            edit->ids[kept++] = edit->ids[i];
        }
    }
    edit->id_count = kept;
}

static void taken_back_later_the_thing_is_as_it_was_and_what_is_apart_goes_on(void **state)
{
    (void)state;
    for (uint32_t program = 0; program < PROGRAMS * 4; program++) {
        uint64_t random = 5000 + program;
        // Settings hold for all, and a reset is everybody's.
        enum restore_choice choice = (enum restore_choice)(program % RESTORE_RESET);
        struct sim *sim = restore_scene(random), *twin = restore_scene(random);
        struct restore_edit edit = restore_choose(sim, choice, scene_random(&random));
        if (edit.body == APART) {
            edit = restore_choose(sim, choice, scene_random(&random));
        }
        struct restore_undo undo, now;
        leave_apart(sim, &edit);
        step_both(sim, twin, 5);
        restore_take(sim, &edit, &undo);
        restore_do(sim, &edit);
        restore_do(twin, &edit);
        step_both(sim, twin, 10);
        assert_true(sim_hash(sim) == sim_hash(twin));
        assert_back(sim, &edit, &undo);
        restore_take(sim, &edit, &now);
        if (choice != RESTORE_MOTION_ADD && choice != RESTORE_BODY_SET) { // more is taken than it speaks of
            assert_as_it_was(&undo.image, &now.image);
        }
        assert_memory_equal(&undo.info.stretch, &now.info.stretch, sizeof undo.info.stretch);
        assert_int_equal(undo.next.body, now.next.body);
        assert_int_equal(undo.next.constraint, now.next.constraint);
        assert_int_equal(undo.next.collider, now.next.collider);
        assert_int_equal(undo.next.motion, now.next.motion);
        for (uint32_t ticks = 0; edit.body != APART && ticks < 10; ticks++) {
            struct sim_failure failed;
            assert_apart(sim, twin);
            sim_step(sim, NULL, NULL, &failed);
            sim_step(twin, NULL, NULL, &failed);
        }
        restore_undo_deinit(&undo);
        restore_undo_deinit(&now);
        sim_destroy(sim);
        sim_destroy(twin);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Places

static struct sim *big_cloth(struct sim_body_added *added)
{
    const double origin[3] = {0, 0, 0};
    struct sim_settings settings = scene_settings();
    settings.substeps = 2;
    struct sim *sim = scene_create(settings);
    struct scene_mesh mesh = scene_grid(60, 60, 0.05, origin); // four tiles
    struct sim_body_desc desc = scene_cloth(&mesh);
    desc.bend_model = SIM_BEND_NONE;
    *added = scene_add_all(sim, &desc);
    scene_mesh_deinit(&mesh);
    return sim;
}

struct removal {
    struct sim_image image;
    uint32_t count, ids[8192];
};

static void take_away(struct sim *sim, const struct sim_body_added *added, uint32_t first, uint32_t every,
                      struct removal *removal)
{
    removal->count = 0;
    for (uint32_t c = first; c < added->constraint_count[SIM_DISTANCE]; c += every) {
        struct sim_constraint known;
        uint32_t id = added->constraint_first[SIM_DISTANCE] + c;
        if (sim_constraint_get(sim, id, &known) && removal->count < 8192) {
            removal->ids[removal->count++] = id;
        }
    }
    const struct sim_parts parts = {
        .constraints = removal->ids, .constraint_count = removal->count, .going = true};
    assert_true(sim_image_take_parts(sim, &parts, &removal->image));
    assert_int_equal(removal->image.own_count, 1);
    assert_int_equal(sim_constraints_remove(sim, removal->ids, removal->count, &fault), FAULT_NONE);
}

static void give_back(struct sim *sim, struct removal *removal)
{
    if (sim_own_restore(sim, removal->image.owns, &fault) != FAULT_NONE) {
        fail_msg("%s %s", fault.field, fault.text);
    }
    sim_image_deinit(&removal->image);
}

// One within another: places come back that were given when much had gone already.
static void a_body_that_was_coloured_anew_has_its_places_again(void **state)
{
    (void)state;
    struct sim_body_added added;
    struct sim *sim = big_cloth(&added), *twin = big_cloth(&added);
    struct removal *removals = calloc(3, sizeof *removals);
    assert_non_null(removals);
    uint64_t before = sim_hash(sim);
    uint32_t all = sim->bodies[0]->built_count[SIM_DISTANCE];
    take_away(sim, &added, 0, 3, &removals[0]);
    assert_true(removals[0].image.owns[0].place_count > 0);
    assert_true(sim->bodies[0]->built_count[SIM_DISTANCE] < all);
    uint64_t once = sim_hash(sim);
    take_away(sim, &added, 1, 50, &removals[1]); // few: nothing moves
    assert_int_equal(removals[1].image.owns[0].place_count, 0);
    uint64_t twice = sim_hash(sim);
    take_away(sim, &added, 1, 3, &removals[2]);
    give_back(sim, &removals[2]);
    assert_true(sim_hash(sim) == twice);
    give_back(sim, &removals[1]);
    assert_true(sim_hash(sim) == once);
    give_back(sim, &removals[0]);
    assert_true(sim_hash(sim) == before);
    step_both(sim, twin, 20);
    assert_true(sim_hash(sim) == sim_hash(twin));
    free(removals);
    sim_destroy(sim);
    sim_destroy(twin);
}

// The other way round, as several people take back what each has done: places fit no longer, and all live again.
static void what_others_have_moved_since_is_coloured_anew(void **state)
{
    (void)state;
    struct sim_body_added added;
    struct sim *sim = big_cloth(&added);
    struct removal *removals = calloc(3, sizeof *removals);
    assert_non_null(removals);
    uint32_t all = added.constraint_count[SIM_DISTANCE];
    take_away(sim, &added, 1, 50, &removals[0]);
    take_away(sim, &added, 0, 3, &removals[1]);
    take_away(sim, &added, 2, 5, &removals[2]);
    for (uint32_t i = 0; i < 3; i++) {
        give_back(sim, &removals[i]);
        scene_run(sim, 1);
    }
    struct sim_image image;
    struct sim_image_place place;
    assert_int_equal(sim_constraint_count(sim), all);
    assert_true(sim_image_take(sim, &image));
    struct sim *made = sim_image_make(&image, &scene_limits, &place, &fault); // which checks all places
    assert_non_null(made);
    assert_true(sim_hash(made) == sim_hash(sim));
    sim_image_deinit(&image);
    free(removals);
    sim_destroy(made);
    sim_destroy(sim);
}

// More than there are colours at one particle: those left over are solved in order of id.
static void the_serial_colour_keeps_the_order_of_ids(void **state)
{
    (void)state;
    enum { SPOKES = 90 };
    double positions[3 * (SPOKES + 1)] = {0};
    for (uint32_t i = 1; i <= SPOKES; i++) {
        positions[3 * i] = 1 + 0.01 * (i % 20);
        positions[3 * i + 1] = 0.1 * (i / 20);
    }
    struct sim *sims[2];
    uint32_t ids[SPOKES];
    for (int s = 0; s < 2; s++) {
        sims[s] = scene_create(scene_settings());
        struct sim_body_desc desc = scene_points(positions, SPOKES + 1, NULL);
        scene_add(sims[s], &desc);
        for (uint32_t i = 0; i < SPOKES; i++) {
            ids[i] = scene_link(sims[s], 1, 0, i + 1, 0.9, 1e-5, 0);
        }
    }
    uint32_t going[] = {ids[3], ids[66], ids[70], ids[71], ids[88]};
    struct sim_image image;
    const struct sim_parts parts = {.constraints = going, .constraint_count = 5, .going = true};
    assert_true(sim_image_take_parts(sims[0], &parts, &image));
    assert_int_equal(sim_constraints_remove(sims[0], going, 5, &fault), FAULT_NONE);
    assert_int_equal(sim_loose_restore(sims[0], &image.batches[0], &fault), FAULT_NONE);
    assert_true(sim_hash(sims[0]) == sim_hash(sims[1]));
    step_both(sims[0], sims[1], 5);
    assert_true(sim_hash(sims[0]) == sim_hash(sims[1]));
    // A colour that another one has by now is not taken from it.
    assert_int_equal(sim_constraints_remove(sims[0], going, 1, &fault), FAULT_NONE);
    uint32_t other = scene_link(sims[0], 1, 0, 4, 0.9, 1e-5, 0);
    struct sim_constraint had, has;
    assert_true(sim_constraint_get(sims[0], other, &has) && sim_constraint_get(sims[1], going[0], &had));
    assert_int_equal(has.color, had.color);
    assert_int_equal(sim_loose_restore(sims[0], &image.batches[0], &fault), FAULT_NONE);
    assert_true(sim_constraint_get(sims[0], going[0], &has));
    assert_int_equal(has.color, SIM_SERIAL);
    sim_image_deinit(&image);
    sim_destroy(sims[0]);
    sim_destroy(sims[1]);
}

// ---------------------------------------------------------------------------------------------------------
// Cost

// Places of a body's constraints; a hash of their batches and slots.
static uint64_t where(const struct sim *sim, const struct sim_body *body)
{
    uint64_t sum = body->first_row;
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        sum = sum * 31 + (uint64_t)(uintptr_t)body->tiles[kind];
        for (uint32_t t = 0; t < body->tile_count[kind]; t++) {
            for (uint32_t i = 0; i < body->tiles[kind][t].order_count; i++) {
                uint32_t batch = body->tiles[kind][t].order[i];
                sum = sum * 31 + batch;
                sum = sum * 31 + (uint64_t)(uintptr_t)sim_batch_words(&sim->stores[kind], batch);
            }
        }
        for (uint32_t i = 0; i < body->constraint_count[kind]; i++) {
            sum = sum * 31 + sim_range_of(sim, body->constraint_first[kind])->slots[i];
        }
    }
    return sum;
}

static void a_body_among_others_moves_none_of_them(void **state)
{
    (void)state;
    for (uint32_t b = 1; b <= 6; b++) {
        struct sim *sim = restore_scene(77);
        uint64_t before[7];
        struct restore_edit edit = {.choice = RESTORE_BODY_REMOVE, .body = b};
        struct restore_undo undo;
        restore_take(sim, &edit, &undo);
        restore_do(sim, &edit);
        for (uint32_t i = 0; i < sim->body_count; i++) {
            before[sim->bodies[i]->id] = where(sim, sim->bodies[i]);
        }
        assert_back(sim, &edit, &undo);
        assert_int_equal(sim->body_count, 6);
        for (uint32_t i = 0; i < sim->body_count; i++) {
            const struct sim_body *body = sim->bodies[i];
            assert_int_equal(body->id, i + 1);
            assert_true(body->id == b || where(sim, body) == before[body->id]);
        }
        restore_undo_deinit(&undo);
        sim_destroy(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(taken_back_at_once_nothing_is_left),
        cmocka_unit_test(grabs_that_an_edit_ended_are_no_part_of_it),
        cmocka_unit_test(taken_back_later_the_thing_is_as_it_was_and_what_is_apart_goes_on),
        cmocka_unit_test(a_body_that_was_coloured_anew_has_its_places_again),
        cmocka_unit_test(what_others_have_moved_since_is_coloured_anew),
        cmocka_unit_test(the_serial_colour_keeps_the_order_of_ids),
        cmocka_unit_test(a_body_among_others_moves_none_of_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
