// Commands on one world: each reads its arguments, makes a call, and prints the answer.
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Calls a method with the world as its only parameter. print shows the answer to people.
static int call_on_world(struct cli *cli, int argc, char **argv, const char *method, const char *usage,
                         void (*print)(const char *world, const msgpack_object *result))
{
    struct weft_params params;
    struct weft_reply reply;
    if (!cli_plain(&argc, &argv, 1, 1, usage)) {
        return CLI_USAGE;
    }
    weft_params_init(&params);
    weft_params_ref(&params, "world", argv[0]);
    const int status = cli_call(cli, method, &params, &reply);
    if (status == CLI_OK) {
        if (cli->json) {
            cli_print_json(&reply.result);
        } else {
            print(argv[0], &reply.result);
        }
    }
    weft_reply_destroy(&reply);
    weft_params_deinit(&params);
    return status;
}

int cli_new(struct cli *cli, int argc, char **argv)
{
    static const struct {
        const char *option, *field;
        enum { WHOLE, NUMBER, WORD } kind;
    } settings[] = {{"--tick-rate", "tick_rate", WHOLE},
                    {"--substeps", "substeps", WHOLE},
                    {"--iterations", "iterations", WHOLE},
                    {"--damping", "damping", NUMBER},
                    {"--resolution", "resolution", NUMBER},
                    {"--extent", "extent", NUMBER},
                    {"--contact-quality", "contact_quality", WORD},
                    {"--bending", "bending", WORD},
                    {"--loads", "loads", WORD}};
    struct weft_params params;
    struct weft_reply reply = {0};
    const char *name = NULL, *value;
    double vector[3], number;
    int status = CLI_USAGE;
    weft_params_init(&params);
    for (int i = 0; i < argc; i++) {
        bool taken = false;
        for (size_t s = 0; s < sizeof settings / sizeof *settings && !taken; s++) {
            if (!cli_option(argc, argv, &i, settings[s].option, &value)) {
                continue;
            }
            taken = true;
            if (settings[s].kind == WORD) {
                weft_params_string(&params, settings[s].field, value);
                continue;
            }
            if (!cli_number(value, -INFINITY, INFINITY, &number)) {
                cli_usage("%s needs a number", settings[s].option);
                goto cleanup;
            }
            if (settings[s].kind == WHOLE && floor(number) == number && fabs(number) < 9e15) {
                weft_params_i64(&params, settings[s].field, (int64_t)number);
            } else {
                weft_params_f64(&params, settings[s].field, number);
            }
        }
        if (taken) {
            continue;
        }
        if (cli_option(argc, argv, &i, "--gravity", &value)) {
            if (!cli_numbers(value, 3, vector)) {
                cli_usage("--gravity needs x,y,z in m/s^2, such as 0,-9.81,0");
                goto cleanup;
            }
            weft_params_vec3(&params, "gravity", vector[0], vector[1], vector[2]);
        } else if (strcmp(argv[i], "--sleep") == 0 || strcmp(argv[i], "--no-sleep") == 0) {
            weft_params_bool(&params, "sleep", argv[i][2] == 's');
        } else if (strcmp(argv[i], "--calm") == 0 || strcmp(argv[i], "--no-calm") == 0) {
            weft_params_bool(&params, "calm", argv[i][2] == 'c');
        } else if (strcmp(argv[i], "--untangle") == 0) {
            weft_params_bool(&params, "untangle", true);
        } else if (strcmp(argv[i], "--long-edges") == 0 || strcmp(argv[i], "--no-long-edges") == 0) {
            weft_params_bool(&params, "long_edges", argv[i][2] == 'l');
        } else if (strcmp(argv[i], "--") == 0 && i + 2 == argc && !name) {
            name = argv[++i];
        } else if (strncmp(argv[i], "--", 2) == 0 || name) {
            cli_no_option("new", argv[i]);
            goto cleanup;
        } else {
            name = argv[i];
        }
    }
    if (!name) {
        cli_usage("usage: weft new NAME [OPTIONS]; see weft help new");
        goto cleanup;
    }
    weft_params_string(&params, "name", name);
    status = cli_call(cli, "world.create", &params, &reply);
    if (status == CLI_OK && cli->json) {
        cli_print_json(&reply.result);
    } else if (status == CLI_OK) {
        char text[CLI_CELL_SIZE];
        weft_string_copy(weft_get(&reply.result, "name"), text, sizeof text);
        printf("world %llu  %s\n", cli_field_u64(&reply.result, "world"), text);
        if (strspn(text, "0123456789") == strlen(text)) {
            printf("(a number is taken for an id: by its name this world is name:%s)\n", text);
        }
    }

cleanup:
    weft_reply_destroy(&reply);
    weft_params_deinit(&params);
    return status;
}

