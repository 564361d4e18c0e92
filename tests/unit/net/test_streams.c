// Which batch of a stream is sent, which wait: of those that may be left out, and of those that may not.
#include "base/buffer.h"
#include "net/streams.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { SIZE = 10 };

static struct base_batch *batch(uint64_t moment, bool lossless, bool anew)
{
    struct base_batch *made = base_batch_create(1, 1, moment, 1);
    struct base_frame *frame = base_frame_create(1);
    frame->size = frame->parts[0].size = SIZE;
    made->frames[0] = frame;
    made->lossless = lossless;
    made->anew = anew;
    return made;
}

// The moment of what is sent next, 0 if nothing is.
static uint64_t next(struct net_streams *streams)
{
    struct net_stream *stream = net_streams_next(streams);
    if (!stream) {
        return 0;
    }
    const uint64_t moment = stream->current->moment;
    net_streams_begin(streams, stream);
    net_streams_written(streams);
    return moment;
}

static void what_may_be_left_out_is_replaced(void **state)
{
    (void)state;
    struct net_streams streams = {0};
    assert_true(net_streams_add(&streams, 1));
    struct net_stream *stream = net_streams_find(&streams, 1);
    assert_int_equal(net_stream_put(&streams, stream, batch(1, false, false), false), 0);
    assert_int_equal(net_stream_put(&streams, stream, batch(2, false, false), false), 0);
    assert_int_equal(net_stream_put(&streams, stream, batch(3, false, false), false), 1);
    assert_int_equal(stream->waiting_bytes, SIZE);
    assert_int_equal(next(&streams), 1);
    assert_int_equal(next(&streams), 3);
    assert_int_equal(stream->waiting_bytes, 0);
    assert_int_equal(next(&streams), 0);
    net_streams_deinit(&streams);
}

static void begin_all(struct net_streams *streams)
{
    for (struct net_stream *stream; (stream = net_streams_next(streams));) {
        net_streams_begin(streams, stream);
    }
}

static void what_comes_before_a_write_leaves_with_it(void **state)
{
    (void)state;
    enum { GATHERED = 64 * 1024 / SIZE };
    struct net_streams streams = {0};
    assert_true(net_streams_add(&streams, 1));
    struct net_stream *stream = net_streams_find(&streams, 1);
    for (uint64_t moment = 1; moment <= 3; moment++) {
        assert_int_equal(net_stream_put(&streams, stream, batch(moment, false, false), true), 0);
    }
    begin_all(&streams);
    assert_int_equal(stream->current->moment, 3);
    assert_int_equal(net_stream_moment(stream), 1); // held until it is written
    // While it is written newer ones take each other's place.
    assert_int_equal(net_stream_put(&streams, stream, batch(4, false, false), false), 0);
    assert_int_equal(net_stream_put(&streams, stream, batch(5, false, false), false), 1);
    assert_int_equal(net_streams_written(&streams), 3);
    assert_int_equal(net_stream_moment(stream), 5);
    assert_int_equal(stream->current->dropped, 1);
    // And where they are too much together, what was left out is all of them.
    for (uint64_t moment = 6; moment < 6 + GATHERED; moment++) {
        assert_int_equal(net_stream_put(&streams, stream, batch(moment, false, false), true), 0);
    }
    assert_int_equal(net_stream_put(&streams, stream, batch(9000, false, false), true), GATHERED);
    begin_all(&streams);
    assert_int_equal(stream->current->moment, 9000);
    assert_int_equal(stream->current->dropped, GATHERED);
    assert_int_equal(net_streams_written(&streams), 2);
    assert_int_equal(next(&streams), 0);
    net_streams_deinit(&streams);
}

