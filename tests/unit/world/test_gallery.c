// The gallery's scenes with contact: after each of the first 60 ticks (of the knot, 300) no edge passes a triangle, counted
// exactly. WEFT_SCENES=large takes twice as many, after which the knot has been tight for a while.
//
//     test_world_gallery                  all of them
//     test_world_gallery FILE [TICKS]     one scene, and what each tenth tick came to

#include "base/clock.h"
#include "document/document.h"
#include "protocol/error.h"
#include "protocol/scene/scene.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TICKS = 60, TICKS_KNOT = 300, TICKS_MAIL = 30, TICKS_SANITIZED = 4, TOLD = 10 };

struct shown {
    const char *name;
    uint64_t ticks;
};

// Sanitizers take ten to fifty times as long and see in the first ticks what they would see in all.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED true
#elif defined(__has_feature)
#define SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define SANITIZED false
#endif

struct told {
    uint64_t crossings; // the greatest of all ticks
    uint64_t tick;      // where that was
    uint32_t pushing;   // the greatest: whether there was anything to keep apart
    uint32_t dropped;
    bool failed;
    char why[sizeof((struct sim_failure *)NULL)->text];
};

static struct document *open_scene(const char *path)
{
    struct scene scene = {0};
    struct fault fault = {0};
    struct protocol_error refused = {0};
    struct document *document = NULL;
    if (!scene_read(path, &scene, &fault)) {
        print_error("%s\n", fault.text);
    } else if ((document = document_from(scene.document, scene.size, &refused)) == NULL) {
        print_error("%s: %s\n", path, refused.text);
    }
    scene_deinit(&scene);
    return document;
}

static void tell(const struct sim *sim, uint64_t tick, const struct told *told, uint64_t step_ns)
{
    struct sim_meetings met;
    sim_meetings_of(sim, &met);
    printf("%5" PRIu64 "  crossings %" PRIu64 "  pairs %" PRIu32 "  pushing %" PRIu32 "  held %" PRIu32
           "  deepest %.3f  %.2f ms a tick\n",
           tick, told->crossings, met.pairs, met.pushing, met.held, met.deepest,
           1e-6 * (double)step_ns / TOLD);
}

static struct told run(struct document *document, uint64_t ticks, bool aloud)
{
    struct told told = {.crossings = sim_crossings(document->sim)};
    uint64_t spent = 0;
    for (uint64_t tick = 1; tick <= ticks && !told.failed; tick++) {
        struct sim_failure failure = {0};
        struct sim_meetings met;
        const uint64_t begin = base_now_ns();
        sim_step(document->sim, NULL, NULL, &failure);
        spent += base_now_ns() - begin;
        told.failed = failure.failed;
        memcpy(told.why, failure.text, sizeof told.why);
        const uint64_t crossings = sim_crossings(document->sim);
        sim_meetings_of(document->sim, &met);
        if (crossings > told.crossings) {
            told.crossings = crossings;
            told.tick = tick;
        }
        told.pushing = met.pushing > told.pushing ? met.pushing : told.pushing;
        told.dropped += met.dropped;
        if (aloud && tick % TOLD == 0) {
            tell(document->sim, tick, &told, spent);
            spent = 0;
        }
    }
    return told;
}

static void nothing_crosses(void **state)
{
    char path[256];
    const struct shown *shown = *state;
    snprintf(path, sizeof path, "clients/scenes/%s.json", shown->name);
    struct document *document = open_scene(path);
    assert_non_null(document);
    const uint64_t begin = base_now_ns();
    const char *scenes = getenv("WEFT_SCENES");
    const uint64_t ticks = (scenes && strcmp(scenes, "large") == 0 ? 2 : 1) * shown->ticks;
    const struct told told = run(document, SANITIZED ? TICKS_SANITIZED : ticks, false);
    print_message("%s: %.1f s\n", path, 1e-9 * (double)(base_now_ns() - begin));
    if (told.crossings > 0) {
        print_error("%s: %" PRIu64 " crossings after tick %" PRIu64 "\n", path, told.crossings, told.tick);
    }
    if (told.failed) {
        print_error("%s: %s\n", path, told.why);
    }
    assert_false(told.failed);
    assert_int_equal(told.crossings, 0);
    assert_int_equal(told.dropped, 0);
    assert_true(SANITIZED || told.pushing > 0);
    document_destroy(document);
}

