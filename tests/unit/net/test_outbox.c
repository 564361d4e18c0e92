// Writing: slow peers, frames and replies on one connection, streams that end, connections that end.
#include "helper_fixture.h"

#include "base/assert.h"
#include "base/clock.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct fixture fixture;

static void call_open_stream(struct fixture *all, void *argument)
{
    uint32_t stream = *(uint32_t *)argument;
    BASE_ASSERT(net_conn_stream_open(all->peers[0].conn, stream));
    BASE_ASSERT(!net_conn_stream_open(all->peers[0].conn, stream));
}

static void call_close_stream(struct fixture *all, void *argument)
{
    net_conn_stream_close(all->peers[0].conn, *(uint32_t *)argument);
}

static void call_push(struct fixture *all, void *argument)
{
    const struct fixture_batch *shape = argument;
    struct base_batch *batch = fixture_batch_create(shape);
    BASE_ASSERT(batch);
    net_conn_stream_push(all->peers[0].conn, batch);
}

static void call_say(struct fixture *all, void *argument)
{
    struct base_buffer *text = fixture_text(*(size_t *)argument, 't');
    net_conn_send(all->peers[0].conn, text);
    base_buffer_unref(text);
}

// Argument: the stream, and then its moment.
static void call_moment(struct fixture *all, void *argument)
{
    uint64_t *number = argument;
    *number = net_conn_stream_moment(all->peers[0].conn, (uint32_t)*number);
}

static void say(size_t size)
{
    fixture_call(&fixture, call_say, &size);
}

static void push(const struct fixture_batch *shape)
{
    fixture_call(&fixture, call_push, (void *)shape);
}

// A peer with stream 1 (and 2, ...) open. Its kernel takes little, so that what it does not read stays here.
static int connect_with_streams(uint32_t count)
{
    int fd = client_connect(&fixture);
    fixture_wait_peers(&fixture, 1);
    for (uint32_t stream = 1; stream <= count; stream++) {
        fixture_call(&fixture, call_open_stream, &stream);
    }
    return fd;
}

static bool next_is_frame(struct client_reader *reader, size_t *size, struct client_frame *frame)
{
    const uint8_t *message = client_reader_next(reader, size);
    assert_non_null(message);
    return client_frame_parse(message, *size, frame);
}

// Until nothing more goes out, since the peer does not read.
static struct net_stats wait_until_stuck(void)
{
    struct net_stats before = fixture_stats(&fixture);
    for (uint32_t quiet = 0; quiet < 20;) {
        usleep(10000);
        struct net_stats now = fixture_stats(&fixture);
        quiet = now.bytes_out == before.bytes_out ? quiet + 1 : 0;
        before = now;
    }
    return before;
}

// ---------------------------------------------------------------------------------------------------------
// Slow peers

static void a_peer_that_never_reads_holds_two_batches(void **state)
{
    (void)state;
    enum { PUSHED = 1000, FRAMES = 3, PART = 200000 };
    fixture_start(&fixture, NULL);
    int fd = connect_with_streams(1);
    struct base_budget *budget = base_budget_create(SIZE_MAX / 2);
    struct fixture_batch shape = {
        .stream = 1, .frames = FRAMES, .parts = 1, .chunks = 3, .part_size = PART, .budget = budget};
    for (uint32_t i = 0; i < PUSHED; i++) {
        shape.first = 1 + i * FRAMES;
        shape.moment = i + 1;
        push(&shape);
        assert_true(base_budget_used(budget) <= 2 * FRAMES * PART);
    }
    wait_until_stuck();
    assert_true(base_budget_used(budget) > FRAMES * PART);
    uint64_t oldest = 1;
    fixture_call(&fixture, call_moment, &oldest);
    assert_true(oldest > 0 && oldest < PUSHED);
    assert_true(fixture.peers[0].lagged > 0);

    // It reads after all. What was left out is told by the frame behind the gap, to the last one.
    struct client_reader reader;
    client_reader_init(&reader, fd);
    uint64_t delivered = 0;
    uint64_t dropped = 0;
    uint32_t number = 0;
    while (number < PUSHED * FRAMES) {
        size_t size = 0;
        const uint8_t *message = client_reader_next(&reader, &size);
        assert_non_null(message);
        assert_int_equal(size, PART);
        struct client_frame frame;
        assert_true(client_frame_parse(message, size, &frame));
        delivered++;
        dropped += frame.dropped;
        assert_int_equal(frame.seq, delivered);
        assert_int_equal(frame.number, number + 1 + frame.dropped); // the gap is what it says
        assert_int_equal(frame.dropped % FRAMES, 0);                // batches go whole
        number = frame.number;
    }
    assert_int_equal(delivered + dropped, PUSHED * FRAMES);
    assert_true(dropped > 0);
    client_reader_deinit(&reader);
    close(fd);
    fixture_wait_closed(&fixture, 1);
    struct net_stats stats = fixture_stats(&fixture);
    assert_int_equal(stats.frames_sent, delivered);
    assert_int_equal(stats.frames_dropped, dropped);
    assert_int_equal(fixture.peers[0].lagged, dropped);
    assert_int_equal(base_budget_used(budget), 0);
    base_budget_release(budget);
    fixture_stop(&fixture);
}

