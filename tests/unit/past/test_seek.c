// The world at any tick, and where it stood last, held against a life of it.
#include "helper_past.h"
#include "past/internal.h"
#include "sim/state/state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LIVES = 40, SEEKS = 40 };

static void same_things(const struct document *one, const struct document *other)
{
    assert_string_equal(one->name, other->name);
    assert_int_equal(one->bodies.count, other->bodies.count);
    for (uint32_t b = 0; b < one->bodies.count; b++) {
        const struct document_thing *a = &one->bodies.items[b], *c = &other->bodies.items[b];
        assert_int_equal(a->id, c->id);
        assert_string_equal(a->name, c->name);
        assert_int_equal(a->touched.revision, c->touched.revision);
        assert_int_equal(a->touched.session, c->touched.session);
        assert_string_equal(a->touched.person, c->touched.person);
    }
}

static uint32_t below(uint32_t count)
{
    return program_below(count > 0 ? count : 1);
}

static void seeks_come_to_what_was(void **state)
{
    (void)state;
    uint32_t failed = 0, images = 0;
    for (uint32_t life = 0; life < (program_count() < LIVES ? program_count() : LIVES); life++) {
        struct story story;
        struct document *document = NULL;
        story_begin(&story, NULL);
        story_random(&story, life + life % 2 * 101); // every other one with all kinds, or pressure
        struct past *past = story_open(&story);
        const uint64_t last = story_document(&story)->tick;
        for (uint32_t s = 0; s < SEEKS; s++) {
            const uint64_t tick = s == 0 ? last : s == 1 ? 0 : below((uint32_t)last + 1);
            story_check(&story, past, tick, &document);
            // Nearby, as when a person scrubs.
            story_check(&story, past, tick + below((uint32_t)(last - tick + 1)) / 8, &document);
            if (s % 7 == 6) {
                document_destroy(document);
                document = NULL;
            }
        }
        failed += story_document(&story)->failed;
        images += story.image_count;
        document_destroy(document);
        past_close(past);
        story_end(&story);
    }
    assert_true(images > LIVES && failed < LIVES / 2);
}

// The same of a folder, whose store packs images and writes beside.
static void a_folder_says_the_same(void **state)
{
    (void)state;
    for (uint32_t life = 0; life < 6; life++) {
        char folder[] = "/tmp/weft-past-XXXXXX", command[64];
        struct story story;
        struct document *document = NULL;
        struct protocol_error error = {0};
        struct past_end end;
        struct past_difference difference;
        assert_non_null(mkdtemp(folder));
        story_begin_in(&story, folder, NULL);
        story_random(&story, life);
        story_settle(&story);
        struct past *past = story_open(&story);
        const uint64_t last = story_document(&story)->tick;
        for (uint32_t s = 0; s < SEEKS; s++) {
            story_check(&story, past, below((uint32_t)last + 1), &document);
        }
        assert_true(past_end(past, &end, &error));
        assert_int_equal(document_hash(end.document), document_hash(story_document(&story)));
        assert_int_equal(end.position, story.position);
        assert_int_equal(end.sequence, story.records);
        assert_true(past_replay(past, NULL, &difference, &error));
        assert_false(difference.found);
        assert_int_equal(difference.same_tick, last);
        document_destroy(end.document);
        document_destroy(document);
        past_close(past);
        story_end(&story);
        snprintf(command, sizeof command, "rm -r %s", folder);
        assert_int_equal(system(command),
                         0); // NOLINT(cert-env33-c,concurrency-mt-unsafe): a folder of its own
    }
}

