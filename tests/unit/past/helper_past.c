#include "helper_past.h"

#include "base/clock.h"
#include "protocol/bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

const struct document *story_document(const struct story *story)
{
    return story->helper->world->document;
}

void story_entry(struct story *story, uint64_t tick, uint8_t kind, const void *bytes, size_t size)
{
    const struct store_entry entry = {
        .position = ++story->position, .tick = tick, .kind = kind, .at = 1, .bytes = bytes, .size = size};
    assert_true(store_append(story->store, STORY_LIST, 1, &entry, 1));
}

void story_drain(struct story *story)
{
    const struct world_records *records = &story->helper->world->keep->records;
    assert_true(records->first <= story->records);
    for (; story->records < records->next; story->records++) {
        const struct world_record *bytes = &records->items[story->records % records->capacity];
        story_entry(story, story_document(story)->tick, PAST_RECORD, bytes->bytes, bytes->size);
    }
}

void story_mark(struct story *story, enum past_mark_kind kind)
{
    struct protocol_bytes bytes = {0};
    msgpack_packer packer;
    story_drain(story);
    struct past_mark mark = {
        .kind = kind,
        .rate = 0.5,
        .playing = story->plays,
        .hashed = !story_document(story)->failed,
        .hash = document_hash(story_document(story)) + (story->lies ? 1 : 0),
        .solver = story->maker,
        .sequence = story->records,
        .at_us = 1,
        .person = protocol_text("ann"),
    };
    story->lies = false;
    msgpack_packer_init(&packer, &bytes, protocol_bytes_write);
    past_mark_pack(&mark, &packer);
    story_entry(story, story_document(story)->tick, PAST_MARK, bytes.data, bytes.size);
    protocol_bytes_deinit(&bytes);
}

static struct store_image image_make(struct story *story, struct base_buffer **buffer)
{
    struct protocol_bytes bytes = {0};
    const struct document *document = story_document(story);
    assert_true(document_image_pack(document, &bytes));
    *buffer = base_buffer_create(bytes.size, NULL);
    memcpy((*buffer)->data, bytes.data, bytes.size);
    protocol_bytes_deinit(&bytes);
    assert_true(story->image_count < STORY_IMAGES);
    story->image_ticks[story->image_count] = document->tick;
    story->images[story->image_count++] = base_buffer_ref(*buffer);
    story->image_positions += story->image_count == 1 || story->image_position != story->position;
    story->image_position = story->position;
    return (struct store_image){.position = story->position,
                                .tick = document->tick,
                                .hash = document_hash(document),
                                .maker = story->maker,
                                .at = 1};
}

void story_image(struct story *story)
{
    struct base_buffer *buffer;
    if (!story_document(story)->failed && story->image_count < STORY_IMAGES) {
        story_drain(story);
        const struct store_image image = image_make(story, &buffer);
        assert_true(store_image_add(story->store, STORY_LIST, &image, buffer));
        base_buffer_unref(buffer);
    }
}

void story_settle(struct story *story)
{
    const uint64_t end_ns = base_now_ns() + UINT64_C(60000000000);
    uint32_t count = 0;
    story_drain(story);
    do {
        struct store_error error = {0};
        struct store_pending pending;
        struct store_image *images = NULL;
        store_pending(story->store, STORY_LIST, &pending);
        if (pending.durable == story->position) {
            assert_int_equal(store_images(story->reader, STORY_LIST, &images, &count, &error), FAULT_NONE);
            free(images);
        }
        if (base_now_ns() > end_ns) {
            fail_msg("%llu of %llu entries, %u of %u images", (unsigned long long)pending.durable,
                     (unsigned long long)story->position, count, story->image_positions);
        }
        usleep(500);
    } while (count < story->image_positions);
}

