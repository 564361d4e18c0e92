// Calls that fail, each of a short script in its turn; a disk that is full; readers beside a writer; compaction; the bin.
//
//     test_store_trouble [STEP]     every STEP-th call
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helper_disk.h"
#include "helper_model.h"
#include "store/sqlite.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static unsigned step = 3;
static struct heard heard;
static struct place place;
static struct model model;
static struct store_error error;

static int set_up(void **state)
{
    (void)state;
    heard_init(&heard);
    place_make(&place);
    disk_start();
    model = (struct model){0};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    disk_end();
    place_remove(&place);
    heard_deinit(&heard);
    return 0;
}

static struct store *open_with(struct store_options options)
{
    return store_sqlite_open(&options, DISK, &error);
}

static struct store *open_store(void)
{
    return open_with(heard_options(&heard, place.folder));
}

// ---------------------------------------------------------------------------------------------------------
// The n-th call fails

static void script(void)
{
    struct store *store = open_store();
    if (!store) {
        return;
    }
    for (uint32_t list = 1; list < MODEL_LISTS; list++) {
        (void)model_create(&model, store, list);
        for (int i = 0; i < 10; i++) {
            (void)model_append(&model, store, list);
        }
        (void)heard_wait(&heard, list, model.lists[list].appended);
        (void)model_image(&model, store, list);
        const uint64_t epoch = store_take_over(store, list, &error);
        model.lists[list].epoch = epoch ? epoch : model.lists[list].epoch;
        (void)model_append(&model, store, list);
        (void)store_label(store, list, "of the model");
        (void)heard_wait(&heard, list, model.lists[list].appended);
    }
    store_close(store);
}

// Data that was reported as durable is there afterwards, with or without a power cut.
static bool nth_fails(uint64_t n, bool for_good, bool power_goes)
{
    char text[FAULT_TEXT_SIZE];
    disk_start();
    model = (struct model){0};
    model_prepare(&model, &heard);
    heard.failures = 0;
    disk_fail_at(n, for_good);
    script();
    model_hear(&model, &heard);
    const bool failed = disk_has_failed();
    disk_fail_at(0, false);
    if (power_goes) {
        disk_power_on(n);
    }
    struct store *store = open_store();
    if (!store) {
        fail_msg("call %d: %s", (int)n, error.fault.text);
    }
    if (model_check(&model, store, text) != RIGHT) {
        fail_msg("call %d: %s", (int)n, text);
    }
    store_close(store);
    return failed;
}

static void a_call_fails(void **state)
{
    (void)state;
    uint64_t n = 1;
    while (nth_fails(n, false, n % 2 == 0)) {
        n += step;
    }
    print_message("%d calls failed in their turn\n", (int)(n / step));
    assert_true(n > 300);
    for (n = 1; nth_fails(n, true, n % 2 == 0); n += 4UL * step) {
    }
}

static void a_failed_sync_is_told_and_nothing_more_is_durable(void **state)
{
    (void)state;
    struct store *store = open_store();
    assert_true(model_create(&model, store, 1));
    assert_true(model_append(&model, store, 1));
    assert_true(heard_durable(&heard, 1, 1));
    disk_cut_at(1);
    assert_true(model_append(&model, store, 1));
    assert_false(heard_wait(&heard, 1, 2));
    assert_int_equal(heard.failures, 1);
    assert_true(model_append(&model, store, 1));
    assert_int_equal(store_take_over(store, 1, &error), 0);
    struct store_pending pending;
    store_pending(store, 1, &pending);
    assert_int_equal(pending.durable, 1);
    store_close(store);
    assert_int_equal(heard.durable[1], 1);
    assert_int_equal(heard.failures, 1);
}

// ---------------------------------------------------------------------------------------------------------
// No room

