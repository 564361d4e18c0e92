// Answers what is asked of the cluster, and takes what it is told: under the mutex, and without a broker except in cluster_take.
#include "cluster/cluster_internal.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GIVE_MS = 3000, CLAIM_MS = 10000, TAKE_TRIES = 3 };

// ---------------------------------------------------------------------------------------------------------
// What is known

static void tell_server(const struct cluster *c, const struct cluster_nats_server *server,
                        struct cluster_server *out)
{
    const uint64_t now_ns = base_now_ns();
    if (out) {
        *out = server->told;
        out->lapsed = !cluster_nats_server_lives(c, server, now_ns);
        out->beat_age_ms = (now_ns - server->heard_ns) / 1000000;
    }
}

enum cluster_place cluster_where(struct cluster *c, uint32_t id, struct cluster_server *out)
{
    enum cluster_place place = CLUSTER_NOWHERE;
    base_mutex_lock(&c->mutex);
    const struct cluster_nats_world *world = cluster_nats_world_find(c, id);
    const struct cluster_nats_server *server = world ? cluster_nats_server_find(c, world->run) : NULL;
    if (world && world->run[0] != 0) {
        place = CLUSTER_BETWEEN;
    } else if (world && cluster_nats_world_failed(world)) {
        place = CLUSTER_FAILED;
    }
    if (server && cluster_nats_server_lives(c, server, base_now_ns())) {
        place = cluster_nats_world_ours(c, world) ? CLUSTER_HERE : CLUSTER_ELSEWHERE;
        tell_server(c, server, out);
    }
    base_mutex_unlock(&c->mutex);
    return place;
}

bool cluster_why(struct cluster *c, uint32_t id, char text[CLUSTER_TEXT_SIZE])
{
    base_mutex_lock(&c->mutex);
    const struct cluster_nats_world *world = cluster_nats_world_find(c, id);
    const bool any = world && world->trouble;
    (void)snprintf(text, CLUSTER_TEXT_SIZE, "%s", any ? world->trouble->why : "");
    base_mutex_unlock(&c->mutex);
    return any;
}

// Whether it is there for others.
static bool is_one(const struct cluster_nats_world *world)
{
    return world->run[0] != 0 || world->trouble;
}

uint32_t cluster_find(struct cluster *c, const char *label)
{
    uint32_t found = 0;
    base_mutex_lock(&c->mutex);
    for (uint32_t i = 0; i < c->world_count && found == 0; i++) {
        if (is_one(&c->worlds[i]) && strcmp(c->worlds[i].label, label) == 0) {
            found = c->worlds[i].world;
        }
    }
    base_mutex_unlock(&c->mutex);
    return found;
}

bool cluster_label(struct cluster *c, uint32_t id, char label[CLUSTER_NAME_SIZE])
{
    base_mutex_lock(&c->mutex);
    const struct cluster_nats_world *world = cluster_nats_world_find(c, id);
    const bool any = world && is_one(world);
    (void)snprintf(label, CLUSTER_NAME_SIZE, "%s", any ? world->label : "");
    base_mutex_unlock(&c->mutex);
    return any;
}

struct cluster_world *cluster_worlds(struct cluster *c, uint32_t *count)
{
    *count = 0;
    base_mutex_lock(&c->mutex);
    struct cluster_world *worlds = calloc((size_t)c->world_count + 1, sizeof *worlds);
    for (uint32_t i = 0; worlds && i < c->world_count; i++) {
        const struct cluster_nats_world *world = &c->worlds[i];
        if (is_one(world)) {
            struct cluster_world *out = &worlds[(*count)++];
            out->world = world->world;
            memcpy(out->label, world->label, sizeof out->label);
            memcpy(out->run, world->run, sizeof out->run);
        }
    }
    base_mutex_unlock(&c->mutex);
    return worlds;
}

struct cluster_server *cluster_servers(struct cluster *c, uint32_t *count)
{
    const uint64_t now_ns = base_now_ns();
    *count = 0;
    base_mutex_lock(&c->mutex);
    struct cluster_server *servers = calloc((size_t)c->server_count + 1, sizeof *servers);
    for (uint32_t i = 0; servers && i < c->server_count; i++) {
        if (cluster_nats_server_lives(c, &c->servers[i], now_ns)) {
            tell_server(c, &c->servers[i], &servers[(*count)++]);
        }
    }
    base_mutex_unlock(&c->mutex);
    return servers;
}

static bool found(struct cluster *c, const struct cluster_nats_server *server, struct cluster_server *out)
{
    if (server) {
        tell_server(c, server, out);
    }
    base_mutex_unlock(&c->mutex);
    return server != NULL;
}

