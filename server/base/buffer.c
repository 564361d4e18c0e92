// Shared bytes, the budget they are charged to, and the frames and batches gathered from them.
//
// Who keeps whom alive:
//
//     batch --owns--> frame --owns--> buffer --owns--> budget
//
// Invariants: a budget's `used` is the sum of what its living buffers asked for, and never passes `limit`;
// every count of references reaches zero once, on whichever thread lets go last.
#include "base/buffer.h"

#include "base/assert.h"

#include <limits.h>
#include <stdlib.h>

struct base_budget {
    atomic_uint refs; // the owner's and one for each living buffer
    atomic_size_t used;
    size_t limit;
    struct base_budget *whole; // that it is part of; NULL: none
    bool is_share;             // of a whole that is shared fairly
    atomic_uint shares;        // such that are part of it
};

// size may be lowered by the creator; the charge is what was asked for, so it stands in front of the buffer.
struct buffer_block {
    _Alignas(16) size_t charged;
    struct base_buffer buffer;
};

static void refs_take(atomic_uint *refs)
{
    // Whoever takes a reference has one, so nothing needs to be ordered.
    unsigned before = atomic_fetch_add_explicit(refs, 1, memory_order_relaxed);
    BASE_ASSERT(before > 0 && before < UINT_MAX);
}

static bool refs_drop(atomic_uint *refs)
{
    // Release what this thread did with the object; acquire what the others did, before it is freed.
    unsigned before = atomic_fetch_sub_explicit(refs, 1, memory_order_acq_rel);
    BASE_ASSERT(before > 0);
    return before == 1;
}

// ---------------------------------------------------------------------------------------------------------
// Budget

struct base_budget *base_budget_create(size_t limit)
{
    struct base_budget *budget = malloc(sizeof *budget);
    if (!budget) {
        return NULL;
    }
    atomic_init(&budget->refs, 1);
    atomic_init(&budget->used, 0);
    budget->limit = limit;
    budget->whole = NULL;
    budget->is_share = false;
    atomic_init(&budget->shares, 0);
    return budget;
}

struct base_budget *base_budget_create_within(struct base_budget *whole, size_t limit)
{
    struct base_budget *budget = base_budget_create(limit);
    if (budget) {
        refs_take(&whole->refs);
        budget->whole = whole;
    }
    return budget;
}

struct base_budget *base_budget_create_share(struct base_budget *whole, size_t limit)
{
    struct base_budget *budget = base_budget_create_within(whole, limit);
    if (budget) {
        budget->is_share = true;
        atomic_fetch_add_explicit(&whole->shares, 1, memory_order_relaxed);
    }
    return budget;
}

void base_budget_release(struct base_budget *budget)
{
    if (budget && refs_drop(&budget->refs)) {
        BASE_ASSERT(atomic_load_explicit(&budget->used, memory_order_relaxed) == 0);
        struct base_budget *whole = budget->whole;
        if (budget->is_share) {
            atomic_fetch_sub_explicit(&whole->shares, 1, memory_order_relaxed);
        }
        free(budget);
        base_budget_release(whole); // at most one deep
    }
}

size_t base_budget_used(const struct base_budget *budget)
{
    return atomic_load_explicit(&budget->used, memory_order_relaxed);
}

struct base_budget *base_budget_ref(struct base_budget *budget)
{
    refs_take(&budget->refs);
    return budget;
}

size_t base_budget_limit(const struct base_budget *budget)
{
    return budget->limit;
}

bool base_budget_is_scarce(const struct base_budget *whole, size_t size)
{
    const size_t open = whole->limit - whole->limit / 4, used = base_budget_used(whole);
    return used > open || size > open - used;
}

// Whether a share may have so much in all, when `size` of it is not charged to the whole yet.
static bool share_may_have(const struct base_budget *share, size_t all, size_t size)
{
    const struct base_budget *whole = share->whole;
    const unsigned shares = atomic_load_explicit(&whole->shares, memory_order_relaxed);
    return all <= whole->limit / 4 / shares || !base_budget_is_scarce(whole, size);
}

bool base_budget_fits(const struct base_budget *budget, size_t size)
{
    const size_t used = base_budget_used(budget);
    return size <= budget->limit - used && (!budget->is_share || share_may_have(budget, used + size, size)) &&
           (!budget->whole || base_budget_fits(budget->whole, size));
}

void base_budget_uncharge(struct base_budget *budget, size_t size)
{
    for (; budget; budget = budget->whole) {
        atomic_fetch_sub_explicit(&budget->used, size, memory_order_relaxed);
    }
}

static bool budget_charge_one(struct base_budget *budget, size_t size)
{
    size_t used = atomic_load_explicit(&budget->used, memory_order_relaxed);
    do {
        if (size > budget->limit - used) {
            return false;
        }
    } while (!atomic_compare_exchange_weak_explicit(&budget->used, &used, used + size, memory_order_relaxed,
                                                    memory_order_relaxed));
    return true;
}

