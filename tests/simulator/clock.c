#include "clock.h"

#include "base/clock.h"
#include "base/random.h"

#include <string.h>

struct simulator_clock simulator_clock;

uint64_t base_now_ns(void)
{
    simulator_clock.now_ns += simulator_clock.call_ns;
    return simulator_clock.now_ns;
}

uint64_t base_core_ns(void)
{
    return simulator_clock.now_ns;
}

int base_core_clock(void)
{
    return 0;
}

uint64_t base_core_ns_of(int clock)
{
    (void)clock;
    return simulator_clock.now_ns;
}

uint64_t base_wall_us(void)
{
    return (uint64_t)(simulator_clock.wall_us + (int64_t)(simulator_clock.now_ns / 1000));
}

bool base_random(void *bytes, size_t size)
{
    uint8_t *at = bytes;
    while (size > 0) {
        const uint64_t word = chance_next(&simulator_clock.secrets);
        const size_t part = size < sizeof word ? size : sizeof word;
        memcpy(at, &word, part);
        at += part;
        size -= part;
    }
    return true;
}
