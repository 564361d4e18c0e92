// weft undo, weft redo: undo edits and make them again.
#include "cli.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool read_options(int argc, char **argv, const char *command, struct weft_params *params)
{
    const char *world = NULL, *value;
    double revision;
    for (int i = 0; i < argc; i++) {
        if (cli_option(argc, argv, &i, "--revision", &value)) {
            if (!cli_number(value, 1, 9e15, &revision) || floor(revision) != revision) {
                return cli_usage(
                           "--revision needs the revision of an edit, a whole number; weft log lists them"),
                       false;
            }
            weft_params_u64(params, "revision", (uint64_t)revision);
        } else if (strcmp(argv[i], "--force") == 0) {
            weft_params_bool(params, "force", true);
        } else if (strncmp(argv[i], "--", 2) == 0 || world) {
            return cli_no_option(command, argv[i]), false;
        } else {
            world = argv[i];
        }
    }
    if (!world) {
        return cli_usage("usage: weft %s WORLD [OPTIONS]; see weft help %s", command, command), false;
    }
    weft_params_ref(params, "world", world);
    return true;
}

static void print(const msgpack_object *result, const char *field, const char *what)
{
    const msgpack_object *edit = weft_get(result, field), *left_out = weft_get(result, "left_out");
    const msgpack_object *overwritten = weft_get(result, "overwritten");
    char method[48], user[CLI_CELL_SIZE], thing[32], why[CLI_CELL_SIZE];
    weft_string_copy(weft_get(edit, "method"), method, sizeof method);
    weft_string_copy(weft_get(edit, "user"), user, sizeof user);
    printf("revision %llu  %s %s of revision %llu%s%s\n", cli_field_u64(result, "revision"), what, method,
           cli_field_u64(edit, "revision"), user[0] ? ", by " : "", user);
    for (uint32_t i = 0; i < weft_count(left_out); i++) {
        const msgpack_object *one = weft_at(left_out, i);
        printf("left out: %s %llu: %s\n", weft_string_copy(weft_get(one, "thing"), thing, sizeof thing),
               cli_field_u64(one, "id"), weft_string_copy(weft_get(one, "why"), why, sizeof why));
    }
    for (uint32_t i = 0; i < weft_count(overwritten); i++) {
        const msgpack_object *one = weft_at(overwritten, i);
        char changed[CLI_CELL_SIZE];
        weft_string_copy(weft_get(one, "user"), user, sizeof user);
        printf("overwritten: %s, which %s changed at revision %llu\n",
               weft_string_copy(weft_get(one, "what"), changed, sizeof changed),
               user[0] ? user : "somebody without a name", cli_field_u64(one, "revision"));
    }
}

static int ask(struct cli *cli, int argc, char **argv, bool undo)
{
    struct weft_params params;
    struct weft_reply reply = {0};
    int status = CLI_USAGE;
    weft_params_init(&params);
    if (read_options(argc, argv, undo ? "undo" : "redo", &params)) {
        status = cli_call(cli, undo ? "edit.undo" : "edit.redo", &params, &reply);
    }
    if (status == CLI_OK && cli->json) {
        cli_print_json(&reply.result);
    } else if (status == CLI_OK) {
        print(&reply.result, undo ? "undone" : "redone", undo ? "undoes" : "redoes");
    }
    weft_reply_destroy(&reply);
    weft_params_deinit(&params);
    return status;
}

int cli_undo(struct cli *cli, int argc, char **argv)
{
    return ask(cli, argc, argv, true);
}

int cli_redo(struct cli *cli, int argc, char **argv)
{
    return ask(cli, argc, argv, false);
}