static void a_full_disk_waits_for_room(void **state)
{
    (void)state;
    struct store *store = open_store();
    char text[FAULT_TEXT_SIZE];
    assert_true(model_create(&model, store, 2));
    assert_true(model_append(&model, store, 2));
    assert_true(heard_durable(&heard, 2, 1));
    disk_room((int64_t)disk_used() + 100000);
    while (!heard_full(&heard) && model.lists[2].appended < 5000) {
        assert_true(model_append(&model, store, 2));
        (void)usleep(500);
    }
    assert_true(heard_full(&heard));
    assert_true(model_image(&model, store, 2));
    struct store_pending pending;
    store_pending(store, 2, &pending);
    assert_true(pending.full);
    assert_true(pending.bytes > 0);
    assert_true(pending.since_ns > 0);
    assert_int_equal(store_take_over(store, 2, &error), 0);
    assert_non_null(strstr(error.fault.text, "full"));
    model_hear(&model, &heard);
    assert_int_equal(model_check(&model, store, text), RIGHT); // it can be read
    (void)usleep(1200000);                                     // and is tried again in vain
    assert_int_equal(heard.full_count, 1);
    assert_int_equal(heard.room_count, 0);
    assert_int_equal(heard.failures, 0);
    disk_room(-1);
    assert_true(heard_durable(&heard, 2, model.lists[2].appended));
    assert_true(heard_room(&heard));
    assert_int_equal(heard.room_count, 1);
    struct store_reader *reader = store_reader_open(store, &error);
    assert_true(image_comes(reader, 2, model.lists[2].imaged));
    store_reader_close(reader);
    model_hear(&model, &heard);
    assert_int_equal(model_check(&model, store, text), RIGHT);
    disk_room((int64_t)disk_used());
    while (!heard_full(&heard)) {
        assert_true(model_append(&model, store, 2));
        (void)usleep(500);
    }
    store_close(store); // does not wait for ever
    disk_room(-1);
    store = open_store();
    model_hear(&model, &heard);
    assert_int_equal(model_check(&model, store, text), RIGHT);
    store_close(store);
}

// Nothing of it is written before its first image, and no image is where there is no room.
static void a_list_without_room_for_its_first_image_is_not_taken_over(void **state)
{
    (void)state;
    struct store_options options = heard_options(&heard, place.folder);
    options.reserve_bytes = 1 << 20; // without one it would count as stuck
    struct store *store = open_with(options);
    struct base_buffer *bytes = noise(1 << 20, 7);
    disk_room((int64_t)disk_used() + 50000);
    assert_true(store_create(store, 3, "large", &(struct store_image){.position = 0}, bytes));
    base_buffer_unref(bytes);
    while (!heard_full(&heard)) {
        (void)usleep(500);
    }
    assert_int_equal(store_take_over(store, 3, &error), 0);
    assert_int_equal(error.fault.code, FAULT_IO);
    assert_non_null(strstr(error.fault.text, "full"));
    disk_room(-1);
    assert_true(heard_room(&heard));
    assert_true(store_take_over(store, 3, &error) > 1);
    store_close(store);
}

// A quota, or a limit on the size of files: the same as a disk that is full.
static void what_lacks_room_for_another_reason_waits_as_well(void **state)
{
    static const int reasons[] = {EDQUOT, EFBIG};
    (void)state;
    char text[FAULT_TEXT_SIZE];
    struct store *store = open_store();
    assert_true(model_create(&model, store, 2));
    for (uint32_t i = 0; i < 2; i++) {
        disk_lacks(reasons[i]);
        disk_room((int64_t)disk_used() + 100000);
        while (!heard_full(&heard) && heard.failures == 0) {
            assert_true(model_append(&model, store, 2));
            (void)usleep(500);
        }
        assert_int_equal(heard.failures, 0);
        model_hear(&model, &heard);
        assert_int_equal(model_check(&model, store, text), RIGHT);
        disk_room(-1);
        assert_true(heard_durable(&heard, 2, model.lists[2].appended));
        assert_true(heard_room(&heard));
        assert_int_equal(heard.room_count, i + 1);
    }
    store_close(store);
    store = open_store();
    model_hear(&model, &heard);
    assert_int_equal(model_check(&model, store, text), RIGHT);
    store_close(store);
}

