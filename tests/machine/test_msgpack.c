// The unpacking that the module has in place of msgpack-c's (clients/web/wasm/msgpack.c, under other names here) against the library's
// own: of random messages, and of what is left of them when bytes are changed, cut off and put in, both make the same of it,
// or both refuse.
#include <msgpack.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

msgpack_unpack_return plain_unpack(const char *data, size_t size, size_t *offset, msgpack_zone *zone,
                                   msgpack_object *result);
msgpack_unpack_return plain_unpack_next(msgpack_unpacked *result, const char *data, size_t size,
                                        size_t *offset);
void plain_zone_free(msgpack_zone *zone);
bool plain_zone_init(msgpack_zone *zone, size_t chunk_size);
void plain_zone_destroy(msgpack_zone *zone);
void plain_zone_clear(msgpack_zone *zone);
void *plain_zone_malloc_expand(msgpack_zone *zone, size_t size);
int plain_pack_object(msgpack_packer *packer, msgpack_object object);

enum { MESSAGES = 4000, MUTANTS = 8, DEPTH = 6, CHUNK = 64 };

static uint64_t seed = 88172645463325252u;

static uint64_t draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed * UINT64_C(0x2545F4914F6CDD1D);
}

static uint32_t below(uint32_t count)
{
    return (uint32_t)(draw() >> 33) % count;
}

// ---------------------------------------------------------------------------------------------------------
// Equal: by type and by bits, so that no number is equal to itself as well

static bool same(const msgpack_object *a, const msgpack_object *b);

static bool same_bytes(const char *a, uint32_t a_size, const char *b, uint32_t b_size)
{
    return a_size == b_size && (a_size == 0 || memcmp(a, b, a_size) == 0);
}

static bool same_arrays(const msgpack_object_array *a, const msgpack_object_array *b)
{
    bool equal = a->size == b->size;
    for (uint32_t i = 0; equal && i < a->size; i++) {
        equal = same(&a->ptr[i], &b->ptr[i]);
    }
    return equal;
}

static bool same_maps(const msgpack_object_map *a, const msgpack_object_map *b)
{
    bool equal = a->size == b->size;
    for (uint32_t i = 0; equal && i < a->size; i++) {
        equal = same(&a->ptr[i].key, &b->ptr[i].key) && same(&a->ptr[i].val, &b->ptr[i].val);
    }
    return equal;
}

static bool same(const msgpack_object *a, const msgpack_object *b)
{
    if (a->type != b->type) {
        return false;
    }
    switch (a->type) {
    case MSGPACK_OBJECT_NIL:
        return true;
    case MSGPACK_OBJECT_BOOLEAN:
        return a->via.boolean == b->via.boolean;
    case MSGPACK_OBJECT_POSITIVE_INTEGER:
    case MSGPACK_OBJECT_NEGATIVE_INTEGER:
        return a->via.u64 == b->via.u64;
    case MSGPACK_OBJECT_FLOAT32:
    case MSGPACK_OBJECT_FLOAT64:
        return memcmp(&a->via.f64, &b->via.f64, sizeof a->via.f64) == 0;
    case MSGPACK_OBJECT_STR:
        return same_bytes(a->via.str.ptr, a->via.str.size, b->via.str.ptr, b->via.str.size);
    case MSGPACK_OBJECT_BIN:
        return same_bytes(a->via.bin.ptr, a->via.bin.size, b->via.bin.ptr, b->via.bin.size);
    case MSGPACK_OBJECT_EXT:
        return a->via.ext.type == b->via.ext.type &&
               same_bytes(a->via.ext.ptr, a->via.ext.size, b->via.ext.ptr, b->via.ext.size);
    case MSGPACK_OBJECT_ARRAY:
        return same_arrays(&a->via.array, &b->via.array);
    case MSGPACK_OBJECT_MAP:
        return same_maps(&a->via.map, &b->via.map);
    default:
        return false;
    }
}