static void an_end_is_where_it_stood(void **state)
{
    (void)state;
    for (uint32_t life = 0; life < 20; life++) {
        struct story story;
        struct past_end end;
        struct protocol_error error = {0};
        story_begin(&story, NULL);
        story_random(&story, life);
        struct past *past = story_open(&story);
        if (!past_end(past, &end, &error)) {
            fail_msg("life %u: %s", life, error.text);
        }
        assert_int_equal(document_hash(end.document), document_hash(story_document(&story)));
        assert_int_equal(end.document->tick, story_document(&story)->tick);
        assert_int_equal(end.document->revision, story_document(&story)->revision);
        assert_int_equal(end.document->failed, story_document(&story)->failed);
        same_things(end.document, story_document(&story));
        assert_int_equal(end.position, story.position);
        assert_int_equal(end.sequence, story.records);
        assert_true(end.exact_tick == UINT64_MAX);
        assert_false(end.deleted);
        assert_false(end.playing);
        assert_string_equal(end.warning, "");
        document_destroy(end.document);
        past_close(past);
        story_end(&story);
    }
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
    document_destroy(end.document);
    end.document = NULL;
    return end;
}

// Marks are found behind images as well, however far back.
static void an_end_knows_whether_it_played(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    story_tell(&story, "body.add", "{'world': 1, 'kind': 'points', 'positions': [0,0,0], 'masses': 1}");
    assert_false(end_of(&story).playing);
    story_mark(&story, PAST_MARK_PLAYING);
    assert_true(end_of(&story).playing);
    assert_true(end_of(&story).rate == 0.5);
    for (uint32_t i = 0; i < 3000; i++) { // of steps, which say nothing of it
        story_mark(&story, PAST_MARK_TICKS);
    }
    story_image(&story);
    struct past_end end = end_of(&story);
    assert_true(end.playing && end.rate == 0.5);
    assert_int_equal(end.sequence, 1);
    assert_int_equal(end.position, story.position);
    story_begin_again(&story);
    assert_true(end_of(&story).playing);
    story_mark(&story, PAST_MARK_PAUSED);
    assert_false(end_of(&story).playing);
    story_mark(&story, PAST_MARK_DELETED);
    assert_true(end_of(&story).deleted);
    story_begin_again(&story);
    assert_false(end_of(&story).deleted);
    story_end(&story);
}

// Older data is removed, up to an image: later marks repeat what it said.
static void what_is_older_is_gone_and_not_missed(void **state)
{
    (void)state;
    struct story story;
    struct document *document = NULL;
    struct protocol_error error = {0};
    struct store_list list;
    struct store_error store;
    bool exact;
    story_begin_short(&story, 6000);
    story_tell(&story, "body.add", "{'world': 1, 'kind': 'points', 'positions': [0,0,0], 'masses': 1}");
    story_mark(&story, PAST_MARK_PLAYING);
    story.plays = true;
    for (int i = 0; i < 20; i++) {
        story_ticks(&story, 10);
        story_mark(&story, PAST_MARK_TICKS);
        story_image(&story);
    }
    story_ticks(&story, 3);
    story_mark(&story, PAST_MARK_TICKS);
    assert_int_equal(store_list_find(story.reader, STORY_LIST, &list, &store), FAULT_NONE);
    assert_true(list.first > 10 && list.first_tick > 50 && list.first_tick < 200);
    struct past_end end = end_of(&story);
    assert_true(end.playing && end.rate == 0.5);
    assert_int_equal(end.sequence, 1);
    assert_int_equal(end.position, story.position);
    struct past *past = story_open(&story);
    for (uint64_t tick = list.first_tick; tick <= 203; tick++) {
        story_check(&story, past, tick, &document);
    }
    assert_false(past_seek(past, list.first_tick - 1, NULL, &document, &exact, &error));
    assert_int_equal(error.code, PROTOCOL_CODE_NOT_FOUND);
    assert_null(document);
    // Its only edit is not kept, though the world has it.
    const struct past_change change = {.revision = 1};
    struct past_refusal *refusals;
    uint32_t refused;
    assert_false(past_branch(past, 203, &change, 1, NULL, &document, &refusals, 4, &refused, &error));
    assert_string_equal(error.text, "revision: 1; no edit of world 1 that is kept has it");
    story.plays = false;
    story_mark(&story, PAST_MARK_PAUSED);
    assert_false(end_of(&story).playing);
    past_close(past);
    story_end(&story);
}

