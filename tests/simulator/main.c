// weft-simulator: runs seeds, in processes of their own so that one that dies is told of like any other; replays one, and shrinks it.
#include "simulator.h"

#include "base/log.h"
#include "base/memory.h"
#include "sim/sim.h"

#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    SEEDS_USUAL = 100,
    INPUTS = 1000,
    INPUTS_MOST = 1000000,
    JOBS_MOST = 64,
    FAILURES_MOST = 8,
    EXIT_USAGE = 2
};

static const char help[] =
    "Usage: weft-simulator [OPTION]...\n"
    "Runs servers, clients and the network between them in one process, all of it drawn from a seed, and "
    "checks what they\n"
    "say to each other. A seed that fails is printed, with how to replay it.\n"
    "\n"
    "  --seeds COUNT     runs so many seeds (default 100)\n"
    "  --first N         the first of them (default 1)\n"
    "  --seconds N       begins no seed after so long; without --seeds, runs as many as that allows\n"
    "  --seed N          runs one seed, in this process\n"
    "  --inputs N        inputs of a seed (default 1000)\n"
    "  --keep LIST       leaves out all inputs but these, as 3,17,20-25\n"
    "  --log             prints each input and each answer\n"
    "  --shrink          of each seed that fails, finds the inputs that it fails with\n"
    "  --twice           runs each seed twice, which has to come to the same log\n"
    "  --break WHAT      has servers do something wrong now and then, which has to be found: a message is "
    "lost, sent twice,\n"
    "                    swapped with the one before, has a wrong byte, or kills the process (lost, twice, "
    "swapped, byte, death)\n"
    "  --jobs N          processes (default: as many as there are processors)\n"
    "  --stats           prints at the end what was asked how often, and how much was compared\n"
    "  --help            prints this\n"
    "\n"
    "The exit status is 0 if nothing was found, 1 if something was, 2 for wrong options.\n";

struct options {
    uint64_t first, seeds, seconds;
    bool single, log, shrink, twice, stats;
    uint32_t inputs, jobs;
    uint8_t *dropped; // NULL: none
    enum broken broken;
};

// Memory that the processes share.
struct worker {
    uint64_t seed; // under way
    uint64_t next; // to be begun
    bool done;
};

struct attempt {
    const char *kind; // of the failure; it is the same in all processes, which are forked from one
    char text[1024];
    uint32_t input;
};

static struct shared {
    struct worker workers[JOBS_MOST];
    uint32_t failures;
    struct run_counts counts;
    struct attempt attempt;
} * shared;

static char scratch[64];

typedef unsigned long long ull;

// ---------------------------------------------------------------------------------------------------------
// Options

static bool number(const char *text, uint64_t most, uint64_t *out)
{
    char *behind;
    errno = 0;
    *out = strtoull(text, &behind, 10);
    return errno == 0 && behind > text && *behind == '\0' && text[0] != '-' && *out <= most;
}

// Numbers and ranges, as 3,17,20-25.
static bool keep(struct options *options, const char *list)
{
    options->dropped = malloc(INPUTS_MOST / 8 + 1);
    if (options->dropped == NULL) {
        return false;
    }
    memset(options->dropped, 0xff, INPUTS_MOST / 8 + 1);
    while (*list != '\0') {
        char *behind;
        const unsigned long from = strtoul(list, &behind, 10);
        unsigned long to = from;
        if (behind == list) {
            return false;
        }
        if (*behind == '-') {
            to = strtoul(behind + 1, &behind, 10);
        }
        if (to >= INPUTS_MOST || to < from || (*behind != ',' && *behind != '\0')) {
            return false;
        }
        for (unsigned long i = from; i <= to; i++) {
            options->dropped[i / 8] &= (uint8_t) ~(1u << i % 8);
        }
        list = behind + (*behind == ',');
    }
    return true;
}

static const char *const broken_names[BROKEN_KINDS] = {"", "lost", "twice", "swapped", "byte", "death"};

