// Keys of sessions that go on after their connection is lost: there are none in a page, so nobody's key can be guessed.
#ifndef WEFT_WASM_SYS_RANDOM_H
#define WEFT_WASM_SYS_RANDOM_H

#include <stddef.h>
#include <sys/types.h>

enum { GRND_NONBLOCK = 1 };

static inline ssize_t getrandom(void *bytes, size_t size, unsigned flags)
{
    (void)bytes;
    (void)size;
    (void)flags;
    return -1;
}

#endif
