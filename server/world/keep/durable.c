#include "world/keep/durable.h"

#include "base/assert.h"
#include "protocol/array/reserve.h"
#include "store/store.h"
#include "world/keep/part.h"
#include "world/state.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------
// Points

static struct world_durable now_of(const struct world *world)
{
    return (struct world_durable){.revision = world->document->revision,
                                  .records = world->keep->records.next};
}

void world_durable_begin(struct world *world, uint64_t sequence)
{
    world->keep->points.last =
        (struct world_durable){.revision = world->document->revision, .records = sequence};
}

static bool reserve(struct world_points *points)
{
    if (points->first > 0 && points->first + points->count == points->capacity) {
        memmove(points->items, points->items + points->first, points->count * sizeof *points->items);
        points->first = 0;
    }
    return array_reserve(&points->items, &points->capacity, points->count + 1);
}

void world_durable_note(struct world *world)
{
    struct world_points *points = &world->keep->points;
    if (!world->keep->journal.store) {
        return;
    }
    base_mutex_lock(&world->face_mutex);
    if (reserve(points)) {
        points->items[points->first + points->count++] =
            (struct world_point){.position = world->keep->journal.position, .durable = now_of(world)};
    }
    base_mutex_unlock(&world->face_mutex);
}

// Counts the points that are durable at that position.
static uint32_t passed(const struct world_points *points, uint64_t position)
{
    uint32_t low = 0, high = points->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (points->items[points->first + middle].position <= position) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static struct world_durable durable_at(const struct world_points *points, uint64_t position)
{
    const uint32_t count = passed(points, position);
    return count > 0 ? points->items[points->first + count - 1].durable : points->last;
}

void world_durable_pass(struct world *world, uint64_t position)
{
    struct world_points *points = &world->keep->points;
    base_mutex_lock(&world->face_mutex);
    const uint32_t count = passed(points, position);
    points->last = durable_at(points, position);
    points->count -= count;
    points->first = points->count > 0 ? points->first + count : 0;
    base_mutex_unlock(&world->face_mutex);
}

void world_durable(struct world *world, uint64_t position, struct world_durable *out)
{
    const struct world_face *face = &world->outside.face;
    base_mutex_lock(&world->face_mutex);
    *out = world->keep->journal.store ? durable_at(&world->keep->points, position)
                                      : (struct world_durable){face->revision, face->records};
    base_mutex_unlock(&world->face_mutex);
}

// ---------------------------------------------------------------------------------------------------------
// How far the store has come

uint64_t world_journal_position(const struct world_keep *keep)
{
    return keep->journal.position;
}

uint64_t world_journal_sequence(const struct world_keep *keep)
{
    return keep->records.next;
}

const char *world_journal_read_only(const struct world_keep *keep)
{
    return keep->journal.read_only;
}

bool world_is_stuck(const struct world_keep *keep)
{
    return keep->journal.pending.full || keep->journal.lost;
}

// Asks the store again, since a store in memory commits at once.
static uint64_t durable_position(const struct world *world)
{
    struct store_pending pending = world->keep->journal.pending;
    if (world->keep->journal.content > pending.durable) {
        store_pending(world->keep->journal.store, world->id, &pending);
    }
    return pending.durable;
}

static bool is_durable(const struct world *world)
{
    const struct world_journal *journal = &world->keep->journal;
    return !journal->store || !store_lasts(journal->store) ||
           (!journal->lost && journal->content <= durable_position(world));
}

uint64_t world_durable_revision(struct world *world)
{
    struct world_durable durable = now_of(world);
    if (!is_durable(world)) {
        world_durable(world, durable_position(world), &durable);
    }
    return durable.revision;
}

// ---------------------------------------------------------------------------------------------------------
// Marks: the last two fields of each query's result

enum { MARKS = 2 };

static const struct protocol_field *marks_of(enum protocol_method method, uint64_t *bits)
{
    const struct protocol_struct *type = protocol_methods[method].result;
    BASE_ASSERT(type->field_count > MARKS);
    const uint32_t first = type->field_count - MARKS;
    BASE_ASSERT(strcmp(type->fields[first].name, "durable_revision") == 0);
    *bits = UINT64_C(3) << first;
    return &type->fields[first];
}

void world_durable_mark(struct world *world, enum protocol_method method, void *result)
{
    uint64_t has, bits;
    const struct protocol_field *marks = marks_of(method, &bits);
    const bool durable = is_durable(world);
    const uint64_t revision = durable ? 0 : world_durable_revision(world);
    memcpy(&has, result, sizeof has);
    has = durable ? has & ~bits : has | bits;
    memcpy(result, &has, sizeof has);
    memcpy((uint8_t *)result + marks[0].offset, &revision, sizeof revision);
    memcpy((uint8_t *)result + marks[1].offset, &durable, sizeof durable);
}

static uint32_t number_size(uint64_t number)
{
    return number < 128           ? 1
           : number <= UINT8_MAX  ? 2
           : number <= UINT16_MAX ? 3
           : number <= UINT32_MAX ? 5
                                  : 9;
}

uint32_t world_durable_label(const struct world *world, enum protocol_method method, const void *result)
{
    uint64_t has, bits, revision;
    const struct protocol_field *marks = marks_of(method, &bits);
    memcpy(&has, result, sizeof has);
    memcpy(&revision, (const uint8_t *)result + marks[0].offset, sizeof revision);
    // A record that the journal lost never becomes durable, whatever position the store comes to.
    if ((has & bits) == 0 || world->keep->journal.lost) {
        return 0;
    }
    return (uint32_t)(1 + strlen(marks[0].name) + number_size(revision) + 1 + strlen(marks[1].name) + 1);
}
