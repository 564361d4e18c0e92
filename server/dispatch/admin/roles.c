// access.*: roles in worlds, and invitations to them; what becomes of the sessions that they concern.
//
// Who may call them has been seen to (permit/permit.c). What was changed is answered when the disk has it; sessions that
// lose something lose it before.
#include "dispatch/admin/accounts.h"

#include "dispatch/call.h"
#include "dispatch/hello/hello.h"
#include "dispatch/permit/permit.h"
#include "dispatch/route/route.h"
#include "host/badge.h"
#include "host/registry.h"
#include "host/session.h"
#include "host/world.h"
#include "world/world.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NEW_PERSON_SECONDS = 7776000 };

static struct host_world *world_of(struct dispatch_call *call, const struct protocol_ref *ref)
{
    struct host_world *world = host_registry_find(call->server->registry, ref);
    if (world && !host_world_is_view(world)) {
        return world;
    }
    dispatch_route_no_world(call->error, ref);
    return NULL;
}

// ---------------------------------------------------------------------------------------------------------
// Sessions that lose something

// The rights of each session in a world before the book changed.
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
    if (losing->count == losing->room || !host_session_visits(session, losing->world)) {
        return;
    }
    losing->had[losing->count].session = host_session_asker(session).session;
    losing->had[losing->count++].role = dispatch_permit_role(losing->call->server, session, losing->world);
}

static bool losing_init(struct losing *losing, struct dispatch_call *call, uint32_t world)
{
    struct host_sessions *sessions = host_session_owner(call->session);
    *losing = (struct losing){.call = call, .world = world};
    host_sessions_each(sessions, count_visitor, losing);
    losing->had = dispatch_admin_keep(call, ((size_t)losing->room + 1) * sizeof *losing->had);
    if (!losing->had) {
        return false;
    }
    host_sessions_each(sessions, note_role, losing);
    return true;
}

static void losing_expel(const struct losing *losing)
{
    struct host_sessions *sessions = host_session_owner(losing->call->session);
    for (uint32_t i = 0; i < losing->count; i++) {
        struct host_session *session = host_session_find(sessions, losing->had[i].session);
        if (session &&
            dispatch_permit_role(losing->call->server, session, losing->world) < losing->had[i].role) {
            host_session_expel(session, "the role in a world was taken back, or is a lesser one now");
        }
    }
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
    if (!world) {
        return false;
    }
    const enum protocol_role role = dispatch_permit_role(call->server, call->session, host_world_id(world));
    struct protocol_access_list_result result = {.has = PROTOCOL_HAS_ALL,
                                                 .role = dispatch_admin_world_role(role)};
    if (!book) {
        return dispatch_admin_answer(call, &result);
    }
    uint32_t grant_count, invite_count, people = 0, invited = 0;
    const struct access_grant *grants = access_grants(book, host_world_id(world), &grant_count);
    const struct access_invite *invites = access_invites(book, &invite_count);
    struct protocol_access_person *persons =
        dispatch_admin_keep(call, ((size_t)grant_count + 1) * sizeof *persons);
    struct protocol_access_invite *items =
        dispatch_admin_keep(call, ((size_t)invite_count + 1) * sizeof *items);
    if (!persons || !items) {
        return false;
    }
    for (uint32_t i = 0; i < grant_count; i++) {
        if (grants[i].role != PROTOCOL_ROLE_ANYONE) {
            persons[people++] =
                (struct protocol_access_person){.has = PROTOCOL_HAS_ALL,
                                                .user = protocol_text(grants[i].name),
                                                .role = dispatch_admin_world_role(grants[i].role)};
        }
    }
    for (uint32_t i = 0; role >= PROTOCOL_ROLE_OWNER && i < invite_count; i++) {
        if (invites[i].world == host_world_id(world)) {
            items[invited++] =
                (struct protocol_access_invite){.has = PROTOCOL_HAS_ALL,
                                                .id = invites[i].id,
                                                .role = dispatch_admin_world_role(invites[i].role),
                                                .uses = invites[i].uses,
                                                .user = protocol_text(invites[i].name),
                                                .expires_at = (double)invites[i].expires_s,
                                                .world = invites[i].world};
        }
    }
    result.people.items = persons;
    result.people.count = people;
    result.invites.items = items;
    result.invites.count = invited;
    result.control = access_control(book, host_world_id(world)) == PROTOCOL_ROLE_OWNER
                         ? PROTOCOL_ACCESS_LIST_RESULT_CONTROL_OWNER
                         : PROTOCOL_ACCESS_LIST_RESULT_CONTROL_EDITOR;
    return dispatch_admin_answer(call, &result);
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
    if (!dispatch_admin_take_name(call, granting->user, name, true) || !losing_init(&losing, call, world) ||
        !dispatch_admin_ended_list(call, &own, &ended)) {
        return false;
    }
    if (granting->keep_invites) {
        ended.invites.count = 0;
    }
    enum access_outcome outcome;
    // A role may be given before there is a person of that name, but none to a name that nobody can take any more.
    if (granting->role != PROTOCOL_ROLE_ANYONE && dispatch_admin_looks_alike(call, name, false, &outcome)) {
        return false;
    }
    outcome = access_grant(book, world, name, granting->role, host_person_key(call->session));
    if (outcome == ACCESS_NONE && ended.invites.count == 0) {
        return dispatch_admin_refuse(call, PROTOCOL_CODE_NOT_FOUND, "user",
                                     "they have no role in this world; access.list lists who has");
    }
    if (outcome != ACCESS_DONE && outcome != ACCESS_NONE) {
        return dispatch_admin_full(call, outcome);
    }
    if (!granting->keep_invites) {
        access_invites_end(book, &own);
    }
    *granting->invites = ended.invites;
    if (granting->given) {
        *granting->given = ended.given;
    }
    const bool saved = dispatch_permit_save(call, granting->result);
    losing_expel(&losing);
    return saved;
}