// The reserve lies on the system's disk, not on this one, which is why it may be given room again while this has none.
static void what_waits_is_written_where_the_reserve_was(void **state)
{
    enum { RESERVE = 1 << 20 };
    (void)state;
    struct store_options options = heard_options(&heard, place.folder);
    options.reserve_bytes = RESERVE;
    struct store *store = open_with(options);
    char path[sizeof place.folder + 16];
    (void)snprintf(path, sizeof path, "%s/reserve", place.folder);
    struct stat file;
    assert_true(model_create(&model, store, 2));
    assert_true(model_append(&model, store, 2));
    assert_true(heard_durable(&heard, 2, 1));
    assert_int_equal(stat(path, &file), 0);
    assert_int_equal(file.st_size, RESERVE);
    assert_true(file.st_blocks * 512 >= RESERVE);
    disk_room((int64_t)disk_used());
    while (!heard_full(&heard)) {
        assert_true(model_append(&model, store, 2));
        (void)usleep(500);
    }
    assert_int_equal(stat(path, &file), 0);
    assert_int_equal(file.st_size, 0);
    disk_room((int64_t)disk_used() + RESERVE);
    assert_true(heard_durable(&heard, 2, model.lists[2].appended));
    assert_true(heard_room(&heard));
    assert_int_equal(stat(path, &file), 0);
    assert_int_equal(file.st_size, RESERVE);
    assert_in_range(heard.full_count, 1, 2); // a second time where what waited found no room then either
    store_close(store);
    disk_room(-1);
}

// ---------------------------------------------------------------------------------------------------------
// Readers beside the writer

struct reading {
    struct store *store;
    atomic_bool done;
    unsigned reads, wrong;
};

static void read_on(void *context)
{
    struct reading *reading = context;
    while (!atomic_load(&reading->done)) {
        struct store_error problem;
        struct store_reader *reader = store_reader_open(reading->store, &problem);
        struct store_list list;
        if (!reader || store_list_find(reader, 3, &list, &problem) != FAULT_NONE) {
            reading->wrong++;
            store_reader_close(reader);
            continue;
        }
        uint64_t position = list.first;
        const struct store_entry *entries;
        uint32_t count;
        while (position < list.last) {
            const enum fault_code status =
                store_read(reader, 3, position, 50, 10000, &entries, &count, &problem);
            if (status == FAULT_NOT_FOUND) {
                break; // no longer kept
            }
            reading->wrong += status != FAULT_NONE || count == 0;
            if (status != FAULT_NONE || count == 0) {
                print_error("reading: %s\n", status == FAULT_NONE ? "none" : problem.fault.text);
                break;
            }
            position += count;
        }
        uint8_t *bytes;
        size_t size;
        const enum fault_code status = store_image_read(reader, 3, list.first, &bytes, &size, &problem);
        reading->wrong += status != FAULT_NONE && status != FAULT_NOT_FOUND;
        free(bytes);
        reading->reads++;
        store_reader_close(reader);
    }
}

static void readers_see_what_is_whole(void **state)
{
    (void)state;
    struct store_options options = heard_options(&heard, place.folder);
    options.keep_bytes = 300000;
    struct store *store = open_with(options);
    assert_true(model_create(&model, store, 3));
    assert_true(model_append(&model, store, 3));
    assert_true(heard_durable(&heard, 3, 1));
    struct reading readings[2] = {{.store = store}, {.store = store}};
    struct base_thread threads[2];
    for (int i = 0; i < 2; i++) {
        assert_true(base_thread_start(&threads[i], "reader", read_on, &readings[i]));
    }
    struct store_pending pending;
    for (int i = 0; i < 3000; i++) {
        assert_true(model_append(&model, store, 3));
        if (i % 100 == 0) {
            assert_true(model_image(&model, store, 3));
            assert_true(heard_durable(&heard, 3, model.lists[3].appended));
        }
        store_pending(store, 3, &pending);
    }
    assert_true(heard_durable(&heard, 3, model.lists[3].appended));
    for (int i = 0; i < 2; i++) {
        atomic_store(&readings[i].done, true);
        base_thread_join(&threads[i]);
        assert_int_equal(readings[i].wrong, 0);
        assert_true(readings[i].reads > 0);
    }
    store_close(store);
    assert_int_equal(heard.lost_count, 0);
    assert_int_equal(heard.failures, 0);
}

// ---------------------------------------------------------------------------------------------------------
// What is no longer kept

static void told(void *context, const struct store_error *damage)
{
    (*(unsigned *)context)++;
    print_error("%s\n", damage->fault.text);
}

static unsigned damages_of(struct store *store)
{
    unsigned damages = 0;
    struct store_reader *reader = store_reader_open(store, &error);
    assert_true(store_verify(reader, told, &damages, &error));
    store_reader_close(reader);
    return damages;
}

