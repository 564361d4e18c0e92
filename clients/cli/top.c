// weft top: shows the load of a server and its worlds repeatedly: as a table that fills the terminal, or as lines.
//
//     server.stats, world.list, world.get of each ──▶ sample; two of them ──▶ rates ──▶ table │ JSON
//
// All calls of a sample are sent at once, and their answers taken in turn. A world that disappears in between is left
// out.
#include "cli.h"
#include "terminal.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WORLDS_MAX = 4096, HEAD_LINES = 5 };

struct top_world {
    uint32_t id;
    char name[72], state[16];
    double rate, tick_us;
    uint64_t tick, bodies, particles, constraints, people, streams;
    uint64_t late, lateness_us, lateness_max_us, dropped;
    bool known;
};

struct top_sample {
    double at_s;
    double uptime_s;
    uint64_t threads, sessions, streams, bytes_in, bytes_out, frames_sent, frames_dropped, ticks, ticks_late;
    struct top_world *worlds;
    uint32_t world_count;
};

struct top {
    struct cli *cli;
    double every_s;
    bool once, plain, cluster;
    struct weft_reply servers; // with cluster
    struct top_sample sample, before;
    uint32_t waiting; // calls under way
    int width;        // of the terminal; 0: lines may have any length
    bool away;
    struct weft_error error;
};

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

// ---------------------------------------------------------------------------------------------------------
// A sample

static void sample_clear(struct top_sample *sample)
{
    free(sample->worlds);
    memset(sample, 0, sizeof *sample);
}

// A sample is incomplete if a session was lost during its calls.
static void keep_error(struct top *top, const struct weft_error *error)
{
    if (!cli_is_lost(error) && !top->error.code[0]) {
        top->error = *error;
    }
}

static void on_stats(void *context, struct weft_client *client, const struct weft_error *error,
                     struct weft_reply *reply)
{
    struct top *top = context;
    struct top_sample *sample = &top->sample;
    (void)client;
    top->waiting--;
    if (error) {
        keep_error(top, error);
        return;
    }
    const msgpack_object *stats = &reply->result;
    sample->uptime_s = weft_f64(weft_get(stats, "uptime"), 0);
    const struct {
        const char *name;
        uint64_t *number;
    } fields[] = {{"threads", &sample->threads},
                  {"sessions", &sample->sessions},
                  {"streams", &sample->streams},
                  {"bytes_in", &sample->bytes_in},
                  {"bytes_out", &sample->bytes_out},
                  {"frames_sent", &sample->frames_sent},
                  {"frames_dropped", &sample->frames_dropped},
                  {"ticks", &sample->ticks},
                  {"ticks_late", &sample->ticks_late}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        *fields[i].number = weft_u64(weft_get(stats, fields[i].name), 0);
    }
}

static void on_world(void *context, struct weft_client *client, const struct weft_error *error,
                     struct weft_reply *reply)
{
    struct top *top = context;
    (void)client;
    top->waiting--;
    if (error) {
        if (error->kind == WEFT_KIND_TRANSPORT) {
            keep_error(top, error);
        }
        return;
    }
    const msgpack_object *result = &reply->result;
    const uint64_t id = weft_u64(weft_get(result, "world"), 0);
    for (uint32_t i = 0; i < top->sample.world_count; i++) {
        struct top_world *world = &top->sample.worlds[i];
        if (world->id != id) {
            continue;
        }
        weft_string_copy(weft_get(result, "name"), world->name, sizeof world->name);
        weft_string_copy(weft_get(result, "state"), world->state, sizeof world->state);
        world->rate = weft_f64(weft_get(result, "rate"), 0);
        world->tick_us = weft_f64(weft_get(result, "tick_us"), 0);
        const struct {
            const char *name;
            uint64_t *number;
        } fields[] = {{"tick", &world->tick},
                      {"bodies", &world->bodies},
                      {"particles", &world->particles},
                      {"constraints", &world->constraints},
                      {"people", &world->people},
                      {"streams", &world->streams},
                      {"ticks_late", &world->late},
                      {"lateness_us", &world->lateness_us},
                      {"lateness_max_us", &world->lateness_max_us},
                      {"frames_dropped", &world->dropped}};
        for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
            *fields[k].number = weft_u64(weft_get(result, fields[k].name), 0);
        }
        world->known = true;
    }
}

