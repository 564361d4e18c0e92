// Counts the time that a store has itself seen pass: the seconds during which a server had it open, by a
// monotonic clock. The count is written into the store. Everything that is removed for its age is as old as
// this clock says. The wall clock is only for people: it may be set by years in either direction, and nothing
// may be removed because of that.
#ifndef WEFT_STORE_SEEN_H
#define WEFT_STORE_SEEN_H

#include <stdbool.h>
#include <stdint.h>

struct store_seen {
    uint64_t (*clock_ns)(void);
    uint64_t began_ns; // time of the clock when the store was opened
    uint64_t before_s; // seconds that earlier servers had seen by then
};

// Begins to count. clock_ns NULL: the system's monotonic clock.
void store_seen_begin(struct store_seen *seen, uint64_t (*clock_ns)(void), uint64_t before_s);
uint64_t store_seen_s(const struct store_seen *seen); // returns the seconds seen up to now
// Returns 0 if `then_s` is in the future.
uint64_t store_seen_since(const struct store_seen *seen, uint64_t then_s);
// Whether so many seconds were seen since `then_s`. UINT64_MAX: never.
bool store_seen_past(const struct store_seen *seen, uint64_t then_s, uint64_t seconds);

#endif
