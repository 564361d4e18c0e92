// Looks at the account of a session: the bytes of answers that are made but not sent (world_account, world.h). All
// functions work on any thread. account is NULL if the answers are charged to no session.
#ifndef WEFT_WORLD_ACCOUNT_H
#define WEFT_WORLD_ACCOUNT_H

#include "world/world.h"

enum { WORLD_ANSWER_SMALL = 65536 }; // bytes; an answer up to this size is always allowed

// Whether the session is gone, so that its queries need no answer. NULL: false.
bool world_account_gone(const struct world_account *account);
// Whether the session holds reply_bytes or more, so that no further request of it may be applied. NULL:
// false.
bool world_account_full(const struct world_account *account);
// Whether an answer of `size` bytes fits into the budget of all sessions' answers. NULL: true.
bool world_account_allows(const struct world_account *account, size_t size);
// Returns the budget to which answers are charged. NULL: they are not charged.
struct base_budget *world_account_budget(const struct world_account *account);

#endif
