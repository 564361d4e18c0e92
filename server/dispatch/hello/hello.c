// session.hello: the token that it shows, and what becomes of those that are wrong.
//
//     wrong ─▶ nothing is read from this session ─▶ 0.25 s, 0.5 s, 1 s, … 4 s later: refused, and the connection ends
//
// The wait belongs to the address: it doubles with each mistake of the last minute. Only a session with a wrong token waits. A
// good token from the same address is accepted at once, because no number of guesses makes the next one likelier to be right.
#include "dispatch/hello/hello.h"

#include "access/access.h"
#include "base/clock.h"
#include "dispatch/call.h"
#include "dispatch/later.h"
#include "dispatch/route/route.h"
#include "host/badge.h"
#include "host/session.h"
#include "net/net.h"
#include "protocol/array.h"
#include "protocol/error.h"
#include "protocol/params.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

enum { WAIT_MS = 250, DOUBLINGS_MAX = 4, ORIGINS = 256 };

static const uint64_t forgiven_ns = 60000000000;

// The mistakes of each address, in the place that its number falls on. Addresses that share a place wait for each other's.
struct dispatch_hello_failures {
    struct {
        uint64_t origin, at_ns;
        uint32_t count;
    } of[ORIGINS];
};

struct dispatch_hello_failing {
    struct dispatch_server *server;
    struct dispatch_later *later;
    struct net_timer *timer;
    struct protocol_error error;
    struct dispatch_hello_failing *next;
};

static uint32_t count_failure(struct dispatch_server *server, uint64_t origin)
{
    if (!server->failures) {
        server->failures = calloc(1, sizeof *server->failures);
    }
    if (!server->failures) {
        return DOUBLINGS_MAX;
    }
    const uint64_t now_ns = base_now_ns();
    const uint32_t place = (uint32_t)((origin * UINT64_C(0x9e3779b97f4a7c15)) >> 56);
    if (server->failures->of[place].origin != origin ||
        now_ns - server->failures->of[place].at_ns > forgiven_ns) {
        server->failures->of[place].count = 0;
    }
    server->failures->of[place].origin = origin;
    server->failures->of[place].at_ns = now_ns;
    return server->failures->of[place].count++;
}

static void end(struct dispatch_hello_failing *failing)
{
    struct host_sessions *sessions = failing->later->sessions;
    struct dispatch_hello_failing **at = &failing->server->failing;
    while (*at != failing) {
        at = &(*at)->next;
    }
    *at = failing->next;
    net_timer_stop(failing->timer);
    host_sessions_enter(sessions);
    const uint32_t id = failing->later->asker.session;
    dispatch_later_refuse(failing->later, &failing->error);
    struct host_session *session = host_session_find(sessions, id);
    if (session) {
        host_session_dismiss(session, failing->error.text);
    }
    host_sessions_leave(sessions);
    free(failing);
}

static void on_time(void *context)
{
    end(context);
}

enum dispatch_hello_token dispatch_hello_fail(struct dispatch_call *call, const char *field, const char *text)
{
    struct dispatch_server *server = call->server;
    protocol_error_set(call->error, PROTOCOL_CODE_DENIED, field, "%s", text);
    host_audit(call->session, "hello", &(struct host_deed){.outcome = "DENIED", .detail = text});
    const uint32_t before = count_failure(server, host_session_origin(call->session));
    struct dispatch_hello_failing *failing = calloc(1, sizeof *failing);
    struct dispatch_later *later = failing ? dispatch_later_begin(call, true) : NULL;
    if (!later) {
        free(failing);
        host_session_fail(call->session, "a mistake");
        return DISPATCH_HELLO_REFUSED;
    }
    *failing = (struct dispatch_hello_failing){.server = server, .later = later, .error = *call->error};
    failing->next = server->failing;
    server->failing = failing;
    const uint64_t wait_ms = WAIT_MS << (before < DOUBLINGS_MAX ? before : DOUBLINGS_MAX);
    failing->timer = net_timer_start(server->loop, wait_ms, 0, on_time, failing);
    if (!failing->timer) {
        end(failing);
    }
    return DISPATCH_HELLO_LATER;
}

void dispatch_hello_stop(struct dispatch_server *server)
{
    while (server->failing) {
        end(server->failing);
    }
    free(server->failures);
    server->failures = NULL;
}

