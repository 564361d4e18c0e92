// token.*: secrets that say whose a session is.
//
// Who may call them has been seen to (permit/permit.c). What was changed is answered when the disk has it; sessions that
// lose something lose it before.
#include "dispatch/admin/accounts.h"

#include "dispatch/call.h"
#include "dispatch/permit/permit.h"
#include "host/badge.h"
#include "host/session.h"

#include <stdio.h>

bool dispatch_token_create(struct dispatch_call *call)
{
    const struct protocol_token_create_params *params = call->params;
    static const enum protocol_role roles[] = {PROTOCOL_ROLE_VIEWER, PROTOCOL_ROLE_EDITOR,
                                               PROTOCOL_ROLE_ADMIN};
    struct access *book = dispatch_admin_book(call);
    struct protocol_token_create_result *result = dispatch_admin_keep(call, sizeof *result);
    char *secret = dispatch_admin_keep(call, ACCESS_SECRET_SIZE);
    char name[ACCESS_NAME_SIZE];
    if (!book || !result || !secret || !dispatch_admin_take_name(call, &params->user, name, false)) {
        return false;
    }
    enum access_outcome outcome;
    if (dispatch_admin_looks_alike(call, name, true, &outcome)) {
        return false;
    }
    const uint64_t expires_s = params->seconds == 0 ? 0 : dispatch_admin_now_s() + params->seconds;
    outcome = access_token_create(book, name, roles[params->role], dispatch_admin_now_s(), expires_s,
                                  &result->id, secret);
    if (outcome != ACCESS_DONE) {
        return dispatch_admin_full(call, outcome);
    }
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
    for (uint32_t i = 0; person && i < counting->count; i++) {
        counting->items[i].sessions += counting->tokens[i].id == person->token;
    }
}

bool dispatch_token_list(struct dispatch_call *call)
{
    const struct access *book = dispatch_admin_book(call);
    uint32_t count = 0;
    const struct access_token *tokens = book ? access_tokens(book, &count) : NULL;
    struct protocol_access_token *items = dispatch_admin_keep(call, ((size_t)count + 1) * sizeof *items);
    if (!book || !items) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
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
    }
    struct counting counting = {tokens, items, count};
    host_sessions_each(host_session_owner(call->session), count_session, &counting);
    return dispatch_admin_answer(
        call, &(struct protocol_token_list_result){.has = PROTOCOL_HAS_ALL,
                                                   .tokens = {.items = items, .count = count}});
}

// "" if there is none.
static void name_of_token(const struct access *book, uint32_t id, char out[ACCESS_NAME_SIZE])
{
    uint32_t count;
    const struct access_token *tokens = access_tokens(book, &count);
    out[0] = '\0';
    for (uint32_t i = 0; i < count; i++) {
        if (tokens[i].id == id) {
            snprintf(out, ACCESS_NAME_SIZE, "%s", tokens[i].name);
        }
    }
}

static void expel_revoked(void *context, struct host_session *session)
{
    const struct access *book = context;
    const struct access_person *person = host_session_person(session);
    if (person && !access_holds(book, person->token)) {
        host_session_expel(session, "this token was revoked");
    }
}

// One token of several may have been stolen, and who stole it may have made invitations: they end in this case, too.
bool dispatch_token_revoke(struct dispatch_call *call)
{
    const struct protocol_token_revoke_params *params = call->params;
    const bool by_id = (params->has & PROTOCOL_HAS_TOKEN_REVOKE_PARAMS_ID) != 0;
    const bool by_user = (params->has & PROTOCOL_HAS_TOKEN_REVOKE_PARAMS_USER) != 0;
    struct access *book = dispatch_admin_book(call);
    struct protocol_token_revoke_result *result = dispatch_admin_keep(call, sizeof *result);
    char name[ACCESS_NAME_SIZE] = "";
    if (!book || !result) {
        return false;
    }
    if (by_id == by_user) {
        return dispatch_admin_refuse(call, PROTOCOL_CODE_INVALID, "id",
                                     "id: either this or user, and not both");
    }
    if (by_user && !dispatch_admin_take_name(call, &params->user, name, false)) {
        return false;
    }
    if (by_id) {
        name_of_token(book, params->id, name);
    }
    const struct access_own own = {.above = PROTOCOL_ROLE_ANYONE, .name = name};
    struct dispatch_admin_ended ended;
    if (!dispatch_admin_ended_list(call, &own, &ended)) {
        return false;
    }
    const uint32_t revoked = access_token_revoke(book, params->id, by_user ? name : NULL);
    if (revoked == 0) {
        return dispatch_admin_refuse(call, PROTOCOL_CODE_NOT_FOUND, by_user ? "user" : "id",
                                     "there is no such token; token.list lists them");
    }
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