static bool broken(const char *name, enum broken *out)
{
    for (uint32_t i = 1; i < BROKEN_KINDS; i++) {
        if (strcmp(name, broken_names[i]) == 0) {
            *out = (enum broken)i;
        }
    }
    return *out != NOT_BROKEN;
}

static bool wrong(const char *option, const char *value)
{
    fprintf(stderr, "weft-simulator: --%s %s: this is no value for it; --help says more\n", option, value);
    return false;
}

enum option_name {
    FIRST = 256,
    SEEDS,
    SECONDS,
    SEED,
    INPUTS_OF,
    KEEP,
    LOG,
    SHRINK,
    TWICE,
    BREAK,
    JOBS,
    STATS,
    HELP
};

static const struct option option_table[] = {
    {"first", required_argument, NULL, FIRST},
    {"seeds", required_argument, NULL, SEEDS},
    {"seconds", required_argument, NULL, SECONDS},
    {"seed", required_argument, NULL, SEED},
    {"inputs", required_argument, NULL, INPUTS_OF},
    {"keep", required_argument, NULL, KEEP},
    {"log", no_argument, NULL, LOG},
    {"shrink", no_argument, NULL, SHRINK},
    {"twice", no_argument, NULL, TWICE},
    {"break", required_argument, NULL, BREAK},
    {"jobs", required_argument, NULL, JOBS},
    {"stats", no_argument, NULL, STATS},
    {"help", no_argument, NULL, HELP},
    {NULL, 0, NULL, 0},
};

static void take_switch(struct options *options, enum option_name name)
{
    switch (name) {
    case LOG:
        options->log = true;
        break;
    case SHRINK:
        options->shrink = true;
        break;
    case TWICE:
        options->twice = true;
        break;
    case STATS:
        options->stats = true;
        break;
    default:
        fputs(help, stdout);
        exit(EXIT_SUCCESS);
    }
}

static bool take_number(struct options *options, enum option_name name, uint64_t value)
{
    switch (name) {
    case FIRST:
        options->first = value;
        return true;
    case SEEDS:
        options->seeds = value;
        return true;
    case SECONDS:
        options->seconds = value;
        return true;
    case SEED:
        options->first = value;
        options->single = true;
        return true;
    case INPUTS_OF:
        options->inputs = (uint32_t)value;
        return value <= INPUTS_MOST;
    default:
        options->jobs = (uint32_t)value;
        return value >= 1 && value <= JOBS_MOST;
    }
}

static bool take(struct options *options, const struct option *option, const char *text)
{
    uint64_t value;
    if (option->has_arg == no_argument) {
        take_switch(options, (enum option_name)option->val);
        return true;
    }
    if (option->val == KEEP) {
        return keep(options, text);
    }
    if (option->val == BREAK) {
        return broken(text, &options->broken);
    }
    return number(text, UINT64_MAX, &value) && take_number(options, (enum option_name)option->val, value);
}

