// Reads a stream into the folder's store, and compares each message with the one before.
//
//     folder's end         stream's end              result
//     same                 same position and chain   nothing is read, or the newest image if the folder lacks it
//     earlier              later                     the messages from there on are read
//     none                                           the messages from the oldest image on are read
//     before its begin                               the same, if it is the list that was made then: others have gone on
//                                                    with it and deleted what is no longer kept. The folder's old list is
//                                                    deleted first
//     later                earlier, and fits         brokers have lost something: the server that takes the list over gives
//                                                    it back
//     another chain                                  refused: the folder has another past
#include "store/nats.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/log.h"
#include "store/sqlite.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { AHEAD_BYTES = 8388608 };                  // bytes of entries that the folder's store may be behind
static const uint64_t patience_ns = 10000000000; // how long to wait for the folder's store
static const uint64_t adopt_ns = 120000000000;   // how long to wait for its first image
// How long to wait for other images, without which there is more to replay.
static const uint64_t images_ns = 10000000000;

struct fetch {
    struct store_nats_store *s;
    struct store_nats_list *list;
    struct base_hash *hash;
    struct store_reader *reader;
    struct store_nats_stream stream;
    struct store_nats_head end; // head of the stream's last message
    // The end in the folder:
    bool there;
    uint64_t position, chain;
    bool same;   // it was made at the same time as the brokers', so it is the same list
    bool behind; // the list ends before the stream begins
    // The messages read so far:
    bool linked;
    uint64_t link, epoch;
    uint8_t *parts; // parts of entries
    size_t parts_size, parts_room;
    uint32_t part_count;
    uint8_t *image; // the part of an image whose pieces have come
    size_t image_size, image_room;
    uint64_t image_position;
    uint32_t image_pieces;
    uint64_t first_head; // sequence of the head of the oldest image
    bool adopts;         // the list is made in the folder when that image comes
    bool adopted;        // it was made
    uint64_t given;      // position of the newest image that the folder's store was given
};

static enum fault_code damaged(const struct fetch *fetch, uint64_t sequence, struct store_error *error,
                               const char *what)
{
    return store_fail(error, FAULT_DAMAGED, fetch->list->list, 0,
                      "message %" PRIu64 " of the stream of list %" PRIu32 " %s", sequence, fetch->list->list,
                      what);
}

static enum fault_code no_memory(const struct fetch *fetch, struct store_error *error)
{
    return store_fail(error, FAULT_MEMORY, fetch->list->list, 0, "no memory to read a stream");
}

static enum fault_code another_past(const struct fetch *fetch, uint64_t position, struct store_error *error)
{
    return store_fail(error, FAULT_DAMAGED, fetch->list->list, position,
                      "list %" PRIu32
                      " in the folder is of another past than its stream, from position %" PRIu64
                      " on; with an empty folder everything is read from the brokers",
                      fetch->list->list, position);
}

// ---------------------------------------------------------------------------------------------------------
// The folder's store

// Waits until the folder's store has less than `bytes` to write, and has written everything up to a position.
static enum fault_code wait_local(const struct fetch *fetch, size_t bytes, uint64_t position,
                                  struct store_error *error)
{
    struct store_nats_store *s = fetch->s;
    struct store_pending pending;
    const uint64_t deadline_ns = base_now_ns() + patience_ns;
    for (;;) {
        store_sqlite_pending(s->local, fetch->list->list, &pending);
        if (pending.bytes <= bytes && pending.durable >= position) {
            return FAULT_NONE;
        }
        if (base_now_ns() > deadline_ns) {
            return store_fail(
                error, FAULT_IO, fetch->list->list, position,
                "the folder does not take what comes from the stream: it is at position %" PRIu64
                " of %" PRIu64 "%s",
                pending.durable, position, pending.full ? ", and has no room" : "");
        }
        base_mutex_lock(&s->mutex);
        (void)base_cond_wait_until(&s->progress, &s->mutex, base_now_ns() + 2000000);
        base_mutex_unlock(&s->mutex);
    }
}

