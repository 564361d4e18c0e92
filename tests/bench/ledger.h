// A provider of threads that has none: it runs tasks on the calling thread and writes down how long each of them takes.
// So it tells what a second thread could gain at most, also on a machine that has no second core to spare.
#ifndef WEFT_BENCH_LEDGER_H
#define WEFT_BENCH_LEDGER_H

#include "base/parallel.h"

#include <stdint.h>

// Processor time, ns.
struct ledger_sums {
    double all;    // of everything
    double shared; // of tasks, one after the other
    double two;    // of tasks, if each next one went to whichever of two threads is free first
};

struct ledger {
    struct base_parallel parallel; // first, so that a pointer to it is one to the ledger
    struct ledger_sums now;        // since it was marked
    uint64_t marked_ns;
    double clock_ns; // what a look at the clock takes; each task has two
    uint64_t looks;
};

void ledger_init(struct ledger *ledger);
void ledger_mark(struct ledger *ledger); // begins to count
// Adds to the sums what was done since the last mark, and marks again.
void ledger_add(struct ledger *ledger, struct ledger_sums *sums);
// The time of one thread over that of two, at most: what is not shared out runs on one of them.
double ledger_gain(const struct ledger_sums *sums);

#endif
