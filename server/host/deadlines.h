// Finds the earliest deadline: a binary heap of times, each a member of the struct that it belongs to.
//
// Of equal times, the one that was put first comes first. The caller locks if it needs to.
#ifndef WEFT_HOST_DEADLINES_H
#define WEFT_HOST_DEADLINES_H

#include <stdbool.h>
#include <stdint.h>

struct host_deadline {
    uint64_t ns; // monotonic time
    uint64_t order;
    uint32_t place;
};

struct host_deadlines {
    struct host_deadline **heap;
    uint32_t count, capacity;
    uint64_t order;
};

// Makes room for so many deadlines, so that putting one in cannot fail. False if memory runs out.
bool host_deadlines_reserve(struct host_deadlines *deadlines, uint32_t capacity);
void host_deadlines_deinit(struct host_deadlines *deadlines);

void host_deadlines_put(struct host_deadlines *deadlines, struct host_deadline *deadline, uint64_t ns);
void host_deadlines_remove(struct host_deadlines *deadlines, struct host_deadline *deadline);
// Returns the earliest deadline. NULL: there is none.
struct host_deadline *host_deadlines_first(const struct host_deadlines *deadlines);
// Returns the earliest time. UINT64_MAX: there is none.
uint64_t host_deadlines_first_ns(const struct host_deadlines *deadlines);

#endif
