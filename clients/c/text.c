// Makes text fit to be shown, because a server may send anything.
#include "internal.h"

#include "protocol/utf8/utf8.h"

#include <string.h>

void weft_text_copy(char *out, size_t out_size, const char *text, size_t size)
{
    if (out_size == 0) {
        return;
    }
    size_t used = 0;
    uint32_t code = 0;
    for (size_t i = 0; i < size;) {
        const size_t length = protocol_utf8_character(text + i, size - i, &code);
        const bool bad = length == 0 || protocol_utf8_is_control(code);
        const size_t out_length = bad ? 1 : length;
        if (used + out_length >= out_size) {
            break;
        }
        if (bad) {
            out[used] = '?';
        } else {
            memcpy(out + used, text + i, length);
        }
        used += out_length;
        i += length ? length : 1;
    }
    out[used] = '\0';
}
