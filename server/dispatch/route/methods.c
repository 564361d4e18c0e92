#include "dispatch/route/methods.h"

#include "dispatch/past/look.h"
#include "host/registry.h"
#include "protocol/message.h"
#include "world/world.h"

static bool get_published(const struct host_world *world, uint32_t msgid, enum protocol_arrays_mode arrays,
                          msgpack_packer *packer)
{
    struct world_published published;
    if (!world_published(world->world, &published) || host_gate_holds(&world->gate, published.position))
        return false;
    protocol_pack_result(packer, msgid);
    protocol_encode(&protocol_world_get_result_type, &published.get, arrays, packer);
    return true;
}

const struct dispatch_method dispatch_methods[PROTOCOL_METHOD_COUNT] = {
    [PROTOCOL_METHOD_SERVER_INFO] = {.only_answers = true},
    [PROTOCOL_METHOD_SERVER_PING] = {.only_answers = true},
    [PROTOCOL_METHOD_SERVER_STATS] = {.only_answers = true},
    [PROTOCOL_METHOD_SERVER_LIST] = {.only_answers = true},
    [PROTOCOL_METHOD_WORLD_HISTORY] = {.only_answers = true},
    [PROTOCOL_METHOD_WORLD_BIN] = {.only_answers = true},
    [PROTOCOL_METHOD_EDIT_LOG] = {.only_answers = true},
    [PROTOCOL_METHOD_WORLD_LIST] = {.only_answers = true},
    [PROTOCOL_METHOD_WORLD_GET] = {.published = get_published},
    [PROTOCOL_METHOD_WORLD_RECORDS] = {.forgotten = dispatch_records_forgotten,
                                       .read = dispatch_records_read},
    [PROTOCOL_METHOD_WORLD_LEAVE] = {.closes_view = true},
    [PROTOCOL_METHOD_WORLD_DELETE] = {.closes = true},
    // The deletion may wait for a long step of the same session, which nothing else could cut short.
    [PROTOCOL_METHOD_WORLD_PAUSE] = {.finds_closing = true},
};
