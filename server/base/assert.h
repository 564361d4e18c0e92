// BASE_ASSERT: prints the place of a broken invariant on standard error and aborts the process, in every build. It is for bugs
// of ours, never for what a peer sent. The condition is always evaluated, and once.
#ifndef WEFT_BASE_ASSERT_H
#define WEFT_BASE_ASSERT_H

_Noreturn void base_assert_failed(const char *condition, const char *file, int line);

#define BASE_ASSERT(condition) ((condition) ? (void)0 : base_assert_failed(#condition, __FILE__, __LINE__))

#endif
