// Checks everything: pages, what ties them together, each entry, each piece of each image.
#include "store/read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct verifier {
    struct sqlite_reader *reader;
    void (*on_damage)(void *context, const struct store_error *damage);
    void *context;
};

static void tell(const struct verifier *verifier, const struct store_error *damage)
{
    verifier->on_damage(verifier->context, damage);
}

// Runs SQLite's own check, which reads every page in use, and how they are connected. A damaged page ends it.
static void verify_database(const struct verifier *verifier)
{
    struct sqlite_reader *reader = verifier->reader;
    sqlite3_stmt *rows = NULL;
    struct store_error damage;
    int code = sqlite3_prepare_v2(reader->db, "PRAGMA integrity_check(20)", -1, &rows, NULL);
    while (code == SQLITE_OK || code == SQLITE_ROW) {
        code = sqlite3_step(rows);
        if (code == SQLITE_ROW) {
            const char *text = (const char *)sqlite3_column_text(rows, 0);
            if (text && strcmp(text, "ok") != 0) {
                store_fail(&damage, FAULT_DAMAGED, 0, 0, "%s: %s", reader->store->folder.db, text);
                tell(verifier, &damage);
            }
        }
    }
    sqlite3_finalize(rows);
    if (code != SQLITE_DONE) {
        store_sqlite_fail(reader, code, 0, 0, &damage);
        tell(verifier, &damage);
    }
}

static bool passed(const struct verifier *verifier, enum fault_code status, const struct store_error *damage)
{
    if (status != FAULT_NONE) {
        tell(verifier, damage);
    }
    return status == FAULT_NONE;
}

// Checks all entries after an image, up to the next one, with whose chain they have to agree.
static bool verify_span(const struct verifier *verifier, uint32_t list, uint64_t from, uint64_t to,
                        const struct store_sqlite_image_row *next)
{
    struct store_error damage = {0};
    uint64_t chain = 0;
    while (from < to) {
        uint32_t count;
        const uint64_t left = to - from;
        const enum fault_code status =
            store_sqlite_read_entries(verifier->reader, list, from, left < 1024 ? (uint32_t)left : 1024,
                                      1 << 20, &count, &chain, &damage);
        if (!passed(verifier, status, &damage)) {
            return false;
        }
        if (count == 0) {
            store_fail(&damage, FAULT_DAMAGED, list, from + 1, "entry %" PRIu64 " of list %u is missing",
                       from + 1, list);
            tell(verifier, &damage);
            return false;
        }
        from += count;
        if (next && from == to && chain != next->chain) {
            store_fail(&damage, FAULT_DAMAGED, list, to,
                       "the image of list %u at position %" PRIu64 " is of other entries", list, to);
            tell(verifier, &damage);
            return false;
        }
    }
    return true;
}

static void verify_list(const struct verifier *verifier, uint32_t list)
{
    struct sqlite_reader *reader = verifier->reader;
    struct store_error damage = {0};
    struct store_list row;
    struct store_image *images = NULL;
    uint32_t count = 0;
    if (!passed(verifier, store_sqlite_list_row(reader, list, &row, &damage), &damage) ||
        !passed(verifier, store_sqlite_images_in(reader, list, &images, &count, &damage), &damage)) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct store_sqlite_image_row image = {0};
        uint8_t *bytes = NULL;
        enum fault_code status =
            store_sqlite_image_row(reader, list, images[i].position, true, &image, &damage);
        if (status == FAULT_NONE) {
            status = store_sqlite_image_bytes(reader, list, &image, &bytes, &damage);
        }
        (void)passed(verifier, status, &damage);
        free(bytes);
        free(image.runs);
        struct store_sqlite_image_row next = {0};
        const bool is_last = i + 1 == count;
        if (!is_last &&
            !passed(verifier,
                    store_sqlite_image_row(reader, list, images[i + 1].position, false, &next, &damage),
                    &damage)) {
            continue;
        }
        (void)verify_span(verifier, list, images[i].position, is_last ? row.last : images[i + 1].position,
                          is_last ? NULL : &next);
    }
    free(images);
}

// Checks the log too, if no process writes the folder: SQLite would leave out what comes after a damaged
// place.
bool store_sqlite_verify_end(struct store_reader *base,
                             void (*on_damage)(void *context, const struct store_error *damage),
                             void *context, struct store_error *error)
{
    struct sqlite_reader *reader = (struct sqlite_reader *)base;
    const struct verifier verifier = {reader, on_damage, context};
    const struct store_sqlite_lost *lost = reader->store->lost;
    struct store_folder *folder = &reader->store->folder;
    struct store_error damage = {0};
    if (!reader->store->running && store_folder_unused(folder)) {
        uint64_t frames;
        struct store_mark *mark = calloc(1, sizeof *mark);
        if (!mark) {
            store_fail(error, FAULT_MEMORY, 0, 0, "no memory to look at %s", folder->path);
            return false;
        }
        store_mark_read(&folder->mark, mark);
        (void)passed(&verifier, store_folder_check(folder, mark, &frames, &damage), &damage);
        free(mark);
    }
    for (uint32_t i = 0; lost && i < lost->count; i++) {
        (void)passed(&verifier, store_sqlite_lost_say(&lost->lists[i], folder->path, &damage), &damage);
    }
    if (lost && lost->behind && !lost->known && lost->count == 0) {
        (void)passed(&verifier, store_sqlite_lost_say_commits(lost, folder->path, &damage), &damage);
    }
    return true;
}

bool store_sqlite_verify(struct store_reader *base,
                         void (*on_damage)(void *context, const struct store_error *damage), void *context,
                         struct store_error *error)
{
    struct sqlite_reader *reader = (struct sqlite_reader *)base;
    const struct verifier verifier = {reader, on_damage, context};
    uint32_t *lists = NULL, count = 0;
    if (!store_sqlite_verify_end(base, on_damage, context, error) ||
        store_sqlite_read_begin(reader, error) != FAULT_NONE) {
        return false;
    }
    verify_database(&verifier);
    enum fault_code status = store_sqlite_list_ids(reader, &lists, &count, error);
    if (status == FAULT_NONE) {
        for (uint32_t i = 0; i < count; i++) {
            verify_list(&verifier, lists[i]);
        }
    }
    store_sqlite_read_end(reader);
    free(lists);
    return status == FAULT_NONE;
}
