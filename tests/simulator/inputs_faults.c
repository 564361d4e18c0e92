// Inputs of those who may and may not: roles and tokens; and faults: cuts, slow readers, garbage, and servers that are killed.
#include "inputs_parts.h"

#include "clock.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { GARBAGE_BYTES = 64 };

// ---------------------------------------------------------------------------------------------------------
// Who may

void input_do_access(struct draw *draw)
{
    static const char *const roles[] = {"viewer", "editor", "owner"};
    struct simulated_server *server = draw->client->server;
    const uint32_t deed = input_below(draw, 9), user = input_below(draw, USERS + 1),
                   role = input_below(draw, 3), luck = input_below(draw, 8),
                   secret = input_below(draw, SECRETS);
    struct known_world *world = input_world(draw);
    char name[8] = "*";
    if (world == NULL || (!server->tokens && luck > 0) || !client_may_ask(draw->client)) {
        return;
    }
    struct about *about = &draw->run->about;
    if (user < USERS) {
        snprintf(name, sizeof name, "u%u", user);
    }
    switch (deed) {
    case 0:
        input_text(draw, "{'world': %" PRIu32 "}", world->id);
        input_ask(draw, PROTOCOL_METHOD_ACCESS_LIST, ASKED_PLAIN);
        return;
    case 1:
        input_text(draw, "{'world': %" PRIu32 ", 'user': '%s', 'role': '%s'}", world->id, name, roles[role]);
        *about = (struct about){.number = user, .other = role};
        world_give(world, user, draw->run->input);
        input_ask(draw, PROTOCOL_METHOD_ACCESS_GRANT, ASKED_PLAIN);
        return;
    case 2:
        input_text(draw, "{'world': %" PRIu32 ", 'user': '%s'}", world->id, name);
        about->number = user;
        input_ask(draw, PROTOCOL_METHOD_ACCESS_REVOKE, ASKED_REVOKE);
        return;
    case 3:
        input_text(draw, "{'world': %" PRIu32 ", 'role': '%s'}", world->id, roles[role]);
        about->other = role;
        input_ask(draw, PROTOCOL_METHOD_ACCESS_INVITE, ASKED_INVITE);
        return;
    case 4:
        if (server->secrets[secret][0] == '\0' && luck > 1) {
            return;
        }
        input_text(draw, "{'invite': '%s'}", server->secrets[secret]);
        about->other = server->secret_role[secret];
        for (uint32_t i = 0; i < server->world_count; i++) { // which one it is for nobody looks at
            world_give(&server->worlds[i], draw->client->user, draw->run->input);
        }
        draw->place = server->secrets[secret][0] != '\0' ? server->secret_world[secret] : NO_WORLD;
        input_ask(draw, PROTOCOL_METHOD_ACCESS_ACCEPT, ASKED_PLAIN);
        return;
    case 5:
    case 6:
    case 7:
        input_text(draw, "{'world': %" PRIu32 ", 'control': '%s'}", world->id, roles[1 + role % 2]);
        about->other = 1 + role % 2;
        input_ask(draw, PROTOCOL_METHOD_ACCESS_SET, ASKED_PLAIN);
        return;
    default:
        input_text(draw, "{}");
        draw->place = NO_WORLD;
        input_ask(draw, PROTOCOL_METHOD_TOKEN_LIST, ASKED_PLAIN);
    }
}

// Tokens of somebody whom nobody simulates, so that no client loses its own.
void input_do_tokens(struct draw *draw)
{
    const uint32_t deed = input_below(draw, 3), number = input_below(draw, 3);
    if (!draw->client->server->tokens && input_below(draw, 8) > 0) {
        return;
    }
    draw->place = NO_WORLD;
    if (deed == 0) {
        input_text(draw, "{'user': 'guest-%u', 'role': 'viewer', 'seconds': 3600}", number);
    } else if (deed == 1) {
        input_text(draw, "{'user': 'guest-%u'}", number);
    } else {
        input_text(draw, "{'id': %u}", USERS + 1 + number);
    }
    input_ask(draw, deed == 0 ? PROTOCOL_METHOD_TOKEN_CREATE : PROTOCOL_METHOD_TOKEN_REVOKE, ASKED_PLAIN);
}

