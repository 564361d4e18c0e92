// Names and sizes of the things in a world: bodies and colliders, each a list by ascending id.
//
// Invariant: a list holds the same ids in the same order as the sim. The sim gives greater ids later, so a new thing
// goes to the end; only what comes back stands before others.
#include "document/parts.h"

#include "base/assert.h"
#include "base/search.h"
#include "protocol/array/reserve.h"

#include <stdlib.h>
#include <string.h>

void document_things_deinit(struct document_things *things)
{
    for (uint32_t i = 0; i < things->count; i++) {
        document_skin_destroy(things->items[i].skin);
        document_look_destroy(things->items[i].look);
    }
    free(things->items);
    *things = (struct document_things){0};
}

bool document_things_reserve(struct document_things *things, uint32_t more)
{
    return array_reserve(&things->items, &things->capacity, (uint64_t)things->count + more);
}

static void name_copy(struct document_thing *thing, const struct protocol_string *name)
{
    BASE_ASSERT(name->size < sizeof thing->name);
    memset(thing->name, 0, sizeof thing->name);
    if (name->size > 0) {
        memcpy(thing->name, name->data, name->size);
    }
    thing->name_size = name->size;
}

void document_things_add(struct document_things *things, uint32_t id, const struct protocol_string *name,
                         uint32_t particle_count)
{
    BASE_ASSERT(things->count < things->capacity);
    uint32_t place = things->count;
    while (place > 0 && things->items[place - 1].id >= id) {
        place--;
    }
    struct document_thing *thing = &things->items[place];
    BASE_ASSERT(place == things->count || thing->id != id);
    memmove(thing + 1, thing, (things->count++ - place) * sizeof *thing);
    *thing = (struct document_thing){.id = id, .particle_count = particle_count};
    name_copy(thing, name);
}

void document_things_remove(struct document_things *things, uint32_t id)
{
    struct document_thing *thing = document_things_by_id(things, id);
    BASE_ASSERT(thing);
    document_skin_destroy(thing->skin);
    document_look_destroy(thing->look);
    size_t after = (size_t)(things->items + things->count - (thing + 1));
    memmove(thing, thing + 1, after * sizeof *thing);
    things->count--;
}

void document_things_rename(struct document_things *things, uint32_t id, const struct protocol_string *name)
{
    struct document_thing *thing = document_things_by_id(things, id);
    BASE_ASSERT(thing);
    name_copy(thing, name);
}

struct document_thing *document_things_by_id(const struct document_things *things, uint32_t id)
{
    uint32_t place;
    BASE_SEARCH(place, things->count, things->items[at].id < id);
    return place < things->count && things->items[place].id == id ? &things->items[place] : NULL;
}

struct document_thing *document_things_by_name(const struct document_things *things,
                                               const struct protocol_string *name)
{
    for (uint32_t i = 0; i < things->count && name->size > 0; i++) {
        struct document_thing *thing = &things->items[i];
        if (thing->name_size == name->size && memcmp(thing->name, name->data, name->size) == 0) {
            return thing;
        }
    }
    return NULL;
}

struct protocol_string document_thing_name(const struct document_thing *thing)
{
    return (struct protocol_string){.data = thing->name, .size = thing->name_size};
}
