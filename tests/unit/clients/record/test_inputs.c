// Takes of records: pieces come back as they were written; cut short or damaged anywhere, none comes back as another.
#include "record/inputs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
// cmocka.h needs those before it.
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECES = 6, FILE_MAX = 4096 };

static char folder[64], path[128];

static const struct {
    enum record_piece_kind kind;
    uint64_t tick;
    const char *bytes;
} pieces[PIECES] = {
    {RECORD_IMAGE, 7, "an image"},      {RECORD_MESSAGES, 60, "messages of a second"},
    {RECORD_MESSAGES, 131, "and more"}, {RECORD_IMAGE, 130, "the next image, which is longer"},
    {RECORD_MESSAGES, 180, "the rest"}, {RECORD_END, 175, ""}};

static int setup(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/weft-inputs-XXXXXX");
    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    snprintf(path, sizeof path, "%s/t.take", folder);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

static void make(void)
{
    const struct record_inputs_head head = {.tick_rate = 60, .solver = 3, .maker = "1.2.3"};
    struct fault fault;
    struct record_inputs *inputs = record_inputs_create(path, &head, &fault);
    assert_non_null(inputs);
    for (int i = 0; i < PIECES; i++) {
        assert_true(record_inputs_append(inputs, pieces[i].kind, pieces[i].tick, pieces[i].bytes,
                                         strlen(pieces[i].bytes), &fault));
    }
    assert_true(record_inputs_sync(inputs, &fault));
    record_inputs_close(inputs);
}

static size_t read_file(unsigned char bytes[FILE_MAX])
{
    FILE *file = fopen(path, "rbe");
    assert_non_null(file);
    const size_t size = fread(bytes, 1, FILE_MAX, file);
    fclose(file);
    assert_in_range(size, 100, FILE_MAX - 1);
    return size;
}

static void write_file(const unsigned char *bytes, size_t size)
{
    FILE *file = fopen(path, "wbe");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

// How many pieces are whole: each of those is the one that was written under its number.
static int look(void)
{
    struct fault fault = {0};
    struct record_inputs *inputs = record_inputs_open(path, &fault);
    int whole = 0;
    if (inputs == NULL) {
        assert_true(fault.text[0] != '\0');
        return -1;
    }
    assert_int_equal(record_inputs_head(inputs)->solver, 3);
    assert_string_equal(record_inputs_head(inputs)->maker, "1.2.3");
    for (uint64_t i = 0, next = 0; i < record_inputs_count(inputs); i++) {
        const struct record_piece piece = record_inputs_at(inputs, i);
        const void *bytes;
        bool damaged;
        assert_true(piece.number >= next && piece.number < PIECES);
        next = piece.number + 1;
        assert_true(record_inputs_read(inputs, i, &bytes, &damaged, &fault));
        if (damaged) {
            continue;
        }
        assert_int_equal(piece.kind, pieces[piece.number].kind);
        assert_int_equal(piece.tick, pieces[piece.number].tick);
        assert_int_equal(piece.size, strlen(pieces[piece.number].bytes));
        assert_memory_equal(bytes, pieces[piece.number].bytes, piece.size);
        whole++;
    }
    record_inputs_close(inputs);
    return whole;
}

static void test_pieces_come_back(void **state)
{
    (void)state;
    struct fault fault;
    make();
    assert_true(record_inputs_are(path));
    assert_int_equal(look(), PIECES);
    assert_null(record_take_open(path, &fault)); // it has no frames
    assert_non_null(strstr(fault.text, "take of records"));
    write_file((const unsigned char *)"something else", 14);
    assert_false(record_inputs_are(path));
    assert_int_equal(look(), -1);
    unlink(path);
    assert_false(record_inputs_are(path));
    assert_int_equal(look(), -1);
}

static void test_cut_anywhere(void **state)
{
    (void)state;
    unsigned char bytes[FILE_MAX];
    int before = -1;
    make();
    const size_t size = read_file(bytes);
    for (size_t cut = 0; cut <= size; cut++) {
        write_file(bytes, cut);
        const int whole = look();
        assert_in_range(whole + 1, before + 1, before + 2); // none is lost by what comes behind it
        before = whole;
    }
    assert_int_equal(before, PIECES);
}

static void test_damaged_anywhere(void **state)
{
    (void)state;
    unsigned char bytes[FILE_MAX];
    make();
    const size_t size = read_file(bytes);
    for (size_t at = 0; at < size; at++) {
        for (unsigned bit = 1; bit < 256; bit *= 16) {
            bytes[at] = (unsigned char)(bytes[at] ^ bit);
            write_file(bytes, size);
            const int whole = look();
            assert_true(whole == -1 ? at < 96 : whole == PIECES - 1);
            bytes[at] = (unsigned char)(bytes[at] ^ bit);
        }
    }
}

// Whoever writes one is alone; who reads one sees what is there.
static void test_read_while_it_is_written(void **state)
{
    (void)state;
    const struct record_inputs_head head = {.tick_rate = 60, .solver = 3, .maker = "1.2.3"};
    struct fault fault;
    struct record_inputs *inputs = record_inputs_create(path, &head, &fault);
    assert_non_null(inputs);
    assert_null(record_inputs_create(path, &head, &fault));
    assert_int_equal(look(), 0);
    assert_true(record_inputs_append(inputs, pieces[0].kind, pieces[0].tick, pieces[0].bytes,
                                     strlen(pieces[0].bytes), &fault));
    assert_int_equal(look(), 1);
    assert_true(record_inputs_bytes(inputs) > 96);
    record_inputs_close(inputs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_pieces_come_back, setup, teardown),
        cmocka_unit_test_setup_teardown(test_cut_anywhere, setup, teardown),
        cmocka_unit_test_setup_teardown(test_damaged_anywhere, setup, teardown),
        cmocka_unit_test_setup_teardown(test_read_while_it_is_written, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
