// As much of nats.c's API as weft uses. What is asked waits on fibers; callbacks come from fibers of their own, as the library's threads.
#include "brokers_internal.h"

#include "fibers.h"

#include "base/assert.h"
#include "base/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NO_MESSAGE = 10037, NO_STREAM = 10059, WRONG_SEQUENCE = 10071, AGAIN_MS = 250, WAIT_MS = 5000 };

static char last_error
    [BR_TEXT]; // one thread has it at a time, as between a call and what is asked about it nothing waits

struct __natsOptions {
    natsConnectionHandler on_connected, on_lost, on_closed;
    void *connected_context, *lost_context, *closed_context;
};

struct __jsCtx {
    natsConnection *connection;
    int64_t wait_ms;
};

struct __kvStore {
    jsCtx *js;
    char bucket[64];
};

struct __kvEntry {
    natsMsg *message;
    char key[BR_NAME];
};

// ---------------------------------------------------------------------------------------------------------
// Errors, options

const char *nats_GetLastError(natsStatus *status)
{
    (void)status;
    return last_error;
}

static natsStatus say(natsStatus status, const char *text)
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
        return say(status, natsStatus_GetText(status));
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

// ---------------------------------------------------------------------------------------------------------
// JetStream

static int64_t wait_of(const jsCtx *js, const jsOptions *options)
{
    return options && options->Wait > 0 ? options->Wait : js->wait_ms;
}

// Waits for the call and lets go of it, but for what the caller still wants of it.
static natsStatus finish(struct br_call *call, int64_t wait_ms, jsErrCode *code)
{
    br_call_wait(call, wait_ms);
    const natsStatus status = call->status;
    if (code) {
        *code = status == NATS_OK ? (jsErrCode)0 : (jsErrCode)call->code;
    }
    return status == NATS_OK ? status : say(status, call->text[0] ? call->text : natsStatus_GetText(status));
}

natsStatus natsConnection_JetStream(jsCtx **out, natsConnection *connection, jsOptions *options)
{
    *out = calloc(1, sizeof **out);
    BASE_ASSERT(*out);
    **out = (jsCtx){connection, options && options->Wait > 0 ? options->Wait : WAIT_MS};
    return NATS_OK;
}

void jsCtx_Destroy(jsCtx *js)
{
    free(js);
}

#define INIT(type)                       \
    natsStatus type##_Init(type *value)  \
    {                                    \
        memset(value, 0, sizeof *value); \
        return NATS_OK;                  \
    }
INIT(jsOptions)
INIT(jsPubOptions)
INIT(jsRePublish)
INIT(jsStreamConfig)
INIT(kvConfig)

static void run_nothing(struct br_call *call)
{
    (void)call;
}

natsStatus js_GetAccountInfo(jsAccountInfo **out, jsCtx *js, jsOptions *options, jsErrCode *code)
{
    struct br_call *call = br_call_make(js->connection, run_nothing);
    const natsStatus status = finish(call, wait_of(js, options), code);
    *out = NULL;
    br_call_free(call);
    return status;
}

void jsAccountInfo_Destroy(jsAccountInfo *info)
{
    BASE_ASSERT(!info);
}

natsStatus natsConnection_FlushTimeout(natsConnection *connection, int64_t timeout_ms)
{
    struct br_call *call = br_call_make(connection, run_nothing);
    const natsStatus status = finish(call, timeout_ms, NULL);
    br_call_free(call);
    return status == NATS_NO_RESPONDERS ? NATS_OK : status; // any broker says that it has come
}

static void run_put(struct br_call *call)
{
    struct br_stream *stream = br_stream_of(call->message->subject);
    if (!stream) {
        call->status = NATS_NO_RESPONDERS;
        return;
    }
    // A key that was removed counts as none, where one is to be new.
    const natsMsg *last = call->flag ? br_stream_last(stream, call->message->subject) : NULL;
    const bool there = last && !br_header_get(last, "KV-Operation");
    call->sequence = there ? 0 : br_stream_put(stream, call->message, call->text);
    if (there) {
        (void)snprintf(call->text, sizeof call->text, "wrong last sequence: %" PRIu64, last->sequence);
    }
    call->status = call->sequence > 0 ? NATS_OK : NATS_ERR;
    call->code = WRONG_SEQUENCE;
}

