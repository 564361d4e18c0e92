// The terminal. See terminal.h.
//
// restore() and take() only call functions that signal handlers may call (write, tcsetattr), so that ordinary code,
// SIGTSTP and crashes can all use them.
#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

// The other screen, without a cursor, and without wrapping at the right edge.
static const char enter_sequence[] = "\033[?1049h\033[?25l\033[?7l\033[2J";
static const char leave_sequence[] = "\033[0m\033[?7h\033[?25h\033[?1049l";

static const int crash_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT};
enum { CRASH_SIGNALS = sizeof crash_signals / sizeof *crash_signals };

static struct {
    volatile sig_atomic_t stop, resized, entered;
    int pipe[2];
    bool is_input_terminal;
    struct termios before, raw;
    struct sigaction crash_before[CRASH_SIGNALS];
} terminal = {.pipe = {-1, -1}};

struct cli_look cli_terminal_look(void)
{
    const char *no_color = getenv("NO_COLOR"), *color_term = getenv("COLORTERM"), *term = getenv("TERM");
    struct cli_look look = {.color = CLI_COLOR_256, .utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0};
    if ((no_color && *no_color) || !term || !*term || strcmp(term, "dumb") == 0) {
        look.color = CLI_COLOR_NONE;
    } else if ((color_term && (strstr(color_term, "truecolor") || strstr(color_term, "24bit"))) ||
               strstr(term, "direct")) {
        look.color = CLI_COLOR_TRUE;
    }
    return look;
}

void cli_terminal_size(int *columns, int *rows)
{
    struct winsize size = {0};
    *columns = 80;
    *rows = 24;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
        *columns = size.ws_col;
        *rows = size.ws_row;
    }
}

// ---------------------------------------------------------------------------------------------------------
// The screen

static void put(const char *bytes, size_t size)
{
    while (size) {
        const ssize_t put_now = write(STDOUT_FILENO, bytes, size);
        if (put_now < 0 && errno != EINTR) {
            return;
        }
        if (put_now > 0) {
            bytes += put_now;
            size -= (size_t)put_now;
        }
    }
}

static void take(void)
{
    if (terminal.is_input_terminal) {
        tcsetattr(STDIN_FILENO, TCSANOW, &terminal.raw);
    }
    put(enter_sequence, sizeof enter_sequence - 1);
    terminal.entered = 1;
}

static void restore(void)
{
    if (!terminal.entered) {
        return;
    }
    terminal.entered = 0;
    put(leave_sequence, sizeof leave_sequence - 1);
    if (terminal.is_input_terminal) {
        tcsetattr(STDIN_FILENO, TCSANOW, &terminal.before);
    }
}

static void wake(void)
{
    const int before = errno;
    // A full pipe wakes just as well.
    if (write(terminal.pipe[1], "", 1) < 0) {
        errno = before;
    }
    errno = before;
}

static void on_stop(int signal_number)
{
    (void)signal_number;
    terminal.stop = 1;
    wake();
}

static void on_resize(int signal_number)
{
    (void)signal_number;
    terminal.resized = 1;
    wake();
}

// Ctrl-Z: restores the screen, stops the process, and takes the screen again afterwards.
static void on_suspend(int signal_number)
{
    (void)signal_number;
    const int before = errno;
    const bool was_entered = terminal.entered != 0;
    restore();
    raise(SIGSTOP);
    if (was_entered) {
        take();
    }
    terminal.resized = 1;
    wake();
    errno = before;
}

static void on_crash(int signal_number)
{
    restore();
    for (int i = 0; i < CRASH_SIGNALS; i++) {
        if (crash_signals[i] == signal_number) {
            sigaction(signal_number, &terminal.crash_before[i], NULL);
        }
    }
    raise(signal_number);
}

bool cli_signals_watch(void)
{
    if (pipe(terminal.pipe) != 0) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        fcntl(terminal.pipe[i], F_SETFD, FD_CLOEXEC);
        fcntl(terminal.pipe[i], F_SETFL, O_NONBLOCK);
    }
    struct sigaction action = {.sa_handler = on_stop, .sa_flags = 0};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    struct sigaction before;
    if (sigaction(SIGHUP, NULL, &before) != 0 || before.sa_handler != SIG_IGN) { // nohup
        sigaction(SIGHUP, &action, NULL);
    }
    action.sa_handler = on_resize;
    sigaction(SIGWINCH, &action, NULL);
    return true;
}

int cli_signals_fd(void)
{
    return terminal.pipe[0];
}

bool cli_signals_stop(void)
{
    return terminal.stop != 0;
}

void cli_signals_heard(void)
{
    terminal.stop = 0;
}

bool cli_signals_resize(void)
{
    const bool resized = terminal.resized != 0;
    terminal.resized = 0;
    return resized;
}

void cli_signals_clear(void)
{
    char bytes[64];
    while (read(terminal.pipe[0], bytes, sizeof bytes) > 0) {
    }
}

bool cli_terminal_enter(void)
{
    terminal.is_input_terminal = isatty(STDIN_FILENO) && tcgetattr(STDIN_FILENO, &terminal.before) == 0;
    if (terminal.is_input_terminal) {
        terminal.raw = terminal.before;
        terminal.raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
        terminal.raw.c_cc[VMIN] = 0;
        terminal.raw.c_cc[VTIME] = 0;
    }
    struct sigaction action = {.sa_handler = on_suspend};
    sigemptyset(&action.sa_mask);
    sigaction(SIGTSTP, &action, NULL);
    action.sa_handler = on_crash;
    for (int i = 0; i < CRASH_SIGNALS; i++) {
        sigaction(crash_signals[i], &action, &terminal.crash_before[i]);
    }
    static bool registered;
    if (!registered && atexit(restore) != 0) {
        return false;
    }
    registered = true;
    take();
    return true;
}

void cli_terminal_leave(void)
{
    restore();
    signal(SIGTSTP, SIG_DFL);
    for (int i = 0; i < CRASH_SIGNALS; i++) {
        sigaction(crash_signals[i], &terminal.crash_before[i], NULL);
    }
}

int cli_key_parse(const char *bytes, size_t size, size_t *used)
{
    *used = size ? 1 : 0;
    if (size == 0) {
        return CLI_KEY_NONE;
    }
    if (bytes[0] != '\033') {
        return (unsigned char)bytes[0];
    }
    if (size < 3 || (bytes[1] != '[' && bytes[1] != 'O')) {
        return CLI_KEY_NONE;
    }
    // A sequence ends with its first letter; parameters of other keys are skipped.
    size_t end = 2;
    while (end < size && (bytes[end] < '@' || bytes[end] > '~')) {
        end++;
    }
    *used = end < size ? end + 1 : size;
    switch (end < size ? bytes[end] : '\0') {
    case 'A':
        return CLI_KEY_UP;
    case 'B':
        return CLI_KEY_DOWN;
    case 'C':
        return CLI_KEY_RIGHT;
    case 'D':
        return CLI_KEY_LEFT;
    default:
        return CLI_KEY_NONE;
    }
}
