// Reads entries, and the bytes of images.
#include "store/read.h"

#include "base/array.h"
#include "store/chain.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

// ---------------------------------------------------------------------------------------------------------
// Entries

static bool entry_room(struct sqlite_reader *reader, uint32_t count, size_t bytes)
{
    return array_reserve(&reader->entries, &reader->entry_room, count) &&
           array_reserve(&reader->bytes, &reader->bytes_room, bytes);
}

static enum fault_code damaged_entry(struct store_error *error, uint32_t list, uint64_t position,
                                     const char *what)
{
    return store_fail(error, FAULT_DAMAGED, list, position, "entry %llu of list %u %s",
                      (unsigned long long)position, list, what);
}

// Takes the row of the next position, checked against the chain. Its bytes are kept as an offset until all
// are there.
static enum fault_code take_entry(struct sqlite_reader *reader, uint32_t list, uint64_t position,
                                  sqlite3_stmt *row, uint32_t *count, size_t *used, uint64_t *chain,
                                  struct store_error *error)
{
    const size_t size = (size_t)sqlite3_column_bytes(row, 5);
    struct store_entry entry = {
        .position = store_db_column(row, 0),
        .tick = store_db_column(row, 1),
        .kind = (uint8_t)store_db_column(row, 2),
        .at = store_db_column(row, 3),
        .bytes = sqlite3_column_blob(row, 5),
        .size = size,
    };
    if (entry.position != position) {
        return damaged_entry(error, list, position, "is missing");
    }
    *chain = store_chain(reader->hash, *chain, list, &entry);
    if (*chain != store_db_column(row, 4)) {
        return damaged_entry(error, list, position, "is not what was written");
    }
    if (!entry_room(reader, *count + 1, *used + size)) {
        return store_fail(error, FAULT_MEMORY, list, position, "no memory for an entry of %zu bytes", size);
    }
    if (size > 0) {
        memcpy(reader->bytes + *used, entry.bytes, size);
    }
    entry.bytes = NULL;
    reader->entries[(*count)++] = entry;
    *used += size;
    return FAULT_NONE;
}

// Finds the chain's value at a position, from an image or the entry there. Leaves the statement on the row
// before the first that is wanted.
static enum fault_code begin_chain(struct sqlite_reader *reader, uint32_t list, uint64_t after,
                                   uint64_t *chain, struct store_error *error)
{
    struct store_sqlite_image_row image;
    enum fault_code status = store_sqlite_image_row(reader, list, after, false, &image, error);
    if (status == FAULT_NOT_FOUND) {
        struct store_list row;
        status = store_sqlite_list_row(reader, list, &row, error);
        return status != FAULT_NONE
                   ? status
                   : store_fail(error, FAULT_NOT_FOUND, list, after + 1,
                                "entry %llu of list %u is no longer kept: its entries begin with %llu",
                                (unsigned long long)after + 1, list, (unsigned long long)row.first + 1);
    }
    if (status != FAULT_NONE) {
        return status;
    }
    sqlite3_stmt *rows = reader->statements[STORE_SQLITE_R_ENTRIES];
    const bool at_image = image.image.position == after;
    *chain = image.chain;
    store_db_bind(rows, 1, list);
    store_db_bind(rows, 2, at_image ? after + 1 : after);
    if (at_image) {
        return FAULT_NONE;
    }
    const int code = sqlite3_step(rows);
    if (code == SQLITE_ROW && store_db_column(rows, 0) == after) {
        *chain = store_db_column(rows, 4);
        return FAULT_NONE;
    }
    return code == SQLITE_DONE  ? FAULT_NOT_FOUND // after the last entry
           : code == SQLITE_ROW ? damaged_entry(error, list, after, "is missing")
                                : store_sqlite_fail(reader, code, list, after, error);
}

