// Surfaces by name, and rows of two of them: on the wire they are told, saved, read back, taken back and refused as every other value.
#include "helper_world.h"

#include "protocol/params.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ROWS                                                           \
    "[{'one': 'ice', 'other': 'rubber', 'friction': 0.5, "             \
    "'friction_kinetic': 0.25}, {'one': 'rubber', 'other': 'rubber', " \
    "'restitution': 0.75}]"

static struct helper *slope(void)
{
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'gravity': [5, -9, 0], 'surfaces': " ROWS "}");
    helper_call(helper, HELPER_ANN, "collider.add",
                "{'world': 1, 'kind': 'plane', 'friction': 4, 'surface': 'ice'}");
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'kind': 'points', 'positions': [0, 0.01, 0], 'thickness': 0.01, "
                "'masses': [1], 'friction': 4, 'surface': 'rubber'}");
    return helper;
}

static void steps(struct helper *helper, uint32_t ticks)
{
    for (uint32_t t = 0; t < ticks; t++) {
        helper_call(helper, HELPER_ANN, "world.step", "{'world': 1}");
    }
}

static double place_of(struct helper *helper)
{
    double at[3];
    sim_body_positions64(helper->world->document->sim, 1, 0, 1, at);
    return at[0];
}

static void they_are_told_and_saved(void **state)
{
    (void)state;
    struct helper *helper = slope();
    const msgpack_object *got = helper_call(helper, HELPER_BOB, "world.join", "{'world': 1}");
    helper_assert_text(got, "surfaces.#0.one", "ice");
    helper_assert_text(got, "surfaces.#0.other", "rubber");
    assert_true(helper_number(got, "surfaces.#0.friction_kinetic") == 0.25);
    assert_null(helper_find(got, "surfaces.#0.restitution"));
    assert_null(helper_find(got, "surfaces.#1.friction"));
    assert_true(helper_number(got, "surfaces.#1.restitution") == 0.75);
    helper_assert_text(got, "bodies.#0.surface", "rubber");
    helper_assert_text(got, "colliders.#0.surface", "ice");
    got = helper_call(helper, HELPER_BOB, "body.get", "{'world': 1, 'body': 1}");
    helper_assert_text(got, "surface", "rubber");
    got = helper_call(helper, HELPER_ANN, "world.save", "{'world': 1}");
    assert_true(helper_number(got, "document.settings.surfaces.#0.friction") == 0.5);
    helper_assert_text(got, "document.bodies.#0.surface", "rubber");
    helper_assert_text(got, "document.colliders.#0.surface", "ice");
    helper_call(helper, HELPER_ANN, "body.set", "{'world': 1, 'body': 1, 'surface': ''}");
    helper_call(helper, HELPER_ANN, "collider.set", "{'world': 1, 'collider': 1, 'surface': ''}");
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'surfaces': []}");
    got = helper_call(helper, HELPER_BOB, "world.join", "{'world': 1}");
    assert_null(helper_find(got, "surfaces.#0"));
    assert_null(helper_find(got, "bodies.#0.surface"));
    assert_null(helper_find(got, "colliders.#0.surface"));
    got = helper_call(helper, HELPER_ANN, "world.save", "{'world': 1}");
    assert_null(helper_find(got, "document.settings.surfaces"));
    assert_null(helper_find(got, "document.bodies.#0.surface"));
    helper_destroy(helper);
}

static void what_is_read_back_goes_on_the_same(void **state)
{
    (void)state;
    struct helper *helper = slope();
    struct document *document = helper->world->document;
    steps(helper, 5);
    const double before = place_of(helper);
    struct protocol_bytes bytes = {0};
    struct protocol_error error = {0};
    assert_true(document_image_pack(document, &bytes));
    struct document *read = document_image_read(bytes.data, bytes.size, &error);
    assert_non_null(read);
    for (int t = 0; t < 20; t++) {
        assert_int_equal(document_hash(read), document_hash(document));
        document_step(document, NULL, NULL);
        document_step(read, NULL, NULL);
    }
    // Both of their own would hold.
    assert_true(place_of(helper) > before + 0.1);
    protocol_bytes_deinit(&bytes);
    document_destroy(read);
    helper_destroy(helper);
}

