// The store in a folder: what was durable is there when it is opened again; one server at a time; images share pieces.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helper_store.h"
#include "store/sqlite.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct heard heard;
static struct place place;
static struct store_error error;

static int set_up(void **state)
{
    (void)state;
    heard_init(&heard);
    place_make(&place);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    place_remove(&place);
    heard_deinit(&heard);
    return 0;
}

static struct store *open_store(void)
{
    const struct store_options options = heard_options(&heard, place.folder);
    struct store *store = store_open(&options, &error);
    if (!store) {
        print_error("%s\n", error.fault.text);
    }
    return store;
}

static void what_was_durable_is_there_again(void **state)
{
    (void)state;
    struct store *store = open_store();
    assert_non_null(store);
    assert_string_equal(store_kind(store), "sqlite");
    assert_true(store_lasts(store));
    assert_true(create(store, 2, "two"));
    assert_true(create(store, 7, "seven"));
    char text[32];
    for (uint64_t p = 1; p <= 1000; p++) {
        (void)snprintf(text, sizeof text, "entry %d", (int)p);
        assert_true(append(store, 2, 1, p, text));
    }
    assert_true(append(store, 7, 1, 1, ""));
    assert_true(heard_durable(&heard, 2, 1000));
    assert_true(heard_durable(&heard, 7, 1));
    struct base_buffer *bytes = noise(500000, 1);
    assert_true(add_image(store, 2, 600, 6000, bytes));
    assert_true(store_label(store, 7, "sieben"));
    assert_int_equal(store_take_over(store, 7, &error), 2);
    store_close(store);

    store = open_store();
    assert_non_null(store);
    assert_int_equal(store_last_list(store), 7);
    struct store_reader *reader = store_reader_open(store, &error);
    struct store_list *lists;
    uint32_t count;
    assert_int_equal(store_lists(reader, &lists, &count, &error), FAULT_NONE);
    assert_int_equal(count, 2);
    assert_string_equal(lists[0].label, "two");
    assert_int_equal(lists[0].last, 1000);
    assert_int_equal(lists[0].last_tick, 10000);
    assert_int_equal(lists[0].images, 2);
    assert_int_equal(lists[0].epoch, 1);
    assert_true(lists[0].bytes > 500000 && lists[0].bytes < 600000);
    assert_string_equal(lists[1].label, "sieben");
    assert_int_equal(lists[1].epoch, 2);
    free(lists);
    const struct store_entry *entries;
    uint64_t after = 0;
    while (store_read(reader, 2, after, 97, 500, &entries, &count, &error) == FAULT_NONE && count > 0) {
        for (uint32_t i = 0; i < count; i++) {
            after++;
            (void)snprintf(text, sizeof text, "entry %d", (int)after);
            assert_int_equal(entries[i].position, after);
            assert_int_equal(entries[i].tick, 10 * after);
            assert_int_equal(entries[i].kind, after % 3);
            assert_int_equal(entries[i].at, 1000 + after);
            assert_int_equal(entries[i].size, strlen(text));
            assert_memory_equal(entries[i].bytes, text, strlen(text));
        }
    }
    assert_int_equal(after, 1000);
    uint64_t position;
    assert_int_equal(store_position_at(reader, 2, 5555, &position, &error), FAULT_NONE);
    assert_int_equal(position, 555);
    assert_int_equal(store_position_at(reader, 2, 5, &position, &error), FAULT_NONE);
    assert_int_equal(position, 0);
    assert_int_equal(store_position_at(reader, 2, UINT64_MAX, &position, &error), FAULT_NONE);
    assert_int_equal(position, 1000);
    uint8_t *read;
    size_t size;
    assert_int_equal(store_image_read(reader, 2, 600, &read, &size, &error), FAULT_NONE);
    assert_int_equal(size, 500000);
    assert_memory_equal(read, bytes->data, size);
    free(read);
    assert_int_equal(store_image_read(reader, 2, 0, &read, &size, &error), FAULT_NONE);
    assert_int_equal(size, 5);
    free(read);
    assert_int_equal(store_image_read(reader, 2, 1, &read, &size, &error), FAULT_NOT_FOUND);
    assert_int_equal(store_read(reader, 3, 0, 1, 1, &entries, &count, &error), FAULT_NOT_FOUND);
    base_buffer_unref(bytes);
    // It goes on where it was.
    assert_true(append(store, 2, 1, 1001, "more"));
    assert_true(append(store, 7, 2, 2, "more"));
    assert_true(heard_durable(&heard, 2, 1001));
    assert_true(heard_durable(&heard, 7, 2));
    assert_int_equal(heard.lost_count, 0);
    store_reader_close(reader);
    store_close(store);
    assert_int_equal(heard.failures, 0);
}

