// Three servers that share worlds by three brokers, with people who edit, take hold of things, and have worlds moved; while servers are
// killed, stopped, put to sleep, cut off from brokers, and have their wall clocks set, and brokers end. Then all is well again:
//
//     each world is at one server, and the others say where
//     what was answered is there, and in the log once, at the revision that was answered; what was refused is not
//     all that any two servers answered agrees: no revision was given twice
//     what each folder has comes, run straight from its records, to the hash that the world told
//     whoever had joined a world that left their server was told so
#include "scenario.h"

#include "brokers.h"
#include "disk.h"
#include "fibers.h"
#include "helper_disk.h"
#include "nodes.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "past/past.h"
#include "store/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PEOPLE = 3, SHARED = 2, STEPS = 40, EDITS = 1024, MS = 1000000, CALM_MS = 120000, REST_MS = 30000 };

struct edit {
    char name[16];
    uint32_t world; // place in shared
    bool by_name;   // nobody was answered yet that there is such a world: it may be in any that is called so
    enum outcome outcome;
    uint64_t revision; // that was answered
    uint32_t seen;     // in the log
};

struct scene {
    struct node nodes[NODES];
    uint32_t node_count;
    struct edit edits[EDITS];
    uint32_t edit_count;
    uint32_t ids[SHARED];  // of worlds; 0: nobody was answered
    uint64_t sure[SHARED]; // the last revision that somebody was told is kept
    uint64_t hashes[SHARED], ticks[SHARED];
    uint64_t inputs, answered, refused, moves, grabs_gone_on, told;
    bool over;
    struct scenario_verdict verdict;
};

struct human {
    struct person person; // first
    struct scene *scene;
    uint64_t random;
    struct base_thread thread;
    uint32_t at; // number of the server where the worlds were last
    bool joined[SHARED], left[SHARED];
    uint32_t grabs[SHARED];
};

// By its id: of worlds that were made at several servers at once more than one may be called so for a while.
#define ID(human, world) ((human)->scene->ids[world])

// ---------------------------------------------------------------------------------------------------------
// People

static void on_left(void *context, uint32_t world)
{
    struct human *human = context;
    for (int i = 0; i < SHARED; i++) {
        if (human->scene->ids[i] == world) {
            human->left[i] = true;
            human->scene->told++;
        }
    }
}

static void go_to(struct human *human, uint32_t server)
{
    memset(human->joined, 0, sizeof human->joined);
    memset(human->left, 0, sizeof human->left);
    human->at = server;
    (void)person_connect(&human->person, &human->scene->nodes[server - 1]);
}

// True: it is to be asked again, elsewhere.
static bool follow(struct human *human, enum outcome outcome)
{
    struct person *person = &human->person;
    if (outcome == REFUSED && strcmp(person->code, "MOVED") == 0 && person->moved_to > 0) {
        go_to(human, person->moved_to);
        return true;
    }
    if (!person_node(person)) {
        go_to(human, 1 + (uint32_t)scenario_draw(&human->random, human->scene->node_count));
    } else if (outcome == REFUSED && strcmp(person->code, "NOT_FOUND") == 0) {
        go_to(human, 1 + (uint32_t)scenario_draw(&human->random, human->scene->node_count));
    }
    return false;
}

static void create(struct human *human, uint32_t world)
{
    struct scene *scene = human->scene;
    const enum outcome outcome = person_ask(
        &human->person, "world.create", "{'name': 'w%" PRIu32 "', 'tick_rate': 60, 'substeps': 1}", world);
    if (outcome == ANSWERED && scene->ids[world] == 0) {
        scene->ids[world] = (uint32_t)map_number(human->person.result, "world");
        (void)person_ask(&human->person, "body.add",
                         "{'world': %" PRIu32 ", 'kind': 'rope', 'name': 'rope', 'pins': [0], 'positions': "
                         "[0.0, 1.0, 0.0, 0.5, 1.0, 0.0, 1.0, 1.0, 0.0]}",
                         scene->ids[world]);
    } else if (outcome == ANSWERED) {
        scenario_fail(&scene->verdict, "world w%" PRIu32 " was made twice", world);
    }
    (void)follow(human, outcome);
}

