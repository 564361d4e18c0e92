// The store on brokers, which are real ones: what is acknowledged stays, one server writes a list, what a broker lost or
// somebody changed is found and named.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "nats_deaths.h"
#include "nats_folders.h"
#include "nats_server.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SKIP = 77 };

struct brokers nats_one;

// ---------------------------------------------------------------------------------------------------------

static void written_here_is_read_there(void **state)
{
    (void)state;
    struct server here, there;
    struct store_error error;
    server_start(&here, &nats_one);
    assert_string_equal(store_kind(here.store), "nats");
    assert_true(store_lasts(here.store));
    const uint32_t list = list_new(&here), other = list_new(&here);
    assert_int_not_equal(list, other);
    append_from(&here, list, 1, 1, 500);
    struct base_buffer *bytes = noise(700000, 4);
    assert_true(add_image(here.store, list, 300, 3000, bytes));
    append_from(&here, list, 1, 501, 600);
    assert_true(durable(&here, list, 600));
    entries_are(&here, list, 600);
    struct store_reader *reader = store_reader_open(here.store, &error);
    assert_true(image_comes(reader, list, 300));
    store_reader_close(reader);
    assert_true(store_label(here.store, list, "renamed"));
    assert_true(store_bin(here.store, other));
    assert_true(row_comes(&here, list, "renamed", false));
    assert_true(row_comes(&here, other, "of a test", true));

    // Another server has all of it, and ids of its own.
    server_start(&there, &nats_one);
    assert_int_not_equal(store_list_id(there.store), store_list_id(here.store));
    entries_are(&there, list, 600);
    assert_true(row_comes(&there, list, "renamed", false));
    assert_true(row_comes(&there, other, "of a test", true));
    reader = store_reader_open(there.store, &error);
    assert_true(image_comes(reader, list, 300));
    uint8_t *image = NULL;
    size_t size = 0;
    assert_int_equal(store_image_read(reader, list, 300, &image, &size, &error), FAULT_NONE);
    assert_int_equal(size, bytes->size);
    assert_memory_equal(image, bytes->data, size);
    free(image);
    base_buffer_unref(bytes);
    store_reader_close(reader);
    server_stop(&there);

    // The same folder comes back, and goes on under a later epoch.
    server_again(&here, &nats_one);
    const uint64_t epoch = store_take_over(here.store, list, &error);
    assert_true(epoch > 1);
    append_from(&here, list, epoch, 601, 610);
    assert_true(durable(&here, list, 610));
    entries_are(&here, list, 610);
    assert_int_equal(told_lost(&here), 0);
    server_stop(&here);
}

// Each time the other folder has all entries up to the image before the image is there.
static void an_image_that_comes_after_its_entries_is_read_there(void **state)
{
    (void)state;
    struct server here, there;
    struct store_error error;
    struct store_image image;
    server_start(&here, &nats_one);
    server_start(&there, &nats_one);
    const uint32_t list = list_new(&here);
    struct base_buffer *bytes = noise(5000, 7);
    for (uint64_t position = 20; position <= 40; position += 20) {
        append_from(&here, list, 1, position - 19, position);
        assert_true(durable(&here, list, position));
        assert_int_equal(store_fetch(there.store, list, &error), FAULT_NONE);
        entries_are(&there, list, position);
        assert_true(add_image(here.store, list, position, 10 * position, bytes));
        struct store_reader *reader = store_reader_open(here.store, &error);
        assert_true(image_comes(reader, list, position));
        store_reader_close(reader);
        if (position == 40) { // there are later entries by then
            append_from(&here, list, 1, 41, 50);
            assert_true(durable(&here, list, 50));
        }
        assert_int_equal(store_fetch(there.store, list, &error), FAULT_NONE);
        reader = store_reader_open(there.store, &error);
        assert_int_equal(store_image_before(reader, list, UINT64_MAX, UINT64_MAX, &image, &error),
                         FAULT_NONE);
        assert_int_equal(image.position, position);
        store_reader_close(reader);
    }
    entries_are(&there, list, 50);
    base_buffer_unref(bytes);
    server_stop(&there);
    server_stop(&here);
}

