// Runs bakes: one with all threads, or each combination of values with a thread of its own.
//
//     --set a=1,2 --set b=x,y     variants 1: a=1 b=x   2: a=1 b=y   3: a=2 b=x   4: a=2 b=y
//
// With an output each variant has its own (OUT-1.npz ...). OUT.sweep keeps a line for each finished variant until all
// are done, so that a stopped sweep is resumed with the rest.
#include "bake/sweep.h"

#include "protocol/generated/api.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS_MAX = 64 };

// ---------------------------------------------------------------------------------------------------------
// Variants

// PATH for a single variant, else PATH with "-NUMBER" before its ending.
static bool name_file(const struct bake_sweep *sweep, const char *path, uint32_t number, char **name)
{
    if (!path) {
        return true;
    }
    const char *end = strrchr(path, '.');
    const size_t size = strlen(path) + 16;
    *name = malloc(size);
    if (*name && sweep->count > 1) {
        snprintf(*name, size, "%.*s-%u%s", (int)(end - path), path, number, end);
    } else if (*name) {
        snprintf(*name, size, "%s", path);
    }
    return *name != NULL;
}

static bool make_variants(struct bake_sweep *sweep, struct fault *fault)
{
    const struct bake_options *options = sweep->options;
    sweep->count = 1;
    for (uint32_t s = 0; s < options->set_count; s++) {
        sweep->count *= options->sets[s].value_count;
    }
    sweep->variants = calloc(sweep->count, sizeof *sweep->variants);
    if (!sweep->variants) {
        return fault_set(fault, FAULT_MEMORY, NULL, "there is not enough memory");
    }
    for (uint32_t v = 0; v < sweep->count; v++) {
        uint32_t rest = v;
        for (uint32_t s = options->set_count; s > 0; s--) {
            const struct bake_set *set = &options->sets[s - 1];
            sweep->variants[v].values[s - 1] = set->values[rest % set->value_count];
            rest /= set->value_count;
        }
        if (!name_file(sweep, options->output, v + 1, &sweep->variants[v].output) ||
            !name_file(sweep, options->series, v + 1, &sweep->variants[v].series)) {
            return fault_set(fault, FAULT_MEMORY, NULL, "there is not enough memory");
        }
    }
    return true;
}

static void run_variant(const struct bake_sweep *sweep, struct bake_variant *variant,
                        struct base_parallel *parallel, void (*progress)(void *, uint64_t, uint64_t),
                        void *context)
{
    struct fault fault;
    struct bake_job job = {.options = sweep->options,
                           .output = variant->output,
                           .series = variant->series,
                           .parallel = parallel,
                           .tells = variant == sweep->variants,
                           .stop = sweep->stop,
                           .progress = progress,
                           .context = context};
    void *document;
    variant->done = true;
    if (!bake_scene_document(sweep->scene, sweep->options->sets, variant->values, sweep->options->set_count,
                             &document, &job.document_size, &fault)) {
        variant->result = (struct bake_result){.status = BAKE_USAGE};
        snprintf(variant->result.text, sizeof variant->result.text, "%s", fault.text);
        return;
    }
    job.document = document;
    bake_run(&job, &variant->result);
    free(document);
}

// ---------------------------------------------------------------------------------------------------------
// The log of a sweep

static json_t *identity_of(const struct bake_sweep *sweep, uint32_t v)
{
    const struct bake_options *options = sweep->options;
    json_t *row = bake_row(sweep, v);
    json_t *identity = json_pack(
        "{s:O, s:O, s:I, s:f, s:i, s:b, s:s}", "series", json_object_get(row, "series"), "set",
        json_object_get(row, "set"), "ticks", (json_int_t)options->ticks, "seconds", options->seconds,
        "every", (int)options->every, "substeps", options->substeps, "scene", sweep->scene->path);
    json_decref(row);
    return identity;
}

static void remember(const struct bake_sweep *sweep, uint32_t v)
{
    json_t *line = json_pack("{s:o, s:o}", "of", identity_of(sweep, v), "row", bake_row(sweep, v));
    if (line && json_dumpf(line, sweep->log, JSON_COMPACT | JSON_REAL_PRECISION(17)) == 0) {
        fputc('\n', sweep->log);
        fflush(sweep->log);
    }
    json_decref(line);
}

