// What three brokers take of what a deployment of many servers asks of them: beats and watches of them, keys that change by
// compare-and-set, appends to many streams, streams themselves, and worlds that are taken over. bench_cluster_model.py goes on
// from what is measured here.
//
//     WEFT_NATS_SERVER=$(scripts/nats-server.sh) bench_cluster [COSTS.json] [STREAMS]
//
// Brokers and clients share the machine. So beside what the clock says there is the brokers' processor time for one of each,
// of all three and of the busiest, which does not depend on what the clients took.
#include "helper_brokers.h"

#include "base/clock.h"
#include "base/thread.h"

#include <arpa/inet.h>
#include <nats/nats.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    CONNECTIONS = 24,
    CLIENTS_MAX = 128,
    SAMPLES_MAX = 200000,
    RACERS = 16,
    RACES = 100,
    STREAMS_MAX = 4000,
    WORLDS = 12,
    WORLD_BYTES = 1 << 20,
    BEAT_BYTES = 120,  // run, name, addresses, load
    ENTRY_BYTES = 150, // a message's head and one record
};

static struct brokers brokers;
static natsConnection *connections[CONNECTIONS];
static jsCtx *contexts[CONNECTIONS];
static char payload[ENTRY_BYTES + 1];
static FILE *costs;

static void fail(const char *what, natsStatus status)
{
    (void)fprintf(stderr, "bench_cluster: %s: %s\n", what, natsStatus_GetText(status));
    brokers_stop(&brokers);
    exit(EXIT_FAILURE);
}

static void check(natsStatus status, const char *what)
{
    if (status != NATS_OK) {
        fail(what, status);
    }
}

