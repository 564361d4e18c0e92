// Going to the server that runs a world, if several servers share worlds, and to another server if one has died. The
// whole client goes, unless something else holds it.
//
//     refused with MOVED, or told of a move ─▶ settles ─▶ dials ─▶ greets ─▶ settles in ─▶ what was refused is asked again
//                                                │ held      │ no server        │   ▲ └─ sent on ─▶ dials
//                                                └──▶ stays ◀┘                  ▼   └─ BUSY: again
//     away for LAPSE_MS (astray) ────────────────────────────▶ dials ─▶ greets ─┴─▶ lost, or away again
//
// Until it is connected there it stays where it is, and calls under way are answered; new calls wait. If the connection
// that it leaves is lost before (adrift), it goes all the same.
#include "follow.h"
#include "line.h"
#include "outbox.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOVES_MAX = 8,
    MOVES_MS = 10000,
    SETTLE_MS = 10000,
    PAUSE_MS = 50,
    LAPSE_MS =
        3000, // so long a server is away before another is tried: its worlds run there soon, or it is back by then
};

static void wake_at(struct weft_client *client, int64_t at_ms)
{
    client->follow.wake_ms = at_ms;
    client->transport->wake(client);
}

static void step(struct weft_client *client, enum weft_going going, int64_t for_ms)
{
    client->follow.going = going;
    client->follow.until_ms = weft_now_ms() + for_ms;
    wake_at(client, client->follow.until_ms);
}

// Takes the next step at once, after the current callback.
static void soon(struct weft_client *client)
{
    client->flush_due = true;
    wake_at(client, 0);
}

// ---------------------------------------------------------------------------------------------------------
// Whether it goes

static bool is_held(const struct weft_client *client)
{
    const struct weft_visit *visit = &client->visit;
    if (client->lost || client->state != WEFT_STATE_UP) {
        return false;
    }
    for (uint32_t i = 0; i < visit->seen_count; i++) {
        if (!visit->seen[i].moved && !visit->seen[i].gone) {
            return true;
        }
    }
    for (uint32_t i = 0; i < visit->stream_count; i++) {
        if (visit->streams[i].at_server != 0) {
            return true;
        }
    }
    return false;
}

// Servers that keep naming each other are followed only so often.
static bool may_move(struct weft_follow *follow)
{
    const int64_t now = weft_now_ms();
    if (now - follow->since_ms > MOVES_MS) {
        follow->since_ms = now;
        follow->moves = 0;
    }
    return follow->moves < MOVES_MAX;
}

// Sends refused calls again: first one alone, and then the others.
static void go_on(struct weft_client *client)
{
    client->follow.going = WEFT_GOING_NOT;
    client->follow.probing = true;
    weft_calls_renumber(&client->calls);
    soon(client);
}

static void tell_arrived(struct weft_client *client)
{
    static const char name[] = "rejoin";
    if (!client->follow.arrived || client->state != WEFT_STATE_UP || client->closing) {
        return;
    }
    msgpack_object_kv entry = {.key = {.type = MSGPACK_OBJECT_STR, .via = {.str = {sizeof name - 1, name}}}};
    client->follow.arrived = false;
    (void)weft_visit_rejoin(&client->visit, &entry.val);
    const msgpack_object fields = {.type = MSGPACK_OBJECT_MAP, .via = {.map = {1, &entry}}};
    weft_line_tell(client, WEFT_MOVED, &fields, NULL);
    free(entry.val.via.array.ptr);
}

// Handles the loss of a connection that was to be left anyway, like any other loss.
static void drift_ashore(struct weft_client *client)
{
    const struct weft_error loss = client->loss;
    client->follow.adrift = false;
    client->state = WEFT_STATE_UP;
    weft_line_lose(client, &loss);
}