bool base_budget_charge(struct base_budget *budget, size_t size)
{
    if (!budget_charge_one(budget, size)) {
        return false;
    }
    const bool may = !budget->is_share || share_may_have(budget, base_budget_used(budget), size);
    if (budget->whole && (!may || !budget_charge_one(budget->whole, size))) {
        atomic_fetch_sub_explicit(&budget->used, size, memory_order_relaxed);
        return false;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Buffer

struct base_buffer *base_buffer_create(size_t size, struct base_budget *budget)
{
    if (size > SIZE_MAX - sizeof(struct buffer_block)) {
        return NULL;
    }
    if (budget && !base_budget_charge(budget, size)) {
        return NULL;
    }
    struct buffer_block *block = malloc(sizeof *block + size);
    if (!block) {
        base_budget_uncharge(budget, size);
        return NULL;
    }
    if (budget) {
        refs_take(&budget->refs);
    }
    block->charged = size;
    atomic_init(&block->buffer.refs, 1);
    block->buffer.budget = budget;
    block->buffer.size = size;
    return &block->buffer;
}

struct base_buffer *base_buffer_ref(struct base_buffer *buffer)
{
    refs_take(&buffer->refs);
    return buffer;
}

void base_buffer_unref(struct base_buffer *buffer)
{
    if (!buffer || !refs_drop(&buffer->refs)) {
        return;
    }
    struct buffer_block *block = (void *)((char *)buffer - offsetof(struct buffer_block, buffer));
    BASE_ASSERT(buffer->size <= block->charged);
    if (buffer->budget) {
        base_budget_uncharge(buffer->budget, block->charged);
        base_budget_release(buffer->budget);
    }
    free(block);
}

// ---------------------------------------------------------------------------------------------------------
// Frame

struct base_frame *base_frame_create(uint32_t part_count)
{
    struct base_frame *frame = calloc(1, sizeof *frame + part_count * sizeof frame->parts[0]);
    if (!frame) {
        return NULL;
    }
    atomic_init(&frame->refs, 1);
    frame->part_count = part_count;
    return frame;
}

struct base_frame *base_frame_ref(struct base_frame *frame)
{
    refs_take(&frame->refs);
    return frame;
}

void base_frame_unref(struct base_frame *frame)
{
    while (frame && refs_drop(&frame->refs)) {
        struct base_frame *key = frame->key;
        for (uint32_t p = 0; p < frame->part_count; p++) {
            struct base_frame_part *part = &frame->parts[p];
            for (uint32_t b = 0; b < part->buffer_count; b++) {
                base_buffer_unref(part->buffers[b]);
            }
            free(part->buffers);
        }
        free(frame);
        frame = key;
    }
}

// ---------------------------------------------------------------------------------------------------------
// Batch

struct base_batch *base_batch_create(uint32_t stream, uint32_t session, uint64_t moment, uint32_t frame_count)
{
    struct base_batch *batch = calloc(1, sizeof *batch + frame_count * sizeof(struct base_frame *));
    if (!batch) {
        return NULL;
    }
    batch->stream = stream;
    batch->session = session;
    batch->moment = moment;
    batch->frame_count = frame_count;
    return batch;
}

void base_batch_destroy(struct base_batch *batch)
{
    if (!batch) {
        return;
    }
    for (uint32_t f = 0; f < batch->frame_count; f++) {
        base_frame_unref(batch->frames[f]);
    }
    if (batch->backlog) {
        base_budget_uncharge(batch->backlog, batch->charged);
        base_budget_release(batch->backlog);
    }
    free(batch);
}

void base_batch_destroy_all(struct base_batch *batch)
{
    while (batch) {
        struct base_batch *next = batch->next;
        base_batch_destroy(batch);
        batch = next;
    }
}

bool base_batch_charge(struct base_batch *batch, struct base_budget *backlog)
{
    BASE_ASSERT(!batch->backlog);
    const size_t size = base_batch_size(batch);
    if (!base_budget_charge(backlog, size)) {
        return false;
    }
    batch->backlog = base_budget_ref(backlog);
    batch->charged = size;
    return true;
}

size_t base_batch_size(const struct base_batch *batch)
{
    size_t size = 0;
    for (uint32_t f = 0; f < batch->frame_count; f++) {
        size += batch->frames[f]->size;
    }
    return size;
}

bool base_batch_stands_alone(const struct base_batch *batch)
{
    return batch->frame_count == 0 || batch->frames[0]->builds_on == 0 || batch->frames[0]->key;
}

bool base_batch_fits(const struct base_batch *batch, uint64_t number)
{
    return base_batch_stands_alone(batch) || batch->frames[0]->builds_on == number;
}

void base_batch_settle(struct base_batch *batch, uint64_t number)
{
    struct base_frame *first = batch->frame_count > 0 ? batch->frames[0] : NULL;
    if (first && first->builds_on != 0 && (first->builds_on != number || (batch->keyed && first->key))) {
        BASE_ASSERT(first->key);
        batch->frames[0] = base_frame_ref(first->key);
        base_frame_unref(first);
    }
}

uint64_t base_batch_number(const struct base_batch *batch)
{
    return batch->frame_count > 0 ? batch->frames[batch->frame_count - 1]->number : 0;
}
