// Ways to the heap that a test takes over in its whole program: glibc's own functions under their other names.
#ifndef WEFT_TESTS_UNIT_SIM_HELPER_HEAP_H
#define WEFT_TESTS_UNIT_SIM_HELPER_HEAP_H

#include <stddef.h>

// If a sanitizer owns the heap, this cannot replace it.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define OTHERS_OWN_THE_HEAP 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define OTHERS_OWN_THE_HEAP 1
#endif
#endif

#ifndef OTHERS_OWN_THE_HEAP
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);
#endif

#endif
