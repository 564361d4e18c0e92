// Immutable, reference-counted bytes which threads share; frames, which are gathered from them; and budgets, which bound how
// many bytes are alive.
//
//     batch ──▶ frame (one moment of one selection, shared by all streams that asked for it)
//                 part 0: prefix | chunk | chunk ...      each a base_buffer; frames share chunks
//                 part 1: prefix | chunk ...              a part is one message, and is written to the socket as a whole
//
// The creator writes a buffer or a frame before it is shared, and nobody writes it afterwards. Any thread may take and drop
// references, and charge budgets. A batch has one owner at a time. Nothing here waits or locks.
#ifndef WEFT_BASE_BUFFER_H
#define WEFT_BASE_BUFFER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Counts the bytes that are charged to it and holds them below a limit, in bytes. It lives until its last reference is
// released; each living buffer holds one.
struct base_budget;
// The three create functions return a reference, which the caller releases, or NULL if memory runs out.
struct base_budget *base_budget_create(size_t limit);
// A budget within `whole`: each charge counts against both. It holds a reference to `whole`.
struct base_budget *base_budget_create_within(struct base_budget *whole, size_t limit);
// The same, with a fair share of `whole`. Once three quarters of `whole` are used up, a budget gets more only while it holds no
// more than an equal share of the last quarter. So each budget has some room, whatever the others hold.
struct base_budget *base_budget_create_share(struct base_budget *whole, size_t limit);
// Whether `size` more bytes would reach into the last quarter of `whole`.
bool base_budget_is_scarce(const struct base_budget *whole, size_t size);
void base_budget_release(struct base_budget *budget); // drops a reference; NULL is allowed
struct base_budget *base_budget_ref(struct base_budget *budget);
// Charges memory that is not a base_buffer. The caller holds a reference, and uncharges what it charged before it releases
// that. False, and nothing is charged, if a limit would be passed.
bool base_budget_charge(struct base_budget *budget, size_t size);
void base_budget_uncharge(struct base_budget *budget, size_t size);
size_t base_budget_used(const struct base_budget *budget);
size_t base_budget_limit(const struct base_budget *budget);
// Whether a charge of `size` would succeed now. Other threads may charge before the caller does.
bool base_budget_fits(const struct base_budget *budget, size_t size);

struct base_buffer {
    atomic_uint refs;
    struct base_budget *budget; // the one that it is charged to, a reference; NULL: none
    size_t size;                // bytes of data in use; the creator may lower it before it shares the buffer
    _Alignas(16) uint8_t data[];
};

// Returns one reference. NULL if memory runs out or the budget's limit would be passed. budget may be NULL. The bytes are
// not set.
struct base_buffer *base_buffer_create(size_t size, struct base_budget *budget);
struct base_buffer *base_buffer_ref(struct base_buffer *buffer);
void base_buffer_unref(struct base_buffer *buffer); // NULL is allowed

struct base_frame_part {
    struct base_buffer **buffers; // owned references, in order; written one after another
    uint32_t buffer_count;
    size_t size; // bytes of all of them
};

struct base_frame {
    atomic_uint refs;
    bool records; // its messages are stream.records; else stream.frame
    // A compressed frame may be a difference from an earlier frame. Then it may go only to a stream whose last frame was
    // that one. Any other stream is sent `key`, if there is one.
    uint64_t number;        // by which later frames refer to this one; 0: none does
    uint64_t builds_on;     // number of the frame that it is a difference from; 0: it stands alone
    struct base_frame *key; // the same moment in a form that stands alone: an owned reference; NULL: none
    uint32_t key_count;     // entries of the message's map; `net` writes the map's head for each client
    uint32_t part_count;
    size_t size; // bytes of all parts
    struct base_frame_part parts[];
};

struct base_frame *base_frame_create(uint32_t part_count); // one reference, all zero; NULL if memory runs out
struct base_frame *base_frame_ref(struct base_frame *frame);
// Dropping the last reference releases the frame's buffers and its key. NULL is allowed.
void base_frame_unref(struct base_frame *frame);

// The frames that one tick gives one stream. They are sent in order and dropped together. The batches of a lossless stream wait
// in a queue. A batch with `anew` set replaces all batches of its stream that were queued before it.
struct base_batch {
    uint32_t stream;
    uint32_t session;
    uint64_t moment;     // rises with every publication of a world, so that the oldest batch can be found
    uint64_t dropped;    // frames of its stream that were left out before it
    bool lossless, anew; // anew is only set if lossless is
    bool keyed;          // sends the key of its first frame, if there is one, whatever was sent before
    struct base_budget *backlog; // the budget that it is charged to while it waits, a reference; NULL: none
    size_t charged;              // bytes charged to backlog
    struct base_batch *next;     // the batch behind it in its owner's queue
    uint32_t frame_count;
    struct base_frame *frames[]; // owned references
};

// NULL if memory runs out. The caller fills frames with references, which the batch then owns.
struct base_batch *base_batch_create(uint32_t stream, uint32_t session, uint64_t moment,
                                     uint32_t frame_count);
void base_batch_destroy(struct base_batch *batch);      // unrefs its frames; NULL is allowed
void base_batch_destroy_all(struct base_batch *batch);  // also destroys those behind it; NULL is allowed
size_t base_batch_size(const struct base_batch *batch); // bytes of its frames
// Charges its bytes until it is destroyed. False if the limit would be passed. A batch is charged once.
bool base_batch_charge(struct base_batch *batch, struct base_budget *backlog);
// Whether the batch can follow the frame of that number on its stream (0: no frame was sent), as it is or with a key in place of
// its first frame.
bool base_batch_fits(const struct base_batch *batch, uint64_t number);
// Whether the batch can be sent whatever was sent before: its first frame stands alone or has a key.
bool base_batch_stands_alone(const struct base_batch *batch);
// Puts the key in place of the first frame if that is necessary to follow frame `number`, or if keyed. The batch must fit.
void base_batch_settle(struct base_batch *batch, uint64_t number);
uint64_t base_batch_number(const struct base_batch *batch); // number of its last frame; 0 if it has no frames

#endif
