// Worlds that are timed in turns, so that what is compared meets the same machine.
//
//     round 1   a ticks, a traffic | b ticks, b traffic | c ...
//     round 2   ... c | b | a                                         forth and back
//
// "Traffic" is sim_carry: the same batches gathered, transposed and put back without arithmetic.
#ifndef WEFT_BENCH_GROUP_H
#define WEFT_BENCH_GROUP_H

#include "options.h"
#include "scene.h"

enum { BENCH_GROUP_MAX = 32 };

struct bench_subject {
    enum bench_kind kind;
    uint32_t width;
    enum sim_isa isa;
    uint32_t threads;
    bool silent; // there to be compared with; was told before

    struct sim *sim;
    uint32_t particles, constraints;
    uint32_t ticks; // of a run
    double tick_ns[BENCH_RUNS_MAX];
    double traffic_ns[BENCH_RUNS_MAX]; // of as many substeps as a tick has; 0: there is none
    double phases[SIM_PHASE_COUNT];    // share of a tick
    double own;                        // share of the time that this thread had a core to itself
    double ghz;                        // of a core meanwhile: 3 cycles a multiplication
    uint64_t hash;                     // at the end: all of one kind and width have run as many ticks
};

// Fills in all but the first fields. False if a world cannot be made or fails.
bool bench_group_run(struct bench_subject *subjects, uint32_t count, const struct bench_options *options);

// Medians over the rounds.
double bench_subject_ns(const struct bench_subject *subject, uint32_t runs);      // of a constraint
double bench_subject_ns_best(const struct bench_subject *subject, uint32_t runs); // of a constraint
double bench_subject_share(const struct bench_subject *subject, uint32_t runs); // traffic over ticks; 0: none
double bench_subject_ratio(const struct bench_subject *a, const struct bench_subject *b,
                           uint32_t runs); // nanoseconds a constraint of a over those of b
// The cost of the constraints that `whole` has and `base` does not: ns each, and the ratio to the memory traffic.
double bench_added_ns(const struct bench_subject *whole, const struct bench_subject *base, uint32_t runs);
double bench_added_ratio(const struct bench_subject *whole, const struct bench_subject *base, uint32_t runs);

#endif
