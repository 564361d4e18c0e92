// Checks what has to hold of servers that shared worlds, when all is well again.
#include "cluster_scene.h"

#include "brokers.h"
#include "disk.h"
#include "fibers.h"
#include "helper_disk.h"

#include "base/clock.h"
#include "past/past.h"
#include "store/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALM_MS = 120000, REST_MS = 30000 };

// Asks until somebody answers, wherever the world is.
static bool reach(struct cluster_human *human, const char *method, const char *parameters)
{
    const uint64_t until_ns = base_now_ns() + CALM_MS * UINT64_C(1000000);
    while (base_now_ns() < until_ns) {
        const enum outcome outcome = person_ask(&human->person, method, "%s", parameters);
        if (outcome == ANSWERED) {
            return true;
        }
        fibers_sleep_until(base_now_ns() + (cluster_follow(human, outcome) ? 50 : 500) * (uint64_t)MS);
    }
    return false;
}

static struct cluster_edit *find_edit(struct cluster_scene *scene, const char *name)
{
    for (uint32_t i = 0; i < scene->edit_count; i++) {
        if (strcmp(scene->edits[i].name, name) == 0) {
            return &scene->edits[i];
        }
    }
    return NULL;
}

static void look_at_entry(struct cluster_scene *scene, uint32_t world, const msgpack_object *entry)
{
    char method[32], name[16];
    (void)map_text(entry, "method", method, sizeof method);
    if (strcmp(method, "collider.add") != 0 ||
        !map_text(map_at(entry, "params"), "name", name, sizeof name)) {
        return;
    }
    struct cluster_edit *edit = find_edit(scene, name);
    const uint64_t revision = map_number(entry, "revision");
    if (!edit || (edit->world != world && !edit->by_name) || edit->outcome == REFUSED || ++edit->seen > 1 ||
        (edit->outcome == ANSWERED && edit->revision != revision)) {
        scenario_fail(&scene->verdict, "w%" PRIu32 " has edit %s at revision %" PRIu64 ", %s", world, name,
                      revision,
                      !edit                       ? "which nobody made"
                      : edit->seen > 1            ? "a second time"
                      : edit->outcome == REFUSED  ? "which was refused"
                      : edit->outcome == ANSWERED ? "which was answered with another"
                                                  : "which is another world's");
    }
}

// world: its place, or SHARED for another.
static void look_at_log(struct cluster_human *human, uint32_t id, uint32_t world)
{
    struct cluster_scene *scene = human->scene;
    uint64_t since = 0, last = 0, next;
    do {
        char parameters[96];
        (void)snprintf(parameters, sizeof parameters, "{'world': %" PRIu32 ", 'since': %" PRIu64 "}", id,
                       since);
        if (!reach(human, "edit.log", parameters)) {
            if (world < SHARED) {
                scenario_fail(&scene->verdict, "w%" PRIu32 ": nobody tells its log: %s", world,
                              human->person.text);
            }
            return; // one that was never made may be in nobody's way
        }
        const msgpack_object *edits = map_at(human->person.result, "edits");
        next = 0;
        for (uint32_t i = 0; edits && i < edits->via.array.size; i++) {
            look_at_entry(scene, world, &edits->via.array.ptr[i]);
            next = map_number(&edits->via.array.ptr[i], "sequence");
            last = map_number(&edits->via.array.ptr[i], "revision");
        }
        since = next;
    } while (next > 0 && !scene->verdict.wrong);
    if (world < SHARED && last < scene->sure[world]) {
        scenario_fail(&scene->verdict,
                      "w%" PRIu32 " ends at revision %" PRIu64 "; %" PRIu64 " was told to be kept", world,
                      last, scene->sure[world]);
    }
}

// Page by page, from memory or from what is kept: there is no gap.
static void look_at_records(struct cluster_human *human, uint32_t world)
{
    struct cluster_scene *scene = human->scene;
    uint64_t after = 0, sequence = 0;
    do {
        char parameters[96];
        (void)snprintf(parameters, sizeof parameters,
                       "{'world': %" PRIu32 ", 'after': %" PRIu64 ", 'limit': 7}", ID(human, world), after);
        if (!reach(human, "world.records", parameters)) {
            scenario_fail(&scene->verdict, "w%" PRIu32 ": nobody tells its records: %s", world,
                          human->person.text);
            return;
        }
        const msgpack_object *records = map_at(human->person.result, "records");
        const uint32_t count = records && records->type == MSGPACK_OBJECT_ARRAY ? records->via.array.size : 0;
        sequence = map_number(human->person.result, "sequence");
        if (count == 0 && after < sequence) {
            scenario_fail(&scene->verdict, "w%" PRIu32 " has %" PRIu64 " records, and tells %" PRIu64, world,
                          sequence, after);
        }
        after += count;
    } while (after < sequence && !scene->verdict.wrong);
    if (after > sequence) {
        scenario_fail(&scene->verdict, "w%" PRIu32 " has %" PRIu64 " records, and tells %" PRIu64, world,
                      sequence, after);
    }
}