static void add_edit(struct human *human, uint32_t world)
{
    struct scene *scene = human->scene;
    if (scene->edit_count == EDITS) {
        return;
    }
    struct edit *edit = &scene->edits[scene->edit_count];
    *edit = (struct edit){.world = world, .outcome = NOTHING, .by_name = scene->ids[world] == 0};
    char which[16];
    (void)snprintf(which, sizeof which, edit->by_name ? "'w%" PRIu32 "'" : "%" PRIu32,
                   edit->by_name ? world : scene->ids[world]);
    (void)snprintf(edit->name, sizeof edit->name, "e%" PRIu32, scene->edit_count++);
    for (int i = 0; i < 4; i++) {
        edit->outcome = person_ask(
            &human->person, "collider.add",
            "{'world': %s, 'kind': 'sphere', 'name': '%s', 'radius': 0.01, 'position': [0.0, -50.0, %" PRIu32
            ".5]}",
            which, edit->name, scene->edit_count);
        // Of what a server had done when another took its world nobody can tell there whether it is kept, and it says so.
        if (edit->outcome == REFUSED &&
            strstr(human->person.text, "whether this was kept is to be seen there")) {
            edit->outcome = NOTHING;
        }
        scene->answered += edit->outcome == ANSWERED;
        scene->refused += edit->outcome == REFUSED;
        if (edit->outcome == ANSWERED) {
            edit->revision = map_number(human->person.result, "revision");
        }
        if (!follow(human, edit->outcome)) {
            return;
        }
    }
}

static void join(struct human *human, uint32_t world)
{
    if (person_ask(&human->person, "world.join", "{'world': %" PRIu32 "}", ID(human, world)) == ANSWERED) {
        human->joined[world] = true;
        human->left[world] = false;
    }
}

static void grab(struct human *human, uint32_t world)
{
    struct person *person = &human->person;
    struct node *before = person_node(person);
    if (human->grabs[world] == 0) {
        const enum outcome outcome = person_ask(person, "grab.begin",
                                                "{'world': %" PRIu32 ", 'body': 'rope', 'particle': %" PRIu32
                                                ", 'target': [1.0, 1.5, 0.0]}",
                                                ID(human, world), 1 + human->person.number % 2);
        human->grabs[world] = outcome == ANSWERED ? (uint32_t)map_number(person->result, "grab") : 0;
        (void)follow(human, outcome);
        return;
    }
    for (int i = 0; i < 3; i++) {
        const enum outcome outcome = person_ask(
            person, "grab.move", "{'world': %" PRIu32 ", 'grab': %" PRIu32 ", 'target': [1.0, 1.%d, 0.0]}",
            ID(human, world), human->grabs[world], (int)scenario_draw(&human->random, 10));
        if (outcome != ANSWERED && !(outcome == REFUSED && strcmp(person->code, "MOVED") == 0)) {
            human->grabs[world] = 0; // it has ended with a server or a session
        }
        human->scene->grabs_gone_on += outcome == ANSWERED && person_node(person) != before;
        if (!follow(human, outcome)) {
            return;
        }
    }
}

static void move(struct human *human, uint32_t world)
{
    const enum outcome outcome =
        person_ask(&human->person, "world.move", "{'world': %" PRIu32 ", 'server': 's%d'}", ID(human, world),
                   1 + (int)scenario_draw(&human->random, human->scene->node_count));
    human->scene->moves += outcome == ANSWERED;
    (void)follow(human, outcome);
}

static void play(struct human *human, uint32_t world)
{
    const char *method = scenario_draw(&human->random, 3) == 0 ? "world.pause" : "world.play";
    (void)follow(human, person_ask(&human->person, method, "{'world': %" PRIu32 "}", ID(human, world)));
}

// What a query tells is kept, unless it says that it may not be.
static void look(struct human *human, uint32_t world)
{
    struct scene *scene = human->scene;
    const enum outcome outcome =
        person_ask(&human->person, "world.get", "{'world': %" PRIu32 "}", ID(human, world));
    if (outcome == ANSWERED) {
        const bool durable = map_at(human->person.result, "durable") == NULL;
        const uint64_t revision = map_number(human->person.result, durable ? "revision" : "durable_revision");
        scene->sure[world] = revision > scene->sure[world] ? revision : scene->sure[world];
    }
    (void)follow(human, outcome);
}

