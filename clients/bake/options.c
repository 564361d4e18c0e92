// Arguments of weft-bake.
#include "bake/bake.h"

#include "base/thread.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bake_help(void)
{
    printf("Usage: weft-bake SCENE | --from DIR/WORLD[@TICK] [-o OUT] --ticks N [OPTIONS]\n"
           "       weft-bake --take FILE [--from TICK] [--to TICK] [-o OUT] [OPTIONS]\n"
           "\n"
           "weft bake runs this program. weft help bake tells the options.\n");
}

static bool whole(const char *text, uint64_t low, uint64_t high, uint64_t *number)
{
    char *end;
    if (text[0] < '0' || text[0] > '9') {
        return false;
    }
    errno = 0;
    *number = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0' && *number >= low && *number <= high;
}

static bool real(const char *text, double low, double high, double *number)
{
    char *end;
    *number = strtod(text, &end);
    return end != text && *end == '\0' && *number >= low && *number <= high;
}

static bool take_output(struct bake_options *options, const char *path, struct fault *fault)
{
    size_t size = strlen(path);
    options->output = path;
    options->keeps_take = size > 5 && strcmp(path + size - 5, ".take") == 0;
    return options->keeps_take || record_format_of(path, &options->format) ||
           fault_set(fault, FAULT_INVALID, NULL,
                     "--output: \"%.200s\" is wrong: the name must end with %s, or with .take", path,
                     record_format_names());
}

static bool take_set(struct bake_options *options, const char *text, struct fault *fault)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || equals[1] == '\0') {
        return fault_set(
            fault, FAULT_INVALID, NULL,
            "--set: \"%.200s\" is wrong: it takes PATH=VALUE,..., such as body.flag.thickness=0.01", text);
    }
    if (options->set_count == BAKE_SETS_MAX) {
        return fault_set(fault, FAULT_LIMIT, NULL, "--set: more than %d of them", BAKE_SETS_MAX);
    }
    struct bake_set *set = &options->sets[options->set_count++];
    set->path = strndup(text, (size_t)(equals - text));
    if (!set->path) {
        return fault_set(fault, FAULT_MEMORY, NULL, "there is not enough memory");
    }
    if (!bake_values_split(equals + 1, set, fault)) {
        return false;
    }
    uint64_t product = 1;
    for (uint32_t s = 0; s < options->set_count; s++) {
        product *= options->sets[s].value_count;
    }
    return product <= BAKE_VARIANTS_MAX ||
           fault_set(fault, FAULT_LIMIT, NULL, "--set: %llu combinations are more than %d",
                     (unsigned long long)product, BAKE_VARIANTS_MAX);
}

static bool take_series(struct bake_options *options, const char *path, struct fault *fault)
{
    const size_t size = strlen(path);
    options->series = path;
    return (size > 4 && path[size - 5] != '/' && strcmp(path + size - 4, ".csv") == 0) ||
           fault_set(fault, FAULT_INVALID, NULL, "--series: \"%.200s\" is wrong: the name must end with .csv",
                     path);
}

static bool take_isa(struct bake_options *options, const char *text, struct fault *fault)
{
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        if (strcmp(sim_isa_name((enum sim_isa)isa), text) == 0 && sim_isa_available((enum sim_isa)isa)) {
            options->isa = (enum sim_isa)isa;
            return true;
        }
    }
    return fault_set(fault, FAULT_INVALID, NULL,
                     "--isa: this machine does not have \"%.100s\"; --help lists the names", text);
}

static bool take_table(struct bake_options *options, const char *text, struct fault *fault)
{
    static const char *const names[] = {[BAKE_TEXT] = "text", [BAKE_CSV] = "csv", [BAKE_JSON] = "json"};
    for (int table = 0; table < 3; table++) {
        if (strcmp(names[table], text) == 0) {
            options->table = (enum bake_table)table;
            return true;
        }
    }
    return fault_set(fault, FAULT_INVALID, NULL, "--table: \"%.100s\" is wrong: it takes text, csv or json",
                     text);
}

