// Bakes: one with all threads, or the product of all values with a thread each.
//
//     --set a=1,2 --set b=x,y     variants 1: a=1 b=x   2: a=1 b=y   3: a=2 b=x   4: a=2 b=y
//
// With an output each variant has one of its own (OUT-1.npz ...), and OUT.sweep keeps a line for each that is done
// until all are, so that a sweep that was stopped goes on with what is left.
#include "bake/bake.h"
#include "base/thread.h"
#include "record/meter.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS_MAX = 64 };

struct variant {
    const char *values[BAKE_SETS_MAX];
    char *output;
    struct bake_result result;
    bool done; // has a result, of this run or of one before
};

struct sweep {
    const struct bake_options *options;
    const struct bake_scene *scene;
    bool (*stop)(void);
    struct variant *variants;
    uint32_t count;
    atomic_uint next;
    struct base_mutex mutex; // guards what follows, and the lines of progress
    struct record_meter meter;
    uint32_t finished;
    FILE *log; // OUT.sweep; NULL: none
};

// ---------------------------------------------------------------------------------------------------------
// Variants

static char *variant_output(const struct bake_options *options, uint32_t number)
{
    const char *output = options->output, *end = strrchr(output, '.');
    size_t size = strlen(output) + 16;
    char *name = malloc(size);
    if (name != NULL)
        snprintf(name, size, "%.*s-%u%s", (int)(end - output), output, number, end);
    return name;
}

static bool make_variants(struct sweep *sweep, struct bake_error *error)
{
    const struct bake_options *options = sweep->options;
    sweep->count = 1;
    for (uint32_t s = 0; s < options->set_count; s++)
        sweep->count *= options->sets[s].value_count;
    sweep->variants = calloc(sweep->count, sizeof *sweep->variants);
    if (sweep->variants == NULL)
        return bake_fail(error, "there is not enough memory");
    for (uint32_t v = 0; v < sweep->count; v++) {
        uint32_t rest = v;
        for (uint32_t s = options->set_count; s > 0; s--) {
            const struct bake_set *set = &options->sets[s - 1];
            sweep->variants[v].values[s - 1] = set->values[rest % set->value_count];
            rest /= set->value_count;
        }
        if (options->output == NULL)
            continue;
        sweep->variants[v].output =
            sweep->count > 1 ? variant_output(options, v + 1) : strdup(options->output);
        if (sweep->variants[v].output == NULL)
            return bake_fail(error, "there is not enough memory");
    }
    return true;
}

static void run_variant(const struct sweep *sweep, struct variant *variant, struct base_parallel *parallel,
                        void (*progress)(void *, uint64_t, uint64_t), void *context)
{
    struct bake_error error;
    struct bake_job job = {.options = sweep->options,
                           .output = variant->output,
                           .parallel = parallel,
                           .stop = sweep->stop,
                           .progress = progress,
                           .context = context};
    void *document;
    variant->done = true;
    if (!bake_scene_document(sweep->scene, sweep->options->sets, variant->values, sweep->options->set_count,
                             &document, &job.document_size, &error)) {
        variant->result = (struct bake_result){.status = BAKE_USAGE};
        snprintf(variant->result.text, sizeof variant->result.text, "%s", error.text);
        return;
    }
    job.document = document;
    bake_run(&job, &variant->result);
    free(document);
}

// ---------------------------------------------------------------------------------------------------------
// Results

static double elastic(const struct bake_result *result)
{
    double sum = 0;
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++)
        sum += result->measures.elastic[kind];
    return sum;
}

static double tick_ms(const struct bake_result *result)
{
    return result->ticks_run > 0 ? 1e3 * result->seconds / (double)result->ticks_run : 0;
}

// A row as JSON; what the columns of the table are named after.
static json_t *row_of(const struct sweep *sweep, uint32_t v)
{
    const struct variant *variant = &sweep->variants[v];
    const struct bake_result *result = &variant->result;
    char hash[17];
    json_t *row = json_object(), *set = json_object();
    snprintf(hash, sizeof hash, "%016" PRIx64, result->hash);
    for (uint32_t s = 0; s < sweep->options->set_count; s++)
        json_object_set_new(set, sweep->options->sets[s].path, json_string(variant->values[s]));
    json_object_set_new(row, "variant", json_integer(v + 1));
    json_object_set_new(row, "set", set);
    json_object_set_new(row, "status",
                        json_string(result->status == BAKE_OK        ? "done"
                                    : result->status == BAKE_STOPPED ? "stopped"
                                                                     : "failed"));
    json_object_set_new(row, "ticks", json_integer((json_int_t)result->ticks));
    json_object_set_new(row, "particles", json_integer((json_int_t)result->particles));
    json_object_set_new(row, "ms_per_tick", json_real(tick_ms(result)));
    json_object_set_new(row, "seconds", json_real(result->seconds));
    json_object_set_new(row, "kinetic", json_real(result->measures.kinetic));
    json_object_set_new(row, "potential", json_real(result->measures.potential));
    json_object_set_new(row, "elastic", json_real(elastic(result)));
    json_object_set_new(row, "strain_rms", json_real(result->measures.strain_rms));
    json_object_set_new(row, "strain_max", json_real(result->measures.strain_max));
    json_object_set_new(row, "volume_error_rms", json_real(result->measures.volume_error_rms));
    json_object_set_new(row, "volume_error_max", json_real(result->measures.volume_error_max));
    json_object_set_new(row, "hash", json_string(hash));
    json_object_set_new(row, "output", variant->output != NULL ? json_string(variant->output) : json_null());
    json_object_set_new(row, "note", json_string(result->text));
    return row;
}

