// The memory of batches: what is on a shelf stays there and stays as it is, bodies that go leave nothing behind, and
// without memory nothing changes.
#include "helper_heap.h"
#include "helper_scene.h"
#include "sim/body/plan.h"
#include "sim/store/store.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#ifndef OTHERS_OWN_THE_HEAP
static uint32_t failing; // the call that fails, counted from 1; 0: none

static bool heap_gives(void)
{
    if (failing == 0 || --failing > 0) {
        return true;
    }
    errno = ENOMEM;
    return false;
}

#include "helper_heap_take.h"
#endif

static uint64_t seed;

static uint32_t below(uint32_t count)
{
    return (uint32_t)(scene_random(&seed) >> 32) % count;
}

// --------------------------------------------------------------------------------------------------- batches

enum { BATCHES_MAX = 3000 };

struct model {
    struct sim sim; // of which the stores alone are used
    struct sim_store *store;
    struct sim_tile tile;
    uint32_t batches[BATCHES_MAX], marks[BATCHES_MAX]; // that are in use, and what is written in them
    uint32_t count, next_mark;
};

static void model_init(struct model *model, uint32_t kind)
{
    *model = (struct model){.next_mark = 1};
    for (uint32_t k = 0; k < SIM_STORE_COUNT; k++) {
        sim_store_init(&model->sim.stores[k], k);
    }
    model->store = &model->sim.stores[kind];
}

static void write_mark(struct model *model, uint32_t batch, uint32_t mark)
{
    struct sim_store *store = model->store;
    uint32_t *words = sim_batch_words(store, batch);
    for (uint32_t i = 0; i < store->words; i++) {
        assert_int_equal(words[i], 0);
        words[i] = mark * SIM_ROW_BYTES;
    }
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        assert_int_equal(sim_batch_ids(store, batch)[lane], 0);
        sim_batch_ids(store, batch)[lane] = lane == 5 ? 0 : mark;
        assert_true(!store->damped || sim_batch_damping(store, batch)[lane] == 0);
    }
    for (uint32_t m = 0; store->keeps && m < store->multiplier_count; m++) {
        assert_true(sim_multipliers_of(store, batch, m)[3] == 0);
        sim_multipliers_of(store, batch, m)[3] = (float)mark;
    }
    if (store->damped) {
        sim_batch_damping(store, batch)[7] = (float)mark;
    }
    *sim_batch_meta(store, batch) = (struct sim_batch_meta){.tile = &model->tile, .live = 1};
}

// All that are in use are as they were written; others are free.
static void check(const struct model *model)
{
    const struct sim_store *store = model->store;
    uint32_t live = 0, room = 0, in_use = 0;
    for (uint32_t s = 0; s < store->shelf_count; s++) {
        const struct sim_shelf *shelf = &store->shelves[s];
        assert_true(shelf->live <= shelf->used && shelf->used <= shelf->room && shelf->room <= SIM_SHELF);
        assert_true(s >= store->open || shelf->live == shelf->room);
        live += shelf->live;
        room += shelf->room;
        for (uint32_t b = 0; b < shelf->used; b++) {
            in_use += shelf->meta[b].tile != NULL;
        }
    }
    assert_int_equal(live, model->count);
    assert_int_equal(in_use, model->count);
    assert_int_equal(store->free_count, room - live);
    for (uint32_t i = 0; i < model->count; i++) {
        uint32_t batch = model->batches[i], mark = model->marks[i];
        for (uint32_t w = 0; w < store->words; w++) {
            assert_int_equal(sim_batch_words(store, batch)[w], mark * SIM_ROW_BYTES);
        }
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            assert_int_equal(sim_batch_ids(store, batch)[lane], lane == 5 ? 0 : mark);
        }
        assert_true(!store->damped || sim_batch_damping(store, batch)[7] == 0 ||
                    sim_batch_damping(store, batch)[7] == (float)mark);
    }
}

static void take(struct model *model, uint32_t count)
{
    count = count < BATCHES_MAX - model->count ? count : BATCHES_MAX - model->count;
    assert_true(sim_store_reserve(model->store, count));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t batch = sim_store_batch_take(model->store);
        write_mark(model, batch, model->next_mark);
        model->batches[model->count] = batch;
        model->marks[model->count++] = model->next_mark++;
    }
}

static void give_back(struct model *model, uint32_t count)
{
    for (uint32_t i = 0; i < count && model->count > 0; i++) {
        uint32_t at = below(model->count);
        sim_store_batch_free(model->store, model->batches[at]);
        model->batches[at] = model->batches[--model->count];
        model->marks[at] = model->marks[model->count];
    }
}

