// Who is connected, by ascending id. Sessions that are gone stay in memory until no callback is under way.
#include "host/session_internal.h"

#include "base/assert.h"
#include "base/search.h"

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
    uint32_t place;
    BASE_SEARCH(place, sessions->count, sessions->items[at]->asker.session < id);
    return place;
}

struct host_session *host_session_find(const struct host_sessions *sessions, uint32_t id)
{
    uint32_t place = place_of(sessions, id);
    return place < sessions->count && sessions->items[place]->asker.session == id ? sessions->items[place]
                                                                                  : NULL;
}

uint32_t host_sessions_count(const struct host_sessions *sessions)
{
    return sessions->count - sessions->cleared;
}

bool host_session_put(struct host_sessions *sessions, struct host_session *session)
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

void host_session_take_out(struct host_session *session)
{
    struct host_sessions *sessions = session->sessions;
    uint32_t place = place_of(sessions, session->asker.session);
    BASE_ASSERT(place < sessions->count && sessions->items[place] == session);
    sessions->count--;
    sessions->cleared -= session->cleared;
    memmove(&sessions->items[place], &sessions->items[place + 1],
            (sessions->count - place) * sizeof(struct host_session *));
    session->next_gone = sessions->gone;
    sessions->gone = session;
}
