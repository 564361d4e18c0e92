// The part of nats.c's API that is about streams and buckets, as far as weft uses it: see brokers_library.c.
#include "brokers_internal.h"

#include "base/assert.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NO_MESSAGE = 10037, NO_STREAM = 10059, WRONG_SEQUENCE = 10071, WAIT_MS = 5000 };

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
    return status == NATS_OK ? status
                             : br_say(status, call->text[0] ? call->text : natsStatus_GetText(status));
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
                       WRONG_SEQUENCE, nats_GetLastError(NULL));
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
    (void)text;
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
    (void)entry;
    return kvOp_Put;
}

void kvEntry_Destroy(kvEntry *entry)
{
    if (entry) {
        br_message_free(entry->message);
        free(entry);
    }
}
