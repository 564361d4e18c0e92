// A connection that has become a WebSocket (RFC 6455): each MessagePack message is one binary message.
//
//     in     frames -> payload, as it comes -> scan -> kept, until the WebSocket's message ends -> handed up
//     out    greeting, once | pong and ping, when due || header, message || header, message ... || close
//
// A message's end is said twice here, by the frames and by MessagePack, and both must say the same. Pings are
// answered by one pong at a time, the last one asked for, so that they cannot pile up.
//
// Closing: who gets a close frame answers with one and has said all. The server's own goes out behind what
// else it has to send; then it shuts its side down, and what still comes in is thrown away (conn.c).
#include "net/net_internal.h"

#include "net/ws_wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WEBSOCKET_GREETING_MAX = 200 };

_Static_assert((int)NET_WS_HEAD_MAX <= (int)NET_FRAMING_HEAD_MAX, "a header fits");
_Static_assert((int)WEBSOCKET_GREETING_MAX + 2 * (2 + (int)NET_WS_CONTROL_MAX) + 2 <= (int)NET_ASIDE_MAX,
               "a greeting, a pong, a ping and a close frame fit one write");

struct net_websocket {
    struct net_ws *wire;
    bool whole; // a MessagePack message has ended, the WebSocket's has not
    bool pong_due, ping_due;
    bool peer_closed;  // it said so: the close frame only answers
    bool no_code;      // and gave none
    uint64_t asked_ms; // loop time of the last ping
    uint8_t pong_size;
    uint8_t pong[NET_WS_CONTROL_MAX];
    uint8_t greeting_size; // until it is sent
    char greeting[WEBSOCKET_GREETING_MAX];
};

// ---------------------------------------------------------------------------------------------------------
// In

static void take_payload(struct net_conn *conn, const struct net_ws_event *event)
{
    struct net_websocket *websocket = conn->websocket;
    if (event->size > 0) {
        size_t consumed = 0;
        enum protocol_scan_status status = PROTOCOL_SCAN_DONE;
        if (!websocket->whole) {
            status = net_message_scan(conn, event->data, event->size, &consumed);
        }
        if (status != PROTOCOL_SCAN_MORE && (status != PROTOCOL_SCAN_DONE || consumed < event->size)) {
            net_conn_bad(conn, status);
            return;
        }
        websocket->whole = status == PROTOCOL_SCAN_DONE;
        if (websocket->whole && event->end) {
            websocket->whole = false;
            net_message_hand_up(conn, event->data, event->size);
            return;
        }
        if (websocket->whole) {
            net_message_keep(conn, event->data, event->size);
        }
    }
    if (!event->end || conn->state != NET_CONN_OPEN) {
        return;
    }
    if (!websocket->whole) {
        net_conn_bad(conn, PROTOCOL_SCAN_MORE);
        return;
    }
    websocket->whole = false;
    net_message_hand_up(conn, NULL, 0);
}

static void take_close(struct net_conn *conn, uint32_t code)
{
    struct net_websocket *websocket = conn->websocket;
    websocket->peer_closed = true;
    websocket->no_code = code == 0;
    websocket->pong_due = websocket->ping_due = false;
    // It reads no more: what waits for it is not sent.
    net_outbox_drop_control(&conn->outbox);
    net_near_finish(conn, code == 0 ? NET_END_NORMAL : (enum net_end)code, "the peer closed the WebSocket");
}

