// --from DIR/WORLD@TICK: bakes from a moment of a world's past instead of a scene.
#include "bake/bake.h"

#include "document/document.h"
#include "keep/source.h"
#include "past/past.h"
#include "record/inputs.h"
#include "record/meter.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct coming {
    bool (*stop)(void);
    struct record_meter *meter; // NULL: quiet
};

static bool go_on(void *context, uint64_t tick, uint64_t until)
{
    const struct coming *coming = context;
    if (coming->meter) {
        coming->meter->total = until;
        record_meter_show(coming->meter, tick);
    }
    return !coming->stop();
}

// The world's last state, with notes about it.
static struct document *last_of(struct past *past, struct protocol_error *error)
{
    struct past_end end;
    if (!past_end(past, &end, error)) {
        return NULL;
    }
    if (end.warning[0] != '\0') {
        fprintf(stderr, "weft: PAST: %s\n", end.warning);
    }
    return end.document;
}

static struct document *seek(const struct keep_source *source, struct past *past,
                             const struct past_progress *progress, struct protocol_error *error)
{
    struct document *document = NULL;
    bool exact;
    if (!past_seek(past, source->tick, progress, &document, &exact, error)) {
        return NULL;
    }
    if (!exact) {
        protocol_error_set(error, PROTOCOL_CODE_CONFLICT, "tick",
                           "another solver made tick %" PRIu64
                           ": the last before it that is known is %" PRIu64,
                           source->tick, document->tick);
        document_destroy(document);
        return NULL;
    }
    return document;
}

static bool take(const struct document *document, struct bake_scene *scene, struct fault *fault)
{
    struct protocol_bytes bytes = {0};
    if (document->failed) {
        return fault_set(fault, FAULT_INVALID, NULL, "the world had failed at tick %" PRIu64 ": %.300s",
                         document->tick, document->reason);
    }
    if (!document_pack(document, &bytes)) {
        protocol_bytes_deinit(&bytes);
        return fault_set(fault, FAULT_MEMORY, NULL, "there is not enough memory");
    }
    scene->document = bytes.data;
    scene->document_size = bytes.size;
    return true;
}

static void keep_last(void *context, const char *text)
{
    snprintf(context, FAULT_TEXT_SIZE, "%s", text);
}

// Whether the tick is kept. A tick before the end is intact, even if later data is lost.
static bool is_there(const struct bake_options *options, struct keep_source *source, struct fault *fault)
{
    if (source->ticked && source->tick <= source->list.last_tick) {
        return true;
    }
    char lost[FAULT_TEXT_SIZE];
    if (keep_source_lost(source, keep_last, lost) == 0) {
        return true;
    }
    if (!options->salvage) {
        return fault_set(fault, FAULT_INVALID, NULL, "--from: %.400s; --salvage uses the intact part", lost);
    }
    fprintf(stderr, "weft: PAST: %s\n", lost);
    return true;
}

// TAKE[@TICK]: whether the file of that name is a take of records.
static bool is_take(const char *from, char path[4096], uint64_t *tick)
{
    char *at, *last;
    snprintf(path, 4096, "%s", from);
    *tick = UINT64_MAX;
    if (record_inputs_are(path)) {
        return true;
    }
    at = strrchr(path, '@');
    if (!at || at[1] < '0' || at[1] > '9') {
        return false;
    }
    *tick = strtoull(at + 1, &last, 10);
    *at = '\0';
    return *last == '\0' && record_inputs_are(path);
}

static bool from_take(const struct bake_options *options, const char *path, uint64_t tick, bool (*stop)(void),
                      struct bake_scene *scene, struct fault *fault)
{
    struct document *document = bake_play_to(options, path, tick, stop, fault);
    const bool done = document ? take(document, scene, fault)
                               : fault_set(fault, fault->code, NULL, "--from: %.500s", fault->text);
    document_destroy(document);
    return done;
}

bool bake_scene_from(const struct bake_options *options, bool (*stop)(void), struct bake_scene *scene,
                     struct fault *fault)
{
    struct keep_source source;
    struct protocol_error refused = {0};
    struct record_meter meter;
    struct coming coming = {.stop = stop, .meter = options->quiet ? NULL : &meter};
    const struct past_progress progress = {.go_on = go_on, .context = &coming};
    char text[KEEP_TEXT_SIZE];
    char path[4096];
    uint64_t tick;
    *scene = (struct bake_scene){0};
    snprintf(scene->path, sizeof scene->path, "%s", options->from);
    if (is_take(options->from, path, &tick)) {
        return from_take(options, path, tick, stop, scene, fault);
    }
    if (!keep_source_open(options->from, &source, text)) {
        return fault_set(fault, FAULT_INVALID, NULL, "--from: %.500s", text);
    }
    if (source.all) {
        keep_source_close(&source);
        return fault_set(fault, FAULT_INVALID, NULL,
                         "--from: no world given: it takes %.300s/WORLD, or with a tick, WORLD@TICK",
                         options->from);
    }
    if (!is_there(options, &source, fault)) {
        keep_source_close(&source);
        return false;
    }
    record_meter_begin(&meter, "seeking", "ticks", 0, source.tick);
    struct past *past = past_open(source.reader, source.list.list, &refused);
    struct document *document = !past           ? NULL
                                : source.ticked ? seek(&source, past, &progress, &refused)
                                                : last_of(past, &refused);
    record_meter_clear(&meter);
    const bool done = document ? take(document, scene, fault)
                               : fault_set(fault, FAULT_INVALID, NULL, "--from %.200s: %.300s", options->from,
                                           refused.text);
    document_destroy(document);
    past_close(past);
    keep_source_close(&source);
    return done;
}
