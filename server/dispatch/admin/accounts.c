// token.* and access.*: what changes the book, and what becomes of the sessions that it concerns.
//
// Who may call them has been seen to (permit/permit.c). What was changed is answered when the disk has it; sessions that
// lose something lose it before.
#include "dispatch/admin/ended.h"

#include "base/clock.h"
#include "base/log.h"
#include "dispatch/call.h"
#include "dispatch/hello/hello.h"
#include "dispatch/permit/permit.h"
#include "dispatch/route/route.h"
#include "host/badge.h"
#include "host/registry.h"
#include "host/session.h"
#include "host/world.h"
#include "protocol/error.h"
#include "protocol/params.h"
#include "protocol/utf8/utf8.h"
#include "world/world.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NEW_PERSON_SECONDS = 7776000 };

static uint64_t now_s(void)
{
    return base_wall_us() / 1000000;
}

static bool refuse(struct dispatch_call *call, enum protocol_code code, const char *field, const char *text)
{
    protocol_error_set(call->error, code, field, "%s", text);
    return false;
}

static struct access *book_of(struct dispatch_call *call)
{
    struct access *book = call->server->book;
    if (book == NULL)
        refuse(call, PROTOCOL_CODE_CONFLICT, NULL, "this server asks for no tokens; weftd --tokens makes it");
    return book;
}

static bool failed(struct dispatch_call *call, enum access_outcome outcome)
{
    if (outcome == ACCESS_MEMORY)
        return refuse(call, PROTOCOL_CODE_MEMORY, NULL, "no memory for it");
    protocol_error_set(
        call->error, PROTOCOL_CODE_LIMIT, NULL,
        "there are as many tokens, invitations or roles as there may be (limits tokens = %" PRIu64
        ", grants = %" PRIu64 "; of one world %d roles and %d invitations)",
        (uint64_t)PROTOCOL_LIMIT_TOKENS, (uint64_t)PROTOCOL_LIMIT_GRANTS, ACCESS_WORLD_GRANTS,
        ACCESS_WORLD_INVITES);
    call->error->limit = (double)PROTOCOL_LIMIT_TOKENS;
    return false;
}

// Memory that lasts until the answer; NULL with the error set.
static void *keep(struct dispatch_call *call, size_t size)
{
    void *memory = msgpack_zone_malloc(call->zone, size);
    if (memory == NULL)
        refuse(call, PROTOCOL_CODE_MEMORY, NULL, "no memory for the answer");
    else
        memset(memory, 0, size);
    return memory;
}

static bool answer(struct dispatch_call *call, const void *result)
{
    protocol_encode(protocol_methods[call->method].result, result, host_session_asker(call->session).arrays,
                    call->packer);
    return true;
}

// A name as the book has it: not empty, and made of what names may have.
static bool name_take(struct dispatch_call *call, const struct protocol_string *from,
                      char out[ACCESS_NAME_SIZE], bool everybody)
{
    const bool star = from->size == 1 && from->data[0] == '*';
    if (from->size == 0 || from->size >= ACCESS_NAME_SIZE || (star && !everybody) ||
        protocol_name_flaw(from->data, from->size) != NULL)
        return refuse(call, PROTOCOL_CODE_INVALID, "user",
                      "user: must be a name of 1 to 64 bytes that can be seen, and not *");
    snprintf(out, ACCESS_NAME_SIZE, "%.*s", (int)from->size, from->data);
    return true;
}

// Refuses a name that is nobody's but looks like one that is somebody's. TAKEN or NONE otherwise. `tells` says which it looks like.
static bool looks_like_another(struct dispatch_call *call, const char *name, bool tells,
                               enum access_outcome *outcome)
{
    const char *like;
    *outcome = access_name_check(call->server->book, name, &like);
    if (*outcome == ACCESS_MEMORY)
        return !failed(call, *outcome);
    if (*outcome != ACCESS_ALIKE)
        return false;
    protocol_error_set(
        call->error, PROTOCOL_CODE_CONFLICT, "user",
        "user: \"%s\" looks like %s%s%s, which is another name; choose one that can be told from it", name,
        tells ? "\"" : "", tells ? like : "somebody's name", tells ? "\"" : "");
    snprintf(call->error->value, sizeof call->error->value, "%s", name);
    return true;
}

