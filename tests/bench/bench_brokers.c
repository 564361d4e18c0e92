// The cost of lists that brokers keep: entries of a hundred bytes until they are durable, one at a time and many at
// once, in a folder alone and with one broker or three on this machine.
//
//     WEFT_NATS_SERVER=$(scripts/nats-server.sh) bench_brokers
#include "helper_brokers.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ALONE = 300, AT_ONCE = 20000, SIZE = 100 };

static void durable(struct store *store, uint32_t list, uint64_t position)
{
    struct store_pending pending;
    do {
        (void)usleep(50);
        store_pending(store, list, &pending);
    } while (pending.durable < position);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool measure(const char *name, const struct store_options *options)
{
    char text[SIZE + 1];
    double ms[ALONE];
    struct store *store = brokers_open(options);
    const uint32_t list = store ? store_list_id(store) : 0;
    if (!store || !create(store, list, "measured")) {
        return false;
    }
    memset(text, 'x', SIZE);
    text[SIZE] = 0;
    uint64_t position = 1;
    bool good = append(store, list, 1, position, text);
    durable(store, list, position);
    for (int i = 0; i < ALONE && good; i++) {
        const uint64_t began_ns = base_now_ns();
        good = append(store, list, 1, ++position, text);
        durable(store, list, position);
        ms[i] = (double)(base_now_ns() - began_ns) * 1e-6;
    }
    qsort(ms, ALONE, sizeof *ms, by_size);
    const uint64_t began_ns = base_now_ns();
    for (int i = 0; i < AT_ONCE && good; i++) {
        good = append(store, list, 1, ++position, text);
    }
    durable(store, list, position);
    printf("%-24s one at a time: median %.2f ms, 99 %% %.2f ms; %d at once: %.0f a second\n", name,
           ms[ALONE / 2], ms[ALONE - ALONE / 100], AT_ONCE,
           AT_ONCE / ((double)(base_now_ns() - began_ns) * 1e-9));
    store_close(store);
    return good;
}

int main(void)
{
    static const char *const names[] = {"a folder alone", "one broker, both", "one broker, brokers",
                                        "three brokers, both", "three brokers, brokers"};
    struct brokers one, three;
    struct heard heard;
    bool good = brokers_there();
    if (!good) {
        fprintf(stderr, "bench_brokers: WEFT_NATS_SERVER names no nats-server\n");
        return EXIT_FAILURE;
    }
    heard_init(&heard);
    brokers_start(&one, 1, true);
    brokers_start(&three, BROKERS_MAX, true);
    for (int i = 0; i < 5 && good; i++) {
        struct place place;
        place_make(&place);
        struct store_options options = i == 0 ? heard_options(&heard, place.folder)
                                              : brokers_options(i < 3 ? &one : &three, &heard, place.folder);
        options.acks = i == 2 || i == 4 ? STORE_ACKS_BROKERS : STORE_ACKS_BOTH;
        good = measure(names[i], &options);
        place_remove(&place);
    }
    brokers_stop(&three);
    brokers_stop(&one);
    heard_deinit(&heard);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
