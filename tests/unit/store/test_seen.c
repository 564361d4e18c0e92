// Data that is removed by age: by the time that the store itself has seen pass, never by the wall clock.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helper_store.h"
#include "store/store.h"

#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

enum { DAY = 86400 };

static struct heard heard;
static struct place place;
static struct store_error error;
static atomic_uint_fast64_t clock_s; // it starts somewhere else with each start of the machine

static uint64_t test_clock_ns(void)
{
    return atomic_load(&clock_s) * UINT64_C(1000000000);
}

static void pass(uint64_t seconds)
{
    atomic_fetch_add(&clock_s, seconds);
}

static int set_up(void **state)
{
    (void)state;
    heard_init(&heard);
    place_make(&place);
    atomic_store(&clock_s, 1000);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    place_remove(&place);
    heard_deinit(&heard);
    return 0;
}

static struct store_options options_on(const char *folder)
{
    struct store_options options = heard_options(&heard, folder);
    options.clock_ns = test_clock_ns;
    options.keep_seconds = (uint64_t)30 * DAY;
    options.bin_seconds = DAY;
    return options;
}

// The machine has been started again meanwhile.
static struct store *open_store(void)
{
    const struct store_options options = options_on(place.folder);
    atomic_store(&clock_s, 7);
    struct store *store = store_open(&options, &error);
    assert_non_null(store);
    return store;
}

static void change_database(const char *text)
{
    char path[120];
    sqlite3 *db;
    (void)snprintf(path, sizeof path, "%s/weft.db", place.folder);
    // By the store's own table of file operations, so that the pages are as if the store had written them.
    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, "weft-unix"), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static struct store_list row_of(struct store *store, uint32_t list)
{
    struct store_list row = {0};
    struct store_reader *reader = store_reader_open(store, &error);
    (void)store_list_find(reader, list, &row, &error);
    store_reader_close(reader);
    return row;
}

static bool is_there(struct store *store, uint32_t list)
{
    return row_of(store, list).created_at > 0;
}

static bool goes(struct store *store, uint32_t list)
{
    struct store_list row;
    struct store_reader *reader = store_reader_open(store, &error);
    bool there = true;
    for (int i = 0; i < 6000 && there; i++) {
        there = store_list_find(reader, list, &row, &error) == FAULT_NONE;
        (void)usleep(there ? 10000 : 0);
    }
    store_reader_close(reader);
    return !there;
}

// A list with an image after each of two entries. `at` is what the wall clock says.
static void fill(struct store *store, uint32_t list, uint64_t at)
{
    assert_true(create(store, list, "of a test"));
    for (uint64_t position = 1; position <= 2; position++) {
        struct base_buffer *bytes = noise(100, position);
        const struct store_image image = {.position = position, .tick = position, .at = at};
        assert_true(append(store, list, 1, position, "an entry"));
        assert_true(heard_durable(&heard, list, position) || store_kind(store)[0] == 'm');
        assert_true(store_image_add(store, list, &image, bytes));
        base_buffer_unref(bytes);
        struct store_reader *reader = store_reader_open(store, &error);
        assert_true(image_comes(reader, list, position));
        store_reader_close(reader);
    }
}

// Lists are looked at by their ids: once the last one has gone, all others have been looked at, and stay.
enum { AHEAD = 1, BEHIND, PAST, LAST };

static void the_wall_clock_empties_no_bin_and_removes_no_past(void **state)
{
    (void)state;
    struct store *store = open_store();
    fill(store, AHEAD, 5);
    fill(store, BEHIND, 5);
    fill(store, PAST, 5); // long ago, as the wall clock has it
    fill(store, LAST, 5);
    assert_true(store_bin(store, LAST));
    pass(DAY / 2);
    assert_true(store_bin(store, AHEAD));
    assert_true(store_bin(store, BEHIND));
    pass(1);
    store_close(store);
    change_database("UPDATE lists SET binned_at = binned_at + 3600 WHERE list = 1;" // it was set back
                    "UPDATE lists SET binned_at = binned_at - 60 * 86400 WHERE list = 2;");
    store = open_store();
    pass(DAY / 2 - 2);
    assert_int_equal(row_of(store, LAST).binned_for, DAY - 1);
    assert_int_equal(row_of(store, AHEAD).binned_for, DAY / 2 - 1);
    pass(1);
    assert_true(goes(store, LAST));
    assert_true(is_there(store, AHEAD));
    assert_true(is_there(store, BEHIND));
    assert_int_equal(row_of(store, PAST).images, 3);
    store_close(store);

    store = open_store();
    pass(DAY / 2);
    assert_true(goes(store, AHEAD));
    assert_true(goes(store, BEHIND));
    assert_int_equal(row_of(store, PAST).images, 3);
    store_close(store);
    store = open_store();
    pass((uint64_t)30 * DAY);
    store_close(store); // which writes down that they have passed
    store = open_store();
    for (int i = 0; i < 6000 && row_of(store, PAST).images > 1; i++) {
        (void)usleep(10000);
    }
    assert_int_equal(row_of(store, PAST).images, 1);
    store_close(store);
}

// It has no times that any server saw: all in it begins to age now.
static void a_folder_from_before_begins_to_age_now(void **state)
{
    (void)state;
    struct store *store = open_store();
    fill(store, AHEAD, 5);
    assert_true(store_bin(store, AHEAD));
    fill(store, PAST, 5);
    store_close(store);
    change_database("UPDATE lists SET binned_at = 5 WHERE list = 1;"
                    "ALTER TABLE store DROP COLUMN seen; ALTER TABLE lists DROP COLUMN binned_seen;"
                    "ALTER TABLE images DROP COLUMN seen; PRAGMA user_version = 1");
    store = open_store();
    pass(1);
    fill(store, LAST, 5);
    assert_int_equal(row_of(store, AHEAD).binned_for, 1);
    assert_int_equal(row_of(store, PAST).images, 3);
    store_close(store);
    store = open_store();
    pass(DAY - 1);
    assert_true(goes(store, AHEAD));
    assert_int_equal(row_of(store, PAST).images, 3);
    store_close(store);
}

static void in_memory_it_is_the_same(void **state)
{
    (void)state;
    const struct store_options options = options_on(NULL);
    struct store *store = store_open(&options, &error);
    fill(store, PAST, 5);
    fill(store, AHEAD, 5);
    assert_true(store_bin(store, AHEAD));
    pass(DAY - 1);
    (void)store_bytes(store);
    assert_int_equal(row_of(store, AHEAD).binned_for, DAY - 1);
    assert_int_equal(row_of(store, PAST).images, 3);
    pass(1);
    (void)store_bytes(store);
    assert_true(goes(store, AHEAD));
    pass((uint64_t)29 * DAY);
    assert_true(append(store, PAST, 1, 3, "an entry"));
    assert_int_equal(row_of(store, PAST).images, 1);
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_wall_clock_empties_no_bin_and_removes_no_past, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_folder_from_before_begins_to_age_now, set_up, tear_down),
        cmocka_unit_test_setup_teardown(in_memory_it_is_the_same, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