static void a_stream_ends_when_what_leaves_has_left(void **state)
{
    (void)state;
    struct net_streams streams = {0};
    for (int begun = 0; begun < 2; begun++) {
        assert_true(net_streams_add(&streams, 1));
        struct net_stream *stream = net_streams_find(&streams, 1);
        for (uint64_t moment = 1; moment <= 3; moment++) {
            net_stream_put(&streams, stream, batch(moment, false, false), true);
        }
        net_streams_begin(&streams, stream);
        net_streams_begin(&streams, stream);
        if (begun) {
            net_streams_begin(&streams, stream);
        }
        net_streams_close(&streams, 1);
        assert_ptr_equal(net_streams_find(&streams, 1), stream);
        assert_null(net_streams_next(&streams));
        assert_int_equal(net_streams_written(&streams), 2 + begun);
        assert_null(net_streams_find(&streams, 1));
    }
    // A write that never began.
    assert_true(net_streams_add(&streams, 1));
    net_stream_put(&streams, net_streams_find(&streams, 1), batch(1, false, false), true);
    net_stream_put(&streams, net_streams_find(&streams, 1), batch(2, false, false), true);
    begin_all(&streams);
    net_streams_ground(&streams);
    net_streams_drop(&streams);
    net_streams_deinit(&streams);
}

static void what_may_not_waits_in_its_order(void **state)
{
    (void)state;
    struct net_streams streams = {0};
    assert_true(net_streams_add(&streams, 1));
    struct net_stream *stream = net_streams_find(&streams, 1);
    for (int again = 0; again < 2; again++) {
        for (uint64_t moment = 1; moment <= 9; moment++) {
            assert_int_equal(net_stream_put(&streams, stream, batch(moment, true, moment == 1), false), 0);
        }
        assert_int_equal(stream->waiting_bytes, 8 * SIZE);
        for (uint64_t moment = 1; moment <= 9; moment++) {
            assert_int_equal(next(&streams), moment);
        }
        assert_int_equal(stream->waiting_bytes, 0);
        assert_int_equal(next(&streams), 0);
        assert_int_equal(stream->dropped_total, 0);
    }
    net_streams_deinit(&streams);
}

static void what_begins_anew_takes_the_place_of_all_that_wait(void **state)
{
    (void)state;
    struct net_streams streams = {0};
    assert_true(net_streams_add(&streams, 1));
    struct net_stream *stream = net_streams_find(&streams, 1);
    for (uint64_t moment = 1; moment <= 5; moment++) {
        net_stream_put(&streams, stream, batch(moment, true, false), false);
    }
    net_stream_put(&streams, stream, batch(6, true, true), false);
    assert_int_equal(stream->waiting_bytes, 0); // an image does not count, nor what is gone
    net_stream_put(&streams, stream, batch(7, true, false), false);
    assert_int_equal(stream->waiting_bytes, SIZE);
    assert_int_equal(next(&streams), 1);
    assert_int_equal(next(&streams), 6);
    net_stream_put(&streams, stream, batch(8, true, false), false);
    assert_int_equal(next(&streams), 7);
    assert_int_equal(next(&streams), 8);
    // A stream that ends lets go of all.
    for (uint64_t moment = 1; moment <= 5; moment++) {
        net_stream_put(&streams, stream, batch(moment, true, false), false);
    }
    net_streams_close(&streams, 1);
    assert_null(net_streams_find(&streams, 1));
    net_streams_deinit(&streams);
}

// One frame that builds on another, with a key or without one.
static struct base_batch *building(uint64_t moment, uint64_t builds_on, bool keyed)
{
    struct base_batch *made = batch(moment, false, false);
    made->frames[0]->number = moment;
    made->frames[0]->builds_on = builds_on;
    if (keyed) {
        made->frames[0]->key = base_frame_create(1);
        made->frames[0]->key->number = moment;
        made->frames[0]->key->size = made->frames[0]->key->parts[0].size = SIZE;
    }
    return made;
}

// The number of the frame that is begun next, and whether it is one that builds on another; what was left out before it.
struct begun {
    uint64_t number, dropped;
    bool builds;
};

static struct begun begin(struct net_streams *streams)
{
    struct net_stream *stream = net_streams_next(streams);
    assert_non_null(stream);
    const struct base_frame *frame = stream->current->frames[stream->frame];
    const struct begun begun = {frame->number, stream->current->dropped, frame->builds_on != 0};
    net_streams_begin(streams, stream);
    return begun;
}

static void assert_begun(struct begun begun, uint64_t number, bool builds, uint64_t dropped)
{
    assert_int_equal(begun.number, number);
    assert_int_equal(begun.builds, builds);
    assert_int_equal(begun.dropped, dropped);
}

