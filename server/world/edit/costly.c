#include "world/edit/costly.h"

#include "protocol/array/reserve.h"
#include "world/answer/call.h"
#include "world/edit/part.h"
#include "world/frames/effort.h"
#include "world/state.h"
#include "world/time/clock.h"

#include <stdlib.h>

static const uint64_t longest_ns = UINT64_C(60000000000); // more pays any debt, or a part of a very large one

static int64_t part_of(uint64_t ns, uint32_t percent)
{
    return (int64_t)(ns / 100 * percent + ns % 100 * percent / 100);
}

static void pay(int64_t *left, int64_t ns)
{
    *left = *left + ns < WORLD_EFFORT_BURST_NS ? *left + ns : WORLD_EFFORT_BURST_NS;
}

// Pays out the time since the last payment, and forgets persons who have all that they may have.
static void pay_all(struct world_costly *costly, uint64_t now_ns)
{
    uint64_t ns = now_ns > costly->paid_ns ? now_ns - costly->paid_ns : 0;
    uint32_t kept = 0;
    ns = ns < longest_ns ? ns : longest_ns;
    costly->paid_ns = now_ns;
    pay(&costly->left, part_of(ns, PROTOCOL_LIMIT_QUERY_WORK_WORLD));
    for (uint32_t i = 0; i < costly->count; i++) {
        struct world_debtor debtor = costly->debtors[i];
        pay(&debtor.left, part_of(ns, PROTOCOL_LIMIT_QUERY_WORK_PERSON));
        if (debtor.left < WORLD_EFFORT_BURST_NS) {
            costly->debtors[kept++] = debtor;
        }
    }
    costly->count = kept;
}

static struct world_debtor *debtor_of(struct world_costly *costly, const struct world_owner *owner)
{
    for (uint32_t i = 0; i < costly->count; i++) {
        if (world_owner_same(&costly->debtors[i].owner, owner)) {
            return &costly->debtors[i];
        }
    }
    return NULL;
}

static struct world_owner owner_of(const struct world_request *request)
{
    const struct protocol_string user = world_owner_name(&request->asker);
    return world_owner_of(&user, request->asker.session);
}

static bool is_costly(const struct world_request *request)
{
    if (request->method == PROTOCOL_METHOD_CONSTRAINT_LIST) {
        return ((const struct protocol_constraint_list_params *)request->params)->forces;
    }
    return request->method == PROTOCOL_METHOD_WORLD_MEASURE &&
           ((const struct protocol_world_measure_params *)request->params)->crossings;
}

bool world_costly_waits(const struct world *world, const struct world_request *request)
{
    struct world_costly *costly = &world->edits->costly;
    if (!is_costly(request) || !world_runs(world->time)) {
        return false;
    }
    pay_all(costly, world_now_ns(world->time));
    const struct world_owner owner = owner_of(request);
    const struct world_debtor *debtor = debtor_of(costly, &owner);
    return costly->left <= 0 || (debtor && debtor->left <= 0);
}

// Time until so much is paid, ms.
static double wait_of(int64_t left, uint32_t percent)
{
    return left > 0 ? 0 : (double)-left * 1e-6 * 100 / percent;
}

double world_costly_charge(struct world_call *call, uint64_t ns)
{
    struct world_costly *costly = &call->world->edits->costly;
    if (!world_runs(call->world->time)) {
        return 0;
    }
    pay_all(costly, world_now_ns(call->world->time));
    const struct world_owner owner = owner_of(call->request);
    const int64_t price = ns < longest_ns ? (int64_t)ns : (int64_t)longest_ns;
    struct world_debtor *debtor = debtor_of(costly, &owner);
    if (!debtor && array_reserve(&costly->debtors, &costly->capacity, costly->count + 1)) {
        debtor = &costly->debtors[costly->count++];
        *debtor = (struct world_debtor){.owner = owner, .left = WORLD_EFFORT_BURST_NS};
    }
    costly->left -= price; // without memory for the person, this alone bounds them
    double wait_ms = wait_of(costly->left, PROTOCOL_LIMIT_QUERY_WORK_WORLD);
    if (debtor) {
        debtor->left -= price;
        const double own_ms = wait_of(debtor->left, PROTOCOL_LIMIT_QUERY_WORK_PERSON);
        wait_ms = own_ms > wait_ms ? own_ms : wait_ms;
    }
    return wait_ms;
}

void world_costly_deinit(struct world_costly *costly)
{
    free(costly->debtors);
}
