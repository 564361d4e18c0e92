// The commands but watch: each takes its arguments, makes one or two calls, and prints what came.
#include "cli.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------
// Shared

// Arguments that are no options: at least `least`, at most `most`. A leading `--` is passed over.
static bool take_plain(int *argc, char ***argv, int least, int most, const char *usage)
{
    if (*argc && strcmp(**argv, "--") == 0) {
        --*argc;
        ++*argv;
    } else {
        for (int i = 0; i < *argc; i++) {
            if (strncmp((*argv)[i], "--", 2) == 0) {
                cli_usage("there is no option '%s' here; usage: weft %s", (*argv)[i], usage);
                return false;
            }
        }
    }
    if (*argc >= least && *argc <= most)
        return true;
    cli_usage("usage: weft %s", usage);
    return false;
}

static void print_json(const msgpack_object *value)
{
    cli_json_write(stdout, value, false);
    fputc('\n', stdout);
}

// Name and value of each field that is no container of containers.
static void add_fields(struct cli_table *table, const msgpack_object *map)
{
    if (!map || map->type != MSGPACK_OBJECT_MAP)
        return;
    for (uint32_t i = 0; i < map->via.map.size; i++) {
        char name[CLI_CELL_SIZE], value[CLI_CELL_SIZE];
        const char *row[2] = {weft_string_copy(&map->via.map.ptr[i].key, name, sizeof name),
                              cli_value_text(&map->via.map.ptr[i].val, value, sizeof value)};
        cli_table_row(table, row);
    }
}

static void print_fields(const msgpack_object *map)
{
    struct cli_table table;
    cli_table_init(&table, 2);
    add_fields(&table, map);
    cli_table_print(&table, 0, false);
    cli_table_deinit(&table);
}

// A call with the world alone. print tells it to people.
static int call_on_world(struct cli *cli, int argc, char **argv, const char *method, const char *usage,
                         void (*print)(const char *world, const msgpack_object *result))
{
    struct weft_params params;
    struct weft_reply reply;
    if (!take_plain(&argc, &argv, 1, 1, usage))
        return CLI_USAGE;
    weft_params_init(&params);
    weft_params_ref(&params, "world", argv[0]);
    const int status = cli_call(cli, method, &params, &reply);
    if (status == CLI_OK) {
        if (cli->json)
            print_json(&reply.result);
        else
            print(argv[0], &reply.result);
    }
    weft_reply_destroy(&reply);
    weft_params_deinit(&params);
    return status;
}

static unsigned long long field_u64(const msgpack_object *map, const char *field)
{
    return (unsigned long long)weft_u64(weft_get(map, field), 0);
}

// ---------------------------------------------------------------------------------------------------------
// Server

static void print_info(const struct cli *cli, const msgpack_object *info, const msgpack_object *stats)
{
    struct cli_table table;
    char text[CLI_CELL_SIZE], name[64], version[64];
    cli_table_init(&table, 2);
    cli_table_row(&table, (const char *[]){"server", cli->server ? cli->server : WEFT_ADDRESS_DEFAULT});
    snprintf(text, sizeof text, "%s %s", weft_string_copy(weft_get(info, "name"), name, sizeof name),
             weft_string_copy(weft_get(info, "version"), version, sizeof version));
    cli_table_row(&table, (const char *[]){"program", text});
    snprintf(text, sizeof text, "level %llu, compatible with %llu, %u methods", field_u64(info, "api_level"),
             field_u64(info, "api_compatible"), weft_count(weft_get(info, "methods")));
    cli_table_row(&table, (const char *[]){"api", text});
    add_fields(&table, stats);
    cli_table_print(&table, 0, false);
    cli_table_deinit(&table);
}

