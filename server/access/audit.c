// The audit log: one JSON object a line.
//
//     access_audit ── the ring is full? ──yes──▶ dropped: counted, told in a line when there is room again
//                         │no
//                         ▼
//                     ring of bytes ──▶ thread ──▶ write(2) to the file, whole lines
//
// So a disk that stalls holds up the thread, and nobody else.
#include "access/access.h"

#include "base/clock.h"
#include "base/thread.h"
#include "protocol/utf8/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { RING_BYTES = 1 << 20, LINE_BYTES = 4096, PATH_BYTES = 4096 };

struct access_audit {
    struct base_mutex mutex;
    struct base_cond more, less;
    struct base_thread thread;
    char *ring; // of RING_BYTES; used bytes are [tail, head), counted without end
    size_t head, tail;
    uint64_t dropped, dropped_told;
    bool ending, ended, reopen;
    int fd;
    char path[PATH_BYTES];
};

// ---------------------------------------------------------------------------------------------------------
// Lines

struct text {
    char *at, *end;
};

static void put(struct text *text, const char *bytes, size_t size)
{
    if (size > (size_t)(text->end - text->at)) {
        size = (size_t)(text->end - text->at);
    }
    memcpy(text->at, bytes, size);
    text->at += size;
}

static void put_escaped(struct text *text, const char *value)
{
    static const char hex[] = "0123456789abcdef";
    const uint8_t *bytes = (const uint8_t *)value;
    size_t size = strlen(value);
    size = size < 400 ? size : 400;
    for (size_t i = 0; i < size;) {
        uint32_t code = 0;
        const size_t length = protocol_utf8_character(bytes + i, size - i, &code);
        if (length == 0) {
            put(text, "\xef\xbf\xbd", 3);
            i++;
        } else if (code < 0x20 || (code >= 0x7f && code < 0xa0) || code == '"' || code == '\\') {
            put(text, (const char[]){'\\', 'u', '0', '0', hex[code >> 4], hex[code & 15]}, 6);
            i += length;
        } else {
            put(text, value + i, length);
            i += length;
        }
    }
}

static void put_string(struct text *text, const char *name, const char *value)
{
    if (!value || value[0] == '\0') {
        return;
    }
    put(text, ",\"", 2);
    put(text, name, strlen(name));
    put(text, "\":\"", 3);
    put_escaped(text, value);
    put(text, "\"", 1);
}

static void put_number(struct text *text, const char *name, uint64_t value)
{
    char digits[64];
    const int size = snprintf(digits, sizeof digits, ",\"%s\":%" PRIu64, name, value);
    if (value != 0) {
        put(text, digits, (size_t)size);
    }
}

static size_t line_make(char line[LINE_BYTES], const struct access_event *event, uint64_t dropped)
{
    struct text text = {line, line + LINE_BYTES - 2};
    const uint64_t now_us = base_wall_us();
    const time_t now = (time_t)(now_us / 1000000);
    struct tm utc = {0};
    char date[32] = "", head[64];
    gmtime_r(&now, &utc);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &utc);
    const int size =
        snprintf(head, sizeof head, "{\"time\":\"%s.%03uZ\"", date, (unsigned)(now_us / 1000 % 1000));
    put(&text, head, (size_t)size);
    put_string(&text, "what", event->what);
    put_string(&text, "outcome", event->outcome);
    put_string(&text, "method", event->method);
    put_number(&text, "world", event->world);
    put_string(&text, "user", event->user);
    put_number(&text, "token", event->token);
    put_number(&text, "session", event->session);
    put_string(&text, "address", event->address);
    put_string(&text, "detail", event->detail);
    put_number(&text, "dropped", dropped);
    text.end += 2;
    put(&text, "}\n", 2);
    return (size_t)(text.at - line);
}

// Under the mutex. False: there is no room.
static bool ring_put(struct access_audit *audit, const char *line, size_t size)
{
    if (audit->head - audit->tail + size > RING_BYTES) {
        return false;
    }
    const size_t at = audit->head % RING_BYTES;
    const size_t first = size < RING_BYTES - at ? size : RING_BYTES - at;
    memcpy(audit->ring + at, line, first);
    memcpy(audit->ring, line + first, size - first);
    audit->head += size;
    base_cond_signal(&audit->more);
    return true;
}

