// A world, run by who watches it: made of an image and the records after it, which stream.records brings
// (docs/concepts/twins.md), it stands at each tick where the server's world stood, bit for bit, and says so by the hashes that
// the server tells.
//
//     stream.records ──▶ twin_take ──▶ image · records · marks of time ──▶ twin_step ──▶ document: positions, measures, forces
//                                                                  never beyond the last mark
//
// No clock, socket, thread or file: messages and times are the caller's. A twin belongs to one thread. What comes from a
// server is hostile: it is refused with a text, and takes no more memory than its bounds.
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
    size_t waiting_bytes; // records and marks that are taken and not come to; 0: 64 MiB
};

struct twin *twin_create(const struct twin_bounds *bounds); // NULL: as they are. NULL without memory
void twin_destroy(struct twin *twin);                       // NULL is allowed

// The map of a stream.records; now_us: when it came, by a clock of the caller's that does not go back. False with *error:
// INVALID (not what it should be, or something is missing before it), LIMIT, MEMORY. Then the twin is lost, until an image
// comes.
bool twin_take(struct twin *twin, const msgpack_object *params, uint64_t now_us,
               struct protocol_error *error);

// Does what is to be done at the boundary where it stands, and one tick where it may be done and until is not reached. True
// if a tick was done. parallel and hooks may be NULL. The last substep of a tick is seen before what applies at its boundary.
bool twin_step(struct twin *twin, uint64_t until, struct base_parallel *parallel,
               const struct sim_hooks *hooks);

// Where it should stand now, so that what is shown goes on evenly: behind the server by as much as messages need to come.
// No later than told_tick.
uint64_t twin_wanted(const struct twin *twin, uint64_t now_us);

struct twin_state {
    bool begun; // there is a document
    // Nothing goes on until an image has come: text says why, and who drives it subscribes anew. Where it came to something
    // else than the server `differs` is set, which the server is told (stream.differs).
    bool lost, differs;
    uint64_t tick;      // where it stands
    uint64_t told_tick; // how far it may go
    bool playing;       // as told last
    bool failed;        // the world did, where the twin stands
    double rate;
    uint64_t sequence;    // of the last record taken
    uint64_t same_tick;   // the last whose hash was the same
    uint64_t hashes;      // compared
    uint64_t differences; // of these, and of results, that were not the same
    uint64_t losses;      // times that it was lost
    uint64_t images;      // that it began with
    uint64_t applied;     // records
    double delay_s;       // by which it follows
    const char *text;     // where it is lost, why; empty: it is not, or an image is coming in
};
struct twin_state twin_state(const struct twin *twin);

// Valid until the next image; NULL before the first.
const struct document *twin_document(const struct twin *twin);

// ---------------------------------------------------------------------------------------------------------
// Following a clock, by when messages come (clock.c)

struct twin_clock {
    bool begun;
    double offset_us; // the caller's clock over the server's, by the message that was least delayed
    double delay_us;
    double at_us, tick;  // of the last message
    double ticks_per_us; // 0: time stands
    double now_us;       // of the last message
};

void twin_clock_take(struct twin_clock *clock, uint64_t at_us, uint64_t tick, double ticks_per_us,
                     uint64_t now_us);
uint64_t twin_clock_tick(const struct twin_clock *clock, uint64_t now_us);

#endif
