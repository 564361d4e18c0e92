// A world's gate: what it answers and tells waits here until the records that this depends on are durable. Loop thread only.
//
//     outbox ─▶ pass ──durable already──────────▶ delivered
//                 └──not yet──▶ line ──open──▶ next ─▶ delivered
//
// What the gate lets by is decided by the position that an event carries: how many entries its journal had when it
// was made.
// Positions only rise, so the line keeps the order in which the world made things. Frames, and what is told of those that
// were not made, do not wait: they show a world as it is, and promise nothing.
//
// While the store takes nothing nobody knows how long records will wait. Then what promises nothing (what queries find, how the
// world does, refusals that come of that) passes those that wait. What a query found says by itself that it is not durable
// (world/durable.h); that is taken off it if it passes when it has become so.
//
// Where not even the store's reserve had room, answers do not wait either: they are given out to be refused in words that say
// what became of the request (host_gate_is_doubtful). The world has done it, and it becomes durable when there is room. The end
// of a world waits on.
//
// Where another server has the list, what waits does so in vain. Answers are given out to be refused, for nobody here can say
// whether what they tell of is kept; so is the world's end. Notices and records of what may never have been go nowhere.
//
// A new world whose name may yet turn out to be another's is held: nothing that was recorded counts as durable before that is known, since
// the world ends where it is.
//
// What waits is bounded. Answers keep their places among the requests of the world (`answers` of them are to be counted
// where one is admitted) and are charged to their sessions; notices have notification_bytes together, and one that finds
// no room is told as lost.
#ifndef WEFT_HOST_GATE_H
#define WEFT_HOST_GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct world_event;

#define HOST_GATE_OPEN UINT64_MAX // nothing has to become durable: nothing waits

struct host_gate {
    uint64_t durable;                 // position up to which records are
    struct world_event *first, *last; // the line
    bool full;                        // the store takes nothing
    bool stuck;                       // nor has its reserve any room
    bool held;                        // it is not certain that the world stays
    bool lost;                        // nothing becomes durable any more: another server has the list
    uint32_t answers;                 // in it
    size_t notice_bytes;
};

void host_gate_init(struct host_gate *gate, uint64_t durable);
void host_gate_deinit(struct host_gate *gate); // with what waits

// Takes an event of the world and gives it back if it may be delivered now; NULL: it waits.
struct world_event *host_gate_pass(struct host_gate *gate, struct world_event *event);
// The first that has waited and need not any longer, the caller's from now on; NULL if there is none.
struct world_event *host_gate_next(struct host_gate *gate);
// Would something of this position wait?
bool host_gate_holds(const struct host_gate *gate, uint64_t position);
// Records up to this position are durable. Never takes anything back.
void host_gate_open(struct host_gate *gate, uint64_t position);
// The store takes nothing, or does again. stuck: nor has its reserve any room.
void host_gate_full(struct host_gate *gate, bool full, bool stuck);
void host_gate_hold(struct host_gate *gate, bool held);
void host_gate_lose(struct host_gate *gate); // nothing becomes durable any more
// What was given out would have to wait for ever: its answer is no promise that holds.
bool host_gate_is_vain(const struct host_gate *gate, const struct world_event *event);
// What was given out is done and not durable, and nobody knows when it will be.
bool host_gate_is_doubtful(const struct host_gate *gate, const struct world_event *event);
// The session is gone: nobody is there for its answers. What the host still has to do for them is done in its turn.
void host_gate_forget(struct host_gate *gate, uint32_t session);

#endif
