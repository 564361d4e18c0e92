// The records that a world gives to its store: enough to restore it, before anybody is told of an edit.
#include "base/buffer.h"
#include "base/clock.h"
#include "helper_journal.h"
#include "helper_world.h"
#include "past/past.h"
#include "protocol/bytes.h"
#include "store/backend.h"
#include "world/edit/apply.h"
#include "world/edit/edit_ids.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void edit_and_play(struct helper *helper)
{
    helper_cloth(helper, HELPER_ANN, 12, 1, "cloth");
    helper_call(helper, HELPER_ANN, "collider.add",
                "{'world': 1, 'kind': 'sphere', 'radius': 0.3, 'position': [0.5, 0.4, 0.5], 'name': 'ball'}");
    helper_call(helper, HELPER_ANN, "world.play", "{'world': 1}");
    play(helper, 20);
    helper_call(helper, HELPER_BOB, "grab.begin",
                "{'world': 1, 'body': 1, 'particle': 7, 'target': [0, 2, 0]}");
    play(helper, 10);
    helper_call(helper, HELPER_ANN, "body.set", "{'world': 1, 'body': 1, 'name': 'sheet', 'friction': 0.9}");
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'name': 'banner', 'gravity': [0, -5, 0]}");
    play(helper, 10);
}

static void what_a_world_hands_over_is_enough_to_be_there_again(void **state)
{
    (void)state;
    struct store *store = store_in_memory();
    begin_list(store);
    struct helper *helper = helper_create_kept(NULL, store, NULL, NULL);
    edit_and_play(helper);
    helper_call(helper, HELPER_ANN, "world.pause", "{'world': 1}");
    const struct document *document = helper->world->document;
    struct past_end end;
    end_of(store, &end);
    assert_true(document_hash(end.document) == document_hash(document));
    assert_true(end.document->tick == document->tick && document->tick >= 40);
    assert_true(end.document->revision == document->revision);
    assert_true(end.sequence == helper->world->keep->records.next);
    assert_true(end.position == helper->world->keep->journal.position);
    assert_string_equal(end.document->name, "banner");
    assert_false(end.playing);
    assert_string_equal(end.warning, "");
    document_destroy(end.document);
    helper_destroy(helper);
    store_close(store);
}

static void one_that_is_back_goes_on_as_it_was_and_holds_nothing(void **state)
{
    (void)state;
    struct store *store = store_in_memory();
    begin_list(store);
    struct helper *helper = helper_create_kept(NULL, store, NULL, NULL);
    edit_and_play(helper); // and bob holds a particle
    const uint64_t revision = helper->world->document->revision;
    helper_destroy(helper); // as if it were killed

    struct past_end end;
    end_of(store, &end);
    assert_true(end.playing);
    assert_int_equal(sim_grab_count(end.document->sim), 1);
    struct store_error error;
    const struct world_kept kept = {
        .epoch = store_take_over(store, WORLD, &error), .position = end.position, .sequence = end.sequence};
    assert_true(kept.epoch > 0);
    helper = helper_create_kept(NULL, store, end.document, &kept);
    document_destroy(end.document);
    assert_int_equal(sim_grab_count(helper->world->document->sim), 0);
    assert_true(helper->world->document->revision == revision);
    world_play(helper->world, 1, true, helper->now_ns);
    play(helper, 10);
    helper_call(helper, HELPER_ANN, "body.remove", "{'world': 1, 'body': 'sheet'}");
    helper_call(helper, HELPER_ANN, "world.pause", "{'world': 1}");

    end_of(store, &end);
    assert_true(document_hash(end.document) == document_hash(helper->world->document));
    assert_true(end.document->revision == revision + 1);
    document_destroy(end.document);
    helper_destroy(helper);
    store_close(store);
}