static void an_undo_takes_them_back(void **state)
{
    (void)state;
    static const char *const edits[][2] = {
        {"world.set", "{'world': 1, 'surfaces': [{'one': 'ice', 'other': 'steel', 'friction': 1}]}"},
        {"body.set", "{'world': 1, 'body': 1, 'surface': 'steel'}"},
        {"collider.set", "{'world': 1, 'collider': 1, 'surface': 'steel'}"},
        {"world.set", "{'world': 1, 'surfaces': []}"},
        {"body.set", "{'world': 1, 'body': 1, 'surface': ''}"},
        {"collider.set", "{'world': 1, 'collider': 1, 'surface': ''}"},
        {"world.set", "{'world': 1, 'surfaces': " ROWS "}"},
    };
    enum { EDITS = sizeof edits / sizeof *edits };
    struct helper *helper = slope();
    uint64_t hashes[EDITS + 1] = {helper_hash(helper)};
    for (int e = 0; e < EDITS; e++) {
        helper_call(helper, HELPER_ANN, edits[e][0], edits[e][1]);
        hashes[e + 1] = helper_hash(helper);
        assert_true(hashes[e + 1] != hashes[e]);
    }
    for (int e = EDITS; e > 0; e--) {
        helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
        assert_true(helper_hash(helper) == hashes[e - 1]);
    }
    for (int e = 0; e < EDITS; e++) {
        helper_call(helper, HELPER_ANN, "edit.redo", "{'world': 1}");
        assert_true(helper_hash(helper) == hashes[e + 1]);
    }
    helper_destroy(helper);
}

// Bob's change of the same rows is in the way of Ann's undo, and his change of another setting is not.
static void an_undo_meets_changes_of_the_same_field(void **state)
{
    (void)state;
    struct helper *helper = slope();
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'surfaces': []}");
    helper_call(helper, HELPER_BOB, "world.set", "{'world': 1, 'damping': 1}");
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_int_equal(sim_settings_of(helper->world->document->sim)->surfaces.count, 2);
    assert_true(sim_settings_of(helper->world->document->sim)->damping == 1);
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'surfaces': []}");
    helper_call(helper, HELPER_BOB, "world.set",
                "{'world': 1, 'surfaces': [{'one': 'a', 'other': 'b', 'friction': 1}]}");
    const char *error = helper_error(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_memory_equal(error, "CONFLICT: ", 10);
    assert_non_null(strstr(error, "surfaces"));
    helper_destroy(helper);
}

