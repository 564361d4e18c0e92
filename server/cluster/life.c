// The connection, what is listened for, the threads.
//
// Subscriptions stay until their connection is closed and each has said that it calls no more: one that is destroyed while
// something comes for it crashes nats.c before 3.6.
#include "cluster/cluster_internal.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------
// The library's threads

static const char *last_word(natsMsg *message)
{
    const char *dot = strrchr(natsMsg_GetSubject(message), '.');
    return dot ? dot + 1 : "";
}

static void on_beat(natsConnection *connection, natsSubscription *subscription, natsMsg *message,
                    void *context)
{
    (void)connection;
    (void)subscription;
    const char *run = last_word(message);
    if (cluster_nats_run_fits(run, strlen(run))) {
        cluster_nats_beat_hear(context, run, natsMsg_GetData(message),
                               (size_t)natsMsg_GetDataLength(message));
    }
    natsMsg_Destroy(message);
}

// Somebody has written a key: the bucket tells it with its revision.
static void on_world(natsConnection *connection, natsSubscription *subscription, natsMsg *message,
                     void *context)
{
    (void)connection;
    (void)subscription;
    cluster_nats_world_hear(context, message);
    natsMsg_Destroy(message);
}

static void on_errand(natsConnection *connection, natsSubscription *subscription, natsMsg *message,
                      void *context)
{
    (void)connection;
    (void)subscription;
    cluster_nats_errand_take(context, message);
}

static void on_told(natsConnection *connection, natsSubscription *subscription, natsMsg *message,
                    void *context)
{
    struct cluster *c = context;
    char text[CLUSTER_TEXT_SIZE];
    uint32_t id = 0;
    (void)connection;
    (void)subscription;
    bool done =
        cluster_nats_answer_read(natsMsg_GetData(message), (size_t)natsMsg_GetDataLength(message), text);
    if (natsMsg_IsNoResponders(message)) {
        (void)snprintf(text, sizeof text, "the other server is not there");
        done = false;
    }
    if (cluster_nats_world_key_read(last_word(message), &id)) {
        base_mutex_lock(&c->mutex);
        cluster_nats_errand_told(c, id, done, text);
        base_mutex_unlock(&c->mutex);
    }
    natsMsg_Destroy(message);
}

static void set_connected(struct cluster *c, bool connected)
{
    base_mutex_lock(&c->mutex);
    c->connected = connected;
    c->reread |= connected; // words were lost meanwhile
    for (uint32_t i = 0; i < c->server_count && connected; i++) {
        c->servers[i].heard_ns = base_now_ns();
    }
    cluster_nats_look(c);
    base_mutex_unlock(&c->mutex);
}

static void on_connected(natsConnection *connection, void *context)
{
    (void)connection;
    set_connected(context, true);
}

static void on_disconnected(natsConnection *connection, void *context)
{
    (void)connection;
    set_connected(context, false);
}

static void on_closed(natsConnection *connection, void *context)
{
    struct cluster *c = context;
    (void)connection;
    base_mutex_lock(&c->mutex);
    c->closed = true;
    base_cond_signal(&c->quiet);
    base_mutex_unlock(&c->mutex);
}

static void on_subscription_over(void *context)
{
    struct cluster *c = context;
    base_mutex_lock(&c->mutex);
    c->ended++;
    base_cond_signal(&c->quiet);
    base_mutex_unlock(&c->mutex);
}

// ---------------------------------------------------------------------------------------------------------
// Life

static natsStatus listen_for(struct cluster *c, const char *subject, natsMsgHandler on_message)
{
    natsSubscription **subscription = &c->subscriptions[c->subscribed];
    natsStatus status = natsConnection_Subscribe(subscription, c->connection, subject, on_message, c);
    if (status == NATS_OK) {
        status = natsSubscription_SetOnCompleteCB(*subscription, on_subscription_over, c);
        c->subscribed += status == NATS_OK;
    }
    return status;
}

static natsStatus listen_for_all(struct cluster *c)
{
    char subject[160];
    natsStatus status = natsInbox_Create(&c->lots_inbox);
    if (status == NATS_OK && (status = natsInbox_Create(&c->told_inbox)) == NATS_OK) {
        (void)snprintf(subject, sizeof subject, "%s.*", c->lots_inbox);
        status = natsConnection_SubscribeSync(&c->lots, c->connection, subject);
    }
    if (status == NATS_OK) {
        (void)snprintf(subject, sizeof subject, "$KV.%s-servers.*", c->name);
        status = listen_for(c, subject, on_beat);
    }
    if (status == NATS_OK) {
        (void)snprintf(subject, sizeof subject, "%s.told.worlds.*", c->name);
        status = listen_for(c, subject, on_world);
    }
    if (status == NATS_OK) {
        (void)snprintf(subject, sizeof subject, "%s.to.%s", c->name, c->run);
        status = listen_for(c, subject, on_errand);
    }
    if (status == NATS_OK) {
        (void)snprintf(subject, sizeof subject, "%s.*", c->told_inbox);
        status = listen_for(c, subject, on_told);
    }
    return status;
}

static bool know_self(struct cluster *c)
{
    const struct cluster_options *options = &c->options;
    uint64_t random = 0;
    if (!base_random(&random, sizeof random)) {
        return false;
    }
    (void)snprintf(c->run, sizeof c->run, "%016" PRIx64, random);
    (void)snprintf(c->folder, sizeof c->folder, "%s", options->folder);
    struct cluster_nats_server *own = cluster_nats_server_know(c, c->run, base_now_ns());
    if (own) {
        own->told.here = true;
        own->told.tls = options->tls;
        own->told.version = options->version;
        (void)snprintf(own->told.name, sizeof own->told.name, "%s", options->name);
        (void)snprintf(own->told.tcp, sizeof own->told.tcp, "%s", options->tcp);
        (void)snprintf(own->told.web, sizeof own->told.web, "%s", options->web);
    }
    return own != NULL;
}