static struct host_world *world_of(struct dispatch_call *call, const struct protocol_ref *ref)
{
    struct host_world *world = host_registry_find(call->server->registry, ref);
    if (world != NULL && !host_world_is_view(world))
        return world;
    dispatch_route_no_world(call->error, ref);
    return NULL;
}

// ---------------------------------------------------------------------------------------------------------
// Sessions that lose something

// What each session had in a world before the book changed.
struct losing {
    struct dispatch_call *call;
    uint32_t world, count, room;
    struct {
        uint32_t session;
        enum protocol_role role;
    } * had;
};

// Those whose connection is lost are among them: they come back to what they have then.
static void count_visitor(void *context, struct host_session *session)
{
    struct losing *losing = context;
    losing->room += host_session_visits(session, losing->world);
}

static void note_role(void *context, struct host_session *session)
{
    struct losing *losing = context;
    if (losing->count == losing->room || !host_session_visits(session, losing->world))
        return;
    losing->had[losing->count].session = host_session_asker(session).session;
    losing->had[losing->count++].role = dispatch_permit_role(losing->call->server, session, losing->world);
}

static bool losing_init(struct losing *losing, struct dispatch_call *call, uint32_t world)
{
    struct host_sessions *sessions = host_session_owner(call->session);
    *losing = (struct losing){.call = call, .world = world};
    host_sessions_each(sessions, count_visitor, losing);
    losing->had = keep(call, ((size_t)losing->room + 1) * sizeof *losing->had);
    if (losing->had == NULL)
        return false;
    host_sessions_each(sessions, note_role, losing);
    return true;
}

static void losing_expel(const struct losing *losing)
{
    struct host_sessions *sessions = host_session_owner(losing->call->session);
    for (uint32_t i = 0; i < losing->count; i++) {
        struct host_session *session = host_session_find(sessions, losing->had[i].session);
        if (session != NULL &&
            dispatch_permit_role(losing->call->server, session, losing->world) < losing->had[i].role)
            host_session_expel(session, "the role in a world was taken back, or is a lesser one now");
    }
}

static void expel_revoked(void *context, struct host_session *session)
{
    const struct access *book = context;
    const struct access_person *person = host_session_person(session);
    if (person != NULL && !access_holds(book, person->token))
        host_session_expel(session, "this token was revoked");
}

// ---------------------------------------------------------------------------------------------------------
// token.*

bool dispatch_token_create(struct dispatch_call *call)
{
    const struct protocol_token_create_params *params = call->params;
    static const enum protocol_role roles[] = {PROTOCOL_ROLE_VIEWER, PROTOCOL_ROLE_EDITOR,
                                               PROTOCOL_ROLE_ADMIN};
    struct access *book = book_of(call);
    struct protocol_token_create_result *result = keep(call, sizeof *result);
    char *secret = keep(call, ACCESS_SECRET_SIZE);
    char name[ACCESS_NAME_SIZE];
    if (book == NULL || result == NULL || secret == NULL || !name_take(call, &params->user, name, false))
        return false;
    enum access_outcome outcome;
    if (looks_like_another(call, name, true, &outcome))
        return false;
    const uint64_t expires_s = params->seconds == 0 ? 0 : now_s() + params->seconds;
    outcome = access_token_create(book, name, roles[params->role], now_s(), expires_s, &result->id, secret);
    if (outcome != ACCESS_DONE)
        return failed(call, outcome);
    result->has = PROTOCOL_HAS_ALL;
    result->token = protocol_text(secret);
    result->expires_at = (double)expires_s;
    return dispatch_permit_save(call, result);
}

struct counting {
    const struct access_token *tokens;
    struct protocol_access_token *items;
    uint32_t count;
};

