// Bits are flipped, bytes changed, files cut off or removed, in a folder that was in use or was closed: it is refused, or
// what is read is what was written. Nothing that was durable is silently missing.
//
//     test_store_flips [CHANGES [SEED]]
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "helper_disk.h"
#include "helper_model.h"
#include "store/sqlite.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHANGES = 1000 };

static unsigned changes = CHANGES;
static uint64_t seed = 1;
static struct place place;
static struct model model;
static struct disk_copy *in_use, *closed;
static atomic_uint_fast64_t seen_ns; // the clock by which a store counts its own time

static uint64_t seen_clock_ns(void)
{
    return atomic_load(&seen_ns);
}

static struct store *open_store(struct heard *heard, struct store_error *error)
{
    struct store_options options = heard_options(heard, place.folder);
    options.clock_ns = seen_clock_ns;
    return store_sqlite_open(&options, DISK, error);
}

static uint32_t file_called(const char *name)
{
    uint32_t file = 0;
    while (strcmp(disk_name(file), name) != 0) {
        file++;
    }
    return file;
}

static uint64_t log_frames(void)
{
    enum { HEAD = 32, FRAME = 24 + 4096 };
    return (disk_size(file_called("weft.db-wal")) - HEAD) / FRAME;
}

// How many frames the newer slot of the mark gives the log (docs/reference/store.md).
static uint64_t marked_frames(void)
{
    enum { SLOT = 16384, SERIAL_AT = 64, FRAMES_AT = 72 };
    const uint8_t *bytes = disk_bytes(file_called("mark"));
    uint64_t serials[2], frames[2];
    for (int slot = 0; slot < 2; slot++) {
        memcpy(&serials[slot], bytes + slot * SLOT + SERIAL_AT, sizeof serials[slot]);
        memcpy(&frames[slot], bytes + slot * SLOT + FRAMES_AT, sizeof frames[slot]);
    }
    return frames[serials[1] > serials[0]];
}

// The store writes down how much time it has seen. Until that commit stands in the log, and the mark is of it: then damage of the
// log costs those lists alone that lose something.
static void await_note(void)
{
    const uint64_t before = log_frames();
    const uint64_t deadline_ns = base_now_ns() + UINT64_C(60000000000);
    atomic_fetch_add(&seen_ns, UINT64_C(3600000000000));
    while (!(log_frames() > before && marked_frames() == log_frames())) {
        assert_true(base_now_ns() < deadline_ns);
        usleep(1000);
    }
}

// Some in the database and some in the log.
static int make_folder(void **state)
{
    (void)state;
    place_make(&place);
    disk_start();
    struct store_error error;
    for (int life = 0; life < 2; life++) {
        struct heard heard;
        heard_init(&heard);
        struct store *store = open_store(&heard, &error);
        assert_non_null(store);
        for (uint32_t list = 1; list < MODEL_LISTS; list++) {
            assert_true(life > 0 || model_create(&model, store, list));
            for (int i = 0; i < 12; i++) {
                assert_true(model_append(&model, store, list));
                if (i % 3 == 0) {
                    assert_true(heard_durable(&heard, list, model.lists[list].appended));
                }
                assert_true(i % 5 != 4 || model_image(&model, store, list));
            }
            assert_true(heard_durable(&heard, list, model.lists[list].appended));
        }
        model_hear(&model, &heard);
        struct store_reader *reader = store_reader_open(store, &error);
        for (uint32_t list = 1; list < MODEL_LISTS; list++) {
            assert_true(image_comes(reader, list, model.lists[list].imaged));
        }
        store_reader_close(reader);
        if (life > 0) {
            await_note();
            in_use = disk_copy();
        }
        store_close(store);
        heard_deinit(&heard);
    }
    closed = disk_copy();
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    disk_copy_free(in_use);
    disk_copy_free(closed);
    disk_end();
    place_remove(&place);
    return 0;
}