static void answers_carry_what_has_to_be_durable_before_them(void **state)
{
    (void)state;
    static const char *const calls[][2] = {
        {"world.set", "{'world': 1, 'gravity': [0, -3, 0]}"},
        {"world.play", "{'world': 1}"},
        {"world.pause", "{'world': 1}"},
        {"world.step", "{'world': 1, 'ticks': 1}"},
        {"world.delete", "{'world': 1}"},
    };
    struct store *store = store_in_memory();
    begin_list(store);
    struct helper *helper = helper_create_kept(NULL, store, NULL, NULL);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        const uint64_t before = helper->world->keep->journal.position;
        helper_forget(helper);
        helper_call(helper, HELPER_ANN, calls[i][0], calls[i][1]);
        play(helper, 2);
        const struct world_event *reply = helper_event(helper, WORLD_REPLY, 0);
        assert_true(reply->position > before);
    }
    struct past_end end;
    end_of(store, &end);
    assert_true(end.deleted);
    document_destroy(end.document);
    helper_destroy(helper);
    store_close(store);
}

static void a_world_that_fails_is_back_as_one_that_failed(void **state)
{
    (void)state;
    struct store *store = store_in_memory();
    begin_list(store);
    struct helper *helper = helper_create_kept(NULL, store, NULL, NULL);
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'extent': 1}");
    helper_call(helper, HELPER_ANN, "body.add", "{'world': 1, 'kind': 'points', 'positions': [0, 0, 0]}");
    helper_call(helper, HELPER_ANN, "world.play", "{'world': 1}");
    play(helper, 80); // it falls out of its world
    assert_int_equal(helper->world->time->state, WORLD_FAILED);
    struct past_end end;
    end_of(store, &end);
    assert_true(end.document->failed && !end.playing);
    assert_string_equal(end.document->reason, helper->world->document->reason);
    document_destroy(end.document);
    helper_call(helper, HELPER_ANN, "world.reset", "{'world': 1}");
    end_of(store, &end);
    assert_false(end.document->failed);
    assert_true(document_hash(end.document) == document_hash(helper->world->document));
    document_destroy(end.document);
    helper_destroy(helper);
    store_close(store);
}

static uint32_t image_count(struct store *store)
{
    struct store_error error;
    struct store_list list;
    struct store_reader *reader = store_reader_open(store, &error);
    assert_non_null(reader);
    assert_int_equal(store_list_find(reader, WORLD, &list, &error), FAULT_NONE);
    store_reader_close(reader);
    return (uint32_t)list.images;
}

// Also one that never lives long enough to come to what makes an image worth it.
static void one_that_was_long_in_coming_back_gets_an_image(void **state)
{
    (void)state;
    for (int slow = 0; slow < 2; slow++) {
        struct store *store = store_in_memory();
        begin_list(store);
        struct helper *helper = helper_create_kept(NULL, store, NULL, NULL);
        edit_and_play(helper);
        helper_destroy(helper); // as if it were killed
        const uint32_t before = image_count(store);
        struct past_end end;
        end_of(store, &end);
        struct store_error error;
        const struct world_kept kept = {.epoch = store_take_over(store, WORLD, &error),
                                        .position = end.position,
                                        .sequence = end.sequence,
                                        .cost_s = slow ? 0.5 : 0.0};
        helper = helper_create_kept(NULL, store, end.document, &kept);
        document_destroy(end.document);
        play(helper, 1);
        assert_int_equal(image_count(store), before + (uint32_t)slow);
        helper_destroy(helper);
        store_close(store);
    }
}

// A world whose ticks cost next to nothing: what another solver would have to step again is bounded all the same.
static void no_image_is_older_than_a_minute_of_the_worlds_time(void **state)
{
    (void)state;
    enum { RATE = 60, MINUTE = 60 * RATE };
    struct store *store = store_in_memory();
    struct store_error error;
    begin_list(store);
    struct helper *helper = helper_create_kept(NULL, store, NULL, NULL);
    helper_cloth(helper, HELPER_ANN, 2, 1, "rag");
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'gravity': [0, -0.0001, 0]}");
    helper_call(helper, HELPER_ANN, "world.play", "{'world': 1}");
    play(helper, 3 * MINUTE);
    struct past_end end;
    end_of(store, &end);
    assert_true(end.document->tick >= 2 * MINUTE && end.image_age_s <= 60);
    document_destroy(end.document);
    struct store_reader *reader = store_reader_open(store, &error);
    struct store_image *images;
    uint32_t count;
    assert_int_equal(store_images(reader, WORLD, &images, &count, &error), FAULT_NONE);
    assert_true(count >= 3);
    for (uint32_t i = 1; i < count; i++) {
        assert_true(images[i].tick - images[i - 1].tick <= MINUTE);
    }
    free(images);
    store_reader_close(reader);
    // One that comes back has as old an image as it left.
    helper_destroy(helper);
    end_of(store, &end);
    const uint32_t before = image_count(store);
    const struct world_kept kept = {.epoch = store_take_over(store, WORLD, &error),
                                    .position = end.position,
                                    .sequence = end.sequence,
                                    .image_age_s = 29.9};
    helper = helper_create_kept(NULL, store, end.document, &kept);
    document_destroy(end.document);
    helper_call(helper, HELPER_ANN, "world.play", "{'world': 1}");
    play(helper, 30);
    assert_int_equal(image_count(store), before + 1);
    helper_destroy(helper);
    store_close(store);
}

