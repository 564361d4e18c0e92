// Three stores that share lists by brokers, each with a disk: servers write lists, take them over from each other, sleep, end and begin
// again; brokers end, and are cut off from servers. Of a list one at a time writes; what was told to be durable is in the stream, once and
// in its order, and in each folder there is a begin of it.
#include "scenario.h"

#include "brokers.h"
#include "disk.h"
#include "fibers.h"
#include "helper_disk.h"
#include "helper_store.h"

#include "base/clock.h"
#include "store/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SERVERS = 3, LISTS = 3, STEPS = 60, MS = 1000000 };

// An entry says who wrote it in which epoch, so that two writers cannot be taken for one.
struct entry_text {
    uint32_t list, server;
    uint64_t epoch, position;
};

struct shared_list {
    uint64_t durable; // the last position that anybody was told to be durable
    uint32_t writer;  // who was given the last epoch; 0: nobody
    uint64_t epoch;   // that was given last
    bool made;
};

struct server {
    uint32_t number;
    struct scene *scene;
    uint64_t random;
    struct base_thread thread;
    struct store *store; // NULL: it is down
    struct {
        uint64_t epoch, appended; // 0: another has it
    } lists[LISTS + 1];
};

struct scene {
    struct server servers[SERVERS];
    struct shared_list lists[LISTS + 1];
    uint64_t inputs;
    bool over;
    struct scenario_verdict verdict;
};

// ---------------------------------------------------------------------------------------------------------
// What stores tell

static void on_commit(void *context, uint32_t list, uint64_t position)
{
    struct server *server = context;
    struct shared_list *shared = &server->scene->lists[list];
    if (position > server->lists[list].appended && server->lists[list].epoch > 0) {
        scenario_fail(&server->scene->verdict,
                      "list %" PRIu32 " is durable up to %" PRIu64 ", and server %" PRIu32 " wrote %" PRIu64,
                      list, position, server->number, server->lists[list].appended);
    }
    shared->durable = position > shared->durable ? position : shared->durable;
}

static void on_full(void *context, bool full, const char *text)
{
    (void)context;
    (void)full;
    (void)text;
}

static void on_lost(void *context, uint32_t list, const char *text)
{
    struct server *server = context;
    (void)text;
    server->lists[list].epoch = 0;
}

static void on_failure(void *context, const char *text)
{
    struct server *server = context;
    scenario_fail(&server->scene->verdict, "server %" PRIu32 ": its store failed: %.300s", server->number,
                  text);
}

static bool open_store(struct server *server)
{
    char folder[DISK_FOLDER_SIZE];
    struct store_error error = {0};
    disks_folder(server->number, folder);
    const struct store_options options = {
        .folder = folder,
        .brokers = BROKERS_URL,
        .check = "none",
        .acks = scenario_draw(&server->random, 2) == 0 ? STORE_ACKS_BOTH : STORE_ACKS_BROKERS,
        .patience_ms = 600000,
        .keep_seconds = UINT64_MAX,
        .keep_bytes = UINT64_MAX,
        .bin_seconds = 86400,
        .on_commit = on_commit,
        .on_full = on_full,
        .on_lost = on_lost,
        .on_failure = on_failure,
        .context = server,
    };
    server->store = store_open(&options, &error);
    if (!server->store) {
        scenario_fail(&server->scene->verdict, "server %" PRIu32 " does not open: %.300s", server->number,
                      error.fault.text);
    }
    return server->store != NULL;
}

// ---------------------------------------------------------------------------------------------------------
// What servers do

static void create_list(struct server *server, uint32_t list)
{
    struct shared_list *shared = &server->scene->lists[list];
    shared->made = true;
    shared->writer = server->number;
    if (create(server->store, list, "shared")) {
        server->lists[list].epoch = shared->epoch = 1;
        server->lists[list].appended = 0;
    }
}

