// Methods of accounts (tokens.c, roles.c) share what stands here. Each of these that can fail sets the call's error then.
#ifndef WEFT_DISPATCH_ADMIN_ACCOUNTS_H
#define WEFT_DISPATCH_ADMIN_ACCOUNTS_H

#include "access/access.h"
#include "protocol/error.h"
#include "protocol/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dispatch_call;

// Sets the call's error. Always false.
bool dispatch_admin_refuse(struct dispatch_call *call, enum protocol_code code, const char *field,
                           const char *text);
// The same for a book that has no room, or no memory.
bool dispatch_admin_full(struct dispatch_call *call, enum access_outcome outcome);
// The server's book. NULL: no tokens are asked for.
struct access *dispatch_admin_book(struct dispatch_call *call);
// Zeroed memory that lasts until the answer; NULL without memory.
void *dispatch_admin_keep(struct dispatch_call *call, size_t size);
// Packs the result of the call's method. Always true.
bool dispatch_admin_answer(struct dispatch_call *call, const void *result);

uint64_t dispatch_admin_now_s(void); // since 1970

// Takes a name as the book has it: not empty, and made of what names may have. everybody: * may be one. False: it is no such name.
bool dispatch_admin_take_name(struct dispatch_call *call, const struct protocol_string *from,
                              char out[ACCESS_NAME_SIZE], bool everybody);
// Refuses a name that is nobody's but looks like one that is somebody's. *outcome is TAKEN or NONE if it returns false. `tells` says which
// name it looks like.
bool dispatch_admin_looks_alike(struct dispatch_call *call, const char *name, bool tells,
                                enum access_outcome *outcome);

// The answer of access.grant, access.revoke and token.revoke about a person who may do less from now on: the invitations
// of this person that end, so that the person cannot come back by one, and the roles that others have from this person.
struct dispatch_admin_ended {
    struct protocol_list invites; // of struct protocol_access_invite
    struct protocol_list given;   // of struct protocol_access_given
};

// Lists both, in memory that lasts until the answer. Changes nothing. False if memory runs out.
bool dispatch_admin_ended_list(struct dispatch_call *call, const struct access_own *own,
                               struct dispatch_admin_ended *out);

// A role in a world as access_list, access_invite and access_given have it on the wire.
int dispatch_admin_world_role(enum protocol_role role);

#endif
