// The store in memory: what is appended is durable at once and read back, and it is bounded.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helper_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void what_is_written_is_read(void **state)
{
    (void)state;
    struct heard heard;
    heard_init(&heard);
    struct store_error error;
    struct store_options options = heard_options(&heard, NULL);
    struct store *store = store_open(&options, &error);
    assert_non_null(store);
    assert_string_equal(store_kind(store), "memory");
    assert_false(store_lasts(store));
    assert_int_equal(store_last_list(store), 0);
    assert_true(create(store, 5, "five"));
    assert_true(create(store, 2, "two"));
    assert_int_equal(store_last_list(store), 5);
    char text[16];
    for (uint64_t p = 1; p <= 100; p++) {
        (void)snprintf(text, sizeof text, "entry %d", (int)p);
        assert_true(append(store, 2, 1, p, text));
        assert_int_equal(heard.durable[2], p);
    }
    struct store_pending pending;
    store_pending(store, 2, &pending);
    assert_int_equal(pending.durable, 100);
    assert_int_equal(pending.bytes, 0);
    struct base_buffer *bytes = noise(1000, 1);
    assert_true(add_image(store, 2, 60, 600, bytes));

    struct store_reader *reader = store_reader_open(store, &error);
    struct store_list *lists;
    uint32_t count;
    assert_int_equal(store_lists(reader, &lists, &count, &error), FAULT_NONE);
    assert_int_equal(count, 2);
    assert_int_equal(lists[0].list, 2);
    assert_string_equal(lists[0].label, "two");
    assert_int_equal(lists[0].epoch, 1);
    assert_int_equal(lists[0].first, 0);
    assert_int_equal(lists[0].last, 100);
    assert_int_equal(lists[0].last_tick, 1000);
    assert_int_equal(lists[0].images, 2);
    assert_int_equal(lists[1].last, 0);
    free(lists);

    const struct store_entry *entries;
    assert_int_equal(store_read(reader, 2, 0, 7, SIZE_MAX, &entries, &count, &error), FAULT_NONE);
    assert_int_equal(count, 7);
    assert_int_equal(store_read(reader, 2, 90, 1000, 1, &entries, &count, &error), FAULT_NONE);
    assert_int_equal(count, 1);
    assert_int_equal(entries[0].position, 91);
    assert_int_equal(entries[0].kind, 91 % 3);
    assert_memory_equal(entries[0].bytes, "entry 91", 8);
    assert_int_equal(store_read(reader, 2, 100, 10, 10, &entries, &count, &error), FAULT_NONE);
    assert_int_equal(count, 0);
    assert_int_equal(store_read(reader, 3, 0, 10, 10, &entries, &count, &error), FAULT_NOT_FOUND);

    uint64_t position;
    assert_int_equal(store_position_at(reader, 2, 555, &position, &error), FAULT_NONE);
    assert_int_equal(position, 55);
    assert_int_equal(store_position_at(reader, 2, 9, &position, &error), FAULT_NONE);
    assert_int_equal(position, 0);
    struct store_image image;
    assert_int_equal(store_image_before(reader, 2, 599, UINT64_MAX, &image, &error), FAULT_NONE);
    assert_int_equal(image.position, 0);
    assert_int_equal(store_image_before(reader, 2, UINT64_MAX, UINT64_MAX, &image, &error), FAULT_NONE);
    assert_int_equal(image.position, 60);
    assert_int_equal(image.hash, 67);
    uint8_t *read;
    size_t size;
    assert_int_equal(store_image_read(reader, 2, 60, &read, &size, &error), FAULT_NONE);
    assert_int_equal(size, 1000);
    assert_memory_equal(read, bytes->data, size);
    free(read);
    assert_int_equal(store_image_read(reader, 2, 61, &read, &size, &error), FAULT_NOT_FOUND);
    base_buffer_unref(bytes);
    store_reader_close(reader);
    store_close(store);
    heard_deinit(&heard);
}

static void another_writer_is_refused(void **state)
{
    (void)state;
    struct heard heard;
    heard_init(&heard);
    struct store_error error;
    struct store_options options = heard_options(&heard, NULL);
    struct store *store = store_open(&options, &error);
    assert_true(create(store, 1, "one"));
    assert_true(append(store, 1, 1, 1, "first"));
    assert_true(append(store, 1, 1, 3, "a gap"));
    assert_int_equal(heard.lost_count, 1);
    assert_int_equal(heard.lost_list, 1);
    assert_int_equal(store_take_over(store, 1, &error), 2);
    assert_true(append(store, 1, 1, 2, "late"));
    assert_int_equal(heard.lost_count, 2);
    assert_true(append(store, 1, 2, 2, "second"));
    assert_int_equal(heard.lost_count, 2);
    assert_int_equal(heard.durable[1], 2);
    assert_true(append(store, 9, 1, 1, "nowhere"));
    assert_int_equal(heard.lost_list, 9);
    assert_int_equal(store_take_over(store, 9, &error), 0);
    assert_int_equal(error.fault.code, FAULT_NOT_FOUND);
    assert_true(create(store, 1, "again"));
    assert_int_equal(heard.lost_count, 4);
    store_close(store);
    heard_deinit(&heard);
}