static int print_tick(struct cli *cli, const char *what, int status, const struct weft_reply *reply)
{
    if (status == CLI_OK && cli->json) {
        cli_print_json(&reply->result);
    } else if (status == CLI_OK) {
        printf("%s at tick %llu\n", what, cli_field_u64(&reply->result, "tick"));
    }
    return status;
}

int cli_play(struct cli *cli, int argc, char **argv)
{
    struct weft_params params;
    struct weft_reply reply = {0};
    const char *world = NULL, *value;
    double rate;
    int status = CLI_USAGE;
    weft_params_init(&params);
    for (int i = 0; i < argc; i++) {
        if (cli_option(argc, argv, &i, "--rate", &value)) {
            if (!cli_number(value, -INFINITY, INFINITY, &rate)) {
                cli_usage("--rate needs a number: 1 is real time, 0 as fast as possible");
                goto cleanup;
            }
            weft_params_f64(&params, "rate", rate);
        } else if (world || strncmp(argv[i], "--", 2) == 0) {
            cli_usage("usage: weft play WORLD [--rate R]");
            goto cleanup;
        } else {
            world = argv[i];
        }
    }
    if (!world) {
        cli_usage("usage: weft play WORLD [--rate R]");
        goto cleanup;
    }
    weft_params_ref(&params, "world", world);
    status = cli_call(cli, "world.play", &params, &reply);
    print_tick(cli, "playing", status, &reply);

cleanup:
    weft_reply_destroy(&reply);
    weft_params_deinit(&params);
    return status;
}

int cli_step(struct cli *cli, int argc, char **argv)
{
    struct weft_params params;
    struct weft_reply reply;
    double ticks = 1;
    if (!cli_plain(&argc, &argv, 1, 2, "step WORLD [TICKS]")) {
        return CLI_USAGE;
    }
    if (argc == 2 && (!cli_number(argv[1], 1, 1e9, &ticks) || floor(ticks) != ticks)) {
        return cli_usage("TICKS is a whole number from 1 to 1000000000");
    }
    // The ticks take as long as they take.
    if (!cli->timeout_given) {
        cli->timeout_ms = 0;
    }
    weft_params_init(&params);
    weft_params_ref(&params, "world", argv[0]);
    weft_params_u64(&params, "ticks", (uint64_t)ticks);
    const int status = cli_call(cli, "world.step", &params, &reply);
    print_tick(cli, "paused", status, &reply);
    weft_reply_destroy(&reply);
    weft_params_deinit(&params);
    return status;
}

static void print_paused(const char *world, const msgpack_object *result)
{
    (void)world;
    printf("paused at tick %llu\n", cli_field_u64(result, "tick"));
}

static void print_reset(const char *world, const msgpack_object *result)
{
    (void)world;
    printf("reset at tick %llu, revision %llu\n", cli_field_u64(result, "tick"),
           cli_field_u64(result, "revision"));
}

static void print_deleted(const char *world, const msgpack_object *result)
{
    (void)result;
    printf("deleted %s\n", world);
}

static void print_world(const char *world, const msgpack_object *result)
{
    (void)world;
    cli_print_fields(result);
}

static void print_hash(const char *world, const msgpack_object *result)
{
    char hash[64];
    (void)world;
    printf("%s  tick %llu  revision %llu\n", weft_string_copy(weft_get(result, "hash"), hash, sizeof hash),
           cli_field_u64(result, "tick"), cli_field_u64(result, "revision"));
}

int cli_pause(struct cli *cli, int argc, char **argv)
{
    return call_on_world(cli, argc, argv, "world.pause", "pause WORLD", print_paused);
}

int cli_delete(struct cli *cli, int argc, char **argv)
{
    return call_on_world(cli, argc, argv, "world.delete", "delete WORLD", print_deleted);
}

int cli_get(struct cli *cli, int argc, char **argv)
{
    return call_on_world(cli, argc, argv, "world.get", "get WORLD", print_world);
}

int cli_reset(struct cli *cli, int argc, char **argv)
{
    return call_on_world(cli, argc, argv, "world.reset", "reset WORLD", print_reset);
}

int cli_hash(struct cli *cli, int argc, char **argv)
{
    return call_on_world(cli, argc, argv, "world.hash", "hash WORLD", print_hash);
}
