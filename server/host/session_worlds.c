// Knows the worlds of a session: membership, streams, and the frames that pass to them.
//
// Only the session knows which worlds it visits. A world is noted with the first request that is posted to
// it, and is told once that the session has ended, whatever became of its requests. What a world keeps of
// people is what it was told, to say who is present. A stream has its place from stream.subscribe on, and is
// open for frames when the world's answer passes. Of frames that come before, the newest waits for that.
#include "host/session_internal.h"

#include "base/assert.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/log.h"
#include "host/outgoing.h"
#include "host/world_internal.h"
#include "net/net.h"
#include "protocol/array/reserve.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { LAGS_TO_REST = 16 };

static const uint64_t lag_period_ns = 1000000000;
static const size_t lag_unsent_most =
    4096; // control bytes: a session that has not read what it was told is not told more
static const uint64_t slow_period_ns = 100000000; // time between two messages about it to the world
// Longer than a session that was cut may still hold its frames.
static const uint64_t starve_period_ns = 150000000;

// ---------------------------------------------------------------------------------------------------------
// Membership

bool host_session_reserve(struct host_session *session)
{
    return array_reserve(&session->memberships, &session->membership_capacity, session->membership_count + 1);
}

void host_session_visit(struct host_session *session, uint32_t world)
{
    if (host_membership_of(session, world)) {
        return;
    }
    BASE_ASSERT(session->membership_count < session->membership_capacity);
    session->memberships[session->membership_count++] = (struct host_membership){.world = world};
}

void host_session_joined(struct host_session *session, uint32_t world, enum protocol_arrays_mode arrays)
{
    struct host_membership *membership = host_membership_of(session, world);
    if (!membership) {
        return;
    }
    const struct host_world *at = host_registry_find_any(session->sessions->options.registry, world);
    if (!membership->joined && at) {
        membership->told = at->notices.told;
    }
    membership->joined = true;
    membership->rejoins = false;
    membership->arrays = arrays;
    membership->presence = 0;
    host_session_come(session, world);
}

void host_session_left(struct host_session *session, uint32_t world)
{
    struct host_membership *membership = host_membership_of(session, world);
    if (membership) {
        membership->joined = membership->rejoins = false;
    }
    host_session_go(session, world);
}

uint32_t host_session_worlds(const struct host_session *session)
{
    return session->membership_count;
}

void host_session_nudge_worlds(const struct host_session *session)
{
    for (uint32_t i = 0; i < session->membership_count; i++) {
        struct host_world *world =
            host_registry_find_any(session->sessions->options.registry, session->memberships[i].world);
        if (world) {
            world_nudge(world->world);
        }
    }
}

void host_sessions_keep_notice(struct host_sessions *sessions, struct host_world *world, uint64_t revision,
                               struct base_buffer *const bytes[3], bool lost)
{
    if (sessions->options.grace_ms == 0) {
        return;
    }
    if (!host_notices_begun(&world->notices)) {
        struct world_face face;
        world_face(world->world, &face);
        host_notices_begin(&world->notices, &sessions->notice_bytes, face.revision);
    }
    host_notices_keep(&world->notices, revision, bytes, lost);
}

// ---------------------------------------------------------------------------------------------------------
// Streams

static struct host_stream *stream_of(struct host_session *session, uint32_t id)
{
    for (uint32_t i = 0; i < session->stream_count; i++) {
        if (session->streams[i].id == id) {
            return &session->streams[i];
        }
    }
    return NULL;
}

uint32_t host_session_stream_add(struct host_session *session, uint32_t world)
{
    struct host_sessions *sessions = session->sessions;
    if (session->stream_count == PROTOCOL_LIMIT_STREAMS || sessions->last_stream == UINT32_MAX) {
        return 0;
    }
    uint32_t id = ++sessions->last_stream;
    session->streams[session->stream_count++] = (struct host_stream){.id = id, .world = world};
    return id;
}

void host_session_stream_lossless(struct host_session *session, uint32_t id, size_t credit)
{
    struct host_stream *stream = stream_of(session, id);
    BASE_ASSERT(stream && credit > 0);
    stream->credit = credit;
}

