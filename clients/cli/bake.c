// weft bake: runs weft-bake.
#include "cli.h"

#include <string.h>

int cli_bake(struct cli *cli, int argc, char **argv)
{
    static const char *const table[] = {"--table", "json"};
    for (int i = 0; cli->json && i < argc; i++) {
        const char *form = NULL;
        if (cli_option(argc, argv, &i, "--table", &form) && form && strcmp(form, "json") != 0) {
            return cli_usage("--json and --table %s contradict each other", form);
        }
    }
    return cli_run_beside("weft-bake", cli->json ? 2 : 0, table, argc, argv);
}
