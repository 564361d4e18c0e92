// A simulated server: weftd in the process, its users, and the known facts about its worlds.
#include "simulator.h"

#include "access/access.h"
#include "base/assert.h"
#include "clock.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    SESSIONS = 8,
    GRACE_S = 10,
    BIN_S = 600,
    PAST_BYTES = 32 * 1024 * 1024,
    WALL_START_S = 1700000000,
};

void server_enter(const struct simulated_server *server)
{
    simulator_clock.wall_us = server->wall_us;
}

// ---------------------------------------------------------------------------------------------------------
// Life

static void open_book(struct simulated_server *server)
{
    char error[ACCESS_ERROR_SIZE];
    (void)unlink(server->book_path);
    server->book = access_open(server->book_path, false, error);
    BASE_ASSERT(server->book != NULL);
    for (uint32_t user = 0; user < USERS; user++) {
        char name[8];
        uint32_t id;
        snprintf(name, sizeof name, "u%u", user);
        const enum access_outcome outcome =
            access_token_create(server->book, name, user == 0 ? PROTOCOL_ROLE_ADMIN : PROTOCOL_ROLE_EDITOR,
                                WALL_START_S, 0, &id, server->token[user]);
        BASE_ASSERT(outcome == ACCESS_DONE);
    }
}

// Each kind of limit is as usual in most seeds, and narrow in some: then people meet it all the time.
static struct local_options options_of(const struct simulated_server *server)
{
    struct chance chance = chance_of(server->run->options.seed, FOR_RUN, 100 + server->index);
    struct local_options options = {
        .limits = {.sessions = SESSIONS,
                   .sessions_per_address = SESSIONS / 2,
                   .worlds = WORLDS_AT_ONCE + 4,
                   .session_grace = chance_one_in(&chance, 6) ? 0 : 1 + chance_below(&chance, GRACE_S)},
        .keep_seconds = UINT64_MAX,
        .keep_bytes = PAST_BYTES,
        .bin_seconds = BIN_S,
        .access = server->book,
    };
    if (chance_one_in(&chance, 5)) {
        options.limits.lossless_bytes = 64 * 1024;
        options.limits.hold_ms = 50;
        options.limits.server_frame_bytes = 1 << 20;
    }
    if (chance_one_in(&chance, 5)) {
        options.limits.tick_ms = 1;
    }
    if (chance_one_in(&chance, 3)) {
        options.quotas = (struct dispatch_quotas){
            .rates.a_second = {200, 64 * 1024, 50},
            .worlds = 2,
            .amounts = {.bodies = 12, .particles = 200, .constraints = 800, .poses = 60},
        };
    }
    return options;
}

void server_start(struct simulated_server *server)
{
    char text[LOCAL_TEXT_SIZE];
    if (server->lives == 0) {
        server->wall_us = (int64_t)WALL_START_S * 1000 * 1000;
    }
    server_enter(server);
    if (server->tokens) {
        open_book(server);
    }
    const struct local_options options = options_of(server);
    server->grace_ns = options.limits.session_grace * SECOND;
    server->local = local_server_create(&options, text);
    if (server->local == NULL) {
        simulator_fail(server->run, "server %u does not start: %s", server->index, text);
    }
    server->lives++;
    server->due_ns = 0;
    run_counts.lives++;
    simulator_say(server->run, "server %u is up%s", server->index, server->tokens ? ", with tokens" : "");
}

static void forget_worlds(struct simulated_server *server)
{
    for (uint32_t i = 0; i < server->world_count; i++) {
        msgpack_sbuffer_destroy(&server->worlds[i].document);
    }
    memset(server->worlds, 0, sizeof server->worlds);
    memset(server->secrets, 0, sizeof server->secrets);
    server->world_count = 0;
}

static void take_down(struct simulated_server *server)
{
    server_enter(server);
    links_of_server_lost(server);
    local_server_destroy(server->local);
    server->local = NULL;
    access_close(server->book);
    server->book = NULL;
    if (server->tokens) {
        (void)unlink(server->book_path);
    }
    forget_worlds(server);
}

void server_kill(struct simulated_server *server, uint64_t down_ns)
{
    simulator_say(server->run, "server %u dies", server->index);
    take_down(server);
    server->up_ns = simulator_clock.now_ns + down_ns;
    server->due_ns = UINT64_MAX;
    // Joined worlds and subscriptions are lost with its memory.
    for (uint32_t i = 0; i < server->run->client_count; i++) {
        if (server->run->clients[i].server == server) {
            client_forget(&server->run->clients[i]);
        }
    }
}

void server_destroy(struct simulated_server *server)
{
    if (server->local != NULL) {
        take_down(server);
    }
    msgpack_sbuffer_destroy(&server->saved);
}

void server_turn(struct simulated_server *server)
{
    server_enter(server);
    const uint64_t next_ns = local_server_turn(server->local);
    server->due_ns = next_ns;
    server->run->turns++;
}

// ---------------------------------------------------------------------------------------------------------
// Worlds

struct known_world *server_world(struct simulated_server *server, uint32_t id)
{
    for (uint32_t i = 0; i < server->world_count; i++) {
        if (server->worlds[i].id == id) {
            return &server->worlds[i];
        }
    }
    return NULL;
}

// NULL where more are known than there is room for: nobody looks at those that come after.
struct known_world *server_learn(struct simulated_server *server, uint32_t id, uint32_t user)
{
    struct known_world *world = server_world(server, id);
    if (world == NULL && server->world_count < WORLDS) {
        world = &server->worlds[server->world_count++];
        *world = (struct known_world){.id = id, .may_see = server->tokens ? 1u << user | 1u : UINT32_MAX};
        msgpack_sbuffer_init(&world->document);
    }
    if (world != NULL) {
        world->here = true;
    }
    return world;
}

// They may see it from now on, as far as anybody knows.
void world_give(struct known_world *world, uint32_t user, uint32_t input)
{
    world->everybody = world->everybody || user >= USERS;
    for (uint32_t i = 0; i < USERS; i++) {
        if (i == user || user >= USERS) {
            world->may_see |= 1u << i;
            world->granted_at[i] = input;
        }
    }
}

void server_hash(struct simulated_server *server, struct known_world *world, const struct hash_at *hash,
                 bool seen_in_past)
{
    if (world->grabbed || (seen_in_past && world->failed)) {
        return;
    }
    for (uint32_t i = 0; i < HASHES; i++) {
        const struct hash_at *known = &world->hashes[i];
        if (known->text[0] == '\0' || known->tick != hash->tick || known->revision != hash->revision) {
            continue;
        }
        run_counts.hashes_compared++;
        if (strcmp(known->text, hash->text) != 0) {
            simulator_fail(
                server->run,
                "world %u of server %u has the hash %s at tick %llu, revision %llu%s, and had %s before",
                world->id, server->index, hash->text, (unsigned long long)hash->tick,
                (unsigned long long)hash->revision, seen_in_past ? " in its past" : "", known->text);
        }
        return;
    }
    world->hashes[world->hash_next++ % HASHES] = *hash;
}
