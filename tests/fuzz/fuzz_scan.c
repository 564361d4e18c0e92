// The scanner against itself and against msgpack-c: cuts change nothing, and what it lets through is exactly
// one value. The first byte of the input chooses the size of the pieces, the rest is the stream.
#include "fuzz.h"

#include "protocol/scan.h"

#include <msgpack.h>
#include <string.h>

static const struct protocol_scan_limits limits = {.bytes = 4096, .depth = 16, .nodes = 1000};

static enum protocol_scan_status scan_pieces(const uint8_t *data, size_t size, size_t piece, size_t *end)
{
    struct protocol_scan scan;
    enum protocol_scan_status status = PROTOCOL_SCAN_MORE;
    protocol_scan_init(&scan, &limits);
    *end = 0;
    while (*end < size && status == PROTOCOL_SCAN_MORE) {
        size_t count = piece < size - *end ? piece : size - *end, consumed;
        status = protocol_scan_feed(&scan, data + *end, count, &consumed);
        FUZZ_ASSERT(consumed > 0 && consumed <= count);
        FUZZ_ASSERT(status != PROTOCOL_SCAN_MORE || consumed == count);
        *end += consumed;
        FUZZ_ASSERT(scan.used == *end && scan.depth <= limits.depth && scan.claimed_nodes <= limits.nodes);
        FUZZ_ASSERT(status != PROTOCOL_SCAN_MORE || protocol_scan_expected(&scan) <= limits.bytes);
        FUZZ_ASSERT(status != PROTOCOL_SCAN_MORE || protocol_scan_expected(&scan) > *end);
    }
    return status;
}

static void unpack_one(const uint8_t *data, size_t size)
{
    msgpack_zone zone;
    msgpack_object object;
    size_t end = 0;
    FUZZ_ASSERT(msgpack_zone_init(&zone, 8192));
    FUZZ_ASSERT(msgpack_unpack((const char *)data, size, &end, &zone, &object) == MSGPACK_UNPACK_SUCCESS);
    FUZZ_ASSERT(end == size || end == 0); // 0: success without anything behind it
    msgpack_zone_destroy(&zone);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) {
        return 0;
    }
    size_t whole_end, piece_end, drip_end;
    enum protocol_scan_status whole = scan_pieces(data + 1, size - 1, size, &whole_end);
    FUZZ_ASSERT(scan_pieces(data + 1, size - 1, 1u + data[0], &piece_end) == whole && piece_end == whole_end);
    FUZZ_ASSERT(scan_pieces(data + 1, size - 1, 1, &drip_end) == whole && drip_end == whole_end);
    if (whole == PROTOCOL_SCAN_DONE) {
        unpack_one(data + 1, whole_end);
    }
    return 0;
}
