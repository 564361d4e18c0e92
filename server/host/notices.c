#include "host/notices.h"

#include "base/assert.h"
#include "base/buffer.h"
#include "protocol/generated/api.h"

#include <stdlib.h>

static struct host_notice *at(const struct host_notices *notices, uint32_t position)
{
    BASE_ASSERT(notices->capacity > 0);
    return &notices->items[(notices->first + position) % notices->capacity];
}

static void forget_first(struct host_notices *notices)
{
    struct host_notice *notice = at(notices, 0);
    // For a notice that tells of no edit, it is unknown whether a session that had the edit before it also
    // had the notice.
    const uint64_t least = notice->revision != 0 ? notice->revision : notice->after + 1;
    if (least > notices->least) {
        notices->least = least;
    }
    notices->bytes -= notice->size;
    *notices->total -= notice->size;
    for (int mode = 0; mode < 3; mode++) {
        base_buffer_unref(notice->bytes[mode]);
    }
    notices->first = (notices->first + 1) % notices->capacity;
    notices->count--;
}

static void forget_all(struct host_notices *notices)
{
    while (notices->count > 0) {
        forget_first(notices);
    }
    notices->least = notices->latest + 1;
}

static bool reserve(struct host_notices *notices)
{
    if (notices->count < notices->capacity) {
        return true;
    }
    if (notices->capacity == PROTOCOL_LIMIT_KEPT_NOTICES) {
        forget_first(notices);
        return true;
    }
    uint32_t capacity = notices->capacity == 0 ? 32 : 2 * notices->capacity;
    struct host_notice *items = malloc(capacity * sizeof *items);
    if (!items) {
        return false;
    }
    for (uint32_t i = 0; i < notices->count; i++) {
        items[i] = *at(notices, i);
    }
    free(notices->items);
    notices->items = items;
    notices->first = 0;
    notices->capacity = capacity;
    return true;
}

void host_notices_begin(struct host_notices *notices, size_t *total, uint64_t revision)
{
    notices->total = total;
    notices->latest = revision;
}

bool host_notices_begun(const struct host_notices *notices)
{
    return notices->total != NULL;
}

void host_notices_keep(struct host_notices *notices, uint64_t revision, struct base_buffer *const bytes[3],
                       bool lost)
{
    struct host_notice notice = {.revision = revision, .after = notices->latest};
    size_t *total = notices->total;
    if (revision > notices->latest) {
        notices->latest = revision;
    }
    for (int mode = 0; mode < 3; mode++) {
        notice.size += bytes[mode] ? bytes[mode]->size : 0;
    }
    if (lost || notice.size > PROTOCOL_LIMIT_KEPT_NOTICE_BYTES || !reserve(notices)) {
        forget_all(notices);
        return;
    }
    for (int mode = 0; mode < 3; mode++) {
        notice.bytes[mode] = bytes[mode] ? base_buffer_ref(bytes[mode]) : NULL;
    }
    notices->count++;
    notices->told++;
    *at(notices, notices->count - 1) = notice;
    notices->bytes += notice.size;
    *total += notice.size;
    while (notices->bytes > PROTOCOL_LIMIT_KEPT_NOTICE_BYTES ||
           (*total > PROTOCOL_LIMIT_KEPT_NOTICE_BYTES_TOTAL && notices->count > 0)) {
        forget_first(notices);
    }
}

bool host_notices_since(const struct host_notices *notices, uint64_t revision, uint64_t told,
                        enum protocol_arrays_mode arrays,
                        void (*tell)(void *context, struct base_buffer *bytes), void *context)
{
    if (revision < notices->least) {
        return false;
    }
    uint32_t from = notices->count;
    while (from > 0 && (at(notices, from - 1)->revision == 0 || at(notices, from - 1)->revision > revision)) {
        from--;
    }
    const uint64_t first = notices->told - notices->count; // number of notices before the first that is kept
    if (told > first + from) {
        from = (uint32_t)(told - first);
    }
    for (uint32_t i = from; i < notices->count; i++) {
        const struct host_notice *notice = at(notices, i);
        struct base_buffer *bytes = notice->bytes[arrays];
        for (int mode = 0; mode < 3 && !bytes; mode++) {
            bytes = notice->bytes[mode];
        }
        if (bytes) {
            tell(context, bytes);
        }
    }
    return true;
}

void host_notices_deinit(struct host_notices *notices)
{
    while (notices->count > 0) {
        forget_first(notices);
    }
    free(notices->items);
    notices->items = NULL;
    notices->capacity = 0;
}