static bool ask_world(struct top *top, uint32_t world)
{
    struct weft_params params;
    weft_params_init(&params);
    weft_params_u64(&params, "world", world);
    const bool sent = weft_call_async(top->cli->client, "world.get", &params, on_world, top, &top->error);
    weft_params_deinit(&params);
    top->waiting += sent;
    return sent;
}

static void on_list(void *context, struct weft_client *client, const struct weft_error *error,
                    struct weft_reply *reply)
{
    struct top *top = context;
    (void)client;
    top->waiting--;
    if (error) {
        keep_error(top, error);
        return;
    }
    const msgpack_object *worlds = weft_get(&reply->result, "worlds");
    const uint32_t count = weft_count(worlds) < WORLDS_MAX ? weft_count(worlds) : WORLDS_MAX;
    top->sample.worlds = calloc((size_t)count + 1, sizeof *top->sample.worlds);
    for (uint32_t i = 0; top->sample.worlds && i < count; i++) {
        const uint64_t id = weft_u64(weft_get(weft_at(worlds, i), "world"), 0);
        if (id == 0 || id > UINT32_MAX || cli_is_elsewhere(weft_at(worlds, i))) {
            continue;
        }
        top->sample.worlds[top->sample.world_count++].id = (uint32_t)id;
    }
}

// Waits for calls under way, within the timeout of a call. CLI_OK, or the exit status after printing the reason.
static int await(struct top *top)
{
    double deadline = now_s() + top->cli->timeout_ms / 1000.0;
    while (top->waiting && !top->error.code[0] && !cli_signals_stop()) {
        if (top->away) { // being away has its own time limit
            deadline = now_s() + top->cli->timeout_ms / 1000.0;
        }
        if (top->cli->timeout_ms && now_s() > deadline) {
            fprintf(stderr, "weft: TIMEOUT: the server does not answer\n");
            return CLI_UNREACHABLE;
        }
        if (weft_poll(top->cli->client, 100, &top->error) < 0) {
            break;
        }
    }
    return top->error.code[0] ? cli_report(&top->error) : CLI_OK;
}