// Columns of the table, in order; %s is the width of texts, %g that of numbers.
static const struct {
    const char *name, *unit;
} columns[] = {
    {"status", ""},           {"ticks", ""},      {"ms_per_tick", "ms"},
    {"kinetic", "J"},         {"potential", "J"}, {"elastic", "J"},
    {"strain_rms", ""},       {"strain_max", ""}, {"volume_error_rms", ""},
    {"volume_error_max", ""}, {"hash", ""},
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static void cell_text(const json_t *value, char *out, size_t size)
{
    if (json_is_real(value))
        snprintf(out, size, "%.4g", json_real_value(value));
    else if (json_is_integer(value))
        snprintf(out, size, "%lld", (long long)json_integer_value(value));
    else
        snprintf(out, size, "%s", json_is_string(value) ? json_string_value(value) : "");
}

static void print_csv_cell(const char *text, bool last)
{
    bool quote = strpbrk(text, ",\"\r\n") != NULL;
    if (quote)
        putchar('"');
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"')
            putchar('"');
        putchar(*c);
    }
    if (quote)
        putchar('"');
    putchar(last ? '\n' : ',');
}

static void print_csv(const struct sweep *sweep, json_t *const *rows)
{
    for (uint32_t s = 0; s < sweep->options->set_count; s++)
        print_csv_cell(sweep->options->sets[s].path, false);
    for (int c = 0; c < COLUMNS; c++)
        print_csv_cell(columns[c].name, false);
    print_csv_cell("output", false);
    print_csv_cell("note", true);
    for (uint32_t v = 0; v < sweep->count; v++) {
        char text[BAKE_TEXT_SIZE];
        for (uint32_t s = 0; s < sweep->options->set_count; s++)
            print_csv_cell(sweep->variants[v].values[s], false);
        for (int c = 0; c < COLUMNS; c++) {
            const json_t *value = json_object_get(rows[v], columns[c].name);
            cell_text(value, text, sizeof text);
            if (json_is_real(value))
                snprintf(text, sizeof text, "%.17g", json_real_value(value));
            print_csv_cell(text, false);
        }
        cell_text(json_object_get(rows[v], "output"), text, sizeof text);
        print_csv_cell(text, false);
        cell_text(json_object_get(rows[v], "note"), text, sizeof text);
        print_csv_cell(text, true);
    }
}

static void print_text(const struct sweep *sweep, json_t *const *rows)
{
    int widths[BAKE_SETS_MAX + COLUMNS] = {0};
    const uint32_t sets = sweep->options->set_count;
    char text[BAKE_TEXT_SIZE];
    // Twice: for the widths, and for the lines. Row -1 is the head.
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t v = -1; v < (int64_t)sweep->count; v++) {
            for (uint32_t c = 0; c < sets + COLUMNS; c++) {
                const char *last = c < sets ? strrchr(sweep->options->sets[c].path, '.') : NULL;
                if (v < 0)
                    snprintf(text, sizeof text, "%s",
                             c >= sets      ? columns[c - sets].name
                             : last != NULL ? last + 1
                                            : sweep->options->sets[c].path);
                else if (c < sets)
                    snprintf(text, sizeof text, "%s", sweep->variants[v].values[c]);
                else
                    cell_text(json_object_get(rows[v], columns[c - sets].name), text, sizeof text);
                int size = (int)strlen(text);
                if (pass == 0)
                    widths[c] = size > widths[c] ? size : widths[c];
                else
                    printf("%*s%s", widths[c], text, c + 1 < sets + COLUMNS ? "  " : "");
            }
            if (pass == 0)
                continue;
            cell_text(v < 0 ? NULL : json_object_get(rows[v], "note"), text, sizeof text);
            printf("%s%s\n", text[0] != '\0' ? "  " : "", text);
        }
    }
}

