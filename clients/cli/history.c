// A world's past, through the server: history, log, branch, bin, restore.
#include "cli.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REVISIONS_MAX = 1024, PARAMS_SHOWN = 120 };

// Formats seconds since 1970 as local time. Returns out.
static const char *when_text(const msgpack_object *value, char *out, size_t size)
{
    const time_t seconds = (time_t)weft_f64(value, 0);
    struct tm parts;
    if (!localtime_r(&seconds, &parts) || strftime(out, size, "%Y-%m-%d %H:%M:%S", &parts) == 0) {
        snprintf(out, size, "?");
    }
    return out;
}

// ---------------------------------------------------------------------------------------------------------
// weft history

static void row(struct cli_table *table, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void row(struct cli_table *table, const char *name, const char *format, ...)
{
    char text[CLI_CELL_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    cli_table_row(table, (const char *[]){name, text});
}

static void print_history(const msgpack_object *history)
{
    struct cli_table table;
    char when[64];
    const msgpack_object *spans = weft_get(history, "spans");
    cli_table_init(&table, 2);
    row(&table, "ticks", "%llu to %llu", cli_field_u64(history, "first_tick"),
        cli_field_u64(history, "tick"));
    row(&table, "revision", "%llu", cli_field_u64(history, "revision"));
    row(&table, "records", "%llu", cli_field_u64(history, "records"));
    row(&table, "images", "%llu", cli_field_u64(history, "images"));
    row(&table, "bytes", "%llu", cli_field_u64(history, "bytes"));
    row(&table, "began", "%s", when_text(weft_get(history, "began_at"), when, sizeof when));
    for (uint32_t i = 0; i < weft_count(spans); i++) {
        const msgpack_object *span = weft_at(spans, i);
        row(&table, "solver", "%llu from tick %llu to %llu%s", cli_field_u64(span, "solver"),
            cli_field_u64(span, "first_tick"), cli_field_u64(span, "last_tick"),
            weft_bool(weft_get(span, "exact"), true) ? "" : ", only where there is an image");
    }
    cli_table_print(&table, 0, false);
    cli_table_deinit(&table);
}

int cli_history(struct cli *cli, int argc, char **argv)
{
    struct weft_params params;
    struct weft_reply reply;
    if (!cli_plain(&argc, &argv, 1, 1, "history WORLD")) {
        return CLI_USAGE;
    }
    weft_params_init(&params);
    weft_params_ref(&params, "world", argv[0]);
    const int status = cli_call(cli, "world.history", &params, &reply);
    if (status == CLI_OK && cli->json) {
        cli_print_json(&reply.result);
    } else if (status == CLI_OK) {
        print_history(&reply.result);
    }
    weft_reply_destroy(&reply);
    weft_params_deinit(&params);
    return status;
}

// ---------------------------------------------------------------------------------------------------------
// weft log

struct paging {
    const char *world;
    double since, limit; // limit 0: all
    bool inputs;
};

static bool read_paging(int argc, char **argv, struct paging *paging)
{
    const char *value;
    *paging = (struct paging){0};
    for (int i = 0; i < argc; i++) {
        if (cli_option(argc, argv, &i, "--since", &value)) {
            if (!cli_number(value, 0, 9e15, &paging->since) || floor(paging->since) != paging->since) {
                return cli_usage("--since needs the number of a record, or 0"), false;
            }
        } else if (cli_option(argc, argv, &i, "--limit", &value)) {
            if (!cli_number(value, 1, 9e15, &paging->limit) || floor(paging->limit) != paging->limit) {
                return cli_usage("--limit needs a number from 1"), false;
            }
        } else if (strcmp(argv[i], "--inputs") == 0) {
            paging->inputs = true;
        } else if (strncmp(argv[i], "--", 2) == 0 || paging->world) {
            return cli_no_option("log", argv[i]), false;
        } else {
            paging->world = argv[i];
        }
    }
    return paging->world || (cli_usage("usage: weft log WORLD [OPTIONS]; see weft help log"), false);
}

// Prints name=value of each field on one line, which is cut if it gets too long.
static void print_fields(const msgpack_object *params)
{
    char *text = NULL, name[64];
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) {
        return;
    }
    for (uint32_t i = 0; params && params->type == MSGPACK_OBJECT_MAP && i < params->via.map.size; i++) {
        const msgpack_object_kv *field = &params->via.map.ptr[i];
        weft_string_copy(&field->key, name, sizeof name);
        if (strcmp(name, "world") == 0) {
            continue;
        }
        fprintf(out, " %s=", name);
        cli_json_write(out, &field->val, false);
    }
    const bool written = fclose(out) == 0;
    if (written && size > PARAMS_SHOWN) {
        size = PARAMS_SHOWN;
        while (size > 0 && ((unsigned char)text[size] & 0xc0) == 0x80) { // moves back to a whole character
            size--;
        }
        printf("%.*s ...", (int)size, text);
    } else if (written) {
        fputs(text, stdout);
    }
    free(text);
}

static void print_edit(const msgpack_object *edit)
{
    char user[68], method[48], when[64];
    printf("%6llu  tick %-7llu rev %-5llu %s  %-12s %-14s", cli_field_u64(edit, "sequence"),
           cli_field_u64(edit, "tick"), cli_field_u64(edit, "revision"),
           when_text(weft_get(edit, "at"), when, sizeof when),
           weft_string_copy(weft_get(edit, "user"), user, sizeof user),
           weft_string_copy(weft_get(edit, "method"), method, sizeof method));
    print_fields(weft_get(edit, "params"));
    putchar('\n');
}

static void print_page(const struct cli *cli, const msgpack_object *edits, bool *begun)
{
    for (uint32_t i = 0; i < weft_count(edits); i++) {
        if (!cli->json) {
            print_edit(weft_at(edits, i));
            continue;
        }
        fputs(*begun ? "," : "", stdout);
        cli_json_write(stdout, weft_at(edits, i), false);
        *begun = true;
    }
}

int cli_log(struct cli *cli, int argc, char **argv)
{
    struct paging paging;
    struct weft_params params;
    if (!read_paging(argc, argv, &paging)) {
        return CLI_USAGE;
    }
    uint64_t since = (uint64_t)paging.since, left = paging.limit > 0 ? (uint64_t)paging.limit : UINT64_MAX;
    bool begun = false, more = true;
    int status = CLI_OK;
    weft_params_init(&params);
    while (more && status == CLI_OK) {
        struct weft_reply reply;
        weft_params_clear(&params);
        weft_params_ref(&params, "world", paging.world);
        weft_params_u64(&params, "since", since);
        weft_params_u64(&params, "limit", left < 1024 ? left : 1024);
        weft_params_bool(&params, "inputs", paging.inputs);
        status = cli_call(cli, "edit.log", &params, &reply);
        if (status == CLI_OK) {
            const msgpack_object *edits = weft_get(&reply.result, "edits");
            fputs(cli->json && since == (uint64_t)paging.since && !begun ? "{\"edits\":[" : "", stdout);
            print_page(cli, edits, &begun);
            left -= weft_count(edits);
            since = cli_field_u64(&reply.result, "next");
            more = since != 0 && left > 0;
            if (cli->json && !more) {
                printf("],\"sequence\":%llu,\"next\":%" PRIu64 "}\n",
                       cli_field_u64(&reply.result, "sequence"), since);
            }
        }
        weft_reply_destroy(&reply);
    }
    weft_params_deinit(&params);
    return status;
}

// ---------------------------------------------------------------------------------------------------------
// weft branch

static bool add_without(struct weft_params *params, const char *text)
{
    uint32_t revisions[REVISIONS_MAX], count = 0;
    while (text && *text && count < REVISIONS_MAX) {
        char *end;
        const unsigned long long revision = strtoull(text, &end, 10);
        if (end == text || *text == '-' || revision == 0 || revision > UINT32_MAX || (*end && *end != ',')) {
            break;
        }
        revisions[count++] = (uint32_t)revision;
        text = *end ? end + 1 : end;
    }
    if (count == 0 || *text) {
        return cli_usage("--without needs revisions of edits, such as 4,7; at most %d", (int)REVISIONS_MAX),
               false;
    }
    weft_params_u32_array(params, "without", revisions, count);
    return true;
}

// Parses REVISION=JSON: adds an element of `instead`, as a map.
static bool add_instead(struct weft_params *params, const char *text)
{
    struct weft_params inner;
    char why[256], *end = NULL;
    const unsigned long long revision = text ? strtoull(text, &end, 10) : 0;
    if (!text || end == text || *end != '=' || revision == 0) {
        return cli_usage("--instead needs REVISION=JSON, such as 7='{\"body\": 1, \"friction\": 0.5}'"),
               false;
    }
    weft_params_init(&inner);
    const bool read = cli_json_params(end + 1, strlen(end + 1), &inner, why, sizeof why);
    if (read) {
        weft_params_map_begin(params, NULL);
        weft_params_u64(params, "revision", revision);
        weft_params_map_begin(params, "params");
        cli_json_params(end + 1, strlen(end + 1), params, why, sizeof why);
        weft_params_map_end(params);
        weft_params_map_end(params);
    } else {
        cli_usage("--instead %llu: %s", revision, why);
    }
    weft_params_deinit(&inner);
    return read;
}

static void print_branch(const msgpack_object *result)
{
    char name[CLI_CELL_SIZE], method[48], code[32], text[CLI_CELL_SIZE * 2];
    const msgpack_object *refused = weft_get(result, "refused");
    printf("world %llu  %s  tick %llu  revision %llu\n", cli_field_u64(result, "world"),
           weft_string_copy(weft_get(result, "name"), name, sizeof name), cli_field_u64(result, "tick"),
           cli_field_u64(result, "revision"));
    for (uint32_t i = 0; i < weft_count(refused); i++) {
        const msgpack_object *one = weft_at(refused, i);
        printf("left out: revision %llu, %s: %s: %s\n", cli_field_u64(one, "revision"),
               weft_string_copy(weft_get(one, "method"), method, sizeof method),
               weft_string_copy(weft_get(one, "code"), code, sizeof code),
               weft_string_copy(weft_get(one, "text"), text, sizeof text));
    }
}

static bool read_branch(int argc, char **argv, struct weft_params *params)
{
    const char *world = NULL, *value;
    double tick;
    bool instead = false;
    for (int i = 0; i < argc; i++) {
        instead = instead || strncmp(argv[i], "--instead", 9) == 0;
    }
    for (int i = 0; i < argc; i++) {
        if (cli_option(argc, argv, &i, "--at", &value)) {
            if (!cli_number(value, 0, 9e15, &tick) || floor(tick) != tick) {
                return cli_usage("--at needs a tick, a whole number"), false;
            }
            weft_params_u64(params, "tick", (uint64_t)tick);
        } else if (cli_option(argc, argv, &i, "--name", &value)) {
            if (!value || !*value) {
                return cli_usage("--name needs a name"), false;
            }
            weft_params_string(params, "name", value);
        } else if (cli_option(argc, argv, &i, "--without", &value)) {
            if (!add_without(params, value)) {
                return false;
            }
        } else if (cli_option(argc, argv, &i, "--instead", &value)) {
            continue; // added below, all in one list
        } else if (strncmp(argv[i], "--", 2) == 0 || world) {
            return cli_no_option("branch", argv[i]), false;
        } else {
            world = argv[i];
        }
    }
    if (!world) {
        return cli_usage("usage: weft branch WORLD [OPTIONS]; see weft help branch"), false;
    }
    weft_params_ref(params, "world", world);
    if (!instead) {
        return true;
    }
    bool read = true;
    weft_params_list_begin(params, "instead");
    for (int i = 0; i < argc && read; i++) {
        if (cli_option(argc, argv, &i, "--instead", &value)) {
            read = add_instead(params, value);
        }
    }
    weft_params_list_end(params);
    return read;
}

int cli_branch(struct cli *cli, int argc, char **argv)
{
    struct weft_params params;
    struct weft_reply reply = {0};
    int status = CLI_USAGE;
    weft_params_init(&params);
    if (read_branch(argc, argv, &params)) {
        // The edits are applied again, which may take any time.
        if (!cli->timeout_given) {
            cli->timeout_ms = 0;
        }
        status = cli_call(cli, "world.branch", &params, &reply);
    }
    if (status == CLI_OK && cli->json) {
        cli_print_json(&reply.result);
    } else if (status == CLI_OK) {
        print_branch(&reply.result);
    }
    weft_reply_destroy(&reply);
    weft_params_deinit(&params);
    return status;
}

// ---------------------------------------------------------------------------------------------------------
// weft bin, weft restore

int cli_bin(struct cli *cli, int argc, char **argv)
{
    struct weft_reply reply;
    if (!cli_plain(&argc, &argv, 0, 0, "bin")) {
        return CLI_USAGE;
    }
    const int status = cli_call(cli, "world.bin", NULL, &reply);
    if (status == CLI_OK && cli->json) {
        cli_print_json(&reply.result);
    } else if (status == CLI_OK) {
        struct cli_table table;
        const msgpack_object *worlds = weft_get(&reply.result, "worlds");
        cli_table_init(&table, 5);
        cli_table_row(&table, (const char *[]){"ID", "NAME", "TICK", "DELETED", "GONE AT"});
        for (uint32_t i = 0; i < weft_count(worlds); i++) {
            const msgpack_object *world = weft_at(worlds, i);
            char id[32], name[CLI_CELL_SIZE], tick[32], deleted[64], gone[64];
            cli_table_row(&table, (const char *[]){
                                      cli_value_text(weft_get(world, "world"), id, sizeof id),
                                      cli_value_text(weft_get(world, "name"), name, sizeof name),
                                      cli_value_text(weft_get(world, "tick"), tick, sizeof tick),
                                      when_text(weft_get(world, "deleted_at"), deleted, sizeof deleted),
                                      when_text(weft_get(world, "gone_at"), gone, sizeof gone),
                                  });
        }
        cli_table_print(&table, 0x5, true);
        cli_table_deinit(&table);
    }
    weft_reply_destroy(&reply);
    return status;
}

// Id of the deleted world of that name; the latest if there are several. 0: none. A number is an id.
static uint64_t bin_find(const msgpack_object *worlds, const char *name)
{
    uint64_t found = 0;
    char text[CLI_CELL_SIZE];
    for (uint32_t i = 0; i < weft_count(worlds); i++) {
        const msgpack_object *world = weft_at(worlds, i);
        if (strcmp(weft_string_copy(weft_get(world, "name"), text, sizeof text), name) == 0) {
            found = cli_field_u64(world, "world");
        }
    }
    return found;
}

static int look_up(struct cli *cli, const char *world, uint64_t *id)
{
    double number;
    struct weft_reply reply;
    if (cli_number(world, 1, UINT32_MAX, &number) && floor(number) == number) {
        *id = (uint64_t)number;
        return CLI_OK;
    }
    int status = cli_call(cli, "world.bin", NULL, &reply);
    *id = status == CLI_OK ? bin_find(weft_get(&reply.result, "worlds"),
                                      strncmp(world, "name:", 5) == 0 ? world + 5 : world)
                           : 0;
    if (status == CLI_OK && *id == 0) {
        char shown[CLI_CELL_SIZE];
        fprintf(stderr, "weft: NOT_FOUND: no deleted world \"%s\"; weft bin lists them\n",
                cli_shown(world, shown, sizeof shown));
        status = CLI_REFUSED;
    }
    weft_reply_destroy(&reply);
    return status;
}

int cli_restore_world(struct cli *cli, int argc, char **argv)
{
    struct weft_params params;
    struct weft_reply reply = {0};
    const char *world = NULL, *name = NULL, *value;
    uint64_t id;
    for (int i = 0; i < argc; i++) {
        if (cli_option(argc, argv, &i, "--name", &value)) {
            if (!value || !*value) {
                return cli_usage("--name needs a name");
            }
            name = value;
        } else if (strncmp(argv[i], "--", 2) == 0 || world) {
            return cli_no_option("restore", argv[i]);
        } else {
            world = argv[i];
        }
    }
    if (!world) {
        return cli_usage("usage: weft restore WORLD [--name NAME], or weft restore BACKUP DIR");
    }
    int status = look_up(cli, world, &id);
    if (status != CLI_OK) {
        return status;
    }
    weft_params_init(&params);
    weft_params_u64(&params, "world", id);
    if (name) {
        weft_params_string(&params, "name", name);
    }
    status = cli_call(cli, "world.restore", &params, &reply);
    if (status == CLI_OK && cli->json) {
        cli_print_json(&reply.result);
    } else if (status == CLI_OK) {
        char text[CLI_CELL_SIZE];
        printf("world %llu  %s  tick %llu\n", cli_field_u64(&reply.result, "world"),
               weft_string_copy(weft_get(&reply.result, "name"), text, sizeof text),
               cli_field_u64(&reply.result, "tick"));
    }
    weft_reply_destroy(&reply);
    weft_params_deinit(&params);
    return status;
}
