// Declares the statements and the checked rows that the reader's files share.
#ifndef WEFT_STORE_READ_H
#define WEFT_STORE_READ_H

#include "store/sqlite.h"

struct store_sqlite_image_row {
    struct store_image image;
    uint64_t size, sum, chain, piece_end;
    uint64_t packed, entry_bytes, piece_bytes;
    uint8_t *runs; // malloc'd if they are asked for
    size_t runs_size;
};

enum fault_code store_sqlite_fail(struct sqlite_reader *reader, int code, uint32_t list, uint64_t position,
                                  struct store_error *error);
// Begins and ends a read transaction: all that is read until its end is of one moment.
enum fault_code store_sqlite_read_begin(struct sqlite_reader *reader, struct store_error *error);
void store_sqlite_read_end(struct sqlite_reader *reader);

// Reads the newest image at a position or before, and checks it. NOT_FOUND: there is none. The caller owns the
// runs, if it wants them.
enum fault_code store_sqlite_image_row(struct sqlite_reader *reader, uint32_t list, uint64_t position,
                                       bool runs, struct store_sqlite_image_row *out,
                                       struct store_error *error);
enum fault_code store_sqlite_image_oldest(struct sqlite_reader *reader, uint32_t list,
                                          struct store_sqlite_image_row *out, struct store_error *error);
// Reads an image's bytes; *out is malloc'd.
enum fault_code store_sqlite_image_bytes(struct sqlite_reader *reader, uint32_t list,
                                         const struct store_sqlite_image_row *row, uint8_t **out,
                                         struct store_error *error);
// Does what store_read does, in a transaction.
enum fault_code store_sqlite_read_entries(struct sqlite_reader *reader, uint32_t list, uint64_t after,
                                          uint32_t entries_max, size_t bytes_max, uint32_t *count,
                                          uint64_t *chain, struct store_error *error);
enum fault_code store_sqlite_images_in(struct sqlite_reader *reader, uint32_t list, struct store_image **out,
                                       uint32_t *count, struct store_error *error);
enum fault_code store_sqlite_list_ids(struct sqlite_reader *reader, uint32_t **out, uint32_t *count,
                                      struct store_error *error);
enum fault_code store_sqlite_list_row(struct sqlite_reader *reader, uint32_t list, struct store_list *out,
                                      struct store_error *error);

enum store_sqlite_read_statement {
    STORE_SQLITE_R_BEGIN,
    STORE_SQLITE_R_END,
    STORE_SQLITE_R_LISTS,
    STORE_SQLITE_R_LIST,
    STORE_SQLITE_R_IMAGE,
    STORE_SQLITE_R_IMAGE_OLDEST,
    STORE_SQLITE_R_IMAGES,
    STORE_SQLITE_R_ENTRIES,
    STORE_SQLITE_R_LAST,
    STORE_SQLITE_R_TICK,
    STORE_SQLITE_R_TAIL,
    STORE_SQLITE_R_IMAGE_COUNT,
    STORE_SQLITE_R_PIECE,
};

#endif
