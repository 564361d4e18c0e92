// Bounds the time that costly queries take from a world that runs: constraint.list with forces, and world.measure with crossings.
// Simulation thread.
//
// Work is counted in nominal nanoseconds of one thread, as that of frames (frames/effort.h). A query is answered whatever it
// costs, and charged to its person and to the world. While a person owes work, or all persons together do, costly queries
// wait, with what their sessions ask for behind them. Elapsed time pays the debt:
//
//     a person   PROTOCOL_LIMIT_QUERY_WORK_PERSON percent of it
//     a world    PROTOCOL_LIMIT_QUERY_WORK_WORLD percent of it
//
// A world at rest is not slowed by them, so there nothing is charged and nothing waits.
#ifndef WEFT_WORLD_COSTLY_H
#define WEFT_WORLD_COSTLY_H

#include "world/people/owner.h"

#include <stdbool.h>
#include <stdint.h>

// Prices in ns, rounded up.
enum {
    WORLD_PRICE_FORCE = 30,      // a constraint or edge that is looked at to find forces
    WORLD_PRICE_CROSSING = 2000, // a triangle of which crossings are counted
};

struct world_call;
struct world_request;

struct world_debtor {
    struct world_owner owner;
    int64_t left; // ns; below 0 it is owed
};

struct world_costly {
    struct world_debtor *debtors; // owned; persons who have not as much left as they may have
    uint32_t count, capacity;
    int64_t left;     // of all together
    uint64_t paid_ns; // time of the last payment, by the clock of turns
};

// Whether a request is a costly query that has to wait.
bool world_costly_waits(const struct world *world, const struct world_request *request);
// Charges a query. Returns how long the next one of this person has to wait if the world goes on to run, ms; 0: not at all.
double world_costly_charge(struct world_call *call, uint64_t ns);
void world_costly_deinit(struct world_costly *costly);

#endif
