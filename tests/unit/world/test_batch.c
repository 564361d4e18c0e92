// Random batches against the same edits one after another: they come to the same, or, where one of them is refused, to
// nothing at all, to the byte of the image.
#include "helper_program.h"
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

enum { BATCHES = 14, EDITS_MAX = 12, AFTER = 3 };

static uint32_t done_count, refused_count, refused_late, held_count;

static struct document *document_new(void)
{
    struct helper *helper = helper_create(NULL);
    struct protocol_world_create_params settings;
    document_settings(helper->world->document, &settings);
    helper_destroy(helper);
    struct document *document = document_create(&settings);
    memcpy(document->name, "flag", sizeof "flag");
    return document;
}

static struct protocol_bytes image_of(const struct document *document)
{
    struct protocol_bytes bytes = {0};
    assert_true(document_image_pack(document, &bytes));
    return bytes;
}

static struct document *read_image(const struct protocol_bytes *image)
{
    struct protocol_error error = {0};
    struct document *document = document_image_read(image->data, image->size, &error);
    if (!document) {
        fail_msg("%s", error.text);
    }
    return document;
}

static void assert_image(const struct document *document, const struct protocol_bytes *image,
                         const char *what)
{
    struct protocol_bytes now = image_of(document);
    size_t at = 0;
    while (at < now.size && at < image->size && now.data[at] == image->data[at]) {
        at++;
    }
    if (now.size != image->size || at < now.size) {
        fail_msg("%s: another image from byte %zu of %zu and %zu", what, at, now.size, image->size);
    }
    protocol_bytes_deinit(&now);
}

static struct protocol_bytes told(const struct document *document)
{
    struct protocol_bytes bytes = {0};
    assert_true(document_pack(document, &bytes));
    return bytes;
}

// ---------------------------------------------------------------------------------------------------------
// Edits by their notation

static bool is_nothing_allowed;
static uint32_t not_allowed_count;

static bool allow_nothing(void *context, const struct document *document, struct protocol_error *error)
{
    (void)document;
    (*(uint32_t *)context)++;
    protocol_error_set(error, PROTOCOL_CODE_LIMIT, NULL, "nothing is allowed");
    return false;
}

static bool apply(struct document *document, const char *name, const char *notation, msgpack_zone *zone,
                  struct document_edit *edit)
{
    const struct document_constants constants = {.resolution = sim_settings_of(document->sim)->resolution,
                                                 .extent_at_start = 1e9};
    enum protocol_method method;
    msgpack_sbuffer buffer;
    msgpack_object map;
    size_t offset = 0;
    assert_true(protocol_method_find(protocol_text(name), &method));
    msgpack_sbuffer_init(&buffer);
    helper_pack(&buffer, notation);
    char *bytes = msgpack_zone_malloc(zone, buffer.size);
    memcpy(bytes, buffer.data, buffer.size);
    assert_true(msgpack_unpack(bytes, buffer.size, &offset, zone, &map) >= 0);
    msgpack_sbuffer_destroy(&buffer);
    void *params = msgpack_zone_malloc(zone, protocol_methods[method].params->size);
    *edit = (struct document_edit){.method = method, .params = params, .session = 7, .person = "ann"};
    edit->zone = zone;
    edit->wants_inverse = true;
    edit->allows = is_nothing_allowed ? allow_nothing : NULL;
    edit->allows_context = &not_allowed_count;
    if (!protocol_decode(protocol_methods[method].params, &map, zone, params, &edit->error)) {
        return false;
    }
    edit->plans =
        document_prepares(method) ? document_prepare(method, params, &constants, &edit->error) : NULL;
    const bool done = (!document_prepares(method) || edit->plans) && document_apply(document, edit);
    document_plans_destroy(edit->plans);
    edit->plans = NULL;
    return done;
}

// An edit as a batch takes it: without the world. False: none does.
static bool bare(const struct program_input *given, char *out, size_t size)
{
    static const char *const heads[] = {"{'world': 1, ", "{'world': 'flag', ", "{'world': 1"};
    if (strncmp(given->method, "grab.", 5) == 0 ||
        (strcmp(given->method, "world.set") == 0 && strstr(given->notation, "'name'"))) {
        return false;
    }
    for (size_t h = 0; h < sizeof heads / sizeof *heads; h++) {
        if (strncmp(given->notation, heads[h], strlen(heads[h])) == 0) {
            snprintf(out, size, "{%s", given->notation + strlen(heads[h]));
            return true;
        }
    }
    fail_msg("%s", given->notation);
    return false;
}

