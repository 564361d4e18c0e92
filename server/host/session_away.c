// Handles sessions whose connection is lost. They stay for a while, so that a person goes on where the
// connection broke.
//
//     there ──connection lost──▶ away ──session.hello {resume} (session_resume.c)──▶ there
//       │                          │
//       └──session.leave           └──grace is over, or too many are away──▶ ended
//
// Only a session that said hello has a key, and stays. It keeps what it has: worlds joined, grabs, which hold
// still, and requests under way, whose answers are kept (kept.h). Streams end with the connection, because
// nobody would see their frames.
//
// A session that is away costs a little memory and no place. All of them together are bounded, and so are
// those of an address. So a client that opens and cuts connections only ends the oldest sessions of its own
// address.
#include "host/session_internal.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "host/world_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------
// Keys

bool host_session_keep(struct host_session *session, uint32_t msgid)
{
    if (session->keeps || session->sessions->options.grace_ms == 0) {
        return session->keeps;
    }
    uint8_t secret[HOST_KEY_BYTES];
    if (!base_random(secret, sizeof secret)) {
        return false; // without a key that cannot be guessed, it is not kept
    }
    int size = snprintf(session->key, sizeof session->key, "%" PRIu32 "-", session->id);
    for (size_t i = 0; i < sizeof secret; i++) {
        size += snprintf(session->key + size, sizeof session->key - (size_t)size, "%02x", secret[i]);
    }
    host_kept_init(&session->kept, msgid);
    session->keeps = true;
    return true;
}

const char *host_session_key(const struct host_session *session)
{
    return session->keeps ? session->key : "";
}

void host_session_keep_no_more(struct host_session *session)
{
    session->keeps = false;
    host_kept_deinit(&session->kept);
}

uint32_t host_sessions_grace_s(const struct host_sessions *sessions)
{
    return (uint32_t)((sessions->options.grace_ms + 999) / 1000);
}

void host_session_asked(struct host_session *session, uint32_t msgid, bool repeatable)
{
    if (session->keeps && !host_kept_asked(&session->kept, msgid, repeatable)) {
        host_session_keep_no_more(session);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Being away

void host_session_end_streams(struct host_session *session)
{
    for (uint32_t i = 0; i < session->stream_count; i++) {
        const struct host_stream *stream = &session->streams[i];
        const struct host_world *world =
            host_registry_find_any(session->sessions->options.registry, stream->world);
        base_batch_destroy_all(stream->early);
        if (world) {
            world_post_unwanted(world->world, stream->id);
        }
    }
    session->stream_count = 0;
}

static bool counts_for_address(const struct host_session *session)
{
    return !session->loopback || session->sessions->options.loopback_too;
}

// Counts the sessions that are away, of the address of `like` or (NULL) of all, and finds the one that is
// away for longest.
static uint32_t count_away(const struct host_sessions *sessions, const struct host_session *like,
                           struct host_session **oldest)
{
    uint32_t count = 0;
    *oldest = NULL;
    for (uint32_t i = 0; i < sessions->count; i++) {
        struct host_session *at = sessions->items[i];
        if (at->away_ns == 0 || (like && at->origin != like->origin)) {
            continue;
        }
        count++;
        if (!*oldest || at->away_ns < (*oldest)->away_ns) {
            *oldest = at;
        }
    }
    return count;
}

static void end_oldest(struct host_session *oldest)
{
    base_log(BASE_LOG_INFO, "session %" PRIu32 " ends: too many are away", oldest->id);
    oldest->sessions->stats.away_ended++;
    host_session_end(oldest);
}

// Ends the oldest session of the address that has most of them. This is rare, so they are counted one by one.
static void make_room(struct host_sessions *sessions)
{
    struct host_session *found = NULL, *oldest;
    uint32_t most = 0;
    for (uint32_t i = 0; i < sessions->count; i++) {
        if (sessions->items[i]->away_ns == 0) {
            continue;
        }
        const uint32_t count = count_away(sessions, sessions->items[i], &oldest);
        if (count > most) {
            most = count;
            found = oldest;
        }
    }
    if (found) {
        end_oldest(found);
    }
}

static void go_away(struct host_session *session)
{
    struct host_sessions *sessions = session->sessions;
    struct host_session *oldest;
    host_audit(session, "away", &(struct host_deed){.outcome = "ok"}); // while its address is still known
    if (session->connection) {
        session->connection->session = NULL;
    }
    session->connection = NULL;
    session->away_ns = base_now_ns();
    host_session_end_streams(session);
    host_session_seen_away(session, true);
    if (sessions->options.on_away) {
        sessions->options.on_away(sessions->options.context, session->id, true);
    }
    const uint32_t most_of_address = sessions->options.away_per_address;
    if (counts_for_address(session) && count_away(sessions, session, &oldest) > most_of_address) {
        end_oldest(oldest);
    }
    if (count_away(sessions, NULL, &oldest) > sessions->options.away) {
        make_room(sessions);
    }
}

void host_session_lose(struct host_session *session)
{
    if (session->keeps && !session->sessions->stopping) {
        go_away(session);
    } else {
        host_session_end(session);
    }
}

void host_sessions_watch_away(struct host_sessions *sessions, uint64_t now_ns)
{
    const uint64_t grace_ns = sessions->options.grace_ms * UINT64_C(1000000);
    for (uint32_t left = sessions->count; left > 0; left--) {
        struct host_session *session = sessions->items[left - 1];
        if (session->away_ns == 0 || now_ns < session->away_ns + grace_ns) {
            continue;
        }
        base_log(BASE_LOG_DEBUG, "session %" PRIu32 " ends: it did not come back", session->id);
        host_session_end(session);
    }
}
