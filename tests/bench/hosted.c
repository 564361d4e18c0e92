#include "hosted.h"

#include "base/clock.h"
#include "host/runner.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const uint64_t start_delay_ns = 20000000;

static uint64_t due_ns(const struct bench_hosted *hosted, uint32_t tick)
{
    return hosted->base_ns + UINT64_C(1000000000) * tick / BENCH_TICK_RATE;
}

uint64_t bench_hosted_due_ns(const struct bench_hosted *hosted)
{
    return due_ns(hosted, hosted->ticks);
}

uint64_t bench_core_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

// The first line of a thread's file in /proc; empty if there is none.
static void read_line(const char *thread, const char *name, char line[64])
{
    char path[300];
    line[0] = '\0';
    snprintf(path, sizeof path, "/proc/self/task/%s/%s", thread, name);
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return;
    }
    if (fgets(line, 64, file) == NULL) {
        line[0] = '\0';
    }
    fclose(file);
}

// Time that simulation threads have waited for a core since they began; 0 if the kernel does not count it.
static uint64_t waited_now_ns(void)
{
    uint64_t sum = 0;
    DIR *threads = opendir("/proc/self/task");
    for (struct dirent *thread; threads != NULL && (thread = readdir(threads)) != NULL;) {
        char line[64], *rest;
        read_line(thread->d_name, "comm", line);
        if (strncmp(line, "sim-", 4) != 0) {
            continue;
        }
        read_line(thread->d_name, "schedstat", line); // on a core, runnable without one, turns
        strtoull(line, &rest, 10);
        sum += strtoull(rest, NULL, 10);
    }
    if (threads != NULL) {
        closedir(threads);
    }
    return sum;
}

static void trace(struct bench_hosted *hosted, const struct bench_tick_trace *tick)
{
    uint64_t waited_ns = waited_now_ns();
    struct bench_tick_trace *to = &hosted->trace[hosted->ticks];
    *to = *tick;
    // Threads that end take theirs along.
    to->waited_ns = waited_ns > hosted->waited_ns ? waited_ns - hosted->waited_ns : 0;
    hosted->waited_ns = waited_ns;
}

static uint64_t turn(void *context, uint64_t now_ns)
{
    struct bench_hosted *hosted = context;
    uint64_t due = due_ns(hosted, hosted->ticks);
    if (hosted->failed || now_ns < due) {
        return hosted->failed ? UINT64_MAX : due;
    }
    uint64_t begin = base_now_ns(), core_begin = bench_core_now_ns();
    if (hosted->before != NULL) {
        hosted->before(hosted->context);
    }
    hosted->failed = !bench_tick(hosted->sim, hosted->parallel, NULL);
    uint64_t end = base_now_ns();
    if (hosted->trace != NULL && hosted->ticks < hosted->trace_capacity) {
        trace(hosted, &(struct bench_tick_trace){due, begin, end, bench_core_now_ns() - core_begin, 0});
    }
    hosted->busy_ns += end - begin;
    hosted->ticks++;
    return due_ns(hosted, hosted->ticks);
}

struct host_runner *bench_hosted_start(struct bench_hosted *worlds, uint32_t count, uint32_t threads)
{
    struct host_runner *runner = host_runner_create(threads);
    if (runner == NULL) {
        return NULL;
    }
    uint64_t start_ns = base_now_ns() + start_delay_ns;
    for (uint32_t i = 0; i < count; i++) {
        struct bench_hosted *hosted = &worlds[i];
        hosted->parallel = host_runner_parallel(runner);
        hosted->base_ns = start_ns + UINT64_C(1000000000) / BENCH_TICK_RATE * i / count;
        hosted->ticks = 0;
        hosted->busy_ns = 0;
        hosted->waited_ns = 0;
        hosted->failed = false;
        struct host_runner_client client = {.turn = turn, .context = hosted};
        struct host_runner_entry *entry = host_runner_add(runner, &client);
        if (entry == NULL) {
            fprintf(stderr, "weft-bench: no memory for a world\n");
            host_runner_destroy(runner);
            return NULL;
        }
        host_runner_wake(entry);
    }
    return runner;
}

void bench_sleep_ms(uint32_t ms)
{
    struct timespec left = {ms / 1000, (long)(ms % 1000) * 1000000};
    while (nanosleep(&left, &left) != 0) {
        continue;
    }
}
