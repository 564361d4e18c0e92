// weft-keep, which `weft verify`, `replay`, `backup` and `restore` run.
#include "keep/keep.h"

#include "base/room.h"
#include "base/thread.h"
#include "protocol/generated/api.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

static const struct command {
    const char *name, *arguments;
    int count;
    bool salvages; // it takes --salvage
    enum keep_status (*one)(const struct keep_options *options, const char *path);
    enum keep_status (*two)(const struct keep_options *options, const char *from, const char *to);
} commands[] = {
    {"verify", "DIR", 1, false, keep_verify, NULL},
    {"replay", "DIR[/WORLD]", 1, true, keep_replay, NULL},
    {"backup", "DIR TO", 2, true, NULL, keep_backup},
    {"restore", "BACKUP DIR", 2, false, NULL, keep_restore},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void help(void)
{
    printf("Usage: weft-keep verify DIR | replay [--salvage] DIR[/WORLD] | backup [--salvage] DIR TO |\n"
           "       restore BACKUP DIR\n"
           "\n"
           "What weft verify, replay, backup and restore run. weft help verify, and so on, tells more.\n");
}

static const struct command *command_of(const char *name)
{
    for (int c = 0; name && c < COMMANDS; c++) {
        if (strcmp(commands[c].name, name) == 0) {
            return &commands[c];
        }
    }
    return NULL;
}

// Reads the words that are not options. -1 after printing an error, -2 if nothing is left to do.
static int take_arguments(int argc, char **argv, struct keep_options *options, const char *words[3])
{
    bool only_words = false;
    int count = 0;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (only_words || word[0] != '-') {
            if (count == 3) {
                keep_say(KEEP_USAGE, "USAGE", "%s: \"%s\" is one argument too many; see weft %s --help",
                         words[0], word, words[0]);
                return -1;
            }
            words[count++] = word;
        } else if (strcmp(word, "--") == 0) {
            only_words = true;
        } else if (strcmp(word, "--json") == 0) {
            options->json = true;
        } else if (strcmp(word, "--quiet") == 0) {
            options->quiet = true;
        } else if (strcmp(word, "--salvage") == 0) {
            options->salvage = true;
        } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            help();
            return -2;
        } else if (strcmp(word, "--version") == 0) {
            printf("weft-keep " PROTOCOL_VERSION "\n");
            return -2;
        } else {
            keep_say(KEEP_USAGE, "USAGE", "%s: there is no such option; weft-keep --help tells more", word);
            return -1;
        }
    }
    return count;
}

int main(int argc, char **argv)
{
    struct keep_options options = {0};
    const char *words[3] = {0};
    base_room_start();
    setlocale(LC_CTYPE, ""); // for the bar, which uses block characters if the locale has them
    const int count = take_arguments(argc, argv, &options, words);
    if (count < 0) {
        return count == -2 ? KEEP_OK : KEEP_USAGE;
    }
    const struct command *command = command_of(words[0]);
    if (!command) {
        return keep_say(KEEP_USAGE, "USAGE", "%s%s; see weft-keep --help",
                        words[0] ? "there is no command "
                                 : "which command? verify, replay, backup or restore",
                        words[0] ? words[0] : "");
    }
    if (count - 1 != command->count) {
        return keep_say(KEEP_USAGE, "USAGE", "%s takes %s; see weft %s --help", command->name,
                        command->arguments, command->name);
    }
    if (options.salvage && !command->salvages) {
        return keep_say(KEEP_USAGE, "USAGE", "--salvage is for backup and replay, not for %s", command->name);
    }
    base_float_assert();
    keep_signals_catch();
    const int status =
        command->one ? command->one(&options, words[1]) : command->two(&options, words[1], words[2]);
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == KEEP_OK) {
        return keep_say(KEEP_FAILED, "FILE", "the output cannot be written: %s", strerror(errno));
    }
    return status;
}