static void act(void *context)
{
    struct human *human = context;
    struct scene *scene = human->scene;
    (void)fibers_be(0);
    for (int step = 0; step < STEPS && !scene->verdict.wrong; step++) {
        const uint32_t world = (uint32_t)scenario_draw(&human->random, SHARED);
        const uint64_t what = scenario_draw(&human->random, 24);
        scene->inputs++;
        person_listen(&human->person);
        if (!person_node(&human->person)) {
            go_to(human, 1 + (uint32_t)scenario_draw(&human->random, human->scene->node_count));
        } else if (scene->ids[world] == 0 && what < 8) {
            create(human, world);
        } else if (what < 12 || scene->ids[world] == 0) {
            add_edit(human, world);
        } else if (what < 14) {
            play(human, world);
        } else if (what < 16 && scene->node_count == 1) {
            look(human, world);
        } else if (what < 16) {
            move(human, world);
        } else if (what < 18) {
            join(human, world);
        } else if (what < 22) {
            grab(human, world);
        } else {
            fibers_sleep_until(base_now_ns() + scenario_draw(&human->random, 2000) * MS);
        }
        fibers_sleep_until(base_now_ns() + scenario_draw(&human->random, 400) * MS);
    }
}

// ---------------------------------------------------------------------------------------------------------
// What goes wrong

static void cut(struct scene *scene, uint32_t server, uint64_t for_ns, uint64_t *random)
{
    struct node *node = &scene->nodes[server - 1];
    if (node->killed) {
        return;
    }
    for (uint32_t i = 0; i < BROKERS; i++) {
        brokers_reach(server, i, scenario_draw(random, 3) == 0);
    }
    fibers_sleep_until(base_now_ns() + for_ns);
    for (uint32_t i = 0; i < BROKERS && !node->killed; i++) {
        brokers_reach(server, i, true);
    }
}

// Of a disk that is full or fails its server hears; it comes back with what is left.
static void trouble_disk(struct scene *scene, uint64_t *random)
{
    struct node *node = &scene->nodes[0];
    const uint64_t what = scenario_draw(random, 6), for_ns = scenario_draw(random, 8000) * MS;
    scene->inputs++;
    base_log(BASE_LOG_DEBUG, "%.3f s: trouble of the disk %" PRIu64 ", for %.3f s",
             (double)base_now_ns() * 1e-9 - 1000, what, (double)for_ns * 1e-9);
    disk_use(node->number);
    switch (what) {
    case 0: {
        const uint64_t used = disk_used();
        disk_use(node->number);
        disk_room((int64_t)(used + scenario_draw(random, 100000)));
        fibers_sleep_until(base_now_ns() + for_ns);
        disk_use(node->number);
        disk_room(-1);
        break;
    }
    case 1:
        disk_fail_at(1 + scenario_draw(random, 300), scenario_draw(random, 2) == 0);
        break;
    case 2:
        node_stop(node, false, for_ns);
        break;
    case 3:
        disk_cut_at(1 + scenario_draw(random, 100)); // the store finds it gone, or the process does
        node_stop(node, true, for_ns);
        break;
    case 4:
        fibers_jump(node->number, (int64_t)scenario_draw(random, 7200000000) - 3600000000);
        break;
    default:
        disks_slow(node->number, scenario_draw(random, 10) * MS, scenario_draw(random, 600) * MS);
        break;
    }
}

static void trouble(struct scene *scene, uint64_t *random)
{
    const uint32_t broker = (uint32_t)scenario_draw(random, BROKERS),
                   server = 1 + (uint32_t)scenario_draw(random, scene->node_count);
    const uint64_t for_ns = scenario_draw(random, 8000) * MS;
    const uint64_t what = scenario_draw(random, 8);
    scene->inputs++;
    base_log(BASE_LOG_DEBUG,
             "%.3f s: trouble %" PRIu64 ": broker %" PRIu32 ", server %" PRIu32 ", for %.3f s",
             (double)base_now_ns() * 1e-9 - 1000, what, broker, server, (double)for_ns * 1e-9);
    switch (what) {
    case 0:
        brokers_up(broker, false);
        fibers_sleep_until(base_now_ns() + for_ns);
        brokers_up(broker, true);
        break;
    case 1:
        cut(scene, server, for_ns, random);
        break;
    case 2:
        fibers_hold(server, true);
        fibers_sleep_until(base_now_ns() + for_ns);
        fibers_hold(server, false);
        break;
    case 3:
        node_stop(&scene->nodes[server - 1], false, for_ns);
        break;
    case 4:
        node_stop(&scene->nodes[server - 1], true, for_ns);
        break;
    case 5:
        fibers_jump(server, (int64_t)scenario_draw(random, 7200000000) - 3600000000);
        break;
    case 6:
        brokers_slow(server, scenario_draw(random, 300) * MS);
        break;
    default:
        disks_slow(server, 0, scenario_draw(random, 300) * MS);
        break;
    }
}

