// Names and sizes of the things in a world: bodies and colliders, each a list by ascending id.
//
// Invariant: a list holds the same ids in the same order as the sim. The sim never gives an id twice and
// gives greater ones later, so a new thing goes to the end.
#include "world/world_internal.h"

#include "base/assert.h"

#include <stdlib.h>
#include <string.h>

void world_things_deinit(struct world_things *things)
{
    for (uint32_t i = 0; i < things->count; i++) {
        world_skin_destroy(things->items[i].skin);
        world_look_destroy(things->items[i].look);
    }
    free(things->items);
    *things = (struct world_things){0};
}

bool world_things_reserve(struct world_things *things)
{
    if (things->count < things->capacity) {
        return true;
    }
    uint32_t capacity = things->capacity ? 2 * things->capacity : 16;
    struct world_thing *grown = realloc(things->items, capacity * sizeof *grown);
    if (!grown) {
        return false;
    }
    things->items = grown;
    things->capacity = capacity;
    return true;
}

static void name_copy(struct world_thing *thing, const struct protocol_string *name)
{
    BASE_ASSERT(name->size < sizeof thing->name);
    memset(thing->name, 0, sizeof thing->name);
    if (name->size > 0) {
        memcpy(thing->name, name->data, name->size);
    }
    thing->name_size = name->size;
}

void world_things_add(struct world_things *things, uint32_t id, const struct protocol_string *name,
                      uint32_t particle_count)
{
    BASE_ASSERT(things->count < things->capacity);
    BASE_ASSERT(things->count == 0 || things->items[things->count - 1].id < id);
    struct world_thing *thing = &things->items[things->count++];
    *thing = (struct world_thing){.id = id, .particle_count = particle_count};
    name_copy(thing, name);
}

void world_things_remove(struct world_things *things, uint32_t id)
{
    struct world_thing *thing = world_things_by_id(things, id);
    BASE_ASSERT(thing);
    world_skin_destroy(thing->skin);
    world_look_destroy(thing->look);
    size_t after = (size_t)(things->items + things->count - (thing + 1));
    memmove(thing, thing + 1, after * sizeof *thing);
    things->count--;
}

void world_things_rename(struct world_things *things, uint32_t id, const struct protocol_string *name)
{
    struct world_thing *thing = world_things_by_id(things, id);
    BASE_ASSERT(thing);
    name_copy(thing, name);
}

struct world_thing *world_things_by_id(const struct world_things *things, uint32_t id)
{
    uint32_t low = 0, high = things->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (things->items[middle].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < things->count && things->items[low].id == id ? &things->items[low] : NULL;
}

struct world_thing *world_things_by_name(const struct world_things *things,
                                         const struct protocol_string *name)
{
    for (uint32_t i = 0; i < things->count && name->size > 0; i++) {
        struct world_thing *thing = &things->items[i];
        if (thing->name_size == name->size && memcmp(thing->name, name->data, name->size) == 0) {
            return thing;
        }
    }
    return NULL;
}

struct protocol_string world_thing_name(const struct world_thing *thing)
{
    return (struct protocol_string){.data = thing->name, .size = thing->name_size};
}