static void one_that_another_solver_came_to_says_so(void **state)
{
    (void)state;
    struct store *store = store_in_memory();
    struct store_error error;
    begin_list(store);
    struct helper *helper = helper_create_kept(NULL, store, NULL, NULL);
    edit_and_play(helper);
    const msgpack_object *got = helper_call(helper, HELPER_ANN, "world.get", "{'world': 1}");
    assert_true(helper_at(got, "exact")->via.boolean);
    assert_null(helper_find(got, "exact_tick"));
    helper_destroy(helper);
    struct past_end end;
    end_of(store, &end);
    const struct world_kept kept = {.epoch = store_take_over(store, WORLD, &error),
                                    .position = end.position,
                                    .sequence = end.sequence,
                                    .exact_solver = 77,
                                    .exact_tick = 12};
    helper = helper_create_kept(NULL, store, end.document, &kept);
    document_destroy(end.document);
    got = helper_call(helper, HELPER_ANN, "world.get", "{'world': 1}");
    assert_false(helper_at(got, "exact")->via.boolean);
    assert_int_equal(helper_number(got, "exact_tick"), 12);
    assert_int_equal(helper_number(got, "exact_solver"), 77);
    struct world_face face;
    world_face(helper->world, &face);
    assert_true(face.exact_solver == 77 && face.exact_tick == 12);
    helper_destroy(helper);
    store_close(store);
}

// Images of both kinds: made at once, and beside the world.
static void images_are_made_where_coming_here_again_would_take_long(void **state)
{
    (void)state;
    for (uint32_t side = 12; side <= 40; side += 28) {
        struct store *store = store_in_memory();
        begin_list(store);
        struct helper *helper = helper_create_kept(NULL, store, NULL, NULL);
        helper_cloth(helper, HELPER_ANN, side, 1, "cloth");
        helper_call(helper, HELPER_ANN, "world.play", "{'world': 1}");
        play(helper, 3);
        assert_int_equal(image_count(store), 1);
        helper->world->keep->journal.cost_s = 100; // of so many ticks
        for (uint32_t i = 0; i < 1000 && image_count(store) == 1; i++) {
            play(helper, 1);
        }
        assert_int_equal(image_count(store), 2);
        play(helper, 3);
        helper_call(helper, HELPER_ANN, "world.pause", "{'world': 1}");
        struct past_end end;
        end_of(store, &end);
        assert_true(document_hash(end.document) == document_hash(helper->world->document));
        document_destroy(end.document);
        helper_destroy(helper);
        store_close(store);
    }
}

// Edits that cost little to do again are kept as long as a bound lets them be; without an image nothing of them could go.
static void images_are_made_where_the_past_outgrows_its_bound(void **state)
{
    enum { KEEP = 400000 };
    (void)state;
    struct store_error error;
    struct store *store = store_open(
        &(struct store_options){.keep_seconds = UINT64_MAX, .keep_bytes = KEEP, .bin_seconds = 60}, &error);
    begin_list(store);
    struct helper *helper = helper_create_kept(NULL, store, NULL, NULL);
    uint64_t most = 0;
    for (uint32_t i = 1; i <= 200; i++) {
        char params[64];
        snprintf(params, sizeof params, "{'world': 1, 'body': %u}",
                 helper_cloth(helper, HELPER_ANN, 20, 1, "cloth"));
        helper_call(helper, HELPER_ANN, "body.remove", params);
        most = store_bytes(store) > most ? store_bytes(store) : most;
    }
    assert_true(most > KEEP / 2 && most < KEEP + KEEP / 4);
    struct past_end end;
    end_of(store, &end);
    assert_true(document_hash(end.document) == document_hash(helper->world->document));
    document_destroy(end.document);
    helper_destroy(helper);
    store_close(store);
}