// The commits of a list, the first of which waits until it may go on.
struct commits {
    struct base_mutex mutex;
    struct base_cond cond;
    bool waits, may_go_on;
    uint64_t ended_at[8];
    uint32_t count;
};

static void hold_first(void *context, uint32_t list, uint64_t position)
{
    struct commits *commits = context;
    (void)list;
    base_mutex_lock(&commits->mutex);
    commits->waits = true;
    base_cond_broadcast(&commits->cond);
    while (!commits->may_go_on) {
        base_cond_wait(&commits->cond, &commits->mutex);
    }
    if (commits->count < 8) {
        commits->ended_at[commits->count++] = position;
    }
    base_mutex_unlock(&commits->mutex);
}

static void what_belongs_together_is_never_committed_apart(void **state)
{
    (void)state;
    struct commits commits = {0};
    base_mutex_init(&commits.mutex);
    base_cond_init(&commits.cond);
    struct store_options options = heard_options(&heard, place.folder);
    options.on_commit = hold_first;
    options.context = &commits;
    struct store *store = store_open(&options, &error);
    assert_non_null(store);
    assert_true(create(store, 1, "one"));
    assert_true(append(store, 1, 1, 1, "first"));
    base_mutex_lock(&commits.mutex);
    while (!commits.waits) {
        base_cond_wait(&commits.cond, &commits.mutex);
    }
    base_mutex_unlock(&commits.mutex);
    // So much waits by now that a transaction is full in the midst of three that belong together.
    const uint64_t fills = 1 + STORE_SQLITE_BATCH_ENTRIES - 1;
    for (uint64_t p = 2; p <= fills; p++) {
        assert_true(append(store, 1, 1, p, ""));
    }
    struct store_entry three[3] = {{.position = fills + 1}, {.position = fills + 2}, {.position = fills + 3}};
    for (int i = 0; i < 3; i++) {
        three[i].tick = 10 * (fills + 3);
    }
    assert_true(store_append(store, 1, 1, three, 3));
    assert_true(append(store, 1, 1, fills + 4, "last"));
    base_mutex_lock(&commits.mutex);
    commits.may_go_on = true;
    base_cond_broadcast(&commits.cond);
    base_mutex_unlock(&commits.mutex);
    store_close(store);
    assert_int_equal(commits.count, 3);
    assert_int_equal(commits.ended_at[0], 1);
    assert_int_equal(commits.ended_at[1], fills + 3);
    assert_int_equal(commits.ended_at[2], fills + 4);
    base_cond_deinit(&commits.cond);
    base_mutex_deinit(&commits.mutex);
}

static void of_what_does_not_fit_nothing_is_taken(void **state)
{
    (void)state;
    struct store *store = open_store();
    assert_true(create(store, 1, "one"));
    const struct store_entry apart[2] = {{.position = 1}, {.position = 3}};
    assert_true(store_append(store, 1, 1, apart, 2));
    store_close(store);
    assert_int_equal(heard.lost_count, 1);
    assert_non_null(strstr(heard.text, "position 2; one came for position 3"));
    assert_int_equal(heard.durable[1], 0);
}

static void images_are_found_by_tick_and_position(void **state)
{
    (void)state;
    struct store *store = open_store();
    assert_true(create(store, 1, "one"));
    struct base_buffer *bytes = noise(100, 3);
    for (uint64_t p = 1; p <= 300; p++) {
        assert_true(append(store, 1, 1, p, "entry"));
        if (p % 7 == 0) {
            assert_true(add_image(store, 1, p, 10 * p, bytes));
        }
    }
    base_buffer_unref(bytes);
    struct store_reader *reader = store_reader_open(store, &error);
    assert_true(image_comes(reader, 1, 294));
    for (uint64_t tick = 0; tick < 3100; tick += 13) {
        for (uint64_t position = 0; position < 310; position += 31) {
            struct store_image image;
            const uint64_t by_tick = tick / 70 * 7, by_position = position / 7 * 7;
            uint64_t expected = by_tick < by_position ? by_tick : by_position;
            expected = expected > 294 ? 294 : expected;
            assert_int_equal(store_image_before(reader, 1, tick, position, &image, &error), FAULT_NONE);
            assert_int_equal(image.position, expected);
        }
    }
    struct store_image *images;
    uint32_t count;
    assert_int_equal(store_images(reader, 1, &images, &count, &error), FAULT_NONE);
    assert_int_equal(count, 43);
    assert_int_equal(images[42].position, 294);
    free(images);
    store_reader_close(reader);
    store_close(store);
}