static void recall_line(struct bake_sweep *sweep, const char *line)
{
    json_t *entry = json_loads(line, 0, NULL);
    const json_t *row = json_object_get(entry, "row");
    json_int_t number = json_integer_value(json_object_get(row, "variant"));
    if (number < 1 || number > sweep->count) {
        json_decref(entry);
        return;
    }
    struct bake_variant *variant = &sweep->variants[number - 1];
    json_t *identity = identity_of(sweep, (uint32_t)number - 1);
    bool same = json_equal(json_object_get(entry, "of"), identity) == 1 &&
                access(variant->output, F_OK) == 0 &&
                (!variant->series || access(variant->series, F_OK) == 0);
    json_decref(identity);
    const char *hash = json_string_value(json_object_get(row, "hash"));
    if (same && hash) {
        struct bake_result *result = &variant->result;
#define ERROR(NAME, name, max, rms)                                               \
    .error_rms[SIM_##NAME] = json_real_value(json_object_get(row, #name "_rms")), \
    .error_max[SIM_##NAME] = json_real_value(json_object_get(row, #name "_max")),
        variant->done = true;
        *result = (struct bake_result){
            .ticks = (uint64_t)json_integer_value(json_object_get(row, "ticks")),
            .particles = (uint64_t)json_integer_value(json_object_get(row, "particles")),
            .seconds = json_real_value(json_object_get(row, "seconds")),
            .measures = {.kinetic = json_real_value(json_object_get(row, "kinetic")),
                         .potential = json_real_value(json_object_get(row, "potential")),
                         .elastic = {json_real_value(json_object_get(row, "elastic"))},
                         PROTOCOL_ERRORS(ERROR)},
            .hash = strtoull(hash, NULL, 16),
        };
    }
    json_decref(entry);
}

static bool open_log(struct bake_sweep *sweep, const char *path, struct fault *fault)
{
    char *line = NULL;
    size_t capacity = 0;
    FILE *before = sweep->options->fresh ? NULL : fopen(path, "re");
    while (before && getline(&line, &capacity, before) > 0) {
        recall_line(sweep, line);
    }
    free(line);
    if (before) {
        fclose(before);
    }
    sweep->log = fopen(path, sweep->options->fresh ? "we" : "ae");
    return sweep->log || fault_set(fault, FAULT_IO, NULL, "%s cannot be written", path);
}

// ---------------------------------------------------------------------------------------------------------
// Threads

static void on_ticks(void *context, uint64_t done, uint64_t total)
{
    (void)total;
    record_meter_show(context, done);
}

static void work(void *context)
{
    struct bake_sweep *sweep = context;
    for (uint32_t v; !sweep->stop() && (v = atomic_fetch_add(&sweep->next, 1)) < sweep->count;) {
        if (sweep->variants[v].done) {
            continue;
        }
        run_variant(sweep, &sweep->variants[v], NULL, NULL, NULL);
        base_mutex_lock(&sweep->mutex);
        sweep->finished++;
        if (sweep->log && sweep->variants[v].result.status == BAKE_OK) {
            remember(sweep, v);
        }
        if (!sweep->options->quiet) {
            record_meter_show(&sweep->meter, sweep->finished);
        }
        base_mutex_unlock(&sweep->mutex);
    }
}

static bool run_all(struct bake_sweep *sweep, struct fault *fault)
{
    struct base_thread threads[THREADS_MAX];
    uint32_t count = sweep->options->threads < sweep->count ? sweep->options->threads : sweep->count,
             started = 1;
    for (uint32_t v = 0; v < sweep->count; v++) {
        sweep->finished += sweep->variants[v].done;
    }
    record_meter_begin(&sweep->meter, "baking", "variants", sweep->finished, sweep->count);
    while (started < count && base_thread_start(&threads[started], "bake", work, sweep)) {
        started++;
    }
    work(sweep);
    for (uint32_t t = 1; t < started; t++) {
        base_thread_join(&threads[t]);
    }
    record_meter_clear(&sweep->meter);
    return started == count ||
           fault_set(fault, FAULT_INVALID, NULL, "only %u of %u threads could be started", started, count);
}

static void run_one(struct bake_sweep *sweep, struct base_team *team)
{
    struct record_meter meter;
    const struct bake_options *options = sweep->options;
    record_meter_begin(&meter, "baking", "ticks", 0, options->ticks);
    run_variant(sweep, &sweep->variants[0], base_team_parallel(team), options->quiet ? NULL : on_ticks,
                &meter);
    record_meter_clear(&meter);
}

static enum bake_status worst_of(const struct bake_sweep *sweep)
{
    enum bake_status worst = BAKE_OK;
    for (uint32_t v = 0; v < sweep->count; v++) {
        const struct bake_variant *variant = &sweep->variants[v];
        enum bake_status status = variant->done ? variant->result.status : BAKE_STOPPED;
        if (status == BAKE_STOPPED || worst == BAKE_OK) {
            worst = worst == BAKE_STOPPED ? worst : status;
        }
    }
    return worst;
}

// Prints as the last line, below the results, why not all is done, so that nobody takes them for complete.
static void tell_failure(const struct bake_sweep *sweep, enum bake_status status)
{
    const struct bake_result *first = &sweep->variants[0].result;
    uint32_t failed = 0;
    fflush(stdout);
    for (uint32_t v = 0; v < sweep->count; v++) {
        const enum bake_status own = sweep->variants[v].result.status;
        failed += sweep->variants[v].done && own != BAKE_OK && own != BAKE_STOPPED;
    }
    const char *word = status == BAKE_STOPPED ? "STOPPED" : status == BAKE_USAGE ? "INVALID" : "FAILED";
    if (sweep->count == 1) {
        fprintf(stderr, "weft: %s: %s\n", word, first->text);
    } else if (status == BAKE_STOPPED) {
        fprintf(stderr, "weft: STOPPED: %s\n",
                sweep->log ? "the same command goes on with what is left" : "what was done is above");
    } else {
        fprintf(stderr, "weft: FAILED: %u of %u variants failed; the notes say why\n", failed, sweep->count);
    }
}

static bool print_one(const struct bake_sweep *sweep)
{
    const struct bake_variant *variant = &sweep->variants[0];
    const struct bake_result *result = &variant->result;
    printf("%" PRIu64 " %s of %" PRIu64 " %s in %.2f s, %.3g ms each; hash %016" PRIx64 "\n", result->ticks,
           result->ticks == 1 ? "tick" : "ticks", result->particles,
           result->particles == 1 ? "particle" : "particles", result->seconds, bake_tick_ms(result),
           result->hash);
    if (result->written) {
        printf("%" PRIu64 " %s in %s\n", result->frames, result->frames == 1 ? "frame" : "frames",
               variant->output);
    }
    return fflush(stdout) == 0;
}

static enum bake_status tell(const struct bake_sweep *sweep)
{
    enum bake_status status = worst_of(sweep);
    const bool alone = sweep->count == 1;
    // There is nothing to print for a bake that can be resumed, nor for one that was refused.
    const bool quiet =
        alone ? status == BAKE_USAGE || status == BAKE_STOPPED : status == BAKE_STOPPED && sweep->log;
    bool printed = true;
    if (!quiet) {
        printed = alone && sweep->options->table == BAKE_TEXT ? print_one(sweep) : bake_table_print(sweep);
    }
    if (status != BAKE_OK) {
        tell_failure(sweep, status);
    }
    return printed ? status : BAKE_FAILED;
}

enum bake_status bake_sweep(const struct bake_options *options, const struct bake_scene *scene,
                            bool (*stop)(void))
{
    struct bake_sweep sweep = {.options = options, .scene = scene, .stop = stop};
    struct fault fault;
    char log_path[4200] = "";
    base_mutex_init(&sweep.mutex);
    bool done = make_variants(&sweep, &fault);
    if (done && sweep.count > 1 && options->output) {
        snprintf(log_path, sizeof log_path, "%.4000s.sweep", options->output);
        done = open_log(&sweep, log_path, &fault);
    }
    if (done && sweep.count > 1) {
        done = run_all(&sweep, &fault);
    } else if (done) {
        struct base_team *team = base_team_create(options->threads);
        done = team || fault_set(&fault, FAULT_INVALID, NULL, "threads are wanting");
        if (done) {
            run_one(&sweep, team);
        }
        base_team_destroy(team);
    }
    enum bake_status status = BAKE_FAILED;
    if (done) {
        status = tell(&sweep);
    } else {
        fprintf(stderr, "weft: FAILED: %s\n", fault.text);
    }
    if (sweep.log) {
        fclose(sweep.log);
    }
    if (sweep.log && done && status != BAKE_STOPPED) {
        unlink(log_path);
    }
    for (uint32_t v = 0; sweep.variants && v < sweep.count; v++) {
        free(sweep.variants[v].output);
        free(sweep.variants[v].series);
    }
    free(sweep.variants);
    base_mutex_deinit(&sweep.mutex);
    return status;
}