bool dispatch_access_grant(struct dispatch_call *call)
{
    const struct protocol_access_grant_params *params = call->params;
    struct protocol_access_grant_result *result = dispatch_admin_keep(call, sizeof *result);
    struct host_world *world = world_of(call, &params->world);
    if (!world || !result || !dispatch_admin_book(call)) {
        return false;
    }
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
    struct protocol_access_revoke_result *result = dispatch_admin_keep(call, sizeof *result);
    struct access *book = dispatch_admin_book(call);
    if (!world || !result || !book) {
        return false;
    }
    result->has = PROTOCOL_HAS_ALL;
    if (of_user == of_invite) {
        return dispatch_admin_refuse(call, PROTOCOL_CODE_INVALID, "user",
                                     "user: either this or invite, and not both");
    }
    if (of_user) {
        return grant(call, &(struct granting){.world = world,
                                              .user = &params->user,
                                              .role = PROTOCOL_ROLE_ANYONE,
                                              .keep_invites = params->keep_invites,
                                              .result = result,
                                              .invites = &result->invites,
                                              .given = &result->given});
    }
    if (!access_invite_revoke(book, host_world_id(world), params->invite)) {
        return dispatch_admin_refuse(call, PROTOCOL_CODE_NOT_FOUND, "invite",
                                     "there is no such invitation; access.list lists them");
    }
    return dispatch_permit_save(call, result);
}