static void take_list(struct server *server, uint32_t list)
{
    struct store_error error = {0};
    struct shared_list *shared = &server->scene->lists[list];
    const uint64_t before = shared->epoch;
    const uint64_t epoch = store_take_over(server->store, list, &error);
    if (epoch == 0) {
        return; // brokers were away, or somebody else was first
    }
    struct store_reader *reader = store_reader_open(server->store, &error);
    struct store_list row = {0};
    if (!reader || store_list_find(reader, list, &row, &error) != FAULT_NONE) {
        scenario_fail(&server->scene->verdict, "list %" PRIu32 " was taken over, and is not there: %.300s",
                      list, error.fault.text);
    } else if (epoch <= before) {
        scenario_fail(&server->scene->verdict, "list %" PRIu32 " was given epoch %" PRIu64 " behind %" PRIu64,
                      list, epoch, before);
    }
    store_reader_close(reader);
    server->lists[list].epoch = epoch;
    server->lists[list].appended = row.last;
    if (epoch > shared->epoch) {
        shared->epoch = epoch;
        shared->writer = server->number;
    }
}

static void write_entry(struct server *server, uint32_t list)
{
    const struct entry_text text = {list, server->number, server->lists[list].epoch,
                                    ++server->lists[list].appended};
    const struct store_entry entry = {
        .position = text.position,
        .tick = text.position,
        .kind = 1,
        .at = 1000,
        .bytes = (const uint8_t *)&text,
        .size = sizeof text,
    };
    (void)store_append(server->store, list, text.epoch, &entry, 1);
}

static void end_server(struct server *server)
{
    store_close(server->store);
    server->store = NULL;
    memset(server->lists, 0, sizeof server->lists);
}

static void live(void *context)
{
    struct server *server = context;
    struct scene *scene = server->scene;
    (void)fibers_be(server->number);
    for (int step = 0; step < STEPS && !scene->verdict.wrong; step++) {
        const uint32_t list = 1 + (uint32_t)scenario_draw(&server->random, LISTS);
        const uint64_t what = scenario_draw(&server->random, 40);
        scene->inputs++;
        if (!server->store && !open_store(server)) {
            break;
        }
        if (!scene->lists[list].made) {
            create_list(server, list);
        } else if (what == 0) {
            end_server(server);
        } else if (what < 4 || (what < 8 && server->lists[list].epoch == 0)) {
            take_list(server, list);
        } else if (what == 9) {
            (void)store_fetch(server->store, list, NULL);
        } else if (server->lists[list].epoch > 0) {
            write_entry(server, list);
        }
        fibers_sleep_until(base_now_ns() + scenario_draw(&server->random, what == 8 ? 2000 : 50) * MS);
    }
    if (server->store) {
        end_server(server);
    }
}

// ---------------------------------------------------------------------------------------------------------
// What goes wrong

static void trouble(struct scene *scene, uint64_t *random)
{
    const uint32_t broker = (uint32_t)scenario_draw(random, BROKERS),
                   server = 1 + (uint32_t)scenario_draw(random, SERVERS);
    const uint64_t for_ns = scenario_draw(random, 6000) * MS;
    scene->inputs++;
    switch (scenario_draw(random, 5)) {
    case 0:
        brokers_up(broker, false);
        fibers_sleep_until(base_now_ns() + for_ns);
        brokers_up(broker, true);
        break;
    case 1:
        for (uint32_t i = 0; i < BROKERS; i++) {
            brokers_reach(server, i, scenario_draw(random, 3) == 0);
        }
        fibers_sleep_until(base_now_ns() + for_ns);
        for (uint32_t i = 0; i < BROKERS; i++) {
            brokers_reach(server, i, true);
        }
        break;
    case 2:
        fibers_hold(server, true);
        fibers_sleep_until(base_now_ns() + for_ns);
        fibers_hold(server, false);
        break;
    case 3:
        brokers_slow(server, scenario_draw(random, 600) * MS);
        break;
    default:
        disks_slow(server, 0, scenario_draw(random, 500) * MS);
        break;
    }
}

static void go_wrong(void *context)
{
    struct scene *scene = context;
    uint64_t random = scene->servers[0].random * 31 + 7;
    while (!scene->over) {
        trouble(scene, &random);
        fibers_sleep_until(base_now_ns() + scenario_draw(&random, 2000) * MS);
    }
}

// ---------------------------------------------------------------------------------------------------------
// At the end

