// Errors, shared by everything that edits.

#include "sim/ground/ground.h"

#include <stdarg.h>
#include <stdio.h>

enum sim_status sim_fault_set(struct sim_fault *fault, enum sim_status status, const char *field,
                              const char *format, ...)
{
    if (fault) {
        fault->status = status;
        fault->field = field;
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(fault->text, sizeof fault->text, format, arguments);
        va_end(arguments);
    }
    return status;
}

enum sim_status sim_fault_memory(struct sim_fault *fault)
{
    return sim_fault_set(fault, SIM_MEMORY, NULL, "not enough memory");
}
