// Faults are written into room of their own first, so that a text can be made of the one that it replaces.
#include "protocol/fault/fault.h"

#include "protocol/utf8/utf8.h"

#include <stdio.h>
#include <string.h>

void fault_set_list(struct fault *fault, enum fault_code code, const char *field, const char *format,
                    va_list arguments)
{
    if (!fault) {
        return;
    }
    char text[FAULT_TEXT_SIZE] = "";
    const int size = vsnprintf(text, sizeof text, format, arguments);
    protocol_utf8_finish(text, sizeof text, size < (int)sizeof text);
    fault->code = code;
    fault->field = field;
    memcpy(fault->text, text, sizeof text);
}

bool fault_set(struct fault *fault, enum fault_code code, const char *field, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fault_set_list(fault, code, field, format, arguments);
    va_end(arguments);
    return false;
}

enum fault_code fault_code_set(struct fault *fault, enum fault_code code, const char *field,
                               const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fault_set_list(fault, code, field, format, arguments);
    va_end(arguments);
    return code;
}

const char *fault_word(enum fault_code code)
{
    static const char *const words[FAULT_CODE_COUNT] = {
        [FAULT_NONE] = "NONE",         [FAULT_INVALID] = "INVALID",     [FAULT_NOT_FOUND] = "NOT_FOUND",
        [FAULT_CONFLICT] = "CONFLICT", [FAULT_LIMIT] = "LIMIT",         [FAULT_MEMORY] = "MEMORY",
        [FAULT_DAMAGED] = "DAMAGED",   [FAULT_BUSY] = "BUSY",           [FAULT_VERSION] = "VERSION",
        [FAULT_IO] = "FILE",           [FAULT_CANCELLED] = "CANCELLED",
    };
    return words[code];
}
