// weft verify, replay, backup, restore: run weft-keep on folders of weftd, without a server.
#include "cli.h"

#include <string.h>

static int keep(struct cli *cli, const char *command, int argc, char **argv)
{
    const char *const given[] = {command, "--json"};
    return cli_run_beside("weft-keep", cli->json ? 2 : 1, given, argc, argv);
}

int cli_verify(struct cli *cli, int argc, char **argv)
{
    return keep(cli, "verify", argc, argv);
}

int cli_replay(struct cli *cli, int argc, char **argv)
{
    return keep(cli, "replay", argc, argv);
}

int cli_backup(struct cli *cli, int argc, char **argv)
{
    return keep(cli, "backup", argc, argv);
}

// Runs weft-keep if there are two words that are not options, or not the value of one: these are folders.
int cli_restore(struct cli *cli, int argc, char **argv)
{
    int words = 0;
    for (int i = 0; i < argc; i++) {
        const bool is_option = strncmp(argv[i], "--", 2) == 0;
        words += !is_option;
        i += strcmp(argv[i], "--name") == 0;
    }
    return words >= 2 ? keep(cli, "restore", argc, argv) : cli_restore_world(cli, argc, argv);
}