static void count_session(void *context, struct host_session *session)
{
    const struct counting *counting = context;
    const struct access_person *person = host_session_person(session);
    for (uint32_t i = 0; person != NULL && i < counting->count; i++)
        counting->items[i].sessions += counting->tokens[i].id == person->token;
}

bool dispatch_token_list(struct dispatch_call *call)
{
    const struct access *book = book_of(call);
    uint32_t count = 0;
    const struct access_token *tokens = book != NULL ? access_tokens(book, &count) : NULL;
    struct protocol_access_token *items = keep(call, ((size_t)count + 1) * sizeof *items);
    if (book == NULL || items == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++)
        items[i] = (struct protocol_access_token){
            .has = PROTOCOL_HAS_ALL,
            .id = tokens[i].id,
            .user = protocol_text(tokens[i].name),
            .role = tokens[i].role == PROTOCOL_ROLE_ADMIN    ? PROTOCOL_ACCESS_TOKEN_ROLE_ADMIN
                    : tokens[i].role == PROTOCOL_ROLE_EDITOR ? PROTOCOL_ACCESS_TOKEN_ROLE_EDITOR
                                                             : PROTOCOL_ACCESS_TOKEN_ROLE_VIEWER,
            .created_at = (double)tokens[i].created_s,
            .expires_at = (double)tokens[i].expires_s,
        };
    struct counting counting = {tokens, items, count};
    host_sessions_each(host_session_owner(call->session), count_session, &counting);
    return answer(call, &(struct protocol_token_list_result){.has = PROTOCOL_HAS_ALL,
                                                             .tokens = {.items = items, .count = count}});
}

// "" if there is none.
static void name_of_token(const struct access *book, uint32_t id, char out[ACCESS_NAME_SIZE])
{
    uint32_t count;
    const struct access_token *tokens = access_tokens(book, &count);
    out[0] = '\0';
    for (uint32_t i = 0; i < count; i++)
        if (tokens[i].id == id)
            snprintf(out, ACCESS_NAME_SIZE, "%s", tokens[i].name);
}

// One token of several may have been stolen, and who stole it may have made invitations: they end in this case, too.
bool dispatch_token_revoke(struct dispatch_call *call)
{
    const struct protocol_token_revoke_params *params = call->params;
    const bool by_id = (params->has & PROTOCOL_HAS_TOKEN_REVOKE_PARAMS_ID) != 0;
    const bool by_user = (params->has & PROTOCOL_HAS_TOKEN_REVOKE_PARAMS_USER) != 0;
    struct access *book = book_of(call);
    struct protocol_token_revoke_result *result = keep(call, sizeof *result);
    char name[ACCESS_NAME_SIZE] = "";
    if (book == NULL || result == NULL)
        return false;
    if (by_id == by_user)
        return refuse(call, PROTOCOL_CODE_INVALID, "id", "id: either this or user, and not both");
    if (by_user && !name_take(call, &params->user, name, false))
        return false;
    if (by_id)
        name_of_token(book, params->id, name);
    const struct access_own own = {.above = PROTOCOL_ROLE_ANYONE, .name = name};
    struct dispatch_admin_ended ended;
    if (!dispatch_admin_ended_list(call, &own, &ended))
        return false;
    const uint32_t revoked = access_token_revoke(book, params->id, by_user ? name : NULL);
    if (revoked == 0)
        return refuse(call, PROTOCOL_CODE_NOT_FOUND, by_user ? "user" : "id",
                      "there is no such token; token.list lists them");
    *result = (struct protocol_token_revoke_result){
        .has = PROTOCOL_HAS_ALL, .revoked = revoked, .given = ended.given};
    if (!params->keep_invites) {
        access_invites_end(book, &own);
        result->invites = ended.invites;
    }
    const bool saved = dispatch_permit_save(call, result);
    host_sessions_each(host_session_owner(call->session), expel_revoked, book);
    return saved;
}

// ---------------------------------------------------------------------------------------------------------
// access.*

static const enum protocol_role world_roles[] = {PROTOCOL_ROLE_VIEWER, PROTOCOL_ROLE_EDITOR,
                                                 PROTOCOL_ROLE_OWNER};