static void one_server_writes(void **state)
{
    (void)state;
    struct server first, second;
    struct store_error error;
    server_start(&first, &nats_one);
    const uint32_t list = list_new(&first);
    append_from(&first, list, 1, 1, 50);
    assert_true(durable(&first, list, 50));
    server_start(&second, &nats_one);
    append_from(&first, list, 1, 51, 60);
    assert_true(durable(&first, list, 60));
    const uint64_t epoch = store_take_over(second.store, list, &error);
    assert_true(epoch > 1);
    entries_are(&second, list, 60);
    append_from(&second, list, epoch, 61, 70);
    assert_true(durable(&second, list, 70));
    // The first finds out by its next entry, none of which becomes durable.
    append_from(&first, list, 1, 61, 62);
    assert_true(lost(&first, list));
    assert_true(told_soon(&first, "is written under epoch"));
    assert_int_equal(told_lost(&first), 1);
    entries_are(&first, list, 60);
    struct store_pending pending;
    store_pending(first.store, list, &pending);
    assert_int_equal(pending.durable, 60);
    assert_int_equal(pending.bytes, 0);
    // And may have it back.
    const uint64_t again = store_take_over(first.store, list, &error);
    assert_true(again > epoch);
    entries_are(&first, list, 70);
    append_from(&first, list, again, 71, 80);
    assert_true(durable(&first, list, 80));
    // An append under another server's epoch is refused here already.
    assert_true(append(first.store, list, epoch, 81, "x"));
    for (int i = 0; i < 60000 && told_lost(&first) < 2; i++) {
        (void)usleep(1000);
    }
    assert_int_equal(told_lost(&first), 2);
    server_stop(&second);
    server_stop(&first);
}

static void large_things_go_in_parts(void **state)
{
    (void)state;
    enum { SIZE = 3500000 };
    struct server here, there;
    struct store_error error;
    server_start(&here, &nats_one);
    const uint32_t list = list_new(&here);
    struct base_buffer *bytes = noise(SIZE, 9);
    const struct store_entry entries[2] = {
        {.position = 1, .tick = 10, .kind = 1, .at = 5, .bytes = bytes->data, .size = SIZE},
        {.position = 2, .tick = 10, .kind = 2, .at = 5, .bytes = bytes->data, .size = 3},
    };
    assert_true(store_append(here.store, list, 1, entries, 2));
    assert_true(add_image(here.store, list, 2, 10, bytes));
    assert_true(durable(&here, list, 2));
    struct store_reader *reader = store_reader_open(here.store, &error);
    assert_true(image_comes(reader, list, 2));
    store_reader_close(reader);
    server_start(&there, &nats_one);
    assert_true(store_take_over(there.store, list, &error) > 1);
    reader = store_reader_open(there.store, &error);
    const struct store_entry *read;
    uint32_t count;
    assert_int_equal(store_read(reader, list, 0, 10, 2 * SIZE, &read, &count, &error), FAULT_NONE);
    assert_int_equal(count, 2);
    assert_int_equal(read[0].size, SIZE);
    assert_memory_equal(read[0].bytes, bytes->data, SIZE);
    store_reader_close(reader);
    base_buffer_unref(bytes);
    server_stop(&there);
    server_stop(&here);
}

// Data that is no longer kept is removed from the stream as well, and the rest is intact.
static void old_images_go(void **state)
{
    (void)state;
    struct server here, there;
    struct store_error error;
    heard_init(&here.heard);
    place_make(&here.place);
    struct store_options options = brokers_options(&nats_one, &here.heard, here.place.folder);
    options.keep_bytes = 300000;
    here.store = brokers_open(&options);
    assert_non_null(here.store);
    const uint32_t list = list_new(&here);
    for (uint64_t i = 1; i <= 6; i++) {
        struct base_buffer *bytes = noise(100000, i);
        append_from(&here, list, 1, 10 * i - 9, 10 * i);
        assert_true(add_image(here.store, list, 10 * i, 100 * i, bytes));
        assert_true(durable(&here, list, 10 * i));
        base_buffer_unref(bytes);
    }
    // Each image is some 100 kB, so two of them fit, and the entries after the older one.
    struct store_reader *reader = store_reader_open(here.store, &error);
    assert_true(image_comes(reader, list, 60));
    store_reader_close(reader);
    for (int i = 0; i < 2400 && brokers_bytes(&nats_one, list) > options.keep_bytes; i++) {
        (void)usleep(25000);
    }
    assert_true(brokers_bytes(&nats_one, list) <= options.keep_bytes);
    server_start(&there, &nats_one);
    struct store_list row;
    reader = store_reader_open(there.store, &error);
    assert_int_equal(store_list_find(reader, list, &row, &error), FAULT_NONE);
    assert_true(row.first == 40 || row.first == 50);
    assert_int_equal(row.last, 60);
    uint8_t *image = NULL;
    size_t size = 0;
    assert_int_equal(store_image_read(reader, list, row.first, &image, &size, &error), FAULT_NONE);
    free(image);
    store_reader_close(reader);
    server_stop(&there);
    server_stop(&here);
}