// Worlds that nobody was answered about, and that are there all the same.
static void look_at_others(struct cluster_human *human)
{
    const struct cluster_scene *scene = human->scene;
    uint32_t ids[32], count = 0;
    (void)reach(human, "world.list", "{}");
    const msgpack_object *worlds = map_at(human->person.result, "worlds");
    for (uint32_t i = 0; worlds && i < worlds->via.array.size && count < 32; i++) {
        ids[count++] = (uint32_t)map_number(&worlds->via.array.ptr[i], "world");
    }
    for (uint32_t i = 0; i < count && !scene->verdict.wrong; i++) {
        bool known = false;
        for (int world = 0; world < SHARED; world++) {
            known |= scene->ids[world] == ids[i];
        }
        if (!known) {
            look_at_log(human, ids[i], SHARED);
        }
    }
}

static void look_for_all(struct cluster_scene *scene)
{
    for (uint32_t i = 0; i < scene->edit_count; i++) {
        const struct cluster_edit *edit = &scene->edits[i];
        if (edit->outcome == ANSWERED && edit->seen == 0) {
            scenario_fail(&scene->verdict,
                          "w%" PRIu32 " has lost edit %s, which was answered with revision %" PRIu64,
                          edit->world, edit->name, edit->revision);
        }
    }
}

// The server that has the world, or one that says that it is there.
static bool says_where(struct cluster_human *human, uint32_t server, uint32_t owner, const char *parameters)
{
    struct person *person = &human->person;
    cluster_go_to(human, server);
    const enum outcome outcome = person_ask(person, "world.get", "%s", parameters);
    return server == owner
               ? outcome == ANSWERED
               : outcome == REFUSED && strcmp(person->code, "MOVED") == 0 && person->moved_to == owner;
}

static void look_at_world(struct cluster_human *human, uint32_t world)
{
    struct cluster_scene *scene = human->scene;
    char parameters[48];
    (void)snprintf(parameters, sizeof parameters, "{'world': %" PRIu32 "}", ID(human, world));
    if (!reach(human, "world.pause", parameters)) {
        scenario_fail(&scene->verdict, "w%" PRIu32 " is nowhere: %s %s", world, human->person.code,
                      human->person.text);
        return;
    }
    look_at_log(human, scene->ids[world], world);
    if (!scene->verdict.wrong) {
        look_at_records(human, world);
    }
    // One has it, and the others say so.
    const uint32_t owner = human->at;
    for (uint32_t server = 1; server <= scene->node_count && !scene->verdict.wrong; server++) {
        const uint64_t until_ns = base_now_ns() + CALM_MS * UINT64_C(1000000);
        while (!says_where(human, server, owner, parameters) && !scene->verdict.wrong) {
            if (base_now_ns() > until_ns) {
                scenario_fail(&scene->verdict,
                              "w%" PRIu32 " is at server %" PRIu32 ", and server %" PRIu32
                              " says %s (%" PRIu32 ")",
                              world, owner, server, human->person.code, human->person.moved_to);
            }
            fibers_sleep_until(base_now_ns() + 500 * MS);
        }
    }
}

// Those who have joined a world at a server that does not have it were told.
static void look_at_people(struct cluster_scene *scene, struct cluster_human *people, const uint32_t *owners)
{
    for (int i = 0; i < PEOPLE; i++) {
        const struct node *node = person_node(&people[i].person);
        person_listen(&people[i].person);
        for (int world = 0; world < SHARED && node; world++) {
            if (people[i].joined[world] && !people[i].left[world] && owners[world] != 0 &&
                owners[world] != node->number) {
                scenario_fail(&scene->verdict,
                              "person %d joined w%d at server %" PRIu32
                              ", which lost it, and was told nothing",
                              i, world, node->number);
            }
        }
    }
}

