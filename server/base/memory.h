// What the allocator keeps of memory that was freed. Only glibc's is told anything; others are left as they are.
#ifndef WEFT_BASE_MEMORY_H
#define WEFT_BASE_MEMORY_H

// Once, before there are threads: large blocks go back to the system when they are freed, whatever came before.
void base_memory_start(void);
// Gives back what lies free between smaller blocks. Takes time in proportion to it, and holds up who allocates: for a
// worker, when much was freed. Any thread.
void base_memory_give_back(void);

#endif
