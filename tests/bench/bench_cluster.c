// The cost to three brokers of a deployment with many servers: heartbeats and watches of them, keys that change by
// compare-and-set, appends to many streams, streams themselves, and worlds that are taken over. bench_cluster_model.py
// uses these figures.
//
//     WEFT_NATS_SERVER=$(scripts/nats-server.sh) bench_cluster [COSTS.json] [STREAMS]
//
// Brokers and clients share the machine. So besides the wall clock it reports the brokers' processor time for one of
// each, for all three and for the busiest; that does not depend on the clients.
#include "cluster.h"
#include "cluster_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { STREAMS_MAX = 4000 };

static void measure_buckets(void)
{
    kvStore *files = bench_bucket("files", false, false), *memory = bench_bucket("memory", true, false);
    kvStore *again = bench_bucket("again", true, true);
    bench_cluster_keys(files, memory);
    bench_cluster_told(memory, again);
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
    bench_start(argc > 1 ? argv[1] : NULL);
    measure_buckets();
    const bool good = bench_cluster_worlds();
    bench_cluster_streams(most);
    bench_stop();
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
