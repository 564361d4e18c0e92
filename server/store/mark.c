// Reads and writes the mark. It has two slots that are written in turns, so that one is always whole.
// docs/reference/store.md has the layout.
#include "store/mark.h"

#include "base/hash.h"

#include <string.h>

enum {
    HEAD_SIZE = 64,
    TABLE_AT = HEAD_SIZE, // after serial, frames, count
    LISTS_AT = TABLE_AT + 24,
    LIST_SIZE = 16,
    SLOT_SIZE = 16384,
    SLOTS = 2,
};
_Static_assert(LISTS_AT + LIST_SIZE * STORE_MARK_LISTS + 8 <= SLOT_SIZE, "a slot has room for all lists");

static const char magic[8] = "weftmark";
static const uint64_t too_many = UINT64_MAX; // stands for the count

static void put(uint8_t *to, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++) {
        to[i] = (uint8_t)(value >> (8 * i));
    }
}

static uint64_t get(const uint8_t *from)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < 8; i++) {
        value |= (uint64_t)from[i] << (8 * i);
    }
    return value;
}

static bool sum(const uint8_t *bytes, size_t size, uint64_t *out)
{
    struct base_hash *hash = base_hash_create();
    if (!hash) {
        return false;
    }
    base_hash_bytes(hash, bytes, size);
    *out = base_hash_digest(hash);
    base_hash_destroy(hash);
    return true;
}

// ---------------------------------------------------------------------------------------------------------

static void read_lists(const uint8_t *bytes, struct store_mark *mark)
{
    const uint64_t count = get(bytes + TABLE_AT + 16);
    uint64_t expected;
    mark->all = false;
    mark->count = 0;
    mark->frames = 0;
    if (get(bytes + TABLE_AT) != mark->serial || count > STORE_MARK_LISTS) {
        return;
    }
    const size_t end = LISTS_AT + LIST_SIZE * (size_t)count;
    if (!sum(bytes + TABLE_AT, end - TABLE_AT, &expected) || get(bytes + end) != expected) {
        return;
    }
    mark->frames = get(bytes + TABLE_AT + 8);
    mark->all = true;
    for (uint64_t i = 0; i < count; i++) {
        const uint8_t *from = bytes + LISTS_AT + LIST_SIZE * i;
        const uint64_t ids = get(from);
        store_mark_set(mark, (uint32_t)ids, (uint32_t)(ids >> 32), get(from + 8));
    }
}

void store_mark_read(struct store_file *file, struct store_mark *mark)
{
    *mark = (struct store_mark){0};
    for (int slot = 0; slot < SLOTS && file->file; slot++) {
        uint8_t bytes[SLOT_SIZE];
        uint64_t expected;
        if (store_file_read(file, (int64_t)slot * SLOT_SIZE, bytes, sizeof bytes) != SQLITE_OK ||
            memcmp(bytes, magic, sizeof magic) != 0 || !sum(bytes, HEAD_SIZE - 8, &expected) ||
            get(bytes + 56) != expected || get(bytes + 24) <= mark->serial) {
            continue;
        }
        memcpy(mark->id, bytes + 8, STORE_ID_SIZE);
        mark->serial = get(bytes + 24);
        mark->commits = get(bytes + 32);
        mark->list = (uint32_t)get(bytes + 40);
        mark->position = get(bytes + 48);
        read_lists(bytes, mark);
    }
}

int store_mark_write(struct store_file *file, struct store_mark *mark, bool whole)
{
    uint8_t bytes[SLOT_SIZE] = {0};
    uint64_t head, table;
    mark->serial++;
    memcpy(bytes, magic, sizeof magic);
    memcpy(bytes + 8, mark->id, STORE_ID_SIZE);
    put(bytes + 24, mark->serial);
    put(bytes + 32, mark->commits);
    put(bytes + 40, mark->list);
    put(bytes + 48, mark->position);
    put(bytes + TABLE_AT, mark->serial);
    put(bytes + TABLE_AT + 8, mark->frames);
    put(bytes + TABLE_AT + 16, mark->all ? mark->count : too_many);
    const uint32_t count = mark->all ? mark->count : 0;
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *to = bytes + LISTS_AT + LIST_SIZE * (size_t)i;
        put(to, (uint64_t)mark->lists[i].row << 32 | mark->lists[i].list);
        put(to + 8, mark->lists[i].position);
    }
    const size_t end = LISTS_AT + LIST_SIZE * (size_t)count;
    if (!sum(bytes, HEAD_SIZE - 8, &head) || !sum(bytes + TABLE_AT, end - TABLE_AT, &table)) {
        return SQLITE_NOMEM;
    }
    put(bytes + 56, head);
    put(bytes + end, table);
    return store_file_write(file, (int64_t)(mark->serial % SLOTS) * SLOT_SIZE, bytes,
                            whole ? sizeof bytes : end + 8);
}

// ---------------------------------------------------------------------------------------------------------

// Returns the index of the list, or the index that it would have.
static uint32_t place_of(const struct store_mark *mark, uint32_t list)
{
    uint32_t low = 0, high = mark->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (mark->lists[middle].list < list) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

const struct store_mark_list *store_mark_find(const struct store_mark *mark, uint32_t list)
{
    const uint32_t at = place_of(mark, list);
    return at < mark->count && mark->lists[at].list == list ? &mark->lists[at] : NULL;
}

void store_mark_set(struct store_mark *mark, uint32_t list, uint32_t row, uint64_t position)
{
    const uint32_t at = place_of(mark, list);
    const bool there = at < mark->count && mark->lists[at].list == list;
    if (!there && mark->count == STORE_MARK_LISTS) {
        mark->all = false; // as long as the process runs, because it is unknown which one is missing
        return;
    }
    if (!there) {
        memmove(&mark->lists[at + 1], &mark->lists[at], (mark->count++ - at) * sizeof *mark->lists);
    }
    mark->lists[at] = (struct store_mark_list){.list = list, .row = row, .position = position};
}

bool store_mark_drop(struct store_mark *mark, uint32_t list)
{
    bool named = mark->list == list;
    if (named) {
        mark->list = 0;
        mark->position = 0;
    }
    const uint32_t at = place_of(mark, list);
    if (at < mark->count && mark->lists[at].list == list) {
        memmove(&mark->lists[at], &mark->lists[at + 1], (--mark->count - at) * sizeof *mark->lists);
        named = true;
    }
    return named;
}

uint32_t store_mark_row(const char *label, bool binned, uint64_t epoch)
{
    // FNV-1a: the sum only has to differ, and cannot fail.
    uint32_t row = 2166136261U;
    for (const char *c = label; *c; c++) {
        row = (row ^ (uint8_t)*c) * 16777619U;
    }
    row = (row ^ (uint8_t)(binned ? 0xfe : 0xff)) * 16777619U;
    for (unsigned i = 0; i < 8; i++) {
        row = (row ^ (uint8_t)(epoch >> (8 * i))) * 16777619U;
    }
    return row;
}
