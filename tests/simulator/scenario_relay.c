// Three servers that share worlds, each connected to the others by a network with delays, and people who ask any of them for any world.
// Most know nothing of that: what they ask is passed on. One weather follows another: worlds move; one server says nothing, because it
// hangs, its machine is gone, or its wires are cut; or anything goes wrong. Then all is well again:
//
//     every request was answered once, or its session ended; results of a world came in their order
//     an edit that was answered is in the log once, at the revision that was answered; one that was refused is not
//     frames came without a gap in their numbers, and those of other servers as these had numbered them
//     nothing was passed on over more servers than the limit passed_hops says
//     what a silent server takes no part in was answered as ever; what it owed, within the times of docs/guides/cluster.md
//     when nobody is there any more, no server is connected to another
#include "relay_scene.h"

#include "brokers.h"
#include "disk.h"
#include "fibers.h"
#include "helper_disk.h"
#include "wires.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAST_MS = 14000 /* that a session outlives its connection, and more */, PAGES = 1000 };

static void create_worlds(struct relay_scene *scene)
{
    struct person person = {.number = RELAY_CALLERS + 1};
    for (uint32_t world = 0; world < RELAY_WORLDS; world++) {
        const uint64_t until_ns = base_now_ns() + 60000 * (uint64_t)RELAY_MS;
        while (scene->ids[world] == 0 && base_now_ns() < until_ns) {
            if (person_connect(&person, &scene->nodes[world]) &&
                person_ask(&person, "world.create",
                           "{'name': 'w%" PRIu32 "', 'tick_rate': 10, 'substeps': 1}", world) == ANSWERED) {
                scene->ids[world] = (uint32_t)map_number(person.result, "world");
            } else {
                fibers_sleep_until(base_now_ns() + 250 * (uint64_t)RELAY_MS);
            }
        }
        if (person_ask(&person, "body.add",
                       "{'world': %" PRIu32 ", 'kind': 'rope', 'name': 'rope', 'pins': [0], 'positions': "
                       "[0.0, 1.0, 0.0, 0.5, 1.0, 0.0, 1.0, 1.0, 0.0]}",
                       scene->ids[world]) != ANSWERED) {
            scenario_fail(&scene->verdict, "w%" PRIu32 " cannot be made: %s", world, person.text);
        }
        if (scenario_draw(&scene->random, 2) == 0) {
            (void)person_ask(&person, "world.play", "{'world': %" PRIu32 "}", scene->ids[world]);
        }
    }
    person_end(&person);
}

static void look_at_entry(struct relay_scene *scene, uint32_t world, const msgpack_object *entry)
{
    char name[16];
    uint32_t number;
    if (!map_text(map_at(entry, "params"), "name", name, sizeof name) ||
        sscanf(name, "e%" SCNu32, &number) != 1) {
        return;
    }
    struct relay_edit *edit = number < scene->edit_count ? &scene->edits[number] : NULL;
    const uint64_t revision = map_number(entry, "revision");
    if (!edit || edit->world != world || ++edit->in_log > 1 ||
        (edit->answered && edit->revision != revision) || (!edit->answered && !edit->unknown)) {
        scenario_fail(&scene->verdict, "w%" PRIu32 " has edit %s at revision %" PRIu64 ", %s", world, name,
                      revision,
                      !edit || edit->world != world ? "which is not its own"
                      : edit->in_log > 1            ? "a second time"
                      : edit->answered              ? "which was answered with another"
                                                    : "which was refused");
    }
}

static void look_at_log(struct relay_scene *scene, struct person *person, uint32_t world)
{
    uint64_t since = 0, next;
    int pages = 0;
    do {
        next = 0;
        if (person_ask(person, "edit.log", "{'world': %" PRIu32 ", 'since': %" PRIu64 "}", scene->ids[world],
                       since) != ANSWERED) {
            scenario_fail(&scene->verdict, "nobody tells the log of w%" PRIu32 ": %s", world, person->text);
            return;
        }
        const msgpack_object *edits = map_at(person->result, "edits");
        for (uint32_t i = 0; edits && i < edits->via.array.size; i++) {
            look_at_entry(scene, world, &edits->via.array.ptr[i]);
            next = map_number(&edits->via.array.ptr[i], "sequence");
        }
        since = next;
    } while (next > 0 && !scene->verdict.wrong && ++pages < PAGES);
}

