// A page's server has one thread: these stand in for the handles of base/thread.h.
#ifndef WEFT_WASM_PTHREAD_H
#define WEFT_WASM_PTHREAD_H

typedef int pthread_t;
typedef int pthread_mutex_t;
typedef int pthread_cond_t;

#endif
