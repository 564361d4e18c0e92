// Many streams: made, at rest, and appended to.
#include "cluster.h"
#include "cluster_cases.h"

#include "base/clock.h"
#include "base/thread.h"

#include <stdio.h>
#include <unistd.h>

struct maker {
    struct base_thread thread;
    int connection, begin, end;
    natsStatus status;
};

static void make_streams(void *context)
{
    struct maker *maker = context;
    for (int i = maker->begin; i < maker->end && maker->status == NATS_OK; i++) {
        jsStreamConfig config;
        jsOptions options;
        char name[32], subjects[32];
        const char *subject = subjects;
        (void)jsOptions_Init(&options);
        options.Wait = 30000;
        (void)snprintf(name, sizeof name, "bench-w-%d", i);
        (void)snprintf(subjects, sizeof subjects, "bench.w.%d.*", i);
        (void)jsStreamConfig_Init(&config);
        config.Name = name;
        config.Subjects = &subject;
        config.SubjectsLen = 1;
        config.AllowDirect = true;
        config.Replicas = BROKERS_MAX;
        maker->status = js_AddStream(NULL, bench_context(maker->connection), &config, &options, NULL);
    }
}

enum { MAKERS = 8 };

static void measure_making(int begin, int end)
{
    struct maker makers[MAKERS];
    const double before_mb = bench_resident_mb();
    const struct bench_span span = bench_span_now();
    for (int i = 0; i < MAKERS; i++) {
        makers[i] = (struct maker){.connection = i,
                                   .begin = begin + (end - begin) * i / MAKERS,
                                   .end = begin + (end - begin) * (i + 1) / MAKERS,
                                   .status = NATS_OK};
        if (!base_thread_start(&makers[i].thread, "maker", make_streams, &makers[i])) {
            bench_fail("a thread", NATS_NO_MEMORY);
        }
    }
    for (int i = 0; i < MAKERS; i++) {
        base_thread_join(&makers[i].thread);
        bench_check(makers[i].status, "a stream");
    }
    const struct bench_spent made = bench_spent_since(&span);
    char what[64];
    (void)snprintf(what, sizeof what, "streams made, %d to %d", begin, end);
    bench_tell(what, end - begin, &made);
    (void)sleep(3);
    const struct bench_span idle = bench_span_now();
    (void)sleep(6);
    const struct bench_spent spent = bench_spent_since(&idle);
    const double kb = (bench_resident_mb() - before_mb) / (end - begin) * 1024;
    printf("; %.0f KB of memory each in all brokers; with %d that rest brokers take %.3f s a second\n", kb,
           end, spent.core_s / spent.s);
    if (end >= 1000) {
        bench_cost("stream_kb", kb);
        bench_cost("stream_idle_us_a_second", spent.core_s / spent.s / end * 1e6);
        bench_cost("stream_make_a_second", (end - begin) / made.s);
    }
}

// Each stream has one append under way; the next round begins when all of this one are acknowledged.
static void measure_appends(int streams)
{
    struct bench_span begin = {0};
    static double ms[BENCH_SAMPLES_MAX];
    size_t rounds = 0;
    // The first round makes each stream's files.
    for (int round = 0; round < 1 || base_now_ns() - begin.ns < UINT64_C(4000000000); round++) {
        if (round == 1) {
            begin = bench_span_now();
        }
        const uint64_t began_ns = base_now_ns();
        for (int i = 0; i < streams; i++) {
            char subject[32];
            (void)snprintf(subject, sizeof subject, "bench.w.%d.log", i);
            bench_check(js_PublishAsync(bench_context(i), subject, bench_payload(), BENCH_ENTRY_BYTES, NULL),
                        "an append");
        }
        for (int i = 0; i < BENCH_CONNECTIONS; i++) {
            bench_check(js_PublishAsyncComplete(bench_context(i), NULL), "appends");
        }
        if (round > 0 && rounds < BENCH_SAMPLES_MAX) {
            ms[rounds++] = (double)(base_now_ns() - began_ns) * 1e-6;
        }
        if (round == 0) {
            begin.ns = base_now_ns();
        }
    }
    const double count = (double)rounds * streams;
    const struct bench_spent spent = bench_spent_since(&begin);
    char what[64], name[64];
    (void)snprintf(what, sizeof what, "appends, one of each of %d streams", streams);
    bench_tell(what, count, &spent);
    (void)snprintf(name, sizeof name, "append_%d_us", streams);
    bench_cost(name, spent.core_s / count * 1e6);
    (void)snprintf(name, sizeof name, "append_%d_a_second", streams);
    bench_cost(name, count / spent.s);
    bench_sort(ms, rounds);
    (void)snprintf(name, sizeof name, "append_%d_ms", streams);
    bench_cost(name, ms[rounds / 2]);
    printf("; a round: median %.2f ms, 99 %% %.1f\n", ms[rounds / 2], ms[rounds - 1 - rounds / 100]);
}

void bench_cluster_streams(int most)
{
    int made = 0;
    for (int streams = 1; streams <= most; streams *= 10) {
        if (streams >= 100) {
            measure_making(made, streams);
            made = streams;
        } else if (streams == 1) {
            measure_making(0, 10);
            made = 10;
        }
        measure_appends(streams);
    }
}
