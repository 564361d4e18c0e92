// Tells people in a world what they see of each other, and what they say.
//
// It works every thirtieth of a second while some world has two members. People who have left, or are away
// for long, are told as gone. Each member is told the newest of those that it has not seen.
#include "host/session_internal.h"

#include "base/buffer.h"
#include "base/clock.h"
#include "host/outgoing.h"
#include "host/presence.h"
#include "host/world_internal.h"
#include "protocol/error.h"
#include "protocol/message.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    UNSENT_MAX = 16384, // unsent bytes from which on a member is skipped
    TOLD_MAX = 4096,    // notices in one period, of all worlds; the rest follows
};

// Time after which a person who is away and holds nothing is no longer shown.
static const uint64_t away_ns = 5000000000;

// Tells a session of a person. If memory runs out, it is told with the next version.
static void tell(const struct host_world *world, struct host_present *present, struct host_session *session,
                 const struct host_membership *membership)
{
    struct base_buffer **packed = &present->packed[membership->arrays];
    if (!*packed) {
        *packed = host_presence_pack(world->id, present, membership->arrays, false);
    }
    if (*packed) {
        host_session_notify(session, *packed);
    }
}

// Tells all members that a person is gone. These messages are few and small, so all are sent at once.
static void tell_gone(struct host_sessions *sessions, const struct host_world *world,
                      const struct host_present *present)
{
    struct base_buffer *bytes[3] = {NULL};
    for (uint32_t left = sessions->count; left > 0; left--) {
        struct host_session *session = sessions->items[left - 1];
        const struct host_membership *membership = host_session_member(session, world->id);
        if (!membership || !session->connection || session->id == present->session) {
            continue;
        }
        struct base_buffer **packed = &bytes[membership->arrays];
        if (!*packed) {
            *packed = host_presence_pack(world->id, present, membership->arrays, true);
        }
        if (*packed) {
            host_session_notify(session, *packed);
        }
    }
    for (int mode = 0; mode < 3; mode++) {
        base_buffer_unref(bytes[mode]);
    }
}

// Tells a session what it has not seen. Returns how many more may be told.
static uint32_t tell_session(struct host_world *world, struct host_session *session,
                             struct host_membership *membership, uint32_t left)
{
    struct host_presence *presence = world->presence;
    if (membership->presence == presence->version) {
        return left;
    }
    const bool full = net_conn_unsent(session->connection->conn) > UNSENT_MAX;
    if (full || left == 0) {
        presence->behind = true;
        return left;
    }
    const uint64_t seen = membership->presence;
    for (uint32_t i = 0; i < presence->count && session->connection; i++) {
        struct host_present *present = presence->items[i];
        if (present->version <= seen || present->hidden || present->left || present->session == session->id) {
            continue;
        }
        tell(world, present, session, membership);
        left -= left > 0;
    }
    membership->presence = presence->version;
    return left;
}

static void look_at_holds(struct host_world *world)
{
    struct host_presence *presence = world->presence;
    const struct world_hold *holds;
    uint32_t count, grabs[PROTOCOL_LIMIT_GRABS];
    if (!world_holds(world->world, &presence->holds, &holds, &count)) {
        return;
    }
    for (uint32_t i = 0; i < presence->count; i++) {
        uint32_t found = 0;
        for (uint32_t n = 0; n < count; n++) {
            if (holds[n].session == presence->items[i]->session && found < PROTOCOL_LIMIT_GRABS) {
                grabs[found++] = holds[n].grab;
            }
        }
        host_presence_holds(presence, presence->items[i], grabs, found);
    }
}

