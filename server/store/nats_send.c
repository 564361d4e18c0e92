// Makes a list's messages, publishes them, and looks for those whose answer is missing. The store's thread.
#include "store/nats.h"

#include "base/array.h"
#include "base/clock.h"
#include "store/chain.h"
#include "store/sqlite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

static const uint64_t again_ns = 250000000; // time before something is tried again
// Pause before a new try if nobody answered, because other lists wait meanwhile.
static const uint64_t silent_ns = 1000000000;
static const uint64_t stream_ns = 10000000000; // time for a new list's stream to be made
static const uint64_t gap_ns = 3000000000;     // time that brokers may be behind what they acknowledged

enum { LOOK_MS = 500 }; // time for an answer while other lists wait

// ---------------------------------------------------------------------------------------------------------
// What does not go on

void store_nats_note(struct store_nats_store *s, const char *text)
{
    base_mutex_lock(&s->mutex);
    (void)snprintf(s->trouble, sizeof s->trouble, "%s", text);
    base_mutex_unlock(&s->mutex);
}

const char *store_nats_trouble(const struct store_nats_store *s)
{
    if (s->trouble[0] != '\0') {
        return s->trouble;
    }
    return s->connected ? "the brokers do not acknowledge what was sent" : "the brokers cannot be reached";
}

void store_nats_lose(struct store_nats_store *s, struct store_nats_list *list, const char *text)
{
    base_mutex_lock(&s->mutex);
    list->state = STORE_NATS_LOST;
    s->counts.lost++;
    list->blocked = false;
    store_nats_list_drop(list);
    base_mutex_unlock(&s->mutex);
    if (s->options.on_lost) {
        s->options.on_lost(s->options.context, list->list, text);
    }
}

static void later(struct store_nats_store *s, struct store_nats_list *list, const char *text)
{
    list->retry_ns = base_now_ns() + again_ns;
    store_nats_note(s, text);
}

// ---------------------------------------------------------------------------------------------------------
// Messages

static struct store_nats_sent *message_make(enum store_nats_kind kind, size_t body_size)
{
    struct store_nats_sent *sent =
        malloc(sizeof *sent + STORE_NATS_HEAD_SIZE + body_size + STORE_NATS_LINK_SIZE);
    if (sent) {
        *sent = (struct store_nats_sent){.kind = kind,
                                         .size = STORE_NATS_HEAD_SIZE + body_size + STORE_NATS_LINK_SIZE};
    }
    return sent;
}

static void publish(struct store_nats_store *s, struct store_nats_list *list, struct store_nats_sent *sent)
{
    sent->sent_ns = base_now_ns();
    if (!store_nats_link_publish(s->link, list->list, sent->kind, sent->sequence, sent->bytes, sent->size)) {
        list->unsure = true;
    }
}