// Ends with MOVED the calls that were refused with it.
static void refuse(struct weft_client *client, const struct weft_error *error)
{
    struct weft_pending taken;
    for (uint32_t i = 0; i < client->calls.count;) {
        const struct weft_pending *pending = &client->calls.items[i];
        if (pending->refused && weft_calls_take(&client->calls, pending->msgid, &taken)) {
            weft_client_finish(client, &taken, error, NULL);
            i = 0; // the callback may have made other calls
        } else {
            i++;
        }
    }
}

static void stay(struct weft_client *client, const struct weft_error *why)
{
    struct weft_follow *follow = &client->follow;
    struct weft_visit *visit = &client->visit;
    struct weft_error refused;
    weft_fail(&refused, WEFT_KIND_CALLER, "MOVED", "%s", why->text);
    memcpy(refused.address, follow->there, sizeof refused.address);
    follow->to[0] = '\0';
    weft_calls_cut(&client->calls);
    go_on(client);
    refuse(client, &refused);
    if (follow->adrift) {
        drift_ashore(client);
    }
    for (uint32_t i = 0; i < visit->stream_count && client->state == WEFT_STATE_UP;) {
        const uint32_t id = visit->streams[i].id;
        if (visit->streams[i].at_server != 0) {
            i++;
            continue;
        }
        weft_visit_drop_stream(visit, id);
        weft_client_tell_closed(client, id, why);
        i = 0;
    }
    tell_arrived(client);
}

// ---------------------------------------------------------------------------------------------------------
// There

static void dial(struct weft_client *client)
{
    step(client, WEFT_GOING_DIALS, WEFT_TRY_MS);
    client->transport->ways->dial(client);
}

static bool find(struct weft_client *client, const char *address, struct weft_error *error)
{
    struct weft_follow *follow = &client->follow;
    weft_text_copy(follow->there, sizeof follow->there, address, strlen(address));
    if (!weft_address_parse(follow->there, &follow->address, error)) {
        return false;
    }
    // A token is never sent where others can read it, and a client without TLS cannot verify the other server.
    return !!client->secure == follow->address.secure ||
           weft_fail(error, WEFT_KIND_TRANSPORT, "TLS",
                     "a world moved to %s: one speaks TLS and the other does not", follow->there);
}

static void leave(struct weft_client *client)
{
    struct weft_follow *follow = &client->follow;
    struct weft_error error = {0};
    char to[WEFT_ADDRESS_SIZE];
    memcpy(to, follow->to, sizeof to);
    follow->to[0] = '\0';
    memcpy(follow->there, to, sizeof to);
    if (is_held(client)) {
        weft_fail(&error, WEFT_KIND_CALLER, "MOVED",
                  "the world runs at %s, and something else holds this client where it is", to);
    } else if (!follow->adrift && weft_calls_sent(&client->calls) > 0) {
        weft_fail(&error, WEFT_KIND_CALLER, "MOVED",
                  "the world runs at %s, and other calls of this client are not answered here", to);
    } else if (!may_move(follow)) {
        weft_fail(&error, WEFT_KIND_CALLER, "MOVED", "%d servers in a row named another; the last is at %s",
                  MOVES_MAX, to);
    } else if (find(client, to, &error)) {
        dial(client);
        return;
    }
    stay(client, &error);
}

// Repeats the calls that were refused, as if they had not been.
static void ask_later(struct weft_client *client)
{
    for (uint32_t i = 0; i < client->calls.count; i++) {
        struct weft_pending *pending = &client->calls.items[i];
        if (pending->refused) {
            pending->hops--;
        }
        pending->refused = false;
    }
}

