#include "store/seen.h"

#include "base/clock.h"

void store_seen_begin(struct store_seen *seen, uint64_t (*clock_ns)(void), uint64_t before_s)
{
    seen->clock_ns = clock_ns ? clock_ns : base_now_ns;
    seen->began_ns = seen->clock_ns();
    seen->before_s = before_s;
}

uint64_t store_seen_s(const struct store_seen *seen)
{
    return seen->before_s + (seen->clock_ns() - seen->began_ns) / 1000000000;
}

uint64_t store_seen_since(const struct store_seen *seen, uint64_t then_s)
{
    const uint64_t now_s = store_seen_s(seen);
    return now_s > then_s ? now_s - then_s : 0;
}

bool store_seen_past(const struct store_seen *seen, uint64_t then_s, uint64_t seconds)
{
    return seconds != UINT64_MAX && store_seen_since(seen, then_s) >= seconds;
}
