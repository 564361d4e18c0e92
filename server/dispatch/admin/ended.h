// What access.grant, access.revoke and token.revoke tell of a person who may do less from now on: which of this person's
// invitations end, so that nobody comes back by an own one, and which roles others have from this person.
#ifndef WEFT_DISPATCH_ADMIN_ENDED_H
#define WEFT_DISPATCH_ADMIN_ENDED_H

#include "access/access.h"
#include "protocol/types.h"

#include <stdbool.h>

struct dispatch_call;

struct dispatch_admin_ended {
    struct protocol_list invites; // of struct protocol_access_invite
    struct protocol_list given;   // of struct protocol_access_given
};

// Lists both, in memory that lasts until the answer. Changes nothing. False with the call's error if memory runs out.
bool dispatch_admin_ended_list(struct dispatch_call *call, const struct access_own *own,
                               struct dispatch_admin_ended *out);

// A role in a world as access_list, access_invite and access_given have it on the wire.
int dispatch_admin_world_role(enum protocol_role role);

#endif
