#include "store/backend.h"

#include <stdarg.h>

enum fault_code store_fail(struct store_error *error, enum fault_code status, uint32_t list,
                           uint64_t position, const char *format, ...)
{
    if (error) {
        error->list = list;
        error->position = position;
        error->passing = false;
        va_list arguments;
        va_start(arguments, format);
        fault_set_list(&error->fault, status, NULL, format, arguments);
        va_end(arguments);
    }
    return status;
}
