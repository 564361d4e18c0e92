// Makes, looks at, reads and cuts a list's stream.
#include "store/nats_link_internal.h"

#include "base/clock.h"
#include "store/backend.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOT_MESSAGES = 64, // messages that are read with one question
    LOT_BYTES = 4 * 1024 * 1024,
    REST_BEHIND_NS = 20000000, // pause for a broker that is behind
    REST_MS = 500              // time for the rest of a lot that is of no use any more
};

// Whether an error is final: a limit of an account, or another stream with the same subjects.
static bool is_final(jsErrCode code)
{
    enum {
        ACCOUNT_LIMIT = 10002,
        STREAMS_LIMIT = 10027,
        STORAGE_LIMIT = 10047,
        NAME_TAKEN = 10058,
        SUBJECTS_TAKEN = 10065
    };
    return code == (jsErrCode)ACCOUNT_LIMIT || code == (jsErrCode)STREAMS_LIMIT ||
           code == (jsErrCode)STORAGE_LIMIT || code == (jsErrCode)NAME_TAKEN ||
           code == (jsErrCode)SUBJECTS_TAKEN;
}

enum fault_code store_nats_stream_create(struct store_nats_link *link, uint32_t list, bool *final,
                                         struct store_error *error)
{
    char name[STORE_NATS_SUBJECT_SIZE], subjects[STORE_NATS_SUBJECT_SIZE];
    const char *subject = subjects;
    jsStreamConfig config;
    jsErrCode code = 0;
    jsStreamConfig_Init(&config);
    store_nats_stream_name(link, list, name);
    store_nats_subject_name(link, list, "*", subjects);
    config.Name = name;
    config.Subjects = &subject;
    config.SubjectsLen = 1;
    config.Storage = js_FileStorage;
    config.Discard = js_DiscardNew;
    config.AllowDirect = true;
    config.Replicas = link->replicas;
    const natsStatus status = js_AddStream(NULL, link->js, &config, NULL, &code);
    *final = status != NATS_OK && is_final(code);
    return status == NATS_OK ? FAULT_NONE
                             : store_nats_fail(error, list, status, (int)code, "making the stream");
}

// Whether the answer is from a leader. Without one, another broker answers that may not know that it has the
// last of what was acknowledged. What it says of the stream's end cannot be trusted.
static bool is_led(const jsStreamInfo *info)
{
    return !info->Cluster || (info->Cluster->Leader && info->Cluster->Leader[0]);
}

enum fault_code store_nats_stream_info(struct store_nats_link *link, uint32_t list, uint32_t wait_ms,
                                       struct store_nats_stream *out, struct store_error *error)
{
    char name[STORE_NATS_SUBJECT_SIZE];
    jsStreamInfo *info = NULL;
    jsOptions options;
    jsErrCode code = 0;
    *out = (struct store_nats_stream){0};
    jsOptions_Init(&options);
    options.Stream.Info.DeletedDetails = true;
    options.Wait = wait_ms;
    store_nats_stream_name(link, list, name);
    const natsStatus status = js_GetStreamInfo(&info, link->js, name, &options, &code);
    if (status != NATS_OK) {
        return store_nats_fail(error, list, status, (int)code, "asking for the stream");
    }
    if (!is_led(info)) {
        jsStreamInfo_Destroy(info);
        return store_nats_passing(
            error, true,
            store_fail(error, FAULT_IO, list, 0, "asking for the stream: no broker leads it now"));
    }
    *out = (struct store_nats_stream){
        .first = info->State.FirstSeq, .last = info->State.LastSeq, .bytes = info->State.Bytes};
    if (info->State.NumDeleted > 0) {
        out->missing = info->State.DeletedLen > 0 ? info->State.Deleted[0] : info->State.FirstSeq;
    }
    jsStreamInfo_Destroy(info);
    return FAULT_NONE;
}

enum fault_code store_nats_stream_purge(struct store_nats_link *link, uint32_t list, uint64_t before,
                                        struct store_error *error)
{
    char name[STORE_NATS_SUBJECT_SIZE];
    jsOptions options;
    jsErrCode code = 0;
    jsOptions_Init(&options);
    options.Stream.Purge.Sequence = before;
    store_nats_stream_name(link, list, name);
    const natsStatus status = js_PurgeStream(link->js, name, &options, &code);
    return status == NATS_OK
               ? FAULT_NONE
               : store_nats_fail(error, list, status, (int)code, "removing what is no longer kept");
}

