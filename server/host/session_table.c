// Life of a session. They stand in an array by ascending id (ids only grow, so a new one goes to the end).
//
//     create ─▶ … ─▶ end: out of the array, and out of its worlds ─▶ freed when the outermost callback returns
//
// so that code that holds a pointer may go on; everything that sends looks at `connection` first.
#include "host/session_internal.h"

#include "base/assert.h"
#include "base/buffer.h"

#include <stdlib.h>
#include <string.h>

void host_sessions_enter(struct host_sessions *sessions)
{
    sessions->depth++;
}

void host_sessions_leave(struct host_sessions *sessions)
{
    BASE_ASSERT(sessions->depth > 0);
    sessions->depth--;
    if (sessions->depth > 0)
        return;
    while (sessions->gone != NULL) {
        struct host_session *session = sessions->gone;
        sessions->gone = session->next_gone;
        host_upload_destroy(session->upload);
        free(session->memberships);
        world_account_unref(session->account);
        free(session);
    }
}

static uint32_t place_of(const struct host_sessions *sessions, uint32_t id)
{
    uint32_t low = 0, high = sessions->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (sessions->items[middle]->id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct host_session *host_session_find(const struct host_sessions *sessions, uint32_t id)
{
    uint32_t place = place_of(sessions, id);
    return place < sessions->count && sessions->items[place]->id == id ? sessions->items[place] : NULL;
}

uint32_t host_sessions_count(const struct host_sessions *sessions)
{
    return sessions->connection_count - sessions->cleared;
}

static bool put(struct host_sessions *sessions, struct host_session *session)
{
    if (sessions->count == sessions->capacity) {
        uint32_t capacity = sessions->capacity == 0 ? 64 : 2 * sessions->capacity;
        struct host_session **items = realloc(sessions->items, capacity * sizeof *items);
        if (items == NULL)
            return false;
        sessions->items = items;
        sessions->capacity = capacity;
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
    if (session == NULL || account == NULL || !put(sessions, session)) {
        world_account_unref(account);
        free(session);
        return NULL;
    }
    session->sessions = sessions;
    session->account = account;
    session->id = ++sessions->last_id;
    host_person_init(&session->person, session->id);
    session->arrays = PROTOCOL_ARRAYS_EXT;
    session->errors = PROTOCOL_ERRORS_ARRAY;
    return session;
}

void host_session_end(struct host_session *session)
{
    if (session->connection != NULL)
        session->connection->session = NULL;
    session->connection = NULL;
    world_account_leave(session->account);
    take_out(session);
    host_session_leave_worlds(session);
}