// Looks after one world. False: it has nothing left to look after.
static bool look_after(struct host_sessions *sessions, struct host_world *world, uint64_t now_ns,
                       uint32_t *left)
{
    struct host_presence *presence = world->presence;
    look_at_holds(world);
    for (uint32_t left_over = presence->count; left_over > 0; left_over--) {
        struct host_present *present = presence->items[left_over - 1];
        if (present->left) {
            if (!present->hidden) {
                tell_gone(sessions, world, present);
            }
            host_presence_forget(presence, left_over - 1);
            continue;
        }
        if (present->away_ns == 0 || present->hidden || present->grab_count > 0 ||
            now_ns - present->away_ns < away_ns) {
            continue;
        }
        tell_gone(sessions, world, present);
        present->hidden = true;
    }
    if (presence->version != presence->flushed || presence->behind) {
        presence->behind = false;
        for (uint32_t at = sessions->count; at > 0; at--) {
            struct host_session *session = sessions->items[at - 1];
            struct host_membership *membership = host_session_member(session, world->id);
            if (membership && session->connection) {
                *left = tell_session(world, session, membership, *left);
            }
        }
        presence->flushed = presence->version;
    }
    return presence->count > 1;
}

void host_sessions_tell_presence(void *context)
{
    struct host_sessions *sessions = context;
    const struct host_registry *registry = sessions->options.registry;
    const uint64_t now_ns = base_now_ns();
    uint32_t left = TOLD_MAX;
    bool more = false;
    host_sessions_enter(sessions);
    for (uint32_t i = 0; i < host_registry_count(registry); i++) {
        struct host_world *world = host_registry_at(registry, i);
        if (world->presence && look_after(sessions, world, now_ns, &left)) {
            more = true;
        }
    }
    host_sessions_leave(sessions);
    if (!more) {
        net_timer_stop(sessions->presence);
        sessions->presence = NULL;
    }
}

// ---------------------------------------------------------------------------------------------------------
// What people do

struct host_present *host_session_present(const struct host_session *session, const struct host_world *world,
                                          struct protocol_error *error)
{
    struct host_present *present = host_presence_find(world->presence, session->id);
    if (present) {
        return present;
    }
    protocol_error_set(error, PROTOCOL_CODE_NOT_FOUND, "world",
                       "this session has not joined world \"%s\"; world.join comes first", world->name);
    snprintf(error->value, sizeof error->value, "%" PRIu32, world->id);
    return NULL;
}

static bool may_say(struct host_session *session, struct protocol_error *error)
{
    const uint64_t now_ns = base_now_ns();
    uint64_t *oldest_ns = &session->said_ns[session->said_next];
    if (*oldest_ns != 0 && now_ns - *oldest_ns < 1000000000u) {
        protocol_error_set(error, PROTOCOL_CODE_LIMIT, NULL,
                           "this session said %d lines within a second (limit said_per_second)",
                           (int)PROTOCOL_LIMIT_SAID_PER_SECOND);
        error->limit = (double)PROTOCOL_LIMIT_SAID_PER_SECOND;
        return false;
    }
    *oldest_ns = now_ns;
    session->said_next = (session->said_next + 1) % PROTOCOL_LIMIT_SAID_PER_SECOND;
    return true;
}

bool host_session_say(struct host_session *session, struct host_world *world,
                      const struct protocol_string *text, uint64_t *line, struct protocol_error *error)
{
    const struct host_present *present = host_session_present(session, world, error);
    if (!present || !may_say(session, error)) {
        return false;
    }
    *line = ++world->presence->lines;
    const struct protocol_world_said_notice notice = {
        .has = PROTOCOL_HAS_ALL,
        .world = world->id,
        .line = *line,
        .session = session->id,
        .user = protocol_text(present->person.name),
        .name = protocol_text(host_present_name(present)),
        .text = *text,
    };
    struct host_outgoing out;
    host_outgoing_init(&out);
    protocol_pack_notification(&out.packer, "world.said");
    protocol_encode(&protocol_world_said_notice_type, &notice, PROTOCOL_ARRAYS_EXT, &out.packer);
    // Has no arrays, so it is the same in all modes.
    struct base_buffer *bytes[3] = {host_outgoing_finish(&out)};
    if (!bytes[0]) {
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for this line");
        return false;
    }
    host_sessions_keep_notice(session->sessions, world, 0, bytes, false);
    host_sessions_notice(session->sessions, world->id, bytes, false);
    base_buffer_unref(bytes[0]);
    return true;
}