static int take_sample(struct top *top)
{
    if (top->cluster) {
        weft_reply_destroy(&top->servers);
        top->sample.at_s = now_s();
        return cli_call(top->cli, "server.list", NULL, &top->servers);
    }
    sample_clear(&top->before);
    top->before = top->sample;
    top->sample = (struct top_sample){.at_s = now_s()};
    struct weft_client *client = top->cli->client;
    if (!weft_call_async(client, "server.stats", NULL, on_stats, top, &top->error)) {
        return cli_report(&top->error);
    }
    top->waiting++;
    if (!weft_call_async(client, "world.list", NULL, on_list, top, &top->error)) {
        return cli_report(&top->error);
    }
    top->waiting++;
    int status = await(top);
    // In small groups, because a connection allows only so many calls under way.
    for (uint32_t i = 0; status == CLI_OK && i < top->sample.world_count && !cli_signals_stop(); i++) {
        if (!ask_world(top, top->sample.worlds[i].id)) {
            status = cli_report(&top->error);
        } else if (top->waiting >= 128 || i + 1 == top->sample.world_count) {
            status = await(top);
        }
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------
// Rates and output

static double per_second(const struct top *top, uint64_t now, uint64_t before)
{
    const double seconds = top->sample.at_s - top->before.at_s;
    return now >= before && seconds > 0 ? (double)(now - before) / seconds : 0;
}

static double ticks_per_second(const struct top *top, const struct top_world *world)
{
    for (uint32_t i = 0; i < top->before.world_count; i++) {
        const struct top_world *before = &top->before.worlds[i];
        if (before->id == world->id && before->known) {
            return per_second(top, world->tick, before->tick);
        }
    }
    return 0;
}

static void size_text(double bytes, char *out, size_t size)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    while (bytes >= 1000 && unit < 4) {
        bytes /= 1024;
        unit++;
    }
    snprintf(out, size, unit ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
}

// Prints as much of a line as fits.
static void print_line(const struct top *top, const char *text)
{
    printf("%.*s\n", top->width ? top->width : (int)strlen(text), text);
}

// Cuts a name to at most `most` characters.
static void shorten(char *name, int most)
{
    char *at = name;
    for (int characters = 0; *at; characters++) {
        if (characters == most - 3 && strlen(at) > 3) {
            snprintf(at, 4, "...");
            return;
        }
        do {
            at++;
        } while (((unsigned char)*at & 0xc0) == 0x80);
    }
}

static void print_head(const struct top *top)
{
    const struct top_sample *now = &top->sample, *before = &top->before;
    char in[24], out[24], in_all[24], out_all[24], line[300];
    const int64_t seconds = (int64_t)now->uptime_s;
    size_text(per_second(top, now->bytes_in, before->bytes_in), in, sizeof in);
    size_text(per_second(top, now->bytes_out, before->bytes_out), out, sizeof out);
    size_text((double)now->bytes_in, in_all, sizeof in_all);
    size_text((double)now->bytes_out, out_all, sizeof out_all);
    snprintf(line, sizeof line,
             "weft %.100s  up %lld:%02lld:%02lld  threads %llu  clients %llu  streams %llu",
             top->cli->server ? top->cli->server : WEFT_ADDRESS_DEFAULT, (long long)(seconds / 3600),
             (long long)(seconds / 60 % 60), (long long)(seconds % 60), (unsigned long long)now->threads,
             (unsigned long long)now->sessions, (unsigned long long)now->streams);
    print_line(top, line);
    snprintf(line, sizeof line, "in %s/s (%s)  out %s/s (%s)", in, in_all, out, out_all);
    print_line(top, line);
    snprintf(line, sizeof line, "frames/s %.1f  dropped %llu  ticks/s %.1f  late %llu",
             per_second(top, now->frames_sent, before->frames_sent), (unsigned long long)now->frames_dropped,
             per_second(top, now->ticks, before->ticks), (unsigned long long)now->ticks_late);
    print_line(top, line);
    print_line(top, "");
}

static void print_table(const struct top *top, uint32_t lines)
{
    // On a narrow terminal the least important columns, on the right, are left out.
    static const char *const head[] = {"ID",      "NAME",      "STATE",  "RATE",    "TICKS/S",
                                       "MS/TICK", "LATE",      "LAG MS", "MAX LAG", "PEOPLE",
                                       "STREAMS", "PARTICLES", "BODIES", "TICK"};
    enum { COLUMNS = sizeof head / sizeof *head };
    struct cli_table table;
    uint32_t shown = 0, more = 0;
    cli_table_init(&table, COLUMNS);
    table.width = top->width;
    cli_table_row(&table, head);
    for (uint32_t i = 0; i < top->sample.world_count; i++) {
        const struct top_world *world = &top->sample.worlds[i];
        char cells[COLUMNS][80];
        const char *row[COLUMNS];
        if (!world->known) {
            continue;
        }
        if (shown == lines) {
            more++;
            continue;
        }
        shown++;
        snprintf(cells[0], 80, "%u", world->id);
        snprintf(cells[1], 80, "%s", world->name);
        if (top->width) {
            shorten(cells[1], top->width / 4 > 12 ? top->width / 4 : 12);
        }
        snprintf(cells[2], 80, "%s", world->state);
        snprintf(cells[3], 80, world->rate == 0 ? "free" : "%g", world->rate);
        snprintf(cells[4], 80, "%.1f", ticks_per_second(top, world));
        snprintf(cells[5], 80, "%.2f", world->tick_us / 1000);
        snprintf(cells[6], 80, "%llu", (unsigned long long)world->late);
        snprintf(cells[7], 80, "%.1f", (double)world->lateness_us / 1000);
        snprintf(cells[8], 80, "%.1f", (double)world->lateness_max_us / 1000);
        snprintf(cells[9], 80, "%llu", (unsigned long long)world->people);
        snprintf(cells[10], 80, "%llu", (unsigned long long)world->streams);
        snprintf(cells[11], 80, "%llu", (unsigned long long)world->particles);
        snprintf(cells[12], 80, "%llu", (unsigned long long)world->bodies);
        snprintf(cells[13], 80, "%llu", (unsigned long long)world->tick);
        for (int c = 0; c < COLUMNS; c++) {
            row[c] = cells[c];
        }
        cli_table_row(&table, row);
    }
    cli_table_print(&table, 0x3ff9, true);
    cli_table_deinit(&table);
    if (more) {
        printf("and %u more\n", more);
    }
}

static void print_json(const struct top *top)
{
    const struct top_sample *now = &top->sample, *before = &top->before;
    bool first = true;
    printf("{\"uptime\":%.3f,\"threads\":%llu,\"clients\":%llu,\"streams\":%llu,\"bytes_in\":%llu,\"bytes_"
           "out\":%llu,"
           "\"bytes_in_per_second\":%.1f,\"bytes_out_per_second\":%.1f,\"frames_per_second\":%.2f,"
           "\"frames_dropped\":%llu,\"ticks_per_second\":%.2f,\"ticks_late\":%llu,\"worlds\":[",
           now->uptime_s, (unsigned long long)now->threads, (unsigned long long)now->sessions,
           (unsigned long long)now->streams, (unsigned long long)now->bytes_in,
           (unsigned long long)now->bytes_out, per_second(top, now->bytes_in, before->bytes_in),
           per_second(top, now->bytes_out, before->bytes_out),
           per_second(top, now->frames_sent, before->frames_sent), (unsigned long long)now->frames_dropped,
           per_second(top, now->ticks, before->ticks), (unsigned long long)now->ticks_late);
    for (uint32_t i = 0; i < now->world_count; i++) {
        const struct top_world *world = &now->worlds[i];
        if (!world->known) {
            continue;
        }
        printf("%s{\"world\":%u,\"name\":", first ? "" : ",", world->id);
        cli_json_string(stdout, world->name, strlen(world->name));
        fputs(",\"state\":", stdout);
        cli_json_string(stdout, world->state, strlen(world->state));
        printf(",\"rate\":%.9g,\"tick\":%llu,\"ticks_per_second\":%.2f,\"tick_us\":%.1f,\"ticks_late\":%llu,"
               "\"lateness_us\":%llu,\"lateness_max_us\":%llu,\"bodies\":%llu,\"particles\":%llu,"
               "\"constraints\":%llu,"
               "\"people\":%llu,\"streams\":%llu,\"frames_dropped\":%llu}",
               world->rate, (unsigned long long)world->tick, ticks_per_second(top, world), world->tick_us,
               (unsigned long long)world->late, (unsigned long long)world->lateness_us,
               (unsigned long long)world->lateness_max_us, (unsigned long long)world->bodies,
               (unsigned long long)world->particles, (unsigned long long)world->constraints,
               (unsigned long long)world->people, (unsigned long long)world->streams,
               (unsigned long long)world->dropped);
        first = false;
    }
    fputs("]}\n", stdout);
}

static void print(struct top *top)
{
    int columns, rows;
    cli_terminal_size(&columns, &rows);
    top->width = top->plain && !isatty(STDOUT_FILENO) ? 0 : columns;
    if (top->cli->json && top->cluster) {
        cli_print_json(&top->servers.result);
    } else if (top->cli->json) {
        print_json(top);
    } else if (top->cluster) {
        if (!top->plain) {
            fputs("\033[H\033[J", stdout);
        }
        cli_print_servers(weft_get(&top->servers.result, "servers"), top->width);
    } else {
        if (!top->plain) {
            fputs("\033[H\033[J", stdout);
        }
        print_head(top);
        print_table(top,
                    top->plain ? UINT32_MAX : (uint32_t)(rows > HEAD_LINES + 2 ? rows - HEAD_LINES - 1 : 1));
        if (top->plain && !top->once) {
            fputc('\n', stdout);
        }
    }
    fflush(stdout);
}

// ---------------------------------------------------------------------------------------------------------

// Sleeps until the time, a key or a signal. False if the program is to end.
static bool rest(const struct top *top, double until)
{
    while (!cli_signals_stop()) {
        const double left = until - now_s();
        if (left <= 0) {
            return true;
        }
        struct pollfd fds[2] = {
            {.fd = cli_signals_fd(), .events = POLLIN},
            {.fd = top->plain || !isatty(STDIN_FILENO) ? -1 : STDIN_FILENO, .events = POLLIN}};
        poll(fds, 2, (int)(left * 1000) + 1);
        cli_signals_clear();
        char key;
        if (fds[1].revents && read(STDIN_FILENO, &key, 1) == 1 && (key == 'q' || key == 'Q')) {
            return false;
        }
        if (cli_signals_resize()) {
            return true;
        }
    }
    return false;
}

static int run(struct top *top)
{
    int status = take_sample(top);
    bool go_on = status == CLI_OK &&
                 (top->cluster || // the cluster view has no rates
                  rest(top, now_s() + (top->once ? fmin(top->every_s, 1) : fmin(top->every_s, 0.5))));
    while (go_on) {
        status = take_sample(top);
        go_on = status == CLI_OK && !cli_signals_stop();
        if (go_on) {
            print(top);
        }
        go_on = go_on && !top->once && rest(top, top->sample.at_s + top->every_s);
    }
    return status;
}

static int take_arguments(struct top *top, int argc, char **argv)
{
    const char *value;
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--once") == 0) {
            top->once = true;
        } else if (strcmp(argv[i], "--cluster") == 0) {
            top->cluster = true;
        } else if (strcmp(argv[i], "--plain") == 0) {
            top->plain = true;
        } else if (cli_option(argc, argv, &i, "--every", &value)) {
            if (!cli_number(value, 0.1, 3600, &top->every_s)) {
                return cli_usage("--every needs a number of seconds from 0.1 to 3600");
            }
        } else {
            return cli_no_option("top", argv[i]);
        }
    }
    return CLI_OK;
}

