// The terminal: its abilities, its size, raw mode, signals, keys.
//
// One terminal for each process. However the process ends (exit, a signal, a crash), the screen, the cursor and the
// line discipline are restored.
#ifndef WEFT_CLI_TERMINAL_H
#define WEFT_CLI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

enum cli_color { CLI_COLOR_NONE, CLI_COLOR_256, CLI_COLOR_TRUE };

struct cli_look {
    enum cli_color color;
    bool utf8;
};

// Reads NO_COLOR, COLORTERM, TERM and the locale (setlocale must have been called).
struct cli_look cli_terminal_look(void);
void cli_terminal_size(int *columns, int *rows); // 80 × 24 if the size is unknown

// From then on SIGINT, SIGTERM and SIGHUP only raise a flag, and SIGWINCH another; all of them wake poll(2) on
// cli_signals_fd. False with errno.
bool cli_signals_watch(void);
int cli_signals_fd(void);
bool cli_signals_stop(void); // a signal asked the program to end
void cli_signals_heard(
    void); // the end that was asked for has begun: from now on a further signal counts again
bool cli_signals_resize(void); // the size may have changed since the last call
void cli_signals_clear(void);  // empties the descriptor

// Takes the screen over and gives it back. Needs cli_signals_watch.
bool cli_terminal_enter(void);
void cli_terminal_leave(void);

enum cli_key { CLI_KEY_NONE = 0, CLI_KEY_UP = 256, CLI_KEY_DOWN, CLI_KEY_LEFT, CLI_KEY_RIGHT };

// Parses the next key: a character, or one of the above. *used is the number of bytes it took.
int cli_key_parse(const char *bytes, size_t size, size_t *used);

#endif
