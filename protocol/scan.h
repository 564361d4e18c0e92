// Finds where one MessagePack value ends in a stream of bytes, before anything is unpacked.
//
// The scanner can stop and go on at every byte, allocates nothing, and looks at each byte once. So input that comes in many
// small pieces costs linear time. A header that claims more elements or bytes than the limits allow is refused when it
// is read, before anybody allocates memory for them.
#ifndef WEFT_PROTOCOL_SCAN_H
#define WEFT_PROTOCOL_SCAN_H

#include <stddef.h>
#include <stdint.h>

enum { PROTOCOL_SCAN_DEPTH_MAX = 32 };

struct protocol_scan_limits {
    uint64_t bytes; // of one message
    uint32_t depth; // of containers, at most PROTOCOL_SCAN_DEPTH_MAX
    uint32_t nodes; // values of one message: scalars, containers, keys
};

enum protocol_scan_status {
    PROTOCOL_SCAN_MORE,      // the message is not complete
    PROTOCOL_SCAN_DONE,      // the message ends at the last byte consumed
    PROTOCOL_SCAN_BAD,       // not MessagePack: the byte 0xc1
    PROTOCOL_SCAN_TOO_LARGE, // the message has, or claims to have, more bytes than the limit
    PROTOCOL_SCAN_TOO_DEEP,
    PROTOCOL_SCAN_TOO_WIDE, // the message has, or claims to have, more nodes than the limit
};

struct protocol_scan {
    struct protocol_scan_limits limits;
    uint64_t used;          // bytes of the message so far
    uint64_t skip;          // payload bytes still to pass over
    uint64_t claimed_nodes; // values seen, and those that open containers still claim
    uint64_t awaited;       // values claimed whose first byte has not come; each takes at least a byte
    uint32_t depth;
    uint8_t header[5]; // first byte and length bytes of the value under way
    uint8_t header_used;
    uint8_t header_need;
    uint64_t pending[PROTOCOL_SCAN_DEPTH_MAX]; // values still to come in each open container
};

void protocol_scan_init(struct protocol_scan *scan, const struct protocol_scan_limits *limits);

// Takes bytes until the message or the input ends; *consumed is their number. After DONE, protocol_scan_init begins the next
// message. After an error nobody knows where the next message begins, so the connection must end.
enum protocol_scan_status protocol_scan_feed(struct protocol_scan *scan, const uint8_t *data, size_t size,
                                             size_t *consumed);

// The least size in bytes that this message can have, from the lengths that it has claimed so far.
uint64_t protocol_scan_expected(const struct protocol_scan *scan);

#endif
