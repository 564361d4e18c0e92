// weft bake: runs weft-bake, which has the physics in it and so is a program of its own. It lies beside this one.
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void find_beside(char *path, size_t size)
{
    const ssize_t got = readlink("/proc/self/exe", path, size - 16);
    char *slash = NULL;
    if (got > 0) {
        path[got] = '\0';
        slash = strrchr(path, '/');
    }
    // Else wherever PATH has it.
    char *name = slash ? slash + 1 : path;
    snprintf(name, size - (size_t)(name - path), "weft-bake");
}

int cli_bake(struct cli *cli, int argc, char **argv)
{
    char path[4096];
    char **arguments = calloc((size_t)argc + 4, sizeof *arguments);
    if (!arguments) {
        fprintf(stderr, "weft: MEMORY: there is not enough memory\n");
        return CLI_REFUSED;
    }
    int count = 0;
    for (int i = 0; cli->json && i < argc; i++) {
        const char *form = NULL;
        if (cli_option(argc, argv, &i, "--table", &form) && form && strcmp(form, "json") != 0) {
            free(arguments);
            return cli_usage("--json and --table %s contradict each other", form);
        }
    }
    find_beside(path, sizeof path);
    arguments[count++] = path;
    if (cli->json) {
        arguments[count++] = "--table";
        arguments[count++] = "json";
    }
    for (int i = 0; i < argc; i++)
        arguments[count++] = argv[i];
    fflush(stdout);
    execvp(path, arguments);
    const int code = errno;
    free(arguments);
    fprintf(stderr, "weft: FILE: %s cannot be run: %s\n", path, strerror(code));
    return CLI_REFUSED;
}
