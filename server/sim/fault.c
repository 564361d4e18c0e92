// Errors and growth, shared by everything that edits.

#include "sim/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

bool sim_grow(void **items, uint64_t from, uint64_t to)
{
    enum { ALIGN = 64 };
    uint64_t size = (to + ALIGN) / ALIGN * ALIGN; // at least one vector, so that what is empty is not NULL
    char *moved = size > SIZE_MAX ? NULL : aligned_alloc(ALIGN, (size_t)size);
    if (moved == NULL) {
        return false;
    }
    if (from > 0) {
        memcpy(moved, *items, (size_t)from);
    }
    memset(moved + from, 0, (size_t)(size - from));
    free(*items);
    *items = moved;
    return true;
}
