// Who may have a worker: large messages wait here until one is free for them. Loop thread only.
//
// A peer (an address, however many sessions it opens) has one worker at a time for what is heavy, two for that and what is
// long, and never all of them; heavy and long work of all peers together leaves one. Whoever waits for a worker waits for as long as others take who
// came before and may have one.
#ifndef WEFT_HOST_SLOTS_H
#define WEFT_HOST_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

enum { HOST_SLOTS = 4, HOST_PEER_SIZE = 64 }; // as many as libuv has workers

enum host_weight {
    HOST_LIGHT,
    HOST_LONG,  // a second or so, that somebody looks at
    HOST_HEAVY, // as long as it takes
};

struct host_slot {
    struct host_slot *next;
    char peer[HOST_PEER_SIZE];
    enum host_weight weight;
    void (*start)(struct host_slot *slot); // may leave at once
};

struct host_slots {
    struct host_slot *waiting, *running;
    bool advancing;
};

void host_slots_enter(struct host_slots *slots, struct host_slot *slot); // calls start, now or later
void host_slots_leave(struct host_slots *slots, struct host_slot *slot);
void host_slots_flush(struct host_slots *slots); // starts all that wait: they will not take long

#endif
