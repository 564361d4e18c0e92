// Log lines on standard error: plain for people, or one JSON object a line for machines. Thread-safe.
#ifndef WEFT_BASE_LOG_H
#define WEFT_BASE_LOG_H

#include <stdbool.h>

enum base_log_level { BASE_LOG_ERROR, BASE_LOG_WARN, BASE_LOG_INFO, BASE_LOG_DEBUG };

void base_log_set(enum base_log_level most, bool json);
bool base_log_on(enum base_log_level level);

// One line; the text is escaped where a peer's bytes could break it up.
void base_log(enum base_log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
