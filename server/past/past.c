// Gives the world at a tick.
#include "past/internal.h"

#include <stdlib.h>

struct past *past_open(struct store_reader *reader, uint32_t list, struct protocol_error *error)
{
    struct past *past = calloc(1, sizeof *past);
    struct store_error store = {0};
    struct store_list found;
    if (!past) {
        past_refuse_memory(error);
        return NULL;
    }
    past->reader = reader;
    past->list = list;
    if (store_list_find(reader, list, &found, &store) != FAULT_NONE) {
        past_refuse_store(past, &store, error);
        past_close(past);
        return NULL;
    }
    return past;
}

void past_bound(struct past *past, size_t bytes)
{
    past_images_bound(&past->images, bytes);
}

void past_close(struct past *past)
{
    if (past) {
        past_images_deinit(&past->images);
        free(past);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Documents that stand somewhere

static struct past_stand *stand_of(struct past *past, const struct document *document)
{
    for (int s = 0; document && s < PAST_STANDS; s++) {
        if (past->stands[s].document == document && past->stands[s].tick == document->tick) {
            return &past->stands[s];
        }
    }
    return NULL;
}

static void stands(struct past *past, const struct past_walk *walk)
{
    struct past_stand *stand = NULL;
    for (int s = 0; s < PAST_STANDS; s++) {
        stand = past->stands[s].document == walk->document ? &past->stands[s] : stand;
    }
    stand = stand ? stand : &past->stands[past->next_stand++ % PAST_STANDS];
    *stand = (struct past_stand){walk->document, walk->document->tick, walk->place};
}

// ---------------------------------------------------------------------------------------------------------
// Seeking

bool past_in_range(struct past *past, uint64_t tick, struct protocol_error *error)
{
    struct store_error store = {0};
    struct store_list list;
    struct store_image image;
    if (store_list_find(past->reader, past->list, &list, &store) != FAULT_NONE) {
        return past_refuse_store(past, &store, error);
    }
    uint64_t last = list.last_tick;
    if (store_image_before(past->reader, past->list, UINT64_MAX, UINT64_MAX, &image, &store) == FAULT_NONE) {
        last = image.tick > last ? image.tick : last;
    }
    if (tick >= list.first_tick && tick <= last) {
        return true;
    }
    protocol_error_set(
        error, PROTOCOL_CODE_NOT_FOUND, "tick", "tick: %llu; what is kept of world %u goes from %llu to %llu",
        (unsigned long long)tick, past->list, (unsigned long long)list.first_tick, (unsigned long long)last);
    return false;
}

// Returns the tick of the nearest image, of the store or kept.
static uint64_t nearest_image(struct past *past, uint64_t tick)
{
    struct store_image image;
    struct store_error store;
    uint64_t nearest = 0;
    if (store_image_before(past->reader, past->list, tick, UINT64_MAX, &image, &store) == FAULT_NONE) {
        nearest = image.tick;
    }
    const struct past_image *kept = past_images_find(&past->images, tick, UINT64_MAX);
    return kept && kept->tick > nearest ? kept->tick : nearest;
}

// Whether to go on from the document, or to begin again with an image. An image is taken if it saves more
// ticks than reading it takes.
static bool goes_on(struct past *past, const struct past_stand *stand, uint64_t tick)
{
    if (!stand || stand->tick > tick) {
        return false;
    }
    const uint64_t nearest = nearest_image(past, tick);
    return nearest <= stand->tick || (double)(nearest - stand->tick) * past->tick_s < past->read_s;
}

// Finds whether this solver made the tick that is asked for. It may have done so even if the walk stopped
// before.
static bool ends_with_this_solver(const struct past_walk *walk, uint64_t tick, bool *out,
                                  struct protocol_error *error)
{
    const struct past *past = walk->past;
    uint32_t solver = walk->place.solver, count = 1;
    for (uint64_t position = walk->place.position; count > 0;) {
        struct store_error store = {0};
        const struct store_entry *entries;
        if (store_read(past->reader, past->list, position, 1024, 1 << 20, &entries, &count, &store) !=
            FAULT_NONE) {
            return past_refuse_store(past, &store, error);
        }
        for (uint32_t e = 0; e < count; e++) {
            struct past_mark mark;
            if (entries[e].tick > tick) {
                count = 0;
                break;
            }
            if (entries[e].kind == PAST_MARK &&
                past_mark_read(entries[e].bytes, entries[e].size, &mark, error) &&
                mark.kind == PAST_MARK_BEGUN) {
                solver = mark.solver;
            }
            position = entries[e].position;
        }
    }
    *out = solver == sim_solver_version();
    return true;
}

// Walks on to a tick. If another solver made ticks on the way, and this one made the last ones, those of the
// other are stepped with this one: the result is what past_end gives, now as then. If the other one made the
// last ticks, the result is the last state that is known without it.
static bool walk_on(struct past_walk *walk, uint64_t tick, bool *exact, struct protocol_error *error)
{
    bool ours = true;
    *exact = true;
    if (!past_walk_to(walk, tick, UINT64_MAX, error)) {
        return false;
    }
    if (!walk->stopped) {
        return true;
    }
    if (!ends_with_this_solver(walk, tick, &ours, error)) {
        return false;
    }
    *exact = ours;
    walk->loosen = ours;
    return !ours || past_walk_to(walk, tick, UINT64_MAX, error);
}

// Walks from the document if it is on the way, else from an image. Afterwards the walk owns the document, or
// it is destroyed.
static bool walk_from(struct past_walk *walk, struct document *from, uint64_t tick, bool *exact,
                      struct protocol_error *error)
{
    struct past *past = walk->past;
    const struct past_stand *stand = stand_of(past, from);
    char warning[PAST_WARNING_SIZE] = "";
    if (goes_on(past, stand, tick)) {
        walk->document = from;
        walk->place = stand->place;
        if (!walk_on(walk, tick, exact, error)) {
            return false;
        }
        if (*exact || nearest_image(past, tick) <= walk->document->tick) {
            return true;
        }
        from = walk->document; // an image comes after the ticks of the other solver
        walk->document = NULL;
    }
    document_destroy(from);
    return past_base(walk, tick, UINT64_MAX, warning, error) && walk_on(walk, tick, exact, error);
}

bool past_seek(struct past *past, uint64_t tick, const struct past_progress *progress,
               struct document **document, bool *exact, struct protocol_error *error)
{
    struct past_walk walk;
    struct document *from = *document;
    *document = NULL;
    *exact = false;
    if (!past_in_range(past, tick, error) || !past_walk_init(&walk, past, progress, error)) {
        document_destroy(from);
        return false;
    }
    const bool done = walk_from(&walk, from, tick, exact, error);
    if (done) {
        stands(past, &walk);
        *document = walk.document;
        walk.document = NULL;
    }
    past_walk_deinit(&walk);
    return done;
}