// ---------------------------------------------------------------------------------------------------------
// Replies between parts

static void a_reply_overtakes_the_parts_of_a_frame(void **state)
{
    (void)state;
    enum { PARTS = 60, PART = 256 * 1024 };
    fixture_start(&fixture, NULL);
    int fd = connect_with_streams(1);
    // A finish has two seconds: this end holds little, so that a slow machine reads it in time.
    const int held = 65536;
    assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &held, sizeof held), 0);
    const struct fixture_batch shape = {
        .stream = 1, .first = 1, .frames = 2, .parts = PARTS, .chunks = 5, .part_size = PART, .moment = 1};
    push(&shape);
    struct net_stats stuck = wait_until_stuck();
    // A WebSocket has the handshake's answer before all parts, and a header of ten bytes in front of each.
    uint64_t written = stuck.bytes_out / PART;
    assert_int_equal(stuck.bytes_out % PART,
                     fixture_over_websocket ? FIXTURE_HANDSHAKE_SIZE + 10 * written : 0);
    assert_true(written < 2 * PARTS - 3);
    say(100);
    say(200);

    struct client_reader reader;
    client_reader_init(&reader, fd);
    uint64_t parts = 0;
    uint32_t texts = 0;
    while (parts < 2 * PARTS || texts < 2) {
        size_t size = 0;
        const uint8_t *message = client_reader_next(&reader, &size);
        assert_non_null(message);
        struct client_frame frame;
        if (client_frame_parse(message, size, &frame)) {
            // All parts of a frame have its number and its seq, and nothing was dropped.
            assert_int_equal(frame.number, 1 + parts / PARTS);
            assert_int_equal(frame.seq, frame.number);
            assert_int_equal(frame.dropped, 0);
            parts++;
        } else {
            assert_int_equal(parts, written + 1); // the one under way, and no other
            texts++;
            assert_int_equal(size, 100 * texts);
        }
    }
    client_reader_deinit(&reader);
    close(fd);
    fixture_stop(&fixture);
}

static void frames_get_their_turn_in_a_flood_of_replies(void **state)
{
    (void)state;
    fixture_start(&fixture, NULL);
    int fd = connect_with_streams(1);
    // The connection is stuck with one big reply; behind it wait far more replies than one write takes.
    say(20 << 20);
    wait_until_stuck();
    for (int i = 0; i < 1000; i++) {
        say(10);
    }
    const struct fixture_batch shape = {
        .stream = 1, .first = 1, .frames = 4, .parts = 1, .chunks = 1, .part_size = 1000, .moment = 1};
    push(&shape);
    struct client_reader reader;
    client_reader_init(&reader, fd);
    uint32_t texts = 0;
    uint32_t frames = 0;
    while (texts < 1001) {
        size_t size = 0;
        const uint8_t *message = client_reader_next(&reader, &size);
        struct client_frame frame;
        if (client_frame_parse(message, size, &frame)) {
            frames++;
        } else {
            texts++;
        }
        if (texts == 600) {
            assert_int_equal(frames, 4);
        }
    }
    client_reader_deinit(&reader);
    close(fd);
    fixture_stop(&fixture);
}

// Argument: how many batches of one small frame come in one turn, and then a text.
static void call_gather(struct fixture *all, void *argument)
{
    struct fixture_batch shape = {.stream = 1, .frames = 1, .parts = 1, .chunks = 3, .part_size = 300};
    net_loop_gather(all->loop);
    for (uint32_t i = 1; i <= *(uint32_t *)argument; i++) {
        shape.first = i;
        shape.moment = i;
        call_push(all, &shape);
    }
    size_t size = 100;
    call_say(all, &size);
    net_loop_gathered(all->loop);
}