uint32_t host_session_stream_world(const struct host_session *session, uint32_t id)
{
    for (uint32_t i = 0; i < session->stream_count; i++) {
        if (session->streams[i].id == id) {
            return session->streams[i].world;
        }
    }
    return 0;
}

void host_session_stream_opened(struct host_session *session, uint32_t id)
{
    struct host_stream *stream = stream_of(session, id);
    if (!stream) {
        return;
    }
    // The stream was made while the session was away, or its connection is broken and that is about to be
    // told. Streams end in both cases.
    if (!session->connection || net_conn_is_over(session->connection->conn)) {
        host_session_end_streams(session);
        return;
    }
    struct net_conn *conn = session->connection->conn;
    if (!net_conn_stream_open(conn, id) ||
        (stream->credit > 0 && !net_conn_stream_limit(conn, id, stream->credit))) {
        host_session_fail(session, "its stream");
        return;
    }
    stream->open = true;
    struct base_batch *early = stream->early;
    stream->early = NULL;
    while (early) {
        struct base_batch *next = early->next;
        early->next = NULL;
        net_conn_stream_push(conn, early);
        early = next;
    }
}

bool host_session_stream_ack(struct host_session *session, uint32_t id, uint32_t seq)
{
    const struct host_stream *stream = stream_of(session, id);
    if (!stream || !session->connection) {
        return false;
    }
    return stream->open && net_conn_stream_ack(session->connection->conn, id, seq);
}

uint64_t host_session_stream_hand_over(struct host_session *session, uint32_t id)
{
    struct host_stream *stream = stream_of(session, id);
    if (!stream || !stream->open || !session->connection) {
        return 0;
    }
    stream->open = false;
    return net_conn_stream_close(session->connection->conn, id);
}

void host_session_stream_remove(struct host_session *session, uint32_t id)
{
    struct host_stream *stream = stream_of(session, id);
    if (!stream) {
        return;
    }
    if (stream->open && session->connection) {
        net_conn_stream_close(session->connection->conn, id);
    }
    base_batch_destroy_all(stream->early);
    *stream = session->streams[--session->stream_count];
}

// ---------------------------------------------------------------------------------------------------------
// Slow ones

static void close_stream_for(struct host_session *session, uint32_t id, const char *reason,
                             const struct protocol_home *home)
{
    host_session_stream_remove(session, id);
    struct base_buffer *bytes = host_outgoing_stream_closed(id, reason, home);
    host_session_notify(session, bytes);
    base_buffer_unref(bytes);
}

static void close_stream(struct host_session *session, uint32_t id, const char *reason)
{
    close_stream_for(session, id, reason, NULL);
}

bool host_sessions_publish(struct host_sessions *sessions, struct base_batch *batch)
{
    struct host_session *session = host_session_find_next(sessions, batch->session);
    struct host_stream *stream = !session ? NULL : stream_of(session, batch->stream);
    const bool records = batch->lossless && (!stream || stream->credit == 0);
    // Records come after the answer that opened their stream. If they do not, the session is about to end.
    if (!stream || !session->connection || (records && !stream->open)) {
        base_batch_destroy(batch);
    } else if (!stream->open && batch->lossless) {
        struct base_batch **end = &stream->early;
        while (*end) {
            end = &(*end)->next;
        }
        *end = batch;
    } else if (!stream->open) {
        // The newest waits. But a batch that builds on others is of no use without them.
        const bool newer = !stream->early || base_batch_stands_alone(batch);
        base_batch_destroy(newer ? stream->early : batch);
        stream->early = newer ? batch : stream->early;
    } else {
        const uint32_t id = stream->id;
        net_conn_stream_push(session->connection->conn, batch);
        if (records &&
            net_conn_stream_waiting(session->connection->conn, id) > PROTOCOL_LIMIT_RECORDS_UNSENT) {
            close_stream(session, id,
                         "its messages are not read as fast as they come (limit records_unsent)");
        }
    }
    return !session || stream;
}

// Whether the session may be told of a lag now. Counts are from the beginning, so the next message tells all.
static bool may_tell_lag(const struct host_session *session, const struct host_stream *stream,
                         uint64_t now_ns)
{
    return (stream->lagged_ns == 0 || now_ns - stream->lagged_ns >= lag_period_ns) &&
           (!session->connection || net_conn_unsent(session->connection->conn) <= lag_unsent_most);
}

