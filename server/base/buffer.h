// Immutable, reference-counted bytes, shared between threads; and frames, which are gathered from them.
//
//     frame (one moment of one selection, shared by all streams that asked for it)
//       part 0: prefix | chunk | chunk ...        each a base_buffer, chunks shared between frames
//       part 1: prefix | chunk ...
//
// A buffer is written by its creator before it is shared and never after.
#ifndef WEFT_BASE_BUFFER_H
#define WEFT_BASE_BUFFER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Bytes alive under a common limit. Outlives its owner for as long as buffers refer to it.
struct base_budget;
struct base_budget *base_budget_create(size_t limit); // one reference, the caller's; NULL without memory
// A budget within `whole`: each charge counts against both. It takes a reference to `whole`.
struct base_budget *base_budget_create_within(struct base_budget *whole, size_t limit);
// The same, with a fair share of `whole`. Once three quarters of `whole` are used up, a budget gets more only while it holds no
// more than an equal share of the last quarter. So each budget has some room, whatever the others hold.
struct base_budget *base_budget_create_share(struct base_budget *whole, size_t limit);
bool base_budget_is_scarce(const struct base_budget *whole,
                           size_t size); // with so many more its last quarter is touched
void base_budget_release(struct base_budget *budget);
// For memory that is no buffer. Whoever holds a reference charges it (false: the limit would be passed) and gives it back.
struct base_budget *base_budget_ref(struct base_budget *budget);
bool base_budget_charge(struct base_budget *budget, size_t size);
void base_budget_uncharge(struct base_budget *budget, size_t size);
size_t base_budget_used(const struct base_budget *budget);
size_t base_budget_limit(const struct base_budget *budget);
bool base_budget_fits(const struct base_budget *budget, size_t size); // so many more, as of now

struct base_buffer {
    atomic_uint refs;
    struct base_budget *budget; // NULL where none is charged
    size_t size;                // bytes used of data; the creator may lower it before sharing
    _Alignas(16) uint8_t data[];
};

// One reference. NULL if there is no memory or the budget (may be NULL) would be passed.
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
    // Frames that build on others. This one may go only to a stream that was sent the frame of that number. Any other stream is sent
    // its key, if there is one.
    uint64_t number;        // 0: nothing builds on it
    uint64_t builds_on;     // 0: on nothing
    struct base_frame *key; // the same, building on nothing; owned; NULL: none
    uint32_t key_count;     // keys of the message's map, for the head that each client gets
    uint32_t part_count;
    size_t size;
    struct base_frame_part parts[];
};

struct base_frame *base_frame_create(uint32_t part_count); // parts zeroed; NULL without memory
struct base_frame *base_frame_ref(struct base_frame *frame);
void base_frame_unref(struct base_frame *frame); // the last one releases all buffers; NULL is allowed

// The frames that one tick gives one stream. They are sent in order and dropped together. The batches of a lossless stream wait
// one behind the other, until one comes that says all that they do (`anew`).
struct base_batch {
    uint32_t stream;
    uint32_t session;
    uint64_t moment;     // rises with every publication of a world, so that the oldest can be found
    uint64_t dropped;    // frames of its stream that were left out before it
    bool lossless, anew; // as above; anew only where it is lossless
    bool keyed;          // its first frame is to be a key where there is one, whatever was sent before
    struct base_budget *backlog; // what it is charged to as long as it waits, a reference; NULL: nothing
    size_t charged;
    struct base_batch *next; // whoever holds it: the one behind it
    uint32_t frame_count;    // frames are owned references
    struct base_frame *frames[];
};

struct base_batch *base_batch_create(uint32_t stream, uint32_t session, uint64_t moment,
                                     uint32_t frame_count);
void base_batch_destroy(struct base_batch *batch);      // unrefs its frames; NULL is allowed
void base_batch_destroy_all(struct base_batch *batch);  // with those behind it; NULL is allowed
size_t base_batch_size(const struct base_batch *batch); // bytes of its frames
// Charges its bytes until it is destroyed. False: the limit would be passed.
bool base_batch_charge(struct base_batch *batch, struct base_budget *backlog);
// Whether the batch can follow the frame of that number on its stream (0: no frame was sent). A key may take the place of its
// first frame for that: base_batch_settle.
bool base_batch_fits(const struct base_batch *batch, uint64_t number);
bool base_batch_stands_alone(const struct base_batch *batch);      // to whomever
void base_batch_settle(struct base_batch *batch, uint64_t number); // of one that fits
uint64_t base_batch_number(const struct base_batch *batch);        // of its last frame

#endif
