// Readers. Each has a read-only connection of its own, and each call has a short read transaction. What is
// returned was checked: entries against the chain, rows of images against their seal.
#include "store/read.h"

#include "base/array.h"
#include "store/chain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IMAGE_COLUMNS                                                                             \
    "position, tick, hash, maker, at, size, sum, chain, pieces, piece_end, packed, entry_bytes, " \
    "piece_bytes, seal"

static const char *const texts[STORE_SQLITE_READ_STATEMENTS] = {
    [STORE_SQLITE_R_BEGIN] = "BEGIN",
    [STORE_SQLITE_R_END] = "COMMIT",
    [STORE_SQLITE_R_LISTS] = "SELECT list FROM lists ORDER BY list",
    [STORE_SQLITE_R_LIST] =
        "SELECT epoch, label, binned, created_at, binned_at, binned_seen FROM lists WHERE list = ?1",
    [STORE_SQLITE_R_IMAGE] = ("SELECT " IMAGE_COLUMNS " FROM images WHERE list = ?1 AND position <= ?2 "
                              "ORDER BY position DESC LIMIT 1"),
    [STORE_SQLITE_R_IMAGE_OLDEST] =
        ("SELECT " IMAGE_COLUMNS " FROM images WHERE list = ?1 ORDER BY position LIMIT 1"),
    [STORE_SQLITE_R_IMAGES] = ("SELECT " IMAGE_COLUMNS " FROM images WHERE list = ?1 ORDER BY position"),
    [STORE_SQLITE_R_ENTRIES] = ("SELECT position, tick, kind, at, chain, bytes FROM entries "
                                "WHERE list = ?1 AND position >= ?2 ORDER BY position"),
    [STORE_SQLITE_R_LAST] =
        "SELECT position, tick FROM entries WHERE list = ?1 ORDER BY position DESC LIMIT 1",
    [STORE_SQLITE_R_TICK] = "SELECT tick FROM entries WHERE list = ?1 AND position = ?2",
    [STORE_SQLITE_R_TAIL] =
        "SELECT coalesce(sum(length(bytes)), 0) FROM entries WHERE list = ?1 AND position > ?2",
    [STORE_SQLITE_R_IMAGE_COUNT] = "SELECT count(*) FROM images WHERE list = ?1",
    [STORE_SQLITE_R_PIECE] = "SELECT key, size, bytes FROM pieces WHERE piece = ?1 AND list = ?2",
};

enum fault_code store_sqlite_fail(struct sqlite_reader *reader, int code, uint32_t list, uint64_t position,
                                  struct store_error *error)
{
    return store_db_fail(reader->db, code, list, position, reader->store->folder.db, error);
}

static enum fault_code no_list(struct store_error *error, uint32_t list)
{
    return store_fail(error, FAULT_NOT_FOUND, list, 0, "there is no list %u", list);
}

void store_sqlite_reader_close(struct store_reader *base)
{
    struct sqlite_reader *reader = (struct sqlite_reader *)base;
    for (int i = 0; i < STORE_SQLITE_READ_STATEMENTS; i++) {
        sqlite3_finalize(reader->statements[i]);
    }
    store_db_close(reader->db);
    base_hash_destroy(reader->hash);
    free(reader->entries);
    free(reader->bytes);
    free(reader);
}

static enum fault_code read_key(struct sqlite_reader *reader, struct store_error *error)
{
    sqlite3_stmt *row = NULL;
    int code = sqlite3_prepare_v2(reader->db, "SELECT key FROM store", -1, &row, NULL);
    if (code == SQLITE_OK) {
        code = sqlite3_step(row);
    }
    if (code == SQLITE_ROW && sqlite3_column_bytes(row, 0) == STORE_KEY_SIZE) {
        memcpy(reader->key, sqlite3_column_blob(row, 0), STORE_KEY_SIZE);
        code = SQLITE_OK;
    } else if (code == SQLITE_ROW || code == SQLITE_DONE) {
        code = SQLITE_CORRUPT;
    }
    sqlite3_finalize(row);
    return code == SQLITE_OK ? FAULT_NONE : store_sqlite_fail(reader, code, 0, 0, error);
}