static void what_one_turn_gives_leaves_together(void **state)
{
    (void)state;
    uint32_t count = 40;
    fixture_start(&fixture, NULL);
    int fd = connect_with_streams(1);
    fixture_call(&fixture, call_gather, &count);
    struct client_reader reader;
    client_reader_init(&reader, fd);
    size_t size = 0;
    assert_non_null(client_reader_next(&reader, &size));
    assert_int_equal(size, 100); // control first, though it came last
    for (uint32_t i = 1; i <= count; i++) {
        struct client_frame frame;
        assert_true(next_is_frame(&reader, &size, &frame));
        assert_int_equal(frame.number, i);
        assert_int_equal(frame.seq, i);
        assert_int_equal(frame.dropped, 0);
    }
    assert_int_equal(fixture.peers[0].lagged, 0);
    client_reader_deinit(&reader);
    close(fd);
    fixture_stop(&fixture);
}

static bool is_moving(struct fixture *all, void *argument)
{
    (void)argument;
    return all->peers[0].moving == 1;
}

static void a_blocked_peer_gets_the_newest_of_a_turn_and_is_heard_of_when_it_reads(void **state)
{
    (void)state;
    uint32_t count = 40;
    fixture_start(&fixture, NULL);
    int fd = connect_with_streams(1);
    const struct fixture_batch large = {
        .stream = 1, .first = 1000, .frames = 1, .parts = 1, .chunks = 1, .part_size = 20 << 20, .moment = 1};
    push(&large);
    wait_until_stuck();
    fixture_call(&fixture, call_gather, &count);
    assert_int_equal(fixture.peers[0].lagged, count - 1);
    assert_true(fixture.peers[0].blocked);
    struct client_reader reader;
    client_reader_init(&reader, fd);
    size_t size = 0;
    struct client_frame frame;
    assert_true(next_is_frame(&reader, &size, &frame));
    assert_int_equal(frame.number, 1000);
    assert_non_null(client_reader_next(&reader, &size));
    assert_true(next_is_frame(&reader, &size, &frame));
    assert_int_equal(frame.number, count);
    assert_int_equal(frame.dropped, count - 1);
    fixture_wait(&fixture, is_moving, NULL);
    client_reader_deinit(&reader);
    close(fd);
    fixture_wait_closed(&fixture, 1);
    fixture_stop(&fixture);
}

enum { KEY = 1u << 31 }; // in the number of a frame that stands alone

// A source of frames that each build on the one before. Argument of call_burst.
struct source {
    uint32_t made, heard; // frames; times that it was asked for a key
    uint32_t state;
    uint32_t keys, blocked; // frames with one; frames at which the peer was in the way
};

static uint32_t pick(struct source *source, uint32_t below)
{
    source->state = source->state * 1664525 + 1013904223;
    return (source->state >> 16) % below;
}

static void push_next(struct fixture *all, struct source *source, bool key)
{
    struct fixture_batch shape = {.stream = 1, .first = ++source->made, .frames = 1, .parts = 1, .chunks = 2};
    shape.part_size = pick(source, 4) == 0 ? 100000 + pick(source, 100000) : 500 + pick(source, 20000);
    shape.moment = source->made;
    struct base_batch *batch = fixture_batch_create(&shape);
    batch->frames[0]->number = source->made;
    batch->frames[0]->builds_on = source->made - 1;
    if (key) {
        shape.first |= KEY;
        struct base_batch *alone = fixture_batch_create(&shape);
        batch->frames[0]->key = base_frame_ref(alone->frames[0]);
        batch->frames[0]->key->number = source->made;
        base_batch_destroy(alone);
        source->keys++;
    }
    const uint64_t before = all->peers[0].lagged;
    net_conn_stream_push(all->peers[0].conn, batch);
    source->blocked += all->peers[0].lagged > before && all->peers[0].blocked;
}

// A turn: some batches, in one write or not.
static void call_burst(struct fixture *all, void *argument)
{
    struct source *source = argument;
    const bool gathers = pick(source, 3) > 0;
    if (gathers) {
        net_loop_gather(all->loop);
    }
    for (uint32_t left = 1 + pick(source, 5); left > 0; left--) {
        const bool asked = source->heard != all->peers[0].behind && pick(source, 2);
        source->heard = asked ? all->peers[0].behind : source->heard;
        push_next(all, source, asked || source->made == 0 || pick(source, 10) == 0);
    }
    if (gathers) {
        net_loop_gathered(all->loop);
    }
}

static void call_key(struct fixture *all, void *argument)
{
    push_next(all, argument, true);
}

