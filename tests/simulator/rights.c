// A model of who may do what in a world, as far as it follows from what was asked and answered: roles, the role that control needs, and
// who holds control. What a request must come to is known if nothing that changes this was under way from when it was asked until it
// is answered; else nobody looks at it.
//
//     asked ── begun: nothing is certain ──▶ answered ── done: certain again, unless two changes were under way at once
//
// A change whose answer never comes leaves it uncertain for as long as its bytes may be on their way. access.list and world.control
// tell how things stand after that.
#include "simulator.h"

#include "clock.h"

#include <inttypes.h>
#include <string.h>

// Bytes of a client that gave up come to the server within this time, or never.
static const uint64_t astray_ns = 45 * SECOND;

const char *const control_actions[CONTROL_ACTIONS] = {"look", "take", "release", "ask", "give"};
static const char *const role_names[] = {"viewer", "editor", "owner"};
static const enum protocol_role roles[] = {PROTOCOL_ROLE_VIEWER, PROTOCOL_ROLE_EDITOR, PROTOCOL_ROLE_OWNER};

typedef unsigned long long ull;

// ---------------------------------------------------------------------------------------------------------
// Certainty

static void begin(struct run *run, struct certainty *certainty)
{
    certainty->muddled = certainty->muddled || certainty->under_way > 0;
    certainty->under_way++;
    certainty->since = ++run->moment;
}

// Whether what it came to is known from its own answer.
static bool done(struct run *run, struct certainty *certainty)
{
    const bool clear = !certainty->muddled && simulator_clock.now_ns >= certainty->astray_ns;
    certainty->under_way--;
    certainty->muddled = certainty->muddled && certainty->under_way > 0;
    certainty->since = ++run->moment;
    certainty->known = certainty->known && clear;
    return clear;
}

static void forget(struct run *run, struct certainty *certainty)
{
    certainty->under_way--;
    certainty->known = false;
    certainty->astray_ns = simulator_clock.now_ns + astray_ns;
    certainty->since = ++run->moment;
}

static void doubt(struct run *run, struct certainty *certainty)
{
    certainty->known = false;
    certainty->muddled = certainty->under_way > 0;
    certainty->since = ++run->moment;
}

// Nothing has changed it since that was asked.
static bool stood_still(const struct certainty *certainty, const struct asked *asked)
{
    return certainty->under_way == 0 && certainty->since < asked->moment &&
           simulator_clock.now_ns >= certainty->astray_ns;
}

static bool is_certain(const struct certainty *certainty, const struct asked *asked)
{
    return certainty->known && stood_still(certainty, asked);
}

// ---------------------------------------------------------------------------------------------------------
// Roles

enum protocol_role rights_role(const struct simulated_server *server, const struct rights *rights,
                               uint32_t user)
{
    if (!server->tokens || user == 0) {
        return PROTOCOL_ROLE_ADMIN;
    }
    const enum protocol_role mine = rights->role[user], all = rights->role[USERS];
    return all > mine ? all : mine;
}

static bool is_control(enum protocol_method method)
{
    return method == PROTOCOL_METHOD_WORLD_PLAY || method == PROTOCOL_METHOD_WORLD_PAUSE ||
           method == PROTOCOL_METHOD_WORLD_HOLD || method == PROTOCOL_METHOD_WORLD_STEP ||
           method == PROTOCOL_METHOD_WORLD_RESET;
}

static bool changes_roles(enum protocol_method method)
{
    return method == PROTOCOL_METHOD_ACCESS_GRANT || method == PROTOCOL_METHOD_ACCESS_REVOKE ||
           method == PROTOCOL_METHOD_ACCESS_ACCEPT || method == PROTOCOL_METHOD_ACCESS_SET;
}

static bool changes_control(const struct asked *asked)
{
    return (asked->method == PROTOCOL_METHOD_WORLD_CONTROL && asked->number != CONTROL_LOOK &&
            asked->number != CONTROL_ASK) ||
           asked->method == PROTOCOL_METHOD_ACCESS_SET || asked->method == PROTOCOL_METHOD_WORLD_DELETE;
}

// Sessions that end by it may hold control of any world.
static bool may_expel(enum protocol_method method)
{
    return method == PROTOCOL_METHOD_ACCESS_GRANT || method == PROTOCOL_METHOD_ACCESS_REVOKE;
}

static void doubt_holders(struct simulated_server *server)
{
    server->expelled_ns = simulator_clock.now_ns;
    for (uint32_t i = 0; i < server->world_count; i++) {
        if (server->worlds[i].rights.holder != 0) {
            doubt(server->run, &server->worlds[i].rights.control_certainty);
        }
    }
}

