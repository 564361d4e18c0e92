// The book in memory. Whatever is asked on the way of a message is found by bisection.
#include "access/book_internal.h"

#include "access/secret.h"
#include "base/search.h"
#include "protocol/array/reserve.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------
// Rows

void *access_rows_insert(void **rows, uint32_t *count, uint32_t *room, size_t size, uint32_t place)
{
    if (*count == *room && !array_grow(rows, size, room, sizeof *room, *count + 1)) {
        return NULL;
    }
    uint8_t *at = (uint8_t *)*rows + place * size;
    memmove(at + size, at, (*count - place) * size);
    memset(at, 0, size);
    (*count)++;
    return at;
}

static void rows_remove(void *rows, uint32_t *count, size_t size, uint32_t place)
{
    uint8_t *at = (uint8_t *)rows + place * size;
    (*count)--;
    memmove(at, at + size, (*count - place) * size);
}

static void name_copy(char out[ACCESS_NAME_SIZE], const char *name)
{
    snprintf(out, ACCESS_NAME_SIZE, "%s", name);
}

// ---------------------------------------------------------------------------------------------------------
// Tokens

static uint32_t token_place(const struct access *access, uint32_t id)
{
    uint32_t place;
    BASE_SEARCH(place, access->token_count, access->tokens[at].id < id);
    return place;
}

static bool good(uint64_t expires_s, uint64_t now_s)
{
    return expires_s == 0 || now_s < expires_s;
}

enum access_outcome access_token_put(struct access *access, const struct access_token *token)
{
    struct access_likeness likeness;
    if (access->token_count + access->invite_count >= ACCESS_TOKENS_MAX) {
        return ACCESS_FULL;
    }
    if (!access_likeness_of(token->name, &likeness)) {
        return ACCESS_MEMORY;
    }
    struct access_token *row =
        access_rows_insert((void **)&access->tokens, &access->token_count, &access->token_room, sizeof *row,
                           token_place(access, token->id));
    if (!row) {
        return ACCESS_MEMORY;
    }
    *row = *token;
    row->likeness = likeness;
    if (token->id > access->last_id) {
        access->last_id = token->id;
    }
    return ACCESS_DONE;
}

enum access_outcome access_token_create(struct access *access, const char *name, enum protocol_role role,
                                        uint64_t now_s, uint64_t expires_s, uint32_t *id,
                                        char secret[ACCESS_SECRET_SIZE])
{
    struct access_token token = {
        .id = access->last_id + 1, .role = role, .created_s = now_s, .expires_s = expires_s};
    name_copy(token.name, name);
    access_secret_make(ACCESS_TOKEN, secret, &token.key, token.hash);
    *id = token.id;
    return access_token_put(access, &token);
}

// Every token with that key is compared, whole: there is one, but by chance.
bool access_know(struct access *access, const struct protocol_string *text, uint64_t now_s,
                 struct access_person *person)
{
    uint64_t key;
    uint8_t hash[32];
    *person = (struct access_person){0};
    if (!access_secret_read(ACCESS_TOKEN, text, &key, hash)) {
        return false;
    }
    for (uint32_t i = 0; i < access->token_count; i++) {
        const struct access_token *token = &access->tokens[i];
        if (token->key != key || !access_secret_same(token->hash, hash) || !good(token->expires_s, now_s)) {
            continue;
        }
        *person =
            (struct access_person){.token = token->id, .role = token->role, .expires_s = token->expires_s};
        name_copy(person->name, token->name);
        return true;
    }
    return false;
}

bool access_token_same(const struct access *access, const struct access_token *token)
{
    for (uint32_t i = 0; i < access->token_count; i++) {
        if (access->tokens[i].key == token->key && access_secret_same(access->tokens[i].hash, token->hash)) {
            return true;
        }
    }
    return false;
}

bool access_holds(const struct access *access, uint32_t token)
{
    const uint32_t place = token_place(access, token);
    return place < access->token_count && access->tokens[place].id == token;
}

uint32_t access_token_revoke(struct access *access, uint32_t id, const char *name)
{
    uint32_t revoked = 0;
    for (uint32_t i = access->token_count; i > 0; i--) {
        const struct access_token *token = &access->tokens[i - 1];
        if (name ? strcmp(token->name, name) != 0 : token->id != id) {
            continue;
        }
        rows_remove(access->tokens, &access->token_count, sizeof *token, i - 1);
        revoked++;
    }
    return revoked;
}

