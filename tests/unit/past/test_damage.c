// Damaged pasts: stepped over if an older image is enough, and refused with the place if the damaged part is needed.
// Also pasts of another solver, which are not taken for this one's.
#include "helper_past.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// The text with the version of this solver in the place of its %u.
static const char *with_version(const char *text)
{
    static char words[128];
    const char *place = strstr(text, "%u");
    snprintf(words, sizeof words, "%.*s%u%s", (int)(place - text), text, sim_solver_version(), place + 2);
    return words;
}

static void rope(struct story *story)
{
    story_begin(story, NULL);
    story_tell(
        story, "body.add",
        "{'world': 1, 'kind': 'rope', 'name': 'cord', 'positions': [0,1,0, 0.1,1,0, 0.2,1,0], 'pins': [0]}");
}

// Ten ticks, a mark and an image, three times.
static void rope_with_images(struct story *story)
{
    rope(story);
    for (int i = 0; i < 3; i++) {
        story_ticks(story, 10);
        story_mark(story, PAST_MARK_TICKS);
        story_image(story);
    }
    story_ticks(story, 2);
    story_tell(story, "world.set", "{'world': 1, 'gravity': [0,-2,0]}");
    story_ticks(story, 3);
    story_mark(story, PAST_MARK_TICKS);
}

static struct past_end end_of(struct story *story)
{
    struct past_end end;
    struct protocol_error error = {0};
    struct past *past = story_open(story);
    if (!past_end(past, &end, &error)) {
        fail_msg("%s", error.text);
    }
    past_close(past);
    return end;
}

static void end_is_refused(struct story *story, const char *text)
{
    struct past_end end;
    struct protocol_error error = {0};
    struct past *past = story_open(story);
    assert_false(past_end(past, &end, &error));
    assert_int_equal(error.code, PROTOCOL_CODE_INTERNAL);
    assert_null(end.document);
    if (!strstr(error.text, text)) {
        fail_msg("%s", error.text);
    }
    past_close(past);
}

static void a_damaged_image_is_stepped_over(void **state)
{
    (void)state;
    struct story story;
    struct document *document = NULL;
    rope_with_images(&story);
    struct past_end end = end_of(&story);
    assert_string_equal(end.warning, "");
    document_destroy(end.document);
    for (uint32_t damaged = 1; damaged <= 3; damaged++) { // the newest first
        struct base_buffer *bytes = story.images[4 - damaged];
        bytes->data[bytes->size - 40] ^= 1;
        end = end_of(&story);
        assert_int_equal(document_hash(end.document), document_hash(story_document(&story)));
        assert_int_equal(end.document->revision, 2);
        assert_int_equal(end.sequence, 2);
        assert_non_null(strstr(end.warning, "the image at position "));
        assert_non_null(strstr(end.warning, "tick 30, is damaged ("));
        document_destroy(end.document);
        struct past *past = story_open(&story);
        for (uint64_t tick = 0; tick <= 35; tick += 5) {
            story_check(&story, past, tick, &document);
        }
        past_close(past);
        document_destroy(document);
        document = NULL;
    }
    story.images[0]->data[0] ^= 0x40;
    end_is_refused(&story, "the past of world 1 has no image that is whole: the image at position");
    story_end(&story);
}

// Every byte of an image, changed: what comes of it is the world or a refusal, never another world.
static void no_byte_of_an_image_changes_the_world(void **state)
{
    (void)state;
    struct story story;
    struct document *document = NULL;
    uint32_t over = 0;
    rope(&story);
    story_ticks(&story, 4);
    story_image(&story);
    story_ticks(&story, 3);
    story_mark(&story, PAST_MARK_TICKS);
    struct base_buffer *bytes = story.images[1];
    for (size_t at = 0; at < bytes->size; at++) {
        bytes->data[at] ^= (uint8_t)(1 << at % 8);
        struct past_end end = end_of(&story);
        assert_int_equal(document_hash(end.document), document_hash(story_document(&story)));
        over += end.warning[0] != '\0';
        document_destroy(end.document);
        bytes->data[at] ^= (uint8_t)(1 << at % 8);
    }
    assert_true(over > bytes->size / 2);
    document_destroy(document);
    story_end(&story);
}

