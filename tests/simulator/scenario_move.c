// Worlds move while people hold something, and each hold goes on. Nothing goes wrong except that everything is slow.
#include "cluster_scene.h"

#include "brokers.h"
#include "disk.h"
#include "fibers.h"
#include "helper_disk.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Asked until it is answered or refused for good, wherever the world is; BUSY: it is on its way.
static enum outcome insist(struct cluster_human *human, const char *method, const char *parameters)
{
    const uint64_t until_ns = base_now_ns() + 9000 * (uint64_t)MS; // a grab waits ten seconds for its holder
    enum outcome outcome = NOTHING;
    while (base_now_ns() < until_ns) {
        outcome = person_ask(&human->person, method, "%s", parameters);
        const bool again =
            outcome != ANSWERED && (outcome == NOTHING || strcmp(human->person.code, "BUSY") == 0);
        if (!cluster_follow(human, outcome) && !again) {
            return outcome;
        }
        // Two servers may each say that the other has it, until one hears more.
        fibers_sleep_until(base_now_ns() + 50 * MS);
    }
    return outcome;
}

static void move_held(struct cluster_scene *scene, struct cluster_human *holder, struct cluster_human *other,
                      uint32_t grab)
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

static void hold_and_move(struct cluster_scene *scene, struct cluster_human *people)
{
    char parameters[160];
    for (uint32_t i = 0; i < 2; i++) {
        cluster_go_to(&people[i], 1 + (uint32_t)scenario_draw(&people[i].random, NODES));
    }
    for (int i = 0; i < 20 && scene->ids[0] == 0; i++) {
        cluster_create(&people[0], 0);
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
    struct cluster_scene *scene = calloc(1, sizeof *scene);
    struct cluster_human *people = calloc(2, sizeof *people);
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
