// Tells owners of edits apart.
#include "world/people/owner.h"

#include <stdio.h>
#include <string.h>

struct world_owner world_owner_of(const struct protocol_string *user, uint32_t session)
{
    struct world_owner owner = {0};
    char unnamed[65]; // the name of a session that gave none
    snprintf(owner.user, sizeof owner.user, "%.*s", (int)user->size, user->size > 0 ? user->data : "");
    snprintf(unnamed, sizeof unnamed, "session-%u", session);
    if (strcmp(owner.user, unnamed) == 0) {
        owner.user[0] = '\0';
    }
    owner.session = owner.user[0] == '\0' ? session : 0;
    return owner;
}

bool world_owner_same(const struct world_owner *one, const struct world_owner *other)
{
    return strcmp(one->user, other->user) == 0 && one->session == other->session &&
           (one->user[0] != '\0' || one->session != 0);
}
