// Prepares an edit before it meets its document: plans the bodies that it brings.
#include "document/maker.h"

#include <stdlib.h>
#include <string.h>

static bool refuse_memory(struct protocol_error *error)
{
    protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for the bodies; nothing changed");
    return false;
}

// ---------------------------------------------------------------------------------------------------------
// Bodies that come back

static bool plan_again(const struct document_maker *maker, const struct protocol_document_body *given,
                       uint32_t index, struct document_body_plan *body)
{
    struct document_body_arrays arrays = {0};
    struct sim_image_body image = {0};
    struct sim_image_place place = {0};
    struct fault fault = {0};
    const bool described = document_maker_body(maker, given, index, &arrays, &image);
    if (described) {
        body->plan = sim_body_prepare_again(&image, maker->resolution, &document_limits, &place, &fault);
    }
    if (described && !body->plan) {
        document_maker_refuse(maker, &(struct sim_image_place){"bodies", index, place.part}, &fault);
    }
    document_body_arrays_deinit(&arrays);
    return body->plan != NULL;
}

// A look is of the skin's triangles, or of a cloth's.
static bool dress_again(const struct document_maker *maker, const struct protocol_document_body *given,
                        uint32_t index, struct document_body_plan *body)
{
    if (given->has & PROTOCOL_HAS_DOCUMENT_BODY_SKIN) {
        body->skin = document_skin_create(&given->skin, given->positions.count / 3, NULL, maker->error);
        if (!body->skin) {
            return document_maker_place(maker, "bodies", index);
        }
    }
    if (given->has & PROTOCOL_HAS_DOCUMENT_BODY_LOOK) {
        const bool whole = given->kind == (int)SIM_CLOTH && document_plan_keeps_triangles(body->plan);
        body->look = document_look_create(&given->look,
                                          body->skin ? body->skin->triangle_count
                                          : whole    ? given->triangles.count / 3
                                                     : 0,
                                          maker->error);
        if (!body->look) {
            return document_maker_place(maker, "bodies", index);
        }
    }
    return true;
}

static bool prepare_again(const struct document_maker *maker, const struct protocol_document_body *given,
                          uint32_t index, struct document_body_plan *body)
{
    const struct document_reader place = document_maker_at(maker, "bodies", index);
    if (!(given->has & PROTOCOL_HAS_DOCUMENT_BODY_BODY)) {
        return document_reader_refuse(&place, PROTOCOL_CODE_INVALID, "body",
                                      "missing; what comes back has its id");
    }
    if (given->has & PROTOCOL_HAS_DOCUMENT_BODY_WELD) {
        return document_reader_refuse(&place, PROTOCOL_CODE_INVALID, "weld",
                                      "must be absent; what comes back is welded");
    }
    return plan_again(maker, given, index, body) && dress_again(maker, given, index, body);
}

static bool prepare_all_again(const struct protocol_list *list, const struct document_constants *constants,
                              struct document_plans *plans, struct protocol_error *error)
{
    msgpack_zone zone;
    if (!msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE)) {
        return refuse_memory(error);
    }
    const struct document_maker maker = {
        .prefix = "", .zone = &zone, .error = error, .again = true, .resolution = constants->resolution};
    const struct protocol_document_body *given = list->items;
    bool done = true;
    for (uint32_t i = 0; done && i < list->count; i++) {
        done = prepare_again(&maker, &given[i], i, &plans->items[i]);
        msgpack_zone_clear(&zone);
    }
    msgpack_zone_destroy(&zone);
    return done;
}

// ---------------------------------------------------------------------------------------------------------

bool document_prepares(enum protocol_method method)
{
    return method == PROTOCOL_METHOD_BODY_ADD || method == PROTOCOL_METHOD_EDIT_RESTORE ||
           method == PROTOCOL_METHOD_EDIT_BATCH;
}

static uint32_t count_of(enum protocol_method method, const void *params)
{
    if (method == PROTOCOL_METHOD_EDIT_RESTORE) {
        return ((const struct protocol_edit_restore_params *)params)->bodies.count;
    }
    return method == PROTOCOL_METHOD_EDIT_BATCH ? 0 : 1;
}

static bool prepare_all(const struct protocol_list *list, const struct document_constants *constants,
                        struct document_plans *plans, struct protocol_error *error)
{
    const struct protocol_call *calls = list->items;
    plans->parts = calloc((size_t)list->count + 1, sizeof(struct document_plans *));
    if (!plans->parts) {
        return refuse_memory(error);
    }
    plans->part_count = list->count;
    for (uint32_t i = 0; i < list->count; i++) {
        const enum protocol_method method = (enum protocol_method)calls[i].method;
        if (!document_prepares(method)) {
            continue;
        }
        plans->parts[i] = document_prepare(method, calls[i].value, constants, error);
        if (!plans->parts[i]) {
            return document_batch_place(error, i, calls[i].method);
        }
    }
    return true;
}

static bool prepare(enum protocol_method method, const void *params,
                    const struct document_constants *constants, struct document_plans *plans,
                    struct protocol_error *error)
{
    if (method == PROTOCOL_METHOD_EDIT_BATCH) {
        const struct protocol_edit_batch_params *batch = params;
        return prepare_all(&batch->edits, constants, plans, error);
    }
    if (method == PROTOCOL_METHOD_EDIT_RESTORE) {
        const struct protocol_edit_restore_params *restore = params;
        return prepare_all_again(&restore->bodies, constants, plans, error);
    }
    return document_body_prepare(params, constants, &plans->items[0], error);
}

struct document_plans *document_prepare(enum protocol_method method, const void *params,
                                        const struct document_constants *constants,
                                        struct protocol_error *error)
{
    const uint32_t count = count_of(method, params);
    struct document_plans *plans = calloc(1, sizeof *plans + count * sizeof plans->items[0]);
    if (!plans) {
        refuse_memory(error);
        return NULL;
    }
    plans->count = count;
    if (!prepare(method, params, constants, plans, error)) {
        document_plans_destroy(plans);
        return NULL;
    }
    return plans;
}

void document_plans_destroy(struct document_plans *plans)
{
    for (uint32_t i = 0; plans && i < plans->count; i++) {
        sim_body_plan_destroy(plans->items[i].plan);
        document_skin_destroy(plans->items[i].skin);
        document_look_destroy(plans->items[i].look);
    }
    for (uint32_t i = 0; plans && plans->parts && i < plans->part_count; i++) {
        document_plans_destroy(plans->parts[i]);
    }
    if (plans) {
        free(plans->parts);
    }
    free(plans);
}

size_t document_plans_bytes(const struct document_plans *plans)
{
    size_t bytes = 0;
    for (uint32_t i = 0; plans && i < plans->count; i++) {
        const struct document_body_plan *body = &plans->items[i];
        bytes += (body->plan ? sim_body_plan_bytes(body->plan) : 0) +
                 (body->skin ? document_skin_bytes(body->skin) : 0) +
                 (body->look ? document_look_bytes(body->look) : 0);
    }
    for (uint32_t i = 0; plans && plans->parts && i < plans->part_count; i++) {
        bytes += document_plans_bytes(plans->parts[i]);
    }
    return bytes;
}