// A store in memory that passes for one that lasts, and has memory for so many entries at a time.
static const struct store_backend *real;
static uint32_t most = UINT32_MAX, calls, last_count;
static struct store_entry last[2];
static struct past_step last_step;

static bool append_watched(struct store *store, uint32_t list, uint64_t epoch,
                           const struct store_entry *entries, uint32_t count)
{
    calls++;
    if (count > most) {
        return false;
    }
    assert_true(count <= 2);
    last_count = count;
    memcpy(last, entries, count * sizeof *entries);
    if (entries[count - 1].kind == PAST_STEP) {
        msgpack_zone zone;
        struct protocol_error error;
        assert_true(msgpack_zone_init(&zone, 1024));
        assert_true(
            past_step_read(entries[count - 1].bytes, entries[count - 1].size, &zone, &last_step, &error));
        msgpack_zone_destroy(&zone);
    }
    return real->append(store, list, epoch, entries, count);
}

static void a_record_and_its_step_are_handed_over_together(void **state)
{
    (void)state;
    struct store *store = store_in_memory();
    struct store_backend lasting = *store->backend;
    real = store->backend;
    lasting.lasts = true;
    lasting.append = append_watched;
    store->backend = &lasting;
    begin_list(store);
    struct helper *helper = helper_create_kept(NULL, store, NULL, NULL);
    helper_cloth(helper, HELPER_ANN, 4, 1, "cloth");
    assert_int_equal(last_count, 2);
    assert_int_equal(last[0].kind, PAST_RECORD);
    assert_int_equal(last[1].kind, PAST_STEP);
    assert_int_equal(last[1].position, last[0].position + 1);
    assert_int_equal(last_step.previous, 0);
    const uint64_t first = last[1].position;
    helper_call(helper, HELPER_ANN, "grab.begin",
                "{'world': 1, 'body': 1, 'particle': 3, 'target': [0, 2, 0]}"); // no edit that is taken back
    assert_int_equal(last_count, 1);
    assert_int_equal(last[0].kind, PAST_RECORD);
    // If there is no memory for both, the record has to be kept.
    most = 1;
    calls = 0;
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'damping': 1}");
    assert_int_equal(calls, 3);
    assert_int_equal(last_count, 1);
    assert_int_equal(last[0].kind, PAST_RECORD);
    most = UINT32_MAX;
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}"); // in this life it is still known
    assert_int_equal(last_count, 2);
    assert_int_equal(last_step.kind, PAST_STEP_UNDO);
    assert_int_equal(last_step.previous, first);
    // If there is no memory for that either, nothing is kept any more.
    most = 0;
    const char *error = helper_error(helper, HELPER_ANN, "world.set", "{'world': 1, 'damping': 2}");
    assert_int_equal(strncmp(error, "INTERNAL", 8), 0);
    most = UINT32_MAX;
    calls = 0;
    helper_turns(helper, 2);
    error = helper_error(helper, HELPER_ANN, "world.set", "{'world': 1, 'damping': 3}");
    assert_int_equal(strncmp(error, "READ_ONLY", 9), 0);
    assert_int_equal(calls, 0);
    helper_destroy(helper);
    store_close(store);
}

// Steps to tick 4, begins the next tick and gives it up there, with a mark that wants a hash due at that moment.
static struct helper *cut_short(struct store *store, uint32_t session)
{
    struct helper *helper = helper_create_kept(NULL, store, NULL, NULL);
    helper_cloth(helper, HELPER_ANN, 12, 1, "cloth");
    helper_call(helper, HELPER_BOB, "grab.begin",
                "{'world': 1, 'body': 1, 'particle': 7, 'target': [0, 2, 0]}");
    helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 3}");
    play(helper, 3);
    helper_call(helper, HELPER_EVE, "stream.subscribe", "{'world': 1, 'unit': 'substep'}");
    helper_post(helper, HELPER_EVE, "world.step", "{'world': 1, 'ticks': 9}");
    helper_turn(helper);
    helper_forget(helper);
    atomic_store(&helper->world->time->tick_end_session, session);
    atomic_store(&helper->world->time->tick_end_ns, 0);
    helper->world->keep->journal.unhashed_s = 1e9;
    helper->world->keep->journal.cost_s = 100;
    helper_turn(helper);
    assert_true(helper->world->document->broken);
    assert_int_equal(helper->world->document->tick, 4);
    return helper;
}