static size_t websocket_take(struct net_conn *conn, const uint8_t *data, size_t size)
{
    struct net_websocket *websocket = conn->websocket;
    size_t consumed = 0;
    struct net_ws_event event;
    net_ws_feed(websocket->wire, data, size, &consumed, &event);
    switch (event.kind) {
    case NET_WS_GOT_NOTHING:
    case NET_WS_GOT_PONG: // bytes came in, and that is all that was asked
        break;
    case NET_WS_GOT_DATA:
        take_payload(conn, &event);
        break;
    case NET_WS_GOT_PING:
        memcpy(websocket->pong, event.data, event.size);
        websocket->pong_size = (uint8_t)event.size;
        websocket->pong_due = true;
        break;
    case NET_WS_GOT_CLOSE:
        take_close(conn, event.code);
        break;
    case NET_WS_GOT_BAD:
        if (event.code == NET_END_TOO_LARGE) {
            net_conn_bad(conn, PROTOCOL_SCAN_TOO_LARGE);
        }
        if (conn->ignored) {
            break; // it is told before it finishes
        }
        net_near_finish(conn, (enum net_end)event.code, event.reason);
        break;
    }
    return consumed;
}

// ---------------------------------------------------------------------------------------------------------
// Out

static size_t websocket_head(uint8_t out[NET_FRAMING_HEAD_MAX], size_t size)
{
    return net_ws_head(out, NET_WS_BINARY, size);
}

static size_t websocket_aside(struct net_conn *conn, uint8_t out[NET_ASIDE_MAX])
{
    struct net_websocket *websocket = conn->websocket;
    size_t size = websocket->greeting_size;
    memcpy(out, websocket->greeting, size);
    websocket->greeting_size = 0;
    if (websocket->pong_due) {
        size += net_ws_head(out + size, NET_WS_PONG, websocket->pong_size);
        memcpy(out + size, websocket->pong, websocket->pong_size);
        size += websocket->pong_size;
    }
    if (websocket->ping_due) {
        size += net_ws_head(out + size, NET_WS_PING, 0);
    }
    websocket->pong_due = websocket->ping_due = false;
    return size;
}

static size_t websocket_farewell(struct net_conn *conn, uint8_t *out)
{
    const struct net_websocket *websocket = conn->websocket;
    if (websocket->greeting_size > 0) {
        return 0; // nothing was agreed to yet
    }
    return net_ws_close_frame(out, websocket->no_code ? 0 : (uint32_t)conn->end,
                              websocket->peer_closed ? NULL : conn->reason);
}

static const struct net_framing websocket_framing = {
    .take = websocket_take,
    .head = websocket_head,
    .aside = websocket_aside,
    .farewell = websocket_farewell,
};

// ---------------------------------------------------------------------------------------------------------
// Life

bool net_websocket_begin(struct net_conn *conn, const char *key, size_t key_size)
{
    struct net_websocket *websocket = calloc(1, sizeof *websocket);
    if (!websocket || !net_outbox_heads(&conn->outbox)) {
        free(websocket);
        return false;
    }
    websocket->wire = net_ws_create(conn->listener->limits.message.bytes);
    if (!websocket->wire) {
        free(websocket);
        return false;
    }
    char accept[NET_WS_ACCEPT_SIZE + 1];
    net_ws_accept(key, key_size, accept);
    int size = snprintf(websocket->greeting, sizeof websocket->greeting,
                        "HTTP/1.1 101 Switching Protocols\r\n"
                        "Upgrade: websocket\r\n"
                        "Connection: Upgrade\r\n"
                        "Sec-WebSocket-Accept: %s\r\n\r\n",
                        accept);
    websocket->greeting_size = (uint8_t)size;
    conn->websocket = websocket;
    conn->framing = &websocket_framing;
    return true;
}

void net_websocket_end(struct net_conn *conn)
{
    if (conn->websocket) {
        net_ws_destroy(conn->websocket->wire);
        free(conn->websocket);
    }
}

void net_websocket_ask(struct net_conn *conn, uint64_t now_ms, uint64_t period_ms)
{
    struct net_websocket *websocket = conn->websocket;
    if (websocket->asked_ms > conn->alive_ms && now_ms - websocket->asked_ms < period_ms) {
        return;
    }
    websocket->asked_ms = now_ms;
    websocket->ping_due = true;
    net_outbox_kick(conn);
}