static bool options_read(int argc, char **argv, struct options *options)
{
    int option, at = 0;
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    *options = (struct options){
        .first = 1,
        .inputs = INPUTS,
        .jobs = processors < 1           ? 1
                : processors > JOBS_MOST ? JOBS_MOST
                                         : (uint32_t)processors,
    };
    while ((option = getopt_long(argc, argv, "", option_table, &at)) != -1) {
        if (option == '?') {
            return false;
        }
        if (!take(options, &option_table[at], optarg)) {
            return wrong(option_table[at].name, optarg);
        }
    }
    if (optind < argc) {
        return wrong("", argv[optind]);
    }
    if (options->single) {
        options->seeds = 1;
    } else if (options->seeds == 0) {
        options->seeds = options->seconds > 0 ? UINT64_MAX - options->first : SEEDS_USUAL;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Seeds

static struct run run;

static bool seed_is_good(const struct options *options, uint64_t seed, uint32_t inputs,
                         const uint8_t *dropped)
{
    const struct run_options once = {
        .seed = seed,
        .inputs = inputs,
        .dropped = dropped,
        .log = options->log ? stdout : NULL,
        .log_hash = options->twice,
        .broken = options->broken,
        .scratch = scratch,
    };
    bool good = run_seed(&once, &run);
    if (good && options->twice) {
        const uint64_t log_hash = run.log_hash;
        good = run_seed(&once, &run);
        if (good && log_hash != run.log_hash) {
            simulator_fail(&run, "the same seed comes to another log the second time");
            good = false;
        }
    }
    return good;
}

static void print_replay(const struct options *options, uint64_t seed)
{
    printf("  replay: weft-simulator --seed %" PRIu64 " --inputs %u --log%s%s", seed, options->inputs,
           options->broken != NOT_BROKEN ? " --break " : "", broken_names[options->broken]);
}

static void print_failure(const struct options *options, uint64_t seed, const char *text, uint32_t input)
{
    printf("seed %" PRIu64 " fails at input %u: %s\n", seed, input, text);
    print_replay(options, seed);
    printf("\n");
    fflush(stdout);
}

// In a process of its own. Whether it fails, in the same way if there is one: then *out says how.
static bool fails(const struct options *options, uint64_t seed, uint32_t inputs, const uint8_t *dropped,
                  const char *kind, struct attempt *out)
{
    shared->attempt = (struct attempt){0};
    const pid_t child = fork();
    if (child == 0) {
        (void)freopen("/dev/null", "w", stderr);
        if (!seed_is_good(options, seed, inputs, dropped)) {
            shared->attempt.kind = run.failure_kind;
            shared->attempt.input = run.input;
            snprintf(shared->attempt.text, sizeof shared->attempt.text, "%s", run.failure);
        }
        _exit(0);
    }
    int status = 0;
    (void)waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) {
        shared->attempt.kind = "it dies of a signal";
        shared->attempt.input = inputs;
        snprintf(shared->attempt.text, sizeof shared->attempt.text, "it dies of a signal: %s",
                 strsignal(WTERMSIG(status)));
    }
    *out = shared->attempt;
    return out->kind != NULL && (kind == NULL || strcmp(out->kind, kind) == 0);
}

static void print_kept(const uint8_t *dropped, uint32_t inputs)
{
    const char *between = "";
    for (uint32_t i = 0; i < inputs; i++) {
        uint32_t to = i;
        if (dropped[i / 8] >> i % 8 & 1) {
            continue;
        }
        while (to + 1 < inputs && !(dropped[(to + 1) / 8] >> (to + 1) % 8 & 1)) {
            to++;
        }
        printf(to > i ? "%s%u-%u" : "%s%u", between, i, to);
        between = ",";
        i = to;
    }
}

// Leaves out ever smaller stretches of inputs, as long as it fails in the same way.
static void shrink(const struct options *options, uint64_t seed)
{
    struct options quiet = *options;
    struct attempt attempt;
    uint8_t *dropped = calloc(1, options->inputs / 8 + 1);
    quiet.log = false;
    if (dropped == NULL || !fails(&quiet, seed, options->inputs, NULL, NULL, &attempt)) {
        printf("seed %" PRIu64 " does not fail in a process of its own\n", seed);
        free(dropped);
        return;
    }
    const char *kind = attempt.kind;
    uint32_t left = options->inputs;
    for (uint32_t size = options->inputs; size > 0; size /= 2) {
        for (uint32_t from = 0; from < options->inputs; from += size) {
            const uint32_t to = from + size < options->inputs ? from + size : options->inputs;
            uint8_t *before = malloc(options->inputs / 8 + 1);
            if (before == NULL) {
                break;
            }
            memcpy(before, dropped, options->inputs / 8 + 1);
            uint32_t more = 0;
            for (uint32_t i = from; i < to; i++) {
                more += !(dropped[i / 8] >> i % 8 & 1);
                dropped[i / 8] |= (uint8_t)(1u << i % 8);
            }
            struct attempt now;
            if (more > 0 && fails(&quiet, seed, options->inputs, dropped, kind, &now)) {
                left -= more;
                attempt = now;
            } else {
                memcpy(dropped, before, options->inputs / 8 + 1);
            }
            free(before);
        }
    }
    printf("seed %" PRIu64 " fails with %u inputs: %s\n", seed, left, attempt.text);
    print_replay(options, seed);
    printf(" --keep ");
    print_kept(dropped, options->inputs);
    printf("\n");
    fflush(stdout);
    free(dropped);
}

// ---------------------------------------------------------------------------------------------------------
// Processes

static void add_counts(void)
{
    const uint64_t *from = (const uint64_t *)&run_counts;
    _Static_assert(sizeof run_counts % sizeof *from == 0, "counts are numbers");
    for (size_t i = 0; i < sizeof run_counts / sizeof *from; i++) {
        __atomic_fetch_add((uint64_t *)&shared->counts + i, from[i], __ATOMIC_RELAXED);
    }
    run_counts = (struct run_counts){0};
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void work(const struct options *options, struct worker *worker, double end_s)
{
    while (worker->next - options->first < options->seeds &&
           __atomic_load_n(&shared->failures, __ATOMIC_RELAXED) < FAILURES_MOST &&
           (options->seconds == 0 || now_s() < end_s)) {
        worker->seed = worker->next;
        worker->next += options->jobs;
        if (!seed_is_good(options, worker->seed, options->inputs, options->dropped)) {
            __atomic_fetch_add(&shared->failures, 1, __ATOMIC_RELAXED);
            print_failure(options, worker->seed, run.failure, run.input);
            if (options->shrink) {
                shrink(options, worker->seed);
            }
        }
        add_counts();
    }
    worker->done = true;
    free(options->dropped);
    exit(EXIT_SUCCESS); // a sanitizer looks for leaks then
}

static pid_t start(const struct options *options, struct worker *worker, double end_s)
{
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        work(options, worker, end_s);
    }
    return child;
}

static void run_all(const struct options *options)
{
    pid_t children[JOBS_MOST];
    const double end_s = now_s() + (double)options->seconds;
    for (uint32_t i = 0; i < options->jobs; i++) {
        shared->workers[i].next = options->first + i;
        children[i] = start(options, &shared->workers[i], end_s);
    }
    for (uint32_t i = 0; i < options->jobs; i++) {
        int status = 0;
        while (waitpid(children[i], &status, 0) == children[i] && !shared->workers[i].done) {
            struct worker *worker = &shared->workers[i];
            char text[96];
            snprintf(text, sizeof text, "it dies: %s",
                     WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "it ends the process");
            print_failure(options, worker->seed, text, options->inputs);
            __atomic_fetch_add(&shared->failures, 1, __ATOMIC_RELAXED);
            if (options->shrink) {
                shrink(options, worker->seed);
            }
            children[i] = start(options, worker, end_s);
        }
        if (shared->workers[i].done && status != 0) {
            printf(
                "a process has done its seeds, and ends with %d: what it wrote to standard error says why\n",
                status);
            shared->failures++;
        }
    }
}

static void print_stats(void)
{
    const struct run_counts *counts = &shared->counts;
    printf("%-20s %10s %10s\n", "method", "answered", "refused");
    for (uint32_t i = 0; i < PROTOCOL_METHOD_COUNT; i++) {
        printf("%-20s %10llu %10llu\n", protocol_methods[i].name, (ull)counts->answered[i],
               (ull)counts->refused[i]);
    }
    printf("inputs %llu, messages %llu, turns of servers %llu, simulated %.0f s\n", (ull)counts->inputs,
           (ull)counts->messages, (ull)counts->turns, (double)counts->simulated_ns * 1e-9);
    printf("world.edited %llu, frames %llu, stream.records %llu, others %llu\n", (ull)counts->edited,
           (ull)counts->frames, (ull)counts->records, (ull)counts->others);
    printf("cuts %llu, sessions that went on %llu, that started again %llu, lives of servers %llu\n",
           (ull)counts->cuts, (ull)counts->resumed, (ull)counts->anew, (ull)counts->lives);
    printf("compared: hashes %llu, replays %llu, refused edits %llu, undone and redone %llu, sent twice "
           "%llu; twins %llu, looks "
           "into the past %llu\n",
           (ull)counts->hashes_compared, (ull)counts->replays, (ull)counts->brackets, (ull)counts->undos,
           (ull)counts->again, (ull)counts->twins, (ull)counts->seeks);
    printf(
        "who may: requests %llu, control %llu; sessions that had to be kept %llu, requests named twice %llu; "
        "branches %llu (%llu of worlds that failed), worlds had back at once %llu, bodies had back %llu, "
        "notices of "
        "control %llu\n",
        (ull)counts->permits, (ull)counts->controls, (ull)counts->kept_sessions, (ull)counts->doubled,
        (ull)counts->branches, (ull)counts->failed_branches, (ull)counts->restored, (ull)counts->back,
        (ull)counts->notices);
}

// ---------------------------------------------------------------------------------------------------------

static bool scratch_make(void)
{
    static const char *const places[] = {"/dev/shm", "/tmp"};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        snprintf(scratch, sizeof scratch, "%s/weft-simulator-XXXXXX", places[i]);
        if (mkdtemp(scratch) != NULL) {
            return true;
        }
    }
    perror("weft-simulator: no folder for files");
    return false;
}

