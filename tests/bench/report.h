// The results of a benchmark: rows for the JSON file, and goals printed beside them.
//
// Every row has the fields case, width, isa, threads, constraints, substeps, ns_per_constraint, ms_per_tick,
// share_of_limit and hash; what does not apply to a case is null.
#ifndef WEFT_BENCH_REPORT_H
#define WEFT_BENCH_REPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct bench_report {
    json_t *rows;
    FILE *file; // NULL: no JSON is wanted
    const char *path;
    bool failed; // a world failed, hashes differ, or memory ran out
    uint32_t goals_met, goals_missed;
};

// path NULL: none. Opens the file at once, so that a wrong path is told before anything runs. False, with a line on
// stderr, if that cannot be done.
bool bench_report_init(struct bench_report *report, const char *path);
// Writes the file, and how many goals were met. False if anything failed.
bool bench_report_finish(struct bench_report *report);

// Borrowed; fields are added by bench_report_number and json_object_set_new. threads 0: null.
json_t *bench_report_row(struct bench_report *report, const char *name, uint32_t width, const char *isa,
                         uint32_t threads);
void bench_report_number(struct bench_report *report, json_t *row, const char *field, double value);
void bench_report_count(struct bench_report *report, json_t *row, const char *field, uint64_t value);
void bench_report_hash(struct bench_report *report, json_t *row, uint64_t hash);

struct bench_goal {
    char what[96];
    double value, limit;
    const char *unit;
    bool at_least;            // else at most
    double ratio, ratio_most; // or: times the baseline, where the goal has that (ratio_most > 0)
};

// Prints the line, and keeps the goal with the row.
void bench_report_goal(struct bench_report *report, json_t *row, const struct bench_goal *goal);

// The middle one; of an even number the lower of both. At most BENCH_RUNS_MAX values.
double bench_median(const double *values, uint32_t count);
double bench_least(const double *values, uint32_t count);
double bench_greatest(const double *values, uint32_t count);

#endif
