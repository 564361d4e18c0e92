// Frames in:
//
//     header, a byte at a time -> complete: is it allowed? -> payload, as much as there is of this frame
//
// wslay is given exactly that much at a time, so its buffer never holds bytes of a frame that has not begun.
// It tells of a header together with the first byte of payload only; a frame that is refused for its header
// must be refused before, so the header's bytes are looked at here as well.
#include "net/ws_wire.h"

#include "base/assert.h"
#include "protocol/utf8/utf8.h"

#include <sha1.h>
#include <stdlib.h>
#include <string.h>
#include <wslay/wslay.h>

enum { WS_HEADER_MAX = 14, WS_REASON_MAX = 256 };

struct net_ws {
    wslay_frame_context_ptr wslay;
    uint64_t message_bytes_max;
    const uint8_t *input; // what wslay may have now
    size_t input_size;

    uint8_t header[WS_HEADER_MAX];
    size_t header_size;
    bool in_payload;
    bool fin;
    uint8_t opcode;
    uint64_t left; // of the payload

    bool in_message; // a binary message has begun and not ended
    uint64_t message_bytes;
    uint32_t empty_fragments;
    uint8_t control[NET_WS_CONTROL_MAX];
    size_t control_size;
};

// ---------------------------------------------------------------------------------------------------------
// Handshake

static int base64_value(char letter)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = letter ? strchr(letters, letter) : NULL;
    return found ? (int)(found - letters) : -1;
}

bool net_ws_key_valid(const char *key, size_t size)
{
    // 16 bytes: 22 letters, of which the last has four bits that must be 0, and two signs to fill up.
    if (size != 24 || key[22] != '=' || key[23] != '=' || base64_value(key[21]) % 16 != 0) {
        return false;
    }
    for (size_t i = 0; i < 22; i++) {
        if (base64_value(key[i]) < 0) {
            return false;
        }
    }
    return true;
}

static void base64_encode(const uint8_t *data, size_t size, char *out)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        uint32_t bits = (uint32_t)data[i] << 16;
        bits |= i + 1 < size ? (uint32_t)data[i + 1] << 8 : 0;
        bits |= i + 2 < size ? data[i + 2] : 0;
        *out++ = letters[bits >> 18];
        *out++ = letters[bits >> 12 & 63];
        *out++ = i + 1 < size ? letters[bits >> 6 & 63] : '=';
        *out++ = i + 2 < size ? letters[bits & 63] : '=';
    }
    *out = 0;
}

