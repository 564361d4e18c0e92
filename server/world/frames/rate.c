// Decides how often a stream gets frames if it adapts, or if its frames are too much work.
//
//     slow, but not within least_ns after a change    every * 2     its client could not take what it was sent,
//                                                                   or its person asks for more work than is
//                                                                   allowed (effort.h)
//     calm for calm_ns                                every / 2
//     slow within calm_ns after that                  calm_ns * 2   so that a stream on the edge is seldom pushed over it
//
// Rates are powers of two times what was asked for, counted from the world's start. So streams that adapt
// still want the same moments, for which one frame is made for all. For delta, each rate is one tier.
#include "world/frames/rate.h"

#include "world/frames/stream.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t least_ns = UINT64_C(250000000);
static const uint64_t calm_least_ns = UINT64_C(1000000000), calm_most_ns = UINT64_C(16000000000);

void world_rate_slow(struct world_stream *stream)
{
    stream->rate.slow = stream->rate.slow || stream->rate.adapts;
}

void world_rate_costly(struct world_stream *stream)
{
    stream->rate.slow = true;
}

// Moves a stream whose frames build on the one before to the selection of its new rate. False: it stays where it is.
static bool selection_change(struct world_streams *streams, struct world_stream *stream, uint32_t every)
{
    struct world_selection *old = stream->selection, *selection;
    struct world_stream_options options = old->options;
    if (!world_stream_chained(&options)) {
        return true;
    }
    options.every = every;
    options.bodies = NULL;
    if (options.body_count > 0) {
        options.bodies = malloc(options.body_count * sizeof *options.bodies);
        if (!options.bodies) {
            return false;
        }
        memcpy(options.bodies, old->options.bodies, options.body_count * sizeof *options.bodies);
    }
    if (world_streams_full(streams, stream->session, &options, old)) {
        free(options.bodies);
        return false;
    }
    selection = world_selection_get(streams, &options);
    if (!selection) {
        return false;
    }
    selection->work = selection->work > 0 ? selection->work : old->work;
    world_stream_select(streams, stream, selection);
    return true;
}

static void change(struct world_streams *streams, struct world_stream *stream, uint32_t shift,
                   uint64_t now_ns)
{
    struct world_rate *rate = &stream->rate;
    const uint32_t every = rate->asked << shift; // at most 10⁶ · 64
    if (selection_change(streams, stream, every)) {
        rate->raised = shift < rate->shift;
        rate->shift = shift;
        rate->tells = true;
        stream->every = every;
    }
    rate->changed_ns = now_ns;
}

static void look(struct world_streams *streams, struct world_stream *stream, uint64_t now_ns)
{
    struct world_rate *rate = &stream->rate;
    const uint64_t for_ns = now_ns - rate->changed_ns;
    if (rate->calm_ns == 0) {
        rate->calm_ns = calm_least_ns;
    }
    if (rate->slow) {
        rate->slow = false;
        rate->slow_ns = now_ns;
        if (rate->changed_ns != 0 && for_ns < least_ns) {
            return; // frames from before the change may still be in the way
        }
        const bool soon = rate->raised && for_ns < rate->calm_ns;
        rate->calm_ns = !soon                          ? calm_least_ns
                        : rate->calm_ns < calm_most_ns ? 2 * rate->calm_ns
                                                       : calm_most_ns;
        if (rate->shift < WORLD_RATE_SHIFT_MAX) {
            change(streams, stream, rate->shift + 1, now_ns);
        }
        return;
    }
    const uint64_t since_ns = rate->slow_ns > rate->changed_ns ? rate->slow_ns : rate->changed_ns;
    if (rate->shift > 0 && now_ns - since_ns >= rate->calm_ns) {
        change(streams, stream, rate->shift - 1, now_ns);
    }
}

void world_rate_turn(struct world_streams *streams, uint64_t now_ns)
{
    for (uint32_t i = 0; i < streams->count; i++) {
        const struct world_rate *rate = &streams->items[i].rate;
        if (rate->adapts || rate->slow || rate->shift > 0) {
            look(streams, &streams->items[i], now_ns);
        }
    }
}
