// Text made fit for people: what a server says may hold anything.
#include "internal.h"

#include <string.h>

// Length of the well-formed UTF-8 character at text, 0 if there is none.
static size_t character_size(const unsigned char *text, size_t size)
{
    const unsigned char c = text[0];
    size_t need;
    uint32_t point;
    if (c < 0x80)
        return 1;
    if (c >= 0xc2 && c <= 0xdf) {
        need = 2;
        point = c & 0x1fu;
    } else if ((c & 0xf0) == 0xe0) {
        need = 3;
        point = c & 0x0fu;
    } else if (c >= 0xf0 && c <= 0xf4) {
        need = 4;
        point = c & 0x07u;
    } else {
        return 0;
    }
    if (need > size)
        return 0;
    for (size_t i = 1; i < need; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        point = point << 6 | (text[i] & 0x3fu);
    }
    const bool overlong = (need == 3 && point < 0x800) || (need == 4 && point < 0x10000);
    const bool surrogate = point >= 0xd800 && point <= 0xdfff;
    return overlong || surrogate || point > 0x10ffff ? 0 : need;
}

// C0, DEL, C1, separators of lines, and the characters that turn the direction of text.
static bool is_control(const unsigned char *text, size_t length)
{
    if (length == 1)
        return text[0] < 0x20 || text[0] == 0x7f;
    if (length == 2)
        return (text[0] == 0xc2 && text[1] < 0xa0) || (text[0] == 0xd8 && text[1] == 0x9c);
    if (length == 3 && text[0] == 0xe2)
        return (text[1] == 0x80 && (text[2] == 0x8e || text[2] == 0x8f)) ||
               (text[1] == 0x80 && text[2] >= 0xa8 && text[2] <= 0xae) ||
               (text[1] == 0x81 && text[2] >= 0xa6 && text[2] <= 0xa9);
    return false;
}

void weft_text_copy(char *out, size_t out_size, const char *text, size_t size)
{
    if (out_size == 0)
        return;
    size_t used = 0;
    for (size_t i = 0; i < size;) {
        const unsigned char *at = (const unsigned char *)text + i;
        const size_t length = character_size(at, size - i);
        const bool bad = length == 0 || is_control(at, length);
        const size_t out_length = bad ? 1 : length;
        if (used + out_length >= out_size)
            break;
        if (bad)
            out[used] = '?';
        else
            memcpy(out + used, at, length);
        used += out_length;
        i += length ? length : 1;
    }
    out[used] = '\0';
}