static void compaction_keeps_what_is_needed(void **state)
{
    (void)state;
    char text[FAULT_TEXT_SIZE];
    struct store_options options = heard_options(&heard, place.folder);
    options.keep_bytes = 200000;
    struct store *store = open_with(options);
    for (uint32_t list = 1; list < MODEL_LISTS; list++) {
        assert_true(model_create(&model, store, list));
    }
    for (int i = 0; i < 1500; i++) {
        const uint32_t list = 1 + (uint32_t)i % (MODEL_LISTS - 1);
        assert_true(model_append(&model, store, list));
        if (i % 40 < 3) {
            assert_true(model_image(&model, store, list));
        }
    }
    struct store_reader *reader = store_reader_open(store, &error);
    for (uint32_t list = 1; list < MODEL_LISTS; list++) {
        assert_true(heard_durable(&heard, list, model.lists[list].appended));
        assert_true(image_comes(reader, list, model.lists[list].imaged));
    }
    struct store_list row;
    for (int i = 0; i < 6000 && store_bytes(store) > options.keep_bytes + 50000; i++) {
        (void)usleep(10000);
    }
    (void)usleep(100000);
    print_message("%d bytes\n", (int)store_bytes(store));
    assert_true(store_bytes(store) < options.keep_bytes + 50000);
    model_hear(&model, &heard);
    for (uint32_t list = 1; list < MODEL_LISTS; list++) {
        assert_int_equal(store_list_find(reader, list, &row, &error), FAULT_NONE);
        assert_true(row.first > 0);
        assert_true(row.images >= 1);
        struct store_image image;
        assert_int_equal(store_image_before(reader, list, row.first_tick, UINT64_MAX, &image, &error),
                         FAULT_NONE);
        assert_int_equal(image.position, row.first);
        assert_int_equal(store_image_before(reader, list, row.first_tick - 1, UINT64_MAX, &image, &error),
                         FAULT_NOT_FOUND);
        const struct store_entry *entries;
        uint32_t count;
        assert_int_equal(store_read(reader, list, row.first - 1, 1, 1, &entries, &count, &error),
                         FAULT_NOT_FOUND);
    }
    store_reader_close(reader);
    assert_int_equal(model_check(&model, store, text), RIGHT);
    assert_int_equal(damages_of(store), 0);
    store_close(store);
    store = open_with(options);
    assert_int_equal(model_check(&model, store, text), RIGHT);
    assert_int_equal(damages_of(store), 0);
    store_close(store);
}

// However fast entries come: a commit waits for compaction, not the other way round.
static void what_is_kept_stays_within_its_bound(void **state)
{
    enum { ROUNDS = 60, ENTRIES = 2000, SIZE = 200, ROUND = ENTRIES * (SIZE + 100) };
    (void)state;
    static const uint8_t some[SIZE] = "an entry";
    struct store_options options = heard_options(&heard, place.folder);
    options.keep_bytes = 2 * ROUND;
    struct store *store = open_with(options);
    struct store_reader *reader = store_reader_open(store, &error);
    struct base_buffer *bytes = noise(1000, 1);
    uint64_t position = 0, most = 0;
    assert_true(create(store, 1, "one"));
    for (int round = 0; round < ROUNDS; round++) {
        const uint64_t before = position;
        for (int i = 0; i < ENTRIES; i++) {
            const struct store_entry entry = {.position = ++position, .bytes = some, .size = SIZE};
            assert_true(store_append(store, 1, 1, &entry, 1));
        }
        // The store always has something to write.
        assert_true(heard_durable(&heard, 1, before));
        assert_true(round == 0 || add_image(store, 1, before, before, bytes));
        assert_true(round == 0 || image_comes(reader, 1, before));
        most = store_bytes(store) > most ? store_bytes(store) : most;
    }
    print_message("%d bytes of %d at most\n", (int)most, ROUNDS * ROUND);
    assert_true(most < options.keep_bytes + options.keep_bytes / 4 + 4 * ROUND);
    store_reader_close(reader);
    base_buffer_unref(bytes);
    assert_int_equal(damages_of(store), 0);
    store_close(store);
}