bool cluster_self(struct cluster *c, struct cluster_server *out)
{
    base_mutex_lock(&c->mutex);
    return found(c, cluster_nats_server_find(c, c->run), out);
}

bool cluster_lightest(struct cluster *c, bool not_here, struct cluster_server *out)
{
    base_mutex_lock(&c->mutex);
    return found(c, cluster_nats_lightest(c, not_here, NULL, base_now_ns()), out);
}

bool cluster_heir(struct cluster *c, uint32_t id, struct cluster_server *out)
{
    const uint64_t now_ns = base_now_ns();
    base_mutex_lock(&c->mutex);
    const struct cluster_nats_world *world = cluster_nats_world_find(c, id);
    const struct cluster_nats_server *heir = world ? cluster_nats_lightest(c, true, world, now_ns) : NULL;
    return found(c, heir ? heir : cluster_nats_lightest(c, true, NULL, now_ns), out);
}

bool cluster_may_go(struct cluster *c, uint32_t id, const struct cluster_server *to)
{
    base_mutex_lock(&c->mutex);
    const struct cluster_nats_world *world = cluster_nats_world_find(c, id);
    const struct cluster_nats_server *server = cluster_nats_server_find(c, to->run);
    const bool may = !world || !server || cluster_nats_suits(world, server) ||
                     !cluster_nats_suited(c, world, base_now_ns());
    base_mutex_unlock(&c->mutex);
    return may;
}

bool cluster_server_named(struct cluster *c, const char *name, struct cluster_server *out)
{
    const struct cluster_nats_server *server = NULL;
    const uint64_t now_ns = base_now_ns();
    base_mutex_lock(&c->mutex);
    for (uint32_t i = 0; i < c->server_count && !server; i++) {
        const struct cluster_nats_server *at = &c->servers[i];
        if (cluster_nats_server_lives(c, at, now_ns) &&
            (strcmp(at->told.name, name) == 0 || strcmp(at->told.run, name) == 0)) {
            server = at;
        }
    }
    return found(c, server, out);
}

bool cluster_fresh(struct cluster *c)
{
    const uint64_t awake_ns = atomic_load(&c->awake_ns), now_ns = base_now_ns();
    return !atomic_load(&c->asleep) &&
           (now_ns < awake_ns || now_ns - awake_ns <= UINT64_C(1000000) * CLUSTER_ASLEEP_MS);
}

void cluster_counts(struct cluster *c, struct cluster_counts *out)
{
    const uint64_t now_ns = base_now_ns();
    base_mutex_lock(&c->mutex);
    *out = c->counts;
    for (uint32_t i = 0; i < c->server_count; i++) {
        out->servers += cluster_nats_server_lives(c, &c->servers[i], now_ns);
    }
    for (uint32_t i = 0; i < c->world_count; i++) {
        const bool ours = cluster_nats_world_ours(c, &c->worlds[i]);
        out->here += ours;
        out->elsewhere += !ours && c->worlds[i].run[0] != 0;
        out->failed += cluster_nats_world_failed(&c->worlds[i]);
    }
    base_mutex_unlock(&c->mutex);
}

// ---------------------------------------------------------------------------------------------------------
// What this server says

void cluster_tell(struct cluster *c, const struct cluster_load *load, bool draining)
{
    base_mutex_lock(&c->mutex);
    struct cluster_nats_server *own = cluster_nats_server_find(c, c->run);
    own->told.load = *load;
    own->told.draining = draining;
    base_mutex_unlock(&c->mutex);
}

void cluster_claim(struct cluster *c, uint32_t id, const char *label)
{
    base_mutex_lock(&c->mutex);
    struct cluster_nats_world *world = cluster_nats_world_know(c, id);
    if (world) {
        const struct cluster_version *version = &c->options.version;
        const bool ours = cluster_nats_world_ours(c, world),
                   renamed = ours && strcmp(world->label, label) != 0,
                   told = world->version.solver == version->solver && world->version.api == version->api;
        if (!ours) {
            world->fresh = true;
            world->claim_end_ns = base_now_ns() + UINT64_C(1000000) * CLAIM_MS;
        }
        if (renamed) {
            cluster_nats_unname(c, id, world->label);
        }
        world->unnamed |= renamed || !ours;
        (void)snprintf(world->label, sizeof world->label, "%s", label);
        (void)snprintf(world->run, sizeof world->run, "%s", c->run);
        world->version = *version;
        if (world->unnamed || world->trouble || !told) { // else all of it is written
            world->wish = CLUSTER_NATS_CLAIM;
            world->wish_ns = 0;
            cluster_nats_look(c);
        }
    }
    base_mutex_unlock(&c->mutex);
}

