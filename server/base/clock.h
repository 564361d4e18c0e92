// Time. Nothing in server/sim includes this.
#ifndef WEFT_BASE_CLOCK_H
#define WEFT_BASE_CLOCK_H

#include <stdint.h>

uint64_t base_now_ns(void);
uint64_t base_core_ns(void); // that the calling thread has been on a core
uint64_t base_wall_us(void); // since 1970, as the system has it; for people

#endif