void weft_follow_dialed(struct weft_client *client, const struct weft_error *error)
{
    struct weft_follow *follow = &client->follow;
    if (follow->going != WEFT_GOING_DIALS) {
        return;
    }
    if (!error) {
        follow->moves++;
        if (!follow->astray) {
            client->visit.key[0] = '\0';
        }
        follow->going = WEFT_GOING_GREETS;
        wake_at(client, INT64_MAX); // the owner of the socket bounds the time for that
        client->transport->ways->change(client, !follow->adrift && !follow->astray);
    } else if (follow->astray) {
        follow->going = WEFT_GOING_NOT;
        follow->astray = false;
        client->state = WEFT_STATE_TRYING;
        weft_line_lose(client, error);
    } else if (client->state == WEFT_STATE_UP && weft_now_ms() < follow->opening_ms) {
        // The named server has died, and this server has not noticed yet. The world has not moved.
        ask_later(client);
        step(client, WEFT_GOING_SETTLES_IN, WEFT_OPENING_MS);
        follow->pause_ms = weft_now_ms() + PAUSE_MS;
        wake_at(client, follow->pause_ms);
    } else {
        struct weft_error why;
        weft_fail(&why, WEFT_KIND_TRANSPORT, "CONNECT", "a world moved to %s, and there is no server: %.300s",
                  follow->there, error->text);
        stay(client, &why);
    }
}

static void greeted(struct weft_client *client, const struct weft_error *error, const msgpack_object *hello)
{
    struct weft_follow *follow = &client->follow;
    struct weft_error why;
    if (error) {
        weft_fail(&why, WEFT_KIND_TRANSPORT, "CLOSED", "not let in at %s, where a world moved: %.300s",
                  follow->there, error->text);
        if (!follow->astray) {
            weft_client_stay_away(client);
        }
        weft_line_lose(client, &why);
        return;
    }
    follow->astray = follow->adrift = follow->asking = false;
    follow->arrived = true;
    follow->to[0] = '\0';
    client->home = follow->address;
    client->transport->ways->settle(client);
    follow->pause_ms = 0;
    step(client, WEFT_GOING_SETTLES_IN, WEFT_OPENING_MS);
    follow->opening_ms = follow->until_ms;
    weft_line_arrive(client, hello);
}

// ---------------------------------------------------------------------------------------------------------
// Settling in: one after the other

static void on_own(void *context, struct weft_client *client, const struct weft_error *error,
                   struct weft_reply *reply)
{
    (void)context;
    (void)reply;
    struct weft_follow *follow = &client->follow;
    follow->asking = false;
    if (!error || follow->going != WEFT_GOING_SETTLES_IN || client->lost || client->state != WEFT_STATE_UP) {
        return;
    }
    const bool moved = strcmp(error->code, "MOVED") == 0, opening = strcmp(error->code, "BUSY") == 0;
    if ((opening || (moved && !error->address[0])) && weft_now_ms() < follow->opening_ms) {
        follow->pause_ms = weft_now_ms() + PAUSE_MS;
    } else if (moved && error->address[0] && !is_held(client)) {
        memcpy(follow->to, error->address, sizeof follow->to);
    } else if (follow->world) {
        weft_visit_miss(&client->visit, follow->world);
    } else if (weft_visit_stream(&client->visit, follow->stream)) {
        weft_visit_drop_stream(&client->visit, follow->stream);
        weft_client_tell_closed(client, follow->stream, error);
    }
}

static bool ask_join(struct weft_client *client, struct weft_error *error)
{
    struct weft_params params;
    weft_params_init(&params);
    weft_params_u64(&params, "world", client->follow.world);
    const bool asked = weft_outbox_ask(client, "world.join", &params, on_own, &client->follow.ticket, error);
    weft_params_deinit(&params);
    return asked;
}

// Asks for the next world to join, or else for the next stream. False if nothing is left.
static bool ask_next(struct weft_client *client)
{
    struct weft_follow *follow = &client->follow;
    const struct weft_visit *visit = &client->visit;
    struct weft_error error;
    follow->world = follow->stream = 0;
    for (uint32_t i = 0; i < visit->seen_count && !follow->world; i++) {
        follow->world = visit->seen[i].moved ? visit->seen[i].world : 0;
    }
    for (uint32_t i = 0; i < visit->stream_count && !follow->world && !follow->stream; i++) {
        follow->stream = visit->streams[i].at_server == 0 ? visit->streams[i].id : 0;
    }
    if (!follow->world && !follow->stream) {
        return false;
    }
    follow->asking = true;
    follow->until_ms = weft_now_ms() + WEFT_OPENING_MS;
    wake_at(client, follow->until_ms);
    if (!(follow->world ? ask_join(client, &error)
                        : weft_outbox_subscribe(client, follow->stream, on_own, &follow->ticket, &error))) {
        on_own(NULL, client, &error, NULL);
    }
    return true;
}

