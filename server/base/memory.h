// Bounds the memory that the allocator keeps after it was freed. This concerns glibc's allocator alone.
#ifndef WEFT_BASE_MEMORY_H
#define WEFT_BASE_MEMORY_H

// Once, before there are threads: large blocks go back to the system when they are freed, whatever came before.
void base_memory_start(void);
// Gives back memory that lies free between smaller blocks. It takes time in proportion to that memory, and other threads cannot
// allocate meanwhile: call it on a worker, after much was freed. Any thread.
void base_memory_give_back(void);

#endif
