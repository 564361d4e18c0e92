// Images say all of a document: what is read of one says the same of itself, goes on as it does, and has the same bytes again.
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

enum { PROGRAMS = 40, EDITS = 40, TICKS_AFTER = 5 };

static struct protocol_bytes packed(const struct document *document)
{
    struct protocol_bytes bytes = {0};
    assert_true(document_image_pack(document, &bytes));
    return bytes;
}

static struct document *read_back(const struct protocol_bytes *bytes)
{
    struct protocol_error error = {0};
    struct document *document = document_image_read(bytes->data, bytes->size, &error);
    if (!document) {
        fail_msg("%s", error.text);
    }
    return document;
}

static void same_things(const struct document_things *one, const struct document_things *other)
{
    assert_int_equal(one->count, other->count);
    for (uint32_t i = 0; i < one->count; i++) {
        const struct document_thing *a = &one->items[i], *b = &other->items[i];
        assert_int_equal(a->id, b->id);
        assert_int_equal(a->particle_count, b->particle_count);
        assert_string_equal(a->name, b->name);
        assert_int_equal(a->name_size, b->name_size);
        assert_int_equal(a->touched.revision, b->touched.revision);
        assert_int_equal(a->touched.session, b->touched.session);
        assert_string_equal(a->touched.person, b->touched.person);
        assert_int_equal(document_skin_count(a->skin), document_skin_count(b->skin));
        assert_int_equal(a->look != NULL, b->look != NULL);
    }
}

static void same_warnings(const struct document *one, const struct document *other)
{
    assert_int_equal(one->warning_count, other->warning_count);
    for (uint32_t w = 0; w < one->warning_count; w++) {
        const struct protocol_warning *a = &one->warnings[w], *b = &other->warnings[w];
        assert_int_equal(a->text.size, b->text.size);
        assert_memory_equal(a->text.data, b->text.data, a->text.size);
        assert_int_equal(a->count, b->count);
        assert_int_equal(a->elements.count, b->elements.count);
        assert_memory_equal(a->elements.data, b->elements.data, a->elements.count * sizeof(uint32_t));
    }
}

static void same(const struct document *one, const struct document *other)
{
    struct sim_next_ids ids[2];
    assert_int_equal(document_hash(one), document_hash(other));
    assert_int_equal(one->tick, other->tick);
    assert_int_equal(one->revision, other->revision);
    assert_string_equal(one->name, other->name);
    assert_false(other->failed);
    same_things(&one->bodies, &other->bodies);
    same_things(&one->colliders, &other->colliders);
    same_warnings(one, other);
    sim_next_ids(one->sim, &ids[0]);
    sim_next_ids(other->sim, &ids[1]);
    assert_memory_equal(&ids[0], &ids[1], sizeof ids[0]);
}

static void check(struct document *document)
{
    struct protocol_bytes bytes = packed(document);
    struct document *read = read_back(&bytes);
    same(document, read);
    struct protocol_bytes again = packed(read);
    assert_int_equal(again.size, bytes.size);
    assert_memory_equal(again.data, bytes.data, bytes.size);
    protocol_bytes_deinit(&again);
    protocol_bytes_deinit(&bytes);
    document_destroy(read);
}

static struct helper *of_program(uint32_t program)
{
    program_begin(program);
    struct helper *helper = helper_create(NULL);
    for (uint32_t i = 0; i < EDITS; i++) {
        struct program_input input;
        helper_choose(helper->world->document->sim, &input);
        helper_post(helper, program_below(2) ? HELPER_ANN : HELPER_BOB, input.method, input.notation);
        helper_turn(helper);
        if (program_below(2) && !helper->world->document->failed) {
            helper_post(helper, HELPER_EVE, "world.step", "{'world': 1, 'ticks': 1}");
            helper_turns(helper, 2);
        }
        helper_forget(helper);
    }
    return helper;
}

static void what_is_read_says_the_same_and_goes_on_the_same(void **state)
{
    (void)state;
    uint32_t images = 0, grabs = 0, touched = 0;
    for (uint32_t program = 0; program < PROGRAMS; program++) {
        struct helper *helper =
            of_program(program + program % 2 * 101); // every other one with all kinds, or pressure
        struct document *document = helper->world->document;
        if (document->failed) {
            helper_destroy(helper);
            continue;
        }
        images++;
        grabs += sim_grab_count(document->sim);
        for (uint32_t b = 0; b < document->bodies.count; b++) {
            touched += document->bodies.items[b].touched.revision > 0;
        }
        check(document);
        struct protocol_bytes bytes = packed(document);
        struct document *read = read_back(&bytes);
        for (uint32_t t = 0; t < TICKS_AFTER && !document->failed; t++) {
            document_step(document, NULL, NULL);
            document_step(read, NULL, NULL);
            assert_int_equal(read->failed, document->failed);
            assert_int_equal(document_hash(read), document_hash(document));
        }
        protocol_bytes_deinit(&bytes);
        document_destroy(read);
        helper_destroy(helper);
    }
    assert_true(images > PROGRAMS / 2 && grabs > 0 && touched > images);
}