static void what_builds_on_another_follows_it_or_is_a_key(void **state)
{
    (void)state;
    struct net_streams streams = {0};
    assert_true(net_streams_add(&streams, 1));
    struct net_stream *stream = net_streams_find(&streams, 1);
    // Nothing was sent yet: only a key, or what stands alone.
    assert_int_equal(net_stream_put(&streams, stream, building(2, 1, false), false), 1);
    assert_int_equal(net_streams_behind(&streams), 1);
    assert_int_equal(net_streams_behind(&streams), 0);
    assert_int_equal(net_stream_put(&streams, stream, building(3, 2, true), false), 0);
    assert_begun(begin(&streams), 3, false, 1);
    // While it is written the next waits, and what builds on that finds no place: it stays.
    assert_int_equal(net_stream_put(&streams, stream, building(4, 3, false), false), 0);
    assert_int_equal(net_stream_put(&streams, stream, building(5, 4, false), false), 1);
    assert_int_equal(net_streams_behind(&streams), 0);
    net_streams_written(&streams);
    assert_int_equal(net_streams_behind(&streams), 1); // what waited is the last that can be sent
    assert_begun(begin(&streams), 4, true, 0);
    assert_int_equal(net_stream_put(&streams, stream, building(6, 5, false), false), 1);
    assert_int_equal(net_streams_behind(&streams), 1);
    // A key takes the place of what waits, and of the key before it.
    assert_int_equal(net_stream_put(&streams, stream, building(7, 6, true), false), 0);
    assert_int_equal(net_stream_put(&streams, stream, building(8, 7, true), false), 1);
    assert_int_equal(net_streams_behind(&streams), 0);
    net_streams_written(&streams);
    assert_int_equal(net_streams_behind(&streams), 0);
    assert_begun(begin(&streams), 8, false, 3);
    net_streams_written(&streams);
    // From then on as if nothing had been.
    assert_int_equal(net_stream_put(&streams, stream, building(9, 8, true), false), 0);
    assert_begun(begin(&streams), 9, true, 0);
    net_streams_written(&streams);
    // A frame that builds on none breaks the chain.
    assert_int_equal(net_stream_put(&streams, stream, batch(10, false, false), false), 0);
    assert_begun(begin(&streams), 0, false, 0);
    net_streams_written(&streams);
    assert_int_equal(net_stream_put(&streams, stream, building(10, 9, false), false), 1);
    assert_int_equal(net_streams_behind(&streams), 1);
    assert_int_equal(stream->dropped_total, 5);
    net_streams_deinit(&streams);
}

static void what_leaves_together_builds_on_each_other(void **state)
{
    (void)state;
    struct net_streams streams = {0};
    assert_true(net_streams_add(&streams, 1));
    struct net_stream *stream = net_streams_find(&streams, 1);
    // Each builds on the last that waits; what does not is left out, and nothing is asked for while they wait.
    assert_int_equal(net_stream_put(&streams, stream, building(3, 2, true), true), 0);
    assert_int_equal(net_stream_put(&streams, stream, building(4, 3, true), true), 0);
    assert_int_equal(net_stream_put(&streams, stream, building(5, 4, false), true), 0);
    assert_int_equal(net_stream_put(&streams, stream, building(7, 6, false), true), 1);
    assert_int_equal(net_streams_behind(&streams), 0);
    assert_begun(begin(&streams), 3, false, 0);
    assert_int_equal(net_streams_behind(&streams), 0);
    assert_begun(begin(&streams), 4, true, 0);
    assert_int_equal(net_streams_behind(&streams), 1); // the last of them is next
    assert_begun(begin(&streams), 5, true, 0);
    // A key goes on behind what is being written.
    assert_int_equal(net_stream_put(&streams, stream, building(8, 7, true), false), 0);
    assert_int_equal(net_streams_written(&streams), 3);
    assert_begun(begin(&streams), 8, false, 1);
    net_streams_written(&streams);
    // A frame that builds on the last one that waits cannot replace it: it is left out.
    assert_int_equal(net_stream_put(&streams, stream, building(9, 8, false), true), 0);
    assert_int_equal(net_stream_put(&streams, stream, building(10, 9, false), true), 0);
    assert_int_equal(net_stream_put(&streams, stream, building(11, 10, false), false), 1);
    assert_begun(begin(&streams), 9, true, 0);
    assert_int_equal(net_streams_behind(&streams), 1);
    assert_begun(begin(&streams), 10, true, 0);
    net_streams_written(&streams);
    assert_int_equal(net_stream_put(&streams, stream, building(12, 11, true), false), 0);
    assert_begun(begin(&streams), 12, false, 1);
    net_streams_written(&streams);
    net_streams_deinit(&streams);
}

