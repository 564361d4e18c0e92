#include "fibers.h"

#include "base/assert.h"
#include "base/clock.h"
#include "base/random.h"
#include "base/thread.h"
#include "protocol/array/reserve.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#if defined(__SANITIZE_ADDRESS__)
#define WITH_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_ASAN 1
#endif
#endif
#ifdef WITH_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

enum {
    STACK_BYTES = 512 * 1024,
    GIVE_WAY = 32,       // of so many locks one lets others go first
    STANDSTILL = 4000000 // turns at one moment: nobody does anything but wake another
};

static const uint64_t begin_ns = UINT64_C(1000000000000), begin_wall_us = UINT64_C(1700000000000000);

enum state { READY, WAITING, OVER };

struct fiber {
    struct fiber *next;
    ucontext_t context;
    uint8_t *stack; // NULL: the thread's own
    void *fake;     // the sanitizer's
    char name[16];
    uint32_t owner;
    enum state state;
    const void *what; // is waited for
    uint64_t deadline_ns;
    bool in_time;
    void (*run)(void *context);
    void *argument;
};

struct event {
    uint64_t ns, number;
    void (*call)(void *context);
    void *context;
};

static struct {
    uint64_t now_ns, random, trace, switches, standing;
    struct fiber *first, *current;
    struct fiber *spare;  // stacks to be used again
    struct event *events; // a heap: the earliest first, of one time in their order
    size_t event_count, event_room;
    uint64_t event_number;
    bool held[FIBERS_OWNERS];
    int64_t jumped_us[FIBERS_OWNERS];
    const void *attends[FIBERS_OWNERS];
    struct fiber *left; // the one that was left at the last switch
} all = {.now_ns = UINT64_C(1000000000000)};

// ---------------------------------------------------------------------------------------------------------
// Chance

uint64_t fibers_draw(void)
{
    all.random += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t x = all.random;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static void trace(uint64_t value)
{
    all.trace = (all.trace ^ value) * UINT64_C(0x100000001b3) + (all.trace >> 29);
}

uint64_t fibers_switches(void)
{
    return all.switches;
}

uint64_t fibers_trace(void)
{
    return all.trace ^ all.random;
}

// ---------------------------------------------------------------------------------------------------------
// Events

static bool earlier(const struct event *a, const struct event *b)
{
    return a->ns < b->ns || (a->ns == b->ns && a->number < b->number);
}

static void exchange(size_t a, size_t b)
{
    const struct event one = all.events[a];
    all.events[a] = all.events[b];
    all.events[b] = one;
}

void fibers_at(uint64_t ns, void (*call)(void *context), void *context)
{
    BASE_ASSERT(array_reserve(&all.events, &all.event_room, all.event_count + 1));
    size_t at = all.event_count++;
    all.events[at] = (struct event){ns > all.now_ns ? ns : all.now_ns, ++all.event_number, call, context};
    for (; at > 0 && earlier(&all.events[at], &all.events[(at - 1) / 2]); at = (at - 1) / 2) {
        exchange(at, (at - 1) / 2);
    }
}

static struct event take_event(void)
{
    const struct event first = all.events[0];
    all.events[0] = all.events[--all.event_count];
    for (size_t at = 0;;) {
        size_t least = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < all.event_count; child++) {
            least = earlier(&all.events[child], &all.events[least]) ? child : least;
        }
        if (least == at) {
            return first;
        }
        exchange(at, least);
        at = least;
    }
}

// ---------------------------------------------------------------------------------------------------------
// Who goes on

static void enter_main(void)
{
    struct fiber *fiber = all.current;
#ifdef WITH_ASAN
    __sanitizer_finish_switch_fiber(NULL, NULL, NULL);
#endif
    fiber->run(fiber->argument);
    fiber->state = OVER;
    fibers_wake(fiber);
    fibers_yield(); // for good
}

static void go_to(struct fiber *next)
{
    struct fiber *before = all.current;
    if (next == before) {
        return;
    }
    all.current = next;
#ifdef WITH_ASAN
    __sanitizer_start_switch_fiber(before->state == OVER ? NULL : &before->fake, next->stack, STACK_BYTES);
#endif
    swapcontext(&before->context, &next->context);
#ifdef WITH_ASAN
    __sanitizer_finish_switch_fiber(before->fake, NULL, NULL);
#endif
}

static void tell_all(const char *why)
{
    fprintf(stderr, "%s at %" PRIu64 " ns\n", why, all.now_ns);
    for (const struct fiber *fiber = all.first; fiber; fiber = fiber->next) {
        fprintf(stderr, "  %s of %" PRIu32 ": %s%s\n", fiber->name, fiber->owner,
                fiber->state == READY     ? "ready"
                : fiber->state == WAITING ? "waits"
                                          : "over",
                all.held[fiber->owner] ? ", its server is stopped" : "");
    }
    abort();
}