static int run_info(struct cli *cli, int argc, char **argv)
{
    struct weft_reply info = {0}, stats = {0};
    if (!take_plain(&argc, &argv, 0, 0, "info"))
        return CLI_USAGE;
    int status = cli_call(cli, "server.info", NULL, &info);
    if (status == CLI_OK)
        status = cli_call(cli, "server.stats", NULL, &stats);
    if (status == CLI_OK && cli->json) {
        const msgpack_object *map = &info.result;
        fputc('{', stdout);
        for (uint32_t i = 0; map->type == MSGPACK_OBJECT_MAP && i < map->via.map.size; i++) {
            cli_json_write(stdout, &map->via.map.ptr[i].key, false);
            fputc(':', stdout);
            cli_json_write(stdout, &map->via.map.ptr[i].val, false);
            fputc(',', stdout);
        }
        fputs("\"stats\":", stdout);
        cli_json_write(stdout, &stats.result, false);
        fputs("}\n", stdout);
    } else if (status == CLI_OK) {
        print_info(cli, &info.result, &stats.result);
    }
    weft_reply_destroy(&info);
    weft_reply_destroy(&stats);
    return status;
}

static int run_list(struct cli *cli, int argc, char **argv)
{
    static const char *const head[] = {"ID", "NAME", "STATE", "RATE", "TICK", "REVISION", "BODIES", "PARTICLES", "PEOPLE"};
    static const char *const fields[] = {"world",    "name",   "state",     "rate",  "tick",
                                         "revision", "bodies", "particles", "people"};
    enum { COLUMNS = sizeof head / sizeof *head };
    struct weft_reply reply;
    if (!take_plain(&argc, &argv, 0, 0, "list"))
        return CLI_USAGE;
    const int status = cli_call(cli, "world.list", NULL, &reply);
    if (status == CLI_OK && cli->json) {
        print_json(&reply.result);
    } else if (status == CLI_OK) {
        struct cli_table table;
        cli_table_init(&table, COLUMNS);
        cli_table_row(&table, head);
        const msgpack_object *worlds = weft_get(&reply.result, "worlds");
        for (uint32_t i = 0; i < weft_count(worlds); i++) {
            char texts[COLUMNS][CLI_CELL_SIZE];
            const char *row[COLUMNS];
            for (int c = 0; c < COLUMNS; c++)
                row[c] = cli_value_text(weft_get(weft_at(worlds, i), fields[c]), texts[c], sizeof texts[c]);
            cli_table_row(&table, row);
        }
        cli_table_print(&table, 0x1f9, true);
        cli_table_deinit(&table);
    }
    weft_reply_destroy(&reply);
    return status;
}

// ---------------------------------------------------------------------------------------------------------
// Worlds

static bool parse_vec3(const char *text, double value[3])
{
    char *end;
    for (int i = 0; i < 3; i++) {
        value[i] = strtod(text, &end);
        if (end == text || *end != (i < 2 ? ',' : '\0'))
            return false;
        text = end + 1;
    }
    return true;
}

