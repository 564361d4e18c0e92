// The heap of a test's program, which gives memory only while heap_gives() says so. The file that includes this defines
// `static bool heap_gives(void)` before. One file of a program includes it, and only if OTHERS_OWN_THE_HEAP is not defined.
#ifndef WEFT_TESTS_UNIT_SIM_HELPER_HEAP_TAKE_H
#define WEFT_TESTS_UNIT_SIM_HELPER_HEAP_TAKE_H

#include "helper_heap.h"

#include <stdbool.h>
#include <stddef.h>

static bool heap_gives(void);

void *malloc(size_t size)
{
    return heap_gives() ? __libc_malloc(size) : NULL;
}

void *calloc(size_t count, size_t size)
{
    return heap_gives() ? __libc_calloc(count, size) : NULL;
}

void *realloc(void *memory, size_t size)
{
    return heap_gives() ? __libc_realloc(memory, size) : NULL;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return heap_gives() ? __libc_memalign(alignment, size) : NULL;
}

void free(void *memory)
{
    __libc_free(memory);
}

#endif
