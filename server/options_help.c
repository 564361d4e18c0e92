// weftd --help: each row of the table, with its default and its range, in lines that fit a wide terminal.
#include "options_internal.h"

#include <string.h>

enum { FLAG_WIDTH = 32, LINE_WIDTH = 110 };

struct column {
    FILE *out;
    int at; // characters of the line that stand there already
};

// One word without its backticks, on the next line if this one is full.
static void put_word(struct column *column, const char *word, size_t size)
{
    if (column->at + 1 + (int)size > LINE_WIDTH) {
        column->at = fprintf(column->out, "\n%*s", FLAG_WIDTH - 1, "") - 1;
    }
    if (column->at > 0) {
        column->at += fprintf(column->out, " ");
    }
    for (size_t i = 0; i < size; i++) {
        if (word[i] != '`') {
            column->at += fprintf(column->out, "%c", word[i]);
        }
    }
}

static void put_text(struct column *column, const char *text)
{
    while (text[0] != '\0') {
        const size_t size = strcspn(text, " ");
        put_word(column, text, size);
        text += size + strspn(text + size, " ");
    }
}

static void put_row(FILE *out, const struct option_row *row)
{
    char flag[64], range[OPTIONS_TAKES_SIZE], standard[OPTIONS_TAKES_SIZE], behind[3 * OPTIONS_TAKES_SIZE];
    options_range(row, range);
    options_default(row, standard);
    const bool both = range[0] != '\0' && standard[0] != '\0';
    snprintf(flag, sizeof flag, "  --%s%s%s", row->name, row->argument ? " " : "",
             row->argument ? row->argument : "");
    struct column column = {.out = out, .at = fprintf(out, "%-*s", FLAG_WIDTH - 1, flag)};
    put_text(&column, row->help);
    snprintf(behind, sizeof behind, "(%s%s%s%s)", range, both ? "; " : "",
             standard[0] != '\0' ? "default: " : "", standard);
    if (range[0] != '\0' || standard[0] != '\0') {
        put_text(&column, behind);
    }
    fprintf(out, "\n");
}

static void put_heading(FILE *out, const char *heading)
{
    struct column column = {.out = out};
    fprintf(out, "\n");
    put_text(&column, heading);
    fprintf(out, ":\n");
}

void options_help(FILE *out)
{
    fprintf(out, "usage: weftd [OPTION]...\n"
                 "Hosts worlds of cloth, ropes and soft bodies for many clients at once (MessagePack-RPC on\n"
                 "TCP and WebSockets), and the studio, which shows them in a browser.\n");
    for (int option = 0; option < OPTIONS_COUNT; option++) {
        if (options_table[option].heading) {
            put_heading(out, options_table[option].heading);
        }
        put_row(out, &options_table[option]);
    }
    fprintf(out, "\n  %-*s %s\n", FLAG_WIDTH - 3, "--version", "print the version");
    fprintf(out, "  %-*s %s\n\n", FLAG_WIDTH - 3, "--help", "print this");
    fprintf(out, "Each can be given as WEFT_NAME in the environment (WEFT_LISTEN, WEFT_LOG_LEVEL) and as\n"
                 "name = value under [server] in the file; flags come before the environment, that before\n"
                 "the file. weftd(8) says more.\n");
}
