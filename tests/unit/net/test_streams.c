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
    assert_int_equal(net_stream_put(&streams, stream, batch(1, false, false)), 0);
    assert_int_equal(net_stream_put(&streams, stream, batch(2, false, false)), 0);
    assert_int_equal(net_stream_put(&streams, stream, batch(3, false, false)), 1);
    assert_int_equal(stream->waiting_bytes, 0);
    assert_int_equal(next(&streams), 1);
    assert_int_equal(next(&streams), 3);
    assert_int_equal(next(&streams), 0);
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
            assert_int_equal(net_stream_put(&streams, stream, batch(moment, true, moment == 1)), 0);
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
        net_stream_put(&streams, stream, batch(moment, true, false));
    }
    net_stream_put(&streams, stream, batch(6, true, true));
    assert_int_equal(stream->waiting_bytes, 0); // an image does not count, nor what is gone
    net_stream_put(&streams, stream, batch(7, true, false));
    assert_int_equal(stream->waiting_bytes, SIZE);
    assert_int_equal(next(&streams), 1);
    assert_int_equal(next(&streams), 6);
    net_stream_put(&streams, stream, batch(8, true, false));
    assert_int_equal(next(&streams), 7);
    assert_int_equal(next(&streams), 8);
    // A stream that ends lets go of all.
    for (uint64_t moment = 1; moment <= 5; moment++) {
        net_stream_put(&streams, stream, batch(moment, true, false));
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
    assert_int_equal(net_stream_put(&streams, stream, building(2, 1, false)), 1);
    assert_int_equal(net_streams_behind(&streams), 1);
    assert_int_equal(net_streams_behind(&streams), 0);
    assert_int_equal(net_stream_put(&streams, stream, building(3, 2, true)), 0);
    assert_begun(begin(&streams), 3, false, 1);
    // While it is written the next waits, and what builds on that finds no place: it stays.
    assert_int_equal(net_stream_put(&streams, stream, building(4, 3, false)), 0);
    assert_int_equal(net_stream_put(&streams, stream, building(5, 4, false)), 1);
    assert_int_equal(net_streams_behind(&streams), 0);
    net_streams_written(&streams);
    assert_int_equal(net_streams_behind(&streams), 1); // what waited is the last that can be sent
    assert_begun(begin(&streams), 4, true, 0);
    assert_int_equal(net_stream_put(&streams, stream, building(6, 5, false)), 1);
    assert_int_equal(net_streams_behind(&streams), 1);
    // A key takes the place of what waits, and of the key before it.
    assert_int_equal(net_stream_put(&streams, stream, building(7, 6, true)), 0);
    assert_int_equal(net_stream_put(&streams, stream, building(8, 7, true)), 1);
    assert_int_equal(net_streams_behind(&streams), 0);
    net_streams_written(&streams);
    assert_int_equal(net_streams_behind(&streams), 0);
    assert_begun(begin(&streams), 8, false, 3);
    net_streams_written(&streams);
    // From then on as if nothing had been.
    assert_int_equal(net_stream_put(&streams, stream, building(9, 8, true)), 0);
    assert_begun(begin(&streams), 9, true, 0);
    net_streams_written(&streams);
    // What builds on nothing breaks the row.
    assert_int_equal(net_stream_put(&streams, stream, batch(10, false, false)), 0);
    assert_begun(begin(&streams), 0, false, 0);
    net_streams_written(&streams);
    assert_int_equal(net_stream_put(&streams, stream, building(10, 9, false)), 1);
    assert_int_equal(net_streams_behind(&streams), 1);
    assert_int_equal(stream->dropped_total, 5);
    net_streams_deinit(&streams);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_may_be_left_out_is_replaced),
        cmocka_unit_test(what_may_not_waits_in_its_order),
        cmocka_unit_test(what_begins_anew_takes_the_place_of_all_that_wait),
        cmocka_unit_test(what_builds_on_another_follows_it_or_is_a_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