static void replay(struct cluster_scene *scene, const struct node *node, struct store *store, uint32_t world)
{
    struct store_error error = {0};
    struct protocol_error why = {0};
    struct past_difference difference = {0};
    const uint32_t list = scene->ids[world];
    if (store_take_over(store, list, &error) == 0) {
        scenario_fail(&scene->verdict, "server %" PRIu32 " cannot take w%" PRIu32 ": %.300s", node->number,
                      world, error.fault.text);
        return;
    }
    struct store_reader *reader = store_reader_open(store, &error);
    struct past *past = past_open(reader, list, &why);
    if (!past || !past_replay(past, NULL, &difference, &why)) {
        scenario_fail(&scene->verdict, "w%" PRIu32 " cannot be run again from disk %" PRIu32 ": %.300s",
                      world, node->number, why.text);
    } else if (difference.found || difference.end_hash != scene->hashes[world]) {
        scenario_fail(&scene->verdict,
                      "w%" PRIu32 " told %016" PRIx64 " at tick %" PRIu64 "; disk %" PRIu32
                      " comes to %016" PRIx64 " at tick %" PRIu64 "%s%.200s",
                      world, scene->hashes[world], scene->ticks[world], node->number, difference.end_hash,
                      difference.end_tick, difference.found ? ", and differs before: " : "", difference.text);
    }
    past_close(past);
    store_reader_close(reader);
}

void cluster_look_at_folder(struct cluster_scene *scene, const struct node *node)
{
    struct store_error error = {0};
    char folder[DISK_FOLDER_SIZE];
    (void)fibers_be(node->number);
    disks_folder(node->number, folder);
    struct store *store =
        store_open(&(struct store_options){.folder = folder,
                                           .brokers = node->kind == NODE_ALONE ? NULL : BROKERS_URL,
                                           .check = "none",
                                           .patience_ms = 60000,
                                           .keep_seconds = UINT64_MAX,
                                           .keep_bytes = UINT64_MAX,
                                           .bin_seconds = 86400},
                   &error);
    if (!store) {
        scenario_fail(&scene->verdict, "disk %" PRIu32 " cannot be opened: %.300s", node->number,
                      error.fault.text);
    }
    for (uint32_t world = 0; world < SHARED && store && !scene->verdict.wrong; world++) {
        if (scene->ids[world] != 0) {
            replay(scene, node, store, world);
        }
    }
    store_close(store);
    (void)fibers_be(0);
}

static void hash(struct cluster_human *human, uint32_t world)
{
    char parameters[48], text[24];
    (void)snprintf(parameters, sizeof parameters, "{'world': %" PRIu32 "}", ID(human, world));
    if (!reach(human, "world.hash", parameters)) {
        scenario_fail(&human->scene->verdict, "w%" PRIu32 " tells no hash: %s", world, human->person.text);
        return;
    }
    (void)map_text(human->person.result, "hash", text, sizeof text);
    human->scene->hashes[world] = strtoull(text, NULL, 16);
    human->scene->ticks[world] = map_number(human->person.result, "tick");
}

void cluster_compare(struct cluster_scene *scene, struct cluster_human *people)
{
    struct cluster_human last = {.scene = scene, .random = 1, .person = {.number = PEOPLE + 1}};
    uint32_t owners[SHARED] = {0};
    for (uint32_t i = 0; i < scene->node_count; i++) {
        brokers_slow(i + 1, 0);
        disks_slow(i + 1, 0, 0);
        disk_use(i + 1);
        disk_fail_at(0, false);
        disk_use(i + 1);
        disk_room(-1);
    }
    if (scene->node_count == 1) {
        // A world of which the disk gave nothing when its server started is not there; and what is asked of the past is read from the disk.
        node_stop(&scene->nodes[0], false, 100 * MS);
        fibers_sleep_until(base_now_ns() + 2000 * MS);
    }
    cluster_go_to(&last, 1);
    for (uint32_t world = 0; world < SHARED && !scene->verdict.wrong; world++) {
        if (scene->ids[world] != 0) {
            look_at_world(&last, world);
            char parameters[48];
            (void)snprintf(parameters, sizeof parameters, "{'world': %" PRIu32 "}", scene->ids[world]);
            (void)reach(&last, "world.get", parameters);
            owners[world] = last.at;
        }
    }
    if (!scene->verdict.wrong) {
        look_at_others(&last);
        look_for_all(scene);
    }
    if (!scene->verdict.wrong) {
        look_at_people(scene, people, owners);
    }
    for (uint32_t i = 0; i < PEOPLE; i++) {
        person_end(&people[i].person);
    }
    fibers_sleep_until(base_now_ns() + REST_MS * UINT64_C(1000000)); // what they held is dropped
    for (uint32_t world = 0; world < SHARED && !scene->verdict.wrong; world++) {
        if (scene->ids[world] != 0) {
            hash(&last, world);
        }
    }
    person_end(&last.person);
}
