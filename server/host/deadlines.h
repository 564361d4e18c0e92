// What is due first: a binary heap of moments, each part of what it is the deadline of.
//
// Among equal moments the one put first comes first. The caller has a lock where it needs one.
#ifndef WEFT_HOST_DEADLINES_H
#define WEFT_HOST_DEADLINES_H

#include <stdbool.h>
#include <stdint.h>

struct host_deadline {
    uint64_t ns; // monotonic
    uint64_t order;
    uint32_t place;
};

struct host_deadlines {
    struct host_deadline **heap;
    uint32_t count, capacity;
    uint64_t order;
};

// Room for so many, so that putting one in cannot fail. False without memory.
bool host_deadlines_reserve(struct host_deadlines *deadlines, uint32_t capacity);
void host_deadlines_deinit(struct host_deadlines *deadlines);

void host_deadlines_put(struct host_deadlines *deadlines, struct host_deadline *deadline, uint64_t ns);
void host_deadlines_remove(struct host_deadlines *deadlines, struct host_deadline *deadline);
// NULL when empty.
struct host_deadline *host_deadlines_first(const struct host_deadlines *deadlines);
// UINT64_MAX when empty.
uint64_t host_deadlines_first_ns(const struct host_deadlines *deadlines);

#endif