static const char *damage(uint64_t *random, char *text)
{
    const uint32_t file = (uint32_t)(model_random(random) % disk_files());
    const size_t size = disk_size(file);
    const size_t at = size ? model_random(random) % size : 0;
    const uint64_t what = model_random(random) % 16;
    if (what == 0) {
        (void)snprintf(text, 100, "%s of %zu bytes cut to %zu", disk_name(file), size, at);
        disk_truncate(file, at);
    } else if (what == 1) {
        (void)snprintf(text, 100, "%s of %zu bytes cut to a page, %zu", disk_name(file), size,
                       at / 4096 * 4096);
        disk_truncate(file, at / 4096 * 4096);
    } else if (what == 2) {
        (void)snprintf(text, 100, "%s removed", disk_name(file));
        disk_remove(file);
    } else if (size == 0) {
        (void)snprintf(text, 100, "nothing");
    } else if (what == 3) {
        const size_t some = size - at < 512 ? size - at : 512;
        (void)snprintf(text, 100, "%s of %zu bytes: zeros at %zu", disk_name(file), size, at);
        memset(disk_bytes(file) + at, 0, some);
    } else if (what == 4) {
        (void)snprintf(text, 100, "%s of %zu bytes: another byte at %zu", disk_name(file), size, at);
        disk_bytes(file)[at] ^= (uint8_t)(1 + model_random(random) % 255);
    } else {
        const unsigned bit = (unsigned)(model_random(random) % 8);
        (void)snprintf(text, 100, "%s of %zu bytes: bit %u at %zu", disk_name(file), size, bit, at);
        disk_bytes(file)[at] ^= (uint8_t)(1U << bit);
    }
    return text;
}

static enum verdict look(char text[FAULT_TEXT_SIZE])
{
    struct heard heard;
    struct store_error error;
    heard_init(&heard);
    struct store *store = open_store(&heard, &error);
    enum verdict verdict = REFUSED;
    if (store) {
        verdict = model_check(&model, store, text);
        store_close(store);
    } else {
        (void)snprintf(text, FAULT_TEXT_SIZE, "%s", error.fault.text);
        verdict = error.fault.code == FAULT_DAMAGED || error.fault.code == FAULT_VERSION ||
                          error.fault.code == FAULT_IO
                      ? REFUSED
                      : WRONG;
    }
    heard_deinit(&heard);
    return verdict;
}

static void damage_is_refused_or_does_no_harm(void **state)
{
    (void)state;
    unsigned counts[3] = {0};
    char text[FAULT_TEXT_SIZE], what[100];
    for (unsigned i = 0; i < changes; i++) {
        uint64_t random = seed * 1000003 + i;
        disk_restore(i % 2 == 0 ? in_use : closed);
        if (i >= 2) { // as it is, it is right
            damage(&random, what);
        }
        const enum verdict verdict = look(text);
        counts[verdict]++;
        if (verdict == WRONG) {
            print_error("change %u, a folder %s, %s: %s\n", i, i % 2 == 0 ? "in use" : "closed", what, text);
        }
        assert_true(i >= 2 || verdict == RIGHT);
    }
    print_message("%u changes: %u did no harm, %u were refused\n", changes, counts[RIGHT], counts[REFUSED]);
    assert_int_equal(counts[WRONG], 0);
    assert_true(counts[REFUSED] > changes / 4);
}

