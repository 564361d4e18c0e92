// weft replay: computes the kept past of worlds again from the first image on, and compares it with every recorded
// hash.
#include "keep/keep.h"

#include "past/past.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool go_on(void *context, uint64_t tick, uint64_t until)
{
    struct record_meter *meter = context;
    (void)until;
    if (meter) {
        record_meter_show(meter, tick);
    }
    return !keep_stopped();
}

static void tell_text(const struct store_list *list, const struct past_difference *out)
{
    printf("world %" PRIu32 " \"%s\": %" PRIu64 " ticks, %" PRIu64 " hashes: ", list->list, list->label,
           out->ticks, out->hashes);
    if (!out->found) {
        printf("the same; tick %" PRIu64 " has hash %016" PRIx64, out->end_tick, out->end_hash);
    } else if (out->text[0] != '\0') {
        printf("tick %" PRIu64 " differs: %s", out->tick, out->text);
    } else {
        printf("tick %" PRIu64 " differs: hash %016" PRIx64 ", and was %016" PRIx64 "; tick %" PRIu64
               " is the last that is the same",
               out->tick, out->hash, out->expected, out->same_tick);
    }
    if (out->found && out->body != 0) {
        printf("; body %" PRIu32 " is another one than in the image of tick %" PRIu64, out->body,
               out->body_tick);
    }
    if (out->passed_by > 0) {
        printf("; %" PRIu64 " ticks of another solver were passed by", out->passed_by);
    }
    printf("\n");
}

static json_t *json_of(const struct store_list *list, const struct past_difference *out)
{
    char hashes[2][17], end[17];
    snprintf(end, sizeof end, "%016" PRIx64, out->end_hash);
    json_t *world =
        json_pack("{s:I, s:s, s:b, s:I, s:I, s:I, s:I}", "world", (json_int_t)list->list, "name", list->label,
                  "same", !out->found, "ticks", (json_int_t)out->ticks, "hashes", (json_int_t)out->hashes,
                  "passed_by", (json_int_t)out->passed_by, "same_tick", (json_int_t)out->same_tick);
    if (!out->found) {
        json_object_set_new(world, "end_tick", json_integer((json_int_t)out->end_tick));
        json_object_set_new(world, "end_hash", json_string(end));
    } else {
        snprintf(hashes[0], sizeof hashes[0], "%016" PRIx64, out->hash);
        snprintf(hashes[1], sizeof hashes[1], "%016" PRIx64, out->expected);
        json_object_set_new(world, "tick", json_integer((json_int_t)out->tick));
        json_object_set_new(world, "hash", json_string(hashes[0]));
        json_object_set_new(world, "expected", json_string(hashes[1]));
        json_object_set_new(world, "body", json_integer(out->body));
        json_object_set_new(world, "body_tick", json_integer((json_int_t)out->body_tick));
        json_object_set_new(world, "text", json_string(out->text));
    }
    return world;
}

static bool replay(const struct keep_options *options, struct store_reader *reader,
                   const struct store_list *list, struct past_difference *out, struct protocol_error *error)
{
    struct record_meter meter;
    const struct past_progress progress = {.go_on = go_on, .context = options->quiet ? NULL : &meter};
    struct past *past = past_open(reader, list->list, error);
    if (!options->quiet) {
        record_meter_begin(&meter, "replaying", "ticks", list->first_tick, list->last_tick);
    }
    const bool done = past && past_replay(past, &progress, out, error);
    if (!options->quiet) {
        record_meter_clear(&meter);
    }
    past_close(past);
    return done;
}

// Reports a world whose past cannot be read; the others are replayed all the same.
static void tell_unread(const struct keep_options *options, json_t *worlds, const struct store_list *list,
                        const char *text)
{
    (void)keep_say(KEEP_FAILED, "DAMAGED", "%s", text);
    if (options->json) {
        json_array_append_new(worlds, json_pack("{s:I, s:s, s:b, s:s}", "world", (json_int_t)list->list,
                                                "name", list->label, "same", false, "text", text));
    }
}

struct replayed {
    uint32_t different, unread;
};

static enum keep_status replay_lists(const struct keep_options *options, const struct keep_source *source,
                                     const struct store_list *lists, uint32_t count, json_t *worlds,
                                     struct replayed *replayed)
{
    for (uint32_t l = 0; l < count; l++) {
        struct past_difference out;
        struct protocol_error refused = {0};
        if (!source->all && lists[l].list != source->list.list) {
            continue;
        }
        const bool read = replay(options, source->reader, &lists[l], &out, &refused);
        if (!read && keep_stopped()) {
            return keep_say(KEEP_STOPPED, "STOPPED", "only a part was replayed");
        }
        if (!read) {
            tell_unread(options, worlds, &lists[l], refused.text);
        } else if (options->json) {
            json_array_append_new(worlds, json_of(&lists[l], &out));
        } else {
            tell_text(&lists[l], &out);
        }
        replayed->unread += !read;
        replayed->different += read && out.found;
    }
    return KEEP_OK;
}

static enum keep_status replay_source(const struct keep_options *options, struct keep_source *source)
{
    struct store_error error = {0};
    struct store_list *lists = NULL;
    struct replayed replayed = {0};
    uint32_t count = 0;
    uint64_t lost = 0;
    enum keep_status status = keep_lost(options, source, "replay", &lost);
    if (status == KEEP_OK && store_lists(source->reader, &lists, &count, &error) != FAULT_NONE) {
        status = keep_say(KEEP_FAILED, "DAMAGED", "%s", error.fault.text);
    }
    json_t *worlds = json_array();
    status = status == KEEP_OK ? replay_lists(options, source, lists, count, worlds, &replayed) : status;
    if (status == KEEP_OK && options->json) {
        json_t *all = json_pack("{s:O}", "worlds", worlds);
        json_dumpf(all, stdout, JSON_COMPACT);
        putchar('\n');
        json_decref(all);
    }
    if (status == KEEP_OK && replayed.different > 0) {
        status = keep_say(KEEP_FAILED, "DIFFERENT", "%" PRIu32 " of the worlds came to a different state",
                          replayed.different);
    }
    status = status == KEEP_OK && replayed.unread > 0 ? KEEP_FAILED : status;
    json_decref(worlds);
    free(lists);
    return status == KEEP_OK ? keep_salvaged(lost) : status;
}

enum keep_status keep_replay(const struct keep_options *options, const char *path)
{
    struct keep_source source;
    char text[KEEP_TEXT_SIZE];
    if (!keep_source_open(path, &source, text)) {
        return keep_say(KEEP_USAGE, "FILE", "%s", text);
    }
    const enum keep_status status =
        source.ticked
            ? keep_say(KEEP_USAGE, "USAGE", "%s names a tick; replay takes a world, or a folder", path)
            : replay_source(options, &source);
    keep_source_close(&source);
    return status;
}