static void a_damaged_entry_is_refused_with_its_place(void **state)
{
    (void)state;
    static const struct {
        uint64_t tick;
        uint8_t kind;
        const char *bytes;
        size_t size;
        const char *text;
    } entries[] = {
        {5, PAST_RECORD, "\x90", 1,
         "the past of world 1 is damaged at position 3, tick 5: record: must be an array of ten to "
         "twelve"},
        {5, PAST_MARK, "\x90", 1,
         "the past of world 1 is damaged at position 3, tick 5: mark: must be an array of eight"},
        {5, 9, "", 0,
         "the past of world 1 is damaged at position 3, tick 5: an entry of a kind that is not known"},
    };
    for (size_t e = 0; e < sizeof entries / sizeof *entries; e++) {
        struct story story;
        struct document *document = NULL;
        struct protocol_error error = {0};
        bool exact;
        rope(&story);
        story_ticks(&story, 5);
        story_entry(&story, entries[e].tick, entries[e].kind, entries[e].bytes, entries[e].size);
        end_is_refused(&story, entries[e].text);
        // Before it all is as it was, and an image after it makes it no matter.
        struct past *past = story_open(&story);
        story_check(&story, past, 4, &document);
        assert_false(past_seek(past, 5, NULL, &document, &exact, &error));
        assert_string_equal(error.text, entries[e].text);
        assert_null(document);
        past_close(past);
        story_image(&story);
        struct past_end end = end_of(&story);
        assert_int_equal(document_hash(end.document), document_hash(story_document(&story)));
        document_destroy(end.document);
        story_end(&story);
    }
}

static void gaps_and_other_ticks_are_refused(void **state)
{
    (void)state;
    struct story story;
    // The record of another tick than its entry's.
    rope(&story);
    story_ticks(&story, 2);
    const struct world_records *records = &story.helper->world->keep->records;
    const struct world_record copy = records->items[0];
    story_entry(&story, 2, PAST_RECORD, copy.bytes, copy.size);
    end_is_refused(&story, "position 3, tick 2: a record of another tick");
    story_end(&story);
    // One that is told twice.
    rope(&story);
    const struct world_record first = story.helper->world->keep->records.items[0];
    story_entry(&story, 0, PAST_RECORD, first.bytes, first.size);
    end_is_refused(&story, "position 3, tick 0: a record is missing before it");
    story_end(&story);
    // Time that goes on though the world failed.
    story_begin(&story, NULL);
    story_tell(&story, "body.add",
               "{'world': 1, 'kind': 'points', 'positions': [0,0,0], 'velocities': [20,0,0], 'masses': 1}");
    story_tell(&story, "world.set", "{'world': 1, 'extent': 3}");
    story_ticks(&story, 20);
    assert_true(story_document(&story)->failed);
    static const char mark[] = "\x98\xa5ticks\x00\x00\xa0\x00\xc0\xc0\xc0";
    story_entry(&story, 19, PAST_MARK, mark, sizeof mark - 1);
    end_is_refused(&story, "tick 19: the world failed before it, and no reset follows");
    story_end(&story);
}

static void a_hash_that_differs_is_refused(void **state)
{
    (void)state;
    struct story story;
    struct document *document = NULL;
    struct protocol_error error = {0};
    bool exact;
    rope(&story);
    story_ticks(&story, 7);
    story.lies = true;
    story_mark(&story, PAST_MARK_TICKS);
    story_ticks(&story, 2);
    story_mark(&story, PAST_MARK_TICKS);
    struct past *past = story_open(&story);
    story_check(&story, past, 6, &document);
    assert_false(past_seek(past, 8, NULL, &document, &exact, &error));
    assert_non_null(strstr(error.text, "position 3, tick 7: the state's hash is "));
    assert_non_null(strstr(error.text, with_version("(solver %u, which is this one)")));
    past_close(past);
    end_is_refused(&story, "tick 7: the state's hash is ");
    story_end(&story);
}

struct told {
    uint32_t count;
    char text[PROTOCOL_TEXT_MAX + 32];
};

static void on_damage(void *context, uint64_t position, uint64_t tick, const char *text)
{
    struct told *told = context;
    (void)position;
    (void)tick;
    told->count++;
    snprintf(told->text, sizeof told->text, "%s", text);
}

static struct told verify(struct story *story, char remark[PAST_REMARK_SIZE])
{
    struct told told = {0};
    struct protocol_error error = {0};
    struct past *past = story_open(story);
    assert_true(past_verify(past, NULL, on_damage, &told, remark, &error));
    past_close(past);
    return told;
}

