// The last notices of a world, for sessions that come back after their connection was lost: what they missed since the
// last world.edited that they had, without a gap. Loop thread only.
//
//     [edited 7][changed][edited 8][said][edited 9]     who had 7 is told all that stands behind it: what tells of no edit
//                                                        may come twice, and says so by itself (it is a state, or counted)
//
// Bounded in number and in bytes; who had less than is kept has to join anew.
#ifndef WEFT_HOST_NOTICES_H
#define WEFT_HOST_NOTICES_H

#include "protocol/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct base_buffer;

struct host_notice {
    uint64_t revision;            // of the edit that it tells of; 0: of none
    uint64_t after;               // that of the last edit that was told before it
    struct base_buffer *bytes[3]; // by arrays mode, references; NULL where nobody used it
    size_t size;
};

struct host_notices {
    struct host_notice *items; // a ring
    uint32_t first, count, capacity;
    size_t bytes;
    size_t *total;   // bytes of all worlds; NULL until it has begun
    uint64_t latest; // revision of the last edit that was told
    uint64_t told;   // how many were kept ever
    uint64_t least;  // who had less than this revision misses something that is not kept
};

// The first that it keeps comes after this revision at most. `total` counts the bytes of all worlds.
void host_notices_begin(struct host_notices *notices, size_t *total, uint64_t revision);
bool host_notices_begun(const struct host_notices *notices);
// Keeps one that was told to all who joined. Lost: it could not be made, and nobody has it.
void host_notices_keep(struct host_notices *notices, uint64_t revision, struct base_buffer *const bytes[3],
                       bool lost);
// Hands over all that came after a revision, in order, but for what was told before somebody joined, when so many had been `told`.
// False: something of it is not kept, and none is handed over.
bool host_notices_since(const struct host_notices *notices, uint64_t revision, uint64_t told,
                        enum protocol_arrays_mode arrays,
                        void (*tell)(void *context, struct base_buffer *bytes), void *context);
void host_notices_deinit(struct host_notices *notices);

#endif
