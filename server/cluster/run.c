// The cluster's thread: keys that are to be written or read, servers that have lapsed, worlds that are to be taken.
//
// It goes over what is known each time that there is something, and each tenth of a second where a server has lapsed. Where a
// broker is asked the mutex is given up meanwhile, and what was found before is looked up again.
#include "cluster/cluster_internal.h"

#include "base/clock.h"
#include "base/log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TURN_MS = 100,
    NEXT_MS = 500, // that each server waits behind the one before it
    ASK_S = 30,    // after which a server that nobody heard is asked for whosoever's turn it is
    AGAIN_MS = 500,
    RETRY_S = 30,
    READ_MS = 10, // and twice as long each time
    PREPARE_S = 60,
    READ_ALL_S = 60 // for what was not heard
};

static const uint64_t ms_ns = 1000000, s_ns = 1000000000;

// ---------------------------------------------------------------------------------------------------------
// Keys

static void claim_end(struct cluster *c, struct cluster_nats_world *world, bool done, const char *text)
{
    world->wish = CLUSTER_NATS_NOTHING;
    world->done[2] = done;
    (void)snprintf(world->text, sizeof world->text, "%s", text);
    cluster_nats_world_tell(c, world, CLUSTER_NATS_TELL_CLAIMED);
}

// Nobody has it: what of its keys is there goes.
static void claim_refused(struct cluster *c, struct cluster_nats_world *world, bool taken)
{
    world->taken = taken;
    world->run[0] = 0;
    claim_end(c, world, false, taken ? "its name is another world's" : "brokers do not take its keys");
    if (!taken) {
        world->wish = CLUSTER_NATS_RELEASE; // it may be written all the same
    }
}

// The label's key, then its own: that of a new world where the label is its own alone.
static natsStatus write_keys(struct cluster *c, const struct cluster_nats_world *world,
                             const struct cluster_nats_key *key, uint64_t *revision,
                             enum cluster_naming *naming)
{
    const uint32_t id = world->world;
    const bool fresh = world->fresh, unnamed = world->unnamed;
    base_mutex_unlock(&c->mutex);
    *naming = unnamed ? cluster_nats_name_take(c, id, key->label) : CLUSTER_NAMED;
    natsStatus status = NATS_TIMEOUT;
    if (*naming == CLUSTER_NAMED || (*naming == CLUSTER_TAKEN && !fresh)) {
        status = cluster_nats_world_put(c, id, key, revision);
    }
    if (status != NATS_OK && *naming != CLUSTER_TAKEN) {
        (void)cluster_nats_world_get(c, id);
    }
    base_mutex_lock(&c->mutex);
    return status;
}

static void claim(struct cluster *c, uint32_t id)
{
    struct cluster_nats_world *world = cluster_nats_world_find(c, id);
    const bool fresh = world->fresh;
    uint64_t revision = world->revision;
    struct cluster_nats_key key = cluster_nats_world_key(world);
    enum cluster_naming naming;
    key.trouble.count = 0; // it runs
    const natsStatus status = write_keys(c, world, &key, &revision, &naming);
    world = cluster_nats_world_find(c, id);
    if (world->wish != CLUSTER_NATS_CLAIM || strcmp(world->label, key.label) != 0) {
        return; // it is another wish by now
    }
    if (naming == CLUSTER_TAKEN && fresh) {
        claim_refused(c, world, true);
    } else if (status == NATS_OK) {
        world->revision = revision > world->revision ? revision : world->revision;
        world->fresh = world->unnamed = false;
        cluster_nats_world_trouble(c, world, NULL);
        claim_end(c, world, true, "");
    } else if (fresh && base_now_ns() > world->claim_end_ns) {
        claim_refused(c, world, false);
    } else {
        world->wish_ns = base_now_ns() + AGAIN_MS * ms_ns;
    }
    if (naming == CLUSTER_TAKEN && !fresh) {
        base_log(BASE_LOG_WARN,
                 "world %" PRIu32
                 " is called \"%s\" as another one is, which may be found by that name in its place",
                 id, key.label);
    }
}

