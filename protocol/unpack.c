#include "protocol/unpack.h"

#include "protocol/generated/api.h"
#include "protocol/scan.h"

bool protocol_unpack(const void *bytes, size_t size, msgpack_zone *zone, msgpack_object *out)
{
    const struct protocol_scan_limits limits = {
        .bytes = UINT32_MAX, .depth = PROTOCOL_LIMIT_MESSAGE_DEPTH, .nodes = PROTOCOL_LIMIT_MESSAGE_NODES};
    struct protocol_scan scan;
    size_t consumed = 0, offset = 0;
    protocol_scan_init(&scan, &limits);
    return protocol_scan_feed(&scan, bytes, size, &consumed) == PROTOCOL_SCAN_DONE && consumed == size &&
           msgpack_unpack(bytes, size, &offset, zone, out) >= 0;
}
