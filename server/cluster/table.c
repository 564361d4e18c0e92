// Servers and worlds that are known. Under the mutex.
#include "cluster/cluster_internal.h"

#include "base/array.h"
#include "base/search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOAD_STEP_MS = 250, // of processor a second: less is no difference
    FORGET_S = 7200     // a run that is over: longer than its key is there, which would bring it back
};

// ---------------------------------------------------------------------------------------------------------
// Servers

static uint32_t server_place(const struct cluster *c, const char *run)
{
    uint32_t place;
    BASE_SEARCH(place, c->server_count, strcmp(c->servers[at].told.run, run) < 0);
    return place;
}

struct cluster_nats_server *cluster_nats_server_find(struct cluster *c, const char *run)
{
    const uint32_t place = server_place(c, run);
    return place < c->server_count && strcmp(c->servers[place].told.run, run) == 0 ? &c->servers[place]
                                                                                   : NULL;
}

void cluster_nats_server_forget(struct cluster *c, const struct cluster_nats_server *server)
{
    const size_t place = (size_t)(server - c->servers);
    c->server_count--;
    memmove(c->servers + place, c->servers + place + 1, (c->server_count - place) * sizeof *c->servers);
}

static bool has_worlds(const struct cluster *c, const char *run)
{
    for (uint32_t i = 0; i < c->world_count; i++) {
        if (strcmp(c->worlds[i].run, run) == 0) {
            return true;
        }
    }
    return false;
}

// Runs that are long over, so that each start of a server does not stay for ever.
static void forget_old(struct cluster *c, uint64_t now_ns)
{
    for (uint32_t i = c->server_count; i-- > 0;) {
        const struct cluster_nats_server *server = &c->servers[i];
        if (server->dead && now_ns - server->heard_ns > UINT64_C(1000000000) * FORGET_S &&
            !has_worlds(c, server->told.run)) {
            cluster_nats_server_forget(c, server);
        }
    }
}

struct cluster_nats_server *cluster_nats_server_know(struct cluster *c, const char *run, uint64_t now_ns)
{
    struct cluster_nats_server *server = cluster_nats_server_find(c, run);
    if (server) {
        return server;
    }
    forget_old(c, now_ns);
    if (c->server_count >= CLUSTER_NATS_SERVERS_MAX ||
        !array_reserve(&c->servers, &c->server_room, c->server_count + 1)) {
        return NULL;
    }
    const uint32_t place = server_place(c, run);
    memmove(c->servers + place + 1, c->servers + place, (c->server_count - place) * sizeof *c->servers);
    c->server_count++;
    server = &c->servers[place];
    *server = (struct cluster_nats_server){.heard_ns = now_ns};
    (void)snprintf(server->told.run, sizeof server->told.run, "%s", run);
    return server;
}

bool cluster_nats_server_lives(const struct cluster *c, const struct cluster_nats_server *server,
                               uint64_t now_ns)
{
    return strcmp(server->told.run, c->run) == 0 ||
           (server->beat > 0 && !server->over && !server->dead &&
            (!c->connected || now_ns - server->heard_ns < UINT64_C(1000000) * CLUSTER_LAPSE_MS));
}

// ---------------------------------------------------------------------------------------------------------
// Worlds

static uint32_t world_place(const struct cluster *c, uint32_t world)
{
    uint32_t place;
    BASE_SEARCH(place, c->world_count, c->worlds[at].world < world);
    return place;
}

struct cluster_nats_world *cluster_nats_world_find(struct cluster *c, uint32_t world)
{
    const uint32_t place = world_place(c, world);
    return place < c->world_count && c->worlds[place].world == world ? &c->worlds[place] : NULL;
}

struct cluster_nats_world *cluster_nats_world_know(struct cluster *c, uint32_t world)
{
    struct cluster_nats_world *known = cluster_nats_world_find(c, world);
    if (known || c->world_count >= CLUSTER_NATS_WORLDS_MAX ||
        !array_reserve(&c->worlds, &c->world_room, c->world_count + 1)) {
        return known;
    }
    const uint32_t place = world_place(c, world);
    memmove(c->worlds + place + 1, c->worlds + place, (c->world_count - place) * sizeof *c->worlds);
    c->world_count++;
    c->worlds[place] = (struct cluster_nats_world){.world = world};
    return &c->worlds[place];
}

bool cluster_nats_world_ours(const struct cluster *c, const struct cluster_nats_world *world)
{
    return strcmp(world->run, c->run) == 0;
}

void cluster_nats_world_tell(struct cluster *c, struct cluster_nats_world *world, uint32_t tell)
{
    c->tells += world->tells == 0;
    world->tells |= tell;
    if (tell == CLUSTER_NATS_TELL_LOST) {
        world->tells &= ~(uint32_t)CLUSTER_NATS_TELL_OURS; // it was not even opened
    }
    c->options.on_event(c->options.context);
}

void cluster_nats_wake(struct cluster *c)
{
    if (c->waking && c->tells == 0) {
        c->waking = false;
        atomic_store(&c->asleep, false);
        c->options.on_event(c->options.context);
    }
}