// Those whose time has come are ready. Returns the next deadline.
static uint64_t look_at_deadlines(void)
{
    uint64_t next_ns = UINT64_MAX;
    for (struct fiber *fiber = all.first; fiber; fiber = fiber->next) {
        if (fiber->state != WAITING || all.held[fiber->owner]) {
            continue;
        }
        if (fiber->deadline_ns <= all.now_ns) {
            fiber->state = READY;
            fiber->in_time = false;
        } else if (fiber->deadline_ns < next_ns) {
            next_ns = fiber->deadline_ns;
        }
    }
    return next_ns;
}

// One that is ready, any of them with the same chance; NULL: none is.
static struct fiber *choose(void)
{
    struct fiber *chosen = NULL;
    uint32_t count = 0;
    for (struct fiber *fiber = all.first; fiber; fiber = fiber->next) {
        count += fiber->state == READY && !all.held[fiber->owner];
    }
    uint32_t nth = count > 1 ? (uint32_t)(fibers_draw() % count) : 0;
    for (struct fiber *fiber = all.first; fiber && count > 0 && !chosen; fiber = fiber->next) {
        if (fiber->state == READY && !all.held[fiber->owner] && nth-- == 0) {
            chosen = fiber;
        }
    }
    return chosen;
}

__attribute__((noinline)) static void advance(uint64_t to_ns)
{
    if (to_ns == UINT64_MAX) {
        tell_all("everybody waits for somebody else");
    }
    all.standing = to_ns > all.now_ns ? 0 : all.standing;
    all.now_ns = to_ns;
}

// The caller is not READY, or lets others go first.
static void go_on(void)
{
    const struct fiber *self = all.current;
    const void *attends = all.attends[self->owner];
    if (attends && self->what != attends) {
        fibers_wake(attends);
    }
    for (;;) {
        while (all.event_count > 0 && all.events[0].ns <= all.now_ns) {
            const struct event event = take_event();
            event.call(event.context);
        }
        const uint64_t next_ns = look_at_deadlines();
        struct fiber *next = choose();
        if (next) {
            all.switches++;
            if (++all.standing > STANDSTILL) {
                tell_all("time stands still");
            }
            trace(all.now_ns ^ next->owner);
            go_to(next);
            return;
        }
        const uint64_t event_ns = all.event_count > 0 ? all.events[0].ns : UINT64_MAX;
        advance(event_ns < next_ns ? event_ns : next_ns);
    }
}

bool fibers_wait(const void *what, uint64_t deadline_ns)
{
    struct fiber *self = all.current;
    self->what = what;
    self->deadline_ns = deadline_ns;
    self->in_time = true;
    self->state = WAITING;
    go_on();
    self->what = NULL;
    return self->in_time;
}

void fibers_wake(const void *what)
{
    for (struct fiber *fiber = all.first; fiber; fiber = fiber->next) {
        if (fiber->state == WAITING && fiber->what == what) {
            fiber->state = READY;
        }
    }
}

static void wake_one(const void *what)
{
    for (struct fiber *fiber = all.first; fiber; fiber = fiber->next) {
        if (fiber->state == WAITING && fiber->what == what) {
            fiber->state = READY;
            return;
        }
    }
}

void fibers_yield(void)
{
    go_on();
}

void fibers_sleep_until(uint64_t ns)
{
    if (ns > all.now_ns) {
        (void)fibers_wait(NULL, ns);
    } else {
        fibers_yield();
    }
}

// ---------------------------------------------------------------------------------------------------------
// Life

static struct fiber *fiber_make(const char *name)
{
    struct fiber *fiber = all.spare;
    if (fiber && name) {
        all.spare = fiber->next;
    } else {
        fiber = calloc(1, sizeof *fiber);
        BASE_ASSERT(fiber);
        if (name) { // with a page at its end that nobody may touch
            fiber->stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
            BASE_ASSERT(fiber->stack != MAP_FAILED);
            const int failed = mprotect(fiber->stack, 4096, PROT_NONE);
            BASE_ASSERT(!failed);
        }
    }
    (void)snprintf(fiber->name, sizeof fiber->name, "%s", name ? name : "the first");
    fiber->owner = all.current ? all.current->owner : 0;
    fiber->state = READY;
    fiber->next = NULL;
    fiber->fake = NULL;
    struct fiber **last = &all.first;
    while (*last) {
        last = &(*last)->next;
    }
    *last = fiber;
    return fiber;
}

static void fiber_free(struct fiber *fiber)
{
    struct fiber **at = &all.first;
    while (*at != fiber) {
        at = &(*at)->next;
    }
    *at = fiber->next;
    if (fiber->stack) {
        fiber->next = all.spare;
        all.spare = fiber;
    } else {
        free(fiber);
    }
}

void fibers_start(uint64_t seed)
{
    BASE_ASSERT(!all.first);
    all.random = seed * UINT64_C(0x2545f4914f6cdd1d) + 1;
    all.trace = all.switches = all.standing = all.event_number = 0;
    all.now_ns = begin_ns;
    memset(all.held, 0, sizeof all.held);
    memset(all.jumped_us, 0, sizeof all.jumped_us);
    memset(all.attends, 0, sizeof all.attends);
    all.current = fiber_make(NULL);
}