// ---------------------------------------------------------------------------------------------------------
// Messages

static void say_number(msgpack_packer *packer)
{
    const uint64_t bits = draw() >> below(64);
    double wide;
    float narrow;
    memcpy(&wide, &bits, sizeof wide);
    memcpy(&narrow, &bits, sizeof narrow);
    switch (below(6)) {
    case 0:
        msgpack_pack_uint64(packer, bits);
        break;
    case 1:
        msgpack_pack_int64(packer, -(int64_t)(bits >> 1));
        break;
    case 2:
        msgpack_pack_fix_int16(packer, (int16_t)(uint16_t)bits);
        break;
    case 3:
        msgpack_pack_fix_int64(packer, (int64_t)bits);
        break;
    case 4:
        msgpack_pack_float(packer, narrow);
        break;
    default:
        msgpack_pack_double(packer, wide);
    }
}

static void say_bytes(msgpack_packer *packer)
{
    static char bytes[70000];
    static const uint32_t sizes[] = {0, 1, 2, 4, 8, 16, 31, 32, 255, 256, 65535, 65536};
    const uint32_t size = below(8) > 0 ? below(40) : sizes[below(sizeof sizes / sizeof sizes[0])];
    for (uint32_t i = 0; i < size; i++) {
        bytes[i] = (char)(uint8_t)draw();
    }
    switch (below(3)) {
    case 0:
        msgpack_pack_str_with_body(packer, bytes, size);
        break;
    case 1:
        msgpack_pack_bin_with_body(packer, bytes, size);
        break;
    default:
        msgpack_pack_ext_with_body(packer, bytes, size, (int8_t)(uint8_t)draw());
    }
}

static void say(msgpack_packer *packer, uint32_t depth)
{
    const uint32_t kind = below(depth == 0 ? 5 : 8), count = below(40) > 0 ? below(6) : below(70);
    switch (kind) {
    case 0:
        msgpack_pack_nil(packer);
        break;
    case 1:
        if (below(2) > 0) {
            msgpack_pack_true(packer);
        } else {
            msgpack_pack_false(packer);
        }
        break;
    case 2:
    case 3:
        say_number(packer);
        break;
    case 4:
        say_bytes(packer);
        break;
    case 5:
        msgpack_pack_map(packer, count);
        for (uint32_t i = 0; i < 2 * count; i++) {
            say(packer, depth - 1);
        }
        break;
    default:
        msgpack_pack_array(packer, count);
        for (uint32_t i = 0; i < count; i++) {
            say(packer, depth - 1);
        }
    }
}

// In memory of its own size, so that a sanitizer sees a read past its end. Returns its size.
static size_t mutant_of(const msgpack_sbuffer *message, char **out)
{
    size_t size = message->size;
    char *bytes = malloc(size + 4);
    assert_non_null(bytes);
    memcpy(bytes, message->data, size);
    for (uint32_t changes = below(4); changes > 0 && size > 0; changes--) {
        const size_t at = below((uint32_t)size);
        switch (below(3)) {
        case 0:
            bytes[at] = (char)(uint8_t)draw();
            break;
        case 1:
            bytes[at] = (char)(0xc0 + below(32)); // what has a length, or a number behind it
            break;
        default:
            size = at;
        }
    }
    *out = malloc(size > 0 ? size : 1);
    assert_non_null(*out);
    memcpy(*out, bytes, size);
    free(bytes);
    return size;
}

// ---------------------------------------------------------------------------------------------------------

// Lengths that lie make the library ask for their memory: of them ours alone is asked, and it has to refuse.
static bool claims_more_than_there_is(const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const uint8_t byte = (uint8_t)bytes[i];
        if (byte == 0xdd || byte == 0xdf) {
            return i + 3 >= size || bytes[i + 1] != 0 || (uint8_t)bytes[i + 2] > 0;
        }
    }
    return false;
}

struct seen {
    uint32_t taken, refused;
};

