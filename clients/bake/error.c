// Error texts of a bake.
#include "bake/bake.h"

#include <stdarg.h>
#include <stdio.h>

bool bake_fail(struct bake_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return false;
}