// After a power cut the mark may be of long ago. What SQLite would leave out, because of one bit, is missed all the same as
// long as a later transaction stands behind it.
static void a_damaged_log_is_not_cut_short(void **state)
{
    (void)state;
    unsigned wrong = 0;
    for (unsigned i = 0; i < changes / 10; i++) {
        uint64_t random = seed * 7000003 + i;
        disk_restore(in_use);
        disk_remove(file_called("mark"));
        const uint32_t log = file_called("weft.db-wal");
        const size_t at = model_random(&random) % (disk_size(log) / 2);
        disk_bytes(log)[at] ^= (uint8_t)(1U << model_random(&random) % 8);
        char text[FAULT_TEXT_SIZE];
        if (look(text) != REFUSED) {
            print_error("a bit at %zu of the log: taken\n", at);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

// Whether so many lists are refused when it is opened once more.
static bool refused_again(unsigned lost)
{
    struct heard heard;
    struct store_error error;
    unsigned refused = 0;
    heard_init(&heard);
    struct store *store = open_store(&heard, &error);
    for (uint32_t list = 1; list < MODEL_LISTS && store; list++) {
        refused += store_take_over(store, list, &error) == 0;
    }
    store_close(store);
    heard_deinit(&heard);
    return store && refused == lost;
}

// As long as the system runs the mark names every list that loses something by it: those are refused, the others are whole.
static void a_damaged_log_costs_no_other_list(void **state)
{
    (void)state;
    unsigned opened = 0, right = 0, lost = 0;
    bool again = true;
    for (unsigned i = 0; i < changes / 10; i++) {
        uint64_t random = seed * 9000011 + i;
        disk_restore(in_use);
        const uint32_t log = file_called("weft.db-wal");
        const size_t at = model_random(&random) % disk_size(log);
        disk_bytes(log)[at] ^= (uint8_t)(1U << model_random(&random) % 8);
        struct heard heard;
        struct store_error error;
        const unsigned before = lost;
        heard_init(&heard);
        struct store *store = open_store(&heard, &error);
        opened += store != NULL;
        for (uint32_t list = 1; list < MODEL_LISTS && store; list++) {
            struct model one = {0};
            char text[FAULT_TEXT_SIZE];
            one.lists[list] = model.lists[list];
            const enum verdict verdict = model_check(&one, store, text);
            assert_int_not_equal(verdict, WRONG);
            const uint64_t epoch = store_take_over(store, list, &error);
            assert_true((epoch != 0) == (verdict == RIGHT));
            if (epoch != 0) {
                right++;
                one.lists[list].epoch = epoch;
                assert_true(model_append(&one, store, list));
                assert_true(heard_durable(&heard, list, one.lists[list].appended));
            } else {
                lost++;
                assert_int_equal(error.fault.code, FAULT_DAMAGED);
                assert_non_null(strstr(error.fault.text, "weft backup --salvage"));
            }
        }
        store_close(store);
        heard_deinit(&heard);
        if (store != NULL) { // the next start knows as much
            again = refused_again(lost - before) && again;
        }
    }
    assert_true(again);
    print_message("%u of %u logs with a damaged bit: %u lists whole, %u lost their end\n", opened,
                  changes / 10, right, lost);
    assert_true(opened > changes / 20);
    assert_true(right > 0 && lost > 0);
}

// Each page of the database in its turn: what is damaged of one list keeps the others from nothing.
static void damage_of_one_list_is_its_own(void **state)
{
    (void)state;
    disk_restore(closed);
    const size_t size = disk_size(file_called("weft.db"));
    unsigned whole = 0, partly = 0, refused = 0;
    for (size_t page = 0; page < size / 4096; page++) {
        disk_restore(closed);
        disk_bytes(file_called("weft.db"))[4096 * page + 100] ^= 1;
        struct heard heard;
        struct store_error error;
        heard_init(&heard);
        struct store *store = open_store(&heard, &error);
        if (!store) {
            refused++;
            assert_int_equal(error.fault.code, FAULT_DAMAGED);
            heard_deinit(&heard);
            continue;
        }
        unsigned right = 0;
        bool ended = false; // the page is one that all lists need to be written
        for (uint32_t list = 1; list < MODEL_LISTS && !ended; list++) {
            struct model one = {0};
            char text[FAULT_TEXT_SIZE];
            one.lists[list] = model.lists[list];
            const enum verdict verdict = model_check(&one, store, text);
            assert_int_not_equal(verdict, WRONG);
            right += verdict == RIGHT;
            if (verdict == RIGHT) {
                one.lists[list].epoch = store_take_over(store, list, &error);
                ended = one.lists[list].epoch == 0 || !model_append(&one, store, list) ||
                        !heard_wait(&heard, list, one.lists[list].appended);
            }
        }
        store_close(store);
        assert_int_equal(heard.failures, ended);
        heard_deinit(&heard);
        if (ended) {
            print_message("page %zu: %s\n", page + 1, heard.text);
            refused++;
            continue;
        }
        whole += right == MODEL_LISTS - 1;
        partly += right < MODEL_LISTS - 1;
    }
    print_message("%zu pages: %u did no harm, %u harmed some lists, with %u the folder was refused\n",
                  size / 4096, whole, partly, refused);
    assert_true(partly > refused);
}

int main(int argc, char **argv)
{
    changes = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : changes;
    seed = argc > 2 ? strtoull(argv[2], NULL, 10) : seed;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damage_is_refused_or_does_no_harm),
        cmocka_unit_test(a_damaged_log_is_not_cut_short),
        cmocka_unit_test(a_damaged_log_costs_no_other_list),
        cmocka_unit_test(damage_of_one_list_is_its_own),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