// Reads frames up to the text of this size, or the frame of that number; returns how many.
static uint32_t read_building(struct client_reader *reader, size_t text, uint32_t until, uint32_t *last,
                              uint32_t *told)
{
    uint32_t count = 0;
    for (;;) {
        size_t size = 0;
        struct client_frame frame;
        if (!next_is_frame(reader, &size, &frame)) {
            assert_int_equal(size, text);
            return count;
        }
        const uint32_t number = frame.number & ~(uint32_t)KEY;
        assert_true(number > *last);
        assert_true((frame.number & KEY) || number == *last + 1);
        assert_int_equal(frame.dropped, number - *last - 1);
        *last = number;
        *told += frame.dropped;
        count++;
        if (number == until) {
            return count;
        }
    }
}

static void whoever_reads_can_build_on_what_it_was_sent(void **state)
{
    (void)state;
    struct source source = {.state = 7};
    fixture_start(&fixture, NULL);
    int fd = connect_with_streams(1);
    struct client_reader reader;
    client_reader_init(&reader, fd);
    uint32_t last = 0, told = 0, count = 0;
    for (uint32_t round = 0; round < 60; round++) {
        for (uint32_t bursts = 1 + round % 12; bursts > 0; bursts--) {
            fixture_call(&fixture, call_burst, &source);
        }
        say(200);
        count += read_building(&reader, 200, 0, &last, &told);
    }
    fixture_call(&fixture, call_key, &source);
    count += read_building(&reader, 0, source.made, &last, &told);
    assert_int_equal(count + told, source.made);
    assert_true(count > source.keys / 2 && told > 0 && fixture.peers[0].behind > 0);
    assert_true(source.blocked > 0);
    client_reader_deinit(&reader);
    close(fd);
    fixture_stop(&fixture);
}

static void streams_take_turns(void **state)
{
    (void)state;
    enum { STREAMS = 3, PARTS = 20, PART = 200000 };
    fixture_start(&fixture, NULL);
    int fd = connect_with_streams(STREAMS);
    say(20 << 20);
    wait_until_stuck();
    for (uint32_t stream = 1; stream <= STREAMS; stream++) {
        const struct fixture_batch shape = {.stream = stream,
                                            .first = stream,
                                            .frames = 1,
                                            .parts = PARTS,
                                            .chunks = 2,
                                            .part_size = PART,
                                            .moment = 10 - stream};
        push(&shape);
    }
    for (uint32_t stream = 1; stream <= STREAMS + 1; stream++) {
        uint64_t moment = stream;
        fixture_call(&fixture, call_moment, &moment);
        assert_true(moment == (stream <= STREAMS ? 10 - stream : UINT64_MAX));
    }
    // Streams that come and go beside them change nothing.
    for (uint32_t stream = 100; stream < 110; stream++) {
        fixture_call(&fixture, call_open_stream, &stream);
    }
    for (uint32_t stream = 100; stream < 110; stream++) {
        fixture_call(&fixture, call_close_stream, &stream);
    }
    struct client_reader reader;
    client_reader_init(&reader, fd);
    size_t size = 0;
    assert_non_null(client_reader_next(&reader, &size));
    for (uint32_t part = 0; part < STREAMS * PARTS; part++) {
        struct client_frame frame;
        const uint8_t *message = client_reader_next(&reader, &size);
        assert_true(client_frame_parse(message, size, &frame));
        assert_int_equal(frame.stream, part % STREAMS + 1);
        assert_int_equal(frame.seq, 1); // each counts its own
    }
    client_reader_deinit(&reader);
    close(fd);
    fixture_stop(&fixture);
}

static void a_part_of_more_chunks_than_one_system_call_takes_arrives_whole(void **state)
{
    (void)state;
    fixture_start(&fixture, NULL);
    int fd = connect_with_streams(1);
    const struct fixture_batch shape = {
        .stream = 1, .first = 7, .frames = 2, .parts = 2, .chunks = 5000, .part_size = 250000, .moment = 1};
    push(&shape);
    struct client_reader reader;
    client_reader_init(&reader, fd);
    for (uint32_t part = 0; part < 4; part++) {
        size_t size = 0;
        const uint8_t *message = client_reader_next(&reader, &size);
        struct client_frame frame;
        assert_true(client_frame_parse(message, size, &frame));
        assert_int_equal(size, 250000);
        assert_int_equal(frame.number, 7 + part / 2);
    }
    client_reader_deinit(&reader);
    close(fd);
    fixture_stop(&fixture);
}

