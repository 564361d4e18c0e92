// Errors and growth, shared by everything that edits.

#include "sim/ground/ground.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum sim_status sim_fault_set(struct sim_fault *fault, enum sim_status status, const char *field,
                              const char *format, ...)
{
    if (fault != NULL) {
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

bool sim_reserve(void **items, uint32_t *capacity, uint64_t need, size_t item_size)
{
    if (need <= *capacity) {
        return true;
    }
    uint64_t grown = *capacity < 8 ? 8 : (uint64_t)*capacity * 2;
    if (grown < need) {
        grown = need;
    }
    if (grown > UINT32_MAX || grown > SIZE_MAX / item_size) {
        return false;
    }
    void *moved = realloc(*items, (size_t)grown * item_size);
    if (moved == NULL) {
        return false;
    }
    *items = moved;
    *capacity = (uint32_t)grown;
    return true;
}