const struct access_token *access_tokens(const struct access *access, uint32_t *count)
{
    *count = access->token_count;
    return access->tokens;
}

// ---------------------------------------------------------------------------------------------------------
// Roles in worlds

static bool grant_before(const struct access_grant *grant, uint32_t world, const char *name)
{
    return grant->world < world || (grant->world == world && strcmp(grant->name, name) < 0);
}

static uint32_t grant_place(const struct access *access, uint32_t world, const char *name)
{
    uint32_t place;
    BASE_SEARCH(place, access->grant_count, grant_before(&access->grants[at], world, name));
    return place;
}

static struct access_grant *grant_find(const struct access *access, uint32_t world, const char *name)
{
    const uint32_t place = grant_place(access, world, name);
    if (place == access->grant_count || access->grants[place].world != world ||
        strcmp(access->grants[place].name, name) != 0) {
        return NULL;
    }
    return &access->grants[place];
}

enum protocol_role access_role(const struct access *access, uint32_t world, const char *name)
{
    const struct access_grant *own = grant_find(access, world, name);
    const struct access_grant *all = grant_find(access, world, "*");
    const enum protocol_role mine = own ? own->role : PROTOCOL_ROLE_ANYONE;
    return all && all->role > mine ? all->role : mine;
}

const struct access_grant *access_grants(const struct access *access, uint32_t world, uint32_t *count)
{
    const uint32_t first = grant_place(access, world, "");
    uint32_t end = first;
    while (end < access->grant_count && access->grants[end].world == world) {
        end++;
    }
    *count = end - first;
    return access->grants + first;
}

uint32_t access_given(const struct access *access, uint32_t world, const char *by, struct access_grant *out,
                      uint32_t room)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < access->grant_count; i++) {
        const struct access_grant *grant = &access->grants[i];
        if ((world != 0 && grant->world != world) || grant->role == PROTOCOL_ROLE_ANYONE ||
            strcmp(grant->by, by) != 0 || strcmp(grant->name, by) == 0) {
            continue;
        }
        if (count < room) {
            out[count] = *grant;
        }
        count++;
    }
    return count;
}

enum access_outcome access_grant_put(struct access *access, const struct access_grant_put *put)
{
    const uint32_t world = put->world;
    struct access_grant *grant = grant_find(access, world, put->name);
    uint32_t of_world;
    (void)access_grants(access, world, &of_world);
    if (!grant && (access->grant_count >= ACCESS_GRANTS_MAX || of_world >= ACCESS_WORLD_GRANTS)) {
        return ACCESS_FULL;
    }
    if (!grant) {
        struct access_likeness likeness;
        if (!access_likeness_of(put->name, &likeness)) {
            return ACCESS_MEMORY;
        }
        grant = access_rows_insert((void **)&access->grants, &access->grant_count, &access->grant_room,
                                   sizeof *grant, grant_place(access, world, put->name));
        if (!grant) {
            return ACCESS_MEMORY;
        }
        grant->world = world;
        grant->likeness = likeness;
        name_copy(grant->name, put->name);
    }
    name_copy(grant->by, put->by);
    grant->role = put->role;
    grant->made = grant->made || put->made;
    return ACCESS_DONE;
}

enum access_outcome access_grant(struct access *access, uint32_t world, const char *name,
                                 enum protocol_role role, const char *by)
{
    const struct access_grant *grant = grant_find(access, world, name);
    if (role != PROTOCOL_ROLE_ANYONE || (grant && grant->made)) {
        return access_grant_put(
            access, &(struct access_grant_put){.world = world, .role = role, .name = name, .by = by});
    }
    if (!grant) {
        return ACCESS_NONE;
    }
    rows_remove(access->grants, &access->grant_count, sizeof *grant, (uint32_t)(grant - access->grants));
    return ACCESS_DONE;
}

enum access_outcome access_made(struct access *access, uint32_t world, const char *name)
{
    return access_grant_put(
        access, &(struct access_grant_put){
                    .world = world, .role = PROTOCOL_ROLE_OWNER, .made = true, .name = name, .by = ""});
}

const char *access_maker(const struct access *access, uint32_t world)
{
    uint32_t count;
    const struct access_grant *grants = access_grants(access, world, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (grants[i].made) {
            return grants[i].name;
        }
    }
    return NULL;
}