// ---------------------------------------------------------------------------------------------------------
// Any schedule

enum { VIEWED = 2, PUSHED_MAX = 40 * 1000 }; // bytes: two may be gathered, hardly three

static uint64_t chance;

static uint32_t pick(uint32_t below)
{
    chance = chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(chance >> 33) % below;
}

// A stream of delta, as a world makes it and as its viewer has it.
struct viewed {
    uint64_t made;   // number of the last frame that was made
    uint64_t pushed; // the same, that was made for it
    uint64_t sent;   // the same, that was sent
    bool asked;
    uint64_t pushed_count, sent_count, told; // frames; told: to be left out
};

struct schedule {
    struct net_streams streams;
    struct viewed viewed[VIEWED];
    bool gathering, writing;
    uint64_t nexts, left_out, gathered, late;
};

static void hear(struct schedule *schedule)
{
    uint32_t id;
    while ((id = net_streams_behind(&schedule->streams)) != 0) {
        schedule->viewed[id - 1].asked = true;
    }
}

static void put(struct schedule *schedule, struct net_stream *stream, struct base_batch *batch)
{
    const bool waits = stream->waiting;
    schedule->left_out += net_stream_put(&schedule->streams, stream, batch, !schedule->writing);
    schedule->gathered += waits && stream->waiting && stream->waiting->next;
    hear(schedule);
}

static void put_late(struct schedule *schedule, struct net_stream *stream)
{
    struct base_batch *late = stream->late;
    stream->late = NULL;
    if (late) {
        put(schedule, stream, late);
    }
}

// Frames that follow the last one that was made, or a rest in which others were.
static struct base_batch *following(struct viewed *viewed, uint32_t stream, bool key)
{
    struct base_batch *batch = base_batch_create(stream, 1, 1, 1 + pick(3));
    viewed->made += pick(12) == 0 ? pick(20) : 0;
    for (uint32_t f = 0; f < batch->frame_count; f++) {
        struct base_frame *frame = base_frame_create(1);
        frame->size = frame->parts[0].size = 1 + pick(PUSHED_MAX / batch->frame_count);
        frame->builds_on = viewed->made;
        frame->number = ++viewed->made;
        if (f == 0 && key) {
            frame->key = base_frame_create(1);
            frame->key->number = frame->number;
            frame->key->size = frame->key->parts[0].size = SIZE;
        }
        batch->frames[f] = frame;
    }
    if (key && pick(4) == 0) {
        batch->keyed = true;
    } else if (pick(30) == 0) {
        batch->frames[0]->builds_on = 0;
    }
    viewed->pushed = viewed->made;
    viewed->pushed_count += batch->frame_count;
    viewed->asked = viewed->asked && !key;
    return batch;
}

// As the outbox does: of a blocked peer one batch is late until the turn is over, or the next one comes.
static void push(struct schedule *schedule, uint32_t id, bool key)
{
    struct net_stream *stream = net_streams_find(&schedule->streams, id);
    struct base_batch *batch = following(&schedule->viewed[id - 1], id, key);
    if (schedule->gathering && schedule->writing && !stream->late) {
        stream->late = batch;
        schedule->late++;
        return;
    }
    put_late(schedule, stream);
    put(schedule, stream, batch);
}

static void gathered(struct schedule *schedule)
{
    schedule->gathering = false;
    for (uint32_t id = 1; id <= VIEWED; id++) {
        put_late(schedule, net_streams_find(&schedule->streams, id));
    }
}

