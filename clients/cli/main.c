// weft: talks to a weft server from the shell.
//
//     arguments ─▶ global options taken out ─▶ command by name ─▶ its function ─▶ exit status
#include "cli.h"

#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static int unknown_command(const char *word)
{
    struct cli_nearest nearest = CLI_NEAREST(word);
    char meant[CLI_MEANT_SIZE];
    if (word[0] == '-') {
        return cli_no_option("", word);
    }
    cli_nearest_commands(&nearest);
    cli_nearest_methods(&nearest);
    if (strchr(nearest.name, '.')) {
        return cli_usage("there is no command '%s', but there is a method: weft call %s", word, nearest.name);
    }
    return cli_usage("there is no command '%s'%s; see weft --help", word, cli_meant(&nearest, meant));
}

int main(int argc, char **argv)
{
    struct cli cli;
    setlocale(LC_CTYPE, "");
    (void)signal(SIGXFSZ, SIG_IGN); // writing a file that is too large fails with an error instead
    cli_commands_are(cli_command_table);
    const int left = cli_globals(&cli, argc - 1, argv + 1);
    char **rest = argv + 1;
    if (left < 0) {
        return CLI_USAGE;
    }
    if (left == 0) {
        cli_print_help(stderr);
        return CLI_USAGE;
    }
    if (strcmp(rest[0], "--help") == 0 || strcmp(rest[0], "-h") == 0) {
        return cli_help(&cli, left - 1, rest + 1);
    }
    if (strcmp(rest[0], "--version") == 0) {
        printf(cli.json ? "{\"version\":\"%s\"}\n" : "weft %s\n", weft_version());
        return CLI_OK;
    }
    const struct cli_command *command = cli_find_command(rest[0]);
    if (!command) {
        return unknown_command(rest[0]);
    }
    if (left > 1 && (strcmp(rest[1], "-h") == 0 || strcmp(rest[left - 1], "--help") == 0)) {
        return cli_help(&cli, 1, rest);
    }
    int status = command->run(&cli, left - 1, rest + 1);
    weft_close(cli.client);
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == CLI_OK) {
        fprintf(stderr, "weft: FILE: cannot write the output: %s\n", strerror(errno));
        status = CLI_REFUSED;
    }
    return status;
}
