// Copies a list that was kept in the folder before there were brokers into a stream, with its images and
// entries as they are. Only then is it registered as a list. If a server ends in between, the next one with
// the same folder goes on: what is in the stream already is compared with the folder, as for any list.
#include "store/nats.h"

#include "base/log.h"
#include "store/sqlite.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { READ_ENTRIES = 1024 };

struct carrying {
    struct store_nats_writing writing;
    struct store_reader *reader;
    const struct store_list *row;
    struct store_image *images; // by ascending position
    uint32_t image_count, image_next;
};

// Copies entries up to a position, so that the next image can follow them.
static enum fault_code carry_entries(struct carrying *carrying, uint64_t to, struct store_error *error)
{
    struct store_nats_list *list = carrying->writing.list;
    enum fault_code status = FAULT_NONE;
    while (status == FAULT_NONE && list->position < to) {
        const struct store_entry *entries;
        uint32_t count = 0;
        uint64_t chain = 0;
        const uint64_t left = to - list->position;
        status = store_sqlite_read(carrying->reader, list->list, list->position,
                                   left < READ_ENTRIES ? (uint32_t)left : READ_ENTRIES,
                                   STORE_NATS_BATCH_BYTES, &entries, &count, error);
        if (status == FAULT_NONE && count == 0) {
            status = store_fail(error, FAULT_DAMAGED, list->list, list->position,
                                "the folder's entries end too early");
        }
        if (status == FAULT_NONE) {
            status =
                store_sqlite_chain(carrying->reader, list->list, entries[count - 1].position, &chain, error);
        }
        if (status == FAULT_NONE &&
            store_nats_put_entries(&carrying->writing, entries, count, chain, error) != STORE_NATS_DONE) {
            status = error->fault.code;
        }
    }
    return status;
}

static enum fault_code carry_image(struct carrying *carrying, const struct store_image *image,
                                   struct store_error *error)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    enum fault_code status = store_sqlite_image_read(carrying->reader, carrying->writing.list->list,
                                                     image->position, &bytes, &size, error);
    if (status == FAULT_NONE &&
        store_nats_put_image(&carrying->writing, image, bytes, size, error) != STORE_NATS_DONE) {
        status = error->fault.code;
    }
    free(bytes);
    return status;
}

static enum fault_code carry_all(struct carrying *carrying, struct store_error *error)
{
    enum fault_code status = FAULT_NONE;
    for (; carrying->image_next < carrying->image_count && status == FAULT_NONE; carrying->image_next++) {
        const struct store_image *image = &carrying->images[carrying->image_next];
        status = carry_entries(carrying, image->position, error);
        if (status == FAULT_NONE) {
            status = carry_image(carrying, image, error);
        }
    }
    return status == FAULT_NONE ? carry_entries(carrying, carrying->row->last, error) : status;
}

// Begins the stream at the list's oldest image.
static enum fault_code begin_stream(struct carrying *carrying, struct store_error *error)
{
    struct store_nats_list *list = carrying->writing.list;
    list->sequence = list->link = 0;
    list->position = carrying->images[0].position;
    return store_sqlite_chain(carrying->reader, list->list, list->position, &list->chain, error);
}