// The next frame goes into the write: its viewer can build on the one before, or it builds on none.
static void send_one(struct schedule *schedule, struct net_stream *stream)
{
    struct viewed *viewed = &schedule->viewed[stream->id - 1];
    const struct base_frame *frame = stream->current->frames[stream->frame];
    assert_true(frame->builds_on == 0 || frame->builds_on == viewed->sent);
    assert_true(frame->number > viewed->sent);
    schedule->nexts += frame->builds_on != 0;
    viewed->told += stream->frame == 0 ? stream->current->dropped : 0;
    viewed->sent = frame->number;
    viewed->sent_count++;
    net_streams_begin(&schedule->streams, stream);
    hear(schedule);
}

static void write_some(struct schedule *schedule, uint32_t most)
{
    struct net_stream *stream;
    if (schedule->writing || schedule->gathering) {
        return;
    }
    for (; most > 0 && (stream = net_streams_next(&schedule->streams)); most--) {
        send_one(schedule, stream);
        schedule->writing = true;
    }
}

static void written(struct schedule *schedule)
{
    net_streams_written(&schedule->streams);
    schedule->writing = false;
    hear(schedule);
    // Whoever has nothing more to be sent, and lacks something, has asked.
    for (uint32_t id = 1; id <= VIEWED; id++) {
        const struct net_stream *stream = net_streams_find(&schedule->streams, id);
        const struct viewed *viewed = &schedule->viewed[id - 1];
        assert_true(stream->current || stream->late || viewed->asked || viewed->sent == viewed->pushed);
    }
}

static void step(struct schedule *schedule)
{
    const uint32_t id = 1 + pick(VIEWED);
    switch (pick(8)) {
    case 0:
        if (schedule->gathering) {
            gathered(schedule);
        }
        schedule->gathering = pick(2);
        break;
    case 1:
        write_some(schedule, 1 + pick(6));
        break;
    case 2:
        if (schedule->writing && !schedule->gathering) {
            written(schedule);
        }
        break;
    default:
        push(schedule, id, schedule->viewed[id - 1].asked ? pick(2) : pick(6) == 0);
        break;
    }
}

static void drain(struct schedule *schedule)
{
    gathered(schedule);
    for (bool more = true; more;) {
        if (schedule->writing) {
            written(schedule);
        }
        write_some(schedule, 3);
        more = schedule->writing;
    }
}

static void nobody_is_sent_what_builds_on_what_they_were_not(void **state)
{
    (void)state;
    uint64_t nexts = 0, left_out = 0, gathered_count = 0, late = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        struct schedule schedule = {.gathering = false};
        chance = seed;
        for (uint32_t id = 1; id <= VIEWED; id++) {
            assert_true(net_streams_add(&schedule.streams, id));
        }
        for (uint32_t i = 0; i < 500; i++) {
            step(&schedule);
        }
        drain(&schedule);
        for (uint32_t id = 1; id <= VIEWED; id++) {
            const struct viewed *viewed = &schedule.viewed[id - 1];
            push(&schedule, id, true);
            drain(&schedule);
            // Everybody has the newest in the end, and was told of all that they have not.
            assert_int_equal(viewed->sent, viewed->made);
            assert_int_equal(viewed->sent_count + viewed->told, viewed->pushed_count);
        }
        nexts += schedule.nexts;
        left_out += schedule.left_out;
        gathered_count += schedule.gathered;
        late += schedule.late;
        net_streams_deinit(&schedule.streams);
    }
    assert_true(nexts > 1000 && left_out > 1000 && gathered_count > 1000 && late > 1000);
}

static void frames_go_as_far_as_credit_does(void **state)
{
    (void)state;
    struct net_streams streams = {0};
    assert_true(net_streams_add(&streams, 1));
    struct net_stream *stream = net_streams_find(&streams, 1);
    assert_true(net_stream_limit(stream, 2 * SIZE + 1));
    for (uint64_t moment = 1; moment <= 9; moment++) {
        net_stream_put(&streams, stream, batch(moment, true, false), false);
    }
    // One begins as long as there is any credit left.
    assert_int_equal(next(&streams), 1);
    assert_int_equal(next(&streams), 2);
    assert_int_equal(next(&streams), 3);
    assert_int_equal(next(&streams), 0);
    // A frame that was not sent cannot be acknowledged, in any form.
    static const uint32_t wrong[] = {
        4, 5, 9, 1000, INT32_MAX, (uint32_t)INT32_MAX + 1, UINT32_MAX - 1, UINT32_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(net_stream_ack(stream, wrong[i]));
        assert_int_equal(next(&streams), 0);
    }
    assert_true(net_stream_ack(stream, 0));
    assert_int_equal(next(&streams), 0);
    assert_true(net_stream_ack(stream, 2));
    assert_int_equal(stream->credit->unacked, SIZE);
    // Again, and one before: nothing is given twice.
    assert_true(net_stream_ack(stream, 2));
    assert_true(net_stream_ack(stream, 1));
    assert_int_equal(stream->credit->unacked, SIZE);
    assert_int_equal(next(&streams), 4);
    assert_int_equal(next(&streams), 5);
    assert_int_equal(next(&streams), 0);
    assert_true(net_stream_ack(stream, 5));
    assert_int_equal(stream->credit->unacked, 0);
    net_streams_deinit(&streams);
}

