// One run of something simulated: all of it follows from the seed.
#ifndef WEFT_SIMULATOR_SCENARIO_H
#define WEFT_SIMULATOR_SCENARIO_H

#include "chance.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { SCENARIO_TEXT_SIZE = 2048 };

struct scenario {
    const char *name;
    // False: what must hold does not, and text says what. *inputs counts what it did: edits, events.
    bool (*run)(uint64_t seed, uint64_t *inputs, char text[SCENARIO_TEXT_SIZE]);
};

// The first thing that was wrong in a run.
struct scenario_verdict {
    bool wrong;
    char text[SCENARIO_TEXT_SIZE];
};

__attribute__((format(printf, 2, 3))) static inline void scenario_fail(struct scenario_verdict *verdict,
                                                                       const char *format, ...)
{
    if (!verdict->wrong) {
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(verdict->text, sizeof verdict->text, format, arguments);
        va_end(arguments);
        verdict->wrong = true;
    }
}

static inline uint64_t scenario_draw(uint64_t *state, uint64_t below)
{
    struct chance chance = {*state};
    const uint64_t drawn = chance_next(&chance) % below;
    *state = chance.state;
    return drawn;
}

extern const struct scenario scenario_store, scenario_brokers, scenario_cluster, scenario_alone,
    scenario_move, scenario_relay;

#endif
