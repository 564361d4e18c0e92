// Bytes that an hour of a world takes on the disk: a cloth of 100 x 100 is stepped, and what happens is handed to the store as
// its world would: a mark each quarter of a second, an image each two, and moves of what is held. A part of an hour is run, and
// the clock is not waited for.

#include "base/buffer.h"
#include "base/thread.h"
#include "cases.h"
#include "cloth_document.h"
#include "document/document.h"
#include "past/past.h"
#include "protocol/params.h"
#include "scene.h"
#include "store/store.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    WIDTH = 100,
    RATE = 60,
    MARKS = 4,
    IMAGE_S = 2,
    MOVE = 200,
    MOVED = 1000,
    MOVES = 32000,
    PATH_SIZE = 512
};

struct hour {
    const char *name, *what;
    bool still;    // nothing moves
    uint32_t move; // bytes of a record, each tick; 0: none
};

static const struct hour hours[] = {
    {"rest", "plays, and nothing moves", true, 0},
    {"falls", "swings, and nobody is there", false, 0},
    {"played", "swings, and one grab is moved 60 times a second", false, MOVE},
    {"thousand", "the same with a thousand grabs in each move", false, MOVES},
};

// ---------------------------------------------------------------------------------------------------------- files

static double bytes_in(const char *path, bool removes)
{
    DIR *folder = opendir(path);
    const struct dirent *item;
    double bytes = 0;
    while (folder != NULL && (item = readdir(folder)) != NULL) {
        char name[PATH_SIZE + 260];
        struct stat file;
        snprintf(name, sizeof name, "%s/%s", path, item->d_name);
        if (item->d_name[0] != '.' && stat(name, &file) == 0) {
            bytes += (double)file.st_size;
            if (removes) {
                unlink(name);
            }
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    if (removes) {
        rmdir(path);
    }
    return bytes;
}

// ---------------------------------------------------------------------------------------------------------- a world

struct world_kept {
    struct store *store;
    struct document *document;
    uint64_t position;
    uint64_t random;
    double image_bytes; // of the last one, as it was given
};

static bool image_add(struct world_kept *world, bool first)
{
    struct protocol_bytes bytes = {0};
    const struct store_image image = {.position = world->position, .tick = world->document->tick};
    bool good = document_image_pack(world->document, &bytes);
    struct base_buffer *shared = good ? base_buffer_create(bytes.size, NULL) : NULL;
    if (shared != NULL) {
        memcpy(shared->data, bytes.data, bytes.size);
        world->image_bytes = (double)bytes.size;
        good = first ? store_create(world->store, 1, "cloth", &image, shared)
                     : store_image_add(world->store, 1, &image, shared);
    }
    base_buffer_unref(shared);
    protocol_bytes_deinit(&bytes);
    return good && shared != NULL;
}

static bool entry_add(struct world_kept *world, uint8_t kind, const void *bytes, size_t size)
{
    const struct store_entry entry = {
        ++world->position, world->document->tick, kind, 1000000000, bytes, size};
    return store_append(world->store, 1, 1, &entry, 1);
}

static bool mark_add(struct world_kept *world)
{
    const struct past_mark mark = {.kind = PAST_MARK_TICKS, .at_us = UINT64_C(1700000000000000)};
    msgpack_sbuffer buffer;
    msgpack_packer packer;
    msgpack_sbuffer_init(&buffer);
    msgpack_packer_init(&packer, &buffer, msgpack_sbuffer_write);
    past_mark_pack(&mark, &packer);
    const bool good = entry_add(world, PAST_MARK, buffer.data, buffer.size);
    msgpack_sbuffer_destroy(&buffer);
    return good;
}

// From numbers that nobody can foresee.
static bool move_add(struct world_kept *world, uint32_t size)
{
    static uint8_t bytes[MOVES];
    for (uint32_t i = 0; i < size; i++) {
        world->random = world->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        bytes[i] = (uint8_t)(world->random >> 56);
    }
    return entry_add(world, PAST_RECORD, bytes, size);
}

static bool part_run(struct world_kept *world, const struct hour *hour, uint32_t seconds)
{
    struct base_team *team = base_team_create(base_thread_cores());
    bool good = team != NULL;
    for (uint32_t tick = 1; good && tick <= seconds * RATE; tick++) {
        if (hour->move > 0) {
            good = move_add(world, hour->move);
        }
        good = good && document_step(world->document, base_team_parallel(team), NULL);
        if (good && tick % (RATE / MARKS) == 0) {
            good = mark_add(world);
        }
        if (good && tick % (RATE * IMAGE_S) == 0) {
            good = image_add(world, false);
        }
    }
    base_team_destroy(team);
    return good;
}

static bool hour_run(struct bench_report *report, const struct hour *hour, const char *above,
                     uint32_t seconds)
{
    char folder[PATH_SIZE];
    struct store_error error = {.fault.text = "no memory"};
    snprintf(folder, sizeof folder, "%.400s/hour", above);
    const struct store_options options = {
        .folder = folder, .keep_seconds = UINT64_MAX, .keep_bytes = UINT64_MAX, .bin_seconds = 86400};
    struct world_kept world = {.document = bench_cloth_document(&(struct bench_cloth){
                                   .width = WIDTH, .bends = true, .rests = hour->still}),
                               .store = store_open(&options, &error)};
    bool good = world.document != NULL && world.store != NULL && image_add(&world, true);
    store_close(world.store);
    const double before = bytes_in(folder, false);
    world.store = good ? store_open(&options, &error) : NULL;
    good = world.store != NULL && part_run(&world, hour, seconds);
    store_close(world.store);
    const double an_hour = (bytes_in(folder, true) - before) * 3600 / seconds;
    if (!good) {
        fprintf(stderr, "weft-bench: %s: %s\n", hour->name, error.fault.text);
    }
    printf("  %-9s %10.1f MB   an image of %.2f MB; %s\n", hour->name, 1e-6 * an_hour,
           1e-6 * world.image_bytes, hour->what);
    json_t *row = bench_report_row(report, "hour", WIDTH, "", 0);
    if (json_object_set_new(row, "what", json_string(hour->name)) != 0) {
        report->failed = true;
    }
    bench_report_number(report, row, "bytes_an_hour", an_hour);
    document_destroy(world.document);
    return good;
}

bool bench_journal_hours(struct bench_report *report, const char *folder, bool quick)
{
    const uint32_t seconds = quick ? 4 : 60;
    bool good = true;
    printf("\nWhat an hour of a cloth of %d x %d takes, from %" PRIu32
           " s of it: a mark each 250 ms, an image each %d s\n\n",
           WIDTH, WIDTH, seconds, IMAGE_S);
    for (size_t i = 0; good && i < sizeof hours / sizeof *hours; i++) {
        good = hour_run(report, &hours[i], folder, seconds);
        fflush(stdout);
    }
    return good;
}
