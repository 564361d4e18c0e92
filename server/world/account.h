// What a session holds of answers that are made and not sent: what the world asks of it.
#ifndef WEFT_WORLD_ACCOUNT_H
#define WEFT_WORLD_ACCOUNT_H

#include "world/world.h"

enum { WORLD_ANSWER_SMALL = 65536 }; // bytes of an answer that is always let pass

bool world_account_gone(const struct world_account *account);                // NULL: false, as for the next
bool world_account_full(const struct world_account *account);                // it takes no more answers now
bool world_account_allows(const struct world_account *account, size_t size); // an answer; NULL: true
struct base_budget *world_account_budget(const struct world_account *account);

#endif
