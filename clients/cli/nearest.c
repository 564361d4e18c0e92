// Suggests the word that was meant for a mistyped command, method, type or option. Also checks the number of arguments.
#include "api.h"
#include "cli.h"

#include <stdlib.h>
#include <string.h>

enum { WORD_MAX = 40 };

// Number of letters to insert, delete, change or swap with their neighbour to turn one word into the other.
static unsigned distance(const char *a, const char *b)
{
    const size_t rows = strlen(a), columns = strlen(b);
    unsigned table[WORD_MAX + 1][WORD_MAX + 1];
    for (size_t i = 0; i <= rows; i++) {
        for (size_t j = 0; j <= columns; j++) {
            unsigned least = (unsigned)(i + j);
            if (i > 0 && j > 0) {
                const unsigned changed = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
                const unsigned moved =
                    (table[i - 1][j] < table[i][j - 1] ? table[i - 1][j] : table[i][j - 1]) + 1;
                least = changed < moved ? changed : moved;
                if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                    table[i - 2][j - 2] + 1 < least) {
                    least = table[i - 2][j - 2] + 1;
                }
            }
            table[i][j] = least;
        }
    }
    return table[rows][columns];
}

// Accepts a name if at most a third of the letters differ, and at most two.
static void consider(struct cli_nearest *nearest, const char *name)
{
    const size_t size = strlen(nearest->word);
    if (size > WORD_MAX || strlen(name) > WORD_MAX) {
        return;
    }
    const unsigned found = distance(nearest->word, name), most = size < 3 ? 0 : size < 6 ? 1 : 2;
    if (found <= most && found < nearest->distance) {
        nearest->distance = found;
        snprintf(nearest->name, sizeof nearest->name, "%s", name);
    }
}

void cli_nearest_commands(struct cli_nearest *nearest)
{
    for (const struct cli_command *command = cli_commands(); command->name; command++) {
        consider(nearest, command->name);
    }
}

void cli_nearest_methods(struct cli_nearest *nearest)
{
    for (size_t i = 0; i < cli_api_method_count; i++) {
        consider(nearest, cli_api_methods[i].name);
    }
}

void cli_nearest_types(struct cli_nearest *nearest)
{
    for (size_t i = 0; i < cli_api_type_count; i++) {
        consider(nearest, cli_api_types[i].name);
    }
}

static void consider_options(struct cli_nearest *nearest, const char *text)
{
    char name[sizeof nearest->name];
    for (const char *at = text; (at = strstr(at, "--"));) {
        const size_t size = strspn(at, "-abcdefghijklmnopqrstuvwxyz");
        if (size > 2 && size < sizeof name) {
            snprintf(name, sizeof name, "%.*s", (int)size, at);
            consider(nearest, name);
        }
        at += size;
    }
}

const char *cli_meant(const struct cli_nearest *nearest, char out[CLI_MEANT_SIZE])
{
    out[0] = '\0';
    if (nearest->name[0]) {
        snprintf(out, CLI_MEANT_SIZE, "; did you mean '%s'?", nearest->name);
    }
    return out;
}

int cli_no_option(const char *name, const char *given)
{
    const struct cli_command *command = cli_find_command(name);
    char word[WORD_MAX + 1], meant[CLI_MEANT_SIZE];
    if (given[0] != '-') {
        return cli_usage("unexpected argument '%s'; usage: weft %s %s", given, name,
                         command ? command->usage : "");
    }
    snprintf(word, sizeof word, "%.*s", (int)strcspn(given, "="), given);
    struct cli_nearest nearest = CLI_NEAREST(word);
    if (command) {
        consider_options(&nearest, command->usage);
        consider_options(&nearest, command->details ? command->details : "");
    }
    consider_options(&nearest, "--server --json --timeout --help");
    if (!command) {
        return cli_usage("there is no option '%s'%s; see weft --help", given, cli_meant(&nearest, meant));
    }
    return cli_usage("there is no option '%s' here%s; see weft help %s", given, cli_meant(&nearest, meant),
                     name);
}

// Checks the number of arguments that are not options: at least `least`, at most `most`. Skips a leading `--`.
bool cli_plain(int *argc, char ***argv, int least, int most, const char *usage)
{
    if (*argc && strcmp(**argv, "--") == 0) {
        --*argc;
        ++*argv;
    } else {
        for (int i = 0; i < *argc; i++) {
            if (strncmp((*argv)[i], "--", 2) == 0) {
                char name[CLI_MEANT_SIZE];
                snprintf(name, sizeof name, "%.*s", (int)strcspn(usage, " "), usage);
                cli_no_option(name, (*argv)[i]);
                return false;
            }
        }
    }
    if (*argc >= least && *argc <= most) {
        return true;
    }
    cli_usage("usage: weft %s", usage);
    return false;
}
