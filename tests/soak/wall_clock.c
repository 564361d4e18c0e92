// A wall clock that jumps: preloaded, and told by a file how many seconds it is off (an i64, mapped, so that it counts at once).
// The monotonic clock stays. Waits until a time of the wall clock are moved along; one that is under way when the clock jumps ends as
// it would have without.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// A time that is later than this is none of a monotonic clock: that counts from when the machine started.
enum { WALL_S = 1000000000 };

typedef int clock_call(clockid_t clock, struct timespec *out);
typedef int wait_call(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *until);

static _Atomic int64_t none;
static _Atomic int64_t *offset = &none;

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("WEFT_WALL_CLOCK");
    const int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) {
        return;
    }
    void *page = mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
    (void)close(file);
    if (page != MAP_FAILED) {
        offset = page;
    }
}

static clock_call *real_clock(void)
{
    static _Atomic(clock_call *) known;
    clock_call *found = atomic_load_explicit(&known, memory_order_relaxed);
    if (!found) {
        *(void **)&found = dlsym(RTLD_NEXT, "clock_gettime");
        atomic_store_explicit(&known, found, memory_order_relaxed);
    }
    return found;
}

static wait_call *real_wait(void)
{
    static _Atomic(wait_call *) known;
    wait_call *found = atomic_load_explicit(&known, memory_order_relaxed);
    if (!found) {
        *(void **)&found = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
        atomic_store_explicit(&known, found, memory_order_relaxed);
    }
    return found;
}

int clock_gettime(clockid_t clock, struct timespec *out)
{
    const int status = real_clock()(clock, out);
    if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        out->tv_sec += atomic_load_explicit(offset, memory_order_relaxed);
    }
    return status;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone)
{
    (void)zone;
    struct timespec now;
    const int status = clock_gettime(CLOCK_REALTIME, &now);
    *out = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return status;
}

time_t time(time_t *out)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (out) {
        *out = now.tv_sec;
    }
    return now.tv_sec;
}

int pthread_cond_timedwait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict until)
{
    struct timespec real = *until;
    if (real.tv_sec > WALL_S) {
        real.tv_sec -= atomic_load_explicit(offset, memory_order_relaxed);
    }
    return real_wait()(cond, mutex, &real);
}
