// Measures the work that frames take, and charges it to the people who want them. Simulation thread.
//
// Work is counted in nominal nanoseconds of one thread: each operation on a vertex has a fixed price. So the
// count is the same on every machine, and nobody gets fewer frames because a machine is busy.
//
//     each tick, for each person:   left += a share of the tick's time      at most WORLD_EFFORT_BURST_NS
//     each frame:                   left -= its work / number of its payers
//     left <= 0:                    this person pays for no frame, but still gets frames that others pay for
//
// Time for which lossless streams hold their world is counted for each person as well:
//
//     held += time that the world waits
//     held -= a tenth of the time that it does not wait, and 1 ms for each KiB that the streams take
//
// So a person whose streams take a MiB a second may hold the world for as long as that needs. A person whose
// streams take nothing can hold it for hardly any time.
//
// A person has at most PROTOCOL_LIMIT_STREAM_WORK_PERSON percent of a tick's time, and all persons of a world
// have at most PROTOCOL_LIMIT_STREAM_WORK_WORLD percent. If they want more than that together, those who want
// little get all of it, and the others get equal shares of the rest.
#ifndef WEFT_WORLD_EFFORT_H
#define WEFT_WORLD_EFFORT_H

#include "world/people/owner.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    WORLD_EFFORT_BURST_NS = 125 * 1000 * 1000,
    // Work by which a lossless stream may overdraw. Beyond it the stream ends, because its frames cannot be
    // thinned out.
    WORLD_EFFORT_DEBT_NS = 500 * 1000 * 1000,
};

// Prices in ns, measured on one thread of the machine of docs/measurements/compressed.md and rounded up.
enum {
    WORLD_PRICE_FRAME = 1500,
    WORLD_PRICE_CHUNK = 300,
    WORLD_PRICE_READ = 4,  // a vertex that is read from the sim or tested against a box
    WORLD_PRICE_WRITE = 5, // a vertex of an array that is written as it is
    WORLD_PRICE_NORMAL = 25,
    WORLD_PRICE_SKIN = 25,
    WORLD_PRICE_Q16 = 25,
    WORLD_PRICE_DELTA = 60,
    WORLD_PRICE_MEMORY = 5, // a byte of tiles, plans and encoders that are made
};

// A person with streams of this world, or one who had some and still owes work.
struct world_payer {
    struct world_owner owner;
    uint32_t streams; // number of streams that refer to it
    int64_t left;     // work that may still be asked for; below 0 it is owed
    int64_t reserved; // part of `left` that frames of the present moment will take
    uint64_t wanted;  // work of the frames that were wanted since the last refill
    uint64_t demand;  // average of `wanted` over some refills
    // Time that this person's lossless streams held the world, less what was made up for since.
    uint64_t held_ns;
    bool holds; // one of their streams holds it now
};

struct world_effort {
    struct world_payer **payers; // owned
    uint32_t count, capacity;
    uint64_t refilled_ns; // when it was refilled last, by the clock of turns
    uint64_t added_ns;    // time that was paid out since the last tick began
    // Index of the stream that is asked first in a moment. It moves on, so that all are thinned out alike.
    uint32_t first;
};

// Finds or makes the payer of a person and takes a reference. NULL if memory runs out.
struct world_payer *world_effort_payer(struct world_effort *effort, const struct world_asker *asker);
void world_payer_put(struct world_payer *payer); // Gives a reference back. NULL is allowed.
// Pays out the time since the last refill, between ticks. A world makes only present frames then.
void world_effort_rest(struct world_effort *effort, uint64_t now_ns);
// Pays out the time when a tick of period_ns begins: at least period_ns for each tick.
void world_effort_tick(struct world_effort *effort, uint64_t now_ns, uint64_t period_ns);
// Asks for a frame, and reserves `price`, the expected part of its work. True: this person pays for it.
bool world_payer_takes(struct world_payer *payer, uint64_t price);
// Charges the work of a moment and ends its reservation.
void world_payer_charge(struct world_payer *payer, uint64_t work);
// Charges `ns` to each person who holds the world, and lets the others make up for a part of it.
void world_effort_hold(struct world_effort *effort, uint64_t ns);
// Notes that streams which were behind have been sent `bytes`.
void world_payer_took(struct world_payer *payer, size_t bytes);
void world_effort_deinit(struct world_effort *effort);

#endif