bool dispatch_access_list(struct dispatch_call *call)
{
    const struct protocol_access_list_params *params = call->params;
    const struct host_world *world = world_of(call, &params->world);
    const struct access *book = call->server->book;
    if (world == NULL)
        return false;
    const enum protocol_role role = dispatch_permit_role(call->server, call->session, host_world_id(world));
    struct protocol_access_list_result result = {.has = PROTOCOL_HAS_ALL,
                                                 .role = dispatch_admin_world_role(role)};
    if (book == NULL)
        return answer(call, &result);
    uint32_t grant_count, invite_count, people = 0, invited = 0;
    const struct access_grant *grants = access_grants(book, host_world_id(world), &grant_count);
    const struct access_invite *invites = access_invites(book, &invite_count);
    struct protocol_access_person *persons = keep(call, ((size_t)grant_count + 1) * sizeof *persons);
    struct protocol_access_invite *items = keep(call, ((size_t)invite_count + 1) * sizeof *items);
    if (persons == NULL || items == NULL)
        return false;
    for (uint32_t i = 0; i < grant_count; i++)
        if (grants[i].role != PROTOCOL_ROLE_ANYONE)
            persons[people++] =
                (struct protocol_access_person){.has = PROTOCOL_HAS_ALL,
                                                .user = protocol_text(grants[i].name),
                                                .role = dispatch_admin_world_role(grants[i].role)};
    for (uint32_t i = 0; role >= PROTOCOL_ROLE_OWNER && i < invite_count; i++)
        if (invites[i].world == host_world_id(world))
            items[invited++] =
                (struct protocol_access_invite){.has = PROTOCOL_HAS_ALL,
                                                .id = invites[i].id,
                                                .role = dispatch_admin_world_role(invites[i].role),
                                                .uses = invites[i].uses,
                                                .user = protocol_text(invites[i].name),
                                                .expires_at = (double)invites[i].expires_s,
                                                .world = invites[i].world};
    result.people.items = persons;
    result.people.count = people;
    result.invites.items = items;
    result.invites.count = invited;
    result.control = access_control(book, host_world_id(world)) == PROTOCOL_ROLE_OWNER
                         ? PROTOCOL_ACCESS_LIST_RESULT_CONTROL_OWNER
                         : PROTOCOL_ACCESS_LIST_RESULT_CONTROL_EDITOR;
    return answer(call, &result);
}

struct granting {
    struct host_world *world;
    const struct protocol_string *user;
    enum protocol_role role; // ANYONE takes it back
    bool keep_invites;
    const void *result;
    struct protocol_list *invites, *given; // of the result; given may be NULL
};

// Somebody who has no role may still have invitations, since they outlive a role that was taken back with keep_invites.
static bool grant(struct dispatch_call *call, const struct granting *granting)
{
    struct access *book = call->server->book;
    const uint32_t world = host_world_id(granting->world);
    struct losing losing;
    char name[ACCESS_NAME_SIZE];
    const struct access_own own = {.world = world, .above = granting->role, .name = name};
    struct dispatch_admin_ended ended;
    if (!name_take(call, granting->user, name, true) || !losing_init(&losing, call, world) ||
        !dispatch_admin_ended_list(call, &own, &ended))
        return false;
    if (granting->keep_invites)
        ended.invites.count = 0;
    enum access_outcome outcome;
    // A role may be given before there is a person of that name, but none to a name that nobody can take any more.
    if (granting->role != PROTOCOL_ROLE_ANYONE && looks_like_another(call, name, false, &outcome))
        return false;
    outcome = access_grant(book, world, name, granting->role, host_person_key(call->session));
    if (outcome == ACCESS_NONE && ended.invites.count == 0)
        return refuse(call, PROTOCOL_CODE_NOT_FOUND, "user",
                      "they have no role in this world; access.list lists who has");
    if (outcome != ACCESS_DONE && outcome != ACCESS_NONE)
        return failed(call, outcome);
    if (!granting->keep_invites)
        access_invites_end(book, &own);
    *granting->invites = ended.invites;
    if (granting->given != NULL)
        *granting->given = ended.given;
    const bool saved = dispatch_permit_save(call, granting->result);
    losing_expel(&losing);
    return saved;
}

