// Single-producer single-consumer ring.
//
//     head (consumer)            tail (producer)
//       |                          |
//   [ ] [a] [b] [c] [d] [e] [f] [ ] [ ]         index = counter & mask
//
// Invariant: 0 <= tail - head <= capacity; both counters only grow (and wrap together). The producer owns
// the slots outside head..tail, the consumer those inside. A slot changes hands by the release store of a
// counter, seen by the acquire load on the other side. Each side keeps a copy of the other's counter beside
// its own, so that the shared lines are read only when the copy says full or empty.
#include "base/ring.h"

#include "base/assert.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { RING_LINE = 64 };

struct base_ring {
    alignas(RING_LINE) atomic_size_t head; // written by the consumer
    size_t tail_seen;                      // the consumer's copy
    alignas(RING_LINE) atomic_size_t tail; // written by the producer
    size_t head_seen;                      // the producer's copy
    alignas(RING_LINE) size_t mask;
    size_t item_size;
    alignas(max_align_t) unsigned char items[]; // (mask + 1) * item_size bytes
};

struct base_ring *base_ring_create(size_t item_size, size_t capacity)
{
    BASE_ASSERT(item_size > 0);
    size_t rounded = 1;
    while (rounded < capacity) {
        if (rounded > SIZE_MAX / 4 / item_size) {
            return NULL;
        }
        rounded *= 2;
    }
    size_t size = sizeof(struct base_ring) + rounded * item_size;
    // aligned_alloc asks for a size that is a multiple of the alignment.
    size = (size + RING_LINE - 1) / RING_LINE * RING_LINE;
    struct base_ring *ring = aligned_alloc(RING_LINE, size);
    if (!ring) {
        return NULL;
    }
    atomic_init(&ring->head, 0);
    atomic_init(&ring->tail, 0);
    ring->tail_seen = 0;
    ring->head_seen = 0;
    ring->mask = rounded - 1;
    ring->item_size = item_size;
    return ring;
}

void base_ring_destroy(struct base_ring *ring)
{
    free(ring);
}

bool base_ring_push(struct base_ring *ring, const void *item)
{
    size_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
    if (tail - ring->head_seen > ring->mask) {
        ring->head_seen = atomic_load_explicit(&ring->head, memory_order_acquire);
        if (tail - ring->head_seen > ring->mask) {
            return false;
        }
    }
    memcpy(ring->items + (tail & ring->mask) * ring->item_size, item, ring->item_size);
    atomic_store_explicit(&ring->tail, tail + 1, memory_order_release);
    return true;
}

bool base_ring_pop(struct base_ring *ring, void *item)
{
    size_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
    if (head == ring->tail_seen) {
        ring->tail_seen = atomic_load_explicit(&ring->tail, memory_order_acquire);
        if (head == ring->tail_seen) {
            return false;
        }
    }
    memcpy(item, ring->items + (head & ring->mask) * ring->item_size, ring->item_size);
    atomic_store_explicit(&ring->head, head + 1, memory_order_release);
    return true;
}

bool base_ring_empty(const struct base_ring *ring)
{
    // Head first: it never passes tail, so the other order could show an empty ring that never was.
    size_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
    return head == atomic_load_explicit(&ring->tail, memory_order_acquire);
}
