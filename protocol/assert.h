// PROTOCOL_ASSERT: prints the place of a broken invariant on standard error and aborts the process, in every build. It is for
// bugs of ours, never for what a peer sent. The server's own is BASE_ASSERT; libraries for clients do not link base.
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