void rights_asked(struct client *client, struct asked *asked)
{
    const bool of_world = asked->world != NO_WORLD;
    asked->moment = ++client->run->moment;
    asked->counts_roles = of_world && client->server->tokens && changes_roles(asked->method);
    asked->counts_control = of_world && changes_control(asked);
    if (client->server->tokens && may_expel(asked->method)) {
        doubt_holders(client->server);
    }
    if (!of_world) {
        return;
    }
    struct rights *rights = &client->server->worlds[asked->world].rights;
    if (asked->method == PROTOCOL_METHOD_WORLD_DELETE) {
        client->server->worlds[asked->world].gone_moment = client->run->moment;
    }
    if (asked->counts_roles) {
        begin(client->run, &rights->role_certainty);
    }
    if (asked->counts_control) {
        begin(client->run, &rights->control_certainty);
    }
    // A change is not uncertain to the request that makes it.
    asked->moment = ++client->run->moment;
}

void rights_forgotten(struct client *client, const struct asked *asked)
{
    struct simulated_server *server = client->server;
    if (asked->world == NO_WORLD || asked->world >= server->world_count) {
        return;
    }
    struct rights *rights = &server->worlds[asked->world].rights;
    if (asked->counts_roles) {
        forget(client->run, &rights->role_certainty);
    }
    if (asked->counts_control) {
        forget(client->run, &rights->control_certainty);
    }
    if (server->tokens && may_expel(asked->method)) {
        doubt_holders(server);
    }
}

void rights_made(struct simulated_server *server, struct known_world *world, uint32_t user, bool restored)
{
    struct rights *rights = &world->rights;
    struct run *run = server->run;
    if (restored) { // nobody holds it at first, but somebody may have asked for it before this was heard
        doubt(run, &rights->control_certainty);
        return;
    }
    run->moment++;
    *rights = (struct rights){.control = PROTOCOL_ROLE_EDITOR,
                              .role_certainty = {.known = true, .since = run->moment},
                              .control_certainty = {.known = true, .since = run->moment}};
    for (uint32_t i = 0; i <= USERS; i++) {
        rights->role[i] = i == user ? PROTOCOL_ROLE_OWNER : PROTOCOL_ROLE_ANYONE;
    }
}

// ---------------------------------------------------------------------------------------------------------
// Who holds control

static const struct client *client_of(const struct simulated_server *server, uint32_t session)
{
    struct run *run = server->run;
    for (uint32_t i = 0; session != 0 && i < run->client_count; i++) {
        const struct client *client = &run->clients[i];
        if (client->server == server && client->session == session) {
            return client;
        }
    }
    return NULL;
}

// Neither side has lost it, as far as that is decided.
static bool is_sound(const struct client *client)
{
    const struct link *link = client->link;
    return link != NULL && client->ready && !client->leaving && !client->dirty && link->peer != NULL &&
           !link->closed && link->lost_ns == 0 && link->zombie_ns == 0 && !link->ended;
}

// Whether it was that one all the time, and nobody else's session can have come to an end.
static bool holder_is_certain(const struct simulated_server *server, const struct rights *rights,
                              const struct asked *asked)
{
    if (!is_certain(&rights->control_certainty, asked)) {
        return false;
    }
    if (rights->holder == 0) {
        return true;
    }
    const struct client *holder = client_of(server, rights->holder);
    return holder != NULL && is_sound(holder) && holder->ready_moment < asked->moment;
}

// Finds the session that holds control once world.control is obeyed. False: it has to be refused.
static bool control_comes_to(const struct client *client, const struct rights *rights,
                             const struct asked *asked, uint32_t *holder)
{
    const bool tokens = client->server->tokens;
    const enum protocol_role role =
        tokens ? rights_role(client->server, rights, client->user) : PROTOCOL_ROLE_EDITOR;
    const bool others = rights->holder != 0 && rights->holder != client->session;
    *holder = rights->holder;
    switch (asked->number) {
    case CONTROL_TAKE:
        *holder = client->session;
        return role >= rights->control && (!others || role >= PROTOCOL_ROLE_OWNER);
    case CONTROL_RELEASE:
        *holder = 0;
        return !others || role >= PROTOCOL_ROLE_OWNER;
    case CONTROL_GIVE:
        *holder = asked->other;
        return (rights->holder == client->session || role >= PROTOCOL_ROLE_OWNER);
    default:
        return true;
    }
}