// Looks at what an earlier try left: nothing, the beginning of an image, or more. Messages without an image
// mean nothing; the next message only has to be linked to them.
static enum fault_code look_at_stream(struct carrying *carrying, struct store_error *error)
{
    struct store_nats_store *s = carrying->writing.s;
    struct store_nats_list *list = carrying->writing.list;
    struct store_nats_stream stream;
    struct store_nats_ends ends;
    struct store_nats_head head;
    uint8_t *bytes = NULL;
    size_t size = 0;
    uint64_t sequence;
    enum fault_code status = store_nats_stream_info(s->link, list->list, 0, &stream, error);
    if (status == FAULT_NOT_FOUND) {
        bool final;
        return store_nats_stream_create(s->link, list->list, &final, error);
    }
    if (status != FAULT_NONE || stream.last == 0) {
        return status;
    }
    status = store_nats_stream_last(s->link, list->list, STORE_NATS_IMAGE, &sequence, error);
    if (status == FAULT_NONE) {
        status = store_nats_fetch(s, list, &ends, error);
        while (status == FAULT_NONE && carrying->image_next < carrying->image_count &&
               carrying->images[carrying->image_next].position <= list->kept[list->kept_count - 1].position) {
            carrying->image_next++;
        }
        // Parts before it that were never completed do not matter.
        carrying->writing.epoch = ends.epoch + 1;
        if (status == FAULT_NONE &&
            store_nats_put(&carrying->writing, STORE_NATS_EPOCH, 0, (const uint8_t *)s->owner,
                           strlen(s->owner), error) != STORE_NATS_DONE) {
            status = error->fault.code;
        }
        return status;
    }
    if (status != FAULT_NOT_FOUND) {
        return status;
    }
    status = store_nats_stream_get(s->link, list->list, stream.last, &bytes, &size, error);
    if (status == FAULT_NONE &&
        (!store_nats_message_read(carrying->writing.hash, list->list, stream.last, bytes, size, &head) ||
         head.position != list->position || head.chain != list->chain)) {
        status = store_fail(error, FAULT_DAMAGED, list->list, 0,
                            "there is a stream of list %" PRIu32 " already, with other content", list->list);
    }
    if (status == FAULT_NONE) {
        list->sequence = stream.last;
        list->link = head.link;
    }
    free(bytes);
    return status;
}

static enum fault_code carry_with(struct carrying *carrying, struct store_error *error)
{
    struct store_nats_store *s = carrying->writing.s;
    struct store_nats_list *list = carrying->writing.list;
    const struct store_list *row = carrying->row;
    enum fault_code status =
        store_sqlite_images(carrying->reader, list->list, &carrying->images, &carrying->image_count, error);
    if (status == FAULT_NONE && carrying->image_count == 0) {
        status = store_fail(error, FAULT_DAMAGED, list->list, 0, "list %" PRIu32 " has no image", list->list);
    }
    if (status == FAULT_NONE) {
        status = begin_stream(carrying, error);
    }
    if (status == FAULT_NONE) {
        status = look_at_stream(carrying, error);
    }
    if (status == FAULT_NONE) {
        status = carry_all(carrying, error);
    }
    if (status == FAULT_NONE) {
        base_mutex_lock(&s->mutex);
        list->row.created_at = row->created_at;
        list->row.binned_at = row->binned ? row->binned_at : 0;
        list->binned_seen = store_sqlite_binned_seen(s->local, list->list, list->row.binned_at);
        store_nats_label_set(&list->row, row->label);
        const struct store_nats_row put = list->row;
        base_mutex_unlock(&s->mutex);
        status = store_nats_row_put(s->link, &put, error);
    }
    return status;
}

enum fault_code store_nats_carry(struct store_nats_store *s, struct store_nats_list *list,
                                 const struct store_list *row, struct store_error *error)
{
    struct carrying carrying = {.writing = {.s = s, .list = list, .hash = base_hash_create(), .epoch = 1},
                                .row = row};
    enum fault_code status =
        carrying.writing.hash ? FAULT_NONE : store_fail(error, FAULT_MEMORY, row->list, 0, "no memory");
    base_log(BASE_LOG_INFO,
             "world %" PRIu32
             " \"%s\" is in the folder and in no stream: it is copied into one, with %" PRIu64
             " entries and %" PRIu64 " images",
             row->list, row->label, row->last - row->first, row->images);
    if (status == FAULT_NONE) {
        carrying.reader = store_sqlite_reader_open(s->local, error);
        status = carrying.reader ? carry_with(&carrying, error) : error->fault.code;
    }
    if (carrying.reader) {
        store_sqlite_reader_close(carrying.reader);
    }
    base_hash_destroy(carrying.writing.hash);
    free(carrying.images);
    return status;
}
