// As much of nats.c's API as weft uses, in two files: connections, messages and subscriptions here, streams and buckets in
// brokers_jetstream.c. What is asked waits on fibers; callbacks come from fibers of their own, as the library's threads.
#include "brokers_internal.h"

#include "fibers.h"

#include "base/assert.h"
#include "base/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AGAIN_MS = 250 };

static char last_error
    [BR_TEXT]; // one thread has it at a time, as between a call and what is asked about it nothing waits

struct __natsOptions {
    natsConnectionHandler on_connected, on_lost, on_closed;
    void *connected_context, *lost_context, *closed_context;
};

// ---------------------------------------------------------------------------------------------------------
// Errors, options

const char *nats_GetLastError(natsStatus *status)
{
    (void)status;
    return last_error;
}

natsStatus br_say(natsStatus status, const char *text)
{
    (void)snprintf(last_error, sizeof last_error, "%s", text);
    return status;
}

const char *natsStatus_GetText(natsStatus status)
{
    switch (status) {
    case NATS_OK:
        return "OK";
    case NATS_TIMEOUT:
        return "Timeout";
    case NATS_NO_RESPONDERS:
        return "No responders";
    case NATS_NO_SERVER:
        return "No server available for connection";
    case NATS_CONNECTION_CLOSED:
        return "Connection Closed";
    case NATS_CONNECTION_DISCONNECTED:
        return "Connection Disconnected";
    case NATS_NOT_FOUND:
        return "Not Found";
    case NATS_INSUFFICIENT_BUFFER:
        return "Insufficient Buffer";
    default:
        return "Error";
    }
}

natsStatus natsOptions_Create(natsOptions **out)
{
    *out = calloc(1, sizeof **out);
    BASE_ASSERT(*out);
    return NATS_OK;
}

void natsOptions_Destroy(natsOptions *options)
{
    free(options);
}

#define UNUSED(a) (void)(a)

natsStatus natsOptions_SetServers(natsOptions *options, const char **servers, int count)
{
    UNUSED(options);
    UNUSED(servers);
    BASE_ASSERT(count == BROKERS);
    return NATS_OK;
}

#define NUMBER_OPTION(name, type)                                   \
    natsStatus natsOptions_##name(natsOptions *options, type value) \
    {                                                               \
        UNUSED(options);                                            \
        UNUSED(value);                                              \
        return NATS_OK;                                             \
    }
NUMBER_OPTION(SetSecure, bool)
NUMBER_OPTION(LoadCATrustedCertificates, const char *)
NUMBER_OPTION(SetName, const char *)
NUMBER_OPTION(SetTimeout, int64_t)
NUMBER_OPTION(SetMaxReconnect, int)
NUMBER_OPTION(SetReconnectWait, int64_t)
NUMBER_OPTION(SetReconnectBufSize, int)
NUMBER_OPTION(SetPingInterval, int64_t)
NUMBER_OPTION(SetMaxPingsOut, int)
NUMBER_OPTION(SetSendAsap, bool)
NUMBER_OPTION(SetFailRequestsOnDisconnect, bool)
NUMBER_OPTION(SetWriteDeadline, int64_t)
NUMBER_OPTION(SetNoEcho, bool)

natsStatus natsOptions_SetReconnectJitter(natsOptions *options, int64_t jitter, int64_t jitter_tls)
{
    UNUSED(options);
    UNUSED(jitter);
    UNUSED(jitter_tls);
    return NATS_OK;
}

natsStatus natsOptions_LoadCertificatesChain(natsOptions *options, const char *chain, const char *key)
{
    UNUSED(options);
    UNUSED(chain);
    UNUSED(key);
    return NATS_OK;
}

natsStatus natsOptions_SetUserCredentialsFromFiles(natsOptions *options, const char *user, const char *seed)
{
    UNUSED(options);
    UNUSED(user);
    UNUSED(seed);
    return NATS_OK;
}

natsStatus natsOptions_SetErrorHandler(natsOptions *options, natsErrHandler on_error, void *context)
{
    UNUSED(options);
    UNUSED(on_error);
    UNUSED(context);
    return NATS_OK;
}

natsStatus natsOptions_SetDisconnectedCB(natsOptions *options, natsConnectionHandler on_lost, void *context)
{
    options->on_lost = on_lost;
    options->lost_context = context;
    return NATS_OK;
}

