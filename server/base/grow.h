// Arrays of the solver, which grow: aligned for the widest vectors, and zero where they are new. Large ones are mapped pages,
// which the system moves without copying (mremap), so that growing costs nothing for what an array holds already. Other
// arrays grow by array_reserve (base/array.h). Any thread; one at a time for each array.
#ifndef WEFT_BASE_GROW_H
#define WEFT_BASE_GROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BASE_GROW_ALIGN = 64 }; // bytes

// Grows *items (NULL at first) to at least `to` bytes; it may move. `to` may be a product larger than the address space.
// False, and nothing changes, if memory runs out.
bool base_grow(void **items, uint64_t to);
void base_grow_free(void *items); // NULL is allowed
// Bytes that mapped arrays hold now, in the whole process. The allocator's own figures lack them.
size_t base_grow_mapped(void);

#endif