enum flag {
    TICKS = 256,
    SECONDS,
    EVERY,
    SUBSTEPS,
    PARTICLES,
    TOLERANCE,
    SET,
    SERIES,
    TABLE,
    THREADS,
    ISA,
    CHECKPOINT,
    FROM,
    TO,
    TAKE,
    FRESH,
    SALVAGE,
    QUIET
};

static const struct option flags[] = {
    {"output", required_argument, NULL, 'o'},
    {"ticks", required_argument, NULL, TICKS},
    {"seconds", required_argument, NULL, SECONDS},
    {"every", required_argument, NULL, EVERY},
    {"substeps", no_argument, NULL, SUBSTEPS},
    {"particles", no_argument, NULL, PARTICLES},
    {"tolerance", required_argument, NULL, TOLERANCE},
    {"set", required_argument, NULL, SET},
    {"series", required_argument, NULL, SERIES},
    {"table", required_argument, NULL, TABLE},
    {"threads", required_argument, NULL, THREADS},
    {"isa", required_argument, NULL, ISA},
    {"checkpoint", required_argument, NULL, CHECKPOINT},
    {"from", required_argument, NULL, FROM},
    {"to", required_argument, NULL, TO},
    {"take", required_argument, NULL, TAKE},
    {"fresh", no_argument, NULL, FRESH},
    {"salvage", no_argument, NULL, SALVAGE},
    {"quiet", no_argument, NULL, QUIET},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

static bool take_flag(struct bake_options *options, int flag, const char *value, struct fault *fault)
{
    uint64_t number;
    double metres;
    switch (flag) {
    case 'o':
        return take_output(options, value, fault);
    case TICKS:
        return whole(value, 1, (uint64_t)1 << 40, &options->ticks) ||
               fault_set(fault, FAULT_INVALID, NULL,
                         "--ticks: \"%.100s\" is wrong: it takes an integer from 1", value);
    case SECONDS:
        return real(value, 1e-6, 1e9, &options->seconds) ||
               fault_set(fault, FAULT_INVALID, NULL,
                         "--seconds: \"%.100s\" is wrong: it takes a number above 0", value);
    case EVERY:
        if (!whole(value, 1, 1000000, &number)) {
            return fault_set(fault, FAULT_INVALID, NULL,
                             "--every: \"%.100s\" is wrong: it takes an integer from 1 to 1000000", value);
        }
        options->every = (uint32_t)number;
        return true;
    case SUBSTEPS:
        options->substeps = true;
        return true;
    case PARTICLES:
        options->particles = true;
        return true;
    case TOLERANCE:
        if (!real(value, 1e-9, 1, &metres) || !record_tolerance_fits((float)metres)) {
            return fault_set(fault, FAULT_INVALID, NULL,
                             "--tolerance: \"%.100s\" is wrong: it takes a number of metres from 1e-9 to 1",
                             value);
        }
        options->tolerance = (float)metres;
        return true;
    case SET:
        return take_set(options, value, fault);
    case SERIES:
        return take_series(options, value, fault);
    case TABLE:
        return take_table(options, value, fault);
    case THREADS:
        if (!whole(value, 1, 64, &number)) {
            return fault_set(fault, FAULT_INVALID, NULL,
                             "--threads: \"%.100s\" is wrong: it takes an integer from 1 to 64", value);
        }
        options->threads = (uint32_t)number;
        return true;
    case ISA:
        return take_isa(options, value, fault);
    case CHECKPOINT:
        return real(value, 0, 1e6, &options->checkpoint_s) ||
               fault_set(fault, FAULT_INVALID, NULL,
                         "--checkpoint: \"%.100s\" is wrong: it takes a number of seconds, or 0", value);
    case FROM:
        options->from = value;
        return true;
    case TO:
        return whole(value, 0, (uint64_t)1 << 53, &options->last) ||
               fault_set(fault, FAULT_INVALID, NULL, "--to: \"%.100s\" is wrong: it takes a tick", value);
    case TAKE:
        options->take = value;
        return true;
    case FRESH:
        options->fresh = true;
        return true;
    case SALVAGE:
        options->salvage = true;
        return true;
    default:
        options->quiet = true;
        return true;
    }
}

// Checks the options for a take, for which --from is a tick.
static bool check_take(struct bake_options *options, int arguments, struct fault *fault)
{
    if (options->from && !whole(options->from, 0, (uint64_t)1 << 53, &options->first)) {
        return fault_set(fault, FAULT_INVALID, NULL,
                         "--from: \"%.100s\" is wrong: with a take it must be a tick", options->from);
    }
    if (options->first > options->last) {
        return fault_set(fault, FAULT_INVALID, NULL, "--from must not be after --to");
    }
    if (arguments > 0 || options->ticks > 0 || options->seconds > 0 || options->set_count > 0 ||
        options->series) {
        return fault_set(fault, FAULT_INVALID, NULL,
                         "--take: a take is computed unchanged; it cannot be combined with a scene, "
                         "--ticks, --seconds, --set or "
                         "--series");
    }
    return true;
}

enum bake_parsed bake_options_parse(int argc, char **argv, struct bake_options *options, struct fault *fault)
{
    uint32_t cores = base_thread_cores();
    *options = (struct bake_options){.every = 1,
                                     .last = UINT64_MAX,
                                     .threads = cores < 64 ? cores : 64,
                                     .isa = sim_isa_chosen(),
                                     .checkpoint_s = 30};
    opterr = 0;
    optind = 0;
    for (int flag; (flag = getopt_long(argc, argv, ":o:hV", flags, NULL)) != -1;) {
        if (flag == 'h') {
            return BAKE_HELP;
        }
        if (flag == 'V') {
            return BAKE_VERSION;
        }
        if (flag == ':') {
            return fault_set(fault, FAULT_INVALID, NULL, "%s: it needs a value", argv[optind - 1]),
                   BAKE_WRONG;
        }
        if (flag == '?') {
            return fault_set(fault, FAULT_INVALID, NULL,
                             "%s: there is no such option; weft bake --help lists them", argv[optind - 1]),
                   BAKE_WRONG;
        }
        if (!take_flag(options, flag, optarg, fault)) {
            return BAKE_WRONG;
        }
    }
    if (options->take) {
        return check_take(options, argc - optind, fault) ? BAKE_RUN : BAKE_WRONG;
    }
    if (options->last != UINT64_MAX) {
        return fault_set(fault, FAULT_INVALID, NULL, "--to: it is only for --take; see weft bake --help"),
               BAKE_WRONG;
    }
    if (options->from && optind != argc) {
        return fault_set(fault, FAULT_INVALID, NULL,
                         "give either a scene or --from, not both; see weft bake --help"),
               BAKE_WRONG;
    }
    if (options->from && options->set_count > 0) {
        return fault_set(fault, FAULT_INVALID, NULL,
                         "--set: it sets values of a scene; it cannot be combined with --from"),
               BAKE_WRONG;
    }
    if (!options->from && optind + 1 != argc) {
        return fault_set(fault, FAULT_INVALID, NULL,
                         optind == argc ? "no scene given: it takes a file, or the name of a scene in "
                                          "the gallery; see weft bake --help"
                                        : "one scene at a time; see weft bake --help"),
               BAKE_WRONG;
    }
    options->scene = !options->from ? argv[optind] : NULL;
    if ((options->ticks == 0) == !(options->seconds > 0)) {
        return fault_set(fault, FAULT_INVALID, NULL, "give either --ticks or --seconds"), BAKE_WRONG;
    }
    return BAKE_RUN;
}

void bake_options_deinit(struct bake_options *options)
{
    for (uint32_t s = 0; s < options->set_count; s++) {
        for (uint32_t v = 0; v < options->sets[s].value_count; v++) {
            free(options->sets[s].values[v]);
        }
        free(options->sets[s].values);
        free(options->sets[s].path);
    }
    options->set_count = 0;
}