// All that would say how many records there were is gone: none of those to come has a number that was given before.
static void numbers_of_records_do_not_begin_again(void **state)
{
    (void)state;
    struct story story;
    struct store_list list;
    struct store_error store;
    story_begin_short(&story, 1);
    story_tell(&story, "body.add", "{'world': 1, 'kind': 'points', 'positions': [0,0,0], 'masses': 1}");
    story_tell(&story, "world.set", "{'world': 1, 'damping': 0.5}");
    story_ticks(&story, 3);
    story_mark(&story, PAST_MARK_TICKS);
    story_image(&story);
    assert_int_equal(store_list_find(story.reader, STORY_LIST, &list, &store), FAULT_NONE);
    assert_int_equal(list.first, list.last);
    assert_true(end_of(&story).sequence >= 2);
    story_end(&story);
}

// It fails, is edited while it stands, and goes on from its reset.
static void failure_and_reset_happen_again(void **state)
{
    (void)state;
    struct story story;
    struct document *document = NULL;
    story_begin(&story, NULL);
    story_tell(&story, "body.add",
               "{'world': 1, 'kind': 'points', 'positions': [0,0,0], 'velocities': [20,0,0], 'masses': 1}");
    story_tell(&story, "world.set", "{'world': 1, 'extent': 3}");
    story_ticks(&story, 30);
    assert_true(story_document(&story)->failed);
    const uint64_t at = story_document(&story)->tick;
    assert_true(at < 30);
    story_tell(&story, "world.set", "{'world': 1, 'gravity': [0, 0, 0], 'name': 'mended'}");
    struct past *past = story_open(&story);
    story_check(&story, past, at, &document);
    assert_true(document->failed);
    story_tell(&story, "world.set", "{'world': 1, 'extent': 100}");
    story_tell(&story, "world.reset", "{'world': 1}");
    story_ticks(&story, 30);
    assert_false(story_document(&story)->failed);
    story_mark(&story, PAST_MARK_TICKS);
    for (uint64_t tick = 0; tick <= at + 30; tick++) {
        story_check(&story, past, tick, &document);
        assert_false(document->failed); // mended at the boundary where it had failed
    }
    assert_string_equal(document->name, "mended");
    for (uint64_t tick = at + 31; tick-- > 0;) {
        story_check(&story, past, tick, &document);
    }
    document_destroy(document);
    past_close(past);
    story_end(&story);
}

// So is what contact asked too much of: at the same tick, which leaves the same state, and goes on from what mended it.
static void a_tick_that_is_given_up_is_given_up_again(void **state)
{
    (void)state;
    struct story story;
    struct document *document = NULL;
    struct past_end end;
    struct protocol_error error = {0};
    story_begin(&story, NULL);
    helper_cloth(story.helper, HELPER_ANN, 20, 1, "sail");
    helper_cloth(story.helper, HELPER_ANN, 20, 1.1, "other");
    helper_forget(story.helper);
    for (int body = 1; body <= 2; body++) {
        char notation[128];
        snprintf(notation, sizeof notation,
                 "{'world': 1, 'body': %d, 'thickness': 0.01, 'contact_group': 1, 'contact_mask': 1}", body);
        story_tell(&story, "body.set", notation);
    }
    story_ticks(&story, 3);
    story_tell(&story, "body.set", "{'world': 1, 'body': 1, 'thickness': 0.5}");
    story_ticks(&story, 2);
    assert_true(story_document(&story)->given_up);
    assert_true(story_document(&story)->tick == 4 && story.hashes[4] == story.hashes[3]);
    struct past *past = story_open(&story);
    story_check(&story, past, 4, &document);
    assert_true(document->failed && document->given_up);
    assert_string_equal(document->reason, story_document(&story)->reason);
    assert_true(past_end(past, &end, &error)); // as after a crash
    assert_true(end.document->failed && end.document->given_up && !end.playing);
    assert_true(document_hash(end.document) == story.hashes[4]);
    document_destroy(end.document);
    story_tell(&story, "body.set", "{'world': 1, 'body': 1, 'thickness': 0.01}");
    assert_false(story_document(&story)->failed);
    story_ticks(&story, 3);
    story_mark(&story, PAST_MARK_TICKS);
    story_check(&story, past, 7, &document);
    assert_false(document->failed);
    story_check(&story, past, 4, &document);
    assert_false(document->failed); // mended at that boundary
    document_destroy(document);
    past_close(past);
    story_end(&story);
}

