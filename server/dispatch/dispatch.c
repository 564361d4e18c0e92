// The life of dispatch, and its face (dispatch.h).
#include "dispatch/dispatch.h"

#include "base/buffer.h"
#include "base/clock.h"
#include "base/log.h"
#include "dispatch/admin/admin.h"
#include "dispatch/hello/hello.h"
#include "dispatch/later.h"
#include "dispatch/message.h"
#include "dispatch/past/past.h"
#include "dispatch/permit/permit.h"

#include <stdlib.h>
#include <string.h>

struct dispatch *dispatch_create(struct net_loop *loop, struct host_registry *registry, uint32_t threads,
                                 const struct dispatch_limits *limits)
{
    struct dispatch *dispatch = calloc(1, sizeof *dispatch);
    if (dispatch) {
        dispatch->limits = dispatch_admin_limits(limits);
        dispatch->server.budget = base_budget_create(PROTOCOL_LIMIT_UNPACKED_BYTES);
    }
    if (!dispatch || !dispatch->limits || !dispatch->server.budget) {
        base_log(BASE_LOG_ERROR, "no memory for the dispatcher");
        dispatch_destroy(dispatch);
        return NULL;
    }
    dispatch->server.loop = loop;
    dispatch->server.limits =
        (struct protocol_raw){.data = dispatch->limits->data, .size = dispatch->limits->size};
    dispatch->server.registry = registry;
    dispatch->server.threads = threads;
    dispatch->server.started_ns = base_now_ns();
    return dispatch;
}

bool dispatch_start(struct dispatch *dispatch, struct host_sessions *sessions, struct access *book,
                    const struct dispatch_quotas *quotas)
{
    return dispatch_permit_start(&dispatch->server, sessions, book, quotas);
}

struct base_budget *dispatch_budget(const struct dispatch *dispatch)
{
    return dispatch->server.budget;
}

void dispatch_pass_through(struct dispatch *dispatch, const struct dispatch_elsewhere *elsewhere)
{
    dispatch->server.elsewhere = elsewhere;
}

struct base_buffer *dispatch_metrics(const struct dispatch *dispatch, const struct host_sessions *sessions)
{
    return dispatch_admin_metrics(&dispatch->server, sessions);
}

struct base_buffer *dispatch_health(const struct dispatch *dispatch, int *status)
{
    bool stopping = dispatch->server.stopping;
    const char *text = stopping ? "going down\n" : "ok\n";
    struct base_buffer *bytes = base_buffer_create(strlen(text), NULL);
    if (bytes) {
        memcpy(bytes->data, text, bytes->size);
    }
    *status = stopping ? 503 : 200;
    return bytes;
}

void dispatch_session_ended(struct dispatch *dispatch, uint32_t session)
{
    dispatch_later_stop(&dispatch->server, session);
    dispatch_permit_control_release(&dispatch->server, session);
}

void dispatch_join(struct dispatch *dispatch, struct host_lease *lease)
{
    dispatch->server.lease = lease;
}

void dispatch_stop(struct dispatch *dispatch)
{
    dispatch->server.stopping = true;
    dispatch_later_stop(&dispatch->server, 0);
    dispatch_message_stop(dispatch);
}

void dispatch_destroy(struct dispatch *dispatch)
{
    if (!dispatch) {
        return;
    }
    dispatch_hello_stop(&dispatch->server);
    dispatch_permit_stop(&dispatch->server);
    dispatch_past_seekers_destroy(&dispatch->server);
    base_buffer_unref(dispatch->limits);
    base_budget_release(dispatch->server.budget); // what messages are left have references
    free(dispatch);
}