void cluster_look(struct cluster *c, uint32_t id)
{
    base_mutex_lock(&c->mutex);
    struct cluster_nats_world *world = cluster_nats_world_find(c, id);
    if (world) {
        world->reads = CLUSTER_NATS_READS;
        world->read_ns = base_now_ns();
        cluster_nats_look(c);
    }
    base_mutex_unlock(&c->mutex);
}

void cluster_fail(struct cluster *c, uint32_t id, bool lasting, const char *why)
{
    base_mutex_lock(&c->mutex);
    struct cluster_nats_world *world = cluster_nats_world_find(c, id);
    if (world && cluster_nats_world_ours(c, world)) {
        struct cluster_nats_trouble trouble = {0};
        if (world->trouble) {
            trouble = *world->trouble;
        }
        trouble.lasting = lasting && (trouble.lasting || trouble.count == 0);
        if (!cluster_nats_world_tried(world, c->run) && trouble.count < CLUSTER_TRIES) {
            memcpy(trouble.tried[trouble.count++], c->run, sizeof c->run);
        }
        (void)snprintf(trouble.why, sizeof trouble.why, "%s", why);
        cluster_nats_world_trouble(c, world, &trouble);
        world->wish = CLUSTER_NATS_FAIL;
        world->wish_ns = 0;
        c->counts.given_back++;
        cluster_nats_look(c);
    }
    base_mutex_unlock(&c->mutex);
}

enum cluster_naming cluster_name(struct cluster *c, uint32_t id, const char *label)
{
    base_mutex_lock(&c->mutex);
    for (uint32_t i = c->unnamed_count; i-- > 0;) { // of an earlier time
        if (c->unnamed[i].world == id && strcmp(c->unnamed[i].label, label) == 0) {
            c->unnamed[i] = c->unnamed[--c->unnamed_count];
        }
    }
    const bool connected = c->connected;
    base_mutex_unlock(&c->mutex);
    return connected ? cluster_nats_name_take(c, id, label) : CLUSTER_AWAY;
}

void cluster_unname(struct cluster *c, uint32_t id, const char *label)
{
    base_mutex_lock(&c->mutex);
    cluster_nats_unname(c, id, label);
    base_mutex_unlock(&c->mutex);
}

bool cluster_send(struct cluster *c, uint32_t id, const char *run, char text[CLUSTER_TEXT_SIZE])
{
    natsStatus status = cluster_nats_world_get(c, id);
    base_mutex_lock(&c->mutex);
    const struct cluster_nats_world *world = cluster_nats_world_find(c, id);
    const bool may = status == NATS_OK && world && cluster_nats_world_failed(world);
    struct cluster_nats_key key = {0};
    uint64_t revision = 0;
    if (may) {
        key = cluster_nats_world_key(world);
        revision = world->revision;
        (void)snprintf(key.run, sizeof key.run, "%s", run);
    }
    base_mutex_unlock(&c->mutex);
    (void)snprintf(text, CLUSTER_TEXT_SIZE, "%s",
                   status == NATS_OK && !may ? "somebody has it" : natsStatus_GetText(status));
    if (!may) {
        return false;
    }
    status = cluster_nats_world_put(c, id, &key, &revision);
    (void)snprintf(text, CLUSTER_TEXT_SIZE, "%s", natsStatus_GetText(status));
    (void)cluster_nats_world_get(c, id); // what comes of it is known here when this returns
    return status == NATS_OK;
}

void cluster_release(struct cluster *c, uint32_t id)
{
    base_mutex_lock(&c->mutex);
    struct cluster_nats_world *world = cluster_nats_world_find(c, id);
    if (world && cluster_nats_world_ours(c, world)) {
        world->run[0] = 0;
        world->wish = CLUSTER_NATS_RELEASE;
        world->wish_ns = 0;
        cluster_nats_look(c);
    }
    base_mutex_unlock(&c->mutex);
}

// A world that others suit is left to them, also if an earlier run of this folder had it.
static bool may_take(struct cluster *c, const struct cluster_nats_world *world)
{
    const struct cluster_nats_server *server = world ? cluster_nats_server_find(c, world->run) : NULL;
    if (!world || world->run[0] == 0) {
        return true;
    }
    const bool is_free = !server || server->dead || strcmp(server->folder, c->folder) == 0;
    return is_free && (cluster_nats_suits(world, cluster_nats_server_find(c, c->run)) ||
                       !cluster_nats_suited(c, world, base_now_ns()));
}