// Without it, all since an older one would have to be run again.
static void who_takes_over_has_the_newest_image(void **state)
{
    (void)state;
    enum { IMAGES = 8, SIZE = 6000000 };
    struct server here, there;
    struct store_error error = {0};
    struct store_image image = {0};
    server_start(&here, &nats_one);
    const uint32_t list = list_new(&here);
    for (uint64_t position = 1; position <= IMAGES; position++) {
        struct base_buffer *bytes = noise(SIZE, position);
        append_from(&here, list, 1, position, position);
        assert_true(add_image(here.store, list, position, 10 * position, bytes));
        base_buffer_unref(bytes);
    }
    struct store_reader *reader = store_reader_open(here.store, &error);
    assert_true(image_comes(reader, list, IMAGES)); // so brokers have it
    store_reader_close(reader);
    server_start(&there, &nats_one);
    assert_int_equal(store_take_over(there.store, list, &error), 2);
    reader = store_reader_open(there.store, &error);
    assert_int_equal(store_image_before(reader, list, UINT64_MAX, UINT64_MAX, &image, &error), FAULT_NONE);
    assert_int_equal(image.position, IMAGES);
    store_reader_close(reader);
    server_stop(&there);
    server_stop(&here);
}

// ---------------------------------------------------------------------------------------------------------

// Takes a list over on a thread of its own, while something happens to the stream.
struct taker {
    struct server *server;
    uint32_t list;
    uint64_t epoch;
    struct store_error error;
};

static void take(void *context)
{
    struct taker *taker = context;
    taker->epoch = store_take_over(taker->server->store, taker->list, &taker->error);
}

// A list with images at 0 and CUT, and large entries between; its stream is cut to the later one, or removed, as soon as the folder of
// a server that reads it for the first time has a begin of it. Gives where the list begins there; UINT64_MAX: nowhere.
enum { CUT = 60 };

static uint64_t cut_while_read(struct server *writer, struct server *reader, bool removed)
{
    struct base_thread thread;
    struct store_list row;
    struct taker taker = {.server = reader, .list = list_new(writer)};
    append_large(writer, taker.list, 1, 1, CUT);
    assert_true(durable(writer, taker.list, CUT));
    const uint64_t before = brokers_last(&nats_one, taker.list) + 1;
    struct base_buffer *bytes = noise(1000, 1);
    assert_true(add_image(writer->store, taker.list, CUT, CUT, bytes));
    base_buffer_unref(bytes);
    append_large(writer, taker.list, 1, CUT + 1, CUT + 2);
    assert_true(durable(writer, taker.list, CUT + 2));
    struct store_reader *looks = store_reader_open(reader->store, NULL);
    assert_true(base_thread_start(&thread, "taker", take, &taker));
    for (int i = 0; i < 600000 && store_list_find(looks, taker.list, &row, NULL) != FAULT_NONE; i++) {
        (void)usleep(100);
    }
    assert_true(brokers_cut(&nats_one, taker.list, removed ? 0 : before));
    base_thread_join(&thread);
    const bool there = store_list_find(looks, taker.list, &row, NULL) == FAULT_NONE;
    store_reader_close(looks);
    if (!there) {
        if (taker.epoch != 0 || taker.error.fault.code != FAULT_NOT_FOUND) {
            fail_msg("of what is gone it says: %s", taker.error.fault.text);
        }
        return UINT64_MAX;
    }
    if (removed) {
        return row.first; // it had all of it already
    }
    if (taker.epoch < 2) {
        fail_msg("it is not taken over: %s", taker.error.fault.text);
    }
    large_are(reader, taker.list, row.first + 1, CUT + 2);
    append_large(reader, taker.list, taker.epoch, CUT + 3, CUT + 4);
    assert_true(durable(reader, taker.list, CUT + 4));
    return row.first;
}

