// Calls under way: which call waits for which answer, and what is sent again after a connection is lost.
//
//     made ──▶ due ──▶ sent ──▶ answered
//              ▲        │
//              └────────┘ lost on the way: sent again, unchanged and under its id
//
// Invariants: ids ascend in the order of the list, which is the order of sending. A call is in the list once, until it
// is answered or forgotten, or ends with the connection.
#include "internal.h"

#include "protocol/array/reserve.h"

#include <stdlib.h>
#include <string.h>

// Bound of all copies of requests that wait for their answers.
static const size_t KEPT_BYTES_MAX = (size_t)256 << 20;

void weft_calls_deinit(struct weft_calls *calls)
{
    for (uint32_t i = 0; i < calls->count; i++) {
        free(calls->items[i].kept);
    }
    free(calls->items);
    memset(calls, 0, sizeof *calls);
}

enum weft_role weft_role_of(const char *method)
{
    static const struct {
        const char *method;
        enum weft_role role;
    } roles[] = {{"session.hello", WEFT_ROLE_HELLO},
                 {"session.leave", WEFT_ROLE_END},
                 {"world.join", WEFT_ROLE_JOIN},
                 {"world.leave", WEFT_ROLE_LEAVE},
                 {"stream.subscribe", WEFT_ROLE_SUBSCRIBE},
                 {"stream.set", WEFT_ROLE_SET},
                 {"stream.unsubscribe", WEFT_ROLE_UNSUBSCRIBE},
                 {"stream.ack", WEFT_ROLE_ACK},
                 {"stream.differs", WEFT_ROLE_ACK}};
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        if (strcmp(method, roles[i].method) == 0) {
            return roles[i].role;
        }
    }
    return WEFT_ROLE_PLAIN;
}

bool weft_calls_keep(struct weft_calls *calls, struct weft_pending *pending, const char *method,
                     const msgpack_sbuffer *params, struct weft_error *error)
{
    const size_t method_size = strlen(method) + 1;
    const size_t params_size = params ? params->size : 0;
    const size_t size = method_size + params_size;
    if (calls->count > 0 && calls->kept_bytes + size > KEPT_BYTES_MAX) {
        return weft_fail(error, WEFT_KIND_LOCAL, "LIMIT",
                         "%zu bytes of requests wait for their answers; %zu more are too many",
                         calls->kept_bytes, size);
    }
    pending->kept = malloc(size);
    if (!pending->kept) {
        return weft_fail_memory(error);
    }
    memcpy(pending->kept, method, method_size);
    if (params_size) {
        memcpy(pending->kept + method_size, params->data, params_size);
    }
    pending->kept_size = size;
    pending->method = pending->kept;
    pending->params = (struct weft_packed){params_size ? pending->kept + method_size : NULL, params_size};
    return true;
}

bool weft_calls_add(struct weft_calls *calls, struct weft_pending *pending, struct weft_error *error)
{
    if (calls->count >= WEFT_CALLS_MAX) {
        return weft_fail(error, WEFT_KIND_LOCAL, "LIMIT", "%d calls are under way", WEFT_CALLS_MAX);
    }
    if (!array_reserve(&calls->items, &calls->capacity, calls->count + 1)) {
        return weft_fail_memory(error);
    }
    pending->msgid = calls->msgid_next++;
    pending->ticket = calls->ticket_next++;
    calls->kept_bytes += pending->kept_size;
    calls->items[calls->count++] = *pending;
    return true;
}

static void take_at(struct weft_calls *calls, uint32_t at, struct weft_pending *taken)
{
    *taken = calls->items[at];
    calls->count--;
    calls->kept_bytes -= taken->kept_size;
    memmove(calls->items + at, calls->items + at + 1, (calls->count - at) * sizeof *calls->items);
}

struct weft_pending *weft_calls_asked(struct weft_calls *calls, uint32_t msgid)
{
    for (uint32_t i = 0; i < calls->count; i++) {
        if (calls->items[i].msgid == msgid) {
            return &calls->items[i];
        }
    }
    return NULL;
}

bool weft_calls_take(struct weft_calls *calls, uint32_t msgid, struct weft_pending *taken)
{
    const struct weft_pending *found = weft_calls_asked(calls, msgid);
    if (!found) {
        return false;
    }
    take_at(calls, (uint32_t)(found - calls->items), taken);
    return true;
}

bool weft_calls_take_first(struct weft_calls *calls, bool sent_only, struct weft_pending *taken)
{
    for (uint32_t i = 0; i < calls->count; i++) {
        if (!sent_only || calls->items[i].sent) {
            take_at(calls, i, taken);
            return true;
        }
    }
    return false;
}

struct weft_pending *weft_calls_find(struct weft_calls *calls, uint64_t ticket)
{
    for (uint32_t i = 0; i < calls->count; i++) {
        if (calls->items[i].ticket == ticket) {
            return &calls->items[i];
        }
    }
    return NULL;
}

bool weft_calls_forget(struct weft_calls *calls, uint64_t ticket)
{
    struct weft_pending taken;
    const struct weft_pending *found = weft_calls_find(calls, ticket);
    if (!found) {
        return false;
    }
    take_at(calls, (uint32_t)(found - calls->items), &taken);
    free(taken.kept);
    return true;
}

// Calls that concern only one connection are asked again on the next one: the server keeps no answer to them.
static bool is_own(const struct weft_pending *pending)
{
    return pending->role != WEFT_ROLE_PLAIN && pending->role != WEFT_ROLE_JOIN &&
           pending->role != WEFT_ROLE_LEAVE;
}

void weft_calls_cut(struct weft_calls *calls)
{
    struct weft_pending taken;
    for (uint32_t i = 0; i < calls->count;) {
        if (calls->items[i].role == WEFT_ROLE_RESUBSCRIBE || calls->items[i].own) {
            take_at(calls, i, &taken);
            free(taken.kept);
        } else {
            i++;
        }
    }
}

uint32_t weft_calls_sent(const struct weft_calls *calls)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < calls->count; i++) {
        count += calls->items[i].sent;
    }
    return count;
}

// Moves a call to the end of the list, under a new id.
static struct weft_pending *put_last(struct weft_calls *calls, uint32_t at)
{
    struct weft_pending taken;
    take_at(calls, at, &taken);
    taken.msgid = calls->msgid_next++;
    calls->kept_bytes += taken.kept_size;
    calls->items[calls->count] = taken;
    return &calls->items[calls->count++];
}

void weft_calls_renumber(struct weft_calls *calls)
{
    uint32_t at = 0;
    for (uint32_t left = calls->count; left > 0; left--) {
        if (calls->items[at].sent) {
            at++;
        } else {
            put_last(calls, at);
        }
    }
}

uint32_t weft_calls_unanswered(const struct weft_calls *calls, uint32_t *msgids)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < calls->count; i++) {
        if (calls->items[i].sent && !is_own(&calls->items[i])) {
            msgids[count++] = calls->items[i].msgid;
        }
    }
    return count;
}

void weft_calls_again(struct weft_calls *calls, const uint32_t *lost, size_t lost_count)
{
    for (uint32_t i = 0; i < calls->count; i++) {
        struct weft_pending *pending = &calls->items[i];
        pending->due = !pending->sent;
        for (size_t n = 0; n < lost_count && !pending->due; n++) {
            pending->due = lost[n] == pending->msgid;
        }
    }
    // Calls with a new id go behind those that keep their old ids.
    uint32_t left = calls->count;
    for (uint32_t i = 0; left > 0; left--) {
        if (is_own(&calls->items[i])) {
            put_last(calls, i)->due = true;
        } else {
            i++;
        }
    }
}