static void release(struct cluster *c, uint32_t id)
{
    base_mutex_unlock(&c->mutex);
    const natsStatus status = cluster_nats_world_remove(c, id);
    base_mutex_lock(&c->mutex);
    struct cluster_nats_world *world = cluster_nats_world_find(c, id);
    if (world->wish != CLUSTER_NATS_RELEASE) {
        return; // had back meanwhile
    }
    world->wish_ns = base_now_ns() + AGAIN_MS * ms_ns;
    if (status == NATS_OK) {
        world->wish = CLUSTER_NATS_NOTHING;
        cluster_nats_unname(c, id, world->label);
    }
}

// Its key names nobody from then on, and this run among those that tried.
static void give_back(struct cluster *c, uint32_t id)
{
    struct cluster_nats_world *world = cluster_nats_world_find(c, id);
    struct cluster_nats_key key = cluster_nats_world_key(world);
    uint64_t revision = world->revision;
    key.run[0] = 0;
    base_mutex_unlock(&c->mutex);
    const natsStatus status = cluster_nats_world_put(c, id, &key, &revision);
    if (status != NATS_OK) {
        (void)cluster_nats_world_get(c, id);
    }
    base_mutex_lock(&c->mutex);
    world = cluster_nats_world_find(c, id);
    if (world->wish != CLUSTER_NATS_FAIL) {
        return; // another has it, or that was read already
    }
    world->wish_ns = base_now_ns() + AGAIN_MS * ms_ns;
    if (status == NATS_OK) {
        world->revision = revision > world->revision ? revision : world->revision;
        world->run[0] = 0;
        world->wish = CLUSTER_NATS_NOTHING;
        world->failed_ns = 0;
    }
}

// Labels that are no world's any more, of those that have nothing else to be written.
static void give_labels_back(struct cluster *c)
{
    for (uint32_t left = c->unnamed_count; left > 0 && !c->closing; left--) {
        const struct cluster_nats_unnamed one = c->unnamed[0];
        const struct cluster_nats_world *world = cluster_nats_world_find(c, one.world);
        const bool waits = world && world->wish != CLUSTER_NATS_NOTHING;
        const bool is_one = world && (world->run[0] != 0 || world->trouble);
        const bool has = is_one && strcmp(world->label, one.label) == 0;
        const bool others =
            is_one && !cluster_nats_world_ours(c, world); // it may have been given the label there
        c->unnamed_count--;
        memmove(c->unnamed, c->unnamed + 1, c->unnamed_count * sizeof *c->unnamed);
        natsStatus status = waits ? NATS_TIMEOUT : NATS_OK;
        if (!waits && !has) {
            base_mutex_unlock(&c->mutex);
            status = cluster_nats_name_give_back(c, one.world, one.label, others);
            base_mutex_lock(&c->mutex);
        }
        if (status != NATS_OK) {
            cluster_nats_unname(c, one.world, one.label);
        }
    }
}

static void read_again(struct cluster *c, uint32_t id)
{
    base_mutex_unlock(&c->mutex);
    (void)cluster_nats_world_get(c, id);
    base_mutex_lock(&c->mutex);
    struct cluster_nats_world *world = cluster_nats_world_find(c, id);
    if (world->reads > 0) {
        world->read_ns = base_now_ns() + (READ_MS * ms_ns << (CLUSTER_NATS_READS - world->reads));
        world->reads--;
    }
}

// ---------------------------------------------------------------------------------------------------------
// Servers that are gone

