// Bytes out of a session, and what they cost it.
//
// The connection knows the sum of its unsent control bytes. `notice_bytes` is an upper bound of the
// notifications among them, cut down to the sum whenever it is looked at: so a peer that is slow to read
// large replies is held, and cut only when notifications pile up behind them.
//
//     held  = working (a worker decodes its message) or full
//     full    from unanswered = REQUESTS_UNANSWERED or reply bytes > REPLY_BYTES, until both are below half
#include "host/session_internal.h"

#include "base/assert.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/log.h"
#include "host/outgoing.h"
#include "net/net.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct host_sessions *host_session_owner(const struct host_session *session)
{
    return session->sessions;
}

const struct world_asker *host_session_asker(const struct host_session *session)
{
    return &session->asker;
}

static void copy_name(char *out, size_t size, const struct protocol_string *name)
{
    snprintf(out, size, "%.*s", (int)name->size, name->size == 0 ? "" : name->data);
}

void host_session_introduce(struct host_session *session, const struct protocol_string *client,
                            const struct protocol_string *user, enum protocol_arrays_mode arrays,
                            enum protocol_errors_mode errors)
{
    struct world_asker *asker = &session->asker;
    copy_name(asker->client, sizeof asker->client, client);
    copy_name(asker->user, sizeof asker->user, user);
    if (user->size == 0)
        snprintf(asker->user, sizeof asker->user, "session-%" PRIu32, asker->session);
    asker->arrays = arrays;
    asker->errors = errors;
}

void host_session_count_request(struct host_session *session)
{
    session->sessions->stats.requests++;
}

void host_session_count_ignored(struct host_session *session)
{
    session->sessions->stats.notifications_ignored++;
}

// ---------------------------------------------------------------------------------------------------------
// Held or not

static void finish(struct host_session *session, enum net_end end, const char *reason)
{
    session->finishing = true;
    net_conn_finish(session->conn, end, reason);
}

void host_session_settle(struct host_session *session)
{
    if (session->conn == NULL || session->finishing)
        return;
    bool stopping = session->sessions->stopping;
    if ((stopping || session->ended) && session->unanswered == 0 && !session->working) {
        finish(session, stopping ? NET_END_AWAY : NET_END_NORMAL,
               stopping ? "the server goes down" : "the peer left");
        return;
    }
    uint64_t unsent = net_conn_unsent(session->conn);
    if (session->notice_bytes > unsent)
        session->notice_bytes = unsent;
    uint64_t replies = unsent - session->notice_bytes;
    if (session->unanswered >= PROTOCOL_LIMIT_REQUESTS_UNANSWERED || replies > PROTOCOL_LIMIT_REPLY_BYTES)
        session->full = true;
    else if (session->unanswered < PROTOCOL_LIMIT_REQUESTS_UNANSWERED / 2 &&
             replies <= PROTOCOL_LIMIT_REPLY_BYTES / 2)
        session->full = false;
    bool hold = session->full || session->working;
    if (hold == session->held)
        return;
    session->held = hold;
    net_conn_hold(session->conn, hold);
}

void host_session_request_begin(struct host_session *session)
{
    session->unanswered++;
    host_session_settle(session);
}

void host_session_request_end(struct host_session *session)
{
    BASE_ASSERT(session->unanswered > 0);
    session->unanswered--;
    host_session_settle(session);
}

void host_session_work_begin(struct host_session *session)
{
    session->working = true;
    host_session_settle(session);
}

void host_session_work_end(struct host_session *session)
{
    session->working = false;
    host_session_settle(session);
}

// ---------------------------------------------------------------------------------------------------------
// Sending

static void cut(struct host_session *session, enum net_end end, const char *reason)
{
    if (session->conn == NULL)
        return;
    base_log(BASE_LOG_INFO, "session %" PRIu32 " is cut: %s", session->asker.session, reason);
    session->sessions->stats.cut++;
    session->finishing = true;
    net_conn_cut(session->conn, end, reason);
}

void host_session_cut(struct host_session *session, const char *reason)
{
    cut(session, NET_END_POLICY, reason);
}

void host_session_fail(struct host_session *session, const char *reason)
{
    cut(session, NET_END_FAILURE, reason);
}

static bool can_send(struct host_session *session, const struct base_buffer *bytes)
{
    if (session->conn == NULL || session->finishing)
        return false;
    if (bytes != NULL)
        return true;
    host_session_fail(session, "no memory for what it should be told");
    return false;
}

void host_session_reply(struct host_session *session, struct base_buffer *bytes)
{
    if (!can_send(session, bytes))
        return;
    net_conn_send(session->conn, bytes);
    host_session_settle(session);
}

void host_session_notify(struct host_session *session, struct base_buffer *bytes)
{
    if (!can_send(session, bytes))
        return;
    uint64_t unsent = net_conn_unsent(session->conn);
    if (session->notice_bytes > unsent)
        session->notice_bytes = unsent;
    session->notice_bytes += bytes->size;
    if (session->notice_bytes > PROTOCOL_LIMIT_NOTIFICATION_BYTES) {
        host_session_cut(session, "it does not read its notifications (limit notification_bytes)");
        return;
    }
    net_conn_send(session->conn, bytes);
}

void host_session_fault(struct host_session *session, const struct protocol_error *error, const char *method,
                        uint32_t method_size)
{
    uint64_t now_ns = base_now_ns();
    uint64_t *oldest_ns = &session->faults_ns[session->fault_next];
    if (*oldest_ns != 0 && now_ns - *oldest_ns < 1000000000u)
        return;
    *oldest_ns = now_ns;
    session->fault_next = (session->fault_next + 1) % HOST_FAULTS_A_SECOND;
    struct base_buffer *bytes = host_outgoing_error(&session->asker, error, method, method_size);
    host_session_notify(session, bytes);
    base_buffer_unref(bytes);
}

void host_session_refuse(struct host_session *session, const struct protocol_error *error)
{
    if (session->conn == NULL || session->finishing)
        return;
    base_log(BASE_LOG_INFO, "session %" PRIu32 " is refused: %s", session->asker.session, error->text);
    session->sessions->stats.cut++;
    struct base_buffer *bytes = host_outgoing_error(&session->asker, error, "", 0);
    if (bytes != NULL)
        net_conn_send(session->conn, bytes);
    base_buffer_unref(bytes);
    if (session->conn != NULL)
        finish(session, error->code == PROTOCOL_CODE_LIMIT ? NET_END_TOO_LARGE : NET_END_DATA, error->text);
}