struct group {
    struct program_input edits[EDITS_MAX];
    uint32_t count;
    char notation[EDITS_MAX * (sizeof(struct program_input) + 64)];
};

static bool apply_alone(struct document *document, const struct program_input *given)
{
    struct document_edit edit;
    msgpack_zone zone;
    msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE);
    const bool done = apply(document, given->method, given->notation, &zone, &edit);
    msgpack_zone_destroy(&zone);
    return done;
}

// Mostly edits that apply where those before them have.
static void group_choose(struct group *group, const struct document *document)
{
    enum { REFUSED_ONE_IN = 5 };
    const uint32_t wanted = 1 + program_below(EDITS_MAX);
    size_t at = (size_t)snprintf(group->notation, sizeof group->notation, "{'world': 1, 'edits': [");
    struct protocol_bytes image = image_of(document);
    struct document *tried = read_image(&image);
    group->count = 0;
    while (group->count < wanted) {
        struct program_input *edit = &group->edits[group->count];
        char text[sizeof edit->notation];
        helper_choose(tried->sim, edit);
        // Bodies are prepared before the first edit applies, so one that cannot be made is refused before all others.
        if (bare(edit, text, sizeof text) &&
            (apply_alone(tried, edit) ||
             (strcmp(edit->method, "body.add") != 0 && program_below(REFUSED_ONE_IN) == 0))) {
            at += (size_t)snprintf(group->notation + at, sizeof group->notation - at, "%s['%s', %s]",
                                   group->count > 0 ? ", " : "", edit->method, text);
            group->count++;
        }
    }
    snprintf(group->notation + at, sizeof group->notation - at, "]}");
    document_destroy(tried);
    protocol_bytes_deinit(&image);
}

// One after another; the position of the first that is refused, or how many there are.
static uint32_t one_by_one(struct document *document, const struct group *group)
{
    for (uint32_t i = 0; i < group->count; i++) {
        if (!apply_alone(document, &group->edits[i])) {
            return i;
        }
    }
    return group->count;
}

// ---------------------------------------------------------------------------------------------------------

static void go_on(struct document *document, uint32_t ticks)
{
    for (; ticks > 0 && !document->failed; ticks--) {
        document_step(document, NULL, NULL);
    }
}

// As if it had not been, also for all that comes.
static void check_refused(struct document *document, const struct document_edit *edit, uint32_t failing,
                          const struct protocol_bytes *before)
{
    char place[32];
    snprintf(place, sizeof place, "edits[%u]", failing);
    if (strncmp(edit->error.field, place, strlen(place)) != 0 || !strstr(edit->error.text, place)) {
        fail_msg("%s is refused, not %s (%s)", place, edit->error.field, edit->error.text);
    }
    assert_false(document->failed);
    assert_image(document, before, "a refused batch");
    struct document *as_before = read_image(before), *now = read_image(before);
    go_on(as_before, AFTER);
    document_destroy(now);
    struct protocol_bytes later = {0};
    if (!as_before->failed) {
        later = image_of(as_before);
        go_on(document, AFTER);
        assert_image(document, &later, "ticks after a refused batch");
    }
    protocol_bytes_deinit(&later);
    document_destroy(as_before);
}

static void check_record(const struct document *after, const struct document_edit *edit,
                         const struct protocol_bytes *before, msgpack_zone *zone)
{
    struct document *replayed = read_image(before);
    const struct document_record record = {
        .sequence = 1,
        .tick = replayed->tick,
        .revision = replayed->revision + 1,
        .person = protocol_text("ann"),
        .session = 7,
        .method = PROTOCOL_METHOD_EDIT_BATCH,
        .params = edit->resolved,
        .result = edit->result,
    };
    struct protocol_bytes bytes = {0}, again = {0}, image = image_of(after);
    struct document_record read;
    struct protocol_error error = {0};
    msgpack_packer packer;
    msgpack_packer_init(&packer, &bytes, protocol_bytes_write);
    document_record_pack(&record, &packer);
    if (!document_record_read(bytes.data, bytes.size, zone, &read, &error)) {
        fail_msg("a batch is no record: %s", error.text);
    }
    msgpack_packer_init(&packer, &again, protocol_bytes_write);
    document_record_pack(&read, &packer);
    assert_int_equal(again.size, bytes.size);
    assert_memory_equal(again.data, bytes.data, bytes.size);
    // An earlier version may have warned otherwise of a mesh.
    const struct protocol_edit_batch_result *answered = read.result;
    struct protocol_warning other = {
        .has = PROTOCOL_HAS_ALL, .code = protocol_text("THICK"), .text = protocol_text("?")};
    for (uint32_t i = 0; i < answered->results.count; i++) {
        const struct protocol_call *call = (const struct protocol_call *)answered->results.items + i;
        if (call->method == PROTOCOL_METHOD_BODY_ADD) {
            struct protocol_body_add_result *added = call->value;
            added->warnings = (struct protocol_list){.items = &other, .count = 1};
        }
    }
    if (!document_replay(replayed, &read, zone, &error)) {
        fail_msg("a batch replayed: %s", error.text);
    }
    assert_image(replayed, &image, "a batch replayed");
    document_destroy(replayed);
    protocol_bytes_deinit(&bytes);
    protocol_bytes_deinit(&again);
    protocol_bytes_deinit(&image);
}

