// Log lines on standard error: plain for people, or one JSON object a line for machines. Thread-safe.
#ifndef WEFT_BASE_LOG_H
#define WEFT_BASE_LOG_H

#include <stdbool.h>
#include <stdint.h>

enum base_log_level { BASE_LOG_ERROR, BASE_LOG_WARN, BASE_LOG_INFO, BASE_LOG_DEBUG };

void base_log_set(enum base_log_level most, bool json);
bool base_log_on(enum base_log_level level);

// From now on no call of base_log waits for the reader of standard error: a thread writes. Lines for which there is no
// room are lost, and of one kind (one format) at most 20 a second are written; both are counted and told. False
// without memory or threads: then base_log goes on writing by itself.
bool base_log_start(void);
// Writes what there is for at most so long, and ends the thread; one that hangs in a line that nobody reads is left, and
// may be stopped again. No thread may log meanwhile.
void base_log_stop(uint32_t patience_ms);
uint64_t base_log_dropped(void); // lines that were lost or left out so far; any thread

// One line; the text is escaped where a peer's bytes could break it up.
void base_log(enum base_log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
