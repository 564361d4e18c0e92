#include "store/backend.h"

#include <stdarg.h>
#include <stdio.h>

enum store_status store_fail(struct store_error *error, enum store_status status, uint32_t list,
                             uint64_t position, const char *format, ...)
{
    if (error) {
        error->status = status;
        error->list = list;
        error->position = position;
        error->passing = false;
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return status;
}
