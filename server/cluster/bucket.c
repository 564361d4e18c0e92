// Keys of the two buckets. Who leads a bucket's stream is asked where something is decided (cluster_nats_world_get, cluster_nats_beat_get); a walk
// may be answered by a broker that is behind, so what it tells never takes anything back.
#include "cluster/cluster_internal.h"

#include "base/clock.h"
#include "base/log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOT = 256, // keys that are read with one question
    TTL_S = 3600,
    NO_MESSAGE = 10037
};

// Brokers tell everything that is written to a bucket, with its revision, once it stands there: no server has to read it then.
struct again {
    char source[2 * CLUSTER_NATS_KEY_SIZE], destination[2 * CLUSTER_NATS_KEY_SIZE];
    jsRePublish told;
};

static void again_init(const struct cluster *c, const char *what, struct again *again)
{
    jsRePublish_Init(&again->told);
    (void)snprintf(again->source, sizeof again->source, "$KV.%s-%s.>", c->name, what);
    (void)snprintf(again->destination, sizeof again->destination, "%s.told.%s.>", c->name, what);
    again->told.Source = again->source;
    again->told.Destination = again->destination;
}

// One that was made without it.
static natsStatus tell_again(struct cluster *c, const char *what, struct again *again)
{
    char stream[CLUSTER_NATS_KEY_SIZE];
    jsStreamInfo *info = NULL;
    (void)snprintf(stream, sizeof stream, "KV_%s-%s", c->name, what);
    natsStatus status = js_GetStreamInfo(&info, c->js, stream, NULL, NULL);
    if (status == NATS_OK && !info->Config->RePublish) {
        jsStreamConfig config = *info->Config;
        config.RePublish = &again->told;
        status = js_UpdateStream(NULL, c->js, &config, NULL, NULL);
    }
    jsStreamInfo_Destroy(info);
    return status;
}

static natsStatus open_bucket(struct cluster *c, const char *what, int64_t ttl_ns, bool told, kvStore **out)
{
    char bucket[CLUSTER_NATS_KEY_SIZE];
    struct again again;
    kvConfig config;
    kvConfig_Init(&config);
    again_init(c, what, &again);
    config.RePublish = told ? &again.told : NULL;
    (void)snprintf(bucket, sizeof bucket, "%s-%s", c->name, what);
    config.Bucket = bucket;
    config.StorageType = js_FileStorage;
    config.Replicas = c->replicas;
    config.History = 1;
    config.TTL = ttl_ns;
    natsStatus status = js_KeyValue(out, c->js, bucket);
    if (status == NATS_NOT_FOUND) {
        status = js_CreateKeyValue(out, c->js, &config);
    } else if (status == NATS_OK && told) {
        status = tell_again(c, what, &again);
    }
    return status;
}

natsStatus cluster_nats_buckets_open(struct cluster *c)
{
    natsStatus status = open_bucket(c, "servers", INT64_C(1000000000) * TTL_S, false, &c->servers_bucket);
    if (status == NATS_OK) {
        status = open_bucket(c, "worlds", 0, true, &c->worlds_bucket);
    }
    return status == NATS_OK ? open_bucket(c, "names", 0, false, &c->names_bucket) : status;
}

static natsStatus get_last(struct cluster *c, const char *what, const char *key, natsMsg **out)
{
    char stream[CLUSTER_NATS_KEY_SIZE], subject[2 * CLUSTER_NATS_KEY_SIZE];
    jsErrCode code = 0;
    (void)snprintf(stream, sizeof stream, "KV_%s-%s", c->name, what);
    (void)snprintf(subject, sizeof subject, "$KV.%s-%s.%s", c->name, what, key);
    const natsStatus status = js_GetLastMsg(out, c->js, stream, subject, NULL, &code);
    return status == NATS_OK || (int)code == NO_MESSAGE || status != NATS_NOT_FOUND ? status
                                                                                    : NATS_NO_RESPONDERS;
}

// A key that was removed is a message without a value.
static bool is_put(natsMsg *message)
{
    const char *operation = NULL;
    return natsMsgHeader_Get(message, "KV-Operation", &operation) != NATS_OK;
}

static void take_world(struct cluster *c, uint32_t world, uint64_t revision, natsMsg *message)
{
    struct cluster_nats_key key = {0}; // also of what cannot be read, whoever wrote it: nobody has it
    if (is_put(message)) {
        (void)cluster_nats_world_text_read(natsMsg_GetData(message), (size_t)natsMsg_GetDataLength(message),
                                           &key);
    }
    base_mutex_lock(&c->mutex);
    cluster_nats_world_read(c, world, revision, &key);
    if (key.run[0] != 0) {
        (void)cluster_nats_server_know(c, key.run, base_now_ns()); // from now on it has its time to be heard
    }
    base_mutex_unlock(&c->mutex);
}

