// Messages as they are passed on: their envelope, and the ids in them that each server has of its own. They have passed the scanner of
// net, which says that each is one whole value; all the same nothing is read past its end.
#ifndef WEFT_RELAY_WIRE_H
#define WEFT_RELAY_WIRE_H

#include "protocol/message.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct base_budget;
struct base_buffer;

struct relay_envelope {
    struct protocol_message message; // kind, msgid, method
    size_t id;                       // where msgid stands
    size_t rest;                     // where what follows it begins
    bool failed;                     // response: with an error
};
// False: it is none.
bool relay_envelope_read(const uint8_t *bytes, size_t size, struct relay_envelope *envelope);

// Ids are told by the names of their fields. One session is exchanged for the other and the other for the one, so that no two
// become the same; where they are equal none is. So are the names of users who gave none. A stream becomes another, and
// the number of a frame that is acknowledged the one that it has there.
struct relay_ids {
    uint32_t sessions[2];
    uint32_t stream; // 0: none does
    uint32_t before; // frames of it that the other server knows nothing of: its numbers are so much less
};

// A copy, with another msgid (of a request or a response) and other ids. NULL without memory, or beyond the budget.
struct base_buffer *relay_rewrite(const uint8_t *bytes, size_t size, const struct relay_envelope *envelope,
                                  uint32_t msgid, const struct relay_ids *ids, struct base_budget *budget);

// The number of that name in the map of fields of a result, or in the params of a notification. 0: there is none.
uint64_t relay_number64(const uint8_t *bytes, size_t size, const struct relay_envelope *envelope,
                        const char *name);
uint32_t relay_number(const uint8_t *bytes, size_t size, const struct relay_envelope *envelope,
                      const char *name); // of an id; 0 as well where it is greater

// The place of the stream's id, four bytes, in the head of a message of stream.frame or stream.records. 0: it has no such head.
size_t relay_frame_stream(const uint8_t *bytes, size_t size);
// The same of its number.
size_t relay_frame_seq(size_t stream);
uint32_t relay_load32(const uint8_t *bytes);
void relay_store32(uint8_t *bytes, uint32_t value);

#endif
