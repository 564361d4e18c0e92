// The token that this program shows to a server.
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int read_file(const char *path, char token[CLI_TOKEN_SIZE])
{
    struct stat told;
    FILE *file = fopen(path, "re");
    char *text = NULL;
    if (!file || fstat(fileno(file), &told) != 0) {
        fprintf(stderr, "weft: FILE: %s: %s\n", path, strerror(errno));
    } else if ((told.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
        fprintf(stderr, "weft: FILE: %s: others can read this token; chmod 600 keeps them out\n", path);
    } else if (!(text = fgets(token, CLI_TOKEN_SIZE, file))) {
        fprintf(stderr, "weft: FILE: %s: it is empty\n", path);
    }
    if (file) {
        fclose(file);
    }
    if (!text) {
        return CLI_REFUSED;
    }
    token[strcspn(token, "\r\n")] = '\0';
    return CLI_OK;
}

int cli_token_find(const struct cli *cli, char token[CLI_TOKEN_SIZE])
{
    const char *given = cli->token ? cli->token : getenv("WEFT_TOKEN");
    const char *path = getenv("WEFT_TOKEN_FILE");
    token[0] = '\0';
    if (given && given[0] == '@') {
        return read_file(given + 1, token);
    }
    if (given && given[0] != '\0') {
        snprintf(token, CLI_TOKEN_SIZE, "%s", given);
        return CLI_OK;
    }
    return path && path[0] != '\0' ? read_file(path, token) : CLI_OK;
}
