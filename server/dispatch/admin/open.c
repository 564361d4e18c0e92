// world.create, world.upload, world.open: worlds that are made. A document becomes one on a worker, and has its name and id on the loop.
#include "base/buffer.h"
#include "base/log.h"
#include "dispatch/call.h"
#include "dispatch/later.h"
#include "dispatch/permit/permit.h"
#include "dispatch/route/route.h"
#include "document/document.h"
#include "host/registry.h"
#include "host/session.h"
#include "host/upload.h"
#include "host/world.h"
#include "protocol/error.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { HEAVY_BYTES = 1 << 20 };

// ---------------------------------------------------------------------------------------------------------
// world.create

static void on_created(void *context, const struct host_world *world, bool taken)
{
    struct dispatch_later *later = context;
    if (!world) {
        struct protocol_error error = {0};
        dispatch_permit_not_kept(later->server, taken, &error);
        dispatch_later_refuse(later, &error);
    } else {
        dispatch_later_answer(
            later, &(struct protocol_world_create_result){.has = PROTOCOL_HAS_ALL,
                                                          .world = host_world_id(world),
                                                          .name = protocol_text(host_world_name(world))});
    }
}

bool dispatch_world_create(struct dispatch_call *call)
{
    struct dispatch_server *server = call->server;
    if (!dispatch_route_is_here(call)) {
        return false;
    }
    if (server->stopping) {
        protocol_error_set(call->error, PROTOCOL_CODE_SHUTDOWN, NULL, "the server goes down");
        return false;
    }
    struct host_session *session = call->session;
    struct host_world *world = host_registry_add(server->registry, call->params, call->error);
    struct dispatch_later *later = world ? dispatch_later_begin(call, true) : NULL;
    if (world && !later) {
        host_registry_remove(world);
    }
    if (!later) {
        return false;
    }
    base_log(BASE_LOG_INFO, "world %" PRIu32 " \"%s\" is made by %s", host_world_id(world),
             host_world_name(world), host_session_asker(session).user);
    dispatch_permit_made(later, world);
    host_registry_when_kept(world, on_created, later);
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// world.upload

// The bytes of a packed bin, or of a typed array of u8.
static bool bytes_of(const struct protocol_raw *raw, const uint8_t **data, size_t *size)
{
    const uint8_t *bytes = raw->data;
    uint8_t tag = raw->size > 1 ? bytes[0] : 0;
    size_t head = 0;
    if (tag >= 0xc4 && tag <= 0xc6) {
        head = 1 + ((size_t)1 << (tag - 0xc4));
    } else if (tag >= 0xc7 && tag <= 0xc9) {
        head = 2 + ((size_t)1 << (tag - 0xc7));
    } else if (tag >= 0xd4 && tag <= 0xd8) {
        head = 2;
    }
    *data = bytes + head;
    *size = raw->size - head;
    return head > 0 && (tag <= 0xc6 || bytes[head - 1] == PROTOCOL_ARRAY_U8);
}

bool dispatch_world_upload(struct dispatch_call *call)
{
    const struct protocol_world_upload_params *params = call->params;
    struct host_upload *upload = host_session_upload(call->session);
    const uint8_t *data;
    size_t size;
    if (params->offset == 0 && !dispatch_route_is_here(call)) { // it is opened where it is brought to
        return false;
    }
    if (!upload) {
        protocol_error_set(call->error, PROTOCOL_CODE_MEMORY, NULL, "no memory for the upload");
        return false;
    }
    if (!bytes_of(&params->data, &data, &size)) {
        protocol_error_set(call->error, PROTOCOL_CODE_INVALID, "data",
                           "data: must be bin, the bytes of a document");
        return false;
    }
    const struct host_upload_place place = {
        .loop = call->server->loop,
        .budget = call->server->budget,
        .idle_ms = 1000 * (uint64_t)PROTOCOL_LIMIT_UPLOAD_SECONDS,
    };
    if (!host_upload_add(upload, &place, params->offset, data, size, call->error)) {
        return false;
    }
    protocol_encode(
        &protocol_world_upload_result_type,
        &(struct protocol_world_upload_result){.has = PROTOCOL_HAS_ALL, .bytes = host_upload_size(upload)},
        host_session_asker(call->session).arrays, call->packer);
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// world.open

struct opening {
    struct dispatch_later *later;
    const struct protocol_world_open_params *params;
    struct host_upload_bytes upload; // empty: the document is among the parameters
    struct document *document;
    struct host_image image;
    struct protocol_error error;
    uint64_t tick;
};

static bool is_given(const struct protocol_world_open_params *params)
{
    return (params->has & PROTOCOL_HAS_WORLD_OPEN_PARAMS_DOCUMENT) != 0;
}

static void work(void *context)
{
    struct opening *opening = context;
    if (is_given(opening->params)) {
        opening->document = document_make(&opening->params->document, "document.",
                                          &opening->later->packet->zone, &opening->error);
    } else {
        opening->document = document_from(opening->upload.data, opening->upload.size, &opening->error);
    }
    host_upload_bytes_deinit(&opening->upload);
    if (opening->document) {
        opening->image = host_image_of(opening->document);
    }
}

static void opening_destroy(struct opening *opening)
{
    host_upload_bytes_deinit(&opening->upload);
    document_destroy(opening->document);
    base_buffer_unref(opening->image.bytes);
    free(opening);
}

static void on_kept(void *context, const struct host_world *world, bool taken)
{
    struct opening *opening = context;
    if (!world) {
        dispatch_permit_not_kept(opening->later->server, taken, &opening->error);
        dispatch_later_refuse(opening->later, &opening->error);
    } else {
        dispatch_later_answer(opening->later, &(struct protocol_world_open_result){
                                                  .has = UINT64_MAX,
                                                  .world = host_world_id(world),
                                                  .name = protocol_text(host_world_name(world)),
                                                  .tick = opening->tick,
                                                  .warnings = document_warnings(opening->document),
                                              });
    }
    opening_destroy(opening);
}

static void done(void *context, bool worked)
{
    struct opening *opening = context;
    struct dispatch_later *later = opening->later;
    const bool named = (opening->params->has & PROTOCOL_HAS_WORLD_OPEN_PARAMS_NAME) != 0;
    struct host_world *world = NULL;
    if (later->server->stopping) {
        protocol_error_set(&opening->error, PROTOCOL_CODE_SHUTDOWN, NULL, "the server goes down");
    } else if (worked && opening->document && dispatch_later_session(later) &&
               dispatch_permit_room_whole(later, later->asker.user, opening->document, &opening->error)) {
        opening->tick = opening->document->tick;
        world = host_registry_open(later->server->registry, opening->document, &opening->image,
                                   named ? &opening->params->name : NULL, &opening->error);
    }
    if (!world) {
        dispatch_later_refuse(later, &opening->error);
        opening_destroy(opening);
        return;
    }
    base_log(BASE_LOG_INFO, "world %" PRIu32 " \"%s\" is opened by %s", host_world_id(world),
             host_world_name(world), later->asker.user);
    dispatch_permit_made(later, world);
    host_registry_when_kept(world, on_kept, opening);
}

// Also where it is refused the upload is gone.
static bool take_document(struct dispatch_call *call, struct opening *opening)
{
    const bool given = is_given(opening->params), wants_upload = opening->params->upload;
    struct host_upload *upload = wants_upload ? host_session_upload(call->session) : NULL;
    if (wants_upload && (!upload || !host_upload_take(upload, &opening->upload))) {
        protocol_error_set(
            call->error, PROTOCOL_CODE_NOT_FOUND, "upload",
            "upload: this session has none; world.upload brings it, and %d s after its last piece it is "
            "forgotten",
            (int)PROTOCOL_LIMIT_UPLOAD_SECONDS);
        return false;
    }
    if (given == wants_upload) {
        protocol_error_set(call->error, PROTOCOL_CODE_INVALID, "document",
                           given ? "document: must be absent where upload is true"
                                 : "document: missing; must be a map, or upload true");
    }
    return given != wants_upload;
}

bool dispatch_world_open(struct dispatch_call *call)
{
    const struct protocol_world_open_params *params = call->params;
    if (!params->upload && !dispatch_route_is_here(call)) {
        return false;
    }
    struct opening *opening = calloc(1, sizeof *opening);
    if (!opening) {
        protocol_error_set(call->error, PROTOCOL_CODE_MEMORY, NULL, "no memory for another world");
        return false;
    }
    opening->params = params;
    if (take_document(call, opening)) {
        const bool heavy = (*call->packet)->size + opening->upload.size > HEAVY_BYTES;
        opening->later = dispatch_later_begin(call, true);
        if (opening->later) {
            dispatch_later_work(opening->later, heavy ? HOST_HEAVY : HOST_LIGHT, work, done, opening);
            return true;
        }
    }
    opening_destroy(opening);
    return false;
}