// Data that was read in time is intact as well: then it is tried again.
static void a_stream_is_cut_while_it_is_read(void **state)
{
    (void)state;
    enum { TRIES = 8 };
    struct server writer, reader;
    server_start(&writer, &nats_one);
    server_start(&reader, &nats_one);
    uint64_t first = 0;
    for (int i = 0; i < TRIES && first == 0; i++) {
        first = cut_while_read(&writer, &reader, false);
    }
    assert_int_equal(first, CUT);
    for (int i = 0; i < TRIES && first != UINT64_MAX; i++) {
        first = cut_while_read(&writer, &reader, true);
    }
    assert_true(first == UINT64_MAX);
    server_stop(&reader);
    server_stop(&writer);
}

// A list of 20 entries whose stream begins behind the 20th.
static uint32_t begins_late(struct server *server)
{
    const uint32_t list = list_new(server);
    append_from(server, list, 1, 1, 20);
    assert_true(durable(server, list, 20));
    const uint64_t before = brokers_last(&nats_one, list) + 1;
    struct base_buffer *bytes = noise(1000, 1);
    assert_true(add_image(server->store, list, 20, 20, bytes));
    base_buffer_unref(bytes);
    append_from(server, list, 1, 21, 25);
    assert_true(durable(server, list, 25));
    assert_true(brokers_cut(&nats_one, list, before));
    return list;
}

// It had the list once, others went on, and what came next is kept no more.
static void who_was_left_behind_reads_it_anew(void **state)
{
    (void)state;
    struct server here, there;
    struct store_error error;
    server_start(&here, &nats_one);
    const uint32_t list = list_new(&here);
    append_from(&here, list, 1, 1, 5);
    assert_true(durable(&here, list, 5));
    server_start(&there, &nats_one); // reads it, and goes on
    const uint64_t epoch = store_take_over(there.store, list, &error);
    append_from(&there, list, epoch, 6, 30);
    assert_true(durable(&there, list, 30));
    const uint64_t before = brokers_last(&nats_one, list) + 1;
    struct base_buffer *bytes = noise(1000, 1);
    assert_true(add_image(there.store, list, 30, 30, bytes));
    base_buffer_unref(bytes);
    append_from(&there, list, epoch, 31, 33);
    assert_true(durable(&there, list, 33));
    assert_true(brokers_cut(&nats_one, list, before));
    server_again(&here, &nats_one);
    const uint64_t again = store_take_over(here.store, list, &error);
    if (again <= epoch) {
        fail_msg("it is not taken over: %s", error.fault.text);
    }
    struct store_list row;
    struct store_reader *reader = store_reader_open(here.store, &error);
    assert_int_equal(store_list_find(reader, list, &row, &error), FAULT_NONE);
    store_reader_close(reader);
    assert_int_equal(row.first, 30);
    assert_int_equal(row.last, 33);
    append_from(&here, list, again, 34, 40);
    assert_true(durable(&here, list, 40));
    server_stop(&there);
    server_stop(&here);
}

// It has another list of that number, which is nobody's to throw away.
static void what_is_of_another_deployment_stays(void **state)
{
    (void)state;
    struct server foreign, here;
    struct store_error error;
    server_start(&foreign, &nats_one);
    const uint32_t list = list_new(&foreign);
    append_from(&foreign, list, 1, 1, 3);
    assert_true(durable(&foreign, list, 3));
    brokers_anew(&nats_one);
    const time_t made = time(NULL);
    while (time(NULL) == made) { // the next is of another second
        (void)usleep(10000);
    }
    server_start(&here, &nats_one);
    assert_int_equal(begins_late(&here), list);
    server_again(&foreign, &nats_one);
    assert_int_equal(store_take_over(foreign.store, list, &error), 0);
    assert_int_equal(error.fault.code, FAULT_DAMAGED);
    assert_non_null(strstr(error.fault.text, "its stream begins at 21"));
    entries_are(&foreign, list, 3);
    server_stop(&here);
    server_stop(&foreign);
}

static void made_for_damage(struct server *server, uint32_t *list)
{
    server_start(server, &nats_one);
    *list = list_new(server);
    for (uint64_t i = 1; i <= 8; i++) {
        append_from(server, *list, 1, i, i);
        assert_true(durable(server, *list, i)); // a message each
    }
}

// A server that has nothing of it yet does not take it, and says why.
static void is_refused(uint32_t list, const char *why)
{
    struct server other;
    struct store_error error = {0};
    server_start(&other, &nats_one);
    assert_int_equal(store_take_over(other.store, list, &error), 0);
    assert_int_equal(error.fault.code, FAULT_DAMAGED);
    assert_int_equal(error.list, list);
    if (!strstr(error.fault.text, why)) {
        fail_msg("\"%s\" does not say \"%s\"", error.fault.text, why);
    }
    server_stop(&other);
}

