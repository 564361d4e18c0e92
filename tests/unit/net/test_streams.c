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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_may_be_left_out_is_replaced),
        cmocka_unit_test(what_may_not_waits_in_its_order),
        cmocka_unit_test(what_begins_anew_takes_the_place_of_all_that_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
