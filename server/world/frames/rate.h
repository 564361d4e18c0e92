// Decides how often a stream gets frames. A stream that adapts gets as many as its client can take. Any other
// gets as many as its person's share of the work allows. Neither gets more than it asked for. Simulation
// thread.
#ifndef WEFT_WORLD_RATE_H
#define WEFT_WORLD_RATE_H

#include <stdbool.h>
#include <stdint.h>

struct world_stream;
struct world_streams;

enum { WORLD_RATE_SHIFT_MAX = 6 };

// The rate of one stream, whose `every` is asked · 2^shift.
struct world_rate {
    bool adapts;
    // Frames were left out, because its client is slow or they are too much work, since the last look.
    bool slow;
    bool tells; // a change of the rate has not been told yet
    uint32_t asked, shift;
    // When the rate changed last, and when the stream was slow last, by the clock of turns.
    uint64_t changed_ns, slow_ns;
    uint64_t calm_ns; // time without loss after which it gets more frames
    bool raised;      // the last change gave it more frames
};

// Notes that its client is slow, which matters only if the stream adapts.
void world_rate_slow(struct world_stream *stream);
// Notes that its frames are too much work, whether it adapts or not.
void world_rate_costly(struct world_stream *stream);
// Changes rates between ticks. world_lack_tell tells the changes.
void world_rate_turn(struct world_streams *streams, uint64_t now_ns);

#endif
