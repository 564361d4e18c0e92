#include "dispatch/admin/ended.h"

#include "dispatch/call.h"
#include "protocol/error.h"

#include <string.h>

int dispatch_admin_world_role(enum protocol_role role)
{
    return role >= PROTOCOL_ROLE_OWNER ? 2 : role == PROTOCOL_ROLE_EDITOR ? 1 : 0;
}

static void *room(struct dispatch_call *call, uint32_t count, size_t size)
{
    void *memory = msgpack_zone_malloc(call->zone, ((size_t)count + 1) * size);
    if (memory == NULL)
        protocol_error_set(call->error, PROTOCOL_CODE_MEMORY, NULL, "no memory for the answer");
    return memory;
}

static bool list_invites(struct dispatch_call *call, const struct access_own *own, struct protocol_list *out)
{
    const struct access *book = call->server->book;
    const uint32_t count = access_invites_own(book, own, NULL, 0);
    struct access_invite *invites = room(call, count, sizeof *invites);
    struct protocol_access_invite *items = room(call, count, sizeof *items);
    if (invites == NULL || items == NULL)
        return false;
    access_invites_own(book, own, invites, count);
    for (uint32_t i = 0; i < count; i++)
        items[i] = (struct protocol_access_invite){
            .has = PROTOCOL_HAS_ALL,
            .id = invites[i].id,
            .role = dispatch_admin_world_role(invites[i].role),
            .uses = invites[i].uses,
            .user = protocol_text(invites[i].name),
            .expires_at = (double)invites[i].expires_s,
            .world = invites[i].world,
        };
    *out = (struct protocol_list){.items = items, .count = count};
    return true;
}

static bool list_given(struct dispatch_call *call, const struct access_own *own, struct protocol_list *out)
{
    const struct access *book = call->server->book;
    const uint32_t count = access_given(book, own->world, own->name, NULL, 0);
    struct access_grant *grants = room(call, count, sizeof *grants);
    struct protocol_access_given *items = room(call, count, sizeof *items);
    if (grants == NULL || items == NULL)
        return false;
    access_given(book, own->world, own->name, grants, count);
    for (uint32_t i = 0; i < count; i++)
        items[i] = (struct protocol_access_given){
            .has = PROTOCOL_HAS_ALL,
            .world = grants[i].world,
            .user = protocol_text(grants[i].name),
            .role = dispatch_admin_world_role(grants[i].role),
        };
    *out = (struct protocol_list){.items = items, .count = count};
    return true;
}

bool dispatch_admin_ended_list(struct dispatch_call *call, const struct access_own *own,
                               struct dispatch_admin_ended *out)
{
    *out = (struct dispatch_admin_ended){0};
    return list_invites(call, own, &out->invites) && list_given(call, own, &out->given);
}
