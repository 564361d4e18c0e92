// session.hello with a token, and what becomes of those that are wrong.
//
//     wrong ─▶ nothing is read from this session ─▶ 0.25 s, 0.5 s, 1 s, … 4 s later: refused, and the connection ends
//
// The wait is that of the address: it doubles with each mistake of the last minute. Only who is wrong waits; who shows a good
// token from the same address is let in at once, since no number of guesses makes the next one likelier to be right.
#include "dispatch/permit/permit.h"

#include "base/clock.h"
#include "base/log.h"
#include "dispatch/call.h"
#include "dispatch/later.h"
#include "host/badge.h"
#include "host/session.h"
#include "net/net.h"
#include "protocol/error.h"

#include <stdlib.h>
#include <string.h>

enum { WAIT_MS = 250, DOUBLINGS_MAX = 4, ORIGINS = 256 };

static const uint64_t forgiven_ns = 60000000000;

// Of one address, in the place that its number falls on: who shares it with others waits for their mistakes too.
struct dispatch_failures {
    struct {
        uint64_t origin, at_ns;
        uint32_t count;
    } of[ORIGINS];
};

struct dispatch_failing {
    struct dispatch_access *access;
    struct dispatch_later *later;
    struct net_timer *timer;
    struct protocol_error error;
    struct dispatch_failing *next;
};

static uint32_t count_failure(struct dispatch_access *access, uint64_t origin)
{
    if (access->failures == NULL)
        access->failures = calloc(1, sizeof *access->failures);
    if (access->failures == NULL)
        return DOUBLINGS_MAX;
    const uint64_t now_ns = base_now_ns();
    const uint32_t place = (uint32_t)((origin * UINT64_C(0x9e3779b97f4a7c15)) >> 56);
    if (access->failures->of[place].origin != origin ||
        now_ns - access->failures->of[place].at_ns > forgiven_ns)
        access->failures->of[place].count = 0;
    access->failures->of[place].origin = origin;
    access->failures->of[place].at_ns = now_ns;
    return access->failures->of[place].count++;
}

static void end(struct dispatch_failing *failing)
{
    struct host_sessions *sessions = failing->later->sessions;
    struct dispatch_failing **at = &failing->access->failing;
    while (*at != failing)
        at = &(*at)->next;
    *at = failing->next;
    net_timer_stop(failing->timer);
    host_sessions_enter(sessions);
    const uint32_t id = failing->later->asker.session;
    dispatch_later_refuse(failing->later, &failing->error);
    struct host_session *session = host_session_find(sessions, id);
    if (session != NULL)
        host_session_dismiss(session, failing->error.text);
    host_sessions_leave(sessions);
    free(failing);
}

static void on_time(void *context)
{
    end(context);
}

enum dispatch_hello dispatch_hello_fail(struct dispatch_call *call, const char *field, const char *text)
{
    struct dispatch_access *access = call->server->access;
    protocol_error_set(call->error, PROTOCOL_CODE_DENIED, field, "%s", text);
    host_audit(call->session, "hello", &(struct host_deed){.outcome = "DENIED", .detail = text});
    const uint32_t before = count_failure(access, host_session_origin(call->session));
    struct dispatch_failing *failing = calloc(1, sizeof *failing);
    struct dispatch_later *later = failing != NULL ? dispatch_later_begin(call, true) : NULL;
    if (later == NULL) {
        free(failing);
        host_session_fail(call->session, "a mistake");
        return DISPATCH_HELLO_REFUSED;
    }
    *failing = (struct dispatch_failing){.access = access, .later = later, .error = *call->error};
    failing->next = access->failing;
    access->failing = failing;
    const uint64_t wait_ms = WAIT_MS << (before < DOUBLINGS_MAX ? before : DOUBLINGS_MAX);
    failing->timer = net_timer_start(call->server->loop, wait_ms, 0, on_time, failing);
    if (failing->timer == NULL)
        end(failing);
    return DISPATCH_HELLO_LATER;
}

void dispatch_hello_stop(struct dispatch_access *access)
{
    while (access->failing != NULL)
        end(access->failing);
    free(access->failures);
    access->failures = NULL;
}

// Once a second at most: a token that nobody knows may have been made beside the server.
static bool know(struct dispatch_access *access, const struct protocol_string *token,
                 struct access_person *person)
{
    const uint64_t now_s = base_wall_us() / 1000000;
    if (access_know(access->book, token, now_s, person))
        return true;
    const uint64_t now_ns = base_now_ns();
    if (access->adopted_ns != 0 && now_ns < access->adopted_ns + 1000000000)
        return false;
    access->adopted_ns = now_ns;
    return access_adopt(access->book) > 0 && access_know(access->book, token, now_s, person);
}

enum dispatch_hello dispatch_hello(struct dispatch_call *call, const struct protocol_string *token)
{
    struct dispatch_access *access = call->server->access;
    struct host_session *session = call->session;
    struct access_person person;
    if (access == NULL || access->book == NULL || (token->size == 0 && host_session_known(session)))
        return DISPATCH_HELLO_GOOD;
    if (token->size == 0) {
        protocol_error_set(call->error, PROTOCOL_CODE_DENIED, "token",
                           "token: missing; this server asks for one (session.hello {token})");
        return DISPATCH_HELLO_REFUSED;
    }
    if (!know(access, token, &person))
        return dispatch_hello_fail(call, "token", "token: it is wrong, has expired, or was revoked");
    if (host_session_person(session) != NULL && strcmp(host_person_key(session), person.name) != 0) {
        protocol_error_set(call->error, PROTOCOL_CODE_DENIED, "token",
                           "token: this session is somebody else's already");
        return DISPATCH_HELLO_REFUSED;
    }
    if (!host_session_vouch(session, &person)) {
        protocol_error_set(call->error, PROTOCOL_CODE_MEMORY, NULL, "no memory for this session");
        return DISPATCH_HELLO_REFUSED;
    }
    host_audit(session, "hello", &(struct host_deed){.outcome = "ok"});
    return DISPATCH_HELLO_GOOD;
}
