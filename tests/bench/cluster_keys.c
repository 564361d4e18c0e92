// Keys of servers: put, changed by compare-and-set and read, one after another and many at once, and raced for.
#include "cluster.h"
#include "cluster_cases.h"

#include "base/clock.h"
#include "base/thread.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { CLIENTS_MAX = 128, RACERS = 16, RACES = 100 };

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
        return kvStore_Put(NULL, putter->bucket, putter->key, bench_payload(), BENCH_BEAT_BYTES);
    }
    natsStatus status = NATS_ERR;
    for (int i = 0; i < 1000; i++) {
        uint64_t next = 0; // which is so when it is refused, too
        status =
            kvStore_Update(&next, putter->bucket, putter->key, bench_payload(), BENCH_BEAT_BYTES, *revision);
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
    putter->status = kvStore_Put(&revision, putter->bucket, putter->key, bench_payload(), BENCH_BEAT_BYTES);
    while (putter->status == NATS_OK && base_now_ns() < putter->until_ns && putter->count < putter->room) {
        const uint64_t began_ns = base_now_ns();
        putter->status = put_once(putter, &revision);
        putter->ms[putter->count++] = (double)(base_now_ns() - began_ns) * 1e-6;
    }
    const char *text = putter->status == NATS_OK ? NULL : nats_GetLastError(NULL);
    (void)snprintf(putter->text, sizeof putter->text, "a put: %s", text ? text : "?");
}

static void measure_puts(kvStore *bucket, enum what kind, int clients)
{
    static const char *const names[] = {"puts", "compare-and-set", "reads of who leads"};
    const bool memory = strcmp(kvStore_Bucket(bucket), "memory") == 0;
    static struct putter putters[CLIENTS_MAX];
    static double ms[BENCH_SAMPLES_MAX];
    kvStore *buckets[BENCH_CONNECTIONS];
    for (int i = 0; i < BENCH_CONNECTIONS; i++) {
        bench_check(js_KeyValue(&buckets[i], bench_context(i), kvStore_Bucket(bucket)), "a bucket");
    }
    const size_t room = BENCH_SAMPLES_MAX / (size_t)clients;
    const struct bench_span begin = bench_span_now();
    for (int i = 0; i < clients; i++) {
        putters[i] = (struct putter){.bucket = buckets[i % BENCH_CONNECTIONS],
                                     .what = kind,
                                     .context = bench_context(i),
                                     .until_ns = begin.ns + UINT64_C(3000000000),
                                     .ms = ms + (size_t)i * room,
                                     .room = room};
        (void)snprintf(putters[i].key, sizeof putters[i].key, "k%d", i);
        if (!base_thread_start(&putters[i].thread, "putter", put_often, &putters[i])) {
            bench_fail("a thread", NATS_NO_MEMORY);
        }
    }
    size_t count = 0, refused = 0;
    for (int i = 0; i < clients; i++) {
        base_thread_join(&putters[i].thread);
        refused += putters[i].refused;
        bench_check(putters[i].status, putters[i].text);
        memmove(ms + count, putters[i].ms, putters[i].count * sizeof *ms);
        count += putters[i].count;
    }
    const struct bench_spent spent = bench_spent_since(&begin);
    char what[64];
    (void)snprintf(what, sizeof what, "%s, %s, %d at a time", names[kind], memory ? "memory" : "files",
                   clients);
    bench_tell(what, (double)count, &spent);
    if (kind == COMPARE_AND_SET) {
        printf("; %zu of %zu refused at first", refused, count);
        bench_cost(clients == 1             ? "cas_refused_1"
                   : clients == CLIENTS_MAX ? "cas_refused_128"
                                            : "cas_refused_16",
                   (double)refused / (double)count);
    }
    bench_tell_latency(ms, count);
    const char *key = kind == COMPARE_AND_SET ? "cas"
                      : kind == READ          ? "read"
                      : memory                ? "put_memory"
                                              : "put_file";
    char name[64];
    if (clients == CLIENTS_MAX) {
        (void)snprintf(name, sizeof name, "%s_us", key);
        bench_cost(name, spent.core_s / (double)count * 1e6);
        (void)snprintf(name, sizeof name, "%s_busiest_us", key);
        bench_cost(name, spent.busiest_s / (double)count * 1e6);
        (void)snprintf(name, sizeof name, "%s_a_second", key);
        bench_cost(name, (double)count / spent.s);
    } else if (clients == 1) {
        (void)snprintf(name, sizeof name, "%s_ms", key);
        bench_cost(name, ms[count / 2]);
        (void)snprintf(name, sizeof name, "%s_99_ms", key);
        bench_cost(name, ms[count - 1 - count / 100]);
    }
    for (int i = 0; i < BENCH_CONNECTIONS; i++) {
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
        if (kvStore_Update(&revision, race->bucket, "race", bench_payload(), BENCH_BEAT_BYTES, last) ==
            NATS_OK) {
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
    bench_check(kvStore_Put(&revision, bucket, "race", bench_payload(), BENCH_BEAT_BYTES), "a put");
    race.bucket = bucket;
    atomic_store(&race.revision, revision);
    (void)pthread_barrier_init(&race.barrier, NULL, RACERS);
    const struct bench_span begin = bench_span_now();
    for (int i = 0; i < RACERS; i++) {
        if (!base_thread_start(&threads[i], "racer", race_often, &race)) {
            bench_fail("a thread", NATS_NO_MEMORY);
        }
    }
    for (int i = 0; i < RACERS; i++) {
        base_thread_join(&threads[i]);
    }
    const struct bench_spent spent = bench_spent_since(&begin);
    (void)pthread_barrier_destroy(&race.barrier);
    bench_tell("races of 16 for a key, each of them", RACES, &spent);
    printf("; of %d %d were won by none, %d by more than one\n", RACES, race.none, race.twice);
    if (race.twice > 0) {
        bench_fail("two have won", NATS_ERR);
    }
}

void bench_cluster_keys(kvStore *files, kvStore *memory)
{
    static const int clients[] = {1, 16, CLIENTS_MAX};
    for (int i = 0; i < 3; i++) {
        measure_puts(files, PUT, clients[i]);
    }
    for (int i = 0; i < 3; i++) {
        measure_puts(memory, PUT, clients[i]);
    }
    for (int i = 0; i < 3; i++) {
        measure_puts(files, COMPARE_AND_SET, clients[i]);
    }
    for (int i = 0; i < 3; i++) {
        measure_puts(files, READ, clients[i]);
    }
    measure_race(files);
}