static bool print_table(const struct sweep *sweep)
{
    json_t **rows = calloc(sweep->count, sizeof *rows), *list = json_array();
    bool done = rows != NULL && list != NULL;
    for (uint32_t v = 0; done && v < sweep->count; v++) {
        rows[v] = row_of(sweep, v);
        done = json_array_append_new(list, rows[v]) == 0;
    }
    if (done && sweep->options->table == BAKE_JSON) {
        done = json_dumpf(list, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) == 0;
        putchar('\n');
    } else if (done && sweep->options->table == BAKE_CSV) {
        print_csv(sweep, rows);
    } else if (done) {
        print_text(sweep, rows);
    }
    json_decref(list);
    free(rows);
    return done && fflush(stdout) == 0;
}

// ---------------------------------------------------------------------------------------------------------
// What a sweep remembers

static json_t *identity_of(const struct sweep *sweep, uint32_t v)
{
    const struct bake_options *options = sweep->options;
    json_t *row = row_of(sweep, v);
    json_t *identity =
        json_pack("{s:O, s:I, s:f, s:i, s:b, s:s}", "set", json_object_get(row, "set"), "ticks",
                  (json_int_t)options->ticks, "seconds", options->seconds, "every", (int)options->every,
                  "substeps", options->substeps, "scene", sweep->scene->path);
    json_decref(row);
    return identity;
}

static void remember(const struct sweep *sweep, uint32_t v)
{
    json_t *line = json_pack("{s:o, s:o}", "of", identity_of(sweep, v), "row", row_of(sweep, v));
    if (line != NULL && json_dumpf(line, sweep->log, JSON_COMPACT | JSON_REAL_PRECISION(17)) == 0) {
        fputc('\n', sweep->log);
        fflush(sweep->log);
    }
    json_decref(line);
}

static void recall_line(struct sweep *sweep, const char *line)
{
    json_t *entry = json_loads(line, 0, NULL);
    const json_t *row = json_object_get(entry, "row");
    json_int_t number = json_integer_value(json_object_get(row, "variant"));
    if (number < 1 || number > sweep->count) {
        json_decref(entry);
        return;
    }
    struct variant *variant = &sweep->variants[number - 1];
    json_t *identity = identity_of(sweep, (uint32_t)number - 1);
    bool same = json_equal(json_object_get(entry, "of"), identity) == 1 && access(variant->output, F_OK) == 0;
    json_decref(identity);
    const char *hash = json_string_value(json_object_get(row, "hash"));
    if (same && hash != NULL) {
        struct bake_result *result = &variant->result;
        variant->done = true;
        *result = (struct bake_result){
            .ticks = (uint64_t)json_integer_value(json_object_get(row, "ticks")),
            .particles = (uint64_t)json_integer_value(json_object_get(row, "particles")),
            .seconds = json_real_value(json_object_get(row, "seconds")),
            .measures = {.kinetic = json_real_value(json_object_get(row, "kinetic")),
                         .potential = json_real_value(json_object_get(row, "potential")),
                         .elastic = {json_real_value(json_object_get(row, "elastic"))},
                         .strain_rms = json_real_value(json_object_get(row, "strain_rms")),
                         .strain_max = json_real_value(json_object_get(row, "strain_max")),
                         .volume_error_rms = json_real_value(json_object_get(row, "volume_error_rms")),
                         .volume_error_max = json_real_value(json_object_get(row, "volume_error_max"))},
            .hash = strtoull(hash, NULL, 16),
        };
        result->ticks_run = result->ticks;
    }
    json_decref(entry);
}

static bool open_log(struct sweep *sweep, const char *path, struct bake_error *error)
{
    char *line = NULL;
    size_t capacity = 0;
    FILE *before = sweep->options->fresh ? NULL : fopen(path, "re");
    while (before != NULL && getline(&line, &capacity, before) > 0)
        recall_line(sweep, line);
    free(line);
    if (before != NULL)
        fclose(before);
    sweep->log = fopen(path, sweep->options->fresh ? "we" : "ae");
    return sweep->log != NULL || bake_fail(error, "%s cannot be written", path);
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
    struct sweep *sweep = context;
    for (uint32_t v; !sweep->stop() && (v = atomic_fetch_add(&sweep->next, 1)) < sweep->count;) {
        if (sweep->variants[v].done)
            continue;
        run_variant(sweep, &sweep->variants[v], NULL, NULL, NULL);
        base_mutex_lock(&sweep->mutex);
        sweep->finished++;
        if (sweep->log != NULL && sweep->variants[v].result.status == BAKE_OK)
            remember(sweep, v);
        if (!sweep->options->quiet)
            record_meter_show(&sweep->meter, sweep->finished);
        base_mutex_unlock(&sweep->mutex);
    }
}