// One question of all servers for a silent one, where each has its turn: whether it is this one's to take a world of it by now.
static bool is_turn_to_ask(const struct cluster *c, const struct cluster_nats_server *server, bool takes,
                           uint64_t now_ns)
{
    const uint64_t silent_ns = now_ns - server->heard_ns;
    if (silent_ns > (ASK_S + strtoul(c->run + CLUSTER_RUN_SIZE - 3, NULL, 16) % ASK_S) * s_ns) {
        return true;
    }
    for (uint32_t i = 0; takes && i < c->world_count; i++) {
        const struct cluster_nats_world *world = &c->worlds[i];
        if (strcmp(world->run, server->told.run) == 0 &&
            silent_ns >=
                (CLUSTER_LAPSE_MS + (uint64_t)NEXT_MS * cluster_nats_rank(c, world, now_ns)) * ms_ns) {
            return true;
        }
    }
    return false;
}

static bool look_for_dead(struct cluster *c, bool takes, uint64_t now_ns)
{
    bool any = false;
    for (uint32_t i = 0; i < c->server_count; i++) {
        if (!c->servers[i].dead && !cluster_nats_server_lives(c, &c->servers[i], now_ns) &&
            is_turn_to_ask(c, &c->servers[i], takes, now_ns)) {
            cluster_nats_ask_for_beat(c, c->servers[i].told.run);
        }
        any |= i < c->server_count && c->servers[i].dead;
    }
    return any;
}

// Nobody can run it: each tries once, and the more did so in vain the later. Then whoever is first, now and then, unless that is no
// use.
static bool is_to_be_tried(const struct cluster *c, const struct cluster_nats_world *world, uint64_t now_ns)
{
    const uint32_t tried = world->trouble->count;
    const bool again = tried >= CLUSTER_TRIES || cluster_nats_world_tried(world, c->run);
    const uint64_t wait_ns = again ? RETRY_S * s_ns : tried > 1 ? s_ns << (tried - 2) : 0;
    return !(again && world->trouble->lasting) &&
           now_ns - world->failed_ns >= wait_ns + NEXT_MS * ms_ns * cluster_nats_rank(c, world, now_ns);
}

static bool is_left(struct cluster *c, const struct cluster_nats_world *world, uint64_t now_ns)
{
    const struct cluster_nats_server *server = cluster_nats_server_find(c, world->run);
    if (cluster_nats_world_failed(world)) {
        return is_to_be_tried(c, world, now_ns);
    }
    return world->run[0] != 0 && server && server->dead &&
           now_ns - server->dead_ns >= NEXT_MS * ms_ns * cluster_nats_rank(c, world, now_ns);
}

static void take(struct cluster *c, uint32_t id)
{
    char had[CLUSTER_NAME_SIZE] = "those who could not run it";
    struct cluster_nats_world *world = cluster_nats_world_find(c, id);
    const struct cluster_nats_server *server = cluster_nats_server_find(c, world->run);
    struct cluster_nats_key key = cluster_nats_world_key(world);
    uint64_t revision = world->revision;
    const uint64_t known = revision;
    world->taking = true;
    memcpy(key.run, c->run, sizeof key.run);
    if (server) {
        memcpy(had, server->told.name, sizeof had);
    }
    base_mutex_unlock(&c->mutex);
    const natsStatus status = cluster_nats_world_put(c, id, &key, &revision);
    base_mutex_lock(&c->mutex);
    world = cluster_nats_world_find(c, id);
    world->taking = false;
    if (status != NATS_OK) {
        world->reads = CLUSTER_NATS_READS;
        world->read_ns = base_now_ns();
    } else if (cluster_nats_world_won(c, world, known, revision)) {
        (void)snprintf(world->text, sizeof world->text, "%s", had);
        world->moved = false;
        c->counts.taken++;
        cluster_nats_world_tell(c, world, CLUSTER_NATS_TELL_OURS);
    }
}

// ---------------------------------------------------------------------------------------------------------