static void tell_lag(struct host_session *session, struct host_stream *stream, uint64_t now_ns)
{
    stream->lagged = false;
    stream->lagged_ns = now_ns;
    struct base_buffer *bytes =
        host_outgoing_stream_lagged(stream->id, stream->dropped + stream->missed, stream->reason);
    host_session_notify(session, bytes);
    base_buffer_unref(bytes);
}

// Handles streams that lagged again within a second of being told, or before that was read: tells those that
// may be told now, and comes back while there are others.
static void on_lag_time(void *context)
{
    struct host_sessions *sessions = context;
    uint64_t now_ns = base_now_ns();
    bool more = false;
    host_sessions_enter(sessions);
    for (uint32_t left = sessions->count; left > 0; left--) {
        struct host_session *session = sessions->items[left - 1];
        for (uint32_t i = 0; i < session->stream_count; i++) {
            struct host_stream *stream = &session->streams[i];
            if (!stream->lagged) {
                continue;
            }
            if (may_tell_lag(session, stream, now_ns)) {
                tell_lag(session, stream, now_ns);
            } else {
                more = true;
            }
        }
    }
    host_sessions_leave(sessions);
    if (!more) {
        net_timer_stop(sessions->lag);
        sessions->lag = NULL;
    }
}

static void lag(struct host_session *session, struct host_stream *stream, const char *reason)
{
    struct host_sessions *sessions = session->sessions;
    uint64_t now_ns = base_now_ns();
    stream->reason = reason;
    if (may_tell_lag(session, stream, now_ns)) {
        tell_lag(session, stream, now_ns);
        return;
    }
    stream->lagged = true;
    if (!sessions->lag && !sessions->stopping) {
        sessions->lag = net_timer_start(sessions->options.loop, 250, 250, on_lag_time, sessions);
    }
}

static bool post_rest(const struct host_session *session, const struct host_stream *stream, bool rests)
{
    struct host_world *world = host_registry_find_any(session->sessions->options.registry, stream->world);
    return !world || world_post_rest(world->world, stream->id, rests);
}

// Tells the world that a stream is slow, which matters if it adapts, but not each time.
static void post_slow(const struct host_session *session, struct host_stream *stream)
{
    struct host_world *world = host_registry_find_any(session->sessions->options.registry, stream->world);
    const uint64_t now_ns = base_now_ns();
    if (!world || now_ns - stream->slow_ns < slow_period_ns) {
        return;
    }
    stream->slow_ns = now_ns;
    world_post_slow(world->world, stream->id);
}

// Handles a lag. A stream that takes nothing for a while gets nothing until it does, so that it costs the
// others nothing.
void host_session_lagged(struct host_session *session, uint32_t id, uint64_t dropped, bool blocked)
{
    struct host_stream *stream = stream_of(session, id);
    if (!stream) {
        return;
    }
    if (stream->credit > 0) {
        close_stream(session, id, "it is lossless, and what one of its frames builds on was not made");
        return;
    }
    if (blocked && !stream->rests && ++stream->lags >= LAGS_TO_REST) {
        stream->rests = post_rest(session, stream, true);
    }
    stream->dropped = dropped;
    post_slow(session, stream);
    lag(session, stream, "slow");
}

void host_session_moving(struct host_session *session, uint32_t id)
{
    struct host_stream *stream = stream_of(session, id);
    if (!stream) {
        return;
    }
    stream->lags = 0;
    if (!stream->rests) {
        return;
    }
    stream->rests = false;
    if (!post_rest(session, stream, false)) {
        host_session_fail(session, "its stream");
    }
}

void host_session_behind(const struct host_session *session, uint32_t id)
{
    struct host_world *world =
        host_registry_find_any(session->sessions->options.registry, host_session_stream_world(session, id));
    if (world) {
        world_post_behind(world->world, id);
    }
}

