// Shares libuv's worker threads fairly among peers: work waits here until it may have a worker. Loop thread only.
//
// A peer (an address, however many sessions it opens) has at most one worker for heavy work, at most two for
// heavy and long work together, and never all of them. Heavy and long work of all peers together leaves one
// worker free. Work waits only for work that came before it and may run.
#ifndef WEFT_HOST_SLOTS_H
#define WEFT_HOST_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

enum { HOST_SLOTS = 4, HOST_PEER_SIZE = 64 }; // as many as libuv has workers

enum host_weight {
    HOST_LIGHT, // takes milliseconds, and only waits for a free worker
    HOST_LONG,  // takes a second or so, and somebody waits for it
    HOST_HEAVY, // may take any time
};

struct host_slot {
    struct host_slot *next;
    char peer[HOST_PEER_SIZE];
    enum host_weight weight;
    void (*start)(struct host_slot *slot); // may call host_slots_leave at once
};

struct host_slots {
    struct host_slot *waiting, *running;
    bool advancing;
};

void host_slots_enter(struct host_slots *slots, struct host_slot *slot); // calls slot->start, now or later
void host_slots_leave(struct host_slots *slots, struct host_slot *slot); // the work of a slot has ended
void host_slots_flush(struct host_slots *slots); // starts all that wait, because none will do its work

#endif
