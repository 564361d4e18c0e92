// Counts what a session holds of answers that are made and not sent, from whichever worlds.
//
//     session (loop) ──┐
//     request ─────────┼──▶ account ──▶ budget of its answers ──▶ budget of all answers
//     request ─────────┘                        ▲
//                                 each buffer of an answer, until its last byte is sent
//
// The budgets have no limit of their own: an answer that was made is sent. lines.c looks at what they hold
// before it applies a request, so a session exceeds its bound by at most one answer for each thread.
#include "world/answer/account.h"

#include "base/assert.h"

#include <stdatomic.h>
#include <stdlib.h>

struct world_account {
    atomic_uint refs;
    atomic_bool gone;
    struct base_budget *all, *own;
};

struct world_account *world_account_create(struct base_budget *all)
{
    struct world_account *account = malloc(sizeof *account);
    struct base_budget *own = base_budget_create_within(all, SIZE_MAX);
    if (!account || !own) {
        free(account);
        base_budget_release(own);
        return NULL;
    }
    atomic_init(&account->refs, 1);
    atomic_init(&account->gone, false);
    account->all = all; // `all` lives as long as `own`
    account->own = own;
    return account;
}

struct world_account *world_account_ref(struct world_account *account)
{
    if (account) {
        atomic_fetch_add_explicit(&account->refs, 1, memory_order_relaxed);
    }
    return account;
}

void world_account_unref(struct world_account *account)
{
    if (account && atomic_fetch_sub_explicit(&account->refs, 1, memory_order_acq_rel) == 1) {
        base_budget_release(account->own);
        free(account);
    }
}

void world_account_leave(struct world_account *account)
{
    if (account) {
        atomic_store_explicit(&account->gone, true, memory_order_relaxed);
    }
}

bool world_account_gone(const struct world_account *account)
{
    return account && atomic_load_explicit(&account->gone, memory_order_relaxed);
}

bool world_account_full(const struct world_account *account)
{
    return account && base_budget_used(account->own) >= (size_t)PROTOCOL_LIMIT_REPLY_BYTES;
}

bool world_account_allows(const struct world_account *account, size_t size)
{
    return !account || size <= WORLD_ANSWER_SMALL ||
           base_budget_used(account->all) + size <= (size_t)PROTOCOL_LIMIT_ANSWER_BYTES;
}

struct base_budget *world_account_budget(const struct world_account *account)
{
    return account ? account->own : NULL;
}
