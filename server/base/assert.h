// A broken invariant is a bug of ours: say where and stop. Never used for what a peer sent.
#ifndef WEFT_BASE_ASSERT_H
#define WEFT_BASE_ASSERT_H

_Noreturn void base_assert_failed(const char *condition, const char *file, int line);

#define BASE_ASSERT(condition) ((condition) ? (void)0 : base_assert_failed(#condition, __FILE__, __LINE__))

#endif
