// Has two lists in order of arrival. Few slots run, and no more wait than there are sessions, so both lists
// are walked.
#include "host/slots.h"

#include "base/assert.h"

#include <stddef.h>
#include <string.h>

static void append(struct host_slot **list, struct host_slot *slot)
{
    while (*list) {
        list = &(*list)->next;
    }
    slot->next = NULL;
    *list = slot;
}

static void take_out(struct host_slot **list, struct host_slot *slot)
{
    while (*list != slot) {
        BASE_ASSERT(*list);
        list = &(*list)->next;
    }
    *list = slot->next;
}

static bool may_run(const struct host_slots *slots, const struct host_slot *slot)
{
    uint32_t all = 0, busy = 0, own = 0, own_busy = 0, own_heavy = 0;
    for (const struct host_slot *other = slots->running; other; other = other->next) {
        bool same = strcmp(other->peer, slot->peer) == 0;
        all++;
        busy += other->weight != HOST_LIGHT;
        own += same;
        own_busy += same && other->weight != HOST_LIGHT;
        own_heavy += same && other->weight == HOST_HEAVY;
    }
    if (all == HOST_SLOTS || own == HOST_SLOTS - 1) {
        return false;
    }
    if (slot->weight == HOST_LIGHT) {
        return true;
    }
    return busy < HOST_SLOTS - 1 && own_busy < 2 && (slot->weight != HOST_HEAVY || own_heavy == 0);
}

static void run(struct host_slots *slots, struct host_slot *slot)
{
    take_out(&slots->waiting, slot);
    append(&slots->running, slot);
    slot->start(slot);
}

// Starts all that may run. A start may call this again: the outermost call goes on with all that may run.
static void advance(struct host_slots *slots)
{
    if (slots->advancing) {
        return;
    }
    slots->advancing = true;
    for (struct host_slot *slot = slots->waiting; slot;) {
        if (may_run(slots, slot)) {
            run(slots, slot);
            slot = slots->waiting; // the list may have changed
        } else {
            slot = slot->next;
        }
    }
    slots->advancing = false;
}

void host_slots_enter(struct host_slots *slots, struct host_slot *slot)
{
    append(&slots->waiting, slot);
    advance(slots);
}

void host_slots_leave(struct host_slots *slots, struct host_slot *slot)
{
    take_out(&slots->running, slot);
    advance(slots);
}

void host_slots_flush(struct host_slots *slots)
{
    bool advancing = slots->advancing;
    slots->advancing = true;
    while (slots->waiting) {
        run(slots, slots->waiting);
    }
    slots->advancing = advancing;
}