struct store_reader *store_sqlite_reader_open(struct store *store, struct store_error *error)
{
    struct sqlite_reader *reader = calloc(1, sizeof *reader);
    if (!reader) {
        store_fail(error, FAULT_MEMORY, 0, 0, "no memory for a reader");
        return NULL;
    }
    reader->reader.backend = store->backend;
    reader->store = (struct sqlite_store *)store;
    const struct store_folder *folder = &reader->store->folder;
    enum fault_code status = store_db_open(folder->checked, folder->db, STORE_DB_READ, &reader->db, error);
    for (int i = 0; i < STORE_SQLITE_READ_STATEMENTS && status == FAULT_NONE; i++) {
        const int code = store_db_prepare(reader->db, texts[i], &reader->statements[i]);
        status = code == SQLITE_OK ? FAULT_NONE : store_sqlite_fail(reader, code, 0, 0, error);
    }
    if (status == FAULT_NONE) {
        status = read_key(reader, error);
    }
    if (status == FAULT_NONE) {
        reader->hash = base_hash_create();
        status = reader->hash ? FAULT_NONE : store_fail(error, FAULT_MEMORY, 0, 0, "no memory for a reader");
    }
    if (status != FAULT_NONE) {
        store_sqlite_reader_close(&reader->reader);
        return NULL;
    }
    return &reader->reader;
}

enum fault_code store_sqlite_read_begin(struct sqlite_reader *reader, struct store_error *error)
{
    const int code = store_db_run(reader->statements[STORE_SQLITE_R_BEGIN]);
    return code == SQLITE_OK ? FAULT_NONE : store_sqlite_fail(reader, code, 0, 0, error);
}