void net_ws_accept(const char *key, size_t size, char out[NET_WS_ACCEPT_SIZE + 1])
{
    static const char constant[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    uint8_t digest[SHA1_DIGEST_LENGTH];
    SHA1_CTX sha1;
    SHA1Init(&sha1);
    SHA1Update(&sha1, (const uint8_t *)key, size);
    SHA1Update(&sha1, (const uint8_t *)constant, sizeof constant - 1);
    SHA1Final(digest, &sha1);
    base64_encode(digest, sizeof digest, out);
}

// ---------------------------------------------------------------------------------------------------------
// Frames out

size_t net_ws_head(uint8_t out[NET_WS_HEAD_MAX], enum net_ws_opcode opcode, uint64_t payload_size)
{
    out[0] = (uint8_t)(0x80u | (unsigned)opcode);
    uint32_t bytes = payload_size <= 125 ? 0 : payload_size <= UINT16_MAX ? 2 : 8;
    out[1] = bytes == 0 ? (uint8_t)payload_size : bytes == 2 ? 126 : 127;
    for (uint32_t i = 0; i < bytes; i++) {
        out[2 + i] = (uint8_t)(payload_size >> (8 * (bytes - 1 - i)));
    }
    return 2 + bytes;
}

size_t net_ws_close_frame(uint8_t out[2 + NET_WS_CONTROL_MAX], uint32_t code, const char *reason)
{
    size_t size = 0;
    if (code != 0) {
        size_t room = NET_WS_CONTROL_MAX - 2;
        size_t length = reason ? strnlen(reason, WS_REASON_MAX) : 0;
        length = protocol_utf8_valid(reason, length) ? protocol_utf8_cut(reason, length, room) : 0;
        out[2] = (uint8_t)(code >> 8);
        out[3] = (uint8_t)code;
        if (length > 0) {
            memcpy(out + 4, reason, length);
        }
        size = 2 + length;
    }
    net_ws_head(out, NET_WS_CLOSE, size);
    return 2 + size;
}

// ---------------------------------------------------------------------------------------------------------
// Frames in

static ssize_t on_wslay_wants(uint8_t *out, size_t size, int flags, void *context)
{
    (void)flags;
    struct net_ws *ws = context;
    size_t given = size < ws->input_size ? size : ws->input_size;
    if (given == 0) {
        return -1;
    }
    memcpy(out, ws->input, given);
    ws->input += given;
    ws->input_size -= given;
    return (ssize_t)given;
}

struct net_ws *net_ws_create(uint64_t message_bytes_max)
{
    struct net_ws *ws = calloc(1, sizeof *ws);
    if (!ws) {
        return NULL;
    }
    const struct wslay_frame_callbacks callbacks = {.recv_callback = on_wslay_wants};
    if (wslay_frame_context_init(&ws->wslay, &callbacks, ws)) {
        free(ws);
        return NULL;
    }
    ws->message_bytes_max = message_bytes_max;
    return ws;
}

void net_ws_destroy(struct net_ws *ws)
{
    if (ws) {
        wslay_frame_context_free(ws->wslay);
        free(ws);
    }
}

static void bad(struct net_ws_event *event, uint32_t code, const char *reason)
{
    event->kind = NET_WS_GOT_BAD;
    event->code = code;
    event->reason = reason;
}

static bool is_control(uint8_t opcode)
{
    return opcode >= NET_WS_CLOSE;
}

// Length of the header, as far as the bytes that are there tell; 2 at least.
static size_t header_needs(const struct net_ws *ws)
{
    if (ws->header_size < 2) {
        return 2;
    }
    uint8_t length = ws->header[1] & 0x7f;
    return 2u + (length == 126 ? 2u : length == 127 ? 8u : 0u) + (ws->header[1] & 0x80 ? 4u : 0u);
}

static uint64_t header_length(const struct net_ws *ws)
{
    uint64_t length = ws->header[1] & 0x7f;
    size_t bytes = length == 126 ? 2 : length == 127 ? 8 : 0;
    for (size_t i = 0; i < bytes; i++) {
        length = i == 0 ? ws->header[2] : length << 8 | ws->header[2 + i];
    }
    return length;
}

// False: *event says why this frame is refused.
static bool header_allowed(struct net_ws *ws, struct net_ws_event *event)
{
    if (!(ws->header[1] & 0x80)) {
        bad(event, 1002, "a client must mask its frames");
    } else if (ws->header[0] & 0x70) {
        bad(event, 1002, "reserved bits are set, but no extension was agreed on");
    } else if ((ws->opcode > NET_WS_BINARY && ws->opcode < NET_WS_CLOSE) || ws->opcode > NET_WS_PONG) {
        bad(event, 1002, "there is no such opcode");
    } else if (ws->opcode == NET_WS_CONTINUATION && !ws->in_message) {
        bad(event, 1002, "a continuation of nothing");
    } else if (ws->in_message && (ws->opcode == NET_WS_TEXT || ws->opcode == NET_WS_BINARY)) {
        bad(event, 1002, "a message began before the last one had ended");
    } else if (ws->opcode == NET_WS_TEXT) {
        bad(event, 1003, "messages are binary frames of MessagePack, not text");
    } else if (!is_control(ws->opcode) && ws->left > ws->message_bytes_max - ws->message_bytes) {
        bad(event, 1009, "a message is larger than this server takes");
    } else if (!is_control(ws->opcode) && ws->left == 0 && !ws->fin &&
               ++ws->empty_fragments > NET_WS_EMPTY_MAX) {
        bad(event, 1008, "too many empty fragments");
    }
    return event->kind == NET_WS_GOT_NOTHING;
}

// Codes that a peer may send (RFC 6455, 7.4; the registry has assigned 1012 to 1014 since).
static bool close_code_valid(uint32_t code)
{
    return (code >= 1000 && code <= 1014 && code != 1004 && code != 1005 && code != 1006) ||
           (code >= 3000 && code <= 4999);
}

static void take_close(const struct net_ws *ws, struct net_ws_event *event)
{
    event->kind = NET_WS_GOT_CLOSE;
    if (ws->control_size == 0) {
        return;
    }
    uint32_t code = ws->control_size == 1 ? 0 : (uint32_t)ws->control[0] << 8 | ws->control[1];
    if (!close_code_valid(code)) {
        bad(event, 1002, "there is no such close code");
    } else if (!protocol_utf8_valid((const char *)ws->control + 2, ws->control_size - 2)) {
        bad(event, 1007, "the reason for closing is not UTF-8");
    } else {
        event->code = code;
    }
}

static void frame_ends(struct net_ws *ws, struct net_ws_event *event)
{
    ws->in_payload = false;
    ws->header_size = 0;
    if (!is_control(ws->opcode)) {
        ws->in_message = !ws->fin;
        if (ws->fin) {
            event->kind = NET_WS_GOT_DATA;
            event->end = true;
            ws->message_bytes = 0;
            ws->empty_fragments = 0;
        }
        return;
    }
    event->data = ws->control;
    event->size = ws->control_size;
    if (ws->opcode == NET_WS_CLOSE) {
        take_close(ws, event);
    } else {
        event->kind = ws->opcode == NET_WS_PING ? NET_WS_GOT_PING : NET_WS_GOT_PONG;
    }
}

static void take_payload(struct net_ws *ws, const uint8_t *data, size_t size, struct net_ws_event *event)
{
    ws->left -= size;
    if (is_control(ws->opcode)) {
        BASE_ASSERT(size <= sizeof ws->control - ws->control_size); // wslay refuses longer ones
        memcpy(ws->control + ws->control_size, data, size);
        ws->control_size += size;
    } else {
        ws->message_bytes += size;
        event->kind = NET_WS_GOT_DATA;
        event->data = data;
        event->size = size;
    }
    if (ws->left == 0) {
        frame_ends(ws, event);
    }
}

// One byte of a header has gone to wslay, which found nothing wrong with it.
static void take_header_byte(struct net_ws *ws, uint8_t byte, struct net_ws_event *event)
{
    ws->header[ws->header_size++] = byte;
    if (ws->header_size < 2 || ws->header_size < header_needs(ws)) {
        return;
    }
    ws->fin = (ws->header[0] & 0x80) != 0;
    ws->opcode = ws->header[0] & 0x0f;
    ws->left = header_length(ws);
    ws->control_size = 0;
    if (!header_allowed(ws, event)) {
        return;
    }
    ws->in_payload = true;
    if (!is_control(ws->opcode)) {
        ws->in_message = true;
    }
    if (ws->left == 0) {
        frame_ends(ws, event);
    }
}

void net_ws_feed(struct net_ws *ws, const uint8_t *data, size_t size, size_t *consumed,
                 struct net_ws_event *event)
{
    *event = (struct net_ws_event){.kind = NET_WS_GOT_NOTHING};
    size_t at = 0;
    while (at < size && event->kind == NET_WS_GOT_NOTHING) {
        bool in_payload = ws->in_payload;
        size_t most = size - at;
        most = !in_payload ? 1 : ws->left < most ? (size_t)ws->left : most;
        ws->input = data + at;
        ws->input_size = most;
        struct wslay_frame_iocb frame;
        ssize_t got = wslay_frame_recv(ws->wslay, &frame);
        size_t taken = most - ws->input_size;
        BASE_ASSERT(taken > 0);
        at += taken;
        if (got < 0 && got != WSLAY_ERR_WANT_READ) {
            bad(event, 1002, "a frame's length is not as it must be");
        } else if (in_payload) {
            BASE_ASSERT(got == (ssize_t)taken);
            take_payload(ws, frame.data, taken, event);
        } else {
            take_header_byte(ws, data[at - 1], event);
        }
    }
    *consumed = at;
}
