// Permissions: tokens (weft token), roles in worlds and invitations (weft access).
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// ---------------------------------------------------------------------------------------------------------
// Shared by both

static const char *time_text(const msgpack_object *value, char *out, size_t out_size)
{
    const time_t at = (time_t)weft_f64(value, 0);
    struct tm local;
    if (at == 0 || !localtime_r(&at, &local) || strftime(out, out_size, "%Y-%m-%d %H:%M:%S", &local) == 0) {
        snprintf(out, out_size, "never");
    }
    return out;
}

static bool is_id(const char *text)
{
    return text[0] != '\0' && strspn(text, "0123456789") == strlen(text);
}

// Converts an option's days to seconds.
static bool days(struct weft_params *params, const char *value)
{
    double number;
    if (!value || !cli_number(value, 0, 3650, &number)) {
        return false;
    }
    weft_params_i64(params, "seconds", (int64_t)(number * 86400));
    return true;
}

// Calls a method and prints one field of the answer; NULL: prints only that it is done.
static int call(struct cli *cli, const char *method, const struct weft_params *params, const char *field)
{
    struct weft_reply reply = {0};
    char text[CLI_CELL_SIZE];
    const int status = cli_call(cli, method, params, &reply);
    if (status == CLI_OK && cli->json) {
        cli_print_json(&reply.result);
    } else if (status == CLI_OK && field) {
        printf("%s\n", cli_value_text(weft_get(&reply.result, field), text, sizeof text));
    }
    weft_reply_destroy(&reply);
    return status;
}

// Prints which invitations a call ended, and which roles the person who lost access had given to others.
static void print_ended(const msgpack_object *result)
{
    const msgpack_object *invites = weft_get(result, "invites"), *given = weft_get(result, "given");
    char name[CLI_CELL_SIZE], role[32], world[32];
    for (uint32_t i = 0; i < weft_count(invites); i++) {
        printf("ended: invitation %s into world %s\n",
               cli_value_text(weft_get(weft_at(invites, i), "id"), name, sizeof name),
               cli_value_text(weft_get(weft_at(invites, i), "world"), world, sizeof world));
    }
    for (uint32_t i = 0; i < weft_count(given); i++) {
        printf("kept: %s is %s of world %s, a role that this person gave\n",
               cli_value_text(weft_get(weft_at(given, i), "user"), name, sizeof name),
               cli_value_text(weft_get(weft_at(given, i), "role"), role, sizeof role),
               cli_value_text(weft_get(weft_at(given, i), "world"), world, sizeof world));
    }
}

static int call_ending(struct cli *cli, const char *method, const struct weft_params *params)
{
    struct weft_reply reply = {0};
    const int status = cli_call(cli, method, params, &reply);
    if (status == CLI_OK && cli->json) {
        cli_print_json(&reply.result);
    } else if (status == CLI_OK) {
        print_ended(&reply.result);
    }
    weft_reply_destroy(&reply);
    return status;
}

// ---------------------------------------------------------------------------------------------------------
// weft token

static int token_create(struct cli *cli, int argc, char **argv)
{
    static const char usage[] = "usage: weft token create NAME [--role viewer|editor|admin] [--days N]";
    struct weft_params params;
    const char *name = NULL, *value;
    int status = CLI_OK;
    weft_params_init(&params);
    for (int i = 0; i < argc && status == CLI_OK; i++) {
        if (cli_option(argc, argv, &i, "--role", &value) && value) {
            weft_params_string(&params, "role", value);
        } else if (cli_option(argc, argv, &i, "--days", &value)) {
            status = days(&params, value)
                         ? CLI_OK
                         : cli_usage("--days needs a number of days; 0: until it is revoked");
        } else if (argv[i][0] == '-' || name) {
            status = cli_usage(usage);
        } else {
            name = argv[i];
        }
    }
    if (status == CLI_OK && !name) {
        status = cli_usage(usage);
    }
    if (status == CLI_OK) {
        weft_params_string(&params, "user", name);
        status = call(cli, "token.create", &params, "token");
    }
    weft_params_deinit(&params);
    return status;
}

static int token_list(struct cli *cli)
{
    struct weft_reply reply = {0};
    const int status = cli_call(cli, "token.list", NULL, &reply);
    if (status == CLI_OK && cli->json) {
        cli_print_json(&reply.result);
    } else if (status == CLI_OK) {
        struct cli_table table;
        const msgpack_object *tokens = weft_get(&reply.result, "tokens");
        cli_table_init(&table, 6);
        cli_table_row(&table, (const char *[]){"ID", "NAME", "ROLE", "SESSIONS", "MADE", "EXPIRES"});
        for (uint32_t i = 0; i < weft_count(tokens); i++) {
            const msgpack_object *token = weft_at(tokens, i);
            char id[32], name[CLI_CELL_SIZE], role[32], sessions[32], made[64], expires[64];
            cli_table_row(&table, (const char *[]){
                                      cli_value_text(weft_get(token, "id"), id, sizeof id),
                                      cli_value_text(weft_get(token, "user"), name, sizeof name),
                                      cli_value_text(weft_get(token, "role"), role, sizeof role),
                                      cli_value_text(weft_get(token, "sessions"), sessions, sizeof sessions),
                                      time_text(weft_get(token, "created_at"), made, sizeof made),
                                      time_text(weft_get(token, "expires_at"), expires, sizeof expires),
                                  });
        }
        cli_table_print(&table, 0x9, true);
        cli_table_deinit(&table);
    }
    weft_reply_destroy(&reply);
    return status;
}