static void settle_in(struct weft_client *client)
{
    struct weft_follow *follow = &client->follow;
    const int64_t now = weft_now_ms();
    if (follow->asking && now >= follow->until_ms) {
        struct weft_error error;
        weft_fail(&error, WEFT_KIND_TRANSPORT, "TIMEOUT", "its world moved to %s, which is silent",
                  client->address);
        weft_calls_forget(&client->calls, follow->ticket);
        on_own(NULL, client, &error, NULL);
    }
    while (!follow->asking && !client->closing && follow->going == WEFT_GOING_SETTLES_IN) {
        if (follow->to[0] && !is_held(client)) {
            leave(client);
        } else if (now < follow->pause_ms) {
            wake_at(client, follow->pause_ms);
            return;
        } else if (!ask_next(client)) {
            go_on(client);
            tell_arrived(client);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------
// Steps

static void on_pong(void *context, struct weft_client *client, const struct weft_error *error,
                    struct weft_reply *reply)
{
    (void)context;
    (void)client;
    (void)error;
    (void)reply;
}

// All that the server says of the move comes before its answer.
static void begin(struct weft_client *client)
{
    struct weft_error error;
    step(client, WEFT_GOING_SETTLES, SETTLE_MS);
    (void)weft_outbox_ask(client, "server.ping", NULL, on_pong, &client->follow.ticket, &error);
}

static bool has_own(const struct weft_client *client)
{
    for (uint32_t i = 0; i < client->calls.count; i++) {
        if (client->calls.items[i].own) {
            return true;
        }
    }
    return false;
}

static void turn(struct weft_client *client)
{
    struct weft_follow *follow = &client->follow;
    const int64_t now = weft_now_ms();
    if (client->lost || client->closing || follow->over) {
        return;
    }
    if (now >= follow->wake_ms) {
        wake_at(client, INT64_MAX);
    }
    if (follow->going == WEFT_GOING_PAUSES && now >= follow->pause_ms) {
        go_on(client);
    }
    if (follow->going == WEFT_GOING_NOT && follow->to[0] && client->state == WEFT_STATE_UP) {
        begin(client);
    }
    if (follow->going == WEFT_GOING_SETTLES) {
        if (follow->adrift || now >= follow->until_ms ||
            (!has_own(client) && weft_calls_sent(&client->calls) == 0)) {
            leave(client);
        }
    } else if (follow->going == WEFT_GOING_DIALS && now >= follow->until_ms) {
        struct weft_error error;
        client->transport->ways->undial(client);
        weft_fail(&error, WEFT_KIND_TRANSPORT, "TIMEOUT", "%s does not answer", follow->there);
        weft_follow_dialed(client, &error);
    } else if (follow->going == WEFT_GOING_SETTLES_IN && client->state == WEFT_STATE_UP) {
        settle_in(client);
    }
}

static void told(struct weft_client *client, const char *address)
{
    struct weft_follow *follow = &client->follow;
    if (!weft_client_follows(client) || !address[0]) {
        return;
    }
    weft_text_copy(follow->to, sizeof follow->to, address, strlen(address));
    client->flush_due = true;
}

static bool takes(struct weft_client *client, struct weft_pending *pending, struct weft_error *error)
{
    struct weft_follow *follow = &client->follow;
    const int64_t now = weft_now_ms();
    const bool moved = strcmp(error->code, "MOVED") == 0, named = error->address[0] != '\0';
    if (!weft_client_follows(client) || pending->own || !pending->method ||
        (!moved && (strcmp(error->code, "BUSY") != 0 || now >= follow->opening_ms))) {
        return false;
    }
    if (moved && pending->hops >= MOVES_MAX) {
        struct weft_error why;
        weft_fail(&why, WEFT_KIND_CALLER, "MOVED", "%d servers in a row named another: %.400s", MOVES_MAX,
                  error->text);
        memcpy(error->text, why.text, sizeof error->text);
        return false;
    }
    pending->hops += moved;
    pending->sent = false;
    pending->due = pending->again = true;
    if (named && moved) {
        pending->refused = true;
        told(client, error->address);
    } else if (follow->going == WEFT_GOING_NOT) {
        // The world is about to be opened, or is in the middle of a move: a second request gets the new address.
        follow->going = WEFT_GOING_PAUSES;
        follow->pause_ms = now + (int64_t)PAUSE_MS * (moved ? pending->hops : 1);
        wake_at(client, follow->pause_ms);
    }
    client->flush_due = true;
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// When connections are lost

static bool cut(struct weft_client *client, const struct weft_error *error)
{
    struct weft_follow *follow = &client->follow;
    const bool leaves = follow->going == WEFT_GOING_SETTLES ||
                        (follow->going == WEFT_GOING_DIALS && !follow->astray) ||
                        (follow->going == WEFT_GOING_NOT && follow->to[0]);
    if (follow->over) {
        return false;
    }
    if (follow->adrift && follow->going != WEFT_GOING_GREETS) {
        return true;
    }
    if (leaves && client->state == WEFT_STATE_UP && !is_held(client)) {
        // The server may have given away its worlds because it shuts down.
        follow->adrift = true;
        follow->going = follow->going == WEFT_GOING_DIALS ? WEFT_GOING_DIALS : WEFT_GOING_SETTLES;
        client->loss = *error;
        client->state = WEFT_STATE_AWAY;
        weft_calls_cut(&client->calls);
        client->transport->ways->hang_up(client);
        if (follow->going == WEFT_GOING_SETTLES) {
            wake_at(client, 0);
        }
        return true;
    }
    if (client->state == WEFT_STATE_AWAY) {
        return false;
    }
    if (leaves && follow->going == WEFT_GOING_DIALS) {
        client->transport->ways->undial(client);
    }
    if (follow->going == WEFT_GOING_GREETS) {
        weft_client_name(client, &client->home);
    }
    // Worlds and streams that it has not joined yet follow when the connection is back.
    if (follow->going != WEFT_GOING_SETTLES_IN || !client->resumes) {
        follow->going = WEFT_GOING_NOT;
    }
    follow->astray = follow->adrift = follow->asking = follow->probing = false;
    follow->to[0] = '\0';
    // The client's own requests may have gone out before calls that wait.
    weft_calls_renumber(&client->calls);
    return false;
}

bool weft_follow_elsewhere(struct weft_client *client)
{
    const struct weft_visit *visit = &client->visit;
    struct weft_error error;
    if (!weft_client_follows(client) || visit->other_count == 0 || client->failures % 2 != 0 ||
        weft_now_ms() - client->away_since_ms < LAPSE_MS ||
        !find(client, visit->others[client->failures / 2 % visit->other_count], &error)) {
        return false;
    }
    client->follow.astray = true;
    dial(client);
    return true;
}

static void end(struct weft_client *client)
{
    struct weft_follow *follow = &client->follow;
    if (follow->going == WEFT_GOING_DIALS) {
        client->transport->ways->undial(client);
    }
    follow->over = true;
    follow->going = WEFT_GOING_NOT;
    follow->probing = follow->adrift = false;
    follow->to[0] = '\0';
}

const struct weft_steps weft_follow_steps = {
    .told = told, .takes = takes, .turn = turn, .greeted = greeted, .cut = cut, .end = end};