static void compare(const char *bytes, size_t size, struct seen *seen)
{
    msgpack_zone zone, plain;
    msgpack_object object = {0}, ours = {0};
    size_t offset = 0, our_offset = 0;
    assert_true(msgpack_zone_init(&zone, CHUNK) && plain_zone_init(&plain, CHUNK));
    msgpack_unpack_return told = plain_unpack(bytes, size, &our_offset, &plain, &ours);
    if (!claims_more_than_there_is(bytes, size)) {
        msgpack_unpack_return library = msgpack_unpack(bytes, size, &offset, &zone, &object);
        assert_int_equal(library > 0, told > 0);
        if (told > 0) {
            assert_int_equal(library, told);
            assert_int_equal(offset, our_offset);
            assert_true(same(&object, &ours));
            seen->taken++;
        } else {
            seen->refused++;
        }
    }
    msgpack_zone_destroy(&zone);
    plain_zone_destroy(&plain);
}

static void both_make_the_same_of_any_bytes(void **state)
{
    (void)state;
    struct seen seen = {0};
    for (uint32_t message = 0; message < MESSAGES; message++) {
        msgpack_sbuffer buffer;
        msgpack_packer packer;
        msgpack_sbuffer_init(&buffer);
        msgpack_packer_init(&packer, &buffer, msgpack_sbuffer_write);
        say(&packer, DEPTH);
        compare(buffer.data, buffer.size, &seen);
        for (uint32_t i = 0; i < MUTANTS; i++) {
            char *bytes;
            const size_t size = mutant_of(&buffer, &bytes);
            compare(bytes, size, &seen);
            free(bytes);
        }
        msgpack_sbuffer_destroy(&buffer);
    }
    // Most of both, or this says little.
    assert_true(seen.taken > 2 * MESSAGES && seen.refused > MESSAGES);
}

static void what_was_unpacked_is_packed_as_the_library_does(void **state)
{
    (void)state;
    for (uint32_t message = 0; message < MESSAGES / 4; message++) {
        msgpack_sbuffer buffer, again[2];
        msgpack_packer packer;
        msgpack_zone plain;
        msgpack_object object;
        size_t offset = 0;
        msgpack_sbuffer_init(&buffer);
        msgpack_packer_init(&packer, &buffer, msgpack_sbuffer_write);
        say(&packer, DEPTH);
        assert_true(plain_zone_init(&plain, CHUNK));
        assert_int_equal(plain_unpack(buffer.data, buffer.size, &offset, &plain, &object),
                         MSGPACK_UNPACK_SUCCESS);
        for (uint32_t i = 0; i < 2; i++) {
            msgpack_sbuffer_init(&again[i]);
            msgpack_packer_init(&packer, &again[i], msgpack_sbuffer_write);
            assert_int_equal(
                i == 0 ? plain_pack_object(&packer, object) : msgpack_pack_object(&packer, object), 0);
        }
        assert_int_equal(again[0].size, again[1].size);
        assert_memory_equal(again[0].data, again[1].data, again[0].size);
        plain_zone_destroy(&plain);
        for (uint32_t i = 0; i < 2; i++) {
            msgpack_sbuffer_destroy(&again[i]);
        }
        msgpack_sbuffer_destroy(&buffer);
    }
}

