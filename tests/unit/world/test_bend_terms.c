// How bending is solved is a setting of the world. It is told, recorded, saved, opened and taken back as every other setting, and a
// document that does not have it means what it meant before there was a choice.
#include "helper_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 4 };

static struct helper *cloth_of(helper_tweak tweak)
{
    struct helper *helper = helper_create(tweak);
    helper_cloth(helper, HELPER_ANN, SIDE, 2, "sail");
    return helper;
}

static void solved(struct protocol_world_create_params *settings)
{
    settings->bending = PROTOCOL_WORLD_CREATE_PARAMS_BENDING_SOLVED;
}

// Checks the answers of world.join and world.get, and the document itself.
static void check_bending(struct helper *helper, const char *expected)
{
    static const char *const queries[] = {"world.join", "world.get"};
    struct protocol_world_create_params settings;
    for (size_t q = 0; q < sizeof queries / sizeof *queries; q++) {
        helper_assert_text(helper_call(helper, HELPER_ANN, queries[q], "{'world': 1}"), "bending", expected);
    }
    document_settings(helper->world->document, &settings);
    assert_int_equal(settings.bending == PROTOCOL_WORLD_CREATE_PARAMS_BENDING_SOLVED,
                     strcmp(expected, "solved") == 0);
}

static void how_bending_is_solved_is_told_and_saved(void **state)
{
    (void)state;
    struct helper *helper = cloth_of(NULL);
    check_bending(helper, "swept");
    const msgpack_object *saved = helper_call(helper, HELPER_ANN, "world.save", "{'world': 1}");
    assert_null(helper_find(saved, "document.settings.bending"));
    helper_forget(helper);

    helper_call(helper, HELPER_BOB, "world.set", "{'world': 1, 'bending': 'solved'}");
    helper_assert_text(helper_notice(helper, 0, "world.edited"), "params.bending", "solved");
    check_bending(helper, "solved");
    saved = helper_call(helper, HELPER_ANN, "world.save", "{'world': 1}");
    helper_assert_text(saved, "document.settings.bending", "solved");
    helper_call(helper, HELPER_BOB, "world.set", "{'world': 1, 'damping': 1}");
    check_bending(helper, "solved");
    const char *error = helper_error(helper, HELPER_ANN, "world.set", "{'world': 1, 'bending': 'solve'}");
    assert_memory_equal(error, "INVALID: bending: ", strlen("INVALID: bending: "));
    helper_destroy(helper);
}

static void check_copy(const struct document *document, struct document *copy)
{
    assert_non_null(copy);
    assert_true(sim_settings_of(copy->sim)->bending_solved == sim_settings_of(document->sim)->bending_solved);
    assert_true(document_hash(copy) == document_hash(document));
    document_destroy(copy);
}

static void copies_of_the_world_have_it(void **state)
{
    (void)state;
    struct helper *made = cloth_of(solved), *set = cloth_of(NULL);
    const uint64_t swept = helper_hash(set);
    for (int round = 0; round < 2; round++) {
        const struct document *document = set->world->document;
        struct protocol_bytes bytes = {0};
        struct protocol_error error = {0};
        assert_true(document_image_pack(document, &bytes));
        check_copy(document, document_image_read(bytes.data, bytes.size, &error));
        protocol_bytes_deinit(&bytes);
        assert_true(document_pack(document, &bytes));
        check_copy(document, document_from(bytes.data, bytes.size, &error));
        protocol_bytes_deinit(&bytes);
        helper_call(set, HELPER_ANN, "world.set", "{'world': 1, 'bending': 'solved'}");
    }
    assert_true(helper_hash(set) != swept && helper_hash(set) == helper_hash(made));
    helper_destroy(made);
    helper_destroy(set);
}

static void undo_gives_back_how_it_was_solved(void **state)
{
    (void)state;
    struct helper *helper = cloth_of(NULL);
    const uint64_t swept = helper_hash(helper);
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'bending': 'solved', 'damping': 1}");
    const uint64_t both = helper_hash(helper);
    helper_call(helper, HELPER_BOB, "world.set", "{'world': 1, 'substeps': 5}");
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    check_bending(helper, "swept");
    helper_call(helper, HELPER_BOB, "edit.undo", "{'world': 1}");
    assert_true(helper_hash(helper) == swept);
    helper_call(helper, HELPER_ANN, "edit.redo", "{'world': 1}");
    check_bending(helper, "solved");
    assert_true(helper_hash(helper) == both);
    helper_destroy(helper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(how_bending_is_solved_is_told_and_saved),
        cmocka_unit_test(copies_of_the_world_have_it),
        cmocka_unit_test(undo_gives_back_how_it_was_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