static natsStatus connect_to(struct cluster *c, const struct store_nats_address *address)
{
    const struct store_nats_hearers hearers = {on_connected, on_disconnected, on_closed, c};
    jsOptions options;
    jsOptions_Init(&options);
    options.Wait = CLUSTER_NATS_WAIT_MS;
    memcpy(c->name, address->name, sizeof c->name);
    c->replicas = address->count >= 3 ? 3 : 1;
    natsStatus status = store_nats_connect_heard(address, &hearers, &c->connection);
    if (status == NATS_OK) {
        c->connected = true;
        status = natsConnection_JetStream(&c->js, c->connection, &options);
    }
    if (status == NATS_OK) {
        status = cluster_nats_buckets_open(c);
    }
    if (status == NATS_OK) {
        status = listen_for_all(c);
    }
    return status == NATS_OK ? cluster_nats_read_all(c) : status;
}

static bool begin_threads(struct cluster *c)
{
    atomic_store(&c->awake_ns, base_now_ns());
    c->threads += base_thread_start(&c->beat_thread, "weft-beat", cluster_nats_beat_run, c);
    if (c->threads == 1) {
        c->threads += base_thread_start(&c->thread, "weft-cluster", cluster_nats_run, c);
    }
    if (c->threads == 2) {
        c->threads += base_thread_start(&c->errand_thread, "weft-errand", cluster_nats_errand_run, c);
    }
    return c->threads == 3;
}

struct cluster *cluster_open(const struct cluster_options *options, char text[CLUSTER_TEXT_SIZE])
{
    struct cluster *c = calloc(1, sizeof *c);
    struct store_nats_address address;
    (void)snprintf(text, CLUSTER_TEXT_SIZE, "no memory");
    if (!c) {
        return NULL;
    }
    c->options = *options;
    base_mutex_init(&c->mutex);
    base_cond_init(&c->due);
    base_cond_init(&c->beat_due);
    base_cond_init(&c->errand_due);
    base_cond_init(&c->quiet);
    bool opened = know_self(c);
    if (opened && !store_nats_address_read(options->brokers, &address)) {
        (void)snprintf(text, CLUSTER_TEXT_SIZE, "the address of the brokers is none");
        opened = false;
    }
    if (opened) {
        address.authorities = options->authorities;
        address.credentials = store_nats_credentials_of(&c->credentials, options->credentials);
        address.certificate = options->certificate;
        address.key = options->key;
        const natsStatus status = connect_to(c, &address);
        const char *said = nats_GetLastError(NULL);
        (void)snprintf(text, CLUSTER_TEXT_SIZE, "%s",
                       status == NATS_ERR && said ? said : natsStatus_GetText(status));
        opened = status == NATS_OK;
    }
    if (opened && !begin_threads(c)) {
        (void)snprintf(text, CLUSTER_TEXT_SIZE, "no thread");
        opened = false;
    }
    if (!opened) {
        cluster_close(c);
        return NULL;
    }
    return c;
}

static void end_threads(struct cluster *c)
{
    base_mutex_lock(&c->mutex);
    c->closing = true;
    base_cond_signal(&c->due);
    base_cond_signal(&c->beat_due);
    base_cond_signal(&c->errand_due);
    base_mutex_unlock(&c->mutex);
    if (c->threads > 2) {
        base_thread_join(&c->errand_thread);
    }
    if (c->threads > 1) {
        base_thread_join(&c->thread);
    }
    if (c->threads > 0) {
        base_thread_join(&c->beat_thread);
    }
}

// The library's threads are over with it only when they say so.
static bool wait_quiet(struct cluster *c)
{
    const uint64_t deadline_ns = base_now_ns() + UINT64_C(1000000) * CLUSTER_NATS_WAIT_MS;
    bool in_time = true;
    base_mutex_lock(&c->mutex);
    while (in_time && ((c->connection && !c->closed) || c->ended < c->subscribed)) {
        in_time = base_cond_wait_until(&c->quiet, &c->mutex, deadline_ns);
    }
    base_mutex_unlock(&c->mutex);
    return in_time;
}

void cluster_close(struct cluster *c)
{
    if (!c) {
        return;
    }
    end_threads(c);
    if (c->connection) {
        natsConnection_Close(c->connection);
    }
    if (!wait_quiet(c)) {
        return; // somebody may still call: it is left
    }
    for (size_t i = 0; i < sizeof c->subscriptions / sizeof *c->subscriptions; i++) {
        natsSubscription_Destroy(c->subscriptions[i]);
    }
    natsSubscription_Destroy(c->lots);
    kvStore_Destroy(c->servers_bucket);
    kvStore_Destroy(c->worlds_bucket);
    kvStore_Destroy(c->names_bucket);
    jsCtx_Destroy(c->js);
    natsConnection_Destroy(c->connection);
    natsInbox_Destroy(c->lots_inbox);
    natsInbox_Destroy(c->told_inbox);
    base_cond_deinit(&c->due);
    base_cond_deinit(&c->beat_due);
    base_cond_deinit(&c->errand_due);
    base_cond_deinit(&c->quiet);
    base_mutex_deinit(&c->mutex);
    free(c->servers);
    for (uint32_t i = 0; i < c->world_count; i++) {
        free(c->worlds[i].trouble);
    }
    free(c->worlds);
    free(c->unnamed);
    free(c);
}