static void go_wrong(void *context)
{
    struct scene *scene = context;
    uint64_t random = scene->inputs;
    scene->inputs = 0;
    while (!scene->over) {
        fibers_sleep_until(base_now_ns() + scenario_draw(&random, 4000) * MS);
        if (!scene->over && scene->node_count == 1) {
            trouble_disk(scene, &random);
        } else if (!scene->over) {
            trouble(scene, &random);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------
// All is well again

// Asks until somebody answers, wherever the world is.
static bool reach(struct human *human, const char *method, const char *parameters)
{
    const uint64_t until_ns = base_now_ns() + CALM_MS * UINT64_C(1000000);
    while (base_now_ns() < until_ns) {
        const enum outcome outcome = person_ask(&human->person, method, "%s", parameters);
        if (outcome == ANSWERED) {
            return true;
        }
        fibers_sleep_until(base_now_ns() + (follow(human, outcome) ? 50 : 500) * (uint64_t)MS);
    }
    return false;
}

static struct edit *find_edit(struct scene *scene, const char *name)
{
    for (uint32_t i = 0; i < scene->edit_count; i++) {
        if (strcmp(scene->edits[i].name, name) == 0) {
            return &scene->edits[i];
        }
    }
    return NULL;
}

static void look_at_entry(struct scene *scene, uint32_t world, const msgpack_object *entry)
{
    char method[32], name[16];
    (void)map_text(entry, "method", method, sizeof method);
    if (strcmp(method, "collider.add") != 0 ||
        !map_text(map_at(entry, "params"), "name", name, sizeof name)) {
        return;
    }
    struct edit *edit = find_edit(scene, name);
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
static void look_at_log(struct human *human, uint32_t id, uint32_t world)
{
    struct scene *scene = human->scene;
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
static void look_at_records(struct human *human, uint32_t world)
{
    struct scene *scene = human->scene;
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
static void look_at_others(struct human *human)
{
    const struct scene *scene = human->scene;
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

static void look_for_all(struct scene *scene)
{
    for (uint32_t i = 0; i < scene->edit_count; i++) {
        const struct edit *edit = &scene->edits[i];
        if (edit->outcome == ANSWERED && edit->seen == 0) {
            scenario_fail(&scene->verdict,
                          "w%" PRIu32 " has lost edit %s, which was answered with revision %" PRIu64,
                          edit->world, edit->name, edit->revision);
        }
    }
}

// The server that has the world, or one that says that it is there.
static bool says_where(struct human *human, uint32_t server, uint32_t owner, const char *parameters)
{
    struct person *person = &human->person;
    go_to(human, server);
    const enum outcome outcome = person_ask(person, "world.get", "%s", parameters);
    return server == owner
               ? outcome == ANSWERED
               : outcome == REFUSED && strcmp(person->code, "MOVED") == 0 && person->moved_to == owner;
}

static void look_at_world(struct human *human, uint32_t world)
{
    struct scene *scene = human->scene;
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
static void look_at_people(struct scene *scene, struct human *people, const uint32_t *owners)
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

static void replay(struct scene *scene, const struct node *node, struct store *store, uint32_t world)
{
    struct store_error error = {0};
    struct protocol_error why = {0};
    struct past_difference difference = {0};
    const uint32_t list = scene->ids[world];
    if (store_take_over(store, list, &error) == 0) {
        scenario_fail(&scene->verdict, "server %" PRIu32 " cannot take w%" PRIu32 ": %.300s", node->number,
                      world, error.text);
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

static void look_at_folder(struct scene *scene, const struct node *node)
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
        scenario_fail(&scene->verdict, "disk %" PRIu32 " cannot be opened: %.300s", node->number, error.text);
    }
    for (uint32_t world = 0; world < SHARED && store && !scene->verdict.wrong; world++) {
        if (scene->ids[world] != 0) {
            replay(scene, node, store, world);
        }
    }
    store_close(store);
    (void)fibers_be(0);
}

static void hash(struct human *human, uint32_t world)
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

static void compare(struct scene *scene, struct human *people)
{
    struct human last = {.scene = scene, .random = 1, .person = {.number = PEOPLE + 1}};
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
    go_to(&last, 1);
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

static bool run(uint64_t seed, uint32_t node_count, uint64_t *inputs, char text[SCENARIO_TEXT_SIZE])
{
    struct scene *scene = calloc(1, sizeof *scene);
    struct human *people = calloc(PEOPLE, sizeof *people);
    struct base_thread wrong;
    scene->node_count = node_count;
    fibers_start(seed);
    disks_start();
    brokers_start();
    for (uint32_t i = 0; i < scene->node_count; i++) {
        node_start(&scene->nodes[i], i + 1, node_count == 1 ? NODE_ALONE : NODE_SHARES);
    }
    scene->inputs = seed * 31 + 7; // go_wrong draws from it
    (void)base_thread_start(&wrong, "trouble", go_wrong, scene);
    fibers_sleep_until(base_now_ns() + 2000 * MS);
    for (uint32_t i = 0; i < PEOPLE; i++) {
        people[i].scene = scene;
        people[i].random = seed * 1000003 + i;
        people[i].person.number = i + 1;
        people[i].person.on_left = on_left;
        people[i].person.context = &people[i];
        (void)base_thread_start(&people[i].thread, "person", act, &people[i]);
    }
    for (uint32_t i = 0; i < PEOPLE; i++) {
        base_thread_join(&people[i].thread);
    }
    scene->over = true;
    base_thread_join(&wrong);
    compare(scene, people);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        node_end(&scene->nodes[i]);
    }
    for (uint32_t i = 0; i < scene->node_count && !scene->verdict.wrong; i++) {
        look_at_folder(scene, &scene->nodes[i]);
    }
    const bool well = !scene->verdict.wrong;
    *inputs += scene->inputs;
    (void)snprintf(text, SCENARIO_TEXT_SIZE, "%s", scene->verdict.text);
    if (getenv("WEFT_TOLD")) {
        printf("seed %" PRIu64 ": %" PRIu64 " answered, %" PRIu64 " refused, %" PRIu64 " moves, %" PRIu64
               " grabs went on elsewhere, %" PRIu64 " were told\n",
               seed, scene->answered, scene->refused, scene->moves, scene->grabs_gone_on, scene->told);
    }
    brokers_end();
    disks_end();
    fibers_end();
    free(people);
    free(scene);
    return well;
}

// ---------------------------------------------------------------------------------------------------------
// What people hold goes on when a world moves. Nothing goes wrong but that all is slow.

// Asked until it is answered or refused for good, wherever the world is; BUSY: it is on its way.
static enum outcome insist(struct human *human, const char *method, const char *parameters)
{
    const uint64_t until_ns = base_now_ns() + 9000 * (uint64_t)MS; // a grab waits ten seconds for its holder
    enum outcome outcome = NOTHING;
    while (base_now_ns() < until_ns) {
        outcome = person_ask(&human->person, method, "%s", parameters);
        const bool again =
            outcome != ANSWERED && (outcome == NOTHING || strcmp(human->person.code, "BUSY") == 0);
        if (!follow(human, outcome) && !again) {
            return outcome;
        }
        // Two servers may each say that the other has it, until one hears more.
        fibers_sleep_until(base_now_ns() + 50 * MS);
    }
    return outcome;
}

static void move_held(struct scene *scene, struct human *holder, struct human *other, uint32_t grab)
{
    char parameters[96];
    scene->inputs++;
    const uint32_t before = holder->at;
    const uint32_t to = 1 + (before + (uint32_t)scenario_draw(&other->random, NODES - 1)) % NODES;
    (void)snprintf(parameters, sizeof parameters, "{'world': %" PRIu32 ", 'server': 's%" PRIu32 "'}",
                   scene->ids[0], to);
    if (insist(other, "world.move", parameters) != ANSWERED) {
        scenario_fail(&scene->verdict, "w0 does not go to server %" PRIu32 ": %s %s", to, other->person.code,
                      other->person.text);
        return;
    }
    (void)snprintf(parameters, sizeof parameters,
                   "{'world': %" PRIu32 ", 'grab': %" PRIu32 ", 'target': [1.0, 1.%d, 0.0]}", scene->ids[0],
                   grab, (int)scenario_draw(&holder->random, 10));
    const bool other_first = scenario_draw(&other->random, 2) == 0;
    for (int i = 0; i < 2 && !scene->verdict.wrong; i++) {
        if ((i == 0) == other_first) {
            if (insist(other, "grab.move", parameters) != REFUSED ||
                strcmp(other->person.code, "DENIED") != 0) {
                scenario_fail(&scene->verdict,
                              "another moves a grab that is not theirs at server %" PRIu32 ": %s", to,
                              other->person.code);
            }
        } else if (insist(holder, "grab.move", parameters) != ANSWERED) {
            scenario_fail(&scene->verdict, "the grab does not go on at server %" PRIu32 ": %s %s", to,
                          holder->person.code, holder->person.text);
        }
    }
    if (!scene->verdict.wrong && holder->at != to) {
        scenario_fail(&scene->verdict, "w0 went to server %" PRIu32 ", and is at %" PRIu32, to, holder->at);
    }
}

static void hold_and_move(struct scene *scene, struct human *people)
{
    char parameters[160];
    for (uint32_t i = 0; i < 2; i++) {
        go_to(&people[i], 1 + (uint32_t)scenario_draw(&people[i].random, NODES));
    }
    for (int i = 0; i < 20 && scene->ids[0] == 0; i++) {
        create(&people[0], 0);
    }
    (void)snprintf(parameters, sizeof parameters, "{'world': %" PRIu32 "}", scene->ids[0]);
    if (scenario_draw(&people[0].random, 2) == 0) {
        (void)insist(&people[0], "world.play", parameters);
    }
    (void)snprintf(parameters, sizeof parameters,
                   "{'world': %" PRIu32 ", 'body': 'rope', 'particle': 2, 'target': [1.0, 1.5, 0.0]}",
                   scene->ids[0]);
    if (insist(&people[0], "grab.begin", parameters) != ANSWERED) {
        scenario_fail(&scene->verdict, "nothing can be held: %s %s", people[0].person.code,
                      people[0].person.text);
        return;
    }
    const uint32_t grab = (uint32_t)map_number(people[0].person.result, "grab");
    for (int i = 0; i < 4 && !scene->verdict.wrong; i++) {
        move_held(scene, &people[0], &people[1], grab);
    }
}

static bool run_move(uint64_t seed, uint64_t *inputs, char text[SCENARIO_TEXT_SIZE])
{
    struct scene *scene = calloc(1, sizeof *scene);
    struct human *people = calloc(2, sizeof *people);
    scene->node_count = NODES;
    fibers_start(seed);
    disks_start();
    brokers_start();
    for (uint32_t i = 0; i < NODES; i++) {
        node_start(&scene->nodes[i], i + 1, NODE_SHARES);
    }
    fibers_sleep_until(base_now_ns() + 2000 * MS);
    for (uint32_t i = 0; i < NODES; i++) {
        brokers_slow(i + 1, fibers_draw() % (30 * MS));
        disks_slow(i + 1, 0, fibers_draw() % (50 * MS));
    }
    for (uint32_t i = 0; i < 2; i++) {
        people[i].scene = scene;
        people[i].random = seed * 1000003 + i;
        people[i].person.number = i + 1;
    }
    hold_and_move(scene, people);
    for (uint32_t i = 0; i < 2; i++) {
        person_end(&people[i].person);
    }
    for (uint32_t i = 0; i < NODES; i++) {
        node_end(&scene->nodes[i]);
    }
    const bool well = !scene->verdict.wrong;
    *inputs += scene->inputs;
    (void)snprintf(text, SCENARIO_TEXT_SIZE, "%s", scene->verdict.text);
    brokers_end();
    disks_end();
    fibers_end();
    free(people);
    free(scene);
    return well;
}

const struct scenario scenario_move = {"move", run_move};

static bool run_cluster(uint64_t seed, uint64_t *inputs, char text[SCENARIO_TEXT_SIZE])
{
    return run(seed, NODES, inputs, text);
}

static bool run_alone(uint64_t seed, uint64_t *inputs, char text[SCENARIO_TEXT_SIZE])
{
    return run(seed, 1, inputs, text);
}

const struct scenario scenario_cluster = {"cluster", run_cluster}, scenario_alone = {"alone", run_alone};
