// Frames of a WebSocket: cuts change nothing, and what comes out is what a second, simpler reader of RFC 6455
// finds in the same bytes. The first byte of the input chooses the size of the pieces, the rest is what a
// peer sends.
#include "fuzz.h"

#include "net/ws_wire.h"

#include <stdbool.h>
#include <string.h>

enum { MESSAGE_MAX = 3000, LOG_MAX = 1 << 17 };

// The output, in order: data as it is, other things as a mark that data cannot be taken for (a fuzzer
// would find data that is: then both logs are equal all the same, and nothing is lost).
struct log {
    uint8_t bytes[LOG_MAX];
    size_t size;
};

static void log_add(struct log *log, const void *data, size_t size)
{
    FUZZ_ASSERT(size <= LOG_MAX - log->size);
    if (size > 0) {
        memcpy(log->bytes + log->size, data, size);
    }
    log->size += size;
}

static void log_mark(struct log *log, char kind, uint32_t value)
{
    uint8_t mark[6] = {
        '\n',          (uint8_t)kind, (uint8_t)(value >> 24), (uint8_t)(value >> 16), (uint8_t)(value >> 8),
        (uint8_t)value};
    log_add(log, mark, sizeof mark);
}

static void feed_pieces(const uint8_t *data, size_t size, size_t piece, struct log *log)
{
    struct net_ws *ws = net_ws_create(MESSAGE_MAX);
    FUZZ_ASSERT(ws != NULL);
    log->size = 0;
    size_t message = 0;
    for (size_t at = 0; at < size;) {
        size_t count = piece < size - at ? piece : size - at, consumed = 0;
        struct net_ws_event event;
        net_ws_feed(ws, data + at, count, &consumed, &event);
        FUZZ_ASSERT(consumed > 0 && consumed <= count);
        at += consumed;
        FUZZ_ASSERT(event.kind == NET_WS_GOT_DATA || event.size <= NET_WS_CONTROL_MAX);
        if (event.kind == NET_WS_GOT_NOTHING) {
            FUZZ_ASSERT(consumed == count);
        } else if (event.kind == NET_WS_GOT_DATA) {
            log_add(log, event.data, event.size);
            message = event.end ? 0 : message + event.size;
            FUZZ_ASSERT(message <= MESSAGE_MAX);
            if (event.end) {
                log_mark(log, 'm', 0);
            }
        } else if (event.kind == NET_WS_GOT_PING || event.kind == NET_WS_GOT_PONG) {
            log_mark(log, event.kind == NET_WS_GOT_PING ? 'i' : 'o', (uint32_t)event.size);
            log_add(log, event.data, event.size);
        } else {
            log_mark(log, event.kind == NET_WS_GOT_CLOSE ? 'c' : 'b', event.code);
            break;
        }
    }
    net_ws_destroy(ws);
}

// ---------------------------------------------------------------------------------------------------------
// The second reader: all the bytes at hand, one frame after the other, without a thought for anything but
// being right. It stops at what it does not judge (the rules of close frames), and says so.

static bool read_frame(const uint8_t *data, size_t size, size_t *at, struct log *log, size_t *message,
                       bool *in_message)
{
    const uint8_t *head = data + *at;
    size_t left = size - *at;
    if (left < 2) {
        return false;
    }
    size_t wide = (head[1] & 0x7f) == 126 ? 2 : (head[1] & 0x7f) == 127 ? 8 : 0;
    unsigned opcode = head[0] & 0x0f;
    if (!(head[1] & 0x80) || (head[0] & 0x70) || opcode == 1 || (opcode > 2 && opcode < 9) || opcode > 10 ||
        (opcode > 8 && (wide > 0 || !(head[0] & 0x80))) || left < 6 + wide) {
        return false;
    }
    uint64_t length = wide > 0 ? 0 : head[1] & 0x7f;
    for (size_t i = 0; i < wide; i++) {
        length = length << 8 | head[2 + i];
    }
    bool short_enough = wide == 0 || (wide == 2 ? length > 125 : length > UINT16_MAX);
    bool data_frame = opcode < 8;
    if (!short_enough || (data_frame && ((opcode == 0) != *in_message || length > MESSAGE_MAX - *message ||
                                         length == 0))) { // those without a byte are counted
        return false;
    }
    const uint8_t *mask = head + 2 + wide;
    size_t there = left - 6 - wide < length ? left - 6 - wide : (size_t)length;
    if (!data_frame && there < length) {
        return false;
    }
    if (!data_frame) {
        log_mark(log, opcode == 9 ? 'i' : 'o', (uint32_t)length);
    }
    for (size_t i = 0; i < there; i++) {
        uint8_t byte = mask[4 + i] ^ mask[i % 4];
        log_add(log, &byte, 1);
    }
    *at += 6 + wide + there;
    if (data_frame && there == length) {
        *in_message = !(head[0] & 0x80);
        *message = *in_message ? *message + (size_t)length : 0;
        if (!*in_message) {
            log_mark(log, 'm', 0);
        }
    }
    return there == length;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2 || size > LOG_MAX / 8) {
        return 0;
    }
    static struct log whole, pieces, second;
    feed_pieces(data + 1, size - 1, size, &whole);
    feed_pieces(data + 1, size - 1, 1u + data[0], &pieces);
    FUZZ_ASSERT(whole.size == pieces.size && memcmp(whole.bytes, pieces.bytes, whole.size) == 0);
    feed_pieces(data + 1, size - 1, 1, &pieces);
    FUZZ_ASSERT(whole.size == pieces.size && memcmp(whole.bytes, pieces.bytes, whole.size) == 0);
    size_t at = 0, message = 0;
    bool in_message = false;
    second.size = 0;
    while (read_frame(data + 1, size - 1, &at, &second, &message, &in_message)) {
    }
    FUZZ_ASSERT(second.size <= whole.size && memcmp(whole.bytes, second.bytes, second.size) == 0);
    return 0;
}