static void verifying_replays_what_a_server_would(void **state)
{
    (void)state;
    struct story story;
    char remark[PAST_REMARK_SIZE];
    rope_with_images(&story);
    struct told told = verify(&story, remark);
    assert_int_equal(told.count, 0);
    assert_string_equal(remark, "");
    story.lies = true;
    story_mark(&story, PAST_MARK_TICKS); // all checksums are those of what was written
    told = verify(&story, remark);
    assert_int_equal(told.count, 1);
    assert_non_null(strstr(told.text, "it does not open: the past of world 1 is damaged at position "));
    assert_non_null(strstr(told.text, "the state's hash is "));
    story_end(&story);
}

// ---------------------------------------------------------------------------------------------------------
// Other solvers

enum { OTHER = 77 };

// Another solver's results are faked with false marks.
static void by_another(struct story *story)
{
    rope(story);
    story->maker = OTHER;
    story_begin_again(story);
    story_ticks(story, 10);
    story->lies = true;
    story_mark(story, PAST_MARK_TICKS);
    story_image(story); // tick 10
    story_ticks(story, 5);
    story_tell(story, "body.add",
               "{'world': 1, 'kind': 'points', 'positions': [0,3,0], 'masses': 1, 'name': 'dot'}");
    story_tell(story, "body.remove", "{'world': 1, 'body': 1}");
    story_ticks(story, 5);
    story->lies = true;
    story_mark(story, PAST_MARK_PLAYING); // tick 20
}

static void verifying_says_whose_states_it_did_not_compare(void **state)
{
    (void)state;
    struct story story;
    char remark[PAST_REMARK_SIZE];
    by_another(&story);
    assert_int_equal(verify(&story, remark).count, 0);
    assert_non_null(strstr(remark, "solver 77 made its past"));
    story_end(&story);
}

static void what_another_solver_left_is_gone_on_with(void **state)
{
    (void)state;
    struct story story;
    by_another(&story);
    struct past_end end = end_of(&story);
    assert_int_equal(end.document->tick, 20);
    assert_int_equal(end.document->revision, 3);
    assert_int_equal(end.sequence, 3);
    assert_true(end.playing);
    assert_int_equal(end.exact_tick, 10);
    assert_int_equal(end.exact_solver, 77);
    assert_true(end.image_age_s == 10.0 / 60);
    assert_int_equal(end.document->bodies.count, 1);
    assert_string_equal(end.document->bodies.items[0].name, "dot");
    assert_non_null(strstr(
        end.warning, with_version("solver 77 made its past, and this is %u: it is exact up to tick 10")));
    document_destroy(end.document);
    // There is nothing after the image, so nothing to compute again.
    story_image(&story);
    end = end_of(&story);
    assert_int_equal(end.exact_tick, 20);
    assert_int_equal(end.exact_solver, 77);
    assert_true(end.image_age_s == 0);
    assert_string_equal(end.warning,
                        with_version("solver 77 made its past up to tick 20; %u goes on from there"));
    document_destroy(end.document);
    // This one hosts it from there on.
    story.maker = sim_solver_version();
    story_begin_again(&story);
    story_ticks(&story, 5);
    story_mark(&story, PAST_MARK_TICKS);
    end = end_of(&story);
    assert_true(end.exact_tick == UINT64_MAX);
    assert_int_equal(end.exact_solver, 0);
    assert_string_equal(end.warning, "");
    assert_int_equal(document_hash(end.document), document_hash(story_document(&story)));
    document_destroy(end.document);
    story_end(&story);
}

// Between its images nothing is exact; at them, and from where this solver began, all is.
static void another_solvers_past_is_seen_image_by_image(void **state)
{
    (void)state;
    static const struct {
        uint64_t asked, got;
        bool exact;
    } seeks[] = {{0, 0, true},    {1, 0, false},  {9, 0, false},  {10, 10, true}, {11, 10, false},
                 {19, 10, false}, {20, 20, true}, {21, 21, true}, {25, 25, true}, {15, 10, false}};
    struct story story;
    struct document *document = NULL;
    by_another(&story);
    story_image(&story); // tick 20
    story.maker = sim_solver_version();
    story_begin_again(&story);
    story_ticks(&story, 5);
    story_mark(&story, PAST_MARK_TICKS);
    struct past *past = story_open(&story);
    for (size_t s = 0; s < sizeof seeks / sizeof *seeks; s++) {
        struct protocol_error error = {0};
        bool exact;
        if (!past_seek(past, seeks[s].asked, NULL, &document, &exact, &error)) {
            fail_msg("tick %llu: %s", (unsigned long long)seeks[s].asked, error.text);
        }
        assert_int_equal(document->tick, seeks[s].got);
        assert_int_equal(exact, seeks[s].exact);
        assert_int_equal(document_hash(document), story.hashes[seeks[s].got]);
    }
    document_destroy(document);
    past_close(past);
    story_end(&story);
}

