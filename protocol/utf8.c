// UTF-8 as RFC 3629 has it. One function knows the encoding; the others walk with it.
#include "protocol/utf8.h"

#include <stdint.h>

// Bytes of the character at data, 0 if there is none.
static size_t character(const uint8_t *data, size_t size, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (data[0] < 0x80) {
        *code = data[0];
        return 1;
    }
    size_t length = data[0] >= 0xF8 ? 0 : data[0] >= 0xF0 ? 4 : data[0] >= 0xE0 ? 3 : data[0] >= 0xC0 ? 2 : 0;
    if (length == 0 || length > size) {
        return 0;
    }
    uint32_t value = data[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((data[i] & 0xC0) != 0x80) {
            return 0;
        }
        value = value << 6 | (data[i] & 0x3F);
    }
    if (value < least[length] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) {
        return 0;
    }
    *code = value;
    return length;
}

static bool is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

bool protocol_utf8_valid(const char *data, size_t size)
{
    const uint8_t *bytes = (const uint8_t *)data;
    uint32_t code;
    for (size_t at = 0; at < size;) {
        size_t length = character(bytes + at, size - at, &code);
        if (length == 0) {
            return false;
        }
        at += length;
    }
    return true;
}

bool protocol_utf8_has_control(const char *data, size_t size)
{
    const uint8_t *bytes = (const uint8_t *)data;
    uint32_t code;
    for (size_t at = 0; at < size;) {
        size_t length = character(bytes + at, size - at, &code);
        if (length == 0 || is_control(code)) {
            return true;
        }
        at += length;
    }
    return false;
}

void protocol_utf8_clean(char *data, size_t size)
{
    uint8_t *bytes = (uint8_t *)data;
    uint32_t code;
    for (size_t at = 0; at < size;) {
        size_t length = character(bytes + at, size - at, &code);
        if (length > 0 && !is_control(code)) {
            at += length;
            continue;
        }
        for (size_t end = at + (length > 0 ? length : 1); at < end; at++) {
            bytes[at] = '?';
        }
    }
}

size_t protocol_utf8_cut(const char *data, size_t size, size_t limit)
{
    if (size <= limit) {
        return size;
    }
    size_t cut = limit;
    while (cut > 0 && ((uint8_t)data[cut] & 0xC0) == 0x80) {
        cut--;
    }
    return cut;
}
