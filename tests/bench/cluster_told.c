// Cost of sending one message to many: by consumers, by plain subscriptions, and by a stream that publishes again.
#include "cluster.h"
#include "cluster_cases.h"

#include "base/clock.h"
#include "base/thread.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

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
        bench_check(js_PublishAsync(bench_context(0), key, bench_payload(), BENCH_BEAT_BYTES, NULL), "a put");
    }
    bench_check(js_PublishAsyncComplete(bench_context(0), NULL), "puts");
}

static void watchers_start(struct watchers *w, int messages)
{
    w->messages = messages;
    if (!base_thread_start(&w->thread, "watchers", watch_all, w)) {
        bench_fail("a thread", NATS_NO_MEMORY);
    }
}

// By a consumer of the bucket's stream for each watcher, as nats.c's watchers are; by plain subscriptions to its subject, that
// hear of what is asked for; or by the same of what the stream publishes again when it has it, with its sequence.
enum way { CONSUMERS, SUBSCRIPTIONS, REPUBLISHED, WAYS };

static void measure_fan_out(kvStore *bucket, enum way way, int count)
{
    static const char *const ways[] = {"consumers", "subscriptions", "what is published again"};
    static const char *const keys[] = {"told_consumer", "told_subscription", "told_republished"};
    const bool consumers = way == CONSUMERS;
    static struct watchers all[BENCH_CONNECTIONS];
    static kvWatcher *watchers[1000];
    static natsSubscription *subscriptions[1000];
    const int messages = count >= 1000 ? 100 : 1000;
    char subject[64], heard[96], keys_told[32];
    (void)snprintf(subject, sizeof subject, "$KV.%s.told%d-%d", kvStore_Bucket(bucket), (int)way, count);
    (void)snprintf(keys_told, sizeof keys_told, "told%d-%d.*", (int)way, count);
    (void)snprintf(heard, sizeof heard, "%s%s.*", way == REPUBLISHED ? "again." : "", subject);
    const uint64_t began_ns = base_now_ns();
    int placed = 0;
    for (int i = 0; i < BENCH_CONNECTIONS; i++) {
        const int share = count * (i + 1) / BENCH_CONNECTIONS - placed;
        all[i] = (struct watchers){.count = share, .status = NATS_OK};
        kvStore *mine = NULL;
        bench_check(js_KeyValue(&mine, bench_context(i), kvStore_Bucket(bucket)), "a bucket");
        for (int j = 0; j < share; j++) {
            if (consumers) {
                kvEntry *entry = NULL;
                bench_check(kvStore_Watch(&watchers[placed + j], mine, keys_told, NULL), "a watch");
                bench_check(kvWatcher_Next(&entry, watchers[placed + j], 20000), "that a watch has begun");
                kvEntry_Destroy(entry);
            } else {
                bench_check(
                    natsConnection_SubscribeSync(&subscriptions[placed + j], bench_connection(i), heard),
                    "a subscription");
            }
        }
        bench_check(natsConnection_FlushTimeout(bench_connection(i), 20000), "a flush");
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
        for (int i = 0; i < BENCH_CONNECTIONS; i++) {
            watchers_start(&all[i], 1);
        }
        put_many(subject, round, round + 1);
        for (int i = 0; i < BENCH_CONNECTIONS; i++) {
            base_thread_join(&all[i].thread);
            bench_check(all[i].status, "what is told");
        }
        late_ms[round] = (double)(base_now_ns() - put_ns) * 1e-6;
    }
    const struct bench_span begin = bench_span_now();
    for (int i = 0; i < BENCH_CONNECTIONS; i++) {
        watchers_start(&all[i], messages);
    }
    put_many(subject, 20, 20 + messages);
    for (int i = 0; i < BENCH_CONNECTIONS; i++) {
        base_thread_join(&all[i].thread);
        bench_check(all[i].status, "what is told");
    }
    const struct bench_spent spent = bench_spent_since(&begin);
    char what[64];
    (void)snprintf(what, sizeof what, "told to %d, %s", count, ways[way]);
    bench_tell(what, (double)count * messages, &spent);
    bench_sort(late_ms, 20);
    printf("; the last hears of one after %.1f ms (most %.0f); ready after %.2f s\n", late_ms[10],
           late_ms[19], ready_s);
    if (count == 1000) {
        char name[64];
        (void)snprintf(name, sizeof name, "%s_us", keys[way]);
        bench_cost(name, spent.core_s / ((double)count * messages) * 1e6);
        (void)snprintf(name, sizeof name, "%s_busiest_us", keys[way]);
        bench_cost(name, spent.busiest_s / ((double)count * messages) * 1e6);
        (void)snprintf(name, sizeof name, "%s_last_ms", keys[way]);
        bench_cost(name, late_ms[10]);
        (void)snprintf(name, sizeof name, "%s_a_second", keys[way]);
        bench_cost(name, (double)count * messages / spent.s);
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
                                        .sin_port = htons(bench_brokers()->ports[broker]),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int size = snprintf(
        lines, sizeof lines, "CONNECT {\"verbose\":false,\"headers\":true}\r\nSUB %s 1\r\nPING\r\n", subject);
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || connect(fd, (const struct sockaddr *)&address, sizeof address) != 0 ||
        send(fd, lines, (size_t)size, 0) != size) {
        bench_fail("a connection", NATS_IO_ERROR);
    }
    answer[0] = 0;
    while (!strstr(answer, "PONG") && used < sizeof answer - 1) {
        const ssize_t got = recv(fd, answer + used, sizeof answer - 1 - used, 0);
        if (got <= 0) {
            bench_fail("a connection", NATS_IO_ERROR);
        }
        used += (size_t)got;
        answer[used] = 0;
    }
    return fd;
}