// This solver took over without an image: what it began with is what an end makes, and that is made again.
static void a_beginning_without_an_image(void **state)
{
    (void)state;
    struct story story;
    struct document *document = NULL;
    by_another(&story);
    struct past_end end = end_of(&story);
    const uint64_t began = document_hash(end.document);
    document_destroy(end.document);
    story.maker = sim_solver_version();
    story_begin_again(&story);
    story_ticks(&story, 5);
    story_mark(&story, PAST_MARK_TICKS); // true: the other solver is this one, after all
    struct past *past = story_open(&story);
    struct protocol_error error = {0};
    bool exact;
    assert_true(past_seek(past, 20, NULL, &document, &exact, &error));
    assert_true(exact);
    assert_int_equal(document_hash(document), began);
    story_check(&story, past, 25, &document);
    assert_true(past_seek(past, 12, NULL, &document, &exact, &error));
    assert_false(exact);
    assert_int_equal(document->tick, 10);
    document_destroy(document);
    past_close(past);
    story_end(&story);
}

// A record that this solver's world refuses is told and passed over.
static void what_does_not_apply_any_more_is_told(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    story_tell(&story, "body.add",
               "{'world': 1, 'kind': 'points', 'positions': [0,0,0], 'masses': 1, 'name': 'dot'}");
    const struct world_record first = story.helper->world->keep->records.items[0];
    struct protocol_bytes bytes = {0};
    struct document_record record;
    struct protocol_error error = {0};
    msgpack_packer packer;
    msgpack_zone zone;
    story.maker = OTHER;
    story_begin_again(&story);
    // A second body of the same name, which the other solver is said to have taken.
    msgpack_zone_init(&zone, 8192);
    assert_true(document_record_read(first.bytes, first.size, &zone, &record, &error));
    record.sequence = 2;
    record.revision = 2;
    msgpack_packer_init(&packer, &bytes, protocol_bytes_write);
    document_record_pack(&record, &packer);
    story_entry(&story, 0, PAST_RECORD, bytes.data, bytes.size);
    msgpack_zone_destroy(&zone);
    protocol_bytes_deinit(&bytes);
    struct past_end end = end_of(&story);
    assert_int_equal(end.document->bodies.count, 1);
    assert_int_equal(end.sequence, 2);
    assert_int_equal(end.exact_tick, 0);
    assert_non_null(strstr(
        end.warning, "record 2 (body.add at tick 0) does not apply with this solver: name \"dot\" is taken"));
    document_destroy(end.document);
    story_end(&story);
}

// ---------------------------------------------------------------------------------------------------------
// Replays

static struct past_difference replay_of(struct story *story)
{
    struct past_difference out;
    struct protocol_error error = {0};
    struct past *past = story_open(story);
    if (!past_replay(past, NULL, &out, &error)) {
        fail_msg("%s", error.text);
    }
    past_close(past);
    return out;
}

static void a_replay_compares_all_hashes(void **state)
{
    (void)state;
    struct story story;
    rope_with_images(&story);
    struct past_difference out = replay_of(&story);
    assert_false(out.found);
    assert_int_equal(out.ticks, 35);
    assert_int_equal(out.hashes, 8); // five marks, and three images after the first
    assert_int_equal(out.same_tick, 35);
    assert_int_equal(out.passed_by, 0);
    story_end(&story);
}

static void a_replay_says_where_it_differs_first(void **state)
{
    (void)state;
    struct story story;
    rope(&story);
    story_ticks(&story, 5);
    story_mark(&story, PAST_MARK_TICKS);
    story_ticks(&story, 5);
    story.lies = true;
    story_mark(&story, PAST_MARK_TICKS);
    story_ticks(&story, 5);
    story_mark(&story, PAST_MARK_TICKS);
    struct past_difference out = replay_of(&story);
    assert_true(out.found);
    assert_int_equal(out.same_tick, 5);
    assert_int_equal(out.tick, 10);
    assert_int_equal(out.expected, out.hash + 1);
    assert_int_equal(out.hash, story.hashes[10]);
    assert_int_equal(out.body, 0);
    assert_string_equal(out.text, "");
    story_end(&story);
}