// Values one behind the other, and then the end.
static void values_are_taken_one_by_one(void **state)
{
    (void)state;
    msgpack_sbuffer buffer;
    msgpack_packer packer;
    msgpack_unpacked library, plain = {0};
    size_t offset = 0, our_offset = 0;
    msgpack_sbuffer_init(&buffer);
    msgpack_packer_init(&packer, &buffer, msgpack_sbuffer_write);
    msgpack_unpacked_init(&library);
    for (uint32_t value = 0; value < 100; value++) {
        say(&packer, DEPTH);
    }
    for (uint32_t value = 0; value < 100; value++) {
        assert_int_equal(msgpack_unpack_next(&library, buffer.data, buffer.size, &offset),
                         MSGPACK_UNPACK_SUCCESS);
        assert_int_equal(plain_unpack_next(&plain, buffer.data, buffer.size, &our_offset),
                         MSGPACK_UNPACK_SUCCESS);
        assert_int_equal(offset, our_offset);
        assert_true(same(&library.data, &plain.data));
    }
    assert_int_equal(our_offset, buffer.size);
    assert_int_equal(plain_unpack_next(&plain, buffer.data, buffer.size, &our_offset),
                     MSGPACK_UNPACK_CONTINUE);
    assert_null(plain.zone);
    assert_true(plain_unpack_next(&plain, "\xdd\xff\xff\xff\xff", 5, NULL) < 0);
    assert_null(plain.zone);
    msgpack_unpacked_destroy(&library);
    msgpack_sbuffer_destroy(&buffer);
}

// The head of an array or a map that claims so many values, with nothing behind it.
static void refuses_claim(const char *head, size_t size)
{
    msgpack_zone plain;
    msgpack_object object;
    size_t offset = 0;
    assert_true(plain_zone_init(&plain, CHUNK));
    assert_true(plain_unpack(head, size, &offset, &plain, &object) < 0);
    assert_true(plain.chunk_list.free == CHUNK); // nothing was asked for
    plain_zone_destroy(&plain);
}

static void a_length_that_lies_asks_for_no_memory(void **state)
{
    (void)state;
    refuses_claim("\xdd\xff\xff\xff\xff", 5);
    refuses_claim("\xdf\xff\xff\xff\xff", 5);
    refuses_claim("\xdf\x80\x00\x00\x00\xc0\xc0", 7);
    refuses_claim("\xdc\xff\xff\xc0", 4);
    refuses_claim("\xdb\xff\xff\xff\xff", 5);
    refuses_claim("\xc6\xff\xff\xff\xff", 5);
    refuses_claim("\xc9\xff\xff\xff\xff\x01", 6);
    refuses_claim("", 0);
}

static void deeper_than_any_message_is_refused(void **state)
{
    (void)state;
    char nested[64];
    msgpack_zone plain;
    msgpack_object object;
    size_t offset = 0;
    memset(nested, 0x91, sizeof nested);
    nested[sizeof nested - 1] = (char)0xc0;
    assert_true(plain_zone_init(&plain, CHUNK));
    assert_true(plain_unpack(nested, sizeof nested, &offset, &plain, &object) < 0);
    assert_int_equal(plain_unpack(nested + sizeof nested - 33, 33, &offset, &plain, &object),
                     MSGPACK_UNPACK_SUCCESS);
    plain_zone_destroy(&plain);
}

static void a_zone_gives_memory_of_its_own(void **state)
{
    (void)state;
    msgpack_zone plain;
    char *given[200];
    assert_true(plain_zone_init(&plain, CHUNK));
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < 200; i++) {
            given[i] = plain_zone_malloc_expand(&plain, i);
            assert_non_null(given[i]);
            memset(given[i], (int)i, i);
        }
        for (uint32_t i = 0; i < 200; i++) {
            for (uint32_t k = 0; k < i; k++) {
                assert_int_equal((uint8_t)given[i][k], i);
            }
        }
        plain_zone_clear(&plain);
        assert_int_equal(plain.chunk_list.free, CHUNK);
    }
    assert_null(plain_zone_malloc_expand(&plain, SIZE_MAX - 4));
    plain_zone_destroy(&plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_make_the_same_of_any_bytes),
        cmocka_unit_test(what_was_unpacked_is_packed_as_the_library_does),
        cmocka_unit_test(values_are_taken_one_by_one),
        cmocka_unit_test(a_length_that_lies_asks_for_no_memory),
        cmocka_unit_test(deeper_than_any_message_is_refused),
        cmocka_unit_test(a_zone_gives_memory_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
