// RFC 6455 on the wire, without sockets: the handshake's answer, headers of frames out, and frames in.
//
// libwslay takes frames apart and unmasks them. What a server has to refuse is decided here, as soon as a
// frame's header is complete, and comes out with the close code that says so.
#ifndef WEFT_NET_WS_WIRE_H
#define WEFT_NET_WS_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NET_WS_ACCEPT_SIZE = 28, // letters of Sec-WebSocket-Accept
    NET_WS_HEAD_MAX = 10,    // bytes of the header of a frame out: it is not masked
    NET_WS_CONTROL_MAX = 125,
    NET_WS_EMPTY_MAX = 1000, // fragments without a byte in one message; the others are bounded by its size
};

enum net_ws_opcode {
    NET_WS_CONTINUATION = 0x0,
    NET_WS_TEXT = 0x1,
    NET_WS_BINARY = 0x2,
    NET_WS_CLOSE = 0x8,
    NET_WS_PING = 0x9,
    NET_WS_PONG = 0xa,
};

// Is this what Sec-WebSocket-Key must be: 16 bytes in base 64?
bool net_ws_key_valid(const char *key, size_t size);
// base64(SHA-1(key + the constant of RFC 6455)), terminated.
void net_ws_accept(const char *key, size_t size, char out[NET_WS_ACCEPT_SIZE + 1]);

// Header of a whole, unmasked frame; returns its length.
size_t net_ws_head(uint8_t out[NET_WS_HEAD_MAX], enum net_ws_opcode opcode, uint64_t payload_size);
// A whole close frame with a code (0: without one) and as much of the reason as fits; returns its length.
size_t net_ws_close_frame(uint8_t out[2 + NET_WS_CONTROL_MAX], uint32_t code, const char *reason);

// ---------------------------------------------------------------------------------------------------------
// Frames in

enum net_ws_kind {
    NET_WS_GOT_NOTHING, // more bytes are needed
    NET_WS_GOT_DATA,    // bytes of a binary message, unmasked; `end` with its last ones, or alone
    NET_WS_GOT_PING,
    NET_WS_GOT_PONG,
    NET_WS_GOT_CLOSE, // code (0: none was given)
    NET_WS_GOT_BAD,   // code and reason to close with; nothing may be fed any more
};

struct net_ws_event {
    enum net_ws_kind kind;
    const uint8_t *data; // valid until the next feed
    size_t size;
    bool end;
    uint32_t code;
    const char *reason;
};

struct net_ws;
struct net_ws *net_ws_create(uint64_t message_bytes_max); // NULL without memory
void net_ws_destroy(struct net_ws *ws);                   // NULL is allowed

// Takes bytes until something has come or the input ends; *consumed says how many. No byte of the next frame
// is taken, so that a receiver may stop between any two events.
void net_ws_feed(struct net_ws *ws, const uint8_t *data, size_t size, size_t *consumed,
                 struct net_ws_event *event);

#endif