enum fault_code store_sqlite_read_entries(struct sqlite_reader *reader, uint32_t list, uint64_t after,
                                          uint32_t entries_max, size_t bytes_max, uint32_t *count,
                                          uint64_t *chain, struct store_error *error)
{
    sqlite3_stmt *rows = reader->statements[STORE_SQLITE_R_ENTRIES];
    size_t used = 0;
    int code = SQLITE_ROW;
    *count = 0;
    if (error) {
        error->fault.code = FAULT_NONE;
    }
    struct store_error begin = {0};
    enum fault_code status =
        after > INT64_MAX - 1 ? FAULT_NOT_FOUND : begin_chain(reader, list, after, chain, &begin);
    if (status == FAULT_NOT_FOUND && begin.fault.code == FAULT_NONE) {
        sqlite3_reset(rows);
        return FAULT_NONE; // there are none after the last
    }
    if (status != FAULT_NONE && error) {
        *error = begin;
    }
    while (status == FAULT_NONE && *count < entries_max && (code = sqlite3_step(rows)) == SQLITE_ROW) {
        if (*count > 0 && used + (size_t)sqlite3_column_bytes(rows, 5) > bytes_max) {
            break;
        }
        status = take_entry(reader, list, after + *count + 1, rows, count, &used, chain, error);
    }
    sqlite3_reset(rows);
    if (status == FAULT_NONE && code != SQLITE_ROW && code != SQLITE_DONE) {
        status = store_sqlite_fail(reader, code, list, after + *count + 1, error);
    }
    const uint8_t *at = reader->bytes;
    for (uint32_t i = 0; i < *count; i++) {
        reader->entries[i].bytes = at;
        at = at ? at + reader->entries[i].size : NULL;
    }
    return status;
}

enum fault_code store_sqlite_read(struct store_reader *base, uint32_t list, uint64_t after,
                                  uint32_t entries_max, size_t bytes_max, const struct store_entry **out,
                                  uint32_t *count, struct store_error *error)
{
    struct sqlite_reader *reader = (struct sqlite_reader *)base;
    uint64_t chain = 0;
    *out = NULL;
    *count = 0;
    enum fault_code status = store_sqlite_read_begin(reader, error);
    if (status == FAULT_NONE) {
        status = store_sqlite_read_entries(reader, list, after, entries_max, bytes_max, count, &chain, error);
    }
    store_sqlite_read_end(reader);
    *out = reader->entries;
    *count = status == FAULT_NONE ? *count : 0;
    return status;
}

static enum fault_code tick_at(struct sqlite_reader *reader, uint32_t list, uint64_t position, uint64_t *tick,
                               struct store_error *error)
{
    sqlite3_stmt *row = reader->statements[STORE_SQLITE_R_TICK];
    store_db_bind(row, 1, list);
    store_db_bind(row, 2, position);
    const int code = sqlite3_step(row);
    *tick = code == SQLITE_ROW ? store_db_column(row, 0) : 0;
    sqlite3_reset(row);
    return code == SQLITE_ROW    ? FAULT_NONE
           : code == SQLITE_DONE ? damaged_entry(error, list, position, "is missing")
                                 : store_sqlite_fail(reader, code, list, position, error);
}

