// The end of a loop: what would keep it running is closed.
#include "net/net_internal.h"

#include "base/assert.h"

#include <stdlib.h>
#include <unistd.h>

void net_loop_stop(struct net_loop *loop)
{
    if (loop->stopping) {
        return;
    }
    loop->stopping = true;
    if (loop->crew) {
        loop->crew_ways->stop(loop);
    }
    uv_close((uv_handle_t *)&loop->keep, NULL);
    net_turns_close(&loop->turns);
    if (loop->signals_open) {
        uv_close((uv_handle_t *)&loop->signals[0], NULL);
        uv_close((uv_handle_t *)&loop->signals[1], NULL);
        uv_close((uv_handle_t *)&loop->signals[2], NULL);
    }
    for (struct net_conn *conn = loop->conns; conn; conn = conn->next) {
        net_conn_close(conn, "the server stops");
    }
    for (struct net_owned *owned = loop->owned; owned; owned = owned->next) {
        net_owned_shut(owned);
    }
}

void net_loop_destroy(struct net_loop *loop)
{
    if (!loop) {
        return;
    }
    net_loop_stop(loop);
    uv_run(&loop->uv, UV_RUN_DEFAULT);
    if (loop->crew) {
        loop->crew_ways->destroy(loop);
    }
    BASE_ASSERT(!loop->conns);
    for (struct net_owned *owned = loop->owned, *next; owned; owned = next) {
        next = owned->next;
        net_owned_release(owned);
    }
    BASE_ASSERT(!loop->owned);
    int status = uv_loop_close(&loop->uv);
    BASE_ASSERT(status == 0);
    if (loop->spare_fd >= 0) {
        close(loop->spare_fd);
    }
    free(loop->iov);
    free(loop->plain);
    free(loop->gathered);
    free(loop);
}
