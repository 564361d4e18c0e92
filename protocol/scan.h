// Finds where one MessagePack value ends in a stream of bytes, before anything is unpacked.
//
// Resumable at every byte, allocates nothing, and looks at each byte once, so input that drips in costs
// linear time. A header that claims more elements or bytes than the message could still hold is refused
// when it is read, not when memory for it is asked for.
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
    PROTOCOL_SCAN_MORE,      // the message goes on
    PROTOCOL_SCAN_DONE,      // it ends at the byte consumed last
    PROTOCOL_SCAN_BAD,       // 0xc1, which MessagePack never uses
    PROTOCOL_SCAN_TOO_LARGE, // a limit of bytes: reached, or claimed
    PROTOCOL_SCAN_TOO_DEEP,
    PROTOCOL_SCAN_TOO_WIDE, // a limit of nodes: reached, or claimed
};

struct protocol_scan {
    struct protocol_scan_limits limits;
    uint64_t used;          // bytes of the message so far
    uint64_t skip;          // payload bytes still to pass over
    uint64_t claimed_nodes; // values seen and announced
    uint64_t awaited;       // values announced whose first byte has not come; each takes a byte at least
    uint32_t depth;
    uint8_t header[5]; // first byte and length bytes of the value under way
    uint8_t header_used;
    uint8_t header_need;
    uint64_t pending[PROTOCOL_SCAN_DEPTH_MAX]; // values still to come in each open container
};

void protocol_scan_init(struct protocol_scan *scan, const struct protocol_scan_limits *limits);

// Takes bytes until a message ends or the input does. *consumed says how many. After anything but MORE
// call protocol_scan_init before going on; after an error the stream cannot be resumed.
enum protocol_scan_status protocol_scan_feed(struct protocol_scan *scan, const uint8_t *data, size_t size,
                                             size_t *consumed);

// Least size that the message under way will have, from the lengths announced so far.
uint64_t protocol_scan_expected(const struct protocol_scan *scan);

#endif
