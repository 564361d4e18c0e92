// Lists that go from a server's folder into streams, the bin that all servers share, and lists that age.
#include "nats_folders.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "nats_server.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// A folder from before there were brokers, whose lists come into streams with all of their past.
void a_folder_is_carried_into_streams(void **state)
{
    (void)state;
    struct server here, there;
    struct store_error error;
    struct store_image *images = NULL;
    uint32_t count = 0;
    heard_init(&here.heard);
    place_make(&here.place);
    const struct store_options alone = heard_options(&here.heard, here.place.folder);
    here.store = store_open(&alone, &error);
    assert_non_null(here.store);
    assert_true(create(here.store, 1, "of a folder"));
    assert_true(create(here.store, 2, "thrown away"));
    struct base_buffer *bytes = noise(600000, 5);
    append_from(&here, 1, 1, 1, 1500);
    assert_true(add_image(here.store, 1, 1500, 15000, bytes));
    append_from(&here, 1, 1, 1501, 1510);
    assert_true(store_bin(here.store, 2));
    assert_true(durable(&here, 1, 1510));
    struct store_reader *reader = store_reader_open(here.store, &error);
    assert_true(image_comes(reader, 1, 1500));
    store_reader_close(reader);
    server_again(&here, &nats_one);
    assert_true(store_list_id(here.store) > 2);
    const uint64_t epoch = store_take_over(here.store, 1, &error);
    assert_true(epoch > 1);
    append_from(&here, 1, epoch, 1511, 1520);
    assert_true(durable(&here, 1, 1520));

    server_start(&there, &nats_one);
    entries_are(&there, 1, 1520);
    assert_true(row_comes(&there, 1, "of a folder", false));
    assert_true(row_comes(&there, 2, "thrown away", true));
    reader = store_reader_open(there.store, &error);
    assert_true(image_comes(reader, 1, 1500));
    assert_int_equal(store_images(reader, 1, &images, &count, &error), FAULT_NONE);
    assert_int_equal(count, 2);
    free(images);
    uint8_t *image = NULL;
    size_t size = 0;
    assert_int_equal(store_image_read(reader, 1, 1500, &image, &size, &error), FAULT_NONE);
    assert_int_equal(size, bytes->size);
    assert_memory_equal(image, bytes->data, size);
    free(image);
    base_buffer_unref(bytes);
    store_reader_close(reader);
    // Once is enough.
    const uint64_t last = brokers_last(&nats_one, 1);
    server_again(&here, &nats_one);
    assert_int_equal(brokers_last(&nats_one, 1), last);
    assert_int_equal(told_lost(&here), 0);
    server_stop(&there);
    server_stop(&here);
}

// A server that ended while it carried is gone on with, wherever that was; the folder of another past is left alone.
void carrying_is_gone_on_with(void **state)
{
    (void)state;
    struct server here, there;
    struct store_error error;
    heard_init(&here.heard);
    place_make(&here.place);
    const struct store_options alone = heard_options(&here.heard, here.place.folder);
    here.store = store_open(&alone, &error);
    assert_non_null(here.store);
    assert_true(create(here.store, 1, "of a folder"));
    struct base_buffer *bytes = noise(600000, 6);
    append_from(&here, 1, 1, 1, 10);
    assert_true(add_image(here.store, 1, 10, 100, bytes));
    append_from(&here, 1, 1, 11, 20);
    assert_true(durable(&here, 1, 20));
    struct store_reader *reader = store_reader_open(here.store, &error);
    assert_true(image_comes(reader, 1, 10));
    store_reader_close(reader);
    base_buffer_unref(bytes);
    server_again(&here, &nats_one);
    const uint64_t all = brokers_last(&nats_one, 1);
    assert_true(all >= 6); // image, entries, pieces, image, entries
    for (uint64_t some = 1; some <= all; some++) {
        assert_true(brokers_remake(&nats_one, 1, some, 0));
        assert_true(brokers_forget(&nats_one, 1));
        server_again(&here, &nats_one);
        assert_int_equal(told_lost(&here), 0);
        assert_true(brokers_last(&nats_one, 1) >= all);
    }
    server_start(&there, &nats_one);
    entries_are(&there, 1, 20);
    reader = store_reader_open(there.store, &error);
    assert_true(image_comes(reader, 1, 10));
    store_reader_close(reader);
    assert_true(store_take_over(there.store, 1, &error) > 1);
    server_stop(&there);
    server_stop(&here);

    heard_init(&here.heard);
    place_make(&here.place);
    const struct store_options other = heard_options(&here.heard, here.place.folder);
    here.store = store_open(&other, &error);
    assert_non_null(here.store);
    assert_true(create(here.store, 1, "of another folder"));
    assert_true(append(here.store, 1, 1, 1, "of another past"));
    assert_true(durable(&here, 1, 1));
    server_again(&here, &nats_one);
    assert_int_equal(store_take_over(here.store, 1, &error), 0);
    assert_non_null(strstr(error.fault.text, "is of another past"));
    server_stop(&here);
}

// Data that another server deleted for good does not come back from a folder.
void what_is_gone_is_not_carried(void **state)
{
    (void)state;
    struct server here, there;
    struct store_error error;
    server_start(&here, &nats_one);
    const uint32_t list = list_new(&here);
    append_from(&here, list, 1, 1, 5);
    assert_true(durable(&here, list, 5));
    store_close(here.store);
    here.store = NULL;
    heard_init(&there.heard);
    place_make(&there.place);
    struct store_options options = brokers_options(&nats_one, &there.heard, there.place.folder);
    options.bin_seconds = 0;
    there.store = brokers_open(&options);
    assert_non_null(there.store);
    assert_true(store_take_over(there.store, list, &error) > 1);
    assert_true(store_bin(there.store, list));
    for (int i = 0; i < 2400 && brokers_last(&nats_one, list) > 0; i++) {
        (void)usleep(25000);
    }
    assert_int_equal(brokers_last(&nats_one, list), 0);
    server_stop(&there);
    server_again(&here, &nats_one);
    assert_int_equal(brokers_last(&nats_one, list), 0);
    assert_true(row_comes(&here, list, "of a test", true));
    server_stop(&here);
}