// ---------------------------------------------------------------------------------------------------------
// What goes wrong

void input_do_cut(struct draw *draw)
{
    const uint32_t how = input_below(draw, 6);
    struct client *client = draw->client;
    if (client->link == NULL || client->link->lost_ns > 0) {
        return;
    }
    simulator_say(draw->run, "the connection of client %u is cut (%u)", client->index, how);
    if (how == 5) {
        link_end(client->link);
    } else {
        link_cut(client->link, how != 1 && how != 2, how != 3);
    }
}

void input_do_slow(struct draw *draw)
{
    draw->client->slow_ns = simulator_clock.now_ns + chance_span(&draw->chance, 10 * MS, 10 * SECOND);
    simulator_say(draw->run, "client %u looks at nothing for a while", draw->client->index);
}

void input_do_leave(struct draw *draw)
{
    input_text(draw, "{}");
    draw->place = NO_WORLD;
    if (input_ask(draw, PROTOCOL_METHOD_SESSION_LEAVE, ASKED_PLAIN) != NULL) {
        draw->client->leaving = true;
    }
}

// Another server, as somebody new.
void input_do_move(struct draw *draw)
{
    struct run *run = draw->run;
    struct client *client = draw->client;
    if (client->link != NULL) {
        link_cut(client->link, true, true);
    }
    client_forget(client);
    client->key[0] = '\0';
    client->msgid = 0;
    client->server = &run->servers[input_below(draw, run->server_count)];
    simulator_say(run, "client %u goes to server %u", client->index, client->server->index);
}

void input_do_garbage(struct draw *draw)
{
    uint8_t bytes[GARBAGE_BYTES];
    struct client *client = draw->client;
    const uint32_t size = 1 + input_below(draw, GARBAGE_BYTES);
    if (!client_may_ask(client)) {
        return;
    }
    for (uint32_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)input_below(draw, 256);
    }
    if (input_below(draw, 2) == 0) { // a request that is almost right
        input_text(draw, "{'world': %" PRIu32 "}", input_world_id(draw));
        struct asked *asked =
            input_ask(draw, (enum protocol_method)input_below(draw, PROTOCOL_METHOD_COUNT), ASKED_PLAIN);
        if (asked->size <= GARBAGE_BYTES) {
            memcpy(bytes, asked->bytes, asked->size);
        }
        bytes[input_below(draw, size)] ^= (uint8_t)(1 << input_below(draw, 8));
    }
    simulator_say(draw->run, "client %u sends %u bytes of garbage", client->index, size);
    client_forget(client);
    client->dirty = true;
    client_send_bytes(client, bytes, size);
}

void input_do_kill(struct draw *draw)
{
    struct simulated_server *server = draw->client->server;
    if (server->local != NULL) {
        server_kill(server, chance_span(&draw->chance, MS, SECOND));
    }
}

void input_do_wall(struct draw *draw)
{
    struct simulated_server *server = draw->client->server;
    const int64_t by_us = (int64_t)chance_span(&draw->chance, 1000, UINT64_C(100) * 24 * 3600 * 1000 * 1000);
    server->jumped_ns = simulator_clock.now_ns;
    server->wall_us += input_below(draw, 2) ? by_us : -by_us;
    if (server->wall_us < 1000000) {
        server->wall_us = 1000000;
    }
    simulator_say(draw->run, "the wall clock of server %u jumps", server->index);
}

void input_do_nothing_for_long(struct draw *draw)
{
    simulator_say(draw->run, "some time passes");
    draw->run->rest_ns = chance_span(&draw->chance, 100 * MS, 20 * SECOND);
}