static void look_at_logs(struct relay_scene *scene)
{
    struct person person = {.number = RELAY_CALLERS + 1};
    (void)person_connect_as(&person, &scene->nodes[0], "{'errors': 'map', 'user': 'o'}");
    for (uint32_t world = 0; world < RELAY_WORLDS && !scene->verdict.wrong; world++) {
        look_at_log(scene, &person, world);
    }
    for (uint32_t i = 0; i < scene->edit_count && !scene->verdict.wrong; i++) {
        const struct relay_edit *edit = &scene->edits[i];
        if (edit->answered && edit->in_log == 0) {
            scenario_fail(&scene->verdict,
                          "w%" PRIu32 " has lost edit e%" PRIu32
                          ", which was answered with revision %" PRIu64,
                          edit->world, i, edit->revision);
        }
    }
    person_end(&person);
}

static void live(struct relay_scene *scene, struct relay_caller *callers)
{
    for (uint32_t i = 0; i < RELAY_CALLERS; i++) {
        callers[i].scene = scene;
        callers[i].random = scene->random * 1000003 + i;
        callers[i].person.number = i + 1;
        callers[i].follows = i == RELAY_CALLERS - 1;
        (void)base_thread_start(&callers[i].thread, "person", relay_caller_act, &callers[i]);
    }
    for (int i = 0; i < 2 && !scene->verdict.wrong; i++) {
        relay_weather_run(scene, (enum relay_kind)scenario_draw(&scene->random, 3));
    }
    scene->over = true;
    for (uint32_t i = 0; i < RELAY_CALLERS; i++) {
        base_thread_join(&callers[i].thread);
        person_end(&callers[i].person);
    }
    if (!scene->verdict.wrong && relay_weather_settle(scene)) {
        look_at_logs(scene);
    }
    fibers_sleep_until(base_now_ns() + LAST_MS * (uint64_t)RELAY_MS);
    if (!scene->verdict.wrong && wires_count() > 0) {
        scenario_fail(&scene->verdict, "nobody is there, and %" PRIu32 " servers are connected to others",
                      wires_count());
    }
}

static bool run(uint64_t seed, uint64_t *inputs, char text[SCENARIO_TEXT_SIZE])
{
    struct relay_scene *scene = calloc(1, sizeof *scene);
    struct relay_caller *callers = calloc(RELAY_CALLERS, sizeof *callers);
    scene->random = seed * 31 + 7;
    scene->weathers[0] = (struct relay_weather){.kind = RELAY_STORM, .end_ns = UINT64_MAX};
    fibers_start(seed);
    disks_start();
    brokers_start();
    wires_start(scene->nodes, NODES, relay_wire_look, scene);
    for (uint32_t i = 1; i <= NODES; i++) {
        node_start(&scene->nodes[i - 1], i, NODE_PASSES_ON);
        for (uint32_t other = 1; other <= NODES; other++) {
            wires_slow(i, other, scenario_draw(&scene->random, 40) * RELAY_MS / 4);
        }
    }
    fibers_sleep_until(base_now_ns() + 2000 * (uint64_t)RELAY_MS);
    create_worlds(scene);
    if (!scene->verdict.wrong && relay_weather_settle(scene)) {
        live(scene, callers);
    }
    for (uint32_t i = 0; i < NODES; i++) {
        node_end(&scene->nodes[i]);
    }
    const bool well = !scene->verdict.wrong;
    *inputs += scene->inputs;
    (void)snprintf(text, SCENARIO_TEXT_SIZE, "%s", scene->verdict.text);
    if (getenv("WEFT_TOLD")) {
        printf("seed %" PRIu64 ": %" PRIu64 " answered, %" PRIu64 " refused, %" PRIu64 " lost, %" PRIu64
               " messages between servers, %" PRIu64 " frames, %" PRIu64 " of them passed on, %" PRIu64
               " hops, %" PRIu64 " worlds taken\n",
               seed, scene->answered, scene->refused, scene->lost, scene->crossed, scene->frames,
               scene->passed_frames, scene->hops, scene->taken);
    }
    wires_end();
    brokers_end();
    disks_end();
    fibers_end();
    free(callers);
    free(scene);
    return well;
}

const struct scenario scenario_relay = {"relay", run};
