// libuv keeps a table of watched files by their number, lets it grow when a file is watched, and ends the process
// where there is no memory for that. So one file with a high number is watched for a moment at the start.
#include "net/net_internal.h"

#include "base/log.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

struct watch {
    uv_poll_t poll;
    int file;
};

static void on_ready(uv_poll_t *poll, int status, int events)
{
    (void)poll;
    (void)status;
    (void)events;
}

static void on_closed(uv_handle_t *handle)
{
    struct watch *watch = handle->data;
    close(watch->file);
    free(watch);
}

void net_loop_reserve(struct net_loop *loop, uint32_t files)
{
    int ends[2] = {-1, -1};
    struct watch *watch = malloc(sizeof *watch);
    if (!watch || pipe(ends)) {
        goto cleanup;
    }
    watch->file = fcntl(ends[0], F_DUPFD_CLOEXEC, (int)files);
    if (watch->file < 0) {
        goto cleanup;
    }
    if (uv_poll_init(&loop->uv, &watch->poll, watch->file)) {
        close(watch->file);
        goto cleanup;
    }
    watch->poll.data = watch;
    uv_poll_start(&watch->poll, UV_READABLE, on_ready);
    uv_poll_stop(&watch->poll);
    uv_close((uv_handle_t *)&watch->poll, on_closed);
    watch = NULL;

cleanup:
    if (ends[0] >= 0) {
        close(ends[0]);
        close(ends[1]);
    }
    if (watch) {
        base_log(BASE_LOG_WARN, "no memory is reserved for watching %u files", files);
        free(watch);
    }
}