// Takes the message. is_new: there is no such key.
static natsStatus put(natsConnection *connection, natsMsg *message, bool is_new, int64_t wait_ms,
                      uint64_t *sequence, jsErrCode *code)
{
    struct br_call *call = br_call_make(connection, run_put);
    call->message = message;
    call->flag = is_new;
    const natsStatus status = finish(call, wait_ms, code);
    if (sequence && status == NATS_OK) {
        *sequence = call->sequence;
    }
    br_call_free(call);
    return status;
}

natsStatus js_PublishMsg(jsPubAck **ack, jsCtx *js, natsMsg *message, jsPubOptions *options, jsErrCode *code)
{
    natsMsg *copy = br_message_copy(message);
    BASE_ASSERT(!ack);
    if (options && options->ExpectLastSubjectSeq > 0) {
        char text[24];
        (void)snprintf(text, sizeof text, "%" PRIu64, options->ExpectLastSubjectSeq);
        br_header_set(copy, "Nats-Expected-Last-Subject-Sequence", text);
    }
    return put(js->connection, copy, false, js->wait_ms, NULL, code);
}

// A message to a stream, with the broker's own words as the answer.
natsStatus natsConnection_RequestMsg(natsMsg **reply, natsConnection *connection, natsMsg *message,
                                     int64_t timeout_ms)
{
    char told[2 * BR_TEXT];
    uint64_t sequence = 0;
    const natsStatus status = put(connection, br_message_copy(message), false, timeout_ms, &sequence, NULL);
    *reply = NULL;
    if (status == NATS_OK) {
        (void)snprintf(told, sizeof told, "{\"stream\":\"it\",\"seq\":%" PRIu64 "}", sequence);
    } else if (status == NATS_ERR) {
        (void)snprintf(told, sizeof told, "{\"error\":{\"code\":400,\"err_code\":%d,\"description\":\"%s\"}}",
                       WRONG_SEQUENCE, last_error);
    } else {
        return status;
    }
    *reply = br_message("answer", NULL, told, (int)strlen(told));
    return NATS_OK;
}

natsStatus natsConnection_RequestString(natsMsg **reply, natsConnection *connection, const char *subject,
                                        const char *text, int64_t timeout_ms)
{
    static const char about[] = "{\"server\":{\"name\":\"simulated\",\"ver\":\"2.15.0\",\"jetstream\":true}}";
    UNUSED(text);
    BASE_ASSERT(strcmp(subject, "$SYS.REQ.USER.INFO") == 0);
    const natsStatus status = natsConnection_FlushTimeout(connection, timeout_ms);
    *reply = status == NATS_OK ? br_message("answer", NULL, about, (int)strlen(about)) : NULL;
    return status;
}

static void not_found(struct br_call *call, int code)
{
    call->status = NATS_NOT_FOUND;
    call->code = code;
}

static void run_add(struct br_call *call)
{
    (void)br_stream_make(call->name, call->subject, false);
}

natsStatus js_AddStream(jsStreamInfo **info, jsCtx *js, jsStreamConfig *config, jsOptions *options,
                        jsErrCode *code)
{
    struct br_call *call = br_call_make(js->connection, run_add);
    BASE_ASSERT(!info && config->SubjectsLen == 1);
    (void)snprintf(call->name, sizeof call->name, "%s", config->Name);
    (void)snprintf(call->subject, sizeof call->subject, "%s", config->Subjects[0]);
    const natsStatus status = finish(call, wait_of(js, options), code);
    br_call_free(call);
    return status;
}

static void run_delete(struct br_call *call)
{
    struct br_stream *stream = br_stream_find(call->name);
    if (stream) {
        br_stream_remove(stream);
    } else {
        not_found(call, NO_STREAM);
    }
}

