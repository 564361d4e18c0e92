// Faults, as protocol/fault/fault.h says, for rooms that stand on base alone.
//
// Callers of the solver and of the store ask which kind of failure it was, so functions there return the code:
//
//     enum fault_code list_find(uint32_t id, struct list **out, struct fault *fault)
//     {
//         *out = look_up(id);
//         return *out ? FAULT_NONE : fault_code_set(fault, FAULT_NOT_FOUND, NULL, "there is no list %u", id);
//     }
#ifndef WEFT_BASE_FAULT_H
#define WEFT_BASE_FAULT_H

#include "protocol/fault/fault.h"

#endif
