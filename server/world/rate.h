// How often a stream gets frames: where it adapts as often as its client manages, and else as often as its person's share of the
// work allows; at most as often as was asked for.
#ifndef WEFT_WORLD_RATE_H
#define WEFT_WORLD_RATE_H

#include <stdbool.h>
#include <stdint.h>

struct world;
struct world_stream;

enum { WORLD_RATE_SHIFT_MAX = 6 };

// Of one stream, which has every = asked * 2^shift.
struct world_rate {
    bool adapts;
    bool
        slow; // frames were left out since its client is slow, or they are too much work; not looked at since
    bool tells; // a change that is still to be told
    uint32_t asked, shift;
    uint64_t changed_ns, slow_ns; // when it changed, and was slow, last; by the clock of turns
    uint64_t calm_ns;             // so long without loss it has more frames
    bool raised;                  // the last change was to more
};

void world_rate_slow(struct world_stream *stream);   // its client is: this matters if it adapts
void world_rate_costly(struct world_stream *stream); // its frames are too much work, whether it adapts or not
// Between ticks: changes what is to be changed. That is still to be told (world_lack_tell).
void world_rate_turn(struct world *world);

#endif
