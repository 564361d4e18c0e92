#include "host/gate.h"

#include "base/buffer.h"
#include "protocol/generated/api.h"
#include "protocol/message.h"
#include "world/world.h"

// Returns the position up to which records count as durable.
static uint64_t known(const struct host_gate *gate)
{
    return gate->held ? 0 : gate->durable;
}

static bool is_answer(const struct world_event *event)
{
    return event->kind == WORLD_REPLY || event->kind == WORLD_FAULT;
}

static bool may_wait(const struct world_event *event)
{
    return is_answer(event) || event->kind == WORLD_NOTICE || event->kind == WORLD_RECORDS ||
           event->kind == WORLD_PRESENT || event->kind == WORLD_DELETED;
}

static size_t size_of(const struct world_event *event)
{
    size_t size = sizeof *event;
    for (size_t i = 0; i < sizeof event->bytes / sizeof event->bytes[0]; i++) {
        size += event->bytes[i] ? event->bytes[i]->size : 0;
    }
    return size;
}

static void drop_bytes(struct world_event *event)
{
    for (size_t i = 0; i < sizeof event->bytes / sizeof event->bytes[0]; i++) {
        base_buffer_unref(event->bytes[i]);
        event->bytes[i] = NULL;
    }
}

void host_gate_init(struct host_gate *gate, uint64_t durable)
{
    *gate = (struct host_gate){.durable = durable};
}

// Takes the event after `before` out of the queue; NULL: the first.
static struct world_event *take(struct host_gate *gate, struct world_event *before)
{
    struct world_event **at = before ? &before->next : &gate->first;
    struct world_event *event = *at;
    *at = event->next;
    gate->last = !event->next ? before : gate->last;
    event->next = NULL;
    gate->answers -= is_answer(event);
    if (event->kind == WORLD_NOTICE) {
        gate->notice_bytes -= size_of(event);
    }
    return event;
}

void host_gate_deinit(struct host_gate *gate)
{
    while (gate->first) {
        world_event_destroy(take(gate, NULL));
    }
}

// Adds an event to the queue. A notice without room is told as lost, which covers all lost notices after it.
static void append(struct host_gate *gate, struct world_event *event)
{
    if (event->kind == WORLD_NOTICE) {
        event->lost = event->lost || gate->notice_bytes + size_of(event) > PROTOCOL_LIMIT_NOTIFICATION_BYTES;
        if (event->lost) {
            drop_bytes(event);
        }
        if (event->lost && gate->last && gate->last->kind == WORLD_NOTICE && gate->last->lost) {
            gate->last->position = event->position;
            world_event_destroy(event);
            return;
        }
        gate->notice_bytes += size_of(event);
    }
    // The world's end was made before the last answers, which it follows.
    if (gate->last && event->position < gate->last->position) {
        event->position = gate->last->position;
    }
    gate->answers += is_answer(event);
    event->next = NULL;
    if (gate->last) {
        gate->last->next = event;
    } else {
        gate->first = event;
    }
    gate->last = event;
}

bool host_gate_holds(const struct host_gate *gate, uint64_t position)
{
    return gate->first || position > known(gate);
}

bool host_gate_is_vain(const struct host_gate *gate, const struct world_event *event)
{
    return gate->lost && is_answer(event) && !event->unbound && event->position > known(gate);
}

// Takes the marks off an event whose content has become durable.
static struct world_event *settled(const struct host_gate *gate, struct world_event *event)
{
    enum { MARKS = 2 }; // as in world/durable.h
    struct base_buffer *bytes = event->bytes[0];
    if (event->label_size > 0 && bytes && event->position <= known(gate)) {
        bytes->size = protocol_result_cut(bytes->data, bytes->size, MARKS, event->label_size);
    }
    event->label_size = 0;
    return event;
}

bool host_gate_is_doubtful(const struct host_gate *gate, const struct world_event *event)
{
    return gate->stuck && event->kind == WORLD_REPLY && event->method != PROTOCOL_METHOD_WORLD_DELETE &&
           !event->unbound && event->position > known(gate);
}

// Passes or drops an event after the list was lost. NULL: it was dropped, because it tells of what may never
// have happened.
static struct world_event *pass_lost(struct world_event *event)
{
    const bool passes = is_answer(event) || event->unbound || event->kind == WORLD_DELETED;
    if (!passes) {
        world_event_destroy(event);
    }
    return passes ? event : NULL;
}

struct world_event *host_gate_pass(struct host_gate *gate, struct world_event *event)
{
    if (gate->lost && !gate->first && may_wait(event) && event->position > known(gate)) {
        return pass_lost(event);
    }
    if (!may_wait(event) || !host_gate_holds(gate, event->position) || (gate->full && event->unbound) ||
        host_gate_is_doubtful(gate, event)) {
        return settled(gate, event);
    }
    append(gate, event);
    return NULL;
}

struct world_event *host_gate_next(struct host_gate *gate)
{
    struct world_event *before = NULL, *event = gate->first;
    if (event && event->position <= known(gate)) {
        return settled(gate, take(gate, NULL));
    }
    while (gate->lost && gate->first) {
        if ((event = pass_lost(take(gate, NULL)))) {
            return event;
        }
    }
    event = gate->first;
    while (gate->full && event && !event->unbound && !host_gate_is_doubtful(gate, event)) {
        before = event;
        event = event->next;
    }
    return gate->full && event ? take(gate, before) : NULL;
}

void host_gate_full(struct host_gate *gate, bool full, bool stuck)
{
    gate->full = full;
    gate->stuck = full && stuck;
}

void host_gate_hold(struct host_gate *gate, bool held)
{
    gate->held = held;
}

void host_gate_lose(struct host_gate *gate)
{
    gate->lost = true;
}

void host_gate_open(struct host_gate *gate, uint64_t position)
{
    gate->durable = position > gate->durable ? position : gate->durable;
}

void host_gate_forget(struct host_gate *gate, uint32_t session)
{
    struct world_event **at = &gate->first;
    gate->last = NULL;
    while (*at) {
        struct world_event *event = *at;
        const bool its = is_answer(event) && event->session == session;
        if (its) {
            drop_bytes(event);
        }
        if (its && !event->claim.held) {
            *at = event->next;
            gate->answers--;
            world_event_destroy(event);
        } else {
            gate->last = event;
            at = &event->next;
        }
    }
}
