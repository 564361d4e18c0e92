// Log lines on standard error.
//
//     info: text                                               for people
//     {"time":"2026-01-31T12:00:00.123Z","level":"info","text":"text"}     for machines
//
// Who reads standard error may stop reading it, and a pipe that is full makes write(2) wait for good. So a
// server starts a writer, and nobody else waits:
//
//     base_log ── of its kind too many this second? ──yes──▶ counted, told in one line when the second is over
//                 │no
//                 ├── the ring is full? ──yes──▶ lost: counted, told in one line when there is room again
//                 ▼no
//               ring of bytes, LOG_RING_BYTES ──▶ writer's thread ──▶ write(2), whole lines
//
// Without a writer (before base_log_start, after base_log_stop, in programs that have none) a line is written
// whole by one write(2) of the caller. A kind of line is its format: what a peer can make the server say again and
// again has one.
//
// Whatever a peer managed to get into the text stays inside its line: control bytes are escaped in both
// shapes, and bytes that are no UTF-8 are replaced, so that a terminal or a JSON reader cannot be fooled.
#include "base/log.h"

#include "base/clock.h"
#include "base/thread.h"
#include "protocol/utf8/utf8.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    LOG_TEXT_MAX = 1024,                   // of the formatted text; longer is cut
    LOG_LINE_MAX = 128 + 6 * LOG_TEXT_MAX, // a byte becomes at most \u00xx
    LOG_RING_BYTES = 256 * 1024,
    LOG_KINDS = 64,          // that are counted at a time
    LOG_KIND_LINES = 20,     // a second
    LOG_KIND_TEXT_MAX = 120, // of a line that was left out, kept to tell which kind it was
};

static const uint64_t second_ns = 1000000000;

// Lines of one format in the second that began at since_ns.
struct log_kind {
    const char *format;
    uint64_t since_ns;
    uint64_t left_out;
    uint32_t lines;
    enum base_log_level level;
    char text[LOG_KIND_TEXT_MAX]; // of the first that was left out
};

static atomic_int log_most = BASE_LOG_INFO;
static atomic_bool log_json;
static atomic_bool log_started; // there is a writer

static const char *const log_names[] = {"error", "warn", "info", "debug"};

void base_log_set(enum base_log_level most, bool json)
{
    atomic_store_explicit(&log_most, (int)most, memory_order_relaxed);
    atomic_store_explicit(&log_json, json, memory_order_relaxed);
}

bool base_log_on(enum base_log_level level)
{
    return (int)level <= atomic_load_explicit(&log_most, memory_order_relaxed);
}

static size_t append(char *out, const void *bytes, size_t size)
{
    memcpy(out, bytes, size);
    return size;
}

static size_t escape(char *out, const uint8_t *text, size_t size, bool json)
{
    static const char hex[] = "0123456789abcdef";
    size_t used = 0;
    uint32_t code = 0;
    for (size_t i = 0; i < size;) {
        size_t length = protocol_utf8_character(text + i, size - i, &code);
        if (length == 0) {
            used += append(out + used, "\xef\xbf\xbd", 3); // U+FFFD
            i += 1;
        } else if (code < 0x20 || (code >= 0x7f && code < 0xa0)) {
            // U+0080 ... U+009F too: terminals obey some of them.
            const char head[] = {'\\', 'u', '0', '0', hex[code >> 4], hex[code & 15]};
            used += append(out + used, head, sizeof head);
            i += length;
        } else {
            if (json && (text[i] == '"' || text[i] == '\\')) {
                out[used++] = '\\';
            }
            used += append(out + used, text + i, length);
            i += length;
        }
    }
    return used;
}

static size_t line_head_json(char *line, size_t size, enum base_log_level level)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    struct tm utc = {0};
    gmtime_r(&now.tv_sec, &utc);
    char date[32] = "";
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &utc);
    int used = snprintf(line, size, "{\"time\":\"%s.%03ldZ\",\"level\":\"%s\",\"text\":\"", date,
                        now.tv_nsec / 1000000, log_names[level]);
    return used < 0 ? 0 : (size_t)used;
}

