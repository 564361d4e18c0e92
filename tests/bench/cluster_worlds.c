// Worlds taken over by a server that has nothing of them.
#include "cluster.h"
#include "cluster_cases.h"

#include "base/clock.h"

#include <stdio.h>
#include <unistd.h>

enum { WORLDS = 12, WORLD_BYTES = 1 << 20 };

static bool worlds_make(struct heard *heard, const char *folder, uint32_t lists[WORLDS])
{
    const struct store_options options = brokers_options(bench_brokers(), heard, folder);
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

bool bench_cluster_worlds(void)
{
    struct heard heard;
    struct place first, second;
    uint32_t lists[WORLDS] = {0};
    double ms[WORLDS];
    heard_init(&heard);
    place_make(&first);
    place_make(&second);
    bool good = worlds_make(&heard, first.folder, lists);
    const struct store_options options = brokers_options(bench_brokers(), &heard, second.folder);
    struct store *store = good ? brokers_open(&options) : NULL;
    good = store != NULL;
    const struct bench_span begin = bench_span_now();
    for (int i = 0; i < WORLDS && good; i++) {
        struct store_error error = {0};
        const uint64_t began_ns = base_now_ns();
        good = store_take_over(store, lists[i], &error) > 0;
        ms[i] = (double)(base_now_ns() - began_ns) * 1e-6;
        if (!good) {
            (void)fprintf(stderr, "bench_cluster: a world is not taken over: %s\n", error.fault.text);
        }
    }
    if (good) {
        const struct bench_spent spent = bench_spent_since(&begin);
        bench_tell("worlds of 1 MiB taken over, all of it read", WORLDS, &spent);
        bench_tell_latency(ms, WORLDS);
        bench_cost("take_over_us", spent.core_s / WORLDS * 1e6);
        bench_cost("take_over_busiest_us", spent.busiest_s / WORLDS * 1e6);
        bench_cost("take_over_ms", ms[WORLDS / 2]);
    }
    store_close(store);
    place_remove(&second);
    place_remove(&first);
    heard_deinit(&heard);
    return good;
}