void cluster_nats_look(struct cluster *c)
{
    c->look = true;
    base_cond_signal(&c->due);
}

void cluster_nats_errand_told(struct cluster *c, uint32_t id, bool done, const char *text)
{
    struct cluster_nats_world *world = cluster_nats_world_find(c, id);
    if (!world || world->asked_ns == 0) {
        return;
    }
    world->asked_ns = 0;
    world->done[0] = done;
    (void)snprintf(world->text, sizeof world->text, "%s", text);
    cluster_nats_world_tell(c, world, CLUSTER_NATS_TELL_PREPARED);
}

void cluster_nats_give_end(struct cluster *c, struct cluster_nats_world *world, bool done, const char *text)
{
    world->wish = CLUSTER_NATS_NOTHING;
    world->done[1] = done;
    c->counts.given += done;
    (void)snprintf(world->text, sizeof world->text, "%s", text);
    cluster_nats_world_tell(c, world, CLUSTER_NATS_TELL_GIVEN);
}

bool cluster_nats_world_failed(const struct cluster_nats_world *world)
{
    return world->run[0] == 0 && world->trouble;
}

bool cluster_nats_world_tried(const struct cluster_nats_world *world, const char *run)
{
    for (uint32_t i = 0; world->trouble && i < world->trouble->count; i++) {
        if (strcmp(world->trouble->tried[i], run) == 0) {
            return true;
        }
    }
    return false;
}

void cluster_nats_world_trouble(struct cluster *c, struct cluster_nats_world *world,
                                const struct cluster_nats_trouble *trouble)
{
    const bool any = trouble && trouble->count > 0;
    if (any && !world->trouble) {
        world->trouble = malloc(sizeof *world->trouble); // NULL: it is nobody's, as if it had been removed
        c->troubles += world->trouble != NULL;
    } else if (!any && world->trouble) {
        free(world->trouble);
        world->trouble = NULL;
        c->troubles--;
    }
    if (any && world->trouble) {
        *world->trouble = *trouble;
    }
}

struct cluster_nats_key cluster_nats_world_key(const struct cluster_nats_world *world)
{
    struct cluster_nats_key key = {0};
    memcpy(key.run, world->run, sizeof key.run);
    memcpy(key.label, world->label, sizeof key.label);
    key.version = world->version;
    if (world->trouble) {
        key.trouble = *world->trouble;
    }
    return key;
}

void cluster_nats_unname(struct cluster *c, uint32_t world, const char *label)
{
    if (label[0] && c->unnamed_count < CLUSTER_NATS_UNNAMED_MAX &&
        array_reserve(&c->unnamed, &c->unnamed_room, c->unnamed_count + 1)) {
        struct cluster_nats_unnamed *one = &c->unnamed[c->unnamed_count++];
        one->world = world;
        (void)snprintf(one->label, sizeof one->label, "%s", label);
        cluster_nats_look(c);
    }
}

// It was this server's until now.
static void lose(struct cluster *c, struct cluster_nats_world *world)
{
    if (world->wish == CLUSTER_NATS_FAIL) {
        world->wish = CLUSTER_NATS_NOTHING;
        return; // it did not run here
    }
    if (world->wish == CLUSTER_NATS_GIVE) {
        cluster_nats_give_end(c, world, false, "another server has it");
    }
    world->wish = CLUSTER_NATS_NOTHING;
    c->counts.lost += world->run[0] != 0;
    cluster_nats_world_tell(c, world, CLUSTER_NATS_TELL_LOST);
}

void cluster_nats_world_read(struct cluster *c, uint32_t id, uint64_t revision,
                             const struct cluster_nats_key *key)
{
    struct cluster_nats_world *world = cluster_nats_world_know(c, id);
    if (!world || revision <= world->revision) {
        return;
    }
    const char *run = key->run;
    const bool was = cluster_nats_world_ours(c, world), is = strcmp(run, c->run) == 0;
    char had[CLUSTER_RUN_SIZE];
    memcpy(had, world->run, sizeof had);
    world->revision = revision;
    world->reads = 0;
    (void)snprintf(world->run, sizeof world->run, "%s", run);
    if ((run[0] != 0 || key->trouble.count > 0) && (!is || !was)) {
        memcpy(world->label, key->label, sizeof world->label);
        world->version = key->version;
    }
    if (world->wish != CLUSTER_NATS_FAIL || !is) {
        cluster_nats_world_trouble(c, world, &key->trouble);
    }
    if (cluster_nats_world_failed(world)) {
        world->failed_ns = 0; // when it is looked at
        cluster_nats_look(c);
    }
    if (world->wish == CLUSTER_NATS_GIVE && strcmp(run, world->to) == 0) {
        cluster_nats_give_end(c, world, true, "");
    } else if (was && run[0] == 0 && !world->trouble && world->wish != CLUSTER_NATS_RELEASE) {
        world->wish = CLUSTER_NATS_CLAIM; // nobody but its owner says that it is nobody's
        (void)snprintf(world->run, sizeof world->run, "%s", c->run);
    } else if (was && !is) {
        lose(c, world);
    } else if (is && !was && world->wish == CLUSTER_NATS_CLAIM) {
        world->wish = CLUSTER_NATS_NOTHING;
    } else if (is && !was && !world->taking) {
        world->moved = had[0] != 0;
        (void)snprintf(world->text, sizeof world->text, "those who could not run it");
        c->counts.received += world->moved;
        cluster_nats_world_tell(c, world, CLUSTER_NATS_TELL_OURS);
    }
}

