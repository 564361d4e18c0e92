// The measures of a bake over time: a table (CSV) with a line for each tick that is kept.
//
//     tick,time,kinetic,potential,elastic,strain_rms,strain_max,volume_error_rms,volume_error_max,...,contacts
//
// Each kind of constraint whose error is told has its two columns before the last.
//
// It is written to PATH.part, which is renamed to PATH in the end. When a bake is resumed, lines after the checkpoint
// are removed.
#include "bake/bake.h"

#include "protocol/generated/api.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct bake_series {
    FILE *file;
    char *path, *part;
};

#define COLUMNS(NAME, name, max, rms) "," #name "_rms," #name "_max"
static const char head[] = "tick,time,kinetic,potential,elastic" PROTOCOL_ERRORS(COLUMNS) ",contacts\n";

// Size of the head and of the lines up to that tick; -1 if it is not such a table, or ends before.
static long bytes_until(FILE *file, uint64_t tick)
{
    char line[512];
    uint64_t at = 0;
    if (!fgets(line, sizeof line, file) || strcmp(line, head) != 0) {
        return -1;
    }
    long bytes = ftell(file);
    while (fgets(line, sizeof line, file) && strchr(line, '\n')) {
        at = strtoull(line, NULL, 10);
        if (at > tick) {
            break;
        }
        bytes = ftell(file);
    }
    return bytes;
}

static bool go_on(struct bake_series *series, uint64_t tick, struct fault *fault)
{
    series->file = fopen(series->part, "r+e");
    if (series->file) {
        setvbuf(series->file, NULL, _IOLBF, 0);
    }
    const long bytes = series->file ? bytes_until(series->file, tick) : -1;
    return (bytes >= 0 && ftruncate(fileno(series->file), bytes) == 0 &&
            fseek(series->file, bytes, SEEK_SET) == 0) ||
           fault_set(fault, FAULT_INVALID, NULL,
                     "%.300s, the measures up to the checkpoint, cannot be continued; --fresh starts from "
                     "the beginning",
                     series->part);
}

struct bake_series *bake_series_open(const char *path, bool goes_on, uint64_t tick, struct fault *fault)
{
    struct bake_series *series = calloc(1, sizeof *series);
    const size_t size = strlen(path) + 8;
    if (series) {
        series->path = strdup(path);
        series->part = malloc(size);
    }
    bool done = series && series->path && series->part;
    if (!done) {
        fault_set(fault, FAULT_MEMORY, NULL, "there is not enough memory");
    }
    if (done) {
        snprintf(series->part, size, "%s.part", path);
    }
    if (done && goes_on) {
        done = go_on(series, tick, fault);
    } else if (done) {
        series->file = fopen(series->part, "we");
        // Each row goes to the file at once, so that a kill loses none of them.
        done = series->file && setvbuf(series->file, NULL, _IOLBF, 0) == 0 && fputs(head, series->file) >= 0;
        if (!done) {
            fault_set(fault, FAULT_IO, NULL, "%.300s cannot be written: %s", path, strerror(errno));
        }
    }
    if (!done) {
        bake_series_close(series);
        return NULL;
    }
    return series;
}

bool bake_series_add(struct bake_series *series, uint64_t tick, double time,
                     const struct sim_measures *measures)
{
    double elastic = 0;
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        elastic += measures->elastic[kind];
    }
#define FORMAT(NAME, name, max, rms) ",%.17g,%.17g"
#define VALUES(NAME, name, max, rms) measures->error_rms[SIM_##NAME], measures->error_max[SIM_##NAME],
    return fprintf(series->file,
                   "%" PRIu64 ",%.17g,%.17g,%.17g,%.17g" PROTOCOL_ERRORS(FORMAT) ",%" PRIu32 "\n", tick, time,
                   measures->kinetic, measures->potential, elastic,
                   PROTOCOL_ERRORS(VALUES) measures->contacts) > 0;
}

bool bake_series_sync(struct bake_series *series, struct fault *fault)
{
    return (fflush(series->file) == 0 && fdatasync(fileno(series->file)) == 0) ||
           fault_set(fault, FAULT_IO, NULL, "%.300s cannot be written: %s", series->part, strerror(errno));
}

bool bake_series_finish(struct bake_series *series, struct fault *fault)
{
    return bake_series_sync(series, fault) &&
           (rename(series->part, series->path) == 0 ||
            fault_set(fault, FAULT_IO, NULL, "%.300s cannot be renamed to its final name: %s", series->path,
                      strerror(errno)));
}

void bake_series_discard(struct bake_series *series)
{
    unlink(series->part);
}

void bake_series_close(struct bake_series *series)
{
    if (!series) {
        return;
    }
    if (series->file) {
        fclose(series->file);
    }
    free(series->path);
    free(series->part);
    free(series);
}
