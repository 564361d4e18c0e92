// Functions that every command needs: reading arguments, connecting to the server, printing errors.
#include "cli.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

char *cli_shown(const char *text, char *out, size_t out_size)
{
    const msgpack_object value = {.type = MSGPACK_OBJECT_STR,
                                  .via.str = {.size = (uint32_t)strlen(text), .ptr = text}};
    return weft_string_copy(&value, out, out_size);
}

int cli_report(const struct weft_error *error)
{
    // Names of files and texts of a server may hold control sequences of terminals.
    char text[2 * sizeof error->text];
    fflush(stdout);
    fprintf(stderr, "weft: %s: %s\n", error->code, cli_shown(error->text, text, sizeof text));
    if (error->kind == WEFT_KIND_TRANSPORT) {
        return CLI_UNREACHABLE;
    }
    return error->kind == WEFT_KIND_LOCAL && strcmp(error->code, "USAGE") == 0 ? CLI_USAGE : CLI_REFUSED;
}

int cli_usage(const char *format, ...)
{
    char text[2048], shown[2 * sizeof text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fflush(stdout);
    fprintf(stderr, "weft: USAGE: %s\n", cli_shown(text, shown, sizeof shown));
    return CLI_USAGE;
}

bool cli_option(int argc, char **argv, int *index, const char *name, const char **value)
{
    const char *argument = argv[*index];
    const size_t length = strlen(name);
    if (strncmp(argument, name, length) != 0 || (argument[length] != '\0' && argument[length] != '=')) {
        return false;
    }
    if (argument[length] == '=') {
        *value = argument + length + 1;
    } else {
        *value = *index + 1 < argc ? argv[++*index] : NULL;
    }
    return true;
}

bool cli_number(const char *text, double low, double high, double *number)
{
    char *end;
    if (!text || !*text || isspace((unsigned char)*text)) {
        return false;
    }
    *number = strtod(text, &end);
    return *end == '\0' && *number >= low && *number <= high;
}

bool cli_numbers(const char *text, int count, double *numbers)
{
    char *end;
    for (int i = 0; text && i < count; i++) {
        numbers[i] = strtod(text, &end);
        if (end == text || !isfinite(numbers[i]) || *end != (i + 1 < count ? ',' : '\0')) {
            return false;
        }
        text = end + 1;
    }
    return text != NULL;
}

struct weft_client *cli_connect_anew(const struct cli *cli, int timeout_ms, struct weft_error *error)
{
    return weft_connect_tls(cli->server, &cli->tls, timeout_ms, error);
}

static void on_line(void *context, struct weft_client *client, enum weft_line line,
                    const msgpack_object *hello, const struct weft_error *error)
{
    const struct cli *cli = context;
    char shown[1024];
    if (!cli->stay.silent) {
        fflush(stdout);
        if (line == WEFT_AWAY) {
            fprintf(stderr, "weft: the connection is lost; trying again: %s\n",
                    cli_shown(error->text, shown, sizeof shown));
        } else if (line == WEFT_MOVED) {
            fprintf(stderr, "weft: continues at %s\n", weft_address(client));
        } else {
            fprintf(stderr, "weft: the connection is back%s\n",
                    line == WEFT_ANEW ? "; the old session is gone, and a new one has begun" : "");
        }
    }
    if (cli->stay.then) {
        cli->stay.then(cli->stay.context, line, hello);
    }
}

bool cli_is_lost(const struct weft_error *error)
{
    return error->kind == WEFT_KIND_TRANSPORT && strcmp(error->code, "LOST") == 0;
}

bool cli_has_rejoin(const msgpack_object *hello)
{
    struct weft_view worlds;
    weft_view_u32(weft_get(hello, "rejoin"), &worlds);
    const bool has = worlds.count > 0;
    weft_view_deinit(&worlds);
    return has;
}

int cli_connect(struct cli *cli)
{
    struct weft_error error;
    char token[CLI_TOKEN_SIZE];
    if (cli->client) {
        return CLI_OK;
    }
    const int status = cli_token_find(cli, token);
    if (status != CLI_OK) {
        return status;
    }
    cli->client = cli_connect_anew(cli, cli->timeout_ms, &error);
    if (!cli->client) {
        return cli_report(&error);
    }
    if (cli->stay.on) {
        const struct weft_resume_options resume = {
            .limit_ms = (uint32_t)cli->timeout_ms, .on_line = on_line, .context = cli};
        weft_resume(cli->client, &resume);
    }
    // Without a token the answer is not waited for: a server that asks for no tokens accepts it anyway.
    struct weft_params params;
    const char *user = getenv("USER");
    weft_params_init(&params);
    weft_params_string(&params, "client", "weft");
    if (user && *user && strlen(user) <= 64) {
        weft_params_string(&params, "user", user);
    }
    bool known = true;
    if (token[0] != '\0') {
        struct weft_reply reply = {0};
        weft_params_string(&params, "token", token);
        known = weft_call(cli->client, "session.hello", &params, &reply, &error);
        weft_reply_destroy(&reply);
    } else {
        weft_call_async(cli->client, "session.hello", &params, NULL, NULL, NULL);
    }
    weft_params_deinit(&params);
    return known ? CLI_OK : cli_report(&error);
}

int cli_call(struct cli *cli, const char *method, const struct weft_params *params, struct weft_reply *reply)
{
    struct weft_error error;
    memset(reply, 0, sizeof *reply);
    const int status = cli_connect(cli);
    if (status != CLI_OK) {
        return status;
    }
    return weft_call(cli->client, method, params, reply, &error) ? CLI_OK : cli_report(&error);
}

// ---------------------------------------------------------------------------------------------------------
// Output that many commands share

void cli_print_json(const msgpack_object *value)
{
    cli_json_write(stdout, value, false);
    fputc('\n', stdout);
}

void cli_print_warnings(const msgpack_object *result)
{
    const msgpack_object *warnings = weft_get(result, "warnings");
    for (uint32_t i = 0; i < weft_count(warnings); i++) {
        char code[40], text[300];
        printf("  %s: %s\n", weft_string_copy(weft_get(weft_at(warnings, i), "code"), code, sizeof code),
               weft_string_copy(weft_get(weft_at(warnings, i), "text"), text, sizeof text));
    }
}

// Prints a row for each field of a nested map: wind.velocity.
static void table_fields(struct cli_table *table, const msgpack_object *map, const char *prefix, int depth)
{
    for (uint32_t i = 0; i < map->via.map.size; i++) {
        const msgpack_object *value = &map->via.map.ptr[i].val;
        char key[CLI_CELL_SIZE], name[CLI_CELL_SIZE], text[CLI_CELL_SIZE];
        weft_string_copy(&map->via.map.ptr[i].key, key, sizeof key);
        const int length = snprintf(name, sizeof name, "%s%s", prefix, key);
        if (value->type == MSGPACK_OBJECT_MAP && depth > 0 && length + 1 < (int)sizeof name) {
            memcpy(name + length, ".", 2);
            table_fields(table, value, name, depth - 1);
        } else {
            cli_table_row(table, (const char *[]){name, cli_value_text(value, text, sizeof text)});
        }
    }
}

void cli_table_fields(struct cli_table *table, const msgpack_object *map)
{
    if (map && map->type == MSGPACK_OBJECT_MAP) {
        table_fields(table, map, "", 3);
    }
}

void cli_print_fields(const msgpack_object *map)
{
    struct cli_table table;
    cli_table_init(&table, 2);
    cli_table_fields(&table, map);
    cli_table_print(&table, 0, false);
    cli_table_deinit(&table);
}

unsigned long long cli_field_u64(const msgpack_object *map, const char *field)
{
    return (unsigned long long)weft_u64(weft_get(map, field), 0);
}
