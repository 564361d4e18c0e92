// MessagePack messages out of bytes: on TCP one right after the other; a WebSocket's payload comes through
// here as well.
//
//     bytes -> scan -+-> a message ends: with what was kept of it, copied out and handed up
//                    +-> it goes on: kept in `partial`
//
// Nothing is unpacked before the scanner has seen the whole of it, and found it within its bounds.
#include "net/net_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    MESSAGE_PARTIAL_MIN = 4096,
    MESSAGE_SLACK_MAX = 4096, // unused bytes that a message may keep
};

// Nothing of the next message has been looked at.
void net_near_trust(struct net_conn *conn)
{
    conn->trusted = true;
    conn->scan.limits.bytes = conn->listener->limits.message.bytes;
}

static const char no_memory[] = "the server has run out of memory";

static bool append(struct net_conn *conn, const uint8_t *data, size_t size)
{
    size_t needed = conn->partial_size + size;
    if (needed > conn->partial_capacity) {
        // Memory that is not used is held and charged as well, so this asks for little more than is needed.
        size_t capacity = conn->partial_size + conn->partial_size / 4;
        size_t most = conn->listener->limits.message.bytes; // more would be for nothing
        capacity = capacity > most ? most : capacity;
        capacity = capacity < needed ? needed : capacity;
        capacity = capacity < MESSAGE_PARTIAL_MIN ? MESSAGE_PARTIAL_MIN : capacity;
        uint8_t *bytes = realloc(conn->partial, capacity);
        if (!bytes) {
            return false;
        }
        conn->partial = bytes;
        conn->partial_capacity = capacity;
    }
    if (size > 0) {
        memcpy(conn->partial + conn->partial_size, data, size);
    }
    conn->partial_size = needed;
    return true;
}

// The message that ends with these bytes, as one allocation of its own. NULL without memory.
static uint8_t *take_whole(struct net_conn *conn, const uint8_t *data, size_t size, size_t *total)
{
    uint8_t *bytes;
    if (conn->partial_size == 0) {
        bytes = malloc(size);
        if (bytes) {
            memcpy(bytes, data, size);
        }
        *total = size;
        return bytes;
    }
    if (!append(conn, data, size)) {
        return NULL;
    }
    bytes = conn->partial;
    *total = conn->partial_size;
    if (conn->partial_capacity - conn->partial_size > MESSAGE_SLACK_MAX) {
        uint8_t *shrunk = realloc(bytes, conn->partial_size);
        bytes = shrunk ? shrunk : bytes;
    }
    conn->partial = NULL;
    conn->partial_size = conn->partial_capacity = 0;
    return bytes;
}

bool net_message_keep(struct net_conn *conn, const uint8_t *data, size_t size)
{
    if (append(conn, data, size)) {
        return true;
    }
    net_conn_close(conn, no_memory);
    return false;
}

enum protocol_scan_status net_message_scan(struct net_conn *conn, const uint8_t *data, size_t size,
                                           size_t *consumed)
{
    enum protocol_scan_status status = protocol_scan_feed(&conn->scan, data, size, consumed);
    if (status == PROTOCOL_SCAN_MORE) {
        net_message_keep(conn, data, *consumed);
    }
    return status;
}

void net_message_hand_up(struct net_conn *conn, const uint8_t *data, size_t size)
{
    size_t total;
    uint8_t *bytes = take_whole(conn, data, size, &total);
    if (!bytes) {
        net_conn_close(conn, no_memory);
        return;
    }
    net_message_begin(conn);
    conn->due_ms = 0; // the next one has a time of its own
    conn->handler->on_message(conn->context, conn, bytes, total);
}

static size_t messages_take(struct net_conn *conn, const uint8_t *data, size_t size)
{
    size_t consumed = 0;
    enum protocol_scan_status status = net_message_scan(conn, data, size, &consumed);
    if (status == PROTOCOL_SCAN_DONE) {
        net_message_hand_up(conn, data, consumed);
    } else if (status != PROTOCOL_SCAN_MORE) {
        net_conn_bad(conn, status);
    }
    return consumed;
}

const struct net_framing net_framing_messages = {.take = messages_take};