static bool has_drained(struct fixture *all, void *argument)
{
    return all->peers[0].drained == *(uint32_t *)argument;
}

struct unsent {
    size_t mark, bytes;
    uint32_t drained;
};

static void call_unsent(struct fixture *all, void *argument)
{
    struct unsent *unsent = argument;
    unsent->drained = all->peers[0].drained;
    unsent->bytes = net_conn_unsent(all->peers[0].conn);
    net_conn_drain_mark(all->peers[0].conn, unsent->mark);
}

static void draining_to_the_mark_is_told(void **state)
{
    (void)state;
    fixture_start(&fixture, NULL);
    int fd = connect_with_streams(0);
    struct unsent unsent = {.mark = 1000};
    fixture_call(&fixture, call_unsent, &unsent);
    assert_int_equal(unsent.bytes, 0);
    say(20 << 20);
    say(5000);
    fixture_call(&fixture, call_unsent, &unsent);
    assert_int_equal(unsent.bytes, (20 << 20) + 5000);
    assert_int_equal(unsent.drained, 0);
    struct client_reader reader;
    client_reader_init(&reader, fd);
    size_t size = 0;
    assert_non_null(client_reader_next(&reader, &size));
    assert_non_null(client_reader_next(&reader, &size));
    uint32_t once = 1;
    fixture_wait(&fixture, has_drained, &once);
    fixture_call(&fixture, call_unsent, &unsent);
    assert_int_equal(unsent.bytes, 0);
    say(500); // never above the mark: nothing to tell
    assert_non_null(client_reader_next(&reader, &size));
    assert_int_equal(size, 500);
    say(5000);
    assert_non_null(client_reader_next(&reader, &size));
    assert_int_equal(size, 5000);
    uint32_t twice = 2;
    fixture_wait(&fixture, has_drained, &twice);
    client_reader_deinit(&reader);
    close(fd);
    fixture_stop(&fixture);
}

// ---------------------------------------------------------------------------------------------------------
// Ends

static void a_closed_stream_completes_the_frame_that_has_begun(void **state)
{
    (void)state;
    enum { PARTS = 60, PART = 250000 };
    fixture_start(&fixture, NULL);
    int fd = connect_with_streams(1);
    struct base_budget *budget = base_budget_create(SIZE_MAX / 2);
    struct fixture_batch shape = {.stream = 1,
                                  .first = 1,
                                  .frames = 3,
                                  .parts = PARTS,
                                  .chunks = 2,
                                  .part_size = PART,
                                  .moment = 1,
                                  .budget = budget};
    push(&shape);
    wait_until_stuck();
    shape.first = 4;
    push(&shape);
    assert_true(base_budget_used(budget) > 5 * PARTS * (PART - 64));
    uint32_t stream = 1;
    fixture_call(&fixture, call_close_stream, &stream);
    assert_true(base_budget_used(budget) <= PARTS * PART); // only the one that has begun
    shape.first = 7;
    push(&shape); // of no effect
    assert_true(base_budget_used(budget) <= PARTS * PART);

    struct client_reader reader;
    client_reader_init(&reader, fd);
    size_t size = 0;
    for (uint32_t part = 0; part < PARTS; part++) {
        struct client_frame frame;
        const uint8_t *message = client_reader_next(&reader, &size);
        assert_true(client_frame_parse(message, size, &frame));
        assert_int_equal(frame.number, 1);
    }
    say(100);
    struct client_frame frame;
    assert_false(next_is_frame(&reader, &size, &frame));
    assert_int_equal(size, 100);
    assert_int_equal(base_budget_used(budget), 0);
    fixture_call(&fixture, call_close_stream, &stream); // of no effect
    client_reader_deinit(&reader);
    close(fd);
    base_budget_release(budget);
    fixture_stop(&fixture);
}

static void call_cut(struct fixture *all, void *argument)
{
    (void)argument;
    net_conn_cut(all->peers[0].conn, NET_END_POLICY, "enough");
    BASE_ASSERT(all->peers[0].closed == 0);
    BASE_ASSERT(net_conn_stream_moment(all->peers[0].conn, 1) == 2); // still pointed at by the write
}

