// Carries streams of records from a world of helper_world.h to twins, without sockets.
#ifndef WEFT_TESTS_HELPER_WIRE_H
#define WEFT_TESTS_HELPER_WIRE_H

#include "helper_world.h"

#include "twin/twin.h"

// A stream and the twin at its end.
struct wire {
    uint32_t stream;
    uint32_t seq;
    struct twin *twin;
    uint64_t messages, bytes;
};

void wire_begin(struct wire *wire, struct helper *helper, uint32_t session); // subscribes; no turn is run
void wire_end(struct wire *wire);
// Messages of the events that were taken and not forgotten, to their twin, which runs as far as it may. Whatever is
// refused fails the test.
void wire_take(struct wire *wire, const struct helper *helper);
// A message behind its head.
void wire_bytes(const struct base_frame *frame, uint32_t part, uint32_t stream, uint32_t seq,
                msgpack_sbuffer *out);

#endif