// The entries that the reader got of a list: in order, each once, and no epoch after a later one.
static void read_list(struct scene *scene, struct store_reader *reader, uint32_t list)
{
    struct store_error error = {0};
    struct store_list row;
    const struct store_entry *entries;
    uint32_t count = 1;
    uint64_t position = 0, epoch = 0;
    if (store_list_find(reader, list, &row, &error) != FAULT_NONE) {
        if (scene->lists[list].durable > 0) {
            scenario_fail(&scene->verdict, "list %" PRIu32 " is not there: %.300s", list, error.fault.text);
        }
        return;
    }
    while (count > 0 && !scene->verdict.wrong) {
        if (store_read(reader, list, position, 64, 65536, &entries, &count, &error) != FAULT_NONE) {
            scenario_fail(&scene->verdict, "list %" PRIu32 ": %.300s", list, error.fault.text);
            return;
        }
        for (uint32_t i = 0; i < count; i++) {
            struct entry_text text = {0};
            memcpy(&text, entries[i].bytes, entries[i].size < sizeof text ? entries[i].size : sizeof text);
            if (entries[i].size != sizeof text || text.list != list || text.position != ++position ||
                text.epoch < epoch) {
                scenario_fail(&scene->verdict,
                              "list %" PRIu32 " has at %" PRIu64 " what server %" PRIu32 " wrote for %" PRIu64
                              " in epoch %" PRIu64,
                              list, entries[i].position, text.server, text.position, text.epoch);
            }
            epoch = text.epoch;
        }
    }
    if (position < scene->lists[list].durable) {
        scenario_fail(&scene->verdict, "list %" PRIu32 " ends at %" PRIu64 ", and %" PRIu64 " were durable",
                      list, position, scene->lists[list].durable);
    }
}

// All is well again: each server takes each list over, and has all of it.
static void compare(struct scene *scene)
{
    for (uint32_t i = 0; i < SERVERS && !scene->verdict.wrong; i++) {
        struct server *server = &scene->servers[i];
        struct store_error error = {0};
        (void)fibers_be(server->number);
        if (!open_store(server)) {
            break;
        }
        for (uint32_t list = 1; list <= LISTS && !scene->verdict.wrong; list++) {
            if (scene->lists[list].durable > 0 && store_take_over(server->store, list, &error) == 0) {
                scenario_fail(&scene->verdict, "server %" PRIu32 " cannot take list %" PRIu32 ": %.300s",
                              server->number, list, error.fault.text);
            }
            struct store_reader *reader = store_reader_open(server->store, &error);
            if (reader) {
                read_list(scene, reader, list);
            }
            store_reader_close(reader);
        }
        end_server(server);
    }
    (void)fibers_be(0);
}

static bool run(uint64_t seed, uint64_t *inputs, char text[SCENARIO_TEXT_SIZE])
{
    struct scene *scene = calloc(1, sizeof *scene);
    struct base_thread wrong;
    fibers_start(seed);
    disks_start();
    brokers_start();
    for (uint32_t i = 0; i < SERVERS; i++) {
        scene->servers[i].number = i + 1;
        scene->servers[i].scene = scene;
        scene->servers[i].random = seed * 1000003 + i;
        (void)base_thread_start(&scene->servers[i].thread, "server", live, &scene->servers[i]);
    }
    (void)base_thread_start(&wrong, "trouble", go_wrong, scene);
    for (uint32_t i = 0; i < SERVERS; i++) {
        base_thread_join(&scene->servers[i].thread);
    }
    scene->over = true;
    base_thread_join(&wrong);
    for (uint32_t i = 0; i < SERVERS; i++) {
        brokers_slow(i + 1, 0);
        disks_slow(i + 1, 0, 0);
    }
    compare(scene);
    const bool well = !scene->verdict.wrong;
    *inputs += scene->inputs;
    (void)snprintf(text, SCENARIO_TEXT_SIZE, "%.1000s", scene->verdict.text);
    brokers_end();
    disks_end();
    fibers_end();
    free(scene);
    return well;
}

const struct scenario scenario_brokers = {"brokers", run};
