// Declarations that sweep.c and table.c share: the variants of a sweep and their results.
#ifndef WEFT_BAKE_SWEEP_H
#define WEFT_BAKE_SWEEP_H

#include "bake/bake.h"
#include "base/thread.h"
#include "record/meter.h"

#include <jansson.h>
#include <stdatomic.h>
#include <stdio.h>

struct bake_variant {
    const char *values[BAKE_SETS_MAX];
    char *output, *series;
    struct bake_result result;
    bool done; // has a result, from this run or an earlier one
};

struct bake_sweep {
    const struct bake_options *options;
    const struct bake_scene *scene;
    bool (*stop)(void);
    struct bake_variant *variants;
    uint32_t count;
    atomic_uint next;
    struct base_mutex mutex; // guards the fields below, and the lines of progress
    struct record_meter meter;
    uint32_t finished;
    FILE *log; // OUT.sweep; NULL: none
};

// table.c
// the result of a variant, which is also what the log keeps
json_t *bake_row(const struct bake_sweep *sweep, uint32_t variant);
bool bake_table_print(const struct bake_sweep *sweep); // prints all results in the format of the options
double bake_tick_ms(const struct bake_result *result);

#endif