static void check_control(struct client *client, const struct asked *asked, const struct answer *answer)
{
    struct simulated_server *server = client->server;
    const struct known_world *world = &server->worlds[asked->world];
    const struct rights *rights = &world->rights;
    uint32_t holder;
    if (server->tokens && !is_certain(&rights->role_certainty, asked)) {
        return;
    }
    if (server->tokens && rights_role(server, rights, client->user) == PROTOCOL_ROLE_ANYONE) {
        return;
    }
    const bool allowed = control_comes_to(client, rights, asked, &holder);
    run_counts.controls++;
    if (answer->result == NULL) {
        if (allowed && strcmp(answer->code, "DENIED") == 0) {
            simulator_fail(client->run, "client %u may %s control of world %u, and is told: %s",
                           client->index, control_actions[asked->number], world->id, answer->text);
        }
        return;
    }
    const uint32_t told = (uint32_t)object_number(answer->result, "session");
    if (!allowed || told != holder) {
        simulator_fail(
            client->run,
            "client %u, session %u, asks to %s control of world %u, which session %u holds, and is "
            "told that %u does; it should be %u%s",
            client->index, client->session, control_actions[asked->number], world->id, rights->holder, told,
            holder, allowed ? "" : ", and be refused");
    }
}

// An editor holds it: somebody who may has it be for owners, now and then, and then nobody holds it.
static void take_from_editor(const struct client *holder, const struct asked *asked)
{
    struct run *run = holder->run;
    const struct known_world *world = &holder->server->worlds[asked->world];
    if (asked->number != CONTROL_TAKE || !holder->server->tokens || run->quiet ||
        rights_role(holder->server, &world->rights, holder->user) != PROTOCOL_ROLE_EDITOR ||
        !chance_one_in(&run->network, 2)) {
        return;
    }
    for (uint32_t i = 0; i < run->client_count; i++) {
        struct client *other = &run->clients[i];
        if (other->server != holder->server || !client_may_ask(other) ||
            rights_role(other->server, &world->rights, other->user) < PROTOCOL_ROLE_OWNER) {
            continue;
        }
        run->about.other = 2; // the place of owner
        snprintf(run->text, sizeof run->text, "{'world': %" PRIu32 ", 'control': 'owner'}", world->id);
        client_ask(other, PROTOCOL_METHOD_ACCESS_SET, ASKED_PLAIN, asked->world);
        return;
    }
}

static void hear_control(struct client *client, const struct asked *asked, const struct answer *answer)
{
    struct rights *rights = &client->server->worlds[asked->world].rights;
    const bool clear = asked->counts_control ? done(client->run, &rights->control_certainty)
                                             : stood_still(&rights->control_certainty, asked);
    if (answer->result != NULL && clear) {
        const uint32_t holder = (uint32_t)object_number(answer->result, "session");
        if (!rights->control_certainty.known ||
            rights->holder != holder) { // nobody knows since when it is so
            rights->control_certainty.since = ++client->run->moment;
        }
        rights->holder = holder;
        rights->control_certainty.known = true;
        take_from_editor(client, asked);
    } else if (answer->result == NULL && asked->counts_control && strcmp(answer->code, "DENIED") != 0 &&
               strcmp(answer->code, "NOT_FOUND") != 0) {
        rights->control_certainty.known = false; // it may have been obeyed, and the answer not be kept
    }
}

// ---------------------------------------------------------------------------------------------------------
// What changes roles

static enum protocol_role role_of(const msgpack_object *map, const char *key)
{
    char name[16];
    object_text(map, key, name, sizeof name);
    for (uint32_t i = 0; i < 3; i++) {
        if (strcmp(name, role_names[i]) == 0) {
            return roles[i];
        }
    }
    return PROTOCOL_ROLE_ANYONE;
}

static void apply(struct client *client, const struct asked *asked, struct rights *rights)
{
    const struct client *holder;
    switch (asked->method) {
    case PROTOCOL_METHOD_ACCESS_GRANT:
    case PROTOCOL_METHOD_ACCESS_REVOKE:
        rights->role[asked->number] =
            asked->method == PROTOCOL_METHOD_ACCESS_GRANT ? roles[asked->other] : PROTOCOL_ROLE_ANYONE;
        break;
    case PROTOCOL_METHOD_ACCESS_ACCEPT:
        // It does not count that an admin may do everything.
        if (rights->role[client->user] < roles[asked->other] && rights->role[USERS] < roles[asked->other]) {
            rights->role[client->user] = roles[asked->other];
        }
        break;
    default:
        rights->control = roles[asked->other];
        holder = client_of(client->server, rights->holder);
        if (holder == NULL &&
            rights->holder != 0) { // a session that nobody has any more, and that may be away
            rights->control_certainty.known = false;
        } else if (holder != NULL && rights_role(client->server, rights, holder->user) < rights->control) {
            rights->holder = 0;
        }
    }
}

