// Keeps the state of a document before a batch of edits that the inverses of these edits do not bring back: touches, the revision,
// and grabs.
#include "document/parts.h"

#include "base/search.h"

#include <stdlib.h>
#include <string.h>

struct touched {
    uint32_t id;
    struct document_touch touch;
};

struct list {
    struct touched *items; // by id
    uint32_t count;
};

struct document_earlier {
    uint64_t revision;
    struct document_touch last, settings;
    struct list bodies, colliders;
    struct sim_grabs_kept *grabs;
};

static bool list_take(const struct document_things *things, struct list *list)
{
    list->count = things->count;
    list->items = malloc(((size_t)things->count + 1) * sizeof *list->items);
    for (uint32_t i = 0; list->items && i < things->count; i++) {
        list->items[i] = (struct touched){things->items[i].id, things->items[i].touched};
    }
    return list->items != NULL;
}

struct document_earlier *document_earlier_of(const struct document *document)
{
    struct document_earlier *earlier = calloc(1, sizeof *earlier);
    if (!earlier) {
        return NULL;
    }
    earlier->revision = document->revision;
    earlier->last = document->last;
    earlier->settings = document->settings_touched;
    earlier->grabs = sim_grabs_keep(document->sim);
    if (!earlier->grabs || !list_take(&document->bodies, &earlier->bodies) ||
        !list_take(&document->colliders, &earlier->colliders)) {
        document_earlier_destroy(earlier);
        return NULL;
    }
    return earlier;
}

void document_earlier_destroy(struct document_earlier *earlier)
{
    if (earlier) {
        sim_grabs_drop(earlier->grabs);
        free(earlier->bodies.items);
        free(earlier->colliders.items);
        free(earlier);
    }
}

static void list_give_back(const struct list *list, struct document_things *things)
{
    for (uint32_t i = 0; i < list->count; i++) {
        struct document_thing *thing = document_things_by_id(things, list->items[i].id);
        if (thing) {
            thing->touched = list->items[i].touch;
        }
    }
}

void document_earlier_give_back(struct document *document, const struct document_earlier *earlier)
{
    document->revision = earlier->revision;
    document->last = earlier->last;
    document->settings_touched = earlier->settings;
    list_give_back(&earlier->bodies, &document->bodies);
    list_give_back(&earlier->colliders, &document->colliders);
    sim_grabs_give_back(document->sim, earlier->grabs);
}

const struct document_touch *document_earlier_touch(const struct document_earlier *earlier, bool collider,
                                                    uint32_t id)
{
    const struct list *list = collider ? &earlier->colliders : &earlier->bodies;
    uint32_t place;
    BASE_SEARCH(place, list->count, list->items[at].id < id);
    return place < list->count && list->items[place].id == id ? &list->items[place].touch : NULL;
}

const struct document_touch *document_earlier_settings(const struct document_earlier *earlier)
{
    return &earlier->settings;
}