natsStatus js_DeleteStream(jsCtx *js, const char *name, jsOptions *options, jsErrCode *code)
{
    struct br_call *call = br_call_make(js->connection, run_delete);
    (void)snprintf(call->name, sizeof call->name, "%s", name);
    const natsStatus status = finish(call, wait_of(js, options), code);
    br_call_free(call);
    return status;
}

static void run_purge(struct br_call *call)
{
    struct br_stream *stream = br_stream_find(call->name);
    if (stream) {
        br_stream_purge(stream, call->sequence);
    } else {
        not_found(call, NO_STREAM);
    }
}

natsStatus js_PurgeStream(jsCtx *js, const char *name, jsOptions *options, jsErrCode *code)
{
    struct br_call *call = br_call_make(js->connection, run_purge);
    (void)snprintf(call->name, sizeof call->name, "%s", name);
    call->sequence = options->Stream.Purge.Sequence;
    const natsStatus status = finish(call, wait_of(js, options), code);
    br_call_free(call);
    return status;
}

static void run_get(struct br_call *call)
{
    const struct br_stream *stream = br_stream_find(call->name);
    if (!stream) {
        not_found(call, NO_STREAM);
        return;
    }
    const natsMsg *found = call->subject[0] != 0 ? br_stream_last(stream, call->subject)
                           : call->sequence > 0 && call->sequence <= stream->last
                               ? stream->messages[call->sequence - 1]
                               : NULL;
    if (found) {
        call->found = br_message_copy(found);
    } else {
        not_found(call, NO_MESSAGE);
    }
}

static natsStatus get(natsMsg **out, jsCtx *js, const char *stream, const char *subject, uint64_t sequence,
                      jsOptions *options, jsErrCode *code)
{
    struct br_call *call = br_call_make(js->connection, run_get);
    (void)snprintf(call->name, sizeof call->name, "%.*s", BR_NAME - 1, stream);
    (void)snprintf(call->subject, sizeof call->subject, "%.*s", BR_NAME - 1, subject);
    call->sequence = sequence;
    const natsStatus status = finish(call, wait_of(js, options), code);
    *out = NULL;
    if (status == NATS_OK) {
        *out = call->found;
        call->found = NULL;
    }
    br_call_free(call);
    return status;
}

natsStatus js_GetMsg(natsMsg **out, jsCtx *js, const char *stream, uint64_t sequence, jsOptions *options,
                     jsErrCode *code)
{
    return get(out, js, stream, "", sequence, options, code);
}

natsStatus js_GetLastMsg(natsMsg **out, jsCtx *js, const char *stream, const char *subject,
                         jsOptions *options, jsErrCode *code)
{
    return get(out, js, stream, subject, 0, options, code);
}

// ---------------------------------------------------------------------------------------------------------
// What streams say of themselves

void jsStreamInfo_Destroy(jsStreamInfo *info)
{
    if (!info) {
        return;
    }
    for (int i = 0; info->State.Subjects && i < info->State.Subjects->Count; i++) {
        free((char *)info->State.Subjects->List[i].Subject);
    }
    if (info->State.Subjects) {
        free(info->State.Subjects->List);
    }
    free(info->State.Subjects);
    free(info->State.Deleted);
    free((char *)info->Config->Name);
    free(info->Config->RePublish);
    free(info->Config);
    free(info);
}

static void tell_subjects(const struct br_stream *stream, const char *filter, jsStreamState *state)
{
    state->Subjects = calloc(1, sizeof *state->Subjects);
    BASE_ASSERT(state->Subjects);
    state->Subjects->List = calloc(stream->last + 1, sizeof *state->Subjects->List);
    BASE_ASSERT(state->Subjects->List);
    for (uint64_t sequence = stream->first; sequence <= stream->last; sequence++) {
        const natsMsg *message = stream->messages[sequence - 1];
        if (message && br_matches(filter, message->subject)) {
            char *subject = strdup(message->subject);
            BASE_ASSERT(subject && stream->one_each);
            state->Subjects->List[state->Subjects->Count++] = (jsStreamStateSubject){subject, 1};
        }
    }
}