static bool bin_says(struct server *server, uint32_t list, bool binned)
{
    struct store_list row = {0};
    struct store_error error;
    struct store_reader *reader = store_reader_open(server->store, NULL);
    bool right = false;
    for (int i = 0; i < 60000 && !right; i++) {
        assert_int_equal(store_fetch_bin(server->store, &error), FAULT_NONE);
        right = store_list_find(reader, list, &row, NULL) == FAULT_NONE && row.binned == binned;
        (void)usleep(1000);
    }
    store_reader_close(reader);
    return right;
}

// Any server has a list back, whichever threw it away, and all of them know.
void the_bin_is_of_all_servers(void **state)
{
    (void)state;
    struct server here, there;
    struct store_error error;
    server_start(&here, &nats_one);
    server_start(&there, &nats_one);
    const uint32_t list = list_new(&here);
    append_from(&here, list, 1, 1, 5);
    assert_true(durable(&here, list, 5));
    assert_true(store_bin(here.store, list));
    assert_true(bin_says(&there, list, true)); // which had nothing of it
    entries_are(&there, list, 5);
    const uint64_t epoch = store_take_over(there.store, list, &error);
    assert_true(epoch > 1);
    assert_true(store_unbin(there.store, list));
    append_from(&there, list, epoch, 6, 9);
    assert_true(durable(&there, list, 9));
    assert_true(bin_says(&here, list, false));
    // It is written elsewhere now, and read here.
    assert_int_equal(store_fetch(here.store, list, &error), FAULT_NONE);
    entries_are(&here, list, 9);
    assert_true(store_bin(there.store, list));
    assert_true(bin_says(&here, list, true));
    assert_int_equal(told_lost(&here), 0);
    assert_int_equal(told_lost(&there), 0);
    // Requests of others do not change the data of its writer.
    assert_true(bin_says(&there, list, true));
    assert_true(store_unbin(there.store, list));
    assert_true(bin_says(&there, list, false));
    assert_true(bin_says(&here, list, false));
    server_stop(&there);
    server_stop(&here);
}

static atomic_uint_fast64_t clock_s;

static uint64_t test_clock_ns(void)
{
    return atomic_load(&clock_s) * UINT64_C(1000000000);
}

static struct store *open_by_clock(struct server *server)
{
    struct store_options options = brokers_options(&nats_one, &server->heard, server->place.folder);
    options.clock_ns = test_clock_ns;
    options.bin_seconds = 86400;
    options.keep_seconds = 86400;
    struct store *store = brokers_open(&options);
    assert_non_null(store);
    return store;
}

// Whatever wall clocks say, a list and its past are removed after the time that a server has seen pass.
void what_is_old_has_been_seen_to_age(void **state)
{
    (void)state;
    struct server here;
    struct store_error error;
    struct store_list row;
    heard_init(&here.heard);
    place_make(&here.place);
    here.store = open_by_clock(&here);
    const uint32_t list = list_new(&here), kept = list_new(&here);
    struct store_reader *reader = store_reader_open(here.store, &error);
    for (uint64_t i = 1; i <= 2; i++) {
        struct base_buffer *bytes = noise(1000, i); // of the year 1970
        append_from(&here, kept, 1, i, i);
        assert_true(add_image(here.store, kept, i, i, bytes));
        assert_true(durable(&here, kept, i));
        assert_true(image_comes(reader, kept, i));
        base_buffer_unref(bytes);
    }
    append_from(&here, list, 1, 1, 5);
    assert_true(durable(&here, list, 5));
    assert_true(store_bin(here.store, list));
    assert_true(row_comes(&here, list, "of a test", true));
    store_reader_close(reader);
    atomic_fetch_add(&clock_s, 86399);
    store_close(here.store);
    here.store = open_by_clock(&here);
    assert_true(brokers_last(&nats_one, list) > 0);
    const uint64_t epoch = store_take_over(here.store, kept, &error);
    assert_true(epoch > 1);
    reader = store_reader_open(here.store, &error);
    assert_int_equal(store_list_find(reader, kept, &row, &error), FAULT_NONE);
    assert_int_equal(row.images, 3);
    assert_true(brokers_bytes(&nats_one, kept) > 2000);
    atomic_fetch_add(&clock_s, 1);
    for (int i = 0; i < 2400 && brokers_last(&nats_one, list) > 0; i++) {
        (void)usleep(25000);
    }
    assert_int_equal(brokers_last(&nats_one, list), 0);
    for (int i = 0; i < 2400 && store_list_find(reader, list, &row, &error) == FAULT_NONE; i++) {
        (void)usleep(25000);
    }
    assert_int_equal(store_list_find(reader, list, &row, &error), FAULT_NOT_FOUND);
    for (int i = 0; i < 2400 && row.images != 1; i++) {
        (void)usleep(25000);
        assert_int_equal(store_list_find(reader, kept, &row, &error), FAULT_NONE);
    }
    assert_int_equal(row.images, 1);
    for (int i = 0; i < 2400 && brokers_bytes(&nats_one, kept) > 2000; i++) {
        (void)usleep(25000);
    }
    assert_true(brokers_bytes(&nats_one, kept) < 2000);
    store_reader_close(reader);
    server_stop(&here);
}