// Another store, of batches that were taken and none given back, is taken over. Places in words that are no places
// stay as they are, so the mark is put there again.
static void append(struct model *model, uint32_t count)
{
    static struct model other;
    if (count > BATCHES_MAX - model->count) {
        return;
    }
    model_init(&other, model->store->kind);
    take(&other, count);
    if (below(2) == 0) {
        sim_store_fit(other.store);
        check(&other);
    }
    uint32_t offset = model->next_mark;
    struct sim_store *store = model->store;
    assert_true(sim_store_append_reserve(store, other.store, other.store->shelf_count));
    uint32_t base = sim_store_append(store, other.store, offset, offset);
    assert_int_equal(base % SIM_SHELF, 0);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t batch = base + other.batches[i], mark = other.marks[i] + offset;
        for (uint32_t w = store->stencil * SIM_LANES; w < store->words; w++) {
            assert_int_equal(sim_batch_words(store, batch)[w], other.marks[i] * SIM_ROW_BYTES);
            sim_batch_words(store, batch)[w] = mark * SIM_ROW_BYTES;
        }
        model->batches[model->count] = batch;
        model->marks[model->count++] = mark;
    }
    model->next_mark += other.next_mark;
    assert_int_equal(other.store->shelf_count, 0);
    sim_store_deinit(other.store);
}

static void batches_stay_where_they_are_as_they_are(void **state)
{
    (void)state;
    static struct model model;
    uint32_t appended = 0, vacant = 0;
    for (uint32_t run = 0; run < 40; run++) {
        seed = 1 + run;
        model_init(&model, run % SIM_STORE_COUNT);
        for (uint32_t step = 0; step < 60; step++) {
            uint32_t kind = below(16), size = 1U << below(10);
            if (kind < 5) {
                take(&model, 1 + below(size));
            } else if (kind < 10) {
                give_back(&model, kind == 5 ? model.count : 1 + below(size));
            } else if (kind < 13) {
                append(&model, 1 + below(size));
                appended++;
            } else if (kind == 13) {
                sim_stores_trim(&model.sim);
            } else if (kind == 14 && step > 20) {
                assert_true(sim_store_damping_reserve(model.store));
            } else if (step > 20 && below(2) == 0) {
                assert_true(sim_store_multipliers_reserve(model.store));
                sim_store_multipliers_clear(model.store);
            } else {
                sim_store_multipliers_release(model.store);
            }
            check(&model);
            for (uint32_t s = 0; s < model.store->shelf_count; s++) {
                vacant += model.store->shelves[s].batches == NULL;
            }
        }
        give_back(&model, model.count);
        sim_stores_trim(&model.sim);
        assert_int_equal(model.store->shelf_count, 0);
        assert_int_equal(model.store->free_count, 0);
        sim_store_deinit(model.store);
    }
    assert_true(appended > 100 && vacant > 100);
}

// ---------------------------------------------------------------------------------------------------- bodies

static struct sim_body_plan *prepare(uint32_t side)
{
    struct scene_mesh mesh = scene_grid(side, side, 0.05, (const double[]){0, 0, 0});
    struct sim_body_desc desc = scene_cloth(&mesh);
    desc.bend_model = SIM_BEND_QUADRATIC;
    desc.bend = (struct sim_material){.compliance = 1, .damping = 1e-3, .stiffness = -1};
    struct fault fault;
    struct sim_body_plan *plan = sim_body_prepare(&desc, SCENE_Q, 100, &scene_limits, &fault);
    assert_non_null(plan);
    scene_mesh_deinit(&mesh);
    return plan;
}

static uint32_t attach(struct sim *sim, uint32_t side)
{
    struct fault fault;
    struct sim_body_added added;
    assert_int_equal(sim_body_attach(sim, prepare(side), &added, &fault), FAULT_NONE);
    return added.body;
}

static void remove_body(struct sim *sim, uint32_t body)
{
    struct fault fault;
    uint32_t *removed, count;
    assert_int_equal(sim_body_remove(sim, body, &removed, &count, &fault), FAULT_NONE);
    free(removed);
}

static uint32_t room(const struct sim *sim)
{
    uint32_t sum = 0;
    for (int kind = 0; kind < SIM_STORE_COUNT; kind++) {
        for (uint32_t s = 0; s < sim->stores[kind].shelf_count; s++) {
            sum += sim->stores[kind].shelves[s].room;
        }
    }
    return sum;
}

static void bodies_that_go_leave_no_memory_behind(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    attach(sim, 12);
    uint32_t before = room(sim), shelves = 0;
    for (uint32_t turn = 0; turn < 20; turn++) {
        uint32_t first = attach(sim, 60), second = attach(sim, 30);
        shelves = turn == 0 ? sim->stores[SIM_DISTANCE].shelf_count : shelves;
        assert_int_equal(sim->stores[SIM_DISTANCE].shelf_count, shelves);
        scene_run(sim, 1);
        remove_body(sim, turn % 2 == 0 ? first : second);
        scene_run(sim, 1);
        remove_body(sim, turn % 2 == 0 ? second : first);
        assert_int_equal(room(sim), before);
    }
    sim_destroy(sim);
}