static void on_line(void *context, enum weft_line line, const msgpack_object *hello)
{
    struct top *top = context;
    (void)hello;
    top->away = line == WEFT_AWAY;
}

int cli_top(struct cli *cli, int argc, char **argv)
{
    struct top top = {.cli = cli, .every_s = 1};
    int status = take_arguments(&top, argc, argv);
    cli->stay = (struct cli_stay){.on = !top.once, .then = on_line, .context = &top};
    if (status == CLI_OK) {
        status = cli_connect(cli);
    }
    if (status != CLI_OK) {
        goto cleanup;
    }
    top.plain = top.plain || top.once || cli->json || !isatty(STDOUT_FILENO);
    if (!cli_signals_watch() || (!top.plain && !cli_terminal_enter())) {
        fprintf(stderr, "weft: MEMORY: %s\n", strerror(errno));
        status = CLI_REFUSED;
        goto cleanup;
    }
    status = run(&top);
    if (!top.plain) {
        cli_terminal_leave();
    }

cleanup:
    // Callbacks of calls under way would use what is freed below.
    weft_close(cli->client);
    cli->client = NULL;
    cli->stay = (struct cli_stay){0};
    weft_reply_destroy(&top.servers);
    sample_clear(&top.sample);
    sample_clear(&top.before);
    return status;
}
