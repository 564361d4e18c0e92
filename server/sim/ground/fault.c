// Errors, shared by everything that edits.

#include "sim/ground/ground.h"

enum fault_code sim_fault_memory(struct fault *fault)
{
    return fault_code_set(fault, FAULT_MEMORY, NULL, "not enough memory");
}
