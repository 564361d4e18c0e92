// world.bin and world.restore: worlds that were deleted, until they are gone for good.
#include "dispatch_later.h"
#include "dispatch_past.h"
#include "dispatch_server.h"
#include "host/registry.h"
#include "protocol/error.h"

#include <stdlib.h>

// ---------------------------------------------------------------------------------------------------------
// world.bin

struct listing {
    struct dispatch_later *later;
    struct store_list *lists;
    uint32_t count;
    struct protocol_error error;
};

static void list_work(void *context)
{
    struct listing *listing = context;
    struct store_reader *reader = NULL;
    struct store_error told = {0};
    if (!dispatch_past_reader(listing->later->server, &reader, &listing->error))
        return;
    (void)dispatch_past_check(store_lists(reader, &listing->lists, &listing->count, &told), &told, &listing->error);
    store_reader_close(reader);
}

static void list_answer(struct listing *listing)
{
    struct dispatch_later *later = listing->later;
    const uint64_t bin_seconds = host_registry_bin_seconds(later->server->registry);
    struct protocol_bin_world *worlds =
        msgpack_zone_malloc(&later->packet->zone, ((size_t)listing->count + 1) * sizeof *worlds);
    uint32_t count = 0;
    for (uint32_t i = 0; worlds != NULL && i < listing->count; i++) {
        const struct store_list *list = &listing->lists[i];
        if (!list->binned)
            continue;
        worlds[count++] = (struct protocol_bin_world){
            .has = PROTOCOL_HAS_ALL,
            .world = list->list,
            .name = protocol_text(list->label),
            .tick = list->last_tick,
            .deleted_at = (double)list->binned_at,
            .gone_at = (double)(list->binned_at + bin_seconds),
        };
    }
    if (worlds == NULL) {
        protocol_error_set(&listing->error, PROTOCOL_CODE_MEMORY, NULL, "no memory for world.bin");
        dispatch_later_refuse(later, &listing->error);
        return;
    }
    dispatch_later_answer(later, &(struct protocol_world_bin_result){
                                     .has = PROTOCOL_HAS_ALL, .worlds = {.items = worlds, .count = count}});
}

static void list_done(void *context, bool worked)
{
    struct listing *listing = context;
    if (!worked)
        protocol_error_set(&listing->error, PROTOCOL_CODE_SHUTDOWN, NULL, "the server goes down");
    if (listing->error.code != PROTOCOL_CODE_OK)
        dispatch_later_refuse(listing->later, &listing->error);
    else
        list_answer(listing);
    free(listing->lists);
    free(listing);
}

bool dispatch_world_bin(struct dispatch_call *call)
{
    struct listing *listing = calloc(1, sizeof *listing);
    if (listing == NULL) {
        protocol_error_set(call->error, PROTOCOL_CODE_MEMORY, NULL, "no memory for world.bin");
        return false;
    }
    listing->later = dispatch_later_begin(call, false);
    if (listing->later == NULL) {
        free(listing);
        return false;
    }
    dispatch_later_work(listing->later, HOST_LIGHT, list_work, list_done, listing);
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// world.restore

bool dispatch_world_restore(struct dispatch_call *call)
{
    protocol_error_set(call->error, PROTOCOL_CODE_NOT_FOUND, "world", "world.restore: nothing keeps deleted worlds");
    return false;
}