static void what_is_wrong_is_refused_with_its_field(void **state)
{
    (void)state;
    struct helper *helper = slope();
    const uint64_t before = helper_hash(helper);
    static const char *const cases[][2] = {
        {"[{'one': 'a', 'other': 'b'}]", "surfaces: row 0 says nothing"},
        {"[{'one': '', 'other': 'b', 'friction': 1}]", "surfaces: one of row 0 is empty"},
        {"[{'one': 'a', 'friction': 1}]", "surfaces[0].other: missing"},
        {"[{'one': 'a', 'other': 'b', 'friction': -1}]", "surfaces[0].friction: "},
        {"[{'one': 'a', 'other': 'b', 'friction': 1001}]", "surfaces[0].friction: "},
        {"[{'one': 'a', 'other': 'b', 'restitution': 1.5}]", "surfaces[0].restitution: "},
        {"[{'one': 'a', 'other': 'b', 'rolling': 1}]", "unknown field \"surfaces[0].rolling\""},
        {"[{'one': 'a', 'other': 'b', 'friction': 1}, {'one': 'b', 'other': 'a', 'friction': 2}]",
         "surfaces: row 1 has the names of row 0"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char notation[256], text[sizeof helper->refused.text];
        snprintf(notation, sizeof notation, "{'world': 1, 'surfaces': %s}", cases[c][0]);
        if (helper_post(helper, HELPER_ANN, "world.set", notation) == 0) {
            snprintf(text, sizeof text, "%s", helper->refused.text);
        } else {
            const char *error = helper_error(helper, HELPER_ANN, "world.set", notation);
            assert_memory_equal(error, "INVALID: ", 9);
            snprintf(text, sizeof text, "%s", error + 9);
        }
        if (strncmp(text, cases[c][1], strlen(cases[c][1])) != 0) {
            fail_msg("%s: \"%s\", not \"%s\"", cases[c][0], text, cases[c][1]);
        }
    }
    assert_true(helper_hash(helper) == before);
    helper_destroy(helper);
}

// A list of 100,000 rows is refused before memory is asked for, and a NaN as any number out of its range.
static void hostile_lists_are_refused(void **state)
{
    (void)state;
    struct helper *helper = slope();
    const uint64_t before = helper_hash(helper);
    for (int many = 0; many < 2; many++) {
        const uint32_t rows = many ? 100000 : 1;
        msgpack_sbuffer map;
        msgpack_packer packer;
        msgpack_sbuffer_init(&map);
        msgpack_packer_init(&packer, &map, msgpack_sbuffer_write);
        msgpack_pack_map(&packer, 2);
        msgpack_pack_str_with_body(&packer, "world", 5);
        msgpack_pack_int(&packer, 1);
        msgpack_pack_str_with_body(&packer, "surfaces", 8);
        msgpack_pack_array(&packer, rows);
        for (uint32_t r = 0; r < rows; r++) {
            char name[16];
            const int size = snprintf(name, sizeof name, "s%u", r);
            msgpack_pack_map(&packer, 3);
            msgpack_pack_str_with_body(&packer, "one", 3);
            msgpack_pack_str_with_body(&packer, name, (size_t)size);
            msgpack_pack_str_with_body(&packer, "other", 5);
            msgpack_pack_str_with_body(&packer, name, (size_t)size);
            msgpack_pack_str_with_body(&packer, "friction", 8);
            msgpack_pack_double(&packer, many ? 0.5 : (double)__builtin_nan(""));
        }
        assert_int_equal(helper_post_packed(helper, HELPER_ANN, "world.set", &map, true), 0);
        assert_int_equal(helper->refused.code, many ? PROTOCOL_CODE_LIMIT : PROTOCOL_CODE_INVALID);
        assert_string_equal(helper->refused.field, many ? "surfaces" : "surfaces[0].friction");
        msgpack_sbuffer_destroy(&map);
    }
    assert_true(helper_hash(helper) == before);
    helper_destroy(helper);
}

// A world begins with rows, and a name that is too long is refused.
static void names_are_bounded(void **state)
{
    (void)state;
    struct helper *helper = slope();
    char notation[256], name[80];
    memset(name, 'n', sizeof name);
    for (uint32_t size = 64; size <= 65; size++) {
        snprintf(notation, sizeof notation, "{'world': 1, 'body': 1, 'surface': '%.*s'}", (int)size, name);
        const bool refused = helper_post(helper, HELPER_ANN, "body.set", notation) == 0;
        helper_turn(helper);
        assert_int_equal(refused, size > 64);
    }
    assert_string_equal(helper->refused.field, "surface");
    helper_destroy(helper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_told_and_saved),
        cmocka_unit_test(what_is_read_back_goes_on_the_same),
        cmocka_unit_test(an_undo_takes_them_back),
        cmocka_unit_test(an_undo_meets_changes_of_the_same_field),
        cmocka_unit_test(what_is_wrong_is_refused_with_its_field),
        cmocka_unit_test(hostile_lists_are_refused),
        cmocka_unit_test(names_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
