// Errors on the way out. Whatever bytes a peer put into a name, what leaves is UTF-8 without control
// characters: clients print it.
#include "protocol/error.h"

#include "protocol/params.h"

#include "protocol/assert.h"
#include "protocol/utf8/utf8.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void protocol_error_set(struct protocol_error *error, enum protocol_code code, const char *field,
                        const char *format, ...)
{
    *error = (struct protocol_error){.code = code, .limit = NAN};
    if (field) {
        int field_size = snprintf(error->field, sizeof error->field, "%s", field);
        protocol_utf8_finish(error->field, sizeof error->field, field_size < (int)sizeof error->field);
    }
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    PROTOCOL_ASSERT(size >= 0);
    protocol_utf8_finish(error->text, sizeof error->text, size < (int)sizeof error->text);
}

enum protocol_code protocol_code_of(enum fault_code code)
{
    switch (code) {
    case FAULT_INVALID:
        return PROTOCOL_CODE_INVALID;
    case FAULT_NOT_FOUND:
        return PROTOCOL_CODE_NOT_FOUND;
    case FAULT_CONFLICT:
        return PROTOCOL_CODE_CONFLICT;
    case FAULT_LIMIT:
        return PROTOCOL_CODE_LIMIT;
    case FAULT_MEMORY:
        return PROTOCOL_CODE_MEMORY;
    default:
        return PROTOCOL_CODE_INTERNAL;
    }
}

void protocol_error_fault(struct protocol_error *error, const struct fault *fault)
{
    const bool named = !fault->field || strstr(fault->text, fault->field);
    protocol_error_set(error, protocol_code_of(fault->code), fault->field, "%s%s%s",
                       named ? "" : fault->field, named ? "" : ": ", fault->text);
}

void protocol_error_moved(struct protocol_error *error, const char *what, const struct protocol_home *home)
{
    protocol_error_set(error, PROTOCOL_CODE_MOVED, "world",
                       "world %.80s runs on server \"%s\" now; ask at %.120s", what, home->server,
                       home->address);
    snprintf(error->value, sizeof error->value, "%.80s", what);
    protocol_utf8_clean(error->value, strlen(error->value));
    error->home = *home;
}

static void pack_text(msgpack_packer *packer, const char *text)
{
    msgpack_pack_str_with_body(packer, text, strlen(text));
}

static void pack_text_or_nil(msgpack_packer *packer, const char *name, const char *text)
{
    pack_text(packer, name);
    if (!text || text[0] == 0) {
        msgpack_pack_nil(packer);
    } else {
        pack_text(packer, text);
    }
}

void protocol_error_pack(const struct protocol_error *error, enum protocol_errors_mode mode, const char *user,
                         msgpack_packer *packer)
{
    PROTOCOL_ASSERT(error->code > PROTOCOL_CODE_OK && error->code < PROTOCOL_CODE_COUNT);
    const struct protocol_code_info *info = &protocol_codes[error->code];
    if (mode == PROTOCOL_ERRORS_ARRAY) {
        char text[64 + PROTOCOL_TEXT_MAX];
        snprintf(text, sizeof text, "%s: %s", info->name, error->text);
        msgpack_pack_array(packer, 2);
        msgpack_pack_int(packer, info->kind);
        pack_text(packer, text);
        return;
    }
    const bool moved = error->code == PROTOCOL_CODE_MOVED;
    msgpack_pack_map(packer, moved ? 11 : error->changes.count > 0 ? 9 : 8);
    pack_text(packer, "kind");
    msgpack_pack_int(packer, info->kind);
    pack_text(packer, "code");
    pack_text(packer, info->name);
    pack_text(packer, "text");
    pack_text(packer, error->text);
    pack_text_or_nil(packer, "field", error->field);
    pack_text_or_nil(packer, "value", error->value);
    pack_text(packer, "revision");
    if (error->revision == 0) {
        msgpack_pack_nil(packer);
    } else {
        msgpack_pack_uint64(packer, error->revision);
    }
    pack_text_or_nil(packer, "user", error->names_user ? error->user : user);
    pack_text(packer, "limit");
    if (isnan(error->limit)) {
        msgpack_pack_nil(packer);
    } else if (error->limit >= 0 && error->limit <= 0x1p53 &&
               (double)(uint64_t)error->limit == error->limit) {
        msgpack_pack_uint64(packer, (uint64_t)error->limit);
    } else {
        msgpack_pack_double(packer, error->limit);
    }
    if (!moved && error->changes.count > 0) {
        pack_text(packer, "changes");
        msgpack_pack_array(packer, error->changes.count);
        for (uint32_t i = 0; i < error->changes.count; i++) {
            protocol_encode(&protocol_undo_overwritten_type,
                            (const struct protocol_undo_overwritten *)error->changes.items + i,
                            PROTOCOL_ARRAYS_PLAIN, packer);
        }
    }
    if (moved) {
        pack_text(packer, "server");
        pack_text(packer, error->home.server);
        pack_text(packer, "address");
        pack_text(packer, error->home.address);
        pack_text(packer, "web");
        pack_text(packer, error->home.web);
    }
}