static bool run_all(struct sweep *sweep, struct bake_error *error)
{
    struct base_thread threads[THREADS_MAX];
    uint32_t count = sweep->options->threads < sweep->count ? sweep->options->threads : sweep->count,
             started = 1;
    for (uint32_t v = 0; v < sweep->count; v++)
        sweep->finished += sweep->variants[v].done;
    record_meter_begin(&sweep->meter, "baking", "variants", sweep->finished, sweep->count);
    while (started < count && base_thread_start(&threads[started], "bake", work, sweep))
        started++;
    work(sweep);
    for (uint32_t t = 1; t < started; t++)
        base_thread_join(&threads[t]);
    record_meter_clear(&sweep->meter);
    return started == count ||
           bake_fail(error, "threads are wanting: %u of %u could be started", started, count);
}

static void run_one(struct sweep *sweep, struct base_team *team)
{
    struct record_meter meter;
    const struct bake_options *options = sweep->options;
    record_meter_begin(&meter, "baking", "ticks", 0, options->ticks);
    run_variant(sweep, &sweep->variants[0], base_team_parallel(team), options->quiet ? NULL : on_ticks,
                &meter);
    record_meter_clear(&meter);
}

static enum bake_status worst_of(const struct sweep *sweep)
{
    enum bake_status worst = BAKE_OK;
    for (uint32_t v = 0; v < sweep->count; v++) {
        const struct variant *variant = &sweep->variants[v];
        enum bake_status status = variant->done ? variant->result.status : BAKE_STOPPED;
        if (status == BAKE_STOPPED || worst == BAKE_OK)
            worst = worst == BAKE_STOPPED ? worst : status;
    }
    return worst;
}

static enum bake_status tell(const struct sweep *sweep)
{
    enum bake_status status = worst_of(sweep);
    const struct bake_result *first = &sweep->variants[0].result;
    if (sweep->count > 1 && status == BAKE_STOPPED) {
        fprintf(stderr, "weft: STOPPED: %s\n",
                sweep->log != NULL ? "the same command goes on with what is left" : "what was done is below");
        return sweep->log == NULL && !print_table(sweep) ? BAKE_FAILED : status;
    }
    if (sweep->count == 1 && status != BAKE_OK)
        fprintf(stderr, "weft: %s: %s\n",
                status == BAKE_STOPPED ? "STOPPED"
                : status == BAKE_USAGE ? "INVALID"
                                       : "FAILED",
                first->text);
    if (sweep->count == 1 && (status == BAKE_USAGE || status == BAKE_STOPPED))
        return status;
    if (sweep->count > 1 || sweep->options->table != BAKE_TEXT)
        return print_table(sweep) ? status : BAKE_FAILED;
    printf("%" PRIu64 " ticks of %" PRIu64 " particles in %.2f s, %.3g ms each; hash %016" PRIx64 "\n",
           first->ticks, first->particles, first->seconds, tick_ms(first), first->hash);
    if (sweep->variants[0].output != NULL)
        printf("%" PRIu64 " frames in %s\n", first->frames, sweep->variants[0].output);
    return fflush(stdout) == 0 ? status : BAKE_FAILED;
}

enum bake_status bake_sweep(const struct bake_options *options, const struct bake_scene *scene,
                            bool (*stop)(void))
{
    struct sweep sweep = {.options = options, .scene = scene, .stop = stop};
    struct bake_error error;
    char log_path[4200] = "";
    base_mutex_init(&sweep.mutex);
    bool done = make_variants(&sweep, &error);
    if (done && sweep.count > 1 && options->output != NULL) {
        snprintf(log_path, sizeof log_path, "%.4000s.sweep", options->output);
        done = open_log(&sweep, log_path, &error);
    }
    if (done && sweep.count > 1) {
        done = run_all(&sweep, &error);
    } else if (done) {
        struct base_team *team = base_team_create(options->threads);
        done = team != NULL || bake_fail(&error, "threads are wanting");
        if (done)
            run_one(&sweep, team);
        base_team_destroy(team);
    }
    enum bake_status status = BAKE_FAILED;
    if (done)
        status = tell(&sweep);
    else
        fprintf(stderr, "weft: FAILED: %s\n", error.text);
    if (sweep.log != NULL)
        fclose(sweep.log);
    if (sweep.log != NULL && done && status != BAKE_STOPPED)
        unlink(log_path);
    for (uint32_t v = 0; sweep.variants != NULL && v < sweep.count; v++)
        free(sweep.variants[v].output);
    free(sweep.variants);
    base_mutex_deinit(&sweep.mutex);
    return status;
}