static int token_revoke(struct cli *cli, const char *whose, bool keep_invites)
{
    struct weft_params params;
    weft_params_init(&params);
    if (keep_invites) {
        weft_params_bool(&params, "keep_invites", true);
    }
    if (is_id(whose)) {
        weft_params_i64(&params, "id", (int64_t)strtoll(whose, NULL, 10));
    } else {
        weft_params_string(&params, "user", strncmp(whose, "name:", 5) == 0 ? whose + 5 : whose);
    }
    const int status = call_ending(cli, "token.revoke", &params);
    weft_params_deinit(&params);
    return status;
}

int cli_token(struct cli *cli, int argc, char **argv)
{
    const char *what = argc > 0 ? argv[0] : "";
    if (strcmp(what, "create") == 0) {
        return token_create(cli, argc - 1, argv + 1);
    }
    if (strcmp(what, "list") == 0 && argc == 1) {
        return token_list(cli);
    }
    const bool keep_invites = argc == 3 && strcmp(argv[2], "--keep-invites") == 0;
    if (strcmp(what, "revoke") == 0 && (argc == 2 || keep_invites)) {
        return token_revoke(cli, argv[1], keep_invites);
    }
    return cli_usage("usage: weft token create NAME [OPTIONS], weft token list, weft token revoke ID|NAME "
                     "[--keep-invites]; see weft help "
                     "token");
}

// ---------------------------------------------------------------------------------------------------------
// weft access

static void print_access(const msgpack_object *result)
{
    const msgpack_object *people = weft_get(result, "people"), *invites = weft_get(result, "invites");
    struct cli_table table;
    char name[CLI_CELL_SIZE], role[32], control[32];
    cli_table_init(&table, 2);
    cli_table_row(&table, (const char *[]){"NAME", "ROLE"});
    for (uint32_t i = 0; i < weft_count(people); i++) {
        cli_table_row(&table, (const char *[]){
                                  cli_value_text(weft_get(weft_at(people, i), "user"), name, sizeof name),
                                  cli_value_text(weft_get(weft_at(people, i), "role"), role, sizeof role)});
    }
    for (uint32_t i = 0; i < weft_count(invites); i++) {
        char id[32], uses[32], until[64];
        const msgpack_object *invite = weft_at(invites, i);
        snprintf(name, sizeof name, "(invitation %s, %s times, until %s)",
                 cli_value_text(weft_get(invite, "id"), id, sizeof id),
                 cli_value_text(weft_get(invite, "uses"), uses, sizeof uses),
                 time_text(weft_get(invite, "expires_at"), until, sizeof until));
        cli_table_row(&table,
                      (const char *[]){name, cli_value_text(weft_get(invite, "role"), role, sizeof role)});
    }
    cli_table_print(&table, 0, true);
    cli_table_deinit(&table);
    printf("played and paused by: %ss\n",
           cli_value_text(weft_get(result, "control"), control, sizeof control));
}

static int access_show(struct cli *cli, const struct weft_params *params)
{
    struct weft_reply reply = {0};
    const int status = cli_call(cli, "access.list", params, &reply);
    if (status == CLI_OK && cli->json) {
        cli_print_json(&reply.result);
    } else if (status == CLI_OK) {
        print_access(&reply.result);
    }
    weft_reply_destroy(&reply);
    return status;
}

// Reads one change; false if its value is missing or wrong.
static bool access_change(struct weft_params *params, int argc, char **argv, const char **method)
{
    const char *option = argc > 0 ? argv[0] : "", *value = argc > 1 ? argv[1] : NULL;
    double uses;
    if (strcmp(option, "--grant") == 0 && argc >= 2 && argc <= 3) {
        *method = "access.grant";
        weft_params_string(params, "user", value);
        if (argc == 3) {
            weft_params_string(params, "role", argv[2]);
        }
        return true;
    }
    if (strcmp(option, "--revoke") == 0 &&
        (argc == 2 || (argc == 3 && strcmp(argv[2], "--keep-invites") == 0))) {
        if (argc == 3) {
            weft_params_bool(params, "keep_invites", true);
        }
        *method = "access.revoke";
        if (is_id(value)) {
            weft_params_i64(params, "invite", (int64_t)strtoll(value, NULL, 10));
        } else {
            weft_params_string(params, "user", strncmp(value, "name:", 5) == 0 ? value + 5 : value);
        }
        return true;
    }
    if (strcmp(option, "--control") == 0 && argc == 2) {
        *method = "access.set";
        weft_params_string(params, "control", value);
        return true;
    }
    if (strcmp(option, "--invite") != 0 || argc < 2) {
        return false;
    }
    *method = "access.invite";
    weft_params_string(params, "role", value);
    for (int i = 2; i < argc; i++) {
        if (cli_option(argc, argv, &i, "--uses", &value) && value && cli_number(value, 1, 1000, &uses) &&
            floor(uses) == uses) {
            weft_params_i64(params, "uses", (int64_t)uses);
        } else if (!cli_option(argc, argv, &i, "--days", &value) || !days(params, value)) {
            return false;
        }
    }
    return true;
}

int cli_access(struct cli *cli, int argc, char **argv)
{
    struct weft_params params;
    const char *method = NULL;
    int status;
    if (argc < 1 || argv[0][0] == '-') {
        return cli_usage("usage: weft access WORLD [CHANGE]; see weft help access");
    }
    weft_params_init(&params);
    weft_params_ref(&params, "world", argv[0]);
    if (argc == 1) {
        status = access_show(cli, &params);
    } else if (access_change(&params, argc - 1, argv + 1, &method)) {
        status = strcmp(method, "access.invite") == 0 ? call(cli, method, &params, "invite")
                                                      : call_ending(cli, method, &params);
    } else {
        status = cli_usage("usage: weft access WORLD [CHANGE]; see weft help access");
    }
    weft_params_deinit(&params);
    return status;
}