// False: nothing is left to do for it.
static bool turn_of(struct cluster *c, struct cluster_nats_world *world, bool takes, uint64_t now_ns)
{
    const uint32_t id = world->world;
    if (cluster_nats_world_failed(world) && world->failed_ns == 0) {
        world->failed_ns = now_ns;
    }
    if (world->asked_ns != 0 && now_ns - world->asked_ns > PREPARE_S * s_ns) {
        cluster_nats_errand_told(c, id, false, "the other server does not answer");
    }
    if (world->ask) {
        cluster_nats_ask(c, id);
    } else if (world->wish == CLUSTER_NATS_CLAIM && world->wish_ns <= now_ns) {
        claim(c, id);
    } else if (world->wish == CLUSTER_NATS_RELEASE && world->wish_ns <= now_ns) {
        release(c, id);
    } else if (world->wish == CLUSTER_NATS_GIVE && world->wish_ns <= now_ns) {
        cluster_nats_give(c, id);
    } else if (world->wish == CLUSTER_NATS_FAIL && world->wish_ns <= now_ns) {
        give_back(c, id);
    } else if (world->reads > 0 && world->read_ns <= now_ns) {
        read_again(c, id);
    } else if (takes && world->reads == 0 && world->wish == CLUSTER_NATS_NOTHING &&
               is_left(c, world, now_ns)) {
        take(c, id);
    }
    world = cluster_nats_world_find(c, id);
    return world->wish != CLUSTER_NATS_NOTHING || world->reads > 0 || world->asked_ns != 0 || world->ask;
}

static void turn(struct cluster *c)
{
    const uint64_t now_ns = base_now_ns();
    const struct cluster_nats_server *own = cluster_nats_server_find(c, c->run);
    const bool takes = !own->told.draining && !c->closing;
    const bool left = look_for_dead(c, takes, now_ns) || c->troubles > 0;
    if (!c->look && !left) {
        return;
    }
    bool more = false;
    c->look = false;
    give_labels_back(c);
    for (uint32_t i = 0; i < c->world_count && !c->closing; i++) {
        more |= turn_of(c, &c->worlds[i], takes && left, base_now_ns());
    }
    c->look |= more;
}

// A server that was away has heard nobody, so all others have their time again. It asks the leaders for the keys of its own worlds, so
// that it shows none that is another's.
static void read_anew(struct cluster *c)
{
    c->reread = false;
    for (uint32_t i = 0; i < c->server_count; i++) {
        c->servers[i].heard_ns = base_now_ns();
    }
    base_mutex_unlock(&c->mutex);
    natsStatus status = cluster_nats_read_all(c);
    base_mutex_lock(&c->mutex);
    for (uint32_t i = 0; i < c->world_count && status == NATS_OK && !c->closing; i++) {
        const uint32_t id = c->worlds[i].world;
        if (cluster_nats_world_ours(c, &c->worlds[i])) {
            base_mutex_unlock(&c->mutex);
            status = cluster_nats_world_get(c, id);
            base_mutex_lock(&c->mutex);
            status = status == NATS_NOT_FOUND ? NATS_OK : status; // its key is on its way
        }
    }
    if (status != NATS_OK) {
        c->reread = true;
    } else if (!c->reread) {
        c->waking = true;
        cluster_nats_wake(c);
    }
    c->options.on_event(c->options.context);
}

void cluster_nats_run(void *cluster)
{
    struct cluster *c = cluster;
    uint64_t read_ns = base_now_ns();
    base_mutex_lock(&c->mutex);
    while (!c->closing) {
        const uint64_t now_ns = base_now_ns();
        if (c->connected && (c->reread || now_ns - read_ns > READ_ALL_S * s_ns)) {
            read_ns = now_ns;
            if (c->reread) {
                read_anew(c);
            } else {
                base_mutex_unlock(&c->mutex);
                (void)cluster_nats_read_all(c);
                base_mutex_lock(&c->mutex);
            }
        }
        if (c->connected && !c->reread) {
            turn(c);
        }
        // Everything that is due at once was done. The rest has its time, which is never much less than this.
        (void)base_cond_wait_until(&c->due, &c->mutex, base_now_ns() + (c->look ? READ_MS : TURN_MS) * ms_ns);
    }
    base_mutex_unlock(&c->mutex);
}