natsStatus natsOptions_SetReconnectedCB(natsOptions *options, natsConnectionHandler on_connected,
                                        void *context)
{
    options->on_connected = on_connected;
    options->connected_context = context;
    return NATS_OK;
}

natsStatus natsOptions_SetClosedCB(natsOptions *options, natsConnectionHandler on_closed, void *context)
{
    options->on_closed = on_closed;
    options->closed_context = context;
    return NATS_OK;
}

// ---------------------------------------------------------------------------------------------------------
// Connections

static void stay_connected(void *context)
{
    natsConnection *connection = context;
    while (!connection->closing) {
        if (connection->connected) {
            (void)fibers_wait(connection, UINT64_MAX);
            continue;
        }
        if (connection->on_lost) {
            connection->on_lost(connection, connection->lost_context);
        }
        natsStatus status = NATS_NO_SERVER;
        while (!connection->closing && status != NATS_OK) {
            (void)fibers_wait(connection, base_now_ns() + UINT64_C(1000000) * AGAIN_MS);
            status = connection->closing ? status : br_connect(connection);
        }
        if (status == NATS_OK && connection->on_connected) {
            connection->on_connected(connection, connection->connected_context);
        }
    }
    br_hang_up(connection);
    connection->closed = true;
    for (uint32_t i = 0; i < connection->subscription_count; i++) {
        fibers_wake(connection->subscriptions[i]);
    }
    if (connection->on_closed) {
        connection->on_closed(connection, connection->closed_context);
    }
}

natsStatus natsConnection_Connect(natsConnection **out, natsOptions *options)
{
    natsConnection *connection = calloc(1, sizeof *connection);
    BASE_ASSERT(connection);
    connection->owner = fibers_owner();
    connection->on_connected = options->on_connected;
    connection->connected_context = options->connected_context;
    connection->on_lost = options->on_lost;
    connection->lost_context = options->lost_context;
    connection->on_closed = options->on_closed;
    connection->closed_context = options->closed_context;
    const natsStatus status = br_connect(connection);
    if (status != NATS_OK) {
        free(connection);
        return br_say(status, natsStatus_GetText(status));
    }
    br_join_list(connection);
    (void)base_thread_start(&connection->thread, "nats", stay_connected, connection);
    *out = connection;
    return NATS_OK;
}

void natsConnection_Close(natsConnection *connection)
{
    connection->closing = true;
    fibers_wake(connection);
}

void natsConnection_Destroy(natsConnection *connection)
{
    if (connection) {
        natsConnection_Close(connection);
        base_thread_join(&connection->thread);
        br_leave_list(connection);
        free(connection);
    }
}

int64_t natsConnection_GetMaxPayload(natsConnection *connection)
{
    UNUSED(connection);
    return 1024 * 1024;
}

// ---------------------------------------------------------------------------------------------------------
// Messages

natsStatus natsMsg_Create(natsMsg **out, const char *subject, const char *reply, const char *bytes, int size)
{
    *out = br_message(subject, reply, bytes, size);
    return NATS_OK;
}

void natsMsg_Destroy(natsMsg *message)
{
    br_message_free(message);
}

natsStatus natsMsgHeader_Set(natsMsg *message, const char *key, const char *value)
{
    br_header_set(message, key, value);
    return NATS_OK;
}

natsStatus natsMsgHeader_Get(natsMsg *message, const char *key, const char **value)
{
    *value = br_header_get(message, key);
    return *value ? NATS_OK : NATS_NOT_FOUND;
}

const char *natsMsg_GetSubject(const natsMsg *message)
{
    return message->subject;
}

const char *natsMsg_GetReply(const natsMsg *message)
{
    return message->reply;
}

const char *natsMsg_GetData(const natsMsg *message)
{
    return message->bytes;
}

int natsMsg_GetDataLength(const natsMsg *message)
{
    return message->size;
}

uint64_t natsMsg_GetSequence(natsMsg *message)
{
    return message->sequence;
}

bool natsMsg_IsNoResponders(natsMsg *message)
{
    return message->nobody;
}

natsStatus natsInbox_Create(natsInbox **out)
{
    *out = malloc(32);
    BASE_ASSERT(*out);
    (void)snprintf(*out, 32, "_INBOX.%016" PRIx64, fibers_draw());
    return NATS_OK;
}

void natsInbox_Destroy(natsInbox *inbox)
{
    free(inbox);
}

