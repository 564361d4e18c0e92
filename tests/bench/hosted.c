#include "hosted.h"

#include "base/clock.h"
#include "host/runner.h"

#include <stdio.h>
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

static uint64_t turn(void *context, uint64_t now_ns)
{
    struct bench_hosted *hosted = context;
    uint64_t due = due_ns(hosted, hosted->ticks);
    if (hosted->failed || now_ns < due)
        return hosted->failed ? UINT64_MAX : due;
    uint64_t begin = base_now_ns();
    if (hosted->before != NULL)
        hosted->before(hosted->context);
    hosted->failed = !bench_tick(hosted->sim, hosted->parallel, NULL);
    uint64_t end = base_now_ns();
    if (hosted->trace != NULL && hosted->ticks < hosted->trace_capacity)
        hosted->trace[hosted->ticks] = (struct bench_tick_trace){due, begin, end};
    hosted->busy_ns += end - begin;
    hosted->ticks++;
    return due_ns(hosted, hosted->ticks);
}

struct host_runner *bench_hosted_start(struct bench_hosted *worlds, uint32_t count, uint32_t threads)
{
    struct host_runner *runner = host_runner_create(threads);
    if (runner == NULL)
        return NULL;
    uint64_t start_ns = base_now_ns() + start_delay_ns;
    for (uint32_t i = 0; i < count; i++) {
        struct bench_hosted *hosted = &worlds[i];
        hosted->parallel = host_runner_parallel(runner);
        hosted->base_ns = start_ns + UINT64_C(1000000000) / BENCH_TICK_RATE * i / count;
        hosted->ticks = 0;
        hosted->busy_ns = 0;
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
    while (nanosleep(&left, &left) != 0)
        continue;
}