// ---------------------------------------------------------------------------------------------------------

static void sail(struct story *story, uint32_t side)
{
    story_begin(story, NULL);
    helper_cloth(story->helper, HELPER_ANN, side, 1, "sail");
    helper_forget(story->helper);
    story_tell(story, "particle.pin", "{'world': 1, 'body': 1, 'particles': [0, 5]}");
    story_tell(story, "body.set", "{'world': 1, 'body': 1, 'thickness': 0.02, 'self_contact': true}");
    story_tell(story, "collider.add", "{'world': 1, 'kind': 'sphere', 'radius': 0.3, 'position': [1,0.4,1]}");
    story_tell(story, "grab.begin", "{'world': 1, 'body': 1, 'particle': 9, 'target': [1,1.5,1]}");
}

static bool sleep_in(const struct document *document)
{
    return document->sim->bodies[0]->asleep && document->sim->bodies[1]->asleep;
}

// A rigid piece and the cloth that it lies on fall asleep, are woken by an edit and fall asleep again. What is sought before, while
// they sleep and after has the same sleep and the same future, from an image of sleepers as well.
static void pieces_sleep_with_what_they_lie_on(void **state)
{
    (void)state;
    struct story story;
    struct document *document = NULL;
    uint64_t slept[2] = {0};
    story_begin(&story, helper_hammock_settings);
    helper_hammock(story.helper, HELPER_ANN);
    helper_forget(story.helper);
    story_tell(&story, "body.set", "{'world': 1, 'body': 'ball', 'name': 'marble'}");
    for (int time = 0; time < 2; time++) {
        for (int tick = 0; tick < 450 && !sleep_in(story_document(&story)); tick++) {
            story_tick(&story);
        }
        assert_true(sleep_in(story_document(&story)));
        slept[time] = story_document(&story)->tick;
        story_ticks(&story, 10);
        if (time == 0) {
            story_image(&story);
            story_ticks(&story, 10);
            story_tell(&story, "particle.set",
                       "{'world': 1, 'body': 'marble', 'particles': [0], 'velocities': [0.2, 0.5, 0]}");
            story_tick(&story);
            assert_false(sleep_in(story_document(&story)));
        }
    }
    story_mark(&story, PAST_MARK_TICKS);
    struct past *past = story_open(&story);
    const uint64_t ticks[] = {slept[0] + 10, slept[0] - 1,  slept[0],
                              slept[0] + 25, slept[1] + 5,  slept[1] - 1,
                              slept[1],      slept[0] + 15, 3};
    for (size_t i = 0; i < sizeof ticks / sizeof *ticks; i++) {
        story_check(&story, past, ticks[i], &document);
        const bool first = ticks[i] >= slept[0] && ticks[i] < slept[0] + 20;
        assert_int_equal(sleep_in(document), first || ticks[i] >= slept[1]);
    }
    document_destroy(document);
    past_close(past);
    story_end(&story);
}

// Scrubbing keeps images, within bounds, and uses them.
static void images_of_the_way_are_kept(void **state)
{
    (void)state;
    struct story story;
    struct document *document = NULL;
    sail(&story, 24);
    for (uint32_t t = 0; t < 60; t++) {
        char moved[128];
        snprintf(moved, sizeof moved, "{'world': 1, 'grab': 1, 'target': [1, %g, %g]}", 1.5 - 0.01 * t,
                 1 + 0.01 * t);
        story_tell(&story, "grab.move", moved);
        story_tick(&story);
    }
    story_mark(&story, PAST_MARK_TICKS);
    struct past *past = story_open(&story);
    story_check(&story, past, 60, &document);
    const uint32_t kept = past->images.count;
    assert_true(kept > 0);
    for (uint64_t tick = 61; tick-- > 0;) {
        story_check(&story, past, tick, &document);
    }
    for (uint32_t s = 0; s < 20; s++) {
        story_check(&story, past, below(61), &document);
    }
    size_t bytes = 0;
    for (uint32_t i = 0; i < past->images.count; i++) {
        bytes += past->images.items[i].size;
    }
    assert_int_equal(bytes, past->images.bytes);
    document_destroy(document);
    past_close(past);
    story_end(&story);
}

