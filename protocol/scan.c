// Finds the end of one MessagePack value without unpacking it.
//
// A value is a header (a first byte, and up to four bytes of length behind it) and what follows: nothing, a
// payload that is skipped, or the values of a container.
//
//     first byte ─▶ length bytes ─▶ limits ─▶ payload bytes ─▶ container full? close it, and its parent …
//         ▲                                                          │
//         └──────────────────────── next value ◀────────────────────┘
//
// Invariants between bytes:
//   - pending[0 … depth-1] are the values that open containers still lack, the innermost last; all > 0.
//   - awaited is the sum of pending, or 1 before the first byte.
//   - used + skip + rest of the header + awaited is what the message takes at least; it never passes
//     limits.bytes, and claimed_nodes never passes limits.nodes, because both are checked where a header
//     ends, before anything that it announces is waited for.
#include "protocol/scan.h"

#include "protocol/assert.h"

#include <stdbool.h>
#include <string.h>

// The forms of values that a first byte can announce.
enum form {
    FORM_FIXED,   // payload of `size` bytes, no length
    FORM_PAYLOAD, // length of `size` bytes, then so many bytes
    FORM_EXT,     // the same, and one byte more: the type
    FORM_ARRAY,   // length of `size` bytes, then so many values; size 0: the length is in the first byte
    FORM_MAP,     // the same with pairs
    FORM_BAD,
};

struct first {
    enum form form;
    uint8_t size;
};

static struct first classify(uint8_t byte)
{
    static const struct first table[32] = {
        // c0 nil, c1 never used, c2 false, c3 true
        {FORM_FIXED, 0},
        {FORM_BAD, 0},
        {FORM_FIXED, 0},
        {FORM_FIXED, 0},
        // c4-c6 bin, c7-c9 ext
        {FORM_PAYLOAD, 1},
        {FORM_PAYLOAD, 2},
        {FORM_PAYLOAD, 4},
        {FORM_EXT, 1},
        {FORM_EXT, 2},
        {FORM_EXT, 4},
        // ca-cb float, cc-cf uint, d0-d3 int
        {FORM_FIXED, 4},
        {FORM_FIXED, 8},
        {FORM_FIXED, 1},
        {FORM_FIXED, 2},
        {FORM_FIXED, 4},
        {FORM_FIXED, 8},
        {FORM_FIXED, 1},
        {FORM_FIXED, 2},
        {FORM_FIXED, 4},
        {FORM_FIXED, 8},
        // d4-d8 fixext: type and 1, 2, 4, 8, 16 bytes
        {FORM_FIXED, 2},
        {FORM_FIXED, 3},
        {FORM_FIXED, 5},
        {FORM_FIXED, 9},
        {FORM_FIXED, 17},
        // d9-db str, dc-dd array, de-df map
        {FORM_PAYLOAD, 1},
        {FORM_PAYLOAD, 2},
        {FORM_PAYLOAD, 4},
        {FORM_ARRAY, 2},
        {FORM_ARRAY, 4},
        {FORM_MAP, 2},
        {FORM_MAP, 4},
    };
    if (byte < 0x80 || byte >= 0xE0) {
        return (struct first){FORM_FIXED, 0};
    }
    if (byte < 0x90) {
        return (struct first){FORM_MAP, 0};
    }
    if (byte < 0xA0) {
        return (struct first){FORM_ARRAY, 0};
    }
    if (byte < 0xC0) {
        return (struct first){FORM_FIXED, byte & 0x1F};
    }
    return table[byte - 0xC0];
}

void protocol_scan_init(struct protocol_scan *scan, const struct protocol_scan_limits *limits)
{
    PROTOCOL_ASSERT(limits->depth <= PROTOCOL_SCAN_DEPTH_MAX);
    memset(scan, 0, sizeof *scan);
    scan->limits = *limits;
    scan->claimed_nodes = 1;
    scan->awaited = 1;
}

uint64_t protocol_scan_expected(const struct protocol_scan *scan)
{
    return scan->used + scan->skip + (uint64_t)(scan->header_need - scan->header_used) + scan->awaited;
}

static enum protocol_scan_status open_container(struct protocol_scan *scan, uint64_t values)
{
    if (scan->depth >= scan->limits.depth) {
        return PROTOCOL_SCAN_TOO_DEEP;
    }
    if (values > scan->limits.nodes || scan->claimed_nodes + values > scan->limits.nodes) {
        return PROTOCOL_SCAN_TOO_WIDE;
    }
    scan->claimed_nodes += values;
    scan->awaited += values;
    scan->pending[scan->depth++] = values;
    return PROTOCOL_SCAN_MORE;
}

// The header is whole: say what it announces.
static enum protocol_scan_status announce(struct protocol_scan *scan, struct first first)
{
    uint64_t length = 0;
    for (uint8_t i = 1; i < scan->header_need; i++) {
        length = length << 8 | scan->header[i];
    }
    switch (first.form) {
    case FORM_FIXED:
        scan->skip = first.size;
        return PROTOCOL_SCAN_MORE;
    case FORM_PAYLOAD:
        scan->skip = length;
        return PROTOCOL_SCAN_MORE;
    case FORM_EXT:
        scan->skip = length + 1;
        return PROTOCOL_SCAN_MORE;
    case FORM_ARRAY:
        return open_container(scan, first.size == 0 ? scan->header[0] & 0x0F : length);
    case FORM_MAP:
        return open_container(scan, 2 * (first.size == 0 ? scan->header[0] & 0x0F : length));
    case FORM_BAD:
        break;
    }
    return PROTOCOL_SCAN_BAD;
}

// A value has ended: so have the containers that it filled. True if the message has.
static bool close_filled(struct protocol_scan *scan)
{
    while (scan->depth > 0 && scan->pending[scan->depth - 1] == 0) {
        scan->depth--;
    }
    return scan->depth == 0;
}

static enum protocol_scan_status take_header_byte(struct protocol_scan *scan, uint8_t byte)
{
    struct first first = classify(scan->header_used == 0 ? byte : scan->header[0]);
    if (scan->header_used == 0) {
        bool has_length = first.form != FORM_FIXED && first.form != FORM_BAD;
        scan->header_need = (uint8_t)(1 + (has_length ? first.size : 0));
        scan->awaited--;
        if (scan->depth > 0) {
            scan->pending[scan->depth - 1]--;
        }
    }
    scan->header[scan->header_used++] = byte;
    scan->used++;
    if (scan->header_used == scan->header_need) {
        enum protocol_scan_status status = announce(scan, first);
        if (status != PROTOCOL_SCAN_MORE) {
            return status;
        }
        scan->header_used = scan->header_need = 0;
    }
    return protocol_scan_expected(scan) > scan->limits.bytes ? PROTOCOL_SCAN_TOO_LARGE : PROTOCOL_SCAN_MORE;
}

enum protocol_scan_status protocol_scan_feed(struct protocol_scan *scan, const uint8_t *data, size_t size,
                                             size_t *consumed)
{
    size_t at = 0;
    enum protocol_scan_status status = PROTOCOL_SCAN_MORE;
    while (at < size && status == PROTOCOL_SCAN_MORE) {
        if (scan->skip > 0) {
            size_t step = scan->skip < size - at ? (size_t)scan->skip : size - at;
            scan->skip -= step;
            scan->used += step;
            at += step;
        } else {
            status = take_header_byte(scan, data[at++]);
        }
        if (status == PROTOCOL_SCAN_MORE && scan->skip == 0 && scan->header_used == 0 && close_filled(scan)) {
            status = PROTOCOL_SCAN_DONE;
        }
    }
    *consumed = at;
    return status;
}
