// Stops the process where an invariant broke. Uses stdio only: whatever else exists may be what broke.
#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void base_assert_failed(const char *condition, const char *file, int line)
{
    fprintf(stderr, "%s:%d: broken invariant: %s\n", file, line, condition);
    fflush(stderr);
    abort();
}