static void a_folder_has_one_server(void **state)
{
    (void)state;
    struct store *store = open_store();
    assert_non_null(store);
    const struct store_options options = heard_options(&heard, place.folder);
    assert_null(store_open(&options, &error));
    assert_int_equal(error.fault.code, FAULT_BUSY);
    char pid[32];
    (void)snprintf(pid, sizeof pid, "process %d", (int)getpid());
    assert_non_null(strstr(error.fault.text, pid));
    // Nor from another process, which the first attempt must not have made possible.
    // Runs this program again: locks that other threads held at a fork are never released in the child.
    const pid_t child = fork();
    if (child == 0) {
        (void)execl("/proc/self/exe", "test_store_sqlite", place.folder, (char *)NULL);
        _exit(2);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    // A process that only reads may.
    assert_true(create(store, 1, "one"));
    assert_true(append(store, 1, 1, 1, "first"));
    assert_true(heard_durable(&heard, 1, 1));
    struct store_options reading = options;
    reading.read_only = true;
    struct store *tool = store_open(&reading, &error);
    assert_non_null(tool);
    assert_int_equal(store_last_list(tool), 1);
    struct store_reader *reader = store_reader_open(tool, &error);
    struct store_list list;
    assert_int_equal(store_list_find(reader, 1, &list, &error), FAULT_NONE);
    assert_int_equal(list.last, 1);
    assert_true(append(store, 1, 1, 2, "second"));
    assert_true(heard_durable(&heard, 1, 2));
    assert_int_equal(store_list_find(reader, 1, &list, &error), FAULT_NONE);
    assert_int_equal(list.last, 2);
    assert_false(create(tool, 3, "three"));
    store_reader_close(reader);
    store_close(tool);
    store_close(store);
    store = open_store();
    assert_non_null(store);
    store_close(store);
}

static void another_writer_is_refused(void **state)
{
    (void)state;
    struct store *store = open_store();
    assert_true(create(store, 1, "one"));
    assert_true(append(store, 1, 1, 1, "first"));
    assert_int_equal(store_take_over(store, 1, &error), 2);
    assert_int_equal(store_take_over(store, 1, &error), 3);
    assert_true(append(store, 1, 2, 2, "late"));
    assert_true(append(store, 1, 3, 2, "second"));
    assert_true(append(store, 1, 3, 4, "a gap"));
    assert_true(append(store, 9, 1, 1, "nowhere"));
    assert_true(heard_durable(&heard, 1, 2));
    assert_int_equal(store_take_over(store, 9, &error), 0);
    assert_int_equal(error.fault.code, FAULT_NOT_FOUND);
    store_close(store);
    assert_true(heard.lost_count >= 2);
    store = open_store();
    struct store_reader *reader = store_reader_open(store, &error);
    struct store_list list;
    assert_int_equal(store_list_find(reader, 1, &list, &error), FAULT_NONE);
    assert_int_equal(list.epoch, 3);
    assert_int_equal(list.last, 2);
    store_reader_close(reader);
    store_close(store);
}

static uint64_t stored(void)
{
    char path[120];
    (void)snprintf(path, sizeof path, "%s/weft.db", place.folder);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const long size = ftell(file);
    (void)fclose(file);
    return (uint64_t)size;
}

// A megabyte of which a little is changed, and one that is the same.
static void images_share_what_did_not_change(void **state)
{
    (void)state;
    struct store *store = open_store();
    assert_true(create(store, 1, "one"));
    assert_true(append(store, 1, 1, 1, "1"));
    struct base_buffer *first = noise(4000000, 1);
    assert_true(add_image(store, 1, 1, 10, first));
    store_close(store);
    const uint64_t one = stored();
    assert_true(one > 4000000 && one < 4300000);

    store = open_store(); // what the newest image has is found again
    struct base_buffer *changed = bytes_of(first->data, first->size);
    memset(changed->data + 2000000, 1, 100);
    assert_true(append(store, 1, 1, 2, "2"));
    assert_true(add_image(store, 1, 2, 20, changed));
    // Something comes in near the front: what lies behind it is found all the same.
    struct base_buffer *longer = base_buffer_create(4000100, NULL);
    memcpy(longer->data, first->data, 100000);
    memset(longer->data + 100000, 7, 100);
    memcpy(longer->data + 100100, first->data + 100000, 3900000);
    assert_true(append(store, 1, 1, 3, "3"));
    assert_true(add_image(store, 1, 3, 30, longer));
    for (uint64_t p = 4; p < 24; p++) {
        assert_true(append(store, 1, 1, p, "the same"));
        assert_true(add_image(store, 1, p, 10 * p, longer));
    }
    store_close(store);
    const uint64_t all = stored();
    print_message("one image: %llu bytes; another two and 20 the same: %llu more\n", (unsigned long long)one,
                  (unsigned long long)(all - one));
    assert_true(all - one < 700000);
    store = open_store();
    struct store_reader *reader = store_reader_open(store, &error);
    uint8_t *read;
    size_t size;
    const struct base_buffer *expected[] = {first, changed, longer};
    for (uint64_t p = 1; p <= 3; p++) {
        assert_int_equal(store_image_read(reader, 1, p, &read, &size, &error), FAULT_NONE);
        assert_int_equal(size, expected[p - 1]->size);
        assert_memory_equal(read, expected[p - 1]->data, size);
        free(read);
    }
    assert_int_equal(store_image_read(reader, 1, 23, &read, &size, &error), FAULT_NONE);
    assert_memory_equal(read, longer->data, size);
    free(read);
    store_reader_close(reader);
    store_close(store);
    base_buffer_unref(first);
    base_buffer_unref(changed);
    base_buffer_unref(longer);
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

static uint64_t images_of(struct store *store, uint32_t list)
{
    struct store_reader *reader = store_reader_open(store, &error);
    struct store_list found;
    assert_int_equal(store_list_find(reader, list, &found, &error), FAULT_NONE);
    store_reader_close(reader);
    return found.images;
}

// Somebody waits for it, and for those of lists that go on nobody does.
static void a_first_image_waits_for_no_others(void **state)
{
    (void)state;
    enum { IMAGES = 16, SIZE = 8000000 };
    struct store *store = open_store();
    assert_true(create(store, 1, "one"));
    for (uint64_t p = 1; p <= IMAGES; p++) {
        struct base_buffer *bytes = noise(SIZE, p);
        assert_true(append(store, 1, 1, p, "more"));
        assert_true(add_image(store, 1, p, 10 * p, bytes));
        base_buffer_unref(bytes);
    }
    struct base_buffer *bytes = noise(SIZE, IMAGES + 1);
    assert_true(create(store, 2, "two"));
    assert_true(append(store, 2, 1, 1, "first"));
    assert_true(add_image(store, 2, 1, 10, bytes)); // and is packed behind it
    base_buffer_unref(bytes);
    assert_true(heard_durable(&heard, 2, 1));
    assert_in_range(images_of(store, 1), 1, IMAGES);
    store_close(store);
    store = open_store();
    assert_int_equal(images_of(store, 1), 1 + IMAGES);
    assert_int_equal(images_of(store, 2), 2);
    for (uint32_t list = 1; list <= 2; list++) {
        struct store_reader *reader = store_reader_open(store, &error);
        uint8_t *read;
        size_t size;
        assert_int_equal(store_image_read(reader, list, list == 1 ? IMAGES : 1, &read, &size, &error),
                         FAULT_NONE);
        assert_int_equal(size, SIZE);
        free(read);
        store_reader_close(reader);
    }
    store_close(store);
}

static void a_later_version_and_another_program_are_refused(void **state)
{
    (void)state;
    struct store *store = open_store();
    store_close(store);
    change_database("PRAGMA user_version = 3");
    const struct store_options options = heard_options(&heard, place.folder);
    assert_null(store_open(&options, &error));
    assert_int_equal(error.fault.code, FAULT_VERSION);
    change_database("PRAGMA user_version = 2");
    store = store_open(&options, &error);
    assert_non_null(store);
    store_close(store);
    change_database("PRAGMA application_id = 7");
    assert_null(store_open(&options, &error));
    assert_int_equal(error.fault.code, FAULT_DAMAGED);
}

static void told(void *context, const struct store_error *damage)
{
    (*(uint32_t *)context)++;
    print_message("%s\n", damage->fault.text);
}

static void a_changed_row_is_told(void **state)
{
    (void)state;
    struct store *store = open_store();
    assert_true(create(store, 1, "one"));
    for (uint64_t p = 1; p <= 100; p++) {
        assert_true(append(store, 1, 1, p, "entry"));
    }
    struct base_buffer *bytes = noise(100000, 5);
    assert_true(add_image(store, 1, 50, 500, bytes));
    base_buffer_unref(bytes);
    store_close(store);
    static const struct {
        const char *change;
        uint64_t position;
    } cases[] = {
        {"UPDATE entries SET bytes = x'00' WHERE position = 30", 30},
        {"UPDATE entries SET at = at + 1 WHERE position = 31", 31},
        {"DELETE FROM entries WHERE position = 32", 32},
        {"UPDATE images SET hash = hash + 1 WHERE position = 50", 50},
        {"UPDATE pieces SET bytes = zeroblob(10) WHERE size > 10000", 50},
        {"DELETE FROM entries WHERE position > 90", 100},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        store = open_store();
        assert_non_null(store);
        struct store_reader *reader = store_reader_open(store, &error);
        char copy[120];
        (void)snprintf(copy, sizeof copy, "%s/copy%u", place.above, i);
        assert_int_equal(store_backup(reader, copy, NULL, NULL, &error), FAULT_NONE);
        uint32_t damages = 0;
        assert_true(store_verify(reader, told, &damages, &error));
        assert_int_equal(damages, 0);
        store_reader_close(reader);
        store_close(store);
        char kept[sizeof place.folder];
        memcpy(kept, place.folder, sizeof kept);
        if (i < 5) {
            memcpy(place.folder, copy, strlen(copy) + 1);
        }
        change_database(cases[i].change);
        struct store_options options = heard_options(&heard, place.folder);
        options.read_only = true;
        store = store_open(&options, &error);
        assert_non_null(store);
        reader = store_reader_open(store, &error);
        assert_true(store_verify(reader, told, &damages, &error));
        assert_true(damages > 0);
        store_reader_close(reader);
        store_close(store);
        memcpy(place.folder, kept, sizeof kept);
    }
    // The last was done to the folder itself: its mark knows better.
    const struct store_options options = heard_options(&heard, place.folder);
    store = store_open(&options, &error);
    assert_non_null(store);
    assert_int_equal(store_take_over(store, 1, &error), 0);
    assert_int_equal(error.fault.code, FAULT_DAMAGED);
    assert_int_equal(error.position, 100);
    assert_non_null(strstr(error.fault.text, "ends at position 90, but was safely on the disk up to 100"));
    store_close(store);
}

static void a_backup_opens(void **state)
{
    (void)state;
    struct store *store = open_store();
    assert_true(create(store, 1, "one"));
    for (uint64_t p = 1; p <= 5000; p++) {
        assert_true(append(store, 1, 1, p, "some bytes of an entry"));
    }
    assert_true(heard_durable(&heard, 1, 3000));
    struct store_reader *reader = store_reader_open(store, &error);
    char copy[sizeof place.folder];
    (void)snprintf(copy, sizeof copy, "%s/copy", place.above);
    assert_int_equal(store_backup(reader, copy, NULL, NULL, &error), FAULT_NONE);
    assert_int_equal(store_backup(reader, copy, NULL, NULL, &error), FAULT_IO);
    store_reader_close(reader);
    store_close(store);
    const struct store_options options = heard_options(&heard, copy);
    store = store_open(&options, &error);
    assert_non_null(store);
    reader = store_reader_open(store, &error);
    struct store_list list;
    assert_int_equal(store_list_find(reader, 1, &list, &error), FAULT_NONE);
    assert_true(list.last >= 3000);
    uint32_t damages = 0;
    assert_true(store_verify(reader, told, &damages, &error));
    assert_int_equal(damages, 0);
    assert_true(append(store, 1, 1, list.last + 1, "goes on"));
    store_reader_close(reader);
    store_close(store);
    assert_int_equal(heard.lost_count, 0);
}

// Status 0: the folder is in use.
static int open_in_use(const char *folder)
{
    heard_init(&heard);
    const struct store_options options = heard_options(&heard, folder);
    const struct store *other = store_open(&options, &error);
    return !other && error.fault.code == FAULT_BUSY ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        return open_in_use(argv[1]);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_was_durable_is_there_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_belongs_together_is_never_committed_apart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(of_what_does_not_fit_nothing_is_taken, set_up, tear_down),
        cmocka_unit_test_setup_teardown(images_are_found_by_tick_and_position, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_folder_has_one_server, set_up, tear_down),
        cmocka_unit_test_setup_teardown(another_writer_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(images_share_what_did_not_change, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_first_image_waits_for_no_others, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_later_version_and_another_program_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_changed_row_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_backup_opens, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
