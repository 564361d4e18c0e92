// Functions that the methods of accounts (tokens.c, roles.c) share. Those that fail set the call's error. Loop thread only.
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
// The same for a book that is full (LIMIT) or out of memory. Always false.
bool dispatch_admin_full(struct dispatch_call *call, enum access_outcome outcome);
// The server's book. NULL with the call's error if the server asks for no tokens.
struct access *dispatch_admin_book(struct dispatch_call *call);
// Allocates zeroed memory that lasts until the answer. NULL if memory runs out.
void *dispatch_admin_keep(struct dispatch_call *call, size_t size);
// Packs the result of the call's method. Always true.
bool dispatch_admin_answer(struct dispatch_call *call, const void *result);

uint64_t dispatch_admin_now_s(void); // Unix time

// Copies a name for the book. False with the error if it is empty or unfit for a name. everybody: "*" is allowed.
bool dispatch_admin_take_name(struct dispatch_call *call, const struct protocol_string *from,
                              char out[ACCESS_NAME_SIZE], bool everybody);
// Returns true, with the error set, if the name is free but looks like one that is taken; tells: the error says which one. Else
// *outcome is TAKEN or NONE.
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

// The value of a role in a world in the wire's enums (access_list, access_invite, access_given).
int dispatch_admin_world_role(enum protocol_role role);

#endif