static void scratch_remove(void)
{
    DIR *folder = opendir(scratch);
    struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        (void)unlinkat(dirfd(folder), entry->d_name, 0);
    }
    if (folder != NULL) {
        closedir(folder);
    }
    (void)rmdir(scratch);
}

static int run_one(const struct options *options)
{
    const bool good = seed_is_good(options, options->first, options->inputs, options->dropped);
    add_counts();
    if (!good) {
        print_failure(options, options->first, run.failure, run.input);
        if (options->shrink) {
            shrink(options, options->first);
        }
    }
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

// A seed that is run in this process is told of when it dies.
static void on_death(int signal)
{
    char line[96];
    const int size = snprintf(line, sizeof line, "seed %llu dies of signal %d at input %u\n",
                              (ull)run.options.seed, signal, run.input);
    if (write(STDERR_FILENO, line, (size_t)size) < 0) {
        _exit(EXIT_FAILURE);
    }
    (void)raise(signal); // the handler is for once
}

int main(int argc, char **argv)
{
    struct options options;
    int code;
    if (!options_read(argc, argv, &options)) {
        return EXIT_USAGE;
    }
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED || !scratch_make()) {
        return EXIT_FAILURE;
    }
    base_log_set(BASE_LOG_ERROR, false);
    const struct sigaction death = {.sa_handler = on_death, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGABRT, &death, NULL);
    sigaction(SIGSEGV, &death, NULL);
    if (options.single) {
        code = run_one(&options);
    } else {
        run_all(&options);
        code = shared->failures > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
        struct rusage used;
        getrusage(RUSAGE_CHILDREN, &used);
        const double spent_s = (double)used.ru_utime.tv_sec + (double)used.ru_stime.tv_sec +
                               1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
        const uint64_t seeds = shared->counts.seeds > 0 ? shared->counts.seeds : 1;
        printf("%llu seeds of %u inputs, %u failed, %.1f ms of processor time each\n",
               (ull)shared->counts.seeds, options.inputs, shared->failures, 1000 * spent_s / (double)seeds);
    }
    if (options.stats) {
        print_stats();
    }
    scratch_remove();
    free(options.dropped);
    return code;
}
