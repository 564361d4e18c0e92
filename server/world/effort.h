// The work that frames take, and who pays for it.
//
// Work is counted in nominal nanoseconds of one thread: each vertex has a fixed price for each thing that is done with it. So it
// is the same on every machine, and a busy machine thins nobody's frames.
//
//     each tick, for each person:   left += a share of the tick's time      at most WORLD_EFFORT_BURST_NS
//     each frame:                   left -= its work / those who pay for it
//     left <= 0:                    this person pays for no frame; one that somebody else pays for it still gets
//
// Time for which lossless streams hold their world is counted for each person as well:
//
//     held += time that the world waits      held -= a tenth of the time that it does not, and 1 ms for each KiB that they take
//
// So whoever takes a MiB a second may hold the world for as long as that needs, and whoever takes nothing hardly ever.
//
// A person has at most a PERSON part of a tick's time. Where all persons of a world together want more than a WORLD part, those
// who want little get it all, and the others get equal shares of the rest.
#ifndef WEFT_WORLD_EFFORT_H
#define WEFT_WORLD_EFFORT_H

#include "world/history.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    WORLD_EFFORT_BURST_NS = 125 * 1000 * 1000,
    // By how much a stream that loses nothing may overdraw. Beyond it the stream ends, for its frames cannot be thinned.
    WORLD_EFFORT_DEBT_NS = 500 * 1000 * 1000,
};

// Prices, as measured on one thread of the machine of docs/measurements/compressed.md, rounded up.
enum {
    WORLD_PRICE_FRAME = 1500,
    WORLD_PRICE_CHUNK = 300,
    WORLD_PRICE_READ = 4,  // a vertex that is read from the sim, or looked for in a box
    WORLD_PRICE_WRITE = 5, // a vertex of an array that is written as it is
    WORLD_PRICE_NORMAL = 25,
    WORLD_PRICE_SKIN = 25,
    WORLD_PRICE_Q16 = 25,
    WORLD_PRICE_DELTA = 60,
    WORLD_PRICE_MEMORY = 5, // a byte of tiles, plans and encoders that are made
};

// One person with streams of a world, or one who had some and still owes.
struct world_payer {
    struct world_owner owner;
    uint32_t streams; // that refer to it
    int64_t left;     // work that may still be asked for; below 0: it is owed
    int64_t reserved; // of that, for frames of the moment under way
    uint64_t wanted;  // work of the frames that were wanted since the last refill
    uint64_t demand;  // the same, averaged over some refills
    uint64_t held_ns; // that lossless streams held the world, less what was made up for since
    bool holds;       // one of them does
};

struct world_effort {
    struct world_payer **payers; // owned
    uint32_t count, capacity;
    uint64_t refilled_ns; // when, by the clock of turns
    uint64_t added_ns;    // time that was paid out since the last tick began
    uint32_t first; // stream that is asked first in a moment; it moves on, so that all are thinned alike
};

// The person's, with one reference more. NULL without memory.
struct world_payer *world_effort_payer(struct world_effort *effort, const struct world_asker *asker);
void world_payer_put(struct world_payer *payer); // NULL is allowed
// Between ticks: pays out the time since the last refill. Nothing but the present is made of a world then.
void world_effort_rest(struct world_effort *effort, uint64_t now_ns);
// A tick begins, which has period_ns: pays out at least so much for each tick.
void world_effort_tick(struct world_effort *effort, uint64_t now_ns, uint64_t period_ns);
// A frame is wanted whose part of the work is `price`, as far as that is known. True: this person pays for it.
bool world_payer_takes(struct world_payer *payer, uint64_t price);
void world_payer_charge(struct world_payer *payer, uint64_t work); // what was reserved is let go with it
// So much time has passed: those who hold the world are charged, the others make up for a part of it.
void world_effort_hold(struct world_effort *effort, uint64_t ns);
void world_payer_took(struct world_payer *payer,
                      size_t bytes); // its streams were behind, and were sent so much
void world_effort_deinit(struct world_effort *effort);

#endif
