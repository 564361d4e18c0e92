#include "helper_edit.h"

#include "protocol/params.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct protocol_bytes helper_edit_packed(const struct protocol_struct *type, const void *params)
{
    struct protocol_bytes bytes = {0};
    msgpack_packer packer;
    msgpack_packer_init(&packer, &bytes, protocol_bytes_write);
    protocol_encode_without(type, "world", params, PROTOCOL_ARRAYS_EXT, &packer);
    assert_false(bytes.failed);
    return bytes;
}

// One input; what comes out lives in the zone.
bool helper_edit_apply(struct document *document, enum protocol_method method, const void *params,
                       msgpack_zone *zone, struct document_edit *edit)
{
    const struct document_constants constants = {.resolution = sim_settings_of(document->sim)->resolution,
                                                 .extent_at_start = 1e9};
    const bool prepared = method == PROTOCOL_METHOD_BODY_ADD || method == PROTOCOL_METHOD_EDIT_RESTORE;
    *edit = (struct document_edit){.method = method,
                                   .params = params,
                                   .session = 7,
                                   .person = "ann",
                                   .zone = zone,
                                   .wants_inverse = true};
    edit->plans = prepared ? document_prepare(method, params, &constants, &edit->error) : NULL;
    const uint64_t hash = document_hash(document);
    const bool done = (!prepared || edit->plans) && document_apply(document, edit);
    document_plans_destroy(edit->plans);
    edit->plans = NULL;
    if (!done && document_hash(document) != hash) {
        fail_msg("%s was refused (%s) and left something%s%s", protocol_methods[method].name,
                 edit->error.text, document->failed ? ": " : "", document->reason);
    }
    return done;
}

bool helper_edit_input(struct document *document, const struct program_input *given, msgpack_zone *zone,
                       struct document_edit *edit)
{
    enum protocol_method method;
    struct protocol_error error = {0};
    const struct protocol_string name = protocol_text(given->method);
    assert_true(protocol_method_find(name, &method));
    msgpack_sbuffer buffer;
    msgpack_sbuffer_init(&buffer);
    helper_pack(&buffer, given->notation);
    char *bytes = msgpack_zone_malloc(zone, buffer.size);
    memcpy(bytes, buffer.data, buffer.size);
    msgpack_object map;
    size_t offset = 0;
    assert_true(msgpack_unpack(bytes, buffer.size, &offset, zone, &map) >= 0);
    msgpack_sbuffer_destroy(&buffer);
    void *params = msgpack_zone_malloc(zone, protocol_methods[method].params->size);
    if (!protocol_decode(protocol_methods[method].params, &map, zone, params, &error)) {
        return false;
    }
    return helper_edit_apply(document, method, params, zone, edit);
}

// The record of an inverse: its bytes are read again and applied, to the result that they name. Gives the inverse's own.
bool helper_edit_take_back(struct document *document, const struct protocol_edit_restore_params *inverse,
                           msgpack_zone *zone, struct document_edit *edit)
{
    const struct protocol_edit_restore_result result = {
        .has = PROTOCOL_HAS_ALL, .revision = document->revision + 1, .tick = document->tick};
    const struct document_record record = {.sequence = 1,
                                           .tick = document->tick,
                                           .revision = document->revision + 1,
                                           .person = protocol_text("ann"),
                                           .session = 7,
                                           .method = PROTOCOL_METHOD_EDIT_RESTORE,
                                           .params = inverse,
                                           .result = &result};
    struct protocol_bytes bytes = {0}, again = {0};
    struct protocol_error error = {0};
    struct document_record read;
    msgpack_packer packer;
    msgpack_packer_init(&packer, &bytes, protocol_bytes_write);
    document_record_pack(&record, &packer);
    char *copy = msgpack_zone_malloc(zone, bytes.size);
    memcpy(copy, bytes.data, bytes.size);
    if (!document_record_read(copy, bytes.size, zone, &read, &error)) {
        fail_msg("an inverse is no record: %s", error.text);
    }
    msgpack_packer_init(&packer, &again, protocol_bytes_write);
    document_record_pack(&read, &packer);
    assert_int_equal(again.size, bytes.size);
    assert_memory_equal(again.data, bytes.data, bytes.size);
    protocol_bytes_deinit(&again);
    protocol_bytes_deinit(&bytes);
    return helper_edit_apply(document, PROTOCOL_METHOD_EDIT_RESTORE, read.params, zone, edit);
}

struct document *helper_edit_copy(const struct document *document)
{
    struct protocol_bytes bytes = {0};
    struct protocol_error error = {0};
    assert_true(document_pack(document, &bytes));
    struct document *copy = document_from(bytes.data, bytes.size, &error);
    protocol_bytes_deinit(&bytes);
    if (!copy) {
        fail_msg("%s", error.text);
    }
    memcpy(copy->name, document->name, sizeof copy->name);
    copy->revision = document->revision;
    return copy;
}

// Names, skins and looks are no part of the hash: all that a document says.
struct protocol_bytes helper_edit_told(const struct document *document)
{
    struct protocol_bytes bytes = {0};
    assert_true(document_pack(document, &bytes));
    return bytes;
}

void helper_edit_assert_told(const struct document *document, struct protocol_bytes *before, const char *what)
{
    struct protocol_bytes now = helper_edit_told(document);
    if (now.size != before->size || memcmp(now.data, before->data, now.size) != 0) {
        fail_msg("%s: the document says something else (%zu bytes, %zu before)", what, now.size,
                 before->size);
    }
    protocol_bytes_deinit(&now);
    protocol_bytes_deinit(before);
}