static void frames_that_are_not_acknowledged_are_bounded_by_their_number(void **state)
{
    (void)state;
    struct net_streams streams = {0};
    assert_true(net_streams_add(&streams, 1));
    struct net_stream *stream = net_streams_find(&streams, 1);
    assert_true(net_stream_limit(stream, SIZE_MAX));
    stream->seq = stream->credit->acked = UINT32_MAX - 700; // on beyond what the wire can say
    uint64_t sent = 0;
    for (uint64_t moment = 1; moment <= 2 * NET_UNACKED_MAX; moment++) {
        net_stream_put(&streams, stream, batch(moment, true, false), false);
    }
    while (next(&streams)) {
        sent++;
    }
    assert_int_equal(sent, NET_UNACKED_MAX);
    assert_false(net_stream_ack(stream, (uint32_t)(UINT32_MAX - 700 + NET_UNACKED_MAX + 1)));
    assert_true(net_stream_ack(stream, (uint32_t)(UINT32_MAX - 700 + (uint64_t)NET_UNACKED_MAX)));
    assert_int_equal(stream->credit->unacked, 0);
    while (next(&streams)) {
        sent++;
    }
    assert_int_equal(sent, 2 * NET_UNACKED_MAX);
    net_streams_deinit(&streams);
}

static void who_has_no_credit_left_is_passed_over(void **state)
{
    (void)state;
    struct net_streams streams = {0};
    assert_true(net_streams_add(&streams, 1) && net_streams_add(&streams, 2));
    struct net_stream *bound = net_streams_find(&streams, 1), *live = net_streams_find(&streams, 2);
    assert_true(net_stream_limit(bound, 1));
    for (uint64_t moment = 1; moment <= 3; moment++) {
        net_stream_put(&streams, bound, batch(moment, true, false), false);
        net_stream_put(&streams, live, batch(100 + moment, true, false), false);
    }
    uint64_t sum = 0, moment;
    while ((moment = next(&streams)) != 0) {
        sum += moment;
    }
    assert_int_equal(sum, 1 + 101 + 102 + 103);
    // A live one is acknowledged as well, for what that is worth.
    assert_true(net_stream_ack(live, 3));
    assert_false(net_stream_ack(live, 4));
    assert_true(net_stream_ack(bound, 1));
    assert_int_equal(next(&streams), 2);
    // It ends in the middle of what waits.
    net_streams_close(&streams, 1);
    assert_null(net_streams_find(&streams, 1));
    net_streams_deinit(&streams);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_may_be_left_out_is_replaced),
        cmocka_unit_test(what_comes_before_a_write_leaves_with_it),
        cmocka_unit_test(a_stream_ends_when_what_leaves_has_left),
        cmocka_unit_test(what_may_not_waits_in_its_order),
        cmocka_unit_test(what_begins_anew_takes_the_place_of_all_that_wait),
        cmocka_unit_test(what_builds_on_another_follows_it_or_is_a_key),
        cmocka_unit_test(what_leaves_together_builds_on_each_other),
        cmocka_unit_test(nobody_is_sent_what_builds_on_what_they_were_not),
        cmocka_unit_test(frames_go_as_far_as_credit_does),
        cmocka_unit_test(frames_that_are_not_acknowledged_are_bounded_by_their_number),
        cmocka_unit_test(who_has_no_credit_left_is_passed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
