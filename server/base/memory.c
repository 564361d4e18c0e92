// Left alone, glibc takes blocks of up to 32 MB from its heaps once one of them has been freed, and gives back no heap
// that something small still lies on: a server that was large for a moment would stay as large for good.
#include "base/memory.h"

#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>

// Parts of frames (256 KiB) come and go many times a second, and stay below: they are used again as they are.
enum { LARGE_BYTES = 512 * 1024 };

void base_memory_start(void)
{
    (void)mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
}

void base_memory_give_back(void)
{
    (void)malloc_trim(0);
}
#else
void base_memory_start(void) {}

void base_memory_give_back(void) {}
#endif
