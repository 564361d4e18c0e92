// Makes messages to be sent. They are packed with msgpack into growing memory, and sent as one
// reference-counted buffer.
#ifndef WEFT_HOST_OUTGOING_H
#define WEFT_HOST_OUTGOING_H

#include "protocol/bytes.h"

#include <msgpack.h>
#include <stdint.h>

struct base_buffer;
struct host_world;
struct protocol_error;
struct protocol_home;
struct world_asker;

struct host_outgoing {
    msgpack_packer packer;
    struct protocol_bytes bytes;
};

void host_outgoing_init(struct host_outgoing *outgoing);
// Returns what was packed, with one reference, and ends the outgoing. NULL: memory ran out.
struct base_buffer *host_outgoing_finish(struct host_outgoing *outgoing);

// Make whole messages. NULL if memory runs out.
struct base_buffer *host_outgoing_failure(const struct world_asker *asker, uint32_t msgid,
                                          const struct protocol_error *error);
struct base_buffer *host_outgoing_error(const struct world_asker *asker, const struct protocol_error *error,
                                        const char *method, uint32_t method_size);
// Makes stream.closed. home: the server to which its world has moved; NULL if it has not.
struct base_buffer *host_outgoing_stream_closed(uint32_t stream, const char *reason,
                                                const struct protocol_home *home);
// Makes world.changed for a world that another server runs from here on.
struct base_buffer *host_outgoing_moved(const struct host_world *world, const struct protocol_home *home);
struct base_buffer *host_outgoing_stream_rate(uint32_t stream, uint32_t every);
struct base_buffer *host_outgoing_stream_lagged(uint32_t stream, uint64_t dropped, const char *reason);

#endif
