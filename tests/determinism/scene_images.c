// Images of a world under ten thousand random edits: what is made of one has the hash of what it was taken of, then
// and for a hundred ticks more, on which both are edited alike; an image of the one made is the same image.
//
// Every so many ticks the run goes on with the sim that was made, so that images are taken of worlds that came of
// images themselves.

#include "random_edits.h"

#include "base/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TICKS = 200, EDITS_A_TICK = 50, IMAGE_EVERY = 20, FUTURE_TICKS = 100, FUTURE_EDITS = 3 };

const uint32_t scene_images_ticks = TICKS;

static void let_go(struct sim *sim) // grabs are no part of an image
{
    while (sim_grab_count(sim) > 0) {
        struct sim_grab grab;
        sim_grab_at(sim, 0, &grab);
        MUST(sim_grab_end(sim, grab.id, &scene_fault));
    }
}

static struct sim *made_of(const struct sim *sim)
{
    struct sim_image image;
    struct sim_image_place place;
    if (!sim_image_take(sim, &image)) {
        fputs("no memory for an image\n", stderr);
        exit(2);
    }
    struct sim *made = sim_image_make(&image, &random_edits_limits, &place, &scene_fault);
    if (made == NULL) {
        fprintf(stderr, "%s[%u].%s: %s\n", place.list != NULL ? place.list : "", place.index,
                scene_fault.field != NULL ? scene_fault.field : "", scene_fault.text);
        exit(2);
    }
    sim_image_deinit(&image);
    return made;
}

static void step(struct random_edits *run, struct base_parallel *parallel, uint32_t edits)
{
    struct sim_failure failure;
    for (uint32_t i = 0; i < edits; i++) {
        random_edits_next(run);
    }
    sim_step(run->sim, parallel, NULL, &failure);
    if (failure.failed) {
        run->failures++;
        sim_reset(run->sim);
    }
}

static bool same_hash(const struct sim *a, const struct sim *b, const char *when, uint32_t tick)
{
    uint64_t of_a = sim_hash(a), of_b = sim_hash(b);
    if (of_a != of_b) {
        fprintf(stderr, "tick %u, %s: %016" PRIx64 " and %016" PRIx64 " after an image\n", tick, when, of_a,
                of_b);
    }
    return of_a == of_b;
}

// The original goes on for so many ticks, and beside it what is made of its image; the image's sim is kept.
static bool future(struct random_edits *run, struct base_parallel *parallel, uint32_t tick)
{
    let_go(run->sim);
    struct random_edits twin = *run;
    twin.sim = made_of(run->sim);
    twin.digest = base_hash_create();
    if (twin.digest == NULL) {
        exit(2);
    }
    struct sim *again = made_of(twin.sim);
    bool same = same_hash(run->sim, twin.sim, "at once", tick) && same_hash(run->sim, again, "twice", tick);
    sim_destroy(again);
    for (uint32_t i = 1; same && i <= FUTURE_TICKS; i++) {
        step(run, parallel, FUTURE_EDITS);
        step(&twin, parallel, FUTURE_EDITS);
        same = same_hash(run->sim, twin.sim, "later", i);
    }
    base_hash_destroy(twin.digest);
    sim_destroy(run->sim);
    run->sim = twin.sim;
    return same;
}

int scene_images(const struct scene_options *options)
{
    const struct sim_settings settings = {
        .gravity = {0, -9.81, 0},
        .tick_rate = 60,
        .substeps = 2,
        .iterations = 1,
        .resolution = 1.0 / (1 << 27),
        .extent = 1000,
        .wind = {.velocity = {2, 0.5, 1}, .drag = 1, .lift = 0.4, .density = 1.2}};
    struct random_edits run = {.sim = sim_create(&settings, &random_edits_limits),
                               .seed = options->seed * UINT64_C(0x9e3779b97f4a7c15) | 1,
                               .digest = base_hash_create(),
                               .kind_count = SIM_ROD_STRETCH}; // no edit adds the later ones
    if (run.sim == NULL || run.digest == NULL) {
        return 2;
    }
    random_edits_begin(&run);
    bool same = true;
    for (uint32_t i = 1; same && i <= options->ticks; i++) {
        step(&run, options->parallel, EDITS_A_TICK);
        same = i % IMAGE_EVERY != 0 || future(&run, options->parallel, i);
        if (i % IMAGE_EVERY == 0) {
            printf("%u %016" PRIx64 "\n", i, sim_hash(run.sim));
        }
    }
    printf("final %016" PRIx64 "\n", sim_hash(run.sim));
    random_edits_end(&run);
    base_hash_destroy(run.digest);
    sim_destroy(run.sim);
    return same ? 0 : 2;
}