static void check_inverses(const struct document *after, const struct document_edit *edit,
                           const struct document *before, msgpack_zone *zone)
{
    struct protocol_bytes image = image_of(after), told_before = told(before);
    struct document *back = read_image(&image);
    const struct document_constants constants = {.resolution = sim_settings_of(back->sim)->resolution,
                                                 .extent_at_start = 1e9};
    for (uint32_t i = 0; i < edit->back.count; i++) {
        struct protocol_edit_restore_params params;
        document_restore_params((const struct protocol_restore_step *)edit->back.items + i, &params);
        struct document_edit inverse = {
            .method = PROTOCOL_METHOD_EDIT_RESTORE, .params = &params, .person = "ann", .zone = zone};
        inverse.plans = document_prepare(inverse.method, inverse.params, &constants, &inverse.error);
        if (!inverse.plans || !document_apply(back, &inverse)) {
            fail_msg("inverse %u of %u: %s", i, edit->back.count, inverse.error.text);
        }
        document_plans_destroy(inverse.plans);
    }
    assert_true(sim_hash_ungrabbed(back->sim) == sim_hash_ungrabbed(before->sim));
    struct protocol_bytes told_back = told(back);
    assert_int_equal(told_back.size, told_before.size);
    assert_memory_equal(told_back.data, told_before.data, told_before.size);
    protocol_bytes_deinit(&told_back);
    protocol_bytes_deinit(&told_before);
    protocol_bytes_deinit(&image);
    document_destroy(back);
}

// The results of an edit are checked when it is done. If they are not allowed, it is as if it had not been.
static void check_not_allowed(struct document *document, const struct group *group,
                              const struct protocol_bytes *before)
{
    struct document_edit edit;
    msgpack_zone zone;
    msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE);
    is_nothing_allowed = true;
    if (!document->failed) {
        assert_false(apply(document, "edit.batch", group->notation, &zone, &edit));
        assert_image(document, before, "a batch that is not allowed");
    }
    for (uint32_t i = 0; i < group->count; i++) {
        const struct program_input *given = &group->edits[i];
        const uint32_t asked = not_allowed_count;
        struct document *one = read_image(before);
        const bool done = apply(one, given->method, given->notation, &zone, &edit);
        assert_true(not_allowed_count == asked || !done);
        if (!done) {
            assert_image(one, before, "an edit that is not allowed");
        }
        document_destroy(one);
    }
    is_nothing_allowed = false;
    msgpack_zone_destroy(&zone);
}

static void batch_once(struct document *document, const struct group *group)
{
    struct protocol_bytes before = image_of(document);
    struct document *model = read_image(&before), *was = read_image(&before);
    struct document_edit edit;
    msgpack_zone zone;
    msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE);
    held_count += sim_grab_count(document->sim);
    check_not_allowed(document, group, &before);
    const uint32_t failing = one_by_one(model, group);
    const bool done = apply(document, "edit.batch", group->notation, &zone, &edit);
    if (done != (failing == group->count)) {
        fail_msg("%u of %u were done one by one; the batch was %s (%s)\n%s", failing, group->count,
                 done ? "done" : "refused", edit.error.text, group->notation);
    }
    if (!done) {
        refused_count++;
        refused_late += failing > 0;
        check_refused(document, &edit, failing, &before);
    } else if (!document->failed) {
        done_count++;
        assert_int_equal(document->revision, was->revision + 1);
        assert_true(document_hash(document) == document_hash(model));
        struct protocol_bytes one = told(document), other = told(model);
        assert_int_equal(one.size, other.size);
        assert_memory_equal(one.data, other.data, one.size);
        protocol_bytes_deinit(&one);
        protocol_bytes_deinit(&other);
        check_record(document, &edit, &before, &zone);
        check_inverses(document, &edit, was, &zone);
    }
    document_destroy(model);
    document_destroy(was);
    protocol_bytes_deinit(&before);
    msgpack_zone_destroy(&zone);
}

