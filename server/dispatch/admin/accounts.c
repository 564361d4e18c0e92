#include "dispatch/admin/accounts.h"

#include "base/clock.h"
#include "dispatch/call.h"
#include "host/session.h"
#include "protocol/error.h"
#include "protocol/params.h"
#include "protocol/utf8/utf8.h"
#include "world/world.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool dispatch_admin_refuse(struct dispatch_call *call, enum protocol_code code, const char *field,
                           const char *text)
{
    protocol_error_set(call->error, code, field, "%s", text);
    return false;
}

struct access *dispatch_admin_book(struct dispatch_call *call)
{
    struct access *book = call->server->book;
    if (!book) {
        dispatch_admin_refuse(call, PROTOCOL_CODE_CONFLICT, NULL,
                              "this server asks for no tokens; weftd --tokens makes it");
    }
    return book;
}

bool dispatch_admin_full(struct dispatch_call *call, enum access_outcome outcome)
{
    if (outcome == ACCESS_MEMORY) {
        return dispatch_admin_refuse(call, PROTOCOL_CODE_MEMORY, NULL, "no memory for it");
    }
    protocol_error_set(
        call->error, PROTOCOL_CODE_LIMIT, NULL,
        "there are as many tokens, invitations or roles as there may be (limits tokens = %" PRIu64
        ", grants = %" PRIu64 "; of one world %d roles and %d invitations)",
        (uint64_t)PROTOCOL_LIMIT_TOKENS, (uint64_t)PROTOCOL_LIMIT_GRANTS, ACCESS_WORLD_GRANTS,
        ACCESS_WORLD_INVITES);
    call->error->limit = (double)PROTOCOL_LIMIT_TOKENS;
    return false;
}

void *dispatch_admin_keep(struct dispatch_call *call, size_t size)
{
    void *memory = msgpack_zone_malloc(call->zone, size);
    if (!memory) {
        dispatch_admin_refuse(call, PROTOCOL_CODE_MEMORY, NULL, "no memory for the answer");
    } else {
        memset(memory, 0, size);
    }
    return memory;
}

bool dispatch_admin_answer(struct dispatch_call *call, const void *result)
{
    protocol_encode(protocol_methods[call->method].result, result, host_session_asker(call->session).arrays,
                    call->packer);
    return true;
}

uint64_t dispatch_admin_now_s(void)
{
    return base_wall_us() / 1000000;
}

bool dispatch_admin_take_name(struct dispatch_call *call, const struct protocol_string *from,
                              char out[ACCESS_NAME_SIZE], bool everybody)
{
    const bool star = from->size == 1 && from->data[0] == '*';
    if (from->size == 0 || from->size >= ACCESS_NAME_SIZE || (star && !everybody) ||
        protocol_name_flaw(from->data, from->size)) {
        return dispatch_admin_refuse(call, PROTOCOL_CODE_INVALID, "user",
                                     "user: must be a name of 1 to 64 bytes that can be seen, and not *");
    }
    snprintf(out, ACCESS_NAME_SIZE, "%.*s", (int)from->size, from->data);
    return true;
}

bool dispatch_admin_looks_alike(struct dispatch_call *call, const char *name, bool tells,
                                enum access_outcome *outcome)
{
    const char *like;
    *outcome = access_name_check(call->server->book, name, &like);
    if (*outcome == ACCESS_MEMORY) {
        return !dispatch_admin_full(call, *outcome);
    }
    if (*outcome != ACCESS_ALIKE) {
        return false;
    }
    protocol_error_set(
        call->error, PROTOCOL_CODE_CONFLICT, "user",
        "user: \"%s\" looks like %s%s%s, which is another name; choose one that can be told from it", name,
        tells ? "\"" : "", tells ? like : "somebody's name", tells ? "\"" : "");
    snprintf(call->error->value, sizeof call->error->value, "%s", name);
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Roles and invitations that end

int dispatch_admin_world_role(enum protocol_role role)
{
    return role >= PROTOCOL_ROLE_OWNER ? 2 : role == PROTOCOL_ROLE_EDITOR ? 1 : 0;
}

static bool list_invites(struct dispatch_call *call, const struct access_own *own, struct protocol_list *out)
{
    const struct access *book = call->server->book;
    const uint32_t count = access_invites_own(book, own, NULL, 0);
    struct access_invite *invites = dispatch_admin_keep(call, ((size_t)count + 1) * sizeof *invites);
    struct protocol_access_invite *items = dispatch_admin_keep(call, ((size_t)count + 1) * sizeof *items);
    if (!invites || !items) {
        return false;
    }
    access_invites_own(book, own, invites, count);
    for (uint32_t i = 0; i < count; i++) {
        items[i] = (struct protocol_access_invite){
            .has = PROTOCOL_HAS_ALL,
            .id = invites[i].id,
            .role = dispatch_admin_world_role(invites[i].role),
            .uses = invites[i].uses,
            .user = protocol_text(invites[i].name),
            .expires_at = (double)invites[i].expires_s,
            .world = invites[i].world,
        };
    }
    *out = (struct protocol_list){.items = items, .count = count};
    return true;
}

static bool list_given(struct dispatch_call *call, const struct access_own *own, struct protocol_list *out)
{
    const struct access *book = call->server->book;
    const uint32_t count = access_given(book, own->world, own->name, NULL, 0);
    struct access_grant *grants = dispatch_admin_keep(call, ((size_t)count + 1) * sizeof *grants);
    struct protocol_access_given *items = dispatch_admin_keep(call, ((size_t)count + 1) * sizeof *items);
    if (!grants || !items) {
        return false;
    }
    access_given(book, own->world, own->name, grants, count);
    for (uint32_t i = 0; i < count; i++) {
        items[i] = (struct protocol_access_given){
            .has = PROTOCOL_HAS_ALL,
            .world = grants[i].world,
            .user = protocol_text(grants[i].name),
            .role = dispatch_admin_world_role(grants[i].role),
        };
    }
    *out = (struct protocol_list){.items = items, .count = count};
    return true;
}

bool dispatch_admin_ended_list(struct dispatch_call *call, const struct access_own *own,
                               struct dispatch_admin_ended *out)
{
    *out = (struct dispatch_admin_ended){0};
    return list_invites(call, own, &out->invites) && list_given(call, own, &out->given);
}
