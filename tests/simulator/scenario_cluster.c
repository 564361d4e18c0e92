// Three servers that share worlds by three brokers, with people who edit, take hold of things, and have worlds moved; while servers are
// killed, stopped, put to sleep, cut off from brokers, and have their wall clocks set, and brokers end. Then all is well again:
//
//     each world is at one server, and the others say where
//     what was answered is there, and in the log once, at the revision that was answered; what was refused is not
//     all that any two servers answered agrees: no revision was given twice
//     what each folder has comes, run straight from its records, to the hash that the world told
//     whoever had joined a world that left their server was told so
#include "cluster_scene.h"

#include "brokers.h"
#include "disk.h"
#include "fibers.h"
#include "helper_disk.h"

#include "base/clock.h"
#include "base/log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 40 };

// ---------------------------------------------------------------------------------------------------------
// People

static void on_left(void *context, uint32_t world)
{
    struct cluster_human *human = context;
    for (int i = 0; i < SHARED; i++) {
        if (human->scene->ids[i] == world) {
            human->left[i] = true;
            human->scene->told++;
        }
    }
}

void cluster_go_to(struct cluster_human *human, uint32_t server)
{
    memset(human->joined, 0, sizeof human->joined);
    memset(human->left, 0, sizeof human->left);
    human->at = server;
    (void)person_connect(&human->person, &human->scene->nodes[server - 1]);
}

// True: it is to be asked again, elsewhere.
bool cluster_follow(struct cluster_human *human, enum outcome outcome)
{
    struct person *person = &human->person;
    if (outcome == REFUSED && strcmp(person->code, "MOVED") == 0 && person->moved_to > 0) {
        cluster_go_to(human, person->moved_to);
        return true;
    }
    if (!person_node(person)) {
        cluster_go_to(human, 1 + (uint32_t)scenario_draw(&human->random, human->scene->node_count));
    } else if (outcome == REFUSED && strcmp(person->code, "NOT_FOUND") == 0) {
        cluster_go_to(human, 1 + (uint32_t)scenario_draw(&human->random, human->scene->node_count));
    }
    return false;
}

void cluster_create(struct cluster_human *human, uint32_t world)
{
    struct cluster_scene *scene = human->scene;
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
    (void)cluster_follow(human, outcome);
}

static void add_edit(struct cluster_human *human, uint32_t world)
{
    struct cluster_scene *scene = human->scene;
    if (scene->edit_count == EDITS) {
        return;
    }
    struct cluster_edit *edit = &scene->edits[scene->edit_count];
    *edit = (struct cluster_edit){.world = world, .outcome = NOTHING, .by_name = scene->ids[world] == 0};
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
        // If another server took the world, nobody can know there whether the first one's last edits are kept, and it
        // says so.
        if (edit->outcome == REFUSED &&
            strstr(human->person.text, "whether this was kept is to be seen there")) {
            edit->outcome = NOTHING;
        }
        scene->answered += edit->outcome == ANSWERED;
        scene->refused += edit->outcome == REFUSED;
        if (edit->outcome == ANSWERED) {
            edit->revision = map_number(human->person.result, "revision");
        }
        if (!cluster_follow(human, edit->outcome)) {
            return;
        }
    }
}

static void join(struct cluster_human *human, uint32_t world)
{
    if (person_ask(&human->person, "world.join", "{'world': %" PRIu32 "}", ID(human, world)) == ANSWERED) {
        human->joined[world] = true;
        human->left[world] = false;
    }
}

static void grab(struct cluster_human *human, uint32_t world)
{
    struct person *person = &human->person;
    struct node *before = person_node(person);
    if (human->grabs[world] == 0) {
        const enum outcome outcome = person_ask(person, "grab.begin",
                                                "{'world': %" PRIu32 ", 'body': 'rope', 'particle': %" PRIu32
                                                ", 'target': [1.0, 1.5, 0.0]}",
                                                ID(human, world), 1 + human->person.number % 2);
        human->grabs[world] = outcome == ANSWERED ? (uint32_t)map_number(person->result, "grab") : 0;
        (void)cluster_follow(human, outcome);
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
        if (!cluster_follow(human, outcome)) {
            return;
        }
    }
}

static void move(struct cluster_human *human, uint32_t world)
{
    const enum outcome outcome =
        person_ask(&human->person, "world.move", "{'world': %" PRIu32 ", 'server': 's%d'}", ID(human, world),
                   1 + (int)scenario_draw(&human->random, human->scene->node_count));
    human->scene->moves += outcome == ANSWERED;
    (void)cluster_follow(human, outcome);
}

static void play(struct cluster_human *human, uint32_t world)
{
    const char *method = scenario_draw(&human->random, 3) == 0 ? "world.pause" : "world.play";
    (void)cluster_follow(human,
                         person_ask(&human->person, method, "{'world': %" PRIu32 "}", ID(human, world)));
}

// The result of a query is kept, unless it says that it may not be.
static void look(struct cluster_human *human, uint32_t world)
{
    struct cluster_scene *scene = human->scene;
    const enum outcome outcome =
        person_ask(&human->person, "world.get", "{'world': %" PRIu32 "}", ID(human, world));
    if (outcome == ANSWERED) {
        const bool durable = map_at(human->person.result, "durable") == NULL;
        const uint64_t revision = map_number(human->person.result, durable ? "revision" : "durable_revision");
        scene->sure[world] = revision > scene->sure[world] ? revision : scene->sure[world];
    }
    (void)cluster_follow(human, outcome);
}

static void act(void *context)
{
    struct cluster_human *human = context;
    struct cluster_scene *scene = human->scene;
    (void)fibers_be(0);
    for (int step = 0; step < STEPS && !scene->verdict.wrong; step++) {
        const uint32_t world = (uint32_t)scenario_draw(&human->random, SHARED);
        const uint64_t what = scenario_draw(&human->random, 24);
        scene->inputs++;
        person_listen(&human->person);
        if (!person_node(&human->person)) {
            cluster_go_to(human, 1 + (uint32_t)scenario_draw(&human->random, human->scene->node_count));
        } else if (scene->ids[world] == 0 && what < 8) {
            cluster_create(human, world);
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

static void cut(struct cluster_scene *scene, uint32_t server, uint64_t for_ns, uint64_t *random)
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

// A server is told if its disk is full or fails; it comes back with what is left.
static void trouble_disk(struct cluster_scene *scene, uint64_t *random)
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

static void trouble(struct cluster_scene *scene, uint64_t *random)
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
    struct cluster_scene *scene = context;
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

static bool run(uint64_t seed, uint32_t node_count, uint64_t *inputs, char text[SCENARIO_TEXT_SIZE])
{
    struct cluster_scene *scene = calloc(1, sizeof *scene);
    struct cluster_human *people = calloc(PEOPLE, sizeof *people);
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
    cluster_compare(scene, people);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        node_end(&scene->nodes[i]);
    }
    for (uint32_t i = 0; i < scene->node_count && !scene->verdict.wrong; i++) {
        cluster_look_at_folder(scene, &scene->nodes[i]);
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

static bool run_cluster(uint64_t seed, uint64_t *inputs, char text[SCENARIO_TEXT_SIZE])
{
    return run(seed, NODES, inputs, text);
}

static bool run_alone(uint64_t seed, uint64_t *inputs, char text[SCENARIO_TEXT_SIZE])
{
    return run(seed, 1, inputs, text);
}

const struct scenario scenario_cluster = {"cluster", run_cluster}, scenario_alone = {"alone", run_alone};
