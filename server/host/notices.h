// Keeps the last notices of a world for sessions that come back after their connection was lost. They get
// what they missed since the last world.edited that they had, without a gap. Loop thread only.
//
//     [edited 7][changed][edited 8][said][edited 9]     a session that had 7 is told all that follows it. A notice that tells
//                                                       of no edit may come twice; it shows that itself (a state, or a number)
//
// Number and bytes are bounded. A session that had less than is kept must join again.
#ifndef WEFT_HOST_NOTICES_H
#define WEFT_HOST_NOTICES_H

#include "protocol/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct base_buffer;

struct host_notice {
    uint64_t revision;            // revision of the edit that it tells of; 0: none
    uint64_t after;               // revision of the last edit that was told before it
    struct base_buffer *bytes[3]; // By arrays mode. References; NULL if no session used the mode.
    size_t size;
};

struct host_notices {
    struct host_notice *items; // a ring
    uint32_t first, count, capacity;
    size_t bytes;
    size_t *total;   // bytes of all worlds; NULL before the first notice is kept
    uint64_t latest; // revision of the last edit that was told
    uint64_t told;   // number of notices that were ever kept
    uint64_t least;  // a session that had less than this revision misses something that is not kept
};

// Begins to keep notices. The first comes after this revision at most. `total` counts the bytes of all
// worlds.
void host_notices_begin(struct host_notices *notices, size_t *total, uint64_t revision);
bool host_notices_begun(const struct host_notices *notices);
// Keeps a notice that was told to all members. lost: it could not be made, and nobody has it.
void host_notices_keep(struct host_notices *notices, uint64_t revision, struct base_buffer *const bytes[3],
                       bool lost);
// Passes all notices after a revision to `tell`, in order. Those before a session joined are left out: `told`
// notices had been kept then. False: some of them are not kept, and none is passed.
bool host_notices_since(const struct host_notices *notices, uint64_t revision, uint64_t told,
                        enum protocol_arrays_mode arrays,
                        void (*tell)(void *context, struct base_buffer *bytes), void *context);
void host_notices_deinit(struct host_notices *notices);

#endif