void store_sqlite_read_end(struct sqlite_reader *reader)
{
    if (!sqlite3_get_autocommit(reader->db)) {
        (void)store_db_run(reader->statements[STORE_SQLITE_R_END]);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Images

static enum fault_code image_row(struct sqlite_reader *reader, uint32_t list, sqlite3_stmt *row, bool runs,
                                 struct store_sqlite_image_row *out, struct store_error *error)
{
    *out = (struct store_sqlite_image_row){
        .image = {store_db_column(row, 0), store_db_column(row, 1), store_db_column(row, 2),
                  (uint32_t)store_db_column(row, 3), store_db_column(row, 4)},
        .size = store_db_column(row, 5),
        .sum = store_db_column(row, 6),
        .chain = store_db_column(row, 7),
        .piece_end = store_db_column(row, 9),
        .packed = store_db_column(row, 10),
        .entry_bytes = store_db_column(row, 11),
        .piece_bytes = store_db_column(row, 12),
        .runs_size = (size_t)sqlite3_column_bytes(row, 8),
    };
    const uint8_t *bytes = sqlite3_column_blob(row, 8);
    const struct store_seal seal = {out->size, out->sum, out->chain, out->piece_end, bytes, out->runs_size};
    if (store_seal(reader->hash, list, &out->image, &seal) != store_db_column(row, 13)) {
        return store_fail(error, FAULT_DAMAGED, list, out->image.position,
                          "the image of list %u at position %llu is not what was written", list,
                          (unsigned long long)out->image.position);
    }
    if (runs) {
        out->runs = malloc(out->runs_size + 1);
        if (!out->runs) {
            return store_fail(error, FAULT_MEMORY, list, out->image.position, "no memory for an image");
        }
        if (out->runs_size > 0) {
            memcpy(out->runs, bytes, out->runs_size);
        }
    }
    return FAULT_NONE;
}

static enum fault_code one_image(struct sqlite_reader *reader, uint32_t list, sqlite3_stmt *row, bool runs,
                                 struct store_sqlite_image_row *out, struct store_error *error)
{
    const int code = sqlite3_step(row);
    enum fault_code status;
    if (code == SQLITE_ROW) {
        status = image_row(reader, list, row, runs, out, error);
    } else if (code == SQLITE_DONE) {
        status = store_fail(error, FAULT_NOT_FOUND, list, 0, "list %u has no image up to there", list);
    } else {
        status = store_sqlite_fail(reader, code, list, 0, error);
    }
    sqlite3_reset(row);
    return status;
}

enum fault_code store_sqlite_image_row(struct sqlite_reader *reader, uint32_t list, uint64_t position,
                                       bool runs, struct store_sqlite_image_row *out,
                                       struct store_error *error)
{
    sqlite3_stmt *row = reader->statements[STORE_SQLITE_R_IMAGE];
    store_db_bind(row, 1, list);
    store_db_bind(row, 2, position > INT64_MAX ? INT64_MAX : position);
    return one_image(reader, list, row, runs, out, error);
}

enum fault_code store_sqlite_image_oldest(struct sqlite_reader *reader, uint32_t list,
                                          struct store_sqlite_image_row *out, struct store_error *error)
{
    sqlite3_stmt *row = reader->statements[STORE_SQLITE_R_IMAGE_OLDEST];
    store_db_bind(row, 1, list);
    return one_image(reader, list, row, false, out, error);
}

// ---------------------------------------------------------------------------------------------------------
// Lists

static enum fault_code last_of(struct sqlite_reader *reader, struct store_list *list,
                               struct store_error *error)
{
    sqlite3_stmt *row = reader->statements[STORE_SQLITE_R_LAST];
    store_db_bind(row, 1, list->list);
    const int code = sqlite3_step(row);
    if (code == SQLITE_ROW && store_db_column(row, 0) >= list->last) {
        list->last = store_db_column(row, 0);
        list->last_tick = store_db_column(row, 1);
    }
    sqlite3_reset(row);
    return code == SQLITE_ROW || code == SQLITE_DONE ? FAULT_NONE
                                                     : store_sqlite_fail(reader, code, list->list, 0, error);
}

static enum fault_code measure_list(struct sqlite_reader *reader, struct store_list *list,
                                    struct store_error *error)
{
    struct store_sqlite_image_row oldest, newest;
    enum fault_code status = store_sqlite_image_oldest(reader, list->list, &oldest, error);
    if (status == FAULT_NONE) {
        status = store_sqlite_image_row(reader, list->list, UINT64_MAX, false, &newest, error);
    }
    if (status != FAULT_NONE) {
        return status == FAULT_NOT_FOUND
                   ? store_fail(error, FAULT_DAMAGED, list->list, 0, "list %u has no image", list->list)
                   : status;
    }
    uint64_t tail = 0, count = 0;
    sqlite3_stmt *sum = reader->statements[STORE_SQLITE_R_TAIL];
    store_db_bind(sum, 1, list->list);
    store_db_bind(sum, 2, newest.image.position);
    int code = store_db_number(sum, &tail);
    if (code == SQLITE_OK) {
        store_db_bind(reader->statements[STORE_SQLITE_R_IMAGE_COUNT], 1, list->list);
        code = store_db_number(reader->statements[STORE_SQLITE_R_IMAGE_COUNT], &count);
    }
    if (code != SQLITE_OK) {
        return store_sqlite_fail(reader, code, list->list, 0, error);
    }
    list->images = count;
    list->first = oldest.image.position;
    list->first_tick = oldest.image.tick;
    list->last = newest.image.position;
    list->last_tick = newest.image.tick;
    list->bytes = oldest.packed + (newest.piece_bytes - oldest.piece_bytes) +
                  (newest.entry_bytes - oldest.entry_bytes) + tail;
    return last_of(reader, list, error);
}

enum fault_code store_sqlite_list_row(struct sqlite_reader *reader, uint32_t list, struct store_list *out,
                                      struct store_error *error)
{
    sqlite3_stmt *row = reader->statements[STORE_SQLITE_R_LIST];
    store_db_bind(row, 1, list);
    const int code = sqlite3_step(row);
    *out = (struct store_list){.list = list};
    if (code == SQLITE_ROW) {
        const char *label = (const char *)sqlite3_column_text(row, 1);
        out->epoch = store_db_column(row, 0);
        (void)snprintf(out->label, sizeof out->label, "%s", label ? label : "");
        out->binned = store_db_column(row, 2) != 0;
        out->created_at = store_db_column(row, 3);
        out->binned_at = store_db_column(row, 4);
        out->binned_for = out->binned ? store_seen_since(&reader->store->seen, store_db_column(row, 5)) : 0;
    }
    sqlite3_reset(row);
    const struct sqlite_store *store = reader->store;
    const struct store_sqlite_lost_list *lost =
        store->options.follows ? NULL : store_sqlite_lost_of(store->lost, list);
    out->lost = lost != NULL;
    out->durable = lost ? lost->durable : 0;
    return code == SQLITE_ROW            ? measure_list(reader, out, error)
           : code == SQLITE_DONE && lost ? store_sqlite_lost_say(lost, store->folder.path, error)
           : code == SQLITE_DONE         ? no_list(error, list)
                                         : store_sqlite_fail(reader, code, list, 0, error);
}

enum fault_code store_sqlite_list_find(struct store_reader *base, uint32_t list, struct store_list *out,
                                       struct store_error *error)
{
    struct sqlite_reader *reader = (struct sqlite_reader *)base;
    enum fault_code status = store_sqlite_read_begin(reader, error);
    if (status == FAULT_NONE) {
        status = store_sqlite_list_row(reader, list, out, error);
    }
    store_sqlite_read_end(reader);
    return status;
}

enum fault_code store_sqlite_list_ids(struct sqlite_reader *reader, uint32_t **out, uint32_t *count,
                                      struct store_error *error)
{
    sqlite3_stmt *row = reader->statements[STORE_SQLITE_R_LISTS];
    size_t room = 0;
    int code;
    *out = NULL;
    *count = 0;
    while ((code = sqlite3_step(row)) == SQLITE_ROW) {
        if (!array_reserve(out, &room, *count + 1)) {
            code = SQLITE_NOMEM;
            break;
        }
        (*out)[(*count)++] = (uint32_t)store_db_column(row, 0);
    }
    sqlite3_reset(row);
    return code == SQLITE_DONE ? FAULT_NONE : store_sqlite_fail(reader, code, 0, 0, error);
}

static enum fault_code lists_in(struct sqlite_reader *reader, struct store_list **out, uint32_t *count,
                                struct store_error *error)
{
    uint32_t *ids = NULL;
    enum fault_code status = store_sqlite_list_ids(reader, &ids, count, error);
    if (status == FAULT_NONE) {
        *out = malloc((*count + 1) * sizeof **out);
        status = *out ? FAULT_NONE : store_fail(error, FAULT_MEMORY, 0, 0, "no memory for the lists");
    }
    for (uint32_t i = 0; i < *count && status == FAULT_NONE; i++) {
        status = store_sqlite_list_row(reader, ids[i], &(*out)[i], error);
        if (status == FAULT_DAMAGED && (*out)[i].epoch != 0) {
            status = FAULT_NONE; // the list is named; a reader of it gets the error
        }
    }
    free(ids);
    return status;
}

enum fault_code store_sqlite_lists(struct store_reader *base, struct store_list **out, uint32_t *count,
                                   struct store_error *error)
{
    struct sqlite_reader *reader = (struct sqlite_reader *)base;
    *out = NULL;
    *count = 0;
    enum fault_code status = store_sqlite_read_begin(reader, error);
    if (status == FAULT_NONE) {
        status = lists_in(reader, out, count, error);
    }
    store_sqlite_read_end(reader);
    if (status != FAULT_NONE) {
        free(*out);
        *out = NULL;
        *count = 0;
    }
    return status;
}

enum fault_code store_sqlite_chain(struct store_reader *base, uint32_t list, uint64_t position,
                                   uint64_t *chain, struct store_error *error)
{
    struct sqlite_reader *reader = (struct sqlite_reader *)base;
    static const char text[] = "SELECT chain FROM entries WHERE list = ?1 AND position = ?2 UNION "
                               "SELECT chain FROM images WHERE list = ?1 AND position = ?2";
    sqlite3_stmt *row = NULL;
    *chain = 0;
    int code = sqlite3_prepare_v2(reader->db, text, -1, &row, NULL);
    if (code == SQLITE_OK) {
        store_db_bind(row, 1, list);
        store_db_bind(row, 2, position);
        code = sqlite3_step(row);
    }
    if (code == SQLITE_ROW) {
        *chain = store_db_column(row, 0);
    }
    sqlite3_finalize(row);
    return code == SQLITE_ROW ? FAULT_NONE
           : code == SQLITE_DONE
               ? store_fail(error, FAULT_NOT_FOUND, list, position, "list %u has nothing at position %llu",
                            list, (unsigned long long)position)
               : store_sqlite_fail(reader, code, list, position, error);
}

enum fault_code store_sqlite_image_seen(struct store_reader *base, uint32_t list, uint64_t position,
                                        uint64_t *seen, struct store_error *error)
{
    struct sqlite_reader *reader = (struct sqlite_reader *)base;
    static const char text[] =
        "SELECT seen FROM images WHERE list = ?1 AND position >= ?2 ORDER BY position LIMIT 1";
    sqlite3_stmt *row = NULL;
    *seen = 0;
    int code = sqlite3_prepare_v2(reader->db, text, -1, &row, NULL);
    if (code == SQLITE_OK) {
        store_db_bind(row, 1, list);
        store_db_bind(row, 2, position);
        code = sqlite3_step(row);
    }
    if (code == SQLITE_ROW) {
        *seen = store_db_column(row, 0);
    }
    sqlite3_finalize(row);
    return code == SQLITE_ROW    ? FAULT_NONE
           : code == SQLITE_DONE ? store_fail(error, FAULT_NOT_FOUND, list, position,
                                              "list %u has no image at position %llu or later", list,
                                              (unsigned long long)position)
                                 : store_sqlite_fail(reader, code, list, position, error);
}

// ---------------------------------------------------------------------------------------------------------
// Images for callers

enum fault_code store_sqlite_images_in(struct sqlite_reader *reader, uint32_t list, struct store_image **out,
                                       uint32_t *count, struct store_error *error)
{
    sqlite3_stmt *row = reader->statements[STORE_SQLITE_R_IMAGES];
    struct store_image *images = NULL;
    size_t room = 0, some = 0;
    enum fault_code status = FAULT_NONE;
    int code = SQLITE_ROW;
    *out = NULL;
    *count = 0;
    store_db_bind(row, 1, list);
    while (status == FAULT_NONE && (code = sqlite3_step(row)) == SQLITE_ROW) {
        struct store_sqlite_image_row image;
        status = image_row(reader, list, row, false, &image, error);
        if (status == FAULT_NONE && !array_reserve(&images, &room, some + 1)) {
            status = store_fail(error, FAULT_MEMORY, list, 0, "no memory for the images");
        }
        if (status == FAULT_NONE) {
            images[some++] = image.image;
        }
    }
    sqlite3_reset(row);
    if (status == FAULT_NONE && code != SQLITE_DONE) {
        status = store_sqlite_fail(reader, code, list, 0, error);
    }
    if (status == FAULT_NONE && some == 0) {
        status = no_list(error, list);
    }
    if (status != FAULT_NONE) {
        free(images);
        return status;
    }
    *out = images;
    *count = (uint32_t)some;
    return FAULT_NONE;
}

enum fault_code store_sqlite_images(struct store_reader *base, uint32_t list, struct store_image **out,
                                    uint32_t *count, struct store_error *error)
{
    return store_sqlite_images_in((struct sqlite_reader *)base, list, out, count, error);
}

static enum fault_code no_image(struct store_error *error, uint32_t list, uint64_t tick, uint64_t position)
{
    return store_fail(error, FAULT_NOT_FOUND, list, position,
                      "list %u has no image up to tick %llu and position %llu", list,
                      (unsigned long long)tick, (unsigned long long)position);
}

// Finds an image by tick. Ticks grow with positions, so positions can be bisected by the ticks of the images
// at them or before.
static enum fault_code find_image(struct sqlite_reader *reader, uint32_t list, uint64_t tick,
                                  uint64_t position, struct store_sqlite_image_row *out,
                                  struct store_error *error)
{
    struct store_sqlite_image_row row;
    enum fault_code status = store_sqlite_image_oldest(reader, list, out, error);
    if (status != FAULT_NONE) {
        return status == FAULT_NOT_FOUND ? no_list(error, list) : status;
    }
    if (out->image.position > position || out->image.tick > tick) {
        return no_image(error, list, tick, position);
    }
    status = store_sqlite_image_row(reader, list, position, false, &row, error);
    if (status == FAULT_NONE && row.image.tick <= tick) {
        *out = row;
        return FAULT_NONE;
    }
    uint64_t fits = out->image.position, does_not = row.image.position;
    while (status == FAULT_NONE && does_not - fits > 1) {
        const uint64_t middle = fits + (does_not - fits) / 2;
        status = store_sqlite_image_row(reader, list, middle, false, &row, error);
        if (status == FAULT_NONE && row.image.tick <= tick) {
            fits = middle;
            *out = row;
        } else {
            does_not = row.image.position;
        }
    }
    return status;
}

enum fault_code store_sqlite_image_before(struct store_reader *base, uint32_t list, uint64_t tick,
                                          uint64_t position, struct store_image *out,
                                          struct store_error *error)
{
    struct sqlite_reader *reader = (struct sqlite_reader *)base;
    struct store_sqlite_image_row row;
    enum fault_code status = store_sqlite_read_begin(reader, error);
    if (status == FAULT_NONE) {
        status = find_image(reader, list, tick, position, &row, error);
    }
    store_sqlite_read_end(reader);
    if (status == FAULT_NONE) {
        *out = row.image;
    }
    return status;
}
