// session.leave, presence.set, presence.say: what people do beside worlds.
#include "access/access.h"
#include "dispatch/call.h"
#include "dispatch/permit/permit.h"
#include "host/badge.h"
#include "host/registry.h"
#include "host/session.h"
#include "host/world.h"
#include "protocol/error.h"
#include "protocol/utf8/utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void leave(struct dispatch_call *call)
{
    host_session_leave(call->session);
}

bool dispatch_session_leave(struct dispatch_call *call)
{
    call->after = leave;
    protocol_encode(&protocol_session_leave_result_type,
                    &(struct protocol_session_leave_result){.has = PROTOCOL_HAS_ALL},
                    host_session_asker(call->session).arrays, call->packer);
    return true;
}

// Whether the person may show this name. If tokens are asked for, nobody shows another person's name, or one like it.
static bool may_show(struct dispatch_call *call, const struct protocol_string *name)
{
    const struct access *book = call->server->book;
    const char *own = host_person_key(call->session), *like = NULL;
    char text[ACCESS_NAME_SIZE];
    if (!book || name->size == 0 || name->size >= sizeof text) {
        return true;
    }
    snprintf(text, sizeof text, "%.*s", (int)name->size, name->data);
    const enum access_outcome outcome =
        strcmp(text, own) == 0 ? ACCESS_NONE : access_name_check(book, text, &like);
    if (outcome == ACCESS_NONE || (outcome == ACCESS_ALIKE && strcmp(like, own) == 0)) {
        return true;
    }
    if (outcome == ACCESS_MEMORY) {
        protocol_error_set(call->error, PROTOCOL_CODE_MEMORY, NULL, "no memory for presence.set");
    } else {
        protocol_error_set(call->error, PROTOCOL_CODE_CONFLICT, "name",
                           "name: \"%s\" is, or looks like, the name of somebody else", text);
    }
    return false;
}

bool dispatch_presence_set(struct dispatch_call *call)
{
    const struct protocol_presence_set_params *params = call->params;
    const struct host_world *world =
        dispatch_permit_find(call->server, call->session, call->method, &params->world, call->error);
    struct host_present *present = !world ? NULL : host_session_present(call->session, world, call->error);
    if (!present || !may_show(call, &params->name) || !host_world_show(world, present, params, call->error)) {
        return false;
    }
    protocol_encode(&protocol_presence_set_result_type,
                    &(struct protocol_presence_set_result){.has = PROTOCOL_HAS_ALL},
                    host_session_asker(call->session).arrays, call->packer);
    return true;
}

// One line that others may be shown as it is.
static bool check_text(const struct protocol_string *text, struct protocol_error *error)
{
    const uint64_t most = PROTOCOL_LIMIT_SAID_BYTES;
    if (text->size == 0 || text->size > most) {
        protocol_error_set(error, PROTOCOL_CODE_INVALID, "text",
                           "text has %" PRIu32 " bytes; it must have 1 to %" PRIu64 " (limit said_bytes)",
                           text->size, most);
        error->limit = (double)most;
        return false;
    }
    const bool valid = protocol_utf8_valid(text->data, text->size);
    if (valid && !protocol_utf8_has_control(text->data, text->size)) {
        return true;
    }
    protocol_error_set(error, PROTOCOL_CODE_INVALID, "text",
                       valid ? "text has control characters; it must be one line that can be shown"
                             : "text is no UTF-8");
    return false;
}

bool dispatch_presence_say(struct dispatch_call *call)
{
    const struct protocol_presence_say_params *params = call->params;
    struct host_world *world =
        dispatch_permit_find(call->server, call->session, call->method, &params->world, call->error);
    struct protocol_presence_say_result result = {.has = PROTOCOL_HAS_ALL};
    if (!world || !check_text(&params->text, call->error) ||
        !host_session_say(call->session, world, &params->text, &result.line, call->error)) {
        return false;
    }
    protocol_encode(&protocol_presence_say_result_type, &result, host_session_asker(call->session).arrays,
                    call->packer);
    return true;
}
