// Terms of edits: stale ones are refused and told who was first; what comes again is answered again.
#include "helper_world.h"

#include "protocol/params.h"
#include "world/edit/edit_ids.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct helper *world_new(void)
{
    struct helper *helper = helper_create(NULL);
    helper->errors = PROTOCOL_ERRORS_MAP;
    helper_call(helper, HELPER_ANN, "body.add", // revision 1
                "{'world': 1, 'name': 'rope', 'kind': 'rope', 'positions': [0,1,0, 1,1,0, 2,1,0]}");
    helper_call(helper, HELPER_BOB, "body.add", // 2
                "{'world': 1, 'name': 'dust', 'kind': 'points', 'positions': [0,0,0, 1,0,0], 'masses': 1}");
    helper_call(helper, HELPER_ANN, "collider.add", // 3
                "{'world': 1, 'name': 'ball', 'kind': 'sphere', 'radius': 0.1}");
    helper_call(helper, HELPER_EVE, "constraint.add", // 4, body 2
                "{'world': 1, 'body': 'dust', 'particles': [0, 1]}");
    helper_forget(helper);
    return helper;
}

// The error, as a map, of an edit that is refused; NULL: it is done.
static const msgpack_object *refusal(struct helper *helper, uint32_t session, const char *method,
                                     const char *notation)
{
    bool error = false;
    const uint32_t msgid = helper_post(helper, session, method, notation);
    assert_int_not_equal(msgid, 0);
    helper_turn(helper);
    const msgpack_object *answer = helper_answer(helper, msgid, &error);
    assert_non_null(answer);
    return error ? answer : NULL;
}

static void assert_stale(struct helper *helper, const char *method, const char *notation, const char *field,
                         double revision, const char *user, const char *was)
{
    const uint64_t hash = helper_hash(helper), before = helper->world->document->revision;
    const msgpack_object *error = refusal(helper, HELPER_EVE, method, notation);
    if (!error) {
        fail_msg("%s %s was done", method, notation);
    }
    helper_assert_text(error, "code", "CONFLICT");
    helper_assert_text(error, "field", field);
    helper_assert_text(error, "user", user);
    assert_true(helper_number(error, "revision") == revision);
    const msgpack_object *text = helper_at(error, "text");
    if (!memmem(text->via.str.ptr, text->via.str.size, was, strlen(was))) {
        fail_msg("%.*s does not say %s", (int)text->via.str.size, text->via.str.ptr, was);
    }
    assert_true(helper_hash(helper) == hash);
    assert_int_equal(helper->world->document->revision, before);
    helper_forget(helper);
}

static void assert_done(struct helper *helper, const char *method, const char *notation)
{
    const msgpack_object *error = refusal(helper, HELPER_EVE, method, notation);
    if (error) {
        const msgpack_object *text = helper_at(error, "text");
        fail_msg("%s %s: %.*s", method, notation, (int)text->via.str.size, text->via.str.ptr);
    }
    helper_forget(helper);
}

static void the_world_is_where_it_was(void **state)
{
    (void)state;
    struct helper *helper = world_new();
    assert_stale(helper, "body.set", "{'world': 1, 'body': 'rope', 'thickness': 0.1, 'if_revision': 3}",
                 "if_revision", 4, "eve", "constraint.add by eve");
    assert_stale(helper, "world.reset", "{'world': 1, 'if_revision': 5}", "if_revision", 4, "eve",
                 "at revision 4");
    assert_done(helper, "body.set", "{'world': 1, 'body': 'rope', 'thickness': 0.1, 'if_revision': 4}"); // 5
    // A call with terms is recorded without them.
    const struct world_records *records = &helper->world->keep->records;
    const struct world_record *last = &records->items[(records->next - 1) % records->capacity];
    assert_null(memmem(last->bytes, last->size, "if_revision", strlen("if_revision")));
    helper_destroy(helper);
}

