// weft save: writes a world as a scene.
#include "cli.h"

#include "protocol/scene/scene.h"

#include <string.h>

enum { SAVE_TIMEOUT_MS = 120000 };

static int write_scene(const struct cli *cli, const char *path, const msgpack_object *result)
{
    struct fault fault;
    char name[SCENE_NAME_SIZE], hash[64];
    const msgpack_object *document = weft_get(result, "document");
    weft_string_copy(weft_get(result, "name"), name, sizeof name);
    weft_string_copy(weft_get(result, "hash"), hash, sizeof hash);
    if (!document) {
        fputs("weft: PROTOCOL: the server sent no document\n", stderr);
        return CLI_REFUSED;
    }
    if (!scene_write(path, name, NULL, document, &fault)) {
        fflush(stdout);
        fprintf(stderr, "weft: FILE: %s\n", fault.text);
        return CLI_REFUSED;
    }
    const unsigned long long tick = cli_field_u64(result, "tick");
    if (cli->json) {
        fputs("{\"file\":", stdout);
        cli_json_string(stdout, path, strlen(path));
        fputs(",\"name\":", stdout);
        cli_json_string(stdout, name, strlen(name));
        printf(",\"tick\":%llu,\"hash\":\"%s\"}\n", tick, hash);
    } else {
        printf("saved %s at tick %llu as %s, hash %s\n", name, tick, path, hash);
    }
    return CLI_OK;
}

int cli_save(struct cli *cli, int argc, char **argv)
{
    struct weft_params params;
    struct weft_reply reply = {0};
    if (!cli_plain(&argc, &argv, 2, 2, "save WORLD FILE")) {
        return CLI_USAGE;
    }
    if (!cli->timeout_given) {
        cli->timeout_ms = SAVE_TIMEOUT_MS;
    }
    int status = cli_connect(cli);
    if (status != CLI_OK) {
        return status;
    }
    // A world may be larger than any message that a client may send.
    weft_set_message_max(cli->client, (size_t)1 << 31, 16777216);
    weft_params_init(&params);
    weft_params_ref(&params, "world", argv[0]);
    status = cli_call(cli, "world.save", &params, &reply);
    if (status == CLI_OK) {
        status = write_scene(cli, argv[1], &reply.result);
    }
    weft_reply_destroy(&reply);
    weft_params_deinit(&params);
    return status;
}
