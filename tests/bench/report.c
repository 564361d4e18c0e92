#include "report.h"

#include "options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool bench_report_init(struct bench_report *report, const char *path)
{
    *report = (struct bench_report){.rows = json_array(), .path = path};
    if (report->rows == NULL) {
        fprintf(stderr, "weft-bench: no memory\n");
        return false;
    }
    if (path != NULL && (report->file = fopen(path, "w")) == NULL) {
        fprintf(stderr, "weft-bench: %s: cannot be written: %s\n", path, strerror(errno));
        json_decref(report->rows);
        return false;
    }
    return true;
}

bool bench_report_finish(struct bench_report *report)
{
    if (report->goals_met + report->goals_missed > 0) {
        printf("\n%" PRIu32 " goals met, %" PRIu32 " missed\n", report->goals_met, report->goals_missed);
    }
    if (report->file != NULL) {
        bool written = json_dumpf(report->rows, report->file, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) == 0 &&
                       fputc('\n', report->file) != EOF;
        if (fclose(report->file) != 0 || !written) {
            fprintf(stderr, "weft-bench: %s: cannot be written\n", report->path);
            report->failed = true;
        }
    }
    json_decref(report->rows);
    return !report->failed;
}

static void keep(struct bench_report *report, int status)
{
    if (status != 0 && !report->failed) {
        fprintf(stderr, "weft-bench: no memory for the results\n");
        report->failed = true;
    }
}

json_t *bench_report_row(struct bench_report *report, const char *name, uint32_t width, const char *isa,
                         uint32_t threads)
{
    static const char *const fields[] = {
        "constraints", "substeps", "ns_per_constraint", "ms_per_tick", "share_of_limit", "hash",
    };
    json_t *row = json_object();
    keep(report, json_array_append_new(report->rows, row));
    keep(report, json_object_set_new(row, "case", json_string(name)));
    keep(report, json_object_set_new(row, "width", json_integer(width)));
    keep(report, json_object_set_new(row, "isa", isa != NULL ? json_string(isa) : json_null()));
    keep(report, json_object_set_new(row, "threads", threads != 0 ? json_integer(threads) : json_null()));
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        keep(report, json_object_set_new(row, fields[i], json_null()));
    }
    return row;
}

void bench_report_number(struct bench_report *report, json_t *row, const char *field, double value)
{
    keep(report, json_object_set_new(row, field, json_real(value)));
}

void bench_report_count(struct bench_report *report, json_t *row, const char *field, uint64_t value)
{
    keep(report, json_object_set_new(row, field, json_integer((json_int_t)value)));
}

void bench_report_hash(struct bench_report *report, json_t *row, uint64_t hash)
{
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    keep(report, json_object_set_new(row, "hash", json_string(text)));
}

void bench_report_goal(struct bench_report *report, json_t *row, const struct bench_goal *goal)
{
    bool met = goal->at_least ? goal->value >= goal->limit : goal->value <= goal->limit;
    bool by_ratio = goal->ratio_most > 0 && goal->ratio > 0 && goal->ratio <= goal->ratio_most;
    printf("  goal: %s: %.4g%s%s (at %s %g)", goal->what, goal->value, *goal->unit ? " " : "", goal->unit,
           goal->at_least ? "least" : "most", goal->limit);
    if (goal->ratio_most > 0 && goal->ratio > 0) {
        printf(", or %.2f times the baseline (at most %g)", goal->ratio, goal->ratio_most);
    }
    met = met || by_ratio;
    printf("  %s\n", met ? "met" : "MISSED");
    fflush(stdout);
    report->goals_met += met;
    report->goals_missed += !met;
    json_t *goals = json_object_get(row, "goals");
    if (goals == NULL) {
        keep(report, json_object_set_new(row, "goals", json_array()));
        goals = json_object_get(row, "goals");
    }
    json_t *entry = json_object();
    keep(report, json_array_append_new(goals, entry));
    keep(report, json_object_set_new(entry, "what", json_string(goal->what)));
    keep(report, json_object_set_new(entry, "unit", json_string(goal->unit)));
    bench_report_number(report, entry, "value", goal->value);
    bench_report_number(report, entry, goal->at_least ? "at_least" : "at_most", goal->limit);
    if (goal->ratio_most > 0 && goal->ratio > 0) {
        bench_report_number(report, entry, "times_baseline", goal->ratio);
        bench_report_number(report, entry, "times_baseline_at_most", goal->ratio_most);
    }
    keep(report, json_object_set_new(entry, "met", json_boolean(met)));
}

// ------------------------------------------------------------------------------------------------- numbers

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(const double *values, uint32_t count)
{
    double sorted[BENCH_RUNS_MAX];
    memcpy(sorted, values, count * sizeof *values);
    qsort(sorted, count, sizeof *sorted, by_value);
    return sorted[(count - 1) / 2];
}

double bench_least(const double *values, uint32_t count)
{
    double least = values[0];
    for (uint32_t i = 1; i < count; i++) {
        least = values[i] < least ? values[i] : least;
    }
    return least;
}

double bench_greatest(const double *values, uint32_t count)
{
    double greatest = values[0];
    for (uint32_t i = 1; i < count; i++) {
        greatest = values[i] > greatest ? values[i] : greatest;
    }
    return greatest;
}
