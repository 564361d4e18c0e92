// Bounds the memory that the allocator keeps after it was freed. This concerns glibc's allocator alone.
#ifndef WEFT_BASE_MEMORY_H
#define WEFT_BASE_MEMORY_H

// Makes blocks of 512 KiB or more go back to the system when they are freed. Called once, before there are threads.
void base_memory_start(void);
// Gives memory that lies free between smaller blocks back to the system. It takes time in proportion to that memory, and other
// threads cannot allocate meanwhile. So it is called on a worker, after much was freed. Any thread.
void base_memory_give_back(void);

#endif
