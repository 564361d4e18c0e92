// Three stores on disks of their own, on which all goes wrong that can: a disk is full, slow, fails, loses its power. What was told to
// be durable is there again and equal, and of a damaged folder it is told that it is damaged, or it is read right.
#include "scenario.h"

#include "disk.h"
#include "fibers.h"
#include "helper_disk.h"
#include "helper_model.h"

#include "base/clock.h"
#include "base/thread.h"
#include "store/store.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { SERVERS = 3, LIVES = 4, MS = 1000000 };

struct server {
    uint32_t number;
    uint64_t random, inputs;
    struct model model;
    struct heard heard;
    struct base_thread thread;
    bool failing; // of its disk: a call did
    bool wrong;
    char text[FAULT_TEXT_SIZE];
};

// The following calls use this server's disk, as long as no other fiber has had a turn.
static void on_disk(const struct server *server)
{
    disk_use(server->number);
}

static uint64_t draw(struct server *server, uint64_t below)
{
    return model_random(&server->random) % below;
}

// The faults of this life.
static void weather(struct server *server)
{
    const uint64_t kind = draw(server, 8);
    disks_slow(server->number, draw(server, 3) == 0 ? draw(server, 20 * MS) : 0,
               draw(server, 2) == 0 ? draw(server, 400 * MS) : 2 * MS);
    server->failing = kind == 0;
    if (kind == 0) {
        on_disk(server);
        disk_fail_at(1 + draw(server, 800), draw(server, 2) == 0);
    } else if (kind <= 5) {
        on_disk(server);
        disk_cut_at(1 + draw(server, kind == 5 ? 60 : 1200));
    }
    if (kind == 1 || kind == 6) {
        on_disk(server);
        disk_lacks(draw(server, 2) == 0 ? ENOSPC : EDQUOT);
        on_disk(server);
        const uint64_t used = disk_used();
        on_disk(server);
        disk_room((int64_t)(used + draw(server, 400000)));
    }
}

static bool is_over(const struct server *server)
{
    on_disk(server);
    return disk_is_cut() || server->heard.failures > 0;
}

static void write_some(struct server *server, struct store *store)
{
    const uint64_t steps = 1 + draw(server, 120);
    for (uint64_t step = 0; step < steps && !is_over(server); step++) {
        const uint32_t list = 1 + (uint32_t)draw(server, MODEL_LISTS - 1);
        struct model_list *one = &server->model.lists[list];
        const uint64_t what = draw(server, 32);
        server->inputs++;
        if (!one->made) {
            (void)model_create(&server->model, store, list);
        } else if (what == 0 && one->appended > one->imaged) {
            (void)model_image(&server->model, store, list);
        } else if (what == 1 &&
                   server->heard.durable[list] > 0) { // of a list that is not there yet it waits for room
            const uint64_t epoch = store_take_over(store, list, NULL);
            one->epoch = epoch > 0 ? epoch : one->epoch;
            if (epoch == 0) {
                return; // no room, or no power: nothing is promised from here on
            }
        } else if (what == 2) {
            (void)heard_wait(&server->heard, list, one->appended);
        } else if (what == 3) {
            fibers_sleep_until(base_now_ns() + draw(server, 3000) * MS);
        } else if (what == 4 && heard_full(&server->heard)) {
            on_disk(server);
            disk_room(-1);
            (void)heard_room(&server->heard);
        } else {
            (void)model_append(&server->model, store, list);
        }
    }
}

static struct store *open_store(struct server *server, uint64_t keep_bytes, struct store_error *error)
{
    char folder[DISK_FOLDER_SIZE];
    disks_folder(server->number, folder);
    struct store_options options = heard_options(&server->heard, folder);
    options.keep_bytes = keep_bytes;
    options.reserve_bytes = 65536;
    return store_open(&options, error);
}

static void keep_damage(void *context, const struct store_error *damage)
{
    *(struct store_error *)context = *damage;
}

