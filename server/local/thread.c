// Implements base/thread.h for a process with one thread: no other thread holds a lock, and no thread can be
// waited for.
#include "base/thread.h"

#include "base/assert.h"

#include <string.h>

// The first number of a handle tells whether it is held. With a real pthread.h, handles are larger than a
// number.
_Static_assert(sizeof(pthread_mutex_t) >= sizeof(int), "a lock has room for that");

static int *held(struct base_mutex *mutex)
{
    return (int *)(void *)&mutex->handle;
}

void base_mutex_init(struct base_mutex *mutex)
{
    memset(&mutex->handle, 0, sizeof mutex->handle);
}

void base_mutex_deinit(struct base_mutex *mutex)
{
    BASE_ASSERT(*held(mutex) == 0);
}

void base_mutex_lock(struct base_mutex *mutex)
{
    BASE_ASSERT(*held(mutex) == 0); // else it would wait for itself
    *held(mutex) = 1;
}

void base_mutex_unlock(struct base_mutex *mutex)
{
    BASE_ASSERT(*held(mutex) == 1);
    *held(mutex) = 0;
}

void base_cond_init(struct base_cond *cond)
{
    memset(&cond->handle, 0, sizeof cond->handle);
}

void base_cond_deinit(struct base_cond *cond)
{
    (void)cond;
}

void base_cond_signal(struct base_cond *cond)
{
    (void)cond;
}

void base_cond_broadcast(struct base_cond *cond)
{
    (void)cond;
}

void base_cond_wait(struct base_cond *cond, struct base_mutex *mutex)
{
    (void)cond;
    (void)mutex;
    BASE_ASSERT(false);
}

bool base_cond_wait_until(struct base_cond *cond, struct base_mutex *mutex, uint64_t deadline_ns)
{
    (void)deadline_ns;
    base_cond_wait(cond, mutex);
    return false;
}

bool base_thread_start(struct base_thread *thread, const char *name, void (*run)(void *context),
                       void *context)
{
    (void)thread;
    (void)name;
    (void)run;
    (void)context;
    return false;
}

void base_thread_join(struct base_thread *thread)
{
    (void)thread;
    BASE_ASSERT(false); // no thread was started
}

void base_thread_sleep(uint64_t ns)
{
    (void)ns;
    BASE_ASSERT(false); // nothing else happens meanwhile
}

void base_thread_give_way(void) {}

bool base_threads(void)
{
    return false;
}

uint32_t base_thread_cores(void)
{
    return 1;
}
