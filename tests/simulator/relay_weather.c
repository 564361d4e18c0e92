#include "relay_scene.h"

#include "brokers.h"
#include "disk.h"
#include "fibers.h"
#include "wires.h"

#include "base/clock.h"
#include "base/log.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    SETTLE_MS = 120000,
    POLL_MS = 400,
    SPAN_MS = 13000,
    AGAIN_MS = 2500,
    WATCHERS = 20 /* numbers of people who look on */
};

static uint64_t draw(struct relay_scene *scene, uint64_t below)
{
    return scenario_draw(&scene->random, below);
}

static void sleep_ms(uint64_t ms)
{
    fibers_sleep_until(base_now_ns() + ms * RELAY_MS);
}

struct relay_weather *relay_weather_now(struct relay_scene *scene)
{
    return &scene->weathers[scene->weather];
}

static void say(const struct relay_scene *scene, const char *what, uint32_t server, uint32_t other,
                uint64_t ms)
{
    (void)scene;
    base_log(BASE_LOG_DEBUG, "%.3f s: weather: %s, server %" PRIu32 ", server %" PRIu32 ", %" PRIu64 " ms",
             (double)base_now_ns() * 1e-9 - 1000, what, server, other, ms);
}

// ---------------------------------------------------------------------------------------------------------
// All is well

static void person_at(struct relay_scene *scene, struct person *person, uint32_t server, bool follows)
{
    char hello[64];
    (void)snprintf(hello, sizeof hello, "{'follow': %s, 'errors': 'map', 'user': 'o'}",
                   follows ? "true" : "false");
    (void)person_connect_as(person, &scene->nodes[server - 1], hello);
}

// Which server runs it, by one who is told so. 0: nobody says.
static uint32_t owner_of(struct relay_scene *scene, uint32_t server, uint32_t world)
{
    struct person person = {.number = WATCHERS};
    uint32_t owner = 0;
    person_at(scene, &person, server, true);
    const enum outcome outcome =
        person_ask(&person, "world.get", "{'world': %" PRIu32 "}", scene->ids[world]);
    if (outcome == ANSWERED) {
        owner = server;
    } else if (outcome == REFUSED && strcmp(person.code, "MOVED") == 0) {
        owner = person.moved_to;
    }
    person_end(&person);
    return owner;
}

static bool all_agree(struct relay_scene *scene, uint32_t world)
{
    const uint32_t owner = owner_of(scene, 1, world);
    bool agree = owner != 0;
    for (uint32_t server = 2; server <= NODES && agree; server++) {
        agree = owner_of(scene, server, world) == owner;
    }
    return agree && owner_of(scene, owner, world) == owner;
}

// By one whose calls are passed on; and it can be edited.
static bool answers(struct relay_scene *scene, uint32_t server, uint32_t world, struct person *person)
{
    person_at(scene, person, server, false);
    return person_ask(person, "world.set", "{'world': %" PRIu32 ", 'damping': 0.0}", scene->ids[world]) ==
           ANSWERED;
}

bool relay_weather_settle(struct relay_scene *scene)
{
    const uint64_t until_ns = base_now_ns() + SETTLE_MS * (uint64_t)RELAY_MS;
    struct person person = {.number = WATCHERS};
    for (uint32_t i = 0; i < NODES * RELAY_WORLDS && !scene->verdict.wrong;) {
        const uint32_t world = i / NODES, server = 1 + i % NODES;
        if ((server > 1 || all_agree(scene, world)) && answers(scene, server, world, &person)) {
            i++;
        } else if (base_now_ns() > until_ns) {
            scenario_fail(&scene->verdict, "server %" PRIu32 " does not answer for w%" PRIu32 ": %s %.200s",
                          server, world, person.code, person.text);
        } else {
            sleep_ms(500);
        }
    }
    person_end(&person);
    sleep_ms(1000);
    return !scene->verdict.wrong;
}

// ---------------------------------------------------------------------------------------------------------
// Worlds move

static void move_worlds(struct relay_scene *scene)
{
    struct person person = {.number = WATCHERS + 1};
    const uint32_t slow = 1 + (uint32_t)draw(scene, NODES);
    brokers_slow(slow, (draw(scene, 4) > 0) * draw(scene, 150) * RELAY_MS); // it hears late where worlds are
    for (uint64_t left = 3 + draw(scene, 4); left > 0 && !scene->verdict.wrong; left--) {
        const uint32_t world = (uint32_t)draw(scene, RELAY_WORLDS), to = 1 + (uint32_t)draw(scene, NODES);
        const uint64_t next_ns = scene->moved_ns[world] + AGAIN_MS * (uint64_t)RELAY_MS;
        if (base_now_ns() < next_ns) {
            fibers_sleep_until(next_ns); // what comes behind a world may be passed on twice only
        }
        person_at(scene, &person, 1 + (uint32_t)draw(scene, NODES), false);
        scene->inputs++;
        say(scene, "a world moves", to, world, 0);
        (void)person_ask(&person, "world.move", "{'world': %" PRIu32 ", 'server': 's%" PRIu32 "'}",
                         scene->ids[world], to);
        scene->moved_ns[world] = base_now_ns();
        sleep_ms(draw(scene, 900));
    }
    person_end(&person);
    sleep_ms(1000);
    brokers_slow(slow, 0);
}

// ---------------------------------------------------------------------------------------------------------
// A server says nothing

// Cuts what comes to the server (0), what comes from it (1), or both.
static void cut_off(struct relay_scene *scene, uint32_t server, uint64_t ways, bool cut)
{
    for (uint32_t other = 1; other <= NODES; other++) {
        if (other != server && ways != 1) {
            wires_cut(other, server, cut);
        }
        if (other != server && ways != 0) {
            wires_cut(server, other, cut);
        }
    }
    (void)scene;
}

