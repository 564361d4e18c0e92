// UTF-8 as RFC 3629 has it. One function knows the encoding; the others walk with it.
#include "protocol/utf8/utf8.h"

size_t protocol_utf8_character(const void *text, size_t size, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const uint8_t *data = text;
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

bool protocol_utf8_is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x61C || code == 0x200E ||
           code == 0x200F || (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

bool protocol_utf8_is_invisible(uint32_t code)
{
    static const uint32_t ranges[][2] = {
        {0x20, 0x20},       {0xA0, 0xA0},       {0xAD, 0xAD},     {0x34F, 0x34F},   {0x61C, 0x61C},
        {0x115F, 0x1160},   {0x1680, 0x1680},   {0x17B4, 0x17B5}, {0x180B, 0x180F}, {0x2000, 0x200F},
        {0x2028, 0x202F},   {0x205F, 0x206F},   {0x2800, 0x2800}, {0x3000, 0x3000}, {0x3164, 0x3164},
        {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB}, {0x1BCA0, 0x1BCA3},
        {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (code >= ranges[i][0] && code <= ranges[i][1]) {
            return true;
        }
    }
    return false;
}

bool protocol_utf8_valid(const char *data, size_t size)
{
    const uint8_t *bytes = (const uint8_t *)data;
    uint32_t code;
    for (size_t at = 0; at < size;) {
        size_t length = protocol_utf8_character(bytes + at, size - at, &code);
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
        size_t length = protocol_utf8_character(bytes + at, size - at, &code);
        if (length == 0 || protocol_utf8_is_control(code)) {
            return true;
        }
        at += length;
    }
    return false;
}

const char *protocol_name_flaw(const char *data, size_t size)
{
    const uint8_t *bytes = (const uint8_t *)data;
    uint32_t code = 0;
    bool is_seen = size == 0;
    if (protocol_utf8_has_control(data, size)) {
        return "has control characters; a name has none";
    }
    for (size_t at = 0; at < size && !is_seen;) {
        at += protocol_utf8_character(bytes + at, size - at, &code);
        is_seen = !protocol_utf8_is_invisible(code);
    }
    return is_seen ? NULL : "has nothing to see; a name has";
}

void protocol_utf8_clean(char *data, size_t size)
{
    uint8_t *bytes = (uint8_t *)data;
    uint32_t code;
    for (size_t at = 0; at < size;) {
        size_t length = protocol_utf8_character(bytes + at, size - at, &code);
        if (length > 0 && !protocol_utf8_is_control(code)) {
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

void protocol_utf8_finish(char *text, size_t size, bool whole)
{
    static const char ellipsis[] = "…";
    if (!whole) {
        const size_t cut = protocol_utf8_cut(text, size - 1, size - sizeof ellipsis);
        memcpy(text + cut, ellipsis, sizeof ellipsis);
    }
    protocol_utf8_clean(text, strlen(text));
}