static void a_cut_in_the_middle_of_a_write_frees_everything(void **state)
{
    (void)state;
    fixture_start(&fixture, NULL);
    int fd = connect_with_streams(3);
    struct base_budget *budget = base_budget_create(SIZE_MAX / 2);
    for (uint32_t stream = 1; stream <= 3; stream++) {
        for (uint32_t i = 1; i <= 3; i++) {
            const struct fixture_batch shape = {.stream = stream,
                                                .first = i,
                                                .frames = 2,
                                                .parts = 40,
                                                .chunks = 4,
                                                .part_size = 250000,
                                                .moment = 1 + i * stream,
                                                .budget = budget};
            push(&shape);
        }
    }
    wait_until_stuck();
    say(100);
    assert_true(base_budget_used(budget) > 0);
    fixture_call(&fixture, call_cut, NULL);
    fixture_wait_closed(&fixture, 1);
    assert_int_equal(base_budget_used(budget), 0);
    assert_string_equal(fixture.peers[0].reason, "enough");
    base_budget_release(budget);
    close(fd);
    fixture_stop(&fixture);
}

static void call_finish(struct fixture *all, void *argument)
{
    (void)argument;
    net_conn_finish(all->peers[0].conn, NET_END_NORMAL, "done");
}

static void a_finish_sends_replies_and_no_more_frames(void **state)
{
    (void)state;
    enum { PARTS = 60, PART = 256 * 1024 };
    fixture_start(&fixture, NULL);
    int fd = connect_with_streams(1);
    const struct fixture_batch shape = {
        .stream = 1, .first = 1, .frames = 2, .parts = PARTS, .chunks = 2, .part_size = PART, .moment = 1};
    push(&shape);
    uint64_t written = wait_until_stuck().bytes_out / PART;
    say(300);
    fixture_call(&fixture, call_finish, NULL);
    push(&shape); // of no effect
    struct client_reader reader;
    client_reader_init(&reader, fd);
    size_t size = 0;
    struct client_frame frame;
    for (uint64_t part = 0; part < written + 1; part++) {
        assert_true(next_is_frame(&reader, &size, &frame));
    }
    assert_false(next_is_frame(&reader, &size, &frame));
    assert_int_equal(size, 300);
    assert_null(client_reader_next(&reader, &size));
    client_reader_deinit(&reader);
    close(fd);
    fixture_wait_closed(&fixture, 1);
    assert_string_equal(fixture.peers[0].reason, "done");
    fixture_stop(&fixture);
}

static void a_peer_that_vanishes_while_written_to_is_noticed(void **state)
{
    (void)state;
    fixture_start(&fixture, NULL);
    int fd = connect_with_streams(1);
    struct base_budget *budget = base_budget_create(SIZE_MAX / 2);
    const struct fixture_batch shape = {.stream = 1,
                                        .first = 1,
                                        .frames = 1,
                                        .parts = 100,
                                        .chunks = 2,
                                        .part_size = 250000,
                                        .moment = 1,
                                        .budget = budget};
    push(&shape);
    say(20 << 20);
    wait_until_stuck();
    client_reset(fd);
    fixture_wait_closed(&fixture, 1);
    assert_int_equal(base_budget_used(budget), 0);
    assert_string_equal(fixture.peers[0].reason, "connection reset by peer");
    base_budget_release(budget);
    fixture_stop(&fixture);
}

// Everything holds for a WebSocket as it does for a bare stream.
static int over_websocket(void **state)
{
    (void)state;
    fixture_over_websocket = true;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_peer_that_never_reads_holds_two_batches),
        cmocka_unit_test(a_reply_overtakes_the_parts_of_a_frame),
        cmocka_unit_test(frames_get_their_turn_in_a_flood_of_replies),
        cmocka_unit_test(what_one_turn_gives_leaves_together),
        cmocka_unit_test(a_blocked_peer_gets_the_newest_of_a_turn_and_is_heard_of_when_it_reads),
        cmocka_unit_test(whoever_reads_can_build_on_what_it_was_sent),
        cmocka_unit_test(streams_take_turns),
        cmocka_unit_test(a_part_of_more_chunks_than_one_system_call_takes_arrives_whole),
        cmocka_unit_test(draining_to_the_mark_is_told),
        cmocka_unit_test(a_closed_stream_completes_the_frame_that_has_begun),
        cmocka_unit_test(a_cut_in_the_middle_of_a_write_frees_everything),
        cmocka_unit_test(a_finish_sends_replies_and_no_more_frames),
        cmocka_unit_test(a_peer_that_vanishes_while_written_to_is_noticed),
    };
    int failed = cmocka_run_group_tests_name("bare stream", tests, NULL, NULL);
    return failed + cmocka_run_group_tests_name("WebSocket", tests, over_websocket, NULL);
}