// All that was promised is there, and nothing is said to be damaged.
static void look(struct server *server)
{
    struct store_error error = {0}, damage = {0};
    struct store *store = open_store(server, UINT64_MAX, &error);
    server->wrong = !store;
    if (!store) {
        (void)snprintf(server->text, sizeof server->text, "%s", error.fault.text);
        return;
    }
    server->wrong = model_check(&server->model, store, server->text) != RIGHT;
    struct store_reader *reader = store_reader_open(store, &error);
    if (!server->wrong &&
        (!reader || !store_verify(reader, keep_damage, &damage, &error) || damage.fault.code != FAULT_NONE)) {
        (void)snprintf(server->text, sizeof server->text, "%.250s%.250s", error.fault.text,
                       damage.fault.text);
        server->wrong = true;
    }
    store_reader_close(reader);
    model_go_on(&server->model, store);
    store_close(store);
}

static void live_once(struct server *server)
{
    struct store_error error;
    heard_init(&server->heard);
    model_prepare(&server->model, &server->heard);
    weather(server);
    struct store *store = open_store(server, draw(server, 3) == 0 ? 60000 : UINT64_MAX, &error);
    if (store) {
        write_some(server, store);
        if (draw(server, 4) > 0) {
            on_disk(server);
            disk_cut_at(1);
        }
        store_close(store);
    }
    model_hear(&server->model, &server->heard);
    on_disk(server);
    disk_fail_at(0, false);
    on_disk(server);
    disk_power_on(draw(server, UINT64_MAX));
    on_disk(server);
    disk_room(-1);
    disks_slow(server->number, 0, 0);
    look(server);
    heard_deinit(&server->heard);
}

// Some bytes of some file are others: none of that is given out.
static void damage(struct server *server)
{
    struct store_error error = {0};
    on_disk(server); // the calls below do not wait
    const uint64_t flips = 1 + draw(server, 4);
    for (uint64_t i = 0; i < flips && disk_files() > 0; i++) {
        const uint32_t file = (uint32_t)draw(server, disk_files());
        if (disk_size(file) > 0) {
            disk_bytes(file)[draw(server, disk_size(file))] ^= (uint8_t)(1 + draw(server, 255));
        }
    }
    heard_init(&server->heard);
    struct store *store = open_store(server, UINT64_MAX, &error);
    if (store) {
        server->wrong = model_check(&server->model, store, server->text) == WRONG;
        store_close(store);
    } else if (error.fault.code != FAULT_DAMAGED && error.fault.code != FAULT_IO &&
               error.fault.code != FAULT_VERSION) {
        (void)snprintf(server->text, sizeof server->text, "status %d: %.400s", (int)error.fault.code,
                       error.fault.text);
        server->wrong = true;
    }
    heard_deinit(&server->heard);
}

static void live(void *context)
{
    struct server *server = context;
    (void)fibers_be(server->number);
    for (int life = 0; life < LIVES && !server->wrong; life++) {
        live_once(server);
    }
    if (!server->wrong) {
        damage(server);
    }
}

static bool run(uint64_t seed, uint64_t *inputs, char text[SCENARIO_TEXT_SIZE])
{
    static struct server servers[SERVERS];
    bool well = true;
    fibers_start(seed);
    disks_start();
    memset(servers, 0, sizeof servers);
    for (uint32_t i = 0; i < SERVERS; i++) {
        servers[i].number = i + 1;
        servers[i].random = seed * 1000003 + i;
        (void)base_thread_start(&servers[i].thread, "server", live, &servers[i]);
    }
    for (uint32_t i = 0; i < SERVERS; i++) {
        base_thread_join(&servers[i].thread);
        *inputs += servers[i].inputs;
        if (servers[i].wrong && well) {
            (void)snprintf(text, SCENARIO_TEXT_SIZE, "store %u: %.1000s", i + 1, servers[i].text);
            well = false;
        }
    }
    disks_end();
    fibers_end();
    return well;
}

const struct scenario scenario_store = {"store", run};