natsStatus cluster_nats_world_get(struct cluster *c, uint32_t world)
{
    char key[16];
    natsMsg *message = NULL;
    (void)snprintf(key, sizeof key, "%" PRIu32, world);
    const natsStatus status = get_last(c, "worlds", key, &message);
    if (status == NATS_OK) {
        take_world(c, world, natsMsg_GetSequence(message), message);
    }
    natsMsg_Destroy(message);
    return status;
}

static natsStatus put(kvStore *bucket, const char *key, char *text, uint64_t *revision)
{
    natsStatus status = NATS_NO_MEMORY;
    if (text && *revision > 0) {
        status = kvStore_UpdateString(revision, bucket, key, text, *revision);
    } else if (text) {
        status = kvStore_CreateString(revision, bucket, key, text);
    }
    free(text);
    return status;
}

natsStatus cluster_nats_world_put(struct cluster *c, uint32_t world, const struct cluster_nats_key *key,
                                  uint64_t *revision)
{
    char name[16];
    (void)snprintf(name, sizeof name, "%" PRIu32, world);
    return put(c->worlds_bucket, name, cluster_nats_world_write(key), revision);
}

natsStatus cluster_nats_world_remove(struct cluster *c, uint32_t world)
{
    char key[16];
    (void)snprintf(key, sizeof key, "%" PRIu32, world);
    return kvStore_Delete(c->worlds_bucket, key);
}

natsStatus cluster_nats_name_get(struct cluster *c, const char *label, struct cluster_nats_holder *out)
{
    char key[2 * CLUSTER_NAME_SIZE];
    natsMsg *message = NULL;
    *out = (struct cluster_nats_holder){0};
    cluster_nats_label_key(label, key);
    const natsStatus status = get_last(c, "names", key, &message);
    if (status == NATS_OK) {
        out->revision = natsMsg_GetSequence(message);
        if (is_put(message)) { // what cannot be read is nobody's
            (void)cluster_nats_holder_read(natsMsg_GetData(message), (size_t)natsMsg_GetDataLength(message),
                                           out);
        }
    }
    natsMsg_Destroy(message);
    return status == NATS_NOT_FOUND ? NATS_OK : status;
}

natsStatus cluster_nats_name_put(struct cluster *c, const char *label, uint32_t world, uint64_t revision)
{
    char key[2 * CLUSTER_NAME_SIZE];
    cluster_nats_label_key(label, key);
    return put(c->names_bucket, key, cluster_nats_holder_write(world, c->run), &revision);
}

// As kvStore_Delete, but at a revision.
natsStatus cluster_nats_name_remove(struct cluster *c, const char *label, uint64_t revision)
{
    char key[2 * CLUSTER_NAME_SIZE], subject[2 * CLUSTER_NATS_KEY_SIZE];
    natsMsg *message = NULL;
    jsPubOptions options;
    jsPubOptions_Init(&options);
    options.ExpectLastSubjectSeq = revision;
    cluster_nats_label_key(label, key);
    (void)snprintf(subject, sizeof subject, "$KV.%s-names.%s", c->name, key);
    natsStatus status = natsMsg_Create(&message, subject, NULL, NULL, 0);
    if (status == NATS_OK) {
        status = natsMsgHeader_Set(message, "KV-Operation", "DEL");
    }
    if (status == NATS_OK) {
        status = js_PublishMsg(NULL, c->js, message, &options, NULL);
    }
    natsMsg_Destroy(message);
    return status;
}

natsStatus cluster_nats_beat_get(struct cluster *c, const char *run, uint64_t *beat, bool *over)
{
    struct cluster_nats_beat read;
    natsMsg *message = NULL;
    natsStatus status = get_last(c, "servers", run, &message);
    if (status == NATS_OK &&
        (!is_put(message) ||
         !cluster_nats_beat_read(natsMsg_GetData(message), (size_t)natsMsg_GetDataLength(message), &read))) {
        status = NATS_NOT_FOUND;
    }
    if (status == NATS_OK) {
        *beat = read.beat;
        *over = read.over;
    }
    natsMsg_Destroy(message);
    return status;
}

