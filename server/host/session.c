// Handles the life of each session.
//
// They are in an array by ascending id (ids only grow, so a new one goes to the end).
//
//     create ─▶ … ─▶ end: out of the array, and out of its worlds ─▶ freed when the outermost callback returns
//
// So code that holds a pointer may go on; everything that sends looks at `connection` first.
#include "host/session_internal.h"

#include "base/assert.h"
#include "base/buffer.h"
#include "base/search.h"
#include "host/world_internal.h"
#include "net/net.h"
#include "protocol/array/reserve.h"
#include "protocol/types.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Its name is "session-ID" until it tells another.
static void person_init(struct host_person *person, uint32_t id)
{
    *person = (struct host_person){.id = id};
    snprintf(person->name, sizeof person->name, "session-%" PRIu32, id);
}

static void copy_name(char out[HOST_PERSON_NAME_SIZE], const struct protocol_string *name)
{
    snprintf(out, HOST_PERSON_NAME_SIZE, "%.*s", (int)name->size, name->size == 0 ? "" : name->data);
}

// Sets name and program. An empty name becomes "session-ID" again. A text that is too long is cut off.
static void person_introduce(struct host_person *person, const struct protocol_string *name,
                             const struct protocol_string *program)
{
    person_init(person, person->id);
    copy_name(person->program, program);
    if (name->size > 0) {
        copy_name(person->name, name);
    }
}

void host_sessions_enter(struct host_sessions *sessions)
{
    sessions->depth++;
}

void host_sessions_leave(struct host_sessions *sessions)
{
    BASE_ASSERT(sessions->depth > 0);
    sessions->depth--;
    if (sessions->depth > 0) {
        return;
    }
    while (sessions->gone) {
        struct host_session *session = sessions->gone;
        sessions->gone = session->next_gone;
        host_upload_destroy(session->upload);
        access_usage_unref(session->badge.usage);
        host_kept_deinit(&session->kept);
        free(session->memberships);
        world_account_unref(session->account);
        free(session);
    }
}

static uint32_t place_of(const struct host_sessions *sessions, uint32_t id)
{
    uint32_t place;
    BASE_SEARCH(place, sessions->count, sessions->items[at]->id < id);
    return place;
}

struct host_session *host_session_find(const struct host_sessions *sessions, uint32_t id)
{
    uint32_t place = place_of(sessions, id);
    return place < sessions->count && sessions->items[place]->id == id ? sessions->items[place] : NULL;
}

struct host_session *host_session_find_next(struct host_sessions *sessions, uint32_t id)
{
    uint32_t place = sessions->found;
    place += place < sessions->count && sessions->items[place]->id < id;
    if (place >= sessions->count || sessions->items[place]->id != id) {
        place = place_of(sessions, id);
    }
    sessions->found = place;
    return place < sessions->count && sessions->items[place]->id == id ? sessions->items[place] : NULL;
}

uint32_t host_sessions_count(const struct host_sessions *sessions)
{
    return sessions->connection_count - sessions->cleared;
}

static bool put(struct host_sessions *sessions, struct host_session *session)
{
    if (!array_reserve(&sessions->items, &sessions->capacity, sessions->count + 1)) {
        return false;
    }
    sessions->items[sessions->count++] = session;
    return true;
}

static void take_out(struct host_session *session)
{
    struct host_sessions *sessions = session->sessions;
    uint32_t place = place_of(sessions, session->id);
    BASE_ASSERT(place < sessions->count && sessions->items[place] == session);
    sessions->count--;
    memmove(&sessions->items[place], &sessions->items[place + 1],
            (sessions->count - place) * sizeof(struct host_session *));
    session->next_gone = sessions->gone;
    sessions->gone = session;
}

struct host_session *host_session_create(struct host_sessions *sessions)
{
    struct host_session *session = calloc(1, sizeof *session);
    struct world_account *account = world_account_create(sessions->answers);
    if (!session || !account || !put(sessions, session)) {
        world_account_unref(account);
        free(session);
        return NULL;
    }
    session->sessions = sessions;
    session->account = account;
    session->id = ++sessions->last_id;
    person_init(&session->person, session->id);
    session->arrays = PROTOCOL_ARRAYS_EXT;
    session->errors = PROTOCOL_ERRORS_ARRAY;
    return session;
}

static void leave_worlds(struct host_session *session)
{
    for (uint32_t i = 0; i < session->membership_count; i++) {
        struct host_world *world =
            host_registry_find_any(session->sessions->options.registry, session->memberships[i].world);
        if (!world) {
            continue;
        }
        host_session_go(session, world->id);
        world_post_gone(world->world, session->id);
        host_gate_forget(&world->gate, session->id);
    }
    // The streams have no connection any more: net frees its part of them with the connection.
    for (uint32_t i = 0; i < session->stream_count; i++) {
        base_batch_destroy_all(session->streams[i].early);
    }
    session->stream_count = session->membership_count = 0;
}

void host_session_end(struct host_session *session)
{
    if (session->connection) {
        session->connection->session = NULL;
    }
    session->connection = NULL;
    world_account_leave(session->account);
    take_out(session);
    leave_worlds(session);
    const struct host_sessions_options *options = &session->sessions->options;
    if (options->on_end) {
        options->on_end(options->context, session->id);
    }
}

// ---------------------------------------------------------------------------------------------------------
// What it is

struct host_sessions *host_session_owner(const struct host_session *session)
{
    return session->sessions;
}

struct world_asker host_session_asker(const struct host_session *session)
{
    struct world_asker asker = {.session = session->id,
                                .visit = session->visit,
                                .arrays = session->arrays,
                                .errors = session->errors};
    _Static_assert(sizeof asker.user == sizeof session->person.name &&
                       sizeof asker.client == sizeof session->person.program,
                   "a world knows them by the same names");
    memcpy(asker.user, session->person.name, sizeof asker.user);
    memcpy(asker.client, session->person.program, sizeof asker.client);
    return asker;
}

struct host_upload *host_session_upload(struct host_session *session)
{
    if (!session->upload) {
        session->upload = host_upload_create();
    }
    return session->upload;
}

void host_session_peer(const struct host_session *session, char *out, size_t size)
{
    out[0] = '\0';
    if (session->connection) {
        net_conn_peer(session->connection->conn, out, size);
    }
    char *port = strrchr(out, ':');
    if (port) {
        *port = '\0';
    }
}

void host_session_introduce(struct host_session *session, const struct protocol_string *client,
                            const struct protocol_string *user, enum protocol_arrays_mode arrays,
                            enum protocol_errors_mode errors)
{
    // If a token vouches for the name, the token's name counts.
    const struct access_person *vouched = &session->badge.person;
    const struct protocol_string name = vouched->token != 0 ? protocol_text(vouched->name) : *user;
    person_introduce(&session->person, &name, client);
    session->arrays = arrays;
    session->errors = errors;
}

void host_session_set_follows(struct host_session *session, bool follows)
{
    session->follows = follows;
}

bool host_session_follows(const struct host_session *session)
{
    return session->follows;
}

bool host_session_is_free(const struct host_session *session)
{
    return session->membership_count == 0 && session->stream_count == 0;
}

void host_session_count_request(struct host_session *session)
{
    session->sessions->stats.requests++;
}

void host_session_count_ignored(struct host_session *session)
{
    session->sessions->stats.notifications_ignored++;
}