// An image of a state that is another one in its second body.
static void a_replay_says_which_body_differs(void **state)
{
    (void)state;
    struct story story;
    struct protocol_bytes bytes = {0};
    struct protocol_error error = {0};
    rope(&story);
    story_tell(&story, "body.add", "{'world': 1, 'kind': 'points', 'positions': [3,3,0], 'masses': 1}");
    story_ticks(&story, 5);
    assert_true(document_image_pack(story_document(&story), &bytes));
    struct document *other = document_image_read(bytes.data, bytes.size, &error);
    protocol_bytes_deinit(&bytes);
    msgpack_zone zone;
    msgpack_zone_init(&zone, 8192);
    const double velocity[3] = {0, 1, 0};
    const uint32_t particle = 0;
    struct protocol_particle_set_params params = {.has = PROTOCOL_HAS_PARTICLE_SET_PARAMS_VELOCITIES |
                                                         PROTOCOL_HAS_PARTICLE_SET_PARAMS_PARTICLES,
                                                  .body = {.id = 2},
                                                  .particles = {PROTOCOL_ARRAY_U32, 1, &particle},
                                                  .velocities = {PROTOCOL_ARRAY_F64, 3, velocity}};
    struct document_edit edit = {.method = PROTOCOL_METHOD_PARTICLE_SET, .params = &params, .zone = &zone};
    if (!document_apply(other, &edit)) {
        fail_msg("%s", edit.error.text);
    }
    msgpack_zone_destroy(&zone);
    assert_true(document_image_pack(other, &bytes));
    struct base_buffer *buffer = base_buffer_create(bytes.size, NULL);
    memcpy(buffer->data, bytes.data, bytes.size);
    protocol_bytes_deinit(&bytes);
    const struct store_image image = {.position = story.position,
                                      .tick = 5,
                                      .hash = document_hash(other),
                                      .maker = sim_solver_version(),
                                      .at = 1};
    assert_true(store_image_add(story.store, STORY_LIST, &image, buffer));
    base_buffer_unref(buffer);
    story_ticks(&story, 2);
    story_mark(&story, PAST_MARK_TICKS);
    struct past_difference out = replay_of(&story);
    assert_true(out.found);
    assert_int_equal(out.tick, 5);
    assert_int_equal(out.expected, document_hash(other));
    assert_int_equal(out.body, 2);
    assert_int_equal(out.body_tick, 5);
    document_destroy(other);
    story_end(&story);
}

static void a_replay_passes_other_solvers_by(void **state)
{
    (void)state;
    struct story story;
    by_another(&story);
    story_image(&story); // tick 20
    story.maker = sim_solver_version();
    story_begin_again(&story);
    story_image(&story);
    story_ticks(&story, 5);
    story_mark(&story, PAST_MARK_TICKS);
    struct past_difference out = replay_of(&story);
    assert_false(out.found);
    assert_int_equal(out.ticks, 5);
    assert_int_equal(out.passed_by, 20);
    assert_int_equal(out.same_tick, 25);
    story_end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_damaged_image_is_stepped_over),
        cmocka_unit_test(no_byte_of_an_image_changes_the_world),
        cmocka_unit_test(a_damaged_entry_is_refused_with_its_place),
        cmocka_unit_test(gaps_and_other_ticks_are_refused),
        cmocka_unit_test(a_hash_that_differs_is_refused),
        cmocka_unit_test(verifying_replays_what_a_server_would),
        cmocka_unit_test(verifying_says_whose_states_it_did_not_compare),
        cmocka_unit_test(what_another_solver_left_is_gone_on_with),
        cmocka_unit_test(another_solvers_past_is_seen_image_by_image),
        cmocka_unit_test(a_beginning_without_an_image),
        cmocka_unit_test(what_does_not_apply_any_more_is_told),
        cmocka_unit_test(a_replay_compares_all_hashes),
        cmocka_unit_test(a_replay_says_where_it_differs_first),
        cmocka_unit_test(a_replay_says_which_body_differs),
        cmocka_unit_test(a_replay_passes_other_solvers_by),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
