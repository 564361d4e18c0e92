// Things that are known to be in a world, so that most of what is asked for is there. It follows from answers alone: what is undone, reset or
// removed by others meanwhile makes it wrong, and then a request is refused.
#include "simulator.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void put(struct known_ids *ids, uint64_t id)
{
    ids->ids[ids->next++ % IDS] = (uint32_t)id;
}

static void drop(struct known_ids *ids, uint32_t id)
{
    for (uint32_t i = 0; i < IDS; i++) {
        if (ids->ids[i] == id) {
            ids->ids[i] = 0;
        }
    }
}

uint32_t known_pick(const struct known_ids *ids, uint32_t wish)
{
    for (uint32_t i = 0; i < IDS; i++) {
        if (ids->ids[(wish + i) % IDS] != 0) {
            return ids->ids[(wish + i) % IDS];
        }
    }
    return 0;
}

// Which thing goes, if it is obeyed.
void known_asked(struct asked *asked, const char *text)
{
    const char *name = asked->method == PROTOCOL_METHOD_BODY_REMOVE       ? "'body': "
                       : asked->method == PROTOCOL_METHOD_COLLIDER_REMOVE ? "'collider': "
                       : asked->method == PROTOCOL_METHOD_MOTION_REMOVE   ? "'motion': "
                                                                          : NULL;
    const char *at = name != NULL ? strstr(text, name) : NULL;
    if (at != NULL) {
        asked->other = (uint32_t)strtoul(at + strlen(name), NULL, 10);
    }
}

// The first number of a list of ids, however the client has arrays; 0: there is none.
static uint32_t first_of(const msgpack_object *ids)
{
    struct protocol_array array;
    uint32_t first = 0;
    if (!ids || !protocol_array_from(ids, PROTOCOL_ARRAY_U32, &array) || array.count == 0) {
        return 0;
    }
    if (array.type == PROTOCOL_ARRAY_PLAIN) {
        return (uint32_t)ids->via.array.ptr[0].via.u64;
    }
    memcpy(&first, array.data, sizeof first);
    return first;
}

void known_answered(struct client *client, const struct asked *asked, const msgpack_object *result)
{
    if (asked->world == NO_WORLD) {
        return;
    }
    struct known_world *world = &client->server->worlds[asked->world];
    const msgpack_object *lengths;
    switch (asked->method) {
    case PROTOCOL_METHOD_BODY_ADD:
        put(&world->bodies_known, object_number(result, "body"));
        lengths = object_at(object_at(result, "constraints"), "distance");
        world->first_constraint = (uint32_t)object_number(lengths, "first");
        world->constraint_count = (uint32_t)object_number(lengths, "count");
        break;
    case PROTOCOL_METHOD_COLLIDER_ADD:
        put(&world->colliders, object_number(result, "collider"));
        break;
    case PROTOCOL_METHOD_MOTION_ADD:
        put(&world->motions, object_number(result, "motion"));
        break;
    case PROTOCOL_METHOD_CONSTRAINT_ADD:
        put(&world->ties, first_of(object_at(result, "constraints")));
        break;
    case PROTOCOL_METHOD_BODY_REMOVE:
        drop(&world->bodies_known, asked->other);
        break;
    case PROTOCOL_METHOD_COLLIDER_REMOVE:
        drop(&world->colliders, asked->other);
        break;
    case PROTOCOL_METHOD_MOTION_REMOVE:
        drop(&world->motions, asked->other);
        break;
    default:
        break;
    }
    if (protocol_methods[asked->method].class_ == PROTOCOL_CLASS_EDIT && !object_true(result, "repeated")) {
        world->edits[world->edit_next++ % IDS] = (struct known_edit){
            .revision = object_number(result, "revision"),
            .thing = asked->method == PROTOCOL_METHOD_BODY_ADD ? (uint32_t)object_number(result, "body") : 0};
    }
}

// The number behind the first place of the name is another from now on.
static bool replace(char *text, size_t size, const char *name, uint32_t id)
{
    char *at = strstr(text, name), number[16], *behind;
    if (at == NULL || id == 0) {
        return false;
    }
    at += strlen(name);
    (void)strtoul(at, &behind, 10);
    if (behind == at) {
        return false;
    }
    const int digits = snprintf(number, sizeof number, "%" PRIu32, id);
    const size_t rest = strlen(behind) + 1;
    if ((size_t)(at - text) + (size_t)digits + rest > size) {
        return false;
    }
    memmove(at + digits, behind, rest);
    memcpy(at, number, (size_t)digits);
    return true;
}

void known_aim(const struct known_world *world, char *text, size_t size, struct chance *chance)
{
    const uint32_t wish = chance_below(chance, IDS), luck = chance_below(chance, 4),
                   one = chance_below(chance, 1 << 16);
    if (luck == 0) {
        return;
    }
    replace(text, size, "'body': ", known_pick(&world->bodies_known, wish));
    replace(text, size, "'bodies': [", known_pick(&world->bodies_known, wish));
    replace(text, size, "'collider': ", known_pick(&world->colliders, wish));
    replace(text, size, "'motion': ", known_pick(&world->motions, wish));
    const uint32_t tie = known_pick(&world->ties, wish);
    if (tie > 0 && one % 2 == 0) {
        replace(text, size, "'constraints': [", tie);
    } else if (world->constraint_count > 0) {
        replace(text, size, "'constraints': [", world->first_constraint + one % world->constraint_count);
    }
}
