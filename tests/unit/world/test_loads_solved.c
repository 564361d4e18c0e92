// How loads are borne is a setting of the world: it is told, recorded, saved, opened and taken back. A document that does not
// have it means what it meant before there was a choice.
#include "helper_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct helper *cloth(void)
{
    struct helper *helper = helper_create(NULL);
    helper_cloth(helper, HELPER_ANN, 4, 2, "sail");
    return helper;
}

// Checks the answers of world.join and world.get.
static void check_loads(struct helper *helper, const char *expected)
{
    helper_assert_text(helper_call(helper, HELPER_ANN, "world.join", "{'world': 1}"), "loads", expected);
    helper_assert_text(helper_call(helper, HELPER_ANN, "world.get", "{'world': 1}"), "loads", expected);
}

static void how_loads_are_borne_is_told_and_saved(void **state)
{
    (void)state;
    struct helper *helper = cloth();
    check_loads(helper, "swept");
    const msgpack_object *saved = helper_call(helper, HELPER_ANN, "world.save", "{'world': 1}");
    assert_null(helper_find(saved, "document.settings.loads"));
    helper_forget(helper);
    helper_call(helper, HELPER_BOB, "world.set", "{'world': 1, 'loads': 'solved'}");
    helper_assert_text(helper_notice(helper, 0, "world.edited"), "params.loads", "solved");
    check_loads(helper, "solved");
    saved = helper_call(helper, HELPER_ANN, "world.save", "{'world': 1}");
    helper_assert_text(saved, "document.settings.loads", "solved");
    const char *error = helper_error(helper, HELPER_ANN, "world.set", "{'world': 1, 'loads': 'solve'}");
    assert_memory_equal(error, "INVALID: loads: ", strlen("INVALID: loads: "));
    helper_destroy(helper);
}

static void check_copy(const struct document *document, struct document *copy)
{
    assert_non_null(copy);
    assert_true(sim_settings_of(copy->sim)->loads_solved == sim_settings_of(document->sim)->loads_solved);
    assert_true(document_hash(copy) == document_hash(document));
    document_destroy(copy);
}

static void copies_of_the_world_have_it(void **state)
{
    (void)state;
    struct helper *helper = cloth();
    const uint64_t swept = helper_hash(helper);
    for (int round = 0; round < 2; round++) {
        const struct document *document = helper->world->document;
        struct protocol_bytes bytes = {0};
        struct protocol_error error = {0};
        assert_true(document_image_pack(document, &bytes));
        check_copy(document, document_image_read(bytes.data, bytes.size, &error));
        protocol_bytes_deinit(&bytes);
        assert_true(document_pack(document, &bytes));
        check_copy(document, document_from(bytes.data, bytes.size, &error));
        protocol_bytes_deinit(&bytes);
        helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'loads': 'solved'}");
    }
    assert_true(helper_hash(helper) != swept);
    helper_destroy(helper);
}

static void undo_gives_back_how_they_were_borne(void **state)
{
    (void)state;
    struct helper *helper = cloth();
    const uint64_t swept = helper_hash(helper);
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'loads': 'solved'}");
    const uint64_t solved = helper_hash(helper);
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    check_loads(helper, "swept");
    assert_true(helper_hash(helper) == swept);
    helper_call(helper, HELPER_ANN, "edit.redo", "{'world': 1}");
    check_loads(helper, "solved");
    assert_true(helper_hash(helper) == solved);
    helper_destroy(helper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(how_loads_are_borne_is_told_and_saved),
        cmocka_unit_test(copies_of_the_world_have_it),
        cmocka_unit_test(undo_gives_back_how_they_were_borne),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
