#include "world/frames/effort.h"

#include "base/assert.h"
#include "protocol/array/reserve.h"
#include "protocol/generated/api.h"

#include <stdlib.h>

enum { AVERAGE = 8, ROUNDS = 16, MADE_UP = 10, TAKEN_NS = 1000000 / 1024 };

// Longest time that is paid out at once. More than that exceeds what anybody may have.
static const uint64_t longest_ns = UINT64_C(60000000000);

struct world_payer *world_effort_payer(struct world_effort *effort, const struct world_asker *asker)
{
    const struct protocol_string user = world_owner_name(asker);
    const struct world_owner owner = world_owner_of(&user, asker->session);
    for (uint32_t i = 0; i < effort->count; i++) {
        if (world_owner_same(&effort->payers[i]->owner, &owner)) {
            effort->payers[i]->streams++;
            return effort->payers[i];
        }
    }
    if (!array_reserve(&effort->payers, &effort->capacity, effort->count + 1)) {
        return NULL;
    }
    struct world_payer *payer = calloc(1, sizeof *payer);
    if (payer) {
        payer->owner = owner;
        payer->streams = 1;
        payer->left = WORLD_EFFORT_BURST_NS;
        effort->payers[effort->count++] = payer;
    }
    return payer;
}

void world_payer_put(struct world_payer *payer)
{
    if (payer) {
        BASE_ASSERT(payer->streams > 0);
        payer->streams--;
    }
}

static uint64_t part_of(uint64_t ns, uint32_t percent)
{
    return ns / 100 * percent + ns % 100 * percent / 100;
}

// Returns the most that each person gets of a time, so that all together get no more than the world's part.
// This is the level to which water rises when it is poured onto their demands. It begins at equal shares and
// rises as persons below it leave the rest of theirs to the others.
static uint64_t level_of(const struct world_effort *effort, uint64_t ns)
{
    const uint64_t most = part_of(ns, PROTOCOL_LIMIT_STREAM_WORK_PERSON);
    const uint64_t all = part_of(ns, PROTOCOL_LIMIT_STREAM_WORK_WORLD);
    uint64_t level = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint64_t left = all;
        uint32_t above = 0;
        for (uint32_t i = 0; i < effort->count; i++) {
            const uint64_t demand = effort->payers[i]->demand;
            const bool below = demand < level;
            left -= below ? demand : 0; // at most `all`, since each is below an equal share of it
            above += !below;
        }
        const uint64_t share = above > 0 ? left / above : most;
        if (share >= most) {
            return most;
        }
        if (share <= level) {
            break;
        }
        level = share;
    }
    return level;
}

static void average(struct world_effort *effort)
{
    for (uint32_t i = 0; i < effort->count; i++) {
        struct world_payer *payer = effort->payers[i];
        payer->demand = (payer->demand * (AVERAGE - 1) + payer->wanted) / AVERAGE;
        payer->wanted = 0;
    }
}

// Pays each person, and forgets those who have no streams and owe nothing.
static void pay(struct world_effort *effort, uint64_t level)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < effort->count; i++) {
        struct world_payer *payer = effort->payers[i];
        payer->left += (int64_t)level;
        if (payer->left >= WORLD_EFFORT_BURST_NS) {
            payer->left = WORLD_EFFORT_BURST_NS;
            if (payer->streams == 0 && payer->held_ns == 0) {
                free(payer);
                continue;
            }
        }
        effort->payers[kept++] = payer;
    }
    effort->count = kept;
}

static uint64_t elapsed(struct world_effort *effort, uint64_t now_ns)
{
    const uint64_t ns = now_ns > effort->refilled_ns ? now_ns - effort->refilled_ns : 0;
    effort->refilled_ns = now_ns;
    return ns < longest_ns ? ns : longest_ns;
}

void world_effort_rest(struct world_effort *effort, uint64_t now_ns)
{
    const uint64_t ns = elapsed(effort, now_ns);
    effort->added_ns += ns;
    pay(effort, part_of(ns, PROTOCOL_LIMIT_STREAM_WORK_PERSON));
}

void world_effort_tick(struct world_effort *effort, uint64_t now_ns, uint64_t period_ns)
{
    const uint64_t elapsed_ns = elapsed(effort, now_ns), added_ns = effort->added_ns;
    const uint64_t least_ns = period_ns < longest_ns ? period_ns : longest_ns;
    const uint64_t whole_ns = added_ns + elapsed_ns > least_ns ? added_ns + elapsed_ns : least_ns;
    average(effort);
    pay(effort, level_of(effort, whole_ns - added_ns));
    effort->added_ns = 0;
}

bool world_payer_takes(struct world_payer *payer, uint64_t price)
{
    const bool takes = payer->left > payer->reserved;
    payer->wanted += price;
    payer->reserved += takes ? (int64_t)price : 0;
    return takes;
}

void world_payer_charge(struct world_payer *payer, uint64_t work)
{
    payer->left -= (int64_t)work;
    payer->reserved = 0;
}

static void make_up(struct world_payer *payer, uint64_t ns)
{
    payer->held_ns -= ns < payer->held_ns ? ns : payer->held_ns;
}

void world_effort_hold(struct world_effort *effort, uint64_t ns)
{
    for (uint32_t i = 0; i < effort->count; i++) {
        struct world_payer *payer = effort->payers[i];
        if (payer->holds) {
            payer->held_ns += ns;
        } else {
            make_up(payer, ns / MADE_UP);
        }
        payer->holds = false;
    }
}

void world_payer_took(struct world_payer *payer, size_t bytes)
{
    make_up(payer, bytes * TAKEN_NS);
}

void world_effort_deinit(struct world_effort *effort)
{
    for (uint32_t i = 0; i < effort->count; i++) {
        free(effort->payers[i]);
    }
    free((void *)effort->payers);
}