static void tell_deleted(const struct br_stream *stream, bool details, jsStreamState *state)
{
    state->Deleted = calloc(stream->last + 1, sizeof *state->Deleted);
    BASE_ASSERT(state->Deleted);
    for (uint64_t sequence = stream->first; sequence <= stream->last; sequence++) {
        if (!stream->messages[sequence - 1]) {
            state->NumDeleted++;
            if (details) {
                state->Deleted[state->DeletedLen++] = sequence;
            }
        }
    }
}

static void run_info(struct br_call *call)
{
    const struct br_stream *stream = br_stream_find(call->name);
    if (!stream) {
        not_found(call, NO_STREAM);
        return;
    }
    jsStreamInfo *info = calloc(1, sizeof *info);
    BASE_ASSERT(info);
    info->Config = calloc(1, sizeof *info->Config);
    BASE_ASSERT(info->Config);
    info->Config->Name = strdup(stream->name);
    if (stream->source[0] != 0) {
        info->Config->RePublish = calloc(1, sizeof *info->Config->RePublish);
    }
    info->State = (jsStreamState){.FirstSeq = stream->first, .LastSeq = stream->last, .Bytes = stream->bytes};
    tell_deleted(stream, call->flag, &info->State);
    if (call->subject[0] != 0) {
        tell_subjects(stream, call->subject, &info->State);
    }
    call->info = info;
}

natsStatus js_GetStreamInfo(jsStreamInfo **out, jsCtx *js, const char *stream, jsOptions *options,
                            jsErrCode *code)
{
    struct br_call *call = br_call_make(js->connection, run_info);
    (void)snprintf(call->name, sizeof call->name, "%s", stream);
    if (options && options->Stream.Info.SubjectsFilter) {
        (void)snprintf(call->subject, sizeof call->subject, "%s", options->Stream.Info.SubjectsFilter);
    }
    call->flag = options && options->Stream.Info.DeletedDetails;
    const natsStatus status = finish(call, wait_of(js, options), code);
    *out = NULL;
    if (status == NATS_OK) {
        *out = call->info;
        call->info = NULL;
    }
    br_call_free(call);
    return status;
}

static void run_update(struct br_call *call)
{
    struct br_stream *stream = br_stream_find(call->name);
    if (stream) {
        memcpy(stream->source, call->source, sizeof stream->source);
        memcpy(stream->target, call->target, sizeof stream->target);
    } else {
        not_found(call, NO_STREAM);
    }
}

static void set_told(struct br_call *call, const jsRePublish *told)
{
    if (told) {
        (void)snprintf(call->source, sizeof call->source, "%s", told->Source);
        (void)snprintf(call->target, sizeof call->target, "%s", told->Destination);
    }
}

natsStatus js_UpdateStream(jsStreamInfo **info, jsCtx *js, jsStreamConfig *config, jsOptions *options,
                           jsErrCode *code)
{
    struct br_call *call = br_call_make(js->connection, run_update);
    BASE_ASSERT(!info);
    (void)snprintf(call->name, sizeof call->name, "%s", config->Name);
    set_told(call, config->RePublish);
    const natsStatus status = finish(call, wait_of(js, options), code);
    br_call_free(call);
    return status;
}

// ---------------------------------------------------------------------------------------------------------
// Buckets

static kvStore *bucket_make(jsCtx *js, const char *bucket)
{
    kvStore *store = calloc(1, sizeof *store);
    BASE_ASSERT(store);
    store->js = js;
    (void)snprintf(store->bucket, sizeof store->bucket, "%s", bucket);
    return store;
}

static void run_look(struct br_call *call)
{
    if (!br_stream_find(call->name)) {
        not_found(call, NO_STREAM);
    }
}

static void run_bucket(struct br_call *call)
{
    const bool there = br_stream_find(call->name) != NULL;
    struct br_stream *stream = br_stream_make(call->name, call->subject, true);
    if (!there) {
        memcpy(stream->source, call->source, sizeof stream->source);
        memcpy(stream->target, call->target, sizeof stream->target);
    }
}

natsStatus js_KeyValue(kvStore **out, jsCtx *js, const char *bucket)
{
    struct br_call *call = br_call_make(js->connection, run_look);
    (void)snprintf(call->name, sizeof call->name, "KV_%s", bucket);
    const natsStatus status = finish(call, js->wait_ms, NULL);
    br_call_free(call);
    *out = status == NATS_OK ? bucket_make(js, bucket) : NULL;
    return status;
}

