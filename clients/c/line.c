// The session's connection: its loss, the attempts to make another, and the session that goes on with it.
//
// Invariant: once `lost` is set nothing is sent and nothing is delivered.
#include "line.h"
#include "outbox.h"
#include "secure.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

// With other servers to go to, attempts come sooner: they may run the same worlds.
enum { RETRY_FIRST_MS = 100, RETRY_MAX_MS = 5000, RETRY_OTHERS_MS = 1000, RETRY_DOUBLES_MAX = 10 };

static void finish_all(struct weft_client *client, bool sent_only, const struct weft_error *error)
{
    struct weft_pending pending;
    while (weft_calls_take_first(&client->calls, sent_only, &pending)) {
        weft_client_finish(client, &pending, error, NULL);
    }
}

void weft_line_tell(struct weft_client *client, enum weft_line line, const msgpack_object *hello,
                    const struct weft_error *error)
{
    client->delivering++;
    if (client->resume.on_line) {
        client->resume.on_line(client->resume.context, client, line, hello, error);
    } else if (client->on_line) {
        client->on_line(client->on_line_context, client, line, hello, error);
    }
    client->delivering--;
}

// ---------------------------------------------------------------------------------------------------------
// The end of a connection

// Whether another connection may succeed.
static bool may_pass(const struct weft_error *error)
{
    static const char *const codes[] = {"CLOSED", "CONNECT", "TIMEOUT", "TLS"};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        if (error->kind == WEFT_KIND_TRANSPORT && strcmp(error->code, codes[i]) == 0) {
            return true;
        }
    }
    return false;
}

void weft_line_lose(struct weft_client *client, const struct weft_error *error)
{
    if (client->lost || weft_line_go_away(client, error)) {
        return;
    }
    struct weft_error loss = *error;
    if (client->told_away && may_pass(error)) {
        weft_fail(&loss, WEFT_KIND_TRANSPORT, "CLOSED",
                  "the connection was lost, and there is no other: %.400s", error->text);
    }
    client->lost = true;
    client->loss = loss;
    finish_all(client, false, &loss);
}

// ---------------------------------------------------------------------------------------------------------
// Away and back

bool weft_line_go_away(struct weft_client *client, const struct weft_error *error)
{
    if (client->lost || client->closing) {
        return false;
    }
    if (client->transport->steps->cut(client, error)) {
        return true;
    }
    if (!client->resumes || client->visit.key[0] == '\0') {
        return false;
    }
    if (client->state == WEFT_STATE_AWAY) {
        return true;
    }
    const int64_t now = weft_now_ms();
    if (!client->told_away) {
        // An answer sent at the end of the grace arrives a little later here.
        const uint32_t grace_ms = client->visit.grace_ms;
        client->away_until_ms =
            now + (client->resume.limit_ms ? client->resume.limit_ms : (int64_t)grace_ms + grace_ms / 10);
        client->away_since_ms = now;
        client->failures = 0;
    }
    if (!may_pass(error) || now >= client->away_until_ms) {
        return false;
    }
    client->loss = *error;
    client->state = WEFT_STATE_AWAY;
    client->flush_due = false;
    weft_calls_cut(&client->calls);
    weft_visit_cut(&client->visit);
    client->transport->ways->away(client);
    if (!client->told_away) {
        const struct weft_error loss = client->loss;
        client->told_away = true;
        weft_line_tell(client, WEFT_AWAY, NULL, &loss);
    }
    return true;
}

// Returns between half and all of the delay, so that the clients of a restarted server do not come back all at once.
uint32_t weft_line_retry_ms(struct weft_client *client)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const uint32_t doubles = client->failures < RETRY_DOUBLES_MAX ? client->failures++ : RETRY_DOUBLES_MAX;
    const uint32_t due = RETRY_FIRST_MS << doubles;
    const uint32_t most = client->visit.other_count > 0 ? RETRY_OTHERS_MS : RETRY_MAX_MS;
    const uint32_t whole = due < most ? due : most;
    const uint32_t delay = whole / 2 + (uint32_t)(now.tv_nsec / 1000) % (whole / 2 + 1);
    const int64_t left = client->away_until_ms - weft_now_ms();
    return left < 0 ? 0 : left < delay ? (uint32_t)left : delay;
}

bool weft_line_try(struct weft_client *client, const struct weft_address *address, struct weft_error *error)
{
    weft_client_name(client, address);
    client->state = WEFT_STATE_TRYING;
    client->last_words[0] = '\0';
    weft_inbox_reset(&client->inbox);
    return !client->secure || weft_secure_rename(client->secure, address->host) || weft_fail_memory(error);
}

