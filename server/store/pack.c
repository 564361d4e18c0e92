// The packers. They cut images, and pack the pieces that the list's newest image does not have, in portions
// that the store's thread writes one at a time. Pieces are looked up in the newest image alone. So each piece
// is in images that follow one another, and can be deleted with the last of them.
//
// A caller waits for some images: for the first of a new list, and for those that come from brokers while a
// list is taken over. One thread packs those at once, and what comes before them in their lists. The other
// thread gives way to all other work. One packer at a time has a list.
#include "store/sqlite.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

struct packer {
    struct sqlite_store *store;
    struct base_hash *hash;
    ZSTD_CCtx *zstd;
};

// An image that is being packed.
struct packing {
    struct store_sqlite_image *image;
    struct store_pieces pieces; // the pieces that it is made of
    struct store_runs runs;
    struct store_sqlite_portion *portion; // portion that is being filled
};

enum { PORTION_PIECES = 64 };

// ---------------------------------------------------------------------------------------------------------
// What the newest image has, after a start

static int known_of_row(sqlite3 *db, const void *bytes, size_t size, struct store_pieces *out)
{
    struct store_run_reader runs = {.at = bytes, .end = (const uint8_t *)bytes + size};
    sqlite3_stmt *row = NULL;
    uint64_t piece;
    int code =
        sqlite3_prepare_v2(db, "SELECT key, length(bytes) FROM pieces WHERE piece = ?1", -1, &row, NULL);
    while (code == SQLITE_OK && store_runs_next(&runs, &piece)) {
        store_db_bind(row, 1, piece);
        code = sqlite3_step(row);
        if (code == SQLITE_ROW && sqlite3_column_bytes(row, 0) == STORE_KEY_SIZE) {
            struct store_known known = {.piece = piece, .packed = store_db_column(row, 1)};
            memcpy(known.key, sqlite3_column_blob(row, 0), STORE_KEY_SIZE);
            code = store_pieces_add(out, &known) ? SQLITE_OK : SQLITE_NOMEM;
        } else {
            code = code == SQLITE_DONE || code == SQLITE_ROW ? SQLITE_CORRUPT : code;
        }
        sqlite3_reset(row);
    }
    sqlite3_finalize(row);
    return code;
}

// Loads the keys of the newest image's pieces. An error is ignored: then no piece is found again, and all are
// stored again.
static void know(struct sqlite_store *s, struct store_sqlite_list *list)
{
    sqlite3_stmt *row = NULL;
    list->pieces_known = true;
    if (!s->pack_db &&
        store_db_open(s->folder.checked, s->folder.db, STORE_DB_READ, &s->pack_db, NULL) != FAULT_NONE) {
        return;
    }
    int code = sqlite3_prepare_v2(s->pack_db,
                                  "SELECT pieces FROM images WHERE list = ?1 ORDER BY position DESC LIMIT 1",
                                  -1, &row, NULL);
    if (code == SQLITE_OK) {
        store_db_bind(row, 1, list->list);
        code = sqlite3_step(row);
    }
    if (code == SQLITE_ROW) {
        code = known_of_row(s->pack_db, sqlite3_column_blob(row, 0), (size_t)sqlite3_column_bytes(row, 0),
                            &list->pieces);
        if (code != SQLITE_OK) {
            store_pieces_free(&list->pieces);
        }
    }
    sqlite3_finalize(row);
}

// ---------------------------------------------------------------------------------------------------------
// Portions

static struct store_sqlite_portion *portion_make(struct store_sqlite_list *list)
{
    struct store_sqlite_portion *portion =
        calloc(1, sizeof *portion + PORTION_PIECES * sizeof *portion->pieces);
    if (portion) {
        portion->list = list;
    }
    return portion;
}

// Queues a portion, and waits for room. The first portion needs none, nor does a store that ends without a
// commit.
static void portion_push(struct sqlite_store *s, struct store_sqlite_portion *portion)
{
    base_mutex_lock(&s->mutex);
    while (s->portion_bytes > STORE_SQLITE_PORTIONS_WAITING && !s->failed && !portion->list->gone) {
        base_cond_wait(&s->images, &s->mutex);
    }
    if (s->portion_last) {
        s->portion_last->next = portion;
    } else {
        s->portion = portion;
    }
    s->portion_last = portion;
    s->portion_bytes += portion->bytes;
    base_cond_signal(&s->work);
    base_mutex_unlock(&s->mutex);
}

static bool pack_piece(struct packer *packer, const uint8_t *bytes, size_t size,
                       struct store_sqlite_piece *out)
{
    const size_t bound = ZSTD_compressBound(size);
    uint8_t *packed = malloc(bound);
    const size_t packed_size = packed ? ZSTD_compressCCtx(packer->zstd, packed, bound, bytes, size, 1) : 0;
    if (!packed || ZSTD_isError(packed_size)) {
        free(packed);
        return false;
    }
    uint8_t *fit = realloc(packed, packed_size);
    out->bytes = fit ? fit : packed;
    out->packed = packed_size;
    out->size = size;
    return true;
}