static void edits_of_a_body_leave_no_memory_behind(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    uint32_t body = attach(sim, 60);
    struct fault fault;
    struct sim_body_info info;
    assert_true(sim_body_info(sim, body, &info));
    uint32_t before = room(sim), least = before, first = info.constraint_first[SIM_DISTANCE];
    // Every fifth one after the other: the body is coloured again and again.
    for (uint32_t part = 0; part < 4; part++) {
        uint32_t ids[3000], count = 0;
        for (uint32_t i = part; i < info.constraint_count[SIM_DISTANCE]; i += 5) {
            ids[count++] = first + i;
        }
        assert_int_equal(sim_constraints_remove(sim, ids, count, &fault), FAULT_NONE);
        scene_run(sim, 1);
        assert_true(room(sim) <= least);
        least = room(sim);
    }
    assert_true(least < before);
    sim_destroy(sim);
}

#ifndef OTHERS_OWN_THE_HEAP
typedef enum fault_code act(struct sim *sim, void *context);

static enum fault_code act_attach(struct sim *sim, void *context)
{
    struct fault fault;
    struct sim_body_added added;
    return sim_body_attach(sim, context, &added, &fault);
}

static enum fault_code act_remove(struct sim *sim, void *context)
{
    (void)context;
    uint32_t ids[200];
    struct fault fault;
    for (uint32_t i = 0; i < 200; i++) {
        ids[i] = 1 + i;
    }
    return sim_constraints_remove(sim, ids, 200, &fault);
}

static enum fault_code act_iterate(struct sim *sim, void *context)
{
    (void)context;
    struct fault fault;
    struct sim_settings settings = scene_settings();
    settings.iterations = 3;
    return sim_settings_set(sim, &settings, &fault);
}

static enum fault_code act_damp(struct sim *sim, void *context)
{
    (void)context;
    struct fault fault;
    const struct sim_material material = {.compliance = 1e-6, .damping = 1, .stiffness = -1};
    return sim_body_set(sim, 1, &(struct sim_body_change){.stretch = &material}, &fault);
}

static enum fault_code act_add(struct sim *sim, void *context)
{
    (void)context;
    uint32_t bodies[80], particles[80], added;
    double rest[40];
    struct fault fault;
    for (uint32_t i = 0; i < 40; i++) {
        bodies[2 * i] = bodies[2 * i + 1] = 1;
        particles[2 * i] = i;
        particles[2 * i + 1] = i + 60;
        rest[i] = 0.1;
    }
    return sim_constraints_add(sim, SIM_DISTANCE, 40, bodies, particles,
                               &(struct sim_constraint_values){.rest = rest}, &added, &fault);
}

// side: of a body to be attached, to a world that keeps multipliers; 0: none.
//
// The first, the second ... call for memory fails, until the act needs no more: it fails as a whole each time, and in
// the end comes to what it does where nothing fails.
static uint32_t fails_as_a_whole(act *run, uint32_t side)
{
    struct sim *sims[2];
    void *plans[2] = {NULL, NULL};
    uint32_t failures = 0;
    for (int i = 0; i < 2; i++) {
        sims[i] = scene_create(scene_settings());
        attach(sims[i], 12);
        if (side > 0) {
            struct fault fault;
            assert_int_equal(sim_multipliers_keep(sims[i], true, &fault), FAULT_NONE);
            plans[i] = prepare(side);
        }
    }
    uint64_t before = sim_hash(sims[0]);
    for (;; failures++) {
        failing = failures + 1;
        enum fault_code status = run(sims[0], plans[0]);
        failing = 0;
        if (status == FAULT_NONE) {
            break; // nothing failed, or what would only have made things smaller
        }
        assert_int_equal(status, FAULT_MEMORY);
        assert_true(sim_hash(sims[0]) == before);
    }
    assert_int_equal(run(sims[1], plans[1]), FAULT_NONE);
    scene_run(sims[0], 2);
    scene_run(sims[1], 2);
    assert_true(sim_hash(sims[0]) == sim_hash(sims[1]));
    sim_destroy(sims[0]);
    sim_destroy(sims[1]);
    return failures;
}

static void without_memory_nothing_changes(void **state)
{
    (void)state;
    assert_true(fails_as_a_whole(act_attach, 100) >= 5);
    assert_true(fails_as_a_whole(act_remove, 0) >= 5);
    assert_true(fails_as_a_whole(act_iterate, 0) >= 2);
    assert_true(fails_as_a_whole(act_damp, 0) >= 1);
    assert_true(fails_as_a_whole(act_add, 0) >= 2);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_stay_where_they_are_as_they_are),
        cmocka_unit_test(bodies_that_go_leave_no_memory_behind),
        cmocka_unit_test(edits_of_a_body_leave_no_memory_behind),
#ifndef OTHERS_OWN_THE_HEAP
        cmocka_unit_test(without_memory_nothing_changes),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