static size_t line_make(char line[LOG_LINE_MAX], enum base_log_level level, const char *text,
                        size_t text_size)
{
    bool json = atomic_load_explicit(&log_json, memory_order_relaxed);
    size_t used;
    if (json) {
        used = line_head_json(line, LOG_LINE_MAX, level);
    } else {
        used = append(line, log_names[level], strlen(log_names[level]));
        used += append(line + used, ": ", 2);
    }
    used += escape(line + used, (const uint8_t *)text, text_size, json);
    const char *tail = json ? "\"}\n" : "\n";
    used += append(line + used, tail, strlen(tail));
    return used;
}

static void write_out(const char *bytes, size_t size)
{
    for (size_t sent = 0; sent < size;) {
        ssize_t wrote = write(STDERR_FILENO, bytes + sent, size - sent);
        if (wrote > 0) {
            sent += (size_t)wrote;
        } else if (wrote < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            // Whoever shares it made it so that writes do not wait.
            poll(&(struct pollfd){.fd = STDERR_FILENO, .events = POLLOUT}, 1, 100);
            if (!atomic_load_explicit(&log_started, memory_order_relaxed)) {
                break;
            }
        } else if (wrote == 0 || errno != EINTR) {
            break; // nowhere to complain to
        }
    }
}

// ---------------------------------------------------------------------------------------------------------
// The writer. All of this is guarded by its mutex but what is atomic.

static struct {
    struct base_mutex mutex;
    struct base_cond changed; // there is something to write, or it has been written
    struct base_thread thread;
    bool ready;   // mutex and changed are initialised: once, for good
    bool running; // until joined; of who starts and stops it
    bool stopping, gone;
    bool writing; // what the writer took out of the ring
    char ring[LOG_RING_BYTES];
    size_t at, used;
    uint64_t lost; // lines, since it was last told
    struct log_kind kinds[LOG_KINDS];
    bool left_out; // by one of the kinds
} writer;

static atomic_uint_least64_t log_dropped;

static bool ring_put(const char *bytes, size_t size)
{
    if (size > LOG_RING_BYTES - writer.used) {
        return false;
    }
    size_t end = (writer.at + writer.used) % LOG_RING_BYTES;
    size_t first = size < LOG_RING_BYTES - end ? size : LOG_RING_BYTES - end;
    memcpy(writer.ring + end, bytes, first);
    memcpy(writer.ring, bytes + first, size - first);
    writer.used += size;
    return true;
}

static void put_line(enum base_log_level level, const char *text)
{
    char line[LOG_LINE_MAX];
    if (writer.lost > 0) {
        char told[80];
        snprintf(told, sizeof told, "%" PRIu64 " log lines are lost: nobody read them in time", writer.lost);
        if (!ring_put(line, line_make(line, BASE_LOG_WARN, told, strlen(told)))) {
            writer.lost++;
            atomic_fetch_add_explicit(&log_dropped, 1, memory_order_relaxed);
            return;
        }
        writer.lost = 0;
    }
    if (!ring_put(line, line_make(line, level, text, strlen(text)))) {
        writer.lost++;
        atomic_fetch_add_explicit(&log_dropped, 1, memory_order_relaxed);
    }
}

static void kind_tell(struct log_kind *kind)
{
    if (kind->left_out == 0) {
        return;
    }
    char told[LOG_KIND_TEXT_MAX + 64];
    snprintf(told, sizeof told, "%" PRIu64 " more like this within a second: %s", kind->left_out, kind->text);
    kind->left_out = 0;
    put_line(kind->level, told);
}

// Its place, or that of the kind that began its second first.
static struct log_kind *kind_of(const char *format)
{
    struct log_kind *oldest = &writer.kinds[0];
    for (int i = 0; i < LOG_KINDS; i++) {
        struct log_kind *kind = &writer.kinds[i];
        if (kind->format == format) {
            return kind;
        }
        oldest = kind->since_ns < oldest->since_ns ? kind : oldest;
    }
    return oldest;
}

