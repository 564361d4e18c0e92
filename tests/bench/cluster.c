#include "cluster.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct brokers brokers;
static natsConnection *connections[BENCH_CONNECTIONS];
static jsCtx *contexts[BENCH_CONNECTIONS];
static FILE *costs;
static char payload[BENCH_ENTRY_BYTES + 1];

_Noreturn void bench_fail(const char *what, natsStatus status)
{
    (void)fprintf(stderr, "bench_cluster: %s: %s\n", what, natsStatus_GetText(status));
    brokers_stop(&brokers);
    exit(EXIT_FAILURE);
}

void bench_check(natsStatus status, const char *what)
{
    if (status != NATS_OK) {
        bench_fail(what, status);
    }
}

static void connect_all(void)
{
    const uint64_t deadline_ns = base_now_ns() + UINT64_C(20000000000);
    for (int i = 0; i < BENCH_CONNECTIONS; i++) {
        char url[64];
        (void)snprintf(url, sizeof url, "nats://127.0.0.1:%d", brokers.ports[i % brokers.count]);
        natsStatus status = NATS_ERR;
        while (status != NATS_OK && base_now_ns() < deadline_ns) {
            status = natsConnection_ConnectTo(&connections[i], url);
            (void)usleep(status == NATS_OK ? 0 : 50000);
        }
        bench_check(status, url);
        bench_check(natsConnection_JetStream(&contexts[i], connections[i], NULL), "JetStream");
    }
}

void bench_start(const char *costs_path)
{
    memset(payload, '|', BENCH_ENTRY_BYTES);
    costs = costs_path ? fopen(costs_path, "w") : NULL;
    if (costs) {
        (void)fprintf(costs, "{\n  \"brokers\": %d", BROKERS_MAX);
    }
    brokers_start(&brokers, BROKERS_MAX, true);
    connect_all();
}

void bench_stop(void)
{
    if (costs) {
        (void)fprintf(costs, "\n}\n");
        (void)fclose(costs);
    }
    for (int i = 0; i < BENCH_CONNECTIONS; i++) {
        jsCtx_Destroy(contexts[i]);
        natsConnection_Destroy(connections[i]);
    }
    brokers_stop(&brokers);
}

const struct brokers *bench_brokers(void)
{
    return &brokers;
}

natsConnection *bench_connection(int client)
{
    return connections[client % BENCH_CONNECTIONS];
}

jsCtx *bench_context(int client)
{
    return contexts[client % BENCH_CONNECTIONS];
}

const char *bench_payload(void)
{
    return payload;
}

kvStore *bench_bucket(const char *name, bool memory, bool again)
{
    jsRePublish republish = {.Source = ">", .Destination = "again.>"};
    kvConfig config;
    kvStore *bucket = NULL;
    kvConfig_Init(&config);
    config.Bucket = name;
    config.History = 1;
    config.Replicas = brokers.count;
    config.StorageType = memory ? js_MemoryStorage : js_FileStorage;
    config.RePublish = again ? &republish : NULL;
    natsStatus status = NATS_ERR;
    // Brokers that have just started elect a leader first.
    for (int i = 0; i < 200 && status != NATS_OK; i++) {
        status = js_CreateKeyValue(&bucket, contexts[0], &config);
        (void)usleep(status == NATS_OK ? 0 : 100000);
    }
    bench_check(status, "a bucket");
    return bucket;
}

// ---------------------------------------------------------------------------------------------------------
// Time, on the clock and of the brokers' processors

static double core_seconds(pid_t process)
{
    char path[64], line[1024];
    (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *file = fopen(path, "r");
    if (!file) {
        return 0;
    }
    const char *at = fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
    (void)fclose(file);
    // user and system time are the 14th and 15th field; the second ends with the bracket
    for (int field = 2; at && field < 14; field++) {
        at = strchr(at + 1, ' ');
    }
    char *end = NULL;
    const double ticks = at ? strtod(at, &end) + strtod(end, NULL) : 0;
    return ticks / (double)sysconf(_SC_CLK_TCK);
}

double bench_resident_mb(void)
{
    double sum = 0;
    for (int i = 0; i < brokers.count; i++) {
        char path[64];
        double pages = 0;
        (void)snprintf(path, sizeof path, "/proc/%d/statm", (int)brokers.processes[i]);
        FILE *file = fopen(path, "r");
        char line[128];
        if (file && fgets(line, sizeof line, file)) {
            char *end = line;
            (void)strtod(line, &end);
            pages = strtod(end, NULL);
        }
        if (file) {
            (void)fclose(file);
        }
        sum += pages * (double)sysconf(_SC_PAGESIZE) / 1048576;
    }
    return sum;
}

struct bench_span bench_span_now(void)
{
    struct bench_span span = {.ns = base_now_ns()};
    for (int i = 0; i < brokers.count; i++) {
        span.core_s[i] = core_seconds(brokers.processes[i]);
    }
    return span;
}

struct bench_spent bench_spent_since(const struct bench_span *begin)
{
    const struct bench_span end = bench_span_now();
    struct bench_spent spent = {.s = (double)(end.ns - begin->ns) * 1e-9};
    for (int i = 0; i < brokers.count; i++) {
        const double core_s = end.core_s[i] - begin->core_s[i];
        spent.core_s += core_s;
        spent.busiest_s = core_s > spent.busiest_s ? core_s : spent.busiest_s;
    }
    return spent;
}

void bench_tell(const char *what, double count, const struct bench_spent *spent)
{
    printf("%-44s %9.0f a second; brokers %7.1f us each, the busiest %6.1f", what, count / spent->s,
           spent->core_s / count * 1e6, spent->busiest_s / count * 1e6);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void bench_sort(double *ms, size_t count)
{
    qsort(ms, count, sizeof *ms, by_size);
}

void bench_tell_latency(double *ms, size_t count)
{
    bench_sort(ms, count);
    printf("; median %.2f ms, 99 %% %.1f, most %.0f\n", ms[count / 2], ms[count - 1 - count / 100],
           ms[count - 1]);
}

void bench_cost(const char *name, double value)
{
    if (costs) {
        (void)fprintf(costs, ",\n  \"%s\": %.4g", name, value);
    }
}