enum fault_code store_nats_stream_delete(struct store_nats_link *link, uint32_t list,
                                         struct store_error *error)
{
    char name[STORE_NATS_SUBJECT_SIZE];
    jsErrCode code = 0;
    store_nats_stream_name(link, list, name);
    const natsStatus status = js_DeleteStream(link->js, name, NULL, &code);
    return status == NATS_OK ? FAULT_NONE
                             : store_nats_fail(error, list, status, (int)code, "removing the stream");
}

static uint8_t *copy_of(const natsMsg *message, size_t *size)
{
    *size = (size_t)natsMsg_GetDataLength(message);
    uint8_t *bytes = malloc(*size + 1);
    if (bytes && *size > 0) {
        memcpy(bytes, natsMsg_GetData(message), *size);
    }
    return bytes;
}

enum fault_code store_nats_stream_get(struct store_nats_link *link, uint32_t list, uint64_t sequence,
                                      uint8_t **out, size_t *size, struct store_error *error)
{
    char name[STORE_NATS_SUBJECT_SIZE];
    natsMsg *message = NULL;
    jsErrCode code = 0;
    *out = NULL;
    *size = 0;
    store_nats_stream_name(link, list, name);
    const natsStatus status = js_GetMsg(&message, link->js, name, sequence, NULL, &code);
    if (status != NATS_OK) {
        return store_nats_fail(error, list, status, (int)code, "reading the stream");
    }
    *out = copy_of(message, size);
    natsMsg_Destroy(message);
    return *out ? FAULT_NONE : store_fail(error, FAULT_MEMORY, list, 0, "no memory for a message");
}

enum fault_code store_nats_stream_last(struct store_nats_link *link, uint32_t list, enum store_nats_kind kind,
                                       uint64_t *sequence, struct store_error *error)
{
    char name[STORE_NATS_SUBJECT_SIZE], subject[STORE_NATS_SUBJECT_SIZE];
    natsMsg *message = NULL;
    jsErrCode code = 0;
    store_nats_stream_name(link, list, name);
    store_nats_subject_name(link, list, store_nats_subject_end(kind), subject);
    const natsStatus status = js_GetLastMsg(&message, link->js, name, subject, NULL, &code);
    *sequence = status == NATS_OK ? natsMsg_GetSequence(message) : 0;
    natsMsg_Destroy(message);
    return status == NATS_OK ? FAULT_NONE
                             : store_nats_fail(error, list, status, (int)code, "reading the stream");
}

static enum fault_code missing(struct store_error *error, uint32_t list, uint64_t sequence)
{
    return store_fail(error, FAULT_DAMAGED, list, 0,
                      "message %" PRIu64 " of the stream of list %" PRIu32 " is missing", sequence, list);
}

// A walk through a stream. A lot of messages comes as one answer each, all to one subject, and the last
// answer is empty.
struct walk {
    struct store_nats_link *link;
    uint32_t list;
    enum store_nats_kind kind;
    uint64_t next, to;
    bool over; // there are no more of the kind
    enum fault_code (*on_message)(void *context, uint64_t sequence, const uint8_t *bytes, size_t size,
                                  struct store_error *error);
    void *context;
};

static enum fault_code walk_take(struct walk *walk, uint64_t sequence, const uint8_t *bytes, size_t size,
                                 struct store_error *error)
{
    if (sequence < walk->next || sequence > walk->to) {
        return FAULT_NONE;
    }
    walk->next = sequence + 1;
    return walk->on_message(walk->context, sequence, bytes, size, error);
}

// Reads one message from the leader. Any broker answers a walk, also one that is behind, so what it lacks is
// asked of the leader.
static enum fault_code walk_one(struct walk *walk, uint64_t sequence, struct store_error *error)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    enum fault_code status = store_nats_stream_get(walk->link, walk->list, sequence, &bytes, &size, error);
    if (status == FAULT_NONE) {
        status = walk_take(walk, sequence, bytes, size, error);
    } else if (status == FAULT_NOT_FOUND) {
        status = missing(error, walk->list, sequence);
    }
    free(bytes);
    return status;
}

// Whether a message is of the lot. The last one of a lot is empty and has no sequence.
static bool is_of_lot(natsMsg *message)
{
    const char *text = NULL;
    return natsMsgHeader_Get(message, "Nats-Sequence", &text) == NATS_OK;
}

