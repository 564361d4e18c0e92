// Declarations that the files of bench_cluster share: three brokers, connections to them, their costs, and the output:
// a line for people, and costs for bench_cluster_model.py.
#ifndef WEFT_BENCH_CLUSTER_H
#define WEFT_BENCH_CLUSTER_H

#include "helper_brokers.h"

#include <nats/nats.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BENCH_CONNECTIONS = 24,
    BENCH_SAMPLES_MAX = 200000,
    BENCH_BEAT_BYTES = 120,  // run, name, addresses, load
    BENCH_ENTRY_BYTES = 150, // a message's head and one record
};

// costs NULL: no file of them is wanted.
void bench_start(const char *costs_path);
void bench_stop(void);
// Ends the program, and the brokers with it.
_Noreturn void bench_fail(const char *what, natsStatus status);
void bench_check(natsStatus status, const char *what); // the same, unless it is NATS_OK

const struct brokers *bench_brokers(void);
// Connection of the n-th client: clients share connections, which are spread over the brokers.
natsConnection *bench_connection(int client);
jsCtx *bench_context(int client);
const char *bench_payload(void); // BENCH_ENTRY_BYTES of it, each a bar

// A bucket of keys that all brokers have. again: what is put is published under again.> as well.
kvStore *bench_bucket(const char *name, bool memory, bool again);

// ---------------------------------------------------------------------------------------------------------
// What it takes: on the clock, and of the brokers' processors

struct bench_span {
    uint64_t ns;
    double core_s[BROKERS_MAX];
};

struct bench_spent {
    double s, core_s, busiest_s;
};

struct bench_span bench_span_now(void);
struct bench_spent bench_spent_since(const struct bench_span *begin);
double bench_resident_mb(void); // of all brokers

void bench_sort(double *ms, size_t count);
// The begin of a line; whoever calls it ends it, as bench_tell_latency does, which sorts.
void bench_tell(const char *what, double count, const struct bench_spent *spent);
void bench_tell_latency(double *ms, size_t count);
void bench_cost(const char *name, double value);

#endif
