// Log lines on standard error: plain for people, or one JSON object a line for machines. Thread-safe.
#ifndef WEFT_BASE_LOG_H
#define WEFT_BASE_LOG_H

#include <stdbool.h>
#include <stdint.h>

enum base_log_level { BASE_LOG_ERROR, BASE_LOG_WARN, BASE_LOG_INFO, BASE_LOG_DEBUG };

// Sets the least urgent level that is written (INFO at first), and the form of lines.
void base_log_set(enum base_log_level most, bool json);
bool base_log_on(enum base_log_level level); // whether lines of this level are written

// Starts a thread that writes, so that base_log never waits for the reader of standard error. From then on a line is lost if
// 256 KiB wait already, and of one kind (one format string) at most 20 lines a second are written. Both are counted, and a
// line tells the number. False if memory or threads run out: then the caller of base_log still writes.
bool base_log_start(void);
// Writes the lines that wait, for at most patience_ms, and ends the thread. If the thread hangs in a write that nobody reads it
// is left, and base_log_stop may be called again. Other threads must not log meanwhile.
void base_log_stop(uint32_t patience_ms);
uint64_t base_log_dropped(void); // lines lost or left out so far; any thread

// Writes one line. Text beyond 1023 bytes is cut; control characters and broken UTF-8 are escaped. errno stays as it was.
void base_log(enum base_log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