static void damage_is_found_and_named(void **state)
{
    (void)state;
    struct server server;
    uint32_t list;
    made_for_damage(&server, &list);
    const uint64_t last = brokers_last(&nats_one, list);
    assert_true(last >= 9);
    assert_true(brokers_remake(&nats_one, list, last, 5));
    is_refused(list, "message 5 of the stream");
    assert_true(brokers_remake(&nats_one, list, last, last));
    is_refused(list, "is not what was written");
    server_stop(&server);

    made_for_damage(&server, &list);
    assert_true(brokers_remove(&nats_one, list, 4));
    is_refused(list, "message 4 of the stream");
    // The server that writes it goes on, and so does the one that has its folder: the missing data is there.
    append_from(&server, list, 1, 9, 9);
    assert_true(durable(&server, list, 9));
    server_again(&server, &nats_one);
    struct store_error error;
    const uint64_t epoch = store_take_over(server.store, list, &error);
    assert_true(epoch > 1);
    append_from(&server, list, epoch, 10, 10);
    assert_true(durable(&server, list, 10));
    entries_are(&server, list, 10);
    server_stop(&server);

    made_for_damage(&server, &list);
    assert_true(brokers_publish(&nats_one, list, "not a message", 13));
    is_refused(list, "is not what was written");
    append_from(&server, list, 1, 9, 9);
    assert_true(lost(&server, list));
    assert_true(told_soon(&server, "none that a server wrote"));
    server_stop(&server);
}

static void what_brokers_lost_is_given_back(void **state)
{
    (void)state;
    struct server server, other;
    struct store_error error = {0};
    uint32_t list;
    made_for_damage(&server, &list);
    const uint64_t last = brokers_last(&nats_one, list);
    assert_true(brokers_remake(&nats_one, list, last - 3, 0));
    // The writer sees it with its next entry.
    append_from(&server, list, 1, 9, 9);
    assert_true(lost(&server, list));
    assert_true(told_soon(&server, "the brokers have lost messages"));
    const uint64_t epoch = store_take_over(server.store, list, &error);
    assert_true(epoch > 0);
    append_from(&server, list, epoch, 9, 10);
    assert_true(durable(&server, list, 10));
    server_start(&other, &nats_one);
    entries_are(&other, list, 10);
    server_stop(&other);
    // A folder that went another way is told from the stream.
    assert_true(brokers_remake(&nats_one, list, last - 3, 0));
    server_start(&other, &nats_one);
    const uint64_t others = store_take_over(other.store, list, &error);
    assert_true(others > 0);
    assert_true(append(other.store, list, others, 6, "another past"));
    assert_true(durable(&other, list, 6));
    server_stop(&other);
    server_again(&server, &nats_one);
    assert_int_equal(store_take_over(server.store, list, &error), 0);
    assert_int_equal(error.fault.code, FAULT_DAMAGED);
    assert_non_null(strstr(error.fault.text, "is of another past"));
    server_stop(&server);
}

// ---------------------------------------------------------------------------------------------------------

static void brokers_that_do_not_sync_are_refused(void **state)
{
    (void)state;
    struct brokers brokers;
    struct heard heard;
    struct place place;
    struct store_error error = {0};
    heard_init(&heard);
    place_make(&place);
    brokers_start(&brokers, 1, false);
    struct store_options options = brokers_options(&brokers, &heard, place.folder);
    options.check = "none";
    struct store *store = brokers_open(&options); // it is up
    assert_non_null(store);
    store_close(store);
    options.check = brokers.check;
    assert_null(store_open(&options, &error));
    assert_non_null(strstr(error.fault.text, "sync_interval: always"));
    options.check = brokers.url; // no user of the system account
    assert_null(store_open(&options, &error));
    assert_non_null(strstr(error.fault.text, "system account"));
    options.brokers = "nats://127.0.0.1:1";
    assert_null(store_open(&options, &error));
    assert_non_null(strstr(error.fault.text, "no broker can be reached"));
    options.brokers = "http://127.0.0.1:1";
    assert_null(store_open(&options, &error));
    assert_non_null(strstr(error.fault.text, "it takes nats://"));
    brokers_stop(&brokers);
    place_remove(&place);
    heard_deinit(&heard);
}

