#include "protocol/patch.h"

#include <string.h>

static void put(struct protocol_bytes *out, const void *data, size_t size)
{
    if (size > 0) {
        protocol_bytes_write(out, data, size);
    }
}

static void put_count(struct protocol_bytes *out, size_t count)
{
    uint8_t bytes[10];
    size_t size = 0;
    for (; count >= 0x80; count >>= 7) {
        bytes[size++] = (uint8_t)(count | 0x80);
    }
    bytes[size++] = (uint8_t)count;
    put(out, bytes, size);
}

static size_t run(const uint8_t *before, const uint8_t *after, size_t at, size_t size, bool same)
{
    size_t end = at;
    while (end < size && (before[end] == after[end]) == same) {
        end++;
    }
    return end;
}

void protocol_patch_make(const uint8_t *before, const uint8_t *after, size_t size, struct protocol_bytes *out)
{
    enum { GAP = 2 }; // so many equal bytes cost as much as saying that they are
    const uint8_t mark = PROTOCOL_PATCH;
    put(out, &mark, 1);
    for (size_t at = 0; at < size;) {
        const size_t begin = run(before, after, at, size, true);
        size_t end = run(before, after, begin, size, false);
        for (size_t next = end; next < size;) {
            next = run(before, after, end, size, true);
            if (next == size || next - end > GAP) {
                break;
            }
            end = run(before, after, next, size, false);
        }
        put_count(out, begin - at);
        put_count(out, end - begin);
        put(out, after + begin, end - begin);
        at = end;
    }
}

struct reader {
    const uint8_t *at, *end;
};

// False at the end, or where it does not fit into what is left.
static bool take_count(struct reader *reader, size_t most, size_t *count)
{
    *count = 0;
    for (unsigned shift = 0; shift < 63; shift += 7) {
        if (reader->at == reader->end) {
            return false;
        }
        const uint8_t byte = *reader->at++;
        *count |= (size_t)(byte & 0x7F) << shift;
        if (byte < 0x80) {
            return *count <= most;
        }
    }
    return false;
}

bool protocol_patch_apply(const uint8_t *patch, size_t patch_size, const uint8_t *before, size_t size,
                          uint8_t *after)
{
    if (patch_size == 0 || patch[0] != PROTOCOL_PATCH) {
        return false;
    }
    struct reader reader = {patch + 1, patch + patch_size};
    size_t at = 0;
    while (at < size) {
        size_t same, changed;
        if (!take_count(&reader, size - at, &same)) {
            return false;
        }
        memcpy(after + at, before + at, same);
        at += same;
        if (!take_count(&reader, size - at, &changed) || changed > (size_t)(reader.end - reader.at) ||
            same + changed == 0) {
            return false;
        }
        memcpy(after + at, reader.at, changed);
        reader.at += changed;
        at += changed;
    }
    return reader.at == reader.end;
}