bool dispatch_access_grant(struct dispatch_call *call)
{
    const struct protocol_access_grant_params *params = call->params;
    struct protocol_access_grant_result *result = keep(call, sizeof *result);
    struct host_world *world = world_of(call, &params->world);
    if (world == NULL || result == NULL || book_of(call) == NULL)
        return false;
    result->has = PROTOCOL_HAS_ALL;
    return grant(call, &(struct granting){.world = world,
                                          .user = &params->user,
                                          .role = world_roles[params->role],
                                          .keep_invites = params->keep_invites,
                                          .result = result,
                                          .invites = &result->invites});
}

bool dispatch_access_revoke(struct dispatch_call *call)
{
    const struct protocol_access_revoke_params *params = call->params;
    const bool of_user = (params->has & PROTOCOL_HAS_ACCESS_REVOKE_PARAMS_USER) != 0;
    const bool of_invite = (params->has & PROTOCOL_HAS_ACCESS_REVOKE_PARAMS_INVITE) != 0;
    struct host_world *world = world_of(call, &params->world);
    struct protocol_access_revoke_result *result = keep(call, sizeof *result);
    struct access *book = book_of(call);
    if (world == NULL || result == NULL || book == NULL)
        return false;
    result->has = PROTOCOL_HAS_ALL;
    if (of_user == of_invite)
        return refuse(call, PROTOCOL_CODE_INVALID, "user", "user: either this or invite, and not both");
    if (of_user)
        return grant(call, &(struct granting){.world = world,
                                              .user = &params->user,
                                              .role = PROTOCOL_ROLE_ANYONE,
                                              .keep_invites = params->keep_invites,
                                              .result = result,
                                              .invites = &result->invites,
                                              .given = &result->given});
    if (!access_invite_revoke(book, host_world_id(world), params->invite))
        return refuse(call, PROTOCOL_CODE_NOT_FOUND, "invite",
                      "there is no such invitation; access.list lists them");
    return dispatch_permit_save(call, result);
}

bool dispatch_access_invite(struct dispatch_call *call)
{
    const struct protocol_access_invite_params *params = call->params;
    const struct host_world *world = world_of(call, &params->world);
    struct protocol_access_invite_result *result = keep(call, sizeof *result);
    char *secret = keep(call, ACCESS_SECRET_SIZE);
    struct access *book = book_of(call);
    if (world == NULL || result == NULL || secret == NULL || book == NULL)
        return false;
    struct access_invite like = {
        .world = host_world_id(world),
        .role = world_roles[params->role],
        .uses = params->uses,
        .expires_s = now_s() + params->seconds,
    };
    snprintf(like.name, sizeof like.name, "%s", host_person_key(call->session));
    // Whose token has expired does not come back by an own invitation.
    const struct access_person *person = host_session_person(call->session);
    if (person != NULL && person->expires_s != 0 && person->expires_s < like.expires_s)
        like.expires_s = person->expires_s;
    const enum access_outcome outcome = access_invite_create(book, &like, &result->id, secret);
    if (outcome != ACCESS_DONE)
        return failed(call, outcome);
    result->has = PROTOCOL_HAS_ALL;
    result->invite = protocol_text(secret);
    result->expires_at = (double)like.expires_s;
    return dispatch_permit_save(call, result);
}

