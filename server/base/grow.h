// Arrays of the solver, which grow: aligned for the widest vectors, and zero where they are new. Large ones are mapped pages,
// which the system moves without copying (mremap), so that growing costs nothing for what an array holds already. Other
// arrays grow by array_reserve (base/array.h). Any thread; one at a time for each array.
#ifndef WEFT_BASE_GROW_H
#define WEFT_BASE_GROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BASE_GROW_ALIGN = 64 }; // bytes
#if defined(__wasm__)
enum { BASE_GROW_EMPTIES = 0 }; // no array is mapped
#else
enum { BASE_GROW_EMPTIES = 1 };
#endif

// Grows *items (NULL at first) to at least `to` bytes; it may move. `to` may be a product larger than the address space.
// False, and nothing changes, if memory runs out.
bool base_grow(void **items, uint64_t to);
// Likewise for an array most of which is never used. Pages of 2 MiB, of which a small part is used, would hold more than the array does:
// only the largest arrays have them.
bool base_grow_sparse(void **items, uint64_t to);
// Gives the pages of a mapped array back to the system, which brings zeros in their place when they are next used. Nothing
// happens to arrays that are not mapped, and without BASE_GROW_EMPTIES. The array keeps its size, and means nothing any more. NULL is allowed.
void base_grow_empty(void *items);
void base_grow_free(void *items); // NULL is allowed
// Bytes that mapped arrays hold now, in the whole process. The allocator's own figures lack them.
size_t base_grow_mapped(void);

#endif