// Once a second at most: a token that nobody knows may have been made beside the server.
static bool know(struct dispatch_server *server, const struct protocol_string *token,
                 struct access_person *person)
{
    const uint64_t now_s = base_wall_us() / 1000000;
    if (access_know(server->book, token, now_s, person)) {
        return true;
    }
    const uint64_t now_ns = base_now_ns();
    if (server->adopted_ns != 0 && now_ns < server->adopted_ns + 1000000000) {
        return false;
    }
    server->adopted_ns = now_ns;
    return access_adopt(server->book) > 0 && access_know(server->book, token, now_s, person);
}

static enum dispatch_hello_token show_token(struct dispatch_call *call, const struct protocol_string *token)
{
    struct dispatch_server *server = call->server;
    struct host_session *session = call->session;
    struct access_person person;
    if (!server->book || (token->size == 0 && host_session_known(session))) {
        return DISPATCH_HELLO_GOOD;
    }
    if (token->size == 0) {
        protocol_error_set(call->error, PROTOCOL_CODE_DENIED, "token",
                           "token: missing; this server asks for one (session.hello {token})");
        return DISPATCH_HELLO_REFUSED;
    }
    if (!know(server, token, &person)) {
        return dispatch_hello_fail(call, "token", "token: it is wrong, has expired, or was revoked");
    }
    if (host_session_person(session) && strcmp(host_person_key(session), person.name) != 0) {
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

// ---------------------------------------------------------------------------------------------------------
// session.hello

static const struct protocol_array no_ids = {.type = PROTOCOL_ARRAY_U32};

static int hello_role(enum protocol_role role)
{
    return role == PROTOCOL_ROLE_ADMIN    ? PROTOCOL_SESSION_HELLO_RESULT_ROLE_ADMIN
           : role == PROTOCOL_ROLE_EDITOR ? PROTOCOL_SESSION_HELLO_RESULT_ROLE_EDITOR
                                          : PROTOCOL_SESSION_HELLO_RESULT_ROLE_VIEWER;
}

bool dispatch_session_hello(struct dispatch_call *call)
{
    const struct protocol_session_hello_params *params = call->params;
    const enum dispatch_hello_token token = show_token(call, &params->token);
    if (token != DISPATCH_HELLO_GOOD) {
        return token == DISPATCH_HELLO_LATER;
    }
    const struct dispatch_hello_resumed *resumed;
    if (!dispatch_hello_resume(call, &resumed)) {
        return false;
    }
    if (!resumed) {
        host_session_introduce(call->session, &params->client, &params->user,
                               (enum protocol_arrays_mode)params->arrays,
                               (enum protocol_errors_mode)params->errors);
        dispatch_route_introduced(call->server, call->session, params);
        host_session_set_follows(call->session, params->follow);
        host_session_set_away(call->session, params->hops > 0 && params->away);
        if (call->wants_answer && params->hops == 0) {
            (void)host_session_keep(call->session, call->msgid);
        }
    }
    const struct world_asker asker = host_session_asker(call->session);
    struct protocol_list servers = {.count = 0};
    if (host_session_follows(call->session)) {
        (void)dispatch_route_servers(call, &servers); // who is not told finds them by server.list
    }
    protocol_encode(&protocol_session_hello_result_type,
                    &(struct protocol_session_hello_result){
                        .has = servers.count > 0
                                   ? PROTOCOL_HAS_ALL
                                   : PROTOCOL_HAS_ALL & ~PROTOCOL_HAS_SESSION_HELLO_RESULT_SERVERS,
                        .servers = servers,
                        .session = asker.session,
                        .name = protocol_text("weft"),
                        .version = protocol_text(PROTOCOL_VERSION),
                        .api_level = PROTOCOL_API_LEVEL,
                        .api_compatible = PROTOCOL_API_COMPATIBLE,
                        .user = protocol_text(asker.user),
                        .role = hello_role(host_session_role(call->session)),
                        .tokens = host_sessions_ask(host_session_owner(call->session)),
                        .arrays = (int)asker.arrays,
                        .errors = (int)asker.errors,
                        .resume = protocol_text(host_session_key(call->session)),
                        .grace = host_sessions_grace_s(host_session_owner(call->session)),
                        .resumed = resumed != NULL,
                        .lost = resumed ? resumed->lost : no_ids,
                        .rejoin = resumed ? resumed->rejoin : no_ids,
                    },
                    asker.arrays, call->packer);
    return true;
}