static int run_new(struct cli *cli, int argc, char **argv)
{
    static const struct {
        const char *option, *field;
        bool is_whole;
    } settings[] = {{"--tick-rate", "tick_rate", true},    {"--substeps", "substeps", true},
                    {"--iterations", "iterations", true},  {"--damping", "damping", false},
                    {"--resolution", "resolution", false}, {"--extent", "extent", false}};
    struct weft_params params;
    struct weft_reply reply = {0};
    const char *name = NULL, *value;
    double vector[3], number;
    int status = CLI_USAGE;
    weft_params_init(&params);
    for (int i = 0; i < argc; i++) {
        bool taken = false;
        for (size_t s = 0; s < sizeof settings / sizeof *settings && !taken; s++) {
            if (!cli_option(argc, argv, &i, settings[s].option, &value))
                continue;
            taken = true;
            if (!cli_number(value, -INFINITY, INFINITY, &number)) {
                cli_usage("%s needs a number", settings[s].option);
                goto cleanup;
            }
            if (settings[s].is_whole && floor(number) == number && fabs(number) < 9e15)
                weft_params_i64(&params, settings[s].field, (int64_t)number);
            else
                weft_params_f64(&params, settings[s].field, number);
        }
        if (taken)
            continue;
        if (cli_option(argc, argv, &i, "--gravity", &value)) {
            if (!value || !parse_vec3(value, vector)) {
                cli_usage("--gravity needs x,y,z in m/s^2, such as 0,-9.81,0");
                goto cleanup;
            }
            weft_params_vec3(&params, "gravity", vector[0], vector[1], vector[2]);
        } else if (strcmp(argv[i], "--") == 0 && i + 2 == argc && !name) {
            name = argv[++i];
        } else if (strncmp(argv[i], "--", 2) == 0 || name) {
            cli_usage("there is no option '%s' here; see weft help new", argv[i]);
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
        print_json(&reply.result);
    } else if (status == CLI_OK) {
        char text[CLI_CELL_SIZE];
        printf("world %llu  %s\n", field_u64(&reply.result, "world"),
               weft_string_copy(weft_get(&reply.result, "name"), text, sizeof text));
    }

cleanup:
    weft_reply_destroy(&reply);
    weft_params_deinit(&params);
    return status;
}

static int print_tick(struct cli *cli, const char *what, int status, const struct weft_reply *reply)
{
    if (status == CLI_OK && cli->json)
        print_json(&reply->result);
    else if (status == CLI_OK)
        printf("%s at tick %llu\n", what, field_u64(&reply->result, "tick"));
    return status;
}

static int run_play(struct cli *cli, int argc, char **argv)
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

static int run_step(struct cli *cli, int argc, char **argv)
{
    struct weft_params params;
    struct weft_reply reply;
    double ticks = 1;
    if (!take_plain(&argc, &argv, 1, 2, "step WORLD [TICKS]"))
        return CLI_USAGE;
    if (argc == 2 && (!cli_number(argv[1], 1, 1e9, &ticks) || floor(ticks) != ticks))
        return cli_usage("TICKS is a whole number from 1 to 1000000000");
    // So many ticks take as long as they take.
    if (!cli->timeout_given)
        cli->timeout_ms = 0;
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
    printf("paused at tick %llu\n", field_u64(result, "tick"));
}

static void print_reset(const char *world, const msgpack_object *result)
{
    (void)world;
    printf("reset at tick %llu, revision %llu\n", field_u64(result, "tick"), field_u64(result, "revision"));
}

static void print_deleted(const char *world, const msgpack_object *result)
{
    (void)result;
    printf("deleted %s\n", world);
}

static void print_world(const char *world, const msgpack_object *result)
{
    (void)world;
    print_fields(result);
}

static void print_hash(const char *world, const msgpack_object *result)
{
    char hash[64];
    (void)world;
    printf("%s  tick %llu  revision %llu\n", weft_string_copy(weft_get(result, "hash"), hash, sizeof hash),
           field_u64(result, "tick"), field_u64(result, "revision"));
}

static int run_pause(struct cli *cli, int argc, char **argv)
{
    return call_on_world(cli, argc, argv, "world.pause", "pause WORLD", print_paused);
}

static int run_delete(struct cli *cli, int argc, char **argv)
{
    return call_on_world(cli, argc, argv, "world.delete", "delete WORLD", print_deleted);
}

static int run_get(struct cli *cli, int argc, char **argv)
{
    return call_on_world(cli, argc, argv, "world.get", "get WORLD", print_world);
}

static int run_reset(struct cli *cli, int argc, char **argv)
{
    return call_on_world(cli, argc, argv, "world.reset", "reset WORLD", print_reset);
}

static int run_hash(struct cli *cli, int argc, char **argv)
{
    return call_on_world(cli, argc, argv, "world.hash", "hash WORLD", print_hash);
}

// ---------------------------------------------------------------------------------------------------------
// set: values take the types that the server gives for world.set

// The type of a parameter of world.set, NULL if there is none of that name.
static const msgpack_object *setting_type(const msgpack_object *info, const char *field, size_t length)
{
    const msgpack_object *methods = weft_get(info, "methods");
    for (uint32_t m = 0; m < weft_count(methods); m++) {
        const msgpack_object *method = weft_at(methods, m);
        if (!weft_string_is(weft_get(method, "name"), "world.set"))
            continue;
        const msgpack_object *params = weft_get(method, "params");
        for (uint32_t p = 0; p < weft_count(params); p++) {
            size_t size;
            const char *name = weft_string(weft_get(weft_at(params, p), "name"), &size);
            if (name && size == length && memcmp(name, field, size) == 0)
                return weft_get(weft_at(params, p), "type");
        }
    }
    return NULL;
}

static bool ends_with(const msgpack_object *text, const char *end)
{
    size_t size;
    const char *data = weft_string(text, &size);
    return data && size >= strlen(end) && memcmp(data + size - strlen(end), end, strlen(end)) == 0;
}

// Numbers between commas.
static bool add_list(struct weft_params *params, const char *field, const char *text)
{
    weft_params_list_begin(params, field);
    while (*text) {
        char *end;
        const double number = strtod(text, &end);
        if (end == text || (*end != ',' && *end != '\0'))
            return false;
        weft_params_f64(params, NULL, number);
        text = *end ? end + 1 : end;
    }
    weft_params_list_end(params);
    return true;
}

static bool add_setting(struct weft_params *params, const msgpack_object *type, const char *field, const char *text)
{
    double number;
    if (weft_string_is(type, "vec3") || ends_with(type, "[]"))
        return add_list(params, field, text);
    if (weft_string_is(type, "bool")) {
        const bool yes = !strcmp(text, "true") || !strcmp(text, "yes") || !strcmp(text, "1");
        const bool no = !strcmp(text, "false") || !strcmp(text, "no") || !strcmp(text, "0");
        weft_params_bool(params, field, yes);
        return yes || no;
    }
    const bool is_whole = weft_string_is(type, "u32") || weft_string_is(type, "u64");
    if (is_whole || weft_string_is(type, "float")) {
        if (!cli_number(text, -INFINITY, INFINITY, &number))
            return false;
        if (is_whole && floor(number) == number && fabs(number) < 9e15)
            weft_params_i64(params, field, (int64_t)number);
        else
            weft_params_f64(params, field, number);
        return true;
    }
    if (weft_string_is(type, "ref"))
        weft_params_ref(params, field, text);
    else
        // Strings and enums; and fields that the server does not know, which it refuses by name.
        weft_params_string(params, field, text);
    return true;
}

static int run_set(struct cli *cli, int argc, char **argv)
{
    struct weft_params params;
    struct weft_reply info = {0}, reply = {0};
    if (!take_plain(&argc, &argv, 2, 1000, "set WORLD KEY=VALUE..."))
        return CLI_USAGE;
    weft_params_init(&params);
    weft_params_ref(&params, "world", argv[0]);
    int status = cli_call(cli, "server.info", NULL, &info);
    for (int i = 1; i < argc && status == CLI_OK; i++) {
        char field[96];
        const char *equals = strchr(argv[i], '=');
        const size_t length = equals ? (size_t)(equals - argv[i]) : 0;
        if (length == 0 || length >= sizeof field) {
            status = cli_usage("'%s' is not KEY=VALUE", argv[i]);
            break;
        }
        memcpy(field, argv[i], length);
        field[length] = '\0';
        // --tick-rate and tick_rate are the same name to people.
        for (char *c = field; *c; c++)
            *c = *c == '-' ? '_' : *c;
        const msgpack_object *type = setting_type(&info.result, field, length);
        if (!add_setting(&params, type, field, equals + 1)) {
            char name[32];
            status = cli_usage("%s is a %s; '%s' is none", field, weft_string_copy(type, name, sizeof name), equals + 1);
        }
    }
    if (status == CLI_OK)
        status = cli_call(cli, "world.set", &params, &reply);
    if (status == CLI_OK && cli->json)
        print_json(&reply.result);
    else if (status == CLI_OK)
        printf("set at tick %llu, revision %llu\n", field_u64(&reply.result, "tick"),
               field_u64(&reply.result, "revision"));
    weft_reply_destroy(&info);
    weft_reply_destroy(&reply);
    weft_params_deinit(&params);
    return status;
}

// ---------------------------------------------------------------------------------------------------------
// call

static char *read_input(size_t *size)
{
    char *text = NULL;
    size_t capacity = 0;
    *size = 0;
    for (;;) {
        if (*size == capacity) {
            capacity = capacity ? capacity * 2 : 65536;
            char *grown = realloc(text, capacity);
            if (!grown) {
                free(text);
                return NULL;
            }
            text = grown;
        }
        const size_t got = fread(text + *size, 1, capacity - *size, stdin);
        *size += got;
        if (got == 0)
            return text;
    }
}

static int run_call(struct cli *cli, int argc, char **argv)
{
    struct weft_params params;
    struct weft_reply reply = {0};
    char *input = NULL, why[256];
    int status = CLI_USAGE;
    if (!take_plain(&argc, &argv, 1, 2, "call METHOD [JSON | -]"))
        return CLI_USAGE;
    weft_params_init(&params);
    if (argc == 2) {
        const char *text = argv[1];
        size_t size = strlen(text);
        if (strcmp(text, "-") == 0) {
            input = read_input(&size);
            text = input;
        }
        if (!text) {
            cli_usage("standard input cannot be read");
            goto cleanup;
        }
        if (!cli_json_params(text, size, &params, why, sizeof why)) {
            cli_usage("%s", why);
            goto cleanup;
        }
    }
    if (!cli->timeout_given && strcmp(argv[0], "world.step") == 0)
        cli->timeout_ms = 0;
    status = cli_call(cli, argv[0], &params, &reply);
    if (status == CLI_OK) {
        cli_json_write(stdout, &reply.result, !cli->json);
        fputc('\n', stdout);
    }

cleanup:
    free(input);
    weft_reply_destroy(&reply);
    weft_params_deinit(&params);
    return status;
}

const struct cli_command cli_commands[] = {
    {"info", "", "Shows what the server is and how it does.", NULL, run_info},
    {"list", "", "Lists the worlds.", NULL, run_list},
    {"new", "NAME [OPTIONS]", "Makes a world, paused.",
     "  --gravity X,Y,Z   m/s^2, default 0,-9.81,0\n"
     "  --tick-rate N     ticks in a second of the world, default 60\n"
     "  --substeps N      a tick, default 20\n"
     "  --iterations N    sweeps a substep, default 1\n"
     "  --damping C       1/s, default 0\n"
     "  --resolution R    m, a power of two\n"
     "  --extent E        m; a world in which something gets farther fails\n",
     run_new},
    {"play", "WORLD [--rate R]", "Lets a world run.",
     "  --rate R   multiple of real time, default 1; 0 is as fast as possible\n", run_play},
    {"pause", "WORLD", "Stops a world at the next tick.", NULL, run_pause},
    {"step", "WORLD [TICKS]", "Runs a paused world for so many ticks.",
     "Waits until they are done, however long that takes, unless --timeout is given.\n", run_step},
    {"set", "WORLD KEY=VALUE...", "Changes settings of a world.",
     "Keys are the parameters of world.set: name, gravity, substeps, iterations, damping, extent.\n"
     "Vectors are written x,y,z: weft set flag gravity=0,-1.62,0 damping=0.1\n",
     run_set},
    {"get", "WORLD", "Shows settings and counts of a world.", NULL, run_get},
    {"reset", "WORLD", "Puts everything back where it was added.", NULL, run_reset},
    {"delete", "WORLD", "Deletes a world.", NULL, run_delete},
    {"hash", "WORLD", "Prints the hash of the state, for comparing runs.", NULL, run_hash},
    {"call", "METHOD [JSON | -]", "Calls any method; - reads the JSON from standard input.",
     "The parameters are a JSON object: weft call body.get '{\"world\": \"flag\", \"body\": 1}'\n"
     "The answer is printed as JSON, typed arrays as lists.\n",
     run_call},
    {"watch", "WORLD [OPTIONS]", "Shows a world live.",
     "  --fps N      draw at most N pictures a second, default 30\n"
     "  --substeps   take a frame each substep instead of each tick\n"
     "  --frames N   end after N frames\n"
     "  --plain      a line a second instead of a picture; so too where there is no terminal\n"
     "\n"
     "Keys: arrows turn, + and - zoom, o orbits, space plays and pauses, s steps, r resets, q quits.\n",
     cli_watch},
};
const size_t cli_command_count = sizeof cli_commands / sizeof *cli_commands;