// Returns why a lossless stream ended, to follow "it is lossless, and". The switch has no default, so that
// the compiler reports a reason that is missing.
static const char *lossless_reason(enum world_lack lack)
{
    switch (lack) {
    case WORLD_LACK_ROOM:
        return "the frames of its world have no room (limit frame_bytes)";
    case WORLD_LACK_SERVER:
        return "the frames of all worlds have no room (limit server_frame_bytes)";
    case WORLD_LACK_SUBSTEPS:
        return "the frames of one tick are more than a world may have (limit frame_bytes)";
    case WORLD_LACK_SIZE:
        return "one frame of it is more than a world may have (limit frame_bytes)";
    case WORLD_LACK_BACKLOG:
        return "its backlog is full: its frames are not acknowledged as fast as they are made";
    case WORLD_LACK_LARGE:
        return "the frames of one tick are larger than its backlog: ask for a larger one";
    case WORLD_LACK_HELD:
        return "it held its world and took nothing for too long (limit hold_ms)";
    case WORLD_LACK_HOLDS:
        return "its world has waited for streams of this person for too long in all (limit hold_ms)";
    case WORLD_LACK_WORK:
        return "its frames are more work than one person may ask of a world (limit stream_work_person)";
    case WORLD_LACK_NONE:
    case WORLD_LACK_MEMORY:
    case WORLD_LACK_LATE:
    case WORLD_LACK_SLOW:
    case WORLD_LACK_RATE:
        break;
    }
    return "there was no memory for one of its frames";
}

static void close_lossless(struct host_session *session, const struct world_miss *miss)
{
    char text[160];
    snprintf(text, sizeof text, "it is lossless, and %s", lossless_reason(miss->lack));
    close_stream(session, miss->stream, text);
}

// Returns why a live stream lagged, for stream.lagged. A reason without a word of its own is told as
// "memory".
static const char *lag_reason(enum world_lack lack)
{
    switch (lack) {
    case WORLD_LACK_ROOM:
    case WORLD_LACK_SERVER:
        return "no_room";
    case WORLD_LACK_SUBSTEPS:
    case WORLD_LACK_SIZE:
        return "substeps";
    case WORLD_LACK_LATE:
        return "late";
    case WORLD_LACK_SLOW:
        return "slow";
    case WORLD_LACK_WORK:
        return "work";
    case WORLD_LACK_NONE:
    case WORLD_LACK_MEMORY:
    case WORLD_LACK_RATE:
    case WORLD_LACK_BACKLOG:
    case WORLD_LACK_LARGE:
    case WORLD_LACK_HELD:
    case WORLD_LACK_HOLDS:
        break;
    }
    return "memory";
}

void host_session_missed(struct host_session *session, const struct world_miss *miss)
{
    struct host_stream *stream = stream_of(session, miss->stream);
    if (!stream) {
        return;
    }
    if (miss->lack == WORLD_LACK_RATE) {
        struct base_buffer *bytes = host_outgoing_stream_rate(stream->id, (uint32_t)miss->frames);
        host_session_notify(session, bytes);
        base_buffer_unref(bytes);
        return;
    }
    if (miss->lossless) {
        close_lossless(session, miss);
        return;
    }
    if (miss->lack == WORLD_LACK_SIZE) {
        close_stream(
            session, miss->stream,
            "one frame of it, or its image, is larger than all that a world may have (limit frame_bytes)");
        return;
    }
    stream->missed += miss->frames;
    if (miss->frames > 0 && stream->open) {
        lag(session, stream, lag_reason(miss->lack));
    }
}

// Returns the moment of the oldest frame of this world that the session holds. UINT64_MAX: it holds none.
// Moments of different worlds cannot be compared.
static uint64_t oldest_moment(const struct host_session *session, uint32_t world)
{
    uint64_t oldest = UINT64_MAX;
    for (uint32_t i = 0; i < session->stream_count; i++) {
        const struct host_stream *stream = &session->streams[i];
        // Frames of lossless streams are bounded by their backlogs, so these streams are not the cause.
        if (stream->world != world || !session->connection || stream->credit > 0) {
            continue;
        }
        uint64_t moment = stream->early ? stream->early->moment
                                        : net_conn_stream_moment(session->connection->conn, stream->id);
        oldest = moment < oldest ? moment : oldest;
    }
    return oldest;
}

uint64_t host_session_stream_moment(const struct host_session *session, uint32_t id)
{
    return session->connection ? net_conn_stream_moment(session->connection->conn, id) : UINT64_MAX;
}

