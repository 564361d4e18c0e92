// weft twin: runs weft-twin with the given options of the server.
#include "cli.h"

int cli_twin(struct cli *cli, int argc, char **argv)
{
    const struct weft_tls *tls = &cli->tls;
    const struct {
        const char *name, *value;
    } given[] = {{"--server", cli->server},
                 {"--ca", tls->ca},
                 {"--cert", tls->cert},
                 {"--key", tls->key},
                 {"--token", cli->token}};
    const char *more[16];
    char seconds[32];
    int count = 0;
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        if (given[i].value) {
            more[count++] = given[i].name;
            more[count++] = given[i].value;
        }
    }
    if (cli->timeout_given) {
        snprintf(seconds, sizeof seconds, "--timeout=%d.%03d", cli->timeout_ms / 1000,
                 cli->timeout_ms % 1000);
        more[count++] = seconds;
    }
    if (tls->no_verify) {
        more[count++] = "--tls-no-verify";
    }
    if (tls->on) {
        more[count++] = "--tls";
    }
    if (cli->json) {
        more[count++] = "--json";
    }
    return cli_run_beside("weft-twin", count, more, argc, argv);
}
