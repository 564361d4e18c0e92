// A world's gate: its answers and notices wait here until the records that they depend on are durable. Loop
// thread only.
//
//     outbox ─▶ pass ──durable already───────────▶ delivered
//                 └──not yet──▶ queue ──open──▶ next ─▶ delivered
//
// The gate decides by the position that an event carries: the number of entries in the world's journal when
// the event was made. Positions only rise, so the queue keeps the order in which the world made things.
// Frames, and what is told of missing frames, do not wait: they show a world as it is, and promise nothing.
//
// While the store takes nothing, it is unknown how long records will wait. Then an event that promises
// nothing passes those that wait: what a query found, how the world does, a refusal that follows from the
// store. An answer to a query says itself that its content is not durable (world/durable.h). The gate takes
// that off if the content is durable when the answer passes.
//
// If not even the store's reserve had room, answers do not wait either. They are returned to be refused with
// a text that says what became of the request (host_gate_is_doubtful). The world has done it, and it becomes
// durable when there is room. The end of a world goes on waiting.
//
// If another server has the list, waiting is in vain. Answers are returned to be refused, because this server
// cannot know whether what they tell is kept. The world's end is returned too. Notices and records are
// dropped, because they tell of what may never have happened.
//
// A new world is held as long as its name may turn out to be another world's: nothing of it counts as durable
// before that is known, since it ends if it is.
//
// The answers and notices that wait are bounded. Answers keep their places among the requests of the world (count `answers` when a
// request is admitted), and are charged to their sessions. Notices have notification_bytes together; one that
// finds no room is told as lost.
#ifndef WEFT_HOST_GATE_H
#define WEFT_HOST_GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct world_event;

#define HOST_GATE_OPEN UINT64_MAX // nothing has to become durable, so nothing waits

struct host_gate {
    uint64_t durable;                 // position up to which records are durable
    struct world_event *first, *last; // the queue
    bool full;                        // the store takes nothing
    bool stuck;                       // the store's reserve has no room either
    bool held;                        // it is not certain that the world stays
    bool lost;                        // nothing becomes durable any more, because another server has the list
    uint32_t answers;                 // answers in the queue
    size_t notice_bytes;
};

// Begins a gate. `durable` is the position up to which records are durable, or HOST_GATE_OPEN.
void host_gate_init(struct host_gate *gate, uint64_t durable);
void host_gate_deinit(struct host_gate *gate); // frees what waits

// Takes an event of the world, and returns it if it may be delivered now. NULL: it waits.
struct world_event *host_gate_pass(struct host_gate *gate, struct world_event *event);
// Returns the first event that has waited and need not wait any longer. The caller owns it. NULL: there is
// none.
struct world_event *host_gate_next(struct host_gate *gate);
// Whether an event of this position would wait.
bool host_gate_holds(const struct host_gate *gate, uint64_t position);
// Opens the gate up to this position, because records up to it are durable. It never closes again.
void host_gate_open(struct host_gate *gate, uint64_t position);
// Tells whether the store takes nothing. stuck: its reserve has no room either.
void host_gate_full(struct host_gate *gate, bool full, bool stuck);
// Tells whether the world's name may turn out to be another world's.
void host_gate_hold(struct host_gate *gate, bool held);
void host_gate_lose(struct host_gate *gate); // tells that nothing becomes durable any more
// Whether an event that was returned would have to wait for ever: its answer must be refused.
bool host_gate_is_vain(const struct host_gate *gate, const struct world_event *event);
// Whether an event that was returned is done but not durable, and it is unknown when it will be.
bool host_gate_is_doubtful(const struct host_gate *gate, const struct world_event *event);
// Drops answers for a session that has ended. What the host still has to do for them is done in their turn.
void host_gate_forget(struct host_gate *gate, uint32_t session);

#endif
