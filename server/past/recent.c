// Reads the last records of a world, from the newest on, for a server that goes on with the world.
#include "past/internal.h"

enum { PAGE = 256, PAGE_BYTES = 4 << 20 };

struct recent {
    struct past *past;
    bool (*take)(void *context, const struct document_record *record, size_t size);
    void *context;
    msgpack_zone zone;
    bool ended;
};

// Passes an entry on if it is a record. One that cannot be read ends the search: later records have been
// passed.
static void tell(struct recent *recent, const struct store_entry *entry)
{
    struct document_record record;
    struct protocol_error error;
    if (entry->kind != PAST_RECORD) {
        return;
    }
    msgpack_zone_clear(&recent->zone);
    recent->ended = !document_record_read(entry->bytes, entry->size, &recent->zone, &record, &error) ||
                    !recent->take(recent->context, &record, entry->size);
}

// Reads entries after `after` up to a position, the last first. A page may end earlier because of its bytes:
// then the rest is read by another.
static bool page(struct recent *recent, uint64_t after, uint64_t position, struct protocol_error *error)
{
    while (position > after && !recent->ended) {
        struct store_error store = {0};
        const struct store_entry *entries;
        uint32_t count = 0;
        uint64_t from = after;
        enum fault_code status;
        do { // finds the page that has the position
            status = store_read(recent->past->reader, recent->past->list, from, (uint32_t)(position - from),
                                PAGE_BYTES, &entries, &count, &store);
            if (status != FAULT_NONE || count == 0 || entries[count - 1].position >= position) {
                break;
            }
            from = entries[count - 1].position;
        } while (from < position);
        if (status == FAULT_MEMORY || status == FAULT_IO) {
            return past_refuse_store(recent->past, &store, error);
        }
        if (status != FAULT_NONE || count == 0) {
            recent->ended = true;
            return true;
        }
        for (uint32_t e = count; e > 0 && !recent->ended; e--) {
            tell(recent, &entries[e - 1]);
        }
        position = from;
    }
    return true;
}

bool past_recent(struct past *past, bool (*take)(void *, const struct document_record *, size_t),
                 void *context, struct protocol_error *error)
{
    struct recent recent = {.past = past, .take = take, .context = context};
    struct store_error store = {0};
    struct store_list list;
    if (store_list_find(past->reader, past->list, &list, &store) != FAULT_NONE) {
        return past_refuse_store(past, &store, error);
    }
    if (!msgpack_zone_init(&recent.zone, MSGPACK_ZONE_CHUNK_SIZE)) {
        return past_refuse_memory(error);
    }
    bool done = true;
    for (uint64_t position = list.last; done && position > list.first && !recent.ended;) {
        const uint64_t after = position - list.first > PAGE ? position - PAGE : list.first;
        done = page(&recent, after, position, error);
        position = after;
    }
    msgpack_zone_destroy(&recent.zone);
    return done;
}