static enum fault_code walk_message(struct walk *walk, natsMsg *message, struct store_error *error)
{
    const char *text = NULL;
    if (natsMsgHeader_Get(message, "Nats-Sequence", &text) != NATS_OK) {
        return natsMsg_IsNoResponders(message)
                   ? store_nats_fail(error, walk->list, NATS_NO_RESPONDERS, 0, "reading the stream")
                   : FAULT_NONE;
    }
    const uint64_t sequence = strtoull(text, NULL, 10);
    enum fault_code status = FAULT_NONE;
    while (walk->kind == 0 && walk->next < sequence && walk->next <= walk->to && status == FAULT_NONE) {
        status = walk_one(walk, walk->next, error);
    }
    return status == FAULT_NONE ? walk_take(walk, sequence, (const uint8_t *)natsMsg_GetData(message),
                                            (size_t)natsMsg_GetDataLength(message), error)
                                : status;
}

static enum fault_code walk_lot(struct walk *walk, struct store_error *error)
{
    struct store_nats_link *link = walk->link;
    char name[STORE_NATS_SUBJECT_SIZE], kind[STORE_NATS_SUBJECT_SIZE], subject[STORE_NATS_SUBJECT_SIZE + 32],
        reply[160], ask[STORE_NATS_SUBJECT_SIZE + 128];
    store_nats_stream_name(link, walk->list, name);
    store_nats_subject_name(link, walk->list, walk->kind == 0 ? "*" : store_nats_subject_end(walk->kind),
                            kind);
    (void)snprintf(subject, sizeof subject, "$JS.API.DIRECT.GET.%s", name);
    (void)snprintf(reply, sizeof reply, "%s.%" PRIu64, link->lots_inbox, ++link->lots_asked);
    (void)snprintf(ask, sizeof ask,
                   "{\"seq\":%" PRIu64 ",\"next_by_subj\":\"%s\",\"batch\":%d,\"max_bytes\":%d}", walk->next,
                   kind, LOT_MESSAGES, LOT_BYTES);
    const uint64_t before = walk->next;
    natsStatus got = natsConnection_PublishRequestString(link->connection, subject, reply, ask);
    enum fault_code status = FAULT_NONE;
    for (bool more = true; more && got == NATS_OK;) {
        natsMsg *message = NULL;
        got = natsSubscription_NextMsg(&message, link->lots,
                                       status == FAULT_NONE ? STORE_NATS_WAIT_MS : REST_MS);
        if (got == NATS_OK && strcmp(natsMsg_GetSubject(message), reply) == 0) {
            more = is_of_lot(message);
            status = status == FAULT_NONE ? walk_message(walk, message, error) : status;
        }
        natsMsg_Destroy(message);
    }
    walk->over = walk->next == before;
    return got == NATS_OK || status != FAULT_NONE
               ? status
               : store_nats_fail(error, walk->list, got, 0, "reading the stream");
}

// Waits until a broker has the last message of a kind. Without that it is unknown which messages of that kind
// a broker that is behind has left out.
static enum fault_code wait_for_kind(const struct walk *walk, uint64_t deadline_ns, struct store_error *error)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    const enum fault_code status =
        store_nats_stream_get(walk->link, walk->list, walk->to, &bytes, &size, error);
    free(bytes);
    if (status != FAULT_NONE) { // the leader says so
        return status == FAULT_NOT_FOUND ? missing(error, walk->list, walk->to) : status;
    }
    if (base_now_ns() > deadline_ns) {
        return store_nats_passing(
            error, true,
            store_fail(error, FAULT_IO, walk->list, 0,
                       "reading the stream: the brokers that answer are behind the one that leads"));
    }
    base_thread_sleep(REST_BEHIND_NS);
    return FAULT_NONE;
}

enum fault_code store_nats_stream_walk(struct store_nats_link *link, uint32_t list, enum store_nats_kind kind,
                                       uint64_t from, uint64_t to,
                                       enum fault_code (*on_message)(void *context, uint64_t sequence,
                                                                     const uint8_t *bytes, size_t size,
                                                                     struct store_error *error),
                                       void *context, struct store_error *error)
{
    struct walk walk = {link, list, kind, from, to, false, on_message, context};
    enum fault_code status = FAULT_NONE;
    const uint64_t deadline_ns = base_now_ns() + UINT64_C(1000000) * STORE_NATS_WAIT_MS;
    base_mutex_lock(&link->walking);
    while (walk.next <= to && status == FAULT_NONE) {
        status = walk_lot(&walk, error);
        if (status == FAULT_NONE && walk.over && walk.next <= to) {
            status = kind == 0 ? walk_one(&walk, walk.next, error) : wait_for_kind(&walk, deadline_ns, error);
        }
    }
    base_mutex_unlock(&link->walking);
    return status;
}
