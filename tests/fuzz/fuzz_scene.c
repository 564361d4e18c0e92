// Scenes and documents: what people and peers hand to world.open and --scene. The first byte says which:
//
//     even   the rest is a scene's JSON; what it gives must be a document that decodes
//     odd    the rest is a document, as MessagePack
//
// What must hold besides not crashing and not leaking: a refusal has words; a document that is taken makes a world whose
// own document, saved and taken again, has the same hash, then and after a few ticks.
#include "fuzz.h"

#include "base/log.h"
#include "document/document.h"
#include "protocol/error.h"
#include "protocol/scene/scene.h"
#include "sim/sim.h"

#include <math.h>
#include <string.h>

enum { FUZZ_BYTES_MAX = 65536, FUZZ_TICKS = 2, FUZZ_PARTICLES_MAX = 20000, FUZZ_WORK_MAX = 8 };

static const struct sim_limits limits = {
    .bodies = 4096, .particles = 4194304, .constraints = 33554432, .colliders = 256, .grabs = 1024};

static struct sim *again(const struct sim *sim)
{
    struct sim_image image;
    struct sim_image_place place;
    struct fault fault = {0};
    bool taken = sim_image_take(sim, &image);
    FUZZ_ASSERT(taken);
    struct sim *made = sim_image_make(&image, &limits, &place, &fault);
    FUZZ_ASSERT(made);
    sim_image_deinit(&image);
    FUZZ_ASSERT(sim_hash(made) == sim_hash(sim));
    return made;
}

static void run(struct sim *sim)
{
    // Work that a scene may ask for but a fuzzer has no time for.
    struct sim_settings settings = *sim_settings_of(sim);
    struct fault fault;
    settings.substeps = settings.substeps > FUZZ_WORK_MAX ? FUZZ_WORK_MAX : settings.substeps;
    settings.iterations = settings.iterations > FUZZ_WORK_MAX ? FUZZ_WORK_MAX : settings.iterations;
    enum fault_code status = sim_settings_set(sim, &settings, &fault);
    FUZZ_ASSERT(status == FAULT_NONE);
    struct sim *made = again(sim);
    for (uint32_t tick = 0; tick < FUZZ_TICKS; tick++) {
        struct sim_failure failure, failure_made;
        sim_step(sim, NULL, NULL, &failure);
        sim_step(made, NULL, NULL, &failure_made);
        FUZZ_ASSERT(failure.failed == failure_made.failed);
        if (failure.failed) {
            break;
        }
        FUZZ_ASSERT(sim_hash(sim) == sim_hash(made));
    }
    sim_destroy(made);
}

static void take(const void *bytes, size_t size, bool whole)
{
    struct protocol_error error = {0};
    struct document *document = document_from(bytes, size, &error);
    if (!document) {
        FUZZ_ASSERT(error.code != PROTOCOL_CODE_OK && error.text[0] != '\0');
        // A scene's document has been decoded once: only the physics may refuse it.
        FUZZ_ASSERT(!whole || !strstr(error.text, "unknown field"));
        return;
    }
    if (sim_particle_count(document->sim) <= FUZZ_PARTICLES_MAX) {
        run(document->sim);
    }
    document_destroy(document);
}

// A few bytes can ask for millions of particles: those that do are left to the unit tests.
static bool asks_for_much(const char *text, size_t size)
{
    size_t digits = 0;
    for (size_t i = 0; i < size; i++) {
        digits = text[i] >= '0' && text[i] <= '9' ? digits + 1 : 0;
        if (digits == 3 && (i + 1 == size || text[i + 1] != '.')) {
            return memmem(text, size, "cells", 5) != NULL || memmem(text, size, "rings", 5) != NULL ||
                   memmem(text, size, "segments", 8) != NULL || memmem(text, size, "\\u", 2) != NULL;
        }
    }
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    base_log_set(BASE_LOG_ERROR, false);
    if (size < 2 || size > FUZZ_BYTES_MAX) {
        return 0;
    }
    if (data[0] % 2 == 1) {
        take(data + 1, size - 1, false);
        return 0;
    }
    struct scene scene;
    struct fault fault = {0};
    const char *text = (const char *)data + 1;
    if (asks_for_much(text, size - 1)) {
        return 0;
    }
    if (!scene_parse("fuzz.json", NULL, text, size - 1, &scene, &fault)) {
        FUZZ_ASSERT(fault.text[0] != '\0');
        return 0;
    }
    take(scene.document, scene.size, true);
    scene_deinit(&scene);
    return 0;
}
