// weft verify, replay, backup, restore: run weft-keep, on folders of weftd's, without a server.
#include "cli.h"

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

int cli_restore(struct cli *cli, int argc, char **argv)
{
    return keep(cli, "restore", argc, argv);
}