bool cluster_nats_world_won(struct cluster *c, struct cluster_nats_world *world, uint64_t before,
                            uint64_t revision)
{
    if (world->revision == before) {
        world->revision = revision;
        (void)snprintf(world->run, sizeof world->run, "%s", c->run);
    }
    return world->revision == revision && cluster_nats_world_ours(c, world);
}

// ---------------------------------------------------------------------------------------------------------
// Who takes what

// Other for each world, so that servers with as much to do share what another leaves behind.
static uint64_t mix(uint32_t world, const char *run)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ world;
    for (; *run; run++) {
        hash = (hash ^ (uint8_t)*run) * UINT64_C(0x100000001b3);
    }
    hash ^= hash >> 33;
    hash *= UINT64_C(0xff51afd7ed558ccd);
    return hash ^ hash >> 33;
}

static double step_of(const struct cluster_nats_server *server)
{
    return floor(server->told.load.ms / LOAD_STEP_MS);
}

// An earlier run of this server's folder is over, even if it has not lapsed yet.
static bool takes(const struct cluster *c, const struct cluster_nats_server *server, uint64_t now_ns)
{
    const bool earlier = strcmp(server->folder, c->folder) == 0 && strcmp(server->told.run, c->run) != 0;
    return cluster_nats_server_lives(c, server, now_ns) && !server->told.draining && !earlier;
}

bool cluster_nats_suits(const struct cluster_nats_world *world, const struct cluster_nats_server *server)
{
    const struct cluster_version *has = &server->told.version, *wants = &world->version;
    return has->solver == wants->solver && has->api >= wants->api;
}

bool cluster_nats_suited(const struct cluster *c, const struct cluster_nats_world *world, uint64_t now_ns)
{
    for (uint32_t i = 0; i < c->server_count; i++) {
        if (takes(c, &c->servers[i], now_ns) && cluster_nats_suits(world, &c->servers[i])) {
            return true;
        }
    }
    return false;
}

// Servers that have tried in vain come last, and those that do not suit the world behind those that do.
uint32_t cluster_nats_rank(const struct cluster *c, const struct cluster_nats_world *world, uint64_t now_ns)
{
    const struct cluster_nats_server *own = cluster_nats_server_find((struct cluster *)(uintptr_t)c, c->run);
    const bool tried = cluster_nats_world_tried(world, c->run);
    uint32_t rank = 0;
    bool left = false;
    for (uint32_t i = 0; own && i < c->server_count; i++) {
        const struct cluster_nats_server *server = &c->servers[i];
        if (server == own || !takes(c, server, now_ns)) {
            continue;
        }
        const bool has_tried = cluster_nats_world_tried(world, server->told.run);
        const bool suits = cluster_nats_suits(world, server);
        if (has_tried != tried) {
            rank += tried;
        } else if (suits != cluster_nats_suits(world, own)) {
            left |= suits;
        } else {
            const double mine = step_of(own), theirs = step_of(server);
            rank += theirs < mine ||
                    (theirs == mine && mix(world->world, server->told.run) < mix(world->world, c->run));
        }
    }
    return rank + (left ? CLUSTER_NATS_UNSUITED_RANK : 0);
}

// One that does clearly less: by a step, and a quarter.
static bool clearly_less(const struct cluster_nats_server *one, const struct cluster_nats_server *other)
{
    return one->told.load.ms + LOAD_STEP_MS < other->told.load.ms &&
           one->told.load.ms < 0.75 * other->told.load.ms;
}

const struct cluster_nats_server *cluster_nats_lightest(const struct cluster *c, bool not_here,
                                                        const struct cluster_nats_world *world,
                                                        uint64_t now_ns)
{
    const struct cluster_nats_server *own = cluster_nats_server_find((struct cluster *)(uintptr_t)c, c->run),
                                     *best = NULL;
    for (uint32_t i = 0; i < c->server_count; i++) {
        const struct cluster_nats_server *server = &c->servers[i];
        if (server != own && (server->proven || not_here) && takes(c, server, now_ns) &&
            (!world || cluster_nats_suits(world, server)) &&
            (!best || server->told.load.ms < best->told.load.ms ||
             (server->told.load.ms == best->told.load.ms &&
              server->told.load.worlds < best->told.load.worlds))) {
            best = server;
        }
    }
    if (!not_here && own && takes(c, own, now_ns) && (!best || !clearly_less(best, own))) {
        best = own;
    }
    return best;
}
