// Shares the bound on what is kept among lists.
#include "store/backend.h"

uint64_t store_image_bytes(uint64_t keep_bytes, uint64_t lists)
{
    enum { LEAST = 65536 };
    const uint64_t each = keep_bytes / 4 / (lists > 0 ? lists : 1);
    return keep_bytes == UINT64_MAX ? UINT64_MAX : each > LEAST ? each : LEAST;
}
