// base/random.h in a page, which has no random numbers that nobody can guess: no session there goes on after its connection is lost, so
// none needs a key.
#include "base/random.h"

bool base_random(void *bytes, size_t size)
{
    (void)bytes;
    (void)size;
    return false;
}