void fibers_end(void)
{
    if (all.first != all.current || all.current->next) {
        tell_all("somebody is left");
    }
    struct fiber *self = all.current;
    all.current = NULL;
    fiber_free(self);
    all.event_count = 0; // of brokers and disks that have gone
    while (all.spare) {
        struct fiber *spare = all.spare;
        all.spare = spare->next;
        (void)munmap(spare->stack, STACK_BYTES);
        free(spare);
    }
    free(all.events);
    all.events = NULL;
    all.event_room = 0;
}

uint32_t fibers_be(uint32_t owner)
{
    const uint32_t before = all.current->owner;
    BASE_ASSERT(owner < FIBERS_OWNERS);
    all.current->owner = owner;
    return before;
}

uint32_t fibers_owner(void)
{
    return all.current ? all.current->owner : 0;
}

void fibers_attend(const void *what)
{
    all.attends[all.current->owner] = what;
}

void fibers_hold(uint32_t owner, bool held)
{
    BASE_ASSERT(owner < FIBERS_OWNERS && (!all.current || owner != all.current->owner));
    all.held[owner] = held;
}

void fibers_jump(uint32_t owner, int64_t us)
{
    all.jumped_us[owner] += us;
}

// ---------------------------------------------------------------------------------------------------------
// base/thread.h. A lock's memory says who has it, and how many wait.

struct lock {
    const struct fiber *holder;
    uint32_t waiting;
};
_Static_assert(sizeof(struct lock) <= sizeof(pthread_mutex_t), "a lock has room for that");

static struct lock *of(struct base_mutex *mutex)
{
    return (struct lock *)(void *)&mutex->handle;
}

void base_mutex_init(struct base_mutex *mutex)
{
    memset(&mutex->handle, 0, sizeof mutex->handle);
}

void base_mutex_deinit(struct base_mutex *mutex)
{
    BASE_ASSERT(!of(mutex)->holder && of(mutex)->waiting == 0);
}

void base_mutex_lock(struct base_mutex *mutex)
{
    struct lock *lock = of(mutex);
    if (!all.current) { // before there are fibers, or after
        return;
    }
    BASE_ASSERT(lock->holder != all.current); // it would wait for itself
    if (fibers_draw() % GIVE_WAY == 0) {
        fibers_yield();
    }
    while (lock->holder) {
        lock->waiting++;
        (void)fibers_wait(mutex, UINT64_MAX);
        lock->waiting--;
    }
    lock->holder = all.current;
}

void base_mutex_unlock(struct base_mutex *mutex)
{
    struct lock *lock = of(mutex);
    if (!all.current) {
        return;
    }
    BASE_ASSERT(lock->holder == all.current);
    lock->holder = NULL;
    if (lock->waiting > 0) {
        wake_one(mutex);
    }
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
    wake_one(cond);
}

void base_cond_broadcast(struct base_cond *cond)
{
    fibers_wake(cond);
}

void base_cond_wait(struct base_cond *cond, struct base_mutex *mutex)
{
    (void)base_cond_wait_until(cond, mutex, UINT64_MAX);
}

bool base_cond_wait_until(struct base_cond *cond, struct base_mutex *mutex, uint64_t deadline_ns)
{
    base_mutex_unlock(mutex);
    const bool in_time = fibers_wait(cond, deadline_ns);
    base_mutex_lock(mutex);
    return in_time;
}

bool base_thread_start(struct base_thread *thread, const char *name, void (*run)(void *context),
                       void *context)
{
    BASE_ASSERT(all.current);
    struct fiber *fiber = fiber_make(name);
    fiber->run = run;
    fiber->argument = context;
    getcontext(&fiber->context);
    fiber->context.uc_stack.ss_sp = fiber->stack;
    fiber->context.uc_stack.ss_size = STACK_BYTES;
    makecontext(&fiber->context, enter_main, 0);
    thread->handle = (pthread_t)(uintptr_t)fiber;
    return true;
}

void base_thread_join(struct base_thread *thread)
{
    struct fiber *fiber = (struct fiber *)(uintptr_t)thread->handle;
    while (fiber->state != OVER) {
        (void)fibers_wait(fiber, UINT64_MAX);
    }
    fiber_free(fiber);
}

void base_thread_sleep(uint64_t ns)
{
    fibers_sleep_until(all.now_ns + ns);
}

void base_float_assert(void) {}

void base_thread_give_way(void) {}

bool base_threads(void)
{
    return true;
}

uint32_t base_thread_cores(void)
{
    return 1;
}

// ---------------------------------------------------------------------------------------------------------
// base/random.h and base/clock.h

bool base_random(void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        ((uint8_t *)bytes)[i] = (uint8_t)fibers_draw();
    }
    return true;
}

uint64_t base_now_ns(void)
{
    return all.now_ns;
}

uint64_t base_core_ns(void)
{
    return all.now_ns;
}

int base_core_clock(void)
{
    return 0;
}

uint64_t base_core_ns_of(int clock)
{
    (void)clock;
    return all.now_ns;
}

uint64_t base_wall_us(void)
{
    const uint32_t owner = fibers_owner();
    return (uint64_t)((int64_t)(begin_wall_us + (all.now_ns - begin_ns) / 1000) + all.jumped_us[owner]);
}