// One try. NOWHERE: brokers did not answer, or the key was another one by then.
static enum cluster_place try_to_take(struct cluster *c, uint32_t id, const char *label,
                                      char text[CLUSTER_TEXT_SIZE])
{
    natsStatus status = cluster_nats_world_get(c, id);
    (void)snprintf(text, CLUSTER_TEXT_SIZE, "%s", natsStatus_GetText(status));
    if (status != NATS_OK && status != NATS_NOT_FOUND) {
        return CLUSTER_NOWHERE;
    }
    base_mutex_lock(&c->mutex);
    struct cluster_nats_world *world = cluster_nats_world_know(c, id);
    const bool ours = world && cluster_nats_world_ours(c, world), may = world && (ours || may_take(c, world));
    const uint64_t known = world ? world->revision : 0;
    const bool nobodys = world && !is_one(world); // then neither it nor its label has a key
    struct cluster_nats_key key = {0};
    if (world) {
        world->taking = may && !ours;
        key = cluster_nats_world_key(world);
    }
    (void)snprintf(key.run, sizeof key.run, "%s", c->run);
    if (nobodys) {
        (void)snprintf(key.label, sizeof key.label, "%s", label);
    }
    base_mutex_unlock(&c->mutex);
    if (ours || !may) {
        return ours ? CLUSTER_HERE : CLUSTER_ELSEWHERE;
    }
    uint64_t revision = known;
    status = cluster_nats_world_put(c, id, &key, &revision);
    (void)snprintf(text, CLUSTER_TEXT_SIZE, "%s", natsStatus_GetText(status));
    base_mutex_lock(&c->mutex);
    world = cluster_nats_world_find(c, id);
    world->taking = false;
    const bool taken = status == NATS_OK && cluster_nats_world_won(c, world, known, revision);
    if (taken) {
        (void)snprintf(world->label, sizeof world->label, "%s", key.label);
        world->unnamed = nobodys;
    }
    base_mutex_unlock(&c->mutex);
    return taken ? CLUSTER_HERE : CLUSTER_NOWHERE;
}

enum cluster_place cluster_take(struct cluster *c, uint32_t id, const char *label,
                                char text[CLUSTER_TEXT_SIZE])
{
    enum cluster_place place = CLUSTER_NOWHERE;
    for (int i = 0; i < TAKE_TRIES && place == CLUSTER_NOWHERE; i++) {
        place = try_to_take(c, id, label, text);
    }
    return place;
}

void cluster_prepare(struct cluster *c, uint32_t id, const char *run)
{
    base_mutex_lock(&c->mutex);
    struct cluster_nats_world *world = cluster_nats_world_know(c, id);
    if (world) {
        (void)snprintf(world->to, sizeof world->to, "%s", run);
        world->ask = true;
        cluster_nats_look(c);
    }
    base_mutex_unlock(&c->mutex);
}

void cluster_give(struct cluster *c, uint32_t id, const char *run)
{
    base_mutex_lock(&c->mutex);
    struct cluster_nats_world *world = cluster_nats_world_know(c, id);
    if (world && cluster_nats_world_ours(c, world)) {
        (void)snprintf(world->to, sizeof world->to, "%s", run);
        world->wish = CLUSTER_NATS_GIVE;
        world->wish_ns = 0;
        world->give_end_ns = base_now_ns() + UINT64_C(1000000) * GIVE_MS;
        cluster_nats_look(c);
    } else if (world) {
        cluster_nats_give_end(c, world, false, "another server has it");
    }
    base_mutex_unlock(&c->mutex);
}

// ---------------------------------------------------------------------------------------------------------
// What it means here

static void take_tell(struct cluster *c, struct cluster_nats_world *world, struct cluster_event *out)
{
    static const enum cluster_event_kind kinds[] = {CLUSTER_PREPARED, CLUSTER_GIVEN, CLUSTER_LOST,
                                                    CLUSTER_OURS, CLUSTER_CLAIMED};
    uint32_t bit = 0;
    while (!(world->tells & 1u << bit)) {
        bit++;
    }
    world->tells &= ~(1u << bit);
    c->tells -= world->tells == 0;
    *out = (struct cluster_event){.kind = kinds[bit], .world = world->world, .moved = world->moved};
    out->done = bit < 2 ? world->done[bit] : bit != 4 || world->done[2];
    out->taken = bit == 4 && world->taken;
    memcpy(out->text, world->text, sizeof out->text);
}

bool cluster_next(struct cluster *c, struct cluster_event *out)
{
    base_mutex_lock(&c->mutex);
    // A server that slept knows that a world is another's before it knows the address of that one. It tells neither before it has read both.
    const bool knows = c->waking || cluster_fresh(c);
    const bool any = knows && c->tells > 0;
    if (knows && !any) {
        cluster_nats_wake(c); // what there was has been seen to
    }
    for (uint32_t i = 0; any && i < c->world_count; i++) {
        if (c->worlds[i].tells != 0) {
            take_tell(c, &c->worlds[i], out);
            break;
        }
    }
    base_mutex_unlock(&c->mutex);
    return any;
}