static void kept_images_are_bounded(void **state)
{
    (void)state;
    struct past_images images = {0};
    const struct past_place place = {.position = 1};
    const size_t size = (size_t)40 << 20;
    for (uint64_t tick = 0; tick < 20; tick++) {
        past_images_add(&images, tick, &place, malloc(size), size);
        assert_true(images.bytes <= (size_t)256 << 20);
        assert_non_null(past_images_find(&images, 0, 1)); // used again and again: it stays
    }
    assert_int_equal(images.count, 6);
    assert_int_equal(past_images_find(&images, 3, 1)->tick, 0);
    assert_int_equal(past_images_find(&images, 100, 1)->tick, 19);
    assert_null(past_images_find(&images, 100, 0));
    past_images_add(&images, 50, &place, malloc(100 << 20), 100 << 20); // too much for one
    assert_int_equal(past_images_find(&images, 100, 1)->tick, 19);
    past_images_deinit(&images);
}

struct asked {
    uint32_t calls, most;
    uint64_t tick, until;
};

static bool go_on(void *context, uint64_t tick, uint64_t until)
{
    struct asked *asked = context;
    assert_true(tick >= asked->tick && tick <= until);
    asked->tick = tick;
    asked->until = until;
    return ++asked->calls < asked->most;
}

static void a_seek_can_be_given_up(void **state)
{
    (void)state;
    struct story story;
    struct document *document = NULL;
    struct protocol_error error = {0};
    bool exact;
    sail(&story, 40);
    story_ticks(&story, 30);
    story_mark(&story, PAST_MARK_TICKS);
    struct past *past = story_open(&story);
    for (uint32_t most = 1; most < 4; most++) {
        struct asked asked = {.most = most};
        const struct past_progress progress = {.go_on = go_on, .context = &asked};
        assert_false(past_seek(past, 30, &progress, &document, &exact, &error));
        assert_null(document);
        assert_int_equal(error.code, PROTOCOL_CODE_SHUTDOWN);
        assert_int_equal(asked.calls, most);
        assert_int_equal(asked.until, 30);
    }
    story_check(&story, past, 30, &document);
    document_destroy(document);
    past_close(past);
    story_end(&story);
}

static void what_is_not_there_is_not_found(void **state)
{
    (void)state;
    struct story story;
    struct document *document = NULL;
    struct protocol_error error = {0};
    bool exact;
    story_begin(&story, NULL);
    story_ticks(&story, 3);
    story_mark(&story, PAST_MARK_TICKS);
    struct past *past = story_open(&story);
    story_check(&story, past, 2, &document);
    assert_false(past_seek(past, 4, NULL, &document, &exact, &error));
    assert_null(document);
    assert_int_equal(error.code, PROTOCOL_CODE_NOT_FOUND);
    assert_string_equal(error.text, "tick: 4; what is kept of world 1 goes from 0 to 3");
    past_close(past);
    assert_null(past_open(story.reader, 7, &error));
    assert_int_equal(error.code, PROTOCOL_CODE_NOT_FOUND);
    story_end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_records_do_not_begin_again),
        cmocka_unit_test(seeks_come_to_what_was),
        cmocka_unit_test(a_folder_says_the_same),
        cmocka_unit_test(an_end_is_where_it_stood),
        cmocka_unit_test(an_end_knows_whether_it_played),
        cmocka_unit_test(what_is_older_is_gone_and_not_missed),
        cmocka_unit_test(failure_and_reset_happen_again),
        cmocka_unit_test(a_tick_that_is_given_up_is_given_up_again),
        cmocka_unit_test(pieces_sleep_with_what_they_lie_on),
        cmocka_unit_test(images_of_the_way_are_kept),
        cmocka_unit_test(kept_images_are_bounded),
        cmocka_unit_test(a_seek_can_be_given_up),
        cmocka_unit_test(what_is_not_there_is_not_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
