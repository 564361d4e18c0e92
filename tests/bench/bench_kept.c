// The cost of persistence to a world that plays: bench_kept FOLDER [SECONDS [WIDTH…]].
//
// Two worlds of the same cloth play in real time on this thread, in turns: one without a journal, and one whose journal
// goes into a new folder below FOLDER. It compares their processor time, and also reports that of the store's and the
// image's threads.
#include "base/clock.h"
#include "cloth_document.h"
#include "host/registry.h"
#include "store/store.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

enum { TICK_RATE = 60, BLOCKS = 10 };

static double cpu_s(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void on_commit(void *context, uint32_t list, uint64_t position)
{
    (void)context, (void)list, (void)position;
}

static struct store *folder_of(const char *path, uint32_t width)
{
    char name[512];
    struct store_error error;
    snprintf(name, sizeof name, "%s/kept-%u-%ld", path, width, (long)time(NULL));
    struct store *store = store_open(
        &(struct store_options){
            .folder = name, .keep_seconds = UINT64_MAX, .keep_bytes = UINT64_MAX, .on_commit = on_commit},
        &error);
    if (!store) {
        fprintf(stderr, "bench_kept: %s\n", error.fault.text);
    }
    return store;
}

static struct world *world_of(uint32_t width, struct store *store)
{
    struct document *document = bench_cloth_document(&(struct bench_cloth){.width = width, .bends = true});
    struct protocol_world_create_params settings;
    if (!document) {
        return NULL;
    }
    document_settings(document, &settings);
    if (store) {
        const struct host_image image = host_image_of(document);
        const struct store_image head = {.hash = image.hash, .maker = sim_solver_version()};
        if (!image.bytes || !store_create(store, 1, "cloth", &head, image.bytes)) {
            return NULL;
        }
        base_buffer_unref(image.bytes);
    }
    struct world *world = world_create(&(struct world_options){
        .id = 1, .name = "cloth", .settings = &settings, .document = document, .store = store});
    document_destroy(document);
    if (world) {
        world_play(world, 1, false, base_now_ns());
    }
    return world;
}

static void turn(struct world *world, double *spent_s)
{
    const double from_s = cpu_s(CLOCK_THREAD_CPUTIME_ID);
    world_turn(world, base_now_ns());
    for (struct world_event *event; (event = world_take(world)) != NULL;) {
        world_event_destroy(event);
    }
    *spent_s += cpu_s(CLOCK_THREAD_CPUTIME_ID) - from_s;
}

static bool measure(const char *path, double seconds, uint32_t width)
{
    struct store *store = folder_of(path, width);
    struct world *bare = world_of(width, NULL), *kept = store ? world_of(width, store) : NULL;
    double ratios[BLOCKS], spent[2] = {0};
    if (!bare || !kept) {
        return false;
    }
    const double beside_s = cpu_s(CLOCK_PROCESS_CPUTIME_ID) - cpu_s(CLOCK_THREAD_CPUTIME_ID);
    const uint32_t ticks = (uint32_t)(seconds * TICK_RATE / BLOCKS);
    for (int block = 0; block < BLOCKS; block++) {
        double of_block[2] = {0};
        for (uint32_t tick = 0; tick < ticks; tick++) {
            const uint64_t from_ns = base_now_ns();
            turn(tick % 2 ? bare : kept, &of_block[tick % 2 ? 0 : 1]);
            turn(tick % 2 ? kept : bare, &of_block[tick % 2 ? 1 : 0]);
            const uint64_t taken_ns = base_now_ns() - from_ns, period_ns = UINT64_C(1000000000) / TICK_RATE;
            const struct timespec rest = {.tv_nsec = taken_ns < period_ns ? (long)(period_ns - taken_ns) : 0};
            nanosleep(&rest, NULL);
        }
        ratios[block] = of_block[1] / of_block[0];
        spent[0] += of_block[0];
        spent[1] += of_block[1];
    }
    const double beside = cpu_s(CLOCK_PROCESS_CPUTIME_ID) - cpu_s(CLOCK_THREAD_CPUTIME_ID) - beside_s;
    struct world_face faces[2];
    world_face(bare, &faces[0]);
    world_face(kept, &faces[1]);
    qsort(ratios, BLOCKS, sizeof *ratios, by_value);
    printf("%u particles: %.3f ms a tick, kept %.3f ms: %+.1f %% (median of %d blocks %+.1f %%); threads "
           "beside %.1f %% of "
           "a core; %llu ticks, kept %llu; %.1f MB\n",
           width * width, 1e3 * spent[0] / (double)faces[0].ticks_run,
           1e3 * spent[1] / (double)faces[1].ticks_run, 100 * (spent[1] / spent[0] - 1), BLOCKS,
           100 * (ratios[BLOCKS / 2] - 1), 100 * beside / seconds, (unsigned long long)faces[0].ticks_run,
           (unsigned long long)faces[1].ticks_run, (double)store_bytes(store) * 1e-6);
    fflush(stdout);
    world_destroy(bare);
    world_destroy(kept);
    store_close(store);
    return true;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: bench_kept FOLDER [SECONDS [WIDTH...]]\n");
        return 2;
    }
    const double seconds = argc > 2 ? atof(argv[2]) : 20;
    static const uint32_t widths[] = {32, 100, 200};
    if (argc > 3) {
        for (int i = 3; i < argc; i++) {
            if (!measure(argv[1], seconds, (uint32_t)atoi(argv[i]))) {
                return 1;
            }
        }
        return 0;
    }
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        if (!measure(argv[1], seconds, widths[i])) {
            return 1;
        }
    }
    return 0;
}
