// A broken invariant of this module, in every build: say where and stop. Never for what a peer sent.
#ifndef WEFT_PROTOCOL_ASSERT_H
#define WEFT_PROTOCOL_ASSERT_H

#include <stdio.h>
#include <stdlib.h>

#define PROTOCOL_ASSERT(condition) \
    ((condition) ? (void)0 : protocol_assert_failed(#condition, __FILE__, __LINE__))

static inline _Noreturn void protocol_assert_failed(const char *condition, const char *file, int line)
{
    fprintf(stderr, "%s:%d: broken invariant: %s\n", file, line, condition);
    abort();
}

#endif
