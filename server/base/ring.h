// Bounded ring of values of one size, with one producer and one consumer.
//
// The producer and the consumer may be different threads at different times, as long as the hand-over of
// each role is itself synchronised (a world is run by one simulation thread after another, each of which
// takes it from a queue under a mutex). Capacity is fixed at creation; push copies the value in and pop copies it out;
// neither allocates or waits. What a value points to, as the producer wrote it, is visible to the consumer.
#ifndef WEFT_BASE_RING_H
#define WEFT_BASE_RING_H

#include <stdbool.h>
#include <stddef.h>

struct base_ring;

// item_size is in bytes, at least 1. capacity is in items, and rounded up to a power of two. NULL if memory runs out.
struct base_ring *base_ring_create(size_t item_size, size_t capacity);
void base_ring_destroy(struct base_ring *ring); // NULL is allowed; frees nothing that values inside point to

bool base_ring_push(struct base_ring *ring, const void *item); // producer; false if full
bool base_ring_pop(struct base_ring *ring, void *item); // consumer; false if empty, *item is not changed
bool base_ring_empty(const struct base_ring *ring);     // either side; the other side may change it at once

#endif
