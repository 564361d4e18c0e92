#include "base/random.h"

#include "base/assert.h"

#include <sys/random.h>

enum { MOST = 256 }; // what the system gives at once, whatever signals come

bool base_random(void *bytes, size_t size)
{
    BASE_ASSERT(size <= MOST);
    return getrandom(bytes, size, 0) == (ssize_t)size;
}