// Until all but the silent server know that another has the world, and that one answers.
static void look_who_takes(struct relay_scene *scene, struct relay_weather *weather)
{
    for (uint32_t world = 0; world < RELAY_WORLDS; world++) {
        if (weather->owners[world] != weather->silent || weather->taken_ns[world] != UINT64_MAX) {
            continue;
        }
        const uint32_t one = 1 + weather->silent % NODES, two = 1 + one % NODES;
        const uint32_t first = owner_of(scene, one, world), second = owner_of(scene, two, world);
        if (first == second && first != 0 && first != weather->silent) {
            weather->taken_ns[world] = base_now_ns();
            scene->taken++;
            say(scene, "another server has the world", first, world, 0);
        }
    }
}

static void silence(struct relay_scene *scene)
{
    struct relay_weather *weather = relay_weather_now(scene);
    const uint64_t what = draw(scene, 5), until_ns = weather->begin_ns + SPAN_MS * (uint64_t)RELAY_MS;
    struct node *node = &scene->nodes[weather->silent - 1];
    scene->inputs++;
    say(scene,
        what == 0  ? "a machine is gone"
        : what < 3 ? "a server hangs"
                   : "a server is cut off",
        weather->silent, (uint32_t)what, SPAN_MS);
    weather->hangs = what < 3;
    if (what == 0) {
        node_vanish(node, SPAN_MS * (uint64_t)RELAY_MS);
    } else if (what < 3) {
        fibers_hold(weather->silent, true);
    } else {
        cut_off(scene, weather->silent, draw(scene, 3), true);
    }
    while (base_now_ns() < until_ns && !scene->verdict.wrong) {
        sleep_ms(POLL_MS);
        if (weather->hangs) {
            look_who_takes(scene, weather);
        }
    }
    weather->end_ns = base_now_ns();
    fibers_hold(weather->silent, false);
    cut_off(scene, weather->silent, 2, false);
}

// ---------------------------------------------------------------------------------------------------------
// Anything

static void trouble(struct relay_scene *scene)
{
    const uint32_t server = 1 + (uint32_t)draw(scene, NODES),
                   other = 1 + (server + (uint32_t)draw(scene, NODES - 1)) % NODES,
                   broker = (uint32_t)draw(scene, BROKERS);
    const uint64_t for_ms = draw(scene, 6000);
    static const char *const names[] = {
        "a server ends",     "a server is killed", "a machine is gone", "a server hangs",   "a wire is cut",
        "both ways are cut", "a wire is slow",     "a broker ends",     "brokers are slow", "a world moves"};
    const uint64_t what = draw(scene, sizeof names / sizeof *names);
    struct node *node = &scene->nodes[server - 1];
    scene->inputs++;
    say(scene, names[what], server, other, for_ms);
    switch (what) {
    case 0:
    case 1:
        node_stop(node, what == 1, for_ms * RELAY_MS);
        break;
    case 2:
        node_vanish(node, for_ms * RELAY_MS);
        break;
    case 3:
        fibers_hold(server, true);
        sleep_ms(for_ms);
        fibers_hold(server, false);
        break;
    case 4:
    case 5:
        wires_cut(server, other, true);
        wires_cut(other, server, what == 5);
        sleep_ms(for_ms);
        wires_cut(server, other, false);
        wires_cut(other, server, false);
        break;
    case 6:
        wires_slow(server, other, draw(scene, 400) * RELAY_MS);
        break;
    case 7:
        brokers_up(broker, false);
        sleep_ms(for_ms);
        brokers_up(broker, true);
        break;
    case 8:
        brokers_slow(server, draw(scene, 300) * RELAY_MS);
        break;
    default:
        move_worlds(scene);
        break;
    }
}

static void storm(struct relay_scene *scene)
{
    scene->breaks = draw(scene, 2) == 0;
    for (uint64_t left = 2 + draw(scene, 4); left > 0 && !scene->verdict.wrong; left--) {
        trouble(scene);
        sleep_ms(draw(scene, 2000));
    }
    scene->breaks = false;
    for (uint32_t i = 1; i <= NODES; i++) {
        brokers_slow(i, 0);
        for (uint32_t other = 1; other <= NODES; other++) {
            wires_slow(i, other, draw(scene, 4) * RELAY_MS);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------

static void begin(struct relay_scene *scene, enum relay_kind kind)
{
    struct relay_weather weather = {
        .kind = kind,
        .begin_ns = base_now_ns(),
        .end_ns = UINT64_MAX,
        .silent = kind == RELAY_SILENT ? 1 + (uint32_t)draw(scene, NODES) : 0,
        .hangs = true,
    };
    for (uint32_t world = 0; world < RELAY_WORLDS; world++) {
        weather.owners[world] = kind == RELAY_SILENT ? owner_of(scene, 1, world) : 0;
        weather.taken_ns[world] = UINT64_MAX;
    }
    relay_weather_now(scene)->end_ns = base_now_ns();
    scene->weathers[++scene->weather] = weather;
}

// The time between two weathers counts as a storm, so nothing is expected of it.
void relay_weather_run(struct relay_scene *scene, enum relay_kind kind)
{
    begin(scene, kind);
    switch (kind) {
    case RELAY_CALM:
        move_worlds(scene);
        break;
    case RELAY_SILENT:
        silence(scene);
        break;
    case RELAY_STORM:
        storm(scene);
        break;
    }
    begin(scene, RELAY_STORM);
    (void)relay_weather_settle(scene);
}
