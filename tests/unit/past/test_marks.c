// Marks of time: one form each, and nothing else is read as one.
#include "past/past.h"
#include "protocol/bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct protocol_bytes packed(const struct past_mark *mark)
{
    struct protocol_bytes bytes = {0};
    msgpack_packer packer;
    msgpack_packer_init(&packer, &bytes, protocol_bytes_write);
    past_mark_pack(mark, &packer);
    assert_false(bytes.failed);
    return bytes;
}

static const struct past_mark examples[] = {
    {.kind = PAST_MARK_BEGUN, .solver = 1, .at_us = 1700000000000000, .person = {"", 0}},
    {.kind = PAST_MARK_TICKS, .at_us = 1, .sequence = 70000, .hashed = true, .hash = UINT64_MAX},
    {.kind = PAST_MARK_TICKS, .playing = true, .rate = 0.25, .at_us = 0, .hashed = true, .hash = 0},
    {.kind = PAST_MARK_PLAYING, .rate = 0, .session = 7, .person = {"ann", 3}},
    {.kind = PAST_MARK_PLAYING, .rate = 1000, .session = UINT32_MAX, .at_us = UINT64_MAX},
    {.kind = PAST_MARK_PAUSED, .sequence = UINT64_MAX},
    {.kind = PAST_MARK_FAILED},
    {.kind = PAST_MARK_DELETED, .person = {"två", 4}},
};
enum { EXAMPLES = sizeof examples / sizeof *examples };

static void marks_come_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < EXAMPLES; i++) {
        const struct past_mark *mark = &examples[i];
        struct protocol_bytes bytes = packed(mark);
        struct protocol_error error = {0};
        struct past_mark read;
        if (!past_mark_read(bytes.data, bytes.size, &read, &error)) {
            fail_msg("%zu: %s", i, error.text);
        }
        assert_int_equal(read.kind, mark->kind);
        assert_true(read.rate == mark->rate);
        assert_int_equal(read.playing, mark->playing);
        assert_int_equal(read.hashed, mark->hashed);
        assert_int_equal(read.hash, mark->hash);
        assert_int_equal(read.solver, mark->solver);
        assert_int_equal(read.at_us, mark->at_us);
        assert_int_equal(read.sequence, mark->sequence);
        assert_int_equal(read.session, mark->session);
        assert_int_equal(read.person.size, mark->person.size);
        assert_memory_equal(read.person.data, mark->person.data ? mark->person.data : "", mark->person.size);
        protocol_bytes_deinit(&bytes);
    }
}

// Fields of only some kinds are left out of the others, so that each mark has one form.
static void what_a_kind_does_not_say_is_not_packed(void **state)
{
    (void)state;
    const struct past_mark plain = {.kind = PAST_MARK_PAUSED},
                           more = {.kind = PAST_MARK_PAUSED, .rate = 3, .solver = 9, .hash = 5};
    struct protocol_bytes bytes[2] = {packed(&plain), packed(&more)};
    assert_int_equal(bytes[0].size, bytes[1].size);
    assert_memory_equal(bytes[0].data, bytes[1].data, bytes[0].size);
    protocol_bytes_deinit(&bytes[0]);
    protocol_bytes_deinit(&bytes[1]);
}

static void is_refused(const void *bytes, size_t size, const char *text)
{
    struct protocol_error error = {0};
    struct past_mark mark;
    assert_false(past_mark_read(bytes, size, &mark, &error));
    assert_string_equal(error.text, text);
}

#define REFUSED(bytes, text) is_refused(bytes, sizeof(bytes) - 1, text)

