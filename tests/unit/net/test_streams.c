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
    assert_int_equal(net_stream_put(stream, batch(1, false, false), false), 0);
    assert_int_equal(net_stream_put(stream, batch(2, false, false), false), 0);
    assert_int_equal(net_stream_put(stream, batch(3, false, false), false), 1);
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
        assert_int_equal(net_stream_put(stream, batch(moment, false, false), true), 0);
    }
    begin_all(&streams);
    assert_int_equal(stream->current->moment, 3);
    assert_int_equal(net_stream_moment(stream), 1); // held until it is written
    // While it is written newer ones take each other's place.
    assert_int_equal(net_stream_put(stream, batch(4, false, false), false), 0);
    assert_int_equal(net_stream_put(stream, batch(5, false, false), false), 1);
    assert_int_equal(net_streams_written(&streams), 3);
    assert_int_equal(net_stream_moment(stream), 5);
    assert_int_equal(stream->current->dropped, 1);
    // And where they are too much together, what was left out is all of them.
    for (uint64_t moment = 6; moment < 6 + GATHERED; moment++) {
        assert_int_equal(net_stream_put(stream, batch(moment, false, false), true), 0);
    }
    assert_int_equal(net_stream_put(stream, batch(9000, false, false), true), GATHERED);
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
            net_stream_put(stream, batch(moment, false, false), true);
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
    net_stream_put(net_streams_find(&streams, 1), batch(1, false, false), true);
    net_stream_put(net_streams_find(&streams, 1), batch(2, false, false), true);
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
            assert_int_equal(net_stream_put(stream, batch(moment, true, moment == 1), false), 0);
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
        net_stream_put(stream, batch(moment, true, false), false);
    }
    net_stream_put(stream, batch(6, true, true), false);
    assert_int_equal(stream->waiting_bytes, 0); // an image does not count, nor what is gone
    net_stream_put(stream, batch(7, true, false), false);
    assert_int_equal(stream->waiting_bytes, SIZE);
    assert_int_equal(next(&streams), 1);
    assert_int_equal(next(&streams), 6);
    net_stream_put(stream, batch(8, true, false), false);
    assert_int_equal(next(&streams), 7);
    assert_int_equal(next(&streams), 8);
    // A stream that ends lets go of all.
    for (uint64_t moment = 1; moment <= 5; moment++) {
        net_stream_put(stream, batch(moment, true, false), false);
    }
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
