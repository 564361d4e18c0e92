// A twin computes a server's world on its own, from an image and the records after it, which stream.records brings
// (docs/concepts/twins.md). At each tick its state equals the server's, bit for bit; the server's hashes confirm that.
//
//     stream.records ──▶ twin_take ──▶ image · records · marks of time ──▶ twin_step ──▶ document: positions, measures, forces
//                                                                 never beyond the last mark
//
// It uses no clock, socket, thread or file: the caller passes messages and times. A twin belongs to one thread. The
// server is not trusted: bad messages are refused with a text, and memory stays within the bounds.
#ifndef WEFT_TWIN_TWIN_H
#define WEFT_TWIN_TWIN_H

#include "protocol/error.h"

#include <msgpack.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct base_parallel;
struct document;
struct sim_hooks;
struct twin;

struct twin_bounds {
    size_t image_bytes;   // 0: 1 GiB
    size_t waiting_bytes; // records and marks that wait to be applied; 0: 64 MiB
};

struct twin *
twin_create(const struct twin_bounds *bounds); // bounds NULL: the defaults. NULL if memory runs out
void twin_destroy(struct twin *twin);          // NULL is allowed

// Takes the map of a stream.records. now_us is the time at which it came, by a monotonic clock of the caller. False with *error:
// INVALID (malformed, or an earlier message is missing), LIMIT, MEMORY. The twin is lost then, until an image comes.
bool twin_take(struct twin *twin, const msgpack_object *params, uint64_t now_us,
               struct protocol_error *error);

// Applies the records at the present tick, and then runs one tick if tick < told_tick and tick < until. True if it ran a tick.
// parallel and hooks may be NULL. Hooks see the last substep of a tick before the records at its end are applied.
bool twin_step(struct twin *twin, uint64_t until, struct base_parallel *parallel,
               const struct sim_hooks *hooks);

// The tick to show at now_us so that the motion is even. It lags behind the server by as long as messages take, and is never
// above told_tick.
uint64_t twin_wanted(const struct twin *twin, uint64_t now_us);

struct twin_state {
    bool begun; // there is a document
    // lost: nothing runs until an image comes; text says why, and the caller subscribes again. differs: the reason is that its
    // state was not the server's; the caller reports that (stream.differs).
    bool lost, differs;
    uint64_t tick;        // present tick of the twin
    uint64_t told_tick;   // tick of the server by the last message; the twin never passes it
    bool playing;         // the world plays, by the last message
    bool failed;          // the world failed at the present tick
    double rate;          // speed at which the world plays: 1 is real time
    uint64_t sequence;    // sequence number of the last record taken
    uint64_t same_tick;   // the last tick at which the twin's hash equalled the server's
    uint64_t hashes;      // hashes compared
    uint64_t differences; // hashes and results of records that were not equal
    uint64_t losses;      // times that it was lost
    uint64_t images;      // images that it started from
    uint64_t applied;     // records applied
    double delay_s;       // delay of the tick to show behind the server, s
    const char *text;     // the reason if it is lost; empty: it is not, or an image is arriving
};
struct twin_state twin_state(const struct twin *twin);

// Valid until the next image; NULL before the first.
const struct document *twin_document(const struct twin *twin);

// ---------------------------------------------------------------------------------------------------------
// Estimates the server's clock from the arrival times of messages. clock.c has the equations. Times are in µs.

struct twin_clock {
    bool begun;       // a message has come
    double offset_us; // the caller's clock minus the server's, by the message with the least delay
    double delay_us;
    double at_us, tick;  // the server's time and tick in the last message
    double ticks_per_us; // 0: the world is paused
    double now_us;       // arrival time of the last message, by the caller's clock
};

// A message came at now_us: at at_us of its own clock the server had reached `tick`.
void twin_clock_take(struct twin_clock *clock, uint64_t at_us, uint64_t tick, double ticks_per_us,
                     uint64_t now_us);
uint64_t twin_clock_tick(const struct twin_clock *clock, uint64_t now_us); // twin_wanted

#endif
