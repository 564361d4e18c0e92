// Threads, locks and the floating-point environment, over pthreads.
//
// Condition variables wait by CLOCK_MONOTONIC, so a change of the wall clock wakes nobody early. New threads
// block all signals: SIGINT and SIGTERM are the loop thread's.
#include "base/thread.h"

#include "base/assert.h"

#include <errno.h>
#include <fenv.h>
#include <float.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

void base_mutex_init(struct base_mutex *mutex)
{
    int failed = pthread_mutex_init(&mutex->handle, NULL);
    BASE_ASSERT(!failed);
}

void base_mutex_deinit(struct base_mutex *mutex)
{
    int failed = pthread_mutex_destroy(&mutex->handle);
    BASE_ASSERT(!failed);
}

void base_mutex_lock(struct base_mutex *mutex)
{
    int failed = pthread_mutex_lock(&mutex->handle);
    BASE_ASSERT(!failed);
}

void base_mutex_unlock(struct base_mutex *mutex)
{
    int failed = pthread_mutex_unlock(&mutex->handle);
    BASE_ASSERT(!failed);
}

void base_cond_init(struct base_cond *cond)
{
    pthread_condattr_t attributes;
    int failed = pthread_condattr_init(&attributes);
    BASE_ASSERT(!failed);
    failed = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    BASE_ASSERT(!failed);
    failed = pthread_cond_init(&cond->handle, &attributes);
    BASE_ASSERT(!failed);
    pthread_condattr_destroy(&attributes);
}

void base_cond_deinit(struct base_cond *cond)
{
    int failed = pthread_cond_destroy(&cond->handle);
    BASE_ASSERT(!failed);
}

void base_cond_signal(struct base_cond *cond)
{
    pthread_cond_signal(&cond->handle);
}

void base_cond_broadcast(struct base_cond *cond)
{
    pthread_cond_broadcast(&cond->handle);
}

void base_cond_wait(struct base_cond *cond, struct base_mutex *mutex)
{
    int failed = pthread_cond_wait(&cond->handle, &mutex->handle);
    BASE_ASSERT(!failed);
}

bool base_cond_wait_until(struct base_cond *cond, struct base_mutex *mutex, uint64_t deadline_ns)
{
    const uint64_t second_ns = UINT64_C(1000000000);
    struct timespec deadline = {
        .tv_sec = (time_t)(deadline_ns / second_ns),
        .tv_nsec = (long)(deadline_ns % second_ns),
    };
    int status = pthread_cond_timedwait(&cond->handle, &mutex->handle, &deadline);
    BASE_ASSERT(status == 0 || status == ETIMEDOUT);
    return status == 0;
}

struct thread_start {
    void (*run)(void *context);
    void *context;
    char name[16];
};

static void *thread_main(void *argument)
{
    struct thread_start start = *(struct thread_start *)argument;
    free(argument);
    pthread_setname_np(pthread_self(), start.name);
    base_float_assert();
    start.run(start.context);
    return NULL;
}

bool base_thread_start(struct base_thread *thread, const char *name, void (*run)(void *context),
                       void *context)
{
    struct thread_start *start = calloc(1, sizeof *start);
    if (!start) {
        return false;
    }
    start->run = run;
    start->context = context;
    strncpy(start->name, name, sizeof start->name - 1);

    // The new thread inherits the mask, so it never runs with a signal open.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&thread->handle, NULL, thread_main, start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed) {
        free(start);
    }
    return !failed;
}

void base_thread_join(struct base_thread *thread)
{
    int failed = pthread_join(thread->handle, NULL);
    BASE_ASSERT(!failed);
}

void base_thread_sleep(uint64_t ns)
{
    const uint64_t second_ns = UINT64_C(1000000000);
    const struct timespec time = {.tv_sec = (time_t)(ns / second_ns), .tv_nsec = (long)(ns % second_ns)};
    (void)nanosleep(&time, NULL);
}

// Linux gives each thread a niceness of its own; 10 is a ninth of the usual share of a core that is wanted.
void base_thread_give_way(void)
{
    (void)setpriority(PRIO_PROCESS, 0, 10); // where it is refused, work is only less smooth
}

bool base_threads(void)
{
    return true;
}

uint32_t base_thread_cores(void)
{
    // The set has a fixed size; a machine with more cores than fit in it refuses, and all of them count.
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        return (uint32_t)CPU_COUNT(&set);
    }
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : (uint32_t)online;
}

void base_float_assert(void)
{
    // volatile: the sums must be done by this thread's registers, now, not by the compiler.
    BASE_ASSERT(fegetround() == FE_TONEAREST);
    volatile float smallest = FLT_MIN;
    volatile float half = smallest * 0.5F; // flushed to zero if results are
    BASE_ASSERT(half > 0.0F);
    volatile float doubled = half * 2.0F; // zero if operands are
    BASE_ASSERT(doubled == FLT_MIN);
    volatile double smallest_f64 = DBL_MIN;
    volatile double half_f64 = smallest_f64 * 0.5;
    BASE_ASSERT(half_f64 * 2.0 == DBL_MIN);
    // The tie goes to even; fegetround need not look at the vector unit's own mode.
    volatile float one = 1.0F;
    volatile float tie = FLT_EPSILON * 0.5F;
    volatile float rounded = one + tie;
    volatile float rounded_down = -one - tie;
    BASE_ASSERT(rounded == 1.0F && rounded_down == -1.0F);
    volatile float odd = 1.0F + FLT_EPSILON;
    volatile float rounded_up = odd + tie;
    BASE_ASSERT(rounded_up == 1.0F + 2.0F * FLT_EPSILON);
}