// Completes and publishes a message whose body is there. The head is filled in from the list's position.
static void post(struct store_nats_store *s, struct store_nats_list *list, struct store_nats_sent *sent,
                 uint32_t parts)
{
    const struct store_nats_head head = {
        .kind = sent->kind,
        .parts = parts,
        .epoch = list->epoch,
        .position = list->position,
        .chain = list->chain,
        .before = list->link,
    };
    sent->sequence = ++list->sequence;
    sent->position = list->position;
    sent->first_ns = base_now_ns();
    list->link = store_nats_message_seal(s->hash, list->list, sent->sequence, &head, sent->bytes,
                                         sent->size - STORE_NATS_HEAD_SIZE - STORE_NATS_LINK_SIZE);
    if (list->sent_last) {
        list->sent_last->next = sent;
    } else {
        list->sent = sent;
    }
    list->sent_last = sent;
    list->sent_count++;
    list->sent_pieces += sent->kind == STORE_NATS_PIECE;
    if (!list->unsure && list->sent == sent) { // otherwise it waits for its turn, after those before it
        publish(s, list, sent);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Entries

bool store_nats_point_add(struct store_nats_list *list, uint64_t position, uint64_t chain, uint64_t sequence)
{
    if (list->point_count == STORE_NATS_POINTS_MAX) {
        list->point_count /= 2;
        memmove(list->points, list->points + list->point_count, list->point_count * sizeof *list->points);
    }
    if (!array_reserve(&list->points, &list->point_room, list->point_count + 1)) {
        return false;
    }
    list->points[list->point_count++] = (struct store_nats_point){position, chain, sequence};
    return true;
}

// Takes the operations that go into one message: the first that waits, and more while they are small. NULL:
// none waits.
static struct store_nats_op *take_ops(struct store_nats_store *s, struct store_nats_list *list,
                                      uint32_t *count, size_t *size, uint64_t *last)
{
    *count = 0;
    *size = STORE_NATS_ENTRIES_HEAD;
    base_mutex_lock(&s->mutex);
    struct store_nats_op *first = list->unsent;
    for (struct store_nats_op *op = first; op && (op == first || *size + op->bytes < STORE_NATS_BATCH_BYTES);
         op = op->next) {
        *size += store_nats_entries_size(op->entries, op->count);
        *count += op->count;
        *last = op->last;
    }
    base_mutex_unlock(&s->mutex);
    return first;
}

// Fills the body of a message, and moves the list's position on. Nothing else changes entries that have been
// appended.
static void fill(struct store_nats_store *s, struct store_nats_list *list, struct store_nats_op *first,
                 uint32_t count, uint64_t last, uint64_t sequence, uint8_t *out)
{
    store_nats_entries_head(out, list->chain, count);
    out += STORE_NATS_ENTRIES_HEAD;
    for (struct store_nats_op *op = first;; op = op->next) {
        for (uint32_t i = 0; i < op->count; i++) {
            list->chain = store_chain(s->hash, list->chain, list->list, &op->entries[i]);
            out = store_nats_entry_pack(out, &op->entries[i]);
        }
        list->position = op->last;
        // If memory runs out for the point, no image can be put there.
        (void)store_nats_point_add(list, op->last, list->chain, sequence);
        if (op->last == last) {
            break;
        }
    }
}

static void took(struct store_nats_store *s, struct store_nats_list *list, uint64_t last)
{
    base_mutex_lock(&s->mutex);
    while (list->unsent && list->unsent->last <= last) {
        list->unsent = list->unsent->next;
    }
    base_mutex_unlock(&s->mutex);
}

// Sends entries that are longer than a message: parts that do not count, then the message that makes them
// count.
static bool send_in_parts(struct store_nats_store *s, struct store_nats_list *list,
                          struct store_nats_op *first, uint32_t count, size_t size, uint64_t last)
{
    const size_t most = store_nats_link_body_max(s->link);
    const uint32_t parts = (uint32_t)((size - 1) / most);
    const size_t rest = size - parts * most;
    struct store_nats_sent *messages = NULL, **end = &messages;
    bool made = true;
    for (uint32_t i = 0; i <= parts && made; i++) {
        *end = message_make(i < parts ? STORE_NATS_PART : STORE_NATS_ENTRIES, i < parts ? most : rest);
        made = *end != NULL;
        end = made ? &(*end)->next : end;
    }
    uint8_t *body = made ? malloc(size) : NULL;
    if (!body) {
        while (messages) {
            struct store_nats_sent *next = messages->next;
            free(messages);
            messages = next;
        }
        return false;
    }
    const uint64_t position = list->position, chain = list->chain;
    fill(s, list, first, count, last, list->sequence + 1, body);
    const uint64_t position_after = list->position, chain_after = list->chain;
    list->position = position;
    list->chain = chain;
    for (uint32_t i = 0; i <= parts; i++) {
        struct store_nats_sent *sent = messages;
        messages = sent->next;
        sent->next = NULL;
        memcpy(sent->bytes + STORE_NATS_HEAD_SIZE, body + i * most, i < parts ? most : rest);
        if (i == parts) {
            list->position = position_after;
            list->chain = chain_after;
            sent->ops = first;
        }
        post(s, list, sent, i < parts ? 0 : parts);
    }
    free(body);
    return true;
}

static bool send_whole(struct store_nats_store *s, struct store_nats_list *list, struct store_nats_op *first,
                       uint32_t count, size_t size, uint64_t last)
{
    struct store_nats_sent *sent = message_make(STORE_NATS_ENTRIES, size);
    if (!sent) {
        return false;
    }
    fill(s, list, first, count, last, list->sequence + 1, sent->bytes + STORE_NATS_HEAD_SIZE);
    sent->ops = first;
    post(s, list, sent, 0);
    return true;
}

static bool send_entries(struct store_nats_store *s, struct store_nats_list *list)
{
    uint32_t count;
    size_t size;
    uint64_t last;
    while (list->sent_count < STORE_NATS_WINDOW) {
        struct store_nats_op *first = take_ops(s, list, &count, &size, &last);
        if (!first) {
            return true;
        }
        const bool sent = size <= store_nats_link_body_max(s->link)
                              ? send_whole(s, list, first, count, size, last)
                              : send_in_parts(s, list, first, count, size, last);
        if (!sent) {
            later(s, list, "no memory for a message");
            return false;
        }
        took(s, list, last);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Images

static const struct store_nats_point *point_at(const struct store_nats_list *list, uint64_t position)
{
    for (uint32_t i = list->point_count; i > 0 && list->points[i - 1].position >= position; i--) {
        if (list->points[i - 1].position == position) {
            return &list->points[i - 1];
        }
    }
    return NULL;
}

static struct store_nats_image_op *next_image(struct store_nats_store *s, struct store_nats_list *list)
{
    base_mutex_lock(&s->mutex);
    struct store_nats_image_op *op = list->image;
    if (op && !op->creates && op->image.position > list->position) {
        op = NULL; // entries before it wait
    }
    if (op) {
        list->image = op->next;
        list->image_last = list->image ? list->image_last : NULL;
        op->next = NULL;
    }
    base_mutex_unlock(&s->mutex);
    return op;
}

// Begins to send an image. False: it is left out, and there will be another. The first image of a list is
// never left out.
static bool begin_image(struct store_nats_store *s, struct store_nats_list *list,
                        struct store_nats_image_op *op)
{
    const struct store_nats_point *point = point_at(list, op->image.position);
    if (op->creates) {
        list->position = op->image.position;
        list->chain = store_chain_begin(s->hash, list->list, list->position);
    } else if (!point) {
        return false;
    }
    base_hash_reset(s->hash);
    base_hash_bytes(s->hash, op->bytes->data, op->bytes->size);
    op->head = (struct store_nats_image){
        .image = op->image,
        .size = op->bytes->size,
        .sum = base_hash_digest(s->hash),
        .chain = op->creates ? list->chain : point->chain,
        .first = list->sequence + 1,
        .from = op->creates || point->position == list->position ? list->sequence + 1 : point->sequence,
    };
    op->sent = 0;
    return true;
}

static bool send_piece(struct store_nats_store *s, struct store_nats_list *list,
                       struct store_nats_image_op *op)
{
    const size_t left = op->bytes->size - op->sent,
                 size = left < STORE_NATS_PIECE_BYTES ? left : STORE_NATS_PIECE_BYTES;
    const size_t bound = ZSTD_compressBound(size);
    struct store_nats_sent *sent = message_make(STORE_NATS_PIECE, STORE_NATS_PIECE_HEAD + bound);
    if (!sent) {
        return false;
    }
    uint8_t *body = sent->bytes + STORE_NATS_HEAD_SIZE;
    const size_t packed =
        ZSTD_compressCCtx(s->zstd, body + STORE_NATS_PIECE_HEAD, bound, op->bytes->data + op->sent, size, 1);
    const struct store_nats_piece piece = {op->image.position, op->head.pieces, (uint32_t)size, NULL, 0};
    if (ZSTD_isError(packed)) {
        free(sent);
        return false;
    }
    store_nats_piece_head(body, &piece);
    sent->size = STORE_NATS_HEAD_SIZE + STORE_NATS_PIECE_HEAD + packed + STORE_NATS_LINK_SIZE;
    op->sent += size;
    op->head.pieces++;
    post(s, list, sent, 0);
    return true;
}

static bool send_image_head(struct store_nats_store *s, struct store_nats_list *list,
                            struct store_nats_image_op *op)
{
    struct store_nats_sent *sent = message_make(STORE_NATS_IMAGE, STORE_NATS_IMAGE_SIZE);
    if (sent) {
        store_nats_image_pack(sent->bytes + STORE_NATS_HEAD_SIZE, &op->head);
        sent->image = op;
        post(s, list, sent, 0);
    }
    return sent != NULL;
}

// Sends a part of an image that is so small that entries need not wait for it.
static bool send_image(struct store_nats_store *s, struct store_nats_list *list)
{
    while (list->sent_count < STORE_NATS_WINDOW && list->sent_pieces < STORE_NATS_WINDOW_PIECES) {
        if (!list->sending) {
            struct store_nats_image_op *op = next_image(s, list);
            if (!op) {
                return true;
            }
            if (!begin_image(s, list, op)) {
                store_nats_image_free(op);
                continue;
            }
            list->sending = op;
        }
        struct store_nats_image_op *op = list->sending;
        if (op->sent < op->bytes->size) {
            if (!send_piece(s, list, op)) {
                later(s, list, "no memory for an image");
                return false;
            }
        } else if (send_image_head(s, list, op)) {
            list->sending = NULL;
        } else {
            later(s, list, "no memory for an image");
            return false;
        }
    }
    return true;
}

bool store_nats_kept_add(struct store_nats_list *list, const struct store_nats_image *image, uint64_t seen)
{
    if (!array_reserve(&list->kept, &list->kept_room, list->kept_count + 1)) {
        return false;
    }
    list->kept[list->kept_count++] = (struct store_nats_kept){image->image.position, seen, image->from};
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// What is acknowledged

static bool give_entries(struct store_nats_store *s, struct store_nats_list *list,
                         const struct store_nats_sent *sent)
{
    struct store_nats_op *op = sent->ops;
    for (bool more = true; more;) {
        // Once its entries are freed, the operation can be removed as soon as the folder's store has them.
        base_mutex_lock(&s->mutex);
        struct store_entry *entries = op->entries;
        struct store_nats_op *next = op->next;
        const uint32_t count = op->count;
        more = op->last < sent->position;
        op->entries = NULL;
        base_mutex_unlock(&s->mutex);
        const bool taken = store_sqlite_append(s->local, list->list, list->local_epoch, entries, count);
        free(entries);
        if (!taken) {
            return false;
        }
        op = next;
    }
    if (s->options.acks == STORE_ACKS_BROKERS) {
        base_mutex_lock(&s->mutex);
        const uint64_t position = store_nats_pop(s, list, sent->position);
        base_mutex_unlock(&s->mutex);
        if (s->options.on_commit) {
            s->options.on_commit(s->options.context, list->list, position);
        }
    }
    return true;
}

static bool give_image(struct store_nats_store *s, struct store_nats_list *list,
                       const struct store_nats_image_op *op)
{
    const uint64_t position = op->image.position;
    uint32_t gone = 0;
    while (gone < list->point_count && list->points[gone].position < position) {
        gone++;
    }
    list->point_count -= gone;
    if (gone > 0) {
        memmove(list->points, list->points + gone, list->point_count * sizeof *list->points);
    }
    if (!store_nats_kept_add(list, &op->head, store_seen_s(s->seen))) {
        return false;
    }
    list->stream_due = true;
    if (!op->creates) {
        return store_sqlite_image_add(s->local, list->list, &op->image, op->bytes);
    }
    list->local_epoch = 1;
    base_mutex_lock(&s->mutex);
    const struct store_nats_row row = list->row;
    list->creating = false;
    list->row_changed = true;
    base_mutex_unlock(&s->mutex);
    return store_nats_point_add(list, list->position, list->chain, op->head.from) &&
           store_sqlite_adopt(s->local, list->list, row.label, row.created_at, &op->image, op->head.chain,
                              op->bytes);
}

// Handles acknowledged messages in order, then sends the next. False: the list is lost.
static bool settle(struct store_nats_store *s, struct store_nats_list *list)
{
    bool taken = true;
    while (taken && list->sent && list->sent->acknowledged) {
        struct store_nats_sent *sent = list->sent;
        list->sent = sent->next;
        list->sent_last = list->sent ? list->sent_last : NULL;
        list->sent_count--;
        list->sent_pieces -= sent->kind == STORE_NATS_PIECE;
        s->headway_ns = base_now_ns();
        if (sent->kind == STORE_NATS_ENTRIES) {
            taken = give_entries(s, list, sent);
        } else if (sent->kind == STORE_NATS_IMAGE) {
            taken = give_image(s, list, sent->image);
            store_nats_image_free(sent->image);
        }
        free(sent);
    }
    if (!taken) {
        store_nats_lose(s, list, "no memory for what goes into the folder");
    } else if (list->sent && !list->unsure) {
        publish(s, list, list->sent);
    }
    return taken;
}

void store_nats_hear(struct store_nats_store *s, const struct store_nats_heard *heard)
{
    base_mutex_lock(&s->mutex);
    struct store_nats_list *list = store_nats_find(s, heard->list);
    const bool ours = list && list->state == STORE_NATS_OURS;
    s->counts.refused += heard->answer == STORE_NATS_REFUSED;
    base_mutex_unlock(&s->mutex);
    if (!ours) {
        return;
    }
    struct store_nats_sent *sent = list->sent;
    while (sent && sent->sequence < heard->sequence) {
        sent = sent->next;
    }
    if (!sent || sent->sequence != heard->sequence || sent->acknowledged) {
        return; // it was found there before
    }
    if (heard->answer == STORE_NATS_DONE) {
        sent->acknowledged = true;
        (void)settle(s, list);
    } else if (!list->unsure) {
        list->unsure = true;
        store_nats_note(s, heard->text);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Unsure

// Loses a list to another server, whose message is at the place of one of ours.
static void lose_to(struct store_nats_store *s, struct store_nats_list *list, uint64_t sequence,
                    const uint8_t *bytes, size_t size)
{
    struct store_nats_head head;
    char text[FAULT_TEXT_SIZE], owner[STORE_NATS_OWNER_SIZE] = "";
    if (!store_nats_message_read(s->hash, list->list, sequence, bytes, size, &head)) {
        (void)snprintf(text, sizeof text,
                       "message %" PRIu64 " of the stream of list %" PRIu32
                       " is none that a server wrote there",
                       sequence, list->list);
    } else {
        if (head.kind == STORE_NATS_EPOCH) {
            (void)store_nats_owner_read(head.body, head.body_size, owner);
        }
        (void)snprintf(text, sizeof text,
                       "list %" PRIu32 " is written under epoch %" PRIu64
                       " by %s; here it was under epoch %" PRIu64,
                       list->list, head.epoch, owner[0] ? owner : "another server", list->epoch);
    }
    store_nats_lose(s, list, text);
}

enum at { SAME, OTHER, ABSENT, UNKNOWN };

static enum at look_at(struct store_nats_store *s, struct store_nats_list *list, uint64_t sequence,
                       const struct store_nats_sent *sent)
{
    struct store_error error;
    uint8_t *bytes = NULL;
    size_t size = 0;
    const enum fault_code status =
        store_nats_stream_get(s->link, list->list, sequence, &bytes, &size, &error);
    enum at at = status == FAULT_NONE ? SAME : status == FAULT_NOT_FOUND ? ABSENT : UNKNOWN;
    if (at == SAME && !(sent && size == sent->size && memcmp(bytes, sent->bytes, size) == 0)) {
        at = OTHER;
        lose_to(s, list, sequence, bytes, size);
    } else if (at == UNKNOWN) {
        list->gap_since_ns = 0;
        later(s, list, error.fault.text);
    }
    free(bytes);
    return at;
}

// Loses a list if brokers have been missing acknowledged messages for gap_ns. A broker that is cut off from
// the others, or has just become leader, may answer for a moment without knowing what they know. So the time
// counts only without a break, and silence is a break.
static void lose_gap(struct store_nats_store *s, struct store_nats_list *list, uint64_t from, uint64_t to)
{
    char text[FAULT_TEXT_SIZE];
    const uint64_t now = base_now_ns();
    list->gap_since_ns = list->gap_since_ns ? list->gap_since_ns : now;
    if (now < list->gap_since_ns + gap_ns) {
        later(s, list, "the brokers are behind what they acknowledged");
        return;
    }
    (void)snprintf(text, sizeof text,
                   "the brokers have lost messages %" PRIu64 " to %" PRIu64 " of list %" PRIu32
                   ", which they had acknowledged; the folder has what was in them",
                   from, to, list->list);
    store_nats_lose(s, list, text);
}

// Finds out which of our messages are in the stream. True: all is known again, and the rest is sent again.
static bool make_sure(struct store_nats_store *s, struct store_nats_list *list)
{
    struct store_error error;
    struct store_nats_stream stream;
    const uint64_t acknowledged = list->sent ? list->sent->sequence - 1 : list->sequence;
    const enum fault_code status = store_nats_stream_info(s->link, list->list, LOOK_MS, &stream, &error);
    if (status != FAULT_NONE) {
        if (status == FAULT_NOT_FOUND) {
            lose_gap(s, list, 1, acknowledged);
        } else {
            list->gap_since_ns = 0;
            later(s, list, error.fault.text);
            list->retry_ns = base_now_ns() + silent_ns;
        }
        return false;
    }
    if (stream.last < acknowledged) {
        lose_gap(s, list, stream.last + 1, acknowledged);
        return false;
    }
    uint64_t sequence = acknowledged;
    for (struct store_nats_sent *sent = list->sent; sent && sent->sequence <= stream.last;
         sent = sent->next) {
        const enum at at = sent->acknowledged ? SAME : look_at(s, list, sent->sequence, sent);
        if (at == ABSENT) {
            lose_gap(s, list, sent->sequence, sent->sequence);
        }
        if (at != SAME) {
            return false;
        }
        sequence = sent->sequence;
        sent->acknowledged = true;
    }
    if (stream.last > sequence) {
        if (look_at(s, list, sequence + 1, NULL) == ABSENT) {
            lose_gap(s, list, sequence + 1, sequence + 1);
        }
        return false;
    }
    if (!settle(s, list)) {
        return false;
    }
    list->unsure = false;
    list->gap_since_ns = 0;
    if (list->sent) {
        publish(s, list, list->sent);
    }
    return !list->unsure;
}

// ---------------------------------------------------------------------------------------------------------
// Rows

// Tells brokers of a list's row. For a new list it comes before the first entry, so that everybody who was
// told of an entry finds the list. Later it comes after entries.
static void put_row(struct store_nats_store *s, struct store_nats_list *list)
{
    struct store_error error;
    base_mutex_lock(&s->mutex);
    const bool due = list->row_changed && !list->creating &&
                     (list->unlisted || (!list->unsent && !list->sent)) &&
                     base_now_ns() >= list->row_retry_ns;
    const struct store_nats_row row = list->row;
    list->row_changed = list->row_changed && !due;
    list->row_sending = due;
    base_mutex_unlock(&s->mutex);
    if (!due) {
        return;
    }
    if (store_nats_row_put(s->link, &row, &error) != FAULT_NONE) {
        base_mutex_lock(&s->mutex);
        list->row_changed = true;
        list->row_sending = false;
        base_mutex_unlock(&s->mutex);
        list->row_retry_ns = base_now_ns() + silent_ns;
        store_nats_note(s, error.fault.text);
        return;
    }
    base_mutex_lock(&s->mutex);
    list->unlisted = list->row_sending = false;
    list->row_change = ++s->row_changes;
    (void)store_sqlite_label(s->local, list->list, row.label);
    (void)store_sqlite_bin_at(s->local, list->list, row.binned_at);
    base_mutex_unlock(&s->mutex);
    s->headway_ns = base_now_ns();
}

// Makes the stream of a new list. If there is one already, a server left it that ended before its list was
// registered; its id was given to nobody else.
static bool make_stream(struct store_nats_store *s, struct store_nats_list *list)
{
    struct store_error error;
    if (!list->creating || list->sequence > 0 || list->sending) {
        return true;
    }
    bool final = false;
    if (store_nats_stream_create(s->link, list->list, &final, &error) == FAULT_NONE) {
        return true;
    }
    if (final || base_now_ns() > list->created_ns + stream_ns) {
        store_nats_lose(s, list,
                        error.fault.text); // a limit of the brokers: other lists need not wait for it
    } else {
        later(s, list, error.fault.text);
    }
    return false;
}

// Gives up a list that is to be taken over and of which nothing waits.
static void give_up(struct store_nats_store *s, struct store_nats_list *list)
{
    base_mutex_lock(&s->mutex);
    const bool given = list->wanted && !list->sent && !list->sending && !list->head && !list->image &&
                       !list->row_changed && !list->creating && !list->unsure;
    if (given) {
        list->state = STORE_NATS_TAKING;
        base_cond_broadcast(&s->progress);
    }
    base_mutex_unlock(&s->mutex);
}

static bool is_listed(struct store_nats_store *s, const struct store_nats_list *list)
{
    base_mutex_lock(&s->mutex);
    const bool listed = !list->creating && !list->unlisted;
    base_mutex_unlock(&s->mutex);
    return listed;
}

void store_nats_turn(struct store_nats_store *s, struct store_nats_list *list)
{
    base_mutex_lock(&s->mutex);
    const bool ours = list->state == STORE_NATS_OURS;
    base_mutex_unlock(&s->mutex);
    if (!ours || base_now_ns() < list->retry_ns || (list->unsure && !make_sure(s, list)) ||
        !make_stream(s, list) || !send_image(s, list)) {
        return;
    }
    put_row(s, list);
    if (is_listed(s, list) && !send_entries(s, list)) {
        return;
    }
    give_up(s, list);
}
