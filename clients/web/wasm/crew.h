// Threads for the steps of machines, if the module's memory is shared (weft-machine-threads.wasm). Each thread has an
// instance of the module on the same memory, and a stack of its own. One of them, the owner, makes all other calls.
#ifndef WEFT_WASM_CREW_H
#define WEFT_WASM_CREW_H

#include "base/parallel.h"
#include "machine.h"

// The members that serve at the moment, and the owner; NULL without threads.
struct base_parallel *machine_crew(void);

#if defined(__wasm_atomics__)
// A member's work: it takes part in all that the owner runs, and returns when the crew is closed for good.
void MACHINE_EXPORT(machine_crew_serve)(void);
void MACHINE_EXPORT(machine_crew_close)(void);
// Reports that a member trapped and may have left a task undone; then the owner traps too.
void MACHINE_EXPORT(machine_crew_break)(void);
#endif

#endif