// Takes the message. The connection has no room for what comes while it is lost.
static natsStatus publish(natsConnection *connection, natsMsg *message)
{
    if (!connection->connected) {
        br_message_free(message);
        return connection->closing ? NATS_CONNECTION_CLOSED : NATS_INSUFFICIENT_BUFFER;
    }
    br_send(connection, message);
    return NATS_OK;
}

natsStatus natsConnection_PublishMsg(natsConnection *connection, natsMsg *message)
{
    return publish(connection, br_message_copy(message));
}

natsStatus natsConnection_PublishString(natsConnection *connection, const char *subject, const char *text)
{
    return publish(connection, br_message(subject, NULL, text, (int)strlen(text)));
}

natsStatus natsConnection_PublishRequestString(natsConnection *connection, const char *subject,
                                               const char *reply, const char *text)
{
    return publish(connection, br_message(subject, reply, text, (int)strlen(text)));
}

// ---------------------------------------------------------------------------------------------------------
// Subscriptions

static natsMsg *take_first(natsSubscription *subscription)
{
    natsMsg *message = subscription->first;
    if (message) {
        subscription->first = message->next;
        subscription->last = subscription->first ? subscription->last : NULL;
        message->next = NULL;
    }
    return message;
}

static void call_back(void *context)
{
    natsSubscription *subscription = context;
    while (!subscription->connection->closed) {
        natsMsg *message = take_first(subscription);
        if (message) {
            subscription->on_message(subscription->connection, subscription, message, subscription->context);
        } else {
            (void)fibers_wait(subscription, UINT64_MAX);
        }
    }
    if (subscription->on_over) {
        subscription->on_over(subscription->over_context);
    }
}

static natsStatus subscribe(natsSubscription **out, natsConnection *connection, const char *subject,
                            natsMsgHandler on_message, void *context)
{
    natsSubscription *subscription = calloc(1, sizeof *subscription);
    BASE_ASSERT(subscription && connection->subscription_count < BR_SUBS);
    subscription->connection = connection;
    (void)snprintf(subscription->subject, sizeof subscription->subject, "%s", subject);
    subscription->on_message = on_message;
    subscription->context = context;
    connection->subscriptions[connection->subscription_count++] = subscription;
    if (on_message) {
        (void)base_thread_start(&subscription->thread, "nats-calls", call_back, subscription);
    }
    *out = subscription;
    return NATS_OK;
}

natsStatus natsConnection_Subscribe(natsSubscription **out, natsConnection *connection, const char *subject,
                                    natsMsgHandler on_message, void *context)
{
    return subscribe(out, connection, subject, on_message, context);
}

natsStatus natsConnection_SubscribeSync(natsSubscription **out, natsConnection *connection,
                                        const char *subject)
{
    return subscribe(out, connection, subject, NULL, NULL);
}

natsStatus natsSubscription_SetOnCompleteCB(natsSubscription *subscription, natsOnCompleteCB on_over,
                                            void *context)
{
    subscription->on_over = on_over;
    subscription->over_context = context;
    return NATS_OK;
}

natsStatus natsSubscription_SetPendingLimits(natsSubscription *subscription, int messages, int bytes)
{
    UNUSED(subscription);
    UNUSED(messages);
    UNUSED(bytes);
    return NATS_OK;
}

natsStatus natsSubscription_NextMsg(natsMsg **out, natsSubscription *subscription, int64_t timeout_ms)
{
    const uint64_t deadline_ns = base_now_ns() + (uint64_t)timeout_ms * 1000000;
    bool in_time = true;
    *out = NULL;
    while (in_time && !subscription->first && !subscription->connection->closed) {
        in_time = fibers_wait(subscription, deadline_ns);
    }
    *out = take_first(subscription);
    return *out ? NATS_OK : in_time ? NATS_CONNECTION_CLOSED : NATS_TIMEOUT;
}

// Its connection is closed by then: weft does it in no other order.
void natsSubscription_Destroy(natsSubscription *subscription)
{
    if (!subscription) {
        return;
    }
    natsConnection *connection = subscription->connection;
    natsConnection_Close(connection);
    fibers_wake(subscription);
    if (subscription->on_message) {
        base_thread_join(&subscription->thread);
    }
    for (uint32_t i = 0; i < connection->subscription_count; i++) {
        if (connection->subscriptions[i] == subscription) {
            connection->subscriptions[i] = connection->subscriptions[--connection->subscription_count];
        }
    }
    for (natsMsg *message; (message = take_first(subscription));) {
        br_message_free(message);
    }
    free(subscription);
}