static void a_tick_that_was_cut_short_is_neither_told_nor_kept(void **state)
{
    (void)state;
    enum { GOES_DOWN, IS_DELETED, LEAVES, ENDINGS };
    for (int ending = 0; ending < ENDINGS; ending++) {
        struct store *store = store_in_memory();
        begin_list(store);
        struct helper *helper = cut_short(store, ending == GOES_DOWN ? 0 : HELPER_ANN);
        struct protocol_bytes bytes = {0};
        uint64_t hash;
        assert_false(document_hash_now(helper->world->document, &hash));
        assert_false(document_image_pack(helper->world->document, &bytes));
        assert_false(document_pack(helper->world->document, &bytes));
        const char *refused = helper_error(helper, HELPER_EVE, "world.hash", "{'world': 1}");
        assert_int_equal(strncmp(refused, ending == GOES_DOWN ? "SHUTDOWN" : "NOT_FOUND", 8), 0);
        world_post_gone(helper->world, HELPER_BOB); // holds a particle
        const uint32_t images = image_count(store);
        bool error;
        uint32_t deletion = 0;
        if (ending == GOES_DOWN) {
            world_post_shutdown(helper->world);
        } else if (ending == IS_DELETED) {
            deletion = helper_post(helper, HELPER_ANN, "world.delete", "{'world': 1}");
        } else {
            world_post_leave(helper->world, &(struct protocol_home){0});
        }
        helper->world->keep->journal.unhashed_s = 1e9;
        atomic_store(&helper->world->keep->image_wanted, true);
        helper_turns(helper, 3);
        assert_true(ending != IS_DELETED || (helper_answer(helper, deletion, &error) != NULL && !error));
        assert_int_equal(helper_count(helper, WORLD_PUBLICATION), 0);
        assert_int_equal(image_count(store), images);
        struct past_end end;
        end_of(store, &end); // each hash that was kept is that of its tick
        assert_int_equal(end.document->tick, 4);
        assert_true(end.deleted == (ending == IS_DELETED));
        document_destroy(end.document);
        helper_destroy(helper);
        store_close(store);
    }
}

static void an_epoch_tells_apart_what_has_one_revision(void **state)
{
    (void)state;
    struct store *store = store_in_memory();
    begin_list(store);
    struct helper *helper = helper_create_kept(NULL, store, NULL, NULL);
    helper_cloth(helper, HELPER_ANN, 4, 1, "cloth");
    const msgpack_object *get = helper_call(helper, HELPER_ANN, "world.get", "{'world': 1}");
    assert_true(helper_number(get, "revision") == 1 && helper_number(get, "epoch") == 1);
    helper_call(helper, HELPER_ANN, "world.set",
                "{'world': 1, 'damping': 1, 'if_revision': 1, 'if_epoch': 1, 'edit_id': 'e'}");
    helper_destroy(helper); // as if it were killed

    struct past_end end;
    struct store_error error;
    end_of(store, &end);
    const struct world_kept kept = {
        .epoch = store_take_over(store, WORLD, &error), .position = end.position, .sequence = end.sequence};
    helper = helper_create_kept(NULL, store, end.document, &kept);
    document_destroy(end.document);
    const msgpack_object *joined = helper_call(helper, HELPER_ANN, "world.join", "{'world': 1}");
    assert_true(helper_number(joined, "revision") == 2 && helper_number(joined, "epoch") == 2);
    assert_durable(helper, UINT64_MAX, 2, end.sequence);
    const char *refused = helper_error(helper, HELPER_ANN, "world.set",
                                       "{'world': 1, 'damping': 2, 'if_revision': 2, 'if_epoch': 1}");
    assert_int_equal(strncmp(refused, "CONFLICT: if_epoch: 1, but", 26), 0);
    assert_int_equal(helper->world->document->revision, 2);
    refused = helper_error(helper, HELPER_ANN, "edit.batch",
                           "{'world': 1, 'edits': [['world.set', {'damping': 2, 'if_epoch': 2}]]}");
    assert_int_equal(strncmp(refused, "INVALID: edits[0] (world.set): if_epoch", 39), 0);
    helper_call(helper, HELPER_ANN, "world.set",
                "{'world': 1, 'damping': 3, 'if_revision': 2, 'if_epoch': 2}");
    helper_destroy(helper);
    store_close(store);
}

