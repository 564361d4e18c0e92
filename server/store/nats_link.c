// Sends messages through a connection to brokers, and receives their answers on the library's threads.
#include "store/nats_link_internal.h"

#include "base/clock.h"
#include "store/backend.h"

#include <jansson.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEADER_BYTES = 512,      // bytes that a message's header needs at most
    PAYLOAD_MIN = 64 * 1024, // bytes that a broker has to take
    PAYLOAD_MAX = 1024 * 1024
};

// ---------------------------------------------------------------------------------------------------------
// The library's threads

static void on_answered(void *context)
{
    struct store_nats_link *link = context;
    store_nats_settle(link, &link->answered);
}

// Reads a broker's answer to a message: {"stream": …, "seq": …}, or {"error": {"description": …}}.
static enum store_nats_answer read_answer(natsMsg *message, uint64_t sequence, char *text, size_t text_size)
{
    text[0] = 0;
    if (natsMsg_IsNoResponders(message)) {
        (void)snprintf(text, text_size, "no broker has this stream now");
        return STORE_NATS_SILENT;
    }
    json_t *told = json_loadb(natsMsg_GetData(message), (size_t)natsMsg_GetDataLength(message), 0, NULL);
    const json_t *error = json_object_get(told, "error"), *seq = json_object_get(told, "seq");
    const char *description = json_string_value(json_object_get(error, "description"));
    enum store_nats_answer answer = STORE_NATS_REFUSED;
    if (told && !error && (uint64_t)json_integer_value(seq) == sequence) {
        answer = STORE_NATS_DONE;
    } else {
        (void)snprintf(text, text_size, "%s", description ? description : "an answer of another kind");
    }
    json_decref(told);
    return answer;
}

static void on_answer(natsConnection *connection, natsSubscription *subscription, natsMsg *message,
                      void *context)
{
    const struct store_nats_link *link = context;
    (void)connection;
    (void)subscription;
    char text[160];
    uint32_t list = 0;
    uint64_t sequence = 0;
    const char *subject = natsMsg_GetSubject(message) + strlen(link->inbox);
    if (sscanf(subject, ".%" SCNu32 ".%" SCNu64, &list, &sequence) == 2) {
        const enum store_nats_answer answer = read_answer(message, sequence, text, sizeof text);
        link->events.on_answer(link->events.context, list, sequence, answer, text);
    }
    natsMsg_Destroy(message);
}

// ---------------------------------------------------------------------------------------------------------
// Life

static natsStatus open_bucket(struct store_nats_link *link)
{
    char bucket[STORE_NATS_SUBJECT_SIZE];
    kvConfig config;
    kvConfig_Init(&config);
    (void)snprintf(bucket, sizeof bucket, "%s-lists", link->name);
    config.Bucket = bucket;
    config.StorageType = js_FileStorage;
    config.Replicas = link->replicas;
    config.History = 1;
    natsStatus status = js_KeyValue(&link->lists, link->js, bucket);
    if (status == NATS_NOT_FOUND) {
        status = js_CreateKeyValue(&link->lists, link->js, &config);
    }
    return status;
}

static natsStatus open_answers(struct store_nats_link *link)
{
    char subject[128];
    natsStatus status = natsInbox_Create(&link->inbox);
    if (status == NATS_OK) {
        (void)snprintf(subject, sizeof subject, "%s.*.*", link->inbox);
        status = natsConnection_Subscribe(&link->answers, link->connection, subject, on_answer, link);
    }
    if (status == NATS_OK) {
        status = natsSubscription_SetOnCompleteCB(link->answers, on_answered, link);
    }
    if (status == NATS_OK) {
        status = natsSubscription_SetPendingLimits(link->answers, -1, -1);
    }
    if (status == NATS_OK) {
        status = natsInbox_Create(&link->lots_inbox);
    }
    if (status == NATS_OK) {
        (void)snprintf(subject, sizeof subject, "%s.*", link->lots_inbox);
        status = natsConnection_SubscribeSync(&link->lots, link->connection, subject);
    }
    return status;
}

static enum fault_code open_link(struct store_nats_link *link, const struct store_nats_link_place *place,
                                 struct store_error *error)
{
    struct store_nats_address address;
    if (!store_nats_address_read(place->brokers, &address)) {
        return store_fail(error, FAULT_IO, 0, 0,
                          "it takes nats://HOST:PORT,… or tls://HOST:PORT,…, at most %d of them, with "
                          "USER:PASSWORD@ before the first and /NAME behind the last, of a-z, 0-9, - and _",
                          STORE_NATS_SERVERS_MAX);
    }
    memcpy(link->name, address.name, sizeof link->name);
    link->replicas = address.count >= 3 ? 3 : 1;
    address.authorities = place->authorities;
    address.certificate = place->certificate;
    address.key = place->key;
    address.credentials = store_nats_credentials_of(&link->credentials, place->credentials);
    if (store_nats_check_files(&address, error) != FAULT_NONE) {
        return error->fault.code;
    }
    natsStatus code = store_nats_connect(&address, link, &link->connection);
    if (code != NATS_OK) {
        return store_nats_fail_connect(error, &address, code, "no broker can be reached");
    }
    const int64_t payload = natsConnection_GetMaxPayload(link->connection);
    if (payload < PAYLOAD_MIN) {
        return store_fail(error, FAULT_IO, 0, 0, "brokers take messages of %lld bytes; it needs %d",
                          (long long)payload, PAYLOAD_MIN);
    }
    link->payload = (size_t)(payload < PAYLOAD_MAX ? payload : PAYLOAD_MAX);
    jsOptions options;
    jsOptions_Init(&options);
    options.Wait = STORE_NATS_WAIT_MS;
    code = natsConnection_JetStream(&link->js, link->connection, &options);
    if (code != NATS_OK) {
        return store_nats_fail(error, 0, code, 0, "asking for JetStream");
    }
    enum fault_code status = store_nats_check_version(link, error);
    if (status == FAULT_NONE) {
        status = store_nats_check_sync(place, address.count, error);
    }
    if (status == FAULT_NONE && (code = open_bucket(link)) != NATS_OK) {
        status = store_nats_fail(error, 0, code == NATS_NOT_FOUND ? NATS_NO_RESPONDERS : code, 0,
                                 "opening the bucket of lists");
    }
    if (status == FAULT_NONE && (code = open_answers(link)) != NATS_OK) {
        status = store_nats_fail(error, 0, code, 0, "listening for answers");
    }
    return status;
}