static void begin(struct story *story, const char *folder, uint64_t keep_bytes, helper_tweak tweak)
{
    const struct store_options options = {
        .folder = folder, .keep_seconds = UINT64_MAX, .keep_bytes = keep_bytes, .bin_seconds = 60};
    struct store_error error = {0};
    struct base_buffer *buffer;
    *story = (struct story){.maker = sim_solver_version()};
    story->helper = helper_create(tweak);
    story->store = store_open(&options, &error);
    assert_non_null(story->store);
    const struct store_image image = image_make(story, &buffer);
    assert_true(store_create(story->store, STORY_LIST, "flag", &image, buffer));
    base_buffer_unref(buffer);
    story->reader = store_reader_open(story->store, &error);
    assert_non_null(story->reader);
    story_mark(story, PAST_MARK_BEGUN);
}

void story_begin(struct story *story, helper_tweak tweak)
{
    begin(story, NULL, UINT64_MAX, tweak);
}

void story_begin_in(struct story *story, const char *folder, helper_tweak tweak)
{
    begin(story, folder, UINT64_MAX, tweak);
}

void story_begin_short(struct story *story, uint64_t keep_bytes)
{
    begin(story, NULL, keep_bytes, NULL);
}

void story_begin_again(struct story *story)
{
    story_mark(story, PAST_MARK_BEGUN);
}

void story_end(struct story *story)
{
    for (uint32_t i = 0; i < story->image_count; i++) {
        base_buffer_unref(story->images[i]);
    }
    store_reader_close(story->reader);
    store_close(story->store);
    helper_destroy(story->helper);
}

static void note(struct story *story)
{
    const struct document *document = story_document(story);
    assert_true(document->tick < STORY_TICKS);
    story->hashes[document->tick] = document_hash(document);
    story->revisions[document->tick] = document->revision;
}

void story_tell(struct story *story, const char *method, const char *notation)
{
    helper_call(story->helper, HELPER_ANN, method, notation);
    helper_forget(story->helper);
    story_drain(story);
    note(story);
}

void story_tick(struct story *story)
{
    struct helper *helper = story->helper;
    story_drain(story);
    note(story);
    if (!story_document(story)->failed && story_document(story)->tick + 1 < STORY_TICKS) {
        helper_post(helper, HELPER_EVE, "world.step", "{'world': 1, 'ticks': 1}");
        helper_turns(helper, 2);
        helper_forget(helper);
        if (story_document(story)->failed) {
            story_mark(story, PAST_MARK_FAILED);
        }
    }
    note(story);
}

void story_ticks(struct story *story, uint32_t count)
{
    for (uint32_t t = 0; t < count; t++) {
        story_tick(story);
    }
}

void story_random(struct story *story, uint32_t program)
{
    struct helper *helper = story->helper;
    program_begin(program);
    for (uint32_t i = 0; i < PROGRAM_EDITS; i++) {
        struct program_input input;
        helper_choose(helper->world->document->sim, &input);
        helper_post(helper, program_below(2) ? HELPER_ANN : HELPER_BOB, input.method, input.notation);
        helper_turn(helper);
        if (program_below(16) == 0) {
            world_post_gone(helper->world, HELPER_BOB);
            helper_turn(helper);
        }
        helper_forget(helper);
        story_drain(story);
        note(story);
        story_ticks(story, program_below(5));
        if (program_below(5) == 0) {
            story_mark(story, PAST_MARK_TICKS);
        }
        if (program_below(12) == 0) {
            story_image(story);
        }
    }
    story_mark(story, PAST_MARK_TICKS);
    note(story);
}

struct past *story_open(struct story *story)
{
    struct protocol_error error = {0};
    struct past *past = past_open(story->reader, STORY_LIST, &error);
    if (!past) {
        fail_msg("%s", error.text);
    }
    return past;
}

void story_check(struct story *story, struct past *past, uint64_t tick, struct document **document)
{
    struct protocol_error error = {0};
    bool exact = false;
    if (!past_seek(past, tick, NULL, document, &exact, &error)) {
        fail_msg("tick %llu: %s", (unsigned long long)tick, error.text);
    }
    assert_true(exact);
    assert_non_null(*document);
    assert_int_equal((*document)->tick, tick);
    if (document_hash(*document) != story->hashes[tick]) {
        fail_msg("tick %llu is another one", (unsigned long long)tick);
    }
    assert_int_equal((*document)->revision, story->revisions[tick]);
}