static void hear_change(struct client *client, const struct asked *asked, const struct answer *answer)
{
    struct rights *rights = &client->server->worlds[asked->world].rights;
    const bool clear = done(client->run, &rights->role_certainty);
    if (asked->counts_control && (!done(client->run, &rights->control_certainty) || !clear)) {
        rights->control_certainty.known = false;
    }
    if (may_expel(asked->method)) {
        doubt_holders(client->server);
    }
    if (answer->result != NULL && clear) {
        apply(client, asked, rights);
    }
    if (answer->result != NULL && asked->method == PROTOCOL_METHOD_ACCESS_SET && !client->run->quiet) {
        snprintf(client->run->text, sizeof client->run->text, "{'world': %" PRIu32 "}",
                 client->server->worlds[asked->world].id);
        client_ask(client, PROTOCOL_METHOD_WORLD_CONTROL, ASKED_PLAIN, asked->world);
    }
    if (answer->result == NULL && strcmp(answer->code, "LIMIT") == 0) {
        rights->role_certainty.known = rights->control_certainty.known = false;
    }
}

static uint32_t user_of(const msgpack_object *person)
{
    char name[16];
    object_text(person, "user", name, sizeof name);
    if (strcmp(name, "*") == 0) {
        return USERS;
    }
    return name[0] == 'u' && name[1] >= '0' && name[1] < '0' + USERS && name[2] == '\0'
               ? (uint32_t)(name[1] - '0')
               : USERS + 1;
}

// access.list says how things stand, and is right about that.
static void hear_access(struct client *client, const struct asked *asked, const msgpack_object *result)
{
    struct known_world *world = &client->server->worlds[asked->world];
    struct rights *rights = &world->rights;
    const msgpack_object *people = object_at(result, "people");
    enum protocol_role told[USERS + 2] = {PROTOCOL_ROLE_ANYONE};
    if (!client->server->tokens || people == NULL || !stood_still(&rights->role_certainty, asked)) {
        return;
    }
    for (uint32_t i = 0; i < USERS + 2; i++) {
        told[i] = PROTOCOL_ROLE_ANYONE;
    }
    for (uint32_t i = 0; i < people->via.array.size; i++) {
        told[user_of(&people->via.array.ptr[i])] = role_of(&people->via.array.ptr[i], "role");
    }
    const enum protocol_role control = role_of(result, "control");
    for (uint32_t i = 0; rights->role_certainty.known && i <= USERS; i++) {
        if (told[i] != rights->role[i]) {
            simulator_fail(client->run, "the role of u%u in world %u is told to be %d, and is %d", i,
                           world->id, (int)told[i], (int)rights->role[i]);
        }
    }
    if (rights->role_certainty.known && control != rights->control) {
        simulator_fail(client->run, "control of world %u is told to be for role %d, and is for %d", world->id,
                       (int)control, (int)rights->control);
    }
    if (!rights->role_certainty.known) {
        rights->role_certainty.since = ++client->run->moment;
    }
    memcpy(rights->role, told, sizeof rights->role);
    rights->control = control;
    rights->role_certainty.known = true;
    const enum protocol_role own = rights_role(client->server, rights, client->user);
    const enum protocol_role shown = own > PROTOCOL_ROLE_OWNER ? PROTOCOL_ROLE_OWNER : own;
    if (role_of(result, "role") != shown) {
        simulator_fail(client->run, "client %u is told another role in world %u than u%u has", client->index,
                       world->id, client->user);
    }
}

// ---------------------------------------------------------------------------------------------------------
// What everything else needs

// DENIED also says that a grab is another session's, that an undone edit needs control, or that no tokens are asked for.
static bool denies_by_role_alone(const struct client *client, const struct asked *asked)
{
    switch (asked->method) {
    case PROTOCOL_METHOD_GRAB_MOVE:
    case PROTOCOL_METHOD_GRAB_END:
    case PROTOCOL_METHOD_EDIT_UNDO:
    case PROTOCOL_METHOD_EDIT_REDO:
    case PROTOCOL_METHOD_WORLD_CONTROL:
        return false;
    default:
        return client->server->tokens || !changes_roles(asked->method);
    }
}

