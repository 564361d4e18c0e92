// Random numbers of the simulator: each stream of them follows from a seed and two more numbers, so an input is the same whichever
// inputs before it are left out.
#ifndef WEFT_SIMULATOR_CHANCE_H
#define WEFT_SIMULATOR_CHANCE_H

#include <stdbool.h>
#include <stdint.h>

struct chance {
    uint64_t state;
};

// splitmix64 (Steele, Lea and Flood 2014).
static inline uint64_t chance_next(struct chance *chance)
{
    uint64_t z = chance->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static inline struct chance chance_of(uint64_t seed, uint64_t purpose, uint64_t index)
{
    struct chance chance = {seed};
    chance.state = chance_next(&chance) ^ purpose * UINT64_C(0xd6e8feb86659fd93);
    chance.state = chance_next(&chance) ^ index;
    (void)chance_next(&chance);
    return chance;
}

static inline uint32_t chance_below(struct chance *chance, uint32_t count)
{
    return (uint32_t)((chance_next(chance) >> 32) * count >> 32);
}

static inline bool chance_one_in(struct chance *chance, uint32_t count)
{
    return chance_below(chance, count) == 0;
}

// Mostly short, now and then long: from least up to most, each power of two as likely as the next.
static inline uint64_t chance_span(struct chance *chance, uint64_t least, uint64_t most)
{
    uint64_t span = least;
    while (span < most && chance_below(chance, 2) == 0) {
        span *= 2;
    }
    span += chance_next(chance) % span;
    return span < most ? span : most;
}

#endif