static void hold_something(struct document *document)
{
    for (uint32_t i = 0; i < 4; i++) {
        struct document_edit edit;
        msgpack_zone zone;
        char notation[128];
        msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE);
        snprintf(notation, sizeof notation, "{'world': 1, 'body': %u, 'particle': %u, 'target': [0.1, 1, 0]}",
                 1 + program_below(8), program_below(3));
        (void)apply(document, "grab.begin", notation, &zone, &edit);
        msgpack_zone_destroy(&zone);
    }
}

static uint32_t program_now = UINT32_MAX;

static int tell_program(void **state)
{
    (void)state;
    if (program_now != UINT32_MAX) {
        print_message("WEFT_PROGRAM=%u runs that one again\n", program_now);
    }
    return 0;
}

static void batches_are_their_edits_or_nothing(void **state)
{
    (void)state;
    const char *only = getenv("WEFT_PROGRAM");
    const uint32_t programs = program_count() / 2;
    struct group *group = malloc(sizeof *group);
    for (uint32_t program = 0; program < programs; program++) {
        if (only && strtoul(only, NULL, 10) != program) {
            continue;
        }
        program_now = program;
        struct document *document = document_new();
        program_begin(77000 + program);
        for (uint32_t b = 0; b < BATCHES && !document->failed; b++) {
            group_choose(group, document);
            batch_once(document, group);
            hold_something(document);
            go_on(document, program_below(3));
        }
        document_destroy(document);
    }
    free(group);
    program_now = UINT32_MAX;
    print_message("%u done, %u refused, %u of them not at the first; %u held\n", done_count, refused_count,
                  refused_late, held_count);
    if (!only) {
        assert_true(done_count > programs);
        assert_true(refused_late > programs);
        assert_true(held_count > programs);
        assert_true(not_allowed_count > programs);
    }
}

// ---------------------------------------------------------------------------------------------------------
// What is no batch

static void what_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *edits, *code, *field;
    } cases[] = {
        {"[]", "INVALID", "edits"},
        {"7", "INVALID", "edits"},
        {"[7]", "INVALID", "edits[0]"},
        {"[['body.remove']]", "INVALID", "edits[0]"},
        {"[['body.remove', {'body': 1}, 1]]", "INVALID", "edits[0]"},
        {"[['body.remove', [{'body': 1}]]]", "INVALID", "edits[0]"},
        {"[['world.reset', {}], ['nobody.knows', {}]]", "INVALID", "edits[1]"},
        {"[['world.get', {}]]", "INVALID", "edits[0]"},
        {"[['world.play', {}]]", "INVALID", "edits[0]"},
        {"[['world.delete', {}]]", "INVALID", "edits[0]"},
        {"[['grab.end', {'grab': 1}]]", "INVALID", "edits[0]"},
        {"[['edit.batch', {'edits': []}]]", "INVALID", "edits[0]"},
        {"[['body.remove', {'world': 1, 'body': 1}]]", "INVALID", "edits[0].world"},
        {"[['body.remove', {}]]", "INVALID", "edits[0].body"},
        {"[['body.remove', {'body': 1, 'x': 1}]]", "INVALID", "edits[0]"},
        {"[['body.remove', {'body': 1}]]", "NOT_FOUND", "edits[0].body"},
        {"[['world.set', {'name': 'other'}]]", "INVALID", "edits[0].name"},
        {"[['edit.restore', {'name': 'other'}]]", "INVALID", "edits[0].name"},
        {"[['world.reset', {'if_revision': 0}]]", "INVALID", "edits[0].if_revision"},
        {"[['world.reset', {'edit_id': 'a'}]]", "INVALID", "edits[0].edit_id"},
        {"[['world.reset', {}], ['body.add', {'kind': 'rope', 'positions': [0,0,0]}]]", "INVALID",
         "edits[1]"},
        {"[['world.reset', {}]], 'if_thing_revision': 0", "INVALID", "if_thing_revision"},
        {"[['world.reset', {}]], 'if_revision': 5", "CONFLICT", "if_revision"},
    };
    struct helper *helper = helper_create(NULL);
    helper->errors = PROTOCOL_ERRORS_MAP;
    const uint64_t hash = helper_hash(helper);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char notation[512];
        bool error = false;
        snprintf(notation, sizeof notation, "{'world': 1, 'edits': %s}", cases[c].edits);
        const uint32_t msgid = helper_post(helper, HELPER_ANN, "edit.batch", notation);
        const char *code = protocol_codes[helper->refused.code].name, *field = helper->refused.field;
        const struct protocol_code_info *info = &protocol_codes[helper->refused.code];
        if (msgid != 0) {
            helper_turn(helper);
            const msgpack_object *answer = helper_answer(helper, msgid, &error);
            assert_true(error);
            helper_assert_text(answer, "code", cases[c].code);
            helper_assert_text(answer, "field", cases[c].field);
        } else if (strcmp(code, cases[c].code) != 0 ||
                   strncmp(field, cases[c].field, strlen(cases[c].field)) != 0) {
            fail_msg("%s: %s, field %s, kind %d (%s)", cases[c].edits, code, field, info->kind,
                     helper->refused.text);
        }
        helper_forget(helper);
    }
    assert_true(helper_hash(helper) == hash);
    assert_int_equal(helper->world->document->revision, 0);
    helper_destroy(helper);
}

