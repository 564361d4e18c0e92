#include "page/page.h"

#include "base/clock.h"
#include "protocol/generated/api.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PAST_BYTES = 64 * 1024 * 1024,     // memory of a module never shrinks
    RECEIVE_BYTES = 128 * 1024 * 1024, // of messages that are not looked at yet
    BIN_SECONDS = 24 * 60 * 60,
    SECOND_MS = 1000,
};

static struct local_server *server;
static struct local_peer *peer; // NULL: no page

bool page_start(void)
{
    char text[LOCAL_TEXT_SIZE];
    server = local_server_create(
        &(struct local_options){
            .limits = {.sessions = 1, .sessions_per_address = 1, .worlds = PROTOCOL_LIMIT_WORLDS},
            .receive_bytes = RECEIVE_BYTES,
            .keep_seconds = UINT64_MAX,
            .keep_bytes = PAST_BYTES,
            .bin_seconds = BIN_SECONDS,
        },
        text);
    if (!server) {
        fprintf(stderr, "%s\n", text);
    }
    return server != NULL;
}

static void on_sent(void *context, const struct local_part *parts, uint32_t count)
{
    (void)context;
    page_send(parts, count);
}

static void on_closed(void *context, uint32_t end, const char *reason)
{
    (void)context;
    page_closed(end, reason, strlen(reason));
}

bool page_connect(void)
{
    page_disconnect();
    peer = local_peer_connect(server, &(struct local_peer_options){
                                          .address = "page",
                                          .loopback = true,
                                          .sent = on_sent,
                                          .closed = on_closed,
                                      });
    return peer != NULL;
}

void page_disconnect(void)
{
    local_peer_disconnect(peer);
    peer = NULL;
}

void *page_alloc(size_t size)
{
    return malloc(size > 0 ? size : 1);
}

void page_receive(uint8_t *bytes, size_t size)
{
    if (peer) {
        local_peer_receive(peer, bytes, size);
    } else {
        free(bytes);
    }
}

void page_taken(uint32_t count)
{
    if (peer) {
        local_peer_taken(peer, count);
    }
}

double page_turn(void)
{
    const uint64_t next_ns = local_server_turn(server), now_ns = base_now_ns();
    if (next_ns <= now_ns) {
        return 0;
    }
    return next_ns == UINT64_MAX ? SECOND_MS : (double)(next_ns - now_ns) / 1e6;
}