static enum fault_code look_local(struct fetch *fetch, struct store_error *error)
{
    struct store_list row;
    const uint32_t list = fetch->list->list;
    enum fault_code status = store_sqlite_list_find(fetch->reader, list, &row, error);
    fetch->there = status == FAULT_NONE;
    if (status != FAULT_NONE) {
        return status == FAULT_NOT_FOUND ? FAULT_NONE : status;
    }
    fetch->position = row.last;
    fetch->same = row.created_at == fetch->list->row.created_at;
    status = store_sqlite_chain(fetch->reader, list, row.last, &fetch->chain, error);
    if (status == FAULT_NONE && fetch->list->local_epoch == 0) {
        fetch->list->local_epoch = store_sqlite_take_over(fetch->s->local, list, error);
        status = fetch->list->local_epoch != 0 ? FAULT_NONE : error->fault.code;
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------
// Messages

static enum fault_code open_message(struct fetch *fetch, uint64_t sequence, const uint8_t *bytes, size_t size,
                                    struct store_nats_head *head, struct store_error *error)
{
    if (!store_nats_message_read(fetch->hash, fetch->list->list, sequence, bytes, size, head)) {
        return damaged(fetch, sequence, error, "is not what was written");
    }
    if ((fetch->linked && head->before != fetch->link) || head->epoch < fetch->epoch) {
        return damaged(fetch, sequence, error, "does not follow the one before");
    }
    fetch->linked = true;
    fetch->link = head->link;
    fetch->epoch = head->epoch;
    return FAULT_NONE;
}

static enum fault_code take_part(struct fetch *fetch, uint64_t sequence, const struct store_nats_head *head,
                                 struct store_error *error)
{
    if (fetch->parts_size + head->body_size > STORE_NATS_ENTRIES_BYTES + STORE_NATS_ENTRIES_HEAD) {
        return damaged(fetch, sequence, error, "is one part too many");
    }
    if (!array_reserve(&fetch->parts, &fetch->parts_room, fetch->parts_size + head->body_size)) {
        return no_memory(fetch, error);
    }
    memcpy(fetch->parts + fetch->parts_size, head->body, head->body_size);
    fetch->parts_size += head->body_size;
    fetch->part_count += head->kind == STORE_NATS_PART;
    return FAULT_NONE;
}

// Takes entries: those that the folder lacks are appended there, and those that it has must be the same.
static enum fault_code take_body(struct fetch *fetch, uint64_t sequence, const struct store_nats_head *head,
                                 const uint8_t *body, size_t size, struct store_error *error)
{
    struct store_nats_entries entries;
    enum fault_code status = FAULT_NONE;
    const uint32_t list = fetch->list->list;
    if (!store_nats_entries_begin(&entries, head->position, body, size)) {
        return damaged(fetch, sequence, error, "has entries that are cut off");
    }
    if (entries.position > fetch->position + 1) {
        fetch->behind = fetch->same;
        return store_fail(error, FAULT_DAMAGED, list, fetch->position,
                          "list %" PRIu32 " ends at position %" PRIu64
                          " in the folder, and its stream begins at %" PRIu64
                          "; with an empty folder everything is read from the brokers",
                          list, fetch->position, entries.position);
    }
    struct store_entry *kept = malloc(entries.left * sizeof *kept);
    uint32_t count = 0;
    if (!kept) {
        return no_memory(fetch, error);
    }
    while (status == FAULT_NONE && entries.left > 0) {
        const bool is_new = entries.position > fetch->position;
        if (entries.position == fetch->position + 1 && entries.chain != fetch->chain) {
            status = another_past(fetch, fetch->position, error);
        } else if (!store_nats_entries_next(&entries, fetch->hash, list, &kept[count])) {
            status = damaged(fetch, sequence, error, "has entries that are cut off");
        }
        count += is_new;
    }
    if (status == FAULT_NONE && (!store_nats_entries_ended(&entries) || entries.chain != head->chain)) {
        status = damaged(fetch, sequence, error, "has entries that do not follow each other");
    }
    if (status == FAULT_NONE && head->position == fetch->position && head->chain != fetch->chain) {
        status = another_past(fetch, fetch->position, error);
    }
    if (status == FAULT_NONE && count > 0) {
        status = wait_local(fetch, AHEAD_BYTES, 0, error);
        if (status == FAULT_NONE &&
            !store_sqlite_append(fetch->s->local, list, fetch->list->local_epoch, kept, count)) {
            status = no_memory(fetch, error);
        }
        fetch->position = head->position;
        fetch->chain = head->chain;
    }
    free(kept);
    return status;
}

static enum fault_code take_entries(struct fetch *fetch, uint64_t sequence,
                                    const struct store_nats_head *head, struct store_error *error)
{
    if (head->parts != fetch->part_count) {
        // Reading may begin after parts of entries that the folder has.
        return head->position <= fetch->position ? FAULT_NONE
                                                 : damaged(fetch, sequence, error, "lacks parts before it");
    }
    if (head->parts == 0) {
        return take_body(fetch, sequence, head, head->body, head->body_size, error);
    }
    const enum fault_code status = take_part(fetch, sequence, head, error);
    return status == FAULT_NONE ? take_body(fetch, sequence, head, fetch->parts, fetch->parts_size, error)
                                : status;
}

static void image_forget(struct fetch *fetch)
{
    fetch->image_size = 0;
    fetch->image_pieces = 0;
}

static enum fault_code take_piece(struct fetch *fetch, uint64_t sequence, const struct store_nats_head *head,
                                  struct store_error *error)
{
    struct store_nats_piece piece;
    if (!store_nats_piece_read(head->body, head->body_size, &piece)) {
        return damaged(fetch, sequence, error, "is no piece of an image");
    }
    if (piece.index == 0) {
        image_forget(fetch);
        fetch->image_position = piece.position;
    }
    if (piece.index != fetch->image_pieces || piece.position != fetch->image_position) {
        return FAULT_NONE; // its beginning was not read
    }
    if (fetch->image_size + piece.size > STORE_NATS_IMAGE_BYTES) {
        return damaged(fetch, sequence, error, "is one piece too many of an image");
    }
    if (!array_reserve(&fetch->image, &fetch->image_room, fetch->image_size + piece.size)) {
        return no_memory(fetch, error);
    }
    const size_t got =
        ZSTD_decompress(fetch->image + fetch->image_size, piece.size, piece.packed, piece.packed_size);
    if (ZSTD_isError(got) || got != piece.size) {
        return damaged(fetch, sequence, error, "is a piece of an image that cannot be unpacked");
    }
    fetch->image_size += piece.size;
    fetch->image_pieces++;
    return FAULT_NONE;
}

static enum fault_code give_image(struct fetch *fetch, uint64_t sequence, const struct store_nats_image *head,
                                  struct store_error *error)
{
    struct store_nats_store *s = fetch->s;
    struct store_nats_list *list = fetch->list;
    struct base_buffer *bytes = base_buffer_create(fetch->image_size, NULL);
    if (!bytes) {
        return no_memory(fetch, error);
    }
    if (fetch->image_size > 0) {
        memcpy(bytes->data, fetch->image, fetch->image_size);
    }
    bool taken = true;
    if (fetch->adopts && sequence == fetch->first_head) {
        taken = store_sqlite_adopt(s->local, list->list, list->row.label, list->row.created_at, &head->image,
                                   head->chain, bytes);
        list->local_epoch = 1;
        fetch->adopted = true;
    } else if (!fetch->adopts && head->image.position <= fetch->position) {
        taken = store_sqlite_image_hurry(s->local, list->list, &head->image, bytes);
        fetch->given = head->image.position;
    }
    base_buffer_unref(bytes);
    return taken ? FAULT_NONE : no_memory(fetch, error);
}

static enum fault_code take_image(struct fetch *fetch, uint64_t sequence, const struct store_nats_head *head,
                                  struct store_error *error)
{
    struct store_nats_image image;
    enum fault_code status = FAULT_NONE;
    if (!store_nats_image_read(head->body, head->body_size, &image)) {
        return damaged(fetch, sequence, error, "is no image");
    }
    base_hash_reset(fetch->hash);
    base_hash_bytes(fetch->hash, fetch->image, fetch->image_size);
    const bool whole = image.pieces == fetch->image_pieces && image.size == fetch->image_size &&
                       (image.pieces == 0 || image.image.position == fetch->image_position) &&
                       image.sum == base_hash_digest(fetch->hash);
    if (whole) {
        status = give_image(fetch, sequence, &image, error);
    } else if (fetch->adopts && sequence == fetch->first_head) {
        status = damaged(fetch, sequence, error, "is an image of which pieces are missing");
    }
    image_forget(fetch);
    return status;
}

static enum fault_code take_message(void *context, uint64_t sequence, const uint8_t *bytes, size_t size,
                                    struct store_error *error)
{
    struct fetch *fetch = context;
    struct store_nats_head head;
    enum fault_code status = open_message(fetch, sequence, bytes, size, &head, error);
    if (status == FAULT_NONE && head.kind == STORE_NATS_PART) {
        return take_part(fetch, sequence, &head, error);
    }
    if (status == FAULT_NONE && head.kind == STORE_NATS_ENTRIES && !fetch->adopts) {
        status = take_entries(fetch, sequence, &head, error);
    } else if (status == FAULT_NONE && head.kind == STORE_NATS_PIECE) {
        status = take_piece(fetch, sequence, &head, error);
    } else if (status == FAULT_NONE && head.kind == STORE_NATS_IMAGE) {
        status = take_image(fetch, sequence, &head, error);
    }
    fetch->parts_size = 0;
    fetch->part_count = 0;
    return status;
}

static enum fault_code read_from(struct fetch *fetch, uint64_t from, uint64_t to, struct store_error *error)
{
    fetch->linked = false;
    fetch->epoch = 0;
    fetch->parts_size = fetch->part_count = 0;
    image_forget(fetch);
    return store_nats_stream_walk(fetch->s->link, fetch->list->list, 0, from, to, take_message, fetch, error);
}

// ---------------------------------------------------------------------------------------------------------
// Where to begin

static enum fault_code note_image(void *context, uint64_t sequence, const uint8_t *bytes, size_t size,
                                  struct store_error *error)
{
    struct fetch *fetch = context;
    struct store_nats_head head;
    struct store_nats_image image;
    if (!store_nats_message_read(fetch->hash, fetch->list->list, sequence, bytes, size, &head) ||
        head.kind != STORE_NATS_IMAGE || !store_nats_image_read(head.body, head.body_size, &image) ||
        image.first > sequence) {
        return damaged(fetch, sequence, error, "is not what was written");
    }
    if (image.from < fetch->stream.first) {
        return FAULT_NONE; // on its way out
    }
    fetch->first_head = fetch->first_head ? fetch->first_head : sequence;
    uint64_t seen = 0;
    const enum fault_code status =
        store_sqlite_image_seen(fetch->reader, fetch->list->list, image.image.position, &seen, error);
    if (status != FAULT_NONE && status != FAULT_NOT_FOUND) {
        return status;
    }
    seen = status == FAULT_NONE ? seen : store_seen_s(fetch->s->seen); // it comes now
    return store_nats_kept_add(fetch->list, &image, seen) ? FAULT_NONE : no_memory(fetch, error);
}

// Notes the images of the stream. There must be at least one.
static enum fault_code note_images(struct fetch *fetch, struct store_error *error)
{
    struct store_nats_list *list = fetch->list;
    uint64_t last = 0;
    list->kept_count = 0;
    enum fault_code status =
        store_nats_stream_last(fetch->s->link, list->list, STORE_NATS_IMAGE, &last, error);
    if (status == FAULT_NONE) {
        status = store_nats_stream_walk(fetch->s->link, list->list, STORE_NATS_IMAGE, fetch->stream.first,
                                        last, note_image, fetch, error);
    }
    return status == FAULT_NOT_FOUND || (status == FAULT_NONE && list->kept_count == 0)
               ? store_fail(error, FAULT_DAMAGED, list->list, 0,
                            "the stream of list %" PRIu32 " has no image that is whole", list->list)
               : status;
}

static enum fault_code head_at(struct fetch *fetch, uint64_t sequence, struct store_nats_head *out,
                               struct store_error *error)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    enum fault_code status =
        store_nats_stream_get(fetch->s->link, fetch->list->list, sequence, &bytes, &size, error);
    if (status == FAULT_NOT_FOUND) {
        status = damaged(fetch, sequence, error, "is missing");
    }
    if (status == FAULT_NONE &&
        !store_nats_message_read(fetch->hash, fetch->list->list, sequence, bytes, size, out)) {
        status = damaged(fetch, sequence, error, "is not what was written");
    }
    out->body = NULL;
    free(bytes);
    return status;
}

static enum fault_code wait_adopted(struct fetch *fetch, struct store_error *error)
{
    const uint64_t deadline_ns = base_now_ns() + adopt_ns;
    enum fault_code status = look_local(fetch, error);
    while (status == FAULT_NONE && !fetch->there) {
        if (base_now_ns() > deadline_ns) {
            return store_fail(error, FAULT_IO, fetch->list->list, 0,
                              "the folder does not take the image that comes from the stream");
        }
        base_mutex_lock(&fetch->s->mutex);
        (void)base_cond_wait_until(&fetch->s->progress, &fetch->s->mutex, base_now_ns() + 2000000);
        base_mutex_unlock(&fetch->s->mutex);
        status = look_local(fetch, error);
    }
    return status;
}

// Waits for the images. The world goes on from the newest.
static void wait_images(const struct fetch *fetch)
{
    struct store_nats_store *s = fetch->s;
    const uint64_t deadline_ns = base_now_ns() + images_ns;
    struct store_image image = {0};
    while (base_now_ns() < deadline_ns &&
           store_sqlite_image_before(fetch->reader, fetch->list->list, UINT64_MAX, UINT64_MAX, &image,
                                     NULL) == FAULT_NONE &&
           image.position < fetch->given) {
        base_mutex_lock(&s->mutex);
        (void)base_cond_wait_until(&s->progress, &s->mutex, base_now_ns() + 2000000);
        base_mutex_unlock(&s->mutex);
    }
}

static enum fault_code read_all(struct fetch *fetch, struct store_error *error)
{
    const uint64_t from = fetch->list->kept[0].from;
    // The old list that was binned.
    enum fault_code status = store_sqlite_forget(fetch->s->local, fetch->list->list, error);
    fetch->adopts = true;
    if (status == FAULT_NONE) {
        status = read_from(fetch, from, fetch->first_head, error);
    }
    fetch->adopts = false;
    if (status == FAULT_NONE) {
        status = wait_adopted(fetch, error);
    }
    return status == FAULT_NONE ? read_from(fetch, from, fetch->stream.last, error) : status;
}

// Returns the message from which the newest image of the stream is read, or 0 if the folder has it. The image may have come behind the
// entries that the folder has.
static uint64_t newest_image(const struct fetch *fetch)
{
    const struct store_nats_list *list = fetch->list;
    const struct store_nats_kept *newest = &list->kept[list->kept_count - 1];
    struct store_image image = {0};
    const bool has = store_sqlite_image_before(fetch->reader, list->list, UINT64_MAX, UINT64_MAX, &image,
                                               NULL) == FAULT_NONE &&
                     image.position >= newest->position;
    return has ? 0 : newest->from;
}

// Finds where to begin and reads the rest. Positions do not go back, so the first message beyond the folder's
// end can be found by bisection.
static enum fault_code read_rest(struct fetch *fetch, struct store_error *error)
{
    uint64_t low = fetch->stream.first, high = fetch->stream.last;
    struct store_nats_head head;
    enum fault_code status = head_at(fetch, high, &head, error);
    while (status == FAULT_NONE && low < high) {
        const uint64_t middle = low + (high - low) / 2;
        struct store_nats_head at;
        status = head_at(fetch, middle, &at, error);
        if (status == FAULT_NONE && at.position > fetch->position) {
            high = middle;
            head = at;
        } else {
            low = middle + 1;
        }
    }
    if (status != FAULT_NONE) {
        return status;
    }
    const uint64_t room = high - fetch->stream.first, image = newest_image(fetch);
    const uint64_t rest = high - (head.parts < room ? head.parts : room);
    return read_from(fetch, image != 0 && image < rest ? image : rest, fetch->stream.last, error);
}

static enum fault_code compare(struct fetch *fetch, struct store_error *error)
{
    const struct store_nats_head *end = &fetch->end;
    uint64_t chain = fetch->chain;
    if (!fetch->there) {
        return read_all(fetch, error);
    }
    if (end->position > fetch->position) {
        return read_rest(fetch, error);
    }
    if (end->position < fetch->position &&
        store_sqlite_chain(fetch->reader, fetch->list->list, end->position, &chain, error) != FAULT_NONE) {
        return error->fault.code == FAULT_NOT_FOUND ? another_past(fetch, end->position, error)
                                                    : error->fault.code;
    }
    if (chain != end->chain) {
        return another_past(fetch, end->position, error);
    }
    const uint64_t image = end->position == fetch->position ? newest_image(fetch) : 0;
    return image != 0 ? read_from(fetch, image, fetch->stream.last, error) : FAULT_NONE;
}

static enum fault_code fetch_with(struct fetch *fetch, struct store_error *error)
{
    struct store_nats_list *list = fetch->list;
    enum fault_code status = store_nats_stream_info(fetch->s->link, list->list, 0, &fetch->stream, error);
    if (status == FAULT_NOT_FOUND) {
        return store_fail(error, FAULT_NOT_FOUND, list->list, 0,
                          "the brokers have no stream of list %" PRIu32, list->list);
    }
    if (status == FAULT_NONE) {
        status = note_images(fetch, error);
    }
    if (status == FAULT_NONE) {
        status = head_at(fetch, fetch->stream.last, &fetch->end, error);
    }
    if (status == FAULT_NONE) {
        status = look_local(fetch, error);
    }
    if (status == FAULT_NONE) {
        status = compare(fetch, error);
    }
    if (status == FAULT_NONE) {
        status = wait_local(fetch, 0, fetch->position, error);
    }
    if (status == FAULT_NONE) {
        wait_images(fetch);
    }
    if (status == FAULT_NONE && fetch->stream.missing > list->kept[0].from) {
        base_log(BASE_LOG_WARN,
                 "message %" PRIu64 " of the stream of world %" PRIu32
                 " is missing: what was in it is in the folder, and another server cannot have it",
                 fetch->stream.missing, list->list);
    }
    if (status == FAULT_NONE) {
        list->sequence = fetch->stream.last;
        list->stream_bytes = fetch->stream.bytes;
        list->link = fetch->end.link;
        list->position = fetch->end.position;
        list->chain = fetch->end.chain;
    }
    return status;
}

// Whether the stream was cut while it was read. The server that writes the list may delete its oldest image
// while the list is read here for the first time, or delete all of it. Then what the folder has got does not
// lead on to what is left.
static bool was_cut(const struct fetch *fetch, bool *gone)
{
    struct store_nats_stream now;
    const enum fault_code status = store_nats_stream_info(fetch->s->link, fetch->list->list, 0, &now, NULL);
    *gone = status == FAULT_NOT_FOUND;
    return *gone || (status == FAULT_NONE && now.first > fetch->stream.first);
}

static enum fault_code fetch_whole(struct fetch *fetch, struct store_error *error)
{
    enum { TRIES = 4 };
    struct store_nats_list *list = fetch->list;
    for (int i = 0;; i++) {
        bool gone = false;
        const enum fault_code status = fetch_with(fetch, error);
        const bool behind = fetch->behind && !fetch->adopted;
        if (status == FAULT_NONE || status == FAULT_MEMORY || i == TRIES ||
            (!behind && (!fetch->adopted || !was_cut(fetch, &gone)))) {
            return status;
        }
        if (behind) {
            base_log(BASE_LOG_INFO,
                     "what the folder has of world %" PRIu32
                     " ends before what brokers still keep: it is read again from there",
                     list->list);
        } else {
            base_log(BASE_LOG_INFO, "the stream of world %" PRIu32 " was %s while it was read: %s",
                     list->list, gone ? "removed" : "cut",
                     gone ? "nothing of it is kept here" : "it is read again from where it begins now");
        }
        list->local_epoch = 0;
        fetch->adopted = fetch->behind = false;
        fetch->position = fetch->chain = fetch->first_head = fetch->given = 0;
        if (store_sqlite_forget(fetch->s->local, list->list, error) != FAULT_NONE) {
            return error->fault.code;
        }
    }
}

enum fault_code store_nats_fetch(struct store_nats_store *s, struct store_nats_list *list,
                                 struct store_nats_ends *ends, struct store_error *error)
{
    struct fetch fetch = {.s = s, .list = list, .hash = base_hash_create()};
    enum fault_code status = fetch.hash ? FAULT_NONE : no_memory(&fetch, error);
    fetch.reader = status == FAULT_NONE ? store_sqlite_reader_open(s->local, error) : NULL;
    if (status == FAULT_NONE) {
        status = fetch.reader ? fetch_whole(&fetch, error) : error->fault.code;
    }
    *ends = (struct store_nats_ends){fetch.end.epoch, fetch.position};
    if (fetch.reader) {
        store_sqlite_reader_close(fetch.reader);
    }
    base_hash_destroy(fetch.hash);
    free(fetch.parts);
    free(fetch.image);
    return status;
}