static void check_denial(struct client *client, const struct asked *asked, const struct answer *answer,
                         bool obeyed)
{
    const bool good = answer->result != NULL, denied = strcmp(answer->code, "DENIED") == 0;
    run_counts.permits++;
    if (good ? !obeyed : (denied && obeyed && denies_by_role_alone(client, asked))) {
        simulator_fail(client->run, "client %u, u%u, %s world %u with %s, and is %s%s", client->index,
                       client->user, obeyed ? "may use" : "may not use",
                       client->server->worlds[asked->world].id, protocol_methods[asked->method].name,
                       good ? "obeyed" : "told ", answer->text);
    }
}

// A world that is hidden answers as if there were none.
static void check_hidden(struct client *client, const struct asked *asked, const struct answer *answer)
{
    run_counts.permits++;
    if (answer->result != NULL || strcmp(answer->code, "DENIED") == 0) {
        simulator_fail(
            client->run, "client %u, u%u, has no role in world %u, and its %s is %s: %s", client->index,
            client->user, client->server->worlds[asked->world].id, protocol_methods[asked->method].name,
            answer->result != NULL ? "obeyed" : "refused so that the world is known", answer->text);
    }
}

static void check_permit(struct client *client, const struct asked *asked, const struct answer *answer)
{
    const struct simulated_server *server = client->server;
    const struct rights *rights = &server->worlds[asked->world].rights;
    enum protocol_role needed = protocol_methods[asked->method].role;
    const bool controls = is_control(asked->method) || asked->resets;
    if (server->tokens && !is_certain(&rights->role_certainty, asked)) {
        return;
    }
    const enum protocol_role role = rights_role(server, rights, client->user);
    if (role == PROTOCOL_ROLE_ANYONE) {
        check_hidden(client, asked, answer);
        return;
    }
    if (controls && rights->control > needed && server->tokens) {
        needed = rights->control;
    }
    if (role < needed) {
        check_denial(client, asked, answer, false);
        return;
    }
    if (!controls || (holder_is_certain(server, rights, asked) &&
                      (rights->holder == 0 || rights->holder == client->session))) {
        check_denial(client, asked, answer, true);
    } else if (holder_is_certain(server, rights, asked)) {
        check_denial(client, asked, answer, false);
    }
}

void rights_answered(struct client *client, const struct asked *asked, const struct answer *answer)
{
    if (asked->world == NO_WORLD || asked->method == PROTOCOL_METHOD_WORLD_RESTORE) {
        return;
    }
    struct rights *rights = &client->server->worlds[asked->world].rights;
    const struct rights before = *rights;
    // Its own change does not come before it.
    rights->role_certainty.under_way -= asked->counts_roles;
    rights->control_certainty.under_way -= asked->counts_control;
    if (asked->method == PROTOCOL_METHOD_WORLD_CONTROL && holder_is_certain(client->server, rights, asked)) {
        check_control(client, asked, answer);
    }
    if (asked->method != PROTOCOL_METHOD_ACCESS_ACCEPT) {
        check_permit(client, asked, answer);
    }
    *rights = before;
    if (asked->method == PROTOCOL_METHOD_WORLD_CONTROL) {
        hear_control(client, asked, answer);
    } else if (asked->counts_roles) {
        hear_change(client, asked, answer);
    } else if (asked->method == PROTOCOL_METHOD_WORLD_DELETE &&
               done(client->run, &rights->control_certainty)) {
        rights->control_certainty.known = rights->control_certainty.known && answer->result == NULL;
    } else if (asked->method == PROTOCOL_METHOD_ACCESS_LIST && answer->result != NULL) {
        hear_access(client, asked, answer->result);
    }
}

// ---------------------------------------------------------------------------------------------------------
// When all is at rest

// Whoever joined was told who holds control, and may have it.
void rights_rest(struct client *client, const struct asked *asked, const msgpack_object *result)
{
    struct simulated_server *server = client->server;
    const struct known_world *world = &server->worlds[asked->world];
    const struct joined *joined = &client->joined[asked->world];
    const uint32_t holder = (uint32_t)object_number(result, "session");
    const struct client *of = holder != 0 ? client_of(server, holder) : NULL;
    // That a session ended which held it is told a little later.
    const bool ended = holder == 0 && client_of(server, joined->control) == NULL;
    if (joined->in && joined->control_known && joined->control != holder && !ended) {
        simulator_fail(
            client->run,
            "session %u holds control of world %u, and client %u was told last that session %u does", holder,
            world->id, client->index, joined->control);
    }
    if (server->tokens && of != NULL && world->rights.role_certainty.known &&
        rights_role(server, &world->rights, of->user) < world->rights.control) {
        simulator_fail(client->run, "client %u, u%u, holds control of world %u, and has not the role for it",
                       of->index, of->user, world->id);
    }
}
