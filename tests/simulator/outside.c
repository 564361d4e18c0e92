// Runs what stands around simulated servers: their disks, their brokers.
//
//     weft-outside SCENARIO [SEED [COUNT]]
//
// One line for each seed that fails, and the number of inputs at the end. Each seed is run with the same outcome each time;
// WEFT_TWICE=1 runs it twice and compares.
#include "scenario.h"

#include "fibers.h"

#include "base/log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct scenario *const all[] = {&scenario_store, &scenario_brokers, &scenario_cluster,
                                             &scenario_alone, &scenario_move,    &scenario_relay};

static bool run_seed(const struct scenario *scenario, uint64_t seed, uint64_t *inputs)
{
    char text[SCENARIO_TEXT_SIZE] = "";
    bool well = scenario->run(seed, inputs, text);
    if (well && getenv("WEFT_TWICE")) {
        const uint64_t trace = fibers_trace();
        uint64_t again = 0;
        well = scenario->run(seed, &again, text) && trace == fibers_trace();
        (void)snprintf(text, sizeof text, "two runs are not the same");
    }
    if (!well) {
        fprintf(stderr, "%s, seed %" PRIu64 ": %s\n", scenario->name, seed, text);
    }
    return well;
}

int main(int argc, char **argv)
{
    const struct scenario *scenario = NULL;
    for (size_t i = 0; i < sizeof all / sizeof *all && argc > 1; i++) {
        scenario = strcmp(argv[1], all[i]->name) == 0 ? all[i] : scenario;
    }
    if (!scenario) {
        fprintf(stderr, "usage: %s SCENARIO [SEED [COUNT]]\n", argv[0]);
        return 2;
    }
    const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    const uint64_t count = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    uint64_t inputs = 0, failed = 0;
    base_log_set(getenv("WEFT_LOG") ? BASE_LOG_DEBUG : BASE_LOG_ERROR, false);
    for (uint64_t seed = first; seed < first + count; seed++) {
        failed += !run_seed(scenario, seed, &inputs);
    }
    printf("%s: %" PRIu64 " seeds, %" PRIu64 " inputs, %" PRIu64 " failed\n", scenario->name, count, inputs,
           failed);
    return failed > 0;
}
