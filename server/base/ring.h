// Bounded ring of values of one size, with one producer and one consumer.
//
// The producer and the consumer may be different threads at different times, as long as the hand-over of
// each role is itself synchronised (a world is run by one simulation thread after another, each of which
// takes it from a queue under a mutex). Capacity is fixed at creation; push copies the value in and pop copies it out;
// neither allocates or waits. What a value points to is published with it.
#ifndef WEFT_BASE_RING_H
#define WEFT_BASE_RING_H

#include <stdbool.h>
#include <stddef.h>

struct base_ring;

// item_size is in bytes, at least one; capacity is rounded up to a power of two. NULL if there is no memory.
struct base_ring *base_ring_create(size_t item_size, size_t capacity);
void base_ring_destroy(struct base_ring *ring); // what the values still inside point to is the caller's

bool base_ring_push(struct base_ring *ring, const void *item); // producer; false when full
bool base_ring_pop(struct base_ring *ring, void *item); // consumer; false when empty: item stays as it is
bool base_ring_empty(const struct base_ring *ring);     // either side; a hint for the other one

#endif
