// One run of something simulated: all of it follows from the seed.
#ifndef WEFT_SIMULATOR_SCENARIO_H
#define WEFT_SIMULATOR_SCENARIO_H

#include <stdbool.h>
#include <stdint.h>

enum { SCENARIO_TEXT_SIZE = 2048 };

struct scenario {
    const char *name;
    // False: what must hold does not, and text says what. *inputs counts what it did: edits, events.
    bool (*run)(uint64_t seed, uint64_t *inputs, char text[SCENARIO_TEXT_SIZE]);
};

extern const struct scenario scenario_store, scenario_brokers, scenario_cluster, scenario_alone;

#endif
