// Requests of one client that are looked at together: a hash, edits that may or may not change it, a hash.
#include "simulator.h"

#include <inttypes.h>
#include <string.h>

typedef unsigned long long ull;

static void bracket_close(struct client *client)
{
    const struct bracket *bracket = &client->bracket;
    const struct known_world *world = &client->server->worlds[bracket->world];
    const bool same = strcmp(bracket->before.text, bracket->after.text) == 0,
               stood = bracket->has_before && bracket->has_after && !world->grabbed &&
                       bracket->before.tick == bracket->after.tick;
    if (stood && bracket->refused && bracket->before.revision == bracket->after.revision) {
        run_counts.brackets++;
        if (!same) {
            simulator_fail(client->run,
                           "client %u: an edit of world %u was refused, and its hash is %s, and was %s",
                           client->index, world->id, bracket->after.text, bracket->before.text);
        }
    }
    if (stood && bracket->undone && bracket->redone && !bracket->left_out &&
        bracket->before.revision + 2 == bracket->after.revision) {
        run_counts.undos++;
        if (!same) {
            simulator_fail(
                client->run,
                "client %u: an edit of world %u was undone and redone, and its hash is %s, and was %s",
                client->index, world->id, bracket->after.text, bracket->before.text);
        }
    }
    if (stood && bracket->out && bracket->added && bracket->back &&
        bracket->before.revision + 3 == bracket->after.revision) {
        run_counts.back++;
        if (!same) {
            simulator_fail(client->run,
                           "client %u: a body of world %u was removed, what had added it undone, and then "
                           "the removal; its hash is %s, and was %s",
                           client->index, world->id, bracket->after.text, bracket->before.text);
        }
    }
    if (bracket->edited && bracket->again) {
        run_counts.again++;
        if (!bracket->repeated || bracket->revision != bracket->revision_again) {
            simulator_fail(
                client->run,
                "client %u: an edit came twice with one edit_id, and was made at revisions %llu and %llu",
                client->index, (ull)bracket->revision, (ull)bracket->revision_again);
        }
    }
    client->bracket = (struct bracket){0};
}

void bracket_hear(struct client *client, const struct asked *asked, const msgpack_object *result,
                  const struct hash_at *hash)
{
    struct bracket *bracket = &client->bracket;
    if (!bracket->open || asked->world != bracket->world) {
        return;
    }
    const msgpack_object *left_out = object_at(result, "left_out");
    switch (asked->part) {
    case BRACKET_BEFORE:
        bracket->has_before = hash != NULL;
        if (hash != NULL) {
            bracket->before = *hash;
        }
        break;
    case BRACKET_EDIT:
        bracket->refused = result == NULL;
        bracket->edited = result != NULL;
        bracket->revision = object_number(result, "revision");
        break;
    case BRACKET_AGAIN:
        bracket->again = result != NULL;
        bracket->repeated = object_true(result, "repeated");
        bracket->revision_again = object_number(result, "revision");
        break;
    case BRACKET_UNDO:
    case BRACKET_REDO:
        bracket->undone = asked->part == BRACKET_UNDO ? result != NULL : bracket->undone;
        bracket->redone = asked->part == BRACKET_REDO ? result != NULL : bracket->redone;
        bracket->left_out =
            bracket->left_out ||
            (left_out != NULL && left_out->type == MSGPACK_OBJECT_ARRAY && left_out->via.array.size > 0);
        break;
    case BRACKET_OUT:
        bracket->out = result != NULL;
        bracket->revision = object_number(result, "revision");
        break;
    case BRACKET_ADDED:
        bracket->added = result != NULL;
        break;
    case BRACKET_BACK:
        bracket->back = result != NULL &&
                        object_number(object_at(result, "undone"), "revision") == bracket->revision &&
                        (left_out == NULL || left_out->via.array.size == 0);
        break;
    case BRACKET_AFTER:
        bracket->has_after = hash != NULL;
        if (hash != NULL) {
            bracket->after = *hash;
        }
        bracket_close(client);
        break;
    case NOT_BRACKETED:
        break;
    }
}

// Removes a body that it has just added, undoes the edit that added it, and undoes the removal.
void bracket_take_back(struct client *client, uint32_t place, uint32_t body, uint64_t added)
{
    const uint32_t world = client->server->worlds[place].id;
    char *text = client->run->text;
    const size_t size = sizeof client->run->text;
    if (client->bracket.open || client->asked_count + 5 > ASKED || !client_may_ask(client) ||
        client->run->quiet) {
        return;
    }
    client->bracket = (struct bracket){.open = true, .world = place};
    snprintf(text, size, "{'world': %" PRIu32 "}", world);
    client_ask(client, PROTOCOL_METHOD_WORLD_HASH, ASKED_HASH, place)->part = BRACKET_BEFORE;
    snprintf(text, size, "{'world': %" PRIu32 ", 'body': %" PRIu32 "}", world, body);
    client_ask(client, PROTOCOL_METHOD_BODY_REMOVE, ASKED_PLAIN, place)->part = BRACKET_OUT;
    snprintf(text, size, "{'world': %" PRIu32 ", 'revision': %" PRIu64 ", 'force': true}", world, added);
    client_ask(client, PROTOCOL_METHOD_EDIT_UNDO, ASKED_PLAIN, place)->part = BRACKET_ADDED;
    snprintf(text, size, "{'world': %" PRIu32 ", 'force': true}", world);
    client_ask(client, PROTOCOL_METHOD_EDIT_UNDO, ASKED_PLAIN, place)->part = BRACKET_BACK;
    snprintf(text, size, "{'world': %" PRIu32 "}", world);
    client_ask(client, PROTOCOL_METHOD_WORLD_HASH, ASKED_HASH, place)->part = BRACKET_AFTER;
}