static void each_thing_has_a_revision(void **state)
{
    (void)state;
    static const struct {
        const char *method, *notation;
        double revision; // that concerned it last
        const char *user, *was;
    } cases[] = {
        {"body.set", "'body': 'rope', 'thickness': 0.2", 1, "ann", "body 1 (\"rope\")"},
        {"body.remove", "'body': 1", 1, "ann", "body.add by ann"},
        {"particle.set", "'body': 2, 'particles': [0], 'velocities': [0,0,0]", 4, "eve", "constraint.add"},
        {"particle.pin", "'body': 2, 'particles': [0]", 4, "eve", "constraint.add"},
        {"particle.unpin", "'body': 2, 'particles': [0]", 4, "eve", "constraint.add"},
        {"collider.set", "'collider': 'ball', 'radius': 0.3", 3, "ann", "collider 3"},
        {"collider.remove", "'collider': 1", 3, "ann", "collider.add"},
        {"constraint.add", "'body': 2, 'particles': [0, 1]", 4, "eve", "constraint.add"},
        {"constraint.set", "'constraints': [1], 'compliance': 0.1", 1, "ann", "body 1"},
        {"constraint.set", "'constraints': [3], 'compliance': 0.1", 4, "eve", "body 2"},
        {"constraint.remove", "'constraints': [3, 1]", 4, "eve", "body 2"},
        {"motion.add", "'collider': 1, 'times': [0, 1], 'offsets': [0,0,0, 0,1,0]", 3, "ann", "collider.add"},
        {"edit.restore", "'parts': [{'body': 1, 'thickness': 0.3}]", 1, "ann", "body.add"},
        {"world.reset", "'if_revision': 4", 4, "eve", "constraint.add"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct helper *helper = world_new();
        char notation[512];
        const char *was = strcmp(cases[c].was, "collider 3") == 0 ? "collider 1 (\"ball\")" : cases[c].was;
        snprintf(notation, sizeof notation, "{'world': 1, %s, 'if_thing_revision': %g}", cases[c].notation,
                 cases[c].revision - 1);
        assert_stale(helper, cases[c].method, notation, "if_thing_revision", cases[c].revision, cases[c].user,
                     was);
        snprintf(notation, sizeof notation, "{'world': 1, %s, 'if_thing_revision': %g}", cases[c].notation,
                 cases[c].revision);
        assert_done(helper, cases[c].method, notation);
        helper_destroy(helper);
    }
}

static void settings_and_motions_are_things(void **state)
{
    (void)state;
    struct helper *helper = world_new();
    assert_done(helper, "world.set", "{'world': 1, 'damping': 1, 'if_thing_revision': 0}"); // 5
    assert_done(helper, "body.set", "{'world': 1, 'body': 1, 'thickness': 0.1}");           // 6
    assert_done(helper, "world.set", "{'world': 1, 'damping': 2, 'if_thing_revision': 5}"); // 7
    assert_stale(helper, "world.set", "{'world': 1, 'damping': 3, 'if_thing_revision': 6}",
                 "if_thing_revision", 7, "eve", "the world's settings were changed at revision 7");
    assert_done(helper, "motion.add", // 8
                "{'world': 1, 'collider': 1, 'times': [0, 1], 'offsets': [0,0,0, 0,1,0]}");
    assert_stale(helper, "motion.remove", "{'world': 1, 'motion': 1, 'if_thing_revision': 7}",
                 "if_thing_revision", 8, "eve", "motion.add");
    // The things that an edit adds have been changed by nobody.
    assert_done(helper, "body.add",
                "{'world': 1, 'kind': 'points', 'positions': [0,0,0], 'masses': 1, 'if_thing_revision': 0}");
    helper_destroy(helper);
}

// An edit.undo is held against the things that it puts back, although nobody changed what it writes there.
static void an_undo_speaks_of_what_it_puts_back(void **state)
{
    (void)state;
    struct helper *helper = world_new();
    assert_done(helper, "body.set", "{'world': 1, 'body': 1, 'thickness': 0.1}");            // 5
    helper_call(helper, HELPER_BOB, "body.set", "{'world': 1, 'body': 1, 'friction': 0.1}"); // 6
    assert_stale(helper, "edit.undo", "{'world': 1, 'revision': 5, 'if_thing_revision': 5}",
                 "if_thing_revision", 6, "bob", "body 1");
    assert_done(helper, "edit.undo", "{'world': 1, 'revision': 5, 'if_thing_revision': 6}");
    helper_destroy(helper);
}

static void in_a_batch_they_speak_of_before_it(void **state)
{
    (void)state;
    struct helper *helper = world_new();
    assert_stale(helper, "edit.batch",
                 "{'world': 1, 'edits': [['world.set', {'damping': 1}],"
                 " ['body.set', {'body': 2, 'thickness': 0.1, 'if_thing_revision': 2}]]}",
                 "edits[1].if_thing_revision", 4, "eve", "edits[1] (body.set): if_thing_revision");
    assert_done(helper, "edit.batch",
                "{'world': 1, 'if_revision': 4, 'edits': ["
                "['body.set', {'body': 1, 'thickness': 0.1, 'if_thing_revision': 1}],"
                "['body.set', {'body': 1, 'thickness': 0.2, 'if_thing_revision': 1}],"
                "['collider.add', {'name': 'new', 'kind': 'plane'}],"
                "['collider.set', {'collider': 'new', 'friction': 0.1, 'if_thing_revision': 0}],"
                "['world.set', {'damping': 1}], ['world.set', {'damping': 2, 'if_thing_revision': 0}]]}");
    assert_stale(helper, "body.set", "{'world': 1, 'body': 1, 'thickness': 0.3, 'if_thing_revision': 4}",
                 "if_thing_revision", 5, "eve", "body.set by eve");
    assert_stale(helper, "world.reset", "{'world': 1, 'if_revision': 4}", "if_revision", 5, "eve",
                 "edit.batch by eve");
    helper_destroy(helper);
}

// ---------------------------------------------------------------------------------------------------------
// Images

static void who_was_last_is_kept_in_images(void **state)
{
    (void)state;
    struct helper *helper = world_new();
    assert_done(helper, "world.set", "{'world': 1, 'damping': 1}"); // 5
    assert_done(helper, "body.set", "{'world': 1, 'body': 1, 'thickness': 0.1}");
    struct protocol_bytes bytes = {0}, again = {0};
    struct protocol_error error = {0};
    assert_true(document_image_pack(helper->world->document, &bytes));
    struct document *read = document_image_read(bytes.data, bytes.size, &error);
    assert_non_null(read);
    assert_true(document_image_pack(read, &again));
    assert_int_equal(again.size, bytes.size);
    assert_memory_equal(again.data, bytes.data, bytes.size);
    assert_int_equal(read->last.revision, 6);
    assert_int_equal(read->last.method, PROTOCOL_METHOD_BODY_SET);
    assert_int_equal(read->settings_touched.revision, 5);
    assert_string_equal(read->settings_touched.person, "eve");
    assert_int_equal(read->bodies.items[1].touched.method, PROTOCOL_METHOD_CONSTRAINT_ADD);
    document_destroy(read);
    protocol_bytes_deinit(&bytes);
    protocol_bytes_deinit(&again);
    helper_destroy(helper);
}

// As images were before they told of methods: seven fields, touches of three.
static void images_of_before_are_read(void **state)
{
    (void)state;
    struct helper *helper = world_new();
    struct protocol_bytes bytes = {0}, document = {0};
    struct protocol_error error = {0};
    msgpack_packer packer;
    assert_true(document_pack_image(helper->world->document, &document));
    msgpack_packer_init(&packer, &bytes, protocol_bytes_write);
    msgpack_pack_array(&packer, 7);
    msgpack_pack_int(&packer, 1);
    msgpack_pack_str_with_body(&packer, "flag", 4);
    msgpack_pack_int(&packer, 4);
    msgpack_pack_array(&packer, 2);
    msgpack_pack_array(&packer, 3);
    msgpack_pack_int(&packer, 1);
    msgpack_pack_int(&packer, 1);
    msgpack_pack_str_with_body(&packer, "ann", 3);
    msgpack_pack_nil(&packer);
    msgpack_pack_array(&packer, 1);
    msgpack_pack_nil(&packer);
    msgpack_pack_array(&packer, 0);
    protocol_bytes_write(&bytes, (const char *)document.data, document.size);
    struct document *read = document_image_read(bytes.data, bytes.size, &error);
    if (!read) {
        fail_msg("%s", error.text);
    }
    assert_true(document_hash(read) == document_hash(helper->world->document));
    assert_int_equal(read->revision, 4);
    assert_int_equal(read->last.revision, 0);
    assert_int_equal(read->bodies.items[0].touched.revision, 1);
    assert_int_equal(read->bodies.items[0].touched.method, -1);
    document_destroy(read);
    protocol_bytes_deinit(&bytes);
    protocol_bytes_deinit(&document);
    helper_destroy(helper);
}

// ---------------------------------------------------------------------------------------------------------
// Ids

static const msgpack_object *done(struct helper *helper, uint32_t msgid)
{
    bool error = true;
    const msgpack_object *answer = helper_answer(helper, msgid, &error);
    assert_non_null(answer);
    assert_false(error);
    return answer;
}

static void what_comes_again_is_answered_again(void **state)
{
    (void)state;
    struct helper *helper = world_new();
    helper_call(helper, HELPER_EVE, "world.join", "{'world': 1}");
    helper_forget(helper);
    const char *notation =
        "{'world': 'flag', 'name': 'new', 'kind': 'sphere', 'radius': 0.2, 'edit_id': 'x'}";
    // Both are sent before one is applied.
    const uint32_t first = helper_post(helper, HELPER_BOB, "collider.add", notation);
    const uint32_t second = helper_post(helper, HELPER_BOB, "collider.add", notation);
    helper_turn(helper);
    const msgpack_object *one = done(helper, first), *two = done(helper, second);
    assert_null(helper_find(one, "repeated"));
    assert_true(helper_at(two, "repeated")->via.boolean);
    assert_true(helper_number(one, "collider") == 2 && helper_number(two, "collider") == 2);
    assert_true(helper_number(two, "revision") == helper_number(one, "revision"));
    assert_int_equal(helper_count(helper, WORLD_NOTICE), 1);
    assert_int_equal(helper->world->keep->records.next, 5);
    helper_forget(helper);
    // On other terms, and with the world named otherwise, it is still the same edit.
    const msgpack_object *again = helper_call(
        helper, HELPER_BOB, "collider.add",
        "{'world': 1, 'name': 'new', 'kind': 'sphere', 'radius': 0.2, 'edit_id': 'x', 'if_revision': 4}");
    assert_true(helper_at(again, "repeated")->via.boolean);
    // Another edit is not.
    helper->errors = PROTOCOL_ERRORS_ARRAY;
    assert_string_equal(
        helper_error(helper, HELPER_BOB, "collider.add",
                     "{'world': 1, 'name': 'new', 'kind': 'sphere', 'radius': 0.3, 'edit_id': 'x'}"),
        "CONFLICT: edit_id: \"x\" is that of revision 5 (collider.add), which was another edit; a new edit "
        "needs a "
        "new id");
    assert_string_equal(helper_error(helper, HELPER_BOB, "world.reset", "{'world': 1, 'edit_id': 'x'}"),
                        "CONFLICT: edit_id: \"x\" is that of revision 5 (collider.add), which was another "
                        "edit; a new edit needs a "
                        "new id");
    // An id is one's own.
    again = helper_call(helper, HELPER_ANN, "collider.add",
                        "{'world': 1, 'kind': 'sphere', 'radius': 0.2, 'edit_id': 'x'}");
    assert_null(helper_find(again, "repeated"));
    assert_true(helper_number(again, "collider") == 3);
    helper_destroy(helper);
}

static void what_was_refused_may_be_tried_again(void **state)
{
    (void)state;
    struct helper *helper = world_new();
    const char *notation = "{'world': 1, 'body': 'later', 'thickness': 0.1, 'edit_id': 'x'}";
    assert_non_null(refusal(helper, HELPER_BOB, "body.set", notation));
    helper_call(helper, HELPER_BOB, "body.set",
                "{'world': 1, 'body': 'rope', 'name': 'later', 'edit_id': 'y'}");
    assert_null(refusal(helper, HELPER_BOB, "body.set", notation));
    const msgpack_object *again = helper_call(helper, HELPER_BOB, "body.set", notation);
    assert_true(helper_at(again, "repeated")->via.boolean);
    helper_destroy(helper);
}

static void batches_come_again_too(void **state)
{
    (void)state;
    struct helper *helper = world_new();
    const char *notation = "{'world': 1, 'edit_id': 'x', 'edits': [['collider.add', {'kind': 'plane'}],"
                           " ['body.remove', {'body': 'dust'}]]}";
    helper_call(helper, HELPER_BOB, "edit.batch", notation);
    const msgpack_object *again = helper_call(helper, HELPER_BOB, "edit.batch", notation);
    assert_true(helper_at(again, "repeated")->via.boolean);
    assert_true(helper_number(again, "results.#0.collider") == 2);
    assert_int_equal(helper_array(again, "results.#1.constraints", PROTOCOL_ARRAY_U32).count, 1);
    assert_int_equal(helper->world->document->revision, 5);
    helper_destroy(helper);
}

static void ids_are_names(void **state)
{
    (void)state;
    struct helper *helper = world_new();
    char notation[256];
    snprintf(notation, sizeof notation, "{'world': 1, 'edit_id': '%065d'}", 0);
    assert_int_equal(helper_post(helper, HELPER_BOB, "world.reset", notation), 0);
    assert_int_equal(helper->refused.code, PROTOCOL_CODE_LIMIT);
    assert_string_equal(helper->refused.field, "edit_id");
    assert_int_equal(helper_post(helper, HELPER_BOB, "world.reset", "{'world': 1, 'edit_id': 7}"), 0);
    assert_int_equal(helper->refused.code, PROTOCOL_CODE_INVALID);
    assert_int_equal(helper_post(helper, HELPER_BOB, "world.reset", "{'world': 1, 'if_revision': -1}"), 0);
    assert_string_equal(helper->refused.field, "if_revision");
    helper_destroy(helper);
}

// ---------------------------------------------------------------------------------------------------------
// The table

static void add(struct world_edit_ids *ids, const char *id, size_t answer, uint64_t now_us)
{
    const struct protocol_string person = protocol_text("ann"), name = protocol_text(id);
    uint32_t *constraints = calloc(answer / 4 + 1, sizeof *constraints);
    struct protocol_body_remove_result result = {
        .has = PROTOCOL_HAS_ALL & ~PROTOCOL_HAS_BODY_REMOVE_RESULT_REPEATED,
        .revision = 9,
        .constraints = {PROTOCOL_ARRAY_U32, (uint32_t)(answer / 4), constraints}};
    const struct document_edit edit = {.method = PROTOCOL_METHOD_BODY_REMOVE, .result = &result};
    struct world_edit_id *edit_id = world_edit_id_create(&person, &name, 77);
    assert_non_null(edit_id);
    world_edit_ids_add(ids, edit_id, &edit, 9, now_us);
    free(constraints);
}

static bool find(struct world_edit_ids *ids, const char *id, uint64_t now_us, struct world_edit_known *known)
{
    const struct protocol_string person = protocol_text("ann"), name = protocol_text(id);
    return world_edit_ids_find(ids, &person, &name, now_us, known);
}

static void the_table_is_bounded(void **state)
{
    (void)state;
    const uint64_t start_us = UINT64_C(1790000000000000), hour_us = UINT64_C(3600000000);
    struct world_edit_ids *ids = world_edit_ids_create();
    struct world_edit_known known;
    char id[16];
    for (uint32_t i = 0; i < PROTOCOL_LIMIT_EDIT_IDS + 100; i++) {
        snprintf(id, sizeof id, "%u", i);
        add(ids, id, 0, start_us + i);
    }
    assert_false(find(ids, "99", start_us, &known));
    assert_true(find(ids, "100", start_us, &known));
    assert_non_null(known.answer);
    assert_int_equal(known.asked, 77);
    assert_int_equal(known.revision, 9);
    assert_true(find(ids, "10099", start_us, &known));
    assert_false(find(ids, "10100", start_us, &known));
    // An hour.
    assert_true(find(ids, "5000", start_us + 5000 + hour_us, &known));
    assert_false(find(ids, "5000", start_us + 5001 + hour_us, &known));
    assert_true(find(ids, "5001", start_us + 5001 + hour_us, &known));
    world_edit_ids_destroy(ids);
}

static void answers_are_bounded(void **state)
{
    (void)state;
    const uint64_t now_us = UINT64_C(1790000000000000);
    struct world_edit_ids *ids = world_edit_ids_create();
    struct world_edit_known known;
    char id[16];
    for (uint32_t i = 0; i < 20; i++) { // of 1 MiB
        snprintf(id, sizeof id, "%u", i);
        add(ids, id, 1 << 20, now_us);
    }
    for (uint32_t i = 0; i < 20; i++) {
        snprintf(id, sizeof id, "%u", i);
        assert_true(find(ids, id, now_us, &known)); // known, if not how it was answered
        assert_true((known.answer != NULL) == (i >= 5));
    }
    add(ids, "huge", 40 << 20, now_us);
    assert_true(find(ids, "huge", now_us, &known));
    assert_non_null(known.answer);
    assert_true(find(ids, "19", now_us, &known));
    assert_null(known.answer);
    add(ids, "after", 4, now_us);
    assert_true(find(ids, "huge", now_us, &known));
    assert_null(known.answer);
    assert_true(find(ids, "after", now_us, &known));
    assert_non_null(known.answer);
    world_edit_ids_destroy(ids);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_world_is_where_it_was),
        cmocka_unit_test(each_thing_has_a_revision),
        cmocka_unit_test(settings_and_motions_are_things),
        cmocka_unit_test(an_undo_speaks_of_what_it_puts_back),
        cmocka_unit_test(in_a_batch_they_speak_of_before_it),
        cmocka_unit_test(who_was_last_is_kept_in_images),
        cmocka_unit_test(images_of_before_are_read),
        cmocka_unit_test(what_comes_again_is_answered_again),
        cmocka_unit_test(what_was_refused_may_be_tried_again),
        cmocka_unit_test(batches_come_again_too),
        cmocka_unit_test(ids_are_names),
        cmocka_unit_test(the_table_is_bounded),
        cmocka_unit_test(answers_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