static bool add_piece(struct packer *packer, struct packing *packing, const uint8_t *bytes, size_t size)
{
    struct sqlite_store *s = packer->store;
    struct store_sqlite_list *list = packing->image->list;
    struct store_known known = {0};
    store_piece_key(packer->hash, s->key, bytes, size, known.key);
    const struct store_known *own = store_pieces_find(&packing->pieces, known.key);
    const struct store_known *there = own ? own : store_pieces_find(&list->pieces, known.key);
    if (there) {
        known = *there;
    } else {
        if (packing->portion->count == PORTION_PIECES ||
            packing->portion->bytes >= STORE_SQLITE_PORTION_BYTES) {
            struct store_sqlite_portion *next = portion_make(list);
            if (!next) {
                return false;
            }
            portion_push(s, packing->portion);
            packing->portion = next;
        }
        struct store_sqlite_piece *piece = &packing->portion->pieces[packing->portion->count];
        if (!pack_piece(packer, bytes, size, piece)) {
            return false;
        }
        memcpy(piece->key, known.key, sizeof piece->key);
        known.piece = piece->piece = atomic_fetch_add(&s->next_piece, 1);
        known.packed = piece->packed;
        packing->portion->count++;
        packing->portion->bytes += piece->packed;
    }
    packing->image->packed += known.packed;
    return store_runs_add(&packing->runs, known.piece) && (own || store_pieces_add(&packing->pieces, &known));
}

static bool take_apart(struct packer *packer, struct packing *packing)
{
    const struct base_buffer *bytes = packing->image->bytes;
    base_hash_reset(packer->hash);
    base_hash_bytes(packer->hash, bytes->data, bytes->size);
    packing->image->sum = base_hash_digest(packer->hash);
    packing->portion = portion_make(packing->image->list);
    if (!packing->portion) {
        return false;
    }
    for (size_t at = 0; at < bytes->size;) {
        const size_t size = store_cut(bytes->data + at, bytes->size - at);
        if (!add_piece(packer, packing, bytes->data + at, size)) {
            return false;
        }
        at += size;
    }
    return store_runs_finish(&packing->runs);
}

// Leaves out an image for which memory ran out: there will be another. But a list needs its first image.
static void leave_out(struct sqlite_store *s, struct packing *packing)
{
    struct store_sqlite_list *list = packing->image->list;
    if (packing->portion) {
        store_sqlite_portion_free(packing->portion);
    }
    store_pieces_free(&packing->pieces);
    free(packing->runs.bytes);
    base_mutex_lock(&s->mutex);
    if (packing->image->creates) {
        list->gone = true;
        list->lost = true;
        memcpy(list->lost_text, "no memory for the first image", sizeof "no memory for the first image");
        store_sqlite_list_empty(list);
        store_sqlite_due(s, list);
        base_cond_broadcast(&s->progress);
    }
    base_mutex_unlock(&s->mutex);
    store_sqlite_image_free(packing->image);
}

static void pack(struct packer *packer, struct store_sqlite_image *image)
{
    struct sqlite_store *s = packer->store;
    struct packing packing = {.image = image};
    if (!image->list->pieces_known) {
        image->list->pieces_known = image->creates;
        if (!image->creates) {
            know(s, image->list);
        }
    }
    if (!take_apart(packer, &packing)) {
        leave_out(s, &packing);
        return;
    }
    image->runs = packing.runs.bytes;
    image->runs_size = packing.runs.size;
    image->piece_end = atomic_load(&s->next_piece);
    base_buffer_unref(image->bytes);
    image->bytes = NULL;
    packing.portion->image = image;
    struct store_sqlite_list *list = image->list;
    portion_push(s, packing.portion);
    store_pieces_free(&list->pieces);
    list->pieces = packing.pieces;
}

// Returns the next image that a packer may have. NULL: there is none now. Under the mutex.
static struct store_sqlite_image *take_image(struct sqlite_store *s, bool hurried)
{
    struct store_sqlite_image **at = &s->image, *before = NULL;
    while (*at && ((*at)->list->packing || ((*at)->list->hurried > 0) != hurried)) {
        before = *at;
        at = &before->next;
    }
    struct store_sqlite_image *image = *at;
    if (image) {
        *at = image->next;
        s->image_last = s->image_last == image ? before : s->image_last;
        image->next = NULL;
        image->list->packing = true;
        s->packing++;
    }
    return image;
}

static void run(struct sqlite_store *s, bool hurried)
{
    struct packer packer = {.store = s, .hash = base_hash_create(), .zstd = ZSTD_createCCtx()};
    base_mutex_lock(&s->mutex);
    for (;;) {
        struct store_sqlite_image *image;
        while (!(image = take_image(s, hurried)) && !(s->closing && !s->image)) {
            base_cond_wait(&s->images, &s->mutex);
        }
        if (!image) {
            break;
        }
        struct store_sqlite_list *list = image->list;
        const bool waited_for = image->hurried;
        const bool usable = !list->gone && !s->failed;
        base_mutex_unlock(&s->mutex);
        if (usable && packer.hash && packer.zstd) {
            pack(&packer, image);
        } else {
            leave_out(s, &(struct packing){.image = image});
        }
        base_mutex_lock(&s->mutex);
        s->packing--;
        list->packing = false;
        list->hurried -= waited_for;
        base_cond_signal(&s->work);
        base_cond_broadcast(&s->images); // the other packer may have that list now, or end
    }
    base_cond_broadcast(&s->images);
    base_mutex_unlock(&s->mutex);
    base_hash_destroy(packer.hash);
    ZSTD_freeCCtx(packer.zstd);
}

void store_sqlite_pack_hurried_run(void *context)
{
    run(context, true);
}

void store_sqlite_pack_run(void *context)
{
    struct sqlite_store *s = context;
    base_thread_give_way();
    run(s, false);
    store_db_close(s->pack_db);
    s->pack_db = NULL;
}