// The parts that it began with, which the present colliders would not give.
static void warnings_stay_those_of_the_beginning(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_cloth(helper, HELPER_ANN, 4, 1, "sheet");
    helper_call(helper, HELPER_ANN, "collider.add",
                "{'world': 1, 'kind': 'sphere', 'radius': 0.01, 'name': 'pea', 'position': [0,0.5,0]}");
    struct protocol_bytes bytes = {0};
    struct protocol_error error = {0};
    assert_true(document_pack_image(helper->world->document, &bytes));
    struct document *document = document_from(bytes.data, bytes.size, &error);
    protocol_bytes_deinit(&bytes);
    assert_non_null(document);
    assert_int_equal(document->warning_count, 1);
    document_destroy(document);
    assert_int_equal(helper->world->document->warning_count, 0); // it began empty
    check(helper->world->document);
    assert_true(document_pack_image(helper->world->document, &bytes));
    document = document_from(bytes.data, bytes.size, &error);
    protocol_bytes_deinit(&bytes);
    msgpack_zone zone;
    msgpack_zone_init(&zone, 8192);
    struct protocol_collider_remove_params params = {.has = PROTOCOL_HAS_COLLIDER_REMOVE_PARAMS_COLLIDER,
                                                     .collider = {.id = 1}};
    struct document_edit edit = {.method = PROTOCOL_METHOD_COLLIDER_REMOVE, .params = &params, .zone = &zone};
    assert_true(document_apply(document, &edit));
    assert_int_equal(document->warning_count, 1);
    check(document);
    msgpack_zone_destroy(&zone);
    document_destroy(document);
    helper_destroy(helper);
}

// An extent that was narrowed: a particle beyond it fails the next tick, and until then the document is one.
static void an_image_of_what_is_about_to_fail(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'kind': 'points', 'positions': [90,0,0], 'masses': 1}");
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'extent': 50}");
    struct document *document = helper->world->document;
    check(document);
    document_step(document, NULL, NULL);
    assert_true(document->failed);
    struct protocol_bytes bytes = {0};
    assert_false(document_image_pack(document, &bytes));
    assert_int_equal(bytes.size, 0);
    protocol_bytes_deinit(&bytes);
    helper_destroy(helper);
}

// Whatever the bytes: refused with words, or a document that can be packed.
static void hostile(const uint8_t *bytes, size_t size)
{
    struct protocol_error error = {0};
    uint8_t *copy = malloc(size + 1); // of its own size, for AddressSanitizer
    memcpy(copy, bytes, size);
    struct document *document = document_image_read(copy, size, &error);
    free(copy);
    if (document) {
        struct protocol_bytes again = packed(document);
        protocol_bytes_deinit(&again);
        document_destroy(document);
    } else {
        assert_true(error.text[0] != '\0');
    }
}

static void bytes_from_anywhere(void **state)
{
    (void)state;
    uint32_t flips = 0;
    for (uint32_t program = 0; program < 4; program++) {
        struct helper *helper = of_program(program);
        if (helper->world->document->failed) {
            helper_destroy(helper);
            continue;
        }
        struct protocol_bytes bytes = packed(helper->world->document);
        for (size_t size = 0; size < bytes.size; size += 1 + program_below(64)) {
            struct protocol_error error = {0};
            assert_null(document_image_read(bytes.data, size, &error));
            assert_true(error.text[0] != '\0');
        }
        for (uint32_t i = 0; i < 400; i++, flips++) {
            const size_t at = program_below((uint32_t)bytes.size);
            const uint8_t was = bytes.data[at];
            bytes.data[at] = (uint8_t)program_below(256);
            hostile(bytes.data, bytes.size);
            bytes.data[at] = was;
        }
        protocol_bytes_deinit(&bytes);
        helper_destroy(helper);
    }
    assert_true(flips > 0);
}

// The head in notation, before an empty document.
static void head_is(const char *head, const char *text)
{
    struct protocol_world_create_params settings;
    struct protocol_bytes bytes = {0};
    struct protocol_error error = {0};
    protocol_defaults(&protocol_world_create_params_type, &settings);
    struct document *empty = document_create(&settings);
    assert_true(document_pack_image(empty, &bytes));
    document_destroy(empty);
    msgpack_sbuffer all;
    msgpack_sbuffer_init(&all);
    helper_pack(&all, head); // six of seven
    assert_int_equal((uint8_t)all.data[0], 0x96);
    all.data[0] = (char)0x97;
    msgpack_sbuffer_write(&all, (const char *)bytes.data, bytes.size);
    struct document *document = document_image_read(all.data, all.size, &error);
    if (text) {
        assert_null(document);
        assert_string_equal(error.text, text);
    } else {
        assert_non_null(document);
        assert_string_equal(document->name, "w");
        assert_int_equal(document->revision, 3);
        document_destroy(document);
    }
    msgpack_sbuffer_destroy(&all);
    protocol_bytes_deinit(&bytes);
}

static void heads_that_are_wrong(void **state)
{
    (void)state;
    head_is("[1, 'w', 3, [], [], []]", NULL);
    head_is("[2, 'w', 3, [], [], []]", "format: must be an integer in range");
    head_is("[1, 7, 3, [], [], []]", "name: must be a name");
    head_is("[1, 'a\nb', 3, [], [], []]", "name: must be a name");
    head_is("[1, 'w', -3, [], [], []]", "revision: must be an integer in range");
    head_is("[1, 'w', 3, [[1, 1, 'ann']], [], []]", "bodies: must be a list of one for each thing");
    head_is("[1, 'w', 3, [], 4, []]", "colliders: must be a list of one for each thing");
    head_is("[1, 'w', 3, [], [], 4]", "warnings: must be a list, of at most one a collider");
    head_is("[1, 'w', 3, [], [], [{'code': 'FINE', 'text': '', 'count': 0, 'elements': []}]]",
            "warnings: one that no document has");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_read_says_the_same_and_goes_on_the_same),
        cmocka_unit_test(warnings_stay_those_of_the_beginning),
        cmocka_unit_test(an_image_of_what_is_about_to_fail),
        cmocka_unit_test(bytes_from_anywhere),
        cmocka_unit_test(heads_that_are_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
