// Bounded ring of plain values with one producer and one consumer.
//
// The producer and the consumer may be different threads at different times, as long as the hand-over of
// each role is itself synchronised (a world is run by one simulation thread after another, each of which
// takes it from a queue under a mutex). Capacity is fixed at creation; push fails when full, never waits.
#ifndef WEFT_BASE_RING_H
#define WEFT_BASE_RING_H

#include <stdbool.h>
#include <stddef.h>

struct base_ring;

// capacity is rounded up to a power of two; items have this size. NULL if there is no memory.
struct base_ring *base_ring_create(size_t capacity, size_t item_size);
void base_ring_destroy(struct base_ring *ring); // what the items still inside own is the caller's

bool base_ring_push(struct base_ring *ring, const void *item); // producer: a copy of *item; false when full
bool base_ring_pop(struct base_ring *ring, void *item);        // consumer: into *item; false when empty
bool base_ring_empty(const struct base_ring *ring);            // either side; a hint for the other one

#endif