static void append_edit(struct store *store, uint64_t position, const char *id, uint64_t at_us)
{
    const struct protocol_world_set_params params = {.has = PROTOCOL_HAS_WORLD_SET_PARAMS_NAME,
                                                     .name = protocol_text("flag")};
    const struct protocol_world_set_result result = {.has = PROTOCOL_HAS_ALL, .revision = position};
    const struct document_record record = {.sequence = position,
                                           .revision = position,
                                           .person = protocol_text("ann"),
                                           .edit_id = protocol_text(id),
                                           .asked = 7,
                                           .at_us = at_us,
                                           .method = PROTOCOL_METHOD_WORLD_SET,
                                           .params = &params,
                                           .result = &result};
    struct protocol_bytes bytes = {0};
    msgpack_packer packer;
    msgpack_packer_init(&packer, &bytes, protocol_bytes_write);
    document_record_pack(&record, &packer);
    const struct store_entry entry = {
        .position = position, .kind = PAST_RECORD, .bytes = bytes.data, .size = bytes.size};
    assert_true(store_append(store, WORLD, 1, &entry, 1));
    protocol_bytes_deinit(&bytes);
}

// An edit that is sent again after a restart must not be made twice because the wall clock was set forward meanwhile.
static void ids_of_edits_outlive_a_wall_clock_that_is_wrong(void **state)
{
    (void)state;
    const uint64_t hour_us = UINT64_C(3600000000), then_us = 400000 * hour_us; // in 2015
    struct store *store = store_in_memory();
    begin_list(store);
    append_edit(store, 1, "long before", then_us - hour_us - 1);
    append_edit(store, 2, "before", then_us - hour_us);
    append_edit(store, 3, "last", then_us);
    struct store_error store_error;
    struct protocol_error error = {0};
    struct store_reader *reader = store_reader_open(store, &store_error);
    struct past *past = past_open(reader, WORLD, &error);
    struct world_edit_ids *ids = world_edit_ids_of(past, &error);
    assert_non_null(ids);
    const struct protocol_string person = protocol_text("ann"), newest = protocol_text("last"),
                                 before = protocol_text("before"), long_before = protocol_text("long before");
    struct world_edit_known known;
    const uint64_t now_us = base_now_ns() / 1000;
    assert_true(world_edit_ids_find(ids, &person, &newest, now_us, &known));
    assert_int_equal(known.revision, 3);
    assert_true(world_edit_ids_find(ids, &person, &before, now_us, &known));
    assert_false(world_edit_ids_find(ids, &person, &long_before, now_us, &known));
    assert_false(world_edit_ids_find(ids, &person, &newest, now_us + 2 * hour_us, &known));
    world_edit_ids_destroy(ids);
    past_close(past);
    store_reader_close(reader);
    store_close(store);
}

// Ten bodies, as one edit.
static const char *const ten = "{'world': 1, 'edits': ["
                               "['body.add', {'kind': 'points', 'positions': [0,0,0]}], ['body.add', "
                               "{'kind': 'points', 'positions': [1,0,0]}],"
                               "['body.add', {'kind': 'points', 'positions': [2,0,0]}], ['body.add', "
                               "{'kind': 'points', 'positions': [3,0,0]}],"
                               "['body.add', {'kind': 'points', 'positions': [4,0,0]}], ['body.add', "
                               "{'kind': 'points', 'positions': [5,0,0]}],"
                               "['body.add', {'kind': 'points', 'positions': [6,0,0]}], ['body.add', "
                               "{'kind': 'points', 'positions': [7,0,0]}],"
                               "['body.add', {'kind': 'points', 'positions': [8,0,0]}], ['body.add', "
                               "{'kind': 'points', 'positions': [9,0,0]}]]}";