// Nothing of it was heard. What its key says decides: words may be lost where keys are not.
void cluster_nats_ask_for_beat(struct cluster *c, const char *run)
{
    char copy[CLUSTER_RUN_SIZE];
    uint64_t beat = 0;
    bool over = false;
    memcpy(copy, run, sizeof copy);
    base_mutex_unlock(&c->mutex);
    const natsStatus status = cluster_nats_beat_get(c, copy, &beat, &over);
    base_mutex_lock(&c->mutex);
    struct cluster_nats_server *server = cluster_nats_server_find(c, copy);
    const uint64_t now_ns = base_now_ns();
    if (!server || cluster_nats_server_lives(c, server, now_ns)) {
        return;
    }
    if (status == NATS_OK && beat > server->beat && !over) {
        server->beat = beat;
        server->heard_ns = now_ns;
    } else if (status == NATS_OK || status == NATS_NOT_FOUND) {
        const uint64_t lapsed_ns = server->heard_ns + CLUSTER_LAPSE_MS * UINT64_C(1000000);
        server->dead = true;
        server->dead_ns = lapsed_ns < now_ns ? lapsed_ns : now_ns; // later, where it was never heard
        base_log(BASE_LOG_WARN, "server \"%s\" (%s) is not heard any more", server->told.name, copy);
        c->options.on_event(c->options.context);
    }
}

// ---------------------------------------------------------------------------------------------------------
// All keys: lots of messages, each with its sequence, and at last one that has none

void cluster_nats_world_hear(struct cluster *c, natsMsg *message)
{
    const char *sequence = NULL, *dot = strrchr(natsMsg_GetSubject(message), '.');
    uint32_t world = 0;
    if (dot && cluster_nats_world_key_read(dot + 1, &world) &&
        natsMsgHeader_Get(message, "Nats-Sequence", &sequence) == NATS_OK) {
        take_world(c, world, strtoull(sequence, NULL, 10), message);
    }
}

static void take_key(struct cluster *c, bool servers, const char *key, uint64_t revision, natsMsg *message)
{
    uint32_t world = 0;
    if (!servers && cluster_nats_world_key_read(key, &world)) {
        take_world(c, world, revision, message);
    } else if (servers && cluster_nats_run_fits(key, strlen(key)) && is_put(message)) {
        cluster_nats_beat_hear(c, key, natsMsg_GetData(message), (size_t)natsMsg_GetDataLength(message));
    }
}

static natsStatus walk_lot(struct cluster *c, const char *what, uint64_t *next, bool *over)
{
    char ask[CLUSTER_NATS_KEY_SIZE + 128], subject[2 * CLUSTER_NATS_KEY_SIZE], reply[160],
        prefix[CLUSTER_NATS_KEY_SIZE];
    const size_t prefix_size = (size_t)snprintf(prefix, sizeof prefix, "$KV.%s-%s.", c->name, what);
    (void)snprintf(subject, sizeof subject, "$JS.API.DIRECT.GET.KV_%s-%s", c->name, what);
    (void)snprintf(reply, sizeof reply, "%s.%" PRIu64, c->lots_inbox, ++c->lots_asked);
    (void)snprintf(ask, sizeof ask, "{\"seq\":%" PRIu64 ",\"next_by_subj\":\"%s>\",\"batch\":%d}", *next,
                   prefix, LOT);
    natsStatus status = natsConnection_PublishRequestString(c->connection, subject, reply, ask);
    *over = true;
    for (bool more = true; more && status == NATS_OK;) {
        natsMsg *message = NULL;
        const char *sequence = NULL, *of = NULL;
        status = natsSubscription_NextMsg(&message, c->lots, CLUSTER_NATS_WAIT_MS);
        if (status == NATS_OK && strcmp(natsMsg_GetSubject(message), reply) == 0) {
            more = natsMsgHeader_Get(message, "Nats-Sequence", &sequence) == NATS_OK &&
                   natsMsgHeader_Get(message, "Nats-Subject", &of) == NATS_OK;
            status = natsMsg_IsNoResponders(message) ? NATS_NO_RESPONDERS : NATS_OK;
        }
        if (sequence && of && strncmp(of, prefix, prefix_size) == 0) {
            const uint64_t revision = strtoull(sequence, NULL, 10);
            take_key(c, strcmp(what, "servers") == 0, of + prefix_size, revision, message);
            *next = revision + 1;
            *over = false;
        }
        natsMsg_Destroy(message);
    }
    return status;
}

static natsStatus walk(struct cluster *c, const char *what)
{
    uint64_t next = 1;
    bool over = false;
    natsStatus status = NATS_OK;
    while (!over && status == NATS_OK) {
        status = walk_lot(c, what, &next, &over);
    }
    return status;
}

natsStatus cluster_nats_read_all(struct cluster *c)
{
    const natsStatus status = walk(c, "servers");
    return status == NATS_OK ? walk(c, "worlds") : status;
}