static void cost(const char *name, double value)
{
    if (costs) {
        (void)fprintf(costs, ",\n  \"%s\": %.4g", name, value);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Time, on the clock and of the brokers' processors

struct span {
    uint64_t ns;
    double core_s[BROKERS_MAX];
};

static double core_seconds(pid_t process)
{
    char path[64], line[1024];
    (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *file = fopen(path, "r");
    if (!file) {
        return 0;
    }
    const char *at = fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
    (void)fclose(file);
    // user and system time are the 14th and 15th field; the second ends with the bracket
    for (int field = 2; at && field < 14; field++) {
        at = strchr(at + 1, ' ');
    }
    char *end = NULL;
    const double ticks = at ? strtod(at, &end) + strtod(end, NULL) : 0;
    return ticks / (double)sysconf(_SC_CLK_TCK);
}

static double resident_mb(void)
{
    double sum = 0;
    for (int i = 0; i < brokers.count; i++) {
        char path[64];
        double pages = 0;
        (void)snprintf(path, sizeof path, "/proc/%d/statm", (int)brokers.processes[i]);
        FILE *file = fopen(path, "r");
        char line[128];
        if (file && fgets(line, sizeof line, file)) {
            char *end = line;
            (void)strtod(line, &end);
            pages = strtod(end, NULL);
        }
        if (file) {
            (void)fclose(file);
        }
        sum += pages * (double)sysconf(_SC_PAGESIZE) / 1048576;
    }
    return sum;
}

static struct span span_now(void)
{
    struct span span = {.ns = base_now_ns()};
    for (int i = 0; i < brokers.count; i++) {
        span.core_s[i] = core_seconds(brokers.processes[i]);
    }
    return span;
}

struct spent {
    double s, core_s, busiest_s;
};

static struct spent spent_since(const struct span *begin)
{
    const struct span end = span_now();
    struct spent spent = {.s = (double)(end.ns - begin->ns) * 1e-9};
    for (int i = 0; i < brokers.count; i++) {
        const double core_s = end.core_s[i] - begin->core_s[i];
        spent.core_s += core_s;
        spent.busiest_s = core_s > spent.busiest_s ? core_s : spent.busiest_s;
    }
    return spent;
}

static void report(const char *what, double count, const struct spent *spent)
{
    printf("%-44s %9.0f a second; brokers %7.1f us each, the busiest %6.1f", what, count / spent->s,
           spent->core_s / count * 1e6, spent->busiest_s / count * 1e6);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void report_latency(double *ms, size_t count)
{
    qsort(ms, count, sizeof *ms, by_size);
    printf("; median %.2f ms, 99 %% %.1f, most %.0f\n", ms[count / 2], ms[count - 1 - count / 100],
           ms[count - 1]);
}

// ---------------------------------------------------------------------------------------------------------
// Keys

static kvStore *bucket_make(const char *name, bool memory, bool again)
{
    jsRePublish republish = {.Source = ">", .Destination = "again.>"};
    kvConfig config;
    kvStore *bucket = NULL;
    kvConfig_Init(&config);
    config.Bucket = name;
    config.History = 1;
    config.Replicas = brokers.count;
    config.StorageType = memory ? js_MemoryStorage : js_FileStorage;
    config.RePublish = again ? &republish : NULL;
    natsStatus status = NATS_ERR;
    // Brokers that have just come up choose who leads first.
    for (int i = 0; i < 200 && status != NATS_OK; i++) {
        status = js_CreateKeyValue(&bucket, contexts[0], &config);
        (void)usleep(status == NATS_OK ? 0 : 100000);
    }
    check(status, "a bucket");
    return bucket;
}

enum what { PUT, COMPARE_AND_SET, READ };

struct putter {
    struct base_thread thread;
    kvStore *bucket;
    jsCtx *context;
    char key[32];
    enum what what;
    uint64_t until_ns;
    double *ms;
    size_t count, room, refused;
    natsStatus status;
    char text[160]; // of a put that failed
};

// A broker acknowledges a message before it takes it off the list of those under way, and refuses a compare-and-set of a key
// that has one there: with this code in place of "wrong last sequence: N", though the revision is right.
static bool still_under_way(natsStatus status)
{
    static const char words[] = "wrong last sequence";
    const char *text = status == NATS_ERR ? nats_GetLastError(NULL) : NULL;
    const size_t size = text ? strlen(text) : 0;
    return size >= sizeof words - 1 && strcmp(text + size - (sizeof words - 1), words) == 0;
}

static natsStatus put_once(struct putter *putter, uint64_t *revision)
{
    if (putter->what == READ) { // of who leads, so that it is not old
        natsMsg *message = NULL;
        char subject[64];
        (void)snprintf(subject, sizeof subject, "$KV.%s.%s", kvStore_Bucket(putter->bucket), putter->key);
        char stream[64];
        (void)snprintf(stream, sizeof stream, "KV_%s", kvStore_Bucket(putter->bucket));
        const natsStatus status = js_GetLastMsg(&message, putter->context, stream, subject, NULL, NULL);
        natsMsg_Destroy(message);
        return status;
    }
    if (putter->what == PUT) {
        return kvStore_Put(NULL, putter->bucket, putter->key, payload, BEAT_BYTES);
    }
    natsStatus status = NATS_ERR;
    for (int i = 0; i < 1000; i++) {
        uint64_t next = 0; // which is so when it is refused, too
        status = kvStore_Update(&next, putter->bucket, putter->key, payload, BEAT_BYTES, *revision);
        if (status == NATS_OK) {
            *revision = next;
        }
        if (!still_under_way(status)) {
            break;
        }
        putter->refused++;
    }
    return status;
}

static void put_often(void *context)
{
    struct putter *putter = context;
    uint64_t revision = 0;
    putter->status = kvStore_Put(&revision, putter->bucket, putter->key, payload, BEAT_BYTES);
    while (putter->status == NATS_OK && base_now_ns() < putter->until_ns && putter->count < putter->room) {
        const uint64_t began_ns = base_now_ns();
        putter->status = put_once(putter, &revision);
        putter->ms[putter->count++] = (double)(base_now_ns() - began_ns) * 1e-6;
    }
    const char *text = putter->status == NATS_OK ? NULL : nats_GetLastError(NULL);
    (void)snprintf(putter->text, sizeof putter->text, "a put: %s", text ? text : "?");
}

static void measure_puts(const char *bucket_name, enum what kind, int clients)
{
    static const char *const names[] = {"puts", "compare-and-set", "reads of who leads"};
    const bool memory = strcmp(bucket_name, "memory") == 0;
    static struct putter putters[CLIENTS_MAX];
    static double ms[SAMPLES_MAX];
    kvStore *buckets[CONNECTIONS];
    for (int i = 0; i < CONNECTIONS; i++) {
        check(js_KeyValue(&buckets[i], contexts[i], bucket_name), "a bucket");
    }
    const size_t room = SAMPLES_MAX / (size_t)clients;
    const struct span begin = span_now();
    for (int i = 0; i < clients; i++) {
        putters[i] = (struct putter){.bucket = buckets[i % CONNECTIONS],
                                     .what = kind,
                                     .context = contexts[i % CONNECTIONS],
                                     .until_ns = begin.ns + UINT64_C(3000000000),
                                     .ms = ms + (size_t)i * room,
                                     .room = room};
        (void)snprintf(putters[i].key, sizeof putters[i].key, "k%d", i);
        if (!base_thread_start(&putters[i].thread, "putter", put_often, &putters[i])) {
            fail("a thread", NATS_NO_MEMORY);
        }
    }
    size_t count = 0, refused = 0;
    for (int i = 0; i < clients; i++) {
        base_thread_join(&putters[i].thread);
        refused += putters[i].refused;
        check(putters[i].status, putters[i].text);
        memmove(ms + count, putters[i].ms, putters[i].count * sizeof *ms);
        count += putters[i].count;
    }
    const struct spent spent = spent_since(&begin);
    char what[64];
    (void)snprintf(what, sizeof what, "%s, %s, %d at a time", names[kind], memory ? "memory" : "files",
                   clients);
    report(what, (double)count, &spent);
    if (kind == COMPARE_AND_SET) {
        printf("; %zu of %zu refused at first", refused, count);
        cost(clients == 1             ? "cas_refused_1"
             : clients == CLIENTS_MAX ? "cas_refused_128"
                                      : "cas_refused_16",
             (double)refused / (double)count);
    }
    report_latency(ms, count);
    const char *key = kind == COMPARE_AND_SET ? "cas"
                      : kind == READ          ? "read"
                      : memory                ? "put_memory"
                                              : "put_file";
    char name[64];
    if (clients == CLIENTS_MAX) {
        (void)snprintf(name, sizeof name, "%s_us", key);
        cost(name, spent.core_s / (double)count * 1e6);
        (void)snprintf(name, sizeof name, "%s_busiest_us", key);
        cost(name, spent.busiest_s / (double)count * 1e6);
        (void)snprintf(name, sizeof name, "%s_a_second", key);
        cost(name, (double)count / spent.s);
    } else if (clients == 1) {
        (void)snprintf(name, sizeof name, "%s_ms", key);
        cost(name, ms[count / 2]);
        (void)snprintf(name, sizeof name, "%s_99_ms", key);
        cost(name, ms[count - 1 - count / 100]);
    }
    for (int i = 0; i < CONNECTIONS; i++) {
        kvStore_Destroy(buckets[i]);
    }
}

struct race {
    pthread_barrier_t barrier;
    kvStore *bucket;
    atomic_int won;
    _Atomic uint64_t revision;
    int twice, none; // rounds that more than one has won, and that none has
};

static void race_often(void *context)
{
    struct race *race = context;
    for (int i = 0; i < RACES; i++) {
        const uint64_t last = atomic_load(&race->revision);
        uint64_t revision = 0;
        (void)pthread_barrier_wait(&race->barrier);
        if (kvStore_Update(&revision, race->bucket, "race", payload, BEAT_BYTES, last) == NATS_OK) {
            (void)atomic_fetch_add(&race->won, 1);
            atomic_store(&race->revision, revision);
        }
        if (pthread_barrier_wait(&race->barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
            const int won = atomic_exchange(&race->won, 0);
            race->twice += won > 1;
            race->none += won == 0;
        }
        (void)pthread_barrier_wait(&race->barrier);
    }
}

static void measure_race(kvStore *bucket)
{
    static struct race race;
    struct base_thread threads[RACERS];
    uint64_t revision = 0;
    check(kvStore_Put(&revision, bucket, "race", payload, BEAT_BYTES), "a put");
    race.bucket = bucket;
    atomic_store(&race.revision, revision);
    (void)pthread_barrier_init(&race.barrier, NULL, RACERS);
    const struct span begin = span_now();
    for (int i = 0; i < RACERS; i++) {
        if (!base_thread_start(&threads[i], "racer", race_often, &race)) {
            fail("a thread", NATS_NO_MEMORY);
        }
    }
    for (int i = 0; i < RACERS; i++) {
        base_thread_join(&threads[i]);
    }
    const struct spent spent = spent_since(&begin);
    (void)pthread_barrier_destroy(&race.barrier);
    report("races of 16 for a key, each of them", RACES, &spent);
    printf("; of %d %d were won by none, %d by more than one\n", RACES, race.none, race.twice);
    if (race.twice > 0) {
        fail("two have won", NATS_ERR);
    }
}

// ---------------------------------------------------------------------------------------------------------
// One key told to many

struct watchers {
    struct base_thread thread;
    kvWatcher **watchers;
    natsSubscription **subscriptions;
    int count, messages;
    natsStatus status;
};

static void watch_all(void *context)
{
    struct watchers *w = context;
    for (int i = 0; i < w->count && w->status == NATS_OK; i++) {
        for (int j = 0; j < w->messages && w->status == NATS_OK; j++) {
            if (w->watchers) {
                kvEntry *entry = NULL;
                w->status = kvWatcher_Next(&entry, w->watchers[i], 20000);
                kvEntry_Destroy(entry);
            } else {
                natsMsg *message = NULL;
                w->status = natsSubscription_NextMsg(&message, w->subscriptions[i], 20000);
                natsMsg_Destroy(message);
            }
        }
    }
}

// All that is under way of one client's: answers are not waited for one by one. A key each, for of one key a consumer is told
// only the newest.
static void put_many(const char *subject, int begin, int end)
{
    for (int i = begin; i < end; i++) {
        char key[96];
        (void)snprintf(key, sizeof key, "%s.%d", subject, i);
        check(js_PublishAsync(contexts[0], key, payload, BEAT_BYTES, NULL), "a put");
    }
    check(js_PublishAsyncComplete(contexts[0], NULL), "puts");
}

static void watchers_start(struct watchers *w, int messages)
{
    w->messages = messages;
    if (!base_thread_start(&w->thread, "watchers", watch_all, w)) {
        fail("a thread", NATS_NO_MEMORY);
    }
}

// By a consumer of the bucket's stream for each who watches, as nats.c's watchers are; by plain subscriptions to its subject, that
// hear of what is asked for; or by the same of what the stream publishes again when it has it, with its sequence.
enum way { CONSUMERS, SUBSCRIPTIONS, REPUBLISHED, WAYS };

static void measure_fan_out(const char *bucket_name, enum way way, int count)
{
    static const char *const ways[] = {"consumers", "subscriptions", "what is published again"};
    static const char *const keys[] = {"told_consumer", "told_subscription", "told_republished"};
    const bool consumers = way == CONSUMERS;
    static struct watchers all[CONNECTIONS];
    static kvWatcher *watchers[1000];
    static natsSubscription *subscriptions[1000];
    const int messages = count >= 1000 ? 100 : 1000;
    char subject[64], heard[96], keys_told[32];
    (void)snprintf(subject, sizeof subject, "$KV.%s.told%d-%d", bucket_name, (int)way, count);
    (void)snprintf(keys_told, sizeof keys_told, "told%d-%d.*", (int)way, count);
    (void)snprintf(heard, sizeof heard, "%s%s.*", way == REPUBLISHED ? "again." : "", subject);
    const uint64_t began_ns = base_now_ns();
    int placed = 0;
    for (int i = 0; i < CONNECTIONS; i++) {
        const int share = count * (i + 1) / CONNECTIONS - placed;
        all[i] = (struct watchers){.count = share, .status = NATS_OK};
        kvStore *mine = NULL;
        check(js_KeyValue(&mine, contexts[i], bucket_name), "a bucket");
        for (int j = 0; j < share; j++) {
            if (consumers) {
                kvEntry *entry = NULL;
                check(kvStore_Watch(&watchers[placed + j], mine, keys_told, NULL), "a watch");
                check(kvWatcher_Next(&entry, watchers[placed + j], 20000), "that a watch has begun");
                kvEntry_Destroy(entry);
            } else {
                check(natsConnection_SubscribeSync(&subscriptions[placed + j], connections[i], heard),
                      "a subscription");
            }
        }
        check(natsConnection_FlushTimeout(connections[i], 20000), "a flush");
        all[i].watchers = consumers ? watchers + placed : NULL;
        all[i].subscriptions = subscriptions + placed;
        placed += share;
        kvStore_Destroy(mine);
    }
    const double ready_s = (double)(base_now_ns() - began_ns) * 1e-9;
    (void)usleep(consumers ? 500000 : 1000000); // what a subscription is goes from broker to broker
    // One first, by itself: how late the last of all hears of it.
    double late_ms[20];
    for (int round = 0; round < 20; round++) {
        const uint64_t put_ns = base_now_ns();
        for (int i = 0; i < CONNECTIONS; i++) {
            watchers_start(&all[i], 1);
        }
        put_many(subject, round, round + 1);
        for (int i = 0; i < CONNECTIONS; i++) {
            base_thread_join(&all[i].thread);
            check(all[i].status, "what is told");
        }
        late_ms[round] = (double)(base_now_ns() - put_ns) * 1e-6;
    }
    const struct span begin = span_now();
    for (int i = 0; i < CONNECTIONS; i++) {
        watchers_start(&all[i], messages);
    }
    put_many(subject, 20, 20 + messages);
    for (int i = 0; i < CONNECTIONS; i++) {
        base_thread_join(&all[i].thread);
        check(all[i].status, "what is told");
    }
    const struct spent spent = spent_since(&begin);
    char what[64];
    (void)snprintf(what, sizeof what, "told to %d, %s", count, ways[way]);
    report(what, (double)count * messages, &spent);
    qsort(late_ms, 20, sizeof *late_ms, by_size);
    printf("; the last hears of one after %.1f ms (most %.0f); ready after %.2f s\n", late_ms[10],
           late_ms[19], ready_s);
    if (count == 1000) {
        char name[64];
        (void)snprintf(name, sizeof name, "%s_us", keys[way]);
        cost(name, spent.core_s / ((double)count * messages) * 1e6);
        (void)snprintf(name, sizeof name, "%s_busiest_us", keys[way]);
        cost(name, spent.busiest_s / ((double)count * messages) * 1e6);
        (void)snprintf(name, sizeof name, "%s_last_ms", keys[way]);
        cost(name, late_ms[10]);
        (void)snprintf(name, sizeof name, "%s_a_second", keys[way]);
        cost(name, (double)count * messages / spent.s);
    }
    for (int i = 0; i < count; i++) {
        if (consumers) {
            (void)kvWatcher_Stop(watchers[i]);
            kvWatcher_Destroy(watchers[i]);
        } else {
            natsSubscription_Destroy(subscriptions[i]);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------
// Beats of so many servers as they come, each heard by all: by a connection for each, of the protocol's bare lines

enum { HEARERS_MAX = 1000, HEAR_BYTES = 65536, BEAT_SECONDS = 5 };

struct hearers {
    struct base_thread thread;
    int poll, sockets[HEARERS_MAX], count;
    atomic_bool over;
    atomic_ullong heard; // bytes of payload: the only ones that are a bar
};

static void hear_all(void *context)
{
    static char bytes[HEAR_BYTES];
    struct hearers *hearers = context;
    struct epoll_event ready[64];
    while (!atomic_load(&hearers->over)) {
        const int count = epoll_wait(hearers->poll, ready, 64, 100);
        for (int i = 0; i < count; i++) {
            const ssize_t size = recv(ready[i].data.fd, bytes, sizeof bytes, 0);
            unsigned long long heard = 0;
            for (ssize_t j = 0; j < size; j++) {
                heard += bytes[j] == '|';
            }
            (void)atomic_fetch_add(&hearers->heard, heard);
        }
    }
}

// Waits until the broker has the subscription: its PONG.
static int hearer_connect(int broker, const char *subject)
{
    char lines[160], answer[8192];
    size_t used = 0;
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons(brokers.ports[broker]),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int size = snprintf(
        lines, sizeof lines, "CONNECT {\"verbose\":false,\"headers\":true}\r\nSUB %s 1\r\nPING\r\n", subject);
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || connect(fd, (const struct sockaddr *)&address, sizeof address) != 0 ||
        send(fd, lines, (size_t)size, 0) != size) {
        fail("a connection", NATS_IO_ERROR);
    }
    answer[0] = 0;
    while (!strstr(answer, "PONG") && used < sizeof answer - 1) {
        const ssize_t got = recv(fd, answer + used, sizeof answer - 1 - used, 0);
        if (got <= 0) {
            fail("a connection", NATS_IO_ERROR);
        }
        used += (size_t)got;
        answer[used] = 0;
    }
    return fd;
}

static void measure_beats(const char *bucket_name, enum way way, int servers)
{
    static struct hearers hearers;
    char subject[64], heard[96];
    (void)snprintf(subject, sizeof subject, "$KV.%s.beat%d-%d", bucket_name, (int)way, servers);
    (void)snprintf(heard, sizeof heard, "%s%s.*", way == REPUBLISHED ? "again." : "", subject);
    hearers = (struct hearers){.poll = epoll_create1(0), .count = servers};
    for (int i = 0; i < servers; i++) {
        struct epoll_event event = {.events = EPOLLIN};
        event.data.fd = hearers.sockets[i] = hearer_connect(i % brokers.count, heard);
        (void)epoll_ctl(hearers.poll, EPOLL_CTL_ADD, event.data.fd, &event);
    }
    if (!base_thread_start(&hearers.thread, "hearers", hear_all, &hearers)) {
        fail("a thread", NATS_NO_MEMORY);
    }
    (void)sleep(1); // what a subscription is goes from broker to broker
    const struct span begin = span_now();
    const int beats = servers * BEAT_SECONDS;
    for (int i = 0; i < beats; i++) {
        const uint64_t due_ns = begin.ns + UINT64_C(1000000000) * (uint64_t)i / (uint64_t)servers;
        while (base_now_ns() < due_ns) {
            (void)usleep(500);
        }
        char key[96];
        (void)snprintf(key, sizeof key, "%s.%d", subject, i % servers);
        check(js_PublishAsync(contexts[i % CONNECTIONS], key, payload, BEAT_BYTES, NULL), "a beat");
    }
    const uint64_t all = (uint64_t)beats * (uint64_t)servers * BEAT_BYTES, said_ns = base_now_ns();
    while (atomic_load(&hearers.heard) < all && base_now_ns() - said_ns < UINT64_C(10000000000)) {
        (void)usleep(500);
    }
    const struct spent spent = spent_since(&begin);
    const double missing = (double)(all - atomic_load(&hearers.heard)) / (double)all;
    printf("beats of %4d servers, heard by all, %-22s brokers take %.3f cores, the busiest %.3f; %.0f a "
           "second; %.1f ms behind at the "
           "end, %.1f %% missing\n",
           servers, way == REPUBLISHED ? "published again:" : "subscriptions:", spent.core_s / spent.s,
           spent.busiest_s / spent.s, (double)beats / spent.s, (double)(base_now_ns() - said_ns) * 1e-6,
           missing * 100);
    char name[64];
    const char *kind = way == REPUBLISHED ? "republished" : "subscription";
    const double told = (double)beats * servers;
    (void)snprintf(name, sizeof name, "told_%s_%d_us", kind, servers);
    cost(name, spent.core_s / told * 1e6);
    (void)snprintf(name, sizeof name, "told_%s_%d_busiest_us", kind, servers);
    cost(name, spent.busiest_s / told * 1e6);
    (void)snprintf(name, sizeof name, "told_%s_%d_a_second", kind, servers);
    cost(name, told * (1 - missing) / spent.s);
    atomic_store(&hearers.over, true);
    base_thread_join(&hearers.thread);
    for (int i = 0; i < servers; i++) {
        (void)close(hearers.sockets[i]);
    }
    (void)close(hearers.poll);
    for (int i = 0; i < CONNECTIONS; i++) {
        check(js_PublishAsyncComplete(contexts[i], NULL), "beats");
    }
}

// ---------------------------------------------------------------------------------------------------------
// Streams

struct maker {
    struct base_thread thread;
    int connection, begin, end;
    natsStatus status;
};

static void make_streams(void *context)
{
    struct maker *maker = context;
    for (int i = maker->begin; i < maker->end && maker->status == NATS_OK; i++) {
        jsStreamConfig config;
        jsOptions options;
        char name[32], subjects[32];
        const char *subject = subjects;
        (void)jsOptions_Init(&options);
        options.Wait = 30000;
        (void)snprintf(name, sizeof name, "bench-w-%d", i);
        (void)snprintf(subjects, sizeof subjects, "bench.w.%d.*", i);
        (void)jsStreamConfig_Init(&config);
        config.Name = name;
        config.Subjects = &subject;
        config.SubjectsLen = 1;
        config.AllowDirect = true;
        config.Replicas = brokers.count;
        maker->status = js_AddStream(NULL, contexts[maker->connection], &config, &options, NULL);
    }
}

enum { MAKERS = 8 };

static void measure_making(int begin, int end)
{
    struct maker makers[MAKERS];
    const double before_mb = resident_mb();
    const struct span span = span_now();
    for (int i = 0; i < MAKERS; i++) {
        makers[i] = (struct maker){.connection = i,
                                   .begin = begin + (end - begin) * i / MAKERS,
                                   .end = begin + (end - begin) * (i + 1) / MAKERS,
                                   .status = NATS_OK};
        if (!base_thread_start(&makers[i].thread, "maker", make_streams, &makers[i])) {
            fail("a thread", NATS_NO_MEMORY);
        }
    }
    for (int i = 0; i < MAKERS; i++) {
        base_thread_join(&makers[i].thread);
        check(makers[i].status, "a stream");
    }
    const struct spent made = spent_since(&span);
    char what[64];
    (void)snprintf(what, sizeof what, "streams made, %d to %d", begin, end);
    report(what, end - begin, &made);
    (void)sleep(3);
    const struct span idle = span_now();
    (void)sleep(6);
    const struct spent spent = spent_since(&idle);
    const double kb = (resident_mb() - before_mb) / (end - begin) * 1024;
    printf("; %.0f KB of memory each in all brokers; with %d that rest brokers take %.3f s a second\n", kb,
           end, spent.core_s / spent.s);
    if (end >= 1000) {
        cost("stream_kb", kb);
        cost("stream_idle_us_a_second", spent.core_s / spent.s / end * 1e6);
        cost("stream_make_a_second", (end - begin) / made.s);
    }
}

// Each stream has one append under way; the next round begins when all of this one are acknowledged.
static void measure_appends(int streams)
{
    struct span begin = {0};
    static double ms[SAMPLES_MAX];
    size_t rounds = 0;
    // The first round makes each stream's files.
    for (int round = 0; round < 1 || base_now_ns() - begin.ns < UINT64_C(4000000000); round++) {
        if (round == 1) {
            begin = span_now();
        }
        const uint64_t began_ns = base_now_ns();
        for (int i = 0; i < streams; i++) {
            char subject[32];
            (void)snprintf(subject, sizeof subject, "bench.w.%d.log", i);
            check(js_PublishAsync(contexts[i % CONNECTIONS], subject, payload, ENTRY_BYTES, NULL),
                  "an append");
        }
        for (int i = 0; i < CONNECTIONS; i++) {
            check(js_PublishAsyncComplete(contexts[i], NULL), "appends");
        }
        if (round > 0 && rounds < SAMPLES_MAX) {
            ms[rounds++] = (double)(base_now_ns() - began_ns) * 1e-6;
        }
        if (round == 0) {
            begin.ns = base_now_ns();
        }
    }
    const double count = (double)rounds * streams;
    const struct spent spent = spent_since(&begin);
    char what[64], name[64];
    (void)snprintf(what, sizeof what, "appends, one of each of %d streams", streams);
    report(what, count, &spent);
    (void)snprintf(name, sizeof name, "append_%d_us", streams);
    cost(name, spent.core_s / count * 1e6);
    (void)snprintf(name, sizeof name, "append_%d_a_second", streams);
    cost(name, count / spent.s);
    qsort(ms, rounds, sizeof *ms, by_size);
    (void)snprintf(name, sizeof name, "append_%d_ms", streams);
    cost(name, ms[rounds / 2]);
    printf("; a round: median %.2f ms, 99 %% %.1f\n", ms[rounds / 2], ms[rounds - 1 - rounds / 100]);
}

// ---------------------------------------------------------------------------------------------------------
// Worlds taken over by a server that has nothing of them

static bool worlds_make(struct heard *heard, const char *folder, uint32_t lists[WORLDS])
{
    const struct store_options options = brokers_options(&brokers, heard, folder);
    struct store *store = brokers_open(&options);
    bool good = store != NULL;
    for (int i = 0; i < WORLDS && good; i++) {
        lists[i] = store_list_id(store);
        const struct store_image image = {.maker = 3, .at = 1000};
        struct base_buffer *bytes = noise(WORLD_BYTES, (uint64_t)i);
        good = bytes && store_create(store, lists[i], "world", &image, bytes) &&
               append(store, lists[i], 1, 1, "record");
        base_buffer_unref(bytes);
        struct store_pending pending = {0};
        while (good && pending.durable < 1) {
            (void)usleep(1000);
            store_pending(store, lists[i], &pending);
        }
    }
    store_close(store);
    return good;
}

static bool measure_take_over(void)
{
    struct heard heard;
    struct place first, second;
    uint32_t lists[WORLDS] = {0};
    double ms[WORLDS];
    heard_init(&heard);
    place_make(&first);
    place_make(&second);
    bool good = worlds_make(&heard, first.folder, lists);
    const struct store_options options = brokers_options(&brokers, &heard, second.folder);
    struct store *store = good ? brokers_open(&options) : NULL;
    good = store != NULL;
    const struct span begin = span_now();
    for (int i = 0; i < WORLDS && good; i++) {
        struct store_error error = {0};
        const uint64_t began_ns = base_now_ns();
        good = store_take_over(store, lists[i], &error) > 0;
        ms[i] = (double)(base_now_ns() - began_ns) * 1e-6;
        if (!good) {
            (void)fprintf(stderr, "bench_cluster: a world is not taken over: %s\n", error.text);
        }
    }
    if (good) {
        const struct spent spent = spent_since(&begin);
        report("worlds of 1 MiB taken over, all of it read", WORLDS, &spent);
        report_latency(ms, WORLDS);
        cost("take_over_us", spent.core_s / WORLDS * 1e6);
        cost("take_over_busiest_us", spent.busiest_s / WORLDS * 1e6);
        cost("take_over_ms", ms[WORLDS / 2]);
    }
    store_close(store);
    place_remove(&second);
    place_remove(&first);
    heard_deinit(&heard);
    return good;
}

// ---------------------------------------------------------------------------------------------------------

static void connect_all(void)
{
    const uint64_t deadline_ns = base_now_ns() + UINT64_C(20000000000);
    for (int i = 0; i < CONNECTIONS; i++) {
        char url[64];
        (void)snprintf(url, sizeof url, "nats://127.0.0.1:%d", brokers.ports[i % brokers.count]);
        natsStatus status = NATS_ERR;
        while (status != NATS_OK && base_now_ns() < deadline_ns) {
            status = natsConnection_ConnectTo(&connections[i], url);
            (void)usleep(status == NATS_OK ? 0 : 50000);
        }
        check(status, url);
        check(natsConnection_JetStream(&contexts[i], connections[i], NULL), "JetStream");
    }
}

static void measure_keys(void)
{
    static const int clients[] = {1, 16, CLIENTS_MAX};
    kvStore *files = bucket_make("files", false, false), *memory = bucket_make("memory", true, false);
    kvStore *again = bucket_make("again", true, true);
    for (int i = 0; i < 3; i++) {
        measure_puts("files", PUT, clients[i]);
    }
    for (int i = 0; i < 3; i++) {
        measure_puts("memory", PUT, clients[i]);
    }
    for (int i = 0; i < 3; i++) {
        measure_puts("files", COMPARE_AND_SET, clients[i]);
    }
    for (int i = 0; i < 3; i++) {
        measure_puts("files", READ, clients[i]);
    }
    measure_race(files);
    for (int count = 10; count <= 1000; count *= 10) {
        measure_fan_out("memory", CONSUMERS, count);
        measure_fan_out("memory", SUBSCRIPTIONS, count);
        measure_fan_out("again", REPUBLISHED, count);
    }
    static const int servers[] = {10, 100, 300, HEARERS_MAX};
    for (int i = 0; i < 4; i++) {
        measure_beats("memory", SUBSCRIPTIONS, servers[i]);
        measure_beats("again", REPUBLISHED, servers[i]);
    }
    kvStore_Destroy(again);
    kvStore_Destroy(memory);
    kvStore_Destroy(files);
}

int main(int argc, char **argv)
{
    const int most = argc > 2 ? atoi(argv[2]) : 1000;
    if (!brokers_there() || most < 100 || most > STREAMS_MAX) {
        (void)fprintf(stderr,
                      "bench_cluster: WEFT_NATS_SERVER names no nats-server, or STREAMS is not 100 to %d\n",
                      STREAMS_MAX);
        return EXIT_FAILURE;
    }
    const struct rlimit files = {65536, 65536};
    (void)setrlimit(RLIMIT_NOFILE, &files);
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    memset(payload, '|', ENTRY_BYTES);
    costs = argc > 1 ? fopen(argv[1], "w") : NULL;
    if (costs) {
        (void)fprintf(costs, "{\n  \"brokers\": %d", BROKERS_MAX);
    }
    brokers_start(&brokers, BROKERS_MAX, true);
    connect_all();
    measure_keys();
    const bool good = measure_take_over();
    int made = 0;
    for (int streams = 1; streams <= most; streams *= 10) {
        if (streams >= 100) {
            measure_making(made, streams);
            made = streams;
        } else if (streams == 1) {
            measure_making(0, 10);
            made = 10;
        }
        measure_appends(streams);
    }
    if (costs) {
        (void)fprintf(costs, "\n}\n");
        (void)fclose(costs);
    }
    for (int i = 0; i < CONNECTIONS; i++) {
        jsCtx_Destroy(contexts[i]);
        natsConnection_Destroy(connections[i]);
    }
    brokers_stop(&brokers);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
