// weft-bench journal: what it costs to keep what happened.
//
// Writers hand an entry each to the store and wait until it is durable, as a person who edits waits for an answer; a bare program of
// SQLite commits the same bytes, in groups of the size that the store's had, with the same settings on the same disk. Both
// take turns. The bare program's latency is of a commit alone: there nobody waits for one that is under way.

#include "base/buffer.h"
#include "base/clock.h"
#include "base/thread.h"
#include "cases.h"
#include "scene.h"
#include "store/store.h"

#include <dirent.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    WRITERS_MAX = 256,
    LISTS_MAX = 16,
    ENTRY = 200,
    LATENCIES_MAX = 1 << 20,
    PATH_SIZE = 512,
    LISTS_FROM = 1,
    WARM =
        700 // commits before anything is timed: the log starts over then, and making a file longer costs more
};

struct how {
    const char *folder;
    uint32_t runs;
    double seconds; // of each run
    bool quick;
};

static const char entry_bytes[ENTRY] = "an edit of a world, of about two hundred bytes";

// ----------------------------------------------------------------------------------------------------- folders

static void remove_all(const char *path)
{
    DIR *folder = opendir(path);
    const struct dirent *item;
    while (folder != NULL && (item = readdir(folder)) != NULL) {
        char name[PATH_SIZE + 260];
        snprintf(name, sizeof name, "%s/%s", path, item->d_name);
        if (item->d_name[0] != '.') {
            unlink(name);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    rmdir(path);
    sync(); // what a file system does about files that are gone is not the next one's
}

// --------------------------------------------------------------------------------------------------- latencies

struct latencies {
    double *ms;
    uint32_t count;
};

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void latencies_add(struct latencies *latencies, uint64_t ns)
{
    if (latencies->count < LATENCIES_MAX) {
        latencies->ms[latencies->count++] = 1e-6 * (double)ns;
    }
}

struct found {
    double per_second, median_ms, late_ms, group;
};

static struct found found_of(struct latencies *latencies, double seconds, double groups)
{
    struct found found = {0};
    if (latencies->count > 0) {
        qsort(latencies->ms, latencies->count, sizeof *latencies->ms, by_value);
        found =
            (struct found){latencies->count / seconds, latencies->ms[latencies->count / 2],
                           latencies->ms[(uint64_t)latencies->count * 99 / 100], latencies->count / groups};
    }
    return found;
}

// ------------------------------------------------------------------------------------------------- through the store

struct writing {
    struct base_mutex mutex;
    struct base_cond cond;
    uint64_t durable[LISTS_FROM + LISTS_MAX + 1];
    uint32_t told[LISTS_FROM + LISTS_MAX + 1]; // how often: no commit tells of a list twice
    uint64_t appended[LISTS_FROM + LISTS_MAX], seen[LISTS_FROM + LISTS_MAX];
    bool failed;
};

static void on_commit(void *context, uint32_t list, uint64_t position)
{
    struct writing *writing = context;
    base_mutex_lock(&writing->mutex);
    writing->durable[list] = position;
    writing->told[list]++;
    base_cond_signal(&writing->cond);
    base_mutex_unlock(&writing->mutex);
}

static void on_failure(void *context, const char *text)
{
    struct writing *writing = context;
    fprintf(stderr, "weft-bench: %s\n", text);
    base_mutex_lock(&writing->mutex);
    writing->failed = true;
    base_cond_signal(&writing->cond);
    base_mutex_unlock(&writing->mutex);
}

static void on_full(void *context, bool full, const char *text)
{
    if (full) {
        on_failure(context, text);
    }
}

static struct store *store_begin(struct writing *writing, const char *folder, uint32_t lists)
{
    struct store_error error;
    const struct store_options options = {.folder = folder,
                                          .keep_seconds = UINT64_MAX,
                                          .keep_bytes = UINT64_MAX,
                                          .bin_seconds = 86400,
                                          .on_commit = on_commit,
                                          .on_failure = on_failure,
                                          .on_full = on_full,
                                          .context = writing};
    struct store *store = store_open(&options, &error);
    if (store == NULL) {
        fprintf(stderr, "weft-bench: %s\n", error.fault.text);
    }
    struct base_buffer *bytes = base_buffer_create(1, NULL);
    const struct store_image image = {0};
    for (uint32_t list = 0; store != NULL && bytes != NULL && list < lists; list++) {
        if (!store_create(store, LISTS_FROM + list, "a world", &image, bytes)) {
            writing->failed = true;
        }
    }
    base_buffer_unref(bytes);
    return store;
}

// Each writer of a list has one entry under way: as many as came back go out again. For so long, and for so many commits;
// how long it was.
static double write_on(struct writing *writing, struct store *store, uint32_t writers, double seconds,
                       uint32_t commits, struct latencies *latencies, double *groups)
{
    static uint64_t appended_ns[LISTS_FROM + LISTS_MAX][WRITERS_MAX];
    const uint32_t lists = writers < LISTS_MAX ? writers : LISTS_MAX, each = writers / lists;
    uint64_t *appended = writing->appended, *seen = writing->seen;
    const uint64_t begin_ns = base_now_ns(), end_ns = begin_ns + (uint64_t)(1e9 * seconds);
    latencies->count = 0;
    *groups = 0;
    base_mutex_lock(&writing->mutex);
    memset(writing->told, 0, sizeof writing->told);
    base_mutex_unlock(&writing->mutex);
    while ((base_now_ns() < end_ns || *groups < commits) && !writing->failed) {
        for (uint32_t list = LISTS_FROM; list < LISTS_FROM + lists; list++) {
            while (appended[list] < seen[list] + each) {
                const uint64_t position = ++appended[list];
                const struct store_entry entry = {position, position, 1, 0, (const uint8_t *)entry_bytes,
                                                  ENTRY};
                appended_ns[list][position % WRITERS_MAX] = base_now_ns();
                if (!store_append(store, list, 1, &entry, 1)) {
                    writing->failed = true;
                }
            }
        }
        uint64_t back = 0;
        base_mutex_lock(&writing->mutex);
        while (back == 0 && !writing->failed) {
            for (uint32_t list = LISTS_FROM; list < LISTS_FROM + lists; list++) {
                back += writing->durable[list] - seen[list];
            }
            if (back == 0) {
                base_cond_wait(&writing->cond, &writing->mutex);
            }
        }
        const uint64_t now = base_now_ns();
        for (uint32_t list = LISTS_FROM; list < LISTS_FROM + lists; list++) {
            for (; seen[list] < writing->durable[list]; seen[list]++) {
                latencies_add(latencies, now - appended_ns[list][(seen[list] + 1) % WRITERS_MAX]);
            }
        }
        for (uint32_t list = LISTS_FROM; list < LISTS_FROM + lists; list++) {
            *groups = fmax(*groups, writing->told[list]);
        }
        base_mutex_unlock(&writing->mutex);
    }
    return 1e-9 * (double)(base_now_ns() - begin_ns);
}

static bool run_store(const struct how *how, uint32_t writers, struct latencies *latencies,
                      struct found *found)
{
    char folder[PATH_SIZE];
    struct writing writing = {0};
    snprintf(folder, sizeof folder, "%s/store", how->folder);
    remove_all(folder);
    base_mutex_init(&writing.mutex);
    base_cond_init(&writing.cond);
    struct store *store = store_begin(&writing, folder, writers < LISTS_MAX ? writers : LISTS_MAX);
    double groups = 1, seconds = 1;
    if (store != NULL) {
        write_on(&writing, store, writers, 0, how->quick ? 1 : WARM, latencies, &groups);
        seconds = write_on(&writing, store, writers, how->seconds, 0, latencies, &groups);
        store_close(store);
    }
    *found = found_of(latencies, seconds, groups);
    remove_all(folder);
    base_cond_deinit(&writing.cond);
    base_mutex_deinit(&writing.mutex);
    return store != NULL && !writing.failed;
}

// ------------------------------------------------------------------------------------------------------- bare SQLite

static bool commit_group(sqlite3 *db, sqlite3_stmt *insert, uint32_t group)
{
    bool good = sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK;
    for (uint32_t i = 0; good && i < group; i++) {
        sqlite3_bind_blob(insert, 1, entry_bytes, ENTRY, SQLITE_STATIC);
        good = sqlite3_step(insert) == SQLITE_DONE;
        sqlite3_reset(insert);
    }
    return good && sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
}

static bool run_bare(const struct how *how, uint32_t group, struct latencies *latencies, struct found *found)
{
    char path[PATH_SIZE], folder[PATH_SIZE];
    sqlite3 *db = NULL;
    sqlite3_stmt *insert = NULL;
    snprintf(folder, sizeof folder, "%s/bare", how->folder);
    remove_all(folder);
    mkdir(folder, 0700);
    snprintf(path, sizeof path, "%s/bare/bare.db", how->folder);
    bool good =
        sqlite3_open(path, &db) == SQLITE_OK &&
        sqlite3_exec(db,
                     "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                     "CREATE TABLE entries(id INTEGER PRIMARY KEY, bytes BLOB)",
                     NULL, NULL, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(db, "INSERT INTO entries(bytes) VALUES(?1)", -1, &insert, NULL) == SQLITE_OK;
    const uint32_t warm = how->quick ? 1 : WARM;
    uint64_t timed_ns = 0;
    double groups = 0;
    latencies->count = 0;
    for (uint32_t commit = 0; good && (commit < warm || timed_ns < (uint64_t)(1e9 * how->seconds));
         commit++) {
        const uint64_t begin_ns = base_now_ns();
        good = commit_group(db, insert, group);
        const uint64_t took_ns = base_now_ns() - begin_ns;
        if (commit < warm) {
            continue;
        }
        for (uint32_t i = 0; i < group; i++) {
            latencies_add(latencies, took_ns);
        }
        timed_ns += took_ns;
        groups++;
    }
    if (!good) {
        fprintf(stderr, "weft-bench: SQLite: %s\n", sqlite3_errmsg(db));
    }
    sqlite3_finalize(insert);
    sqlite3_close(db);
    remove_all(folder);
    *found = found_of(latencies, 1e-9 * (double)timed_ns, groups);
    return good;
}

// ---------------------------------------------------------------------------------------------------- side by side

static double middle(const struct found *found, uint32_t count, size_t field)
{
    double values[BENCH_RUNS_MAX] = {0};
    for (uint32_t i = 0; i < count; i++) {
        memcpy(&values[i], (const char *)&found[i] + field, sizeof values[i]);
    }
    return bench_median(values, count);
}
#define MIDDLE(of, field) middle(of, runs, offsetof(struct found, field))

static bool side_by_side(struct bench_report *report, const struct how *how, uint32_t writers)
{
    struct found kept[BENCH_RUNS_MAX], bare[BENCH_RUNS_MAX];
    struct latencies latencies = {.ms = malloc(LATENCIES_MAX * sizeof(double))};
    const uint32_t runs = how->runs;
    bool good = latencies.ms != NULL;
    for (uint32_t run = 0; good && run < runs; run++) {
        // Forth and back; the size of a group is known from the first run on.
        if (run % 2 == 0) {
            good = run_store(how, writers, &latencies, &kept[run]);
        }
        const double group = kept[run % 2 == 0 ? run : run - 1].group;
        good = good && run_bare(how, group < 1 ? 1 : (uint32_t)(group + 0.5), &latencies, &bare[run]);
        if (run % 2 == 1) {
            good = good && run_store(how, writers, &latencies, &kept[run]);
        }
    }
    free(latencies.ms);
    if (!good) {
        return false;
    }
    double rates[BENCH_RUNS_MAX], waits[BENCH_RUNS_MAX];
    for (uint32_t run = 0; run < runs; run++) {
        rates[run] = kept[run].per_second / bare[run].per_second;
        waits[run] = kept[run].median_ms / bare[run].median_ms;
    }
    printf("%7" PRIu32 " %7.1f %9.0f %9.0f %6.2f %9.3f %9.3f %6.2f %9.3f %9.3f\n", writers,
           MIDDLE(kept, group), MIDDLE(kept, per_second), MIDDLE(bare, per_second), bench_median(rates, runs),
           MIDDLE(kept, median_ms), MIDDLE(bare, median_ms), bench_median(waits, runs), MIDDLE(kept, late_ms),
           MIDDLE(bare, late_ms));
    json_t *row = bench_report_row(report, "journal", writers, "", 0);
    bench_report_number(report, row, "group", MIDDLE(kept, group));
    bench_report_number(report, row, "per_second", MIDDLE(kept, per_second));
    bench_report_number(report, row, "per_second_bare", MIDDLE(bare, per_second));
    bench_report_number(report, row, "rate_ratio", bench_median(rates, runs));
    bench_report_number(report, row, "median_ms", MIDDLE(kept, median_ms));
    bench_report_number(report, row, "median_ms_bare", MIDDLE(bare, median_ms));
    bench_report_number(report, row, "late_ms", MIDDLE(kept, late_ms));
    bench_report_number(report, row, "late_ms_bare", MIDDLE(bare, late_ms));
    return true;
}

// ------------------------------------------------------------------------------------------------- beside an image

// Bytes that nothing makes smaller.
static struct base_buffer *image_make(size_t size)
{
    struct base_buffer *bytes = base_buffer_create(size, NULL);
    uint64_t random = 1;
    for (size_t i = 0; bytes != NULL && i < size; i++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        bytes->data[i] = (uint8_t)(random >> 56);
    }
    return bytes;
}

static bool run_beside(const struct how *how, struct base_buffer *image, struct latencies *latencies,
                       struct found *found)
{
    enum { LIST = LISTS_FROM + LISTS_MAX };
    char folder[PATH_SIZE];
    struct writing writing = {0};
    const struct store_image head = {0};
    double groups = 1, seconds = 1;
    snprintf(folder, sizeof folder, "%s/store", how->folder);
    remove_all(folder);
    base_mutex_init(&writing.mutex);
    base_cond_init(&writing.cond);
    struct store *store = store_begin(&writing, folder, 1);
    bool good = store != NULL && (image == NULL || store_create(store, LIST, "large", &head, image));
    if (good) {
        seconds = write_on(&writing, store, 1, how->seconds, 0, latencies, &groups);
    }
    store_close(store);
    *found = found_of(latencies, seconds, groups);
    remove_all(folder);
    base_cond_deinit(&writing.cond);
    base_mutex_deinit(&writing.mutex);
    return good && !writing.failed;
}

static bool beside_an_image(struct bench_report *report, const struct how *how)
{
    struct found alone[BENCH_RUNS_MAX], beside[BENCH_RUNS_MAX];
    struct latencies latencies = {.ms = malloc(LATENCIES_MAX * sizeof(double))};
    const size_t size = how->quick ? 4000000 : 100000000;
    struct base_buffer *image = image_make(size);
    const uint32_t runs = how->runs;
    bool good = latencies.ms != NULL && image != NULL;
    for (uint32_t run = 0; good && run < runs; run++) {
        good = run_beside(how, NULL, &latencies, &alone[run]) &&
               run_beside(how, image, &latencies, &beside[run]);
    }
    free(latencies.ms);
    base_buffer_unref(image);
    if (!good) {
        return false;
    }
    double ratios[BENCH_RUNS_MAX];
    for (uint32_t run = 0; run < runs; run++) {
        ratios[run] = beside[run].late_ms / alone[run].late_ms;
    }
    printf("\nOne writer, while an image of %.0f MB is stored: median %.3f ms, 99 %% %.3f ms; alone %.3f and "
           "%.3f ms (99 %%: "
           "%.2f times)\n",
           1e-6 * (double)size, MIDDLE(beside, median_ms), MIDDLE(beside, late_ms), MIDDLE(alone, median_ms),
           MIDDLE(alone, late_ms), bench_median(ratios, runs));
    json_t *row = bench_report_row(report, "beside", 0, "", 0);
    bench_report_number(report, row, "median_ms", MIDDLE(beside, median_ms));
    bench_report_number(report, row, "late_ms", MIDDLE(beside, late_ms));
    bench_report_number(report, row, "late_ratio", bench_median(ratios, runs));
    return true;
}

// ------------------------------------------------------------------------------------------------------------ command

static void print_help(void)
{
    fputs(
        "Usage: weft-bench journal [OPTIONS]\n"
        "\n"
        "Entries a second that become durable, and how long each waits for it, through the store and through "
        "a\n"
        "bare program of SQLite that commits the same bytes in groups of the same size on the same disk, in\n"
        "turns. Then the bytes that an hour of a world of 100 x 100 particles takes.\n"
        "\n"
        "  --folder DIR   where files are written, on the disk that is meant; if absent the working "
        "directory\n"
        "  --runs N       of which medians are told, 1 to 99; default 5\n"
        "  --json FILE    writes the results as a list of objects\n"
        "  --quick        short runs: to see that it works\n"
        "  --help         print this\n"
        "\n"
        "Exit status: 0 done, 1 something failed, 2 wrong usage.\n",
        stdout);
}

static bool measure(struct bench_report *report, const struct how *how)
{
    static const uint32_t writers[] = {1, 16, 256};
    bool good = true;
    printf("Entries of %d bytes; medians of %" PRIu32
           " runs of %.1f s. A ratio below 1 of entries, or above 1 of ms: the "
           "store is\nslower than bare SQLite.\n\n"
           "writers   group     a second     bare  ratio median ms      bare  ratio   99 %% ms      bare\n",
           ENTRY, how->runs, how->seconds);
    for (size_t i = 0; good && i < sizeof writers / sizeof *writers; i++) {
        good = side_by_side(report, how, writers[i]);
        fflush(stdout);
    }
    return good && beside_an_image(report, how) && bench_journal_hours(report, how->folder, how->quick);
}

int bench_journal(int count, char **arguments)
{
    static const struct option known[] = {
        {"folder", required_argument, NULL, 'f'}, {"runs", required_argument, NULL, 'r'},
        {"json", required_argument, NULL, 'j'},   {"quick", no_argument, NULL, 'q'},
        {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0},
    };
    const char *json = NULL, *above = ".";
    struct how how = {.runs = 5};
    opterr = 0;
    for (int option; (option = getopt_long(count, arguments, "+:", known, NULL)) != -1;) {
        switch (option) {
        case 'f':
            above = optarg;
            break;
        case 'r':
            if (!bench_number("runs", optarg, 1, BENCH_RUNS_MAX, &how.runs)) {
                return 2;
            }
            break;
        case 'j':
            json = optarg;
            break;
        case 'q':
            how.quick = true;
            break;
        case 'h':
            print_help();
            return 0;
        default:
            fprintf(stderr, "weft-bench: %s: %s; see weft-bench journal --help\n", arguments[optind - 1],
                    option == ':' ? "needs a value" : "there is no such option");
            return 2;
        }
    }
    if (optind < count) {
        fprintf(stderr, "weft-bench: '%s' is not an option; see weft-bench journal --help\n",
                arguments[optind]);
        return 2;
    }
    how.seconds = how.quick ? 0.2 : 3;
    char folder[PATH_SIZE];
    struct bench_report report;
    if (!bench_report_init(&report, json)) {
        return 1;
    }
    snprintf(folder, sizeof folder, "%.400s/weft-bench-XXXXXX", above);
    how.folder = mkdtemp(folder);
    if (how.folder == NULL) {
        fprintf(stderr, "weft-bench: --folder %s: no folder can be made in it\n", above);
    }
    report.failed = how.folder == NULL || !measure(&report, &how);
    remove_all(folder);
    return bench_report_finish(&report) ? 0 : 1;
}