static void wrong_marks_are_refused_with_words(void **state)
{
    (void)state;
    REFUSED("", "mark: must be an array of eight");
    REFUSED("\x80", "mark: must be an array of eight");
    REFUSED("\x97\xa6paused\x00\x00\xa0\x00\xc0\xc0", "mark: must be an array of eight");
    REFUSED("\x98\xa6pauses\x00\x00\xa0\x00\xc0\xc0\xc0", "kind: must be one of marks of time");
    REFUSED("\x98\xa6paused\xff\x00\xa0\x00\xc0\xc0\xc0", "at: must be an integer in range");
    REFUSED("\x98\xa6paused\x00\xcf\x00\x00\x00\x01\x00\x00\x00\x00\xa0\x00\xc0\xc0\xc0",
            "session: must be an integer in range");
    REFUSED("\x98\xa6paused\x00\x00\xa1\xff\x00\xc0\xc0\xc0", "person: must be UTF-8, no longer than a name");
    REFUSED("\x98\xa6paused\x00\x00\xa0\xa0\xc0\xc0\xc0", "sequence: must be an integer in range");
    REFUSED("\x98\xa7playing\x00\x00\xa0\x00\xc0\xc0\xc0", "rate: must be a float from 0 to 1000");
    REFUSED("\x98\xa7playing\x00\x00\xa0\x00\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00\xc0\xc0",
            "rate: must be a float from 0 to 1000");
    REFUSED("\x98\xa7playing\x00\x00\xa0\x00\xcb\xbf\xf0\x00\x00\x00\x00\x00\x00\xc0\xc0",
            "rate: must be a float from 0 to 1000");
    REFUSED("\x98\xa5"
            "begun\x00\x00\xa0\x00\xc0\xc0\xc0",
            "solver: must be an integer in range");
    REFUSED("\x98\xa6paused\x00\x00\xa0\x00\xc0\xc0\xa0", "hash: must be an integer in range");
    // The same said otherwise: a longer head, a rate of what has none, a solver where none is said, something after it.
    REFUSED("\x98\xa6paused\xcc\x00\x00\xa0\x00\xc0\xc0\xc0", "mark: is not in its one form");
    REFUSED("\x98\xa6paused\x00\x00\xa0\x00\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00\xc0\xc0",
            "mark: is not in its one form");
    REFUSED("\x98\xa6paused\x00\x00\xa0\x00\xc0\x01\xc0", "mark: is not in its one form");
    REFUSED("\x98\xa6paused\x00\x00\xa0\x00\xc0\xc0\xc0\xc0", "mark: must be an array of eight");
}

static void other_bytes_are_other_marks_or_none(void **state)
{
    (void)state;
    uint32_t read_count = 0;
    for (size_t i = 0; i < EXAMPLES; i++) {
        struct protocol_bytes bytes = packed(&examples[i]);
        for (size_t size = 0; size < bytes.size; size++) {
            struct protocol_error error = {0};
            struct past_mark mark;
            uint8_t *copy = malloc(size + 1);
            memcpy(copy, bytes.data, size);
            assert_false(past_mark_read(copy, size, &mark, &error));
            free(copy);
        }
        for (size_t at = 0; at < bytes.size; at++) {
            for (int value = 0; value < 256; value++) {
                struct protocol_error error = {0};
                struct past_mark mark;
                const uint8_t was = bytes.data[at];
                bytes.data[at] = (uint8_t)value;
                if (past_mark_read(bytes.data, bytes.size, &mark, &error)) {
                    struct protocol_bytes again = packed(&mark);
                    assert_int_equal(again.size, bytes.size);
                    assert_memory_equal(again.data, bytes.data, bytes.size);
                    protocol_bytes_deinit(&again);
                    read_count++;
                }
                bytes.data[at] = was;
            }
        }
        protocol_bytes_deinit(&bytes);
    }
    assert_true(read_count > 1000);
    uint8_t *long_one = calloc(1, 1000);
    is_refused(long_one, 1000, "mark: longer than any mark");
    free(long_one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_come_back),
        cmocka_unit_test(what_a_kind_does_not_say_is_not_packed),
        cmocka_unit_test(wrong_marks_are_refused_with_words),
        cmocka_unit_test(other_bytes_are_other_marks_or_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