static void an_edit_of_many_parts_stops_before_its_next_part_when_time_is_up(void **state)
{
    (void)state;
    enum { BATCH, UNDO, KINDS };
    for (int kind = 0; kind < KINDS; kind++) {
        struct store *store = store_in_memory();
        begin_list(store);
        struct helper *helper = helper_create_kept(NULL, store, NULL, NULL);
        const struct document *document = helper->world->document;
        if (kind == UNDO) {
            helper_call(helper, HELPER_BOB, "edit.batch", ten);
        }
        const uint32_t before = sim_body_count(document->sim);
        const uint64_t records = helper->world->keep->records.next, revision = document->revision;
        const uint64_t hash = document_hash(document);
        atomic_store(&helper->world->time->tick_end_session, 0);
        atomic_store(&helper->world->time->tick_end_ns, 0);
        // It was taken while there was time.
        struct world_request *request =
            helper_request(helper, HELPER_BOB, kind == BATCH ? "edit.batch" : "edit.undo",
                           kind == BATCH ? ten : "{'world': 1}");
        struct world_call call = {.world = helper->world, .request = request, .params = request->params};
        world_apply_edit(&call);
        world_request_destroy(request);
        assert_false(call.answered);
        assert_int_equal(call.error.code, PROTOCOL_CODE_SHUTDOWN);
        assert_int_equal(sim_body_count(document->sim), kind == BATCH ? before + 1 : before - 1); // of ten
        assert_true(document->broken && document->revision == revision);
        assert_int_equal(helper->world->keep->records.next, records);
        struct world_published published;
        assert_true(world_published(helper->world, &published));
        assert_int_equal(published.get.bodies, before);
        assert_int_equal(
            strncmp(helper_error(helper, HELPER_EVE, "world.get", "{'world': 1}"), "SHUTDOWN", 8), 0);
        helper->world->keep->journal.unhashed_s = 1e9;
        world_post_shutdown(helper->world);
        helper_turns(helper, 3);
        struct past_end end;
        end_of(store, &end);
        assert_true(document_hash(end.document) == hash);
        document_destroy(end.document);
        helper_destroy(helper);
        store_close(store);
    }
}

static void a_deletion_waits_for_what_its_own_session_asked_for_before(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    atomic_store(&helper->world->time->tick_end_session, HELPER_ANN);
    atomic_store(&helper->world->time->tick_end_ns, 0);
    helper_call(helper, HELPER_ANN, "edit.batch", ten);
    assert_int_equal(sim_body_count(helper->world->document->sim), 10);
    assert_int_equal(strncmp(helper_error(helper, HELPER_BOB, "edit.batch", ten), "NOT_FOUND", 9), 0);
    assert_int_equal(strncmp(helper_error(helper, HELPER_BOB, "world.play", "{'world': 1}"), "NOT_FOUND", 9),
                     0);
    assert_false(helper->world->document->broken); // nothing was begun
    helper_call(helper, HELPER_BOB, "world.hash", "{'world': 1}");
    helper_destroy(helper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_world_hands_over_is_enough_to_be_there_again),
        cmocka_unit_test(one_that_is_back_goes_on_as_it_was_and_holds_nothing),
        cmocka_unit_test(answers_carry_what_has_to_be_durable_before_them),
        cmocka_unit_test(a_world_that_fails_is_back_as_one_that_failed),
        cmocka_unit_test(one_that_was_long_in_coming_back_gets_an_image),
        cmocka_unit_test(a_record_and_its_step_are_handed_over_together),
        cmocka_unit_test(an_epoch_tells_apart_what_has_one_revision),
        cmocka_unit_test(ids_of_edits_outlive_a_wall_clock_that_is_wrong),
        cmocka_unit_test(no_image_is_older_than_a_minute_of_the_worlds_time),
        cmocka_unit_test(one_that_another_solver_came_to_says_so),
        cmocka_unit_test(images_are_made_where_coming_here_again_would_take_long),
        cmocka_unit_test(a_tick_that_was_cut_short_is_neither_told_nor_kept),
        cmocka_unit_test(images_are_made_where_the_past_outgrows_its_bound),
        cmocka_unit_test(an_edit_of_many_parts_stops_before_its_next_part_when_time_is_up),
        cmocka_unit_test(a_deletion_waits_for_what_its_own_session_asked_for_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
