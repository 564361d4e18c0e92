// Replays all of a past from its first image on, and compares it with every hash that was told.
#include "past/internal.h"

#include <stdlib.h>
#include <string.h>

struct replay {
    struct past *past;
    struct past_walk walk;
    struct store_image *images; // by ascending position
    uint32_t count, next;       // index of the first image that the walk has not passed
    uint64_t last_tick, last;   // as they were at the beginning: the world may go on meanwhile
    struct past_difference *out;
};

// Puts the walk onto the next image of the store that is whole. *there: false if there is none.
static bool onto_next(struct replay *replay, bool *there, struct protocol_error *error)
{
    struct past_walk *walk = &replay->walk;
    const uint64_t from = walk->document ? walk->document->tick : 0;
    const bool passing = walk->document != NULL;
    *there = false;
    while (replay->next < replay->count && !*there) {
        const struct store_image *image = &replay->images[replay->next++];
        bool damaged;
        struct document *document = past_image_take(replay->past, image, &damaged, error);
        if (!document && !damaged) {
            return false;
        }
        if (document) {
            document_destroy(walk->document);
            walk->document = document;
            walk->place = (struct past_place){.position = image->position, .solver = image->maker};
            *there = true;
        }
    }
    const uint64_t to = *there ? walk->document->tick : replay->last_tick;
    replay->out->passed_by += passing && to > from ? to - from : 0;
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Which body

static bool same_body(const struct sim_image_body *one, const struct sim_image_body *other)
{
    const uint32_t count = one->desc.particle_count;
    return one->body == other->body && count == other->desc.particle_count &&
           memcmp(one->positions, other->positions, 3 * (size_t)count * sizeof *one->positions) == 0 &&
           memcmp(one->velocities, other->velocities, 3 * (size_t)count * sizeof *one->velocities) == 0 &&
           memcmp(one->inverse_masses, other->inverse_masses, count * sizeof *one->inverse_masses) == 0;
}

static uint32_t body_that_differs(const struct document *here, const struct document *there)
{
    struct sim_image images[2];
    uint32_t body = 0;
    if (!sim_image_take(here->sim, &images[0])) {
        return 0;
    }
    if (sim_image_take(there->sim, &images[1])) {
        const uint32_t count =
            images[0].body_count < images[1].body_count ? images[0].body_count : images[1].body_count;
        for (uint32_t b = 0; b < count && body == 0; b++) {
            body = same_body(&images[0].bodies[b], &images[1].bodies[b]) ? 0 : images[0].bodies[b].body;
        }
        sim_image_deinit(&images[1]);
    }
    sim_image_deinit(&images[0]);
    return body;
}

// Walks on to the next image that this solver made, ignoring hashes, and finds the first body that differs.
static void find_body(struct replay *replay)
{
    struct past_walk *walk = &replay->walk;
    struct protocol_error error;
    uint32_t at = 0;
    while (at < replay->count && (replay->images[at].position < replay->out->position ||
                                  replay->images[at].maker != sim_solver_version())) {
        at++;
    }
    if (at == replay->count) {
        return;
    }
    const struct store_image *image = &replay->images[at];
    walk->difference = NULL;
    walk->changed = true;
    bool damaged;
    if (!past_walk_to(walk, image->tick, image->position, &error) || walk->stopped) {
        return;
    }
    struct document *document = past_image_take(replay->past, image, &damaged, &error);
    if (document) {
        replay->out->body = body_that_differs(walk->document, document);
        replay->out->body_tick = image->tick;
        document_destroy(document);
    }
}

// ---------------------------------------------------------------------------------------------------------

static void compare(struct replay *replay, const struct store_image *image)
{
    const struct past_walk *walk = &replay->walk;
    struct past_difference *out = replay->out;
    if (image->maker != sim_solver_version() || image->hash == 0 || walk->document->tick != image->tick) {
        return;
    }
    const uint64_t hash = document_hash(walk->document);
    out->hashes++;
    if (hash == image->hash) {
        out->same_tick = image->tick;
        return;
    }
    out->found = true;
    out->tick = image->tick;
    out->position = image->position;
    out->expected = image->hash;
    out->hash = hash;
}

// Walks on to the next image. *more: false at the end.
static bool go_on(struct replay *replay, bool *more, struct protocol_error *error)
{
    struct past_walk *walk = &replay->walk;
    while (replay->next < replay->count && replay->images[replay->next].position < walk->place.position) {
        replay->next++;
    }
    const struct store_image *image = replay->next < replay->count ? &replay->images[replay->next] : NULL;
    *more = false;
    if (!past_walk_to(walk, image ? image->tick : replay->last_tick, image ? image->position : replay->last,
                      error)) {
        return false;
    }
    if (walk->stopped) {
        return onto_next(replay, more, error);
    }
    if (image && !replay->out->found) {
        compare(replay, image);
        replay->next++;
    }
    *more = image && !replay->out->found;
    return true;
}

bool past_replay(struct past *past, const struct past_progress *progress, struct past_difference *out,
                 struct protocol_error *error)
{
    struct replay replay = {.past = past, .out = out};
    struct store_error store = {0};
    struct store_list list;
    *out = (struct past_difference){0};
    if (store_list_find(past->reader, past->list, &list, &store) != FAULT_NONE) {
        return past_refuse_store(past, &store, error);
    }
    replay.last_tick = list.last_tick;
    replay.last = list.last;
    if (store_images(past->reader, past->list, &replay.images, &replay.count, &store) != FAULT_NONE) {
        return past_refuse_store(past, &store, error);
    }
    if (!past_walk_init(&replay.walk, past, progress, error)) {
        free(replay.images);
        return false;
    }
    replay.walk.difference = out;
    bool more = false, done = onto_next(&replay, &more, error);
    if (done && !more) {
        protocol_error_set(error, PROTOCOL_CODE_INTERNAL, NULL,
                           "the past of world %u has no image that is whole", past->list);
        done = false;
    }
    while (done && more) {
        done = go_on(&replay, &more, error);
    }
    if (done && out->found) {
        find_body(&replay);
    } else if (done && replay.walk.document) {
        out->end_tick = replay.walk.document->tick;
        out->end_hash = document_hash(replay.walk.document);
    }
    past_walk_deinit(&replay.walk);
    free(replay.images);
    return done;
}