void weft_line_arrive(struct weft_client *client, const msgpack_object *hello)
{
    struct weft_error error;
    weft_fail(&error, WEFT_KIND_TRANSPORT, "LOST",
              "the server that it was asked of is gone, and nobody knows what became of it");
    weft_visit_part(&client->visit);
    weft_visit_begin(&client->visit, NULL, hello);
    client->told_away = false;
    client->state = WEFT_STATE_UP;
    client->flush_due = true;
    weft_calls_cut(&client->calls);
    finish_all(client, true, &error);
    for (uint32_t i = 0; i < client->calls.count; i++) {
        client->calls.items[i].refused = false;
    }
}

void weft_line_greet(struct weft_client *client)
{
    struct weft_error error;
    msgpack_sbuffer params;
    uint32_t *unanswered = malloc(WEFT_CALLS_MAX * sizeof *unanswered);
    msgpack_sbuffer_init(&params);
    client->state = WEFT_STATE_GREETING;
    client->hello_id = client->calls.msgid_next++;
    bool sent = unanswered != NULL;
    if (client->follow.going == WEFT_GOING_GREETS) {
        sent =
            sent && msgpack_sbuffer_write(&params, client->visit.hello.data, client->visit.hello.size) == 0;
    } else {
        sent = sent && weft_visit_resumption(&client->visit, unanswered,
                                             weft_calls_unanswered(&client->calls, unanswered), &params);
    }
    free(unanswered);
    sent = sent ? weft_outbox_greet(client, &params, &error) : weft_fail_memory(&error);
    msgpack_sbuffer_destroy(&params);
    if (!sent && !weft_client_is_cut(client)) {
        weft_line_lose(client, &error);
    }
}

static void subscribe_again(struct weft_client *client)
{
    for (uint32_t i = 0; i < client->visit.stream_count;) {
        const uint32_t id = client->visit.streams[i].id;
        struct weft_error error;
        uint64_t ticket;
        const bool asked = weft_outbox_subscribe(client, id, NULL, &ticket, &error);
        i += asked;
        if (asked) {
            continue;
        }
        weft_visit_drop_stream(&client->visit, id);
        weft_client_tell_closed(client, id, &error);
    }
}

void weft_line_greeted(struct weft_client *client, const msgpack_object *failure,
                       const msgpack_object *result)
{
    struct weft_error error;
    if (client->follow.going == WEFT_GOING_GREETS) {
        const bool refused = failure->type != MSGPACK_OBJECT_NIL;
        if (refused) {
            weft_error_from(&error, failure);
        }
        client->transport->steps->greeted(client, refused ? &error : NULL, result);
        return;
    }
    if (failure->type != MSGPACK_OBJECT_NIL) {
        static const char *const passing[] = {"LIMIT", "BUSY", "SHUTDOWN"};
        weft_error_from(&error, failure);
        bool again = error.kind == WEFT_KIND_SERVER;
        for (size_t i = 0; i < sizeof passing / sizeof *passing; i++) {
            again = again || strcmp(error.code, passing[i]) == 0;
        }
        if (again) {
            error.kind = WEFT_KIND_TRANSPORT;
            strcpy(error.code, "CLOSED");
        } else {
            weft_client_stay_away(client);
        }
        weft_line_lose(client, &error);
        return;
    }
    const bool resumed = weft_bool(weft_get(result, "resumed"), false);
    struct weft_view lost;
    weft_visit_begin(&client->visit, NULL, result);
    client->state = WEFT_STATE_UP;
    client->told_away = false;
    client->flush_due = true;
    if (resumed) {
        weft_view_u32(weft_get(result, "lost"), &lost);
        weft_calls_again(&client->calls, lost.u32, lost.count);
        weft_view_deinit(&lost);
        if (client->follow.going == WEFT_GOING_NOT) {
            subscribe_again(client);
        }
    } else {
        client->follow.going = WEFT_GOING_NOT;
        // It may be another server behind the same address, which has not noticed yet that the one before has died.
        client->follow.opening_ms = weft_now_ms() + WEFT_OPENING_MS;
        weft_visit_clear(&client->visit);
        weft_fail(&error, WEFT_KIND_TRANSPORT, "LOST",
                  "the session is gone, and nobody knows what became of what it was asked");
        finish_all(client, true, &error);
        weft_calls_again(&client->calls, NULL, 0);
    }
    weft_line_tell(client, resumed ? WEFT_BACK : WEFT_ANEW, result, NULL);
}