static void too_many_are_refused(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    const size_t size = 64 + 1001 * 32;
    char *notation = malloc(size);
    for (uint32_t count = 1000; count <= 1001; count++) {
        size_t at = (size_t)snprintf(notation, size, "{'world': 1, 'edits': [");
        for (uint32_t i = 0; i < count; i++) {
            at += (size_t)snprintf(notation + at, size - at, "%s['world.set', {'damping': 1}]",
                                   i > 0 ? "," : "");
        }
        snprintf(notation + at, size - at, "]}");
        const uint32_t msgid = helper_post(helper, HELPER_ANN, "edit.batch", notation);
        if (count == 1000) {
            bool error = true;
            helper_turn(helper);
            const msgpack_object *answer = helper_answer(helper, msgid, &error);
            assert_false(error);
            assert_int_equal(helper_at(answer, "results")->via.array.size, 1000);
            helper_forget(helper);
        } else {
            assert_int_equal(msgid, 0);
            assert_int_equal(helper->refused.code, PROTOCOL_CODE_LIMIT);
            assert_true(helper->refused.limit == 1000);
        }
    }
    assert_int_equal(helper->world->document->revision, 1);
    free(notation);
    helper_destroy(helper);
}

static void one_notice_tells_of_all(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_BOB, "world.join", "{'world': 1}");
    helper_forget(helper);
    const uint32_t msgid = helper_post(helper, HELPER_ANN, "edit.batch",
                                       "{'world': 'flag', 'edits': [['body.add', {'name': 'rope', 'kind': "
                                       "'rope', 'positions': [0,0,0, 1,0,0]}],"
                                       " ['particle.pin', {'body': 'rope', 'particles': [0]}], ['body.set', "
                                       "{'body': 'rope', 'name': 'cord'}]]}");
    helper_turn(helper);
    bool error = true;
    const msgpack_object *answer = helper_answer(helper, msgid, &error);
    assert_false(error);
    assert_true(helper_number(answer, "revision") == 1);
    assert_true(helper_number(answer, "results.#0.body") == 1);
    assert_true(helper_number(answer, "results.#2.revision") == 1);
    assert_int_equal(helper_count(helper, WORLD_NOTICE), 1);
    const msgpack_object *notice = helper_notice(helper, 0, "world.edited");
    helper_assert_text(notice, "method", "edit.batch");
    assert_true(helper_number(notice, "params.world") == 1);
    helper_assert_text(notice, "params.edits.#1.#0", "particle.pin");
    assert_true(helper_number(notice, "params.edits.#1.#1.body") == 1);
    assert_null(helper_find(notice, "params.edits.#1.#1.world"));
    assert_true(helper_number(notice, "result.results.#0.body") == 1);
    assert_int_equal(helper->world->keep->records.next, 1);
    helper_destroy(helper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(batches_are_their_edits_or_nothing, tell_program),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(too_many_are_refused),
        cmocka_unit_test(one_notice_tells_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
