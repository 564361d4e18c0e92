#include "dispatch_methods.h"

#include "document/document.h"
#include "host/registry.h"
#include "protocol/error.h"
#include "protocol/message.h"
#include "world/world.h"

static bool open_prepare(struct dispatch_ready *ready, msgpack_zone *zone, struct protocol_error *error)
{
    const struct protocol_world_open_params *params = ready->params;
    bool given = (params->has & PROTOCOL_HAS_WORLD_OPEN_PARAMS_DOCUMENT) != 0;
    if (given == params->upload)
        protocol_error_set(error, PROTOCOL_CODE_INVALID, "document",
                           given ? "document: must be absent where upload is true"
                                 : "document: missing; must be a map, or upload true");
    else if (given)
        ready->document = document_make(&params->document, "document.", zone, error);
    else
        ready->document = document_from(ready->upload.data, ready->upload.size, error);
    host_upload_bytes_deinit(&ready->upload);
    return ready->document != NULL;
}

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
    [PROTOCOL_METHOD_WORLD_LIST] = {.only_answers = true},
    [PROTOCOL_METHOD_WORLD_OPEN] = {.prepare = open_prepare, .takes_upload = true},
    [PROTOCOL_METHOD_WORLD_GET] = {.published = get_published},
    [PROTOCOL_METHOD_WORLD_DELETE] = {.closes = true},
    // The deletion may wait for a long step of the same session, which nothing else could cut short.
    [PROTOCOL_METHOD_WORLD_PAUSE] = {.finds_closing = true},
};
