// Ends connections that have a place and do nothing with it. They are looked for once in a while, and when
// another connection needs a place.
//
//     begins no message after connecting            for first_message_ms    cut
//     has begun a message and does not go on        (net_conn_overdue)      cut
//     shows no token if one is asked for            for hello_ms            cut
//     is held (not read), and its peer is gone      at once                 closed; the system says so
//     is held, its peer sends no more, and
//     nothing has moved either way                  for WATCH_ENDED_MS      closed
//
// When all places are taken, one connection is evicted to admit the new one: the oldest that never said
// anything or has shown no token; else the one without a world that was silent for longest; else the one with
// which nothing moved for longest. A connection that said or received something a moment ago keeps its place.
#include "host/connection.h"

#include "base/clock.h"
#include "host/session_internal.h"

static const uint64_t idle_ns = 10000000000;

enum { WATCH_ENDED_MS = 5000, WATCH_STILL_MS = 60000 };

static void look_at_peer(struct host_connection *connection)
{
    enum net_peer peer = net_conn_look(connection->conn);
    if (peer == NET_PEER_GONE) {
        host_connection_drop(connection, NET_END_NORMAL, "the peer is gone");
    } else if (peer == NET_PEER_ENDED && connection->session->working == 0 &&
               net_conn_quiet_ms(connection->conn) >= WATCH_ENDED_MS) {
        host_connection_drop(connection, NET_END_NORMAL, "the peer left before its answers");
    }
}

void host_connections_watch(void *context)
{
    struct host_sessions *sessions = context;
    uint64_t now_ns = base_now_ns();
    uint64_t first_ns = sessions->options.first_message_ms * UINT64_C(1000000);
    const uint64_t hello_ns = PROTOCOL_LIMIT_HELLO_MS * UINT64_C(1000000);
    host_sessions_enter(sessions);
    for (struct host_connection *at = sessions->connections; at; at = at->next) {
        if (!at->session) {
            continue;
        }
        if (at->held) {
            look_at_peer(at);
        } else if (!host_session_known(at->session) && at->session->working == 0 &&
                   now_ns - at->since_ns >= hello_ns) {
            host_session_cut(at->session, HOST_CUT_HELLO);
        } else if (net_conn_overdue(at->conn)) {
            host_session_cut(at->session, HOST_CUT_OVERDUE);
        } else if (!at->spoke && !net_conn_has_begun(at->conn) && now_ns - at->said_ns >= first_ns) {
            host_session_cut(at->session, HOST_CUT_SILENT);
        }
    }
    host_sessions_watch_away(sessions, now_ns);
    host_sessions_leave(sessions);
}

// ---------------------------------------------------------------------------------------------------------
// Places

static bool has_a_world(const struct host_session *session)
{
    for (uint32_t i = 0; i < session->membership_count; i++) {
        if (session->memberships[i].joined) {
            return true;
        }
    }
    return session->stream_count > 0 || session->unanswered > 0 || session->working > 0;
}

// Returns how useless a connection is. The most useless one is evicted; one with 0 stays.
static uint64_t uselessness(const struct host_connection *connection, uint64_t now_ns)
{
    const uint64_t never_spoke = UINT64_C(1) << 63, no_world = UINT64_C(1) << 62;
    uint64_t silent_ns = now_ns - connection->said_ns;
    if (!connection->session) {
        return 0;
    }
    if (!connection->spoke || !host_session_known(connection->session)) {
        return never_spoke | silent_ns;
    }
    if (!has_a_world(connection->session)) {
        return silent_ns >= idle_ns ? no_world | silent_ns : 0;
    }
    uint64_t still_ms = net_conn_quiet_ms(connection->conn);
    return still_ms >= WATCH_STILL_MS ? still_ms : 0;
}

bool host_connections_room(struct host_sessions *sessions)
{
    if (host_sessions_count(sessions) < sessions->most) {
        return true;
    }
    uint64_t now_ns = base_now_ns();
    uint64_t most = 0;
    struct host_connection *found = NULL;
    for (struct host_connection *at = sessions->connections; at; at = at->next) {
        if (at->cleared) {
            continue;
        }
        uint64_t useless = uselessness(at, now_ns);
        if (useless > 0 && useless >= most) { // of equally useless ones the oldest
            most = useless;
            found = at;
        }
    }
    if (!found) {
        return false;
    }
    found->cleared = true;
    sessions->cleared++;
    host_session_cut(found->session, HOST_CUT_PLACE);
    return true;
}

bool host_connections_room_for(const struct host_sessions *sessions, const struct net_conn *conn)
{
    bool loopback;
    uint64_t origin = net_conn_origin(conn, &loopback);
    if (loopback && !sessions->options.loopback_too) {
        return true;
    }
    uint32_t same = 0;
    for (const struct host_connection *at = sessions->connections; at; at = at->next) {
        same += net_conn_origin(at->conn, &loopback) == origin;
    }
    return same < sessions->options.per_address;
}
