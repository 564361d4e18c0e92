// The power is cut at any moment, and what was written and not synced is lost, torn, or done in another order: what was
// told to be durable is there again, and nothing else. A store whose syncs do nothing does not pass this.
//
//     test_store_power [ROUNDS [SEED]]
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helper_disk.h"
#include "helper_model.h"
#include "store/sqlite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 500, LIVES = 8 }; // of one folder, before another begins

static unsigned rounds = ROUNDS;
static uint64_t seed = 1;

static unsigned compacted; // lists that were found to begin later than they did

// Writes until the power is gone or there was enough.
static void live(struct model *model, struct store *store, struct heard *heard, uint64_t *random)
{
    const unsigned steps = 1 + (unsigned)(model_random(random) % 120);
    for (unsigned step = 0; step < steps && !disk_is_cut(); step++) {
        const uint32_t list = 1 + (uint32_t)(model_random(random) % (MODEL_LISTS - 1));
        struct model_list *one = &model->lists[list];
        const uint64_t what = model_random(random) % 32;
        if (!one->made) {
            assert_true(model_create(model, store, list));
        } else if (what == 0 && one->appended > one->imaged) {
            assert_true(model_image(model, store, list));
        } else if (what == 1) {
            const uint64_t epoch = store_take_over(store, list, NULL);
            if (epoch == 0) {
                return; // the power is gone
            }
            one->epoch = epoch;
        } else if (what == 2) {
            (void)heard_wait(heard, list, one->appended);
        } else {
            assert_true(model_append(model, store, list));
        }
    }
    // Data that found no room is written later in the same place, and differs then.
    if (heard_full(heard) && model_random(random) % 16 == 0) {
        disk_room(-1);
        for (uint32_t list = 1; list < MODEL_LISTS && !disk_is_cut(); list++) {
            (void)heard_room(heard);
            for (int i = 0; i < 20 && model->lists[list].made; i++) {
                assert_true(model_append(model, store, list));
                (void)heard_wait(heard, list, model->lists[list].appended);
            }
        }
    }
    if (model_random(random) % 2 == 0) {
        for (uint32_t list = 1; list < MODEL_LISTS; list++) {
            (void)heard_wait(heard, list, model->lists[list].appended);
        }
    }
}

static struct store *open_store(struct heard *heard, const char *folder, uint64_t keep_bytes,
                                struct store_error *error)
{
    struct store_options options = heard_options(heard, folder);
    options.keep_bytes = keep_bytes;
    return store_sqlite_open(&options, DISK, error);
}

static void count_damage(void *context, const struct store_error *damage)
{
    struct store_error *last = context;
    *last = *damage;
}

// Opened without trouble, it has to hold all that it promised.
static bool is_right(struct model *model, struct heard *heard, const char *folder, char *text)
{
    struct store_error error = {0};
    struct store *store = open_store(heard, folder, UINT64_MAX, &error);
    if (!store) {
        (void)snprintf(text, FAULT_TEXT_SIZE, "%s", error.fault.text);
        return false;
    }
    bool right = model_check(model, store, text) == RIGHT;
    struct store_reader *reader = store_reader_open(store, &error);
    struct store_error damage = {0};
    if (right && (!reader || !store_verify(reader, count_damage, &damage, &error) ||
                  damage.fault.code != FAULT_NONE)) {
        (void)snprintf(text, FAULT_TEXT_SIZE, "%.250s%.250s", error.fault.text, damage.fault.text);
        right = false;
    }
    for (uint32_t list = 1; list < MODEL_LISTS && reader; list++) {
        struct store_list row;
        compacted += store_list_find(reader, list, &row, NULL) == FAULT_NONE && row.first > 0;
    }
    store_reader_close(reader);
    if (right) {
        model_go_on(model, store);
    }
    store_close(store);
    return right;
}

// How many of the rounds ended with a store that did not hold what it promised.
static unsigned cut_power(unsigned times, bool sync_works)
{
    struct place place;
    place_make(&place);
    unsigned wrong = 0;
    struct model model = {0};
    for (unsigned round = 0; round < times; round++) {
        uint64_t random = seed * 1000003 + round;
        char text[FAULT_TEXT_SIZE] = "";
        if (round % LIVES == 0) {
            disk_start();
            model = (struct model){0};
        }
        disk_sync_works(sync_works);
        struct heard heard;
        heard_init(&heard);
        model_prepare(&model, &heard);
        const uint64_t moments = model_random(&random) % 4 == 0 ? 60 : 1200;
        disk_cut_at(1 + model_random(&random) % moments);
        const bool is_small = model_random(&random) % 8 == 0;
        disk_room(is_small ? (int64_t)(disk_used() + model_random(&random) % 400000) : -1);
        struct store_error error;
        struct store *store =
            open_store(&heard, place.folder, model_random(&random) % 3 == 0 ? 60000 : UINT64_MAX, &error);
        if (store) {
            live(&model, store, &heard, &random);
            disk_cut_at(1);
            store_close(store);
        }
        model_hear(&model, &heard);
        disk_power_on(model_random(&random));
        disk_room(-1);
        if (!is_right(&model, &heard, place.folder, text)) {
            wrong++;
            if (sync_works) {
                print_error("round %u of seed %llu: %s\n", round, (unsigned long long)seed, text);
            }
            round += LIVES - 1 - round % LIVES; // there is nothing to go on with
        }
        heard_deinit(&heard);
    }
    disk_end();
    place_remove(&place);
    return wrong;
}

static void what_was_durable_survives(void **state)
{
    (void)state;
    assert_int_equal(cut_power(rounds, true), 0);
    print_message("lists that had been compacted: %u\n", compacted);
    assert_true(compacted > 0);
}

static void without_syncs_it_does_not(void **state)
{
    (void)state;
    const unsigned wrong = cut_power(80, false);
    print_message("without syncs: wrong %u times\n", wrong);
    assert_true(wrong > 0);
}

int main(int argc, char **argv)
{
    rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : rounds;
    seed = argc > 2 ? strtoull(argv[2], NULL, 10) : seed;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_durable_survives),
        cmocka_unit_test(without_syncs_it_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
