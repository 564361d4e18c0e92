// Arrays that grow: aligned for the widest vectors, zero where new. Large ones are pages of their own, which
// the system moves by changing the map, so that growing one costs nothing for what it holds already.
#ifndef WEFT_BASE_GROW_H
#define WEFT_BASE_GROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BASE_GROW_ALIGN = 64 };

// *items (NULL at first) becomes at least `to` bytes, a product that may be more than there are addresses. Leaves all as it
// is and returns false without memory.
bool base_grow(void **items, uint64_t to);
void base_grow_free(void *items); // NULL is allowed
// Bytes of pages that arrays hold now, in the whole process: what the allocator does not know of. Any thread.
size_t base_grow_mapped(void);

#endif
