// The cases of bench_cluster, each in a file of its own. They report their results; a failed measurement ends the
// program.
#ifndef WEFT_BENCH_CLUSTER_CASES_H
#define WEFT_BENCH_CLUSTER_CASES_H

#include <nats/nats.h>
#include <stdbool.h>

// Keys that change by compare-and-set, with storage in files and in memory.
void bench_cluster_keys(kvStore *files, kvStore *memory);
void bench_cluster_told(kvStore *memory, kvStore *again);
void bench_cluster_streams(int most);
bool bench_cluster_worlds(void); // false, with a line on stderr: one was not taken over

#endif