enum access_outcome access_name_check(const struct access *access, const char *name, const char **like)
{
    struct access_likeness likeness, all;
    *like = NULL;
    if (strcmp(name, "*") == 0) {
        return ACCESS_TAKEN;
    }
    if (!access_likeness_of(name, &likeness) || !access_likeness_of("*", &all)) {
        return ACCESS_MEMORY;
    }
    if (access_likeness_same(&likeness, &all)) {
        *like = "*";
    }
    for (uint32_t i = 0; i < access->token_count; i++) {
        const struct access_token *token = &access->tokens[i];
        if (strcmp(token->name, name) == 0) {
            return ACCESS_TAKEN;
        }
        if (access_likeness_same(&token->likeness, &likeness)) {
            *like = token->name;
        }
    }
    for (uint32_t i = 0; i < access->grant_count; i++) {
        const struct access_grant *grant = &access->grants[i];
        if (strcmp(grant->name, name) == 0) {
            return ACCESS_TAKEN;
        }
        if (access_likeness_same(&grant->likeness, &likeness)) {
            *like = grant->name;
        }
    }
    return *like ? ACCESS_ALIKE : ACCESS_NONE;
}

// ---------------------------------------------------------------------------------------------------------
// Control

static uint32_t control_place(const struct access *access, uint32_t world)
{
    uint32_t place;
    BASE_SEARCH(place, access->control_count, access->controls[at].world < world);
    return place;
}

static struct access_control_row *control_find(const struct access *access, uint32_t world)
{
    const uint32_t place = control_place(access, world);
    return place < access->control_count && access->controls[place].world == world ? &access->controls[place]
                                                                                   : NULL;
}

enum protocol_role access_control(const struct access *access, uint32_t world)
{
    const struct access_control_row *row = control_find(access, world);
    return row ? row->role : PROTOCOL_ROLE_EDITOR;
}

enum access_outcome access_control_set(struct access *access, uint32_t world, enum protocol_role role)
{
    struct access_control_row *row = control_find(access, world);
    if (!row && access->control_count >= ACCESS_GRANTS_MAX) {
        return ACCESS_FULL;
    }
    if (!row) {
        row = access_rows_insert((void **)&access->controls, &access->control_count, &access->control_room,
                                 sizeof *row, control_place(access, world));
    }
    if (!row) {
        return ACCESS_MEMORY;
    }
    *row = (struct access_control_row){.world = world, .role = role};
    return ACCESS_DONE;
}

// ---------------------------------------------------------------------------------------------------------
// Invitations

static uint32_t invite_place(const struct access *access, uint32_t id)
{
    uint32_t place;
    BASE_SEARCH(place, access->invite_count, access->invites[at].id < id);
    return place;
}

enum access_outcome access_invite_put(struct access *access, const struct access_invite *invite)
{
    uint32_t of_world = 0;
    for (uint32_t i = 0; i < access->invite_count; i++) {
        of_world += access->invites[i].world == invite->world;
    }
    if (access->token_count + access->invite_count >= ACCESS_TOKENS_MAX || of_world >= ACCESS_WORLD_INVITES) {
        return ACCESS_FULL;
    }
    struct access_invite *row =
        access_rows_insert((void **)&access->invites, &access->invite_count, &access->invite_room,
                           sizeof *row, invite_place(access, invite->id));
    if (!row) {
        return ACCESS_MEMORY;
    }
    *row = *invite;
    if (invite->id > access->last_id) {
        access->last_id = invite->id;
    }
    return ACCESS_DONE;
}

enum access_outcome access_invite_create(struct access *access, const struct access_invite *like,
                                         uint32_t *id, char secret[ACCESS_SECRET_SIZE])
{
    struct access_invite invite = *like;
    invite.id = *id = access->last_id + 1;
    access_secret_make(ACCESS_INVITE, secret, &invite.key, invite.hash);
    return access_invite_put(access, &invite);
}

const struct access_invite *access_invite_find(const struct access *access,
                                               const struct protocol_string *text, uint64_t now_s)
{
    uint64_t key;
    uint8_t hash[32];
    if (!access_secret_read(ACCESS_INVITE, text, &key, hash)) {
        return NULL;
    }
    for (uint32_t i = 0; i < access->invite_count; i++) {
        const struct access_invite *invite = &access->invites[i];
        if (invite->key == key && access_secret_same(invite->hash, hash) && good(invite->expires_s, now_s)) {
            return invite;
        }
    }
    return NULL;
}