bool dispatch_access_invite(struct dispatch_call *call)
{
    const struct protocol_access_invite_params *params = call->params;
    const struct host_world *world = world_of(call, &params->world);
    struct protocol_access_invite_result *result = dispatch_admin_keep(call, sizeof *result);
    char *secret = dispatch_admin_keep(call, ACCESS_SECRET_SIZE);
    struct access *book = dispatch_admin_book(call);
    if (!world || !result || !secret || !book) {
        return false;
    }
    struct access_invite like = {
        .world = host_world_id(world),
        .role = world_roles[params->role],
        .uses = params->uses,
        .expires_s = dispatch_admin_now_s() + params->seconds,
    };
    snprintf(like.name, sizeof like.name, "%s", host_person_key(call->session));
    // A person whose token has expired must not come back by their own invitation.
    const struct access_person *person = host_session_person(call->session);
    if (person && person->expires_s != 0 && person->expires_s < like.expires_s) {
        like.expires_s = person->expires_s;
    }
    const enum access_outcome outcome = access_invite_create(book, &like, &result->id, secret);
    if (outcome != ACCESS_DONE) {
        return dispatch_admin_full(call, outcome);
    }
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
    struct access_person person = {.role = PROTOCOL_ROLE_VIEWER,
                                   .expires_s = dispatch_admin_now_s() + NEW_PERSON_SECONDS};
    if (user->size == 0) {
        snprintf(person.name, sizeof person.name, "guest-%" PRIu32 "-%" PRIu32, invite,
                 host_session_asker(call->session).session);
    } else if (!dispatch_admin_take_name(call, user, person.name, false)) {
        return false;
    }
    if (!access_takes_guests(book)) {
        return dispatch_admin_full(call, ACCESS_FULL);
    }
    enum access_outcome outcome;
    if (dispatch_admin_looks_alike(call, person.name, false, &outcome)) {
        return false;
    }
    if (outcome == ACCESS_TAKEN) {
        return dispatch_admin_refuse(call, PROTOCOL_CODE_CONFLICT, "user",
                                     "user: somebody has this name; choose another");
    }
    outcome = access_token_create(book, person.name, person.role, dispatch_admin_now_s(), person.expires_s,
                                  &person.token, secret);
    if (outcome != ACCESS_DONE) {
        return dispatch_admin_full(call, outcome);
    }
    if (host_session_vouch(call->session, &person)) {
        return true;
    }
    access_token_revoke(book, person.token, NULL);
    return dispatch_admin_refuse(call, PROTOCOL_CODE_MEMORY, NULL, "no memory for this session");
}

bool dispatch_access_accept(struct dispatch_call *call)
{
    const struct protocol_access_accept_params *params = call->params;
    struct access *book = dispatch_admin_book(call);
    struct protocol_access_accept_result *result = dispatch_admin_keep(call, sizeof *result);
    char *secret = dispatch_admin_keep(call, ACCESS_SECRET_SIZE),
         *name = dispatch_admin_keep(call, ACCESS_NAME_SIZE);
    if (!book || !result || !secret || !name) {
        return false;
    }
    const struct access_invite *found = access_invite_find(book, &params->invite, dispatch_admin_now_s());
    const struct host_world *world =
        found ? host_registry_find(call->server->registry, &(struct protocol_ref){.id = found->world}) : NULL;
    if (!world) {
        return dispatch_hello_fail(
                   call, "invite",
                   "invite: it is wrong, has expired, was used or revoked, or its world is gone") ==
               DISPATCH_HELLO_LATER;
    }
    const struct access_invite invite = *found;
    if (!host_session_known(call->session) && !become(call, &params->user, invite.id, secret)) {
        return false;
    }
    snprintf(name, ACCESS_NAME_SIZE, "%s", host_person_key(call->session));
    const enum protocol_role has = access_role(book, host_world_id(world), name);
    const enum access_outcome outcome =
        has >= invite.role ? ACCESS_DONE
                           : access_grant(book, host_world_id(world), name, invite.role, invite.name);
    if (outcome != ACCESS_DONE) {
        return dispatch_admin_full(call, outcome);
    }
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

// Takes control from a session that may not have it any more. All are told at the next look (dispatch_permit_control_tell).
static void control_match(const struct dispatch_call *call, struct host_world *world)
{
    const struct host_session *holder =
        host_session_find(host_session_owner(call->session), host_world_control(world));
    if (!holder || dispatch_permit_role(call->server, holder, host_world_id(world)) <
                       access_control(call->server->book, host_world_id(world))) {
        host_world_set_control(world, 0);
    }
}

bool dispatch_access_set(struct dispatch_call *call)
{
    const struct protocol_access_set_params *params = call->params;
    struct host_world *world = world_of(call, &params->world);
    struct protocol_access_set_result *result = dispatch_admin_keep(call, sizeof *result);
    struct access *book = dispatch_admin_book(call);
    if (!world || !result || !book) {
        return false;
    }
    const enum access_outcome outcome = access_control_set(
        book, host_world_id(world),
        params->control == PROTOCOL_ACCESS_SET_PARAMS_CONTROL_OWNER ? PROTOCOL_ROLE_OWNER
                                                                    : PROTOCOL_ROLE_EDITOR);
    if (outcome != ACCESS_DONE) {
        return dispatch_admin_full(call, outcome);
    }
    control_match(call, world);
    return dispatch_permit_save(call, result);
}