static uint64_t oldest_of_all(const struct host_sessions *sessions, uint32_t world)
{
    uint64_t oldest = UINT64_MAX;
    for (uint32_t i = 0; i < sessions->count; i++) {
        uint64_t moment = oldest_moment(sessions->items[i], world);
        oldest = moment < oldest ? moment : oldest;
    }
    return oldest;
}

void host_sessions_starve_most(struct host_sessions *sessions)
{
    const struct host_registry *registry = sessions->options.registry;
    struct host_world *most = NULL;
    const uint64_t now_ns = base_now_ns();
    if (sessions->starved_ns != 0 && now_ns - sessions->starved_ns < starve_period_ns) {
        return;
    }
    size_t most_bytes = 0, full_bytes = 0;
    for (uint32_t i = 0; i < host_registry_count(registry); i++) {
        struct host_world *world = host_registry_at(registry, i);
        struct world_load load;
        world_load(world->world, &load);
        full_bytes = load.frame_bytes > full_bytes ? load.frame_bytes : full_bytes;
        // Frames that no session holds which could be cut are about to be freed, or are within the backlogs
        // of lossless streams.
        if (load.frame_bytes > most_bytes && oldest_of_all(sessions, world->id) != UINT64_MAX) {
            most = world;
            most_bytes = load.frame_bytes;
        }
    }
    // No session is cut in place of a world that holds far more and is about to free it.
    if (!most || most_bytes < full_bytes / 2) {
        return;
    }
    sessions->starved_ns = now_ns;
    host_sessions_starve(sessions, most);
}

void host_sessions_starve(struct host_sessions *sessions, struct host_world *world)
{
    // Sessions that were cut a moment ago may not have freed their frames yet: no others are cut meanwhile.
    uint64_t now_ns = base_now_ns();
    if (world->starved_ns != 0 && now_ns - world->starved_ns < starve_period_ns) {
        return;
    }
    uint64_t oldest = oldest_of_all(sessions, world->id);
    if (oldest == UINT64_MAX) {
        return;
    }
    world->starved_ns = now_ns;
    // Equal moments are one publication, whose frames they share, so all these sessions have to let go.
    for (uint32_t left = sessions->count; left > 0; left--) {
        struct host_session *session = sessions->items[left - 1];
        if (oldest_moment(session, world->id) == oldest) {
            host_session_cut(session, HOST_CUT_FRAMES);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------
// Worlds that are no more here

static void forget(struct host_sessions *sessions, uint32_t world, const char *reason,
                   const struct protocol_home *home)
{
    for (uint32_t left = sessions->count; left > 0; left--) {
        struct host_session *session = sessions->items[left - 1];
        for (uint32_t i = session->stream_count; i > 0; i--) {
            if (session->streams[i - 1].world == world) {
                close_stream_for(session, session->streams[i - 1].id, reason, home);
            }
        }
        struct host_membership *membership = host_membership_of(session, world);
        if (membership) {
            *membership = session->memberships[--session->membership_count];
        }
    }
}

void host_sessions_forget_world(struct host_sessions *sessions, uint32_t world, const char *reason)
{
    forget(sessions, world, reason, NULL);
}

static bool has_part_in(const struct host_session *session, uint32_t world)
{
    for (uint32_t i = 0; i < session->stream_count; i++) {
        if (session->streams[i].world == world) {
            return true;
        }
    }
    return host_session_member(session, world) != NULL;
}

// Ends the connections of sessions that do not go to the other server themselves. They are told nothing that
// they would not understand: they begin again with a new connection, and what they ask of the world is passed
// on.
static void begin_again(struct host_sessions *sessions, uint32_t world)
{
    for (uint32_t left = sessions->count; left > 0; left--) {
        struct host_session *session = sessions->items[left - 1];
        if (!session->follows && has_part_in(session, world)) {
            host_session_break(session, "a world of this session runs on another server now");
        }
    }
}

void host_sessions_moved(struct host_sessions *sessions, const struct host_world *world,
                         const struct protocol_home *home)
{
    begin_again(sessions, world->id);
    struct base_buffer *told = host_outgoing_moved(world, home);
    struct base_buffer *const bytes[3] = {told, told, told};
    host_sessions_notice(sessions, world->id, bytes, !told);
    base_buffer_unref(told);
    forget(sessions, world->id, "its world runs on another server now", home);
}