// A stiff shell with a load. As it is in the gallery it is rocked.
static void the_sack_falls_asleep_within_5_seconds(void **state)
{
    (void)state;
    if (SANITIZED) {
        skip();
    }
    struct document *document = open_scene("clients/scenes/sack.json");
    struct fault fault;
    assert_non_null(document);
    struct sim *sim = document->sim;
    struct sim_settings settings = *sim_settings_of(sim);
    struct sim_motion motion;
    settings.sleep = true;
    assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_NONE);
    sim_motion_at(sim, 0, &motion);
    assert_int_equal(sim_motion_remove(sim, motion.id, &fault), FAULT_NONE);
    uint32_t asleep = 0;
    for (int tick = 0; tick < 300; tick++) {
        struct sim_failure failure = {0};
        sim_step(sim, NULL, NULL, &failure);
        assert_false(failure.failed);
    }
    for (uint32_t b = 0; b < sim_body_count(sim); b++) {
        struct sim_body_info info;
        assert_true(sim_body_info(sim, sim_body_id_at(sim, b), &info));
        asleep += info.asleep;
    }
    assert_int_equal(asleep, sim_body_count(sim));
    document_destroy(document);
}

// The counter that all of it stands on sees a cloth that is put through another.
static void what_crosses_is_counted(void **state)
{
    (void)state;
    static const char text[] =
        "{\"weft\": 1, \"bodies\": [{\"name\": \"a\", \"grid\": {\"size\": [1, 1], \"cells\": [4, 4]}},"
        " {\"name\": \"b\", \"grid\": {\"size\": [1, 1], \"cells\": [4, 4], \"upright\": true},"
        " \"position\": [0, 0.01, 0.01]}]}";
    struct scene scene = {0};
    struct fault fault = {0};
    struct protocol_error refused = {0};
    assert_true(scene_parse("crossed", NULL, text, sizeof text - 1, &scene, &fault));
    struct document *document = document_from(scene.document, scene.size, &refused);
    assert_non_null(document);
    assert_true(run(document, 1, false).crossings > 0);
    document_destroy(document);
    scene_deinit(&scene);
}

static int run_one(const char *path, uint64_t ticks)
{
    struct document *document = open_scene(path);
    if (document == NULL) {
        return 1;
    }
    const struct told told = run(document, ticks, true);
    printf("%s: %" PRIu32 " particles, %" PRIu64 " crossings (tick %" PRIu64 "), %" PRIu32 " dropped%s%s\n",
           path, sim_particle_count(document->sim), told.crossings, told.tick, told.dropped,
           told.failed ? ", and the world failed: " : "", told.why);
    document_destroy(document);
    return told.crossings > 0 || told.failed;
}

int main(int count, char **arguments)
{
    if (count > 1) {
        return run_one(arguments[1], count > 2 ? strtoull(arguments[2], NULL, 10) : TICKS);
    }
#define SCENE(name, ticks)                                 \
    {                                                      \
        name, nothing_crosses, NULL, NULL, &(struct shown) \
        {                                                  \
            name, ticks                                    \
        }                                                  \
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_crosses_is_counted),
        cmocka_unit_test(the_sack_falls_asleep_within_5_seconds),
        SCENE("cloths", TICKS),
        SCENE("dress", TICKS),
        SCENE("knot", TICKS_KNOT),
        SCENE("mail", TICKS_MAIL),
        SCENE("net", TICKS),
        SCENE("sack", TICKS),
        SCENE("statue", TICKS),
        SCENE("tablecloth", TICKS),
        SCENE("towel", 2 * TICKS), // it is not tight before
    };
#undef SCENE
    return cmocka_run_group_tests(tests, NULL, NULL);
}
