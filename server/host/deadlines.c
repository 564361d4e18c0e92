// Invariant: heap[deadline->place] is the deadline, for each deadline in the heap. None is earlier than its
// parent at (place - 1) / 2.
#include "host/deadlines.h"

#include "base/assert.h"
#include "protocol/array/reserve.h"

#include <stddef.h>
#include <stdlib.h>

static bool before(const struct host_deadline *a, const struct host_deadline *b)
{
    return a->ns != b->ns ? a->ns < b->ns : a->order < b->order;
}

static void set(struct host_deadlines *deadlines, struct host_deadline *deadline, uint32_t place)
{
    deadlines->heap[place] = deadline;
    deadline->place = place;
}

static void sift(struct host_deadlines *deadlines, uint32_t place)
{
    struct host_deadline **heap = deadlines->heap;
    struct host_deadline *deadline = heap[place];
    while (place > 0 && before(deadline, heap[(place - 1) / 2])) {
        set(deadlines, heap[(place - 1) / 2], place);
        place = (place - 1) / 2;
    }
    for (;;) {
        uint32_t child = 2 * place + 1;
        if (child >= deadlines->count) {
            break;
        }
        if (child + 1 < deadlines->count && before(heap[child + 1], heap[child])) {
            child++;
        }
        if (!before(heap[child], deadline)) {
            break;
        }
        set(deadlines, heap[child], place);
        place = child;
    }
    set(deadlines, deadline, place);
}

bool host_deadlines_reserve(struct host_deadlines *deadlines, uint32_t capacity)
{
    return array_reserve(&deadlines->heap, &deadlines->capacity, capacity);
}

void host_deadlines_deinit(struct host_deadlines *deadlines)
{
    free(deadlines->heap);
    *deadlines = (struct host_deadlines){0};
}

void host_deadlines_put(struct host_deadlines *deadlines, struct host_deadline *deadline, uint64_t ns)
{
    BASE_ASSERT(deadlines->count < deadlines->capacity);
    deadline->ns = ns;
    deadline->order = deadlines->order++;
    deadlines->count++;
    set(deadlines, deadline, deadlines->count - 1);
    sift(deadlines, deadlines->count - 1);
}

void host_deadlines_remove(struct host_deadlines *deadlines, struct host_deadline *deadline)
{
    uint32_t place = deadline->place;
    BASE_ASSERT(place < deadlines->count && deadlines->heap[place] == deadline);
    deadlines->count--;
    if (place == deadlines->count) {
        return;
    }
    set(deadlines, deadlines->heap[deadlines->count], place);
    sift(deadlines, place);
}

struct host_deadline *host_deadlines_first(const struct host_deadlines *deadlines)
{
    return deadlines->count > 0 ? deadlines->heap[0] : NULL;
}

uint64_t host_deadlines_first_ns(const struct host_deadlines *deadlines)
{
    return deadlines->count > 0 ? deadlines->heap[0]->ns : UINT64_MAX;
}
