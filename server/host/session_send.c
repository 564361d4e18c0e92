// Sends the bytes of a session, and counts what they cost.
//
// The connection knows the sum of its unsent control bytes. `notice_bytes` is an upper bound of the
// notifications among them, cut down to the sum whenever it is looked at: so a peer that is slow to read
// large replies is held, and cut only when notifications pile up behind them.
//
//     held    working (its next message has to wait) or full
//     full    from unanswered = REQUESTS_UNANSWERED or reply bytes > REPLY_BYTES, until both are below half
#include "host/session_internal.h"

#include "base/assert.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "host/outgoing.h"
#include "net/net.h"
#include "protocol/message.h"

#include <inttypes.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------
// Held or not

// Returns all unsent control bytes, and lowers the bound on notifications to that.
static uint64_t unsent_of(struct host_connection *connection)
{
    uint64_t unsent = net_conn_unsent(connection->conn);
    if (connection->notice_bytes > unsent) {
        connection->notice_bytes = unsent;
    }
    return unsent;
}

void host_session_settle(struct host_session *session)
{
    struct host_connection *connection = session->connection;
    if (!connection) {
        return;
    }
    bool stopping = session->sessions->stopping;
    if ((stopping || connection->ended) && session->unanswered == 0 && session->working == 0) {
        host_connection_finish(connection, stopping ? NET_END_AWAY : NET_END_NORMAL,
                               stopping ? "the server goes down" : "the peer left");
        return;
    }
    uint64_t replies = unsent_of(connection) - connection->notice_bytes;
    if (session->unanswered >= PROTOCOL_LIMIT_REQUESTS_UNANSWERED || replies > PROTOCOL_LIMIT_REPLY_BYTES) {
        session->full = true;
    } else if (session->unanswered < PROTOCOL_LIMIT_REQUESTS_UNANSWERED / 2 &&
               replies <= PROTOCOL_LIMIT_REPLY_BYTES / 2) {
        session->full = false;
    }
    bool hold = session->full || session->working > 0;
    if (hold == connection->held) {
        return;
    }
    connection->held = hold;
    net_conn_hold(connection->conn, hold);
}

struct world_account *host_session_account(const struct host_session *session)
{
    return session->account;
}

size_t host_session_waiting_bytes(const struct host_session *session)
{
    return session->waiting_bytes;
}

bool host_session_has_room(const struct host_session *session, size_t bytes, struct protocol_error *error)
{
    if (session->unanswered == 0 ||
        session->waiting_bytes + bytes <= (size_t)PROTOCOL_LIMIT_SESSION_REQUEST_BYTES) {
        return true;
    }
    protocol_error_set(
        error, PROTOCOL_CODE_BUSY, NULL,
        "the requests of this session that wait are too large (limit session_request_bytes = %" PRIu64 ")",
        (uint64_t)PROTOCOL_LIMIT_SESSION_REQUEST_BYTES);
    error->limit = (double)PROTOCOL_LIMIT_SESSION_REQUEST_BYTES;
    return false;
}

uint32_t host_session_unanswered(const struct host_session *session)
{
    return session->unanswered;
}

void host_session_request_begin(struct host_session *session, size_t bytes)
{
    session->unanswered++;
    session->waiting_bytes += bytes;
    host_session_settle(session);
}

void host_session_request_end(struct host_session *session, size_t bytes)
{
    BASE_ASSERT(session->unanswered > 0 && session->waiting_bytes >= bytes);
    session->unanswered--;
    session->waiting_bytes -= bytes;
    host_session_settle(session);
}

void host_session_work_begin(struct host_session *session)
{
    session->working++;
    host_session_settle(session);
}

void host_session_work_end(struct host_session *session)
{
    BASE_ASSERT(session->working > 0);
    session->working--;
    host_session_settle(session);
}

// ---------------------------------------------------------------------------------------------------------
// Sending

static bool can_send(struct host_session *session, const struct base_buffer *bytes)
{
    if (session->connection && !bytes) {
        host_session_fail(session, "what it should be told");
    }
    return session->connection != NULL;
}

void host_session_reply(struct host_session *session, struct base_buffer *bytes)
{
    struct protocol_message message;
    if (session->keeps && bytes && protocol_message_peek(bytes->data, bytes->size, &message)) {
        host_kept_answered(&session->kept, message.msgid, bytes->data, bytes->size);
    } else if (session->keeps && !session->connection && !bytes) {
        host_session_keep_no_more(
            session); // the answer is lost: it ends when its grace does, and nobody can go on with it
    }
    if (!can_send(session, bytes)) {
        return;
    }
    net_conn_send(session->connection->conn, bytes);
    host_session_settle(session);
}

void host_session_notify(struct host_session *session, struct base_buffer *bytes)
{
    if (!can_send(session, bytes)) {
        return;
    }
    struct host_connection *connection = session->connection;
    (void)unsent_of(connection);
    connection->notice_bytes += bytes->size;
    if (connection->notice_bytes > PROTOCOL_LIMIT_NOTIFICATION_BYTES) {
        host_session_cut(session, HOST_CUT_NOTIFICATIONS);
    } else {
        net_conn_send(connection->conn, bytes);
    }
}

void host_sessions_notice(struct host_sessions *sessions, uint32_t world, struct base_buffer *const bytes[3],
                          bool lost)
{
    struct base_buffer *any = bytes[0] ? bytes[0] : bytes[1] ? bytes[1] : bytes[2];
    // Backwards: a session that is cut leaves the array, and those before it keep their places.
    for (uint32_t left = sessions->count; left > 0; left--) {
        struct host_session *session = sessions->items[left - 1];
        const struct host_membership *membership = host_membership_of(session, world);
        if (!membership || !membership->joined) {
            continue;
        }
        struct base_buffer *wanted = bytes[membership->arrays];
        host_session_notify(session, lost ? NULL : wanted ? wanted : any);
    }
}

void host_session_pass(struct host_session *session, struct base_buffer *bytes)
{
    if (!can_send(session, bytes)) {
        return;
    }
    net_conn_send(session->connection->conn, bytes);
    host_session_settle(session);
}

bool host_session_is_filled(const struct host_session *session)
{
    return session->connection && net_conn_unsent(session->connection->conn) > PROTOCOL_LIMIT_REPLY_BYTES / 2;
}

void host_session_fault(struct host_session *session, const struct protocol_error *error, const char *method,
                        uint32_t method_size)
{
    uint64_t now_ns = base_now_ns();
    uint64_t *oldest_ns = &session->faults_ns[session->fault_next];
    if (*oldest_ns != 0 && now_ns - *oldest_ns < 1000000000u) {
        return;
    }
    *oldest_ns = now_ns;
    session->fault_next = (session->fault_next + 1) % HOST_FAULTS_A_SECOND;
    const struct world_asker asker = host_session_asker(session);
    struct base_buffer *bytes = host_outgoing_error(&asker, error, method, method_size);
    host_session_notify(session, bytes);
    base_buffer_unref(bytes);
}