static void acknowledged_by_brokers_alone(void **state)
{
    (void)state;
    struct server server;
    heard_init(&server.heard);
    place_make(&server.place);
    struct store_options options = brokers_options(&nats_one, &server.heard, server.place.folder);
    options.acks = STORE_ACKS_BROKERS;
    server.store = brokers_open(&options);
    assert_non_null(server.store);
    const uint32_t list = list_new(&server);
    append_from(&server, list, 1, 1, 100);
    assert_true(durable(&server, list, 100));
    server_again(&server, &nats_one);
    entries_are(&server, list, 100);
    server_stop(&server);
}

static int empty(void **state)
{
    (void)state;
    brokers_anew(&nats_one);
    return 0;
}

static int broker_up(void **state)
{
    (void)state;
    brokers_start(&nats_one, 1, true);
    return 0;
}

static int broker_down(void **state)
{
    (void)state;
    brokers_stop(&nats_one);
    return 0;
}

// Groups run beside one another, each with brokers of its own: most of their time is spent waiting.
static int run_groups(void)
{
    const struct CMUnitTest writing[] = {
        cmocka_unit_test_setup(written_here_is_read_there, empty),
        cmocka_unit_test_setup(an_image_that_comes_after_its_entries_is_read_there, empty),
        cmocka_unit_test_setup(one_server_writes, empty),
        cmocka_unit_test_setup(large_things_go_in_parts, empty),
        cmocka_unit_test_setup(old_images_go, empty),
        cmocka_unit_test_setup(who_takes_over_has_the_newest_image, empty),
        cmocka_unit_test_setup(acknowledged_by_brokers_alone, empty),
    };
    const struct CMUnitTest damage[] = {
        cmocka_unit_test_setup(damage_is_found_and_named, empty),
        cmocka_unit_test_setup(what_brokers_lost_is_given_back, empty),
        cmocka_unit_test(brokers_that_do_not_sync_are_refused),
    };
    const struct CMUnitTest deaths[] = {
        cmocka_unit_test(a_killed_broker_loses_nothing),
        cmocka_unit_test(why_the_store_takes_nothing_is_told),
        cmocka_unit_test(a_take_over_waits_for_brokers),
        cmocka_unit_test(brokers_of_an_old_copy_are_found_out),
    };
    const struct CMUnitTest folders[] = {
        cmocka_unit_test_setup(a_folder_is_carried_into_streams, empty),
        cmocka_unit_test_setup(carrying_is_gone_on_with, empty),
        cmocka_unit_test_setup(what_is_gone_is_not_carried, empty),
        cmocka_unit_test_setup(the_bin_is_of_all_servers, empty),
        cmocka_unit_test_setup(what_is_old_has_been_seen_to_age, empty),
        cmocka_unit_test_setup(a_stream_is_cut_while_it_is_read, empty),
        cmocka_unit_test_setup(who_was_left_behind_reads_it_anew, empty),
        cmocka_unit_test_setup(what_is_of_another_deployment_stays, empty),
    };
    const struct CMUnitTest cluster[] = {
        cmocka_unit_test(one_of_three_may_be_killed),
    };
    const struct CMUnitTest appends[] = {
        cmocka_unit_test(large_appends_outlive_their_brokers),
    };
    enum { GROUPS = 6 };
    pid_t processes[GROUPS];
    int failed = 0;
    for (int i = 0; i < GROUPS; i++) {
        processes[i] = fork();
        if (processes[i] == 0) {
            exit(i == 0   ? cmocka_run_group_tests(writing, broker_up, broker_down)
                 : i == 1 ? cmocka_run_group_tests(damage, broker_up, broker_down)
                 : i == 2 ? cmocka_run_group_tests(folders, broker_up, broker_down)
                 : i == 3 ? cmocka_run_group_tests(deaths, NULL, NULL)
                 : i == 4 ? cmocka_run_group_tests(cluster, NULL, NULL)
                          : cmocka_run_group_tests(appends, NULL, NULL));
        }
    }
    for (int i = 0; i < GROUPS; i++) {
        int status = 0;
        const bool ended = processes[i] > 0 && waitpid(processes[i], &status, 0) == processes[i];
        failed += !ended || status != 0;
    }
    return failed;
}

int main(void)
{
    if (!brokers_there()) {
        (void)fprintf(stderr,
                      "there is no nats-server: scripts/nats-server.sh has one, WEFT_NATS_SERVER names it\n");
        return SKIP;
    }
    return run_groups();
}