static void the_bin_is_emptied(void **state)
{
    (void)state;
    struct store_options options = heard_options(&heard, place.folder);
    struct store *store = open_with(options);
    for (uint32_t list = 1; list < MODEL_LISTS; list++) {
        assert_true(model_create(&model, store, list));
        assert_true(model_append(&model, store, list));
        assert_true(heard_durable(&heard, list, 1));
    }
    const uint64_t before = store_bytes(store);
    assert_true(store_bin(store, 3));
    assert_true(store_bin(store, 2));
    assert_true(store_unbin(store, 2));
    store_close(store);
    options.bin_seconds = 0;
    store = open_with(options);
    struct store_reader *reader = store_reader_open(store, &error);
    struct store_list row;
    for (int i = 0; i < 6000 && store_list_find(reader, 3, &row, &error) == FAULT_NONE; i++) {
        (void)usleep(10000);
    }
    assert_int_equal(store_list_find(reader, 3, &row, &error), FAULT_NOT_FOUND);
    assert_int_equal(store_list_find(reader, 2, &row, &error), FAULT_NONE);
    assert_false(row.binned);
    assert_int_equal(store_take_over(store, 3, &error), 0);
    store_reader_close(reader);
    for (int i = 0; i < 6000 && store_bytes(store) >= before; i++) {
        (void)usleep(10000);
    }
    store_close(store);
    store = open_with(options); // the mark was of list 3
    assert_non_null(store);
    assert_int_equal(store_last_list(store), 3);
    assert_int_equal(damages_of(store), 0);
    store_close(store);
}

// Numbers of pieces say which image was there first. Those of a list that is gone are not used again below what an image has
// seen, or its pieces would be taken for older ones.
static void numbers_of_pieces_only_grow(void **state)
{
    (void)state;
    struct store_options options = heard_options(&heard, place.folder);
    options.bin_seconds = 0;
    struct base_buffer *same = noise(200000, 1), *other = noise(2000000, 2), *changed = noise(300000, 3);
    const struct store_image head = {0};
    struct store *store = open_with(options);
    assert_true(store_create(store, 1, "one", &head, same));
    assert_true(store_create(store, 2, "two", &head, other));
    struct store_reader *reader = store_reader_open(store, &error);
    assert_true(image_comes(reader, 2, 0)); // the next image has seen all its pieces
    assert_true(append(store, 1, 1, 1, "1"));
    assert_true(add_image(store, 1, 1, 10, same));
    assert_true(image_comes(reader, 1, 1));
    assert_true(store_bin(store, 2));
    const uint64_t all = 2200000;
    for (int i = 0; i < 6000 && store_bytes(store) > all / 2; i++) {
        (void)usleep(10000);
    }
    store_reader_close(reader);
    store_close(store);
    store = open_with(options);
    assert_true(append(store, 1, 1, 2, "2"));
    assert_true(add_image(store, 1, 2, 20, changed));
    reader = store_reader_open(store, &error);
    assert_true(image_comes(reader, 1, 2));
    store_reader_close(reader);
    store_close(store);
    options.keep_bytes = 100000; // only the newest image is kept
    store = open_with(options);
    reader = store_reader_open(store, &error);
    struct store_list row = {0};
    for (int i = 0; i < 6000 && row.first < 2; i++) {
        (void)usleep(10000);
        assert_int_equal(store_list_find(reader, 1, &row, &error), FAULT_NONE);
    }
    (void)usleep(100000);
    uint8_t *bytes;
    size_t size;
    assert_int_equal(store_image_read(reader, 1, 2, &bytes, &size, &error), FAULT_NONE);
    assert_memory_equal(bytes, changed->data, size);
    free(bytes);
    store_reader_close(reader);
    assert_int_equal(damages_of(store), 0);
    store_close(store);
    base_buffer_unref(same);
    base_buffer_unref(other);
    base_buffer_unref(changed);
}

int main(int argc, char **argv)
{
    step = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : step;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_call_fails, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_failed_sync_is_told_and_nothing_more_is_durable, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_full_disk_waits_for_room, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_list_without_room_for_its_first_image_is_not_taken_over, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_lacks_room_for_another_reason_waits_as_well, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_waits_is_written_where_the_reserve_was, set_up, tear_down),
        cmocka_unit_test_setup_teardown(readers_see_what_is_whole, set_up, tear_down),
        cmocka_unit_test_setup_teardown(compaction_keeps_what_is_needed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_kept_stays_within_its_bound, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_bin_is_emptied, set_up, tear_down),
        cmocka_unit_test_setup_teardown(numbers_of_pieces_only_grow, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