static void all_of_what_belongs_together_is_taken_or_none(void **state)
{
    (void)state;
    struct heard heard;
    heard_init(&heard);
    struct store_error error;
    struct store_options options = heard_options(&heard, NULL);
    struct store *store = store_open(&options, &error);
    const struct store_entry entries[] = {{.position = 1}, {.position = 2}, {.position = 4}};
    assert_true(create(store, 1, "one"));
    assert_true(store_append(store, 1, 1, entries, 3));
    assert_int_equal(heard.lost_count, 1);
    assert_non_null(strstr(heard.text, "position 3; one came for position 4"));
    assert_int_equal(heard.durable[1], 0);
    assert_true(store_append(store, 1, 1, entries, 2));
    assert_int_equal(heard.lost_count, 1);
    assert_int_equal(heard.durable[1], 2);
    store_close(store);
    heard_deinit(&heard);
}

static void it_is_bounded_up_to_an_image(void **state)
{
    (void)state;
    struct heard heard;
    heard_init(&heard);
    struct store_error error;
    struct store_options options = heard_options(&heard, NULL);
    options.keep_bytes = 10000;
    struct store *store = store_open(&options, &error);
    assert_true(create(store, 1, "one"));
    for (uint64_t p = 1; p <= 1000; p++) {
        assert_true(append(store, 1, 1, p, "some bytes of an entry"));
        if (p % 10 == 0) {
            struct base_buffer *bytes = noise(500, p);
            assert_true(add_image(store, 1, p, 10 * p, bytes));
            base_buffer_unref(bytes);
        }
    }
    assert_true(store_bytes(store) <= 10000);
    struct store_reader *reader = store_reader_open(store, &error);
    struct store_list list;
    assert_int_equal(store_list_find(reader, 1, &list, &error), FAULT_NONE);
    assert_true(list.first > 900);
    assert_int_equal(list.first % 10, 0);
    assert_int_equal(list.last, 1000);
    assert_int_equal(list.first_tick, 10 * list.first);
    struct store_image image;
    assert_int_equal(store_image_before(reader, 1, list.first_tick, UINT64_MAX, &image, &error), FAULT_NONE);
    const struct store_entry *entries;
    uint32_t count;
    assert_int_equal(store_read(reader, 1, list.first - 1, 10, 1000, &entries, &count, &error),
                     FAULT_NOT_FOUND);
    assert_int_equal(store_read(reader, 1, list.first, 10000, SIZE_MAX, &entries, &count, &error),
                     FAULT_NONE);
    assert_int_equal(count, 1000 - list.first);
    store_reader_close(reader);
    store_close(store);
    heard_deinit(&heard);
}

static void a_bin_can_be_emptied_and_searched(void **state)
{
    (void)state;
    struct heard heard;
    heard_init(&heard);
    struct store_error error;
    struct store_options options = heard_options(&heard, NULL);
    struct store *store = store_open(&options, &error);
    assert_true(create(store, 1, "one"));
    assert_true(store_label(store, 1, "renamed"));
    assert_true(store_bin(store, 1));
    struct store_reader *reader = store_reader_open(store, &error);
    struct store_list list;
    assert_int_equal(store_list_find(reader, 1, &list, &error), FAULT_NONE);
    assert_true(list.binned);
    assert_true(list.binned_at > 0);
    assert_string_equal(list.label, "renamed");
    assert_true(store_unbin(store, 1));
    assert_int_equal(store_list_find(reader, 1, &list, &error), FAULT_NONE);
    assert_false(list.binned);
    store_reader_close(reader);
    store_close(store);

    options.bin_seconds = 0;
    store = store_open(&options, &error);
    assert_true(create(store, 1, "one"));
    assert_true(append(store, 1, 1, 1, "first"));
    assert_true(store_bin(store, 1));
    reader = store_reader_open(store, &error);
    assert_int_equal(store_list_find(reader, 1, &list, &error), FAULT_NOT_FOUND);
    assert_int_equal(store_bytes(store), 0);
    assert_int_equal(store_last_list(store), 1);
    store_reader_close(reader);
    store_close(store);
    heard_deinit(&heard);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(another_writer_is_refused),
        cmocka_unit_test(all_of_what_belongs_together_is_taken_or_none),
        cmocka_unit_test(it_is_bounded_up_to_an_image),
        cmocka_unit_test(a_bin_can_be_emptied_and_searched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
