// The servers of a deployment and their worlds: columns for weft list and weft top --cluster, and weft move.
#include "cli.h"

#include <string.h>

static const char *trouble_of(const msgpack_object *world, char *text, size_t text_size)
{
    return weft_string_copy(weft_get(world, "trouble"), text, text_size);
}

bool cli_is_elsewhere(const msgpack_object *world)
{
    size_t size;
    return weft_get(world, "trouble") || (weft_string(weft_get(world, "address"), &size) && size > 0);
}

const char *cli_where(const msgpack_object *world, char *text, size_t text_size)
{
    char server[80], address[WEFT_ADDRESS_SIZE];
    if (!cli_is_elsewhere(world)) {
        return "here";
    }
    if (weft_get(world, "trouble")) {
        char trouble[CLI_CELL_SIZE];
        snprintf(text, text_size, "nowhere: %.200s", trouble_of(world, trouble, sizeof trouble));
        return text;
    }
    snprintf(text, text_size, "%s (%s)", weft_string_copy(weft_get(world, "server"), server, sizeof server),
             weft_string_copy(weft_get(world, "address"), address, sizeof address));
    return text;
}

void cli_print_servers(const msgpack_object *servers, int width)
{
    static const char *const head[] = {"SERVER", "ADDRESS",  "STATE",   "LOAD MS/S",
                                       "WORLDS", "SESSIONS", "BEAT MS", "SOLVER"};
    enum { COLUMNS = sizeof head / sizeof *head };
    struct cli_table table;
    cli_table_init(&table, COLUMNS);
    table.width = width;
    cli_table_row(&table, head);
    for (uint32_t i = 0; i < weft_count(servers); i++) {
        const msgpack_object *server = weft_at(servers, i);
        char cells[COLUMNS][CLI_CELL_SIZE];
        const char *row[COLUMNS];
        weft_string_copy(weft_get(server, "server"), cells[0], sizeof cells[0]);
        weft_string_copy(weft_get(server, "address"), cells[1], sizeof cells[1]);
        snprintf(cells[2], sizeof cells[2], "%s", // the most important state comes first
                 weft_u64(weft_get(server, "beat_age_ms"), 0) > 3000 ? "silent"
                 : weft_bool(weft_get(server, "draining"), false)    ? "draining"
                 : weft_bool(weft_get(server, "here"), false)        ? "here"
                                                                     : "up");
        snprintf(cells[3], sizeof cells[3], "%.1f", weft_f64(weft_get(server, "load"), 0));
        snprintf(cells[4], sizeof cells[4], "%llu", cli_field_u64(server, "worlds"));
        snprintf(cells[5], sizeof cells[5], "%llu", cli_field_u64(server, "sessions"));
        snprintf(cells[6], sizeof cells[6], "%llu", cli_field_u64(server, "beat_age_ms"));
        snprintf(cells[7], sizeof cells[7], "%llu", cli_field_u64(server, "solver"));
        for (int c = 0; c < COLUMNS; c++) {
            row[c] = cells[c];
        }
        cli_table_row(&table, row);
    }
    cli_table_print(&table, 0xf8, true);
    cli_table_deinit(&table);
}

int cli_move(struct cli *cli, int argc, char **argv)
{
    struct weft_params params;
    struct weft_reply reply;
    if (!cli_plain(&argc, &argv, 2, 2, "move WORLD SERVER")) {
        return CLI_USAGE;
    }
    weft_params_init(&params);
    weft_params_ref(&params, "world", argv[0]);
    weft_params_string(&params, "server", argv[1]);
    const int status = cli_call(cli, "world.move", &params, &reply);
    if (status == CLI_OK && cli->json) {
        cli_print_json(&reply.result);
    } else if (status == CLI_OK) {
        char server[80], address[WEFT_ADDRESS_SIZE], world[CLI_CELL_SIZE];
        printf("%s runs on %s at %s\n", cli_shown(argv[0], world, sizeof world),
               weft_string_copy(weft_get(&reply.result, "server"), server, sizeof server),
               weft_string_copy(weft_get(&reply.result, "address"), address, sizeof address));
    }
    weft_reply_destroy(&reply);
    weft_params_deinit(&params);
    return status;
}