struct store_nats_link *store_nats_link_open(const struct store_nats_link_place *place,
                                             const struct store_nats_link_events *events,
                                             struct store_error *error)
{
    struct store_nats_link *link = calloc(1, sizeof *link);
    if (!link) {
        store_fail(error, FAULT_MEMORY, 0, 0, "no memory for a store");
        return NULL;
    }
    link->events = *events;
    base_mutex_init(&link->mutex);
    base_mutex_init(&link->walking);
    base_cond_init(&link->quiet);
    if (open_link(link, place, error) != FAULT_NONE) {
        atomic_store(&link->given_up, true);
        store_nats_link_close(link);
        return NULL;
    }
    return link;
}

// Waits for the library's threads. They are done with the link only when they say so.
static bool wait_quiet(struct store_nats_link *link)
{
    const uint64_t deadline_ns = base_now_ns() + UINT64_C(1000000) * STORE_NATS_WAIT_MS;
    bool in_time = true;
    base_mutex_lock(&link->mutex);
    while (in_time && ((link->connection && !link->closed) || (link->answers && !link->answered))) {
        in_time = base_cond_wait_until(&link->quiet, &link->mutex, deadline_ns);
    }
    base_mutex_unlock(&link->mutex);
    return in_time;
}

void store_nats_link_close(struct store_nats_link *link)
{
    if (!link) {
        return;
    }
    if (link->connection) {
        natsConnection_Close(link->connection);
    }
    if (!wait_quiet(link)) {
        return; // a thread may still call, so the link is not freed
    }
    natsSubscription_Destroy(link->answers);
    natsSubscription_Destroy(link->lots);
    kvStore_Destroy(link->lists);
    jsCtx_Destroy(link->js);
    natsConnection_Destroy(link->connection);
    natsInbox_Destroy(link->inbox);
    natsInbox_Destroy(link->lots_inbox);
    base_mutex_deinit(&link->walking);
    base_cond_deinit(&link->quiet);
    base_mutex_deinit(&link->mutex);
    free(link);
}

size_t store_nats_link_body_max(const struct store_nats_link *link)
{
    return link->payload - HEADER_BYTES - STORE_NATS_HEAD_SIZE - STORE_NATS_LINK_SIZE;
}

// ---------------------------------------------------------------------------------------------------------
// Messages

// Makes a message that the broker takes only if it follows the stream's last one directly.
static natsStatus make_message(const struct store_nats_link *link, uint32_t list, enum store_nats_kind kind,
                               uint64_t sequence, const char *reply, const uint8_t *bytes, size_t size,
                               natsMsg **out)
{
    char subject[STORE_NATS_SUBJECT_SIZE], expected[24];
    store_nats_subject_name(link, list, store_nats_subject_end(kind), subject);
    (void)snprintf(expected, sizeof expected, "%" PRIu64, sequence - 1);
    natsStatus status = natsMsg_Create(out, subject, reply, (const char *)bytes, (int)size);
    if (status == NATS_OK) {
        status = natsMsgHeader_Set(*out, "Nats-Expected-Last-Sequence", expected);
    }
    return status;
}

bool store_nats_link_publish(struct store_nats_link *link, uint32_t list, enum store_nats_kind kind,
                             uint64_t sequence, const uint8_t *bytes, size_t size)
{
    char reply[160];
    natsMsg *message = NULL;
    (void)snprintf(reply, sizeof reply, "%s.%" PRIu32 ".%" PRIu64, link->inbox, list, sequence);
    natsStatus status = make_message(link, list, kind, sequence, reply, bytes, size, &message);
    if (status == NATS_OK) {
        status = natsConnection_PublishMsg(link->connection, message);
    }
    natsMsg_Destroy(message);
    return status == NATS_OK;
}

enum store_nats_answer store_nats_link_put(struct store_nats_link *link, uint32_t list,
                                           enum store_nats_kind kind, uint64_t sequence, const uint8_t *bytes,
                                           size_t size, struct store_error *error)
{
    natsMsg *message = NULL, *reply = NULL;
    char text[160];
    enum store_nats_answer answer = STORE_NATS_SILENT;
    natsStatus status = make_message(link, list, kind, sequence, NULL, bytes, size, &message);
    if (status == NATS_OK) {
        status = natsConnection_RequestMsg(&reply, link->connection, message, STORE_NATS_WAIT_MS);
    }
    if (status == NATS_OK) {
        answer = read_answer(reply, sequence, text, sizeof text);
    }
    if (status == NATS_OK && answer != STORE_NATS_DONE) {
        (void)store_nats_passing(error, answer == STORE_NATS_SILENT,
                                 store_fail(error, FAULT_IO, list, 0, "writing to the stream: %s", text));
    } else if (status != NATS_OK) {
        store_nats_fail(error, list, status == NATS_NOT_FOUND ? NATS_NO_RESPONDERS : status, 0,
                        "writing to the stream");
    }
    natsMsg_Destroy(message);
    natsMsg_Destroy(reply);
    return answer;
}