// A person that was none yet, with a token of their own.
static bool become(struct dispatch_call *call, const struct protocol_string *user, uint32_t invite,
                   char *secret)
{
    struct access *book = call->server->book;
    struct access_person person = {.role = PROTOCOL_ROLE_VIEWER, .expires_s = now_s() + NEW_PERSON_SECONDS};
    if (user->size == 0)
        snprintf(person.name, sizeof person.name, "guest-%" PRIu32 "-%" PRIu32, invite,
                 host_session_asker(call->session).session);
    else if (!name_take(call, user, person.name, false))
        return false;
    if (!access_takes_guests(book))
        return failed(call, ACCESS_FULL);
    enum access_outcome outcome;
    if (looks_like_another(call, person.name, false, &outcome))
        return false;
    if (outcome == ACCESS_TAKEN)
        return refuse(call, PROTOCOL_CODE_CONFLICT, "user", "user: somebody has this name; choose another");
    outcome =
        access_token_create(book, person.name, person.role, now_s(), person.expires_s, &person.token, secret);
    if (outcome != ACCESS_DONE)
        return failed(call, outcome);
    if (host_session_vouch(call->session, &person))
        return true;
    access_token_revoke(book, person.token, NULL);
    return refuse(call, PROTOCOL_CODE_MEMORY, NULL, "no memory for this session");
}

bool dispatch_access_accept(struct dispatch_call *call)
{
    const struct protocol_access_accept_params *params = call->params;
    struct access *book = book_of(call);
    struct protocol_access_accept_result *result = keep(call, sizeof *result);
    char *secret = keep(call, ACCESS_SECRET_SIZE), *name = keep(call, ACCESS_NAME_SIZE);
    if (book == NULL || result == NULL || secret == NULL || name == NULL)
        return false;
    const struct access_invite *found = access_invite_find(book, &params->invite, now_s());
    const struct host_world *world =
        found != NULL ? host_registry_find(call->server->registry, &(struct protocol_ref){.id = found->world})
                      : NULL;
    if (world == NULL)
        return dispatch_hello_fail(
                   call, "invite",
                   "invite: it is wrong, has expired, was used or revoked, or its world is gone") ==
               DISPATCH_HELLO_LATER;
    const struct access_invite invite = *found;
    if (!host_session_known(call->session) && !become(call, &params->user, invite.id, secret))
        return false;
    snprintf(name, ACCESS_NAME_SIZE, "%s", host_person_key(call->session));
    const enum protocol_role has = access_role(book, host_world_id(world), name);
    const enum access_outcome outcome =
        has >= invite.role ? ACCESS_DONE
                           : access_grant(book, host_world_id(world), name, invite.role, invite.name);
    if (outcome != ACCESS_DONE)
        return failed(call, outcome);
    access_invite_use(book, invite.id);
    *result = (struct protocol_access_accept_result){
        .has = PROTOCOL_HAS_ALL,
        .world = host_world_id(world),
        .name = protocol_text(host_world_name(world)),
        .role = dispatch_admin_world_role(
            dispatch_permit_role(call->server, call->session, host_world_id(world))),
        .user = protocol_text(name),
        .token = protocol_text(secret),
    };
    host_audit(
        call->session, "accept",
        &(struct host_deed){.method = "access.accept", .outcome = "ok", .world = host_world_id(world)});
    return dispatch_permit_save(call, result);
}

// Who holds control and may not have it any more loses it; everybody is told at the next look (dispatch_permit_control_tell).
static void control_match(const struct dispatch_call *call, struct host_world *world)
{
    const struct host_session *holder =
        host_session_find(host_session_owner(call->session), host_world_control(world));
    if (holder == NULL || dispatch_permit_role(call->server, holder, host_world_id(world)) <
                              access_control(call->server->book, host_world_id(world)))
        host_world_set_control(world, 0);
}

bool dispatch_access_set(struct dispatch_call *call)
{
    const struct protocol_access_set_params *params = call->params;
    struct host_world *world = world_of(call, &params->world);
    struct protocol_access_set_result *result = keep(call, sizeof *result);
    struct access *book = book_of(call);
    if (world == NULL || result == NULL || book == NULL)
        return false;
    const enum access_outcome outcome = access_control_set(
        book, host_world_id(world),
        params->control == PROTOCOL_ACCESS_SET_PARAMS_CONTROL_OWNER ? PROTOCOL_ROLE_OWNER
                                                                    : PROTOCOL_ROLE_EDITOR);
    if (outcome != ACCESS_DONE)
        return failed(call, outcome);
    control_match(call, world);
    return dispatch_permit_save(call, result);
}
