// world.history: what the store has of a world, read on a worker.
#include "dispatch/call.h"
#include "dispatch/later.h"
#include "dispatch/past/look.h"
#include "host/registry.h"
#include "host/world.h"
#include "protocol/error.h"
#include "sim/sim.h"
#include "world/world.h"

#include <stdlib.h>

struct telling {
    struct dispatch_later *later;
    uint32_t world;
    struct store_list list;
    double *ticks; // of images
    struct protocol_history_span *spans;
    uint32_t tick_count, span_count;
    uint64_t first_sequence;
    struct protocol_error error;
};

// Images say who made them, and a solver begins with one.
static bool spans_of(struct telling *telling, const struct store_image *images, uint32_t count)
{
    telling->spans = calloc((size_t)count + 1, sizeof *telling->spans);
    for (uint32_t i = 0; telling->spans && i < count; i++) {
        struct protocol_history_span *last =
            telling->span_count > 0 ? &telling->spans[telling->span_count - 1] : NULL;
        if (last && last->solver == images[i].maker) {
            continue;
        }
        if (last) {
            last->last_tick = images[i].tick;
        }
        telling->spans[telling->span_count++] = (struct protocol_history_span){
            .has = PROTOCOL_HAS_ALL,
            .first_tick = images[i].tick,
            .last_tick = telling->list.last_tick,
            .solver = images[i].maker,
            .exact = images[i].maker == sim_solver_version(),
        };
    }
    return telling->spans != NULL;
}

static bool ticks_of(struct telling *telling, const struct store_image *images, uint32_t count)
{
    const uint32_t most = PROTOCOL_LIMIT_IMAGE_TICKS, told = count < most ? count : most;
    telling->ticks = calloc((size_t)told + 1, sizeof *telling->ticks);
    for (uint32_t i = 0; telling->ticks && i < told; i++) {
        // The first and the last are among them.
        const uint64_t at = told < 2 ? i : (uint64_t)i * (count - 1) / (told - 1);
        telling->ticks[i] = (double)images[at].tick;
    }
    telling->tick_count = told;
    return telling->ticks != NULL;
}

static void work(void *context)
{
    struct telling *telling = context;
    struct store_reader *reader = NULL;
    struct store_image *images = NULL;
    struct store_error told = {0};
    uint32_t count = 0;
    if (!dispatch_past_reader(telling->later->server, &reader, &telling->error)) {
        return;
    }
    if (dispatch_past_check(store_list_find(reader, telling->world, &telling->list, &told), &told,
                            &telling->error) &&
        dispatch_past_walk_first(reader, &telling->list, telling->later, &telling->first_sequence,
                                 &telling->error) &&
        dispatch_past_check(store_images(reader, telling->world, &images, &count, &told), &told,
                            &telling->error) &&
        (!ticks_of(telling, images, count) || !spans_of(telling, images, count))) {
        protocol_error_set(&telling->error, PROTOCOL_CODE_MEMORY, NULL, "no memory for world.history");
    }
    free(images);
    store_reader_close(reader);
}

static void done(void *context, bool worked)
{
    struct telling *telling = context;
    struct protocol_error *error = &telling->error;
    struct host_world *world = NULL;
    if (worked && error->code == PROTOCOL_CODE_OK) {
        world = dispatch_past_still(telling->later->server, telling->world, error);
    }
    if (world) {
        struct world_durable durable;
        host_world_durable(world, &durable);
        dispatch_later_answer(telling->later,
                              &(struct protocol_world_history_result){
                                  .has = PROTOCOL_HAS_ALL,
                                  .world = host_world_id(world),
                                  .first_tick = telling->list.first_tick,
                                  .tick = telling->list.last_tick,
                                  .revision = durable.revision,
                                  .records = durable.records,
                                  .first_sequence = telling->first_sequence,
                                  .images = telling->list.images,
                                  .bytes = telling->list.bytes,
                                  .spans = {.items = telling->spans, .count = telling->span_count},
                                  .image_ticks = {PROTOCOL_ARRAY_F64, telling->tick_count, telling->ticks},
                                  .began_at = (double)telling->list.created_at,
                              });
    } else {
        if (error->code == PROTOCOL_CODE_OK) {
            protocol_error_set(error, PROTOCOL_CODE_SHUTDOWN, NULL, "the server goes down");
        }
        dispatch_later_refuse(telling->later, error);
    }
    free(telling->ticks);
    free(telling->spans);
    free(telling);
}

bool dispatch_world_history(struct dispatch_call *call)
{
    const struct protocol_world_history_params *params = call->params;
    const struct host_world *world = dispatch_past_of(call, &params->world);
    struct telling *telling = world ? calloc(1, sizeof *telling) : NULL;
    if (!telling) {
        if (world) {
            protocol_error_set(call->error, PROTOCOL_CODE_MEMORY, NULL, "no memory for world.history");
        }
        return false;
    }
    telling->world = host_world_id(world);
    telling->later = dispatch_later_begin(call, false);
    if (!telling->later) {
        free(telling);
        return false;
    }
    dispatch_later_work(telling->later, HOST_LIGHT, work, done, telling);
    return true;
}