static void measure_beats(kvStore *bucket, enum way way, int servers)
{
    static struct hearers hearers;
    char subject[64], heard[96];
    (void)snprintf(subject, sizeof subject, "$KV.%s.beat%d-%d", kvStore_Bucket(bucket), (int)way, servers);
    (void)snprintf(heard, sizeof heard, "%s%s.*", way == REPUBLISHED ? "again." : "", subject);
    hearers = (struct hearers){.poll = epoll_create1(0), .count = servers};
    for (int i = 0; i < servers; i++) {
        struct epoll_event event = {.events = EPOLLIN};
        event.data.fd = hearers.sockets[i] = hearer_connect(i % BROKERS_MAX, heard);
        (void)epoll_ctl(hearers.poll, EPOLL_CTL_ADD, event.data.fd, &event);
    }
    if (!base_thread_start(&hearers.thread, "hearers", hear_all, &hearers)) {
        bench_fail("a thread", NATS_NO_MEMORY);
    }
    (void)sleep(1); // what a subscription is goes from broker to broker
    const struct bench_span begin = bench_span_now();
    const int beats = servers * BEAT_SECONDS;
    for (int i = 0; i < beats; i++) {
        const uint64_t due_ns = begin.ns + UINT64_C(1000000000) * (uint64_t)i / (uint64_t)servers;
        while (base_now_ns() < due_ns) {
            (void)usleep(500);
        }
        char key[96];
        (void)snprintf(key, sizeof key, "%s.%d", subject, i % servers);
        bench_check(js_PublishAsync(bench_context(i), key, bench_payload(), BENCH_BEAT_BYTES, NULL),
                    "a beat");
    }
    const uint64_t all = (uint64_t)beats * (uint64_t)servers * BENCH_BEAT_BYTES, said_ns = base_now_ns();
    while (atomic_load(&hearers.heard) < all && base_now_ns() - said_ns < UINT64_C(10000000000)) {
        (void)usleep(500);
    }
    const struct bench_spent spent = bench_spent_since(&begin);
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
    bench_cost(name, spent.core_s / told * 1e6);
    (void)snprintf(name, sizeof name, "told_%s_%d_busiest_us", kind, servers);
    bench_cost(name, spent.busiest_s / told * 1e6);
    (void)snprintf(name, sizeof name, "told_%s_%d_a_second", kind, servers);
    bench_cost(name, told * (1 - missing) / spent.s);
    atomic_store(&hearers.over, true);
    base_thread_join(&hearers.thread);
    for (int i = 0; i < servers; i++) {
        (void)close(hearers.sockets[i]);
    }
    (void)close(hearers.poll);
    for (int i = 0; i < BENCH_CONNECTIONS; i++) {
        bench_check(js_PublishAsyncComplete(bench_context(i), NULL), "beats");
    }
}

void bench_cluster_told(kvStore *memory, kvStore *again)
{
    for (int count = 10; count <= 1000; count *= 10) {
        measure_fan_out(memory, CONSUMERS, count);
        measure_fan_out(memory, SUBSCRIPTIONS, count);
        measure_fan_out(again, REPUBLISHED, count);
    }
    static const int servers[] = {10, 100, 300, HEARERS_MAX};
    for (int i = 0; i < 4; i++) {
        measure_beats(memory, SUBSCRIPTIONS, servers[i]);
        measure_beats(again, REPUBLISHED, servers[i]);
    }
}
