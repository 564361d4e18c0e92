// Options that all commands share, and the environment variables for them.
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TIMEOUT_DEFAULT_MS = 10000 };

// --ca, --cert and --key name a file; they are refused without one.
static bool take_tls(struct cli *cli, int argc, char **argv, int *index, const char **value)
{
    struct weft_tls *tls = &cli->tls;
    const struct {
        const char *name, **file;
    } files[] = {{"--ca", &tls->ca}, {"--cert", &tls->cert}, {"--key", &tls->key}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (cli_option(argc, argv, index, files[i].name, value)) {
            *files[i].file = *value;
            tls->on = true;
            return true;
        }
    }
    bool *word = strcmp(argv[*index], "--tls") == 0             ? &tls->on
                 : strcmp(argv[*index], "--tls-no-verify") == 0 ? &tls->no_verify
                                                                : NULL;
    *value = argv[*index];
    if (word) {
        *word = tls->on = true;
    }
    return word != NULL;
}

// Reads TLS settings from the environment. Files there are used if TLS is on, but do not turn it on.
static void read_environment(struct cli *cli)
{
    const struct {
        const char *name, **file;
    } files[] = {{"WEFT_CA", &cli->tls.ca}, {"WEFT_CERT", &cli->tls.cert}, {"WEFT_KEY", &cli->tls.key}};
    const struct {
        const char *name;
        bool *on;
    } words[] = {{"WEFT_TLS", &cli->tls.on}, {"WEFT_TLS_NO_VERIFY", &cli->tls.no_verify}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        const char *value = getenv(files[i].name);
        *files[i].file = value && *value ? value : NULL;
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const char *value = getenv(words[i].name);
        *words[i].on = value && *value && strcmp(value, "0") != 0;
    }
}

int cli_globals(struct cli *cli, int argc, char **argv)
{
    *cli = (struct cli){.server = getenv("WEFT_SERVER"), .timeout_ms = TIMEOUT_DEFAULT_MS};
    read_environment(cli);
    int left = 0;
    for (int i = 0; i < argc; i++) {
        const char *value;
        double seconds;
        if (strcmp(argv[i], "--") == 0) {
            while (i < argc) {
                argv[left++] = argv[i++];
            }
        } else if (strcmp(argv[i], "--json") == 0) {
            cli->json = true;
        } else if (cli_option(argc, argv, &i, "--server", &value)) {
            if (!value || !*value) {
                return cli_usage("--server needs an address"), -1;
            }
            cli->server = value;
        } else if (take_tls(cli, argc, argv, &i, &value)) {
            if (!value || !*value) {
                return cli_usage("--ca, --cert and --key need the name of a file"), -1;
            }
        } else if (cli_option(argc, argv, &i, "--token", &value)) {
            if (!value || !*value) {
                return cli_usage("--token needs a token, or @FILE"), -1;
            }
            cli->token = value;
        } else if (cli_option(argc, argv, &i, "--timeout", &value)) {
            if (!cli_number(value, 0, 1e6, &seconds)) {
                return cli_usage("--timeout needs a number of seconds"), -1;
            }
            cli->timeout_ms = seconds > 0 ? (int)fmax(1, seconds * 1000) : 0;
            cli->timeout_given = true;
        } else {
            argv[left++] = argv[i];
        }
    }
    return left;
}