void access_audit(struct access_audit *audit, const struct access_event *event)
{
    char line[LINE_BYTES];
    if (!audit) {
        return;
    }
    const size_t size = line_make(line, event, 0);
    base_mutex_lock(&audit->mutex);
    if (audit->dropped > audit->dropped_told) {
        char told[LINE_BYTES];
        const size_t told_size =
            line_make(told, &(struct access_event){.what = "dropped"}, audit->dropped - audit->dropped_told);
        if (ring_put(audit, told, told_size)) {
            audit->dropped_told = audit->dropped;
        }
    }
    if (!ring_put(audit, line, size)) {
        audit->dropped++;
    }
    base_mutex_unlock(&audit->mutex);
}

uint64_t access_audit_dropped(const struct access_audit *audit)
{
    struct access_audit *mine = (struct access_audit *)(uintptr_t)audit; // its mutex
    base_mutex_lock(&mine->mutex);
    const uint64_t dropped = mine->dropped;
    base_mutex_unlock(&mine->mutex);
    return dropped;
}

// ---------------------------------------------------------------------------------------------------------
// The thread

static int file_open(const char *path)
{
    return open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static void write_out(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t wrote = write(fd, bytes, size);
        if (wrote < 0 && errno == EINTR) {
            continue;
        }
        if (wrote <= 0) {
            return; // a full disk: the lines are lost, and the server goes on
        }
        bytes += wrote;
        size -= (size_t)wrote;
    }
}

static void audit_run(void *context)
{
    struct access_audit *audit = context;
    base_mutex_lock(&audit->mutex);
    for (;;) {
        while (audit->head == audit->tail && !audit->ending && !audit->reopen) {
            base_cond_wait(&audit->more, &audit->mutex);
        }
        if (audit->reopen) {
            audit->reopen = false;
            base_mutex_unlock(&audit->mutex);
            const int fd = file_open(audit->path);
            if (fd >= 0) {
                close(audit->fd);
                audit->fd = fd;
            }
            base_mutex_lock(&audit->mutex);
            continue;
        }
        if (audit->head == audit->tail) {
            break;
        }
        const size_t at = audit->tail % RING_BYTES;
        size_t size = audit->head - audit->tail;
        size = size < RING_BYTES - at ? size : RING_BYTES - at;
        base_mutex_unlock(&audit->mutex);
        write_out(audit->fd, audit->ring + at, size);
        base_mutex_lock(&audit->mutex);
        audit->tail += size;
    }
    audit->ended = true;
    base_cond_signal(&audit->less);
    base_mutex_unlock(&audit->mutex);
}

struct access_audit *access_audit_open(const char *file, char error[ACCESS_ERROR_SIZE])
{
    struct access_audit *audit = calloc(1, sizeof *audit);
    char *ring = malloc(RING_BYTES);
    if (!audit || !ring) {
        snprintf(error, ACCESS_ERROR_SIZE, "no memory for the audit log");
        free(audit);
        free(ring);
        return NULL;
    }
    audit->ring = ring;
    snprintf(audit->path, sizeof audit->path, "%s", file);
    audit->fd = file_open(audit->path);
    base_mutex_init(&audit->mutex);
    base_cond_init(&audit->more);
    base_cond_init(&audit->less);
    const int number = errno;
    if (audit->fd >= 0 && base_thread_start(&audit->thread, "weft-audit", audit_run, audit)) {
        return audit;
    }
    snprintf(error, ACCESS_ERROR_SIZE, "%.300s: %s", file,
             audit->fd < 0 ? strerror(number) : "no thread for it");
    if (audit->fd >= 0) {
        close(audit->fd);
    }
    base_cond_deinit(&audit->less);
    base_cond_deinit(&audit->more);
    base_mutex_deinit(&audit->mutex);
    free(ring);
    free(audit);
    return NULL;
}

void access_audit_reopen(struct access_audit *audit)
{
    base_mutex_lock(&audit->mutex);
    audit->reopen = true;
    base_cond_signal(&audit->more);
    base_mutex_unlock(&audit->mutex);
}

void access_audit_close(struct access_audit *audit, uint32_t patience_ms)
{
    if (!audit) {
        return;
    }
    const uint64_t until_ns = base_now_ns() + patience_ms * UINT64_C(1000000);
    base_mutex_lock(&audit->mutex);
    audit->ending = true;
    base_cond_signal(&audit->more);
    bool waits = true;
    while (!audit->ended && waits) {
        waits = base_cond_wait_until(&audit->less, &audit->mutex, until_ns);
    }
    const bool ended = audit->ended;
    base_mutex_unlock(&audit->mutex);
    if (!ended) {
        return; // it hangs in a write: what it uses stays
    }
    base_thread_join(&audit->thread);
    close(audit->fd);
    base_cond_deinit(&audit->less);
    base_cond_deinit(&audit->more);
    base_mutex_deinit(&audit->mutex);
    free(audit->ring);
    free(audit);
}