// False if there were enough of its kind this second.
static bool kind_admits(enum base_log_level level, const char *format, const char *text)
{
    struct log_kind *kind = kind_of(format);
    uint64_t now_ns = base_now_ns();
    if (kind->format != format || now_ns - kind->since_ns >= second_ns) {
        kind_tell(kind);
        *kind = (struct log_kind){.format = format, .since_ns = now_ns, .level = level};
    }
    if (kind->lines < LOG_KIND_LINES) {
        kind->lines++;
        return true;
    }
    if (kind->left_out++ == 0) {
        snprintf(kind->text, sizeof kind->text, "%.*s", (int)sizeof kind->text - 1, text);
        writer.left_out = true;
    }
    atomic_fetch_add_explicit(&log_dropped, 1, memory_order_relaxed);
    return false;
}

static void tell_left_out(bool all)
{
    uint64_t now_ns = base_now_ns();
    writer.left_out = false;
    for (int i = 0; i < LOG_KINDS; i++) {
        struct log_kind *kind = &writer.kinds[i];
        if (all || now_ns - kind->since_ns >= second_ns) {
            kind_tell(kind);
        }
        writer.left_out = writer.left_out || kind->left_out > 0;
    }
}

static void writer_run(void *context)
{
    (void)context;
    static char piece[LOG_RING_BYTES / 4];
    base_mutex_lock(&writer.mutex);
    while (!writer.stopping || writer.used > 0) {
        if (writer.used == 0 && !writer.left_out) {
            base_cond_wait(&writer.changed, &writer.mutex);
            continue;
        }
        if (writer.used == 0) {
            base_cond_wait_until(&writer.changed, &writer.mutex, base_now_ns() + second_ns / 4);
            tell_left_out(false);
            continue;
        }
        size_t size = writer.used < sizeof piece ? writer.used : sizeof piece;
        size_t first = size < LOG_RING_BYTES - writer.at ? size : LOG_RING_BYTES - writer.at;
        memcpy(piece, writer.ring + writer.at, first);
        memcpy(piece + first, writer.ring, size - first);
        writer.at = (writer.at + size) % LOG_RING_BYTES;
        writer.used -= size;
        writer.writing = true;
        base_mutex_unlock(&writer.mutex);
        write_out(piece, size);
        base_mutex_lock(&writer.mutex);
        writer.writing = false;
        base_cond_broadcast(&writer.changed);
    }
    writer.gone = true;
    base_cond_broadcast(&writer.changed);
    base_mutex_unlock(&writer.mutex);
}

bool base_log_start(void)
{
    if (!writer.ready) {
        base_mutex_init(&writer.mutex);
        base_cond_init(&writer.changed);
        writer.ready = true;
    }
    writer.stopping = writer.gone = false;
    if (!base_thread_start(&writer.thread, "log", writer_run, NULL)) {
        return false;
    }
    writer.running = true;
    atomic_store_explicit(&log_started, true, memory_order_release);
    return true;
}

void base_log_stop(uint32_t patience_ms)
{
    if (!writer.running) {
        return;
    }
    atomic_store_explicit(&log_started, false, memory_order_release);
    uint64_t deadline_ns = base_now_ns() + patience_ms * UINT64_C(1000000);
    base_mutex_lock(&writer.mutex);
    tell_left_out(true);
    writer.stopping = true;
    base_cond_broadcast(&writer.changed);
    bool in_time = true;
    while (!writer.gone && in_time) {
        in_time = base_cond_wait_until(&writer.changed, &writer.mutex, deadline_ns);
    }
    bool gone = writer.gone;
    base_mutex_unlock(&writer.mutex);
    if (gone) {
        base_thread_join(&writer.thread);
        writer.running = false;
    }
    // Else it hangs in a write that nobody reads, and ends with the process.
}

uint64_t base_log_dropped(void)
{
    return atomic_load_explicit(&log_dropped, memory_order_relaxed);
}

// ---------------------------------------------------------------------------------------------------------

void base_log(enum base_log_level level, const char *format, ...)
{
    if (!base_log_on(level)) {
        return;
    }
    int errno_before = errno;
    char text[LOG_TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0) {
        text[0] = 0;
    }
    if (atomic_load_explicit(&log_started, memory_order_acquire)) {
        base_mutex_lock(&writer.mutex);
        if (kind_admits(level, format, text)) {
            put_line(level, text);
        }
        base_cond_signal(&writer.changed);
        base_mutex_unlock(&writer.mutex);
    } else {
        char line[LOG_LINE_MAX];
        write_out(line, line_make(line, level, text, strlen(text)));
    }
    errno = errno_before;
}
