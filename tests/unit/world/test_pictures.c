// Images of looks: which files are known, what is refused, and that they come back by undo, in documents and only if asked for.
#include "helper_edit.h"

#include "document/parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define PNG(W, H) "\x89PNG\r\n\x1a\n\0\0\0\rIHDR" W H "\x08\x02\0\0\0\0\0\0\0"
#define TWO_BY_THREE PNG("\0\0\0\x02", "\0\0\0\x03")

static void the_sizes_of_three_formats_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        uint32_t width, height; // 0: it is refused
    } files[] = {
#define FILE_OF(text, width, height) {text, sizeof text - 1, width, height}
        FILE_OF(TWO_BY_THREE, 2, 3),
        {TWO_BY_THREE, 32, 0, 0}, // it ends before its head does
        // A segment of its application, a byte that fills, then the frame.
        FILE_OF("\xff\xd8\xff\xe0\0\x04JF\xff\xff\xc2\0\x0b\x08\0\x10\0\x20\x01", 32, 16),
        FILE_OF("\xff\xd8\xff\xc4\0\x04xx\xff\xda\0\x04", 0, 0),
        FILE_OF("\xff\xd8\xff\xe0\xff\xff", 0, 0),
        FILE_OF("RIFF____WEBPVP8X\x0a\0\0\0\0\0\0\0\x3f\0\0\x1f\0\0", 64, 32),
        FILE_OF("RIFF____WEBPVP8L\x0a\0\0\0\x2f\x09\xc0\x04\0_____", 10, 20),
        FILE_OF("RIFF____WEBPVP8 \x0a\0\0\0___\x9d\x01\x2a\x40\x41\x30\0", 320, 48),
        FILE_OF("RIFF____WEBPVP9 \x0a\0\0\0___\x9d\x01\x2a\x40\x41\x30\0", 0, 0),
        FILE_OF("<svg xmlns='http://www.w3.org/2000/svg' width='9'/>", 0, 0),
        FILE_OF(PNG("\0\0\0\0", "\0\0\0\x03"), 0, 0),
#undef FILE_OF
    };
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        uint32_t width, height;
        const bool known =
            document_image_size((const uint8_t *)files[f].bytes, files[f].size, &width, &height);
        assert_int_equal(known, files[f].width > 0);
        assert_true(!known || (width == files[f].width && height == files[f].height));
    }
}

// body.add of a triangle whose look has this file, and other text of its image and its material.
static const char *triangle(const char *bytes, size_t size, const char *uvs, uint32_t image)
{
    static char text[4096];
    int at = snprintf(text, sizeof text,
                      "{'world': 1, 'kind': 'cloth', 'name': 'flag', 'positions': [0,0,0, 1,0,0, 0,0,1], "
                      "'triangles': [0,1,2], 'look': {%s'materials': [{'name': 'silk', 'image': %u}], "
                      "'images': [{'bytes': %zu, 'data': [",
                      uvs, image, size);
    for (size_t word = 0; word < (size + 3) / 4; word++) {
        uint8_t four[4] = {0};
        memcpy(four, bytes + 4 * word, size - 4 * word < 4 ? size - 4 * word : 4);
        at += snprintf(text + at, sizeof text - (size_t)at, "%s%u", word > 0 ? "," : "",
                       four[0] | (unsigned)four[1] << 8 | (unsigned)four[2] << 16 | (unsigned)four[3] << 24);
    }
    snprintf(text + at, sizeof text - (size_t)at, "]}]}}");
    return text;
}

#define UVS "'uvs': [0,0, 1,0, 0,1], "

static void what_is_wrong_with_an_image_is_said(void **state)
{
    (void)state;
    static const char large[] = PNG("\0\0\x10\x01", "\0\0\0\x03");
    struct helper *helper = helper_create(NULL);
    const struct {
        const char *notation, *text;
    } wrong[] = {
        {"{'world': 1, 'kind': 'cloth', 'positions': [0,0,0, 1,0,0, 0,0,1], 'triangles': [0,1,2], 'look': "
         "{" UVS "'images': [{'bytes': 9, 'data': [1, 2]}]}}",
         "data of element 0 has 2 numbers; must be 3, for 9 bytes"},
        {"{'world': 1, 'kind': 'cloth', 'positions': [0,0,0, 1,0,0, 0,0,1], 'triangles': [0,1,2], 'look': "
         "{" UVS "'images': [{'bytes': 8, 'data': [1, 2]}]}}",
         "element 0 is no picture that is known; must be a PNG, JPEG or WebP file"},
        {"{'world': 1, 'kind': 'cloth', 'positions': [0,0,0, 1,0,0, 0,0,1], 'triangles': [0,1,2], 'look': "
         "{" UVS "'images': [{'bytes': 4000000}, {'bytes': 4000000}]}}",
         "there are 8000000 bytes; must be at most 4194304 (limit image_bytes)"},
    };
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        const char *text = helper_error(helper, HELPER_ANN, "body.add", wrong[w].notation);
        if (!strstr(text, wrong[w].text)) {
            fail_msg("%s", text);
        }
    }
    const char *text =
        helper_error(helper, HELPER_ANN, "body.add", triangle(large, sizeof large - 1, UVS, 0));
    assert_non_null(strstr(text, "has 4097 x 3 pixels; must be at most 4096 x 4096"));
    text = helper_error(helper, HELPER_ANN, "body.add", triangle(TWO_BY_THREE, 33, "", 0));
    assert_non_null(strstr(text, "must be given with look.uvs"));
    text = helper_error(helper, HELPER_ANN, "body.add", triangle(TWO_BY_THREE, 33, UVS, 1));
    assert_non_null(strstr(text, "image of element 0 is 1; there are 1 images"));
    helper_destroy(helper);
}

static void images_are_kept_and_told_to_those_who_ask(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    const struct document *document = helper->world->document;
    helper_call(helper, HELPER_ANN, "body.add", triangle(TWO_BY_THREE, 33, UVS, 0));
    const msgpack_object *got =
        helper_call(helper, HELPER_BOB, "body.get", "{'world': 1, 'body': 'flag', 'images': true}");
    const struct protocol_array data = helper_array(got, "look.images.#0.data", PROTOCOL_ARRAY_U32);
    assert_int_equal(data.count, 9);
    assert_memory_equal(data.data, TWO_BY_THREE, 33);
    assert_true(helper_number(got, "look.materials.#0.image") == 0);
    got = helper_call(helper, HELPER_BOB, "body.get", "{'world': 1, 'body': 'flag'}");
    assert_true(helper_number(got, "look.images.#0.bytes") == 33);
    assert_null(helper_find(got, "look.images.#0.data"));
    // A copy by way of its bytes, and what an undo brings back, say the same.
    struct document *copy = helper_edit_copy(document);
    struct protocol_bytes told = helper_edit_told(document);
    helper_edit_assert_told(copy, &told, "copy");
    document_destroy(copy);
    helper_call(helper, HELPER_ANN, "body.remove", "{'world': 1, 'body': 'flag'}");
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    got = helper_call(helper, HELPER_BOB, "body.get", "{'world': 1, 'body': 'flag', 'images': true}");
    const struct protocol_array again = helper_array(got, "look.images.#0.data", PROTOCOL_ARRAY_U32);
    assert_int_equal(again.count, 9);
    assert_memory_equal(again.data, TWO_BY_THREE, 33);
    helper_destroy(helper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sizes_of_three_formats_are_read),
        cmocka_unit_test(what_is_wrong_with_an_image_is_said),
        cmocka_unit_test(images_are_kept_and_told_to_those_who_ask),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
