#include "nats_server.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

void server_start(struct server *server, const struct brokers *brokers)
{
    heard_init(&server->heard);
    place_make(&server->place);
    const struct store_options options = brokers_options(brokers, &server->heard, server->place.folder);
    server->store = brokers_open(&options);
    assert_non_null(server->store);
}

void server_stop(struct server *server)
{
    store_close(server->store);
    place_remove(&server->place);
    heard_deinit(&server->heard);
}

void server_again(struct server *server, const struct brokers *brokers)
{
    store_close(server->store);
    memset(server->heard.durable, 0, sizeof server->heard.durable);
    const struct store_options options = brokers_options(brokers, &server->heard, server->place.folder);
    server->store = brokers_open(&options);
    assert_non_null(server->store);
}

uint32_t list_new(struct server *server)
{
    const uint32_t list = store_list_id(server->store);
    assert_true(list > 0 && list < HEARD_LISTS * 1000);
    assert_true(create(server->store, list, "of a test"));
    return list;
}

void append_from(struct server *server, uint32_t list, uint64_t epoch, uint64_t from, uint64_t to)
{
    char text[32];
    for (uint64_t position = from; position <= to; position++) {
        (void)snprintf(text, sizeof text, "entry %d", (int)position);
        assert_true(append(server->store, list, epoch, position, text));
    }
}

bool durable(const struct server *server, uint32_t list, uint64_t position)
{
    struct store_pending pending;
    for (int i = 0; i < 60000; i++) { // brokers may elect a leader several times
        store_pending(server->store, list, &pending);
        if (pending.durable >= position) {
            return true;
        }
        (void)usleep(1000);
    }
    print_message("list %u is durable up to %llu of %llu%s%s%s\n", list, (unsigned long long)pending.durable,
                  (unsigned long long)position, pending.away ? ", away" : "", pending.lost ? ", lost: " : "",
                  pending.lost ? server->heard.lost_text : "");
    return false;
}

uint32_t told_lost(struct server *server)
{
    base_mutex_lock(&server->heard.mutex);
    const uint32_t count = server->heard.lost_count;
    base_mutex_unlock(&server->heard.mutex);
    return count;
}

static bool told(struct server *server, const char *words)
{
    base_mutex_lock(&server->heard.mutex);
    const bool found = strstr(server->heard.lost_text, words) != NULL;
    base_mutex_unlock(&server->heard.mutex);
    return found;
}

bool told_soon(struct server *server, const char *words)
{
    for (int i = 0; i < 60000 && !told(server, words); i++) {
        (void)usleep(1000);
    }
    return told(server, words);
}

bool lost(const struct server *server, uint32_t list)
{
    struct store_pending pending;
    for (int i = 0; i < 60000; i++) {
        store_pending(server->store, list, &pending);
        if (pending.lost) {
            return true;
        }
        (void)usleep(1000);
    }
    return false;
}

void entries_are(struct server *server, uint32_t list, uint64_t last)
{
    struct store_error error = {0};
    struct store_reader *reader = store_reader_open(server->store, &error);
    assert_non_null(reader);
    uint64_t position = 0;
    for (;;) {
        const struct store_entry *entries;
        uint32_t count;
        assert_int_equal(store_read(reader, list, position, 100, 100000, &entries, &count, &error),
                         FAULT_NONE);
        for (uint32_t i = 0; i < count; i++) {
            char text[32];
            (void)snprintf(text, sizeof text, "entry %d", (int)++position);
            assert_int_equal(entries[i].position, position);
            assert_int_equal(entries[i].tick, 10 * position);
            assert_int_equal(entries[i].size, strlen(text));
            assert_memory_equal(entries[i].bytes, text, strlen(text));
        }
        if (count == 0) {
            break;
        }
    }
    assert_int_equal(position, last);
    store_reader_close(reader);
}

bool row_comes(struct server *server, uint32_t list, const char *label, bool binned)
{
    struct store_list row;
    struct store_reader *reader = store_reader_open(server->store, NULL);
    bool right = false;
    for (int i = 0; i < 60000 && !right; i++) {
        right = store_list_find(reader, list, &row, NULL) == FAULT_NONE && row.binned == binned &&
                strcmp(row.label, label) == 0;
        (void)usleep(1000);
    }
    store_reader_close(reader);
    return right;
}

void append_large(struct server *server, uint32_t list, uint64_t epoch, uint64_t from, uint64_t to)
{
    for (uint64_t position = from; position <= to; position++) {
        struct base_buffer *bytes = noise(LARGE, position);
        const struct store_entry entry = {
            .position = position, .tick = position, .kind = 1, .at = 5, .bytes = bytes->data, .size = LARGE};
        assert_true(store_append(server->store, list, epoch, &entry, 1));
        base_buffer_unref(bytes);
    }
}

static void on_damage(void *context, const struct store_error *damage)
{
    (void)context;
    fail_msg("%s", damage->fault.text);
}

void large_are(struct server *server, uint32_t list, uint64_t first, uint64_t last)
{
    struct store_error error = {0};
    struct store_reader *reader = store_reader_open(server->store, &error);
    assert_non_null(reader);
    uint64_t position = first - 1;
    for (uint32_t count = 1; count > 0;) {
        const struct store_entry *entries;
        assert_int_equal(store_read(reader, list, position, 16, 16 * LARGE, &entries, &count, &error),
                         FAULT_NONE);
        for (uint32_t i = 0; i < count; i++) {
            struct base_buffer *bytes = noise(LARGE, ++position);
            assert_int_equal(entries[i].position, position);
            assert_int_equal(entries[i].size, LARGE);
            assert_memory_equal(entries[i].bytes, bytes->data, LARGE);
            base_buffer_unref(bytes);
        }
    }
    assert_int_equal(position, last);
    assert_true(store_verify(reader, on_damage, NULL, &error));
    store_reader_close(reader);
}
