// Log lines on standard error, each written whole by one write(2), so lines of different threads do not mix
// and no lock is held while the terminal is slow.
//
//     info: text                                               for people
//     {"time":"2026-01-31T12:00:00.123Z","level":"info","text":"text"}     for machines
//
// Whatever a peer managed to get into the text stays inside its line: control bytes are escaped in both
// shapes, and bytes that are no UTF-8 are replaced, so that a terminal or a JSON reader cannot be fooled.
#include "base/log.h"

#include <errno.h>
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
};

static atomic_int log_most = BASE_LOG_INFO;
static atomic_bool log_json;

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

// Length of the well-formed UTF-8 sequence at text, 0 if there is none (overlong, surrogate, cut, past
// U+10FFFF).
static size_t utf8_length(const uint8_t *text, size_t size)
{
    uint8_t first = text[0];
    if (first < 0x80) {
        return 1;
    }
    size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || size < length) {
        return 0;
    }
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    bool wrong = (first == 0xe0 && text[1] < 0xa0) || (first == 0xed && text[1] > 0x9f) ||
                 (first == 0xf0 && text[1] < 0x90) || (first == 0xf4 && text[1] > 0x8f);
    return wrong ? 0 : length;
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
    for (size_t i = 0; i < size;) {
        size_t length = utf8_length(text + i, size - i);
        // U+0080 ... U+009F are control characters too: terminals obey some of them.
        bool control =
            text[i] < 0x20 || text[i] == 0x7f || (length == 2 && text[i] == 0xc2 && text[i + 1] < 0xa0);
        if (length == 0) {
            used += append(out + used, "\xef\xbf\xbd", 3); // U+FFFD
            i += 1;
        } else if (control) {
            uint8_t code = length == 2 ? text[i + 1] : text[i];
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
        length = 0;
    }
    size_t text_size = (size_t)length < sizeof text ? (size_t)length : sizeof text - 1;

    char line[LOG_LINE_MAX];
    bool json = atomic_load_explicit(&log_json, memory_order_relaxed);
    size_t used;
    if (json) {
        used = line_head_json(line, sizeof line, level);
    } else {
        used = append(line, log_names[level], strlen(log_names[level]));
        used += append(line + used, ": ", 2);
    }
    used += escape(line + used, (const uint8_t *)text, text_size, json);
    const char *tail = json ? "\"}\n" : "\n";
    used += append(line + used, tail, strlen(tail));

    for (size_t sent = 0; sent < used;) {
        ssize_t wrote = write(STDERR_FILENO, line + sent, used - sent);
        if (wrote > 0) {
            sent += (size_t)wrote;
        } else if (wrote == 0 || errno != EINTR) {
            break; // nowhere to complain to
        }
    }
    errno = errno_before;
}
