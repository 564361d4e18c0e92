// Programs that contain the server's physics, and are therefore separate programs. They lie in the same folder.
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void find_beside(const char *program, char *path, size_t size)
{
    const ssize_t got = readlink("/proc/self/exe", path, size - 16);
    char *slash = NULL;
    if (got > 0) {
        path[got] = '\0';
        slash = strrchr(path, '/');
    }
    // Without a folder of its own, PATH finds the program.
    char *name = slash ? slash + 1 : path;
    snprintf(name, size - (size_t)(name - path), "%s", program);
}

int cli_run_beside(const char *program, int given, const char *const *more, int argc, char **argv)
{
    char path[4096];
    char **arguments = calloc((size_t)given + (size_t)argc + 2, sizeof *arguments);
    int count = 0;
    if (!arguments) {
        fprintf(stderr, "weft: MEMORY: there is not enough memory\n");
        return CLI_REFUSED;
    }
    find_beside(program, path, sizeof path);
    arguments[count++] = path;
    for (int i = 0; i < given; i++) {
        arguments[count++] = (char *)(uintptr_t)more[i]; // execvp does not write to them
    }
    for (int i = 0; i < argc; i++) {
        arguments[count++] = argv[i];
    }
    fflush(stdout);
    execvp(path, arguments);
    const int code = errno;
    free(arguments);
    fprintf(stderr, "weft: FILE: %s cannot be run: %s\n", path, strerror(code));
    return CLI_REFUSED;
}
