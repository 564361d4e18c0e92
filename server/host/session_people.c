// Notes which persons come to a world, leave, are away and come back, as others will see it (presence.h).
// Nothing is sent here: a timer does that (presence_tell.c), which runs while some world has two members.
#include "host/session_internal.h"

#include "base/clock.h"
#include "host/presence.h"
#include "host/world_internal.h"

#include <stdlib.h>

enum { PERIOD_MS = 1000 / PROTOCOL_LIMIT_PRESENCE_PER_SECOND + 1 };

static void watch(struct host_sessions *sessions, const struct host_presence *presence)
{
    if (presence->count > 1 && !sessions->presence && !sessions->stopping) {
        sessions->presence =
            net_timer_start(sessions->options.loop, PERIOD_MS, PERIOD_MS, sessions->on_presence, sessions);
    }
}

static struct host_present *present_of(const struct host_session *session, uint32_t id,
                                       struct host_world **world)
{
    *world = host_registry_find_any(session->sessions->options.registry, id);
    return !*world ? NULL : host_presence_find((*world)->presence, session->id);
}

// If memory runs out nobody sees this person, who may join again.
void host_session_come(struct host_session *session, uint32_t id)
{
    struct host_world *world = host_registry_find_any(session->sessions->options.registry, id);
    if (!world) {
        return;
    }
    if (!world->presence) {
        world->presence = calloc(1, sizeof *world->presence);
    }
    struct host_present *present = !world->presence ? NULL : host_presence_come(world->presence, session->id);
    if (!present) {
        return;
    }
    present->person = session->person;
    present->away_ns = session->connection && !session->seen_away ? 0 : base_now_ns();
    host_presence_changed(world->presence, present);
    watch(session->sessions, world->presence);
}

void host_session_go(struct host_session *session, uint32_t id)
{
    struct host_world *world;
    struct host_present *present = present_of(session, id, &world);
    if (!present) {
        return;
    }
    present->left = true;
    watch(session->sessions, world->presence);
}

void host_session_set_away(struct host_session *session, bool away)
{
    if (away == session->seen_away) {
        return;
    }
    session->seen_away = away;
    host_session_seen_away(session, away);
}

void host_session_seen_away(struct host_session *session, bool away)
{
    for (uint32_t i = 0; i < session->membership_count; i++) {
        struct host_world *world;
        struct host_present *present = present_of(session, session->memberships[i].world, &world);
        if (!present) {
            continue;
        }
        present->away_ns = away ? base_now_ns() : 0;
        present->hidden = false;
        host_presence_changed(world->presence, present);
        watch(session->sessions, world->presence);
    }
}