void access_invite_use(struct access *access, uint32_t id)
{
    const uint32_t place = invite_place(access, id);
    if (place == access->invite_count || access->invites[place].id != id) {
        return;
    }
    if (access->invites[place].uses > 1) {
        access->invites[place].uses--;
    } else {
        rows_remove(access->invites, &access->invite_count, sizeof *access->invites, place);
    }
}

bool access_invite_revoke(struct access *access, uint32_t world, uint32_t id)
{
    const uint32_t place = invite_place(access, id);
    if (place == access->invite_count || access->invites[place].id != id ||
        access->invites[place].world != world) {
        return false;
    }
    rows_remove(access->invites, &access->invite_count, sizeof *access->invites, place);
    return true;
}

const struct access_invite *access_invites(const struct access *access, uint32_t *count)
{
    *count = access->invite_count;
    return access->invites;
}

static bool is_own(const struct access_invite *invite, const struct access_own *own)
{
    return (own->world == 0 || invite->world == own->world) && invite->role > own->above &&
           strcmp(invite->name, own->name) == 0;
}

uint32_t access_invites_own(const struct access *access, const struct access_own *own,
                            struct access_invite *out, uint32_t room)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < access->invite_count; i++) {
        if (!is_own(&access->invites[i], own)) {
            continue;
        }
        if (count < room) {
            out[count] = access->invites[i];
        }
        count++;
    }
    return count;
}

void access_invites_end(struct access *access, const struct access_own *own)
{
    for (uint32_t i = access->invite_count; i > 0; i--) {
        if (is_own(&access->invites[i - 1], own)) {
            rows_remove(access->invites, &access->invite_count, sizeof *access->invites, i - 1);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------
// What goes

void access_forget(struct access *access, uint32_t world)
{
    for (uint32_t i = access->grant_count; i > 0; i--) {
        if (access->grants[i - 1].world == world) {
            rows_remove(access->grants, &access->grant_count, sizeof *access->grants, i - 1);
        }
    }
    for (uint32_t i = access->invite_count; i > 0; i--) {
        if (access->invites[i - 1].world == world) {
            rows_remove(access->invites, &access->invite_count, sizeof *access->invites, i - 1);
        }
    }
    const struct access_control_row *row = control_find(access, world);
    if (row) {
        rows_remove(access->controls, &access->control_count, sizeof *row,
                    (uint32_t)(row - access->controls));
    }
}

void access_forget_gone(struct access *access, const char *name, uint32_t most,
                        bool (*gone)(void *context, uint32_t world), void *context)
{
    uint32_t left = most;
    for (uint32_t i = access->grant_count; i > 0;) {
        const struct access_grant *grant = &access->grants[--i];
        const uint32_t world = grant->world;
        if (!grant->made || strcmp(grant->name, name) != 0 || !gone(context, world)) {
            continue;
        }
        if (left > 0) {
            left--;
        } else {
            access_forget(access, world);
            i = grant_place(access, world, ""); // its other rows went too, above and below
        }
    }
}

bool access_takes_guests(const struct access *access)
{
    return access->token_count + access->invite_count < ACCESS_TOKENS_MAX / 4 * 3;
}

// Whether it has been seen as expired for long enough.
static bool is_over(uint64_t expires_s, uint64_t *expired_ns, uint64_t now_s, uint64_t now_ns)
{
    if (good(expires_s, now_s)) {
        *expired_ns = 0;
        return false;
    }
    *expired_ns = *expired_ns != 0 ? *expired_ns : now_ns;
    return now_ns - *expired_ns >= ACCESS_EXPIRED_S * UINT64_C(1000000000);
}

void access_expire(struct access *access, uint64_t now_s, uint64_t now_ns)
{
    for (uint32_t i = access->token_count; i > 0; i--) {
        if (is_over(access->tokens[i - 1].expires_s, &access->tokens[i - 1].expired_ns, now_s, now_ns)) {
            rows_remove(access->tokens, &access->token_count, sizeof *access->tokens, i - 1);
        }
    }
    for (uint32_t i = access->invite_count; i > 0; i--) {
        if (is_over(access->invites[i - 1].expires_s, &access->invites[i - 1].expired_ns, now_s, now_ns)) {
            rows_remove(access->invites, &access->invite_count, sizeof *access->invites, i - 1);
        }
    }
}