natsStatus js_CreateKeyValue(kvStore **out, jsCtx *js, kvConfig *config)
{
    struct br_call *call = br_call_make(js->connection, run_bucket);
    BASE_ASSERT(config->History == 1);
    (void)snprintf(call->name, sizeof call->name, "KV_%s", config->Bucket);
    (void)snprintf(call->subject, sizeof call->subject, "$KV.%s.>", config->Bucket);
    set_told(call, config->RePublish);
    const natsStatus status = finish(call, js->wait_ms, NULL);
    br_call_free(call);
    *out = status == NATS_OK ? bucket_make(js, config->Bucket) : NULL;
    return status;
}

void kvStore_Destroy(kvStore *store)
{
    free(store);
}

static void subject_of(const kvStore *store, const char *key, char out[2 * BR_NAME])
{
    (void)snprintf(out, 2 * BR_NAME, "$KV.%s.%s", store->bucket, key);
}

static natsStatus put_key(kvStore *store, const char *key, const char *text, const char *expected,
                          bool is_new, uint64_t *revision)
{
    char subject[2 * BR_NAME];
    subject_of(store, key, subject);
    natsMsg *message = br_message(subject, NULL, text, text ? (int)strlen(text) : 0);
    if (expected) {
        br_header_set(message, "Nats-Expected-Last-Subject-Sequence", expected);
    }
    if (!text) {
        br_header_set(message, "KV-Operation", "DEL");
    }
    return put(store->js->connection, message, is_new, store->js->wait_ms, revision, NULL);
}

natsStatus kvStore_PutString(uint64_t *revision, kvStore *store, const char *key, const char *text)
{
    return put_key(store, key, text, NULL, false, revision);
}

natsStatus kvStore_CreateString(uint64_t *revision, kvStore *store, const char *key, const char *text)
{
    return put_key(store, key, text, NULL, true, revision);
}

natsStatus kvStore_UpdateString(uint64_t *revision, kvStore *store, const char *key, const char *text,
                                uint64_t last)
{
    char expected[24];
    (void)snprintf(expected, sizeof expected, "%" PRIu64, last);
    return put_key(store, key, text, expected, false, revision);
}

natsStatus kvStore_Delete(kvStore *store, const char *key)
{
    return put_key(store, key, NULL, NULL, false, NULL);
}

natsStatus kvStore_Get(kvEntry **out, kvStore *store, const char *key)
{
    char subject[2 * BR_NAME], stream[BR_NAME + 4];
    natsMsg *message = NULL;
    *out = NULL;
    subject_of(store, key, subject);
    (void)snprintf(stream, sizeof stream, "KV_%s", store->bucket);
    const natsStatus status = get(&message, store->js, stream, subject, 0, NULL, NULL);
    if (status != NATS_OK || br_header_get(message, "KV-Operation")) {
        br_message_free(message);
        return status == NATS_OK ? NATS_NOT_FOUND : status;
    }
    kvEntry *entry = calloc(1, sizeof *entry);
    BASE_ASSERT(entry);
    entry->message = message;
    (void)snprintf(entry->key, sizeof entry->key, "%s", key);
    *out = entry;
    return NATS_OK;
}

const char *kvEntry_Key(kvEntry *entry)
{
    return entry->key;
}

const void *kvEntry_Value(kvEntry *entry)
{
    return entry->message->bytes;
}

const char *kvEntry_ValueString(kvEntry *entry)
{
    return entry->message->bytes;
}

int kvEntry_ValueLen(kvEntry *entry)
{
    return entry->message->size;
}

uint64_t kvEntry_Revision(kvEntry *entry)
{
    return entry->message->sequence;
}

kvOperation kvEntry_Operation(kvEntry *entry)
{
    UNUSED(entry);
    return kvOp_Put;
}

void kvEntry_Destroy(kvEntry *entry)
{
    if (entry) {
        br_message_free(entry->message);
        free(entry);
    }
}