enum fault_code store_sqlite_position_at(struct store_reader *base, uint32_t list, uint64_t tick,
                                         uint64_t *position, struct store_error *error)
{
    struct sqlite_reader *reader = (struct sqlite_reader *)base;
    struct store_list row = {0};
    *position = 0;
    enum fault_code status = store_sqlite_read_begin(reader, error);
    if (status == FAULT_NONE) {
        status = store_sqlite_list_row(reader, list, &row, error);
    }
    uint64_t fits = row.first, does_not = row.last + 1;
    while (status == FAULT_NONE && does_not - fits > 1) {
        const uint64_t middle = fits + (does_not - fits) / 2;
        uint64_t at = 0;
        status = tick_at(reader, list, middle, &at, error);
        if (at <= tick) {
            fits = middle;
        } else {
            does_not = middle;
        }
    }
    store_sqlite_read_end(reader);
    if (status == FAULT_NONE && fits > row.first) {
        *position = fits;
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------
// Images

static enum fault_code damaged_image(struct store_error *error, uint32_t list, uint64_t position,
                                     const char *what)
{
    return store_fail(error, FAULT_DAMAGED, list, position, "the image of list %u at position %llu %s", list,
                      (unsigned long long)position, what);
}

static enum fault_code unpack(struct sqlite_reader *reader, sqlite3_stmt *row, uint32_t list,
                              const struct store_sqlite_image_row *image, uint8_t *out, size_t room,
                              size_t *size, struct store_error *error)
{
    const size_t expected = (size_t)store_db_column(row, 1);
    uint8_t key[STORE_KEY_SIZE];
    if (sqlite3_column_bytes(row, 0) == STORE_KEY_SIZE && expected <= room && expected > 0) {
        const size_t unpacked =
            ZSTD_decompress(out, room, sqlite3_column_blob(row, 2), (size_t)sqlite3_column_bytes(row, 2));
        if (unpacked == expected) {
            store_piece_key(reader->hash, reader->key, out, unpacked, key);
            if (memcmp(key, sqlite3_column_blob(row, 0), STORE_KEY_SIZE) == 0) {
                *size = unpacked;
                return FAULT_NONE;
            }
        }
    }
    return damaged_image(error, list, image->image.position, "has a piece that is not what was written");
}

static enum fault_code fill(struct sqlite_reader *reader, uint32_t list,
                            const struct store_sqlite_image_row *image, uint8_t *out,
                            struct store_error *error)
{
    struct store_run_reader runs = {.at = image->runs, .end = image->runs + image->runs_size};
    sqlite3_stmt *row = reader->statements[STORE_SQLITE_R_PIECE];
    enum fault_code status = FAULT_NONE;
    size_t at = 0;
    uint64_t piece;
    while (status == FAULT_NONE && store_runs_next(&runs, &piece)) {
        store_db_bind(row, 1, piece);
        store_db_bind(row, 2, list);
        const int code = sqlite3_step(row);
        size_t size = 0;
        if (code == SQLITE_ROW) {
            status = unpack(reader, row, list, image, out + at, (size_t)image->size - at, &size, error);
        } else if (code == SQLITE_DONE) {
            status = damaged_image(error, list, image->image.position, "lacks a piece");
        } else {
            status = store_sqlite_fail(reader, code, list, image->image.position, error);
        }
        sqlite3_reset(row);
        at += size;
    }
    if (status != FAULT_NONE) {
        return status;
    }
    base_hash_reset(reader->hash);
    base_hash_bytes(reader->hash, out, at);
    return at == image->size && !runs.wrong && base_hash_digest(reader->hash) == image->sum
               ? FAULT_NONE
               : damaged_image(error, list, image->image.position, "is not what was written");
}

enum fault_code store_sqlite_image_bytes(struct sqlite_reader *reader, uint32_t list,
                                         const struct store_sqlite_image_row *image, uint8_t **out,
                                         struct store_error *error)
{
    *out = image->size < SIZE_MAX ? malloc((size_t)image->size + 1) : NULL;
    if (!*out) {
        return store_fail(error, FAULT_MEMORY, list, image->image.position,
                          "no memory for an image of %llu bytes", (unsigned long long)image->size);
    }
    const enum fault_code status = fill(reader, list, image, *out, error);
    if (status != FAULT_NONE) {
        free(*out);
        *out = NULL;
    }
    return status;
}

enum fault_code store_sqlite_image_read(struct store_reader *base, uint32_t list, uint64_t position,
                                        uint8_t **out, size_t *size, struct store_error *error)
{
    struct sqlite_reader *reader = (struct sqlite_reader *)base;
    struct store_sqlite_image_row image = {0};
    *out = NULL;
    *size = 0;
    enum fault_code status = store_sqlite_read_begin(reader, error);
    if (status == FAULT_NONE) {
        status = store_sqlite_image_row(reader, list, position, true, &image, error);
        if (status == FAULT_NOT_FOUND || (status == FAULT_NONE && image.image.position != position)) {
            status = store_fail(error, FAULT_NOT_FOUND, list, position,
                                "list %u has no image at position %llu", list, (unsigned long long)position);
        }
    }
    if (status == FAULT_NONE) {
        status = store_sqlite_image_bytes(reader, list, &image, out, error);
    }
    store_sqlite_read_end(reader);
    free(image.runs);
    *size = status == FAULT_NONE ? (size_t)image.size : 0;
    return status;
}
