// Handles claims: what the host holds for a request from before it is posted until its answer passes (struct
// world_claim). Each kind of claim is one row of the table in claim.c. Loop thread only.
//
//     take ──▶ world_post ──▶ answered  ──▶ keep
//                  │             └─refused─▶ give back
//                  └─not posted──▶ give back
#ifndef WEFT_HOST_CLAIM_H
#define WEFT_HOST_CLAIM_H

#include "protocol/generated/api.h"
#include "world/world.h"

#include <stdbool.h>

struct host_session;
struct host_world;
struct protocol_error;

// Takes what a request of this method claims. *claim is not held if it claims nothing. params is the
// generated struct of the method. False with *error: LIMIT, INVALID, CONFLICT, MEMORY; then nothing is held.
bool host_claim_take(enum protocol_method method, struct host_session *session, struct host_world *world,
                     const void *params, struct world_claim *claim, struct protocol_error *error);
// Keep a claim or give it back. Exactly one of these is called for each claim that was taken. session is NULL
// if it has ended. A claim that is not held is ignored.
void host_claim_keep(enum protocol_method method, struct host_session *session, struct host_world *world,
                     const struct world_claim *claim);
void host_claim_give_back(enum protocol_method method, struct host_session *session, struct host_world *world,
                          const struct world_claim *claim);

#endif
